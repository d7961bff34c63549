#include "config.h"
#include "case/internal.h"
#include "step/schemes.h"

#include <math.h>
#include <string.h>

/* Rules between the keys of a scheme: each scheme takes some of them (prc_step_scheme_options), and the others
 * mean nothing to it. */

/* Keys that not every scheme takes. */
static const struct {
  const char *path;
  unsigned taken;
} keys[] = {{"time.theta", PRC_OPTION_THETA},
            {"time.law", PRC_OPTION_LAW},
            {"time.rho", PRC_OPTION_RHO | PRC_OPTION_THETA},
            {"time.tolerance", PRC_OPTION_TOLERANCE},
            {"time.joints", PRC_OPTION_JOINTS},
            {"time.step.max", PRC_OPTION_PACE},
            {"time.bulk", PRC_OPTION_BULK},
            {"time.loads", PRC_OPTION_LOADS},
            {"contact.directions", PRC_OPTION_DIRECTIONS},
            {"contact.prediction", PRC_OPTION_PREDICTION},
            {"contact.slip_direction", PRC_OPTION_SLIP_DIRECTION}};
enum { N_KEYS = sizeof keys / sizeof *keys };

static const char *scheme_of(const prc_case *c) {
  return c->time.quasi_static ? "static" : c->time.scheme;
}

static int has_option(const prc_case *c, unsigned what) {
  return (prc_step_scheme_options(scheme_of(c)) & what) != 0;
}

/* Where a scheme is tried by --set in place of that of the file, what the file says for its own is left out. */
static int is_of_another(const prc_case *c, const char *path) {
  const prc_case_place scheme = prc_case_place_of(c, "time.scheme"), key = prc_case_place_of(c, "%s", path);
  return prc_case_is_given(c, "time.scheme") && scheme.set && !key.set;
}

static int counts(const prc_case *c, const char *path) {
  return prc_case_is_given(c, "%s", path) && !is_of_another(c, path);
}

/* "theta or position": the schemes that take one of these */
static void list_schemes(unsigned what, char *text, size_t size) {
#define NAME(symbol, name) name,
  static const char *const names[] = {PRC_STEP_DYNAMIC_SCHEMES(NAME, NAME)};
#undef NAME
  const char *list[sizeof names / sizeof *names];
  size_t n = 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (prc_step_scheme_options(names[k]) & what) list[n++] = names[k];
  text[0] = '\0';
  for (size_t k = 0; k < n; k++)
    prc_append(text, size, "%s%s", k == 0 ? "" : k + 1 == n ? " or " : ", ", list[k]);
  if (n == 0) prc_append(text, size, "no scheme there is");
}

static prc_status refuse(const prc_case *c, const char *path, unsigned what, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "%s", path);
  char names[256];
  list_schemes(what, names, sizeof names);
  if (c->time.quasi_static)
    return prc_case_fail(c, &at, err, "%s is given, expected none with analysis: quasi-static; it is for %s",
                         path, names);
  return prc_case_fail(c, &at, err, "%s is given, expected none with scheme: %s; it is for %s", path,
                       c->time.scheme, names);
}

/* Load steps and the scheme on positions are implicit: their theta is 1, where both laws are one, and may be said to be; load steps
 * have the loads of their ends. */
static int is_harmless(const prc_case *c, unsigned what) {
  const int fixed = !has_option(c, PRC_OPTION_RHO | PRC_OPTION_THETA);
  if (what == PRC_OPTION_LOADS) return c->time.quasi_static && c->time.loads == PRC_LOADS_SAMPLED;
  return fixed && (what == PRC_OPTION_LAW || what == PRC_OPTION_THETA);
}

/* Sweeps have an order; other solvers take all contacts together. */
static prc_status check_order(const prc_case *c, prc_error *err) {
  const char *solver = c->contact.solver;
  if (c->contact.order == PRC_CONE_ORDER_NATURAL || strcmp(solver, "gauss-seidel") == 0
      || strcmp(solver, "auto") == 0)
    return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "contact.order");
  return prc_case_fail(
      c, &at, err,
      "contact.order is random, expected natural with solver: %s; it is for gauss-seidel or auto", solver);
}

/* Frictions that are expressions are judged by the scheme itself, when the mesh is known. */
static prc_status check_friction(const prc_case *c, prc_error *err) {
  char names[256];
  if (c->time.quasi_static || has_option(c, PRC_OPTION_FRICTION)) return PRC_OK;
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *contact = &c->contact_group[i];
    const double mu = prc_case_coulomb(&contact->friction);
    if (mu == 0.0 || (isnan(mu) && contact->friction.law == prc_frictions()[0])) continue;
    list_schemes(PRC_OPTION_FRICTION, names, sizeof names);
    if (isnan(mu))
      return prc_case_fail(c, &contact->friction_place, err,
                           "contacts.%s.friction is %s, expected 0 with scheme: %s, or scheme: %s",
                           contact->name, contact->friction.law->name, c->time.scheme, names);
    return prc_case_fail(c, &contact->friction_place, err,
                         "contacts.%s.friction is %.12g, expected 0 with scheme: %s, or scheme: %s",
                         contact->name, mu, c->time.scheme, names);
  }
  return PRC_OK;
}

/* Friction that depends on the speed works at u_theta, where Newton's law has stopped another one; generalized-alpha has none to ask. */
static prc_status check_speed(const prc_case *c, prc_error *err) {
  const int alpha = has_option(c, PRC_OPTION_RHO) && !has_option(c, PRC_OPTION_THETA);
  for (int i = 0; i < c->n_contacts && !c->time.quasi_static; i++) {
    const prc_case_contact *contact = &c->contact_group[i];
    const char *law = contact->friction.law->name;
    if (!contact->friction.law->of_speed) continue;
    if (alpha)
      return prc_case_fail(
          c, &contact->friction_place, err,
          "contacts.%s.friction is %s, which depends on the speed, expected another law with "
          "scheme: %s, or scheme: theta",
          contact->name, law, c->time.scheme);
    if (c->time.law == PRC_IMPACT_FREMOND || c->time.theta == 1.0) continue;
    const prc_case_place at = prc_case_place_of(c, "time.law");
    return prc_case_fail(
        c, &at, err,
        "time.law is newton with theta %g, expected fremond, or theta: 1, with the friction of "
        "contacts.%s, %s, which depends on the speed",
        c->time.theta, contact->name, law);
  }
  return PRC_OK;
}

static int deforms(const prc_case *c) {
  return c->mesh.file != NULL || c->n_beams > 0;
}

/* Between rigid bodies theta weighs friction alone, and the law is what it makes of it; meshes and beams keep both. */
static prc_status check_bulk(const prc_case *c, prc_error *err) {
  if (c->time.bulk == PRC_BULK_THETA || !counts(c, "time.bulk")) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "time.bulk"), law = prc_case_place_of(c, "time.law");
  if (c->n_bodies == 0)
    return prc_case_fail(c, &at, err, "time.bulk is middle, expected theta where there are no rigid bodies");
  if (counts(c, "time.law") && !deforms(c))
    return prc_case_fail(c, &law, err,
                         "time.law is given, expected none with bulk: middle and rigid bodies alone, where "
                         "theta is the law");
  return PRC_OK;
}

/* A prediction is one of gaps at the place of H. */
static prc_status check_prediction(const prc_case *c, prc_error *err) {
  const int centre = c->contact.directions == PRC_DIRECTIONS_CENTRE;
  if (!centre || c->contact.prediction == PRC_PREDICT_PRESENT || !counts(c, "contact.prediction"))
    return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "contact.prediction");
  return prc_case_fail(
      c, &at, err,
      "contact.prediction is given, expected none with contact.directions: centre; it is for start");
}

prc_status prc_case_check_scheme(prc_case *c, prc_error *err) {
  for (int k = 0; k < N_KEYS; k++)
    if (counts(c, keys[k].path) && !has_option(c, keys[k].taken) && !is_harmless(c, keys[k].taken))
      return refuse(c, keys[k].path, keys[k].taken, err);
  prc_status status = check_friction(c, err);
  if (status == PRC_OK) status = check_speed(c, err);
  if (status == PRC_OK) status = check_prediction(c, err);
  if (status == PRC_OK) status = check_bulk(c, err);
  return status == PRC_OK ? check_order(c, err) : status;
}

/* Defaults that follow from other keys: the theta of a scheme that has one only, the first of its impact laws.
 * The spectral radius at infinite
 * frequencies of theta is (1 - theta) / theta. */
prc_status prc_case_complete_scheme(prc_case *c, prc_error *err) {
  const int theta = prc_case_is_given(c, "time.theta");
  prc_step_scheme scheme = {0};
  if (c->time.quasi_static) return PRC_OK;
  if (prc_step_scheme_of(c->time.scheme, &scheme) && strncmp(scheme.laws, "newton", 6) == 0
      && !prc_case_is_given(c, "time.law"))
    c->time.law = PRC_IMPACT_NEWTON;
  if (scheme.theta != 0.0) {
    const prc_case_place at = prc_case_place_of(c, "time.theta");
    if (theta && counts(c, "time.theta") && c->time.theta != scheme.theta)
      return prc_case_fail(c, &at, err, "time.theta is %.12g, expected %.12g or none with scheme: %s",
                           c->time.theta, scheme.theta, c->time.scheme);
    c->time.theta = scheme.theta;
  }
  if (!has_option(c, PRC_OPTION_THETA) || !prc_case_is_given(c, "time.rho")) return PRC_OK;
  if (theta && counts(c, "time.rho")) {
    const prc_case_place at = prc_case_place_of(c, "time.rho");
    return prc_case_fail(c, &at, err,
                         "time.rho is given beside time.theta, expected one of them with scheme: %s, where "
                         "theta = 1 / (1 + rho)",
                         c->time.scheme);
  }
  if (!theta) c->time.theta = 1.0 / (1.0 + c->time.rho);
  return PRC_OK;
}

/* The place of the largest restitution that is a number; else that of the scheme. */
static prc_case_place place_of_restitution(const prc_case *c, double e) {
  for (int i = 0; i < c->n_contacts; i++)
    if (!c->contact_group[i].restitution.eval && c->contact_group[i].restitution.constant == e)
      return c->contact_group[i].restitution_place;
  return prc_case_place_of(c, "time.scheme");
}

static prc_status refuse_restitution(const prc_case *c, double e, prc_error *err) {
  const prc_case_place analysis = prc_case_place_of(c, "time.analysis"), at = place_of_restitution(c, e);
  char names[256];
  if (c->time.quasi_static)
    return prc_case_fail(c, &analysis, err,
                         "time.analysis is quasi-static, expected dynamic with a restitution of %.12g: "
                         "without inertia nothing bounces",
                         e);
  list_schemes(PRC_OPTION_RESTITUTION, names, sizeof names);
  return prc_case_fail(c, &at, err, "the restitution is %.12g, expected 0 with scheme: %s, or scheme: %s", e,
                       c->time.scheme, names);
}

int prc_case_bounds_theta(const prc_case *c, int contact) {
  const prc_case_contact *group = &c->contact_group[contact];
  return c->time.bulk == PRC_BULK_THETA || !(group->pairs || group->body);
}

/* theta <= 1 / (1 + e_max), (87), beyond rounding */
prc_status prc_case_check_restitution(const prc_case *c, double e_max, prc_error *err) {
  const double largest = 1.0 / (1.0 + e_max);
  if (e_max > 0.0 && !has_option(c, PRC_OPTION_RESTITUTION)) return refuse_restitution(c, e_max, err);
  if (!has_option(c, PRC_OPTION_THETA) || c->time.theta <= largest + 1e-12) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "time.theta");
  return prc_case_fail(
      c, &at, err,
      "time.theta is %.12g, expected in [0.5, %.12g]: at most 1 / (1 + e) for the largest restitution "
      "e = %.12g",
      c->time.theta, largest, e_max);
}

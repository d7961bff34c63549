#include "config.h"
#include "case/internal.h"
#include "output/output.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The geometry beside a mesh, of the same name: block.geo of block.msh; "": there is none. */
static void find_geometry(const char *mesh, char *path, size_t size) {
  const char *dot = strrchr(mesh, '.');
  const int n = snprintf(path, size, "%.*s.geo", dot ? (int)(dot - mesh) : 0, mesh);
  if (!dot || n < 0 || (size_t)n >= size || access(path, R_OK) != 0) path[0] = '\0';
}

static prc_status check_mesh(const prc_case *c, prc_error *err) {
  int geometries = 0;
  char geometry[4096];
  for (int i = 0; i < c->mesh.n_files; i++) geometries += prc_ends_with(c->mesh.files[i], ".geo");
  if (!c->mesh.file || c->mesh.size <= 0.0 || geometries > 0) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "mesh.size");
  find_geometry(c->mesh.file, geometry, sizeof geometry);
  if (*geometry)
    return prc_case_fail(
        c, &at, err,
        "mesh.size is given for the mesh '%s', which has its cells, expected it only with a .geo, "
        "which is meshed; take mesh.file: %s, its geometry",
        c->mesh.file, geometry);
  return prc_case_fail(
      c, &at, err,
      "mesh.size is given for the mesh '%s', which has its cells, expected it only with a .geo, which "
      "is meshed; take its geometry, or halve its edges by 'gmsh -refine FILE -o finer.msh'",
      c->mesh.file);
}

/* A law's message begins with the name of the parameter. */
static prc_status check_materials(const prc_case *c, prc_error *err) {
  for (int i = 0; i < c->n_materials; i++) {
    prc_case_material *m = &c->material[i];
    prc_error refused = {0};
    m->values.law = prc_fem_law_find(m->law);
    if (prc_fem_material_check(&m->values, c->model.plane, &refused) == PRC_OK) continue;
    const int length = (int)strcspn(refused.message, " ");
    const prc_case_place at = prc_case_place_of(c, "materials.%s.%.*s", m->group, length, refused.message);
    return prc_case_fail(c, &at, err, "materials.%s.%s", m->group, refused.message);
  }
  return PRC_OK;
}

static prc_status check_thickness(const prc_case *c, prc_error *err) {
  if (c->model.plane != PRC_AXISYMMETRIC || !prc_case_is_given(c, "model.thickness")) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "model.thickness");
  return prc_case_fail(
      c, &at, err,
      "model.thickness is given, expected none with plane: axisymmetric: all is of the whole ring");
}

static prc_status check_exact(const prc_case *c, prc_error *err) {
  static const char *const key[] = {"displacement", "velocity"};
  const int missing = c->exact.given[0];
  if (c->exact.given[0] == c->exact.given[1]) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "exact.%s", key[!missing]);
  return prc_case_fail(c, &at, err, "exact.%s is given, expected exact.%s with it", key[!missing],
                       key[missing]);
}

static prc_status check_contacts(const prc_case *c, prc_error *err) {
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *k = &c->contact_group[i];
    const double length = hypot(k->normal[0], k->normal[1]); /* such planes are of the plane alone */
    if (!k->on_plane || (length > 0.0 && isfinite(length))) continue;
    const prc_case_place at = prc_case_place_of(c, "contacts.%s.plane.normal", k->name);
    return prc_case_fail(
        c, &at, err, "contacts.%s.plane.normal is [%g, %g], expected a direction of non-zero, finite length",
        k->name, k->normal[0], k->normal[1]);
  }
  return PRC_OK;
}

/* The equilibrium at the start holds what may touch fixed planes, glues two curves, and knows nothing of surfaces that move. */
static prc_status check_equilibrium(const prc_case *c, prc_error *err) {
  for (int i = 0; i < c->n_contacts && c->initial.kind == PRC_INITIAL_EQUILIBRIUM; i++) {
    const prc_case_contact *contact = &c->contact_group[i];
    if (contact->interface || !contact->between[1] || !contact->group) continue;
    return prc_case_fail(
        c, &contact->between_place, err,
        "contacts.%s is with an obstacle or a body, expected plane, or between two curves, with "
        "initial.state: equilibrium, which knows no surfaces that move",
        contact->name);
  }
  return PRC_OK;
}

/* The equilibrium is that of loads and supports at t = 0. */
static prc_status check_start_time(const prc_case *c, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "initial.time");
  if (c->initial.kind != PRC_INITIAL_EQUILIBRIUM || c->initial.time == 0.0) return check_equilibrium(c, err);
  return prc_case_fail(
      c, &at, err,
      "initial.time is %.9g, expected 0 with state: equilibrium, which is that of loads and supports "
      "at t = 0",
      c->initial.time);
}

/* Keys that belong to one initial state: missing there, or given with another. */
static prc_status check_initial(const prc_case *c, prc_error *err) {
  enum {
    REST = 1 << PRC_INITIAL_REST,
    END_OF = 1 << PRC_INITIAL_END_OF,
    CONTINUED = 1 << PRC_INITIAL_CONTINUED,
  };
  static const struct {
    const char *states, *path;
    unsigned kinds;
    int required;
  } rule[] = {{"velocity", "initial.velocity", 1 << PRC_INITIAL_VELOCITY, 1},
              {"equilibrium", "initial.loads", 1 << PRC_INITIAL_EQUILIBRIUM, 0},
              {"end_of or continued", "initial.run", END_OF | CONTINUED, 1},
              {"continued", "initial.at", CONTINUED, 0}};
  const unsigned kind = 1U << c->initial.kind;
  if (!c->mesh.file && !(kind & (REST | END_OF | CONTINUED))) {
    const prc_case_place at = prc_case_place_of(c, "initial.state");
    return prc_case_fail(
        c, &at, err,
        "initial.state is not for bodies, expected rest, end_of or continued: each body has its own "
        "position, angle, velocity and spin");
  }
  for (size_t i = 0; i < sizeof rule / sizeof rule[0]; i++) {
    const int here = (kind & rule[i].kinds) != 0, given = prc_case_is_given(c, "%s", rule[i].path);
    const int is_loads = strcmp(rule[i].path, "initial.loads") == 0;
    const prc_case_place at = prc_case_place_of(c, "%s", rule[i].path);
    if (here && !given && rule[i].required)
      return prc_case_fail(c, &at, err, "the key '%s' is missing, expected with state: %s", rule[i].path,
                           rule[i].states);
    if (!here && given && (!is_loads || c->initial.with_loads))
      return prc_case_fail(c, &at, err, "%s is given, expected only with state: %s", rule[i].path,
                           rule[i].states);
  }
  return check_start_time(c, err);
}

/* Strains that turn are for steps with inertia, and need no leave to do so. */
static prc_status check_kinematics(const prc_case *c, prc_error *err) {
  const char *path = NULL, *expected = NULL;
  if (c->model.kinematics != PRC_COROTATIONAL) return PRC_OK;
  if (c->time.quasi_static)
    path = "time.analysis",
    expected =
        "is quasi-static, expected dynamic with kinematics: corotational, whose equilibrium is not linear";
  else if (c->model.mass == PRC_MASS_MODIFIED)
    path = "model.mass", expected = "is modified, expected consistent or lumped with kinematics: "
                                    "corotational: nodes without mass follow from a linear equilibrium";
  else if (prc_case_is_given(c, "model.rotations"))
    path = "model.rotations",
    expected = "is given, expected only with kinematics: small: corotational strains turn by any angle";
  if (!path) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "%s", path);
  return prc_case_fail(c, &at, err, "%s %s", path, expected);
}

/* Without inertia: load steps end in equilibrium, so theta is 1; there is nothing that could bounce or have a
 * velocity. */
static prc_status check_quasi_static(prc_case *c, prc_error *err) {
  if (!c->time.quasi_static) return PRC_OK;
  const prc_case_place analysis = prc_case_place_of(c, "time.analysis");
  for (int b = 0; b < c->n_bodies; b++)
    if (!c->body[b].driven)
      return prc_case_fail(
          c, &analysis, err,
          "time.analysis is quasi-static, expected dynamic with bodies%s: nothing strains them",
          c->mesh.file ? " that are not driven (bodies.<name>.motion)" : "");
  if (c->n_beams > 0)
    return prc_case_fail(c, &analysis, err, "time.analysis is quasi-static, expected dynamic with beams");
  if (prc_case_is_given(c, "time.scheme")) {
    const prc_case_place at = prc_case_place_of(c, "time.scheme");
    return prc_case_fail(c, &at, err, "time.scheme is %s, expected none with analysis: quasi-static",
                         c->time.scheme);
  }
  if (prc_case_is_given(c, "time.theta") && c->time.theta != 1.0) {
    const prc_case_place at = prc_case_place_of(c, "time.theta");
    return prc_case_fail(c, &at, err, "time.theta is %.12g, expected 1 or none with analysis: quasi-static",
                         c->time.theta);
  }
  c->time.theta = 1.0, c->time.law = PRC_IMPACT_FREMOND;
  if (c->initial.kind != PRC_INITIAL_VELOCITY) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "initial.state");
  return prc_case_fail(
      c, &at, err,
      "initial.state is velocity, expected rest, equilibrium, end_of or continued with analysis: "
      "quasi-static");
}

/* Their number is not known. */
static prc_status check_varying_steps(prc_case *c, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "time.step.max"),
                       slip = prc_case_place_of(c, "time.step.per_slip");
  int has_length = 0;
  for (int i = 0; i < c->n_contacts; i++) has_length |= c->contact_group[i].friction.law->length != NULL;
  if (c->time.per_slip > 0.0 && !has_length)
    return prc_case_fail(
        c, &slip, err,
        "time.step.per_slip is given, expected it only with friction that has a length, such "
        "as law: rate-and-state or slip-weakening: no contact has one");
  if (c->time.longest < c->time.step)
    return prc_case_fail(c, &at, err, "time.step.max is %.9g, expected at least the first step, %.9g",
                         c->time.longest, c->time.step);
  c->time.first = 0;
  c->time.n_steps = c->time.end > c->initial.time ? INT_MAX : 0;
  return PRC_OK;
}

/* The clock begins at a step, as the end is one: what goes on is on the same steps then, and t is the same number. */
static prc_status check_first_step(prc_case *c, prc_error *err) {
  const double h = c->time.step, n = round(c->initial.time / h);
  const prc_case_place at = prc_case_place_of(c, "initial.time");
  if (n <= INT_MAX && fabs(n * h - c->initial.time) <= 1e-9 * c->initial.time) {
    c->time.first = (int)n;
    return PRC_OK;
  }
  if (n > INT_MAX)
    return prc_case_fail(c, &at, err,
                         "the case starts at t = %.9g, which is %.9g steps, expected at most %d; "
                         "initial.time: 0 starts the clock anew",
                         c->initial.time, n, INT_MAX);
  return prc_case_fail(c, &at, err,
                       "the case starts at t = %.15g, expected a multiple of time.step = %.15g; initial.time "
                       "sets the clock, to %.15g for instance",
                       c->initial.time, h, n * h);
}

static prc_status check_steps(prc_case *c, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "time.end");
  if (c->time.end < c->initial.time)
    return prc_case_fail(c, &at, err,
                         "time.end is %.9g, expected at least %.9g, where the case starts (initial.time)",
                         c->time.end, c->initial.time);
  if (c->time.longest > 0.0) return check_varying_steps(c, err);
  const double n = round(c->time.end / c->time.step);
  if (n > INT_MAX)
    return prc_case_fail(c, &at, err, "time.end is %.9g steps, expected at most %d", n, INT_MAX);
  if (fabs(n * c->time.step - c->time.end) > 1e-9 * c->time.end)
    return prc_case_fail(c, &at, err, "time.end is %.15g, expected a multiple of time.step = %.15g",
                         c->time.end, c->time.step);
  c->time.n_steps = (int)n;
  return c->initial.time > 0.0 ? check_first_step(c, err) : PRC_OK;
}

/* Restitutions that are expressions are judged when the mesh is known. */
static double constant_restitution(const prc_case *c) {
  double e = 0.0;
  for (int i = 0; i < c->n_contacts; i++)
    if (!c->contact_group[i].restitution.eval && prc_case_bounds_theta(c, i))
      e = fmax(e, c->contact_group[i].restitution.constant);
  return e;
}

/* The place of a character of a text. */
static prc_case_place place_within(const prc_case *c, const char *path, size_t character) {
  const char *rest;
  const prc_node *node = prc_tree_walk(c->store->root, path, &rest);
  prc_case_place at = node->at;
  if (at.line > 0) at.column += (int)character + node->quoted;
  return at;
}

static prc_status check_writer(const prc_case *c, prc_error *err) {
  if (prc_output_writer_find(c->output.writer)) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "output.writer");
  return prc_case_fail(c, &at, err,
                       "output.writer is %s, but this percuss was built without VTK, expected auto or own",
                       c->output.writer);
}

/* none, failures, or steps with commas between them */
static prc_status check_problems(const prc_case *c, prc_error *err) {
  static const char path[] = "output.cone_problems";
  const char *text = c->output.cone_problems;
  const prc_case_place at = prc_case_place_of(c, path);
  if (strcmp(text, "none") == 0) return PRC_OK;
  for (int i = 0; i < c->n_contacts; i++)
    if (c->contact_group[i].drilling > 0.0)
      return prc_case_fail(
          c, &at, err,
          "'cone_problems' is '%s', but contact '%s' has drilling friction, expected none: an "
          "FCLib file has no contact of four components",
          text, c->contact_group[i].name);
  if (strcmp(text, "failures") == 0) return PRC_OK;
  const size_t length = strlen(text);
  if (length == 0 || strspn(text, "0123456789,") < length || text[0] == ',' || text[length - 1] == ','
      || strstr(text, ",,"))
    return prc_case_fail(c, &at, err,
                         "'cone_problems' is '%s', expected none, failures, or steps such as 10,200", text);
  for (const char *step = text; step; step = strchr(step, ',') ? strchr(step, ',') + 1 : NULL) {
    const prc_case_place here = place_within(c, path, (size_t)(step - text));
    errno = 0;
    if (strtol(step, NULL, 10) <= INT_MAX && errno == 0) continue;
    return prc_case_fail(c, &here, err, "%s has the step %.*s, expected steps of at most %d", path,
                         (int)strcspn(step, ","), step, INT_MAX);
  }
  return PRC_OK;
}

enum { COLUMNS = 1000 }; /* of diagrams, about */

/* Intervals of time take the place of steps, of which each is looked at then; what --set says counts more than what the file says. Where steps vary, columns of diagrams come by time. */
static prc_status complete_intervals(prc_case *c, prc_error *err) {
  static const char *const keys[2][2] = {{"output.interval", "output.every"},
                                         {"output.contact_interval", "output.contact_every"}};
  double *interval[2] = {&c->output.interval, &c->output.contact_interval};
  int *every[2] = {&c->output.every, &c->output.contact_every};
  if (c->time.longest > 0.0 && c->output.contact_every < 0 && c->output.contact_interval == 0.0)
    c->output.contact_interval = c->time.end / COLUMNS;
  for (int k = 0; k < 2; k++) {
    const prc_case_place at = prc_case_place_of(c, "%s", keys[k][0]),
                         other = prc_case_place_of(c, "%s", keys[k][1]);
    const int both = prc_case_is_given(c, "%s", keys[k][0]) && prc_case_is_given(c, "%s", keys[k][1]);
    if (*interval[k] == 0.0) continue;
    if (both && !at.set == !other.set)
      return prc_case_fail(c, &at, err, "%s is given beside %s, expected one of them", keys[k][0],
                           keys[k][1]);
    if (both && other.set)
      *interval[k] = 0.0;
    else
      *every[k] = 1;
  }
  return PRC_OK;
}

/* From and to of each, one window after the other. */
static prc_status check_windows(const prc_case *c, prc_error *err) {
  const double *t = c->output.window;
  const prc_case_place at = prc_case_place_of(c, "output.window");
  if (c->output.n_window % 2 != 0)
    return prc_case_fail(c, &at, err,
                         "output.window has %d numbers, expected two of each window, from and to",
                         c->output.n_window);
  for (int k = 1; k < c->output.n_window; k++)
    if (!(t[k] >= t[k - 1]))
      return prc_case_fail(c, &at, err, "output.window has %.9g behind %.9g, expected times that ascend",
                           t[k], t[k - 1]);
  return PRC_OK;
}

/* Where the start is not known yet, the steps are those from zero for now. */
static void complete_columns(prc_case *c) {
  const int n = c->time.n_steps - c->time.first;
  if (c->output.contact_every < 0) c->output.contact_every = (n - 1) / COLUMNS + 1;
}

prc_status prc_case_check_rules(prc_case *c, prc_error *err) {
  enum { MANY_BODIES = 1000 };
  static const double of_beams = 1e-8;
  prc_status status = PRC_OK;
  prc_try(prc_case_check_own_name(c, err));
  prc_try(prc_case_check_units(c, err));
  prc_try(check_mesh(c, err));
  prc_try(check_materials(c, err));
  prc_try(check_thickness(c, err));
  prc_try(prc_case_check_loads(c, err));
  prc_try(check_exact(c, err));
  prc_try(prc_case_complete_scheme(c, err));
  prc_try(check_contacts(c, err));
  prc_try(prc_case_complete_beams(c, err));
  prc_try(prc_case_index_names(c, err));
  prc_try(prc_case_check_obstacles(c, err));
  prc_try(prc_case_check_periodic(c, err));
  prc_try(prc_case_check_measures(c, err));
  prc_try(prc_case_resolve_contacts(c, err));
  prc_try(prc_case_check_periods(c, err));
  prc_try(prc_case_check_joints(c, err));
  prc_try(prc_case_complete_bodies(c, err));
  prc_try(prc_case_check_body_contacts(c, err));
  prc_try(prc_case_check_supports(c, err));
  prc_try(check_initial(c, err));
  prc_try(check_kinematics(c, err));
  prc_try(check_quasi_static(c, err));
  prc_try(prc_case_check_scheme(c, err));
  prc_try(check_steps(c, err));
  prc_try(prc_case_check_histories(c, err));
  prc_try(prc_case_check_integrals(c, err));
  prc_try(check_problems(c, err));
  prc_try(check_writer(c, err));
  prc_try(check_windows(c, err));
  prc_try(prc_case_check_restitution(c, constant_restitution(c), err));
  if (c->output.table_every < 0) c->output.table_every = c->n_bodies > MANY_BODIES ? c->output.every : 1;
  if (c->n_beams > 0 && c->time.tolerance == 0.0)
    c->time.tolerance = of_beams; /* what rounding of places leaves, times EA */
  if (c->output.contacts < 0) c->output.contacts = c->n_bodies > 0 || c->n_beams > 0;
  prc_try(complete_intervals(c, err));
  if (!prc_case_start_is_open(c)) complete_columns(c);
done:
  return status;
}

prc_status prc_case_begin_at(prc_case *c, double time, prc_error *err) {
  c->initial.time = time;
  prc_status status = check_steps(c, err);
  if (status == PRC_OK) complete_columns(c);
  return status;
}

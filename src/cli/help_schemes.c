#include "config.h"
#include "cli/cli.h"
#include "linear/linear.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* `percuss help schemes`: what the rows of step/schemes.h say of themselves. What they promise they are asked on a mass that a spring holds above a
 * floor, whose normal is constant or turns. */

/* ---- the mass -------------------------------------------------------------------------------------------- */

enum { DIM = 2 };

typedef struct {
  prc_law law;
  prc_sym *M;
  prc_system system;
} mass;

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *err) {
  const mass *m = owner;
  static const int dof[DIM] = {0, 1};
  (void)at, (void)h, (void)reach;
  return prc_contact_set_add(
      set, &(prc_contact){.body = {-1, 0}, .n_dof = DIM, .dof = dof, .law = &m->law, .size = 1.0}, err);
}

static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  static const double H[DIM * DIM] = {1.0, 0.0, 0.0, 1.0};
  (void)owner;
  set->gap[0] = at->q[0];
  if (what & PRC_EVALUATE_H) memcpy(set->H.x, H, sizeof H);
}

static prc_status make_mass(mass *m, double mu, int turns, prc_error *err) {
  const prc_status status = prc_sym_create(DIM, DIM, &m->M, err);
  if (status != PRC_OK) return status;
  for (int i = 0; i < DIM; i++) m->M->p[i + 1] = i + 1, m->M->i[i] = i, m->M->x[i] = 1.0;
  m->law = prc_law_coulomb(mu, 0.0, 0.0);
  m->system = (prc_system){
      .space = {.nv = DIM},
      .dynamics = {.M = m->M, .K = m->M},
      .contacts = {.dim = DIM, .find = find, .evaluate = evaluate, .varies = turns ? PRC_CONTACTS_H : 0},
      .length = 1.0,
      .velocity = 1.0,
      .owner = m};
  return PRC_OK;
}

static prc_status ask_with(double mu, const prc_step_scheme *scheme, prc_impact law, int turns,
                           prc_step_promises *promises, prc_error *err) {
  prc_status status = PRC_OK;
  mass m = {0};
  prc_stepper *stepper = NULL;
  prc_step_options o = prc_step_options_default(1e-3);
  o.scheme = scheme->name, o.law = law;
  if (scheme->theta > 0.0) o.theta = scheme->theta;
  prc_try(make_mass(&m, mu, turns, err));
  prc_try(prc_stepper_create(&m.system, &o, &stepper, err));
  *promises = prc_stepper_promises(stepper);
done:
  prc_stepper_free(&stepper);
  prc_sym_free(&m.M);
  return status;
}

/* With friction, or without it where the scheme has none. */
static prc_status ask(const prc_step_scheme *scheme, prc_impact law, int turns, prc_step_promises *promises,
                      prc_error *err) {
  prc_error refused = {0};
  return ask_with(0.5, scheme, law, turns, promises, &refused) == PRC_OK
             ? PRC_OK
             : ask_with(0.0, scheme, law, turns, promises, err);
}

/* ---- the page ---------------------------------------------------------------------------------------------- */

enum { WIDTH = 110, INDENT = 20, LAWS = 2 };

/* "  label            text", in lines of WIDTH */
static void print_item(const char *label, const char *text) {
  int used = printf("  %-*s", INDENT - 2, label);
  while (*text) {
    const int length = (int)strcspn(text, " ");
    const int fits = used == INDENT || used + 1 + length <= WIDTH;
    if (!fits) printf("\n%*s", INDENT, ""), used = INDENT;
    used += printf("%s%.*s", used > INDENT ? " " : "", length, text);
    text += length + (int)strspn(text + length, " ");
  }
  printf("\n");
}

/* Promises of a scheme with an impact law, for constant and for turning directions. */
typedef struct {
  const char *law; /* NULL: of the only one */
  prc_step_promises is, but;
} answer;

static int same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static int same(const prc_step_promise *a, const prc_step_promise *b) {
  return same_text(a->theorem, b->theorem) && same_text(a->reason, b->reason);
}

static void append(char *text, size_t size, const prc_step_promise *p) {
  prc_append(text, size, "%s%s", p->theorem ? "by " : "not promised: ", p->theorem ? p->theorem : p->reason);
}

/* One entry of the certificate, of which the promise stands at an offset. */
static void print_promise(const char *name, const answer *a, int n, size_t at) {
  char text[2048] = "";
  const prc_step_promise *is[LAWS], *but[LAWS];
  for (int k = 0; k < n; k++) {
    is[k] = (const prc_step_promise *)(const void *)((const char *)&a[k].is + at);
    but[k] = (const prc_step_promise *)(const void *)((const char *)&a[k].but + at);
    if (!is[k]->theorem && !is[k]->reason) return;
  }
  if (n > 1 && same(is[0], is[1]) && same(but[0], but[1])) n = 1;
  for (int k = 0; k < n; k++) {
    if (n > 1) prc_append(text, sizeof text, "%s%s: ", k > 0 ? "; " : "", a[k].law);
    append(text, sizeof text, is[k]);
    if (same(is[k], but[k])) continue;
    prc_append(text, sizeof text, "; where directions turn ");
    append(text, sizeof text, but[k]);
  }
  print_item(name, text);
}

static void print_promises(const answer *a, int n) {
  print_item("balance", "by the identity of energies and works, in every step");
  print_promise("tangential_work", a, n, offsetof(prc_step_promises, tangential_sign));
  print_promise("normal_work", a, n, offsetof(prc_step_promises, normal_sign));
  print_promise("numerical_work", a, n, offsetof(prc_step_promises, numerical_sign));
  print_promise("penetration", a, n, offsetof(prc_step_promises, penetration));
  print_promise("joints", a, n, offsetof(prc_step_promises, joints));
}

static void print_words(const prc_step_scheme *scheme) {
  char theta[32];
  printf("\n%s\n", scheme->name);
  print_item("", scheme->help);
  print_item("impact laws", scheme->laws);
  snprintf(theta, sizeof theta, "%g", scheme->theta);
  if (scheme->theta > 0.0) print_item("theta", theta);
  print_item("takes", scheme->takes);
  print_item("order", scheme->order);
}

static prc_status print_scheme(const prc_step_scheme *scheme, prc_error *err) {
  static const char *const law[LAWS] = {"newton", "fremond"};
  static const prc_impact impact[LAWS] = {PRC_IMPACT_NEWTON, PRC_IMPACT_FREMOND};
  prc_status status = PRC_OK;
  answer a[LAWS] = {0};
  int n = 0;
  for (int k = 0; k < LAWS; k++)
    if (strstr(scheme->laws, law[k]) || (k == LAWS - 1 && n == 0)) {
      a[n].law = law[k];
      prc_try(ask(scheme, impact[k], 0, &a[n].is, err));
      prc_try(ask(scheme, impact[k], 1, &a[n++].but, err));
    }
  print_words(scheme);
  print_promises(a, n);
done:
  return status;
}

prc_status cli_print_schemes(prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_scheme scheme;
  printf("The schemes of time.scheme, and what the certificate of a run promises of each: an entry is "
         "promised by a\n"
         "theorem, or is reported, and says why. The balance is an identity: that it closes shows that the "
         "equations\n"
         "of each step were solved.\n");
  for (int k = 0; prc_step_scheme_at(k, &scheme); k++) prc_try(print_scheme(&scheme, err));
done:
  return status;
}

#include "config.h"
#include "ledger/ledger.h"
#include "support/support.h"
#include "support/toy.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Friction with a state: a mass on a spring, pressed on a floor, whose motion is known in closed form or as the integral of an ordinary differential equation. */

static prc_error err;

enum { NORMAL, TANGENT, WALL, DOFS };

typedef struct {
  double m, K, sigma, tau;
  prc_law law;
} slider;

/* The wall moves with speed. */
static void make(toy *s, const slider *of, double speed) {
  toy_make(s, DOFS, of->m);
  s->prescribed[0] = WALL, s->system.drive.n = 1, s->motion[0] = speed;
  toy_spring(s, TANGENT, WALL, of->K);
  toy_floor(s, NORMAL, TANGENT, 0.0, 0.0);
  s->law[0] = of->law;
  s->F[NORMAL] = -of->sigma, s->F[TANGENT] = of->tau;
}

/* The energy identity of every step, the sign of the friction's work, and what weakening took. */
typedef struct {
  double worst, positive, energy, breakdown;
} books;

static void note(const toy *s, books *b) {
  const prc_step_record *r = s->r;
  double rest = r->kinetic + r->potential, friction = 0.0;
  for (int w = 0; w < PRC_N_WORKS; w++) rest -= r->work[w];
  for (int i = 0; i < r->dim * r->n_contacts; i++) rest -= r->u_work[i] * r->p[i];
  for (int c = 0; c < r->n_contacts; c++)
    for (int d = 1; d < r->dim; d++) friction += r->u_work[r->dim * c + d] * r->p[r->dim * c + d];
  b->energy = fmax(b->energy, fabs(r->work[PRC_WORK_external]) + fabs(friction));
  b->worst = fmax(b->worst, fabs(rest));
  b->positive = fmax(b->positive, friction);
  b->breakdown += r->breakdown;
}

/* ---- slip weakening -------------------------------------------------------------------------------------------------------- */

static slider weakening_slider(const char *name) {
  return (slider){.m = 1e5,
                  .K = 5e8,
                  .sigma = 1e7,
                  .tau = 6.05e6,
                  .law = {.friction = prc_friction_find(name), .parameter = {0.6, 0.5, 1e-3}}};
}

/* When D goes through `level` between the last two states, by the cubic through them. */
static double passage(double t, double h, const double D[2], const double V[2], double level) {
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 60; k++) {
    const double x = 0.5 * (low + high), y = 1.0 - x;
    const double at =
        y * y * (1.0 + 2.0 * x) * D[0] + x * x * (3.0 - 2.0 * x) * D[1] + h * x * y * (y * V[0] - x * V[1]);
    *(at < level ? &low : &high) = x;
  }
  return t - h + low * h;
}

typedef struct {
  double time, fastest, end;
  books books;
} run;

static run slide(const char *name, const prc_step_options *o, double until) {
  const slider of = weakening_slider(name);
  const double zero[DOFS] = {0.0};
  run out = {.time = NAN};
  toy s;
  make(&s, &of, 0.0);
  toy_start(&s, o, zero, zero);
  double D[2] = {0.0}, V[2] = {0.0};
  while (s.r->t < until - 0.5 * o->h) {
    toy_step(&s, 1);
    note(&s, &out.books);
    D[0] = D[1], V[0] = V[1], D[1] = s.r->q[TANGENT], V[1] = s.r->v[TANGENT];
    if (D[0] < 1e-3 && D[1] >= 1e-3) out.time = passage(s.r->t, o->h, D, V, 1e-3);
    out.fastest = fmax(out.fastest, V[1]);
    ck_assert_double_eq_tol(s.r->contacts->state[0], D[1], 1e-12);
  }
  out.end = D[1];
  toy_free(&s);
  return out;
}

/* m D'' = tau - K D - sigma mu(D): D = Dc at 0.04368463 s. Errors fall with h^2: 145, 36, 9.1, 2.3 microseconds. */
START_TEST(a_slip_weakening_slider_is_of_second_order) {
  const double exact = acosh(11.0) / sqrt(5000.0), late[] = {145e-6, 36e-6, 9.1e-6, 2.3e-6};
  ck_assert_double_eq_tol(exact, 0.04368463, 5e-9);
  for (int k = 0; k < 4; k++) {
    const prc_step_options o = toy_options(2e-3 / (1 << k), 0.5, _i ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
    const run r = slide("slip-weakening", &o, 0.2);
    printf("# h %g late by %g us, V_max %.9g, end %.9g, breakdown %.9g, identity %g, positive %g\n", o.h,
           1e6 * (r.time - exact), r.fastest, r.end, r.books.breakdown, r.books.worst / r.books.energy,
           r.books.positive);
    ck_assert_double_eq_tol(r.time - exact, late[k], 0.02 * late[k]);
    ck_assert_double_le(r.books.worst, 1e-13 * r.books.energy);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("friction laws");
  TCase *slip = tcase_create("slip weakening");
  tcase_add_loop_test(slip, a_slip_weakening_slider_is_of_second_order, 0, 2);
  suite_add_tcase(suite, slip);
  (void)err;
  return support_run(suite);
}

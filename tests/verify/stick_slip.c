#include "config.h"
#include "support/support.h"
#include "support/toy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Stick and slip of a mass that a spring pulls over a floor with friction of rate and state:
 *
 *   m V' = K (V_pl t - x) - sigma mu(V, theta),   theta' = 1 - V theta / L,
 *
 * unit area, a = 0.010, b = 0.015, softer than K_c = sigma (b - a) / L: events of some ms that come back for ever, between which it creeps at 1e-10 m/s. The
 * reference is the cycle of the same equations by Radau's method of order 5 to 1e-12. Steps h = min(xi L / V, 1.1 h, 5 s). */

enum { NORMAL, TANGENT, WALL, DOFS, EVENTS = 20 };

#define SIGMA  1e7
#define LENGTH 1e-4
#define SPEED  1e-6

typedef struct {
  double stiffness, period, peak, least, low, high;
} cycle;
static const cycle references[] = {{4.5e8, 2833.559, 0.046917, 1.3810e-10, 5.14224e6, 6.31698e6},
                                   {2.5e8, 7174.672, 0.145745, 5.868e-13, 4.68392e6, 6.41955e6}};

typedef struct {
  double first, last, peak, least, low, high; /* of the last cycle; V passes 1 mm/s first and last */
  double u, t;                                /* of the last step */
  double before, worst, energy, positive;
  int events, steps;
} watch;

static double spring_of(const toy *s, double K) {
  return K * (s->r->q[WALL] - s->r->q[TANGENT]);
}

static void begin_cycle(watch *w) {
  w->peak = 0.0, w->least = INFINITY, w->low = INFINITY, w->high = 0.0;
  w->steps = 0;
}

/* What a cycle has, and the identity of energy. With theta = 1/2 the velocity at the end of a step may change its sign for a while after an event:
 * events are those of the mean velocity. */
static void look(const toy *s, double K, double t_before, watch *w) {
  const double V = s->r->v[TANGENT], force = spring_of(s, K), u = s->r->u_work[1];
  double rest = s->r->kinetic + s->r->potential;
  for (int k = 0; k < PRC_N_WORKS; k++) rest -= s->r->work[k];
  for (int i = 0; i < 2; i++) rest -= s->r->u_work[i] * s->r->p[i];
  w->worst = fmax(w->worst, fabs(rest)), w->positive = fmax(w->positive, u * s->r->p[1]);
  w->energy = fmax(w->energy, s->r->potential);
  w->peak = fmax(w->peak, V), w->least = fmin(w->least, fabs(u));
  w->low = fmin(w->low, force), w->high = fmax(w->high, force), w->steps++;
  /* the mean velocity of a step, in its middle */
  const double middle = 0.5 * (t_before + s->r->t), was = w->u, then = w->t;
  w->u = fabs(u), w->t = middle;
  if (!(was < 1e-3 && fabs(u) >= 1e-3)) return;
  const double t = then + (middle - then) * log(1e-3 / was) / log(fabs(u) / was);
  if (w->events++ == 0) w->first = t;
  w->before = w->last, w->last = t;
  if (w->events <= EVENTS) begin_cycle(w);
}

static watch run(double K, double xi) {
  const double V = 1.5 * SPEED, mu = 0.01 * asinh(V / (2.0 * SPEED) * exp(0.6 / 0.01));
  const double q[DOFS] = {0.0, -SIGMA * mu / K, 0.0}, v[DOFS] = {0.0, V, SPEED};
  prc_step_options o = toy_options(fmin(xi * LENGTH / V, 5.0), 0.5, PRC_IMPACT_FREMOND);
  o.pace = (prc_step_pace){.max = 5.0, .growth = 1.1, .per_slip = xi};
  watch w = {.u = V, .least = INFINITY, .low = INFINITY};
  toy s;
  toy_make(&s, DOFS, 1e5);
  s.prescribed[0] = WALL, s.system.drive.n = 1, s.motion[0] = SPEED;
  toy_spring(&s, TANGENT, WALL, K);
  toy_floor(&s, NORMAL, TANGENT, 0.0, 0.0);
  s.law[0] = (prc_law){.friction = prc_friction_find("rate-and-state"),
                       .parameter = {0.010, 0.015, 0.6, SPEED, LENGTH}};
  s.F[NORMAL] = -SIGMA;
  toy_start(&s, &o, q, v);
  double t = 0.0;
  for (int k = 0; k < 200000 && w.events <= EVENTS; k++) {
    toy_step(&s, 1);
    look(&s, K, t, &w);
    t = s.r->t;
  }
  toy_free(&s);
  return w;
}

/* Of second order: 5 s, 0.2 s, 0.01 s and 0.003 s of 2 833.559 s. The first event depends on the start by exp of its growth. */
START_TEST(cycles_are_those_of_the_equations) {
  static const struct {
    double xi, period, peak;
  } rows[] = {{0.3, 2e-3, 1e-2}, {0.1, 1.2e-4, 3e-4}, {0.02, 6e-6, 3e-5}, {0.01, 2e-6, 1.2e-5}};
  const cycle *c = references + _i;
  for (int k = 0; k < 4; k++) {
    const watch w = run(c->stiffness, rows[k].xi);
    const double period = w.last - w.before;
    const int fine = rows[k].xi < 0.05;
    printf("# K %g xi %g: first %.4f, period %.4f, peak %.6f, least %.5g, spring %.6g to %.6g, %d steps, "
           "identity %.1e\n",
           c->stiffness, rows[k].xi, w.first, period, w.peak, w.least, w.low, w.high, w.steps,
           w.worst / w.energy);
    ck_assert_double_eq_tol(period / c->period, 1.0, rows[k].period);
    ck_assert_double_eq_tol(w.peak / c->peak, 1.0, rows[k].peak);
    ck_assert_double_eq_tol(w.least / c->least, 1.0, fine ? 1e-3 : 3e-2);
    ck_assert_double_eq_tol(w.low / c->low, 1.0, fine ? 2e-6 : 1e-3);
    ck_assert_double_eq_tol(w.high / c->high, 1.0, fine ? 2e-6 : 1e-3);
    ck_assert_double_le(w.worst, 1e-13 * w.energy);
    ck_assert_double_le(w.positive, 0.0);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stick-slip");
  TCase *cycles = tcase_create("cycles");
  tcase_set_timeout(cycles, 120.0);
  tcase_add_loop_test(cycles, cycles_are_those_of_the_equations, 0, 2);
  suite_add_tcase(suite, cycles);
  return support_run(suite);
}

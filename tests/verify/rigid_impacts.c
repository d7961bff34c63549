/* The impacting stick and the rocking block of Acary & Collins-Craft 2024, sections 5.1 and 5.2: every impact at
 * h = 1e-4, theta = 1/2 as an independent implementation has it, and the limit h -> 0 from event-driven integration. */
#include "config.h"
#include "support/rigid_common.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_IMPACTS = 16 };

typedef struct {
  int step, corner; /* the step that ends at step x h; 1, 2 */
  double p[2], u_t[2], work, normal_work, energy;
} impact;

typedef struct {
  int n;
  impact impact[MAX_IMPACTS];
  double energy_start, energy_gap; /* the latter: ledger against state */
} history;

/* Runs a case and keeps its impacts: the steps in which a contact is pushed. */
static void run_case(rigid_case *c, prc_impact law, int n_steps, history *out) {
  prc_step_options options = rigid_options(law, 1e-4, 0.5);
  options.directions = PRC_DIRECTIONS_START; /* as the paper has them */
  const prc_ledger_options watched = {.promises = {.tangential_sign = {.theorem = "of both laws"},
                                                   .normal_sign = {.theorem = "of both laws"}},
                                      .tolerance = 1e-10,
                                      .max_penetration = -1.0};
  prc_ledger *ledger = NULL;
  rigid_run run;
  memset(out, 0, sizeof *out);
  rigid_run_open(&run, c, &options);
  support_ok(prc_ledger_create(&watched, &ledger, &rigid_err), &rigid_err);
  prc_ledger_start(ledger, run.record);
  const double start = out->energy_start = rigid_run_energy(&run), kinetic = rigid_run_kinetic(&run);
  for (int k = 0; k < n_steps; k++) {
    rigid_run_step(&run);
    const prc_step_record *r = run.record;
    prc_ledger_enter(ledger, r);
    const prc_ledger_row *row = prc_ledger_now(ledger);
    const double energy = rigid_run_energy(&run);
    out->energy_gap =
        fmax(out->energy_gap, fabs(row->kinetic - row->work_external + start - kinetic - energy));
    for (int a = 0; a < r->n_contacts; a++) {
      if (!(r->p[2 * a] > 0.0)) continue;
      ck_assert_int_lt(out->n, MAX_IMPACTS);
      out->impact[out->n++] = (impact){.step = r->step,
                                       .corner = a + 1,
                                       .p = {r->p[2 * a], r->p[2 * a + 1]},
                                       .u_t = {r->u_old[2 * a + 1], r->u[2 * a + 1]},
                                       .work = r->p[2 * a + 1] * r->u_work[2 * a + 1],
                                       .normal_work = r->p[2 * a] * r->u_work[2 * a],
                                       .energy = energy};
    }
  }
  ck_assert_int_eq(prc_ledger_certificate(ledger).entry[PRC_CERTIFY_TANGENTIAL].verdict,
                   law == PRC_IMPACT_FREMOND ? PRC_PASS : PRC_FAIL); /* promised here of both laws */
  ck_assert_int_eq(prc_ledger_certificate(ledger).entry[PRC_CERTIFY_BALANCE].verdict, PRC_PASS);
  prc_ledger_free(&ledger);
  rigid_run_close(&run);
  for (int k = 0; k < out->n; k++) ck_assert_double_le(fabs(out->impact[k].normal_work), 1e-14);
  ck_assert_double_le(out->energy_gap, 1e-12);
}

/* within one unit of the last printed digit */
static void near(double value, double expected, double unit) {
  ck_assert_msg(fabs(value - expected) <= unit, "%.12g, expected %.12g +- %g", value, expected, unit);
}

static void near_impact(const impact *i, const impact *expected) {
  ck_assert_int_eq(i->step, expected->step);
  near(i->p[0], expected->p[0], 1e-8);
  near(i->p[1], expected->p[1], 1e-8);
  near(i->u_t[0], expected->u_t[0], 1e-6);
  near(i->u_t[1], expected->u_t[1], 1e-6);
  near(i->work, expected->work, 1e-11);
  near(i->energy, expected->energy, 1e-9);
}

/* the impacts (from 1) that generate energy, as bits */
static unsigned generating(const history *h) {
  unsigned out = 0;
  for (int k = 0; k < h->n; k++)
    if (h->impact[k].work > 1e-14) out |= 1u << (k + 1);
  return out;
}

/* ---- the stick ----------------------------------------------------------------------------------------------- */

static const impact stick_newton[2] = {
    {604, 1, {0.37388347, -0.00373883}, {-0.464858, 0.0866465}, 7.0703611e-4, 0.0, 3.766657609},
    {1636, 1, {0.31284259, -0.00312843}, {-0.025234, 0.407996}, -5.9872133e-4, 0.0, 3.766058887}};
static const impact stick_fremond[2] = {
    {604, 1, {0.36945580, 0.00369456}, {-0.464858, 0.0984545}, -6.7685047e-4, 0.0, 3.765273722},
    {1638, 1, {0.31272032, -0.00312720}, {-0.0153842, 0.417154}, -6.2820818e-4, 0.0, 3.764645514}};

START_TEST(the_stick_impacts_as_tabulated) {
  const prc_impact law = _i == 0 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND;
  const impact *expected = _i == 0 ? stick_newton : stick_fremond;
  rigid_case c;
  history h;
  rigid_case_stick(&c);
  run_case(&c, law, 2000, &h);
  near(h.energy_start, 3.765950573, 1e-9);
  ck_assert_int_eq(h.n, 2);
  for (int k = 0; k < 2; k++) near_impact(&h.impact[k], &expected[k]);
  ck_assert_uint_eq(generating(&h), law == PRC_IMPACT_NEWTON ? 1u << 1 : 0);
}
END_TEST

/* The first impact's limit, from the event-driven solution: p, u_T after, work, v after; the printed one is 0.5 % off. */
START_TEST(the_first_impact_of_the_stick_is_near_its_limit) {
  static const double limit[2][7] = {
      {0.3732782, -0.0037328, 0.0857537, 7.07558e-4, -0.5037328, -0.1294627, 1.6774607},
      {0.3688577, 0.0036886, 0.0975426, -6.77436e-4, -0.4963114, -0.1338832, 1.6898892}};
  prc_step_options options = rigid_options(_i == 0 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND, 1e-4, 0.5);
  options.directions = PRC_DIRECTIONS_START; /* as the paper has them */
  rigid_case c;
  rigid_run run;
  rigid_case_stick(&c);
  rigid_run_open(&run, &c, &options);
  while (!(run.record->p[0] > 0.0)) rigid_run_step(&run);
  ck_assert_double_le(fabs(run.record->t - 0.0602740891), 2e-4);
  near(run.record->p[0], limit[_i][0], 5e-3 * limit[_i][0]);
  near(run.record->p[1], limit[_i][1], 5e-3 * fabs(limit[_i][1]));
  near(run.record->p[1] * run.record->u_work[1], limit[_i][3], 5e-3 * fabs(limit[_i][3]));
  for (int k = 0; k < 3; k++) near(run.v[k], limit[_i][4 + k], 5e-3 * fmax(1.0, fabs(limit[_i][4 + k])));
  near(run.record->u[1], limit[_i][2], 5e-3 * 0.4671731); /* of the speed before */
  rigid_run_close(&run);
}
END_TEST

/* ---- the block ------------------------------------------------------------------------------------------------- */

START_TEST(the_block_generates_energy_with_the_newton_law) {
  static const int at[4] = {2, 3, 6, 8};
  static const double work[4] = {0.018072039, 0.056988552, 0.081938005, 0.021224472};
  rigid_case c;
  history h;
  rigid_case_block(&c, 1.0 / 12.0);
  run_case(&c, PRC_IMPACT_NEWTON, 10000, &h);
  near(h.energy_start, 6.061666667, 1e-9);
  ck_assert_int_eq(h.n, 10);
  ck_assert_int_eq(h.impact[0].step, 892);
  ck_assert_int_eq(h.impact[0].corner, 1);
  near(h.impact[0].work, -0.065686318, 1e-9);
  ck_assert_uint_eq(generating(&h), 1u << 2 | 1u << 3 | 1u << 6 | 1u << 8);
  for (int k = 0; k < 4; k++) near(h.impact[at[k] - 1].work, work[k], 1e-9);
  near(h.impact[9].energy, 5.902864317, 1e-9);
}
END_TEST

START_TEST(the_block_never_generates_energy_with_the_fremond_law) {
  rigid_case c;
  history h;
  rigid_case_block(&c, 1.0 / 12.0);
  run_case(&c, PRC_IMPACT_FREMOND, 10000, &h);
  ck_assert_int_eq(h.n, 12);
  ck_assert_int_eq(h.impact[0].step, 892);
  ck_assert_int_eq(h.impact[0].corner, 1);
  near(h.impact[0].work, -0.065686318, 1e-9);
  ck_assert_uint_eq(generating(&h), 0);
  near(h.impact[11].energy, 5.647433404, 1e-9);
  for (int k = 1; k < h.n; k++)
    ck_assert_double_le(h.impact[k].energy, h.impact[k - 1].energy + 1e-13 * h.energy_start);
}
END_TEST

START_TEST(the_block_of_full_inertia_generates_energy_with_the_newton_law) {
  rigid_case c;
  history h;
  rigid_case_block(&c, 1.0 / 6.0);
  run_case(&c, PRC_IMPACT_NEWTON, 10000, &h);
  near(h.energy_start, 6.1033333333, 1e-9);
  ck_assert_int_eq(h.n, 7);
  ck_assert_uint_eq(generating(&h), 1u << 2 | 1u << 4 | 1u << 6);
  near(h.impact[6].energy, 6.079360632, 1e-9);
  near(h.impact[0].p[0], 1.4803463, 5e-3 * 1.4803463); /* the limit */
  near(h.impact[0].p[1], 0.1480346, 5e-3 * 0.1480346);
  near(h.impact[0].u_t[1], -1.2334248, 5e-3 * 1.2334248);
  near(h.impact[0].work, -0.0511403, 5e-3 * 0.0511403);
}
END_TEST

START_TEST(the_block_of_full_inertia_mostly_sticks_with_the_fremond_law) {
  rigid_case c;
  history h;
  rigid_case_block(&c, 1.0 / 6.0);
  run_case(&c, PRC_IMPACT_FREMOND, 10000, &h);
  ck_assert_int_eq(h.n, 8);
  near(h.impact[0].work, -0.05121653, 1e-8);
  near(h.impact[1].work, -0.018210797, 1e-9);
  for (int k = 2; k < 8; k++) { /* sticking of the mean velocity: no work, the slip velocity is reversed */
    ck_assert_double_le(fabs(h.impact[k].work), 1e-14);
    ck_assert_double_lt(fabs(h.impact[k].p[1]), 0.1 * h.impact[k].p[0]);
    near(h.impact[k].u_t[1], -h.impact[k].u_t[0], 1e-13);
  }
  ck_assert_uint_eq(generating(&h), 0);
  near(h.impact[7].energy, 6.033906006, 1e-9);
}
END_TEST

/* ---- the limit --------------------------------------------------------------------------------------------------- */

typedef struct {
  double q[3], v[3];
} state;

/* Free flight of the stick over t, in closed form. */
static state fly(const state *s, double t) {
  state out = *s;
  for (int k = 0; k < 3; k++) out.q[k] += t * s->v[k];
  out.q[1] -= 5.0 * t * t, out.v[1] -= 10.0 * t;
  return out;
}

static double stick_gap(const state *s) {
  return s->q[1] - 0.5 * cos(s->q[2]);
}

static double stick_approach(const state *s) {
  return s->v[1] + 0.5 * sin(s->q[2]) * s->v[2];
}

/* Time until the next impact, at most `limit`: the first sign change on a fine grid, bisected to rounding. */
static double time_to_impact(const state *s, double limit) {
  const double step = 1e-5;
  double low = 10.0 * step; /* past the impact just left */
  for (; low < limit; low += step) {
    const state next = fly(s, low + step);
    if (stick_gap(&next) < 0.0 && stick_approach(&next) < 0.0) break;
  }
  if (low >= limit) return limit;
  double high = low + step;
  for (int k = 0; k < 60; k++) {
    const double mid = 0.5 * (low + high);
    const state s_mid = fly(s, mid);
    if (stick_gap(&s_mid) > 0.0)
      low = mid;
    else
      high = mid;
  }
  return fmin(low, limit);
}

/* The impact law with e = 1: u_N is reversed; Coulomb's law holds for u_T after (Newton) or for the mean of before and
 * after (Fremond). Stick if the cone allows it, else slip with the sign that keeps p_T opposed to the velocity. */
static void strike(state *s, prc_impact law, double mu) {
  const double J = 1.0 / 12.0, n[3] = {0.0, 1.0, 0.5 * sin(s->q[2])}, t[3] = {1.0, 0.0, 0.5 * cos(s->q[2])};
  const double W_nn = 1.0 + n[2] * n[2] / J, W_nt = n[2] * t[2] / J, W_tt = 1.0 + t[2] * t[2] / J;
  const double u_n = s->v[1] + n[2] * s->v[2], u_t = s->v[0] + t[2] * s->v[2];
  const double jump_n = -2.0 * u_n,
               target = law == PRC_IMPACT_NEWTON ? -u_t : -2.0 * u_t; /* jump_t of stick */
  const double det = W_nn * W_tt - W_nt * W_nt;
  double p[2] = {(W_tt * jump_n - W_nt * target) / det, (W_nn * target - W_nt * jump_n) / det};
  for (int sign = -1; sign <= 1 && !(fabs(p[1]) <= mu * p[0]); sign += 2) {
    const double p_n = jump_n / (W_nn + sign * mu * W_nt), slip = (W_nt + sign * mu * W_tt) * p_n - target;
    if (sign * slip > 0.0) continue; /* slip is u_T (or twice its mean); the percussion must oppose it */
    p[0] = p_n, p[1] = sign * mu * p_n;
    break;
  }
  s->v[0] += p[1], s->v[1] += p[0];
  s->v[2] += (n[2] * p[0] + t[2] * p[1]) / J;
}

/* The exact state at time t. */
static state event_driven(prc_impact law, double t, int *n_impacts) {
  rigid_case c;
  rigid_case_stick(&c);
  const prc_rigid_body *b = &c.body[0];
  state s = {{b->position[0], b->position[1], b->angle}, {b->velocity[0], b->velocity[1], b->spin}};
  for (*n_impacts = 0; t > 0.0;) {
    const double dt = time_to_impact(&s, t);
    s = fly(&s, dt);
    t -= dt;
    if (t > 0.0) strike(&s, law, 0.01), ++*n_impacts;
  }
  return s;
}

START_TEST(the_event_driven_stick_is_the_published_one) {
  static const double after[2][3] = {{-0.5037328, -0.1294627, 1.6774607},
                                     {-0.4963114, -0.1338832, 1.6898892}};
  int n = 0;
  const state s = event_driven(_i == 0 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND, 0.0602740892, &n);
  ck_assert_int_eq(n, 1);
  near(s.q[2], 0.7914256, 5e-8);
  for (int k = 0; k < 3; k++) near(s.v[k], after[_i][k], 6e-8);
}
END_TEST

enum { N_STEPS = 120 };

/* Least squares line through (log h, log error); the scatter is that of the sawtooth. */
static double slope(const double *h, const double *error) {
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (int k = 0; k < N_STEPS; k++) {
    const double lx = log(h[k]), ly = log(error[k]);
    x += lx / N_STEPS, y += ly / N_STEPS, xx += lx * lx / N_STEPS, xy += lx * ly / N_STEPS;
  }
  return (xy - x * y) / (xx - x * x);
}

/* h = 0.01 / k with k from 10 to 1000 in equal ratios: 0.11 (between the impacts) and 0.2 (after both) are steps. */
START_TEST(the_stick_converges_with_order_one) {
  static const double bound[2][2] = {{0.2, 65.0}, {2.5, 125.0}}; /* of |q|, |v| errors over h, at each time */
  const prc_impact law = _i == 0 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND;
  double h[N_STEPS], error[2][2][N_STEPS];
  int n[2];
  const state exact[2] = {event_driven(law, 0.11, &n[0]), event_driven(law, 0.2, &n[1])};
  ck_assert_int_eq(n[0], 1);
  ck_assert_int_eq(n[1], 2);
  for (int k = 0; k < N_STEPS; k++) {
    const int count = (int)lround(10.0 * pow(100.0, k / (N_STEPS - 1.0)));
    h[k] = 0.01 / count;
    prc_step_options options = rigid_options(law, h[k], 0.5);
    options.directions = PRC_DIRECTIONS_START;
    rigid_case c;
    rigid_run run;
    rigid_case_stick(&c);
    rigid_run_open(&run, &c, &options);
    for (int at = 0; at < 2; at++) {
      rigid_run_steps(&run, (at == 0 ? 11 : 9) * count);
      double dq = 0.0, dv = 0.0;
      for (int i = 0; i < 3; i++) {
        dq = fmax(dq, fabs(run.q[i] - exact[at].q[i]));
        dv = fmax(dv, fabs(run.v[i] - exact[at].v[i]));
      }
      error[at][0][k] = dq, error[at][1][k] = dv;
    }
    rigid_run_close(&run);
  }
  for (int at = 0; at < 2; at++)
    for (int what = 0; what < 2; what++) {
      double largest = 0.0;
      for (int k = 0; k < N_STEPS; k++) largest = fmax(largest, error[at][what][k] / h[k]);
      const double order = slope(h, error[at][what]);
      if (getenv("PRC_SHOW"))
        fprintf(stderr, "# %d %d %d: slope %.3f error/h <= %.3f\n", _i, at, what, order, largest);
      near(order, 1.0, 0.15);
      ck_assert_double_le(largest, bound[at][what]);
    }
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("rigid_impacts");
  TCase *stick = tcase_create("stick"), *block = tcase_create("block"), *limit = tcase_create("limit");
  tcase_add_loop_test(stick, the_stick_impacts_as_tabulated, 0, 2);
  tcase_add_loop_test(stick, the_first_impact_of_the_stick_is_near_its_limit, 0, 2);
  suite_add_tcase(s, stick);
  tcase_add_test(block, the_block_generates_energy_with_the_newton_law);
  tcase_add_test(block, the_block_never_generates_energy_with_the_fremond_law);
  tcase_add_test(block, the_block_of_full_inertia_generates_energy_with_the_newton_law);
  tcase_add_test(block, the_block_of_full_inertia_mostly_sticks_with_the_fremond_law);
  suite_add_tcase(s, block);
  tcase_set_timeout(limit, 60);
  tcase_add_loop_test(limit, the_event_driven_stick_is_the_published_one, 0, 2);
  tcase_add_loop_test(limit, the_stick_converges_with_order_one, 0, 2);
  suite_add_tcase(s, limit);
  return s;
}

int main(void) {
  return support_run(suite());
}

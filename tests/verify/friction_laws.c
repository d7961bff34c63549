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

/* The exponential law against Runge and Kutta's method with steps a hundred times as short, until shortly after it has run fastest. */
static double exponential_reference(double until) {
  const slider of = weakening_slider("slip-weakening-exponential");
  const int n = 200000;
  const double h = until / n;
  double y[2] = {0.0};
  for (int k = 0; k < n; k++) {
    double slope[4][2], at[2];
    for (int r = 0; r < 4; r++) {
      const double way = r == 0 ? 0.0 : r == 3 ? h : 0.5 * h;
      for (int i = 0; i < 2; i++) at[i] = y[i] + (r > 0 ? way * slope[r - 1][i] : 0.0);
      slope[r][0] = at[1];
      slope[r][1] = (of.tau - of.K * at[0] - of.sigma * (0.5 + 0.1 * exp(-at[0] / 1e-3))) / of.m;
    }
    for (int i = 0; i < 2; i++)
      y[i] += h / 6.0 * (slope[0][i] + 2.0 * slope[1][i] + 2.0 * slope[2][i] + slope[3][i]);
  }
  return y[0];
}

START_TEST(exponential_slip_weakening_is_of_second_order) {
  const double exact = exponential_reference(0.06);
  double error[2];
  for (int k = 0; k < 2; k++) {
    const prc_step_options o = toy_options(1e-3 / (1 << k), 0.5, PRC_IMPACT_FREMOND);
    error[k] = slide("slip-weakening-exponential", &o, 0.06).end - exact;
  }
  ck_assert_double_le(fabs(error[0]), 2e-3 * exact);
  ck_assert_double_eq_tol(error[0] / error[1], 4.0, 0.1);
}
END_TEST

/* What has slipped has weakened, also where it has opened since: a block that is lifted and let go rubs with what was left. Two values begin anew. */
START_TEST(what_opens_remembers_its_slip_or_forgets_it) {
  const char *const name[] = {"slip-weakening", "two-values"};
  for (int n = 0; n < 2; n++) {
    slider of = weakening_slider(name[n]);
    toy s;
    of.K = 0.0, of.tau = 7e6;
    make(&s, &of, 0.0);
    const double q[DOFS] = {0.0}, v[DOFS] = {0.0};
    const prc_step_options o = toy_options(1e-3, 0.5, PRC_IMPACT_FREMOND);
    toy_start(&s, &o, q, v);
    toy_step(&s, 20);
    const double slipped = s.r->contacts->state[0];
    ck_assert_double_gt(slipped, 1e-3);
    s.F[NORMAL] = 1e7, s.system.dynamics.varies |= PRC_LOADS_IN_TIME;
    toy_step(&s, 5);
    ck_assert_double_eq(s.r->p[0], 0.0);
    ck_assert_double_eq(s.r->contacts->state[0], n == 0 ? slipped : 0.0);
    ck_assert_double_eq(s.r->contacts->state[PRC_LAW_SPEED], 0.0);
    toy_free(&s);
  }
}
END_TEST

/* Static friction holds up to its value; what moves once is held by the kinetic one, and stops where a spring pulls less than that. */
START_TEST(two_values_hold_and_let_go) {
  const double load[] = {5.99e6, 6.01e6};
  for (int n = 0; n < 2; n++)
    for (int law = 0; law < 2; law++) {
      slider of = weakening_slider("two-values");
      of.tau = load[n];
      toy s;
      make(&s, &of, 0.0);
      const double q[DOFS] = {0.0}, v[DOFS] = {0.0};
      const prc_step_options o = toy_options(1e-4, 0.5, law ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
      toy_start(&s, &o, q, v);
      toy_step(&s, 3000);
      /* half a period of the spring: twice (tau - sigma kinetic) / K */
      ck_assert_double_eq_tol(s.r->q[TANGENT], n == 0 ? 0.0 : 2.0 * (6.01e6 - 5e6) / 5e8, 2e-6);
      toy_free(&s);
    }
}
END_TEST

/* ---- rate and state -------------------------------------------------------------------------------------------------------------- */

static const double L = 1e-4, V_PLATE = 1e-6, SIGMA = 1e7, OF_RATE = 0.010, OF_STATE = 0.015;

enum { AGEING, SLIP_LAW };

static slider rate_slider(int evolution, double K, double v) {
  slider out = {.m = 1e5, .K = K, .sigma = SIGMA, .tau = SIGMA * (0.6 + OF_RATE * log(v / V_PLATE))};
  out.law = (prc_law){.friction = prc_friction_find("rate-and-state"),
                      .parameter = {OF_RATE, OF_STATE, 0.6, V_PLATE, L, evolution, L / V_PLATE}};
  return out;
}

static double speed_of_slip(const toy *s) {
  return s->r->contacts->state[PRC_LAW_SPEED];
}

/* y_{k+1} = A y_k - B y_{k-1}, by least squares: growth and frequency of what it grows by, s = ln(root) / h. */
static void fit(int n, const double *y, double h, double s[2]) {
  double aa = 0.0, ab = 0.0, bb = 0.0, ya = 0.0, yb = 0.0;
  for (int k = 1; k + 1 < n; k++) {
    aa += y[k] * y[k], ab -= y[k] * y[k - 1], bb += y[k - 1] * y[k - 1];
    ya += y[k + 1] * y[k], yb -= y[k + 1] * y[k - 1];
  }
  const double det = aa * bb - ab * ab, A = (ya * bb - yb * ab) / det, B = (yb * aa - ya * ab) / det;
  s[0] = 0.5 * log(B) / h, s[1] = acos(0.5 * A / sqrt(B)) / h;
}

/* s L/V = [(b - a - k) +- sqrt((b - a - k)^2 - 4 a k)] / (2 a), k = K L / sigma: about steady slip both laws of the state are one. */
START_TEST(steady_slip_is_left_at_the_known_rates) {
  const double stiffness[] = {1.1, 0.9}, h = 0.1 * L / V_PLATE;
  const char *const name[] = {"ageing law", "slip law"};
  const slider of = rate_slider(_i % 2 ? SLIP_LAW : AGEING, 5e8 * stiffness[_i / 2], V_PLATE * (1.0 + 1e-4));
  const double k = of.K * L / SIGMA, b = OF_STATE - OF_RATE - k;
  const double exact[2] = {b / (2.0 * OF_RATE), sqrt(4.0 * OF_RATE * k - b * b) / (2.0 * OF_RATE)};
  double y[400], s[2];
  toy t;
  make(&t, &of, V_PLATE);
  const double q[DOFS] = {0.0}, v[DOFS] = {[TANGENT] = V_PLATE * (1.0 + 1e-4), [WALL] = V_PLATE};
  const prc_step_options o = toy_options(h, 0.5, PRC_IMPACT_FREMOND);
  toy_start(&t, &o, q, v);
  for (int n = 0; n < 400; n++) toy_step(&t, 1), y[n] = log(speed_of_slip(&t) / V_PLATE);
  fit(400, y, h, s);
  printf("# %s K/K_c %g: s L/V = %.6f +- %.6f i, exact %.6f %.6f\n", name[_i % 2], stiffness[_i / 2],
         s[0] * L / V_PLATE, s[1] * L / V_PLATE, exact[0], exact[1]);
  ck_assert_double_eq_tol(s[0] * L / V_PLATE, exact[0], 2e-4);
  ck_assert_double_eq_tol(s[1] * L / V_PLATE, exact[1], 2e-4);
  toy_free(&t);
}
END_TEST

/* The block is driven: ten times as fast from t = 0 on. mu is exact for every h at the time that the state is taken, in the middle of steps. */
START_TEST(a_step_of_velocity_is_exact_for_every_step) {
  const double steps[] = {0.1, 1.0, 10.0, 100.0}, V = 1e-5;
  for (int k = 0; k < 4; k++) {
    slider of = rate_slider(AGEING, 0.0, V_PLATE);
    toy s;
    make(&s, &of, 0.0);
    s.prescribed[0] = TANGENT, s.motion[0] = V, s.F[TANGENT] = 0.0;
    for (int i = 0; i < DOFS; i++)
      for (int j = 0; j < DOFS; j++) s.K[i][j] = 0.0;
    const double q[DOFS] = {0.0}, v[DOFS] = {[TANGENT] = V};
    const prc_step_options o = toy_options(steps[k], 0.5, PRC_IMPACT_FREMOND);
    toy_start(&s, &o, q, v);
    for (int n = 0; n < 30; n++) {
      toy_step(&s, 1);
      const double t = (n + 0.5) * o.h, theta = L / V + (L / V_PLATE - L / V) * exp(-V * t / L);
      const double mu = 0.6 + OF_RATE * log(V / V_PLATE) + OF_STATE * log(V_PLATE * theta / L);
      ck_assert_double_eq_tol(-s.r->p[1] / s.r->p[0], mu, 1e-12);
    }
    toy_free(&s);
  }
}
END_TEST

typedef struct {
  double first, period, fastest, slowest, least, most;
  int steps;
  books books;
} cycles;

/* Earthquakes until the end, of which the last whole cycle counts, from one passage of 1 mm/s to the next. Speeds are those of the middle of steps: at theta = 1/2 those of
 * their ends have a part that only changes its sign. */
static cycles stick_and_slip(double K, const prc_step_options *o, double end) {
  const slider of = rate_slider(AGEING, K, 1.5e-6);
  const double q[DOFS] = {0.0}, v[DOFS] = {[TANGENT] = 1.5e-6, [WALL] = V_PLATE};
  double before = 0.0, last = NAN, then = 0.0;
  cycles now = {.least = INFINITY, .slowest = INFINITY}, out = {.first = NAN};
  toy s;
  make(&s, &of, V_PLATE);
  toy_start(&s, o, q, v);
  while (s.r->t < end) {
    toy_step(&s, 1);
    note(&s, &out.books);
    const double V = speed_of_slip(&s), t = s.r->t - 0.5 * s.r->h;
    const double force = of.tau + of.K * (s.r->q[WALL] - s.r->q[TANGENT]);
    now.steps++;
    if (before > 0.0 && before < 1e-3 && V >= 1e-3) {
      const double passes = then + (t - then) * log(1e-3 / before) / log(V / before);
      if (isnan(last)) out.first = passes;
      now.period = passes - last, now.first = out.first, now.books = out.books, last = passes;
      out = now;
      now = (cycles){.least = INFINITY, .slowest = INFINITY};
    }
    now.fastest = fmax(now.fastest, V), now.slowest = fmin(now.slowest, V);
    now.least = fmin(now.least, force), now.most = fmax(now.most, force);
    before = V, then = t;
  }
  toy_free(&s);
  return out;
}

/* Two passes at theta = 1/2, steps that grow by a tenth at most and are not above 5 s; the reference is Radau's method at 1e-12. */
START_TEST(a_block_sticks_and_slips_in_the_known_cycles) {
  static const struct {
    double K, per_slip, first, period, within, fastest, slowest, least, most, share;
  } known[] = {{4.5e8, 0.01, 6761.217, 2833.559, 0.005, 0.046917, 1.3810e-10, 5.14224e6, 6.31698e6, 1e-4},
               {4.5e8, 0.02, 6761.217, 2833.559, 0.015, 0.046917, 1.3810e-10, 5.14224e6, 6.31698e6, 1e-4},
               {4.5e8, 0.1, 6761.217, 2833.559, 0.25, 0.046917, 1.3810e-10, 5.14224e6, 6.31698e6, 1e-3},
               {2.5e8, 0.01, NAN, 7174.672, 0.05, 0.145745, 5.868e-13, 4.68392e6, 6.41955e6, 1e-4}};
  for (int k = 0; k < 4; k++) {
    prc_step_options o = toy_options(0.1, 0.5, PRC_IMPACT_FREMOND);
    o.pace = (prc_step_pace){.max = 5.0, .growth = 1.1, .per_slip = known[k].per_slip};
    const cycles c = stick_and_slip(known[k].K, &o, 7000.0 + 14.0 * known[k].period);
    printf("# xi %g: first %.3f, cycle %.3f s, fastest %.6f, slowest %.4g, spring %.6g to %.6g, %d steps, "
           "identity %.2g, positive %.2g\n",
           known[k].per_slip, c.first, c.period, c.fastest, c.slowest, c.least, c.most, c.steps,
           c.books.worst / c.books.energy, c.books.positive);
    ck_assert_double_eq_tol(c.period, known[k].period, known[k].within);
    ck_assert_double_eq_tol(c.fastest, known[k].fastest, known[k].share * known[k].fastest);
    ck_assert_double_eq_tol(c.slowest, known[k].slowest, known[k].share * known[k].slowest);
    ck_assert_double_eq_tol(c.least, known[k].least, known[k].share * known[k].least);
    ck_assert_double_eq_tol(c.most, known[k].most, known[k].share * known[k].most);
    ck_assert_double_le(c.books.worst, 1e-12 * c.books.energy);
    ck_assert_double_le(c.books.positive, 0.0);
  }
}
END_TEST

/* ---- what schemes take ------------------------------------------------------------------------------------------------------------ */

START_TEST(friction_of_the_speed_is_refused_where_it_would_work_at_another) {
  const slider of = rate_slider(AGEING, 5e8, V_PLATE);
  const struct {
    const char *scheme, *text;
    prc_impact law;
    double theta;
  } bad[] = {{"theta", "expected fremond", PRC_IMPACT_NEWTON, 0.5},
             {"midpoint", "expected fremond", PRC_IMPACT_NEWTON, 0.5},
             {"generalized-alpha", "theta has it", PRC_IMPACT_NEWTON, 1.0}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    toy s;
    make(&s, &of, V_PLATE);
    prc_step_options o = toy_options(0.1, bad[k].theta, bad[k].law);
    o.scheme = bad[k].scheme;
    support_fails(toy_create(&s, &o, &err), PRC_INPUT, &err, bad[k].text);
    prc_error_clear(&err);
    toy_free(&s);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("friction laws");
  TCase *slip = tcase_create("slip weakening"), *rate = tcase_create("rate and state");
  tcase_add_loop_test(slip, a_slip_weakening_slider_is_of_second_order, 0, 2);
  tcase_add_test(slip, exponential_slip_weakening_is_of_second_order);
  tcase_add_test(slip, what_opens_remembers_its_slip_or_forgets_it);
  tcase_add_test(slip, two_values_hold_and_let_go);
  tcase_add_loop_test(rate, steady_slip_is_left_at_the_known_rates, 0, 4);
  tcase_add_test(rate, a_step_of_velocity_is_exact_for_every_step);
  tcase_add_test(rate, a_block_sticks_and_slips_in_the_known_cycles);
  tcase_add_test(rate, friction_of_the_speed_is_refused_where_it_would_work_at_another);
  tcase_set_timeout(rate, 60);
  suite_add_tcase(suite, slip);
  suite_add_tcase(suite, rate);
  return support_run(suite);
}

/* The elastic bar that strikes a wall: E = 900, rho = 1, L = 10, A = 1, falling at 10 from 0.005 above it. With c = 30 and T = L / c the
 * bar is one of d'Alembert's waves: from the touch at t_0 the force is rho c v A = 300 for 2 T = 2/3, then nothing; the impulse is 200; the
 * far end goes on until T after the touch, then back at 10; the body leaves without vibration. With nu = 0 a strip of plane elements is
 * that bar. Courant's number is c h over the length of a cell. */
#include "config.h"
#include "support/block.h"
#include "support/plate.h"
#include "support/support.h"

#include <math.h>

static const double touch = 5e-4, stay = 2.0 / 3.0, full = 300.0, end = 1.2;

static prc_error err;

/* ---- one run ---------------------------------------------------------------------------------------------------- */

typedef struct {
  int type; /* of Gmsh: 3 is Q4, 2 is T3 */
  prc_fem_mass mass;
  double size, theta, courant;
  double width, poisson;
} bar;
static const bar square = {3, PRC_MASS_CONSISTENT, 0.1, 0.5, 0.3, 1.0, 0.0};

typedef struct {
  int n;
  /* n: contact force, mean contact velocity, displacement of the far end */
  double h, *force, *velocity, *top;
  /* end of the contact after the touch; of the contact; mean velocity at the end */
  double until, impulse, rebound;
  double deepest, imbalance; /* largest force on a row without mass after lift-off */
  int released;              /* how often a contact was without force while the bar was pressed on */
} history;

static int node_at(const prc_mesh *mesh, double x, double y) {
  for (int a = 0; a < mesh->n_nodes; a++)
    if (hypot(mesh->x[2 * a] - x, mesh->x[2 * a + 1] - y) < 1e-9) return a;
  ck_abort_msg("no node at (%g, %g)", x, y);
  return -1;
}

static void look(const block *b, history *s, int k, int top) {
  const prc_step_record *r = b->record;
  const double t = r->t - touch;
  for (int c = 0; c < r->n_contacts; c++) {
    s->force[k] += r->p[2 * c] / s->h;
    s->velocity[k] += r->u[2 * c] / r->n_contacts;
    s->deepest = fmax(s->deepest, -r->gap[c]);
    /* the fastest waves of these meshes are back after 2 L / (sqrt(3) c) = 0.58 stay */
    s->released += t > 3.0 * s->h && t < 0.55 * stay && r->p[2 * c] <= 0.0;
  }
  s->top[k] = r->q[2 * top + 1];
  s->impulse += s->h * s->force[k];
  if (s->force[k] > 1e-9 * full) s->until = t;
  const prc_sym *M = b->system->dynamics.M;
  for (int i = 0; t > 0.8 && i < r->n; i++)
    if (M->x[M->p[i]] == 0.0) s->imbalance = fmax(s->imbalance, fabs(r->f[i]));
}

static double mean_velocity(const block *b, double mass) {
  double momentum = 0.0;
  for (int i = 0; i < b->record->n; i++)
    if (i % 2) momentum += b->record->m[i];
  return momentum / mass;
}

static void strike(const bar *a, history *s) {
  const plate p = {
      .type = a->type, .nx = 2, .ny = (int)lround(10.0 / a->size), .width = a->width, .height = 10.0};
  prc_mesh *mesh = plate_mesh(&p);
  block b;
  block_case(&b, mesh);
  b.material = (prc_fem_material){
      .group = &mesh->group[PLATE_CELLS], .young = 900.0, .poisson = a->poisson, .density = 1.0};
  b.model.thickness = 1.0, b.model.mass = a->mass;
  b.model.gravity[1] = prc_field_constant(0.0);
  b.preloaded = 0;
  block_without_load(&b), block_without_support(&b);
  b.contact.plane.point[1] = -0.005;
  b.contact.friction = prc_field_constant(0.0);
  b.step.theta = a->theta;
  b.step.h = a->courant * a->size / 30.0;
  *s = (history){.n = (int)(end / b.step.h), .h = b.step.h};
  support_ok(prc_new(&s->force, s->n, &err), &err);
  support_ok(prc_new(&s->velocity, s->n, &err), &err);
  support_ok(prc_new(&s->top, s->n, &err), &err);
  block_prepare(&b);
  for (int k = 0; k < mesh->n_nodes; k++) b.v0[2 * k + 1] = -10.0;
  block_begin(&b);
  const int top = node_at(mesh, 0.5 * a->width, 10.0);
  for (int k = 0; k < s->n; k++) {
    block_step(&b, 1);
    look(&b, s, k, top);
  }
  s->rebound = mean_velocity(&b, 10.0 * a->width);
  ck_assert_int_ne(block_certificate(&b).verdict, PRC_FAIL);
  block_free(&b);
  prc_mesh_free(&mesh);
}

static void forget(history *s) {
  prc_delete(&s->force);
  prc_delete(&s->velocity);
  prc_delete(&s->top);
}

static double time_of(const history *s, int k) {
  return (k + 1) * s->h - touch;
}

/* ---- what is read from it ----------------------------------------------------------------------------------------------- */

/* The largest distance of the far end from d'Alembert's, over the whole run. */
static double end_error(const history *s) {
  double worst = 0.0;
  for (int k = 0; k < s->n; k++) {
    const double t = time_of(s, k), turn = 0.5 * stay;
    worst = fmax(worst, fabs(s->top[k] - (-10.0 * (fmin(t, turn) + touch) + 10.0 * fmax(0.0, t - turn))));
  }
  return worst;
}

/* The impulse given so far, whose limit is 300 t: relative distance in L2 over the run. That is the force in a negative norm: it converges
 * although the force jumps. */
static double impulse_error(const history *s) {
  double given = 0.0, sum = 0.0, size = 0.0;
  for (int k = 0; k < s->n; k++) {
    const double exact = full * fmin(fmax(time_of(s, k), 0.0), stay);
    given += s->h * s->force[k];
    sum += (given - exact) * (given - exact), size += exact * exact;
  }
  return sqrt(sum / size);
}

/* The largest distance of the force from 300 between two times after the touch: of its means over a thirtieth of the stay, or of itself. */
static double force_error(const history *s, double from, double to, int of_means) {
  const int width = of_means ? (int)lround(stay / 30.0 / s->h) : 1;
  double sum = 0.0, worst = 0.0;
  for (int k = 0; k < s->n; k++) {
    sum += s->force[k] - (k >= width ? s->force[k - width] : 0.0);
    if (time_of(s, k - width) > from && time_of(s, k) < to) worst = fmax(worst, fabs(sum / width - full));
  }
  return worst;
}

/* The part of period two: sixteen steps projected on (-1)^k after a third difference has taken what is smooth (it gives 8 (-1)^k for (-1)^k);
 * the largest between two times after the touch. */
static double alternating(const history *s, const double *x, double from, double to) {
  double worst = 0.0;
  for (int k = 18; k < s->n; k++) {
    double sum = 0.0;
    if (time_of(s, k - 18) < from || time_of(s, k) > to) continue;
    for (int i = k; i > k - 16; i--)
      sum += (i % 2 ? -1.0 : 1.0) * (x[i] - 3.0 * x[i - 1] + 3.0 * x[i - 2] - x[i - 3]) / 8.0;
    worst = fmax(worst, fabs(sum) / 16.0);
  }
  return worst;
}

/* By how much the force falls in all before that time after the touch; exactly, it rises once and stays. */
static double falls(const history *s, double to) {
  double sum = 0.0;
  for (int k = 1; time_of(s, k) < to; k++) sum += fmax(0.0, s->force[k - 1] - s->force[k]);
  return sum;
}

/* ---- what is exact ----------------------------------------------------------------------------------------------------------- */

/* A front is spread over (size^2 T)^(1/3) by the dispersion of linear elements, and what depends on where it is converges at
 * order 2/3: the impulse, the history of the far end. */
static void expect_two_thirds(const char *what, const double e[3], double bound) {
  for (int k = 0; k < 2; k++)
    ck_assert_msg(e[k + 1] < 0.75 * e[k], "%s: errors %.3e %.3e %.3e", what, e[0], e[1], e[2]);
  ck_assert_msg(e[2] < bound, "%s: error %.3e, expected at most %.3e", what, e[2], bound);
}

/* _i: Q4 and T3, consistent and lumped mass. Theta = 1/2, Courant's number 0.3. */
START_TEST(duration_end_displacement_and_impulse_converge) {
  double top[3], impulse[3], given[3], means[3];
  for (int k = 0; k < 3; k++) {
    bar a = square;
    history s;
    a.type = _i % 2 ? 2 : 3, a.mass = _i / 2 ? PRC_MASS_LUMPED : PRC_MASS_CONSISTENT, a.size = 0.2 / (1 << k);
    strike(&a, &s);
    top[k] = end_error(&s) / (10.0 * 0.5 * stay), impulse[k] = fabs(s.impulse / 200.0 - 1.0);
    given[k] = impulse_error(&s), means[k] = force_error(&s, 0.05, 0.45, 1) / full;
    ck_assert_msg(fabs(s.until - stay) < 2.0 * a.size / 30.0, "contact for %.4f", s.until);
    ck_assert_msg(fabs(s.rebound - (s.impulse / 10.0 - 10.0)) < 1e-9, "rebound %.4f", s.rebound);
    forget(&s);
  }
  expect_two_thirds("displacement of the far end", top, 0.035);
  expect_two_thirds("impulse", impulse, 6e-3);
  expect_two_thirds("impulse given so far", given, 5e-3);
  /* triangles are not the same on both sides of a strip, and shear it a little */
  ck_assert_msg(means[1] < (_i % 2 ? 0.65 : 0.5) * means[0] && means[2] < (_i % 2 ? 8e-3 : 2e-4),
                "means of the force: %.3e %.3e %.3e", means[0], means[1], means[2]);
}
END_TEST

/* A slender bar with nu = 0.3 in plane stress is that bar too, but for the inertia of its width: (nu pi w / L)^2 is 4e-4. */
START_TEST(a_slender_bar_of_plane_elements_is_the_bar) {
  bar a = square;
  history s;
  a.width = 0.2, a.poisson = 0.3, a.size = 0.05;
  strike(&a, &s);
  ck_assert_msg(fabs(s.until / stay - 1.0) < 6e-3, "contact for %.4f", s.until);
  ck_assert_msg(fabs(s.impulse / 40.0 - 1.0) < 6e-3, "impulse %.4f", s.impulse);
  ck_assert_msg(end_error(&s) < 0.03 * 10.0 * 0.5 * stay, "end displacement %.4f", end_error(&s));
  forget(&s);
}
END_TEST

/* ---- the force ---------------------------------------------------------------------------------------------------------------- */

/* While the bar is pressed on, the error of the contact problems lets no contact go, whatever the mass, theta and Courant's number; what the
 * front leaves behind in the force dies out as (size / t)^(3/2), by theta > 1/2 at once. */
START_TEST(a_contact_that_pushes_is_not_released) {
  static const double thetas[] = {0.5, 0.6, 1.0}, courants[] = {0.3, 1.0};
  for (int mass = 0; mass < 2; mass++)
    for (int c = 0; c < 2; c++) {
      bar a = square;
      history s;
      a.mass = mass ? PRC_MASS_LUMPED : PRC_MASS_CONSISTENT, a.theta = thetas[_i], a.courant = courants[c];
      strike(&a, &s);
      ck_assert_msg(s.released == 0, "mass %d, Courant %g: released %d times", mass, a.courant, s.released);
      ck_assert_msg(force_error(&s, 0.05, 0.45, 0) < 0.006 * full,
                    "mass %d, Courant %g: the force is off by %.3f", mass, a.courant,
                    force_error(&s, 0.05, 0.45, 0));
      forget(&s);
    }
}
END_TEST

/* ---- the modified mass --------------------------------------------------------------------------------------------------------- */

/* The mass of the contact nodes goes to the others, which moves the means of the force by the order of size / L; what
 * oscillates about them is a tenth of the consistent mass's, and there is no impact of nodes at touch-down. */
START_TEST(the_modified_mass_calms_the_force) {
  double mean[2];
  for (int k = 0; k < 2; k++) {
    bar a = square;
    history consistent, modified;
    a.size = 0.1 / (1 << k);
    strike(&a, &consistent);
    a.mass = PRC_MASS_MODIFIED;
    strike(&a, &modified);
    const double before = alternating(&consistent, consistent.force, 0.05, 0.45),
                 after = alternating(&modified, modified.force, 0.05, 0.45);
    ck_assert_msg(after < 0.2 * before, "alternating %.3e, consistent %.3e", after, before);
    ck_assert_msg(falls(&modified, 0.45) < 0.15 * falls(&consistent, 0.45),
                  "the force falls by %.3f, consistent %.3f", falls(&modified, 0.45),
                  falls(&consistent, 0.45));
    mean[k] = force_error(&modified, 0.05, 0.45, 1);
    ck_assert_msg(fabs(modified.until - stay) < 2.0 * a.size / 30.0, "contact for %.4f", modified.until);
    ck_assert_double_lt(fabs(modified.impulse - 200.0), fabs(consistent.impulse - 200.0));
    ck_assert_double_le(modified.deepest, 1e-12);  /* gaps close at the end of a step */
    ck_assert_double_gt(consistent.deepest, 1e-3); /* and not where velocities are what is closed */
    forget(&consistent), forget(&modified);
  }
  ck_assert_msg(mean[1] < 0.55 * mean[0] && mean[1] < 0.015 * full, "means %.3f %.3f", mean[0], mean[1]);
}
END_TEST

/* After lift-off equilibrium holds on the rows without mass at every step, and their velocity is the implicit one: nothing can change sign
 * for ever. What changes from step to step is motion that h resolves, and falls with h^2 where theta = 1/2;
 * where theta damps next to nothing is left. */
START_TEST(no_mode_of_period_two_survives_lift_off) {
  static const double thetas[] = {0.5, 0.6, 1.0};
  double part[2];
  for (int k = 0; k < 2; k++) {
    bar a = square;
    history s;
    a.mass = PRC_MASS_MODIFIED, a.theta = thetas[_i], a.courant = k ? 0.15 : 0.3;
    strike(&a, &s);
    part[k] = alternating(&s, s.velocity, 0.8, end);
    ck_assert_msg(s.imbalance < 1e-11 * full, "force on rows without mass %.3e", s.imbalance);
    forget(&s);
  }
  if (thetas[_i] > 0.5)
    ck_assert_msg(part[0] < 1e-9 * 10.0, "alternating %.3e", part[0]);
  else
    ck_assert_msg(part[0] < 2e-4 * 10.0 && part[1] < 0.25 * part[0], "alternating %.3e, %.3e", part[0],
                  part[1]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("bar_impact");
  TCase *exact = tcase_create("exact"), *force = tcase_create("force");
  prc_dense_single_thread();
  tcase_set_timeout(exact, 60.0), tcase_set_timeout(force, 60.0);
  tcase_add_loop_test(exact, duration_end_displacement_and_impulse_converge, 0, 4);
  tcase_add_test(exact, a_slender_bar_of_plane_elements_is_the_bar);
  tcase_add_loop_test(force, a_contact_that_pushes_is_not_released, 0, 3);
  tcase_add_test(force, the_modified_mass_calms_the_force);
  tcase_add_loop_test(force, no_mode_of_period_two_survives_lift_off, 0, 3);
  suite_add_tcase(suite, exact);
  suite_add_tcase(suite, force);
  return support_run(suite);
}

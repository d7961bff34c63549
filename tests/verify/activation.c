/* Which contacts take part in a step, (64): why both tests, and why each has a tolerance. */
#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum { N_STEPS = 1500, N_LONG = 3500, MOST = 10000 }; /* the long run passes the reversal at step 2500 */

static int steps(void) {
  return getenv("PRC_SHORT") ? N_STEPS / 5 : N_STEPS;
}

static void start(block *b, const prc_mesh *mesh, prc_activation activation, double gap, double velocity) {
  block_case(b, mesh);
  if (gap > 0.0) b->step.cone.tolerance = 1e-14;
  b->step.activation = activation;
  b->step.gap_tolerance = gap;
  b->step.velocity_tolerance = velocity;
  block_start(b);
}

/* Above rounding and above the error of the contact problem, which leaves a resting contact at that velocity: with the
 * default tolerance 1e-10 of the contact problem, 1e-12 mm/ms would not do. And below velocities at which contacts part:
 * the first to part more slowly than 1e-4 does so at step 1239, with 5.7e-5; in the whole run there is none below 1e-6. */
START_TEST(tolerances_above_rounding_do_not_matter) {
  static const double gaps[] = {1e-14, 1e-12, 1e-10}, velocities[] = {1e-12, 1e-8, 1e-6};
  prc_mesh *mesh = block_mesh("tests/data/sliding-block/block.msh", 0.0);
  const int n = steps();
  static double energy[MOST], active[MOST];
  block b;
  start(&b, mesh, PRC_ACTIVATION_BOTH, 1e-12, 1e-8);
  for (int k = 0; k < n; k++) {
    block_step(&b, 1);
    energy[k] = block_energy(&b), active[k] = b.row->active;
  }
  block_free(&b);
  for (int i = 0; i < 9; i++) {
    start(&b, mesh, PRC_ACTIVATION_BOTH, gaps[i / 3], velocities[i % 3]);
    for (int k = 0; k < n; k++) {
      block_step(&b, 1);
      ck_assert_msg(fabs(block_energy(&b) - energy[k]) <= 1e-12 * energy[k] && b.row->active == active[k],
                    "gap %g, velocity %g, step %d: energy %.15g and %.15g, active %g and %g", gaps[i / 3],
                    velocities[i % 3], k + 1, block_energy(&b), energy[k], b.row->active, active[k]);
    }
    block_free(&b);
  }
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(a_large_velocity_tolerance_matters_little) {
  prc_mesh *mesh = block_mesh("tests/data/sliding-block/block.msh", 0.0);
  block fine, coarse;
  double apart = 0.0;
  start(&fine, mesh, PRC_ACTIVATION_BOTH, 1e-12, 1e-8),
      start(&coarse, mesh, PRC_ACTIVATION_BOTH, 1e-12, 1e-4);
  for (int k = 1; k <= steps(); k++) {
    block_step(&fine, 1), block_step(&coarse, 1);
    if (k <= 1200) ck_assert(block_energy(&coarse) == block_energy(&fine));
    apart = fmax(apart, fabs(block_energy(&coarse) / block_energy(&fine) - 1.0));
  }
  ck_assert_double_le(apart, 1e-3); /* two contacts held one step longer */
  block_free(&fine), block_free(&coarse);
  prc_mesh_free(&mesh);
}
END_TEST

/* A contact problem solved loosely leaves resting contacts with larger velocities; the default follows, or a third of the
 * contacts would be lost, and the energy with them, without a word from the ledger. */
START_TEST(a_loose_contact_tolerance_loses_no_contacts) {
  static const double tolerance[] = {1e-7, 1e-6};
  prc_mesh *mesh = block_mesh("tests/data/sliding-block/block.msh", 0.0);
  block tight, loose;
  double active[2] = {0.0};
  block_case(&tight, mesh), block_case(&loose, mesh);
  loose.step.cone.tolerance = tolerance[_i];
  block_start(&tight), block_start(&loose);
  for (int k = 1; k <= steps(); k++) {
    block_step(&tight, 1), block_step(&loose, 1);
    active[0] += tight.row->active, active[1] += loose.row->active;
  }
  /* a few still slip out through their gaps; untended, 5 % go at 1e-7 and 17 % at 1e-6, and the energy doubles */
  ck_assert_double_le(fabs(active[1] / active[0] - 1.0), 0.02);
  ck_assert_double_le(fabs(block_energy(&loose) / block_energy(&tight) - 1.0), 0.05);
  block_free(&tight), block_free(&loose);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(the_defaults_are_above_the_error_of_the_contact_problem) { /* no contact is lost with them */
  prc_mesh *mesh = block_mesh("tests/data/sliding-block/block.msh", 0.0);
  block tight, b;
  block_case(&b, mesh);
  block_start(&b);
  start(&tight, mesh, PRC_ACTIVATION_BOTH, 1e-12, 1e-8);
  ck_assert_double_gt(prc_stepper_options(b.stepper)->velocity_tolerance, 1e-12);
  for (int k = 1; k <= steps(); k++) {
    block_step(&tight, 1), block_step(&b, 1);
    const double E = block_energy(&tight), tolerance = k <= 100 ? 1e-10 : 1e-7; /* as two programs */
    ck_assert(b.row->active == tight.row->active);
    ck_assert_double_le(fabs(block_energy(&b) - E), tolerance * E);
  }
  block_free(&tight), block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

typedef struct {
  double resting;     /* mean of active contacts in steps 2 to 48, before the corner lifts: all 41 rest */
  double energy;      /* at the end */
  double normal_work; /* the largest of one contact in one step */
  prc_certificate certificate;
} behaviour;

static behaviour observe(const prc_mesh *mesh, prc_activation activation) {
  behaviour seen = {0};
  block b;
  start(&b, mesh, activation, 0.0, 0.0);
  for (int k = 1; k <= N_LONG; k++) {
    block_step(&b, 1);
    if (k >= 2 && k <= 48) seen.resting += b.row->active / 47.0;
    for (int i = 0; i < b.record->n_active; i++) {
      const int c = 2 * b.record->active[i];
      seen.normal_work = fmax(seen.normal_work, b.record->p[c] * b.record->u_work[c]);
    }
  }
  seen.energy = block_energy(&b);
  seen.certificate = block_certificate(&b);
  block_free(&b);
  return seen;
}

START_TEST(strict_comparisons_lose_resting_contacts) {
  prc_mesh *mesh = block_mesh("tests/data/sliding-block/block.msh", 0.0);
  const behaviour strict = observe(mesh, PRC_ACTIVATION_STRICT), both = observe(mesh, PRC_ACTIVATION_BOTH);
  ck_assert_double_eq_tol(both.resting, 41.0, 1e-9);
  ck_assert_double_lt(strict.resting, 0.8 * 41.0);
  ck_assert_double_gt(strict.energy, 1.5 * both.energy); /* friction is lost with them */
  ck_assert_double_le(strict.certificate.entry[PRC_CERTIFY_BALANCE].value, 1e-11); /* no ledger sees it */
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(the_gap_alone_lets_a_separating_contact_work) {
  prc_mesh *mesh = block_mesh("tests/data/sliding-block/block.msh", 0.0);
  const behaviour gap = observe(mesh, PRC_ACTIVATION_GAP), both = observe(mesh, PRC_ACTIVATION_BOTH);
  ck_assert_double_gt(gap.normal_work, 1e-4);
  ck_assert_double_le(both.normal_work, 1e-10);
  ck_assert_int_eq(gap.certificate.entry[PRC_CERTIFY_NORMAL].verdict, PRC_NOTED);
  ck_assert_int_eq(both.certificate.entry[PRC_CERTIFY_NORMAL].verdict, PRC_PASS);
  prc_mesh_free(&mesh);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("activation");
  TCase *tolerances = tcase_create("tolerances"), *modes = tcase_create("modes");
  tcase_add_test(tolerances, tolerances_above_rounding_do_not_matter);
  tcase_add_test(tolerances, the_defaults_are_above_the_error_of_the_contact_problem);
  tcase_add_test(tolerances, a_large_velocity_tolerance_matters_little);
  tcase_add_loop_test(tolerances, a_loose_contact_tolerance_loses_no_contacts, 0, 2);
  tcase_add_test(modes, strict_comparisons_lose_resting_contacts);
  tcase_add_test(modes, the_gap_alone_lets_a_separating_contact_work);
  suite_add_tcase(suite, tolerances);
  suite_add_tcase(suite, modes);
  return support_run(suite);
}

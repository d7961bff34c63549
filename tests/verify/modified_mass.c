/* The mass without inertia at contact nodes: what it keeps of the body, and what it does to the contact force of a bar. */
#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>

static prc_error err;

/* ---- what it keeps -------------------------------------------------------------------------------------------------- */

START_TEST(it_keeps_mass_centre_and_inertia_and_leaves_none_at_contacts) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 4.0);
  block b[2];
  double moment[2][6];
  for (int k = 0; k < 2; k++) {
    block_case(&b[k], mesh);
    b[k].model.mass = k ? PRC_MASS_MODIFIED : PRC_MASS_CONSISTENT;
    block_prepare(&b[k]);
    const int n = b[k].system->n_dof;
    double *x[3] = {NULL, NULL, NULL};
    for (int p = 0; p < 3; p++) {
      support_ok(prc_new(&x[p], n, &err), &err);
      for (int i = 0; i < n; i += 2) x[p][i] = p == 0 ? 1.0 : mesh->x[i + p - 1];
    }
    for (int p = 0, i = 0; p < 3; p++)
      for (int q = p; q < 3; q++) moment[k][i++] = prc_sym_form(b[k].system->M, x[p], x[q]);
    for (int p = 0; p < 3; p++) prc_delete(&x[p]);
  }
  for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(moment[1][i], moment[0][i], 1e-12 * fabs(moment[0][i]));
  const prc_sym *M = b[1].system->M;
  const prc_mesh_group *bottom = b[1].contact.group;
  for (int k = 0; k < bottom->n_nodes; k++)
    for (int d = 0; d < 2; d++) ck_assert_double_eq(M->x[M->p[2 * bottom->node[k] + d]], 0.0);
  for (int k = 0; k < 2; k++) block_free(&b[k]);
  prc_mesh_free(&mesh);
}
END_TEST

/* ---- the sliding block ------------------------------------------------------------------------------------------------ */

/* _i: the law; damping of the stiffness as well, and theta above one half. */
START_TEST(the_ledger_closes_to_rounding) {
  static const double theta[] = {0.5, 0.5, 0.8}, damping[] = {0.0, 2e-5, 2e-5};
  prc_mesh *mesh = block_mesh("meshes/block.geo", 4.0);
  block b;
  block_case(&b, mesh);
  b.model.mass = PRC_MASS_MODIFIED;
  b.model.damping_stiffness = damping[_i], b.model.damping_mass = 10.0 * (_i == 1);
  b.step.theta = theta[_i];
  block_start(&b);
  const double first = block_energy(&b);
  block_step(&b, 2000);
  const prc_certificate c = block_certificate(&b);
  ck_assert_int_eq(c.verdict, PRC_PASS);
  ck_assert_double_le(c.entry[PRC_CERTIFY_BALANCE].value, 1e-13);
  const double given = b.row->work_external + b.row->work_contact_normal + b.row->work_contact_tangential
                       + b.row->work_damping + b.row->dissipation_numerical;
  ck_assert_double_le(fabs(block_energy(&b) - first - given), 1e-11 * fabs(b.row->work_external));
  ck_assert_double_gt(b.row->work_external, 0.0);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(a_restitution_is_refused) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 5.0);
  block b;
  block_case(&b, mesh);
  b.model.mass = PRC_MASS_MODIFIED;
  b.contact.restitution = prc_field_constant(0.5);
  block_prepare(&b);
  prc_error_clear(&err);
  support_fails(prc_stepper_create(b.system, &b.step, &b.stepper, &err), PRC_INPUT, &err,
                "contact dofs without mass cannot have a restitution");
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

/* ---- the bar ------------------------------------------------------------------------------------------------------------ */

/* E = 900, rho = 1, L = 10, falling at 10 from 0.005 above the floor: contact for 2 L / c = 2/3, force rho c v A = 300, impulse
 * 200; with nu = 0 the plane body is a bar. 100 cells along, h = 1e-3 (Courant number 0.3), theta = 1/2. */
typedef struct {
  double mean, deviation; /* of the force while the wave is under way: 0.15 to 0.45 after the touch */
  double impulse, until;  /* of the contact, and its end */
  double alternating,
      rebound; /* after lift-off: largest part of the contact velocity that changes sign each step; mean velocity */
  double jumping;   /* the same of the force, 0.1 to 0.5 after the touch */
  double imbalance; /* after lift-off: largest force on a row without mass */
  double deepest, balance;
} impact;

static impact strike(prc_fem_mass mass, double h) {
  const double touch = 5e-4, length = 10.0;
  prc_mesh *mesh = block_strip(2, 100, 1.0, length);
  impact seen = {0};
  double sum = 0.0, squares = 0.0, momentum = 0.0, u[2] = {0.0, 0.0}, r[2] = {0.0, 0.0};
  int n = 0;
  block b;
  block_case(&b, mesh);
  b.material.young = 900.0, b.material.poisson = 0.0, b.material.density = 1.0;
  b.model.thickness = 1.0, b.model.mass = mass;
  b.model.gravity[1] = prc_field_constant(0.0);
  b.preloaded = 0;
  block_without_load(&b), block_without_support(&b);
  b.contact.plane.point[1] = -0.005;
  b.contact.friction = prc_field_constant(0.0);
  b.step.h = h;
  block_prepare(&b);
  for (int a = 0; a < mesh->n_nodes; a++) b.v0[2 * a + 1] = -10.0;
  block_begin(&b);
  while (b.record->t < 1.0) {
    double p = 0.0;
    block_step(&b, 1);
    for (int c = 0; c < b.record->n_contacts; c++) {
      p += b.record->p[2 * c];
      seen.deepest = fmax(seen.deepest, -b.record->gap[c]);
    }
    seen.impulse += p;
    const double t = b.record->t - touch, now = b.record->u[0];
    if (p > 1e-9) seen.until = t;
    if (t > 0.15 && t < 0.45) sum += p / h, squares += p * p / (h * h), n++;
    if (t > 0.8) seen.alternating = fmax(seen.alternating, 0.25 * fabs(now - 2.0 * u[1] + u[0]));
    if (t > 0.1 && t < 0.5) seen.jumping = fmax(seen.jumping, 0.25 * fabs(p / h - 2.0 * r[1] + r[0]));
    u[0] = u[1], u[1] = now, r[0] = r[1], r[1] = p / h;
    for (int i = 0; t > 0.8 && b.record->massless && i < b.record->n; i++)
      if (b.record->massless[i]) seen.imbalance = fmax(seen.imbalance, fabs(b.record->f[i]));
  }
  for (int i = 0; i < b.record->n; i++)
    if (b.record->perm[i] % 2) momentum += b.record->m[i];
  seen.mean = sum / n, seen.deviation = sqrt(squares / n - seen.mean * seen.mean);
  seen.rebound = momentum / length;
  seen.balance = block_certificate(&b).entry[PRC_CERTIFY_BALANCE].value;
  ck_assert_int_eq(block_certificate(&b).verdict, PRC_PASS);
  block_free(&b);
  prc_mesh_free(&mesh);
  return seen;
}

/* Measured at h = 1e-3: jumps 0.56 N against 1.22 N with the consistent mass, contact until 0.6655 against 0.6635, impulse 199.49 against
 * 198.95, depth 7e-15 against 0.01. */
START_TEST(the_force_of_a_bar_jumps_less_and_nothing_goes_deep) {
  const impact consistent = strike(PRC_MASS_CONSISTENT, 1e-3), modified = strike(PRC_MASS_MODIFIED, 1e-3);
  ck_assert_msg(modified.jumping < 0.6 * consistent.jumping, "jumps %.3f, consistent %.3f", modified.jumping,
                consistent.jumping);
  ck_assert_msg(modified.deviation < 0.015 * 300.0, "deviation %.3f", modified.deviation);
  ck_assert_msg(fabs(modified.mean - 300.0) < 0.005 * 300.0, "mean force %.3f", modified.mean);
  ck_assert_msg(fabs(modified.impulse - 200.0) < 0.005 * 200.0, "impulse %.3f", modified.impulse);
  ck_assert_double_lt(fabs(modified.impulse - 200.0), fabs(consistent.impulse - 200.0));
  ck_assert_msg(fabs(modified.until - 2.0 / 3.0) < 0.005, "contact until %.4f", modified.until);
  ck_assert_double_le(modified.balance, 1e-13);
  ck_assert_double_le(modified.deepest, 1e-12);  /* gaps close at the end of a step */
  ck_assert_double_gt(consistent.deepest, 1e-3); /* and not where velocities are what is closed */
}
END_TEST

/* In the middle of steps, f would be balanced by its mean and f itself could change sign for ever. Here it is zero. What is left that
 * changes from step to step is motion that h resolves: it falls with h^2, which a mode of period two does not. */
START_TEST(no_mode_of_period_two_survives_lift_off) {
  const impact coarse = strike(PRC_MASS_MODIFIED, 1e-3), fine = strike(PRC_MASS_MODIFIED, 5e-4);
  ck_assert_msg(coarse.imbalance < 1e-11 * 300.0, "force on rows without mass %.3e", coarse.imbalance);
  ck_assert_msg(fine.alternating < 0.25 * coarse.alternating, "alternating %.3e, %.3e", coarse.alternating,
                fine.alternating);
  ck_assert_msg(fabs(coarse.rebound - 10.0) < 0.1, "rebound %.4f", coarse.rebound);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("modified_mass");
  TCase *mass = tcase_create("mass");
  tcase_set_timeout(mass, 60.0);
  tcase_add_test(mass, it_keeps_mass_centre_and_inertia_and_leaves_none_at_contacts);
  tcase_add_loop_test(mass, the_ledger_closes_to_rounding, 0, 3);
  tcase_add_test(mass, a_restitution_is_refused);
  tcase_add_test(mass, the_force_of_a_bar_jumps_less_and_nothing_goes_deep);
  tcase_add_test(mass, no_mode_of_period_two_survives_lift_off);
  suite_add_tcase(suite, mass);
  return support_run(suite);
}

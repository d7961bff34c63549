/* The mass without inertia at contact nodes: what it keeps of the body, and its ledger. bar_impact.c has the contact force of a bar. */
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
    const int n = b[k].system->space.nv;
    double *x[3] = {NULL, NULL, NULL};
    for (int p = 0; p < 3; p++) {
      support_ok(prc_new(&x[p], n, &err), &err);
      for (int i = 0; i < n; i += 2) x[p][i] = p == 0 ? 1.0 : mesh->x[i + p - 1];
    }
    for (int p = 0, i = 0; p < 3; p++)
      for (int q = p; q < 3; q++) moment[k][i++] = prc_sym_form(b[k].system->dynamics.M, x[p], x[q]);
    for (int p = 0; p < 3; p++) prc_delete(&x[p]);
  }
  for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(moment[1][i], moment[0][i], 1e-12 * fabs(moment[0][i]));
  const prc_sym *M = b[1].system->dynamics.M;
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
  ck_assert_int_ne(c.verdict, PRC_FAIL);
  ck_assert_double_le(c.entry[PRC_CERTIFY_BALANCE].value, 1e-13);
  const double given = b.row->work_external + b.row->work_contact_normal + b.row->work_contact_tangential
                       + b.row->work_damping + b.row->dissipation_numerical;
  ck_assert_double_le(fabs(block_energy(&b) - first - given), 1e-11 * fabs(b.row->work_external));
  ck_assert_double_gt(b.row->work_external, 0.0);
  ck_assert(b.record->listed && b.record->n_active > 0);
  ck_assert_double_eq(b.record->impulse, 0.0); /* percussions on rows without inertia are none of momentum */
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

int main(void) {
  Suite *suite = suite_create("modified_mass");
  TCase *mass = tcase_create("mass");
  tcase_set_timeout(mass, 60.0);
  tcase_add_test(mass, it_keeps_mass_centre_and_inertia_and_leaves_none_at_contacts);
  tcase_add_loop_test(mass, the_ledger_closes_to_rounding, 0, 3);
  tcase_add_test(mass, a_restitution_is_refused);
  suite_add_tcase(suite, mass);
  return support_run(suite);
}

/* Rayleigh damping takes energy and never gives any, and the ledger says how much. */
#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

/* of the mass: 1/alpha is a tenth of the run; of the stiffness: half of the step */
static const struct {
  double mass, stiffness, theta;
  prc_impact law;
} kinds[] = {{10.0, 0.0, 0.5, PRC_IMPACT_FREMOND},  {0.0, 5e-5, 0.5, PRC_IMPACT_FREMOND},
             {10.0, 5e-5, 0.5, PRC_IMPACT_FREMOND}, {10.0, 5e-5, 0.5, PRC_IMPACT_NEWTON},
             {10.0, 5e-5, 0.8, PRC_IMPACT_FREMOND}, {10.0, 5e-5, 1.0, PRC_IMPACT_NEWTON}};

static void start(block *b, const prc_mesh *mesh, int kind, int loaded) {
  block_case(b, mesh);
  b->model.damping_mass = kinds[kind].mass, b->model.damping_stiffness = kinds[kind].stiffness;
  b->step.theta = kinds[kind].theta, b->step.law = kinds[kind].law;
  if (!loaded) { /* what is left is the release of the preload */
    block_without_load(b);
    b->model.gravity[1] = prc_field_constant(0.0);
  }
  block_prepare(b);
  for (int i = 0; !loaded && i < b->system->space.nv; i += 2) b->v0[i] = 1.0; /* and a shove */
  block_begin(b);
}

START_TEST(the_ledger_closes_with_damping) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0);
  block b;
  double before = 0.0;
  start(&b, mesh, _i, 1);
  const double first = block_energy(&b);
  for (int k = 0; k < 1000; k++) {
    block_step(&b, 1);
    ck_assert_double_le(b.row->work_damping, before);
    before = b.row->work_damping;
  }
  const prc_certificate c = block_certificate(&b);
  ck_assert_int_eq(c.verdict, PRC_PASS);
  ck_assert_double_le(c.entry[PRC_CERTIFY_BALANCE].value, 1e-11);
  ck_assert_double_lt(before, -1e-3 * b.row->work_external);
  const double given = b.row->work_external + b.row->work_contact_normal + b.row->work_contact_tangential
                       + b.row->work_damping + b.row->dissipation_numerical;
  ck_assert_double_le(fabs(block_energy(&b) - first - given), 1e-12 * b.row->work_external);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(energy_falls_when_nothing_gives_any) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0);
  block b;
  start(&b, mesh, _i, 0);
  const double first = block_energy(&b);
  double before = first;
  for (int k = 0; k < 1000; k++) {
    block_step(&b, 1);
    /* Newton's law with theta < 1 may create some, which is the point of the other */
    const double created =
        kinds[_i].law == PRC_IMPACT_NEWTON ? fmax(0.0, b.row->tangential_work_max) * 21.0 : 0.0;
    ck_assert_double_le(block_energy(&b), before + created + 1e-13 * first);
    before = block_energy(&b);
  }
  ck_assert(fabs(b.row->work_external) <= 1e-12 * first);
  ck_assert_double_lt(before, 0.9 * first);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

/* Damping by the mass alone, and no contact: a translation decays by the scheme's own factor at every step,
 * v' = v (1 - h alpha (1 - theta)) / (1 + h alpha theta). */
START_TEST(a_translation_decays_by_the_schemes_factor) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 5.0);
  const double alpha = 40.0, theta = 0.5 + 0.25 * _i, h = 1e-3;
  block b;
  block_case(&b, mesh);
  block_without_support(&b), block_without_load(&b), block_without_contact(&b);
  b.model.gravity[1] = prc_field_constant(0.0);
  b.model.damping_mass = alpha;
  b.step.theta = theta, b.step.h = h;
  block_prepare(&b);
  for (int i = 0; i < b.system->space.nv; i++) b.v0[i] = 1.0 + i % 2;
  block_begin(&b);
  block_step(&b, 100);
  const double factor = pow((1.0 - h * alpha * (1.0 - theta)) / (1.0 + h * alpha * theta), 100.0);
  for (int i = 0; i < b.record->n; i++)
    ck_assert_double_eq_tol(b.record->v[i], factor * (1.0 + i % 2), 1e-12);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("damping");
  TCase *damping = tcase_create("damping");
  const int n = (int)(sizeof kinds / sizeof *kinds);
  tcase_add_loop_test(damping, the_ledger_closes_with_damping, 0, n);
  tcase_add_loop_test(damping, energy_falls_when_nothing_gives_any, 0, n);
  tcase_add_loop_test(damping, a_translation_decays_by_the_schemes_factor, 0, 3);
  suite_add_tcase(suite, damping);
  return support_run(suite);
}

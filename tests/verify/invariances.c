/* The same problem told in another way has the same answer: mirrored, renumbered, in other units, turned, in motion. */
#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum { N_NEAR = 100, N_FAR = 2500 }; /* to the first reversal of the load, t = 0.25 */

static int far_steps(void) {
  return getenv("PRC_SHORT") ? N_FAR / 5 : N_FAR;
}

/* Two runs of equal rounding agree to 1e-10 at first; statuses that flip a step apart cost more, as between programs. */
static void expect_same_energies(block *a, block *b, int n, double factor) {
  for (int k = 1; k <= n; k++) {
    block_step(a, 1), block_step(b, 1);
    const double E = block_energy(a), tolerance = k <= N_NEAR ? 1e-10 : 1e-7;
    ck_assert_msg(fabs(factor * block_energy(b) - E) <= tolerance * E, "step %d: %.12g and %.12g", k,
                  factor * block_energy(b), E);
    ck_assert_msg(fabs(factor * b->row->work_contact_tangential - a->row->work_contact_tangential)
                      <= tolerance * E,
                  "step %d: friction %.12g and %.12g", k, factor * b->row->work_contact_tangential,
                  a->row->work_contact_tangential);
  }
}

/* q of b at node to[a] is q of a at node a, with the sign of each component. */
static void expect_same_place(const block *a, const block *b, const int *to, double sign_x,
                              double tolerance) {
  double largest = 0.0;
  for (int i = 0; i < a->system->space.nv; i++) largest = fmax(largest, fabs(a->record->q[i]));
  for (int i = 0; i < a->system->space.nv; i++) {
    const int j = to ? 2 * to[i / 2] + i % 2 : i;
    const double q = (i % 2 == 0 ? sign_x : 1.0) * b->record->q[j];
    ck_assert_msg(fabs(q - a->record->q[i]) <= tolerance * largest, "dof %d: %.12g and %.12g of %.3g", i, q,
                  a->record->q[i], largest);
  }
}

START_TEST(a_mirrored_block_moves_as_in_a_mirror) {
  const double mirror[2][2] = {{-1.0, 0.0}, {0.0, 1.0}}, offset[2] = {40.0, 0.0};
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0), *mirrored = block_mapped(mesh, mirror, offset);
  block a, b;
  block_case(&a, mesh), block_case(&b, mirrored);
  b.traction.factor = -1.0;
  block_start(&a), block_start(&b);
  expect_same_energies(&a, &b, far_steps(), 1.0);
  expect_same_place(&a, &b, NULL, -1.0, 1e-7);
  block_free(&a), block_free(&b);
  prc_mesh_free(&mesh), prc_mesh_free(&mirrored);
}
END_TEST

START_TEST(numbers_of_nodes_and_triangles_do_not_matter) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0);
  int *to = malloc((size_t)mesh->n_nodes * sizeof *to);
  ck_assert_ptr_nonnull(to);
  prc_mesh *shuffled = block_shuffled(mesh, (uint64_t)_i + 1, to);
  block a, b;
  block_case(&a, mesh), block_case(&b, shuffled);
  block_start(&a), block_start(&b);
  expect_same_energies(&a, &b, far_steps(), 1.0);
  expect_same_place(&a, &b, to, 1.0, 1e-7);
  block_free(&a), block_free(&b);
  free(to);
  prc_mesh_free(&mesh), prc_mesh_free(&shuffled);
}
END_TEST

/* N mm in g-mm-ms is 1e-3 J. The tolerances of activation and of the contact problem follow the problem's own scales. */
START_TEST(units_do_not_matter) {
  const double scale[2][2] = {{1e-3, 0.0}, {0.0, 1e-3}}, offset[2] = {0.0, 0.0};
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0), *metres = block_mapped(mesh, scale, offset);
  block a, b;
  block_case(&a, mesh), block_case(&b, metres);
  block_in_units(&b, (block_units){1e-3, 1e-3, 1e-3});
  ck_assert_double_eq_tol(b.material.young, 5.75e9, 1.0);
  ck_assert_double_eq_tol(b.material.density, 1170.0, 1e-9);
  ck_assert_double_eq_tol(b.traction.factor, 1e6, 1e-6);
  a.step.law = b.step.law = _i ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND;
  block_start(&a), block_start(&b);
  expect_same_energies(&a, &b, N_NEAR, 1e3);
  for (int i = 0; i < a.system->space.nv; i++)
    ck_assert_double_le(fabs(1e3 * b.record->q[i] - a.record->q[i]), 1e-9 * 5e-3);
  const prc_certificate c = block_certificate(&b);
  ck_assert_int_eq(c.verdict, PRC_PASS);
  block_free(&a), block_free(&b);
  prc_mesh_free(&mesh), prc_mesh_free(&metres);
}
END_TEST

/* A free block under 2000 times the gravity of the other cases falls on its floor and is pushed along it; no supports, since those
 * hold components along the axes. */
static void start_turned(block *b, const prc_mesh *mesh, double angle, double push) {
  const double gravity = 2.0, c = cos(angle), s = sin(angle), up[2] = {-s, c}, point[2] = {0.0, 0.0};
  prc_error err = {0};
  block_case(b, mesh);
  block_without_support(b);
  b->model.gravity[0] = prc_field_constant(gravity * s),
  b->model.gravity[1] = prc_field_constant(-gravity * c);
  b->load.traction[0] = prc_field_constant(push * c), b->load.traction[1] = prc_field_constant(push * s);
  support_ok(prc_contact_plane_make(point, up, &b->contact.plane, &err), &err);
  b->step.h = 5e-4;
  block_prepare(b);
  for (int i = 0; i < b->system->space.nv; i++)
    b->v0[i] = (i % 2 ? -0.2 * c : 0.2 * s); /* falling, at first contact */
  block_begin(b);
}

START_TEST(a_turned_world_has_the_same_energies) {
  const double angle = acos(-1.0) / 180.0 * (double[]){30.0, -75.0, 90.0}[_i], c = cos(angle), s = sin(angle);
  const double turn[2][2] = {{c, -s}, {s, c}}, offset[2] = {0.0, 0.0};
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0), *turned = block_mapped(mesh, turn, offset);
  block a, b;
  double slid = 0.0, stuck = 0.0;
  start_turned(&a, mesh, 0.0, 1.0), start_turned(&b, turned, angle, 1.0);
  for (int k = 0; k < N_NEAR; k++) {
    expect_same_energies(&a, &b, 1, 1.0);
    ck_assert(a.row->active == b.row->active);
    slid += a.row->sliding, stuck += a.row->sticking;
  }
  ck_assert_double_gt(slid, 50.0); /* or nothing was tested */
  ck_assert_double_gt(stuck, 50.0);
  for (int i = 0; i < a.system->space.nv; i += 2) { /* the displacements are the turned ones */
    const double *p = a.record->q + i, *q = b.record->q + i;
    ck_assert_double_le(hypot(c * p[0] - s * p[1] - q[0], s * p[0] + c * p[1] - q[1]), 1e-10);
  }
  block_free(&a), block_free(&b);
  prc_mesh_free(&mesh), prc_mesh_free(&turned);
}
END_TEST

START_TEST(a_translation_stores_no_energy) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0);
  block b;
  block_case(&b, mesh);
  block_without_support(&b), block_without_load(&b);
  b.model.gravity[1] = prc_field_constant(0.0);
  b.contact.friction = prc_field_constant(0.0);
  block_prepare(&b);
  for (int i = 0; i < b.system->space.nv; i += 2) b.v0[i] = 10.0;
  block_begin(&b);
  const double kinetic = b.row->kinetic;
  ck_assert_double_eq_tol(kinetic, 0.5 * 1.17e-3 * 15.0 * 40.0 * 25.0 * 100.0, 1e-9);
  block_step(&b, 2000);
  /* rounding of K v in each of the steps, along v: 1e-10 of what the preload of this block would store, 1.8 */
  ck_assert_double_le(fabs(b.row->elastic), 1e-9);
  ck_assert_double_le(fabs(b.row->kinetic - kinetic), 1e-12 * kinetic);
  ck_assert_double_eq_tol(b.record->q[0], 2.0, 1e-10);
  ck_assert_int_eq(block_certificate(&b).verdict, PRC_PASS);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

/* The preloaded block on ice with a velocity of its own: 5e-3 mm of deformation, 2 mm of sliding. */
START_TEST(the_ledger_closes_after_sliding_far) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0);
  block still, b;
  for (int k = 0; k < 2; k++) {
    block *one = k ? &b : &still;
    block_case(one, mesh);
    block_without_load(one);
    one->contact.friction = prc_field_constant(0.0);
    block_prepare(one);
    for (int i = 0; k && i < one->system->space.nv; i += 2) one->v0[i] = 10.0;
    block_begin(one);
  }
  const double kinetic = b.row->kinetic;
  for (int k = 1; k <= 2000; k++) {
    block_step(&still, 1), block_step(&b, 1);
    /* the vibration is that of the block at rest: a Galilean change of frame. The crossed term v0 x momentum stays zero */
    ck_assert_double_le(fabs(b.row->elastic - still.row->elastic), 1e-8 * still.row->elastic);
    ck_assert_double_le(fabs(b.row->kinetic - kinetic - still.row->kinetic), 1e-10 * kinetic);
  }
  const prc_certificate c = block_certificate(&b);
  ck_assert_int_eq(c.verdict, PRC_PASS);
  ck_assert_double_le(c.entry[PRC_CERTIFY_BALANCE].value, 1e-11);
  ck_assert_double_gt(b.record->q[0], 1.9);
  block_free(&still), block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("invariances");
  TCase *told = tcase_create("told in another way"), *moving = tcase_create("moving");
  tcase_add_test(told, a_mirrored_block_moves_as_in_a_mirror);
  tcase_add_loop_test(told, numbers_of_nodes_and_triangles_do_not_matter, 0, 2);
  tcase_add_loop_test(told, units_do_not_matter, 0, 2);
  tcase_add_loop_test(told, a_turned_world_has_the_same_energies, 0, 3);
  tcase_add_test(moving, a_translation_stores_no_energy);
  tcase_add_test(moving, the_ledger_closes_after_sliding_far);
  suite_add_tcase(suite, told);
  suite_add_tcase(suite, moving);
  return support_run(suite);
}

/* What C does where there is no inertia: load steps in which only dashpots or the damping of a material resist, and contact nodes without
 * mass, which may have no damping of their own. */
#include "config.h"
#include "support/halves.h"
#include "support/support.h"

#include <math.h>

static prc_error err;
static const double stiff[3] = {2.5, 0.25, 1.5}, soft[3] = {0.9, 0.3, 2.0};

/* ---- load steps -------------------------------------------------------------------------------------------------------------- */

/* A plate of two halves without Poisson's ratio, pulled at its right end by the traction 3, on rollers below: nothing but the dashpot d at
 * its left end resists. So that end moves with 3 / d from the first step on, the strains come at once, and the work of the dashpot is
 * -3 v t per area. */
START_TEST(a_dashpot_is_a_drag_of_load_steps) {
  static const double one[3] = {2.5, 0.0, 1.5}, two[3] = {5.0, 0.0, 0.5};
  const double d = 0.6, h = 0.25, pull = 3.0, rate = pull / d;
  halves p;
  prc_step_options o = prc_step_options_default(h);
  prc_fem_free_body *list = NULL;
  double damping = 0.0, external = 0.0;
  int n = 0;
  halves_open(&p, 3, 0, one, two);
  rig_hold(&p.rig, 0, PLATE_BOTTOM, 0, 1);
  const prc_fem_dashpot end = {"left", &p.rig.mesh->group[PLATE_LEFT], {0, 0}, {d, 0.0}};
  p.rig.load[0] = (prc_fem_load){
      .name = "pull", .group = &p.rig.mesh->group[PLATE_RIGHT], .traction = {{.constant = pull}}};
  p.rig.model.n_loads = 1, p.rig.model.n_dashpots = 1, p.rig.model.dashpot = &end;
  rig_build(&p.rig);
  support_ok(prc_fem_free_bodies(p.rig.fem, &n, &list, &err), &err);
  ck_assert_int_eq(n, 1);
  prc_delete(&list);
  support_ok(prc_fem_undragged_bodies(p.rig.fem, &n, &list, &err), &err);
  ck_assert_int_eq(n, 0);
  prc_delete(&list);
  o.scheme = "static", o.theta = 1.0;
  double *zero = rig_room((size_t)p.rig.system->space.nv);
  rig_start(&p.rig, &o, zero, zero);
  for (int k = 1; k <= 8; k++) {
    rig_step(&p.rig, 1);
    for (int a = 0; a < p.rig.mesh->n_nodes; a++) {
      const double x = p.rig.mesh->x[2 * a],
                   strain = x < 1.0 ? pull / one[0] * x : pull / one[0] + pull / two[0] * (x - 1.0);
      ck_assert_double_eq_tol(p.rig.record->q[2 * a], rate * h * k + strain, 1e-12 * rate * h * k);
      ck_assert_double_eq_tol(p.rig.record->q[2 * a + 1], 0.0, 1e-12);
    }
    damping += p.rig.record->work[PRC_WORK_damping] + p.rig.record->work[PRC_WORK_boundary],
        external += p.rig.record->work[PRC_WORK_external];
    ck_assert_double_eq_tol(damping, -pull * rate * h * k, 1e-11 * pull * rate * h * k);
    ck_assert_double_eq_tol(external, pull * (rate * h * k + pull / one[0] + pull / two[0]),
                            1e-11 * external);
  }
  prc_delete(&zero);
  rig_close(&p.rig);
}
END_TEST

/* The motions that dashpots leave: of one on the left, along its normal and across it. _i: which coefficients there are. */
START_TEST(what_dashpots_do_not_hold_is_known) {
  static const int left[] = {3, 1, 2, 0}; /* a normal force on an edge resists a turn as well */
  halves p;
  prc_fem_free_body *list = NULL;
  int n = 0;
  halves_open(&p, 3, 0, stiff, stiff);
  const prc_fem_dashpot end = {"left", &p.rig.mesh->group[PLATE_LEFT], {0, 0}, {_i & 1, _i >> 1}};
  p.rig.model.n_dashpots = 1, p.rig.model.dashpot = &end;
  rig_build(&p.rig);
  support_ok(prc_fem_undragged_bodies(p.rig.fem, &n, &list, &err), &err);
  ck_assert_int_eq(n, _i < 3);
  ck_assert_int_eq(n ? list[0].n_modes : 0, left[_i]);
  prc_delete(&list);
  rig_close(&p.rig);
}
END_TEST

/* A drag on the mass of the left half alone: the sum of C v is the load in every step. */
START_TEST(a_damped_half_is_a_drag_of_load_steps) {
  halves p;
  prc_step_options o = prc_step_options_default(0.5);
  prc_fem_free_body *list = NULL;
  int n = 0;
  halves_open(&p, 9, 0, stiff, soft);
  rig_hold(&p.rig, 0, PLATE_BOTTOM, 0, 1);
  halves_damp(&p, (prc_fem_damping){0.25, 0.0}, (prc_fem_damping){0.0, 0.0});
  p.rig.load[0] = (prc_fem_load){
      .name = "pull", .group = &p.rig.mesh->group[PLATE_RIGHT], .traction = {{.constant = 3.0}}};
  p.rig.model.n_loads = 1;
  rig_build(&p.rig);
  support_ok(prc_fem_undragged_bodies(p.rig.fem, &n, &list, &err), &err);
  ck_assert_int_eq(n, 0);
  o.scheme = "static", o.theta = 1.0;
  const size_t size = (size_t)p.rig.system->space.nv;
  double *zero = rig_room(size), *x = rig_room(size);
  for (size_t i = 0; i < size; i += 2) x[i] = 1.0;
  /* of the left half, 1 x 1 */
  ck_assert_double_eq_tol(prc_sym_form(p.rig.system->dynamics.C, x, x), 0.25 * stiff[2], 1e-13);
  rig_start(&p.rig, &o, zero, zero);
  for (int k = 0; k < 40; k++) {
    rig_step(&p.rig, 1);
    ck_assert_double_eq_tol(prc_sym_form(p.rig.system->dynamics.C, x, p.rig.record->v), 3.0, 1e-10);
  }
  /* then all of it moves at one rate */
  for (size_t i = 0; i < size; i += 2)
    ck_assert_double_eq_tol(p.rig.record->v[i], 3.0 / (0.25 * stiff[2]), 1e-6);
  prc_delete(&zero);
  prc_delete(&x);
  rig_close(&p.rig);
}
END_TEST

/* ---- contact nodes without mass ------------------------------------------------------------------------------------------------- */

static void touch(halves *h, int side) {
  const double point[2] = {0.0, 0.0}, normal[2] = {0.0, 1.0};
  prc_fem_contact *c = &h->rig.contact;
  *c = (prc_fem_contact){.name = "floor", .group = &h->rig.mesh->group[side], .friction = {.constant = 0.3}};
  support_ok(prc_contact_plane_make(point, normal, &c->plane, &err), &err);
  h->rig.model.n_contacts = 1, h->rig.model.mass = PRC_MASS_MODIFIED;
}

START_TEST(massless_nodes_with_damping_of_their_own_are_refused) {
  halves h;
  halves_open(&h, 3, 0, stiff, soft);
  touch(&h, PLATE_BOTTOM);
  halves_damp(&h, (prc_fem_damping){0.0, 0.1}, (prc_fem_damping){0.0, 0.2});
  prc_error_clear(&err);
  support_fails(prc_fem_create(&h.rig.model, &h.rig.fem, &err), PRC_INPUT, &err,
                "the materials differ in damping.stiffness and contact node");
  const prc_fem_dashpot end = {"end", &h.rig.mesh->group[PLATE_RIGHT], {1, 1}, {0.0, 0.0}};
  h.rig.model.own_damping = NULL, h.rig.model.n_dashpots = 1, h.rig.model.dashpot = &end;
  prc_error_clear(&err);
  support_fails(prc_fem_create(&h.rig.model, &h.rig.fem, &err), PRC_INPUT, &err, "dashpot 'end': its node ");
  rig_close(&h.rig);
}
END_TEST

/* Drags on the mass that differ leave them alone, and so does a dashpot on the other side: it falls, and the energy balances. */
START_TEST(massless_nodes_go_with_what_leaves_them_alone) {
  halves h;
  prc_step_options o = prc_step_options_default(1.0 / 64.0);
  halves_open(&h, 3, 0, stiff, soft);
  touch(&h, PLATE_BOTTOM);
  halves_damp(&h, (prc_fem_damping){0.5, 0.01}, (prc_fem_damping){0.0, 0.01});
  const prc_fem_dashpot top = {"top", &h.rig.mesh->group[PLATE_TOP], {0, 0}, {0.125, 0.25}};
  h.rig.model.n_dashpots = 1, h.rig.model.dashpot = &top;
  h.rig.model.gravity[1] = prc_field_constant(-0.25);
  rig_build(&h.rig);
  ck_assert_ptr_nonnull(h.rig.system->dynamics.C);
  ck_assert(h.rig.system->dynamics.damping_stiffness == 0.01);
  const size_t n = (size_t)h.rig.system->space.nv;
  double *q = rig_room(n), *v = rig_room(n), damping = 0.0, most = 0.0;
  for (size_t i = 1; i < n; i += 2) q[i] = 0.05;
  rig_start(&h.rig, &o, q, v);
  for (int k = 0; k < 200; k++) {
    rig_step(&h.rig, 1);
    const prc_step_record *r = h.rig.record;
    double given = 0.0;
    for (int w = 0; w < PRC_N_WORKS; w++) given += r->work[w];
    for (int c = 0; c < r->n_contacts; c++)
      for (int j = 0; j < 2; j++) given += r->p[2 * c + j] * r->u_work[2 * c + j];
    most = fmax(most, fabs(r->kinetic + r->potential - given));
    damping += r->work[PRC_WORK_damping] + r->work[PRC_WORK_boundary];
  }
  ck_assert_double_lt(damping, -1e-3);
  ck_assert_double_le(most, 1e-13 * 0.25 * 3.5 * 0.05); /* of the weight times the fall */
  prc_delete(&q);
  prc_delete(&v);
  rig_close(&h.rig);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("drags");
  TCase *all = tcase_create("drags");
  tcase_set_timeout(all, 60);
  tcase_add_test(all, a_dashpot_is_a_drag_of_load_steps);
  tcase_add_loop_test(all, what_dashpots_do_not_hold_is_known, 0, 4);
  tcase_add_test(all, a_damped_half_is_a_drag_of_load_steps);
  tcase_add_test(all, massless_nodes_with_damping_of_their_own_are_refused);
  tcase_add_test(all, massless_nodes_go_with_what_leaves_them_alone);
  suite_add_tcase(suite, all);
  return support_run(suite);
}

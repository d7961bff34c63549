#include "config.h"
#include "fem/fem.h"
#include "support/body.h"
#include "support/forked_ranks.h"
#include "support/path.h"
#include "support/plate.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* Elasticity on the parts of a mesh: in rows of own nodes the matrices and loads are those of the whole. */

static const int types[] = {2, 9, 3, 16, 10, PLATE_LINEAR_MIX, PLATE_QUADRATIC_MIX};
static const int numbers[] = {1, 2, 3, 4, 7};
enum { TYPES = sizeof types / sizeof *types, NUMBERS = sizeof numbers / sizeof *numbers };

static prc_error error;

BODY_FUNCTION(varying, 1.0 + x * x - 2.0 * y + sin(3.0 * t))
BODY_FUNCTION(pushing, 2.0 - y + 0.5 * t)

/* One of everything: forces of the body and of edges that depend on place and time, a support, springs, dashpots, and an interface along the fault. */
typedef struct {
  formula varying, pushing;
  prc_fem_material material;
  prc_fem_load load[2];
  prc_fem_support support;
  prc_fem_spring spring;
  prc_fem_dashpot dashpot;
  prc_fem_interface interface;
  prc_fem_model model;
  prc_fem *fem;
  const prc_system *system;
} elastic;

static prc_status make(elastic *e, const prc_mesh *mesh, prc_fem_mass mass, prc_error *err) {
  *e = (elastic){.varying = {varying}, .pushing = {pushing}};
  const prc_field zero = prc_field_constant(0.0), vary = body_field(&e->varying, 1, 1),
                  push = body_field(&e->pushing, 1, 1);
  e->material = (prc_fem_material){
      .group = prc_mesh_find(mesh, 2, "plate"), .young = 1e3, .poisson = 0.3, .density = 2.0};
  e->load[0] = (prc_fem_load){
      .name = "right", .group = prc_mesh_find(mesh, 1, "right"), .traction = {vary, zero}, .pressure = push};
  e->load[1] = (prc_fem_load){.name = "inside",
                              .group = prc_mesh_find(mesh, 1, "inside"),
                              .traction = {zero, prc_field_constant(3.0)}};
  e->support = (prc_fem_support){
      .name = "left", .group = prc_mesh_find(mesh, 1, "left"), .held = {1, 0}, .displacement = {zero, zero}};
  e->spring =
      (prc_fem_spring){.name = "bottom", .group = prc_mesh_find(mesh, 1, "bottom"), .stiffness = {5.0, 2.0}};
  e->dashpot = (prc_fem_dashpot){.name = "top", .group = prc_mesh_find(mesh, 1, "top"), .absorbs = {1, 1}};
  e->interface = (prc_fem_interface){
      .name = "fault",
      .group = {prc_mesh_find(mesh, 1, "fault.right"), prc_mesh_find(mesh, 1, "fault.left")},
      .friction = {.parameter = {prc_field_constant(0.4)}},
      .restitution = zero,
      .small = 1};
  e->model = (prc_fem_model){.mesh = mesh,
                             .thickness = 0.5,
                             .mass = mass,
                             .damping_stiffness = 1e-3,
                             .gravity = {zero, prc_field_constant(-9.81)},
                             .body_force = {vary, zero},
                             .n_materials = 1,
                             .n_loads = 2,
                             .n_supports = 1,
                             .n_springs = 1,
                             .n_dashpots = 1,
                             .n_interfaces = 1,
                             .material = &e->material,
                             .load = e->load,
                             .support = &e->support,
                             .spring = &e->spring,
                             .dashpot = &e->dashpot,
                             .interface = &e->interface};
  forked_try(prc_fem_create(&e->model, &e->fem, err));
  e->system = prc_fem_system(e->fem);
  return PRC_OK;
}

/* ---- the whole, as full matrices ------------------------------------------------------------------------- */

typedef struct {
  prc_mesh *mesh, *dealt;
  prc_fem_mass mass;
  int n;
  double *M, *K, *C, *F;
  elastic elastic;
} whole;

static const double at_time = 0.7;

/* dof: of the n rows and columns of `to`, those of A */
static void fill(const prc_sym *A, const int *dof, int n, double *to) {
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
      const int row = dof ? dof[A->i[k]] : A->i[k], column = dof ? dof[j] : j;
      to[(size_t)n * (size_t)row + (size_t)column] = to[(size_t)n * (size_t)column + (size_t)row] = A->x[k];
    }
}

static prc_status full(const prc_sym *A, const int *dof, int n, double **out, prc_error *err) {
  forked_try(prc_new(out, (size_t)n * (size_t)n, err));
  if (A) fill(A, dof, n, *out); /* without dashpots there is no C */
  return PRC_OK;
}

static double largest(const double *x, size_t n) {
  double most = 0.0;
  for (size_t k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
  return most;
}

/* ---- a part ---------------------------------------------------------------------------------------------- */

typedef struct {
  const whole *whole;
  const prc_share *share;
  int *dof; /* of the part: which of the whole it is */
} view;

static prc_status rows_are_the_same(const prc_ranks *ranks, const view *v, const prc_sym *part,
                                    const double *of_whole, prc_error *err) {
  const size_t n = (size_t)v->whole->n;
  const double near = 1e-13 * largest(of_whole, n * n);
  double *A = NULL;
  int first, end;
  forked_assert(near > 0.0);
  forked_try(full(part, v->dof, v->whole->n, &A, err));
  prc_share_own(v->share, 2 * v->share->n, &first, &end);
  for (int i = first; i < end; i++) {
    const size_t row = n * (size_t)v->dof[i];
    for (size_t j = 0; j < n; j++) forked_assert(fabs(A[row + j] - of_whole[row + j]) <= near);
  }
  prc_delete(&A);
  return PRC_OK;
}

static prc_status loads_are_the_same(const prc_ranks *ranks, const view *v, const elastic *e,
                                     prc_error *err) {
  const double near = 1e-13 * largest(v->whole->F, (size_t)v->whole->n);
  double *F = NULL;
  int first, end;
  forked_assert(near > 0.0);
  forked_try(prc_new(&F, e->system->space.nv, err));
  forked_try(e->system->dynamics.loads(e->system->owner, &(prc_at){.t = at_time}, F, err));
  prc_share_own(v->share, e->system->space.nv, &first, &end);
  for (int i = first; i < end; i++) forked_assert(fabs(F[i] - v->whole->F[v->dof[i]]) <= near);
  prc_delete(&F);
  return PRC_OK;
}

static int is_prescribed(const elastic *e, int dof) {
  for (int k = 0; k < e->system->drive.n; k++)
    if (e->system->drive.dof[k] == dof) return 1;
  return 0;
}

/* Of copies too. */
static prc_status supports_are_the_same(const prc_ranks *ranks, const view *v, const elastic *e,
                                        prc_error *err) {
  for (int i = 0; i < e->system->space.nv; i++)
    forked_assert(is_prescribed(e, i) == is_prescribed(&v->whole->elastic, v->dof[i]));
  return PRC_OK;
}

/* All ranks have all contacts, in the same order. */
static prc_status contacts_are_the_same(const prc_ranks *ranks, const view *v, const elastic *e,
                                        prc_error *err) {
  const prc_fem *one = e->fem, *other = v->whole->elastic.fem;
  const int n = prc_fem_contact_first(other, 1);
  forked_assert(n > 0 && prc_fem_contact_first(one, 1) == n);
  for (int k = 0; k < n; k++) {
    const double *frame = prc_fem_contact_frames(one) + 4 * k,
                 *wanted = prc_fem_contact_frames(other) + 4 * k;
    forked_assert(v->share->whole[prc_fem_contact_nodes(one)[k]] == prc_fem_contact_nodes(other)[k]);
    forked_assert(prc_fem_contact_areas(one)[k] == prc_fem_contact_areas(other)[k]);
    forked_assert(memcmp(frame, wanted, 4 * sizeof *frame) == 0);
  }
  return PRC_OK;
}

static prc_status look(const prc_ranks *ranks, void *data, prc_error *err) {
  const whole *w = data;
  static const char *const kept[] = {"fault.right", "fault.left"};
  prc_mesh *mesh = ranks->rank ? NULL : w->dealt;
  elastic e;
  forked_try(prc_mesh_distribute(ranks, 2, kept, &mesh, err));
  view v = {.whole = w, .share = &mesh->part->share};
  forked_try(prc_new(&v.dof, 2 * (size_t)mesh->n_nodes, err));
  for (int i = 0; i < 2 * mesh->n_nodes; i++) v.dof[i] = 2 * v.share->whole[i / 2] + i % 2;
  forked_try(make(&e, mesh, w->mass, err));
  forked_try(rows_are_the_same(ranks, &v, e.system->dynamics.M, w->M, err));
  forked_try(rows_are_the_same(ranks, &v, e.system->dynamics.K, w->K, err));
  forked_try(rows_are_the_same(ranks, &v, e.system->dynamics.C, w->C, err));
  forked_try(loads_are_the_same(ranks, &v, &e, err));
  forked_try(supports_are_the_same(ranks, &v, &e, err));
  forked_try(contacts_are_the_same(ranks, &v, &e, err));
  prc_delete(&v.dof);
  prc_fem_free(&e.fem);
  prc_mesh_free(&mesh);
  return PRC_OK;
}

START_TEST(own_rows_are_those_of_the_whole) {
  const int type = types[_i % TYPES], other = types[(_i + 3) % TYPES];
  whole w = {.mesh = path_bodies(type, other),
             .dealt = path_bodies(type, other),
             .mass = _i % 2 ? PRC_MASS_LUMPED : PRC_MASS_CONSISTENT};
  w.n = 2 * w.mesh->n_nodes;
  support_ok(make(&w.elastic, w.mesh, w.mass, &error), &error);
  const prc_dynamics *dynamics = &w.elastic.system->dynamics;
  support_ok(full(dynamics->M, NULL, w.n, &w.M, &error), &error);
  support_ok(full(dynamics->K, NULL, w.n, &w.K, &error), &error);
  support_ok(full(dynamics->C, NULL, w.n, &w.C, &error), &error);
  support_ok(prc_new(&w.F, w.n, &error), &error);
  support_ok(dynamics->loads(w.elastic.system->owner, &(prc_at){.t = at_time}, w.F, &error), &error);
  forked_ok(numbers[_i / TYPES], look, &w);
  prc_delete(&w.M), prc_delete(&w.K), prc_delete(&w.C), prc_delete(&w.F);
  prc_fem_free(&w.elastic.fem);
  prc_mesh_free(&w.mesh), prc_mesh_free(&w.dealt);
}
END_TEST

SUITE(deal_fem) {
  Suite *suite = suite_create("deal_fem");
  TCase *tc = tcase_create("deal_fem");
  tcase_set_timeout(tc, 60.0);
  tcase_add_loop_test(tc, own_rows_are_those_of_the_whole, 0, TYPES * NUMBERS);
  suite_add_tcase(suite, tc);
  return suite;
}

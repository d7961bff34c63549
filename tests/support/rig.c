#include "config.h"
#include "support/rig.h"
#include "support/support.h"

static prc_error err;

/* LAPACK: A x = lambda B x, eigenvalues ascending, vectors in A */
void dsygv_(const int *type, const char *jobz, const char *uplo, const int *n, double *A, const int *lda,
            double *B, const int *ldb, double *w, double *work, const int *lwork, int *info);

void rig_open(rig *r, const plate *p, const double material[3]) {
  prc_error_clear(&err);
  *r = (rig){.mesh = plate_mesh(p)};
  r->material = (prc_fem_material){.group = &r->mesh->group[PLATE_CELLS],
                                   .young = material[0],
                                   .poisson = material[1],
                                   .density = material[2]};
  r->model = (prc_fem_model){.mesh = r->mesh,
                             .thickness = 1.0,
                             .n_materials = 1,
                             .material = &r->material,
                             .load = r->load,
                             .support = r->support,
                             .contact = &r->contact};
}

void rig_hold(rig *r, int k, int side, int x, int y) {
  const prc_field zero = prc_field_constant(0.0);
  r->support[k] = (prc_fem_support){
      .name = "side", .group = &r->mesh->group[side], .held = {x, y}, .displacement = {zero, zero}};
  if (k >= r->model.n_supports) r->model.n_supports = k + 1;
}

void rig_build(rig *r) {
  support_ok(prc_fem_create(&r->model, &r->fem, &err), &err);
  r->system = prc_fem_system(r->fem);
}

void rig_start(rig *r, const prc_step_options *options, const double *q, const double *v) {
  support_ok(prc_stepper_create(r->system, options, &r->stepper, &err), &err);
  support_ok(prc_stepper_start(r->stepper, q, v, &err), &err);
  r->record = prc_stepper_record(r->stepper);
}

void rig_step(rig *r, int n) {
  for (int k = 0; k < n; k++) support_ok(prc_stepper_step(r->stepper, &err), &err);
}

void rig_close(rig *r) {
  prc_stepper_free(&r->stepper);
  prc_fem_free(&r->fem);
  prc_mesh_free(&r->mesh);
}

double *rig_room(size_t n) {
  double *x = NULL;
  support_ok(prc_new(&x, n, &err), &err);
  return x;
}

void rig_eigen(int n, double *A, double *B, double *lambda) {
  const int type = 1, length = 40 * n;
  double *work = rig_room((size_t)length);
  int info = 0;
  dsygv_(&type, "V", "L", &n, A, &n, B, &n, lambda, work, &length, &info);
  ck_assert_int_eq(info, 0);
  prc_delete(&work);
}

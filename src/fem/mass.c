#include "config.h"
#include "fem/internal.h"

#include <math.h>

/* The modified mass of Khenous, Laborde & Renard (2008): no mass at contact nodes, the body's mass, centre
 * and moments of inertia as before. M' = D M D with D diagonal: zero at contact nodes, elsewhere a quadratic
 * polynomial of place whose six coefficients make the six moments 1, x, y, xx, xy, yy of M' those of M; they
 * are found by Newton's method from D = 1. M' is positive definite over the other nodes as long as D has no
 * zero there. */

enum { N_MOMENTS = 6 };
static const int pair[N_MOMENTS][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

typedef struct {
  int n; /* nodes */
  const prc_sym *M;
  const char *touches; /* n */
  double *basis; /* N_MOMENTS per node: 1, x, y, xx, xy, yy, from the middle of the body and by its size */
  double *d, *x, *y; /* d: n; the others 3 vectors of 2 n */
} work;

static void set_basis(const prc_mesh *mesh, work *w) {
  const double size = 0.5 * hypot(mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1]);
  for (int a = 0; a < w->n; a++) {
    double *b = w->basis + (ptrdiff_t)N_MOMENTS * a, at[2];
    for (int k = 0; k < 2; k++) at[k] = (mesh->x[2 * a + k] - 0.5 * (mesh->low[k] + mesh->high[k])) / size;
    b[0] = 1.0, b[1] = at[0], b[2] = at[1];
    b[3] = at[0] * at[0], b[4] = at[0] * at[1], b[5] = at[1] * at[1];
  }
}

/* x_p = D phi_p and y_p = M x_p for phi = 1, x, y; their products are the moments. */
static void moments_of(work *w, double moment[N_MOMENTS]) {
  const size_t length = 2 * (size_t)w->n;
  for (int p = 0; p < 3; p++) {
    for (int a = 0; a < w->n; a++)
      w->x[(size_t)p * length + 2 * (size_t)a] = w->d[a] * w->basis[N_MOMENTS * a + p];
    prc_sym_multiply(w->M, w->x + (size_t)p * length, w->y + (size_t)p * length);
  }
  for (int i = 0; i < N_MOMENTS; i++) {
    const double *x = w->x + (size_t)pair[i][0] * length, *y = w->y + (size_t)pair[i][1] * length;
    moment[i] = 0.0;
    for (int a = 0; a < w->n; a++) moment[i] += x[2 * a] * y[2 * a];
  }
}

/* One step of Newton's method on the coefficients; returns its size. */
static prc_status newton_step(work *w, const double wanted[N_MOMENTS], double c[N_MOMENTS], double *size,
                              prc_error *err) {
  const size_t length = 2 * (size_t)w->n;
  double J[N_MOMENTS * N_MOMENTS] = {0.0}, r[N_MOMENTS];
  int pivots[N_MOMENTS];
  moments_of(w, r);
  for (int i = 0; i < N_MOMENTS; i++) {
    const int p = pair[i][0], q = pair[i][1];
    const double *y_p = w->y + (size_t)p * length, *y_q = w->y + (size_t)q * length;
    r[i] = wanted[i] - r[i];
    for (int a = 0; a < w->n; a++) {
      const double *b = w->basis + (ptrdiff_t)N_MOMENTS * a,
                   by = w->touches[a] ? 0.0 : b[p] * y_q[2 * a] + b[q] * y_p[2 * a];
      for (int j = 0; j < N_MOMENTS; j++) J[N_MOMENTS * i + j] += by * b[j];
    }
  }
  if (prc_dense_solve(N_MOMENTS, J, pivots, r) != PRC_OK)
    return prc_fail(err, PRC_SINGULAR, "the nodes that touch nothing cannot carry the mass of the body");
  *size = 0.0;
  for (int j = 0; j < N_MOMENTS; j++) c[j] += r[j], *size = fmax(*size, fabs(r[j]));
  for (int a = 0; a < w->n; a++) {
    w->d[a] = 0.0;
    for (int j = 0; j < N_MOMENTS && !w->touches[a]; j++) w->d[a] += c[j] * w->basis[N_MOMENTS * a + j];
  }
  return PRC_OK;
}

static prc_status find_factors(work *w, prc_error *err) {
  prc_status status = PRC_OK;
  double wanted[N_MOMENTS], c[N_MOMENTS] = {1.0}, size = 1.0;
  for (int a = 0; a < w->n; a++) w->d[a] = 1.0;
  moments_of(w, wanted);
  for (int a = 0; a < w->n; a++) w->d[a] = !w->touches[a];
  for (int k = 0; k < 50 && size > 1e-14; k++) prc_try(newton_step(w, wanted, c, &size, err));
  for (int a = 0; a < w->n; a++)
    if (!w->touches[a] && !(w->d[a] > 0.0 && size < 1e-10))
      return prc_fail(err, PRC_INPUT,
                      "the mesh is too coarse for mass: modified: the mass of the contact nodes does not fit "
                      "into the others");
done:
  return status;
}

prc_status prc_fem_modify_mass(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = fem->model->mesh;
  work w = {.n = mesh->n_nodes, .M = fem->M};
  char *touches = NULL;
  prc_sym *M = fem->M;
  prc_try(prc_new(&touches, w.n, err));
  prc_try(prc_new(&w.basis, N_MOMENTS * (size_t)w.n, err));
  prc_try(prc_new(&w.d, w.n, err));
  prc_try(prc_new(&w.x, 6 * (size_t)w.n, err));
  prc_try(prc_new(&w.y, 6 * (size_t)w.n, err));
  w.touches = touches;
  for (int c = 0; c < fem->points->n; c++) touches[fem->contact_node[c]] = 1;
  for (int i = 0; i < fem->model->n_interfaces; i++)
    for (int side = 0; side < 2; side++) {
      const prc_mesh_group *group = fem->model->interface[i].group[side];
      for (int k = 0; k < group->n_nodes; k++) touches[group->node[k]] = 1;
    }
  set_basis(mesh, &w);
  prc_try(find_factors(&w, err));
  for (int j = 0; j < M->n; j++)
    for (int k = M->p[j]; k < M->p[j + 1]; k++) M->x[k] *= w.d[j / 2] * w.d[M->i[k] / 2];
  fem->mass_factor = w.d, w.d = NULL;
done:
  prc_delete(&touches);
  prc_delete(&w.basis);
  prc_delete(&w.d);
  prc_delete(&w.x);
  prc_delete(&w.y);
  return status;
}

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
  const int *body;     /* n: see prc_fem_join_nodes; factors of the one that is called `root`. NULL: of all */
  int root;
  double *basis; /* N_MOMENTS per node: 1, x, y, xx, xy, yy, from the middle of the body and by its size */
  double *d, *x, *y; /* d: n; the others 3 vectors of 2 n */
} work;

static int is_of(const work *w, int a) {
  return !w->body || w->body[a] == w->root;
}

static int has_factor(const work *w, int a) {
  return is_of(w, a) && !w->touches[a];
}

static void set_basis(const prc_mesh *mesh, const double low[2], const double high[2], work *w) {
  const double size = 0.5 * hypot(high[0] - low[0], high[1] - low[1]);
  for (int a = 0; a < w->n; a++) {
    double *b = w->basis + (ptrdiff_t)N_MOMENTS * a, at[2];
    for (int k = 0; k < 2; k++) at[k] = (mesh->x[2 * a + k] - 0.5 * (low[k] + high[k])) / size;
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
                   by = !has_factor(w, a) ? 0.0 : b[p] * y_q[2 * a] + b[q] * y_p[2 * a];
      for (int j = 0; j < N_MOMENTS; j++) J[N_MOMENTS * i + j] += by * b[j];
    }
  }
  if (prc_dense_solve(N_MOMENTS, J, pivots, r) != PRC_OK)
    return prc_fail(err, PRC_SINGULAR, "the nodes that touch nothing cannot carry the mass of the body");
  *size = 0.0;
  for (int j = 0; j < N_MOMENTS; j++) c[j] += r[j], *size = fmax(*size, fabs(r[j]));
  for (int a = 0; a < w->n; a++) {
    w->d[a] = 0.0;
    for (int j = 0; j < N_MOMENTS && has_factor(w, a); j++) w->d[a] += c[j] * w->basis[N_MOMENTS * a + j];
  }
  return PRC_OK;
}

static prc_status find_factors(work *w, prc_error *err) {
  prc_status status = PRC_OK;
  double wanted[N_MOMENTS], c[N_MOMENTS] = {1.0}, size = 1.0;
  for (int a = 0; a < w->n; a++) w->d[a] = is_of(w, a);
  moments_of(w, wanted);
  for (int a = 0; a < w->n; a++) w->d[a] = has_factor(w, a);
  for (int k = 0; k < 50 && size > 1e-14; k++) prc_try(newton_step(w, wanted, c, &size, err));
  for (int a = 0; a < w->n; a++)
    if (has_factor(w, a) && !(w->d[a] > 0.0 && size < 1e-10))
      return prc_fail(err, PRC_INPUT,
                      "the mesh is too coarse for mass: modified: the mass of the contact nodes does not fit "
                      "into the others");
done:
  return status;
}

/* Several bodies have their factors each, by the box around each; one that touches nothing keeps its mass. body: n, see prc_fem_join_nodes. */
static prc_status find_factors_of(const prc_mesh *mesh, const int *body, int root, work *w, double *d,
                                  prc_error *err) {
  prc_status status = PRC_OK;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  int n = 0, touched = 0;
  w->body = body, w->root = root;
  for (int a = 0; a < w->n; a++) {
    if (!is_of(w, a)) continue;
    n++, touched += w->touches[a];
    for (int k = 0; k < 2; k++)
      low[k] = fmin(low[k], mesh->x[2 * a + k]), high[k] = fmax(high[k], mesh->x[2 * a + k]);
  }
  if (n == 1 || touched == 0) return PRC_OK; /* unused, or free */
  set_basis(mesh, low, high, w);
  prc_try(find_factors(w, err));
  for (int a = 0; a < w->n; a++)
    if (is_of(w, a)) d[a] = w->d[a];
done:
  return status;
}

static void mark_touched(const prc_fem *fem, char *touches) {
  for (int c = 0; c < fem->points->n; c++) touches[fem->contact_node[c]] = 1;
  for (int i = 0; i < fem->model->n_interfaces; i++)
    for (int side = 0; side < 2; side++) {
      const prc_mesh_group *group = fem->model->interface[i].group[side];
      for (int k = 0; k < group->n_nodes; k++) touches[group->node[k]] = 1;
    }
}

prc_status prc_fem_modify_mass(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = fem->model->mesh;
  work w = {.n = mesh->n_nodes, .M = fem->M};
  char *touches = NULL;
  double *d = NULL;
  int *body = NULL;
  prc_sym *M = fem->M;
  prc_try(prc_new(&touches, w.n, err));
  prc_try(prc_new(&d, w.n, err));
  prc_try(prc_new(&body, w.n, err));
  prc_try(prc_new(&w.basis, N_MOMENTS * (size_t)w.n, err));
  prc_try(prc_new(&w.d, w.n, err));
  prc_try(prc_new(&w.x, 6 * (size_t)w.n, err));
  prc_try(prc_new(&w.y, 6 * (size_t)w.n, err));
  w.touches = touches;
  mark_touched(fem, touches);
  prc_fem_join_nodes(fem->K, body);
  for (int a = 0; a < w.n; a++) d[a] = 1.0;
  for (int root = 0; root < w.n; root++)
    if (body[root] == root) prc_try(find_factors_of(mesh, body, root, &w, d, err));
  for (int j = 0; j < M->n; j++)
    for (int k = M->p[j]; k < M->p[j + 1]; k++) M->x[k] *= d[j / 2] * d[M->i[k] / 2];
  fem->mass_factor = d, d = NULL;
done:
  prc_delete(&touches);
  prc_delete(&body);
  prc_delete(&d);
  prc_delete(&w.d);
  prc_delete(&w.basis);
  prc_delete(&w.x);
  prc_delete(&w.y);
  return status;
}

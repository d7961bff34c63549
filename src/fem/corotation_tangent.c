#include "config.h"
#include "fem/corotation.h"

#include <math.h>
#include <string.h>

/* df/dq of strains that turn. In axes turned with the point, d alpha = rho + i omega and d beta = b_1 + i b_2 of these axes, A = |alpha|:
 *
 *   d|alpha| = rho,   d gamma = b - i gamma omega / A,   d2|alpha| = omega^2 / A,
 *   d2 gamma = -2 i omega b / A + 2 i gamma rho omega / A^2 - gamma omega^2 / A^2,
 *   d2 V = J' D J + 2 p d2|alpha| + 2 Re(conj(tau) d2 gamma).
 *
 * The first part is never negative. The others are where a cell is pressed, which would have the matrix of a step lose its sign; where a cell's share
 * of M + c df/dq is no longer positive definite they are left out, and Newton's method needs more passes to the same place. */

enum { FIVE = 5, DOFS = 2 * PRC_ELEMENT_NODES }; /* rho, omega, b_1, b_2 and the hoop strain */
typedef double five[FIVE][FIVE];
typedef double matrix[DOFS][DOFS];

/* The axes of a point, |alpha| and gamma there, and the stress. */
typedef struct {
  double axis[2], size, gamma[2], S[4];
} point_state;

/* H := J' D J, rows and columns as above */
static void material_part(const point_state *x, const double (*D)[4], five H) {
  const double a = x->gamma[0] / x->size, b = x->gamma[1] / x->size;
  const double J[4][FIVE] = {{1.0, b, 1.0, 0.0, 0.0},
                             {1.0, -b, -1.0, 0.0, 0.0},
                             {0.0, -2.0 * a, 0.0, 2.0, 0.0},
                             {0.0, 0.0, 0.0, 0.0, 1.0}};
  for (int j = 0; j < FIVE; j++) {
    double DJ[4] = {0.0};
    for (int r = 0; r < 4; r++)
      for (int s = 0; s < 4; s++) DJ[r] += D[r][s] * J[s][j];
    for (int i = 0; i < FIVE; i++) {
      H[i][j] = 0.0;
      for (int r = 0; r < 4; r++) H[i][j] += J[r][i] * DJ[r];
    }
  }
}

/* H := the rest */
static void geometric_part(const point_state *x, five H) {
  const double tau[2] = {0.5 * (x->S[0] - x->S[1]), x->S[2]}, A = x->size;
  const double along = tau[0] * x->gamma[0] + tau[1] * x->gamma[1],
               across = tau[0] * x->gamma[1] - tau[1] * x->gamma[0];
  memset(H, 0, sizeof(five));
  H[1][1] = (x->S[0] + x->S[1]) / A - 2.0 * along / (A * A);
  H[0][1] = H[1][0] = -2.0 * across / (A * A);
  H[1][2] = H[2][1] = -2.0 * tau[1] / A;
  H[1][3] = H[3][1] = 2.0 * tau[0] / A;
}

/* Z: rows as above, of the displacements of the nodes: d alpha = conj(g) u / 2, d beta = g u / 2, both turned back by the axis; x has u, y has i u. */
static void rows_of_nodes(int n, const double *point, const double axis[2], double Z[FIVE][DOFS]) {
  const double *g = point + 1;
  for (int a = 0; a < n; a++) {
    const double x = 0.5 * g[3 * a], y = 0.5 * g[3 * a + 1], c = axis[0], s = axis[1];
    Z[0][2 * a] = x * c - y * s, Z[1][2 * a] = -y * c - x * s;
    Z[2][2 * a] = x * c + y * s, Z[3][2 * a] = y * c - x * s;
    for (int r = 0; r < 4; r += 2) {
      Z[r][2 * a + 1] = -Z[r + 1][2 * a];
      Z[r + 1][2 * a + 1] = Z[r][2 * a];
    }
    Z[4][2 * a] = g[3 * a + 2], Z[4][2 * a + 1] = 0.0;
  }
}

/* K += factor Z'H Z, the lower triangle of n dofs */
static void add_product(int n, const double Z[FIVE][DOFS], const five H, double factor, matrix K) {
  double HZ[FIVE][DOFS];
  for (int r = 0; r < FIVE; r++)
    for (int j = 0; j < n; j++) {
      HZ[r][j] = 0.0;
      for (int s = 0; s < FIVE; s++) HZ[r][j] += H[r][s] * Z[s][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int r = 0; r < FIVE; r++) K[i][j] += factor * Z[r][i] * HZ[r][j];
}

static point_state state_of(const prc_fem_motion_of_point *x, const double (*D)[4]) {
  point_state out = {.axis = {x->alpha[0] / x->size, x->alpha[1] / x->size},
                     .size = x->size,
                     .gamma = {x->gamma[0], x->gamma[1]}};
  prc_fem_stress(D, x->strain, out.S);
  return out;
}

/* K of cell c: of its n dofs, c_x df/dq + c_v dd/dv. */
static void cell_tangent(const prc_fem *fem, int c, const double *q, double c_x, double c_v, matrix K) {
  const prc_fem_corotation *t = &fem->turning;
  const prc_mesh *mesh = fem->model->mesh;
  const int m = fem->cell_material[c], nodes = mesh->cell_start[c + 1] - mesh->cell_start[c], n = 2 * nodes;
  const double(*D)[4] = (const double(*)[4])t->D[m], *mass = t->mass + t->mass_at[c];
  const double material = c_x + c_v * t->damping_stiffness[m];
  double u[PRC_ELEMENT_NODES][2], Z[FIVE][DOFS] = {{0.0}};
  matrix rest = {{0.0}}, both;
  five H;
  memset(K, 0, sizeof(matrix));
  prc_fem_cell_values(mesh, c, q, u);
  for (size_t at = t->point_at[c]; at < t->point_at[c + 1]; at += prc_fem_point_length(nodes)) {
    const double *point = t->point + at;
    const prc_fem_motion_of_point x = prc_fem_motion_of(nodes, point, (const double(*)[2])u);
    const point_state now = state_of(&x, D);
    rows_of_nodes(nodes, point, now.axis, Z);
    material_part(&now, D, H);
    add_product(n, (const double(*)[DOFS])Z, (const double(*)[FIVE])H, material * point[0], K);
    geometric_part(&now, H);
    add_product(n, (const double(*)[DOFS])Z, (const double(*)[FIVE])H, c_x * point[0], rest);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      const int a = i / 2, b = j / 2;
      rest[i][j] += K[i][j];
      both[i][j] = rest[i][j] + (i % 2 == j % 2 ? mass[a * (a + 1) / 2 + b] : 0.0);
    }
  if (prc_dense_is_definite(n, DOFS, both[0])) memcpy(K, rest, sizeof rest);
}

/* The place of row i in column j of T. */
static int place_of(const prc_sym *T, int i, int j) {
  int low = T->p[j], high = T->p[j + 1] - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (T->i[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void scatter(const prc_fem *fem, int c, const matrix K, prc_sym *T) {
  int nodes;
  const int *node = prc_fem_cell(fem->model->mesh, c, &nodes);
  for (int a = 0; a < nodes; a++)
    for (int b = 0; b < nodes; b++) {
      if (node[b] > node[a]) continue;
      /* rows 2a, 2a + 1 stand beside each other in column 2b; of a node with itself the diagonal comes first */
      const int even = place_of(T, 2 * node[a], 2 * node[b]),
                odd = place_of(T, 2 * node[a] + 1, 2 * node[b] + 1);
      for (int r = 0; r < 2; r++) {
        const int i = 2 * a + r;
        T->x[even + r] += i >= 2 * b ? K[i][2 * b] : K[2 * b][i];
        if (r == 0 && node[a] == node[b]) continue;
        T->x[odd - 1 + r] += i >= 2 * b + 1 ? K[i][2 * b + 1] : K[2 * b + 1][i];
      }
    }
}

prc_status prc_fem_turning_tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A,
                                   prc_error *err) {
  const prc_fem *fem = owner;
  prc_sym *T = fem->turning.tangent;
  (void)err;
  memset(T->x, 0, (size_t)prc_sym_nnz(T) * sizeof *T->x);
  for (int c = 0; c < fem->model->mesh->n_cells; c++) {
    matrix K;
    cell_tangent(fem, c, at->q, c_x, c_v, K);
    scatter(fem, c, (const double(*)[DOFS])K, T);
  }
  for (int j = 0; j < T->n; j++)
    for (int k = T->p[j], to = A->p[j]; k < T->p[j + 1]; k++) {
      while (A->i[to] < T->i[k]) to++;
      A->x[to] += T->x[k];
    }
  return PRC_OK;
}

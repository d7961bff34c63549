#include "config.h"
#include "fem/corotation.h"

#include <math.h>
#include <string.h>

/* Strains that are small and turn by any angle, at each point of the quadrature. With F = 1 + du/dx = R U by its polar decomposition,
 *
 *   E = U - 1,   V = sum of volume E : D E / 2,   S = D E       (the hoop strain u_r / r beside them, as ever: it does not turn).
 *
 * In the plane F z = alpha z + beta conj(z) of complex z, with alpha = (F_xx + F_yy + i (F_yx - F_xy)) / 2, beta = (F_xx - F_yy + i (F_yx + F_xy)) / 2,
 * both linear in q. R is alpha / |alpha|, and
 *
 *   E_xx + E_yy = 2 (|alpha| - 1),   E_xx - E_yy + 2 i E_xy = 2 gamma,   gamma = beta conj(alpha) / |alpha|,
 *   dV = 2 p d|alpha| + 2 Re(conj(tau) d gamma),   p = (S_xx + S_yy) / 2,   tau = (S_xx - S_yy) / 2 + i S_xy.
 *
 * Over a step from 0 to 1, m denoting means of both ends, all of this changes by products of means and changes, exactly:
 *
 *   d|alpha| = 2 Re(conj(alpha_m) d alpha) / (|alpha_0| + |alpha_1|),
 *   d gamma = s (beta_m conj(d alpha) + conj(alpha_m) d beta) - g d|alpha|,
 *   s = (1/|alpha_0| + 1/|alpha_1|) / 2,   g = (beta_0 conj(alpha_0) + beta_1 conj(alpha_1)) / 2 / (|alpha_0| |alpha_1|),
 *
 * so that S_m : dE is the change of V, and both rows vanish for d(alpha, beta) = i (alpha_m, beta_m), a turn about the middle: the forces S_m : dE / dq
 * keep energy, momentum and its moment to rounding (Simo & Tarnow 1992, on these strains). With 0 = 1 they are the gradient of V. */

static double dot(const double a[2], const double b[2]) { /* Re(conj(a) b) */
  return a[0] * b[0] + a[1] * b[1];
}

/* a b, a conj(b) */
static void times(const double a[2], const double b[2], double out[2]) {
  out[0] = a[0] * b[0] - a[1] * b[1], out[1] = a[1] * b[0] + a[0] * b[1];
}
static void times_conjugate(const double a[2], const double b[2], double out[2]) {
  out[0] = a[0] * b[0] + a[1] * b[1], out[1] = a[1] * b[0] - a[0] * b[1];
}

/* ---- strains --------------------------------------------------------------------------------------------------------- */

/* a = alpha - 1 and beta of displacements, less that of the first node, which cancels but for its rounding. */
static void sum_gradients(int n, const double *g, const double (*u)[2], double a[2], double b[2]) {
  a[0] = a[1] = b[0] = b[1] = 0.0;
  for (int k = 0; k < n; k++) {
    const double x = u[k][0] - u[0][0], y = u[k][1] - u[0][1];
    a[0] += 0.5 * (g[3 * k] * x + g[3 * k + 1] * y), a[1] += 0.5 * (g[3 * k] * y - g[3 * k + 1] * x);
    b[0] += 0.5 * (g[3 * k] * x - g[3 * k + 1] * y), b[1] += 0.5 * (g[3 * k] * y + g[3 * k + 1] * x);
  }
}

static double sum_hoop(int n, const double *g, const double (*u)[2]) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += g[3 * k + 2] * u[k][0];
  return sum;
}

/* |alpha| - 1 = (2 Re a + |a|^2) / (|alpha| + 1): of small displacements no difference of numbers near one. */
static void finish(const double a[2], double hoop, prc_fem_motion_of_point *x) {
  x->alpha[0] = 1.0 + a[0], x->alpha[1] = a[1];
  x->size = hypot(x->alpha[0], x->alpha[1]);
  times_conjugate(x->beta, x->alpha, x->gamma);
  for (int k = 0; k < 2; k++) x->gamma[k] /= x->size;
  const double mean = (2.0 * a[0] + dot(a, a)) / (x->size + 1.0);
  x->strain[0] = mean + x->gamma[0], x->strain[1] = mean - x->gamma[0];
  x->strain[2] = 2.0 * x->gamma[1], x->strain[3] = hoop;
}

prc_fem_motion_of_point prc_fem_motion_of(int n, const double *point, const double (*u)[2]) {
  prc_fem_motion_of_point x;
  double a[2];
  sum_gradients(n, point + 1, u, a, x.beta);
  finish(a, sum_hoop(n, point + 1, u), &x);
  return x;
}

static void store(const prc_fem_point *from, double volume, double *point) {
  point[0] = volume;
  for (int k = 0; k < from->n; k++) {
    point[1 + 3 * k] = from->gradient[k][0], point[2 + 3 * k] = from->gradient[k][1];
    point[3 + 3 * k] = from->hoop[k];
  }
}

void prc_fem_turned_strain(const prc_fem_point *at, const double (*u)[2], double strain[4], double R[2]) {
  double point[1 + 3 * PRC_ELEMENT_NODES];
  store(at, at->volume, point);
  const prc_fem_motion_of_point x = prc_fem_motion_of(at->n, point, u);
  memcpy(strain, x.strain, sizeof x.strain);
  for (int k = 0; R && k < 2; k++) R[k] = x.alpha[k] / x.size;
}

/* p stays, tau turns by twice the angle. */
void prc_fem_turn_stress(const double R[2], double stress[4]) {
  const double p = 0.5 * (stress[0] + stress[1]), tau[2] = {0.5 * (stress[0] - stress[1]), stress[2]};
  double twice[2], turned[2];
  times(R, R, twice), times(tau, twice, turned);
  stress[0] = p + turned[0], stress[1] = p - turned[0], stress[2] = turned[1];
}

prc_fem_secant prc_fem_secant_of(const prc_fem_motion_of_point *from, const prc_fem_motion_of_point *to) {
  prc_fem_secant x;
  double before[2], after[2];
  times_conjugate(from->beta, from->alpha, before), times_conjugate(to->beta, to->alpha, after);
  x.s = 0.5 * (1.0 / from->size + 1.0 / to->size);
  for (int k = 0; k < 2; k++) {
    x.alpha[k] = 0.5 * (from->alpha[k] + to->alpha[k]), x.beta[k] = 0.5 * (from->beta[k] + to->beta[k]);
    x.m[k] = 2.0 * x.alpha[k] / (from->size + to->size);
    x.g[k] = 0.5 * (before[k] + after[k]) / (from->size * to->size);
  }
  return x;
}

/* ---- forces ------------------------------------------------------------------------------------------------------------- */

/* f += volume S : dE/du of a point. dV = Re(conj(a) d alpha) + Re(conj(b) d beta) + S_zz d(hoop), with
 * a = 2 (p - Re(conj(tau) g)) m + 2 s conj(tau) beta_m,  b = 2 s tau alpha_m. */
static void pull(int n, const double *point, const prc_fem_secant *e, const double S[4], double (*f)[2]) {
  const double tau[2] = {0.5 * (S[0] - S[1]), S[2]}, *g = point + 1, volume = point[0];
  const double along = S[0] + S[1] - 2.0 * dot(tau, e->g);
  double a[2], b[2];
  times_conjugate(e->beta, tau, a), times(tau, e->alpha, b);
  for (int k = 0; k < 2; k++) a[k] = along * e->m[k] + 2.0 * e->s * a[k], b[k] *= 2.0 * e->s;
  const double P[2][2] = {{0.5 * (a[0] + b[0]), 0.5 * (b[1] - a[1])},
                          {0.5 * (a[1] + b[1]), 0.5 * (a[0] - b[0])}};
  for (int k = 0; k < n; k++) {
    f[k][0] += volume * (P[0][0] * g[3 * k] + P[0][1] * g[3 * k + 1] + S[3] * g[3 * k + 2]);
    f[k][1] += volume * (P[1][0] * g[3 * k] + P[1][1] * g[3 * k + 1]);
  }
}

/* Cell c: its points, their number and length, D. */
typedef struct {
  int n, n_points;
  const int *node;
  size_t length;
  const double *point;
  const double (*D)[4];
} cell;

static cell cell_of(const prc_fem *fem, int c) {
  const prc_fem_corotation *t = &fem->turning;
  cell out;
  out.node = prc_fem_cell(fem->model->mesh, c, &out.n);
  out.length = prc_fem_point_length(out.n);
  out.n_points = (int)((t->point_at[c + 1] - t->point_at[c]) / out.length);
  out.point = t->point + t->point_at[c];
  out.D = (const double(*)[4])t->D[fem->cell_material[c]];
  return out;
}

static void scatter(const cell *k, const double (*f)[2], double *out) {
  for (int a = 0; a < k->n; a++)
    for (int i = 0; i < 2; i++) out[2 * k->node[a] + i] += f[a][i];
}

static prc_status refuse(const prc_fem *fem, int c, prc_error *err) {
  const prc_mesh *mesh = fem->model->mesh;
  return prc_fail(err, PRC_DIVERGED,
                  "%s %zu is turned inside out, expected strains below one: kinematics: corotational is for "
                  "small strains that turn",
                  mesh->cell_element[c]->noun, mesh->cell_tag[c]);
}

/* det F = |alpha|^2 - |beta|^2 */
static int is_inside_out(const prc_fem_motion_of_point *x) {
  return !(dot(x->alpha, x->alpha) > dot(x->beta, x->beta));
}

static double half_product(const double a[4], const double b[4]) {
  return 0.5 * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
}

static prc_status internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *err) {
  const prc_fem *fem = owner;
  const prc_mesh *mesh = fem->model->mesh;
  double sum = 0.0;
  if (f) memset(f, 0, 2 * (size_t)mesh->n_nodes * sizeof *f);
  for (int c = 0; c < mesh->n_cells; c++) {
    const cell k = cell_of(fem, c);
    double u[PRC_ELEMENT_NODES][2], of_cell[PRC_ELEMENT_NODES][2] = {{0.0}}, S[4];
    prc_fem_cell_values(mesh, c, at->q, u);
    for (int i = 0; i < k.n_points; i++) {
      const double *point = k.point + (size_t)i * k.length;
      const prc_fem_motion_of_point x = prc_fem_motion_of(k.n, point, (const double(*)[2])u);
      if (is_inside_out(&x)) return refuse(fem, c, err);
      const prc_fem_secant e = prc_fem_secant_of(&x, &x);
      prc_fem_stress(k.D, x.strain, S);
      sum += point[0] * half_product(S, x.strain);
      if (f) pull(k.n, point, &e, S, of_cell);
    }
    if (f) scatter(&k, (const double(*)[2])of_cell, f);
  }
  if (potential) *potential = sum;
  return PRC_OK;
}

static prc_status mean_internal(void *owner, const double *q, const double *dx, double *f, double *gain,
                                prc_error *err) {
  const prc_fem *fem = owner;
  const prc_mesh *mesh = fem->model->mesh;
  memset(f, 0, 2 * (size_t)mesh->n_nodes * sizeof *f);
  *gain = 0.0;
  for (int c = 0; c < mesh->n_cells; c++) {
    const cell k = cell_of(fem, c);
    double u[PRC_ELEMENT_NODES][2], du[PRC_ELEMENT_NODES][2], of_cell[PRC_ELEMENT_NODES][2] = {{0.0}}, S[4];
    prc_fem_cell_values(mesh, c, q, u), prc_fem_cell_values(mesh, c, dx, du);
    for (int i = 0; i < k.n_points; i++) {
      const double *point = k.point + (size_t)i * k.length;
      double strain[4];
      prc_fem_motion_of_point from, to;
      double a[2], da[2], db[2];
      sum_gradients(k.n, point + 1, (const double(*)[2])u, a, from.beta);
      sum_gradients(k.n, point + 1, (const double(*)[2])du, da, db);
      const double hoop = sum_hoop(k.n, point + 1, (const double(*)[2])u);
      finish(a, hoop, &from);
      for (int j = 0; j < 2; j++) to.beta[j] = from.beta[j] + db[j], a[j] += da[j];
      finish(a, hoop + sum_hoop(k.n, point + 1, (const double(*)[2])du), &to);
      const prc_fem_secant e = prc_fem_secant_of(&from, &to);
      if (!isfinite(e.s)) return refuse(fem, c, err);
      for (int j = 0; j < 4; j++) strain[j] = 0.5 * (from.strain[j] + to.strain[j]);
      prc_fem_stress(k.D, strain, S);
      pull(k.n, point, &e, S, of_cell);
    }
    for (int a = 0; a < k.n; a++) *gain += dot(of_cell[a], du[a]);
    scatter(&k, (const double(*)[2])of_cell, f);
  }
  return PRC_OK;
}

/* The same with rates of strain, times beta, in place of strains: B' beta D B v. */
static prc_status damping(void *owner, const prc_at *at, double *d, prc_error *err) {
  const prc_fem *fem = owner;
  const prc_mesh *mesh = fem->model->mesh;
  (void)err;
  memset(d, 0, 2 * (size_t)mesh->n_nodes * sizeof *d);
  for (int c = 0; c < mesh->n_cells; c++) {
    const double beta = fem->turning.damping_stiffness[fem->cell_material[c]];
    const cell k = cell_of(fem, c);
    double u[PRC_ELEMENT_NODES][2], v[PRC_ELEMENT_NODES][2], of_cell[PRC_ELEMENT_NODES][2] = {{0.0}};
    if (beta == 0.0) continue;
    prc_fem_cell_values(mesh, c, at->q, u), prc_fem_cell_values(mesh, c, at->v, v);
    for (int i = 0; i < k.n_points; i++) {
      const double *point = k.point + (size_t)i * k.length;
      double da[2], db[2], one[2], other[2], S[4];
      const prc_fem_motion_of_point x = prc_fem_motion_of(k.n, point, (const double(*)[2])u);
      const prc_fem_secant e = prc_fem_secant_of(&x, &x);
      sum_gradients(k.n, point + 1, (const double(*)[2])v, da, db);
      const double size = dot(e.m, da);
      times_conjugate(e.beta, da, one), times_conjugate(db, e.alpha, other);
      for (int j = 0; j < 2; j++) one[j] = e.s * (one[j] + other[j]) - e.g[j] * size;
      const double rate[4] = {beta * (size + one[0]), beta * (size - one[0]), 2.0 * beta * one[1],
                              beta * sum_hoop(k.n, point + 1, (const double(*)[2])v)};
      prc_fem_stress(k.D, rate, S);
      pull(k.n, point, &e, S, of_cell);
    }
    scatter(&k, (const double(*)[2])of_cell, d);
  }
  return PRC_OK;
}

/* ---- making ---------------------------------------------------------------------------------------------------------------- */

/* The gradients of a triangle with three nodes are those of all of it. */
static int points_of(const prc_fem_model *model, int c, prc_fem_point *point) {
  const prc_element *element = model->mesh->cell_element[c];
  const int n = prc_fem_cell_points(model, c, element->rule, point);
  if (element->n_nodes > 3 || model->plane == PRC_AXISYMMETRIC) return n;
  point[0].volume = prc_fem_cell_volume(model, c);
  return 1;
}

static void fill_mass(const prc_fem *fem, int c, double *mass) {
  const int n = fem->model->mesh->cell_element[c]->n_nodes;
  for (int b = 0; b < n; b++) {
    prc_fem_columns columns;
    prc_fem_cell_columns(fem, c, b, &columns);
    for (int a = b; a < n; a++) mass[a * (a + 1) / 2 + b] = columns.M[a];
  }
}

static prc_status make_points(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  prc_fem_corotation *t = &fem->turning;
  const prc_mesh *mesh = fem->model->mesh;
  prc_fem_point point[PRC_FEM_POINTS];
  prc_try(prc_new(&t->point_at, (size_t)mesh->n_cells + 1, err));
  prc_try(prc_new(&t->mass_at, (size_t)mesh->n_cells + 1, err));
  for (int c = 0; c < mesh->n_cells; c++) {
    const int n = mesh->cell_element[c]->n_nodes;
    t->point_at[c + 1] = t->point_at[c] + (size_t)points_of(fem->model, c, point) * prc_fem_point_length(n);
    t->mass_at[c + 1] = t->mass_at[c] + (size_t)n * ((size_t)n + 1) / 2;
  }
  prc_try(prc_new(&t->point, t->point_at[mesh->n_cells], err));
  prc_try(prc_new(&t->mass, t->mass_at[mesh->n_cells], err));
  for (int c = 0; c < mesh->n_cells; c++) {
    const size_t length = prc_fem_point_length(mesh->cell_element[c]->n_nodes);
    for (int k = 0, n = points_of(fem->model, c, point); k < n; k++)
      store(&point[k], point[k].volume, t->point + t->point_at[c] + (size_t)k * length);
    fill_mass(fem, c, t->mass + t->mass_at[c]);
  }
done:
  return status;
}

/* Contact nodes without inertia would follow from an equilibrium that is not linear. */
prc_status prc_fem_make_corotation(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  prc_fem_corotation *t = &fem->turning;
  const prc_fem_model *model = fem->model;
  if (model->kinematics != PRC_COROTATIONAL) return PRC_OK;
  if (model->mass == PRC_MASS_MODIFIED)
    return prc_fail(
        err, PRC_INPUT,
        "kinematics: corotational with mass: modified, expected mass: consistent or lumped: contact "
        "nodes without mass follow from a linear equilibrium");
  if (model->n_springs > 0)
    return prc_fail(
        err, PRC_INPUT,
        "support '%s' has a spring to the ground with kinematics: corotational, whose forces are not K q; "
        "expected kinematics: small, or a support without springs",
        model->spring[0].name);
  prc_try(make_points(fem, err));
  prc_try(prc_new(&t->D, model->n_materials, err));
  prc_try(prc_new(&t->damping_stiffness, model->n_materials, err));
  for (int m = 0; m < model->n_materials; m++) {
    prc_fem_material_elasticity(&model->material[m], model->plane, t->D[m]);
    t->damping_stiffness[m] = model->own_damping ? model->own_damping[m].stiffness : model->damping_stiffness;
  }
  prc_try(prc_sym_add(0.0, fem->K, 0.0, NULL, &t->tangent, err));
done:
  return status;
}

void prc_fem_free_corotation(prc_fem *fem) {
  prc_fem_corotation *t = &fem->turning;
  prc_delete(&t->point_at);
  prc_delete(&t->point);
  prc_delete(&t->mass_at);
  prc_delete(&t->mass);
  prc_delete(&t->D);
  prc_delete(&t->damping_stiffness);
  prc_sym_free(&t->tangent);
}

void prc_fem_present_corotation(prc_fem *fem) {
  prc_dynamics *d = &fem->system.dynamics;
  int damped = 0;
  if (fem->model->kinematics != PRC_COROTATIONAL) return;
  for (int m = 0; m < fem->model->n_materials; m++) damped |= fem->turning.damping_stiffness[m] != 0.0;
  d->K = NULL, d->damping_stiffness = 0.0, d->varies |= PRC_INTERNAL_NONLINEAR;
  d->internal = internal, d->mean_internal = mean_internal;
  d->tangent = prc_fem_turning_tangent, d->pattern = fem->turning.tangent, d->tangent_lasts = 1;
  if (damped) d->varies |= PRC_DAMPING_OF_STATE, d->damping = damping;
  fem->system.rotation = NULL;
}

#include "config.h"
#include "beam/internal.h"

#include <math.h>
#include <string.h>

/* Strains, what they oppose, and the tangent. With a = x', b = x'', c = a x b, r = |a|^2, and k x a = (-a_y, a_x):
 *
 *   lambda = |a| / J                 d/da = a / (|a| J)                       d2/da2 = (1 - a a'/r) / (|a| J)
 *   kappa = c / (r J)                d/da = (v / r - 2 c a / r^2) / J,        v = dc/da = (b_y, -b_x)
 *                                    d/db = k x a / (r J)
 *   d2/da2 = (-2 (v a' + a v') / r^2 - 2 c / r^2 + 8 c a a' / r^3) / J
 *   d2/dadb = (E / r - 2 a (k x a)' / r^2) / J,   E_jk = d(k x a)_k / da_j = (0, 1; -1, 0) */

prc_beam_strain prc_beam_strain_of(const double a[2], const double b[2], double J, double curvature) {
  const double r = a[0] * a[0] + a[1] * a[1], length = sqrt(r), c = a[0] * b[1] - a[1] * b[0];
  prc_beam_strain e = {.stretch = (length - J) / J, .curvature = c / (r * J) - curvature};
  const double v[2] = {b[1], -b[0]}, turned[2] = {-a[1], a[0]};
  for (int k = 0; k < 2; k++) {
    e.stretch_a[k] = a[k] / (length * J);
    e.curvature_a[k] = (v[k] - 2.0 * c / r * a[k]) / (r * J);
    e.curvature_b[k] = turned[k] / (r * J);
  }
  return e;
}

static prc_beam_strain strain_at(const prc_beam_gauss *g, const double *q, double a[2], double b[2]) {
  prc_beam_sum(&g->basis, 1, q, a);
  prc_beam_sum(&g->basis, 2, q, b);
  return prc_beam_strain_of(a, b, g->J, g->curvature);
}

/* f += tension d(stretch)/dq + moment d(curvature)/dq */
static void pull(const prc_beam_gauss *g, const prc_beam_strain *e, double tension, double moment,
                 double *f) {
  const prc_beam_basis *of = &g->basis;
  for (int i = 0; i < of->n; i++)
    for (int k = 0; k < 2; k++)
      f[2 * (of->first + i) + k] += of->N[1][i] * (tension * e->stretch_a[k] + moment * e->curvature_a[k])
                                    + of->N[2][i] * moment * e->curvature_b[k];
}

static prc_status refuse_place(const prc_beam *beam, int gauss, prc_error *err) {
  const int element = gauss / beam->per_element;
  return prc_fail(err, PRC_DIVERGED, "beam '%s': its line has no direction near s = %g, or no place",
                  beam->model->name, (element + 0.5) / beam->model->n_elements);
}

prc_status prc_beam_internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *err) {
  const prc_beam *beam = owner;
  const prc_beam_model *model = beam->model;
  double sum = 0.0;
  if (f) memset(f, 0, 2 * (size_t)beam->n_points * sizeof *f);
  for (int i = 0; i < beam->n_gauss; i++) {
    const prc_beam_gauss *g = &beam->gauss[i];
    double a[2], b[2];
    const prc_beam_strain e = strain_at(g, at->q, a, b);
    if (!isfinite(e.stretch) || !isfinite(e.curvature)) return refuse_place(beam, i, err);
    sum += 0.5 * g->weight * (model->EA * e.stretch * e.stretch + model->EI * e.curvature * e.curvature);
    if (f) pull(g, &e, g->weight * model->EA * e.stretch, g->weight * model->EI * e.curvature, f);
  }
  if (potential) *potential = sum;
  return PRC_OK;
}

/* Over a step from a, b to a', b' strains change by their mean derivatives, exactly: with a_m, b_m the means, r, r', c, c' at both ends,
 *
 *   |a'| - |a| = 2 a_m . da / (|a| + |a'|),   c' - c = a_m x db + da x b_m,   1/r' - 1/r = -2 a_m . da / (r r'),
 *   c'/r' - c/r = (1/r + 1/r') / 2 (c' - c) + (c + c') / 2 (1/r' - 1/r),
 *
 * so that  tension_m d(stretch) + moment_m d(curvature),  with the means of both at the ends, is the change of their energy. (Simo and Tarnow's energy
 * and momentum method on these strains: all three terms are free of translations and rotations.) */
static prc_beam_strain mean_strain(const prc_beam_gauss *g, const double *q, const double *dx) {
  double a[2], b[2], da[2], db[2], a_m[2], b_m[2], a_1[2], b_1[2];
  prc_beam_sum(&g->basis, 1, q, a), prc_beam_sum(&g->basis, 2, q, b);
  prc_beam_sum(&g->basis, 1, dx, da), prc_beam_sum(&g->basis, 2, dx, db);
  for (int k = 0; k < 2; k++) {
    a_m[k] = a[k] + 0.5 * da[k], b_m[k] = b[k] + 0.5 * db[k];
    a_1[k] = a[k] + da[k], b_1[k] = b[k] + db[k];
  }
  const prc_beam_strain now = prc_beam_strain_of(a, b, g->J, g->curvature);
  const prc_beam_strain then = prc_beam_strain_of(a_1, b_1, g->J, g->curvature);
  const double r = a[0] * a[0] + a[1] * a[1], r_1 = a_1[0] * a_1[0] + a_1[1] * a_1[1];
  const double length = sqrt(r) + sqrt(r_1), mean = 0.5 * (1.0 / r + 1.0 / r_1) / g->J;
  const double c = (a[0] * b[1] - a[1] * b[0] + (a_1[0] * b_1[1] - a_1[1] * b_1[0])) / (r * r_1) / g->J;
  return (prc_beam_strain){.stretch = 0.5 * (now.stretch + then.stretch),
                           .curvature = 0.5 * (now.curvature + then.curvature),
                           .stretch_a = {2.0 * a_m[0] / (length * g->J), 2.0 * a_m[1] / (length * g->J)},
                           .curvature_a = {mean * b_m[1] - c * a_m[0], -mean * b_m[0] - c * a_m[1]},
                           .curvature_b = {-mean * a_m[1], mean * a_m[0]}};
}

prc_status prc_beam_mean_internal(void *owner, const double *q, const double *dx, double *f, double *gain,
                                  prc_error *err) {
  const prc_beam *beam = owner;
  memset(f, 0, 2 * (size_t)beam->n_points * sizeof *f);
  for (int i = 0; i < beam->n_gauss; i++) {
    const prc_beam_gauss *g = &beam->gauss[i];
    const prc_beam_strain e = mean_strain(g, q, dx);
    if (!isfinite(e.stretch) || !isfinite(e.curvature)) return refuse_place(beam, i, err);
    pull(g, &e, g->weight * beam->model->EA * e.stretch, g->weight * beam->model->EI * e.curvature, f);
  }
  *gain = 0.0;
  for (int i = 0; i < 2 * beam->n_points; i++) *gain += dx[i] * f[i];
  return PRC_OK;
}

/* Of a beam its stretch counts: the strain of its line, by length. Bending strains depend on a cross-section that is not known. */
static void judge_strain(void *owner, const prc_at *at, prc_indicator *indicator) {
  const prc_beam *beam = owner;
  prc_indicator most = {.scale = 1.0, .a = -1, .b = -1};
  for (int i = 0; i < beam->n_gauss; i++) {
    double a[2], b[2];
    beam->strains.strain[i] = fabs(strain_at(&beam->gauss[i], at->q, a, b).stretch);
  }
  most.value = prc_strains_of_most(&beam->strains, NULL);
  prc_indicator_worst(&indicator[PRC_INDICATOR_strain], &most);
}

/* A stretch of s over a hundredth of the length has the energy EA s^2 length / 200. */
prc_status prc_beam_make_strains(prc_beam *beam, prc_error *err) {
  prc_status status = PRC_OK;
  prc_strains *s = &beam->strains;
  double length = 0.0;
  prc_try(prc_new(&s->volume, beam->n_gauss, err));
  prc_try(prc_new(&s->strain, beam->n_gauss, err));
  prc_try(prc_new(&s->sum, 2, err));
  s->n = beam->n_gauss, s->n_parts = 1;
  for (int i = 0; i < s->n; i++) s->volume[i] = beam->gauss[i].weight, length += beam->gauss[i].weight;
  beam->system.energy_strained = 0.5 * beam->model->EA * 0.01 * length;
  beam->system.indicator = judge_strain;
done:
  return status;
}

void prc_beam_energies(const prc_beam *beam, const double *q, double *stretching, double *bending) {
  *stretching = *bending = 0.0;
  for (int i = 0; i < beam->n_gauss; i++) {
    const prc_beam_gauss *g = &beam->gauss[i];
    double a[2], b[2];
    const prc_beam_strain e = strain_at(g, q, a, b);
    *stretching += 0.5 * g->weight * beam->model->EA * e.stretch * e.stretch;
    *bending += 0.5 * g->weight * beam->model->EI * e.curvature * e.curvature;
  }
}

/* d = damping_stiffness x the same with the rates of strain, B v, in place of strains: B'D B v, and v . d >= 0. */
prc_status prc_beam_damping(void *owner, const prc_at *at, double *d, prc_error *err) {
  const prc_beam *beam = owner;
  const double beta = beam->model->damping_stiffness;
  (void)err;
  memset(d, 0, 2 * (size_t)beam->n_points * sizeof *d);
  for (int i = 0; i < beam->n_gauss; i++) {
    const prc_beam_gauss *g = &beam->gauss[i];
    double a[2], b[2], a_rate[2], b_rate[2], stretching = 0.0, bending = 0.0;
    const prc_beam_strain e = strain_at(g, at->q, a, b);
    prc_beam_sum(&g->basis, 1, at->v, a_rate);
    prc_beam_sum(&g->basis, 2, at->v, b_rate);
    for (int k = 0; k < 2; k++) {
      stretching += e.stretch_a[k] * a_rate[k];
      bending += e.curvature_a[k] * a_rate[k] + e.curvature_b[k] * b_rate[k];
    }
    pull(g, &e, beta * g->weight * beam->model->EA * stretching, beta * g->weight * beam->model->EI * bending,
         d);
  }
  return PRC_OK;
}

/* ---- the tangent ---------------------------------------------------------------------------------------------------------- */

typedef double matrix[PRC_BEAM_DOFS][PRC_BEAM_DOFS];

/* K += s B'D B of a Gauss point */
static void add_material(const prc_beam *beam, const prc_beam_gauss *g, const prc_beam_strain *e, double s,
                         matrix K) {
  const prc_beam_basis *of = &g->basis;
  double stretch[PRC_BEAM_DOFS], bend[PRC_BEAM_DOFS];
  for (int i = 0; i < 2 * of->n; i++) {
    stretch[i] = of->N[1][i / 2] * e->stretch_a[i % 2];
    bend[i] = of->N[1][i / 2] * e->curvature_a[i % 2] + of->N[2][i / 2] * e->curvature_b[i % 2];
  }
  for (int i = 0; i < 2 * of->n; i++)
    for (int j = 0; j <= i; j++)
      K[i][j] +=
          s * g->weight * (beam->model->EA * stretch[i] * stretch[j] + beam->model->EI * bend[i] * bend[j]);
}

/* K += s (tension d2(stretch) + moment d2(curvature)) of a Gauss point */
static void add_geometric(const prc_beam *beam, const prc_beam_gauss *g, const prc_beam_strain *e,
                          const double a[2], const double b[2], double s, matrix K) {
  const prc_beam_basis *of = &g->basis;
  const double r = a[0] * a[0] + a[1] * a[1], length = sqrt(r), c = a[0] * b[1] - a[1] * b[0];
  const double v[2] = {b[1], -b[0]}, turned[2] = {-a[1], a[0]}, E[2][2] = {{0.0, 1.0}, {-1.0, 0.0}};
  const double tension = s * g->weight * beam->model->EA * e->stretch / g->J;
  const double moment = s * g->weight * beam->model->EI * e->curvature / g->J;
  double aa[2][2], ab[2][2]; /* of a with a, of a with b */
  for (int j = 0; j < 2; j++)
    for (int k = 0; k < 2; k++) {
      const double one = j == k;
      aa[j][k] =
          tension * (one - a[j] * a[k] / r) / length
          + moment * (8.0 * c * a[j] * a[k] / r - 2.0 * (v[j] * a[k] + a[j] * v[k] + c * one)) / (r * r);
      ab[j][k] = moment * (E[j][k] - 2.0 * a[j] * turned[k] / r) / r;
    }
  for (int i = 0; i < 2 * of->n; i++)
    for (int j = 0; j <= i; j++) {
      const double *Ni[2] = {of->N[1] + i / 2, of->N[2] + i / 2},
                   *Nj[2] = {of->N[1] + j / 2, of->N[2] + j / 2};
      K[i][j] += *Ni[0] * aa[i % 2][j % 2] * *Nj[0] + *Ni[0] * ab[i % 2][j % 2] * *Nj[1]
                 + *Ni[1] * ab[j % 2][i % 2] * *Nj[0];
    }
}

/* K += the mass of a Gauss point, rho N N' in both directions */
static void add_mass(const prc_beam *beam, const prc_beam_gauss *g, matrix K) {
  const prc_beam_basis *of = &g->basis;
  for (int i = 0; i < 2 * of->n; i++)
    for (int j = i % 2; j <= i; j += 2)
      K[i][j] += beam->model->density * g->weight * of->N[0][i / 2] * of->N[0][j / 2];
}

/* A_ij += x for the dofs of an element, whose columns of A are full from the diagonal to its last dof. */
static void add_element(const prc_beam_basis *of, const matrix K, prc_sym *A) {
  const int first = 2 * of->first;
  for (int j = 0; j < 2 * of->n; j++) {
    int at = A->p[first + j];
    for (int i = j; i < 2 * of->n; i++) {
      while (A->i[at] < first + i) at++;
      A->x[at] += K[i][j];
    }
  }
}

/* c df/dq + c_v dd/dv. Compression and bending make the second derivatives indefinite. Where an element's share of M + c df/dq is no longer positive
 * definite they are left out: A stays definite then, being the sum of what the elements have, and Newton's method needs more passes, and
 * goes to the same place. */
prc_status prc_beam_tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A,
                            prc_error *err) {
  const prc_beam *beam = owner;
  const double material = c_x + c_v * beam->model->damping_stiffness;
  (void)err;
  for (int i = 0; i < beam->n_gauss; i += beam->per_element) {
    const int n = 2 * beam->gauss[i].basis.n;
    matrix of_strains = {{0.0}}, both = {{0.0}}, mass = {{0.0}};
    for (int k = i; k < i + beam->per_element; k++) {
      const prc_beam_gauss *g = &beam->gauss[k];
      double a[2], b[2];
      const prc_beam_strain e = strain_at(g, at->q, a, b);
      add_material(beam, g, &e, material, of_strains);
      add_geometric(beam, g, &e, a, b, c_x, both);
      add_mass(beam, g, mass);
    }
    for (int r = 0; r < n; r++)
      for (int k = 0; k <= r; k++) both[r][k] += of_strains[r][k], mass[r][k] += both[r][k];
    add_element(&beam->gauss[i].basis,
                (const double(*)[PRC_BEAM_DOFS])(
                    prc_dense_is_definite(n, PRC_BEAM_DOFS, mass[0]) ? both : of_strains),
                A);
  }
  return PRC_OK;
}

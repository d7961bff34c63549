/* Damping of each material, and what C does to all that steps: a plate of two halves against the complex eigenvalues of its dense matrices,
 * load steps in which only C resists, steps that iterate, the solvers of the linear system, and contact nodes without mass. */
#include "config.h"
#include "support/halves.h"
#include "support/support.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

static prc_error err;

/* LAPACK: A x = lambda x, A n x n by columns; B x = b */
void dgeev_(const char *left, const char *right, const int *n, double *A, const int *lda, double *re,
            double *im, double *VL, const int *ldvl, double *VR, const int *ldvr, double *work,
            const int *lwork, int *info);
void dgesv_(const int *n, const int *n_rhs, double *A, const int *lda, int *pivot, double *B, const int *ldb,
            int *info);

enum { ROOM = 200 };
static const double stiff[3] = {2.5, 0.25, 1.5}, soft[3] = {0.9, 0.3, 2.0};

/* ---- decay against the dense matrices --------------------------------------------------------------------------------- */

enum { N = 112 }; /* free dofs, at most */
typedef struct {
  int n, dof[N];
  double M[N][N], C[N][N], K[N][N];
} dense;

static void add_free(const dense *d, const prc_sym *A, double factor, double (*out)[N]) {
  for (int j = 0; j < d->n; j++)
    for (int i = 0; i < d->n; i++) {
      const int row = d->dof[i] > d->dof[j] ? d->dof[i] : d->dof[j],
                column = d->dof[i] > d->dof[j] ? d->dof[j] : d->dof[i];
      for (int k = A->p[column]; k < A->p[column + 1]; k++)
        if (A->i[k] == row) out[i][j] += factor * A->x[k];
    }
}

/* A matrix is linear in the modulus and the density of each half: that of the half is what twice of it adds. */
static void make_dense(int type, const double one[3], const double two[3], const prc_fem_damping damping[2],
                       dense *d) {
  halves h;
  halves_open(&h, type, 1, one, two);
  rig_build(&h.rig);
  *d = (dense){0};
  for (int i = 0; i < h.rig.system->space.nv; i++)
    if (h.rig.mesh->x[2 * (i / 2)] > 1e-9) d->dof[d->n++] = i;
  ck_assert_int_le(d->n, N);
  add_free(d, h.rig.system->dynamics.M, 1.0, d->M);
  add_free(d, h.rig.system->dynamics.K, 1.0, d->K);
  for (int k = 0; k < 2; k++) {
    halves twice;
    double m[2][3];
    memcpy(m[0], one, sizeof m[0]), memcpy(m[1], two, sizeof m[1]);
    m[k][0] *= 2.0, m[k][2] *= 2.0;
    halves_open(&twice, type, 1, m[0], m[1]);
    rig_build(&twice.rig);
    add_free(d, twice.rig.system->dynamics.M, damping[k].mass, d->C);
    add_free(d, h.rig.system->dynamics.M, -damping[k].mass, d->C);
    add_free(d, twice.rig.system->dynamics.K, damping[k].stiffness, d->C);
    add_free(d, h.rig.system->dynamics.K, -damping[k].stiffness, d->C);
    rig_close(&twice.rig);
  }
  rig_close(&h.rig);
}

/* lambda^2 M + lambda C + K: of (q, v), A = [0 1; -M^-1 K, -M^-1 C]. The vectors by columns as LAPACK has them. */
static void solve_dense(const dense *d, double *re, double *im, double *vectors) {
  const int n = d->n, twice = 2 * n, length = 20 * n, one = 1;
  double *A = rig_room((size_t)(twice * twice)), *M = rig_room((size_t)(n * n)),
         *X = rig_room((size_t)(n * twice)), *work = rig_room((size_t)length), none = 0.0;
  int pivot[N], info;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      M[i + n * j] = d->M[i][j];
      X[i + n * j] = -d->K[i][j], X[i + n * (n + j)] = -d->C[i][j];
    }
  dgesv_(&n, &twice, M, &n, pivot, X, &n, &info);
  ck_assert_int_eq(info, 0);
  for (int j = 0; j < twice; j++)
    for (int i = 0; i < n; i++) A[n + i + twice * j] = X[i + n * j], A[i + twice * j] = j == n + i;
  dgeev_("N", "V", &twice, A, &twice, re, im, &none, &one, vectors, &twice, work, &length, &info);
  ck_assert_int_eq(info, 0);
  prc_delete(&A);
  prc_delete(&M);
  prc_delete(&X);
  prc_delete(&work);
}

enum { MODES = 6, STEPS = 60 };

/* A step multiplies a mode by (1 + (1 - theta) h lambda) / (1 - theta h lambda). */
static void follow(halves *h, const dense *d, double complex lambda, const double *vector, double theta) {
  prc_step_options o = prc_step_options_default(0.3 / cabs(lambda));
  const size_t n = (size_t)h->rig.system->space.nv;
  double *q = rig_room(n), *v = rig_room(n), largest = 0.0;
  o.theta = theta;
  for (int i = 0; i < d->n; i++) {
    q[d->dof[i]] = vector[i], v[d->dof[i]] = vector[d->n + i];
    largest = fmax(largest, fabs(vector[i]));
  }
  rig_start(&h->rig, &o, q, v);
  rig_step(&h->rig, STEPS);
  const double complex factor = (1.0 + (1.0 - theta) * o.h * lambda) / (1.0 - theta * o.h * lambda),
                       all = cpow(factor, STEPS);
  for (int i = 0; i < d->n; i++) {
    const double complex mode = vector[i] + vector[2 * d->n + i] * I;
    ck_assert_double_eq_tol(h->rig.record->q[d->dof[i]], creal(all * mode), 1e-10 * largest);
  }
  prc_stepper_free(&h->rig.stepper);
  prc_delete(&q);
  prc_delete(&v);
}

/* alpha in the left half alone, beta in the right half alone, both in both, and one of them common to both */
enum { KINDS = 5 };
static const prc_fem_damping kinds[KINDS][2] = {{{0.4, 0.0}, {0.0, 0.0}},
                                                {{0.0, 0.0}, {0.0, 0.15}},
                                                {{0.3, 0.02}, {0.1, 0.2}},
                                                {{0.3, 0.02}, {0.3, 0.2}},
                                                {{0.3, 0.02}, {0.1, 0.02}}};

/* _i: the kinds, two or one set of constants, elements */
START_TEST(modes_decay_as_their_complex_eigenvalues_say) {
  static const int types[] = {2, 3, 9};
  const int type = types[_i / (2 * KINDS)], same = _i / KINDS % 2;
  const prc_fem_damping *damping = kinds[_i % KINDS];
  const double *two = same ? stiff : soft;
  dense *d = NULL;
  halves h;
  int found = 0;
  support_ok(prc_new(&d, 1, &err), &err);
  make_dense(type, stiff, two, damping, d);
  double *re = rig_room(2 * (size_t)d->n), *im = rig_room(2 * (size_t)d->n),
         *vectors = rig_room(4 * (size_t)(d->n * d->n));
  solve_dense(d, re, im, vectors);
  halves_open(&h, type, 1, stiff, two);
  halves_damp(&h, damping[0], damping[1]);
  rig_build(&h.rig);
  ck_assert_ptr_nonnull(h.rig.system->dynamics.C);
  for (int k = 0; k < 2 * d->n && found < MODES; k++) {
    if (!(im[k] > 0.0 && re[k] < -1e-3)) continue;
    const double *vector = vectors + 2 * (size_t)(d->n * k);
    /* imaginary parts stand a column behind: 2 n on */
    follow(&h, d, re[k] + im[k] * I, vector, found % 2 ? 0.7 : 0.5);
    found++;
  }
  ck_assert_int_eq(found, MODES);
  prc_delete(&re);
  prc_delete(&im);
  prc_delete(&vectors);
  prc_delete(&d);
  rig_close(&h.rig);
}
END_TEST

/* ---- factors that do not differ ------------------------------------------------------------------------------------------- */

static void shove(halves *h, const char *linear, double *q) {
  prc_step_options o = prc_step_options_default(0.05);
  const size_t n = (size_t)h->rig.system->space.nv;
  double *v = rig_room(n), *zero = rig_room(n);
  o.linear = linear;
  for (int a = 0; a < h->rig.mesh->n_nodes; a++)
    v[2 * a] = h->rig.mesh->x[2 * a], v[2 * a + 1] = h->rig.mesh->x[2 * a] * h->rig.mesh->x[2 * a + 1];
  rig_start(&h->rig, &o, zero, v);
  rig_step(&h->rig, STEPS);
  memcpy(q, h->rig.record->q, n * sizeof *q);
  prc_stepper_free(&h->rig.stepper);
  prc_delete(&v);
  prc_delete(&zero);
}

/* What both halves have is the model's: no matrix, and the same bytes. */
START_TEST(equal_factors_are_those_of_the_model) {
  double q[2][ROOM] = {{0.0}};
  for (int own = 0; own < 2; own++) {
    halves h;
    halves_open(&h, 3, 1, stiff, soft);
    h.rig.model.damping_mass = own ? 7.0 : 0.4, h.rig.model.damping_stiffness = own ? 3.0 : 0.02;
    if (own) halves_damp(&h, (prc_fem_damping){0.4, 0.02}, (prc_fem_damping){0.4, 0.02});
    rig_build(&h.rig);
    ck_assert_ptr_null(h.rig.system->dynamics.C);
    ck_assert(h.rig.system->dynamics.damping_mass == 0.4 && h.rig.system->dynamics.damping_stiffness == 0.02);
    shove(&h, "direct", q[own]);
    rig_close(&h.rig);
  }
  ck_assert_int_eq(memcmp(q[0], q[1], sizeof q[0]), 0);
}
END_TEST

/* As a matrix or as a factor, damping is the same to rounding: the right half is a millionth of a millionth different. */
START_TEST(a_matrix_damps_as_factors_do) {
  double q[2][ROOM] = {{0.0}};
  for (int own = 0; own < 2; own++) {
    halves h;
    const double more = 1.0 + 4.0 * DBL_EPSILON;
    halves_open(&h, 9 - 6 * _i, 1, stiff, soft);
    h.rig.model.damping_mass = 0.4, h.rig.model.damping_stiffness = 0.02;
    if (own) halves_damp(&h, (prc_fem_damping){0.4, 0.02}, (prc_fem_damping){0.4 * more, 0.02 * more});
    rig_build(&h.rig);
    ck_assert_int_eq(h.rig.system->dynamics.C != NULL, own);
    shove(&h, "direct", q[own]);
    rig_close(&h.rig);
  }
  for (int i = 0; i < ROOM; i++) ck_assert_double_eq_tol(q[1][i], q[0][i], 1e-13);
}
END_TEST

/* ---- whatever solves the step --------------------------------------------------------------------------------------------- */

START_TEST(solvers_agree_with_a_matrix_of_damping) {
  static const char *const others[] = {"iterative", "umfpack"};
  double q[2][ROOM] = {{0.0}};
  for (int k = 0; k < 2; k++) {
    halves h;
    halves_open(&h, 3, 1, stiff, soft);
    const prc_fem_dashpot end = {"end", &h.rig.mesh->group[PLATE_RIGHT], {1, 1}, {0.0, 0.0}};
    halves_damp(&h, (prc_fem_damping){0.4, 0.0}, (prc_fem_damping){0.0, 0.1});
    h.rig.model.n_dashpots = 1, h.rig.model.dashpot = &end;
    rig_build(&h.rig);
    shove(&h, k ? others[_i] : "direct", q[k]);
    rig_close(&h.rig);
  }
  for (int i = 0; i < ROOM; i++) ck_assert_double_eq_tol(q[1][i], q[0][i], 1e-10);
}
END_TEST

/* A step that iterates, because it thinks that loads depend on the state, comes to the same motion and books the same works. */
START_TEST(steps_that_iterate_damp_as_others_do) {
  double q[2][ROOM] = {{0.0}}, work[2] = {0.0};
  for (int k = 0; k < 2; k++) {
    halves h;
    prc_step_options o = prc_step_options_default(0.05);
    halves_open(&h, 3, 1, stiff, soft);
    const prc_fem_dashpot end = {"end", &h.rig.mesh->group[PLATE_RIGHT], {1, 0}, {0.0, 0.7}};
    halves_damp(&h, (prc_fem_damping){0.4, 0.03}, (prc_fem_damping){0.1, 0.03});
    h.rig.model.n_dashpots = 1, h.rig.model.dashpot = &end;
    rig_build(&h.rig);
    prc_system system = *h.rig.system;
    if (k) system.dynamics.varies |= PRC_LOADS_OF_STATE;
    h.rig.system = &system;
    const size_t n = (size_t)system.space.nv;
    double *v = rig_room(n), *zero = rig_room(n), lost = 0.0;
    for (int a = 0; a < h.rig.mesh->n_nodes; a++) v[2 * a + 1] = h.rig.mesh->x[2 * a];
    o.theta = _i ? 0.8 : 0.5;
    rig_start(&h.rig, &o, zero, v);
    const double start = h.rig.record->kinetic;
    for (int j = 0; j < STEPS; j++) {
      rig_step(&h.rig, 1);
      for (int w = 0; w < PRC_N_WORKS; w++) lost += h.rig.record->work[w];
      work[k] += h.rig.record->work[PRC_WORK_damping] + h.rig.record->work[PRC_WORK_boundary];
    }
    const prc_dynamics *d = &system.dynamics;
    const double left = 0.5 * prc_sym_form(d->M, h.rig.record->v, h.rig.record->v)
                        + 0.5 * prc_sym_form(d->K, h.rig.record->q, h.rig.record->q);
    ck_assert_double_le(fabs(left - start - lost), (k ? 1e-11 : 1e-13) * start);
    ck_assert_double_lt(work[k], -0.5 * start);
    memcpy(q[k], h.rig.record->q, n * sizeof(double));
    prc_delete(&v);
    prc_delete(&zero);
    rig_close(&h.rig);
  }
  ck_assert_double_eq_tol(work[1], work[0], 1e-10);
  for (int i = 0; i < ROOM; i++) ck_assert_double_eq_tol(q[1][i], q[0][i], 1e-10);
}
END_TEST

/* The forces K q as if they were not linear: at theta = 1/2 their discrete gradient is that of the linear scheme. The dashpot is so strong
 * that passes whose matrix knows nothing of it do not converge. */
static const prc_sym *stiffness;

static prc_status internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *e) {
  (void)owner, (void)e;
  if (f) prc_sym_multiply(stiffness, at->q, f);
  if (potential) *potential = 0.5 * prc_sym_form(stiffness, at->q, at->q);
  return PRC_OK;
}

/* The pattern of A is that of K. */
static prc_status tangent(void *owner, const prc_at *at, double c, double c_v, prc_sym *A, prc_error *e) {
  (void)c_v;
  (void)owner, (void)at, (void)e;
  for (int k = 0; k < prc_sym_nnz(A); k++) A->x[k] += c * stiffness->x[k];
  return PRC_OK;
}

START_TEST(forces_that_are_not_linear_damp_as_others_do) {
  double q[2][ROOM] = {{0.0}};
  for (int k = 0; k < 2; k++) {
    halves h;
    halves_open(&h, 3, 1, stiff, soft);
    const prc_fem_dashpot end = {"end", &h.rig.mesh->group[PLATE_RIGHT], {0, 0}, {1.0, 500.0}};
    halves_damp(&h, (prc_fem_damping){0.4, 0.0}, (prc_fem_damping){0.1, 0.0});
    h.rig.model.n_dashpots = 1, h.rig.model.dashpot = &end;
    rig_build(&h.rig);
    prc_system system = *h.rig.system;
    stiffness = system.dynamics.K;
    if (k) {
      system.dynamics.K = NULL, system.dynamics.varies |= PRC_INTERNAL_NONLINEAR;
      system.dynamics.internal = internal, system.dynamics.tangent = tangent,
      system.dynamics.pattern = stiffness;
    }
    h.rig.system = &system;
    shove(&h, "direct", q[k]);
    rig_close(&h.rig);
  }
  ck_assert_double_gt(fabs(q[0][39]), 1e-3);
  for (int i = 0; i < ROOM; i++) ck_assert_double_eq_tol(q[1][i], q[0][i], 1e-10);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("material damping");
  TCase *all = tcase_create("material damping");
  tcase_set_timeout(all, 60);
  tcase_add_loop_test(all, modes_decay_as_their_complex_eigenvalues_say, 0, 6 * KINDS);
  tcase_add_test(all, equal_factors_are_those_of_the_model);
  tcase_add_loop_test(all, a_matrix_damps_as_factors_do, 0, 2);
  tcase_add_loop_test(all, solvers_agree_with_a_matrix_of_damping, 0, 2);
  tcase_add_test(all, forces_that_are_not_linear_damp_as_others_do);
  tcase_add_loop_test(all, steps_that_iterate_damp_as_others_do, 0, 2);
  suite_add_tcase(suite, all);
  return support_run(suite);
}

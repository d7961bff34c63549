/* Strains that turn with their points: what they are at any attitude, forces as the gradient of a potential, means over a step that keep energy and
 * both momenta, discs that spin, and cantilevers that bend far. */
#include "config.h"
#include "support/rig.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const int types[] = {2, 3, PLATE_LINEAR_MIX, 9, 16, 10, PLATE_QUADRATIC_MIX};
enum { N_TYPES = sizeof types / sizeof *types };

static prc_error err;

/* An elasticity of one's own, with no symmetry but that of D: turned axes are those of the material. */
static const char *const no_parameters[] = {NULL};
static prc_status any(const prc_fem_material *m, prc_fem_plane plane, prc_error *e) {
  (void)m, (void)plane, (void)e;
  return PRC_OK;
}
static void aslant(const prc_fem_material *m, prc_fem_plane plane, double D[4][4]) {
  static const double all[4][4] = {
      {5.0, 1.2, 0.6, 0.9}, {1.2, 3.0, -0.4, 0.7}, {0.6, -0.4, 1.5, 0.2}, {0.9, 0.7, 0.2, 4.0}};
  (void)m, (void)plane;
  memcpy(D, all, sizeof all);
}
static void speeds(const prc_fem_material *m, prc_fem_plane plane, double *longitudinal, double *shear) {
  (void)m, (void)plane;
  *longitudinal = 6.0, *shear = 2.0;
}
static const prc_fem_law slanted = {"slanted", no_parameters, any, aslant, speeds};

static void open_body(rig *r, const plate *p, prc_fem_plane plane, const prc_fem_law *law, double young) {
  rig_open(r, p, (const double[3]){young, 0.3, 2.0});
  r->model.kinematics = PRC_COROTATIONAL;
  r->model.plane = plane, r->model.thickness = 1.5;
  r->material.law = law;
}

static plate shaken(int i) {
  return (plate){.type = types[i], .nx = 3, .ny = 2, .width = 3.0, .height = 2.0, .shake = 0.25};
}

static int dofs(const rig *r) {
  return r->system->space.nv;
}

static void forces(const rig *r, const double *q, double *f, double *V) {
  support_ok(r->system->dynamics.internal(r->system->owner, &(prc_at){.q = q}, f, V, &err), &err);
}

/* x becomes shift + R U x. */
static void move(const rig *r, double angle, const double U[2][2], const double shift[2], double *q) {
  const double c = cos(angle), s = sin(angle);
  for (int a = 0; a < r->mesh->n_nodes; a++) {
    const double *x = r->mesh->x + 2 * a;
    const double y[2] = {U[0][0] * x[0] + U[0][1] * x[1], U[1][0] * x[0] + U[1][1] * x[1]};
    q[2 * a] = shift[0] + c * y[0] - s * y[1] - x[0];
    q[2 * a + 1] = shift[1] + s * y[0] + c * y[1] - x[1];
  }
}

/* q goes on with what is drawn, and all of it turns by an angle. */
static void turn_and_shake(const rig *r, prc_random *random, double angle, double size, double *q) {
  const double c = cos(angle), s = sin(angle);
  for (int a = 0; a < r->mesh->n_nodes; a++) {
    const double *X = r->mesh->x + 2 * a;
    double x[2];
    for (int k = 0; k < 2; k++) x[k] = X[k] + q[2 * a + k] + size * prc_random_uniform(random, -1.0, 1.0);
    q[2 * a] = c * x[0] - s * x[1] - X[0], q[2 * a + 1] = s * x[0] + c * x[1] - X[1];
  }
}

/* ---- at any attitude ---------------------------------------------------------------------------------------------- */

static const double angles[] = {0.0, 1e-9, 0.3, -1.0, 1.57, 2.5, 3.14159, -3.0};
enum { N_ANGLES = sizeof angles / sizeof *angles };

START_TEST(a_rigid_motion_strains_nothing) {
  static const double one[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  const plate p = shaken(_i);
  rig r;
  open_body(&r, &p, PRC_PLANE_STRAIN, &slanted, 0.0);
  rig_build(&r);
  double *q = rig_room((size_t)dofs(&r)), *f = rig_room((size_t)dofs(&r)), V;
  for (int k = 0; k < N_ANGLES; k++) {
    move(&r, angles[k], one, (const double[2]){0.7, -0.4}, q);
    forces(&r, q, f, &V);
    ck_assert_double_lt(V, 1e-27);
    for (int i = 0; i < dofs(&r); i++) ck_assert_double_eq_tol(f[i], 0.0, 1e-13);
  }
  ck_assert(!r.system->rotation); /* none is too large */
  prc_delete(&q);
  prc_delete(&f);
  rig_close(&r);
}
END_TEST

/* F = R U everywhere: V = volume (U - 1) : D (U - 1) / 2, stress R D (U - 1) R', and forces on the boundary alone. */
START_TEST(a_patch_is_strained_evenly_however_it_is_turned) {
  static const double U[2][2] = {{1.02, 0.01}, {0.01, 0.97}}, E[3] = {0.02, -0.03, 0.02};
  const plate p = shaken(_i);
  for (prc_fem_plane plane = PRC_PLANE_STRESS; plane <= PRC_PLANE_STRAIN; plane++) {
    rig r;
    double D[3][3], S[3] = {0.0}, density = 0.0, V;
    open_body(&r, &p, plane, NULL, 5.0);
    rig_build(&r);
    const size_t n = (size_t)dofs(&r), cells = (size_t)r.mesh->n_cells, nodes = (size_t)r.mesh->n_nodes;
    double *q = rig_room(n), *stress = rig_room(3 * cells), *across = rig_room(cells),
           *energy = rig_room(cells), *node = rig_room(3 * nodes), *f = rig_room(n);
    prc_fem_elasticity(5.0, 0.3, plane == PRC_PLANE_STRAIN, D);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) S[i] += D[i][j] * E[j], density += 0.5 * E[i] * D[i][j] * E[j];
    for (int k = 0; k < N_ANGLES; k++) {
      const double c = cos(angles[k]), s = sin(angles[k]);
      const double turned[3] = {c * c * S[0] + s * s * S[1] - 2.0 * c * s * S[2],
                                s * s * S[0] + c * c * S[1] + 2.0 * c * s * S[2],
                                c * s * (S[0] - S[1]) + (c * c - s * s) * S[2]};
      move(&r, angles[k], U, (const double[2]){0.7, -0.4}, q);
      forces(&r, q, f, &V);
      ck_assert_double_eq_tol(V, 1.5 * 6.0 * density, 1e-14);
      prc_fem_cell_fields(r.fem, q, stress, across, energy);
      prc_fem_node_stress(r.fem, q, node);
      for (size_t i = 0; i < 3 * cells; i++) ck_assert_double_eq_tol(stress[i], turned[i % 3], 1e-13);
      for (size_t i = 0; i < 3 * nodes; i++) ck_assert_double_eq_tol(node[i], turned[i % 3], 5e-13);
      for (size_t i = 0; i < cells; i++) {
        ck_assert_double_eq_tol(energy[i], density, 1e-14);
        ck_assert_double_eq_tol(across[i], plane == PRC_PLANE_STRAIN ? 0.3 * (S[0] + S[1]) : 0.0, 1e-14);
      }
      for (size_t a = 0; a < nodes; a++) {
        const double *x = r.mesh->x + 2 * a;
        const int inside = x[0] > 1e-9 && x[0] < 3.0 - 1e-9 && x[1] > 1e-9 && x[1] < 2.0 - 1e-9;
        for (size_t i = 2 * a; inside && i < 2 * a + 2; i++) ck_assert_double_eq_tol(f[i], 0.0, 1e-13);
      }
    }
    prc_delete(&q), prc_delete(&stress), prc_delete(&across);
    prc_delete(&energy), prc_delete(&node), prc_delete(&f);
    rig_close(&r);
  }
}
END_TEST

/* Forces turn with what they are of, with an isotropic law and with any. */
START_TEST(forces_turn_with_the_body) {
  const plate p = shaken(_i);
  prc_random random = {3};
  rig r;
  open_body(&r, &p, PRC_PLANE_STRESS, &slanted, 0.0);
  rig_build(&r);
  const size_t n = (size_t)dofs(&r);
  double *q = rig_room(n), *f = rig_room(n), *turned = rig_room(n), V, W;
  turn_and_shake(&r, &random, 0.0, 0.03, q);
  forces(&r, q, f, &V);
  for (int k = 0; k < 5; k++) {
    const double c = cos(1.3), s = sin(1.3), d = 0.0;
    turn_and_shake(&r, &random, 1.3, d, q);
    forces(&r, q, turned, &W);
    ck_assert_double_eq_tol(W, V, 1e-14);
    for (size_t a = 0; a < n; a += 2) {
      const double x = c * f[a] - s * f[a + 1], y = s * f[a] + c * f[a + 1];
      ck_assert_double_eq_tol(turned[a], x, 1e-13);
      ck_assert_double_eq_tol(turned[a + 1], y, 1e-13);
      f[a] = x, f[a + 1] = y;
    }
  }
  prc_delete(&q), prc_delete(&f), prc_delete(&turned);
  rig_close(&r);
}
END_TEST

/* Against K of small strains: what differs is of the second order. */
START_TEST(small_displacements_have_linear_forces) {
  const plate p = shaken(_i);
  for (prc_fem_plane plane = PRC_PLANE_STRESS; plane <= PRC_AXISYMMETRIC; plane++) {
    prc_random random = {11};
    rig r, linear;
    double before = 0.0;
    open_body(&r, &p, plane, &slanted, 0.0);
    rig_build(&r);
    open_body(&linear, &p, plane, &slanted, 0.0);
    linear.model.kinematics = PRC_SMALL_STRAIN;
    rig_build(&linear);
    const size_t n = (size_t)dofs(&r);
    double *q = rig_room(n), *f = rig_room(n), *Kq = rig_room(n);
    for (size_t i = 0; i < n; i++) q[i] = 1e-2 * prc_random_uniform(&random, -1.0, 1.0);
    for (int k = 0; k < 4; k++) {
      double worst = 0.0;
      forces(&r, q, f, NULL);
      prc_sym_multiply(linear.system->dynamics.K, q, Kq);
      for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(f[i] - Kq[i])), q[i] *= 0.1;
      if (k > 0) ck_assert_double_eq_tol(before / worst, 100.0, 15.0);
      before = worst;
    }
    prc_delete(&q), prc_delete(&f), prc_delete(&Kq);
    rig_close(&r), rig_close(&linear);
  }
}
END_TEST

/* ---- derivatives ---------------------------------------------------------------------------------------------------- */

/* The whole of what tangent adds to M's pattern, n x n by columns. */
static void tangent(const rig *r, const double *q, const double *v, double c_x, double c_v, double *K) {
  const prc_dynamics *d = &r->system->dynamics;
  prc_sym *A = NULL;
  const int n = dofs(r);
  support_ok(prc_sym_add(0.0, d->M, 0.0, d->pattern, &A, &err), &err);
  support_ok(d->tangent(r->system->owner, &(prc_at){.q = q, .v = v}, c_x, c_v, A, &err), &err);
  memset(K, 0, (size_t)n * (size_t)n * sizeof *K);
  for (int j = 0; j < n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) K[A->i[k] + n * j] = K[j + n * A->i[k]] = A->x[k];
  prc_sym_free(&A);
}

START_TEST(forces_and_tangent_are_those_of_differences) {
  const plate p = shaken(_i);
  for (prc_fem_plane plane = PRC_PLANE_STRESS; plane <= PRC_AXISYMMETRIC; plane++) {
    prc_random random = {5};
    rig r;
    const double d = 1e-5, c = 1e-7; /* M keeps the cells definite: nothing is left out */
    double largest = 0.0;
    open_body(&r, &p, plane, &slanted, 0.0);
    rig_build(&r);
    const size_t n = (size_t)dofs(&r);
    double *q = rig_room(n), *f = rig_room(n), *above = rig_room(n), *below = rig_room(n),
           *K = rig_room(n * n);
    turn_and_shake(&r, &random, plane == PRC_AXISYMMETRIC ? 0.1 : 2.0, 0.05, q);
    forces(&r, q, f, NULL);
    tangent(&r, q, NULL, c, 0.0, K);
    for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(K[i] / c));
    for (size_t j = 0; j < n; j++) {
      const double kept = q[j];
      double up, down;
      q[j] = kept + d, forces(&r, q, above, &up);
      q[j] = kept - d, forces(&r, q, below, &down);
      q[j] = kept;
      ck_assert_double_eq_tol(f[j], (up - down) / (2.0 * d), 1e-8 * largest);
      for (size_t i = 0; i < n; i++)
        ck_assert_double_eq_tol(K[i + n * j] / c, (above[i] - below[i]) / (2.0 * d), 1e-7 * largest);
    }
    prc_delete(&q), prc_delete(&f), prc_delete(&above), prc_delete(&below), prc_delete(&K);
    rig_close(&r);
  }
}
END_TEST

void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info);
void dgesv_(const int *n, const int *nrhs, double *A, const int *lda, int *pivots, double *b, const int *ldb,
            int *info);

/* However hard a body is pressed. */
START_TEST(the_matrix_of_a_step_stays_positive) {
  static const double pressed[2][2] = {{0.6, 0.0}, {0.0, 0.5}};
  const plate p = shaken(_i);
  rig r;
  open_body(&r, &p, PRC_PLANE_STRAIN, NULL, 5.0);
  rig_build(&r);
  const int n = dofs(&r);
  double *q = rig_room((size_t)n), *K = rig_room((size_t)n * (size_t)n);
  move(&r, 1.0, pressed, (const double[2]){0.0, 0.0}, q);
  for (double c = 1e-6; c < 1e6; c *= 100.0) {
    const prc_sym *M = r.system->dynamics.M;
    int info;
    tangent(&r, q, NULL, c, 0.0, K);
    for (int j = 0; j < n; j++)
      for (int k = M->p[j]; k < M->p[j + 1]; k++) K[M->i[k] + n * j] += M->x[k];
    dpotrf_("L", &n, K, &n, &info);
    ck_assert_int_eq(info, 0);
  }
  prc_delete(&q), prc_delete(&K);
  rig_close(&r);
}
END_TEST

/* ---- means over a step --------------------------------------------------------------------------------------------------- */

/* The largest |x|, for rounding. */
static double largest_of(size_t n, const double *x) {
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

START_TEST(means_keep_energy_and_momenta) {
  const plate p = shaken(_i);
  for (int k = 0; k < 20; k++) {
    prc_random random = {(uint64_t)(7 + k)};
    rig r;
    double V, W, gain, sum[3] = {0.0}, work = 0.0;
    open_body(&r, &p, PRC_PLANE_STRAIN, &slanted, 0.0);
    rig_build(&r);
    const size_t n = (size_t)dofs(&r);
    double *q = rig_room(n), *to = rig_room(n), *dx = rig_room(n), *f = rig_room(n);
    turn_and_shake(&r, &random, 2.0 * k, 0.05, q);
    memcpy(to, q, n * sizeof *q);
    turn_and_shake(&r, &random, 0.1 * k, 0.04, to);
    for (size_t i = 0; i < n; i++) dx[i] = to[i] - q[i];
    forces(&r, q, NULL, &V), forces(&r, to, NULL, &W);
    support_ok(r.system->dynamics.mean_internal(r.system->owner, q, dx, f, &gain, &err), &err);
    for (size_t i = 0; i < n; i++) work += dx[i] * f[i], sum[i % 2] += f[i];
    for (size_t a = 0; a < n; a += 2) {
      const double *X = r.mesh->x + a;
      sum[2] += (X[0] + q[a] + 0.5 * dx[a]) * f[a + 1] - (X[1] + q[a + 1] + 0.5 * dx[a + 1]) * f[a];
    }
    const double rounding = 1e-13 * fmax(1.0, largest_of(n, dx)) * largest_of(n, f);
    ck_assert_double_gt(largest_of(n, f), 0.01);
    ck_assert_double_eq_tol(gain, W - V, rounding);
    ck_assert_double_eq_tol(work, gain, rounding);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(sum[i], 0.0, rounding);
    prc_delete(&q), prc_delete(&to), prc_delete(&dx), prc_delete(&f);
    rig_close(&r);
  }
}
END_TEST

/* v . d >= 0, no resistance to a turn at any attitude, in the middle of a step by a finite angle too; and c_v dd/dv. */
START_TEST(damping_leaves_turns_free) {
  static const double one[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  const plate p = shaken(_i);
  prc_random random = {9};
  rig r;
  open_body(&r, &p, PRC_PLANE_STRAIN, &slanted, 0.0);
  r.model.damping_stiffness = 0.01;
  rig_build(&r);
  ck_assert(r.system->dynamics.varies & PRC_DAMPING_OF_STATE);
  ck_assert(r.system->dynamics.damping_stiffness == 0.0 && !r.system->dynamics.K && !r.system->dynamics.C);
  const size_t n = (size_t)dofs(&r);
  double *q = rig_room(n), *v = rig_room(n), *d = rig_room(n), *to = rig_room(n), *K = rig_room(n * n);
  move(&r, 0.4, one, (const double[2]){1.0, 0.0}, q), move(&r, 1.4, one, (const double[2]){1.0, 0.2}, to);
  for (size_t i = 0; i < n; i++) v[i] = to[i] - q[i], q[i] = 0.5 * (q[i] + to[i]);
  const prc_at at = {.q = q, .v = v};
  support_ok(r.system->dynamics.damping(r.system->owner, &at, d, &err), &err);
  for (size_t i = 0; i < n; i++) ck_assert_double_eq_tol(d[i], 0.0, 1e-15);
  turn_and_shake(&r, &random, 1.0, 0.05, q);
  tangent(&r, q, v, 0.0, 1.0, K);
  for (int k = 0; k < 10; k++) {
    double work = 0.0;
    for (size_t i = 0; i < n; i++) v[i] = prc_random_uniform(&random, -1.0, 1.0);
    support_ok(r.system->dynamics.damping(r.system->owner, &at, d, &err), &err);
    for (size_t i = 0; i < n; i++) {
      double Kv = 0.0;
      for (size_t j = 0; j < n; j++) Kv += K[i + n * j] * v[j];
      ck_assert_double_eq_tol(d[i], Kv, 1e-13);
      work += v[i] * d[i];
    }
    ck_assert_double_gt(work, 0.0);
  }
  prc_delete(&q), prc_delete(&v), prc_delete(&d), prc_delete(&to), prc_delete(&K);
  rig_close(&r);
}
END_TEST

START_TEST(what_is_turned_inside_out_is_refused) {
  static const double mirror[2][2] = {{-1.0, 0.0}, {0.0, 1.0}};
  const plate p = shaken(_i);
  rig r;
  open_body(&r, &p, PRC_PLANE_STRAIN, NULL, 5.0);
  rig_build(&r);
  double *q = rig_room((size_t)dofs(&r)), V;
  move(&r, 0.2, mirror, (const double[2]){0.0, 0.0}, q);
  support_fails(r.system->dynamics.internal(r.system->owner, &(prc_at){.q = q}, NULL, &V, &err), PRC_DIVERGED,
                &err, "is turned inside out");
  prc_error_clear(&err);
  prc_delete(&q);
  rig_close(&r);
  open_body(&r, &p, PRC_PLANE_STRAIN, NULL, 5.0);
  r.model.mass = PRC_MASS_MODIFIED;
  support_fails(prc_fem_create(&r.model, &r.fem, &err), PRC_INPUT, &err, "mass: modified");
  prc_error_clear(&err);
  rig_close(&r);
}
END_TEST

/* ---- equilibria, by Newton's method with dense matrices -------------------------------------------------------------------- */

/* f(q) = F + s M (X + q), dofs marked held at what q has. */
static void balance(const rig *r, const double *F, double s, const char *held, double *q) {
  const int n = dofs(r), one = 1;
  const prc_sym *M = r->system->dynamics.M;
  double *K = rig_room((size_t)n * (size_t)n), *b = rig_room((size_t)n), *x = rig_room((size_t)n),
         *Mx = rig_room((size_t)n);
  int *pivots = NULL, info;
  double last = INFINITY;
  support_ok(prc_new(&pivots, n, &err), &err);
  for (int pass = 0; pass < 40; pass++) {
    forces(r, q, b, NULL);
    for (int i = 0; i < n; i++) x[i] = r->mesh->x[i] + q[i];
    prc_sym_multiply(M, x, Mx);
    for (int i = 0; i < n; i++) b[i] = held[i] ? 0.0 : (F ? F[i] : 0.0) + s * Mx[i] - b[i];
    tangent(r, q, NULL, 1e-9, 0.0, K); /* small enough for M to keep the cells definite: all of it */
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) K[i] *= 1e9;
    for (int j = 0; j < n; j++)
      for (int k = M->p[j]; k < M->p[j + 1]; k++) {
        K[M->i[k] + n * j] -= s * M->x[k];
        if (M->i[k] != j) K[j + n * M->i[k]] -= s * M->x[k];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; held[i] && j < n; j++) K[i + n * j] = K[j + n * i] = i == j;
    dgesv_(&n, &one, K, &n, pivots, b, &n, &info);
    ck_assert_int_eq(info, 0);
    for (int i = 0; i < n; i++) q[i] += b[i];
    const double change = largest_of((size_t)n, b);
    if (change < 1e-14 || (change < 1e-11 && change >= last)) break;
    last = change;
    ck_assert_int_lt(pass, 39);
  }
  prc_delete(&K), prc_delete(&b), prc_delete(&x), prc_delete(&Mx), prc_delete(&pivots);
}

/* ---- discs ---------------------------------------------------------------------------------------------------------------- */

/* The square goes to the unit disc, its lines to ellipses. */
static void round_off(const void *how, const double s[2], double x[2]) {
  const double a = 2.0 * s[0] - 1.0, b = 2.0 * s[1] - 1.0;
  (void)how;
  x[0] = a * sqrt(1.0 - 0.5 * b * b), x[1] = b * sqrt(1.0 - 0.5 * a * a);
}

/* In the equilibrium of a spin omega, turning about the origin; no node turns meanwhile: one on the x axis is held in y. */
static void open_disc(rig *r, int type, int n, double young, double omega, double **q, double **v) {
  const plate p = {.type = type, .nx = n, .ny = n, .map = round_off};
  char *held = NULL;
  int on_axis = -1;
  open_body(r, &p, PRC_PLANE_STRESS, NULL, young);
  rig_build(r);
  *q = rig_room((size_t)dofs(r)), *v = rig_room((size_t)dofs(r));
  support_ok(prc_new(&held, dofs(r), &err), &err);
  for (int a = 0; a < r->mesh->n_nodes; a++)
    if (r->mesh->x[2 * a] > 0.9 && fabs(r->mesh->x[2 * a + 1]) < 1e-12) on_axis = a;
  ck_assert_int_ge(on_axis, 0);
  held[2 * on_axis + 1] = 1;
  balance(r, NULL, omega * omega, held, *q);
  for (int a = 0; a < r->mesh->n_nodes; a++) {
    (*v)[2 * a] = -omega * (r->mesh->x[2 * a + 1] + (*q)[2 * a + 1]);
    (*v)[2 * a + 1] = omega * (r->mesh->x[2 * a] + (*q)[2 * a]);
  }
  prc_delete(&held);
}

/* Mean of |x| - 1 over the nodes of the rim. */
static double widening(const rig *r, const double *q) {
  double sum = 0.0;
  int n = 0;
  for (int a = 0; a < r->mesh->n_nodes; a++) {
    const double *X = r->mesh->x + 2 * a;
    if (hypot(X[0], X[1]) < 1.0 - 1e-9) continue;
    sum += hypot(X[0] + q[2 * a], X[1] + q[2 * a + 1]) - 1.0, n++;
  }
  return sum / n;
}

/* A thin disc of radius R that spins is wider by rho omega^2 R^3 (1 - nu) / (4 E): here 2 * 0.7 / 4E at omega = 1. */
START_TEST(a_spinning_disc_is_as_wide_as_it_should) {
  static const struct {
    int type;
    double error[2];
  } of[] = {
      {2, {0.03, 0.007}}, {3, {0.03, 0.007}}, {9, {3e-3, 2e-4}}, {16, {0.01, 1e-3}}, {10, {3e-3, 2e-4}}};
  const double young = 2000.0, wide = 2.0 * 0.7 / (4.0 * young);
  for (int k = 0; k < 2; k++) {
    rig r;
    double *q, *v;
    open_disc(&r, of[_i].type, of[_i].type < 4 ? 4 << k : 2 << k, young, 1.0, &q, &v);
    ck_assert_double_eq_tol(widening(&r, q), wide, (of[_i].error[k] + 5e-4) * wide);
    prc_delete(&q), prc_delete(&v);
    rig_close(&r);
  }
}
END_TEST

typedef struct {
  double energy, spin, least, most;
} look;

/* Energy and moment of momentum afresh, and the radii of the rim. */
static look look_at(const rig *r) {
  const double *q = r->record->q;
  const size_t n = (size_t)dofs(r);
  double *v = rig_room(n), *m = rig_room(n), V;
  look now = {.least = INFINITY};
  prc_stepper_state(r->stepper, v, NULL, NULL);
  prc_sym_multiply(r->system->dynamics.M, v, m);
  forces(r, q, NULL, &V);
  now.energy = V;
  for (size_t i = 0; i < n; i++) now.energy += 0.5 * v[i] * m[i];
  for (size_t a = 0; a < n; a += 2) {
    const double x = r->mesh->x[a] + q[a], y = r->mesh->x[a + 1] + q[a + 1];
    now.spin += x * m[a + 1] - y * m[a];
    if (hypot(r->mesh->x[a], r->mesh->x[a + 1]) < 1.0 - 1e-9) continue;
    now.least = fmin(now.least, hypot(x, y)), now.most = fmax(now.most, hypot(x, y));
  }
  prc_delete(&v), prc_delete(&m);
  return now;
}

/* From the equilibrium of its spin: 25 turns, each step by 2 atan(omega h / 2), and no radius, energy or moment of momentum changes. */
START_TEST(a_free_disc_spins_for_ever) {
  static const int type[] = {2, 3, 16};
  const double h = 0.1, omega = 1.0, angle = 2.0 * atan(0.5 * omega * h);
  const int steps = (int)(25.0 * 2.0 * pi / angle);
  const prc_step_options options = prc_step_options_default(h);
  rig r;
  double *q, *v;
  open_disc(&r, type[_i], _i < 2 ? 4 : 2, 200.0, omega, &q, &v);
  rig_start(&r, &options, q, v);
  const look before = look_at(&r);
  for (int k = 0; k < 25; k++) {
    rig_step(&r, steps / 25);
    const look now = look_at(&r);
    const double by = (k + 1) * (steps / 25) * angle;
    ck_assert_double_eq_tol(now.energy, before.energy, 1e-12 * before.energy);
    ck_assert_double_eq_tol(now.spin, before.spin, 1e-12 * before.spin);
    ck_assert_double_eq_tol(now.least, before.least, 1e-10);
    ck_assert_double_eq_tol(now.most, before.most, 1e-10);
    for (int a = 0; a < r.mesh->n_nodes; a++) {
      const double x = r.mesh->x[2 * a] + q[2 * a], y = r.mesh->x[2 * a + 1] + q[2 * a + 1];
      ck_assert_double_eq_tol(r.mesh->x[2 * a] + r.record->q[2 * a], cos(by) * x - sin(by) * y, 1e-9);
      ck_assert_double_eq_tol(r.mesh->x[2 * a + 1] + r.record->q[2 * a + 1], sin(by) * x + cos(by) * y, 1e-9);
    }
  }
  prc_delete(&q), prc_delete(&v);
  rig_close(&r);
}
END_TEST

/* A body that is thrown, spins, and swings by several per cent: energy and momenta keep to rounding, with material damping the momenta alone. */
START_TEST(a_thrown_body_keeps_energy_and_momenta) {
  const plate p = shaken(_i % N_TYPES);
  const int damped = _i >= N_TYPES;
  const prc_step_options options = prc_step_options_default(0.05);
  rig r;
  open_body(&r, &p, PRC_PLANE_STRAIN, NULL, 50.0);
  if (damped) r.model.damping_stiffness = 0.01;
  rig_build(&r);
  const size_t n = (size_t)dofs(&r);
  double *q = rig_room(n), *v = rig_room(n);
  for (size_t a = 0; a < n; a += 2) {
    const double x = r.mesh->x[a] - 1.5, y = r.mesh->x[a + 1] - 1.0;
    v[a] = 2.0 - 1.5 * y + 0.4 * x, v[a + 1] = 1.0 + 1.5 * x;
  }
  rig_start(&r, &options, q, v);
  const look before = look_at(&r);
  rig_step(&r, 200);
  const look after = look_at(&r);
  ck_assert_double_eq_tol(after.spin, before.spin, 1e-11 * fabs(before.spin));
  if (damped)
    ck_assert_double_lt(after.energy, 0.999 * before.energy);
  else
    ck_assert_double_eq_tol(after.energy, before.energy, 1e-12 * before.energy);
  prc_delete(&q), prc_delete(&v);
  rig_close(&r);
}
END_TEST

/* Where it is after a time, with steps of h, h/2, h/4, ...: of the second order. */
START_TEST(steps_are_of_second_order) {
  const plate p = {.type = 3, .nx = 4, .ny = 1, .width = 4.0, .height = 1.0};
  double *at[4];
  size_t n = 0;
  for (int k = 0; k < 4; k++) {
    const prc_step_options options = prc_step_options_default(0.025 / (1 << k));
    rig r;
    open_body(&r, &p, PRC_PLANE_STRESS, NULL, 100.0);
    rig_hold(&r, 0, PLATE_LEFT, 1, 1);
    rig_build(&r);
    n = (size_t)dofs(&r);
    double *q = rig_room(n), *v = rig_room(n);
    for (size_t a = 0; a < n; a += 2)
      v[a + 1] = 0.15 * r.mesh->x[a] * r.mesh->x[a]; /* swings by half a radian */
    rig_start(&r, &options, q, v);
    rig_step(&r, 80 << k);
    at[k] = rig_room(n);
    memcpy(at[k], r.record->q, n * sizeof *q);
    prc_delete(&q), prc_delete(&v);
    rig_close(&r);
  }
  double apart[3] = {0.0};
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < n; i++) apart[k] = fmax(apart[k], fabs(at[k][i] - at[k + 1][i]));
  ck_assert_double_gt(largest_of(n, at[3]), 0.8);
  ck_assert_double_eq_tol(apart[1] / apart[2], 4.0, 0.3);
  for (int k = 0; k < 4; k++) prc_delete(&at[k]);
}
END_TEST

/* ---- cantilevers ------------------------------------------------------------------------------------------------------------ */

/* The tip's displacement under a dead load P across a cantilever of length 1 and that height, in steps. */
static void bend_far(int type, int nx, int ny, double height, double PL2_over_EI, double tip[2]) {
  const plate p = {.type = type, .nx = nx, .ny = ny, .width = 1.0, .height = height};
  const double EI = 1.5 * 1e4 * height * height * height / 12.0;
  char *held = NULL;
  rig r;
  open_body(&r, &p, PRC_PLANE_STRESS, NULL, 1e4);
  r.material.poisson = 0.0;
  r.model.n_loads = 1;
  r.load[0] = (prc_fem_load){.name = "tip", .group = &r.mesh->group[PLATE_RIGHT]};
  r.load[0].traction[1] = prc_field_constant(PL2_over_EI * EI / (1.5 * height));
  rig_build(&r);
  const size_t n = (size_t)dofs(&r);
  double *q = rig_room(n), *F = rig_room(n), *part = rig_room(n);
  support_ok(prc_new(&held, n, &err), &err);
  for (size_t i = 0; i < n; i++) held[i] = r.mesh->x[i - i % 2] < 1e-12;
  support_ok(r.system->dynamics.loads(r.system->owner, &(prc_at){0.0, q, q}, F, &err), &err);
  const int steps = 10;
  for (int k = 1; k <= steps; k++) {
    for (size_t i = 0; i < n; i++) part[i] = F[i] * k / steps;
    balance(&r, part, 0.0, held, q);
  }
  for (int a = 0; a < r.mesh->n_nodes; a++)
    if (r.mesh->x[2 * a] > 1.0 - 1e-12 && fabs(r.mesh->x[2 * a + 1] - 0.5 * height) < 1e-12)
      tip[0] = q[2 * a], tip[1] = q[2 * a + 1];
  prc_delete(&q), prc_delete(&F), prc_delete(&part), prc_delete(&held);
  rig_close(&r);
}

/* The elastica: with P L^2 / E I = 2 its tip goes across by 0.49346 L and back by 0.16064 L (K. Mattiasson 1981, by elliptic integrals); what stretches and
 * shears is of the order of (height / length)^2. */
START_TEST(a_slender_cantilever_is_the_elastica) {
  static const int type[] = {9, 16, 10};
  double tip[2];
  bend_far(type[_i], 20, 1, 0.02, 2.0, tip);
  ck_assert_double_eq_tol(tip[1], 0.49346, 5e-4);
  ck_assert_double_eq_tol(tip[0], -0.16064, 5e-4);
}
END_TEST

/* Elements with straight sides come to the same, with the square of their size. */
START_TEST(linear_elements_converge_to_it) {
  static const int type[] = {2, 3};
  double fine[2], tip[2], error[2];
  bend_far(16, 12, 2, 0.2, 2.0, fine);
  for (int k = 0; k < 2; k++) {
    bend_far(type[_i], 16 << k, 2 << k, 0.2, 2.0, tip);
    error[k] = hypot(tip[0] - fine[0], tip[1] - fine[1]);
  }
  ck_assert_double_eq_tol(error[0] / error[1], 4.0, 0.9); /* triangles are still too stiff */
  ck_assert_double_lt(error[1], 0.05);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("corotation");
  TCase *strains = tcase_create("strains"), *steps = tcase_create("steps"),
        *equilibria = tcase_create("equilibria");
  prc_dense_single_thread();
  tcase_set_timeout(steps, 60.0), tcase_set_timeout(equilibria, 60.0);
  tcase_add_loop_test(strains, a_rigid_motion_strains_nothing, 0, N_TYPES);
  tcase_add_loop_test(strains, a_patch_is_strained_evenly_however_it_is_turned, 0, N_TYPES);
  tcase_add_loop_test(strains, forces_turn_with_the_body, 0, N_TYPES);
  tcase_add_loop_test(strains, small_displacements_have_linear_forces, 0, N_TYPES);
  tcase_add_loop_test(strains, forces_and_tangent_are_those_of_differences, 0, N_TYPES);
  tcase_add_loop_test(strains, the_matrix_of_a_step_stays_positive, 0, N_TYPES);
  tcase_add_loop_test(strains, means_keep_energy_and_momenta, 0, N_TYPES);
  tcase_add_loop_test(strains, damping_leaves_turns_free, 0, N_TYPES);
  tcase_add_loop_test(strains, what_is_turned_inside_out_is_refused, 0, N_TYPES);
  tcase_add_loop_test(equilibria, a_spinning_disc_is_as_wide_as_it_should, 0, 5);
  tcase_add_loop_test(steps, a_free_disc_spins_for_ever, 0, 3);
  tcase_add_loop_test(steps, a_thrown_body_keeps_energy_and_momenta, 0, 2 * N_TYPES);
  tcase_add_test(steps, steps_are_of_second_order);
  tcase_add_loop_test(equilibria, a_slender_cantilever_is_the_elastica, 0, 3);
  tcase_add_loop_test(equilibria, linear_elements_converge_to_it, 0, 2);
  suite_add_tcase(suite, strains);
  suite_add_tcase(suite, steps);
  suite_add_tcase(suite, equilibria);
  return support_run(suite);
}

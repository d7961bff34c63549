#include "config.h"
#include "cone/problem/local.h"

#include <float.h>
#include <math.h>

/* The problem of one contact with m = 2 or 3 tangential rows, w = W p + q with q_N < 0, whatever its
 * friction. Without p_N, which w_N = 0 gives,
 *
 *   w_T = c + S p_T,   S = W_TT - W_TN W_NT / W_NN,   c = q_T - W_TN q_N / W_NN,   p_N = -(q_N + W_NT p_T) / W_NN,
 *
 * and slip, w_T = -z p_T with z >= 0, has p_T = -e, (S + z) e = c, and z a root of
 *
 *   F(z) = k_1 |e| - k_2 p_N,   p_N = (-q_N + W_NT e) / W_NN,   k_1 = min(1, 1 / mu), k_2 = min(1, mu).
 *
 * It sticks when F(0) <= 0. Else F, which is negative from |c| (W_NN / mu + |W_NT|) / -q_N on, has a root
 * in between, also where W_NN - mu |W_NT| is negative or W singular. The speed |z p_T| grows with z: of
 * several roots the largest is the fastest. S + z is inverted directly (m = 2: Cramer's rule) where that
 * keeps the digits, else by the eigenvalues of S: with m = 3 always, since a drilling row may be 1e-8 of
 * the others. W must be symmetric for any promise; m = 3 without symmetry takes elimination. m is a
 * constant wherever these functions are used. */
#define INLINE static inline __attribute__((always_inline))
#define MOST   (PRC_CONE_DIM_MOST - 1)

typedef struct {
  int by_axes;                /* by eigenvalues */
  double s[MOST];             /* eigenvalues of S */
  double S[MOST * MOST];      /* S by rows; diagonal where the eigenvalues are taken */
  double V[MOST * MOST];      /* eigenvectors, by columns; else 1 */
  double c[MOST], b[MOST];    /* c and W_NT, in these axes */
  double least;               /* of the s that have a c, or below: S + z is not less than least + z */
  double normal, q, k_1, k_2; /* 1 / W_NN, q_N */
} contact;

#define THIN 1e-3 /* m = 2: det S / (W_11 W_22), below which the eigenvalues are taken */

/* At z: F = gain - loss, both positive, and Newton's step for mu p_N / |e| = 1, which is linear in z where
 * S is a multiple of one. */
typedef struct {
  double z, F, step, gain, loss, e[MOST];
} state;

/* ---- what the contact gives ----------------------------------------------------------------- */

INLINE int is_symmetric(const int m, const double *W) {
  const int dim = m + 1;
  double trace = 0.0;
  for (int r = 0; r < dim; r++) trace += fabs(W[r * (dim + 1)]);
  for (int r = 0; r < dim; r++)
    for (int j = 0; j < r; j++)
      if (!(fabs(W[dim * r + j] - W[dim * j + r]) <= 4.0 * DBL_EPSILON * trace)) return 0;
  return 1;
}

/* S := R' S R and V := V R with the rotation R of rows i and j that makes S_ij zero. */
INLINE void rotate(const int m, int i, int j, contact *k) {
  double *S = k->S, *V = k->V;
  const double off = 0.5 * (S[m * i + j] + S[m * j + i]), a = (S[m * j + j] - S[m * i + i]) / (2.0 * off),
               t = (a >= 0.0 ? 1.0 : -1.0) / (fabs(a) + sqrt(1.0 + a * a)), cosine = 1.0 / sqrt(1.0 + t * t),
               sine = t * cosine;
  S[m * i + i] -= t * off, S[m * j + j] += t * off;
  S[m * i + j] = S[m * j + i] = 0.0;
  for (int r = 0; r < m; r++) {
    const double v_i = V[m * r + i], v_j = V[m * r + j];
    V[m * r + i] = cosine * v_i - sine * v_j, V[m * r + j] = sine * v_i + cosine * v_j;
    if (r == i || r == j) continue;
    const double s_i = 0.5 * (S[m * r + i] + S[m * i + r]), s_j = 0.5 * (S[m * r + j] + S[m * j + r]);
    S[m * r + i] = S[m * i + r] = cosine * s_i - sine * s_j;
    S[m * r + j] = S[m * j + r] = sine * s_i + cosine * s_j;
  }
}

/* Jacobi's method: S = V diag(s) V'. A pair counts as zero below 1e-17 of its own diagonal, so that small
 * rows keep their digits. */
INLINE void diagonalise(const int m, contact *k) {
  enum { SWEEPS = 30 };
  int done = 0;
  for (int sweep = 0; sweep < SWEEPS && !done; sweep++) {
    done = 1;
    for (int i = 0; i < m; i++)
      for (int j = i + 1; j < m; j++) {
        const double off = 0.5 * (k->S[m * i + j] + k->S[m * j + i]);
        if (off == 0.0) continue;
        if (fabs(off) > 1e-17 * sqrt(fabs(k->S[m * i + i] * k->S[m * j + j]))) done = 0;
        rotate(m, i, j, k);
      }
  }
  for (int i = 0; i < m; i++) k->s[i] = k->S[m * i + i];
}

/* x := V' x */
INLINE void to_axes(const int m, const double *V, double *x) {
  double y[MOST] = {0.0};
  for (int i = 0; i < m; i++)
    for (int r = 0; r < m; r++) y[i] += V[m * r + i] * x[r];
  for (int i = 0; i < m; i++) x[i] = y[i];
}

/* The rounding of S is its floor; a c below it is rounding and counts as zero. */
INLINE void floor_eigenvalues(const int m, contact *k, const double *W, const double *q) {
  const int dim = m + 1;
  k->least = INFINITY;
  for (int i = 0; i < m; i++) {
    double floor = 0.0, rounding = 0.0;
    for (int r = 0; r < m; r++) {
      const double v = k->V[m * r + i];
      floor += 16.0 * DBL_EPSILON * v * v * W[(dim + 1) * (r + 1)];
      rounding += 64.0 * DBL_EPSILON * fabs(v) * (fabs(q[r + 1]) + fabs(W[dim * (r + 1)] * q[0]) / W[0]);
    }
    if (!(k->s[i] > floor)) {
      k->s[i] = floor > 0.0 ? floor : 0.0;
      if (fabs(k->c[i]) <= rounding) k->c[i] = 0.0;
    }
    if (k->c[i] != 0.0 && k->s[i] < k->least) k->least = k->s[i];
  }
}

INLINE void prepare(const int m, const double *W, const double *q, double mu, contact *k) {
  const int dim = m + 1;
  const double one = 1.0 / W[0];
  k->normal = one, k->q = q[0];
  k->k_1 = mu > 1.0 ? 1.0 / mu : 1.0, k->k_2 = mu > 1.0 ? 1.0 : mu;
  for (int r = 0; r < m; r++) {
    const double share = W[dim * (r + 1)] * one;
    k->b[r] = W[r + 1];
    k->c[r] = q[r + 1] - share * q[0];
    for (int j = 0; j < m; j++) {
      k->S[m * r + j] = W[dim * (r + 1) + j + 1] - share * W[j + 1];
      k->V[m * r + j] = r == j;
    }
  }
  const double det = m == 2 ? k->S[0] * k->S[3] - k->S[1] * k->S[2] : 0.0;
  k->by_axes = !(m == 2 && det > THIN * W[4] * W[8]) && is_symmetric(m, W);
  k->least = det > 0.0 ? det / (k->S[0] + k->S[3]) : 0.0;
  if (!k->by_axes) return;
  diagonalise(m, k);
  to_axes(m, k->V, k->b), to_axes(m, k->V, k->c);
  floor_eigenvalues(m, k, W, q);
}

/* ---- the root ------------------------------------------------------------------------------- */

/* x := (S + z)^-1 x, m = 3 */
INLINE void eliminate(const double *S, double z, double *x) {
  double A[9];
  for (int i = 0; i < 9; i++) A[i] = S[i] + (i % 4 == 0 ? z : 0.0);
  for (int k = 0; k < 3; k++) {
    int pivot = k;
    for (int i = k + 1; i < 3; i++)
      if (fabs(A[3 * i + k]) > fabs(A[3 * pivot + k])) pivot = i;
    for (int j = 0; j < 3 && pivot != k; j++) {
      const double swap = A[3 * k + j];
      A[3 * k + j] = A[3 * pivot + j], A[3 * pivot + j] = swap;
    }
    const double swap = x[k];
    x[k] = x[pivot], x[pivot] = swap;
    for (int i = k + 1; i < 3; i++) {
      const double factor = A[3 * i + k] / A[3 * k + k];
      for (int j = k; j < 3; j++) A[3 * i + j] -= factor * A[3 * k + j];
      x[i] -= factor * x[k];
    }
  }
  for (int i = 2; i >= 0; i--) {
    for (int j = i + 1; j < 3; j++) x[i] -= A[3 * i + j] * x[j];
    x[i] /= A[4 * i];
  }
}

/* e = (S + z)^-1 c and rate = de/dz = -(S + z)^-1 e */
INLINE void solve_slip(const int m, const contact *k, double z, double *e, double *rate) {
  if (k->by_axes) {
    for (int i = 0; i < m; i++) {
      e[i] = k->c[i] == 0.0 ? 0.0 : k->c[i] / (k->s[i] + z);
      rate[i] = e[i] == 0.0 ? 0.0 : -e[i] / (k->s[i] + z);
    }
    return;
  }
  if (m == 3) {
    for (int i = 0; i < 3; i++) e[i] = k->c[i];
    eliminate(k->S, z, e);
    for (int i = 0; i < 3; i++) rate[i] = -e[i];
    eliminate(k->S, z, rate);
    return;
  }
  const double a = k->S[0] + z, d = k->S[3] + z, f = 1.0 / (a * d - k->S[1] * k->S[2]);
  e[0] = f * (d * k->c[0] - k->S[1] * k->c[1]), e[1] = f * (a * k->c[1] - k->S[2] * k->c[0]);
  rate[0] = f * (k->S[1] * e[1] - d * e[0]), rate[1] = f * (k->S[2] * e[0] - a * e[1]);
}

INLINE state evaluate(const int m, const contact *k, double z) {
  state at = {.z = z};
  double rate[MOST] = {0.0}, along = 0.0, change = 0.0;
  solve_slip(m, k, z, at.e, rate);
  const double square = prc_cone_dot(m, at.e, at.e), share = k->k_2 * k->normal;
  at.gain = k->k_1 * sqrt(square), at.loss = -k->q * share;
  const double size = at.gain;
  for (int i = 0; i < m; i++) {
    const double part = share * k->b[i] * at.e[i];
    if (part > 0.0)
      at.loss += part;
    else
      at.gain -= part;
    along += at.e[i] * rate[i];
    change += share * k->b[i] * rate[i];
  }
  at.F = at.gain - at.loss;
  at.step = at.F / (change - (size - at.F) * along / square);
  return at;
}

/* Down from where F is negative for sure. To the left of z the loss is no less, and the gain no more than
 * that at z times (least + z) / (least + z'): there is no root before z' = (least + z) gain / loss -
 * least. */
INLINE state descend(const int m, const contact *k, double high) {
  state at = evaluate(m, k, high);
  for (int i = 0; i < 60; i++) {
    const double least = k->least < INFINITY ? k->least : 0.0,
                 next = (least + at.z) * (at.gain / at.loss) - least, before = at.z;
    if (!(next > 0.0 && next < before)) break;
    const state there = evaluate(m, k, next);
    if (!(there.F < 0.0)) break; /* rounding */
    at = there;
    if (next > 0.5 * before) break;
  }
  return at;
}

/* z at a guess of p_T, from w_T = -z p_T; 0 where that says nothing. */
INLINE double estimate(const int m, const contact *k, const double *p) {
  double x[MOST], w[MOST];
  for (int i = 0; i < m; i++) x[i] = p[i];
  if (k->by_axes) to_axes(m, k->V, x);
  for (int i = 0; i < m; i++) {
    w[i] = k->c[i];
    if (k->by_axes) w[i] += k->s[i] * x[i];
    for (int j = 0; j < m && !k->by_axes; j++) w[i] += k->S[m * i + j] * x[j];
  }
  const double z = -prc_cone_dot(m, w, x) / prc_cone_dot(m, x, x);
  return z > 0.0 && z < INFINITY ? z : 0.0;
}

/* Newton's method in the bracket, by geometric means outside it. Where friction cannot wedge, mu |W_NT| <
 * W_NN, the way from a guess, or from `at`, z = 0, is the shortest. */
INLINE state find_root(const int m, const contact *k, state at, double z, double high) {
  const double least = k->least < INFINITY ? k->least : 0.0,
               coupling = sqrt(prc_cone_dot(m, k->b, k->b)) * k->normal;
  double low = 0.0;
  if (!(k->k_2 * coupling < k->k_1))
    at = descend(m, k, high), high = at.z;
  else if (z > 0.0 && z < high)
    at = evaluate(m, k, z), *(at.F > 0.0 ? &low : &high) = z;
  for (int i = 0; i < 80 && !(fabs(at.F) <= 8.0 * DBL_EPSILON * (at.gain + at.loss)); i++) {
    double next = at.z + at.step;
    if (!(next > low && next < high)) next = sqrt((low + least + 1e-20 * high) * (high + least)) - least;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (!(next > low && next < high)) break; /* neighbours */
    at = evaluate(m, k, next);
    *(at.F > 0.0 ? &low : &high) = next;
  }
  return at;
}

/* p from e; in slip exactly on the edge. */
INLINE void set_percussion(const int m, const contact *k, const state *at, double mu, int slips, double *p) {
  const double *e = at->e;
  p[0] = -k->q;
  for (int i = 0; i < m; i++) p[0] += k->b[i] * e[i];
  p[0] *= k->normal;
  for (int r = 0; r < m; r++) p[r + 1] = -prc_cone_dot(m, k->V + m * r, e);
  const double size = sqrt(prc_cone_dot(m, p + 1, p + 1));
  if (!slips || !(size > 0.0)) return;
  if (mu > 1.0)
    p[0] = size / mu;
  else
    for (int r = 1; r <= m; r++) p[r] *= mu * p[0] / size;
}

#define NO_FRICTION 1e-100 /* below, z would overflow: its limit has e along c */

INLINE void solve_contact(const int m, const double *W, const double *q, double mu, double *p) {
  contact k;
  double before[MOST];
  for (int r = 0; r < m; r++) before[r] = p[r + 1], p[r + 1] = 0.0;
  p[0] = 0.0;
  if (!(q[0] < 0.0) || !(W[0] > 0.0)) return; /* opens; or nothing can stop it */
  prepare(m, W, q, mu, &k);
  const double size = sqrt(prc_cone_dot(m, k.c, k.c));
  state at = {.e = {0.0}};
  if (mu < NO_FRICTION) {
    const double radius = size > 0.0 ? mu * -q[0] / W[0] / size : 0.0;
    for (int i = 0; i < m; i++) at.e[i] = radius * k.c[i];
    set_percussion(m, &k, &at, mu, 0, p);
    return;
  }
  at = evaluate(m, &k, 0.0);
  const int slips = !(at.F <= 0.0);
  if (slips)
    at = find_root(m, &k, at, estimate(m, &k, before),
                   size * (W[0] / mu + sqrt(prc_cone_dot(m, k.b, k.b))) / -q[0]);
  set_percussion(m, &k, &at, mu, slips, p);
}

void prc_cone_local_space(int dim, const double *W, const double *q, double mu, double *p) {
  if (dim == 3)
    solve_contact(2, W, q, mu, p);
  else
    solve_contact(3, W, q, mu, p);
}

/* The same in 2D, where S is a number and slip, against c, has F(z) = 0 in closed form:
 *
 *   p_N = -q_N / (W_NN - mu W_NT c / |c|),   p_T = -mu p_N c / |c|. */
void prc_cone_local_thin_2d(const double W[4], const double q[2], double mu, double p[2]) {
  p[0] = p[1] = 0.0;
  if (!(q[0] < 0.0) || !(W[0] > 0.0)) return;
  const double floor = 16.0 * DBL_EPSILON * W[3],
               rounding = 64.0 * DBL_EPSILON * (fabs(q[1]) + fabs(W[2] * q[0]) / W[0]);
  double s = W[3] - W[2] * (W[1] / W[0]), c = q[1] - W[2] * (q[0] / W[0]);
  if (!(s > floor)) {
    s = floor;
    if (fabs(c) <= rounding) c = 0.0;
  }
  const double e = c == 0.0 ? 0.0 : c / s, normal = (-q[0] + W[1] * e) / W[0];
  if (fabs(e) <= mu * normal) {
    p[0] = normal, p[1] = -e;
    return;
  }
  const double sign = c > 0.0 ? -1.0 : 1.0; /* of p_T */
  p[0] = -q[0] / (W[0] + sign * mu * W[1]);
  p[1] = sign * mu * p[0];
}

/* ---- friction of the speed ------------------------------------------------------------------ */

/* Slip at z has the speed V = z |e|, and F(z) = |e| - mu(V) p_N; its root is that of mu(V) p_N / |e| = 1, in decades of z. */
typedef struct {
  const prc_cone_problem *problem;
  int c;
  const contact *k;
  double mu, value, e[MOST];
} push;

INLINE prc_cone_value push_at(const int m, push *of, double z) {
  const contact *k = of->k;
  double rate[MOST], slope = 0.0;
  solve_slip(m, k, z, of->e, rate);
  const double size = sqrt(prc_cone_dot(m, of->e, of->e)),
               change = prc_cone_dot(m, of->e, rate) / size; /* d |e| / dz */
  of->mu = prc_cone_friction_at(of->problem, of->c, z > 0.0 ? z * size : 0.0, &slope);
  const double normal = k->normal * (prc_cone_dot(m, k->b, of->e) - k->q);
  of->value = 0.0;
  if (normal <= 0.0) return (prc_cone_value){0.0, 0.0}; /* z is too small */
  const double value = of->value = of->mu * (normal / size);
  return (prc_cone_value){value, normal / size * slope * (size + z * change)
                                     + of->mu / size * k->normal * prc_cone_dot(m, k->b, rate)
                                     - value * change / size};
}

static prc_cone_value push_at_2(void *owner, double z) {
  return push_at(2, owner, z);
}
static prc_cone_value push_at_3(void *owner, double z) {
  return push_at(3, owner, z);
}

/* From here on mu p_N > |e|, if mu is that of the free speed; else beyond. */
static double enough(prc_cone_function *at, push *of, double first) {
  double high = first;
  for (int i = 0; i < 64 && at(of, high).value < 1.0; i++) high *= 16.0;
  return high;
}

INLINE double solve_of_speed(const int m, const prc_cone_problem *problem, int c, const double *W,
                             const double *q, double *p) {
  contact k;
  state at = {.e = {0.0}};
  prc_cone_function *function = m == 2 ? push_at_2 : push_at_3;
  double slope = 0.0;
  prepare(m, W, q, 1.0, &k);
  push of = {.problem = problem, .c = c, .k = &k};
  const double size = sqrt(prc_cone_dot(m, k.c, k.c)),
               mu_free = prc_cone_friction_at(problem, c, size, &slope);
  if (!(size > 0.0) || function(&of, 0.0).value >= 1.0) {
    const double mu = prc_cone_friction_at(problem, c, 0.0, &slope);
    prc_cone_local_space(m + 1, W, q, mu, p);
    return mu;
  }
  if (mu_free < NO_FRICTION) {
    prc_cone_local_space(m + 1, W, q, mu_free, p);
    return mu_free;
  }
  prc_cone_root(function, &of,
                enough(function, &of, size * (W[0] / mu_free + sqrt(prc_cone_dot(m, k.b, k.b))) / -q[0]));
  for (int i = 0; i < m; i++) at.e[i] = of.e[i];
  set_percussion(m, &k, &at, of.mu, !(of.value > 1.0 + 1e-9),
                 p); /* else it is too slow for numbers: it sticks */
  return of.mu;
}

/* In the plane S is a number, and the speed itself the unknown: V + S mu p_N = |c|. */
static double solve_of_speed_2d(const prc_cone_problem *problem, int c, const double *W, const double *q,
                                double *p) {
  const double share = W[2] / W[0], floor = 16.0 * DBL_EPSILON * W[3],
               rounding = 64.0 * DBL_EPSILON * (fabs(q[1]) + fabs(share * q[0]));
  double S = W[3] - share * W[1], drive = q[1] - share * q[0];
  if (!(S > floor)) {
    S = floor > 0.0 ? floor : 0.0;
    if (fabs(drive) <= rounding) drive = 0.0;
  }
  const double sign = drive < 0.0 ? -1.0 : 1.0;
  prc_cone_rub rub = {.problem = problem, .c = c, .unit = 1.0};
  rub.S = S, rub.normal = -q[0] / W[0], rub.wedge = sign * W[1] / W[0], rub.d = fabs(drive);
  if (prc_cone_rub_speed(&rub) > 0.0) {
    p[0] = rub.normal / (1.0 - rub.wedge * rub.mu);
    p[1] = -sign * rub.mu * p[0];
  } else {
    prc_cone_local_2d(W, q, rub.mu, p);
  }
  return rub.mu;
}

double prc_cone_local_of_speed(const prc_cone_problem *problem, int c, const double *W, const double *q,
                               double *p) {
  const int dim = problem->dim;
  if (!(q[0] < 0.0) || !(W[0] > 0.0)) {
    for (int r = 0; r < dim; r++) p[r] = 0.0;
    return problem->mu[c];
  }
  if (dim == 2) return solve_of_speed_2d(problem, c, W, q, p);
  if (dim == 3) return solve_of_speed(2, problem, c, W, q, p);
  if (dim == 4) return solve_of_speed(3, problem, c, W, q, p);
  p[0] = -q[0] / W[0];
  return problem->mu[c];
}

#include "config.h"
#include "cone/internal.h"
#include "cone/local_2d.h"

#include <float.h>
#include <math.h>

/* The problem of one contact in 3D, w = W p + q with q_N < 0, whatever its friction. Without p_N, which w_N = 0 gives,
 *
 *   w_T = c + S p_T,   S = W_TT - W_TN W_NT / W_NN,   c = q_T - W_TN q_N / W_NN,   p_N = -(q_N + W_NT p_T) / W_NN,
 *
 * and slip, w_T = -z p_T with z >= 0, has p_T = -e, (S + z) e = c, and z a root of
 *
 *   F(z) = k_1 |e| - k_2 p_N,   p_N = (-q_N + W_NT e) / W_NN,   k_1 = min(1, 1 / mu), k_2 = min(1, mu).
 *
 * It sticks when F(0) <= 0. Else F, which is negative from |c| (W_NN / mu + |W_NT|) / -q_N on, has a root in between, also where
 * W_NN - mu |W_NT| is negative or W singular. The speed |z p_T| grows with z: of several roots the largest is the
 * fastest. S + z is inverted by Cramer's rule where that keeps the digits, else by the eigenvalues of S. W must be symmetric for
 * any promise. */
typedef struct {
  int by_axes;                /* by eigenvalues */
  double s[2], S[4];          /* eigenvalues of S, or S by rows */
  double V[4];                /* eigenvectors, by columns; else 1 */
  double c[2], b[2];          /* c and W_NT, in these axes */
  double least;               /* of the s that have a c, or below: S + z is not less than least + z */
  double normal, q, k_1, k_2; /* 1 / W_NN, q_N */
} contact;

#define THIN 1e-3 /* det S / (W_11 W_22), below which the eigenvalues are taken */

/* At z: F = gain - loss, both positive, and Newton's step for mu p_N / |e| = 1, which is linear in z where S is a multiple of one. */
typedef struct {
  double z, F, step, gain, loss, e[2];
} state;

/* ---- what the contact gives ---------------------------------------------------------------------------------------- */

static int is_symmetric(const double W[9]) {
  const double small = 4.0 * DBL_EPSILON * (fabs(W[0]) + fabs(W[4]) + fabs(W[8]));
  return fabs(W[1] - W[3]) <= small && fabs(W[2] - W[6]) <= small && fabs(W[5] - W[7]) <= small;
}

/* One rotation of Jacobi's: S = V diag(s) V'. */
static void diagonalise(contact *k) {
  const double off = 0.5 * (k->S[1] + k->S[2]);
  k->V[0] = k->V[3] = 1.0, k->V[1] = k->V[2] = 0.0;
  k->s[0] = k->S[0], k->s[1] = k->S[3];
  if (off == 0.0) return;
  const double a = (k->S[3] - k->S[0]) / (2.0 * off),
               t = (a >= 0.0 ? 1.0 : -1.0) / (fabs(a) + sqrt(1.0 + a * a)), cosine = 1.0 / sqrt(1.0 + t * t),
               sine = t * cosine;
  k->s[0] -= t * off, k->s[1] += t * off;
  k->V[0] = k->V[3] = cosine, k->V[1] = sine, k->V[2] = -sine;
}

static void turn(const double V[4], double x[2]) { /* x := V' x */
  const double x0 = V[0] * x[0] + V[2] * x[1], x1 = V[1] * x[0] + V[3] * x[1];
  x[0] = x0, x[1] = x1;
}

/* What S lost to rounding is its floor; there a c that rounding made is none. */
static void lift(contact *k, const double W[9], const double q[3]) {
  k->least = INFINITY;
  for (int i = 0; i < 2; i++) {
    double floor = 0.0, rounding = 0.0;
    for (int r = 0; r < 2; r++) {
      const double v = k->V[2 * r + i];
      floor += 16.0 * DBL_EPSILON * v * v * W[4 * (r + 1)];
      rounding += 64.0 * DBL_EPSILON * fabs(v) * (fabs(q[r + 1]) + fabs(W[3 * (r + 1)] * q[0]) / W[0]);
    }
    if (!(k->s[i] > floor)) {
      k->s[i] = floor > 0.0 ? floor : 0.0;
      if (fabs(k->c[i]) <= rounding) k->c[i] = 0.0;
    }
    if (k->c[i] != 0.0 && k->s[i] < k->least) k->least = k->s[i];
  }
}

static void prepare(const double W[9], const double q[3], double mu, contact *k) {
  const double one = 1.0 / W[0];
  k->normal = one, k->q = q[0];
  k->k_1 = mu > 1.0 ? 1.0 / mu : 1.0, k->k_2 = mu > 1.0 ? 1.0 : mu;
  for (int r = 0; r < 2; r++) {
    const double share = W[3 * (r + 1)] * one;
    k->b[r] = W[r + 1];
    k->c[r] = q[r + 1] - share * q[0];
    for (int j = 0; j < 2; j++) k->S[2 * r + j] = W[3 * (r + 1) + j + 1] - share * W[j + 1];
  }
  const double det = k->S[0] * k->S[3] - k->S[1] * k->S[2];
  k->V[0] = k->V[3] = 1.0, k->V[1] = k->V[2] = 0.0;
  k->by_axes = !(det > THIN * W[4] * W[8]) && is_symmetric(W);
  k->least = det > 0.0 ? det / (k->S[0] + k->S[3]) : 0.0;
  if (!k->by_axes) return;
  diagonalise(k);
  turn(k->V, k->b), turn(k->V, k->c);
  lift(k, W, q);
}

/* ---- the root ---------------------------------------------------------------------------------------------------------- */

/* e = (S + z)^-1 c and rate = de/dz = -(S + z)^-1 e */
static void respond(const contact *k, double z, double e[2], double rate[2]) {
  if (k->by_axes) {
    for (int i = 0; i < 2; i++) {
      e[i] = k->c[i] == 0.0 ? 0.0 : k->c[i] / (k->s[i] + z);
      rate[i] = e[i] == 0.0 ? 0.0 : -e[i] / (k->s[i] + z);
    }
    return;
  }
  const double a = k->S[0] + z, d = k->S[3] + z, f = 1.0 / (a * d - k->S[1] * k->S[2]);
  e[0] = f * (d * k->c[0] - k->S[1] * k->c[1]), e[1] = f * (a * k->c[1] - k->S[2] * k->c[0]);
  rate[0] = f * (k->S[1] * e[1] - d * e[0]), rate[1] = f * (k->S[2] * e[0] - a * e[1]);
}

static state evaluate(const contact *k, double z) {
  state at = {.z = z};
  double rate[2], along = 0.0, change = 0.0;
  respond(k, z, at.e, rate);
  const double square = at.e[0] * at.e[0] + at.e[1] * at.e[1], share = k->k_2 * k->normal;
  at.gain = k->k_1 * sqrt(square), at.loss = -k->q * share;
  const double size = at.gain;
  for (int i = 0; i < 2; i++) {
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

/* Down from where F is negative for sure. To the left of z the loss is no less, and the gain no more than that at z times
 * (least + z) / (least + z'): there is no root before z' = (least + z) gain / loss - least. */
static state descend(const contact *k, double high) {
  state at = evaluate(k, high);
  for (int i = 0; i < 60; i++) {
    const double least = k->least < INFINITY ? k->least : 0.0,
                 next = (least + at.z) * (at.gain / at.loss) - least, before = at.z;
    if (!(next > 0.0 && next < before)) break;
    const state there = evaluate(k, next);
    if (!(there.F < 0.0)) break; /* rounding */
    at = there;
    if (next > 0.5 * before) break;
  }
  return at;
}

/* z at a guess of p_T, from w_T = -z p_T; 0 where that says nothing. */
static double guess(const contact *k, const double p[2]) {
  double x[2] = {p[0], p[1]}, w[2];
  if (k->by_axes) {
    turn(k->V, x);
    for (int i = 0; i < 2; i++) w[i] = k->c[i] + k->s[i] * x[i];
  } else
    for (int i = 0; i < 2; i++) w[i] = k->c[i] + k->S[2 * i] * x[0] + k->S[2 * i + 1] * x[1];
  const double square = x[0] * x[0] + x[1] * x[1], z = -(w[0] * x[0] + w[1] * x[1]) / square;
  return z > 0.0 && z < INFINITY ? z : 0.0;
}

/* Newton's method in the bracket, by geometric means outside it. Where friction cannot wedge, mu |W_NT| < W_NN, the way from a
 * guess, or from `at`, z = 0, is the shortest. */
static state find_root(const contact *k, state at, double z, double high) {
  const double least = k->least < INFINITY ? k->least : 0.0,
               coupling = sqrt(k->b[0] * k->b[0] + k->b[1] * k->b[1]) * k->normal;
  double low = 0.0;
  if (!(k->k_2 * coupling < k->k_1))
    at = descend(k, high), high = at.z;
  else if (z > 0.0 && z < high)
    at = evaluate(k, z), *(at.F > 0.0 ? &low : &high) = z;
  for (int i = 0; i < 80 && !(fabs(at.F) <= 8.0 * DBL_EPSILON * (at.gain + at.loss)); i++) {
    double next = at.z + at.step;
    if (!(next > low && next < high)) next = sqrt((low + least + 1e-20 * high) * (high + least)) - least;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (!(next > low && next < high)) break; /* neighbours */
    at = evaluate(k, next);
    *(at.F > 0.0 ? &low : &high) = next;
  }
  return at;
}

/* p from e; in slip exactly on the edge. */
static void set_percussion(const contact *k, const state *at, double mu, int slips, double p[3]) {
  const double *e = at->e;
  p[0] = (-k->q + k->b[0] * e[0] + k->b[1] * e[1]) * k->normal;
  p[1] = -(k->V[0] * e[0] + k->V[1] * e[1]);
  p[2] = -(k->V[2] * e[0] + k->V[3] * e[1]);
  const double size = sqrt(p[1] * p[1] + p[2] * p[2]);
  if (!slips || !(size > 0.0)) return;
  if (mu > 1.0)
    p[0] = size / mu;
  else
    p[1] *= mu * p[0] / size, p[2] *= mu * p[0] / size;
}

#define NO_FRICTION 1e-100 /* below, z would overflow: its limit has e along c */

void prc_cone_local_3d(const double W[9], const double q[3], double mu, double p[3]) {
  contact k;
  const double before[2] = {p[1], p[2]};
  p[0] = p[1] = p[2] = 0.0;
  if (!(q[0] < 0.0) || !(W[0] > 0.0)) return; /* opens; or nothing can stop it */
  prepare(W, q, mu, &k);
  const double size = sqrt(k.c[0] * k.c[0] + k.c[1] * k.c[1]);
  state at = {.e = {0.0}};
  if (mu < NO_FRICTION) {
    const double radius = size > 0.0 ? mu * -q[0] / W[0] / size : 0.0;
    at.e[0] = radius * k.c[0], at.e[1] = radius * k.c[1];
    set_percussion(&k, &at, mu, 0, p);
    return;
  }
  at = evaluate(&k, 0.0);
  const int slips = !(at.F <= 0.0);
  if (slips)
    at = find_root(&k, at, guess(&k, before),
                   size * (W[0] / mu + sqrt(k.b[0] * k.b[0] + k.b[1] * k.b[1])) / -q[0]);
  set_percussion(&k, &at, mu, slips, p);
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

/* Laws of friction that depend on the speed, for tests: written in long double; what a solver is told is rounded from them. */
#ifndef PRC_TESTS_SPEED_LAWS_H
#define PRC_TESTS_SPEED_LAWS_H

#include "cone/cone.h"

#include <math.h>
#include <stdint.h>

#define DIM PRC_CONE_DIM_MOST

typedef enum { STEADY, REGULAR, WEAKENING, N_KINDS } law_kind;

/* STEADY: mu = a.  REGULAR (rate and state): mu = a asinh(V / 2 V_0 exp(psi / a)), y = ln(exp(psi / a) / 2 V_0).  WEAKENING: mu = a + b / (1 + V / V_0). */
typedef struct {
  law_kind kind;
  double a, b, V_0, y;
  long calls;
} law;

static inline long double friction_l(const law *f, long double V) {
  if (f->kind == STEADY) return f->a;
  if (f->kind == WEAKENING) return f->a + f->b / (1.0L + V / f->V_0);
  const long double ln = V > 0.0L ? logl(V) + f->y : -INFINITY;
  return f->a * (ln > 300.0L ? ln + logl(2.0L) : asinhl(expl(ln)));
}

/* As rows of the table of laws do it: doubles, through logarithms. */
static inline double friction_of(const void *owner, int c, double V, double *slope) {
  law *f = (law *)(uintptr_t)owner + c;
  f->calls++;
  if (f->kind == STEADY) {
    *slope = 0.0;
    return f->a;
  }
  if (f->kind == WEAKENING) {
    const double share = 1.0 / (1.0 + V / f->V_0);
    *slope = -f->b * share * share / f->V_0;
    return f->a + f->b * share;
  }
  const double ln = V > 0.0 ? log(V) + f->y : -INFINITY;
  if (ln > 300.0) {
    *slope = f->a / V;
    return f->a * (ln + 0.69314718055994530942);
  }
  const double x = exp(ln);
  *slope = V > 0.0 ? f->a * (x / sqrt(1.0 + x * x)) / V : f->a * exp(f->y);
  return f->a * asinh(x);
}

static inline double uniform(prc_random *r, double low, double high) {
  return prc_random_uniform(r, low, high);
}
static inline double decades(prc_random *r, double low, double high) {
  return pow(10.0, uniform(r, low, high));
}

/* Rate and state as faults have it: mu = 0.3 to 0.9 at a speed near V, or far in its linear part. */
static inline law draw_law(prc_random *r, law_kind kind, double V) {
  law f = {.kind = kind, .a = uniform(r, 0.0, 1.0), .b = uniform(r, 0.0, 0.5), .V_0 = V * decades(r, -2, 2)};
  if (kind != REGULAR) return f;
  f.a = decades(r, -3, -1);
  f.y = (uniform(r, 0, 5) < 1.0 ? uniform(r, -20, 0) : uniform(r, 0.3, 0.9) / f.a) - log(V);
  return f;
}

/* Of length one in m dimensions. */
static inline void direction(prc_random *r, int m, double *d) {
  double size = 0.0;
  do {
    size = 0.0;
    for (int k = 0; k < m; k++) d[k] = uniform(r, -1, 1), size += d[k] * d[k];
  } while (!(size > 1e-2 && size < 1.0));
  for (int k = 0; k < m; k++) d[k] /= sqrt(size);
}

#endif

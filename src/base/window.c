#include "config.h"
#include "base/base.h"

#include <float.h>
#include <math.h>

/* Fields over a step, (t, end) with h = end - t. A scheme takes a value of its own there, such as (1 - theta) f(t) + theta f(end). That is enough where f is
 * smooth in a step, ends included. Where f jumps or bends inside, the impulse is wrong by up to h/2 times the jump, or lost; where f jumps at an end, f(t) or f(end) may be the
 * value on the other side of the jump, or neither, and the impulse is as wrong. There the mean is taken:
 *
 *   missed = 1/h int_t^end f dt - the scheme's own value.
 *
 * A field is smooth if nodes of its tables are not inside, and if nine values, at t + k h/8, have small differences of the fifth order:
 *
 *   |f_k - 5 f_k+1 + 10 f_k+2 - 10 f_k+3 + 5 f_k+4 - f_k+5| <= ROUGH (max f - min f),   k = 0 .. 3.
 *
 * A sine keeps below that from five steps a period on; a ramp that ends at a share x of the step goes beyond it for x < 0.999. A jump at an end makes f_0 or f_8 alone another
 * than the values inside go on to, whose difference is then all of the jump.
 * Integrals are sums of Gauss' rule with five points between the nodes of tables, halved until nothing changes and Boole's rule agrees. So they are exact to rounding for tables
 * that are linear in t, and else to SMALL of h max |f|. Neither rule needs a value at a jump: Gauss' points are inside, and where the values inside are smooth up to both ends
 * Boole's, which has the ends, is left out. */

#define ROUGH  1e-3
#define NOISE  1e-11 /* of the largest value: differences that rounding leaves */
#define SMALL  1e-14
#define SHIFT  0.1
#define LITTLE 0.01 /* a share that is not looked at closer */
#define EDGE   1e-9 /* of a step: nodes as near to an end are at the end */
#define TIMES  8.0  /* eps of t: so far a time that formulas mean may be from t = k h */
enum { PARTS = 8, OF_RANGE = 32, DEEPEST = 48, MOST_VALUES = 20000 };

typedef struct {
  const prc_field *field;
  double x, y, small; /* small: what an integral may be off by */
  int n;              /* values so far */
  int open;           /* it jumps at ends alone */
  prc_error *err;
} integral;

/* int_a^b f dt, exact for polynomials of degree nine; no value at a or b. */
static prc_status by_gauss(integral *i, double a, double b, double *out) {
  static const double at[3] = {0.0, 0.53846931010568309, 0.90617984593866399},
                      weight[3] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  double sum = 0.0, value;
  for (int k = -2; k <= 2; k++) {
    const int of = k < 0 ? -k : k;
    const prc_status status =
        prc_field_eval(i->field, i->x, i->y, middle + (k < 0 ? -half : half) * at[of], &value, i->err);
    if (status != PRC_OK) return status;
    sum += weight[of] * value;
  }
  i->n += 5;
  *out = half * sum;
  return PRC_OK;
}

/* The same by Boole's rule, which has values at both ends: a jump that is nearer to one of them than Gauss' points is seen there. */
static prc_status by_boole(integral *i, double a, double b, double *out) {
  static const double weight[5] = {7.0, 32.0, 12.0, 32.0, 7.0};
  double sum = 0.0, value;
  for (int k = 0; k < 5; k++) {
    const double t = k == 4 ? b : a + 0.25 * k * (b - a);
    const prc_status status = prc_field_eval(i->field, i->x, i->y, t, &value, i->err);
    if (status != PRC_OK) return status;
    sum += weight[k] * value;
  }
  i->n += 5;
  *out = sum * (b - a) / 90.0;
  return PRC_OK;
}

static prc_status halve(integral *i, double a, double b, double whole, int depth, double *out) {
  const double middle = 0.5 * (a + b);
  double left, right, closed;
  prc_status status = PRC_OK;
  prc_try(by_gauss(i, a, middle, &left));
  prc_try(by_gauss(i, middle, b, &right));
  *out = left + right;
  if (depth == DEEPEST || i->n > MOST_VALUES) return PRC_OK;
  closed = *out;
  if (!i->open) prc_try(by_boole(i, a, b, &closed));
  if (fabs(*out - whole) <= i->small && fabs(*out - closed) <= i->small) return PRC_OK;
  prc_try(halve(i, a, middle, left, depth + 1, &left));
  prc_try(halve(i, middle, b, right, depth + 1, &right));
  *out = left + right;
done:
  return status;
}

static double next_node(const prc_field *field, double x, double y, double from, double end) {
  return field->next_node ? field->next_node(field, x, y, from, end) : INFINITY;
}

/* The mean over (t, end), between nodes; parts: pieces of each interval to begin with. */
static prc_status mean(integral *i, const prc_window *w, int parts, double *out) {
  const double h = w->end - w->t;
  double from = w->t, whole, piece;
  prc_sum sum = {0};
  while (from < w->end) {
    const double to = fmin(next_node(i->field, i->x, i->y, from, w->end), w->end),
                 width = (to - from) / parts;
    for (int k = 0; k < parts; k++) {
      const double a = from + k * width, b = k == parts - 1 ? to : from + (k + 1) * width;
      prc_status status = by_gauss(i, a, b, &whole);
      if (status == PRC_OK) status = halve(i, a, b, whole, 0, &piece);
      if (status != PRC_OK) return status;
      prc_sum_add(&sum, piece);
    }
    from = to;
  }
  *out = prc_sum_total(&sum) / h;
  return PRC_OK;
}

typedef struct {
  double f[PARTS + 1], least, most, largest;
} values;

static prc_status evaluate(const prc_field *field, double x, double y, const prc_window *w, values *v,
                           prc_error *err) {
  const double h = w->end - w->t;
  *v = (values){.least = INFINITY, .most = -INFINITY};
  for (int k = 0; k <= PARTS; k++) {
    const double t = k == PARTS ? w->end : w->t + h * k / PARTS;
    const prc_status status = prc_field_eval(field, x, y, t, &v->f[k], err);
    if (status != PRC_OK) return status;
    v->least = fmin(v->least, v->f[k]), v->most = fmax(v->most, v->f[k]);
    v->largest = fmax(v->largest, fabs(v->f[k]));
  }
  return PRC_OK;
}

static int is_rough(const values *v) {
  double worst = 0.0;
  for (int k = 0; k + 5 <= PARTS; k++) {
    const double *f = v->f + k;
    worst = fmax(worst, fabs((f[0] - f[5]) - 5.0 * (f[1] - f[4]) + 10.0 * (f[2] - f[3])));
  }
  return worst > ROUGH * (v->most - v->least) && worst > NOISE * v->largest;
}

/* Nodes and jumps as near to an end as this are at the end. */
static double edge_of(const prc_window *w) {
  return fmax(EDGE * (w->end - w->t), TIMES * DBL_EPSILON * fmax(fabs(w->t), fabs(w->end)));
}

/* Jumps at ends of the step alone: the values just inside are smooth with the others. */
static prc_status jumps_at_ends(const prc_field *field, double x, double y, const prc_window *w, values *v,
                                int *at_ends, prc_error *err) {
  const double edge = edge_of(w);
  const double first = v->f[0], last = v->f[PARTS];
  prc_status status = PRC_OK;
  prc_try(prc_field_eval(field, x, y, w->t + edge, &v->f[0], err));
  prc_try(prc_field_eval(field, x, y, w->end - edge, &v->f[PARTS], err));
  *at_ends = !is_rough(v);
done:
  v->f[0] = first, v->f[PARTS] = last;
  return status;
}

/* A scheme whose weights are not equal is of first order where a load is smooth, and what it is off by sums up to (theta - 1/2) h (f(T) - f(0)). Of a load that jumps between
 * steps and comes back within them, a saw tooth, it would sum up without end: does f jump just before the step or behind it? What cannot be evaluated there does not. */
static int jumps_beside(const prc_field *field, double x, double y, const prc_window *w, const values *v) {
  const double edge = edge_of(w), range = v->most - v->least;
  const double least = fmax(ROUGH * range, NOISE * v->largest);
  double before = v->f[0], behind = v->f[PARTS];
  prc_error ignored = {0};
  if (w->theta == 0.5 || !(range > NOISE * v->largest)) return 0;
  if (w->t > edge && prc_field_eval(field, x, y, w->t - edge, &before, &ignored) != PRC_OK) before = v->f[0];
  if (prc_field_eval(field, x, y, w->end + edge, &behind, &ignored) != PRC_OK) behind = v->f[PARTS];
  return fabs(before - v->f[0]) > least || fabs(behind - v->f[PARTS]) > least;
}

/* The mean of what lies outside of the values at both ends: none where f jumps from one to the other, all of a pulse. */
static double outside(const values *v) {
  const double low = fmin(v->f[0], v->f[PARTS]), high = fmax(v->f[0], v->f[PARTS]);
  double sum = 0.0;
  for (int k = 1; k < PARTS; k++) sum += fmax(fmax(v->f[k] - high, low - v->f[k]), 0.0);
  return sum / PARTS;
}

/* The mean of all nine by the trapezoidal rule, less that of both ends. */
static double shifted(const values *v) {
  double sum = 0.5 * (v->f[0] + v->f[PARTS]);
  for (int k = 1; k < PARTS; k++) sum += v->f[k];
  return fabs(sum / PARTS - 0.5 * (v->f[0] + v->f[PARTS]));
}

/* Against the largest value so far, by some of them since the start. A jump inside a step is there all the same, but half a step too early or late at most: a tenth of
 * it counts. */
static double share_lost(const prc_field *field, double x, double y, const prc_window *w, const values *v) {
  const double lost = fmax(outside(v), w->at_end ? 0.0 : SHIFT * shifted(v));
  double largest = v->largest, value;
  prc_error ignored = {0};
  if (!(lost > NOISE * largest)) return 0.0;
  for (int k = 0; k < OF_RANGE && lost > LITTLE * largest; k++)
    if (prc_field_eval(field, x, y, w->t * prc_even_place(k), &value, &ignored) == PRC_OK)
      largest = fmax(largest, fabs(value));
  return lost / largest;
}

/* The mean of |f|, by the trapezoidal rule. */
static double size(const values *v) {
  double sum = 0.5 * (fabs(v->f[0]) + fabs(v->f[PARTS]));
  for (int k = 1; k < PARTS; k++) sum += fabs(v->f[k]);
  return sum / PARTS;
}

static prc_status own_value(const prc_field *field, double x, double y, const prc_window *w, const values *v,
                            double *out, prc_error *err) {
  *out = (1.0 - w->theta) * v->f[0] + w->theta * v->f[PARTS];
  return w->at_once ? prc_field_eval(field, x, y, w->t + w->theta * (w->end - w->t), out, err) : PRC_OK;
}

prc_status prc_field_missed(const prc_field *field, double x, double y, prc_window *w, double *missed,
                            prc_error *err) {
  prc_status status = PRC_OK;
  const double edge = edge_of(w);
  values v;
  double own, all;
  *missed = 0.0;
  if (!field->uses_time || !field->eval) return PRC_OK;
  prc_try(evaluate(field, x, y, w, &v, err));
  if (w->look == PRC_WINDOW_LOST) w->lost = fmax(w->lost, share_lost(field, x, y, w, &v));
  if (w->look == PRC_WINDOW_SIZES) *missed = size(&v);
  if (w->look != PRC_WINDOW_MISSED) return PRC_OK;
  const int has_nodes = next_node(field, x, y, w->t + edge, w->end - edge) < w->end - edge;
  if (!has_nodes && !is_rough(&v) && !jumps_beside(field, x, y, w, &v)) return PRC_OK;
  int at_ends = 0;
  if (!has_nodes) prc_try(jumps_at_ends(field, x, y, w, &v, &at_ends, err));
  integral i = {.field = field, .x = x, .y = y, .open = at_ends, .err = err};
  i.small = SMALL * (w->end - w->t) * v.largest;
  prc_try(mean(&i, w, has_nodes || at_ends ? 1 : PARTS, &all));
  prc_try(own_value(field, x, y, w, &v, &own, err));
  *missed = all - own;
  if (*missed != 0.0) w->found = 1;
done:
  return status;
}

/* Drawn, as a rule would meet some period at one place of it (multiples of the golden section do every 987). */
double prc_even_place(int k) {
  prc_random random = {.state = (uint64_t)k};
  return prc_random_uniform(&random, 0.0, 1.0);
}

prc_status prc_field_in(prc_window *w, const prc_field *field, double x, double y, double t, double *value,
                        prc_error *err) {
  return w ? prc_field_missed(field, x, y, w, value, err) : prc_field_eval(field, x, y, t, value, err);
}

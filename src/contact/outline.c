#include "config.h"
#include "contact/outline.h"

#include <math.h>

void prc_outline_free(prc_outline *o) {
  prc_delete(&o->chord);
  prc_delete(&o->x);
  prc_delete(&o->left_out);
}

void prc_outline_enclose(prc_outline *o) {
  for (int k = 0; k < 2; k++) o->box[k] = INFINITY, o->box[2 + k] = -INFINITY;
  for (int i = 0; i < o->n_points; i++)
    for (int k = 0; k < 2; k++) {
      o->box[k] = fmin(o->box[k], o->x[2 * i + k]);
      o->box[2 + k] = fmax(o->box[2 + k], o->x[2 * i + k]);
    }
}

/* ---- a point ------------------------------------------------------------------------------------------------ */

static double distance_to_box(const double box[4], const double x[2]) {
  const double dx = fmax(fmax(box[0] - x[0], x[0] - box[2]), 0.0);
  const double dy = fmax(fmax(box[1] - x[1], x[1] - box[3]), 0.0);
  return dx > 0.0 && dy > 0.0 ? hypot(dx, dy) : dx + dy;
}

/* Of a point to the chord a-b: squared, and how far it is to the left of its line, times the length of the chord. The foot is cut to the chord. */
static double to_chord(const double *a, const double *b, const double x[2], double *left, double *length2) {
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {x[0] - a[0], x[1] - a[1]};
  const double along = d[0] * r[0] + d[1] * r[1], l2 = d[0] * d[0] + d[1] * d[1];
  const double s = l2 > 0.0 ? fmin(fmax(along / l2, 0.0), 1.0) : 0.0;
  const double off[2] = {r[0] - s * d[0], r[1] - s * d[1]};
  *left = d[0] * r[1] - d[1] * r[0], *length2 = l2;
  return off[0] * off[0] + off[1] * off[1];
}

/* By how often a ray along +x is crossed upwards less downwards: how often the chords go around x. */
static int turns(const double *a, const double *b, const double x[2], double left) {
  if (a[1] <= x[1]) return b[1] > x[1] && left > 0.0 ? 1 : 0;
  return b[1] <= x[1] && left < 0.0 ? -1 : 0;
}

/* Nearest part of the outline to a point: the squared distance, and the side on which the point is. */
typedef struct {
  double least, side; /* side: how far to the left of the line of the nearest chord */
  int n, on_left;     /* chords as near, two at a corner; all have it on their left */
} nearest;

/* At a corner the chord whose line is further says on which side x is. */
static void compare(nearest *now, double d2, double off) {
  const int as_near = now->n > 0 && d2 <= now->least * (1.0 + 1e-9);
  if (d2 > now->least && !as_near) return;
  if (now->n > 0 && as_near && d2 >= now->least * (1.0 - 1e-9)) {
    now->n++, now->on_left &= off > 0.0;
    if (fabs(off) > fabs(now->side)) now->side = off;
  } else
    now->n = 1, now->on_left = off > 0.0, now->side = off;
  now->least = fmin(now->least, d2);
}

/* Is what is on the left of the chords behind them? Beyond the end of a line nothing is: there its distance is more than that from the line. */
static int is_behind(const nearest *now) {
  const double distance = sqrt(now->least);
  return now->side > 0.0 && (now->side >= distance * (1.0 - 1e-9) || (now->n > 1 && now->on_left));
}

double prc_outline_depth(const prc_outline *o, const double x[2]) {
  nearest now = {.least = INFINITY};
  int winding = 0;
  for (int k = 0; k < o->n_chords; k++) {
    const double *a = o->x + 2 * o->chord[k][0], *b = o->x + 2 * o->chord[k][1];
    double left, length2;
    const double d2 = to_chord(a, b, x, &left, &length2);
    winding += turns(a, b, x, left);
    compare(&now, d2, length2 > 0.0 ? left / sqrt(length2) : 0.0);
  }
  for (int i = 0; o->n_chords == 0 && i < o->n_points; i++) {
    const double r[2] = {x[0] - o->x[2 * i], x[1] - o->x[2 * i + 1]};
    now.least = fmin(now.least, r[0] * r[0] + r[1] * r[1]);
  }
  const int inside = (o->closed && winding != 0) || (o->has_side && is_behind(&now));
  return o->radius + (inside ? sqrt(now.least) : -sqrt(now.least));
}

/* ---- with a disc, a half-plane, each other -------------------------------------------------------------------- */

double prc_outline_depth_of_disc(const prc_outline *o, const double centre[2], double radius, int exact) {
  const double reach = radius + o->radius, away = distance_to_box(o->box, centre);
  return away > 2.0 * reach && !exact ? reach - away : radius + prc_outline_depth(o, centre);
}

double prc_outline_depth_behind(const prc_outline *o, const double point[2], const double normal[2]) {
  double deepest = -INFINITY;
  for (int i = 0; i < o->n_points; i++) {
    if (o->left_out && o->left_out[i]) continue;
    const double *x = o->x + 2 * i;
    deepest = fmax(deepest, (point[0] - x[0]) * normal[0] + (point[1] - x[1]) * normal[1]);
  }
  return deepest + o->radius;
}

/* Points of a in b, if they are deeper than `deepest`. */
static double points_in(const prc_outline *a, const prc_outline *b, double deepest) {
  for (int i = 0; i < a->n_points; i++) {
    const double *x = a->x + 2 * i;
    const double away = distance_to_box(b->box, x);
    if ((a->left_out && a->left_out[i]) || (away > 0.0 && a->radius + b->radius - away <= deepest)) continue;
    deepest = fmax(deepest, a->radius + prc_outline_depth(b, x));
  }
  return deepest;
}

enum { CROSSINGS = 16 };

/* Where chord p-q crosses those of b, from 0 to 1, ascending. */
static int crossings(const prc_outline *b, const double *p, const double *q, double at[CROSSINGS]) {
  const double d[2] = {q[0] - p[0], q[1] - p[1]};
  int n = 0;
  for (int k = 0; k < b->n_chords && n < CROSSINGS; k++) {
    const double *u = b->x + 2 * b->chord[k][0], *v = b->x + 2 * b->chord[k][1];
    const double from = d[0] * (u[1] - p[1]) - d[1] * (u[0] - p[0]),
                 to = d[0] * (v[1] - p[1]) - d[1] * (v[0] - p[0]);
    if ((from > 0.0) == (to > 0.0)) continue;
    const double e[2] = {v[0] - u[0], v[1] - u[1]}, across = d[0] * e[1] - d[1] * e[0];
    const double s = ((u[0] - p[0]) * e[1] - (u[1] - p[1]) * e[0]) / across;
    int place = n;
    if (!(s > 0.0 && s < 1.0)) continue;
    for (; place > 0 && at[place - 1] > s; place--) at[place] = at[place - 1];
    at[place] = s, n++;
  }
  return n;
}

/* Of chords of a that go through b: in the middle of what is within. */
static double chords_in(const prc_outline *a, const prc_outline *b, double deepest) {
  for (int k = 0; k < a->n_chords; k++) {
    const double *p = a->x + 2 * a->chord[k][0], *q = a->x + 2 * a->chord[k][1];
    double at[CROSSINGS];
    if (fmax(p[0], q[0]) < b->box[0] || fmin(p[0], q[0]) > b->box[2] || fmax(p[1], q[1]) < b->box[1]
        || fmin(p[1], q[1]) > b->box[3])
      continue;
    const int n = crossings(b, p, q, at);
    for (int i = 1; i < n; i++) {
      const double s = 0.5 * (at[i - 1] + at[i]);
      const double x[2] = {p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])};
      deepest = fmax(deepest, a->radius + prc_outline_depth(b, x));
    }
  }
  return deepest;
}

double prc_outline_depth_of_two(const prc_outline *a, const prc_outline *b, int exact) {
  double apart = 0.0;
  for (int k = 0; k < 2; k++) apart = fmax(apart, fmax(a->box[k] - b->box[2 + k], b->box[k] - a->box[2 + k]));
  if (apart > a->radius + b->radius && !exact) return a->radius + b->radius - apart;
  double deepest = points_in(b, a, points_in(a, b, -INFINITY));
  if (a->closed && b->closed) deepest = chords_in(b, a, chords_in(a, b, deepest));
  return deepest;
}

/* ---- what it is compared with ------------------------------------------------------------------------------ */

#define WIDTHS 10.0

static double least_of(const double x[2]) {
  return x[0] > 0.0 && x[1] > 0.0 ? fmin(x[0], x[1]) : fmax(x[0], x[1]);
}

double prc_contact_compared(const double size[2], const double width[2]) {
  const double most = WIDTHS * least_of(width);
  return most > 0.0 ? fmin(least_of(size), most) : least_of(size);
}

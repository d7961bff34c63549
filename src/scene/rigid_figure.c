#include "config.h"
#include "scene/figures.h"

#include <math.h>
#include <string.h>

/* A rigid body: its corners, or else its disc, or else its parts. */

/* n corners from `first` on, closed where they go around something. */
static void add_corners(prc_figure *f, int n, const double *corner) {
  prc_outline *o = &f->outline;
  const int first = o->n_points;
  memcpy(f->r + 2 * first, corner, 2 * (size_t)n * sizeof *corner);
  o->n_points += n;
  for (int i = 0; i < (n > 2 ? n : n - 1); i++) {
    int *chord = o->chord[o->n_chords++];
    chord[0] = first + i, chord[1] = first + (i + 1) % n;
  }
  o->closed |= n > 2;
}

/* Of a polygon that may have arcs around: its width as four areas over its circumference. */
static double width_of(int n, const double *x, double radius) {
  double area = 0.0, around = 0.0;
  for (int i = 0; i < n; i++) {
    const double *a = x + 2 * i, *b = x + 2 * ((i + 1) % n);
    area += 0.5 * (a[0] * b[1] - a[1] * b[0]), around += hypot(b[0] - a[0], b[1] - a[1]);
  }
  return around > 0.0 ? 4.0 * fabs(area) / around + 2.0 * radius : 2.0 * radius;
}

/* Along each edge, between the points that were given. */
static prc_status find_longest(int n, const prc_body_point *point, prc_figure *f, prc_error *err) {
  double *at = NULL;
  const prc_status status = prc_new(&at, n, err);
  for (int k = 0; k < f->outline.n_chords && status == PRC_OK; k++) {
    const double *a = f->r + 2 * f->outline.chord[k][0], *b = f->r + 2 * f->outline.chord[k][1];
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(d[0], d[1]);
    int count = 0;
    for (int i = 0; i < n; i++) {
      const double x[2] = {point[i].r[0] - a[0], point[i].r[1] - a[1]};
      const double along = (d[0] * x[0] + d[1] * x[1]) / length, off = (d[0] * x[1] - d[1] * x[0]) / length;
      if (fabs(off) <= 1e-9 * f->size && along >= 0.0 && along <= length) at[count++] = along;
    }
    f->longest = fmax(f->longest, prc_figure_longest_way(count, at, length));
  }
  prc_delete(&at);
  return status;
}

static prc_status allocate(prc_figure *f, int n, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&f->r, 2 * (size_t)n, err));
  prc_try(prc_new(&f->outline.x, 2 * (size_t)n, err));
  prc_try(prc_new(&f->outline.chord, n, err));
done:
  return status;
}

/* Parts of one radius, such as a body has whose parts are polygons; else it has no outline. */
static prc_status add_parts(const prc_rigid_body *body, prc_figure *f, prc_error *err) {
  int n = 0;
  for (int k = 0; k < body->n_parts; k++) {
    if (!isfinite(body->part[k].extent) || body->part[k].radius != body->part[0].radius) return PRC_OK;
    n += body->part[k].n;
  }
  const prc_status status = allocate(f, n, err);
  f->width = INFINITY;
  for (int k = 0; k < body->n_parts && status == PRC_OK; k++) {
    add_corners(f, body->part[k].n, body->part[k].corner);
    f->width = fmin(f->width, width_of(body->part[k].n, body->part[k].corner, body->part[k].radius));
    f->outline.radius = body->part[k].radius;
  }
  return status;
}

static prc_status make(const void *self, int n, const prc_body_point *point, int sided, prc_figure *f,
                       prc_error *err) {
  prc_status status = PRC_OK;
  static const double centre[2] = {0.0, 0.0};
  (void)sided;
  if (n == 0) return PRC_OK;
  f->item = point[0].item;
  const prc_rigid_body *body = &prc_rigid_get_model(self)->body[f->item];
  if (body->n_points > 0) {
    prc_try(allocate(f, body->n_points, err));
    add_corners(f, body->n_points, body->point);
    f->width = width_of(body->n_points, body->point, 0.0);
  } else if (body->radius > 0.0) {
    prc_try(allocate(f, 1, err));
    add_corners(f, 1, centre);
    f->outline.radius = body->radius, f->width = 2.0 * body->radius;
  } else if (body->n_parts > 0)
    prc_try(add_parts(body, f, err));
  for (int i = 0; i < f->outline.n_points; i++)
    f->extent = fmax(f->extent, hypot(f->r[2 * i], f->r[2 * i + 1]));
  f->size = 2.0 * (f->extent + f->outline.radius);
  prc_try(find_longest(n, point, f, err));
done:
  return status;
}

static void place(const void *self, const double *q, const double *q_end, double s, prc_figure *f) {
  double at[3];
  (void)self;
  for (int k = 0; k < 3; k++) at[k] = (1.0 - s) * q[3 * f->item + k] + s * q_end[3 * f->item + k];
  const prc_pose pose = prc_pose_at(at[0], at[1], at[2]);
  for (int i = 0; i < f->outline.n_points; i++) {
    const double *r = f->r + 2 * i;
    f->outline.x[2 * i] = pose.x[0] + pose.c * r[0] - pose.s * r[1];
    f->outline.x[2 * i + 1] = pose.x[1] + pose.s * r[0] + pose.c * r[1];
  }
  prc_outline_enclose(&f->outline);
}

static void shift(const void *self, const double *q, const double *q_end, const prc_figure *f, double d[2]) {
  (void)self;
  for (int k = 0; k < 2; k++) d[k] = q_end[3 * f->item + k] - q[3 * f->item + k];
}

static double way(const void *self, const double *q, const double *q_end, const prc_figure *f,
                  const double d[2]) {
  double own[2];
  shift(self, q, q_end, f, own);
  return hypot(own[0] - d[0], own[1] - d[1]) + fabs(q_end[3 * f->item + 2] - q[3 * f->item + 2]) * f->extent;
}

const prc_figure_kind prc_figure_kind_rigid = {.make = make, .place = place, .shift = shift, .way = way};

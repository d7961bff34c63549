#include "config.h"
#include "scene/figures.h"

#include <math.h>

/* A beam: chords of its line, so many on each element that they are off it by next to nothing of what an element bends. */

enum { CHORDS = 8 };

static prc_status make(const void *self, int n, const prc_body_point *point, int sided, prc_figure *f,
                       prc_error *err) {
  prc_status status = PRC_OK;
  const int n_chords = CHORDS * prc_beam_get_model(self)->n_elements;
  prc_outline *o = &f->outline;
  double *at = NULL;
  (void)sided;
  prc_try(prc_new(&f->basis, (size_t)n_chords + 1, err));
  prc_try(prc_new(&o->x, 2 * ((size_t)n_chords + 1), err));
  prc_try(prc_new(&o->chord, n_chords, err));
  for (int i = 0; i <= n_chords; i++) f->basis[i] = prc_beam_basis_at(self, (double)i / n_chords);
  for (int k = 0; k < n_chords; k++) o->chord[k][0] = k, o->chord[k][1] = k + 1;
  o->n_points = n_chords + 1, o->n_chords = n_chords;
  f->size = prc_beam_length(self);
  prc_try(prc_new(&at, n, err));
  for (int i = 0; i < n; i++) at[i] = point[i].r[0] * f->size;
  f->longest = prc_figure_longest_way(n, at, f->size);
done:
  prc_delete(&at);
  return status;
}

static void place(const void *self, const double *q, const double *q_end, double s, prc_figure *f) {
  (void)self;
  for (int i = 0; i < f->outline.n_points; i++) {
    double from[2], to[2];
    prc_beam_sum(&f->basis[i], 0, q, from), prc_beam_sum(&f->basis[i], 0, q_end, to);
    for (int k = 0; k < 2; k++) f->outline.x[2 * i + k] = (1.0 - s) * from[k] + s * to[k];
  }
  prc_outline_enclose(&f->outline);
}

static void shift(const void *self, const double *q, const double *q_end, const prc_figure *f, double d[2]) {
  (void)self, (void)f;
  for (int k = 0; k < 2; k++) d[k] = q_end[k] - q[k];
}

/* Splines are means of their control points, and so is how far they move. */
static double way(const void *self, const double *q, const double *q_end, const prc_figure *f,
                  const double d[2]) {
  double most = 0.0;
  (void)f;
  for (int i = 0; i < prc_beam_points(self); i++)
    most = fmax(most, hypot(q_end[2 * i] - q[2 * i] - d[0], q_end[2 * i + 1] - q[2 * i + 1] - d[1]));
  return most;
}

const prc_figure_kind prc_figure_kind_beam = {.make = make, .place = place, .shift = shift, .way = way};

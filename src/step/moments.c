#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Change of angular momentum in a step that no moment from outside explains: with q_c = q_k (+) (1 - theta) h
 * v_k, about whose centres impulses turn,
 *
 *   R = L' - L - sum c x h F - moments about c of the percussions of what is fixed or driven,
 *
 * of the rigid bodies that joints and springs tie neither to the ground nor to what is driven or deforms (prc_system.whole). What else there is, is outside, fixed or not. Where pairs push each
 * other at one place of q_c it is rounding. In space and by levels, steps in which something from outside pushes are left out: there its moment stands in axes that turn within the step, or
 * positions are moved besides, and it is no sum of percussions. In the plane a body by itself makes no moment: its J dw is what acts on it, whatever a scheme carries along of it. */

#define FLOOR 1e-6 /* of moments about the origin by size: less is rounding of many steps, and no scale */

#define ROUNDING                                                                                             \
  (64.0 * DBL_EPSILON) /* of these moments, and of what passes leave, in a step; less is explained */

/* Is it between two free bodies? */
int prc_step_is_inside(const prc_stepper *s, int c) {
  const prc_rows *H = &s->contacts.set.H;
  if (s->contacts.set.body[2 * c] < 0) return 0;
  for (int i = H->start[c]; i < H->start[c + 1]; i++)
    if (s->part[H->dof[i]] == 2) return 0;
  return 1;
}

typedef enum { BESIDE, INSIDE, OUTSIDE } side;

/* Between two that are judged, between one of these and another, or between others. */
static side side_of(const prc_stepper *s, int c) {
  const prc_rows *H = &s->contacts.set.H;
  int judged = 0, other = s->contacts.set.body[2 * c] < 0;
  for (int i = H->start[c]; i < H->start[c + 1]; i++)
    *(s->system->whole[H->dof[i]] >= 0 ? &judged : &other) = 1;
  if (!judged) return BESIDE;
  return other ? OUTSIDE : INSIDE;
}

/* A body tied to others has more dofs than a body of the plane, and so has a body in space. */
void prc_step_moments_begin(prc_stepper *s) {
  for (int i = 0; s->system->moment && i < s->n; i++)
    if (s->system->whole[i] >= 0) s->turns_itself |= ++s->sizes[s->system->whole[i]] > 3.0;
}

/* Steps that are left out: something from outside pushes, and its moment is not known (in space, by levels), or no two that are judged press each other, so that there may be no scale for the
 * rounding of moments beside that; or nothing can make moments. */
static int is_left_out(const prc_stepper *s) {
  const prc_step_contacts *k = &s->contacts;
  int inside = 0, outside = 0;
  for (int c = 0; s->scheme->levels && c < k->set.n; c++) /* positions may be moved where nothing pushes */
    if (side_of(s, c) == OUTSIDE) return 1;
  for (int i = 0; i < k->n_active; i++) {
    if (k->set.p[k->set.dim * k->active[i]] == 0.0) continue;
    const side now = side_of(s, k->active[i]);
    inside |= now == INSIDE, outside |= now == OUTSIDE;
  }
  if (inside) return outside && k->set.dim > 2;
  return outside || !s->turns_itself;
}

/* H'p of what is outside, into y; and |H'||p| of all, into sizes. */
static void add_percussions(const prc_stepper *s, double *y, double *sizes) {
  const prc_step_contacts *k = &s->contacts;
  for (int i = 0; i < k->n_active; i++)
    if (side_of(s, k->active[i]) != INSIDE) prc_rows_pull(&k->set.H, 1, &k->active[i], 1.0, k->set.p, y);
  prc_step_contacts_add_sizes(k, sizes);
}

void prc_step_judge_moments(prc_stepper *s) {
  const prc_system *system = s->system;
  prc_indicator *indicator = &s->record.indicator[PRC_INDICATOR_angular_momentum];
  double before[3], after[3], loads[3], pushed[3], scale, size, left = 0.0;
  if (!system->moment || !s->scheme->has_mass || system->share || is_left_out(s)) return;
  if (s->force && system->space.mean) return; /* its moments stand in axes that turn */
  system->moment(system->owner, s->q_old, s->m_old, PRC_MOMENT_OF_MOMENTA, system->whole, before, &scale);
  system->moment(system->owner, s->q, s->m, PRC_MOMENT_OF_MOMENTA, system->whole, after, &size);
  scale = fmax(scale, size);
  if (prc_step_arms_are_middle(s))
    prc_step_move(s, s->q_old, 0.5 * s->options.h, s->v_work, s->work2);
  else
    prc_step_centre(s, s->q_old, s->v_old, s->work2);
  system->moment(system->owner, s->work2, s->F_work, PRC_MOMENT_OF_LOADS, system->whole, loads, NULL);
  memset(s->work, 0, (size_t)s->n * sizeof *s->work);
  memset(s->sizes, 0, (size_t)s->n * sizeof *s->sizes);
  add_percussions(s, s->work, s->sizes);
  system->moment(system->owner, s->work2, s->work, PRC_MOMENT_OF_IMPULSES, system->whole, pushed, NULL);
  for (int i = 0; i < s->n; i++) s->sizes[i] += fabs(s->m[i]) + s->options.h * fabs(s->F_work[i]);
  system->moment(system->owner, s->work2, s->sizes, PRC_MOMENT_OF_IMPULSES, system->whole, (double[3]){0.0},
                 &size);
  for (int k = 0; k < 3; k++) left = hypot(left, after[k] - before[k] - s->options.h * loads[k] - pushed[k]);
  *indicator = (prc_indicator){.value = left, .scale = scale + FLOOR * size, .a = -1, .b = -1};
  s->record.moment_rounding = ROUNDING * size;
}

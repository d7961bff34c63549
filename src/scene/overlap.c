#include "config.h"
#include "scene/overlap.h"

#include <math.h>
#include <stdlib.h>

/* How deep bodies that may touch are in each other, by their whole outlines, whatever points contacts look at.
 *
 * A pair is what a contact of the case names: an outline against a plane or a disc, or two outlines. Its depth d is a signed distance and changes by no
 * more than the two move against each other. So a step is passed over as long as the ways since the last look are shorter than what was left then,
 * allowed - d; and where a step is longer than that, it is walked through by strides of what is left, so that nothing passes unseen, not within a step either.
 *
 * Allowed is a hundredth of the smaller body's size (or what the case says), and how far chords are off the curves that they stand for. Schemes that close velocities
 * find what comes to touch within a step late, by up to its way, and go half of that further: allowed is 3/2 of what the pair closed in the step that brought it
 * together, half the smaller width at most, until it is apart again. */

#define LATE  1.5      /* times the way that a pair closed in the step that brought it together */
#define AGAIN 0.1      /* of what is allowed: the least that bodies move between two looks */
enum { STRIDES = 64 }; /* of a step, at most */

/* ---- depths --------------------------------------------------------------------------------------------------- */

static const double *own_part(const prc_scene *scene, int b, const double *q) {
  return q + scene->body[b].first_coordinate;
}

static const prc_figure_kind *kind_of(const prc_scene *scene, int b) {
  return scene->body[b].kind->figure;
}

void prc_overlap_place(const prc_scene *scene, prc_overlap_pair *p, int k, const double *q,
                       const double *q_end, double s) {
  const int b = p->of[k];
  kind_of(scene, b)->place(scene->body[b].self, own_part(scene, b, q), own_part(scene, b, q_end), s,
                           &p->figure[k]);
}

/* The surface at (1 - s) q + s q_end. */
prc_contact_surface prc_overlap_surface(const prc_scene *scene, const prc_overlap_pair *p, const double *q,
                                        const double *q_end, double s) {
  if (p->of[1] < 0) return p->surface;
  const double *from = own_part(scene, p->of[1], q) + 3 * p->item,
               *to = own_part(scene, p->of[1], q_end) + 3 * p->item;
  double at[3];
  for (int k = 0; k < 3; k++) at[k] = (1.0 - s) * from[k] + s * to[k];
  return prc_contact_surface_moved(&p->surface, at, at[2]);
}

static double depth_between(const prc_scene *scene, prc_overlap_pair *p, const double *q, const double *q_end,
                            double s, int exact) {
  prc_overlap_place(scene, p, 0, q, q_end, s);
  if (p->n_figures == 2) {
    prc_overlap_place(scene, p, 1, q, q_end, s);
    return prc_outline_depth_of_two(&p->figure[0].outline, &p->figure[1].outline, exact);
  }
  const prc_contact_surface now = prc_overlap_surface(scene, p, q, q_end, s);
  return p->is_disc ? prc_outline_depth_of_disc(&p->figure[0].outline, now.point, now.radius, exact)
                    : prc_outline_depth_behind(&p->figure[0].outline, now.point, now.normal);
}

static double depth_at(const prc_scene *scene, prc_overlap_pair *p, const double *q, const double *q_end,
                       double s) {
  return depth_between(scene, p, q, q_end, s, 0);
}

double prc_overlap_depth(const prc_scene *scene, prc_overlap_pair *p, const double *q, int exact) {
  return depth_between(scene, p, q, q, 0.0, exact);
}

/* How far the two move against each other from q to q_end, at most. */
static double way_of(const prc_scene *scene, const prc_overlap_pair *p, const double *q,
                     const double *q_end) {
  double d[2], sum = 0.0;
  if (p->n_figures == 1) {
    const prc_contact_surface from = prc_overlap_surface(scene, p, q, q, 0.0),
                              to = prc_overlap_surface(scene, p, q_end, q_end, 0.0);
    for (int k = 0; k < 2; k++) d[k] = to.point[k] - from.point[k];
  } else
    kind_of(scene, p->of[1])
        ->shift(scene->body[p->of[1]].self, own_part(scene, p->of[1], q), own_part(scene, p->of[1], q_end),
                &p->figure[1], d);
  for (int k = 0; k < p->n_figures; k++) {
    const int b = p->of[k];
    sum += kind_of(scene, b)->way(scene->body[b].self, own_part(scene, b, q), own_part(scene, b, q_end),
                                  &p->figure[k], d);
  }
  return sum;
}

/* ---- a step --------------------------------------------------------------------------------------------------- */

static void note(const prc_overlap_pair *p, double depth, double allowed, prc_indicator *worst) {
  prc_indicator_worst(worst, &(prc_indicator){fmax(depth, 0.0), allowed, p->number[0], p->number[1], 0.0});
}

/* Late pairs: apart in the step before, and now in each other. */
static void follow_late(const prc_overlap_pair *p, double before, double now, int late, double *carried) {
  if (now <= 0.0)
    carried[PRC_OVERLAP_CLOSED] = 0.0;
  else if (before <= 0.0 && late)
    carried[PRC_OVERLAP_CLOSED] = fmin(LATE * (now - before), p->cap);
}

/* A plane is never passed, and costs no more than to know how far things moved. */
static void judge_plane(const prc_scene *scene, prc_overlap_pair *p, const double *q, int late,
                        double *carried, prc_indicator *worst) {
  const double now = depth_at(scene, p, q, q, 0.0);
  follow_late(p, carried[PRC_OVERLAP_LEFT], now, late, carried);
  note(p, now, fmax(p->bound, carried[PRC_OVERLAP_CLOSED]), worst);
  carried[PRC_OVERLAP_LEFT] = now;
}

/* The deepest within the step, its ends apart, from `before` on. */
static double walk(const prc_scene *scene, prc_overlap_pair *p, const double *q_old, const double *q,
                   double way, double before, double allowed) {
  double deepest = before, now = before;
  for (double s = 0.0;;) {
    s += fmax((allowed - now) / way, 1.0 / STRIDES);
    if (!(s < 1.0)) return deepest;
    now = depth_at(scene, p, q_old, q, s);
    deepest = fmax(deepest, now);
    if (now > allowed) return deepest;
  }
}

static void judge_pair(const prc_scene *scene, prc_overlap_pair *p, const double *q_old, const double *q,
                       int late, double *carried, prc_indicator *worst) {
  const double way = way_of(scene, p, q_old, q);
  carried[PRC_OVERLAP_LEFT] -= way;
  if (carried[PRC_OVERLAP_LEFT] > 0.0) return;
  const double now = depth_at(scene, p, q, q, 0.0);
  double within = now, allowed = fmax(p->bound, carried[PRC_OVERLAP_CLOSED]);
  if (way > 0.5 * p->bound) {
    const double before = depth_at(scene, p, q_old, q_old, 0.0);
    if (before <= allowed) within = walk(scene, p, q_old, q, way, before, allowed);
    /* what was deeper within the step than at its end is on its way through */
    follow_late(p, before, now, late && within <= fmax(now, p->bound), carried);
    allowed = fmax(p->bound, carried[PRC_OVERLAP_CLOSED]);
  } else if (now <= 0.0)
    carried[PRC_OVERLAP_CLOSED] = 0.0;
  note(p, fmax(now, within), allowed, worst);
  carried[PRC_OVERLAP_LEFT] = fmax(allowed - now, AGAIN * allowed);
}

void prc_overlap_judge_step(void *owner, const double *q_old, const double *q, int late, double *carried,
                            prc_indicator *worst) {
  const prc_scene *scene = owner;
  for (int k = 0; k < scene->overlaps->n; k++) {
    prc_overlap_pair *p = &scene->overlaps->pair[k];
    if (p->n_figures == 1 && !p->is_disc)
      judge_plane(scene, p, q, late, carried + PRC_OVERLAP_CARRIED * k, worst);
    else
      judge_pair(scene, p, q_old, q, late, carried + PRC_OVERLAP_CARRIED * k, worst);
  }
}

/* ---- for others --------------------------------------------------------------------------------------------------- */

int prc_overlap_items(const prc_scene *scene) {
  const prc_body *last = &scene->body[scene->n_bodies - 1];
  return last->first_item + last->kind->items(last->self);
}

int prc_scene_overlaps(const prc_scene *scene) {
  return scene->overlaps->n;
}

prc_scene_overlap prc_scene_overlap_at(const prc_scene *scene, int k, const double *q) {
  prc_overlap_pair *p = &scene->overlaps->pair[k];
  return (prc_scene_overlap){.group = p->group,
                             .depth = prc_overlap_depth(scene, p, q, 1),
                             .forgiven = p->slack,
                             .allowed = p->bound,
                             .radius = p->n_figures == 1 && p->is_disc ? p->surface.radius : 0.0,
                             .spacing = p->figure[0].longest,
                             .of_plane = p->n_figures == 1 && !p->is_disc,
                             .body = {p->number[0], p->number[1]}};
}

const char *prc_scene_overlap_name(const prc_scene *scene, int number) {
  const int k = number - prc_overlap_items(scene);
  if (k < 0 || k >= 2 * scene->overlaps->n) return NULL;
  return scene->overlaps->pair[k / 2].name[k % 2];
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

void prc_overlap_pair_free(prc_overlap_pair *p) {
  for (int k = 0; k < 2; k++) prc_figure_free(&p->figure[k]);
}

void prc_scene_free_overlaps(prc_scene *scene) {
  for (int k = 0; scene->overlaps && k < scene->overlaps->n; k++)
    prc_overlap_pair_free(&scene->overlaps->pair[k]);
  if (scene->overlaps) prc_delete(&scene->overlaps->pair);
  prc_delete(&scene->overlaps);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double prc_figure_longest_way(int n, double *at, double length) {
  double before = 0.0, longest = 0.0;
  if (n > 0) qsort(at, (size_t)n, sizeof *at, by_size);
  for (int i = 0; i < n; i++) longest = fmax(longest, at[i] - before), before = at[i];
  return fmax(longest, length - before);
}

void prc_figure_free(prc_figure *f) {
  prc_outline_free(&f->outline);
  prc_delete(&f->node);
  prc_delete(&f->r);
  prc_delete(&f->basis);
}

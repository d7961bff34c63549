/* overlap: pairs of outlines, between what makes them (overlap_pairs.c) and what judges them (overlap.c). */
#ifndef PRC_SCENE_OVERLAP_H
#define PRC_SCENE_OVERLAP_H

#include "scene/internal.h"

/* State of a pair from step to step: the depth still allowed (for planes the last depth), and the allowance of
 * a late pair. */
enum { PRC_OVERLAP_LEFT, PRC_OVERLAP_CLOSED, PRC_OVERLAP_CARRIED };

typedef struct {
  const char *name[2];
  int group, number[2];        /* of the scene; bodies in looks */
  int n_figures;               /* 2: the touched one is an outline too, ... */
  prc_figure figure[2];        /* touching, touched */
  int of[2];                   /* bodies of the scene; -1: what never moves */
  prc_contact_surface surface; /* ... else this, in the axes of its body */
  int item, is_disc;
  double bound, cap, slack; /* what is allowed; the most for what is late; what is forgiven at the start */
} prc_overlap_pair;

struct prc_scene_overlaps {
  int n;
  size_t room;
  prc_overlap_pair *pair;
};

/* Outline k of the pair, and the surface that it has in place of the second, at (1 - s) q + s q_end. */
void prc_overlap_place(const prc_scene *scene, prc_overlap_pair *p, int k, const double *q,
                       const double *q_end, double s);
prc_contact_surface prc_overlap_surface(const prc_scene *scene, const prc_overlap_pair *p, const double *q,
                                        const double *q_end, double s);
/* How deep the two are in each other at q; exact: also of what is far apart. */
double prc_overlap_depth(const prc_scene *scene, prc_overlap_pair *p, const double *q, int exact);
/* Of prc_system_overlaps. */
void prc_overlap_judge_step(void *owner, const double *q_old, const double *q, int late, double *carried,
                            prc_indicator *worst);
int prc_overlap_items(const prc_scene *scene);   /* bodies with numbers of their own */
void prc_overlap_pair_free(prc_overlap_pair *p); /* what it holds */

#endif

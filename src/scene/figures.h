/* figures: the outlines of bodies of all kinds, as they move. What of a body touches is the case's to say; that nothing else of it goes through
 * things is judged by these (overlap.c). */
#ifndef PRC_SCENE_FIGURES_H
#define PRC_SCENE_FIGURES_H

#include "contact/outline.h"
#include "scene/scene.h"

/* The outline of what some material points belong to: of a mesh all bodies that have one of them, of rigid bodies the one, of a beam its line. */
typedef struct {
  prc_outline outline;
  int item;              /* of rigid bodies */
  int *node;             /* of a mesh, of each point */
  double *r;             /* of a rigid body, 2 of each point, in its axes */
  prc_beam_basis *basis; /* of a beam, of each point */
  double size;           /* of the smallest body: the diagonal of its box; twice the radius of a disc */
  double width;          /* of the thinnest: four areas over its circumference; 0: it has none */
  double
      facet; /* how far chords are off a smooth line through the points that were given, where these are on one */
  double longest; /* between two points of it that were given, along its outline */
  double extent;  /* of a rigid body: the largest distance from its centre */
} prc_figure;

/* A row of functions of a kind of body, a member of prc_body_kind. q are the body's own coordinates. */
typedef struct prc_figure_kind {
  /* No points: the body has no outline. sided: only the sides that join given points, with the body on their left, as of what touches itself */
  prc_status (*make)(const void *self, int n, const prc_body_point *point, int sided, prc_figure *out,
                     prc_error *err);
  /* The places of its outline at (1 - s) q + s q_end. */
  void (*place)(const void *self, const double *q, const double *q_end, double s, prc_figure *figure);
  /* By how much a point of it moves from q to q_end, and how far any of it moves besides, at most. */
  void (*shift)(const void *self, const double *q, const double *q_end, const prc_figure *figure,
                double d[2]);
  double (*way)(const void *self, const double *q, const double *q_end, const prc_figure *figure,
                const double d[2]);
} prc_figure_kind;

extern const prc_figure_kind prc_figure_kind_mesh, prc_figure_kind_rigid, prc_figure_kind_beam;
void prc_figure_free(prc_figure *figure); /* what it holds */
/* The longest of the ways between neighbours of n places from 0 to length, and from the ends to the first and the last. at: put in order */
double prc_figure_longest_way(int n, double *at, double length);

#endif

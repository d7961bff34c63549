/* mortar: where two chains of sides lie over each other in the plane, and what hats on the second make of the way between them,
 *
 *   u_j = (1/a_j) int N_j [[v]] ds,   g_j = (1/a_j) int N_j n.(x - y) ds,   a_j = int N_j ds   over what lies over the first.
 *
 * Segment to segment, with the standard hats N_j as weights and the frame of the first chain at each point of integration (shared/algorithms.md, G).
 * Pure geometry: it knows no bodies and no laws.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_CONTACT_MORTAR_H
#define PRC_CONTACT_MORTAR_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A straight piece between two points of a chain, the body on its left. A quadratic side is two of them, and its own three functions stand on both. */
typedef struct {
  int point[2];       /* its ends */
  int n_nodes, of[3]; /* the points whose functions stand on it: the side's ends, then the one halfway */
  double from, part;  /* where on its side it begins, and how much of it it is: 0 and 1, or halves */
} prc_mortar_chord;

typedef struct {
  int n_points, n_chords;
  int *node;  /* n_points: numbers of the caller, ascending */
  int *ahead; /* 2 n_points: the chords that end there and that begin there; -1: there is none */
  prc_mortar_chord *chord;
  double *x; /* 2 n_points: places, the caller's to fill */
  double *
      normal; /* 2 n_points: means of the adjoining chords' normals, out of the body, unit; zero where they cancel */
  double *across; /* 2 n_chords: their normals */
  char *corner;   /* n_points: may have a contact of its own; none has where nobody marks them */
  double longest; /* chord, of the places at the last look */
} prc_mortar_chain;
/* node: n_nodes of them, ascending; side: two ends, then the node halfway or -1. Refuses a node where more than two sides meet, and calls it by its
 * number. */
prc_status prc_mortar_chain_create(int n_nodes, const int *node, int n_sides, const int (*side)[3],
                                   prc_mortar_chain **out, int *branch, prc_error *err) PRC_MUST_CHECK;
/* Corners, at the places of the chain now: where it turns outwards by more than 30 degrees, and where it ends, but for ends in the list (one for each point; NULL: none),
 * as those in a plane of symmetry. */
void prc_mortar_chain_mark_corners(prc_mortar_chain *chain, const char *no_end);
/* The place of a node in the chain; -1: it is not there. */
int prc_mortar_chain_point(const prc_mortar_chain *chain, int node);
void prc_mortar_chain_free(prc_mortar_chain **chain);

/* A point of integration: chords of both chains, places on them from 0 to 1, n out of the first, n.(x - y), and the area it stands for. */
typedef struct {
  int chord[2];
  double at[2], normal[2], gap, weight;
} prc_mortar_point;

typedef struct prc_mortar_work prc_mortar_work;
typedef struct {
  prc_mortar_chain *chain[2]; /* touched, touching; not owned */
  double across,
      around; /* an area is a length times across + around x: the thickness, or 2 pi in axisymmetry */
  double range, depth; /* pieces that are further apart, or deeper in each other, are left out */
  const char *
      held; /* points of the second that hand on what they have, as where a motion is prescribed; NULL: none */
  double
      reach; /* corners that are no further away have contacts of their own where hats are open; below zero: they have none */
  int *start; /* the second's chords + 1: their points of integration are from start[k] on */
  prc_mortar_point *point;
  double *full, *area,
      *gap; /* of the second's points: the hat's area, what of it lies over the first, and the mean gap there */
  int *
      goes; /* the same: which point's contact it is part of, itself or a neighbour; -1: nothing lies under it */
  prc_mortar_point *
      own; /* the same: of weight 1 where the contact is that of a corner of either chain, and its row of this place alone; else 0 */
  prc_mortar_work *work;
} prc_mortar;
/* The chains must outlive it. */
prc_status prc_mortar_create(prc_mortar_chain *touched, prc_mortar_chain *touching, prc_mortar **out,
                             prc_error *err) PRC_MUST_CHECK;
void prc_mortar_free(prc_mortar **mortar);
/* All of it anew, at the places of both chains. Where a hat's mean gap is open and a corner of either chain is nearer, the contact is the corner's: its gap is in `gap`. What is little (area below a quarter of full) or held is merged into a neighbour: areas and gaps of
 * those that stay (goes[j] = j) are those with what they took. */
prc_status prc_mortar_find(prc_mortar *mortar, prc_error *err) PRC_MUST_CHECK;

/* u_N = sum of c . v and u_T = sum of (c_y, -c_x) . v over nodes, the caller's numbers, ascending; the frame is the mean one. */
typedef struct {
  int n, capacity;
  int *node;
  double *c; /* 2 n */
  double normal[2];
} prc_mortar_row;
void prc_mortar_row_free(prc_mortar_row *row);
/* Of the contact of point j of the second. */
prc_status prc_mortar_find_row(const prc_mortar *mortar, int j, prc_mortar_row *row,
                               prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

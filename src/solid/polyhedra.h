/* Declarations shared by the files of two polyhedra: touches from their features, and the pose of one seen
 * from the other. */
#ifndef PRC_SOLID_POLYHEDRA_H
#define PRC_SOLID_POLYHEDRA_H

#include "solid/internal.h"

/* ---- touches of given features (features.c) ------------------------------------------------------------ */

/* Edge i of a against edge j of b. `towards`: about its normal, from a to b. *inside, unless NULL: whether both points are between the ends
 * of their edges, within `same`. */
prc_solid_touch prc_solid_edge_edge(prc_solid_stand a, int i, prc_solid_stand b, int j,
                                    const double towards[3], double same, int *inside);

/* ---- two polyhedra in common axes, those of the first -------------------------------------------------- */

typedef struct {
  prc_solid_stand stand;
  const double *corner, *normal; /* 3 n, 3 n_faces */
  double *separation;            /* n_faces: of each face from the other polyhedron */
} prc_solid_placed;

/* A face and its separation; a pair of edges, of the first and of the second, with its own and its normal from the first to the second. */
typedef struct {
  int side, face;
  double separation;
} prc_solid_best_face;
typedef struct {
  int edge[2]; /* -1: there is no such pair */
  double separation, normal[3];
} prc_solid_best_edges;

/* Both in the axes of the first, in out->work. */
typedef struct {
  prc_solid_placed side[2];
  double origin[3], Q[9]; /* of the second's axes in those of the first; x = origin + Q r */
  double same;            /* what is so near to each other is at one place */
  double *work;           /* room behind what is placed */
} prc_solid_two;

/* 0: a face or a pair of edges separates by more than `reach`. Otherwise the largest separation, of pairs of edges of those by more than `above`
 * (which it is itself where there are none), and the face of reference. */
int prc_solid_separate_faces(prc_solid_two *two, double reach, prc_solid_best_face *most,
                             prc_solid_best_face *reference);
int prc_solid_separate_edges(prc_solid_two *two, double above, double reach, prc_solid_best_edges *most);
/* Axes of the second seen from the first, before anything is placed; 0: spheres or the faces that look at each other most separate. */
int prc_solid_may_meet(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_two *two);
/* In doubles: the room that two polyhedra need for all this, and for the corners of the overlap of two faces. */
size_t prc_solid_room_of(const prc_solid *a, const prc_solid *b);
void prc_solid_place_both(prc_solid_stand a, prc_solid_stand b, double *work, prc_solid_two *two);

/* The corners of the overlap seen along the normal of the face of reference (manifold.c). */
int prc_solid_deepest_corner(const prc_solid_two *two, const prc_solid_best_face *face);
prc_status prc_solid_add_manifold(const prc_solid_two *two, const prc_solid_best_face *reference,
                                  double reach, prc_solid_touches *out, prc_error *err) PRC_MUST_CHECK;

#endif

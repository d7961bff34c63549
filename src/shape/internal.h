/* Declarations shared by the files of shape: a placed shape, and a touch from two features. */
#ifndef PRC_SHAPE_INTERNAL_H
#define PRC_SHAPE_INTERNAL_H

#include "shape/shape.h"

/* Two features within this share of the length of a pair are at one place, two gaps so near to each other equal. */
#define PRC_SHAPE_SAME 1e-9

/* A shape and where it stands. */
typedef struct {
  const prc_shape *shape;
  const prc_pose *pose;
} prc_shape_stand;

static inline void prc_shape_turn(const prc_pose *pose, const double r[2], double out[2]) {
  out[0] = pose->c * r[0] - pose->s * r[1];
  out[1] = pose->s * r[0] + pose->c * r[1];
}
static inline double prc_shape_dot(const double a[2], const double b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}
static inline int prc_shape_next(const prc_shape *shape, int k) {
  return k + 1 < shape->n ? k + 1 : 0;
}

/* Corner i of x less corner j of y. The origins are subtracted first, so that far from the origin of the plane nothing is lost that the
 * poses have; x and y exchanged give exactly the negative. */
void prc_shape_between(prc_shape_stand x, int i, prc_shape_stand y, int j, double out[2]);
/* |d|, and d / |d|; where d is zero (0, 1). */
double prc_shape_distance(const double d[2], double direction[2]);

/* Corner i of x against edge e of y: the touch of y (the first) and x, g = (v - y) . n_y less the radii. */
prc_shape_touch prc_shape_corner_edge(prc_shape_stand x, int i, prc_shape_stand y, int e);
/* Corner i of a and corner j of b. */
prc_shape_touch prc_shape_corner_corner(prc_shape_stand a, int i, prc_shape_stand b, int j);
/* Hole a and corner j of b: g = R - |x - c| - r. */
prc_shape_touch prc_shape_hole_corner(prc_shape_stand a, prc_shape_stand b, int j);
/* The same touch of b and a. */
prc_shape_touch prc_shape_turned_round(const prc_shape_touch *touch);

/* Covers of the first and of the second shape; NULL: none. */
typedef struct {
  const prc_shape_covers *of[2];
} prc_shape_hidden;

/* The touches of two hulls with a gap <= reach, at most two: their number. hidden NULL: nothing is. */
int prc_shape_hulls(prc_shape_stand a, prc_shape_stand b, const prc_shape_hidden *hidden, double reach,
                    prc_shape_touch touch[2]);

/* Where corner `corner` of x is along edge e of y: t . (v - start), t . (v - end). */
void prc_shape_along_edge(prc_shape_stand x, int corner, prc_shape_stand y, int e, double out[2]);
/* Is what x has in front of edge e of y covered (covers.c)? */
int prc_shape_edge_is_covered(prc_shape_stand y, const prc_shape_covers *of_y, int e, prc_shape_stand x);
/* Is the unit direction among the normals that neighbours leave of corner c? */
int prc_shape_corner_has(prc_shape_stand y, const prc_shape_covers *of_y, int c, const double direction[2]);

/* One of the kinds of shapes: a row of the table in meet.c for its pairs with others. */
struct prc_shape_kind {
  int row;
  void (*box)(const prc_shape *shape, const prc_pose *pose, double box[4]);
};
enum { PRC_SHAPE_HULL, PRC_SHAPE_HALF_PLANE, PRC_SHAPE_HOLE, PRC_SHAPE_KINDS };

#endif

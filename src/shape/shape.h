/* shape: signed gaps, normals and closest features of two convex things in the plane. It knows neither bodies nor dofs nor friction.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_SHAPE_H
#define PRC_SHAPE_H

#include "base/base.h"

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the axes of a shape are: their origin, and cosine and sine of their angle. */
typedef struct {
  double x[2], c, s;
} prc_pose;
static inline prc_pose prc_pose_at(double x, double y, double angle) {
  const prc_pose pose = {{x, y}, cos(angle), sin(angle)};
  return pose;
}

/* A convex thing in its own axes: a row of the table in shape.c and its numbers.
 *
 *   hull        all within `radius` of the convex hull of its corners, anticlockwise. One corner: a disc, with radius 0 a point; two:
 *               a segment, touched from both sides; three and more: a polygon
 *   half-plane  behind the line through its one corner; `normal` points out of it
 *   hole        all outside the circle of `radius` around its one corner */
typedef struct {
  const struct prc_shape_kind *kind;
  int n;
  double *corner; /* 2 n */
  double *
      normal; /* 2 n: unit, out of the edge from corner k to k + 1 (a segment has two edges); of a half-plane its own */
  double radius;
  double
      length; /* of tolerances: the shortest edge or the smallest diameter, whichever is not zero and least; 0: a point, a half-plane */
  double
      width; /* the least distance of two parallel lines that it is between; 0: a point, a segment; infinite: it has no end */
  double
      extent; /* largest distance of a point of it from the origin of its axes; infinite for what has no end */
} prc_shape;
enum { PRC_SHAPE_CORNERS = 32767 }; /* at most */
/* Copies the corners. Refuses no corners, edges of length zero, turns that are not anticlockwise (corners on a straight line too), what is
 * not finite, and a radius < 0. */
prc_status prc_shape_make_hull(int n, const double *corner, double radius, prc_shape *out,
                               prc_error *err) PRC_MUST_CHECK;
prc_status prc_shape_make_half_plane(const double point[2], const double normal[2], prc_shape *out,
                                     prc_error *err) PRC_MUST_CHECK;
prc_status prc_shape_make_hole(const double centre[2], double radius, prc_shape *out,
                               prc_error *err) PRC_MUST_CHECK;
void prc_shape_free(prc_shape *shape);
/* low x, low y, high x, high y; infinite where it has no end */
void prc_shape_box(const prc_shape *shape, const prc_pose *pose, double box[4]);

/* A vertex of one against a vertex or an edge of the other. */
enum {
  PRC_SHAPE_EDGE = 0x8000
}; /* a feature is the number of a corner, or this and that of the edge that begins there */
typedef struct {
  double gap;                    /* positive: apart; negative: the depth */
  double normal[2];              /* unit, from a to b */
  double place[2];               /* in the middle between the two surfaces */
  uint16_t feature_a, feature_b; /* of one of the two at most an edge */
} prc_shape_touch;
typedef struct {
  int n;
  size_t room;
  prc_shape_touch *touch;
} prc_shape_touches;

/* Appends where the two touch, or may when they approach by `reach`: points with a gap <= reach. Poses may be anywhere: the two may be apart,
 * in one place, or deep in each other. Allocates only when there is no room.
 *
 * Two hulls touch in two points at most. The edge that separates most, or is least deep, is the reference, the other's edge most against it
 * the incident one; both ends of what they have in common are true corners, of the one or of the other, each against the edge that it meets:
 * g = (v - y) . n less the radii. Where two corners are nearest to each other they are the one touch, g their distance less the radii. The
 * least gap is exact where the cores (the hulls without their radii) are apart, and minus the depth where they overlap; but where edges
 * separate alike, within 1e-9 of the length of the pair (the lesser of both, but not zero), the lower number is taken, so that the choice
 * does not hang on rounding, and two corners nearer than that are an edge and a corner. A corner alone (a disc, a point) has no choice: it
 * is the nearest edge or corner, to rounding. Centres in one place: the normal is (0, 1).
 * A half-plane or a hole and a hull: every corner for itself, in order; the feature of what has no end is 0, its normal is out of it (of a
 * hole towards its centre; at the centre (0, 1)). What has no end does not meet its like.
 *
 * b and a give the same touches in the same order, turned round, to the bit, but for centres in one place and equal shapes whose edges of
 * one number face each other: there the first is the reference. Lengths times a power of two give the same bits. */
prc_status prc_shape_meet(const prc_shape *a, const prc_pose *pose_a, const prc_shape *b,
                          const prc_pose *pose_b, double reach, prc_shape_touches *out,
                          prc_error *err) PRC_MUST_CHECK;
/* Parts of a shape covered by flush neighbours, in fixed axes. Each row covers one of its edges, from `from`
 * to `to` along it. State of the corner at either end: 0, as without neighbours; PRC_SHAPE_NO_CORNER: material
 * goes on beyond it; PRC_SHAPE_GOES_ON: there the surface goes on by a face of the neighbour, whose
 * normal is `next`. */
enum { PRC_SHAPE_NO_CORNER = 1, PRC_SHAPE_GOES_ON = 2 };
typedef struct {
  int edge, end[2];
  double from, to, next[2][2];
} prc_shape_cover;
typedef struct {
  int n;
  size_t room;
  double flush; /* within this two surfaces are one */
  prc_shape_cover *cover;
} prc_shape_covers;
/* Appends what z covers of y: both are hulls with edges and no radius, else nothing. */
prc_status prc_shape_add_covers(const prc_shape *y, const prc_pose *pose_y, const prc_shape *z,
                                const prc_pose *pose_z, prc_shape_covers *out, prc_error *err) PRC_MUST_CHECK;

/* Is there material of x, a hull of two corners or more, at point p, within `flush`, that n from p leads into? Else 0. What p is on decides what that means:
 *
 *   one    an edge: the ray is in x for more than 2 flush
 *   few    a corner against an edge: a point of x is beyond p by more than 2 flush
 *   many   a corner against a corner, or something round: a point of x is beyond p, how far p is off the surface of x not counted */
enum { PRC_SHAPE_ONE_NORMAL, PRC_SHAPE_FEW_NORMALS, PRC_SHAPE_MANY_NORMALS };
int prc_shape_goes_on(const prc_shape *x, const prc_pose *pose, const double p[2], const double n[2],
                      double flush, int normals);
/* How far p is in front of what of x, such a hull, is nearest to facing it: of the edge that it is most in front of, or of the core less the radius. */
double prc_shape_outside(const prc_shape *x, const prc_pose *pose, const double p[2]);

/* As prc_shape_meet for two hulls of which neighbours cover something (NULL: of that one nothing): an edge is none where what the other has in front of it is covered, and a corner
 * is one only within the arc of normals that neighbours leave of it. How far the two are apart is judged by all of them. So what slides over flush blocks does not
 * run into the side of the next one, behind which there is material. */
prc_status prc_shape_meet_covered(const prc_shape *a, const prc_pose *pose_a, const prc_shape_covers *of_a,
                                  const prc_shape *b, const prc_pose *pose_b, const prc_shape_covers *of_b,
                                  double reach, prc_shape_touches *out, prc_error *err) PRC_MUST_CHECK;

/* x stands on something else, `depth` deep, whose normal is n. If y has an edge with that normal (within 0.05) which x is no deeper behind than by depth + flush, x stands on that
 * edge too and does not touch a side of y: 1, and the touches of x (the first) and y with a gap <= reach are in touch, *n of them, none where x is not above the edge yet.
 * 0: it is not so. Hulls with edges; covers may be NULL. */
int prc_shape_meet_again(const prc_shape *x, const prc_pose *pose_x, const prc_shape_covers *of_x,
                         const prc_shape *y, const prc_pose *pose_y, const prc_shape_covers *of_y,
                         const double n[2], double depth, double flush, double reach,
                         prc_shape_touch touch[2], int *count);

/* Gap, normal and place of the features that stand in *touch, at these poses: no other features are looked for, also where the corner has left
 * the edge. At the poses where they were found, to the bit what was found. The gap's rate is n . (v_b - v_a), both at the place. */
void prc_shape_follow(const prc_shape *a, const prc_pose *pose_a, const prc_shape *b, const prc_pose *pose_b,
                      prc_shape_touch *touch);

#ifdef __cplusplus
}
#endif
#endif

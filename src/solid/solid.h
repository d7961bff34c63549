/* solid: signed gaps, normals and closest features of two convex things in space. It knows neither bodies nor dofs nor friction. What `shape` is
 * in the plane.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_SOLID_H
#define PRC_SOLID_H

#include "base/base.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the axes of a solid are: their origin, and by columns their directions; a point r of it stands at x + R r, R by rows. */
typedef struct {
  double x[3], R[9];
} prc_solid_pose;
/* Of a unit quaternion (w, x, y, z); no other is looked at. */
prc_solid_pose prc_solid_pose_at(const double x[3], const double quaternion[4]);

/* A convex thing in its own axes: a row of the table in solid.c and its numbers.
 *
 *   hull        all within `radius` of the convex hull of its corners. One corner: a sphere, with radius 0 a point; two: a capsule, with
 *               radius 0 a segment; four and more that are not in one plane: a polyhedron, of radius 0
 *   half-space  behind the plane through its one corner; `normal` points out of it
 *   cylinder    all within `radius` of the axis between its two corners, cut off there at right angles. It meets half-spaces alone */
typedef struct {
  const struct prc_solid_kind *kind;
  int n;
  double *corner; /* 3 n; of a polyhedron true corners alone */
  /* of a polyhedron: its faces, each once, also those of many corners */
  int n_faces;
  int *face_start,
      *face_corner; /* n_faces + 1; corners anticlockwise as seen from outside, beginning with the lowest */
  double *face_normal; /* 3 n_faces: unit, outwards; of a half-space its own one */
  double *face_offset; /* n_faces: normal . x of its points */
  int n_edges;
  int *
      edge; /* 4 n_edges: from corner to corner, the first the lower; the face on its left seen from outside along it, that on its right */
  int *corner_start, *corner_edge; /* n + 1: edges of each corner, ascending */
  double radius;
  double
      length; /* of tolerances: the shortest edge or the smallest diameter, whichever is not zero and least; 0: a point, a half-space */
  double
      width; /* the least distance of two parallel planes that it is between; 0: a point, a segment; infinite: it has no end */
  double
      extent; /* largest distance of a point of it from the origin of its axes; infinite for what has no end */
} prc_solid;

/* The hull of points, those inside are left out: by Qhull, whose facets in one plane are joined. Refuses no points, what is not finite, points
 * that are all in one plane within 1e-9 of their extent unless there are one or two, two at one place, a radius < 0 or > 0 of a polyhedron. */
prc_status prc_solid_make_hull(int n, const double *point, double radius, prc_solid *out,
                               prc_error *err) PRC_MUST_CHECK;
/* A polyhedron likewise of points in single precision, as files of surfaces have them: what is in one plane within 1e-6 of their extent is. */
prc_status prc_solid_make_rough_hull(int n, const double *point, prc_solid *out,
                                     prc_error *err) PRC_MUST_CHECK;
/* With these edges, around the origin. */
prc_status prc_solid_make_box(const double edges[3], prc_solid *out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_solid_make_half_space(const double point[3], const double normal[3], prc_solid *out,
                                     prc_error *err) PRC_MUST_CHECK;
prc_status prc_solid_make_cylinder(const double ends[6], double radius, prc_solid *out,
                                   prc_error *err) PRC_MUST_CHECK;
void prc_solid_free(prc_solid *solid);
/* Moved within its axes by `by` first, and turned with R (by rows) then: r becomes R (r + by). */
void prc_solid_move(prc_solid *solid, const double by[3], const double R[9]);
/* Of unit density: volume, centre, and the matrix of inertia about the centre as xx, yy, zz, xy, xz, yz (entries: xy is minus the integral of
 * x y). Exact integrals of polyhedra by their faces. What has no volume or no end: zeros. */
typedef struct {
  double volume, centre[3], inertia[6];
} prc_solid_mass;
prc_solid_mass prc_solid_mass_of(const prc_solid *solid);
/* low x, y, z, high x, y, z; infinite where it has no end */
void prc_solid_box(const prc_solid *solid, const prc_solid_pose *pose, double box[6]);

/* A surface of triangles read from a file: STL, binary or as text, or whatever Gmsh opens as surfaces. Closed and oriented outwards, or refused saying
 * which edge is open; `pieces` of it are what does not hang together. */
typedef struct {
  int n_points, n_triangles, n_pieces;
  double *point;
  int *triangle, *piece; /* 3 n_triangles; n_triangles */
} prc_solid_surface;
prc_status prc_solid_read_surface(const char *path, prc_solid_surface *out, prc_error *err) PRC_MUST_CHECK;
void prc_solid_free_surface(prc_solid_surface *surface);
/* Of the volume inside, unit density. */
prc_solid_mass prc_solid_mass_inside(const prc_solid_surface *surface);

/* ---- what touches ------------------------------------------------------------------------------------------------------ */

/* Feature of a solid that touches: its kind in the upper byte, its number below. Of a sphere the corner 0; of
 * a capsule one of its corners or the edge 0;
 * of a half-space the face 0; of a cylinder a rim, 0 or 1, and which of its points, rim + 2 point:
 * the lowest, 0, or one of six that are fixed in it, which touch where all of the rim may come down, and alone where it lies flat. */
enum { PRC_SOLID_CORNER = 0, PRC_SOLID_EDGE = 1 << 24, PRC_SOLID_FACE = 2 << 24, PRC_SOLID_RIM = 3 << 24 };
#define PRC_SOLID_KIND(feature)   ((feature)&0xff000000u)
#define PRC_SOLID_NUMBER(feature) ((feature)&0x00ffffffu)

typedef struct {
  double gap;       /* positive: apart; negative: the depth */
  double normal[3]; /* unit, from a to b */
  double place[3];  /* in the middle between the two surfaces */
  uint32_t feature_a, feature_b;
} prc_solid_touch;
typedef struct {
  int n;
  size_t room;
  prc_solid_touch *touch;
  double *work; /* room for polygons that are clipped */
  size_t room_work;
} prc_solid_touches;
void prc_solid_free_touches(prc_solid_touches *touches);

/* Appends where the two touch, or may when they approach by `reach`: points with a gap <= reach. Poses may be anywhere: apart, in one place, or
 * deep in each other. Allocates only when there is no room.
 *
 * Two polyhedra: the gap is the largest separation over the faces of both and over the pairs of edges whose arcs of normals cross. Where a face
 * separates most, the corners of the overlap seen along its normal touch, each a true corner against the face that it meets or an edge against
 * an edge, with its own gap and normal; see polyhedra.c. A sphere touches with what is nearest to its
 * centre, inside the face that it is least deep behind; so do both ends of a capsule, and its edge where it crosses edges and lies on corners: two
 * points along a face.
 * A half-space and a hull: every corner for itself. What has no end does not meet its like.
 *
 * b and a give the same touches turned round. Lengths times a power of two give the same bits. */
prc_status prc_solid_meet(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                          const prc_solid_pose *pose_b, double reach, prc_solid_touches *out,
                          prc_error *err) PRC_MUST_CHECK;
/* The same of two polyhedra where a face of a, or with of_b of b, is the one of reference, whatever separates more: appends the corners of what it has in common with the face that it
 * looks at. */
prc_status prc_solid_meet_on(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                             const prc_solid_pose *pose_b, int of_b, int face, double reach,
                             prc_solid_touches *out, prc_error *err) PRC_MUST_CHECK;
/* Room for whatever prc_solid_meet finds of the two, wherever they are. */
prc_status prc_solid_make_room(const prc_solid *a, const prc_solid *b, prc_solid_touches *out,
                               prc_error *err) PRC_MUST_CHECK;
int prc_solid_has_faces(const prc_solid *solid); /* it is a polyhedron */
/* Of polyhedra: how far all of y is in front of face f of x (below zero: how deep it is behind it), and its normal. */
double prc_solid_in_front(const prc_solid *x, const prc_solid_pose *pose_x, int f, const prc_solid *y,
                          const prc_solid_pose *pose_y, double normal[3]);
/* How far p is in front of the face of x, a polyhedron, that it is most in front of. */
double prc_solid_outside(const prc_solid *x, const prc_solid_pose *pose, const double p[3]);
/* Is there material of x, a polyhedron or a capsule, at point p, within `flush`, that n from p leads into? Else 0. What p is on decides what that means:
 *
 *   one    a face, or the round side of a capsule: the ray is in x for more than 2 flush
 *   few    an edge or a corner of a polyhedron against another: a point of x is beyond p by more than 2 flush
 *   many   an edge or a corner, one of the two being round, so that n may be any of many: a point of x is beyond p, how far p is off the surface of x not counted */
enum { PRC_SOLID_ONE_NORMAL, PRC_SOLID_FEW_NORMALS, PRC_SOLID_MANY_NORMALS };
int prc_solid_goes_on(const prc_solid *x, const prc_solid_pose *pose, const double p[3], const double n[3],
                      double flush, int normals);

/* Gap, normal and place of the features that stand in *touch, at these poses: no others are looked for, also where a corner has left its face.
 * The old normal says on which side what is deep belongs. At the poses where they were found, to the bit what was found. The gap's rate is n . (v_b - v_a), both at the place: exactly, but for
 * crossings of nearly parallel edges. */
void prc_solid_follow(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                      const prc_solid_pose *pose_b, prc_solid_touch *touch);

#ifdef __cplusplus
}
#endif
#endif

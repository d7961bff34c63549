/* Declarations shared by the files of solid. */
#ifndef PRC_SOLID_INTERNAL_H
#define PRC_SOLID_INTERNAL_H

#include "solid/solid.h"

/* Two features within this share of the length of a pair are at one place, two gaps so near to each other equal. */
#define PRC_SOLID_SAME 1e-9

/* A solid and where it stands. */
typedef struct {
  const prc_solid *solid;
  const prc_solid_pose *pose;
} prc_solid_stand;

static inline double prc_solid_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void prc_solid_cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
/* R r, and R' r */
static inline void prc_solid_turn(const double R[9], const double r[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = R[3 * k] * r[0] + R[3 * k + 1] * r[1] + R[3 * k + 2] * r[2];
}
static inline void prc_solid_turn_back(const double R[9], const double r[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = R[k] * r[0] + R[3 + k] * r[1] + R[6 + k] * r[2];
}

/* |d|, and d / |d|; where d is zero (0, 0, 1). */
double prc_solid_distance(const double d[3], double direction[3]);

/* One of the kinds of solids: a row of the table in meet.c for its pairs with others. */
struct prc_solid_kind {
  int row;
  void (*box)(const prc_solid *solid, const prc_solid_pose *pose, double box[6]);
};
enum {
  PRC_SOLID_SPHERE, /* also a point */
  PRC_SOLID_CAPSULE,
  PRC_SOLID_POLYHEDRON,
  PRC_SOLID_HALF_SPACE,
  PRC_SOLID_CYLINDER, /* face_normal is the direction from its corner 0 to 1 */
  PRC_SOLID_KINDS
};

/* ---- polyhedra from points (hull.c, faces.c) ----------------------------------------------------------- */

/* Corners of a polyhedron, in the given order, and the corners of each face, anticlockwise as seen from
 * outside. */
typedef struct {
  int n, n_faces;
  double *corner;    /* 3 n */
  int *start, *face; /* n_faces + 1; corners of faces, the lowest first */
} prc_solid_net;
/* The convex hull of points that are finite: else refused as prc_solid_make_hull says. `flat`: within this share of their extent
 * they are in one plane. */
prc_status prc_solid_find_net(int n, const double *point, double flat, prc_solid_net *out,
                              prc_error *err) PRC_MUST_CHECK;
void prc_solid_free_net(prc_solid_net *net);
/* Faces, edges, length and width of a polyhedron whose corners are there. */
prc_status prc_solid_add_faces(const prc_solid_net *net, prc_solid *solid, prc_error *err) PRC_MUST_CHECK;
/* normal . x: of a face the most that one of its corners has */
void prc_solid_find_offsets(prc_solid *solid);

/* ---- volumes (mass.c) ---------------------------------------------------------------------------------- */

/* Integrals of 1, x, x x' (xx, yy, zz; xy, yz, zx) over the inside of triangles, anticlockwise as seen from
 * outside, with x from `origin`. */
typedef struct {
  double origin[3], volume, first[3], second[3], mixed[3];
} prc_solid_sums;
void prc_solid_add_triangle(prc_solid_sums *sums, const double *p, const double *q, const double *r);
prc_solid_mass prc_solid_mass_of_sums(const prc_solid_sums *sums);

/* ---- pairs --------------------------------------------------------------------------------------------- */

/* The same touch of b and a. */
prc_solid_touch prc_solid_turned_round(const prc_solid_touch *touch);
/* Appended if its gap is <= reach. */
prc_status prc_solid_add_touch(const prc_solid_touch *touch, double reach, prc_solid_touches *out,
                               prc_error *err) PRC_MUST_CHECK;

/* Two polyhedra (polyhedra.c): as prc_solid_meet and prc_solid_follow. */
prc_status prc_solid_polyhedra_meet(prc_solid_stand a, prc_solid_stand b, double reach,
                                    prc_solid_touches *out, prc_error *err) PRC_MUST_CHECK;
/* The largest separation: below zero minus the depth, above a lower bound of the distance. Of `work` the room alone is used. */
prc_status prc_solid_polyhedra_gap(prc_solid_stand a, prc_solid_stand b, prc_solid_touches *work, double *gap,
                                   prc_error *err) PRC_MUST_CHECK;
void prc_solid_polyhedra_follow(prc_solid_stand a, prc_solid_stand b, prc_solid_touch *touch);
/* As prc_solid_goes_on, of a polyhedron. */
int prc_solid_polyhedron_goes_on(prc_solid_stand y, const double p[3], const double n[3], double flush,
                                 int normals);

#endif

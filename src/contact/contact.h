/* contact: obstacles, candidate points, gaps, local frames and H. It does not know how a contact problem is
 * solved.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_CONTACT_H
#define PRC_CONTACT_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The half-plane behind a straight line: point on it, unit normal from the obstacle into the body. */
typedef struct {
  double point[2], normal[2];
} prc_contact_plane;
/* Makes the normal unit; refuses a zero or non-finite one. */
prc_status prc_contact_plane_make(const double point[2], const double normal[2], prc_contact_plane *out,
                                  prc_error *err) PRC_MUST_CHECK;
/* Rows n and t of the local frame: t is n turned by -90 degrees; on a floor n = +y and t = +x. */
void prc_contact_plane_frame(const prc_contact_plane *plane, double frame[4]);
/* positive: outside the obstacle */
double prc_contact_plane_distance(const prc_contact_plane *plane, double x, double y);

/* A surface that points touch from outside: `gap` makes its kind. */
typedef struct prc_contact_surface prc_contact_surface;
struct prc_contact_surface {
  /* Signed and exact, positive outside, however deep; normal: unit, from the surface to the point. */
  double (*gap)(const prc_contact_surface *surface, const double x[2], double normal[2]);
  double point[2]; /* on the line of a face; the centre of a disc */
  double normal
      [2]; /* of a face, unit, out of it; of a disc the normal at its very centre, where there is no other */
  double radius; /* of a disc */
};
prc_contact_surface prc_contact_face(const prc_contact_plane *plane); /* the half-plane behind a line */
prc_contact_surface prc_contact_disc(const double centre[2], double radius);
/* A surface given in axes that have moved to `origin` and turned by `angle`. */
prc_contact_surface prc_contact_surface_moved(const prc_contact_surface *own, const double origin[2],
                                              double angle);

/* A contact with what turns, over a step (carried.c): directions, and what a unit of spin of the body and of the obstacle moves at its place. */
typedef struct {
  double normal[2], of_body[2], of_obstacle[2];
} prc_contact_carried;
/* The obstacle turns by `angle` about its own place. At the start of the step, in fixed axes: the normal, the arm from the body's centre to the place of contact, where this
 * centre stands as seen from the obstacle's, and by how far it is expected to go relative to what turns with it. */
void prc_contact_carry(double angle, const double normal[2], const double arm[2], const double from[2],
                       const double slide[2], prc_contact_carried *out);

/* Material points of a deforming body that may touch planes: point c moves with the dofs dof[2c], dof[2c+1]
 * (its displacements in x and y), so gap = gap0 + n . q and H = (n; t) is constant. */
typedef struct {
  int n;
  int *dof;      /* 2 n */
  double *gap0;  /* n: gap at q = 0 */
  double *frame; /* 4 n: n_x n_y t_x t_y */
} prc_contact_points;
prc_status prc_contact_points_create(int n, prc_contact_points **out, prc_error *err) PRC_MUST_CHECK;
void prc_contact_points_free(prc_contact_points **points);
/* point c at (x, y), moving with dofs dof_x, dof_y, against the plane */
void prc_contact_points_set(prc_contact_points *points, int c, double x, double y, int dof_x, int dof_y,
                            const prc_contact_plane *plane);
void prc_contact_points_gap(const prc_contact_points *points, const double *q, double *gap);

#ifdef __cplusplus
}
#endif
#endif

/* contact: obstacles, candidate points, gaps, local frames and H. It does not know how a contact problem is
 * solved. */
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
double prc_contact_plane_distance(const prc_contact_plane *plane, double x,
                                  double y); /* positive: outside the obstacle */

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

#ifndef PRC_BEAM_INTERNAL_H
#define PRC_BEAM_INTERNAL_H

#include "beam/beam.h"

/* A Gauss point: weight J, J, the curvature of the unstrained line, splines and their derivatives. */
typedef struct {
  double weight, J, curvature;
  prc_beam_basis basis;
} prc_beam_gauss;

struct prc_beam {
  const prc_beam_model *model;
  int n_points, n_gauss; /* control points; Gauss points in all, by elements */
  int per_element;       /* of these */
  double *knot;          /* n_points + degree + 1 */
  prc_beam_gauss *gauss;
  prc_beam_basis *of_load;  /* n_loads */
  int *contact_first;       /* n_contacts + 1 */
  prc_beam_basis *of_point; /* of all contacts, one after the other */
  prc_law *law;             /* n_contacts */
  double length, centre[2];
  char *end_name[2];
  char *deforms; /* of dofs: ones */
  prc_sym *M;
  prc_strains strains; /* of Gauss points */
  prc_system system;
};

/* Where stretching and bending stand at a line with x' = a, x'' = b, and what they change with (strain.c):
 *   of_a = d/da, of_b = d/db of both. */
typedef struct {
  double stretch, curvature; /* less those of the unstrained line */
  double stretch_a[2], curvature_a[2], curvature_b[2];
} prc_beam_strain;
prc_beam_strain prc_beam_strain_of(const double a[2], const double b[2], double J, double curvature);

/* Splines of a degree at s, which lies in the span of knots from knot[span] on (basis.c). */
prc_beam_basis prc_beam_splines(int degree, const double *knot, int span, double s);
/* Points and weights on (0, 1). */
void prc_beam_gauss_rule(int n, double *s, double *weight);

/* Of the system (strain.c): what the beam opposes to strain and to its rate. */
prc_status prc_beam_internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *err);
prc_status prc_beam_mean_internal(void *owner, const double *q, const double *dx, double *f, double *gain,
                                  prc_error *err);
prc_status prc_beam_damping(void *owner, const prc_at *at, double *d, prc_error *err);
prc_status prc_beam_tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A,
                            prc_error *err);
/* Loads (loads.c). */
/* The stretch of its line, by length. */
prc_status prc_beam_make_strains(prc_beam *beam, prc_error *err) PRC_MUST_CHECK;
prc_status prc_beam_make_loads(prc_beam *beam, prc_error *err) PRC_MUST_CHECK;
/* Contacts (contacts.c). */
prc_status prc_beam_make_contacts(prc_beam *beam, prc_error *err) PRC_MUST_CHECK;

#endif

/* Two points of bodies in space, or of the ground and a body: what joints and springs hang on; and their rows. */
#ifndef PRC_SPATIAL_LINKS_H
#define PRC_SPATIAL_LINKS_H

#include "solid/internal.h"
#include "spatial/internal.h"

enum { PRC_SPATIAL_LINK_DOFS = 12 }; /* velocity and spin of the one, of the other */

/* The ground, -1, stands first. */
typedef struct {
  int body[2];
  double r[2][3]; /* in their axes of inertia; of the ground in fixed ones */
} prc_spatial_link;

/* Where its bodies are. */
typedef struct {
  double x[2][3], R[2][9];    /* R by rows; of the ground the identity */
  double v[2][3], spin[2][3]; /* in fixed axes */
  double arm[2][3];           /* from the centres of mass to the points */
  double d[3], d_rate[3];     /* from the first point to the second */
} prc_spatial_line;

/* A row of forces along w on the second point, and against it on the first, with a moment `turn` on the second, against it and with `extra` on
 * the first:  u = w . (v_b + spin_b x arm_b - v_a - spin_a x arm_a) + turn . (spin_b - spin_a) + extra . spin_a. */
typedef struct {
  double w[3], turn[3], extra[3];
} prc_spatial_row;

/* at: both points in fixed axes at the start. what: "joint", for messages. Refuses bodies that there are not, one body twice, and two that are
 * data. */
prc_status prc_spatial_make_link(const prc_spatial *spatial, const char *what, const char *name,
                                 const int body[2], const double at[2][3], prc_spatial_link *link,
                                 prc_error *err) PRC_MUST_CHECK;
/* v NULL: at rest */
void prc_spatial_place_link(const prc_spatial *spatial, const prc_spatial_link *link, const double *q,
                            const double *v, prc_spatial_line *line);
/* The row's numbers over the dofs of the link: v, spin of the first, v, spin of the second; spins in the bodies' axes of inertia. */
void prc_spatial_row_gradient(const prc_spatial_row *row, const prc_spatial_line *line,
                              double G[PRC_SPATIAL_LINK_DOFS]);
/* w with w . (d' - d) = |d'| - |d|; returns the mean of both lengths. */
double prc_spatial_mean_along(const double d[3], const double d_next[3], double w[3]);
/* The row over a step by dx, from `from` to `to`, of those vectors' means: G dx is the change of what it is of, to rounding. */
void prc_spatial_mean_gradient(const prc_spatial *spatial, const prc_spatial_link *link,
                               const prc_spatial_row *row, const prc_spatial_line *from,
                               const prc_spatial_line *to, const double *dx, double G[PRC_SPATIAL_LINK_DOFS]);
/* The dofs of the link and of which of the twelve each is, the lower body first; returns how many. */
int prc_spatial_link_dofs(const prc_spatial *spatial, const prc_spatial_link *link,
                          int dof[PRC_SPATIAL_LINK_DOFS], int slot[PRC_SPATIAL_LINK_DOFS]);
/* Of joints and springs: the largest distance of their points from the centres of mass. */
double prc_spatial_largest_arm(const prc_spatial *spatial);

/* ---- joints (joints.c), their rows (joint_rows.c) ---------------------------------------------------------- */

struct prc_spatial_joint_facts {
  prc_spatial_link link;
  double of_a
      [3]
      [3]; /* e and two across it, unit, e = of_a[0] = of_a[1] x of_a[2], in the axes of inertia of the first; of the ground fixed */
  double of_b[3][3]; /* the same three at the start in those of the second */
  double length;     /* of a distance at the start; else what makes an angle a length */
};

struct prc_spatial_spring_facts {
  prc_spatial_link link;
  double rest_length;
};

enum { PRC_SPATIAL_JOINT_ROWS = 6 };
/* Kinds of a joint's rows: fills kinds, returns their number. */
int prc_spatial_joint_kinds(const prc_spatial_joint *joint, int kind[PRC_SPATIAL_JOINT_ROWS]);
prc_status prc_spatial_evaluate_joints(void *owner, const prc_at *at, double *g, double *G, double *rate,
                                       double *bias, prc_error *err) PRC_MUST_CHECK;
prc_status prc_spatial_joint_values(void *owner, double t, double *d, prc_error *err) PRC_MUST_CHECK;
prc_status prc_spatial_joint_rates(void *owner, double t, double h, double *rate,
                                   prc_error *err) PRC_MUST_CHECK;
prc_status prc_spatial_secant_joints(void *owner, const prc_at *from, double h, const double *dx, double *G,
                                     double *rate, prc_error *err) PRC_MUST_CHECK;

prc_status prc_spatial_make_joints(prc_spatial *spatial, prc_error *err) PRC_MUST_CHECK;
void prc_spatial_free_joints(prc_spatial *spatial);
prc_status prc_spatial_make_springs(prc_spatial *spatial, prc_error *err) PRC_MUST_CHECK;
void prc_spatial_free_springs(prc_spatial *spatial);

#endif

/* measure: what is said of many grains at once: energies, neighbours, and, averaged over the cells of a grid, solid fraction, velocity and
 * stress. It knows neither schemes nor files.
 *
 * Cells are counted along a direction n and across it, along t, which is n turned by -90 degrees: with n = +y, up from a floor,
 * t = +x is the way along it. Stress is positive in compression.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_MEASURE_H
#define PRC_MEASURE_H

#include "base/base.h"
#include "shape/shape.h"
#include "step/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is measured ---------------------------------------------------------------------------------- */

typedef struct {
  double mass, inertia;
  int group; /* -1: an obstacle, or driven: it is touched, and not measured */
  int n_parts;
  const prc_shape *part; /* those that overlap count twice in areas */
} prc_measure_body;

typedef struct {
  int n;
  const prc_measure_body *body; /* n */
  const double *q, *v;          /* 3 n: centre of mass and angle; velocity and spin */
  int n_groups;
  double period[2]; /* the grains repeat themselves by this vector; zero: they do not */
} prc_measure_grains;

/* A point where two touch. */
typedef struct {
  int body[2];               /* a pushes b; < 0: what is fixed; different numbers are different things */
  double force[2];           /* on b */
  double normal, tangential; /* its shares along n, from a to b, and t; normal > 0: they press each other */
  double arm[2][2];          /* from the centre of a, and of b, to where they touch; of what is fixed zero */
  int place;                 /* in the set of contacts that it comes from, if any */
} prc_measure_contact;

/* A point carries where its normal force is above this, 1e-9 of the largest: less may be what a solver leaves. */
double prc_measure_least(int n_contacts, const prc_measure_contact *contact);

/* Contacts of a step that were active and touch a rigid body, with forces as means over the step. first_dof:
 * of each body as contacts number
 * them, where its three dofs begin; -1: it is no rigid one. out: room for record->n_active. Returns their number. */
int prc_measure_contacts(const prc_step_record *record, const int *first_dof, prc_measure_contact *out);

/* Works of a group so far: of loads, and of the forces at its contacts. What obstacles and driven bodies get is in none. Losses are those of contacts at the mean of the velocities. */
typedef struct {
  double external, normal, tangential;
  double loss_normal, loss_tangential;
} prc_measure_work;
/* Adds those of a step; sum: n_groups, and behind them all grains. */
void prc_measure_add_works(const prc_step_record *record, int n_bodies, const prc_measure_body *body,
                           const int *first_dof, int n_groups, prc_measure_work *sum);

/* ---- of groups ----------------------------------------------------------------------------------------- */

typedef struct {
  int bodies, contacts;         /* contacts: points that carry and touch one of the group */
  double translation, rotation; /* kinetic energies, sum of m v^2 / 2 and of J omega^2 / 2 */
  /* Neighbours of a grain: how many others, grains or obstacles, carry it by one point or more. `coordination` is their mean over
   * all. Rattlers are the grains that fewer than two neighbours carry, rattlers left out, over and over;
   * `coordination_carried` is the mean over the others, of neighbours that are no rattlers. */
  double coordination, coordination_carried;
  int rattlers;
  double force_mean, force_max; /* normal forces at the points that carry */
} prc_measure_group;

typedef struct prc_measure prc_measure; /* room to work in */
prc_status prc_measure_create(prc_measure **out, prc_error *err) PRC_MUST_CHECK;
void prc_measure_free(prc_measure **measure);
/* out: n_groups, and behind them all grains. neighbours: n, of every body; NULL: not wanted */
prc_status prc_measure_groups(prc_measure *measure, const prc_measure_grains *grains, int n_contacts,
                              const prc_measure_contact *contact, prc_measure_group *out, int *neighbours,
                              prc_error *err) PRC_MUST_CHECK;

/* Normal forces over their mean: count[k] of those in [k, k + 1) x width, the last all above. Returns the mean, 0 where none carries. */
double prc_measure_histogram(int n_contacts, const prc_measure_contact *contact, int n, double width,
                             int *count);

/* ---- of cells ------------------------------------------------------------------------------------------ */

typedef struct {
  double normal[2];      /* unit */
  double from[2], to[2]; /* along n and along t */
  int n[2];              /* equal cells; that along t runs faster */
} prc_measure_grid;

typedef struct {
  double solid;   /* area of grains over that of the cell */
  double density; /* mass over area of the cell */
  double velocity
      [2]; /* along n and t: of centres of mass, weighted by the mass in the cell; zero where there is none */
  double spin; /* likewise */
  double
      stress[4]; /* nn, nt, tn, tt: the first is the direction of the force, the second that of the normal */
  double kinetic[4]; /* the same, of the fluctuations of velocity in the cell */
} prc_measure_cell;

/* Love's and Weber's mean stress, sigma = -1/V sum of F (x) r over the grains in V, with F at r from the centre: of each contact the share
 * of the line from centre to point that lies in the cell. So a chain of forces through a cell gives it force over width, however its
 * borders cut grains, and the sum over cells is the mean of all. Grains count by their mass in the cell, which is that of the area there:
 * exact for discs, polygons and rounded corners. Kinetic: 1/V sum of m v' (x) v'. Driven grains have no share. */
void prc_measure_cells(const prc_measure_grains *grains, int n_contacts, const prc_measure_contact *contact,
                       const prc_measure_grid *grid, prc_measure_cell *out);

/* ---- areas --------------------------------------------------------------------------------------------- */

/* Of a hull. */
double prc_measure_area(const prc_shape *shape);
/* That of it where n . x <= s and t . x <= d; either may be infinite. */
double prc_measure_area_below(const prc_shape *shape, const prc_pose *pose, const double normal[2], double s,
                              double d);

#ifdef __cplusplus
}
#endif
#endif

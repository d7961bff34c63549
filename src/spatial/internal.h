/* Declarations shared by the files of spatial. */
#ifndef PRC_SPATIAL_INTERNAL_H
#define PRC_SPATIAL_INTERNAL_H

#include "contact/grid.h"
#include "contact/sets.h"
#include "spatial/spatial.h"

/* Facts of a body beyond its model. Its own axes are those of inertia; the axes of its model are turned
 * against them. */
typedef struct {
  int first; /* of its dofs */
  int turn;  /* where it stands among the bodies that turn, its w is q[nv + turn]; -1: it does not turn */
  double moments[3];
  double axes[4], P[9]; /* from its axes of inertia to those given: r_given = P r; the same as a quaternion */
  int aligned;          /* both are the same */
  double orientation[4]; /* at the start, of its own axes */
  double axis[3];        /* of a driven one that turns: unit, in its own axes, where it stays */
} prc_spatial_facts;

/* Joints (joints.c): what a row is of, and which of twelve dofs its entries are; links.h. */
typedef struct prc_spatial_joint_facts prc_spatial_joint_facts;
typedef struct prc_spatial_spring_facts prc_spatial_spring_facts;
typedef struct {
  int joint, kind;
} prc_spatial_joint_row;
typedef struct {
  prc_spatial_joint_facts *fact; /* n_joints */
  int *first;                    /* n_joints + 1 */
  prc_spatial_joint_row *row;
  int *start, *dof, *slot;
  double *q; /* workspace of steps: coordinates at their end */
} prc_spatial_joint_rows;

/* Two parts that touch in a search: the first pushes the second. Their touches stand in the list of all from `start` on. */
typedef struct {
  int part[2], set;
  int start, n, found; /* found: before any was looked at again */
  double reach,
      flush; /* flush: of what else the first, or the second, touches beside the other; 0: there is no such thing */
  double step, step_turn; /* see prc_contact */
  int next[2];            /* the next of these that the first has, and the second; -1: there is none */
} prc_spatial_met;

/* Of bodies that meet (pairs.c). */
typedef struct {
  const prc_solid **part;
  int *body; /* of parts: whose it is */
  int n_finite, n_endless;
  int *finite, *endless; /* parts that end somewhere; half-spaces */
  char *still;           /* n_finite: of driven bodies, which never meet each other */
  double *box;           /* 6 n_finite */
  double *drift;         /* of parts: how far those that end somewhere may come in a search */
  prc_solid_pose *pose;  /* n_bodies */
  prc_contact_sets sets;
  int drills;    /* there is drilling friction */
  char *touched; /* of dofs: all of them */
  prc_grid *grid;
  /* of a search: */
  prc_solid_touches touches;
  int n_met;
  size_t room_met;
  prc_spatial_met *met;
  int *first_met; /* of parts: where each begins in its list; -1: it touches nothing */
  int n_watched;  /* pairs that may pass through each other in a step (passed.c) */
  size_t room_watched;
  prc_grid_pair *watched;
  prc_solid_touches way; /* workspace of that */
  double *q_way;         /* nq: likewise */
} prc_spatial_meeting;

struct prc_spatial {
  const prc_spatial_model *model;
  int nv, n_turning;
  prc_spatial_facts *fact; /* n_bodies */
  int *body_of_dof;        /* nv */
  char *mean;              /* nv: spins of bodies that are not driven, system.space.mean */
  int *centre;             /* nv: system.space.centre */
  int *whole;              /* nv: system.whole */
  int *part_first;         /* n_bodies + 1 */
  double *size;            /* n_bodies */
  prc_sym *M;
  int n_driven;      /* prescribed dofs: six, or three, of each driven body */
  int *driven;       /* their list */
  char *driven_work; /* ones: their work is that of obstacles */
  int *driven_like;  /* see prc_drive */
  char *driven_turn; /* the last three of six */
  prc_spatial_meeting meeting;
  prc_spatial_outline outline;
  prc_spatial_joint_rows joints;
  prc_spatial_spring_facts *spring; /* n_springs */
  double *spring_q;                 /* nq: at the end of a step */
  prc_sym *pattern;                 /* of bodies that springs couple; NULL: there are none */
  prc_system system;
};

/* ---- quaternions (quaternion.c) -------------------------------------------------------------------------- */

/* Unit quaternions (w, x, y, z); out may be an argument. */
void prc_quaternion_product(const double a[4], const double b[4], double out[4]);
/* of length one again, which rounding took */
void prc_quaternion_normalize(double a[4]);
/* by rows */
void prc_quaternion_matrix(const double a[4], double R[9]);
/* of a proper rotation by rows */
void prc_quaternion_of_matrix(const double R[9], double out[4]);
/* q (x) (1, dx/2) / sqrt(1 + |dx|^2 / 4) */
void prc_quaternion_cayley(const double a[4], const double dx[3], double out[4]);
/* q (x) (cos, sin dx/|dx|) of |dx|/2: by the angle |dx| */
void prc_quaternion_exponential(const double a[4], const double dx[3], double out[4]);

/* ---- inertia (inertia.c) --------------------------------------------------------------------------------- */

/* The matrix xx, yy, zz, xy, xz, yz is P diag(moments) P', P a proper rotation by rows; exactly the identity where the matrix is diagonal. */
void prc_spatial_principal_axes(const double inertia[6], double moments[3], double P[9]);

/* ---- bodies ------------------------------------------------------------------------------------------------ */

/* The quaternion of the axes of inertia of body b (motion.c). */
void prc_spatial_orientation(const prc_spatial *spatial, const double *q, int b, double out[4]);
void prc_spatial_advance(const void *owner, const double *q, const double *dx, double *q_next);
/* See prc_space.turn_back. */
void prc_spatial_turn_back(const void *owner, const double *q, int dof, double x[3]);
/* F of all bodies (loads.c), and whether it depends on their state. */
prc_status prc_spatial_loads(void *owner, const prc_at *at, double *F, prc_error *err) PRC_MUST_CHECK;
prc_status prc_spatial_missed_loads(void *owner, const prc_at *at, prc_window *window, double *F,
                                    prc_error *err) PRC_MUST_CHECK;
unsigned prc_spatial_loads_vary(const prc_spatial *spatial);
/* The dofs of driven bodies and their motion (drive.c). */
prc_status prc_spatial_make_drive(prc_spatial *spatial, prc_error *err) PRC_MUST_CHECK;
/* A search: how far things may come in it, by `reach`, and by their velocities relative to the mean of those that are free, in a time h. */
typedef struct {
  const double *v;
  double mean[3], h, reach;
} prc_spatial_search;
/* How body b moves: its velocity less `mean`, its spin in fixed axes, and |w|; and the velocity of what of it is at x. */
typedef struct {
  const double *x;
  double v[3], w[3], turning;
} prc_spatial_going;
prc_spatial_going prc_spatial_going_of(const prc_spatial *spatial, const double *v, int b,
                                       const double mean[3]);
void prc_spatial_velocity_at(const prc_spatial_going *now, const double x[3], double v[3]);
/* Poses of bodies at q, for those that ask for them below. */
void prc_spatial_place_bodies(prc_spatial *spatial, const double *q);
/* From axes of inertia of body b to fixed ones, and back. */
void prc_spatial_to_fixed(const prc_spatial *spatial, int b, const double r[3], double out[3]);
void prc_spatial_to_own(const prc_spatial *spatial, int b, const double x[3], double out[3]);
/* The radius of friction against drilling of two bodies, times what makes a moment of it. */
double prc_spatial_drilling(const prc_spatial *spatial, const int body[2]);
/* Rows of pairs of which one turns as it is driven (carried.c). */
void prc_spatial_carry(void *owner, const prc_contact_step *step, prc_contact_set *set);
/* See prc_contacts.slid (slid.c). */
void prc_spatial_slid(void *owner, const double *q_old, const double *q, const char *known,
                      const prc_contact_set *set, double *slid);
/* Where what was found is next to what flush neighbours cover, it is looked at again (seams.c). */
prc_status prc_spatial_mend_seams(prc_spatial *spatial, const prc_spatial_search *now, int *changed,
                                  prc_error *err) PRC_MUST_CHECK;
/* Parts that may be apart at both ends of a step and have passed through each other within it (passed.c). */
prc_status prc_spatial_watch(prc_spatial *spatial, int a, int b, prc_error *err) PRC_MUST_CHECK;
void prc_spatial_passed(void *owner, const double *q_old, const prc_at *end, prc_indicator *indicator);

/* Contacts of bodies that meet, where there are pairs of sets (pairs.c). */
prc_status prc_spatial_make_pairs(prc_spatial *spatial, prc_error *err) PRC_MUST_CHECK;
void prc_spatial_free_pairs(prc_spatial *spatial);

/* See prc_system.moment and whole (motion.c), both of which the second sets. */
void prc_spatial_moment(void *spatial, const double *q, const double *f, int what, const int *whole,
                        double moment[3], double *size);
prc_status prc_spatial_find_wholes(prc_spatial *spatial, prc_error *err) PRC_MUST_CHECK;

#endif

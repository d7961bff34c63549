#ifndef PRC_RIGID_INTERNAL_H
#define PRC_RIGID_INTERNAL_H

#include "contact/grid.h"
#include "contact/sets.h"
#include "rigid/rigid.h"

/* Two parts that touch in a search: the first pushes the second, which stands so many cells away. Its touches stand in the list of all from `start` on. */
typedef struct {
  int part[2], image, set;
  int start, n, found; /* found: before any was looked at again */
  double reach,
      flush; /* flush: of what else the first, or the second, touches beside the other; 0: there is no such thing */
  double step, step_turn; /* see prc_contact */
  int next[2];            /* the next of these that the first has, and the second; -1: there is none */
} prc_rigid_met;
enum { PRC_RIGID_IMAGE_ZERO = 0x8000 }; /* images are counted from here in the upper half of feature_b */
/* Of a body's size: how far a contact that pushed may gape and stay active, as those of bodies that turn do. */
#define PRC_RIGID_STAY 1e-3

/* Of bodies that meet (pairs.c). */
typedef struct {
  int n_parts; /* of all bodies, one after the other */
  const prc_shape **part;
  int *body; /* n_parts: whose it is */
  int n_finite, n_endless;
  int *finite, *endless; /* parts that end somewhere; half-planes and holes */
  char *still;           /* n_finite: of driven bodies, which never meet each other */
  double *box;           /* 4 n_finite */
  double *drift;         /* n_parts: how far those that end somewhere may come in a search */
  prc_pose *pose;        /* n_bodies */
  prc_contact_sets sets;
  char *touched; /* of dofs: all of them */
  prc_grid *grid;
  /* of a search: */
  prc_shape_touches touches;
  int n_met;
  size_t room_met;
  prc_rigid_met *met;
  int *first_met;             /* n_parts: where each begins in its list; -1: it touches nothing */
  prc_shape_covers covers[2]; /* of the two of a pair (seams.c) */
  int any_slim;               /* there are segments or rounded shapes (seams.c) */
  int n_watched;              /* pairs that may pass through each other in a step (passed.c) */
  size_t room_watched;
  prc_grid_pair *watched;
  prc_shape_touches way; /* workspace of that */
} prc_rigid_meeting;

/* Two points of bodies, a joint's or a spring's; the ground, -1, stands first. */
typedef struct {
  int body[2];
  double r[2][2]; /* in their axes; of the ground in fixed ones */
  int cayley[2];  /* see prc_rigid_turned_by */
} prc_rigid_link;

/* Over a step by dx of an angle: what it turns by, and 2 sin(turn / 2) / dx. */
typedef struct {
  double turn, share;
} prc_rigid_turned;

/* Where they are, and what their bodies do. */
typedef struct {
  double q[2][3], v[2][3]; /* of the bodies; of the ground zeros */
  double arm[2][2];        /* from the centres of mass to the points */
  double d[2];             /* from the first to the second */
  double d_rate[2];
  prc_rigid_turned turned[2]; /* in the middle of a step */
} prc_rigid_line;

/* A row of forces along w on the second point, and against it on the first, with `extra` on the angle of the first and a moment `turn` on that
 * of the second, against it on that of the first:  G = (-w, -w . k x arm_a + extra - turn; w, w . k x arm_b + turn). */
typedef struct {
  double w[2], extra, turn;
} prc_rigid_row;

/* Joints (joints.c), their rows (joint_rows.c). */
typedef struct {
  prc_rigid_link link;
  double axis[2]; /* a unit vector in the axes of the body that carries it */
  double length;  /* of the angle's row; of a distance */
  double turn;    /* angle of the second less the first's, at the start */
  double value;   /* prescribed at the start */
} prc_rigid_joint_facts;

typedef struct {
  int joint, kind;
} prc_rigid_joint_row;

typedef struct {
  prc_rigid_joint_facts *fact; /* n_joints */
  int *first;                  /* n_joints + 1 */
  prc_rigid_joint_row *row;
  int *start, *dof, *slot; /* slot: which of the six of (x, y, angle) x 2 an entry is */
  char *of_velocities;
} prc_rigid_joint_rows;

/* Springs (springs.c). */
typedef struct {
  prc_rigid_link link;
  double rest_length;
  double
      mass; /* that its two points oppose to it along any line at least; what a compressed spring may take off the tangent */
} prc_rigid_spring_facts;

struct prc_rigid {
  const prc_rigid_model *model;
  prc_sym *M;
  int *contact_first; /* n_contacts + 1 */
  int *contact_of;    /* candidates: the contact each belongs to */
  double *r;          /* 2 per candidate: its point in the body's axes; unused for a disc */
  prc_law *law;       /* n_contacts */
  double *size;       /* n_bodies */
  int *centre;        /* nv: system.space.centre */
  char *cayley;       /* n_bodies: whose angles go by the Cayley map (turns.c) */
  int *whole;         /* nv: system.whole (turns.c) */
  int n_driven;       /* prescribed dofs, three for each driven body */
  int *driven;        /* their list */
  int *driven_like;   /* see prc_drive */
  char *driven_work;  /* ones: their work is that of obstacles */
  prc_rigid_outline outline;
  prc_rigid_meeting meeting;
  prc_rigid_joint_rows joints;
  prc_rigid_spring_facts *spring; /* n_springs */
  prc_sym *pattern;               /* of bodies that springs couple; NULL: there are none */
  prc_system system;
};

/* R(angle) r */
void prc_rigid_turn(double angle, const double r[2], double out[2]);
prc_status prc_rigid_make_outline(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK; /* outline.c */
void prc_rigid_free_outline(prc_rigid *rigid);
/* The means of the loads over a step, where integrals of forces are known (loads.c). */
prc_status prc_rigid_make_means(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;
/* The dofs of driven bodies and their motion (drive.c). */
prc_status prc_rigid_make_drive(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;

/* Contacts of bodies that meet (pairs.c): find adds them; evaluate those of the set from the place `first` on. */
prc_status prc_rigid_make_pairs(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_free_pairs(prc_rigid *rigid);
prc_status prc_rigid_find_pairs(prc_rigid *rigid, const prc_at *at, double h, double reach,
                                prc_contact_set *set, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_evaluate_pairs(prc_rigid *rigid, const prc_at *at, unsigned what, int first,
                              prc_contact_set *set);

/* Where bodies are at q, for what asks for poses of parts. */
void prc_rigid_place_bodies(prc_rigid *rigid, const double *q);
/* Rows of pairs of which one turns as it is driven (carried.c). */
void prc_rigid_carry(void *owner, const prc_contact_step *step, prc_contact_set *set);

/* See prc_contacts.slid (slid.c). */
void prc_rigid_slid(void *owner, const double *q_old, const double *q, const char *known,
                    const prc_contact_set *set, double *slid);

/* A search of bodies that meet. How far things may come in it: by `reach`, and by their velocities relative to the mean of those that are free, in a time h. */
typedef struct {
  const double *v;
  double mean[2], h, reach;
} prc_rigid_search;
/* Where the axes of part k are, moved by so many cells. */
prc_pose prc_rigid_part_pose(const prc_rigid *rigid, int part, int image);
/* Where what was found is next to what flush neighbours cover, it is looked at again (seams.c). */
int prc_rigid_any_slim(const prc_rigid *rigid);
prc_status prc_rigid_mend_seams(prc_rigid *rigid, const prc_rigid_search *now, int *changed,
                                prc_error *err) PRC_MUST_CHECK;

/* Parts that are so fast against their widths that they may be apart at both ends of a step and have passed through each other within it: to be looked at behind the
 * step (passed.c). */
prc_status prc_rigid_watch(prc_rigid *rigid, int a, int b, int image, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_passed(void *owner, const double *q_old, const prc_at *end, prc_indicator *indicator);

/* Two points of bodies (links.c): both in fixed axes at the start. what: "joint", for messages. Refuses bodies that there are not, one body
 * twice, and two that are data. */
prc_status prc_rigid_make_link(const prc_rigid_model *model, const char *what, const char *name,
                               const int body[2], const double at[2][2], prc_rigid_link *link,
                               prc_error *err) PRC_MUST_CHECK;
/* v NULL: at rest */
void prc_rigid_place_link(const prc_rigid_link *link, const double *q, const double *v, prc_rigid_line *line);
/* k x r, k out of the plane */
static inline void prc_rigid_cross(const double r[2], double out[2]) {
  const double x = r[0];
  out[0] = -r[1], out[1] = x;
}
/* sin(x) / x */
double prc_rigid_sine_over(double x);
/* Angles over a step (turns.c): by dx, added or by the Cayley map; of that the change of b - a for each of dx_b - dx_a; and which bodies go by it, of all joints and springs. */
prc_rigid_turned prc_rigid_turned_by(int cayley, double dx);
double prc_rigid_mean_of_turns(double dx_a, double dx_b);
prc_status prc_rigid_find_turns(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_advance(const void *owner, const double *q, const double *dx, double *q_next);
/* Where the bodies are in the middle of a step in a sense that makes increments exact: q at the mean of both ends; v: dx; arm: that of
 * prc_rigid_mean_arm; turned; with places d: in the mean of both ends; d_rate: d' - d. */
void prc_rigid_middle(const prc_rigid_link *link, const double *q, const double *dx, int with_places,
                      prc_rigid_line *line);
/* w with w . (d' - d) = |d'| - |d|, in the middle of a step with places; returns the mean of both lengths. */
double prc_rigid_mean_along(const prc_rigid_line *middle, double w[2]);
/* G over (x, y, angle) of the first and of the second */
void prc_rigid_row_gradient(const prc_rigid_row *row, const double arm[2][2], double G[6]);

prc_status prc_rigid_make_joints(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_free_joints(prc_rigid *rigid);
/* Kinds of a joint's rows: fills kinds, returns their number. */
enum { PRC_RIGID_JOINT_ROWS = 3 };
int prc_rigid_joint_kinds(const prc_rigid_joint *joint, int kind[PRC_RIGID_JOINT_ROWS]);
/* Bits of the six that a row of this kind touches; and is it one of velocities alone? */
unsigned prc_rigid_joint_slots(int kind);
int prc_rigid_joint_is_of_velocities(int kind);
/* The value prescribed at t and its two derivatives. */
prc_status prc_rigid_joint_value(const prc_rigid_joint *joint, double t, double value[3],
                                 prc_error *err) PRC_MUST_CHECK;
prc_status prc_rigid_evaluate_joints(void *owner, const prc_at *at, double *g, double *G, double *rate,
                                     double *bias, prc_error *err) PRC_MUST_CHECK;
prc_status prc_rigid_joint_values(void *owner, double t, double *d, prc_error *err) PRC_MUST_CHECK;
prc_status prc_rigid_joint_rates(void *owner, double t, double h, double *rate,
                                 prc_error *err) PRC_MUST_CHECK;
prc_status prc_rigid_secant_joints(void *owner, const prc_at *from, double h, const double *dx, double *G,
                                   double *rate, prc_error *err) PRC_MUST_CHECK;

prc_status prc_rigid_make_springs(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_free_springs(prc_rigid *rigid);
/* Of joints and springs, from the centres of mass. */
double prc_rigid_largest_arm(const prc_rigid *rigid);

#endif

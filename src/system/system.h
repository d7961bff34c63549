/* system: what a time-stepping scheme needs of any mechanical system, and nothing else. The hinge of the house: whatever presents itself
 * as a prc_system (a mesh, rigid bodies, a scene of both, a user's own) is stepped by every scheme and entered into the same ledger.
 *
 *   M dv + (f(q) + C v + d(q, v)) dt = F(t, q, v) dt + G' dl + H' di,   q' = q (+) dx,  dx = v dt,   f = K q where it is linear,
 *   joints:   g(t, q) = 0,   g' = G v + rate,   g'' = G a + bias;      contacts:   u = H(q) v.
 *
 * M is constant: coordinates are chosen so. Then d(v'Mv/2) = (v + v')/2 . M dv in every step of every scheme, and the ledger needs no
 * more than the impulses. Motions that are data, of a support or of an obstacle that moves, are velocities of dofs like others, so that u
 * is always relative. Zero and NULL mean "there is none" everywhere. Functions get `owner`.
 * Functions that return a prc_status refuse NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_SYSTEM_H
#define PRC_SYSTEM_H

#include "base/base.h"
#include "base/ranks.h"
#include "law/law.h"
#include "linear/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where functions are asked. */
typedef struct {
  double t;
  const double *q, *v; /* nq, nv */
} prc_at;

/* ---- coordinates --------------------------------------------------------------------------------------------------- */

/* nv velocities, the dofs; nq coordinates. Where `advance` is NULL, nq = nv and q (+) dx = q + dx. Else the first nv coordinates of
 * dofs that K touches or `drive` lists are plain all the same: those dofs and their coordinates have the same indices; but for `drive.turn`. */
typedef struct {
  int nq, nv; /* nq = 0: as many as nv */
  /* q_next := q (+) dx; q_next may be q */
  void (*advance)(const void *owner, const double *q, const double *dx, double *q_next);
  const int *
      body; /* nv: the rigid body whose velocity it is, ascending, at most six of each; NULL: they are not of rigid bodies in space */
  /* nv: nonzero where q (+) goes on by the mean of the velocities of both ends, whatever the scheme weighs contacts with, and where loads of the state are
   * asked at it: spins, whose equation J dw + h w_m x J w_m = h torque keeps energy and angular momentum at the mean alone. M is diagonal there, and K and C
   * have nothing. NULL: none is */
  const char *mean;
  /* nv: of a spin of a rigid body that is free its first dof: those of the centre, in fixed axes, stand before its spins, x, y, w in the plane, x, y, z and three of `mean`
   * in its own axes in space, in this order in H too; -1 of all else. By these, steps move the arms of percussions. NULL: there are none */
  const int *centre;
  /* in space: x, of fixed axes, := that in the axes that the body has at q whose spins begin at this dof */
  void (*turn_back)(const void *owner, const double *q, int dof, double x[3]);
  /* nv: nonzero for dofs of what deforms, which has waves; others are of rigid bodies, and M, K and C join none of these to one of those. NULL: there are none, but where there is a K
   * it is not known */
  const char *deforms;
} prc_space;

/* ---- motion ----------------------------------------------------------------------------------------------------------- */

/* What the right-hand side depends on; 0: a linear system under constant loads. */
enum { PRC_LOADS_IN_TIME = 1, PRC_LOADS_OF_STATE = 2, PRC_INTERNAL_NONLINEAR = 4, PRC_DAMPING_OF_STATE = 8 };

typedef struct {
  const prc_sym *M;
  const prc_sym *K; /* NULL where there is no stiffness, or where `internal` is not linear */
  double damping_mass, damping_stiffness; /* C = damping_mass M + damping_stiffness K + ... */
  const prc_sym *C;                       /* ... what damps besides, such as dashpots of a boundary */
  /* the part of C whose work is the boundary's, which has a column of its own in the ledger; NULL: none is */
  const prc_sym *C_boundary;
  unsigned varies;
  /* F, all dofs, overwritten; NULL: no loads */
  prc_status (*loads)(void *owner, const prc_at *at, double *F, prc_error *err);
  /* the exact mean of loads in time over (t, t + h); NULL: the scheme takes (1 - theta) F(t) + theta F(t + h) */
  prc_status (*mean_loads)(void *owner, double t, double h, double *F, prc_error *err);
  /* the loads with prc_field_missed in place of each value in time: what means over the window's step are beyond those of a scheme where loads jump or bend
   * in it; overwritten. NULL: such loads are taken at times of the scheme alone */
  prc_status (*missed_loads)(void *owner, const prc_at *at, prc_window *window, double *F, prc_error *err);
  /* with PRC_INTERNAL_NONLINEAR: f, its potential; either may be NULL */
  prc_status (*internal)(void *owner, const prc_at *at, double *f, double *potential, prc_error *err);
  /* its mean over a step from q to q (+) dx, for which  dx . f = gain = V(q (+) dx) - V(q)  to rounding, near f(q (+) dx/2); NULL: schemes that need one make it
   * of f and V, which keeps energy, but momentum only as the step goes to zero */
  prc_status (*mean_internal)(void *owner, const double *q, const double *dx, double *f, double *gain,
                              prc_error *err);
  /* with PRC_DAMPING_OF_STATE: d, of dashpots whose direction moves, v . d >= 0; overwritten */
  prc_status (*damping)(void *owner, const prc_at *at, double *d, prc_error *err);
  /* with either: A += c_x df/dq + c_v dd/dv, symmetric, on a pattern that holds those of M, C and `pattern` */
  prc_status (*tangent)(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A, prc_error *err);
  const prc_sym *pattern; /* of the tangent, its values are not read; NULL: that of M and C */
  int tangent_lasts; /* it and its factor cost more than forces do: passes of a step keep those of the first as long as they converge */
} prc_dynamics;

/* ---- velocities that are data ------------------------------------------------------------------------------------------ */

typedef struct {
  int n, rest;    /* rest: all of them are held fixed at all times */
  const int *dof; /* ascending */
  const char *
      work; /* n: nonzero where the work of the motion stands in `driven`, as that of obstacles, and not in `external` */
  /* n: nonzero where the row is of a turn in space: displacements are sums of what q (+) goes on by, and no coordinates that they
   * could be compared with; NULL: none is */
  const char *turn;
  /* the largest angle between attitudes at q and what turns of d make of those at the start; NULL: there are none */
  double (*turned)(void *owner, const double *d, const double *q);
  /* prescribed velocities at t, n. One-sided at kinks: the velocity with which the motion goes on over
   * (t, t + h). May be NULL with `rest`. Where displacements are given, the theta-scheme uses only that of t = 0, and that of
   * the last step where they end there; schemes by levels use those of all steps, and where there is no `acceleration` ask for one a little later
   * too, where it may fail. */
  prc_status (*velocity)(void *owner, double t, double h, double *v, prc_error *err);
  /* prescribed displacements at t, n: those that the velocities of a scheme follow, to within half a step's way. Also asked
   * for a little beyond the last step, where it may fail. NULL: the velocities alone are known, and taken as they are. */
  prc_status (*displacement)(void *owner, double t, double *d, prc_error *err);
  /* row i of them alone; NULL: asked for together */
  prc_status (*displacement_at)(void *owner, int i, double t, double *d, prc_error *err);
  /* n: the first row that moves as row i does, at all times, and -1 where row i never moves; NULL: each moves by itself */
  const int *like;
  /* prescribed accelerations at t, n; NULL: the scheme takes differences of the velocities */
  prc_status (*acceleration)(void *owner, double t, double *a, prc_error *err);
  /* what prescribes row i, for messages: "support 'top': y"; NULL: "prescribed dof 17" */
  void (*name)(void *owner, int i, char *text, size_t size);
} prc_drive;

/* ---- joints --------------------------------------------------------------------------------------------------------------- */

/* Rows of bilateral constraints, their number and pattern fixed. Rows may depend on each other. Each g is a length (an angle times one), so that rows
 * compare. A prescribed value is part of g, and shows in rate and bias. */
typedef struct {
  int n;
  const int *start, *dof; /* n + 1; row r touches the dofs from dof[start[r]] on, ascending */
  /* n: nonzero where there is no g, a row of velocities alone, G v + rate = 0, as of a skate that glides; NULL: none is */
  const char *of_velocities;
  /* Any of g, G (start[n] numbers, by rows), rate = dg/dt at rest, bias = (dG/dt) v + d rate/dt may be NULL. g of rows of velocities: 0 */
  prc_status (*evaluate)(void *owner, const prc_at *at, double *g, double *G, double *rate, double *bias,
                         prc_error *err);
  /* the mean of G over a step, with  g(t + h, q (+) dx) - g(t, q) = G dx + h rate  to rounding; of rows of velocities, in its middle */
  prc_status (*secant)(void *owner, const prc_at *from, double h, const double *dx, double *G, double *rate,
                       prc_error *err);
  /* Prescribed values d, n: g = (what bodies have) - d, and their rates, one-sided as those of prc_drive; 0 in rows without one. NULL: there are none, or
   * schemes take g as it is. */
  prc_status (*value)(void *owner, double t, double *d, prc_error *err);
  prc_status (*value_rate)(void *owner, double t, double h, double *rate, prc_error *err);
  /* whose row it is, for messages: "joint 'hinge'"; NULL: "joint 3" */
  void (*name)(void *owner, int row, char *text, size_t size);
} prc_joints;

/* ---- contacts ------------------------------------------------------------------------------------------------------------- */

/* Two surfaces and what of them touches: what is remembered of a contact (percussions, the state of its friction) follows its id. A node
 * that slides from one segment of a surface to the next keeps its own: (surface, surface, 0, node). */
typedef struct {
  uint32_t a, b, feature_a, feature_b;
} prc_contact_id;

typedef struct {
  prc_contact_id id;
  int group;   /* of the owner's contacts, by which they are named; steps do not look at it */
  int body[2]; /* a pushes b; -1: what does not move. The graph of contacts */
  int n_dof;   /* that u depends on */
  const int *dof;
  const prc_law *law; /* outlives the set */
  double
      size; /* of the body that may penetrate, which penetrations are compared with; 0: it has none, as a point mass */
  /* Where it was found, and how far from there its place may have been in the last search: a contact that was active then, of the same two
   * surfaces, and whose features no longer touch, hands on to a new one within that what it remembers, as where a corner slides over the
   * end of an edge. 0: to none. */
  double place[3], way;
  double
      stay; /* where H moves: one that pushed in the last step stays active up to this gap; 0: the tolerance of gaps */
  double
      ramp; /* in the plane, where gaps may change by more than u_N: the way of a slide over which schemes that close u_N take such gaps back; its dofs are x and y of nodes
             in turn; 0: they do not */
  double
      width; /* of the thinner of the two: nothing that is right is deeper in the other than half of it; 0: as wide as its size */
  double
      flush; /* where bodies lie beside each other as one surface, so far they may be off each other: what slides over is found that deep. 0: there is no such surface */
  /* of a side of a neighbour that is higher than flush, and less than ten times so: its height, and how far its normal is turned from that of what the other stands on; 0: it is none */
  double step, step_turn;
  double normal
      [3]; /* in space: where it was found. Two edges have it from there, and which of the two ways is outwards */
} prc_contact;

/* What `to` remembers was that of `from`. */
typedef struct {
  prc_contact_id from, to;
} prc_contact_heir;

/* What friction that does not forget keeps of a contact that searches find no more, for when they find it again; at most so many, of which then the half
 * that left first is given up, those of one time together. */
enum { PRC_CONTACTS_AWAY = 1 << 18 };
typedef struct {
  prc_contact_id id;
  double
      since; /* the time of the search that missed it first: so long its state has been at rest when it is back */
  double state[PRC_LAW_STATE];
} prc_contact_away;

/* Contacts in the ascending order of their ids, a struct of arrays that outlives steps and grows between them. */
typedef struct {
  int dim; /* of a local vector, normal first: 1 without friction, 2 in the plane, 3 in space, 4 in space with drilling */
  int n, capacity;
  prc_contact_id *id;
  int *group; /* n */
  int *body;  /* 2 n */
  const prc_law **law;
  double *size, *way, *stay, *ramp, *width, *flush, *step, *step_turn; /* n */
  prc_rows H;  /* u = H v, of b minus a; block c, from x + dim start[c] on, by rows, n first */
  double *gap; /* n; positive: open */
  double *frame,
      *place; /* 9 n: n, t1, t2 in space; 3 n. Where they were asked for; `place` is that of the search before */
  /* In space, dim 3 and 4, 9 n each: frames that H stands in, written with it by `evaluate`; and those of the last step, carried by id to where
   * they are turned from (prc_contact_turn_frame), so that percussions keep their meaning; zeros: the contact begins anew. */
  double *axes, *base;
  double *normal; /* 3 n, in space: of the search */
  double *p;      /* dim n: percussions of the last step, from which the next starts */
  double *state;  /* PRC_LAW_STATE n: of friction */
  int n_kept;     /* set once, before the first search: numbers that the scheme keeps of each contact ... */
  int n_noted;    /* ... the last of them for judges alone: they make no contact one that pushed */
  double *kept;   /* n_kept n: ... carried by id like the percussions */
  size_t room_dofs, room_rows; /* of H.dof and H.x */
  int first_surface; /* where evaluate is handed a part of a larger set: id.a of the owner's surfaces begins here */
  int n_mended; /* of the last search: contacts at other features than the nearest, as flush neighbours cover those */
  double t;    /* of the search: set before it begins, where friction remembers */
  int n_away;  /* of the last search */
  int gave_up; /* of these too many were away at some time: those that left first are forgotten */
  const prc_contact_away *away;
  int n_heirs; /* of the last search */
  const prc_contact_heir *heir;
  struct prc_contact_memory *memory;
} prc_contact_set;

/* What may change from step to step; 0: H is constant and gaps are affine in q, so that W over all contacts is kept. Without
 * PRC_CONTACTS_SET they are found once, when a stepper is made, at coordinates and velocities that are zeros. */
enum { PRC_CONTACTS_H = 1, PRC_CONTACTS_SET = 2 };
/* What evaluate is asked for. CENTRE, with H alone: that is not where the step finds its contacts but where the centres are about which percussions turn, and
 * who lives better with H of the first place leaves it. */
enum { PRC_EVALUATE_GAP = 1, PRC_EVALUATE_H = 2, PRC_EVALUATE_PLACE = 4, PRC_EVALUATE_CENTRE = 8 };

/* What is known of a contact where a step begins: it pushed in the last one, and stuck; FAR: it goes in so far that it keeps H of the place where it was found. */
enum { PRC_CONTACT_PUSHED = 1, PRC_CONTACT_STUCK = 2, PRC_CONTACT_FAR = 4 };
/* A step from q, v of the length h, whose directions are `ahead` (a time) on. */
typedef struct {
  const double *q, *v;
  const double *dx; /* nv: of driven dofs what the step adds to their coordinates, as data; of others h v */
  double h, ahead;
  const char *known; /* of the contacts of the set: PRC_CONTACT_... */
  double *u;         /* dim of each: H(q) v */
} prc_contact_step;

typedef struct {
  int dim;
  unsigned varies;
  int n_laws; /* that contacts may have which are not there at first; NULL with 0 */
  const prc_law *const *law;
  double size; /* the smallest of what they are between: what is closed is judged by that too; 0: it is not */
  int ramps;   /* some have a ramp */
  /* nv: dofs that contacts may ever touch, needed where the set varies; NULL: those of the contacts found first */
  const char *touched;
  /* Adds those that may close within (t, t + h] while no two things approach by more than `reach`; a function of its arguments
   * alone. NULL: there are none. */
  prc_status (*find)(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                     prc_error *err);
  /* gap, H.x, or frame and place of the contacts in the set, as `what` asks, at this state */
  void (*evaluate)(void *owner, const prc_at *at, unsigned what, prc_contact_set *set);
  /* Of contacts with what is driven and turns in the step: H of the displacements of both over the step, so that what sticks is carried along to rounding; and u, in which one that pushed
   * does not approach and one that stuck does not slide: what of that is in H(q) v is the turn alone. Others stay as they are. NULL: there are none */
  void (*carry)(void *owner, const prc_contact_step *step, prc_contact_set *set);
  /* Of contacts that are known to stick, for who judges: by how far what of both is at the place of contact at q_old goes apart on the way to q, along the tangents of H [length, two of
   * each], rigid bodies turned as they are; what is round may roll. NULL: u_T h is that */
  void (*slid)(void *owner, const double *q_old, const double *q, const char *known,
               const prc_contact_set *set, double *slid);
} prc_contacts;

/* For who steps: begin, find, end. End sorts, and carries the percussions and the state of an id that was active (p or kept is not zero) in the last
 * step; what is new, or was open then, begins anew, so that nothing depends on how many open neighbours `find` adds. The state of friction that does not
 * forget is carried of open ones too, and of those that no search finds for a while (prc_contact_away). */
void prc_contact_set_begin(prc_contact_set *set, int dim);
/* For `find`: in any order. */
prc_status prc_contact_set_add(prc_contact_set *set, const prc_contact *contact,
                               prc_error *err) PRC_MUST_CHECK;
/* Refuses two contacts with the same id. *changed (may be NULL): the ids are not those before. Gaps, H and frames of the set are to be evaluated
 * anew, also where they are. */
prc_status prc_contact_set_end(prc_contact_set *set, int *changed, prc_error *err) PRC_MUST_CHECK;
/* Does friction keep this state where its contact opens, and is there anything in it? */
int prc_contact_lasts(const prc_law *law, const double *state);
/* Nothing is away. */
void prc_contact_set_forget_away(prc_contact_set *set);
/* What n contacts carried that were active before this set was found, as a run left them: those found again go on with it, and what is lost hands
 * it on, as at an end; n_heirs and heir say which. Ids ascend; dim, PRC_LAW_STATE, n_kept (NULL: zeros), 3 and in space 9 (NULL: zeros) numbers of
 * each. lasts (NULL: none): which of them friction keeps if they are not found; before that `n_away` others were away. */
prc_status prc_contact_set_restore(prc_contact_set *set, int n, const prc_contact_id *id, const double *p,
                                   const double *state, const double *kept, const double *place,
                                   const double *axes, const char *lasts, int n_away,
                                   const prc_contact_away *away, prc_error *err) PRC_MUST_CHECK;
/* base := axes of those that are active, zeros of others, as a search does: where the set does not vary. */
void prc_contact_set_keep_axes(prc_contact_set *set);
void prc_contact_set_free(prc_contact_set *set);
/* The frame of normal n that is turned least from `base` (9 numbers: n, t1, t2): t' = t - (n + n') (n'.t) / (1 + n.n'). Where base is zeros, or
 * its normal points away from n, t1 is the coordinate axis least along n, less its part along n; t2 = n x t1. The same
 * normal gives the same frame, bit for bit. frame may be base. */
void prc_contact_turn_frame(const double base[9], const double n[3], double frame[9]);
int prc_contact_id_compare(const prc_contact_id *a, const prc_contact_id *b);
/* The place of an id in the set; -1: it is not there. */
int prc_contact_set_place(const prc_contact_set *set, const prc_contact_id *id);
/* For `carry`, of rigid bodies: a contact that stuck, c or else one of the same two bodies beside it; -1: there is none, or c did not push. */
int prc_contact_set_stuck(const prc_contact_set *set, const char *known, int c);

/* ---- looks ---------------------------------------------------------------------------------------------------------------- */

/* What the certificate judges of a step or of a state besides works: a number and the scale that it is judged by. The table in
 * ledger/indicators.c says of each what it is and how much of it is too much. */
#define PRC_INDICATORS(X)                                                                                    \
  X(angular_momentum)                                                                                        \
  X(sticking)                                                                                                \
  X(seams)                                                                                                   \
  X(overlap)                                                                                                 \
  X(small_sliding) X(strain) X(largest_strain) X(inverted_cells) X(sampling) X(sampled_loads) X(drag)
enum {
#define X(name) PRC_INDICATOR_##name,
  PRC_INDICATORS(X)
#undef X
      PRC_N_INDICATORS
};
typedef struct {
  double value, scale; /* scale 0: nothing was looked at */
  int a, b;            /* two bodies as in prc_contact.body, or a: the number of a cell; -1: of none */
  double height;       /* of `seams`: of the step that stopped what slides; else 0 */
} prc_indicator;
/* The look with the larger ratio stays; one that is no number is the largest. */
void prc_indicator_worst(prc_indicator *worst, const prc_indicator *now);
/* n pieces, of their strains (not negative) and volumes, each of a part; part NULL: all of one. sum: workspace, two of each part. */
typedef struct {
  int n, n_parts;
  int *part;
  double *volume, *strain, *sum;
} prc_strains;
/* The least strain that no more than a hundredth of the volume of any part exceeds, to 1e-4 of itself; over ranks where they share. No number where a
 * strain is none. */
double prc_strains_of_most(const prc_strains *strains, const prc_share *share);

/* How deep bodies that may touch are in each other over a step, by their whole boundaries, whatever contacts look at. */
typedef struct {
  void *owner;
  int n_carried; /* numbers that it carries from step to step, zeros at the start; 0: there is nothing to look at */
  /* Over a step from q_old to q. late: what comes to touch within a step is found by the next one. *worst: as of looks. */
  void (*indicator)(void *owner, const double *q_old, const double *q, int late, double *carried,
                    prc_indicator *worst);
} prc_system_overlaps;

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

/* What a moment is asked of. */
enum { PRC_MOMENT_OF_MOMENTA, PRC_MOMENT_OF_IMPULSES, PRC_MOMENT_OF_LOADS };

typedef struct prc_system {
  prc_space space;
  prc_dynamics dynamics;
  prc_drive drive;
  prc_joints joints;
  prc_contacts contacts;
  /* scales for the tolerances of activation: the size of the coordinates, and a velocity well above those of the contacts,
   * such as the longitudinal wave speed; 0: not known */
  double length, velocity;
  int velocity_at_start; /* the velocity is that of the start only: what contacts reach later counts too, see step.h */
  void *owner;
  /* Ranks share its dofs, which are the numbers of items of the share: matrices are whole in own rows, vectors where they are; sums over dofs are over own ones, then
   * over ranks. Contacts are the same on all. NULL: all is here */
  const prc_share *share;
  /* the largest rotation of a part in radians, where the model is one of small rotations; NULL: it is not */
  double (*rotation)(void *owner, const double *q);
  /* nv: of dofs of rigid bodies that only contacts and loads hold from outside, the number, below nv, of what joints and springs tie together; -1 of all others. NULL: there are none */
  const int *whole;
  /* Of the bodies whose dofs have a number in `whole`, which the caller hands in: the moment about the origin of momenta, impulses or loads f, in fixed axes, with centres and attitudes at q; of loads without what turns with the body, as -w x J w. *size (may be NULL): of momenta sum |m (x - X) x (v - V)| + |J w|, X and V the means; else sum |x| |f| and the moments. NULL: it is not known */
  void (*moment)(void *owner, const double *q, const double *f, int what, const int *whole, double moment[3],
                 double *size);
  /* Judges a step from the coordinates q_old on, behind the search that it began with: what passed through each other. NULL: nothing could */
  void (*passed)(void *owner, const double *q_old, const prc_at *end, prc_indicator *indicator);
  /* Judges a state: indicator[PRC_N_INDICATORS] holds the worst so far, which worse ones replace (prc_indicator_worst). NULL: there are none */
  void (*indicator)(void *owner, const prc_at *at, prc_indicator *indicator);
  prc_system_overlaps overlaps;
  /* By the potential alone: below s^2 energy_strained no part has a strain of s in a hundredth of its volume, and below energy_inverted no cell is turned
   * inside out; 0: not known */
  double energy_strained, energy_inverted;
} prc_system;

/* Everything of a system that can be seen without its functions: matrices that are no lower triangles by columns (prc_sym_check), dofs
 * beyond their number, coefficients out of range. Whoever steps it asks once: bodies come from outside the library too. */
prc_status prc_system_check(const prc_system *system, prc_error *err) PRC_MUST_CHECK;
/* That, and what its functions say at a state, one against the other: the first violation, by function, row and values. Arrays that are not
 * overwritten or not finite; q (+) 0; loads and H that change though `varies` does not say so; f against differences of its potential, the tangent against those
 * of f and d, the normal row of H against those of the gap, G against those of g, velocities against those of displacements; means and secants against what they
 * promise. For whoever writes a system: at a state where nothing has a kink, such as a little above the floor; about 10 nv calls of each function, so with few dofs.
 * at NULL: zeros at t = 0. h: a time step. */
prc_status prc_system_check_at(const prc_system *system, const prc_at *at, double h,
                               prc_error *err) PRC_MUST_CHECK;
/* Of contacts that were found: laws, and dofs in range. */
prc_status prc_system_check_contacts(const prc_system *system, const prc_contact_set *set,
                                     prc_error *err) PRC_MUST_CHECK;

/* The contacts that `find` has for a state, checked; frees nothing: `set` is the caller's. */
prc_status prc_system_find_contacts(const prc_system *system, const prc_at *at, double h, double reach,
                                    prc_contact_set *set, int *changed, prc_error *err) PRC_MUST_CHECK;

static inline int prc_system_coordinates(const prc_system *system) {
  return system->space.nq > 0 ? system->space.nq : system->space.nv;
}

#ifdef __cplusplus
}
#endif
#endif

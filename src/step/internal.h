#ifndef PRC_STEP_INTERNAL_H
#define PRC_STEP_INTERNAL_H

#include "step/joints.h"
#include "step/schemes.h"
#include "step/step.h"

/* n finite numbers of a state */
prc_status prc_step_check_numbers(const char *name, int n, const double *x, prc_error *err) PRC_MUST_CHECK;

/* ---- contacts (contacts.c: which are active; problem.c: their problem) --------------------------------------------- */

/* How percussions act in a scheme. */
typedef struct {
  double share; /* v_work gains share x A^-1 H'p: theta, or kappa where there is no inertia */
  double scale; /* W is scale x H A^-1 H': share, or share / theta with the Newton law */
  int newton;   /* the law of the problem */
  int implicit; /* they enter by the gap at the end of the step */
  int massless; /* there is no inertia at contacts */
  int all;      /* all candidates enter, whatever activation says */
  int unsolved; /* percussions are of forces, and no problem is theirs */
} prc_step_action;

/* Where nothing rubs in space (normals.c). */
typedef struct {
  int may;   /* the scheme and its solver may do with normal rows */
  double *x; /* of H: the normal row of each block */
  double *b, *p;
  size_t room_x, room_b, room_p;
  prc_block_matrix W;
  prc_cone_solver *solver; /* NULL until it is asked for */
  uint64_t step;           /* that what is drawn belongs to */
} prc_step_normals;

typedef struct {
  prc_step_action action;
  prc_contact_set set;
  prc_operator *op;           /* the stepper's */
  int constant;               /* H and A are: W over all candidates is kept */
  int turns;                  /* H is another in every step */
  int starts;                 /* no step was made since the start: who pushes is not known yet */
  int sparse;                 /* W by blocks; else dense */
  int factored;               /* W as G G', instead */
  prc_run_matrix runs;        /* of the active ones, then */
  double *W_all, *W;          /* of all candidates, when H is constant; of the active ones, packed */
  prc_block_matrix all, part; /* the same by blocks */
  double *W_normal;           /* n: share (H A^-1 H')_NN, when H is constant */
  int *gathered, n_gathered;  /* the active set that W or part is of; -1: of none */
  int alternates,
      begun; /* percussions of the step before the last are kept, to begin with; this step's problem was begun */
  int ramps;   /* the scheme leans, and keeps the speeds of slides (ramp.c) */
  double warm; /* what percussions of the last step are in units of this one, h / h_last: to begin with */
  int *place;  /* workspace; with blocks only */
  double *b, *w, *p_active, *mu, *speed_found; /* packed; the last where mu is a function of the speed */
  int of_speed; /* mu of some contacts is a function of the speed that a step finds */
  double *middle,
      *parameter; /* all candidates: states in the middle of the step, and parameters that are formulas */
  double *u_old, *u_work, *u, *allowance; /* all candidates */
  char *known;                            /* all candidates: see prc_contact_step */
  double *u_mean, *u_before; /* H (v_k + v_{k+1}) / 2, where that is another than u_work, and H v_k */
  /* by dofs, where rigid bodies step by the mean beside what deforms (mixed.c), else NULL: 1 / M_ii of a free one of a rigid body, -1 of a free one of what
   * deforms, 0 of one that is prescribed */
  double *mobility;
  double *weight; /* 2 per candidate, then: its theta, normal and tangential */
  double *H_old;  /* of q_k, where H is moved on from there, and then before arms are moved; as long as H.x */
  size_t room_H;
  int goes_far;    /* in this step some keep H of q_k (prc_step_goes_far) */
  double *gap_old; /* at t_k, of those that the step found; where contacts come and go */
  double
      *p_old; /* all candidates: normal percussions of the last step, where surfaces slide over each other */
  prc_contact_id *id_old;
  double *depth_old; /* of the search before, for notes.c: depths of two surfaces that are in each other */
  int n_depths;      /* of them; -1: not listed in this step */
  double *gap_predicted; /* all candidates: what activation looks at, where it is not the gap of the set */
  int *active, n_active;
  int *status;                              /* all candidates */
  size_t room, room_W;                      /* contacts that these have room for; numbers in W */
  double gap_tolerance, velocity_tolerance; /* of activation, as they are now */
  /* the second is this times the velocity, which follows `speed`; 0: both stay as they are */
  double velocity_share;
  int gap_follows; /* the first follows too */
  double speed;    /* see prc_step_record */
  double size_least;
  prc_cone_solver *solver;
  prc_step_normals normals;
} prc_step_contacts;

/* Contacts without friction (normals.c): can the problem of those that are active do with normal rows? Then its solution goes to p_active; of b and
 * p_active as the whole has them. */
void prc_step_normals_prepare(const prc_step_options *options, prc_step_contacts *contacts);
void prc_step_normals_free(prc_step_normals *normals);
int prc_step_normals_suffice(const prc_step_contacts *contacts);
prc_status prc_step_normals_solve(const prc_step_options *options, prc_step_contacts *contacts,
                                  prc_cone_info *info, prc_error *err) PRC_MUST_CHECK;

/* Sets which parts of the contacts stay constant; called before all others. */
void prc_step_contacts_classify(const prc_system *system, prc_step_contacts *k);
prc_status prc_step_contacts_create(const prc_step_options *options, prc_operator *op,
                                    const prc_step_action *action, prc_step_contacts *contacts,
                                    prc_error *err) PRC_MUST_CHECK;
void prc_step_contacts_free(prc_step_contacts *contacts);
/* Where contacts come and go: those of the step that begins here. *changed: others than in the last search. */
prc_status prc_step_contacts_search(const prc_system *system, const prc_step_options *options,
                                    const prc_at *at, prc_step_contacts *contacts, int *changed,
                                    prc_error *err) PRC_MUST_CHECK;
/* Room for the problem of those that are active now. */
prc_status prc_step_contacts_reserve(prc_step_contacts *contacts, prc_error *err) PRC_MUST_CHECK;
/* The tolerances from the options as they were given, where zero asks for what follows from the system. */
void prc_step_contacts_set_tolerances(const prc_system *system, const prc_step_options *given, int all,
                                      prc_step_contacts *contacts);
/* The tolerances that follow from h, which has changed. */
void prc_step_contacts_resize(const prc_step_options *options, prc_step_contacts *contacts);
/* The speed is this; the tolerances follow. */
void prc_step_contacts_set_speed(const prc_system *system, const prc_step_options *options, double speed,
                                 prc_step_contacts *contacts);
/* The largest u without percussions, in u_work: the speed follows it. */
void prc_step_contacts_follow(const prc_system *system, const prc_step_options *options,
                              prc_step_contacts *contacts);
/* Refuses gaps and u_old that are no numbers. */
prc_status prc_step_contacts_check(const prc_step_contacts *contacts, double t,
                                   prc_error *err) PRC_MUST_CHECK;
/* Percussions are zero, and friction begins. */
void prc_step_contacts_forget(prc_step_contacts *contacts);
/* Which candidates are active, from gap (options->prediction: the predicted one) and u_old, (64), and from the percussions of the last step. */
void prc_step_contacts_activate(const prc_step_options *options, prc_step_contacts *contacts);
/* Contacts that have a ramp: H and u_old lean where the gap is not zero (ramp.c). And, at the end of a step,
 * what the next one asks for. */
void prc_step_contacts_lean(const prc_system *system, const prc_step_options *options,
                            prc_step_contacts *contacts);
void prc_step_contacts_keep_slides(prc_step_contacts *contacts);
/* The gaps of the set and the predicted ones change places. */
void prc_step_contacts_exchange_gaps(prc_step_contacts *contacts);
/* W over all candidates, where H is constant: once H is known. */
prc_status prc_step_contacts_condense_all(prc_step_contacts *contacts, prc_error *err) PRC_MUST_CHECK;
/* The contact problem as it stands. */
prc_cone_problem prc_step_contacts_problem(const prc_step_contacts *contacts);
/* The contact problem of the step. x: v_work without percussions on the dofs that contacts touch and on prescribed ones. Percussions
 * go to the set. */
prc_status prc_step_contacts_solve(const prc_system *system, const prc_step_options *options,
                                   prc_step_contacts *contacts, double t, const double *x,
                                   prc_cone_info *info, prc_error *err) PRC_MUST_CHECK;
/* Adds up how the contact problems of earlier passes and of this one were solved: later ones begin with the
 * results of the first. */
prc_cone_info prc_step_contacts_join(const prc_cone_info *before, prc_cone_info now);
/* Of a load step, once more with what its linear system lacked: v has the percussions, dv brings what they leave to the free velocities. What is
 * to be added to percussions is in u_work then, and the sum in the set. */
prc_status prc_step_contacts_refine(const prc_system *system, const prc_step_options *options,
                                    prc_step_contacts *contacts, const double *v, const double *dv,
                                    prc_cone_info *info, prc_error *err) PRC_MUST_CHECK;
/* W of those that are active, and what the error of their laws may explain; x: the velocities without percussions. */
prc_status prc_step_contacts_gather(prc_step_contacts *contacts, prc_error *err) PRC_MUST_CHECK;
void prc_step_contacts_allow(const prc_system *system, const prc_step_options *options,
                             prc_step_contacts *contacts, const prc_cone_problem *problem, const double *x);
/* Refuses motions that are data and drive a contact into its obstacle. */
prc_status prc_step_contacts_refuse_driven(const prc_step_contacts *contacts, const prc_cone_problem *problem,
                                           double t, prc_error *err) PRC_MUST_CHECK;
/* The law of active contact i there: *normal: its theta; *tangential: what is taken off of u_T,k. */
void prc_step_contacts_find_weight(const prc_step_options *options, prc_step_contacts *contacts,
                                   const prc_cone_problem *problem, int i, double *normal,
                                   double *tangential);
/* min(u~_N, 0) of contact c. */
double prc_step_contacts_approach(const prc_step_options *options, const prc_step_contacts *contacts, int c);
/* b := 0 in rows in which nothing can move, as joints hold it, where it is no more than that: it is rounding then, which no percussion mends. */
void prc_step_contacts_clear_blocked(const prc_cone_problem *problem, double tolerance, double *b);
/* y += a H' p */
void prc_step_contacts_apply(const prc_step_contacts *contacts, double a, double *y);
/* y += |H'| |p| */
void prc_step_contacts_add_sizes(const prc_step_contacts *contacts, double *y);
/* Change of momentum by the impulses alone, sqrt(sum_i W_ii p_i^2); 0 without inertia at contacts. */
double prc_step_contacts_impulse(const prc_step_contacts *contacts);

/* ---- their friction (friction.c) ------------------------------------------------------------------------------ */

/* Does mu depend on the speed that a step finds, of contacts that there are or may be? */
void prc_step_friction_classify(const prc_system *system, prc_step_contacts *contacts);
/* Parameters at t + way, and states that have gone on by `way`: of all candidates, at u_old. */
prc_status prc_step_friction_begin(prc_step_contacts *contacts, double t, double way,
                                   prc_error *err) PRC_MUST_CHECK;
/* mu of contact c then; where it is a function of the speed, at that of u_old */
double prc_step_friction_of(const prc_step_contacts *contacts, int c);
/* For the contact problem, of active contact i. */
double prc_step_friction_at_speed(const void *contacts, int i, double speed, double *slope);
/* The contact problem is solved, and w stands; mu becomes what it is there: do states in the middle of the step, which are others now, want it solved once more? */
int prc_step_friction_again(prc_step_contacts *contacts, const prc_cone_problem *problem, double way);
/* mu and speeds := those of the solution; and whether active contact i is open, sticks or slips. */
void prc_step_friction_end(prc_step_contacts *contacts, const prc_cone_problem *problem);
int prc_step_friction_status(const prc_step_contacts *contacts, int i, double rho);
/* Friction begins. */
void prc_step_friction_forget(prc_step_contacts *contacts);
/* Advances the state of friction by h, at u_work. */
void prc_step_friction_advance(prc_step_contacts *contacts, double h);
/* See prc_step_record; of u_work. */
double prc_step_friction_slip_rate(const prc_step_contacts *contacts);
/* Work of friction in the step beyond its residual value, for laws that have one: sum (mu - mu_d) p_N |u_T|,
 * at u_work. */
double prc_step_friction_breakdown(const prc_step_contacts *contacts);

/* ---- prescribed motions (motion.c) ------------------------------------------------------------------------- */

typedef struct {
  const prc_system *system;
  double h, theta;
  int moves;              /* velocities that may be other than zero are asked for */
  int follows;            /* they come from the displacements */
  int exact;              /* both are data */
  int jumped;             /* the last failure was a jump */
  double *first, *now;    /* drive.n: d at 0 and at t_k */
  double *before, *ahead; /* D_{k-1} and D_k, see motion.c */
  int n_own, *own;        /* rows that move, one of each motion (prc_drive.like) */
  double *rate, *room;    /* of the last two values that were looked at; workspace */
  double *start,
      longest; /* of steps that vary: d at the beginning of the step; the longest that there may be */
} prc_step_motion;

prc_status prc_step_motion_create(const prc_system *system, const prc_step_options *options, int follows,
                                  int exact, prc_step_motion *motion, prc_error *err) PRC_MUST_CHECK;
void prc_step_motion_free(prc_step_motion *motion);
/* Name of the support or obstacle that prescribes row i, for messages. */
void prc_step_motion_name(const prc_system *system, int i, char *text, size_t size);
/* v := V_step, at the start or where a run goes on */
prc_status prc_step_motion_enter(prc_step_motion *motion, int step, double *v, prc_error *err) PRC_MUST_CHECK;
/* v := V_step, after step - 1. Refuses a jump on the way. */
prc_status prc_step_motion_advance(prc_step_motion *motion, int step, double *v,
                                   prc_error *err) PRC_MUST_CHECK;
/* Refuses a q at t, where it was entered, that is not d(t); v: V there. */
prc_status prc_step_motion_check_start(const prc_step_motion *motion, double t, const double *q,
                                       const double *v, prc_error *err) PRC_MUST_CHECK;
/* Refuses jumps in n_steps steps behind `from`; v: workspace. To be entered again. */
prc_status prc_step_motion_foresee(prc_step_motion *motion, int from, int n_steps, double *v,
                                   prc_error *err) PRC_MUST_CHECK;
/* The same of steps that vary (motion_varies.c). `enter`: v is V_k already where a run goes on, t > 0; advance: from t, where q and v are, by h to
 * the time after it. */
prc_status prc_step_motion_enter_at(prc_step_motion *motion, double t, double h, double *v,
                                    prc_error *err) PRC_MUST_CHECK;
prc_status prc_step_motion_advance_by(prc_step_motion *motion, const prc_at *at, double h, double after,
                                      double *v, prc_error *err) PRC_MUST_CHECK;
/* Refuses jumps in (a, b), from d_a to d_b. */
prc_status prc_step_motion_watch(prc_step_motion *motion, double a, double b, const double *d_a,
                                 const double *d_b, prc_error *err) PRC_MUST_CHECK;
/* v at one end of an interval of that length := the mean rate, where it is not resolved. */
void prc_step_motion_temper(const prc_step_motion *motion, const double *d_a, const double *d_b, double time,
                            double *v);
prc_status prc_step_motion_displacements(const prc_step_motion *motion, double t, double *d,
                                         prc_error *err) PRC_MUST_CHECK;
/* c of motion.c, from the data at the start, where `first` stands; v: V_0. */
prc_status prc_step_motion_offset(prc_step_motion *motion, double *c, double *v,
                                  prc_error *err) PRC_MUST_CHECK;
/* Part of the motions that a step from t to `end` does not see: enters the worst so far. */
void prc_step_motion_sample(const prc_step_motion *motion, int step, double t, double end,
                            prc_indicator *worst);
prc_step_deviation prc_step_motion_compare(const prc_step_motion *motion, const double *d, const double *q);

/* ---- schemes (schemes.h has the table) ------------------------------------------------------------------- */

/* A way to step. Its matrix is A = mass M + stiffness K + damping C, with Rayleigh's part of C folded into the first two. */
typedef struct {
  double mass, stiffness, damping;
} prc_step_matrix;

typedef struct {
  const char *name;
  const char *help, *laws, *takes, *order; /* see prc_step_scheme; may be NULL */
  double theta;                            /* the only one that it has; 0: it has others too */
  int follows; /* prescribed velocities follow displacements (motion.c); else their rows go to where they should be */
  int exact; /* or displacements and velocities are both what the data say at the end of the step */
  int has_mass;
  int has_joints;   /* systems may have joints */
  unsigned options; /* PRC_OPTION_...: those it takes */
  int takes_means;  /* of loads that jump or bend in a step; else these are judged */
  int of_levels; /* loads are taken at the ends of steps, and what their means are more is a percussion (alpha.h) */
  int middle; /* where directions are constant, gaps are looked at in the middle of the step, at q_k (+) h/2 v_k */
  int leans; /* what slides comes out of gaps by ramps (ramp.c): the law has u_N, not the gap; keeps nothing else */
  int n_kept;          /* numbers kept of each contact, times its dim */
  const void *variant; /* where several rows share one file */
  unsigned levels;     /* see prc_stepper_levels */
  prc_status (*check)(const prc_system *system, const prc_step_options *options, prc_error *err);
  prc_step_promises (*promises)(const prc_stepper *s);
  prc_step_matrix (*matrix)(const prc_system *system, const prc_step_options *options);
  /* its own work, and how percussions act */
  prc_status (*create)(prc_stepper *s, prc_step_action *action, prc_error *err);
  void (*start)(prc_stepper *s); /* m of v */
  prc_status (*begin)(prc_stepper *s,
                      prc_error *err); /* what else it needs of the state at the start; NULL: nothing */
  prc_status (*step)(prc_stepper *s, prc_error *err); /* from t_k to t_{k+1}: state, works of the record */
  void (*resize)(prc_stepper *s,
                 prc_step_action *action); /* what depends on h, which has changed; NULL: nothing */
  void (*drift)(prc_stepper *s, prc_step_drift *drift);
  double (*rounding)(
      const prc_stepper *s); /* see prc_step_rounding_of_forces; NULL: not where forces are linear */
  /* its vectors by name, see prc_stepper_visit; NULL: it has none */
  prc_status (*visit)(prc_stepper *s, prc_step_visit *visit, void *to, prc_error *err);
  void (*free)(prc_stepper *s);
} prc_scheme;
#define PRC_STEP_DECLARE(symbol, name) extern const prc_scheme prc_scheme_##symbol;
PRC_STEP_DYNAMIC_SCHEMES(PRC_STEP_DECLARE, PRC_STEP_DECLARE)
PRC_STEP_STATIC_SCHEMES(PRC_STEP_DECLARE)
const prc_scheme *prc_scheme_find(const char *name); /* NULL: there is none */

/* ---- the stepper, as schemes see it ----------------------------------------------------------------------- */

/* Rows of M in prescribed dofs: their momentum is a product. */
typedef struct {
  int *start, *column;
  double *M;
} prc_step_rows;

/* Factors of sizes of steps, kept while memory allows (ladder.c), and W over all candidates where H is constant. */
typedef struct {
  double h;
  prc_operator *op;
  double *W_all, *W_normal;
  prc_block_matrix all;
  double bytes;
  uint64_t used; /* when: a count of changes */
} prc_step_rung;
typedef struct {
  prc_step_rung *rung; /* those that are not in use */
  int n;
  size_t room;
  double bytes, most; /* of these; that may be */
  uint64_t changes;
} prc_step_ladder;

/* Prescribed values of joints (values.c). */
typedef struct {
  int given, follows; /* there are some; joints have their chords */
  prc_system data;    /* values as a drive has them */
  prc_step_motion motion;
  int *row;                   /* joints.n: 0, 1, ... */
  double *V, *c, *a, *a_next; /* joints.n: see values.c */
} prc_step_values;
prc_status prc_step_values_create(const prc_system *system, const prc_step_options *options, int follows,
                                  prc_step_values *values, prc_step_joints *joints,
                                  prc_error *err) PRC_MUST_CHECK;
void prc_step_values_free(prc_step_values *values);
/* Where a run begins or goes on: before the joints are evaluated there, and after. */
prc_status prc_step_values_enter(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_step_values_settle(prc_stepper *s);
/* Where a step begins, which refuses jumps; and where it has ended, before the joints are evaluated. */
prc_status prc_step_values_advance(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_step_values_end(prc_stepper *s);

struct prc_stepper {
  const prc_system *system;
  const prc_scheme *scheme;
  void *work_of_scheme;
  prc_step_options options;
  int n, nq, n_prescribed;
  int first, end;   /* dofs that sums are over: 0 and n, or own ones where ranks share them */
  char *part;       /* n: 0 interior, 1 touched by contacts, 2 prescribed */
  prc_operator *op; /* A^-1 */
  double op_h;      /* the size of steps that it is for, and action too */
  prc_product *K;   /* NULL without stiffness */
  prc_step_rows rows;
  prc_step_contacts contacts;
  prc_step_joints joints;
  prc_step_values values;
  prc_step_motion motion;

  int step;
  double t;
  prc_sum time;              /* t, where steps vary */
  double pace_first, h_next; /* the first step, and that which comes, but for the end */
  prc_step_ladder ladder;
  double *q, *F, *F_next;                    /* coordinates; loads at t_k and t_{k+1} */
  double *v, *m, *f, *v_old, *m_old, *f_old; /* the old ones exchange places with the new */
  double *v_work, *s, *F_work;               /* K v_work; loads of the step */
  double *
      way; /* n: the velocity that coordinates move by, and loads, springs and joints work at, where it is another than v_work (prc_space.mean); else NULL */
  double *let_in;                  /* n: of what slides over flush neighbours, see notes.c */
  double *overlaps;                /* what judges overlaps carries from step to step; NULL: there are none */
  int late;                        /* what comes to touch within a step is found by the next one */
  int mixed;                       /* rigid bodies step by the mean, beside what deforms and keeps theta */
  double *ahead;                   /* n, then: velocities by the shares of a step; else NULL */
  double *vp, *vp_next, *reaction; /* n_prescribed */
  double *drag;                    /* C v_work: all of it, or of dashpots alone where the rest is folded in */
  double *work, *work2;            /* max(n, nq) */
  double *sizes;                   /* n, where moments are judged */
  int turns_itself;                /* what nothing pushes may still change its angular momentum */
  double *q_old;                   /* where the step began, for who judges it */
  int passes;                      /* of the last step */
  int loads_break;                 /* in time, in the step */
  prc_indicator sampling, sampled_loads;    /* what the step that is being made does not see of loads */
  int moved;                                /* steps were made since the start or the resumption */
  const double *force;                      /* n, a program's: see prc_stepper_set_force; NULL: none */
  double seconds[PRC_STEP_N_PHASES], since; /* when timed: of the phases, and of the clock */
  prc_step_record record;
};

/* ---- for schemes (step.c, state.c, judge.c) ------------------------------------------------------------------ */

/* A = mass M + stiffness K + damping C of the scheme, on the pattern that it will always have; and its numbers anew. */
prc_status prc_step_form_matrix(const prc_stepper *s, prc_sym **A, prc_error *err) PRC_MUST_CHECK;
void prc_step_fill_matrix(const prc_stepper *s, prc_sym *A);
/* The same with other factors; tangent: with the pattern of what changes. And its A^-1. */
prc_status prc_step_form(const prc_stepper *s, const prc_step_matrix *c, int tangent, prc_sym **A,
                         prc_error *err) PRC_MUST_CHECK;
void prc_step_fill(const prc_stepper *s, const prc_step_matrix *c, prc_sym *A);
/* joined: with the joints */
prc_status prc_step_make_operator(const prc_stepper *s, const prc_step_matrix *c, int may_change, int joined,
                                  prc_operator **op, prc_error *err) PRC_MUST_CHECK;
/* Steps that vary (pace.c): do they; and the time after the step that is being made. */
static inline int prc_step_varies(const prc_step_options *o) {
  return o->pace.max > 0.0;
}
prc_status prc_step_pace_check(const prc_step_options *options, prc_error *err) PRC_MUST_CHECK;
double prc_step_time_after(const prc_stepper *s);
void prc_step_pace_enter(prc_stepper *s, const prc_step_clock *from);          /* from: NULL at the start */
prc_status prc_step_pace_begin(prc_stepper *s, prc_error *err) PRC_MUST_CHECK; /* h of the step */
void prc_step_pace_end(prc_stepper *s);                                        /* t after the step */
void prc_step_pace_choose(prc_stepper *s);                                     /* the next h, of the record */
/* V of the end of the step on prescribed dofs. */
prc_status prc_step_drive(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
/* A^-1 of steps of this size (ladder.c). */
prc_status prc_step_ladder_set(prc_stepper *s, double h, prc_error *err) PRC_MUST_CHECK;
void prc_step_ladder_free(prc_step_ladder *ladder);
prc_status prc_step_create_operator(prc_stepper *s, prc_operator **op, prc_error *err) PRC_MUST_CHECK;
void prc_step_fill_record(prc_stepper *s);
void prc_step_end_phase(prc_stepper *s, int phase);
/* F_work := the exact mean of the loads, or (1 - theta) F(t_k) + theta F(t_{k+1}), with a program's force (loads.c); the system's own at t; F += a
 * program's. */
prc_status prc_step_loads(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
prc_status prc_step_loads_at(prc_stepper *s, double t, double *F, prc_error *err) PRC_MUST_CHECK;
void prc_step_add_force(const prc_stepper *s, double *F);
/* F, loads at t_{k+theta} and the state q, v, += what the mean over the step is more, where they jump or bend in it; uses work. */
prc_status prc_step_add_missed(prc_stepper *s, const double *q, const double *v, double *F,
                               prc_error *err) PRC_MUST_CHECK;
/* Loads, prescribed velocities and contact quantities of the state where it begins or goes on (state.c). */
prc_status prc_step_enter(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_step_restore_axes(prc_contact_set *set);
/* Gaps and H at the present q. */
void prc_step_evaluate_contacts(prc_stepper *s);
/* Where the contacts of the next step are searched; uses work2. */
prc_at prc_step_place_of_contacts(prc_stepper *s);
int prc_step_is_in_middle(const prc_stepper *s);
/* v_free: v_work of the step without contact, for PRC_PREDICT_FREE alone; else NULL. */
/* Lists contacts anew by the way of a step, v_free. *changed: others than before. Gaps and H of the set are those at q_k. */
prc_status prc_step_search_contacts(prc_stepper *s, const double *v_free, int *changed,
                                    prc_error *err) PRC_MUST_CHECK;
prc_status prc_step_begin_contacts(prc_stepper *s, const double *v_free, prc_error *err) PRC_MUST_CHECK;
/* One of the contacts that there are or may be has a tangential restitution. */
int prc_step_throws_back(const prc_stepper *s);
/* Refuses another gap for activation than that of q_k. */
prc_status prc_step_refuse_prediction(const prc_step_options *options, prc_error *err) PRC_MUST_CHECK;
/* v, m, f become the old ones; q := q (+) h times the velocity of the way. */
void prc_step_next_state(prc_stepper *s);
/* The velocity by which coordinates move over the step, of v_work as it is now: v_work but for dofs of prc_space.mean, v_k + (v_work - v_k) / (2 theta). Before
 * v_k and v' change places. */
const double *prc_step_find_way(prc_stepper *s);
/* Velocity by which coordinates go on in the step. */
static inline const double *prc_step_way(const prc_stepper *s) {
  return s->way ? s->way : s->v_work;
}
/* (v_m - v_work) . H'p over dofs of prc_space.mean, whose forces other than percussions work at the mean itself: the scheme's own work there. Uses work. */
double prc_step_work_of_means(prc_stepper *s);
/* The theta of dof i, where rigid bodies step by the mean beside what deforms. */
static inline double prc_step_theta_of(const prc_stepper *s, int i) {
  return s->mixed && !s->system->space.deforms[i] ? 0.5 : s->options.theta;
}
/* Rigid bodies that step by the mean beside what deforms (mixed.c): what they need, where a stepper is made; A += their part; x += sign times theirs of a momentum; v' and, with damping, m' of a step that was made as if theta were
 * theirs; u_mean of u_before and u_work; and what contacts keep of the step. */
prc_status prc_step_mix(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_step_mix_means(prc_stepper *s);
void prc_step_mix_keep(prc_stepper *s);
void prc_step_mix_matrix(const prc_stepper *s, prc_sym *A);
void prc_step_mix_momentum(const prc_stepper *s, const double *m, double sign, double *x);
void prc_step_mix_velocity(prc_stepper *s);
void prc_step_mix_damping(prc_stepper *s);
/* out := q (+) (1 - theta) h v, theta that of each dof: the centres about which impulses turn; uses s->work. */
void prc_step_centre(prc_stepper *s, const double *q, const double *v, double *out);
/* q := q_k (+) h v; q may be that of the stepper */
void prc_step_coordinates(const prc_stepper *s, double h, const double *v, double *q);
/* out := q (+) way v; uses s->work */
void prc_step_move(const prc_stepper *s, const double *q, double way, const double *v, double *out);
void prc_step_prescribed_rows(prc_stepper *s, double factor);
void prc_step_bulk_works(prc_stepper *s);
/* The part of the damping's work that is the boundary's, -h v_work' C_boundary v_work, into a column of its own; uses work2. */
void prc_step_part_boundary(prc_stepper *s);
/* Angular momentum that nothing from outside explains (moments.c), of a step that is made, into the record's look. */
void prc_step_moments_begin(prc_stepper *s);
void prc_step_judge_moments(prc_stepper *s);
/* Is contact c between two bodies that are free? */
int prc_step_is_inside(const prc_stepper *s, int c);
/* |f - K q| and its scales, and |m - M v|. */
void prc_step_elastic_drift(prc_stepper *s, prc_step_drift *drift);
void prc_step_momentum_drift(prc_stepper *s, prc_step_drift *drift);
double prc_step_norm(int n, const double *x);
/* Norm over all dofs of all ranks. */
double prc_step_norm_of_dofs(const prc_stepper *s, const double *x);
void prc_step_share_deviation(const prc_stepper *s, prc_step_deviation *d);
double prc_step_whole(const prc_stepper *s, double sum); /* a sum over own dofs, over ranks */
static inline int prc_step_is_own(const prc_stepper *s, int dof) {
  return dof >= s->first && dof < s->end;
}
/* A velocity in the norm of energy, sqrt(sum M_ii v_i^2). */
double prc_step_size_of_impulse(const prc_stepper *s,
                                const double *x); /* sqrt(sum x_i^2 / M_ii), of the rows with inertia */
double prc_step_size_of_velocity(const prc_stepper *s, const double *v);
/* The impulse that rounding of elastic forces leaves in a step, in the norm of energy, sqrt(sum p_i^2 / M_ii): `impulse` is what a force counts by in it. A: the matrix of the
 * step, of which K is known where forces are not linear, and its factors; NULL: K is that of the system. */
double prc_step_rounding_of_forces(const prc_stepper *s, const prc_sym *A, const prc_step_matrix *of,
                                   double impulse);
/* Passes do not come closer any more: by the changes of the last two. */
int prc_step_stagnates(const prc_stepper *s, double before, double change);
static inline void prc_step_exchange(double **a, double **b) {
  double *swap = *a;
  *a = *b, *b = swap;
}

/* Arms of percussions (arms.c): of a step that begins, whose contacts are active, by v_k; and of a pass by the velocity of its way, nonzero where H changed. */
void prc_step_arms_begin(prc_stepper *s);
int prc_step_arms_move(prc_stepper *s, const double *way);
/* Moments on spins in axes of q_k (+) h/2 way, as functions of the state have them, := those that have the same moment in fixed axes over the step. */
void prc_step_arms_turn_back(const prc_stepper *s, const double *way, double *f);
/* Are they about the middles of the ways, x_k + h v_m / 2, and not about q_c? Does a step iterate for them? */
int prc_step_arms_are_middle(const prc_stepper *s);
int prc_step_arms_iterate(const prc_stepper *s);
/* Does contact c keep H of q_k, as its bodies go in far on the way to q_c? */
int prc_step_goes_far(const prc_step_contacts *contacts, int c, double way);

/* Notes on contacts, by their ids, for the certificate (notes.c): room for them, before the first search; and
 * the notes of a step that begins. */
void prc_step_note_contacts_room(prc_stepper *s);
void prc_step_note_depths(prc_stepper *s); /* before a search */
void prc_step_note_contacts(prc_stepper *s);
void prc_step_note_slides(prc_stepper *s);
void prc_step_note_stops(prc_stepper *s);

/* Prescribed velocities at the present step, and what contacts carry of a state (state.c). */
prc_status prc_step_enter_motion(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
prc_status prc_step_restore_contacts(prc_stepper *s, const prc_step_state *from,
                                     prc_error *err) PRC_MUST_CHECK;

#endif

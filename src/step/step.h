/* step: ways to step a prc_system through time, rows of the table in step/schemes.h. It knows neither files nor elements.
 *
 *   theta    the Moreau-Jean theta-scheme with the Newton law (61)-(62) and with the Fremond law (72)-(73)
 *   midpoint the same at theta = 1/2, where directions are constant with gaps in the middle of the step
 *   position the inelastic scheme on positions: theta = 1, and gaps at the end of the step that are not negative
 *   static   load steps without inertia
 *
 * A step of a linear system costs one forward and one backward substitution with the factor of Mhat, one product with K, and the
 * contact problem: the dofs that contacts touch stand last in the factor, so W and the effect of percussions need no solve. Vectors are in
 * the system's order.
 * Functions that return a prc_status refuse NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_STEP_H
#define PRC_STEP_H

#include "base/base.h"
#include "cone/cone.h"
#include "linear/operator.h"
#include "system/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { PRC_IMPACT_NEWTON, PRC_IMPACT_FREMOND } prc_impact;

/* Which candidates enter the contact problem, (64): g(q_k) <= gap tolerance and u_N,k <= velocity tolerance; with tolerances, also
 * those without restitution that carried a percussion in the last step, since (98) has put them at rest. */
typedef enum {
  PRC_ACTIVATION_BOTH,  /* as (64), with tolerances above rounding */
  PRC_ACTIVATION_GAP,   /* the gap alone: lets a separating contact do positive normal work; for comparison */
  PRC_ACTIVATION_STRICT /* both, against exact zero: loses resting contacts to rounding; for comparison */
} prc_activation;

/* The gap that activation looks at: at q_k, at q_k + h v_k, or where the step without contact ends. */
typedef enum { PRC_PREDICT_PRESENT, PRC_PREDICT_VELOCITY, PRC_PREDICT_FREE } prc_prediction;

/* Where the theta-scheme and midpoint take H, the directions and arms of contacts, where these turn. `centre`: at q_c = q_k (+) (1 - theta) h v_k, about whose
 * centres the moments of all impulses change the angular momentum, while the gap and u_k of the law are those of q_k; `start`: all at q_k; `middle`: all at
 * q_k (+) h/2 v_k. */
typedef enum { PRC_DIRECTIONS_CENTRE, PRC_DIRECTIONS_START, PRC_DIRECTIONS_MIDDLE } prc_directions;

/* Of systems of rigid bodies with the theta-scheme: all at v_{k+theta}; or forces, joints and places at the mean v_m = (v_k + v_{k+1}) / 2, whatever theta is, which weighs the
 * tangential law alone,
 *
 *   z_N = 2 u_m,N - (1 - e) min(u_N,k, 0),   z_T = 2 u_m,T - (2 - 1 / theta) u_T,k,
 *
 * the law of Fremond at 1/2, Newton's at 1, where what slides and is caught is at rest. Nothing is lost but by contacts, and e may be up to 1 with every theta. */
typedef enum { PRC_BULK_THETA, PRC_BULK_MIDDLE } prc_bulk;

/* Friction of the generalized-alpha schemes opposes u_T at the end of the step (Capobianco et al. 2021, of first order where slip turns), or,
 * of contacts that slipped in the last step, the mean of both ends (of second order). */
typedef enum { PRC_SLIP_END, PRC_SLIP_MEAN } prc_slip_direction;

/* Joints of the theta-scheme: through the secant of g, so that positions and energy are exact; or G(q_k) v_{k+1} + rate = 0, which drifts, for
 * comparison. */
typedef enum { PRC_JOINTS_SECANT, PRC_JOINTS_VELOCITY } prc_joint_level;

/* Steps that vary. The next is the largest of the ladder h growth^k, k = .., -1, 0, 1, .., and of `max`, that is not above
 *
 *   min(per_slip / slip_rate, growth x the last, max),    slip_rate: see prc_step_record,
 *
 * but before `end` two share what is left, or the last takes it. */
typedef struct {
  double max;      /* 0: all steps are h */
  double growth;   /* in (1, 2] */
  double per_slip; /* 0: slip does not count */
  double end;      /* 0: there is none */
} prc_step_pace;

/* Loads that jump or bend in time in a step, at its ends too: their exact mean over the step; or as all others (1 - theta) F(t_k) + theta F(t_{k+1}), of generalized-alpha
 * F(t_k) and F(t_{k+1}), whose impulse may be another by half a step times the jump: for comparison. */
typedef enum { PRC_LOADS_MEAN, PRC_LOADS_SAMPLED } prc_load_values;

typedef struct {
  const char *scheme; /* a row of schemes.h; static, whose theta is 1, and where the laws coincide */
  double h, theta;    /* the first step, where they vary */
  prc_step_pace pace;
  double rho; /* of the generalized-alpha schemes: the spectral radius at infinite frequencies, in [0, 1] */
  double tolerance; /* of the passes of a step that iterates, relative; 0: the scheme's own */
  prc_impact law;
  prc_activation activation;
  prc_prediction prediction; /* another than PRESENT: not with PRC_DIRECTIONS_CENTRE */
  prc_directions directions;
  prc_bulk bulk; /* MIDDLE: the law is not looked at, and theta goes to `weight` */
  double weight; /* filled in: of the tangential law with PRC_BULK_MIDDLE, where theta is 1/2; else 0 */
  prc_slip_direction slip_direction;
  prc_joint_level joints;
  prc_load_values loads;
  /* zero: 100 eps x the system's length + 10 h x the next; and a tenth of cone.tolerance, at least 1e-11, x the system's velocity,
   * or x 100 times the record's speed where that is more */
  double gap_tolerance, velocity_tolerance;
  const char *solver; /* of the contact problem, see cone.h; used by create only */
  /* how M hat v = rhs is solved: a row of linear/operator.h, or "auto" */
  const char *linear;
  int threads; /* at most, for systems of 200 000 unknowns or more; 0: one */
  int timed;   /* the phases of steps are timed, see prc_step_facts */
  const prc_log
      *log; /* is told what takes time while the stepper is made; NULL: nobody is. Used by create only */
  prc_cone_options cone;
} prc_step_options;
prc_step_options prc_step_options_default(double h); /* theta, 1/2, Fremond, both tests, "auto" */

/* Options that a scheme takes; the others mean nothing to it. */
enum {
  PRC_OPTION_THETA = 1,
  PRC_OPTION_LAW = 2,
  PRC_OPTION_RHO = 4,
  PRC_OPTION_TOLERANCE = 8,
  PRC_OPTION_PREDICTION = 16,
  PRC_OPTION_SLIP_DIRECTION = 32,
  PRC_OPTION_JOINTS = 64,
  PRC_OPTION_RESTITUTION = 128, /* of contacts */
  PRC_OPTION_FRICTION = 256,
  PRC_OPTION_PACE = 512, /* steps that vary */
  PRC_OPTION_DIRECTIONS = 1024,
  PRC_OPTION_BULK = 2048,
  PRC_OPTION_LOADS = 4096
};
unsigned prc_step_scheme_options(const char *scheme); /* 0: of none of this name too */

/* Where the system is not linear (internal forces, loads or damping that depend on the state) or has joints, a step of theta iterates (theta_iterate.c) until
 * what a pass changes is below options.tolerance, 1e-12, of the velocities and impulses in play; after 50 passes it keeps the last: the record's change is then
 * above its tolerance. */

/* A row of schemes.h in words: what it is and whose, impact laws (the first is that of a case which names none), what options it takes, its order. */
typedef struct {
  const char *name, *help, *laws, *takes, *order; /* "" where the row says nothing */
  double theta;                                   /* the only one that it has; 0: others too */
  int has_joints;
} prc_step_scheme;
int prc_step_scheme_at(int k, prc_step_scheme *out); /* of row k; 0: there are no more */
/* Of that name; 0: there is none. */
int prc_step_scheme_of(const char *name, prc_step_scheme *out);

/* Promises of the certificate for a scheme on a system. */
typedef struct {
  const char *theorem; /* by which; NULL: it is not promised ... */
  const char *reason;  /* ... and why not */
} prc_step_promise;
typedef struct {
  /* no work of friction, of a normal percussion, beyond what its error explains */
  prc_step_promise tangential_sign, normal_sign;
  prc_step_promise numerical_sign; /* the scheme's own work is never positive */
  prc_step_promise penetration;    /* gaps are not negative at the end of a step, beyond rounding */
  double gap_left; /* what passes that are solved to their tolerance may leave of gaps, beyond rounding */
  prc_step_promise joints; /* g stays zero to rounding */
  prc_step_promise
      angular_momentum; /* what no moment from outside explains is rounding; neither: it is judged by the ledger's custom */
  double
      rise_noted; /* where no sign is promised: of the largest energy, what T + V may gain from nowhere before it is noted; 0: the ledger's */
  int equilibrium; /* what the momentum's drift stands for: there is no momentum, but an equilibrium */
} prc_step_promises;

/* A quasi-static step is a load step: with v the increment of displacement over h and r = p / h the contact forces,
 *
 *   K q_{k+1} + C v = F_{k+1} + H' r,   0 <= g_k + h u_N  _|_  r_N >= 0,   friction on u_T,
 *
 * that is, the step of (97) at theta = 1 with no M in Mhat and the gap in b_N. All candidates enter the contact problem,
 * whatever activation says; prescribed dofs go to their displacement at t_{k+1}; m stays zero, and u_old too. C v, with
 * C = damping_mass M + damping_stiffness K, is a drag that vanishes where the loads rest: it makes Mhat definite where nothing but
 * contact holds a body. The velocities of the start are not used. */

/* Rows without inertia (a zero row of M, such as mass: modified makes at contact nodes) keep Mhat definite through K. On them equilibrium
 * holds at the end of the step,
 *
 *   f_{k+1} + beta s = F_{k+1} + H'p / h,   s = K v_{k+theta},   f_{k+1} = f + h s,
 *
 * and not in its middle, where the residual would change sign at every step (theta = 1/2) and never die. Times
 * h kappa, kappa = theta (beta + h theta) / (beta + h), this is a row of Mhat: v_{k+theta} gains kappa S^-1 H'p there. Their velocity
 * is the implicit one, v_{k+1} = v_{k+theta}. Contacts touch only such dofs or none; with either impact law
 * their problem is that of a quasi-static step, 0 <= g_k + h u_N _|_ p_N >= 0 at u_{k+theta}, over the candidates that twice
 * their velocity would bring to the obstacle, and a restitution is refused. */

typedef struct prc_stepper prc_stepper;
/* Refuses, naming the first, what cannot be (prc_system_check). The system must outlive the stepper. theta must satisfy (87),
 * 1/2 <= theta <= 1 / (1 + max e). */
prc_status prc_stepper_create(const prc_system *system, const prc_step_options *options, prc_stepper **out,
                              prc_error *err) PRC_MUST_CHECK;
void prc_stepper_free(prc_stepper **stepper);
/* As used: tolerances filled in; where steps vary, h of the last. */
const prc_step_options *prc_stepper_options(const prc_stepper *stepper);
/* The next step, where they vary: positive, and not above pace.max. */
prc_status prc_stepper_set_step(prc_stepper *stepper, double h, prc_error *err) PRC_MUST_CHECK;
/* Steps that vary have come to their end. */
int prc_stepper_is_at_end(const prc_stepper *stepper);

prc_step_promises prc_stepper_promises(const prc_stepper *stepper);

/* Step 0: q and v (prescribed velocities are replaced by their data at t = 0). PRC_INPUT where q is
 * not the prescribed displacement: that would be a jump at t = 0. (A quasi-static analysis takes it in its first step.) */
prc_status prc_stepper_start(prc_stepper *stepper, const double *q, const double *v,
                             prc_error *err) PRC_MUST_CHECK;
/* At the start, looks through the prescribed displacements of the next n_steps steps, a million of them at most, for what a step would
 * refuse as a jump. Steps that vary are not known ahead: nothing is looked at. */
prc_status prc_stepper_foresee(prc_stepper *stepper, int n_steps, prc_error *err) PRC_MUST_CHECK;
/* One step. No allocation while the room of contacts that come and go suffices, but for the factors of an A that changes (internal forces that are not
 * linear, damping that depends on the state) and of a size of steps that is new, or that there was no memory to keep the factor of. Fails when the state becomes infinite or not a number, as by such a load, or when a prescribed motion drives
 * a contact into its obstacle or jumps (by more than it moves in half a step anyway, at once or within less than a step; not in a
 * quasi-static analysis, where load steps end at the displacement, whatever it was before); a contact problem, or passes, short of their tolerance are no
 * failure here: record->cone and record->change say so. */
prc_status prc_stepper_step(prc_stepper *stepper, prc_error *err) PRC_MUST_CHECK;

/* Of prescribed displacements: how far q_p is from d(t), how far d(t) is from d(0), and the largest |d|, all at one time. */
typedef struct {
  /* the largest of all prescribed dofs; the last at least 1e-9 of the system's length */
  double deviation, range, largest;
} prc_step_deviation;

/* Works over a step at v_work, or of schemes by levels over the way of the positions, positive when given to the system. `projection`: of these schemes, what forces work on the difference of both: positions are moved
 * besides velocities. `boundary`: of C_boundary, which `damping` is without; `driven`: of obstacles that move and of prescribed values of joints;
 * `joints`: what else their forces work, 0 with the secant. */
#define PRC_WORKS(X) X(external) X(driven) X(damping) X(joints) X(numerical) X(boundary) X(projection)
enum {
#define X(name) PRC_WORK_##name,
  PRC_WORKS(X)
#undef X
      PRC_N_WORKS
};

enum { PRC_LEVEL_VELOCITY, PRC_LEVEL_POSITION, PRC_LEVEL_ACCELERATION, PRC_STEP_LEVELS };

/* Record of the last step. All arrays belong to the stepper; vectors are in the system's order. */
typedef struct {
  int step; /* steps done */
  double t; /* step x h, or the sum of steps that vary */
  double h;
  /* Of contacts that push: the largest |u_T| at which their friction works, over the way that their law says (prc_friction.length); 0: none has such a law, or
   * none slips */
  double slip_rate;
  int n, n_prescribed;
  const double *q, *v, *m,
      *f; /* at t: coordinates, velocity, M v, internal forces, the last two carried along */
  const double *v_old, *m_old, *f_old; /* at t - h */
  const double *v_work;                /* the velocity at which forces work over the step: v_{k+theta} */
  const double *F;                     /* loads of the step: F_{k+theta} */
  const double *reaction;              /* n_prescribed: the force that keeps the prescribed motion */
  prc_step_deviation prescribed;       /* of motions that follow a displacement; else zero */

  /* increments of the energies, made of increments: nothing is the difference of two large energies. At the start, the energies */
  double kinetic, potential;
  /* of the work of friction, what goes beyond the value to which a law weakens, sum (mu - mu_d) p_N |u_T|: positive where energy is spent */
  double breakdown;
  double work[PRC_N_WORKS];   /* numerical: the scheme's own formula, never the remainder */
  double numerical_allowance; /* what of it may be positive, where bodies that turn in space are pushed */
  double force, displacement; /* |f|^2, |q|^2: the scales of drifts */
  double impulse; /* what percussions did to momentum, in the norm of energy: sqrt(sum_i W_ii p_i^2) */
  /* of contacts so far: the largest |u| without percussions, or what its change in a step, an acceleration, gives over the
   * system's length; 0 where the system's velocity holds at all times */
  double speed;
  int listed; /* candidates that stay open are in the problem too: those that push are fewer */
  int passes; /* of a step that iterates; else 1 */
  double change,
      tolerance; /* of the last pass, relative, and what was asked; both 0 where a step has one pass */
  /* of schemes by levels: friction's feedback had no fixed point and was held, or the forces of accelerations have no solution and stand in percussions */
  int frozen;

  int n_joints;
  const double *joint_g;     /* at t; of rows of velocities h (G v + rate) */
  const double *joint_force; /* impulses over the step */
  double joint_allowance;    /* the work that the rounding of their velocities explains */
  double joint_length;       /* what joint_g is compared with: the system's length */
  /* Lambda, kappa (or nu) and lambda of the schemes by levels: impulses, position impulses, forces; dim per
   * contact and one per joint.
   * NULL: the scheme has none */
  const double *contact_level[PRC_STEP_LEVELS], *joint_level[PRC_STEP_LEVELS];

  int dim, n_contacts;             /* of the set */
  const prc_contact_set *contacts; /* those of the step, with their gaps at t */
  const double *gap;               /* its gaps */
  /* where contacts come and go: gaps at t - h, when the step found them. A contact that was not listed before may
   * have been deepest then. Else NULL */
  const double *gap_old;
  const double *p; /* dim per contact: percussion over the step, zero when not active */
  /* where surfaces slide over each other: the normal percussion of each contact in the step before, times h over that step; else NULL */
  const double *p_old;
  const double *u_old, *u_work,
      *u; /* H v_k, H v_work, and H v_{k+1} with the H of the step; PRC_DIRECTIONS_CENTRE: the first with the H of q_k */
  /* H (v_k + v_{k+1}) / 2, and H v_k with the same H: u_mean . p is what a percussion takes of T (of bodies of which some deform and others step by the mean, alone). u_mean NULL: it is
   * u_work, or there is no inertia where things touch */
  const double *u_mean, *u_before;
  const double *
      works; /* 2 per contact, of schemes by levels: of its normal and its tangential part. NULL: u_work . p, see prc_step_work_of_contact */
  const int *status; /* prc_cone_status of each contact; open when not active */
  const double
      *allowance; /* per contact: the work that the error of its law may explain; 0 when not active */
  int n_active;
  const int *active; /* places in the set, ascending */
  prc_cone_info cone;
  const char *
      cone_level; /* of schemes by levels "of positions ", where that level's problem was missed and `cone` is of it; else NULL */
  prc_cone_problem
      problem; /* of the step, as it was solved: its n_active contacts in that order; of none with smooth-alpha, which solves none */
  const double *p_active, *w_active; /* what the solver made of it, and W p + b; dim per active contact */
  /* a gap up to this is closed, as it is now: where the system has no length of its own, as of a point at the origin, it is known by the velocities so far */
  double gap_closed;
  double size_least; /* of the contacts' sizes, those that are positive; 0: there is none */
  prc_indicator indicator[PRC_N_INDICATORS]; /* of the step; cleared where a step begins */
  double moment_rounding;                    /* what rounding explains of its angular_momentum */
  const prc_stepper *stepper;                /* that made the step, for prc_stepper_terms; NULL: nobody */
} prc_step_record;
/* Work of contact c in the step, by its normal and its tangential part. */
void prc_step_work_of_contact(const prc_step_record *record, int c, double work[2]);
const prc_step_record *prc_stepper_record(const prc_stepper *stepper);
/* Bit k: records of steps have contact_level[k]. */
unsigned prc_stepper_levels(const prc_stepper *stepper);

/* Copies of v, m, f at t; any may be NULL. */
void prc_stepper_state(const prc_stepper *stepper, double *v, double *m, double *f);
/* State of steps that vary: t as a sum, with its lost rounding; the last step and the next. */
typedef struct {
  double t, lost, h, next;
} prc_step_clock;
prc_step_clock prc_stepper_clock(const prc_stepper *stepper);
/* A state to go on from, as the record of a step has it: contacts that were active with their percussions and the state of their
 * friction. */
typedef struct {
  int step;
  const prc_step_clock *clock; /* of steps that vary, else not looked at */
  const double *q, *v, *m, *f;
  double speed;
  int n_contacts;
  const prc_contact_id *id; /* in any order; NULL: of the first contacts of the set */
  const double *p, *state;  /* dim and PRC_LAW_STATE per contact; state NULL: as friction begins */
  const double *kept;       /* contacts->n_kept each: of the scheme; NULL: zeros */
  /* 3 per contact, with ids that ascend and states: where they were found, by which contacts that come and go hand on what they carry
   * where their features change; NULL: what is gone hands on nothing, and the run is another from there on */
  const double *place;
  const double
      *axes; /* 9 per contact, in space: frames of p and kept; NULL: those of the place where it goes on */
  /* Where contacts come and go: of each, does friction keep its state if it is not found any more (prc_contact_lasts); NULL: of none. And those that were not found before */
  const char *lasts;
  int n_away;
  const prc_contact_away *away;
} prc_step_state;
prc_status prc_stepper_resume(prc_stepper *stepper, const prc_step_state *state,
                              prc_error *err) PRC_MUST_CHECK;
/* A new run from the state of another, whose loads, data, contacts and options may differ. m and f NULL: they are made of q and v, and the scheme begins as at
 * a start. PRC_INPUT where q is not the prescribed displacement at that time. Prescribed velocities are replaced by their data. */
prc_status prc_stepper_continue(prc_stepper *stepper, const prc_step_state *state,
                                prc_error *err) PRC_MUST_CHECK;

/* The program's own state in the place of the present one, between steps: nq coordinates and nv velocities. Momenta, internal forces, gaps and
 * (generalized-alpha) accelerations are made anew of them; time, percussions and what friction remembers stay. Refuses, and changes nothing, where
 * a number is not finite, prescribed rows are other than they were, or joints do not allow it. */
prc_status prc_stepper_set_state(prc_stepper *stepper, const double *q, const double *v,
                                 prc_error *err) PRC_MUST_CHECK;
/* nv forces of a program that are added to the loads of every step from now on: read where a step begins, constant over it, and part of `external`. The
 * caller keeps the array as long as the stepper; zeros end it. */
void prc_stepper_set_force(prc_stepper *stepper, const double *force);

/* Further state of a scheme: vectors by name, to be read, or overwritten right after prc_stepper_resume or
 * _continue. */
typedef prc_status prc_step_visit(void *to, const char *name, size_t n, double *values, prc_error *err);
prc_status prc_stepper_visit(prc_stepper *stepper, prc_step_visit *visit, void *to,
                             prc_error *err) PRC_MUST_CHECK;

/* Sum that cancels in the energy balance of the last step: the works of all its terms, each row's by its
 * absolute value,
 *
 *   sum_i (|v| + |v'| + |v_theta|)_i [ M_ii (|v| + |v'|) + |m| + |m'| + h (|F| + |f| + |f'| + |R| + |C v|) + h^2 K_ii |v_theta| + |H'||p| ]_i.
 *
 * Rounding leaves a few eps of that, however small the energies are. Costs what a step does not have: asked for when a residual is
 * to be judged. */
double prc_stepper_terms(const prc_stepper *stepper);
/* Work that rounding of nonlinear internal forces may do in the last step: they are differences of
 * coordinates, of which eps K q is left however small they are. 0 where forces are linear. */
double prc_stepper_rounding(const prc_stepper *stepper);

/* K q and M v computed afresh against f and m, and what to measure them against: |f|, or where that is less what
 * rounding leaves of a rigid translation, 1e-4 |diag(K) q|; and |m| with the impulses of a step, h (|f| + |F|) + |H'||p|, so that a
 * body at rest has a scale too. Norms are of energy, |m|^2 = sum m_i^2 / M_ii, since momenta of translations and of rotations have no
 * common unit; rows without inertia are left out. In a quasi-static analysis momentum is h x what the equilibrium of the last step
 * lacks on free dofs (0 before the first), and its scale h (the elastic one + |F|), in plain norms. */
typedef struct {
  double elastic, momentum;             /* |f - K q| in the plain norm, |m - M v| */
  double elastic_scale, momentum_scale; /* of the present state */
  prc_step_deviation prescribed;        /* where displacements are given, see system.h; else zero */
  double rotation; /* the largest of a part in radians, where the model is one of small ones; else zero */
  /* 1e-4 of the root mean square of diag(K): times |q| what rounding leaves of a translation to q and back; 0: no K */
  double stiffness;
  double lack; /* h of a quasi-static step, which makes a scale of forces one of momentum; else zero */
  prc_indicator indicator[PRC_N_INDICATORS]; /* of the state */
} prc_step_drift;
/* Looks at the present state alone, which it holds then: cheaper than drifts. */
void prc_stepper_indicate(prc_stepper *stepper, prc_indicator indicator[PRC_N_INDICATORS]);
prc_status prc_stepper_drift(prc_stepper *stepper, prc_step_drift *drift, prc_error *err) PRC_MUST_CHECK;

/* Phases of a step: loads and the right-hand side, forward substitution, the contact problem, backward
 * substitution, the product with K, the new state. */
#define PRC_STEP_PHASES(X) X(loads) X(forward) X(contact) X(backward) X(product) X(state)
enum {
#define X(name) PRC_STEP_##name,
  PRC_STEP_PHASES(X)
#undef X
      PRC_STEP_N_PHASES
};

/* For reports. */
typedef struct {
  prc_operator_facts linear;         /* of M hat v = rhs */
  size_t W_entries, bytes;           /* of W over all candidates, at most; in use in all */
  double seconds[PRC_STEP_N_PHASES]; /* of all steps, when timed */
} prc_step_facts;
prc_step_facts prc_stepper_facts(const prc_stepper *stepper);

/* Delassus matrix of the Fremond law, theta H Mhat^-1 H', of the candidates listed (dim count)^2, by rows: for tests. */
void prc_stepper_delassus(prc_stepper *stepper, int count, const int *candidates, double *W);

#ifdef __cplusplus
}
#endif
#endif

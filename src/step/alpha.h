#ifndef PRC_STEP_ALPHA_H
#define PRC_STEP_ALPHA_H

#include "step/internal.h"

/* The generalized-alpha schemes by levels (Capobianco, Harsch, Eugster & Leine 2021; Bruls, Acary & Cardona 2014). Notation: x' at the end of
 * the step; c = (1 - af) / (1 - am), g' = gamma c, b' = beta c; F all forces but those of contacts and joints. Unknowns are not the multipliers of the
 * papers but what their complementarity conditions are about, so that the acceleration cancels in the first two levels:
 *
 *   kap = kappa + kt + h^2 b' lam_N',   P = Lambda + Pt + h g' lam',
 *   lt = (af lam - am lambar) / (1 - am),   Pt = h ((1 - gamma) lambar + gamma lt),   kt = h^2/2 ((1 - 2 beta) lambar_N + 2 beta lt_N)
 *
 *   (q)  M (dx - xt) - h^2 b' F' = H_N'(kap - kt) + H_T' phi + G'kap_g,   0 <= g_N(q') _|_ kap >= 0,   g(q') = 0,   q' = q (+) dx
 *   (v)  M (u' - ut) - h g' F' = H'(P - Pt) + G'P_g,   xi = H u' + e H u and P: Coulomb, of closed contacts;   G u' + rate = 0
 *   (a)  M a' = F' + H'lam' + G'lam_g,   0 <= H_N a' + bias _|_ lam_N >= 0 with friction, of those that press;   G a' + bias = 0
 *   xt = h u + h^2/2 ((1 - 2 beta) abar + 2 beta at),   ut = u + h ((1 - gamma) abar + gamma at),   at = (af a - am abar) / (1 - am)
 *   abar' = at + c a',   phi = h/2 (P_T - Pt_T) + h^2 (b' - g'/2) lam_T':  the feedback of friction to positions.
 *
 * Loads that jump or bend in a step: by its levels alone a load has the impulse h (F + F')/2 in the long run. What its exact mean is more, F^ (base/window.c), is a percussion: h F^ stands
 * beside h g' F' in (v), h^2/2 F^ beside h^2 b' F' in (q), and nothing in (a), so that nothing of it is remembered and rings.
 *
 * Variants without friction (2014): positions and velocities have contact forces of their own, kap = nu and P = Lambda, and accelerations are
 * those of a smooth motion. The matrices: M + h g'C + h^2 b'K in (q), M in (v) and (a). */

enum { PRC_ALPHA_DEPTH = 5 };                                              /* secants of the feedback */
enum { PRC_ALPHA_CLOSED = 1, PRC_ALPHA_PRESSED = 2, PRC_ALPHA_SLIPS = 4 }; /* of a contact in a pass */

/* levels of contact forces, see prc_stepper_levels */
enum {
  PRC_ALPHA_OF_ACCELERATIONS = 1 << PRC_LEVEL_ACCELERATION,
  PRC_ALPHA_OF_MOTIONS = 1 << PRC_LEVEL_VELOCITY | 1 << PRC_LEVEL_POSITION
};

typedef struct {
  double am, af, gamma, beta, c, g, b; /* g = gamma c, b = beta c */
} prc_alpha_constants;

/* Differences between the schemes. */
typedef struct {
  int hats; /* contacts are on three levels, may rub, and their forces are filtered with the accelerations */
  int smooth;         /* one level: what holds positions gives the accelerations */
  int impulse_first;  /* positions begin with the impulse of the velocities: kap = nu - h Lambda */
  const char *levels; /* of a pass, in their order */
} prc_alpha_variant;

/* W p + b of one level, and how its A^-1 is known. */
typedef struct {
  prc_operator *op; /* the stepper's, or its own */
  int own;
  double *W;
  size_t room_W;
  double *all; /* W of all contacts, where it stays what it is; else NULL ... */
  int has_all; /* ... and its numbers are there */
  prc_block_matrix blocks;
  prc_cone_solver *solver;
  int missed;         /* in this pass */
  prc_cone_info miss; /* the solve that missed last */
} prc_alpha_level;

/* A fixed point by secants (Anderson): the feedback of friction. */
typedef struct {
  int depth, next, has_last;        /* secants that there are; where the next goes */
  size_t room;                      /* numbers */
  double *last, *last_residual;     /* room */
  double *change, *residual_change; /* PRC_ALPHA_DEPTH rings of room numbers */
} prc_alpha_feedback;

/* A quantity that is filtered as accelerations are: at t_k, and its bar. */
typedef struct {
  double *old, *bar, *now;
} prc_alpha_force;

typedef struct {
  prc_alpha_constants k;
  const prc_alpha_variant *variant;
  prc_alpha_level position, acceleration; /* velocities have the stepper's own */
  prc_sym *A;                             /* of positions, where it changes; else NULL */
  double *a, *abar;                       /* n: as they stand after the last step */
  prc_alpha_force load, internal, drag;   /* n */
  double *missed;           /* n: what the mean of loads over the step is more than that of both ends */
  prc_alpha_force boundary; /* n: the part of drag whose work is the boundary's; NULL where nothing is */
  /* n: predictions; dx, u', a' and abar' of the pass; workspaces */
  double *at, *xt, *ut, *us, *dx, *u, *a_next, *x, *rhs;
  double *q;          /* nq: q' of the pass */
  double *prescribed; /* 3 n_prescribed: dx, a', and u' - ut of the smooth scheme */
  double gain;        /* of the potential */
  double t;           /* of the state of the pass */
  int starts;         /* it is that of the start */
  int moved;          /* q' is another than that of the forces */
  int joints_placed;  /* it is that of the joints' rows */
  /* of contacts of the set */
  size_t room, room_N;
  double *kap, *kt, *gap; /* n; gap: workspace */
  double *Pt, *lt, *lam, *bias, *phi, *target,
      *direction;                  /* dim n; of phi and its targets normal rows are zero */
  double *Lambda, *kappa, *forces; /* dim n: levels for output, workspace */
  double *before;                  /* dim n: H u at the beginning of the step */
  double *gap_before;              /* n: gaps there */
  double *bounce;                  /* n: of a perfect restitution, what u' + u is to be (alpha_bounce.c) */
  double *works;                   /* 2 n: of the step, see prc_step_record */
  double *b, *w, *p, *mu;          /* packed */
  double *friction;                /* n: mu */
  /* of joints: what they remember, their multipliers in the pass, levels for output */
  double *rate; /* of joints at t_k */
  double *l, *lbar, *l_next, *P_g, *kap_g, *Pt_g, *Lambda_g, *kappa_g, *G;
  int *list, *rest, n_listed;          /* of the problem on a level */
  unsigned char *state, *was, *listed; /* n: in this pass, in the one before; in the list */
  unsigned char *mean;                 /* n: friction opposes the mean slip of the step */
  prc_rows N;                          /* normal rows of H; start and dof are those of H */
  double *H, *axes;                    /* H.x and frames at other places */
  prc_alpha_feedback feedback;
} prc_step_alpha;

/* alpha_contacts.c */
prc_status prc_alpha_reserve(prc_stepper *s,
                             prc_error *err) PRC_MUST_CHECK; /* arrays of contacts, for the set as it is */
void prc_alpha_free_contacts(prc_step_alpha *w);
void prc_alpha_begin_hats(
    prc_stepper *s); /* lt, Pt, kt from what contacts keep; lam and phi of the last step */
void prc_alpha_evaluate(prc_stepper *s, double t, const double *q,
                        const double *u); /* gaps, H and N at a state */
/* dH/dt u at a state; without hats, where nothing asks for it, bias is H(q_k) u_k, of which restitution gives a part back */
void prc_alpha_find_bias(prc_stepper *s, double t, const double *q, const double *u);
void prc_alpha_find_closed(prc_stepper *s);  /* of (v) */
int prc_alpha_find_pressed(prc_stepper *s);  /* of (a): those that press, and how they slip; their number */
void prc_alpha_find_targets(prc_stepper *s); /* phi as the present forces want it */
void prc_alpha_keep_hats(prc_stepper *s);    /* lam, lambar, levels of the step */
double prc_alpha_size_of_things(const prc_stepper *s); /* what is small against the things that touch */
double prc_alpha_gap_tolerance(const prc_stepper *s);
void prc_alpha_find_first(prc_stepper *s); /* of the start */
void prc_alpha_keep_first(prc_stepper *s);
int prc_alpha_slipped(const prc_step_contacts *k, int c); /* in the last step */

/* alpha_feedback.c: phi := the next one to try, n numbers; 1: it is no more than what was wanted */
prc_status prc_alpha_feedback_reserve(prc_alpha_feedback *f, size_t n, prc_error *err) PRC_MUST_CHECK;
void prc_alpha_feedback_free(prc_alpha_feedback *f);
void prc_alpha_feedback_restart(prc_alpha_feedback *f);
void prc_alpha_feedback_next(prc_alpha_feedback *f, int n, const double *target, double *phi);

prc_alpha_constants prc_alpha_constants_of(double rho);

/* alpha_levels.c. Each changes dx, u or a' of the pass; *change: by how much, as a velocity in the norm of energy. */
prc_step_matrix prc_alpha_matrix(const prc_system *system, const prc_step_options *o); /* of (v) */
int prc_alpha_is_damped(const prc_dynamics *d);
prc_status prc_alpha_create_levels(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
prc_status prc_alpha_reserve_levels(prc_stepper *s,
                                    prc_error *err) PRC_MUST_CHECK; /* once contacts have their arrays */
void prc_alpha_free_levels(prc_step_alpha *w);
prc_status prc_alpha_set_matrices(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
/* moved: q is another than at the last call */
prc_status prc_alpha_find_forces(prc_stepper *s, double t, const double *q, const double *u, int moved,
                                 prc_error *err) PRC_MUST_CHECK;
prc_status prc_alpha_prescribe_accelerations(prc_stepper *s, double t, double *a,
                                             prc_error *err) PRC_MUST_CHECK;
prc_status prc_alpha_positions(prc_stepper *s, double *change, prc_error *err) PRC_MUST_CHECK;
prc_status prc_alpha_velocities(prc_stepper *s, double *change, prc_error *err) PRC_MUST_CHECK;
prc_status prc_alpha_accelerations(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
/* of the smooth scheme: what kap gives */
prc_status prc_alpha_follow_positions(prc_stepper *s, double *change, prc_error *err) PRC_MUST_CHECK;

/* alpha_joints.c */
prc_status prc_alpha_create_joints(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_alpha_free_joints(prc_step_alpha *w);
/* Before the solve of a level: what its G x is to be, from the state of the pass. */
prc_status prc_alpha_aim_positions(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
prc_status prc_alpha_aim_velocities(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
prc_status prc_alpha_aim_accelerations(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_alpha_begin_joints(prc_stepper *s); /* what is filtered, Pt */
/* force: impulses of the step; levels; what is remembered. smooth: from kap alone */
void prc_alpha_end_joints(prc_stepper *s);

/* alpha_jammed.c: p of contacts that their own friction jams := what lets them stay; w: workspace */
void prc_alpha_keep_jammed(const prc_cone_problem *problem, double *p, double *w);

/* alpha_bounce.c: what perfect restitutions of the pass give back; the mean of a filtered force over the step, as it is in the pass, of dof i; does contact c strike? */
void prc_alpha_find_bounces(prc_stepper *s);
double prc_alpha_mean_of(const prc_step_alpha *w, const prc_alpha_force *f, int i);
int prc_alpha_strikes(const prc_stepper *s, int c);

/* alpha_works.c: from the last pass to the state and the works of the step */
prc_status prc_alpha_finish(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_alpha_set_levels(prc_stepper *s); /* of the record */

#endif

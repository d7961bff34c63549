#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Arms of percussions, as angular momentum wants them (contact.directions: centre). Directions and places are those of q_c = q_k (+) (1 - theta) h v_k; what is moved
 * here are the columns of H that belong to spins of two free bodies that push each other [length], with place P and direction d of a row:
 *
 *   in the plane   k . (P - m) x d,      in space   (1 - a^) R_k'((P - m) x d),   a = h w_m / 2, in axes of the body.
 *
 * Space. With R' = R cay(h w_m) and J dw + h w_m x J w_m = tau,  R'J w' - R J w = (R + R')/2 tau = R (1 - a^)^-1 tau:  percussions turn a body by (P - m) x p in fixed
 * axes where their tau is (1 - a^) R_k'((P - m) x p), and by nothing else.
 *
 * Centres. m is that of q_c. Springs, dashpots and joints have their arms about the middle of the way, x_k + h v_m / 2, at theta = 1/2; then m is that too: L' - L is
 * sum c x m dv about c = x_k + h v_k / 2 and about c + h dv / 4 alike, for dv x dv = 0, but about one of them for all that pushes.
 *
 * Of contacts that keep H of q_k, as their bodies go in far on the way to q_c, P is that of q_k, and the arms are those about m all the same.
 *
 * Both need what comes out. A step that iterates has them of the pass before, with its own W: percussions work through the H that they act by, so that energy
 * is booked as ever (a couple on the right-hand side in their place works besides, with either sign, 2e-4 of the energy where bodies that spin fast collide). A step that does not
 * iterate has a = h w_k / 2, and what is left of L is h dw / 4 x R'(r x p), of first order at an impact. Where nothing in space is fixed or driven, steps iterate for it:
 * then it is to rounding. What touches something fixed or driven has no angular momentum to keep, and keeps the arms of q_c, by which Euler's disc stays as tilted as it is
 * to third order. */

static int is_asked_for(const prc_stepper *s) {
  return (s->scheme->options & PRC_OPTION_DIRECTIONS) && s->options.directions == PRC_DIRECTIONS_CENTRE
         && (s->system->contacts.varies & PRC_CONTACTS_H) && s->system->space.centre;
}

/* Of rigid bodies, which may step by the mean beside what deforms. */
static double theta_of(const prc_stepper *s) {
  return s->mixed ? 0.5 : s->options.theta;
}

int prc_step_arms_are_middle(const prc_stepper *s) {
  const unsigned pulls = PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE;
  return is_asked_for(s) && theta_of(s) == 0.5
         && (s->joints.n > 0 || (s->system->dynamics.varies & pulls) != 0);
}

int prc_step_arms_iterate(const prc_stepper *s) {
  return is_asked_for(s) && s->system->space.mean && s->system->drive.n == 0;
}

static int moves(const prc_stepper *s) {
  return is_asked_for(s) && (s->system->space.mean || prc_step_arms_are_middle(s) || s->contacts.goes_far);
}

/* out = a x b */
static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1], out[1] = a[2] * b[0] - a[0] * b[2], out[2] = a[0] * b[1] - a[1] * b[0];
}

/* x := cay(dx) x = (1 - b^)^-1 (1 + b^) x, b = dx / 2;  (1 - b^)^-1 y = (y + b x y + b (b . y)) / (1 + |b|^2) */
static void turn_on(const double dx[3], double x[3]) {
  const double b[3] = {0.5 * dx[0], 0.5 * dx[1], 0.5 * dx[2]};
  double y[3], by[3], along = 0.0, square = 0.0;
  cross(b, x, y);
  for (int k = 0; k < 3; k++) y[k] += x[k], along += b[k] * y[k], square += b[k] * b[k];
  cross(b, y, by);
  for (int k = 0; k < 3; k++) x[k] = (y[k] + by[k] + b[k] * along) / (1.0 + square);
}

/* g := (1 - a^) g */
static void of_mean_attitude(const double a[3], double g[3]) {
  double ag[3];
  cross(a, g, ag);
  for (int k = 0; k < 3; k++) g[k] -= ag[k];
}

/* R_m'T, R_m = R_k cay(a), a = h w / 2, := (1 - a^) R_k'T = (1 - a^) cay(a) R_m'T. Along w both are one, so that it works the same. */
void prc_step_arms_turn_back(const prc_stepper *s, const double *way, double *f) {
  const prc_space *space = &s->system->space;
  for (int i = 0; space->mean && space->centre && i + 2 < s->n; i++) {
    if (!space->mean[i] || space->centre[i] < 0) continue;
    double a[3];
    for (int k = 0; k < 3; k++) a[k] = 0.5 * s->options.h * way[i + k];
    turn_on(a, f + i);
    of_mean_attitude(a, f + i);
    i += 2;
  }
}

/* Way by which a pass moves a body's columns: from where they were evaluated, after `gone` of v_k, to the way
 * of the pass. */
typedef struct {
  const double *way;
  double gone, h;
  int middle;
} moved;

/* x_e - m of the body whose centre has the dofs from f on, e where H was evaluated */
static double shift_of(const prc_stepper *s, const moved *to, int dof) {
  const double m = to->middle ? 0.5 * to->h * to->way[dof] : (1.0 - theta_of(s)) * to->h * s->v[dof];
  return to->gone * s->v[dof] - m;
}

static double in_plane(const prc_stepper *s, const moved *to, int f, const double *d) {
  return shift_of(s, to, f) * d[1] - shift_of(s, to, f + 1) * d[0];
}

/* g: R_e'((P - x_e) x d) on entry */
static void in_space(const prc_stepper *s, const moved *to, int f, int spin, const double *d, double g[3]) {
  const prc_system *system = s->system;
  double turn[3], shift[3], more[3], a[3];
  for (int k = 0; k < 3; k++) {
    turn[k] = to->gone * s->v[spin + k], a[k] = 0.5 * to->h * to->way[spin + k];
    shift[k] = shift_of(s, to, f + k);
  }
  turn_on(turn, g);
  if (shift[0] != 0.0 || shift[1] != 0.0 || shift[2] != 0.0) {
    cross(shift, d, more);
    system->space.turn_back(system->owner, s->q, spin, more);
    for (int k = 0; k < 3; k++) g[k] += more[k];
  }
  of_mean_attitude(a, g);
}

/* to := from; nonzero where that is more than rounding, else it stays and W with it */
static int replace(int n, const double *from, double *to) {
  double change = 0.0, size = 0.0;
  for (int k = 0; k < n; k++) change = fmax(change, fabs(from[k] - to[k])), size = fmax(size, fabs(from[k]));
  if (change <= DBL_EPSILON * size) return 0;
  memcpy(to, from, (size_t)n * sizeof *to);
  return 1;
}

static int move_one(const prc_stepper *s, moved *to, int c) {
  const prc_step_contacts *k = &s->contacts;
  const prc_rows *H = &k->set.H;
  const double way = (1.0 - theta_of(s)) * to->h;
  const int first = H->start[c], n = H->start[c + 1] - first;
  int changed = 0;
  to->gone = prc_step_goes_far(k, c, way) ? 0.0 : way;
  for (int i = 0; i < n; i++) {
    const int dof = H->dof[first + i], f = s->system->space.centre[dof];
    const int in_three = f >= 0 && s->system->space.mean && s->system->space.mean[dof];
    if (f < 0) continue;
    for (int r = 0; r < H->dim; r++) {
      const int at = H->dim * first + r * n + i;
      const double *d = k->H_old + at - (in_three ? 3 : 2);
      double g[3] = {k->H_old[at]};
      if (in_three) {
        memcpy(g, k->H_old + at, sizeof g);
        in_space(s, to, f, dof, d, g);
      } else
        g[0] += in_plane(s, to, f, d);
      changed |= replace(in_three ? 3 : 1, g, H->x + at);
    }
    i += in_three ? 2 : 0;
  }
  return changed;
}

int prc_step_arms_move(prc_stepper *s, const double *way) {
  moved to = {.way = way, .h = s->options.h, .middle = prc_step_arms_are_middle(s)};
  int changed = 0;
  if (!moves(s)) return 0;
  for (int i = 0; i < s->contacts.n_active; i++)
    if (prc_step_is_inside(s, s->contacts.active[i])) changed |= move_one(s, &to, s->contacts.active[i]);
  return changed;
}

void prc_step_arms_begin(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  const prc_rows *H = &k->set.H;
  if (!moves(s)) return;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i], first = H->dim * H->start[c];
    memcpy(k->H_old + first, H->x + first, (size_t)(H->dim * (H->start[c + 1] - H->start[c])) * sizeof *H->x);
  }
  (void)prc_step_arms_move(s, s->v);
}

#include "config.h"
#include "step/internal.h"

#include <math.h>

/* Surfaces that slide over each other come out of gaps that are not zero by ramps.
 *
 * The theta-scheme closes contacts by u_N, so a gap stays what it was when the contact began. Where deformable bodies slide, that is not zero: the mean gap of
 * a node, g_j = int N_j g ds / a_j, changes by more than u_N,j = int N_j n.[[v]] ds / a_j where the edge of the other side runs through its hat,
 *
 *   a_j dg_j/dt = a_j u_N,j + N_j (g - g_j) ds/dt at the edge,
 *
 * and what had bulged beyond the edge comes back below the surface. There the edge itself would push, on what is oblique to n: the node would be lifted by its
 * depth, and the slide would pay for it. So does a surface that leans by the angle a about the direction t of the slide,
 *
 *   n' = cos a n - sin a t,   t' = sin a n + cos a t,   tan a = -sigma g / l,   sigma = u_T / sqrt(u_T^2 + u_0^2),
 *
 * on which the law of contact says dg/dt >= -|u_T| g / l: the gap falls by a factor of e over a slide of l. A frame is a frame: p_N u_N is as negative as before, and no
 * contact gives energy. A positive gap, of a contact that stays active, is a ramp downwards.
 *
 * A lean makes a tangential percussion p_N tan a against the slide, which in a step must not turn it round: with
 *
 *   u_0 = FIRM (|g| / l) p_N sum_i H_Ti^2 / sqrt(M_ii (M_ii + (theta h)^2 K_ii)) over nodes,   p_N of the last step,
 *
 * whose sum is about W_TT (of a chain 1 / sqrt(m (m + 2 (theta h)^2 K_ii)) exactly: the mass that waves reach in a step), what hardly slides is damped, as by a dashpot, and what does not slide has no lean. A contact that did not push in the last step has none either. u_T is that of the
 * last step's work, u_T,k+theta: at theta = 1/2 the velocity of its end goes to and fro, and a lean by it would feed that.
 *
 * l is `ramp` of the contact, two steps of the slide at least, and the slope at most STEEP. */

#define STEEP 0.1
#define FIRM                                                                                                 \
  8.0 /* M^-1 of a consistent mass is up to four times that of its diagonal, and neighbours lean alike */

static double diagonal(const prc_sym *A, int i) {
  return A ? A->x[A->p[i]] : 0.0;
}

/* Means of x and y of a node are the same however a body is turned. */
static double mobility(const prc_rows *H, int c, const prc_dynamics *d, double way) {
  const int first = H->start[c], count = H->start[c + 1] - first;
  const double *t = H->x + 2 * first + count;
  double sum = 0.0;
  for (int i = 0; i + 1 < count; i += 2) {
    const int x = H->dof[first + i], y = H->dof[first + i + 1];
    const double mass = 0.5 * (diagonal(d->M, x) + diagonal(d->M, y)),
                 stiffness = 0.5 * (diagonal(d->K, x) + diagonal(d->K, y));
    if (mass > 0.0) sum += (t[i] * t[i] + t[i + 1] * t[i + 1]) / sqrt(mass * (mass + way * way * stiffness));
  }
  return sum;
}

/* tan a, with p_N W_TT at most `turns`. */
static double slope_of(double gap, double ramp, double h, double u_t, double turns) {
  const double length = fmax(ramp, 2.0 * h * fabs(u_t)), slope = fmax(-STEEP, fmin(STEEP, -gap / length)),
               least = slope * turns;
  return u_t == 0.0 ? 0.0 : slope * u_t / hypot(u_t, least);
}

/* Both rows of H, and u_k, which may be of the H of another place. */
static void turn(prc_rows *H, int c, double slope, double *u) {
  const int first = H->start[c], count = H->start[c + 1] - first;
  const double cosine = 1.0 / sqrt(1.0 + slope * slope), sine = slope * cosine;
  double *n = H->x + 2 * first, *t = n + count;
  for (int d = 0; d < count; d++) {
    const double x = n[d], y = t[d];
    n[d] = cosine * x - sine * y, t[d] = sine * x + cosine * y;
  }
  const double u_n = u[0], u_t = u[1];
  u[0] = cosine * u_n - sine * u_t, u[1] = sine * u_n + cosine * u_t;
}

/* Kept by id: u_T, behind a place that nobody asks for. */
static double *slide_of(const prc_contact_set *set, int c) {
  return set->kept + set->n_kept * c + 1;
}

void prc_step_contacts_lean(const prc_system *system, const prc_step_options *o, prc_step_contacts *k) {
  prc_contact_set *set = &k->set;
  for (int c = 0; c < set->n; c++) {
    const double p = k->warm * set->p[2 * c], gap = set->gap[c];
    if (!(set->ramp[c] > 0.0 && p > 0.0 && gap != 0.0 && gap <= set->stay[c])) continue;
    const double turns = FIRM * p * mobility(&set->H, c, &system->dynamics, o->theta * o->h);
    turn(&set->H, c, slope_of(gap, set->ramp[c], o->h, *slide_of(set, c), turns), k->u_old + 2 * c);
  }
}

void prc_step_contacts_keep_slides(prc_step_contacts *k) {
  for (int c = 0; c < k->set.n; c++)
    *slide_of(&k->set, c) = k->set.p[2 * c] > 0.0 ? k->u_work[2 * c + 1] : 0.0;
}

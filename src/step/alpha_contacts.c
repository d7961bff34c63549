#include "config.h"
#include "step/alpha.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Contacts of the generalized-alpha schemes: their histories, where they are, which are on which level, and what friction feeds back to positions. Of each contact is
 * kept: lam, lambar, and whether it slipped (dim numbers each, of the last the first alone counts). */
enum { OF_LAM, OF_BAR, OF_SLIP, KEPT };

static double *kept(const prc_step_contacts *k, int c, int which) {
  return k->set.kept + k->set.n_kept * c + which * k->set.dim;
}

static int keeps(const prc_step_contacts *k) {
  return k->set.n_kept == KEPT * k->set.dim;
}

/* ---- room ------------------------------------------------------------------------------------------------------------------ */

#define OF_CONTACTS(X) X(kap) X(kt) X(gap) X(mu) X(friction) X(gap_before) X(bounce)
#define OF_ROWS(X)                                                                                           \
  X(Pt)                                                                                                      \
  X(lt) X(lam) X(bias) X(phi) X(target) X(direction) X(Lambda) X(kappa) X(forces) X(b) X(w) X(p) X(before)
#define OF_LISTS(X) X(list) X(rest) X(state) X(was) X(listed) X(mean)

prc_status prc_alpha_reserve(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  const size_t n = (size_t)set->n, dim = (size_t)set->dim, old = w->room;
  const size_t entries = n > 0 ? (size_t)set->H.start[n] : 0;
  size_t room;
  if (n > w->room) {
#define X(name)                                                                                              \
  room = old;                                                                                                \
  prc_try(prc_grow(&w->name, &room, n, sizeof *w->name, err));
    OF_CONTACTS(X)
    OF_LISTS(X)
#undef X
#define X(name)                                                                                              \
  room = old * dim;                                                                                          \
  prc_try(prc_grow(&w->name, &room, n *dim, sizeof *w->name, err));
    OF_ROWS(X)
#undef X
    room = 2 * old;
    prc_try(prc_grow(&w->works, &room, 2 * n, sizeof *w->works, err));
    room = 9 * old;
    prc_try(prc_grow(&w->axes, &room, dim >= 3 ? 9 * n : 0, sizeof *w->axes, err));
    prc_try(prc_alpha_feedback_reserve(&w->feedback, n * dim, err));
    w->room = n;
  }
  room = w->room_N;
  prc_try(prc_grow(&w->N.x, &room, entries, sizeof *w->N.x, err));
  room = w->room_N * dim;
  prc_try(prc_grow(&w->H, &room, entries * dim, sizeof *w->H, err));
  if (entries > w->room_N) w->room_N = entries;
  w->N.dim = 1, w->N.n = set->n, w->N.start = set->H.start, w->N.dof = set->H.dof;
done:
  return status;
}

void prc_alpha_free_contacts(prc_step_alpha *w) {
#define X(name) prc_delete(&w->name);
  OF_CONTACTS(X)
  OF_ROWS(X)
  OF_LISTS(X)
#undef X
  prc_delete(&w->N.x);
  prc_delete(&w->H);
  prc_delete(&w->axes);
  prc_delete(&w->works);
  prc_alpha_feedback_free(&w->feedback);
}

/* ---- where they are ---------------------------------------------------------------------------------------------------- */

void prc_alpha_evaluate(prc_stepper *s, double t, const double *q, const double *u) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_contact_set *set = &s->contacts.set;
  const prc_at at = {t, q, u};
  if (set->n == 0) return;
  s->system->contacts.evaluate(s->system->owner, &at, PRC_EVALUATE_GAP | PRC_EVALUATE_H, set);
  for (int c = 0; c < set->n; c++) {
    const int first = set->H.start[c], count = set->H.start[c + 1] - first;
    memcpy(w->N.x + first, set->H.x + set->dim * first, (size_t)count * sizeof *set->H.x);
  }
}

double prc_alpha_size_of_things(const prc_stepper *s) {
  const double size = s->system->contacts.size > 0.0 ? s->system->contacts.size : s->contacts.size_least;
  return size > 0.0 ? size : s->system->length;
}

/* Of a size: what is closed stops where it is, so that loose passes must not make a contact of what is plainly apart. */
#define CLOSE 1e-5

/* Where the system has no length of its own, as of a point at the origin, what contacts move in a step by the error of their problem, as in
 * prc_step_contacts_set_speed. */
double prc_alpha_gap_tolerance(const prc_stepper *s) {
  if (!(prc_alpha_size_of_things(s) > 0.0)) return s->contacts.gap_tolerance;
  return 100.0 * DBL_EPSILON * s->system->length
         + fmin(10.0 * s->options.tolerance, CLOSE) * prc_alpha_size_of_things(s);
}

/* bias += factor H(q (+) way u) u; H and frames of the set stay. */
static void add_rows(prc_stepper *s, double t, const double *q, const double *u, double way, double factor) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_contact_set elsewhere = s->contacts.set;
  const prc_at at = {t, s->work2, u};
  elsewhere.H.x = w->H, elsewhere.axes = w->axes;
  prc_step_move(s, q, way, u, s->work2);
  s->system->contacts.evaluate(s->system->owner, &at, PRC_EVALUATE_H, &elsewhere);
  prc_rows_multiply(&elsewhere.H, u, w->forces);
  for (int i = 0; i < elsewhere.dim * elsewhere.n; i++) w->bias[i] += factor * w->forces[i];
}

/* d/dt H u at constant u: the difference of fourth order, over a 64th of the step, which has no unit of the velocities, among which are spins. Where
 * a step turns by h omega = 1/2, its error is 1e-10 of omega |H u|; rounding leaves 1e-14 of |H u| / h. */
void prc_alpha_find_bias(prc_stepper *s, double t, const double *q, const double *u) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  for (int i = 0; i < set->dim * set->n; i++) w->bias[i] = 0.0;
  if (!s->contacts.turns || set->n == 0) return;
  const double way = s->options.h / 64.0, factor = 1.0 / (12.0 * way);
  add_rows(s, t, q, u, way, 8.0 * factor);
  add_rows(s, t, q, u, -way, -8.0 * factor);
  add_rows(s, t, q, u, 2.0 * way, -factor);
  add_rows(s, t, q, u, -2.0 * way, factor);
}

/* ---- histories ------------------------------------------------------------------------------------------------------------ */

/* phi of contact c, from the percussions and forces that there are. */
static void feed_back(const prc_stepper *s, int c, double *phi) {
  const prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  const double h = s->options.h, of_lam = h * h * (w->k.b - 0.5 * w->k.g);
  const int dim = set->dim;
  phi[dim * c] = 0.0;
  for (int i = dim * c + 1; i < dim * (c + 1); i++)
    phi[i] = 0.5 * h * (set->p[i] - w->Pt[i]) + of_lam * w->lam[i];
}

void prc_alpha_begin_hats(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_step_contacts *k = &s->contacts;
  const prc_alpha_constants *a = &w->k;
  const double h = s->options.h;
  const int dim = k->set.dim;
  for (int c = 0; c < k->set.n; c++) {
    w->kap[c] = w->kt[c] = 0.0, w->state[c] = w->was[c] = 0;
    w->mean[c] = s->options.slip_direction == PRC_SLIP_MEAN && prc_alpha_slipped(k, c);
    for (int r = 0; r < dim; r++) {
      const int i = dim * c + r;
      const double lam = keeps(k) ? kept(k, c, OF_LAM)[r] : 0.0, bar = keeps(k) ? kept(k, c, OF_BAR)[r] : 0.0;
      w->lam[i] = lam;
      w->lt[i] = (a->af * lam - a->am * bar) / (1.0 - a->am);
      w->Pt[i] = h * ((1.0 - a->gamma) * bar + a->gamma * w->lt[i]);
      if (r == 0) w->kt[c] = 0.5 * h * h * ((1.0 - 2.0 * a->beta) * bar + 2.0 * a->beta * w->lt[i]);
    }
    w->friction[c] = prc_step_friction_of(k, c);
    feed_back(s, c, w->phi), feed_back(s, c, w->target);
  }
  prc_alpha_feedback_restart(&w->feedback);
}

void prc_alpha_find_targets(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  for (int c = 0; c < s->contacts.set.n; c++) feed_back(s, c, w->target);
}

void prc_alpha_keep_hats(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_step_contacts *k = &s->contacts;
  const double h = s->options.h, of_lam = h * w->k.g;
  const int dim = k->set.dim;
  for (int c = 0; c < k->set.n; c++) {
    const double *p = k->set.p + dim * c;
    for (int r = 0; r < dim; r++) {
      const int i = dim * c + r;
      w->Lambda[i] = w->variant->hats ? p[r] - w->Pt[i] - of_lam * w->lam[i] : p[r];
      w->kappa[i] = r > 0              ? 0.0
                    : w->variant->hats ? w->kap[c] - w->kt[c] - h * h * w->k.b * w->lam[i]
                                       : w->kap[c];
      if (!keeps(k)) continue;
      const int open = w->variant->hats && !(w->state[c] & PRC_ALPHA_PRESSED);
      kept(k, c, OF_LAM)[r] = open ? 0.0 : w->lam[i];
      kept(k, c, OF_BAR)[r] = open ? 0.0 : w->lt[i] + w->k.c * w->lam[i];
      kept(k, c, OF_SLIP)[r] = r == 0 && (w->state[c] & PRC_ALPHA_SLIPS) ? 1.0 : 0.0;
    }
  }
}

int prc_alpha_slipped(const prc_step_contacts *k, int c) {
  return keeps(k) && kept(k, c, OF_SLIP)[0] != 0.0;
}

/* ---- which are on which level ---------------------------------------------------------------------------------------------- */

/* Gaps where positions go without impulses: q (+) (xt + h^2 b' a~), into w->gap. */
static void predict_gaps(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_contact_set *set = &s->contacts.set;
  const double h = s->options.h, of_a = h * h * w->k.b;
  for (int i = 0; i < s->n; i++) w->x[i] = w->xt[i] + of_a * w->a_next[i];
  for (int r = 0; r < s->n_prescribed; r++) w->x[s->system->drive.dof[r]] = w->dx[s->system->drive.dof[r]];
  prc_step_move(s, s->q, 1.0, w->x, s->work2);
  const prc_at at = {s->t + h, s->work2, w->u};
  memcpy(w->gap, set->gap, (size_t)set->n * sizeof *set->gap);
  s->system->contacts.evaluate(s->system->owner, &at, PRC_EVALUATE_GAP, set);
  for (int c = 0; c < set->n; c++) {
    const double swap = w->gap[c];
    w->gap[c] = set->gap[c], set->gap[c] = swap;
  }
}

void prc_alpha_find_closed(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const double tolerance = prc_alpha_gap_tolerance(s);
  k->n_active = 0;
  if (k->set.n == 0) return;
  if (!w->variant->hats) predict_gaps(s);
  for (int c = 0; c < k->set.n; c++) {
    const int closed =
        w->variant->hats ? w->kap[c] > 0.0 || k->set.gap[c] <= tolerance : w->gap[c] <= tolerance;
    w->state[c] = closed ? PRC_ALPHA_CLOSED : 0;
    if (closed) k->active[k->n_active++] = c;
  }
  k->n_gathered = -1;
}

/* Of a closed contact: does it press, does it slip, and whereto. p, xi and u: of the contact. */
static void find_state(prc_stepper *s, int c, double mu, const double *p, const double *xi, const double *u) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_step_contacts *k = &s->contacts;
  const int dim = k->set.dim;
  const double tolerance = k->velocity_tolerance;
  const double rub = prc_step_norm(dim - 1, p + 1), slide = prc_step_norm(dim - 1, xi + 1);
  const double *along = prc_step_norm(dim - 1, u + 1) > 0.0 ? u + 1 : xi + 1;
  const double length = prc_step_norm(dim - 1, along);
  for (int r = 0; r < dim; r++) w->direction[dim * c + r] = 0.0;
  if (!(p[0] > 0.0 || xi[0] <= tolerance)) return;
  w->state[c] |= PRC_ALPHA_PRESSED;
  if (dim == 1 || rub < mu * p[0] * (1.0 - 1e-9) || slide <= tolerance || length == 0.0) return;
  w->state[c] |= PRC_ALPHA_SLIPS;
  for (int r = 1; r < dim; r++) w->direction[dim * c + r] = along[r - 1] / length;
}

int prc_alpha_find_pressed(prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const int dim = k->set.dim;
  int pressed = 0;
  if (k->n_active == 0) return 0;
  prc_rows_multiply(&k->set.H, w->u, k->u);
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    find_state(s, c, k->mu[i], k->p_active + dim * i, k->w + dim * i, k->u + dim * c);
    pressed += (w->state[c] & PRC_ALPHA_PRESSED) != 0;
  }
  return pressed;
}

/* At the start: closed where gaps say so, pressed where nothing parts. */
void prc_alpha_find_first(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const double tolerance = fmax(prc_alpha_gap_tolerance(s), CLOSE * prc_alpha_size_of_things(s));
  const double rest[4] = {0.0};
  for (int c = 0; c < k->set.n; c++) {
    const double *u = k->u + k->set.dim * c;
    w->state[c] = 0;
    if (!(k->set.gap[c] <= tolerance)) continue;
    w->state[c] = PRC_ALPHA_CLOSED;
    find_state(s, c, 0.0, rest, u, u);
  }
}

/* At the start there are no percussions yet: lam and its bar are the forces that there are. */
void prc_alpha_keep_first(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_step_contacts *k = &s->contacts;
  const int dim = k->set.dim;
  for (int c = 0; c < k->set.n && keeps(k); c++)
    for (int r = 0; r < dim; r++) {
      kept(k, c, OF_LAM)[r] = kept(k, c, OF_BAR)[r] = w->lam[dim * c + r];
      kept(k, c, OF_SLIP)[r] = r == 0 && (w->state[c] & PRC_ALPHA_SLIPS) ? 1.0 : 0.0;
    }
}

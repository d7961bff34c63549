#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <string.h>

/* Notes of the certificate on a contact from earlier steps. Four numbers, behind those that the scheme keeps:
 *
 *   way        how far it has slid while it sticks, by the places of both bodies, along the two tangents
 *   depth      how far it was let in where it closed: the largest 3/2 h |u_N,k| of the steps in which it was closed and its surfaces approached
 *              each other. It was found h |u_N,k| deep at most, and the step that stops it still goes half of that: (1 - theta) of it, and with 1/2 what turns in space. Where it is closed for the first time its surfaces
 *              may part again, as an impact beside it turned its bodies: then it is what H v_{k-1} explains, by which they came. And what has moved on is as deep as it was: while it is closed a
 *              contact has the largest depth of the two surfaces, whatever features of theirs it is of; and over flush neighbours that of the body that slides over them
 *   direction  of its normal in the plane, 4 + angle (in space the frame that is carried says it)
 *
 * zeros where it is open and pushed nothing. */

#define LATE 1.5 /* of the way of the step that finds it, see below */
enum { WAY, DEPTH = WAY + 2, DIRECTION, NOTED };
#define TURNED 0.5 /* rad: a normal that turns by more in one step while its pair stays is looked at */

void prc_step_note_contacts_room(prc_stepper *s) {
  if (s->scheme->n_kept > 0 || !s->scheme->has_mass)
    return; /* schemes by levels close gaps, and load steps */
  s->contacts.set.n_noted = NOTED, s->contacts.n_depths = -1;
  s->contacts.set.n_kept += NOTED;
}

static double *note_of(const prc_contact_set *set, int c) {
  return set->kept + (size_t)set->n_kept * (size_t)c + (size_t)(set->n_kept - NOTED);
}

/* Of rows whose first two numbers are a unit vector, as those of rigid bodies in the plane; 0: they are not. */
static double direction_of(const prc_contact_set *set, int c) {
  const prc_rows *H = &set->H;
  const double *row = H->x + H->dim * H->start[c];
  if (set->dim > 2 || !(set->way[c] > 0.0) || H->start[c + 1] - H->start[c] != 6) return 0.0;
  return fabs(row[0] * row[0] + row[1] * row[1] - 1.0) > 1e-9 ? 0.0 : 4.0 + atan2(row[1], row[0]);
}

/* How far the normal turned since the last step, in which the contact, or the one it is the heir of, pushed. Asked beside flush neighbours alone: over a corner any other turns, too. */
static double turned_by(const prc_contact_set *set, int c, double before, double now) {
  if (set->dim <= 2)
    return before == 0.0 || now == 0.0 ? 0.0 : fabs(remainder(now - before, 2.0 * 3.14159265358979323846));
  const double *old = set->base + 9 * c, *n = set->axes + 9 * c;
  if ((old[0] == 0.0 && old[1] == 0.0 && old[2] == 0.0) || !(set->way[c] > 0.0)) return 0.0;
  return acos(fmax(-1.0, fmin(1.0, old[0] * n[0] + old[1] * n[1] + old[2] * n[2])));
}

/* The largest depth of two surfaces, before a search looks at other features of theirs. Contacts stand by their ids, those of two surfaces together. And that of
 * what moves over flush neighbours, by its dofs. */
void prc_step_note_depths(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  const prc_contact_set *set = &k->set;
  if (set->n_noted == 0 || k->n_depths >= 0) return;
  k->n_depths = 0;
  memset(s->let_in, 0, (size_t)s->n * sizeof *s->let_in);
  for (int c = 0; c < set->n; c++) {
    const double depth = note_of(set, c)[DEPTH];
    if (!(depth > 0.0)) continue;
    prc_contact_id *last = k->n_depths > 0 ? &k->id_old[k->n_depths - 1] : NULL;
    if (last && last->a == set->id[c].a && last->b == set->id[c].b)
      k->depth_old[k->n_depths - 1] = fmax(k->depth_old[k->n_depths - 1], depth);
    else
      k->id_old[k->n_depths] = set->id[c], k->depth_old[k->n_depths++] = depth;
    for (int d = set->H.start[c]; set->flush[c] > 0.0 && d < set->H.start[c + 1]; d++)
      s->let_in[set->H.dof[d]] = fmax(s->let_in[set->H.dof[d]], depth);
  }
}

/* What contact c has from others; *at: where its surfaces stand in the list of depths, which is read on. */
static double inherited(const prc_stepper *s, int c, int *at) {
  const prc_step_contacts *k = &s->contacts;
  const prc_contact_set *set = &k->set;
  const prc_contact_id *id = &set->id[c];
  double depth = 0.0;
  while (*at < k->n_depths
         && (k->id_old[*at].a < id->a || (k->id_old[*at].a == id->a && k->id_old[*at].b < id->b)))
    ++*at;
  if (*at < k->n_depths && k->id_old[*at].a == id->a && k->id_old[*at].b == id->b) depth = k->depth_old[*at];
  for (int d = set->H.start[c]; set->flush[c] > 0.0 && d < set->H.start[c + 1]; d++)
    if (s->part[set->H.dof[d]] != 2) depth = fmax(depth, s->let_in[set->H.dof[d]]);
  return depth;
}

/* The normal velocity of contact c by v. */
static double normal_by(const prc_rows *H, int c, const double *v) {
  const double *row = H->x + H->dim * H->start[c];
  double u = 0.0;
  for (int d = H->start[c]; d < H->start[c + 1]; d++) u += *row++ * v[H->dof[d]];
  return u;
}

/* Of a contact that is closed for the first time: its depth g, as far as the step before explains it, and what the step that stops it still goes,
 *
 *   min(g, w + c) + h |u_N,k| / 2 + min(g, c),   w = h max(-u_N,k, -H v_{k-1}),   c = (h |u_T|)^2 / size:
 *
 * over a step in which they pass by each other the normal of surfaces turns, and c is what that brings them closer. */
static double found_at(const prc_stepper *s, int c) {
  const prc_contact_set *set = &s->contacts.set;
  const double h = s->options.h, depth = -set->gap[c], *u = s->contacts.u_old + set->dim * c;
  const double slid = h * prc_step_norm((set->dim > 3 ? 3 : set->dim) - 1, u + 1),
               curved = set->size[c] > 0.0 ? slid * slid / set->size[c] : 0.0,
               way = h * fmax(0.0, -fmin(u[0], normal_by(&set->H, c, s->v_old)));
  return fmin(depth, way + curved) + 0.5 * h * fmax(0.0, -u[0]) + fmin(depth, curved);
}

/* Of what is closed. */
static void note_depths(prc_stepper *s) {
  const prc_contact_set *set = &s->contacts.set;
  int at = 0;
  for (int c = 0; c < set->n; c++) {
    double *depth = note_of(set, c) + DEPTH;
    if (!(set->gap[c] < 0.0)) continue;
    const int is_new = *depth == 0.0;
    *depth = fmax(*depth, inherited(s, c, &at));
    if (is_new) *depth = fmax(*depth, found_at(s, c));
  }
  s->contacts.n_depths = -1;
}

/* Contacts that are open and did not push begin anew. Contacts that are always there keep their depth. */
static void forget_open(prc_step_contacts *k) {
  const prc_contact_set *set = &k->set;
  for (int c = 0; c < set->n; c++) {
    double *note = note_of(set, c);
    if ((note[DEPTH] != 0.0 || note[DIRECTION] != 0.0) && !(set->p[set->dim * c] > 0.0) && set->gap[c] > 0.0)
      note[DEPTH] = note[DIRECTION] = 0.0;
  }
}

void prc_step_note_contacts(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  const prc_contact_set *set = &k->set;
  const int varies = (s->system->contacts.varies & PRC_CONTACTS_SET) != 0;
  if (set->n_noted == 0) return;
  if (varies) {
    forget_open(k);
    note_depths(s);
  }
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    const double u = k->u_old[set->dim * c];
    double *note = note_of(set, c);
    if (u < 0.0) note[DEPTH] = fmax(note[DEPTH], -LATE * s->options.h * u);
    if (!varies) continue;
    const double now = direction_of(set, c), turned = set->p[set->dim * c] > 0.0 && set->flush[c] > 0.0
                                                          ? turned_by(set, c, note[DIRECTION], now)
                                                          : 0.0;
    note[DIRECTION] = now;
    prc_indicator_worst(&s->record.indicator[PRC_INDICATOR_seams],
                        &(prc_indicator){turned, TURNED, set->body[2 * c], set->body[2 * c + 1], 0.0});
  }
}

#define GOES                                                                                                 \
  0.1 /* of the height of a step: what goes less than this against it in a step of time leans on it */

/* Notes a sliding body that is stopped by the side of a neighbour hardly higher than flush: a wrong stop, or a
 * right one at a block that was meant to be flush. */
void prc_step_note_stops(prc_stepper *s) {
  const prc_step_contacts *k = &s->contacts;
  const prc_contact_set *set = &k->set;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    if (!(set->step[c] > 0.0) || !(set->p[set->dim * c] > 0.0)
        || !(-s->options.h * k->u_old[set->dim * c] > GOES * set->step[c]))
      continue;
    prc_indicator_worst(
        &s->record.indicator[PRC_INDICATOR_seams],
        &(prc_indicator){set->step_turn[c], TURNED, set->body[2 * c], set->body[2 * c + 1], set->step[c]});
  }
}

#define STILL                                                                                                \
  1e-9 /* of the speed of contacts: what has its friction on the cone and does not slide, as where it is not determined how contacts share it */

/* Two free bodies stick to second order in the step, and grains of a pile roll on each other while they do. */
#define FREE 10.0

static int sticks(const prc_step_contacts *k, int c) {
  const int dim = k->set.dim;
  if (k->status[c] == PRC_CONE_OPEN || !(k->set.p[dim * c] > 0.0)) return 0;
  return k->status[c] == PRC_CONE_STICK
         || prc_step_norm(dim - 1, k->u_work + dim * c + 1) <= fmax(k->velocity_tolerance, STILL * k->speed);
}

/* Behind the step, while H is that of the step: those that stuck, and how far they slid all the same. */
void prc_step_note_slides(prc_stepper *s) {
  const prc_contacts *contacts = &s->system->contacts;
  prc_step_contacts *k = &s->contacts;
  const prc_contact_set *set = &k->set;
  double *slid = k->H_old; /* of a step that is over; two numbers of each contact fit */
  int some = 0;
  if (set->n_noted == 0 || !contacts->slid || set->dim < 2 || !k->turns) return;
  for (int c = 0; c < set->n; c++) {
    double *note = note_of(set, c);
    k->known[c] = sticks(k, c) ? PRC_CONTACT_STUCK : 0;
    if (k->known[c])
      some = 1;
    else
      note[WAY] = note[WAY + 1] = 0.0;
  }
  if (!some) return;
  contacts->slid(s->system->owner, s->q_old, s->q, k->known, set, slid);
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    double *note = note_of(set, c);
    if (!k->known[c]) continue;
    note[WAY] += slid[2 * c], note[WAY + 1] += slid[2 * c + 1];
    const double scale = prc_step_is_inside(s, c) ? FREE * set->size[c] : set->size[c];
    prc_indicator_worst(&s->record.indicator[PRC_INDICATOR_sticking],
                        &(prc_indicator){hypot(note[WAY], note[WAY + 1]), scale, set->body[2 * c],
                                         set->body[2 * c + 1], 0.0});
  }
}

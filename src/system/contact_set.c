#include "config.h"
#include "system/internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  prc_contact_id id;
  int place; /* where it was added */
} key;

/* Memory that outlives a search: the contacts of the last step, and room to sort in. */
struct prc_contact_memory {
  int n, n_all;             /* those that remember; all, -1: there was no search yet */
  int ended;                /* the set is that of a search that came to its end */
  prc_contact_id *id, *all; /* theirs */
  char *pushed;             /* which of them were active: those may hand on */
  char *lasts, *goes;       /* which of them friction keeps where they are not found; which are not ... */
  prc_contact_aways aways;  /* ... with those of earlier searches */
  double *p, *state, *place, *kept, *axes; /* theirs; axes in space alone */
  prc_contact_heir *heir;
  size_t room_id, room_pushed, room_lasts, room_goes, room_all, room_p, room_state, room_place, room_kept,
      room_axes, room_heir, room_keys;
  key *keys;
  prc_contact_set sorted; /* exchanges its arrays with the set */
};

int prc_contact_id_compare(const prc_contact_id *a, const prc_contact_id *b) {
  const uint32_t x[] = {a->a, a->b, a->feature_a, a->feature_b},
                 y[] = {b->a, b->b, b->feature_a, b->feature_b};
  for (int k = 0; k < 4; k++)
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  return 0;
}

int prc_contact_set_place(const prc_contact_set *set, const prc_contact_id *id) {
  int low = 0, high = set->n;
  while (low < high) {
    const int middle = low + (high - low) / 2, order = prc_contact_id_compare(&set->id[middle], id);
    if (order == 0) return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

static void free_arrays(prc_contact_set *set) {
  prc_delete(&set->id);
  prc_delete(&set->group);
  prc_delete(&set->body);
  prc_delete(&set->law);
  prc_delete(&set->size);
  prc_delete(&set->way);
  prc_delete(&set->stay);
  prc_delete(&set->ramp);
  prc_delete(&set->width);
  prc_delete(&set->flush);
  prc_delete(&set->step);
  prc_delete(&set->step_turn);
  prc_delete(&set->H.start);
  prc_delete(&set->H.dof);
  prc_delete(&set->H.x);
  prc_delete(&set->gap);
  prc_delete(&set->frame);
  prc_delete(&set->place);
  prc_delete(&set->axes);
  prc_delete(&set->base);
  prc_delete(&set->normal);
  prc_delete(&set->p);
  prc_delete(&set->state);
  prc_delete(&set->kept);
}

void prc_contact_set_free(prc_contact_set *set) {
  free_arrays(set);
  if (set->memory) {
    free_arrays(&set->memory->sorted);
    prc_delete(&set->memory->id);
    prc_delete(&set->memory->pushed);
    prc_delete(&set->memory->lasts);
    prc_delete(&set->memory->goes);
    prc_contact_aways_free(&set->memory->aways);
    prc_delete(&set->memory->all);
    prc_delete(&set->memory->p);
    prc_delete(&set->memory->state);
    prc_delete(&set->memory->place);
    prc_delete(&set->memory->kept);
    prc_delete(&set->memory->axes);
    prc_delete(&set->memory->heir);
    prc_delete(&set->memory->keys);
    prc_delete(&set->memory);
  }
  *set = (prc_contact_set){0};
}

static int in_space(const prc_contact_set *set) {
  return set->dim >= 3;
}

/* Room for one contact more, with so many dofs. Arrays over contacts grow together. */
static prc_status reserve(prc_contact_set *set, int n_dof, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)set->n + 1, dim = (size_t)set->dim;
  const size_t dofs = (size_t)(set->n > 0 && set->H.start ? set->H.start[set->n] : 0) + (size_t)n_dof;
  if (dofs > INT_MAX / dim) return prc_fail(err, PRC_NOMEM, "the contacts have too many dofs");
  prc_try(prc_grow(&set->H.dof, &set->room_dofs, dofs, sizeof *set->H.dof, err));
  prc_try(prc_grow(&set->H.x, &set->room_rows, dim * dofs, sizeof *set->H.x, err));
  if (n <= (size_t)set->capacity) return PRC_OK;
  size_t capacity = 0;
#define GROW(array, width)                                                                                   \
  capacity = (size_t)set->capacity * (size_t)(width);                                                        \
  prc_try(prc_grow(&set->array, &capacity, (n + n / 2) * (size_t)(width), sizeof *set->array, err))
  GROW(group, 1);
  GROW(body, 2);
  GROW(law, 1);
  GROW(size, 1);
  GROW(way, 1);
  GROW(stay, 1);
  GROW(ramp, 1);
  GROW(width, 1);
  GROW(flush, 1);
  GROW(step, 1);
  GROW(step_turn, 1);
  GROW(H.start, 2); /* one more than contacts */
  GROW(gap, 1);
  GROW(frame, 9);
  GROW(place, 3);
  if (in_space(set)) {
    GROW(axes, 9);
    GROW(base, 9);
    GROW(normal, 3);
  }
  GROW(p, set->dim);
  GROW(state, PRC_LAW_STATE);
  GROW(kept, set->n_kept);
  GROW(id, 1);
#undef GROW
  set->capacity = (int)(n + n / 2);
done:
  return status;
}

/* ---- a search -------------------------------------------------------------------------------------------------------- */

static int is_active(const prc_contact_set *set, int c) {
  int active = 0;
  for (int r = 0; r < set->dim; r++) active |= set->p[set->dim * c + r] != 0.0;
  for (int i = 0; i < set->n_kept - set->n_noted; i++) active |= set->kept[set->n_kept * c + i] != 0.0;
  return active;
}
static int is_noted(const prc_contact_set *set, const double *kept) {
  int noted = 0;
  for (int i = set->n_kept - set->n_noted; kept && i < set->n_kept; i++) noted |= kept[i] != 0.0;
  return noted;
}

/* The lasting state of friction goes on with contacts that are found again. */
static int remembers(const prc_contact_set *set, int c) {
  const prc_friction *friction = set->law[c] ? set->law[c]->friction : NULL;
  return is_active(set, c) || is_noted(set, set->kept + (size_t)set->n_kept * (size_t)c)
         || (friction && friction->n_state > 0 && !friction->forgets);
}

/* Room for it was made at the end of the last search. One that failed left none, and nothing to remember: what the last that came to
 * its end had stays. */
static void remember(prc_contact_set *set) {
  struct prc_contact_memory *m = set->memory;
  const int dim = set->dim;
  const size_t of_p = (size_t)dim * sizeof *set->p, of_state = PRC_LAW_STATE * sizeof *set->state;
  if (!m || !m->ended) return;
  m->n = 0, m->n_all = set->n, m->ended = 0;
  prc_contact_aways_commit(&m->aways);
  for (int c = 0; c < set->n; c++) {
    m->all[c] = set->id[c];
    if (!remembers(set, c)) continue;
    m->id[m->n] = set->id[c], m->pushed[m->n] = (char)is_active(set, c);
    m->lasts[m->n] = (char)prc_contact_lasts(set->law[c], set->state + PRC_LAW_STATE * c);
    memcpy(m->p + dim * m->n, set->p + dim * c, of_p);
    memcpy(m->state + PRC_LAW_STATE * m->n, set->state + PRC_LAW_STATE * c, of_state);
    memcpy(m->place + 3 * m->n, set->place + 3 * c, 3 * sizeof *m->place);
    for (int i = 0; i < set->n_kept; i++) m->kept[set->n_kept * m->n + i] = set->kept[set->n_kept * c + i];
    if (in_space(set)) memcpy(m->axes + 9 * m->n, set->axes + 9 * c, 9 * sizeof *m->axes);
    m->n++;
  }
}

void prc_contact_set_begin(prc_contact_set *set, int dim) {
  if (dim != set->dim) { /* nothing of it has the right size */
    const int n_kept = set->n_kept, n_noted = set->n_noted;
    const double t = set->t;
    prc_contact_set_free(set);
    set->n_kept = n_kept, set->n_noted = n_noted, set->t = t;
  }
  remember(set);
  set->dim = set->H.dim = dim;
  set->n = set->H.n = set->n_heirs = set->n_mended = 0;
}

prc_status prc_contact_set_add(prc_contact_set *set, const prc_contact *contact, prc_error *err) {
  const prc_status status = reserve(set, contact->n_dof, err);
  if (status != PRC_OK) return status;
  const int c = set->n++, dim = set->dim;
  set->H.n = set->n;
  set->id[c] = contact->id;
  set->group[c] = contact->group;
  memcpy(set->body + 2 * c, contact->body, sizeof contact->body);
  set->law[c] = contact->law;
  set->size[c] = contact->size, set->way[c] = contact->way, set->stay[c] = contact->stay;
  set->ramp[c] = contact->ramp, set->width[c] = contact->width, set->flush[c] = contact->flush;
  set->step[c] = contact->step, set->step_turn[c] = contact->step_turn;
  memcpy(set->place + 3 * c, contact->place, sizeof contact->place);
  if (contact->n_dof > 0)
    memcpy(set->H.dof + set->H.start[c], contact->dof, (size_t)contact->n_dof * sizeof *contact->dof);
  set->H.start[c + 1] = set->H.start[c] + contact->n_dof;
  memset(set->p + dim * c, 0, (size_t)dim * sizeof *set->p);
  memset(set->state + PRC_LAW_STATE * c, 0, PRC_LAW_STATE * sizeof *set->state);
  for (int i = 0; i < set->n_kept; i++) set->kept[set->n_kept * c + i] = 0.0;
  for (int i = 0; in_space(set) && i < 9; i++) set->axes[9 * c + i] = set->base[9 * c + i] = 0.0;
  if (in_space(set)) memcpy(set->normal + 3 * c, contact->normal, sizeof contact->normal);
  if (contact->law && contact->law->friction && contact->law->friction->start)
    contact->law->friction->start(contact->law->parameter, set->state + PRC_LAW_STATE * c);
  return PRC_OK;
}

/* ---- its end --------------------------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b) {
  return prc_contact_id_compare(&((const key *)a)->id, &((const key *)b)->id);
}

/* Contact c as it was added. */
static prc_contact contact_at(const prc_contact_set *set, int c) {
  static const double none[3] = {0.0, 0.0, 0.0};
  const double *n = in_space(set) ? set->normal + 3 * c : none;
  return (prc_contact){.normal = {n[0], n[1], n[2]},
                       .id = set->id[c],
                       .group = set->group[c],
                       .body = {set->body[2 * c], set->body[2 * c + 1]},
                       .n_dof = set->H.start[c + 1] - set->H.start[c],
                       .dof = set->H.dof + set->H.start[c],
                       .law = set->law[c],
                       .size = set->size[c],
                       .place = {set->place[3 * c], set->place[3 * c + 1], set->place[3 * c + 2]},
                       .way = set->way[c],
                       .stay = set->stay[c],
                       .ramp = set->ramp[c],
                       .width = set->width[c],
                       .flush = set->flush[c],
                       .step = set->step[c],
                       .step_turn = set->step_turn[c]};
}

static prc_status sort(prc_contact_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  struct prc_contact_memory *m = set->memory;
  prc_contact_set sorted = m->sorted;
  sorted.n_kept = set->n_kept, sorted.n_noted = set->n_noted, sorted.t = set->t;
  const int n_mended = set->n_mended;
  prc_contact_set_begin(&sorted, set->dim);
  prc_try(prc_grow(&m->keys, &m->room_keys, (size_t)set->n, sizeof *m->keys, err));
  for (int c = 0; c < set->n; c++) m->keys[c] = (key){set->id[c], c};
  qsort(m->keys, (size_t)set->n, sizeof *m->keys, by_id);
  for (int c = 0; c < set->n; c++) {
    const prc_contact contact = contact_at(set, m->keys[c].place);
    prc_try(prc_contact_set_add(&sorted, &contact, err));
  }
done:
  m->sorted = sorted;
  if (status != PRC_OK) return status;
  m->sorted = *set, m->sorted.memory = NULL;
  *set = sorted, set->memory = m, set->n_mended = n_mended;
  return PRC_OK;
}

static prc_status order(prc_contact_set *set, prc_error *err) {
  int ascending = 1;
  for (int c = 1; c < set->n; c++) ascending &= prc_contact_id_compare(&set->id[c - 1], &set->id[c]) < 0;
  const prc_status status = ascending ? PRC_OK : sort(set, err);
  for (int c = 1; status == PRC_OK && !ascending && c < set->n; c++)
    if (prc_contact_id_compare(&set->id[c - 1], &set->id[c]) == 0)
      return prc_fail(err, PRC_INPUT, "two contacts have the id (%u, %u, %u, %u), expected each once",
                      set->id[c].a, set->id[c].b, set->id[c].feature_a, set->id[c].feature_b);
  return status;
}

/* Contact c goes on with what k of the last search remembers. */
static void hand_on(prc_contact_set *set, int c, int k) {
  const struct prc_contact_memory *m = set->memory;
  const size_t dim = (size_t)set->dim;
  memcpy(set->p + dim * (size_t)c, m->p + dim * (size_t)k, dim * sizeof *set->p);
  memcpy(set->state + PRC_LAW_STATE * c, m->state + PRC_LAW_STATE * k, PRC_LAW_STATE * sizeof *set->state);
  for (int i = 0; i < set->n_kept; i++) set->kept[set->n_kept * c + i] = m->kept[set->n_kept * k + i];
  if (in_space(set)) memcpy(set->base + 9 * c, m->axes + 9 * k, 9 * sizeof *m->axes);
}

/* The nearest new contact of the two surfaces of a lost one, within its way; -1: there is none. */
static int find_heir(const prc_contact_set *set, int lost) {
  const struct prc_contact_memory *m = set->memory;
  const prc_contact_id *id = &m->id[lost], first = {id->a, id->b, 0, 0};
  const double *from = m->place + 3 * lost;
  int low = 0, high = set->n, heir = -1;
  double least = INFINITY;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (prc_contact_id_compare(&set->id[middle], &first) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (int c = low; c < set->n && set->id[c].a == id->a && set->id[c].b == id->b; c++) {
    const double *to = set->place + 3 * c;
    const double distance = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    if (!is_active(set, c) && set->way[c] > 0.0 && distance <= set->way[c] && distance < least)
      least = distance, heir = c;
  }
  return heir;
}

void prc_contact_set_keep_axes(prc_contact_set *set) {
  for (int c = 0; in_space(set) && c < set->n; c++)
    if (is_active(set, c))
      memcpy(set->base + 9 * c, set->axes + 9 * c, 9 * sizeof *set->base);
    else
      memset(set->base + 9 * c, 0, 9 * sizeof *set->base);
}

/* Contacts that are found again keep their state; then lost ones hand it on to new ones, or are away. Both
 * lists ascend. */
static void carry(prc_contact_set *set) {
  struct prc_contact_memory *m = set->memory;
  int n_lost = 0;
  prc_contact_aways_return(&m->aways, set);
  for (int k = 0; k < m->n; k++) m->goes[k] = m->lasts[k];
  for (int c = 0, k = 0; k < m->n;) {
    const int before = c < set->n ? prc_contact_id_compare(&set->id[c], &m->id[k]) : 1;
    if (before == 0) hand_on(set, c, k), m->goes[k] = 0;
    if (before > 0 && m->pushed[k]) m->heir[n_lost++].from = m->id[k];
    c += before <= 0, k += before >= 0;
  }
  set->n_heirs = 0, set->heir = m->heir;
  for (int i = 0, k = 0; i < n_lost; i++) {
    while (prc_contact_id_compare(&m->id[k], &m->heir[i].from) != 0) k++;
    const int c = find_heir(set, k);
    if (c < 0) continue;
    hand_on(set, c, k), m->goes[k] = 0;
    m->heir[set->n_heirs++] = (prc_contact_heir){m->id[k], set->id[c]};
  }
  prc_contact_aways_leave(&m->aways, set, m->n, m->id, m->goes, m->state);
  set->n_away = m->aways.n_now, set->away = m->aways.now, set->gave_up = m->aways.given_up;
}

void prc_contact_set_forget_away(prc_contact_set *set) {
  if (set->memory) set->memory->aways.n_before = set->memory->aways.n_now = 0;
  set->n_away = 0;
}

static prc_status room_for_memory(const prc_contact_set *set, size_t n, prc_error *err) {
  struct prc_contact_memory *m = set->memory;
  prc_status status = PRC_OK;
  prc_try(prc_grow(&m->id, &m->room_id, n, sizeof *m->id, err));
  prc_try(prc_grow(&m->pushed, &m->room_pushed, n, sizeof *m->pushed, err));
  prc_try(prc_grow(&m->lasts, &m->room_lasts, n, sizeof *m->lasts, err));
  prc_try(prc_grow(&m->goes, &m->room_goes, n, sizeof *m->goes, err));
  prc_try(prc_grow(&m->p, &m->room_p, n * (size_t)set->dim, sizeof *m->p, err));
  prc_try(prc_grow(&m->state, &m->room_state, n * PRC_LAW_STATE, sizeof *m->state, err));
  prc_try(prc_grow(&m->place, &m->room_place, 3 * n, sizeof *m->place, err));
  prc_try(prc_grow(&m->kept, &m->room_kept, n * (size_t)set->n_kept, sizeof *m->kept, err));
  if (in_space(set)) prc_try(prc_grow(&m->axes, &m->room_axes, 9 * n, sizeof *m->axes, err));
  prc_try(prc_grow(&m->heir, &m->room_heir, n, sizeof *m->heir, err));
done:
  return status;
}

prc_status prc_contact_set_restore(prc_contact_set *set, int n, const prc_contact_id *id, const double *p,
                                   const double *state, const double *kept, const double *place,
                                   const double *axes, const char *lasts, int n_away,
                                   const prc_contact_away *away, prc_error *err) {
  struct prc_contact_memory *m = set->memory;
  const size_t dim = (size_t)set->dim;
  prc_status status = PRC_OK;
  if (!m || (n == 0 && n_away == 0)) return PRC_OK;
  prc_try(prc_contact_aways_set(&m->aways, n_away, away, err));
  prc_try(prc_contact_aways_reserve(&m->aways, (size_t)n + (size_t)set->n, err));
  prc_try(room_for_memory(set, (size_t)n, err));
  m->n = 0;
  for (int k = 0; k < n; k++) {
    int active = 0;
    for (size_t r = 0; r < dim; r++) active |= p[dim * (size_t)k + r] != 0.0;
    for (size_t i = 0; kept && i < (size_t)(set->n_kept - set->n_noted); i++)
      active |= kept[(size_t)set->n_kept * (size_t)k + i] != 0.0;
    const int noted = is_noted(set, kept ? kept + (size_t)set->n_kept * (size_t)k : NULL);
    if (!active && !noted && !(lasts && lasts[k])) continue;
    const size_t at = (size_t)m->n++;
    m->id[at] = id[k], m->pushed[at] = (char)active, m->lasts[at] = lasts ? lasts[k] : 0;
    memcpy(m->p + dim * at, p + dim * (size_t)k, dim * sizeof *m->p);
    memcpy(m->state + PRC_LAW_STATE * at, state + PRC_LAW_STATE * k, PRC_LAW_STATE * sizeof *m->state);
    memcpy(m->place + 3 * at, place + 3 * k, 3 * sizeof *m->place);
    for (size_t i = 0, width = (size_t)set->n_kept; i < width; i++)
      m->kept[width * at + i] = kept ? kept[width * (size_t)k + i] : 0.0;
    for (size_t i = 0; in_space(set) && i < 9; i++)
      m->axes[9 * at + i] = axes ? axes[9 * (size_t)k + i] : 0.0;
  }
  carry(set);
done:
  return status;
}

static int has_changed(const prc_contact_set *set) {
  const struct prc_contact_memory *m = set->memory;
  int same = m->n_all == set->n;
  for (int c = 0; same && c < set->n; c++) same = prc_contact_id_compare(&m->all[c], &set->id[c]) == 0;
  return !same;
}

prc_status prc_contact_set_end(prc_contact_set *set, int *changed, prc_error *err) {
  prc_status status = PRC_OK;
  if (!set->memory) {
    prc_try(prc_new(&set->memory, 1, err));
    set->memory->n_all = -1;
  }
  prc_try(order(set, err));
  struct prc_contact_memory *m = set->memory;
  carry(set);
  if (changed) *changed = has_changed(set);
  const size_t n = (size_t)set->n;
  prc_try(prc_grow(&m->all, &m->room_all, n, sizeof *m->all, err));
  prc_try(room_for_memory(set, n, err));
  prc_try(prc_contact_aways_reserve(&m->aways, prc_contact_aways_count(set), err));
  set->heir = m->heir, set->away = m->aways.now;    /* they may be elsewhere now */
  if (!set->H.start) prc_try(reserve(set, 0, err)); /* an empty set has arrays too */
  m->ended = 1;
done:
  return status;
}

/* Of several contacts of two rigid bodies that do not move against each other some may have friction on the cone, as it is not determined how they share it. */
int prc_contact_set_stuck(const prc_contact_set *set, const char *known, int c) {
  const int *body = set->body + 2 * c;
  if (!(known[c] & PRC_CONTACT_PUSHED)) return -1;
  for (int way = -1; way <= 1; way += 2)
    for (int k = c; k >= 0 && k < set->n; k += way) {
      if (set->body[2 * k] != body[0] || set->body[2 * k + 1] != body[1]) break;
      if (known[k] & PRC_CONTACT_STUCK) return k;
    }
  return -1;
}

#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <string.h>

/* A is another for steps of another size. What was made for one is kept while memory allows, and the least recently used is freed first: results do
 * not depend on it, since each is made by itself, in the order of elimination of the first. */

#define SHARE  0.25 /* of the memory that is there */
#define UNTOLD 2e9  /* bytes, where the system does not tell */
#define MOST   1000

static void free_rung(prc_step_rung *rung) {
  prc_operator_free(&rung->op);
  prc_delete(&rung->W_all);
  prc_delete(&rung->W_normal);
  prc_block_matrix_free(&rung->all);
}

void prc_step_ladder_free(prc_step_ladder *l) {
  for (int i = 0; i < l->n; i++) free_rung(&l->rung[i]);
  prc_delete(&l->rung);
  *l = (prc_step_ladder){0};
}

/* ---- what is in use ------------------------------------------------------------------------------------------------------- */

/* It goes from the stepper to a rung ... */
static prc_step_rung remove_current(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  prc_step_rung rung = {.h = s->op_h, .op = s->op, .used = s->ladder.changes};
  rung.bytes = (double)prc_operator_get_facts(s->op).bytes;
  s->op = k->op = NULL;
  if (!k->constant) return rung;
  const size_t dim = (size_t)k->set.dim, rows = dim * (size_t)k->set.n;
  rung.W_all = k->W_all, rung.W_normal = k->W_normal, rung.all = k->all;
  rung.bytes += (double)((k->W_all ? rows * rows : 0) + k->all.room * dim * dim) * sizeof(double);
  k->W_all = k->W_normal = NULL;
  k->all = (prc_block_matrix){0};
  return rung;
}

/* ... and back. */
static void put_back(prc_stepper *s, const prc_step_rung *rung) {
  prc_step_contacts *k = &s->contacts;
  s->op = k->op = rung->op, s->op_h = rung->h;
  if (k->constant) k->W_all = rung->W_all, k->W_normal = rung->W_normal, k->all = rung->all;
}

/* ---- what is kept ---------------------------------------------------------------------------------------------------------- */

static prc_step_rung remove_at(prc_step_ladder *l, int i) {
  const prc_step_rung rung = l->rung[i];
  l->rung[i] = l->rung[--l->n];
  l->bytes -= rung.bytes;
  return rung;
}

static void drop_oldest(prc_step_ladder *l) {
  int oldest = 0;
  for (int i = 1; i < l->n; i++)
    if (l->rung[i].used < l->rung[oldest].used) oldest = i;
  prc_step_rung rung = remove_at(l, oldest);
  free_rung(&rung);
}

/* A factor that does not fit alone, or finds no memory for the list, is not kept. */
static void keep(prc_step_ladder *l, prc_step_rung *rung) {
  prc_error ignored = {0};
  if (!(l->most > 0.0)) {
    const double available = prc_memory_available();
    l->most = isfinite(available) ? SHARE * available : UNTOLD;
  }
  while (l->n > 0 && (l->n >= MOST || l->bytes + rung->bytes > l->most)) drop_oldest(l);
  if (rung->bytes > l->most
      || prc_grow((void *)&l->rung, &l->room, (size_t)l->n + 1, sizeof *l->rung, &ignored) != PRC_OK) {
    free_rung(rung);
    return;
  }
  l->bytes += rung->bytes;
  l->rung[l->n++] = *rung;
}

/* ---- another size ------------------------------------------------------------------------------------------------------------ */

/* W over all candidates, where H is constant. */
static prc_status make_W(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  const size_t n = (size_t)k->set.n, rows = (size_t)k->set.dim * n;
  if (!k->constant) return PRC_OK;
  prc_try(prc_new(&k->W_normal, k->room, err));
  if (!k->sparse) prc_try(prc_new(&k->W_all, rows * rows, err));
  prc_try(prc_step_contacts_condense_all(k, err));
  if (k->sparse && k->part.room < k->all.room) /* A^-1 of other values may reach further */
    prc_try(prc_operator_condense_blocks(k->op, &k->set.H, k->set.n, NULL, k->action.scale, &k->part, err));
done:
  return status;
}

/* The factor in use is kept, and the new one takes its place. */
static prc_status make(prc_stepper *s, double h, prc_error *err) {
  prc_operator *op = NULL;
  prc_error first = {0};
  prc_status status = prc_step_create_operator(s, &op, &first);
  while (status == PRC_NOMEM && s->ladder.n > 0) { /* what is kept may be in the way */
    drop_oldest(&s->ladder);
    prc_error_clear(&first);
    status = prc_step_create_operator(s, &op, &first);
  }
  if (status != PRC_OK) {
    *err = first;
    prc_error_context(err, "steps of %g", h);
    return status;
  }
  prc_step_rung before = remove_current(s);
  s->op = s->contacts.op = op, s->op_h = h;
  status = make_W(s, err);
  if (status == PRC_OK) {
    keep(&s->ladder, &before);
    return PRC_OK;
  }
  prc_step_rung half = remove_current(s);
  free_rung(&half);
  put_back(s, &before);
  return status;
}

prc_status prc_step_ladder_set(prc_stepper *s, double h, prc_error *err) {
  const unsigned changing = PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE;
  prc_step_ladder *l = &s->ladder;
  int at = 0;
  s->options.h = h;
  if (h == s->op_h) return PRC_OK;
  if (s->scheme->resize) s->scheme->resize(s, &s->contacts.action);
  prc_step_contacts_resize(&s->options, &s->contacts);
  if (s->system->dynamics.varies & changing) return s->op_h = h, PRC_OK; /* each pass sets A */
  l->changes++;
  s->contacts.n_gathered = -1;
  while (at < l->n && l->rung[at].h != h) at++;
  if (at == l->n) return make(s, h, err);
  prc_step_rung next = remove_at(l, at), before = remove_current(s);
  put_back(s, &next);
  keep(l, &before);
  return PRC_OK;
}

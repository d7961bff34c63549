#include "config.h"
#include "linear/internal.h"
#include "linear/row.h"

#include <math.h>
#include <string.h>

/* By the factor of A, whose last unknowns are those that contacts touch: forward to them, the contact problem, backward. */
#define SHARED_FROM   200000 /* unknowns; one thread alone uses most of the memory's bandwidth with less */
#define PANEL_TRAFFIC 8.25 /* bytes an entry of the factor in one substitution, with its share of an index */

typedef struct {
  prc_frame frame; /* first: what works for a frame works for this */
  prc_factor *L;
  prc_sym *inner; /* of the numbers that came last, and where they stand in A; NULL: none have come */
  int *from;
} work;

static void factor_free(void **out) {
  work *w = *out;
  if (!w) return;
  prc_frame_free(&w->frame);
  prc_factor_free(&w->L);
  prc_sym_free(&w->inner);
  prc_delete(&w->from);
  prc_delete(&w);
  *out = NULL;
}

prc_status prc_operator_count_factor(prc_operator_setup *setup, prc_error *err) {
  double entries = 0.0;
  const prc_status status = prc_factor_count(setup->inner, &entries, err);
  setup->facts.entries = (size_t)entries;
  setup->facts.traffic_factor = 2.0 * PANEL_TRAFFIC * entries;
  return status;
}

static prc_status factor_cost(prc_operator_setup *setup, double least, double *bytes, void **out,
                              prc_error *err) {
  (void)least, (void)out;
  prc_status status = prc_operator_setup_order(setup, err);
  if (status == PRC_OK) status = prc_operator_count_factor(setup, err);
  *bytes = setup->facts.traffic_factor;
  return status;
}

static prc_status factor_create(prc_operator_setup *setup, void **out, prc_error *err) {
  prc_status status = PRC_OK;
  work *w = NULL;
  prc_try(prc_operator_setup_order(setup, err));
  prc_try(prc_new(&w, 1, err));
  w->frame = setup->frame, setup->frame = (prc_frame){0};
  prc_log_message(setup->plan->log, PRC_LOG_PHASE, "factorising a matrix of %d unknowns", setup->inner->n);
  prc_try(prc_factor_make(setup->inner, w->frame.n_tail, setup->plan->may_change, &w->L, err));
  if (w->frame.n_free >= SHARED_FROM) status = prc_factor_share(w->L, setup->plan->threads, err);
  if (status == PRC_OK) *out = w, w = NULL;
done:
  if (w) {
    void *half = w;
    factor_free(&half);
  }
  return status;
}

static prc_status factor_set(void *of, const prc_sym *A, prc_error *err) {
  work *w = of;
  const prc_status status = prc_frame_refill(&w->frame, A, &w->inner, &w->from, err);
  return status == PRC_OK ? prc_factor_set(w->L, w->inner, err) : status;
}

static prc_status factor_begin(void *of, const double *guess, double *x, prc_error *err) {
  work *w = of;
  prc_frame *f = &w->frame;
  (void)guess, (void)err;
  prc_frame_enter(f, x);
  prc_factor_forward(w->L, f->y);
  memcpy(f->kick, f->y + f->n_lead, (size_t)f->n_tail * sizeof *f->kick);
  prc_tail_multiply(prc_factor_tail(w->L), f->kick, f->y + f->n_lead);
  prc_frame_leave_tail(f, x);
  return PRC_OK;
}

static void factor_finish(void *of, const prc_rows *H, int n, const int *list, double scale, const double *p,
                          double *x) {
  work *w = of;
  prc_frame *f = &w->frame;
  if (prc_frame_pull(f, H, n, list, scale, p)) {
    prc_frame_kick(f, prc_factor_tail(w->L));
    for (int k = 0; k < f->n_tail; k++) f->y[f->n_lead + k] += f->kick[k];
  }
  prc_factor_backward(w->L, f->y);
  prc_frame_leave(f, x);
}

static int factor_is_sparse(const void *of) {
  return prc_tail_is_sparse(prc_factor_tail(((const work *)of)->L));
}

static void factor_condense_dense(void *of, const prc_rows *H, int n, const int *list, double scale,
                                  double *W) {
  work *w = of;
  prc_frame_condense_dense(&w->frame, prc_factor_tail(w->L), H, n, list, scale, W);
}

static prc_status factor_condense_blocks(void *of, const prc_rows *H, int n, const int *list, double scale,
                                         prc_block_matrix *W, prc_error *err) {
  work *w = of;
  return prc_frame_condense_blocks(&w->frame, prc_factor_tail(w->L), H, n, list, scale, W, err);
}

static void factor_reach(void *of, const prc_rows *G, int row, int count, const int *dof, double *y) {
  work *w = of;
  prc_frame_reach(&w->frame, prc_factor_tail(w->L), G, row, count, dof, y);
}

/* Between begin and finish the tail of y is that of A^-1 b. */
static void factor_add(void *of, const prc_rows *G, const double *l, double *x) {
  work *w = of;
  prc_frame *f = &w->frame;
  if (prc_frame_pull(f, G, G->n, NULL, 1.0, l)) {
    prc_frame_kick(f, prc_factor_tail(w->L));
    for (int k = 0; k < f->n_tail; k++) f->y[f->n_lead + k] += f->kick[k];
  }
  if (x) prc_frame_leave_tail(f, x);
}

static const prc_frame *factor_frame(const void *of) {
  return &((const work *)of)->frame;
}

static void factor_facts(const void *of, prc_operator_facts *facts) {
  const work *w = of;
  facts->ordering = w->frame.ordering;
  facts->n_touched = w->frame.n_tail;
  facts->entries = prc_factor_nnz(w->L);
  facts->bytes = prc_factor_bytes(w->L) + prc_frame_bytes(&w->frame);
  facts->weakest_pivot = prc_factor_weakest_pivot(w->L);
  facts->shared = prc_factor_is_shared(w->L);
}

const prc_operator_row prc_operator_factor = {
    .name = "direct",
    .cost = factor_cost,
    .create = factor_create,
    .set = factor_set,
    .begin = factor_begin,
    .finish = factor_finish,
    .is_sparse = factor_is_sparse,
    .condense_dense = factor_condense_dense,
    .condense_blocks = factor_condense_blocks,
    .facts = factor_facts,
    .free = factor_free,
    .reach = factor_reach,
    .add = factor_add,
    .frame = factor_frame,
};

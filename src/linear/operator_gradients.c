#include "config.h"
#include "linear/internal.h"
#include "linear/row.h"

#include <math.h>
#include <string.h>

/* By conjugate gradients, with S^-1 from the factor of a near field: faster than the factor of A where that is large and the mass rules A. A
 * step of theirs reads and writes what so many products with A and as many passes over ten vectors do. A byte of that counts half as
 * much again as one of a substitution: products go to and fro in their vectors where substitutions go straight on. */
#define TO_AND_FRO 1.5
#define FEWEST     4   /* products that conjugate gradients need at least */
#define NEAR_SHARE 0.5 /* a larger near field is not tried unless iteration is asked for */

typedef struct {
  prc_frame frame; /* first: what works for a frame works for this */
  prc_iteration *it;
  double tolerance;
  double *guess; /* n_free, in the order of elimination */
} work;

static void gradients_free(void **out) {
  work *w = *out;
  if (!w) return;
  prc_frame_free(&w->frame);
  prc_iteration_free(&w->it);
  prc_delete(&w->guess);
  prc_delete(&w);
  *out = NULL;
}

/* With its trial; *out stays NULL where it does not converge, or not with so small a share of the unknowns in its near field. The frame stays
 * with the setup, which another row may need. */
static prc_status try_it(prc_operator_setup *setup, double share, work **out, prc_error *err) {
  prc_status status = PRC_OK;
  work *w = NULL;
  prc_operator_facts *facts = &setup->facts;
  prc_try(prc_new(&w, 1, err));
  w->tolerance = setup->plan->tolerance;
  prc_try(prc_iteration_create(setup->inner, setup->frame.n_tail, w->tolerance, share, &w->it, err));
  if (!w->it) goto done;
  prc_try(prc_new(&w->guess, setup->frame.n_free, err));
  prc_try(prc_iteration_trial(w->it, &facts->products, err));
  facts->traffic_iteration = prc_iteration_traffic(w->it, facts->products);
  if (facts->products >= 0)
    *out = w, w = NULL;
  else
    facts->products = 0;
done:
  if (w) {
    void *half = w;
    gradients_free(&half);
  }
  return status;
}

static prc_status gradients_cost(prc_operator_setup *setup, double least, double *bytes, void **out,
                                 prc_error *err) {
  work *w = NULL;
  *bytes = INFINITY;
  if (!setup->plan->has_mass) return PRC_OK;
  prc_status status = prc_operator_setup_order(setup, err);
  if (status != PRC_OK) return status;
  const double fewest = FEWEST * (10.0 * prc_sym_nnz(setup->inner) + 80.0 * setup->inner->n);
  if (TO_AND_FRO * fewest >= least) return PRC_OK; /* not worth a trial */
  status = try_it(setup, NEAR_SHARE, &w, err);
  *out = w;
  if (w) *bytes = TO_AND_FRO * setup->facts.traffic_iteration;
  return status;
}

static prc_status gradients_create(prc_operator_setup *setup, void **out, prc_error *err) {
  prc_status status = PRC_OK;
  work *w = *out;
  if (!setup->plan->has_mass)
    return prc_fail(err, PRC_INPUT,
                    "conjugate gradients need a mass, which a quasi-static analysis lacks; expected the "
                    "solver direct or auto");
  if (!w) {
    prc_try(prc_operator_setup_order(setup, err));
    prc_try(prc_operator_count_factor(setup, err));
    prc_try(try_it(setup, 1.0, &w, err));
  }
  if (!w)
    return prc_fail(
        err, PRC_INPUT,
        "conjugate gradients do not converge in this case's matrix; expected the solver direct or auto");
  w->frame = setup->frame, setup->frame = (prc_frame){0};
  *out = w;
done:
  return status;
}

static prc_status gradients_set(void *of, const prc_sym *A, prc_error *err) {
  prc_status status = PRC_OK;
  work *w = of;
  prc_sym *inner = NULL;
  prc_try(prc_frame_prescribe(&w->frame, A, &inner, err));
  prc_iteration_free(&w->it);
  status = prc_iteration_create(inner, w->frame.n_tail, w->tolerance, 1.0, &w->it, err);
done:
  prc_sym_free(&inner);
  return status;
}

static prc_status gradients_begin(void *of, const double *guess, double *x, prc_error *err) {
  work *w = of;
  prc_frame *f = &w->frame;
  for (int k = 0; k < f->n_free; k++) w->guess[k] = guess ? guess[f->perm[k]] : 0.0;
  prc_frame_enter(f, x);
  if (prc_iteration_solve(w->it, w->guess, f->y) < 0)
    return prc_fail(err, PRC_DIVERGED,
                    "conjugate gradients do not converge, expected loads and velocities that are finite");
  prc_frame_leave_tail(f, x);
  return PRC_OK;
}

static void gradients_finish(void *of, const prc_rows *H, int n, const int *list, double scale,
                             const double *p, double *x) {
  work *w = of;
  prc_frame *f = &w->frame;
  if (prc_frame_pull(f, H, n, list, scale, p)) {
    prc_frame_kick(f, prc_iteration_tail(w->it));
    prc_iteration_spread(w->it, f->kick, f->y);
  }
  prc_frame_leave(f, x);
}

static int gradients_is_sparse(const void *of) {
  return prc_tail_is_sparse(prc_iteration_tail(((const work *)of)->it));
}

static void gradients_condense_dense(void *of, const prc_rows *H, int n, const int *list, double scale,
                                     double *W) {
  work *w = of;
  prc_frame_condense_dense(&w->frame, prc_iteration_tail(w->it), H, n, list, scale, W);
}

static prc_status gradients_condense_blocks(void *of, const prc_rows *H, int n, const int *list, double scale,
                                            prc_block_matrix *W, prc_error *err) {
  work *w = of;
  return prc_frame_condense_blocks(&w->frame, prc_iteration_tail(w->it), H, n, list, scale, W, err);
}

static void gradients_facts(const void *of, prc_operator_facts *facts) {
  const work *w = of;
  facts->ordering = w->frame.ordering;
  facts->n_touched = w->frame.n_tail;
  facts->bytes = prc_frame_bytes(&w->frame) + (size_t)w->frame.n_free * sizeof *w->guess;
  if (w->it) facts->bytes += prc_iteration_bytes(w->it);
}

const prc_operator_row prc_operator_gradients = {
    .name = "iterative",
    .cost = gradients_cost,
    .create = gradients_create,
    .set = gradients_set,
    .begin = gradients_begin,
    .finish = gradients_finish,
    .is_sparse = gradients_is_sparse,
    .condense_dense = gradients_condense_dense,
    .condense_blocks = gradients_condense_blocks,
    .facts = gradients_facts,
    .free = gradients_free,
};

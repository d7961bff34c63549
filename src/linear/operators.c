#include "config.h"
#include "linear/joined.h"

#include <math.h>
#include <string.h>

/* The table. The first row is the one that auto takes where nothing is counted. */
static const prc_operator_row *const rows[] = {&prc_operator_factor, &prc_operator_gradients,
                                               &prc_operator_umfpack,
#ifdef PRC_HAVE_PETSC
                                               &prc_operator_petsc,
#endif
                                               &prc_operator_diagonal};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* Below so many unknowns a factor is small enough for the caches, and the cost of the other rows is not asked. Above, what a step waits for is memory:
 * the row that reads and writes less is the faster one. Counts decide, never times, so that a run does not depend on what else the
 * machine does. */
#define AUTO_FROM 100000

struct prc_operator {
  const prc_operator_row *row;
  void *work;
  prc_joined *joined;         /* NULL: there are no joints */
  int may_change, n, entries; /* of A */
  prc_operator_facts facts;   /* what was counted when it was made */
};

/* ---- making ---------------------------------------------------------------------------------------------------------------- */

prc_status prc_operator_setup_order(prc_operator_setup *setup, prc_error *err) {
  if (setup->frame.perm) return PRC_OK;
  const prc_operator *like = setup->plan->like;
  prc_log_message(setup->plan->log, PRC_LOG_PHASE, "ordering %d unknowns", setup->A->n);
  const prc_frame *other = like && like->row->frame ? like->row->frame(like->work) : NULL;
  prc_status status = other ? prc_frame_create_like(other, &setup->frame, err)
                            : prc_frame_create(setup->A, setup->plan->part, prc_order, &setup->frame, err);
  if (status == PRC_OK) status = prc_frame_prescribe(&setup->frame, setup->A, &setup->inner, err);
  if (status == PRC_OK && setup->plan->given) {
    prc_sym_free(setup->plan->given);
    setup->A = NULL;
  }
  return status;
}

/* Data made to know a cost are freed if that operator is not chosen. */
static prc_status choose(prc_operator *op, prc_operator_setup *setup, prc_error *err) {
  prc_status status = PRC_OK;
  double least = INFINITY, bytes = INFINITY;
  void *work = NULL;
  int n_free = 0;
  op->row = rows[0];
  for (int k = 0; k < N_ROWS; k++)
    if (rows[k]->suits && rows[k]->suits(setup->A)) return op->row = rows[k], PRC_OK;
  for (int i = 0; i < setup->A->n; i++) n_free += setup->plan->part[i] != 2;
  if (n_free < AUTO_FROM || setup->plan->is_one_of_many) return PRC_OK;
  for (int k = 0; k < N_ROWS; k++) {
    if (!rows[k]->cost || (setup->plan->joints && setup->plan->joints->n > 0 && !rows[k]->reach)) continue;
    prc_try(rows[k]->cost(setup, least, &bytes, &work, err));
    if (bytes < least) {
      op->row->free(&op->work);
      op->row = rows[k], op->work = work, work = NULL, least = bytes;
    }
    rows[k]->free(&work);
  }
done:
  return status;
}

static prc_status find_row(const char *name, const prc_operator_row **row, prc_error *err) {
  char names[128] = "auto";
  for (int k = 0; k < N_ROWS; k++) {
    if (strcmp(name, rows[k]->name) == 0) return *row = rows[k], PRC_OK;
    strncat(names, k + 1 < N_ROWS ? ", " : " or ", sizeof names - strlen(names) - 1);
    strncat(names, rows[k]->name, sizeof names - strlen(names) - 1);
  }
  return prc_fail(err, PRC_INPUT, "no solver of linear systems is called '%s', expected %s", name, names);
}

/* Where ranks share the unknowns, the row that does. */
static prc_status check_share(const char *name, const prc_operator_plan *plan, prc_error *err) {
  if (!plan->share || strcmp(name, PRC_OPERATOR_OF_RANKS) == 0) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "ranks share the unknowns: the solver %s cannot be, expected petsc or auto",
                  name);
}

prc_status prc_operator_create(const char *name, const prc_sym *A, const prc_operator_plan *plan,
                               prc_operator **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_operator *op = NULL;
  prc_operator_setup setup = {.A = A, .plan = plan};
  setup.facts.weakest_pivot = 1.0;
  if (plan->share && strcmp(name, "auto") == 0) name = PRC_OPERATOR_OF_RANKS;
  prc_try(check_share(name, plan, err));
  prc_try(prc_new(&op, 1, err));
  if (strcmp(name, "auto") != 0) prc_try(find_row(name, &op->row, err));
  prc_try(prc_sym_check(A, "the matrix", err));
  op->may_change = plan->may_change, op->n = A->n, op->entries = prc_sym_nnz(A);
  if (!op->row) prc_try(choose(op, &setup, err));
  if (plan->joints && plan->joints->n > 0) prc_try(prc_joined_create(op->row, A, plan, &op->joined, err));
  prc_try(op->row->create(&setup, &op->work, err));
  if (op->joined) op->joined->work = op->work;
  op->facts = setup.facts;
  op->facts.name = op->row->name;
  *out = op, op = NULL;
done:
  prc_frame_free(&setup.frame);
  prc_sym_free(&setup.inner);
  if (plan->given) prc_sym_free(plan->given);
  prc_operator_free(&op);
  return status;
}

void prc_operator_free(prc_operator **op) {
  if (!*op) return;
  if ((*op)->row) (*op)->row->free(&(*op)->work);
  prc_joined_free(&(*op)->joined);
  prc_delete(op);
}

prc_status prc_operator_set(prc_operator *op, const prc_sym *A, prc_error *err) {
  if (!op->may_change)
    return prc_fail(err, PRC_INPUT,
                    "the operator was planned for one matrix, expected may_change in its plan");
  const prc_status status = prc_sym_check(A, "the matrix", err);
  if (status == PRC_OK && (A->n != op->n || prc_sym_nnz(A) != op->entries))
    return prc_fail(err, PRC_INPUT,
                    "the matrix has %d rows and %d entries, expected the pattern of the first, %d and %d",
                    A->n, prc_sym_nnz(A), op->n, op->entries);
  if (op->joined) op->joined->given = 0;
  return status == PRC_OK ? op->row->set(op->work, A, err) : status;
}

/* ---- a step ---------------------------------------------------------------------------------------------------------------- */

prc_status prc_operator_begin(prc_operator *op, const double *guess, double *x, prc_error *err) {
  const prc_status status = op->row->begin(op->work, guess, x, err);
  return op->joined && status == PRC_OK ? prc_joined_begin(op->joined, x, err) : status;
}

int prc_operator_is_sparse(const prc_operator *op) {
  return op->joined ? prc_joined_is_sparse(op->joined) : op->row->is_sparse(op->work);
}

void prc_operator_condense_dense(prc_operator *op, const prc_rows *H, int n, const int *list, double scale,
                                 double *W) {
  if (op->joined)
    prc_joined_condense_dense(op->joined, H, n, list, scale, W);
  else
    op->row->condense_dense(op->work, H, n, list, scale, W);
}

prc_status prc_operator_condense_blocks(prc_operator *op, const prc_rows *H, int n, const int *list,
                                        double scale, prc_block_matrix *W, prc_error *err) {
  return op->joined ? prc_joined_condense_blocks(op->joined, H, n, list, scale, W, err)
                    : op->row->condense_blocks(op->work, H, n, list, scale, W, err);
}

int prc_operator_has_runs(const prc_operator *op) {
  return !op->joined && op->row->has_runs && op->row->has_runs(op->work);
}

prc_status prc_operator_condense_runs(prc_operator *op, const prc_rows *H, int n, const int *list,
                                      double scale, prc_run_matrix *W, prc_error *err) {
  return op->row->condense_runs(op->work, H, n, list, scale, W, err);
}

void prc_operator_finish(prc_operator *op, const prc_rows *H, int n, const int *list, double scale,
                         const double *p, double *x) {
  if (op->joined) prc_joined_finish(op->joined, H, n, list, scale, p);
  op->row->finish(op->work, H, n, list, scale, p, x);
}

/* ---- joints ---------------------------------------------------------------------------------------------------------------- */

static prc_status refuse_joints(const prc_rows *G, prc_error *err) {
  return G->n == 0 ? PRC_OK : prc_fail(err, PRC_INPUT, "the operator was planned without joints");
}

prc_status prc_operator_rank_joints(prc_operator *op, const prc_rows *G, prc_error *err) {
  return op->joined ? prc_joined_rank(op->joined, G, err) : refuse_joints(G, err);
}

prc_status prc_operator_turn_joints(prc_operator *op, const prc_rows *G, prc_error *err) {
  return op->joined ? prc_joined_turn(op->joined, G, err) : refuse_joints(G, err);
}

prc_status prc_operator_set_joints(prc_operator *op, const prc_rows *G, prc_error *err) {
  const prc_status status = prc_operator_rank_joints(op, G, err);
  return status == PRC_OK ? prc_operator_turn_joints(op, G, err) : status;
}

prc_status prc_operator_lead_joints(prc_operator *op, const double *lead, prc_error *err) {
  return op->joined ? prc_joined_lead(op->joined, lead, err) : PRC_OK;
}

void prc_operator_aim_joints(prc_operator *op, const double *g) {
  if (op->joined) prc_joined_aim(op->joined, g);
}

void prc_operator_size_joints(prc_operator *op, double least) {
  if (op->joined) op->joined->least = least;
}

void prc_operator_joint_forces(const prc_operator *op, double *l) {
  if (op->joined) memcpy(l, op->joined->l, (size_t)op->joined->n_rows * sizeof *l);
}

void prc_operator_dependence(prc_operator *op, int row, double *share) {
  if (op->joined) prc_joined_dependence(op->joined, row, share);
}

int prc_operator_contradiction(const prc_operator *op, double *by) {
  if (!op->joined || op->joined->contradiction < 0) return -1;
  *by = op->joined->missed;
  return op->joined->contradiction;
}

prc_operator_facts prc_operator_get_facts(const prc_operator *op) {
  prc_operator_facts facts = op->facts;
  op->row->facts(op->work, &facts);
  if (op->joined) facts.bytes += prc_joined_bytes(op->joined);
  return facts;
}

int prc_operator_uses_panels(const prc_operator *op) {
  return !op->row->no_panels;
}

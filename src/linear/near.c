#include "config.h"
#include "base/order.h"
#include "linear/petsc.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The near field of what contacts touch, on rank 0: A among the unknowns within so many layers of the touched ones, fetched from the ranks that have them, and factored there.
 * That A^-1 is below rounding outside is tried, not assumed: layers are added until it holds. */
#define FIRST_LAYERS 24
#define NEGLIGIBLE   (0.01 * DBL_EPSILON) /* in the outermost layers, against the largest */

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static void clear(prc_near *f) {
  prc_operator_free(&f->op);
  prc_delete(&f->number);
  prc_delete(&f->x);
  prc_delete(&f->diagonal);
  prc_delete(&f->border);
  f->n_border = 0;
}

void prc_near_free(prc_near **out) {
  prc_near *f = *out;
  if (!f) return;
  clear(f);
  VecScatterDestroy(&f->to_all);
  VecDestroy(&f->values);
  prc_delete(&f->place);
  prc_delete(&f->before);
  prc_delete(&f->H.dof);
  prc_delete(out);
}

/* ---- which unknowns, and A among them ---------------------------------------------------------------------------------- */

/* Of all ranks; others than rank 0 give none. Sorted. */
static prc_status find_layers(const petsc_work *w, int layers, IS *is, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = w->share->ranks->rank == 0 ? w->n_touched : 0;
  int *number = NULL;
  prc_try(prc_new(&number, n, err));
  for (int k = 0; k < n; k++) number[k] = prc_petsc_number(w->share, w->touched[k]);
  qsort(number, (size_t)n, sizeof *number, prc_by_int);
  prc_petsc(ISCreateGeneral(PETSC_COMM_SELF, n, number, PETSC_COPY_VALUES, is));
  if (layers > 0) prc_petsc(MatIncreaseOverlap(w->A, 1, is, layers));
  prc_petsc(ISSort(*is));
done:
  prc_delete(&number);
  return status;
}

/* The rows of B are its columns: column j is row j from the diagonal on. One more unknown, alone, is the last. */
static prc_status copy_matrix(Mat B, int n, prc_sym **out, prc_error *err) {
  prc_status status = PRC_OK;
  const PetscInt *start, *column;
  const PetscScalar *value;
  PetscInt rows;
  PetscBool done_well = PETSC_FALSE;
  int count = 1, at = 0;
  prc_petsc(MatGetRowIJ(B, 0, PETSC_FALSE, PETSC_FALSE, &rows, &start, &column, &done_well));
  prc_petsc(MatSeqAIJGetArrayRead(B, &value));
  for (int i = 0; i < n; i++)
    for (PetscInt k = start[i]; k < start[i + 1]; k++) count += column[k] >= i;
  prc_try(prc_sym_create(n + 1, count, out, err));
  for (int i = 0; i < n; i++) {
    for (PetscInt k = start[i]; k < start[i + 1]; k++)
      if (column[k] >= i) (*out)->i[at] = column[k], (*out)->x[at++] = value[k];
    (*out)->p[i + 1] = at;
  }
  (*out)->i[at] = n, (*out)->x[at++] = 1.0, (*out)->p[n + 1] = at;
  prc_petsc(MatSeqAIJRestoreArrayRead(B, &value));
  prc_petsc(MatRestoreRowIJ(B, 0, PETSC_FALSE, PETSC_FALSE, &rows, &start, &column, &done_well));
done:
  return status;
}

/* ---- its operator ------------------------------------------------------------------------------------------------------- */

static int place_of(const prc_near *f, int number) {
  const int *at = bsearch(&number, f->number, (size_t)f->n, sizeof *f->number, prc_by_int);
  return at ? (int)(at - f->number) : f->n;
}

/* On rank 0: of the unknowns in `is`, with A among them. */
static prc_status make_operator(const petsc_work *w, IS is, Mat B, prc_near *f, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *A = NULL;
  char *part = NULL;
  const PetscInt *number;
  PetscInt n;
  clear(f);
  prc_petsc(ISGetLocalSize(is, &n));
  f->n = (int)n;
  prc_try(prc_new(&f->number, n, err));
  prc_petsc(ISGetIndices(is, &number));
  memcpy(f->number, number, (size_t)n * sizeof *f->number);
  prc_petsc(ISRestoreIndices(is, &number));
  prc_try(copy_matrix(B, f->n, &A, err));
  prc_try(prc_new(&part, (size_t)n + 1, err));
  prc_try(prc_new(&f->x, (size_t)n + 1, err));
  prc_try(prc_new(&f->diagonal, n, err));
  for (int i = 0; i < f->n; i++) f->diagonal[i] = A->x[A->p[i]];
  for (int k = 0; k < w->n_touched; k++) {
    f->place[w->touched[k]] = place_of(f, prc_petsc_number(w->share, w->touched[k]));
    part[f->place[w->touched[k]]] = 1;
  }
  part[n] = 2;
  const prc_operator_plan plan = {.given = &A, .part = part, .has_mass = 1, .threads = 1};
  prc_try(prc_operator_create("direct", A, &plan, &f->op, err));
done:
  prc_sym_free(&A);
  prc_delete(&part);
  return status;
}

/* Lists the outermost layer. Is what percussions all over the touched unknowns do, up and down, negligible there? inner: the unknowns without it. */
static prc_status falls_off(const petsc_work *w, prc_near *f, IS inner, int *it_does, prc_error *err) {
  prc_status status = PRC_OK;
  prc_random random = {.state = 1};
  prc_rows each = {.n = w->n_touched, .dim = 1};
  double *kick = NULL, outside = 0.0, largest = 0.0;
  const PetscInt *within;
  PetscInt n_within;
  prc_try(prc_new(&each.start, (size_t)each.n + 1, err));
  prc_try(prc_new(&each.dof, each.n, err));
  prc_try(prc_new(&each.x, each.n, err));
  prc_try(prc_new(&kick, each.n, err));
  prc_try(prc_new(&f->border, f->n, err));
  for (int k = 0; k < each.n; k++) {
    each.start[k + 1] = k + 1, each.dof[k] = f->place[w->touched[k]], each.x[k] = 1.0;
    kick[k] = prc_random_uniform(&random, -1.0, 1.0);
  }
  memset(f->x, 0, ((size_t)f->n + 1) * sizeof *f->x);
  prc_try(prc_operator_begin(f->op, NULL, f->x, err));
  prc_operator_finish(f->op, &each, each.n, NULL, 1.0, kick, f->x);
  prc_petsc(ISGetLocalSize(inner, &n_within));
  prc_petsc(ISGetIndices(inner, &within));
  for (int k = 0, in = 0; k < f->n; k++) {
    while (in < n_within && within[in] < f->number[k]) in++;
    largest = fmax(largest, fabs(f->x[k]));
    if (in == n_within || within[in] != f->number[k])
      outside = fmax(outside, fabs(f->x[k])), f->border[f->n_border++] = k;
  }
  prc_petsc(ISRestoreIndices(inner, &within));
  *it_does = outside <= NEGLIGIBLE * largest;
done:
  prc_delete(&each.start);
  prc_delete(&each.dof);
  prc_delete(&each.x);
  prc_delete(&kick);
  return status;
}

/* Collective: *found on all ranks. */
static prc_status try_layers(petsc_work *w, prc_near *f, int layers, int *found, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_ranks *ranks = w->share->ranks;
  IS inner = NULL, is = NULL;
  Mat *part = NULL;
  *found = 0;
  prc_try(find_layers(w, layers - 1, &inner, err));
  prc_try(find_layers(w, layers, &is, err));
  prc_petsc(MatCreateSubMatrices(w->A, 1, &is, &is, MAT_INITIAL_MATRIX, &part));
  if (ranks->rank == 0) status = make_operator(w, is, part[0], f, err);
  prc_petsc(MatDestroySubMatrices(1, &part));
  if (ranks->rank == 0 && status == PRC_OK) status = falls_off(w, f, inner, found, err);
  if (f->n == w->share->width * w->share->n_whole) *found = 1, f->n_border = 0;
  prc_try(prc_ranks_agree(ranks, status, err));
  ranks->broadcast(ranks->of, sizeof *found, found);
done:
  ISDestroy(&inner);
  ISDestroy(&is);
  return status;
}

/* ---- making --------------------------------------------------------------------------------------------------------------- */

static prc_status make_ways(petsc_work *w, prc_near *f, prc_error *err) {
  prc_status status = PRC_OK;
  IS numbers = NULL;
  prc_petsc(ISCreateGeneral(PETSC_COMM_SELF, f->n, f->number, PETSC_COPY_VALUES, &numbers));
  prc_petsc(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, f->n, f->x, &f->values));
  prc_petsc(VecScatterCreate(f->values, NULL, w->x, numbers, &f->to_all));
done:
  ISDestroy(&numbers);
  return status;
}

prc_status prc_near_create(petsc_work *w, const prc_log *log, prc_near **out, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_ranks *ranks = w->share->ranks;
  prc_near *f = NULL;
  int found = 0;
  prc_log_message(log, PRC_LOG_PHASE, "factorising the near field of the contacts");
  prc_try(prc_new(&f, 1, err));
  f->n_place = w->share->width * w->share->n;
  prc_try(prc_new(&f->place, f->n_place, err));
  prc_try(prc_new(&f->before, w->n_touched, err));
  for (int layers = FIRST_LAYERS; !found; layers += layers / 2) {
    prc_try(try_layers(w, f, layers, &found, err));
    f->layers = layers;
  }
  for (int i = 0, k = 0; i < f->n_place; i++)
    if (k < w->n_touched && w->touched[k] == i)
      k++;
    else
      f->place[i] = f->n;
  if (ranks->rank == 0) {
    const prc_operator_facts facts = prc_operator_get_facts(f->op);
    f->is_sparse = prc_operator_is_sparse(f->op), f->bytes = facts.bytes, f->entries = facts.entries;
  }
  ranks->broadcast(ranks->of, sizeof f->is_sparse, &f->is_sparse);
  prc_try(make_ways(w, f, err));
  *out = f, f = NULL;
done:
  prc_near_free(&f);
  return status;
}

/* ---- a list of contacts in the numbers of the near field -------------------------------------------------------------------- */

static prc_status map(prc_near *f, const prc_rows *H, prc_error *err) {
  const size_t count = (size_t)H->start[H->n];
  const prc_status status = prc_grow(&f->H.dof, &f->room, count, sizeof *f->H.dof, err);
  if (status != PRC_OK) return status;
  for (size_t k = 0; k < count; k++) f->H.dof[k] = f->place[H->dof[k]];
  f->H.n = H->n, f->H.dim = H->dim, f->H.start = H->start, f->H.x = H->x;
  return PRC_OK;
}

/* Rows i outside have sum_j A_ij x_j over the border, and A_ij^2 <= A_ii A_jj: with at most c entries in a row, the squares r_i^2 / A_ii are at most
 * c^2 sum_j A_jj x_j^2 in all. */
static double left_outside(const petsc_work *w, const prc_near *f) {
  double sum = 0.0;
  for (int k = 0; k < f->n_border; k++) {
    const int j = f->border[k];
    sum += f->diagonal[j] * f->x[j] * f->x[j];
  }
  return w->widest * sqrt(sum);
}

double prc_near_solve(petsc_work *w, const prc_rows *H, int n, const int *list, double scale,
                      const double *p) {
  prc_near *f = w->near;
  prc_error err = {0};
  if (w->share->ranks->rank > 0) return 0.0;
  memset(f->x, 0, ((size_t)f->n + 1) * sizeof *f->x);
  if (map(f, H, &err) != PRC_OK || prc_operator_begin(f->op, NULL, f->x, &err) != PRC_OK) {
    w->failed = 1;
    return NAN;
  }
  prc_operator_finish(f->op, &f->H, n, list, scale, p, f->x);
  return left_outside(w, f);
}

void prc_near_spread(petsc_work *w) {
  prc_near *f = w->near;
  (void)VecScatterBegin(f->to_all, f->values, w->x, ADD_VALUES, SCATTER_FORWARD);
  (void)VecScatterEnd(f->to_all, f->values, w->x, ADD_VALUES, SCATTER_FORWARD);
}

void prc_near_condense_dense(petsc_work *w, const prc_rows *H, int n, const int *list, double scale,
                             double *W) {
  prc_near *f = w->near;
  const prc_ranks *ranks = w->share->ranks;
  const size_t rows = (size_t)H->dim * (size_t)n;
  prc_error err = {0};
  if (ranks->rank == 0) {
    if (map(f, H, &err) == PRC_OK)
      prc_operator_condense_dense(f->op, &f->H, n, list, scale, W);
    else
      for (size_t k = 0; k < rows * rows; k++) W[k] = NAN;
  }
  ranks->broadcast(ranks->of, rows * rows * sizeof *W, W);
}

prc_status prc_near_condense_blocks(petsc_work *w, const prc_rows *H, int n, const int *list, double scale,
                                    prc_block_matrix *W, prc_error *err) {
  prc_status status = PRC_OK;
  prc_near *f = w->near;
  const prc_ranks *ranks = w->share->ranks;
  const size_t size = (size_t)H->dim * (size_t)H->dim;
  int count = 0;
  if (ranks->rank == 0) {
    status = map(f, H, err);
    if (status == PRC_OK) status = prc_operator_condense_blocks(f->op, &f->H, n, list, scale, W, err);
    if (status == PRC_OK) count = W->blocks.row_start[n];
  }
  prc_try(prc_ranks_agree(ranks, status, err));
  ranks->broadcast(ranks->of, sizeof count, &count);
  if (ranks->rank > 0) status = prc_block_matrix_rows(W, n, err);
  if (ranks->rank > 0 && status == PRC_OK) status = prc_block_matrix_blocks(W, H->dim, (size_t)count, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  ranks->broadcast(ranks->of, ((size_t)n + 1) * sizeof *W->blocks.row_start, W->blocks.row_start);
  ranks->broadcast(ranks->of, (size_t)count * sizeof *W->blocks.column, W->blocks.column);
  ranks->broadcast(ranks->of, (size_t)count * size * sizeof *W->blocks.values, W->blocks.values);
done:
  return status;
}

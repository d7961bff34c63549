#include "config.h"
#include "linear/internal.h"
#include "linear/row.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A diagonal A, as of rigid bodies: nothing is ordered or factorised, and W_cj = scale sum_t h_ct h_jt / A_tt over the unknowns t that
 * the contacts c and j share. So W by blocks goes from a contact to its neighbours by its unknowns. */
enum { DIM_MOST = 4 };
#define SPARSE_FROM 128 /* unknowns that contacts touch: below, a dense W is small, and solved by more ways */

/* The d-th of the `count` unknowns of the contact that is i-th in the list: of its row r stands H.x[first + r * count]. */
typedef struct {
  int i, first, count;
} place;

typedef struct {
  int n, n_free, n_touched;
  double *inverse;   /* n: 1 / A_ii; 0 where it is prescribed */
  double *y, *pull;  /* n: A^-1 b since begin; workspace, H'p */
  char *part;        /* n */
  int n_bodies;      /* 0: not known; then neither are these */
  int *body, *first; /* n: the body of an unknown; n_bodies: the first unknown of each */
  int *start,
      *next; /* n + 1, of condense_blocks: places by their unknowns, in the order of the list; where each goes on */
  place *by;
  int *row_next; /* where rows of W go on */
  size_t by_room, row_room;
} work;

static void diagonal_free(void **out) {
  work *w = *out;
  if (!w) return;
  double **vectors[] = {&w->inverse, &w->y, &w->pull};
  int **lists[] = {&w->start, &w->next, &w->row_next, &w->body, &w->first};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) prc_delete(vectors[k]);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) prc_delete(lists[k]);
  prc_delete(&w->part);
  prc_delete(&w->by);
  prc_delete(&w);
  *out = NULL;
}

static int diagonal_suits(const prc_sym *A) {
  return prc_sym_nnz(A) == A->n;
}

static prc_status diagonal_set(void *of, const prc_sym *A, prc_error *err) {
  work *w = of;
  for (int i = 0; i < w->n; i++) {
    w->inverse[i] = 0.0;
    if (w->part[i] == 2) continue;
    if (!(A->x[i] > 0.0))
      return prc_fail(err, PRC_SINGULAR, "the matrix is not positive definite: unknown %d has %g", i,
                      A->x[i]);
    w->inverse[i] = 1.0 / A->x[i];
  }
  return PRC_OK;
}

static prc_status check(const prc_operator_setup *setup, prc_error *err) {
  const prc_sym *A = setup->A;
  if (!diagonal_suits(A))
    return prc_fail(err, PRC_INPUT,
                    "the matrix has %d entries beside its diagonal, expected none with the solver diagonal",
                    prc_sym_nnz(A) - A->n);
  for (int i = 0; i < A->n; i++)
    if (setup->plan->part[i] < 0 || setup->plan->part[i] > 2)
      return prc_fail(err, PRC_INPUT, "unknown %d is in part %d, expected 0, 1 or 2", i,
                      setup->plan->part[i]);
  return PRC_OK;
}

/* Bodies of more than a run have none. */
static prc_status note_bodies(work *w, const int *body, prc_error *err) {
  prc_status status = PRC_OK;
  if (!body || w->n == 0) return PRC_OK;
  const int count = body[w->n - 1] + 1;
  prc_try(prc_new(&w->body, w->n, err));
  prc_try(prc_new(&w->first, count, err));
  memcpy(w->body, body, (size_t)w->n * sizeof *body);
  w->n_bodies = count;
  for (int i = w->n - 1; i >= 0; i--) w->first[body[i]] = i;
  for (int i = 0; i < w->n; i++)
    if (i - w->first[body[i]] >= PRC_RUN) w->n_bodies = 0;
done:
  return status;
}

static prc_status diagonal_create(prc_operator_setup *setup, void **out, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)setup->A->n;
  work *w = NULL;
  prc_try(check(setup, err));
  prc_try(prc_new(&w, 1, err));
  w->n = setup->A->n;
  double **vectors[] = {&w->inverse, &w->y, &w->pull};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) prc_try(prc_new(vectors[k], n, err));
  prc_try(prc_new(&w->part, n, err));
  prc_try(prc_new(&w->start, n + 1, err));
  prc_try(prc_new(&w->next, n + 1, err));
  if (n > 0) memcpy(w->part, setup->plan->part, n);
  for (int i = 0; i < w->n; i++) w->n_free += w->part[i] != 2, w->n_touched += w->part[i] == 1;
  prc_try(note_bodies(w, setup->plan->body, err));
  prc_try(diagonal_set(w, setup->A, err));
  if (setup->plan->given) {
    prc_sym_free(setup->plan->given);
    setup->A = NULL;
  }
  *out = w, w = NULL;
done:
  if (w) {
    void *half = w;
    diagonal_free(&half);
  }
  return status;
}

/* ---- a step ---------------------------------------------------------------------------------------------------------------- */

static prc_status diagonal_begin(void *of, const double *guess, double *x, prc_error *err) {
  work *w = of;
  (void)guess, (void)err;
  for (int i = 0; i < w->n; i++) x[i] = w->y[i] = w->part[i] == 2 ? x[i] : w->inverse[i] * x[i];
  return PRC_OK;
}

static void diagonal_finish(void *of, const prc_rows *H, int n, const int *list, double scale,
                            const double *p, double *x) {
  work *w = of;
  if (w->n == 0) return;
  memcpy(x, w->y, (size_t)w->n * sizeof *x);
  if (!H || n == 0) return;
  memset(w->pull, 0, (size_t)w->n * sizeof *w->pull);
  prc_rows_pull(H, n, list, 1.0, p, w->pull);
  for (int i = 0; i < w->n; i++) x[i] += scale * w->inverse[i] * w->pull[i];
}

static void diagonal_reach(void *of, const prc_rows *G, int row, int count, const int *dof, double *y) {
  const work *w = of;
  int next = 0; /* the unknowns are those of the row that are free, mostly in its order */
  for (int k = 0; k < count; k++) y[k] = 0.0;
  for (int at = G->start[row]; at < G->start[row + 1]; at++) {
    const int t = G->dof[at];
    int k = next;
    if (w->part[t] == 2) continue;
    if (k == count || dof[k] != t)
      for (k = 0; k < count && dof[k] != t;) k++;
    if (k < count) y[k] += w->inverse[t] * G->x[at], next = k + 1;
  }
}

static void diagonal_add(void *of, const prc_rows *G, const double *l, double *x) {
  work *w = of;
  double *y = w->y;
  for (int r = 0; r < G->n; r++) {
    for (int at = G->start[r]; at < G->start[r + 1]; at++) {
      const int t = G->dof[at];
      if (l[r] != 0.0) y[t] += w->inverse[t] * G->x[at] * l[r];
      if (x) x[t] = y[t];
    }
  }
}

static int diagonal_is_sparse(const void *of) {
  return ((const work *)of)->n_touched >= SPARSE_FROM;
}

/* ---- W ------------------------------------------------------------------------------------------------------------------------ */

#define INLINE static inline __attribute__((always_inline)) /* dim is a constant where these are used */

/* to += h_j h', h scaled already */
INLINE void add_product(const int dim, const double *hj, int stride, const double *h, double *to) {
  for (int r = 0; r < dim; r++)
    for (int s = 0; s < dim; s++) to[dim * r + s] += hj[r * stride] * h[s];
}

/* to := the block of the later contact's row and the earlier one's column, the sums in the order in which they are made by blocks */
static void find_block(const work *w, const prc_rows *H, int later, int earlier, double scale, double *to) {
  const int dim = H->dim, first = H->start[earlier], count = H->start[earlier + 1] - first,
            from = H->start[later], many = H->start[later + 1] - from;
  double h[DIM_MOST];
  for (int r = 0; r < dim * dim; r++) to[r] = 0.0;
  for (int d = 0; d < count; d++) {
    const int t = H->dof[first + d];
    for (int r = 0; r < dim; r++) h[r] = scale * w->inverse[t] * H->x[dim * first + r * count + d];
    for (int e = 0; e < many; e++)
      if (H->dof[from + e] == t) add_product(dim, H->x + dim * from + e, many, h, to);
  }
}

static void diagonal_condense_dense(void *of, const prc_rows *H, int n, const int *list, double scale,
                                    double *W) {
  const work *w = of;
  const int dim = H->dim;
  const size_t rows = (size_t)dim * (size_t)n;
  double block[DIM_MOST * DIM_MOST];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      find_block(w, H, list ? list[i] : i, list ? list[j] : j, scale, block);
      for (int r = 0; r < dim; r++)
        for (int s = 0; s < (i == j ? r + 1 : dim); s++) {
          const size_t row = (size_t)dim * (size_t)i + (size_t)r,
                       column = (size_t)dim * (size_t)j + (size_t)s;
          W[row * rows + column] = W[column * rows + row] = block[dim * r + s];
        }
    }
}

/* ---- by blocks ---------------------------------------------------------------------------------------------------------------- */

/* Places by their unknowns: by[start[t]] .. by[start[t + 1] - 1], in the order of the list. */
static prc_status list_by_unknowns(work *w, const prc_rows *H, int n, const int *list, prc_error *err) {
  prc_status status = PRC_OK;
  int *start = w->start, *next = w->next;
  memset(start, 0, ((size_t)w->n + 1) * sizeof *start);
  for (int i = 0; i < n; i++) {
    const int c = list ? list[i] : i;
    for (int k = H->start[c]; k < H->start[c + 1]; k++) start[H->dof[k] + 1]++;
  }
  for (int t = 0; t < w->n; t++) start[t + 1] += start[t];
  prc_try(prc_grow(&w->by, &w->by_room, (size_t)start[w->n], sizeof *w->by, err));
  prc_try(prc_grow(&w->row_next, &w->row_room, (size_t)n, sizeof *w->row_next, err));
  memcpy(next, start, ((size_t)w->n + 1) * sizeof *start);
  for (int i = 0; i < n; i++) {
    const int c = list ? list[i] : i, first = H->start[c], count = H->start[c + 1] - first;
    for (int d = 0; d < count; d++)
      w->by[next[H->dof[first + d]]++] = (place){.i = i, .first = H->dim * first + d, .count = count};
  }
  memcpy(next, start, ((size_t)w->n + 1) * sizeof *start);
done:
  return status;
}

/* Rows of W: how many blocks each has. Those that share a prescribed unknown alone have none together. */
static prc_status count_blocks(work *w, const prc_rows *H, int n, const int *list, prc_block_matrix *W,
                               prc_error *err) {
  const size_t size = (size_t)H->dim * (size_t)H->dim;
  size_t total = 0;
  int *start = W->blocks.row_start, *met = w->row_next;
  for (int i = 0; i < n; i++) start[i + 1] = 1, met[i] = -1;
  start[0] = 0;
  for (int i = 0; i < n; i++) {
    const int c = list ? list[i] : i;
    for (int k = H->start[c]; k < H->start[c + 1]; k++) {
      const int t = H->dof[k];
      if (w->part[t] == 2) continue;
      for (int at = ++w->next[t]; at < w->start[t + 1]; at++) {
        const int j = w->by[at].i;
        if (met[j] == i || j == i) continue;
        met[j] = i, start[i + 1]++, start[j + 1]++;
      }
    }
  }
  for (int i = 0; i < n; i++) {
    total += (size_t)start[i + 1];
    if (total > INT_MAX / size) return prc_fail(err, PRC_NOMEM, "W has too many blocks");
    start[i + 1] = (int)total;
  }
  memcpy(w->next, w->start, ((size_t)w->n + 1) * sizeof *w->next);
  return PRC_OK;
}

/* Contact after contact: what stands in its row already, blocks of those before it, goes to their rows too; then its own diagonal
 * block; then, by its unknowns, its blocks in the rows of those behind it. So columns ascend in every row. */
INLINE void fill(const int dim, work *w, const prc_rows *H, int n, const int *list, double scale,
                 const prc_blocks *W) {
  const int size = dim * dim;
  int *next = w->row_next;
  double h[DIM_MOST];
  for (int i = 0; i < n; i++) next[i] = W->row_start[i];
  for (int i = 0; i < n; i++) {
    const int c = list ? list[i] : i, first = H->start[c], count = H->start[c + 1] - first;
    double *own = W->values + (size_t)size * (size_t)next[i];
    for (int at = W->row_start[i]; at < next[i]; at++) {
      const int j = W->column[at], to = next[j]++;
      const double *from = W->values + (size_t)size * (size_t)at;
      double *mirror = W->values + (size_t)size * (size_t)to;
      W->column[to] = i;
      for (int r = 0; r < dim; r++)
        for (int s = 0; s < dim; s++) mirror[dim * s + r] = from[dim * r + s];
    }
    find_block(w, H, c, c, scale, own);
    for (int r = 0; r < dim; r++)
      for (int s = 0; s < r; s++) own[dim * s + r] = own[dim * r + s];
    W->column[next[i]++] = i;
    for (int d = 0; d < count; d++) {
      const int t = H->dof[first + d];
      if (w->part[t] == 2) continue;
      const double *hi = H->x + dim * first + d;
      for (int r = 0; r < dim; r++) h[r] = scale * w->inverse[t] * hi[r * count];
      for (int at = ++w->next[t]; at < w->start[t + 1]; at++) {
        const place *other = w->by + at;
        const int j = other->i;
        if (j == i) continue; /* an unknown that stands twice in it */
        double *to = W->values + (size_t)size * (size_t)next[j];
        if (next[j] > W->row_start[j] && W->column[next[j] - 1] == i) {
          to -= size;
        } else {
          W->column[next[j]++] = i;
          memset(to, 0, (size_t)size * sizeof *to);
        }
        add_product(dim, H->x + other->first, other->count, h, to);
      }
    }
  }
}

static prc_status diagonal_condense_blocks(void *of, const prc_rows *H, int n, const int *list, double scale,
                                           prc_block_matrix *W, prc_error *err) {
  work *w = of;
  prc_status status = PRC_OK;
  prc_try(list_by_unknowns(w, H, n, list, err));
  prc_try(prc_block_matrix_rows(W, n, err));
  prc_try(count_blocks(w, H, n, list, W, err));
  prc_try(prc_block_matrix_blocks(W, H->dim, (size_t)W->blocks.row_start[n], err));
  if (H->dim == 1)
    fill(1, w, H, n, list, scale, &W->blocks);
  else if (H->dim == 2)
    fill(2, w, H, n, list, scale, &W->blocks);
  else if (H->dim == 3)
    fill(3, w, H, n, list, scale, &W->blocks);
  else
    fill(H->dim, w, H, n, list, scale, &W->blocks);
done:
  return status;
}

/* ---- as G G' ---------------------------------------------------------------------------------------------------------------- */

void prc_run_matrix_free(prc_run_matrix *W) {
  prc_delete(&W->runs.run);
  prc_delete(&W->runs.G);
  prc_delete(&W->runs.v);
  *W = (prc_run_matrix){0};
}

static int diagonal_has_runs(const void *of) {
  return ((const work *)of)->n_bodies > 0;
}

/* G = scale^1/2 H A^-1/2; prescribed unknowns have no column in it. */
static prc_status diagonal_condense_runs(void *of, const prc_rows *H, int n, const int *list, double scale,
                                         prc_run_matrix *W, prc_error *err) {
  const work *w = of;
  prc_status status = PRC_OK;
  prc_runs *runs = &W->runs;
  const int dim = H->dim;
  const size_t width = 2 * PRC_RUN * (size_t)dim;
  runs->n_runs = w->n_bodies;
  prc_try(prc_grow(&runs->run, &W->contacts, 2 * (size_t)n, sizeof *runs->run, err));
  prc_try(prc_grow(&runs->G, &W->numbers, width * (size_t)n, sizeof *runs->G, err));
  prc_try(prc_grow(&runs->v, &W->velocities, ((size_t)w->n_bodies + 1) * PRC_RUN, sizeof *runs->v, err));
  if (n > 0) memset(runs->G, 0, width * (size_t)n * sizeof *runs->G);
  for (int i = 0; i < n; i++) {
    const int c = list ? list[i] : i, first = H->start[c], count = H->start[c + 1] - first;
    double *G = runs->G + width * (size_t)i;
    int *run = runs->run + 2 * i, seen = 0;
    run[0] = run[1] = w->n_bodies;
    for (int d = 0; d < count; d++) {
      const int t = H->dof[first + d], b = w->body[t];
      if (w->part[t] == 2) continue;
      if (seen == 0 || run[seen - 1] != b) {
        if (seen == 2) return prc_fail(err, PRC_INPUT, "contact %d touches more than two bodies", c);
        run[seen++] = b;
      }
      const double factor = sqrt(scale * w->inverse[t]);
      for (int r = 0; r < dim; r++)
        G[2 * PRC_RUN * r + PRC_RUN * (seen - 1) + t - w->first[b]] +=
            factor * H->x[dim * first + r * count + d];
    }
  }
done:
  return status;
}

static void diagonal_facts(const void *of, prc_operator_facts *facts) {
  const work *w = of;
  const size_t n = (size_t)w->n;
  facts->ordering = "none";
  facts->n_touched = w->n_touched;
  facts->entries = (size_t)w->n_free;
  facts->bytes = n * (3 * sizeof(double) + sizeof(char)) + 2 * (n + 1) * sizeof(int)
                 + w->by_room * sizeof *w->by + w->row_room * sizeof(int);
  facts->weakest_pivot = 1.0;
}

const prc_operator_row prc_operator_diagonal = {
    .name = "diagonal",
    .suits = diagonal_suits,
    .create = diagonal_create,
    .set = diagonal_set,
    .begin = diagonal_begin,
    .finish = diagonal_finish,
    .is_sparse = diagonal_is_sparse,
    .condense_dense = diagonal_condense_dense,
    .condense_blocks = diagonal_condense_blocks,
    .facts = diagonal_facts,
    .free = diagonal_free,
    .reach = diagonal_reach,
    .add = diagonal_add,
    .has_runs = diagonal_has_runs,
    .condense_runs = diagonal_condense_runs,
};

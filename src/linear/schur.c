#include "config.h"
#include "linear/schur.h"
#include "linear/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* L L' row by row (up-looking): the row of L at place k solves  L x = S_k  with the rows before it, over the pattern that the tree of
 * elimination gives once for all. A pivot 1 - |x|^2 is the squared distance of a row from the span of those before it, in units of its
 * length: NOTHING or less says that it depends on them. Where all pivots are CLEAR no row depends on others, whatever the order. Where some
 * row does, it matters which is dropped: the rest should not depend on each other nearly. If all others are WIDE the order will do; else the
 * island is decided by pivots in descending order (LAPACK's dpstrf). */
#define WIDE     0.1
#define CLEAR    1e-4
#define NOTHING  1e-12
#define PREPARED 2000 /* rows of an island that there is room for from the beginning, to decide it */

void dpstrf_(const char *uplo, const int *n, double *A, const int *lda, int *pivots, int *rank,
             const double *tolerance, double *work, int *info);

void prc_schur_free(prc_schur *s) {
  int **lists[] = {&s->perm,         &s->place,        &s->island,    &s->diagonal,  &s->from_start,
                   &s->from_place,   &s->from_value,   &s->row_start, &s->row_place, &s->row_at,
                   &s->column_start, &s->column_place, &s->pivots};
  double **vectors[] = {&s->x,    &s->pivot,  &s->scale, &s->work,
                        &s->rest, &s->sorted, &s->dense, &s->dense_work};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) prc_delete(lists[k]);
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) prc_delete(vectors[k]);
  prc_delete(&s->dropped);
  *s = (prc_schur){0};
}

size_t prc_schur_bytes(const prc_schur *s) {
  if (s->n == 0) return 0;
  const size_t n = (size_t)s->n, L = (size_t)s->row_start[s->n], from = (size_t)s->from_start[s->n];
  return n * (8 * sizeof(int) + 4 * sizeof(double)) + from * 2 * sizeof(int)
         + L * (3 * sizeof(int) + sizeof(double)) + s->dense_room * s->dense_room * sizeof(double);
}

/* ---- the pattern ---------------------------------------------------------------------------------------------------------- */

/* An order with little fill, in which the parts of the graph stand one after the other. */
static prc_status find_order(prc_schur *s, const int *start, const int *column, prc_error *err) {
  prc_status status = PRC_OK;
  cholmod_common common;
  cholmod_factor *L = NULL;
  double none = 0.0;
  /* by columns, upper triangle */
  cholmod_sparse S = {.nrow = (size_t)s->n,
                      .ncol = (size_t)s->n,
                      .nzmax = (size_t)start[s->n],
                      .p = (void *)start,
                      .i = (void *)column,
                      .x = &none,
                      .stype = 1,
                      .itype = CHOLMOD_INT,
                      .xtype = CHOLMOD_PATTERN,
                      .dtype = CHOLMOD_DOUBLE,
                      .sorted = 1,
                      .packed = 1};
  prc_cholmod_begin(&common);
  common.nmethods = 1, common.method[0].ordering = CHOLMOD_AMD, common.postorder = 1;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  L = cholmod_analyze(&S, &common);
  if (!L) {
    status = prc_cholmod_failed(&common, "ordering joints", err);
  } else {
    memcpy(s->perm, L->Perm, (size_t)s->n * sizeof *s->perm);
    for (int k = 0; k < s->n; k++) s->place[s->perm[k]] = k;
  }
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
  return status;
}

/* Entries before the diagonal, by places; each entry belongs to the later of its two places. */
static prc_status sort_entries(prc_schur *s, const int *start, const int *column, prc_error *err) {
  prc_status status = PRC_OK;
  int *next = NULL;
  prc_try(prc_new(&next, (size_t)s->n + 1, err));
  for (int pass = 0; pass < 2; pass++) {
    for (int r = 0; r < s->n; r++)
      for (int at = start[r]; at < start[r + 1]; at++) {
        const int a = s->place[r], b = s->place[column[at]], later = a > b ? a : b;
        if (a == b) {
          s->diagonal[a] = at;
        } else if (pass == 0) {
          s->from_start[later + 1]++;
        } else {
          s->from_place[next[later]] = a > b ? b : a, s->from_value[next[later]++] = at;
        }
      }
    if (pass == 1) break;
    for (int k = 0; k < s->n; k++) s->from_start[k + 1] += s->from_start[k];
    memcpy(next, s->from_start, ((size_t)s->n + 1) * sizeof *next);
    prc_try(prc_new(&s->from_place, s->from_start[s->n], err));
    prc_try(prc_new(&s->from_value, s->from_start[s->n], err));
  }
done:
  prc_delete(&next);
  return status;
}

/* The pattern of row k of L: what is met on the way up the tree of elimination from what stands before its diagonal; *count of them. */
static void reach(const prc_schur *s, int k, int *parent, int *mark, int *found, int *count) {
  *count = 0;
  mark[k] = k;
  for (int at = s->from_start[k]; at < s->from_start[k + 1]; at++)
    for (int i = s->from_place[at]; i >= 0 && mark[i] != k; i = parent[i]) {
      if (parent[i] < 0) parent[i] = k;
      mark[i] = k, found[(*count)++] = i;
    }
}

static void sort_ascending(int n, int *x) {
  for (int i = 1; i < n; i++) {
    const int value = x[i];
    int j = i;
    for (; j > 0 && x[j - 1] > value; j--) x[j] = x[j - 1];
    x[j] = value;
  }
}

/* Rows of L that are reached, counted and then stored; their sorting marks nothing else. */
static prc_status find_rows(prc_schur *s, int *parent, int *mark, int *found, prc_error *err) {
  prc_status status = PRC_OK;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < s->n; k++) parent[k] = mark[k] = -1;
    for (int k = 0; k < s->n; k++) {
      int count;
      reach(s, k, parent, mark, found, &count);
      if (pass == 0) {
        s->row_start[k + 1] = s->row_start[k] + count;
      } else {
        memcpy(s->row_place + s->row_start[k], found, (size_t)count * sizeof *found);
        sort_ascending(count, s->row_place + s->row_start[k]);
      }
    }
    if (pass == 0) prc_try(prc_new(&s->row_place, s->row_start[s->n], err));
  }
done:
  return status;
}

/* L by columns, filled row after row: where each entry of a row stands. */
static prc_status find_columns(prc_schur *s, int *next, prc_error *err) {
  prc_status status = PRC_OK;
  const int entries = s->row_start[s->n];
  prc_try(prc_new(&s->row_at, entries, err));
  prc_try(prc_new(&s->column_place, entries, err));
  prc_try(prc_new(&s->x, entries, err));
  for (int at = 0; at < entries; at++) s->column_start[s->row_place[at] + 1]++;
  for (int k = 0; k < s->n; k++) s->column_start[k + 1] += s->column_start[k];
  memcpy(next, s->column_start, (size_t)s->n * sizeof *next);
  for (int k = 0; k < s->n; k++)
    for (int at = s->row_start[k]; at < s->row_start[k + 1]; at++) {
      const int to = next[s->row_place[at]]++;
      s->row_at[at] = to, s->column_place[to] = k;
    }
done:
  return status;
}

/* Trees of elimination stand one after the other, as the order is a postorder. */
static void find_islands(prc_schur *s, const int *parent) {
  for (int k = 0; k < s->n; k++)
    if (parent[k] < 0) s->island[++s->n_islands] = k + 1;
}

/* Room to decide an island of n rows. */
static prc_status reserve_dense(prc_schur *s, size_t n, prc_error *err) {
  prc_status status = PRC_OK;
  if (n <= s->dense_room) return PRC_OK;
  prc_delete(&s->dense);
  prc_delete(&s->pivots);
  prc_delete(&s->dense_work);
  s->dense_room = 0;
  prc_try(prc_memory_expect((double)sizeof(double) * (double)n * (double)n, "the rank of joints", err));
  prc_try(prc_new(&s->dense, n * n, err));
  prc_try(prc_new(&s->pivots, n, err));
  prc_try(prc_new(&s->dense_work, 2 * n, err));
  s->dense_room = n;
done:
  return status;
}

prc_status prc_schur_create(int n, const int *start, const int *column, prc_schur *s, prc_error *err) {
  prc_status status = PRC_OK;
  int largest = 0, *parent = NULL, *mark = NULL, *found = NULL;
  int **lists[] = {&s->perm, &s->place, &s->diagonal, &parent, &mark, &found};
  int **starts[] = {&s->island, &s->from_start, &s->row_start, &s->column_start};
  double **vectors[] = {&s->pivot, &s->scale, &s->work, &s->rest, &s->sorted};
  s->n = n;
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) prc_try(prc_new(lists[k], n, err));
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) prc_try(prc_new(starts[k], (size_t)n + 1, err));
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) prc_try(prc_new(vectors[k], n, err));
  prc_try(prc_new(&s->dropped, n, err));
  if (n > 0) prc_try(find_order(s, start, column, err));
  prc_try(sort_entries(s, start, column, err));
  prc_try(find_rows(s, parent, mark, found, err));
  find_islands(s, parent);
  prc_try(find_columns(s, found, err));
  for (int c = 0; c < s->n_islands; c++)
    if (s->island[c + 1] - s->island[c] > largest) largest = s->island[c + 1] - s->island[c];
  if (largest <= PREPARED) prc_try(reserve_dense(s, (size_t)largest, err));
done:
  prc_delete(&parent);
  prc_delete(&mark);
  prc_delete(&found);
  return status;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------------- */

static void find_scale(prc_schur *s, const double *values) {
  for (int k = 0; k < s->n; k++) {
    const double d = values[s->diagonal[k]];
    s->scale[k] = d > 0.0 && isfinite(1.0 / sqrt(d)) ? 1.0 / sqrt(d) : 0.0;
  }
}

/* The row of L at place k; returns its squared pivot. */
static double eliminate(prc_schur *s, const double *values, int k) {
  double *work = s->work, d = 1.0;
  for (int at = s->from_start[k]; at < s->from_start[k + 1]; at++) {
    const int i = s->from_place[at];
    work[i] = values[s->from_value[at]] * s->scale[i] * s->scale[k];
  }
  for (int at = s->row_start[k]; at < s->row_start[k + 1]; at++) {
    const int i = s->row_place[at], to = s->row_at[at];
    const double l = s->dropped[i] ? 0.0 : work[i] / s->pivot[i];
    work[i] = 0.0;
    if (l != 0.0)
      for (int p = s->column_start[i]; p < to; p++) work[s->column_place[p]] -= s->x[p] * l;
    s->x[to] = l;
    d -= l * l;
  }
  return d;
}

static void drop(prc_schur *s, int k) {
  for (int at = s->row_start[k]; at < s->row_start[k + 1]; at++) s->x[s->row_at[at]] = 0.0;
  s->dropped[k] = 1, s->pivot[k] = 1.0;
}

/* Keeps rows of an island by pivots in descending order. */
static prc_status decide_by_pivots(prc_schur *s, const double *values, int from, int to, prc_error *err) {
  const int n = to - from;
  const size_t wide = (size_t)n;
  const double tolerance = NOTHING;
  int rank = 0, info = 0;
  const prc_status status = reserve_dense(s, wide, err);
  if (status != PRC_OK) return status;
  memset(s->dense, 0, wide * wide * sizeof *s->dense);
  for (int k = from; k < to; k++) {
    s->dropped[k] = 1;
    s->dense[(size_t)(k - from) * (wide + 1)] = s->scale[k] > 0.0 ? 1.0 : 0.0;
    for (int at = s->from_start[k]; at < s->from_start[k + 1]; at++) {
      const int i = s->from_place[at];
      s->dense[(size_t)(k - from) * wide + (size_t)(i - from)] =
          values[s->from_value[at]] * s->scale[i] * s->scale[k];
    }
  }
  dpstrf_("U", &n, s->dense, &n, s->pivots, &rank, &tolerance, s->dense_work, &info);
  for (int k = 0; k < rank; k++) s->dropped[from + s->pivots[k] - 1] = 0;
  return PRC_OK;
}

prc_status prc_schur_rank(prc_schur *s, const double *values, prc_error *err) {
  prc_status status = PRC_OK;
  find_scale(s, values);
  memset(s->dropped, 0, (size_t)s->n);
  for (int c = 0; c < s->n_islands; c++) {
    int dependent = 0;
    double least = 1.0;
    for (int k = s->island[c]; k < s->island[c + 1]; k++) {
      const double d = eliminate(s, values, k);
      if (s->scale[k] > 0.0 && d > NOTHING) {
        s->pivot[k] = sqrt(d);
        least = fmin(least, d);
        continue;
      }
      dependent |= s->scale[k] > 0.0;
      drop(s, k);
    }
    if (least < (dependent ? WIDE : CLEAR))
      prc_try(decide_by_pivots(s, values, s->island[c], s->island[c + 1], err));
  }
done:
  return status;
}

prc_status prc_schur_factor(prc_schur *s, const double *values, prc_error *err) {
  find_scale(s, values);
  for (int k = 0; k < s->n; k++) {
    const double d = s->dropped[k] ? 1.0 : eliminate(s, values, k);
    if (s->dropped[k])
      drop(s, k);
    else if (d > 0.0 && s->scale[k] > 0.0)
      s->pivot[k] = sqrt(d);
    else
      return prc_fail(
          err, PRC_SINGULAR,
          "joints: row %d has the pivot %.3g of 1, expected a positive one: masses or stiffnesses "
          "are too far apart",
          s->perm[k], d);
  }
  return PRC_OK;
}

/* x := (L L')^-1 x at the places of an island, scaled */
static void substitute(const prc_schur *s, int from, int to, double *x) {
  for (int k = from; k < to; k++) {
    double sum = s->dropped[k] ? 0.0 : x[k]; /* its row of L is zero then */
    for (int at = s->row_start[k]; at < s->row_start[k + 1]; at++)
      sum -= s->x[s->row_at[at]] * x[s->row_place[at]];
    x[k] = sum / s->pivot[k];
  }
  for (int k = to - 1; k >= from; k--) {
    double sum = x[k];
    for (int p = s->column_start[k]; p < s->column_start[k + 1]; p++) sum -= s->x[p] * x[s->column_place[p]];
    x[k] = sum / s->pivot[k];
  }
}

/* r -= S x at the places of an island, scaled */
static void subtract_product(const prc_schur *s, const double *values, int from, int to, const double *x,
                             double *r) {
  for (int k = from; k < to; k++) {
    r[k] -= x[k];
    for (int at = s->from_start[k]; at < s->from_start[k + 1]; at++) {
      const int i = s->from_place[at];
      const double value = values[s->from_value[at]] * s->scale[i] * s->scale[k];
      r[k] -= value * x[i], r[i] -= value * x[k];
    }
  }
}

void prc_schur_solve_island(const prc_schur *s, const double *values, int island, double *x) {
  const int from = s->island[island], to = s->island[island + 1];
  double *rest = s->rest;
  for (int k = from; k < to; k++) x[k] = rest[k] = s->scale[k] * x[k];
  substitute(s, from, to, x);
  subtract_product(s, values, from, to, x, rest);
  substitute(s, from, to, rest);
  for (int k = from; k < to; k++) x[k] = s->scale[k] * (x[k] + rest[k]);
}

void prc_schur_solve(const prc_schur *s, double *x) {
  double *y = s->sorted;
  for (int k = 0; k < s->n; k++) y[k] = s->scale[k] * x[s->perm[k]];
  substitute(s, 0, s->n, y);
  for (int k = 0; k < s->n; k++) x[s->perm[k]] = s->scale[k] * y[k];
}

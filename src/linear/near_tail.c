#include "config.h"
#include "base/order.h"
#include "linear/petsc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* S^-1 among all touched unknowns: each of its rows is known to the group that it belongs to. Rank 0 collects them, makes the two halves of it equal, as rounding and what is
 * below it may not have left them, and gives it to all. */
typedef struct {
  size_t *start; /* n + 1 */
  int *column;   /* ascending */
  double *value;
} rows;

static void free_rows(rows *r) {
  prc_delete(&r->start);
  prc_delete(&r->column);
  prc_delete(&r->value);
}

static prc_status make_room(int n, size_t entries, rows *r, prc_error *err) {
  prc_status status = PRC_OK;
  if (!r->start) prc_try(prc_new(&r->start, (size_t)n + 1, err));
  prc_try(prc_memory_expect((double)entries * (sizeof *r->column + sizeof *r->value),
                            "the condensed matrix of the contacts", err));
  prc_try(prc_new(&r->column, entries, err));
  prc_try(prc_new(&r->value, entries, err));
done:
  return status;
}

/* Sizes of rows to where they begin. */
static void sum_up(int n, size_t *start) {
  for (int i = 0; i < n; i++) start[i + 1] += start[i];
}

/* ---- what this rank's groups know ------------------------------------------------------------------------------------------ */

/* The entries of row k of a group's S^-1, in a line over all touched that is zero else; *n of them. */
static void spread_row(const prc_near_group *g, int k, double *of_tail, double *line, int *column, int *n) {
  memset(of_tail, 0, (size_t)g->n_tail * sizeof *of_tail);
  prc_tail_add_row(prc_factor_tail(g->L), k, 1.0, of_tail);
  *n = 0;
  for (int j = 0; j < g->n_tail; j++)
    if (of_tail[j] != 0.0) line[g->touched[j]] = of_tail[j], column[(*n)++] = g->touched[j];
  qsort(column, (size_t)*n, sizeof *column, prc_by_int);
}

/* Counts them in start[i + 1], or stores them from start[i] on, by `next`. */
static void visit(const prc_near *f, double *of_tail, double *line, int *column, rows *to, int store) {
  for (int m = 0; m < f->n_groups; m++) {
    const prc_near_group *g = f->group + m;
    for (int k = 0; k < g->n_tail; k++) {
      const int i = g->touched[k];
      int n = 0;
      if (!g->is_own[k]) continue;
      spread_row(g, k, of_tail, line, column, &n);
      if (!store) to->start[i + 1] = (size_t)n;
      for (int j = 0; j < n; j++) {
        if (store)
          to->column[to->start[i] + (size_t)j] = column[j],
                                    to->value[to->start[i] + (size_t)j] = line[column[j]];
        line[column[j]] = 0.0;
      }
    }
  }
}

static prc_status own_rows(const petsc_work *w, const prc_near *f, rows *out, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = w->n_touched;
  double *of_tail = NULL, *line = NULL;
  int *column = NULL;
  prc_try(prc_new(&of_tail, n, err));
  prc_try(prc_new(&line, n, err));
  prc_try(prc_new(&column, n, err));
  prc_try(prc_new(&out->start, (size_t)n + 1, err));
  visit(f, of_tail, line, column, out, 0);
  sum_up(n, out->start);
  prc_try(make_room(n, out->start[n], out, err));
  visit(f, of_tail, line, column, out, 1);
done:
  prc_delete(&of_tail);
  prc_delete(&line);
  prc_delete(&column);
  return status;
}

/* ---- together on rank 0 ------------------------------------------------------------------------------------------------------- */

/* The rows of a rank among all. */
static void put_rows(int n, const rows *from, rows *to) {
  for (int i = 0; i < n; i++) {
    const size_t first = from->start[i], count = from->start[i + 1] - first;
    if (count == 0) continue;
    memcpy(to->column + to->start[i], from->column + first, count * sizeof *to->column);
    memcpy(to->value + to->start[i], from->value + first, count * sizeof *to->value);
  }
}

static void send_rows(const prc_ranks *ranks, int n, const rows *own) {
  const size_t entries = own->start[n];
  ranks->send(ranks->of, 0, ((size_t)n + 1) * sizeof *own->start, own->start);
  ranks->send(ranks->of, 0, entries * sizeof *own->column, own->column);
  ranks->send(ranks->of, 0, entries * sizeof *own->value, own->value);
}

static void receive_rows(const prc_ranks *ranks, int from, int n, rows *other, rows *all) {
  ranks->receive(ranks->of, from, ((size_t)n + 1) * sizeof *other->start, other->start);
  const size_t entries = other->start[n];
  ranks->receive(ranks->of, from, entries * sizeof *other->column, other->column);
  ranks->receive(ranks->of, from, entries * sizeof *other->value, other->value);
  put_rows(n, other, all);
}

/* Each row is one rank's. all: of rank 0. */
static prc_status collect(const prc_ranks *ranks, int n, const rows *own, rows *all, prc_error *err) {
  prc_status status = PRC_OK;
  rows other = {0};
  double *size = NULL, most = (double)own->start[n];
  prc_try(prc_ranks_agree(ranks, prc_new(&size, n, err), err));
  for (int i = 0; i < n; i++) size[i] = (double)(own->start[i + 1] - own->start[i]);
  ranks->sum(ranks->of, n, size);
  ranks->largest(ranks->of, 1, &most);
  if (ranks->rank == 0) status = prc_new(&all->start, (size_t)n + 1, err);
  for (int i = 0; i < n && all->start; i++) all->start[i + 1] = all->start[i] + (size_t)size[i];
  if (ranks->rank == 0 && status == PRC_OK) status = make_room(n, all->start[n], all, err);
  if (ranks->rank == 0 && status == PRC_OK) status = make_room(n, (size_t)most, &other, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  if (ranks->rank == 0)
    put_rows(n, own, all);
  else
    send_rows(ranks, n, own);
  for (int rank = 1; rank < ranks->n && ranks->rank == 0; rank++) receive_rows(ranks, rank, n, &other, all);
done:
  free_rows(&other);
  prc_delete(&size);
  return status;
}

/* ---- symmetric to the last bit -------------------------------------------------------------------------------------------------- */

static prc_status transpose(int n, const rows *from, rows *to, prc_error *err) {
  prc_status status = PRC_OK;
  size_t *next = NULL;
  prc_try(prc_new(&to->start, (size_t)n + 1, err));
  prc_try(prc_new(&next, n, err));
  for (size_t k = 0; k < from->start[n]; k++) to->start[from->column[k] + 1]++;
  sum_up(n, to->start);
  prc_try(make_room(n, to->start[n], to, err));
  for (int i = 0; i < n; i++) next[i] = to->start[i];
  for (int i = 0; i < n; i++)
    for (size_t k = from->start[i]; k < from->start[i + 1]; k++) {
      const size_t at = next[from->column[k]]++;
      to->column[at] = i, to->value[at] = from->value[k];
    }
done:
  prc_delete(&next);
  return status;
}

/* Row i of half the sum of a and b; what only one of them has, as it stands. Returns how many; to->column NULL: only counts. */
static size_t merge(const rows *a, const rows *b, int i, rows *to) {
  size_t count = 0, k = a->start[i], m = b->start[i];
  while (k < a->start[i + 1] || m < b->start[i + 1]) {
    const int p = k < a->start[i + 1] ? a->column[k] : INT_MAX,
              q = m < b->start[i + 1] ? b->column[m] : INT_MAX;
    if (to->column) {
      const size_t at = to->start[i] + count;
      to->column[at] = p < q ? p : q;
      to->value[at] = p < q ? a->value[k] : p > q ? b->value[m] : 0.5 * (a->value[k] + b->value[m]);
    }
    count++, k += p <= q, m += q <= p;
  }
  return count;
}

static prc_status make_symmetric(int n, const rows *from, rows *to, prc_error *err) {
  prc_status status = PRC_OK;
  rows other = {0};
  prc_try(transpose(n, from, &other, err));
  prc_try(prc_new(&to->start, (size_t)n + 1, err));
  for (int i = 0; i < n; i++) to->start[i + 1] = to->start[i] + merge(from, &other, i, to);
  prc_try(make_room(n, to->start[n], to, err));
  for (int i = 0; i < n; i++) (void)merge(from, &other, i, to);
done:
  free_rows(&other);
  return status;
}

/* ---- for all ---------------------------------------------------------------------------------------------------------------------- */

static prc_status give(const prc_ranks *ranks, int n, rows *r, prc_error *err) {
  prc_status status = PRC_OK;
  if (ranks->rank > 0) status = prc_new(&r->start, (size_t)n + 1, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  ranks->broadcast(ranks->of, ((size_t)n + 1) * sizeof *r->start, r->start);
  if (ranks->rank > 0) status = make_room(n, r->start[n], r, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  ranks->broadcast(ranks->of, r->start[n] * sizeof *r->column, r->column);
  ranks->broadcast(ranks->of, r->start[n] * sizeof *r->value, r->value);
done:
  return status;
}

static prc_status make_tail(int n, rows *r, prc_tail **out, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t m = (size_t)n;
  double *T = NULL;
  if (n >= PRC_TAIL_SPARSE_FROM && (double)r->start[n] <= PRC_TAIL_SPARSE_SHARE * (double)n * (double)n)
    return prc_tail_of_rows(n, &r->start, &r->column, &r->value, out, err);
  prc_try(prc_tail_room(n, &T, err));
  for (size_t i = 0; i < m; i++)
    for (size_t k = r->start[i]; k < r->start[i + 1]; k++) T[i * m + (size_t)r->column[k]] = r->value[k];
  status = prc_tail_of_inverse(n, &T, out, err);
done:
  prc_delete(&T);
  return status;
}

prc_status prc_near_join(const petsc_work *w, prc_near *f, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_ranks *ranks = w->share->ranks;
  const int n = w->n_touched;
  rows own = {0}, all = {0}, both = {0};
  prc_try(prc_ranks_agree(ranks, own_rows(w, f, &own, err), err));
  prc_try(collect(ranks, n, &own, &all, err));
  free_rows(&own);
  if (ranks->rank == 0) status = make_symmetric(n, &all, &both, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  free_rows(&all);
  prc_try(give(ranks, n, &both, err));
  prc_try(prc_ranks_agree(ranks, make_tail(n, &both, &f->tail, err), err));
done:
  free_rows(&own);
  free_rows(&all);
  free_rows(&both);
  return status;
}

#include "config.h"
#include "linear/internal.h"
#include "linear/row.h"

#include <limits.h>
#include <string.h>

/* W = scale H S^-1 H' of listed contacts: row by row, H S^-1 first, then its products with the H of the others. */

/* The unknowns that block c of H touches. */
static const int *dofs_of(const prc_rows *H, int c, int *count) {
  *count = H->start[c + 1] - H->start[c];
  return H->dof + H->start[c];
}

/* line := (row r of block c of H, restricted to the tail) S^-1; zero on entry */
static void add_line(const prc_frame *f, const prc_tail *S, const prc_rows *H, int c, int r, double *line) {
  int count;
  const int *dof = dofs_of(H, c, &count);
  const double *h = H->x + H->dim * H->start[c] + r * count;
  for (int d = 0; d < count; d++) {
    const int at = f->tail_place[dof[d]];
    if (at >= 0 && h[d] != 0.0) prc_tail_add_row(S, at, h[d], line);
  }
}

void prc_frame_reach(prc_frame *f, const prc_tail *S, const prc_rows *G, int row, int count, const int *dof,
                     double *y) {
  add_line(f, S, G, row, 0, f->line);
  for (int k = 0; k < count; k++) y[k] = f->line[f->tail_place[dof[k]]];
  memset(f->line, 0, (size_t)f->n_tail * sizeof *f->line);
}

/* line . (row r of block c of H) */
static double project(const prc_frame *f, const prc_rows *H, int c, int r, const double *line) {
  int count;
  const int *dof = dofs_of(H, c, &count);
  const double *h = H->x + H->dim * H->start[c] + r * count;
  double sum = 0.0;
  for (int d = 0; d < count; d++) {
    const int at = f->tail_place[dof[d]];
    if (at >= 0) sum += line[at] * h[d];
  }
  return sum;
}

void prc_frame_condense_dense(prc_frame *f, const prc_tail *S, const prc_rows *H, int n, const int *list,
                              double scale, double *W) {
  const int dim = H->dim;
  const size_t rows = (size_t)dim * (size_t)n;
  for (size_t i = 0; i < rows; i++) {
    const int a = (int)(i / (size_t)dim);
    add_line(f, S, H, list ? list[a] : a, (int)(i % (size_t)dim), f->line);
    for (size_t j = 0; j <= i; j++) { /* exactly symmetric by construction */
      const int b = (int)(j / (size_t)dim);
      W[i * rows + j] = W[j * rows + i] =
          scale * project(f, H, list ? list[b] : b, (int)(j % (size_t)dim), f->line);
    }
    memset(f->line, 0, (size_t)f->n_tail * sizeof *f->line);
  }
}

/* ---- by blocks --------------------------------------------------------------------------------------------------------------- */

void prc_block_matrix_free(prc_block_matrix *W) {
  prc_delete(&W->blocks.row_start);
  prc_delete(&W->blocks.column);
  prc_delete(&W->blocks.values);
  *W = (prc_block_matrix){0};
}

/* Room for n rows of blocks, or for so many blocks; twice as much as there was where it grows. */
prc_status prc_block_matrix_rows(prc_block_matrix *W, int n, prc_error *err) {
  size_t room = W->blocks.row_start ? (size_t)W->n_room + 1 : 0;
  const prc_status status =
      prc_grow(&W->blocks.row_start, &room, (size_t)n + 1, sizeof *W->blocks.row_start, err);
  if (status == PRC_OK) W->n_room = (int)room - 1;
  return status;
}

prc_status prc_block_matrix_blocks(prc_block_matrix *W, int dim, size_t count, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t size = (size_t)dim * (size_t)dim;
  if (W->dim == dim && count <= W->room) return PRC_OK;
  const size_t room = W->dim == dim && count < 2 * W->room ? 2 * W->room : count;
  prc_delete(&W->blocks.column);
  prc_delete(&W->blocks.values);
  W->room = 0, W->dim = dim;
  prc_try(
      prc_memory_expect((double)room * (double)(size * sizeof(double) + sizeof(int)), "W by blocks", err));
  prc_try(prc_new(&W->blocks.column, room, err));
  prc_try(prc_new(&W->blocks.values, size * room, err));
  W->room = room;
done:
  return status;
}

/* Positions in the list by the unknowns of the tail that they touch: by[by_start[t]] .. by[by_start[t+1]-1], ascending. */
static prc_status list_by_unknowns(prc_frame *f, const prc_rows *H, int n, const int *list, prc_error *err) {
  prc_status status = PRC_OK;
  int count, *start = f->by_start;
  memset(start, 0, ((size_t)f->n_tail + 1) * sizeof *start);
  for (int i = 0; i < n; i++) {
    const int *dof = dofs_of(H, list ? list[i] : i, &count);
    for (int d = 0; d < count; d++)
      if (f->tail_place[dof[d]] >= 0) start[f->tail_place[dof[d]] + 1]++;
  }
  for (int t = 0; t < f->n_tail; t++) start[t + 1] += start[t];
  const int total = start[f->n_tail];
  prc_try(prc_grow(&f->by, &f->by_room, (size_t)total, sizeof *f->by, err));
  prc_try(prc_grow(&f->met, &f->met_room, (size_t)n, sizeof *f->met, err));
  for (int i = n - 1; i >= 0;
       i--) { /* from the last: what is at start[t + 1], the end of t, moves to its start */
    const int *dof = dofs_of(H, list ? list[i] : i, &count);
    for (int d = 0; d < count; d++)
      if (f->tail_place[dof[d]] >= 0) f->by[--start[f->tail_place[dof[d]] + 1]] = i;
  }
  for (int t = 0; t < f->n_tail; t++) start[t] = start[t + 1];
  start[f->n_tail] = total;
done:
  return status;
}

/* Contacts of the list with a block of W in the row of the i-th: their unknowns stand in the rows of S^-1 of
 * its unknowns, or are the same. Signs of H must not cancel, so H is not looked at. Counts them, and adds i to
 * the row of each in W: as W is symmetric, its rows ascend then.
 * next: where the rows of W go on; NULL: only counts. */
static int meet(prc_frame *f, const prc_tail *S, const prc_rows *H, int i, int c, int *next, int *column) {
  int count, total = 1;
  const int *dof = dofs_of(H, c, &count);
  f->met[i] = i;
  if (next) column[next[i]++] = i;
  for (int d = 0; d < count; d++) {
    const int at = f->tail_place[dof[d]];
    int n_entries = 0;
    const int *entry = at < 0 ? NULL : prc_tail_columns(S, at, &n_entries);
    for (int k = 0; k < n_entries; k++) {
      const int t = entry ? entry[k] : k;
      for (int b = f->by_start[t]; b < f->by_start[t + 1]; b++) {
        const int other = f->by[b];
        if (f->met[other] == i) continue;
        f->met[other] = i, total++;
        if (next) column[next[other]++] = i;
      }
    }
  }
  return total;
}

/* The pattern of W. */
static prc_status find_pattern(prc_frame *f, const prc_tail *S, const prc_rows *H, int n, const int *list,
                               prc_block_matrix *W, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t size = (size_t)H->dim * (size_t)H->dim;
  size_t total = 0;
  prc_try(list_by_unknowns(f, H, n, list, err));
  prc_try(prc_block_matrix_rows(W, n, err));
  int *start = W->blocks.row_start;
  start[0] = 0;
  for (int i = 0; i < n; i++) f->met[i] = -1;
  for (int i = 0; i < n; i++) {
    total += (size_t)meet(f, S, H, i, list ? list[i] : i, NULL, NULL);
    if (total > INT_MAX / size) return prc_fail(err, PRC_NOMEM, "W has too many blocks");
    start[i + 1] = (int)total;
  }
  prc_try(prc_block_matrix_blocks(W, H->dim, total, err));
  for (int i = 0; i < n; i++) f->met[i] = -1;
  for (int i = 0; i < n; i++) (void)meet(f, S, H, i, list ? list[i] : i, start, W->blocks.column);
  for (int i = n; i > 0; i--) start[i] = start[i - 1]; /* each start has moved to the end of its row */
  start[0] = 0;
done:
  return status;
}

/* line := 0 where add_line made it something else */
static void clear_line(prc_frame *f, const prc_tail *S, const prc_rows *H, int c) {
  int count;
  const int *dof = dofs_of(H, c, &count);
  for (int d = 0; d < count; d++)
    if (f->tail_place[dof[d]] >= 0) prc_tail_clear_row(S, f->tail_place[dof[d]], f->line);
}

/* Rows in ascending order, each to its diagonal, and what stands there beyond it: place[j], the block of row j in the columns of the contact
 * that is met next, from j itself on. */
static void fill(prc_frame *f, const prc_tail *S, const prc_rows *H, int n, const int *list, double scale,
                 prc_blocks *W) {
  const int dim = H->dim, size = dim * dim;
  int *place = f->met;
  for (int i = 0; i < n; i++) {
    const int first = W->row_start[i], c = list ? list[i] : i;
    for (place[i] = first; W->column[place[i]] < i;) place[i]++;
    const int last = place[i];
    for (int r = 0; r < dim; r++) {
      add_line(f, S, H, c, r, f->line);
      for (int at = first; at <= last; at++) {
        const int other = W->column[at], mirror = place[other];
        for (int d = 0; d < (other == i ? r + 1 : dim); d++) {
          const double value = scale * project(f, H, list ? list[other] : other, d, f->line);
          W->values[(size_t)size * (size_t)at + (size_t)(dim * r + d)] = value;
          W->values[(size_t)size * (size_t)mirror + (size_t)(dim * d + r)] = value;
        }
      }
      clear_line(f, S, H, c);
    }
    for (int at = first; at <= last; at++) place[W->column[at]]++;
  }
}

prc_status prc_frame_condense_blocks(prc_frame *f, const prc_tail *S, const prc_rows *H, int n,
                                     const int *list, double scale, prc_block_matrix *W, prc_error *err) {
  const prc_status status = find_pattern(f, S, H, n, list, W, err);
  if (status == PRC_OK) fill(f, S, H, n, list, scale, &W->blocks);
  return status;
}

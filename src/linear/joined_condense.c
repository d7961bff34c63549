#include "config.h"
#include "linear/joined.h"

#include <limits.h>
#include <string.h>

/* W with joints: that of the row without them, less scale H Y S^-1 Y'H', row by row. With one row of H at hand,
 * line = Y S^-1 Y'h stands on the unknowns of the islands of joints that its contact touches; others keep what they have. */

#define BLOCKED                                                                                              \
  1e-13 /* of what moves without joints: rounding, where joints hold all that a contact pushes */

/* W by blocks pays where the row says so and joints do not tie most unknowns together. */
int prc_joined_is_sparse(const prc_joined *j) {
  int touched = 0, *count = j->island_start, largest = 0;
  if (!j->row->is_sparse(j->work)) return 0;
  memset(count, 0, ((size_t)j->schur.n_islands + 1) * sizeof *count);
  for (int i = 0; i < j->n; i++) {
    touched += j->part[i] == 1;
    if (j->island_of[i] >= 0) count[j->island_of[i]]++;
  }
  for (int c = 0; c < j->schur.n_islands; c++)
    if (count[c] > largest) largest = count[c];
  return 2 * largest <= touched;
}

/* ---- a row ------------------------------------------------------------------------------------------------------------------ */

/* Visits the islands that contact c touches, each once: the k-th dof that is the first of its island; -1: none */
static int island_at(const prc_joined *j, const prc_rows *H, int c, int d) {
  const int first = H->start[c], island = j->island_of[H->dof[first + d]];
  for (int e = 0; island >= 0 && e < d; e++)
    if (j->island_of[H->dof[first + e]] == island) return -1;
  return island;
}

/* line := Y S^-1 Y' h on an island, h being row r of block c of H */
static void add_line(prc_joined *j, const prc_rows *H, int c, int r, int island) {
  const prc_schur *s = &j->schur;
  const int first = H->start[c], count = H->start[c + 1] - first;
  double *power = j->power;
  for (int d = 0; d < count; d++) {
    const int t = H->dof[first + d];
    const double h = H->x[H->dim * first + r * count + d];
    if (j->island_of[t] != island || h == 0.0) continue;
    for (int k = j->by_start[t]; k < j->by_start[t + 1]; k++)
      power[s->place[j->by_row[k]]] += h * j->Y[j->by_at[k]];
  }
  prc_schur_solve_island(s, j->S, island, power);
  for (int k = s->island[island]; k < s->island[island + 1]; k++) {
    const int row = s->perm[k];
    for (int at = j->start[row]; at < j->start[row + 1]; at++) j->line[j->dof[at]] += power[k] * j->Y[at];
    power[k] = 0.0;
  }
}

static void clear_line(prc_joined *j, int island) {
  const prc_schur *s = &j->schur;
  for (int k = s->island[island]; k < s->island[island + 1]; k++) {
    const int row = s->perm[k];
    for (int at = j->start[row]; at < j->start[row + 1]; at++) j->line[j->dof[at]] = 0.0;
  }
}

/* For row r of contact c on all its islands; 0: it touches none */
static int make_line(prc_joined *j, const prc_rows *H, int c, int r, int clear) {
  int touches = 0;
  for (int d = 0; d < H->start[c + 1] - H->start[c]; d++) {
    const int island = island_at(j, H, c, d);
    if (island < 0) continue;
    touches = 1;
    if (clear)
      clear_line(j, island);
    else
      add_line(j, H, c, r, island);
  }
  return touches;
}

/* line . (row r of block c of H) */
static double project(const prc_joined *j, const prc_rows *H, int c, int r) {
  const int first = H->start[c], count = H->start[c + 1] - first;
  const double *h = H->x + H->dim * first + r * count;
  double sum = 0.0;
  for (int d = 0; d < count; d++) sum += j->line[H->dof[first + d]] * h[d];
  return sum;
}

/* ---- dense ------------------------------------------------------------------------------------------------------------------ */

static void clear_row(double *W, size_t rows, size_t row) {
  for (size_t i = 0; i < rows; i++) W[row * rows + i] = W[i * rows + row] = 0.0;
}

void prc_joined_condense_dense(prc_joined *j, const prc_rows *H, int n, const int *list, double scale,
                               double *W) {
  const int dim = H->dim;
  const size_t rows = (size_t)dim * (size_t)n;
  j->row->condense_dense(j->work, H, n, list, scale, W);
  if (!j->given) return;
  for (size_t i = 0; i < rows; i++) {
    const int c = list ? list[i / (size_t)dim] : (int)(i / (size_t)dim), r = (int)(i % (size_t)dim);
    if (!make_line(j, H, c, r, 0)) continue;
    const double bare = W[i * rows + i];
    for (size_t k = 0; k <= i; k++) {
      const int other = list ? list[k / (size_t)dim] : (int)(k / (size_t)dim);
      W[k * rows + i] = W[i * rows + k] -= scale * project(j, H, other, (int)(k % (size_t)dim));
    }
    (void)make_line(j, H, c, r, 1);
    if (W[i * rows + i] <= BLOCKED * bare) W[i * rows + i] = -1.0; /* cleared below, when all has been read */
  }
  for (size_t i = 0; i < rows; i++)
    if (W[i * rows + i] < 0.0) clear_row(W, rows, i);
}

/* ---- by blocks ---------------------------------------------------------------------------------------------------------------- */

/* Contacts of the list by the islands that they touch: positions, ascending. */
static prc_status sort_contacts(prc_joined *j, const prc_rows *H, int n, const int *list, prc_error *err) {
  prc_status status = PRC_OK;
  const int islands = j->schur.n_islands;
  int *start = j->island_start;
  memset(start, 0, ((size_t)islands + 1) * sizeof *start);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = n - 1; i >= 0; i--) { /* filled from its end, so that each start comes back */
      const int c = list ? list[i] : i;
      for (int d = 0; d < H->start[c + 1] - H->start[c]; d++) {
        const int island = island_at(j, H, c, d);
        if (island < 0) continue;
        if (pass == 0)
          start[island]++;
        else
          j->island_contact[--start[island]] = i;
      }
    }
    if (pass == 1) break;
    for (int k = 0, sum = 0; k <= islands; k++) {
      sum += k < islands ? start[k] : 0;
      start[k] = sum;
    }
    prc_try(prc_grow(&j->island_contact, &j->contact_room, (size_t)start[islands], sizeof *j->island_contact,
                     err));
  }
done:
  return status;
}

/* Visits what row i of W has, in no order: what the row of the table gives, and those that share an island. Adds i to the rows of each in
 * W, so that these ascend; next NULL: only counts. */
static int meet(prc_joined *j, const prc_rows *H, int i, int c, int *next, int *column) {
  const prc_blocks *bare = &j->bare.blocks;
  int total = 0;
  for (int at = bare->row_start[i]; at < bare->row_start[i + 1]; at++) {
    const int other = bare->column[at];
    j->met[other] = i, total++;
    if (next) column[next[other]++] = i;
  }
  for (int d = 0; d < H->start[c + 1] - H->start[c]; d++) {
    const int island = island_at(j, H, c, d);
    if (island < 0) continue;
    for (int k = j->island_start[island]; k < j->island_start[island + 1]; k++) {
      const int other = j->island_contact[k];
      if (j->met[other] == i) continue;
      j->met[other] = i, total++;
      if (next) column[next[other]++] = i;
    }
  }
  return total;
}

static prc_status find_pattern(prc_joined *j, const prc_rows *H, int n, const int *list, prc_block_matrix *W,
                               prc_error *err) {
  prc_status status = PRC_OK;
  const size_t size = (size_t)H->dim * (size_t)H->dim;
  size_t total = 0;
  prc_try(sort_contacts(j, H, n, list, err));
  prc_try(prc_grow(&j->next, &j->next_room, (size_t)n, sizeof *j->next, err));
  prc_try(prc_grow(&j->met, &j->met_room, (size_t)n, sizeof *j->met, err));
  prc_try(prc_block_matrix_rows(W, n, err));
  W->blocks.row_start[0] = 0;
  for (int i = 0; i < n; i++) j->met[i] = -1;
  for (int i = 0; i < n; i++) {
    total += (size_t)meet(j, H, i, list ? list[i] : i, NULL, NULL);
    if (total > INT_MAX / size) return prc_fail(err, PRC_NOMEM, "W has too many blocks");
    W->blocks.row_start[i + 1] = (int)total;
  }
  prc_try(prc_block_matrix_blocks(W, H->dim, total, err));
  for (int i = 0; i < n; i++) j->met[i] = -1, j->next[i] = W->blocks.row_start[i];
  for (int i = 0; i < n; i++) (void)meet(j, H, i, list ? list[i] : i, j->next, W->blocks.column);
done:
  return status;
}

static void copy_bare(const prc_joined *j, int n, size_t size, prc_blocks *W) {
  const prc_blocks *bare = &j->bare.blocks;
  for (int i = 0; i < n; i++) {
    int from = bare->row_start[i];
    for (int at = W->row_start[i]; at < W->row_start[i + 1]; at++) {
      double *to = W->values + size * (size_t)at;
      if (from < bare->row_start[i + 1] && bare->column[from] == W->column[at])
        memcpy(to, bare->values + size * (size_t)from++, size * sizeof *to);
      else
        memset(to, 0, size * sizeof *to);
    }
  }
}

/* The diagonal block of row i */
static double *diagonal_of(const prc_blocks *W, int i, int size) {
  int at = W->row_start[i];
  while (W->column[at] < i) at++;
  return W->values + (size_t)size * (size_t)at;
}

/* Rows whose diagonal is below zero, which says that they are blocked. */
static void clear_blocked(const prc_blocks *W, int n, int dim) {
  const int size = dim * dim;
  for (int i = 0; i < n; i++) {
    const double *own = diagonal_of(W, i, size);
    for (int at = W->row_start[i]; at < W->row_start[i + 1]; at++) {
      double *value = W->values + (size_t)size * (size_t)at;
      const double *other = diagonal_of(W, W->column[at], size);
      if (value == own) continue;
      for (int r = 0; r < size; r++)
        if (own[(dim + 1) * (r / dim)] < 0.0 || other[(dim + 1) * (r % dim)] < 0.0) value[r] = 0.0;
    }
  }
  for (int i = 0; i < n; i++) {
    double *own = diagonal_of(W, i, size);
    for (int r = 0; r < size; r++)
      if (r / dim != r % dim && (own[(dim + 1) * (r / dim)] < 0.0 || own[(dim + 1) * (r % dim)] < 0.0))
        own[r] = 0.0;
    for (int r = 0; r < dim; r++)
      if (own[(dim + 1) * r] < 0.0) own[(dim + 1) * r] = 0.0;
  }
}

/* Rows in ascending order, each to its diagonal, and its mirror image: next[k], the block of row k in the columns of the contact that
 * is met next, from k itself on. */
static void subtract(prc_joined *j, const prc_rows *H, int n, const int *list, double scale, prc_blocks *W) {
  const int dim = H->dim, size = dim * dim;
  int *next = j->next, blocked = 0;
  for (int i = 0; i < n; i++) {
    const int first = W->row_start[i], c = list ? list[i] : i;
    for (next[i] = first; W->column[next[i]] < i;) next[i]++;
    const int last = next[i];
    for (int r = 0; r < dim; r++) {
      double *own = W->values + (size_t)size * (size_t)last + (size_t)((dim + 1) * r);
      const double bare = *own;
      if (!make_line(j, H, c, r, 0)) break;
      for (int at = first; at <= last; at++) {
        const int other = W->column[at], mirror = next[other];
        for (int d = 0; d < (other == i ? r + 1 : dim); d++) {
          double *value = W->values + (size_t)size * (size_t)at + (size_t)(dim * r + d);
          *value -= scale * project(j, H, list ? list[other] : other, d);
          W->values[(size_t)size * (size_t)mirror + (size_t)(dim * d + r)] = *value;
        }
      }
      (void)make_line(j, H, c, r, 1);
      if (*own <= BLOCKED * bare) *own = -1.0, blocked = 1;
    }
    for (int at = first; at <= last; at++) next[W->column[at]]++;
  }
  if (blocked) clear_blocked(W, n, dim);
}

prc_status prc_joined_condense_blocks(prc_joined *j, const prc_rows *H, int n, const int *list, double scale,
                                      prc_block_matrix *W, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(j->row->condense_blocks(j->work, H, n, list, scale, &j->bare, err));
  prc_try(find_pattern(j, H, n, list, W, err));
  copy_bare(j, n, (size_t)H->dim * (size_t)H->dim, &W->blocks);
  if (j->given) subtract(j, H, n, list, scale, &W->blocks);
done:
  return status;
}

#include "config.h"
#include "linear/joined.h"

#include <math.h>
#include <string.h>

/* ---- making ---------------------------------------------------------------------------------------------------------------- */

void dgetrf_(const int *m, const int *n, double *A, const int *lda, int *pivots, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *A, const int *lda,
             const int *pivots, double *B, const int *ldb, int *info);

#define AGREE 1e-9 /* rows that depend on others agree with them to this part of what cancels in them */

void prc_joined_free(prc_joined **out) {
  prc_joined *j = *out;
  if (!j) return;
  double **vectors[] = {&j->inverse_mass, &j->Y,   &j->S,    &j->line, &j->pull, &j->power, &j->g, &j->l,
                        &j->rest,         &j->G.x, &j->lead, &j->dense};
  int **lists[] = {&j->start,     &j->dof,          &j->by_start,       &j->by_row,  &j->by_at,
                   &j->pair,      &j->of_G,         &j->of_Y,           &j->S_start, &j->S_column,
                   &j->island_of, &j->island_start, &j->island_contact, &j->next,    &j->met,
                   &j->G.start,   &j->G.dof,        &j->kept,           &j->pivots};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) prc_delete(vectors[k]);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) prc_delete(lists[k]);
  prc_delete(&j->part);
  prc_schur_free(&j->schur);
  prc_block_matrix_free(&j->bare);
  prc_delete(out);
}

size_t prc_joined_bytes(const prc_joined *j) {
  const size_t n = (size_t)j->n, m = (size_t)j->n_rows;
  return n * (2 * sizeof(double) + sizeof(int)) + m * 6 * sizeof(double)
         + (size_t)j->G.start[m] * (sizeof(int) + sizeof(double))
         + (size_t)j->start[m] * (3 * sizeof(int) + sizeof(double))
         + (size_t)j->S_start[m] * (2 * sizeof(int) + sizeof(double))
         + (size_t)j->pair[j->S_start[m]] * 2 * sizeof(int) + prc_schur_bytes(&j->schur);
}

static prc_status copy_rows(const prc_rows *from, const char *part, int n, prc_rows *to, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t entries = (size_t)from->start[from->n];
  if (from->dim != 1) return prc_fail(err, PRC_INPUT, "joints have rows of dim %d, expected 1", from->dim);
  for (size_t at = 0; at < entries; at++) {
    const int dof = from->dof[at];
    if (dof < 0 || dof >= n) return prc_fail(err, PRC_INPUT, "a joint touches unknown %d of %d", dof, n);
    if (part[dof] == 0)
      return prc_fail(err, PRC_INPUT, "a joint touches unknown %d of part 0, expected 1 or 2", dof);
  }
  to->n = from->n, to->dim = 1;
  prc_try(prc_new(&to->start, (size_t)from->n + 1, err));
  prc_try(prc_new(&to->dof, entries, err));
  prc_try(prc_new(&to->x, entries, err));
  memcpy(to->start, from->start, ((size_t)from->n + 1) * sizeof *to->start);
  if (entries > 0) memcpy(to->dof, from->dof, entries * sizeof *to->dof);
done:
  return status;
}

static int root(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Parts of the graph of A: A^-1 is zero between them. Each is known by one of its unknowns. */
static void find_parts(const prc_sym *A, const char *part, int *of) {
  for (int i = 0; i < A->n; i++) of[i] = i;
  for (int c = 0; c < A->n; c++)
    for (int at = A->p[c]; at < A->p[c + 1]; at++) {
      const int r = A->i[at];
      if (r == c || part[r] == 2 || part[c] == 2) continue;
      const int a = root(of, r), b = root(of, c);
      if (a != b) of[a > b ? a : b] = a > b ? b : a;
    }
  for (int i = 0; i < A->n; i++) of[i] = root(of, i);
}

/* The pattern of Y: in row r, the touched unknowns of the parts that it touches. */
static prc_status find_reach(prc_joined *j, const int *of, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = j->n, m = j->n_rows;
  int *head = NULL, *next = NULL, *met = NULL;
  prc_try(prc_new(&head, n, err));
  prc_try(prc_new(&next, n, err));
  prc_try(prc_new(&met, n, err));
  for (int i = 0; i < n; i++) head[i] = met[i] = -1;
  for (int i = n - 1; i >= 0; i--)
    if (j->part[i] == 1) next[i] = head[of[i]], head[of[i]] = i;
  for (int pass = 0; pass < 2; pass++) {
    int count = 0;
    for (int r = 0; r < m; r++) {
      for (int at = j->G.start[r]; at < j->G.start[r + 1]; at++) {
        const int part = of[j->G.dof[at]];
        if (j->part[j->G.dof[at]] == 2 || met[part] == r + pass * m) continue;
        met[part] = r + pass * m;
        for (int i = head[part]; i >= 0; i = next[i], count++)
          if (pass == 1) j->dof[count] = i;
      }
      j->start[r + 1] = count;
    }
    if (pass == 1) break;
    prc_try(prc_new(&j->dof, count, err));
    prc_try(prc_new(&j->Y, count, err));
  }
done:
  prc_delete(&head);
  prc_delete(&next);
  prc_delete(&met);
  return status;
}

static prc_status sort_by_unknowns(prc_joined *j, prc_error *err) {
  prc_status status = PRC_OK;
  const int total = j->start[j->n_rows];
  int *next = NULL;
  prc_try(prc_new(&next, j->n, err));
  prc_try(prc_new(&j->by_start, (size_t)j->n + 1, err));
  prc_try(prc_new(&j->by_row, total, err));
  prc_try(prc_new(&j->by_at, total, err));
  for (int at = 0; at < total; at++) j->by_start[j->dof[at] + 1]++;
  for (int i = 0; i < j->n; i++) j->by_start[i + 1] += j->by_start[i];
  if (j->n > 0) memcpy(next, j->by_start, (size_t)j->n * sizeof *next);
  for (int r = 0; r < j->n_rows; r++)
    for (int at = j->start[r]; at < j->start[r + 1]; at++) {
      const int to = next[j->dof[at]]++;
      j->by_row[to] = r, j->by_at[to] = at;
    }
done:
  prc_delete(&next);
  return status;
}

/* The pattern of S: rows that touch the same part of A. */
static prc_status find_pattern(prc_joined *j, prc_error *err) {
  prc_status status = PRC_OK;
  const int m = j->n_rows;
  int *met = NULL;
  prc_try(prc_new(&met, m, err));
  prc_try(prc_new(&j->S_start, (size_t)m + 1, err));
  for (int pass = 0; pass < 2; pass++) {
    int count = 0;
    for (int r = 0; r < m; r++) met[r] = -1;
    for (int r = 0; r < m; r++) {
      met[r] = r;
      for (int at = j->G.start[r]; at < j->G.start[r + 1]; at++)
        for (int k = j->by_start[j->G.dof[at]]; k < j->by_start[j->G.dof[at] + 1] && j->by_row[k] < r; k++)
          met[j->by_row[k]] = r;
      for (int s = 0; s <= r; s++) {
        if (met[s] != r) continue;
        if (pass == 1) j->S_column[count] = s;
        count++;
      }
      j->S_start[r + 1] = count;
    }
    if (pass == 1) break;
    prc_try(prc_new(&j->S_column, count, err));
    prc_try(prc_new(&j->S, count, err));
  }
  status = prc_schur_create(m, j->S_start, j->S_column, &j->schur, err);
done:
  prc_delete(&met);
  return status;
}

/* Terms of the sum that entry (r, s) of S is, in the order of G's row s; `at` of each unknown of row r of Y,
 * else -1. Returns how many there are. */
static int list_pairs(const prc_joined *j, int s, const int *at, int *of_G, int *of_Y) {
  int n = 0;
  for (int k = j->G.start[s]; k < j->G.start[s + 1]; k++) {
    if (at[j->G.dof[k]] < 0) continue;
    if (of_G) of_G[n] = k, of_Y[n] = at[j->G.dof[k]];
    n++;
  }
  return n;
}

static prc_status find_pairs(prc_joined *j, prc_error *err) {
  prc_status status = PRC_OK;
  int *at = NULL;
  prc_try(prc_new(&at, j->n, err));
  prc_try(prc_new(&j->pair, (size_t)j->S_start[j->n_rows] + 1, err));
  for (int i = 0; i < j->n; i++) at[i] = -1;
  for (int pass = 0; pass < 2; pass++) {
    for (int r = 0; r < j->n_rows; r++) {
      for (int k = j->start[r]; k < j->start[r + 1]; k++) at[j->dof[k]] = k;
      for (int k = j->S_start[r]; k < j->S_start[r + 1]; k++) {
        const int from = j->pair[k], s = j->S_column[k];
        j->pair[k + 1] =
            from + list_pairs(j, s, at, pass ? j->of_G + from : NULL, pass ? j->of_Y + from : NULL);
      }
      for (int k = j->start[r]; k < j->start[r + 1]; k++) at[j->dof[k]] = -1;
    }
    if (pass == 1) break;
    prc_try(prc_new(&j->of_G, j->pair[j->S_start[j->n_rows]], err));
    prc_try(prc_new(&j->of_Y, j->pair[j->S_start[j->n_rows]], err));
  }
done:
  prc_delete(&at);
  return status;
}

static void find_islands(prc_joined *j) {
  for (int i = 0; i < j->n; i++) j->island_of[i] = -1;
  for (int c = 0; c < j->schur.n_islands; c++)
    for (int k = j->schur.island[c]; k < j->schur.island[c + 1]; k++) {
      const int r = j->schur.perm[k];
      for (int at = j->start[r]; at < j->start[r + 1]; at++) j->island_of[j->dof[at]] = c;
    }
}

static prc_status find_patterns(prc_joined *j, const prc_sym *A, prc_error *err) {
  prc_status status = PRC_OK;
  int *of = NULL;
  prc_try(prc_new(&of, j->n, err));
  find_parts(A, j->part, of);
  prc_try(find_reach(j, of, err));
  prc_try(sort_by_unknowns(j, err));
  prc_try(find_pattern(j, err));
  prc_try(find_pairs(j, err));
  find_islands(j);
done:
  prc_delete(&of);
  return status;
}

static void set_masses(prc_joined *j, const prc_sym *A, const double *mass) {
  for (int i = 0; i < j->n; i++) {
    const double A_ii = A->x[A->p[i]], m = mass && mass[i] > 0.0 ? mass[i] : A_ii;
    j->inverse_mass[i] = j->part[i] == 2 || !(m > 0.0) ? 0.0 : 1.0 / m;
  }
}

prc_status prc_joined_create(const prc_operator_row *row, const prc_sym *A, const prc_operator_plan *plan,
                             prc_joined **out, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = A->n, m = plan->joints->n;
  prc_joined *j = NULL;
  if (!row->reach)
    return prc_fail(err, PRC_INPUT, "the solver '%s' has no joints, expected direct, diagonal or umfpack",
                    row->name);
  prc_try(prc_new(&j, 1, err));
  j->n = n, j->n_rows = m, j->row = row, j->contradiction = -1;
  double **of_unknowns[] = {&j->inverse_mass, &j->line};
  double **of_rows[] = {&j->pull, &j->power, &j->g, &j->l, &j->rest};
  for (size_t k = 0; k < sizeof of_unknowns / sizeof *of_unknowns; k++)
    prc_try(prc_new(of_unknowns[k], n, err));
  for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++) prc_try(prc_new(of_rows[k], m, err));
  prc_try(prc_new(&j->part, n, err));
  prc_try(prc_new(&j->island_of, n, err));
  prc_try(prc_new(&j->start, (size_t)m + 1, err));
  if (n > 0) memcpy(j->part, plan->part, (size_t)n);
  prc_try(copy_rows(plan->joints, plan->part, n, &j->G, err));
  set_masses(j, A, plan->mass);
  prc_try(find_patterns(j, A, err));
  prc_try(prc_new(&j->island_start, (size_t)j->schur.n_islands + 1, err));
  *out = j, j = NULL;
done:
  prc_joined_free(&j);
  return status;
}

/* ---- values ---------------------------------------------------------------------------------------------------------------- */

/* S := G Y: the lower triangle, entry by entry */
static void multiply(prc_joined *j) {
  const int entries = j->S_start[j->n_rows];
  for (int k = 0; k < entries; k++) {
    double sum = 0.0;
    for (int i = j->pair[k]; i < j->pair[k + 1]; i++) sum += j->G.x[j->of_G[i]] * j->Y[j->of_Y[i]];
    j->S[k] = sum;
  }
}

/* The same with Y = diag(mass)^-1 G', row after row. */
static void multiply_by_mass(prc_joined *j) {
  const prc_rows *G = &j->G;
  double *line = j->line;
  for (int r = 0; r < j->n_rows; r++) {
    for (int at = G->start[r]; at < G->start[r + 1]; at++)
      line[G->dof[at]] += j->inverse_mass[G->dof[at]] * G->x[at];
    for (int k = j->S_start[r]; k < j->S_start[r + 1]; k++) {
      const int s = j->S_column[k];
      double sum = 0.0;
      for (int at = G->start[s]; at < G->start[s + 1]; at++) sum += G->x[at] * line[G->dof[at]];
      j->S[k] = sum;
    }
    for (int at = G->start[r]; at < G->start[r + 1]; at++) line[G->dof[at]] = 0.0;
  }
}

static int has_pattern(const prc_joined *j, const prc_rows *G) {
  return G->n == j->n_rows && G->dim == 1
         && memcmp(G->start, j->G.start, ((size_t)G->n + 1) * sizeof *G->start) == 0;
}

/* Schemes impose joints level by level, and often with the numbers that are there already. */
static int has_values(const prc_joined *j, const prc_rows *G) {
  return has_pattern(j, G) && memcmp(j->G.x, G->x, (size_t)j->G.start[j->n_rows] * sizeof *G->x) == 0;
}

static prc_status set_values(prc_joined *j, const prc_rows *G, prc_error *err) {
  const size_t entries = (size_t)j->G.start[j->n_rows];
  j->given = j->ranked_by_these = 0;
  if (!has_pattern(j, G))
    return prc_fail(err, PRC_INPUT, "%d joints of another pattern, expected that of the plan, of %d", G->n,
                    j->n_rows);
  if (entries > 0) memcpy(j->G.x, G->x, entries * sizeof *G->x);
  return PRC_OK;
}

prc_status prc_joined_rank(prc_joined *j, const prc_rows *G, prc_error *err) {
  prc_status status = PRC_OK;
  if (j->given && j->ranked_by_these && has_values(j, G)) return PRC_OK;
  prc_try(set_values(j, G, err));
  multiply_by_mass(j);
  prc_try(prc_schur_rank(&j->schur, j->S, err));
  j->ranked = j->ranked_by_these = 1;
done:
  return status;
}

/* ---- rows that lead -------------------------------------------------------------------------------------------------------- */

prc_status prc_joined_lead(prc_joined *j, const double *lead, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t m = (size_t)j->n_rows, entries = (size_t)j->G.start[m];
  j->leads = lead != NULL, j->given = 0;
  if (!lead) return PRC_OK;
  if (!j->lead) {
    prc_try(
        prc_memory_expect((double)sizeof(double) * (double)m * (double)m, "joints near a bifurcation", err));
    prc_try(prc_new(&j->dense, m * m, err));
    prc_try(prc_new(&j->kept, m, err));
    prc_try(prc_new(&j->pivots, m, err));
    prc_try(prc_new(&j->lead, entries, err));
  }
  if (entries > 0) memcpy(j->lead, lead, entries * sizeof *lead);
done:
  return status;
}

/* G_lead A^-1 G' of the rows that are kept, not symmetric, and its LU. */
static prc_status factor_lead(prc_joined *j, prc_error *err) {
  const prc_rows *G = &j->G;
  int info = 0;
  j->n_kept = 0;
  for (int r = 0; r < j->n_rows; r++)
    if (!j->schur.dropped[j->schur.place[r]]) j->kept[j->n_kept++] = r;
  for (int c = 0; c < j->n_kept; c++) {
    const int s = j->kept[c];
    for (int k = j->start[s]; k < j->start[s + 1]; k++) j->line[j->dof[k]] = j->Y[k];
    for (int i = 0; i < j->n_kept; i++) {
      double sum = 0.0;
      for (int at = G->start[j->kept[i]]; at < G->start[j->kept[i] + 1]; at++)
        sum += j->lead[at] * j->line[G->dof[at]];
      j->dense[(size_t)c * (size_t)j->n_kept + (size_t)i] = sum;
    }
    for (int k = j->start[s]; k < j->start[s + 1]; k++) j->line[j->dof[k]] = 0.0;
  }
  dgetrf_(&j->n_kept, &j->n_kept, j->dense, &j->n_kept, j->pivots, &info);
  return info == 0 ? PRC_OK
                   : prc_fail(err, PRC_SINGULAR, "joints: a row that leads has no pivot, expected one");
}

/* rest := (G_lead Y)^-1 rest; 0 in dropped rows */
static void solve_lead(prc_joined *j) {
  const int one = 1;
  int info = 0;
  for (int i = 0; i < j->n_kept; i++) j->pull[i] = j->rest[j->kept[i]];
  memset(j->rest, 0, (size_t)j->n_rows * sizeof *j->rest);
  dgetrs_("N", &j->n_kept, &one, j->dense, &j->n_kept, j->pivots, j->pull, &j->n_kept, &info);
  for (int i = 0; i < j->n_kept; i++) j->rest[j->kept[i]] = j->pull[i];
}

prc_status prc_joined_turn(prc_joined *j, const prc_rows *G, prc_error *err) {
  prc_status status = PRC_OK;
  if (j->given && has_values(j, G)) return PRC_OK;
  if (!j->ranked) prc_try(prc_joined_rank(j, G, err));
  const int ranked = j->ranked_by_these && has_values(j, G);
  prc_try(set_values(j, G, err));
  j->ranked_by_these = ranked;
  for (int r = 0; r < j->n_rows; r++)
    j->row->reach(j->work, &j->G, r, j->start[r + 1] - j->start[r], j->dof + j->start[r], j->Y + j->start[r]);
  multiply(j);
  prc_try(j->leads ? factor_lead(j, err) : prc_schur_factor(&j->schur, j->S, err));
  j->given = 1;
done:
  return status;
}

void prc_joined_aim(prc_joined *j, const double *g) {
  for (int r = 0; r < j->n_rows; r++) j->g[r] = g ? g[r] : 0.0;
}

/* ---- a step ---------------------------------------------------------------------------------------------------------------- */

/* rest := g - G x */
static void find_rest(prc_joined *j, const double *x) {
  const prc_rows *G = &j->G;
  const double *row = j->leads ? j->lead : G->x;
  for (int r = 0; r < j->n_rows; r++) {
    double sum = j->g[r];
    for (int at = G->start[r]; at < G->start[r + 1]; at++) sum -= row[at] * x[G->dof[at]];
    j->rest[r] = sum;
  }
}

/* The same; *worst: the row that misses most of what may be missed, by the part of that */
static double find_missed(prc_joined *j, const double *x, int *worst) {
  double largest = 0.0;
  *worst = -1;
  for (int r = 0; r < j->n_rows; r++) {
    double sum = j->g[r], size = fabs(j->g[r]) + j->least;
    for (int at = j->G.start[r]; at < j->G.start[r + 1]; at++) {
      const double term = j->G.x[at] * x[j->G.dof[at]];
      sum -= term, size += fabs(term);
    }
    j->rest[r] = sum;
    if (fabs(sum) <= largest * size) continue; /* a NaN goes on */
    largest = fabs(sum) / size, *worst = r;
    if (isnan(largest)) return largest;
  }
  return largest;
}

prc_status prc_joined_begin(prc_joined *j, double *x, prc_error *err) {
  int worst;
  double missed = 0.0;
  j->contradiction = -1, j->missed = 0.0;
  if (!j->given) return prc_fail(err, PRC_INPUT, "joints have no values, expected prc_operator_set_joints");
  memset(j->l, 0, (size_t)j->n_rows * sizeof *j->l);
  for (int pass = 0; pass < 2; pass++) {
    find_rest(j, x);
    if (j->leads)
      solve_lead(j);
    else
      prc_schur_solve(&j->schur, j->rest);
    for (int r = 0; r < j->n_rows; r++) j->l[r] += j->rest[r];
    j->row->add(j->work, &j->G, j->rest, x);
  } /* the second pass refines what rounding left of the first */
  if (isinf(j->least)) return PRC_OK;
  missed = find_missed(j, x, &worst);
  if (missed <= AGREE) return PRC_OK;
  j->contradiction = worst, j->missed = j->rest[worst];
  return prc_fail(err, PRC_INPUT, "row %d of the joints contradicts the others: it misses its value by %.3g",
                  worst, j->missed);
}

/* power += Y' (scale H'p) of a contact, by places */
static void add_power(prc_joined *j, const prc_rows *H, int c, double scale, const double *p) {
  const int first = H->start[c], count = H->start[c + 1] - first;
  for (int d = 0; d < count; d++) {
    const int t = H->dof[first + d];
    double sum = 0.0;
    if (j->island_of[t] < 0) continue;
    for (int r = 0; r < H->dim; r++) sum += H->x[H->dim * first + r * count + d] * p[H->dim * c + r];
    sum *= scale;
    for (int k = j->by_start[t]; k < j->by_start[t + 1]; k++)
      j->power[j->schur.place[j->by_row[k]]] += sum * j->Y[j->by_at[k]];
  }
}

void prc_joined_finish(prc_joined *j, const prc_rows *H, int n, const int *list, double scale,
                       const double *p) {
  const prc_schur *s = &j->schur;
  if (!H || n == 0) return;
  for (int i = 0; i < n; i++) add_power(j, H, list ? list[i] : i, scale, p);
  for (int c = 0; c < s->n_islands; c++) {
    int pulled = 0;
    for (int k = s->island[c]; k < s->island[c + 1]; k++) pulled |= j->power[k] != 0.0;
    if (pulled) prc_schur_solve_island(s, j->S, c, j->power);
  }
  for (int r = 0; r < j->n_rows; r++) {
    j->pull[r] = -j->power[s->place[r]];
    j->power[s->place[r]] = 0.0;
    j->l[r] += j->pull[r];
  }
  j->row->add(j->work, &j->G, j->pull, NULL);
}

/* S_rs of the lower triangle */
static double entry(const prc_joined *j, int r, int s) {
  const int row = r > s ? r : s, column = r > s ? s : r;
  for (int k = j->S_start[row]; k < j->S_start[row + 1]; k++)
    if (j->S_column[k] == column) return j->S[k];
  return 0.0;
}

/* G_row = sum share_r G_r over the rows that are kept, so that S_kept share = S_kept,row. */
void prc_joined_dependence(const prc_joined *j, int row, double *share) {
  const int dropped = j->schur.dropped[j->schur.place[row]] != 0;
  const double length = sqrt(entry(j, row, row));
  for (int r = 0; r < j->n_rows; r++) share[r] = dropped ? entry(j, row, r) : 0.0;
  if (!dropped || !(length > 0.0)) return;
  prc_schur_solve(&j->schur, share);
  for (int r = 0; r < j->n_rows; r++) share[r] *= sqrt(entry(j, r, r)) / length;
}

#include "config.h"
#include "linear/internal.h"

#include <math.h>
#include <string.h>

void prc_cholmod_begin(cholmod_common *common) {
  cholmod_start(common);
  common->print = 0;
  common->nmethods = 1;
}

cholmod_sparse prc_cholmod_view(const prc_sym *A) {
  cholmod_sparse view;
  memset(&view, 0, sizeof view);
  view.nrow = view.ncol = (size_t)A->n;
  view.nzmax = (size_t)prc_sym_nnz(A);
  view.p = A->p, view.i = A->i, view.x = A->x;
  view.stype = -1;
  view.itype = CHOLMOD_INT, view.xtype = CHOLMOD_REAL, view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  return view;
}

prc_status prc_cholmod_failed(const cholmod_common *common, const char *doing, prc_error *err) {
  if (common->status == CHOLMOD_OUT_OF_MEMORY) return prc_fail(err, PRC_NOMEM, "out of memory %s", doing);
  if (common->status == CHOLMOD_TOO_LARGE)
    return prc_fail(err, PRC_NOMEM, "the matrix is too large %s", doing);
  return prc_fail(err, PRC_SINGULAR, "CHOLMOD failed %s (its status is %d)", doing, common->status);
}

/* From this many unknowns on nested dissection is the sparsest by far, and minimum degree takes seconds where the dissection does. */
#define DISSECTION_FROM 50000
/* Below, subtrees of at most so many unknowns are ordered anew by minimum degree. */
#define LEAF 200

/* ---- unknowns with the same neighbours ------------------------------------------------------------------------------ */

/* The dofs of a node have the same neighbours and may follow each other in any order: methods see one unknown for them all. */
typedef struct {
  int n;          /* groups */
  int *first;     /* n + 1: group g is member[first[g]] .. member[first[g+1]-1], ascending */
  int *member;    /* unknowns */
  prc_sym *graph; /* between groups; its values mean nothing */
} groups;

static void groups_free(groups *g) {
  prc_delete(&g->first);
  prc_delete(&g->member);
  prc_sym_free(&g->graph);
}

static uint64_t scattered(int i) {
  prc_random random = {.state = (uint64_t)i};
  return prc_random_bits(&random);
}

/* A number for the set { j } and its neighbours: two that are equal mean equal sets but for chance, and where chance has it
 * otherwise the order is only less good. */
static void hash_neighbours(const prc_sym *A, uint64_t *hash) {
  for (int j = 0; j < A->n; j++) hash[j] = 0;
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
      const int i = A->i[k];
      hash[j] += scattered(i);
      if (i != j) hash[i] += scattered(j);
    }
}

/* group[i], ascending in the order of first members */
static int number_groups(const prc_sym *A, const uint64_t *hash, int *group) {
  int n = 0;
  for (int i = 0; i < A->n; i++) group[i] = -1;
  for (int j = 0; j < A->n; j++) {
    if (group[j] < 0) group[j] = n++;
    for (int k = A->p[j]; k < A->p[j + 1]; k++)
      if (group[A->i[k]] < 0 && hash[A->i[k]] == hash[j]) group[A->i[k]] = group[j];
  }
  return n;
}

static prc_status list_members(groups *g, int n, const int *group, prc_error *err) {
  prc_status status = PRC_OK;
  int *next = NULL;
  prc_try(prc_new(&g->first, (size_t)g->n + 1, err));
  prc_try(prc_new(&g->member, n, err));
  prc_try(prc_new(&next, g->n, err));
  for (int i = 0; i < n; i++) g->first[group[i] + 1]++;
  for (int k = 0; k < g->n; k++) next[k] = g->first[k], g->first[k + 1] += g->first[k];
  for (int i = 0; i < n; i++) g->member[next[group[i]]++] = i;
done:
  prc_delete(&next);
  return status;
}

static prc_status find_groups(const prc_sym *A, groups *g, prc_error *err) {
  prc_status status = PRC_OK;
  uint64_t *hash = NULL;
  int *group = NULL, *list = NULL;
  prc_try(prc_new(&hash, A->n, err));
  prc_try(prc_new(&group, A->n, err));
  hash_neighbours(A, hash);
  g->n = number_groups(A, hash, group);
  prc_try(list_members(g, A->n, group, err));
  prc_try(prc_new(&list, g->n, err)); /* the first of each speaks for all */
  for (int k = 0; k < g->n; k++) list[k] = g->member[g->first[k]];
  prc_try(prc_sym_permute(A, list, g->n, &g->graph, err));
done:
  prc_delete(&hash);
  prc_delete(&group);
  prc_delete(&list);
  return status;
}

/* ---- the search ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const prc_sym *A;  /* interior unknowns first, then the tail; the prescribed ones are gone */
  int n, n_interior; /* of A */
  prc_sym *interior; /* its leading block */
  int *trial, *best; /* n */
  double fill_best;  /* entries of the factor under `best` */
  const char *name_best;
} search;

/* Entries of the factor of s->A under s->trial as it stands. */
static prc_status fill_of(search *s, cholmod_common *common, double *fill, prc_error *err) {
  cholmod_sparse view = prc_cholmod_view(s->A);
  common->method[0].ordering = CHOLMOD_GIVEN;
  common->postorder = 0;
  cholmod_factor *L = cholmod_analyze_p(&view, s->trial, NULL, 0, common);
  common->postorder = 1;
  if (!L) return prc_cholmod_failed(common, "while counting the entries of a factor", err);
  *fill = common->lnz;
  cholmod_free_factor(&L, common);
  return PRC_OK;
}

/* Keeps s->trial if it is the sparsest so far. */
static prc_status judge(search *s, const char *name, cholmod_common *common, prc_error *err) {
  double fill = INFINITY;
  const prc_status status = fill_of(s, common, &fill, err);
  if (status != PRC_OK || fill >= s->fill_best) return status;
  memcpy(s->best, s->trial, (size_t)s->n * sizeof *s->best);
  s->fill_best = fill;
  s->name_best = name;
  return PRC_OK;
}

/* Orders the interior, or all of A that knows that its tail stays last, by CHOLMOD (postordered) into s->trial. */
static prc_status order_into_trial(search *s, const prc_sym *A, int *given, cholmod_common *common,
                                   prc_error *err) {
  cholmod_sparse view = prc_cholmod_view(A);
  common->method[0].ordering = given ? CHOLMOD_GIVEN : CHOLMOD_AMD;
  cholmod_factor *L = cholmod_analyze_p(&view, given, NULL, 0, common);
  if (!L) return prc_cholmod_failed(common, "while ordering the unknowns", err);
  memcpy(s->trial, L->Perm, (size_t)s->n_interior * sizeof *s->trial);
  cholmod_free_factor(&L, common);
  for (int k = s->n_interior; k < s->n; k++) s->trial[k] = given ? given[k] : k;
  return PRC_OK;
}

static prc_status try_amd(search *s, cholmod_common *common, prc_error *err) {
  const prc_status status = order_into_trial(s, s->interior, NULL, common, err);
  return status == PRC_OK ? judge(s, "AMD", common, err) : status;
}

/* AMD that knows that the tail will stay last: interior in 0 .. n_interior-1, tail after it. */
static prc_status try_camd(search *s, cholmod_common *common, prc_error *err) {
  prc_status status = PRC_OK;
  cholmod_sparse view = prc_cholmod_view(s->A);
  int *member = NULL, *order = NULL;
  prc_try(prc_new(&member, s->n, err));
  prc_try(prc_new(&order, s->n, err));
  for (int k = s->n_interior; k < s->n; k++) member[k] = 1;
  if (!cholmod_camd(&view, NULL, 0, member, order, common))
    prc_try(prc_cholmod_failed(common, "while ordering the unknowns", err));
  prc_try(order_into_trial(s, s->interior, order, common, err));
  status = judge(s, "CAMD", common, err);
done:
  prc_delete(&member);
  prc_delete(&order);
  return status;
}

/* Sets of unknowns for CAMD: small subtrees of the elimination tree of P are one set together, then comes every unknown
 * above them, one after the other, then the tail. */
static prc_status find_sets(const search *s, const prc_sym *P, int *member, cholmod_common *common,
                            prc_error *err) {
  prc_status status = PRC_OK;
  int *parent = NULL, *size = NULL, next = 1;
  cholmod_sparse view = prc_cholmod_view(P), *upper = NULL;
  prc_try(prc_new(&parent, s->n, err));
  prc_try(prc_new(&size, s->n, err));
  if (!(upper = cholmod_transpose(&view, 0, common)) || !cholmod_etree(upper, parent, common))
    prc_try(prc_cholmod_failed(common, "while ordering the unknowns", err));
  for (int i = 0; i < s->n; i++) {
    size[i]++;
    if (parent[i] >= 0) size[parent[i]] += size[i];
  }
  for (int i = 0; i < s->n_interior; i++) member[i] = size[i] <= LEAF ? 0 : next++;
  for (int i = s->n_interior; i < s->n; i++) member[i] = next;
done:
  cholmod_free_sparse(&upper, common);
  prc_delete(&parent);
  prc_delete(&size);
  return status;
}

/* METIS orders the small parts that are left as if nothing were around them. Minimum degree that knows their surroundings, the
 * tail too, does better: those of the best order are ordered anew, and the separators above them stay. */
static prc_status try_leaves(search *s, cholmod_common *common, prc_error *err) {
  prc_status status = PRC_OK;
  int *member = NULL, *order = NULL;
  prc_sym *P = NULL;
  prc_try(prc_new(&member, s->n, err));
  prc_try(prc_new(&order, s->n, err));
  memcpy(s->trial, s->best, (size_t)s->n * sizeof *s->trial);
  prc_try(prc_sym_permute(s->A, s->trial, s->n, &P, err));
  prc_try(find_sets(s, P, member, common, err));
  cholmod_sparse view = prc_cholmod_view(P);
  if (!cholmod_camd(&view, NULL, 0, member, order, common))
    prc_try(prc_cholmod_failed(common, "while ordering the unknowns", err));
  for (int k = 0; k < s->n; k++) order[k] = s->trial[order[k]];
  prc_try(order_into_trial(s, s->interior, order, common, err));
  status = judge(s, "METIS and CAMD", common, err);
done:
  prc_sym_free(&P);
  prc_delete(&member);
  prc_delete(&order);
  return status;
}

/* The groups in that order, postordered, the tail appended. */
static prc_status try_dissection(search *s, const groups *g, int *order, cholmod_common *common,
                                 prc_error *err) {
  cholmod_sparse view = prc_cholmod_view(g->graph);
  common->method[0].ordering = CHOLMOD_GIVEN;
  cholmod_factor *L = cholmod_analyze_p(&view, order, NULL, 0, common);
  if (!L) return prc_cholmod_failed(common, "while ordering the unknowns", err);
  memcpy(order, L->Perm, (size_t)g->n * sizeof *order);
  cholmod_free_factor(&L, common);
  int k = 0;
  for (int place = 0; place < g->n; place++)
    for (int m = g->first[order[place]]; m < g->first[order[place] + 1]; m++) s->trial[k++] = g->member[m];
  for (; k < s->n; k++) s->trial[k] = k;
  return judge(s, "METIS", common, err);
}

static prc_status try_dissections(search *s, int *count, cholmod_common *common, prc_error *err) {
  prc_status status = PRC_OK;
  groups g = {0};
  int *order[PRC_DISSECTIONS] = {NULL};
  prc_try(find_groups(s->interior, &g, err));
  prc_try(prc_dissect(g.graph, s->n, order, count, err));
  for (int k = 0; k < *count; k++) prc_try(try_dissection(s, &g, order[k], common, err));
  if (*count > 0 && s->n < DISSECTION_FROM) prc_try(try_leaves(s, common, err));
done:
  groups_free(&g);
  for (int k = 0; k < PRC_DISSECTIONS; k++) prc_delete(&order[k]);
  return status;
}

static prc_status search_order(search *s, cholmod_common *common, prc_error *err) {
  prc_status status = PRC_OK;
  int dissected = 0;
  prc_try(prc_new(&s->trial, s->n, err));
  prc_try(prc_new(&s->best, s->n, err));
  for (int k = 0; k < s->n; k++) s->trial[k] = s->best[k] = k;
  s->name_best = "none", s->fill_best = INFINITY;
  if (s->n_interior == 0) goto done;
  prc_try(prc_sym_permute(s->A, s->trial, s->n_interior, &s->interior, err));
  prc_try(try_dissections(s, &dissected, common, err));
  if (dissected && s->n >= DISSECTION_FROM) goto done;
  prc_try(try_camd(s, common, err));
  prc_try(try_amd(s, common, err));
done:
  return status;
}

void prc_order_parts(int n, const int *part, int *perm) {
  for (int wanted = 0, k = 0; wanted < 3; wanted++)
    for (int i = 0; i < n; i++)
      if (part[i] == wanted) perm[k++] = i;
}

prc_status prc_order(const prc_sym *A, const int *part, int *perm, const char **method, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *free_part = NULL;
  int *list = NULL;
  search s = {0};
  cholmod_common common;
  prc_cholmod_begin(&common);
  prc_try(prc_sym_check(A, "the matrix to be ordered", err));
  for (int i = 0; i < A->n; i++)
    if (part[i] < 0 || part[i] > 2)
      prc_try(prc_fail(err, PRC_INPUT, "unknown %d is in part %d, expected 0, 1 or 2", i, part[i]));
  common.supernodal = CHOLMOD_SIMPLICIAL; /* an analysis counts, and lists no rows */
  prc_try(prc_new(&list, A->n, err));
  prc_order_parts(A->n, part, list);
  for (int i = 0; i < A->n; i++) s.n_interior += part[i] == 0, s.n += part[i] < 2;
  prc_try(prc_sym_permute(A, list, s.n, &free_part, err));
  s.A = free_part;
  prc_try(search_order(&s, &common, err));
  for (int k = 0; k < s.n; k++) perm[k] = list[s.best[k]];
  for (int k = s.n; k < A->n; k++) perm[k] = list[k];
  if (method) *method = s.name_best;
done:
  prc_delete(&s.trial);
  prc_delete(&s.best);
  prc_sym_free(&s.interior);
  prc_sym_free(&free_part);
  prc_delete(&list);
  cholmod_finish(&common);
  return status;
}

#include "config.h"
#include "base/order.h"
#include "linear/petsc.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The near field of what contacts touch: groups of touched unknowns, and for each A among the unknowns within so many layers of it, fetched from the ranks that have
 * them, and factored. A^-1 falls off exponentially, and so what percussions do is the sum of what those on each group do in its own field, below rounding exact.
 * That A^-1 is below rounding outside is tried, not assumed: layers are added until it holds for all groups.
 *
 * Touched unknowns are the last of their field, and those of other groups are among them: so S^-1 of the factor has the rows of the group's own (near_tail.c). */
#define FIRST_LAYERS 24
#define MOST_LAYERS  100000               /* that can be asked for */
#define NEGLIGIBLE   (0.01 * DBL_EPSILON) /* in the outermost layers, against the largest */
#define FEWEST_NODES 256                  /* of the largest group, ... */
#define NODES_BY_LAYER                                                                                       \
  8 /* ... and times its layers: fields then overlap by a quarter of themselves, or less */

/* The same by PETSc's options, for whoever wants to see what they do. */
typedef struct {
  PetscInt layers, nodes;
  PetscReal negligible;
} choices;

static prc_status read_choices(choices *c, prc_error *err) {
  *c = (choices){FIRST_LAYERS, FEWEST_NODES, NEGLIGIBLE};
  const int unread = PetscOptionsGetInt(NULL, "prc_", "-near_layers", &c->layers, NULL)
                     || PetscOptionsGetInt(NULL, "prc_", "-near_nodes", &c->nodes, NULL)
                     || PetscOptionsGetReal(NULL, "prc_", "-near_negligible", &c->negligible, NULL);
  if (!unread && c->layers >= 1 && c->layers <= MOST_LAYERS && c->nodes >= 1 && c->negligible >= 0.0)
    return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "PETSc's options -prc_near_layers, -prc_near_nodes and -prc_near_negligible: expected 1 to %d "
      "layers, at least one node, and a number that is not negative",
      MOST_LAYERS);
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static void clear_group(prc_near_group *g) {
  prc_factor_free(&g->L);
  prc_delete(&g->number);
  prc_delete(&g->touched);
  prc_delete(&g->is_own);
  prc_delete(&g->diagonal);
  prc_delete(&g->border);
  *g = (prc_near_group){0};
}

static void clear(prc_near *f) {
  for (int k = 0; k < f->n_groups; k++) clear_group(f->group + k);
  f->n_groups = 0;
  prc_delete(&f->group);
  prc_delete(&f->x);
}

void prc_near_free(prc_near **out) {
  prc_near *f = *out;
  if (!f) return;
  clear(f);
  VecScatterDestroy(&f->to_all);
  VecDestroy(&f->values);
  prc_frame_free(&f->frame);
  prc_tail_free(&f->tail);
  prc_delete(out);
}

/* ---- which unknowns, and A among them ---------------------------------------------------------------------------------- */

/* The index sets of this rank's groups, and what PETSc makes of them. All ranks have as many, as it asks for, some of them empty. */
typedef struct {
  int n, n_groups;
  IS *inner, *is; /* without the outermost layer, and with it; sorted */
  Mat *A;
} fields;

static void free_fields(fields *s) {
  for (int k = 0; k < s->n; k++) {
    if (s->inner) ISDestroy(&s->inner[k]);
    if (s->is) ISDestroy(&s->is[k]);
  }
  prc_delete(&s->inner);
  prc_delete(&s->is);
  if (s->A) (void)MatDestroySubMatrices(s->n, &s->A);
}

/* Of one group: its touched unknowns alone. */
static prc_status begin_field(const petsc_work *w, const int *group, int which, IS *is, prc_error *err) {
  prc_status status = PRC_OK;
  int *number = NULL, n = 0;
  prc_try(prc_new(&number, w->n_touched, err));
  for (int k = 0; k < w->n_touched; k++)
    if (group[k] == which) number[n++] = prc_petsc_number(w->share, w->touched[k]);
  qsort(number, (size_t)n, sizeof *number, prc_by_int);
  prc_petsc(ISCreateGeneral(PETSC_COMM_SELF, n, number, PETSC_COPY_VALUES, is));
done:
  prc_delete(&number);
  return status;
}

/* Of this rank's groups, from `first` on. Collective but for the allocations, which are agreed on. */
static prc_status make_fields(const petsc_work *w, const int *group, int first, int layers, fields *s,
                              prc_error *err) {
  const int n = s->n;
  prc_status status = prc_new(&s->inner, n, err);
  if (status == PRC_OK) status = prc_new(&s->is, n, err);
  for (int k = 0; k < n && status == PRC_OK; k++) {
    const int which = k < s->n_groups ? first + k : -1;
    status = begin_field(w, group, which, &s->inner[k], err);
  }
  prc_try(prc_ranks_agree(w->share->ranks, status, err));
  if (layers > 1) prc_petsc(MatIncreaseOverlap(w->A, n, s->inner, layers - 1));
  for (int k = 0; k < n; k++) prc_petsc(ISDuplicate(s->inner[k], &s->is[k]));
  prc_petsc(MatIncreaseOverlap(w->A, n, s->is, 1));
  for (int k = 0; k < n; k++) {
    prc_petsc(ISSort(s->inner[k]));
    prc_petsc(ISSort(s->is[k]));
  }
  prc_petsc(MatCreateSubMatrices(w->A, n, s->is, s->is, MAT_INITIAL_MATRIX, &s->A));
done:
  return status;
}

/* The rows of B are its columns: column j is row j from the diagonal on. */
static prc_status copy_matrix(Mat B, int n, prc_sym **out, prc_error *err) {
  prc_status status = PRC_OK;
  const PetscInt *start, *column;
  const PetscScalar *value;
  PetscInt rows;
  PetscBool done_well = PETSC_FALSE;
  int count = 0, at = 0;
  prc_petsc(MatGetRowIJ(B, 0, PETSC_FALSE, PETSC_FALSE, &rows, &start, &column, &done_well));
  prc_petsc(MatSeqAIJGetArrayRead(B, &value));
  for (int i = 0; i < n; i++)
    for (PetscInt k = start[i]; k < start[i + 1]; k++) count += column[k] >= i;
  prc_try(prc_sym_create(n, count, out, err));
  for (int i = 0; i < n; i++) {
    for (PetscInt k = start[i]; k < start[i + 1]; k++)
      if (column[k] >= i) (*out)->i[at] = column[k], (*out)->x[at++] = value[k];
    (*out)->p[i + 1] = at;
  }
  prc_petsc(MatSeqAIJRestoreArrayRead(B, &value));
  prc_petsc(MatRestoreRowIJ(B, 0, PETSC_FALSE, PETSC_FALSE, &rows, &start, &column, &done_well));
done:
  return status;
}

/* ---- a group ------------------------------------------------------------------------------------------------------------- */

/* A touched unknown by its number. */
typedef struct {
  int number, touched;
} named;

static int by_number(const void *a, const void *b) {
  return prc_by_int(&((const named *)a)->number, &((const named *)b)->number);
}

/* Touched unknowns in the order of PETSc's numbers. */
static prc_status name_touched(const petsc_work *w, named **out, prc_error *err) {
  const prc_status status = prc_new(out, w->n_touched, err);
  for (int k = 0; status == PRC_OK && k < w->n_touched; k++)
    (*out)[k] = (named){prc_petsc_number(w->share, w->touched[k]), k};
  if (status == PRC_OK) qsort(*out, (size_t)w->n_touched, sizeof **out, by_number);
  return status;
}

/* The places of touched unknowns in the field: part 1, and which they are; both lists ascend. */
static void mark_touched(const petsc_work *w, const named *list, int n, const PetscInt *number, int *part,
                         int *touched) {
  for (int i = 0, k = 0; i < n; i++) {
    while (k < w->n_touched && list[k].number < number[i]) k++;
    part[i] = k < w->n_touched && list[k].number == number[i];
    if (part[i]) touched[i] = list[k].touched;
  }
}

/* In the order of elimination. */
static prc_status arrange(prc_near_group *g, const int *perm, const PetscInt *number, const int *touched,
                          const int *part, const int *group, int which, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < g->n; i++) g->n_tail += part[i];
  prc_try(prc_new(&g->number, g->n, err));
  prc_try(prc_new(&g->touched, g->n_tail, err));
  prc_try(prc_new(&g->is_own, g->n_tail, err));
  for (int k = 0; k < g->n; k++) g->number[k] = number[perm[k]];
  for (int k = 0; k < g->n_tail; k++) {
    g->touched[k] = touched[perm[g->n - g->n_tail + k]];
    g->is_own[k] = group[g->touched[k]] == which;
  }
done:
  return status;
}

static prc_status make_group(const petsc_work *w, const named *list, const int *group, int which,
                             const PetscInt *number, Mat B, prc_near_group *g, prc_error *err) {
  prc_status status = PRC_OK;
  const char *method;
  prc_sym *A = NULL, *ordered = NULL;
  int *part = NULL, *touched = NULL, *perm = NULL;
  prc_try(copy_matrix(B, g->n, &A, err));
  prc_try(prc_new(&part, g->n, err));
  prc_try(prc_new(&touched, g->n, err));
  prc_try(prc_new(&perm, g->n, err));
  mark_touched(w, list, g->n, number, part, touched);
  prc_try(prc_order(A, part, perm, &method, err));
  prc_try(arrange(g, perm, number, touched, part, group, which, err));
  prc_try(prc_sym_permute(A, perm, g->n, &ordered, err));
  prc_sym_free(&A);
  prc_try(prc_new(&g->diagonal, g->n, err));
  for (int k = 0; k < g->n; k++) g->diagonal[k] = ordered->x[ordered->p[k]];
  status = prc_factor_create(ordered, g->n_tail, &g->L, err);
done:
  prc_sym_free(&A);
  prc_sym_free(&ordered);
  prc_delete(&part);
  prc_delete(&touched);
  prc_delete(&perm);
  return status;
}

/* x := A^-1 of what acts on the tail. */
static void solve_group(const prc_near_group *g, const double *kick) {
  memset(g->x, 0, (size_t)(g->n - g->n_tail) * sizeof *g->x);
  prc_tail_multiply(prc_factor_tail(g->L), kick, g->x + g->n - g->n_tail);
  prc_factor_backward(g->L, g->x);
}

/* Lists the outermost layer: what is not within the inner ones. */
static prc_status list_border(prc_near_group *g, IS inner, prc_error *err) {
  prc_status status = PRC_OK;
  const PetscInt *within;
  PetscInt n;
  prc_try(prc_new(&g->border, g->n, err));
  prc_petsc(ISGetLocalSize(inner, &n));
  prc_petsc(ISGetIndices(inner, &within));
  for (int k = 0; k < g->n; k++)
    if (!bsearch(&g->number[k], within, (size_t)n, sizeof *within, prc_by_int)) g->border[g->n_border++] = k;
  prc_petsc(ISRestoreIndices(inner, &within));
done:
  return status;
}

/* Is what percussions all over its own unknowns do, up and down, negligible in the outermost layer? */
static prc_status falls_off(const prc_near_group *g, double negligible, int *it_does, prc_error *err) {
  prc_random random = {.state = 1};
  double *kick = NULL, outside = 0.0, largest = 0.0;
  const prc_status status = prc_new(&kick, g->n_tail, err);
  if (status != PRC_OK) return status;
  for (int k = 0; k < g->n_tail; k++)
    if (g->is_own[k]) kick[k] = prc_random_uniform(&random, -1.0, 1.0);
  solve_group(g, kick);
  for (int k = 0; k < g->n; k++) largest = fmax(largest, fabs(g->x[k]));
  for (int k = 0; k < g->n_border; k++) outside = fmax(outside, fabs(g->x[g->border[k]]));
  *it_does = outside <= negligible * largest;
  prc_delete(&kick);
  return PRC_OK;
}

/* ---- all of them ----------------------------------------------------------------------------------------------------------- */

/* Room for what this rank's groups have together. */
static prc_status make_room(prc_near *f, const fields *s, prc_error *err) {
  prc_status status = PRC_OK;
  size_t sum = 0;
  prc_try(prc_new(&f->group, s->n_groups, err));
  f->n_groups = s->n_groups;
  for (int k = 0; k < s->n_groups; k++) {
    PetscInt n;
    prc_petsc(ISGetLocalSize(s->is[k], &n));
    f->group[k].n = (int)n, sum += (size_t)n;
  }
  prc_try(prc_new(&f->x, sum, err));
  double *x = f->x;
  for (int k = 0; k < s->n_groups; x += f->group[k++].n) f->group[k].x = x;
done:
  return status;
}

/* This rank's. *found: each of them is large enough, or the whole. */
static prc_status make_groups(const petsc_work *w, prc_near *f, const fields *s, const int *group, int first,
                              double negligible, int *found, prc_error *err) {
  prc_status status = PRC_OK;
  named *list = NULL;
  *found = 1;
  clear(f);
  prc_try(make_room(f, s, err));
  prc_try(name_touched(w, &list, err));
  for (int k = 0; k < s->n_groups; k++) {
    prc_near_group *g = f->group + k;
    const PetscInt *number;
    int does = 1;
    prc_petsc(ISGetIndices(s->is[k], &number));
    status = make_group(w, list, group, first + k, number, s->A[k], g, err);
    prc_petsc(ISRestoreIndices(s->is[k], &number));
    prc_try(status);
    if (g->n == w->share->width * w->share->n_whole) continue;
    prc_try(list_border(g, s->inner[k], err));
    prc_try(falls_off(g, negligible, &does, err));
    *found &= does;
  }
done:
  prc_delete(&list);
  return status;
}

/* Collective: *found on all ranks. Groups are dealt out to ranks in their order, as many to each as to any other, or one more. */
static prc_status try_layers(petsc_work *w, prc_near *f, const choices *c, int layers, int *found,
                             prc_error *err) {
  prc_status status = PRC_OK;
  const prc_ranks *ranks = w->share->ranks;
  const int most = c->nodes == FEWEST_NODES && NODES_BY_LAYER * layers > FEWEST_NODES
                       ? NODES_BY_LAYER * layers
                       : (int)c->nodes;
  fields s = {0};
  int *group = NULL, n_groups = 0;
  status = prc_new(&group, w->n_touched, err);
  if (status == PRC_OK) status = prc_near_divide(w, most, group, &n_groups, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  const int first = (int)((long long)n_groups * ranks->rank / ranks->n),
            end = (int)((long long)n_groups * (ranks->rank + 1) / ranks->n);
  s.n = (n_groups + ranks->n - 1) / ranks->n, s.n_groups = end - first;
  prc_try(make_fields(w, group, first, layers, &s, err));
  status = make_groups(w, f, &s, group, first, c->negligible, found, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  double lacks = !*found;
  ranks->largest(ranks->of, 1, &lacks);
  *found = lacks == 0.0;
done:
  free_fields(&s);
  prc_delete(&group);
  return status;
}

/* ---- making --------------------------------------------------------------------------------------------------------------- */

static prc_status make_ways(petsc_work *w, prc_near *f, prc_error *err) {
  prc_status status = PRC_OK;
  IS numbers = NULL;
  int *number = NULL, n = 0, at = 0;
  for (int k = 0; k < f->n_groups; k++) n += f->group[k].n;
  prc_try(prc_ranks_agree(w->share->ranks, prc_new(&number, n, err), err));
  for (int k = 0; k < f->n_groups; at += f->group[k++].n)
    memcpy(number + at, f->group[k].number, (size_t)f->group[k].n * sizeof *number);
  prc_petsc(ISCreateGeneral(PETSC_COMM_SELF, n, number, PETSC_COPY_VALUES, &numbers));
  prc_petsc(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, f->x, &f->values));
  prc_petsc(VecScatterCreate(f->values, NULL, w->x, numbers, &f->to_all));
done:
  ISDestroy(&numbers);
  prc_delete(&number);
  return status;
}

/* Of touched unknowns alone: nothing is eliminated in it. */
static prc_status make_frame(const petsc_work *w, prc_frame *f, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = w->share->width * w->share->n, n_tail = w->n_touched;
  f->n = n, f->n_tail = n_tail;
  prc_try(prc_new(&f->tail_place, n, err));
  for (int i = 0; i < n; i++) f->tail_place[i] = -1;
  for (int k = 0; k < n_tail; k++) f->tail_place[w->touched[k]] = k;
  prc_try(prc_new(&f->pull, n_tail, err));
  prc_try(prc_new(&f->kick, n_tail, err));
  prc_try(prc_new(&f->line, n_tail, err));
  prc_try(prc_new(&f->by_start, (size_t)n_tail + 1, err));
done:
  return status;
}

/* Entries are those of all ranks, as of other rows; bytes this one's. */
static void count(const petsc_work *w, prc_near *f) {
  double entries = 0.0;
  for (int k = 0; k < f->n_groups; k++) {
    const prc_near_group *g = f->group + k;
    entries += (double)prc_factor_nnz(g->L);
    f->bytes += prc_factor_bytes(g->L) + (size_t)g->n * (sizeof(int) + 2 * sizeof(double));
  }
  f->bytes += prc_tail_bytes(f->tail);
  prc_share_sum(w->share, 1, &entries);
  f->entries = (size_t)entries;
}

prc_status prc_near_create(petsc_work *w, const prc_log *log, prc_near **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_near *f = NULL;
  choices c;
  int found = 0;
  prc_try(read_choices(&c, err)); /* the same on all */
  prc_log_message(log, PRC_LOG_PHASE, "factorising the near field of the contacts");
  prc_try(prc_ranks_agree(w->share->ranks, prc_new(&f, 1, err), err));
  prc_try(prc_ranks_agree(w->share->ranks, make_frame(w, &f->frame, err), err));
  for (int layers = (int)c.layers; !found; layers += (layers + 1) / 2) {
    prc_try(try_layers(w, f, &c, layers, &found, err));
    f->layers = layers;
  }
  prc_try(prc_near_join(w, f, err));
  prc_try(make_ways(w, f, err));
  count(w, f);
  *out = f, f = NULL;
done:
  prc_near_free(&f);
  return status;
}

/* ---- a step ------------------------------------------------------------------------------------------------------------------ */

/* Rows i outside have sum_j A_ij x_j over the border, and A_ij^2 <= A_ii A_jj: with at most c entries in a row, the squares r_i^2 / A_ii are at most
 * c^2 sum_j A_jj x_j^2 in all. */
static double left_outside(const petsc_work *w, const prc_near_group *g) {
  double sum = 0.0;
  for (int k = 0; k < g->n_border; k++) {
    const int j = g->border[k];
    sum += g->diagonal[j] * g->x[j] * g->x[j];
  }
  return w->widest * sqrt(sum);
}

/* Norms of what each group leaves add up to a bound of that of all together. */
double prc_near_solve(petsc_work *w) {
  prc_near *f = w->near;
  double left = 0.0;
  for (int k = 0; k < f->n_groups; k++) {
    const prc_near_group *g = f->group + k;
    for (int i = 0; i < g->n_tail; i++) f->frame.kick[i] = g->is_own[i] ? f->frame.pull[g->touched[i]] : 0.0;
    solve_group(g, f->frame.kick);
    left += left_outside(w, g);
  }
  return left;
}

void prc_near_spread(petsc_work *w) {
  prc_near *f = w->near;
  (void)VecScatterBegin(f->to_all, f->values, w->x, ADD_VALUES, SCATTER_FORWARD);
  (void)VecScatterEnd(f->to_all, f->values, w->x, ADD_VALUES, SCATTER_FORWARD);
}

#include "config.h"
#include "linear/internal.h"

#include <stdlib.h>

/* Threads share a factor by subtrees of its elimination tree: what is eliminated in one subtree changes unknowns of that subtree
 * and of its ancestors only. The tree is cut into subtrees of some even weight, which are dealt out to as many groups as there
 * are threads; what remains is the top. Forward, each group adds what it owes to the top in memory of its own, and these are summed in
 * a fixed order before the top is eliminated; backward, the top comes first. So the number of threads decides about rounding,
 * and nothing else does.
 *
 * The elimination order is a postorder: a subtree is the panels low .. root. */
#define PIECES_A_THREAD 8
#define PIECES_MOST     64 /* for each thread */

typedef struct {
  int low, root;
  size_t weight;
} subtree;

struct prc_forest {
  int n_groups, n_pieces, n_top, n_top_rows;
  int *group_start; /* n_groups + 1: pieces of a group, ascending in each */
  subtree *piece;
  int *top;     /* panels, ascending */
  int *top_row; /* their columns, and the tail */
  int *inside;  /* n_panels: rows of a panel that are in its piece; of the top: all */
  double *owed; /* n_groups x n, zero between two substitutions */
  int n;
};

void prc_forest_free(prc_forest **f) {
  if (!*f) return;
  prc_delete(&(*f)->group_start);
  prc_delete(&(*f)->piece);
  prc_delete(&(*f)->top);
  prc_delete(&(*f)->top_row);
  prc_delete(&(*f)->inside);
  prc_delete(&(*f)->owed);
  prc_delete(f);
}

/* ---- cutting the tree ------------------------------------------------------------------------------------------------ */

/* parent: the panel that has the first row below, -1 for a root. low and weight of the subtree under each panel. */
static prc_status find_tree(const prc_panels *A, int n_lead, int *parent, subtree *tree, prc_error *err) {
  prc_status status = PRC_OK;
  int *panel_of = NULL;
  prc_try(prc_new(&panel_of, n_lead, err));
  for (int k = 0; k < A->n_panels; k++)
    for (int c = A->first[k]; c < A->first[k + 1]; c++) panel_of[c] = k;
  for (int k = 0; k < A->n_panels; k++)
    tree[k] = (subtree){.low = k, .root = k, .weight = A->start[k + 1] - A->start[k]};
  for (int k = 0; k < A->n_panels; k++) {
    const int row = A->below[k] > 0 ? A->row[A->row_start[k]] : n_lead;
    parent[k] = row < n_lead ? panel_of[row] : -1;
    if (parent[k] < 0) continue;
    subtree *above = &tree[parent[k]];
    above->weight += tree[k].weight;
    if (tree[k].low < above->low) above->low = tree[k].low;
  }
done:
  prc_delete(&panel_of);
  return status;
}

/* Does every subtree hold exactly the panels low .. root? Each panel must lie in the subtree of the one it follows. */
static int is_postorder(const prc_panels *A, const int *parent, const subtree *tree) {
  for (int k = 0; k < A->n_panels; k++)
    for (int child = k - 1; child >= tree[k].low; child = tree[child].low - 1)
      if (parent[child] != k) return 0;
  return 1;
}

/* Cuts the heaviest piece into the subtrees of its root's children until pieces are light or many. */
static int cut(const prc_panels *A, const int *parent, const subtree *tree, int threads, subtree *piece) {
  const int most = PIECES_MOST * threads;
  int n = 0;
  for (int k = A->n_panels - 1; k >= 0 && n < most; k--)
    if (parent[k] < 0) piece[n++] = tree[k];
  const size_t light = A->start[A->n_panels] / (size_t)(PIECES_A_THREAD * threads) + 1;
  for (;;) {
    int heaviest = 0, count = 0;
    for (int i = 1; i < n; i++)
      if (piece[i].weight > piece[heaviest].weight) heaviest = i;
    if (n == 0 || piece[heaviest].weight <= light) return n;
    const subtree P = piece[heaviest];
    for (int child = P.root - 1; child >= P.low; child = tree[child].low - 1) count++;
    if (n - 1 + count > most) return n;
    piece[heaviest] = piece[--n];
    for (int child = P.root - 1; child >= P.low; child = tree[child].low - 1) piece[n++] = tree[child];
  }
}

static int heavier(const void *a, const void *b) {
  const subtree *x = a, *y = b;
  if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
  return (x->low > y->low) - (x->low < y->low);
}

static int earlier(const void *a, const void *b) {
  const subtree *x = a, *y = b;
  return (x->low > y->low) - (x->low < y->low);
}

/* The heaviest first, each to the group that has least. */
static prc_status distribute(prc_forest *f, const subtree *piece, prc_error *err) {
  prc_status status = PRC_OK;
  size_t *load = NULL;
  int *group = NULL;
  prc_try(prc_new(&load, f->n_groups, err));
  prc_try(prc_new(&group, f->n_pieces, err));
  for (int i = 0; i < f->n_pieces; i++) {
    for (int g = 1; g < f->n_groups; g++)
      if (load[g] < load[group[i]]) group[i] = g;
    load[group[i]] += piece[i].weight;
  }
  for (int g = 0, at = 0; g < f->n_groups; g++) {
    for (int i = 0; i < f->n_pieces; i++)
      if (group[i] == g) f->piece[at++] = piece[i];
    f->group_start[g + 1] = at;
    qsort(f->piece + f->group_start[g], (size_t)(at - f->group_start[g]), sizeof *f->piece, earlier);
  }
done:
  prc_delete(&load);
  prc_delete(&group);
  return status;
}

/* Rows of each panel that are in its own piece, and the panels of no piece. */
static void find_top(prc_forest *f, const prc_panels *A, int n_lead) {
  for (int k = 0; k < A->n_panels; k++) f->inside[k] = -1;
  for (int i = 0; i < f->n_pieces; i++)
    for (int k = f->piece[i].low; k <= f->piece[i].root; k++) {
      const int end = A->first[f->piece[i].root + 1], *row = A->row + A->row_start[k];
      for (f->inside[k] = 0; f->inside[k] < A->below[k] && row[f->inside[k]] < end;) f->inside[k]++;
    }
  for (int k = 0; k < A->n_panels; k++) {
    if (f->inside[k] >= 0) continue;
    f->inside[k] = A->below[k];
    f->top[f->n_top++] = k;
    for (int c = A->first[k]; c < A->first[k + 1]; c++) f->top_row[f->n_top_rows++] = c;
  }
  for (int i = n_lead; i < A->n; i++) f->top_row[f->n_top_rows++] = i;
}

prc_status prc_forest_create(const prc_panels *A, int n_lead, int threads, prc_forest **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_forest *f = NULL;
  int *parent = NULL;
  subtree *tree = NULL, *piece = NULL;
  prc_try(prc_new(&f, 1, err));
  prc_try(prc_new(&parent, A->n_panels, err));
  prc_try(prc_new(&tree, A->n_panels, err));
  prc_try(prc_new(&piece, (size_t)PIECES_MOST * (size_t)threads, err));
  prc_try(find_tree(A, n_lead, parent, tree, err));
  if (!is_postorder(A, parent, tree)) goto done; /* then one thread does it all */
  f->n = A->n, f->n_groups = threads;
  f->n_pieces = cut(A, parent, tree, threads, piece);
  if (f->n_pieces > 0) qsort(piece, (size_t)f->n_pieces, sizeof *piece, heavier);
  prc_try(prc_new(&f->group_start, (size_t)threads + 1, err));
  prc_try(prc_new(&f->piece, f->n_pieces, err));
  prc_try(prc_new(&f->top, A->n_panels, err));
  prc_try(prc_new(&f->top_row, A->n, err));
  prc_try(prc_new(&f->inside, A->n_panels, err));
  prc_try(prc_new(&f->owed, (size_t)threads * (size_t)A->n, err));
  prc_try(distribute(f, piece, err));
  find_top(f, A, n_lead);
  *out = f, f = NULL;
done:
  prc_forest_free(&f);
  prc_delete(&parent);
  prc_delete(&tree);
  prc_delete(&piece);
  return status;
}

/* ---- substitution ------------------------------------------------------------------------------------------------ */

void prc_forest_forward(const prc_forest *f, const prc_panels *A, double *x) {
#pragma omp parallel for schedule(static, 1) num_threads(f->n_groups)
  for (int g = 0; g < f->n_groups; g++)
    for (int i = f->group_start[g]; i < f->group_start[g + 1]; i++)
      prc_panels_forward(A, f->piece[i].low, f->piece[i].root + 1, f->inside, x,
                         f->owed + (size_t)g * (size_t)f->n);
  for (int g = 0; g < f->n_groups; g++) {
    double *owed = f->owed + (size_t)g * (size_t)f->n;
    for (int i = 0; i < f->n_top_rows; i++)
      x[f->top_row[i]] += owed[f->top_row[i]], owed[f->top_row[i]] = 0.0;
  }
  for (int i = 0; i < f->n_top; i++) prc_panels_forward(A, f->top[i], f->top[i] + 1, NULL, x, NULL);
}

void prc_forest_backward(const prc_forest *f, const prc_panels *A, double *x) {
  for (int i = f->n_top - 1; i >= 0; i--) prc_panels_backward(A, f->top[i], f->top[i] + 1, x);
#pragma omp parallel for schedule(static, 1) num_threads(f->n_groups)
  for (int g = 0; g < f->n_groups; g++)
    for (int i = f->group_start[g + 1] - 1; i >= f->group_start[g]; i--)
      prc_panels_backward(A, f->piece[i].low, f->piece[i].root + 1, x);
}

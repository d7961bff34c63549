#include "config.h"
#include "linear/petsc.h"

#include <math.h>
#include <stdlib.h>

/* Groups of touched nodes by bisection: what is cut in two has as many nodes on one side as on the other, or one more. */

typedef struct {
  double at; /* along the larger extent */
  int node;  /* as this rank counts them; the same on all, as touched nodes are kept */
} place;

static int by_place(const void *a, const void *b) {
  const place *p = a, *q = b;
  if (p->at != q->at) return p->at < q->at ? -1 : 1;
  return (p->node > q->node) - (p->node < q->node);
}

/* Along x or y, whichever is larger. */
static void sort_along(const double *where, int n, place *list) {
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
  for (int k = 0; k < n; k++)
    for (int d = 0; d < 2; d++) {
      const double x = where[2 * list[k].node + d];
      least[d] = fmin(least[d], x), most[d] = fmax(most[d], x);
    }
  const int along = most[1] - least[1] > most[0] - least[0];
  for (int k = 0; k < n; k++) list[k].at = where[2 * list[k].node + along];
  qsort(list, (size_t)n, sizeof *list, by_place);
}

static void halve(const double *where, int most, int n, place *list, int *group, int *n_groups) {
  if (n <= most) {
    for (int k = 0; k < n; k++) group[list[k].node] = *n_groups;
    ++*n_groups;
    return;
  }
  sort_along(where, n, list);
  halve(where, most, n / 2, list, group, n_groups);
  halve(where, most, n - n / 2, list + n / 2, group, n_groups);
}

prc_status prc_near_divide(const petsc_work *w, int most, int *group, int *n_groups, prc_error *err) {
  prc_status status = PRC_OK;
  const int width = w->share->width, last = w->n_touched > 0 ? w->touched[w->n_touched - 1] / width : -1;
  place *list = NULL;
  int *of_node = NULL, n = 0;
  *n_groups = 0;
  prc_try(prc_new(&list, w->n_touched, err));
  prc_try(prc_new(&of_node, last + 1, err));
  for (int k = 0; k < w->n_touched; k++)
    if (n == 0 || list[n - 1].node != w->touched[k] / width) list[n++].node = w->touched[k] / width;
  if (n > 0) halve(w->share->place, most, n, list, of_node, n_groups);
  for (int k = 0; k < w->n_touched; k++) group[k] = of_node[w->touched[k] / width];
done:
  prc_delete(&list);
  prc_delete(&of_node);
  return status;
}

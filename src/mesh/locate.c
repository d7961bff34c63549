#include "config.h"
#include "mesh/internal.h"

#include <math.h>
#include <string.h>

static const double on_the_rim = 1e-10; /* in the reference element: how far outside still counts as inside */

/* ---- one cell ------------------------------------------------------------------------------------------ */

/* The place of a point in the reference triangle: barycentric coordinates. */
static void invert_triangle(const double (*x)[2], const double point[2], double at[2]) {
  const double area2 = prc_triangle_area2(x[0], x[1], x[2]);
  at[0] = prc_triangle_area2(x[0], point, x[2]) / area2;
  at[1] = prc_triangle_area2(x[0], x[1], point) / area2;
}

/* The same of any element, by Newton's method from its middle; 0: it went far away, so the point is not
 * near. */
static int invert(const prc_element *e, const double (*x)[2], const double point[2], double at[2]) {
  const double far = 8.0, middle = e->n_corners == 3 ? 1.0 / 3.0 : 0.0;
  at[0] = at[1] = middle;
  for (int k = 0; k < 30; k++) {
    double N[PRC_ELEMENT_NODES], dN[PRC_ELEMENT_NODES][2], r[2] = {point[0], point[1]}, J[2][2] = {{0.0}};
    e->shape(at, N, dN);
    for (int a = 0; a < e->n_nodes; a++)
      for (int i = 0; i < 2; i++) {
        r[i] -= N[a] * x[a][i];
        for (int j = 0; j < 2; j++) J[i][j] += x[a][i] * dN[a][j];
      }
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    const double step[2] = {(J[1][1] * r[0] - J[0][1] * r[1]) / det, (J[0][0] * r[1] - J[1][0] * r[0]) / det};
    for (int i = 0; i < 2; i++) at[i] += step[i];
    if (!(fabs(at[0]) + fabs(at[1]) < far)) return 0;
    if (fabs(step[0]) + fabs(step[1]) < 1e-14) return 1;
  }
  return 1; /* rounding keeps the last digits moving */
}

/* How deep the point is in cell c, and where; -infinity if nowhere near. */
double prc_mesh_depth(const prc_mesh *mesh, int c, const double point[2], double at[2]) {
  const prc_element *e = mesh->cell_element[c];
  double x[PRC_ELEMENT_NODES][2];
  prc_mesh_cell_nodes(mesh, c, x);
  if (e->n_nodes == 3)
    invert_triangle((const double(*)[2])x, point, at);
  else if (!invert(e, (const double(*)[2])x, point, at))
    return -INFINITY;
  return prc_element_depth(e, at);
}

/* A box around cell c: of its nodes, widened where sides may bulge between them. */
static void box_of(const prc_mesh *mesh, int c, double low[2], double high[2]) {
  double x[PRC_ELEMENT_NODES][2];
  const prc_element *e = mesh->cell_element[c];
  prc_mesh_cell_nodes(mesh, c, x);
  for (int d = 0; d < 2; d++) {
    low[d] = high[d] = x[0][d];
    for (int a = 1; a < e->n_nodes; a++) low[d] = fmin(low[d], x[a][d]), high[d] = fmax(high[d], x[a][d]);
  }
  const double wider = (e->quadratic ? 0.25 : 1e-9) * fmax(high[0] - low[0], high[1] - low[1]);
  for (int d = 0; d < 2; d++) low[d] -= wider, high[d] += wider;
}

static int is_in_box(const double point[2], const double low[2], const double high[2]) {
  return point[0] >= low[0] && point[0] <= high[0] && point[1] >= low[1] && point[1] <= high[1];
}

/* Of the cells around a point the one it is deepest in; the first that holds it strictly or on its rim
 * ends the scan, so that a point between two cells is in the one of lower index. */
int prc_mesh_locate(const prc_mesh *mesh, double x, double y, double *weight) {
  const double point[2] = {x, y};
  double deepest = -on_the_rim, place[2] = {0.0, 0.0}, dN[PRC_ELEMENT_NODES][2];
  int found = -1;
  for (int c = 0; c < mesh->n_cells && !(found >= 0 && deepest >= 0.0); c++) {
    double low[2], high[2], at[2];
    box_of(mesh, c, low, high);
    if (!is_in_box(point, low, high)) continue;
    const double depth = prc_mesh_depth(mesh, c, point, at);
    if (!(depth >= deepest)) continue;
    deepest = depth;
    found = c;
    memcpy(place, at, sizeof place);
  }
  if (found >= 0) mesh->cell_element[found]->shape(place, weight, dN);
  return found;
}

/* ---- many points --------------------------------------------------------------------------------------- */

struct prc_mesh_locator {
  const prc_mesh *mesh;
  int n[2];        /* boxes in x and y */
  double width[2]; /* of a box */
  int *start;      /* n[0] n[1] + 1 */
  int *cell;       /* the cells whose own box meets each box, ascending */
};

static int clamp(double place, int n) {
  return place >= n - 1 ? n - 1 : place > 0.0 ? (int)place : 0;
}

/* The boxes that a rectangle meets: i from first[0] to last[0], j from first[1] to last[1]. */
static void boxes_of(const prc_mesh_locator *l, const double low[2], const double high[2], int first[2],
                     int last[2]) {
  for (int d = 0; d < 2; d++) {
    first[d] = clamp((low[d] - l->mesh->low[d]) / l->width[d], l->n[d]);
    last[d] = clamp((high[d] - l->mesh->low[d]) / l->width[d], l->n[d]);
  }
}

/* Counts the entries of each box (next: counters), or stores them (next: places). */
static void fill_boxes(prc_mesh_locator *l, int *next, int store) {
  for (int c = 0; c < l->mesh->n_cells; c++) {
    double low[2], high[2];
    int first[2], last[2];
    box_of(l->mesh, c, low, high);
    boxes_of(l, low, high, first, last);
    for (int j = first[1]; j <= last[1]; j++)
      for (int i = first[0]; i <= last[0]; i++) {
        const int at = next[j * l->n[0] + i]++;
        if (store) l->cell[at] = c;
      }
  }
}

/* About one cell to a box. */
static void size_grid(prc_mesh_locator *l) {
  const prc_mesh *mesh = l->mesh;
  const double size[2] = {mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1]};
  const double edge = sqrt(size[0] * size[1] / mesh->n_cells);
  for (int d = 0; d < 2; d++) {
    l->n[d] = clamp(size[d] / edge, mesh->n_cells) + 1;
    l->width[d] = size[d] / l->n[d];
  }
}

prc_status prc_mesh_locator_create(const prc_mesh *mesh, prc_mesh_locator **out, prc_error *err) {
  prc_need(mesh, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_mesh_locator *l = NULL;
  int *next = NULL;
  prc_try(prc_new(&l, 1, err));
  l->mesh = mesh;
  size_grid(l);
  const int n = l->n[0] * l->n[1];
  prc_try(prc_new(&l->start, (size_t)n + 1, err));
  prc_try(prc_new(&next, n, err));
  fill_boxes(l, next, 0);
  for (int k = 0; k < n; k++) {
    l->start[k + 1] = l->start[k] + next[k];
    next[k] = l->start[k];
  }
  prc_try(prc_new(&l->cell, l->start[n], err));
  fill_boxes(l, next, 1);
  *out = l, l = NULL;
done:
  prc_delete(&next);
  prc_mesh_locator_free(&l);
  return status;
}

void prc_mesh_locator_free(prc_mesh_locator **locator) {
  if (!*locator) return;
  prc_delete(&(*locator)->start);
  prc_delete(&(*locator)->cell);
  prc_delete(locator);
}

/* The deepest of the cells of one box, if deeper than *depth. */
static void search_box(const prc_mesh_locator *l, int box, const double point[2], int *found, double *depth,
                       double at[2]) {
  for (int k = l->start[box]; k < l->start[box + 1] && *depth < 0.0; k++) {
    double here[2];
    const double d = prc_mesh_depth(l->mesh, l->cell[k], point, here);
    if (!(d > *depth)) continue;
    *found = l->cell[k], *depth = d;
    memcpy(at, here, sizeof here);
  }
}

/* The point's own box first, then the rings of boxes around it: one more than the first with a cell near
 * enough to say. */
int prc_mesh_locator_find(const prc_mesh_locator *l, double x, double y, double at[2]) {
  const double point[2] = {x, y};
  int own[2], same[2], found = -1;
  double depth = -INFINITY;
  boxes_of(l, point, point, own, same);
  for (int ring = 0, more = 2; more > 0 && depth < 0.0 && ring < l->n[0] + l->n[1]; ring++) {
    for (int j = own[1] - ring; j <= own[1] + ring; j++)
      for (int i = own[0] - ring; i <= own[0] + ring; i++) {
        const int on_ring =
            j == own[1] - ring || j == own[1] + ring || i == own[0] - ring || i == own[0] + ring;
        if (!on_ring || i < 0 || j < 0 || i >= l->n[0] || j >= l->n[1]) continue;
        search_box(l, j * l->n[0] + i, point, &found, &depth, at);
      }
    more -= found >= 0;
    if (depth >= -on_the_rim) break;
  }
  return found;
}

#include "config.h"
#include "fem/internal.h"

#include <limits.h>
#include <stdlib.h>

/* ---- the graph of the mesh ------------------------------------------------------------------------------------- */

typedef struct {
  int *cell_start, *cell;   /* cells around each node, ascending */
  int *upper_start, *upper; /* neighbours b >= a of each node a, ascending, a itself first */
} graph;

static void graph_free(graph *g) {
  prc_delete(&g->cell_start);
  prc_delete(&g->cell);
  prc_delete(&g->upper_start);
  prc_delete(&g->upper);
}

static prc_status cells_around_nodes(const prc_mesh *mesh, graph *g, prc_error *err) {
  prc_status status = PRC_OK;
  int *next = NULL;
  prc_try(prc_new(&g->cell_start, (size_t)mesh->n_nodes + 1, err));
  prc_try(prc_new(&g->cell, 3 * (size_t)mesh->n_cells, err));
  prc_try(prc_new(&next, mesh->n_nodes, err));
  for (int k = 0; k < 3 * mesh->n_cells; k++) g->cell_start[mesh->cell[k] + 1]++;
  for (int a = 0; a < mesh->n_nodes; a++) {
    next[a] = g->cell_start[a];
    g->cell_start[a + 1] += g->cell_start[a];
  }
  for (int c = 0; c < mesh->n_cells; c++)
    for (int a = 0; a < 3; a++) g->cell[next[mesh->cell[3 * c + a]]++] = c;
done:
  prc_delete(&next);
  return status;
}

static int ascending(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The neighbours b > a of node a into list, ascending; marked[b] == a says that b was met. Returns their number. */
static int upper_neighbours(const prc_mesh *mesh, const graph *g, int a, int *marked, int *list) {
  int count = 0;
  for (int k = g->cell_start[a]; k < g->cell_start[a + 1]; k++)
    for (int v = 0; v < 3; v++) {
      const int b = mesh->cell[3 * g->cell[k] + v];
      if (b > a && marked[b] != a) marked[b] = a, list[count++] = b;
    }
  qsort(list, (size_t)count, sizeof *list, ascending);
  return count;
}

/* A plane graph of V nodes and C cells has at most V + 2 C pairs a <= b in it (three edges a cell, all counted). */
static prc_status graph_of(const prc_mesh *mesh, graph *g, prc_error *err) {
  prc_status status = PRC_OK;
  int *marked = NULL, n = 0;
  prc_try(cells_around_nodes(mesh, g, err));
  prc_try(prc_new(&g->upper_start, (size_t)mesh->n_nodes + 1, err));
  prc_try(prc_new(&g->upper, (size_t)mesh->n_nodes + 3 * (size_t)mesh->n_cells, err));
  prc_try(prc_new(&marked, mesh->n_nodes, err));
  for (int a = 0; a < mesh->n_nodes; a++) marked[a] = -1;
  for (int a = 0; a < mesh->n_nodes; a++) {
    g->upper[n++] = a;
    n += upper_neighbours(mesh, g, a, marked, g->upper + n);
    g->upper_start[a + 1] = n;
  }
done:
  prc_delete(&marked);
  return status;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The pattern of M and K: node a has the columns 2a (all of its upper neighbours' rows) and 2a+1 (without row 2a). */
static prc_status pattern(const graph *g, int n_nodes, prc_sym **out, prc_error *err) {
  const long long nnz = 4LL * g->upper_start[n_nodes] - n_nodes;
  if (nnz > INT_MAX)
    return prc_fail(err, PRC_INPUT, "the mesh is too large: its matrices have %lld entries", nnz);
  const prc_status status = prc_sym_create(2 * n_nodes, (int)nnz, out, err);
  if (status != PRC_OK) return status;
  prc_sym *A = *out;
  int n = 0;
  for (int a = 0; a < n_nodes; a++)
    for (int column = 0; column < 2; column++) {
      for (int k = g->upper_start[a]; k < g->upper_start[a + 1]; k++)
        for (int row = 0; row < 2; row++)
          if (g->upper[k] > a || row >= column) A->i[n++] = 2 * g->upper[k] + row;
      A->p[2 * a + column + 1] = n;
    }
  return PRC_OK;
}

/* Where row 2b of column 2a stands, relative to the column's start: twice the place of b among a's neighbours. */
static int place_of(const graph *g, int a, int b) {
  int low = g->upper_start[a], high = g->upper_start[a + 1] - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (g->upper[middle] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return 2 * (low - g->upper_start[a]);
}

/* Adds what cell c gives to the columns of its node number v. */
static void add_cell(prc_fem *fem, const graph *g, int c, int v) {
  const prc_fem_model *model = fem->model;
  const prc_fem_material *material = &model->material[fem->cell_material[c]];
  const int *node = model->mesh->cell + 3 * c, a = node[v];
  double x[3][2], D[3][3], Ke[6][6], Me[3][3];
  prc_fem_cell_nodes(model->mesh, c, x);
  prc_fem_elasticity(material->young, material->poisson, model->plane_strain, D);
  const double area =
      prc_fem_t3_stiffness((const double(*)[2])x, (const double(*)[3])D, model->thickness, Ke);
  prc_fem_t3_mass(area, material->density, model->thickness, Me);
  for (int w = 0; w < 3; w++) {
    const int b = node[w];
    const double mass = model->lumped ? (v == w) * (Me[v][0] + Me[v][1] + Me[v][2]) : Me[v][w];
    if (b < a) continue;
    const int at = place_of(g, a, b), first = fem->K->p[2 * a] + at, second = fem->K->p[2 * a + 1] + at;
    fem->K->x[first] += Ke[2 * w][2 * v];
    fem->K->x[first + 1] += Ke[2 * w + 1][2 * v];
    if (b > a) fem->K->x[second - 1] += Ke[2 * w][2 * v + 1];
    fem->K->x[second] += Ke[2 * w + 1][2 * v + 1];
    fem->M->x[first] += mass;
    fem->M->x[second] += mass;
  }
}

prc_status prc_fem_assemble(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = fem->model->mesh;
  graph g = {0};
  prc_try(graph_of(mesh, &g, err));
  prc_try(pattern(&g, mesh->n_nodes, &fem->K, err));
  prc_try(pattern(&g, mesh->n_nodes, &fem->M, err));
  /* every node gathers its own columns, cells in ascending order: the sums do not depend on the number of threads */
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (mesh->n_nodes > 20000)
#endif
  for (int a = 0; a < mesh->n_nodes; a++)
    for (int k = g.cell_start[a]; k < g.cell_start[a + 1]; k++)
      for (int v = 0; v < 3; v++)
        if (mesh->cell[3 * g.cell[k] + v] == a) add_cell(fem, &g, g.cell[k], v);
done:
  graph_free(&g);
  return status;
}

#include "config.h"
#include "base/order.h"
#include "fem/internal.h"

#include <limits.h>
#include <stdlib.h>

/* ---- the graph of the mesh ----------------------------------------------------------------------------- */

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
  prc_try(prc_new(&g->cell, mesh->cell_start[mesh->n_cells], err));
  prc_try(prc_new(&next, mesh->n_nodes, err));
  for (int k = 0; k < mesh->cell_start[mesh->n_cells]; k++) g->cell_start[mesh->cell[k] + 1]++;
  for (int a = 0; a < mesh->n_nodes; a++) {
    next[a] = g->cell_start[a];
    g->cell_start[a + 1] += g->cell_start[a];
  }
  for (int c = 0; c < mesh->n_cells; c++)
    for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++) g->cell[next[mesh->cell[k]]++] = c;
done:
  prc_delete(&next);
  return status;
}

/* The neighbours b > a of node a into list, ascending; marked[b] == a says that b was met. Returns their
 * number. */
static int upper_neighbours(const prc_mesh *mesh, const graph *g, int a, int *marked, int *list) {
  int count = 0;
  for (int k = g->cell_start[a]; k < g->cell_start[a + 1]; k++) {
    int n;
    const int *node = prc_fem_cell(mesh, g->cell[k], &n);
    for (int v = 0; v < n; v++)
      if (node[v] > a && marked[node[v]] != a) marked[node[v]] = a, list[count++] = node[v];
  }
  qsort(list, (size_t)count, sizeof *list, prc_by_int);
  return count;
}

/* Pairs a <= b: every node with itself, and at most n (n - 1) / 2 in a cell of n nodes. */
static size_t most_pairs(const prc_mesh *mesh) {
  size_t most = (size_t)mesh->n_nodes;
  for (int c = 0; c < mesh->n_cells; c++) {
    const size_t n = (size_t)mesh->cell_element[c]->n_nodes;
    most += n * (n - 1) / 2;
  }
  return most;
}

static prc_status graph_of(const prc_mesh *mesh, graph *g, prc_error *err) {
  prc_status status = PRC_OK;
  int *marked = NULL, n = 0;
  prc_try(cells_around_nodes(mesh, g, err));
  prc_try(prc_new(&g->upper_start, (size_t)mesh->n_nodes + 1, err));
  prc_try(prc_new(&g->upper, most_pairs(mesh), err));
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

/* ---- values -------------------------------------------------------------------------------------------- */

static prc_status refuse_size(long long nnz, prc_error *err) {
  if (nnz <= INT_MAX) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "the mesh is too large: its matrices have %lld entries", nnz);
}

/* K: node a has the columns 2a (all of its upper neighbours' rows) and 2a+1 (without row 2a). */
static prc_status stiffness_pattern(const graph *g, int n_nodes, prc_sym **out, prc_error *err) {
  prc_status status = PRC_OK;
  const long long nnz = 4LL * g->upper_start[n_nodes] - n_nodes;
  int n = 0;
  prc_try(refuse_size(nnz, err));
  prc_try(prc_sym_create(2 * n_nodes, (int)nnz, out, err));
  for (int a = 0; a < n_nodes; a++)
    for (int column = 0; column < 2; column++) {
      for (int k = g->upper_start[a]; k < g->upper_start[a + 1]; k++)
        for (int row = 0; row < 2; row++)
          if (g->upper[k] > a || row >= column) (*out)->i[n++] = 2 * g->upper[k] + row;
      (*out)->p[2 * a + column + 1] = n;
    }
done:
  return status;
}

/* M: it couples each direction with itself, and lumped a node with itself only. */
static prc_status mass_pattern(const graph *g, int n_nodes, int is_lumped, prc_sym **out, prc_error *err) {
  prc_status status = PRC_OK;
  const long long nnz = is_lumped ? 2LL * n_nodes : 2LL * g->upper_start[n_nodes];
  int n = 0;
  prc_try(refuse_size(nnz, err));
  prc_try(prc_sym_create(2 * n_nodes, (int)nnz, out, err));
  for (int a = 0; a < n_nodes; a++)
    for (int column = 0; column < 2; column++) {
      const int end = is_lumped ? g->upper_start[a] + 1 : g->upper_start[a + 1];
      for (int k = g->upper_start[a]; k < end; k++) (*out)->i[n++] = 2 * g->upper[k] + column;
      (*out)->p[2 * a + column + 1] = n;
    }
done:
  return status;
}

/* The place of b among a's upper neighbours, of which a is the first. */
static int place_of(const graph *g, int a, int b) {
  const int *neighbour = g->upper + g->upper_start[a];
  const size_t n = (size_t)(g->upper_start[a + 1] - g->upper_start[a]);
  return (int)prc_lower_bound(&b, neighbour, n, sizeof b, prc_by_int);
}

/* Adds what cell c gives to the columns of its node number v. */
static void add_cell(prc_fem *fem, const graph *g, int c, int v) {
  int n;
  const int *node = prc_fem_cell(fem->model->mesh, c, &n), a = node[v];
  prc_fem_columns columns;
  prc_fem_cell_columns(fem, c, v, &columns);
  for (int w = 0; w < n; w++) {
    const int b = node[w];
    if (b < a) continue;
    const int place = place_of(g, a, b), first = fem->K->p[2 * a] + 2 * place,
              second = fem->K->p[2 * a + 1] + 2 * place;
    fem->K->x[first] += columns.K[2 * w][0];
    fem->K->x[first + 1] += columns.K[2 * w + 1][0];
    if (b > a) fem->K->x[second - 1] += columns.K[2 * w][1];
    fem->K->x[second] += columns.K[2 * w + 1][1];
    if (b > a && fem->model->mass == PRC_MASS_LUMPED) continue;
    fem->M->x[fem->M->p[2 * a] + place] += columns.M[w];
    fem->M->x[fem->M->p[2 * a + 1] + place] += columns.M[w];
  }
}

/* Every node gathers its own columns, cells in ascending order: the sums do not depend on the number of
 * threads. */
static void assemble_node(prc_fem *fem, const graph *g, int a) {
  const prc_mesh *mesh = fem->model->mesh;
  for (int k = g->cell_start[a]; k < g->cell_start[a + 1]; k++) {
    int n;
    const int *node = prc_fem_cell(mesh, g->cell[k], &n);
    for (int v = 0; v < n; v++)
      if (node[v] == a) add_cell(fem, g, g->cell[k], v);
  }
}

static prc_status check_materials(const prc_fem_model *model, prc_error *err) {
  for (int m = 0; m < model->n_materials; m++) {
    const prc_fem_material *material = &model->material[m];
    const prc_status status = prc_fem_material_check(material, model->plane, err);
    if (status == PRC_OK) continue;
    prc_error_context(err, "material '%s'", material->group->name);
    return status;
  }
  return PRC_OK;
}

prc_status prc_fem_assemble(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = fem->model->mesh;
  graph g = {0};
  prc_try(check_materials(fem->model, err));
  prc_try(graph_of(mesh, &g, err));
  prc_try(stiffness_pattern(&g, mesh->n_nodes, &fem->K, err));
  prc_try(mass_pattern(&g, mesh->n_nodes, fem->model->mass == PRC_MASS_LUMPED, &fem->M, err));
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (mesh->n_nodes > 20000)
#endif
  for (int a = 0; a < mesh->n_nodes; a++) assemble_node(fem, &g, a);
done:
  graph_free(&g);
  return status;
}

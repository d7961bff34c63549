#include "config.h"
#include "cone/solvers/islands.h"

#include <string.h>

prc_status prc_cone_islands_create(const prc_cone_sizes *sizes, prc_cone_islands *g, prc_error *err) {
  prc_status status = PRC_OK;
  g->n_max = sizes->n_max, g->couples = sizes->W->couple != NULL;
  prc_try(prc_new(&g->of, sizes->n_max, err));
  prc_try(prc_new(&g->start, (size_t)sizes->n_max + 1, err));
  prc_try(prc_new(&g->member, sizes->n_max, err));
  prc_try(prc_new(&g->room, (size_t)sizes->n_runs + 1, err));
done:
  return status; /* the caller frees what was made */
}

void prc_cone_islands_free(prc_cone_islands *g) {
  prc_delete(&g->of);
  prc_delete(&g->start);
  prc_delete(&g->member);
  prc_delete(&g->room);
}

/* The root of c; the way there is halved. */
static int root_of(int *parent, int c) {
  while (parent[c] != c) c = parent[c] = parent[parent[c]];
  return c;
}

/* The smaller root above the larger: a root is the first contact of its island. */
static void unite(int *parent, int c, int d) {
  const int a = root_of(parent, c), b = root_of(parent, d);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

void prc_cone_islands_find(prc_cone_islands *g, const prc_cone_problem *problem) {
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  const int n = problem->n;
  int *parent = g->of, *start = g->start;
  if (!g->couples) {
    memset(g->of, 0, (size_t)n * sizeof *g->of);
    g->count = 1;
    return;
  }
  for (int c = 0; c < n; c++) parent[c] = c;
  W->couple(problem, g->room, parent, unite);
  g->count = 0;
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (int c = 0; c < n; c++) { /* a parent stands before its children, and has its number */
    parent[c] = parent[c] == c ? g->count++ : parent[parent[c]];
    start[parent[c] + 1]++;
  }
  for (int k = 0; k < g->count; k++) start[k + 1] += start[k];
  for (int c = 0; c < n; c++) g->member[start[g->of[c]]++] = c;
  for (int k = g->count; k > 0; k--) start[k] = start[k - 1];
  start[0] = 0;
}

/* ---- one of them ---------------------------------------------------------------------------- */

prc_status prc_cone_island_create(const prc_cone_sizes *sizes, prc_cone_island *g, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t dim = (size_t)sizes->dim, n = (size_t)sizes->n_max;
  prc_try(prc_new(&g->blocks.row_start, n + 1, err));
  prc_try(prc_new(&g->blocks.column, sizes->n_blocks, err));
  prc_try(prc_new(&g->blocks.values, sizes->n_blocks * dim * dim, err));
  prc_try(prc_new(&g->b, dim * n, err));
  prc_try(prc_new(&g->mu, n, err));
  prc_try(prc_new(&g->p, dim * n, err));
  prc_try(prc_new(&g->place, n, err));
done:
  return status; /* the caller frees what was made */
}

void prc_cone_island_free(prc_cone_island *g) {
  prc_delete(&g->blocks.row_start);
  prc_delete(&g->blocks.column);
  prc_delete(&g->blocks.values);
  prc_delete(&g->b);
  prc_delete(&g->mu);
  prc_delete(&g->p);
  prc_delete(&g->place);
}

static double friction_of_member(const void *owner, int c, double speed, double *slope) {
  const prc_cone_island *g = owner;
  return g->whole->friction(g->whole->friction_owner, g->member[c], speed, slope);
}

void prc_cone_island_extract(prc_cone_island *g, const prc_cone_islands *islands,
                             const prc_cone_problem *problem, int k, const double *p) {
  const size_t dim = (size_t)problem->dim;
  const int *member = islands->member + islands->start[k], n = islands->start[k + 1] - islands->start[k];
  for (int i = 0; i < n; i++) g->place[member[i]] = i;
  for (int i = 0; i < n; i++) {
    const int c = member[i];
    prc_cone_append_row(problem, c, &g->blocks, i);
    memcpy(g->b + dim * (size_t)i, problem->b + dim * (size_t)c, dim * sizeof *g->b);
    memcpy(g->p + dim * (size_t)i, p + dim * (size_t)c, dim * sizeof *p);
    g->mu[i] = problem->mu[c];
  }
  for (int at = 0; at < g->blocks.row_start[n]; at++) g->blocks.column[at] = g->place[g->blocks.column[at]];
  g->problem = (prc_cone_problem){.dim = problem->dim, .n = n, .blocks = &g->blocks, .b = g->b, .mu = g->mu};
  g->problem.rho = prc_cone_rho(&g->problem);
  g->whole = problem, g->member = member;
  if (problem->friction) g->problem.friction = friction_of_member, g->problem.friction_owner = g;
}

void prc_cone_island_put_back(const prc_cone_island *g, const prc_cone_islands *islands, int k, double *p) {
  const size_t dim = (size_t)g->problem.dim;
  const int *member = islands->member + islands->start[k];
  for (int i = 0; i < g->problem.n; i++)
    memcpy(p + dim * (size_t)member[i], g->p + dim * (size_t)i, dim * sizeof *p);
}

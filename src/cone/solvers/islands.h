#ifndef PRC_CONE_ISLANDS_H
#define PRC_CONE_ISLANDS_H

#include "cone/solvers/method.h"

/* Contacts that W does not couple with the others: a problem falls into as many problems as it has islands. */
typedef struct {
  int n_max;
  int count;   /* islands, numbered by their first contacts */
  int *of;     /* n: the island of a contact */
  int *start;  /* count + 1: contacts of island k are member[start[k]] .. member[start[k+1]-1], ascending */
  int *member; /* n */
  int *room;   /* n_runs + 1, workspace of the row of W */
  int couples; /* the row says what W couples; else all contacts are one island, of which only `of` and `count` are made */
} prc_cone_islands;

prc_status prc_cone_islands_create(const prc_cone_sizes *sizes, prc_cone_islands *g,
                                   prc_error *err) PRC_MUST_CHECK;
void prc_cone_islands_free(prc_cone_islands *g);
void prc_cone_islands_find(prc_cone_islands *g, const prc_cone_problem *problem);

/* One of them as a problem of its own, W by blocks, and room for it. Of storages whose rows can be asked for. */
typedef struct {
  prc_cone_problem problem;
  prc_cone_blocks blocks;
  double *b, *mu, *p;
  int *place; /* n_max: of a contact within its island */
  const prc_cone_problem
      *whole; /* and which of its contacts these are, for friction that depends on the speed */
  const int *member;
} prc_cone_island;

prc_status prc_cone_island_create(const prc_cone_sizes *sizes, prc_cone_island *g,
                                  prc_error *err) PRC_MUST_CHECK;
void prc_cone_island_free(prc_cone_island *g);
/* g->problem and g->p: island k of the problem and of p; and p of island k := g->p */
void prc_cone_island_extract(prc_cone_island *g, const prc_cone_islands *islands,
                             const prc_cone_problem *problem, int k, const double *p);
void prc_cone_island_put_back(const prc_cone_island *g, const prc_cone_islands *islands, int k, double *p);

#endif

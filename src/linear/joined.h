#ifndef PRC_LINEAR_JOINED_H
#define PRC_LINEAR_JOINED_H

#include "linear/row.h"
#include "linear/schur.h"

/* Joints beside a row of the table that knows nothing of them: A x = b + scale H'p + G'l, G x = g. With Y = A^-1 G' on touched unknowns
 * and S = G Y, of the rows of G that are independent,
 *
 *   begin:   x = A^-1 b,  l = S^-1 (g - G x),  b += G'l;        finish:  dl = -S^-1 Y'(scale H'p),  b += G'dl;
 *   W = scale (H A^-1 H' - H Y S^-1 Y'H'). */
typedef struct {
  int n, n_rows; /* unknowns; rows of G */
  const prc_operator_row *row;
  void *work;           /* of the row */
  char *part;           /* n, of the plan */
  prc_rows G;           /* a copy */
  int given, ranked;    /* there are values of G for this A; which rows depend on others is known, ... */
  int ranked_by_these;  /* ... and was found by the present values */
  double *inverse_mass; /* n: 1 over the masses by which rows are compared; 0 where it is prescribed */
  /* Y by rows of G: on the touched unknowns of the parts of A's graph that the row touches. By unknowns: whose rows those are, and where */
  int *start, *dof, *by_start, *by_row, *by_at;
  double *Y;
  int *S_start, *S_column; /* the lower triangle of S by rows */
  double *S;
  int *pair, *of_G, *of_Y; /* S[k] is the sum of G.x[of_G[i]] Y[of_Y[i]], pair[k] <= i < pair[k + 1] */
  prc_schur schur;
  int *island_of;              /* n: of the joints that reach an unknown; -1: none does */
  double *line, *pull, *power; /* n, zero between calls; n_rows, the last by places and zero between calls */
  double *g, *l, *rest;        /* n_rows */
  double *
      lead; /* of rows that lead, on the pattern of G: see prc_operator_lead_joints; NULL until there were some */
  int leads; /* they do */
  double *
      dense; /* G_lead Y of the rows that are kept, by columns, and its LU; with the rows' numbers and room for them */
  int *kept, *pivots, n_kept;
  double least; /* see prc_operator_size_joints */
  int contradiction;
  double missed;
  /* of condense by blocks: islands of contacts, contacts of islands, and where rows go on */
  int *island_start, *island_contact, *next, *met;
  size_t contact_room, next_room, met_room;
  prc_block_matrix bare; /* W without joints */
} prc_joined;

/* From A and the plan; rows are those of plan->joints. work: of the row, which was made for A */
prc_status prc_joined_create(const prc_operator_row *row, const prc_sym *A, const prc_operator_plan *plan,
                             prc_joined **out, prc_error *err) PRC_MUST_CHECK;
void prc_joined_free(prc_joined **joined);
size_t prc_joined_bytes(const prc_joined *joined);
/* Which rows depend on others; and new values. */
prc_status prc_joined_rank(prc_joined *joined, const prc_rows *G, prc_error *err) PRC_MUST_CHECK;
prc_status prc_joined_turn(prc_joined *joined, const prc_rows *G, prc_error *err) PRC_MUST_CHECK;
/* See prc_operator_lead_joints. */
prc_status prc_joined_lead(prc_joined *joined, const double *lead, prc_error *err) PRC_MUST_CHECK;
void prc_joined_aim(prc_joined *joined, const double *g);
prc_status prc_joined_begin(prc_joined *joined, double *x, prc_error *err) PRC_MUST_CHECK;
/* Before the finish of the row. */
void prc_joined_finish(prc_joined *joined, const prc_rows *H, int n, const int *list, double scale,
                       const double *p);

/* See prc_operator_dependence. */
void prc_joined_dependence(const prc_joined *joined, int row, double *share);

/* joined_condense.c. Does W by blocks pay? */
int prc_joined_is_sparse(const prc_joined *joined);
void prc_joined_condense_dense(prc_joined *joined, const prc_rows *H, int n, const int *list, double scale,
                               double *W);
prc_status prc_joined_condense_blocks(prc_joined *joined, const prc_rows *H, int n, const int *list,
                                      double scale, prc_block_matrix *W, prc_error *err) PRC_MUST_CHECK;

#endif

#ifndef PRC_LINEAR_ROW_H
#define PRC_LINEAR_ROW_H

#include "linear/operator.h"

/* Type of the rows of the table in operators.c, and the parts shared by rows that keep their unknowns in an
 * order of elimination. */

/* ---- a frame: unknowns in an order of their own, with a tail (frame.c) ----------------------------------------------- */

/* Places are counted in the order of elimination: interior, touched by contacts (the tail), prescribed. */
typedef struct {
  int n, n_free, n_lead, n_tail;
  int *perm;            /* n: at place k stands the unknown perm[k] */
  int *tail_place;      /* n: of each unknown, counted from n_lead; -1: it is not in the tail */
  const char *ordering; /* how the order was found */
  /* the columns of A of prescribed unknowns, in free rows, one after the other */
  int *column_start, *column_row;
  double *column_value;
  int *next, *inverse; /* where they are filled, workspace: the columns; n: the places of unknowns */
  double *y;           /* n: a vector in the order of elimination, between begin and finish */
  double *pull, *kick; /* n_tail, workspace: scale H'p; S^-1 of that */
  double *line;        /* n_tail, zero between calls: a row of H S^-1 */
  /* of condense_blocks: positions in the list by the unknowns of the tail that they touch; the last row that met a column */
  int *by_start, *by, *met;
  size_t by_room, met_room;
} prc_frame;

/* The order alone; all else once A is there. */
typedef prc_status (*prc_order_of)(const prc_sym *A, const int *part, int *perm, const char **method,
                                   prc_error *err);
prc_status prc_frame_create(const prc_sym *A, const char *part, prc_order_of order, prc_frame *frame,
                            prc_error *err) PRC_MUST_CHECK;
/* In the order of another. */
prc_status prc_frame_create_like(const prc_frame *other, prc_frame *frame, prc_error *err) PRC_MUST_CHECK;
void prc_frame_free(prc_frame *frame);
size_t prc_frame_bytes(const prc_frame *frame);
/* The free part of A in the order of elimination; and its prescribed columns go to the frame, in the memory that they have. */
prc_status prc_frame_prescribe(prc_frame *frame, const prc_sym *A, prc_sym **inner,
                               prc_error *err) PRC_MUST_CHECK;
/* The same for other numbers in the pattern of the first A, without an allocation but in the first call. *inner, and where its entries stand in A,
 * are the caller's, NULL at first. */
prc_status prc_frame_refill(prc_frame *frame, const prc_sym *A, prc_sym **inner, int **from,
                            prc_error *err) PRC_MUST_CHECK;
/* y := x in the order of elimination, less the prescribed columns times their values */
void prc_frame_enter(prc_frame *frame, const double *x);
void prc_frame_leave_tail(const prc_frame *frame, double *x); /* x := y on the tail */
void prc_frame_leave(const prc_frame *frame, double *x);      /* x := y */
/* pull := scale H'p in the tail; 0: it is zero */
int prc_frame_pull(prc_frame *frame, const prc_rows *H, int n, const int *list, double scale,
                   const double *p);
void prc_frame_kick(prc_frame *frame, const prc_tail *S); /* kick := S^-1 pull */

/* condense.c: room for n rows of blocks, or for so many blocks; and W from S^-1 */
prc_status prc_block_matrix_rows(prc_block_matrix *W, int n, prc_error *err) PRC_MUST_CHECK;
prc_status prc_block_matrix_blocks(prc_block_matrix *W, int dim, size_t count, prc_error *err) PRC_MUST_CHECK;
void prc_frame_condense_dense(prc_frame *frame, const prc_tail *S, const prc_rows *H, int n, const int *list,
                              double scale, double *W);
/* y[k] := of S^-1 G_row', the unknown dof[k] */
void prc_frame_reach(prc_frame *frame, const prc_tail *S, const prc_rows *G, int row, int count,
                     const int *dof, double *y);
prc_status prc_frame_condense_blocks(prc_frame *frame, const prc_tail *S, const prc_rows *H, int n,
                                     const int *list, double scale, prc_block_matrix *W,
                                     prc_error *err) PRC_MUST_CHECK;

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

/* Ingredients of an operator. A row whose cost was asked may leave data for its construction here: the order
 * of elimination, which several rows share, and the free part of A in it. */
typedef struct {
  const prc_sym *A;
  const prc_operator_plan *plan;
  prc_frame frame; /* of prc_order; perm is NULL while there is none */
  prc_sym *inner;
  prc_operator_facts facts; /* what was counted on the way */
} prc_operator_setup;
/* Makes frame and inner by prc_order, unless they are there. */
prc_status prc_operator_setup_order(prc_operator_setup *setup, prc_error *err) PRC_MUST_CHECK;

/* Counts the entries of the factor of inner, which is there. */
prc_status prc_operator_count_factor(prc_operator_setup *setup, prc_error *err) PRC_MUST_CHECK;

typedef struct {
  const char *name;               /* as in a case */
  int (*suits)(const prc_sym *A); /* auto takes it without looking further where this says so; NULL: never */
  /* For auto: the bytes that a step would move, as long to move as those of a substitution; infinite where it cannot do it, or where they
   * are certainly not below `least`. What it made for that goes to *work. NULL: auto never takes it. */
  prc_status (*cost)(prc_operator_setup *setup, double least, double *bytes, void **work, prc_error *err);
  /* *work: NULL, or what cost has made */
  prc_status (*create)(prc_operator_setup *setup, void **work, prc_error *err);
  prc_status (*set)(void *work, const prc_sym *A, prc_error *err);
  prc_status (*begin)(void *work, const double *guess, double *x, prc_error *err);
  void (*finish)(void *work, const prc_rows *H, int n, const int *list, double scale, const double *p,
                 double *x);
  int (*is_sparse)(const void *work);
  void (*condense_dense)(void *work, const prc_rows *H, int n, const int *list, double scale, double *W);
  prc_status (*condense_blocks)(void *work, const prc_rows *H, int n, const int *list, double scale,
                                prc_block_matrix *W, prc_error *err);
  void (*facts)(const void *work, prc_operator_facts *facts); /* adds its own to those counted on the way */
  void (*free)(void **work);                                  /* of NULL too */
  /* For joints; NULL: it has none. y[k] := (A^-1 G_row')_dof[k], count of them, touched ones; */
  void (*reach)(void *work, const prc_rows *G, int row, int count, const int *dof, double *y);
  /* ... and between begin and finish b += G'l; x, unless it is NULL: touched unknowns of A^-1 b, as it stands now */
  void (*add)(void *work, const prc_rows *G, const double *l, double *x);
  int (*has_runs)(const void *work); /* NULL: it has none */
  prc_status (*condense_runs)(void *work, const prc_rows *H, int n, const int *list, double scale,
                              prc_run_matrix *W, prc_error *err);
  const prc_frame *(*frame)(const void *work); /* by prc_order, for others; NULL: it has none */
  int no_panels; /* it shares nothing with panels, nor shall the product beside it */
} prc_operator_row;
extern const prc_operator_row prc_operator_factor;
extern const prc_operator_row prc_operator_gradients;
extern const prc_operator_row prc_operator_umfpack;
extern const prc_operator_row prc_operator_diagonal;
#define PRC_OPERATOR_OF_RANKS "petsc"
extern const prc_operator_row prc_operator_petsc; /* where percuss was configured with it */

int prc_operator_uses_panels(const prc_operator *op);

#endif

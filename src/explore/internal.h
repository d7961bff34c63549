#ifndef PRC_EXPLORE_INTERNAL_H
#define PRC_EXPLORE_INTERNAL_H

#include "explore/explore.h"

/* ---- linear programmes (program.c): extremes of c'x where A x = b, x >= 0 ------------------------------------------------ */

typedef struct prc_program prc_program;

/* A by columns: column j has value[start[j]] .. in the rows row[...]. All numbers should be near one. */
typedef struct {
  int rows, columns;
  const int *start, *row;
  const double *value, *b;
} prc_program_data;

/* PRC_NOMEM where there is not enough. */
prc_status prc_program_create(const prc_program_data *data, prc_program **out, prc_error *err) PRC_MUST_CHECK;
void prc_program_free(prc_program **program);
int prc_program_is_empty(const prc_program *program);
/* The least (sign = 1) or the largest (-1) of sum_k c_k x[column_k], infinite where there is none. */
prc_status prc_program_extreme(prc_program *program, int sign, int n, const int *column, const double *c,
                               double *value, prc_error *err) PRC_MUST_CHECK;
/* x of the last vertex, `columns` of them */
const double *prc_program_point(const prc_program *program);
int prc_program_pivots(const prc_program *program);

#endif

/* A table of bodies, one a row (table.c). */
#ifndef PRC_CASE_TABLE_H
#define PRC_CASE_TABLE_H

#include "case/internal.h"

typedef struct prc_case_table prc_case_table;
/* The table that the block of *first names, and how many of its rows the block takes. */
prc_status prc_case_table_open(const prc_case *c, const prc_case_body *first, prc_case_table **out,
                               int *n_rows, prc_error *err) PRC_MUST_CHECK;
void prc_case_table_close(prc_case_table **t);
/* Reads the next record into a body. Members that have no column stay as they are. */
prc_status prc_case_table_put(prc_case_table *t, prc_case_body *b, prc_error *err) PRC_MUST_CHECK;

#endif

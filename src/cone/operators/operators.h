/* The storages of W, one row each: a new one is its file, its field in prc_cone_problem and its row here (the file's name stands in
 * local.mk). One that is handed in as `storage` needs no row: see operator.h.
 *
 *   symbol: the file exports `const prc_cone_operator prc_cone_<symbol>`;   field: of prc_cone_problem.
 *
 * The first row is that of a problem without any W, such as one of no contacts. */
#ifndef PRC_CONE_OPERATORS_H
#define PRC_CONE_OPERATORS_H

/* clang-format off */
#define PRC_CONE_OPERATORS(ROW)                                                                              \
  ROW(dense, W)                                                                                              \
  ROW(by_blocks, blocks)                                                                                     \
  ROW(by_runs, factors)                                                                                      \
  ROW(global, whole)
/* clang-format on */

#endif

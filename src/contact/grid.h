/* Which of thousands of boxes overlap: a grid of several levels, so that sizes may differ by any factor.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_CONTACT_GRID_H
#define PRC_CONTACT_GRID_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Box j, moved by image x period, overlaps box i. i < j; or i == j, with image > 0: a box meets its own image. */
typedef struct {
  int i, j, image;
} prc_grid_pair;

typedef struct {
  int n;
  int in_space;      /* boxes of three dimensions */
  const double *box; /* 4 n: low x, low y, high x, high y; in space 6 n: low x, y, z, high x, y, z; finite */
  const char *still; /* n: two of those are no pair; NULL: none is */
  double period[3];  /* the cell repeats itself by this vector, in either direction; zero: there is no cell */
} prc_grid_boxes;

typedef struct prc_grid prc_grid;
prc_status prc_grid_create(prc_grid **out, prc_error *err) PRC_MUST_CHECK;
void prc_grid_free(prc_grid **grid);
/* The pairs, in an order that depends on the boxes alone; they belong to the grid until the next call. Allocates only when there is no room.
 * Time is linear in boxes and pairs, whatever their sizes and wherever they are; it grows where thousands of boxes are far longer than wide
 * and lie side by side, as boxes are looked for by their longer side. Fails where a box is not finite, or 2^30 periods away or long. */
prc_status prc_grid_find(prc_grid *grid, const prc_grid_boxes *boxes, const prc_grid_pair **pair,
                         int *n_pairs, prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

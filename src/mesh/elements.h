/* The rows of the table of elements and the quadratures they name: between the files of this folder. */
#ifndef PRC_MESH_ELEMENTS_H
#define PRC_MESH_ELEMENTS_H

#include "mesh/element.h"

/* One row each: the file exports `const prc_element prc_element_<symbol>`. */
#define PRC_ELEMENTS(ROW) ROW(t3) ROW(t6) ROW(q4) ROW(q8) ROW(q9)

#define PRC_ELEMENT_DECLARE(symbol) extern const prc_element prc_element_##symbol;
PRC_ELEMENTS(PRC_ELEMENT_DECLARE)

/* Symmetric, inside, with positive weights. Of the triangle: degree 2, 5 and 6; of the square: degree 3, 5
 * and 7 in each coordinate. */
extern const prc_quadrature prc_triangle_3, prc_triangle_7, prc_triangle_12;
extern const prc_quadrature prc_square_4, prc_square_9, prc_square_16;

/* Of the quadratic quadrilaterals: the four points of the 2 x 2 rule, and the bilinear function through
 * values there. */
extern const double prc_square_sample[4][2];
void prc_square_extend(const double at[2], double *weight);

#endif

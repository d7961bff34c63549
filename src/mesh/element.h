/* element: the plane elements by their geometry: nodes, sides, shape functions, quadrature. No physics.
 *
 * Adding an element is one file and one row in elements.h, and the file's name in local.mk. That is all as
 * long as it has no more than PRC_ELEMENT_NODES nodes and 2 or 3 on a side.
 * Pictures fill it once postprocess/percuss_vtk.py knows its VTK type; else they show outlines. Nodes go as in
 * Gmsh and VTK: corners anticlockwise, then (quadratic elements) one node halfway along each side, the
 * first between corners 0 and 1, then what is inside. The reference triangle has the corners (0, 0), (1, 0),
 * (0, 1), the reference square is [-1, 1]^2.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_ELEMENT_H
#define PRC_ELEMENT_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* the most of any element: nodes, samples of its stress */
enum { PRC_ELEMENT_NODES = 9, PRC_ELEMENT_SAMPLES = 4 };

typedef struct {
  double at[2], weight; /* the weights sum to the area of the reference element, 1/2 or 4 */
} prc_element_point;
typedef struct {
  int n;
  const prc_element_point *point;
} prc_quadrature;

typedef struct prc_element {
  const char *name; /* "T6" */
  const char *noun; /* "6-node triangle", for messages */
  int gmsh_type, vtk_type;
  int n_nodes, n_corners;
  int quadratic;           /* its sides have a node halfway */
  const double (*node)[2]; /* n_nodes: places in the reference element */
  /* N: n_nodes shape functions at a place of the reference element; dN: their derivatives there */
  void (*shape)(const double at[2], double *N, double (*dN)[2]);
  const prc_quadrature *rule; /* of stiffness and mass: exact where sides are straight */
  const prc_quadrature *fine; /* of body forces and errors */
  /* Where stress is best (Barlow): sampled there, and extended from there: weights of the samples
   * elsewhere. */
  int n_samples;
  const double (*sample)[2];
  void (*extend)(const double at[2], double *weight);
} prc_element;

/* The elements that are known, n of them. */
const prc_element *const *prc_elements(int *n);
const prc_element *prc_element_of_gmsh(int type); /* NULL: not known */

/* The isoparametric map at a place of the reference element. x: nodes; point, N and gradient (dN/dx, dN/dy)
 * come out; the gradient is untouched where the Jacobian, which is returned, is zero. */
double prc_element_map(const prc_element *element, const double (*x)[2], const double at[2], double point[2],
                       double *N, double (*gradient)[2]);
/* Twice the area of a triangle, positive if a, b, c run anticlockwise: the Jacobian of its map. */
static inline double prc_triangle_area2(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}
/* How deep a place lies in the reference element: >= 0 inside, 0 on the rim; negative outside. */
double prc_element_depth(const prc_element *element, const double at[2]);

#ifdef __cplusplus
}
#endif
#endif

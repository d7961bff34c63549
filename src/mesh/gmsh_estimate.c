#include "config.h"
#include "mesh/internal.h"

#include <gmshc.h>

#include <math.h>

/* How many cells the mesh of a geometry will have at least, before it is made.
 *
 * The curves alone are meshed, which takes the root of the time and obeys all that says how long edges are: sizes at points, fields, limits, transfinite
 * curves. Inside a surface Gmsh goes over from the lengths on its boundary to each other (Mesh.MeshSizeExtendFromBoundary, and fields only make it
 * finer), so with h the longest edge on the boundary of a surface of area A there are at least A / h^2 cells: quadrilaterals that many, triangles more
 * than twice. The area is that of the polygons of edges: the largest, less the holes in it. */

typedef struct {
  double area2; /* twice, with its sign, of the polygon with the origin */
  double longest;
  size_t n;
  size_t end[2]; /* nodes */
} curve;

/* Edges of curve `tag` in its direction. 0: it has none that are understood. */
static int measure_curve(int tag, curve *out) {
  int *type = NULL, ierr = 0, understood = 0;
  size_t n_types, **element = NULL, *n_elements = NULL, nn_elements = 0, **node = NULL, *n_nodes = NULL,
                  nn_nodes = 0;
  *out = (curve){0};
  gmshModelMeshGetElements(&type, &n_types, &element, &n_elements, &nn_elements, &node, &n_nodes, &nn_nodes,
                           1, tag, &ierr);
  for (size_t k = 0; ierr == 0 && n_types == 1 && k < n_elements[0]; k++) {
    const size_t width = n_nodes[0] / n_elements[0];
    double x[2][2];
    for (int i = 0; i < 2; i++) {
      double *place = NULL, *u = NULL;
      size_t n_place = 0, n_u = 0;
      gmshModelMeshGetNode(node[0][width * k + (size_t)i], &place, &n_place, &u, &n_u, &ierr);
      x[i][0] = n_place >= 2 ? place[0] : NAN, x[i][1] = n_place >= 2 ? place[1] : NAN;
      gmshFree(place);
      gmshFree(u);
    }
    if (k == 0) out->end[0] = node[0][0];
    out->end[1] = node[0][width * k + 1];
    out->area2 += x[0][0] * x[1][1] - x[1][0] * x[0][1];
    out->longest = fmax(out->longest, hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]));
    out->n++, understood = 1;
  }
  for (size_t k = 0; k < nn_elements; k++) gmshFree(element[k]);
  for (size_t k = 0; k < nn_nodes; k++) gmshFree(node[k]);
  gmshFree(type);
  gmshFree(element);
  gmshFree(n_elements);
  gmshFree(node);
  gmshFree(n_nodes);
  return understood && isfinite(out->area2);
}

/* Area within the boundary and its longest edge: curves follow one another around a loop, and loop after loop. 0: not understood. */
static int measure_surface(int tag, double *area, double *longest, double *edges) {
  int surface[] = {2, tag}, *boundary = NULL, ierr = 0, understood = 1;
  size_t n = 0, first = 0, last = 0;
  double loop = 0.0, all = 0.0, largest = 0.0;
  gmshModelGetBoundary(surface, 2, &boundary, &n, 0, 1, 0, &ierr);
  *longest = 0.0;
  for (size_t k = 0; ierr == 0 && understood && k + 1 < n; k += 2) {
    const int turned = boundary[k + 1] < 0;
    curve c;
    understood = measure_curve(turned ? -boundary[k + 1] : boundary[k + 1], &c);
    if (!understood) break;
    if (first == 0) first = c.end[turned];
    understood = last == 0 || last == c.end[turned];
    last = c.end[!turned];
    loop += turned ? -c.area2 : c.area2;
    *longest = fmax(*longest, c.longest), *edges += (double)c.n;
    if (last != first) continue;
    all += 0.5 * fabs(loop), largest = fmax(largest, 0.5 * fabs(loop));
    loop = 0.0, first = last = 0;
  }
  gmshFree(boundary);
  *area = 2.0 * largest - all;
  return ierr == 0 && understood && n > 0 && first == 0 && *area > 0.0 && *longest > 0.0;
}

static int option_is_zero(const char *name) {
  double value = 1.0;
  int ierr = 0;
  gmshOptionGetNumber(name, &value, &ierr);
  return ierr == 0 && value == 0.0;
}

/* A geometry may make its mesh itself: that one is not made again. */
static int has_mesh(void) {
  size_t *tag = NULL, n = 0, n_x = 0, n_u = 0;
  double *x = NULL, *u = NULL;
  int ierr = 0;
  gmshModelMeshGetNodes(&tag, &n, &x, &n_x, &u, &n_u, -1, -1, 0, 0, &ierr);
  gmshFree(tag);
  gmshFree(x);
  gmshFree(u);
  return ierr != 0 || n > 0;
}

static prc_mesh_estimate estimate_surfaces(void) {
  prc_mesh_estimate out = {0};
  int *entity = NULL, ierr = 0;
  size_t n = 0;
  gmshModelGetEntities(&entity, &n, 2, &ierr);
  for (size_t i = 0; ierr == 0 && i + 1 < n; i += 2) {
    double area, longest, edges = 0.0;
    if (!measure_surface(entity[i + 1], &area, &longest, &edges)) continue;
    out.area += area, out.longest = fmax(out.longest, longest);
    out.cells +=
        fmax(0.9 * area / (longest * longest), 0.5 * edges); /* quadrilaterals may be a little larger */
  }
  gmshFree(entity);
  return out;
}

prc_mesh_estimate prc_geo_estimate(void) {
  prc_mesh_estimate out = {0};
  int ierr = 0;
  if (has_mesh() || option_is_zero("Mesh.MeshSizeExtendFromBoundary")) return out;
  gmshModelMeshGenerate(1, &ierr);
  if (ierr == 0) out = estimate_surfaces();
  gmshModelMeshClear(NULL, 0, &ierr);
  gmshLoggerStop(&ierr); /* what it said will be said again */
  gmshLoggerStart(&ierr);
  return out;
}

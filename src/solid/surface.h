/* Declarations shared by the readers of surfaces: triangles as a file has them, each with corners of its own. */
#ifndef PRC_SOLID_SURFACE_H
#define PRC_SOLID_SURFACE_H

#include "solid/solid.h"

typedef struct {
  int n;     /* triangles */
  double *x; /* 9 n */
} prc_solid_soup;
enum { PRC_SOLID_TRIANGLES = 100 * 1000 * 1000 }; /* at most */

/* Of the bytes of a file: STL, binary or as text. Messages do not name the file. */
int prc_solid_is_stl(const char *bytes, size_t n);
prc_status prc_solid_read_stl(const char *bytes, size_t n, prc_solid_soup *out,
                              prc_error *err) PRC_MUST_CHECK;
/* Whatever else Gmsh opens, by Gmsh, in a process of its own that may neither start programs nor change files. */
prc_status prc_solid_read_gmsh_surface(const char *path, prc_solid_soup *out, prc_error *err) PRC_MUST_CHECK;

/* Points of one place made one, and triangles that have no three points left out. */
prc_status prc_solid_join_points(const prc_solid_soup *soup, prc_solid_surface *out,
                                 prc_error *err) PRC_MUST_CHECK;
/* Closed, in pieces, and oriented: else refused. */
prc_status prc_solid_close_surface(prc_solid_surface *surface, prc_error *err) PRC_MUST_CHECK;

#endif

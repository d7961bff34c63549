#include "config.h"
#include "base/gmsh.h"

#ifdef PRC_GMSH_LIBRARY

#include <dlfcn.h>
#include <gmshc.h>
#include <string.h>

/* The library of Gmsh, with the ninety that it needs, is loaded by the process that calls it first, the child that reads a geometry: it takes a
 * tenth of a second, ten times what all the rest of a program's start takes. The functions below have Gmsh's names and types, and pass calls on.
 * The library stays loaded until the process ends, and the system counts it: there is nothing to remember here. */

static void *library(void) {
  return dlopen(PRC_GMSH_LIBRARY, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

void prc_gmsh_load(void) {
  void *gmsh = library();
  if (gmsh) dlclose(gmsh);
}

prc_status prc_gmsh_check(prc_error *err) {
  void *gmsh = library();
  if (!gmsh)
    return prc_fail(err, PRC_IO,
                    "Gmsh cannot be loaded: %s, expected the library that percuss was built with", dlerror());
  dlclose(gmsh);
  return PRC_OK;
}

/* Symbol of that name in the library; NULL without the library. */
static void *find(const char *name) {
  void *gmsh = library(), *function = gmsh ? dlsym(gmsh, name) : NULL;
  if (gmsh) dlclose(gmsh);
  return function;
}

#define PASS(name, parameters, arguments)                                                                    \
  void name parameters {                                                                                     \
    void(*function) parameters = NULL;                                                                       \
    void *found = find(#name);                                                                               \
    memcpy(&function, &found, sizeof found);                                                                 \
    if (function)                                                                                            \
      function arguments;                                                                                    \
    else                                                                                                     \
      *ierr = 1;                                                                                             \
  }

PASS(gmshInitialize, (int argc, char **argv, const int files, int *ierr), (argc, argv, files, ierr))
PASS(gmshFinalize, (int *ierr), (ierr))
PASS(gmshOpen, (const char *path, int *ierr), (path, ierr))
PASS(gmshOptionSetNumber, (const char *name, const double value, int *ierr), (name, value, ierr))
PASS(gmshOptionGetNumber, (const char *name, double *value, int *ierr), (name, value, ierr))
PASS(gmshOptionGetString, (const char *name, char **value, int *ierr), (name, value, ierr))
PASS(gmshLoggerStart, (int *ierr), (ierr))
PASS(gmshLoggerGet, (char ***line, size_t *n, int *ierr), (line, n, ierr))
PASS(gmshLoggerStop, (int *ierr), (ierr))
PASS(gmshOnelabClear, (const char *name, int *ierr), (name, ierr))
PASS(gmshOnelabGet, (char **data, const char *name, const char *format, int *ierr),
     (data, name, format, ierr))
PASS(gmshOnelabSetNumber, (const char *name, double *value, size_t n, int *ierr), (name, value, n, ierr))
PASS(gmshModelGetEntities, (int **entity, size_t *n, const int dim, int *ierr), (entity, n, dim, ierr))
PASS(gmshModelGetEntityName, (const int dim, const int tag, char **name, int *ierr), (dim, tag, name, ierr))
PASS(gmshModelGetBoundary,
     (int *entity, size_t n, int **out, size_t *n_out, const int combined, const int oriented,
      const int recursive, int *ierr),
     (entity, n, out, n_out, combined, oriented, recursive, ierr))
PASS(gmshModelGetPhysicalGroups, (int **pair, size_t *n, const int dim, int *ierr), (pair, n, dim, ierr))
PASS(gmshModelGetPhysicalName, (const int dim, const int tag, char **name, int *ierr), (dim, tag, name, ierr))
PASS(gmshModelGetEntitiesForPhysicalGroup, (const int dim, const int tag, int **entity, size_t *n, int *ierr),
     (dim, tag, entity, n, ierr))
PASS(gmshModelMeshClear, (int *entity, size_t n, int *ierr), (entity, n, ierr))
PASS(gmshModelMeshGenerate, (const int dim, int *ierr), (dim, ierr))
PASS(gmshModelMeshGetNode, (const size_t tag, double **x, size_t *n_x, double **u, size_t *n_u, int *ierr),
     (tag, x, n_x, u, n_u, ierr))
PASS(gmshModelMeshGetNodes,
     (size_t * *tag, size_t *n, double **x, size_t *n_x, double **u, size_t *n_u, const int dim,
      const int entity, const int boundary, const int parametric, int *ierr),
     (tag, n, x, n_x, u, n_u, dim, entity, boundary, parametric, ierr))
PASS(gmshModelMeshGetElements,
     (int **type, size_t *n_types, size_t ***tag, size_t **n_tags, size_t *n_tag_lists, size_t ***node,
      size_t **n_nodes, size_t *n_node_lists, const int dim, const int entity, int *ierr),
     (type, n_types, tag, n_tags, n_tag_lists, node, n_nodes, n_node_lists, dim, entity, ierr))

void gmshFree(void *memory) {
  void (*function)(void *) = NULL;
  void *found = find("gmshFree");
  memcpy(&function, &found, sizeof found);
  if (function) function(memory);
}

#else

void prc_gmsh_load(void) {}

prc_status prc_gmsh_check(prc_error *err) {
  (void)err;
  return PRC_OK;
}

#endif

#include "config.h"
#include "mesh/mesh.h"
#include "mesh/internal.h"

#include <math.h>
#include <string.h>

/* A .msh is read here (msh.c), a geometry and what other programs write by Gmsh in a process of its own (gmsh.c). */

static prc_status check_size(const char *path, double size, prc_error *err) {
  if (!(size >= 0.0) || isinf(size))
    return prc_fail(err, PRC_INPUT, "mesh.size is %g, expected a length > 0 (or 0: as the file says)", size);
  if (size > 0.0 && !prc_ends_with(path, ".geo"))
    return prc_fail(
        err, PRC_INPUT,
        "mesh.size is only for .geo files; this mesh is ready made: expected its geometry, or a finer "
        "mesh by gmsh -refine");
  return PRC_OK;
}

/* Gmsh is silent about a missing geometry, a folder and an empty file. */
static prc_status read_raw(const char *path, const prc_mesh_options *options, const prc_log *log,
                           prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  char *bytes = NULL;
  size_t n = 0;
  const char *slash = strrchr(path, '/');
  const int is_msh = prc_ends_with(path, ".msh");
  if (!strchr(slash ? slash : path, '.'))
    return prc_fail(err, PRC_INPUT,
                    "the file's name has no ending, expected .msh, .geo or one that Gmsh knows: .unv, .vtk, "
                    ".mesh, .stl, .bdf, ...");
  prc_try(prc_file_read_all(NULL, path, &bytes, &n, err));
  if (n == 0) prc_try(prc_fail(err, PRC_INPUT, "the file is empty"));
  prc_try(check_size(path, options->size, err));
  status = is_msh ? prc_msh_read(bytes, n, raw, err) : prc_gmsh_read(path, options, log, raw, err);
done:
  prc_delete(&bytes);
  return status;
}

prc_status prc_mesh_read(const char *path, const prc_mesh_options *options, const prc_log *log,
                         prc_mesh **out, prc_error *err) {
  prc_need(path, err);
  prc_need(out, err);
  static const prc_mesh_options as_the_file_says = {0};
  prc_status status = PRC_OK;
  prc_raw_mesh raw = {0};
  if (!options) options = &as_the_file_says;
  *out = NULL;
  prc_try(read_raw(path, options, log, &raw, err));
  prc_try(prc_mesh_build(&raw, path, options, log, out, err));
done:
  prc_raw_mesh_free(&raw);
  if (status != PRC_OK) prc_error_context(err, "%s", path);
  return status;
}

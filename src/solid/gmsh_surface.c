#include "config.h"
#include "base/gmsh.h"
#include "base/sandbox.h"
#include "solid/surface.h"

#include <gmshc.h>

#include <math.h>
#include <string.h>

/* Triangles of what Gmsh opens: meshes in its formats, and geometries, whose surfaces it meshes. It may crash, hang or ask for all memory, so
 * that a process of its own does it, which may neither start programs nor change files. */

static prc_status check_log(prc_error *err) {
  prc_status status = PRC_OK;
  char **line = NULL;
  size_t n = 0;
  int ierr = 0;
  gmshLoggerGet(&line, &n, &ierr);
  for (size_t i = 0; i < n; i++) {
    if (status == PRC_OK && prc_begins_with(line[i], "Error"))
      status = prc_fail(err, PRC_INPUT, "Gmsh says: %.400s", line[i]);
    gmshFree(line[i]);
  }
  gmshFree(line);
  return status;
}

static prc_status put_corner(const double *x, size_t n_x, size_t tag, const int *at, size_t n_at,
                             prc_bytes *out, prc_error *err) {
  if (tag >= n_at || at[tag] < 0 || 3 * (size_t)at[tag] + 2 >= n_x)
    return prc_fail(err, PRC_INPUT, "node %zu of a triangle is not among the nodes", tag);
  return prc_bytes_put(out, x + 3 * (size_t)at[tag], 3 * sizeof *x, err);
}

/* The corners of all triangles, and of both halves of quadrilaterals; of curved ones the corners alone. */
static prc_status put_elements(const int *at, size_t n_at, const double *x, size_t n_x, int type,
                               const size_t *node, size_t n, prc_bytes *out, prc_error *err) {
  static const int order[6] = {0, 1, 2, 0, 2, 3};
  prc_status status = PRC_OK;
  const int triangle = type == 2 || type == 9, quadrilateral = type == 3 || type == 10 || type == 16;
  const size_t width = type == 2 ? 3 : type == 9 ? 6 : type == 3 ? 4 : type == 10 ? 9 : 8;
  if (!triangle && !quadrilateral)
    return prc_fail(err, PRC_INPUT,
                    "a surface has cells of Gmsh's type %d, expected triangles or quadrilaterals", type);
  for (size_t e = 0; e + width <= n; e += width)
    for (int k = 0; k < (triangle ? 3 : 6); k++)
      prc_try(put_corner(x, n_x, node[e + (size_t)order[k]], at, n_at, out, err));
done:
  return status;
}

/* at[tag]: which of the nodes it is; -1: none */
static prc_status number_nodes(const size_t *tag, size_t n, int **at, size_t *n_at, prc_error *err) {
  size_t most = 0;
  for (size_t i = 0; i < n; i++) most = tag[i] > most ? tag[i] : most;
  if (n > PRC_SOLID_TRIANGLES || most > 16 * n + 1000000)
    return prc_fail(err, PRC_INPUT, "%zu nodes have numbers up to %zu, expected fewer", n, most);
  const prc_status status = prc_new(at, most + 1, err);
  if (status != PRC_OK) return status;
  *n_at = most + 1;
  for (size_t i = 0; i < *n_at; i++) (*at)[i] = -1;
  for (size_t i = 0; i < n; i++) (*at)[tag[i]] = (int)i;
  return PRC_OK;
}

static prc_status put_triangles(prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  size_t *tag = NULL, n = 0, n_x = 0, n_u = 0, n_types = 0, **element = NULL, *n_element = NULL, lists = 0,
         **node = NULL, *n_node = NULL, node_lists = 0, n_at = 0;
  double *x = NULL, *u = NULL;
  int *at = NULL, *type = NULL, ierr = 0;
  gmshModelMeshGetNodes(&tag, &n, &x, &n_x, &u, &n_u, -1, -1, 0, 0, &ierr);
  prc_try(number_nodes(tag, ierr ? 0 : n, &at, &n_at, err));
  gmshModelMeshGetElements(&type, &n_types, &element, &n_element, &lists, &node, &n_node, &node_lists, 2, -1,
                           &ierr);
  for (size_t k = 0; ierr == 0 && k < n_types; k++)
    prc_try(put_elements(at, n_at, x, n_x, type[k], node[k], n_node[k], out, err));
done: /* what Gmsh has allocated ends with this process */
  prc_delete(&at);
  return status;
}

static prc_status read_in_subprocess(void *data, prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  int ierr = 0;
  double n = 0.0;
  prc_try(prc_gmsh_check(err));
  gmshInitialize(0, NULL, 0, &ierr);
  if (ierr) return prc_fail(err, PRC_IO, "Gmsh does not start (code %d)", ierr);
  gmshOptionSetNumber("General.Terminal", 0, &ierr);
  gmshOptionSetNumber("General.AbortOnError", 0, &ierr);
  gmshOptionSetNumber("General.NumThreads", 1, &ierr);
  gmshLoggerStart(&ierr);
  if (!prc_sandbox_enter())
    return prc_fail(
        err, PRC_INPUT,
        "this system cannot keep a file that Gmsh reads from running commands, expected an STL file");
  gmshOpen(data, &ierr);
  prc_try(check_log(err));
  if (ierr) return prc_fail(err, PRC_INPUT, "Gmsh cannot read it (code %d)", ierr);
  gmshOptionGetNumber("Mesh.NbTriangles", &n, &ierr);
  if (!(n > 0.0)) gmshModelMeshGenerate(2, &ierr);
  prc_try(check_log(err));
  prc_try(put_triangles(out, err));
done:
  return status;
}

prc_status prc_solid_read_gmsh_surface(const char *path, prc_solid_soup *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes bytes = {0};
  union {
    const char *from;
    void *to;
  } name = {path};
  const prc_subprocess_limits limits = {.what = "reading it with Gmsh",
                                        .memory = 4e9,
                                        .seconds = 120,
                                        .sandboxed = "a surface, or a geometry that only describes one",
                                        .load = prc_gmsh_load};
  prc_try(prc_subprocess_run(&limits, read_in_subprocess, name.to, &bytes, err));
  const size_t n = (bytes.used - bytes.got) / (9 * sizeof(double));
  if (n > PRC_SOLID_TRIANGLES) {
    status =
        prc_fail(err, PRC_INPUT, "a surface has %zu triangles, expected at most %d", n, PRC_SOLID_TRIANGLES);
    goto done;
  }
  prc_try(prc_new(&out->x, 9 * n, err));
  out->n = (int)n;
  (void)prc_bytes_get(&bytes, out->x, 9 * n * sizeof(double));
  for (size_t k = 0; k < 9 * n; k++)
    if (!isfinite(out->x[k])) {
      status = prc_fail(err, PRC_INPUT, "triangle %zu has the coordinate %g, expected finite numbers",
                        k / 9 + 1, out->x[k]);
      goto done;
    }
done:
  prc_delete(&bytes.at);
  return status;
}

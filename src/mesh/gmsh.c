#include "config.h"
#include "base/gmsh.h"
#include "base/sandbox.h"
#include "mesh/internal.h"

#include <gmshc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A geometry (.geo), meshed by Gmsh; and meshes and surfaces of other programs, as Gmsh reads them. */

/* Gmsh's state is global and survives its own shutdown, and it calls many failures a success. So one
 * function owns the session, General.AbortOnError is 0 (the default throws C++ exceptions: out of a
 * parallel region they abort the program, out of the parser they leave it broken), and what went wrong is
 * taken from Gmsh's log, where the first error is the telling one. */

/* ---- the session --------------------------------------------------------------------------------------- */

/* The first error in Gmsh's log fails the call; its warnings are passed on. */
static prc_status check_log(const char *path, const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  char **line = NULL;
  size_t n = 0;
  int ierr = 0;
  gmshLoggerGet(&line, &n, &ierr);
  for (size_t i = 0; i < n; i++) {
    if (status == PRC_OK && prc_begins_with(line[i], "Error: "))
      status = prc_fail(err, PRC_INPUT, "Gmsh says: %s", line[i] + strlen("Error: "));
    if (prc_begins_with(line[i], "Warning: "))
      prc_log_message(log, PRC_LOG_WARNING, "%s: Gmsh says: %s", path, line[i] + strlen("Warning: "));
    gmshFree(line[i]);
  }
  gmshFree(line);
  return status;
}

/* A call that reports failure although the log has no error. */
static prc_status expect_success(int ierr, const char *what, prc_error *err) {
  return ierr ? prc_fail(err, PRC_INPUT, "Gmsh failed (code %d) while %s", ierr, what) : PRC_OK;
}

/* A parameter that the .geo declared has a client, one that only we set has none. */
static prc_status check_size_is_declared(prc_error *err) {
  char *json = NULL;
  int ierr = 0;
  gmshOnelabGet(&json, "size", "json", &ierr);
  const int declared = ierr == 0 && json && strstr(json, "\"clients\"") != NULL;
  gmshFree(json);
  if (declared) return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "mesh.size is given, but the geometry declares no parameter of that name; it needs the line "
      "DefineConstant[ size = {1, Name \"size\"} ];");
}

/* A .geo is a program. What has another ending is data, and Gmsh takes for a program what it does not know, so a mistake in one is an
 * ending that it does not read. */
static prc_status open_file(const char *path, prc_error *err) {
  char version[32] = "";
  char *text = NULL;
  int ierr = 0;
  gmshOpen(path, &ierr);
  prc_status status = check_log(path, NULL, err);
  if (status == PRC_OK || prc_ends_with(path, ".geo") || !err || !strstr(err->message, "syntax error"))
    return status == PRC_OK ? expect_success(ierr, "opening the file", err) : status;
  gmshOptionGetString("General.Version", &text, &ierr);
  if (ierr == 0 && text) snprintf(version, sizeof version, " %.20s", text);
  gmshFree(text);
  *err = (prc_error){0};
  return prc_fail(
      err, PRC_INPUT,
      "Gmsh%s does not read it: its ending, or what it holds, is of none of the formats that it knows; "
      "expected .msh, .geo, or .unv, .vtk, .mesh, .stl, .bdf or .nas, and .med where Gmsh has it",
      version);
}

/* Before hours of meshing, or the end of the memory. */
static prc_status check_cells(const prc_mesh_options *options, prc_error *err) {
  char by[64] = "";
  if (!(options->max_cells > 0.0)) return PRC_OK;
  const prc_mesh_estimate of = prc_geo_estimate();
  if (!(of.cells > options->max_cells)) return PRC_OK;
  if (options->size > 0.0) snprintf(by, sizeof by, " with mesh.size %g", options->size);
  return prc_fail(
      err, PRC_INPUT,
      "the mesh would have %.2g cells or more%s, of edges up to %.3g on an area of %.3g, expected at most "
      "%.3g; a larger mesh.size gives fewer, mesh.max_elements allows more",
      of.cells, by, of.longest, of.area, options->max_cells);
}

static prc_status mesh_geometry(const char *path, const prc_mesh_options *options, const prc_log *log,
                                prc_error *err) {
  double size = options->size;
  prc_status status = PRC_OK;
  int ierr = 0;
  gmshOnelabClear("", &ierr); /* or a parameter of an earlier session would override this file's default */
  if (size > 0.0) gmshOnelabSetNumber("size", &size, 1, &ierr);
  prc_try(open_file(path, err));
  if (!prc_ends_with(path, ".geo")) return PRC_OK;
  if (size > 0.0) prc_try(check_size_is_declared(err));
  prc_try(check_cells(options, err));
  gmshModelMeshGenerate(2, &ierr);
  prc_try(check_log(path, NULL, err));
  prc_try(expect_success(ierr, "meshing", err));
  status = check_log(path, log, err);
done:
  return status;
}

/* ---- nodes, elements, groups --------------------------------------------------------------------------- */

static prc_status read_nodes(prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  size_t *tag = NULL, n = 0, n_x = 0, n_u = 0;
  double *x = NULL, *u = NULL;
  int ierr = 0;
  gmshModelMeshGetNodes(&tag, &n, &x, &n_x, &u, &n_u, -1, -1, 0, 0, &ierr);
  prc_try(expect_success(ierr, "listing the nodes", err));
  prc_try(prc_new(&raw->node, n, err));
  raw->n_nodes = n;
  for (size_t i = 0; i < n; i++) {
    raw->node[i].tag = tag[i];
    memcpy(raw->node[i].x, x + 3 * i, sizeof raw->node[i].x);
  }
done:
  gmshFree(tag);
  gmshFree(x);
  gmshFree(u);
  return status;
}

/* Gmsh's numbers of edges with two and with three nodes */
static int edge_nodes(int type) {
  return type == 1 ? 2 : type == 8 ? 3 : 0;
}

/* Elements that are not supported: all are counted before they are refused. */
enum { REFUSED = 16 };
typedef struct {
  int n, type[REFUSED], in_space;
  size_t count[REFUSED], first[REFUSED]; /* a number of one */
} refusals;

static void add_refusal(refusals *r, int dim, int type, size_t tag, size_t count) {
  int k = 0;
  while (k < r->n && r->type[k] != type) k++;
  if (k == REFUSED) return;
  if (k == r->n) r->n++, r->type[k] = type, r->first[k] = tag;
  r->count[k] += count;
  r->in_space |= dim == 3;
}

static prc_status refuse_elements(const refusals *r, prc_error *err) {
  char what[512] = "";
  if (r->n == 0) return PRC_OK;
  if (r->n == 1 && r->count[0] == 1) return prc_mesh_refuse_element(r->type[0], r->first[0], err);
  for (int k = 0; k < r->n; k++) {
    char noun[64];
    prc_mesh_element_noun(r->type[k], noun, sizeof noun);
    prc_append(what, sizeof what, "%s%zu %s (first: element %zu)", k > 0 ? ", " : "", r->count[k], noun,
               r->first[k]);
  }
  return prc_mesh_refuse_elements(what, r->in_space, err);
}

static prc_status add_cells(prc_raw_mesh *raw, int dim, int entity, int type, const size_t *tag,
                            const size_t *node, size_t n, refusals *refused, prc_error *err) {
  const prc_element *element = dim == 2 ? prc_element_of_gmsh(type) : NULL;
  const int width = element ? element->n_nodes : edge_nodes(type);
  if (width == 0 || dim == 3) {
    add_refusal(refused, dim, type, tag[0], n);
    return PRC_OK;
  }
  const size_t old = raw->n_cells[dim];
  const prc_status status =
      prc_grow(&raw->cell[dim], &raw->capacity[dim], old + n, sizeof *raw->cell[dim], err);
  if (status != PRC_OK) return status;
  for (size_t i = 0; i < n; i++) {
    prc_raw_cell *cell = &raw->cell[dim][old + i];
    *cell =
        (prc_raw_cell){.tag = tag[i], .entity = entity, .key = entity, .element = element, .n_nodes = width};
    memcpy(cell->node, node + (size_t)width * i, (size_t)width * sizeof *node);
  }
  raw->n_cells[dim] += n;
  return PRC_OK;
}

/* The elements of one curve, surface or volume: one list for each type that occurs. */
typedef struct {
  int *type;
  size_t n_types, **tag, *n_tags, n_tag_lists, **node, *n_nodes, n_node_lists;
} elements;

static void free_elements(elements *e) {
  for (size_t k = 0; k < e->n_tag_lists; k++) gmshFree(e->tag[k]);
  for (size_t k = 0; k < e->n_node_lists; k++) gmshFree(e->node[k]);
  gmshFree(e->type);
  gmshFree(e->tag);
  gmshFree(e->n_tags);
  gmshFree(e->node);
  gmshFree(e->n_nodes);
}

static prc_status read_entity(prc_raw_mesh *raw, int dim, int entity, refusals *refused, prc_error *err) {
  prc_status status = PRC_OK;
  elements e = {0};
  int ierr = 0;
  gmshModelMeshGetElements(&e.type, &e.n_types, &e.tag, &e.n_tags, &e.n_tag_lists, &e.node, &e.n_nodes,
                           &e.n_node_lists, dim, entity, &ierr);
  prc_try(expect_success(ierr, "listing the elements", err));
  for (size_t k = 0; k < e.n_types; k++) {
    if (e.n_tags[k] == 0) continue;
    prc_try(add_cells(raw, dim, entity, e.type[k], e.tag[k], e.node[k], e.n_tags[k], refused, err));
  }
done:
  free_elements(&e);
  return status;
}

/* Gmsh lists the elements of a surface by kind, and takes all of its triangles (or quadrilaterals) to be of
 * the order of the first: of linear and quadratic ones together it would leave some out. */
static prc_status expect_all(const prc_raw_mesh *raw, prc_error *err) {
  double triangles = 0.0, quadrilaterals = 0.0;
  int ierr = 0;
  gmshOptionGetNumber("Mesh.NbTriangles", &triangles, &ierr);
  if (ierr == 0) gmshOptionGetNumber("Mesh.NbQuadrangles", &quadrilaterals, &ierr);
  if (ierr == 0 && triangles + quadrilaterals > (double)raw->n_cells[2])
    return prc_fail(
        err, PRC_INPUT,
        "Gmsh lists only %zu of %g cells, as where linear and quadratic triangles (or quadrilaterals) "
        "share a surface; expected them in surfaces of their own",
        raw->n_cells[2], triangles + quadrilaterals);
  return expect_success(ierr, "counting the elements", err);
}

static prc_status read_cells(prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  int *entity = NULL, ierr = 0;
  size_t n = 0;
  refusals refused = {0};
  gmshModelGetEntities(&entity, &n, -1, &ierr); /* pairs of dimension and tag */
  prc_try(expect_success(ierr, "listing curves and surfaces", err));
  /* volumes first, so that a mesh of tetrahedra is refused for them and not for its boundary */
  for (int dim = 3; dim >= 1; dim--)
    for (size_t i = 0; i + 1 < n; i += 2)
      if (entity[i] == dim) prc_try(read_entity(raw, dim, entity[i + 1], &refused, err));
  prc_try(refuse_elements(&refused, err));
  prc_try(expect_all(raw, err));
done:
  gmshFree(entity);
  return status;
}

static prc_status read_group(prc_raw_group *group, int dim, int tag, prc_error *err) {
  prc_status status = PRC_OK;
  char *name = NULL;
  int *entity = NULL, ierr = 0;
  size_t n = 0;
  group->dim = dim;
  group->tag = tag;
  gmshModelGetPhysicalName(dim, tag, &name, &ierr);
  prc_try(prc_strdup(ierr == 0 && name ? name : "", &group->name, err));
  gmshModelGetEntitiesForPhysicalGroup(dim, tag, &entity, &n, &ierr);
  prc_try(expect_success(ierr, "reading a physical group", err));
  prc_try(prc_new(&group->key, n, err));
  for (; group->n_keys < n; group->n_keys++) group->key[group->n_keys] = entity[group->n_keys];
done:
  gmshFree(name);
  gmshFree(entity);
  return status;
}

static prc_status read_groups(prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  int *pair = NULL, ierr = 0;
  size_t n = 0;
  gmshModelGetPhysicalGroups(&pair, &n, -1, &ierr);
  prc_try(expect_success(ierr, "listing the physical groups", err));
  prc_try(prc_new(&raw->group, n / 2, err));
  for (size_t i = 0; i + 1 < n; i += 2)
    if (pair[i] == 1 || pair[i] == 2)
      prc_try(read_group(&raw->group[raw->n_groups++], pair[i], pair[i + 1], err));
done:
  gmshFree(pair);
  return status;
}

/* ---- all of it ---- */

static prc_status read_model(prc_raw_mesh *raw, const char *path, const prc_mesh_options *options,
                             const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(mesh_geometry(path, options, log, err));
  prc_try(read_nodes(raw, err));
  prc_try(read_cells(raw, err));
  prc_try(read_groups(raw, err));
  if (!prc_ends_with(path, ".geo")) prc_try(prc_gmsh_complete_groups(raw, err));
done:
  return status;
}

static prc_status read_in_sandbox(prc_raw_mesh *raw, const char *path, const prc_mesh_options *options,
                                  const prc_log *log, prc_error *err) {
  if (prc_sandbox_enter()) return read_model(raw, path, options, log, err);
  return prc_fail(
      err, PRC_INPUT,
      "this system cannot keep Gmsh from running commands of the file, expected Linux on x86-64 or arm64 "
      "(--commands lets it run those of a .geo)");
}

/* Owns Gmsh. Its start and its end write files of its own (preferences, a temporary one): between them
 * nothing may where no commands are wanted, and the process then ends without the latter. */
static prc_status read_with_gmsh(prc_raw_mesh *raw, const char *path, const prc_mesh_options *options,
                                 const prc_log *log, prc_error *err) {
  int ierr = 0;
  const prc_status loaded = prc_gmsh_check(err);
  if (loaded != PRC_OK) return loaded;
  gmshInitialize(0, NULL, 0, &ierr); /* the user's own Gmsh settings do not change a result */
  if (ierr) return prc_fail(err, PRC_IO, "Gmsh does not start (code %d)", ierr);
  gmshOptionSetNumber("General.Terminal", 0, &ierr);
  gmshOptionSetNumber("General.AbortOnError", 0, &ierr);
  gmshOptionSetNumber("General.NumThreads", 1, &ierr);
  gmshOptionSetNumber("Mesh.Algorithm", 6, &ierr); /* Frontal-Delaunay; a .geo may choose another */
  gmshLoggerStart(&ierr);
  if (options->no_commands || !prc_ends_with(path, ".geo"))
    return read_in_sandbox(raw, path, options, log, err);
  const prc_status status = read_model(raw, path, options, log, err);
  gmshLoggerStop(&ierr);
  gmshFinalize(&ierr);
  return status;
}

/* ---- in a process of its own --------------------------------------------------------------------------- */

/* Gmsh may crash, hang or ask for all memory. */

typedef struct {
  const char *path;
  const prc_mesh_options *options;
  prc_bytes warnings; /* lines */
} reading;

static void store_warning(void *to, prc_log_level level, const char *text) {
  prc_bytes *lines = to;
  (void)level;
  if (prc_bytes_put(lines, text, strlen(text), NULL) == PRC_OK) (void)!prc_bytes_put(lines, "\n", 1, NULL);
}

static prc_status read_in_subprocess(void *data, prc_bytes *out, prc_error *err) {
  reading *r = data;
  prc_status status = PRC_OK;
  prc_raw_mesh raw = {0};
  const prc_log log = {.write = store_warning, .to = &r->warnings};
  prc_try(read_with_gmsh(&raw, r->path, r->options, &log, err));
  prc_try(prc_mesh_send_warnings(&r->warnings, out, err));
  status = prc_raw_mesh_send(&raw, out, err);
done:
  prc_raw_mesh_free(&raw);
  prc_delete(&r->warnings.at);
  return status;
}

prc_status prc_gmsh_read(const char *path, const prc_mesh_options *options, const prc_log *log,
                         prc_raw_mesh *raw, prc_error *err) {
  static const char allowed[] = "a geometry that only describes one (--commands lets it)",
                    data[] = "a file of data",
                    sound[] = "a sound file, or more in mesh.max_time or mesh.max_memory";
  const int is_geo = prc_ends_with(path, ".geo");
  prc_status status = PRC_OK;
  prc_bytes bytes = {0};
  reading r = {.path = path, .options = options};
  const prc_subprocess_limits limits = {
      .what = is_geo ? "meshing it with Gmsh" : "reading it with Gmsh",
      .memory = options->max_memory,
      .seconds = (unsigned)fmin(ceil(options->max_time), 1e9),
      .sandboxed = !is_geo                ? data
                   : options->no_commands ? allowed
                                          : NULL,
      .expected = !is_geo ? sound
                          : "coarser cells (mesh.size), or more in mesh.max_time or "
                            "mesh.max_memory",
      .load = prc_gmsh_load};
  prc_try(prc_subprocess_run(&limits, read_in_subprocess, &r, &bytes, err));
  prc_try(prc_mesh_receive_warnings(&bytes, log, err));
  status = prc_raw_mesh_receive(&bytes, raw, err);
done:
  prc_delete(&bytes.at);
  return status;
}

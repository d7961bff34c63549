#include "config.h"
#include "mesh/mesh.h"
#include "mesh/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the mesh ------------------------------------------------------------------------------------------ */

static prc_status resolve_cells(prc_mesh *mesh, prc_raw_mesh *raw, const char *path, const prc_log *log,
                                prc_error *err) {
  prc_status status = PRC_OK;
  size_t repeated = 0;
  if (raw->n_cells[2] == 0)
    return prc_fail(
        err, PRC_INPUT,
        "there are no cells; a geometry needs a Plane Surface, and once there is a physical group, "
        "Gmsh saves only what is in one");
  prc_try(prc_mesh_check_numbers(raw, err));
  for (int dim = 1; dim <= 2; dim++) prc_try(prc_mesh_resolve_nodes(mesh, raw, dim, &repeated, err));
  if (repeated > 0)
    prc_log_message(log, PRC_LOG_INFO,
                    "%s: %zu repeated elements were read once (.msh 2.2 repeats them for each group)", path,
                    repeated);
done:
  return status;
}

prc_status prc_mesh_build(prc_raw_mesh *raw, const char *path, const prc_mesh_options *options,
                          const prc_log *log, prc_mesh **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = NULL;
  prc_try(prc_new(&mesh, 1, err));
  prc_try(prc_mesh_build_nodes(mesh, raw, err));
  prc_try(resolve_cells(mesh, raw, path, log, err));
  prc_try(prc_mesh_check_nodes(mesh, raw, path, log, err));
  prc_try(prc_mesh_orient_cells(mesh, raw, path, log, err));
  prc_try(prc_mesh_build_cells(mesh, raw, err));
  prc_try(prc_mesh_build_groups(mesh, raw, path, log, err));
  prc_try(prc_mesh_refuse_duplicates(mesh, path, options, log, err));
  *out = mesh, mesh = NULL;
done:
  prc_mesh_free(&mesh);
  return status;
}

void prc_raw_mesh_free(prc_raw_mesh *raw) {
  prc_delete(&raw->node);
  for (int dim = 0; dim < 3; dim++) {
    prc_delete(&raw->cell[dim]);
    prc_delete(&raw->member[dim]);
  }
  for (size_t g = 0; g < raw->n_groups; g++) {
    prc_delete(&raw->group[g].name);
    prc_delete(&raw->group[g].key);
  }
  prc_delete(&raw->group);
}

static void free_part(prc_mesh_part **part) {
  if (!*part) return;
  prc_delete(&(*part)->cell);
  prc_delete(&(*part)->whole);
  prc_delete(&(*part)->number);
  prc_delete(part);
}

void prc_mesh_free(prc_mesh **mesh) {
  if (!mesh || !*mesh) return;
  prc_mesh *m = *mesh;
  for (int g = 0; g < m->n_groups; g++) {
    prc_delete(&m->group[g].name);
    prc_delete(&m->group[g].cell);
    prc_delete(&m->group[g].node);
  }
  prc_delete(&m->group);
  prc_delete(&m->x);
  prc_delete(&m->tag);
  prc_delete(&m->cell_start);
  prc_delete(&m->cell);
  prc_delete(&m->cell_element);
  prc_delete(&m->cell_tag);
  prc_delete(&m->edge);
  prc_delete(&m->edge_middle);
  prc_delete(&m->edge_cell);
  prc_delete(&m->edge_beyond);
  prc_delete(&m->twin);
  free_part(&m->part);
  prc_delete(mesh);
}

/* ---- questions ----------------------------------------------------------------------------------------- */

const prc_mesh_group *prc_mesh_find(const prc_mesh *mesh, int dim, const char *name) {
  for (int g = 0; g < mesh->n_groups; g++)
    if (mesh->group[g].dim == dim && strcmp(mesh->group[g].name, name) == 0) return &mesh->group[g];
  return NULL;
}

void prc_mesh_names(const prc_mesh *mesh, int dim, char *text, size_t size) {
  if (size == 0) return;
  text[0] = '\0';
  for (int g = 0; g < mesh->n_groups; g++)
    if (mesh->group[g].dim == dim) prc_append(text, size, "%s%s", *text ? ", " : "", mesh->group[g].name);
}

void prc_mesh_cell_nodes(const prc_mesh *mesh, int c, double (*x)[2]) {
  const int *node = mesh->cell + mesh->cell_start[c], n = mesh->cell_start[c + 1] - mesh->cell_start[c];
  for (int a = 0; a < n; a++)
    for (int k = 0; k < 2; k++) x[a][k] = mesh->x[2 * node[a] + k];
}

static int root_of(int *body, int node) {
  while (body[node] != node) node = body[node] = body[body[node]];
  return node;
}

void prc_mesh_bodies(const prc_mesh *mesh, int *body) {
  for (int i = 0; i < mesh->n_nodes; i++) body[i] = i;
  for (int c = 0; c < mesh->n_cells; c++)
    for (int k = mesh->cell_start[c] + 1; k < mesh->cell_start[c + 1]; k++) {
      const int a = root_of(body, mesh->cell[k - 1]), b = root_of(body, mesh->cell[k]);
      body[a < b ? b : a] = a < b ? a : b;
    }
  for (int i = 0; i < mesh->n_nodes; i++) body[i] = root_of(body, i);
}

double prc_mesh_area(const prc_mesh *mesh, int c) {
  const prc_element *e = mesh->cell_element[c];
  double x[PRC_ELEMENT_NODES][2] = {{0.0}}, point[2], N[PRC_ELEMENT_NODES], gradient[PRC_ELEMENT_NODES][2],
         area = 0.0;
  prc_mesh_cell_nodes(mesh, c, x);
  if (e->n_nodes == 3) return 0.5 * prc_triangle_area2(x[0], x[1], x[2]);
  for (int k = 0; k < e->rule->n; k++)
    area += e->rule->point[k].weight
            * prc_element_map(e, (const double(*)[2])x, e->rule->point[k].at, point, N, gradient);
  return area;
}

/* Three points of Gauss on (0, 1): exact for what is quintic along the edge. */
static const double gauss_place[3] = {0.1127016653792583114820735, 0.5, 0.8872983346207416885179265};
static const double gauss_weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

int prc_mesh_edge_points(const prc_mesh *mesh, int k, prc_mesh_edge_point *point) {
  const int node[3] = {mesh->edge[2 * k], mesh->edge[2 * k + 1], mesh->edge_middle[k]};
  const int n = node[2] < 0 ? 2 : 3;
  for (int g = 0; g < 3; g++) {
    const double s = gauss_place[g], r = 1.0 - s;
    const double N[3] = {n == 2 ? r : r * (r - s), n == 2 ? s : s * (s - r), 4.0 * r * s};
    const double dN[3] = {n == 2 ? -1.0 : 1.0 - 4.0 * r, n == 2 ? 1.0 : 4.0 * s - 1.0, 4.0 * (r - s)};
    double tangent[2] = {0.0, 0.0};
    prc_mesh_edge_point *out = &point[g];
    *out = (prc_mesh_edge_point){.n_nodes = n};
    for (int a = 0; a < n; a++)
      for (int d = 0; d < 2; d++) {
        out->x[d] += N[a] * mesh->x[2 * node[a] + d];
        tangent[d] += dN[a] * mesh->x[2 * node[a] + d];
      }
    const double speed = hypot(tangent[0], tangent[1]);
    memcpy(out->node, node, sizeof node);
    memcpy(out->N, N, sizeof N);
    out->length = gauss_weight[g] * speed;
    out->normal[0] = tangent[1] / speed, out->normal[1] = -tangent[0] / speed;
  }
  return 3;
}

double prc_mesh_length(const prc_mesh *mesh, int k) {
  const double *a = mesh->x + 2 * mesh->edge[2 * k], *b = mesh->x + 2 * mesh->edge[2 * k + 1];
  prc_mesh_edge_point point[PRC_MESH_EDGE_POINTS];
  double length = 0.0;
  if (mesh->edge_middle[k] < 0) return hypot(b[0] - a[0], b[1] - a[1]);
  for (int g = 0, n = prc_mesh_edge_points(mesh, k, point); g < n; g++) length += point[g].length;
  return length;
}

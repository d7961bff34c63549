#include "config.h"
#include "scene/kept.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void prc_kept_mesh_free(prc_kept_mesh *kept) {
  prc_delete(&kept->x);
  prc_delete(&kept->type);
  prc_delete(&kept->node);
  *kept = (prc_kept_mesh){0};
}

/* The first body that has a mesh. */
static const prc_fem *find(const prc_scene *scene) {
  const prc_body *body;
  const int n = prc_scene_bodies(scene, &body);
  for (int b = 0; b < n; b++)
    if (body[b].kind == &prc_body_kind_mesh && body[b].first_coordinate == 0) return body[b].self;
  return NULL;
}

prc_status prc_scene_keep(const prc_scene *scene, prc_kept_mesh *out, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem *fem = find(scene);
  *out = (prc_kept_mesh){0};
  if (!fem) return PRC_OK;
  const prc_mesh *mesh = prc_fem_get_model(fem)->mesh;
  out->n_x = (size_t)2 * (size_t)mesh->n_nodes, out->n_types = (size_t)mesh->n_cells;
  out->n_nodes = (size_t)mesh->cell_start[mesh->n_cells];
  out->mass = prc_fem_get_facts(fem).mass;
  prc_try(prc_new(&out->x, out->n_x, err));
  prc_try(prc_new(&out->type, out->n_types, err));
  prc_try(prc_new(&out->node, out->n_nodes, err));
  memcpy(out->x, mesh->x, out->n_x * sizeof *out->x);
  for (size_t c = 0; c < out->n_types; c++) out->type[c] = mesh->cell_element[c]->gmsh_type;
  for (size_t k = 0; k < out->n_nodes; k++) out->node[k] = mesh->cell[k];
done:
  if (status != PRC_OK) prc_kept_mesh_free(out);
  return status;
}

/* ---- a mesh again: nothing of it is believed ---------------------------------------------------------- */

static int is_whole(double x, double end) {
  return x >= 0.0 && x < end && x == floor(x);
}

static prc_status refuse(prc_error *err) {
  return prc_fail(err, PRC_INPUT, "it is damaged, expected the mesh of a run");
}

static prc_status fill_cells(const prc_kept_mesh *a, prc_mesh *mesh, prc_error *err) {
  size_t next = 0;
  for (int c = 0; c < mesh->n_cells; c++) {
    const prc_element *e = is_whole(a->type[c], 1000.0) ? prc_element_of_gmsh((int)a->type[c]) : NULL;
    if (!e || a->n_nodes - next < (size_t)e->n_nodes) return refuse(err);
    mesh->cell_element[c] = e;
    for (int k = 0; k < e->n_nodes; k++, next++) {
      if (!is_whole(a->node[next], mesh->n_nodes)) return refuse(err);
      mesh->cell[next] = (int)a->node[next];
    }
    mesh->cell_start[c + 1] = (int)next;
    if (!(prc_mesh_area(mesh, c) > 0.0)) return refuse(err);
    for (int k = mesh->cell_start[c]; k < (int)next; k++)
      for (int d = 0; d < 2; d++) {
        const double x = mesh->x[2 * mesh->cell[k] + d];
        mesh->low[d] = fmin(mesh->low[d], x), mesh->high[d] = fmax(mesh->high[d], x);
      }
  }
  return next == a->n_nodes ? PRC_OK : refuse(err);
}

static prc_status make_mesh(const prc_kept_mesh *a, prc_mesh **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = NULL;
  if (a->n_x % 2 != 0 || a->n_x >= INT_MAX || a->n_types == 0 || a->n_types >= INT_MAX
      || a->n_nodes >= INT_MAX)
    return refuse(err);
  prc_try(prc_new(&mesh, 1, err));
  mesh->n_nodes = (int)(a->n_x / 2), mesh->n_cells = (int)a->n_types;
  prc_try(prc_new(&mesh->x, a->n_x, err));
  prc_try(prc_new(&mesh->cell, a->n_nodes, err));
  prc_try(prc_new(&mesh->cell_start, a->n_types + 1, err));
  prc_try(prc_new(&mesh->cell_element, a->n_types, err));
  memcpy(mesh->x, a->x, a->n_x * sizeof *mesh->x);
  for (int d = 0; d < 2; d++) mesh->low[d] = INFINITY, mesh->high[d] = -INFINITY;
  prc_try(fill_cells(a, mesh, err));
  *out = mesh, mesh = NULL;
done:
  prc_mesh_free(&mesh);
  return status;
}

prc_status prc_scene_carry(const prc_scene *scene, const prc_kept_mesh *from, int n, const double *const *in,
                           double *const *out, prc_kept_outside *outside, prc_error *err) {
  prc_mesh *mesh = NULL;
  prc_status status = make_mesh(from, &mesh, err);
  if (status == PRC_OK)
    status = prc_mesh_carry(mesh, prc_fem_get_model(find(scene))->mesh, n, in, out, outside, err);
  prc_mesh_free(&mesh);
  return status;
}

void prc_kept_momenta(const prc_kept_mesh *kept, const double *q, const double *m, double momentum[2],
                      double *angular) {
  momentum[0] = momentum[1] = *angular = 0.0;
  for (size_t i = 0; i + 1 < kept->n_x; i += 2) {
    momentum[0] += m[i], momentum[1] += m[i + 1];
    *angular += (kept->x[i] + q[i]) * m[i + 1] - (kept->x[i + 1] + q[i + 1]) * m[i];
  }
}

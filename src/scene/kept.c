#include "config.h"
#include "scene/kept.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
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

/* ---- how far fields bend along the boundary -------------------------------------------------------------- */

typedef struct {
  int end[2], middle; /* of a side: end[0] < end[1]; -1: no middle */
} side;

static int compare_sides(const void *a, const void *b) {
  const side *x = a, *y = b;
  for (int k = 0; k < 2; k++)
    if (x->end[k] != y->end[k]) return x->end[k] < y->end[k] ? -1 : 1;
  return 0;
}

/* All sides of all cells, ascending: those of the boundary are there once. */
static prc_status list_sides(const prc_mesh *mesh, size_t *n, side **out, prc_error *err) {
  const prc_status status = prc_new(out, (size_t)mesh->cell_start[mesh->n_cells], err);
  *n = 0;
  for (int c = 0; status == PRC_OK && c < mesh->n_cells; c++) {
    const prc_element *e = mesh->cell_element[c];
    const int *node = mesh->cell + mesh->cell_start[c];
    for (int k = 0; k < e->n_corners; k++) {
      const int a = node[k], b = node[(k + 1) % e->n_corners];
      (*out)[(*n)++] = (side){{a < b ? a : b, a < b ? b : a}, e->quadratic ? node[e->n_corners + k] : -1};
    }
  }
  if (status == PRC_OK && *n > 1) qsort(*out, *n, sizeof **out, compare_sides);
  return status;
}

/* next: the two neighbours of each node on the boundary; -1: it has none, or it is where pieces meet */
static void join_nodes(int a, int b, int *next, char *count) {
  const int end[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    if (count[end[k]] < 2) next[2 * end[k] + count[end[k]]] = end[1 - k];
    if (count[end[k]] < 3) count[end[k]]++;
  }
}

#define STRAIGHT 0.87 /* cosine of the turn at a node that is no corner of the body */

/* bend = |q - q on the chord of its neighbours|, with the places between them in x: q'' h^2 / 2, four times the h^2 / 8 by which linear interpolation errs. */
static void measure_bend(const double *x, const double *q, int i, const int next[2], prc_kept_bend *out) {
  double d[2][2], length[2], far = 0.0;
  for (int k = 0; k < 2; k++) {
    for (int j = 0; j < 2; j++) d[k][j] = x[2 * next[k] + j] - x[2 * i + j];
    length[k] = hypot(d[k][0], d[k][1]);
    far = fmax(far, length[k]);
  }
  if (!(-(d[0][0] * d[1][0] + d[0][1] * d[1][1]) > STRAIGHT * length[0] * length[1])) return;
  const double s = length[0] / (length[0] + length[1]);
  double off[2];
  for (int j = 0; j < 2; j++) off[j] = q[2 * i + j] - (1.0 - s) * q[2 * next[0] + j] - s * q[2 * next[1] + j];
  out->size = hypot(off[0], off[1]), out->reach = far;
}

prc_status prc_kept_bends(const prc_kept_mesh *kept, const double *q, prc_kept_bend **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = NULL;
  side *list = NULL;
  int *next = NULL;
  char *count = NULL;
  size_t n = 0;
  prc_try(make_mesh(kept, &mesh, err));
  prc_try(list_sides(mesh, &n, &list, err));
  prc_try(prc_new(&next, kept->n_x, err));
  prc_try(prc_new(&count, (size_t)mesh->n_nodes, err));
  prc_try(prc_new(out, (size_t)mesh->n_nodes, err));
  for (size_t k = 0; k < n; k++) {
    const side *s = &list[k];
    if ((k > 0 && compare_sides(s, s - 1) == 0) || (k + 1 < n && compare_sides(s, s + 1) == 0)) continue;
    join_nodes(s->end[0], s->middle < 0 ? s->end[1] : s->middle, next, count);
    if (s->middle >= 0) join_nodes(s->middle, s->end[1], next, count);
  }
  for (int i = 0; i < mesh->n_nodes; i++)
    if (count[i] == 2) measure_bend(kept->x, q, i, next + 2 * i, *out + i);
done:
  prc_mesh_free(&mesh);
  prc_delete(&list);
  prc_delete(&next);
  prc_delete(&count);
  return status;
}

double prc_kept_bend_at(const prc_kept_mesh *kept, const prc_kept_bend *bend, const double x[2]) {
  double most = 0.0;
  for (size_t i = 0; 2 * i < kept->n_x; i++)
    if (bend[i].size > most && hypot(kept->x[2 * i] - x[0], kept->x[2 * i + 1] - x[1]) <= 2.0 * bend[i].reach)
      most = bend[i].size;
  return most;
}

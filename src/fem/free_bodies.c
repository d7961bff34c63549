#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rigid motions of a body with centre c and size L are (a, b, w): u = (a - w (y - c_y) / L, b + w (x - c_x) /
 * L). A dof that is prescribed is one row of three numbers that such a motion must be orthogonal to. */

/* ---- the bodies: nodes that K couples ------------------------------------------------------------------ */

static int root_of(int *parent, int a) {
  while (parent[a] != a) a = parent[a] = parent[parent[a]];
  return a;
}

/* body[a]: the lowest node of those that hang together with node a */
void prc_fem_join_nodes(const prc_sym *K, int *body) {
  for (int a = 0; a < K->n / 2; a++) body[a] = a;
  for (int j = 0; j < K->n; j++)
    for (int k = K->p[j]; k < K->p[j + 1]; k++) {
      const int a = root_of(body, j / 2), b = root_of(body, K->i[k] / 2);
      body[a < b ? b : a] = a < b ? a : b;
    }
  for (int a = 0; a < K->n / 2; a++) body[a] = root_of(body, a);
}

static void measure_body(const prc_fem *fem, const int *body, int root, prc_fem_free_body *out) {
  const double *x = fem->model->mesh->x;
  const int n = fem->model->mesh->n_nodes;
  *out = (prc_fem_free_body){.group = ""};
  for (int a = root; a < n; a++) {
    if (body[a] != root) continue;
    out->n_nodes++;
    for (int k = 0; k < 2; k++) out->centre[k] += x[2 * a + k];
  }
  for (int k = 0; k < 2; k++) out->centre[k] /= out->n_nodes;
  for (int a = root; a < n; a++)
    if (body[a] == root)
      out->size = fmax(out->size, hypot(x[2 * a] - out->centre[0], x[2 * a + 1] - out->centre[1]));
  for (int m = 0; m < fem->model->n_materials && !out->group[0]; m++) {
    const prc_mesh_group *group = fem->model->material[m].group;
    for (int k = 0; k < group->n_nodes && !out->group[0]; k++)
      if (body[group->node[k]] == root) out->group = group->name;
  }
}

/* ---- what the supports leave free ---------------------------------------------------------------------- */

static double dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Makes z orthogonal to the n unit vectors of basis and, if more than `least` is left, the next of them. */
static int extend_basis(double basis[][3], int n, const double z[3], double least) {
  double y[3] = {z[0], z[1], z[2]};
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < n; i++) {
      const double along = dot3(basis[i], y);
      for (int k = 0; k < 3; k++) y[k] -= along * basis[i][k];
    }
  const double length = sqrt(dot3(y, y));
  if (n >= 3 || length <= least) return n;
  for (int k = 0; k < 3; k++) basis[n][k] = y[k] / length;
  return n + 1;
}

/* Of a spring at x, in the directions that it has; normal: NULL at a point. */
static int add_spring(const prc_fem_spring *s, const double *at, const double *normal,
                      const prc_fem_free_body *out, double basis[][3], int n) {
  const double x = (at[0] - out->centre[0]) / out->size, y = (at[1] - out->centre[1]) / out->size;
  const double along[4][2] = {{1.0, 0.0},
                              {0.0, 1.0},
                              {normal ? normal[0] : 0.0, normal ? normal[1] : 0.0},
                              {normal ? -normal[1] : 0.0, normal ? normal[0] : 0.0}};
  for (int k = 0; k < 4; k++)
    if ((k < 2 ? s->fixed[k] : normal ? s->stiffness[k - 2] : 0.0) > 0.0)
      n = extend_basis(basis, n, (double[]){along[k][0], along[k][1], along[k][1] * x - along[k][0] * y},
                       1e-9);
  return n;
}

/* Springs hold directions too: one row each. */
static int add_springs(const prc_fem *fem, const int *body, int root, const prc_fem_free_body *out,
                       double basis[][3], int n) {
  const prc_fem_model *model = fem->model;
  for (int i = 0; i < model->n_springs; i++) {
    const prc_fem_spring *s = &model->spring[i];
    double N[PRC_ELEMENT_NODES];
    const int cell = s->group ? -1 : prc_mesh_locate(model->mesh, s->point[0], s->point[1], N);
    if (!s->group && (cell < 0 || body[model->mesh->cell[model->mesh->cell_start[cell]]] != root)) continue;
    if (!s->group) n = add_spring(s, s->point, NULL, out, basis, n);
    for (int e = 0; s->group && e < s->group->n_cells && n < 3; e++) {
      prc_mesh_edge_point point[PRC_MESH_EDGE_POINTS];
      if (body[model->mesh->edge[2 * s->group->cell[e]]] != root) continue;
      for (int g = 0, n_points = prc_mesh_edge_points(model->mesh, s->group->cell[e], point); g < n_points;
           g++)
        n = add_spring(s, point[g].x, point[g].normal, out, basis, n);
    }
  }
  return n;
}

/* Dashpots brake directions too: one row each. */
static int add_dashpots(const prc_fem *fem, const int *body, int root, const prc_fem_free_body *out,
                        double basis[][3], int n) {
  const prc_fem_model *model = fem->model;
  for (int i = 0; i < model->n_dashpots; i++)
    for (int e = 0; e < model->dashpot[i].group->n_cells && n < 3; e++) {
      const int edge = model->dashpot[i].group->cell[e];
      prc_mesh_edge_point point[PRC_MESH_EDGE_POINTS];
      double d[2];
      if (body[model->mesh->edge[2 * edge]] != root) continue;
      prc_fem_dashpot_coefficients(fem, &model->dashpot[i], edge, d);
      for (int g = 0, n_points = prc_mesh_edge_points(model->mesh, edge, point); g < n_points; g++) {
        const prc_mesh_edge_point *p = &point[g];
        const double along[2][2] = {{p->normal[0], p->normal[1]}, {-p->normal[1], p->normal[0]}};
        const double x = (p->x[0] - out->centre[0]) / out->size, y = (p->x[1] - out->centre[1]) / out->size;
        for (int k = 0; k < 2; k++)
          if (d[k] > 0.0)
            n = extend_basis(basis, n,
                             (double[]){along[k][0], along[k][1], along[k][1] * x - along[k][0] * y}, 1e-9);
      }
    }
  return n;
}

/* Is there a drag on the mass of some of the body's cells? */
static int has_drag(const prc_fem *fem, const int *body, int root) {
  const prc_mesh *mesh = fem->model->mesh;
  for (int c = 0; c < mesh->n_cells; c++)
    if (body[mesh->cell[mesh->cell_start[c]]] == root
        && prc_fem_drag_of_material(fem->model, fem->cell_material[c]) > 0.0)
      return 1;
  return 0;
}

/* The free motions: first the rotation, which is orthogonal to the free translations behind it. */
static void find_modes(const prc_fem *fem, const int *body, int root, int dragged, prc_fem_free_body *out) {
  enum { ENOUGH = 3 };
  static const double unit[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  double basis[ENOUGH + 1][3];
  int n = 0;
  for (int i = 0; i < 3 && fem->model->plane == PRC_AXISYMMETRIC; i += 2)
    n = extend_basis(basis, n, unit[i], 1e-6); /* a ring can only move along its axis without strain */
  for (int i = 0; i < fem->n_prescribed && n < ENOUGH; i++) {
    const int dof = fem->prescribed[i], node = dof / 2, k = dof % 2;
    if (body[node] != root) continue;
    const double arm = (fem->model->mesh->x[2 * node + 1 - k] - out->centre[1 - k]) / out->size;
    n = extend_basis(basis, n, (double[]){k == 0, k == 1, k == 0 ? -arm : arm}, 1e-9);
  }
  n = add_springs(fem, body, root, out, basis, n);
  if (dragged && has_drag(fem, body, root)) return; /* nothing is free */
  if (dragged) n = add_dashpots(fem, body, root, out, basis, n);
  for (int i = 0; i < 3; i++) {
    const int before = n;
    n = extend_basis(basis, n, unit[i], 1e-6);
    if (n > before) memcpy(out->mode[out->n_modes++], basis[before], sizeof basis[0]);
  }
}

static prc_status list_bodies(const prc_fem *fem, int dragged, int *n_bodies, prc_fem_free_body **out,
                              prc_error *err) {
  prc_status status = PRC_OK;
  const int n = fem->model->mesh->n_nodes;
  prc_fem_free_body *list = NULL;
  size_t capacity = 0;
  int *body = NULL, count = 0;
  prc_try(prc_new(&body, n, err));
  prc_fem_join_nodes(fem->K, body);
  for (int root = 0; root < n; root++) {
    prc_fem_free_body one;
    if (body[root] != root) continue;
    measure_body(fem, body, root, &one);
    if (one.n_nodes == 1) continue; /* a node that no cell uses */
    find_modes(fem, body, root, dragged, &one);
    if (one.n_modes == 0) continue;
    prc_try(prc_grow(&list, &capacity, (size_t)count + 1, sizeof *list, err));
    list[count++] = one;
  }
  *n_bodies = count;
  *out = list, list = NULL;
done:
  prc_delete(&list);
  prc_delete(&body);
  return status;
}

prc_status prc_fem_free_bodies(const prc_fem *fem, int *n_bodies, prc_fem_free_body **out, prc_error *err) {
  return list_bodies(fem, 0, n_bodies, out, err);
}

prc_status prc_fem_undragged_bodies(const prc_fem *fem, int *n_bodies, prc_fem_free_body **out,
                                    prc_error *err) {
  return list_bodies(fem, 1, n_bodies, out, err);
}

/* ---- in words ------------------------------------------------------------------------------------------------------- */

/* A number of the size 1, without the rounding around zero. */
static double round_to_zero(double x) {
  return fabs(x) < 1e-9 ? 0.0 : x;
}

/* Adds it to the text. */
static void describe(const prc_fem_free_body *body, const double mode[3], char *text, size_t size) {
  const double *c = body->centre, w = mode[2];
  if (fabs(w) > 1e-6)
    prc_append(text, size, "rotation about (%.4g, %.4g)",
               round_to_zero((c[0] - mode[1] * body->size / w) / body->size) * body->size,
               round_to_zero((c[1] + mode[0] * body->size / w) / body->size) * body->size);
  else if (fabs(mode[1]) < 1e-6)
    prc_append(text, size, "translation in x");
  else if (fabs(mode[0]) < 1e-6)
    prc_append(text, size, "translation in y");
  else
    prc_append(text, size, "translation along (%.4g, %.4g)", mode[0], mode[1]);
}

void prc_fem_free_body_text(const prc_fem_free_body *body, char *text, size_t size) {
  snprintf(text, size, "the body of '%.80s' (%d nodes around (%.4g, %.4g)) is free in ", body->group,
           body->n_nodes, round_to_zero(body->centre[0] / body->size) * body->size,
           round_to_zero(body->centre[1] / body->size) * body->size);
  for (int i = body->n_modes - 1; i >= 0; i--) {
    const int first = i == body->n_modes - 1;
    prc_append(text, size, "%s", first ? "" : i == 0 ? " and " : ", ");
    describe(body, body->mode[i], text, size);
  }
}

#include "config.h"
#include "scene/view.h"

#include <stdio.h>
#include <string.h>

/* Bodies of a mesh, what of it hangs together, by their lowest nodes: names, and energies by body and material. */

prc_status prc_mesh_view_number_bodies(const void *self, int *n, int *of, prc_error *err) {
  const prc_mesh *mesh = prc_fem_get_model(self)->mesh;
  prc_status status = PRC_OK;
  int *root = NULL, *number = NULL;
  *n = 0;
  prc_try(prc_new(&root, mesh->n_nodes, err));
  prc_try(prc_new(&number, mesh->n_nodes, err));
  prc_mesh_bodies(mesh, root);
  for (int c = 0; c < mesh->n_cells; c++) number[root[mesh->cell[mesh->cell_start[c]]]] = 1;
  for (int a = 0; a < mesh->n_nodes; a++)
    if (number[a]) number[a] = (*n)++;
  for (int c = 0; c < mesh->n_cells; c++) of[c] = number[root[mesh->cell[mesh->cell_start[c]]]];
done:
  prc_delete(&root);
  prc_delete(&number);
  return status;
}

/* The first material of each; of several that have one the same also which of these: "block", or "block[1]", "block[2]". */
static void name_bodies(const void *self, const int *of, int n, prc_view_energy *body) {
  const prc_fem_model *model = prc_fem_get_model(self);
  const int *material = prc_fem_cell_materials(self);
  for (int m = 0; m < model->n_materials; m++)
    for (int c = 0; c < model->mesh->n_cells; c++)
      if (material[c] == m && !body[of[c]].material) body[of[c]].material = model->material[m].group->name;
  for (int b = 0; b < n; b++) {
    int same = 0, which = 0;
    for (int k = 0; k < n; k++) {
      const int is_same = body[k].material == body[b].material;
      same += is_same, which += is_same && k <= b;
    }
    if (same > 1)
      snprintf(body[b].body, sizeof body[b].body, "%.100s[%d]", body[b].material, which);
    else
      snprintf(body[b].body, sizeof body[b].body, "%.100s", body[b].material);
  }
}

prc_status prc_mesh_view_body_names(const void *self, int *n, prc_view_energy **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_view_energy *body = NULL;
  int *of = NULL;
  prc_try(prc_new(&of, prc_fem_get_model(self)->mesh->n_cells, err));
  prc_try(prc_mesh_view_number_bodies(self, n, of, err));
  prc_try(prc_new(&body, *n, err));
  name_bodies(self, of, *n, body);
  *out = body, body = NULL;
done:
  prc_delete(&of);
  prc_delete(&body);
  return status;
}

typedef struct {
  int *of, *row;             /* of each cell its body; of each body and material its row, from 1 */
  double *kinetic, *elastic; /* of each cell */
  prc_view_energy *body;
} work;

static void free_work(work *w) {
  prc_delete(&w->of);
  prc_delete(&w->row);
  prc_delete(&w->kinetic);
  prc_delete(&w->elastic);
  prc_delete(&w->body);
}

static prc_status prepare(const void *self, work *w, int *n_bodies, prc_error *err) {
  const prc_fem_model *model = prc_fem_get_model(self);
  prc_status status = PRC_OK;
  prc_try(prc_new(&w->of, model->mesh->n_cells, err));
  prc_try(prc_new(&w->kinetic, model->mesh->n_cells, err));
  prc_try(prc_new(&w->elastic, model->mesh->n_cells, err));
  prc_try(prc_mesh_view_number_bodies(self, n_bodies, w->of, err));
  prc_try(prc_mesh_view_body_names(self, n_bodies, &w->body, err));
  prc_try(prc_new(&w->row, (size_t)*n_bodies * (size_t)model->n_materials, err));
done:
  return status;
}

/* Springs to the ground, one row for each support that has some. */
static int spring_rows(const void *self, const double *q, prc_view_energy *rows) {
  const prc_fem_model *model = prc_fem_get_model(self);
  int n = 0;
  for (int i = 0; i < model->n_springs; i++) {
    const char *name = model->spring[i].name;
    if (i == 0 || strcmp(name, model->spring[i - 1].name) != 0) n++;
    if (!rows) continue;
    snprintf(rows[n - 1].body, sizeof rows[n - 1].body, "%.100s", name);
    rows[n - 1].elastic += prc_fem_spring_energy(self, i, q);
  }
  return n;
}

/* Rows by bodies, and within by materials; then springs to the ground. */
prc_status prc_mesh_view_energies(const void *self, const double *q, const double *v, int *n,
                                  prc_view_energy **out, prc_error *err) {
  const prc_fem_model *model = prc_fem_get_model(self);
  const int *material = prc_fem_cell_materials(self), cells = model->mesh->n_cells, m = model->n_materials;
  prc_status status = PRC_OK;
  prc_view_energy *rows = NULL;
  work w = {0};
  int n_bodies = 0;
  *n = 0;
  prc_try(prepare(self, &w, &n_bodies, err));
  for (int c = 0; c < cells; c++) w.row[w.of[c] * m + material[c]] = 1;
  for (int k = 0; k < n_bodies * m; k++)
    if (w.row[k]) w.row[k] = ++*n;
  const int of_springs = *n;
  *n += spring_rows(self, q, NULL);
  prc_try(prc_new(&rows, *n, err));
  (void)spring_rows(self, q, rows + of_springs);
  prc_fem_cell_energies(self, q, v, w.kinetic, w.elastic);
  for (int c = 0; c < cells; c++) {
    prc_view_energy *row = &rows[w.row[w.of[c] * m + material[c]] - 1];
    memcpy(row->body, w.body[w.of[c]].body, sizeof row->body);
    row->material = model->material[material[c]].group->name;
    row->kinetic += w.kinetic[c], row->elastic += w.elastic[c];
  }
  *out = rows, rows = NULL;
done:
  prc_delete(&rows);
  free_work(&w);
  return status;
}

#include "config.h"
#include "scene/figures.h"
#include "scene/view.h"

#include <math.h>
#include <string.h>

/* A mesh: its points are its nodes, and their velocities are dofs. */

static const prc_system *system_of(const void *self) {
  return prc_fem_system(self);
}

static void initial(const void *self, double *q, double *v) {
  const size_t bytes = (size_t)prc_fem_system(self)->space.nv * sizeof *q;
  memset(q, 0, bytes);
  memset(v, 0, bytes);
}

static int items(const void *self) {
  (void)self;
  return 1;
}

static int surfaces(const void *self) {
  const prc_fem_model *model = prc_fem_get_model(self);
  return model->n_contacts + model->n_interfaces;
}

static double size(const void *self, int item) {
  const prc_mesh *mesh = prc_fem_get_model(self)->mesh;
  (void)item;
  return hypot(mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1]);
}

static void place(const void *self, const double *q, const prc_body_point *point, double x[2]) {
  const prc_mesh *mesh = prc_fem_get_model(self)->mesh;
  for (int k = 0; k < 2; k++) x[k] = mesh->x[2 * point->feature + k] + q[2 * point->feature + k];
}

static void rows(const void *self, const double *q, const prc_body_point *point, const double x[2],
                 prc_body_rows *out) {
  (void)self, (void)q, (void)x;
  *out = (prc_body_rows){
      .n = 2, .dof = {2 * point->feature, 2 * point->feature + 1}, .J = {{1.0, 0.0}, {0.0, 1.0}}};
}

const prc_body_kind prc_body_kind_mesh = {.name = "mesh",
                                          .system = system_of,
                                          .initial = initial,
                                          .items = items,
                                          .surfaces = surfaces,
                                          .groups = surfaces,
                                          .size = size,
                                          .place = place,
                                          .rows = rows,
                                          .figure = &prc_figure_kind_mesh,
                                          .view = &prc_body_view_mesh};

#include "config.h"
#include "scene/figures.h"
#include "scene/view.h"

#include <math.h>

/* Rigid bodies, all of them: what is at x moves with v_G + spin k x (x - G). */

static const prc_system *system_of(const void *self) {
  return prc_rigid_system(self);
}

static void initial(const void *self, double *q, double *v) {
  prc_rigid_initial(self, q, v);
}

static int items(const void *self) {
  return prc_rigid_count(self);
}

static int surfaces(const void *self) {
  return prc_rigid_surface_count(self);
}

static int groups(const void *self) {
  return prc_rigid_group_count(self);
}

static double size(const void *self, int item) {
  return prc_rigid_size(self, item);
}

static void place(const void *self, const double *q, const prc_body_point *point, double x[2]) {
  prc_rigid_point(self, q, point->item, point->r, x);
}

static void rows(const void *self, const double *q, const prc_body_point *point, const double x[2],
                 prc_body_rows *out) {
  const int first = 3 * point->item;
  (void)self;
  *out = (prc_body_rows){.n = 3,
                         .turns = 1,
                         .dof = {first, first + 1, first + 2},
                         .J = {{1.0, 0.0, -(x[1] - q[first + 1])}, {0.0, 1.0, x[0] - q[first]}}};
}

static prc_contact_surface surface(const void *self, const double *q, int item,
                                   const prc_contact_surface *own) {
  (void)self;
  return prc_contact_surface_moved(own, q + 3 * item, q[3 * item + 2]);
}

static double gyration(const void *self, int item) {
  const prc_rigid_body *body = &prc_rigid_get_model(self)->body[item];
  return body->driven ? 0.0 : sqrt(body->inertia / body->mass);
}

/* x_G + R r, and x_G'' + ... = -spin^2 R r; the angle goes on beyond a turn. */
static void frame(const void *self, const double *q, const double *v, const prc_body_point *point,
                  prc_body_frame *out) {
  const int first = 3 * point->item;
  double x[2];
  prc_rigid_point(self, q, point->item, point->r, x);
  const double arm[2] = {x[0] - q[first], x[1] - q[first + 1]};
  *out = (prc_body_frame){.n = 3,
                          .dof = {first, first + 1, first + 2},
                          .x = {x[0], x[1], q[first + 2]},
                          .J = {{1.0, 0.0, -arm[1]}, {0.0, 1.0, arm[0]}, {0.0, 0.0, 1.0}},
                          .length = gyration(self, point->item)};
  for (int k = 0; k < 2 && v; k++) out->bias[k] = -v[first + 2] * v[first + 2] * arm[k];
}

static void frame_mean(const void *self, const double *q, const double *dx, const prc_body_point *point,
                       prc_body_frame *out) {
  const int first = 3 * point->item;
  double arm[2];
  const double share = prc_rigid_mean_arm(self, point->item, q[first + 2], dx[first + 2], point->r, arm);
  *out = (prc_body_frame){.n = 3,
                          .dof = {first, first + 1, first + 2},
                          .J = {{1.0, 0.0, -arm[1]}, {0.0, 1.0, arm[0]}, {0.0, 0.0, share}}};
}

const prc_body_kind prc_body_kind_rigid = {.name = "rigid",
                                           .system = system_of,
                                           .initial = initial,
                                           .items = items,
                                           .surfaces = surfaces,
                                           .groups = groups,
                                           .size = size,
                                           .place = place,
                                           .rows = rows,
                                           .surface = surface,
                                           .frame = frame,
                                           .frame_mean = frame_mean,
                                           .figure = &prc_figure_kind_rigid,
                                           .view = &prc_body_view_rigid};

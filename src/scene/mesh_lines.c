#include "config.h"
#include "scene/view.h"

#include <math.h>

/* The contact lines of a mesh: its curves against planes, and the second curves of its interfaces. */

static int is_interface(const void *self, int k) {
  return k >= prc_fem_get_model(self)->n_contacts;
}

int prc_mesh_view_lines(const void *self) {
  const prc_fem_model *model = prc_fem_get_model(self);
  return model->n_contacts + model->n_interfaces;
}

int prc_mesh_view_line_size(const void *self, int k) {
  return prc_fem_contact_first(self, k + 1) - prc_fem_contact_first(self, k);
}

const double *prc_mesh_view_line_areas(const void *self, int k) {
  return prc_fem_contact_areas(self) + prc_fem_contact_first(self, k);
}

void prc_mesh_view_line_point(const void *self, int k, int candidate, double x[2]) {
  const int node = prc_fem_contact_nodes(self)[prc_fem_contact_first(self, k) + candidate];
  for (int d = 0; d < 2; d++) x[d] = prc_fem_get_model(self)->mesh->x[2 * node + d];
}

int prc_mesh_view_line_candidate(const void *self, int k, int node) {
  const int c = prc_fem_contact_candidate(self, k, node);
  return c < 0 ? -1 : c - prc_fem_contact_first(self, k);
}

int prc_mesh_view_line_carrier(const void *self, int k, int candidate, int *node) {
  const int first = prc_fem_contact_first(self, k), c = prc_fem_contact_carrier(self, first + candidate);
  *node = prc_fem_contact_nodes(self)[first + candidate];
  return c < 0 ? -1 : c - first;
}

/* along t, from the plane's point */
static void along_plane(const void *self, int k, double *place) {
  const prc_fem_model *model = prc_fem_get_model(self);
  const double *point = model->contact[k].plane.point;
  const int first = prc_fem_contact_first(self, k);
  for (int i = 0, n = prc_mesh_view_line_size(self, k); i < n; i++) {
    const double *x = model->mesh->x + 2 * prc_fem_contact_nodes(self)[first + i],
                 *t = prc_fem_contact_frames(self) + 4 * (first + i) + 2;
    place[i] = (x[0] - point[0]) * t[0] + (x[1] - point[1]) * t[1];
  }
}

/* ---- along an interface ----------------------------------------------------------------------------- */

/* The curve that touches, as its sides follow each other with the body on their left: along t. */
typedef struct {
  const prc_mesh *mesh;
  const prc_mesh_group *group;
  int *side;    /* n_nodes of the mesh: 1 + the side that begins there, or 0 */
  char *inside; /* n_nodes: a side ends there */
} curve;

static const double *place_of(const curve *c, int node) {
  return c->mesh->x + 2 * node;
}

static void follow_sides(curve *c) {
  for (int i = 0; i < c->group->n_cells; i++) {
    const int *ends = c->mesh->edge + 2 * c->group->cell[i];
    c->side[ends[0]] = i + 1, c->inside[ends[1]] = 1;
  }
}

/* From one end to the other, and where that is no way at all, as around a ring, along x. */
static void direction_of(const curve *c, double t[2]) {
  int first = -1, last = -1;
  for (int i = 0; i < c->group->n_cells; i++) {
    const int *ends = c->mesh->edge + 2 * c->group->cell[i];
    if (first < 0 && !c->inside[ends[0]]) first = ends[0];
    if (c->side[ends[1]] == 0) last = ends[1];
  }
  t[0] = 1.0, t[1] = 0.0;
  if (first < 0 || last < 0) return;
  const double *a = place_of(c, first), *b = place_of(c, last), length = hypot(b[0] - a[0], b[1] - a[1]);
  if (length > 0.0) t[0] = (b[0] - a[0]) / length, t[1] = (b[1] - a[1]) / length;
}

static double along(const double x[2], const double t[2]) {
  return x[0] * t[0] + x[1] * t[1];
}

static int is_straight(const curve *c, const double t[2]) {
  double low = INFINITY, high = -INFINITY, least = INFINITY, most = -INFINITY;
  for (int k = 0; k < c->group->n_nodes; k++) {
    const double *x = place_of(c, c->group->node[k]), across = x[0] * t[1] - x[1] * t[0];
    low = fmin(low, across), high = fmax(high, across);
    least = fmin(least, along(x, t)), most = fmax(most, along(x, t));
  }
  return high - low <= 1e-9 * (most - least);
}

static int number_of(const curve *c, int node) {
  int low = 0, high = c->group->n_nodes - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (c->group->node[middle] < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Lengths of sides from a node on; sides that were gone along are taken out. */
static void walk(const curve *c, int node, double s, double *place) {
  place[number_of(c, node)] = s;
  while (c->side[node] != 0) {
    const int edge = c->group->cell[c->side[node] - 1], next = c->mesh->edge[2 * edge + 1],
              middle = c->mesh->edge_middle[edge];
    const double *a = place_of(c, node), *b = place_of(c, next);
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    if (middle >= 0) place[number_of(c, middle)] = s + 0.5 * length;
    c->side[node] = 0;
    s += length, node = next;
    if (c->side[node] != 0 || !(c->inside[node] & 2)) place[number_of(c, node)] = s;
    c->inside[node] |= 2;
  }
}

/* Of a straight curve x . t with its direction; else its length from its beginning, which has the x . t of the way from end to end. */
static prc_status along_interface(const void *self, int k, double *place, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = prc_fem_get_model(self);
  curve c = {.mesh = model->mesh, .group = model->interface[k - model->n_contacts].group[1]};
  double t[2];
  prc_try(prc_new(&c.side, c.mesh->n_nodes, err));
  prc_try(prc_new(&c.inside, c.mesh->n_nodes, err));
  follow_sides(&c);
  direction_of(&c, t);
  const int straight = is_straight(&c, t);
  for (int i = 0; i < c.group->n_nodes; i++) place[i] = along(place_of(&c, c.group->node[i]), t);
  for (int ring = 0; !straight && ring < 2; ring++)
    for (int i = 0; i < c.group->n_cells; i++) {
      const int node = c.mesh->edge[2 * c.group->cell[i]];
      if (c.side[node] != 0 && (ring || !c.inside[node])) walk(&c, node, along(place_of(&c, node), t), place);
    }
done:
  prc_delete(&c.side);
  prc_delete(&c.inside);
  return status;
}

prc_status prc_mesh_view_line_places(const void *self, int k, double *place, prc_error *err) {
  if (is_interface(self, k)) return along_interface(self, k, place, err);
  along_plane(self, k, place);
  return PRC_OK;
}

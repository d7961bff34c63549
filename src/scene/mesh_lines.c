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

/* ---- around closed curves ------------------------------------------------------------------------------ */

/* Every side is followed by another. */
static int is_closed(const curve *c) {
  for (int i = 0; i < c->group->n_cells; i++) {
    const int *ends = c->mesh->edge + 2 * c->group->cell[i];
    if (!c->inside[ends[0]] || c->side[ends[1]] == 0) return 0;
  }
  return c->group->n_cells > 0;
}

/* Sets the lengths from a node on once around, below zero where they are more than half of it, and takes the sides out. Returns the way around. */
static double walk_around(const curve *c, int first, double origin, double *place) {
  double around = 0.0, s = 0.0;
  int node = first;
  for (int pass = 0; pass < 2; pass++) {
    do {
      const int edge = c->group->cell[c->side[node] - 1], next = c->mesh->edge[2 * edge + 1],
                middle = c->mesh->edge_middle[edge];
      const double *a = place_of(c, node), *b = place_of(c, next), length = hypot(b[0] - a[0], b[1] - a[1]);
      const double half = s + 0.5 * length;
      if (pass > 0) place[number_of(c, node)] = origin + (2.0 * s > around ? s - around : s);
      if (pass > 0 && middle >= 0)
        place[number_of(c, middle)] = origin + (2.0 * half > around ? half - around : half);
      if (pass > 0) c->side[node] = -c->side[node];
      s += length, node = next;
    } while (node != first);
    around = s, s = 0.0;
  }
  return around;
}

/* The node with the smallest x . d, and of several the one with the smallest x . e with e = d turned by -90 degrees, of those whose sides are there; -1: none. */
static int lowest(const curve *c, const double d[2]) {
  const double e[2] = {d[1], -d[0]},
               size = hypot(c->mesh->high[0] - c->mesh->low[0], c->mesh->high[1] - c->mesh->low[1]);
  int best = -1;
  for (int i = 0; i < c->group->n_cells; i++) {
    const int node = c->mesh->edge[2 * c->group->cell[i]];
    if (c->side[node] <= 0) continue;
    const double *x = place_of(c, node), *y = best < 0 ? x : place_of(c, best);
    const double below = along(y, d) - along(x, d);
    if (best < 0 || below > 1e-12 * size || (below >= -1e-12 * size && along(x, e) < along(y, e)))
      best = node;
  }
  return best;
}

/* The length from the lowest node against d, with the body on the left, from minus half of the way around to half of it; of several closed curves the next
 * begins where the one before ends. */
static void along_closed(const curve *c, const double d[2], double *place) {
  double end = 0.0;
  int n = 0;
  for (int first; (first = lowest(c, d)) >= 0; n++) {
    const double before = end;
    double around = walk_around(c, first, 0.0, place);
    if (n == 0) {
      end = 0.5 * around;
      continue;
    }
    int node = first;
    do { /* moved behind */
      const int edge = c->group->cell[-c->side[node] - 1], middle = c->mesh->edge_middle[edge];
      place[number_of(c, node)] += before + 0.5 * around;
      if (middle >= 0) place[number_of(c, middle)] += before + 0.5 * around;
      node = c->mesh->edge[2 * edge + 1];
    } while (node != first);
    end = before + around;
  }
}

static prc_status open_curve(const prc_mesh *mesh, const prc_mesh_group *group, curve *c, prc_error *err) {
  prc_status status = PRC_OK;
  *c = (curve){.mesh = mesh, .group = group};
  prc_try(prc_new(&c->side, mesh->n_nodes, err));
  prc_try(prc_new(&c->inside, mesh->n_nodes, err));
  follow_sides(c);
done:
  return status;
}

static void close_curve(curve *c) {
  prc_delete(&c->side);
  prc_delete(&c->inside);
}

/* ---- places ---------------------------------------------------------------------------------------------- */

/* Against a plane: along t, from the plane's point; of a closed curve its length from the node that is nearest to the plane. */
static prc_status along_plane(const void *self, int k, double *place, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = prc_fem_get_model(self);
  const double *point = model->contact[k].plane.point;
  const int first = prc_fem_contact_first(self, k), n = prc_mesh_view_line_size(self, k);
  curve c = {0};
  prc_try(open_curve(model->mesh, model->contact[k].group, &c, err));
  for (int i = 0; i < n; i++) {
    const double *x = model->mesh->x + 2 * prc_fem_contact_nodes(self)[first + i],
                 *t = prc_fem_contact_frames(self) + 4 * (first + i) + 2;
    place[i] = (x[0] - point[0]) * t[0] + (x[1] - point[1]) * t[1];
  }
  if (n == c.group->n_nodes && is_closed(&c))
    along_closed(&c, prc_fem_contact_frames(self) + 4 * first, place);
done:
  close_curve(&c);
  return status;
}

/* Of a closed curve its length from its node with the largest x; of a straight one x . t with its direction; else its length from its beginning, which has the x . t of the way from end to end. */
static prc_status along_interface(const void *self, int k, double *place, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = prc_fem_get_model(self);
  static const double from_right[2] = {-1.0, 0.0};
  curve c = {0};
  double t[2];
  prc_try(open_curve(model->mesh, model->interface[k - model->n_contacts].group[1], &c, err));
  if (is_closed(&c)) {
    along_closed(&c, from_right, place);
    goto done;
  }
  direction_of(&c, t);
  const int straight = is_straight(&c, t);
  for (int i = 0; i < c.group->n_nodes; i++) place[i] = along(place_of(&c, c.group->node[i]), t);
  for (int ring = 0; !straight && ring < 2; ring++)
    for (int i = 0; i < c.group->n_cells; i++) {
      const int node = c.mesh->edge[2 * c.group->cell[i]];
      if (c.side[node] != 0 && (ring || !c.inside[node])) walk(&c, node, along(place_of(&c, node), t), place);
    }
done:
  close_curve(&c);
  return status;
}

prc_status prc_mesh_view_line_places(const void *self, int k, double *place, prc_error *err) {
  if (is_interface(self, k)) return along_interface(self, k, place, err);
  return along_plane(self, k, place, err);
}

#include "config.h"
#include "scene/figures.h"

#include <math.h>
#include <string.h>

/* The boundary of bodies of a mesh: sides that one cell has alone, quadratic ones by two chords. */

#define SMOOTH                                                                                               \
  0.5235987755982988 /* radians, 30 degrees: two chords that turn by less are of one smooth line */

static const prc_mesh *mesh_of(const void *self) {
  return prc_fem_get_model(self)->mesh;
}

/* ---- which sides ------------------------------------------------------------------------------------------ */

typedef struct {
  const prc_mesh *mesh;
  int n, (*side)[3];    /* of the boundary */
  int *body;            /* of each node, see prc_mesh_bodies */
  char *given, *wanted; /* nodes; bodies, by their lowest node */
  int *place;           /* of a node in the outline, or -1 */
} maker;

static void maker_free(maker *m) {
  prc_delete(&m->side);
  prc_delete(&m->body);
  prc_delete(&m->given);
  prc_delete(&m->wanted);
  prc_delete(&m->place);
}

static prc_status maker_create(const prc_mesh *mesh, int n, const prc_body_point *point, maker *m,
                               prc_error *err) {
  prc_status status = PRC_OK;
  m->mesh = mesh;
  prc_try(prc_mesh_boundary(mesh, &m->n, &m->side, err));
  prc_try(prc_new(&m->body, mesh->n_nodes, err));
  prc_try(prc_new(&m->given, mesh->n_nodes, err));
  prc_try(prc_new(&m->wanted, mesh->n_nodes, err));
  prc_try(prc_new(&m->place, mesh->n_nodes, err));
  prc_mesh_bodies(mesh, m->body);
  for (int i = 0; i < mesh->n_nodes; i++) m->place[i] = -1;
  for (int i = 0; i < n; i++) m->given[point[i].feature] = m->wanted[m->body[point[i].feature]] = 1;
done:
  return status;
}

/* A ring has no boundary on its axis: points on it are as deep as they are behind the others. */
static int is_on_axis(const maker *m, const int side[3], int ring) {
  const double tiny = 1e-9 * (m->mesh->high[0] - m->mesh->low[0]);
  return ring && fabs(m->mesh->x[2 * side[0]]) <= tiny && fabs(m->mesh->x[2 * side[1]]) <= tiny;
}

static int is_taken(const maker *m, const int side[3], int sided, int ring) {
  if (sided) return m->given[side[0]] && m->given[side[1]];
  return m->wanted[m->body[side[0]]] && !is_on_axis(m, side, ring);
}

static int place_of(maker *m, int node, prc_figure *f) {
  if (m->place[node] < 0) {
    m->place[node] = f->outline.n_points;
    f->node[f->outline.n_points++] = node;
  }
  return m->place[node];
}

static void add_chord(maker *m, int from, int to, prc_figure *f) {
  const int a = place_of(m, from, f), b = place_of(m, to, f);
  int *chord = f->outline.chord[f->outline.n_chords++];
  chord[0] = a, chord[1] = b;
}

/* ---- what is known of it ---------------------------------------------------------------------------------- */

/* A chord that joins two given nodes, and the one behind it that does; -1: there is none. */
static int is_given(const maker *m, const prc_figure *f, int chord) {
  const int *of = f->outline.chord[chord];
  return m->given[f->node[of[0]]] && m->given[f->node[of[1]]];
}

static double length_of(const maker *m, const prc_figure *f, int chord) {
  const int *of = f->outline.chord[chord];
  const double *a = m->mesh->x + 2 * f->node[of[0]], *b = m->mesh->x + 2 * f->node[of[1]];
  return hypot(b[0] - a[0], b[1] - a[1]);
}

/* By how much chord `next` turns against `one`. */
static double turn_of(const maker *m, const prc_figure *f, int one, int next) {
  const double *X = m->mesh->x, *a = X + 2 * f->node[f->outline.chord[one][0]],
               *b = X + 2 * f->node[f->outline.chord[one][1]],
               *c = X + 2 * f->node[f->outline.chord[next][1]];
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, e[2] = {c[0] - b[0], c[1] - b[1]};
  return fabs(atan2(d[0] * e[1] - d[1] * e[0], d[0] * e[0] + d[1] * e[1]));
}

/* A chord of length l between lines that turn by a is l a / 8 off the arc that it stands for. */
static prc_status find_facet(const maker *m, prc_figure *f, prc_error *err) {
  prc_status status = PRC_OK;
  int *ahead = NULL;
  prc_try(prc_new(&ahead, f->outline.n_points, err));
  for (int i = 0; i < f->outline.n_points; i++) ahead[i] = -1;
  for (int k = 0; k < f->outline.n_chords; k++)
    if (is_given(m, f, k))
      ahead[f->outline.chord[k][0]] = k, f->longest = fmax(f->longest, length_of(m, f, k));
  for (int k = 0; k < f->outline.n_chords; k++) {
    const int next = ahead[f->outline.chord[k][1]];
    if (!is_given(m, f, k) || next < 0) continue;
    const double turn = turn_of(m, f, k, next);
    if (turn < SMOOTH)
      f->facet = fmax(f->facet, 0.125 * turn * fmax(length_of(m, f, k), length_of(m, f, next)));
  }
done:
  prc_delete(&ahead);
  return status;
}

typedef struct {
  double box[4], area, around;
} extent;

/* Of the smallest and of the thinnest of its bodies, as they are undeformed. */
static prc_status measure(const maker *m, prc_figure *f, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = m->mesh;
  extent *of = NULL;
  prc_try(prc_new(&of, mesh->n_nodes, err));
  for (int i = 0; i < mesh->n_nodes; i++) of[i] = (extent){.box = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < mesh->n_nodes; i++)
    for (int k = 0; k < 2; k++) {
      double *box = of[m->body[i]].box;
      box[k] = fmin(box[k], mesh->x[2 * i + k]), box[2 + k] = fmax(box[2 + k], mesh->x[2 * i + k]);
    }
  for (int c = 0; c < mesh->n_cells; c++)
    of[m->body[mesh->cell[mesh->cell_start[c]]]].area += prc_mesh_area(mesh, c);
  for (int k = 0; k < m->n; k++) {
    const double *a = mesh->x + 2 * m->side[k][0], *b = mesh->x + 2 * m->side[k][1];
    of[m->body[m->side[k][0]]].around += hypot(b[0] - a[0], b[1] - a[1]);
  }
  f->size = f->width = INFINITY;
  for (int i = 0; i < mesh->n_nodes; i++) {
    if (!m->wanted[i]) continue;
    f->size = fmin(f->size, hypot(of[i].box[2] - of[i].box[0], of[i].box[3] - of[i].box[1]));
    f->width = fmin(f->width, 4.0 * of[i].area / of[i].around);
  }
done:
  prc_delete(&of);
  return status;
}

static prc_status make(const void *self, int n, const prc_body_point *point, int sided, prc_figure *f,
                       prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = mesh_of(self);
  const int ring = prc_fem_get_model(self)->plane == PRC_AXISYMMETRIC;
  maker m = {0};
  prc_try(maker_create(mesh, n, point, &m, err));
  const size_t most = 2 * (size_t)m.n;
  prc_try(prc_new(&f->node, 2 * most, err));
  prc_try(prc_new(&f->outline.chord, most, err));
  for (int k = 0; k < m.n; k++) {
    const int *side = m.side[k], middle = side[2];
    if (!is_taken(&m, side, sided, ring)) continue;
    add_chord(&m, side[0], middle < 0 ? side[1] : middle, f);
    if (middle >= 0) add_chord(&m, middle, side[1], f);
  }
  f->outline.closed = !sided, f->outline.has_side = sided;
  prc_try(prc_new(&f->outline.x, 2 * (size_t)f->outline.n_points, err));
  prc_try(find_facet(&m, f, err));
  prc_try(measure(&m, f, err));
done:
  maker_free(&m);
  return status;
}

/* ---- where it is -------------------------------------------------------------------------------------------- */

static void place(const void *self, const double *q, const double *q_end, double s, prc_figure *f) {
  const double *X = mesh_of(self)->x;
  for (int i = 0; i < f->outline.n_points; i++)
    for (int k = 0, dof = 2 * f->node[i]; k < 2; k++, dof++)
      f->outline.x[2 * i + k] = X[dof] + ((1.0 - s) * q[dof] + s * q_end[dof]);
  prc_outline_enclose(&f->outline);
}

static void shift(const void *self, const double *q, const double *q_end, const prc_figure *f, double d[2]) {
  (void)self;
  for (int k = 0, dof = 2 * f->node[0]; k < 2; k++, dof++) d[k] = q_end[dof] - q[dof];
}

static double way(const void *self, const double *q, const double *q_end, const prc_figure *f,
                  const double d[2]) {
  double most = 0.0;
  (void)self;
  for (int i = 0; i < f->outline.n_points; i++) {
    const int dof = 2 * f->node[i];
    const double x = q_end[dof] - q[dof] - d[0], y = q_end[dof + 1] - q[dof + 1] - d[1];
    most = fmax(most, x * x + y * y);
  }
  return sqrt(most);
}

const prc_figure_kind prc_figure_kind_mesh = {.make = make, .place = place, .shift = shift, .way = way};

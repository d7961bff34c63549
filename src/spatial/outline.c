#include "config.h"
#include "spatial/outline.h"

#include <math.h>
#include <string.h>

/* Surfaces of bodies for pictures. */

enum { VERTEX = 1, LINE = 3, POLYGON = 7 }; /* VTK's types of cells */

/* Faces of all round things together, and around one: fewer where there are many, so that a snapshot of many keeps a size that a few hundred
 * of them can have. Of spheres that would have less than 8 around, each is a point with its radius. */
enum { ALL_FACES = 20000, MOST_AROUND = 32, LEAST_AROUND = 8 };
enum { ZIGZAG = 14 };   /* points of a spring */
enum { MOST_CUTS = 6 }; /* of more half-spaces none is cut off where it is within another */

typedef struct {
  const prc_spatial_model *model;
  prc_spatial_outline *out; /* its arrays may be NULL: then all is only counted */
  int around;               /* faces around a round thing; 0: spheres are points */
  int n_half_spaces;
} pencil;

static void add_point(const pencil *p, int b, const double r[3]) {
  prc_spatial_outline *out = p->out;
  const int k = out->n_points++;
  if (!out->r) return;
  out->body[k] = b;
  memcpy(out->r + 3 * (size_t)k, r, 3 * sizeof *r);
}

static void add_node(const pencil *p, int k) {
  if (p->out->node) p->out->node[p->out->n_nodes] = k;
  p->out->n_nodes++;
}

/* The nodes that were added since the last cell. */
static void end_cell(const pencil *p, int b, int kind, int type) {
  prc_spatial_outline *out = p->out;
  const int c = out->n_cells++;
  if (!out->start) return;
  out->start[c + 1] = out->n_nodes;
  out->type[c] = type, out->kind[c] = kind, out->owner[c] = b;
}

static void add_line(const pencil *p, int b, int kind, int from, int to) {
  add_node(p, from), add_node(p, to);
  end_cell(p, b, kind, LINE);
}

static void add_vertex(const pencil *p, int b, int kind, int k, double radius) {
  if (p->out->radius) p->out->radius[p->out->n_cells] = radius;
  add_node(p, k);
  end_cell(p, b, kind, VERTEX);
}

static int kind_of(const prc_spatial_body *body) {
  return body->noun ? PRC_SPATIAL_OBSTACLE : body->driven ? PRC_SPATIAL_DRIVEN : PRC_SPATIAL_BODY;
}

/* ---- round things -------------------------------------------------------------------------------------- */

/* A solid of revolution: unit vectors, e along its axis, and a point of the axis. */
typedef struct {
  const double *centre;
  double e[3], u[3], w[3];
} axis;

static axis axis_of(const double *from, const double *to) {
  static const double up[3] = {0.0, 0.0, 1.0}, none[9] = {0.0};
  double d[3], frame[9];
  for (int k = 0; k < 3; k++) d[k] = to[k] - from[k];
  const double length = sqrt(prc_solid_dot(d, d));
  for (int k = 0; k < 3; k++) d[k] = length > 0.0 ? d[k] / length : up[k];
  prc_contact_turn_frame(none, d, frame);
  axis a = {.centre = from};
  for (int k = 0; k < 3; k++) a.e[k] = d[k], a.u[k] = frame[3 + k], a.w[k] = frame[6 + k];
  return a;
}

/* A circle about the axis, at `along` of its centre; of radius 0 a point. Returns its first point. */
static int add_ring(const pencil *p, int b, const axis *a, double along, double radius) {
  const int first = p->out->n_points, n = radius > 0.0 ? p->around : 1;
  const double full = 2.0 * acos(-1.0);
  for (int k = 0; k < n; k++) {
    const double x = radius * cos(full * k / n), y = radius * sin(full * k / n);
    double r[3];
    for (int i = 0; i < 3; i++) r[i] = a->centre[i] + along * a->e[i] + x * a->u[i] + y * a->w[i];
    add_point(p, b, r);
  }
  return first;
}

/* Faces from one ring to the next one along the axis, of so many points each: outwards. */
static void add_belt(const pencil *p, int b, int kind, const int ring[2], const int n[2]) {
  for (int k = 0; k < p->around; k++) {
    const int next = (k + 1) % p->around;
    if (n[0] > 1) add_node(p, ring[0] + k), add_node(p, ring[0] + next);
    if (n[0] == 1) add_node(p, ring[0]);
    if (n[1] > 1) add_node(p, ring[1] + next), add_node(p, ring[1] + k);
    if (n[1] == 1) add_node(p, ring[1]);
    end_cell(p, b, kind, POLYGON);
  }
}

/* Half spheres about both ends of the axis, which are `length` apart, and what is between them: in turn from pole to pole. */
static void add_capsule(const pencil *p, int b, int kind, const axis *a, double length, double radius) {
  const int quarter = p->around / 4, halves = length > 0.0 ? 2 : 1;
  const double right = 0.5 * acos(-1.0);
  int before = -1, n_before = 0;
  for (int half = 0; half < 2; half++)
    for (int k = half == 1 && halves == 1; k <= quarter; k++) {
      const double angle = half == 0 ? right * (k - quarter) / quarter : right * k / quarter;
      const int is_pole = half == 0 ? k == 0 : k == quarter;
      const int ring =
          add_ring(p, b, a, half * length + radius * sin(angle), is_pole ? 0.0 : radius * cos(angle));
      const int n = is_pole ? 1 : p->around;
      if (before >= 0) add_belt(p, b, kind, (const int[]){before, ring}, (const int[]){n_before, n});
      before = ring, n_before = n;
    }
}

static void add_cylinder(const pencil *p, int b, int kind, const axis *a, double length, double radius) {
  const int n = p->around;
  const int ring[2] = {add_ring(p, b, a, 0.0, radius), add_ring(p, b, a, length, radius)};
  add_belt(p, b, kind, ring, (const int[]){n, n});
  for (int k = 0; k < n; k++) add_node(p, ring[0] + n - 1 - k);
  end_cell(p, b, kind, POLYGON);
  for (int k = 0; k < n; k++) add_node(p, ring[1] + k);
  end_cell(p, b, kind, POLYGON);
}

static void add_round(const pencil *few, int b, int kind, const prc_solid *part) {
  pencil p = *few;
  const double *from = part->corner, *to = part->corner + (part->n > 1 ? 3 : 0);
  const axis a = axis_of(from, to);
  double length = 0.0;
  for (int k = 0; k < 3; k++) length += (to[k] - from[k]) * a.e[k];
  if (p.around == 0 && part->n == 1) {
    add_point(&p, b, from);
    add_vertex(&p, b, kind, p.out->n_points - 1, part->radius);
    return;
  }
  if (p.around == 0) p.around = LEAST_AROUND;
  if (part->n == 2 && part->face_normal)
    add_cylinder(&p, b, kind, &a, length, part->radius);
  else
    add_capsule(&p, b, kind, &a, length, part->radius);
}

/* ---- bodies -------------------------------------------------------------------------------------------- */

static int is_half_space(const prc_solid *part) {
  return !isfinite(part->extent);
}

static void add_faces(const pencil *p, int b, int kind, const prc_solid *part) {
  const int first = p->out->n_points;
  for (int k = 0; k < part->n; k++) add_point(p, b, part->corner + 3 * (size_t)k);
  for (int f = 0; f < part->n_faces; f++) {
    for (int k = part->face_start[f]; k < part->face_start[f + 1]; k++)
      add_node(p, first + part->face_corner[k]);
    end_cell(p, b, kind, POLYGON);
  }
}

static void add_part(const pencil *p, int b, int kind, const prc_solid *part) {
  const int first = p->out->n_points;
  if (part->radius > 0.0) {
    add_round(p, b, kind, part);
  } else if (part->n < 3) {
    for (int k = 0; k < part->n; k++) add_point(p, b, part->corner + 3 * (size_t)k);
    if (part->n == 2)
      add_line(p, b, kind, first, first + 1);
    else
      add_vertex(p, b, kind, first, 0.0);
  } else {
    add_faces(p, b, kind, part);
  }
}

/* A place that a joint or a spring has at the start, in the axes of its body. */
static void add_start(const pencil *p, int b, const double at[3]) {
  const prc_spatial_body *body = &p->model->body[b];
  const prc_solid_pose pose = prc_solid_pose_at(body->position, body->orientation);
  double arm[3], r[3];
  for (int k = 0; k < 3; k++) arm[k] = at[k] - body->position[k];
  prc_solid_turn_back(pose.R, arm, r);
  add_point(p, b, body->turns ? r : arm);
}

/* From the centre of mass of a body that has no parts to where it is held. */
static void add_spokes(const pencil *p, int b) {
  static const double centre[3] = {0.0, 0.0, 0.0};
  const prc_spatial_model *m = p->model;
  const int kind = kind_of(&m->body[b]), first = p->out->n_points;
  for (int k = 0; k < m->n_joints; k++)
    for (int i = 0; i < 2; i++)
      if (m->joint[k].body[i] == b) add_start(p, b, m->joint[k].at[i]);
  for (int k = 0; k < m->n_springs; k++)
    for (int i = 0; i < 2; i++)
      if (m->spring[k].body[i] == b) add_start(p, b, m->spring[k].at[i]);
  const int end = p->out->n_points;
  add_point(p, b, centre);
  for (int k = first; k < end; k++) add_line(p, b, kind, end, k);
  if (end == first) add_vertex(p, b, kind, end, 0.0);
}

/* As many points as a square has that others cut, which place_half_space gives their places: first a point of the plane and the normal, in the
 * body's axes. */
static int half_space_points(const pencil *p) {
  return 4 + (p->n_half_spaces - 1 <= MOST_CUTS ? p->n_half_spaces - 1 : 0);
}

static void add_half_space(const pencil *p, int b, const prc_solid *part) {
  static const double nothing[3] = {0.0, 0.0, 0.0};
  const int first = p->out->n_points, n = half_space_points(p);
  for (int k = 0; k < n; k++) {
    add_point(p, b, k == 0 ? part->corner : k == 1 ? part->face_normal : nothing);
    add_node(p, first + k);
  }
  end_cell(p, b, PRC_SPATIAL_HALF_SPACE, POLYGON);
}

/* Two points a joint, ZIGZAG a spring, which place_links gives their places. */
static void add_links(const pencil *p) {
  static const double nothing[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < p->model->n_joints; k++) {
    const int first = p->out->n_points, is_rod = p->model->joint[k].type == PRC_SPATIAL_DISTANCE;
    for (int i = 0; i < 2; i++) add_point(p, p->model->joint[k].body[i], nothing);
    if (is_rod) add_line(p, -1, PRC_SPATIAL_JOINT, first, first + 1);
    for (int i = is_rod ? 0 : 1; i < 2; i++) add_vertex(p, -1, PRC_SPATIAL_JOINT, first + i, 0.0);
  }
  for (int k = 0; k < p->model->n_springs; k++) {
    const int first = p->out->n_points;
    for (int i = 0; i < ZIGZAG; i++) add_point(p, -1, nothing);
    for (int i = 1; i < ZIGZAG; i++) add_line(p, -1, PRC_SPATIAL_SPRING, first + i - 1, first + i);
  }
}

/* Half-spaces come behind bodies: where they are drawn depends on where the others are. Joints and springs come last. */
static void add_all(const pencil *p) {
  for (int b = 0; b < p->model->n_bodies; b++) {
    const prc_spatial_body *body = &p->model->body[b];
    for (int k = 0; k < body->n_parts; k++)
      if (!is_half_space(&body->part[k])) add_part(p, b, kind_of(body), &body->part[k]);
    if (body->n_parts == 0) add_spokes(p, b);
  }
  p->out->n_bounded = p->out->n_points;
  for (int b = 0; b < p->model->n_bodies; b++)
    for (int k = 0; k < p->model->body[b].n_parts; k++)
      if (is_half_space(&p->model->body[b].part[k])) add_half_space(p, b, &p->model->body[b].part[k]);
  p->out->n_planes = p->out->n_points;
  add_links(p);
}

/* Of m faces around there are m m / 2 on a sphere; m is a multiple of 4. */
static pencil pencil_of(const prc_spatial_model *model, prc_spatial_outline *out) {
  pencil p = {.model = model, .out = out};
  int n_round = 0;
  for (int b = 0; b < model->n_bodies; b++)
    for (int k = 0; k < model->body[b].n_parts; k++) {
      n_round += model->body[b].part[k].radius > 0.0;
      p.n_half_spaces += is_half_space(&model->body[b].part[k]);
    }
  const int around = 4 * (int)(0.25 * sqrt(2.0 * ALL_FACES / (n_round > 0 ? n_round : 1)));
  p.around = around < LEAST_AROUND ? 0 : around < MOST_AROUND ? around : MOST_AROUND;
  return p;
}

prc_status prc_spatial_make_outline(const prc_spatial_model *model, prc_spatial_outline *out,
                                    prc_error *err) {
  prc_status status = PRC_OK;
  const pencil p = pencil_of(model, out);
  *out = (prc_spatial_outline){0};
  add_all(&p);
  prc_try(prc_new(&out->node, out->n_nodes, err));
  prc_try(prc_new(&out->start, (size_t)out->n_cells + 1, err));
  prc_try(prc_new(&out->type, out->n_cells, err));
  prc_try(prc_new(&out->kind, out->n_cells, err));
  prc_try(prc_new(&out->owner, out->n_cells, err));
  prc_try(prc_new(&out->radius, out->n_cells, err));
  prc_try(prc_new(&out->body, out->n_points, err));
  prc_try(prc_new(&out->r, 3 * (size_t)out->n_points, err));
  out->n_points = out->n_cells = out->n_nodes = 0;
  add_all(&p);
done:
  return status;
}

void prc_spatial_free_outline(prc_spatial_outline *out) {
  prc_delete(&out->node);
  prc_delete(&out->start);
  prc_delete(&out->type);
  prc_delete(&out->kind);
  prc_delete(&out->owner);
  prc_delete(&out->radius);
  prc_delete(&out->body);
  prc_delete(&out->r);
}

#include "config.h"
#include "rigid/internal.h"

#include <math.h>
#include <string.h>

/* Outlines of bodies for pictures. */

enum { VERTEX = 1, LINE = 3, POLYGON = 7 }; /* VTK's types of cells */

/* Segments of a full circle: 48, and fewer where there are so many round things that all together would have more than this, but no
 * fewer than 8. Beyond it discs have no spoke either, which nobody would see. */
enum { HOLE_SEGMENTS = 240, MOST_SEGMENTS = 48, LEAST_SEGMENTS = 8, ALL_SEGMENTS = 50000 };

typedef struct {
  const prc_rigid *rigid;
  prc_rigid_outline *out; /* its arrays may be NULL: then all is only counted */
  int segments, spokes;   /* of a circle; are discs given one? */
} pencil;

static void add_point(const pencil *p, int b, double x, double y) {
  prc_rigid_outline *out = p->out;
  const int k = out->n_points++;
  if (!out->r) return;
  out->body[k] = b;
  out->r[2 * k] = x, out->r[2 * k + 1] = y;
}

static void add_node(const pencil *p, int k) {
  if (p->out->node) p->out->node[p->out->n_nodes] = k;
  p->out->n_nodes++;
}

/* The nodes that were added since the last cell. */
static void end_cell(const pencil *p, int b, int kind, int type) {
  prc_rigid_outline *out = p->out;
  const int c = out->n_cells++;
  if (!out->start) return;
  out->start[c + 1] = out->n_nodes;
  out->type[c] = type, out->kind[c] = kind, out->owner[c] = b;
}

static void add_line(const pencil *p, int b, int kind, int from, int to) {
  add_node(p, from), add_node(p, to);
  end_cell(p, b, kind, LINE);
}

/* The points from `first` on, as what so many are. */
static void add_cell(const pencil *p, int b, int kind, int first) {
  const int n = p->out->n_points - first;
  for (int k = first; k < p->out->n_points; k++) add_node(p, k);
  end_cell(p, b, kind, n == 1 ? VERTEX : n == 2 ? LINE : POLYGON);
}

static int kind_of(const prc_rigid_body *body) {
  return body->noun ? PRC_OUTLINE_OBSTACLE : body->driven ? PRC_OUTLINE_DRIVEN : PRC_OUTLINE_BODY;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

/* Points of the arc about a corner, anticlockwise from one unit normal to the next, both ends included. */
static void add_arc(const pencil *p, int b, const double centre[2], double radius, const double from[2],
                    double turn) {
  const double start = atan2(from[1], from[0]), full = 2.0 * acos(-1.0);
  const int n = (int)fmax(ceil(p->segments * turn / full), 1.0);
  for (int k = 0; k <= n; k++) {
    const double angle = start + turn * k / n;
    add_point(p, b, centre[0] + radius * cos(angle), centre[1] + radius * sin(angle));
  }
}

static void add_circle(const pencil *p, int b, const double centre[2], double radius) {
  for (int k = 0; k < p->segments; k++) {
    const double angle = 2.0 * acos(-1.0) * k / p->segments;
    add_point(p, b, centre[0] + radius * cos(angle), centre[1] + radius * sin(angle));
  }
}

/* Out of the edge from corner k to the next. */
static void normal_of(const prc_shape *shape, int k, double out[2]) {
  const double *from = shape->corner + 2 * (k % shape->n), *to = shape->corner + 2 * ((k + 1) % shape->n);
  const double e[2] = {to[0] - from[0], to[1] - from[1]}, length = hypot(e[0], e[1]);
  out[0] = e[1] / length, out[1] = -e[0] / length;
}

/* A hull: its corners, or arcs about them. */
static void add_hull(const pencil *p, int b, int kind, const prc_shape *shape) {
  const int first = p->out->n_points, round = shape->radius > 0.0;
  if (shape->n == 1 && round) add_circle(p, b, shape->corner, shape->radius);
  for (int k = 0; k < shape->n && !(shape->n == 1 && round); k++) {
    const double *corner = shape->corner + 2 * k;
    double before[2], after[2];
    if (round) {
      normal_of(shape, k + shape->n - 1, before), normal_of(shape, k, after);
      const double turn =
          atan2(before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1]);
      add_arc(p, b, corner, shape->radius, before, turn > 0.0 ? turn : turn + 2.0 * acos(-1.0));
    } else
      add_point(p, b, corner[0], corner[1]);
  }
  add_cell(p, b, kind, first);
  if (!(shape->n == 1 && round && p->spokes)) return;
  add_point(p, b, shape->corner[0], shape->corner[1]);
  add_line(p, b, kind, p->out->n_points - 1, first);
}

/* A ring around a hole, a twentieth of its radius wide. */
static void add_hole(const pencil *few, int b, int kind, const prc_shape *shape) {
  pencil fine = *few;
  fine.segments = HOLE_SEGMENTS; /* what is around everything is seen close up */
  const pencil *p = &fine;
  const int first = p->out->n_points, n = p->segments;
  add_circle(p, b, shape->corner, shape->radius);
  add_circle(p, b, shape->corner, 1.05 * shape->radius);
  for (int k = 0; k < n; k++) {
    const int next = (k + 1) % n;
    add_node(p, first + k), add_node(p, first + next), add_node(p, first + n + next),
        add_node(p, first + n + k);
    end_cell(p, b, kind, POLYGON);
  }
}

static int is_half_plane(const prc_shape *shape) {
  return !isfinite(shape->extent) && !(shape->radius > 0.0);
}

/* Four points that place_half_plane gives their places: first a point of the line and the normal, in the body's axes. */
static void add_half_plane(const pencil *p, int b, int kind, const double point[2], const double normal[2]) {
  const int first = p->out->n_points;
  add_point(p, b, point[0], point[1]), add_point(p, b, normal[0], normal[1]);
  add_point(p, b, 0.0, 0.0), add_point(p, b, 0.0, 0.0);
  add_cell(p, b, kind == PRC_OUTLINE_BODY ? PRC_OUTLINE_FACE : PRC_OUTLINE_HALF_PLANE, first);
}

/* ---- bodies -------------------------------------------------------------------------------------------- */

static void add_ends(const pencil *p, const prc_rigid_link *link, int b) {
  for (int i = 0; i < 2; i++)
    if (link->body[i] == b) add_point(p, b, link->r[i][0], link->r[i][1]);
}

/* From the centre of mass of a body that has no outline to what it is touched and held at. */
static void add_spokes(const prc_rigid_model *model, const pencil *p, int b) {
  const int first = p->out->n_points;
  for (int k = 0; k < model->n_joints; k++) add_ends(p, &p->rigid->joints.fact[k].link, b);
  for (int k = 0; k < model->n_springs; k++) add_ends(p, &p->rigid->spring[k].link, b);
  for (int c = 0; c < model->n_contacts; c++)
    for (int k = 0; model->contact[c].body == b && k < model->contact[c].n_points; k++)
      add_point(p, b, model->contact[c].point[2 * k], model->contact[c].point[2 * k + 1]);
  const int end = p->out->n_points;
  if (end == first) return;
  add_point(p, b, 0.0, 0.0);
  for (int k = first; k < end; k++) add_line(p, b, kind_of(&model->body[b]), end, k);
}

/* Hulls and holes among shapes; returns whether there was one. */
static int add_shapes(const pencil *p, int b, int kind, int n, const prc_shape *shape) {
  int drawn = 0;
  for (int k = 0; k < n; k++) {
    if (is_half_plane(&shape[k])) continue;
    drawn = 1;
    if (isfinite(shape[k].extent))
      add_hull(p, b, kind, &shape[k]);
    else
      add_hole(p, b, kind, &shape[k]);
  }
  return drawn;
}

/* Its parts; or else its disc, its corners, or what may touch. */
static void add_body(const prc_rigid_model *model, const pencil *p, int b) {
  const prc_rigid_body *body = &model->body[b];
  const int kind = kind_of(body), first = p->out->n_points;
  double centre[2] = {0.0, 0.0};
  const prc_shape disc = {.n = 1, .corner = centre, .radius = body->radius};
  const int has_parts = add_shapes(p, b, kind, body->n_parts, body->part);
  if (add_shapes(p, b, kind, body->n_drawn, body->drawn) || has_parts) return;
  if (body->radius > 0.0) {
    add_hull(p, b, kind, &disc);
    return;
  }
  for (int k = 0; k < body->n_points; k++) add_point(p, b, body->point[2 * k], body->point[2 * k + 1]);
  if (body->n_points > 0)
    add_cell(p, b, kind, first);
  else
    add_spokes(model, p, b);
}

/* Is it the line of a contact that was drawn? */
static int is_drawn(const prc_rigid_model *model, const prc_contact_plane *plane, int n, const int *drawn) {
  for (int k = 0; k < n; k++) {
    const prc_contact_plane *other = &model->contact[drawn[k]].plane;
    if (plane->normal[0] == other->normal[0] && plane->normal[1] == other->normal[1]
        && prc_contact_plane_distance(plane, other->point[0], other->point[1]) == 0.0)
      return 1;
  }
  return 0;
}

static void add_planes(const prc_rigid_model *model, const pencil *p) {
  enum { PLANES = 64 }; /* a picture of more needs none */
  int drawn[PLANES], n = 0;
  for (int c = 0; c < model->n_contacts && n < PLANES; c++) {
    const prc_contact_plane *plane = &model->contact[c].plane;
    if (is_drawn(model, plane, n, drawn)) continue;
    add_half_plane(p, -1, PRC_OUTLINE_OBSTACLE, plane->point, plane->normal);
    drawn[n++] = c;
  }
}

static void add_half_planes(const pencil *p, int b, int kind, int n, const prc_shape *shape) {
  for (int k = 0; k < n; k++)
    if (is_half_plane(&shape[k])) add_half_plane(p, b, kind, shape[k].corner, shape[k].normal);
}

enum { ZIGZAG = 14 }; /* points of a spring */

/* Two points a joint, ZIGZAG a spring, which place_links gives their places. */
static void add_links(const prc_rigid_model *model, const pencil *p) {
  for (int k = 0; k < model->n_joints; k++) {
    const int first = p->out->n_points;
    for (int i = 0; i < 2; i++) add_point(p, p->rigid->joints.fact[k].link.body[i], 0.0, 0.0);
    if (model->joint[k].type == PRC_JOINT_DISTANCE) add_line(p, -1, PRC_OUTLINE_JOINT, first, first + 1);
    for (int i = model->joint[k].type == PRC_JOINT_DISTANCE ? 0 : 1; i < 2; i++) {
      add_node(p, first + i);
      end_cell(p, -1, PRC_OUTLINE_JOINT, VERTEX);
    }
  }
  for (int k = 0; k < model->n_springs; k++) {
    const int first = p->out->n_points;
    for (int i = 0; i < ZIGZAG; i++) add_point(p, -1, 0.0, 0.0);
    for (int i = 1; i < ZIGZAG; i++) add_line(p, -1, PRC_OUTLINE_SPRING, first + i - 1, first + i);
  }
}

/* Half-planes come behind bodies: where they are drawn depends on where the others are. Joints and springs come last. */
static void add_all(const prc_rigid_model *model, const pencil *p) {
  for (int b = 0; b < model->n_bodies; b++) add_body(model, p, b);
  p->out->n_bounded = p->out->n_points;
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_rigid_body *body = &model->body[b];
    add_half_planes(p, b, kind_of(body), body->n_parts, body->part);
    add_half_planes(p, b, kind_of(body), body->n_drawn, body->drawn);
  }
  add_planes(model, p);
  p->out->n_planes = p->out->n_points;
  add_links(model, p);
}

static int count_round(const prc_rigid_model *model) {
  int n = 0;
  for (int b = 0; b < model->n_bodies; b++) {
    n += model->body[b].n_parts == 0 && model->body[b].radius > 0.0;
    for (int k = 0; k < model->body[b].n_parts; k++) n += model->body[b].part[k].radius > 0.0;
  }
  return n;
}

prc_status prc_rigid_make_outline(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_outline *out = &rigid->outline;
  const int round = count_round(rigid->model), share = ALL_SEGMENTS / (round > 0 ? round : 1);
  const pencil p = {.rigid = rigid,
                    .out = out,
                    .segments = share < LEAST_SEGMENTS  ? LEAST_SEGMENTS
                                : share < MOST_SEGMENTS ? share
                                                        : MOST_SEGMENTS,
                    .spokes = share >= MOST_SEGMENTS};
  add_all(rigid->model, &p);
  prc_try(prc_new(&out->node, out->n_nodes, err));
  prc_try(prc_new(&out->start, (size_t)out->n_cells + 1, err));
  prc_try(prc_new(&out->type, out->n_cells, err));
  prc_try(prc_new(&out->kind, out->n_cells, err));
  prc_try(prc_new(&out->owner, out->n_cells, err));
  prc_try(prc_new(&out->body, out->n_points, err));
  prc_try(prc_new(&out->r, 2 * (size_t)out->n_points, err));
  out->n_points = out->n_cells = out->n_nodes = 0;
  add_all(rigid->model, &p);
done:
  return status;
}

void prc_rigid_free_outline(prc_rigid *rigid) {
  prc_rigid_outline *out = &rigid->outline;
  prc_delete(&out->node);
  prc_delete(&out->start);
  prc_delete(&out->type);
  prc_delete(&out->kind);
  prc_delete(&out->owner);
  prc_delete(&out->body);
  prc_delete(&out->r);
}

const prc_rigid_outline *prc_rigid_get_outline(const prc_rigid *rigid) {
  return &rigid->outline;
}

/* ---- places -------------------------------------------------------------------------------------------- */

/* Velocity at x of body b (-1: at rest): dx/dt = v_G + spin k x (x - G). */
static void velocity_at(const double *q, const double *v, int b, const double x[2], double velocity[2]) {
  velocity[0] = velocity[1] = 0.0;
  if (b < 0) return;
  velocity[0] = v[3 * b] - v[3 * b + 2] * (x[1] - q[3 * b + 1]);
  velocity[1] = v[3 * b + 1] + v[3 * b + 2] * (x[0] - q[3 * b]);
}

/* The box around the outlines of what is free to move, or else of all bodies: low x, low y, high x, high y. */
static void region_of(const prc_rigid *rigid, const double *q, const double *x, double box[4]) {
  const prc_rigid_outline *out = &rigid->outline;
  const prc_rigid_body *body = rigid->model->body;
  box[0] = box[1] = INFINITY, box[2] = box[3] = -INFINITY;
  for (int all = 0; all < 2 && box[0] > box[2]; all++) {
    for (int k = 0; k < out->n_bounded; k++)
      for (int i = 0; i < 2 && (all || !body[out->body[k]].driven); i++)
        box[i] = fmin(box[i], x[2 * k + i]), box[2 + i] = fmax(box[2 + i], x[2 * k + i]);
    for (int b = 0; b < rigid->model->n_bodies; b++)
      for (int i = 0; i < 2 && (all || !body[b].driven); i++)
        box[i] = fmin(box[i], q[3 * b + i]), box[2 + i] = fmax(box[2 + i], q[3 * b + i]);
  }
}

/* A band behind the line, as long as the region is wide along it and a twentieth of it more at either end, and as deep as that: its first two
 * corners are on the line. */
static void place_half_plane(const double *q, int b, const double box[4], const double *r, double *x) {
  double point[2] = {r[0], r[1]}, n[2] = {r[2], r[3]};
  if (b >= 0) {
    prc_rigid_turn(q[3 * b + 2], r, point), prc_rigid_turn(q[3 * b + 2], r + 2, n);
    for (int i = 0; i < 2; i++) point[i] += q[3 * b + i];
  }
  const double w[2] = {box[2] - box[0], box[3] - box[1]}, t[2] = {n[1], -n[0]};
  const double large = fmax(w[0], w[1]), depth = 0.05 * (large > 0.0 ? large : 1.0);
  const double half = 0.5 * (fabs(t[0]) * w[0] + fabs(t[1]) * w[1]) + depth;
  const double middle =
      t[0] * (0.5 * (box[0] + box[2]) - point[0]) + t[1] * (0.5 * (box[1] + box[3]) - point[1]);
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 2; i++)
      x[2 * k + i] =
          point[i] + (middle + (k == 0 || k == 3 ? half : -half)) * t[i] - (k > 1 ? depth * n[i] : 0.0);
}

/* Along the line, straight at its ends, and to either side of it by a fifth of a tooth's share of the spring without force. */
static void place_spring(const prc_rigid *rigid, int k, const double *q, double *x) {
  double end[2][2], d[2];
  prc_rigid_spring_place(rigid, k, q, end);
  for (int i = 0; i < 2; i++) d[i] = end[1][i] - end[0][i];
  const double length = hypot(d[0], d[1]), rest = rigid->spring[k].rest_length;
  const double wide = length > 0.0 ? 0.05 * (rest > 0.0 ? rest : length) / length : 0.0;
  for (int j = 0; j < ZIGZAG; j++) {
    const double along = (double)j / (ZIGZAG - 1);
    const double aside = j < 2 || j > ZIGZAG - 3 ? 0.0 : j % 2 ? wide : -wide;
    x[2 * j] = end[0][0] + along * d[0] - aside * d[1];
    x[2 * j + 1] = end[0][1] + along * d[1] + aside * d[0];
  }
}

static void place_links(const prc_rigid *rigid, const double *q, double *x) {
  for (int k = 0; k < rigid->model->n_joints; k++, x += 4) {
    double end[2][2];
    prc_rigid_joint_place(rigid, k, q, end);
    memcpy(x, end, sizeof end);
  }
  for (int k = 0; k < rigid->model->n_springs; k++, x += 2 * ZIGZAG) place_spring(rigid, k, q, x);
}

void prc_rigid_place_outline(const prc_rigid *rigid, const double *q, const double *v, double *x,
                             double *velocity) {
  const prc_rigid_outline *out = &rigid->outline;
  for (int k = 0; k < out->n_bounded; k++) {
    const int b = 3 * out->body[k];
    double arm[2];
    prc_rigid_turn(q[b + 2], out->r + 2 * k, arm);
    x[2 * k] = q[b] + arm[0], x[2 * k + 1] = q[b + 1] + arm[1];
    if (!velocity) continue;
    velocity[2 * k] = v[b] - v[b + 2] * arm[1], velocity[2 * k + 1] = v[b + 1] + v[b + 2] * arm[0];
  }
  double box[4];
  if (out->n_planes > out->n_bounded) region_of(rigid, q, x, box);
  for (int k = out->n_bounded; k < out->n_planes; k += 4) {
    place_half_plane(q, out->body[k], box, out->r + 2 * k, x + 2 * k);
    for (int i = k; i < k + 4 && velocity; i++) velocity_at(q, v, out->body[i], x + 2 * i, velocity + 2 * i);
  }
  place_links(rigid, q, x + 2 * (size_t)out->n_planes);
  for (int k = out->n_planes; k < out->n_points && velocity; k++)
    velocity_at(q, v, out->body[k], x + 2 * k, velocity + 2 * k);
}

#include "config.h"
#include "spatial/outline.h"

#include <math.h>
#include <string.h>

/* Where the points of the surfaces of bodies are at a state. */

/* Body b (-1: the ground): its pose, and its velocities in fixed axes. */
typedef struct {
  prc_solid_pose pose;
  double velocity[3], spin[3];
} mover;

static mover mover_of(const prc_spatial *spatial, const double *q, const double *v, int b) {
  mover m = {.pose = {.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}}};
  if (b < 0) return m;
  m.pose = prc_spatial_pose(spatial, q, b);
  if (!v) return m;
  const prc_spatial_motion motion = prc_spatial_motion_of(spatial, q, v, b);
  memcpy(m.velocity, motion.velocity, sizeof m.velocity);
  prc_solid_turn(m.pose.R, motion.spin, m.spin);
  return m;
}

/* dx/dt = v_G + spin x (x - G) */
static void velocity_at(const mover *m, const double x[3], double velocity[3]) {
  double arm[3], turning[3];
  for (int k = 0; k < 3; k++) arm[k] = x[k] - m->pose.x[k];
  prc_solid_cross(m->spin, arm, turning);
  for (int k = 0; k < 3; k++) velocity[k] = m->velocity[k] + turning[k];
}

/* The box around the surfaces of what is free to move, or else of all bodies. Returns whether there is one. */
static int region_of(const prc_spatial *spatial, const double *x, double box[6]) {
  const prc_spatial_outline *out = prc_spatial_get_outline(spatial);
  const prc_spatial_body *body = prc_spatial_get_model(spatial)->body;
  for (int i = 0; i < 3; i++) box[i] = INFINITY, box[3 + i] = -INFINITY;
  for (int all = 0; all < 2 && box[0] > box[3]; all++)
    for (int k = 0; k < out->n_bounded; k++)
      for (int i = 0; i < 3 && (all || !body[out->body[k]].driven); i++) {
        box[i] = fmin(box[i], x[3 * (size_t)k + (size_t)i]);
        box[3 + i] = fmax(box[3 + i], x[3 * (size_t)k + (size_t)i]);
      }
  return box[0] <= box[3];
}

/* ---- half-spaces --------------------------------------------------------------------------------------- */

enum { MOST_CORNERS = 16 };
typedef struct {
  double point[3], normal[3];
} plane;

static plane plane_of(const prc_spatial *spatial, const double *q, int first) {
  const prc_spatial_outline *out = prc_spatial_get_outline(spatial);
  const mover m = mover_of(spatial, q, NULL, out->body[first]);
  plane p;
  prc_solid_turn(m.pose.R, out->r + 3 * (size_t)first, p.point);
  prc_solid_turn(m.pose.R, out->r + 3 * (size_t)first + 3, p.normal);
  for (int k = 0; k < 3; k++) p.point[k] += m.pose.x[k];
  return p;
}

/* A square about the foot of the box's middle, a tenth wider than the box is long; without a box about the point, of edge 2. */
static void place_square(const plane *p, const double box[6], int has_box, double x[12]) {
  static const double none[9] = {0.0};
  double frame[9], middle[3], d[3], half = has_box ? 0.0 : 1.0;
  prc_contact_turn_frame(none, p->normal, frame);
  for (int k = 0; k < 3; k++) {
    middle[k] = has_box ? 0.5 * (box[k] + box[3 + k]) : p->point[k];
    d[k] = middle[k] - p->point[k];
    if (has_box) half = fmax(half, 0.55 * (box[3 + k] - box[k]));
  }
  const double height = prc_solid_dot(d, p->normal);
  if (!(half > 0.0)) half = 1.0;
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 3; i++)
      x[3 * k + i] = middle[i] - height * p->normal[i] + (k == 0 || k == 3 ? -half : half) * frame[3 + i]
                     + (k < 2 ? -half : half) * frame[6 + i];
}

/* Part of the polygon in front of the plane, if any; returns the number of its corners. */
static int cut_by(const plane *p, int n, double *x) {
  double out[3 * MOST_CORNERS], height[MOST_CORNERS];
  int m = 0;
  for (int k = 0; k < n; k++) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = x[3 * k + i] - p->point[i];
    height[k] = prc_solid_dot(d, p->normal);
  }
  for (int k = 0; k < n; k++) {
    const int next = (k + 1) % n;
    if (height[k] >= 0.0) memcpy(out + 3 * m++, x + 3 * k, 3 * sizeof *x);
    if ((height[k] >= 0.0) == (height[next] >= 0.0)) continue;
    const double s = height[k] / (height[k] - height[next]);
    for (int i = 0; i < 3; i++) out[3 * m + i] = x[3 * k + i] + s * (x[3 * next + i] - x[3 * k + i]);
    m++;
  }
  if (m < 3) return n; /* it is hidden, or seen from behind: it stays whole */
  memcpy(x, out, 3 * (size_t)m * sizeof *x);
  return m;
}

/* Its square, cut off where it is within other half-spaces. `each` points a half-space: what is left over stands at the last corner. */
static void place_half_space(const prc_spatial *spatial, const double *q, int first, int each,
                             const double box[6], int has_box, double *x) {
  const prc_spatial_outline *out = prc_spatial_get_outline(spatial);
  const plane own = plane_of(spatial, q, first);
  double corner[3 * MOST_CORNERS];
  int n = 4;
  place_square(&own, box, has_box, corner);
  for (int other = out->n_bounded; other < out->n_planes && each > 4; other += each) {
    const plane cut = plane_of(spatial, q, other);
    if (other != first && fabs(prc_solid_dot(own.normal, cut.normal)) < 1.0 - 1e-9)
      n = cut_by(&cut, n, corner);
  }
  for (int k = 0; k < each; k++) memcpy(x + 3 * k, corner + 3 * (k < n ? k : n - 1), 3 * sizeof *x);
}

static int points_of_half_space(const prc_spatial_outline *out) {
  int n = 0;
  for (int c = 0; c < out->n_cells && n == 0; c++)
    if (out->kind[c] == PRC_SPATIAL_HALF_SPACE) n = out->start[c + 1] - out->start[c];
  return n;
}

static void place_half_spaces(const prc_spatial *spatial, const double *q, double *x) {
  const prc_spatial_outline *out = prc_spatial_get_outline(spatial);
  const int each = points_of_half_space(out);
  double box[6];
  if (each == 0) return;
  const int has_box = region_of(spatial, x, box);
  for (int k = out->n_bounded; k < out->n_planes; k += each)
    place_half_space(spatial, q, k, each, box, has_box, x + 3 * (size_t)k);
}

/* ---- joints and springs -------------------------------------------------------------------------------- */

/* Along the line, straight at its ends, and to either side of it by a fifth of a tooth's share of the spring without force. */
static void place_spring(const prc_spatial *spatial, int k, const double *q, int n, double *x) {
  static const double none[9] = {0.0};
  double end[2][3], d[3], frame[9];
  prc_spatial_spring_place(spatial, k, q, end);
  for (int i = 0; i < 3; i++) d[i] = end[1][i] - end[0][i];
  const double length = sqrt(prc_solid_dot(d, d)),
               rest = prc_spatial_get_model(spatial)->spring[k].rest_length;
  double along[3] = {0.0, 0.0, 1.0};
  for (int i = 0; i < 3 && length > 0.0; i++) along[i] = d[i] / length;
  prc_contact_turn_frame(none, along, frame);
  const double wide = length > 0.0 ? 0.05 * (rest > 0.0 ? rest : length) : 0.0;
  for (int j = 0; j < n; j++) {
    const double part = (double)j / (n - 1), aside = j < 2 || j > n - 3 ? 0.0 : j % 2 ? wide : -wide;
    for (int i = 0; i < 3; i++) x[3 * j + i] = end[0][i] + part * d[i] + aside * frame[3 + i];
  }
}

static void place_links(const prc_spatial *spatial, const double *q, double *x) {
  const prc_spatial_model *model = prc_spatial_get_model(spatial);
  const prc_spatial_outline *out = prc_spatial_get_outline(spatial);
  const int left = out->n_points - out->n_planes - 2 * model->n_joints;
  const int each = model->n_springs > 0 ? left / model->n_springs : 0;
  for (int k = 0; k < model->n_joints; k++, x += 6) {
    double end[2][3];
    prc_spatial_joint_place(spatial, k, q, end);
    memcpy(x, end, sizeof end);
  }
  for (int k = 0; k < model->n_springs; k++, x += 3 * each) place_spring(spatial, k, q, each, x);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

void prc_spatial_place_outline(const prc_spatial *spatial, const double *q, const double *v, double *x,
                               double *velocity) {
  const prc_spatial_outline *out = prc_spatial_get_outline(spatial);
  mover m = mover_of(spatial, q, NULL, -1);
  for (int k = 0; k < out->n_bounded; k++) { /* those of one body stand together */
    if (k == 0 || out->body[k] != out->body[k - 1])
      m = mover_of(spatial, q, velocity ? v : NULL, out->body[k]);
    prc_solid_turn(m.pose.R, out->r + 3 * (size_t)k, x + 3 * (size_t)k);
    for (int i = 0; i < 3; i++) x[3 * (size_t)k + (size_t)i] += m.pose.x[i];
    if (velocity) velocity_at(&m, x + 3 * (size_t)k, velocity + 3 * (size_t)k);
  }
  place_half_spaces(spatial, q, x);
  place_links(spatial, q, x + 3 * (size_t)out->n_planes);
  for (int k = out->n_bounded; k < out->n_points && velocity; k++) {
    if (k == out->n_bounded || out->body[k] != out->body[k - 1]) m = mover_of(spatial, q, v, out->body[k]);
    velocity_at(&m, x + 3 * (size_t)k, velocity + 3 * (size_t)k);
  }
}

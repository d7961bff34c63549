#include "config.h"
#include "spatial/links.h"

#include <math.h>
#include <string.h>

/* The rows of joints in space. With d from point P_a to P_b; e, n_1, n_2 at right angles, e = n_1 x n_2: at the start the same three, carried along by a
 * (a_0, a_1, a_2) and by b (b_0, b_1, b_2):
 *
 *   X, Y, Z            g = d_x, d_y, d_z
 *   ACROSS_1, _2       g = a_1 . d, a_2 . d                        SLIDE     g = a_0 . d - value
 *   TILT_1, _2         g = length a_1 . b_0, length a_2 . b_0      TWIST     g = length b_1 . a_2
 *   TURN               g = length (atan2(b_1 . a_2, b_1 . a_1) - value), to within whole turns
 *   DISTANCE           g = |d| - value
 *
 * All are scalar products of vectors that turn with a, with b, or lie between the points. A vector y of a body changes by spin x y, and over a
 * step of the Cayley map exactly by (R' - R) r = alpha x (R r + R' r)/2, alpha = R dx: (1 - a^/2) cay(a) = 1 + a^/2. So products change by
 * x'.y' - x.y = x_m . (y' - y) + (x' - x) . y_m with means of both ends, and one form serves for a place and for a step. */
enum { X, Y, Z, ACROSS_1, ACROSS_2, SLIDE, TILT_1, TILT_2, TWIST, TURN, DISTANCE };

int prc_spatial_joint_kinds(const prc_spatial_joint *joint, int kind[PRC_SPATIAL_JOINT_ROWS]) {
  static const int rows[][PRC_SPATIAL_JOINT_ROWS + 1] = {
      [PRC_SPATIAL_BALL] = {3, X, Y, Z},
      [PRC_SPATIAL_HINGE] = {5, X, Y, Z, TILT_1, TILT_2, TURN},
      [PRC_SPATIAL_SLIDER] = {5, ACROSS_1, ACROSS_2, TILT_1, TILT_2, TWIST, SLIDE},
      [PRC_SPATIAL_FIXED] = {6, X, Y, Z, TILT_1, TILT_2, TWIST},
      [PRC_SPATIAL_DISTANCE] = {1, DISTANCE}};
  const int *of = rows[joint->type];
  const int more =
      joint->has_value && (joint->type == PRC_SPATIAL_HINGE || joint->type == PRC_SPATIAL_SLIDER);
  memcpy(kind, of + 1, PRC_SPATIAL_JOINT_ROWS * sizeof *kind);
  return of[0] + more;
}

static int has_value(const prc_spatial_joint *joint, int kind) {
  return joint->has_value && (kind == TURN || kind == SLIDE || kind == DISTANCE);
}
/* Factor of the value in g. */
static double unit_of(const prc_spatial_joint_facts *fact, int kind) {
  return kind == TURN ? fact->length : 1.0;
}

/* ---- a place ----------------------------------------------------------------------------------------------- */

/* The line, and the axes of both where they are. */
typedef struct {
  prc_spatial_line line;
  double a[3][3], b[3][3];
} place;

static void turn_axes(const prc_spatial_joint_facts *fact, place *at) {
  for (int i = 0; i < 3; i++) {
    prc_solid_turn(at->line.R[0], fact->of_a[i], at->a[i]);
    prc_solid_turn(at->line.R[1], fact->of_b[i], at->b[i]);
  }
}

/* The two vectors whose product a row is of: one of a, one of b. */
static void factors_of(const place *at, int kind, const double **a, const double **b) {
  *a = kind == TILT_1 ? at->a[1] : at->a[2];
  *b = kind == TWIST ? at->b[1] : at->b[0];
}
static const double *along(const place *at, int kind) {
  return kind == SLIDE ? at->a[0] : kind == ACROSS_1 ? at->a[1] : at->a[2];
}

/* turn of a TURN: of (c (b_1 x a_2) - s (b_1 x a_1)) times a factor, s = b_1 . a_2, c = b_1 . a_1. */
static void turn_of(const place *at, double s, double c, double factor, double turn[3]) {
  double of_s[3], of_c[3];
  prc_solid_cross(at->b[1], at->a[2], of_s);
  prc_solid_cross(at->b[1], at->a[1], of_c);
  for (int k = 0; k < 3; k++) turn[k] = factor * (c * of_s[k] - s * of_c[k]);
}

/* Where vectors are those of a place, or means over a step; but for DISTANCE and TURN, whose factors come from outside. */
static prc_spatial_row row_at(const prc_spatial_joint_facts *fact, int kind, const place *at) {
  prc_spatial_row row = {.w = {kind == X, kind == Y, kind == Z}};
  const double *a, *b;
  if (kind >= ACROSS_1 && kind <= SLIDE) {
    memcpy(row.w, along(at, kind), sizeof row.w);
    prc_solid_cross(row.w, at->line.d, row.extra);
  }
  if (kind >= TILT_1 && kind <= TWIST) {
    factors_of(at, kind, &a, &b);
    prc_solid_cross(b, a, row.turn);
    for (int k = 0; k < 3; k++) row.turn[k] *= fact->length;
  }
  return row;
}

static prc_spatial_row row_here(const prc_spatial_joint_facts *fact, int kind, const place *at) {
  prc_spatial_row row = row_at(fact, kind, at);
  if (kind == TURN) {
    const double s = prc_solid_dot(at->b[1], at->a[2]), c = prc_solid_dot(at->b[1], at->a[1]);
    turn_of(at, s, c, fact->length / (s * s + c * c), row.turn);
  }
  if (kind == DISTANCE) {
    const double length = sqrt(prc_solid_dot(at->line.d, at->line.d));
    for (int k = 0; k < 3; k++) row.w[k] = length > 0.0 ? at->line.d[k] / length : 0.0;
  }
  return row;
}

/* [length] */
static double gap_of(const prc_spatial_joint *joint, const prc_spatial_joint_facts *fact, int kind,
                     const place *at, double value) {
  const double *a, *b, *d = at->line.d;
  if (kind <= Z) return d[kind - X];
  if (kind == ACROSS_1 || kind == ACROSS_2) return prc_solid_dot(along(at, kind), d);
  if (kind == SLIDE) return prc_solid_dot(at->a[0], d) - value;
  if (kind == DISTANCE) return sqrt(prc_solid_dot(d, d)) - (joint->has_value ? value : fact->length);
  if (kind == TURN)
    return fact->length
           * remainder(atan2(prc_solid_dot(at->b[1], at->a[2]), prc_solid_dot(at->b[1], at->a[1])) - value,
                       6.283185307179586476925);
  factors_of(at, kind, &a, &b);
  return fact->length * prc_solid_dot(a, b);
}

/* ---- bias -------------------------------------------------------------------------------------------------- */

/* y' = spin x y and y'' = spin x (spin x y) of a vector of a body whose spin stands still: R w has the rate R (w x w) = 0. */
static void rates_of(const double spin[3], const double y[3], double rate[3], double second[3]) {
  prc_solid_cross(spin, y, rate);
  prc_solid_cross(spin, rate, second);
}

/* (a . b)'' and, if asked for, (a . b)' */
static double second_of(const place *at, const double a[3], const double b[3], double *first) {
  double a_rate[3], a_second[3], b_rate[3], b_second[3];
  rates_of(at->line.spin[0], a, a_rate, a_second);
  rates_of(at->line.spin[1], b, b_rate, b_second);
  if (first) *first = prc_solid_dot(a_rate, b) + prc_solid_dot(a, b_rate);
  return prc_solid_dot(a_second, b) + 2.0 * prc_solid_dot(a_rate, b_rate) + prc_solid_dot(a, b_second);
}

/* phi = atan2(s, c): phi' = (c s' - s c') / r, r = s^2 + c^2, phi'' = (c s'' - s c'') / r - 2 phi' (s s' + c c') / r. */
static double turn_bias(const place *at) {
  const double s = prc_solid_dot(at->b[1], at->a[2]), c = prc_solid_dot(at->b[1], at->a[1]);
  double s_rate, c_rate;
  const double s_second = second_of(at, at->a[2], at->b[1], &s_rate),
               c_second = second_of(at, at->a[1], at->b[1], &c_rate);
  const double r = s * s + c * c, rate = (c * s_rate - s * c_rate) / r;
  return (c * s_second - s * c_second) / r - 2.0 * rate * (s * s_rate + c * c_rate) / r;
}

/* [length / time^2] What is left of g'' where nothing accelerates: d'' = spin_b x (spin_b x arm_b) - spin_a x (spin_a x arm_a);
 * (n . d)'' = n'' . d + 2 n' . d' + n . d'';  |d|'' = (d . d'' + |d'|^2 - (d' . d / |d|)^2) / |d|. */
static double bias_of(const prc_spatial_joint_facts *fact, int kind, const place *at) {
  const prc_spatial_line *line = &at->line;
  double rate[2][3], second[2][3], d_second[3];
  const double *a, *b;
  if (kind == TURN) return fact->length * turn_bias(at);
  if (kind >= TILT_1 && kind <= TWIST) {
    factors_of(at, kind, &a, &b);
    return fact->length * second_of(at, a, b, NULL);
  }
  for (int i = 0; i < 2; i++) rates_of(line->spin[i], line->arm[i], rate[i], second[i]);
  for (int k = 0; k < 3; k++) d_second[k] = second[1][k] - second[0][k];
  if (kind <= Z) return d_second[kind - X];
  if (kind == DISTANCE) {
    const double length = sqrt(prc_solid_dot(line->d, line->d));
    if (!(length > 0.0)) return 0.0;
    const double growth = prc_solid_dot(line->d, line->d_rate) / length;
    return (prc_solid_dot(line->d, d_second) + prc_solid_dot(line->d_rate, line->d_rate) - growth * growth)
           / length;
  }
  const double *n = along(at, kind);
  rates_of(line->spin[0], n, rate[0], second[0]);
  return prc_solid_dot(second[0], line->d) + 2.0 * prc_solid_dot(rate[0], line->d_rate)
         + prc_solid_dot(n, d_second);
}

/* ---- all at a place ---------------------------------------------------------------------------------------- */

static void put_gradient(const prc_spatial_joint_rows *rows, int i, const double all[PRC_SPATIAL_LINK_DOFS],
                         double *G) {
  for (int k = rows->start[i]; k < rows->start[i + 1]; k++) G[k] = all[rows->slot[k]];
}

prc_status prc_spatial_evaluate_joints(void *owner, const prc_at *at, double *g, double *G, double *rate,
                                       double *bias, prc_error *err) {
  const prc_spatial *spatial = owner;
  const prc_spatial_joint_rows *rows = &spatial->joints;
  for (int k = 0; k < spatial->model->n_joints; k++) {
    const prc_spatial_joint *joint = &spatial->model->joint[k];
    const prc_spatial_joint_facts *fact = &rows->fact[k];
    double value[3] = {0.0, 0.0, 0.0}, all[PRC_SPATIAL_LINK_DOFS];
    place here;
    prc_spatial_place_link(spatial, &fact->link, at->q, at->v, &here.line);
    turn_axes(fact, &here);
    const prc_status status =
        joint->has_value ? prc_field_derivatives(&joint->value, 0.0, 0.0, at->t, 1e-3, value, err) : PRC_OK;
    if (status != PRC_OK) return status;
    for (int i = rows->first[k]; i < rows->first[k + 1]; i++) {
      const int kind = rows->row[i].kind;
      const double unit = has_value(joint, kind) ? unit_of(fact, kind) : 0.0;
      const prc_spatial_row row = row_here(fact, kind, &here);
      if (g) g[i] = gap_of(joint, fact, kind, &here, value[0]);
      if (rate) rate[i] = unit != 0.0 ? -unit * value[1] : 0.0;
      if (bias) bias[i] = bias_of(fact, kind, &here) - (unit != 0.0 ? unit * value[2] : 0.0);
      if (!G) continue;
      prc_spatial_row_gradient(&row, &here.line, all);
      put_gradient(rows, i, all, G);
    }
  }
  return PRC_OK;
}

/* ---- what is prescribed ------------------------------------------------------------------------------------ */

/* The multiples of a joint's value in its rows, of value or rate. */
static void put_value(const prc_spatial *spatial, int k, double value, double *out) {
  const prc_spatial_joint_rows *rows = &spatial->joints;
  const prc_spatial_joint *joint = &spatial->model->joint[k];
  for (int i = rows->first[k]; i < rows->first[k + 1]; i++)
    out[i] = has_value(joint, rows->row[i].kind) ? unit_of(&rows->fact[k], rows->row[i].kind) * value : 0.0;
}

prc_status prc_spatial_joint_values(void *owner, double t, double *d, prc_error *err) {
  const prc_spatial *spatial = owner;
  for (int k = 0; k < spatial->model->n_joints; k++) {
    const prc_spatial_joint *joint = &spatial->model->joint[k];
    double value = 0.0;
    const prc_status status =
        joint->has_value ? prc_field_eval(&joint->value, 0.0, 0.0, t, &value, err) : PRC_OK;
    if (status != PRC_OK) return status;
    put_value(spatial, k, value, d);
  }
  return PRC_OK;
}

prc_status prc_spatial_joint_rates(void *owner, double t, double h, double *rate, prc_error *err) {
  const prc_spatial *spatial = owner;
  for (int k = 0; k < spatial->model->n_joints; k++) {
    const prc_spatial_joint *joint = &spatial->model->joint[k];
    double value = 0.0;
    const prc_status status =
        joint->has_value ? prc_field_rate(&joint->value, 0.0, 0.0, t, h, &value, err) : PRC_OK;
    if (status != PRC_OK) return status;
    put_value(spatial, k, value, rate);
  }
  return PRC_OK;
}

/* ---- a step ------------------------------------------------------------------------------------------------ */

static void mean(double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) a[k] = 0.5 * (a[k] + b[k]);
}

/* Row i over the step from `from` to `to`; middle: the means, R that of the start. */
static prc_spatial_row mean_row(const prc_spatial_joint_facts *fact, int kind, const place *from,
                                const place *to, const place *middle) {
  prc_spatial_row row = row_at(fact, kind, middle);
  if (kind == DISTANCE) (void)prc_spatial_mean_along(from->line.d, to->line.d, row.w);
  if (kind == TURN) {
    const double s = prc_solid_dot(from->b[1], from->a[2]), c = prc_solid_dot(from->b[1], from->a[1]);
    const double s_next = prc_solid_dot(to->b[1], to->a[2]), c_next = prc_solid_dot(to->b[1], to->a[1]);
    const double across = c * s_next - s * c_next, with = c * c_next + s * s_next;
    const double factor = fabs(across) < 1e-9 * fabs(with) ? 1.0 / with : atan2(across, with) / across;
    turn_of(middle, 0.5 * (s + s_next), 0.5 * (c + c_next), factor * fact->length, row.turn);
  }
  return row;
}

static void secant_rows(const prc_spatial *spatial, int k, const double *q, const double *q_next,
                        const double *dx, double *G) {
  const prc_spatial_joint_rows *rows = &spatial->joints;
  const prc_spatial_joint_facts *fact = &rows->fact[k];
  double all[PRC_SPATIAL_LINK_DOFS];
  place from, to, middle;
  prc_spatial_place_link(spatial, &fact->link, q, NULL, &from.line);
  prc_spatial_place_link(spatial, &fact->link, q_next, NULL, &to.line);
  turn_axes(fact, &from);
  turn_axes(fact, &to);
  middle = from;
  mean(middle.line.d, to.line.d);
  for (int i = 0; i < 3; i++) mean(middle.a[i], to.a[i]), mean(middle.b[i], to.b[i]);
  for (int i = rows->first[k]; i < rows->first[k + 1]; i++) {
    const prc_spatial_row row = mean_row(fact, rows->row[i].kind, &from, &to, &middle);
    prc_spatial_mean_gradient(spatial, &fact->link, &row, &from.line, &to.line, dx, all);
    put_gradient(rows, i, all, G);
  }
}

prc_status prc_spatial_secant_joints(void *owner, const prc_at *from, double h, const double *dx, double *G,
                                     double *rate, prc_error *err) {
  prc_spatial *spatial = owner;
  const prc_spatial_joint_rows *rows = &spatial->joints;
  prc_status status = PRC_OK;
  if (G) prc_spatial_advance(spatial, from->q, dx, rows->q);
  for (int k = 0; k < spatial->model->n_joints; k++) {
    const prc_spatial_joint *joint = &spatial->model->joint[k];
    double now = 0.0, then = 0.0;
    if (joint->has_value) {
      prc_try(prc_field_eval(&joint->value, 0.0, 0.0, from->t, &now, err));
      prc_try(prc_field_eval(&joint->value, 0.0, 0.0, from->t + h, &then, err));
    }
    for (int i = rows->first[k]; rate && i < rows->first[k + 1]; i++) {
      const int kind = rows->row[i].kind;
      rate[i] = has_value(joint, kind) ? -unit_of(&rows->fact[k], kind) * (then - now) / h : 0.0;
    }
    if (G) secant_rows(spatial, k, from->q, rows->q, dx, G);
  }
done:
  return status;
}

/* ---- forces ------------------------------------------------------------------------------------------------ */

/* Sums over all rows of w l and turn l. */
void prc_spatial_joint_force(const prc_spatial *spatial, int k, const double *q, const double *rows,
                             double force[3], double moment[3]) {
  const prc_spatial_joint_facts *fact = &spatial->joints.fact[k];
  place here;
  prc_spatial_place_link(spatial, &fact->link, q, NULL, &here.line);
  turn_axes(fact, &here);
  for (int c = 0; c < 3; c++) force[c] = moment[c] = 0.0;
  for (int i = spatial->joints.first[k]; i < spatial->joints.first[k + 1]; i++) {
    const prc_spatial_row row = row_here(fact, spatial->joints.row[i].kind, &here);
    const double l = rows[i];
    for (int c = 0; c < 3; c++) force[c] += l * row.w[c], moment[c] += l * row.turn[c];
  }
}

#include "config.h"
#include "rigid/internal.h"

#include <math.h>
#include <string.h>

/* Rows of joints, with d = P_b - P_a, r the arms, and e, n = k x e turned with the body that carries them (a; of a skate b):
 *
 *   X, Y      g = d_x, d_y                     TURN      g = length (theta_b - theta_a - theta_0 - value)
 *   OFFSET    g = n . d                        SLIDE     g = e . d - value
 *   ROLL      g = e . d + radius turn          DISTANCE  g = |d| - value
 *   SKATE     n . (P_b' - v_a - omega_a k x (P_b - G_a)) = 0 */
enum { X, Y, TURN, OFFSET, SLIDE, ROLL, DISTANCE, SKATE };

int prc_rigid_joint_kinds(const prc_rigid_joint *joint, int kind[PRC_RIGID_JOINT_ROWS]) {
  static const int rows[][PRC_RIGID_JOINT_ROWS + 1] = {
      [PRC_JOINT_REVOLUTE] = {2, X, Y, TURN}, [PRC_JOINT_PRISMATIC] = {2, OFFSET, TURN, SLIDE},
      [PRC_JOINT_FIXED] = {3, X, Y, TURN},    [PRC_JOINT_DISTANCE] = {1, DISTANCE},
      [PRC_JOINT_ANGLE] = {1, TURN},          [PRC_JOINT_WHEEL] = {1, ROLL},
      [PRC_JOINT_SKATE] = {1, SKATE}};
  const int *of = rows[joint->type];
  const int more =
      joint->has_value && (joint->type == PRC_JOINT_REVOLUTE || joint->type == PRC_JOINT_PRISMATIC);
  memcpy(kind, of + 1, PRC_RIGID_JOINT_ROWS * sizeof *kind);
  return of[0] + more;
}

unsigned prc_rigid_joint_slots(int kind) {
  return kind == X ? 055u : kind == Y ? 066u : kind == TURN ? 044u : 077u; /* octal: (x, y, angle) of each */
}

int prc_rigid_joint_is_of_velocities(int kind) {
  return kind == SKATE;
}

/* Does the prescribed value stand in this row? */
static int has_value(const prc_rigid_joint *joint, int kind) {
  if (!joint->has_value) return 0;
  return kind == DISTANCE || kind == SLIDE || (kind == TURN && joint->type != PRC_JOINT_PRISMATIC);
}

/* Rate just after t, where the value has a kink. A value without a formula for its rate is differentiated over
 * this time. */
prc_status prc_rigid_joint_value(const prc_rigid_joint *joint, double t, double value[3], prc_error *err) {
  return prc_field_derivatives(&joint->value, 0.0, 0.0, t, 1e-3, value, err);
}

/* Factor of the value in g: a length for an angle, else 1. */
static double unit_of(const prc_rigid_joint_facts *fact, int kind) {
  return kind == TURN ? fact->length : 1.0;
}

/* ---- a place -------------------------------------------------------------------------------------------------------------- */

/* e for a row along it, n for one across: turned by the angle of its body. */
static void axis_of(const prc_rigid_joint_facts *fact, int kind, double angle, double w[2]) {
  double e[2];
  prc_rigid_turn(angle, fact->axis, e);
  if (kind == OFFSET || kind == SKATE)
    prc_rigid_cross(e, w);
  else
    memcpy(w, e, sizeof e);
}

static double dot(const double a[2], const double b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

/* k x w . d = w_x d_y - w_y d_x */
static double across(const double w[2], const double d[2]) {
  return w[0] * d[1] - w[1] * d[0];
}

static void unit_vector(const double d[2], double w[2]) {
  const double length = hypot(d[0], d[1]);
  for (int k = 0; k < 2; k++) w[k] = length > 0.0 ? d[k] / length : 0.0;
}

/* The row where the bodies are: a unit vector w that turns with a, against d, gives (k x w) . d on the angle of a. */
static prc_rigid_row row_at(const prc_rigid_joint *joint, const prc_rigid_joint_facts *fact, int kind,
                            const prc_rigid_line *line) {
  prc_rigid_row row = {{kind == X, kind == Y}, 0.0, 0.0};
  if (kind == TURN) row.turn = fact->length;
  if (kind == DISTANCE) unit_vector(line->d, row.w);
  if (kind == SKATE) axis_of(fact, kind, line->q[1][2], row.w);
  if (kind != OFFSET && kind != SLIDE && kind != ROLL) return row;
  axis_of(fact, kind, line->q[0][2], row.w);
  row.extra = across(row.w, line->d);
  if (kind == ROLL) row.turn = joint->radius;
  return row;
}

/* [length] The value at t is taken against that of the start, which is what the bodies began with. */
static double gap_of(const prc_rigid_joint *joint, const prc_rigid_joint_facts *fact, int kind,
                     const prc_rigid_line *line, const prc_rigid_row *row, double value) {
  const double turn = line->q[1][2] - line->q[0][2] - fact->turn;
  const double moved = has_value(joint, kind) ? unit_of(fact, kind) * (value - fact->value) : 0.0;
  if (kind == SKATE) return 0.0;
  if (kind == TURN) return fact->length * turn - moved;
  if (kind == DISTANCE) return hypot(line->d[0], line->d[1]) - fact->length - moved;
  return dot(row->w, line->d) + row->turn * turn - moved;
}

/* [length / time^2] What is left of g'' where nothing accelerates. With d'' = omega_a^2 r_a - omega_b^2 r_b of the points:
 *   w fixed: w . d'';   w of a: w . d'' + 2 omega_a (k x w) . d' - omega_a^2 w . d;   |d|: w . d'' + (w x d')^2 / |d|. */
static double bias_of(int kind, const prc_rigid_line *line, const prc_rigid_row *row) {
  const double *w = row->w, spin[2] = {line->v[0][2], line->v[1][2]};
  double d_second[2];
  if (kind == TURN) return 0.0;
  for (int k = 0; k < 2; k++)
    d_second[k] = spin[0] * spin[0] * line->arm[0][k] - spin[1] * spin[1] * line->arm[1][k];
  double bias = dot(w, d_second);
  if (kind == DISTANCE) {
    const double turned = across(w, line->d_rate), length = hypot(line->d[0], line->d[1]);
    return length > 0.0 ? bias + turned * turned / length : 0.0;
  }
  if (kind == X || kind == Y) return bias;
  return bias + 2.0 * spin[0] * across(w, line->d_rate) - spin[0] * spin[0] * dot(w, line->d);
}

/* A skate at P_b on a: what of a is there has the arm rho = P_b - G_a. With s = P_b' - v_a - omega_a k x rho, rho' = P_b' - v_a:
 *   d/dt (n . s) at rest of all accelerations = omega_b (k x n) . s - n . (omega_b^2 r_b + omega_a k x rho'). */
static double skate(const prc_rigid_line *line, const prc_rigid_row *row, double arm[2][2]) {
  const double spin[2] = {line->v[0][2], line->v[1][2]}, *n = row->w, *r = line->arm[1];
  double slip[2], rate[2], turned[2];
  for (int k = 0; k < 2; k++) {
    arm[0][k] = line->d[k] + line->arm[0][k];
    arm[1][k] = r[k];
    rate[k] = line->v[1][k] - line->v[0][k];
  }
  rate[0] -= spin[1] * r[1], rate[1] += spin[1] * r[0];
  slip[0] = rate[0] + spin[0] * arm[0][1], slip[1] = rate[1] - spin[0] * arm[0][0];
  prc_rigid_cross(rate, turned);
  return spin[1] * across(n, slip) - spin[1] * spin[1] * dot(n, r) - spin[0] * dot(n, turned);
}

/* Row i into G, of its six the entries that it has. */
static void put_gradient(const prc_rigid *rigid, int i, const double six[6], double *G) {
  const prc_rigid_joint_rows *rows = &rigid->joints;
  for (int k = rows->start[i]; k < rows->start[i + 1]; k++) G[k] = six[rows->slot[k]];
}

static void evaluate_row(const prc_rigid *rigid, int i, const prc_rigid_line *line, const double value[3],
                         double *g, double *G, double *rate, double *bias) {
  const int k = rigid->joints.row[i].joint, kind = rigid->joints.row[i].kind;
  const prc_rigid_joint *joint = &rigid->model->joint[k];
  const prc_rigid_joint_facts *fact = &rigid->joints.fact[k];
  const prc_rigid_row row = row_at(joint, fact, kind, line);
  const double unit = has_value(joint, kind) ? unit_of(fact, kind) : 0.0;
  double arm[2][2], six[6];
  memcpy(arm, line->arm, sizeof arm);
  const double left = kind == SKATE ? skate(line, &row, arm) : bias_of(kind, line, &row);
  if (g) g[i] = gap_of(joint, fact, kind, line, &row, value[0]);
  if (rate) rate[i] = unit != 0.0 ? -unit * value[1] : 0.0;
  if (bias) bias[i] = unit != 0.0 ? left - unit * value[2] : left;
  if (!G) return;
  prc_rigid_row_gradient(&row, (const double(*)[2])arm, six);
  put_gradient(rigid, i, six, G);
}

prc_status prc_rigid_evaluate_joints(void *owner, const prc_at *at, double *g, double *G, double *rate,
                                     double *bias, prc_error *err) {
  const prc_rigid *rigid = owner;
  const prc_rigid_joint_rows *rows = &rigid->joints;
  for (int k = 0; k < rigid->model->n_joints; k++) {
    const prc_rigid_joint *joint = &rigid->model->joint[k];
    double value[3] = {0.0, 0.0, 0.0};
    prc_rigid_line line;
    prc_rigid_place_link(&rows->fact[k].link, at->q, at->v, &line);
    const prc_status status = joint->has_value ? prc_rigid_joint_value(joint, at->t, value, err) : PRC_OK;
    if (status != PRC_OK) return status;
    for (int i = rows->first[k]; i < rows->first[k + 1]; i++)
      evaluate_row(rigid, i, &line, value, g, G, rate, bias);
  }
  return PRC_OK;
}

/* ---- what is prescribed --------------------------------------------------------------------------------------------------- */

/* The multiples of a joint's value in its rows, of value or rate. */
static void put_value(const prc_rigid *rigid, int k, double value, double *out) {
  const prc_rigid_joint_rows *rows = &rigid->joints;
  const prc_rigid_joint *joint = &rigid->model->joint[k];
  for (int i = rows->first[k]; i < rows->first[k + 1]; i++)
    out[i] = has_value(joint, rows->row[i].kind) ? unit_of(&rows->fact[k], rows->row[i].kind) * value : 0.0;
}

prc_status prc_rigid_joint_values(void *owner, double t, double *d, prc_error *err) {
  const prc_rigid *rigid = owner;
  for (int k = 0; k < rigid->model->n_joints; k++) {
    const prc_rigid_joint *joint = &rigid->model->joint[k];
    double value = 0.0;
    const prc_status status =
        joint->has_value ? prc_field_eval(&joint->value, 0.0, 0.0, t, &value, err) : PRC_OK;
    if (status != PRC_OK) return status;
    put_value(rigid, k, value - rigid->joints.fact[k].value, d);
  }
  return PRC_OK;
}

prc_status prc_rigid_joint_rates(void *owner, double t, double h, double *rate, prc_error *err) {
  const prc_rigid *rigid = owner;
  for (int k = 0; k < rigid->model->n_joints; k++) {
    const prc_rigid_joint *joint = &rigid->model->joint[k];
    double value = 0.0;
    const prc_status status =
        joint->has_value ? prc_field_rate(&joint->value, 0.0, 0.0, t, h, &value, err) : PRC_OK;
    if (status != PRC_OK) return status;
    put_value(rigid, k, value, rate);
  }
  return PRC_OK;
}

/* ---- a step --------------------------------------------------------------------------------------------------------------- */

/* Is there a row of joint k that knows of d? */
static int needs_places(const prc_rigid_joint_rows *rows, int k) {
  for (int i = rows->first[k]; i < rows->first[k + 1]; i++) {
    const int kind = rows->row[i].kind;
    if (kind != X && kind != Y && kind != TURN) return 1;
  }
  return 0;
}

/* The mean of a row, on the line in the middle of a step (prc_rigid_middle). A product changes by the mean of each factor times the change of the other:
 *   w'.d' - w.d = (w + w')/2 . (d' - d) + (w' - w) . (d + d')/2,  (w + w')/2 = cos(delta/2) w_m,  w' - w = dx share k x w_m,
 * and lengths as prc_rigid_mean_along says. */
static prc_rigid_row mean_row(const prc_rigid_joint *joint, const prc_rigid_joint_facts *fact, int kind,
                              const prc_rigid_line *middle) {
  prc_rigid_row row = row_at(joint, fact, kind, middle);
  if (row.turn != 0.0 && fact->link.cayley[0] && fact->link.cayley[1])
    row.turn *= prc_rigid_mean_of_turns(middle->v[0][2], middle->v[1][2]);
  if (kind == DISTANCE) (void)prc_rigid_mean_along(middle, row.w);
  if (kind == OFFSET || kind == SLIDE || kind == ROLL) {
    const double shrink = cos(0.5 * middle->turned[0].turn);
    row.extra *= middle->turned[0].share;
    for (int k = 0; k < 2; k++) row.w[k] *= shrink;
  }
  return row;
}

static void secant_row(const prc_rigid *rigid, int i, const prc_rigid_line *middle, double value_rate,
                       double *G, double *rate) {
  const int k = rigid->joints.row[i].joint, kind = rigid->joints.row[i].kind;
  const prc_rigid_joint *joint = &rigid->model->joint[k];
  const prc_rigid_joint_facts *fact = &rigid->joints.fact[k];
  const prc_rigid_row row = mean_row(joint, fact, kind, middle);
  double six[6];
  if (rate) rate[i] = has_value(joint, kind) ? -unit_of(fact, kind) * value_rate : 0.0;
  if (!G) return;
  prc_rigid_row_gradient(&row, middle->arm, six);
  put_gradient(rigid, i, six, G);
}

/* A row of velocities alone, at q + dx/2. */
static void middle_row(const prc_rigid *rigid, int i, const double *q, const double *dx, double *G,
                       double *rate) {
  const prc_rigid_link *link = &rigid->joints.fact[rigid->joints.row[i].joint].link;
  const double none[3] = {0.0, 0.0, 0.0};
  prc_rigid_line line;
  prc_rigid_place_link(link, q, dx, &line);
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < 2; k++) line.q[b][k] += 0.5 * line.v[b][k];
    line.q[b][2] += 0.5 * prc_rigid_turned_by(link->cayley[b], line.v[b][2]).turn;
    prc_rigid_turn(line.q[b][2], link->r[b], line.arm[b]);
  }
  for (int k = 0; k < 2; k++) line.d[k] = (line.q[1][k] - line.q[0][k]) + (line.arm[1][k] - line.arm[0][k]);
  evaluate_row(rigid, i, &line, none, NULL, G, rate, NULL);
}

prc_status prc_rigid_secant_joints(void *owner, const prc_at *from, double h, const double *dx, double *G,
                                   double *rate, prc_error *err) {
  const prc_rigid *rigid = owner;
  const prc_rigid_joint_rows *rows = &rigid->joints;
  prc_status status = PRC_OK;
  for (int k = 0; k < rigid->model->n_joints; k++) {
    const prc_rigid_joint *joint = &rigid->model->joint[k];
    double now = 0.0, then = 0.0;
    prc_rigid_line middle;
    prc_rigid_middle(&rows->fact[k].link, from->q, dx, needs_places(rows, k), &middle);
    if (joint->has_value) {
      prc_try(prc_field_eval(&joint->value, 0.0, 0.0, from->t, &now, err));
      prc_try(prc_field_eval(&joint->value, 0.0, 0.0, from->t + h, &then, err));
    }
    for (int i = rows->first[k]; i < rows->first[k + 1]; i++)
      if (prc_rigid_joint_is_of_velocities(rows->row[i].kind))
        middle_row(rigid, i, from->q, dx, G, rate);
      else
        secant_row(rigid, i, &middle, (then - now) / h, G, rate);
  }
done:
  return status;
}

/* ---- forces --------------------------------------------------------------------------------------------------------------- */

/* Sums over all rows of w l and turn l. */
void prc_rigid_joint_force(const prc_rigid *rigid, int k, const double *q, const double *rows,
                           double force[3]) {
  const prc_rigid_joint_facts *fact = &rigid->joints.fact[k];
  prc_rigid_line line;
  prc_rigid_place_link(&fact->link, q, NULL, &line);
  force[0] = force[1] = force[2] = 0.0;
  for (int i = rigid->joints.first[k]; i < rigid->joints.first[k + 1]; i++) {
    const prc_rigid_row row = row_at(&rigid->model->joint[k], fact, rigid->joints.row[i].kind, &line);
    for (int c = 0; c < 2; c++) force[c] += rows[i] * row.w[c];
    force[2] += rows[i] * row.turn;
  }
}

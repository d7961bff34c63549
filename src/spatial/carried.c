#include "config.h"
#include "solid/internal.h"
#include "spatial/internal.h"

#include <math.h>
#include <string.h>

/* Pairs of a free body and one that is driven and turns, in space: H of the displacements of both over a step, as in the plane (contact/carried.c). The obstacle turns by the
 * angle psi about the unit vector e; Q is that turn and R half of it. Seen from the obstacle the free body's centre goes from z to z', and in axes that are the obstacle's in the
 * middle of the step z' - z is
 *
 *   R^-1 (z + dx) - R z = cos(psi/2) dx + (1 - cos(psi/2)) e (e . dx) - sin(psi/2) e x (2 z + dx).
 *
 * With dx = (Q - 1) z + Q s in the last two terms, s what the body is expected to slide by, over cos(psi/2), and with the turn of the free body by its Cayley vector h w, which is
 * 2 tan(psi/2) e of what is carried along,
 *
 *   h u = D [dx - (Q - 1) z - tan(psi/2) e x Q s + (1/cos(psi/2) - 1) e (e . s) + cos(psi/2) (h w - 2 tan(psi/2) e) x R r]. */

typedef struct {
  const prc_solid *part[2];
  prc_solid_pose pose[2];
  int body[2], free;
  double e[3], angle; /* of the obstacle's turn */
  double spin[3];     /* of the free body as seen from the obstacle */
  double sign;        /* of the free body in u */
} pair;

/* out = x turned about the unit vector e */
static void turn_about(const double e[3], double angle, const double x[3], double out[3]) {
  const double c = cos(angle), s = sin(angle), along = (1.0 - c) * prc_solid_dot(e, x);
  double across[3];
  prc_solid_cross(e, x, across);
  for (int k = 0; k < 3; k++) out[k] = c * x[k] + s * across[k] + along * e[k];
}

static int find_pair(const prc_spatial *spatial, const prc_contact_set *set, int c, pair *out) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const int part[2] = {(int)set->id[c].a - set->first_surface, (int)set->id[c].b};
  for (int i = 0; i < 2; i++) {
    out->part[i] = m->part[part[i]], out->body[i] = m->body[part[i]];
    out->pose[i] = m->pose[out->body[i]];
  }
  out->free = spatial->model->body[out->body[0]].driven ? 1 : 0;
  out->sign = out->free == 1 ? 1.0 : -1.0;
  const int obstacle = out->body[1 - out->free];
  return spatial->model->body[obstacle].driven && spatial->fact[obstacle].turn >= 0;
}

/* The obstacle's turn in the step, and the spin of the free body beyond what is carried along: w = tan(psi/2) / (psi/2) of the obstacle's. Below the square of the
 * half angle it is what chords make of it. Returns 0 where the obstacle does not turn. */
static int find_turn(const prc_spatial *spatial, const prc_contact_step *step, pair *p) {
  const int body = p->body[p->free], obstacle = p->body[1 - p->free];
  const prc_spatial_facts *of = &spatial->fact[obstacle], *fact = &spatial->fact[body];
  double size = 0.0, rate;
  p->angle = prc_solid_dot(of->axis, step->dx + of->first + 3);
  if (p->angle == 0.0) return 0;
  prc_spatial_to_fixed(spatial, obstacle, of->axis, p->e);
  memset(p->spin, 0, sizeof p->spin);
  if (fact->turn >= 0) prc_spatial_to_fixed(spatial, body, step->v + fact->first + 3, p->spin);
  rate = prc_solid_dot(of->axis, step->v + of->first + 3) * tan(0.5 * p->angle) / (0.5 * p->angle);
  for (int k = 0; k < 3; k++) p->spin[k] -= rate * p->e[k], size = fmax(size, fabs(p->spin[k]));
  if (size <= 0.25 * p->angle * p->angle * fabs(rate)) memset(p->spin, 0, sizeof p->spin);
  return 1;
}

static prc_solid_touch touch_of(const pair *p, const prc_contact_set *set, int c,
                                const prc_solid_pose pose[2]) {
  prc_solid_touch touch = {.feature_a = set->id[c].feature_a, .feature_b = set->id[c].feature_b};
  memcpy(touch.normal, set->normal + 3 * c, sizeof touch.normal);
  prc_solid_follow(p->part[0], &pose[0], p->part[1], &pose[1], &touch);
  return touch;
}

/* As hold in rigid/carried.c. */
static double hold(const prc_spatial *spatial, const pair *p, const prc_contact_step *step,
                   const prc_contact_set *set, int c, const prc_solid_touch *touch, const double frame[9],
                   double *u) {
  const int stuck = prc_contact_set_stuck(set, step->known, c);
  if (stuck >= 0) {
    pair other;
    double r[3], v[3];
    (void)find_pair(spatial, set, stuck, &other);
    const prc_solid_touch at = touch_of(&other, set, stuck, other.pose);
    for (int k = 0; k < 3; k++) r[k] = touch->place[k] - at.place[k];
    prc_solid_cross(p->spin, r, v);
    for (int d = 1; d < set->dim; d++) u[d] = d < 3 ? p->sign * prc_solid_dot(frame + 3 * d, v) : 0.0;
  }
  if (!(step->known[c] & PRC_CONTACT_PUSHED)) return u[0];
  u[0] = fmax(u[0], 0.0);
  return 0.0;
}

/* The velocity of the free body's centre as seen from the obstacle. */
static void sliding(const pair *p, const double place[3], const double frame[9], const double u[3],
                    double v[3]) {
  double r[3], turning[3];
  for (int k = 0; k < 3; k++) r[k] = place[k] - p->pose[p->free].x[k];
  prc_solid_cross(p->spin, r, turning);
  for (int k = 0; k < 3; k++)
    v[k] = p->sign * (u[0] * frame[k] + u[1] * frame[3 + k] + u[2] * frame[6 + k]) - turning[k];
}

/* The pose of the free body so far on, as seen from the obstacle. */
static void go_ahead(const pair *p, double ahead, const double v[3], prc_solid_pose *pose) {
  const double rate = sqrt(prc_solid_dot(p->spin, p->spin));
  for (int k = 0; k < 3; k++) pose->x[k] += ahead * v[k];
  if (rate == 0.0) return;
  const double e[3] = {p->spin[0] / rate, p->spin[1] / rate, p->spin[2] / rate};
  for (int k = 0; k < 3; k++) {
    const double column[3] = {pose->R[k], pose->R[3 + k], pose->R[6 + k]};
    double out[3];
    turn_about(e, ahead * rate, column, out);
    for (int i = 0; i < 3; i++) pose->R[3 * i + k] = out[i];
  }
}

/* Displacement by the obstacle's turn at the contact in the step, from z, with the slide s and the arm r
 * turned by half the angle. */
static void moved_by(const pair *p, const double z[3], const double s[3], const double r[3], double out[3]) {
  const double a = 0.5 * p->angle, c = cos(a), *e = p->e;
  double turned[3], way[3], across[3], about[3];
  turn_about(e, p->angle, z, turned);
  turn_about(e, p->angle, s, way);
  prc_solid_cross(e, way, across), prc_solid_cross(e, r, about);
  const double along = (1.0 / c - 1.0) * prc_solid_dot(e, s);
  for (int k = 0; k < 3; k++)
    out[k] = turned[k] - z[k] + tan(a) * across[k] - along * e[k] + 2.0 * sin(a) * about[k];
}

/* Columns of the spin of the free body [length], in its own axes. */
static double *write_spin(const prc_spatial *spatial, const pair *p, int row, const double d[3],
                          const double r[3], double drilling, double *H) {
  const int b = p->body[p->free];
  double moment[3], own[3];
  if (spatial->fact[b].turn < 0) return H;
  prc_solid_cross(r, d, moment);
  prc_spatial_to_own(spatial, b, row < 3 ? moment : d, own);
  const double share = p->sign * (row < 3 ? cos(0.5 * p->angle) : drilling);
  for (int k = 0; k < 3; k++) *H++ = share * own[k];
  return H;
}

/* And of the obstacle's: along its axis what it moves, across it its arm, about which it does not turn. */
static double *write_turn(const prc_spatial *spatial, const pair *p, int row, const double d[3],
                          const double arm[3], const double moved[3], double drilling, double *H) {
  const int b = p->body[1 - p->free];
  const double *axis = spatial->fact[b].axis;
  double moment[3], own[3];
  prc_solid_cross(arm, d, moment);
  prc_spatial_to_own(spatial, b, row < 3 ? moment : d, own);
  const double moves = row < 3 ? prc_solid_dot(d, moved) / p->angle
                               : prc_solid_dot(d, p->e) * tan(0.5 * p->angle) / (0.5 * p->angle),
               more = moves - prc_solid_dot(own, axis);
  for (int k = 0; k < 3; k++) *H++ = -p->sign * (row < 3 ? 1.0 : drilling) * (own[k] + more * axis[k]);
  return H;
}

static void write_rows(const prc_spatial *spatial, const pair *p, const double frame[9], const double r[3],
                       const double arm[3], const double moved[3], int dim, double *H) {
  const double drilling = prc_spatial_drilling(spatial, p->body);
  for (int row = 0; row < dim; row++)
    for (int i = 0; i < 2; i++) {
      const double *d = frame + 3 * (row % 3), sign = i == 0 ? -1.0 : 1.0;
      for (int k = 0; k < 3; k++) *H++ = row < 3 ? sign * d[k] : 0.0;
      H = i == p->free ? write_spin(spatial, p, row, d, r, drilling, H)
                       : write_turn(spatial, p, row, d, arm, moved, drilling, H);
    }
}

static void carry(const prc_spatial *spatial, const prc_contact_step *step, int c, prc_contact_set *set) {
  pair p;
  double frame[9], v[3], s[3], r[3], z[3], arm[3], turned[3], normal[3], moved[3];
  if (!find_pair(spatial, set, c, &p) || !find_turn(spatial, step, &p)) return;
  double *u = step->u + set->dim * c;
  prc_solid_touch touch = touch_of(&p, set, c, p.pose);
  prc_contact_turn_frame(set->base + 9 * c, touch.normal, frame);
  const double u_n = hold(spatial, &p, step, set, c, &touch, frame, u);
  sliding(&p, touch.place, frame, (const double[3]){u_n, u[1], u[2]}, v);
  prc_solid_pose pose[2] = {p.pose[0], p.pose[1]};
  go_ahead(&p, step->ahead, v, &pose[p.free]);
  if (step->ahead > 0.0) touch = touch_of(&p, set, c, pose);
  const double *x = p.pose[p.free].x, *X = p.pose[1 - p.free].x;
  for (int k = 0; k < 3; k++) {
    arm[k] = touch.place[k] - pose[p.free].x[k], z[k] = x[k] - X[k], s[k] = step->h * v[k];
  }
  turn_about(p.e, 0.5 * p.angle, arm, r);
  turn_about(p.e, 0.5 * p.angle, touch.normal, normal);
  moved_by(&p, z, s, r, moved);
  for (int k = 0; k < 3; k++) arm[k] += z[k];
  turn_about(p.e, 0.5 * p.angle, arm, turned);
  prc_contact_turn_frame(set->base + 9 * c, normal, frame);
  write_rows(spatial, &p, frame, r, turned, moved, set->dim,
             set->H.x + set->dim * (set->H.start[c] - set->H.start[0]));
  memcpy(set->axes + 9 * c, frame, sizeof frame);
}

void prc_spatial_carry(void *owner, const prc_contact_step *step, prc_contact_set *set) {
  prc_spatial *spatial = owner;
  int turning = 0;
  for (int i = 0; i < spatial->n_driven; i++)
    turning |= spatial->driven_turn[i] && step->dx[spatial->driven[i]] != 0.0;
  if (!turning) return;
  prc_spatial_place_bodies(spatial, step->q);
  for (int c = 0; c < set->n; c++)
    if (!(step->known[c] & PRC_CONTACT_FAR)) carry(spatial, step, c, set);
}

#include "config.h"
#include "contact/contact.h"
#include "rigid/internal.h"

#include <math.h>

/* Pairs of a free body and one that is driven and turns: H of the displacements of both over a step (contact/carried.c). As seen from the obstacle the free body slides by
 * h v, v = u at their place less what it rolls, and what is between the two, directions and arms, is that of the centre of the step, as where nothing is driven. */

/* The parts, their poses where the step begins, and which of the two is free. */
typedef struct {
  const prc_rigid *rigid;
  const prc_shape *part[2];
  prc_pose pose[2];
  int body[2], free;
} pair;

static void find_pair(const prc_rigid *rigid, const prc_contact_set *set, int c, pair *out) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const prc_contact_id *id = &set->id[c];
  const int planes = rigid->model->n_contacts, image = (int)(id->feature_b >> 16) - PRC_RIGID_IMAGE_ZERO;
  out->rigid = rigid;
  const int part[2] = {(int)id->a - set->first_surface - planes, (int)id->b - planes};
  for (int i = 0; i < 2; i++) {
    out->part[i] = m->part[part[i]], out->body[i] = m->body[part[i]];
    out->pose[i] = prc_rigid_part_pose(rigid, part[i], i == 0 ? 0 : image);
  }
  out->free = rigid->model->body[out->body[0]].driven ? 1 : 0;
}

static prc_shape_touch touch_of(const pair *p, const prc_contact_id *id, const prc_pose pose[2]) {
  prc_shape_touch touch = {.feature_a = (uint16_t)id->feature_a,
                           .feature_b = (uint16_t)(id->feature_b & 0xffff)};
  prc_shape_follow(p->part[0], &pose[0], p->part[1], &pose[1], &touch);
  return touch;
}

/* u of one that pushed does not approach, and of one that stuck, or turns about one that stuck, is what that turn makes of it: the rest comes of chords. Returns the normal velocity
 * that it is carried with. */
static double hold(const pair *p, const prc_contact_step *step, const prc_contact_set *set, int c,
                   const prc_shape_touch *touch, double spin, double *u) {
  const int stuck = prc_contact_set_stuck(set, step->known, c);
  if (stuck >= 0) {
    pair other;
    find_pair(p->rigid, set, stuck, &other);
    const prc_shape_touch at = touch_of(&other, &set->id[stuck], other.pose);
    const double r[2] = {touch->place[0] - at.place[0], touch->place[1] - at.place[1]};
    u[1] = (p->free == 1 ? -spin : spin) * (touch->normal[0] * r[0] + touch->normal[1] * r[1]);
  }
  if (!(step->known[c] & PRC_CONTACT_PUSHED)) return u[0];
  u[0] = fmax(u[0], 0.0);
  return 0.0;
}

/* The velocity of the free body's centre as seen from the obstacle, of u: a body that is carried along has none. */
static void sliding(const pair *p, const prc_shape_touch *touch, const double u[2], double spin,
                    double v[2]) {
  const double *n = touch->normal, *x = p->pose[p->free].x, sign = p->free == 1 ? 1.0 : -1.0;
  const double r[2] = {touch->place[0] - x[0], touch->place[1] - x[1]};
  v[0] = sign * (n[0] * u[0] + n[1] * u[1]) + spin * r[1];
  v[1] = sign * (n[1] * u[0] - n[0] * u[1]) - spin * r[0];
}

/* Rows d . (1, 0), d . (0, 1), d . (what a unit of spin moves), against those of the first. */
static void write_rows(const pair *p, const prc_contact_carried *carried, double *H) {
  const double *n = carried->normal, D[2][2] = {{n[0], n[1]}, {n[1], -n[0]}};
  for (int row = 0; row < 2; row++)
    for (int i = 0; i < 2; i++) {
      const double *d = D[row], *moves = i == p->free ? carried->of_body : carried->of_obstacle,
                   sign = i == 0 ? -1.0 : 1.0;
      *H++ = sign * d[0], *H++ = sign * d[1], *H++ = sign * (d[0] * moves[0] + d[1] * moves[1]);
    }
}

static void carry(const prc_rigid *rigid, const prc_contact_step *step, int c, prc_contact_set *set) {
  pair p;
  prc_contact_carried carried;
  find_pair(rigid, set, c, &p);
  const int body = p.body[p.free], obstacle = p.body[1 - p.free];
  if (!rigid->model->body[obstacle].driven || step->dx[3 * obstacle + 2] == 0.0) return;
  double *u = step->u + set->dim * c;
  /* a body whose angle goes by the Cayley map is carried along by the spin 2 tan(psi/2) / h */
  const double half = 0.5 * step->dx[3 * obstacle + 2], share = rigid->cayley[body] ? tan(half) / half : 1.0;
  const double spin = step->v[3 * body + 2] - share * step->v[3 * obstacle + 2], ahead = step->ahead;
  const prc_shape_touch before = touch_of(&p, &set->id[c], p.pose);
  const double *x = p.pose[p.free].x, *X = p.pose[1 - p.free].x, z[2] = {x[0] - X[0], x[1] - X[1]};
  double v[2];
  const double u_n = hold(&p, step, set, c, &before, spin, u);
  sliding(&p, &before, (const double[2]){u_n, u[1]}, spin, v);
  prc_pose pose[2] = {p.pose[0], p.pose[1]};
  if (ahead > 0.0)
    pose[p.free] =
        prc_pose_at(x[0] + ahead * v[0], x[1] + ahead * v[1], step->q[3 * body + 2] + ahead * spin);
  const prc_shape_touch touch = touch_of(&p, &set->id[c], pose);
  const double *centre = pose[p.free].x;
  prc_contact_carry(step->dx[3 * obstacle + 2], touch.normal,
                    (const double[2]){touch.place[0] - centre[0], touch.place[1] - centre[1]}, z,
                    (const double[2]){step->h * v[0], step->h * v[1]}, &carried);
  for (int k = 0; k < 2; k++) carried.of_obstacle[k] += (share - 1.0) * carried.of_body[k];
  write_rows(&p, &carried, set->H.x + set->dim * (set->H.start[c] - set->H.start[0]));
}

void prc_rigid_carry(void *owner, const prc_contact_step *step, prc_contact_set *set) {
  prc_rigid *rigid = owner;
  int turning = 0;
  for (int i = 2; i < rigid->n_driven; i += 3) turning |= step->dx[rigid->driven[i]] != 0.0;
  if (!turning) return;
  prc_rigid_place_bodies(rigid, step->q);
  for (int c = rigid->contact_first[rigid->model->n_contacts]; c < set->n; c++)
    if (!(step->known[c] & PRC_CONTACT_FAR)) carry(rigid, step, c, set);
}

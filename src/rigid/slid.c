#include "config.h"
#include "rigid/internal.h"

#include <math.h>

/* How far what sticks slides over a step, by the places of both bodies and not by velocities. What is round rolls: of an arm c + rho, rho the radius along the normal, c turns with
 * the body and rho rolls off by its length. */

/* [length] What of body b is at x, on a surface whose radius of curvature from inside is `radius` along n, moves by it along t. */
static double way_of(const prc_rigid *rigid, const double *q_old, const double *q, int part, int image,
                     const double x[2], const double n[2], const double t[2]) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const prc_shape *shape = m->part[part];
  const int b = 3 * m->body[part];
  const double turn = q[b + 2] - q_old[b + 2];
  const double radius = isfinite(shape->extent) ? shape->radius : -shape->radius;
  double way = t[0] * (q[b] - q_old[b]) + t[1] * (q[b + 1] - q_old[b + 1]);
  if (turn == 0.0) return way;
  const double rho[2] = {radius * n[0], radius * n[1]};
  const double c[2] = {x[0] - q_old[b] - image * rigid->model->period[0] - rho[0],
                       x[1] - q_old[b + 1] - image * rigid->model->period[1] - rho[1]};
  way += turn * (t[1] * rho[0] - t[0] * rho[1]);
  const double sine = sin(0.5 * turn), lost = -2.0 * sine * sine, gained = 2.0 * sine * cos(0.5 * turn);
  return way + lost * (t[0] * c[0] + t[1] * c[1]) + gained * (t[1] * c[0] - t[0] * c[1]);
}

void prc_rigid_slid(void *owner, const double *q_old, const double *q, const char *known,
                    const prc_contact_set *set, double *slid) {
  const prc_rigid *rigid = owner;
  const int planes = rigid->model->n_contacts;
  for (int c = 0; c < set->n; c++) {
    const int first = set->H.start[c] - set->H.start[0], n_dof = set->H.start[c + 1] - set->H.start[c];
    slid[2 * c] = slid[2 * c + 1] = 0.0;
    if (!(known[c] & PRC_CONTACT_STUCK) || n_dof != 6 || c < rigid->contact_first[planes]) continue;
    const double *row = set->H.x + set->dim * first, *x = set->place + 3 * c;
    const double n[2] = {-row[0], -row[1]}, in[2] = {row[0], row[1]}, t[2] = {-row[6], -row[7]};
    const int a = (int)set->id[c].a - set->first_surface - planes, b = (int)set->id[c].b - planes,
              image = (int)(set->id[c].feature_b >> 16) - PRC_RIGID_IMAGE_ZERO;
    slid[2 * c] = way_of(rigid, q_old, q, b, image, x, in, t) - way_of(rigid, q_old, q, a, 0, x, n, t);
  }
}

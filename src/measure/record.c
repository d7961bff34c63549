#include "config.h"
#include "measure/measure.h"

/* Forces and arms of contacts between rigid bodies, from what a step leaves: H and p. */

/* The three columns of a body's dofs in a block of H; NULL: it has none there. */
static const double *columns_of(const prc_contact_set *set, int c, int dof) {
  const int first = set->H.start[c], n = set->H.start[c + 1] - first;
  for (int k = 0; k + 3 <= n; k++)
    if (set->H.dof[first + k] == dof) return set->H.x + set->dim * first + k;
  return NULL;
}

/* With J of a point at the arm r from the centre, D = (n; t) and t = (n_y, -n_x), H has
 *
 *   +- D J = +- (n, n_y r_x - n_x r_y; t, -n . r) = +- (n, r . t; t, -r . n),
 *
 * + for b and - for a; so n and both arms are those that the step itself had, whatever image of a body it was. `row` is a row of
 * the block. */
static void arm_of(const double *H, int row, double sign, const double n[2], double arm[2]) {
  const double along_t = sign * H[2], along_n = -sign * H[row + 2], t[2] = {n[1], -n[0]};
  for (int k = 0; k < 2; k++) arm[k] = along_n * n[k] + along_t * t[k];
}

static int contact_of(const prc_step_record *r, int c, const int *first_dof, prc_measure_contact *out) {
  const prc_contact_set *set = r->contacts;
  const double *p = r->p + set->dim * c, *H[2] = {NULL, NULL};
  const int row = set->H.start[c + 1] - set->H.start[c];
  *out = (prc_measure_contact){.place = c};
  for (int k = 0; k < 2; k++) {
    const int b = set->body[2 * c + k], dof = b >= 0 ? first_dof[b] : -1;
    if (dof >= 0) H[k] = columns_of(set, c, dof);
    out->body[k] = H[k] ? b : -1 - (int)set->id[c].a;
  }
  if (!H[0] && !H[1]) return 0;
  const double sign = H[1] ? 1.0 : -1.0, *of = H[1] ? H[1] : H[0];
  const double n[2] = {sign * of[0], sign * of[1]}, t[2] = {n[1], -n[0]};
  for (int k = 0; k < 2; k++) {
    if (H[k]) arm_of(H[k], row, k == 1 ? 1.0 : -1.0, n, out->arm[k]);
    out->force[k] = (p[0] * n[k] + (set->dim > 1 ? p[1] * t[k] : 0.0)) / r->h;
  }
  out->normal = p[0] / r->h, out->tangential = set->dim > 1 ? p[1] / r->h : 0.0;
  return 1;
}

int prc_measure_contacts(const prc_step_record *record, const int *first_dof, prc_measure_contact *out) {
  int n = 0;
  for (int i = 0; i < record->n_active; i++) n += contact_of(record, record->active[i], first_dof, &out[n]);
  return n;
}

/* ---- works --------------------------------------------------------------------------------------------- */

/* p . (its rows of H v) of the body whose three columns begin there, at v_work and at the mean of the velocities. */
static void add_side(const double *H, int row, const double *p, const prc_step_record *r, int first,
                     prc_measure_work *to) {
  for (int k = 0; k < 3; k++) {
    const double v = r->v_work[first + k],
                 mean = r->u_mean ? 0.5 * (r->v[first + k] + r->v_old[first + k]) : v;
    to->normal += p[0] * H[k] * v, to->tangential += p[1] * H[row + k] * v;
    to->loss_normal += p[0] * H[k] * mean, to->loss_tangential += p[1] * H[row + k] * mean;
  }
}

void prc_measure_add_works(const prc_step_record *r, int n_bodies, const prc_measure_body *body,
                           const int *first_dof, int n_groups, prc_measure_work *sum) {
  const prc_contact_set *set = r->contacts;
  for (int b = 0; b < n_bodies; b++) {
    const int dof = first_dof[b];
    double work = 0.0;
    if (body[b].group < 0 || dof < 0) continue;
    for (int k = dof; k < dof + 3; k++) work += r->h * r->F[k] * r->v_work[k];
    sum[body[b].group].external += work, sum[n_groups].external += work;
  }
  for (int i = 0; i < r->n_active && set->dim == 2; i++) {
    const int c = r->active[i], row = set->H.start[c + 1] - set->H.start[c];
    for (int k = 0; k < 2; k++) {
      const int b = set->body[2 * c + k];
      const double *H = b >= 0 && first_dof[b] >= 0 ? columns_of(set, c, first_dof[b]) : NULL;
      if (!H || body[b].group < 0) continue;
      if (k == 1 && b == set->body[2 * c])
        continue; /* its own image: there is one block of columns for both */
      add_side(H, row, r->p + 2 * c, r, first_dof[b], &sum[body[b].group]);
      add_side(H, row, r->p + 2 * c, r, first_dof[b], &sum[n_groups]);
    }
  }
}

#include "config.h"
#include "beam/internal.h"

#include <math.h>
#include <string.h>

/* Points of the beam against fixed planes: gap = n . (x(s) - point of the plane), H = (n; t) N(s), constant. All of them are candidates
 * at all times. */

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *err) {
  const prc_beam *beam = owner;
  prc_status status = PRC_OK;
  (void)at, (void)h, (void)reach;
  for (int k = 0; k < beam->model->n_contacts; k++)
    for (int c = beam->contact_first[k]; c < beam->contact_first[k + 1]; c++) {
      const prc_beam_basis *of = &beam->of_point[c];
      int dof[PRC_BEAM_DOFS];
      for (int d = 0; d < 2 * of->n; d++) dof[d] = 2 * of->first + d;
      const prc_contact contact = {.id = {(uint32_t)k, 0, 0, (uint32_t)(c - beam->contact_first[k])},
                                   .group = k,
                                   .body = {-1, 0},
                                   .n_dof = 2 * of->n,
                                   .dof = dof,
                                   .law = &beam->law[k],
                                   .size = beam->length};
      prc_try(prc_contact_set_add(set, &contact, err));
    }
done:
  return status;
}

/* Rows of n and of t, t being n turned by -90 degrees. */
static void write_rows(const prc_beam_basis *of, const double n[2], double *H) {
  const double D[2][2] = {{n[0], n[1]}, {n[1], -n[0]}};
  for (int row = 0; row < 2; row++)
    for (int j = 0; j < of->n; j++)
      for (int k = 0; k < 2; k++) *H++ = D[row][k] * of->N[0][j];
}

/* Candidate c is the contact c of the set: both are in the order of contacts and points. */
static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const prc_beam *beam = owner;
  for (int k = 0; k < beam->model->n_contacts; k++)
    for (int c = beam->contact_first[k]; c < beam->contact_first[k + 1]; c++) {
      const prc_contact_plane *plane = &beam->model->contact[k].plane;
      const double n[2] = {plane->normal[0], plane->normal[1]};
      const double axes[9] = {n[0], n[1], 0.0, n[1], -n[0], 0.0, 0.0, 0.0, -1.0};
      double x[2];
      prc_beam_sum(&beam->of_point[c], 0, at->q, x);
      if (what & PRC_EVALUATE_GAP) set->gap[c] = prc_contact_plane_distance(plane, x[0], x[1]);
      if (what & PRC_EVALUATE_H)
        write_rows(&beam->of_point[c], n, set->H.x + set->dim * (set->H.start[c] - set->H.start[0]));
      if (!(what & PRC_EVALUATE_PLACE)) continue;
      memcpy(set->frame + 9 * c, axes, sizeof axes);
      set->place[3 * c] = x[0], set->place[3 * c + 1] = x[1], set->place[3 * c + 2] = 0.0;
    }
}

static prc_status check(const prc_beam_contact *contact, const prc_law *law, prc_error *err) {
  const prc_status status = prc_law_check(law, err);
  if (status != PRC_OK) {
    prc_error_context(err, "contact '%s'", contact->name);
    return status;
  }
  for (int i = 0; i < contact->n_points; i++)
    if (!(contact->s[i] >= 0.0 && contact->s[i] <= 1.0))
      return prc_fail(err, PRC_INPUT,
                      "contact '%s': a point of the beam is at s = %g, expected a number in [0, 1]",
                      contact->name, contact->s[i]);
  return PRC_OK;
}

prc_status prc_beam_make_contacts(prc_beam *beam, prc_error *err) {
  const prc_beam_model *model = beam->model;
  prc_status status = PRC_OK;
  if (model->n_contacts == 0) return PRC_OK;
  prc_try(prc_new(&beam->contact_first, (size_t)model->n_contacts + 1, err));
  prc_try(prc_new(&beam->law, model->n_contacts, err));
  for (int k = 0; k < model->n_contacts; k++)
    beam->contact_first[k + 1] = beam->contact_first[k] + model->contact[k].n_points;
  prc_try(prc_new(&beam->of_point, beam->contact_first[model->n_contacts], err));
  for (int k = 0; k < model->n_contacts; k++) {
    const prc_beam_contact *contact = &model->contact[k];
    beam->law[k] = prc_law_or_coulomb(contact->law, contact->friction, contact->restitution,
                                      contact->restitution_tangential);
    prc_try(check(contact, &beam->law[k], err));
    for (int i = 0; i < contact->n_points; i++)
      beam->of_point[beam->contact_first[k] + i] = prc_beam_basis_at(beam, contact->s[i]);
  }
  beam->system.contacts = (prc_contacts){.dim = 2, .find = find, .evaluate = evaluate};
done:
  return status;
}

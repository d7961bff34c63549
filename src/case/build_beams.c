#include "config.h"
#include "case/build.h"

#include <math.h>
#include <string.h>

/* The beams of a case, and the joints that they have with each other, with rigid bodies and with the ground. */

/* ---- beams ---------------------------------------------------------------------------------------------- */

int prc_build_count_along(const prc_case *c, const prc_case_contact *contact) {
  return contact->n_along > 0 ? contact->n_along : c->beam[contact->beam].elements + 1;
}

double prc_build_along(const prc_case *c, const prc_case_contact *contact, int i) {
  return contact->n_along > 0 ? contact->along[i] : (double)i / c->beam[contact->beam].elements;
}

static prc_status add_contacts(const prc_builder *b, int beam) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  prc_beam_model *model = &parts->beam_model[beam];
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    if (from->beam != beam || !from->on_plane) continue;
    prc_beam_contact *to = &parts->beam_contact[beam][model->n_contacts++];
    to->name = from->name, to->n_points = prc_build_count_along(b->c, from);
    prc_try(prc_contact_plane_make(from->point, from->normal, &to->plane, b->err));
    to->law = &parts->own_law[i];
    prc_try(prc_new(&parts->beam_s[i], to->n_points, b->err));
    for (int k = 0; k < to->n_points; k++) parts->beam_s[i][k] = prc_build_along(b->c, from, k);
    to->s = parts->beam_s[i];
  }
  model->contact = parts->beam_contact[beam];
done:
  return status;
}

static void add_loads(const prc_builder *b, int beam) {
  const prc_case_beam *from = &b->c->beam[beam];
  prc_beam_model *model = &b->parts->beam_model[beam];
  prc_beam_load *load = &b->parts->beam_load[2 * beam];
  for (int k = 0; k < 2; k++)
    if (from->load_given[k])
      load[model->n_loads++] = (prc_beam_load){
          .s = k, .force = {from->end_force[k][0], from->end_force[k][1]}, .moment = from->end_moment[k]};
  model->load = load;
}

static prc_status add_beam(const prc_builder *b, int i, prc_model *model) {
  prc_status status = PRC_OK;
  const prc_case *c = b->c;
  const prc_case_beam *from = &c->beam[i];
  b->parts->beam_model[i] = (prc_beam_model){.name = from->name,
                                             .degree = from->degree,
                                             .n_elements = from->elements,
                                             .n_gauss = from->gauss,
                                             .point = from->point,
                                             .EA = from->EA,
                                             .EI = from->EI,
                                             .density = from->density,
                                             .velocity = {from->velocity[0], from->velocity[1]},
                                             .spin = from->spin,
                                             .force = {from->force[0], from->force[1]},
                                             .damping_mass = from->damping_mass,
                                             .damping_stiffness = from->damping_stiffness,
                                             .gravity = {c->model.gravity[0], c->model.gravity[1]}};
  add_loads(b, i);
  prc_try(add_contacts(b, i));
  status = prc_beam_create(&b->parts->beam_model[i], &model->beam[i], b->err);
  prc_build_add_context(c, &from->place, status, b->err);
done:
  return status;
}

prc_status prc_build_beams(const prc_builder *b, prc_model *model) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  const int n = b->c->n_beams;
  prc_try(prc_new(&model->beam, n, b->err));
  prc_try(prc_new(&parts->beam_model, n, b->err));
  prc_try(prc_new(&parts->beam_load, 2 * (size_t)n, b->err));
  prc_try(prc_new(&parts->beam_contact, n, b->err));
  prc_try(prc_new(&parts->beam_s, b->c->n_contacts, b->err));
  parts->n_beams = model->n_beams = n, parts->n_of_case = b->c->n_contacts;
  for (int i = 0; i < n; i++) prc_try(prc_new(&parts->beam_contact[i], b->c->n_contacts, b->err));
  for (int i = 0; i < n; i++) prc_try(add_beam(b, i, model));
done:
  return status;
}

void prc_build_free_beams(struct prc_model_parts *parts) {
  for (int i = 0; parts->beam_contact && i < parts->n_beams; i++) prc_delete(&parts->beam_contact[i]);
  for (int i = 0; parts->beam_s && i < parts->n_of_case; i++) prc_delete(&parts->beam_s[i]);
  prc_delete(&parts->beam_contact);
  prc_delete(&parts->beam_s);
  prc_delete(&parts->beam_model);
  prc_delete(&parts->beam_load);
  prc_delete(&parts->linked);
}

/* ---- joints ---------------------------------------------------------------------------------------------- */

static prc_body_point point_of_end(int end) {
  return (prc_body_point){.feature = end, .r = {end, 0.0}};
}

/* The joint is where the beam's end is, or where `at` says, which the scene compares; of a distance the centre of mass. */
static void place_other(const prc_builder *b, const prc_case_joint *from, int which, prc_body_point *to) {
  const int index = from->index[which], other = 1 - which;
  double x[2] = {from->at[0], from->at[1]};
  if (from->index[other] == PRC_CASE_BEAM && !from->at_given)
    prc_case_beam_end(&b->c->beam[from->beam[other]], from->end[other], x);
  *to = (prc_body_point){.item = index < 0 ? 0 : index, .r = {x[0], x[1]}};
  if (index < 0) return;
  const prc_rigid_body *body = &b->parts->body[index];
  const double c = cos(body->angle), s = sin(body->angle);
  const double arm[2] = {x[0] - body->position[0], x[1] - body->position[1]};
  const int at_centre = from->type == PRC_JOINT_DISTANCE;
  to->r[0] = at_centre ? 0.0 : c * arm[0] + s * arm[1], to->r[1] = at_centre ? 0.0 : c * arm[1] - s * arm[0];
}

prc_status prc_build_linked(const prc_builder *b, int of_bodies, int of_beams) {
  struct prc_model_parts *parts = b->parts;
  const prc_status status = prc_new(&parts->linked, b->c->n_joints, b->err);
  for (int i = 0; status == PRC_OK && i < b->c->n_joints; i++) {
    const prc_case_joint *from = &b->c->joint[i];
    if (from->beam[0] < 0 && from->beam[1] < 0) continue;
    prc_scene_joint *to = &parts->linked[parts->n_linked++];
    *to = (prc_scene_joint){.name = from->name,
                            .type = (prc_joint_type)from->type,
                            .length = from->length > 0.0 ? from->length : NAN,
                            .has_value = from->value_given,
                            .value = from->value};
    for (int k = 0; k < 2; k++) {
      const int beam = from->beam[k];
      to->body[k] = beam >= 0 ? of_beams + beam : from->index[k] >= 0 ? of_bodies : -1;
      if (beam >= 0)
        to->point[k] = point_of_end(from->end[k]);
      else
        place_other(b, from, k, &to->point[k]);
    }
  }
  return status;
}

#include "config.h"
#include "simulation/simulation.h"

/* Scheme and initial state of a case. */

prc_step_options prc_simulation_step_options(const prc_case *c) {
  prc_step_options o = prc_step_options_default(c->time.step);
  o.linear = c->time.solver;
  if (c->time.longest > 0.0)
    o.pace = (prc_step_pace){c->time.longest, c->time.growth, c->time.per_slip, c->time.end};
  o.theta = c->time.theta;
  o.scheme = c->time.quasi_static ? "static" : c->time.scheme;
  o.law = c->time.law;
  o.rho = c->time.rho;
  o.tolerance = c->time.tolerance;
  o.joints = c->time.joints;
  o.bulk = c->time.bulk;
  o.loads = c->time.loads;
  o.directions = c->contact.directions;
  o.prediction = c->contact.prediction;
  o.slip_direction = c->contact.slip_direction;
  o.activation = c->contact.activation;
  o.gap_tolerance = c->contact.gap_tolerance;
  o.velocity_tolerance = c->contact.velocity_tolerance;
  o.solver = c->contact.solver;
  o.cone.tolerance = c->contact.tolerance;
  o.cone.max_iterations = c->contact.max_iterations;
  o.cone.start = c->contact.start;
  o.cone.order = c->contact.order;
  o.cone.seed = (uint64_t)c->contact.seed;
  return o;
}

/* Entries of the certificate that judge what the case does not have. */
static unsigned find_without(const prc_case *c, const prc_step_record *r) {
  const struct {
    int has, entry;
  } of[] = {{c->n_contacts > 0, PRC_CERTIFY_CONTACT},
            {c->n_contacts > 0, PRC_CERTIFY_CONTACT_PAPER},
            {c->n_contacts > 0, PRC_CERTIFY_TANGENTIAL},
            {c->n_contacts > 0, PRC_CERTIFY_NORMAL},
            {c->n_contacts > 0, PRC_CERTIFY_LOSS},
            {c->n_contacts > 0, PRC_CERTIFY_PENETRATION},
            {c->n_contacts > 0 && c->mesh.file, PRC_CERTIFY_APPROACH},
            {c->mesh.file != NULL || c->n_springs > 0, PRC_CERTIFY_DRIFT_ELASTIC},
            {c->mesh.file != NULL, PRC_CERTIFY_ROTATION},
            {r->n_prescribed > 0, PRC_CERTIFY_PRESCRIBED},
            {r->n_joints > 0, PRC_CERTIFY_JOINTS}};
  unsigned without = 0;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) without |= of[k].has ? 0U : 1U << of[k].entry;
  return without;
}

prc_ledger_options prc_simulation_ledger_options(const prc_case *c, const prc_stepper *stepper) {
  return (prc_ledger_options){.promises = prc_stepper_promises(stepper),
                              .tolerance = c->contact.tolerance,
                              .max_penetration = c->contact.max_penetration,
                              .gap_tolerance = prc_stepper_options(stepper)->gap_tolerance,
                              .accepted = c->model.strains_accepted ? 1U << PRC_INDICATOR_strain : 0U,
                              .without = find_without(c, prc_stepper_record(stepper)),
                              .rotations_accepted = c->model.rotations_accepted,
                              .rotations_free = c->mesh.file && c->model.kinematics == PRC_COROTATIONAL};
}

prc_status prc_simulation_initial_state(const prc_case *c, const prc_model *model, double *q, double *v,
                                        char *held, size_t size, prc_error *err) {
  const prc_body *body;
  const int n = prc_scene_bodies(model->scene, &body);
  prc_status status = PRC_OK;
  held[0] = '\0';
  prc_scene_initial(model->scene, q, v);
  for (int b = 0; b < n && status == PRC_OK; b++) {
    const prc_body_view *view = body[b].kind->view;
    if (c->initial.kind == PRC_INITIAL_VELOCITY && view->velocity)
      status = view->velocity(body[b].self, c->initial.velocity, v + body[b].first_dof, err);
    if (c->initial.kind == PRC_INITIAL_EQUILIBRIUM && view->equilibrium)
      status = view->equilibrium(body[b].self, c->initial.with_loads, q + body[b].first_coordinate, held,
                                 size, err);
  }
  return status;
}

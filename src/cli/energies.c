#include "config.h"
#include "cli/cli.h"
#include "cli/columns.h"

/* energies.csv: kinetic and elastic energy of each body by its materials, and of springs. They add up to those of energy.csv. */

static prc_status write_row(cli_run_state *run, const prc_step_record *r, const char *body,
                            const char *material, double kinetic, double elastic, prc_error *err) {
  const prc_output_value row[] = {{.number = r->step}, {.number = r->t},    {.text = body},
                                  {.text = material},  {.number = kinetic}, {.number = elastic}};
  return prc_output_csv_values(run->energies, (int)(sizeof row / sizeof *row), row, err);
}

/* Load steps have no inertia. */
static prc_status write_body(cli_run_state *run, const prc_step_record *r, const prc_body *body,
                             prc_error *err) {
  prc_status status = PRC_OK;
  const int has_inertia = !cli_is_static(prc_stepper_options(run->stepper));
  prc_view_energy *row = NULL;
  int n = 0;
  if (!body->kind->view->energies) return PRC_OK;
  prc_try(body->kind->view->energies(body->self, r->q + body->first_coordinate, run->field + body->first_dof,
                                     &n, &row, err));
  for (int k = 0; k < n; k++)
    prc_try(write_row(run, r, row[k].body, row[k].material ? row[k].material : "",
                      has_inertia ? row[k].kinetic : 0.0, row[k].elastic, err));
done:
  prc_delete(&row);
  return status;
}

/* k e^2 / 2, where k e pulls. */
static prc_status write_spring(cli_run_state *run, const prc_step_record *r, int s, prc_error *err) {
  int own;
  const prc_body *body = prc_view_spring_of(run->model->scene, s, &own);
  prc_view_spring now;
  body->kind->view->spring(body->self, own, r->q + body->first_coordinate, run->field + body->first_dof,
                           &now);
  return write_row(run, r, run->c->spring[s].name, "", 0.0, 0.5 * now.elastic * now.elongation, err);
}

prc_status cli_energies_write(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_body *body;
  if (!run->energies) return PRC_OK;
  const int n = prc_scene_bodies(run->model->scene, &body);
  prc_stepper_state(run->stepper, run->field, NULL, NULL);
  for (int b = 0; b < n; b++) prc_try(write_body(run, r, &body[b], err));
  for (int s = 0; s < run->c->n_springs; s++) prc_try(write_spring(run, r, s, err));
done:
  return status;
}

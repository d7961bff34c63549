/* So many steps of a case, for callgrind: bench_instructions CASE.yaml STEPS [KEY=VALUE...]. Without keys: of one mesh alone, with its
 * ledger and nothing else; with keys: whatever it has, as prc_simulation runs it. */
#include "config.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "simulation/simulation.h"
#include "step/step.h"

#include <stdio.h>
#include <stdlib.h>

static prc_status run(const prc_case *c, const prc_model *model, int steps, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = prc_fem_system(model->fem);
  prc_step_options o = prc_step_options_default(c->time.step);
  const prc_ledger_options lo = {.tolerance = o.cone.tolerance, .max_penetration = -1.0};
  prc_stepper *stepper = NULL;
  prc_ledger *ledger = NULL;
  double *q = NULL, *v = NULL;
  o.theta = c->time.theta;
  prc_try(prc_stepper_create(s, &o, &stepper, err));
  prc_try(prc_ledger_create(&lo, &ledger, err));
  prc_try(prc_new(&q, s->space.nv, err));
  prc_try(prc_new(&v, s->space.nv, err));
  prc_try(prc_fem_equilibrium(model->fem, 0, q, NULL, err));
  prc_try(prc_stepper_start(stepper, q, v, err));
  prc_ledger_start(ledger, prc_stepper_record(stepper));
  for (int k = 0; k < steps; k++) {
    prc_try(prc_stepper_step(stepper, err));
    prc_ledger_enter(ledger, prc_stepper_record(stepper));
  }
done:
  prc_delete(&q);
  prc_delete(&v);
  prc_ledger_free(&ledger);
  prc_stepper_free(&stepper);
  return status;
}

static prc_status run_mesh(const char *path, int steps, prc_error *err) {
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_status status = prc_case_read(path, 0, NULL, &c, err);
  if (status == PRC_OK) status = prc_case_build(c, NULL, &model, err);
  if (status == PRC_OK) status = run(c, model, steps, err);
  prc_model_free(&model);
  prc_case_free(&c);
  return status;
}

static prc_status run_simulation(const char *path, int steps, int n_set, const char *const *set,
                                 prc_error *err) {
  prc_simulation *simulation = NULL;
  int done = 0;
  prc_status status = prc_simulation_create(path, n_set, set, NULL, &simulation, err);
  if (status == PRC_OK) status = prc_simulation_step(simulation, steps, 0.0, &done, err);
  if (status == PRC_OK && done < steps)
    status = prc_fail(err, PRC_INPUT, "%s ends after %d steps, expected %d", path, done, steps);
  prc_simulation_free(&simulation);
  return status;
}

int main(int argc, char **argv) {
  prc_error err = {0};
  if (argc < 3) return fprintf(stderr, "usage: bench_instructions CASE.yaml STEPS [KEY=VALUE...]\n"), 2;
  const int steps = atoi(argv[2]);
  const prc_status status =
      argc == 3 ? run_mesh(argv[1], steps, &err)
                : run_simulation(argv[1], steps, argc - 3, (const char *const *)argv + 3, &err);
  if (status != PRC_OK) fprintf(stderr, "bench_instructions: %s\n", err.message);
  return status != PRC_OK;
}

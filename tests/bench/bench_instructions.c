/* So many steps of a case with its ledger and nothing else, for callgrind: bench_instructions CASE.yaml STEPS */
#include "config.h"
#include "case/case.h"
#include "ledger/ledger.h"
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

int main(int argc, char **argv) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  if (argc != 3) return fprintf(stderr, "usage: bench_instructions CASE.yaml STEPS\n"), 2;
  prc_status status = prc_case_read(argv[1], 0, NULL, &c, &err);
  if (status == PRC_OK) status = prc_case_build(c, NULL, &model, &err);
  if (status == PRC_OK) status = run(c, model, atoi(argv[2]), &err);
  if (status != PRC_OK) fprintf(stderr, "bench_instructions: %s\n", err.message);
  prc_model_free(&model);
  prc_case_free(&c);
  return status != PRC_OK;
}

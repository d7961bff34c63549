/* The time per step of a case through the library, without output:
 *
 *   bench_schemes CASE.yaml ROUNDS STEPS [KEY=VALUE]...
 *
 * Each round begins at the start and makes so many steps, at least once and for 0.1 s or more; STEPS = 0: as many as the case has. CPU time of one
 * thread. A line of JSON: seconds per step of the median round, the least and the most; passes of a step in the mean; and a hash of q and v of all steps of a round:
 * the same where a change is to change nothing. */
#include "config.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "linear/linear.h"
#include "step/step.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS_MOST = 101 };
#define LEAST 0.1 /* s of a round */

typedef struct {
  const prc_case *c;
  const prc_system *system;
  const prc_scene *scene;
  prc_stepper *stepper;
  double *q, *v;
  int steps, passes;
} bench;

static double seconds_of_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As percuss run reads a case. */
static prc_step_options options_of(const prc_case *c) {
  prc_step_options o = prc_step_options_default(c->time.step);
  o.linear = c->time.solver, o.solver = c->contact.solver;
  o.scheme = c->time.scheme, o.theta = c->time.theta, o.law = c->time.law, o.rho = c->time.rho;
  o.tolerance = c->time.tolerance, o.joints = c->time.joints;
  o.prediction = c->contact.prediction, o.slip_direction = c->contact.slip_direction;
  o.activation = c->contact.activation;
  o.gap_tolerance = c->contact.gap_tolerance, o.velocity_tolerance = c->contact.velocity_tolerance;
  o.cone.tolerance = c->contact.tolerance, o.cone.max_iterations = c->contact.max_iterations;
  o.cone.start = c->contact.start, o.cone.order = c->contact.order;
  o.cone.seed = (uint64_t)c->contact.seed;
  return o;
}

static prc_status make(bench *b, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_options o = options_of(b->c);
  prc_try(prc_stepper_create(b->system, &o, &b->stepper, err));
  prc_try(prc_new(&b->q, prc_system_coordinates(b->system), err));
  prc_try(prc_new(&b->v, b->system->space.nv, err));
  prc_scene_initial(b->scene, b->q, b->v);
done:
  return status;
}

static prc_status hash_of_steps(bench *b, uint64_t *hash, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(b->stepper);
  const size_t of_q = (size_t)prc_system_coordinates(b->system) * sizeof *r->q,
               of_v = (size_t)b->system->space.nv * sizeof *r->v;
  *hash = PRC_HASH_START;
  prc_try(prc_stepper_start(b->stepper, b->q, b->v, err));
  for (int k = 0; k < b->steps; k++) {
    prc_try(prc_stepper_step(b->stepper, err));
    *hash = prc_hash(prc_hash(*hash, r->q, of_q), r->v, of_v);
    b->passes += r->passes;
  }
done:
  return status;
}

static prc_status time_of_steps(bench *b, double *seconds, prc_error *err) {
  prc_status status = PRC_OK;
  double spent = 0.0;
  long made = 0;
  while (spent < LEAST) {
    prc_try(prc_stepper_start(b->stepper, b->q, b->v, err));
    const double began = seconds_of_cpu();
    for (int k = 0; k < b->steps; k++) prc_try(prc_stepper_step(b->stepper, err));
    spent += seconds_of_cpu() - began, made += b->steps;
  }
  *seconds = spent / (double)made;
done:
  return status;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static prc_status measure(bench *b, int rounds, prc_error *err) {
  prc_status status = PRC_OK;
  double seconds[ROUNDS_MOST];
  uint64_t hash;
  prc_try(make(b, err));
  prc_try(hash_of_steps(b, &hash, err));
  for (int k = 0; k < rounds; k++) prc_try(time_of_steps(b, &seconds[k], err));
  qsort(seconds, (size_t)rounds, sizeof *seconds, ascending);
  printf("{\"name\": \"%s\", \"scheme\": \"%s\", \"step\": %.4g, \"least\": %.4g, \"most\": %.4g, ",
         b->c->name, b->c->time.scheme, seconds[rounds / 2], seconds[0], seconds[rounds - 1]);
  printf("\"h\": %.9g, \"steps\": %d, \"passes\": %.3g, \"hash\": \"%016llx\"}\n", b->c->time.step, b->steps,
         (double)b->passes / b->steps, (unsigned long long)hash);
done:
  prc_stepper_free(&b->stepper);
  prc_delete(&b->q);
  prc_delete(&b->v);
  return status;
}

int main(int argc, char **argv) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_dense_single_thread();
  const int rounds = argc > 2 ? atoi(argv[2]) : 0;
  if (argc < 4 || rounds < 1 || rounds > ROUNDS_MOST)
    return fprintf(stderr, "usage: bench_schemes CASE.yaml ROUNDS STEPS [KEY=VALUE]...\n"), 2;
  prc_status status = prc_case_read(argv[1], argc - 4, (const char *const *)argv + 4, &c, &err);
  if (status == PRC_OK) status = prc_case_build(c, NULL, &model, &err);
  if (status == PRC_OK) {
    const int steps = atoi(argv[3]);
    bench b = {
        .c = c, .system = model->system, .scene = model->scene, .steps = steps > 0 ? steps : c->time.n_steps};
    status = measure(&b, rounds, &err);
  }
  if (status != PRC_OK) fprintf(stderr, "bench_schemes: %s\n", err.message);
  prc_model_free(&model);
  prc_case_free(&c);
  return status != PRC_OK;
}

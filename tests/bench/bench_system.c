/* The system that a case makes, as plain arrays, and what percuss makes of its first steps: for the comparison of
 * siconos_block.py, which computes the same.
 *
 *   bench_system CASE.yaml STEPS OUT.h5 [KEY=VALUE]...
 *
 * M and K are lower triangles by columns; H holds a dim x (dofs of the contact) block for each contact; F is the load at
 * t_0 .. t_STEPS; q and v are the states at these times, p the percussions of the steps. */
#include "config.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "linear/linear.h"
#include "output/output.h"
#include "step/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 7

typedef struct {
  const prc_case *c;
  const prc_model *model;
  const prc_system *system;
  prc_stepper *stepper;
  prc_ledger *ledger;
  prc_output_store *store;
  int n_steps;
  double *q, *v, *p; /* of all steps; q and v have the start in front */
} bench;

static prc_status put(bench *b, const char *name, size_t n, const double *value, prc_error *err) {
  return prc_output_store_put(b->store, name, n, value, err);
}

static prc_status put_integers(bench *b, const char *name, size_t n, const int *value, prc_error *err) {
  prc_status status = PRC_OK;
  double *real = NULL;
  prc_try(prc_new(&real, n, err));
  for (size_t i = 0; i < n; i++) real[i] = value[i];
  status = put(b, name, n, real, err);
done:
  prc_delete(&real);
  return status;
}

static prc_status put_matrix(bench *b, const char name[3][4], const prc_sym *A, prc_error *err) {
  const size_t n = (size_t)A->n, nnz = (size_t)prc_sym_nnz(A);
  prc_status status = put_integers(b, name[0], n + 1, A->p, err);
  if (status == PRC_OK) status = put_integers(b, name[1], nnz, A->i, err);
  return status == PRC_OK ? put(b, name[2], nnz, A->x, err) : status;
}

/* Constant while the contacts are with planes. */
static prc_status put_contacts(bench *b, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = b->system;
  const prc_at at = {.q = b->q, .v = b->v};
  double *mu = NULL, *e = NULL;
  prc_contact_set set = {0};
  prc_try(prc_system_find_contacts(s, &at, b->c->time.step, 0.0, &set, NULL, err));
  const size_t n = (size_t)set.n, n_dofs = (size_t)set.H.start[n];
  if (n > 0) s->contacts.evaluate(s->owner, &at, PRC_EVALUATE_GAP | PRC_EVALUATE_H, &set);
  prc_try(prc_new(&mu, n, err));
  prc_try(prc_new(&e, n, err));
  for (size_t c = 0; c < n; c++) {
    mu[c] = prc_law_friction_at(set.law[c], set.state + PRC_LAW_STATE * c, 0.0);
    e[c] = set.law[c]->e;
  }
  prc_try(put_integers(b, "H_start", n + 1, set.H.start, err));
  prc_try(put_integers(b, "H_dof", n_dofs, set.H.dof, err));
  prc_try(put(b, "H", (size_t)set.dim * n_dofs, set.H.x, err));
  prc_try(put(b, "gap", n, set.gap, err));
  prc_try(put(b, "mu", n, mu, err));
  prc_try(put(b, "e", n, e, err));
done:
  prc_contact_set_free(&set);
  prc_delete(&mu);
  prc_delete(&e);
  return status;
}

static prc_status put_loads(bench *b, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)b->system->space.nv, times = (size_t)b->n_steps + 1;
  double *F = NULL;
  prc_try(prc_new(&F, n * times, err));
  prc_at at = {.q = b->q, .v = b->v};
  for (size_t k = 0; k < times && b->system->dynamics.loads; k++) {
    at.t = (double)k * b->c->time.step;
    prc_try(b->system->dynamics.loads(b->system->owner, &at, F + n * k, err));
  }
  status = put(b, "F", n * times, F, err);
done:
  prc_delete(&F);
  return status;
}

static prc_status put_system(bench *b, prc_error *err) {
  static const char M[3][4] = {"M_p", "M_i", "M_x"}, K[3][4] = {"K_p", "K_i", "K_x"};
  prc_status status = PRC_OK;
  const double scheme[] = {b->c->time.step, b->c->time.theta, b->n_steps,
                           prc_stepper_record(b->stepper)->dim};
  prc_try(put(b, "scheme", 4, scheme, err));
  prc_try(put_matrix(b, M, b->system->dynamics.M, err));
  prc_try(put_matrix(b, K, b->system->dynamics.K, err));
  prc_try(put_integers(b, "prescribed", (size_t)b->system->drive.n, b->system->drive.dof, err));
  prc_try(put_contacts(b, err));
  status = put_loads(b, err);
done:
  return status;
}

static void keep(bench *b, int k) {
  const prc_step_record *r = prc_stepper_record(b->stepper);
  const size_t n = (size_t)b->system->space.nv, rows = (size_t)r->dim * (size_t)r->n_contacts;
  memcpy(b->q + n * (size_t)k, r->q, n * sizeof *b->q);
  prc_stepper_state(b->stepper, b->v + n * (size_t)k, NULL, NULL);
  if (k > 0) memcpy(b->p + rows * (size_t)(k - 1), r->p, rows * sizeof *b->p);
}

/* CPU time of one step, ledger included. */
static prc_status advance(bench *b, int keeps, double *seconds, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(b->stepper);
  prc_try(prc_stepper_start(b->stepper, b->q, b->v, err));
  prc_ledger_start(b->ledger, r);
  const clock_t began = clock();
  for (int k = 1; k <= b->n_steps; k++) {
    prc_try(prc_stepper_step(b->stepper, err));
    prc_ledger_enter(b->ledger, r);
    if (keeps) keep(b, k);
  }
  *seconds = (double)(clock() - began) / CLOCKS_PER_SEC / b->n_steps;
done:
  return status;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static prc_status measure(bench *b, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t steps = (size_t)b->n_steps, states = (steps + 1) * (size_t)b->system->space.nv;
  double seconds[ROUNDS];
  for (int k = 0; k < ROUNDS; k++) prc_try(advance(b, 0, &seconds[k], err));
  qsort(seconds, ROUNDS, sizeof *seconds, ascending);
  prc_try(put(b, "seconds", 1, &seconds[ROUNDS / 2], err));
  prc_try(advance(b, 1, &seconds[0], err));
  prc_try(put(b, "q", states, b->q, err));
  prc_try(put(b, "v", states, b->v, err));
  const prc_step_record *r = prc_stepper_record(b->stepper);
  status = put(b, "p", steps * (size_t)r->dim * (size_t)r->n_contacts, b->p, err);
done:
  return status;
}

static prc_status run(bench *b, const char *path, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_case *c = b->c;
  prc_step_options o = prc_step_options_default(c->time.step);
  const prc_ledger_options lo = {.tolerance = o.cone.tolerance, .max_penetration = -1.0};
  o.theta = c->time.theta, o.law = c->time.law;
  prc_try(prc_stepper_create(b->system, &o, &b->stepper, err));
  prc_try(prc_ledger_create(&lo, &b->ledger, err));
  const size_t steps = (size_t)b->n_steps, states = (steps + 1) * (size_t)b->system->space.nv;
  const prc_step_record *r = prc_stepper_record(b->stepper);
  prc_try(prc_new(&b->q, states, err));
  prc_try(prc_new(&b->v, states, err));
  prc_try(prc_new(&b->p, steps * (size_t)r->dim * (size_t)r->n_contacts, err));
  prc_try(prc_fem_equilibrium(b->model->fem, c->initial.with_loads, b->q, NULL, err));
  prc_try(prc_output_store_create(NULL, path, NULL, &b->store, err));
  prc_try(put_system(b, err));
  prc_try(measure(b, err));
done:
  if (b->store) {
    const prc_status closed = prc_output_store_close(&b->store, err);
    if (status == PRC_OK) status = closed;
  }
  prc_delete(&b->q);
  prc_delete(&b->v);
  prc_delete(&b->p);
  prc_ledger_free(&b->ledger);
  prc_stepper_free(&b->stepper);
  return status;
}

int main(int argc, char **argv) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_dense_single_thread();
  const int n_steps = argc > 3 ? atoi(argv[2]) : 0;
  if (n_steps < 1) return fprintf(stderr, "usage: bench_system CASE.yaml STEPS OUT.h5 [KEY=VALUE]...\n"), 2;
  prc_status status = prc_case_read(argv[1], argc - 4, (const char *const *)argv + 4, &c, &err);
  if (status == PRC_OK) status = prc_case_build(c, NULL, &model, &err);
  if (status == PRC_OK) {
    bench b = {.c = c, .model = model, .system = prc_fem_system(model->fem), .n_steps = n_steps};
    status = run(&b, argv[3], &err);
  }
  if (status != PRC_OK) fprintf(stderr, "bench_system: %s\n", err.message);
  prc_model_free(&model);
  prc_case_free(&c);
  return status != PRC_OK;
}

#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <string.h>

/* How M hat v = rhs is solved: by a factor, or by conjugate gradients. Which of them is faster is told from what a step reads
 * and writes, as both wait for memory: twice the factor against so many products with M hat and as many passes over four
 * vectors, the products of a trial. A byte of the iteration counts half as much again, for products go to and fro in their
 * vectors where substitutions go straight on. Counts decide, never times, so that a run does not depend on the machine's mood. */
#define TO_AND_FRO    1.5
#define AUTO_FROM     100000 /* unknowns; below, a factor is small enough for the caches */
#define SHARED_FROM   200000 /* unknowns; one thread alone uses most of the memory's bandwidth with less */
#define FEWEST        4      /* products that conjugate gradients need at least */
#define NEAR_SHARE    0.5    /* a larger near field is not tried unless iteration is asked for */
#define PANEL_TRAFFIC 8.25 /* bytes an entry of the factor in one substitution, with its share of an index */
/* A hundredth of the contact tolerance at most; ten thousand steps then leave the momentum's drift below 1e-10. */
#define TOLERANCE 1e-13

static double traffic_of_factor(double entries) {
  return 2.0 * PANEL_TRAFFIC * entries;
}

/* Is it worth a trial? Where even the fewest products would take longer, it is not. */
static int may_win(const prc_step_solver *solver, const prc_sym *A) {
  const double least = FEWEST * (10.0 * prc_sym_nnz(A) + 80.0 * A->n);
  return TO_AND_FRO * least < traffic_of_factor(solver->entries);
}

static prc_status try_iteration(prc_step_solver *solver, const prc_sym *A, int n_tail, double share,
                                prc_error *err) {
  prc_status status = prc_iteration_create(A, n_tail, TOLERANCE, share, &solver->iteration, err);
  if (status != PRC_OK || !solver->iteration) return status;
  status = prc_iteration_trial(solver->iteration, &solver->products, err);
  solver->traffic_iteration = prc_iteration_traffic(solver->iteration, solver->products);
  if (solver->products < 0) solver->products = 0, prc_iteration_free(&solver->iteration);
  return status;
}

/* Leaves the iteration if it is asked for or wins. */
static prc_status choose(prc_step_solver *solver, const prc_step_options *o, const prc_sym *A, int n_tail,
                         prc_error *err) {
  prc_status status = PRC_OK;
  const int asked = o->linear == PRC_LINEAR_ITERATIVE;
  if (o->linear == PRC_LINEAR_DIRECT || (!asked && (o->quasi_static || A->n < AUTO_FROM))) return PRC_OK;
  if (o->quasi_static)
    return prc_fail(err, PRC_INPUT,
                    "conjugate gradients need a mass, which a quasi-static analysis lacks; expected the "
                    "solver direct or auto");
  prc_try(prc_factor_count(A, &solver->entries, err));
  solver->traffic_factor = traffic_of_factor(solver->entries);
  if (!asked && !may_win(solver, A)) return PRC_OK;
  prc_try(try_iteration(solver, A, n_tail, asked ? 1.0 : NEAR_SHARE, err));
  if (asked && !solver->iteration)
    return prc_fail(
        err, PRC_INPUT,
        "conjugate gradients do not converge in this case's matrix; expected the solver direct or auto");
  if (!asked && solver->iteration && TO_AND_FRO * solver->traffic_iteration >= solver->traffic_factor)
    prc_iteration_free(&solver->iteration);
done:
  return status;
}

prc_status prc_step_solver_create(prc_step_solver *solver, const prc_step_options *o, const prc_sym *A,
                                  int n_tail, prc_error *err) {
  prc_status status = choose(solver, o, A, n_tail, err);
  if (status == PRC_OK && !solver->iteration) {
    status = prc_factor_create(A, n_tail, &solver->factor, err);
    if (status == PRC_OK) solver->entries = (double)prc_factor_nnz(solver->factor);
    if (status == PRC_OK && A->n >= SHARED_FROM) status = prc_factor_share(solver->factor, o->threads, err);
    if (status == PRC_OK && o->quasi_static && prc_factor_weakest_pivot(solver->factor) <= A->n * DBL_EPSILON)
      status = prc_fail(err, PRC_SINGULAR, "something can move without being strained");
  }
  if (status == PRC_SINGULAR)
    prc_error_context(err, o->quasi_static ? "the stiffness"
                                           : "the iteration matrix M + h theta C + h^2 theta^2 K");
  return status;
}

void prc_step_solver_free(prc_step_solver *solver) {
  prc_factor_free(&solver->factor);
  prc_iteration_free(&solver->iteration);
}

const prc_tail *prc_step_solver_tail(const prc_step_solver *solver) {
  return solver->iteration ? prc_iteration_tail(solver->iteration) : prc_factor_tail(solver->factor);
}

prc_status prc_step_solver_forward(prc_step_solver *solver, const double *guess, double *x, double *tail,
                                   double *room, int n_tail, prc_error *err) {
  if (solver->iteration) {
    const int count = prc_iteration_solve(solver->iteration, guess, x);
    return count >= 0 ? PRC_OK
                      : prc_fail(err, PRC_DIVERGED,
                                 "conjugate gradients do not converge, expected loads and "
                                 "velocities that are finite");
  }
  prc_factor_forward(solver->factor, x);
  memcpy(room, tail, (size_t)n_tail * sizeof *room);
  prc_tail_multiply(prc_factor_tail(solver->factor), room, tail);
  return PRC_OK;
}

void prc_step_solver_backward(prc_step_solver *solver, const double *kick, int n_tail, double *tail,
                              double *x) {
  if (solver->iteration) {
    prc_iteration_spread(solver->iteration, kick, x);
    return;
  }
  for (int i = 0; i < n_tail; i++) tail[i] += kick[i];
  prc_factor_backward(solver->factor, x);
}

size_t prc_step_solver_bytes(const prc_step_solver *solver) {
  return solver->iteration ? prc_iteration_bytes(solver->iteration) : prc_factor_bytes(solver->factor);
}

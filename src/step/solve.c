#include "config.h"
#include "step/internal.h"

#include <float.h>

/* How M hat v = rhs is solved: by its factor, by conjugate gradients, or by UMFPACK, which must be asked for. Which of the first
 * two is faster is told from what a step reads and writes, as both wait for memory: twice the factor against so many products
 * with M hat and as many passes over four vectors, the products of a trial. A byte of the iteration counts half as much again,
 * for products go to and fro in their vectors where substitutions go straight on. Counts decide, never times, so that a run does
 * not depend on what else the machine does. */
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

static prc_status try_iteration(prc_step_solver *solver, const prc_sym *A, const prc_solver_plan *plan,
                                prc_error *err) {
  prc_status status = prc_solver_iterative.create(A, plan, &solver->work, err);
  if (status != PRC_OK || !solver->work) return status;
  status = prc_iteration_trial(solver->work, &solver->products, err);
  solver->traffic_iteration = prc_iteration_traffic(solver->work, solver->products);
  if (solver->products < 0) solver->products = 0, prc_solver_iterative.free(&solver->work);
  return status;
}

/* The iteration, if it is asked for or wins; it is made then. */
static prc_status choose(prc_step_solver *solver, const prc_step_options *o, const prc_sym *A, int n_tail,
                         prc_error *err) {
  prc_status status = PRC_OK;
  const int asked = o->linear == PRC_LINEAR_ITERATIVE;
  const prc_solver_plan plan = {
      .n_tail = n_tail, .tolerance = TOLERANCE, .share = asked ? 1.0 : NEAR_SHARE, .threads = 1};
  solver->row = o->linear == PRC_LINEAR_UMFPACK ? &prc_solver_umfpack : &prc_solver_direct;
  if (!asked && (o->linear != PRC_LINEAR_AUTO || o->quasi_static || A->n < AUTO_FROM)) return PRC_OK;
  if (o->quasi_static)
    return prc_fail(err, PRC_INPUT,
                    "conjugate gradients need a mass, which a quasi-static analysis lacks; expected the "
                    "solver direct or auto");
  prc_try(prc_factor_count(A, &solver->entries, err));
  solver->traffic_factor = traffic_of_factor(solver->entries);
  if (!asked && !may_win(solver, A)) return PRC_OK;
  prc_try(try_iteration(solver, A, &plan, err));
  if (asked && !solver->work)
    return prc_fail(
        err, PRC_INPUT,
        "conjugate gradients do not converge in this case's matrix; expected the solver direct or auto");
  if (!asked && solver->work && TO_AND_FRO * solver->traffic_iteration >= solver->traffic_factor)
    prc_solver_iterative.free(&solver->work);
  if (solver->work) solver->row = &prc_solver_iterative;
done:
  if (status != PRC_OK) prc_solver_iterative.free(&solver->work);
  return status;
}

static prc_status create(prc_step_solver *solver, const prc_step_options *o, const prc_sym *A, int n_tail,
                         prc_error *err) {
  const prc_solver_plan plan = {.n_tail = n_tail, .threads = A->n >= SHARED_FROM ? o->threads : 1};
  prc_status status = choose(solver, o, A, n_tail, err);
  if (status != PRC_OK || solver->work) return status;
  status = solver->row->create(A, &plan, &solver->work, err);
  if (status != PRC_OK) return status;
  const prc_solver_facts facts = solver->row->facts(solver->work);
  solver->entries = (double)facts.entries;
  if (o->quasi_static && facts.weakest_pivot <= A->n * DBL_EPSILON)
    return prc_fail(err, PRC_SINGULAR, "something can move without being strained");
  return PRC_OK;
}

prc_status prc_step_solver_create(prc_step_solver *solver, const prc_step_options *o, const prc_sym *A,
                                  int n_tail, prc_error *err) {
  const prc_status status = create(solver, o, A, n_tail, err);
  if (status == PRC_SINGULAR)
    prc_error_context(err, o->quasi_static ? "the stiffness"
                                           : "the iteration matrix M + h theta C + h^2 theta^2 K");
  return status;
}

void prc_step_solver_free(prc_step_solver *solver) {
  if (solver->row) solver->row->free(&solver->work);
}

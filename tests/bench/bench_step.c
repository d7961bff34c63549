/* The time of a step against its floor, in one run: one forward-and-back substitution with the best factorisation that
 * CHOLMOD finds for the same Mhat, plus one sparse product with K.
 *
 *   bench_step CASE.yaml [KEY=VALUE]...
 *
 * Both are measured in turns, several times; medians and the spread of their ratio are printed. */
#include "config.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "linear/linear.h"
#include "step/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

#define ROUNDS 15

typedef struct {
  cholmod_common common;
  cholmod_sparse *Mhat, *K;
  cholmod_factor *L;
  cholmod_dense *b, *x, *Y, *E, *y;
  double solve; /* seconds of one */
} peer;

/* The lower triangle of A over the free dofs. */
static cholmod_sparse *lower(const prc_sym *A, cholmod_common *common) {
  const int nnz = prc_sym_nnz(A);
  cholmod_sparse *S =
      cholmod_allocate_sparse((size_t)A->n, (size_t)A->n, (size_t)nnz, 1, 1, -1, CHOLMOD_REAL, common);
  memcpy(S->p, A->p, ((size_t)A->n + 1) * sizeof *A->p);
  memcpy(S->i, A->i, (size_t)nnz * sizeof *A->i);
  memcpy(S->x, A->x, (size_t)nnz * sizeof *A->x);
  return S;
}

static double time_of_solves(peer *p, cholmod_factor *L, int count) {
  const double began = prc_clock();
  for (int k = 0; k < count; k++)
    cholmod_solve2(CHOLMOD_A, L, p->b, NULL, &p->x, NULL, &p->Y, &p->E, &p->common);
  return (prc_clock() - began) / count;
}

/* The fastest to solve with: AMD or METIS, simplicial or supernodal. */
static void find_best(peer *p, int count) {
  static const int orderings[] = {CHOLMOD_AMD, CHOLMOD_METIS},
                   kinds[] = {CHOLMOD_SIMPLICIAL, CHOLMOD_SUPERNODAL};
  for (int o = 0; o < 2; o++)
    for (int k = 0; k < 2; k++) {
      p->common.nmethods = 1;
      p->common.method[0].ordering = orderings[o];
      p->common.supernodal = kinds[k];
      p->common.final_ll = kinds[k] == CHOLMOD_SIMPLICIAL;
      cholmod_factor *L = cholmod_analyze(p->Mhat, &p->common);
      cholmod_factorize(p->Mhat, L, &p->common);
      time_of_solves(p, L, count);
      const double solve = time_of_solves(p, L, count);
      printf("  CHOLMOD %-10s %-5s  %9.1f us a solve, %.0f entries\n", k ? "supernodal" : "simplicial",
             o ? "METIS" : "AMD", 1e6 * solve, p->common.lnz);
      if (p->L && solve >= p->solve)
        cholmod_free_factor(&L, &p->common);
      else {
        if (p->L) cholmod_free_factor(&p->L, &p->common);
        p->L = L, p->solve = solve;
      }
    }
}

static prc_status make_peer(const prc_system *s, double h, double theta, peer *p, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *Mhat = NULL, *free_part = NULL;
  int *list = NULL, n = 0;
  cholmod_start(&p->common);
  prc_try(prc_sym_add(1.0 + h * theta * s->damping_mass, s->M,
                      h * theta * s->damping_stiffness + h * h * theta * theta, s->K, &Mhat, err));
  prc_try(prc_new(&list, s->n_dof, err));
  for (int i = 0, next = 0; i < s->n_dof; i++) {
    if (next < s->n_prescribed && s->prescribed[next] == i)
      next++;
    else
      list[n++] = i;
  }
  prc_try(prc_sym_permute(Mhat, list, n, &free_part, err));
  p->Mhat = lower(free_part, &p->common);
  p->K = lower(s->K, &p->common);
  p->b = cholmod_ones((size_t)n, 1, CHOLMOD_REAL, &p->common);
  p->y = cholmod_zeros((size_t)s->n_dof, 1, CHOLMOD_REAL, &p->common);
done:
  prc_sym_free(&Mhat);
  prc_sym_free(&free_part);
  prc_delete(&list);
  return status;
}

static void free_peer(peer *p) {
  cholmod_free_sparse(&p->Mhat, &p->common);
  cholmod_free_sparse(&p->K, &p->common);
  cholmod_free_factor(&p->L, &p->common);
  cholmod_free_dense(&p->b, &p->common);
  cholmod_free_dense(&p->x, &p->common);
  cholmod_free_dense(&p->Y, &p->common);
  cholmod_free_dense(&p->E, &p->common);
  cholmod_free_dense(&p->y, &p->common);
  cholmod_finish(&p->common);
}

/* One substitution pair and one product. */
static double time_of_floor(peer *p, int count) {
  double one[2] = {1.0, 0.0}, zero[2] = {0.0, 0.0};
  cholmod_dense *v = cholmod_ones(p->K->ncol, 1, CHOLMOD_REAL, &p->common);
  const double began = prc_clock();
  for (int k = 0; k < count; k++) {
    cholmod_solve2(CHOLMOD_A, p->L, p->b, NULL, &p->x, NULL, &p->Y, &p->E, &p->common);
    cholmod_sdmult(p->K, 0, one, zero, v, p->y, &p->common);
  }
  const double seconds = (prc_clock() - began) / count;
  cholmod_free_dense(&v, &p->common);
  return seconds;
}

/* How many steps took 0, 1, 2, ... iterations of the contact solver from their warm start; the last: that many or more. */
#define COUNTS 33
static int steps_with[COUNTS];

static void count_iterations(const prc_step_record *r) {
  if (r->n_active > 0) steps_with[r->cone.iterations < COUNTS - 1 ? r->cone.iterations : COUNTS - 1]++;
}

static void print_iterations(void) {
  static const double shares[] = {0.1, 0.5, 0.9, 0.99};
  int total = 0, sum = 0;
  for (int k = 0; k < COUNTS; k++) total += steps_with[k];
  printf("  contact solver from its warm start: iterations of");
  for (int k = 0, share = 0; k < COUNTS && share < 4; k++) {
    sum += steps_with[k];
    for (; share < 4 && sum >= shares[share] * total; share++)
      printf("  %g %%: <= %d", 100.0 * shares[share], k);
  }
  printf("\n");
}

static prc_status time_of_steps(prc_stepper *stepper, prc_ledger *ledger, int count, double *seconds,
                                prc_error *err) {
  const double began = prc_clock();
  for (int k = 0; k < count; k++) {
    const prc_status status = prc_stepper_step(stepper, err);
    if (status != PRC_OK) return status;
    prc_ledger_enter(ledger, prc_stepper_record(stepper));
    count_iterations(prc_stepper_record(stepper));
  }
  *seconds = (prc_clock() - began) / count;
  return PRC_OK;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x) {
  qsort(x, ROUNDS, sizeof *x, ascending);
  return x[ROUNDS / 2];
}

static prc_status measure(const prc_case *c, const prc_model *model, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = prc_fem_system(model->fem);
  prc_step_options o = prc_step_options_default(c->time.step);
  const prc_ledger_options lo = {.tolerance = o.cone.tolerance, .max_penetration = -1.0};
  prc_stepper *stepper = NULL;
  prc_ledger *ledger = NULL;
  peer p = {0};
  double *q = NULL, *v = NULL, floor[ROUNDS], step[ROUNDS], ratio[ROUNDS];
  o.theta = c->time.theta, o.law = c->time.fremond ? PRC_LAW_FREMOND : PRC_LAW_NEWTON;
  prc_try(make_peer(s, o.h, o.theta, &p, err));
  prc_try(prc_stepper_create(s, &o, &stepper, err));
  prc_try(prc_ledger_create(&lo, &ledger, err));
  prc_try(prc_new(&q, s->n_dof, err));
  prc_try(prc_new(&v, s->n_dof, err));
  prc_try(prc_fem_equilibrium(model->fem, 0, q, err));
  prc_try(prc_stepper_start(stepper, q, v, err));
  prc_ledger_start(ledger, prc_stepper_record(stepper));
  printf("%s: %d unknowns, %d contacts, factor of %zu entries\n", c->name, s->n_dof, s->n_contacts,
         prc_stepper_facts(stepper).factor_entries);
  const int count = s->n_dof < 20000 ? 500 : 60;
  find_best(&p, count);
  for (int k = 0; k < ROUNDS; k++) {
    floor[k] = time_of_floor(&p, count);
    prc_try(time_of_steps(stepper, ledger, count, &step[k], err));
    ratio[k] = step[k] / floor[k];
  }
  printf("  floor %9.1f us (solve + product)\n  step  %9.1f us (contact problem and ledger included)\n",
         1e6 * median(floor), 1e6 * median(step));
  const double middle = median(ratio); /* sorts */
  print_iterations();
  printf("  ratio %9.2f (%.2f to %.2f over %d rounds)\n", middle, ratio[0], ratio[ROUNDS - 1], ROUNDS);
done:
  free_peer(&p);
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
  prc_dense_single_thread();
  if (argc < 2) return fprintf(stderr, "usage: bench_step CASE.yaml [KEY=VALUE]...\n"), 2;
  prc_status status = prc_case_read(argv[1], argc - 2, (const char *const *)argv + 2, &c, &err);
  if (status == PRC_OK) status = prc_case_build(c, NULL, &model, &err);
  if (status == PRC_OK) status = measure(c, model, &err);
  if (status != PRC_OK) fprintf(stderr, "bench_step: %s\n", err.message);
  prc_model_free(&model);
  prc_case_free(&c);
  return status != PRC_OK;
}

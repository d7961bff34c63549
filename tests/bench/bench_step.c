/* The time of a step against its floor, in one run: one forward-and-back substitution with the best factorisation that
 * CHOLMOD finds for the same Mhat, plus one sparse product with K.
 *
 *   bench_step CASE.yaml [KEY=VALUE]...
 *
 * Both are measured in turns, several times; medians and the spread of their ratio are printed, and the same as a line of
 * JSON into the file that PRC_BENCH_JSON names, which summary.py makes a table of. */
#include "config.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "linear/linear.h"
#include "step/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROUNDS      15
#define ROUNDS_SLOW 5
#define SLOW        200000 /* unknowns; from there on simplicial factorisations take minutes */

typedef struct {
  cholmod_common common;
  cholmod_sparse *Mhat, *K;
  cholmod_factor *L;
  cholmod_dense *b, *x, *Y, *E, *y;
  double solve, entries; /* seconds of one; of the factor */
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

/* The fastest to solve with: AMD or METIS, simplicial or supernodal; its order is free, contacts may stand anywhere. */
static void find_best(peer *p, int count) {
  static const int orderings[] = {CHOLMOD_AMD, CHOLMOD_METIS},
                   kinds[] = {CHOLMOD_SIMPLICIAL, CHOLMOD_SUPERNODAL};
  for (int o = 0; o < 2; o++)
    for (int k = p->Mhat->ncol < SLOW ? 0 : 1; k < 2; k++) {
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
        p->L = L, p->solve = solve, p->entries = p->common.lnz;
      }
    }
}

static prc_status make_peer(const prc_system *s, double h, double theta, peer *p, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *Mhat = NULL, *free_part = NULL;
  int *list = NULL, n = 0;
  cholmod_start(&p->common);
  const prc_dynamics *d = &s->dynamics;
  prc_try(prc_sym_add(1.0 + h * theta * d->damping_mass, d->M,
                      h * theta * d->damping_stiffness + h * h * theta * theta, d->K, &Mhat, err));
  prc_try(prc_new(&list, s->space.nv, err));
  for (int i = 0, next = 0; i < s->space.nv; i++) {
    if (next < s->drive.n && s->drive.dof[next] == i)
      next++;
    else
      list[n++] = i;
  }
  prc_try(prc_sym_permute(Mhat, list, n, &free_part, err));
  p->Mhat = lower(free_part, &p->common);
  p->K = lower(d->K, &p->common);
  p->b = cholmod_ones((size_t)n, 1, CHOLMOD_REAL, &p->common);
  p->y = cholmod_zeros((size_t)s->space.nv, 1, CHOLMOD_REAL, &p->common);
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
    if (ledger) prc_ledger_enter(ledger, prc_stepper_record(stepper));
    count_iterations(prc_stepper_record(stepper));
  }
  *seconds = (prc_clock() - began) / count;
  return PRC_OK;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(int n, double *x) {
  qsort(x, (size_t)n, sizeof *x, ascending);
  return x[n / 2];
}

/* Bytes of memory that hold something: what was asked for and never touched does not count. */
static double bytes_in_use(void) {
  long pages = 0;
  prc_memory_trim();
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double most_bytes_so_far(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

typedef struct {
  const prc_case *c;
  const prc_system *system;
  prc_stepper *stepper;
  prc_ledger *ledger;
  peer peer;
  double read, create; /* seconds: mesh, assembly and model; ordering and factors */
  double bytes, peak;  /* of model and stepper; the most that set-up took */
  int rounds, count;   /* of so many steps each */
  double floor, step, ratio, least, most, ledger_share;
  double phases[PRC_STEP_N_PHASES];
} bench;

/* floor and step in turns; then the phases, and the step without its ledger, once. */
static prc_status run(bench *b, prc_error *err) {
  prc_status status = PRC_OK;
  double floor[ROUNDS], step[ROUNDS], ratio[ROUNDS], alone;
  for (int k = 0; k < b->rounds; k++) {
    floor[k] = time_of_floor(&b->peer, b->count);
    prc_try(time_of_steps(b->stepper, b->ledger, b->count, &step[k], err));
    ratio[k] = step[k] / floor[k];
  }
  const prc_step_facts before = prc_stepper_facts(b->stepper);
  prc_try(time_of_steps(b->stepper, NULL, b->count, &alone, err));
  const prc_step_facts facts = prc_stepper_facts(b->stepper);
  for (int k = 0; k < PRC_STEP_N_PHASES; k++)
    b->phases[k] = (facts.seconds[k] - before.seconds[k]) / b->count;
  b->floor = median(b->rounds, floor), b->step = median(b->rounds, step), b->ratio = median(b->rounds, ratio);
  b->least = ratio[0], b->most = ratio[b->rounds - 1];
  b->ledger_share = fmax(0.0, b->step - alone);
done:
  return status;
}

/* What the mathematics cannot do without: the factor, and M and K as triangles. */
static double least_bytes(const bench *b) {
  return 8.0 * (double)prc_stepper_facts(b->stepper).linear.entries
         + 12.0 * (prc_sym_nnz(b->system->dynamics.M) + prc_sym_nnz(b->system->dynamics.K));
}

static void print(const bench *b) {
  const prc_step_facts facts = prc_stepper_facts(b->stepper);
  printf("  set-up %9.1f steps: %.3g s to read and assemble, %.3g s to order and factorise (%s)\n",
         (b->read + b->create) / b->step, b->read, b->create, facts.linear.ordering);
  printf("  memory %9.1f MB, %.2f x (factor + M + K); %.2f x at most during set-up; W of all %zu entries\n",
         1e-6 * b->bytes, b->bytes / least_bytes(b), b->peak / least_bytes(b), facts.W_entries);
  printf("  floor  %9.1f us (solve + product); contacts last: %.2f x the entries of the best free order\n",
         1e6 * b->floor, (double)facts.linear.entries / b->peer.entries);
  if (facts.linear.products > 0)
    printf("  solver %s: %.0f MB a step by the factor, %.0f MB by conjugate gradients (%d products)\n",
           facts.linear.name, 1e-6 * facts.linear.traffic_factor, 1e-6 * facts.linear.traffic_iteration,
           facts.linear.products);
  printf("  step   %9.1f us (contact problem of %d and ledger included):", 1e6 * b->step,
         prc_stepper_record(b->stepper)->n_active);
#define X(name) printf(" %s %.1f", #name, 1e6 * b->phases[PRC_STEP_##name]);
  PRC_STEP_PHASES(X)
#undef X
  printf(" ledger %.1f\n", 1e6 * b->ledger_share);
  print_iterations();
  printf("  ratio  %9.2f (%.2f to %.2f over %d rounds)\n", b->ratio, b->least, b->most, b->rounds);
}

static prc_status append_json(const bench *b, prc_error *err) {
  const char *path = getenv("PRC_BENCH_JSON");
  if (!path) return PRC_OK;
  const prc_step_facts facts = prc_stepper_facts(b->stepper);
  FILE *file = fopen(path, "a");
  if (!file) return prc_fail(err, PRC_IO, "%s: cannot be written", path);
  fprintf(
      file,
      "{\"unknowns\": %d, \"contacts\": %d, \"active\": %d, \"factor_entries\": %zu, \"best_entries\": %.0f, "
      "\"ordering\": \"%s\", \"read\": %.6g, \"create\": %.6g, \"bytes\": %.0f, \"peak_bytes\": %.0f, "
      "\"least_bytes\": %.0f, \"W_entries\": %zu, "
      "\"floor\": %.6g, \"step\": %.6g, \"ratio\": %.6g, \"ratio_least\": %.6g, \"ratio_most\": %.6g, "
      "\"ledger\": %.6g",
      b->system->space.nv, prc_stepper_record(b->stepper)->n_contacts,
      prc_stepper_record(b->stepper)->n_active, facts.linear.entries, b->peer.entries, facts.linear.ordering,
      b->read, b->create, b->bytes, b->peak, least_bytes(b), facts.W_entries, b->floor, b->step, b->ratio,
      b->least, b->most, b->ledger_share);
#define X(name) fprintf(file, ", \"%s\": %.6g", #name, b->phases[PRC_STEP_##name]);
  PRC_STEP_PHASES(X)
#undef X
  fprintf(file, "}\n");
  return fclose(file) == 0 ? PRC_OK : prc_fail(err, PRC_IO, "%s: cannot be written", path);
}

/* The rows of linear/operator.h that a case names. */

static prc_status start(bench *b, const prc_model *model, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_case *c = b->c;
  prc_step_options o = prc_step_options_default(c->time.step);
  const prc_ledger_options lo = {.tolerance = o.cone.tolerance, .max_penetration = -1.0};
  double *q = NULL, *v = NULL;
  o.linear = c->time.solver;
  o.theta = c->time.theta, o.law = c->time.law, o.timed = 1;
  const double began = prc_clock();
  prc_try(prc_stepper_create(b->system, &o, &b->stepper, err));
  b->create = prc_clock() - began;
  prc_try(prc_ledger_create(&lo, &b->ledger, err));
  prc_try(prc_new(&q, b->system->space.nv, err));
  prc_try(prc_new(&v, b->system->space.nv, err));
  prc_try(prc_fem_equilibrium(model->fem, 0, q, NULL, err));
  prc_try(prc_stepper_start(b->stepper, q, v, err));
  prc_ledger_start(b->ledger, prc_stepper_record(b->stepper));
done:
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

static prc_status measure(bench *b, const prc_model *model, double bytes_before, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = b->system->space.nv;
  double first;
  prc_try(start(b, model, err));
  prc_try(time_of_steps(b->stepper, b->ledger, 1, &first, err)); /* touches everything once */
  b->bytes = bytes_in_use() - bytes_before;
  b->peak = most_bytes_so_far() - bytes_before;
  prc_try(make_peer(b->system, b->c->time.step, b->c->time.theta, &b->peer, err));
  printf("%s: %d unknowns, %d contacts, factor of %zu entries\n", b->c->name, n,
         prc_stepper_record(b->stepper)->n_contacts, prc_stepper_facts(b->stepper).linear.entries);
  b->rounds = n < SLOW ? ROUNDS : ROUNDS_SLOW;
  b->count = n < 20000 ? 500 : n < 500000 ? 2000000 / n : 4;
  find_best(&b->peer, b->count);
  prc_try(run(b, err));
  print(b);
  prc_try(append_json(b, err));
done:
  free_peer(&b->peer);
  prc_ledger_free(&b->ledger);
  prc_stepper_free(&b->stepper);
  return status;
}

int main(int argc, char **argv) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_dense_single_thread();
  if (argc < 2) return fprintf(stderr, "usage: bench_step CASE.yaml [KEY=VALUE]...\n"), 2;
  const double before = bytes_in_use();
  const double began = prc_clock();
  prc_status status = prc_case_read(argv[1], argc - 2, (const char *const *)argv + 2, &c, &err);
  if (status == PRC_OK) status = prc_case_build(c, NULL, &model, &err);
  if (status == PRC_OK) {
    bench b = {.c = c, .system = prc_fem_system(model->fem), .read = prc_clock() - began};
    status = measure(&b, model, before, &err);
  }
  if (status != PRC_OK) fprintf(stderr, "bench_step: %s\n", err.message);
  prc_model_free(&model);
  prc_case_free(&c);
  return status != PRC_OK;
}

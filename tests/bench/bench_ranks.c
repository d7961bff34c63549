/* Steps of a mesh that ranks share, against a plain program of PETSc that solves the same systems and knows no contacts and no ledger, in one run:
 *
 *   mpiexec -n N bench_ranks CASE.yaml STEPS ROUNDS [KEY=VALUE]...
 *
 * In turns, a step each: KSPSolve of A v = b (the same A, b, guess and tolerance); the same with what any dynamics needs, b = M v - h theta K q before and K v behind;
 * and the step of percuss with its ledger. Around each round a triad, as STREAM has it, on all ranks at once and on one alone. What ranks tell each other is
 * counted by functions of MPI that stand before the library's. One line of JSON for each round, and one of all. */
#include "config.h"
#include "base/ranks.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "linear/linear.h"
#include "simulation/simulation.h"
#include "step/step.h"

#include <math.h>
#include <petscksp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#undef MPI_Send /* PETSc has macros that count for its log */
#undef MPI_Isend
#undef MPI_Allreduce
#undef MPI_Iallreduce
#undef MPI_Bcast
#undef MPI_Send_init
#undef MPI_Start
#undef MPI_Startall

#define FIRST 5 /* steps before the first round: contacts close, pages are touched */
#define TURNS 5
#define TRIAD 8000000 /* numbers in each of three vectors: beyond all caches */
#define ALLOW 1e-13   /* as steps have it */

/* ---- what ranks tell each other -------------------------------------------------------------------------------- */

typedef struct {
  double messages, bytes, reductions, reduced_bytes, broadcasts, broadcast_bytes;
} traffic;
static traffic told;

static double bytes_of(int n, MPI_Datatype type) {
  int size;
  MPI_Type_size(type, &size);
  return (double)n * size;
}

static void count_message(int n, MPI_Datatype type) {
  told.messages++, told.bytes += bytes_of(n, type);
}

int MPI_Send(const void *x, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  count_message(n, type);
  return PMPI_Send(x, n, type, to, tag, comm);
}
int MPI_Isend(const void *x, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  count_message(n, type);
  return PMPI_Isend(x, n, type, to, tag, comm, request);
}
int MPI_Allreduce(const void *x, void *y, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  told.reductions++, told.reduced_bytes += bytes_of(n, type);
  return PMPI_Allreduce(x, y, n, type, op, comm);
}
int MPI_Iallreduce(const void *x, void *y, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request) {
  told.reductions++, told.reduced_bytes += bytes_of(n, type);
  return PMPI_Iallreduce(x, y, n, type, op, comm, request);
}
int MPI_Bcast(void *x, int n, MPI_Datatype type, int from, MPI_Comm comm) {
  told.broadcasts++, told.broadcast_bytes += bytes_of(n, type);
  return PMPI_Bcast(x, n, type, from, comm);
}

/* Requests that are started again and again. */
enum { PERSISTENT = 4096 };
static struct {
  MPI_Request request;
  double bytes;
} persistent[PERSISTENT];
static int n_persistent;

int MPI_Send_init(const void *x, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  const int status = PMPI_Send_init(x, n, type, to, tag, comm, request);
  if (n_persistent < PERSISTENT)
    persistent[n_persistent].request = *request, persistent[n_persistent++].bytes = bytes_of(n, type);
  return status;
}
static void count_start(MPI_Request request) {
  for (int k = n_persistent - 1; k >= 0; k--)
    if (persistent[k].request == request) {
      told.messages++, told.bytes += persistent[k].bytes;
      return;
    }
}
int MPI_Start(MPI_Request *request) {
  count_start(*request);
  return PMPI_Start(request);
}
int MPI_Startall(int n, MPI_Request *request) {
  for (int k = 0; k < n; k++) count_start(request[k]);
  return PMPI_Startall(n, request);
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* Seconds of this process, which others on the machine disturb less than those of the clock. */
static double clock_of_process(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* GB/s of a := b + 3 c, of n ranks that begin together, until the last of them is done: the best of some turns. */
static double triad_of(const prc_ranks *ranks, int n, double *a, const double *b, const double *c) {
  double best = INFINITY;
  for (int turn = 0; turn < TURNS; turn++) {
    PMPI_Barrier(*(MPI_Comm *)ranks->of);
    const double began = prc_clock();
    for (int i = 0; i < TRIAD && ranks->rank < n; i++) a[i] = b[i] + 3.0 * c[i];
    double seconds = prc_clock() - began;
    if (ranks->rank >= n) usleep(50000);
    ranks->largest(ranks->of, 1, ranks->rank < n ? &seconds : &(double){0.0});
    ranks->broadcast(ranks->of, sizeof seconds, &seconds);
    best = fmin(best, seconds);
  }
  return 24.0 * TRIAD * n / best * 1e-9;
}

/* On all at once, their sum, and on rank 0 alone, while the others sleep. */
static prc_status triad(const prc_ranks *ranks, double out[2], prc_error *err) {
  prc_status status = PRC_OK;
  double *a = NULL, *b = NULL, *c = NULL;
  prc_try(prc_new(&a, TRIAD, err));
  prc_try(prc_new(&b, TRIAD, err));
  prc_try(prc_new(&c, TRIAD, err));
  for (int i = 0; i < TRIAD; i++) a[i] = 0.0, b[i] = i, c[i] = 1.0;
  out[0] = triad_of(ranks, ranks->n, a, b, c);
  out[1] = triad_of(ranks, 1, a, b, c);
done:
  prc_delete(&a);
  prc_delete(&b);
  prc_delete(&c);
  return status;
}

/* A number of /proc/self/status, in MB. */
static double memory_of(const char *name) {
  char line[256];
  double kB = 0.0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0) kB = atof(line + strlen(name));
  if (file) fclose(file);
  return kB / 1024.0;
}

/* ---- the plain program --------------------------------------------------------------------------------------------- */

typedef struct {
  const prc_share *share;
  Mat A, K, M;
  Vec x, b, guess, q, v, Kv;
  KSP ksp;
  double ht; /* h theta */
} peer;

static int number_of(const prc_share *s, int dof) {
  return s->width * s->number[dof / s->width] + dof % s->width;
}

#define petsc(call)                                                                                          \
  do {                                                                                                       \
    const PetscErrorCode code = (call);                                                                      \
    if (code) {                                                                                              \
      status = prc_fail(err, PRC_DIVERGED, "%s: PETSc's error %d", #call, (int)code);                        \
      goto done;                                                                                             \
    }                                                                                                        \
  } while (0)

/* Own rows, as a program would hand them over one by one. */
static prc_status make_matrix(const prc_share *s, const prc_sym *from, Mat *out, prc_error *err) {
  prc_status status = PRC_OK;
  const int first = s->width * s->first, end = s->width * s->end, n = end - first;
  PetscInt *own = NULL, *others = NULL;
  prc_try(prc_new(&own, n, err));
  prc_try(prc_new(&others, n, err));
  for (int j = 0; j < from->n; j++)
    for (int k = from->p[j]; k < from->p[j + 1]; k++) {
      const int i = from->i[k], i_own = i >= first && i < end, j_own = j >= first && j < end;
      if (j_own) (i_own ? own : others)[j - first]++;
      if (i_own && i != j) (j_own ? own : others)[i - first]++;
    }
  petsc(MatCreate(*(MPI_Comm *)s->ranks->of, out));
  petsc(MatSetSizes(*out, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  petsc(MatSetType(*out, MATAIJ));
  petsc(MatSetBlockSize(*out, s->width));
  petsc(MatSeqAIJSetPreallocation(*out, 0, own));
  petsc(MatMPIAIJSetPreallocation(*out, 0, own, 0, others));
  for (int j = 0; j < from->n; j++)
    for (int k = from->p[j]; k < from->p[j + 1]; k++) {
      const int i = from->i[k];
      if (j >= first && j < end)
        petsc(MatSetValue(*out, number_of(s, j), number_of(s, i), from->x[k], INSERT_VALUES));
      if (i != j && i >= first && i < end)
        petsc(MatSetValue(*out, number_of(s, i), number_of(s, j), from->x[k], INSERT_VALUES));
    }
  petsc(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
done:
  prc_delete(&own);
  prc_delete(&others);
  return status;
}

static prc_status make_peer(const prc_system *system, const prc_step_options *o, peer *p, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_dynamics *d = &system->dynamics;
  prc_sym *A = NULL;
  PC pc;
  p->share = system->share, p->ht = o->h * o->theta;
  if (system->drive.n > 0 || d->C || d->damping_mass != 0.0 || d->damping_stiffness != 0.0)
    prc_try(prc_fail(err, PRC_INPUT, "the plain program has no supports and no damping"));
  prc_try(prc_sym_add(1.0, d->M, p->ht * p->ht, d->K, &A, err));
  prc_try(make_matrix(p->share, A, &p->A, err));
  prc_sym_free(&A);
  prc_try(make_matrix(p->share, d->M, &p->M, err));
  prc_try(make_matrix(p->share, d->K, &p->K, err));
  petsc(MatCreateVecs(p->A, &p->x, &p->b));
  Vec *more[] = {&p->guess, &p->q, &p->v, &p->Kv};
  for (size_t k = 0; k < sizeof more / sizeof *more; k++) petsc(VecDuplicate(p->x, more[k]));
  petsc(KSPCreate(*(MPI_Comm *)p->share->ranks->of, &p->ksp));
  petsc(KSPSetOptionsPrefix(p->ksp, "plain_"));
  petsc(KSPSetOperators(p->ksp, p->A, p->A));
  petsc(KSPSetType(p->ksp, KSPCG));
  petsc(KSPSetNormType(p->ksp, KSP_NORM_NATURAL));
  petsc(KSPGetPC(p->ksp, &pc));
  petsc(PCSetType(pc, PCPBJACOBI));
  petsc(KSPSetInitialGuessNonzero(p->ksp, PETSC_TRUE));
  petsc(KSPSetTolerances(p->ksp, ALLOW, 0.0, PETSC_DEFAULT, 20000));
  petsc(KSPSetFromOptions(p->ksp));
  petsc(KSPSetUp(p->ksp));
done:
  prc_sym_free(&A);
  return status;
}

static prc_status put(const peer *p, const double *from, Vec to, prc_error *err) {
  prc_status status = PRC_OK;
  double *x;
  petsc(VecGetArray(to, &x));
  memcpy(x, from + p->share->width * p->share->first,
         (size_t)p->share->width * (size_t)(p->share->end - p->share->first) * sizeof *x);
  petsc(VecRestoreArray(to, &x));
done:
  return status;
}

/* b = M v - h theta K q; A x = b from v on; K x, for the next q. */
static prc_status solve(peer *p, double seconds[4], double *products, prc_error *err) {
  prc_status status = PRC_OK;
  PetscInt n;
  const double began = prc_clock(), cpu_began = clock_of_process();
  petsc(MatMult(p->M, p->v, p->b));
  petsc(VecAXPY(p->b, -p->ht, p->q));
  const double ready = prc_clock();
  const double cpu_ready = clock_of_process();
  petsc(VecCopy(p->v, p->x));
  petsc(KSPSolve(p->ksp, p->b, p->x));
  const double solved = prc_clock(), cpu_solved = clock_of_process();
  petsc(MatMult(p->K, p->x, p->Kv));
  petsc(VecAXPBY(p->v, 2.0, -1.0, p->x));
  petsc(VecAXPY(p->q, 2.0 * p->ht, p->Kv)); /* q: K q */
  const double end = prc_clock();
  petsc(KSPGetIterationNumber(p->ksp, &n));
  seconds[0] += solved - ready, seconds[1] += end - began, *products += n;
  seconds[2] += cpu_solved - cpu_ready, seconds[3] += clock_of_process() - cpu_began;
done:
  return status;
}

/* h over 2 / omega, the largest of what M, its rows summed onto the diagonal, and K have: by forty products from a vector that has all. */
static prc_status courant(peer *p, double h, double *out, prc_error *err) {
  prc_status status = PRC_OK;
  PetscReal norm = 0.0;
  petsc(VecSet(p->b, 1.0));
  petsc(MatMult(p->M, p->b, p->guess)); /* of both directions */
  petsc(VecSetRandom(p->x, NULL));
  for (int k = 0; k < 40; k++) {
    petsc(VecNormalize(p->x, NULL));
    petsc(MatMult(p->K, p->x, p->Kv));
    petsc(VecPointwiseDivide(p->x, p->Kv, p->guess));
  }
  petsc(VecNorm(p->x, NORM_2, &norm));
  *out = 0.5 * h * sqrt(norm);
done:
  return status;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------------ */

typedef struct {
  const prc_ranks *ranks;
  prc_case *c;
  prc_model *model;
  prc_stepper *stepper;
  prc_ledger *ledger;
  peer peer;
  double set_up; /* seconds */
} bench;

typedef struct {
  double plain[4], step, step_cpu, ledger,
      plain_products; /* seconds; plain: solve and all by the clock, then of the process */
  traffic told;
} times;

static prc_status one_step(bench *b, int with_peer, times *t, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(b->stepper);
  const MPI_Comm comm = *(MPI_Comm *)b->ranks->of;
  if (with_peer) {
    prc_try(put(&b->peer, r->v, b->peer.v, err));
    prc_try(put(&b->peer, r->f, b->peer.q, err));
    PMPI_Barrier(comm);
    prc_try(solve(&b->peer, t->plain, &t->plain_products, err));
  }
  PMPI_Barrier(comm);
  told = (traffic){0};
  const double began = prc_clock(), cpu = clock_of_process();
  prc_try(prc_stepper_step(b->stepper, err));
  const double stepped = prc_clock();
  prc_ledger_enter(b->ledger, prc_stepper_record(b->stepper));
  const double end = prc_clock();
  t->step += end - began, t->ledger += end - stepped, t->step_cpu += clock_of_process() - cpu;
  for (size_t k = 0; k < sizeof told / sizeof(double); k++) ((double *)&t->told)[k] += ((double *)&told)[k];
done:
  return status;
}

static prc_status start(bench *b, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_options o = prc_simulation_step_options(b->c);
  double *q = NULL, *v = NULL;
  o.timed = 1;
  prc_try(prc_stepper_create(b->model->system, &o, &b->stepper, err));
  const prc_ledger_options lo = prc_simulation_ledger_options(b->c, b->stepper);
  prc_try(prc_ledger_create(&lo, &b->ledger, err));
  prc_try(prc_new(&q, b->model->system->space.nv, err));
  prc_try(prc_new(&v, b->model->system->space.nv, err));
  char held[512];
  prc_try(prc_simulation_initial_state(b->c, b->model, q, v, held, sizeof held, err));
  prc_try(prc_stepper_start(b->stepper, q, v, err));
  prc_ledger_start(b->ledger, prc_stepper_record(b->stepper));
done:
  prc_delete(&q);
  prc_delete(&v);
  prc_memory_trim();
  return status;
}

static void say_memory(const bench *b, FILE *out) {
  const char *names[] = {"VmRSS:", "VmHWM:"}, *keys[] = {"rss", "peak"};
  double all[1024];
  for (int k = 0; k < 2; k++) {
    memset(all, 0, sizeof all);
    all[b->ranks->rank] = memory_of(names[k]);
    b->ranks->sum(b->ranks->of, b->ranks->n, all);
    fprintf(out, ", \"%s\": [", keys[k]);
    for (int i = 0; i < b->ranks->n; i++) fprintf(out, "%s%.1f", i ? ", " : "", all[i]);
    fprintf(out, "]");
  }
}

static void say_sizes(const bench *b, FILE *out) {
  const prc_step_facts facts = prc_stepper_facts(b->stepper);
  const prc_step_options *o = prc_stepper_options(b->stepper);
  const prc_share *s = b->model->system->share;
  double own = s->width * (s->end - s->first), copies = s->width * (s->n - s->end),
         bytes = (double)facts.linear.bytes;
  b->ranks->largest(b->ranks->of, 1, &own);
  b->ranks->largest(b->ranks->of, 1, &copies);
  b->ranks->sum(b->ranks->of, 1, &bytes);
  fprintf(out,
          "{\"ranks\": %d, \"unknowns\": %d, \"most_own\": %.0f, \"most_copies\": %.0f, \"contacts\": %d, "
          "\"h\": %g, \"set_up\": %.3g, \"near\": %zu, \"linear_bytes\": %.0f",
          b->ranks->n, s->width * s->n_whole, own, copies, prc_stepper_record(b->stepper)->n_contacts, o->h,
          b->set_up, facts.linear.entries, bytes);
  say_memory(b, out);
  fprintf(out, "}\n");
}

static void say_round(const bench *b, int steps, const times *t, const double gb[2], const double *phases,
                      const prc_operator_facts *before, FILE *out) {
  const prc_operator_facts facts = prc_stepper_facts(b->stepper).linear;
  const traffic *w = &t->told;
  double all[6] = {w->messages, w->bytes};
  b->ranks->sum(b->ranks->of, 2, all);
  fprintf(out,
          "{\"solve\": %.6g, \"plain\": %.6g, \"step\": %.6g, \"ledger\": %.6g, \"solve_cpu\": %.6g, "
          "\"plain_cpu\": %.6g, \"step_cpu\": %.6g, \"triad\": %.4g, \"triad_alone\": %.4g, "
          "\"plain_products\": %.4g, \"products\": %.4g, \"most_products\": %d, \"active\": %d",
          t->plain[0] / steps, t->plain[1] / steps, t->step / steps, t->ledger / steps, t->plain[2] / steps,
          t->plain[3] / steps, t->step_cpu / steps, gb[0], gb[1], t->plain_products / steps,
          (double)(facts.products_sum - before->products_sum) / steps, facts.products,
          prc_stepper_record(b->stepper)->n_active);
#define X(name) fprintf(out, ", \"%s\": %.6g", #name, phases[PRC_STEP_##name] / steps);
  PRC_STEP_PHASES(X)
#undef X
  fprintf(out,
          ", \"messages\": %g, \"bytes\": %g, \"reductions\": %g, \"reduced_bytes\": %g, \"broadcasts\": %g, "
          "\"broadcast_bytes\": %g}\n",
          all[0] / steps, all[1] / steps, w->reductions / steps, w->reduced_bytes / steps,
          w->broadcasts / steps, w->broadcast_bytes / steps);
}

static prc_status run(bench *b, int steps, int rounds, FILE *out, prc_error *err) {
  prc_status status = PRC_OK;
  times ignored = {0};
  double limits = 0.0;
  say_sizes(b, out);
  prc_try(make_peer(b->model->system, prc_stepper_options(b->stepper), &b->peer, err));
  prc_try(courant(&b->peer, prc_stepper_options(b->stepper)->h, &limits, err));
  fprintf(out, "{\"courant\": %.4g}\n", limits);
  for (int k = 0; k < FIRST; k++) prc_try(one_step(b, k > 2, &ignored, err));
  for (int round = 0; round < rounds; round++) {
    double before[2], after[2], phases[PRC_STEP_N_PHASES];
    times t = {0};
    prc_try(triad(b->ranks, before, err));
    const prc_step_facts facts = prc_stepper_facts(b->stepper);
    for (int k = 0; k < steps; k++) prc_try(one_step(b, 1, &t, err));
    const prc_step_facts now = prc_stepper_facts(b->stepper);
    for (int k = 0; k < PRC_STEP_N_PHASES; k++) phases[k] = now.seconds[k] - facts.seconds[k];
    prc_try(triad(b->ranks, after, err));
    for (int k = 0; k < 2; k++) after[k] = fmin(before[k], after[k]);
    say_round(b, steps, &t, after, phases, &facts.linear, out);
    fflush(out);
  }
done:
  return status;
}

/* ---- beginning ------------------------------------------------------------------------------------------------------------- */

static prc_status begin(void *to, const prc_ranks **out, prc_error *err) {
  bench *b = to;
  const prc_status status = prc_ranks_begin(0, NULL, &b->ranks, err);
  *out = b->ranks;
  return status;
}

int main(int argc, char **argv) {
  prc_error err = {0};
  bench b = {0};
  prc_ranks_launch launch = {.begin = begin, .to = &b};
  FILE *nowhere = fopen("/dev/null", "w");
  prc_dense_single_thread();
  if (argc < 4) return fprintf(stderr, "usage: bench_ranks CASE.yaml STEPS ROUNDS [KEY=VALUE]...\n"), 2;
  (void)prc_ranks_foreseen(&launch.rank);
  FILE *out = launch.rank == 0 ? stdout : nowhere;
  const double began = prc_clock();
  prc_status status = prc_case_read(argv[1], argc - 4, (const char *const *)argv + 4, &b.c, &err);
  if (status == PRC_OK) {
    b.c->mesh.launch = &launch;
    status = prc_case_build(b.c, NULL, &b.model, &err);
  }
  if (status == PRC_OK) status = start(&b, &err);
  b.set_up = prc_clock() - began;
  if (status == PRC_OK) status = run(&b, atoi(argv[2]), atoi(argv[3]), out, &err);
  if (status != PRC_OK) fprintf(stderr, "bench_ranks: %s\n", err.message);
  if (status != PRC_OK && b.ranks) prc_ranks_abort(b.ranks, 1);
  _Exit(fflush(stdout) != 0 || (b.ranks && PMPI_Finalize() != 0)); /* what is left goes with the process */
}

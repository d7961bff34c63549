/* Contact problems of piles (tests/support/pile.h) by the solvers for W by blocks: iterations, time and error, from rest and from the
 * solution of a problem whose velocities differ by a thousandth of a step's fall, as in time stepping.
 *
 *   bench_piles [solver=NAME]... [tolerance=1e-10] [seconds=5] [only=TEXT] */
#include "config.h"
#include "support/pile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
  const char *name;
  pile_kind kind;
  int n;
  double mu, ratio;
} piles[] = {{"tower-10", PILE_TOWER, 10, 0.5, 1.0},
             {"tower-100", PILE_TOWER, 100, 0.5, 1.0},
             {"tower-100-smooth", PILE_TOWER, 100, 0.0, 1.0},
             {"tower-100-heavy", PILE_TOWER, 100, 0.5, 1e4},
             {"box-100", PILE_BOX, 100, 0.5, 1.0},
             {"box-1000-heavy", PILE_BOX, 1000, 0.3, 1e4},
             {"box-2000-smooth", PILE_BOX, 2000, 0.0, 1.0},
             {"box-2000", PILE_BOX, 2000, 0.5, 1.0},
             {"funnel-1000-smooth", PILE_FUNNEL, 1000, 0.0, 1.0},
             {"funnel-1000", PILE_FUNNEL, 1000, 0.3, 1.0},
             {"funnel-1000-rough", PILE_FUNNEL, 1000, 1.0, 1.0},
             {"funnel-1000-heavy", PILE_FUNNEL, 1000, 0.3, 1e4},
             {"random-1000", PILE_RANDOM, 1000, 0.5, 1.0},
             {"random-1000-heavy", PILE_RANDOM, 1000, 0.5, 1e4},
             {"random-10000", PILE_RANDOM, 10000, 0.3, 1.0},
             {"random-60000", PILE_RANDOM, 60000, 0.3, 1.0},
             {"loose-50000", PILE_LOOSE, 50000, 0.5, 1.0}};

typedef struct {
  const char *solver[8], *only;
  int n_solvers;
  double tolerance, seconds, from;
} request;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int is_over(void *data) {
  const request *r = data;
  return now() - r->from > r->seconds;
}

static void print(const char *solver, const char *start, int n, double seconds, const prc_cone_info *info) {
  printf("  %-18s %-4s %-10s %6d iterations %9.2f ms %8.1f ns a contact and iteration, error %.1e;", solver,
         start, info->converged ? "solved" : "NOT SOLVED", info->iterations, 1e3 * seconds,
         1e9 * seconds / ((double)n * (info->iterations > 0 ? info->iterations : 1)), info->error.scaled);
  for (int k = 0; k < info->n_stages; k++)
    printf(" %s %d", info->stages[k].method, info->stages[k].iterations);
  printf("\n");
}

static prc_status solve(request *r, pile *s, const char *name, prc_error *err) {
  prc_status status = PRC_OK;
  prc_cone_solver *solver = NULL;
  prc_cone_options options = prc_cone_options_default();
  options.tolerance = r->tolerance, options.criterion = PRC_CONE_SCALED;
  options.stop = is_over, options.stop_data = r;
  prc_try(prc_cone_solver_create_for(name, &s->problem, &options, &solver, err));
  for (int warm = 0; warm < 2; warm++) {
    if (warm) pile_disturb(s, 1e-3, 7);
    r->from = now();
    const prc_cone_info info = prc_cone_solve(solver, &s->problem, s->p);
    print(name, warm ? "warm" : "cold", s->H.n, now() - r->from, &info);
  }
done:
  prc_cone_solver_free(&solver);
  return status;
}

static prc_status bench(request *r, int k, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < r->n_solvers && status == PRC_OK; i++) {
    pile s;
    pile_make(&s, piles[k].kind, piles[k].n, piles[k].mu, piles[k].ratio, 1);
    const int n_blocks = s.W.blocks.row_start[s.H.n];
    const double from = now();
    status = prc_operator_condense_blocks(s.op, &s.H, s.H.n, NULL, 1.0, &s.W, err);
    if (i == 0)
      printf("%s: %d bodies, %d contacts, %.1f blocks each, %.1f ns a block\n", piles[k].name, s.n_bodies,
             s.H.n, (double)n_blocks / s.H.n, 1e9 * (now() - from) / n_blocks);
    if (status == PRC_OK) status = solve(r, &s, r->solver[i], err);
    pile_free(&s);
  }
  return status;
}

int main(int argc, char **argv) {
  request r = {.tolerance = 1e-10, .seconds = 5.0, .only = ""};
  prc_error err = {0};
  prc_status status = PRC_OK;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "solver=", 7) == 0 && r.n_solvers < 8) r.solver[r.n_solvers++] = argv[i] + 7;
    if (strncmp(argv[i], "tolerance=", 10) == 0) r.tolerance = strtod(argv[i] + 10, NULL);
    if (strncmp(argv[i], "seconds=", 8) == 0) r.seconds = strtod(argv[i] + 8, NULL);
    if (strncmp(argv[i], "only=", 5) == 0) r.only = argv[i] + 5;
  }
  if (r.n_solvers == 0) r.solver[r.n_solvers++] = "auto";
  prc_dense_single_thread();
  for (size_t k = 0; k < sizeof piles / sizeof *piles && status == PRC_OK; k++)
    if (strstr(piles[k].name, r.only)) status = bench(&r, (int)k, &err);
  if (status != PRC_OK) fprintf(stderr, "%s\n", err.message);
  return status != PRC_OK;
}

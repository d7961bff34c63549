/* The contact solver on files of the Friction Contact Library and on random problems of known solution.
 *
 *   bench_cone [FOLDER]          (default: ../shared/fclib/open beside the sources)
 *   bench_cone --file FILE TOLERANCE
 *       one problem, stored as percuss stores it, in a line for siconos_cone.py: finished by, solved, error, seconds, p
 *
 * Times are CPU times, the least of several solves from zero, with all that depends on the problem's values; reading and
 * the workspace are not in them. Errors are |p - proj_K(p - Phi(W p + b))| / (1 + |b|). */
#include "config.h"
#include "cone/cone.h"
#include "cone/fclib.h"
#include "linear/linear.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_FILES 512
static const double tolerances[] = {1e-8, 1e-12};

typedef struct {
  const char *name;
  int count, solved[2];
  double log_time[2];
} class_row;
static class_row classes[] = {{.name = "3D, 60 rows and more"},
                              {.name = "3D, less"},
                              {.name = "2D, 60 rows and more"},
                              {.name = "2D, less"}};

static void fail(const prc_error *err) {
  fprintf(stderr, "bench_cone: %s\n", err->message);
  exit(1);
}

static double cpu_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* what an empty measurement shows: taken off, as it is of the size of the smallest solves */
static double cpu_clock_cost(void) {
  double least = INFINITY;
  for (int k = 0; k < 200; k++) {
    const double began = cpu_clock();
    least = fmin(least, cpu_clock() - began);
  }
  return least;
}

/* solution: p out, dim n; or NULL */
static double time_of_solve(const prc_cone_problem *problem, double tolerance, prc_cone_info *info,
                            double *solution) {
  prc_error err = {0};
  prc_cone_solver *solver = NULL;
  prc_cone_options options = prc_cone_options_default();
  const size_t rows = (size_t)(problem->dim * problem->n);
  double *p = calloc(rows + 1, sizeof *p), least = INFINITY, total = 0.0;
  options.tolerance = tolerance, options.criterion = PRC_CONE_PAPER;
  if (prc_cone_solver_create_for("auto", problem, &options, &solver, &err) != PRC_OK) fail(&err);
  for (int k = 0; k < 20 && (k < 2 || total < 0.5); k++) {
    memset(p, 0, rows * sizeof *p);
    const double began = cpu_clock();
    *info = prc_cone_solve(solver, problem, p);
    const double seconds = cpu_clock() - began;
    least = fmin(least, seconds), total += seconds;
  }
  if (solution) memcpy(solution, p, rows * sizeof *p);
  prc_cone_solver_free(&solver);
  free(p);
  return fmax(least - cpu_clock_cost(), 1e-8);
}

static int bench_one(const char *path, double tolerance) {
  prc_error err = {0};
  prc_fclib *file = NULL;
  prc_cone_problem problem;
  prc_cone_info info;
  if (prc_fclib_read(path, &file, &err) != PRC_OK || prc_fclib_problem(file, &problem, &err) != PRC_OK)
    fail(&err);
  const int rows = problem.dim * problem.n;
  double *p = calloc((size_t)rows + 1, sizeof *p);
  const double seconds = time_of_solve(&problem, tolerance, &info, p);
  printf("%s %d %.17g %.9e", info.finished, info.converged, info.error.paper, seconds);
  for (int i = 0; i < rows; i++) printf(" %.17g", p[i]);
  printf("\n");
  free(p);
  prc_fclib_free(&file);
  return 0;
}

static void bench_file(const char *folder, const char *name) {
  prc_error err = {0};
  prc_fclib *file = NULL;
  prc_cone_problem problem;
  char path[2048];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (prc_fclib_read(path, &file, &err) != PRC_OK || prc_fclib_blocks(file, &problem, &err) != PRC_OK)
    fail(&err);
  class_row *row = classes + (problem.dim == 2 ? 2 : 0) + (problem.dim * problem.n < 60);
  row->count++;
  printf("%-40.40s %dD %5d", name, problem.dim, problem.n);
  for (int t = 0; t < 2; t++) {
    prc_cone_info info;
    const double seconds = time_of_solve(&problem, tolerances[t], &info, NULL);
    row->solved[t] += info.converged;
    row->log_time[t] += log(seconds);
    printf("  %s %5d %4d  %7.1e %10.3f ms", info.converged ? "+" : "-", info.iterations - info.newton,
           info.newton, info.error.paper, 1e3 * seconds);
  }
  printf("\n");
  fflush(stdout);
  prc_fclib_free(&file);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void bench_folder(const char *folder) {
  char *names[MOST_FILES];
  int count = 0;
  DIR *directory = opendir(folder);
  if (!directory) {
    printf("there is no folder %s: its problems are left out\n", folder);
    return;
  }
  for (struct dirent *entry = readdir(directory); entry && count < MOST_FILES; entry = readdir(directory))
    if (strstr(entry->d_name, ".hdf5")) names[count++] = strdup(entry->d_name);
  closedir(directory);
  qsort(names, (size_t)count, sizeof *names, by_name);
  printf("%-40s %8s  to 1e-8: sweeps, Newton steps, error, time   to 1e-12: the same\n", "problem",
         "contacts");
  for (int k = 0; k < count; k++) {
    bench_file(folder, names[k]);
    free(names[k]);
  }
  for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
    if (classes[k].count)
      printf("%-22s solved %d and %d of %d, geometric means %.3f and %.3f ms\n", classes[k].name,
             classes[k].solved[0], classes[k].solved[1], classes[k].count,
             1e3 * exp(classes[k].log_time[0] / classes[k].count),
             1e3 * exp(classes[k].log_time[1] / classes[k].count));
}

/* ---- random problems of known solution ------------------------------------------------------------------------------ */

static double normal(prc_random *r) {
  return sqrt(-2.0 * log(prc_random_uniform(r, 1e-300, 1.0)))
         * cos(prc_random_uniform(r, 0.0, 6.283185307179586));
}

/* W = H H', full, with singular values of H falling from 1 to condition^-1/2; p and w of every status; b = w - W p. */
static void make_random(int dim, int n, int rank, double condition, double mu_most, uint64_t seed, double *H,
                        double *W, double *b, double *mu) {
  const int rows = dim * n;
  prc_random r = {.state = seed};
  double *p = calloc((size_t)rows, sizeof *p);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rank; j++)
      H[i * rank + j] = normal(&r) * (rank > 1 ? pow(condition, -0.5 * j / (rank - 1)) : 1.0);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int l = 0; l < rank; l++) sum += H[i * rank + l] * H[j * rank + l];
      W[i * rows + j] = W[j * rows + i] = sum / rank;
    }
  for (int c = 0; c < n; c++) {
    const double angle = prc_random_uniform(&r, 0.0, 6.283185307179586),
                 status = prc_random_uniform(&r, 0.0, 3.0);
    const double t[2] = {dim == 2 ? (angle < 3.14159 ? 1.0 : -1.0) : cos(angle), sin(angle)};
    double *pc = p + dim * c, *w = b + dim * c;
    mu[c] = prc_random_uniform(&r, 0.0, mu_most);
    pc[0] = status < 1.0 ? 0.0 : prc_random_uniform(&r, 0.0, 1.0);
    w[0] = status < 1.0 ? prc_random_uniform(&r, 0.0, 1.0) : 0.0;
    const double share = status < 2.0 ? prc_random_uniform(&r, 0.0, 1.0) : 1.0;
    const double speed = status < 2.0 ? 0.0 : prc_random_uniform(&r, 0.0, 1.0);
    for (int d = 1; d < dim; d++)
      pc[d] = -share * mu[c] * pc[0] * t[d - 1], w[d] = status < 1.0 ? normal(&r) : speed * t[d - 1];
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) b[i] -= W[i * rows + j] * p[j];
  free(p);
}

static void bench_random(int dim, int n, double share, double condition, double mu_most, int count) {
  const size_t rows = (size_t)(dim * n);
  double *H = calloc(rows * rows, sizeof *H), *W = calloc(rows * rows, sizeof *W),
         *b = calloc(rows, sizeof *b), *mu = calloc((size_t)n, sizeof *mu), *p = calloc(rows, sizeof *p),
         seconds = 0.0, worst = 0.0;
  const prc_cone_problem problem = {.dim = dim, .n = n, .W = W, .b = b, .mu = mu};
  const prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  int solved = 0;
  if (prc_cone_solver_create("auto", dim, n, &options, &solver, &err) != PRC_OK) fail(&err);
  for (int k = 0; k < count; k++) {
    make_random(dim, n, (int)ceil(share * (double)rows), condition, mu_most, (uint64_t)k + 1, H, W, b, mu);
    memset(p, 0, rows * sizeof *p);
    const double began = prc_clock();
    const prc_cone_info info = prc_cone_solve(solver, &problem, p);
    seconds += prc_clock() - began;
    solved += info.converged;
    if (!info.converged) worst = fmax(worst, info.error.scaled);
  }
  printf("%dD %4d contacts, rank %3.0f %%, condition %.0e, mu < %.1f: %5d of %5d solved, %8.3f ms each, "
         "worst left %.1e\n",
         dim, n, 100.0 * share, condition, mu_most, solved, count, 1e3 * seconds / count, worst);
  fflush(stdout);
  prc_cone_solver_free(&solver);
  double *all[] = {H, W, b, mu, p};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

int main(int count, char **arguments) {
  static const double shares[] = {1.0, 0.6, 0.3}, conditions[] = {1.0, 1e8}, frictions[] = {0.5, 2.0};
  static const struct { int n, count; } sizes[] = {{1, 1000}, {3, 1000}, {10, 200}, {30, 30}, {100, 3}};
  prc_dense_single_thread();
  if (count == 4 && !strcmp(arguments[1], "--file"))
    return bench_one(arguments[2], strtod(arguments[3], NULL));
  bench_folder(count > 1 ? arguments[1] : PRC_BENCH_FOLDER);
  printf("random problems of known solution, W dense, to 1e-10 in both measures\n");
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int dim = 2; dim <= 3; dim++)
      for (int k = 0; k < 12; k++)
        bench_random(dim, sizes[s].n, shares[k / 4], conditions[k / 2 % 2], frictions[k % 2], sizes[s].count);
  return 0;
}

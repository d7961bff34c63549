#include "config.h"
#include "cli/cli.h"
#include "cone/fclib.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* percuss cone: contact problems in FCLib files. Both measures count: the one that depends on units, as the
 * collections compare solvers with it, and the one that does not. */

/* ---- the command line ---------------------------------------------------------------------------------- */

typedef struct {
  const char *path; /* a problem, or a folder of them when all is set */
  const char *solver, *output;
  double tolerance, max_time; /* max_time 0: the budget is the solver's own count of iterations */
  long long explore;          /* 0: no */
  uint64_t seed;
  int all;
  int direct; /* global problems as they are */
} cone_request;

static const struct option long_options[] = {
    {"solver", required_argument, NULL, 's'},
    {"tolerance", required_argument, NULL, 't'},
    {"max-time", required_argument, NULL, 'm'},
    {"output", required_argument, NULL, 'o'},
    {"all", required_argument, NULL, 'a'},
    {"explore", required_argument, NULL, 'e'},
    {"seed", required_argument, NULL, 'd'},
    {"direct", no_argument, NULL, 'g'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static void print_help(void) {
  printf("Usage: percuss cone %s\n       percuss cone --all DIR [OPTION]...\n\n%s.\n\n", cli_cone.arguments,
         cli_cone.help);
  puts("  --solver NAME        auto, or one of the methods below alone [auto]\n"
       "  --direct             solves a global problem for velocities and percussions together, without "
       "forming W,\n"
       "                       by newton, extragradient or projected-gradient [newton]\n"
       "  --tolerance X        on |p - proj(p - Phi(W p + b))| / (1 + |b|), and on the same free of units "
       "[1e-10]\n"
       "  --max-time S         goes on for up to S seconds, instead of a number of iterations\n"
       "  -o, --output FILE    writes p, one component a line, 17 digits; with --explore the table\n"
       "  --all DIR            solves all problems of a folder (*.hdf5) into a table\n"
       "  --explore N          solves N times from random percussions and prints how far the solutions "
       "differ:\n"
       "                       the bounding box of each contact's percussion\n"
       "  --seed S             of the random numbers [1]\n"
       "  --help               prints this\n"
       "  --version            prints the version\n\nMethods:");
  int count;
  const prc_cone_ability *method = prc_cone_abilities(&count);
  for (int k = 0; k < count; k++)
    printf("  %-18s   %s%s\n", method[k].name, method[k].help, method[k].dims >> 3 & 1u ? "" : " (2D)");
  puts("\nExit status: 0 solved, 1 the tolerance was not reached, 2 the usage or a file is wrong.");
}

static int wrong_value(const char *option, const char *value, const char *expected) {
  cli_print(stderr, "percuss cone: --%s is '%s', expected %s\n", option, value, expected);
  return CLI_WRONG;
}

/* A positive number, or 0. */
static double positive(const char *text) {
  char *end;
  const double x = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(x) && x > 0.0 ? x : 0.0;
}

/* A whole number from 0 to most, or -1. */
static long long read_integer(const char *text, long long most) {
  char *end;
  errno = 0;
  const long long x = strtoll(text, &end, 10);
  return end != text && *end == '\0' && errno == 0 && x >= 0 && x <= most ? x : -1;
}

static int read_option(int letter, cone_request *r) {
  if (letter == 's') r->solver = optarg;
  if (letter == 'o') r->output = optarg;
  if (letter == 'g') r->direct = 1;
  if (letter == 'a') r->path = optarg, r->all = 1;
  if (letter == 't' && !((r->tolerance = positive(optarg)) > 0.0 && r->tolerance < 1.0))
    return wrong_value("tolerance", optarg, "a number between 0 and 1, such as 1e-10");
  if (letter == 'm' && !((r->max_time = positive(optarg)) > 0.0))
    return wrong_value("max-time", optarg, "a positive number of seconds");
  if (letter == 'e' && (r->explore = read_integer(optarg, 1000000000)) < 1)
    return wrong_value("explore", optarg, "a number of solves, at least 1");
  if (letter == 'd') {
    const long long seed = read_integer(optarg, LLONG_MAX);
    if (seed < 0) return wrong_value("seed", optarg, "a whole number >= 0");
    r->seed = (uint64_t)seed;
  }
  return -1;
}

static int wrong_usage(const char *what) {
  fprintf(stderr, "percuss cone: %s; see 'percuss cone --help'\n", what);
  return CLI_WRONG;
}

/* Returns -1 to go on, or the exit status. */
static int parse(int argc, char **argv, cone_request *r) {
  int letter;
  *r = (cone_request){.solver = "auto", .tolerance = prc_cone_options_default().tolerance, .seed = 1};
  opterr = 0;
  optind = 1;
  while ((letter = getopt_long(argc, argv, "o:hV", long_options, NULL)) != -1) {
    if (letter == 'h') return print_help(), CLI_DONE;
    if (letter == 'V') return cli_print_version(), CLI_DONE;
    if (letter == '?') {
      cli_print(stderr, "percuss cone: '%s' is not understood; see 'percuss cone --help'\n",
                argv[optind - 1]);
      return CLI_WRONG;
    }
    const int status = read_option(letter, r);
    if (status >= 0) return status;
  }
  if (r->direct && r->explore) return wrong_usage("--explore goes without --direct");
  if (r->direct && strcmp(r->solver, "auto") == 0) r->solver = "newton";
  if (r->all && argc > optind) return wrong_usage("with --all there is no other problem");
  if (r->all && (r->explore || r->output)) return wrong_usage("--all goes without --explore and --output");
  if (!r->all && argc - optind != 1)
    return wrong_usage(argc > optind ? "more than one problem" : "which problem?");
  if (!r->all) r->path = argv[optind];
  return -1;
}

/* ---- solving one --------------------------------------------------------------------------------------- */

enum { ITERATIONS = 30000 }; /* without --max-time: three times what a step may spend */

typedef struct {
  double deadline; /* of prc_clock; infinite without --max-time */
} budget;

static int is_over(void *data) {
  const budget *b = data;
  return cli_interrupted() || prc_clock() > b->deadline;
}

/* An interrupt from here on prints what is found by then. */
static prc_cone_options options_of(const cone_request *r, budget *b) {
  prc_cone_options options = prc_cone_options_default();
  b->deadline = r->max_time > 0.0 ? prc_clock() + r->max_time : INFINITY;
  options.tolerance = r->tolerance;
  options.criterion = PRC_CONE_BOTH;
  cli_defer_interrupts(1);
  options.stop = is_over, options.stop_data = b;
  options.max_iterations = r->max_time > 0.0 ? INT_MAX / 4 : ITERATIONS;
  return options;
}

typedef struct {
  prc_fclib *file;
  prc_cone_problem problem; /* points into file */
  double *p;                /* the solution, or the best there is */
  prc_cone_info info;
  double seconds; /* creating the solver and solving */
} cone_work;

static void free_work(cone_work *work) {
  prc_fclib_free(&work->file);
  prc_delete(&work->p);
}

static prc_status load(const char *path, int direct, cone_work *work, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_fclib_read(path, &work->file, err));
  prc_try(direct ? prc_fclib_whole(work->file, &work->problem, err)
                 : prc_fclib_problem(work->file, &work->problem, err));
  prc_try(prc_cone_problem_check(&work->problem, err)); /* what a condensed one has become */
done:
  if (status == PRC_IO) status = err->status = PRC_INPUT; /* a file that is not there is a wrong usage */
  return status;
}

/* From p = 0: what a file has as its solution is not one. */
static prc_status solve(const cone_request *r, cone_work *work, prc_error *err) {
  prc_status status = PRC_OK;
  budget b;
  const prc_cone_options options = options_of(r, &b);
  const double began = prc_clock();
  prc_cone_solver *solver = NULL;
  prc_try(prc_new(&work->p, work->problem.dim * work->problem.n, err));
  prc_try(prc_cone_solver_create_for(r->solver, &work->problem, &options, &solver, err));
  work->info = prc_cone_solve(solver, &work->problem, work->p);
  work->seconds = prc_clock() - began;
done:
  prc_cone_solver_free(&solver);
  return status;
}

/* ---- printing one -------------------------------------------------------------------------------------- */

static void print_text(const char *label, const char *text) {
  if (*text) cli_print(stdout, "%s%s\n", label, text);
}

static void print_size(const cone_request *r, const cone_work *work) {
  const prc_fclib *f = work->file;
  const int n = f->dim * f->n;
  cli_print(stdout, "problem    %s\n", r->path);
  print_text("           ", f->title);
  printf("size       %dD, %d contact%s, %s", f->dim, f->n, f->n == 1 ? "" : "s",
         f->global ? "global" : "local");
  if (f->global) printf(" with %d velocities%s", f->n_velocities, work->problem.whole ? "" : ", condensed");
  if (work->problem.whole) {
    printf("\nmatrices   M with %d entries, H with %d; W is not formed\n", f->M.p[f->M.n_cols],
           f->H.p[f->H.n_cols]);
    return;
  }
  printf("\nW          %d x %d, %d entries, treated as %s\n", n, n, f->W.p[n],
         work->problem.W ? "dense" : "sparse by blocks");
}

/* Singular values below 1e-10 of the largest count as zero. Negative eigenvalues of the symmetric part are
 * told when they are more than rounding. */
static prc_status print_spectrum(const prc_cone_problem *problem, double *x, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = problem->dim * problem->n;
  int rank = 0;
  prc_try(prc_cone_singular_values(problem, x, err));
  while (rank < n && x[rank] > 1e-10 * x[0]) rank++;
  printf("           rank %d of %d", rank, n);
  if (rank > 0) printf(", condition %.1e", x[0] / x[rank - 1]);
  prc_try(prc_cone_eigenvalues(problem, x, err));
  if (x[0] < -1e-12 * fabs(x[n - 1]))
    printf("; not semi-definite, the smallest eigenvalue is %.1e of the largest", x[0] / fabs(x[n - 1]));
  putchar('\n');
done:
  return status;
}

static prc_status print_matrix(const cone_work *work, prc_error *err) {
  enum { MANY = 1000 }; /* rows: beyond, this takes more than about a second */
  prc_status status = PRC_OK;
  const int n = work->problem.dim * work->problem.n;
  double *x = NULL;
  if (work->problem.whole) return PRC_OK;
  const double asymmetry = prc_cone_asymmetry(&work->problem);
  if (asymmetry > 0.0)
    printf("           largest |W - W'| is %.1e of the largest |W|\n", asymmetry);
  else
    puts("           symmetric");
  if (n > 0 && n <= MANY) {
    prc_try(prc_new(&x, n, err));
    prc_try(print_spectrum(&work->problem, x, err));
  }
done:
  prc_delete(&x);
  return status;
}

static void print_statuses(const cone_work *work) {
  int count[3] = {0, 0, 0};
  for (int c = 0; c < work->problem.n; c++)
    count[prc_cone_status_of(work->problem.dim, work->problem.mu[c], work->p + c * work->problem.dim)]++;
  printf("contacts   %d open, %d sticking, %d sliding\n", count[PRC_CONE_OPEN], count[PRC_CONE_STICK],
         count[PRC_CONE_SLIP]);
}

static void print_result(const cone_request *r, const cone_work *work) {
  const prc_cone_info *info = &work->info;
  printf("solver     %s, finished by %s: %d iterations, of which %d Newton steps\n", r->solver,
         info->finished, info->iterations, info->newton);
  if (info->n_stages > 1) fputs("path       ", stdout);
  for (int k = 0; k < info->n_stages && info->n_stages > 1; k++)
    printf("%s %d%s", info->stages[k].method, info->stages[k].iterations,
           k + 1 < info->n_stages ? ", " : " iterations\n");
  printf("time       %.3g s\n", work->seconds);
  printf("error      %.3g (free of units: %.3g)\n", info->error.paper, info->error.scaled);
  if (info->converged)
    printf("solved     to %g\n", r->tolerance);
  else
    printf("NOT SOLVED to %g%s%s%s\n", r->tolerance,
           info->infeasible ? ": there is no solution, no p makes the velocities admissible" : "",
           info->rounding > r->tolerance ? ": rounding alone is more than that" : "",
           cli_interrupted() ? " (interrupted)" : "");
}

static prc_status write_percussions(const cone_request *r, const cone_work *work, prc_error *err) {
  FILE *file = fopen(r->output, "w");
  if (!file) return prc_fail(err, PRC_IO, "%s: cannot be written: %s", r->output, strerror(errno));
  int bad = 0;
  for (int i = 0; i < work->problem.dim * work->problem.n; i++)
    bad |= fprintf(file, "%.17g\n", work->p[i]) < 0;
  bad |= fclose(file) != 0;
  return bad ? prc_fail(err, PRC_IO, "%s: cannot be written: %s", r->output, strerror(errno)) : PRC_OK;
}

static prc_status solve_one(const cone_request *r, int *failed, prc_error *err) {
  prc_status status = PRC_OK;
  cone_work work = {.file = NULL};
  prc_try(load(r->path, r->direct, &work, err));
  prc_try(solve(r, &work, err));
  print_size(r, &work);
  prc_try(print_matrix(&work, err));
  print_statuses(&work);
  print_result(r, &work);
  if (r->output) prc_try(write_percussions(r, &work, err));
  *failed = !work.info.converged;
done:
  free_work(&work);
  return status;
}

/* ---- exploring one ------------------------------------------------------------------------------------- */

static prc_status write_boxes(const cone_request *r, const prc_cone_problem *problem,
                              const prc_cone_exploration *e, prc_error *err) {
  const int dim = problem->dim;
  FILE *file = r->output ? fopen(r->output, "w") : stdout;
  if (!file) return prc_fail(err, PRC_IO, "%s: cannot be written: %s", r->output, strerror(errno));
  int bad = fputs(dim == 2 ? "contact,p_n_min,p_n_max,p_t_min,p_t_max\n"
                           : "contact,p_n_min,p_n_max,p_t1_min,p_t1_max,p_t2_min,p_t2_max\n",
                  file)
            < 0;
  for (int c = 0; c < problem->n && e->n_solved > 0; c++) {
    bad |= fprintf(file, "%d", c) < 0;
    for (int k = dim * c; k < dim * c + dim; k++)
      bad |= fprintf(file, ",%.17g,%.17g", e->low[k], e->high[k]) < 0;
    bad |= putc('\n', file) < 0;
  }
  if (!r->output) return PRC_OK; /* the terminal is looked at in the end */
  bad |= fclose(file) != 0;
  return bad ? prc_fail(err, PRC_IO, "%s: cannot be written: %s", r->output, strerror(errno)) : PRC_OK;
}

static prc_status explore_one(const cone_request *r, int *failed, prc_error *err) {
  prc_status status = PRC_OK;
  cone_work work = {.file = NULL};
  prc_cone_exploration *e = NULL;
  budget b;
  prc_try(load(r->path, r->direct, &work, err));
  prc_cone_options options = options_of(r, &b);
  /* each solve has its own; the clock is for all */
  options.max_iterations = prc_cone_options_default().max_iterations;
  prc_try(prc_cone_explore(&work.problem, r->solver, &options, (int)r->explore, r->seed, &e, err));
  print_size(r, &work);
  printf("explored   %d solves, %d of them to %g: %d distinct solution%s (relative %g)\n", e->n_draws,
         e->n_solved, r->tolerance, e->n_distinct, e->n_distinct == 1 ? "" : "s", e->distinct);
  prc_try(write_boxes(r, &work.problem, e, err));
  *failed = e->n_solved == 0;
done:
  prc_cone_exploration_free(&e);
  free_work(&work);
  return status;
}

/* ---- a folder of problems ------------------------------------------------------------------------------ */

static int is_problem(const struct dirent *entry) {
  const char *dot = strrchr(entry->d_name, '.');
  return entry->d_name[0] != '.' && dot && strcmp(dot, ".hdf5") == 0;
}

/* A row of the table, with the larger of the two errors; a problem that cannot be read has one that says
 * so. */
static int solve_row(const cone_request *r, const char *name, int width) {
  char path[4096];
  prc_error err = {0};
  cone_work work = {.file = NULL};
  snprintf(path, sizeof path, "%s/%s", r->path, name);
  const int length = (int)(strrchr(name, '.') - name);
  cli_print(stdout, "%-*.*s ", width, length, name);
  fflush(stdout);
  cli_release_interrupts(CLI_STOPPED, CLI_FAILED);
  if (load(path, r->direct, &work, &err) == PRC_OK && solve(r, &work, &err) == PRC_OK)
    printf("%8d %3d %9.2e %10d %10.4g  %s%s\n", work.problem.n, work.problem.dim,
           fmax(work.info.error.paper, work.info.error.scaled), work.info.iterations, work.seconds,
           work.info.finished,
           work.info.converged    ? ""
           : work.info.infeasible ? "  NO SOLUTION EXISTS"
                                  : "  NOT SOLVED");
  else {
    printf("%8s %3s %9s %10s %10s  NOT SOLVED\n", "-", "-", "-", "-", "-");
    fflush(stdout);
    fprintf(stderr, "%s\n", err.message);
  }
  const int solved = work.info.converged;
  free_work(&work);
  return solved;
}

static prc_status check_solver(const cone_request *r, prc_error *err) {
  const prc_cone_options options = prc_cone_options_default();
  prc_status status = PRC_INPUT;
  for (int dim = 2; dim <= 3 && status != PRC_OK; dim++) {
    prc_cone_solver *solver = NULL;
    prc_error_clear(err);
    status = prc_cone_solver_create(r->solver, dim, 1, &options, &solver, err);
    prc_cone_solver_free(&solver);
  }
  return status;
}

static prc_status solve_all(const cone_request *r, int *failed, prc_error *err) {
  prc_status status = PRC_OK;
  struct dirent **entry = NULL;
  int n_solved = 0, n_done = 0, width = 7;
  prc_try(check_solver(r, err));
  const int n = scandir(r->path, &entry, is_problem, alphasort);
  if (n < 0) prc_try(prc_fail(err, PRC_INPUT, "%s: cannot be read: %s", r->path, strerror(errno)));
  if (n == 0) prc_try(prc_fail(err, PRC_INPUT, "%s: has no problems, expected files *.hdf5", r->path));
  for (int k = 0; k < n; k++) {
    const int length = (int)(strrchr(entry[k]->d_name, '.') - entry[k]->d_name);
    width = length > width ? length : width;
  }
  printf("%-*s %8s %3s %9s %10s %10s  %s\n", width, "problem", "contacts", "dim", "error", "iterations",
         "seconds", "solver");
  for (int k = 0; k < n && !cli_interrupted(); k++)
    n_done++, n_solved += solve_row(r, entry[k]->d_name, width);
  cli_defer_interrupts(1);
  printf("%d of %d solved to %g\n", n_solved, n, r->tolerance);
  if (n_done < n) printf("interrupted: %d not tried\n", n - n_done);
  *failed = n_solved < n;
  for (int k = 0; k < n; k++) free(entry[k]);
done:
  free(entry);
  return status;
}

static int cone_command(int argc, char **argv) {
  cone_request r;
  prc_error err = {0};
  int failed = 0;
  const int status = parse(argc, argv, &r);
  if (status >= 0) return status;
  cli_catch_interrupts(CLI_STOPPED, CLI_FAILED);
  const prc_status result = r.all       ? solve_all(&r, &failed, &err)
                            : r.explore ? explore_one(&r, &failed, &err)
                                        : solve_one(&r, &failed, &err);
  if (result != PRC_OK) return cli_report(&err);
  return failed ? CLI_FAILED : CLI_DONE;
}

const cli_command cli_cone = {"cone",
                              "PROBLEM.hdf5 [--solver NAME] [--tolerance X] [--max-time S] [-o r.txt]",
                              "solves a contact problem in an FCLib file, or a folder of them", cone_command};

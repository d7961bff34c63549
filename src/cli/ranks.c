#include "config.h"
#include "cli/checkpoint.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ranks of a run: all read the case, make their part of the model and step; the ledger is the same on all, to the last bit; rank 0 writes tables, checkpoints
 * and words, each rank its piece of the fields. Decisions that depend on a clock or a signal are rank 0's. */

/* How long a rank that has failed waits for the others to end as well, before it ends them: seconds. Where it may be the only one, who has not failed waits for it
 * in a computation; where all know, rank 0 may have results to save first. */
#define PATIENCE 15.0
#define SAVING   600.0

/* ---- starting and ending ------------------------------------------------------------------------------------------ */

static prc_status begin(void *to, const prc_ranks **out, prc_error *err) {
  cli_ranks *r = to;
  const prc_status status = prc_ranks_begin(r->n_options, (const char *const *)r->options, &r->ranks, err);
  *out = r->ranks;
  return status;
}

/* -prc_... and the value behind it, if there is one. */
static void read_options(cli_ranks *r, int *argc, char **argv) {
  int kept = 1, taken = 0;
  for (int i = 1; i < *argc; i++)
    if (strncmp(argv[i], "-prc_", 5) == 0) {
      r->options[taken++] = argv[i];
      if (i + 1 < *argc && (argv[i + 1][0] != '-' || (argv[i + 1][1] >= '0' && argv[i + 1][1] <= '9')))
        r->options[taken++] = argv[++i];
    } else
      argv[kept++] = argv[i];
  r->n_options = taken;
  if (taken > 0) *argc = kept, argv[kept] = NULL;
}

static void fall_silent(cli_ranks *r) {
  r->voice = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  for (int k = STDOUT_FILENO; k <= STDERR_FILENO; k++) (void)dup2(nowhere, k);
  close(nowhere);
}

void cli_ranks_prepare(cli_ranks *r, int *argc, char **argv) {
  prc_error ignored = {0};
  *r = (cli_ranks){.voice = -1};
  r->n = prc_ranks_foreseen(&r->rank);
  r->launch = (prc_ranks_launch){.rank = r->rank, .begin = begin, .to = r};
  if (prc_new(&r->options, (size_t)*argc + 1, &ignored) == PRC_OK) read_options(r, argc, argv);
  if (r->rank > 0 && !getenv("PERCUSS_ALL_RANKS")) fall_silent(r);
}

int cli_ranks_share(const cli_ranks *r, const char *solver) {
  return r && (r->n > 1 || strcmp(solver, "petsc") == 0);
}

int cli_ranks_finish(cli_ranks *r, int status, const prc_error *err) {
  prc_delete(&r->options);
  if (!r->ranks) return status;
  fflush(stdout);
  const double patience = !err ? INFINITY : (err->agreed ? SAVING : PATIENCE) + 0.1 * r->rank;
  if (!prc_ranks_end_together(r->ranks, patience)) {
    if (r->voice >= 0) dprintf(r->voice, "percuss: rank %d of %d: %s\n", r->rank, r->n, err->message);
    prc_ranks_abort(r->ranks, status);
  }
  prc_ranks_end(&r->ranks);
  if (r->voice >= 0) close(r->voice);
  return status;
}

/* ---- of a run ------------------------------------------------------------------------------------------------------- */

int cli_ranks_write(const cli_run_state *run) {
  return !run->share || run->share->ranks->rank == 0;
}

void cli_ranks_tell(const cli_run_state *run, size_t bytes, void *data) {
  if (run->share) run->share->ranks->broadcast(run->share->ranks->of, bytes, data);
}

prc_status cli_ranks_agree(const cli_run_state *run, prc_status status, prc_error *err) {
  return prc_ranks_agree(run->share ? run->share->ranks : NULL, status, err);
}

void cli_ranks_fail(const cli_run_state *run, prc_error *err) {
  if (run->share && !err->agreed) err->agreed = prc_ranks_end_together(run->share->ranks, PATIENCE);
}

prc_status cli_ranks_compare(const cli_run_state *run, prc_error *err) {
  char first[CLI_KERNELS];
  prc_status status = PRC_OK;
  memcpy(first, run->kernels, sizeof first);
  cli_ranks_tell(run, sizeof first, first);
  if (strcmp(first, run->kernels) != 0)
    status = prc_fail(
        err, PRC_INPUT,
        "rank %d computes with %s and rank 0 with %s, expected the same: OPENBLAS_CORETYPE=Haswell, for "
        "instance, makes them so",
        run->share->ranks->rank, run->kernels, first);
  return cli_ranks_agree(run, status, err);
}

uint64_t cli_ranks_hash(const prc_share *share, int n, double *sums) {
  uint64_t hash = PRC_HASH_START;
  char text[32];
  prc_share_sum(share, n, sums);
  for (int k = 0; k < n; k++) {
    snprintf(text, sizeof text, "%.8e", sums[k]);
    hash = prc_hash(hash, text, strlen(text));
  }
  return hash;
}

prc_status cli_ranks_make_row(cli_run_state *run, prc_error *err) {
  if (!run->share) return PRC_OK;
  return prc_new(&run->whole_row, 2 * (size_t)run->c->n_supports + cli_probes_columns(run) + 1, err);
}

void cli_ranks_fill_row(cli_run_state *run) {
  const int supports = 2 * run->c->n_supports;
  if (!run->share) return;
  const int n = supports + cli_probes_own(run, run->whole_row + supports);
  cli_supports_own(run, run->whole_row);
  prc_share_sum(run->share, n, run->whole_row);
}

prc_status cli_ranks_collect(const prc_share *share, const double *x, double **out, prc_error *err) {
  prc_status status = PRC_OK;
  enum { PIECE = 1 << 20 };
  const int writes = share->ranks->rank == 0;
  if (writes) status = prc_new(out, (size_t)share->width * (size_t)share->n_whole, err);
  prc_try(prc_ranks_agree(share->ranks, status, err));
  for (int from = 0; from < share->n_whole; from += PIECE) {
    const int n = share->n_whole - from < PIECE ? share->n_whole - from : PIECE;
    prc_try(
        prc_share_gather(share, x, from, n, writes ? *out + (size_t)share->width * (size_t)from : NULL, err));
  }
done:
  return status;
}

prc_status cli_ranks_spread(const prc_share *share, const double *whole, double *x, prc_error *err) {
  prc_status status = PRC_OK;
  enum { PIECE = 1 << 20 };
  for (int from = 0; from < share->n_whole; from += PIECE) {
    const int n = share->n_whole - from < PIECE ? share->n_whole - from : PIECE;
    prc_try(prc_share_scatter(share, from, n, whole ? whole + (size_t)share->width * (size_t)from : NULL, x,
                              err));
  }
done:
  return status;
}

/* ---- check ---------------------------------------------------------------------------------------------------------------- */

/* Can processes that mpiexec starts share it? Bounds by single cells are 1.2 to 3 times below those of the mesh: conjugate gradients take some 20 products of short steps, and multigrid
 * pays from some thirty Courant limits on. */
void cli_ranks_print(const cli_run_state *run) {
  const char *key = NULL, *what = prc_case_limit_of_ranks(run->c, &key);
  if (!run->c->mesh.file) return;
  if (what) {
    cli_print(stdout, "ranks     one process alone: %s %s\n", key, what);
    return;
  }
  const prc_body *mesh;
  (void)prc_scene_bodies(run->model->scene, &mesh);
  const double courant = mesh->kind->view->courant(mesh->self, run->c->time.step);
  printf("ranks     processes can share it (mpiexec -n N percuss run)%s\n",
         courant > 60.0   ? "; in steps as long as these with -prc_pc_type gamg"
         : courant > 20.0 ? "; steps as long as these take them a hundred products and more"
                          : "");
}

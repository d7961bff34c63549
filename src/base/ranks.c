#include "config.h"
#include "base/ranks.h"
#include "base/order.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was started ---------------------------------------------------------------------------------- */

/* A whole number >= least of a variable of the environment, or -1. */
static int read_variable(const char *name, int least) {
  const char *text = getenv(name);
  char *end = NULL;
  if (!text || !*text) return -1;
  errno = 0;
  const long value = strtol(text, &end, 10);
  return errno == 0 && *end == '\0' && value >= least && value <= INT_MAX ? (int)value : -1;
}

/* mpiexec within a job of Slurm sets its own: it comes first. Inside a script of sbatch, and in what salloc starts, SLURM_NTASKS and SLURM_PROCID are there
 * without any srun: a step's number of tasks is not. */
static const struct {
  const char *size, *rank;
} launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                 {"PMI_SIZE", "PMI_RANK"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

int prc_ranks_foreseen(int *rank) {
  *rank = 0;
  if (read_variable("PERCUSS_RANKS", 1) == 1) return 1;
  for (size_t k = 0; k < sizeof launchers / sizeof *launchers; k++) {
    const int n = read_variable(launchers[k].size, 1), own = read_variable(launchers[k].rank, 0);
    if (n < 1 || own < 0 || own >= n) continue;
    *rank = own;
    return n;
  }
  return 1;
}

/* ---- what all agree on --------------------------------------------------------------------------------- */

prc_status prc_ranks_agree(const prc_ranks *ranks, prc_status status, prc_error *err) {
  if (!ranks || (status != PRC_OK && err->agreed)) return status;
  double last = status == PRC_OK ? -1.0 : ranks->n - ranks->rank;
  prc_error other = *err;
  ranks->largest(ranks->of, 1, &last);
  if (last < 0.0) return PRC_OK;
  const int failed = ranks->n - (int)last;
  other.status = status;
  if (failed != 0 && ranks->rank == failed) ranks->send(ranks->of, 0, sizeof other, &other);
  if (failed != 0 && ranks->rank == 0) ranks->receive(ranks->of, failed, sizeof other, &other);
  ranks->broadcast(ranks->of, sizeof other, &other);
  other.file = __FILE__, other.line = __LINE__; /* another process has its source elsewhere */
  other.agreed = 1;
  *err = other;
  return other.status;
}

void prc_share_sum(const prc_share *share, int n, double *x) {
  if (share) share->ranks->sum(share->ranks->of, n, x);
}

void prc_share_largest(const prc_share *share, int n, double *x) {
  if (share) share->ranks->largest(share->ranks->of, n, x);
}

/* Own items between two places that belong to from .. from+n-1 of the whole. */
typedef struct {
  int begin, end;
} range;

static range find(const prc_share *share, int first, int end, int from, int n) {
  const int *list = share->whole + first, until = from + n;
  const size_t count = (size_t)(end - first);
  return (range){first + (int)prc_lower_bound(&from, list, count, sizeof *list, prc_by_int),
                 first + (int)prc_lower_bound(&until, list, count, sizeof *list, prc_by_int)};
}

/* A run of them: every rank sends where its items belong, then what they are. */
static void receive_run(const prc_ranks *ranks, int rank, int width, int from, int *item, double *value,
                        double *out) {
  int count = 0;
  ranks->receive(ranks->of, rank, sizeof count, &count);
  if (count == 0) return;
  ranks->receive(ranks->of, rank, (size_t)count * sizeof *item, item);
  ranks->receive(ranks->of, rank, (size_t)width * (size_t)count * sizeof *value, value);
  for (int k = 0; k < count; k++)
    memcpy(out + (size_t)width * (size_t)(item[k] - from), value + (size_t)width * (size_t)k,
           (size_t)width * sizeof *value);
}

static void send_run(const prc_share *share, range r, const double *x) {
  const prc_ranks *ranks = share->ranks;
  const int count = r.end - r.begin;
  ranks->send(ranks->of, 0, sizeof count, &count);
  if (count == 0) return;
  ranks->send(ranks->of, 0, (size_t)count * sizeof *share->whole, share->whole + r.begin);
  ranks->send(ranks->of, 0, (size_t)share->width * (size_t)count * sizeof *x,
              x + (size_t)share->width * (size_t)r.begin);
}

prc_status prc_share_gather(const prc_share *share, const double *x, int from, int n, double *out,
                            prc_error *err) {
  prc_status status = PRC_OK;
  const range own[2] = {find(share, share->first, share->middle, from, n),
                        find(share, share->middle, share->end, from, n)};
  const size_t width = (size_t)share->width;
  const prc_ranks *ranks = share->ranks;
  int *item = NULL;
  double *value = NULL;
  if (ranks->rank == 0) status = prc_new(&item, n, err);
  if (ranks->rank == 0 && status == PRC_OK) status = prc_new(&value, width * (size_t)n, err);
  prc_try(prc_ranks_agree(ranks, status, err)); /* from here on none fails */
  for (int k = 0; k < 2; k++) {
    if (ranks->rank > 0) send_run(share, own[k], x);
    for (int i = own[k].begin; i < own[k].end && ranks->rank == 0; i++)
      memcpy(out + width * (size_t)(share->whole[i] - from), x + width * (size_t)i, width * sizeof *x);
  }
  for (int rank = 1; rank < ranks->n && item && value; rank++) /* rank 0 has these */
    for (int k = 0; k < 2; k++) receive_run(ranks, rank, share->width, from, item, value, out);
done:
  prc_delete(&item);
  prc_delete(&value);
  return status;
}

prc_status prc_share_scatter(const prc_share *share, int from, int n, const double *in, double *x,
                             prc_error *err) {
  prc_status status = PRC_OK;
  const size_t width = (size_t)share->width, count = width * (size_t)n;
  double *copy = NULL;
  prc_try(prc_ranks_agree(share->ranks, prc_new(&copy, count, err), err));
  if (share->ranks->rank == 0) memcpy(copy, in, count * sizeof *copy);
  share->ranks->broadcast(share->ranks->of, count * sizeof *copy, copy);
  for (int i = 0; i < share->n; i++)
    if (share->whole[i] >= from && share->whole[i] < from + n)
      memcpy(x + width * (size_t)i, copy + width * (size_t)(share->whole[i] - from), width * sizeof *x);
done:
  prc_delete(&copy);
  return status;
}

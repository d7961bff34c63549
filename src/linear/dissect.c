#include "config.h"
#include "linear/internal.h"

#include <limits.h>
#include <metis.h>
#include <signal.h>
#include <string.h>

_Static_assert(sizeof(idx_t) >= sizeof(int),
               "METIS counts in numbers that hold ours"); /* 32 or 64 bits: metis.h says */

/* Nested dissection by METIS_NodeND, in a process of its own. While it works it has SIGTERM and SIGABRT of the whole process lead out
 * of itself by longjmp, wherever a thread stands, be it in malloc; it gives rand() a new start; and where memory runs out it prints.
 * None of that may happen to who calls us. Its memory is gone when it is done, too. */

/* The options, tried on ten meshes of 2 400 to 60 000 unknowns with six seeds each, and on larger ones (doc/notes/linear.md):
 *   nseps    of 3 separators the best is taken: more cost more than they bring;
 *   rtype    separators are improved from one side (better by half a per cent with linear triangles) or from both (by two with
 *            quadratic ones): both are tried;
 *   ufactor  400 and 300: the parts may be as 1.4 or 1.3 to 1, not 1.2: shorter separators;
 *   compress 0: the graph is that of groups of unknowns, compressed already;
 *   pfactor  200: vertices with twenty times as many neighbours as the mean go last; meshes have none.
 * niter, ctype, iptype and ccorder make no difference beyond that of two seeds, which is one per cent. So METIS's own choice, what
 * CHOLMOD asks for, is tried as well where it takes no seconds. */
static const struct {
  idx_t separators, rtype, ufactor, seed;
} variant[PRC_DISSECTIONS] = {{3, METIS_RTYPE_SEP1SIDED, 400, 1},
                              {3, METIS_RTYPE_SEP2SIDED, 300, 1},
                              {1, METIS_RTYPE_SEP1SIDED, 200, 4321}};
#define PRUNE 200
#define MANY  200000 /* unknowns */
/* Parts of fewer vertices METIS leaves to minimum degree; AMD is better at that. */
#define FEWEST 120

typedef struct {
  const prc_sym *graph;
  int count; /* of variants */
} work;

static prc_status set_up(const prc_sym *G, idx_t **out_start, idx_t **out_to, prc_error *err) {
  prc_status status = PRC_OK;
  idx_t *start = NULL, *to = NULL;
  prc_try(prc_new(&start, (size_t)G->n + 1, err));
  prc_try(prc_new(&to, 2 * (size_t)(prc_sym_nnz(G) - G->n), err));
  for (int j = 0; j < G->n; j++)
    for (int k = G->p[j] + 1; k < G->p[j + 1]; k++) start[j + 1]++, start[G->i[k] + 1]++;
  for (int j = 0; j < G->n; j++) start[j + 1] += start[j];
  for (int j = 0; j < G->n; j++)
    for (int k = G->p[j] + 1; k < G->p[j + 1]; k++) {
      to[start[j]++] = G->i[k]; /* the start moves on to the end */
      to[start[G->i[k]]++] = j;
    }
  for (int j = G->n; j > 0; j--) start[j] = start[j - 1];
  start[0] = 0;
  *out_start = start, *out_to = to, start = NULL, to = NULL;
done:
  prc_delete(&start);
  prc_delete(&to);
  return status;
}

static prc_status judge(int code, prc_error *err) {
  if (code == METIS_OK) return PRC_OK;
  if (code == METIS_ERROR_MEMORY)
    return prc_fail(err, PRC_NOMEM, "out of memory while dissecting the unknowns");
  return prc_fail(err, PRC_SINGULAR, "METIS failed while dissecting the unknowns (its status is %d)", code);
}

/* A SIGTERM that comes meanwhile ends this process afterwards. */
static int dissect_undisturbed(idx_t n, idx_t *start, idx_t *to, idx_t *options, idx_t *order, idx_t *place) {
  sigset_t term, before;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  sigprocmask(SIG_BLOCK, &term, &before);
  const int code = METIS_NodeND(&n, start, to, NULL, options, order, place);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return code;
}

static prc_status send(const idx_t *order, int n, prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < n && status == PRC_OK; k++) {
    const int vertex = (int)order[k];
    status = prc_bytes_put(out, &vertex, sizeof vertex, err);
  }
  return status;
}

static prc_status dissect_and_send(void *data, prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  const work *w = data;
  const int n = w->graph->n;
  idx_t *start = NULL, *to = NULL, *order = NULL, *place = NULL, options[METIS_NOPTIONS];
  prc_try(set_up(w->graph, &start, &to, err));
  prc_try(prc_new(&order, n, err));
  prc_try(prc_new(&place, n, err));
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_COMPRESS] = 0;
  options[METIS_OPTION_PFACTOR] = PRUNE;
  for (int k = 0; k < w->count; k++) {
    options[METIS_OPTION_NSEPS] = variant[k].separators;
    options[METIS_OPTION_RTYPE] = variant[k].rtype;
    options[METIS_OPTION_UFACTOR] = variant[k].ufactor;
    options[METIS_OPTION_SEED] = variant[k].seed;
    prc_try(judge(dissect_undisturbed(n, start, to, options, order, place), err));
    prc_try(send(order, n, out, err));
  }
done:
  prc_delete(&start);
  prc_delete(&to);
  prc_delete(&order);
  prc_delete(&place);
  return status;
}

/* The message of another process is checked before it is used. */
static prc_status receive(prc_bytes *bytes, int n, int *order, prc_error *err) {
  prc_status status = PRC_OK;
  char *seen = NULL;
  prc_try(prc_new(&seen, n, err));
  for (int k = 0; k < n; k++)
    if (!prc_bytes_get(bytes, &order[k], sizeof *order) || order[k] < 0 || order[k] >= n || seen[order[k]]++)
      prc_try(prc_fail(err, PRC_SINGULAR, "METIS failed while dissecting the unknowns: no permutation"));
done:
  prc_delete(&seen);
  return status;
}

prc_status prc_dissect(const prc_sym *graph, int n_unknowns, int *order[PRC_DISSECTIONS], int *count,
                       prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes bytes = {0};
  work w = {.graph = graph, .count = n_unknowns < MANY ? PRC_DISSECTIONS : PRC_DISSECTIONS - 1};
  const prc_subprocess_limits limits = {.what = "dissecting the unknowns"};
  *count = 0;
  if (graph->n < FEWEST || prc_sym_nnz(graph) == graph->n)
    return PRC_OK; /* it survives no graph without edges */
  if (prc_sym_nnz(graph) - graph->n > INT_MAX / 2)
    return prc_fail(err, PRC_NOMEM, "the matrix is too large to be dissected: %d entries",
                    prc_sym_nnz(graph));
  prc_try(prc_subprocess_run(&limits, dissect_and_send, &w, &bytes, err));
  for (int k = 0; k < w.count; k++) {
    prc_try(prc_new(&order[k], graph->n, err));
    prc_try(receive(&bytes, graph->n, order[k], err));
  }
  *count = w.count;
done:
  prc_delete(&bytes.at);
  return status;
}

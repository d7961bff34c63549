#include "config.h"
#include "cli/continued.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Report of a start from another run's state: quantities taken over, quantities lost, and differences. */

/* ---- what is taken over ---------------------------------------------------------------------------------- */

static const char *words_for(const cli_continued *k) {
  switch (k->memory) {
  case CLI_MEMORY_KEPT:
    return "contacts remember what they did";
  case CLI_MEMORY_MAPPED:
    return "contacts remember what the nearest of the same name did; percussions only to begin with";
  case CLI_MEMORY_ABSENT:
    return "contacts begin anew: the state does not say which they were";
  case CLI_MEMORY_ORDER:
    return "contacts begin anew: the bodies stand in another order";
  case CLI_MEMORY_NAMES:
    return "contacts begin anew: they have other names";
  case CLI_MEMORY_PLACES:
    return "contacts begin anew: they are others, or elsewhere";
  case CLI_MEMORY_NOT_ASKED:
    break;
  }
  return "contacts begin anew";
}

static const char *words_for_motion(const cli_continued *k) {
  return k->same        ? "the run goes on as it was, bit by bit where nothing differs"
         : k->same_mesh ? "displacements and velocities as they were"
                        : "displacements and velocities by shape functions of the other mesh";
}

/* ---- what is lost ---------------------------------------------------------------------------------------- */

typedef struct {
  const char *name, *key;
  double before, now, scale; /* scale: what a change is a share of */
} compared;
enum { COMPARED = 6 };

static void list_sums(const cli_continued *k, compared out[COMPARED]) {
  const cli_continued_sums *a = &k->before, *b = &k->after;
  const double momentum = hypot(a->momentum[0], a->momentum[1]);
  const compared all[COMPARED] = {
      {"kinetic energy", "kinetic", a->kinetic, b->kinetic, fabs(a->kinetic)},
      {"elastic energy", "elastic", a->elastic, b->elastic, fabs(a->elastic)},
      {"mass", "mass", a->mass, b->mass, a->mass},
      {"momentum along x", "momentum_x", a->momentum[0], b->momentum[0], momentum},
      {"momentum along y", "momentum_y", a->momentum[1], b->momentum[1], momentum},
      {"angular momentum about the origin", "angular_momentum", a->angular, b->angular, fabs(a->angular)},
  };
  memcpy(out, all, sizeof all);
}

static void print_sums(const cli_continued *k) {
  compared sum[COMPARED];
  list_sums(k, sum);
  for (int i = 0; i < COMPARED; i++) {
    const double change = sum[i].now - sum[i].before;
    if (isnan(sum[i].before)) continue;
    printf("          %s %.9g before, %.9g now", sum[i].name, sum[i].before, sum[i].now);
    if (sum[i].scale > 0.0) printf(" (%+.2g %%)", 100.0 * change / sum[i].scale);
    printf("\n");
  }
}

static void print_places(const cli_continued *k) {
  const prc_kept_outside *out = &k->outside;
  if (out->n_outside == 0)
    printf("          no node lies outside the other mesh\n");
  else
    printf("          %d nodes lie outside the other mesh, the farthest by %.3g at (%g, %g)\n",
           out->n_outside, out->farthest, out->x[0], out->x[1]);
  if (k->n_overlaps > 0)
    printf("          %d contacts overlap by %.3g or less, as interpolation between nodes makes them\n",
           k->n_overlaps, k->overlap);
  if (!isnan(k->out_of_balance))
    printf("          equilibrium: on free nodes that no contact touches %.3g of the internal forces is not "
           "balanced by "
           "loads; it accelerates them\n",
           k->out_of_balance);
}

/* ---- what differs ---------------------------------------------------------------------------------------- */

typedef struct {
  int all, n;
  char names[600];
} differences;

static void say(void *to, const char *key, const char *before, const char *now) {
  differences *d = to;
  if (d->all)
    cli_print(stdout, "%s%s: %s before, %s now\n", d->n == 0 ? "differs   " : "          ", key,
              before ? before : "none", now ? now : "none");
  else
    prc_append(d->names, sizeof d->names, "%s%.80s", d->n > 0 ? ", " : "", key);
  d->n++;
}

static prc_status print_differences(const cli_run_state *run, int all, prc_error *err) {
  const cli_continued *k = run->continued;
  differences d = {.all = all};
  prc_error absent = {0};
  char path[CLI_CONTINUED_PATH + 16], *text = NULL;
  size_t n = 0;
  snprintf(path, sizeof path, "%s/run.json", k->folder);
  if (prc_file_read_all(NULL, path, &text, &n, &absent) != PRC_OK) {
    cli_print(stdout, "differs   not known: '%s' cannot be read\n", path);
    return PRC_OK;
  }
  prc_status status = prc_case_differences(run->c, text, say, &d, err);
  if (status != PRC_OK && status != PRC_NOMEM) {
    cli_print(stdout, "differs   not known: '%s' says no case: %s\n", path, err->message);
    prc_error_clear(err);
    status = PRC_OK;
  } else if (d.n == 0)
    printf("differs   nothing: the case is that of the other run\n");
  else if (!all)
    cli_print(stdout, "differs   %s\n", d.names);
  prc_delete(&text);
  return status;
}

prc_status cli_continued_print(const cli_run_state *run, int all, prc_error *err) {
  const cli_continued *k = run->continued;
  if (!k) return PRC_OK;
  cli_print(stdout, "start     from '%s', t = %.9g, step %d; the clock begins at %.9g\n", k->path, k->t,
            k->step, run->c->initial.time);
  cli_print(stdout, "          %s; %s\n", words_for_motion(k), words_for(k));
  if (!k->same_mesh) {
    print_sums(k);
    print_places(k);
  }
  const prc_status status = print_differences(run, all, err);
  fflush(stdout);
  return status;
}

void cli_continued_write(const cli_run_state *run, prc_output_json *json) {
  const cli_continued *k = run->continued;
  compared sum[COMPARED];
  if (!k) return;
  prc_output_json_begin(json, "start", '{');
  prc_output_json_text(json, "from", k->path);
  prc_output_json_number(json, "state_time", k->t);
  prc_output_json_integer(json, "state_step", k->step);
  prc_output_json_number(json, "time", run->c->initial.time);
  prc_output_json_text(json, "motion", words_for_motion(k));
  prc_output_json_text(json, "contacts", words_for(k));
  list_sums(k, sum);
  for (int i = 0; i < COMPARED && !k->same_mesh; i++) {
    if (isnan(sum[i].before)) continue;
    prc_output_json_begin(json, sum[i].key, '{');
    prc_output_json_number(json, "before", sum[i].before);
    prc_output_json_number(json, "now", sum[i].now);
    prc_output_json_end(json);
  }
  if (!k->same_mesh) {
    prc_output_json_integer(json, "nodes_outside", k->outside.n_outside);
    prc_output_json_number(json, "farthest_outside", k->outside.farthest);
    prc_output_json_integer(json, "overlaps", k->n_overlaps);
    prc_output_json_number(json, "deepest_overlap", k->overlap);
    if (!isnan(k->out_of_balance)) prc_output_json_number(json, "out_of_balance", k->out_of_balance);
  }
  prc_output_json_end(json);
}

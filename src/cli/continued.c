#include "config.h"
#include "cli/continued.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* From a state that another run kept. Where nothing differs that makes the steps, the run goes on bit by bit: the vectors that are carried along, what
 * contacts and the scheme remember, the clock. Else displacements and velocities are what is taken over, by ids of nodes or, on another mesh, by shape
 * functions, and momenta and forces are made of them. */

#define SAME_TIME 1e-8 /* of a time, as it is printed */

static int is_file(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static int is_folder(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* ---- a state --------------------------------------------------------------------------------------------- */

static prc_status get(cli_continued *k, const char *name, size_t *n, double **value, prc_error *err) {
  prc_status status = prc_output_store_size(k->store, name, n, err);
  if (status == PRC_OK) status = prc_new(value, *n, err);
  if (status == PRC_OK) status = prc_output_store_get(k->store, name, *n, *value, err);
  return status == PRC_OK ? cli_checkpoint_finite(k->path, name, *n, *value, err) : status;
}

/* 0: there is no such array of that size. */
static int get_if_there(const cli_continued *k, const char *name, size_t n, double *value) {
  prc_error absent = {0};
  size_t there = 0;
  return prc_output_store_size(k->store, name, &there, &absent) == PRC_OK && there == n
         && prc_output_store_get(k->store, name, n, value, &absent) == PRC_OK;
}

/* Which step and time it is of; states of before have no time of their own. */
static prc_status read_time(cli_continued *k, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(cli_checkpoint_read_identity(k->store, k->path, k->id, err));
  const double step = k->id[ID_STEP], h = k->id[ID_H];
  k->t = step * h;
  k->clock = (prc_step_clock){k->t, 0.0, h, h};
  if (get_if_there(k, "clock", sizeof k->clock / sizeof(double), &k->clock.t))
    k->t = k->clock.t + k->clock.lost;
  (void)get_if_there(k, "time", 1, &k->t);
  if (!(step >= 0.0 && step <= INT_MAX && step == floor(step)) || !(k->t >= 0.0 && isfinite(k->t))
      || !isfinite(k->clock.lost) || !(k->clock.h > 0.0) || !(k->clock.next > 0.0))
    return prc_fail(err, PRC_INPUT, "%s is damaged: it is of step %g at t = %g", k->path, step, k->t);
  k->step = (int)step;
done:
  return status;
}

static prc_status open_state(const char *path, cli_continued *k, prc_error *err) {
  prc_status status = PRC_OK;
  if (k->store && prc_output_store_close(&k->store, err) != PRC_OK) return err->status;
  snprintf(k->path, sizeof k->path, "%s", path);
  prc_try(prc_output_store_open(NULL, path, &k->store, err));
  status = read_time(k, err);
done:
  return status;
}

/* ---- which of those that are there ----------------------------------------------------------------------- */

/* Steps of states/step-NNNNNNNN.h5, ascending. */
typedef struct {
  int n, *step;
  size_t room;
} kept_steps;

static int by_number(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static prc_status list_steps(const char *folder, kept_steps *out, prc_error *err) {
  prc_status status = PRC_OK;
  char path[CLI_CONTINUED_PATH], name[64];
  snprintf(path, sizeof path, "%s/" CLI_STATES, folder);
  DIR *open = opendir(path);
  for (const struct dirent *entry; open && (entry = readdir(open));) {
    if (!prc_begins_with(entry->d_name, "step-")) continue;
    const long step = strtol(entry->d_name + strlen("step-"), NULL, 10);
    if (step < 0 || step > INT_MAX) continue;
    cli_state_name((int)step, name);
    if (strcmp(name, entry->d_name) != 0) continue;
    prc_try(prc_grow(&out->step, &out->room, (size_t)out->n + 1, sizeof *out->step, err));
    out->step[out->n++] = (int)step;
  }
  if (out->n > 1) qsort(out->step, (size_t)out->n, sizeof *out->step, by_number);
done:
  if (open) closedir(open);
  return status;
}

int cli_continued_is_at(double t, double at) {
  return fabs(t - at) <= SAME_TIME * fmax(fabs(t), fabs(at));
}

static prc_status open_step(const char *folder, int step, cli_continued *k, prc_error *err) {
  char name[64], path[CLI_CONTINUED_PATH];
  cli_state_name(step, name);
  snprintf(path, sizeof path, "%s/" CLI_STATES "/%s", folder, name);
  return open_state(path, k, err);
}

/* Times grow with steps. What there is goes to `list` when none is of the time. */
static prc_status find_step(const char *folder, double at, cli_continued *k, int *found, char *list,
                            size_t size, prc_error *err) {
  prc_status status = PRC_OK;
  kept_steps kept = {0};
  double ends[2] = {NAN, NAN}, near[2] = {NAN, NAN};
  prc_try(list_steps(folder, &kept, err));
  for (int low = 0, high = kept.n - 1; low <= high && !*found;) {
    const int middle = low + (high - low) / 2;
    prc_try(open_step(folder, kept.step[middle], k, err));
    *found = cli_continued_is_at(k->t, at);
    near[k->t > at] = k->t;
    if (k->t < at)
      low = middle + 1;
    else
      high = middle - 1;
  }
  if (*found || kept.n == 0) goto done;
  prc_try(open_step(folder, kept.step[0], k, err));
  ends[0] = k->t;
  prc_try(open_step(folder, kept.step[kept.n - 1], k, err));
  ends[1] = k->t;
  prc_append(list, size, "%s%d in " CLI_STATES "/ from t = %.9g to %.9g", *list ? ", " : "", kept.n, ends[0],
             ends[1]);
  if (!isnan(near[0]) && !isnan(near[1]))
    prc_append(list, size, ", %.9g and %.9g the nearest", near[0], near[1]);
done:
  prc_delete(&kept.step);
  return status;
}

static prc_status find_at(const prc_case *c, const char *folder, cli_continued *k, prc_error *err) {
  static const char *const checkpoint[] = {"checkpoint.h5", "checkpoint-older.h5"};
  const double at = c->initial.at;
  const prc_case_place *place = &c->initial.place;
  prc_status status = PRC_OK;
  char path[CLI_CONTINUED_PATH], list[512] = "";
  int found = 0;
  for (int i = 0; i < 2 && !found; i++) {
    prc_error damaged = {0};
    snprintf(path, sizeof path, "%s/%s", folder, checkpoint[i]);
    if (!is_file(path) || open_state(path, k, &damaged) != PRC_OK) continue;
    found = cli_continued_is_at(k->t, at);
    if (!found) prc_append(list, sizeof list, "%st = %.9g (%s)", *list ? ", " : "", k->t, checkpoint[i]);
  }
  if (!found) prc_try(find_step(folder, at, k, &found, list, sizeof list, err));
  if (found) return PRC_OK;
  if (!*list)
    return prc_case_fail(c, place, err,
                         "initial.run: '%s' keeps no state, expected the results folder of a run", folder);
  status = prc_case_fail(c, place, err,
                         "initial.at is %.9g, but '%s' keeps no state of that time; expected one of: %s", at,
                         folder, list);
done:
  return status;
}

static prc_status find_state(const prc_case *c, cli_continued *k, prc_error *err) {
  const char *from = c->initial.from;
  const prc_case_place *place = &c->initial.place;
  char path[CLI_CONTINUED_PATH];
  snprintf(path, sizeof path, "%s/checkpoint.h5", from);
  snprintf(k->folder, sizeof k->folder, "%s", from);
  if (is_file(from)) {
    char *slash = strrchr(k->folder, '/');
    snprintf(slash ? slash : k->folder, 3, slash == k->folder ? "/" : slash ? "" : ".");
    if (prc_ends_with(k->folder, "/" CLI_STATES))
      k->folder[strlen(k->folder) - strlen("/" CLI_STATES)] = '\0';
    if (strcmp(k->folder, CLI_STATES) == 0) snprintf(k->folder, sizeof k->folder, ".");
    const prc_status status = open_state(from, k, err);
    if (status != PRC_OK || !c->initial.at_given || cli_continued_is_at(k->t, c->initial.at)) return status;
    return prc_case_fail(
        c, place, err, "initial.at is %.9g, but '%s' is of t = %.9g; expected that, or the folder of the run",
        c->initial.at, from, k->t);
  }
  if (is_folder(from) && c->initial.at_given) return find_at(c, from, k, err);
  if (is_file(path)) return open_state(path, k, err);
  return prc_case_fail(c, place, err, "initial.run: there is no '%s', expected the results folder of a run",
                       path);
}

/* ---- what it says ---------------------------------------------------------------------------------------- */

static prc_status read_contacts(cli_continued *k, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error absent = {0};
  size_t n_id = 0, n_p = 0, n_kept = 0;
  prc_try(prc_output_store_size(k->store, "contact", &n_id, err));
  prc_try(prc_output_store_size(k->store, "p", &n_p, err));
  if (prc_output_store_size(k->store, "kept", &n_kept, &absent) != PRC_OK) n_kept = 0;
  const size_t n = n_id / 4;
  const prc_contact_set like = {.dim = n > 0 ? (int)(n_p / n) : 0, .n_kept = n > 0 ? (int)(n_kept / n) : 0};
  if (n > 0 && (n_p % n != 0 || like.dim < 1 || like.dim > 4))
    return prc_fail(err, PRC_INPUT, "%s is damaged: 'p' has %zu numbers for %zu contacts", k->path, n_p, n);
  prc_try(cli_carried_get(k->store, k->path, &like, &k->carried, err));
  for (int i = 0; i < PRC_LAW_STATE * k->carried.n; i++)
    if (!(k->carried.state[i] >= 0.0))
      return prc_fail(err, PRC_INPUT, "%s is damaged: number %d of 'friction' is %g", k->path, i + 1,
                      k->carried.state[i]);
  prc_try(prc_new(&k->law, n, err));
  k->knows_contacts =
      get_if_there(k, "contact_law", n, k->law) && get_if_there(k, "contacts", KEPT_SIZE, k->contacts);
done:
  return status;
}

static prc_status read_state(cli_continued *k, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(get(k, "q", &k->n_q, &k->q, err));
  prc_try(get(k, "v", &k->n_v, &k->v, err));
  prc_try(get(k, "m", &k->n_m, &k->m, err));
  prc_try(get(k, "f", &k->n_f, &k->f, err));
  prc_try(prc_output_store_size(k->store, "ledger", &k->n_ledger, err));
  prc_try(prc_new(&k->ledger, k->n_ledger, err));
  prc_try(prc_output_store_get(k->store, "ledger", k->n_ledger, k->ledger, err));
  prc_try(read_contacts(k, err));
  if (!get_if_there(k, "speed", 1, &k->speed) || !(k->speed >= 0.0 && isfinite(k->speed))) k->speed = 0.0;
  if (k->n_m != k->n_v || k->n_f != k->n_v || (double)k->n_v != k->id[ID_DOFS])
    return prc_fail(err, PRC_INPUT, "%s is damaged: it has %zu velocities and says %g", k->path, k->n_v,
                    k->id[ID_DOFS]);
done:
  return status;
}

static prc_status open_other(cli_run_state *run, prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  if (c->initial.kind != PRC_INITIAL_END_OF && c->initial.kind != PRC_INITIAL_CONTINUED) return PRC_OK;
  prc_try(prc_new(&run->continued, 1, err));
  prc_try(find_state(c, run->continued, err));
  prc_try(read_state(run->continued, err));
  if (prc_case_start_is_open(c)) status = prc_case_begin_at(c, run->continued->t, err);
done:
  return status;
}

void cli_continued_free(cli_continued **out) {
  cli_continued *k = *out;
  prc_error ignored = {0};
  if (!k) return;
  (void)prc_output_store_close(&k->store, &ignored);
  prc_delete(&k->q);
  prc_delete(&k->v);
  prc_delete(&k->m);
  prc_delete(&k->f);
  prc_delete(&k->ledger);
  prc_delete(&k->law);
  cli_carried_free(&k->carried);
  prc_kept_mesh_free(&k->mesh);
  prc_delete(out);
}

/* A run that goes on from a checkpoint of its own does not ask the other run again, which may be gone. */
prc_status cli_continued_find(cli_run_state *run, const cli_options *o, prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  char *folder = NULL;
  double time = 0.0;
  if (c->initial.kind != PRC_INITIAL_END_OF && c->initial.kind != PRC_INITIAL_CONTINUED) return PRC_OK;
  prc_try(cli_results_folder(o, c, &folder, err));
  run->resumes = o->resume && cli_checkpoint_start(o->checkpoints ? o->checkpoints : folder, &time);
  if (!run->resumes) prc_try(open_other(run, c, err));
  if (run->resumes && prc_case_start_is_open(c)) status = prc_case_begin_at(c, time, err);
done:
  prc_delete(&folder);
  return status;
}

/* The folder that the run starts from is never removed. */
prc_status cli_continued_check_folder(const cli_run_state *run, prc_error *err) {
  struct stat own, other;
  const char *const folder[] = {run->folder, run->checkpoints};
  if (!run->continued || stat(run->continued->folder, &other) != 0) return PRC_OK;
  for (int i = 0; i < 2; i++)
    if (stat(folder[i], &own) == 0 && own.st_ino == other.st_ino && own.st_dev == other.st_dev)
      return prc_case_fail(
          run->c, &run->c->initial.place, err,
          "initial.run: the results would go to '%s', where the state is that the case starts "
          "from; expected another folder (-o DIR)",
          folder[i]);
  return PRC_OK;
}

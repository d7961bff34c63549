#include "config.h"
#include "cli/identity.h"
#include "cli/sweep.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the members --------------------------------------------------------------------------------------- */

/* Its --set: those of the sweep, and the values of its keys. */
static prc_status set_values(const cli_options *o, cli_sweep_state *s, int i, prc_error *err) {
  prc_status status = PRC_OK;
  cli_member *m = &s->member[i];
  prc_try(prc_new(&m->all_set, (size_t)o->n_set + (size_t)s->axes.n_keys + 1, err));
  m->end = CLI_MEMBER_WAITING;
  m->options = *o;
  m->options.set = m->all_set;
  memcpy(m->all_set, o->set, (size_t)o->n_set * sizeof *m->all_set);
  for (int k = 0; k < s->axes.n_keys; k++) {
    const char *key = s->axes.key[k].key, *value = cli_axes_value(&s->axes, i, k);
    const size_t room = strlen(key) + strlen(value) + 2;
    char **setting = &s->setting[i * s->axes.n_keys + k];
    prc_try(prc_new(setting, room, err));
    snprintf(*setting, room, "%s=%s", key, value);
    m->all_set[m->options.n_set++] = *setting;
  }
done:
  return status;
}

/* Where it runs, and how: it goes on if it can. */
static prc_status set_folder(cli_sweep_state *s, int i, prc_error *err) {
  cli_member *m = &s->member[i];
  char name[4096];
  cli_axes_name(&s->axes, i, name, sizeof name);
  if (snprintf(m->folder, sizeof m->folder, "%s/%s", s->folder_name, name) >= (int)sizeof m->folder)
    return prc_fail(err, PRC_INPUT, "%s: the name is too long, expected a shorter one", s->folder_name);
  m->options.folder = m->folder;
  m->options.quiet = 1, m->options.resume = CLI_RESUME_IF_POSSIBLE, m->options.overwrite = 0;
  return prc_strdup(name, &s->name[i], err);
}

/* Remains of the member from an earlier sweep. c: its case */
static prc_status find_left(cli_sweep_state *s, int i, const prc_case *c, prc_error *err) {
  char mine[CLI_FINGERPRINT], verdict[32], fails[512];
  prc_folder *folder = NULL;
  prc_error absent = {0};
  cli_identity there = {0};
  const prc_status status = cli_case_fingerprint(c, mine, err);
  if (status != PRC_OK) return status;
  if (prc_folder_open(s->member[i].folder, &folder, &absent) != PRC_OK) return PRC_OK;
  cli_identity_read(folder, "run.json", &there);
  prc_folder_close(&folder);
  cli_sweep_certificate(s->member[i].folder, verdict, fails, sizeof fails);
  if (!*there.name)
    s->left[i] = CLI_LEFT_NOTHING;
  else if (strcmp(there.fingerprint, mine) != 0)
    s->left[i] = CLI_LEFT_OTHER;
  else if (strcmp(there.state, "finished") != 0 || !*verdict)
    s->left[i] = CLI_LEFT_UNFINISHED;
  else {
    s->left[i] = CLI_LEFT_DONE;
    s->member[i].end = strcmp(verdict, "fail") == 0   ? CLI_MEMBER_NOT_CERTIFIED
                       : strcmp(verdict, "pass") == 0 ? CLI_MEMBER_CERTIFIED
                                                      : CLI_MEMBER_NOTED;
  }
  return PRC_OK;
}

/* Results of another case: computed anew only if the user asked for it. */
static prc_status judge_other(const cli_options *o, cli_sweep_state *s, int i, const prc_case *c,
                              prc_error *err) {
  prc_status status = PRC_OK;
  prc_folder *folder = NULL;
  char difference[512] = "";
  if (o->overwrite || o->list) {
    s->member[i].options.overwrite = 1, s->member[i].options.resume = 0;
    return PRC_OK;
  }
  prc_try(prc_folder_open(s->member[i].folder, &folder, err));
  prc_try(cli_case_difference(folder, c, difference, sizeof difference, err));
  status = prc_fail(err, PRC_INPUT,
                    "%s: has the results of another case: %s; expected another folder (-o DIR), the case as "
                    "it was, or --overwrite to compute what has changed anew",
                    s->member[i].folder, difference);
done:
  prc_folder_close(&folder);
  return status;
}

/* Every member's case is read before any runs: a key that is not there or a value that cannot be ends the sweep here. */
static prc_status plan_member(const cli_options *o, cli_sweep_state *s, int i, prc_error *err) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_try(set_values(o, s, i, err));
  prc_try(prc_case_read(o->case_path, s->member[i].options.n_set, s->member[i].options.set, &c, err));
  if (i == 0 && !*s->folder_name)
    snprintf(s->folder_name, sizeof s->folder_name, "results/%s-sweep", c->name);
  prc_try(set_folder(s, i, err));
  c->mesh.no_commands = o->no_commands;
  if (i == 0 && !o->quiet) cli_note_geometry(c);
  prc_try(find_left(s, i, c, err));
  if (s->left[i] == CLI_LEFT_OTHER) status = judge_other(o, s, i, c, err);
done:
  prc_case_free(&c);
  return status;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The same values twice would be two runs in one folder. */
static prc_status check_names(const cli_sweep_state *s, prc_error *err) {
  char **sorted = NULL;
  prc_status status = prc_new(&sorted, s->n, err);
  if (status != PRC_OK) return status;
  memcpy(sorted, s->name, (size_t)s->n * sizeof *sorted);
  qsort(sorted, (size_t)s->n, sizeof *sorted, compare_names);
  for (int i = 1; i < s->n && status == PRC_OK; i++)
    if (strcmp(sorted[i], sorted[i - 1]) == 0)
      status = prc_fail(err, PRC_INPUT, "two members are '%s', expected each once", sorted[i]);
  prc_delete(&sorted);
  return status;
}

/* *first: the case of the first member */
static prc_status plan(const cli_options *o, cli_sweep_state *s, prc_case **first, prc_error *err) {
  prc_status status = PRC_OK;
  s->n = s->axes.n_members;
  prc_try(prc_new(&s->member, s->n, err));
  prc_try(prc_new(&s->left, s->n, err));
  prc_try(prc_new(&s->name, s->n, err));
  prc_try(prc_new(&s->setting, (size_t)s->n * (size_t)s->axes.n_keys, err));
  for (int i = 0; i < s->n; i++) prc_try(plan_member(o, s, i, err));
  prc_try(check_names(s, err));
  status = prc_case_read(o->case_path, s->member[0].options.n_set, s->member[0].options.set, first, err);
done:
  return status;
}

static void free_state(cli_sweep_state *s) {
  for (int i = 0; s->member && i < s->n; i++) prc_delete(&s->member[i].all_set);
  for (int i = 0; s->name && i < s->n; i++) prc_delete(&s->name[i]);
  for (int i = 0; s->setting && i < s->n * s->axes.n_keys; i++) prc_delete(&s->setting[i]);
  prc_delete(&s->member);
  prc_delete(&s->left);
  prc_delete(&s->name);
  prc_delete(&s->setting);
  cli_sweep_free_values(s);
  cli_axes_free(&s->axes);
}

/* ---- running ------------------------------------------------------------------------------------------- */

static prc_status run_one(const cli_member *m, cli_outcome *outcome, prc_error *err) {
  return cli_run_case(&m->options, outcome, err);
}

/* Its values enter the table, which is written now and then, so that it can be looked at. */
static void note_end(void *to, const cli_member *m) {
  cli_sweep_state *s = to;
  const int i = (int)(m - s->member);
  prc_status status = PRC_OK;
  s->n_ended++;
  if (m->end == CLI_MEMBER_STOPPED) return;
  const int done = cli_member_is_done(m->end);
  if (!s->quiet)
    cli_print(stderr, "%s: %s, %.1f s (%d of %d)\n", s->name[i], cli_member_word(m->end), m->seconds,
              s->n_ended, s->n);
  if (done) status = cli_sweep_collect(s, i, &s->failure);
  if (status == PRC_OK && prc_clock() - s->written > 2.0) {
    (void)!cli_sweep_write(s, &s->failure);
    s->written = prc_clock();
  }
}

/* Of members that were done before; in the order of the members, so that columns are in the same order however often it was stopped. */
static prc_status collect_all(cli_sweep_state *s, prc_error *err) {
  prc_status status = PRC_OK;
  cli_sweep_free_values(s);
  for (int i = 0; i < s->n && status == PRC_OK; i++)
    if (cli_member_is_done(s->member[i].end)) status = cli_sweep_collect(s, i, err);
  return status;
}

static void print_list(const cli_sweep_state *s) {
  static const char *const words[] = {[CLI_LEFT_NOTHING] = "to be computed",
                                      [CLI_LEFT_UNFINISHED] = "goes on",
                                      [CLI_LEFT_DONE] = "done",
                                      [CLI_LEFT_OTHER] = "there are results of another case"};
  int width = 0;
  for (int i = 0; i < s->n; i++) width = (int)strlen(s->name[i]) > width ? (int)strlen(s->name[i]) : width;
  for (int i = 0; i < s->n; i++) cli_print(stdout, "%-*s  %s\n", width, s->name[i], words[s->left[i]]);
}

/* Writes the table of the members. Returns whether all are certified; strict: without notes. */
static int print_end(const cli_sweep_state *s, int strict) {
  int count[CLI_MEMBER_ENDS] = {0};
  for (int i = 0; i < s->n; i++) count[s->member[i].end]++;
  const int certified = count[CLI_MEMBER_CERTIFIED] + count[CLI_MEMBER_NOTED],
            failed = s->n - certified - count[CLI_MEMBER_NOT_CERTIFIED];
  const int all = (strict ? count[CLI_MEMBER_CERTIFIED] : certified) == s->n;
  if (s->quantities && s->n_values == 0)
    cli_print(stderr, "warning: --quantity '%s' names nothing that the members have\n", s->quantities);
  if (s->quiet) return all;
  cli_sweep_print(s);
  cli_print(stdout, "%d members: %d certified", s->n, certified);
  if (count[CLI_MEMBER_NOTED]) printf(" (%d with notes)", count[CLI_MEMBER_NOTED]);
  if (count[CLI_MEMBER_NOT_CERTIFIED]) printf(", %d not certified", count[CLI_MEMBER_NOT_CERTIFIED]);
  if (failed) printf(", %d failed", failed);
  cli_print(stdout, "; results in %s (sweep.csv, sweep.html)\n", s->folder_name);
  return all;
}

static prc_status run_members(const cli_options *o, cli_sweep_state *s, prc_error *err) {
  prc_status status = PRC_OK;
  cli_family family = {.n = s->n,
                       .member = s->member,
                       .jobs = o->jobs > 0 ? o->jobs : 1,
                       .run = run_one,
                       .on_end = note_end,
                       .to = s};
  for (int i = 0; i < s->n; i++) s->n_ended += s->left[i] == CLI_LEFT_DONE;
  prc_try(collect_all(s, err));
  status = cli_family_run(&family, err);
  const prc_status stopped = status;
  if (status != PRC_OK && status != PRC_STOPPED) goto done;
  if (s->failure.status != PRC_OK) {
    *err = s->failure;
    return s->failure.status;
  }
  prc_try(collect_all(s, err));
  prc_try(cli_sweep_write(s, err));
  status = stopped;
done:
  return status;
}

/* ---- the command --------------------------------------------------------------------------------------- */

/* Nothing is made before the case and all members are known to be right. */
static prc_status open_folder(const cli_options *o, const prc_case *c, cli_sweep_state *s, prc_folder **in,
                              cli_lock *lock, prc_error *err) {
  prc_status status = PRC_OK;
  cli_identity there;
  prc_try(prc_output_make_folder(s->folder_name, err));
  prc_try(prc_folder_open(s->folder_name, in, err));
  s->folder = *in;
  prc_try(cli_ownership_check_sweep(*in, o->overwrite, err));
  prc_try(cli_inputs_check(*in, c, err));
  for (int k = 0; k < o->n_axis; k++)
    if (o->axis[k].letter == 'A') prc_try(cli_input_check(*in, "--rows", o->axis[k].text, err));
  cli_identity_read(*in, "sweep.json", &there);
  if (!o->overwrite && cli_is_other_case(&there, c))
    prc_try(cli_refuse_other_case(s->folder_name, &there, c, err));
  cli_defer_interrupts(0);
  prc_try(cli_lock_acquire(lock, *in, "", err));
  prc_try(cli_sweep_write_record(s, c, err));
done:
  return status;
}

static uint64_t hash_table(const cli_sweep_state *s) {
  char *text = NULL;
  size_t n = 0;
  prc_error absent = {0};
  uint64_t hash = 0;
  if (prc_file_read_all(s->folder, "sweep.csv", &text, &n, &absent) == PRC_OK)
    hash = prc_hash(PRC_HASH_START, text, n);
  prc_delete(&text);
  return hash;
}

/* A page of the same table is there. */
static int is_drawn(const cli_sweep_state *s, uint64_t before) {
  return hash_table(s) == before && faccessat(prc_folder_descriptor(s->folder), "sweep.html", F_OK, 0) == 0;
}

static prc_status sweep(const cli_options *o, int *all_certified, prc_error *err) {
  prc_status status = PRC_OK;
  cli_sweep_state s = {.quantities = o->quantities, .quiet = o->quiet};
  prc_case *c = NULL;
  prc_folder *in = NULL;
  cli_lock lock = {0};
  uint64_t before = 0;
  prc_try(cli_axes_read(o, &s.axes, err));
  if (o->folder && strlen(o->folder) >= sizeof s.folder_name)
    prc_try(prc_fail(err, PRC_INPUT, "%s: the name is too long, expected a shorter one", o->folder));
  snprintf(s.folder_name, sizeof s.folder_name, "%s", o->folder ? o->folder : "");
  prc_try(plan(o, &s, &c, err));
  if (o->list) {
    print_list(&s);
    *all_certified = 1;
    goto done;
  }
  prc_try(open_folder(o, c, &s, &in, &lock, err));
  before = hash_table(&s);
  status = run_members(o, &s, err);
  cli_lock_release(&lock);
  cli_release_interrupts("percuss: " CLI_FAMILY_STOPPED "\n", CLI_FAILED);
  if (status != PRC_OK) goto done;
  *all_certified = print_end(&s, o->strict);
  if (!is_drawn(&s, before) && cli_run_script("plot_sweep.py", s.folder_name) != 0)
    fprintf(stderr, "warning: no page was drawn (Debian: python3-matplotlib)\n");
done:
  cli_lock_release(&lock);
  prc_folder_close(&in);
  free_state(&s);
  prc_case_free(&c);
  return status;
}

static int sweep_command(int argc, char **argv) {
  cli_options o;
  prc_error err = {0};
  int certified = 0, status = cli_parse(&cli_sweep, "coswqtQOWAjinCX", argc, argv, &o);
  if (status < 0) {
    cli_catch_interrupts(CLI_STOPPED_AT_ONCE, CLI_FAILED);
    status = sweep(&o, &certified, &err) != PRC_OK ? cli_report(&err) : certified ? CLI_DONE : CLI_FAILED;
  }
  cli_options_free(&o);
  return status;
}

const cli_command cli_sweep = {
    "sweep",
    "CASE.yaml --over KEY=first:step:last|A,B,C [--with KEY=...] [--over ...] | --rows "
    "FILE.csv [--jobs N] [--quantity A,B] [--list] [-o DIR] [--overwrite] [--set "
    "KEY=VALUE]... [--threads N] [--no-commands]",
    "runs a case with many values of some of its keys; goes on where it was stopped; "
    "one table and one page of all",
    sweep_command};

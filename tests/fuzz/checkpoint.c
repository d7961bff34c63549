#include "config.h"
#include "fuzz/plan.h"
#include "fuzz/targets.h"
#include "cli/checkpoint.h"
#include "cli/cli.h"
#include "output/store_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Checkpoints, read as `percuss run --resume` reads them, and the run goes on from what was read. The checksum is made right:
 * else nothing is read but that. */

/* ---- the runs they belong to ------------------------------------------------------------------------------- */

typedef struct {
  const char *file; /* below tests/input */
  const char *end;
  prc_case *c;
  prc_model *model;
  fuzz_plan valid; /* its checkpoint after some steps */
} subject;

static subject subjects[] = {{.file = "resume.yaml", .end = "time.end=0.1"},
                             {.file = "good.yaml", .end = "time.end=0.02"}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects, STEPS = 3 };

static _Noreturn void give_up(const prc_error *err) {
  fprintf(stderr, "%s\n", err->message);
  abort();
}

/* Where the checkpoints are looked for, and a folder in which nothing can be written. */
static const char folder[] = "fuzz-checkpoint.tmp", nowhere[] = "/proc";
static prc_folder *checkpoints, *results;

static void make_folder(void) {
  prc_error err = {0};
  mkdir(folder, 0777);
  if (prc_folder_open(folder, &checkpoints, &err) != PRC_OK
      || prc_folder_open(nowhere, &results, &err) != PRC_OK)
    give_up(&err);
}

static void begin(cli_run_state *run, const subject *s) {
  prc_error err = {0};
  *run = (cli_run_state){.c = s->c, .model = s->model, .system = s->model->system, .threads = 1};
  run->folder = nowhere, run->checkpoints = folder;
  run->results = results, run->checkpoint_folder = checkpoints;
  if (cli_run_initial_state(run, &err) != PRC_OK || cli_run_build(run, &err) != PRC_OK
      || cli_run_start(run, &err) != PRC_OK)
    give_up(&err);
}

/* What the program does with a step; the first failure ends it. */
static void go_on(cli_run_state *run, int n_steps) {
  prc_error err = {0};
  prc_step_drift drift;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  for (int k = 0; k < n_steps && r->step < run->c->time.n_steps; k++) {
    if (prc_stepper_step(run->stepper, &err) != PRC_OK) {
      cli_failure_of_step(run, r->step + 1, &err);
      break;
    }
    prc_ledger_enter(run->ledger, r);
    if (cli_diagrams_column(run, &err) != PRC_OK || cli_failure_check(run, &err) != PRC_OK) break;
  }
  if (prc_stepper_drift(run->stepper, &drift, &err) == PRC_OK) prc_ledger_drift(run->ledger, r->step, &drift);
  (void)!cli_diagrams_write(run, &err);
  (void)prc_ledger_certificate(run->ledger);
}

static void copy_array(fuzz_plan *plan, prc_output_store *store, const char *name, prc_error *err) {
  double value[FUZZ_VALUES];
  size_t n = 0;
  char path[FUZZ_NAME];
  if (prc_output_store_size(store, name, &n, err) != PRC_OK || n > FUZZ_VALUES
      || prc_output_store_get(store, name, n, value, err) != PRC_OK)
    give_up(err);
  snprintf(path, sizeof path, "/%s", name);
  fuzz_plan_add(plan, path, FUZZ_REALS, n, value);
}

/* The checkpoint that the program itself writes, taken apart. */
static void take_valid(subject *s) {
  static const char *const names[] = {"identity",
                                      "tables",
                                      "errors",
                                      "q",
                                      "v",
                                      "m",
                                      "f",
                                      "contact",
                                      "slip",
                                      "p",
                                      "friction",
                                      "place",
                                      "ledger",
                                      "diagram_time",
                                      "diagram",
                                      "speed",
                                      "diagram_sums",
                                      "diagram_span",
                                      "lasts",
                                      "away"};
  static const char *const some[] = {"kept", "overlaps", "part_names", "part_sizes"}; /* not of all cases */
  cli_run_state run;
  prc_error err = {0};
  prc_output_store *store = NULL;
  begin(&run, s);
  go_on(&run, STEPS);
  run.folder = folder, run.results = checkpoints;
  if (cli_checkpoint_write(&run, &err) != PRC_OK
      || prc_output_store_open(checkpoints, "checkpoint.h5", &store, &err) != PRC_OK)
    give_up(&err);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) copy_array(&s->valid, store, names[k], &err);
  for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
    size_t n;
    prc_error absent = {0};
    if (prc_output_store_size(store, some[k], &n, &absent) == PRC_OK)
      copy_array(&s->valid, store, some[k], &err);
  }
  if (prc_output_store_close(&store, &err) != PRC_OK) give_up(&err);
  (void)!cli_results_remove(checkpoints, 1, &err);
  cli_run_clear(&run);
}

static void build(subject *s) {
  const char *source = getenv("PRC_SOURCE"), *set[] = {s->end};
  char path[4096];
  prc_error err = {0};
  if (s->c) return;
  snprintf(path, sizeof path, "%s/tests/input/%s", source ? source : "..", s->file);
  if (prc_case_read(path, 1, set, &s->c, &err) != PRC_OK
      || prc_case_build(s->c, NULL, &s->model, &err) != PRC_OK)
    give_up(&err);
  make_folder();
  take_valid(s);
}

/* ---- reading ----------------------------------------------------------------------------------------------- */

/* image has room for the checksum behind its n bytes. */
static int resume(subject *s, char *image, size_t n) {
  cli_run_state run;
  prc_error err = {0};
  double sizes[CLI_TABLES];
  build(s);
  prc_store_checksum(image, n, image + n);
  const int descriptor = prc_file_create(checkpoints, "checkpoint.h5");
  if (descriptor < 0 || write(descriptor, image, n + PRC_STORE_TRAILER) != (ssize_t)(n + PRC_STORE_TRAILER))
    abort();
  close(descriptor);
  begin(&run, s);
  const prc_status status = cli_checkpoint_read(&run, sizes, &err);
  if (status == PRC_OK)
    go_on(&run, STEPS);
  else if (err.status == PRC_OK || !err.message[0])
    abort(); /* a failure that says nothing */
  cli_run_clear(&run);
  return status == PRC_OK;
}

int fuzz_read_checkpoint(const uint8_t *bytes, size_t n) {
  char *image = malloc(n + PRC_STORE_TRAILER);
  if (!image) abort();
  if (n > 0) memcpy(image, bytes, n);
  const int accepted = resume(&subjects[0], image, n);
  free(image);
  return accepted;
}

/* The first byte chooses the run, the rest are edits of its checkpoint. */
int fuzz_read_made_checkpoint(const uint8_t *bytes, size_t n) {
  fuzz_bytes from = {bytes, n};
  subject *s = &subjects[fuzz_byte(&from) % SUBJECTS];
  fuzz_plan *plan = malloc(sizeof *plan);
  size_t length = 0;
  if (!plan) abort();
  build(s);
  *plan = s->valid;
  fuzz_plan_edit(plan, &from);
  char *image = fuzz_plan_image(plan, PRC_STORE_TRAILER, &length);
  const int accepted = image && resume(s, image, length);
  free(image);
  free(plan);
  return accepted;
}

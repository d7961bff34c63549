#include "config.h"
#include "cli/cli.h"
#include "cone/fclib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is the step in a list such as "10,200"? The case has checked that it is a list of steps. */
static int is_listed(const char *list, int step) {
  for (const char *at = list; *at;) {
    char *end;
    if (strtol(at, &end, 10) == step) return 1;
    if (end == at) return 0;
    at = *end == ',' ? end + 1 : end;
  }
  return 0;
}

prc_status cli_problems_write(const cli_run_state *run, char *path, size_t size, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  char about[256], name[64];
  snprintf(name, sizeof name, "cone-%08d.hdf5", r->step);
  prc_folder_join(run->results, name, path, size);
  snprintf(about, sizeof about, "step %d, t = %.17g; the guess was found by %s and has the error %.3g",
           r->step, r->t, r->cone.finished, r->cone.error.paper);
  const prc_fclib_notes notes = {.title = run->c->name, .description = about, .guess = r->p_active};
  return prc_fclib_write(run->results, name, &r->problem, &notes, err);
}

prc_status cli_problems_add(const cli_run_state *run, prc_error *err) {
  const char *keep = run->c->output.cone_problems;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  if (r->problem.n == 0 || strcmp(keep, "none") == 0) return PRC_OK;
  const int wanted = strcmp(keep, "failures") == 0 ? !r->cone.converged : is_listed(keep, r->step);
  char path[4200];
  return wanted ? cli_problems_write(run, path, sizeof path, err) : PRC_OK;
}

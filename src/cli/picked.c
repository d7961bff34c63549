#include "config.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* Which solvers the contact problems of a run took: `auto` has several, and says what it picked. Counted since the run began or was
 * resumed. */

static cli_picked_solver *find(cli_picked *picked, const char *name) {
  int k = 0;
  while (k < picked->n && strcmp(picked->solver[k].name, name) != 0) k++;
  if (k == picked->n && k < CLI_PICKED) picked->solver[picked->n++] = (cli_picked_solver){.name = name};
  return &picked->solver[k < CLI_PICKED ? k : CLI_PICKED - 1];
}

void cli_picked_add(cli_run_state *run) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  if (r->n_active == 0) return;
  find(&run->picked, r->cone.finished)->steps++;
  for (int k = 0; k < r->cone.n_stages; k++)
    find(&run->picked, r->cone.stages[k].method)->iterations += r->cone.stages[k].iterations;
}

void cli_picked_write(const cli_run_state *run, prc_output_json *json) {
  prc_output_json_begin(json, "contact_problems", '{');
  for (int k = 0; k < run->picked.n; k++) {
    prc_output_json_begin(json, run->picked.solver[k].name, '{');
    prc_output_json_integer(json, "ended", run->picked.solver[k].steps);
    prc_output_json_integer(json, "iterations", run->picked.solver[k].iterations);
    prc_output_json_end(json);
  }
  prc_output_json_end(json);
}

void cli_picked_print(const cli_run_state *run) {
  const char *before = "contact problems ended by: ";
  for (int k = 0; k < run->picked.n; k++, before = ", ")
    printf("%s%s %lld (%lld iterations)", before, run->picked.solver[k].name, run->picked.solver[k].steps,
           run->picked.solver[k].iterations);
  if (run->picked.n > 0) printf("\n");
}

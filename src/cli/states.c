#include "config.h"
#include "cli/checkpoint.h"

#include <stdio.h>

/* states/step-NNNNNNNN.h5: states that are kept, from which other cases may go on, and which `converge` compares, at equal parts of a run. They
 * are written before the checkpoint of the same step, so a resumed run has those of its past. */

void cli_state_name(int step, char name[64]) {
  snprintf(name, 64, "step-%08d.h5", step);
}

static const double *ledger_values(const prc_ledger_row *row, double out[CLI_STATE_VALUES]) {
  out[0] = row->kinetic, out[1] = row->elastic, out[2] = row->work_external, out[3] = row->work_damping;
  out[4] = row->work_contact_normal, out[5] = row->work_contact_tangential;
  out[6] = row->dissipation_numerical;
  return out;
}

const char *const cli_state_names[CLI_STATE_VALUES] = {
    "kinetic",
    "elastic",
    "work_external",
    "work_damping",
    "work_contact_normal",
    "work_contact_tangential",
    "dissipation_numerical",
};

prc_status cli_state_write(const cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  double values[CLI_STATE_VALUES];
  prc_folder *folder = NULL;
  char name[64];
  cli_state_name(prc_stepper_record(run->stepper)->step, name);
  prc_try(prc_folder_open_below(run->results, CLI_STATES, 1, &folder, err));
  prc_try(prc_output_store_create(folder, name, NULL, &store, err));
  prc_try(cli_state_put(run, store, err));
  prc_try(prc_output_store_put(store, "energies", CLI_STATE_VALUES,
                               ledger_values(prc_ledger_now(run->ledger), values), err));
done:
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = err->status;
  prc_folder_close(&folder);
  return status;
}

prc_status cli_states_open(const char *results, prc_folder **out, prc_error *err) {
  prc_folder *folder = NULL;
  prc_status status = prc_folder_open(results, &folder, err);
  if (status == PRC_OK) status = prc_folder_open_below(folder, CLI_STATES, 0, out, err);
  prc_folder_close(&folder);
  return status;
}

prc_status cli_state_read(const prc_folder *folder, int step, size_t n, double *q, double *v,
                          double values[CLI_STATE_VALUES], prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  char name[64], path[8192];
  cli_state_name(step, name);
  prc_try(prc_output_store_open(folder, name, &store, err));
  prc_try(prc_output_store_get(store, "q", n, q, err));
  prc_try(prc_output_store_get(store, "v", n, v, err));
  prc_try(prc_output_store_get(store, "energies", CLI_STATE_VALUES, values, err));
  prc_folder_join(folder, name, path, sizeof path);
  prc_try(cli_checkpoint_finite(path, "q", n, q, err));
  prc_try(cli_checkpoint_finite(path, "v", n, v, err));
  prc_try(cli_checkpoint_finite(path, "energies", CLI_STATE_VALUES, values, err));
done:
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

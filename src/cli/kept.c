#include "config.h"
#include "cli/checkpoint.h"

#include <stdio.h>

/* Data that a run keeps for later runs beside its state: the contacts that carry an impulse, and the mesh. */

/* ---- contacts --------------------------------------------------------------------------------------- */

prc_status cli_kept_put(const cli_run_state *run, const cli_carried *carried, prc_output_store *store,
                        prc_error *err) {
  prc_status status = PRC_OK;
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  double *law = NULL;
  prc_try(prc_new(&law, carried->n, err));
  for (int k = 0; k < carried->n; k++)
    law[k] = cli_kept_law(set->law[prc_contact_set_place(set, &carried->id[k])]);
  prc_try(prc_output_store_put(store, "contact_law", (size_t)carried->n, law, err));
  prc_try(prc_output_store_put(store, "contacts", KEPT_SIZE, run->kept_contacts, err));
done:
  prc_delete(&law);
  return status;
}

/* ---- the mesh ----------------------------------------------------------------------------------------- */

static prc_status put_mesh(const cli_run_state *run, const prc_kept_mesh *kept, prc_output_store *store,
                           prc_error *err) {
  prc_status status = PRC_OK;
  const double of[] = {cli_checkpoint_places(run->model), kept->mass};
  prc_try(prc_output_store_put(store, "mesh", 2, of, err));
  prc_try(prc_output_store_put(store, "x", kept->n_x, kept->x, err));
  prc_try(prc_output_store_put(store, "type", kept->n_types, kept->type, err));
  prc_try(prc_output_store_put(store, "cell", kept->n_nodes, kept->node, err));
done:
  return status;
}

prc_status cli_kept_mesh_write(const cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  prc_kept_mesh kept = {0};
  prc_try(prc_scene_keep(run->model->scene, &kept, err));
  if (kept.n_x == 0) goto done;
  prc_try(prc_output_store_create(run->checkpoint_folder, CLI_KEPT_MESH, NULL, &store, err));
  prc_try(put_mesh(run, &kept, store, err));
done:
  prc_kept_mesh_free(&kept);
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = err->status;
  return status;
}

static prc_status get(prc_output_store *store, const char *path, const char *name, size_t *n, double **value,
                      prc_error *err) {
  prc_status status = prc_output_store_size(store, name, n, err);
  if (status == PRC_OK) status = prc_new(value, *n, err);
  if (status == PRC_OK) status = prc_output_store_get(store, name, *n, *value, err);
  return status == PRC_OK ? cli_checkpoint_finite(path, name, *n, *value, err) : status;
}

prc_status cli_kept_mesh_read(const char *folder, prc_kept_mesh *out, double *fingerprint, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  double of[2];
  char path[4400];
  snprintf(path, sizeof path, "%s/" CLI_KEPT_MESH, folder);
  prc_try(prc_output_store_open(NULL, path, &store, err));
  prc_try(prc_output_store_get(store, "mesh", 2, of, err));
  prc_try(get(store, path, "x", &out->n_x, &out->x, err));
  prc_try(get(store, path, "type", &out->n_types, &out->type, err));
  prc_try(get(store, path, "cell", &out->n_nodes, &out->node, err));
  *fingerprint = of[0], out->mass = of[1];
done:
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

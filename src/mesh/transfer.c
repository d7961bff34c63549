#include "config.h"
#include "mesh/mesh.h"
#include "mesh/internal.h"

#include <string.h>

/* Transfer of a mesh from the process that read it. Both processes are the same program: numbers are sent as
 * they are, and so are pointers into the table of elements, which a fork leaves in place. */

static prc_status put_text(prc_bytes *to, const char *text, prc_error *err) {
  const size_t n = strlen(text);
  const prc_status status = prc_bytes_put(to, &n, sizeof n, err);
  return status == PRC_OK ? prc_bytes_put(to, text, n, err) : status;
}

static prc_status put_items(prc_bytes *to, size_t n, size_t size, const void *items, prc_error *err) {
  const prc_status status = prc_bytes_put(to, &n, sizeof n, err);
  return status == PRC_OK ? prc_bytes_put(to, items, n * size, err) : status;
}

prc_status prc_raw_mesh_send(const prc_raw_mesh *raw, prc_bytes *to, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(put_items(to, raw->n_nodes, sizeof *raw->node, raw->node, err));
  for (int dim = 1; dim <= 2; dim++)
    prc_try(put_items(to, raw->n_cells[dim], sizeof *raw->cell[dim], raw->cell[dim], err));
  prc_try(prc_bytes_put(to, &raw->n_groups, sizeof raw->n_groups, err));
  for (size_t g = 0; g < raw->n_groups; g++) {
    const prc_raw_group *group = &raw->group[g];
    prc_try(prc_bytes_put(to, &group->dim, sizeof group->dim, err));
    prc_try(prc_bytes_put(to, &group->tag, sizeof group->tag, err));
    prc_try(put_text(to, group->name, err));
    prc_try(put_items(to, group->n_keys, sizeof *group->key, group->key, err));
  }
done:
  return status;
}

static prc_status refuse_truncated(prc_error *err) {
  return prc_fail(err, PRC_IO, "what Gmsh read of it was lost on the way");
}

/* A count of items of that size, as many as there can be. */
static prc_status get_count(prc_bytes *from, size_t size, size_t *n, prc_error *err) {
  if (!prc_bytes_get(from, n, sizeof *n) || *n > (from->used - from->got) / size)
    return refuse_truncated(err);
  return PRC_OK;
}

static prc_status get_text(prc_bytes *from, char **text, prc_error *err) {
  prc_status status = PRC_OK;
  size_t n;
  prc_try(get_count(from, 1, &n, err));
  prc_try(prc_new(text, n + 1, err));
  (void)prc_bytes_get(from, *text, n); /* they are there */
done:
  return status;
}

static prc_status get_group(prc_bytes *from, prc_raw_group *group, prc_error *err) {
  prc_status status = PRC_OK;
  if (!prc_bytes_get(from, &group->dim, sizeof group->dim)
      || !prc_bytes_get(from, &group->tag, sizeof group->tag))
    return refuse_truncated(err);
  prc_try(get_text(from, &group->name, err));
  prc_try(get_count(from, sizeof *group->key, &group->n_keys, err));
  prc_try(prc_new(&group->key, group->n_keys, err));
  (void)prc_bytes_get(from, group->key, group->n_keys * sizeof *group->key); /* they are there */
done:
  return status;
}

prc_status prc_raw_mesh_receive(prc_bytes *from, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  size_t n;
  prc_try(get_count(from, sizeof *raw->node, &raw->n_nodes, err));
  prc_try(prc_new(&raw->node, raw->n_nodes, err));
  (void)prc_bytes_get(from, raw->node, raw->n_nodes * sizeof *raw->node);
  for (int dim = 1; dim <= 2; dim++) {
    prc_try(get_count(from, sizeof *raw->cell[dim], &n, err));
    prc_try(prc_new(&raw->cell[dim], n, err));
    (void)prc_bytes_get(from, raw->cell[dim], n * sizeof *raw->cell[dim]);
    raw->n_cells[dim] = raw->capacity[dim] = n;
  }
  prc_try(get_count(from, 1, &n, err));
  prc_try(prc_new(&raw->group, n, err));
  while (raw->n_groups < n) prc_try(get_group(from, &raw->group[raw->n_groups++], err));
done:
  return status;
}

prc_status prc_mesh_send_warnings(const prc_bytes *lines, prc_bytes *to, prc_error *err) {
  return put_items(to, lines->used, 1, lines->at, err);
}

prc_status prc_mesh_receive_warnings(prc_bytes *from, const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  char *lines = NULL;
  prc_try(get_text(from, &lines, err));
  for (char *line = lines, *end; (end = strchr(line, '\n')); line = end + 1) {
    *end = '\0';
    prc_log_message(log, PRC_LOG_WARNING, "%s", line);
  }
done:
  prc_delete(&lines);
  return status;
}

#include "config.h"
#include "mesh/deal.h"

#include <metis.h>
#include <signal.h>

_Static_assert(sizeof(idx_t) >= sizeof(int),
               "METIS counts in numbers that hold ours"); /* 32 or 64 bits: metis.h says */

/* Parts of about equal numbers of cells, with few sides between them, by METIS_PartGraphKway: cells are neighbours where they share two corners. It works in a
 * process of its own: it has SIGTERM and SIGABRT of the whole process lead out of itself by longjmp, gives rand() a new start, and prints where memory runs
 * out. Its memory is gone when it is done, too. */

/* One try: the best of four has 0 to 2 % fewer sides between parts (980 000 triangles; 2, 4 and 8 parts), for twice the time. */
enum { SEED = 1 }; /* any: the same mesh gives the same parts */

typedef struct {
  const prc_mesh *mesh;
  int n;
} work;

static prc_status judge(int code, prc_error *err) {
  if (code == METIS_OK) return PRC_OK;
  if (code == METIS_ERROR_MEMORY)
    return prc_fail(err, PRC_NOMEM, "out of memory while dealing the mesh to the ranks");
  return prc_fail(err, PRC_DIVERGED, "METIS failed while dealing the mesh to the ranks (its status is %d)",
                  code);
}

/* The corners of the cells: they alone say which cells are neighbours. */
static prc_status list_corners(const prc_mesh *mesh, idx_t **out_start, idx_t **out_corner, prc_error *err) {
  prc_status status = PRC_OK;
  idx_t *start = NULL, *corner = NULL;
  prc_try(prc_new(&start, (size_t)mesh->n_cells + 1, err));
  for (int c = 0; c < mesh->n_cells; c++) start[c + 1] = start[c] + mesh->cell_element[c]->n_corners;
  prc_try(prc_new(&corner, start[mesh->n_cells], err));
  for (int c = 0; c < mesh->n_cells; c++)
    for (int a = 0; a < mesh->cell_element[c]->n_corners; a++)
      corner[start[c] + a] = mesh->cell[mesh->cell_start[c] + a];
  *out_start = start, *out_corner = corner, start = NULL, corner = NULL;
done:
  prc_delete(&start);
  prc_delete(&corner);
  return status;
}

/* Cells that have no neighbours, or are one for each part, METIS is not asked about. */
static int partition(idx_t n_cells, idx_t n_nodes, idx_t *start, idx_t *corner, idx_t n, idx_t *part) {
  idx_t common = 2, first = 0, one = 1, cut, *next = NULL, *neighbour = NULL, options[METIS_NOPTIONS];
  int code = METIS_MeshToDual(&n_cells, &n_nodes, start, corner, &common, &first, &next, &neighbour);
  if (code != METIS_OK) return code;
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = SEED;
  if (next[n_cells] > 0 && n_cells > n)
    code = METIS_PartGraphKway(&n_cells, &one, next, neighbour, NULL, NULL, NULL, &n, NULL, NULL, options,
                               &cut, part);
  else
    for (idx_t c = 0; c < n_cells; c++) part[c] = (idx_t)((int64_t)c * n / n_cells);
  METIS_Free(next);
  METIS_Free(neighbour);
  return code;
}

/* A SIGTERM that comes meanwhile ends this process afterwards. */
static int partition_undisturbed(const work *w, idx_t *start, idx_t *corner, idx_t *part) {
  sigset_t term, before;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  sigprocmask(SIG_BLOCK, &term, &before);
  const int code = partition(w->mesh->n_cells, w->mesh->n_nodes, start, corner, w->n, part);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return code;
}

static prc_status partition_and_send(void *data, prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  const work *w = data;
  idx_t *start = NULL, *corner = NULL, *part = NULL;
  prc_try(list_corners(w->mesh, &start, &corner, err));
  prc_try(prc_new(&part, w->mesh->n_cells, err));
  prc_try(judge(partition_undisturbed(w, start, corner, part), err));
  for (int c = 0; c < w->mesh->n_cells; c++) {
    const int number = (int)part[c];
    prc_try(prc_bytes_put(out, &number, sizeof number, err));
  }
done:
  prc_delete(&start);
  prc_delete(&corner);
  prc_delete(&part);
  return status;
}

/* The message of another process is checked before it is used. */
static prc_status receive(prc_bytes *bytes, int n_cells, int n, int *part, prc_error *err) {
  for (int c = 0; c < n_cells; c++)
    if (!prc_bytes_get(bytes, &part[c], sizeof *part) || part[c] < 0 || part[c] >= n)
      return prc_fail(err, PRC_DIVERGED, "METIS failed while dealing the mesh to the ranks: no partition");
  return PRC_OK;
}

/* METIS may leave a part of few cells empty: it gets the last cell of the largest. */
static prc_status fill_empty(int n_cells, int n, int *part, prc_error *err) {
  prc_status status = PRC_OK;
  int *count = NULL;
  prc_try(prc_new(&count, n, err));
  for (int c = 0; c < n_cells; c++) count[part[c]]++;
  for (int p = 0; p < n; p++) {
    int largest = 0, c = n_cells - 1;
    if (count[p] > 0) continue;
    for (int other = 1; other < n; other++)
      if (count[other] > count[largest]) largest = other;
    while (part[c] != largest) c--;
    part[c] = p, count[p]++, count[largest]--;
  }
done:
  prc_delete(&count);
  return status;
}

prc_status prc_mesh_partition(const prc_mesh *mesh, int n, int *part_of_cell, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes bytes = {0};
  work w = {mesh, n};
  const prc_subprocess_limits limits = {.what = "dealing the mesh to the ranks",
                                        .expected = "METIS to find parts of it"};
  if (mesh->n_cells < n)
    return prc_fail(err, PRC_INPUT, "the mesh has %d cell%s, fewer than the %d ranks, expected one for each",
                    mesh->n_cells, mesh->n_cells == 1 ? "" : "s", n);
  for (int c = 0; c < mesh->n_cells; c++) part_of_cell[c] = 0;
  if (n == 1) return PRC_OK;
  prc_try(prc_subprocess_run(&limits, partition_and_send, &w, &bytes, err));
  prc_try(receive(&bytes, mesh->n_cells, n, part_of_cell, err));
  prc_try(fill_empty(mesh->n_cells, n, part_of_cell, err));
done:
  prc_delete(&bytes.at);
  return status;
}

#include "config.h"
#include "mesh/internal.h"

#include <stdlib.h>

static int compare_ends(const prc_mesh_side *p, const prc_mesh_side *q) {
  const int from = prc_compare_ints(p->from, q->from);
  return from ? from : prc_compare_ints(p->to, q->to);
}

static int by_ends(const void *a, const void *b) {
  return compare_ends(a, b);
}

static int by_ends_and_cell(const void *a, const void *b) {
  const int ends = compare_ends(a, b);
  return ends ? ends : prc_compare_ints(((const prc_mesh_side *)a)->cell, ((const prc_mesh_side *)b)->cell);
}

const prc_mesh_side *prc_mesh_find_side(const prc_mesh_side *sides, size_t n, int from, int to) {
  const prc_mesh_side wanted = {from, to, -1, 0};
  return bsearch(&wanted, sides, n, sizeof *sides, by_ends);
}

/* A linear and a quadratic cell side by side would open a gap between them. */
static prc_status check_middles(const prc_mesh *mesh, const prc_mesh_side *sides, size_t n, prc_error *err) {
  for (size_t k = 0; k < n; k++) {
    const prc_mesh_side *one = &sides[k], *other = prc_mesh_find_side(sides, n, one->to, one->from);
    if (!other || other->middle == one->middle) continue;
    return prc_fail(err, PRC_INPUT,
                    "%s %zu and %s %zu share the side between nodes %zu and %zu but not one node halfway, "
                    "expected linear or quadratic elements on both sides of it",
                    mesh->cell_element[one->cell]->noun, mesh->cell_tag[one->cell],
                    mesh->cell_element[other->cell]->noun, mesh->cell_tag[other->cell], mesh->tag[one->from],
                    mesh->tag[one->to]);
  }
  return PRC_OK;
}

static prc_status check_overlap(const prc_mesh *mesh, const prc_mesh_side *sides, size_t n, prc_error *err) {
  for (size_t k = 1; k < n; k++) {
    const prc_mesh_side *p = &sides[k - 1], *q = &sides[k];
    if (compare_ends(p, q) == 0)
      return prc_fail(err, PRC_INPUT,
                      "%ss %zu and %zu overlap: both lie on the same side of nodes %zu and %zu",
                      mesh->cell_element[p->cell]->noun, mesh->cell_tag[p->cell], mesh->cell_tag[q->cell],
                      mesh->tag[p->from], mesh->tag[p->to]);
  }
  return PRC_OK;
}

prc_status prc_mesh_list_sides(const prc_mesh *mesh, prc_mesh_side **out, size_t *n, prc_error *err) {
  prc_status status = PRC_OK;
  int quadratic = 0;
  *n = 0;
  for (int c = 0; c < mesh->n_cells; c++) *n += (size_t)mesh->cell_element[c]->n_corners;
  prc_try(prc_new(out, *n, err));
  prc_mesh_side *next = *out;
  for (int c = 0; c < mesh->n_cells; c++) {
    const prc_element *e = mesh->cell_element[c];
    const int *node = mesh->cell + mesh->cell_start[c], corners = e->n_corners;
    for (int a = 0; a < corners; a++)
      *next++ = (prc_mesh_side){node[a], node[(a + 1) % corners], e->quadratic ? node[corners + a] : -1, c};
    quadratic |= e->quadratic;
  }
  qsort(*out, *n, sizeof **out, by_ends_and_cell);
  prc_try(check_overlap(mesh, *out, *n, err));
  if (quadratic) prc_try(check_middles(mesh, *out, *n, err));
done:
  return status;
}

prc_status prc_mesh_boundary(const prc_mesh *mesh, int *n, int (**side)[3], prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh_side *all = NULL;
  size_t n_all = 0;
  *n = 0;
  prc_try(prc_mesh_list_sides(mesh, &all, &n_all, err));
  prc_try(prc_new(side, n_all, err));
  for (size_t k = 0; k < n_all; k++) {
    const prc_mesh_side *one = &all[k];
    if (prc_mesh_find_side(all, n_all, one->to, one->from)) continue;
    int *to = (*side)[(*n)++];
    to[0] = one->from, to[1] = one->to, to[2] = one->middle;
  }
done:
  prc_delete(&all);
  return status;
}

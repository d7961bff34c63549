#include "config.h"
#include "case/internal.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Lists of numbers: points, polygons, discs. */

static size_t dimension_of(const prc_value *v) {
  return (size_t)v->c->store->dimension;
}

/* n points of a list, into 2 n numbers, in space 3 n, of *v->list from `first` on. */
static prc_status read_corners(const prc_value *v, const prc_node *node, size_t first) {
  prc_status status = PRC_OK;
  prc_key one = *v->key;
  prc_value item = *v;
  one.type = PRC_KEY_POINT;
  for (size_t i = 0; i < node->n_children; i++) {
    char shown[PRC_CASE_PATH + 32];
    snprintf(shown, sizeof shown, "%s[%zu]", v->shown, i);
    item.key = &one, item.shown = shown, item.node = node->child[i];
    prc_try(prc_value_point(&item, v->list + first + dimension_of(v) * i));
  }
done:
  return status;
}

/* The case takes the numbers over; each body of a set gets its own. */
static prc_status keep_list(const prc_value *v, double **numbers, size_t n, size_t pointer_at, char *base) {
  prc_status status = PRC_OK;
  prc_try(prc_case_own_memory(v->c, *numbers, v->err));
  memcpy(base + pointer_at, numbers, sizeof *numbers);
  *numbers = NULL;
  if (v->varying) {
    assert(v->varying->n_lists < PRC_VARYING_LISTS);
    v->varying->list[v->varying->n_lists++] = (prc_varying_list){pointer_at, n};
  }
done:
  return status;
}

prc_status prc_value_points(const prc_value *v, char *base) {
  prc_status status = PRC_OK;
  const size_t n = v->node->n_children, d = dimension_of(v);
  prc_value item = *v;
  double *point = NULL;
  if (v->node->kind != PRC_NODE_LIST || n == 0 || n > INT_MAX / 4) return prc_value_refuse(v, v->node);
  prc_try(prc_new(&point, d * n, v->err));
  item.list = point, item.list_at = v->key->at;
  prc_try(read_corners(&item, v->node, 0));
  prc_try(keep_list(v, &point, d * n, v->key->at, base));
  memcpy(base + v->key->count_at, &(int){(int)n}, sizeof(int));
done:
  prc_delete(&point);
  return status;
}

/* Polygons one after the other: how many, how many corners each, and all corners. */
prc_status prc_value_polygons(const prc_value *v, char *base) {
  prc_status status = PRC_OK;
  const size_t n = v->node->n_children, d = dimension_of(v);
  size_t total = 0, first = 0;
  prc_value item = *v;
  double *point = NULL;
  int *corners = NULL;
  if (v->node->kind != PRC_NODE_LIST || n == 0 || n > INT_MAX / 4) return prc_value_refuse(v, v->node);
  for (size_t k = 0; k < n; k++) {
    if (v->node->child[k]->kind != PRC_NODE_LIST || v->node->child[k]->n_children == 0)
      return prc_value_refuse(v, v->node->child[k]);
    total += v->node->child[k]->n_children;
  }
  prc_try(prc_new(&point, d * total, v->err));
  prc_try(prc_new(&corners, n, v->err));
  item.list = point, item.list_at = v->key->at + offsetof(prc_case_polygons, point);
  for (size_t k = 0; k < n; k++) {
    char shown[PRC_CASE_PATH + 32];
    snprintf(shown, sizeof shown, "%s[%zu]", v->shown, k);
    item.shown = shown;
    prc_try(read_corners(&item, v->node->child[k], first));
    corners[k] = (int)v->node->child[k]->n_children;
    first += d * v->node->child[k]->n_children;
  }
  prc_try(keep_list(v, &point, d * total, item.list_at, base));
  prc_try(prc_case_own_memory(v->c, corners, v->err));
  prc_case_polygons *out = (prc_case_polygons *)(void *)(base + v->key->at);
  out->n = (int)n, out->corners = corners, corners = NULL;
done:
  prc_delete(&point);
  prc_delete(&corners);
  return status;
}

/* [[x, y, r], ...], in space [[x, y, z, r], ...]: r > 0 */
prc_status prc_value_discs(const prc_value *v, char *base) {
  prc_status status = PRC_OK;
  const size_t n = v->node->n_children, d = dimension_of(v) + 1;
  const prc_key_range positive = {0.0, INFINITY, 1, 0};
  prc_value item = *v;
  double *disc = NULL;
  if (v->node->kind != PRC_NODE_LIST || n == 0 || n > INT_MAX / 4) return prc_value_refuse(v, v->node);
  prc_try(prc_new(&disc, d * n, v->err));
  item.list = disc, item.list_at = v->key->at + offsetof(prc_case_discs, disc);
  for (size_t i = 0; i < d * n; i++) {
    const prc_node *one = v->node->child[i / d];
    char shown[PRC_CASE_PATH + 32];
    prc_key number = *v->key;
    if (one->kind != PRC_NODE_LIST || one->n_children != d) prc_try(prc_value_refuse(v, one));
    snprintf(shown, sizeof shown, "%s[%zu][%zu]", v->shown, i / d, i % d);
    number.type = PRC_KEY_NUMBER;
    if (i % d == d - 1) number.range = positive;
    item.key = &number, item.shown = shown;
    prc_try(prc_value_number(&item, one->child[i % d], &disc[i]));
  }
  prc_try(keep_list(v, &disc, d * n, item.list_at, base));
  ((prc_case_discs *)(void *)(base + v->key->at))->n = (int)n;
done:
  prc_delete(&disc);
  return status;
}

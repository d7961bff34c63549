#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <stdio.h>

/* Contacts that cannot be: of a curve with itself, and where all is held. */

int prc_fem_lists(const int *list, int n, int node) {
  int low = 0, high = n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (list[middle] < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && list[low] == node;
}

int prc_fem_is_prescribed(const prc_fem *fem, int dof) {
  return prc_fem_lists(fem->prescribed, fem->n_prescribed, dof);
}

/* ---- what cannot push ------------------------------------------------------------------------------------------------- */

#define NOTHING 1e-12 /* of the largest number of a row, which is a mean: what directions leave by rounding */

/* May a normal percussion move anything? Its row k lists what it moves. */
static int row_gives(const prc_fem *fem, const prc_rows *H, int k) {
  const int first = H->start[k], count = H->start[k + 1] - first;
  const double *x = H->x + 2 * first;
  double largest = 0.0, free_one = 0.0;
  for (int d = 0; d < count; d++) {
    largest = fmax(largest, fabs(x[d]));
    if (!prc_fem_is_prescribed(fem, H->dof[first + d])) free_one = fmax(free_one, fabs(x[d]));
  }
  return free_one > NOTHING * largest;
}

/* Over large slides anything of the two may meet: is there a side whose normal has a component in which some node is free? */
static int sides_give(const prc_fem *fem, const prc_fem_touch *touch) {
  int is_free[2] = {0, 0}, gives = 0;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < touch->chain[side]->n_points; k++)
      for (int d = 0; d < 2; d++)
        is_free[d] |= !prc_fem_is_prescribed(fem, 2 * touch->chain[side]->node[k] + d);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < touch->chain[side]->n_chords; k++) {
      const double *x = touch->chain[side]->x;
      const int *end = touch->chain[side]->chord[k].point;
      const double n[2] = {fabs(x[2 * end[1] + 1] - x[2 * end[0] + 1]), fabs(x[2 * end[1]] - x[2 * end[0]])};
      for (int d = 0; d < 2; d++) gives |= is_free[d] && n[d] > NOTHING * (n[0] + n[1]);
    }
  return gives;
}

static int touch_gives(const prc_fem *fem, const prc_fem_touch *touch, int small) {
  int gives = 0;
  if (!small || touch->n == 0) return sides_give(fem, touch);
  for (int k = 0; k < touch->n; k++) gives |= row_gives(fem, &touch->rows, k);
  return gives;
}

/* Nodes, ascending, of which a contact is. */
typedef struct {
  const int *node;
  int n;
} nodes;

/* The supports that hold nodes of these curves, by names. */
static void name_supports(const prc_fem *fem, int n_curves, const nodes *curve, char *text, size_t size) {
  text[0] = '\0';
  for (int s = 0; s < fem->model->n_supports; s++) {
    int holds = 0;
    for (int i = 0; i < fem->n_prescribed && !holds; i++)
      for (int k = 0; k < n_curves; k++)
        holds |= fem->prescribed_support[i] == s
                 && prc_fem_lists(curve[k].node, curve[k].n, fem->prescribed[i] / 2);
    if (holds) prc_append(text, size, "%s'%s'", text[0] ? ", " : "", fem->model->support[s].name);
  }
  if (!text[0]) snprintf(text, size, "what is held without a support");
}

/* A percussion that moves no free dof has no W: the contact would do nothing, and nothing would say so. */
prc_status prc_fem_refuse_held_sides(const prc_fem *fem, const prc_fem_touch *touch,
                                     const prc_fem_interface *interface, prc_error *err) {
  char supports[256];
  if (touch_gives(fem, touch, interface->small)) return PRC_OK;
  const nodes curve[2] = {{touch->chain[0]->node, touch->chain[0]->n_points},
                          {touch->chain[1]->node, touch->chain[1]->n_points}};
  name_supports(fem, 2, curve, supports, sizeof supports);
  return prc_fail(
      err, PRC_INPUT,
      "nothing of it can give way, since every node of '%s' and of '%s' is held along the normal (by "
      "%s): no percussion could act; expected one of the two free there: end the support before this "
      "curve, let it hold another direction, or leave the contact out",
      interface->group[0]->name, interface->group[1]->name, supports);
}

prc_status prc_fem_refuse_held(const prc_fem *fem, const prc_mesh_group *group, const double normal[2],
                               prc_error *err) {
  char supports[256];
  for (int k = 0; k < group->n_nodes; k++)
    for (int d = 0; d < 2; d++) {
      const int counts = !normal || fabs(normal[d]) > NOTHING * hypot(normal[0], normal[1]);
      if (counts && !prc_fem_is_prescribed(fem, 2 * group->node[k] + d)) return PRC_OK;
    }
  name_supports(fem, 1, &(nodes){group->node, group->n_nodes}, supports, sizeof supports);
  return prc_fail(
      err, PRC_INPUT,
      "nothing of it can give way, since every node of '%s' is held %s (by %s): no percussion could act; "
      "expected some that are free there: end the support before this curve, let it hold another "
      "direction, or leave the contact out",
      group->name, normal ? "along the normal" : "in x and y", supports);
}

prc_status prc_fem_refuse_same_sides(const prc_fem *fem, const prc_fem_interface *interface, prc_error *err) {
  const prc_mesh_group *a = interface->group[0], *b = interface->group[1];
  const int *edge = fem->model->mesh->edge;
  if (a == b) return prc_fail(err, PRC_INPUT, "'%s' cannot touch itself, expected two curves", a->name);
  for (int i = 0; i < a->n_cells; i++)
    for (int j = 0; j < b->n_cells; j++)
      if (edge[2 * a->cell[i]] == edge[2 * b->cell[j]]
          && edge[2 * a->cell[i] + 1] == edge[2 * b->cell[j] + 1])
        return prc_fail(err, PRC_INPUT, "'%s' and '%s' have an edge in common, expected two sides", a->name,
                        b->name);
  return PRC_OK;
}

#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <string.h>

/* Contacts of two parts of the boundary: a mortar (contact/mortar.h) whose points are nodes, and the rows of those that have area over the other side. */

#define NEAR 4.0  /* sides: what is further apart cannot meet in a step, but for its way */
#define RAMP 0.25 /* of a side: the way of a slide over which it comes out of a gap */

int prc_fem_slides(const prc_fem_model *model) {
  for (int i = 0; i < model->n_interfaces; i++)
    if (!model->interface[i].small) return 1;
  return 0;
}

static int first_of(const prc_fem *fem, int i) {
  return fem->contact_first[fem->model->n_contacts + i];
}

/* ---- where it is ------------------------------------------------------------------------------------------------------- */

/* The mortar at X + q; with q NULL at X. Nothing is done where it is that already. */
static prc_status find_mortar(const prc_fem *fem, prc_fem_touch *touch, const double *q, prc_error *err) {
  const double *X = fem->model->mesh->x;
  double *last = touch->q;
  int same = touch->looked;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < touch->chain[side]->n_points; k++, last += 2) {
      const int node = touch->chain[side]->node[k];
      for (int d = 0; d < 2; d++) {
        const double now = q ? q[2 * node + d] : 0.0;
        same &= last[d] == now;
        last[d] = now;
        touch->chain[side]->x[2 * k + d] = X[2 * node + d] + now;
      }
    }
  if (same) return PRC_OK;
  touch->looked = touch->fresh = 0;
  const prc_status status = prc_mortar_find(touch->mortar, err);
  touch->looked = status == PRC_OK;
  return status;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

static prc_status add_row(prc_fem_touch *touch, int j, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rows *H = &touch->rows;
  const prc_mortar_row *row = &touch->row;
  prc_try(prc_mortar_find_row(touch->mortar, j, &touch->row, err));
  const int first = H->start[touch->n], count = 2 * row->n;
  const size_t dofs = (size_t)first + (size_t)count;
  prc_try(prc_grow((void *)&H->dof, &touch->room_dofs, dofs, sizeof *H->dof, err));
  prc_try(prc_grow((void *)&H->x, &touch->room_x, 2 * dofs, sizeof *H->x, err));
  double *x = H->x + 2 * first;
  for (int k = 0; k < row->n; k++) {
    const double c[2] = {row->c[2 * k], row->c[2 * k + 1]};
    for (int d = 0; d < 2; d++) H->dof[first + 2 * k + d] = 2 * row->node[k] + d;
    x[2 * k] = c[0], x[2 * k + 1] = c[1];
    x[count + 2 * k] = c[1], x[count + 2 * k + 1] = -c[0];
  }
  touch->of[touch->n++] = j;
  H->n = touch->n;
  H->start[touch->n] = first + count;
done:
  return status;
}

static void note_frame(prc_fem *fem, int i, int j) {
  const prc_fem_touch *touch = &fem->touch[i];
  const int c = first_of(fem, i) + j;
  const double *n = touch->row.normal;
  const double frame[4] = {n[0], n[1], n[1], -n[0]};
  memcpy(fem->contact_frame + 4 * c, frame, sizeof frame);
  fem->contact_area[c] = touch->mortar->area[j];
}

/* Rows of all that have area, at the place that was looked at; areas and frames of the candidates are theirs. */
static prc_status make_rows(prc_fem *fem, int i, prc_error *err) {
  prc_fem_touch *touch = &fem->touch[i];
  memset(fem->contact_area + first_of(fem, i), 0, (size_t)touch->n_nodes * sizeof *fem->contact_area);
  touch->n = 0;
  for (int j = 0; j < touch->n_nodes; j++) {
    if (touch->mortar->goes[j] != j) continue;
    const prc_status status = add_row(touch, j, err);
    if (status != PRC_OK) return status;
    note_frame(fem, i, j);
  }
  touch->fresh = 1;
  return PRC_OK;
}

/* ---- for the system -------------------------------------------------------------------------------------------------- */

static double longest_side(const prc_fem_touch *touch) {
  return fmax(touch->chain[0]->longest, touch->chain[1]->longest);
}

double prc_fem_length_at(const prc_fem_touch *touch, int j) {
  const prc_mortar_chain *chain = touch->chain[1];
  double sum = 0.0;
  int n = 0;
  for (int e = 0; e < 2; e++) {
    const int k = chain->ahead[2 * j + e];
    if (k < 0) continue;
    const double *a = chain->x + 2 * chain->chord[k].point[0], *b = chain->x + 2 * chain->chord[k].point[1];
    sum += hypot(b[0] - a[0], b[1] - a[1]), n++;
  }
  return n > 0 ? sum / n : 0.0;
}

/* Where friction remembers what is open, nodes with nothing under them, or that handed on their area, are in the set without a row: they come back as they went. */
static int never_forgets(const prc_law *law) {
  return law->friction->n_state > 0 && !law->friction->forgets;
}

prc_status prc_fem_find_interface(prc_fem *fem, int i, const prc_at *at, double way, prc_contact_set *set,
                                  prc_error *err) {
  prc_status status = PRC_OK;
  prc_fem_touch *touch = &fem->touch[i];
  const prc_fem_interface *interface = &fem->model->interface[i];
  const int surface = fem->model->n_contacts + i;
  if (!interface->small) {
    touch->mortar->depth = longest_side(touch) + way;
    touch->mortar->range = NEAR * longest_side(touch) + way;
    touch->mortar->reach = interface->from_start ? -1.0 : way;
    touch->looked = 0;
    prc_try(find_mortar(fem, touch, at->q, err));
    prc_try(make_rows(fem, i, err));
  }
  for (int j = 0, k = 0; j < touch->n_nodes; j++) {
    const int c = first_of(fem, i) + j, has_row = k < touch->n && touch->of[k] == j;
    const int first = has_row ? touch->rows.start[k] : 0;
    const prc_contact contact = {.id = {(uint32_t)surface, 0, 0, (uint32_t)fem->contact_node[c]},
                                 .group = surface,
                                 .body = {0, 0},
                                 .n_dof = has_row ? touch->rows.start[k + 1] - first : 0,
                                 .dof = touch->rows.dof ? touch->rows.dof + first : NULL,
                                 .law = &fem->law[c],
                                 .size = fem->size,
                                 .place = {fem->model->mesh->x[2 * fem->contact_node[c]],
                                           fem->model->mesh->x[2 * fem->contact_node[c] + 1]},
                                 .stay = PRC_FEM_STAY * touch->chain[1]->longest,
                                 .ramp = interface->small ? 0.0 : RAMP * prc_fem_length_at(touch, j)};
    k += has_row;
    if (has_row || (!interface->small && never_forgets(&fem->law[c])))
      prc_try(prc_contact_set_add(set, &contact, err));
  }
done:
  return status;
}

double prc_fem_linear_gap(const prc_fem_touch *touch, int k, const double *q) {
  const prc_rows *H = &touch->rows;
  double gap = touch->gap_start[touch->of[k]];
  for (int d = H->start[k]; d < H->start[k + 1]; d++) gap += H->x[H->start[k] + d] * q[H->dof[d]];
  return gap;
}

static void evaluate_small(const prc_fem_touch *touch, const prc_at *at, unsigned what, prc_contact_set *set,
                           int first) {
  const prc_rows *H = &touch->rows;
  for (int k = 0; k < touch->n; k++) {
    const int count = H->start[k + 1] - H->start[k];
    if (what & PRC_EVALUATE_GAP) set->gap[first + k] = prc_fem_linear_gap(touch, k, at->q);
    if (what & PRC_EVALUATE_H)
      memcpy(set->H.x + 2 * set->H.start[first + k], H->x + 2 * H->start[k],
             2 * (size_t)count * sizeof *H->x);
  }
}

/* Where a node stands in row k, or else the nearest node that does: within a step next to nothing of a row is of nodes that its contact did not touch where
 * it was found. */
static int column_of(const prc_fem *fem, const prc_fem_touch *touch, int k, int node) {
  const int *dof = touch->rows.dof + touch->rows.start[k];
  const int count = (touch->rows.start[k + 1] - touch->rows.start[k]) / 2;
  const double *X = fem->model->mesh->x;
  double least = INFINITY;
  int nearest = 0;
  for (int i = 0; i < count; i++) {
    const int other = dof[2 * i] / 2;
    const double way = hypot(X[2 * other] - X[2 * node], X[2 * other + 1] - X[2 * node + 1]);
    if (other == node) return i;
    if (way < least) least = way, nearest = i;
  }
  return nearest;
}

/* Row k at the place that was looked at, in the columns that it has had since it was found. */
static prc_status write_row(const prc_fem *fem, prc_fem_touch *touch, int k, double *x, prc_error *err) {
  const int count = touch->rows.start[k + 1] - touch->rows.start[k],
            owner = touch->mortar->goes[touch->of[k]];
  if (touch->fresh) {
    memcpy(x, touch->rows.x + 2 * touch->rows.start[k], 2 * (size_t)count * sizeof *x);
    return PRC_OK;
  }
  memset(x, 0, 2 * (size_t)count * sizeof *x);
  if (owner < 0) return PRC_OK;
  const prc_status status = prc_mortar_find_row(touch->mortar, owner, &touch->row, err);
  for (int i = 0; i < touch->row.n && status == PRC_OK; i++) {
    const double *c = touch->row.c + 2 * i;
    double *at = x + 2 * column_of(fem, touch, k, touch->row.node[i]);
    at[0] += c[0], at[1] += c[1];
    at[count] += c[1], at[count + 1] -= c[0];
  }
  return status;
}

/* Rows stand in the set as they were found: both ascend by nodes. */
static int row_of(const prc_fem_touch *touch, int k, int j) {
  while (k < touch->n && touch->of[k] < j) k++;
  return k;
}

static void evaluate_large(prc_fem *fem, int i, const prc_at *at, unsigned what, prc_contact_set *set,
                           int first, int n) {
  prc_fem_touch *touch = &fem->touch[i];
  const prc_mortar *mortar = touch->mortar;
  prc_error ignored = {0};
  const int ok = find_mortar(fem, touch, at->q, &ignored) == PRC_OK;
  for (int c = first, k = 0; c < first + n; c++) {
    const int j = prc_mortar_chain_point(touch->chain[1], (int)set->id[c].feature_b), owner = mortar->goes[j];
    const prc_fem_interface *interface = &fem->model->interface[i];
    const double start = interface->from_start ? touch->gap_start[j] + interface->interference : 0.0;
    const int has_row = set->H.start[c + 1] > set->H.start[c];
    double gap = owner < 0 || !has_row ? mortar->range : mortar->gap[owner] - start;
    k = row_of(touch, k, j);
    const int same =
        ok && k < touch->n && touch->of[k] == j
        && touch->rows.start[k + 1] - touch->rows.start[k] == set->H.start[c + 1] - set->H.start[c];
    if ((what & PRC_EVALUATE_H) && has_row
        && (!same || write_row(fem, touch, k, set->H.x + 2 * set->H.start[c], &ignored) != PRC_OK))
      gap = NAN; /* memory ran out, or contacts of another search: steps refuse it */
    if (what & PRC_EVALUATE_GAP) set->gap[c] = ok ? gap : NAN;
  }
}

int prc_fem_evaluate_interface(prc_fem *fem, int i, const prc_at *at, unsigned what, prc_contact_set *set,
                               int first) {
  const uint32_t surface = (uint32_t)(set->first_surface + fem->model->n_contacts + i);
  int n = 0;
  while (first + n < set->n && set->id[first + n].a == surface) n++;
  if (fem->model->interface[i].small)
    evaluate_small(&fem->touch[i], at, what, set, first);
  else
    evaluate_large(fem, i, at, what, set, first, n);
  return n;
}

/* ---- making it --------------------------------------------------------------------------------------------------------- */

prc_status prc_fem_make_chain(const prc_fem *fem, const prc_mesh_group *group, prc_mortar_chain **out,
                              prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = fem->model->mesh;
  int(*side)[3] = NULL, branch = -1;
  if (group->n_nodes == 0) prc_try(prc_fail(err, PRC_INPUT, "its group '%s' has no nodes", group->name));
  prc_try(prc_fem_check_boundary(mesh, group, err));
  prc_try(prc_new(&side, group->n_cells, err));
  for (int k = 0; k < group->n_cells; k++) {
    const int e = group->cell[k];
    side[k][0] = mesh->edge[2 * e], side[k][1] = mesh->edge[2 * e + 1], side[k][2] = mesh->edge_middle[e];
  }
  status = prc_mortar_chain_create(group->n_nodes, group->node, group->n_cells, (const int(*)[3])side, out,
                                   &branch, err);
  if (status != PRC_OK && branch >= 0) prc_error_context(err, "node %zu", mesh->tag[branch]);
  if (status != PRC_OK) prc_error_context(err, "its group '%s'", group->name);
done:
  prc_delete(&side);
  return status;
}

/* Held nodes, and corners of the mesh: contacts press them flat, and they stay corners. */
static void mark_points(const prc_fem *fem, prc_fem_touch *touch) {
  const double *X = fem->model->mesh->x;
  for (int side = 0; side < 2; side++) {
    prc_mortar_chain *chain = touch->chain[side];
    const prc_mortar_chain *other = touch->chain[1 - side];
    for (int j = 0; j < chain->n_points; j++) {
      const int node = chain->node[j];
      for (int d = 0; d < 2; d++) chain->x[2 * j + d] = X[2 * node + d];
      touch->held[side][j] =
          (char)(prc_fem_is_prescribed(fem, 2 * node) || prc_fem_is_prescribed(fem, 2 * node + 1)
                 || prc_fem_lists(other->node, other->n_points, node));
    }
    prc_mortar_chain_mark_corners(chain, touch->held[side]);
  }
}

static prc_status set_law(prc_fem *fem, const prc_fem_interface *interface, int c, prc_error *err) {
  const double *x = fem->model->mesh->x + 2 * fem->contact_node[c];
  return prc_law_at(&interface->friction, &interface->restitution, interface->restitution_tangential, x,
                    &fem->law[c], &fem->formulas[c], err);
}

static prc_status allocate(prc_fem *fem, int i, prc_error *err) {
  prc_status status = PRC_OK;
  prc_fem_touch *touch = &fem->touch[i];
  const prc_fem_interface *interface = &fem->model->interface[i];
  touch->n_nodes = interface->group[1]->n_nodes;
  const size_t n = (size_t)touch->n_nodes;
  for (int side = 0; side < 2; side++)
    prc_try(prc_new(&touch->held[side], interface->group[side]->n_nodes, err));
  prc_try(prc_new(&touch->gap_start, n, err));
  prc_try(prc_new(&touch->of, n, err));
  prc_try(prc_new(&touch->rows.start, n + 1, err));
  prc_try(prc_new(&touch->q, 2 * (n + (size_t)interface->group[0]->n_nodes), err));
  touch->rows.dim = 2;
done:
  return status;
}

static prc_status make_touch(prc_fem *fem, int i, prc_error *err) {
  prc_status status = PRC_OK;
  prc_fem_touch *touch = &fem->touch[i];
  const prc_fem_interface *interface = &fem->model->interface[i];
  const int ring = fem->model->plane == PRC_AXISYMMETRIC;
  prc_try(prc_fem_refuse_same_sides(fem, interface, err));
  prc_try(allocate(fem, i, err));
  for (int side = 0; side < 2; side++)
    prc_try(prc_fem_make_chain(fem, interface->group[side], &touch->chain[side], err));
  prc_try(prc_mortar_create(touch->chain[0], touch->chain[1], &touch->mortar, err));
  touch->mortar->across = ring ? 0.0 : fem->model->thickness;
  touch->mortar->around = ring ? prc_fem_depth(fem->model, 1.0) : 0.0;
  mark_points(fem, touch);
  touch->mortar->held = touch->held[1];
  touch->mortar->reach = interface->from_start ? -1.0 : INFINITY;
  for (int j = 0; j < touch->n_nodes; j++) {
    const int c = first_of(fem, i) + j;
    fem->contact_node[c] = touch->chain[1]->node[j];
    prc_try(set_law(fem, interface, c, err));
  }
  prc_try(find_mortar(fem, touch, NULL, err));
  prc_try(make_rows(fem, i, err));
  prc_try(prc_fem_refuse_held_sides(fem, touch, interface, err));
  for (int j = 0; j < touch->n_nodes; j++)
    touch->gap_start[j] =
        interface->small && interface->from_start ? -interface->interference : touch->mortar->gap[j];
done:
  return status;
}

static prc_status prepare_sets(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = fem->model;
  const int n = fem->contact_first[model->n_contacts + model->n_interfaces];
  if (!prc_fem_slides(model)) return PRC_OK;
  prc_try(prc_new(&fem->laws, n, err));
  prc_try(prc_new(&fem->touched, 2 * (size_t)model->mesh->n_nodes, err));
  for (int c = 0; c < n; c++) fem->laws[c] = &fem->law[c];
  for (int k = 0; k < 2 * fem->points->n; k++) fem->touched[fem->points->dof[k]] = 1;
  for (int i = 0; i < model->n_interfaces; i++)
    for (int side = 0; side < 2; side++) {
      const prc_mesh_group *group = model->interface[i].group[side];
      for (int k = 0; k < group->n_nodes; k++)
        fem->touched[2 * group->node[k]] = fem->touched[2 * group->node[k] + 1] = 1;
    }
done:
  return status;
}

prc_status prc_fem_make_interfaces(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = fem->model;
  prc_try(prc_new(&fem->touch, model->n_interfaces, err));
  for (int i = 0; i < model->n_interfaces; i++) {
    status = make_touch(fem, i, err);
    if (status == PRC_OK) status = prc_fem_add_prestress(fem, i, err);
    if (status != PRC_OK) prc_error_context(err, "contact '%s'", model->interface[i].name);
    prc_try(status);
  }
  prc_try(prepare_sets(fem, err));
done:
  return status;
}

void prc_fem_free_interfaces(prc_fem *fem) {
  for (int i = 0; fem->touch && i < fem->model->n_interfaces; i++) {
    prc_fem_touch *touch = &fem->touch[i];
    prc_mortar_free(&touch->mortar);
    for (int side = 0; side < 2; side++) prc_mortar_chain_free(&touch->chain[side]);
    for (int side = 0; side < 2; side++) prc_delete(&touch->held[side]);
    prc_delete(&touch->gap_start);
    prc_delete(&touch->q);
    prc_delete(&touch->of);
    prc_delete(&touch->rows.start);
    prc_delete(&touch->rows.dof);
    prc_delete(&touch->rows.x);
    prc_mortar_row_free(&touch->row);
  }
  prc_delete(&fem->touch);
  prc_delete(&fem->laws);
  prc_delete(&fem->touched);
}

/* ---- for others ------------------------------------------------------------------------------------------------------ */

int prc_fem_contact_candidate(const prc_fem *fem, int k, int node) {
  int low = fem->contact_first[k], high = fem->contact_first[k + 1];
  const int end = high;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (fem->contact_node[middle] < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && fem->contact_node[low] == node ? low : -1;
}

void prc_fem_interface_pull(const prc_fem *fem, int i, const double *p, double *y) {
  const prc_fem_touch *touch = &fem->touch[i];
  const prc_rows *H = &touch->rows;
  for (int k = 0; k < touch->n; k++) {
    const double *of = p + 2 * touch->of[k];
    const int first = H->start[k], count = H->start[k + 1] - first;
    const double *row = H->x + 2 * first;
    for (int d = 0; d < count; d++) y[H->dof[first + d]] += row[d] * of[0] + row[count + d] * of[1];
  }
}

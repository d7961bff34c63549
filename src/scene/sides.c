#include "config.h"
#include "scene/internal.h"

#include <math.h>

/* Curves of a mesh against the shapes of rigid bodies and obstacles: nodes on edges, corners and small discs on
 * sides (contact/sides.h).
 *
 * A contact is a part of a rigid body (a) and a curve (b): id = (surface of the part, 0, what touches, node),
 * with the kind of touch and the edge or corner in `feature_a` and a node in `feature_b`: the node itself, or the
 * first of the side. H = D (J_b - J_a), both at the place on the mesh, so that action and reaction are on one line.
 * The normal row is the rate of the gap. */

#define LARGE 4.0  /* sides: a disc with such a radius touches nodes, others touch sides */
#define STAY  1e-3 /* of a side: what pushed stays active up to such a gap */
#define SLACK 1e-2 /* of a side, see prc_side_limits */

enum { KIND = 24 }; /* the kind of touch stands in the upper byte of feature_a */

/* ---- places ----------------------------------------------------------------------------------------------------- */

static void place_chain(const prc_scene *scene, const prc_scene_sides *sides, const double *q,
                        prc_mortar_chain *chain) {
  const prc_body *body = &scene->body[sides->curve_of];
  for (int i = 0; i < chain->n_points; i++) {
    const prc_body_point point = {.feature = chain->node[i]};
    body->kind->place(body->self, q + body->first_coordinate, &point, chain->x + 2 * i);
  }
}

static prc_pose pose_of(const prc_scene *scene, const prc_scene_sides *sides, int item, const double *q) {
  const prc_body *body = &scene->body[sides->shapes_of];
  const prc_body_point centre = {.item = item};
  prc_body_frame frame;
  body->kind->frame(body->self, q + body->first_coordinate, NULL, &centre, &frame);
  return prc_pose_at(frame.x[0], frame.x[1], frame.x[2]);
}

static void velocity_at(const prc_scene *scene, const prc_scene_sides *sides, int item, const prc_at *at,
                        const double x[2], double v[2]) {
  const prc_body *body = &scene->body[sides->shapes_of];
  const prc_body_point point = {.item = item};
  prc_body_rows rows;
  body->kind->rows(body->self, at->q + body->first_coordinate, &point, x, &rows);
  for (int k = 0; k < 2; k++) {
    v[k] = 0.0;
    for (int d = 0; d < rows.n; d++) v[k] += rows.J[k][d] * at->v[body->first_dof + rows.dof[d]];
  }
}

/* ---- touches ---------------------------------------------------------------------------------------------------- */

static prc_side_touch touch_of(const prc_mortar_chain *chain, const prc_contact_id *id) {
  const int point = prc_mortar_chain_point(chain, (int)id->feature_b);
  prc_side_touch t = {.kind = (prc_side_kind)(id->feature_a >> KIND),
                      .of_shape = (int)(id->feature_a & ((1U << KIND) - 1U)),
                      .of_chain = point};
  if (t.kind == PRC_CORNER_ON_SIDE) t.of_chain = chain->ahead[2 * point + 1];
  return t;
}

/* The node of the touch, or the first of its side. */
static int first_point(const prc_mortar_chain *chain, const prc_side_touch *t) {
  return t->kind == PRC_CORNER_ON_SIDE ? chain->chord[t->of_chain].point[0] : t->of_chain;
}

/* dof: of the system; the rigid body's first. */
static int dofs_of(const prc_scene *scene, const prc_scene_sides *sides, int item, const prc_side_touch *t,
                   const double *q, int *dof) {
  const prc_body *a = &scene->body[sides->shapes_of], *b = &scene->body[sides->curve_of];
  const prc_mortar_chain *chain = sides->chain;
  const prc_body_point point = {.item = item};
  prc_body_rows rows;
  int of[3], n = 0;
  double share[3];
  a->kind->rows(a->self, q + a->first_coordinate, &point, t->place, &rows);
  for (int d = 0; d < rows.n; d++) dof[n++] = a->first_dof + rows.dof[d];
  const int n_points = prc_sides_points(chain, t, of, share);
  for (int i = 0; i < n_points; i++)
    for (int k = 0; k < 2; k++) dof[n++] = b->first_dof + 2 * chain->node[of[i]] + k;
  return n;
}

/* Rows n and t, t being n turned by -90 degrees. */
static void write_rows(const prc_scene *scene, const prc_scene_sides *sides, int item,
                       const prc_side_touch *t, const double *q, double *H) {
  const prc_body *a = &scene->body[sides->shapes_of];
  const double D[2][2] = {{t->normal[0], t->normal[1]}, {t->normal[1], -t->normal[0]}};
  const prc_body_point point = {.item = item};
  prc_body_rows rows;
  int of[3];
  double share[3];
  a->kind->rows(a->self, q + a->first_coordinate, &point, t->place, &rows);
  const int n_points = prc_sides_points(sides->chain, t, of, share);
  for (int row = 0; row < 2; row++) {
    for (int d = 0; d < rows.n; d++) *H++ = -(D[row][0] * rows.J[0][d] + D[row][1] * rows.J[1][d]);
    for (int i = 0; i < n_points; i++)
      for (int k = 0; k < 2; k++) *H++ = D[row][k] * share[i];
  }
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

/* By how much the part and the curve may come nearer to each other in a time h: all nodes by their velocity
 * against the part's at the same place. */
static double way_of(const prc_scene *scene, const prc_scene_sides *sides, int item, const prc_at *at,
                     double h) {
  const prc_body *b = &scene->body[sides->curve_of];
  const prc_mortar_chain *chain = sides->chain;
  double most = 0.0, v[2];
  for (int i = 0; i < chain->n_points; i++) {
    const double *own = at->v + b->first_dof + 2 * chain->node[i];
    velocity_at(scene, sides, item, at, chain->x + 2 * i, v);
    most = fmax(most, hypot(own[0] - v[0], own[1] - v[1]));
  }
  return h * most;
}

static prc_status add_touch(prc_scene *scene, int k, int part, double way, const prc_side_touch *t,
                            const prc_at *at, prc_contact_set *set, prc_error *err) {
  const prc_scene_sides *sides = &scene->sides[k];
  const prc_body *a = &scene->body[sides->shapes_of], *b = &scene->body[sides->curve_of];
  const prc_scene_side_part *of = &sides->part[part];
  const int point = first_point(sides->chain, t);
  int dof[PRC_BODY_DOFS + 6];
  const double own = a->kind->size(a->self, of->item), width = of->shape->width;
  const prc_contact contact = {
      .id = {(uint32_t)(sides->first_surface + part), 0, (uint32_t)t->kind << KIND | (uint32_t)t->of_shape,
             (uint32_t)sides->chain->node[point]},
      .group = scene->first_group + scene->n_contacts + k,
      .body = {a->first_item + of->item, b->first_item},
      .n_dof = dofs_of(scene, sides, of->item, t, at->q, dof),
      .dof = dof,
      .law = &sides->law[point],
      .size = own > 0.0 && isfinite(own) ? fmin(own, b->kind->size(b->self, 0)) : b->kind->size(b->self, 0),
      .width = isfinite(width) ? width : 0.0,
      .place = {t->place[0], t->place[1], 0.0},
      .way = 2.0 * way + SLACK * sides->longest,
      .stay = STAY * sides->longest};
  return prc_contact_set_add(set, &contact, err);
}

prc_status prc_scene_find_sides(prc_scene *scene, int k, const prc_at *at, double h, double reach,
                                prc_contact_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  prc_scene_sides *sides = &scene->sides[k];
  place_chain(scene, sides, at->q, sides->chain);
  for (int i = 0; i < sides->n_parts; i++) {
    const prc_scene_side_part *of = &sides->part[i];
    const prc_pose pose = pose_of(scene, sides, of->item, at->q);
    const double way = way_of(scene, sides, of->item, at, h), width = of->shape->width;
    const double deepest = sides->longest + way;
    const prc_side_limits limits = {.reach = reach + way,
                                    .depth = width > 0.0 ? fmin(deepest, 0.5 * width) : deepest,
                                    .slack = SLACK * sides->longest + way,
                                    .by_nodes = of->by_nodes};
    sides->touches.n = 0;
    prc_try(prc_sides_meet(sides->chain, of->shape, &pose, &limits, &sides->touches, err));
    for (int j = 0; j < sides->touches.n; j++)
      prc_try(add_touch(scene, k, i, way, &sides->touches.touch[j], at, set, err));
  }
done:
  return status;
}

void prc_scene_evaluate_sides(const prc_scene *scene, int k, const prc_at *at, unsigned what,
                              prc_contact_set *set) {
  const prc_scene_sides *sides = &scene->sides[k];
  place_chain(scene, sides, at->q, sides->chain);
  for (int i = 0; i < sides->n_parts; i++) {
    int first;
    const int n = prc_scene_places(set, (uint32_t)(sides->first_surface + i), &first);
    const prc_scene_side_part *of = &sides->part[i];
    const prc_pose pose = pose_of(scene, sides, of->item, at->q);
    for (int c = first; c < first + n; c++) {
      prc_side_touch t = touch_of(sides->chain, &set->id[c]);
      prc_sides_follow(sides->chain, of->shape, &pose, &t);
      if (what & PRC_EVALUATE_GAP) set->gap[c] = t.gap;
      if (what & PRC_EVALUATE_H)
        write_rows(scene, sides, of->item, &t, at->q, set->H.x + set->dim * set->H.start[c]);
      if (what & PRC_EVALUATE_PLACE)
        prc_scene_write_place(t.normal, t.place, set->frame + 9 * c, set->place + 3 * c);
    }
  }
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

static prc_status list_parts(const prc_scene *scene, const prc_scene_curve *of, prc_scene_sides *sides,
                             prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *rigid = prc_rigid_get_model(scene->body[of->shapes_of].self);
  int n = 0;
  for (int i = 0; i < of->n_items; i++) n += rigid->body[of->item[i]].n_parts;
  prc_try(prc_new(&sides->part, n, err));
  for (int i = 0; i < of->n_items; i++) {
    const prc_rigid_body *body = &rigid->body[of->item[i]];
    for (int j = 0; j < body->n_parts; j++) {
      const prc_shape *shape = &body->part[j];
      sides->part[sides->n_parts++] = (prc_scene_side_part){
          .item = of->item[i], .shape = shape, .by_nodes = shape->radius >= LARGE * sides->longest};
    }
  }
done:
  return status;
}

static double longest_of(const prc_mortar_chain *chain) {
  double longest = 0.0;
  for (int k = 0; k < chain->n_chords; k++) {
    const double *a = chain->x + 2 * chain->chord[k].point[0], *b = chain->x + 2 * chain->chord[k].point[1];
    longest = fmax(longest, hypot(b[0] - a[0], b[1] - a[1]));
  }
  return longest;
}

prc_status prc_scene_make_sides(prc_scene *scene, const prc_scene_model *model, const double *q,
                                prc_error *err) {
  prc_status status = PRC_OK;
  int surface = scene->first_surface + scene->n_contacts;
  scene->n_sides = model->n_curves;
  prc_try(prc_new(&scene->sides, model->n_curves, err));
  for (int k = 0; k < model->n_curves; k++) {
    const prc_scene_curve *of = &model->curve[k];
    prc_scene_sides *sides = &scene->sides[k];
    status = prc_fem_make_chain(scene->body[of->curve_of].self, of->curve, &sides->chain, err);
    for (int i = 0; i < of->curve->n_nodes && status == PRC_OK; i++) status = prc_law_check(&of->law[i], err);
    if (status != PRC_OK) {
      prc_error_context(err, "contact '%s'", of->name);
      goto done;
    }
    sides->curve_of = of->curve_of, sides->shapes_of = of->shapes_of, sides->law = of->law;
    sides->curve = of->curve;
    place_chain(scene, sides, q, sides->chain);
    sides->longest = longest_of(sides->chain);
    prc_try(list_parts(scene, of, sides, err));
    sides->first_surface = surface, surface += sides->n_parts;
  }
done:
  return status;
}

/* All nodes of the curves and all dofs of the rigid bodies. */
void prc_scene_touch_sides(const prc_scene *scene, char *touched) {
  for (int k = 0; k < scene->n_sides; k++) {
    const prc_scene_sides *sides = &scene->sides[k];
    const prc_body *a = &scene->body[sides->shapes_of], *b = &scene->body[sides->curve_of];
    for (int i = 0; i < 2 * sides->chain->n_points; i++)
      touched[b->first_dof + 2 * sides->chain->node[i / 2] + i % 2] = 1;
    for (int i = 0; i < sides->n_parts; i++)
      for (int d = 0; d < 3; d++) touched[a->first_dof + 3 * sides->part[i].item + d] = 1;
  }
}

void prc_scene_free_sides(prc_scene *scene) {
  for (int k = 0; k < scene->n_sides && scene->sides; k++) {
    prc_mortar_chain_free(&scene->sides[k].chain);
    prc_delete(&scene->sides[k].part);
    prc_delete(&scene->sides[k].touches.touch);
  }
  prc_delete(&scene->sides);
}

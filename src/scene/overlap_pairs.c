#include "config.h"
#include "scene/overlap.h"

#include <math.h>

/* Which outlines may overlap: of what contacts of the case name, but for what they see whole. */

#define SHARE 0.01 /* of what depths are compared with */
#define START 1e-6 /* of what depths are compared with: forgiven at the start */

/* Surfaces and outlines are in place: what is allowed of them. At the start what is behind a plane is there by design; so is what fits. */
static void set_bounds(const prc_scene *scene, prc_overlap_pair *p, int from_start, double most,
                       const double *q) {
  prc_figure *f = p->figure;
  const double radius = p->is_disc ? p->surface.radius : 0.0;
  const double size[2] = {f[0].size, p->n_figures == 2 ? f[1].size : 2.0 * radius},
               width[2] = {f[0].width, p->n_figures == 2 ? f[1].width : 2.0 * radius};
  const double compared = prc_contact_compared(size, width), facet = f[0].facet + f[1].facet;
  p->bound = facet + (most > 0.0 ? most : SHARE * compared);
  p->slack = p->n_figures == 2 ? facet + START * compared : p->bound;
  const double thin = width[0] > 0.0 && width[1] > 0.0 ? fmin(width[0], width[1]) : fmax(width[0], width[1]);
  p->cap = thin > 0.0 ? 0.5 * thin : 0.5 * compared;
  const double start = prc_overlap_depth(scene, p, q, 0);
  if (from_start) p->bound += fmax(start, 0.0), p->slack = INFINITY;
}

/* Of a plane: points that are behind it at the start are not judged. */
static prc_status leave_out(const prc_scene *scene, prc_overlap_pair *p, const double *q, prc_error *err) {
  prc_outline *o = &p->figure[0].outline;
  const prc_status status = prc_new(&o->left_out, o->n_points, err);
  if (status != PRC_OK) return status;
  prc_overlap_place(scene, p, 0, q, q, 0.0);
  const prc_contact_surface now = prc_overlap_surface(scene, p, q, q, 0.0);
  for (int i = 0; i < o->n_points; i++) {
    const double *x = o->x + 2 * i;
    const double gap = (x[0] - now.point[0]) * now.normal[0] + (x[1] - now.point[1]) * now.normal[1];
    o->left_out[i] = gap - o->radius < -1e-9 * p->figure[0].size;
  }
  return PRC_OK;
}

/* Are all points of the outline those that the contact looks at? */
static int is_seen(const prc_figure *f, int n, const prc_body_point *point, double radius) {
  for (int i = 0; i < f->outline.n_points; i++) {
    int found = 0;
    for (int k = 0; k < n && !found; k++) {
      const double *r = point[k].r;
      found = f->node ? point[k].feature == f->node[i]
                      : f->r && hypot(r[0] - f->r[2 * i], r[1] - f->r[2 * i + 1]) <= 1e-12 * f->size;
    }
    if (!found) return 0;
  }
  return f->outline.radius <= radius;
}

/* Bodies of a mesh have no numbers of their own in looks: they have those behind all others. */
static int number_of(const prc_scene *scene, const prc_overlap_pair *p, int k) {
  if (p->of[k] < 0) return -1;
  const prc_body *body = &scene->body[p->of[k]];
  if (k < p->n_figures && p->figure[k].node) return prc_overlap_items(scene) + 2 * scene->overlaps->n + k;
  return body->first_item + (k == 0 ? p->figure[0].item : p->item);
}

/* *p goes to the list, or is freed: what has no outline, or none but what its contact looks at, is judged by gaps. */
static prc_status add(prc_scene *scene, prc_overlap_pair *p, int from_start, int is_seen_whole,
                      const double *q, prc_error *err) {
  prc_status status = PRC_OK;
  struct prc_scene_overlaps *all = scene->overlaps;
  if (p->figure[0].outline.n_points == 0 || (p->n_figures == 2 && p->figure[1].outline.n_points == 0)
      || (!p->is_disc && p->n_figures == 1 && is_seen_whole))
    goto done;
  if (p->n_figures == 1 && !p->is_disc) prc_try(leave_out(scene, p, q, err));
  set_bounds(scene, p, from_start, scene->max_penetration, q);
  for (int k = 0; k < 2; k++) p->number[k] = number_of(scene, p, k);
  const int second = p->number[0];
  p->number[0] = p->number[1], p->number[1] = second; /* as in contacts: b goes into a */
  prc_try(prc_grow(&all->pair, &all->room, (size_t)all->n + 1, sizeof *all->pair, err));
  all->pair[all->n++] = *p;
  *p = (prc_overlap_pair){0};
done:
  prc_overlap_pair_free(p);
  return status;
}

/* The curve of a mesh that has these nodes. */
static const char *curve_of(const prc_mesh *mesh, int n, const prc_body_point *point) {
  for (int g = 0; g < mesh->n_groups; g++) {
    const prc_mesh_group *group = &mesh->group[g];
    int same = group->dim == 1 && group->n_nodes == n;
    for (int i = 0; i < n && same; i++) same = group->node[i] == point[i].feature;
    if (same) return group->name;
  }
  return NULL;
}

static prc_status make_figure(const prc_scene *scene, prc_overlap_pair *p, int k, int n,
                              const prc_body_point *point, int sided, prc_error *err) {
  const prc_body *body = &scene->body[p->of[k]];
  return body->kind->figure->make(body->self, n, point, sided, &p->figure[k], err);
}

/* Points of body b against a fixed plane. */
static prc_status add_plane(prc_scene *scene, int b, int group, const prc_contact_plane *plane,
                            const char *name, int n, const prc_body_point *point, double radius,
                            const double *q, prc_error *err) {
  prc_status status = PRC_OK;
  prc_overlap_pair p = {.name = {name, NULL},
                        .group = prc_scene_group(scene, b, group),
                        .n_figures = 1,
                        .of = {b, -1},
                        .surface = prc_contact_face(plane)};
  prc_try(make_figure(scene, &p, 0, n, point, 0, err));
  return add(scene, &p, 0, is_seen(&p.figure[0], n, point, radius), q, err);
done:
  prc_overlap_pair_free(&p);
  return status;
}

static prc_status points_of_group(const prc_mesh_group *group, prc_body_point **out, prc_error *err) {
  const prc_status status = prc_new(out, group->n_nodes, err);
  for (int i = 0; status == PRC_OK && i < group->n_nodes; i++) (*out)[i].feature = group->node[i];
  return status;
}

/* Nodes that both sides have, where a split line ends, are no contact. */
static prc_status leave_out_common(prc_overlap_pair *p, prc_error *err) {
  for (int k = 0; k < 2; k++) {
    prc_figure *f = &p->figure[k], *other = &p->figure[1 - k];
    const prc_status status = prc_new(&f->outline.left_out, f->outline.n_points, err);
    if (status != PRC_OK) return status;
    for (int i = 0; i < f->outline.n_points; i++)
      for (int j = 0; j < other->outline.n_points; j++)
        f->outline.left_out[i] |= f->node[i] == other->node[j];
  }
  return PRC_OK;
}

/* Do the two curves belong to one body? Then what is inside says nothing, and each has its own side. */
static prc_status is_one_body(const prc_mesh *mesh, const prc_mesh_group *const group[2], int *out,
                              prc_error *err) {
  prc_status status = PRC_OK;
  int *body = NULL;
  char *of_first = NULL;
  *out = 0;
  prc_try(prc_new(&body, mesh->n_nodes, err));
  prc_try(prc_new(&of_first, mesh->n_nodes, err));
  prc_mesh_bodies(mesh, body);
  for (int i = 0; i < group[0]->n_nodes; i++) of_first[body[group[0]->node[i]]] = 1;
  for (int i = 0; i < group[1]->n_nodes; i++) *out |= of_first[body[group[1]->node[i]]];
done:
  prc_delete(&body);
  prc_delete(&of_first);
  return status;
}

static prc_status add_interface(prc_scene *scene, int b, int k, const double *q, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = prc_fem_get_model(scene->body[b].self);
  const prc_fem_interface *of = &model->interface[k];
  prc_body_point *point = NULL;
  prc_overlap_pair p = {.name = {of->group[1]->name, of->group[0]->name},
                        .group = prc_scene_group(scene, b, model->n_contacts + k),
                        .n_figures = 2,
                        .of = {b, b}};
  int one;
  prc_try(is_one_body(model->mesh, of->group, &one, err));
  for (int side = 0; side < 2; side++) {
    prc_delete(&point);
    prc_try(points_of_group(of->group[1 - side], &point, err));
    prc_try(make_figure(scene, &p, side, of->group[1 - side]->n_nodes, point, one, err));
  }
  if (one) prc_try(leave_out_common(&p, err));
  prc_try(add(scene, &p, of->from_start, 0, q, err));
done:
  prc_delete(&point);
  prc_overlap_pair_free(&p);
  return status;
}

/* Of a mesh that ranks share no rank has the whole outline. */
static prc_status add_of_mesh(prc_scene *scene, int b, const double *q, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = prc_fem_get_model(scene->body[b].self);
  prc_body_point *point = NULL;
  for (int k = 0; k < model->n_contacts && !model->mesh->part; k++) {
    const prc_fem_contact *of = &model->contact[k];
    prc_delete(&point);
    prc_try(points_of_group(of->group, &point, err));
    prc_try(add_plane(scene, b, k, &of->plane, of->group->name, of->group->n_nodes, point, 0.0, q, err));
  }
  for (int k = 0; k < model->n_interfaces && !model->mesh->part; k++)
    prc_try(add_interface(scene, b, k, q, err));
done:
  prc_delete(&point);
  return status;
}

static prc_status add_of_rigid(prc_scene *scene, int b, const double *q, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = prc_rigid_get_model(scene->body[b].self);
  prc_body_point *point = NULL;
  for (int k = 0; k < model->n_contacts; k++) {
    const prc_rigid_contact *of = &model->contact[k];
    const int n = of->n_points > 0 ? of->n_points : 1;
    prc_delete(&point);
    prc_try(prc_new(&point, n, err));
    for (int i = 0; i < n; i++) {
      point[i].item = of->body;
      for (int d = 0; d < 2 && of->n_points > 0; d++) point[i].r[d] = of->point[2 * i + d];
    }
    prc_try(add_plane(scene, b, k, &of->plane, NULL, n, point, of->n_points > 0 ? 0.0 : of->radius, q, err));
  }
done:
  prc_delete(&point);
  return status;
}

static prc_status add_of_beam(prc_scene *scene, int b, const double *q, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_beam_model *model = prc_beam_get_model(scene->body[b].self);
  for (int k = 0; k < model->n_contacts && status == PRC_OK; k++)
    status = add_plane(scene, b, k, &model->contact[k].plane, NULL, 0, NULL, 0.0, q, err);
  return status;
}

static prc_status add_between(prc_scene *scene, int k, const double *q, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_scene_contact *c = &scene->contact[k];
  const prc_body *b = &scene->body[c->points_of];
  prc_overlap_pair p = {.group = prc_scene_group(scene, -1, k),
                        .n_figures = 1,
                        .of = {c->points_of, c->surface_of},
                        .surface = c->surface,
                        .item = c->surface_item,
                        .is_disc = c->surface.radius > 0.0};
  if (!b->kind->figure || !scene->body[c->surface_of].kind->surface || c->n_points == 0) return PRC_OK;
  if (b->kind == &prc_body_kind_mesh) {
    const prc_mesh *mesh = prc_fem_get_model(b->self)->mesh;
    if (mesh->part) return PRC_OK;
    p.name[0] = curve_of(mesh, c->n_points, c->point);
  }
  prc_try(make_figure(scene, &p, 0, c->n_points, c->point, 0, err));
  return add(scene, &p, 0, is_seen(&p.figure[0], c->n_points, c->point, c->radius), q, err);
done:
  prc_overlap_pair_free(&p);
  return status;
}

/* A curve of a mesh against one rigid body that has an outline; a plane or a hole is judged by gaps of nodes. */
static prc_status add_shape(prc_scene *scene, int k, int item, const double *q, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_scene_sides *sides = &scene->sides[k];
  const prc_mesh *mesh = prc_fem_get_model(scene->body[sides->curve_of].self)->mesh;
  const prc_body_point on_item = {.item = item};
  prc_body_point *point = NULL;
  prc_overlap_pair p = {.name = {sides->curve->name, NULL},
                        .group = prc_scene_group(scene, -1, scene->n_contacts + k),
                        .n_figures = 2,
                        .of = {sides->curve_of, sides->shapes_of},
                        .item = item};
  if (mesh->part) return PRC_OK;
  prc_try(points_of_group(sides->curve, &point, err));
  prc_try(make_figure(scene, &p, 0, sides->curve->n_nodes, point, 0, err));
  prc_try(make_figure(scene, &p, 1, 1, &on_item, 0, err));
  prc_try(add(scene, &p, 0, 0, q, err));
done:
  prc_delete(&point);
  prc_overlap_pair_free(&p);
  return status;
}

static prc_status add_shapes(prc_scene *scene, int k, const double *q, prc_error *err) {
  const prc_scene_sides *sides = &scene->sides[k];
  for (int i = 0; i < sides->n_parts; i++) {
    if (i > 0 && sides->part[i].item == sides->part[i - 1].item) continue;
    const prc_status status = add_shape(scene, k, sides->part[i].item, q, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

prc_status prc_scene_make_overlaps(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  double *q = NULL, *v = NULL;
  prc_try(prc_new(&scene->overlaps, 1, err));
  prc_try(prc_new(&q, prc_system_coordinates(&scene->system), err));
  prc_try(prc_new(&v, scene->system.space.nv, err));
  prc_scene_initial(scene, q, v);
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_body_kind *kind = scene->body[b].kind;
    if (kind == &prc_body_kind_mesh) prc_try(add_of_mesh(scene, b, q, err));
    if (kind == &prc_body_kind_rigid) prc_try(add_of_rigid(scene, b, q, err));
    if (kind == &prc_body_kind_beam) prc_try(add_of_beam(scene, b, q, err));
  }
  for (int k = 0; k < scene->n_contacts; k++) prc_try(add_between(scene, k, q, err));
  for (int k = 0; k < scene->n_sides; k++) prc_try(add_shapes(scene, k, q, err));
  if (scene->overlaps->n > 0)
    scene->system.overlaps = (prc_system_overlaps){.owner = scene,
                                                   .n_carried = PRC_OVERLAP_CARRIED * scene->overlaps->n,
                                                   .indicator = prc_overlap_judge_step};
done:
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

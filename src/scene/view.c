#include "config.h"
#include "scene/view.h"

#include <math.h>
#include <stdio.h>

void prc_text_print(const prc_text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text->print(text->to, format, args);
  va_end(args);
}

const prc_body *prc_view_body_of(const prc_scene *scene, int in_all, int *item) {
  const prc_body *body;
  int b = prc_scene_bodies(scene, &body) - 1;
  while (b > 0 && in_all < body[b].first_item) b--;
  *item = in_all - body[b].first_item;
  return &body[b];
}

const char *prc_view_item_name(const prc_body *body, int item) {
  const prc_body_view *view = body->kind->view;
  return view->item_name ? view->item_name(body->self, item) : body->name;
}

int prc_view_is_of_file(const char *kind) {
  const prc_body_kind *found = prc_body_kind_find(kind);
  return found && found->view->materials;
}

void prc_view_indicator_name(const prc_scene *scene, int number, char *text, size_t size) {
  const prc_body *body;
  const int n = prc_scene_bodies(scene, &body);
  const int end = body[n - 1].first_item + body[n - 1].kind->items(body[n - 1].self);
  const char *curve = prc_scene_overlap_name(scene, number);
  int item;
  text[0] = '\0';
  if (curve) {
    snprintf(text, size, "the body of '%.80s'", curve);
    return;
  }
  if (number < 0) return;
  const prc_body *of = number < end ? prc_view_body_of(scene, number, &item) : &body[0];
  snprintf(text, size, "'%.80s'", number < end ? prc_view_item_name(of, item) : of->name);
}

const prc_body *prc_view_support(const prc_scene *scene, int k, const int **rows, int *n) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  for (int b = 0; b < n_bodies; b++) {
    const prc_body_view *view = body[b].kind->view;
    const int own = view->supports ? view->supports(body[b].self) : 0;
    if (k < own) {
      *n = view->support_rows(body[b].self, k, rows);
      return &body[b];
    }
    k -= own;
  }
  *n = 0;
  return NULL;
}

const char *prc_view_tracked_name(const prc_body *body, int item) {
  const prc_body_view *view = body->kind->view;
  return view->tracked_name ? view->tracked_name(body->self, item) : prc_view_item_name(body, item);
}

/* Joint *k of all bodies' in turn: its body, and *k its number there; NULL: it is *k of those between bodies. */
static const prc_body *joint_of(const prc_scene *scene, int *k) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  for (int b = 0; b < n_bodies; b++) {
    const int n = body[b].kind->view->joints ? body[b].kind->view->joints(body[b].self) : 0;
    if (*k < n) return &body[b];
    *k -= n;
  }
  return NULL;
}

int prc_view_joint_rows(const prc_scene *scene, int k, int *first) {
  const prc_body *body = joint_of(scene, &k);
  if (!body) {
    *first = prc_scene_joint_first(scene, k);
    return prc_scene_joint_first(scene, k + 1) - *first;
  }
  const int own = body->kind->view->joint_first(body->self, k);
  *first = body->first_joint + own;
  return body->kind->view->joint_first(body->self, k + 1) - own;
}

void prc_view_joint_now(const prc_scene *scene, int k, const double *q, const double *g, const double *rows,
                        prc_view_joint *out) {
  int first;
  const int n = prc_view_joint_rows(scene, k, &first);
  const prc_body *body = joint_of(scene, &k);
  if (body) {
    body->kind->view->joint(body->self, k, q + body->first_coordinate, g ? g + body->first_joint : NULL,
                            rows ? rows + body->first_joint : NULL, out);
    return;
  }
  double x[2][2], force[3];
  prc_scene_joint_now(scene, k, q, rows, force, x);
  *out = (prc_view_joint){
      .x = {x[1][0], x[1][1]}, .force = {force[0], force[1]}, .moment = {0.0, 0.0, force[2]}, .n_rows = n};
  for (int i = first; g && i < first + n; i++) out->gap = fmax(out->gap, fabs(g[i]));
}

const prc_body *prc_view_spring_of(const prc_scene *scene, int k, int *own) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  for (int b = 0; b < n_bodies; b++) {
    const int n = body[b].kind->view->springs ? body[b].kind->view->springs(body[b].self) : 0;
    *own = k;
    if (k < n) return &body[b];
    k -= n;
  }
  return NULL;
}

void prc_view_ground_force(const prc_scene *scene, int k, const double *q, double force[2]) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  force[0] = force[1] = 0.0;
  for (int b = 0; b < n_bodies; b++) {
    const int n = body[b].kind->view->grounds ? body[b].kind->view->grounds(body[b].self) : 0;
    if (k >= 0 && k < n) body[b].kind->view->ground(body[b].self, k, q + body[b].first_coordinate, force);
    k -= n;
  }
}

static int parts_of(const prc_body *body) {
  return body->kind->view->dofs ? body->kind->items(body->self) : 1;
}

int prc_view_parts(const prc_scene *scene) {
  const prc_body *body;
  int n = 0;
  for (int b = prc_scene_bodies(scene, &body) - 1; b >= 0; b--) n += parts_of(&body[b]);
  return n;
}

static prc_view_part part_of(const prc_body *body, int item) {
  const prc_body_view *view = body->kind->view;
  int own[3] = {0, body->kind->system(body->self)->space.nv, -1};
  if (view->dofs) view->dofs(body->self, item, own);
  const char *name = view->dofs && view->item_name ? view->item_name(body->self, item) : body->name;
  return (prc_view_part){body->kind->name,
                         name ? name : "",
                         body->first_dof + own[0],
                         body->first_coordinate + own[0],
                         own[1],
                         own[2] < 0 ? -1 : body->first_coordinate + own[2]};
}

void prc_view_list_parts(const prc_scene *scene, prc_view_part *part) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  for (int b = 0; b < n_bodies; b++)
    for (int i = 0; i < parts_of(&body[b]); i++) *part++ = part_of(&body[b], i);
}

const prc_body *prc_view_measured(const prc_scene *scene) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  for (int b = 0; b < n_bodies; b++)
    if (body[b].kind->view->errors) return &body[b];
  return NULL;
}

prc_status prc_view_fields_create(const prc_body *body, unsigned asked, int first_body, prc_view_fields **out,
                                  prc_error *err) {
  prc_status status = PRC_OK;
  prc_view_fields *fields = NULL;
  prc_try(prc_new(&fields, 1, err));
  fields->asked = asked, fields->first_body = first_body;
  prc_try(body->kind->view->fields(body->self, fields, err));
  *out = fields, fields = NULL;
done:
  prc_view_fields_free(&fields);
  return status;
}

void prc_view_fields_free(prc_view_fields **fields) {
  if (!*fields) return;
  prc_delete(&(*fields)->real);
  prc_delete(&(*fields)->integer);
  prc_delete(fields);
}

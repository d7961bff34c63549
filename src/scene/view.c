#include "config.h"
#include "scene/view.h"

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

const prc_body *prc_view_joint_of(const prc_scene *scene, int k, int *own) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  for (int b = 0; b < n_bodies; b++) {
    const int n = body[b].kind->view->joints ? body[b].kind->view->joints(body[b].self) : 0;
    *own = k;
    if (k < n) return &body[b];
    k -= n;
  }
  return NULL;
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

const prc_body *prc_view_measured(const prc_scene *scene) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  for (int b = 0; b < n_bodies; b++)
    if (body[b].kind->view->errors) return &body[b];
  return NULL;
}

prc_status prc_view_fields_create(const prc_body *body, prc_view_fields **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_view_fields *fields = NULL;
  prc_try(prc_new(&fields, 1, err));
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

#include "config.h"
#include "simulation/internal.h"

#include <limits.h>
#include <string.h>

/* Quantities that a simulation shows by name. */

/* ---- numbers ---------------------------------------------------------------------------------------------- */

static const char *const value_names[] = {"step", "t", "h", "end", "steps", "contacts"};
enum { OWN = sizeof value_names / sizeof *value_names };
#define X(name) #name,
static const char *const columns[] = {PRC_LEDGER_COLUMNS(X)};
#undef X
enum { STEP_AND_T = 2 }; /* the ledger's first columns: they are values of their own */

const char *prc_simulation_value_name(int k) {
  if (k < 0 || k >= OWN + PRC_LEDGER_N_COLUMNS - STEP_AND_T) return NULL;
  return k < OWN ? value_names[k] : columns[k - OWN + STEP_AND_T];
}

int prc_simulation_value(const prc_simulation *s, const char *name, double *out) {
  if (!s || !name || !out) return 0;
  const prc_step_record *r = prc_stepper_record(s->stepper);
  const double *row = (const double *)prc_ledger_now(s->ledger);
  const double steps = s->c->time.n_steps == INT_MAX ? -1.0 : s->c->time.n_steps;
  const double own[OWN] = {r->step, r->t, r->h, s->c->time.end, steps, r->n_contacts};
  for (int k = 0; prc_simulation_value_name(k); k++)
    if (strcmp(name, prc_simulation_value_name(k)) == 0) {
      *out = k < OWN ? own[k] : row[k - OWN + STEP_AND_T];
      return 1;
    }
  return 0;
}

/* ---- arrays ----------------------------------------------------------------------------------------------- */

static prc_status find_force(prc_simulation *s, prc_error *err) {
  if (s->force) return PRC_OK;
  const prc_status status = prc_new(&s->force, s->nv, err);
  if (status == PRC_OK) prc_stepper_set_force(s->stepper, s->force);
  return status;
}

static prc_status find_mass(prc_simulation *s, prc_error *err) {
  const prc_sym *M = s->model->system->dynamics.M;
  if (s->mass) return PRC_OK;
  const prc_status status = prc_new(&s->mass, s->nv, err);
  for (int i = 0; status == PRC_OK && i < s->nv; i++) s->mass[i] = M->x[M->p[i]];
  return status;
}

static const char *const array_names[] = {"q",   "v", "force", "m",  "f",      "mass",
                                          "gap", "p", "u",     "id", "status", "driven"};
enum { ARRAYS = sizeof array_names / sizeof *array_names };

const char *prc_simulation_array_name(int k) {
  return k >= 0 && k < ARRAYS ? array_names[k] : NULL;
}

prc_status prc_simulation_array(prc_simulation *s, const char *name, const void **data, int *rows,
                                int *columns_of, int *type, prc_error *err) {
  prc_need(s, err);
  prc_need(name, err);
  prc_need(data, err);
  prc_need(rows, err);
  prc_need(columns_of, err);
  prc_need(type, err);
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(s->stepper);
  if (strcmp(name, "force") == 0) prc_try(find_force(s, err));
  if (strcmp(name, "mass") == 0) prc_try(find_mass(s, err));
  const int n = r->n_contacts;
  const prc_drive *drive = &s->model->system->drive;
  const struct {
    const void *data;
    int rows, columns, type;
  } all[ARRAYS] = {{s->q, s->nq, 1, PRC_ARRAY_REAL},     {s->v, s->nv, 1, PRC_ARRAY_REAL},
                   {s->force, s->nv, 1, PRC_ARRAY_REAL}, {r->m, s->nv, 1, PRC_ARRAY_REAL},
                   {r->f, s->nv, 1, PRC_ARRAY_REAL},     {s->mass, s->nv, 1, PRC_ARRAY_REAL},
                   {r->gap, n, 1, PRC_ARRAY_REAL},       {r->p, n, r->dim, PRC_ARRAY_REAL},
                   {r->u, n, r->dim, PRC_ARRAY_REAL},    {r->contacts->id, n, 4, PRC_ARRAY_UNSIGNED},
                   {r->status, n, 1, PRC_ARRAY_INTEGER}, {drive->dof, drive->n, 1, PRC_ARRAY_INTEGER}};
  for (int k = 0; k < ARRAYS; k++)
    if (strcmp(name, array_names[k]) == 0) {
      *data = all[k].data, *rows = all[k].rows, *columns_of = all[k].columns, *type = all[k].type;
      return PRC_OK;
    }
  status = prc_fail(err, PRC_INPUT, "a simulation has no array '%s'", name);
done:
  return status;
}

/* ---- what it is made of ------------------------------------------------------------------------------------ */

const char *prc_simulation_name(const prc_simulation *s) {
  return s ? s->c->name : NULL;
}
const char *prc_simulation_units(const prc_simulation *s) {
  return s ? s->c->units : NULL;
}

const char *prc_simulation_contact_name(const prc_simulation *s, int c) {
  if (!s) return NULL;
  const prc_simulation_parts parts = prc_simulation_get_parts(s);
  const int n = prc_stepper_record(s->stepper)->n_contacts;
  return c >= 0 && c < n ? prc_simulation_contact_of(&parts, c)->name : NULL;
}

int prc_simulation_bodies(const prc_simulation *s) {
  const prc_body *body;
  return s && s->model ? prc_scene_bodies(s->model->scene, &body) : 0;
}

/* NULL: there is none. */
static const prc_body *body_at(const prc_simulation *s, int b) {
  const prc_body *body;
  if (!s) return NULL;
  const int n = prc_scene_bodies(s->model->scene, &body);
  return b >= 0 && b < n ? &body[b] : NULL;
}

const char *prc_simulation_body(const prc_simulation *s, int b, const char **kind, int range[4]) {
  const prc_body *body = body_at(s, b);
  if (!body || !kind || !range) return NULL;
  const prc_system *own = body->kind->system(body->self);
  *kind = body->kind->name;
  range[0] = body->first_coordinate, range[1] = prc_system_coordinates(own);
  range[2] = body->first_dof, range[3] = own->space.nv;
  return body->name;
}

int prc_simulation_items(const prc_simulation *s, int b) {
  const prc_body *body = body_at(s, b);
  return body && body->kind->view->tracked ? body->kind->view->tracked(body->self) : 0;
}

int prc_simulation_motion_size(const prc_simulation *s, int b) {
  const prc_body *body = body_at(s, b);
  if (!body || !body->kind->view->motion) return 0;
  return body->kind->system(body->self)->space.body ? 13 : 6;
}

const char *prc_simulation_item(const prc_simulation *s, int b, int item, double row[PRC_VIEW_MOTION]) {
  const prc_body *body = body_at(s, b);
  if (!body || !row || item < 0 || item >= prc_simulation_items(s, b)) return NULL;
  body->kind->view->motion(body->self, item, s->q + body->first_coordinate, s->v + body->first_dof, row);
  return prc_view_tracked_name(body, item);
}

/* ---- fields ------------------------------------------------------------------------------------------------- */

prc_status prc_simulation_fields(prc_simulation *s, int b, prc_error *err) {
  prc_need(s, err);
  const prc_body *body = body_at(s, b);
  prc_status status = PRC_OK;
  if (!body)
    return prc_fail(err, PRC_INPUT, "there is no body %d, expected 0 to %d", b, prc_simulation_bodies(s) - 1);
  if (!body->kind->view->fields) return prc_fail(err, PRC_INPUT, "body %d has no fields", b);
  if (!s->fields[b]) prc_try(prc_view_fields_create(body, 0, 0, &s->fields[b], err));
  const prc_view_state state = {.q = s->q + body->first_coordinate,
                                .v = s->v + body->first_dof,
                                .h = prc_stepper_record(s->stepper)->h};
  body->kind->view->update(body->self, &state, s->fields[b]);
done:
  return status;
}

/* Contacts are not put into the state above, so what fields know of them is left out. */
static const prc_array *field_at(const prc_view_fields *f, int k, int *on) {
  const prc_array *const of[] = {f->on_points, f->on_cells};
  const int n[] = {f->n_on_points, f->n_on_cells};
  for (*on = 0; *on < 2; (*on)++)
    for (int j = 0; j < n[*on]; j++)
      if (strncmp(of[*on][j].name, "contact", 7) != 0 && strcmp(of[*on][j].name, "neighbours") != 0
          && k-- == 0)
        return &of[*on][j];
  return NULL;
}

int prc_simulation_field(const prc_simulation *s, int b, int k, const char **name, const void **data,
                         int *rows, int *columns_of, int *type, int *on) {
  const prc_view_fields *f = body_at(s, b) ? s->fields[b] : NULL;
  if (!f || k < 0 || !name || !data || !rows || !columns_of || !type || !on) return 0;
  *rows = f->n_points, *on = 0, *type = PRC_ARRAY_REAL;
  if (k == 0) {
    *name = "x", *data = f->x, *columns_of = f->cells.in_space ? 3 : 2;
    return 1;
  }
  const prc_array *array = field_at(f, k - 1, on);
  if (!array) return 0;
  *name = array->name, *columns_of = array->components;
  if (*on == 1) *rows = f->cells.n;
  *type = array->real ? PRC_ARRAY_REAL : PRC_ARRAY_INTEGER;
  *data = array->real ? (const void *)array->real : array->integer;
  return 1;
}

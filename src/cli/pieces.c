#include "config.h"
#include "cli/pieces.h"

#include <string.h>

/* One body shows its fields as they are. Several become one unstructured grid: points, cells and arrays
 * one body after the other, and where a body lacks an array of another, zeros, or -1 in an array of
 * integers, as contact_status has it where there is no candidate. (A .vtu takes no NaN, and one file for
 * all bodies is what every reader of VTK shows without further ado.) */

enum { ARRAYS = 2 * PRC_VIEW_ARRAYS };

/* Some of the cells of a body, with their points: copies of what its fields have there. */
typedef struct {
  int n_points, n_cells;
  int *point, *cell; /* which they are */
  int *node, *start, *type;
  double *x, *real; /* room for all arrays; 0: of those that do not change */
  int *integer;
  prc_view_fields fields;
} cut;

typedef struct {
  const prc_body *body;
  prc_view_fields *fields; /* the body's */
  cut *cut;                /* NULL: all of it is shown */
  const prc_view_fields *shown;
} piece;

struct cli_pieces {
  cli_pieces_options options;
  int n;
  piece *of;                 /* bodies that show something */
  prc_output_frame *frame;   /* of one body whose points do not move */
  prc_view_contact *contact; /* room for those of one body */
  size_t capacity;
  /* of several: the grid, and one block for all arrays of a kind */
  int n_points, n_cells;
  double *x, *real;
  int *node, *start, *type, *integer;
};

/* ---- several as one --------------------------------------------------------------------------------- */

typedef struct {
  int n;
  prc_array array[ARRAYS];
} list;

static const prc_array *find(const prc_array *array, int n, const char *name) {
  for (int k = 0; k < n; k++)
    if (strcmp(array[k].name, name) == 0) return &array[k];
  return NULL;
}

/* The fields that are wanted. */
static void add_names(const cli_pieces *p, list *all, const prc_array *array, int n) {
  for (int k = 0; k < n && all->n < ARRAYS; k++)
    if ((!p->options.fields || prc_is_listed(p->options.fields, array[k].name))
        && !find(all->array, all->n, array[k].name))
      all->array[all->n++] = array[k];
}

static const prc_array *array_of(const prc_view_fields *f, int on_cells, const char *name) {
  if (on_cells) return find(f->on_cells, f->n_on_cells, name);
  const prc_array *changing = find(f->on_points, f->n_on_points, name);
  return changing ? changing : find(f->fixed, f->n_fixed, name);
}

/* Points get what only their cells have: of many rigid bodies the velocities. */
static void spread(const prc_view_fields *f, const prc_array *of_cells, double *to) {
  const prc_cells *cells = &f->cells;
  const int n = of_cells->components;
  for (int c = 0; c < cells->n; c++)
    for (int i = cells->start[c]; i < cells->start[c + 1]; i++)
      memcpy(to + n * cells->node[i], of_cells->real + n * c, (size_t)n * sizeof *to);
}

/* The values of an array over all bodies, to `real` or `integer`, which move on. */
static void join_array(const cli_pieces *p, int on_cells, prc_array *array, double **real, int **integer) {
  const int is_integer = array->integer != NULL, components = array->components;
  double *to = *real;
  int *to_integer = *integer;
  for (int b = 0; b < p->n; b++) {
    const prc_view_fields *f = p->of[b].shown;
    const prc_array *own = array_of(f, on_cells, array->name);
    const int n = components * (on_cells ? f->cells.n : f->n_points);
    for (int i = 0; i < n && is_integer; i++) *to_integer++ = own ? own->integer[i] : -1;
    for (int i = 0; i < n && !is_integer; i++) to[i] = own ? own->real[i] : 0.0;
    const prc_array *other =
        own || on_cells || is_integer || f->cells.width > 0 ? NULL : array_of(f, 1, array->name);
    if (other && other->real && other->components == components) spread(f, other, to);
    if (!is_integer) to += n;
  }
  array->real = is_integer ? NULL : *real, array->integer = is_integer ? *integer : NULL;
  *real = to, *integer = to_integer;
}

static void join_list(const cli_pieces *p, int on_cells, list *all, double **real, int **integer) {
  for (int b = 0; b < p->n; b++) {
    const prc_view_fields *f = p->of[b].shown;
    add_names(p, all, on_cells ? f->on_cells : f->on_points, on_cells ? f->n_on_cells : f->n_on_points);
  }
  for (int b = 0; b < p->n && !on_cells; b++)
    add_names(p, all, p->of[b].shown->fixed, p->of[b].shown->n_fixed);
  for (int k = 0; k < all->n; k++) join_array(p, on_cells, &all->array[k], real, integer);
}

static void join_cells(cli_pieces *p) {
  int points = 0, cells = 0, nodes = 0;
  for (int b = 0; b < p->n; b++) {
    const prc_cells *own = &p->of[b].shown->cells;
    for (int c = 0; c < own->n; c++) {
      const int first = own->width > 0 ? own->width * c : own->start[c],
                end = own->width > 0 ? first + own->width : own->start[c + 1];
      p->start[cells] = nodes;
      p->type[cells++] = own->width == 2 ? 3 : own->width == 3 ? 5 : own->type[c]; /* a line, a triangle */
      for (int i = first; i < end; i++) p->node[nodes++] = points + own->node[i];
    }
    points += p->of[b].shown->n_points;
  }
  p->start[cells] = nodes;
}

static prc_status allocate(cli_pieces *p, prc_error *err) {
  prc_status status = PRC_OK;
  size_t nodes = 0;
  for (int b = 0; b < p->n; b++) {
    const prc_cells *own = &p->of[b].shown->cells;
    p->n_points += p->of[b].shown->n_points, p->n_cells += own->n;
    nodes += own->width > 0 ? (size_t)own->width * (size_t)own->n : (size_t)own->start[own->n];
  }
  const size_t values =
      4 * ARRAYS * ((size_t)p->n_points + (size_t)p->n_cells); /* four components at most: quaternions */
  prc_try(prc_new(&p->x, 3 * (size_t)p->n_points, err));
  prc_try(prc_new(&p->node, nodes, err));
  prc_try(prc_new(&p->start, (size_t)p->n_cells + 1, err));
  prc_try(prc_new(&p->type, p->n_cells, err));
  prc_try(prc_new(&p->real, values, err));
  prc_try(prc_new(&p->integer, values, err));
  join_cells(p);
done:
  return status;
}

static prc_status write_joined(cli_pieces *p, const prc_folder *in, const char *name, prc_error *err) {
  const int in_space = p->of[0].shown->cells.in_space, dim = in_space ? 3 : 2;
  const prc_cells cells = {
      .n = p->n_cells, .in_space = in_space, .node = p->node, .start = p->start, .type = p->type};
  list on_points = {0}, on_cells = {0};
  double *x = p->x, *real = p->real;
  int *integer = p->integer;
  for (int b = 0; b < p->n; b++) {
    const size_t n = (size_t)dim * (size_t)p->of[b].shown->n_points;
    memcpy(x, p->of[b].shown->x, n * sizeof *x);
    x += n;
  }
  join_list(p, 0, &on_points, &real, &integer);
  join_list(p, 1, &on_cells, &real, &integer);
  return prc_output_vtu(p->options.writer, &p->options.form, in, name, p->n_points, p->x, &cells, on_points.n,
                        on_points.array, on_cells.n, on_cells.array, err);
}

/* ---- some cells of a body ---------------------------------------------------------------------------- */

static void copy_values(const prc_array *from, int n, const int *which, double **real, int **integer,
                        prc_array *to) {
  const int components = from->components;
  *to = *from;
  if (from->real) to->real = *real;
  if (from->integer) to->integer = *integer;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < components; k++)
      if (from->real)
        *(*real)++ = from->real[components * which[i] + k];
      else if (from->integer)
        *(*integer)++ = from->integer[components * which[i] + k];
}

/* All arrays of the body at these points and cells. */
static void update_cut(cut *c, const prc_view_fields *f) {
  double *real = c->real;
  int *integer = c->integer;
  c->fields.n_fixed = f->n_fixed, c->fields.n_on_points = f->n_on_points,
  c->fields.n_on_cells = f->n_on_cells;
  for (int k = 0; k < f->n_fixed; k++)
    copy_values(&f->fixed[k], c->n_points, c->point, &real, &integer, &c->fields.fixed[k]);
  for (int k = 0; k < f->n_on_points; k++)
    copy_values(&f->on_points[k], c->n_points, c->point, &real, &integer, &c->fields.on_points[k]);
  for (int k = 0; k < f->n_on_cells; k++)
    copy_values(&f->on_cells[k], c->n_cells, c->cell, &real, &integer, &c->fields.on_cells[k]);
}

static void free_cut(cut **of) {
  if (!*of) return;
  prc_delete(&(*of)->point);
  prc_delete(&(*of)->cell);
  prc_delete(&(*of)->node);
  prc_delete(&(*of)->start);
  prc_delete(&(*of)->type);
  prc_delete(&(*of)->x);
  prc_delete(&(*of)->real);
  prc_delete(&(*of)->integer);
  prc_delete(of);
}

/* new_number: n_points of the body, what its points are here. */
static prc_status copy_cells(const prc_view_fields *f, const int *new_number, cut *c, prc_error *err) {
  prc_status status = PRC_OK;
  int nodes = 0;
  for (int k = 0; k < c->n_cells; k++) nodes += f->cells.start[c->cell[k] + 1] - f->cells.start[c->cell[k]];
  prc_try(prc_new(&c->node, nodes, err));
  prc_try(prc_new(&c->start, (size_t)c->n_cells + 1, err));
  prc_try(prc_new(&c->type, c->n_cells, err));
  nodes = 0;
  for (int k = 0; k < c->n_cells; k++) {
    c->start[k] = nodes, c->type[k] = f->cells.type[c->cell[k]];
    for (int i = f->cells.start[c->cell[k]]; i < f->cells.start[c->cell[k] + 1]; i++)
      c->node[nodes++] = new_number[f->cells.node[i]];
  }
  c->start[c->n_cells] = nodes;
done:
  return status;
}

static prc_status copy_points(const prc_view_fields *f, cut *c, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t values = 4 * PRC_VIEW_ARRAYS * (2 * (size_t)c->n_points + (size_t)c->n_cells);
  prc_try(prc_new(&c->x, 2 * (size_t)c->n_points, err));
  prc_try(prc_new(&c->real, values, err));
  prc_try(prc_new(&c->integer, values, err));
  for (int i = 0; i < c->n_points; i++)
    for (int k = 0; k < 2; k++) c->x[2 * i + k] = f->x[2 * c->point[i] + k];
  c->fields.n_points = c->n_points, c->fields.x = c->x;
  c->fields.cells = (prc_cells){.n = c->n_cells, .node = c->node, .start = c->start, .type = c->type};
done:
  return status;
}

/* Cells in the order of the body's, and the points that they have. wanted: of each cell. */
static prc_status create_cut(const prc_view_fields *f, const char *wanted, cut **out, prc_error *err) {
  prc_status status = PRC_OK;
  int *number = NULL;
  cut *c = NULL;
  prc_try(prc_new(&c, 1, err));
  prc_try(prc_new(&number, f->n_points, err));
  prc_try(prc_new(&c->cell, f->cells.n, err));
  prc_try(prc_new(&c->point, f->n_points, err));
  for (int k = 0; k < f->cells.n; k++) {
    if (!wanted[k]) continue;
    c->cell[c->n_cells++] = k;
    for (int i = f->cells.start[k]; i < f->cells.start[k + 1]; i++) number[f->cells.node[i]] = 1;
  }
  for (int a = 0; a < f->n_points; a++)
    if (number[a]) number[a] = c->n_points, c->point[c->n_points++] = a;
  prc_try(copy_cells(f, number, c, err));
  prc_try(copy_points(f, c, err));
  update_cut(c, f);
  *out = c, c = NULL;
done:
  free_cut(&c);
  prc_delete(&number);
  return status;
}

/* Of a body that has regions the cells of these. */
static prc_status cut_piece(const cli_pieces *p, piece *of, prc_error *err) {
  prc_status status = PRC_OK;
  char *wanted = NULL;
  if ((!p->options.regions && !p->options.own) || !of->body->kind->view->mark_regions) return PRC_OK;
  prc_try(prc_new(&wanted, of->fields->cells.n, err));
  of->body->kind->view->mark_regions(of->body->self, p->options.regions, wanted);
  prc_try(create_cut(of->fields, wanted, &of->cut, err));
  of->shown = &of->cut->fields;
done:
  prc_delete(&wanted);
  return status;
}

/* ---- each ------------------------------------------------------------------------------------------- */

/* Contacts whose points are the body's. Contacts with points of their own are numbered by their place in the
 * set. */
static prc_status update(cli_pieces *p, int b, const cli_shown *shown, prc_error *err) {
  const prc_body *body = p->of[b].body;
  const int items = body->kind->items(body->self), surfaces = body->kind->surfaces(body->self);
  const prc_status status =
      prc_grow(&p->contact, &p->capacity, (size_t)shown->n_contacts, sizeof *p->contact, err);
  if (status != PRC_OK) return status;
  int n = 0, own = 0;
  for (int c = 0; c < shown->n_contacts; c++) {
    const cli_shown_contact *from = &shown->contact[c];
    const int surface = (int)from->surface - body->first_surface, is_own = surface >= 0 && surface < surfaces;
    if (from->body < body->first_item || from->body >= body->first_item + items) continue;
    p->contact[n++] = (prc_view_contact){.own = is_own ? own++ : -1,
                                         .feature = from->feature,
                                         .status = from->status,
                                         .gap = from->gap,
                                         .p = {from->p[0], from->p[1]},
                                         .rubs = {from->rubs[0], from->rubs[1], from->rubs[2]}};
  }
  prc_view_state state = {.q = shown->q + body->first_coordinate,
                          .v = shown->v + body->first_dof,
                          .h = shown->h,
                          .n_contacts = n,
                          .contact = p->contact,
                          .neighbours = shown->neighbours ? shown->neighbours + body->first_item : NULL};
  if (shown->force)
    state.force = shown->force + body->first_dof, state.weight = shown->weight + body->first_dof;
  for (int k = 0; k < PRC_VIEW_RUBS; k++)
    if (shown->force) state.rubs[k] = shown->rubs[k] + body->first_dof;
  body->kind->view->update(body->self, &state, p->of[b].fields);
  if (p->of[b].cut) update_cut(p->of[b].cut, p->of[b].fields);
  return PRC_OK;
}

static prc_status write_one(const cli_pieces *p, const prc_folder *in, const char *name, prc_error *err) {
  const prc_view_fields *f = p->of[0].shown;
  list on_points = {0}, on_cells = {0};
  add_names(p, &on_points, f->on_points, f->n_on_points);
  add_names(p, &on_cells, f->on_cells, f->n_on_cells);
  if (p->frame)
    return prc_output_frame_write(p->frame, in, name, on_points.n, on_points.array, on_cells.n,
                                  on_cells.array, err);
  return prc_output_vtu(p->options.writer, &p->options.form, in, name, f->n_points, f->x, &f->cells,
                        on_points.n, on_points.array, on_cells.n, on_cells.array, err);
}

prc_status cli_pieces_write(cli_pieces *p, const cli_shown *shown, const prc_folder *in, const char *name,
                            prc_error *err) {
  prc_status status = PRC_OK;
  for (int b = 0; b < p->n; b++) prc_try(update(p, b, shown, err));
  status = p->n == 1 ? write_one(p, in, name, err) : write_joined(p, in, name, err);
done:
  return status;
}

prc_status cli_pieces_list(const cli_pieces *p, const prc_folder *in, const char *name, int n,
                           prc_output_piece_name *name_of, const void *of, prc_error *err) {
  const prc_view_fields *f = p->of[0].shown;
  list on_points = {0}, on_cells = {0};
  add_names(p, &on_points, f->on_points, f->n_on_points);
  if (p->frame) add_names(p, &on_points, f->fixed, f->n_fixed);
  add_names(p, &on_cells, f->on_cells, f->n_on_cells);
  return prc_output_pvtu(&p->options.form, in, name, n, name_of, of, on_points.n, on_points.array, on_cells.n,
                         on_cells.array, err);
}

int cli_first_mesh_body(const prc_scene *scene) {
  const prc_body *body;
  const int n_bodies = prc_scene_bodies(scene, &body);
  int n = 0;
  for (int b = 1; b < n_bodies; b++) n += body[b].kind->items(body[b].self);
  return n;
}

/* Fields that must be asked for. */
static unsigned asked_for(const char *fields) {
  if (!fields) return 0;
  return (prc_is_listed(fields, "strain") ? PRC_VIEW_STRAIN : 0U)
         | (prc_is_listed(fields, "material") ? PRC_VIEW_MATERIAL : 0U)
         | (prc_is_listed(fields, "body") ? PRC_VIEW_BODY : 0U);
}

/* A body without points, as an obstacle that is a plane, shows nothing beside others. */
static prc_status create_piece(cli_pieces *p, const prc_scene *scene, int b, prc_error *err) {
  prc_status status = PRC_OK;
  const cli_pieces_options *o = &p->options;
  const prc_body *body;
  const int n = prc_scene_bodies(scene, &body);
  piece *next = &p->of[p->n];
  prc_try(
      prc_view_fields_create(&body[b], asked_for(o->fields), cli_first_mesh_body(scene), &next->fields, err));
  next->body = &body[b];
  if (next->fields->n_points == 0 && n > 1) {
    prc_view_fields_free(&next->fields);
    return PRC_OK;
  }
  next->shown = next->fields;
  p->n++;
  prc_try(cut_piece(p, next, err));
done:
  return status;
}

prc_status cli_pieces_create(const prc_scene *scene, const cli_pieces_options *options, cli_pieces **out,
                             prc_error *err) {
  prc_status status = PRC_OK;
  cli_pieces *p = NULL;
  const prc_body *body;
  const int n = prc_scene_bodies(scene, &body);
  list fixed = {0};
  prc_try(prc_new(&p, 1, err));
  p->options = *options;
  prc_try(prc_new(&p->of, n, err));
  for (int b = 0; b < n; b++) prc_try(create_piece(p, scene, b, err));
  const prc_view_fields *f = p->of[0].shown;
  add_names(p, &fixed, f->fixed, f->n_fixed);
  if (p->n > 1)
    prc_try(allocate(p, err));
  else if (!p->of[0].fields->moves)
    prc_try(prc_output_frame_create(options->writer, &options->form, f->n_points, f->x, &f->cells, fixed.n,
                                    fixed.array, &p->frame, err));
  *out = p, p = NULL;
done:
  cli_pieces_free(&p);
  return status;
}

void cli_pieces_free(cli_pieces **pieces) {
  cli_pieces *p = *pieces;
  if (!p) return;
  for (int b = 0; p->of && b < p->n; b++) prc_view_fields_free(&p->of[b].fields), free_cut(&p->of[b].cut);
  prc_delete(&p->of);
  prc_output_frame_free(&p->frame);
  prc_delete(&p->contact);
  prc_delete(&p->x);
  prc_delete(&p->node);
  prc_delete(&p->start);
  prc_delete(&p->type);
  prc_delete(&p->real);
  prc_delete(&p->integer);
  prc_delete(pieces);
}

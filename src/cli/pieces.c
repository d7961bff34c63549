#include "config.h"
#include "cli/pieces.h"

#include <string.h>

/* One body shows its fields as they are. Several become one unstructured grid: points, cells and arrays
 * one body after the other, and where a body lacks an array of another, zeros, or -1 in an array of
 * integers, as contact_status has it where there is no candidate. (A .vtu takes no NaN, and one file for
 * all bodies is what every reader of VTK shows without further ado.) */

enum { ARRAYS = 2 * PRC_VIEW_ARRAYS };

typedef struct {
  const prc_body *body;
  prc_view_fields *fields;
} piece;

struct cli_pieces {
  const prc_output_writer *writer;
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

static void add_names(list *all, const prc_array *array, int n) {
  for (int k = 0; k < n && all->n < ARRAYS; k++)
    if (!find(all->array, all->n, array[k].name)) all->array[all->n++] = array[k];
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
    const prc_view_fields *f = p->of[b].fields;
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
    const prc_view_fields *f = p->of[b].fields;
    add_names(all, on_cells ? f->on_cells : f->on_points, on_cells ? f->n_on_cells : f->n_on_points);
  }
  for (int b = 0; b < p->n && !on_cells; b++)
    add_names(all, p->of[b].fields->fixed, p->of[b].fields->n_fixed);
  for (int k = 0; k < all->n; k++) join_array(p, on_cells, &all->array[k], real, integer);
}

static void join_cells(cli_pieces *p) {
  int points = 0, cells = 0, nodes = 0;
  for (int b = 0; b < p->n; b++) {
    const prc_cells *own = &p->of[b].fields->cells;
    for (int c = 0; c < own->n; c++) {
      const int first = own->width > 0 ? own->width * c : own->start[c],
                end = own->width > 0 ? first + own->width : own->start[c + 1];
      p->start[cells] = nodes;
      p->type[cells++] = own->width == 2 ? 3 : own->width == 3 ? 5 : own->type[c]; /* a line, a triangle */
      for (int i = first; i < end; i++) p->node[nodes++] = points + own->node[i];
    }
    points += p->of[b].fields->n_points;
  }
  p->start[cells] = nodes;
}

static prc_status allocate(cli_pieces *p, prc_error *err) {
  prc_status status = PRC_OK;
  size_t nodes = 0;
  for (int b = 0; b < p->n; b++) {
    const prc_cells *own = &p->of[b].fields->cells;
    p->n_points += p->of[b].fields->n_points, p->n_cells += own->n;
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
  const int in_space = p->of[0].fields->cells.in_space, dim = in_space ? 3 : 2;
  const prc_cells cells = {
      .n = p->n_cells, .in_space = in_space, .node = p->node, .start = p->start, .type = p->type};
  list on_points = {0}, on_cells = {0};
  double *x = p->x, *real = p->real;
  int *integer = p->integer;
  for (int b = 0; b < p->n; b++) {
    const size_t n = (size_t)dim * (size_t)p->of[b].fields->n_points;
    memcpy(x, p->of[b].fields->x, n * sizeof *x);
    x += n;
  }
  join_list(p, 0, &on_points, &real, &integer);
  join_list(p, 1, &on_cells, &real, &integer);
  return prc_output_vtu(p->writer, in, name, p->n_points, p->x, &cells, on_points.n, on_points.array,
                        on_cells.n, on_cells.array, err);
}

/* ---- each ------------------------------------------------------------------------------------------- */

/* Those whose points are the body's; own ones are numbered as they stand in the set. */
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
  return PRC_OK;
}

static prc_status write_one(const cli_pieces *p, const prc_folder *in, const char *name, prc_error *err) {
  const prc_view_fields *f = p->of[0].fields;
  if (p->frame)
    return prc_output_frame_write(p->frame, in, name, f->n_on_points, f->on_points, f->n_on_cells,
                                  f->on_cells, err);
  return prc_output_vtu(p->writer, in, name, f->n_points, f->x, &f->cells, f->n_on_points, f->on_points,
                        f->n_on_cells, f->on_cells, err);
}

prc_status cli_pieces_write(cli_pieces *p, const cli_shown *shown, const prc_folder *in, const char *name,
                            prc_error *err) {
  prc_status status = PRC_OK;
  for (int b = 0; b < p->n; b++) prc_try(update(p, b, shown, err));
  status = p->n == 1 ? write_one(p, in, name, err) : write_joined(p, in, name, err);
done:
  return status;
}

/* A body without points, as an obstacle that is a plane, shows nothing beside others. */
prc_status cli_pieces_create(const prc_scene *scene, const prc_output_writer *writer, cli_pieces **out,
                             prc_error *err) {
  prc_status status = PRC_OK;
  cli_pieces *p = NULL;
  const prc_body *body;
  const int n = prc_scene_bodies(scene, &body);
  prc_try(prc_new(&p, 1, err));
  p->writer = writer;
  prc_try(prc_new(&p->of, n, err));
  for (int b = 0; b < n; b++) {
    piece *next = &p->of[p->n];
    prc_try(prc_view_fields_create(&body[b], &next->fields, err));
    next->body = &body[b];
    if (next->fields->n_points == 0 && n > 1)
      prc_view_fields_free(&next->fields);
    else
      p->n++;
  }
  const prc_view_fields *f = p->of[0].fields;
  if (p->n > 1)
    prc_try(allocate(p, err));
  else if (!f->moves)
    prc_try(
        prc_output_frame_create(writer, f->n_points, f->x, &f->cells, f->n_fixed, f->fixed, &p->frame, err));
  *out = p, p = NULL;
done:
  cli_pieces_free(&p);
  return status;
}

void cli_pieces_free(cli_pieces **pieces) {
  cli_pieces *p = *pieces;
  if (!p) return;
  for (int b = 0; b < p->n; b++) prc_view_fields_free(&p->of[b].fields);
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

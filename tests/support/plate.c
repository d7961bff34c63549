#include "config.h"
#include "support/plate.h"
#include "mesh/internal.h"
#include "support/support.h"

#include <string.h>

/* Grid points (i, j), 0 .. 2 nx and 0 .. 2 ny: corners of cells where both are even. */
typedef struct {
  const plate *p;
  int columns, rows;
  int *tag; /* 0: not used */
  double *x;
  prc_raw_mesh raw;
} builder;

static const int sequence[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};

static prc_error err;

static int point_at(const builder *b, int i, int j) {
  return j * b->columns + i;
}

/* ---- places ----------------------------------------------------------------------------------------------- */

static void lay_out(const plate *p, const double s[2], double x[2]) {
  if (p->map)
    p->map(p->how, s, x);
  else
    x[0] = p->width * s[0], x[1] = p->height * s[1];
}

/* Corners first, shaken; then what is between them is halfway if they are shaken, else mapped. */
static void place_points(builder *b) {
  const plate *p = b->p;
  prc_random r = {11};
  for (int j = 0; j < b->rows; j++)
    for (int i = 0; i < b->columns; i++) {
      double s[2] = {i / (2.0 * p->nx), j / (2.0 * p->ny)};
      const int inside = i > 0 && j > 0 && i < b->columns - 1 && j < b->rows - 1;
      if (i % 2 == 0 && j % 2 == 0 && inside) {
        s[0] += prc_random_uniform(&r, -p->shake, p->shake) / p->nx;
        s[1] += prc_random_uniform(&r, -p->shake, p->shake) / p->ny;
      }
      lay_out(p, s, b->x + 2 * (ptrdiff_t)point_at(b, i, j));
    }
  for (int j = 0; j < b->rows && p->shake > 0.0; j++)
    for (int i = 0; i < b->columns; i++)
      for (int d = 0; d < 2; d++) {
        const int di = i % 2, dj = j % 2;
        const double *x[4] = {b->x + 2 * point_at(b, i - di, j - dj), b->x + 2 * point_at(b, i + di, j - dj),
                              b->x + 2 * point_at(b, i - di, j + dj), b->x + 2 * point_at(b, i + di, j + dj)};
        b->x[2 * point_at(b, i, j) + d] = 0.25 * (x[0][d] + x[1][d] + x[2][d] + x[3][d]);
      }
}

/* ---- cells ------------------------------------------------------------------------------------------------ */

static prc_raw_cell *new_cell(builder *b, int dim, int entity) {
  prc_raw_cell *cell = &b->raw.cell[dim][b->raw.n_cells[dim]];
  /* cells from 1, edges from a million on */
  *cell = (prc_raw_cell){
      .tag = ++b->raw.n_cells[dim] + (dim == 1 ? 1000000 : 0), .entity = entity, .key = entity};
  return cell;
}

static void add_node(builder *b, prc_raw_cell *cell, int i, int j) {
  const int at = point_at(b, i, j);
  b->tag[at] = at + 1;
  cell->node[cell->n_nodes++] = (size_t)at + 1;
}

/* corner[k]: which corners of the square at (i, j) it has */
static void add_cell(builder *b, int type, int i, int j, const int *corner) {
  prc_raw_cell *cell = new_cell(b, 2, 1);
  cell->element = prc_element_of_gmsh(type);
  const int n = cell->element->n_corners;
  for (int k = 0; k < n; k++) add_node(b, cell, i + sequence[corner[k]][0], j + sequence[corner[k]][1]);
  for (int k = 0; k < n && cell->element->quadratic; k++) {
    const int *p = sequence[corner[k]], *q = sequence[corner[(k + 1) % n]];
    add_node(b, cell, i + (p[0] + q[0]) / 2, j + (p[1] + q[1]) / 2);
  }
  if (type == 10) add_node(b, cell, i + 1, j + 1);
}

static void add_square(builder *b, int i, int j) {
  static const int whole[4] = {0, 1, 2, 3}, cut[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};
  static const int linear[2] = {2, 3}, quadratic[3] = {9, 16, 10};
  const int turn = i / 2 + j / 2;
  int type = b->p->type;
  if (type == PLATE_LINEAR_MIX) type = linear[turn % 2];
  if (type == PLATE_QUADRATIC_MIX) type = quadratic[turn % 3];
  if (type == 2 || type == 9)
    for (int half = 0; half < 2; half++) add_cell(b, type, i, j, cut[turn % 2][half]);
  else
    add_cell(b, type, i, j, whole);
}

static void add_edge(builder *b, int side, const int from[2], const int by[2]) {
  const int quadratic = b->p->type == PLATE_QUADRATIC_MIX || b->p->type > 3;
  prc_raw_cell *edge = new_cell(b, 1, side + 1);
  add_node(b, edge, from[0], from[1]);
  add_node(b, edge, from[0] + 2 * by[0], from[1] + 2 * by[1]);
  if (quadratic) add_node(b, edge, from[0] + by[0], from[1] + by[1]);
}

static void add_sides(builder *b) {
  const int w = b->columns - 1, h = b->rows - 1;
  const int corner[4][2] = {{0, 0}, {w, 0}, {w, h}, {0, h}}, by[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (int side = 0; side < 4; side++)
    for (int k = 0; k < (side % 2 ? h : w); k += 2) {
      const int from[2] = {corner[side][0] + k * by[side][0], corner[side][1] + k * by[side][1]};
      add_edge(b, side, from, by[side]);
    }
}

/* ---- the mesh --------------------------------------------------------------------------------------------- */

static void name_groups(prc_raw_group *group, int *entity) {
  static char *const name[] = {"bottom", "right", "top", "left", "plate"};
  for (int k = 0; k < 5; k++) {
    entity[k] = k < 4 ? k + 1 : 1;
    group[k] =
        (prc_raw_group){.dim = k < 4 ? 1 : 2, .tag = k + 1, .name = name[k], .n_keys = 1, .key = &entity[k]};
  }
}

static void keep_used(builder *b) {
  prc_raw_node *node = b->raw.node;
  for (int k = 0; k < b->columns * b->rows; k++)
    if (b->tag[k]) *node++ = (prc_raw_node){(size_t)b->tag[k], {b->x[2 * k], b->x[2 * k + 1], 0.0}};
  b->raw.n_nodes = (size_t)(node - b->raw.node);
}

prc_mesh *plate_mesh(const plate *p) {
  builder b = {.p = p, .columns = 2 * p->nx + 1, .rows = 2 * p->ny + 1};
  const size_t points = (size_t)b.columns * (size_t)b.rows;
  const prc_mesh_options options = {0};
  prc_raw_group group[5];
  int entity[5];
  prc_mesh *mesh = NULL;
  prc_error_clear(&err);
  support_ok(prc_new(&b.tag, points, &err), &err);
  support_ok(prc_new(&b.x, 2 * points, &err), &err);
  support_ok(prc_new(&b.raw.node, points, &err), &err);
  support_ok(prc_new(&b.raw.cell[1], 2 * (p->nx + p->ny), &err), &err);
  support_ok(prc_new(&b.raw.cell[2], 2 * p->nx * p->ny, &err), &err);
  place_points(&b);
  for (int j = 0; j < p->ny; j++)
    for (int i = 0; i < p->nx; i++) add_square(&b, 2 * i, 2 * j);
  add_sides(&b);
  keep_used(&b);
  name_groups(group, entity);
  b.raw.n_groups = 5, b.raw.group = group;
  support_ok(prc_mesh_build(&b.raw, "plate", &options, NULL, &mesh, &err), &err);
  prc_delete(&b.tag);
  prc_delete(&b.x);
  b.raw.n_groups = 0, b.raw.group = NULL; /* these are not on the heap */
  prc_raw_mesh_free(&b.raw);
  return mesh;
}

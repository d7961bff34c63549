#include "config.h"
#include "support/patches.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static prc_error err;

void patch_in_box(const void *of, double u, double v, double x[2]) {
  const patch_box *b = of;
  const double p = b->x + u * b->w, q = b->y + v * b->h, c = cos(b->angle), s = sin(b->angle);
  x[0] = b->angle == 0.0 ? p : c * p - s * q;
  x[1] = b->angle == 0.0 ? q : s * p + c * q;
}

void patch_in_ring(const void *of, double u, double v, double x[2]) {
  const patch_ring *r = of;
  const double radius = r->r + v * r->thick, angle = r->from + u * (r->to - r->from);
  x[0] = r->centre[0] + radius * cos(angle), x[1] = r->centre[1] + radius * sin(angle);
}

static void *room(size_t count, size_t size) {
  void *made = NULL;
  support_ok(prc_allocate(count, size, &made, &err), &err);
  return made;
}

/* The lattice of a patch: points at all places where an element may have a node; number[k] < 0: none there. */
typedef struct {
  const patch *p;
  int step, wide, high; /* 1, or 2 of quadratic elements; points along u and v */
  int *number;
} lattice;

static int at(const lattice *l, int i, int j) {
  return l->number[j * l->wide + i];
}

static lattice number_nodes(prc_mesh *m, const patch *p) {
  lattice l = {.p = p, .step = p->element == 9 || p->element == 16 ? 2 : 1};
  l.wide = l.step * p->nx + 1, l.high = l.step * p->ny + 1;
  l.number = room((size_t)l.wide * (size_t)l.high, sizeof *l.number);
  for (int j = 0; j < l.high; j++)
    for (int i = 0; i < l.wide; i++) {
      const int hole = p->element == 16 && i % 2 == 1 && j % 2 == 1, k = m->n_nodes;
      l.number[j * l.wide + i] = hole ? -1 : k;
      if (hole) continue;
      p->map(p->of, (double)i / (l.wide - 1), (double)j / (l.high - 1), m->x + 2 * k);
      m->tag[k] = (size_t)k + 1;
      m->n_nodes++;
    }
  return l;
}

/* Corners (lattice places, anticlockwise), and nodes halfway between them; the lowest corner first. */
static void add_cell(prc_mesh *m, const lattice *l, int n, const int (*corner)[2]) {
  int node[8], low = 0;
  const int c = m->n_cells++, quadratic = l->step == 2;
  for (int k = 0; k < n; k++) {
    node[k] = at(l, corner[k][0], corner[k][1]);
    if (node[k] < node[low]) low = k;
    const int *next = corner[(k + 1) % n];
    if (quadratic) node[n + k] = at(l, (corner[k][0] + next[0]) / 2, (corner[k][1] + next[1]) / 2);
  }
  for (int part = 0; part <= quadratic; part++)
    for (int k = 0; k < n; k++) m->cell[m->cell_start[c] + part * n + k] = node[part * n + (low + k) % n];
  m->cell_start[c + 1] = m->cell_start[c] + (1 + quadratic) * n;
  m->cell_element[c] = prc_element_of_gmsh(l->p->element);
  m->cell_tag[c] = (size_t)c + 1;
}

static void add_cells(prc_mesh *m, const lattice *l) {
  const int s = l->step, triangles = l->p->element == 2 || l->p->element == 9;
  for (int j = 0; j < l->p->ny; j++)
    for (int i = 0; i < l->p->nx; i++) {
      const int a[2] = {s * i, s * j}, b[2] = {a[0] + s, a[1]}, c[2] = {b[0], a[1] + s}, d[2] = {a[0], c[1]};
      const int square[4][2] = {{a[0], a[1]}, {b[0], b[1]}, {c[0], c[1]}, {d[0], d[1]}};
      const int turned = (i + j) % 2;
      const int one[3][2] = {{a[0], a[1]}, {b[0], b[1]}, {turned ? d[0] : c[0], turned ? d[1] : c[1]}};
      const int other[3][2] = {{turned ? b[0] : a[0], turned ? b[1] : a[1]}, {c[0], c[1]}, {d[0], d[1]}};
      if (!triangles)
        add_cell(m, l, 4, square);
      else
        add_cell(m, l, 3, one), add_cell(m, l, 3, other);
    }
}

static int cell_of(const prc_mesh *m, int first, int a, int b) {
  for (int c = first; c < m->n_cells; c++) {
    const int *node = m->cell + m->cell_start[c], n = m->cell_element[c]->n_corners;
    for (int k = 0; k < n; k++)
      if (node[k] == a && node[(k + 1) % n] == b) return c;
  }
  ck_abort_msg("no cell has the edge %d %d", a, b);
  return -1;
}

static prc_mesh_group *add_group(prc_mesh *m, const char *name, const char *part, int dim, int n_cells,
                                 int n_nodes) {
  prc_mesh_group *g = &m->group[m->n_groups++];
  g->name = room(64, 1);
  snprintf(g->name, 64, "%s%s%s", name, *part ? "." : "", part);
  g->dim = dim, g->n_cells = n_cells, g->n_nodes = n_nodes;
  g->cell = room((size_t)n_cells, sizeof *g->cell);
  g->node = room((size_t)n_nodes, sizeof *g->node);
  return g;
}

/* From lattice place (i, j) on, by (di, dj) a node. */
static void add_side(prc_mesh *m, const lattice *l, int first_cell, const char *part, int i, int j, int di,
                     int dj, int n) {
  const int s = l->step, count = s * n + 1;
  prc_mesh_group *g = add_group(m, l->p->name, part, 1, n, count);
  for (int k = 0; k < count; k++) {
    const int node = at(l, i + k * di, j + k * dj);
    g->node[di + dj > 0 ? k : count - 1 - k] = node;
    if (k % s || k == count - 1) continue;
    const int e = m->n_edges++, to = at(l, i + (k + s) * di, j + (k + s) * dj);
    g->cell[k / s] = e;
    m->edge[2 * e] = node, m->edge[2 * e + 1] = to;
    m->edge_middle[e] = s == 2 ? at(l, i + (k + 1) * di, j + (k + 1) * dj) : -1;
    m->edge_cell[e] = cell_of(m, first_cell, node, to);
  }
}

static void add_patch(prc_mesh *m, const patch *p) {
  const int first_node = m->n_nodes, first_cell = m->n_cells;
  const lattice l = number_nodes(m, p);
  add_cells(m, &l);
  add_side(m, &l, first_cell, "bottom", 0, 0, 1, 0, p->nx);
  add_side(m, &l, first_cell, "right", l.wide - 1, 0, 0, 1, p->ny);
  add_side(m, &l, first_cell, "top", l.wide - 1, l.high - 1, -1, 0, p->nx);
  add_side(m, &l, first_cell, "left", 0, l.high - 1, 0, -1, p->ny);
  prc_mesh_group *g = add_group(m, p->name, "", 2, m->n_cells - first_cell, m->n_nodes - first_node);
  for (int k = 0; k < g->n_cells; k++) g->cell[k] = first_cell + k;
  for (int k = 0; k < g->n_nodes; k++) g->node[k] = first_node + k;
  int *number = l.number;
  prc_delete(&number);
}

prc_mesh *patches_mesh(int n, const patch *list) {
  prc_mesh *m = room(1, sizeof *m);
  size_t nodes = 0, cells = 0, edges = 0;
  for (int k = 0; k < n; k++) {
    nodes += (2 * (size_t)list[k].nx + 1) * (2 * (size_t)list[k].ny + 1);
    cells += 2 * (size_t)list[k].nx * (size_t)list[k].ny;
    edges += 2 * ((size_t)list[k].nx + (size_t)list[k].ny);
  }
  m->x = room(2 * nodes, sizeof *m->x);
  m->tag = room(nodes, sizeof *m->tag);
  m->cell_start = room(cells + 1, sizeof *m->cell_start);
  m->cell = room(8 * cells, sizeof *m->cell);
  m->cell_element = room(cells, sizeof *m->cell_element);
  m->cell_tag = room(cells, sizeof *m->cell_tag);
  m->edge = room(2 * edges, sizeof *m->edge);
  m->edge_middle = room(edges, sizeof *m->edge_middle);
  m->edge_cell = room(edges, sizeof *m->edge_cell);
  m->group = room(5 * (size_t)n, sizeof *m->group);
  for (int k = 0; k < n; k++) add_patch(m, &list[k]);
  for (int d = 0; d < 2; d++) {
    m->low[d] = INFINITY, m->high[d] = -INFINITY;
    for (int a = 0; a < m->n_nodes; a++) {
      m->low[d] = fmin(m->low[d], m->x[2 * a + d]);
      m->high[d] = fmax(m->high[d], m->x[2 * a + d]);
    }
  }
  return m;
}

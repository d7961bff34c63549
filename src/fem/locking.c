#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where linear elements are too stiff: they lock. Two cases are seen before a run:
 *
 *   volume    Poisson's ratio near 1/2, not in plane stress: each point of integration asks for div u = 0, and triangles and quadrilaterals with straight sides
 *             have too few dofs for that;
 *   bending   parts that are long and thin with one or two cells across: a bent cell has to shear.
 *
 * A part is thin if no cell of it lies inside (each has a node on the boundary) and its boundary P is long against its area A: P^2 / A is 16 of a square and
 * 4 (1 + r)^2 / r of a strip of r to 1. One cell is across where all nodes are on the boundary, else two. */

#define NEARLY_INCOMPRESSIBLE 0.45
#define SLENDER               4.0 /* r from which a part is bent rather than sheared */

typedef struct {
  int low, high; /* nodes of a side */
} side;

static int by_nodes(const void *a, const void *b) {
  const side *s = a, *t = b;
  return s->low != t->low ? (s->low > t->low) - (s->low < t->low) : (s->high > t->high) - (s->high < t->high);
}

/* Sides between corners, of all cells. */
static int list_sides(const prc_mesh *mesh, side *out) {
  int n = 0;
  for (int c = 0; c < mesh->n_cells; c++) {
    const int corners = mesh->cell_element[c]->n_corners, *node = mesh->cell + mesh->cell_start[c];
    for (int a = 0; a < corners; a++, n++) {
      const int p = node[a], q = node[(a + 1) % corners];
      if (out) out[n] = (side){p < q ? p : q, p < q ? q : p};
    }
  }
  if (out) qsort(out, (size_t)n, sizeof *out, by_nodes);
  return n;
}

/* Facts of each part: area, length of the boundary; does it have nodes inside, cells inside, cells that are
 * not linear? */
typedef struct {
  double area, boundary;
  int has_nodes, has_cells, quadratic, cell;
} part_facts;

static void add_boundary(const prc_mesh *mesh, int n, const side *all, const int *part, char *outside,
                         part_facts *fact) {
  for (int k = 0; k < n; k++) {
    const int same =
        (k > 0 && by_nodes(&all[k - 1], &all[k]) == 0) || (k + 1 < n && by_nodes(&all[k], &all[k + 1]) == 0);
    if (same) continue;
    const double *x = mesh->x + 2 * all[k].low, *y = mesh->x + 2 * all[k].high;
    outside[all[k].low] = outside[all[k].high] = 1;
    fact[part[all[k].low]].boundary += hypot(y[0] - x[0], y[1] - x[1]);
  }
}

static void add_cells(const prc_mesh *mesh, const int *part, const char *outside, part_facts *fact) {
  for (int c = mesh->n_cells - 1; c >= 0; c--) {
    const prc_element *element = mesh->cell_element[c];
    const int *node = mesh->cell + mesh->cell_start[c];
    part_facts *f = &fact[part[node[0]]];
    int inside = 1;
    for (int a = 0; a < element->n_corners; a++) {
      inside &= !outside[node[a]];
      f->has_nodes |= !outside[node[a]];
    }
    f->area += prc_mesh_area(mesh, c), f->has_cells |= inside;
    f->quadratic |= element->quadratic, f->cell = c;
  }
}

/* r of a strip with this boundary and area; 1 of what is rounder than a square. */
static double slenderness(const part_facts *f) {
  const double s = f->boundary * f->boundary / (4.0 * f->area) - 2.0; /* r + 1 / r */
  return s > 2.0 ? 0.5 * (s + sqrt(s * s - 4.0)) : 1.0;
}

static void judge_parts(const prc_mesh *mesh, const part_facts *fact, prc_fem_locking *out) {
  for (int p = 0; p < mesh->n_nodes; p++) {
    const part_facts *f = &fact[p];
    if (!(f->area > 0.0) || f->has_cells || f->quadratic) continue;
    const double slender = slenderness(f);
    if (slender < SLENDER) continue;
    if (out->n_thin++ > 0 && slender <= out->slender) continue;
    out->slender = slender, out->across = f->has_nodes ? 2 : 1;
    out->thin = mesh->cell_tag[f->cell], out->thin_element = mesh->cell_element[f->cell];
  }
}

/* The first material that is nearly incompressible where cells are linear. */
static void judge_materials(const prc_fem *fem, prc_fem_locking *out) {
  const prc_fem_model *model = fem->model;
  if (model->plane == PRC_PLANE_STRESS) return;
  for (int c = 0; c < model->mesh->n_cells && !out->material; c++) {
    const prc_fem_material *material = &model->material[fem->cell_material[c]];
    if (model->mesh->cell_element[c]->quadratic || !(material->poisson > NEARLY_INCOMPRESSIBLE)) continue;
    out->material = material, out->element = model->mesh->cell_element[c];
  }
}

prc_status prc_fem_find_locking(const prc_fem *fem, prc_fem_locking *out, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = fem->model->mesh;
  side *all = NULL;
  int *part = NULL;
  char *outside = NULL;
  part_facts *fact = NULL;
  const int n = list_sides(mesh, NULL);
  *out = (prc_fem_locking){0};
  judge_materials(fem, out);
  prc_try(prc_new(&all, n, err));
  prc_try(prc_new(&part, mesh->n_nodes, err));
  prc_try(prc_new(&outside, mesh->n_nodes, err));
  prc_try(prc_new(&fact, mesh->n_nodes, err));
  prc_mesh_bodies(mesh, part);
  list_sides(mesh, all);
  add_boundary(mesh, n, all, part, outside, fact);
  add_cells(mesh, part, outside, fact);
  judge_parts(mesh, fact, out);
done:
  prc_delete(&all);
  prc_delete(&part);
  prc_delete(&outside);
  prc_delete(&fact);
  return status;
}

#include "config.h"
#include "solid/surface.h"
#include "solid/internal.h"

#include <stdlib.h>
#include <string.h>

void prc_solid_free_surface(prc_solid_surface *surface) {
  prc_delete(&surface->point);
  prc_delete(&surface->triangle);
  prc_delete(&surface->piece);
  *surface = (prc_solid_surface){0};
}

/* ---- points of one place ------------------------------------------------------------------------------- */

typedef struct {
  double x[3];
  int number; /* 3 triangle + corner */
} corner;

static int compare_places(const corner *a, const corner *b) {
  for (int k = 0; k < 3; k++)
    if (a->x[k] != b->x[k]) return a->x[k] < b->x[k] ? -1 : 1;
  return 0;
}
static int compare_corners(const void *x, const void *y) {
  const corner *a = x, *b = y;
  const int places = compare_places(a, b);
  return places ? places : (a->number > b->number) - (a->number < b->number);
}

/* Points are numbered by their places; of[k]: that of corner k. */
static prc_status number_points(const prc_solid_soup *soup, int *of, prc_solid_surface *out, prc_error *err) {
  prc_status status = PRC_OK;
  corner *all = NULL;
  const size_t n = 3 * (size_t)soup->n;
  prc_try(prc_new(&all, n, err));
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < 3; k++) all[i].x[k] = soup->x[3 * i + k] + 0.0; /* -0.0 is 0.0 */
    all[i].number = (int)i;
  }
  qsort(all, n, sizeof *all, compare_corners);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || compare_places(&all[i - 1], &all[i]) != 0) out->n_points++;
    of[all[i].number] = out->n_points - 1;
  }
  prc_try(prc_new(&out->point, 3 * (size_t)out->n_points, err));
  for (size_t i = 0; i < n; i++)
    memcpy(out->point + 3 * (size_t)of[all[i].number], all[i].x, sizeof all[i].x);
done:
  prc_delete(&all);
  return status;
}

prc_status prc_solid_join_points(const prc_solid_soup *soup, prc_solid_surface *out, prc_error *err) {
  prc_status status = PRC_OK;
  int *of = NULL;
  if (soup->n < 1) return prc_fail(err, PRC_INPUT, "the file has no triangles, expected a closed surface");
  prc_try(prc_new(&of, 3 * (size_t)soup->n, err));
  prc_try(prc_new(&out->triangle, 3 * (size_t)soup->n, err));
  prc_try(number_points(soup, of, out, err));
  for (int t = 0; t < soup->n; t++) {
    const int *a = of + 3 * (size_t)t;
    if (a[0] == a[1] || a[1] == a[2] || a[2] == a[0]) continue;
    memcpy(out->triangle + 3 * (size_t)out->n_triangles++, a, 3 * sizeof *a);
  }
  if (out->n_triangles == 0)
    status = prc_fail(err, PRC_INPUT, "none of the triangles has three points, expected a closed surface");
done:
  prc_delete(&of);
  return status;
}

/* ---- volumes ------------------------------------------------------------------------------------------- */

prc_solid_mass prc_solid_mass_inside(const prc_solid_surface *surface) {
  prc_solid_sums sums = {0};
  for (int i = 0; i < surface->n_points; i++)
    for (int k = 0; k < 3; k++)
      sums.origin[k] += surface->point[3 * (size_t)i + (size_t)k] / surface->n_points;
  for (int t = 0; t < surface->n_triangles; t++) {
    const int *a = surface->triangle + 3 * (size_t)t;
    prc_solid_add_triangle(&sums, surface->point + 3 * (size_t)a[0], surface->point + 3 * (size_t)a[1],
                           surface->point + 3 * (size_t)a[2]);
  }
  return prc_solid_mass_of_sums(&sums);
}

prc_status prc_solid_read_surface(const char *path, prc_solid_surface *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_solid_soup soup = {0};
  char *bytes = NULL;
  size_t n = 0;
  *out = (prc_solid_surface){0};
  prc_try(prc_file_read_all(NULL, path, &bytes, &n, err));
  if (prc_solid_is_stl(bytes, n) || prc_ends_with(path, ".stl") || prc_ends_with(path, ".STL"))
    prc_try(prc_solid_read_stl(bytes, n, &soup, err));
  else
    prc_try(prc_solid_read_gmsh_surface(path, &soup, err));
  prc_try(prc_solid_join_points(&soup, out, err));
  prc_try(prc_solid_close_surface(out, err));
done:
  prc_delete(&soup.x);
  prc_delete(&bytes);
  if (status != PRC_OK) {
    prc_error_context(err, "%s", path);
    prc_solid_free_surface(out);
  }
  return status;
}

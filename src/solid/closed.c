#include "config.h"
#include "solid/surface.h"

#include <math.h>
#include <stdlib.h>

/* Is a surface closed, what hangs together, and which side is outside? */

enum { MOST_PIECES = 10000 };

/* One side of an edge: a triangle that has it, which goes along it from the lower point to the higher, or falls. */
typedef struct {
  int low, high, falls, triangle, slot;
} side;

static int compare_sides(const void *x, const void *y) {
  const side *a = x, *b = y;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static prc_status refuse_edge(const prc_solid_surface *surface, const side *s, int n, prc_error *err) {
  const double *a = surface->point + 3 * (size_t)s->low, *b = surface->point + 3 * (size_t)s->high;
  return prc_fail(
      err, PRC_INPUT,
      "the surface is not closed: the edge from (%g, %g, %g) to (%g, %g, %g) has %d triangle%s, expected two",
      a[0], a[1], a[2], b[0], b[1], b[2], n, n == 1 ? "" : "s");
}

/* ---- who is beside whom -------------------------------------------------------------------------------- */

typedef struct {
  int *beside; /* 3 a triangle: beyond its edges */
  char
      *against; /* 3 a triangle: that goes along the edge the same way, so that one of both is turned round */
} neighbours;

static void join(const side *a, const side *b, const neighbours *out) {
  out->beside[3 * (size_t)a->triangle + (size_t)a->slot] = b->triangle;
  out->beside[3 * (size_t)b->triangle + (size_t)b->slot] = a->triangle;
  const char against = a->falls == b->falls;
  out->against[3 * (size_t)a->triangle + (size_t)a->slot] = against;
  out->against[3 * (size_t)b->triangle + (size_t)b->slot] = against;
}

/* Where more than two meet, as where bodies lie side by side, those that go along the edge either way are joined in the order of the file, in
 * which what is one follows one another. 0: they do not match. */
static int join_many(const side *s, int n, const neighbours *out) {
  int up = 0, down = 0;
  for (;;) {
    while (up < n && s[up].falls) up++;
    while (down < n && !s[down].falls) down++;
    if (up == n || down == n) return up == n && down == n;
    join(&s[up++], &s[down++], out);
  }
}

static prc_status find_neighbours(const prc_solid_surface *surface, const neighbours *out, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = 3 * (size_t)surface->n_triangles;
  side *all = NULL;
  prc_try(prc_new(&all, n, err));
  for (size_t i = 0; i < n; i++) {
    const int from = surface->triangle[i], to = surface->triangle[i / 3 * 3 + (i + 1) % 3], falls = from > to;
    all[i] = (side){falls ? to : from, falls ? from : to, falls, (int)(i / 3), (int)(i % 3)};
  }
  qsort(all, n, sizeof *all, compare_sides);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && all[end].low == all[i].low && all[end].high == all[i].high;) end++;
    const int count = (int)(end - i);
    if (count == 2)
      join(&all[i], &all[i + 1], out);
    else if (count == 1 || !join_many(all + i, count, out))
      prc_try(refuse_edge(surface, &all[i], count, err));
  }
done:
  prc_delete(&all);
  return status;
}

/* ---- pieces and their outside -------------------------------------------------------------------------- */

static void turn_round(prc_solid_surface *surface, int t) {
  int *a = surface->triangle + 3 * (size_t)t;
  const int second = a[1];
  a[1] = a[2], a[2] = second;
}

/* From one triangle to those beside it: turned round like their neighbours, by turned[t]. *any: one had to be. */
static prc_status spread(prc_solid_surface *surface, const neighbours *beside, int first, int *waiting,
                         char *turned, int *any, prc_error *err) {
  int n = 1;
  waiting[0] = first, surface->piece[first] = surface->n_pieces;
  while (n > 0) {
    const int t = waiting[--n];
    for (int k = 0; k < 3; k++) {
      const int next = beside->beside[3 * (size_t)t + (size_t)k];
      const char round = (char)(turned[t] ^ beside->against[3 * (size_t)t + (size_t)k]);
      if (surface->piece[next] < 0) {
        surface->piece[next] = surface->n_pieces, turned[next] = round;
        *any |= round;
        waiting[n++] = next;
      } else if (turned[next] != round) {
        return prc_fail(err, PRC_INPUT,
                        "the surface has one side alone, as a Moebius band, expected an inside");
      }
    }
  }
  return PRC_OK;
}

/* Of a piece: its box, low and high, and 6 times its volume. */
typedef struct {
  double box[6], volume;
} extent;

static void find_extents(const prc_solid_surface *surface, extent *out) {
  const int *triangle = surface->triangle;
  for (int p = 0; p < surface->n_pieces; p++)
    for (int k = 0; k < 3; k++) out[p].box[k] = INFINITY, out[p].box[3 + k] = -INFINITY;
  for (size_t i = 0; i < 3 * (size_t)surface->n_triangles; i++) {
    double *box = out[surface->piece[i / 3]].box;
    for (size_t k = 0; k < 3; k++) {
      const double x = surface->point[3 * (size_t)triangle[i] + k];
      box[k] = fmin(box[k], x), box[3 + k] = fmax(box[3 + k], x);
    }
  }
  for (int t = 0; t < surface->n_triangles; t++) {
    extent *e = &out[surface->piece[t]];
    double d[3][3];
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        d[i][k] = surface->point[3 * (size_t)triangle[3 * (size_t)t + (size_t)i] + (size_t)k]
                  - (0.5 * e->box[k] + 0.5 * e->box[3 + k]);
    for (int k = 0; k < 3; k++)
      e->volume += d[0][k] * (d[1][(k + 1) % 3] * d[2][(k + 2) % 3] - d[1][(k + 2) % 3] * d[2][(k + 1) % 3]);
  }
}

static int is_within(const double inner[6], const double outer[6]) {
  for (int k = 0; k < 3; k++)
    if (!(inner[k] > outer[k]) || !(inner[3 + k] < outer[3 + k])) return 0;
  return 1;
}

static prc_status check_volumes(const prc_solid_surface *surface, const extent *all, prc_error *err) {
  for (int p = 0; p < surface->n_pieces; p++) {
    const double *b = all[p].box;
    const double whole = (b[3] - b[0]) * (b[4] - b[1]) * (b[5] - b[2]);
    if (!(fabs(all[p].volume) > 1e-12 * whole) || !isfinite(all[p].volume))
      return prc_fail(err, PRC_INPUT, "piece %d of the surface, at (%g, %g, %g), has no volume", p + 1, b[0],
                      b[1], b[2]);
  }
  return PRC_OK;
}

/* A piece seen from inside is turned round, unless it is that of a hole: the file says so, and it is within another one. */
static prc_status turn_outwards(prc_solid_surface *surface, int holes, prc_error *err) {
  prc_status status = PRC_OK;
  extent *all = NULL;
  char *turns = NULL;
  prc_try(prc_new(&all, surface->n_pieces, err));
  prc_try(prc_new(&turns, surface->n_pieces, err));
  find_extents(surface, all);
  prc_try(check_volumes(surface, all, err));
  for (int p = 0; p < surface->n_pieces; p++) {
    int hole = 0;
    for (int q = 0; q < surface->n_pieces && holes && all[p].volume < 0.0; q++)
      hole |= all[q].volume > 0.0 && is_within(all[p].box, all[q].box);
    turns[p] = (char)(all[p].volume < 0.0 && !hole);
  }
  for (int t = 0; t < surface->n_triangles; t++)
    if (turns[surface->piece[t]]) turn_round(surface, t);
done:
  prc_delete(&all);
  prc_delete(&turns);
  return status;
}

prc_status prc_solid_close_surface(prc_solid_surface *surface, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)surface->n_triangles;
  neighbours beside = {0};
  int *waiting = NULL, any = 0;
  char *turned = NULL;
  prc_try(prc_new(&beside.beside, 3 * n, err));
  prc_try(prc_new(&beside.against, 3 * n, err));
  prc_try(prc_new(&waiting, n, err));
  prc_try(prc_new(&turned, n, err));
  prc_try(prc_new(&surface->piece, n, err));
  prc_try(find_neighbours(surface, &beside, err));
  for (size_t t = 0; t < n; t++) surface->piece[t] = -1;
  for (int t = 0; t < surface->n_triangles; t++) {
    if (surface->piece[t] >= 0) continue;
    prc_try(spread(surface, &beside, t, waiting, turned, &any, err));
    if (++surface->n_pieces <= MOST_PIECES) continue;
    status = prc_fail(err, PRC_INPUT, "the surface has more than %d pieces", MOST_PIECES);
    goto done;
  }
  for (int t = 0; t < surface->n_triangles; t++)
    if (turned[t]) turn_round(surface, t);
  status = turn_outwards(surface, !any, err);
done:
  prc_delete(&beside.beside);
  prc_delete(&beside.against);
  prc_delete(&waiting);
  prc_delete(&turned);
  return status;
}

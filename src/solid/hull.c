#include "config.h"
#include "solid/internal.h"

#include <libqhull_r/qhull_ra.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The convex hull of points in space by Qhull (Barber, Dobkin, Huhdanpaa 1996), reentrant. Its facets in one plane are joined
 * ("C1e-9": within 1e-9, of points that are brought to the size 1 by a power of two, so that nothing hangs on their unit). Of what it finds only the corners
 * of each facet are taken: their order, normals and edges are computed here. */

enum { MOST_CORNERS = 1 << 22 }; /* three edges a corner have a number of 24 bits */

void prc_solid_free_net(prc_solid_net *net) {
  prc_delete(&net->corner);
  prc_delete(&net->start);
  prc_delete(&net->face);
  *net = (prc_solid_net){0};
}

/* ---- are they in one plane? ---------------------------------------------------------------------------- */

/* Part of p - o normal to the first `n` orthonormal directions. */
static double off(const double *p, const double *o, int n, double along[2][3], double out[3]) {
  double direction[3];
  for (int k = 0; k < 3; k++) out[k] = p[k] - o[k];
  for (int j = 0; j < n; j++) {
    const double s = prc_solid_dot(out, along[j]);
    for (int k = 0; k < 3; k++) out[k] -= s * along[j][k];
  }
  return prc_solid_distance(out, direction);
}

/* The point farthest from the first, that farthest from the line of both, that farthest from the plane of the three: more than `flat` of the extent? */
static prc_status check_not_flat(int n, const double *point, double flat, prc_error *err) {
  static const char *const what[] = {"at one place", "on one line", "in one plane"};
  double along[2][3] = {{0.0}}, d[3], extent = 0.0, direction[3];
  for (int j = 0; j < 3; j++) {
    double most = -1.0, farthest[3] = {0.0};
    for (int i = 0; i < n; i++) {
      const double far = off(point + 3 * (size_t)i, point, j, along, d);
      if (!(far > most)) continue;
      most = far;
      for (int k = 0; k < 3; k++) farthest[k] = d[k];
    }
    if (j == 0) extent = most;
    if (!(most > (j == 0 ? 0.0 : flat * extent)) || !isfinite(most))
      return prc_fail(err, PRC_INPUT, "the %d points of a solid are %s, expected points around a volume", n,
                      isfinite(most) ? what[j] : "too far apart");
    if (j == 2) return PRC_OK;
    (void)prc_solid_distance(farthest, direction);
    for (int k = 0; k < 3; k++) along[j][k] = direction[k];
  }
  return PRC_OK;
}

/* ---- Qhull --------------------------------------------------------------------------------------------- */

typedef struct {
  int n;
  coordT *point;  /* 3 n: from the first one, of size 1 */
  FILE *messages; /* into text */
  char text[1024];
  qhT qh;
} work;

static int numbered(const work *w, const vertexT *vertex) {
  return (int)((vertex->point - w->point) / 3);
}

static prc_status copy_scaled(int n, const double *point, work *w, prc_error *err) {
  double largest = 0.0;
  int exponent;
  const prc_status status = prc_new(&w->point, 3 * (size_t)n, err);
  if (status != PRC_OK) return status;
  w->n = n;
  for (size_t k = 0; k < 3 * (size_t)n; k++) largest = fmax(largest, fabs(point[k] - point[k % 3]));
  (void)frexp(largest, &exponent);
  for (size_t k = 0; k < 3 * (size_t)n; k++) w->point[k] = ldexp(point[k] - point[k % 3], -exponent);
  return PRC_OK;
}

static prc_status call_qhull(work *w, double flat, prc_error *err) {
  char command[32];
  snprintf(command, sizeof command, "qhull C%.0e Pp", flat);
  if (!(w->messages = fmemopen(w->text, sizeof w->text - 1, "w")))
    return prc_fail(err, PRC_NOMEM, "the hull of %d points needs more memory", w->n);
  qh_zero(&w->qh, w->messages);
  const int code = qh_new_qhull(&w->qh, 3, w->n, w->point, False, command, NULL, w->messages);
  (void)fflush(w->messages);
  if (code == qh_ERRmem)
    return prc_fail(err, PRC_NOMEM, "the hull of %d points needs more memory than there is", w->n);
  if (code != 0)
    return prc_fail(err, PRC_INPUT, "Qhull finds no hull of the %d points of a solid: %.300s", w->n, w->text);
  return PRC_OK;
}

static void end_qhull(work *w) {
  int pieces, bytes;
  if (w->messages) {
    w->qh.NOerrexit = True;
    qh_freeqhull(&w->qh, !qh_ALL);
    qh_memfreeshort(&w->qh, &pieces, &bytes);
    (void)fclose(w->messages);
  }
  prc_delete(&w->point);
}

/* ---- its faces ----------------------------------------------------------------------------------------- */

/* A corner of a face and its angle around the middle of the face. */
typedef struct {
  double angle;
  int corner;
} spoke;

static int compare_spokes(const void *x, const void *y) {
  const spoke *a = x, *b = y;
  return a->angle < b->angle   ? -1
         : a->angle > b->angle ? 1
                               : (a->corner > b->corner) - (a->corner < b->corner);
}

/* The n corners anticlockwise around the normal, the lowest first. */
static void go_round(const double *point, const double normal[3], int n, spoke *around, int *out) {
  double middle[3] = {0.0}, s[3], t[3];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) middle[k] += point[3 * (size_t)around[i].corner + (size_t)k] / n;
  const double *first = point + 3 * (size_t)around[0].corner;
  for (int k = 0; k < 3; k++) s[k] = first[k] - middle[k];
  prc_solid_cross(normal, s, t);
  for (int i = 0; i < n; i++) {
    const double *p = point + 3 * (size_t)around[i].corner;
    const double d[3] = {p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]};
    around[i].angle = atan2(prc_solid_dot(d, t), prc_solid_dot(d, s));
  }
  qsort(around, (size_t)n, sizeof *around, compare_spokes);
  int lowest = 0;
  for (int i = 1; i < n; i++)
    if (around[i].corner < around[lowest].corner) lowest = i;
  for (int i = 0; i < n; i++) out[i] = around[(lowest + i) % n].corner;
}

typedef struct {
  const int *corner;
  int n;
} ring;

static int compare_rings(const void *x, const void *y) {
  const ring *a = x, *b = y;
  for (int i = 0; i < a->n && i < b->n; i++)
    if (a->corner[i] != b->corner[i]) return a->corner[i] < b->corner[i] ? -1 : 1;
  return (a->n > b->n) - (a->n < b->n);
}

/* Corners of all facets, those of one behind those of another, in the order of Qhull: *rings of them. */
static prc_status gather(const work *w, int n_faces, int n_all, int *corner, ring *rings, prc_error *err) {
  prc_status status = PRC_OK;
  spoke *around = NULL;
  const qhT *qh = &w->qh;
  int at = 0, f = 0;
  prc_try(prc_new(&around, n_all, err));
  for (const facetT *facet = qh->facet_list; facet && facet->next && f < n_faces; facet = facet->next, f++) {
    int n = 0;
    for (const setelemT *e = facet->vertices->e; e->p; e++)
      around[n++] = (spoke){0.0, numbered(w, (const vertexT *)e->p)};
    go_round(w->point, facet->normal, n, around, corner + at);
    rings[f] = (ring){corner + at, n};
    at += n;
  }
  qsort(rings, (size_t)n_faces, sizeof *rings, compare_rings);
done:
  prc_delete(&around);
  return status;
}

/* The corners that faces have, in the order in which they were given. */
static prc_status number(const work *w, const double *point, int n_faces, const ring *rings,
                         prc_solid_net *net, prc_error *err) {
  prc_status status = PRC_OK;
  int *to = NULL;
  prc_try(prc_new(&to, w->n, err));
  for (int f = 0; f < n_faces; f++)
    for (int i = 0; i < rings[f].n; i++) to[rings[f].corner[i]] = 1;
  for (int i = 0; i < w->n; i++)
    if (to[i]) to[i] = ++net->n;
  if (net->n > MOST_CORNERS) {
    status = prc_fail(err, PRC_INPUT, "a hull has %d corners, expected at most %d", net->n, MOST_CORNERS);
    goto done;
  }
  prc_try(prc_new(&net->corner, 3 * (size_t)net->n, err));
  for (int i = 0; i < w->n; i++)
    for (int k = 0; k < 3 && to[i]; k++)
      net->corner[3 * (size_t)(to[i] - 1) + (size_t)k] = point[3 * (size_t)i + (size_t)k];
  for (int f = 0, at = 0; f < n_faces; f++) {
    for (int i = 0; i < rings[f].n; i++) net->face[at++] = to[rings[f].corner[i]] - 1;
    net->start[f + 1] = at;
  }
done:
  prc_delete(&to);
  return status;
}

static prc_status make_net(const work *w, const double *point, prc_solid_net *net, prc_error *err) {
  prc_status status = PRC_OK;
  int *corner = NULL, n_faces = 0, n_all = 0;
  ring *rings = NULL;
  for (const facetT *facet = w->qh.facet_list; facet && facet->next; facet = facet->next, n_faces++)
    for (const setelemT *e = facet->vertices->e; e->p; e++) n_all++;
  prc_try(prc_new(&corner, n_all, err));
  prc_try(prc_new(&rings, n_faces, err));
  prc_try(prc_new(&net->start, n_faces + 1, err));
  prc_try(prc_new(&net->face, n_all, err));
  net->n_faces = n_faces;
  prc_try(gather(w, n_faces, n_all, corner, rings, err));
  prc_try(number(w, point, n_faces, rings, net, err));
done:
  prc_delete(&corner);
  prc_delete(&rings);
  return status;
}

prc_status prc_solid_find_net(int n, const double *point, double flat, prc_solid_net *out, prc_error *err) {
  prc_status status = PRC_OK;
  work *w = NULL;
  *out = (prc_solid_net){0};
  prc_try(check_not_flat(n, point, flat, err));
  prc_try(prc_new(&w, 1, err));
  prc_try(copy_scaled(n, point, w, err));
  prc_try(call_qhull(w, flat, err));
  prc_try(make_net(w, point, out, err));
done:
  if (w) end_qhull(w);
  prc_delete(&w);
  if (status != PRC_OK) prc_solid_free_net(out);
  return status;
}

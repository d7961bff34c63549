#include "config.h"
#include "solid/internal.h"
#include "spatial/internal.h"

#include <math.h>
#include <string.h>

/* Seams: where polyhedra lie flush with each other, as blocks of a floor, a side, an edge or a corner of the next one is none whose normal leads into material that touches it.
 *
 * A touch of X and Y at the point p of Y with normal n, towards X, is none where another Z that X touches, a polyhedron or a capsule, has material at p, within `flush`, that goes on along n:
 * of what Y and Z are together n is no normal there. Where all touches of a pair are such, it meets anew at the face that separates most of those whose touches are
 * seen; where there is none, Z has it. What stands on Z `depth` deep and is no deeper behind a face of Y with the same normal stands on that face, too, across a gap
 * between the two. */

#define FLUSH 1e-6   /* of the smaller of two: so far they may be off each other and be one surface */
#define MOST  0.01   /* of the shortest edge of the two, where they move */
#define ALIKE 0.9987 /* cos(0.05) */
#define STEP  9.0    /* of FLUSH: what is so much higher than flush may have been meant to be */
#define WALL  0.8776 /* cos(0.5) */

static const prc_solid *solid_of(const prc_spatial *spatial, int part) {
  return spatial->meeting.part[part];
}
static const prc_solid_pose *pose_of(const prc_spatial *spatial, int part) {
  return &spatial->meeting.pose[spatial->meeting.body[part]];
}

static int rests(const prc_spatial *spatial, const prc_spatial_search *now, int body) {
  const prc_spatial_facts *fact = &spatial->fact[body];
  int moves = 0;
  for (int k = 0; k < (fact->turn < 0 ? 3 : 6); k++) moves |= now->v[fact->first + k] != 0.0;
  return spatial->model->body[body].driven && !moves;
}
static int are_one(const prc_spatial *spatial, const prc_spatial_search *now, int y, int z) {
  const int a = spatial->meeting.body[y], b = spatial->meeting.body[z];
  return a == b || (rests(spatial, now, a) && rests(spatial, now, b));
}

/* Speeds of three bodies against each other at the centre of the first. */
typedef struct {
  double xy, xz, yz;
} speeds;
static double between(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(prc_solid_dot(d, d));
}
static speeds speeds_of(const prc_spatial *spatial, const prc_spatial_search *now, int x, int y, int z) {
  static const double rest[3] = {0.0};
  const int body[3] = {spatial->meeting.body[x], spatial->meeting.body[y], spatial->meeting.body[z]};
  double v[3][3];
  for (int k = 0; k < 3; k++) {
    const prc_spatial_going of = prc_spatial_going_of(spatial, now->v, body[k], rest);
    prc_spatial_velocity_at(&of, spatial->meeting.pose[body[0]].x, v[k]);
  }
  return (speeds){between(v[0], v[1]), between(v[0], v[2]), between(v[1], v[2])};
}

/* Y and Z beside each other as X sees them, and how far they may be off each other; 0: they are no ground of it. Of three that touch each other the one that goes most
 * against the others is on both. */
static double flush_of(const prc_spatial *spatial, const prc_spatial_search *now, int x, int y, int z) {
  const prc_solid *a = solid_of(spatial, y), *b = solid_of(spatial, z);
  const double size = 2.0 * fmin(a->extent, b->extent);
  if (are_one(spatial, now, y, z)) return FLUSH * size;
  const speeds u = speeds_of(spatial, now, x, y, z);
  if (!(u.yz < u.xy && u.yz < u.xz)) return 0.0;
  return FLUSH * size + fmin(now->h * u.xy, MOST * fmin(a->length, b->length));
}

/* Next to each other: of one body or both driven, which no search lists; else they touch. */
static int may_cover(const prc_spatial *spatial, int y, int z) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const int a = m->body[y], b = m->body[z];
  if (a == b || (spatial->model->body[a].driven && spatial->model->body[b].driven)) return 1;
  for (int k = m->first_met[y]; k >= 0; k = m->met[k].next[m->met[k].part[1] == y])
    if (m->met[k].part[m->met[k].part[0] == y] == z) return 1;
  return 0;
}

/* The point of Y, side `side` of the pair, where it touches, and the normal out of it. */
static void place_on(const prc_solid_touch *touch, int side, double p[3], double n[3]) {
  const double out = side ? -1.0 : 1.0;
  for (int k = 0; k < 3; k++) {
    n[k] = out * touch->normal[k];
    p[k] = touch->place[k] - 0.5 * touch->gap * n[k];
  }
}

/* How many normals the feature of y has against that of x (prc_solid_goes_on). */
static int normals_of(const prc_solid *y, uint32_t feature, const prc_solid *x, uint32_t against) {
  const int is_edge = prc_solid_has_faces(y) && PRC_SOLID_KIND(feature) == PRC_SOLID_EDGE;
  if (PRC_SOLID_KIND(feature) != PRC_SOLID_CORNER && !is_edge) return PRC_SOLID_ONE_NORMAL;
  if (PRC_SOLID_KIND(against) == PRC_SOLID_FACE || (prc_solid_has_faces(y) && prc_solid_has_faces(x)))
    return PRC_SOLID_FEW_NORMALS;
  return PRC_SOLID_MANY_NORMALS;
}

/* Is the touch one with what another covers of one of the two? *flush: how far they may be off each other. */
static int is_covered(const prc_spatial *spatial, const prc_spatial_search *now, int k,
                      const prc_solid_touch *touch, double *flush) {
  const prc_spatial_meeting *m = &spatial->meeting;
  for (int side = 0; side < 2; side++) {
    const int y = m->met[k].part[side], x = m->met[k].part[!side];
    double p[3], n[3];
    if (!isfinite(solid_of(spatial, y)->extent)) continue;
    place_on(touch, side, p, n);
    const uint32_t feature[2] = {touch->feature_a, touch->feature_b};
    const int normals = normals_of(solid_of(spatial, y), feature[side], solid_of(spatial, x), feature[!side]);
    for (int i = m->first_met[x]; i >= 0; i = m->met[i].next[m->met[i].part[1] == x]) {
      const int z = m->met[i].part[m->met[i].part[0] == x];
      if (i == k || solid_of(spatial, z)->n < 2 || !may_cover(spatial, y, z)) continue;
      const double near = flush_of(spatial, now, x, y, z);
      if (!(near > 0.0)) continue;
      *flush = fmax(*flush, near);
      if (prc_solid_goes_on(solid_of(spatial, z), pose_of(spatial, z), p, n, near, normals)) return 1;
    }
  }
  return 0;
}

static double depth_of(const prc_spatial_meeting *m, int start, int n) {
  double depth = -INFINITY;
  for (int i = 0; i < n; i++) depth = fmax(depth, -m->touches.touch[start + i].gap);
  return depth;
}
/* Deepest of what the two have with others, and with each other. */
static double depth_around(const prc_spatial_meeting *m, int k) {
  double depth = depth_of(m, m->met[k].start, m->met[k].n);
  for (int i = 0; i < 2; i++) {
    const int part = m->met[k].part[i];
    for (int l = m->first_met[part]; l >= 0; l = m->met[l].next[m->met[l].part[1] == part])
      if (l != k) depth = fmax(depth, depth_of(m, m->met[l].start, m->met[l].n));
  }
  return fmax(depth, 0.0);
}

static int count_seen(const prc_spatial *spatial, const prc_spatial_search *now, int k, int start, int n,
                      double *flush) {
  int seen = 0;
  for (int i = 0; i < n; i++)
    seen += !is_covered(spatial, now, k, &spatial->meeting.touches.touch[start + i], flush);
  return seen;
}

/* The touches at the end of the list become those of the pair. */
static void replace(prc_spatial_meeting *m, int k, int start, int *changed) {
  const int n = m->touches.n - start;
  *changed += n > m->met[k].n ? n : m->met[k].n;
  m->met[k].start = start, m->met[k].n = n;
}

static prc_status meet_on(prc_spatial *spatial, int k, int side, int face, prc_error *err) {
  prc_spatial_meeting *m = &spatial->meeting;
  const prc_spatial_met *met = &m->met[k];
  return prc_solid_meet_on(m->part[met->part[0]], pose_of(spatial, met->part[0]), m->part[met->part[1]],
                           pose_of(spatial, met->part[1]), side, face, met->reach, &m->touches, err);
}

/* By the faces of both in turn, from the one that separates most on, none deeper than `most`: the first whose touches are seen. */
static prc_status meet_anew(prc_spatial *spatial, const prc_spatial_search *now, int k, double most,
                            int *changed, prc_error *err) {
  prc_spatial_meeting *m = &spatial->meeting;
  double before = INFINITY, flush = 0.0;
  for (;;) {
    int side = -1, face = -1;
    double next = -most;
    for (int i = 0; i < 2; i++) {
      const int x = m->met[k].part[i], y = m->met[k].part[!i];
      for (int f = 0; f < solid_of(spatial, x)->n_faces; f++) {
        double n[3];
        const double s = prc_solid_in_front(solid_of(spatial, x), pose_of(spatial, x), f,
                                            solid_of(spatial, y), pose_of(spatial, y), n);
        if (s < before && s >= next) next = s, side = i, face = f;
      }
    }
    const int start = m->touches.n;
    if (face < 0) {
      replace(m, k, start, changed);
      return PRC_OK;
    }
    const prc_status status = meet_on(spatial, k, side, face, err);
    if (status != PRC_OK) return status;
    const int n = m->touches.n - start;
    if (n > 0 && depth_of(m, start, n) <= most && count_seen(spatial, now, k, start, n, &flush) > 0) {
      replace(m, k, start, changed);
      return PRC_OK;
    }
    m->touches.n = start;
    before = next;
  }
}

/* Are all touches of the pair covered? Then others are looked for; a sphere or a capsule keeps those that are seen, none where it has none. */
static prc_status uncover(prc_spatial *spatial, const prc_spatial_search *now, int k, int *changed,
                          prc_error *err) {
  prc_spatial_meeting *m = &spatial->meeting;
  double flush = 0.0;
  const prc_solid *a = solid_of(spatial, m->met[k].part[0]), *b = solid_of(spatial, m->met[k].part[1]);
  const int seen = count_seen(spatial, now, k, m->met[k].start, m->met[k].n, &flush);
  m->met[k].flush = flush;
  if (seen == m->met[k].n) return PRC_OK;
  if (prc_solid_has_faces(a) && prc_solid_has_faces(b))
    return seen > 0 ? PRC_OK : meet_anew(spatial, now, k, depth_around(m, k) + 2.0 * flush, changed, err);
  *changed += m->met[k].n - seen;
  int kept = 0;
  for (int i = 0; i < m->met[k].n; i++) {
    prc_solid_touch *touch = &m->touches.touch[m->met[k].start + i];
    if (!is_covered(spatial, now, k, touch, &flush)) m->touches.touch[m->met[k].start + kept++] = *touch;
  }
  m->met[k].n = kept;
  return PRC_OK;
}

/* X, on the side `mover` of pair k, stands on Z, pair i: the face of Y that it stands on too; -1: none. */
static int face_beside(const prc_spatial *spatial, const prc_spatial_search *now, int k, int mover, int i,
                       double *most) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const int x = m->met[k].part[mover], y = m->met[k].part[!mover], side = m->met[i].part[1] == x;
  const int z = m->met[i].part[!side];
  double of_y[3], of_z[3], p[3], n[3];
  place_on(&m->touches.touch[m->met[k].start], !mover, p, of_y);
  place_on(&m->touches.touch[m->met[i].start], !side, p, of_z);
  if (prc_solid_dot(of_y, of_z) >= ALIKE || !isfinite(solid_of(spatial, z)->extent)) return -1;
  const double flush = flush_of(spatial, now, x, y, z), depth = depth_of(m, m->met[i].start, m->met[i].n);
  if (!(flush > 0.0) || !(depth > -flush)) return -1;
  *most = fmax(depth, 0.0) + 2.0 * flush;
  for (int f = 0; f < solid_of(spatial, y)->n_faces; f++) {
    const double s = prc_solid_in_front(solid_of(spatial, y), pose_of(spatial, y), f, solid_of(spatial, x),
                                        pose_of(spatial, x), n);
    if (prc_solid_dot(n, of_z) > ALIKE) return s >= flush - *most ? f : -1;
  }
  return -1;
}

static prc_status meet_second_time(prc_spatial *spatial, const prc_spatial_search *now, int k, int mover,
                                   int *changed, prc_error *err) {
  prc_spatial_meeting *m = &spatial->meeting;
  const int x = m->met[k].part[mover];
  double flush = 0.0, most = 0.0;
  for (int i = m->first_met[x]; i >= 0 && m->met[k].n > 0; i = m->met[i].next[m->met[i].part[1] == x]) {
    if (i == k || m->met[i].n == 0) continue;
    const int face = face_beside(spatial, now, k, mover, i, &most), start = m->touches.n;
    if (face < 0) continue;
    const prc_status status = meet_on(spatial, k, !mover, face, err);
    if (status != PRC_OK) return status;
    const int n = m->touches.n - start;
    if ((n > 0 && depth_of(m, start, n) <= most && count_seen(spatial, now, k, start, n, &flush) > 0)
        || n == 0) {
      replace(m, k, start, changed);
      return PRC_OK;
    }
    m->touches.n = start;
  }
  return PRC_OK;
}

/* How high pair k touches above Z, on which X stands: 0 unless the side of Y that it touches would be covered if that were flush, and is not by less than ten times what is. */
static double height_over(const prc_spatial *spatial, const prc_spatial_search *now, int k, int mover,
                          int z) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const prc_spatial_met *met = &m->met[k];
  const int x = met->part[mover], y = met->part[!mover];
  const double flush = flush_of(spatial, now, x, y, z);
  const double size = 2.0 * fmin(solid_of(spatial, y)->extent, solid_of(spatial, z)->extent);
  double height = 0.0, p[3], n[3];
  if (!(flush > 0.0)) return 0.0;
  for (int c = 0; c < met->n; c++) {
    const double near = flush + STEP * FLUSH * size;
    place_on(&m->touches.touch[met->start + c], !mover, p, n);
    if (!prc_solid_goes_on(solid_of(spatial, z), pose_of(spatial, z), p, n, near, PRC_SOLID_FEW_NORMALS))
      return 0.0;
    height = fmax(height, prc_solid_outside(solid_of(spatial, z), pose_of(spatial, z), p));
  }
  return height > flush ? height : 0.0;
}

/* Is what X touches of Y the side of a step that it may have been meant to slide over (prc_contact.step)? */
static void find_step(const prc_spatial *spatial, const prc_spatial_search *now, int k, int mover) {
  const prc_spatial_meeting *m = &spatial->meeting;
  prc_spatial_met *met = &spatial->meeting.met[k];
  const int x = met->part[mover], y = met->part[!mover];
  double of_y[3], of_z[3], p[3];
  if (!prc_solid_has_faces(solid_of(spatial, y)) || met->n == 0) return;
  place_on(&m->touches.touch[met->start], !mover, p, of_y);
  for (int i = m->first_met[x]; i >= 0; i = m->met[i].next[m->met[i].part[1] == x]) {
    const int side = m->met[i].part[1] == x, z = m->met[i].part[!side];
    if (i == k || m->met[i].n == 0 || !prc_solid_has_faces(solid_of(spatial, z))) continue;
    place_on(&m->touches.touch[m->met[i].start], !side, p, of_z);
    const double along = prc_solid_dot(of_y, of_z);
    if (along >= WALL || !may_cover(spatial, y, z)) continue;
    const double height = height_over(spatial, now, k, mover, z);
    if (height > met->step) met->step = height, met->step_turn = acos(fmax(along, -1.0));
  }
}

prc_status prc_spatial_mend_seams(prc_spatial *spatial, const prc_spatial_search *now, int *changed,
                                  prc_error *err) {
  prc_status status = PRC_OK;
  prc_spatial_meeting *m = &spatial->meeting;
  for (int second = 0; second < 2; second++)
    for (int k = 0; k < m->n_met; k++) {
      const prc_solid *a = solid_of(spatial, m->met[k].part[0]), *b = solid_of(spatial, m->met[k].part[1]);
      const int both = prc_solid_has_faces(a) && prc_solid_has_faces(b);
      if ((a->n < 2 && b->n < 2) || !isfinite(a->extent) || !isfinite(b->extent)) continue;
      if (!second) prc_try(uncover(spatial, now, k, changed, err));
      for (int mover = 0; second && both && mover < 2; mover++)
        prc_try(meet_second_time(spatial, now, k, mover, changed, err));
      for (int mover = 0; second && mover < 2; mover++) find_step(spatial, now, k, mover);
    }
done:
  return status;
}

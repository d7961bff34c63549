#include "config.h"
#include "rigid/internal.h"

#include <math.h>

/* Seams: where shapes lie flush with each other, as blocks of a floor or bricks of a course, the side of the next one is no side, as there is material behind it.
 *
 * Of two parts that touch, X and Y, all others Z that X touches too are asked what they cover of Y: then X and Y meet anew, and what is covered is no candidate (shape/covers.c).
 * Segments and what is rounded have no sides that cover each other: there a touch at the point p of Y with normal n is none where Z has material at p that goes on along n, as in space.
 * Where that is not all (a gap between Y and Z): if X stands on Z `depth` deep and is no deeper behind an edge of Y with the
 * same normal, it stands on that edge too, and not beside Y. So a step no higher than X is deep in what it stands on does not stop it; and what is deep by a step of time is less deep by a shorter one. */

#define FLUSH 1e-6   /* of the smaller of two: so far they may be off each other and be one surface */
#define MOST  0.01   /* of the smallest edge of the two, where they move */
#define ALIKE 0.9987 /* cos(0.05) */
#define STEP  9.0    /* of FLUSH: what is so much higher than flush may have been meant to be */
#define WALL  0.8776 /* cos(0.5) */

static const prc_shape *shape_of(const prc_rigid *rigid, int part) {
  return rigid->meeting.part[part];
}
static int has_edges(const prc_shape *shape) {
  return isfinite(shape->extent) && shape->n > 1;
}

/* A segment, a capsule, or a polygon that is rounded. */
static int is_slim(const prc_shape *shape) {
  return has_edges(shape) && (shape->n == 2 || shape->radius > 0.0);
}
int prc_rigid_any_slim(const prc_rigid *rigid) {
  const prc_rigid_meeting *m = &rigid->meeting;
  for (int k = 0; k < m->n_parts; k++)
    if (is_slim(m->part[k])) return 1;
  return 0;
}

/* A part that touches `mover`, where that stands in its own cell. */
typedef struct {
  int part, image;
} other;
static other other_of(const prc_rigid_met *met, int mover_side) {
  return (other){met->part[!mover_side], mover_side ? -met->image : met->image};
}
static prc_pose pose_of(const prc_rigid *rigid, other y) {
  return prc_rigid_part_pose(rigid, y.part, y.image);
}

static int rests(const prc_rigid *rigid, const prc_rigid_search *now, int body) {
  const double *v = now->v + 3 * body;
  return rigid->model->body[body].driven && !(v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0);
}

/* The velocity that what of a body is at x has. */
static void velocity_at(const prc_rigid *rigid, const prc_rigid_search *now, int body, const double x[2],
                        double out[2]) {
  const double *v = now->v + 3 * body, *origin = rigid->meeting.pose[body].x;
  out[0] = v[0] - v[2] * (x[1] - origin[1]), out[1] = v[1] + v[2] * (x[0] - origin[0]);
}
static double speed_between(const double a[2], const double b[2]) {
  return hypot(a[0] - b[0], a[1] - b[1]);
}

/* Speeds of three bodies against each other at the centre of the first: of X and Y, of X and Z, of Y and Z. */
typedef struct {
  double xy, xz, yz;
} speeds;
static speeds speeds_of(const prc_rigid *rigid, const prc_rigid_search *now, int x, int y, int z) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const double *at = m->pose[m->body[x]].x;
  double v[3][2];
  velocity_at(rigid, now, m->body[x], at, v[0]);
  velocity_at(rigid, now, m->body[y], at, v[1]);
  velocity_at(rigid, now, m->body[z], at, v[2]);
  return (speeds){speed_between(v[0], v[1]), speed_between(v[0], v[2]), speed_between(v[1], v[2])};
}

static int are_one(const prc_rigid *rigid, const prc_rigid_search *now, int y, int z) {
  const int a = rigid->meeting.body[y], b = rigid->meeting.body[z];
  return a == b || (rests(rigid, now, a) && rests(rigid, now, b));
}

/* Are Y and Z one ground to X? Of three that touch each other two are next to each other and the third is on both: that which goes most against the others. */
static int are_ground(const prc_rigid *rigid, const prc_rigid_search *now, int x, int y, int z) {
  if (are_one(rigid, now, y, z)) return 1;
  const speeds u = speeds_of(rigid, now, x, y, z);
  return u.yz < u.xy && u.yz < u.xz;
}

/* How far the surfaces of Y and Z may be off each other and still be one to X: a millionth of their size; of those that move against each other, where one of a step's
 * way is no more than another, what X goes in a step. */
static double flush_of(const prc_rigid *rigid, const prc_rigid_search *now, int x, int y, int z) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const prc_shape *a = m->part[y], *b = m->part[z];
  const double size = 2.0 * (isfinite(b->extent) ? fmin(a->extent, b->extent) : a->extent);
  if (are_one(rigid, now, y, z)) return FLUSH * size;
  const double edge = b->length > 0.0 ? fmin(a->length, b->length) : a->length;
  return FLUSH * size + fmin(now->h * speeds_of(rigid, now, x, y, z).xy, MOST * edge);
}

/* Next to each other: two of one body or two driven ones, which no search lists; else two that touch along edges. */
static int may_cover(const prc_rigid *rigid, other y, other z) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const int a = m->body[y.part], b = m->body[z.part];
  if (a == b && y.image == z.image) return 1;
  if (rigid->model->body[a].driven && rigid->model->body[b].driven) return 1;
  for (int k = m->first_met[y.part]; k >= 0;) {
    const prc_rigid_met *met = &m->met[k];
    const int side = met->part[1] == y.part && !(met->part[0] == y.part && met->image != 0);
    const other there = other_of(met, side);
    if (there.part == z.part && y.image + there.image == z.image)
      return met->found == 2 || is_slim(shape_of(rigid, y.part)) || is_slim(shape_of(rigid, z.part));
    k = met->next[met->part[1] == y.part];
  }
  return 0;
}

/* Parts of Y covered by all other parts that X touches, X being on the side `mover` of the pair k; their sum
 * goes into m->covers[!mover]. */
static prc_status find_covers(prc_rigid *rigid, const prc_rigid_search *now, int k, int mover,
                              prc_error *err) {
  prc_rigid_meeting *m = &rigid->meeting;
  const int x = m->met[k].part[mover];
  const other y = other_of(&m->met[k], mover);
  prc_shape_covers *covers = &m->covers[!mover];
  const prc_pose pose = pose_of(rigid, y);
  covers->n = 0;
  if (!has_edges(shape_of(rigid, y.part))) return PRC_OK;
  for (int i = m->first_met[x], side = 0; i >= 0; i = m->met[i].next[side]) {
    side = m->met[i].part[1] == x;
    const other z = other_of(&m->met[i], side);
    if (i == k || !has_edges(shape_of(rigid, z.part)) || !may_cover(rigid, y, z)
        || !are_ground(rigid, now, x, y.part, z.part))
      continue;
    const prc_pose there = pose_of(rigid, z);
    const double flush = flush_of(rigid, now, x, y.part, z.part);
    const int before = covers->n;
    covers->flush = covers->n > 0 ? fmax(covers->flush, flush) : flush;
    const prc_status status =
        prc_shape_add_covers(shape_of(rigid, y.part), &pose, shape_of(rigid, z.part), &there, covers, err);
    if (status != PRC_OK) return status;
    if (covers->n > before) m->met[k].flush = fmax(m->met[k].flush, flush);
  }
  return PRC_OK;
}

static int same_touches(const prc_rigid_meeting *m, int before, int n_before, int start, int n) {
  int same = n_before == n;
  for (int i = 0; same && i < n; i++) {
    const prc_shape_touch *a = &m->touches.touch[before + i], *b = &m->touches.touch[start + i];
    same = a->feature_a == b->feature_a && a->feature_b == b->feature_b;
  }
  return same;
}

/* The touches at the end of the list become those of the pair, where they are others. */
static void replace(prc_rigid_meeting *m, prc_rigid_met *met, int start, int *changed) {
  const int n = m->touches.n - start;
  if (same_touches(m, met->start, met->n, start, n)) {
    m->touches.n = start;
    return;
  }
  *changed += n > met->n ? n : met->n;
  met->start = start, met->n = n;
}

/* Where the touch of X, on the side `mover` of pair k, is on Y, and the normal out of Y, where X is in its own cell. */
static void place_on(const prc_rigid *rigid, int k, int mover, const prc_shape_touch *touch, double p[2],
                     double n[2]) {
  const prc_rigid_met *met = &rigid->meeting.met[k];
  const double *period = rigid->model->period, out = mover ? 1.0 : -1.0;
  for (int i = 0; i < 2; i++) {
    n[i] = out * touch->normal[i];
    p[i] = touch->place[i] - 0.5 * touch->gap * n[i] - (mover ? met->image * period[i] : 0.0);
  }
}

/* Of the touch of X, on the side `mover` of pair k, and Y: does Z go on where it is? *flush: how far the two may be off each other. */
static int is_led_on(const prc_rigid *rigid, const prc_rigid_search *now, int k, int mover,
                     const prc_shape_touch *touch, double *flush) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const int x = m->met[k].part[mover];
  const int of_edge = ((mover ? touch->feature_a : touch->feature_b) & PRC_SHAPE_EDGE) != 0;
  const int on_edge = ((mover ? touch->feature_b : touch->feature_a) & PRC_SHAPE_EDGE) != 0;
  const int normals = of_edge   ? PRC_SHAPE_ONE_NORMAL
                      : on_edge ? PRC_SHAPE_FEW_NORMALS
                                : PRC_SHAPE_MANY_NORMALS;
  const other y = other_of(&m->met[k], mover);
  double n[2], p[2];
  if (!has_edges(shape_of(rigid, y.part))) return 0;
  place_on(rigid, k, mover, touch, p, n);
  for (int i = m->first_met[x], side = 0; i >= 0; i = m->met[i].next[side]) {
    side = m->met[i].part[1] == x;
    const other z = other_of(&m->met[i], side);
    const int slim = is_slim(shape_of(rigid, y.part)) || is_slim(shape_of(rigid, z.part));
    if (i == k || !slim || !may_cover(rigid, y, z) || !are_ground(rigid, now, x, y.part, z.part)) continue;
    const double near = flush_of(rigid, now, x, y.part, z.part);
    const prc_pose pose = pose_of(rigid, z);
    *flush = fmax(*flush, near);
    if (prc_shape_goes_on(shape_of(rigid, z.part), &pose, p, n, near, normals)) return 1;
  }
  return 0;
}

/* Keeps the touches that no neighbour goes on at. */
static void drop_led_on(prc_rigid *rigid, const prc_rigid_search *now, int k, int *changed) {
  prc_rigid_meeting *m = &rigid->meeting;
  prc_rigid_met *met = &m->met[k];
  int kept = 0;
  for (int i = 0; i < met->n; i++) {
    const prc_shape_touch touch = m->touches.touch[met->start + i];
    if (is_led_on(rigid, now, k, 0, &touch, &met->flush) || is_led_on(rigid, now, k, 1, &touch, &met->flush))
      continue;
    m->touches.touch[met->start + kept++] = touch;
  }
  *changed += met->n - kept;
  met->n = kept;
}

/* Deepest of what the pair has; of none minus infinity. */
static double depth_of(const prc_rigid_meeting *m, const prc_rigid_met *met) {
  double depth = -INFINITY;
  for (int i = 0; i < met->n; i++) depth = fmax(depth, -m->touches.touch[met->start + i].gap);
  return depth;
}

/* Deepest of what the two have with others. */
static double depth_elsewhere(const prc_rigid_meeting *m, int k) {
  double depth = 0.0;
  for (int i = 0; i < 2; i++) {
    const int part = m->met[k].part[i];
    for (int l = m->first_met[part]; l >= 0; l = m->met[l].next[m->met[l].part[1] == part])
      if (l != k) depth = fmax(depth, depth_of(m, &m->met[l]));
  }
  return depth;
}

/* A touch deeper than the two stand in others is on their far sides. Then no feature is left to touch with,
 * and the touch stays as it was found. */
static prc_status meet_anew(prc_rigid *rigid, int k, int *changed, prc_error *err) {
  prc_rigid_meeting *m = &rigid->meeting;
  prc_rigid_met *met = &m->met[k];
  const prc_pose a = prc_rigid_part_pose(rigid, met->part[0], 0),
                 b = prc_rigid_part_pose(rigid, met->part[1], met->image);
  const prc_shape_covers *of[2];
  const int start = m->touches.n;
  for (int i = 0; i < 2; i++) of[i] = m->covers[i].n > 0 ? &m->covers[i] : NULL;
  const prc_status status =
      prc_shape_meet_covered(shape_of(rigid, met->part[0]), &a, of[0], shape_of(rigid, met->part[1]), &b,
                             of[1], met->reach, &m->touches, err);
  if (status != PRC_OK) return status;
  const prc_rigid_met now = {.start = start, .n = m->touches.n - start};
  if (depth_of(m, &now) > fmax(depth_of(m, met), depth_elsewhere(m, k)) + 2.0 * met->flush)
    m->touches.n = start;
  else
    replace(m, met, start, changed);
  return PRC_OK;
}

/* Does X stand on Z, the pair i, and so on an edge of Y, too? */
static int stands_on(prc_rigid *rigid, const prc_rigid_search *now, const prc_rigid_met *met, int mover,
                     const prc_rigid_met *ground, int side, prc_shape_touch touch[2], int *n) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const int x = met->part[mover];
  const other y = other_of(met, mover), z = other_of(ground, side);
  const double *of_y = m->touches.touch[met->start].normal, *of_z = m->touches.touch[ground->start].normal;
  const double turned = mover ? 1.0 : -1.0, sign = side ? 1.0 : -1.0; /* both normals towards X */
  const double normal[2] = {sign * of_z[0], sign * of_z[1]};
  if (turned * (of_y[0] * normal[0] + of_y[1] * normal[1]) >= ALIKE) return 0;
  const double depth = depth_of(m, ground), flush = flush_of(rigid, now, x, y.part, z.part);
  if (!(depth > -flush)) return 0;
  const prc_pose pose_x = prc_rigid_part_pose(rigid, x, 0), pose_y = pose_of(rigid, y);
  const prc_shape_covers *of_x = m->covers[mover].n > 0 ? &m->covers[mover] : NULL,
                         *covered = m->covers[!mover].n > 0 ? &m->covers[!mover] : NULL;
  return prc_shape_meet_again(shape_of(rigid, x), &pose_x, of_x, shape_of(rigid, y.part), &pose_y, covered,
                              normal, fmax(depth, 0.0), flush, met->reach, touch, n);
}

/* The touch of the features that X, on the side `mover`, and Y have, as the pair has it. */
static prc_shape_touch touch_of(const prc_rigid *rigid, const prc_rigid_met *met, int mover,
                                const prc_shape_touch *found) {
  const prc_pose a = prc_rigid_part_pose(rigid, met->part[0], 0),
                 b = prc_rigid_part_pose(rigid, met->part[1], met->image);
  prc_shape_touch touch = {.feature_a = mover ? found->feature_b : found->feature_a,
                           .feature_b = mover ? found->feature_a : found->feature_b};
  prc_shape_follow(shape_of(rigid, met->part[0]), &a, shape_of(rigid, met->part[1]), &b, &touch);
  return touch;
}

/* prc_shape_meet_again speaks of X first, and in the cell where X is. */
static prc_status meet_second_time(prc_rigid *rigid, const prc_rigid_search *now, int k, int mover,
                                   int *changed, prc_error *err) {
  prc_rigid_meeting *m = &rigid->meeting;
  const int x = m->met[k].part[mover];
  prc_shape_touch touch[2];
  int n = 0;
  for (int i = m->first_met[x], side = 0; i >= 0; i = m->met[i].next[side]) {
    side = m->met[i].part[1] == x;
    prc_rigid_met *met = &m->met[k];
    if (i == k || m->met[i].n == 0 || met->n == 0) continue;
    if (!are_ground(rigid, now, x, other_of(met, mover).part, other_of(&m->met[i], side).part)) continue;
    if (!stands_on(rigid, now, met, mover, &m->met[i], side, touch, &n)) continue;
    const int start = m->touches.n;
    const prc_status status = prc_grow((void *)&m->touches.touch, &m->touches.room, (size_t)start + 2,
                                       sizeof *m->touches.touch, err);
    if (status != PRC_OK) return status;
    for (int c = 0; c < n; c++) m->touches.touch[start + c] = touch_of(rigid, met, mover, &touch[c]);
    m->touches.n = start + n;
    replace(m, met, start, changed);
    return PRC_OK;
  }
  return PRC_OK;
}

/* How high pair k touches above Z, on which X stands: 0 unless the side of Y that it touches would be covered if that were flush, and is not by less than ten times what is. */
static double height_over(const prc_rigid *rigid, const prc_rigid_search *now, int k, int mover, other y,
                          other z) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const prc_rigid_met *met = &m->met[k];
  const double flush = flush_of(rigid, now, met->part[mover], y.part, z.part);
  const double size = 2.0 * fmin(shape_of(rigid, y.part)->extent, shape_of(rigid, z.part)->extent);
  const prc_pose pose = pose_of(rigid, z);
  double height = 0.0, p[2], n[2];
  for (int c = 0; c < met->n; c++) {
    const double near = flush + STEP * FLUSH * size;
    place_on(rigid, k, mover, &m->touches.touch[met->start + c], p, n);
    if (!prc_shape_goes_on(shape_of(rigid, z.part), &pose, p, n, near, PRC_SHAPE_FEW_NORMALS)) return 0.0;
    height = fmax(height, prc_shape_outside(shape_of(rigid, z.part), &pose, p));
  }
  return height > flush ? height : 0.0;
}

/* Is what X touches of Y the side of a step that it may have been meant to slide over (prc_contact.step)? */
static void find_step(const prc_rigid *rigid, const prc_rigid_search *now, int k, int mover) {
  const prc_rigid_meeting *m = &rigid->meeting;
  prc_rigid_met *met = &rigid->meeting.met[k];
  const int x = met->part[mover];
  const other y = other_of(met, mover);
  double of_y[2], of_z[2], p[2];
  if (!has_edges(shape_of(rigid, y.part)) || met->n == 0) return;
  place_on(rigid, k, mover, &m->touches.touch[met->start], p, of_y);
  for (int i = m->first_met[x], side = 0; i >= 0; i = m->met[i].next[side]) {
    side = m->met[i].part[1] == x;
    const other z = other_of(&m->met[i], side);
    if (i == k || m->met[i].n == 0 || !has_edges(shape_of(rigid, z.part))) continue;
    place_on(rigid, i, side, &m->touches.touch[m->met[i].start], p, of_z);
    const double along = of_y[0] * of_z[0] + of_y[1] * of_z[1];
    if (along >= WALL || !may_cover(rigid, y, z) || !are_ground(rigid, now, x, y.part, z.part)) continue;
    const double height = height_over(rigid, now, k, mover, y, z);
    if (height > met->step) met->step = height, met->step_turn = acos(fmax(along, -1.0));
  }
}

prc_status prc_rigid_mend_seams(prc_rigid *rigid, const prc_rigid_search *now, int *changed, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_meeting *m = &rigid->meeting;
  for (int second = 0; second < 2; second++)
    for (int k = 0; k < m->n_met; k++) {
      prc_rigid_met *met = &m->met[k];
      const prc_shape *a = shape_of(rigid, met->part[0]), *b = shape_of(rigid, met->part[1]);
      if (!isfinite(a->extent) || !isfinite(b->extent) || (a->n < 2 && b->n < 2)) continue;
      for (int mover = 0; mover < 2; mover++) prc_try(find_covers(rigid, now, k, mover, err));
      if (!second && m->covers[0].n + m->covers[1].n > 0) prc_try(meet_anew(rigid, k, changed, err));
      if (!second && m->any_slim) drop_led_on(rigid, now, k, changed);
      for (int mover = 0; second && mover < 2; mover++)
        if (a->n > 1 && b->n > 1) prc_try(meet_second_time(rigid, now, k, mover, changed, err));
      for (int mover = 0; second && mover < 2; mover++) find_step(rigid, now, k, mover);
    }
done:
  return status;
}

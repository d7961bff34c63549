#include "config.h"
#include "rigid/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Bodies that meet: which parts of which bodies touch, with their identities, gaps and H.
 *
 * A contact is two parts, a feature of each and the image of the cell: id = (planes + part a, planes + part b, feature a, feature b and
 * image). Where bodies and features stand in lists decides about the order of contacts and about nothing else. */

typedef prc_rigid_search search;

/* ---- a pair of parts ------------------------------------------------------------------------------------ */

prc_pose prc_rigid_part_pose(const prc_rigid *rigid, int part, int image) {
  const prc_rigid_meeting *m = &rigid->meeting;
  prc_pose pose = m->pose[m->body[part]];
  for (int k = 0; k < 2 && image != 0; k++) pose.x[k] += image * rigid->model->period[k];
  return pose;
}

void prc_rigid_place_bodies(prc_rigid *rigid, const double *q) {
  for (int b = 0; b < rigid->model->n_bodies; b++)
    rigid->meeting.pose[b] = prc_pose_at(q[3 * b], q[3 * b + 1], q[3 * b + 2]);
}

/* Of the smaller of the two. */
static double least_of(double a, double b) {
  return a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
}
static double size_of(const prc_rigid *rigid, int a, int b) {
  return least_of(rigid->size[a], rigid->size[b]);
}

/* Length whose hundredth bounds penetrations of parts a and b: the size of the smaller body, at most ten times
 * the width of the thinner part. A plate is through another long before it is a hundredth of its length behind
 * it. */
#define WIDTHS 10.0
static double compared_of(const prc_rigid *rigid, int a, int b) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const double size = size_of(rigid, m->body[a], m->body[b]);
  const double width = WIDTHS * least_of(m->part[a]->width, m->part[b]->width);
  return width > 0.0 ? fmin(size, width) : size;
}

/* The dofs of both; of a body that meets its own image its three. */
static int dofs_of(int a, int b, int dof[6]) {
  int n = 0;
  for (int k = 0; k < 3; k++) dof[n++] = 3 * a + k;
  for (int k = 0; k < 3 && b != a; k++) dof[n++] = 3 * b + k;
  return n;
}

/* |v| of body b at x. */
static double speed_at(const prc_rigid *rigid, const double *v, int b, const double x[2]) {
  const double *of = v + 3 * b, *origin = rigid->meeting.pose[b].x;
  return hypot(of[0] - of[2] * (x[1] - origin[1]), of[1] + of[2] * (x[0] - origin[0]));
}

/* Of part k, and of what moves with its body within `around` of x where it has no end: two parts come nearer by no more than the sum of
 * both. */
static double drift_of(const prc_rigid *rigid, const search *now, int part, const double x[2],
                       double around) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const int b = m->body[part], has_end = isfinite(m->part[part]->extent) != 0;
  const double *v = now->v + 3 * b, *origin = m->pose[b].x;
  const double arm[2] = {has_end ? 0.0 : x[0] - origin[0], has_end ? 0.0 : x[1] - origin[1]};
  const double speed = hypot(v[0] - v[2] * arm[1] - now->mean[0], v[1] + v[2] * arm[0] - now->mean[1]);
  return now->h * (speed + fabs(v[2]) * (has_end ? m->part[part]->extent : around));
}

/* How far from here the same place of contact may have been a step before. */
static double way_of(const prc_rigid *rigid, const search *now, int a, int b, const double place[2]) {
  const double way = now->h * (speed_at(rigid, now->v, a, place) + speed_at(rigid, now->v, b, place));
  return 2.0 * way + 1e-6 * size_of(rigid, a, b);
}

/* Lists parts a and b, b moved by the image, with their touches, where they come nearer by `drift` at most; where the sets name them the other way,
 * b pushes a. */
static prc_status meet_parts(prc_rigid *rigid, const search *now, int a, int b, int image, double drift,
                             prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_meeting *m = &rigid->meeting;
  int swapped = 0;
  const int k = prc_contact_sets_find(&m->sets, m->body[a], m->body[b], &swapped);
  if (k < 0) return PRC_OK;
  prc_rigid_met met = {.part = {swapped ? b : a, swapped ? a : b},
                       .image = swapped ? -image : image,
                       .set = k,
                       .start = m->touches.n,
                       .reach = now->reach + drift};
  const prc_pose pose_a = prc_rigid_part_pose(rigid, met.part[0], 0),
                 pose_b = prc_rigid_part_pose(rigid, met.part[1], met.image);
  prc_try(prc_shape_meet(m->part[met.part[0]], &pose_a, m->part[met.part[1]], &pose_b, met.reach, &m->touches,
                         err));
  met.n = met.found = m->touches.n - met.start;
  if (met.n == 0) return PRC_OK;
  prc_try(prc_grow((void *)&m->met, &m->room_met, (size_t)m->n_met + 1, sizeof *m->met, err));
  for (int i = 0; i < 2; i++) met.next[i] = m->first_met[met.part[i]];
  for (int i = 0; i < 2; i++) m->first_met[met.part[i]] = m->n_met;
  m->met[m->n_met++] = met;
done:
  return status;
}

static prc_status add_touches(prc_rigid *rigid, const search *now, const prc_rigid_met *met,
                              prc_contact_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_meeting *m = &rigid->meeting;
  int dof[6];
  const int planes = rigid->model->n_contacts, first = met->part[0], second = met->part[1];
  const int body_a = m->body[first], body_b = m->body[second];
  const int n_dof = dofs_of(body_a, body_b, dof);
  const double width = least_of(m->part[first]->width, m->part[second]->width);
  for (int i = 0; i < met->n; i++) {
    const prc_shape_touch *touch = &m->touches.touch[met->start + i];
    const prc_contact contact = {
        .id = {(uint32_t)(planes + first), (uint32_t)(planes + second), touch->feature_a,
               touch->feature_b | (uint32_t)(met->image + PRC_RIGID_IMAGE_ZERO) << 16},
        .group = planes + met->set,
        .body = {body_a, body_b},
        .n_dof = n_dof,
        .dof = dof,
        .law = &m->sets.law[met->set],
        .size = compared_of(rigid, first, second),
        .place = {touch->place[0], touch->place[1], 0.0},
        .way = way_of(rigid, now, body_a, body_b, touch->place),
        .width = width,
        .flush = met->flush,
        .step = met->step,
        .step_turn = met->step_turn,
        .stay = PRC_RIGID_STAY * compared_of(rigid, first, second),
    };
    prc_try(prc_contact_set_add(set, &contact, err));
  }
done:
  return status;
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

/* How far each part that ends somewhere may come, and boxes of them widened by that, so that two overlap where they may meet. */
static void place_boxes(prc_rigid *rigid, const search *now) {
  prc_rigid_meeting *m = &rigid->meeting;
  for (int i = 0; i < m->n_finite; i++) {
    const prc_pose pose = prc_rigid_part_pose(rigid, m->finite[i], 0);
    double *box = m->box + 4 * i;
    prc_shape_box(m->part[m->finite[i]], &pose, box);
    /* rounding of the box and of the sum must not lose a pair that just touches */
    const double largest = fmax(fmax(fabs(box[0]), fabs(box[2])), fmax(fabs(box[1]), fabs(box[3])));
    m->drift[m->finite[i]] = drift_of(rigid, now, m->finite[i], pose.x, 0.0);
    const double margin = 0.5 * now->reach + m->drift[m->finite[i]] + 16.0 * DBL_EPSILON * largest;
    for (int k = 0; k < 2; k++) box[k] -= margin, box[2 + k] += margin;
  }
}

static prc_status check_images(const prc_grid_pair *pair, prc_error *err) {
  if (pair->image < PRC_RIGID_IMAGE_ZERO && pair->image > -PRC_RIGID_IMAGE_ZERO) return PRC_OK;
  return prc_fail(err, PRC_DIVERGED,
                  "two bodies that meet are %d periods of the cell apart, expected fewer than %d",
                  pair->image, PRC_RIGID_IMAGE_ZERO);
}

static prc_status find_finite(prc_rigid *rigid, const search *now, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_meeting *m = &rigid->meeting;
  const prc_grid_boxes boxes = {.n = m->n_finite,
                                .box = m->box,
                                .still = m->still,
                                .period = {rigid->model->period[0], rigid->model->period[1]}};
  const prc_grid_pair *pair = NULL;
  int n = 0;
  prc_try(prc_grid_find(m->grid, &boxes, &pair, &n, err));
  for (int i = 0; i < n; i++) {
    const int a = m->finite[pair[i].i], b = m->finite[pair[i].j];
    if (m->body[a] == m->body[b] && pair[i].image == 0) continue;
    prc_try(check_images(&pair[i], err));
    prc_try(prc_rigid_watch(rigid, a, b, pair[i].image, err));
    prc_try(meet_parts(rigid, now, a, b, pair[i].image, m->drift[a] + m->drift[b], err));
  }
done:
  return status;
}

/* An unbounded part meets everything. It has no image of its own, as it is in every cell. */
static prc_status find_endless(prc_rigid *rigid, const search *now, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_meeting *m = &rigid->meeting;
  for (int i = 0; i < m->n_endless; i++)
    for (int k = 0; k < m->n_finite; k++) {
      const int a = m->endless[i], b = m->finite[k];
      const int still = rigid->model->body[m->body[a]].driven && m->still[k];
      if (still || m->body[a] == m->body[b]) continue;
      const double *x = m->pose[m->body[b]].x;
      prc_try(
          meet_parts(rigid, now, a, b, 0, m->drift[b] + drift_of(rigid, now, a, x, m->part[b]->extent), err));
    }
done:
  return status;
}

static void find_mean(const prc_rigid *rigid, search *now) {
  int n = 0;
  for (int b = 0; b < rigid->model->n_bodies; b++) {
    if (rigid->model->body[b].driven) continue;
    for (int k = 0; k < 2; k++) now->mean[k] += now->v[3 * b + k];
    n++;
  }
  for (int k = 0; k < 2 && n > 0; k++) now->mean[k] /= n;
}

prc_status prc_rigid_find_pairs(prc_rigid *rigid, const prc_at *at, double h, double reach,
                                prc_contact_set *set, prc_error *err) {
  search now = {.v = at->v, .h = h, .reach = reach};
  prc_rigid_meeting *m = &rigid->meeting;
  prc_status status = PRC_OK;
  int changed = 0;
  if (rigid->model->n_pairs == 0) return PRC_OK;
  for (int i = 0; i < 3 * rigid->model->n_bodies; i++)
    if (!isfinite(at->q[i]) || !isfinite(at->v[i]))
      return prc_fail(err, PRC_DIVERGED, "the place or the velocity of body '%s' is not finite",
                      rigid->model->body[i / 3].name);
  prc_rigid_place_bodies(rigid, at->q);
  find_mean(rigid, &now);
  place_boxes(rigid, &now);
  m->n_met = m->n_watched = m->touches.n = 0;
  for (int k = 0; k < m->n_parts; k++) m->first_met[k] = -1;
  prc_try(find_endless(rigid, &now, err));
  prc_try(find_finite(rigid, &now, err));
  prc_try(prc_rigid_mend_seams(rigid, &now, &changed, err));
  for (int k = 0; k < m->n_met; k++) prc_try(add_touches(rigid, &now, &m->met[k], set, err));
  set->n_mended += changed;
done:
  return status;
}

/* ---- H ---------------------------------------------------------------------------------------------------- */

/* u = D (v_b(x) - v_a(x)) with D = (n; t), t being n turned by -90 degrees, and v(x) = v_G + spin k x (x - G) of both at the same place
 * x, so that action and reaction are on one line: rows of d . (1, 0), d . (0, 1), d . k x r [1, 1, length]. */
static void directions_of(const prc_shape_touch *touch, const prc_pose *a, const prc_pose *b, int same,
                          double *H) {
  const double D[2][2] = {{touch->normal[0], touch->normal[1]}, {touch->normal[1], -touch->normal[0]}};
  const double r_a[2] = {touch->place[0] - a->x[0], touch->place[1] - a->x[1]};
  const double r_b[2] = {touch->place[0] - b->x[0], touch->place[1] - b->x[1]};
  for (int row = 0; row < 2; row++) {
    const double *d = D[row];
    const double of_a = d[1] * r_a[0] - d[0] * r_a[1], of_b = d[1] * r_b[0] - d[0] * r_b[1];
    if (same) {
      *H++ = 0.0, *H++ = 0.0, *H++ = of_b - of_a;
      continue;
    }
    *H++ = -d[0], *H++ = -d[1], *H++ = -of_a;
    *H++ = d[0], *H++ = d[1], *H++ = of_b;
  }
}

/* n, t and k x ... in space. */
static void frame_of(const prc_shape_touch *touch, double *frame, double *place) {
  const double n[2] = {touch->normal[0], touch->normal[1]};
  const double axes[9] = {n[0], n[1], 0.0, n[1], -n[0], 0.0, 0.0, 0.0, -1.0};
  memcpy(frame, axes, sizeof axes);
  place[0] = touch->place[0], place[1] = touch->place[1], place[2] = 0.0;
}

/* The contacts from `first` on. */
void prc_rigid_evaluate_pairs(prc_rigid *rigid, const prc_at *at, unsigned what, int first,
                              prc_contact_set *set) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const int before = set->first_surface + rigid->model->n_contacts;
  if (first < set->n) prc_rigid_place_bodies(rigid, at->q);
  for (int c = first; c < set->n; c++) {
    const prc_contact_id *id = &set->id[c];
    const int a = (int)id->a - before, b = (int)id->b - rigid->model->n_contacts;
    const int image = (int)(id->feature_b >> 16) - PRC_RIGID_IMAGE_ZERO;
    const prc_pose pose_a = prc_rigid_part_pose(rigid, a, 0), pose_b = prc_rigid_part_pose(rigid, b, image);
    prc_shape_touch touch = {.feature_a = (uint16_t)id->feature_a,
                             .feature_b = (uint16_t)(id->feature_b & 0xffff)};
    prc_shape_follow(m->part[a], &pose_a, m->part[b], &pose_b, &touch);
    if (what & PRC_EVALUATE_GAP) set->gap[c] = touch.gap;
    if (what & PRC_EVALUATE_H)
      directions_of(&touch, &pose_a, &pose_b, m->body[a] == m->body[b],
                    set->H.x + set->dim * (set->H.start[c] - set->H.start[0]));
    if (what & PRC_EVALUATE_PLACE) frame_of(&touch, set->frame + 9 * c, set->place + 3 * c);
  }
}

/* ---- making ------------------------------------------------------------------------------------------------ */

static prc_status list_parts(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = rigid->model;
  prc_rigid_meeting *m = &rigid->meeting;
  for (int b = 0; b < model->n_bodies; b++) m->n_parts += model->body[b].n_parts;
  const size_t n = (size_t)m->n_parts;
  prc_try(prc_new(&m->part, n, err));
  prc_try(prc_new(&m->body, n, err));
  prc_try(prc_new(&m->finite, n, err));
  prc_try(prc_new(&m->endless, n, err));
  prc_try(prc_new(&m->still, n, err));
  prc_try(prc_new(&m->box, 4 * n, err));
  prc_try(prc_new(&m->drift, n, err));
  prc_try(prc_new(&m->first_met, n, err));
  prc_try(prc_new(&m->pose, model->n_bodies, err));
  for (int b = 0, k = 0; b < model->n_bodies; b++)
    for (int i = 0; i < model->body[b].n_parts; i++, k++) {
      m->part[k] = &model->body[b].part[i], m->body[k] = b;
      if (isfinite(m->part[k]->extent))
        m->still[m->n_finite] = (char)(model->body[b].driven != 0), m->finite[m->n_finite++] = k;
      else
        m->endless[m->n_endless++] = k;
    }
done:
  return status;
}

static prc_status enter_pairs(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = rigid->model;
  prc_contact_sets *sets = &rigid->meeting.sets;
  prc_try(prc_contact_sets_create(model->n_bodies, model->n_pairs, sets, err));
  for (int k = 0; k < model->n_pairs; k++) {
    const prc_rigid_pairs *pairs = &model->pairs[k];
    const prc_law law =
        prc_law_or_coulomb(pairs->law, pairs->friction, pairs->restitution, pairs->restitution_tangential);
    prc_try(prc_contact_sets_enter(sets, k, pairs->name, pairs->n, pairs->body, law, err));
  }
done:
  return status;
}

enum { COVERS = 32 }; /* of a shape, that there is room for from the beginning on: rarely are there more */

prc_status prc_rigid_make_pairs(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_meeting *m = &rigid->meeting;
  if (rigid->model->n_pairs == 0) return PRC_OK;
  prc_try(list_parts(rigid, err));
  m->any_slim = prc_rigid_any_slim(rigid);
  prc_try(enter_pairs(rigid, err));
  prc_try(prc_grid_create(&m->grid, err));
  prc_try(prc_grow((void *)&m->way.touch, &m->way.room, 2, sizeof *m->way.touch, err));
  for (int i = 0; i < 2; i++)
    prc_try(
        prc_grow((void *)&m->covers[i].cover, &m->covers[i].room, COVERS, sizeof *m->covers[i].cover, err));
  rigid->system.passed = prc_rigid_passed;
  prc_try(prc_new(&m->touched, 3 * (size_t)rigid->model->n_bodies, err));
  memset(m->touched, 1, 3 * (size_t)rigid->model->n_bodies);
done:
  return status;
}

void prc_rigid_free_pairs(prc_rigid *rigid) {
  prc_rigid_meeting *m = &rigid->meeting;
  prc_grid_free(&m->grid);
  prc_delete(&m->part);
  prc_delete(&m->body);
  prc_delete(&m->finite);
  prc_delete(&m->endless);
  prc_delete(&m->still);
  prc_delete(&m->box);
  prc_delete(&m->drift);
  prc_delete(&m->pose);
  prc_contact_sets_free(&m->sets);
  prc_delete(&m->touched);
  prc_delete(&m->touches.touch);
  prc_delete(&m->met);
  prc_delete(&m->first_met);
  prc_delete(&m->watched);
  prc_delete(&m->way.touch);
  for (int i = 0; i < 2; i++) prc_delete(&m->covers[i].cover);
}

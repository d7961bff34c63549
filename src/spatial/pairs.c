#include "config.h"
#include "solid/internal.h"
#include "spatial/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Bodies that meet: which parts of which bodies touch, with their identities, gaps and H.
 *
 * A contact is two parts and a feature of each: id = (part a, part b, feature a, feature b), parts of all bodies counted through. Where bodies
 * and features stand in lists decides about the order of contacts and about nothing else. */

typedef prc_spatial_search search;
typedef prc_spatial_going motion;

static double length_of(const double x[3]) {
  return sqrt(prc_solid_dot(x, x));
}

/* ---- a pair of parts ------------------------------------------------------------------------------------ */

void prc_spatial_place_bodies(prc_spatial *spatial, const double *q) {
  for (int b = 0; b < spatial->model->n_bodies; b++)
    spatial->meeting.pose[b] = prc_spatial_pose(spatial, q, b);
}

/* Of the smaller of the two. */
static double least_of(double a, double b) {
  return a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
}

/* Length whose hundredth bounds penetrations of parts a and b: the size of the smaller body, at most ten times
 * the width of the thinner part. A plate is through another long before it is a hundredth of its length behind
 * it. */
#define WIDTHS 10.0
static double compared_of(const prc_spatial *spatial, int a, int b) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const double size = least_of(spatial->size[m->body[a]], spatial->size[m->body[b]]);
  const double width = WIDTHS * least_of(m->part[a]->width, m->part[b]->width);
  return width > 0.0 && isfinite(width) ? fmin(size, width) : size;
}

#define STAY                                                                                                 \
  1e-3 /* of that: how far one that pushed may gape and stay active, as contacts of what turns do */

/* The dofs of both. */
static int dofs_of(const prc_spatial *spatial, int a, int b, int dof[12]) {
  const int body[2] = {a, b};
  int n = 0;
  for (int i = 0; i < 2; i++) {
    const prc_spatial_facts *fact = &spatial->fact[body[i]];
    for (int k = 0; k < (fact->turn < 0 ? 3 : 6); k++) dof[n++] = fact->first + k;
  }
  return n;
}

/* w of body b in its axes of inertia; zeros where it does not turn */
static void spin_of(const prc_spatial *spatial, const double *v, int b, double w[3]) {
  const prc_spatial_facts *fact = &spatial->fact[b];
  for (int k = 0; k < 3; k++) w[k] = fact->turn < 0 ? 0.0 : v[fact->first + 3 + k];
}

/* From axes of inertia to fixed ones: R_given P'. */
void prc_spatial_to_fixed(const prc_spatial *spatial, int b, const double r[3], double out[3]) {
  const prc_spatial_facts *fact = &spatial->fact[b];
  double given[3] = {r[0], r[1], r[2]};
  if (!fact->aligned) prc_solid_turn(fact->P, r, given);
  prc_solid_turn(spatial->meeting.pose[b].R, given, out);
}
void prc_spatial_to_own(const prc_spatial *spatial, int b, const double x[3], double out[3]) {
  const prc_spatial_facts *fact = &spatial->fact[b];
  double given[3];
  prc_solid_turn_back(spatial->meeting.pose[b].R, x, given);
  if (fact->aligned)
    memcpy(out, given, sizeof given);
  else
    prc_solid_turn_back(fact->P, given, out);
}

motion prc_spatial_going_of(const prc_spatial *spatial, const double *v, int b, const double mean[3]) {
  const double *of = v + spatial->fact[b].first;
  motion now = {.x = spatial->meeting.pose[b].x, .v = {of[0] - mean[0], of[1] - mean[1], of[2] - mean[2]}};
  double own[3];
  spin_of(spatial, v, b, own);
  prc_spatial_to_fixed(spatial, b, own, now.w);
  now.turning = length_of(own);
  return now;
}
void prc_spatial_velocity_at(const motion *now, const double x[3], double v[3]) {
  const double arm[3] = {x[0] - now->x[0], x[1] - now->x[1], x[2] - now->x[2]};
  prc_solid_cross(now->w, arm, v);
  for (int k = 0; k < 3; k++) v[k] += now->v[k];
}
static double speed_at(const motion *now, const double x[3]) {
  double at[3];
  prc_spatial_velocity_at(now, x, at);
  return length_of(at);
}

/* Of part k, and of what moves with its body within `around` of x where it has no end: two parts come nearer by no more than the sum of
 * both. */
static double drift_of(const prc_spatial *spatial, const search *now, int part, const double x[3],
                       double around) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const int b = m->body[part], has_end = isfinite(m->part[part]->extent) != 0;
  const motion of = prc_spatial_going_of(spatial, now->v, b, now->mean);
  const double speed = speed_at(&of, has_end ? m->pose[b].x : x);
  return now->h * (speed + of.turning * (has_end ? m->part[part]->extent : around));
}

/* Two parts that end somewhere come nearer by their relative velocity, which in a crowd that moves alike is much less than what their boxes were
 * widened by. A quarter of that is left to what the step may make of it: who steps to gaps at its end need not ask again so often. */
static double drift_between(const prc_spatial *spatial, const search *now, int a, int b) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const double *v = now->v + spatial->fact[m->body[a]].first, *w = now->v + spatial->fact[m->body[b]].first;
  const double relative[3] = {w[0] - v[0], w[1] - v[1], w[2] - v[2]}, most = m->drift[a] + m->drift[b];
  double spin[2][3];
  spin_of(spatial, now->v, m->body[a], spin[0]);
  spin_of(spatial, now->v, m->body[b], spin[1]);
  const double turning = length_of(spin[0]) * m->part[a]->extent + length_of(spin[1]) * m->part[b]->extent;
  return fmin(most, now->h * (length_of(relative) + turning) + 0.25 * most);
}

/* How far from here the same place of contact may have been a step before: what moves with either body, what rolls or rocks over it, and a
 * thousandth of what touches, as corners of faces that fit change places by that. */
typedef struct {
  motion of[2];
  double h, size, least;
} pair_motion;
static pair_motion pair_of(const prc_spatial *spatial, const search *now, int a, int b) {
  static const double rest[3] = {0.0};
  const prc_spatial_meeting *m = &spatial->meeting;
  const int body[2] = {m->body[a], m->body[b]};
  return (pair_motion){{prc_spatial_going_of(spatial, now->v, body[0], rest),
                        prc_spatial_going_of(spatial, now->v, body[1], rest)},
                       now->h,
                       least_of(spatial->size[body[0]], spatial->size[body[1]]),
                       1e-3 * least_of(m->part[a]->length, m->part[b]->length)};
}
static double way_of(const pair_motion *pair, const double place[3]) {
  double way = 0.0;
  for (int i = 0; i < 2; i++) way += 2.0 * speed_at(&pair->of[i], place) + pair->size * pair->of[i].turning;
  return pair->h * way + pair->least;
}

/* Lists parts a and b with their touches, where they come nearer by `drift` at most; where the sets name them the other way, b pushes a. */
static prc_status meet_parts(prc_spatial *spatial, const search *now, int a, int b, double drift,
                             prc_error *err) {
  prc_status status = PRC_OK;
  prc_spatial_meeting *m = &spatial->meeting;
  int swapped = 0;
  const int k = prc_contact_sets_find(&m->sets, m->body[a], m->body[b], &swapped);
  if (k < 0) return PRC_OK;
  prc_spatial_met met = {.part = {swapped ? b : a, swapped ? a : b},
                         .set = k,
                         .start = m->touches.n,
                         .reach = now->reach + drift};
  prc_try(prc_solid_meet(m->part[met.part[0]], &m->pose[m->body[met.part[0]]], m->part[met.part[1]],
                         &m->pose[m->body[met.part[1]]], met.reach, &m->touches, err));
  met.n = met.found = m->touches.n - met.start;
  if (met.n == 0) return PRC_OK;
  prc_try(prc_grow((void *)&m->met, &m->room_met, (size_t)m->n_met + 1, sizeof *m->met, err));
  for (int i = 0; i < 2; i++) met.next[i] = m->first_met[met.part[i]], m->first_met[met.part[i]] = m->n_met;
  m->met[m->n_met++] = met;
done:
  return status;
}

static prc_status add_touches(prc_spatial *spatial, const search *now, const prc_spatial_met *met,
                              prc_contact_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  prc_spatial_meeting *m = &spatial->meeting;
  int dof[12];
  const int first = met->part[0], second = met->part[1], body_a = m->body[first], body_b = m->body[second];
  if (met->n == 0) return PRC_OK;
  const int n_dof = dofs_of(spatial, body_a, body_b, dof);
  const double size = compared_of(spatial, first, second),
               width = least_of(m->part[first]->width, m->part[second]->width);
  const pair_motion pair = pair_of(spatial, now, first, second);
  for (int i = 0; i < met->n; i++) {
    const prc_solid_touch *touch = &m->touches.touch[met->start + i];
    const double *x = touch->place;
    const prc_contact contact = {
        .id = {(uint32_t)first, (uint32_t)second, touch->feature_a, touch->feature_b},
        .group = met->set,
        .body = {body_a, body_b},
        .n_dof = n_dof,
        .dof = dof,
        .law = &m->sets.law[met->set],
        .size = size,
        .place = {x[0], x[1], x[2]},
        .normal = {touch->normal[0], touch->normal[1], touch->normal[2]},
        .way = way_of(&pair, x),
        .stay = STAY * size,
        .width = isfinite(width) ? width : 0.0,
        .flush = met->flush,
        .step = met->step,
        .step_turn = met->step_turn,
    };
    prc_try(prc_contact_set_add(set, &contact, err));
  }
done:
  return status;
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

/* How far each part that ends somewhere may come, and boxes of them widened by that, so that two overlap where they may meet. */
static void place_boxes(prc_spatial *spatial, const search *now) {
  prc_spatial_meeting *m = &spatial->meeting;
  for (int i = 0; i < m->n_finite; i++) {
    const int part = m->finite[i];
    const prc_solid_pose *pose = &m->pose[m->body[part]];
    double *box = m->box + 6 * (size_t)i, largest = 0.0;
    prc_solid_box(m->part[part], pose, box);
    /* rounding of the box and of the sum must not lose a pair that just touches */
    for (int k = 0; k < 6; k++) largest = fmax(largest, fabs(box[k]));
    m->drift[part] = drift_of(spatial, now, part, pose->x, 0.0);
    const double margin = 0.5 * now->reach + m->drift[part] + 16.0 * DBL_EPSILON * largest;
    for (int k = 0; k < 3; k++) box[k] -= margin, box[3 + k] += margin;
  }
}

static prc_status find_finite(prc_spatial *spatial, const search *now, prc_error *err) {
  prc_status status = PRC_OK;
  prc_spatial_meeting *m = &spatial->meeting;
  const prc_grid_boxes boxes = {.n = m->n_finite, .in_space = 1, .box = m->box, .still = m->still};
  const prc_grid_pair *pair = NULL;
  int n = 0;
  prc_try(prc_grid_find(m->grid, &boxes, &pair, &n, err));
  for (int i = 0; i < n; i++) {
    const int a = m->finite[pair[i].i], b = m->finite[pair[i].j];
    if (m->body[a] == m->body[b]) continue;
    prc_try(prc_spatial_watch(spatial, a, b, err));
    prc_try(meet_parts(spatial, now, a, b, drift_between(spatial, now, a, b), err));
  }
done:
  return status;
}

/* An unbounded part meets everything: it is in every cell. */
static prc_status find_endless(prc_spatial *spatial, const search *now, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_spatial_meeting *m = &spatial->meeting;
  for (int i = 0; i < m->n_endless; i++)
    for (int k = 0; k < m->n_finite; k++) {
      const int a = m->endless[i], b = m->finite[k];
      const int still = spatial->model->body[m->body[a]].driven && m->still[k];
      if (still || m->body[a] == m->body[b]) continue;
      const double *x = m->pose[m->body[b]].x;
      const double drift = m->drift[b] + drift_of(spatial, now, a, x, m->part[b]->extent);
      prc_try(meet_parts(spatial, now, a, b, drift, err));
    }
done:
  return status;
}

static void find_mean(const prc_spatial *spatial, search *now) {
  int n = 0;
  for (int b = 0; b < spatial->model->n_bodies; b++) {
    if (spatial->model->body[b].driven) continue;
    for (int k = 0; k < 3; k++) now->mean[k] += now->v[spatial->fact[b].first + k];
    n++;
  }
  for (int k = 0; k < 3 && n > 0; k++) now->mean[k] /= n;
}

static prc_status check_state(const prc_spatial *spatial, const prc_at *at, prc_error *err) {
  for (int i = 0; i < spatial->nv + spatial->n_turning; i++) {
    if (isfinite(at->q[i]) && (i >= spatial->nv || isfinite(at->v[i]))) continue;
    if (i >= spatial->nv) return prc_fail(err, PRC_DIVERGED, "the attitude of a body in space is not finite");
    return prc_fail(err, PRC_DIVERGED, "the place or the velocity of body '%s' is not finite",
                    spatial->model->body[spatial->body_of_dof[i]].name);
  }
  return PRC_OK;
}

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *err) {
  prc_spatial *spatial = owner;
  search now = {.v = at->v, .h = h, .reach = reach};
  prc_spatial_meeting *m = &spatial->meeting;
  prc_status status = PRC_OK;
  int changed = 0;
  prc_try(check_state(spatial, at, err));
  prc_spatial_place_bodies(spatial, at->q);
  find_mean(spatial, &now);
  place_boxes(spatial, &now);
  m->n_met = m->n_watched = m->touches.n = 0;
  for (int k = 0; k < spatial->part_first[spatial->model->n_bodies]; k++) m->first_met[k] = -1;
  prc_try(find_endless(spatial, &now, err));
  prc_try(find_finite(spatial, &now, err));
  prc_try(prc_spatial_mend_seams(spatial, &now, &changed, err));
  for (int k = 0; k < m->n_met; k++) prc_try(add_touches(spatial, &now, &m->met[k], set, err));
  set->n_mended += changed;
done:
  return status;
}

/* ---- H ---------------------------------------------------------------------------------------------------- */

/* u = D (v_b(x) - v_a(x)), D by rows n, t1, t2, and v(x) = v_G + R (w x r) of both at the same place x, w and r = R'(x - x_G) in the body's
 * axes, so that action and reaction are on one line. d . R (w x r) = R'((x - x_G) x d) . w: rows of d [1] and R'((x - x_G) x d) [length]. The
 * row of drilling friction is length x n . R w. */
static void directions_of(const prc_spatial *spatial, const int body[2], const prc_solid_touch *touch,
                          const double frame[9], double drilling, int dim, double *H) {
  for (int row = 0; row < dim; row++)
    for (int i = 0; i < 2; i++) {
      const int b = body[i];
      const double *d = frame + 3 * (row % 3), sign = i == 0 ? -1.0 : 1.0;
      double arm[3], moment[3], own[3];
      for (int k = 0; k < 3; k++) {
        *H++ = row < 3 ? sign * d[k] : 0.0;
        arm[k] = touch->place[k] - spatial->meeting.pose[b].x[k];
      }
      if (spatial->fact[b].turn < 0) continue;
      prc_solid_cross(arm, d, moment);
      prc_spatial_to_own(spatial, b, row < 3 ? moment : d, own);
      for (int k = 0; k < 3; k++) *H++ = sign * (row < 3 ? own[k] : drilling * own[k]);
    }
}

/* 3 pi / 16 of the radius: what the moment of a patch that turns, under an elliptic pressure, is over mu p_N. */
double prc_spatial_drilling(const prc_spatial *spatial, const int body[2]) {
  static const double share = 3.0 * 3.14159265358979323846 / 16.0;
  const prc_spatial_meeting *m = &spatial->meeting;
  int swapped;
  const int k = m->drills ? prc_contact_sets_find(&m->sets, body[0], body[1], &swapped) : -1;
  return k < 0 ? 0.0 : share * spatial->model->pairs[k].drilling;
}

static void evaluate_contact(prc_spatial *spatial, unsigned what, int c, prc_contact_set *set) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const prc_contact_id *id = &set->id[c];
  const int a = (int)id->a - set->first_surface, b = (int)id->b;
  const int body[2] = {m->body[a], m->body[b]};
  prc_solid_touch touch = {.feature_a = id->feature_a, .feature_b = id->feature_b};
  memcpy(touch.normal, set->normal + 3 * c, sizeof touch.normal);
  double frame[9];
  prc_solid_follow(m->part[a], &m->pose[body[0]], m->part[b], &m->pose[body[1]], &touch);
  if (what & PRC_EVALUATE_GAP) set->gap[c] = touch.gap;
  if ((what & (PRC_EVALUATE_H | PRC_EVALUATE_PLACE)) == 0) return;
  prc_contact_turn_frame(set->base + 9 * c, touch.normal, frame);
  if (what & PRC_EVALUATE_H) {
    directions_of(spatial, body, &touch, frame, prc_spatial_drilling(spatial, body), set->dim,
                  set->H.x + set->dim * (set->H.start[c] - set->H.start[0]));
    memcpy(set->axes + 9 * c, frame, sizeof frame);
  }
  if (what & PRC_EVALUATE_PLACE) {
    memcpy(set->frame + 9 * c, frame, sizeof frame);
    memcpy(set->place + 3 * c, touch.place, sizeof touch.place);
  }
}

static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  prc_spatial *spatial = owner;
  if (set->n > 0) prc_spatial_place_bodies(spatial, at->q);
  for (int c = 0; c < set->n; c++) evaluate_contact(spatial, what, c, set);
}

/* ---- making ------------------------------------------------------------------------------------------------ */

static prc_status list_parts(prc_spatial *spatial, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_spatial_model *model = spatial->model;
  prc_spatial_meeting *m = &spatial->meeting;
  const size_t n = (size_t)spatial->part_first[model->n_bodies];
  prc_try(prc_new(&m->part, n, err));
  prc_try(prc_new(&m->body, n, err));
  prc_try(prc_new(&m->finite, n, err));
  prc_try(prc_new(&m->endless, n, err));
  prc_try(prc_new(&m->still, n, err));
  prc_try(prc_new(&m->box, 6 * n, err));
  prc_try(prc_new(&m->drift, n, err));
  prc_try(prc_new(&m->first_met, n, err));
  prc_try(prc_new(&m->q_way, spatial->nv + spatial->n_turning, err));
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

static prc_status enter_pairs(prc_spatial *spatial, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_spatial_model *model = spatial->model;
  prc_spatial_meeting *m = &spatial->meeting;
  prc_try(prc_contact_sets_create(model->n_bodies, model->n_pairs, &m->sets, err));
  for (int k = 0; k < model->n_pairs; k++) {
    const prc_spatial_pairs *pairs = &model->pairs[k];
    const prc_law law =
        prc_law_or_coulomb(pairs->law, pairs->friction, pairs->restitution, pairs->restitution_tangential);
    prc_try(prc_contact_sets_enter(&m->sets, k, pairs->name, pairs->n, pairs->body, law, err));
    if (!(pairs->drilling >= 0.0) || !isfinite(pairs->drilling))
      return prc_fail(err, PRC_INPUT,
                      "contact '%s': the radius for drilling friction is %g, expected a number >= 0",
                      pairs->name, pairs->drilling);
    m->drills |= pairs->drilling > 0.0;
  }
done:
  return status;
}

/* Length by which a part is judged small: its thickness, or its length if it has no thickness. A short edge
 * does not make a stone small. */
static double size_of_part(const prc_solid *part) {
  return part->width > 0.0 && isfinite(part->width) ? part->width : part->length;
}

/* Contacts are of dimension 4 where one of them drills; the others' row is zero then. */
prc_status prc_spatial_make_pairs(prc_spatial *spatial, prc_error *err) {
  prc_status status = PRC_OK;
  prc_spatial_meeting *m = &spatial->meeting;
  prc_contacts *contacts = &spatial->system.contacts;
  if (spatial->model->n_pairs == 0) return PRC_OK;
  prc_try(list_parts(spatial, err));
  prc_try(enter_pairs(spatial, err));
  prc_try(prc_grid_create(&m->grid, err));
  prc_try(prc_new(&m->touched, spatial->nv, err));
  memset(m->touched, 1, (size_t)spatial->nv);
  *contacts = (prc_contacts){.dim = m->drills ? 4 : 3,
                             .varies = PRC_CONTACTS_H | PRC_CONTACTS_SET,
                             .n_laws = spatial->model->n_pairs,
                             .law = m->sets.laws,
                             .touched = m->touched,
                             .find = find,
                             .evaluate = evaluate,
                             .carry = prc_spatial_carry,
                             .slid = prc_spatial_slid};
  spatial->system.passed = prc_spatial_passed;
  for (int k = 0; k < spatial->part_first[spatial->model->n_bodies]; k++)
    contacts->size = least_of(contacts->size, size_of_part(m->part[k]));
done:
  return status;
}

void prc_spatial_free_pairs(prc_spatial *spatial) {
  prc_spatial_meeting *m = &spatial->meeting;
  prc_grid_free(&m->grid);
  prc_contact_sets_free(&m->sets);
  prc_solid_free_touches(&m->touches);
  prc_solid_free_touches(&m->way);
  prc_delete(&m->met);
  prc_delete(&m->first_met);
  prc_delete(&m->watched);
  prc_delete(&m->q_way);
  prc_delete(&m->part);
  prc_delete(&m->body);
  prc_delete(&m->finite);
  prc_delete(&m->endless);
  prc_delete(&m->still);
  prc_delete(&m->box);
  prc_delete(&m->drift);
  prc_delete(&m->pose);
  prc_delete(&m->touched);
}

#include "config.h"
#include "scene/internal.h"

#include <math.h>

/* Contacts of all bodies, one body after the other, and behind them those between bodies. */

/* ---- those between bodies --------------------------------------------------------------------------- */

/* Data of candidate i of a contact: gap, normal, the point where both touch, and rows of both there. */
typedef struct {
  double gap, normal[2], x[2];
  prc_body_rows of_surface, of_point;
} touch;

static prc_contact_surface surface_now(const prc_scene *scene, const prc_scene_contact *contact,
                                       const prc_at *at) {
  const prc_body *a = &scene->body[contact->surface_of];
  return a->kind->surface(a->self, at->q + a->first_coordinate, contact->surface_item, &contact->surface);
}

static void find_touch(const prc_scene *scene, const prc_scene_contact *contact,
                       const prc_contact_surface *now, int i, const prc_at *at, touch *out) {
  const prc_body *a = &scene->body[contact->surface_of], *b = &scene->body[contact->points_of];
  const double *q_a = at->q + a->first_coordinate, *q_b = at->q + b->first_coordinate;
  const prc_body_point on_surface = {.item = contact->surface_item};
  double centre[2];
  b->kind->place(b->self, q_b, &contact->point[i], centre);
  out->gap = now->gap(now, centre, out->normal) - contact->radius;
  for (int k = 0; k < 2; k++) out->x[k] = centre[k] - contact->radius * out->normal[k];
  a->kind->rows(a->self, q_a, &on_surface, out->x, &out->of_surface);
  b->kind->rows(b->self, q_b, &contact->point[i], out->x, &out->of_point);
}

/* H = D (J_b - J_a) with D = (n; t), t being n turned by -90 degrees, and both J at the same point of
 * space: action and reaction are on one line, so that no moment comes of them. */
static void write_rows(const touch *k, double *H) {
  const prc_body_rows *a = &k->of_surface, *b = &k->of_point;
  const double D[2][2] = {{k->normal[0], k->normal[1]}, {k->normal[1], -k->normal[0]}};
  for (int row = 0; row < 2; row++) {
    for (int d = 0; d < a->n; d++) *H++ = -(D[row][0] * a->J[0][d] + D[row][1] * a->J[1][d]);
    for (int d = 0; d < b->n; d++) *H++ = D[row][0] * b->J[0][d] + D[row][1] * b->J[1][d];
  }
}

void prc_scene_write_place(const double normal[2], const double x[2], double *frame, double *place) {
  const double n[2] = {normal[0], normal[1]};
  const double axes[9] = {n[0], n[1], 0.0, n[1], -n[0], 0.0, 0.0, 0.0, -1.0};
  for (int i = 0; i < 9; i++) frame[i] = axes[i];
  place[0] = x[0], place[1] = x[1], place[2] = 0.0;
}

static prc_status add_between(const prc_scene *scene, int k, const prc_at *at, prc_contact_set *set,
                              prc_error *err) {
  prc_status status = PRC_OK;
  const prc_scene_contact *contact = &scene->contact[k];
  const prc_body *a = &scene->body[contact->surface_of], *b = &scene->body[contact->points_of];
  const prc_contact_surface surface = surface_now(scene, contact, at);
  for (int i = 0; i < contact->n_points; i++) {
    const int item = b->first_item + contact->point[i].item;
    int dof[2 * PRC_BODY_DOFS], n = 0;
    touch now;
    find_touch(scene, contact, &surface, i, at, &now);
    for (int d = 0; d < now.of_surface.n; d++) dof[n++] = a->first_dof + now.of_surface.dof[d];
    for (int d = 0; d < now.of_point.n; d++) dof[n++] = b->first_dof + now.of_point.dof[d];
    const prc_contact one = {
        .id = {(uint32_t)(scene->first_surface + k), (uint32_t)item, 0, (uint32_t)contact->point[i].feature},
        .group = scene->first_group + k,
        .body = {a->first_item + contact->surface_item, item},
        .n_dof = n,
        .dof = dof,
        .law = &contact->law[i],
        .size = b->kind->size(b->self, contact->point[i].item)};
    prc_try(prc_contact_set_add(set, &one, err));
  }
done:
  return status;
}

/* Candidates of a contact stand in the set by their bodies and features. */
static int index_of(const prc_scene *scene, const prc_scene_contact *contact, const prc_contact_id *id,
                    int guess) {
  const int item = scene->body[contact->points_of].first_item;
  for (int i = 0; i < contact->n_points; i++) {
    const int k = (guess + i) % contact->n_points;
    const prc_body_point *point = &contact->point[k];
    if ((uint32_t)(item + point->item) == id->b && (uint32_t)point->feature == id->feature_b) return k;
  }
  return guess;
}

static void evaluate_between(const prc_scene *scene, int k, const prc_at *at, unsigned what,
                             prc_contact_set *set) {
  const prc_scene_contact *contact = &scene->contact[k];
  int first;
  const int n = prc_scene_places(set, (uint32_t)(scene->first_surface + k), &first);
  const prc_contact_surface surface = surface_now(scene, contact, at);
  for (int c = first; c < first + n; c++) {
    touch now;
    find_touch(scene, contact, &surface, index_of(scene, contact, &set->id[c], c - first), at, &now);
    if (what & PRC_EVALUATE_GAP) set->gap[c] = now.gap;
    if (what & PRC_EVALUATE_H) write_rows(&now, set->H.x + set->dim * set->H.start[c]);
    if (what & PRC_EVALUATE_PLACE)
      prc_scene_write_place(now.normal, now.x, set->frame + 9 * c, set->place + 3 * c);
  }
}

static int is_driven(const prc_scene *scene, int dof) {
  int low = 0, high = scene->system.drive.n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (scene->prescribed[middle] < dof)
      low = middle + 1;
    else
      high = middle;
  }
  return low < scene->system.drive.n && scene->prescribed[low] == dof;
}

/* A point and what moves with it, where a step begins: the centre that its body turns about, or itself, and from there the centre of its disc. */
typedef struct {
  double base[2], arm[2], spin;
} carried_point;

static carried_point point_of(const prc_scene *scene, const prc_scene_contact *contact, const touch *now,
                              const double *v) {
  const prc_body_rows *rows = &now->of_point;
  const prc_body *b = &scene->body[contact->points_of];
  carried_point out = {.spin = rows->turns ? v[b->first_dof + rows->dof[2]] : 0.0};
  for (int k = 0; k < 2; k++) {
    const double centre = now->x[k] + contact->radius * now->normal[k];
    out.base[k] = !rows->turns ? centre : k == 0 ? now->x[0] - rows->J[1][2] : now->x[1] + rows->J[0][2];
    out.arm[k] = centre - out.base[k];
  }
  return out;
}

/* Rows of a touch by what is carried (contact/carried.c), in place of those at one place. */
static void write_carried(const touch *k, const prc_contact_carried *carried, double *H) {
  touch turned = *k;
  for (int i = 0; i < 2; i++) {
    turned.normal[i] = carried->normal[i];
    turned.of_surface.J[i][2] = carried->of_obstacle[i];
    if (turned.of_point.turns) turned.of_point.J[i][2] = carried->of_body[i];
  }
  write_rows(&turned, H);
}

/* u without what chords make of it; of a rigid body beside a contact that stuck it is a turn about that. */
static void hold_point(const prc_scene *scene, const prc_scene_contact *contact, const prc_contact_step *step,
                       const prc_contact_surface *surface, const touch *now, const prc_contact_set *set,
                       int c, double *u) {
  const int turns = now->of_point.turns;
  const int stuck = turns                                       ? prc_contact_set_stuck(set, step->known, c)
                    : (step->known[c] & PRC_CONTACT_STUCK) != 0 ? c
                                                                : -1;
  if (stuck == c) u[1] = 0.0;
  if (stuck >= 0 && stuck != c) {
    touch other;
    const prc_at at = {0.0, step->q, step->v};
    find_touch(scene, contact, surface, index_of(scene, contact, &set->id[stuck], 0), &at, &other);
    const double spin = step->v[scene->body[contact->points_of].first_dof + now->of_point.dof[2]]
                        - step->v[scene->body[contact->surface_of].first_dof + now->of_surface.dof[2]];
    u[1] = -spin * (now->normal[0] * (now->x[0] - other.x[0]) + now->normal[1] * (now->x[1] - other.x[1]));
  }
  if (step->known[c] & PRC_CONTACT_PUSHED) u[0] = fmax(u[0], 0.0);
}

/* As rigid/carried.c of bodies that meet: the normal and the place are those of the centre of the step, seen from the obstacle. */
static void carry_point(const prc_scene *scene, const prc_scene_contact *contact,
                        const prc_contact_step *step, const prc_contact_surface *surface, const touch *now,
                        double turn, int known, const double *u, double *H) {
  const prc_body *a = &scene->body[contact->surface_of];
  const double *X = step->q + a->first_coordinate + now->of_surface.dof[0], *n = now->normal;
  const carried_point p = point_of(scene, contact, now, step->v);
  const double spin = p.spin - step->v[a->first_dof + now->of_surface.dof[2]], angle = step->ahead * spin;
  const double r[2] = {now->x[0] - p.base[0], now->x[1] - p.base[1]};
  const double u_n = (known & PRC_CONTACT_PUSHED) ? 0.0 : u[0];
  const double v[2] = {n[0] * u_n + n[1] * u[1] + spin * r[1], n[1] * u_n - n[0] * u[1] - spin * r[0]};
  const double arm[2] = {cos(angle) * p.arm[0] - sin(angle) * p.arm[1],
                         sin(angle) * p.arm[0] + cos(angle) * p.arm[1]};
  double centre[2], normal[2], from[2], way[2], at[2];
  for (int k = 0; k < 2; k++) centre[k] = p.base[k] + step->ahead * v[k] + arm[k];
  (void)surface->gap(surface, centre, normal);
  for (int k = 0; k < 2; k++) {
    from[k] = p.base[k] - X[k], way[k] = step->h * v[k];
    at[k] = arm[k] - contact->radius * normal[k];
  }
  prc_contact_carried carried;
  prc_contact_carry(turn, normal, at, from, way, &carried);
  write_carried(now, &carried, H);
}

static void carry_between(const prc_scene *scene, int k, const prc_contact_step *step, prc_contact_set *set) {
  const prc_scene_contact *contact = &scene->contact[k];
  const prc_at at = {0.0, step->q, step->v};
  const prc_contact_surface surface = surface_now(scene, contact, &at);
  const prc_body *a = &scene->body[contact->surface_of];
  int first;
  const int n = prc_scene_places(set, (uint32_t)(scene->first_surface + k), &first);
  for (int c = first; c < first + n; c++) {
    touch now;
    if (step->known[c] & PRC_CONTACT_FAR) continue;
    find_touch(scene, contact, &surface, index_of(scene, contact, &set->id[c], c - first), &at, &now);
    const int angle = a->first_dof + now.of_surface.dof[2];
    if (!is_driven(scene, angle) || step->dx[angle] == 0.0) return;
    double *u = step->u + set->dim * c;
    hold_point(scene, contact, step, &surface, &now, set, c, u);
    carry_point(scene, contact, step, &surface, &now, step->dx[angle], step->known[c], u,
                set->H.x + set->dim * set->H.start[c]);
  }
}

/* ---- those of the bodies themselves ----------------------------------------------------------------- */

static prc_status find_own(const prc_scene *scene, int b, const prc_at *at, double h, double reach,
                           prc_contact_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_body *body = &scene->body[b];
  const prc_system *own = scene->of[b];
  const prc_at here = {at->t, at->q + body->first_coordinate, at->v + body->first_dof};
  const int first = set->n, first_dof = first > 0 ? set->H.start[first] : 0;
  if (!own->contacts.find) return PRC_OK;
  prc_try(own->contacts.find(own->owner, &here, h, reach, set, err));
  for (int c = first; c < set->n; c++) {
    set->id[c].a += (uint32_t)body->first_surface;
    set->group[c] += body->first_group;
    for (int k = 0; k < 2; k++)
      if (set->body[2 * c + k] >= 0) set->body[2 * c + k] += body->first_item;
  }
  for (int d = first_dof; set->n > first && d < set->H.start[set->n]; d++) set->H.dof[d] += body->first_dof;
done:
  return status;
}

/* The contacts of one body are a window of the set, in the order that it knows; returns the first of them. */
static int window_of(const prc_scene *scene, int b, const prc_contact_set *set, prc_contact_set *out) {
  const prc_body *body = &scene->body[b];
  int first, end;
  (void)prc_scene_places(set, (uint32_t)body->first_surface, &first);
  (void)prc_scene_places(set, (uint32_t)(body->first_surface + body->kind->surfaces(body->self)), &end);
  prc_contact_set window = *set;
  window.n = end - first, window.first_surface = body->first_surface;
  window.id += first, window.group += first, window.body += 2 * first, window.law += first,
      window.size += first, window.way += first, window.stay += first, window.ramp += first;
  window.width += first, window.flush += first;
  window.H.n = window.n, window.H.start += first; /* into all of H.dof */
  window.H.x += set->dim * set->H.start[first];
  window.gap += first, window.frame += 9 * first, window.place += 3 * first;
  if (set->dim >= 3) window.axes += 9 * first, window.base += 9 * first;
  window.p += set->dim * first, window.state += PRC_LAW_STATE * first;
  *out = window;
  return first;
}

static void evaluate_own(const prc_scene *scene, int b, const prc_at *at, unsigned what,
                         prc_contact_set *set) {
  const prc_body *body = &scene->body[b];
  const prc_system *own = scene->of[b];
  const prc_at here = {at->t, at->q + body->first_coordinate, at->v + body->first_dof};
  prc_contact_set window;
  if (!own->contacts.find) return;
  (void)window_of(scene, b, set, &window);
  if (window.n > 0) own->contacts.evaluate(own->owner, &here, what, &window);
}

static void carry_own(const prc_scene *scene, int b, const prc_contact_step *step, prc_contact_set *set) {
  const prc_body *body = &scene->body[b];
  const prc_system *own = scene->of[b];
  prc_contact_set window;
  if (!own->contacts.carry) return;
  const int first = window_of(scene, b, set, &window);
  const prc_contact_step here = {.q = step->q + body->first_coordinate,
                                 .v = step->v + body->first_dof,
                                 .dx = step->dx + body->first_dof,
                                 .h = step->h,
                                 .ahead = step->ahead,
                                 .known = step->known + first,
                                 .u = step->u + set->dim * first};
  if (window.n > 0) own->contacts.carry(own->owner, &here, &window);
}

/* ---- all -------------------------------------------------------------------------------------------- */

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *err) {
  prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) prc_try(find_own(scene, b, at, h, reach, set, err));
  for (int k = 0; k < scene->n_contacts; k++) prc_try(add_between(scene, k, at, set, err));
  for (int k = 0; k < scene->n_sides; k++) prc_try(prc_scene_find_sides(scene, k, at, h, reach, set, err));
done:
  return status;
}

static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const prc_scene *scene = owner;
  for (int b = 0; b < scene->n_bodies; b++) evaluate_own(scene, b, at, what, set);
  for (int k = 0; k < scene->n_contacts; k++) evaluate_between(scene, k, at, what, set);
  for (int k = 0; k < scene->n_sides; k++) prc_scene_evaluate_sides(scene, k, at, what, set);
}

static void carry(void *owner, const prc_contact_step *step, prc_contact_set *set) {
  const prc_scene *scene = owner;
  for (int b = 0; b < scene->n_bodies; b++) carry_own(scene, b, step, set);
  for (int k = 0; k < scene->n_contacts; k++) carry_between(scene, k, step, set);
}

/* Of a point against a surface that a rigid body carries: the point by its own place, and its disc rolls. */
static void slid_between(const prc_scene *scene, int k, const double *q_old, const double *q,
                         const char *known, const prc_contact_set *set, double *slid) {
  const prc_scene_contact *contact = &scene->contact[k];
  const prc_at at = {0.0, q_old, q_old};
  const prc_contact_surface surface = surface_now(scene, contact, &at);
  const prc_body *a = &scene->body[contact->surface_of], *b = &scene->body[contact->points_of];
  int first;
  const int n = prc_scene_places(set, (uint32_t)(scene->first_surface + k), &first);
  for (int c = first; c < first + n; c++) {
    const double *row = set->H.x + set->dim * set->H.start[c] + (set->H.start[c + 1] - set->H.start[c]);
    const double t[2] = {-row[0], -row[1]};
    touch now;
    double from[2], to[2];
    if (!(known[c] & PRC_CONTACT_STUCK)) continue;
    const int i = index_of(scene, contact, &set->id[c], c - first);
    find_touch(scene, contact, &surface, i, &at, &now);
    b->kind->place(b->self, q_old + b->first_coordinate, &contact->point[i], from);
    b->kind->place(b->self, q + b->first_coordinate, &contact->point[i], to);
    const double *of_a[2] = {q_old + a->first_coordinate + now.of_surface.dof[0],
                             q + a->first_coordinate + now.of_surface.dof[0]};
    const double r[2] = {now.x[0] - of_a[0][0], now.x[1] - of_a[0][1]}, turn = of_a[1][2] - of_a[0][2];
    const double gone[2] = {of_a[1][0] - of_a[0][0] + (cos(turn) - 1.0) * r[0] - sin(turn) * r[1],
                            of_a[1][1] - of_a[0][1] + (cos(turn) - 1.0) * r[1] + sin(turn) * r[0]};
    const int angle = b->first_coordinate + now.of_point.dof[2];
    const double rolled = now.of_point.turns ? contact->radius * (q[angle] - q_old[angle]) : 0.0;
    slid[2 * c] = t[0] * (to[0] - from[0] - gone[0]) + t[1] * (to[1] - from[1] - gone[1])
                  - rolled * (t[1] * now.normal[0] - t[0] * now.normal[1]);
  }
}

static void slid(void *owner, const double *q_old, const double *q, const char *known,
                 const prc_contact_set *set, double *out) {
  const prc_scene *scene = owner;
  for (int c = 0; c < 2 * set->n; c++) out[c] = 0.0;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    const int from = scene->body[b].first_coordinate;
    prc_contact_set window;
    if (!own->contacts.slid) continue;
    const int first = window_of(scene, b, set, &window);
    if (window.n > 0)
      own->contacts.slid(own->owner, q_old + from, q + from, known + first, &window, out + 2 * first);
  }
  for (int k = 0; k < scene->n_contacts; k++) slid_between(scene, k, q_old, q, known, set, out);
}

static prc_status check_between(const prc_scene *scene, prc_error *err) {
  for (int k = 0; k < scene->n_contacts; k++) {
    const prc_scene_contact *c = &scene->contact[k];
    if (c->surface_of < 0 || c->surface_of >= scene->n_bodies || c->points_of < 0
        || c->points_of >= scene->n_bodies)
      return prc_fail(err, PRC_INPUT, "contact '%s': body %d pushes body %d, expected numbers below %d",
                      c->name, c->surface_of, c->points_of, scene->n_bodies);
    if (!scene->body[c->surface_of].kind->surface || !c->surface.gap)
      return prc_fail(err, PRC_INPUT, "contact '%s': a %s has no surface that others may touch", c->name,
                      scene->body[c->surface_of].kind->name);
    if (!(c->radius >= 0.0) || !isfinite(c->radius))
      return prc_fail(err, PRC_INPUT, "contact '%s': the radius is %g, expected a number >= 0", c->name,
                      c->radius);
    for (int i = 0; i < c->n_points; i++) {
      const prc_status status = prc_law_check(&c->law[i], err);
      if (status == PRC_OK) continue;
      prc_error_context(err, "contact '%s'", c->name);
      return status;
    }
  }
  return PRC_OK;
}

/* Which dofs contacts may touch: those of the contacts that are there at all times, and what bodies say whose contacts come and go. */
static prc_status mark_touched(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = &scene->system;
  prc_contact_set set = {0};
  double *q = NULL, *v = NULL;
  prc_try(prc_new(&scene->touched, s->space.nv, err));
  prc_try(prc_new(&q, prc_system_coordinates(s), err));
  prc_try(prc_new(&v, s->space.nv, err));
  prc_scene_initial(scene, q, v);
  prc_contact_set_begin(&set, s->contacts.dim);
  prc_try(find(scene, &(prc_at){0.0, q, v}, 0.0, 0.0, &set, err));
  for (int d = 0; set.n > 0 && d < set.H.start[set.n]; d++) scene->touched[set.H.dof[d]] = 1;
  prc_scene_touch_sides(scene, scene->touched);
  for (int b = 0; b < scene->n_bodies; b++) {
    const char *own = scene->of[b]->contacts.touched;
    for (int i = 0; own && i < scene->of[b]->space.nv; i++)
      scene->touched[scene->body[b].first_dof + i] |= own[i];
  }
done:
  prc_contact_set_free(&set);
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

static prc_status list_laws(prc_scene *scene, prc_error *err) {
  prc_contacts *contacts = &scene->system.contacts;
  for (int i = 0; i < scene->n_sides; i++) contacts->n_laws += scene->sides[i].chain->n_points;
  for (int b = 0; b < scene->n_bodies; b++) contacts->n_laws += scene->of[b]->contacts.n_laws;
  const prc_status status = prc_new(&scene->law, contacts->n_laws, err);
  int k = 0;
  for (int b = 0; status == PRC_OK && b < scene->n_bodies; b++)
    for (int i = 0; i < scene->of[b]->contacts.n_laws; i++) scene->law[k++] = scene->of[b]->contacts.law[i];
  for (int i = 0; status == PRC_OK && i < scene->n_sides; i++)
    for (int j = 0; j < scene->sides[i].chain->n_points; j++) scene->law[k++] = &scene->sides[i].law[j];
  contacts->law = scene->law;
  return status;
}

/* Bodies' own contacts have one dimension, which is that of the scene. */
static prc_status join_contacts(prc_scene *scene, prc_error *err) {
  prc_contacts *contacts = &scene->system.contacts;
  *contacts = (prc_contacts){.find = find, .evaluate = evaluate, .carry = carry, .slid = slid};
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_contacts *own = &scene->of[b]->contacts;
    if (!own->find) continue;
    if (contacts->dim > 0 && own->dim != contacts->dim)
      return prc_fail(err, PRC_INPUT, "contacts of dimension %d and of dimension %d, expected one dimension",
                      contacts->dim, own->dim);
    contacts->dim = own->dim;
    contacts->varies |= own->varies, contacts->ramps |= own->ramps;
    if (own->size > 0.0 && !(contacts->size > 0.0 && contacts->size <= own->size)) contacts->size = own->size;
  }
  if (scene->n_contacts > 0) contacts->dim = 2, contacts->varies |= PRC_CONTACTS_H;
  if (scene->n_sides > 0) contacts->dim = 2, contacts->varies |= PRC_CONTACTS_H | PRC_CONTACTS_SET;
  if (contacts->dim == 0) *contacts = (prc_contacts){0};
  return PRC_OK;
}

prc_status prc_scene_make_contacts(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  prc_contacts *contacts = &scene->system.contacts;
  prc_try(check_between(scene, err));
  prc_try(join_contacts(scene, err));
  prc_try(list_laws(scene, err));
  if (contacts->varies & PRC_CONTACTS_SET) prc_try(mark_touched(scene, err));
  contacts->touched = scene->touched;
done:
  return status;
}

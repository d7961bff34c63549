#include "config.h"
#include "simulation/simulation.h"

#include <math.h>
#include <stdio.h>

/* Bodies that overlap at the start. */

/* Rounding of places as a table has them is forgiven: what is closed takes care of it in the first step. */
#define FORGIVEN 1e-6 /* of the size of the smaller body */

const prc_case_contact *prc_simulation_contact_of(const prc_simulation_parts *run, int c) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  return &run->c->contact_group[prc_model_contact_of(run->model, set, c)];
}

const prc_case_contact *prc_simulation_name_contact(const prc_simulation_parts *run, int c, char *text,
                                                    size_t size) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  const prc_case_contact *contact = prc_simulation_contact_of(run, c);
  int item;
  const prc_body *body = prc_view_body_of(run->model->scene, set->body[2 * c + 1], &item);
  if (contact->pairs || contact->shapes) {
    prc_simulation_name_pair(run, c, text, size);
    return contact;
  }
  body->kind->view->point_name(body->self, item, (int)set->id[c].feature_b, text, size);
  return contact;
}

static int is_pair(const prc_simulation_parts *run, int c) {
  const prc_case_contact *contact = prc_simulation_contact_of(run, c);
  return contact->pairs || contact->shapes;
}

/* Is contact c of the same two parts as the one before? In space parts have surfaces of their own. */
static int is_second(const prc_contact_set *set, int c) {
  const prc_contact_id *one = &set->id[c], *before = one - 1;
  return c > 0 && one->a == before->a && one->b == before->b
         && (set->dim > 2 || one->feature_b >> 16 == before->feature_b >> 16);
}

static int are_same(const prc_contact_set *set, int c, int d) {
  return set->body[2 * c] == set->body[2 * d] && set->body[2 * c + 1] == set->body[2 * d + 1];
}

/* Into the list, which is ordered by gaps; of two bodies only their deepest contact. */
static void insert(prc_overlaps *o, const prc_step_record *r, int c) {
  const prc_contact_set *set = r->contacts;
  int k = 0;
  for (int j = 0; j < o->n_worst; j++)
    if (are_same(set, o->worst[j], c)) {
      if (r->gap[o->worst[j]] <= r->gap[c]) return;
      for (o->n_worst--; j < o->n_worst; j++) o->worst[j] = o->worst[j + 1];
    }
  while (k < o->n_worst && r->gap[o->worst[k]] <= r->gap[c]) k++;
  if (k == PRC_OVERLAPS_NAMED) return;
  if (o->n_worst < PRC_OVERLAPS_NAMED) o->n_worst++;
  for (int j = o->n_worst - 1; j > k; j--) o->worst[j] = o->worst[j - 1];
  o->worst[k] = c;
}

/* Of the contacts between bodies that the case's contact `of` names; -1: all of them. */
prc_overlaps prc_simulation_find_overlaps(const prc_simulation_parts *run, int of) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const double tolerance = 1e-9 * run->model->system->length,
               closed = prc_stepper_options(run->stepper)->gap_tolerance;
  prc_overlaps o = {0};
  int touched = -1, deep = -1; /* the last pairs of parts that were counted */
  for (int c = 0, pair = -1; c < r->n_contacts; c++) {
    if (!is_second(r->contacts, c)) pair = c;
    if (!is_pair(run, c) || (of >= 0 && prc_simulation_contact_of(run, c) != &run->c->contact_group[of]))
      continue;
    if (r->gap[c] <= closed && touched != pair) o.n++, touched = pair;
    if (r->gap[c] >= -fmax(tolerance, FORGIVEN * r->contacts->size[c])) continue;
    if (deep != pair) o.n_deep++, deep = pair;
    insert(&o, r, c);
  }
  return o;
}

static const char *name_of(const prc_simulation_parts *run, int body) {
  int item;
  const prc_body *of = prc_view_body_of(run->model->scene, body, &item);
  return prc_view_item_name(of, item);
}

void prc_simulation_name_pair(const prc_simulation_parts *run, int c, char *text, size_t size) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  snprintf(text, size, "'%.80s' and '%.80s'", name_of(run, set->body[2 * c]),
           name_of(run, set->body[2 * c + 1]));
}

static prc_status refuse_overlaps(const prc_simulation_parts *run, const prc_overlaps *o, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  char list[640] = "";
  for (int k = 0; k < o->n_worst; k++) {
    char name[256];
    prc_simulation_name_pair(run, o->worst[k], name, sizeof name);
    prc_append(list, sizeof list, "%s%s by %.3g", k > 0 ? ", " : "", name, -r->gap[o->worst[k]]);
  }
  return prc_case_fail(run->c, &prc_simulation_contact_of(run, o->worst[0])->place, err,
                       "bodies overlap at the start, expected none deeper than 1e-6 of their size, or "
                       "contact.initial_overlap: allow; of %d the deepest: %s",
                       o->n_deep, list);
}

/* Of two curves of meshes, where they are deepest in each other. */
static prc_status refuse_interference(const prc_simulation_parts *run, const prc_case_contact *contact,
                                      const double *slack, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  char what[256];
  int deepest = -1;
  for (int c = 0; c < r->n_contacts; c++)
    if (prc_simulation_contact_of(run, c) == contact && !(slack && r->gap[c] >= -slack[c])
        && (deepest < 0 || r->gap[c] < r->gap[deepest]))
      deepest = c;
  (void)prc_simulation_name_contact(run, deepest, what, sizeof what);
  return prc_case_fail(run->c, &contact->place, err,
                       "the sides of '%s' overlap at the start, by %.3g at %s, expected a gap >= 0: what "
                       "fits by design has `gap: from-start`; "
                       "a press fit is `analysis: quasi-static` with an `interference` beside that, or with "
                       "`contact.initial_overlap: allow`, whose "
                       "first load step presses the two "
                       "apart, and a dynamic run may begin at its end (`initial.state: end_of`)",
                       contact->name, -r->gap[deepest], what);
}

/* A press fit by its interference, which load steps press apart. */
static int is_pressed(const prc_simulation_parts *run, int c) {
  const prc_case_contact *contact = prc_simulation_contact_of(run, c);
  return contact->interference > 0.0 && run->c->time.quasi_static;
}

static const prc_case_contact *contact_of_group(const prc_simulation_parts *run, int group) {
  return &run->c->contact_group[run->model->contact_of[group]];
}

/* By the whole outlines of bodies, where contacts do not look: corners beside the nodes that touch, discs between nodes. */
static prc_status refuse_outlines(const prc_simulation_parts *run, prc_error *err) {
  const prc_scene *scene = run->model->scene;
  const int strained = run->c->initial.kind == PRC_INITIAL_EQUILIBRIUM;
  if (run->c->initial.kind == PRC_INITIAL_CONTINUED) return PRC_OK;
  for (int k = 0; k < prc_scene_overlaps(scene); k++) {
    const prc_scene_overlap o = prc_scene_overlap_at(scene, k, prc_stepper_record(run->stepper)->q);
    char name[2][128];
    if (o.of_plane || o.depth <= (strained ? fmax(o.allowed, o.forgiven) : o.forgiven)) continue;
    for (int i = 0; i < 2; i++) prc_view_indicator_name(scene, o.body[i], name[i], sizeof name[i]);
    return prc_case_fail(
        run->c, &contact_of_group(run, o.group)->place, err,
        "%s and %s overlap at the start, by %.3g where contacts do not look (corners, and what is "
        "between the nodes or points that touch), expected no overlap, or "
        "contact.initial_overlap: allow",
        name[1], name[0], o.depth);
  }
  return PRC_OK;
}

#define GLUED 0.01 /* of a side: as much as steps may leave */

/* The equilibrium glues curves by the rows of the unstrained bodies: of curves that slide far the gaps of what is strained differ from those in second order. What did not
 * overlap unstrained may go in by so much, and the first steps push it out. */
static prc_status find_glued(const prc_simulation_parts *run, double **slack, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = run->model->system;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  prc_contact_set set = {0};
  double *q = NULL, *v = NULL;
  prc_try(prc_new(&q, prc_system_coordinates(system), err));
  prc_try(prc_new(&v, system->space.nv, err));
  prc_try(prc_new(slack, r->n_contacts, err));
  prc_scene_initial(run->model->scene, q, v);
  const prc_at unstrained = {0.0, q, v};
  prc_try(prc_system_find_contacts(system, &unstrained, 0.0, 0.0, &set, NULL, err));
  if (set.n > 0) system->contacts.evaluate(system->owner, &unstrained, PRC_EVALUATE_GAP, &set);
  for (int c = 0; c < r->n_contacts; c++) {
    const int before = prc_contact_set_place(&set, &r->contacts->id[c]);
    const int overlapped = before >= 0 && set.gap[before] < -1e-9 * system->length;
    if (prc_simulation_contact_of(run, c)->interface && !overlapped)
      (*slack)[c] = GLUED * r->contacts->size[c];
  }
done:
  prc_contact_set_free(&set);
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

static prc_status refuse_contacts(const prc_simulation_parts *run, const double *slack, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  for (int c = 0; c < r->n_contacts; c++) {
    char what[256];
    if (r->gap[c] >= -1e-9 * run->model->system->length || is_pair(run, c)) continue;
    if ((slack && r->gap[c] >= -slack[c]) || is_pressed(run, c)) continue;
    const prc_case_contact *contact = prc_simulation_name_contact(run, c, what, sizeof what);
    if (contact->interface) return refuse_interference(run, contact, slack, err);
    return prc_case_fail(
        run->c, &contact->place, err,
        "%s stands %.3g behind the plane of '%s' at the start, expected a gap >= 0 (the normal "
        "points from the obstacle into the body)",
        what, -r->gap[c], contact->name);
  }
  return PRC_OK;
}

/* A body behind its obstacle at the start would be thrown out at once: refused. (The end of another run is
 * allowed: steps catch contacts a little late.) */
prc_status prc_simulation_refuse_overlaps(const prc_simulation_parts *run, const double *slack,
                                          prc_error *err) {
  prc_status status = PRC_OK;
  const prc_overlaps o = prc_simulation_find_overlaps(run, -1);
  double *glued = NULL;
  if (run->c->initial.kind == PRC_INITIAL_END_OF || run->c->contact.overlap_allowed) return PRC_OK;
  if (o.n_deep > 0) return refuse_overlaps(run, &o, err);
  if (run->c->initial.kind == PRC_INITIAL_EQUILIBRIUM) prc_try(find_glued(run, &glued, err));
  prc_try(refuse_contacts(run, glued ? glued : slack, err));
  if (!slack) prc_try(refuse_outlines(run, err));
done:
  prc_delete(&glued);
  return status;
}

#include "config.h"
#include "scene/internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- the system's functions ------------------------------------------------------------------------- */

static prc_at at_body(const prc_scene *scene, int b, const prc_at *at) {
  const prc_body *body = &scene->body[b];
  return (prc_at){at->t, at->q + body->first_coordinate, at->v + body->first_dof};
}

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    double *own_F = F + scene->body[b].first_dof;
    const prc_at here = at_body(scene, b, at);
    if (own->dynamics.loads)
      prc_try(own->dynamics.loads(own->owner, &here, own_F, err));
    else
      for (int i = 0; i < own->space.nv; i++) own_F[i] = 0.0;
  }
done:
  return status;
}

static prc_status missed_loads(void *owner, const prc_at *at, prc_window *window, double *F, prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    double *own_F = F + scene->body[b].first_dof;
    const prc_at here = at_body(scene, b, at);
    if ((own->dynamics.varies & PRC_LOADS_IN_TIME) && own->dynamics.missed_loads)
      prc_try(own->dynamics.missed_loads(own->owner, &here, window, own_F, err));
    else
      for (int i = 0; i < own->space.nv; i++) own_F[i] = 0.0;
  }
done:
  return status;
}

static prc_status mean_loads(void *owner, double t, double h, double *F, prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    double *own_F = F + scene->body[b].first_dof;
    if (own->dynamics.mean_loads)
      prc_try(own->dynamics.mean_loads(own->owner, t, h, own_F, err));
    else if (own->dynamics.loads) /* they do not vary */
      prc_try(own->dynamics.loads(own->owner, &(prc_at){.t = t}, own_F, err));
    else
      for (int i = 0; i < own->space.nv; i++) own_F[i] = 0.0;
  }
done:
  return status;
}

static void advance(const void *owner, const double *q, const double *dx, double *q_next) {
  const prc_scene *scene = owner;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    const int first = scene->body[b].first_coordinate, dof = scene->body[b].first_dof;
    if (own->space.advance)
      own->space.advance(own->owner, q + first, dx + dof, q_next + first);
    else
      for (int i = 0; i < own->space.nv; i++) q_next[first + i] = q[first + i] + dx[dof + i];
  }
}

static double rotation(void *owner, const double *q) {
  const prc_scene *scene = owner;
  double largest = 0.0;
  for (int b = 0; b < scene->n_bodies; b++)
    if (scene->of[b]->rotation)
      largest =
          fmax(largest, scene->of[b]->rotation(scene->of[b]->owner, q + scene->body[b].first_coordinate));
  return largest;
}

/* Bodies judge their own states. The numbers of cells are those of the mesh, of which a scene has one. */
static void judge_states(void *owner, const prc_at *at, prc_indicator *indicator) {
  const prc_scene *scene = owner;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *of = scene->of[b];
    const prc_body *body = &scene->body[b];
    const prc_at own = {at->t, at->q + body->first_coordinate, at->v + body->first_dof};
    if (of->indicator) of->indicator(of->owner, &own, indicator);
  }
}

static void passed(void *owner, const double *q_old, const prc_at *end, prc_indicator *indicator) {
  const prc_scene *scene = owner;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *of = scene->of[b];
    const prc_body *body = &scene->body[b];
    const prc_at own = {end->t, end->q + body->first_coordinate, end->v + body->first_dof};
    const prc_indicator before = indicator[PRC_INDICATOR_overlap];
    if (of->passed) of->passed(of->owner, q_old + body->first_coordinate, &own, indicator);
    prc_indicator *now = &indicator[PRC_INDICATOR_overlap];
    if (of->passed && (now->a != before.a || now->b != before.b || now->value != before.value))
      now->a += body->first_item, now->b += body->first_item;
  }
}

int prc_scene_is_nonlinear(const prc_scene *scene) {
  unsigned varies = 0;
  for (int b = 0; b < scene->n_bodies; b++) varies |= scene->of[b]->dynamics.varies;
  return (varies & PRC_INTERNAL_NONLINEAR) != 0;
}

/* ---- making ----------------------------------------------------------------------------------------- */

/* Where all are rigid bodies in space. */
static prc_status number_velocities(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  int count = 0;
  for (int b = 0; b < scene->n_bodies; b++)
    if (!scene->of[b]->space.body) return PRC_OK;
  prc_try(prc_new(&scene->body_of_dof, scene->system.space.nv, err));
  for (int b = 0; b < scene->n_bodies; b++) {
    const int n = scene->of[b]->space.nv;
    for (int i = 0; i < n; i++)
      scene->body_of_dof[scene->body[b].first_dof + i] = count + scene->of[b]->space.body[i];
    if (n > 0) count += scene->of[b]->space.body[n - 1] + 1;
  }
  scene->system.space.body = scene->body_of_dof;
done:
  return status;
}

/* Marks of dofs that some bodies have, for all dofs: a member of prc_space. *out stays NULL where no body has any. */
static prc_status join_marks(const prc_scene *scene, size_t member, char **out, prc_error *err) {
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_space *space = &scene->of[b]->space;
    const char *own = *(const char *const *)((const char *)space + member);
    if (!own) continue;
    if (!*out) prc_try(prc_new(out, scene->system.space.nv, err));
    memcpy(*out + scene->body[b].first_dof, own, (size_t)space->nv);
  }
done:
  return status;
}

/* Dofs that move by the mean of the velocities, and dofs of what deforms. */
static prc_status mark_dofs(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(join_marks(scene, offsetof(prc_space, mean), &scene->mean, err));
  prc_try(join_marks(scene, offsetof(prc_space, deforms), &scene->deforms, err));
  scene->system.space.mean = scene->mean, scene->system.space.deforms = scene->deforms;
done:
  return status;
}

static void turn_back(const void *owner, const double *q, int dof, double x[3]) {
  const prc_scene *scene = owner;
  int b = scene->n_bodies - 1;
  while (scene->body[b].first_dof > dof) b--;
  const prc_system *own = scene->of[b];
  own->space.turn_back(own->owner, q + scene->body[b].first_coordinate, dof - scene->body[b].first_dof, x);
}

/* Spins of rigid bodies by their centres. */
static prc_status mark_centres(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  int any = 0;
  for (int b = 0; b < scene->n_bodies; b++) any |= scene->of[b]->space.centre != NULL;
  if (!any) return PRC_OK;
  prc_try(prc_new(&scene->centre, scene->system.space.nv, err));
  for (int b = 0; b < scene->n_bodies; b++)
    for (int i = 0; i < scene->of[b]->space.nv; i++) {
      const int first = scene->body[b].first_dof, *own = scene->of[b]->space.centre;
      scene->centre[first + i] = own && own[i] >= 0 ? first + own[i] : -1;
    }
  scene->system.space.centre = scene->centre;
  scene->system.space.turn_back = turn_back;
done:
  return status;
}

static void moment(void *owner, const double *q, const double *f, int what, const int *whole, double out[3],
                   double *size) {
  const prc_scene *scene = owner;
  double sizes = 0.0;
  for (int k = 0; k < 3; k++) out[k] = 0.0;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    const int first = scene->body[b].first_dof;
    double now[3], of = 0.0;
    if (!own->moment) continue;
    own->moment(own->owner, q + scene->body[b].first_coordinate, f + first, what, whole + first, now, &of);
    for (int k = 0; k < 3; k++) out[k] += now[k];
    sizes += of;
  }
  if (size) *size = sizes;
}

/* Rigid bodies that nothing ties, once joints are known: those between bodies tie to what deforms. */
static prc_status mark_wholes(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  prc_system *s = &scene->system;
  const int first = scene->n_joints > 0 ? scene->joint_start[scene->fact[0].first] : 0;
  int any = 0;
  for (int b = 0; b < scene->n_bodies; b++) any |= scene->of[b]->moment != NULL;
  if (!any) return PRC_OK;
  prc_try(prc_new(&scene->whole, s->space.nv, err));
  for (int b = 0; b < scene->n_bodies; b++)
    for (int i = 0, at = scene->body[b].first_dof; i < scene->of[b]->space.nv; i++) {
      const int *own = scene->of[b]->moment ? scene->of[b]->whole : NULL;
      scene->whole[at + i] = own && own[i] >= 0 ? at + own[i] : -1;
    }
  for (int k = first; scene->n_joints > 0 && k < scene->joint_start[s->joints.n]; k++) {
    const int tied = scene->whole[scene->joint_dof[k]];
    for (int i = 0; tied >= 0 && i < s->space.nv; i++)
      if (scene->whole[i] == tied) scene->whole[i] = -1;
  }
  s->moment = moment, s->whole = scene->whole;
done:
  return status;
}

static void number_bodies(prc_scene *scene) {
  prc_system *s = &scene->system;
  int nq = 0, items = 0, advances = 0;
  for (int b = 0; b < scene->n_bodies; b++) {
    prc_body *body = &scene->body[b];
    const prc_system *own = scene->of[b];
    body->first_dof = s->space.nv, body->first_coordinate = nq;
    body->first_item = items, body->first_surface = scene->first_surface;
    body->first_group = scene->first_group;
    s->space.nv += own->space.nv;
    nq += prc_system_coordinates(own);
    items += body->kind->items(body->self);
    scene->first_surface += body->kind->surfaces(body->self);
    scene->first_group += body->kind->groups(body->self);
    advances |= own->space.advance != NULL;
  }
  if (advances) s->space.nq = nq, s->space.advance = advance;
}

/* Where one body knows the means of its loads, the others know theirs or have loads that do not vary. */
static prc_status join_loads(prc_scene *scene, prc_error *err) {
  prc_dynamics *d = &scene->system.dynamics;
  const prc_body *without = NULL;
  d->loads = loads, d->missed_loads = missed_loads;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_dynamics *own = &scene->of[b]->dynamics;
    d->varies |= own->varies;
    if (own->mean_loads)
      d->mean_loads = mean_loads;
    else if (own->varies & (PRC_LOADS_IN_TIME | PRC_LOADS_OF_STATE))
      without = &scene->body[b];
  }
  if (!d->mean_loads || !without) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "body '%s' has loads that vary with t, expected constant ones beside integrals of forces",
                  without->name);
}

/* A potential of all is less than what one of them would need. */
static void add_energies(prc_system *s, const prc_system *own) {
  const double *const from[] = {&own->energy_strained, &own->energy_inverted};
  double *const to[] = {&s->energy_strained, &s->energy_inverted};
  for (int k = 0; k < 2; k++)
    if (*from[k] > 0.0 && !(*to[k] > 0.0 && *to[k] <= *from[k])) *to[k] = *from[k];
}

/* Scales are the largest of the bodies'; surfaces of others count as coordinates too. */
static prc_status set_scales(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  prc_system *s = &scene->system;
  double *q = NULL, *v = NULL;
  prc_try(prc_new(&q, prc_system_coordinates(s), err));
  prc_try(prc_new(&v, s->space.nv, err));
  prc_scene_initial(scene, q, v);
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    s->length = fmax(s->length, own->length);
    s->velocity = fmax(s->velocity, own->velocity);
    s->velocity_at_start |= own->velocity_at_start;
    if (own->rotation) s->rotation = rotation;
    if (own->indicator) s->indicator = judge_states;
    if (own->passed) s->passed = passed;
    add_energies(s, own);
  }
  for (int k = 0; k < scene->n_contacts; k++) {
    const prc_scene_contact *c = &scene->contact[k];
    const prc_body *a = &scene->body[c->surface_of];
    const prc_contact_surface now =
        a->kind->surface(a->self, q + a->first_coordinate, c->surface_item, &c->surface);
    s->length = fmax(s->length, hypot(now.point[0], now.point[1]) + now.radius);
  }
done:
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

static prc_status copy_model(const prc_scene_model *model, prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  scene->n_bodies = model->n_bodies, scene->n_contacts = model->n_contacts, scene->n_joints = model->n_joints;
  scene->max_penetration = model->max_penetration;
  if (model->n_bodies < 1) return prc_fail(err, PRC_INPUT, "a scene needs a body, there is none");
  prc_need(model->body, err);
  if (model->n_contacts > 0) prc_need(model->contact, err);
  for (int b = 0; b < model->n_bodies; b++) {
    prc_need(model->body[b].kind, err);
    prc_need(model->body[b].self, err);
  }
  prc_try(prc_new(&scene->body, model->n_bodies, err));
  prc_try(prc_new(&scene->of, model->n_bodies, err));
  prc_try(prc_new(&scene->contact, model->n_contacts, err));
  for (int b = 0; b < model->n_bodies; b++) {
    scene->body[b] =
        (prc_body){.kind = model->body[b].kind, .self = model->body[b].self, .name = model->body[b].name};
    scene->of[b] = scene->body[b].kind->system(scene->body[b].self);
  }
  prc_try(prc_new(&scene->joint, model->n_joints, err));
  prc_try(prc_new(&scene->fact, model->n_joints, err));
  for (int k = 0; k < model->n_contacts; k++) scene->contact[k] = model->contact[k];
  for (int k = 0; k < model->n_joints; k++) scene->joint[k] = model->joint[k];
done:
  return status;
}

static prc_status make_sides(prc_scene *scene, const prc_scene_model *model, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_space *space = &scene->system.space;
  double *q = NULL, *v = NULL;
  if (model->n_curves == 0) return PRC_OK;
  prc_try(prc_new(&q, prc_system_coordinates(&scene->system), err));
  prc_try(prc_new(&v, space->nv, err));
  prc_scene_initial(scene, q, v);
  status = prc_scene_make_sides(scene, model, q, err);
done:
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

prc_status prc_scene_create(const prc_scene_model *model, prc_scene **out, prc_error *err) {
  prc_need(model, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_scene *scene = NULL;
  prc_try(prc_new(&scene, 1, err));
  prc_try(copy_model(model, scene, err));
  if (scene->n_bodies == 1 && scene->n_contacts == 0 && model->n_curves == 0 && scene->n_joints == 0) {
    scene->first_surface = scene->body[0].kind->surfaces(scene->body[0].self);
    scene->first_group = scene->body[0].kind->groups(scene->body[0].self);
    scene->system = *scene->of[0];
  } else {
    scene->system.owner = scene;
    number_bodies(scene);
    prc_try(number_velocities(scene, err));
    prc_try(mark_dofs(scene, err));
    prc_try(mark_centres(scene, err));
    prc_try(prc_scene_make_matrices(scene, err));
    prc_try(join_loads(scene, err));
    prc_try(prc_scene_make_nonlinear(scene, err));
    prc_try(prc_scene_make_joints(scene, err));
    prc_try(mark_wholes(scene, err));
    prc_try(prc_scene_make_drive(scene, err));
    prc_try(make_sides(scene, model, err));
    prc_try(prc_scene_make_contacts(scene, err));
    prc_try(set_scales(scene, err));
  }
  prc_try(prc_scene_make_overlaps(scene, err));
  *out = scene, scene = NULL;
done:
  prc_scene_free(&scene);
  return status;
}

void prc_scene_free(prc_scene **out) {
  prc_scene *scene = *out;
  if (!scene) return;
  prc_scene_free_overlaps(scene);
  prc_scene_free_sides(scene);
  prc_delete(&scene->body);
  prc_delete(&scene->of);
  prc_delete(&scene->contact);
  prc_sym_free(&scene->M);
  prc_sym_free(&scene->K);
  prc_sym_free(&scene->C);
  prc_sym_free(&scene->C_boundary);
  prc_delete(&scene->prescribed);
  prc_delete(&scene->work);
  prc_delete(&scene->turn);
  prc_delete(&scene->like);
  prc_delete(&scene->touched);
  prc_delete(&scene->body_of_dof);
  prc_delete(&scene->mean);
  prc_delete(&scene->centre);
  prc_delete(&scene->whole);
  prc_delete(&scene->deforms);
  prc_delete(&scene->law);
  prc_delete(&scene->joint_start);
  prc_delete(&scene->joint_dof);
  prc_delete(&scene->joint_of_velocities);
  prc_delete(&scene->joint);
  prc_delete(&scene->fact);
  prc_delete(&scene->start);
  prc_scene_free_nonlinear(scene);
  prc_delete(out);
}

/* ---- what it is ------------------------------------------------------------------------------------- */

const prc_system *prc_scene_system(const prc_scene *scene) {
  return &scene->system;
}

int prc_scene_bodies(const prc_scene *scene, const prc_body **body) {
  *body = scene->body;
  return scene->n_bodies;
}

int prc_scene_contacts(const prc_scene *scene, const prc_scene_contact **contact) {
  *contact = scene->contact;
  return scene->n_contacts;
}

int prc_scene_joints(const prc_scene *scene, const prc_scene_joint **joint) {
  *joint = scene->joint;
  return scene->n_joints;
}

void prc_scene_initial(const prc_scene *scene, double *q, double *v) {
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_body *body = &scene->body[b];
    body->kind->initial(body->self, q + body->first_coordinate, v + body->first_dof);
  }
}

uint32_t prc_scene_surface(const prc_scene *scene, int body, int k) {
  return (uint32_t)((body < 0 ? scene->first_surface : scene->body[body].first_surface) + k);
}

int prc_scene_group(const prc_scene *scene, int body, int k) {
  return (body < 0 ? scene->first_group : scene->body[body].first_group) + k;
}

int prc_scene_groups(const prc_scene *scene) {
  return scene->first_group + scene->n_contacts + scene->n_sides;
}

/* The first place whose surface is not below this one. */
static int first_place(const prc_contact_set *set, uint32_t surface) {
  int low = 0, high = set->n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (set->id[middle].a < surface)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int prc_scene_places(const prc_contact_set *set, uint32_t surface, int *first) {
  *first = first_place(set, surface);
  return first_place(set, surface + 1) - *first;
}

#include "config.h"
#include "rigid/internal.h"

#include <math.h>
#include <string.h>

/* out = R(angle) r = (c r_x - s r_y, s r_x + c r_y): counter-clockwise for a positive angle [rad]. out is not r. */
void prc_rigid_turn(double angle, const double r[2], double out[2]) {
  const double c = cos(angle), s = sin(angle);
  out[0] = c * r[0] - s * r[1];
  out[1] = s * r[0] + c * r[1];
}

/* ---- the system's functions ----------------------------------------------------------------------------- */

/* F of body b, dofs 3b, 3b+1, 3b+2: (m g + force, moment) [force, force, force x length], all at t. Forces act at the centre
 * of mass in fixed axes, so there is no term of the state; M is constant, so there is none of Coriolis either. */
/* window: NULL, or what is missed of all in it. */
static prc_status add_up(void *body, const prc_at *at, prc_window *window, double *F, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = ((const prc_rigid *)body)->model;
  double g[2];
  for (int k = 0; k < 2; k++) prc_try(prc_field_in(window, &model->gravity[k], 0.0, 0.0, at->t, &g[k], err));
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_rigid_body *rb = &model->body[b];
    for (int k = 0; k < 2; k++) {
      prc_try(prc_field_in(window, &rb->force[k], 0.0, 0.0, at->t, &F[3 * b + k], err));
      F[3 * b + k] += rb->mass * g[k];
    }
    prc_try(prc_field_in(window, &rb->moment, 0.0, 0.0, at->t, &F[3 * b + 2], err));
  }
done:
  return status;
}

static prc_status loads(void *body, const prc_at *at, double *F, prc_error *err) {
  return add_up(body, at, NULL, F, err);
}

/* [length] From the centre of mass to candidate c: R r for a point, -radius n for a disc. */
static void arm_of(const prc_rigid *rigid, const double *q, int c, double arm[2]) {
  const prc_rigid_contact *contact = &rigid->model->contact[rigid->contact_of[c]];
  if (contact->n_points > 0) {
    prc_rigid_turn(q[3 * contact->body + 2], rigid->r + 2 * c, arm);
    return;
  }
  for (int k = 0; k < 2; k++) arm[k] = -contact->radius * contact->plane.normal[k];
}

/* g = n . (x_G + arm - point of the plane) [length], exact however far the body turned; negative: penetrated. */
static double gap_of(const prc_rigid *rigid, const double *q, int c) {
  const prc_rigid_contact *contact = &rigid->model->contact[rigid->contact_of[c]];
  const double *g = q + 3 * contact->body;
  double arm[2];
  arm_of(rigid, q, c, arm);
  return prc_contact_plane_distance(&contact->plane, g[0] + arm[0], g[1] + arm[1]);
}

/* The point moves with v_G + spin k x arm, k out of the plane, so u = H v of its three dofs with the block
 *   H = (n, n . k x arm; t, t . k x arm),   d . k x arm = d_y arm_x - d_x arm_y,
 * 2 x 3 by rows, normal first; the third column is a length, by which u is a velocity. It follows q: dH/dt v is left to the
 * scheme, which takes H where the step begins. Of a disc arm = -radius n, and n . k x arm = 0: its spin does not close it. */
static void directions_of(const prc_rigid *rigid, const double *q, int c, double *H) {
  double arm[2], frame[4];
  arm_of(rigid, q, c, arm);
  prc_contact_plane_frame(&rigid->model->contact[rigid->contact_of[c]].plane, frame);
  for (int row = 0; row < 2; row++) {
    const double *d = frame + 2 * row;
    double *out = H + 3 * row;
    out[0] = d[0], out[1] = d[1];
    out[2] = d[1] * arm[0] - d[0] * arm[1];
  }
}

/* Where candidate c stands, and its n, t and k x ... in space. */
static void place_of(const prc_rigid *rigid, const double *q, int c, double *frame, double *place) {
  const prc_rigid_contact *contact = &rigid->model->contact[rigid->contact_of[c]];
  const double *n = contact->plane.normal;
  const double axes[9] = {n[0], n[1], 0.0, n[1], -n[0], 0.0, 0.0, 0.0, -1.0};
  double arm[2];
  arm_of(rigid, q, c, arm);
  memcpy(frame, axes, sizeof axes);
  for (int k = 0; k < 2; k++) place[k] = q[3 * contact->body + k] + arm[k];
  place[2] = 0.0;
}

/* Point c is the contact c of the set: both are in the order of contacts and points. Behind them stand those of bodies that meet. */
static void evaluate(void *body, const prc_at *at, unsigned what, prc_contact_set *set) {
  prc_rigid *rigid = body;
  const int n = rigid->contact_first[rigid->model->n_contacts];
  for (int c = 0; c < n; c++) {
    if (what & PRC_EVALUATE_GAP) set->gap[c] = gap_of(rigid, at->q, c);
    if (what & PRC_EVALUATE_H) directions_of(rigid, at->q, c, set->H.x + 6 * c);
    if (what & PRC_EVALUATE_PLACE) place_of(rigid, at->q, c, set->frame + 9 * c, set->place + 3 * c);
  }
  prc_rigid_evaluate_pairs(rigid, at, what, n, set);
}

static prc_status find(void *body, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *err) {
  prc_rigid *rigid = body;
  prc_status status = PRC_OK;
  for (int k = 0; k < rigid->model->n_contacts; k++)
    for (int c = rigid->contact_first[k]; c < rigid->contact_first[k + 1]; c++) {
      const int b = rigid->model->contact[k].body;
      const prc_contact contact = {
          .id = {(uint32_t)k, (uint32_t)b, 0, (uint32_t)(c - rigid->contact_first[k])},
          .group = k,
          .body = {-1, b},
          .n_dof = 3,
          .dof = (const int[]){3 * b, 3 * b + 1, 3 * b + 2},
          .law = &rigid->law[k],
          .size = rigid->size[b],
          .stay = PRC_RIGID_STAY * rigid->size[b]};
      prc_try(prc_contact_set_add(set, &contact, err));
    }
  prc_try(prc_rigid_find_pairs(rigid, at, h, reach, set, err));
done:
  return status;
}

/* ---- making ------------------------------------------------------------------------------------------------ */

static prc_status check_model(const prc_rigid_model *model, prc_error *err) {
  if (model->n_bodies > 0) prc_need(model->body, err);
  if (model->n_contacts > 0) prc_need(model->contact, err);
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_rigid_body *body = &model->body[b];
    if (body->driven && body->mass >= 0.0 && body->inertia >= 0.0 && isfinite(body->mass)
        && isfinite(body->inertia))
      continue;
    if (!(body->mass > 0.0) || !isfinite(body->mass))
      return prc_fail(err, PRC_INPUT, "body '%s': its mass is %g, expected a positive number", body->name,
                      body->mass);
    if (!(body->inertia > 0.0) || !isfinite(body->inertia))
      return prc_fail(err, PRC_INPUT, "body '%s': its inertia is %g, expected a positive number", body->name,
                      body->inertia);
  }
  for (int k = 0; k < model->n_contacts; k++) {
    const prc_rigid_contact *c = &model->contact[k];
    if (c->n_points == 0 && !(c->radius > 0.0))
      return prc_fail(err, PRC_INPUT, "contact '%s' has neither points nor a disc", c->name);
    const prc_law law = prc_law_or_coulomb(c->law, c->friction, c->restitution, c->restitution_tangential);
    const prc_status status = prc_law_check(&law, err);
    if (status != PRC_OK) {
      prc_error_context(err, "contact '%s'", c->name);
      return status;
    }
  }
  return PRC_OK;
}

/* M = diag(m, m, I) of each body, I about the centre of mass [mass, mass, mass x length^2]: with these coordinates it depends
 * on nothing, and no body is coupled with another. */
static prc_status make_mass(prc_rigid *rigid, prc_error *err) {
  const int n = 3 * rigid->model->n_bodies;
  const prc_status status = prc_sym_create(n, n, &rigid->M, err);
  for (int i = 0; status == PRC_OK && i < n; i++) {
    const prc_rigid_body *body = &rigid->model->body[i / 3];
    rigid->M->p[i + 1] = i + 1;
    rigid->M->i[i] = i;
    rigid->M->x[i] = i % 3 < 2 ? body->mass : body->inertia;
  }
  return status;
}

static prc_status find_centres(prc_rigid *rigid, prc_error *err) {
  const int n = 3 * rigid->model->n_bodies;
  const prc_status status = prc_new(&rigid->centre, n, err);
  for (int i = 0; status == PRC_OK && i < n; i++)
    rigid->centre[i] = i % 3 == 2 && !rigid->model->body[i / 3].driven ? i - 2 : -1;
  return status;
}

static prc_status make_candidates(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = rigid->model;
  prc_try(prc_new(&rigid->contact_first, (size_t)model->n_contacts + 1, err));
  for (int k = 0; k < model->n_contacts; k++) {
    const int count = model->contact[k].n_points;
    rigid->contact_first[k + 1] = rigid->contact_first[k] + (count > 0 ? count : 1);
  }
  const int n = rigid->contact_first[model->n_contacts];
  prc_try(prc_new(&rigid->contact_of, n, err));
  prc_try(prc_new(&rigid->r, 2 * (size_t)n, err));
  prc_try(prc_new(&rigid->law, model->n_contacts, err));
  for (int k = 0; k < model->n_contacts; k++) {
    const prc_rigid_contact *contact = &model->contact[k];
    rigid->law[k] = prc_law_or_coulomb(contact->law, contact->friction, contact->restitution,
                                       contact->restitution_tangential);
    for (int c = rigid->contact_first[k]; c < rigid->contact_first[k + 1]; c++) {
      rigid->contact_of[c] = k;
      if (contact->n_points > 0)
        memcpy(rigid->r + 2 * c, contact->point + 2 * (c - rigid->contact_first[k]), 2 * sizeof *rigid->r);
    }
  }
done:
  return status;
}

/* ---- the system ------------------------------------------------------------------------------------------------ */

/* The largest acceleration at the start that loads may give: gravity and forces, whatever they are later, and springs. */
static prc_status loads_at_start(const prc_rigid *rigid, double *acceleration, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = rigid->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  double *F = NULL, *f = NULL, *q = NULL;
  *acceleration = 0.0;
  prc_try(prc_new(&F, n, err));
  prc_try(prc_new(&f, n, err));
  prc_try(prc_new(&q, 2 * n, err));
  prc_rigid_initial(rigid, q, q + n);
  const prc_at start = {0.0, q, q + n};
  prc_try(loads((void *)rigid, &start, F, err));
  if (rigid->system.dynamics.internal)
    prc_try(rigid->system.dynamics.internal((void *)rigid, &start, f, NULL, err));
  for (int b = 0; b < model->n_bodies; b++)
    if (!model->body[b].driven)
      *acceleration =
          fmax(*acceleration, hypot(F[3 * b] - f[3 * b], F[3 * b + 1] - f[3 * b + 1]) / model->body[b].mass);
done:
  prc_delete(&F);
  prc_delete(&f);
  prc_delete(&q);
  return status;
}

/* The size of a body: twice the largest distance of its corners and of its contacts' points from the centre of mass. */
static prc_status set_sizes(prc_rigid *rigid, prc_error *err) {
  const prc_rigid_model *model = rigid->model;
  const prc_status status = prc_new(&rigid->size, model->n_bodies, err);
  if (status != PRC_OK) return status;
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_rigid_body *body = &model->body[b];
    double *radius = &rigid->size[b];
    *radius = body->radius;
    for (int k = 0; k < body->n_points; k++)
      *radius = fmax(*radius, hypot(body->point[2 * k], body->point[2 * k + 1]));
    for (int k = 0; k < body->n_parts; k++)
      if (isfinite(body->part[k].extent)) *radius = fmax(*radius, body->part[k].extent);
  }
  for (int c = 0; c < rigid->contact_first[model->n_contacts]; c++) {
    const prc_rigid_contact *contact = &model->contact[rigid->contact_of[c]];
    double *r = &rigid->size[contact->body];
    *r = fmax(*r, fmax(contact->radius, hypot(rigid->r[2 * c], rigid->r[2 * c + 1])));
  }
  for (int b = 0; b < model->n_bodies; b++) rigid->size[b] *= 2.0;
  return PRC_OK;
}

/* How far from the origin anything stands, and how fast it moves or falls over that length: scales for tolerances. Bodies
 * that begin at rest without loads have no velocity yet. */
static prc_status set_scales(prc_rigid *rigid, prc_error *err) {
  const prc_rigid_model *model = rigid->model;
  double length = 0.0, speed = 0.0, acceleration, size = 0.0;
  const prc_status status = loads_at_start(rigid, &acceleration, err);
  if (status != PRC_OK) return status;
  for (int c = 0; c < rigid->contact_first[model->n_contacts]; c++) {
    const prc_rigid_contact *contact = &model->contact[rigid->contact_of[c]];
    size = fmax(size, fmax(hypot(rigid->r[2 * c], rigid->r[2 * c + 1]), contact->radius));
    length = fmax(length, hypot(contact->plane.point[0], contact->plane.point[1]));
  }
  size = fmax(size, prc_rigid_largest_arm(rigid));
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_rigid_body *body = &model->body[b];
    length = fmax(length, hypot(body->position[0], body->position[1]));
    if (body->n_parts > 0) size = fmax(size, 0.5 * rigid->size[b]);
    speed = fmax(speed, hypot(body->velocity[0], body->velocity[1]) + fabs(body->spin) * size);
  }
  rigid->system.length = length + size;
  speed = fmax(speed, sqrt(acceleration * rigid->system.length));
  rigid->system.velocity = 100.0 * speed; /* as a wave speed is to an elastic body's motion */
  rigid->system.velocity_at_start = 1;
  return PRC_OK;
}

static int force_is_constant(const prc_rigid_model *model) {
  int varies = model->gravity[0].uses_time || model->gravity[1].uses_time;
  for (int b = 0; b < model->n_bodies; b++)
    varies |= model->body[b].force[0].uses_time || model->body[b].force[1].uses_time
              || model->body[b].moment.uses_time;
  return !varies;
}

/* ---- moments --------------------------------------------------------------------------------------------------------- */

/* The mean centre of the bodies that count, and of momenta their velocity. */
static void find_means(const prc_rigid *rigid, const double *q, const double *f, int what, const int *whole,
                       double X[2], double V[2]) {
  double mass = 0.0;
  X[0] = X[1] = V[0] = V[1] = 0.0;
  for (int b = 0; b < rigid->model->n_bodies; b++) {
    const double m = rigid->model->body[b].mass;
    if (whole[3 * b] < 0) continue;
    mass += m;
    for (int k = 0; k < 2; k++) X[k] += m * q[3 * b + k], V[k] += f[3 * b + k];
  }
  for (int k = 0; k < 2 && mass > 0.0; k++)
    X[k] /= mass, V[k] = what == PRC_MOMENT_OF_MOMENTA ? V[k] / mass : 0.0;
}

static void moment_of(void *owner, const double *q, const double *f, int what, const int *whole,
                      double moment[3], double *size) {
  const prc_rigid *rigid = owner;
  double X[2], V[2], sum = 0.0, sizes = 0.0;
  find_means(rigid, q, f, what, whole, X, V);
  for (int b = 0; b < rigid->model->n_bodies; b++) {
    const prc_rigid_body *body = &rigid->model->body[b];
    const double *x = q + 3 * b, *g = f + 3 * b, r[2] = {x[0] - X[0], x[1] - X[1]},
                 p[2] = {g[0] - body->mass * V[0], g[1] - body->mass * V[1]};
    if (whole[3 * b] < 0) continue;
    sum += x[0] * g[1] - x[1] * g[0] + g[2];
    sizes += fabs(g[2])
             + (what == PRC_MOMENT_OF_MOMENTA ? fabs(r[0] * p[1] - r[1] * p[0])
                                              : hypot(x[0], x[1]) * hypot(p[0], p[1]));
  }
  moment[0] = moment[1] = 0.0, moment[2] = sum;
  if (size) *size = sizes;
}

/* Is any body not tied? In a periodic cell images push, at other places. */
static int has_moment(const prc_rigid *rigid) {
  if (rigid->model->period[0] != 0.0 || rigid->model->period[1] != 0.0) return 0;
  for (int b = 0; b < rigid->model->n_bodies; b++)
    if (rigid->whole[3 * b] >= 0) return 1;
  return 0;
}

/* ---- presenting ------------------------------------------------------------------------------------------------------- */

static prc_status present(prc_rigid *rigid, prc_error *err) {
  prc_system *s = &rigid->system;
  s->space.nv = 3 * rigid->model->n_bodies, s->space.centre = rigid->centre;
  s->dynamics.M = rigid->M;
  s->dynamics.loads = loads, s->dynamics.missed_loads = add_up;
  if (!force_is_constant(rigid->model)) s->dynamics.varies |= PRC_LOADS_IN_TIME;
  if (rigid->model->n_contacts > 0 || rigid->model->n_pairs > 0)
    s->contacts = (prc_contacts){.dim = 2, .varies = PRC_CONTACTS_H, .find = find, .evaluate = evaluate};
  if (rigid->model->n_pairs > 0) {
    s->contacts.varies |= PRC_CONTACTS_SET;
    s->contacts.touched = rigid->meeting.touched, s->contacts.carry = prc_rigid_carry;
    s->contacts.slid = prc_rigid_slid;
    s->contacts.n_laws = rigid->model->n_pairs, s->contacts.law = rigid->meeting.sets.laws;
  }
  s->owner = rigid;
  if (has_moment(rigid)) s->moment = moment_of, s->whole = rigid->whole;
  const prc_status status = set_sizes(rigid, err);
  if (status != PRC_OK) return status;
  for (int b = 0; b < rigid->model->n_bodies && rigid->model->n_pairs > 0; b++)
    if (rigid->size[b] > 0.0 && !(s->contacts.size > 0.0 && s->contacts.size <= rigid->size[b]))
      s->contacts.size = rigid->size[b];
  return set_scales(rigid, err);
}

prc_status prc_rigid_create(const prc_rigid_model *model, prc_rigid **out, prc_error *err) {
  prc_need(model, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_rigid *rigid = NULL;
  prc_try(check_model(model, err));
  prc_try(prc_new(&rigid, 1, err));
  rigid->model = model;
  prc_try(make_mass(rigid, err));
  prc_try(find_centres(rigid, err));
  prc_try(make_candidates(rigid, err));
  prc_try(prc_rigid_make_means(rigid, err));
  prc_try(prc_rigid_make_drive(rigid, err));
  prc_try(prc_rigid_make_pairs(rigid, err));
  prc_try(prc_rigid_make_joints(rigid, err));
  prc_try(prc_rigid_make_springs(rigid, err));
  prc_try(prc_rigid_find_turns(rigid, err));
  prc_try(prc_rigid_make_outline(rigid, err));
  prc_try(present(rigid, err));
  *out = rigid, rigid = NULL;
done:
  prc_rigid_free(&rigid);
  return status;
}

void prc_rigid_free(prc_rigid **out) {
  prc_rigid *rigid = *out;
  if (!rigid) return;
  prc_rigid_free_pairs(rigid);
  prc_rigid_free_joints(rigid);
  prc_rigid_free_springs(rigid);
  prc_sym_free(&rigid->M);
  prc_delete(&rigid->contact_first);
  prc_delete(&rigid->contact_of);
  prc_delete(&rigid->r);
  prc_delete(&rigid->law);
  prc_delete(&rigid->size);
  prc_delete(&rigid->centre);
  prc_delete(&rigid->cayley);
  prc_delete(&rigid->whole);
  prc_delete(&rigid->driven);
  prc_delete(&rigid->driven_work);
  prc_delete(&rigid->driven_like);
  prc_rigid_free_outline(rigid);
  prc_delete(out);
}

const prc_system *prc_rigid_system(const prc_rigid *rigid) {
  return &rigid->system;
}
int prc_rigid_contact_first(const prc_rigid *rigid, int k) {
  return rigid->contact_first[k];
}

void prc_rigid_initial(const prc_rigid *rigid, double *q, double *v) {
  for (int b = 0; b < rigid->model->n_bodies; b++) {
    const prc_rigid_body *body = &rigid->model->body[b];
    for (int k = 0; k < 2; k++) q[3 * b + k] = body->position[k], v[3 * b + k] = body->velocity[k];
    q[3 * b + 2] = body->angle, v[3 * b + 2] = body->spin;
  }
}

int prc_rigid_count(const prc_rigid *rigid) {
  return rigid->model->n_bodies;
}
const prc_rigid_model *prc_rigid_get_model(const prc_rigid *rigid) {
  return rigid->model;
}

int prc_rigid_contact_count(const prc_rigid *rigid) {
  return rigid->model->n_contacts;
}
int prc_rigid_group_count(const prc_rigid *rigid) {
  return rigid->model->n_contacts + rigid->model->n_pairs;
}
int prc_rigid_surface_count(const prc_rigid *rigid) {
  return rigid->model->n_contacts + rigid->meeting.n_parts;
}
double prc_rigid_size(const prc_rigid *rigid, int b) {
  return rigid->size[b];
}

void prc_rigid_point(const prc_rigid *rigid, const double *q, int b, const double r[2], double x[2]) {
  (void)rigid;
  prc_rigid_turn(q[3 * b + 2], r, x);
  x[0] += q[3 * b], x[1] += q[3 * b + 1];
}

#include "config.h"
#include "spatial/links.h"
#include "spatial/outline.h"

#include <math.h>
#include <string.h>

/* ---- the model ------------------------------------------------------------------------------------------ */

static double length_of(const double x[3]) {
  return hypot(hypot(x[0], x[1]), x[2]);
}

static prc_status check_driven(const prc_spatial_body *body, prc_error *err) {
  if (!(body->mass >= 0.0) || !isfinite(body->mass))
    return prc_fail(err, PRC_INPUT, "its mass is %g, expected a number >= 0", body->mass);
  for (int k = 0; k < 6 && body->turns; k++)
    if (!isfinite(body->inertia[k]))
      return prc_fail(err, PRC_INPUT, "its inertia has %g, expected numbers", body->inertia[k]);
  const int moves = body->motion[3].uses_time || body->motion[3].constant != 0.0;
  if (body->turns && moves && !(length_of(body->axis) > 0.0 && isfinite(length_of(body->axis))))
    return prc_fail(err, PRC_INPUT, "it turns about (%g, %g, %g), expected a direction", body->axis[0],
                    body->axis[1], body->axis[2]);
  return PRC_OK;
}

static prc_status check_body(const prc_spatial_body *body, prc_error *err) {
  double square = 0.0;
  for (int k = 0; k < 4; k++) square += body->orientation[k] * body->orientation[k];
  if (!(fabs(square - 1.0) <= 1e-6))
    return prc_fail(err, PRC_INPUT, "its orientation (%g, %g, %g, %g) is no unit quaternion",
                    body->orientation[0], body->orientation[1], body->orientation[2], body->orientation[3]);
  for (int k = 0; k < 3; k++)
    if (!isfinite(body->position[k]) || !isfinite(body->velocity[k]) || !isfinite(body->spin[k]))
      return prc_fail(err, PRC_INPUT, "its position, velocity or spin is not finite");
  if (body->driven) return check_driven(body, err);
  if (!(body->mass > 0.0) || !isfinite(body->mass))
    return prc_fail(err, PRC_INPUT, "its mass is %g, expected a positive number", body->mass);
  return body->turns ? prc_spatial_check_inertia(body->inertia, err) : PRC_OK;
}

static prc_status check_model(const prc_spatial_model *model, prc_error *err) {
  if (model->n_bodies > 0) prc_need(model->body, err);
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_status status = check_body(&model->body[b], err);
    if (status == PRC_OK) continue;
    prc_error_context(err, "body '%s'", model->body[b].name);
    return status;
  }
  return PRC_OK;
}

/* ---- bodies --------------------------------------------------------------------------------------------- */

/* Axes of inertia, and the attitude of these at the start: R P, of the quaternions the product. */
static void set_axes(const prc_spatial_body *body, prc_spatial_facts *fact) {
  static const double none[4] = {1.0, 0.0, 0.0, 0.0};
  double R[9];
  memcpy(fact->axes, none, sizeof none);
  memcpy(fact->orientation, body->orientation, sizeof fact->orientation);
  prc_quaternion_normalize(fact->orientation);
  fact->aligned = 1;
  if (!body->turns) return;
  prc_spatial_principal_axes(body->inertia, fact->moments, fact->P);
  prc_quaternion_of_matrix(fact->P, fact->axes);
  for (int k = 0; k < 4; k++) fact->aligned &= fact->axes[k] == none[k];
  if (!fact->aligned) {
    prc_quaternion_product(fact->orientation, fact->axes, fact->orientation);
    prc_quaternion_normalize(fact->orientation);
  }
  const double length = length_of(body->axis);
  if (!body->driven || !(length > 0.0)) return;
  prc_quaternion_matrix(fact->orientation, R);
  prc_solid_turn_back(R, body->axis, fact->axis);
  for (int k = 0; k < 3; k++) fact->axis[k] /= length;
}

static prc_status make_bodies(prc_spatial *spatial, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_spatial_model *model = spatial->model;
  prc_try(prc_new(&spatial->fact, model->n_bodies, err));
  prc_try(prc_new(&spatial->size, model->n_bodies, err));
  prc_try(prc_new(&spatial->body_of_dof, 6 * (size_t)model->n_bodies, err));
  prc_try(prc_new(&spatial->mean, 6 * (size_t)model->n_bodies, err));
  prc_try(prc_new(&spatial->centre, 6 * (size_t)model->n_bodies, err));
  prc_try(prc_new(&spatial->part_first, (size_t)model->n_bodies + 1, err));
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_spatial_body *body = &model->body[b];
    prc_spatial_facts *fact = &spatial->fact[b];
    fact->first = spatial->nv;
    fact->turn = body->turns ? spatial->n_turning++ : -1;
    set_axes(body, fact);
    for (int k = 0; k < (body->turns ? 6 : 3); k++) {
      spatial->mean[spatial->nv] = k >= 3 && !body->driven;
      spatial->centre[spatial->nv] = k >= 3 && !body->driven ? fact->first : -1;
      spatial->body_of_dof[spatial->nv++] = b;
    }
    for (int k = 0; k < body->n_parts; k++)
      if (isfinite(body->part[k].extent))
        spatial->size[b] = fmax(spatial->size[b], 2.0 * body->part[k].extent);
    spatial->part_first[b + 1] = spatial->part_first[b] + body->n_parts;
  }
done:
  return status;
}

/* M = diag(m, m, m, J1, J2, J3) of each body: with spins in the axes of inertia it depends on nothing. */
static prc_status make_mass(prc_spatial *spatial, prc_error *err) {
  const int n = spatial->nv;
  const prc_status status = prc_sym_create(n, n, &spatial->M, err);
  for (int i = 0; status == PRC_OK && i < n; i++) {
    const int b = spatial->body_of_dof[i], k = i - spatial->fact[b].first;
    spatial->M->p[i + 1] = i + 1;
    spatial->M->i[i] = i;
    spatial->M->x[i] = k < 3 ? spatial->model->body[b].mass : spatial->fact[b].moments[k - 3];
  }
  return status;
}

/* ---- the system ----------------------------------------------------------------------------------------- */

/* The largest acceleration of a centre of mass at the start, by gravity and forces. */
static prc_status loads_at_start(const prc_spatial *spatial, double *acceleration, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_spatial_model *model = spatial->model;
  const size_t n = (size_t)spatial->nv;
  double *F = NULL, *q = NULL;
  *acceleration = 0.0;
  prc_try(prc_new(&F, n, err));
  prc_try(prc_new(&q, 2 * n + (size_t)spatial->n_turning, err));
  double *v = q + n + spatial->n_turning;
  prc_spatial_initial(spatial, q, v);
  prc_try(prc_spatial_loads((void *)spatial, &(prc_at){0.0, q, v}, F, err));
  for (int b = 0; b < model->n_bodies; b++)
    if (!model->body[b].driven)
      *acceleration = fmax(*acceleration, length_of(F + spatial->fact[b].first) / model->body[b].mass);
done:
  prc_delete(&F);
  prc_delete(&q);
  return status;
}

/* How far from the origin anything stands, and how fast it moves or falls over that length: scales for tolerances. */
static prc_status set_scales(prc_spatial *spatial, prc_error *err) {
  const prc_spatial_model *model = spatial->model;
  double length = 0.0, speed = 0.0, acceleration, size = 0.0;
  const prc_status status = loads_at_start(spatial, &acceleration, err);
  if (status != PRC_OK) return status;
  for (int b = 0; b < model->n_bodies; b++) size = fmax(size, 0.5 * spatial->size[b]);
  size = fmax(size, prc_spatial_largest_arm(spatial));
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_spatial_body *body = &model->body[b];
    length = fmax(length, length_of(body->position));
    speed = fmax(speed, length_of(body->velocity) + (body->turns ? length_of(body->spin) * size : 0.0));
  }
  spatial->system.length = length + size;
  speed = fmax(speed, sqrt(acceleration * spatial->system.length));
  spatial->system.velocity = 100.0 * speed; /* as a wave speed is to an elastic body's motion */
  spatial->system.velocity_at_start = 1;
  return PRC_OK;
}

static void present(prc_spatial *spatial) {
  prc_system *s = &spatial->system;
  s->space.nv = spatial->nv;
  s->space.body = spatial->body_of_dof;
  if (spatial->n_turning > 0) s->space.mean = spatial->mean, s->space.centre = spatial->centre;
  s->space.turn_back = prc_spatial_turn_back;
  s->space.nq = spatial->nv + spatial->n_turning;
  if (spatial->n_turning > 0) s->space.advance = prc_spatial_advance;
  s->dynamics.M = spatial->M;
  s->dynamics.loads = prc_spatial_loads, s->dynamics.missed_loads = prc_spatial_missed_loads;
  s->dynamics.varies = prc_spatial_loads_vary(spatial);
  s->owner = spatial;
}

prc_status prc_spatial_create(const prc_spatial_model *model, prc_spatial **out, prc_error *err) {
  prc_need(model, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_spatial *spatial = NULL;
  prc_try(check_model(model, err));
  prc_try(prc_new(&spatial, 1, err));
  spatial->model = model;
  prc_try(make_bodies(spatial, err));
  prc_try(make_mass(spatial, err));
  prc_try(prc_spatial_make_drive(spatial, err));
  prc_try(prc_spatial_make_pairs(spatial, err));
  prc_try(prc_spatial_make_outline(model, &spatial->outline, err));
  present(spatial);
  prc_try(prc_spatial_find_wholes(spatial, err));
  prc_try(prc_spatial_make_joints(spatial, err));
  prc_try(prc_spatial_make_springs(spatial, err));
  prc_try(set_scales(spatial, err));
  *out = spatial, spatial = NULL;
done:
  prc_spatial_free(&spatial);
  return status;
}

void prc_spatial_free(prc_spatial **out) {
  prc_spatial *spatial = *out;
  if (!spatial) return;
  prc_spatial_free_pairs(spatial);
  prc_spatial_free_outline(&spatial->outline);
  prc_spatial_free_joints(spatial);
  prc_spatial_free_springs(spatial);
  prc_sym_free(&spatial->M);
  prc_delete(&spatial->fact);
  prc_delete(&spatial->size);
  prc_delete(&spatial->body_of_dof);
  prc_delete(&spatial->mean);
  prc_delete(&spatial->centre);
  prc_delete(&spatial->whole);
  prc_delete(&spatial->part_first);
  prc_delete(&spatial->driven);
  prc_delete(&spatial->driven_work);
  prc_delete(&spatial->driven_turn);
  prc_delete(&spatial->driven_like);
  prc_delete(out);
}

const prc_system *prc_spatial_system(const prc_spatial *spatial) {
  return &spatial->system;
}
const prc_spatial_model *prc_spatial_get_model(const prc_spatial *spatial) {
  return spatial->model;
}
const prc_spatial_outline *prc_spatial_get_outline(const prc_spatial *spatial) {
  return &spatial->outline;
}
int prc_spatial_count(const prc_spatial *spatial) {
  return spatial->model->n_bodies;
}
double prc_spatial_size(const prc_spatial *spatial, int b) {
  return spatial->size[b];
}
int prc_spatial_first_dof(const prc_spatial *spatial, int b) {
  return spatial->fact[b].first;
}
int prc_spatial_turn(const prc_spatial *spatial, int b) {
  return spatial->fact[b].turn;
}
int prc_spatial_group_count(const prc_spatial *spatial) {
  return spatial->model->n_pairs;
}
int prc_spatial_surface_count(const prc_spatial *spatial) {
  return spatial->part_first[spatial->model->n_bodies];
}

int prc_spatial_body_of(const prc_spatial *spatial, uint32_t surface, int *part) {
  int low = 0, high = spatial->model->n_bodies - 1; /* the last whose parts begin at or before the surface */
  while (low < high) {
    const int middle = high - (high - low) / 2;
    if ((uint32_t)spatial->part_first[middle] <= surface)
      low = middle;
    else
      high = middle - 1;
  }
  if (part) *part = (int)surface - spatial->part_first[low];
  return low;
}

#include "config.h"
#include "beam/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The beam: its splines, its mass, and what it presents. */

/* ---- checks --------------------------------------------------------------------------------------------- */

static prc_status check_number(const prc_beam_model *model, const char *what, double value, prc_error *err) {
  if (value > 0.0 && isfinite(value)) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "beam '%s': %s is %g, expected a positive number", model->name, what,
                  value);
}

static prc_status check_model(const prc_beam_model *model, prc_error *err) {
  prc_status status = PRC_OK;
  if (model->degree < 2 || model->degree > PRC_BEAM_DEGREE)
    return prc_fail(err, PRC_INPUT, "beam '%s': its degree is %d, expected a number in [2, %d]", model->name,
                    model->degree, PRC_BEAM_DEGREE);
  if (model->n_elements < 1 || model->n_elements > 100000)
    return prc_fail(err, PRC_INPUT, "beam '%s': it has %d elements, expected a number in [1, 100000]",
                    model->name, model->n_elements);
  if (model->n_gauss != 0 && (model->n_gauss <= model->degree || model->n_gauss > PRC_BEAM_GAUSS))
    return prc_fail(err, PRC_INPUT,
                    "beam '%s': it has %d Gauss points an element, expected a number in [%d, %d]",
                    model->name, model->n_gauss, model->degree + 1, PRC_BEAM_GAUSS);
  prc_try(check_number(model, "EA", model->EA, err));
  prc_try(check_number(model, "EI", model->EI, err));
  prc_try(check_number(model, "its density", model->density, err));
  if (!(model->damping_mass >= 0.0 && model->damping_stiffness >= 0.0)
      || !isfinite(model->damping_mass + model->damping_stiffness))
    return prc_fail(err, PRC_INPUT, "beam '%s': its damping is %g and %g, expected numbers >= 0", model->name,
                    model->damping_mass, model->damping_stiffness);
  for (int i = 0; i < 2 * (model->n_elements + model->degree); i++)
    if (!isfinite(model->point[i]))
      return prc_fail(err, PRC_INPUT, "beam '%s': control point %d is not finite", model->name, i / 2 + 1);
done:
  return status;
}

static prc_status name_ends(prc_beam *beam, prc_error *err) {
  static const char *const end[] = {"start", "end"};
  const size_t size = strlen(beam->model->name) + sizeof ".start";
  prc_status status = PRC_OK;
  for (int k = 0; k < 2; k++) {
    prc_try(prc_new(&beam->end_name[k], size, err));
    snprintf(beam->end_name[k], size, "%s.%s", beam->model->name, end[k]);
  }
done:
  return status;
}

/* ---- making --------------------------------------------------------------------------------------------- */

static prc_status make_knots(prc_beam *beam, prc_error *err) {
  const int p = beam->model->degree, n = beam->model->n_elements;
  beam->n_points = n + p;
  const prc_status status = prc_new(&beam->knot, (size_t)beam->n_points + (size_t)p + 1, err);
  for (int i = 0; status == PRC_OK && i <= n + 2 * p; i++)
    beam->knot[i] = i <= p ? 0.0 : i >= n + p ? 1.0 : (double)(i - p) / n;
  return status;
}

/* Gauss points of all elements; the length and the centre of the unstrained line. */
static prc_status make_gauss(prc_beam *beam, prc_error *err) {
  const prc_beam_model *model = beam->model;
  const int n = model->n_elements, p = model->degree, per = model->n_gauss > 0 ? model->n_gauss : p + 3;
  double s[PRC_BEAM_GAUSS], weight[PRC_BEAM_GAUSS];
  beam->per_element = per, beam->n_gauss = n * per;
  const prc_status status = prc_new(&beam->gauss, beam->n_gauss, err);
  if (status != PRC_OK) return status;
  prc_beam_gauss_rule(per, s, weight);
  for (int i = 0; i < beam->n_gauss; i++) {
    const int element = i / per;
    prc_beam_gauss *g = &beam->gauss[i];
    double x[3][2];
    g->basis = prc_beam_splines(p, beam->knot, p + element, (element + s[i % per]) / n);
    for (int k = 0; k < 3; k++) prc_beam_sum(&g->basis, k, model->point, x[k]);
    g->J = hypot(x[1][0], x[1][1]);
    if (!(g->J > 0.0) || !isfinite(g->J))
      return prc_fail(err, PRC_INPUT, "beam '%s': its line stands still in element %d, expected points apart",
                      model->name, i / per + 1);
    g->weight = weight[i % per] / n * g->J;
    g->curvature = (x[1][0] * x[2][1] - x[1][1] * x[2][0]) / (g->J * g->J * g->J);
    beam->length += g->weight;
    for (int k = 0; k < 2; k++) beam->centre[k] += g->weight * x[0][k];
  }
  for (int k = 0; k < 2; k++) beam->centre[k] /= beam->length;
  return PRC_OK;
}

/* Rows of column c of what elements couple: dofs up to 2p + 1 beyond the first of its control point. */
static int last_row(const prc_beam *beam, int c) {
  const int last = 2 * (c / 2 + beam->model->degree) + 1, n = 2 * beam->n_points;
  return last < n ? last : n - 1;
}

/* M = integral of rho N_i N_j J ds, x with x and y with y; zeros between them, so that tangents have the same pattern. */
static prc_status make_mass(prc_beam *beam, prc_error *err) {
  const int n = 2 * beam->n_points;
  int nnz = 0;
  for (int c = 0; c < n; c++) nnz += last_row(beam, c) - c + 1;
  const prc_status status = prc_sym_create(n, nnz, &beam->M, err);
  if (status != PRC_OK) return status;
  prc_sym *M = beam->M;
  for (int c = 0, at = 0; c < n; c++) {
    for (int r = c; r <= last_row(beam, c); r++) M->i[at++] = r;
    M->p[c + 1] = at;
  }
  for (int i = 0; i < beam->n_gauss; i++) {
    const prc_beam_gauss *g = &beam->gauss[i];
    for (int j = 0; j < g->basis.n; j++)
      for (int k = j; k < g->basis.n; k++)
        for (int d = 0; d < 2; d++) {
          const int c = 2 * (g->basis.first + j) + d;
          M->x[M->p[c] + 2 * (k - j)] +=
              beam->model->density * g->weight * g->basis.N[0][j] * g->basis.N[0][k];
        }
  }
  return PRC_OK;
}

/* How far it reaches from the origin; longitudinal waves are faster than what touches. */
static void set_scales(prc_beam *beam) {
  const prc_beam_model *model = beam->model;
  double reach = 0.0, speed = hypot(model->velocity[0], model->velocity[1]);
  for (int i = 0; i < beam->n_points; i++)
    reach = fmax(reach, hypot(model->point[2 * i], model->point[2 * i + 1]));
  for (int k = 0; k < model->n_contacts; k++)
    reach = fmax(reach, hypot(model->contact[k].plane.point[0], model->contact[k].plane.point[1]));
  speed += fabs(model->spin) * beam->length;
  beam->system.length = reach + beam->length;
  beam->system.velocity = sqrt(model->EA / model->density) + speed;
}

static void present(prc_beam *beam) {
  prc_system *s = &beam->system;
  s->owner = beam;
  s->space.nv = 2 * beam->n_points;
  s->space.deforms = beam->deforms;
  s->dynamics.M = s->dynamics.pattern = beam->M;
  s->dynamics.damping_mass = beam->model->damping_mass;
  s->dynamics.varies |= PRC_INTERNAL_NONLINEAR;
  s->dynamics.mean_internal = prc_beam_mean_internal;
  s->dynamics.internal = prc_beam_internal, s->dynamics.tangent = prc_beam_tangent;
  if (beam->model->damping_stiffness > 0.0)
    s->dynamics.varies |= PRC_DAMPING_OF_STATE, s->dynamics.damping = prc_beam_damping;
  set_scales(beam);
}

prc_status prc_beam_create(const prc_beam_model *model, prc_beam **out, prc_error *err) {
  prc_need(model, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_beam *beam = NULL;
  prc_try(check_model(model, err));
  prc_try(prc_new(&beam, 1, err));
  beam->model = model;
  prc_try(name_ends(beam, err));
  prc_try(make_knots(beam, err));
  prc_try(make_gauss(beam, err));
  prc_try(make_mass(beam, err));
  prc_try(prc_beam_make_loads(beam, err));
  prc_try(prc_beam_make_contacts(beam, err));
  prc_try(prc_new(&beam->deforms, 2 * beam->n_points, err));
  memset(beam->deforms, 1, 2 * (size_t)beam->n_points);
  present(beam);
  prc_try(prc_beam_make_strains(beam, err));
  *out = beam, beam = NULL;
done:
  prc_beam_free(&beam);
  return status;
}

void prc_beam_free(prc_beam **out) {
  prc_beam *beam = *out;
  if (!beam) return;
  for (int k = 0; k < 2; k++) prc_delete(&beam->end_name[k]);
  prc_delete(&beam->knot);
  prc_delete(&beam->deforms);
  prc_delete(&beam->gauss);
  prc_delete(&beam->strains.volume);
  prc_delete(&beam->strains.strain);
  prc_delete(&beam->strains.sum);
  prc_delete(&beam->of_load);
  prc_delete(&beam->contact_first);
  prc_delete(&beam->of_point);
  prc_delete(&beam->law);
  prc_sym_free(&beam->M);
  prc_delete(out);
}

/* ---- what it is ------------------------------------------------------------------------------------------ */

const prc_system *prc_beam_system(const prc_beam *beam) {
  return &beam->system;
}
const prc_beam_model *prc_beam_get_model(const prc_beam *beam) {
  return beam->model;
}
int prc_beam_points(const prc_beam *beam) {
  return beam->n_points;
}
double prc_beam_length(const prc_beam *beam) {
  return beam->length;
}
const char *prc_beam_end_name(const prc_beam *beam, int end) {
  return beam->end_name[end];
}
double prc_beam_mass(const prc_beam *beam) {
  return beam->model->density * beam->length;
}

/* A rigid motion of the control points is one of the line. */
void prc_beam_initial(const prc_beam *beam, double *q, double *v) {
  const prc_beam_model *model = beam->model;
  memcpy(q, model->point, 2 * (size_t)beam->n_points * sizeof *q);
  for (int i = 0; i < beam->n_points; i++) {
    v[2 * i] = model->velocity[0] - model->spin * (q[2 * i + 1] - beam->centre[1]);
    v[2 * i + 1] = model->velocity[1] + model->spin * (q[2 * i] - beam->centre[0]);
  }
}

prc_beam_state prc_beam_now(const prc_beam *beam, const double *q, const double *v, double s) {
  const prc_beam_basis basis = prc_beam_basis_at(beam, s);
  double a[2], b[2], A[2], B[2], rate[2];
  prc_beam_state now = {.angle = 0.0};
  prc_beam_sum(&basis, 0, q, now.x);
  prc_beam_sum(&basis, 1, q, a), prc_beam_sum(&basis, 2, q, b);
  prc_beam_sum(&basis, 1, beam->model->point, A), prc_beam_sum(&basis, 2, beam->model->point, B);
  const double J = hypot(A[0], A[1]);
  const prc_beam_strain e = prc_beam_strain_of(a, b, J, (A[0] * B[1] - A[1] * B[0]) / (J * J * J));
  now.angle = atan2(a[1], a[0]);
  now.stretch = e.stretch, now.curvature = e.curvature;
  now.tension = beam->model->EA * e.stretch, now.moment = beam->model->EI * e.curvature;
  if (!v) return now;
  prc_beam_sum(&basis, 0, v, now.velocity);
  prc_beam_sum(&basis, 1, v, rate);
  now.spin = (a[0] * rate[1] - a[1] * rate[0]) / (a[0] * a[0] + a[1] * a[1]);
  return now;
}

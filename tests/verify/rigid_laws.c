/* What the impact laws promise of rigid bodies: ten thousand random steps judged from their data (PRC_LONG=1: a hundred thousand), and the cases
 * in which the two laws, the orders of contacts, or a resumed and an unbroken run must agree. */
#include "config.h"
#include "support/rigid_common.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static int show(void) {
  return getenv("PRC_SHOW") != NULL;
}

/* ---- random steps ------------------------------------------------------------------------------------------------- */

static int n_random(void) {
  return getenv("PRC_LONG") ? 100000 : 10000;
}

static double draw(prc_random *r, double low, double high) {
  return prc_random_uniform(r, low, high);
}

/* 10^x with x uniform */
static double draw_scale(prc_random *r, double low, double high) {
  return pow(10.0, draw(r, low, high));
}

static int draw_count(prc_random *r, int n) { /* 0 .. n - 1 */
  return (int)(prc_random_bits(r) % (uint64_t)n);
}

static void draw_body(prc_random *r, prc_rigid_body *b) {
  b->name = "body";
  b->mass = draw_scale(r, -1.0, 1.0);
  b->inertia = b->mass * draw_scale(r, -2.0, 0.5);
  for (int k = 0; k < 2; k++) {
    b->position[k] = draw(r, -2.0, 2.0);
    b->velocity[k] = draw(r, -3.0, 3.0);
    b->force[k] = prc_field_constant(draw(r, -5.0, 5.0));
  }
  b->angle = draw(r, -pi, pi), b->spin = draw(r, -5.0, 5.0);
  b->moment = prc_field_constant(draw(r, -5.0, 5.0));
}

/* A contact in touch: its plane passes through the touching point, or leaves it up to 1e-3 inside the obstacle. Among the
 * contacts of a step some repeat the direction, or the point and the direction, of the one before: W is singular then. */
static void draw_contact(prc_random *r, rigid_case *c, int k) {
  const int body = draw_count(r, c->model.n_bodies), like = k > 0 ? draw_count(r, 4) : 2;
  const prc_rigid_contact *before = c->contact + k - 1;
  const int b = like < 2 ? before->body : body;
  double *p = c->point + 2 * k;
  const double n_angle = draw(r, -pi, pi), radius = draw(r, 0.1, 1.0);
  double plane[4] = {0.0, 0.0, cos(n_angle), sin(n_angle)};
  for (int d = 0; d < 2; d++) {
    p[d] = like == 0 ? p[d - 2] : draw(r, -1.0, 1.0);
    if (like < 2) plane[2 + d] = before->plane.normal[d];
  }
  const int disc = draw_count(r, 4) == 0;
  const double a = c->body[b].angle, depth = draw_count(r, 2) ? 0.0 : draw(r, 0.0, 1e-3);
  const double arm[2] = {disc ? -radius * plane[2] : cos(a) * p[0] - sin(a) * p[1],
                         disc ? -radius * plane[3] : sin(a) * p[0] + cos(a) * p[1]};
  for (int d = 0; d < 2; d++) plane[d] = c->body[b].position[d] + arm[d] + depth * plane[2 + d];
  prc_rigid_contact *contact = rigid_case_contact(c, b, plane, disc ? 0 : 1, p, radius);
  contact->friction = draw_count(r, 8) == 0 ? 0.0 : draw(r, 0.0, 2.0);
  contact->restitution = draw_count(r, 4) == 0 && k > 0 ? before->restitution : draw(r, 0.0, 1.0);
  if (draw_count(r, 8) == 0) contact->restitution = draw_count(r, 2);
}

static void draw_case(prc_random *r, rigid_case *c, prc_step_options *options) {
  memset(c, 0, sizeof *c);
  c->model = (prc_rigid_model){.n_bodies = 1 + draw_count(r, 2), .body = c->body, .contact = c->contact};
  for (int k = 0; k < 2; k++) c->model.gravity[k] = prc_field_constant(draw(r, -10.0, 10.0));
  for (int b = 0; b < c->model.n_bodies; b++) draw_body(r, &c->body[b]);
  const int n = 1 + draw_count(r, RIGID_CONTACTS);
  double e = 0.0;
  for (int k = 0; k < n; k++) {
    draw_contact(r, c, k);
    e = fmax(e, c->contact[k].restitution);
  }
  const double most = 1.0 / (1.0 + e), kind = draw(r, 0.0, 1.0);
  *options = rigid_options(PRC_IMPACT_FREMOND, draw_scale(r, -5.0, -2.0),
                           kind < 0.25  ? 0.5
                           : kind < 0.5 ? most
                                        : draw(r, 0.5, most));
  options->gap_tolerance = 1e-12;
}

/* The largest violation of Coulomb's law, restitution and complementarity by (w, p), relative to the sizes given. */
static double violation(double mu, const double w[2], const double p[2], double size_w, double size_p) {
  const double slip = fabs(w[1]);
  double worst = fmax(-w[0] / size_w, -p[0] / size_p);
  worst = fmax(worst, (fabs(p[1]) - mu * p[0]) / size_p);
  worst = fmax(worst, fabs(w[0] * p[0]) / (size_w * size_p));
  return fmax(worst, fabs(p[1] * w[1] + mu * p[0] * slip) / (size_w * size_p));
}

/* ---- does a step have a solution? ------------------------------------------------------------------------------- */

/* Not every step has one: a body that friction jams between two planes cannot leave both with the velocities that two
 * coefficients of restitution ask of it. A solvable step has a solution whose statuses (open, stick, slip to either side)
 * make a regular linear system: the solutions of given statuses form a polyhedron in the cones, and a vertex of it is
 * determined by the faces it lies on. So 4^n systems decide, and no solver is trusted. */

enum { MAX_ROWS = 2 * RIGID_CONTACTS };

/* w = W p + b over the n active contacts */
typedef struct {
  int n;
  double W[MAX_ROWS][MAX_ROWS], b[MAX_ROWS], mu[RIGID_CONTACTS];
} friction_problem;

/* x := A^-1 x by elimination; 0 when a pivot is below 1e-9 of the largest entry. */
static int eliminate(int n, double A[MAX_ROWS][MAX_ROWS], double *x) {
  double largest = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) largest = fmax(largest, fabs(A[i][j]));
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i][k]) > fabs(A[pivot][k])) pivot = i;
    if (!(fabs(A[pivot][k]) > 1e-9 * largest)) return 0;
    for (int j = 0; j < n; j++) {
      const double swap = A[k][j];
      A[k][j] = A[pivot][j], A[pivot][j] = swap;
    }
    const double swap = x[k];
    x[k] = x[pivot], x[pivot] = swap;
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) A[i][j] -= factor * A[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
  return 1;
}

/* Statuses in base 4: 0 open, 1 stick, 2 slip with p_T = mu p_N, 3 with p_T = -mu p_N. */
static int solves(const friction_problem *f, int statuses) {
  double A[MAX_ROWS][MAX_ROWS], p[MAX_ROWS] = {0.0}, x[MAX_ROWS], edge[RIGID_CONTACTS];
  int row[MAX_ROWS], status[RIGID_CONTACTS], n = 0;
  for (int c = 0; c < f->n; c++, statuses /= 4) {
    status[c] = statuses % 4;
    edge[c] = status[c] == 2 ? f->mu[c] : status[c] == 3 ? -f->mu[c] : 0.0;
    if (status[c] != 0) row[n++] = 2 * c;
    if (status[c] == 1) row[n++] = 2 * c + 1;
  }
  for (int i = 0; i < n; i++) {
    x[i] = -f->b[row[i]];
    for (int j = 0; j < n; j++) {
      A[i][j] = f->W[row[i]][row[j]];
      if (row[j] % 2 == 0) A[i][j] += edge[row[j] / 2] * f->W[row[i]][row[j] + 1];
    }
  }
  if (!eliminate(n, A, x)) return 0;
  double size_p = 0.0, size_w = 0.0;
  for (int i = 0; i < n; i++) p[row[i]] = x[i], size_p = fmax(size_p, fabs(x[i]));
  for (int i = 0; i < 2 * f->n; i++) size_w = fmax(size_w, fabs(f->b[i]));
  for (int c = 0; c < f->n; c++) {
    double w[2] = {f->b[2 * c], f->b[2 * c + 1]};
    if (status[c] >= 2) p[2 * c + 1] = edge[c] * p[2 * c];
    if (p[2 * c] < -1e-9 * size_p || fabs(p[2 * c + 1]) > f->mu[c] * p[2 * c] + 1e-9 * size_p) return 0;
    for (int d = 0; d < f->n; d++)
      for (int k = 0; k < 2; k++) {
        const double p_t = status[d] >= 2 ? edge[d] * p[2 * d] : p[2 * d + 1];
        w[k] += f->W[2 * c + k][2 * d] * p[2 * d] + f->W[2 * c + k][2 * d + 1] * p_t;
      }
    if (w[0] < -1e-9 * size_w) return 0;
    if (status[c] == 2 && w[1] > 1e-9 * size_w) return 0;
    if (status[c] == 3 && w[1] < -1e-9 * size_w) return 0;
  }
  return 1;
}

static double mass_of(const prc_rigid_body *b, int k) {
  return k < 2 ? b->mass : b->inertia;
}

static double force_on(const rigid_case *c, const prc_rigid_body *b, int k) {
  return k < 2 ? b->force[k].constant + b->mass * c->model.gravity[k].constant : b->moment.constant;
}

/* The problem of the step from v, from the law and the equations of motion; u_k is of H_k, all else of H. */
static friction_problem pose(const rigid_case *c, const prc_step_options *o, const prc_step_record *r,
                             const double *H_k, const double *H, const double *v) {
  friction_problem f = {.n = r->n_active};
  const int fremond = o->law == PRC_IMPACT_FREMOND;
  const double scale = fremond ? o->theta : 1.0;
  for (int i = 0; i < 2 * f.n; i++) {
    const int a = r->active[i / 2];
    const double *Hi = H + 6 * a + 3 * (i % 2);
    const prc_rigid_body *body = &c->body[c->contact[a].body];
    double u = 0.0, u_free = 0.0;
    for (int k = 0; k < 3; k++) {
      const double vk = v[3 * c->contact[a].body + k];
      u += H_k[6 * a + 3 * (i % 2) + k] * vk;
      u_free += Hi[k] * (vk + o->theta * o->h * force_on(c, body, k) / mass_of(body, k));
    }
    /* u_free is u_{k+theta} without percussions; theta u' with the u_k of the law */
    const double end = (u_free - (1.0 - o->theta) * u) / o->theta;
    const double back = u > 0.0 ? (1.0 - o->theta) / o->theta * u : c->contact[a].restitution * u;
    f.b[i] = scale * (end + (i % 2 == 0 ? back : 0.0)) + (i % 2 == 0 ? 0.0 : (1.0 - scale) * u);
    f.mu[i / 2] = c->contact[a].friction;
    for (int j = 0; j < 2 * f.n; j++) {
      const int other = r->active[j / 2];
      const double *Hj = H + 6 * other + 3 * (j % 2);
      for (int k = 0; k < 3 && c->contact[a].body == c->contact[other].body; k++)
        f.W[i][j] += scale * Hi[k] * Hj[k] / mass_of(body, k);
    }
  }
  return f;
}

static int solvable(const friction_problem *f) {
  for (int statuses = 0; statuses < 1 << (2 * f->n); statuses++)
    if (solves(f, statuses)) return 1;
  return 0;
}

/* ---- what every step is judged by ------------------------------------------------------------------------------ */

typedef struct {
  int active[RIGID_CONTACTS + 1], impossible, missed, beyond, checked, agreed, generating,
      generating_contacts;
  double law, momentum, energy, allowance, largest_gain, largest_share;
} findings;

/* M (v' - v) - h F - H'p against the largest of the terms, H from the rigid motion of the touching point. */
static double momentum_gap(const rigid_run *run, const double *v_old, const double *H, double h) {
  const rigid_case *c = run->setting;
  double worst = 0.0;
  for (int i = 0; i < run->system->space.nv; i++) {
    const prc_rigid_body *b = &c->body[i / 3];
    const int k = i % 3;
    const double m = mass_of(b, k), F = force_on(c, b, k);
    double sum = m * run->v[i] - m * v_old[i] - h * F, size = fabs(m * run->v[i]) + fabs(m * v_old[i]);
    for (int a = 0; a < run->record->n_contacts; a++)
      for (int row = 0; row < 2 && c->contact[a].body == i / 3; row++) {
        const double push = H[6 * a + 3 * row + k] * run->record->p[2 * a + row];
        sum -= push, size += fabs(push);
      }
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

/* w of the law, from u_k and u_{k+theta} alone. Fremond, (72): Coulomb's law is that of u_{k+theta}. */
static void law_velocity(prc_impact law, double theta, const prc_rigid_contact *c, const double *u_old,
                         const double *u_mean, double w[2]) {
  const double e = c->restitution;
  /* u_N,k+theta + (theta (1 + e) - 1) min(u_N,k, 0): what parts is not thrown back */
  w[0] = u_mean[0] + (theta * (1.0 + e) - 1.0) * fmin(u_old[0], 0.0);
  w[1] = law == PRC_IMPACT_FREMOND ? u_mean[1] : (u_mean[1] - (1.0 - theta) * u_old[1]) / theta;
}

static double external_work(const rigid_run *run, const double *v_old, double h, double theta) {
  const rigid_case *c = run->setting;
  double sum = 0.0;
  for (int i = 0; i < run->system->space.nv; i++) {
    const double F = force_on(c, &c->body[i / 3], i % 3);
    sum += h * F * ((1.0 - theta) * v_old[i] + theta * run->v[i]);
  }
  return sum;
}

/* Percussions of 1e8 leave few digits of w = W p + b, whatever the solver says of its error. */
static int resolved(const prc_step_record *r) {
  for (int i = 0; i < 2 * r->n_contacts; i++)
    if (!(fabs(r->p[i]) < 1e8)) return 0;
  return r->cone.converged;
}

/* What the percussions of a step and the energies of it are measured against. */
typedef struct {
  double u, p, energy;
  double rounding; /* of the energies, and of W p where percussions nearly cancel in it */
} step_sizes;

static step_sizes measure_step(const prc_step_record *r, const friction_problem *posed, double before) {
  step_sizes size = {.energy = before};
  for (int k = 0; k < r->n_active; k++) {
    const int a = r->active[k];
    for (int d = 0; d < 2; d++) {
      size.u = fmax(size.u, fmax(fabs(r->u_old[2 * a + d]), fabs(r->u[2 * a + d])));
      size.p = fmax(size.p, fabs(r->p[2 * a + d]));
      size.energy += fabs(r->u_work[2 * a + d] * r->p[2 * a + d]);
    }
  }
  size.rounding = 64.0 * DBL_EPSILON * size.energy;
  for (int i = 0; i < 2 * posed->n; i++)
    for (int j = 0; j < 2 * posed->n; j++)
      size.rounding +=
          64.0 * DBL_EPSILON
          * fabs(posed->W[i][j] * r->p[2 * r->active[j / 2] + j % 2] * r->p[2 * r->active[i / 2] + i % 2]);
  return size;
}

/* The law of each contact, and the works that it promises; gives the sum of their allowances. */
static double judge_contacts(const rigid_case *c, const prc_step_options *options, const prc_step_record *r,
                             const step_sizes *size, findings *found, int *generating) {
  double allowance = 0.0;
  *generating = 0;
  for (int k = 0; k < r->n_active && size->p > 0.0; k++) {
    const int a = r->active[k];
    const double tangential = r->u_work[2 * a + 1] * r->p[2 * a + 1];
    double w[2];
    law_velocity(options->law, options->theta, &c->contact[a], r->u_old + 2 * a, r->u_work + 2 * a, w);
    found->law = fmax(found->law, violation(c->contact[a].friction, w, r->p + 2 * a, size->u, size->p));
    allowance += r->allowance[a];
    *generating += tangential > r->allowance[a] + size->rounding;
    if (options->law == PRC_IMPACT_FREMOND) ck_assert_double_le(tangential, r->allowance[a] + size->rounding);
    ck_assert_double_le(r->u_work[2 * a] * r->p[2 * a],
                        r->allowance[a] + size->rounding + fmax(0.0, r->u_old[2 * a]) * r->p[2 * a]);
  }
  return allowance;
}

/* H of the step: that of q_k, or where the centres of bodies are about which percussions turn, after (1 - theta) h at v_k. */
static void directions_of(rigid_run *run, const prc_step_options *o, double *H) {
  prc_contact_set *set = (prc_contact_set *)run->record->contacts;
  const size_t bytes = 6 * (size_t)set->n * sizeof *H;
  double q[3 * RIGID_BODIES];
  const prc_at now = {0.0, run->q, run->v}, centre = {0.0, q, run->v};
  for (int i = 0; i < run->system->space.nv; i++) q[i] = run->q[i] + (1.0 - o->theta) * o->h * run->v[i];
  if (o->directions == PRC_DIRECTIONS_CENTRE)
    run->system->contacts.evaluate(run->system->owner, &centre, PRC_EVALUATE_H, set);
  if (set->n > 0) memcpy(H, set->H.x, bytes);
  run->system->contacts.evaluate(run->system->owner, &now, PRC_EVALUATE_H, set);
}

static void judge_step(rigid_case *c, const prc_step_options *options, findings *found) {
  rigid_run run;
  double v_old[3 * RIGID_BODIES], H_k[6 * RIGID_CONTACTS], H[6 * RIGID_CONTACTS];
  rigid_run_open(&run, c, options);
  const prc_step_record *r = run.record;
  for (int a = 0; a < r->n_contacts; a++) ck_assert_double_le(r->gap[a], options->gap_tolerance);
  memcpy(v_old, run.v, sizeof v_old);
  memcpy(H_k, r->contacts->H.x, 6 * (size_t)r->n_contacts * sizeof *H_k);
  directions_of(&run, options, H);
  const double before = rigid_run_kinetic(&run), h = options->h, theta = options->theta;
  rigid_run_step(&run);
  r = run.record;
  found->active[r->n_active]++;
  found->momentum = fmax(found->momentum, momentum_gap(&run, v_old, H, h));
  if (!resolved(r)) {
    const friction_problem f = pose(c, options, r, H_k, H, v_old);
    const int exists = solvable(&f);
    found->beyond += r->cone.converged;
    found->missed += exists;
    found->impossible += !exists;
    rigid_run_close(&run);
    return;
  }
  if (found->checked < 2000 && r->n_active > 0) { /* the enumeration itself, where there is a solution */
    const friction_problem f = pose(c, options, r, H_k, H, v_old);
    found->checked++;
    found->agreed += solvable(&f);
  }

  const double gain = rigid_run_kinetic(&run) - before - external_work(&run, v_old, h, theta);
  const friction_problem posed = pose(c, options, r, H_k, H, v_old);
  const step_sizes size = measure_step(r, &posed, before);
  int generating = 0;
  const double allowance = judge_contacts(c, options, r, &size, found, &generating);
  found->allowance = fmax(found->allowance, allowance / size.energy);
  found->generating_contacts += generating;
  if (options->law == PRC_IMPACT_FREMOND) {
    found->energy = fmax(found->energy, gain / size.energy);
    ck_assert_double_le(gain, 2.0 * allowance + size.rounding);
  } else if (gain > 2.0 * allowance + size.rounding) {
    found->generating++;
    found->largest_gain = fmax(found->largest_gain, gain);
    found->largest_share = fmax(found->largest_share, gain / before);
  }
  rigid_run_close(&run);
}

static findings judge_random_steps(prc_impact law) {
  const int n = n_random();
  prc_random random = {20240501};
  findings found = {0};
  for (int k = 0; k < n; k++) {
    rigid_case c;
    prc_step_options options;
    draw_case(&random, &c, &options);
    options.law = law;
    options.directions = k % 2 ? PRC_DIRECTIONS_START : PRC_DIRECTIONS_CENTRE;
    judge_step(&c, &options, &found);
  }
  if (show())
    fprintf(stderr,
            "# law %d: active 0..4 %d %d %d %d %d, no solution %d, missed %d, beyond numbers %d, agreed %d "
            "of %d, law violated by %.1e, momentum %.1e, "
            "energy %.1e, "
            "allowance %.1e, steps that create %d, contacts %d, most %.3g (%.3g of the energy before)\n",
            law, found.active[0], found.active[1], found.active[2], found.active[3], found.active[4],
            found.impossible, found.missed, found.beyond, found.agreed, found.checked, found.law,
            found.momentum, found.energy, found.allowance, found.generating, found.generating_contacts,
            found.largest_gain, found.largest_share);
  ck_assert_int_eq(found.agreed, found.checked);
  /* every step that has a solution is solved, and none that has none is called so */
  ck_assert_int_eq(found.missed, 0);
  ck_assert_int_eq(found.beyond, 0);
  for (int k = 1; k <= RIGID_CONTACTS; k++) ck_assert_int_gt(found.active[k], n / 50);
  return found;
}

START_TEST(energy_never_grows_with_the_fremond_law) {
  const findings found = judge_random_steps(PRC_IMPACT_FREMOND);
  ck_assert_int_eq(found.impossible, 0); /* the mean velocity can always satisfy it */
  ck_assert_double_le(found.law, 1e-8);
  ck_assert_double_le(found.momentum, 64.0 * DBL_EPSILON);
  ck_assert_double_le(found.energy, 1e-8);
  ck_assert_int_eq(found.generating_contacts, 0);
}
END_TEST

START_TEST(the_newton_law_creates_energy_in_some_steps) {
  const findings found = judge_random_steps(PRC_IMPACT_NEWTON);
  ck_assert_int_lt(found.impossible, n_random() / 40);
  ck_assert_double_le(found.law, 1e-8);
  ck_assert_double_le(found.momentum, 64.0 * DBL_EPSILON);
  ck_assert_int_gt(found.generating, 0);
  ck_assert_int_gt(found.generating_contacts, found.generating);
  ck_assert_double_gt(found.largest_share, 0.01);
}
END_TEST

/* ---- conservation --------------------------------------------------------------------------------------------------- */

/* Nothing takes energy: theta = 1/2, e = 1, no friction. */
static void bounce(rigid_case *c, int n_steps, int least) {
  prc_step_options options = rigid_options(PRC_IMPACT_FREMOND, 1e-3, 0.5);
  options.cone.tolerance = 1e-13; /* of two corners that strike at once */
  rigid_run run;
  int impacts = 0;
  rigid_run_open(&run, c, &options);
  const double start = rigid_run_energy(&run);
  double worst = 0.0;
  for (int k = 0; k < n_steps; k++) {
    rigid_run_step(&run);
    for (int a = 0; a < run.record->n_contacts; a++) impacts += run.record->p[2 * a] > 0.0;
    worst = fmax(worst, fabs(rigid_run_energy(&run) - start) / start);
  }
  if (show()) fprintf(stderr, "# %d impacts, energy within %.1e\n", impacts, worst);
  ck_assert_int_ge(impacts, least);
  ck_assert_double_le(worst, 1e-12);
  rigid_run_close(&run);
}

START_TEST(elastic_bouncing_without_friction_conserves_energy) {
  static const double corners[8] = {-0.3, -0.2, 0.3, -0.2, 0.3, 0.2, -0.3, 0.2};
  static const double walls[4][4] = {
      {0.0, 0.0, 0.0, 1.0}, {3.0, 0.0, -1.0, 0.2}, {0.0, 3.0, 0.1, -1.0}, {0.0, 0.0, 1.0, 0.0}};
  rigid_case c;
  rigid_case_block(&c, 1.0 / 12.0);
  c.contact[0].friction = 0.0;
  bounce(&c, 20000, 150);
  rigid_case_one(&c, 0.04, 10.0); /* a rectangle in a box */
  c.body[0].position[0] = 1.0, c.body[0].position[1] = 1.5;
  c.body[0].velocity[0] = 2.0, c.body[0].spin = 3.0;
  for (int k = 0; k < 4; k++) rigid_case_contact(&c, 0, walls[k], 4, corners, 0.0)->restitution = 1.0;
  bounce(&c, 100000, 200);
}
END_TEST

/* ---- where the laws agree --------------------------------------------------------------------------------------------- */

/* A resting contact is not lost to the errors of its contact problem. */
static prc_step_options generous(prc_impact law) {
  prc_step_options options = rigid_options(law, 1e-4, 0.5);
  options.gap_tolerance = 1e-10, options.velocity_tolerance = 1e-9;
  return options;
}

/* The largest difference of two runs' q and v over n steps. */
static double difference(rigid_case *a, const prc_step_options *options_a, rigid_case *b,
                         const prc_step_options *options_b, int n_steps) {
  rigid_run run_a, run_b;
  double worst = 0.0;
  rigid_run_open(&run_a, a, options_a);
  rigid_run_open(&run_b, b, options_b);
  for (int k = 0; k < n_steps; k++) {
    rigid_run_step(&run_a);
    rigid_run_step(&run_b);
    for (int i = 0; i < run_a.system->space.nv; i++)
      worst = fmax(worst, fmax(fabs(run_a.q[i] - run_b.q[i]), fabs(run_a.v[i] - run_b.v[i])));
  }
  rigid_run_close(&run_a);
  rigid_run_close(&run_b);
  return worst;
}

static void stick_or_block(int which, rigid_case *c) {
  if (which == 0)
    rigid_case_stick(c);
  else
    rigid_case_block(c, which == 1 ? 1.0 / 12.0 : 1.0 / 6.0);
}

START_TEST(tangential_restitution_of_one_is_the_fremond_law) { /* (58): at theta = 1/2, u' + u = 2 u_theta */
  for (int e = 0; e < 3; e++) {
    rigid_case a, b;
    stick_or_block(_i, &a);
    stick_or_block(_i, &b);
    a.contact[0].restitution = b.contact[0].restitution = 0.5 * e;
    a.contact[0].restitution_tangential = 1.0;
    const prc_step_options newton = rigid_options(PRC_IMPACT_NEWTON, 1e-4, 0.5),
                           fremond = rigid_options(PRC_IMPACT_FREMOND, 1e-4, 0.5);
    const double far = difference(&a, &newton, &b, &fremond, 10000);
    if (show()) fprintf(stderr, "# case %d, e = %g: %.1e\n", _i, 0.5 * e, far);
    ck_assert_double_le(far, 1e-9);
  }
}
END_TEST

/* A system with laws of its own, in which nothing says e_T. */
typedef struct {
  const prc_system *of;
  prc_law law[RIGID_CONTACTS];
} plain_system;

static prc_status plain_loads(void *owner, const prc_at *at, double *F, prc_error *err) {
  const prc_system *of = ((const plain_system *)owner)->of;
  return of->dynamics.loads(of->owner, at, F, err);
}

static prc_status plain_find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                             prc_error *err) {
  plain_system *p = owner;
  const prc_status status = p->of->contacts.find(p->of->owner, at, h, reach, set, err);
  for (int a = 0; status == PRC_OK && a < set->n; a++) {
    const double mu = prc_law_friction_at(set->law[a], NULL, 0.0);
    p->law[a] = (prc_law){.friction = &prc_friction_coulomb, .parameter = {mu}, .e = set->law[a]->e};
    set->law[a] = &p->law[a];
  }
  return status;
}

static void plain_evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const prc_system *of = ((const plain_system *)owner)->of;
  of->contacts.evaluate(of->owner, at, what, set);
}

START_TEST(tangential_restitution_of_zero_is_the_newton_law) { /* bit for bit, against a system without e_T */
  const prc_step_options options = rigid_options(PRC_IMPACT_NEWTON, 1e-4, 0.5);
  rigid_case c;
  rigid_run run;
  stick_or_block(_i, &c);
  rigid_run_open(&run, &c, &options);
  prc_system plain = *run.system;
  plain_system owner = {.of = run.system};
  plain.dynamics.loads = plain_loads, plain.owner = &owner;
  plain.contacts.find = plain_find, plain.contacts.evaluate = plain_evaluate;
  prc_stepper *stepper = NULL;
  support_ok(prc_stepper_create(&plain, &options, &stepper, &rigid_err), &rigid_err);
  support_ok(prc_stepper_start(stepper, run.q, run.v, &rigid_err), &rigid_err);
  for (int k = 0; k < 10000; k++) {
    double v[3];
    rigid_run_step(&run);
    support_ok(prc_stepper_step(stepper, &rigid_err), &rigid_err);
    prc_stepper_state(stepper, v, NULL, NULL);
    ck_assert_mem_eq(v, run.v, sizeof v);
    ck_assert_mem_eq(prc_stepper_record(stepper)->q, run.q, sizeof v);
  }
  prc_stepper_free(&stepper);
  rigid_run_close(&run);
}
END_TEST

START_TEST(
    tangential_restitution_reverses_part_of_the_slip) { /* a sticking impact of a disc: u_T' = -e_T u_T */
  static const double ground[4] = {0.0, 0.0, 0.0, 1.0};
  for (int k = 0; k <= 4; k++) {
    const double e_t = 0.25 * k;
    const prc_step_options options = rigid_options(PRC_IMPACT_NEWTON, 1e-3, 0.5);
    rigid_case c;
    rigid_run run;
    rigid_case_one(&c, 0.4 * 0.01, 10.0);
    c.body[0].position[1] = 0.1 - 1e-9;
    c.body[0].velocity[0] = 1.0, c.body[0].velocity[1] = -2.0;
    prc_rigid_contact *contact = rigid_case_contact(&c, 0, ground, 0, NULL, 0.1);
    contact->friction = 2.0, contact->restitution = 0.3, contact->restitution_tangential = e_t;
    rigid_run_open(&run, &c, &options);
    rigid_run_step(&run);
    ck_assert_int_eq(run.record->status[0], PRC_CONE_STICK);
    ck_assert_double_le(fabs(run.record->u[0] - 0.3 * 2.0), 1e-14);
    ck_assert_double_le(fabs(run.record->u[1] + e_t), 1e-14);
    rigid_run_close(&run);
  }
}
END_TEST

START_TEST(the_laws_coincide_at_theta_one) { /* (84)-(85); theta = 1 asks for e = 0 */
  rigid_case a, b;
  stick_or_block(_i, &a);
  stick_or_block(_i, &b);
  a.contact[0].restitution = b.contact[0].restitution = 0.0;
  const prc_step_options newton = rigid_options(PRC_IMPACT_NEWTON, 1e-4, 1.0),
                         fremond = rigid_options(PRC_IMPACT_FREMOND, 1e-4, 1.0);
  ck_assert_double_le(difference(&a, &newton, &b, &fremond, 10000), 1e-12);
}
END_TEST

/* ---- invariances -------------------------------------------------------------------------------------------------------- */

/* The disc of the corner, its planes in either order. */
static void corner(rigid_case *c, int swapped) {
  static const double plane[2][4] = {{0.0, 0.0, -1.0, 1.0}, {0.0, 0.0, 1.0, 1.0}};
  rigid_case_one(c, 0.004, 9.81);
  c->body[0].position[0] = -0.5, c->body[0].position[1] = 1.0;
  for (int k = 0; k < 2; k++) {
    const int which = swapped ? 1 - k : k;
    prc_rigid_contact *contact = rigid_case_contact(c, 0, plane[which], 0, NULL, 0.1);
    contact->friction = 0.3, contact->restitution = which == 0 ? 0.5 : 0.0;
  }
}

/* A block that slides on four points of its lower side until friction stops it: W is singular. */
static void slider(rigid_case *c, int shuffled) {
  static const double x[2][4] = {{-0.5, -0.2, 0.2, 0.5}, {0.2, -0.5, 0.5, -0.2}};
  static const double ground[4] = {0.0, 0.0, 0.0, 1.0};
  rigid_case_one(c, 1.0 / 6.0, 10.0);
  c->body[0].position[1] = 0.5, c->body[0].velocity[0] = 1.0;
  for (int k = 0; k < 4; k++) c->point[2 * k] = x[shuffled][k], c->point[2 * k + 1] = -0.5;
  prc_rigid_contact *contact = rigid_case_contact(c, 0, ground, 4, c->point, 0.0);
  contact->friction = 0.3;
}

START_TEST(the_order_of_contacts_does_not_matter) {
  static const double mirrored[4] = {0.5, -0.5, -0.5, -0.5};
  for (int law = 0; law < 2; law++) {
    const prc_step_options options = rigid_options(law ? PRC_IMPACT_FREMOND : PRC_IMPACT_NEWTON, 1e-4, 0.5);
    rigid_case a, b;
    double far[3];
    rigid_case_block(&a, 1.0 / 12.0);
    rigid_case_block(&b, 1.0 / 12.0);
    b.contact[0].point = mirrored;
    far[0] = difference(&a, &options, &b, &options, 10000);
    corner(&a, 0);
    corner(&b, 1);
    far[1] = difference(&a, &options, &b, &options, 15000);
    slider(&a, 0);
    slider(&b, 1);
    const prc_step_options sliding = generous(options.law);
    far[2] = difference(&a, &sliding, &b, &sliding, 10000);
    if (show())
      fprintf(stderr, "# law %d: block %.1e, corner %.1e, slider %.1e\n", law, far[0], far[1], far[2]);
    for (int k = 0; k < 3; k++) ck_assert_double_le(far[k], 1e-9);
  }
}
END_TEST

/* A new stepper goes on from a saved state as the old one would have: q, v, p are the same bits. */
static void resumes(rigid_case *c, prc_impact law, int at, int n_steps) {
  const prc_step_options options = rigid_options(law, 1e-4, 0.5);
  rigid_run run;
  prc_stepper *stepper = NULL;
  double v[3], m[3], f[3];
  rigid_run_open(&run, c, &options);
  rigid_run_steps(&run, at);
  support_ok(prc_stepper_create(run.system, &options, &stepper, &rigid_err), &rigid_err);
  prc_stepper_state(run.stepper, v, m, f);
  const prc_step_state from = {.step = at,
                               .q = run.q,
                               .v = v,
                               .m = m,
                               .f = f,
                               .speed = run.record->speed,
                               .n_contacts = run.record->n_contacts,
                               .id = run.record->contacts->id,
                               .p = run.record->p};
  support_ok(prc_stepper_resume(stepper, &from, &rigid_err), &rigid_err);
  const prc_step_record *r = prc_stepper_record(stepper);
  const size_t bytes = (size_t)(2 * r->n_contacts) * sizeof(double);
  ck_assert_int_eq(r->step, at);
  ck_assert_mem_eq(r->gap, run.record->gap, bytes / 2);
  for (int k = 0; k < n_steps; k++) {
    rigid_run_step(&run);
    support_ok(prc_stepper_step(stepper, &rigid_err), &rigid_err);
    prc_stepper_state(stepper, v, NULL, NULL);
    ck_assert_mem_eq(v, run.v, sizeof v);
    ck_assert_mem_eq(r->q, run.q, sizeof v);
    ck_assert_mem_eq(r->p, run.record->p, bytes);
    ck_assert_mem_eq(r->gap, run.record->gap, bytes / 2);
    ck_assert_mem_eq(r->u, run.record->u, bytes);
  }
  prc_stepper_free(&stepper);
  rigid_run_close(&run);
}

START_TEST(a_resumed_run_goes_on_with_the_same_bits) {
  static const int at[4] = {1, 892, 1300, 4321}; /* 892 and 1301 end with the first impacts of the block */
  const prc_impact law = _i == 0 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND;
  rigid_case c;
  for (int k = 0; k < 4; k++) {
    rigid_case_block(&c, 1.0 / 12.0);
    resumes(&c, law, at[k], 2000);
  }
  corner(&c, 0);
  resumes(&c, law, 13000, 2000); /* through the accumulation into rest */
  slider(&c, 0);
  resumes(&c, law, 1500, 2000); /* sliding on four points */
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("rigid_laws");
  TCase *random = tcase_create("random"), *agree = tcase_create("agree"), *same = tcase_create("same");
  tcase_set_timeout(random, 60);
  tcase_add_test(random, energy_never_grows_with_the_fremond_law);
  tcase_add_test(random, the_newton_law_creates_energy_in_some_steps);
  tcase_add_test(random, elastic_bouncing_without_friction_conserves_energy);
  suite_add_tcase(s, random);
  tcase_add_loop_test(agree, tangential_restitution_of_one_is_the_fremond_law, 0, 3);
  tcase_add_loop_test(agree, tangential_restitution_of_zero_is_the_newton_law, 0, 3);
  tcase_add_test(agree, tangential_restitution_reverses_part_of_the_slip);
  tcase_add_loop_test(agree, the_laws_coincide_at_theta_one, 0, 3);
  suite_add_tcase(s, agree);
  tcase_add_test(same, the_order_of_contacts_does_not_matter);
  tcase_add_loop_test(same, a_resumed_run_goes_on_with_the_same_bits, 0, 2);
  suite_add_tcase(s, same);
  return s;
}

int main(void) {
  return support_run(suite());
}

/* Two deformable bodies that strike and slide over each other: bars, a block on a floor, and what must not matter. */
#include "config.h"
#include "support/duet.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* ---- bars ---------------------------------------------------------------------------------------------------- */

/* Two bars of length 1 and speed of sound 1 that meet at v = 1: until the waves are back the force is Z1 Z2 / (Z1 + Z2) v. */
typedef struct {
  int sides, large;
  prc_fem_mass mass;
  double impedance; /* of the second, of the first 1 */
} bars;

typedef struct {
  double force, lost, velocity[2], uniform, work,
      residual; /* relative to the closed form; of percussions: worst */
} meeting;

static void make_bars(duet *d, const bars *b) {
  static const patch_box first = {0.0, 0.0, 1.0, 0.15, 0.0}, second = {1.0, 0.0, 1.0, 0.15, 0.0};
  const patch list[] = {{"a", b->sides, 2, 3, patch_in_box, &first},
                        {"b", b->sides, 3, 3, patch_in_box, &second}};
  duet_case(d, 2, list);
  d->model.mass = b->mass;
  for (int k = 0; k < 2; k++)
    d->material[k].young = d->material[k].density = k == 0 ? 1.0 : b->impedance, d->material[k].poisson = 0.0;
  duet_meet(d, "a.right", "b.left", 0.0)->small = !b->large;
  d->step.h = 0.5 / b->sides;
  d->step.cone.tolerance = 1e-13;
  if (b->large) d->step.scheme = "midpoint";
  duet_prepare(d);
  for (int k = 0; k < 2; k++) {
    const prc_mesh_group *g = prc_mesh_find(d->mesh, 2, k == 0 ? "a" : "b");
    for (int i = 0; i < g->n_nodes; i++) d->v0[2 * g->node[i]] = k == 0 ? 0.5 : -0.5;
  }
  duet_begin(d);
}

static double momentum(const duet *d, const char *body, int k) {
  const prc_mesh_group *g = prc_mesh_find(d->mesh, 2, body);
  double sum = 0.0;
  for (int i = 0; i < g->n_nodes; i++) sum += d->record->m[2 * g->node[i] + k];
  return sum;
}

/* The sum of normal forces; least and largest pressure, and the largest work of a contact. */
static double push_of(const duet *d, double range[2], double *work) {
  double sum = 0.0;
  range[0] = INFINITY, range[1] = 0.0;
  for (int c = 0; c < d->record->n_contacts; c++) {
    double t[2];
    duet_traction(d, c, t);
    sum += d->record->p[2 * c] / d->record->h;
    range[0] = fmin(range[0], t[0]), range[1] = fmax(range[1], t[0]);
    *work = fmax(*work, d->record->p[2 * c] * d->record->u_work[2 * c]);
  }
  return sum;
}

static meeting meet(const bars *b) {
  const double area = 0.15, Z = b->impedance, exact = Z / (1.0 + Z) * area;
  double sum = 0.0, range[2];
  int n = 0;
  meeting out = {0};
  duet d;
  make_bars(&d, b);
  const double energy = d.row->kinetic + d.row->elastic;
  for (int k = 0; k < 5 * b->sides; k++) {
    duet_step(&d, 1);
    const double t = d.record->t - 0.5 * d.record->h, push = push_of(&d, range, &out.work);
    out.residual = fmax(out.residual, fabs(d.row->balance_residual) / energy);
    if (t <= 0.2 || t >= 1.8) continue;
    sum += push / exact, n++;
    out.uniform = fmax(out.uniform, range[1] / range[0] - 1.0);
  }
  out.force = sum / n - 1.0;
  out.lost = 1.0 - (d.row->kinetic + d.row->elastic) / energy;
  out.velocity[0] = momentum(&d, "a", 0) / area, out.velocity[1] = momentum(&d, "b", 0) / (Z * area);
  ck_assert_double_eq_tol(momentum(&d, "a", 0) + momentum(&d, "b", 0), 0.5 * area * (1.0 - Z), 1e-12);
  duet_free(&d);
  return out;
}

/* Figures of shared/algorithms.md, G, on meshes 3:2 across. */
START_TEST(bars_meet) {
  static const struct {
    bars b;
    double force, lost; /* lost: times the number of sides */
  } all[] = {
      {{20, 0, PRC_MASS_CONSISTENT, 1.0}, 0.0051, 0.39}, {{40, 0, PRC_MASS_CONSISTENT, 1.0}, 6e-4, 0.39},
      {{80, 0, PRC_MASS_CONSISTENT, 1.0}, 5e-4, 0.39},   {{40, 1, PRC_MASS_CONSISTENT, 1.0}, 6e-4, 0.39},
      {{20, 0, PRC_MASS_LUMPED, 1.0}, 0.0014, 0.57},     {{80, 0, PRC_MASS_LUMPED, 1.0}, 1e-4, 0.57},
      {{40, 0, PRC_MASS_MODIFIED, 1.0}, 0.002, 0.04},    {{80, 0, PRC_MASS_MODIFIED, 1.0}, 4e-4, 0.08},
      {{80, 0, PRC_MASS_CONSISTENT, 4.0}, 6e-4, 0.39},   {{80, 0, PRC_MASS_MODIFIED, 4.0}, 4e-4, 0.08}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const bars *b = &all[k].b;
    const meeting m = meet(b);
    const double after[2] = {b->impedance == 1.0 ? -0.5 : -1.1, b->impedance == 1.0 ? 0.5 : -0.1};
    ck_assert_msg(fabs(m.force) <= all[k].force && fabs(m.lost) * b->sides <= all[k].lost,
                  "bars %zu: the force is off by %.2e, %.4f of the energy lost", k, m.force, m.lost);
    ck_assert_double_le(m.uniform, 1e-9);
    ck_assert_double_le(m.work, b->mass == PRC_MASS_MODIFIED ? 1e-14 : 1e-17);
    ck_assert_double_le(m.residual, 1e-14);
    for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(m.velocity[i], after[i], 0.8 / b->sides);
  }
}
END_TEST

/* ---- a block on a floor --------------------------------------------------------------------------------------- */

static const patch_box floor_box = {-0.6, -0.5, 2.6, 0.5, 0.0}, block_box = {0.0, 0.0, 0.5, 0.25, 0.0};

/* 0.5 x 0.25 under a pressure of 1 on a floor that it is not aligned with. */
static void make_block(duet *d, int n, double friction) {
  const patch list[] = {{"a", (int)(n * 3.47 + 0.5), 6, 3, patch_in_box, &floor_box},
                        {"b", n, n / 2, 3, patch_in_box, &block_box}};
  duet_case(d, 2, list);
  duet_hold(d, "a.bottom", 3, 0.0, 0.0);
  duet_press(d, "b.top", 1.0);
  duet_meet(d, "a.top", "b.bottom", friction)->small = 0;
}

static void start_block(duet *d, int n, double friction, double h) {
  duet s;
  make_block(&s, n, 0.0);
  s.model.damping_mass = 1.0; /* for its ways without strain */
  s.step.cone.tolerance = 1e-14;
  duet_solve(&s);
  duet_step(&s, 11);
  make_block(d, n, friction);
  d->step.scheme = "midpoint", d->step.h = h, d->step.law = PRC_IMPACT_FREMOND;
  duet_prepare(d);
  memcpy(d->q0, s.record->q, (size_t)d->system->space.nv * sizeof *d->q0);
  const prc_mesh_group *g = prc_mesh_find(d->mesh, 2, "b");
  for (int k = 0; k < g->n_nodes; k++) d->v0[2 * g->node[k]] = 1.0;
  duet_begin(d);
  duet_free(&s);
}

static double height_of(const duet *d) {
  const prc_mesh_group *g = prc_mesh_find(d->mesh, 2, "b");
  double sum = 0.0;
  for (int k = 0; k < g->n_nodes; k++) sum += d->record->q[2 * g->node[k] + 1] / g->n_nodes;
  return sum;
}

/* It slides by 1.2 of its length: the normal force has no ripple of the mesh, the block neither sinks nor loses energy, and no contact gives any. */
START_TEST(a_block_slides_evenly) {
  for (int n = 6; n <= 12; n *= 2) {
    double sum = 0.0, squares = 0.0, range[2], work = 0.0;
    const int steps = 600;
    duet d;
    start_block(&d, n, 0.0, 1e-3);
    const double energy = d.row->kinetic + d.row->elastic, height = height_of(&d);
    for (int k = 0; k < steps; k++) {
      duet_step(&d, 1);
      const double push = push_of(&d, range, &work);
      sum += push, squares += push * push;
      ck_assert_double_le(fabs(d.row->balance_residual), 1e-16);
    }
    const double mean = sum / steps, rough = sqrt(fmax(squares / steps - mean * mean, 0.0)) / mean;
    ck_assert_msg(fabs(mean - 0.5) <= 1e-4 && rough <= 0.004, "%d: force %.6f, rough by %.2e", n, mean,
                  rough);
    ck_assert_double_le(fabs(height_of(&d) - height), 1e-5);
    ck_assert_double_le(fabs(d.row->kinetic + d.row->elastic - energy), 1e-5);
    ck_assert_double_le(work, 1e-17);
    duet_free(&d);
  }
}
END_TEST

/* No entry of the certificate fails, but for rotations (8 degrees under the tool) and strains (a tenth there): elements are of small strain. */
static void expect_certificate(duet *d, const char *what) {
  prc_error err = {0};
  prc_step_drift drift;
  support_ok(prc_stepper_drift(d->stepper, &drift, &err), &err);
  prc_ledger_drift(d->ledger, d->record->step, &drift);
  const prc_certificate all = prc_ledger_certificate(d->ledger);
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++)
    ck_assert_msg(k == PRC_CERTIFY_ROTATION || k == PRC_CERTIFY_INDICATORS + PRC_INDICATOR_strain
                      || all.entry[k].verdict != PRC_FAIL,
                  "%s: %s is %.3e, expected at most %.3e", what, all.entry[k].name, all.entry[k].value,
                  all.entry[k].bound);
}

/* The same with friction, from sliding without: the block is braked by mu P, and everything is certified. */
START_TEST(friction_brakes_a_block) {
  double sum[2] = {0.0, 0.0}, before, after;
  duet d;
  start_block(&d, 12, 0.1, 1e-3);
  before = momentum(&d, "b", 0);
  for (int k = 0; k < 100; k++) {
    duet_step(&d, 1);
    for (int c = 0; c < d.record->n_contacts; c++)
      for (int r = 0; r < 2; r++) sum[r] += d.record->p[2 * c + r];
  }
  after = momentum(&d, "b", 0);
  ck_assert_double_eq_tol(sum[1], -0.1 * sum[0], 1e-12);
  ck_assert_double_eq_tol((after - before) / -sum[1], -1.0, 0.02); /* but for frames that the dents turn */
  expect_certificate(&d, "braked");
  duet_free(&d);
}
END_TEST

/* ---- ironing ---------------------------------------------------------------------------------------------------- */

static prc_status pressed(const prc_field *field, double x, double y, double t, double *value,
                          prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = -0.06 * fmin(t, 1.0);
  return PRC_OK;
}

static prc_status drawn(const prc_field *field, double x, double y, double t, double *value, prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = 2.0 * fmax(t - 1.0, 0.0);
  return PRC_OK;
}

/* The foot of a tool: an arc of radius 0.6, 0.8 wide. */
static void in_tool(const void *of, double u, double v, double x[2]) {
  const double way = 0.8 * (u - 0.5), low = 0.6 - sqrt(0.36 - way * way);
  (void)of;
  x[0] = way - 1.0, x[1] = low + v * (0.6 - low);
}

/* It is pressed into a block by 0.06, a tenth as stiff, and drawn over half of it, without inertia: the forces at the end. */
static void iron(int element, int n, int steps, double force[2]) {
  const patch_box a = {-2.0, -0.75, 4.0, 0.75, 0.0};
  const patch list[] = {{"a", 5 * n, n, element, patch_in_box, &a}, {"b", n, n / 2, element, in_tool, NULL}};
  duet d;
  duet_case(&d, 2, list);
  d.material[0].young = 1.0, d.material[1].young = 10.0;
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0), duet_hold(&d, "b.top", 3, 0.0, 0.0);
  d.support[1].displacement[0] = (prc_field){.eval = drawn, .uses_time = 1};
  d.support[1].displacement[1] = (prc_field){.eval = pressed, .uses_time = 1};
  duet_meet(&d, "a.top", "b.bottom", 0.3)->small = 0;
  d.step.scheme = "static", d.step.theta = 1.0, d.step.h = 1.0 / steps;
  duet_start(&d);
  duet_step(&d, 2 * steps);
  force[0] = force[1] = 0.0;
  for (int c = 0; c < d.record->n_contacts; c++)
    for (int r = 0; r < 2; r++) force[r] += d.record->p[2 * c + r] / d.record->h;
  expect_certificate(&d, "ironing");
  duet_free(&d);
}

/* Passes find the contacts of the end of a load step: how many steps there are does not matter, and the mesh next to nothing. */
START_TEST(ironing_does_not_depend_on_steps) {
  double coarse[2], fine[2], other[2];
  iron(3, 8, 20, coarse);
  iron(3, 8, 50, fine);
  for (int r = 0; r < 2; r++) ck_assert_double_eq_tol(coarse[r], fine[r], 1e-6 * fabs(fine[r]));
  ck_assert_double_eq_tol(coarse[1], -0.3 * coarse[0], 1e-9);
  iron(3, 16, 20, fine);
  iron(16, 16, 20, other);
  ck_assert_double_eq_tol(coarse[0], 0.04565, 1e-4);
  ck_assert_double_eq_tol(fine[0], 0.04565, 4e-5);
  ck_assert_double_eq_tol(other[0], 0.04565, 4e-5);
}
END_TEST

/* ---- over an edge --------------------------------------------------------------------------------------------------- */

/* A block that is pressed by `depth` onto the end of a floor goes 0.2 beyond the end and comes back: two fifths of it lie in the air for a while, and bulge. */
typedef struct {
  const char *scheme;
  double theta, h;
  int element, n;
  double friction, depth, time;
} trip;

/* In constant units of time. */
static prc_status over_and_back(const prc_field *field, double x, double y, double t, double *value,
                                prc_error *err) {
  (void)x, (void)y, (void)err;
  *value = 0.1 * (1.0 - cos(2.0 * acos(-1.0) * fmin(t / field->constant, 1.0)));
  return PRC_OK;
}

static void make_trip(duet *d, const trip *c, int moves) {
  static const patch_box a = {-1.0, -0.5, 1.6, 0.5, 0.0}, b = {0.0, 0.0, 0.5, 0.25, 0.0};
  const patch list[] = {{"a", (int)(c->n * 2.13 + 0.5), c->n / 2, c->element, patch_in_box, &a},
                        {"b", c->n, c->n / 2, c->element, patch_in_box, &b}};
  duet_case(d, 2, list);
  duet_hold(d, "a.bottom", 3, 0.0, 0.0), duet_hold(d, "b.top", 3, 0.0, -c->depth);
  if (moves)
    d->support[1].displacement[0] = (prc_field){.constant = c->time, .eval = over_and_back, .uses_time = 1};
  duet_meet(d, "a.top", "b.bottom", moves ? c->friction : 0.0)->small = 0;
}

/* The normal force at the start, and in the mean over a fifth of the time after the way back. */
static void travel(duet *d, const trip *c, double force[2]) {
  double range[2], work = 0.0;
  duet s;
  make_trip(&s, c, 0);
  s.step.cone.tolerance = 1e-13;
  duet_solve(&s);
  force[0] = push_of(&s, range, &work), force[1] = 0.0;
  make_trip(d, c, 1);
  d->step.scheme = c->scheme, d->step.theta = c->theta, d->step.h = c->h;
  duet_prepare(d);
  memcpy(d->q0, s.record->q, (size_t)d->system->space.nv * sizeof *d->q0);
  duet_free(&s);
  duet_begin(d);
  const int there = (int)(c->time / c->h + 0.5), after = there / 5;
  duet_step(d, there);
  for (int k = 0; k < after; k++) {
    duet_step(d, 1);
    force[1] += push_of(d, range, &work) / after;
  }
}

/* Without friction the block is in the end what it was at the start: so is its force. Left to u_N alone it had 1.7 to 3.9 % less. No contact gives energy on the
 * way. Slow ones take steps of 45 and 90 Courant steps. */
START_TEST(a_block_goes_over_an_edge_and_back) {
  static const trip all[] = {
      {"theta", 0.51, 1e-3, 3, 12, 0.0, 1e-3, 1.0},   {"theta", 0.51, 1e-3, 9, 8, 0.0, 5e-3, 1.0},
      {"theta", 0.51, 1e-3, 16, 8, 0.0, 1e-3, 1.0},   {"midpoint", 0.5, 1e-3, 3, 12, 0.0, 1e-3, 1.0},
      {"theta", 0.51, 0.05, 3, 12, 0.0, 1e-3, 100.0}, {"theta", 0.6, 0.1, 2, 12, 0.0, 1e-3, 100.0},
      {"position", 1.0, 1e-3, 3, 12, 0.0, 1e-3, 1.0}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    double force[2];
    duet d;
    travel(&d, &all[k], force);
    ck_assert_msg(fabs(force[1] / force[0] - 1.0) <= 5e-3, "trip %zu: the force was %.5f and is %.5f", k,
                  force[0], force[1]);
    expect_certificate(&d, all[k].scheme);
    duet_free(&d);
  }
}
END_TEST

/* With friction load steps say what it is then: 4.5 % more than it was without ramps. Friction has stopped elsewhere after waves than without: 1 %. */
START_TEST(so_it_does_with_friction) {
  static const trip slow = {"static", 1.0, 1e-2, 16, 8, 0.1, 5e-3, 1.0},
                    quick = {"theta", 0.51, 1e-3, 16, 8, 0.1, 5e-3, 1.0};
  double expected[2], force[2];
  duet d;
  travel(&d, &slow, expected);
  duet_free(&d);
  travel(&d, &quick, force);
  ck_assert_double_eq_tol(force[1], expected[1], 0.01 * expected[1]);
  expect_certificate(&d, "friction");
  duet_free(&d);
}
END_TEST

/* Steps of two thirds of a side: the block loses an eighth of its force, though no node is deeper than a fortieth of what the bodies may be by their size. */
START_TEST(what_a_slide_loses_is_certified) {
  static const trip far = {"theta", 0.51, 0.05, 3, 12, 0.0, 1e-3, 1.0};
  double force[2];
  duet d;
  travel(&d, &far, force);
  const prc_certificate all = prc_ledger_certificate(d.ledger);
  ck_assert_double_le(force[1], 0.9 * force[0]);
  ck_assert_int_eq(all.entry[PRC_CERTIFY_APPROACH].verdict, PRC_FAIL);
  ck_assert_int_eq(all.entry[PRC_CERTIFY_PENETRATION].verdict, PRC_PASS);
  duet_free(&d);
}
END_TEST

/* ---- in a corner ------------------------------------------------------------------------------------------------------ */

/* A block that a pressure from above and from the right holds in a corner, on a floor and at a wall that share its corner node, with friction. Where loads rest a load step moves by the
 * error of its contact problems, and that is nothing to wait for. */
START_TEST(load_steps_rest_in_a_corner) {
  static const patch_box a = {-0.5, -0.5, 2.0, 0.5, 0.0}, w = {-0.5, 0.0, 0.5, 1.5, 0.0},
                         b = {0.0, 0.0, 1.0, 1.0, 0.0};
  for (int k = 0; k < 4; k++) {
    const int element = k % 2 ? 9 : 3, n = k < 2 ? 4 : 8;
    const patch list[] = {{"a", (int)(1.7 * n), n / 2, element, patch_in_box, &a},
                          {"w", n / 2, (int)(1.3 * n), element, patch_in_box, &w},
                          {"b", n, n, element, patch_in_box, &b}};
    double load[2] = {0.0, 0.0};
    duet d;
    duet_case(&d, 3, list);
    duet_hold(&d, "a.bottom", 3, 0.0, 0.0), duet_hold(&d, "w.left", 3, 0.0, 0.0);
    duet_press(&d, "b.top", 1.0), duet_press(&d, "b.right", 1.0);
    duet_meet(&d, "a.top", "b.bottom", 0.3)->small = 0;
    duet_meet(&d, "w.right", "b.left", 0.3)->small = 0;
    d.step.scheme = "static", d.step.theta = 1.0, d.step.h = 1.0;
    d.model.damping_mass = 1e-3; /* for its ways without strain */
    duet_start(&d);
    for (int i = 0; i < 4; i++) {
      duet_step(&d, 1);
      ck_assert_msg(d.record->cone.converged && d.record->change <= d.record->tolerance
                        && d.record->passes < 12,
                    "%d, step %d: after %d passes %.2g changes", k, i, d.record->passes, d.record->change);
    }
    for (int c = 0; c < d.record->n_contacts;
         c++) { /* n and t of the floor are up and right, of the wall right and down */
      const double *p = d.record->p + 2 * c;
      const int wall = d.record->contacts->id[c].a == 1;
      load[0] += wall ? p[0] : p[1], load[1] += wall ? -p[1] : p[0];
    }
    for (int r = 0; r < 2; r++) ck_assert_double_eq_tol(load[r], 1.0, 2e-3); /* frames turn by the dents */
    expect_certificate(&d, "corner");
    duet_free(&d);
  }
}
END_TEST

/* ---- what must not matter ----------------------------------------------------------------------------------------- */

/* A block that strikes a softer floor obliquely and slides over it. */
typedef struct {
  double angle, length, mass, time; /* units: what one is in those in use */
  int mirrored, exchanged;
} setting;

enum { SHOWN = 24 };
static void strike(const setting *s, double shown[SHOWN]) {
  const double L = s->length, x = s->mirrored ? -0.35 : 0.0, c = cos(s->angle), n = sin(s->angle);
  const patch_box a = {-0.6 * L, -0.3 * L, 1.2 * L, 0.3 * L, s->angle},
                  b = {x * L, 0.01 * L, 0.35 * L, 0.25 * L, s->angle};
  const patch list[] = {{"a", 17, 4, 3, patch_in_box, &a}, {"b", 7, 5, 3, patch_in_box, &b}};
  const double v[2] = {(s->mirrored ? 0.8 : -0.8) * L / s->time, -0.5 * L / s->time};
  const double force = s->mass * L / (s->time * s->time);
  duet d;
  duet_case(&d, 2, list);
  d.model.thickness = L;
  for (int k = 0; k < 2; k++) {
    d.material[k].young = (k == 0 ? 300.0 : 1000.0) * s->mass / (L * s->time * s->time);
    d.material[k].density = s->mass / (L * L * L);
  }
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0);
  prc_fem_interface *f =
      s->exchanged ? duet_meet(&d, "b.bottom", "a.top", 0.2) : duet_meet(&d, "a.top", "b.bottom", 0.2);
  f->small = 0;
  d.step.scheme = "midpoint", d.step.h = 2e-3 * s->time, d.step.law = PRC_IMPACT_FREMOND;
  duet_prepare(&d);
  const prc_mesh_group *g = prc_mesh_find(d.mesh, 2, "b");
  for (int k = 0; k < g->n_nodes; k++)
    d.v0[2 * g->node[k]] = c * v[0] - n * v[1], d.v0[2 * g->node[k] + 1] = n * v[0] + c * v[1];
  duet_begin(&d);
  for (int k = 0; k < SHOWN; k++) {
    double sum[2] = {0.0, 0.0};
    for (int i = 0; i < 5; i++) {
      duet_step(&d, 1);
      for (int q = 0; q < d.record->n_contacts; q++)
        for (int r = 0; r < 2; r++) sum[r] += d.record->p[2 * q + r] / d.record->h / force / 5.0;
      ck_assert_double_le(fabs(d.row->balance_residual), 1e-13 * force * L);
    }
    shown[k] = k % 2 ? sum[0] : s->mirrored ? -sum[1] : sum[1];
  }
  duet_free(&d);
}

static void expect_same(const double *one, const double *other, double tolerance, const char *what) {
  double difference = 0.0, size = 0.0;
  for (int k = 0; k < SHOWN; k++) difference += pow(one[k] - other[k], 2.0), size += one[k] * one[k];
  ck_assert_double_gt(size, 0.0);
  ck_assert_msg(sqrt(difference / size) <= tolerance, "%s: off by %.3e", what, sqrt(difference / size));
}

START_TEST(settings_do_not_matter) {
  const setting plain = {0.0, 1.0, 1.0, 1.0, 0, 0};
  setting turned = plain, mirrored = plain, units = plain, exchanged = plain;
  double one[SHOWN], other[SHOWN];
  turned.angle = 37.0 * acos(-1.0) / 180.0, mirrored.mirrored = 1, exchanged.exchanged = 1;
  units.length = 1e3, units.mass = 1e3, units.time = 1e-3;
  strike(&plain, one);
  strike(&turned, other);
  expect_same(one, other, 1e-8, "turned");
  strike(&mirrored, other);
  expect_same(one, other, 1e-8, "mirrored");
  strike(&units, other);
  expect_same(one, other, 1e-8, "units");
  strike(&exchanged, other);
  expect_same(one, other, 0.05, "exchanged");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sliding");
  TCase *known = tcase_create("known"), *same = tcase_create("same");
  tcase_add_test(known, bars_meet);
  tcase_add_test(known, a_block_slides_evenly);
  tcase_add_test(known, friction_brakes_a_block);
  tcase_add_test(known, ironing_does_not_depend_on_steps);
  tcase_add_test(known, a_block_goes_over_an_edge_and_back);
  tcase_add_test(known, so_it_does_with_friction);
  tcase_add_test(known, what_a_slide_loses_is_certified);
  tcase_add_test(known, load_steps_rest_in_a_corner);
  tcase_add_test(same, settings_do_not_matter);
  tcase_set_timeout(known, 60);
  suite_add_tcase(suite, known);
  suite_add_tcase(suite, same);
  return support_run(suite);
}

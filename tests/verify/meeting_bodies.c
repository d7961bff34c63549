/* Rigid bodies that meet rigid bodies, against closed forms: impacts, cradles, stacks, slopes, cells that repeat, and the scheme on
 * positions. */
#include "config.h"
#include "measure/measure.h"
#include "support/crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, up[2] = {0.0, 1.0}, zero[2] = {0.0, 0.0};

/* The certificate passes; else what failed is said. */
static int all_pass(const crowd *c) {
  const prc_certificate certificate = prc_ledger_certificate(c->ledger);
  int pass = 1;
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++) {
    const prc_certificate_entry *entry = &certificate.entry[k];
    if (entry->verdict != PRC_FAIL) continue;
    fprintf(stderr, "%s: %g, expected %g\n", entry->name, entry->value, entry->bound);
    pass = 0;
  }
  return pass;
}

/* ---- impacts -------------------------------------------------------------------------------------------------------- */

/* Smooth discs of masses m and M, on a line that is turned: u' = -e u along it, momentum is kept, nothing turns. */
START_TEST(two_discs_part_with_the_restitution) {
  const double e = 0.25 * (_i % 5), angle = 0.7 * (_i / 5), n[2] = {cos(angle), sin(angle)};
  crowd c = {0};
  const int a = crowd_disc(&c, 0.0, 0.0, 1.0), b = crowd_disc(&c, 1.6 * n[0], 1.6 * n[1], 0.5);
  c.body[a].velocity[0] = 2.0 * n[0], c.body[a].velocity[1] = 2.0 * n[1];
  c.body[b].velocity[0] = -n[0], c.body[b].velocity[1] = -n[1];
  crowd_meet(&c, 0.0, e);
  const prc_step_options o = crowd_options(1e-3, 0.5, PRC_IMPACT_NEWTON);
  double before[3], after[3];
  crowd_open(&c, &o);
  crowd_momentum(&c, before);
  crowd_steps(&c, 60);
  crowd_momentum(&c, after);
  const double *v = c.r->v, u_a = v[0] * n[0] + v[1] * n[1], u_b = v[3] * n[0] + v[4] * n[1];
  ck_assert_double_eq_tol(u_b - u_a, 3.0 * e, 1e-9);
  const double mean = (2.0 - 0.25) / 1.25; /* of both, by masses 1 : 1/4 */
  ck_assert_double_eq_tol(u_a, mean - 3.0 * e * 0.2, 1e-9);
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(after[k], before[k], 1e-12);
  ck_assert(fabs(v[2]) < 1e-14 && fabs(v[5]) < 1e-14 && all_pass(&c));
  crowd_close(&c);
}
END_TEST

/* Three equal discs in a row, the first at speed 1, e = 1. Touching, Moreau's law gives all three one impact: (-1/3, 2/3, 2/3). With gaps
 * that close in steps of their own the impacts follow one another: (0, 0, 1). Both are right for what they model. */
START_TEST(a_cradle_is_one_impact_or_several) {
  const double gap = 0.05 * _i, expected[2][3] = {{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, {0.0, 0.0, 1.0}};
  crowd c = {0};
  for (int b = 0; b < 3; b++) (void)crowd_disc(&c, b > 0 ? 1.1 + (b - 1) * (1.0 + gap) : 0.0, 0.3, 0.5);
  c.body[0].velocity[0] = 1.0;
  crowd_meet(&c, 0.0, 1.0);
  const prc_step_options o = crowd_options(1e-2, 0.5, PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  crowd_steps(&c, 100);
  for (int b = 0; b < 3; b++) ck_assert_double_eq_tol(c.r->v[3 * b], expected[_i][b], 1e-9);
  ck_assert(all_pass(&c));
  crowd_close(&c);
}
END_TEST

/* ---- stacks ----------------------------------------------------------------------------------------------------------- */

/* The sum of the normal percussions between two bodies. */
static double force_between(const crowd *c, int a, int b) {
  double sum = 0.0;
  for (int k = 0; k < c->r->n_contacts; k++) {
    const int *body = c->r->contacts->body + 2 * k;
    if ((body[0] == a && body[1] == b) || (body[0] == b && body[1] == a)) sum += c->r->p[2 * k];
  }
  return sum / c->r->h;
}

/* A heavy box on a light one on the floor: forces are the weights above, and nothing moves. */
START_TEST(heavy_on_light_rests) {
  const double ratio[] = {1.0, 10.0, 100.0, 1000.0}, g = 9.81;
  crowd c = {0};
  const int floor = crowd_half_plane(&c, zero, up);
  const int light = crowd_box(&c, 0.0, 0.5, 1.0, 1.0), heavy = crowd_box(&c, 0.0, 1.5, 1.0, 1.0);
  c.body[heavy].mass *= ratio[_i % 4], c.body[heavy].inertia *= ratio[_i % 4];
  crowd_gravity(&c, 0.0, -g);
  crowd_meet(&c, 0.5, 0.0);
  const prc_step_options o = crowd_options(1e-3, 0.5, _i < 4 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  crowd_steps(&c, 200);
  const double weight = g * (1.0 + ratio[_i % 4]);
  ck_assert_double_eq_tol(force_between(&c, floor, light), weight, 1e-8 * weight);
  ck_assert_double_eq_tol(force_between(&c, light, heavy), g * ratio[_i % 4], 1e-8 * weight);
  ck_assert_double_eq_tol(c.r->q[3 * heavy + 1], 1.5, 1e-9);
  ck_assert_double_eq_tol(c.r->q[3 * heavy + 2], 0.0, 1e-9);
  ck_assert(all_pass(&c));
  crowd_close(&c);
}
END_TEST

/* A box that stands beside the middle of a table's edge falls over; one that slides over the edge hands its contacts on: the sum of the
 * forces is the weight as long as its centre is over the table. */
START_TEST(a_corner_hands_on_what_it_carries) {
  const double g = 9.81, v = 0.5;
  crowd c = {0};
  const int table = crowd_box(&c, -5.0, -0.5, 10.0, 1.0), box = crowd_box(&c, -0.7, 0.25, 1.0, 0.5);
  crowd_fix(&c, table);
  c.body[box].velocity[0] = v;
  crowd_gravity(&c, 0.0, -g);
  crowd_meet(&c, 0.0, 0.0);
  const prc_step_options o = crowd_options(1e-3, 0.5, PRC_IMPACT_NEWTON);
  crowd_open(&c, &o);
  for (int k = 0; k < 1300; k++) {
    crowd_steps(&c, 1);
    ck_assert_double_eq_tol(force_between(&c, table, box), 0.5 * g, 1e-6);
  }
  ck_assert_double_eq_tol(c.r->q[3 * box + 1], 0.25, 1e-9);
  ck_assert(c.r->q[3 * box] < 0.0 && c.r->q[3 * box] > -0.1);
  crowd_steps(&c, 500);
  ck_assert(c.r->q[3 * box + 2] < -0.01 && all_pass(&c)); /* it tips over the edge */
  crowd_close(&c);
}
END_TEST

/* Discs that roll on a box that is drawn: closed forms of benchmarks in mechanics, bodies a / 3. */
START_TEST(carried_discs_roll) {
  enum { N = 25 };
  const double g = 9.81;
  crowd c = {0};
  const double points[8] = {-6.0, -0.1, 6.0, -0.1, 6.0, 0.1, -6.0, 0.1};
  const int floor = crowd_half_plane(&c, zero, up), box = crowd_polygon(&c, 0.0, 0.1, 0.0, 4, points);
  c.body[box].mass = 10.0, c.body[box].inertia = 1000.0;
  int disc[N];
  for (int k = 0; k < N; k++) {
    disc[k] = crowd_disc(&c, -0.2 + 0.25 * k, 0.3, 0.1);
    c.body[disc[k]].mass = 1.0, c.body[disc[k]].inertia = 0.005;
  }
  c.body[box].force[0] = prc_field_constant(150.0);
  crowd_gravity(&c, 0.0, -g);
  crowd_meet(&c, 0.8, 0.0);
  const int of_floor[] = {floor}, of_box[] = {box};
  prc_rigid_pairs pairs[2] = {{.name = "floor", .n = {1, 1}, .body = {of_floor, of_box}, .friction = 0.4},
                              c.pairs[0]};
  free(c.pairs);
  c.pairs = malloc(sizeof pairs);
  ck_assert_ptr_nonnull(c.pairs);
  memcpy(c.pairs, pairs, sizeof pairs);
  c.model.n_pairs = 2;
  const prc_step_options o = crowd_options(1e-2, 0.5, PRC_IMPACT_NEWTON);
  crowd_open(&c, &o);
  crowd_steps(&c, 400);
  const double a = (150.0 - 0.4 * 35.0 * g) / (10.0 + N / 3.0);
  ck_assert_double_eq_tol(c.r->v[3 * box], 4.0 * a, 1e-6);
  for (int k = 0; k < N; k++) ck_assert_double_eq_tol(c.r->v[3 * disc[k]], 4.0 * a / 3.0, 1e-6);
  ck_assert(all_pass(&c));
  crowd_close(&c);
}
END_TEST

/* ---- orders, cells, resumption ------------------------------------------------------------------------------------------ */

enum { GRAINS = 40 };

/* Grains of three kinds that fall into a corner; body b of the list is grain order[b]. */
static void heap(crowd *c, const int *order, double shift) {
  const double right[2] = {1.0, 0.0}, at[2] = {shift, 0.0};
  memset(c, 0, sizeof *c);
  for (int b = 0; b < GRAINS; b++) {
    const int i = order ? order[b] : b;
    const double x = shift + 0.7 + 1.2 * (i % 8) + 0.11 * (i / 8), y = 0.8 + 1.2 * (i / 8);
    const double triangle[6] = {-0.4, -0.3, 0.4, -0.3, 0.0, 0.6};
    int body;
    if (i % 3 == 0) body = crowd_disc(c, x, y, 0.3 + 0.01 * (i % 7));
    if (i % 3 == 1) body = crowd_box(c, x, y, 0.8, 0.5 + 0.02 * (i % 5));
    if (i % 3 == 2) body = crowd_polygon(c, x, y, 0.0, 3, triangle);
    c->body[b].angle = 0.3 * i;
    (void)body;
  }
  (void)crowd_half_plane(c, zero, up);
  (void)crowd_half_plane(c, at, right);
  crowd_gravity(c, -2.0, -9.81);
  crowd_meet(c, 0.4, 0.0);
}

/* The order of bodies in the list decides about nothing but rounding, and that is what parts the runs; before it grows they agree. */
START_TEST(bodies_in_any_order_move_alike) {
  int order[GRAINS];
  crowd straight, shuffled;
  for (int b = 0; b < GRAINS; b++) order[b] = (17 * b + 5) % GRAINS;
  heap(&straight, NULL, 0.0), heap(&shuffled, order, 0.0);
  prc_step_options o = crowd_options(5e-4, 0.5, PRC_IMPACT_FREMOND);
  o.cone.tolerance = 1e-13, o.cone.max_iterations = 100000;
  crowd_open(&straight, &o), crowd_open(&shuffled, &o);
  crowd_steps(&straight, 1100), crowd_steps(&shuffled, 1100);
  for (int b = 0; b < GRAINS; b++)
    for (int k = 0; k < 3; k++)
      ck_assert_double_eq_tol(shuffled.r->q[3 * b + k], straight.r->q[3 * order[b] + k], 1e-6);
  ck_assert(straight.r->n_active > 20 && all_pass(&straight));
  crowd_close(&straight), crowd_close(&shuffled);
}
END_TEST

/* What the last step leaves of its contacts, for a run to go on from. */
typedef struct {
  double *q, *p, *state, *place;
  prc_contact_id *id;
  prc_step_state of;
} kept;

static kept keep(const prc_step_record *r) {
  const size_t n = (size_t)r->n, m = (size_t)r->n_contacts + 1;
  kept k = {.q = malloc(4 * n * sizeof(double)),
            .p = malloc(2 * m * sizeof(double)),
            .state = calloc(m * PRC_LAW_STATE, sizeof(double)),
            .place = malloc(3 * m * sizeof(double)),
            .id = malloc(m * sizeof(prc_contact_id))};
  ck_assert(k.q && k.p && k.state && k.place && k.id);
  memcpy(k.q, r->q, n * sizeof *k.q), memcpy(k.q + n, r->v, n * sizeof *k.q);
  memcpy(k.q + 2 * n, r->m, n * sizeof *k.q), memcpy(k.q + 3 * n, r->f, n * sizeof *k.q);
  k.of = (prc_step_state){.step = r->step, .q = k.q, .v = k.q + n, .m = k.q + 2 * n, .f = k.q + 3 * n};
  k.of.speed = r->speed, k.of.id = k.id, k.of.p = k.p, k.of.state = k.state, k.of.place = k.place;
  for (int c = 0; c < r->n_contacts; c++) {
    if (r->p[2 * c] == 0.0 && r->p[2 * c + 1] == 0.0) continue;
    memcpy(k.p + 2 * k.of.n_contacts, r->p + 2 * c, 2 * sizeof *k.p);
    memcpy(k.place + 3 * k.of.n_contacts, r->contacts->place + 3 * c, 3 * sizeof *k.place);
    k.id[k.of.n_contacts++] = r->contacts->id[c];
  }
  return k;
}

static void let_go(kept *k) {
  free(k->q), free(k->p), free(k->state), free(k->place), free(k->id);
}

/* From every other step, so also from those whose contacts hand on what they carry at the beginning of the next. */
START_TEST(a_run_that_is_resumed_gives_the_same_bytes) {
  crowd whole, part;
  int heirs = 0;
  heap(&whole, NULL, 0.0), heap(&part, NULL, 0.0);
  const prc_step_options o = crowd_options(2e-3, 0.5, PRC_IMPACT_FREMOND);
  crowd_open(&whole, &o), crowd_open(&part, &o);
  crowd_steps(&whole, 300);
  ck_assert_int_gt(whole.r->n_active, 20);
  for (int k = 0; k < 200; k++) {
    crowd_steps(&whole, 1);
    kept state = keep(whole.r);
    support_ok(prc_stepper_resume(part.stepper, &state.of, &crowd_err), &crowd_err);
    crowd_steps(&whole, 1);
    heirs += whole.r->contacts->n_heirs;
    support_ok(prc_stepper_step(part.stepper, &crowd_err), &crowd_err);
    ck_assert_mem_eq(part.r->q, whole.r->q, (size_t)whole.r->n * sizeof(double));
    ck_assert_mem_eq(part.r->v, whole.r->v, (size_t)whole.r->n * sizeof(double));
    let_go(&state);
  }
  ck_assert_int_gt(heirs, 2);
  crowd_close(&whole), crowd_close(&part);
}
END_TEST

/* ---- penetrations --------------------------------------------------------------------------------------------------------- */

/* What fails more than once is counted where the least size of the present contacts lets it: small ones that have gone do not matter, as a
 * run that is resumed does not know them. */
START_TEST(the_least_size_is_that_of_the_present_contacts) {
  crowd c = {0};
  (void)crowd_half_plane(&c, zero, up);
  (void)crowd_box(&c, 0.0, 0.5, 1.0, 1.0);
  for (int k = 0; k < 2; k++) {
    const int b = crowd_disc(&c, 5.0 + 0.05 * k, 5.0, 0.025);
    c.body[b].velocity[0] = k ? 1.0 : -1.0;
  }
  crowd_gravity(&c, 0.0, -1.0);
  crowd_meet(&c, 0.0, 0.0);
  const prc_step_options o = crowd_options(1e-2, 0.5, PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  ck_assert_double_eq_tol(c.r->size_least, 0.05, 1e-15);
  crowd_steps(&c, 40);
  ck_assert_double_eq_tol(c.r->size_least, sqrt(2.0), 1e-12);
  crowd_close(&c);
}
END_TEST

/* A plate falls flat through another in one step. It is then no hundredth of its length behind it, but more than three times as thick as
 * both are: that must not pass, in any units, whichever of the two is thin. */
START_TEST(plates_that_pass_through_each_other_do_not_pass) {
  const double unit = _i % 2 ? 0x1p10 : 1.0, thick = _i < 2 ? 1e-3 : 0.3;
  crowd c = {0};
  const int below = crowd_box(&c, 0.0, -0.5 * unit * thick, unit, unit * thick);
  const int plate = crowd_box(&c, 0.0, 5e-3 * unit, unit, 1e-3 * unit);
  crowd_fix(&c, below);
  c.body[plate].velocity[1] = -4.0 * unit;
  crowd_meet(&c, 0.3, 0.0);
  const prc_step_options o = crowd_options(2e-3, 0.5, PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  crowd_steps(&c, 4);
  const prc_certificate_entry penetration = prc_ledger_certificate(c.ledger).entry[PRC_CERTIFY_PENETRATION];
  ck_assert_int_eq(penetration.verdict, PRC_FAIL);
  ck_assert_double_ge(penetration.value, 3.5e-3 * unit * (1.0 - 1e-12));
  ck_assert_double_eq_tol(penetration.bound, 0.5 * 1e-3 * unit, 1e-12 * unit); /* half of what is thin */
  crowd_close(&c);
}
END_TEST

/* A box falls on tiles and slides over them: what it was let in by goes with it from tile to tile. Its depth is that of a body in free fall, whose first step goes theta h^2 g and
 * each other h^2 g more, found late, and goes half of its last step more, by theta = 1/2. */
START_TEST(what_slides_over_tiles_takes_its_depth_along) {
  const double tile[8] = {-0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1, 0.1},
               box[8] = {-0.25, -0.15, 0.25, -0.15, 0.25, 0.15, -0.25, 0.15}, h = 0.01, g = 9.81;
  crowd c = {0};
  for (int k = 0; k < 15; k++) crowd_fix(&c, crowd_polygon(&c, -0.5 + 0.2 * (k + 0.5), -0.1, 0.0, 4, tile));
  const int mover = crowd_polygon(&c, 0.0, 0.152, 0.0, 4, box);
  c.body[mover].velocity[0] = 1.7;
  crowd_gravity(&c, 0.0, -g);
  crowd_meet(&c, 0.0, 0.0);
  const prc_step_options o = crowd_options(h, 0.5, PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  crowd_steps(&c, 50);
  double gap = 0.002, v = 0.0;
  while (gap > 0.0) gap -= h * (v + 0.5 * h * g), v += h * g;
  gap -= 0.5 * h * v;
  const prc_certificate_entry penetration = prc_ledger_certificate(c.ledger).entry[PRC_CERTIFY_PENETRATION];
  ck_assert_double_eq_tol(c.r->q[3 * mover + 1] - 0.15, gap, 1e-9);
  ck_assert_double_gt(-gap, 0.01 * sqrt(0.08)); /* deeper than a hundredth of a tile */
  ck_assert_int_eq(penetration.verdict, PRC_PASS);
  crowd_close(&c);
}
END_TEST

/* Discs that are 2 % of one in the other: more than the speed explains by which they close, or passed by each other. */
START_TEST(what_no_speed_explains_is_too_deep) {
  const double speed = 0.02, depth = 0.02, way = _i % 2 ? 0.5 : 0.0, h = 1e-3;
  crowd c = {0};
  for (int k = 0; k < 2; k++) {
    const int b = crowd_disc(&c, (k ? 0.5 : -0.5) * (1.0 - depth), 0.0, 0.5);
    c.body[b].velocity[0] = k ? -speed : speed, c.body[b].velocity[1] = k ? way : -way;
  }
  if (_i / 2) c.body[0].velocity[1] -= 1.0, c.body[1].velocity[1] -= 1.0;
  crowd_meet(&c, 0.0, 0.0);
  const prc_step_options o = crowd_options(h, 0.5, PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  crowd_steps(&c, 10);
  const prc_certificate_entry penetration = prc_ledger_certificate(c.ledger).entry[PRC_CERTIFY_PENETRATION];
  ck_assert_int_eq(penetration.verdict, PRC_FAIL);
  ck_assert_double_eq_tol(penetration.bound, 0.01, 1e-12);
  ck_assert_double_ge(penetration.value, depth);
  crowd_close(&c);
}
END_TEST

/* A cell along x: a grain far outside is the same grain; momentum along the cell changes by gravity and the floor alone. */
static void layer(crowd *c, int moved) {
  enum { N = 12 };
  memset(c, 0, sizeof *c);
  (void)crowd_half_plane(c, zero, up);
  for (int b = 0; b < N; b++) {
    const int cells = moved ? (b * 7) % 5 - 2 : 0;
    const int i = crowd_disc(c, 0.5 + b % 4 + 0.03 * b + 4.5 * cells, 0.6 + 1.02 * (b / 4), 0.5);
    c->body[i].velocity[0] = 0.4 * (b / 4);
  }
  c->model.period[0] = 4.5;
  crowd_gravity(c, 0.5, -9.81);
  crowd_meet(c, 0.3, 0.0);
}

START_TEST(grains_in_a_cell_are_the_same_wherever_they_are_wrapped) {
  crowd here, there;
  prc_step_options o = crowd_options(2e-3, 0.5, PRC_IMPACT_FREMOND);
  o.cone.tolerance = 1e-13;
  layer(&here, 0), layer(&there, 1);
  crowd_open(&here, &o), crowd_open(&there, &o);
  double before[3], after[3], floor = 0.0;
  crowd_momentum(&here, before);
  for (int k = 0; k < 400; k++) {
    crowd_steps(&here, 1), crowd_steps(&there, 1);
    for (int i = 0; i < here.r->n_contacts; i++) {
      const double *H = here.r->contacts->H.x + 2 * here.r->contacts->H.start[i];
      const int *body = here.r->contacts->body + 2 * i;
      if (body[0] == 0 || body[1] == 0) floor += here.r->p[2 * i + 1] * (body[1] == 0 ? -1.0 : 1.0);
      (void)H;
    }
  }
  for (int i = 3; i < here.r->n; i++) {
    ck_assert_double_eq_tol(here.r->v[i], there.r->v[i], 1e-7);
  }
  crowd_momentum(&here, after);
  double mass = 0.0;
  for (int b = 1; b < here.model.n_bodies; b++) mass += here.body[b].mass;
  ck_assert_double_eq_tol(after[0] - before[0], mass * 0.5 * 0.8 + floor, 1e-9);
  ck_assert(all_pass(&here) && all_pass(&there));
  crowd_close(&here), crowd_close(&there);
}
END_TEST

/* ---- the scheme on positions -------------------------------------------------------------------------------------------- */

/* Spheres of radii 0.8 to 1.2 r_0 fall as one onto a floor, three diameters a step, without gravity or friction (Maury 2006, section 6.3; data
 * of the table below: an interior-point solution of the quadratic programme of each step agrees to 3e-7). */
START_TEST(a_cluster_of_spheres_falls_on_the_floor) {
  enum { NX = 20, NZ = 10 };
  static const double kinetic[] = {47.389822, 9.404096, 8.064383, 7.542672, 7.387851},
                      momentum[] = {-133.202809, -30.562371, -20.127627, -14.735916, -12.942017},
                      height[] = {0.12484447, 0.11018969, 0.10053841, 0.09347247, 0.08726672};
  const double r_0 = 0.015, pitch = 2.4 * r_0;
  crowd c = {0};
  double mass = 0.0;
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NX; j++) {
      const double whole = 0.6180339887498949 * (j + NX * k + 1),
                   r = r_0 * (0.8 + 0.4 * (whole - floor(whole)));
      const int b =
          crowd_disc(&c, (j + 0.5 * (k % 2)) * pitch, 0.03 + 1.2 * r_0 + k * pitch * sqrt(3.0) / 2.0, r);
      c.body[b].mass = pow(r / r_0, 3.0), c.body[b].inertia = 1.0;
      c.body[b].velocity[1] = -1.0;
      mass += c.body[b].mass;
    }
  (void)crowd_half_plane(&c, zero, up);
  crowd_meet(&c, 0.0, 0.0);
  prc_step_options o = crowd_options(0.1, 1.0, PRC_IMPACT_FREMOND);
  o.scheme = "position", o.cone.tolerance = 1e-11, o.cone.max_iterations = 200000;
  crowd_open(&c, &o);
  ck_assert_double_eq_tol(mass, 208.548776872, 1e-8);
  for (int k = 0; k < 10; k++) {
    double p[3], z = 0.0;
    crowd_steps(&c, 1);
    crowd_momentum(&c, p);
    for (int b = 0; b < NX * NZ; b++) z += c.body[b].mass * c.r->q[3 * b + 1] / mass;
    for (int i = 0; i < c.r->n_contacts; i++) ck_assert_double_ge(c.r->gap[i], -1e-9);
    ck_assert_double_le(fabs(p[0]), 1e-9);
    if (k < 5) {
      ck_assert_double_eq_tol(crowd_kinetic(&c), kinetic[k], 1e-6 * kinetic[k]);
      ck_assert_double_eq_tol(p[1], momentum[k], -1e-6 * momentum[k]);
      ck_assert_double_eq_tol(z, height[k], 1e-6 * height[k]);
    } else if (k == 9) {
      ck_assert_double_eq_tol(crowd_kinetic(&c), 6.886571, 1e-5);
      ck_assert_double_eq_tol(p[1], -5.292343, 2e-5);
      ck_assert_double_eq_tol(z, 0.06965239, 1e-7);
    }
  }
  ck_assert(all_pass(&c));
  crowd_close(&c);
}
END_TEST

/* A bar that turns in a cell shorter than itself hits its own image with both ends. What it loses is its own, once. */
START_TEST(a_bar_that_hits_its_own_image_works_once) {
  crowd c = {0};
  const int bar = crowd_box(&c, 0.0, 0.0, 0.1, 1.0), dof = 0;
  c.body[bar].velocity[1] = 0.5, c.body[bar].spin = 1.0;
  c.model.period[0] = 0.9;
  crowd_meet(&c, 0.0, 0.0);
  prc_step_options o = crowd_options(1e-3, 0.5, PRC_IMPACT_FREMOND);
  o.directions = PRC_DIRECTIONS_START; /* where what the impact leaves is zero to rounding, and not to O(h) */
  const prc_measure_body of = {.group = 0};
  prc_measure_work sum[2] = {{0}};
  crowd_open(&c, &o);
  for (int k = 0; k < 1500; k++) {
    crowd_steps(&c, 1);
    prc_measure_add_works(c.r, 1, &of, &dof, 1, sum);
  }
  const double lost = -prc_ledger_now(c.ledger)->work_contact_normal;
  ck_assert_double_eq_tol(lost, 0.5 * c.body[bar].inertia, 1e-9);
  ck_assert_double_eq_tol(sum[0].normal, -lost, 0.01 * lost);
  ck_assert_double_eq_tol(c.r->v[1], 0.5, 1e-12);
  ck_assert_double_eq_tol(c.r->v[2], 0.0, 1e-9);
  crowd_close(&c);
}
END_TEST

static prc_status value_of_time(const prc_field *field, double x, double y, double t, double *out,
                                prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *out = t;
  return PRC_OK;
}

/* A floor turns under a plank of 10 m at 1/s. In a step of 0.01 s it comes up by 0.05 m at the end of the plank, 0.01 m above it: gaps
 * at the end of the step are what the scheme looks at, so that is a contact, though the floor rests under the middle of the plank. */
START_TEST(a_floor_that_turns_reaches_the_ends_of_a_plank) {
  const double far = _i ? 3.0 : 0.0;
  crowd c = {0};
  const int floor = crowd_half_plane(&c, zero, up), plank = crowd_box(&c, far, 0.06, 10.0, 0.1);
  c.body[floor].motion[2] = (prc_field){.eval = value_of_time, .uses_time = 1};
  crowd_meet(&c, 0.0, 0.0);
  prc_step_options o = crowd_options(1e-2, 1.0, PRC_IMPACT_FREMOND);
  o.scheme = "position";
  crowd_open(&c, &o);
  crowd_steps(&c, 1);
  ck_assert(c.r->v[3 * plank + 2] > 0.1);
  for (int k = 0; k < 2; k++) {
    const double x = k % 2 ? 5.0 : -5.0, angle = c.r->q[3 * plank + 2], y = -0.05;
    const double at[2] = {c.r->q[3 * plank] + cos(angle) * x - sin(angle) * y,
                          c.r->q[3 * plank + 1] + sin(angle) * x + cos(angle) * y};
    ck_assert_double_ge(cos(1e-2) * at[1] - sin(1e-2) * at[0], -1e-5);
  }
  crowd_close(&c);
}
END_TEST

/* ---- seams ------------------------------------------------------------------------------------------------------------ */

typedef struct {
  const char *scheme;
  double theta;
  prc_impact law;
} row;
static const row rows[] = {{"theta", 0.5, PRC_IMPACT_FREMOND},
                           {"theta", 1.0, PRC_IMPACT_FREMOND},
                           {"midpoint", 0.5, PRC_IMPACT_NEWTON},
                           {"position", 1.0, PRC_IMPACT_FREMOND},
                           {"generalized-alpha", 1.0, PRC_IMPACT_NEWTON},
                           {"ggl", 1.0, PRC_IMPACT_NEWTON}};
enum { ROWS = sizeof rows / sizeof *rows, TILES = 5 };

static prc_step_options options_of(int k, double h) {
  prc_step_options o = crowd_options(h, rows[k].theta, rows[k].law);
  o.scheme = rows[k].scheme;
  return o;
}

/* A floor of tiles 0.5 long along (cos, sin) of `angle`, with tops at these heights, from -0.7 on; they rest. And what slides on it at 2 m/s from 0 on, a box or a disc,
 * `drop` above the first tile: its number. */
typedef struct {
  double angle, gap, drop, height[TILES];
  int disc;
} floor_of_tiles;

static void place_on(const floor_of_tiles *f, double along, double up_by, double x[2]) {
  x[0] = cos(f->angle) * along - sin(f->angle) * up_by, x[1] = sin(f->angle) * along + cos(f->angle) * up_by;
}

static int open_floor(crowd *c, const floor_of_tiles *f, const prc_step_options *o) {
  const double tile[8] = {-0.25, -0.15, 0.25, -0.15, 0.25, 0.15, -0.25, 0.15};
  const double box[8] = {-0.2, -0.1, 0.2, -0.1, 0.2, 0.1, -0.2, 0.1};
  double x[2];
  for (int k = 0; k < TILES; k++) {
    place_on(f, -0.45 + k * (0.5 + f->gap), f->height[k] - 0.15, x);
    crowd_fix(c, crowd_polygon(c, x[0], x[1], f->angle, 4, tile));
  }
  place_on(f, 0.0, 0.1 + f->drop, x);
  const int mover = f->disc ? crowd_disc(c, x[0], x[1], 0.1) : crowd_polygon(c, x[0], x[1], f->angle, 4, box);
  place_on(f, 2.0, 0.0, c->body[mover].velocity);
  crowd_gravity(c, 9.81 * sin(f->angle), -9.81 * cos(f->angle));
  crowd_meet(c, 0.0, 0.0);
  crowd_open(c, o);
  return mover;
}

/* Speed along the floor; with the height above it, their energy a mass. */
static double speed_of(const crowd *c, const floor_of_tiles *f, int mover) {
  const double *v = c->r->v + 3 * mover;
  return cos(f->angle) * v[0] + sin(f->angle) * v[1];
}
static double energy_of(const crowd *c, const floor_of_tiles *f, int mover) {
  const double *q = c->r->q + 3 * mover, u = speed_of(c, f, mover);
  return 0.5 * u * u + 9.81 * (cos(f->angle) * q[1] - sin(f->angle) * q[0]);
}

static double random_between(uint64_t *seed, double low, double high) {
  *seed = *seed * 6364136223846793005U + 1442695040888963407U;
  return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

/* By every scheme, from exact rest at gap 0 and dropped, over gaps and overlaps, at heights up to 1e-9 of the size: it slides as over one block. */
START_TEST(flush_tiles_are_one_floor) {
  uint64_t seed = 17 + (uint64_t)_i;
  const int scheme = _i % ROWS, kind = _i / ROWS;
  floor_of_tiles f = {.angle = random_between(&seed, -3.0, 3.0),
                      .disc = kind % 2,
                      .drop = kind / 2 % 2 ? 0.02 : 0.0,
                      .gap = random_between(&seed, -1e-10, 1e-9)};
  for (int k = 0; kind >= 4 && k < TILES; k++) f.height[k] = random_between(&seed, -5e-10, 0.0);
  crowd c = {0};
  const prc_step_options o = options_of(scheme, 1e-3);
  const int mover = open_floor(&c, &f, &o);
  crowd_steps(&c, 70);
  const double before = energy_of(&c, &f, mover);
  crowd_steps(&c, 330);
  if (kind < 4) ck_assert_double_eq_tol(energy_of(&c, &f, mover), before, 4e-10);
  ck_assert_double_eq_tol(speed_of(&c, &f, mover), 2.0, kind >= 4 ? 4e-9 : 2e-10);
  ck_assert(all_pass(&c));
  crowd_close(&c);
}
END_TEST

/* Heights up to the tolerance of what is flush cost less than a thousandth of the speed, and less with shorter steps. A step that is higher stops it. */
START_TEST(what_is_nearly_flush_costs_little_and_a_step_stops) {
  uint64_t seed = 5 + (uint64_t)_i;
  floor_of_tiles f = {.angle = random_between(&seed, -3.0, 3.0), .gap = 1e-10};
  double loss[3];
  for (int k = 0; k < TILES; k++) f.height[k] = random_between(&seed, -2.5e-7, 2.5e-7);
  f.drop = 2.5e-7;
  for (int k = 0; k < 3; k++) {
    crowd c = {0};
    const double h = k == 0 ? 2e-3 : k == 1 ? 1e-3 : 5e-4;
    const prc_step_options o = options_of(_i, h);
    const int mover = open_floor(&c, &f, &o);
    crowd_steps(&c, (int)(0.5 / h));
    loss[k] = fabs(speed_of(&c, &f, mover) - 2.0);
    crowd_close(&c);
    ck_assert_msg(loss[k] < 1e-4, "%s, h %g: %g", rows[_i].scheme, h, loss[k]);
    ck_assert(k == 0 || loss[k] <= loss[k - 1] + 1e-5);
  }
  for (int k = 0; k < TILES; k++) f.height[k] = k < 2 ? 0.0 : 2e-3;
  f.drop = 0.0;
  crowd c = {0};
  const prc_step_options o = options_of(_i, 1e-3);
  const int mover = open_floor(&c, &f, &o);
  crowd_steps(&c, 500);
  ck_assert_msg(speed_of(&c, &f, mover) < 1.0, "%s: %g", rows[_i].scheme, speed_of(&c, &f, mover));
  crowd_close(&c);
}
END_TEST

static int fix_hull(crowd *c, const double from[2], const double to[2], double radius) {
  const double middle[2] = {0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])};
  const double end[4] = {from[0] - middle[0], from[1] - middle[1], to[0] - middle[0], to[1] - middle[1]};
  const int b = crowd_disc(c, middle[0], middle[1], 0.1);
  prc_shape_free(&c->part[b]);
  support_ok(prc_shape_make_hull(2, end, radius, &c->part[b], &crowd_err), &crowd_err);
  crowd_fix(c, b);
  return b;
}

/* A row of segments, or of capsules, end to end, tops within 1e-9 of their size: a box and a disc slide over it as over one. Discs touched the end of the next one with a normal that leads
 * back into the row; by levels and positions that cost 1e-4 to 3e-3 of the speed. */
START_TEST(rows_of_segments_and_capsules_are_one) {
  uint64_t seed = 29 + (uint64_t)_i;
  const int scheme = _i % ROWS, kind = _i / ROWS;
  const double radius = kind % 2 ? 0.05 : 0.0, most = kind < 4 ? 0.0 : 5e-10;
  const double box[8] = {-0.2, -0.1, 0.2, -0.1, 0.2, 0.1, -0.2, 0.1};
  const floor_of_tiles f = {.angle = random_between(&seed, -3.0, 3.0)};
  crowd c = {0};
  double x[2], from[2], to[2];
  for (double along = -0.7; along < 2.0;) {
    const double length = random_between(&seed, 0.2, 0.5), low = -radius - random_between(&seed, 0.0, most);
    place_on(&f, along, low, from), place_on(&f, along += length, low, to);
    (void)fix_hull(&c, from, to, radius);
    along += random_between(&seed, -1e-10, 1e-10);
  }
  place_on(&f, 0.0, kind < 4 ? 0.1 : 0.1 + 1e-8, x); /* it comes down on all of them in one step */
  const int mover =
      kind / 2 % 2 ? crowd_disc(&c, x[0], x[1], 0.1) : crowd_polygon(&c, x[0], x[1], f.angle, 4, box);
  place_on(&f, 2.0, 0.0, c.body[mover].velocity);
  crowd_gravity(&c, 9.81 * sin(f.angle), -9.81 * cos(f.angle));
  crowd_meet(&c, 0.0, 0.0);
  const prc_step_options o = options_of(scheme, 1e-3);
  crowd_open(&c, &o);
  crowd_steps(&c, 400);
  ck_assert_double_eq_tol(speed_of(&c, &f, mover), 2.0, kind < 4 ? 2e-10 : 4e-9);
  ck_assert(all_pass(&c));
  crowd_close(&c);
}
END_TEST

/* A step little higher than flush stops a box by the schemes that close gaps, and the certificate notes it with its height; one that is much higher is meant to be one. */
START_TEST(a_stop_at_a_low_step_is_noted) {
  uint64_t seed = 41 + (uint64_t)_i;
  const int scheme = _i % 3 + 3, meant = _i / 3 % 2;
  const double rise = meant ? 1e-4 : random_between(&seed, 7e-7, 3e-6);
  const floor_of_tiles f = {.angle = random_between(&seed, -3.0, 3.0),
                            .height = {0.0, 0.0, rise, rise, rise}};
  crowd c = {0};
  const prc_step_options o = options_of(scheme, 1e-3);
  const int mover = open_floor(&c, &f, &o);
  crowd_steps(&c, 400);
  const prc_certificate certificate = prc_ledger_certificate(c.ledger);
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++) {
    const prc_certificate_entry *entry = &certificate.entry[k];
    if (strcmp(entry->name, "seams") != 0) continue;
    ck_assert_msg(entry->verdict == (meant ? PRC_PASS : PRC_NOTED), "%s, %g", rows[scheme].scheme, rise);
    ck_assert_double_eq_tol(entry->height, meant ? 0.0 : rise, 1e-9);
    ck_assert(meant || entry->value > 1.5);
  }
  ck_assert_double_lt(speed_of(&c, &f, mover), 1.0);
  crowd_close(&c);
}
END_TEST

/* A box falls 2 mm on a course of bricks that are free to move, and slides: as far as on one long brick, and to the closed form (v - mu g h/2)^2 / (2 mu g) and h u of them. */
static double way_on_bricks(int bricks, int box_first) {
  crowd c = {0};
  int box = box_first ? crowd_box(&c, 0.0, 0.052, 0.2, 0.1) : -1;
  const int first = c.model.n_bodies + 1;
  const int floor = crowd_half_plane(&c, (double[2]){0.0, -0.1}, up);
  (void)floor;
  for (int k = 0; k < bricks; k++)
    (void)crowd_box(&c, -1.0 + (k + 0.5) * 2.0 / bricks + k * 1e-12, -0.05, 2.0 / bricks, 0.1);
  if (!box_first) box = crowd_box(&c, 0.0, 0.052, 0.2, 0.1);
  for (int k = 0; k < bricks; k++) c.body[first + k].mass *= 2.0, c.body[first + k].inertia *= 2.0;
  c.body[box].velocity[0] = 2.0;
  crowd_gravity(&c, 0.0, -9.81);
  crowd_meet(&c, 0.3, 0.0);
  const prc_step_options o = crowd_options(1e-3, 0.5, PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  crowd_steps(&c, 900);
  ck_assert(all_pass(&c));
  const double way = c.r->q[3 * box];
  crowd_close(&c);
  return way;
}
START_TEST(a_course_of_bricks_is_one_brick) {
  const double one = way_on_bricks(1, 0);
  ck_assert_double_eq_tol(one, 0.68026, 1e-4);
  for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(way_on_bricks(8, k), one, 1e-6);
}
END_TEST

/* With its corners where they are given. */
static void fix_polygon(crowd *c, int n, double *corner) {
  prc_rigid_polygon_facts facts;
  support_ok(prc_rigid_polygon(n, corner, &facts, &crowd_err), &crowd_err);
  for (int k = 0; k < 2 * n; k++) corner[k] -= facts.centre[k % 2];
  crowd_fix(c, crowd_polygon(c, facts.centre[0], facts.centre[1], 0.0, n, corner));
}

/* A ridge of two tiles is the ridge of one polygon; and a wall beside a tile, higher than what slides is deep, is a wall. */
START_TEST(ridges_and_walls_stay_what_they_are) {
  double x[2], v[2];
  for (int k = 0; k < 2; k++) {
    double whole[10] = {-2.0, -1.0, 2.0, -1.0, 2.0, -0.1, 0.5, 0.0, -2.0, 0.0};
    double left[8] = {-2.0, -1.0, 0.5, -1.0, 0.5, 0.0, -2.0, 0.0},
           right[8] = {0.5, -1.0, 2.0, -1.0, 2.0, -0.1, 0.5, 0.0};
    crowd c = {0};
    if (k == 0) fix_polygon(&c, 5, whole);
    if (k == 1) fix_polygon(&c, 4, left), fix_polygon(&c, 4, right);
    const int disc = crowd_disc(&c, 0.0, 0.101, 0.1);
    c.body[disc].velocity[0] = 1.0;
    crowd_gravity(&c, 0.0, -9.81);
    crowd_meet(&c, 0.0, 0.0);
    const prc_step_options o = crowd_options(1e-3, 0.5, PRC_IMPACT_FREMOND);
    crowd_open(&c, &o);
    crowd_steps(&c, 900);
    x[k] = c.r->q[3 * disc], v[k] = c.r->v[3 * disc];
    crowd_close(&c);
  }
  ck_assert_double_eq_tol(x[1], x[0], 1e-6);
  ck_assert_double_eq_tol(v[1], v[0], 1e-6);
  floor_of_tiles f = {.height = {0.0, 0.0, 0.0, 0.2, 0.2}};
  crowd c = {0};
  const prc_step_options o = crowd_options(1e-3, 0.5, PRC_IMPACT_FREMOND);
  const int box = open_floor(&c, &f, &o);
  crowd_steps(&c, 600);
  ck_assert_double_eq_tol(c.r->v[3 * box], 0.0, 1e-9);
  ck_assert_double_eq_tol(c.r->q[3 * box], 0.6, 2e-3);
  crowd_close(&c);
}
END_TEST

/* ---- through each other ---------------------------------------------------------------------------------------------- */

static int has_failed(const crowd *c) {
  return prc_ledger_certificate(c->ledger).verdict == PRC_FAIL;
}

/* Two discs, a disc and a box, or two boxes head-on, by 0.7 to 6 diameters a step, in any direction: either they stop, or the certificate fails. */
START_TEST(what_passes_through_each_other_does_not_pass) {
  uint64_t seed = 3 + (uint64_t)_i;
  const int scheme = _i % ROWS, kind = _i / ROWS % 3;
  const double square[8] = {-0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1, 0.1}, h = 1e-3;
  const double a = random_between(&seed, -3.0, 3.0), n[2] = {cos(a), sin(a)};
  const double speed = random_between(&seed, 0.7, 6.0) * 0.2 / h, off = random_between(&seed, -0.06, 0.06);
  const double from = random_between(&seed, 3.0, 5.0);
  crowd c = {0};
  const int one = kind == 2 ? crowd_polygon(&c, 0.0, 0.0, 0.3, 4, square) : crowd_disc(&c, 0.0, 0.0, 0.1);
  const double x = from * n[0] - off * n[1], y = from * n[1] + off * n[0];
  const int other = kind > 0 ? crowd_polygon(&c, x, y, 1.1, 4, square) : crowd_disc(&c, x, y, 0.1);
  for (int k = 0; k < 2; k++) {
    c.body[one].velocity[k] = _i % 2 ? 0.5 * speed * n[k] : speed * n[k];
    c.body[other].velocity[k] = _i % 2 ? -0.5 * speed * n[k] : 0.0;
  }
  crowd_meet(&c, 0.0, 0.0);
  const prc_step_options o = options_of(scheme, h);
  crowd_open(&c, &o);
  crowd_steps(&c, 40);
  const double d[2] = {c.r->q[3 * other] - c.r->q[3 * one], c.r->q[3 * other + 1] - c.r->q[3 * one + 1]};
  const double u[2] = {c.r->v[3 * other] - c.r->v[3 * one], c.r->v[3 * other + 1] - c.r->v[3 * one + 1]};
  const int through = d[0] * n[0] + d[1] * n[1] < 0.0 && fabs(u[0] * n[0] + u[1] * n[1]) > 0.99 * speed;
  ck_assert_msg(!through || has_failed(&c), "%s, %g a step", rows[scheme].scheme, speed * h);
  crowd_close(&c);
}
END_TEST

/* Grains that come down by more than a hundredth of their size in a step are as deep as that, as any scheme on velocities leaves them, and no wrong run. */
START_TEST(a_fast_fall_may_be_as_deep_as_its_step) {
  uint64_t seed = 11 + (uint64_t)_i;
  const double r = random_between(&seed, 0.002, 0.005), h = 1e-3,
               v = random_between(&seed, 0.05, 0.45) * r / h;
  crowd c = {0};
  (void)crowd_half_plane(&c, zero, up);
  const int disc = crowd_disc(&c, 0.0, r + random_between(&seed, 0.5, 3.0) * v * h, r);
  c.body[disc].velocity[1] = -v;
  crowd_gravity(&c, 0.0, -9.81);
  crowd_meet(&c, 0.3, 0.0);
  const prc_step_options o = crowd_options(h, _i % 2 ? 1.0 : 0.5, PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  crowd_steps(&c, 300);
  ck_assert(all_pass(&c));
  crowd_close(&c);
}
END_TEST

int main(void) {
  Suite *s = suite_create("bodies that meet");
  TCase *t = tcase_create("all");
  const int whole =
      support_whole(); /* PRC_LONG=1; else tiles of different heights alone, and each pair of shapes once by each scheme */
  tcase_set_timeout(t, 300.0);
  tcase_add_loop_test(t, two_discs_part_with_the_restitution, 0, 15);
  tcase_add_loop_test(t, a_cradle_is_one_impact_or_several, 0, 2);
  tcase_add_loop_test(t, heavy_on_light_rests, 0, 8);
  tcase_add_test(t, a_corner_hands_on_what_it_carries);
  tcase_add_test(t, carried_discs_roll);
  tcase_add_test(t, bodies_in_any_order_move_alike);
  tcase_add_test(t, a_run_that_is_resumed_gives_the_same_bytes);
  tcase_add_test(t, grains_in_a_cell_are_the_same_wherever_they_are_wrapped);
  tcase_add_test(t, a_cluster_of_spheres_falls_on_the_floor);
  tcase_add_test(t, the_least_size_is_that_of_the_present_contacts);
  tcase_add_test(t, a_bar_that_hits_its_own_image_works_once);
  tcase_add_loop_test(t, plates_that_pass_through_each_other_do_not_pass, 0, 4);
  tcase_add_test(t, what_slides_over_tiles_takes_its_depth_along);
  tcase_add_loop_test(t, what_no_speed_explains_is_too_deep, 0, 4);
  tcase_add_loop_test(t, a_floor_that_turns_reaches_the_ends_of_a_plank, 0, 2);
  tcase_add_loop_test(t, flush_tiles_are_one_floor, whole ? 0 : 4 * ROWS, 8 * ROWS);
  tcase_add_loop_test(t, what_is_nearly_flush_costs_little_and_a_step_stops, 0, ROWS);
  tcase_add_loop_test(t, rows_of_segments_and_capsules_are_one, 0, 8 * ROWS);
  tcase_add_loop_test(t, a_stop_at_a_low_step_is_noted, 0, 6);
  tcase_add_test(t, a_course_of_bricks_is_one_brick);
  tcase_add_test(t, ridges_and_walls_stay_what_they_are);
  tcase_add_loop_test(t, what_passes_through_each_other_does_not_pass, 0, (whole ? 9 : 3) * ROWS);
  tcase_add_loop_test(t, a_fast_fall_may_be_as_deep_as_its_step, 0, 20);
  suite_add_tcase(s, t);
  (void)pi;
  return support_run(s);
}

/* Obstacles that move, as driven bodies of a scene: a block on a floor that rises, shakes or turns, and a
 * mesh that one presses, against closed forms. Everything also turned by an angle and in other units by
 * powers of two. */
#include "config.h"
#include "scene/scene.h"
#include "step/step.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

/* ---- a motion, turned and in units ------------------------------------------------------------------ */

typedef struct {
  double turn, length, mass, time; /* what one m, one kg and one s are */
} frame;
static const frame frames[] = {
    {0.0, 1.0, 1.0, 1.0}, {0.7, 1.0, 1.0, 1.0}, {-2.3, 1024.0, 0.125, 64.0}, {3.0, 0.00390625, 512.0, 0.5}};
enum { N_FRAMES = sizeof frames / sizeof *frames };

typedef struct {
  double a, omega, rise, spin; /* x = a sin(omega t), y = rise s(t), rotation = spin t */
} motion;

typedef struct {
  const motion *m;
  const frame *f;
  int component;
} motion_of;

/* s(0) = 0, s(1) = 1, with rates and accelerations zero at both */
static double smooth(double t) {
  const double s = fmin(fmax(t, 0.0), 1.0);
  return s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
}
static double smooth_second(double t) {
  return t < 0.0 || t > 1.0 ? 0.0 : 60.0 * t - 180.0 * t * t + 120.0 * t * t * t;
}

static prc_status value_of(const prc_field *field, double x, double y, double t, double *value,
                           prc_error *err) {
  const motion_of *of = field->data;
  const double s = t / of->f->time, c = cos(of->f->turn), n = sin(of->f->turn);
  const double d[2] = {of->m->a * sin(of->m->omega * s), of->m->rise * smooth(s)};
  (void)x, (void)y, (void)err;
  *value = of->component == 2   ? of->m->spin * s
           : of->component == 0 ? of->f->length * (c * d[0] - n * d[1])
                                : of->f->length * (n * d[0] + c * d[1]);
  return PRC_OK;
}

static void turned(const frame *f, double x, double y, double scale, double out[2]) {
  out[0] = scale * (cos(f->turn) * x - sin(f->turn) * y);
  out[1] = scale * (sin(f->turn) * x + cos(f->turn) * y);
}

/* ---- a block on a floor ----------------------------------------------------------------------------- */

#define GRAVITY 9.81
enum { BLOCK, FLOOR };
static const double mass = 1.25, wide = 1.0, high = 0.5;

typedef struct {
  frame f;
  motion m;
  motion_of of[3];
  double corner[8];
  prc_rigid_body body[2];
  prc_rigid_model model;
  prc_rigid *rigid;
  prc_body_point point[2];
  prc_law law[2];
  prc_scene_contact contact;
  prc_scene *scene;
  prc_stepper *stepper;
  const prc_step_record *record;
  double worst, in_play; /* the largest residual of a step; energy that is moved about */
  double driven, external, contacts;
} world;

static void make_bodies(world *w, double centre, double v_x, double v_y, double spin) {
  const frame *f = &w->f;
  static const double outline[8] = {-0.5, -0.25, 0.5, -0.25, 0.5, 0.25, -0.5, 0.25};
  const double v = f->length / f->time, g = v / f->time;
  prc_rigid_body *box = &w->body[BLOCK], *floor = &w->body[FLOOR];
  for (int i = 0; i < 8; i++) w->corner[i] = f->length * outline[i];
  box->name = "block", floor->name = "floor";
  box->mass = mass * f->mass;
  box->inertia = box->mass * (wide * wide + high * high) / 12.0 * f->length * f->length;
  turned(f, centre, 0.5 * high, f->length, box->position);
  turned(f, v_x, v_y, v, box->velocity);
  box->angle = f->turn, box->spin = spin / f->time;
  box->n_points = 4, box->point = w->corner;
  floor->driven = 1, floor->noun = "obstacle";
  for (int k = 0; k < 3; k++) {
    w->of[k] = (motion_of){&w->m, f, k};
    floor->motion[k] = (prc_field){.eval = value_of, .data = &w->of[k], .uses_time = 1};
  }
  double gravity[2];
  turned(f, 0.0, -GRAVITY, g, gravity);
  for (int k = 0; k < 2; k++) w->model.gravity[k] = prc_field_constant(gravity[k]);
  w->model.n_bodies = 2, w->model.body = w->body;
}

/* start: the place along the floor, velocity and spin of the block. On a floor that turns H changes, so
 * that what rests there leaves it by O(h^2) in a step and moves across by O(h), which is no separation. */
static void open_world(world *w, const frame *f, motion m, double mu, double h, prc_impact law,
                       const double start[4]) {
  prc_error err = {0};
  *w = (world){.f = *f, .m = m};
  double normal[2];
  const double origin[2] = {0.0, 0.0};
  prc_contact_plane plane;
  make_bodies(w, start[0], start[1], start[2], start[3]);
  support_ok(prc_rigid_create(&w->model, &w->rigid, &err), &err);
  turned(&w->f, 0.0, 1.0, 3.0, normal);
  support_ok(prc_contact_plane_make(origin, normal, &plane, &err), &err);
  for (int k = 0; k < 2; k++) {
    w->point[k] =
        (prc_body_point){.item = BLOCK, .feature = k, .r = {w->corner[2 * k], w->corner[2 * k + 1]}};
    w->law[k] = prc_law_coulomb(mu, 0.0, 0.0);
  }
  w->contact = (prc_scene_contact){.name = "sole",
                                   .surface_item = FLOOR,
                                   .surface = prc_contact_face(&plane),
                                   .n_points = 2,
                                   .point = w->point,
                                   .law = w->law};
  const prc_body body = {.kind = &prc_body_kind_rigid, .self = w->rigid, .name = "bodies"};
  const prc_scene_model model = {.n_bodies = 1, .n_contacts = 1, .body = &body, .contact = &w->contact};
  support_ok(prc_scene_create(&model, &w->scene, &err), &err);
  prc_step_options options = prc_step_options_default(h * f->time);
  options.law = law;
  if (m.spin != 0.0)
    options.gap_tolerance = 1e-4 * f->length, options.velocity_tolerance = 1e-3 * f->length / f->time;
  support_ok(prc_stepper_create(prc_scene_system(w->scene), &options, &w->stepper, &err), &err);
  double q[6], v[6];
  prc_scene_initial(w->scene, q, v);
  support_ok(prc_stepper_start(w->stepper, q, v, &err), &err);
  w->record = prc_stepper_record(w->stepper);
}

static void step_world(world *w) {
  prc_error err = {0};
  support_ok(prc_stepper_step(w->stepper, &err), &err);
  const prc_step_record *r = w->record;
  const double *work = r->work;
  double contacts = 0.0;
  for (int i = 0; i < r->dim * r->n_contacts; i++) contacts += r->u_work[i] * r->p[i];
  const double residual = r->kinetic + r->potential - work[PRC_WORK_external] - work[PRC_WORK_driven]
                          - work[PRC_WORK_numerical] - contacts;
  w->driven += work[PRC_WORK_driven], w->external += work[PRC_WORK_external], w->contacts += contacts;
  w->in_play = fmax(w->in_play, fmax(fabs(w->driven), fabs(w->external)));
  w->worst = fmax(w->worst, fabs(residual));
}

static void close_world(world *w) {
  ck_assert_double_le(w->worst, 1e-13 * w->in_play);
  prc_stepper_free(&w->stepper);
  prc_scene_free(&w->scene);
  prc_rigid_free(&w->rigid);
}

static double force_unit(const frame *f) {
  return f->mass * f->length / (f->time * f->time);
}

static double along_normal(const frame *f, const double *v) {
  return -sin(f->turn) * v[0] + cos(f->turn) * v[1];
}

/* The force is m (g + y''), y'' by the floor's own velocities in each step exactly and by the formula to
 * O(h^2); what the floor's reaction works lifts the block and moves it. */
START_TEST(a_floor_that_rises_pushes_with_m_times_g_and_its_acceleration) {
  const frame *f = &frames[_i];
  const double h = 1.0 / 1024.0, unit = force_unit(f), rise = 0.4;
  world w;
  open_world(&w, f, (motion){.rise = rise}, 0.3, h, PRC_IMPACT_FREMOND,
             (const double[4]){0.1, 0.0, 0.0, 0.0});
  for (int k = 0; k < 1024; k++) {
    const double before = along_normal(f, w.record->v + 3);
    step_world(&w);
    const prc_step_record *r = w.record;
    const double force = (r->p[0] + r->p[2]) / (r->h * unit);
    const double change = (along_normal(f, r->v + 3) - before) * f->time / (f->length * h);
    ck_assert_double_eq_tol(force, mass * (GRAVITY + change), 1e-7 * mass * GRAVITY);
    ck_assert_double_eq_tol(
        force, mass * (GRAVITY + rise * smooth_second((k + 0.5) * h)),
        mass * rise * (k == 0 || k == 1023 ? 60.0 * h : 360.0 * h * h)); /* the jerk jumps there */
    for (int c = 0; c < 4; c++)
      ck_assert_double_le(fabs(r->u_work[c]),
                          1e-8 * f->length / f->time); /* relative to a floor that moves */
  }
  const double energy = unit * f->length, lift = mass * GRAVITY * rise * energy;
  ck_assert_double_eq_tol(w.driven, lift, 1e-5 * lift);
  ck_assert_double_eq_tol(w.driven, -w.external, 1e-7 * lift); /* it rests again */
  ck_assert_double_le(fabs(w.contacts), 1e-7 * lift);
  close_world(&w);
}
END_TEST

/* ---- a floor that shakes ---------------------------------------------------------------------------- */

/* Velocity of the block, exactly: it slips with the acceleration s mu g until it is as fast as the floor,
 * sticks while |A| <= mu g. */
typedef struct {
  double t, v, s; /* since when, its velocity then, and the direction of friction; 0: it sticks */
} phase;

static double floor_speed(const motion *m, double t) {
  return m->a * m->omega * cos(m->omega * t);
}

/* By steps of a hundred-thousandth: shares nothing with a time-stepping scheme but the law of Coulomb. */
static int phases(const motion *m, double most, double end, phase *out, int room) {
  const double fine = 1e-5;
  int n = 1;
  out[0] = (phase){0.0, floor_speed(m, 0.0), 0.0};
  for (double t = fine; t < end && n < room; t += fine) {
    const phase *now = &out[n - 1];
    const double A = -m->a * m->omega * m->omega * sin(m->omega * t);
    if (now->s == 0.0) {
      if (fabs(A) > most) out[n++] = (phase){t, floor_speed(m, t), A > 0.0 ? 1.0 : -1.0};
    } else if ((floor_speed(m, t) - now->v - now->s * most * (t - now->t)) * now->s <= 0.0) {
      out[n] = (phase){t, floor_speed(m, t), fabs(A) <= most ? 0.0 : A > 0.0 ? 1.0 : -1.0};
      n++;
    }
  }
  return n;
}

START_TEST(a_block_on_a_shaken_floor_slips_and_sticks_when_it_must) {
  const frame *f = &frames[_i];
  const double h = 1.0 / 2048.0, mu = 0.3, most = mu * GRAVITY, end = 2.0;
  const motion m = {.a = 1.6 * most / (4.0 * 4.0 * 2.25), .omega = 6.0}; /* a omega^2 = 1.6 mu g */
  phase list[64];
  const int n = phases(&m, most, end, list, 64);
  ck_assert_int_gt(n, 6);
  world w;
  open_world(&w, f, m, mu, h, PRC_IMPACT_NEWTON, (const double[4]){0.0, m.a * m.omega, 0.0, 0.0});
  int stuck = 1, seen = 0, k = 0;
  for (int step = 1; step <= (int)(end / h); step++) {
    step_world(&w);
    const double t = step * h, unit = f->length / f->time;
    while (k + 1 < n && list[k + 1].t <= t) k++;
    const double floor_v = floor_speed(&m, t);
    const double slip = list[k].s == 0.0 ? 0.0 : list[k].v + list[k].s * most * (t - list[k].t) - floor_v;
    for (int c = 0; c < 2; c++) /* t is n turned by -90 degrees: +x on a floor */
      ck_assert_double_eq_tol(w.record->u[2 * c + 1] / unit, slip, 3.0 * h * most);
    const int sticks = fabs(w.record->u[1]) < 1e-7 * unit;
    if (sticks == stuck) continue;
    stuck = sticks, seen++;
    double nearest = 1.0;
    for (int i = 1; i < n; i++) nearest = fmin(nearest, fabs(list[i].t - t));
    ck_assert_double_le(nearest, 3.0 * h);
  }
  ck_assert_int_ge(seen, 6);
  ck_assert_double_lt(w.contacts, 0.0);
  close_world(&w);
}
END_TEST

START_TEST(a_block_on_a_floor_that_shakes_gently_never_slips) {
  const frame *f = &frames[_i];
  const double h = 1.0 / 1024.0, mu = 0.3, most = mu * GRAVITY;
  const motion m = {.a = 0.99 * most / 36.0, .omega = 6.0};
  world w;
  open_world(&w, f, m, mu, h, PRC_IMPACT_FREMOND, (const double[4]){0.0, m.a * m.omega, 0.0, 0.0});
  for (int step = 1; step <= 2048; step++) {
    step_world(&w);
    ck_assert_double_le(fabs(w.record->u_work[1]), 1e-8 * f->length / f->time);
  }
  ck_assert_double_le(fabs(w.contacts), 1e-9 * w.in_play);
  close_world(&w);
}
END_TEST

/* ---- a floor that turns ----------------------------------------------------------------------------- */

/* At rest on a floor that turns by O t about the origin, at (s, c) in its axes, the block needs the forces
 * m (g sin b - O^2 s) along it and m (g cos b - O^2 c) across: it slips where the first is mu times the
 * second. */
START_TEST(a_block_on_a_floor_that_turns_slides_off_at_its_angle_of_friction) {
  const frame *f = &frames[_i];
  const double h = 1.0 / 1024.0, mu = 0.4, spin = 0.25, s = 0.2, c = 0.25;
  double low = 0.0, up = 1.0;
  for (int k = 0; k < 60; k++) {
    const double b = 0.5 * (low + up), along = GRAVITY * sin(b) - spin * spin * s,
                 across = GRAVITY * cos(b) - spin * spin * c;
    *(along < mu * across ? &low : &up) = b;
  }
  ck_assert_double_eq_tol(low, atan(mu), 0.005); /* near the angle of friction */
  world w;
  open_world(&w, f, (motion){.spin = spin}, mu, h, PRC_IMPACT_NEWTON,
             (const double[4]){s, -spin * c, spin * s, spin});
  double angle = 0.0, start[2];
  int rested = 0;
  turned(f, s, c, f->length, start);
  while (angle == 0.0 && w.record->t < 3.0 * f->time) {
    step_world(&w);
    const double *q = w.record->q, co = cos(q[3 * FLOOR + 2]), si = sin(q[3 * FLOOR + 2]);
    if (fabs(w.record->u_work[1]) < 1e-12 * f->length / f->time) { /* it keeps its place on the floor */
      ck_assert_double_le(hypot(q[0] - co * start[0] + si * start[1], q[1] - si * start[0] - co * start[1]),
                          1e-10 * f->length);
      rested++;
    }
    if (fabs(w.record->u_work[1]) > 1e-5 * f->length / f->time) angle = spin * w.record->t / f->time;
  }
  ck_assert_int_ge(rested, 1500);
  ck_assert_double_eq_tol(angle, low, 8.0 * spin * h); /* three steps after it began it is that fast */
  ck_assert_double_lt(w.record->u_work[1], 0.0);
  for (int k = 0; k < 200; k++) {
    const double before = w.record->u_work[1] * f->time / f->length;
    step_world(&w);
    const double b = spin * w.record->t / f->time - 0.5 * spin * h;
    const double now = w.record->u_work[1] * f->time / f->length;
    /* s'' = O^2 s - g sin b + mu (g cos b - O^2 c + 2 O s'), with s' < 0: Coriolis' force is across */
    const double expected =
        spin * spin * s - GRAVITY * sin(b) + mu * (GRAVITY * cos(b) - spin * spin * c + 2.0 * spin * now);
    ck_assert_double_eq_tol((now - before) / h, expected, 0.02);
  }
  close_world(&w);
}
END_TEST

/* ---- a mesh ----------------------------------------------------------------------------------------- */

/* A plate held above is pressed by a floor that rises, load step by load step: uniform stress E times the
 * strain, in plane stress and without friction, on any mesh; the floor's work is the elastic energy. */
START_TEST(a_floor_presses_a_plate_to_the_stress_of_hooke) {
  const frame *f = &frames[_i];
  const double E = 5.0, width = 2.0, height = 1.0, rise = 0.01;
  const double c = cos(f->turn), n = sin(f->turn), L = f->length;
  prc_mesh *strip = block_strip(6, 3, width, height);
  const double linear[2][2] = {{L * c, -L * n}, {L * n, L * c}}, offset[2] = {0.0, 0.0};
  prc_mesh *mesh = block_mapped(strip, linear, offset);
  prc_error err = {0};
  const double stress = f->mass / (L * f->time * f->time);
  const prc_fem_material material = {.group = prc_mesh_find(mesh, 2, "block"),
                                     .young = E * stress,
                                     .poisson = 0.3,
                                     .density = f->mass / (L * L * L)};
  const prc_mesh_group *bottom = prc_mesh_find(mesh, 1, "bottom"), *top = prc_mesh_find(mesh, 1, "top");
  /* the ceiling is an obstacle at rest: sides are free in any direction but the normal */
  const prc_fem_model model = {
      .mesh = mesh, .thickness = L, .damping_mass = 1e-9 / f->time, .n_materials = 1, .material = &material};
  prc_fem *fem = NULL;
  support_ok(prc_fem_create(&model, &fem, &err), &err);
  const motion m = {.rise = rise};
  motion_of of[3];
  prc_rigid_body body[2] = {{.name = "floor", .driven = 1}, {.name = "ceiling", .driven = 1}};
  for (int k = 0; k < 3; k++) {
    of[k] = (motion_of){&m, f, k};
    body[0].motion[k] = (prc_field){.eval = value_of, .data = &of[k], .uses_time = 1};
  }
  turned(f, 0.0, height, L, body[1].position);
  const prc_rigid_model bodies = {.n_bodies = 2, .body = body};
  prc_rigid *rigid = NULL;
  support_ok(prc_rigid_create(&bodies, &rigid, &err), &err);
  prc_scene_contact contact[2];
  prc_body_point point[2][16];
  prc_law law[16];
  for (int k = 0; k < 16; k++) law[k] = prc_law_coulomb(0.0, 0.0, 0.0);
  for (int side = 0; side < 2; side++) {
    const prc_mesh_group *group = side == 0 ? bottom : top;
    prc_contact_plane plane;
    double normal[2];
    turned(f, 0.0, side == 0 ? 1.0 : -1.0, 1.0, normal);
    support_ok(prc_contact_plane_make((const double[2]){0.0, 0.0}, normal, &plane, &err), &err);
    for (int k = 0; k < group->n_nodes; k++) point[side][k] = (prc_body_point){.feature = group->node[k]};
    contact[side] = (prc_scene_contact){.name = "side",
                                        .surface_of = 1,
                                        .surface_item = side,
                                        .surface = prc_contact_face(&plane),
                                        .n_points = group->n_nodes,
                                        .point = point[side],
                                        .law = law};
  }
  const prc_body parts[2] = {{.kind = &prc_body_kind_mesh, .self = fem, .name = "mesh"},
                             {.kind = &prc_body_kind_rigid, .self = rigid, .name = "bodies"}};
  prc_scene *scene = NULL;
  support_ok(
      prc_scene_create(&(prc_scene_model){.n_bodies = 2, .n_contacts = 2, .body = parts, .contact = contact},
                       &scene, &err),
      &err);
  prc_step_options options = prc_step_options_default(f->time / 8.0);
  options.scheme = "static", options.theta = 1.0;
  prc_stepper *stepper = NULL;
  const prc_system *system = prc_scene_system(scene);
  support_ok(prc_stepper_create(system, &options, &stepper, &err), &err);
  double *q = calloc((size_t)system->space.nv, sizeof *q), *v = calloc((size_t)system->space.nv, sizeof *v);
  prc_scene_initial(scene, q, v);
  support_ok(prc_stepper_start(stepper, q, v, &err), &err);
  const prc_step_record *r = prc_stepper_record(stepper);
  double driven = 0.0, elastic = 0.0, numerical = 0.0;
  for (int k = 0; k < 8; k++) {
    support_ok(prc_stepper_step(stepper, &err), &err);
    driven += r->work[PRC_WORK_driven], elastic += r->potential, numerical += r->work[PRC_WORK_numerical];
  }
  double force[2] = {0.0, 0.0};
  for (int i = 0; i < r->n_contacts; i++) force[r->contacts->id[i].a == 1] += r->p[2 * i] / r->h;
  const double expected = E * rise / height * width * stress * L * L;
  ck_assert_double_eq_tol(force[0], expected, 1e-6 * expected);
  ck_assert_double_eq_tol(force[1], expected, 1e-6 * expected);
  ck_assert_double_eq_tol(elastic, 0.5 * expected * rise * L, 1e-6 * expected * rise * L);
  ck_assert_double_eq_tol(driven + numerical, elastic, 1e-6 * elastic);
  free(q);
  free(v);
  prc_stepper_free(&stepper);
  prc_scene_free(&scene);
  prc_rigid_free(&rigid);
  prc_fem_free(&fem);
  prc_mesh_free(&mesh);
  prc_mesh_free(&strip);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("moving obstacles");
  TCase *t = tcase_create("closed forms");
  tcase_set_timeout(t, 60.0);
  tcase_add_loop_test(t, a_floor_that_rises_pushes_with_m_times_g_and_its_acceleration, 0, N_FRAMES);
  tcase_add_loop_test(t, a_block_on_a_shaken_floor_slips_and_sticks_when_it_must, 0, N_FRAMES);
  tcase_add_loop_test(t, a_block_on_a_floor_that_shakes_gently_never_slips, 0, N_FRAMES);
  tcase_add_loop_test(t, a_block_on_a_floor_that_turns_slides_off_at_its_angle_of_friction, 0, N_FRAMES);
  tcase_add_loop_test(t, a_floor_presses_a_plate_to_the_stress_of_hooke, 0, N_FRAMES);
  suite_add_tcase(suite, t);
  return support_run(suite);
}

#include "config.h"
#include "scene/scene.h"
#include "support/block.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

static prc_error err;

/* ---- surfaces --------------------------------------------------------------------------------------- */

static void expect_gap(const prc_contact_surface *s, double x, double y, double gap, double nx, double ny) {
  double n[2];
  const double size = fmax(fmax(fabs(gap), s->radius), fabs(x) + fabs(y));
  ck_assert_double_eq_tol(s->gap(s, (const double[2]){x, y}, n), gap,
                          4.0 * DBL_EPSILON * size + DBL_TRUE_MIN);
  ck_assert_double_eq_tol(n[0], nx, 4.0 * DBL_EPSILON);
  ck_assert_double_eq_tol(n[1], ny, 4.0 * DBL_EPSILON);
}

START_TEST(a_disc_is_touched_from_outside_at_any_size) {
  static const double sizes[] = {5e-324 * 16.0, 1e-310, 1e-160, 1.0, 1e160, 1e307};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const double s = sizes[k], origin[2] = {0.0, -0.0};
    const prc_contact_surface disc = prc_contact_disc(origin, 2.0 * s);
    expect_gap(&disc, 3.0 * s, 4.0 * s, 3.0 * s, 0.6, 0.8);
    expect_gap(&disc, -3.0 * s, 4.0 * s, 3.0 * s, -0.6, 0.8);
    expect_gap(&disc, 4.0 * s, -3.0 * s, 3.0 * s, 0.8, -0.6);
    expect_gap(&disc, -s, -0.0, -s, -1.0, 0.0); /* deep inside, out by the nearest way */
    expect_gap(&disc, 0.0, 2.0 * s, 0.0, 0.0, 1.0);
  }
}
END_TEST

/* Their quotient would be (1, 1): the length of the step has no digits there. */
START_TEST(a_direction_has_all_its_digits_however_near_the_centre) {
  const prc_contact_surface disc = prc_contact_disc((const double[2]){0.0, 0.0}, 1.0);
  const double least = 5e-324, half = sqrt(0.5);
  expect_gap(&disc, least, least, -1.0, half, half);
  expect_gap(&disc, -least, 3.0 * least, -1.0, -sqrt(0.1), 3.0 * sqrt(0.1));
}
END_TEST

/* At the very centre every direction is as near; which one is taken turns with the axes and does not
 * depend on signs of zeros. */
START_TEST(at_the_centre_of_a_disc_the_normal_is_that_of_its_axes) {
  const double centre[2] = {2.0, 0.0};
  const prc_contact_surface own = prc_contact_disc(centre, 1.5);
  static const double angles[] = {0.0, -0.0, 0.5, -2.0};
  for (size_t k = 0; k < 4; k++) {
    const prc_contact_surface now = prc_contact_surface_moved(&own, (const double[2]){1.0, -3.0}, angles[k]);
    expect_gap(&now, now.point[0], now.point[1], -1.5, -sin(angles[k]), cos(angles[k]));
  }
  const prc_contact_surface plain = prc_contact_disc((const double[2]){0.0, 0.0}, 1.0);
  expect_gap(&plain, 0.0, 0.0, -1.0, 0.0, 1.0);
  expect_gap(&plain, -0.0, -0.0, -1.0, 0.0, 1.0);
  expect_gap(&plain, 0.0, -5e-324, -1.0, 0.0, -1.0); /* anything else is a direction */
}
END_TEST

START_TEST(a_face_is_a_half_plane_that_moves) {
  prc_contact_plane plane;
  support_ok(prc_contact_plane_make((const double[2]){1.0, 2.0}, (const double[2]){0.0, 7.0}, &plane, &err),
             &err);
  const prc_contact_surface own = prc_contact_face(&plane);
  expect_gap(&own, -40.0, 5.0, 3.0, 0.0, 1.0);
  expect_gap(&own, 1e6, 2.0, 0.0, 0.0, 1.0);
  expect_gap(&own, 0.0, -1e9, -1e9 - 2.0, 0.0, 1.0);
  const double right = acos(0.0); /* a quarter turn about (0, 0), then moved by (10, 20) */
  const prc_contact_surface now = prc_contact_surface_moved(&own, (const double[2]){10.0, 20.0}, right);
  expect_gap(&now, 5.0, 21.0, 3.0, -1.0, 0.0);
  expect_gap(&now, 8.0, -70.0, 0.0, -1.0, 0.0);
}
END_TEST

/* ---- a scene of both -------------------------------------------------------------------------------- */

/* A strip of triangles, and beside it a driven wheel off the centre of its axes, a lever with points and a
 * face, and a loose disc. */
enum { WHEEL, LEVER, DISC, N_RIGID };
typedef struct {
  prc_mesh *mesh;
  prc_fem_material material;
  prc_fem_contact plane;
  prc_fem_model model;
  prc_fem *fem;
  prc_rigid_body body[N_RIGID];
  prc_rigid_contact ground;
  prc_rigid_model rigid_model;
  prc_rigid *rigid;
  prc_body_point node[16], tip[2], middle;
  prc_law law[16];
  prc_scene_contact contact[4];
  prc_scene *scene;
} both;

static const double tips[4] = {-1.0, 0.25, 1.0, 0.25};

static void open_both(both *b, int with_contacts) {
  const double origin[2] = {0.0, 0.0}, up[2] = {0.0, 1.0};
  *b = (both){.mesh = block_strip(4, 2, 2.0, 1.0)};
  b->material = (prc_fem_material){
      .group = prc_mesh_find(b->mesh, 2, "block"), .young = 100.0, .poisson = 0.3, .density = 2.0};
  b->plane = (prc_fem_contact){.name = "left", .group = prc_mesh_find(b->mesh, 1, "left")};
  support_ok(prc_contact_plane_make(origin, (const double[2]){1.0, 0.0}, &b->plane.plane, &err), &err);
  b->model = (prc_fem_model){.mesh = b->mesh,
                             .thickness = 1.0,
                             .damping_mass = 0.5,
                             .damping_stiffness = 0.01,
                             .n_materials = 1,
                             .material = &b->material,
                             .n_contacts = 1,
                             .contact = &b->plane};
  support_ok(prc_fem_create(&b->model, &b->fem, &err), &err);
  b->body[WHEEL] = (prc_rigid_body){.name = "wheel", .position = {1.0, -2.0}, .angle = 0.3, .driven = 1};
  b->body[LEVER] =
      (prc_rigid_body){.name = "lever", .mass = 2.0, .inertia = 0.5, .position = {0.5, 1.5}, .angle = -0.2};
  b->body[DISC] =
      (prc_rigid_body){.name = "disc", .mass = 3.0, .inertia = 0.7, .position = {4.0, 2.0}, .radius = 0.5};
  b->ground = (prc_rigid_contact){.name = "ground", .body = DISC, .radius = 0.5, .friction = 0.2};
  support_ok(prc_contact_plane_make(origin, up, &b->ground.plane, &err), &err);
  b->rigid_model =
      (prc_rigid_model){.n_bodies = N_RIGID, .body = b->body, .n_contacts = 1, .contact = &b->ground};
  support_ok(prc_rigid_create(&b->rigid_model, &b->rigid, &err), &err);
  const prc_mesh_group *bottom = prc_mesh_find(b->mesh, 1, "bottom");
  for (int k = 0; k < bottom->n_nodes; k++) b->node[k] = (prc_body_point){.feature = bottom->node[k]};
  for (int k = 0; k < 2; k++)
    b->tip[k] = (prc_body_point){.item = LEVER, .feature = k, .r = {tips[2 * k], tips[2 * k + 1]}};
  b->middle = (prc_body_point){.item = DISC};
  for (int k = 0; k < 16; k++) b->law[k] = prc_law_coulomb(0.1, 0.0, 0.0);
  prc_contact_plane face;
  support_ok(prc_contact_plane_make((const double[2]){0.0, -0.5}, (const double[2]){0.1, -1.0}, &face, &err),
             &err);
  const prc_contact_surface rim = prc_contact_disc((const double[2]){0.25, 0.5}, 1.25),
                            side = prc_contact_face(&face);
  b->contact[0] =
      (prc_scene_contact){"wheel and mesh", 1, WHEEL, rim, 0, bottom->n_nodes, b->node, 0.0, b->law};
  b->contact[1] = (prc_scene_contact){"wheel and lever", 1, WHEEL, rim, 1, 2, b->tip, 0.0, b->law};
  b->contact[2] = (prc_scene_contact){"lever and disc", 1, LEVER, side, 1, 1, &b->middle, 0.5, b->law};
  b->contact[3] =
      (prc_scene_contact){"lever and mesh", 1, LEVER, side, 0, bottom->n_nodes, b->node, 0.0, b->law};
  const prc_body body[2] = {{.kind = prc_body_kind_find("mesh"), .self = b->fem, .name = "mesh"},
                            {.kind = prc_body_kind_find("rigid"), .self = b->rigid, .name = "bodies"}};
  support_ok(prc_scene_create(
                 &(prc_scene_model){
                     .n_bodies = 2, .n_contacts = with_contacts ? 4 : 0, .body = body, .contact = b->contact},
                 &b->scene, &err),
             &err);
}

static void close_both(both *b) {
  prc_scene_free(&b->scene);
  prc_rigid_free(&b->rigid);
  prc_fem_free(&b->fem);
  prc_mesh_free(&b->mesh);
}

START_TEST(a_scene_of_one_body_is_that_body) {
  both b;
  open_both(&b, 1);
  const prc_body body[2] = {{.kind = &prc_body_kind_mesh, .self = b.fem, .name = "mesh"},
                            {.kind = &prc_body_kind_rigid, .self = b.rigid, .name = "bodies"}};
  const prc_system *own[2] = {prc_fem_system(b.fem), prc_rigid_system(b.rigid)};
  for (int k = 0; k < 2; k++) {
    prc_scene *one = NULL;
    support_ok(prc_scene_create(
                   &(prc_scene_model){.n_bodies = 1, .n_contacts = 0, .body = &body[k], .contact = NULL},
                   &one, &err),
               &err);
    const prc_system *s = prc_scene_system(one);
    ck_assert(s->owner == own[k]->owner && s->dynamics.M == own[k]->dynamics.M
              && s->dynamics.K == own[k]->dynamics.K && s->contacts.find == own[k]->contacts.find
              && s->drive.dof == own[k]->drive.dof && s->length == own[k]->length
              && s->velocity == own[k]->velocity && s->rotation == own[k]->rotation);
    prc_scene_free(&one);
  }
  close_both(&b);
}
END_TEST

static void product(const prc_sym *A, int n, const double *x, double *y) {
  memset(y, 0, (size_t)n * sizeof *y);
  if (A) prc_sym_multiply(A, x, y);
}

START_TEST(matrices_are_those_of_the_parts) {
  both b;
  open_both(&b, 1);
  const prc_system *s = prc_scene_system(b.scene), *fem = prc_fem_system(b.fem),
                   *rigid = prc_rigid_system(b.rigid);
  const int m = fem->space.nv, n = s->space.nv;
  ck_assert_int_eq(n, m + 9);
  double x[64], y[64], z[64];
  ck_assert_int_le(n, 64);
  for (int i = 0; i < n; i++) x[i] = sin(1.0 + i);
  product(s->dynamics.M, n, x, y);
  product(fem->dynamics.M, m, x, z);
  product(rigid->dynamics.M, 9, x + m, z + m);
  for (int i = 0; i < n; i++) ck_assert_double_eq(y[i], z[i]);
  product(s->dynamics.K, n, x, y);
  product(fem->dynamics.K, m, x, z);
  for (int i = 0; i < n; i++) ck_assert_double_eq(y[i], i < m ? z[i] : 0.0);
  /* the mesh alone is damped: by its stiffness as it was, by its mass through a matrix of its own */
  ck_assert(s->dynamics.damping_mass == 0.0 && s->dynamics.damping_stiffness == 0.01);
  product(s->dynamics.C, n, x, y);
  product(fem->dynamics.M, m, x, z);
  for (int i = 0; i < n; i++) ck_assert_double_eq(y[i], i < m ? 0.5 * z[i] : 0.0);
  support_ok(prc_system_check(s, &err), &err);
  close_both(&b);
}
END_TEST

START_TEST(prescribed_rows_follow_one_another_with_their_names) {
  both b;
  open_both(&b, 1);
  const prc_system *s = prc_scene_system(b.scene);
  const int m = prc_fem_system(b.fem)->space.nv;
  char text[128];
  ck_assert_int_eq(s->drive.n, 3);
  for (int i = 0; i < 3; i++) ck_assert(s->drive.dof[i] == m + i && s->drive.work[i] == 1);
  s->drive.name(s->owner, 2, text, sizeof text);
  ck_assert_str_eq(text, "body 'wheel': rotation");
  double d[3], one;
  support_ok(s->drive.displacement(s->owner, 0.5, d, &err), &err);
  ck_assert(d[0] == 1.0 && d[1] == -2.0 && d[2] == 0.3);
  support_ok(s->drive.displacement_at(s->owner, 1, 0.5, &one, &err), &err);
  ck_assert_double_eq(one, -2.0);
  close_both(&b);
}
END_TEST

/* Two families in space, each with a body that is turned: displacements of those rows are no coordinates, in the scene too. */
START_TEST(rows_of_turns_are_known_as_such) {
  const prc_spatial_body turned = {.name = "turned",
                                   .orientation = {1.0},
                                   .driven = 1,
                                   .turns = 1,
                                   .axis = {0.0, 0.0, 1.0}},
                         moved = {.name = "moved", .orientation = {1.0}, .driven = 1};
  const prc_spatial_body own[2][2] = {{moved, turned}, {turned, moved}};
  prc_spatial *spatial[2] = {NULL, NULL};
  prc_body body[2];
  prc_spatial_model model[2];
  prc_scene *scene = NULL;
  for (int k = 0; k < 2; k++) {
    model[k] = (prc_spatial_model){.n_bodies = 2, .body = own[k]};
    support_ok(prc_spatial_create(&model[k], &spatial[k], &err), &err);
    body[k] = (prc_body){.kind = &prc_body_kind_spatial, .self = spatial[k], .name = "bodies"};
  }
  support_ok(prc_scene_create(&(prc_scene_model){.n_bodies = 2, .body = body}, &scene, &err), &err);
  const prc_drive *drive = &prc_scene_system(scene)->drive;
  ck_assert_int_eq(drive->n, 18);
  for (int i = 0; i < 18; i++)
    ck_assert_int_eq(drive->turn[i] != 0, (i >= 6 && i < 9) || (i >= 12 && i < 15));
  prc_scene_free(&scene);
  for (int k = 0; k < 2; k++) prc_spatial_free(&spatial[k]);
}
END_TEST

/* Contacts in the state q, evaluated with all there is. */
static void find_all(const prc_system *s, const double *q, prc_contact_set *set) {
  double zero[64] = {0.0};
  const prc_at at = {0.0, q, zero};
  support_ok(prc_system_find_contacts(s, &at, 0.0, 0.0, set, NULL, &err), &err);
  s->contacts.evaluate(s->owner, &at, PRC_EVALUATE_GAP | PRC_EVALUATE_H | PRC_EVALUATE_PLACE, set);
}

static void some_state(const both *b, double *q) {
  double v[64];
  prc_scene_initial(b->scene, q, v);
  for (int i = 0; i < prc_scene_system(b->scene)->space.nv; i++) q[i] += 0.05 * sin(3.0 * i);
}

START_TEST(the_normal_row_is_the_derivative_of_the_gap) {
  both b;
  open_both(&b, 1);
  const prc_system *s = prc_scene_system(b.scene);
  double q[64], moved[64], v[64], u[64];
  prc_contact_set now = {0}, before = {0}, after = {0};
  some_state(&b, q);
  find_all(s, q, &now);
  ck_assert_int_eq(now.n, 3 + 1 + 5 + 2 + 1 + 5);
  for (int i = 0; i < s->space.nv; i++) v[i] = cos(2.0 + 5.0 * i);
  prc_rows_multiply(&now.H, v, u);
  const double little = 1e-5;
  for (int i = 0; i < s->space.nv; i++) moved[i] = q[i] - little * v[i];
  find_all(s, moved, &before);
  for (int i = 0; i < s->space.nv; i++) moved[i] = q[i] + little * v[i];
  find_all(s, moved, &after);
  for (int c = 0; c < now.n; c++)
    ck_assert_double_eq_tol(u[2 * c], (after.gap[c] - before.gap[c]) / (2.0 * little), 1e-8);
  prc_contact_set_free(&now);
  prc_contact_set_free(&before);
  prc_contact_set_free(&after);
  close_both(&b);
}
END_TEST

/* Two surfaces that stick together as one rigid motion have no relative velocity, tangentially either; and
 * percussions between two bodies change neither momentum nor moment of momentum, however deep they
 * overlap. */
START_TEST(action_and_reaction_are_on_one_line) {
  both b;
  open_both(&b, 1);
  const prc_system *s = prc_scene_system(b.scene);
  const int m = prc_fem_system(b.fem)->space.nv;
  double q[64], v[64], u[64];
  prc_contact_set set = {0};
  some_state(&b, q);
  find_all(s, q, &set);
  for (int i = 0; i < m; i++) /* everything turns about (0.3, -0.7) */
    v[i] = i % 2 == 0 ? -(b.mesh->x[i + 1] + q[i + 1] + 0.7) : b.mesh->x[i - 1] + q[i - 1] - 0.3;
  for (int k = 0; k < N_RIGID; k++) {
    const double *g = q + m + 3 * k;
    v[m + 3 * k] = -(g[1] + 0.7), v[m + 3 * k + 1] = g[0] - 0.3, v[m + 3 * k + 2] = 1.0;
  }
  prc_rows_multiply(&set.H, v, u);
  int between = 0;
  for (int c = 0; c < set.n; c++) {
    if (set.body[2 * c] < 0) continue;
    between++;
    ck_assert_double_le(fabs(u[2 * c]), 1e-14);
    ck_assert_double_le(fabs(u[2 * c + 1]), 1e-14);
  }
  ck_assert_int_eq(between, 5 + 2 + 1 + 5);
  prc_contact_set_free(&set);
  close_both(&b);
}
END_TEST

START_TEST(contacts_have_their_ids_bodies_and_places) {
  both b;
  open_both(&b, 1);
  const prc_system *s = prc_scene_system(b.scene);
  double q[64];
  prc_contact_set set = {0};
  some_state(&b, q);
  find_all(s, q, &set);
  int first;
  ck_assert(prc_scene_surface(b.scene, 0, 0) == 0 && prc_scene_surface(b.scene, 1, 0) == 1);
  ck_assert(prc_scene_places(&set, 1, &first) == 1 && first == 3 && set.body[6] == -1
            && set.body[7] == 1 + DISC);
  ck_assert_int_eq(prc_scene_places(&set, prc_scene_surface(b.scene, -1, 1), &first), 2);
  ck_assert_int_eq(first, 9);
  const int c = first + 1; /* the second tip of the lever against the wheel */
  ck_assert(set.id[c].b == 1 + LEVER && set.id[c].feature_b == 1 && set.body[2 * c] == 1 + WHEEL);
  ck_assert_int_eq(set.H.start[c + 1] - set.H.start[c], 6);
  double x[2];
  const double *lever = q + prc_fem_system(b.fem)->space.nv;
  prc_rigid_point(b.rigid, lever, LEVER, tips + 2, x);
  ck_assert(set.place[3 * c] == x[0] && set.place[3 * c + 1] == x[1] && set.place[3 * c + 2] == 0.0);
  const double *f = set.frame + 9 * c; /* right-handed in space: t2 = n x t1 */
  ck_assert_double_eq_tol(f[0] * f[4] - f[1] * f[3], f[8], 1e-15);
  ck_assert_double_eq_tol(f[3], f[1], 0.0 + DBL_EPSILON);
  ck_assert_double_eq_tol(f[8], -1.0, DBL_EPSILON);
  prc_contact_set_free(&set);
  close_both(&b);
}
END_TEST

/* Points of two bodies of a family that are features of the same number, and not in the order of their bodies. */
START_TEST(points_of_two_bodies_are_told_apart) {
  both b;
  open_both(&b, 0);
  prc_scene_free(&b.scene);
  const prc_contact_surface rim = prc_contact_disc((const double[2]){0.25, 0.5}, 1.25);
  const prc_body_point point[2] = {{.item = DISC, .feature = 0}, {.item = LEVER, .feature = 0}};
  const prc_scene_contact contact = {"wheel and both", 1, WHEEL, rim, 1, 2, point, 0.0, b.law};
  const prc_body body[2] = {{.kind = prc_body_kind_find("mesh"), .self = b.fem, .name = "mesh"},
                            {.kind = prc_body_kind_find("rigid"), .self = b.rigid, .name = "bodies"}};
  support_ok(
      prc_scene_create(&(prc_scene_model){.n_bodies = 2, .n_contacts = 1, .body = body, .contact = &contact},
                       &b.scene, &err),
      &err);
  double q[64];
  prc_contact_set set = {0};
  some_state(&b, q);
  find_all(prc_scene_system(b.scene), q, &set);
  int first;
  ck_assert_int_eq(prc_scene_places(&set, prc_scene_surface(b.scene, -1, 0), &first), 2);
  const double *state = q + prc_fem_system(b.fem)->space.nv, centre[2] = {0.0};
  for (int c = first; c < first + 2; c++) {
    double x[2];
    const int item = c == first ? LEVER : DISC;
    ck_assert_uint_eq(set.id[c].b, 1U + (unsigned)item);
    prc_rigid_point(b.rigid, state, item, centre, x);
    ck_assert(set.place[3 * c] == x[0] && set.place[3 * c + 1] == x[1]);
  }
  prc_contact_set_free(&set);
  close_both(&b);
}
END_TEST

/* A disc touches with its rim: there its spin alone moves it along t by the radius, and where it rolls
 * nothing slips. */
START_TEST(a_disc_touches_with_its_rim) {
  both b;
  open_both(&b, 1);
  const prc_system *s = prc_scene_system(b.scene);
  const int m = prc_fem_system(b.fem)->space.nv;
  double q[64], v[64] = {0.0}, u[64];
  prc_contact_set set = {0};
  some_state(&b, q);
  find_all(s, q, &set);
  int c;
  ck_assert_int_eq(prc_scene_places(&set, prc_scene_surface(b.scene, -1, 2), &c), 1);
  const double *centre = q + m + 3 * DISC, *n = set.frame + 9 * c;
  for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(set.place[3 * c + k], centre[k] - 0.5 * n[k], 1e-15);
  v[m + 3 * DISC + 2] = 2.0;
  prc_rows_multiply(&set.H, v, u);
  ck_assert_double_eq_tol(u[2 * c], 0.0, 1e-15);
  ck_assert_double_eq_tol(u[2 * c + 1], 2.0 * 0.5, 1e-15);
  for (int k = 0; k < 2; k++) v[m + 3 * DISC + k] = -set.frame[9 * c + 3 + k]; /* along -t by as much */
  prc_rows_multiply(&set.H, v, u);
  ck_assert_double_eq_tol(u[2 * c + 1], 0.0, 1e-15);
  prc_contact_set_free(&set);
  close_both(&b);
}
END_TEST

START_TEST(what_cannot_be_is_refused) {
  both b;
  open_both(&b, 0);
  const prc_body body[2] = {{.kind = &prc_body_kind_mesh, .self = b.fem, .name = "mesh"},
                            {.kind = &prc_body_kind_rigid, .self = b.rigid, .name = "bodies"}};
  prc_scene *scene = NULL;
  prc_scene_contact wrong = b.contact[0];
  wrong.surface_of = 0;
  support_fails(
      prc_scene_create(&(prc_scene_model){.n_bodies = 2, .n_contacts = 1, .body = body, .contact = &wrong},
                       &scene, &err),
      PRC_INPUT, &err, "contact 'wheel and mesh': a mesh has no surface that others may touch");
  prc_error_clear(&err);
  wrong.surface_of = 2;
  support_fails(
      prc_scene_create(&(prc_scene_model){.n_bodies = 2, .n_contacts = 1, .body = body, .contact = &wrong},
                       &scene, &err),
      PRC_INPUT, &err, "body 2 pushes body 0, expected numbers below 2");
  prc_error_clear(&err);
  support_fails(prc_scene_create(&(prc_scene_model){0}, &scene, &err), PRC_INPUT, &err,
                "a scene needs a body");
  prc_error_clear(&err);
  ck_assert_ptr_null(scene);
  ck_assert_ptr_null(prc_body_kind_find("shell"));
  close_both(&b);
}
END_TEST

/* ---- joints and springs ------------------------------------------------------------------------------- */

enum { LINKED_DOFS = 6, LINKED_ROWS = 4 };
static const prc_rigid_body pair[2] = {
    {.name = "a", .mass = 2.0, .inertia = 0.5, .position = {0.3, -0.2}, .angle = 0.4},
    {.name = "b", .mass = 1.0, .inertia = 0.125, .position = {1.3, 0.9}, .angle = -1.1}};
static const prc_rigid_joint linking[2] = {
    {.name = "pin", .type = PRC_JOINT_REVOLUTE, .body = {0, 1}, .at = {{0.8, 0.5}, {0.8, 0.5}}},
    {.name = "edge", .type = PRC_JOINT_SKATE, .body = {-1, 1}, .at = {{1, 1}, {1, 1}}, .axis = {0.6, 0.8}}};
static const prc_rigid_spring pulling[2] = {{"s", {0, 1}, {{0, 0}, {1, 2}}, 3.0, 0.5, 0.7},
                                            {"t", {-1, 0}, {{0, 1}, {0.5, 0}}, 2.0, 0.0, 0.0}};

/* Twice the same family: what the scene says of the second is what that says, further on. */
typedef struct {
  prc_rigid_model model;
  prc_rigid *rigid;
  prc_scene *scene;
  const prc_system *own, *whole;
  double q[2 * LINKED_DOFS], v[2 * LINKED_DOFS];
} linked;

static void open_linked(linked *l) {
  *l = (linked){
      .model = {
          .n_bodies = 2, .n_joints = 2, .n_springs = 2, .body = pair, .joint = linking, .spring = pulling}};
  support_ok(prc_rigid_create(&l->model, &l->rigid, &err), &err);
  const prc_body body[2] = {{.kind = &prc_body_kind_rigid, .self = l->rigid, .name = "one"},
                            {.kind = &prc_body_kind_rigid, .self = l->rigid, .name = "other"}};
  support_ok(
      prc_scene_create(&(prc_scene_model){.n_bodies = 2, .n_contacts = 0, .body = body, .contact = NULL},
                       &l->scene, &err),
      &err);
  l->own = prc_rigid_system(l->rigid), l->whole = prc_scene_system(l->scene);
  for (int i = 0; i < 2 * LINKED_DOFS; i++) l->q[i] = sin(1.0 + 2.0 * i), l->v[i] = cos(3.0 * i);
}

static void close_linked(linked *l) {
  prc_scene_free(&l->scene);
  prc_rigid_free(&l->rigid);
}

START_TEST(joints_of_the_bodies_follow_one_another) {
  linked l;
  double g[2][LINKED_ROWS], G[2][24], rate[2][LINKED_ROWS], bias[2][LINKED_ROWS];
  open_linked(&l);
  const prc_joints *own = &l.own->joints, *all = &l.whole->joints;
  ck_assert_int_eq(own->n, 3);
  ck_assert_int_eq(all->n, 6);
  const int entries = own->start[own->n];
  double all_g[6], all_G[48], all_rate[6], all_bias[6], secant[48];
  const prc_at at = {0.5, l.q, l.v};
  support_ok(all->evaluate(l.whole->owner, &at, all_g, all_G, all_rate, all_bias, &err), &err);
  for (int b = 0; b < 2; b++) {
    const prc_at here = {0.5, l.q + LINKED_DOFS * b, l.v + LINKED_DOFS * b};
    support_ok(own->evaluate(l.own->owner, &here, g[b], G[b], rate[b], bias[b], &err), &err);
    for (int i = 0; i < own->n; i++) {
      char text[64];
      ck_assert(all_g[own->n * b + i] == g[b][i] && all_bias[own->n * b + i] == bias[b][i]);
      ck_assert_int_eq(all->start[own->n * b + i], entries * b + own->start[i]);
      ck_assert_int_eq(all->of_velocities[own->n * b + i], i == 2);
      all->name(l.whole->owner, own->n * b + i, text, sizeof text);
      ck_assert_str_eq(text, i < 2 ? "joint 'pin'" : "joint 'edge'");
    }
    for (int k = 0; k < entries; k++) {
      ck_assert(all_G[entries * b + k] == G[b][k]);
      ck_assert_int_eq(all->dof[entries * b + k], LINKED_DOFS * b + own->dof[k]);
    }
  }
  support_ok(all->secant(l.whole->owner, &at, 0.1, l.v, secant, all_rate, &err), &err);
  support_ok(own->secant(l.own->owner, &(prc_at){0.5, l.q + LINKED_DOFS, NULL}, 0.1, l.v + LINKED_DOFS, G[1],
                         rate[1], &err),
             &err);
  for (int k = 0; k < entries; k++) ck_assert(secant[entries + k] == G[1][k]);
  close_linked(&l);
}
END_TEST

START_TEST(springs_of_the_bodies_stand_beside_each_other) {
  linked l;
  double f[2 * LINKED_DOFS], d[2 * LINKED_DOFS], own_f[LINKED_DOFS], own_d[LINKED_DOFS], V, own_V[2];
  prc_sym *A = NULL, *own_A = NULL;
  open_linked(&l);
  const prc_dynamics *own = &l.own->dynamics, *all = &l.whole->dynamics;
  const prc_at at = {0.0, l.q, l.v};
  support_ok(all->internal(l.whole->owner, &at, f, &V, &err), &err);
  support_ok(all->damping(l.whole->owner, &at, d, &err), &err);
  support_ok(prc_sym_add(0.0, all->M, 0.0, all->pattern, &A, &err), &err);
  support_ok(all->tangent(l.whole->owner, &at, 0.1, 0.2, A, &err), &err);
  for (int b = 0; b < 2; b++) {
    const prc_at here = {0.0, l.q + LINKED_DOFS * b, l.v + LINKED_DOFS * b};
    support_ok(own->internal(l.own->owner, &here, own_f, &own_V[b], &err), &err);
    support_ok(own->damping(l.own->owner, &here, own_d, &err), &err);
    support_ok(prc_sym_add(0.0, own->M, 0.0, own->pattern, &own_A, &err), &err);
    support_ok(own->tangent(l.own->owner, &here, 0.1, 0.2, own_A, &err), &err);
    for (int i = 0; i < LINKED_DOFS; i++) ck_assert(f[LINKED_DOFS * b + i] == own_f[i]);
    for (int i = 0; i < LINKED_DOFS; i++) ck_assert(d[LINKED_DOFS * b + i] == own_d[i]);
    for (int k = 0; k < prc_sym_nnz(own_A); k++) ck_assert(A->x[prc_sym_nnz(own_A) * b + k] == own_A->x[k]);
    prc_sym_free(&own_A);
  }
  ck_assert(V == own_V[0] + own_V[1] && own_V[1] > 0.0);
  ck_assert_ptr_null(all->K);
  prc_sym_free(&A);
  close_linked(&l);
}
END_TEST

SUITE(scene) {
  Suite *suite = suite_create("scene");
  TCase *t = tcase_create("scene");
  tcase_add_test(t, a_disc_is_touched_from_outside_at_any_size);
  tcase_add_test(t, a_direction_has_all_its_digits_however_near_the_centre);
  tcase_add_test(t, at_the_centre_of_a_disc_the_normal_is_that_of_its_axes);
  tcase_add_test(t, a_face_is_a_half_plane_that_moves);
  tcase_add_test(t, a_scene_of_one_body_is_that_body);
  tcase_add_test(t, matrices_are_those_of_the_parts);
  tcase_add_test(t, prescribed_rows_follow_one_another_with_their_names);
  tcase_add_test(t, rows_of_turns_are_known_as_such);
  tcase_add_test(t, the_normal_row_is_the_derivative_of_the_gap);
  tcase_add_test(t, action_and_reaction_are_on_one_line);
  tcase_add_test(t, contacts_have_their_ids_bodies_and_places);
  tcase_add_test(t, points_of_two_bodies_are_told_apart);
  tcase_add_test(t, a_disc_touches_with_its_rim);
  tcase_add_test(t, what_cannot_be_is_refused);
  tcase_add_test(t, joints_of_the_bodies_follow_one_another);
  tcase_add_test(t, springs_of_the_bodies_stand_beside_each_other);
  suite_add_tcase(suite, t);
  return suite;
}

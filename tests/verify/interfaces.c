/* Two deformable bodies that meet: patch tests of a mortar, in closed form. */
#include "config.h"
#include "support/duet.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A block on a block, pressed from above: sigma_yy = -p everywhere, whatever the meshes. */
typedef struct {
  int element, below, above;
  double stiffer, angle;
  int ring; /* the blocks are discs, whose axis is on the left */
} patch_case;

static void make_blocks(duet *d, const patch_case *c) {
  const patch_box a = {0.0, 0.0, 1.0, 0.5, c->angle}, b = {0.0, 0.5, 1.0, 0.5, c->angle};
  const patch list[] = {{"a", c->below, 3, c->element, patch_in_box, &a},
                        {"b", c->above, 2, c->element, patch_in_box, &b}};
  duet_case(d, 2, list);
  d->material[1].young *= c->stiffer;
  d->material[1].poisson = 0.2;
}

static void check_patch(const patch_case *c) {
  const double pressure = 7.0;
  double way = 0.0;
  duet d;
  make_blocks(&d, c);
  if (c->ring) d.model.plane = PRC_AXISYMMETRIC;
  for (int k = 0; k < 2; k++) { /* sides are free, strain is plane */
    const double nu = d.material[k].poisson;
    way += 0.5 * pressure * (c->ring ? 1.0 : 1.0 - nu * nu) / d.material[k].young;
  }
  duet_hold(&d, "a.bottom", 2, 0.0, 0.0);
  duet_hold(&d, "a.left", 1, 0.0, 0.0);
  duet_hold(&d, "b.left", 1, 0.0, 0.0);
  duet_hold(&d, "b.top", 2, 0.0, -way);
  duet_meet(&d, "a.top", "b.bottom", 0.0);
  d.step.cone.tolerance = 1e-15;
  duet_solve(&d);
  double *stress = NULL, *out = NULL, *energy = NULL, worst = 0.0, worst_p = 0.0;
  prc_error err = {0};
  support_ok(prc_new(&stress, 3 * (size_t)d.mesh->n_cells, &err), &err);
  support_ok(prc_new(&out, d.mesh->n_cells, &err), &err);
  support_ok(prc_new(&energy, d.mesh->n_cells, &err), &err);
  prc_fem_cell_fields(d.fem, d.record->q, stress, out, energy);
  for (int k = 0; k < d.mesh->n_cells; k++) {
    worst = fmax(worst, fabs(stress[3 * k + 1] + pressure));
    worst = fmax(worst, fmax(fabs(stress[3 * k]), fabs(stress[3 * k + 2])));
  }
  for (int k = 0; k < d.record->n_contacts; k++) {
    double t[2];
    duet_traction(&d, k, t);
    worst_p = fmax(worst_p, fmax(fabs(t[0] - pressure), fabs(t[1])));
  }
  /* single percussions are less certain than stresses: a stiff and finer second side resists little what alternates from node to node */
  const double bound_p = c->stiffer > 1.0 ? 1e-11 : 1e-12;
  ck_assert_msg(worst <= 1e-12 * pressure && worst_p <= bound_p * pressure,
                "element %d, %d:%d: stress is off by %.3g, traction by %.3g", c->element, c->below, c->above,
                worst, worst_p);
  prc_delete(&stress);
  prc_delete(&out);
  prc_delete(&energy);
  duet_free(&d);
}

START_TEST(a_constant_pressure_passes) {
  static const int element[] = {2, 3, 9, 16},
                   pair[][2] = {{3, 3}, {3, 2}, {2, 3}, {7, 5}, {5, 7}, {1, 1}, {1, 6}, {6, 1}};
  for (size_t e = 0; e < sizeof element / sizeof *element; e++)
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++)
      for (int m = 0; m < 4; m++) {
        const patch_case c = {element[e], pair[k][0], pair[k][1], m % 2 ? 10.0 : 1.0, 0.0, m / 2};
        check_patch(&c);
      }
}
END_TEST

/* ---- corners --------------------------------------------------------------------------------------------------- */

static double chance(prc_random *random) {
  return prc_random_uniform(random, 0.0, 1.0);
}

/* Two legs that turn by an angle, one body above them and one below; all of it turned and moved. */
typedef struct {
  double leg[2], turn, angle, at[2], thick;
  int sides[2][2]; /* of the body below, of that above: on either leg */
} bend;
typedef struct {
  const bend *of;
  int above;
} half;

static void in_half(const void *of, double u, double v, double x[2]) {
  const half *side = of;
  const bend *b = side->of;
  const int *n = b->sides[side->above];
  const double along = u * (n[0] + n[1]) - n[0], s = b->leg[along > 0.0] * along / n[along > 0.0];
  const double tilt = 0.5 * (along > 0.0 ? b->turn : -b->turn);
  const double y[2] = {s * cos(tilt), s * sin(tilt) + b->thick * (side->above ? v : v - 1.0)};
  const double c = cos(b->angle), t = sin(b->angle);
  x[0] = b->at[0] + c * y[0] - t * y[1], x[1] = b->at[1] + t * y[0] + c * y[1];
}

static prc_status stretch(const prc_field *field, double x, double y, double t, double *value,
                          prc_error *err) {
  const double *way = field->data;
  (void)t, (void)err;
  *value = way[0] * (way[1] != 0.0 ? x : y);
  return PRC_OK;
}

static prc_status by_time(const prc_field *field, double x, double y, double t, double *value,
                          prc_error *err) {
  const double *line = field->data;
  (void)x, (void)y, (void)err;
  *value = line[0] + line[1] * t;
  return PRC_OK;
}

/* The deviation of stresses from a pressure, and of tractions. */
static void measure_pressure(duet *d, double pressure, double *worst, double *worst_p) {
  double *field = NULL;
  prc_error err = {0};
  const size_t n = (size_t)d->mesh->n_cells;
  support_ok(prc_new(&field, 5 * n, &err), &err);
  prc_fem_cell_fields(d->fem, d->record->q, field, field + 3 * n, field + 4 * n);
  *worst = *worst_p = 0.0;
  for (size_t k = 0; k < n; k++)
    for (int r = 0; r < 3; r++)
      *worst = fmax(*worst, fabs(field[3 * k + (size_t)r] + (r < 2 ? pressure : 0.0)));
  for (int k = 0; k < d->record->n_contacts; k++) {
    double t[2];
    duet_traction(d, k, t);
    *worst_p = fmax(*worst_p, fmax(fabs(t[0] - pressure), fabs(t[1])));
  }
  prc_delete(&field);
}

/* Under one pressure all around nothing but that pressure is anywhere, whatever the bend: u = -way x. */
static void check_bend(const bend *b, int element, int ring, int swap) {
  const double pressure = 7.0, nu = 0.3;
  const double way = -pressure * (1.0 - 2.0 * nu) * (ring ? 1.0 : 1.0 + nu) / 1000.0;
  double field[2][2] = {{way, 1.0}, {way, 0.0}};
  const half below = {b, 0}, above = {b, 1};
  const patch list[] = {{"a", b->sides[0][0] + b->sides[0][1], 2, element, in_half, &below},
                        {"b", b->sides[1][0] + b->sides[1][1], 3, element, in_half, &above}};
  double worst, worst_p;
  duet d;
  duet_case(&d, 2, list);
  if (ring) d.model.plane = PRC_AXISYMMETRIC;
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0), duet_hold(&d, "b.top", 3, 0.0, 0.0);
  for (int k = 0; k < 2; k++)
    for (int r = 0; r < 2; r++)
      d.support[k].displacement[r] = (prc_field){.eval = stretch, .data = field[r], .uses_place = 1};
  const char *const sides[] = {"a.left", "a.right", "b.left", "b.right"};
  for (int k = 0; k < 4; k++) duet_press(&d, sides[k], pressure);
  duet_meet(&d, swap ? "b.bottom" : "a.top", swap ? "a.top" : "b.bottom", 0.0);
  d.step.cone.tolerance = 1e-15;
  duet_solve(&d);
  measure_pressure(&d, pressure, &worst, &worst_p);
  ck_assert_msg(worst <= 2e-12 * pressure && worst_p <= 5e-11 * pressure,
                "element %d, ring %d, turn %.4f, sides %d %d, %d %d, swap %d: stress is off by %.3g, "
                "traction by %.3g",
                element, ring, b->turn, b->sides[0][0], b->sides[0][1], b->sides[1][0], b->sides[1][1], swap,
                worst, worst_p);
  duet_free(&d);
}

START_TEST(bends_carry_a_pressure) {
  static const int element[] = {2, 3, 9, 16};
  static const double turn[] = {30.0, 60.0, 90.0, -30.0, -60.0, -90.0, 100.0, -100.0};
  prc_random random = {7};
  const int all = getenv("PRC_LONG") ? 8 : 1;
  for (int i = 0; i < 8 * all; i++)
    for (int k = 0; k < 4; k++) {
      bend b = {.thick = 0.4 + 0.4 * chance(&random)};
      b.turn = (i < 8 ? turn[i] : 220.0 * (chance(&random) - 0.5)) * M_PI / 180.0;
      b.angle = 6.0 * chance(&random), b.at[0] = (i + k) % 2 ? 2.0 : 0.0, b.at[1] = chance(&random);
      for (int leg = 0; leg < 2; leg++) {
        b.leg[leg] = 0.5 + chance(&random);
        for (int side = 0; side < 2; side++) b.sides[side][leg] = 5 + (int)(6.0 * chance(&random));
      }
      check_bend(&b, element[k], (i + k) % 2, (i / 2 + k) % 2);
    }
}
END_TEST

static int by_number(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int candidate_of(const duet *d, int c) {
  const prc_contact_set *set = d->record->contacts;
  return prc_fem_contact_candidate(d->fem, (int)set->id[c].a, (int)set->id[c].feature_b);
}

/* One curve of several; its lists are the caller's to free. */
static prc_mesh_group join_curves(const duet *d, int n, const char *const *name) {
  prc_mesh_group out = {.name = "joined", .dim = 1};
  prc_error err = {0};
  for (int k = 0; k < n; k++) {
    const prc_mesh_group *g = duet_curve(d, name[k]);
    out.n_cells += g->n_cells, out.n_nodes += g->n_nodes;
  }
  support_ok(prc_new(&out.cell, out.n_cells, &err), &err);
  support_ok(prc_new(&out.node, out.n_nodes, &err), &err);
  out.n_cells = out.n_nodes = 0;
  for (int k = 0; k < n; k++) {
    const prc_mesh_group *g = duet_curve(d, name[k]);
    for (int i = 0; i < g->n_cells; i++) out.cell[out.n_cells++] = g->cell[i];
    for (int i = 0; i < g->n_nodes; i++) out.node[out.n_nodes++] = g->node[i];
  }
  qsort(out.node, (size_t)out.n_nodes, sizeof *out.node, by_number);
  int last = 0;
  for (int i = 1; i < out.n_nodes; i++)
    if (out.node[i] != out.node[last]) out.node[++last] = out.node[i];
  out.n_nodes = last + 1;
  return out;
}

/* u = eps_1 e_1 (e_1 . x) + eps_2 e_2 (e_2 . x), e_1 at an angle. */
typedef struct {
  double eps[2], angle;
  int component;
} strained;

static prc_status strain(const prc_field *field, double x, double y, double t, double *value,
                         prc_error *err) {
  const strained *s = field->data;
  const double e[2][2] = {{cos(s->angle), sin(s->angle)}, {-sin(s->angle), cos(s->angle)}};
  (void)t, (void)err;
  *value = 0.0;
  for (int k = 0; k < 2; k++) *value += s->eps[k] * e[k][s->component] * (x * e[k][0] + y * e[k][1]);
  return PRC_OK;
}

/* A block whose curve goes around its corners stands on a wide floor that is held: the sides of the block are no part of it. */
static void press_on_floor(double angle, int below, int above, int element, int corners, int large) {
  const double p = 7.0, E = 1000.0, nu = 0.3, c = cos(angle), s = sin(angle);
  strained way[2];
  for (int k = 0; k < 2; k++)
    way[k] = (strained){{p * nu * (1.0 + nu) / E, -p * (1.0 - nu * nu) / E}, angle, k};
  const patch_box a = {-0.7, -0.5, 2.6, 0.5, angle}, b = {0.0, 0.0, 1.0, 0.5, angle};
  const patch list[] = {{"a", below, 2, element, patch_in_box, &a},
                        {"b", above, 3, element, patch_in_box, &b}};
  const char *const curves[] = {"b.bottom", "b.right", "b.left"};
  double *field = NULL, worst = 0.0;
  prc_error err = {0};
  duet d;
  duet_case(&d, 2, list);
  prc_mesh_group around = join_curves(&d, 1 + corners, curves);
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0), duet_hold(&d, "a.top", 3, 0.0, 0.0),
      duet_hold(&d, "b.top", 3, 0.0, 0.0);
  for (int k = 0; k < 2; k++)
    d.support[2].displacement[k] = (prc_field){.eval = strain, .data = &way[k], .uses_place = 1};
  prc_fem_interface *f = duet_meet(&d, "a.top", "b.bottom", 0.0);
  f->group[1] = &around, f->small = !large;
  d.step.cone.tolerance = 1e-15;
  duet_solve(&d);
  support_ok(prc_new(&field, 5 * (size_t)d.mesh->n_cells, &err), &err);
  prc_fem_cell_fields(d.fem, d.record->q, field, field + 3 * d.mesh->n_cells, field + 4 * d.mesh->n_cells);
  const double exact[3] = {-p * s * s, -p * c * c, p * s * c};
  const prc_mesh_group *body = prc_mesh_find(d.mesh, 2, "b");
  for (int k = 0; k < body->n_cells; k++)
    for (int r = 0; r < 3; r++) worst = fmax(worst, fabs(field[3 * body->cell[k] + r] - exact[r]));
  ck_assert_msg(worst <= 2e-12 * p,
                "angle %.3f, element %d, %d:%d, %d corners, large %d: stress is off by %.3g", angle, element,
                below, above, corners, large, worst);
  prc_delete(&field);
  duet_free(&d);
  prc_delete(&around.node);
  prc_delete(&around.cell);
}

START_TEST(a_curve_around_corners_stands_on_a_floor) {
  static const int element[] = {2, 3, 9, 16};
  prc_random random = {3};
  for (int i = 0; i < 24; i++)
    press_on_floor(i < 4 ? 0.0 : 6.0 * chance(&random), 3 + (int)(20.0 * chance(&random)),
                   2 + (int)(7.0 * chance(&random)), element[i % 4], i % 3, i % 2);
}
END_TEST

/* ---- bumps ---------------------------------------------------------------------------------------------------- */

/* A floor with a bump, flat on top where `flat` is not zero, and a block above it that touches its top; turned, or seen in a mirror. */
typedef struct {
  double at, width, height, flat, angle, mirror, out;
} bump;

static void place_of(const bump *b, const double y[2], double x[2]) {
  const double c = cos(b->angle), s = sin(b->angle), y0 = b->mirror * y[0];
  x[0] = b->out + c * y0 - s * y[1], x[1] = s * y0 + c * y[1];
}

static void in_floor(const void *of, double u, double v, double x[2]) {
  const bump *b = of;
  const double w = b->mirror > 0.0 ? u : 1.0 - u, y0 = 2.0 * w - 0.5;
  const double up = fmax(0.0, fmin(1.0, (b->width - fabs(y0 - b->at)) / (b->width - b->flat)));
  place_of(b, (double[2]){y0, v * (0.5 + up * b->height) - 0.5}, x);
}

static void in_block(const void *of, double u, double v, double x[2]) {
  const bump *b = of;
  const double w = b->mirror > 0.0 ? u : 1.0 - u;
  place_of(b, (double[2]){w, b->height + 0.4 * v}, x);
}

/* The force that presses the block down by `way`; the floor has so many sides, the block one, two ... */
static double press_bump(const bump *b, int below, int above, double way, int element, int large, int swap,
                         int ring) {
  const patch list[] = {{"a", below, 5, element, in_floor, b}, {"b", above, 4, element, in_block, b}};
  double force = 0.0;
  duet d;
  duet_case(&d, 2, list);
  if (ring) d.model.plane = PRC_AXISYMMETRIC;
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0);
  duet_hold(&d, "b.top", 3, way * sin(b->angle), -way * cos(b->angle));
  duet_meet(&d, swap ? "b.bottom" : "a.top", swap ? "a.top" : "b.bottom", 0.0)->small = !large;
  duet_solve(&d);
  for (int k = 0; k < d.record->n_contacts; k++) force += d.record->p[2 * k];
  duet_free(&d);
  return force;
}

static double percent(double a, double b) {
  return 100.0 * fabs(a / b - 1.0);
}

/* However few sides touch it, a bump takes a force, and nearly that which it takes where it is the touching one, with its own hats or corners. Turned, or in a mirror, it
 * is the same. */
START_TEST(bumps_carry_coarse_sides) {
  static const int element[] = {3, 2, 16, 9};
  prc_random random = {11};
  for (int i = 0; i < 12; i++) {
    bump b = {.at = 0.2 + 0.05 * (int)(12.0 * chance(&random)),
              .width = 0.1,
              .height = 0.03 + 0.02 * chance(&random),
              .flat = i % 2 ? 0.05 : 0.0,
              .mirror = 1.0,
              .out = i % 4 == 3 ? 1.0 : 0.0};
    const int above = 1 + i % 3, ring = i % 4 == 3, e = element[i % 4];
    const double other = b.flat > 0.0 ? 15.0 : 1e-4; /* two forces for a pressure; the same corner */
    double f[2][2];
    for (int large = 0; large < 2; large++)
      for (int swap = 0; swap < 2; swap++)
        f[large][swap] = press_bump(&b, 40, above, 0.01, e, large, swap, ring);
    ck_assert_msg(
        f[0][0] > 2.0 && percent(f[0][0], f[1][0]) < 0.3 && percent(f[0][0], f[0][1]) < other
            && percent(f[1][0], f[1][1]) < other,
        "bump %d of %.4f at %.2f, %d sides, element %d: force %g, large %g, the bump touching %g, large %g",
        i, b.height, b.at, above, e, f[0][0], f[1][0], f[0][1], f[1][1]);
    if (ring || e == 2 || e == 9) continue; /* (triangles are others in a mirror) */
    b.mirror = -1.0, b.angle = 6.0 * chance(&random);
    ck_assert_double_le(percent(press_bump(&b, 40, above, 0.01, e, 0, 0, 0), f[0][0]), 1e-7);
    ck_assert_double_le(percent(press_bump(&b, 40, above, 0.01, e, 1, 0, 0), f[1][0]), 1e-7);
  }
}
END_TEST

/* A square stands on its corner, above a block, and is pressed into it; the force that it takes. Turned by `tilt` about its corner. */
static double press_corner(int below, int above, double tilt, int large, int swap, double angle) {
  const double turn = 0.25 * M_PI + tilt, c = cos(angle), s = sin(angle);
  const patch_box a = {-1.0, -1.0, 2.0, 1.0, angle}, b = {0.0, 0.0, 0.5, 0.5, turn + angle};
  const patch list[] = {{"a", below, 10, 3, patch_in_box, &a}, {"b", above, above, 3, patch_in_box, &b}};
  const char *const curves[] = {"b.bottom", "b.left"};
  double force = 0.0;
  duet d;
  duet_case(&d, 2, list);
  prc_mesh_group corner = join_curves(&d, 2, curves);
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0);
  duet_hold(&d, "b.top", 3, 0.02 * s, -0.02 * c), duet_hold(&d, "b.right", 3, 0.02 * s, -0.02 * c);
  prc_fem_interface *f = duet_meet(&d, "a.top", "a.top", 0.0);
  f->group[swap ? 0 : 1] = &corner, f->small = !large;
  duet_solve(&d);
  for (int k = 0; k < d.record->n_contacts; k++) { /* along the block's normal */
    const double *n = prc_fem_contact_frames(d.fem) + 4 * candidate_of(&d, k);
    force += d.record->p[2 * k] * (-n[0] * s + n[1] * c) * (swap ? -1.0 : 1.0);
  }
  duet_free(&d);
  prc_delete(&corner.node);
  prc_delete(&corner.cell);
  return force;
}

/* Whichever of the two touches, whatever their sides, turned or not. */
START_TEST(corners_are_pressed_in) {
  static const int sides[][2] = {{5, 1}, {9, 3}, {21, 4}, {20, 4}, {12, 12}};
  prc_random random = {41};
  for (size_t i = 0; i < 10; i++) {
    const int *n = sides[i % 5];
    const double tilt = i == 0 ? 0.0 : 0.6 * chance(&random) - 0.3, angle = 6.0 * chance(&random);
    double f[4];
    for (int k = 0; k < 4; k++) f[k] = press_corner(n[0], n[1], tilt, k % 2, k / 2, 0.0);
    ck_assert_msg(f[0] > 2.0 && percent(f[0], f[2]) < 0.1 && percent(f[1], f[3]) < 0.1
                      && percent(f[0], f[1]) < 8.0,
                  "sides %d, %d, tilt %.3f: force %g, large %g, swapped %g, large %g", n[0], n[1], tilt, f[0],
                  f[1], f[2], f[3]);
    for (int k = 0; k < 2; k++)
      ck_assert_double_le(percent(press_corner(n[0], n[1], tilt, k, 0, angle), f[k]), 1e-6);
  }
}
END_TEST

/* A block that falls on its corner goes in no deeper than steps see it come: v h, and 1e-3 of a side where hats are taken for closed. */
static double drop(double tilt, int sides, int element, const char *scheme, int around) {
  const patch_box a = {-1.0, -0.5, 2.0, 0.5, 0.0}, box = {0.0, 0.0, 0.5, 0.5, tilt};
  const patch list[] = {{"a", 9, 2, element, patch_in_box, &a},
                        {"b", sides, sides, element, patch_in_box, &box}};
  const char *const curves[] = {"b.bottom", "b.right", "b.left", "b.top"};
  double deepest = 0.0;
  duet d;
  duet_case(&d, 2, list);
  prc_mesh_group touching = join_curves(&d, around, curves);
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0), duet_hold(&d, "a.top", 3, 0.0, 0.0);
  prc_fem_interface *f = duet_meet(&d, "a.top", "b.bottom", 0.2);
  f->group[1] = &touching, f->small = 0;
  d.step.scheme = scheme, d.step.theta = 0.5, d.step.h = 5e-4;
  duet_prepare(&d);
  const prc_mesh_group *body = prc_mesh_find(d.mesh, 2, "b");
  for (int k = 0; k < body->n_nodes; k++)
    d.v0[2 * body->node[k] + 1] = -0.5, d.q0[2 * body->node[k] + 1] = 1e-3;
  duet_begin(&d);
  for (int i = 0; i < 100; i++) {
    duet_step(&d, 1);
    for (int k = 0; k < body->n_nodes; k++)
      deepest = fmax(deepest, -(d.mesh->x[2 * body->node[k] + 1] + d.record->q[2 * body->node[k] + 1]));
  }
  duet_free(&d);
  prc_delete(&touching.node);
  prc_delete(&touching.cell);
  return deepest;
}

START_TEST(blocks_fall_on_their_corners) {
  static const int element[] = {3, 2, 16, 9};
  prc_random random = {17};
  for (int i = 0; i < 12; i++) {
    const int sides = 2 + i % 3, around = 1 + i % 4;
    const double tilt =
        around == 1 ? 0.05 + 0.3 * chance(&random) : 0.05 + (0.5 * M_PI - 0.1) * chance(&random);
    const double deep = drop(tilt, sides, element[i % 4], i % 2 ? "theta" : "midpoint", around);
    ck_assert_msg(deep <= 4e-3, "turned by %.3f, %d sides, %d curves: %g deep", tilt, sides, around, deep);
  }
}
END_TEST

/* ---- long ways ------------------------------------------------------------------------------------------------- */

/* A block is pushed through a gap onto a floor, by a way that is many sides long, in so many load steps. */
static double push_through(int steps, int sides, double gap, double way) {
  const patch_box a = {-0.5, -1.0, 2.0, 1.0, 0.0}, b = {0.0, gap, 1.0, 1.0, 0.0};
  const patch list[] = {{"a", 2 * sides + 1, 4, 3, patch_in_box, &a}, {"b", sides, 4, 3, patch_in_box, &b}};
  double force = 0.0, down[2] = {0.0, -way};
  duet d;
  duet_case(&d, 2, list);
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0), duet_hold(&d, "b.top", 3, 0.0, 0.0);
  d.support[1].displacement[1] = (prc_field){.eval = by_time, .data = down, .uses_time = 1};
  duet_meet(&d, "a.top", "b.bottom", 0.0)->small = 0;
  d.step.scheme = "static", d.step.theta = 1.0, d.step.h = 1.0 / steps;
  duet_start(&d);
  duet_step(&d, steps);
  for (int k = 0; k < d.record->n_contacts; k++) force += d.record->p[2 * k] / d.record->h;
  duet_free(&d);
  return force;
}

/* Two blocks fly at each other, by `way` in a step: how far the one is in front of the other in the end, and what of their speeds is left. */
static void fly(double way, int sides, const char *scheme, double gap, double *apart, double *speed) {
  const patch_box a = {0.0, 0.0, 0.5, 0.5, 0.0}, b = {0.5 + gap, 0.05, 0.5, 0.4, 0.0};
  const patch list[] = {{"a", sides, sides, 3, patch_in_box, &a},
                        {"b", sides, sides - 1, 3, patch_in_box, &b}};
  double mean[2][2] = {{0.0}};
  duet d;
  duet_case(&d, 2, list);
  duet_meet(&d, "a.right", "b.left", 0.0)->small = 0;
  d.step.scheme = scheme, d.step.h = way;
  duet_prepare(&d);
  const prc_mesh_group *body[2] = {prc_mesh_find(d.mesh, 2, "a"), prc_mesh_find(d.mesh, 2, "b")};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < body[k]->n_nodes; i++) d.v0[2 * body[k]->node[i]] = k == 0 ? 0.5 : -0.5;
  duet_begin(&d);
  duet_step(&d, 40);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < body[k]->n_nodes; i++) {
      const int node = body[k]->node[i];
      mean[k][0] += (d.mesh->x[2 * node] + d.record->q[2 * node]) / body[k]->n_nodes;
      mean[k][1] += d.record->v[2 * node] / body[k]->n_nodes;
    }
  *apart = mean[1][0] - mean[0][0], *speed = mean[1][1] - mean[0][1];
  duet_free(&d);
}

START_TEST(long_ways_do_not_lead_through) {
  prc_random random = {23};
  for (int i = 0; i < 6; i++) {
    const int sides = 10 + i;
    const double gap = 0.2 + 0.2 * chance(&random), way = gap + 0.1 + 0.1 * chance(&random);
    const double once = push_through(1, sides, gap, way), slowly = push_through(20, sides, gap, way);
    double apart, speed;
    ck_assert_msg(percent(once, slowly) < 1.0 && slowly > 10.0,
                  "%d sides, %.3f through %.3f: %g, in 20 steps %g", sides, way, gap, once, slowly);
    fly((2.0 + 2.0 * chance(&random)) * 0.5 / sides, sides, i % 2 ? "theta" : "midpoint",
        0.05 * chance(&random), &apart, &speed);
    ck_assert_msg(apart > 0.1 && speed > -0.1, "%d sides: centres are %.3f apart, and part by %.3f", sides,
                  apart, speed);
  }
}
END_TEST

/* ---- small slides ------------------------------------------------------------------------------------------------ */

/* A block is drawn over a floor by so many of its sides: the certificate says how far small slides are still small. */
static prc_verdict draw_block(double sides, int small, double angle, double lift, double *ratio) {
  const double side = 0.2, way = sides * side,
               line[2][2] = {{0.0, way * cos(angle)}, {0.0, way * sin(angle)}};
  const patch_box a = {-1.0, -0.5, 3.0, 0.5, angle}, b = {0.0, lift, 1.0, 0.4, angle};
  const patch list[] = {{"a", 13, 2, 3, patch_in_box, &a}, {"b", 5, 2, 3, patch_in_box, &b}};
  prc_error err = {0};
  prc_step_drift drift;
  double moved[2][2];
  duet d;
  duet_case(&d, 2, list);
  memcpy(moved, line, sizeof moved);
  for (int k = 0; k < 2; k++) moved[k][0] += k == 0 ? 1e-3 * sin(angle) : -1e-3 * cos(angle);
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0), duet_hold(&d, "b.top", 3, 0.0, 0.0);
  for (int k = 0; k < 2; k++)
    d.support[1].displacement[k] = (prc_field){.eval = by_time, .data = moved[k], .uses_time = 1};
  duet_meet(&d, "a.top", "b.bottom", 0.0)->small = small;
  d.step.scheme = "static", d.step.theta = 1.0, d.step.h = 0.1;
  duet_start(&d);
  duet_step(&d, 10);
  support_ok(prc_stepper_drift(d.stepper, &drift, &err), &err);
  prc_ledger_drift(d.ledger, d.record->step, &drift);
  const prc_certificate all = prc_ledger_certificate(d.ledger);
  prc_verdict verdict = PRC_PASS;
  *ratio = -1.0;
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++)
    if (strcmp(all.entry[k].name, "small_sliding") == 0 && !all.entry[k].absent)
      verdict = all.entry[k].verdict, *ratio = all.entry[k].ratio;
  duet_free(&d);
  return verdict;
}

START_TEST(small_slides_are_small) {
  prc_random random = {31};
  for (int i = 0; i < 12; i++) {
    const double sides = 0.01 * pow(500.0, chance(&random)), angle = 6.0 * chance(&random);
    double ratio;
    const prc_verdict verdict = draw_block(sides, 1, angle, 0.0, &ratio);
    ck_assert_double_eq_tol(ratio, sides, 0.02 * sides + 4e-3); /* (and the shear of the block) */
    if (fabs(sides - 1.0) < 0.03 || fabs(sides - 0.25) < 0.015) continue;
    ck_assert_int_eq(verdict, sides > 1.0 ? PRC_FAIL : sides > 0.25 ? PRC_NOTED : PRC_PASS);
    ck_assert_int_eq(draw_block(sides, 0, angle, 0.0, &ratio), PRC_PASS);
    ck_assert_double_eq(ratio, -1.0);
    ck_assert_int_eq(draw_block(sides, 1, angle, 0.05, &ratio), PRC_PASS); /* above the floor */
  }
}
END_TEST

/* ---- glued ------------------------------------------------------------------------------------------------- */

/* A body that only the glue holds, under its load and under prestress that the glue takes up. */
START_TEST(equilibrium_glues) {
  prc_error err = {0};
  duet d;
  const patch_case c = {3, 3, 4, 2.0, 0.3, 0};
  make_blocks(&d, &c);
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0);
  prc_fem_interface *f = duet_meet(&d, "a.top", "b.bottom", 0.5);
  f->normal = prc_field_constant(3.0), f->shear = prc_field_constant(-1.0);
  d.material[1].poisson = 0.3, d.material[1].young = d.material[0].young;
  duet_prepare(&d);
  support_ok(prc_fem_equilibrium(d.fem, 1, d.q0, NULL, &err), &err);
  double largest = 0.0;
  for (int i = 0; i < d.system->space.nv; i++) largest = fmax(largest, fabs(d.q0[i]));
  ck_assert_double_le(largest, 1e-15);
  duet_free(&d);
  make_blocks(&d, &c);
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0);
  duet_press(&d, "b.top", 5.0);
  duet_meet(&d, "a.top", "b.bottom", 0.5);
  d.material[0].poisson = d.material[1].poisson = 0.0;
  duet_prepare(&d);
  support_ok(prc_fem_equilibrium(d.fem, 1, d.q0, NULL, &err), &err);
  const prc_mesh_group *top = duet_curve(&d, "b.top");
  for (int k = 0; k < top->n_nodes; k++) { /* along the normal of the turned blocks */
    const double *q = d.q0 + 2 * top->node[k], n[2] = {-sin(0.3), cos(0.3)};
    const double way = 0.5 * 5.0 / d.material[0].young + 0.5 * 5.0 / d.material[1].young;
    ck_assert_double_eq_tol(q[0] * n[0] + q[1] * n[1], -way, 1e-13);
    ck_assert_double_eq_tol(q[0] * n[1] - q[1] * n[0], 0.0, 1e-13);
  }
  duet_free(&d);
}
END_TEST

/* The same through the contact problem: bodies under prestress alone stay where they are, and their contacts have its tractions. */
START_TEST(prestress_is_in_equilibrium) {
  duet d;
  const patch_case c = {2, 5, 4, 3.0, 0.7, 0};
  make_blocks(&d, &c);
  prc_fem_interface *f = duet_meet(&d, "a.top", "b.bottom", 0.5);
  f->normal = prc_field_constant(3.0), f->shear = prc_field_constant(1.2);
  d.step.h = 1e-3;
  duet_start(&d);
  duet_step(&d, 20);
  for (int k = 0; k < d.record->n_contacts; k++) {
    double t[2];
    duet_traction(&d, k, t);
    ck_assert_double_eq_tol(t[0], 3.0, 1e-9);
    ck_assert_double_eq_tol(t[1], -1.2, 1e-9);
  }
  for (int i = 0; i < d.system->space.nv; i++) ck_assert_double_le(fabs(d.record->q[i]), 1e-13);
  duet_free(&d);
}
END_TEST

/* ---- arcs ---------------------------------------------------------------------------------------------------- */

/* Lame's ring of two, pressed from inside: mean square of the pressures between them, and the displacement there, relative. */
static void press_rings(int element, int n, int large, double error[2]) {
  const double load = 1e-3; /* so little that it does not matter where things have moved */
  const double pi = acos(-1.0), r = 1.5, A = 1.0 / 3.0, exact = load * A * (4.0 / (r * r) - 1.0);
  const double u = load * 1.3e-3 * A * (0.4 * r + 4.0 / r);
  const patch_ring in = {1.0, 0.5, 0.5 * pi, 0.0, {0.0, 0.0}}, out = {1.5, 0.5, 0.5 * pi, 0.0, {0.0, 0.0}};
  const patch list[] = {{"a", n * 2 / 3, n / 3, element, patch_in_ring, &in},
                        {"b", n, n / 2, element, patch_in_ring, &out}};
  double sum = 0.0, area = 0.0;
  duet d;
  duet_case(&d, 2, list);
  duet_hold(&d, "a.left", 1, 0.0, 0.0), duet_hold(&d, "b.left", 1, 0.0, 0.0);
  duet_hold(&d, "a.right", 2, 0.0, 0.0), duet_hold(&d, "b.right", 2, 0.0, 0.0);
  duet_press(&d, "a.bottom", load);
  prc_fem_interface *f = duet_meet(&d, "a.top", "b.bottom", 0.0);
  f->from_start = 1, f->small = !large;
  duet_solve(&d);
  for (int k = 0; k < d.record->n_contacts; k++) {
    double t[2];
    duet_traction(&d, k, t);
    sum += d.record->p[2 * k] / t[0] * pow(t[0] / exact - 1.0, 2.0), area += d.record->p[2 * k] / t[0];
  }
  error[0] = sqrt(sum / area), error[1] = 0.0;
  const prc_mesh_group *g = duet_curve(&d, "b.bottom");
  for (int k = 0; k < g->n_nodes; k++) {
    const double *x = d.mesh->x + 2 * g->node[k], *q = d.record->q + 2 * g->node[k];
    error[1] = fmax(error[1], fabs((q[0] * x[0] + q[1] * x[1]) / hypot(x[0], x[1]) / u - 1.0));
  }
  duet_free(&d);
}

/* Pressures of order 1 with Q4 and 2 with Q8, displacements of order 2 and 3 (shared/algorithms.md, G: 0.58 % with 24 sides in 90 degrees, 0.036 %). */
START_TEST(arcs_that_fit_converge) {
  static const struct {
    int element;
    double order, bound, order_u, bound_u;
  } all[] = {{3, 1.0, 0.0065, 2.0, 2e-3}, {16, 1.8, 4e-4, 3.0, 3e-6}};
  for (size_t e = 0; e < 2; e++)
    for (int large = 0; large < 2; large++) {
      double coarse[2], fine[2];
      press_rings(all[e].element, 12, large, coarse);
      press_rings(all[e].element, 24, large, fine);
      ck_assert_msg(fine[0] <= all[e].bound && fine[1] <= all[e].bound_u,
                    "pressure off by %.3e, displacement by %.3e", fine[0], fine[1]);
      ck_assert_double_ge(log2(coarse[0] / fine[0]), all[e].order);
      ck_assert_double_ge(log2(coarse[1] / fine[1]), all[e].order_u - 0.05);
    }
}
END_TEST

/* A ring pressed into another by an interference that is less than what straight sides leave of the arc: the mean pressure over Lame's. */
static double press_fit(int element, int n, int large, int swap) {
  const double pi = acos(-1.0), fit = 1e-3, E = 1000.0 / (1.0 - 0.09);
  const double exact = E * fit / (1.5 * (3.25 / 1.25 + 6.25 / 1.75));
  const patch_ring in = {1.0, 0.5, 0.5 * pi, 0.0, {0.0, 0.0}}, out = {1.5, 0.5, 0.5 * pi, 0.0, {0.0, 0.0}};
  const patch list[] = {{"a", n * 2 / 3, n / 3 + 1, element, patch_in_ring, &in},
                        {"b", n, n / 2, element, patch_in_ring, &out}};
  double force = 0.0, area = 0.0;
  duet d;
  duet_case(&d, 2, list);
  duet_hold(&d, "a.left", 1, 0.0, 0.0), duet_hold(&d, "b.left", 1, 0.0, 0.0);
  duet_hold(&d, "a.right", 2, 0.0, 0.0), duet_hold(&d, "b.right", 2, 0.0, 0.0);
  prc_fem_interface *f = duet_meet(&d, swap ? "b.bottom" : "a.top", swap ? "a.top" : "b.bottom", 0.0);
  f->from_start = 1, f->interference = fit, f->small = !large;
  duet_solve(&d);
  for (int k = 0; k < d.record->n_contacts; k++) {
    double t[2];
    duet_traction(&d, k, t);
    force += d.record->p[2 * k], area += d.record->p[2 * k] / t[0];
  }
  duet_free(&d);
  return force / area / exact;
}

START_TEST(an_interference_presses) {
  static const int element[] = {3, 2, 16};
  for (int e = 0; e < 3; e++)
    for (int swap = 0; swap < 2; swap++)
      for (int large = 0; large < 2; large++) {
        const double coarse = press_fit(element[e], 12, large, swap),
                     fine = press_fit(element[e], 24, large, swap);
        ck_assert_msg(fabs(coarse - 1.0) < 0.03 && fabs(fine - 1.0) < 0.4 * fabs(coarse - 1.0) + 2e-3,
                      "element %d, large %d, swapped %d: %.5f, %.5f of the pressure", element[e], large, swap,
                      coarse, fine);
      }
}
END_TEST

/* ---- Hertz ---------------------------------------------------------------------------------------------------- */

/* Half a cylinder near its contact: sides of one length over 1.5 a, then longer and longer; a parabola R = 50 over a half-plane of 30 a. */
typedef struct {
  double reach;  /* of what is even, and of all */
  int even, all; /* sides on either half */
  int below;
} disc;
static const double hertz_a = 0.52523, hertz_R = 50.0;

static double graded(const disc *d, double k) {
  const double size = d->reach / d->even, far = 30.0 * hertz_a - d->reach;
  double low = 1.0, high = 4.0, sum = 0.0, step = size;
  if (k <= d->even) return size * k;
  for (int i = 0; i < 100; i++) {
    const double q = 0.5 * (low + high);
    double s = 0.0, t = size;
    for (int j = d->even; j < d->all; j++) t *= q, s += t;
    *(s > far ? &high : &low) = q;
  }
  const double r = k - d->even, whole = floor(r + 1e-9);
  for (int j = 0; j < (int)whole; j++) step *= low, sum += step;
  return d->reach + sum + (r - whole) * step * low;
}

static void in_disc(const void *of, double u, double v, double x[2]) {
  const disc *d = of;
  const double k = (2.0 * u - 1.0) * d->all, far = 30.0 * hertz_a;
  x[0] = copysign(graded(d, fabs(k)), k);
  const double y = 0.5 * x[0] * x[0] / hertz_R;
  x[1] = y + graded(d, (d->below ? 1.0 - v : v) * d->all) * (1.0 - y / far);
  if (d->below) x[1] = -x[1];
}

typedef struct {
  double centre, a;
} hertz_errors;

/* Pressed by a displacement; its own sum of forces is that of the closed form, and a = 2 sqrt(<x^2>). */
static hertz_errors press_discs(int element, int even, duet *d) {
  const double pi = acos(-1.0), E = 210000.0 / (2.0 * 0.91);
  const int coarse = (4 * even + 2) / 5;
  const disc a = {1.5 * hertz_a, coarse, coarse + 14, 1}, b = {1.5 * hertz_a, even, even + 14, 0};
  const patch list[] = {{"a", 2 * a.all, a.all, element, in_disc, &a},
                        {"b", 2 * b.all, b.all, element, in_disc, &b}};
  double P = 0.0, moment = 0.0, nearest = INFINITY, centre = 0.0;
  duet_case(d, 2, list);
  for (int k = 0; k < 2; k++) d->material[k].young = 210000.0;
  duet_hold(d, "a.bottom", 3, 0.0, 0.0), duet_hold(d, "b.top", 3, 0.0, -0.0225);
  duet_meet(d, "a.top", "b.bottom", 0.0);
  duet_solve(d);
  for (int k = 0; k < d->record->n_contacts; k++) {
    const double p = d->record->p[2 * k], x = duet_place(d, k)[0];
    double t[2];
    duet_traction(d, k, t);
    P += p, moment += p * x * x;
    if (fabs(x) < nearest) nearest = fabs(x), centre = t[0];
  }
  const double width = sqrt(2.0 * P * hertz_R / (pi * E));
  return (hertz_errors){centre / (2.0 * P / (pi * width)) - 1.0, 2.0 * sqrt(moment / P) / width - 1.0};
}

START_TEST(two_cylinders_are_hertz) {
  static const struct {
    int element, even;
    double centre, a;
  } all[] = {{3, 8, 0.02, 0.03},
             {3, 15, 0.004, 0.012},
             {3, 30, 0.002, 0.004},
             {16, 8, 0.003, 0.005},
             {16, 15, 0.0012, 0.002}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    duet d;
    const hertz_errors e = press_discs(all[k].element, all[k].even, &d);
    ck_assert_msg(fabs(e.centre) <= all[k].centre && fabs(e.a) <= all[k].a,
                  "element %d, %d: p is off by %.2g, a by %.2g", all[k].element, all[k].even, e.centre, e.a);
    duet_free(&d);
  }
}
END_TEST

/* ---- Cattaneo and Mindlin ------------------------------------------------------------------------------------ */

static prc_status first_down(const prc_field *field, double x, double y, double t, double *value,
                             prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = -0.0225 * fmin(t, 1.0);
  return PRC_OK;
}

static prc_status then_across(const prc_field *field, double x, double y, double t, double *value,
                              prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = 0.004 * fmax(t - 1.0, 0.0);
  return PRC_OK;
}

/* Pressed, then drawn across: inside c = a sqrt(1 - Q / mu P) nothing slips, q = mu p0 (sqrt(1 - x^2/a^2) - c/a sqrt(1 - x^2/c^2)). */
static void draw_discs(int even, double friction, double *rms, double edge[2]) {
  const double pi = acos(-1.0), E = 210000.0 / (2.0 * 0.91);
  const int coarse = (4 * even + 2) / 5;
  const disc a = {1.5 * hertz_a, coarse, coarse + 14, 1}, b = {1.5 * hertz_a, even, even + 14, 0};
  const patch list[] = {{"a", 2 * a.all, a.all, 3, in_disc, &a}, {"b", 2 * b.all, b.all, 3, in_disc, &b}};
  double P = 0.0, Q = 0.0, sum = 0.0, area = 0.0;
  duet d;
  duet_case(&d, 2, list);
  for (int k = 0; k < 2; k++) d.material[k].young = 210000.0;
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0), duet_hold(&d, "b.top", 3, 0.0, 0.0);
  d.support[1].displacement[0] = (prc_field){.eval = then_across, .uses_time = 1};
  d.support[1].displacement[1] = (prc_field){.eval = first_down, .uses_time = 1};
  duet_meet(&d, "a.top", "b.bottom", friction);
  d.step.scheme = "static", d.step.theta = 1.0, d.step.h = 0.1;
  duet_start(&d);
  duet_step(&d, 20);
  for (int k = 0; k < d.record->n_contacts; k++)
    P += d.record->p[2 * k] / d.record->h, Q -= d.record->p[2 * k + 1] / d.record->h;
  const double width = sqrt(2.0 * P * hertz_R / (pi * E)), most = friction * 2.0 * P / (pi * width);
  const double c = width * sqrt(1.0 - Q / (friction * P));
  edge[0] = 0.0, edge[1] = c;
  for (int k = 0; k < d.record->n_contacts; k++) {
    const double x = fabs(duet_place(&d, k)[0]), p = d.record->p[2 * k] / d.record->h;
    double t[2];
    if (p == 0.0 || x >= width) continue;
    duet_traction(&d, k, t);
    const double stuck = x < c ? c / width * sqrt(1.0 - x * x / (c * c)) : 0.0;
    sum += p / t[0] * pow(t[1] / most + sqrt(1.0 - x * x / (width * width)) - stuck, 2.0), area += p / t[0];
    if (d.record->status[k] == PRC_CONE_STICK) edge[0] = fmax(edge[0], x);
  }
  *rms = sqrt(sum / area);
  duet_free(&d);
}

START_TEST(discs_stick_inside_and_slip_outside) {
  static const struct {
    int even;
    double rms;
  } all[] = {{8, 0.2}, {15, 0.07}, {30, 0.05}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    double rms, edge[2];
    draw_discs(all[k].even, 0.3, &rms, edge);
    ck_assert_msg(rms <= all[k].rms && fabs(edge[0] - edge[1]) <= 1.2 * 1.5 * hertz_a / all[k].even,
                  "%d: shear off by %.3f of mu p0, stick to %.4f, expected %.4f", all[k].even, rms, edge[0],
                  edge[1]);
  }
}
END_TEST

/* ---- wedge --------------------------------------------------------------------------------------------------- */

/* A block that is drawn up a wedge, tan alpha = 0.1, mu = 0.3, under a weight: F / G = (tan alpha + mu) / (1 - mu tan alpha) (NAFEMS CGS-4). */
START_TEST(a_sliding_wedge_takes_its_force) {
  const double alpha = atan(0.1), c = cos(alpha), s = sin(alpha);
  const patch_box a = {-0.5, -0.5, 2.0, 0.5, alpha}, b = {0.0, 0.0, 1.0, 0.6, alpha};
  const patch list[] = {{"a", 9, 3, 3, patch_in_box, &a}, {"b", 7, 4, 2, patch_in_box, &b}};
  double F[2] = {0.0, 0.0};
  duet d;
  duet_case(&d, 2, list);
  duet_hold(&d, "a.bottom", 3, 0.0, 0.0);
  duet_hold(&d, "b.right", 1, 0.004, 0.0);
  d.load[d.model.n_loads++] = (prc_fem_load){
      .name = "weight", .group = duet_curve(&d, "b.top"), .traction = {{0}, {.constant = -2.0}}};
  duet_meet(&d, "a.top", "b.bottom", 0.3);
  d.model.damping_mass = 1e-5; /* for its rise alone */
  duet_solve(&d);
  duet_step(&d, 1); /* far enough to slip everywhere, not so far that the dent turns directions */
  for (int k = 0; k < d.record->n_contacts; k++) {
    const double *p = d.record->p + 2 * k;
    F[0] += p[0] * -s + p[1] * c, F[1] += p[0] * c + p[1] * s;
  }
  ck_assert_double_eq_tol(F[1], 2.0, 1e-6);
  ck_assert_double_eq_tol(-F[0] / F[1], 0.412371, 1e-6);
  duet_free(&d);
}
END_TEST

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static void expect_refusal(duet *d, const char *text) {
  prc_error err = {0};
  support_fails(prc_fem_create(&d->model, &d->fem, &err), PRC_INPUT, &err, text);
  duet_free(d);
}

START_TEST(what_cannot_be_is_refused) {
  const patch_case c = {3, 3, 2, 1.0, 0.0, 0};
  duet d;
  make_blocks(&d, &c);
  duet_meet(&d, "a.top", "a.top", 0.1);
  expect_refusal(&d, "'a.top' cannot touch itself");
  make_blocks(&d, &c);
  duet_meet(&d, "a.top", "b.bottom", -0.1);
  expect_refusal(&d, "contact 'b.bottom': at (0, 0.5)");
  make_blocks(&d, &c);
  duet_meet(&d, "a.top", "b.bottom", 0.1)->restitution = prc_field_constant(1.5);
  expect_refusal(&d, "contact 'b.bottom'");
}
END_TEST

/* A percussion that moves nothing has no W: without a word the contact would be none. Held along the normal is enough, on a slope both directions are it. */
START_TEST(two_sides_that_are_held_are_refused) {
  static const struct {
    double turn;
    int below, above, refused;
  } all[] = {{0.0, 3, 3, 1}, {0.0, 2, 2, 1},        {0.0, 3, 2, 1},       {0.0, 3, 1, 0},
             {0.0, 1, 1, 0}, {0.0, 3, 0, 0},        {0.0, 0, 3, 0},       {0.6, 2, 2, 0},
             {0.6, 3, 3, 1}, {M_PI / 2.0, 1, 1, 1}, {M_PI / 2.0, 2, 2, 0}};
  prc_error err = {0};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (int small = 0; small < 2; small++)
      for (int apart = 0; apart < 2;
           apart++) { /* beside each other at the start, which they may not be later */
        const double c = cos(all[k].turn), s = sin(all[k].turn), up = 0.3 + 20.0 * apart;
        const patch_box a = {0.0, 0.0, 1.0, 0.3, all[k].turn}, b = {-up * s, up * c, 1.0, 0.3, all[k].turn};
        const patch list[] = {{"a", 3, 2, 3, patch_in_box, &a}, {"b", 4, 2, 3, patch_in_box, &b}};
        duet d;
        duet_case(&d, 2, list);
        duet_hold(&d, "a.bottom", 3, 0.0, 0.0);
        if (all[k].below) duet_hold(&d, "a.top", all[k].below, 0.0, 0.0);
        if (all[k].above) duet_hold(&d, "b.bottom", all[k].above, 0.0, 0.0);
        duet_meet(&d, "a.top", "b.bottom", 0.1)->small = small;
        prc_error_clear(&err);
        const prc_status status = prc_fem_create(&d.model, &d.fem, &err);
        ck_assert_msg((status == PRC_INPUT) == all[k].refused, "%zu, small %d, apart %d: %s", k, small, apart,
                      err.message);
        if (all[k].refused)
          ck_assert_ptr_nonnull(strstr(err.message, "contact 'b.bottom': nothing of it can give way"));
        if (all[k].refused) ck_assert_ptr_nonnull(strstr(err.message, "(by 'a.top', 'b.bottom')"));
        duet_free(&d);
      }
}
END_TEST

static void up_a_ramp(const void *of, double u, double v, double x[2]) {
  (void)of;
  x[0] = 4.0 * u, x[1] = -1.0 + v * (1.0 + 0.5 * fmax(0.0, x[0] - 2.0));
}

/* What is free along the floor alone may slide against a ramp: where slides are large that counts. */
START_TEST(a_side_that_may_slide_against_a_ramp_is_not_held) {
  for (int small = 0; small < 2; small++) {
    prc_error err = {0};
    const patch_box b = {0.0, 0.0, 1.0, 0.5, 0.0};
    const patch list[] = {{"a", 8, 1, 3, up_a_ramp, NULL}, {"b", 2, 2, 3, patch_in_box, &b}};
    duet d;
    duet_case(&d, 2, list);
    duet_hold(&d, "a.top", 3, 0.0, 0.0);
    duet_hold(&d, "b.bottom", 2, 0.0, 0.0);
    duet_meet(&d, "a.top", "b.bottom", 0.0)->small = small;
    ck_assert_int_eq(prc_fem_create(&d.model, &d.fem, &err), small ? PRC_INPUT : PRC_OK);
    duet_free(&d);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("interfaces");
  TCase *patches = tcase_create("patches"), *known = tcase_create("known");
  tcase_add_test(patches, a_constant_pressure_passes);
  tcase_add_test(patches, bends_carry_a_pressure);
  tcase_add_test(patches, a_curve_around_corners_stands_on_a_floor);
  tcase_add_test(patches, bumps_carry_coarse_sides);
  tcase_add_test(patches, blocks_fall_on_their_corners);
  tcase_add_test(patches, long_ways_do_not_lead_through);
  tcase_add_test(patches, small_slides_are_small);
  tcase_add_test(patches, corners_are_pressed_in);
  tcase_add_test(patches, equilibrium_glues);
  tcase_add_test(patches, prestress_is_in_equilibrium);
  tcase_add_test(patches, what_cannot_be_is_refused);
  tcase_add_test(patches, two_sides_that_are_held_are_refused);
  tcase_add_test(patches, a_side_that_may_slide_against_a_ramp_is_not_held);
  tcase_add_test(known, arcs_that_fit_converge);
  tcase_add_test(known, an_interference_presses);
  tcase_add_test(known, two_cylinders_are_hertz);
  tcase_add_test(known, discs_stick_inside_and_slip_outside);
  tcase_add_test(known, a_sliding_wedge_takes_its_force);
  tcase_set_timeout(patches, 60);
  tcase_set_timeout(known, 60);
  suite_add_tcase(suite, patches);
  suite_add_tcase(suite, known);
  return support_run(suite);
}

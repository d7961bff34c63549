/* Many bodies from few lines: counted, from tables, and random; and contacts between sets of them. */
#include "config.h"
#include "case/case.h"

#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_file(const char *name, const char *text) {
  FILE *file = fopen(support_build(name), "wb");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  ck_assert_int_eq(fclose(file), 0);
}

static prc_case *read_case(const char *text) {
  prc_error err = {0};
  prc_case *c = NULL;
  put_file("sets.yaml", text);
  support_ok(prc_case_read(support_build("sets.yaml"), 0, NULL, &c, &err), &err);
  return c;
}

/* As the manual says: Weyl's sequence with what is drawn added, mixed as in SplitMix64. */
static double drawn(uint64_t seed, double i, double k) {
  uint64_t z = 0, word[3] = {seed};
  memcpy(word + 1, &i, sizeof i);
  memcpy(word + 2, &k, sizeof k);
  for (int n = 0; n < 3; n++) {
    z += word[n] + 11400714819323198485u;
    z ^= z >> 30, z *= 13787848793156543929u;
    z ^= z >> 27, z *= 10723151780598845931u;
    z ^= z >> 31;
  }
  return ldexp((double)(z >> 11), -53);
}

/* ---- counted -------------------------------------------------------------------------------------------- */

START_TEST(fifty_thousand_bodies_have_their_own_values) {
  enum { N = 50000 };
  prc_case *c = read_case("seed: 7\nmodel: {thickness: 2}\ntime: {end: 1, step: 0.1}\n"
                          "bodies:\n"
                          "  grain:\n"
                          "    count: 250*200\n"
                          "    disc: 0.5 + 0.25*random(i, 1)\n"
                          "    density: 3 + i\n"
                          "    position: [\"mod(i, 250)\", 2*floor(i/250)]\n"
                          "    angle: \"pi*random(i, 0)\"\n"
                          "    velocity: [\"random(i, 3) - 0.5\", -i]\n"
                          "    spin: 1\n");
  ck_assert(c->n_bodies == N && c->n_sets == 1 && c->set[0].n == N && c->set[0].several);
  for (int i = 0; i < N; i++) {
    const prc_case_body *b = &c->body[i];
    const double r = 0.5 + 0.25 * drawn(7, i, 1.0), m = (3.0 + i) * 2.0 * acos(-1.0) * r * r;
    char name[32];
    snprintf(name, sizeof name, "grain[%d]", i);
    ck_assert_str_eq(b->name, name);
    ck_assert(b->radius == r && b->position[0] == i % 250 && b->position[1] == 2 * (i / 250));
    ck_assert(fabs(b->angle - acos(-1.0) * drawn(7, i, 0.0)) < 1e-15 && b->spin == 1.0);
    ck_assert(b->velocity[0] == drawn(7, i, 3.0) - 0.5 && b->velocity[1] == -i);
    ck_assert(fabs(b->mass - m) <= 1e-15 * m && fabs(b->inertia - 0.5 * m * r * r) <= 1e-15 * m);
  }
  prc_case_free(&c);
}
END_TEST

/* From a program of its own in another language. */
START_TEST(random_numbers_are_the_same_everywhere) {
  prc_case *c = read_case("time: {end: 1, step: 0.1}\n"
                          "bodies:\n"
                          "  a: {mass: 1, inertia: 1, position: [\"random(0, 0)\", \"random(-0.0, 0)\"]}\n");
  ck_assert(c->body[0].position[0] == 0.13870941014555427 && c->body[0].position[1] == 0.13870941014555427);
  prc_case_free(&c);
  c = read_case("seed: 7\ntime: {end: 1, step: 0.1}\n"
                "bodies:\n"
                "  a: {count: 4, mass: 1, inertia: 1, position: [\"random(i, 1)\", \"random(3, 1)\"]}\n");
  ck_assert(c->body[3].position[0] == 0.6334513981605234 && c->body[0].position[1] == 0.6334513981605234);
  ck_assert(c->body[0].position[0] != 0.6334513981605234);
  prc_case_free(&c);
}
END_TEST

START_TEST(none_and_one_are_counts_too) {
  prc_case *c = read_case("time: {end: 1, step: 0.1}\n"
                          "bodies:\n"
                          "  none: {count: 0, mass: 1, inertia: 1, disc: 1, position: [i, 0]}\n"
                          "  one: {count: 1, mass: 1, inertia: 1, disc: 1, position: [5 + i, 0]}\n"
                          "  alone: {mass: 1, inertia: 1, disc: 1, position: [9, 0]}\n"
                          "contacts:\n"
                          "  a: {between: [none, none], friction: 0}\n"
                          "  b: {between: [none, \"*\"], friction: 0}\n"
                          "  d: {between: [one, one], friction: 0}\n"
                          "  c: {between: [\"one[0]\", alone], friction: 0}\n");
  prc_error err = {0};
  prc_model *model = NULL;
  ck_assert(c->n_bodies == 2 && c->n_sets == 3 && c->set[0].n == 0);
  ck_assert_str_eq(c->body[0].name, "one[0]");
  ck_assert_str_eq(c->body[1].name, "alone");
  ck_assert(c->contact_group[0].pairs && c->contact_group[0].n_side[0] == 0);
  ck_assert(c->contact_group[1].n_side[0] == 0 && c->contact_group[1].n_side[1] == 2);
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

/* Corners are the bodies' own: a density moves those of each to its centroid. */
START_TEST(lists_are_no_two_bodies_the_same) {
  prc_case *c = read_case("time: {end: 1, step: 0.1}\n"
                          "bodies:\n"
                          "  box: {count: 3, density: 2, position: [9*i, 0], polygon: [[0, 0], [0, 1], [2 + "
                          "i, 1], [2 + i, 0]]}\n");
  for (int i = 0; i < 3; i++) {
    const prc_case_body *b = &c->body[i];
    const double w = 2.0 + i, corner[] = {w / 2, -0.5, w / 2, 0.5, -w / 2, 0.5, -w / 2, -0.5};
    ck_assert(fabs(b->mass - 2.0 * w) < 1e-14 && fabs(b->inertia - 2.0 * w * (w * w + 1.0) / 12.0) < 1e-13);
    for (int k = 0; k < 8; k++) ck_assert(fabs(b->point[k] - corner[k]) < 1e-15);
  }
  prc_case_free(&c);
}
END_TEST

/* ---- parts ---------------------------------------------------------------------------------------------- */

/* An L of a 3 x 1 and a 1 x 2 rectangle, and two discs side by side. */
START_TEST(bodies_of_parts_have_their_masses) {
  prc_case *c = read_case("time: {end: 1, step: 0.1}\n"
                          "bodies:\n"
                          "  el: {density: 2, position: [0, 0], polygons: [[[0, 0], [3, 0], [3, 1], [0, 1]], "
                          "[[0, 1], [0, 3], [1, 3], [1, 1]]]}\n"
                          "  pair: {density: 1, position: [9, 0], discs: [[1, 1, 0.5], [2, 1, 0.5]]}\n");
  const double g[] = {(3.0 * 1.5 + 2.0 * 0.5) / 5.0, (3.0 * 0.5 + 2.0 * 2.0) / 5.0}, a = acos(-1.0) / 4.0;
  const double J = 2.0
                   * (3.0 * (10.0 / 12.0 + pow(1.5 - g[0], 2) + pow(0.5 - g[1], 2))
                      + 2.0 * (5.0 / 12.0 + pow(0.5 - g[0], 2) + pow(2.0 - g[1], 2)));
  const prc_case_body *el = &c->body[0], *pair = &c->body[1];
  ck_assert(fabs(el->mass - 10.0) < 1e-14 && fabs(el->inertia - J) < 1e-13);
  ck_assert(fabs(el->polygons.point[0] + g[0]) < 1e-15 && fabs(el->polygons.point[9] - (1.0 - g[1])) < 1e-15);
  ck_assert(fabs(pair->mass - 2.0 * a) < 1e-15 && fabs(pair->inertia - 2.0 * a * (0.125 + 0.25)) < 1e-15);
  ck_assert(fabs(pair->discs.disc[0] + 0.5) < 1e-15 && fabs(pair->discs.disc[1]) < 1e-15
            && pair->discs.disc[5] == 0.5);
  prc_case_free(&c);
}
END_TEST

/* ---- tables --------------------------------------------------------------------------------------------- */

/* A mark of UTF-8, lines of Windows, comments, empty lines, blanks, quotes, empty cells. */
START_TEST(a_table_may_look_like_that) {
  put_file("sets.csv", "\xef\xbb\xbf# grains\r\n"
                       "\r\n"
                       " name , x,y, \"radius\" ,corners,group,density,vx\r\n"
                       "first,1,2,0.5,,a,3,\r\n"
                       "  # not one\r\n"
                       ",-1.5e0 ,\"+2\",,\" 0 0  2 0 2 1 \",b,,4\r\n"
                       "last,7,8,1,,a,,5");
  prc_case *c =
      read_case("time: {end: 1, step: 0.1}\n"
                "bodies:\n"
                "  some: {from: sets.csv, group: a, density: 10, angle: i, velocity: [1, 2]}\n"
                "  all: {from: sets.csv, group: b, density: 20, fixed: false, spin: 3}\n"
                "  stone: {from: sets.csv, group: b, velocity: [0, 0], fixed: false, density: 1}\n");
  ck_assert(c->n_bodies == 4 && c->set[0].n == 2 && c->set[1].n == 1 && c->set[2].n == 1);
  const prc_case_body *b = c->body;
  ck_assert_str_eq(b[0].name, "first");
  ck_assert_str_eq(b[1].name, "last");
  ck_assert(b[0].density == 3.0 && b[1].density == 10.0 && b[0].angle == 0.0 && b[1].angle == 1.0);
  ck_assert(b[0].velocity[0] == 1.0 && b[1].velocity[0] == 5.0 && b[0].velocity[1] == 2.0
            && b[0].radius == 0.5);
  ck_assert(b[0].place.line == 4 && b[1].place.line == 7 && strstr(b[0].place.file, "sets.csv"));
  ck_assert(b[2].n_points == 3 && b[2].radius == 0.0 && b[2].position[0] == -1.5 && b[2].position[1] == 2.0);
  ck_assert(b[2].mass == 20.0 && b[2].spin == 3.0 && b[2].velocity[0] == 4.0);
  ck_assert_str_eq(b[3].name, "stone[0]");
  prc_case_free(&c);
}
END_TEST

START_TEST(fifty_thousand_rows_are_read_exactly) {
  enum { N = 50000 };
  FILE *file = fopen(support_build("sets.csv"), "w");
  ck_assert_ptr_nonnull(file);
  fputs("x,y,angle,corners\n", file);
  for (int i = 0; i < N; i++) {
    fprintf(file, "%.17g,%.17g,%.17g,", drawn(1, i, 0.0), 1e3 * drawn(1, i, 1.0), drawn(1, i, 2.0));
    for (int k = 0; k < 3 + i % 4; k++)
      fprintf(file, "%.17g %.17g ", cos(k * 2.0 * acos(-1.0) / (3 + i % 4)),
              sin(k * 2.0 * acos(-1.0) / (3 + i % 4)));
    fputs("\n", file);
  }
  ck_assert_int_eq(fclose(file), 0);
  prc_case *c = read_case("time: {end: 1, step: 0.1}\nbodies:\n  g: {from: sets.csv, mass: 1, inertia: 1}\n"
                          "contacts:\n  a: {between: [g, \"g[1*\"], friction: 0}\n");
  ck_assert_int_eq(c->n_bodies, N);
  for (int i = 0; i < N; i++) {
    const prc_case_body *b = &c->body[i];
    ck_assert(b->position[0] == drawn(1, i, 0.0) && b->position[1] == 1e3 * drawn(1, i, 1.0));
    ck_assert(b->angle == drawn(1, i, 2.0) && b->n_points == 3 + i % 4);
    ck_assert(b->point[3] == sin(2.0 * acos(-1.0) / (3 + i % 4)) && b->place.line == i + 2);
  }
  ck_assert_int_eq(c->contact_group[0].n_side[1], 11111); /* 1, 10 .. 19, 100 .. 199, ... */
  prc_case_free(&c);
}
END_TEST

/* ---- contacts between sets ------------------------------------------------------------------------------ */

#define SIDES(text)                                                                                          \
  "time: {end: 1, step: 0.1}\n"                                                                              \
  "bodies:\n"                                                                                                \
  "  red: {count: 2, mass: 1, inertia: 1, disc: 0.1, position: [i, 0]}\n"                                    \
  "  rose: {mass: 1, inertia: 1, disc: 0.1, position: [5, 0]}\n"                                             \
  "  glued: {count: 2, fixed: true, disc: 0.1, position: [i, 3]}\n"                                          \
  "obstacles:\n"                                                                                             \
  "  roof: {plane: {point: [0, 9], normal: [0, -1]}}\n"                                                      \
  "  wall: {segment: [[-1, 0], [-1, 1]]}\n"                                                                  \
  "contacts:\n"                                                                                              \
  "  a: {between: " text ", friction: 0.5, restitution: 0.25}\n"

static const struct {
  const char *between;
  const char *side[2]; /* bodies 0 to 4, obstacles 5 and 6 */
} sides[] = {
    {"[red, red]", {"01", "01"}},
    {"[\"*\", red]", {"01234", "01"}},
    {"[\"r*\", \"*\"]", {"0125", "01234"}},
    {"[[wall, roof], [rose, red]]", {"56", "012"}},
    {"[[red, \"red[1]\", rose, red], wall]", {"012", "6"}},
    {"[\"*[1]\", rose]", {"14", "2"}},
    {"[\"*l*\", \"r*e\"]", {"346", "2"}},
    {"[glued, \"red[0]\"]", {"34", "0"}},
};

START_TEST(names_lists_and_patterns_are_sets) {
  static const char head[] = SIDES("%s");
  char text[2048];
  prc_error err = {0};
  prc_model *model = NULL;
  snprintf(text, sizeof text, head, sides[_i].between);
  prc_case *c = read_case(text);
  const prc_case_contact *contact = &c->contact_group[0];
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(contact->n_side[k], (int)strlen(sides[_i].side[k]));
    for (int i = 0; i < contact->n_side[k]; i++)
      ck_assert_int_eq(contact->side[k][i], sides[_i].side[k][i] - '0');
  }
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  const prc_rigid_model *rigid = prc_rigid_get_model(model->rigid);
  ck_assert(rigid->n_pairs == 1 && rigid->n_contacts == 0 && rigid->pairs[0].law->parameter[0] == 0.5);
  ck_assert(rigid->pairs[0].law->e == 0.25 && rigid->pairs[0].n[0] == contact->n_side[0]);
  ck_assert(rigid->body[3].driven && rigid->body[0].set == rigid->body[1].set && !rigid->body[2].set);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

START_TEST(a_cell_has_the_length_along_its_direction) {
  prc_case *c = read_case("time: {end: 1, step: 0.1}\nperiodic: {length: 10, direction: [3, -4]}\n"
                          "bodies:\n  a: {count: 2, density: 1, disc: 0.5, position: [2*i, 0]}\n"
                          "obstacles:\n  slope: {plane: {point: [0, -1], normal: [0.4, 0.3]}}\n"
                          "contacts:\n  c: {between: [[slope, a], a], friction: 0}\n");
  prc_error err = {0};
  prc_model *model = NULL;
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  const prc_rigid_model *rigid = prc_rigid_get_model(model->rigid);
  ck_assert(fabs(rigid->period[0] - 6.0) < 1e-14 && fabs(rigid->period[1] + 8.0) < 1e-14);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

/* A polygon with a corner on a straight side meets as one without. */
START_TEST(straight_corners_are_no_corners_of_a_shape) {
  prc_case *c = read_case(
      "time: {end: 1, step: 0.1}\n"
      "bodies:\n"
      "  a: {density: 1, position: [0, 0], polygon: [[0, 0], [0.1, 0], [0.3, 0], [0.3, 1], [0, 1]]}\n"
      "  b: {density: 1, position: [5, 0], polygon: [[0, 0], [0, 1], [1, 0]]}\n"
      "contacts:\n  c: {between: [a, b], friction: 0}\n");
  prc_error err = {0};
  prc_model *model = NULL;
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  const prc_rigid_model *rigid = prc_rigid_get_model(model->rigid);
  ck_assert(rigid->body[0].n_points == 5 && rigid->body[0].n_parts == 1 && rigid->body[0].part[0].n == 4);
  ck_assert(rigid->body[1].part[0].n == 3);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

/* ---- random grains -------------------------------------------------------------------------------------- */

static prc_case *make_grains(const prc_grains *what) {
  prc_error err = {0};
  prc_bytes text = {0}, table = {0}, again[2] = {{0}};
  support_ok(prc_case_grains(what, "sets.csv", &text, &table, &err), &err);
  support_ok(prc_case_grains(what, "sets.csv", &again[0], &again[1], &err), &err);
  ck_assert_str_eq(text.at, again[0].at);
  ck_assert_str_eq(table.at, again[1].at);
  put_file("sets.csv", table.at);
  prc_case *c = read_case(text.at);
  prc_delete(&text.at);
  prc_delete(&table.at);
  for (int k = 0; k < 2; k++) prc_delete(&again[k].at);
  return c;
}

static void place_corner(const prc_case_body *b, int k, double dx, double out[2]) {
  const double c = cos(b->angle), s = sin(b->angle), *r = b->point + 2 * (k % b->n_points);
  out[0] = b->position[0] + dx + c * r[0] - s * r[1], out[1] = b->position[1] + s * r[0] + c * r[1];
}

/* The largest distance of b from a line along an edge of a. */
static double separation(const prc_case_body *a, double dx, const prc_case_body *b) {
  double largest = -INFINITY;
  for (int k = 0; k < a->n_points; k++) {
    double p[2], q[2], x[2], nearest = INFINITY;
    place_corner(a, k, dx, p), place_corner(a, k + 1, dx, q);
    for (int j = 0; j < b->n_points; j++) {
      place_corner(b, j, 0.0, x);
      const double off = (q[1] - p[1]) * (x[0] - p[0]) - (q[0] - p[0]) * (x[1] - p[1]);
      nearest = fmin(nearest, off / hypot(q[0] - p[0], q[1] - p[1]));
    }
    largest = fmax(largest, nearest);
  }
  return largest;
}

static double apart(const prc_case_body *a, double dx, const prc_case_body *b) {
  if (a->radius > 0.0)
    return hypot(a->position[0] + dx - b->position[0], a->position[1] - b->position[1]) - a->radius
           - b->radius;
  return fmax(separation(a, dx, b), separation(b, -dx, a));
}

static double reach_of(const prc_case_body *b) {
  double reach = b->radius;
  for (int k = 0; k < b->n_points; k++) reach = fmax(reach, hypot(b->point[2 * k], b->point[2 * k + 1]));
  return reach;
}

/* Grains that move are apart from all others, also across the ends of the cell; polygons are convex, anticlockwise. */
START_TEST(random_grains_are_apart) {
  const prc_grains what = {.n = 300, .seed = 5 + _i, .polygons = _i & 1, .slope = _i >> 1};
  prc_case *c = make_grains(&what);
  ck_assert_int_eq(c->set[c->n_sets - 1].n, 300);
  for (int i = 0; i < c->n_bodies; i++) {
    const prc_case_body *a = &c->body[i];
    ck_assert(reach_of(a) > 2.5e-3 && reach_of(a) < 6.6e-3);
    for (int k = 0; k < a->n_points; k++) {
      const double *p = a->point + 2 * k, *q = a->point + 2 * ((k + 1) % a->n_points),
                   *r = a->point + 2 * ((k + 2) % a->n_points);
      ck_assert((q[0] - p[0]) * (r[1] - q[1]) > (q[1] - p[1]) * (r[0] - q[0]));
    }
    for (int j = 0; j < i; j++) {
      const double cell = c->periodic.given ? c->periodic.length : 0.0;
      for (int image = -1; image <= 1 && !a->fixed; image++)
        ck_assert(apart(a, image * cell, &c->body[j]) > 0.0);
    }
  }
  prc_case_free(&c);
}
END_TEST

START_TEST(another_seed_makes_other_grains) {
  prc_case *a = make_grains(&(prc_grains){.n = 10, .seed = 1}),
           *b = make_grains(&(prc_grains){.n = 10, .seed = 2});
  for (int i = 0; i < 10; i++) ck_assert(a->body[i].radius != b->body[i].radius);
  prc_case_free(&a);
  prc_case_free(&b);
}
END_TEST

SUITE(case_sets) {
  Suite *suite = suite_create("case_sets");
  TCase *t = tcase_create("sets");
  tcase_add_test(t, fifty_thousand_bodies_have_their_own_values);
  tcase_add_test(t, random_numbers_are_the_same_everywhere);
  tcase_add_test(t, none_and_one_are_counts_too);
  tcase_add_test(t, lists_are_no_two_bodies_the_same);
  tcase_add_test(t, bodies_of_parts_have_their_masses);
  tcase_add_test(t, a_table_may_look_like_that);
  tcase_add_test(t, fifty_thousand_rows_are_read_exactly);
  tcase_add_loop_test(t, names_lists_and_patterns_are_sets, 0, (int)(sizeof sides / sizeof *sides));
  tcase_add_test(t, a_cell_has_the_length_along_its_direction);
  tcase_add_test(t, straight_corners_are_no_corners_of_a_shape);
  tcase_add_loop_test(t, random_grains_are_apart, 0, 4);
  tcase_add_test(t, another_seed_makes_other_grains);
  suite_add_tcase(suite, t);
  return suite;
}

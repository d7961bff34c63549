/* Surfaces of files: STL as text and binary, Gmsh's formats; closed, open, turned, in pieces, with holes, damaged. */
#include "config.h"
#include "solid/solid.h"
#include "support/allocator.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static prc_error err;
static prc_solid_surface surface;

/* The faces of the unit box, two triangles each, corner k at (k & 1, k & 2, k & 4), seen from outside. */
static const int box[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                            2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
typedef struct {
  int n;
  float x[200][9];
} soup;
static void add_box(soup *s, const double low[3], const double edge[3], int inwards) {
  for (int t = 0; t < 12; t++, s->n++)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        s->x[s->n][3 * (inwards ? 2 - i : i) + k] = (float)(low[k] + (box[3 * t + i] >> k & 1) * edge[k]);
}
static const double zero[3] = {0.0, 0.0, 0.0}, one[3] = {1.0, 1.0, 1.0};

static const char *path_of(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s", support_build(name));
  return path;
}
static void write_bytes(const char *name, const void *bytes, size_t n) {
  FILE *f = fopen(path_of(name), "wb");
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
  fclose(f);
}
static size_t binary(const soup *s, unsigned char *out, uint32_t count) {
  memset(out, 0, 84);
  memcpy(out, "solid of somebody", 17);
  memcpy(out + 80, &count, 4);
  for (int t = 0; t < s->n; t++) {
    memset(out + 84 + 50 * t, 0, 50);
    memcpy(out + 84 + 50 * t + 12, s->x[t], 36);
  }
  return 84 + 50 * (size_t)s->n;
}
static void write_text(const char *name, const soup *s) {
  FILE *f = fopen(path_of(name), "w");
  ck_assert_ptr_nonnull(f);
  for (int t = 0; t < s->n; t++) {
    if (t % 12 == 0) fprintf(f, "%ssolid part %d of them\n", t ? "endsolid part\n" : "", t / 12);
    fprintf(f, " facet normal 0 0 0\r\n outer loop\n");
    for (int i = 0; i < 3; i++)
      fprintf(f, "vertex %.9g %.9e %.9g\n", (double)s->x[t][3 * i], (double)s->x[t][3 * i + 1],
              (double)s->x[t][3 * i + 2]);
    fprintf(f, "endloop endfacet\n");
  }
  fprintf(f, "endsolid\n");
  fclose(f);
}
static prc_status read_file(const char *name) {
  prc_error_clear(&err);
  prc_solid_free_surface(&surface);
  return prc_solid_read_surface(path_of(name), &surface, &err);
}
static prc_status read_soup(const soup *s) {
  static unsigned char bytes[84 + 50 * 200];
  write_bytes("surface.stl", bytes, binary(s, bytes, (uint32_t)s->n));
  return read_file("surface.stl");
}

static void check_mass(double volume, double x, double y, double z) {
  const prc_solid_mass mass = prc_solid_mass_inside(&surface);
  ck_assert_double_eq_tol(mass.volume, volume, 1e-14 * (1.0 + volume));
  ck_assert_double_eq_tol(mass.centre[0], x, 1e-14 * (1.0 + fabs(x)));
  ck_assert_double_eq_tol(mass.centre[1], y, 1e-14 * (1.0 + fabs(y)));
  ck_assert_double_eq_tol(mass.centre[2], z, 1e-14 * (1.0 + fabs(z)));
}

START_TEST(text_and_bytes_give_the_same_box) {
  soup s = {0};
  add_box(&s, (const double[3]){1.0, -2.0, 0.5}, (const double[3]){1.0, 2.0, 4.0}, 0);
  support_ok(read_soup(&s), &err);
  ck_assert_int_eq(surface.n_points, 8);
  ck_assert_int_eq(surface.n_triangles, 12);
  ck_assert_int_eq(surface.n_pieces, 1);
  check_mass(8.0, 1.5, -1.0, 2.5);
  const prc_solid_mass mass = prc_solid_mass_inside(&surface);
  ck_assert_double_eq_tol(mass.inertia[0], 8.0 * (4.0 + 16.0) / 12.0, 1e-13);
  ck_assert_double_eq_tol(mass.inertia[1], 8.0 * (1.0 + 16.0) / 12.0, 1e-13);
  ck_assert_double_eq_tol(mass.inertia[2], 8.0 * (1.0 + 4.0) / 12.0, 1e-13);
  for (int k = 3; k < 6; k++) ck_assert_double_eq(mass.inertia[k], 0.0);
  double point[24];
  memcpy(point, surface.point, sizeof point);
  write_text("surface.stl", &s);
  support_ok(read_file("surface.stl"), &err);
  ck_assert_int_eq(surface.n_points, 8);
  ck_assert_int_eq(memcmp(point, surface.point, sizeof point), 0);
}
END_TEST

START_TEST(what_is_turned_is_turned_back) {
  soup s = {0};
  add_box(&s, zero, one, 1);
  support_ok(read_soup(&s), &err);
  check_mass(1.0, 0.5, 0.5, 0.5);
  for (int t = 0; t < 12; t += 3) /* some triangles alone */
    for (int k = 0; k < 3; k++) {
      const float x = s.x[t][k];
      s.x[t][k] = s.x[t][3 + k], s.x[t][3 + k] = x;
    }
  support_ok(read_soup(&s), &err);
  ck_assert_int_eq(surface.n_pieces, 1);
  check_mass(1.0, 0.5, 0.5, 0.5);
}
END_TEST

START_TEST(pieces_are_what_does_not_hang_together) {
  soup s = {0};
  add_box(&s, zero, one, 0);
  add_box(&s, (const double[3]){1.0, 0.0, 0.0}, one, 0); /* with a face in common */
  add_box(&s, (const double[3]){5.0, 0.0, 0.0}, one, 0);
  write_text("surface.stl", &s);
  support_ok(read_file("surface.stl"), &err);
  ck_assert_int_eq(surface.n_pieces, 3);
  for (int t = 0; t < 36; t++) ck_assert_int_eq(surface.piece[t], t / 12);
  check_mass(3.0, (0.5 + 1.5 + 5.5) / 3.0, 0.5, 0.5);
}
END_TEST

START_TEST(a_hole_is_no_part_of_the_volume) {
  soup s = {0};
  add_box(&s, zero, (const double[3]){4.0, 4.0, 4.0}, 0);
  add_box(&s, one, one, 1);
  support_ok(read_soup(&s), &err);
  ck_assert_int_eq(surface.n_pieces, 2);
  check_mass(63.0, (64.0 * 2.0 - 1.5) / 63.0, (64.0 * 2.0 - 1.5) / 63.0, (64.0 * 2.0 - 1.5) / 63.0);
}
END_TEST

START_TEST(what_is_open_or_no_surface_is_refused) {
  soup s = {0};
  add_box(&s, zero, one, 0);
  s.n = 11;
  support_fails(read_soup(&s), PRC_INPUT, &err,
                "not closed: the edge from (1, 0, 1) to (1, 1, 0) has 1 triangle");
  s.n = 12, s.x[3][4] = NAN;
  support_fails(read_soup(&s), PRC_INPUT, &err, "corner 2 of triangle 4 is");
  s.n = 0;
  support_fails(read_soup(&s), PRC_INPUT, &err, "no triangles");
  s.n = 2; /* both sides of one triangle */
  for (int k = 0; k < 9; k++) s.x[0][k] = (float)(k == 3 || k == 7), s.x[1][k] = (float)(k == 3 || k == 7);
  for (int k = 0; k < 3; k++) s.x[1][k] = s.x[0][3 + k], s.x[1][3 + k] = s.x[0][k];
  support_fails(read_soup(&s), PRC_INPUT, &err, "has no volume");
  for (int k = 0; k < 18; k++) s.x[k / 9][k % 9] = 1.0f;
  support_fails(read_soup(&s), PRC_INPUT, &err, "none of the triangles has three points");
}
END_TEST

/* Files that were made to do harm. */
START_TEST(damaged_files_are_refused) {
  static unsigned char bytes[84 + 50 * 200];
  soup s = {0};
  add_box(&s, zero, one, 0);
  const size_t n = binary(&s, bytes, 12);
  for (size_t end = 0; end < n; end += end < 90 ? 1 : 37) {
    write_bytes("surface.stl", bytes, end);
    ck_assert_int_eq(read_file("surface.stl"), PRC_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "surface.stl: "));
  }
  (void)binary(&s, bytes, UINT32_MAX);
  memset(bytes, 0, 80);
  write_bytes("surface.stl", bytes, n);
  support_fails(read_file("surface.stl"), PRC_INPUT, &err,
                "has 684 bytes, expected 214748364834 for its 4294967295 triangles");
  static const char *const texts[] = {
      "solid x\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0",
      "solid x\nfacet normal 0 0 1 inner",
      "solid x\nendsolid\nsphere",
      "solid x\nfacet normal 0 0 1 outer loop vertex 0 0 nan vertex 1 0 0 vertex 0 1 0 endloop endfacet",
      "solid x\nfacet normal 0 0 1 outer loop vertex 0 0 1e999 vertex 1 0 0 vertex 0 1 0 endloop endfacet",
      "solid x\n"};
  static const char *const say[] = {"line 2: the file ends where a number is expected",
                                    "'inner' stands where outer",
                                    "'sphere' stands where solid",
                                    "corner 1 of triangle 1 is",
                                    "corner 1 of triangle 1 is",
                                    "line 2: the file ends where facet or endsolid"};
  for (int k = 0; k < 6; k++) {
    write_bytes("surface.stl", texts[k], strlen(texts[k]));
    support_fails(read_file("surface.stl"), PRC_INPUT, &err, say[k]);
  }
  ck_assert_int_ne(read_file("there-is-none.stl"), PRC_OK);
}
END_TEST

START_TEST(gmsh_opens_what_it_knows) {
  static const char geometry[] =
      "SetFactory(\"Built-in\");\n"
      "Point(1) = {0, 0, 0, 9}; Point(2) = {2, 0, 0, 9}; Point(3) = {2, 1, 0, 9}; Point(4) = {0, 1, 0, 9};\n"
      "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};\n"
      "Line Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};\n"
      "Extrude {0, 0, 3} { Surface{1}; }\n";
  write_bytes("surface.geo", geometry, sizeof geometry - 1);
  const prc_status status = read_file("surface.geo");
  if (status != PRC_OK && strstr(err.message, "this system cannot keep")) return;
  support_ok(status, &err);
  ck_assert_int_eq(surface.n_pieces, 1);
  check_mass(6.0, 1.0, 0.5, 1.5);
  write_bytes("surface.geo", "SystemCall \"touch surface-was-here\";", 36);
  ck_assert_int_ne(read_file("surface.geo"), PRC_OK);
  ck_assert_int_ne(access("surface-was-here", F_OK), 0);
  write_bytes("surface.msh", "$MeshFormat\nrubbish", 19);
  ck_assert_int_ne(read_file("surface.msh"), PRC_OK);
}
END_TEST

START_TEST(memory_that_runs_out_is_told) {
  soup s = {0};
  add_box(&s, zero, one, 0);
  add_box(&s, (const double[3]){3.0, 0.0, 0.0}, one, 0);
  write_text("surface.stl", &s);
  int fail = 1;
  for (;; fail++) {
    support_watch(fail);
    const prc_status status = read_file("surface.stl");
    prc_solid_free_surface(&surface);
    support_look_away();
    ck_assert_int_eq((int)support_allocator.live, 0);
    if (status == PRC_OK) break;
    ck_assert_int_eq(status, PRC_NOMEM);
  }
  ck_assert_int_gt(fail, 10);
}
END_TEST

SUITE(solid_surface) {
  Suite *suite = suite_create("solid_surface");
  TCase *files = tcase_create("files");
  tcase_set_timeout(files, 60.0);
  tcase_add_test(files, text_and_bytes_give_the_same_box);
  tcase_add_test(files, what_is_turned_is_turned_back);
  tcase_add_test(files, pieces_are_what_does_not_hang_together);
  tcase_add_test(files, a_hole_is_no_part_of_the_volume);
  tcase_add_test(files, what_is_open_or_no_surface_is_refused);
  tcase_add_test(files, damaged_files_are_refused);
  tcase_add_test(files, gmsh_opens_what_it_knows);
  tcase_add_test(files, memory_that_runs_out_is_told);
  suite_add_tcase(suite, files);
  return suite;
}

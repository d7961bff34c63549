/* Cases of very many keys: reading takes a time in proportion to their number. Where it grows with the square, each of these takes
 * minutes; in proportion, less than a second. */
#include "config.h"
#include "case/case.h"

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATIENCE = 20 }; /* seconds, for a busy machine */

static const char mesh_case[] = "mesh: {file: block.geo}\n"
                                "model: {plane: strain}\n"
                                "materials:\n"
                                "  steel: {young: 2e5, poisson: 0.3, density: 7.8e-3}\n"
                                "time: {end: 1, step: 0.01}\n";

static FILE *begin(const char *text) {
  FILE *file = fopen(support_build("check_case_many.yaml"), "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  return file;
}

static prc_case *read_back(FILE *file) {
  prc_error err = {0};
  prc_case *c = NULL;
  ck_assert_int_eq(fclose(file), 0);
  support_ok(prc_case_read(support_build("check_case_many.yaml"), 0, NULL, &c, &err), &err);
  return c;
}

START_TEST(a_hundred_thousand_keys_are_read) {
  enum { N = 50000 };
  FILE *file = begin(mesh_case);
  fprintf(file, "probes:\n");
  for (int k = 0; k < N; k++) fprintf(file, "  p%d: {point: [%d, 0]}\n", k, k);
  prc_case *c = read_back(file);
  ck_assert_int_eq(c->n_probes, N);
  for (int k = 0; k < N; k++) ck_assert(c->probe[k].point[0] == k);
  ck_assert(c->probe[N - 1].place.line == N + 6);
  prc_case_free(&c);
}
END_TEST

START_TEST(rules_between_many_keys_find_each_at_once) {
  enum { N = 50000 };
  FILE *file = begin(mesh_case);
  fprintf(file, "loads:\n");
  for (int k = 0; k < N; k++) fprintf(file, "  l%d: {pressure: %d}\n", k, k);
  prc_case *c = read_back(file);
  ck_assert_int_eq(c->n_loads, N);
  ck_assert(c->load[N - 1].pressure.constant == N - 1);
  prc_case_free(&c);
}
END_TEST

/* Densities move the axes of bodies and with them the points of their contacts. */
START_TEST(many_bodies_find_their_contacts) {
  enum { N = 20000 };
  FILE *file = begin("model: {thickness: 1}\ntime: {end: 1, step: 0.01}\nbodies:\n");
  for (int k = 0; k < N; k++)
    fprintf(file, "  b%d: {density: 1, position: [%d, 1], polygon: [[0, 0], [2, 0], [2, 2], [0, 2]]}\n", k,
            k);
  fprintf(file, "contacts:\n");
  for (int k = 0; k < N; k++)
    fprintf(file,
            "  c%d: {body: b%d, points: [[%d, 0]], plane: {point: [0, 0], normal: [0, 1]}, friction: 0}\n", k,
            N - 1 - k, k);
  prc_case *c = read_back(file);
  ck_assert(c->n_bodies == N && c->n_contacts == N);
  for (int k = 0; k < N; k++)
    ck_assert(c->contact_group[k].candidate[0] == k - 1 && c->contact_group[k].candidate[1] == -1);
  prc_case_free(&c);
}
END_TEST

START_TEST(many_points_of_a_contact_are_compared) {
  enum { N = 200000 };
  prc_error err = {0};
  prc_case *c = NULL;
  FILE *file =
      begin("time: {end: 1, step: 0.01}\nbodies:\n  b: {mass: 1, inertia: 1, position: [0, 1]}\ncontacts:\n"
            "  c: {body: b, plane: {point: [0, 0], normal: [0, 1]}, friction: 0, points: [");
  for (int k = 0; k < N; k++) fprintf(file, "[%d, 0],\n    ", k);
  fprintf(file, "[70000, 0], [500, -0.0]]}\n");
  ck_assert_int_eq(fclose(file), 0);
  support_fails(prc_case_read(support_build("check_case_many.yaml"), 0, NULL, &c, &err), PRC_INPUT, &err,
                ":5:69: contacts.c.points has the point (70000, 0) twice");
}
END_TEST

START_TEST(many_settings_are_read) {
  enum { N = 20000 };
  prc_error err = {0};
  prc_case *c = NULL;
  char(*text)[64] = calloc(N, sizeof *text);
  const char **set = calloc(N, sizeof *set);
  ck_assert(text && set && fclose(begin(mesh_case)) == 0);
  for (int k = 0; k < N; k++) {
    snprintf(text[k], sizeof text[k], "probes.p%d.point=[%d, 0]", k, k);
    set[k] = text[k];
  }
  support_ok(prc_case_read(support_build("check_case_many.yaml"), N, set, &c, &err), &err);
  ck_assert(c->n_probes == N && c->probe[N - 1].point[0] == N - 1);
  prc_case_free(&c);
  snprintf(text[N - 2], sizeof text[N - 2], "probes.wrong=[1"); /* the first that is wrong is named */
  snprintf(text[N - 1], sizeof text[N - 1], "probes.too=[1");
  support_fails(prc_case_read(support_build("check_case_many.yaml"), N, set, &c, &err), PRC_INPUT, &err,
                "--set probes.wrong: flow sequence without a closing bracket");
  free(text);
  free(set);
}
END_TEST

static void remove_file(void) {
  remove(support_build("check_case_many.yaml"));
}

SUITE(case_many) {
  Suite *suite = suite_create("case_many");
  TCase *t = tcase_create("many");
  tcase_set_timeout(t, PATIENCE);
  tcase_add_test(t, a_hundred_thousand_keys_are_read);
  tcase_add_test(t, rules_between_many_keys_find_each_at_once);
  tcase_add_test(t, many_bodies_find_their_contacts);
  tcase_add_test(t, many_points_of_a_contact_are_compared);
  tcase_add_test(t, many_settings_are_read);
  tcase_add_unchecked_fixture(t, NULL, remove_file);
  suite_add_tcase(suite, t);
  return suite;
}

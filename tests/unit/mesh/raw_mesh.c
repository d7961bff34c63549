#include "config.h"
#include "mesh/internal.h"
#include "support/support.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What stands between the readers and the mesh: how it is carried from one process to the other, and what is refused of it
 * although they let hardly any of it through. */

static prc_error err;
static const prc_mesh_options as_it_is = {0};

/* ---- a raw mesh: one triangle, its lower edge, a group of each ------------------------------------------ */

static prc_raw_group group_of(int dim, const char *name) {
  prc_raw_group group = {.dim = dim, .tag = dim, .n_keys = 1};
  group.name = calloc(strlen(name) + 1, 1);
  group.key = calloc(1, sizeof *group.key);
  memcpy(group.name, name, strlen(name) + 1);
  group.key[0] = 1;
  return group;
}

static prc_raw_mesh triangle(void) {
  static const prc_raw_node node[3] = {
      {.tag = 1, .x = {0.0, 0.0, 0.0}}, {.tag = 2, .x = {1.0, 0.0, 0.0}}, {.tag = 3, .x = {0.0, 1.0, 0.0}}};
  prc_raw_mesh raw = {.n_nodes = 3, .n_cells = {0, 1, 1}, .capacity = {0, 1, 1}, .n_groups = 2};
  raw.node = calloc(3, sizeof *raw.node);
  memcpy(raw.node, node, sizeof node);
  for (int dim = 1; dim <= 2; dim++) {
    raw.cell[dim] = calloc(1, sizeof *raw.cell[dim]);
    *raw.cell[dim] =
        (prc_raw_cell){.tag = (size_t)dim, .entity = 1, .key = 1, .node = {1, 2, 3}, .n_nodes = dim + 1};
  }
  raw.cell[1]->node[2] = 0;
  raw.cell[2]->element = prc_element_of_gmsh(2);
  raw.group = calloc(2, sizeof *raw.group);
  raw.group[0] = group_of(1, "floor");
  raw.group[1] = group_of(2, "body");
  return raw;
}

/* ---- carrying ------------------------------------------------------------------------------------------ */

START_TEST(what_is_carried_arrives) {
  prc_raw_mesh raw = triangle(), back = {0};
  prc_bytes bytes = {0};
  prc_mesh *mesh = NULL;
  prc_error_clear(&err);
  support_ok(prc_raw_mesh_send(&raw, &bytes, &err), &err);
  support_ok(prc_raw_mesh_receive(&bytes, &back, &err), &err);
  ck_assert_uint_eq(bytes.got, bytes.used);
  ck_assert_uint_eq(back.n_nodes, 3);
  ck_assert_mem_eq(back.node, raw.node, 3 * sizeof *raw.node);
  ck_assert_uint_eq(back.n_groups, 2);
  ck_assert_str_eq(back.group[0].name, "floor");
  support_ok(prc_mesh_build(&back, "a.msh", &as_it_is, NULL, &mesh, &err), &err);
  ck_assert_int_eq(mesh->n_cells, 1);
  ck_assert_int_eq(prc_mesh_find(mesh, 1, "floor")->n_nodes, 2);
  prc_mesh_free(&mesh);
  prc_delete(&bytes.at);
  prc_raw_mesh_free(&raw);
  prc_raw_mesh_free(&back);
}
END_TEST

START_TEST(what_is_cut_on_the_way_is_missed) {
  prc_raw_mesh raw = triangle();
  prc_bytes bytes = {0};
  prc_error_clear(&err);
  support_ok(prc_raw_mesh_send(&raw, &bytes, &err), &err);
  const size_t whole = bytes.used;
  for (size_t n = 0; n < whole; n++) {
    prc_raw_mesh back = {0};
    bytes.used = n, bytes.got = 0;
    prc_error_clear(&err);
    support_fails(prc_raw_mesh_receive(&bytes, &back, &err), PRC_IO, &err,
                  "what Gmsh read of it was lost on the way");
    prc_raw_mesh_free(&back);
  }
  prc_delete(&bytes.at);
  prc_raw_mesh_free(&raw);
}
END_TEST

START_TEST(warnings_that_are_cut_are_missed) {
  prc_bytes lines = {0}, bytes = {0};
  prc_error_clear(&err);
  support_ok(prc_bytes_put(&lines, "one\n", 4, &err), &err);
  support_ok(prc_mesh_send_warnings(&lines, &bytes, &err), &err);
  bytes.used--;
  support_fails(prc_mesh_receive_warnings(&bytes, NULL, &err), PRC_IO, &err, "lost on the way");
  prc_delete(&lines.at);
  prc_delete(&bytes.at);
}
END_TEST

/* ---- refusing ------------------------------------------------------------------------------------------ */

/* Makes the mesh wrong in one way; what is said of it. */
static const char *spoil(prc_raw_mesh *raw, int way) {
  switch (way) {
  case 0:
    raw->n_nodes = (size_t)INT_MAX / 4 + 1;
    return "536870912 nodes are too many";
  case 1:
    raw->node[2].tag = 2;
    return "two nodes have the number 2";
  case 2:
    raw->node[1].x[0] = INFINITY;
    return "node 2 is at (inf, 0, 0): expected finite numbers";
  case 3:
    raw->node[1].x[1] = NAN;
    return "expected finite numbers";
  case 4:
    raw->node[1].x[2] = -INFINITY;
    return "expected finite numbers";
  case 5:
    raw->n_cells[2] = INT_MAX;
    return "2147483647 elements are too many";
  case 6:
    raw->cell[2]->node[1] = 7;
    return "element 2 uses node 7, which the file does not have";
  case 7:
    raw->cell[1]->node[0] = 0;
    return "element 1 uses node 0, which the file does not have";
  case 8:
    raw->cell[1]->tag = 2;
    return "two elements have the number 2, expected one";
  default:
    raw->n_groups = (size_t)INT_MAX / 4 + 1;
    return "536870912 groups are too many";
  }
}
enum { WAYS = 10 };

START_TEST(a_wrong_mesh_is_refused) {
  prc_raw_mesh raw = triangle();
  prc_mesh *mesh = NULL;
  const prc_raw_mesh sizes = raw;
  prc_error_clear(&err);
  const char *text = spoil(&raw, _i);
  support_fails(prc_mesh_build(&raw, "a.msh", &as_it_is, NULL, &mesh, &err), PRC_INPUT, &err, text);
  ck_assert_ptr_null(mesh);
  raw.n_nodes = sizes.n_nodes, raw.n_groups = sizes.n_groups; /* what there is to be freed */
  prc_raw_mesh_free(&raw);
}
END_TEST

/* A mesh of the triangle, whose groups are taken again from a raw one. */
static prc_mesh *without_groups(prc_raw_mesh *raw) {
  prc_mesh *mesh = NULL;
  const size_t n = raw->n_groups;
  raw->n_groups = 0;
  prc_error_clear(&err);
  support_ok(prc_mesh_build(raw, "a.msh", &as_it_is, NULL, &mesh, &err), &err);
  raw->n_groups = n;
  prc_delete(&mesh->group); /* empty, and made anew */
  return mesh;
}

/* Each group has edges of its own: many groups of one long curve could have more than an int counts. */
START_TEST(edges_are_counted_over_all_groups) {
  prc_raw_mesh raw = triangle();
  prc_mesh *mesh = without_groups(&raw);
  mesh->n_edges = INT_MAX / 4;
  support_fails(prc_mesh_build_groups(mesh, &raw, "a.msh", NULL, &err), PRC_INPUT, &err,
                "the physical curves have too many edges");
  prc_mesh_free(&mesh);
  prc_raw_mesh_free(&raw);
}
END_TEST

START_TEST(a_group_has_no_more_elements_than_an_int_counts) {
  enum { EDGES = 60000, TIMES = 9000 };
  prc_raw_mesh raw = triangle();
  prc_mesh *mesh = without_groups(&raw);
  raw.member[1] = realloc(raw.member[1], EDGES * sizeof *raw.member[1]);
  raw.group[0].key = realloc(raw.group[0].key, TIMES * sizeof(int));
  ck_assert(raw.member[1] && raw.group[0].key);
  for (int k = 1; k < EDGES; k++) raw.member[1][k] = raw.member[1][0];
  for (int k = 1; k < TIMES; k++) raw.group[0].key[k] = 1;
  raw.n_members[1] = EDGES, raw.group[0].n_keys = TIMES;
  support_fails(prc_mesh_build_groups(mesh, &raw, "a.msh", NULL, &err), PRC_INPUT, &err,
                "group \"floor\" has too many elements");
  prc_mesh_free(&mesh);
  prc_raw_mesh_free(&raw);
}
END_TEST

START_TEST(two_groups_of_one_name_are_refused) {
  static const char *const text[] = {"two physical curves have the name \"side\"",
                                     "two physical surfaces have the name \"side\""};
  prc_raw_mesh raw = triangle();
  prc_mesh *mesh = without_groups(&raw);
  for (int g = 0; g < 2; g++) {
    free(raw.group[g].name);
    free(raw.group[g].key);
    raw.group[g] = group_of(1 + _i, "side");
  }
  support_fails(prc_mesh_build_groups(mesh, &raw, "a.msh", NULL, &err), PRC_INPUT, &err, text[_i]);
  prc_mesh_free(&mesh);
  prc_raw_mesh_free(&raw);
}
END_TEST

SUITE(raw_mesh) {
  Suite *suite = suite_create("raw_mesh");
  TCase *tc = tcase_create("between");
  tcase_add_test(tc, what_is_carried_arrives);
  tcase_add_test(tc, what_is_cut_on_the_way_is_missed);
  tcase_add_test(tc, warnings_that_are_cut_are_missed);
  tcase_add_loop_test(tc, a_wrong_mesh_is_refused, 0, WAYS);
  tcase_add_test(tc, edges_are_counted_over_all_groups);
  tcase_add_test(tc, a_group_has_no_more_elements_than_an_int_counts);
  tcase_add_loop_test(tc, two_groups_of_one_name_are_refused, 0, 2);
  suite_add_tcase(suite, tc);
  return suite;
}

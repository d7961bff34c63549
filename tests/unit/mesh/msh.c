#include "config.h"
#include "mesh/internal.h"
#include "support/gmsh.h"
#include "support/support.h"

#include <gmshc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mesh files as Gmsh and converters write them: which group an element is in, and what must not be lost without a word. */

static prc_error err;
static char heard[2048];

static void listen(void *to, prc_log_level level, const char *text) {
  (void)to, (void)level;
  strncat(heard, text, sizeof heard - strlen(heard) - 1);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static prc_status build(const void *bytes, size_t n, prc_mesh **mesh) {
  static const prc_mesh_options as_it_is = {0};
  const prc_log ear = {listen, NULL};
  prc_raw_mesh raw = {0};
  heard[0] = '\0';
  prc_error_clear(&err);
  *mesh = NULL;
  prc_status status = prc_msh_read(bytes, n, &raw, &err);
  if (status == PRC_OK) status = prc_mesh_build(&raw, "a.msh", &as_it_is, &ear, mesh, &err);
  prc_raw_mesh_free(&raw);
  return status;
}

static prc_mesh *read_text(const char *text) {
  prc_mesh *mesh;
  support_ok(build(text, strlen(text), &mesh), &err);
  return mesh;
}

static void refuses(const char *text, const char *message) {
  prc_mesh *mesh;
  support_fails(build(text, strlen(text), &mesh), PRC_INPUT, &err, message);
  ck_assert_ptr_null(mesh);
}

static double length_of(const prc_mesh *mesh, const char *name) {
  const prc_mesh_group *group = prc_mesh_find(mesh, 1, name);
  double sum = 0.0;
  ck_assert_msg(group != NULL, "no curve '%s'", name);
  for (int k = 0; k < group->n_cells; k++) sum += prc_mesh_length(mesh, group->cell[k]);
  return sum;
}

static double area_of(const prc_mesh *mesh, const char *name) {
  const prc_mesh_group *group = prc_mesh_find(mesh, 2, name);
  double sum = 0.0;
  ck_assert_msg(group != NULL, "no surface '%s'", name);
  for (int k = 0; k < group->n_cells; k++) sum += prc_mesh_area(mesh, group->cell[k]);
  return sum;
}

/* ---- version 2.2: two squares side by side, 2 x 1 --------------------------------------------------------- */

#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NAMES                                                                                                \
  "$PhysicalNames\n5\n0 1 \"corner\"\n1 1 \"bottom\"\n1 2 \"rest\"\n2 1 \"steel\"\n2 2 \"block\"\n"          \
  "$EndPhysicalNames\n"
#define NODES         "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 2 1 0\n5 1 1 0\n6 0 1 0\n$EndNodes\n"
#define ELEMENTS(...) "$Elements\n" __VA_ARGS__ "$EndElements\n"

/* Everything on curve 1 and surface 1, as converters write it that know no geometry. */
static const char one_entity[] = HEAD NAMES NODES ELEMENTS("9\n"
                                                           "1 15 2 1 1 1\n"
                                                           "2 1 2 1 1 1 2\n3 1 2 1 1 2 3\n"
                                                           "4 1 2 2 1 3 4\n5 1 2 2 1 4 5\n"
                                                           "6 1 2 2 1 5 6\n7 1 2 2 1 6 1\n"
                                                           "8 3 2 1 1 1 2 5 6\n9 3 2 2 1 2 3 4 5\n");

START_TEST(groups_are_those_of_the_elements_and_not_of_their_curve) {
  prc_mesh *mesh = read_text(one_entity);
  ck_assert_int_eq(prc_mesh_find(mesh, 1, "bottom")->n_nodes, 3);
  ck_assert_double_eq(length_of(mesh, "bottom"), 2.0);
  ck_assert_double_eq(length_of(mesh, "rest"), 4.0);
  ck_assert_double_eq(area_of(mesh, "steel"), 1.0);
  ck_assert_double_eq(area_of(mesh, "block"), 1.0);
  ck_assert_int_eq(prc_mesh_find(mesh, 2, "steel")->cell[0], 0);
  ck_assert_ptr_null(prc_mesh_find(mesh, 1, "corner")); /* a group of points that has the tag of a curve's */
  prc_mesh_free(&mesh);
}
END_TEST

/* The bytes of a binary file, little ones first or last. */
typedef struct {
  char at[2048];
  size_t n;
  int swapped;
} image;

static void put_text(image *i, const char *text) {
  memcpy(i->at + i->n, text, strlen(text));
  i->n += strlen(text);
}

static void put(image *i, const void *item, size_t size) {
  for (size_t k = 0; k < size; k++) i->at[i->n++] = ((const char *)item)[i->swapped ? size - 1 - k : k];
}

static void put_ints(image *i, int n, const int *item) {
  for (int k = 0; k < n; k++) put(i, &item[k], sizeof *item);
}

/* one_entity, without its point */
static void make_binary(image *i, int swapped) {
  static const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {0, 1, 0}};
  static const int one = 1, edges[3] = {1, 6, 2}, squares[3] = {3, 2, 3};
  static const int edge[6][5] = {{2, 1, 1, 1, 2}, {3, 1, 1, 2, 3}, {4, 2, 1, 3, 4},
                                 {5, 2, 1, 4, 5}, {6, 2, 1, 5, 6}, {7, 2, 1, 6, 1}};
  static const int square[2][8] = {{8, 1, 1, 0, 1, 2, 5, 6}, {9, 2, 1, 7, 2, 3, 4, 5}};
  *i = (image){.swapped = swapped};
  put_text(i, "$MeshFormat\n2.2 1 8\n");
  put(i, &one, sizeof one);
  put_text(i, "\n$EndMeshFormat\n" NAMES "$Nodes\n6\n");
  for (int k = 0; k < 6; k++) {
    put_ints(i, 1, (int[]){k + 1});
    for (int d = 0; d < 3; d++) put(i, &x[k][d], sizeof x[k][d]);
  }
  put_text(i, "\n$EndNodes\n$Elements\n8\n");
  put_ints(i, 3, edges);
  for (int k = 0; k < 6; k++) put_ints(i, 5, edge[k]);
  put_ints(i, 3, squares);
  for (int k = 0; k < 2; k++) put_ints(i, 8, square[k]);
  put_text(i, "\n$EndElements\n");
}

START_TEST(so_they_are_in_binary_files_of_either_order_of_bytes) {
  image i;
  prc_mesh *mesh;
  make_binary(&i, _i);
  support_ok(build(i.at, i.n, &mesh), &err);
  ck_assert_double_eq(length_of(mesh, "bottom"), 2.0);
  ck_assert_double_eq(length_of(mesh, "rest"), 4.0);
  ck_assert_double_eq(area_of(mesh, "steel"), 1.0);
  ck_assert_double_eq(area_of(mesh, "block"), 1.0);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(a_file_that_is_cut_anywhere_is_refused) {
  image i;
  prc_mesh *mesh;
  const size_t text = sizeof one_entity - 1;
  make_binary(&i, _i == 2);
  const char *whole = _i ? i.at : one_entity;
  for (size_t n = 0; n < (_i ? i.n : text) - 1; n++) {
    char *cut = malloc(n + 1); /* so that a sanitizer sees what reads beyond */
    ck_assert_ptr_nonnull(cut);
    memcpy(cut, whole, n);
    ck_assert_msg(build(cut, n, &mesh) == PRC_INPUT, "%zu bytes were enough", n);
    ck_assert_ptr_null(mesh);
    free(cut);
  }
}
END_TEST

/* An element in two groups comes twice: with its own curve, as Gmsh writes it, or with one for each group. */
START_TEST(an_element_that_comes_once_for_each_of_its_groups_is_in_all_of_them) {
  static const char *const text[] = {
      HEAD NAMES NODES ELEMENTS("6\n1 1 2 1 1 1 2\n2 1 2 2 1 2 1\n3 3 2 1 1 1 2 5 6\n4 3 2 2 1 5 6 1 2\n"
                                "5 3 2 1 1 2 3 4 5\n6 1 2 1 1 2 3\n"),
      HEAD NAMES NODES ELEMENTS("6\n1 1 2 1 1 1 2\n2 1 2 2 2 2 1\n3 3 2 1 1 1 2 5 6\n4 3 2 2 2 5 6 1 2\n"
                                "5 3 2 1 1 2 3 4 5\n6 1 2 1 1 2 3\n")};
  prc_mesh *mesh = read_text(text[_i]);
  ck_assert_int_eq(mesh->n_cells, 2);
  ck_assert_double_eq(length_of(mesh, "bottom"), 2.0);
  ck_assert_double_eq(length_of(mesh, "rest"), 1.0);
  ck_assert_double_eq(area_of(mesh, "steel"), 2.0);
  ck_assert_double_eq(area_of(mesh, "block"), 1.0);
  ck_assert_ptr_nonnull(strstr(heard, "2 repeated elements were read once"));
  prc_mesh_free(&mesh);
}
END_TEST

/* Two curves of one group that have an edge in common: a pressure acts there once. */
START_TEST(an_edge_is_in_a_group_once) {
  prc_mesh *mesh = read_text(
      HEAD NAMES NODES ELEMENTS("4\n1 1 2 1 1 1 2\n2 1 2 1 7 1 2\n3 3 2 1 1 1 2 5 6\n4 3 2 1 1 2 3 4 5\n"));
  ck_assert_int_eq(prc_mesh_find(mesh, 1, "bottom")->n_cells, 1);
  ck_assert_double_eq(length_of(mesh, "bottom"), 1.0);
  prc_mesh_free(&mesh);
}
END_TEST

/* No tags, one, a negative one (an element turned round), partitions behind them. */
START_TEST(elements_may_have_any_number_of_tags) {
  prc_mesh *mesh = read_text(HEAD NODES ELEMENTS("5\n1 1 0 1 2\n2 1 1 1 2 3\n3 1 2 -1 0 3 4\n"
                                                 "4 3 5 1 0 2 1 -2 1 2 5 6\n5 3 2 1 0 2 3 4 5\n"));
  ck_assert_double_eq(length_of(mesh, "physical-1"), 2.0);
  ck_assert_double_eq(area_of(mesh, "physical-1"), 2.0);
  ck_assert_int_eq(mesh->n_groups, 2);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(a_name_without_elements_is_an_empty_group) {
  prc_mesh *mesh =
      read_text(HEAD "$PhysicalNames\n2\n1 4 \"slope\"\n2 1 \"body\"\n$EndPhysicalNames\n" NODES ELEMENTS(
          "1\n8 3 2 1 1 1 2 5 6\n"));
  ck_assert_ptr_nonnull(prc_mesh_find(mesh, 1, "slope"));
  ck_assert_int_eq(prc_mesh_find(mesh, 1, "slope")->n_cells, 0);
  ck_assert_ptr_nonnull(strstr(heard, "the physical curve \"slope\" has no elements"));
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(sections_that_are_not_known_are_left_alone) {
  prc_mesh *mesh = read_text(HEAD "$Comments\n$Nodes\n1\n$EndComments\n\nwords\n" NODES
                                  "$NodeData\n1\n\"u\"\n$EndNodeData\n" ELEMENTS(
                                      "1\n8 3 2 1 1 1 2 5 6\n") "$Periodic\n0\n$EndPeriodic\n");
  ck_assert_int_eq(mesh->n_cells, 1);
  prc_mesh_free(&mesh);
}
END_TEST

/* ---- version 4.1 ------------------------------------------------------------------------------------------ */

#define HEAD4  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NAMES4 "$PhysicalNames\n2\n1 1 \"floor\"\n2 2 \"body\"\n$EndPhysicalNames\n"
#define NODES4 "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
#define CELLS4 "$Elements\n2 2 1 2\n1 5 1 1\n1 1 2\n2 1 2 1\n2 1 2 3\n$EndElements\n"

START_TEST(partitioned_entities_have_groups_too) {
  prc_mesh *mesh = read_text(
      HEAD4 NAMES4
      "$Entities\n0 1 1 0\n1 0 0 0 1 0 0 1 1 0\n9 0 0 0 1 1 0 1 2 1 1\n$EndEntities\n"
      "$PartitionedEntities\n2\n1\n8 1\n1 1 1 0\n7 0 3 2 1 2 0 0 0 0\n5 1 1 2 1 2 0 0 0 1 0 0 1 -1 2 7 -7\n"
      "1 2 9 1 1 0 0 0 1 1 0 1 2 1 5\n$EndPartitionedEntities\n"
      "$Nodes\n2 3 1 3\n0 7 1 1\n1\n0 0 0\n2 1 1 2\n2\n3\n1 0 0 0.5 0.5\n0 1 0 0.5 0.5\n$EndNodes\n" CELLS4
      "$GhostElements\n0\n$EndGhostElements\n");
  ck_assert_double_eq(length_of(mesh, "floor"), 1.0);
  ck_assert_double_eq(area_of(mesh, "body"), 0.5);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(without_entities_there_are_no_groups) {
  prc_mesh *mesh = read_text(HEAD4 NODES4 CELLS4);
  ck_assert_int_eq(mesh->n_cells, 1);
  ck_assert_int_eq(mesh->n_groups, 0);
  prc_mesh_free(&mesh);
}
END_TEST

/* ---- what Gmsh itself writes ------------------------------------------------------------------------------- */

static double boundary_of(const prc_mesh *mesh) {
  return length_of(mesh, "bottom") + length_of(mesh, "right") + length_of(mesh, "top")
         + length_of(mesh, "left");
}

START_TEST(a_mesh_in_partitions_is_the_mesh) {
  static const struct {
    double version;
    int binary, topology;
  } written[] = {{2.2, 0, 0}, {2.2, 1, 1}, {4.1, 0, 1}, {4.1, 1, 1}, {4.1, 0, 0}};
  const char *path = support_build("check-msh-parts.msh");
  prc_mesh *mesh = NULL;
  int ierr = 0;
  support_gmsh_block(5.0);
  gmshOptionSetNumber("Mesh.PartitionCreateTopology", written[_i].topology, &ierr);
  gmshOptionSetNumber("Mesh.PartitionCreateGhostCells", 1, &ierr);
  gmshModelMeshPartition(3, &ierr);
  ck_assert_int_eq(ierr, 0);
  support_gmsh_write(path, written[_i].version, written[_i].binary);
  prc_error_clear(&err);
  support_ok(prc_mesh_read(path, NULL, NULL, &mesh, &err), &err);
  ck_assert_double_eq_tol(area_of(mesh, "block"), 1000.0, 1e-9);
  ck_assert_double_eq_tol(boundary_of(mesh), 130.0, 1e-9);
  prc_mesh_free(&mesh);
}
END_TEST

/* ---- what is refused ---------------------------------------------------------------------------------------- */

static const struct {
  const char *text, *message;
} bad[] = {
    {HEAD NODES ELEMENTS("3\n1 1 2 1 1 1 2\n1 1 2 2 1 2 3\n2 3 2 1 1 1 2 5 6\n"),
     "two elements have the number 1, expected one"},
    {HEAD NODES ELEMENTS("2\n3 1 2 1 1 1 2\n3 3 2 1 1 1 2 5 6\n"),
     "two elements have the number 3, expected one"},
    {HEAD4 NODES4 "$Elements\n2 2 1 2\n1 5 1 1\n1 1 2\n2 1 2 1\n1 1 2 3\n$EndElements\n",
     "two elements have the number 1, expected one"},
    {HEAD NODES ELEMENTS("2\n1 3 2 1 1 1 2 5 6\n4 34 2 1 1 4 2 3 4 5\n"),
     "are not supported: polygons (first: element 4)"},
    {HEAD4 NODES4 "$Elements\n1 1 4 4\n2 1 34 1\n4 1 2 3\n$EndElements\n",
     "are not supported: polygons (first: element 4)"},
    {HEAD NODES ELEMENTS("1\n1 99 2 1 1 1 2 5 6\n"), "elements of Gmsh's type 99 (first: element 1)"},
    {HEAD NODES ELEMENTS("1\n1 3 -2 1 2 5 6\n"), "element 1 has -2 tags, expected 0 or more"},
    {HEAD NODES ELEMENTS("1\n1 3 1 -2147483648 1 2 5 6\n"), "element 1 has the group -2147483648"},
    {HEAD NODES ELEMENTS("1\n1 3 0 1 2 5 6.5\n"),
     "$Elements, element 1 of 1: '6.5' stands where a whole number is expected"},
    {HEAD NODES ELEMENTS("1\n1 3 0 1 2 5 -6\n"),
     "$Elements, element 1 of 1 has the number -6, expected one >= 0"},
    {HEAD NODES ELEMENTS("2\n1 3 0 1 2 5 6\n"),
     "$Elements, element 2 of 2: '$EndElements' stands where a whole number is expected"},
    {HEAD NODES ELEMENTS("1\n1 3 0 1 2 5 6\n2 3 0 2 3 4 5\n"),
     "$Elements has more than it says that it has, expected $EndElements"},
    {HEAD NODES NODES, "there are two sections $Nodes, expected one"},
    {HEAD "$Nodes\n1\n1 0 \033[2J 0\n$EndNodes\n",
     "$Nodes, node 1 of 1: '?[2J' stands where a number is expected"},
    {HEAD "$Periodic\n", "ends without $EndPeriodic, expected a mesh that is complete"},
    {HEAD "$PhysicalNames\n1\n1 \"floor\"\n$EndPhysicalNames\n",
     "$PhysicalNames: line 1 of 1 is not understood, expected a dimension, a number and a name"},
    {HEAD "$PhysicalNames\n1\n1 1 floor\n$EndPhysicalNames\n",
     "$PhysicalNames: line 1 of 1 is not understood"},
    {HEAD "$PhysicalNames\n2\n1 1 \"a\"\n1 1 \"b\"\n$EndPhysicalNames\n",
     "$PhysicalNames gives group 1 of dimension 1 two names"},
    {HEAD
     "$PhysicalNames\n2\n1 1 \"a\"\n1 2 \"a\"\n$EndPhysicalNames\n" NODES ELEMENTS("1\n8 3 2 1 1 1 2 5 6\n"),
     "two physical curves have the name \"a\""},
    {HEAD4 "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 1 2 0\n$EndEntities\n" NODES4 CELLS4,
     "$Elements has elements of curve 5, which $Entities does not have"},
    {HEAD4 "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 1 -2147483648 0\n$EndEntities\n",
     "$Entities: surface 1 has the group -2147483648"},
    {HEAD4 "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 9999999999 2 0\n$EndEntities\n",
     "$Entities, surface 1 of 1: '$EndEntities' stands where a whole number is expected"},
    {HEAD4 "$Nodes\n1 3 1 3\n2 1 0 2\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n",
     "$Nodes claims 3 nodes, but its blocks have 2"},
    {HEAD4 "$Nodes\n1 3 1 3\n2 1 0 4\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n",
     "$Nodes has a block of 4 nodes, but 3 are left of the 3 it claims"},
    {HEAD4 "$Nodes\n1 3 1 3\n4 1 0 3\n$EndNodes\n", "$Nodes has a block of dimension 4, expected 0 to 3"},
    {HEAD4 NODES4 "$Elements\n1 1 1 1\n1 1 2 1\n2 1 2 3\n$EndElements\n",
     "element 2 has 2 dimensions but stands in a block of curve 1"},
    {"$MeshFormat\n4 0 8\n$EndMeshFormat\n", "is a Gmsh mesh of version 4, expected 2.2 or 4.1"},
};

START_TEST(what_would_be_lost_is_refused) {
  refuses(bad[_i].text, bad[_i].message);
}
END_TEST

SUITE(msh) {
  Suite *suite = suite_create("msh");
  TCase *two = tcase_create("2.2"), *four = tcase_create("4.1"), *refused = tcase_create("refused");
  tcase_add_test(two, groups_are_those_of_the_elements_and_not_of_their_curve);
  tcase_add_loop_test(two, so_they_are_in_binary_files_of_either_order_of_bytes, 0, 2);
  tcase_add_loop_test(two, a_file_that_is_cut_anywhere_is_refused, 0, 3);
  tcase_add_loop_test(two, an_element_that_comes_once_for_each_of_its_groups_is_in_all_of_them, 0, 2);
  tcase_add_test(two, an_edge_is_in_a_group_once);
  tcase_add_test(two, elements_may_have_any_number_of_tags);
  tcase_add_test(two, a_name_without_elements_is_an_empty_group);
  tcase_add_test(two, sections_that_are_not_known_are_left_alone);
  tcase_add_test(four, partitioned_entities_have_groups_too);
  tcase_add_test(four, without_entities_there_are_no_groups);
  tcase_add_loop_test(four, a_mesh_in_partitions_is_the_mesh, 0, 5);
  tcase_add_loop_test(refused, what_would_be_lost_is_refused, 0, sizeof bad / sizeof *bad);
  suite_add_tcase(suite, two);
  suite_add_tcase(suite, four);
  suite_add_tcase(suite, refused);
  return suite;
}

#include "config.h"
#include "support/gmsh.h"
#include "support/support.h"
#include "mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- helpers ------------------------------------------------------------------------------------------- */

static prc_error err;
static char heard[4096]; /* what the log was told, one line each */

static void listen(void *to, prc_log_level level, const char *text) {
  (void)to;
  strncat(heard, level == PRC_LOG_WARNING ? "warning: " : "info: ", sizeof heard - strlen(heard) - 1);
  strncat(heard, text, sizeof heard - strlen(heard) - 1);
  strncat(heard, "\n", sizeof heard - strlen(heard) - 1);
}

static const prc_log ear = {listen, NULL};

static void forget(void) {
  heard[0] = '\0';
  prc_error_clear(&err);
}

static prc_mesh *read_mesh(const char *path, double size) {
  const prc_mesh_options options = {.size = size};
  prc_mesh *mesh = NULL;
  forget();
  support_ok(prc_mesh_read(path, &options, &ear, &mesh, &err), &err);
  return mesh;
}

static prc_mesh *read_block(double size) {
  return read_mesh(support_source("meshes/block.geo"), size);
}

/* Writes a file below the build folder and returns its path. */
static const char *with_text(const char *name, const char *text) {
  const char *path = support_build(name);
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
  return path;
}

static void refuses_path(const char *path, double size, prc_status status, const char *message) {
  const prc_mesh_options options = {.size = size};
  prc_mesh *mesh = NULL;
  forget();
  support_fails(prc_mesh_read(path, &options, &ear, &mesh, &err), status, &err, message);
  ck_assert_ptr_null(mesh);
  ck_assert_msg(strstr(err.message, path) == err.message, "'%s' does not begin with the path", err.message);
}

static void refuses(const char *name, const char *text, const char *message) {
  refuses_path(with_text(name, text), 0.0, PRC_INPUT, message);
}

static double total_area(const prc_mesh *mesh) {
  double sum = 0.0;
  for (int c = 0; c < mesh->n_cells; c++) {
    ck_assert_double_gt(prc_mesh_area(mesh, c), 0.0);
    sum += prc_mesh_area(mesh, c);
  }
  return sum;
}

/* Length of a curve; each edge is a side of its triangle, in the triangle's sense: the body is on the left. */
static double curve_length(const prc_mesh *mesh, const char *name) {
  const prc_mesh_group *group = prc_mesh_find(mesh, 1, name);
  double sum = 0.0;
  ck_assert_ptr_nonnull(group);
  for (int k = 0; k < group->n_cells; k++) {
    const int *edge = mesh->edge + 2 * group->cell[k], *n = mesh->cell + 3 * mesh->edge_cell[group->cell[k]];
    int found = 0;
    for (int a = 0; a < 3; a++) found += edge[0] == n[a] && edge[1] == n[(a + 1) % 3];
    ck_assert_int_eq(found, 1);
    sum += prc_mesh_length(mesh, group->cell[k]);
  }
  return sum;
}

/* Each edge of the group is between two triangles and belongs to the one of lower index. */
static void expect_lower_of_two_cells(const prc_mesh *mesh, const prc_mesh_group *group) {
  for (int k = 0; k < group->n_cells; k++) {
    const int *edge = mesh->edge + 2 * group->cell[k];
    int beside = 0, lower = -1;
    for (int c = mesh->n_cells - 1; c >= 0; c--) {
      int shared = 0;
      for (int a = 0; a < 3; a++)
        shared += mesh->cell[3 * c + a] == edge[0] || mesh->cell[3 * c + a] == edge[1];
      if (shared < 2) continue;
      beside++;
      lower = c;
    }
    ck_assert_int_eq(beside, 2);
    ck_assert_int_eq(mesh->edge_cell[group->cell[k]], lower);
  }
}

static void expect_ascending(const int *list, int n) {
  for (int k = 1; k < n; k++) ck_assert_int_lt(list[k - 1], list[k]);
}

static void expect_same_group(const prc_mesh_group *a, const prc_mesh_group *b) {
  ck_assert_str_eq(a->name, b->name);
  ck_assert_int_eq(a->dim, b->dim);
  ck_assert_int_eq(a->n_cells, b->n_cells);
  ck_assert_int_eq(a->n_nodes, b->n_nodes);
  ck_assert_mem_eq(a->cell, b->cell, (size_t)a->n_cells * sizeof *a->cell);
  ck_assert_mem_eq(a->node, b->node, (size_t)a->n_nodes * sizeof *a->node);
}

/* rounding: what an ASCII file's 16 digits may take from a coordinate of the block */
static void expect_same_mesh(const prc_mesh *a, const prc_mesh *b, double rounding) {
  ck_assert_int_eq(a->n_nodes, b->n_nodes);
  ck_assert_int_eq(a->n_cells, b->n_cells);
  ck_assert_int_eq(a->n_edges, b->n_edges);
  ck_assert_int_eq(a->n_groups, b->n_groups);
  for (int i = 0; i < 2 * a->n_nodes; i++) ck_assert_double_le(fabs(a->x[i] - b->x[i]), rounding);
  ck_assert_mem_eq(a->tag, b->tag, (size_t)a->n_nodes * sizeof *a->tag);
  ck_assert_mem_eq(a->cell, b->cell, 3 * (size_t)a->n_cells * sizeof *a->cell);
  ck_assert_mem_eq(a->cell_tag, b->cell_tag, (size_t)a->n_cells * sizeof *a->cell_tag);
  ck_assert_mem_eq(a->edge, b->edge, 2 * (size_t)a->n_edges * sizeof *a->edge);
  ck_assert_mem_eq(a->edge_cell, b->edge_cell, (size_t)a->n_edges * sizeof *a->edge_cell);
  for (int g = 0; g < a->n_groups; g++) expect_same_group(&a->group[g], &b->group[g]);
}

/* The block at size 5, written by Gmsh itself. */
static void write_block(const char *path, double version, int binary) {
  support_gmsh_block(5.0);
  support_gmsh_write(path, version, binary);
}

/* Small meshes in .msh 2.2: element = number type 2 physical entity nodes; type 1 is an edge, 2 a triangle. */
#define HEAD   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NAMES  "$PhysicalNames\n2\n1 1 \"floor\"\n2 2 \"body\"\n$EndPhysicalNames\n"
#define SQUARE "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
/* a 6-node triangle, the node halfway along its slanted side at a place to choose, and a node 7 outside */
#define SIX(place)                                                                                           \
  "$Nodes\n7\n1 0 0 0\n2 2 0 0\n3 0 2 0\n4 1 0 0\n5 " place " 0\n6 0 1 0\n7 1 -2 0\n$EndNodes\n"
#define CELLS(...) "$Elements\n" __VA_ARGS__ "$EndElements\n"

/* ---- the block ----------------------------------------------------------------------------------------- */

START_TEST(the_block_at_size_1_has_1227_nodes_and_2322_triangles) {
  prc_mesh *mesh = read_block(0.0);
  ck_assert_int_eq(mesh->n_nodes, 1227);
  ck_assert_int_eq(mesh->n_cells, 2322);
  ck_assert_int_eq(prc_mesh_find(mesh, 1, "bottom")->n_nodes, 41);
  ck_assert_int_eq(prc_mesh_find(mesh, 2, "block")->n_cells, 2322);
  ck_assert_int_eq(prc_mesh_find(mesh, 2, "block")->n_nodes, 1227);
  ck_assert_int_eq(mesh->n_unused + mesh->n_turned, 0);
  ck_assert_str_eq(heard, "");
  prc_mesh_free(&mesh);
  ck_assert_ptr_null(mesh);
}
END_TEST

START_TEST(the_triangles_of_the_block_cover_its_area) {
  prc_mesh *mesh = read_block(1.0);
  ck_assert_double_eq_tol(total_area(mesh), 1000.0, 1e-9);
  ck_assert_double_eq_tol(mesh->low[0], 0.0, 1e-12);
  ck_assert_double_eq_tol(mesh->low[1], 0.0, 1e-12);
  ck_assert_double_eq_tol(mesh->high[0], 40.0, 1e-12);
  ck_assert_double_eq_tol(mesh->high[1], 25.0, 1e-12);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(the_edges_of_the_block_have_the_body_on_their_left) {
  prc_mesh *mesh = read_block(1.0);
  ck_assert_double_eq_tol(curve_length(mesh, "bottom"), 40.0, 1e-10);
  ck_assert_double_eq_tol(curve_length(mesh, "right"), 25.0, 1e-10);
  ck_assert_double_eq_tol(curve_length(mesh, "top"), 40.0, 1e-10);
  ck_assert_double_eq_tol(curve_length(mesh, "left"), 25.0, 1e-10);
  const prc_mesh_group *bottom = prc_mesh_find(mesh, 1, "bottom");
  for (int k = 0; k < bottom->n_cells; k++) {
    const int *edge = mesh->edge + 2 * bottom->cell[k];
    ck_assert_double_lt(mesh->x[2 * edge[0]], mesh->x[2 * edge[1]]);
  }
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(numbers_ascend) {
  prc_mesh *mesh = read_block(2.0);
  for (int i = 1; i < mesh->n_nodes; i++) ck_assert(mesh->tag[i - 1] < mesh->tag[i]);
  for (int c = 1; c < mesh->n_cells; c++) ck_assert(mesh->cell_tag[c - 1] < mesh->cell_tag[c]);
  for (int g = 0; g < mesh->n_groups; g++) {
    expect_ascending(mesh->group[g].node, mesh->group[g].n_nodes);
    expect_ascending(mesh->group[g].cell, mesh->group[g].n_cells);
  }
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(the_size_is_the_cases_choice) {
  prc_mesh *mesh = read_block(5.0);
  ck_assert_int_eq(prc_mesh_find(mesh, 1, "bottom")->n_nodes, 9);
  ck_assert_double_eq_tol(total_area(mesh), 1000.0, 1e-9);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(the_size_of_one_reading_does_not_reach_the_next) {
  prc_mesh *coarse = read_block(5.0), *fine = read_block(0.0);
  ck_assert_int_eq(fine->n_nodes, 1227);
  prc_mesh_free(&coarse);
  prc_mesh_free(&fine);
}
END_TEST

START_TEST(reading_twice_gives_the_same_mesh) {
  prc_mesh *first = read_block(2.0), *second = read_block(2.0);
  expect_same_mesh(first, second, 0.0);
  prc_mesh_free(&first);
  prc_mesh_free(&second);
}
END_TEST

static const struct {
  const char *name;
  double version;
  int binary;
} formats[] = {{"check-mesh-22.msh", 2.2, 0},
               {"check-mesh-22-binary.msh", 2.2, 1},
               {"check-mesh-41.msh", 4.1, 0},
               {"check-mesh-41-binary.msh", 4.1, 1}};

START_TEST(every_format_gives_the_mesh_of_the_geometry) {
  const char *path = support_build(formats[_i].name);
  write_block(path, formats[_i].version, formats[_i].binary);
  prc_mesh *meshed = read_block(5.0), *read = read_mesh(path, 0.0);
  expect_same_mesh(meshed, read, formats[_i].binary ? 0.0 : 1e-14 * 40.0);
  prc_mesh_free(&meshed);
  prc_mesh_free(&read);
}
END_TEST

/* ---- small meshes -------------------------------------------------------------------------------------- */

START_TEST(nodes_may_be_unsorted_and_numbered_with_holes) {
  prc_mesh *mesh = read_mesh(with_text("check-mesh-holes.msh", HEAD NAMES
                                       "$Nodes\n3\n900000 0 1 0\n7 0 0 0\n20 1 0 0\n$EndNodes\n" CELLS(
                                           "2\n5 1 2 1 1 20 7\n9 2 2 2 1 900000 7 20\n")),
                             0.0);
  ck_assert_int_eq(mesh->n_nodes, 3);
  ck_assert(mesh->tag[0] == 7 && mesh->tag[1] == 20 && mesh->tag[2] == 900000);
  ck_assert_double_eq(mesh->x[2], 1.0);
  ck_assert_int_eq(mesh->edge[0], 0); /* from 7 to 20 */
  ck_assert_int_eq(mesh->edge[1], 1);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(clockwise_triangles_are_turned) {
  prc_mesh *mesh =
      read_mesh(with_text("check-mesh-clockwise.msh",
                          HEAD SQUARE CELLS("3\n1 2 2 2 1 1 3 2\n2 2 2 2 1 1 4 3\n3 1 2 1 1 2 1\n")),
                0.0);
  ck_assert_int_eq(mesh->n_turned, 2);
  ck_assert_double_eq_tol(total_area(mesh), 1.0, 1e-14);
  ck_assert_double_eq_tol(curve_length(mesh, "physical-1"), 1.0, 1e-14);
  ck_assert_ptr_nonnull(strstr(heard, "info: "));
  ck_assert_ptr_nonnull(strstr(heard, "2 of 2 cells came clockwise"));
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(surfaces_may_run_in_different_senses) {
  prc_mesh *mesh = read_mesh(
      with_text("check-mesh-senses.msh", HEAD SQUARE CELLS("2\n1 2 2 2 1 1 2 3\n2 2 2 2 2 1 4 3\n")), 0.0);
  ck_assert_int_eq(mesh->n_turned, 1);
  ck_assert_double_eq_tol(total_area(mesh), 1.0, 1e-14);
  prc_mesh_free(&mesh);
}
END_TEST

/* A disc: Gmsh keeps the centre of its arcs as a node, which no triangle uses. */
START_TEST(unused_nodes_stay_and_are_reported) {
  prc_mesh *mesh = read_mesh(
      with_text(
          "check-mesh-unused.geo",
          "Point(1) = {0, 0, 0, 1}; Point(2) = {1, 0, 0, 1}; Point(3) = {-1, 0, 0, 1};\n"
          "Circle(1) = {2, 1, 3}; Circle(2) = {3, 1, 2}; Curve Loop(1) = {1, 2}; Plane Surface(1) = {1};\n"
          "Physical Surface(\"disc\") = {1};\n"),
      0.0);
  ck_assert_int_eq(mesh->n_unused, 1);
  ck_assert_int_eq(prc_mesh_find(mesh, 2, "disc")->n_nodes, mesh->n_nodes - 1);
  ck_assert_ptr_nonnull(strstr(heard, "warning: "));
  ck_assert_ptr_nonnull(strstr(heard, "no cell uses 1 of the "));
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(a_triangle_may_be_in_several_groups_or_none) {
  prc_mesh *mesh = read_mesh(
      with_text(
          "check-mesh-several.geo",
          "s = 1; Point(1) = {0, 0, 0, s}; Point(2) = {1, 0, 0, s}; Point(3) = {1, 1, 0, s};\n"
          "Point(4) = {0, 1, 0, s}; Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 1};\n"
          "Line(4) = {3, 4}; Line(5) = {4, 1}; Curve Loop(1) = {1, 2, 3}; Curve Loop(2) = {-3, 4, 5};\n"
          "Plane Surface(1) = {1}; Plane Surface(2) = {2};\n"
          "Physical Surface(\"one\") = {1}; Physical Surface(\"again\") = {1};\n"
          "Physical Curve(\"a\") = {1, 2}; Physical Curve(\"b\") = {2}; Physical Curve(\"inside\") = {3};\n"),
      0.0);
  const prc_mesh_group *one = prc_mesh_find(mesh, 2, "one"), *again = prc_mesh_find(mesh, 2, "again");
  char names[64];
  ck_assert_int_eq(one->n_cells, again->n_cells);
  ck_assert_int_lt(one->n_cells, mesh->n_cells);
  ck_assert_double_eq_tol(curve_length(mesh, "a"), 2.0, 1e-14);
  ck_assert_double_eq_tol(curve_length(mesh, "b"), 1.0, 1e-14);
  ck_assert_double_eq_tol(curve_length(mesh, "inside"), sqrt(2.0), 1e-14);
  expect_lower_of_two_cells(mesh, prc_mesh_find(mesh, 1, "inside"));
  prc_mesh_names(mesh, 1, names, sizeof names);
  ck_assert_str_eq(names, "a, b, inside");
  prc_mesh_names(mesh, 1, names, 6);
  ck_assert_str_eq(names, "a, b,");
  ck_assert_ptr_null(prc_mesh_find(mesh, 2, "a"));
  ck_assert_ptr_null(prc_mesh_find(mesh, 1, "c"));
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(elements_that_msh_22_repeats_for_each_group_count_once) {
  prc_mesh *mesh = read_mesh(with_text("check-mesh-repeats.msh",
                                       HEAD SQUARE CELLS("5\n1 1 2 1 1 1 2\n2 1 2 3 1 1 2\n3 2 2 2 1 1 2 3\n"
                                                         "4 2 2 5 1 1 2 3\n5 2 2 2 1 1 3 4\n")),
                             0.0);
  ck_assert_int_eq(mesh->n_cells, 2);
  ck_assert_int_eq(prc_mesh_find(mesh, 2, "physical-2")->n_cells, 2);
  ck_assert_double_eq_tol(curve_length(mesh, "physical-1"), 1.0, 1e-14);
  ck_assert_double_eq_tol(curve_length(mesh, "physical-3"), 1.0, 1e-14);
  ck_assert_ptr_nonnull(strstr(heard, "2 repeated elements"));
  prc_mesh_free(&mesh);
}
END_TEST

static const char empty_group[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"floor\"\n2 2 "
    "\"body\"\n$EndPhysicalNames\n"
    "$Entities\n0 1 1 0\n1 0 0 0 1 0 0 1 1 0 \n1 0 0 0 1 1 0 1 2 0 \n$EndEntities\n"
    "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
    "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n";

START_TEST(a_group_without_elements_is_kept) {
  prc_mesh *mesh = read_mesh(with_text("check-mesh-empty-group.msh", empty_group), 0.0);
  const prc_mesh_group *floor = prc_mesh_find(mesh, 1, "floor");
  ck_assert_ptr_nonnull(floor);
  ck_assert_int_eq(floor->n_cells + floor->n_nodes, 0);
  ck_assert_ptr_nonnull(strstr(heard, "\"floor\" has no elements"));
  prc_mesh_free(&mesh);
}
END_TEST

/* Two triangles side by side; the nodes of the seam between them lie up to 1e-11 apart. */
static const char seam[] =
    HEAD "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 1.00000000001 0 0\n5 2 0 0\n6 1 1 0\n$EndNodes\n" CELLS(
        "2\n1 2 2 2 1 1 2 3\n2 2 2 2 1 4 5 6\n");

START_TEST(coincident_nodes_are_refused_unless_wanted) {
  const char *path = with_text("check-mesh-seam.msh", seam);
  const prc_mesh_options options = {.allow_duplicate_nodes = 1};
  prc_mesh *mesh = NULL;
  refuses_path(path, 0.0, PRC_INPUT, "are at the same place (1, ");
  refuses_path(path, 0.0, PRC_INPUT, "mesh.allow_duplicate_nodes");
  forget();
  support_ok(prc_mesh_read(path, &options, NULL, &mesh, &err), &err);
  ck_assert_int_eq(mesh->n_nodes, 6);
  prc_mesh_free(&mesh);
}
END_TEST

/* Nodes of the two curves of a contact may be at the same places; those of other curves may not. */
START_TEST(nodes_of_curves_that_touch_may_coincide) {
  static const char text[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n1 1 \"one\"\n1 2 "
                             "\"other\"\n1 3 \"base\"\n2 4 \"all\"\n$EndPhysicalNames\n"
                             "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 1 0 0\n5 2 0 0\n6 1 1 0\n$EndNodes\n"
                             "$Elements\n5\n1 1 2 1 1 2 3\n2 1 2 2 1 4 6\n3 1 2 3 1 1 2\n4 2 2 4 1 1 2 3\n5 "
                             "2 2 4 2 4 5 6\n$EndElements\n";
  static const char *const touching[2] = {"one", "other"}, *const turned[2] = {"other", "one"},
                           *const wrong[2] = {"base", "other"}, *const none[2] = {"nobody", "other"};
  static const char *const *const all[] = {touching, turned, wrong, none};
  const char *path = with_text("check-mesh-touching.msh", text);
  for (int k = 0; k < 4; k++) {
    const prc_mesh_options options = {.n_seams = 1, .seam = (const char *const(*)[2])all[k]};
    prc_mesh *mesh = NULL;
    forget();
    if (k < 2) {
      support_ok(prc_mesh_read(path, &options, &ear, &mesh, &err), &err);
      ck_assert_int_eq(mesh->n_nodes, 6);
      ck_assert_ptr_nonnull(strstr(heard, "2 pairs of nodes are at the same places"));
    } else
      support_fails(prc_mesh_read(path, &options, &ear, &mesh, &err), PRC_INPUT, &err,
                    k == 2 ? "nodes 3 and 6 are at the same place" : "are at the same place");
    prc_mesh_free(&mesh);
  }
}
END_TEST

START_TEST(coincident_nodes_are_found_wherever_they_lie) {
  char text[512];
  prc_random random = {1};
  for (int k = 0; k < 20; k++) {
    const double x = prc_random_uniform(&random, 0.2, 0.8), y = prc_random_uniform(&random, 0.2, 0.8);
    const double dx = prc_random_uniform(&random, -5e-11, 5e-11),
                 dy = prc_random_uniform(&random, -5e-11, 5e-11);
    snprintf(
        text, sizeof text,
        HEAD
        "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 %.17g %.17g 0\n4 0 1 0\n5 %.17g %.17g 0\n6 1 1 0\n$EndNodes\n" CELLS(
            "2\n1 2 2 2 1 1 2 3\n2 2 2 2 1 4 5 6\n"),
        x, y, x + dx, y + dy);
    refuses("check-mesh-near.msh", text, "nodes 3 and 5 are at the same place");
  }
}
END_TEST

/* ---- what is refused ----------------------------------------------------------------------------------- */

static const struct {
  const char *text, *message;
} bad[] = {
    {HEAD NAMES SQUARE CELLS("2\n8 2 2 2 6 1 2 3\n9 2 2 2 6 1 4 3\n"),
     "surface 6 of \"body\": triangle 8 runs anticlockwise but triangle 9 clockwise"},
    {HEAD SQUARE CELLS("2\n1 2 2 2 1 1 2 3\n5 2 2 2 1 1 3 3\n"), "triangle 5 has a node twice"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n$EndNodes\n" CELLS(
         "2\n1 2 2 2 1 1 2 4\n6 2 2 2 1 1 2 3\n"),
     "triangle 6 has no area"},
    {HEAD SQUARE CELLS("2\n1 2 2 2 1 1 2 3\n3 3 2 2 2 1 2 3 4\n"),
     "triangles 1 and 3 overlap: both lie on the same side of nodes 1 and 2"},
    {HEAD SQUARE CELLS("1\n3 3 2 2 1 1 3 2 4\n"),
     "4-node quadrilateral 3 with the corners 1, 3, 2, ... has no area"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 3 0 0\n3 0.5 0.5 0\n4 0 3 0\n$EndNodes\n" CELLS("1\n3 3 2 2 1 1 2 3 4\n"),
     "4-node quadrilateral 3 with the corners 1, 2, 3, ... is folded: its Jacobian goes from -"},
    {HEAD SIX("0.2 0.2") CELLS("1\n4 9 2 2 1 1 2 3 4 5 6\n"),
     "6-node triangle 4 with the corners 1, 2, 3 is folded: its Jacobian goes from "},
    {HEAD NAMES SIX("1 1") CELLS("2\n1 1 2 1 1 1 2\n4 9 2 2 1 1 2 3 4 5 6\n"),
     "edge 1 between nodes 1 and 2 has no node halfway, but the side of 6-node triangle 4 has one"},
    {HEAD SIX("1 1") CELLS("2\n3 2 2 2 2 1 7 2\n4 9 2 2 1 1 2 3 4 5 6\n"),
     "6-node triangle 4 and triangle 3 share the side between nodes 1 and 2 but not one node halfway"},
    {HEAD SIX("1 1") CELLS("2\n3 2 2 2 1 1 7 2\n4 9 2 2 1 1 2 3 4 5 6\n"),
     "6-node triangle 4 and triangle 3 share the side between nodes 1 and 2 but not one node halfway"},
    {HEAD SIX("1 1") CELLS("1\n5 21 2 2 1 1 2 3 4 5 6 7 4 5 6\n"),
     "are not supported: 10-node triangles (first: element 5)"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n" CELLS(
         "2\n1 2 2 2 1 1 2 3\n7 4 2 3 1 1 2 3 4\n"),
     "are not supported: 4-node tetrahedra (first: element 7)"},
    {HEAD "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0.5\n$EndNodes\n" CELLS("1\n1 2 2 2 1 1 2 3\n"),
     "node 3 has z = 0.5"},
    {HEAD "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 nan 1 0\n$EndNodes\n" CELLS("1\n1 2 2 2 1 1 2 3\n"),
     "node 3 is at (nan"},
    {HEAD SQUARE CELLS("1\n1 1 2 1 1 1 2\n"), "there are no cells"},
    {HEAD NAMES SQUARE CELLS("2\n1 1 2 1 1 2 4\n2 2 2 2 1 1 2 3\n"),
     "group \"floor\": edge 1 between nodes 2 and 4 is not a side of any cell"},
    {HEAD SQUARE CELLS("2\n1 2 2 2 1 1 2 3\n2 2 2 2 2 1 2 4\n"), "triangles 1 and 2 overlap"},
    {HEAD "$PhysicalNames\n2\n1 1 \"side\"\n1 2 \"side\"\n$EndPhysicalNames\n" SQUARE CELLS(
         "3\n1 1 2 1 1 1 2\n2 1 2 2 2 2 3\n3 2 2 3 1 1 2 3\n"),
     "two physical curves have the name \"side\""},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"body\"\n2 2 "
     "\"body\"\n$EndPhysicalNames\n"
     "$Entities\n0 0 2 0\n1 0 0 0 1 1 0 1 1 0\n2 0 0 0 1 1 0 1 2 0\n$EndEntities\n"
     "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n"
     "$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n2 2 2 1\n2 1 3 4\n$EndElements\n",
     "two physical surfaces have the name \"body\""},
    {HEAD SQUARE CELLS("1\n1 2 2 2 1 1 2 8\n"), "element 1 uses node 8, which the file does not have"},
    {HEAD SQUARE "$Elements\n3\n1 2 2 2 1 1 2 3\n",
     "ends in element 2 of 3 of $Elements, expected a mesh that is complete"},
    {HEAD, "there are no cells"},
    {"$MeshFormat\n9.9 0 8\n$EndMeshFormat\n", "is a Gmsh mesh of version 9.9, expected 2.2 or 4.1"},
    {"hello, this is no mesh\n", "is not a Gmsh mesh"},
    {"", "is empty"},
    {"$Comments\nfirst\n$EndComments\n" HEAD SQUARE, "expected $MeshFormat in its first line"},
    {"$MeshFormat\nfour\n$EndMeshFormat\n", "the line after $MeshFormat is not understood"},
    {"$MeshFormat\n4.1 7 8\n$EndMeshFormat\n", "file type 7 and data size 8"},
    {"$MeshFormat\n4.1 1 4\n$EndMeshFormat\n", "file type 1 and data size 4"},
    {HEAD "$Nodes\n4000000000\n1 0 0 0\n$EndNodes\n", "$Nodes claims 4000000000 nodes"},
    {HEAD "$Nodes\n-1\n1 0 0 0\n$EndNodes\n", "$Nodes claims -1 nodes"},
    {HEAD "$Nodes\nmany\n1 0 0 0\n$EndNodes\n", "$Nodes has no number of nodes"},
    {HEAD SQUARE "$Elements\n1e300\n$EndElements\n", "claims 1e+300 elements"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n99999999 4 1 4\n$EndNodes\n",
     "$Nodes claims 99999999 blocks"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Elements\n1 99999999 1 4\n$EndElements\n",
     "$Elements claims 99999999 elements"},
    {"$MeshFormat\n4.1 1 8\n$EndMeshFormat\n$Nodes\nabc",
     "$MeshFormat has no 1 in binary behind its first line"},
};

START_TEST(a_bad_mesh_is_refused_with_its_reason) {
  char name[64];
  snprintf(name, sizeof name, "check-mesh-bad-%d.msh", _i);
  refuses(name, bad[_i].text, bad[_i].message);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_refused) {
  refuses_path(support_build("no-such-mesh.msh"), 0.0, PRC_IO, "No such file");
  refuses_path(support_build("no-such-mesh.geo"), 0.0, PRC_IO, "No such file");
  refuses_path(with_text("check-mesh.vtk", "# vtk\n"), 0.0, PRC_INPUT, "Gmsh says: Error loading");
  refuses_path(with_text("check-mesh-bare", "1 2\n"), 0.0, PRC_INPUT,
               "the file's name has no ending, expected .msh");
  refuses_path(with_text("check-mesh.xyz", "1 2\n"), 0.0, PRC_INPUT, "does not read it");
  refuses_path(with_text("check-mesh.unv", "1 2\n"), 0.0, PRC_INPUT,
               "Gmsh finds no triangles or quadrilaterals");
  refuses_path(with_text("check-mesh-empty.geo", ""), 0.0, PRC_INPUT, "is empty");
}
END_TEST

/* Gmsh runs NAME.opt as a program when it opens NAME. */
START_TEST(a_mesh_runs_no_program) {
  char trap[5000];
  snprintf(trap, sizeof trap, "SystemCall \"touch '%s'\";\n", support_build("check-mesh-trapped"));
  remove(support_build("check-mesh-trapped"));
  with_text("check-mesh-opt.msh.opt", trap);
  prc_mesh *mesh = read_mesh(with_text("check-mesh-opt.msh", HEAD SQUARE CELLS("1\n1 2 2 2 1 1 2 3\n")), 0.0);
  ck_assert_int_eq(mesh->n_cells, 1);
  prc_mesh_free(&mesh);
  ck_assert_int_ne(access(support_build("check-mesh-trapped"), F_OK), 0);
}
END_TEST

START_TEST(a_folder_is_refused) {
  const char *path = support_build("check-mesh-folder.msh");
  char command[5000];
  snprintf(command, sizeof command, "mkdir -p '%s'", path);
  ck_assert_int_eq(system(command), 0);
  refuses_path(path, 0.0, PRC_IO, "directory");
}
END_TEST

START_TEST(a_size_is_only_for_geometries) {
  const char *path = with_text("check-mesh-sized.msh", HEAD SQUARE CELLS("1\n1 2 2 2 1 1 2 3\n"));
  refuses_path(path, 2.0, PRC_INPUT, "mesh.size is only for .geo");
  refuses_path(support_source("meshes/block.geo"), -1.0, PRC_INPUT, "mesh.size is -1, expected a length > 0");
  refuses_path(support_source("meshes/block.geo"), (double)NAN, PRC_INPUT, "expected a length > 0");
}
END_TEST

static const char undeclared[] =
    "size = 1; Point(1) = {0, 0, 0, size}; Point(2) = {1, 0, 0, size}; Point(3) = {0, 1, 0, size};\n"
    "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 1}; Curve Loop(1) = {1, 2, 3}; Plane Surface(1) = "
    "{1};\n";

START_TEST(a_size_that_the_geometry_does_not_declare_is_refused) {
  const char *path = with_text("check-mesh-undeclared.geo", undeclared);
  prc_mesh *block = read_block(5.0); /* which does declare it */
  refuses_path(path, 2.0, PRC_INPUT, "DefineConstant[ size = {1, Name \"size\"} ];");
  prc_mesh *mesh = read_mesh(path, 0.0);
  ck_assert_int_eq(mesh->n_groups, 0);
  prc_mesh_free(&mesh);
  prc_mesh_free(&block);
}
END_TEST

START_TEST(a_geometry_that_cannot_be_meshed_is_refused) { /* Gmsh alone would abort the program */
  refuses("check-mesh-open.geo",
          "Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Line(1) = {1, 2}; Curve Loop(1) = {1}; Plane "
          "Surface(1) = {1};\n",
          "Gmsh says: The 1D mesh seems not to be forming a closed loop");
  refuses("check-mesh-no-surface.geo", "Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Line(1) = {1, 2};\n",
          "there are no cells");
}
END_TEST

START_TEST(a_syntax_error_is_named_with_its_line_and_leaves_the_next_file_readable) {
  refuses("check-mesh-syntax.geo", "Point(1) = {0, 0, 0};\nfoo bar\n", "line 2: Unknown variable 'bar'");
  refuses("check-mesh-syntax.geo", "Point(1) = {0, 0, 0};\n\nLine(1 = {0, 0, 0};\n", "line 3: syntax error");
  refuses("check-mesh-syntax.geo", "Point(1) = {0, 0, 0", "syntax error");
  prc_mesh *mesh = read_block(0.0);
  ck_assert_int_eq(mesh->n_nodes, 1227);
  prc_mesh_free(&mesh);
}
END_TEST

/* ---- arrays -------------------------------------------------------------------------------------------- */

/* A square and two triangles beside it, a side of two edges, and a group of two lists. */
static const double places[] = {0.0, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0};
static const int square[] = {0, 1, 4, 3}, triangles[] = {1, 2, 5, 1, 5, 4}, floor_[] = {0, 1, 1, 2};

START_TEST(a_mesh_of_arrays_is_what_they_say) {
  const prc_mesh_list list[] = {{"plate", 3, 1, square}, {"floor", 1, 2, floor_}, {"plate", 2, 2, triangles}};
  const prc_mesh_arrays arrays = {.n_nodes = 6, .n_lists = 3, .x = places, .list = list};
  prc_mesh *mesh = NULL;
  forget();
  support_ok(prc_mesh_create(&arrays, &ear, &mesh, &err), &err);
  ck_assert_int_eq(mesh->n_nodes, 6);
  for (int i = 0; i < 12; i++) ck_assert_double_eq(mesh->x[i], places[i]); /* nodes keep their numbers */
  ck_assert_int_eq(mesh->n_cells, 3);
  double area = 0.0;
  for (int c = 0; c < 3; c++) area += prc_mesh_area(mesh, c);
  ck_assert_double_eq_tol(area, 2.0, 1e-15);
  const prc_mesh_group *plate = prc_mesh_find(mesh, 2, "plate"), *side = prc_mesh_find(mesh, 1, "floor");
  ck_assert_int_eq(mesh->n_groups, 2);
  ck_assert_int_eq(plate->n_cells, 3);
  ck_assert_int_eq(side->n_cells, 2);
  ck_assert_int_eq(side->n_nodes, 3);
  prc_mesh_free(&mesh);
  /* one that is clockwise throughout is turned */
  static const int turned[] = {3, 4, 1, 0};
  const prc_mesh_list other = {"plate", 3, 1, turned};
  support_ok(prc_mesh_create(&(prc_mesh_arrays){.n_nodes = 6, .n_lists = 1, .x = places, .list = &other},
                             &ear, &mesh, &err),
             &err);
  ck_assert_int_eq(mesh->n_turned, 1);
  ck_assert_int_eq(mesh->n_unused, 2);
  ck_assert_double_eq_tol(prc_mesh_area(mesh, 0), 1.0, 1e-15);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(arrays_that_are_no_mesh_are_refused_by_their_place) {
  static const int beyond[] = {0, 1, 6, 3};
  static const double wrong[] = {0.0, 0.0, 1.0, NAN, 2.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0};
  const struct {
    const double *x;
    int n_nodes;
    prc_mesh_list list;
    const char *says;
  } row[] = {{places, 6, {"plate", 3, 1, beyond}, "'plate': node 2 of element 0 is 6, expected 0 to 5"},
             {wrong, 6, {"plate", 3, 1, square}, "node 1: y is nan"},
             {places, 6, {"plate", 5, 1, square}, "'plate' has elements of Gmsh's type 5"},
             {places, 6, {"", 3, 1, square}, "has no name"},
             {places, 6, {"plate", 3, -1, square}, "'plate' has -1 elements"},
             {places, 0, {"plate", 3, 1, square}, "needs nodes"},
             {places, 6, {"plate", 3, 0, NULL}, ""}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    const prc_mesh_arrays arrays = {
        .n_nodes = row[k].n_nodes, .n_lists = 1, .x = row[k].x, .list = &row[k].list};
    prc_mesh *mesh = NULL;
    forget();
    ck_assert_int_eq(prc_mesh_create(&arrays, &ear, &mesh, &err), PRC_INPUT);
    ck_assert_msg(strstr(err.message, row[k].says) && *err.message, "'%s', expected '%s'", err.message,
                  row[k].says);
    ck_assert_ptr_null(mesh);
  }
}
END_TEST

SUITE(mesh) {
  Suite *suite = suite_create("mesh");
  TCase *block = tcase_create("block"), *small = tcase_create("small"), *refused = tcase_create("refused");
  tcase_add_test(block, the_block_at_size_1_has_1227_nodes_and_2322_triangles);
  tcase_add_test(block, the_triangles_of_the_block_cover_its_area);
  tcase_add_test(block, the_edges_of_the_block_have_the_body_on_their_left);
  tcase_add_test(block, numbers_ascend);
  tcase_add_test(block, the_size_is_the_cases_choice);
  tcase_add_test(block, the_size_of_one_reading_does_not_reach_the_next);
  tcase_add_test(block, reading_twice_gives_the_same_mesh);
  tcase_add_loop_test(block, every_format_gives_the_mesh_of_the_geometry, 0,
                      sizeof formats / sizeof *formats);
  tcase_add_test(small, nodes_may_be_unsorted_and_numbered_with_holes);
  tcase_add_test(small, clockwise_triangles_are_turned);
  tcase_add_test(small, surfaces_may_run_in_different_senses);
  tcase_add_test(small, unused_nodes_stay_and_are_reported);
  tcase_add_test(small, a_triangle_may_be_in_several_groups_or_none);
  tcase_add_test(small, elements_that_msh_22_repeats_for_each_group_count_once);
  tcase_add_test(small, a_group_without_elements_is_kept);
  tcase_add_test(small, coincident_nodes_are_refused_unless_wanted);
  tcase_add_test(small, coincident_nodes_are_found_wherever_they_lie);
  tcase_add_test(small, nodes_of_curves_that_touch_may_coincide);
  tcase_add_loop_test(refused, a_bad_mesh_is_refused_with_its_reason, 0, sizeof bad / sizeof *bad);
  tcase_add_test(refused, a_file_that_cannot_be_read_is_refused);
  tcase_add_test(refused, a_folder_is_refused);
  tcase_add_test(refused, a_mesh_runs_no_program);
  tcase_add_test(refused, a_size_is_only_for_geometries);
  tcase_add_test(refused, a_mesh_of_arrays_is_what_they_say);
  tcase_add_test(refused, arrays_that_are_no_mesh_are_refused_by_their_place);
  tcase_add_test(refused, a_size_that_the_geometry_does_not_declare_is_refused);
  tcase_add_test(refused, a_geometry_that_cannot_be_meshed_is_refused);
  tcase_add_test(refused, a_syntax_error_is_named_with_its_line_and_leaves_the_next_file_readable);
  suite_add_tcase(suite, block);
  suite_add_tcase(suite, small);
  suite_add_tcase(suite, refused);
  return suite;
}

#include "config.h"
#include "support/allocator.h"
#include "support/path.h"
#include "support/plate.h"
#include "support/support.h"
#include "mesh/internal.h"

#include <math.h>
#include <string.h>

/* Meshes that are split along curves, and joined. Squares of 8 x 8 cells of all elements, with curves along the lines of the grid. */

static const int types[] = {2, 9, 3, 16, 10, PLATE_LINEAR_MIX, PLATE_QUADRATIC_MIX};
enum { TYPES = sizeof types / sizeof *types };

static prc_error err;

/* ---- what holds of every mesh ---------------------------------------------------------------------------- */

static void has_edge(const prc_mesh *mesh, int k) {
  const int c = mesh->edge_cell[k], *node = mesh->cell + mesh->cell_start[c];
  const prc_element *e = mesh->cell_element[c];
  int found = 0;
  for (int a = 0; a < e->n_corners; a++) {
    if (node[a] != mesh->edge[2 * k] || node[(a + 1) % e->n_corners] != mesh->edge[2 * k + 1]) continue;
    ck_assert_int_eq(mesh->edge_middle[k], e->quadratic ? node[e->n_corners + a] : -1);
    found++;
  }
  ck_assert_int_eq(found, 1);
}

static void has_nodes(const prc_mesh *mesh, const prc_mesh_group *group) {
  char *is = NULL;
  int n = 0;
  support_ok(prc_new(&is, mesh->n_nodes, &err), &err);
  for (int k = 0; k < group->n_cells; k++) {
    const int c = group->cell[k];
    if (group->dim == 1) {
      is[mesh->edge[2 * c]] = is[mesh->edge[2 * c + 1]] = 1;
      if (mesh->edge_middle[c] >= 0) is[mesh->edge_middle[c]] = 1;
    } else
      for (int i = mesh->cell_start[c]; i < mesh->cell_start[c + 1]; i++) is[mesh->cell[i]] = 1;
  }
  for (int i = 0; i < mesh->n_nodes; i++) {
    if (!is[i]) continue;
    ck_assert_int_lt(n, group->n_nodes);
    ck_assert_int_eq(group->node[n++], i);
  }
  ck_assert_int_eq(n, group->n_nodes);
  prc_delete(&is);
}

static void is_sound(const prc_mesh *mesh, double area) {
  prc_mesh_side *sides = NULL;
  size_t n;
  double sum = 0.0;
  support_ok(prc_mesh_list_sides(mesh, &sides, &n, &err), &err); /* neighbours agree on what they share */
  prc_delete(&sides);
  for (int c = 0; c < mesh->n_cells; c++) {
    const int *node = mesh->cell + mesh->cell_start[c];
    for (int a = 1; a < mesh->cell_element[c]->n_corners; a++) ck_assert_int_lt(node[0], node[a]);
    ck_assert_double_gt(prc_mesh_area(mesh, c), 0.0);
    sum += prc_mesh_area(mesh, c);
  }
  ck_assert_double_eq_tol(sum, area, 1e-12 * area);
  for (int k = 0; k < mesh->n_edges; k++) has_edge(mesh, k);
  for (int g = 0; g < mesh->n_groups; g++) has_nodes(mesh, &mesh->group[g]);
  for (int i = 0; i < mesh->n_nodes; i++)
    for (int j = 0; j < i; j++) ck_assert(mesh->tag[i] != mesh->tag[j]);
  for (int i = 0; i < mesh->n_nodes && mesh->twin; i++) {
    const int j = mesh->twin[i];
    if (j < 0) continue;
    ck_assert_int_eq(mesh->twin[j], i);
    ck_assert(mesh->x[2 * i] == mesh->x[2 * j] && mesh->x[2 * i + 1] == mesh->x[2 * j + 1]);
  }
}

static int count_bodies(const prc_mesh *mesh) {
  int *body = NULL, n = 0;
  support_ok(prc_new(&body, mesh->n_nodes, &err), &err);
  prc_mesh_bodies(mesh, body);
  for (int i = 0; i < mesh->n_nodes; i++) n += body[i] == i;
  prc_delete(&body);
  return n;
}

/* The sum of the outward normals times lengths of a side: where its body is not. */
static void facing_of(const prc_mesh *mesh, const char *name, double out[2]) {
  const prc_mesh_group *group = prc_mesh_find(mesh, 1, name);
  out[0] = out[1] = 0.0;
  ck_assert_ptr_nonnull(group);
  for (int k = 0; k < group->n_cells; k++) {
    prc_mesh_edge_point point[PRC_MESH_EDGE_POINTS];
    ck_assert_int_eq(mesh->edge_beyond[group->cell[k]], -1);
    for (int i = 0, n = prc_mesh_edge_points(mesh, group->cell[k], point); i < n; i++)
      for (int d = 0; d < 2; d++) out[d] += point[i].length * point[i].normal[d];
  }
}

static int count_shared(const prc_mesh *mesh, const char *one, const char *other) {
  const prc_mesh_group *a = prc_mesh_find(mesh, 1, one), *b = prc_mesh_find(mesh, 1, other);
  int n = 0;
  for (int i = 0; i < a->n_nodes; i++)
    for (int j = 0; j < b->n_nodes; j++) n += a->node[i] == b->node[j];
  return n;
}

/* ---- splits ---------------------------------------------------------------------------------------------- */

/* right: the way out of the body on its right, times the length, summed; shared: nodes that are not split. */
static const struct {
  path path;
  int bodies, shared;
  double right[2];
} splits[] = {
    {{"f", 0, 4, "RRRRRRRR"}, 2, 0, {0.0, 1.0}},            /* across: the right is below */
    {{"f", 8, 4, "LLLLLLLL"}, 2, 0, {0.0, 1.0}},            /* however it is listed */
    {{"f", 4, 0, "UUUUUUUU"}, 2, 0, {-1.0, 0.0}},           /* upwards: its right is at larger x */
    {{"f", 4, 8, "DDDDDDDD"}, 2, 0, {-1.0, 0.0}},           /* */
    {{"f", 2, 3, "RRRR"}, 1, 2, {0.0, 0.5}},                /* both ends inside */
    {{"f", 3, 3, "R"}, 1, 2, {0.0, 0.125}},                 /* a single side: nothing that could come apart */
    {{"f", 3, 3, "RR"}, 1, 2, {0.0, 0.25}},                 /* one node between its ends */
    {{"f", 0, 5, "RRRR"}, 1, 1, {0.0, 0.5}},                /* one end at the boundary */
    {{"f", 8, 5, "LL"}, 1, 1, {0.0, 0.25}},                 /* */
    {{"f", 1, 1, "RRUURRUURR"}, 1, 2, {-0.5, 0.75}},        /* corners */
    {{"f", 1, 0, "URURURURURURUR"}, 2, 0, {-0.875, 0.875}}, /* steps */
    {{"f", 1, 6, "RRDDDDLL"}, 1, 2, {-0.5, 0.0}},           /* ends over each other: from the lower one */
    {{"f", 2, 2, "RRRRUUUULLLLDDDD"}, 2, 0, {0.0, 0.0}},    /* a loop: its inside is on the left */
    {{"f", 2, 2, "UUUURRRRDDDDLLLL"}, 2, 0, {0.0, 0.0}},    /* either way round */
};

START_TEST(a_curve_inside_becomes_two_sides) {
  const path *p = &splits[_i / TYPES].path;
  const int type = types[_i % TYPES], single = strlen(p->steps) == 1;
  prc_mesh *mesh = path_on(type, p);
  const int n_nodes = mesh->n_nodes, n_groups = mesh->n_groups, length = (int)strlen(p->steps);
  double right[2], left[2];
  const int on_curve = prc_mesh_find(mesh, 1, "f")->n_nodes;
  if (single) {
    support_fails(prc_mesh_split(mesh, "f", &err), PRC_INPUT, &err,
                  "'f' is one side between two ends inside the body");
    prc_mesh_free(&mesh);
    return;
  }
  support_ok(prc_mesh_split(mesh, "f", &err), &err);
  is_sound(mesh, 1.0);
  ck_assert_int_eq(mesh->n_nodes, n_nodes + on_curve - splits[_i / TYPES].shared);
  ck_assert_int_eq(count_bodies(mesh), splits[_i / TYPES].bodies);
  ck_assert_int_eq(count_shared(mesh, "f.right", "f.left"), splits[_i / TYPES].shared);
  ck_assert_int_eq(mesh->n_groups, n_groups + 1);
  ck_assert_ptr_null(prc_mesh_find(mesh, 1, "f"));
  ck_assert_int_eq(prc_mesh_find(mesh, 1, "f.left")->n_cells, length);
  ck_assert_ptr_eq(prc_mesh_find(mesh, 1, "f.right") + 1, prc_mesh_find(mesh, 1, "f.left"));
  facing_of(mesh, "f.right", right), facing_of(mesh, "f.left", left);
  for (int d = 0; d < 2; d++) {
    ck_assert_double_eq_tol(right[d], splits[_i / TYPES].right[d], 1e-12);
    ck_assert_double_eq_tol(left[d], -splits[_i / TYPES].right[d], 1e-12);
  }
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(the_left_of_a_loop_is_inside) {
  const path loop = {"f", 2, 2, "UUUURRRRDDDDLLLL"};
  prc_mesh *mesh = path_on(types[_i], &loop);
  support_ok(prc_mesh_split(mesh, "f", &err), &err);
  const prc_mesh_group *left = prc_mesh_find(mesh, 1, "f.left");
  double area2 = 0.0;
  for (int k = 0; k < left->n_cells; k++) {
    const double *p = mesh->x + 2 * mesh->edge[2 * left->cell[k]],
                 *q = mesh->x + 2 * mesh->edge[2 * left->cell[k] + 1];
    const double centre[2] = {0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])};
    area2 += p[0] * q[1] - q[0] * p[1];
    ck_assert(centre[0] > 0.2 && centre[0] < 0.8);
  }
  ck_assert_double_eq_tol(area2, 2.0 * 0.25, 1e-12); /* anticlockwise: the body is inside */
  prc_mesh_free(&mesh);
}
END_TEST

/* The sides depend on where the curve lies, not on how the mesh lists it: turned by more than half a circle they change. */
START_TEST(a_turned_curve_is_walked_from_its_smaller_x) {
  const path line = {"f", 0, 4, "RRRRRRRR"};
  const double turn = 0.3 + 0.5 * _i, c = cos(turn), s = sin(turn), sign = c > 0.0 ? 1.0 : -1.0;
  double right[2];
  prc_mesh *mesh = path_on(9, &line);
  for (int i = 0; i < mesh->n_nodes; i++) {
    const double x = mesh->x[2 * i], y = mesh->x[2 * i + 1];
    mesh->x[2 * i] = c * x - s * y, mesh->x[2 * i + 1] = s * x + c * y;
  }
  support_ok(prc_mesh_split(mesh, "f", &err), &err);
  facing_of(mesh, "f.right", right);
  ck_assert_double_eq_tol(right[0], -sign * s, 1e-12);
  ck_assert_double_eq_tol(right[1], sign * c, 1e-12);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(curves_that_do_not_meet_are_split_one_after_the_other) {
  const path one = {"one", 1, 2, "RRRR"}, other = {"other", 8, 6, "LLLLL"};
  prc_mesh *mesh = path_on(types[_i], &one);
  path_add(mesh, &other);
  support_ok(prc_mesh_split(mesh, "one", &err), &err);
  support_ok(prc_mesh_split(mesh, "other", &err), &err);
  is_sound(mesh, 1.0);
  ck_assert_int_eq(count_shared(mesh, "one.right", "one.left"), 2);
  ck_assert_int_eq(count_shared(mesh, "other.right", "other.left"), 1);
  prc_mesh_free(&mesh);
}
END_TEST

/* Two pieces of one name are walked each. */
START_TEST(a_curve_may_have_pieces) {
  const path one = {"f", 1, 2, "RRRR"};
  double right[2];
  prc_mesh *mesh = path_on(types[_i], &one);
  prc_mesh_group *group = &mesh->group[mesh->n_groups - 1];
  for (int k = 6; k > 2; k--)
    path_add_side(mesh, group, path_node(mesh, k / 8.0, 0.75), path_node(mesh, (k - 1) / 8.0, 0.75));
  support_ok(prc_mesh_split(mesh, "f", &err), &err);
  is_sound(mesh, 1.0);
  facing_of(mesh, "f.right", right);
  ck_assert(fabs(right[0]) < 1e-12 && fabs(right[1] - 1.0) < 1e-12);
  prc_mesh_free(&mesh);
}
END_TEST

static const struct {
  path path;
  const char *message;
} bad[] = {
    {{"f", 0, 0, "RRRRRRRR"}, "the curve 'f' runs along the boundary at node"},
    {{"f", 6, 3, "RRU"}, "the curve 'f' runs along the boundary at node"},
    {{"f", 1, 1, "RRRRLUULDD"}, "the curve 'f' branches or meets itself at node"},
    {{"f", 4, 2, "RRUULLDDDD"}, "the curve 'f' branches or meets itself at node"},
    {{"g", 1, 1, "RR"}, "the mesh has no physical curve 'f' with elements, expected one to be split"},
};

START_TEST(other_curves_are_refused) {
  prc_mesh *mesh = path_on(types[_i % TYPES], &bad[_i / TYPES].path);
  const int n = mesh->n_nodes;
  support_fails(prc_mesh_split(mesh, "f", &err), PRC_INPUT, &err, bad[_i / TYPES].message);
  ck_assert_int_eq(mesh->n_nodes, n);
  is_sound(mesh, 1.0);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(curves_that_meet_another_are_refused) {
  const path one = {"one", 1, 4, "RRRRRR"}, crossing = {"f", 4, 1, "UUUUUU"}, ending = {"f", 4, 1, "UUU"},
             sharing = {"f", 3, 3, "URR"};
  const path *const second[] = {&crossing, &ending, &sharing};
  prc_mesh *mesh = path_on(types[_i % TYPES], &one);
  path_add(mesh, second[_i / TYPES]);
  if (second[_i / TYPES] != &sharing) {
    support_ok(prc_mesh_split(mesh, "one", &err), &err);
    support_fails(prc_mesh_split(mesh, "f", &err), PRC_INPUT, &err,
                  "the curve 'f' meets another that was split at");
  } else
    support_fails(prc_mesh_split(mesh, "one", &err), PRC_INPUT, &err,
                  "the curve 'one' that is to be split and the curve 'f' share the side");
  prc_mesh_free(&mesh);
}
END_TEST

/* With its middle at the boundary it would leave the one side in two pieces. */
START_TEST(a_curve_that_touches_the_boundary_is_refused) {
  const path v = {"f", 2, 2, "LLAR"};
  prc_mesh *mesh = path_on(_i ? 9 : 2, &v);
  support_fails(prc_mesh_split(mesh, "f", &err), PRC_INPUT, &err,
                "the curve 'f' touches the boundary otherwise than with an end at node");
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(names_of_sides_must_be_free) {
  const path f = {"f", 1, 4, "RRRRRR"}, left = {"f.left", 1, 6, "RR"};
  prc_mesh *mesh = path_on(2, &f);
  path_add(mesh, &left);
  support_fails(prc_mesh_split(mesh, "f", &err), PRC_INPUT, &err,
                "the mesh has a physical curve 'f.left' already, expected the name to be free");
  prc_mesh_free(&mesh);
}
END_TEST

/* ---- joins ----------------------------------------------------------------------------------------------- */

static void shift(prc_mesh *mesh, double by) {
  for (int i = 0; i < mesh->n_nodes; i++) mesh->x[2 * i] += by;
  mesh->low[0] += by, mesh->high[0] += by;
}

START_TEST(joined_meshes_stay_apart) {
  const path f = {"f", 2, 4, "RRRR"}, of_second = {"own", 0, 4, "RRRR"};
  prc_mesh *part[3] = {path_on(types[_i], &f), path_square(types[(_i + 3) % TYPES]),
                       path_on(types[_i], &of_second)};
  prc_mesh *mesh = NULL;
  int nodes = 0, cells = 0, edges = 0;
  shift(part[1], 1.0), shift(part[2], 3.0);
  for (int i = 0; i < 3; i++) nodes += part[i]->n_nodes, cells += part[i]->n_cells, edges += part[i]->n_edges;
  support_ok(prc_mesh_join(3, part, &mesh, &err), &err);
  for (int i = 0; i < 3; i++) ck_assert_ptr_null(part[i]);
  ck_assert(mesh->n_nodes == nodes && mesh->n_cells == cells && mesh->n_edges == edges);
  ck_assert_int_eq(mesh->n_groups, 5 + 2); /* those of one name are one */
  is_sound(mesh, 3.0);
  ck_assert_int_eq(count_bodies(mesh), 3);
  ck_assert(mesh->low[0] == 0.0 && mesh->high[0] == 4.0 && mesh->low[1] == 0.0 && mesh->high[1] == 1.0);
  ck_assert_int_eq(prc_mesh_find(mesh, 1, "bottom")->n_cells, 3 * PATH_SIDE);
  ck_assert_int_eq(prc_mesh_find(mesh, 2, "plate")->n_cells, cells);
  support_ok(prc_mesh_split(mesh, "own", &err), &err);
  support_ok(prc_mesh_split(mesh, "f", &err), &err);
  is_sound(mesh, 3.0);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(one_mesh_joined_is_itself) {
  prc_mesh *part = path_square(types[_i]), *same = path_square(types[_i]), *mesh = NULL;
  support_ok(prc_mesh_join(1, &part, &mesh, &err), &err);
  ck_assert_int_eq(mesh->n_nodes, same->n_nodes);
  ck_assert_mem_eq(mesh->x, same->x, 2 * (size_t)same->n_nodes * sizeof *same->x);
  ck_assert_mem_eq(mesh->tag, same->tag, (size_t)same->n_nodes * sizeof *same->tag);
  ck_assert_mem_eq(mesh->cell, same->cell, (size_t)same->cell_start[same->n_cells] * sizeof *same->cell);
  ck_assert_mem_eq(mesh->edge, same->edge, 2 * (size_t)same->n_edges * sizeof *same->edge);
  ck_assert_int_eq(mesh->n_groups, same->n_groups);
  prc_mesh_free(&mesh), prc_mesh_free(&same);
}
END_TEST

/* ---- carried to another mesh ------------------------------------------------------------------------------ */

/* A field that is linear on each side of the line y = 1/2 of the turned square, with a jump across it. */
static void two_sides(const prc_mesh *mesh, const double *y, double *v) {
  for (int i = 0; i < mesh->n_nodes; i++) v[2 * i] = v[2 * i + 1] = NAN;
  for (int c = 0; c < mesh->n_cells; c++) {
    const int *node = mesh->cell + mesh->cell_start[c], n = mesh->cell_element[c]->n_nodes;
    double middle = 0.0;
    for (int a = 0; a < n; a++) middle += y[node[a]] / n;
    const double side = middle > 0.5 ? 1.0 : -1.0;
    for (int a = 0; a < n; a++) {
      const double *x = mesh->x + 2 * node[a];
      v[2 * node[a]] = side * (3.0 + x[0] - 2.0 * x[1]), v[2 * node[a] + 1] = side * (5.0 - x[0]);
    }
  }
}

/* Nodes are slid along the line by `slid`, and all is turned; y: before that. */
static prc_mesh *parted(int type, double slid, double *y, double *v) {
  const path line = {"f", 0, 4, "RRRRRRRR"};
  const double c = cos(0.7), s = sin(0.7);
  prc_mesh *mesh = path_on(type, &line);
  support_ok(prc_mesh_split(mesh, "f", &err), &err);
  for (int i = 0; i < mesh->n_nodes; i++) {
    double *at = mesh->x + 2 * i;
    const double x = at[0] + slid * at[0] * (1.0 - at[0]);
    y[i] = at[1];
    at[0] = c * x - s * y[i], at[1] = s * x + c * y[i];
  }
  for (int d = 0; d < 2; d++) mesh->low[d] = -1.0, mesh->high[d] = 2.0;
  two_sides(mesh, y, v);
  return mesh;
}

START_TEST(what_is_carried_to_another_mesh_keeps_to_its_side_of_a_split) {
  enum { NODES = 1000 };
  double y[NODES], v[2 * NODES], y_to[NODES], wanted[2 * NODES], got[2 * NODES];
  for (int k = 2; k <= 13; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      prc_mesh *from = parted(types[_i], 0.0, y, v),
               *to = parted(types[_i], sign * 3.0 * pow(10.0, -k), y_to, wanted);
      prc_mesh_carried facts;
      ck_assert_int_le(to->n_nodes, NODES);
      support_ok(
          prc_mesh_carry(from, to, 1, (const double *const[]){v}, (double *const[]){got}, &facts, &err),
          &err);
      for (int i = 0; i < 2 * to->n_nodes; i++)
        ck_assert_msg(fabs(got[i] - wanted[i]) < 1e-7, "slid by %d 3e-%d: component %d is %g, not %g", sign,
                      k, i, got[i], wanted[i]);
      prc_mesh_free(&from), prc_mesh_free(&to);
    }
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------------------- */

START_TEST(failed_allocations_are_told) {
  const path f = {"f", 0, 4, "RRRRRRRR"};
  int failed = 1;
  for (int k = 1; failed; k++) {
    prc_mesh *part[2] = {path_on(9, &f), path_square(3)}, *mesh = NULL;
    prc_error_clear(&err);
    support_watch(k);
    prc_status status = prc_mesh_join(2, part, &mesh, &err);
    if (status == PRC_OK) status = prc_mesh_split(mesh, "f", &err);
    support_look_away();
    failed = support_allocator.calls >= k;
    ck_assert_int_eq(status, failed ? PRC_NOMEM : PRC_OK);
    for (int i = 0; i < 2; i++) prc_mesh_free(&part[i]);
    prc_mesh_free(&mesh);
  }
}
END_TEST

SUITE(mesh_split) {
  Suite *suite = suite_create("mesh_split");
  TCase *tc = tcase_create("mesh_split");
  tcase_set_timeout(tc, 60.0);
  tcase_add_loop_test(tc, a_curve_inside_becomes_two_sides, 0, TYPES * (int)(sizeof splits / sizeof *splits));
  tcase_add_loop_test(tc, the_left_of_a_loop_is_inside, 0, TYPES);
  tcase_add_loop_test(tc, a_turned_curve_is_walked_from_its_smaller_x, 0, 13);
  tcase_add_loop_test(tc, curves_that_do_not_meet_are_split_one_after_the_other, 0, TYPES);
  tcase_add_loop_test(tc, a_curve_may_have_pieces, 0, TYPES);
  tcase_add_loop_test(tc, other_curves_are_refused, 0, TYPES * (int)(sizeof bad / sizeof *bad));
  tcase_add_loop_test(tc, curves_that_meet_another_are_refused, 0, 3 * TYPES);
  tcase_add_loop_test(tc, a_curve_that_touches_the_boundary_is_refused, 0, 2);
  tcase_add_test(tc, names_of_sides_must_be_free);
  tcase_add_loop_test(tc, joined_meshes_stay_apart, 0, TYPES);
  tcase_add_loop_test(tc, one_mesh_joined_is_itself, 0, TYPES);
  tcase_add_loop_test(tc, what_is_carried_to_another_mesh_keeps_to_its_side_of_a_split, 0, TYPES);
  tcase_add_test(tc, failed_allocations_are_told);
  suite_add_tcase(suite, tc);
  return suite;
}

#include "config.h"
#include "support/support.h"
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is said of many grains, against closed forms: rows, lattices, columns, uniform shear; areas against sums over fine strips. */

static prc_error err;
static const double pi = 3.14159265358979323846;

/* ---- grains by hand ------------------------------------------------------------------------------------ */

enum { MOST = 600, MOST_CONTACTS = 2000 };
static double q[3 * MOST], v[3 * MOST], disc_corner[2];
static prc_measure_body body[MOST];
static prc_shape disc;
static prc_measure_contact contact[MOST_CONTACTS];
static int n_contacts;

static prc_measure_grains none(double radius) {
  disc =
      (prc_shape){.n = 1, .corner = disc_corner, .radius = radius, .length = 2.0 * radius, .extent = radius};
  n_contacts = 0;
  return (prc_measure_grains){.q = q, .v = v, .body = body, .n_groups = 1};
}

static void add(prc_measure_grains *grains, double x, double y) {
  const int b = grains->n++;
  q[3 * b] = x, q[3 * b + 1] = y, q[3 * b + 2] = 0.3 * b;
  v[3 * b] = v[3 * b + 1] = v[3 * b + 2] = 0.0;
  body[b] = (prc_measure_body){.mass = 2.0, .inertia = 0.5, .n_parts = 1, .part = &disc};
}

/* b touches what is at the place, along its radius; a < 0 is fixed and has no arm. */
static void touch(int a, int b, double x, double y, double force) {
  prc_measure_contact *c = &contact[n_contacts++];
  double n[2] = {q[3 * b] - x, q[3 * b + 1] - y};
  const double length = hypot(n[0], n[1]);
  *c = (prc_measure_contact){.body = {a, b}, .normal = force};
  for (int k = 0; k < 2; k++) {
    c->force[k] = force * n[k] / length;
    c->arm[1][k] = (k ? y : x) - q[3 * b + k];
    c->arm[0][k] = a < 0 ? 0.0 : (k ? y : x) - q[3 * a + k];
  }
}

static prc_measure_grid grid_of(double nx, double ny, double from, double to, int n, double left,
                                double right, int across) {
  return (prc_measure_grid){{nx, ny}, {from, left}, {to, right}, {n, across}};
}

/* ---- areas --------------------------------------------------------------------------------------------- */

/* The length of { t <= d } of a convex hull with a radius at one s, by halving: the hull's distance decides. */
static double distance(const prc_shape *shape, const double x[2]) {
  double least = INFINITY;
  int inside = shape->n > 2;
  for (int k = 0; k < shape->n; k++) {
    const double *a = shape->corner + 2 * k, *b = shape->corner + 2 * ((k + 1) % shape->n);
    const double e[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {x[0] - a[0], x[1] - a[1]};
    const double l2 = e[0] * e[0] + e[1] * e[1];
    const double along = l2 > 0.0 ? fmin(fmax((e[0] * r[0] + e[1] * r[1]) / l2, 0.0), 1.0) : 0.0;
    least = fmin(least, hypot(r[0] - along * e[0], r[1] - along * e[1]));
    inside &= e[0] * r[1] - e[1] * r[0] >= 0.0;
  }
  return inside ? 0.0 : least;
}

/* Counts points of a fine lattice. */
static double area_by_counting(const prc_shape *shape, const prc_pose *pose, const double n[2], double s,
                               double d) {
  enum { FINE = 700 };
  const double side = 2.0 * shape->extent / FINE;
  int count = 0;
  for (int i = 0; i < FINE; i++)
    for (int j = 0; j < FINE; j++) {
      const double r[2] = {(i + 0.5) * side - shape->extent, (j + 0.5) * side - shape->extent};
      const double x[2] = {pose->x[0] + pose->c * r[0] - pose->s * r[1],
                           pose->x[1] + pose->s * r[0] + pose->c * r[1]};
      if (n[0] * x[0] + n[1] * x[1] > s || n[1] * x[0] - n[0] * x[1] > d) continue;
      count += distance(shape, r) <= shape->radius;
    }
  return count * side * side;
}

static double corners[] = {-1.0, -0.5, 0.8, -0.9, 1.2, 0.1, 0.3, 1.1, -0.7, 0.6};

START_TEST(areas_are_those_that_counting_finds) {
  static const int n[] = {1, 2, 3, 5, 5, 4};
  static const double radius[] = {0.8, 0.3, 0.0, 0.0, 0.25, 1e-3};
  prc_random random = {5};
  for (int k = 0; k < 6; k++) {
    prc_shape shape = {.n = n[k], .corner = corners, .radius = radius[k], .extent = 2.3};
    for (int trial = 0; trial < 12; trial++) {
      const double angle = prc_random_uniform(&random, -4.0, 4.0),
                   way = prc_random_uniform(&random, -4.0, 4.0);
      const prc_pose pose = prc_pose_at(prc_random_uniform(&random, -9.0, 9.0), 3.0, angle);
      const double normal[2] = {cos(way), sin(way)}, *x = pose.x;
      const double s = normal[0] * x[0] + normal[1] * x[1] + prc_random_uniform(&random, -1.5, 1.5);
      const double d = normal[1] * x[0] - normal[0] * x[1] + prc_random_uniform(&random, -1.5, 1.5);
      ck_assert_double_eq_tol(prc_measure_area_below(&shape, &pose, normal, s, d),
                              area_by_counting(&shape, &pose, normal, s, d), 0.02);
      ck_assert_double_eq_tol(prc_measure_area_below(&shape, &pose, normal, 1e6, 1e6),
                              prc_measure_area(&shape), 1e-9);
    }
  }
}
END_TEST

START_TEST(areas_of_known_things) {
  static double square[] = {0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0};
  const prc_shape point = {.n = 1, .corner = square}, box = {.n = 4, .corner = square, .extent = 3.0},
                  round = {.n = 4, .corner = square, .radius = 0.5, .extent = 3.0},
                  stadium = {.n = 2, .corner = square, .radius = 0.5, .extent = 3.0},
                  segment = {.n = 2, .corner = square, .extent = 3.0},
                  circle = {.n = 1, .corner = square, .radius = 3.0, .extent = 3.0};
  const double up[2] = {0.0, 1.0};
  const prc_pose here = prc_pose_at(0.0, 0.0, 0.0);
  ck_assert_double_eq(prc_measure_area(&point), 0.0);
  ck_assert_double_eq(prc_measure_area(&segment), 0.0);
  ck_assert_double_eq_tol(prc_measure_area(&box), 2.0, 1e-15);
  ck_assert_double_eq_tol(prc_measure_area(&round), 2.0 + 0.5 * 6.0 + 0.25 * pi, 1e-14);
  ck_assert_double_eq_tol(prc_measure_area(&stadium), 2.0 + 0.25 * pi, 1e-14);
  ck_assert_double_eq_tol(prc_measure_area(&circle), 9.0 * pi, 1e-13);
  /* at a border, beyond it, and a quarter */
  ck_assert_double_eq_tol(prc_measure_area_below(&box, &here, up, 0.25, 0.5), 0.125, 1e-16);
  ck_assert_double_eq(prc_measure_area_below(&box, &here, up, 0.0, 9.0), 0.0);
  ck_assert_double_eq(prc_measure_area_below(&box, &here, up, -1.0, 9.0), 0.0);
  ck_assert_double_eq_tol(prc_measure_area_below(&circle, &here, up, 0.0, 0.0), 2.25 * pi, 1e-14);
  ck_assert_double_eq_tol(prc_measure_area_below(&circle, &here, up, -3.0, 9.0), 0.0, 1e-15);
}
END_TEST

/* ---- a row of discs between two walls ----------------------------------------------------------------- */

static prc_measure_grains row_of(int n, double force, double angle) {
  prc_measure_grains grains = none(0.5);
  const double c = cos(angle), s = sin(angle);
  for (int b = 0; b < n; b++) add(&grains, c * (b + 0.5), s * (b + 0.5));
  for (int b = 0; b < n; b++) touch(b - 1, b, c * b, s * b, force);
  touch(-2, n - 1, c * n, s * n, force); /* pushes back along -x */
  return grains;
}

START_TEST(a_row_of_discs_has_force_over_height) {
  for (int turn = 0; turn < 8; turn++) {
    const double angle = 0.4 * turn - 1.0, force = 12.0, height = 1.7;
    const prc_measure_grains grains = row_of(9, force, angle);
    const prc_measure_grid grid = grid_of(cos(angle), sin(angle), 0.0, 9.0, 7, -0.85, 0.85, 1);
    prc_measure_cell cell[7];
    prc_measure_cells(&grains, n_contacts, contact, &grid, cell);
    for (int k = 0; k < 7; k++) {
      ck_assert_double_eq_tol(cell[k].stress[0], force / height, 1e-12);
      for (int i = 1; i < 4; i++) ck_assert_double_eq_tol(cell[k].stress[i], 0.0, 1e-12);
    }
  }
}
END_TEST

/* Their means are those of the whole, whatever the cells; and a chain beside a cell is not in it. */
START_TEST(cells_share_what_the_whole_has) {
  const prc_measure_grains grains = row_of(5, 3.0, 0.6);
  const prc_measure_grid whole = grid_of(0.0, 1.0, -1.0, 4.0, 1, -1.0, 5.0, 1),
                         fine = grid_of(0.0, 1.0, -1.0, 4.0, 6, -1.0, 5.0, 9);
  prc_measure_cell one, cell[54], mean = {0};
  prc_measure_cells(&grains, n_contacts, contact, &whole, &one);
  prc_measure_cells(&grains, n_contacts, contact, &fine, cell);
  int empty = 0;
  for (int k = 0; k < 54; k++) {
    mean.solid += cell[k].solid / 54.0, mean.density += cell[k].density / 54.0;
    for (int i = 0; i < 4; i++) mean.stress[i] += cell[k].stress[i] / 54.0;
    empty += cell[k].stress[0] == 0.0;
  }
  ck_assert_double_eq_tol(mean.solid, one.solid, 1e-14);
  ck_assert_double_eq_tol(one.solid, 5.0 * 0.25 * pi / 30.0, 1e-14);
  ck_assert_double_eq_tol(mean.density, one.density, 1e-14);
  for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(mean.stress[i], one.stress[i], 1e-14);
  ck_assert_double_eq_tol(one.stress[0] + one.stress[3], 5.0 * 3.0 / 30.0, 1e-14); /* f l / V */
  ck_assert_int_gt(empty, 30);
}
END_TEST

/* The weight above, over the width: momentum and stress. */
START_TEST(a_column_under_gravity_carries_its_weight) {
  enum { N = 6 };
  prc_measure_grains grains = none(0.5);
  for (int b = 0; b < N; b++) add(&grains, 0.2, b + 0.5);
  for (int b = 0; b < N; b++) touch(b - 1, b, 0.2, b, (N - b) * 2.0 * 9.81);
  const prc_measure_grid grid = grid_of(0.0, 1.0, 0.0, N, N, -1.0, 3.0, 1);
  prc_measure_cell cell[N];
  prc_measure_cells(&grains, n_contacts, contact, &grid, cell);
  for (int k = 0; k < N; k++) /* half a disc high the force below, then that above */
    ck_assert_double_eq_tol(cell[k].stress[0], (N - k - 0.5) * 2.0 * 9.81 / 4.0, 1e-12);
}
END_TEST

/* ---- lattices ------------------------------------------------------------------------------------------ */

static prc_measure_grains hexagonal(int columns, int rows, double radius, double force) {
  const double high = sqrt(3.0) * radius, wide = 2.0 * radius;
  prc_measure_grains grains = none(radius);
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns; i++) add(&grains, wide * i + (j % 2 ? radius : 0.0), high * j);
  grains.period[0] = wide * columns;
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns; i++)
      for (int way = 0; way < 3;
           way++) { /* to the right, and up to either side; across the border of the cell */
        const int up = way > 0, left = way == 2;
        if (j + up >= rows) continue;
        const int column = i + (way == 0 ? 1 : (j % 2) - left),
                  other = (j + up) * columns + (column + columns) % columns;
        const double x = radius * (way == 0 ? 2.0 : left ? -1.0 : 1.0), y = high * up;
        const int a = j * columns + i;
        contact[n_contacts++] = (prc_measure_contact){.body = {a, other},
                                                      .normal = force,
                                                      .force = {force * x / wide, force * y / wide},
                                                      .arm = {{0.5 * x, 0.5 * y}, {-0.5 * x, -0.5 * y}}};
      }
  return grains;
}

/* sigma = sqrt(3) f / (2 R) in all directions; in cells of one row and their halves, along and across. */
START_TEST(a_hexagonal_packing_under_equal_forces_is_isotropic) {
  const double radius = 0.35, force = 4.0, high = sqrt(3.0) * radius,
               expected = sqrt(3.0) * force / (2.0 * radius);
  const prc_measure_grains grains = hexagonal(6, 11, radius, force);
  const prc_measure_grid grids[] = {
      grid_of(0.0, 1.0, 2.5 * high, 8.5 * high, 3, 0.0, grains.period[0], 1),
      grid_of(0.0, 1.0, 1.5 * high, 9.5 * high, 4, 0.11, 0.11 + grains.period[0], 3),
      grid_of(0.0, -1.0, -8.3 * high, -2.3 * high, 3, -7.3, -7.3 + grains.period[0], 2),
      grid_of(1.0, 0.0, 3.0, 3.0 + grains.period[0], 6, -8.3 * high, -2.3 * high, 3)};
  for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
    prc_measure_cell cell[18];
    prc_measure_cells(&grains, n_contacts, contact, &grids[g], cell);
    for (int k = 0; k < grids[g].n[0] * grids[g].n[1]; k++) {
      ck_assert_double_eq_tol(cell[k].solid, pi / (2.0 * sqrt(3.0)), 1e-12);
      ck_assert_double_eq_tol(cell[k].stress[0], expected, 1e-11);
      ck_assert_double_eq_tol(cell[k].stress[3], expected, 1e-11);
      ck_assert_double_eq_tol(cell[k].stress[1], 0.0, 1e-11);
      ck_assert_double_eq_tol(cell[k].stress[2], 0.0, 1e-11);
    }
  }
}
END_TEST

START_TEST(a_square_lattice_of_discs_fills_a_quarter_of_pi) {
  prc_measure_grains grains = none(0.5);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) add(&grains, i, j);
  const prc_measure_grid grid = grid_of(0.0, 1.0, 2.3, 8.3, 6, 1.9, 7.9, 6);
  prc_measure_cell cell[36];
  prc_measure_cells(&grains, 0, NULL, &grid, cell);
  for (int k = 0; k < 36; k++) {
    ck_assert_double_eq_tol(cell[k].solid, 0.25 * pi, 1e-13);
    ck_assert_double_eq_tol(cell[k].density, 2.0, 1e-12);
  }
}
END_TEST

/* Grains that flow never come back: images far away are the same. */
START_TEST(grains_in_a_periodic_cell_count_wherever_they_have_gone) {
  prc_measure_grains grains = hexagonal(4, 5, 0.5, 1.0);
  const prc_measure_grid grid = grid_of(0.0, 1.0, -1.0, 5.0, 5, 0.5, 4.5, 4);
  prc_measure_cell cell[20], moved[20];
  prc_measure_cells(&grains, n_contacts, contact, &grid, cell);
  for (int b = 0; b < grains.n; b++) q[3 * b] += (b % 7 - 3) * grains.period[0] * (b % 2 ? 1.0 : 1000.0);
  prc_measure_cells(&grains, n_contacts, contact, &grid, moved);
  for (int k = 0; k < 20; k++) {
    ck_assert_double_eq_tol(moved[k].solid, cell[k].solid, 1e-10);
    for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(moved[k].stress[i], cell[k].stress[i], 1e-10);
  }
}
END_TEST

/* ---- velocities ---------------------------------------------------------------------------------------- */

START_TEST(uniform_shear_has_a_straight_profile) {
  prc_measure_grains grains = hexagonal(5, 12, 0.5, 1.0);
  const double rate = 0.7, high = sqrt(3.0) / 2.0;
  for (int b = 0; b < grains.n; b++) v[3 * b] = rate * q[3 * b + 1], v[3 * b + 2] = -0.5 * rate;
  const prc_measure_grid grid = grid_of(0.0, 1.0, -0.5 * high, 11.5 * high, 12, 0.0, grains.period[0], 1);
  prc_measure_cell cell[12];
  prc_measure_cells(&grains, 0, NULL, &grid, cell);
  for (int k = 1; k < 11; k++) {
    ck_assert_double_eq_tol(cell[k].velocity[1], rate * high * k, 1e-13);
    ck_assert_double_eq_tol(cell[k].velocity[0], 0.0, 1e-13);
    ck_assert_double_eq_tol(cell[k].spin, -0.5 * rate, 1e-13);
  }
}
END_TEST

/* n m v' v' of two streams against each other; what moves together has none. */
START_TEST(the_kinetic_part_is_that_of_the_fluctuations) {
  prc_measure_grains grains = none(0.1);
  for (int b = 0; b < 10; b++) {
    add(&grains, 0.3 + 0.4 * b, 0.5);
    v[3 * b] = 5.0, v[3 * b + 1] = b % 2 ? 3.0 : -1.0;
  }
  const prc_measure_grid grid = grid_of(0.0, 1.0, 0.0, 1.0, 1, 0.0, 4.2, 1);
  prc_measure_cell cell;
  prc_measure_cells(&grains, 0, NULL, &grid, &cell);
  ck_assert_double_eq_tol(cell.kinetic[0], 10 * 2.0 * 4.0 / 4.2, 1e-12);
  for (int i = 1; i < 4; i++) ck_assert_double_eq_tol(cell.kinetic[i], 0.0, 1e-12);
  ck_assert_double_eq_tol(cell.velocity[0], 1.0, 1e-14);
  ck_assert_double_eq_tol(cell.velocity[1], 5.0, 1e-14);
}
END_TEST

/* ---- groups -------------------------------------------------------------------------------------------- */

static void measure_groups(const prc_measure_grains *grains, prc_measure_group *out, int *neighbours) {
  prc_measure *measure = NULL;
  support_ok(prc_measure_create(&measure, &err), &err);
  support_ok(prc_measure_groups(measure, grains, n_contacts, contact, out, neighbours, &err), &err);
  prc_measure_free(&measure);
  prc_measure_free(&measure);
}

START_TEST(inside_a_hexagonal_lattice_six_are_neighbours) {
  const prc_measure_grains grains = hexagonal(7, 9, 0.5, 2.0);
  prc_measure_group out[2];
  int neighbours[MOST];
  measure_groups(&grains, out, neighbours);
  for (int b = 0; b < grains.n; b++)
    ck_assert_int_eq(neighbours[b], b < 7 || b >= 56 ? 4 : 6); /* nothing is above the top row */
  ck_assert_double_eq_tol(out[0].coordination, (14 * 4 + 49 * 6) / 63.0, 1e-14);
  ck_assert_double_eq_tol(out[1].coordination, 2.0 * n_contacts / 63.0, 1e-14);
  ck_assert_int_eq(out[1].rattlers, 0);
  ck_assert_int_eq(out[1].contacts, n_contacts);
  ck_assert_double_eq_tol(out[1].force_mean, 2.0, 1e-14);
}
END_TEST

/* A triangle, a tail of two that hangs on it, one that touches nothing, one that only an obstacle carries twice. */
START_TEST(rattlers_are_taken_away_until_none_is_left) {
  prc_measure_grains grains = none(0.5);
  for (int b = 0; b < 8; b++) add(&grains, b, 0.1 * b * b);
  static const int pair[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {-1, 6}, {-1, 6}, {-1, 7}, {-2, 7}};
  prc_measure_group out[2];
  int neighbours[MOST];
  for (int k = 0; k < 9; k++) touch(pair[k][0], pair[k][1], 20.0, 20.0, 1.0 + k);
  measure_groups(&grains, out, neighbours);
  static const int expected[] = {2, 2, 3, 2, 1, 0, 1, 2};
  for (int b = 0; b < 8; b++) ck_assert_int_eq(neighbours[b], expected[b]);
  ck_assert_int_eq(out[0].rattlers, 4); /* 3, 4, 5 and 6, which one thing carries at two points */
  ck_assert_double_eq_tol(out[0].coordination, 13.0 / 8.0, 1e-15);
  ck_assert_double_eq_tol(out[0].coordination_carried, 2.0, 1e-15);
  ck_assert_double_eq(out[0].force_max, 9.0);
}
END_TEST

START_TEST(groups_have_their_energies_and_points_between_two_count_for_both) {
  prc_measure_grains grains = none(0.5);
  for (int b = 0; b < 4; b++) add(&grains, b, 0.0);
  v[0] = 3.0, v[4] = 4.0, v[8] = 2.0, v[9] = 100.0;
  grains.n_groups = 2, body[1].group = 1, body[2].group = 1, body[3].group = -1; /* the last is driven */
  touch(0, 1, 0.5, 0.0, 1.0), touch(2, 3, 2.5, 0.0, 5.0), touch(0, 1, 0.6, 0.0, 0.0),
      touch(3, 0, 0.2, 9.0, -1.0);
  prc_measure_group out[3];
  measure_groups(&grains, out, NULL);
  ck_assert_int_eq(out[0].bodies, 1);
  ck_assert_int_eq(out[1].bodies, 2);
  ck_assert_int_eq(out[2].bodies, 3);
  ck_assert_double_eq(out[0].translation, 9.0);
  ck_assert_double_eq(out[1].translation, 16.0);
  ck_assert_double_eq(out[1].rotation, 1.0);
  ck_assert_double_eq(out[2].translation, 25.0);
  ck_assert_int_eq(out[0].contacts, 1);
  ck_assert_int_eq(out[1].contacts, 2);
  ck_assert_int_eq(out[2].contacts, 2);
  ck_assert_double_eq(out[2].force_max, 5.0);
  ck_assert_double_eq(out[1].coordination, 1.0);
}
END_TEST

START_TEST(nothing_at_all_is_measured_as_nothing) {
  const prc_measure_grains grains = none(0.5);
  const prc_measure_grid grid = grid_of(0.0, 1.0, 0.0, 1.0, 2, 0.0, 1.0, 1);
  prc_measure_group out[2];
  prc_measure_cell cell[2];
  int count[3] = {1, 1, 1};
  measure_groups(&grains, out, NULL);
  ck_assert_int_eq(out[0].bodies + out[1].bodies, 0);
  ck_assert_double_eq(out[1].coordination + out[1].coordination_carried + out[1].force_mean, 0.0);
  prc_measure_cells(&grains, 0, NULL, &grid, cell);
  ck_assert_double_eq(cell[1].solid + cell[1].velocity[0] + cell[1].spin + cell[1].stress[0], 0.0);
  ck_assert_double_eq(prc_measure_histogram(0, NULL, 3, 0.5, count), 0.0);
  ck_assert_int_eq(count[0] + count[1] + count[2], 0);
}
END_TEST

/* A billionth of the largest is what a solver leaves of nothing. */
START_TEST(what_a_solver_leaves_of_nothing_carries_nothing) {
  prc_measure_grains grains = none(0.5);
  prc_measure_group out[2];
  int count[3];
  for (int b = 0; b < 3; b++) add(&grains, b, 0.0);
  touch(0, 1, 0.5, 0.0, 7.0);
  touch(1, 2, 1.5, 0.0, 6e-9);
  measure_groups(&grains, out, NULL);
  ck_assert_int_eq(out[1].contacts, 1);
  ck_assert_double_eq(out[1].force_mean, 7.0);
  ck_assert_double_eq_tol(out[1].coordination, 2.0 / 3.0, 1e-15);
  ck_assert_double_eq(prc_measure_histogram(n_contacts, contact, 3, 0.5, count), 7.0);
  ck_assert_int_eq(count[0] + count[1], 0);
}
END_TEST

START_TEST(forces_are_counted_over_their_mean) {
  prc_measure_grains grains = none(0.5);
  add(&grains, 0.0, 0.0);
  static const double force[] = {1.0, 3.0, 0.0, -2.0, 8.0}; /* the mean of those that carry is 4 */
  for (int k = 0; k < 5; k++) touch(-1, 0, 1.0, 0.0, force[k]);
  int count[4];
  ck_assert_double_eq(prc_measure_histogram(n_contacts, contact, 4, 0.5, count), 4.0);
  ck_assert_int_eq(count[0], 1);
  ck_assert_int_eq(count[1], 1);
  ck_assert_int_eq(count[2], 0);
  ck_assert_int_eq(count[3], 1); /* twice the mean is beyond the last border */
}
END_TEST

SUITE(measure) {
  Suite *suite = suite_create("measure");
  TCase *areas = tcase_create("areas"), *cells = tcase_create("cells"), *groups = tcase_create("groups");
  suite_add_tcase(suite, areas), suite_add_tcase(suite, cells), suite_add_tcase(suite, groups);
  tcase_add_test(areas, areas_are_those_that_counting_finds);
  tcase_add_test(areas, areas_of_known_things);
  tcase_add_test(cells, a_row_of_discs_has_force_over_height);
  tcase_add_test(cells, cells_share_what_the_whole_has);
  tcase_add_test(cells, a_column_under_gravity_carries_its_weight);
  tcase_add_test(cells, a_hexagonal_packing_under_equal_forces_is_isotropic);
  tcase_add_test(cells, a_square_lattice_of_discs_fills_a_quarter_of_pi);
  tcase_add_test(cells, grains_in_a_periodic_cell_count_wherever_they_have_gone);
  tcase_add_test(cells, uniform_shear_has_a_straight_profile);
  tcase_add_test(cells, the_kinetic_part_is_that_of_the_fluctuations);
  tcase_add_test(groups, inside_a_hexagonal_lattice_six_are_neighbours);
  tcase_add_test(groups, rattlers_are_taken_away_until_none_is_left);
  tcase_add_test(groups, groups_have_their_energies_and_points_between_two_count_for_both);
  tcase_add_test(groups, nothing_at_all_is_measured_as_nothing);
  tcase_add_test(groups, what_a_solver_leaves_of_nothing_carries_nothing);
  tcase_add_test(groups, forces_are_counted_over_their_mean);
  return suite;
}

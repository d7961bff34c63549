#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <string.h>

/* Tables of random grains, and cases that run with them. All random numbers are random(i, k) of the case's expressions, i the
 * number of the grain (of a glued one -1 - its number) and k what is drawn. */

enum { DRAW_SIZE, DRAW_X, DRAW_Y, DRAW_ANGLE, DRAW_ASPECT, DRAW_CORNERS, DRAW_CORNER };

/* Lengths in metres. */
static const double radius = 5e-3; /* of the circle around a grain, the mean ... */
static const double spread = 0.2;  /* ... and how far off it is at most, as a share */
static const double pitch =
    13e-3; /* side of the square that a grain starts in: 2.6 radii, the largest grain takes 2.4 */
static const double ground_pitch =
    8e-3; /* between the centres of glued grains: closer than any grain is thick */
static const double ground_height = 1e-3; /* how far they are off their line at most */

typedef struct {
  const prc_grains *what;
  prc_bytes *table;
  int columns, rows;
} maker;

static double draw(const maker *m, int i, int k) {
  return prc_case_random((uint64_t)m->what->seed, i, k);
}
static double draw_between(const maker *m, int i, int k, double low, double high) {
  return low + (high - low) * draw(m, i, k);
}
static double size_of(const maker *m, int i) {
  return radius * draw_between(m, i, DRAW_SIZE, 1.0 - spread, 1.0 + spread);
}

/* 5 to 8 corners on an ellipse, one in each of as many equal sectors, never nearer than 0.3 of a sector; from its centre. */
static int make_corners(const maker *m, int i, double r, double corner[16]) {
  const int n = 5 + (int)(4.0 * draw(m, i, DRAW_CORNERS));
  const double aspect = draw_between(m, i, DRAW_ASPECT, 0.7, 1.0);
  for (int k = 0; k < n; k++) {
    const double angle = 2.0 * acos(-1.0) / n * (k + draw_between(m, i, DRAW_CORNER + k, 0.0, 0.7));
    corner[2 * k] = r * cos(angle), corner[2 * k + 1] = aspect * r * sin(angle);
  }
  return n;
}

/* A polygon's place is that of its centroid, where it turns as a body; the circle around it stays where it is. */
static prc_status add_polygon(const maker *m, int i, const double place[2], double r, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_polygon_facts facts;
  double corner[16];
  const int n = make_corners(m, i, r, corner);
  const double angle = draw_between(m, i, DRAW_ANGLE, 0.0, 2.0 * acos(-1.0)), c = cos(angle), s = sin(angle);
  prc_try(prc_rigid_polygon(n, corner, &facts, err));
  const double *g = facts.centre;
  prc_try(prc_bytes_print(m->table, err, "%.9g,%.9g,%.9g,", place[0] + c * g[0] - s * g[1],
                          place[1] + s * g[0] + c * g[1], angle));
  for (int k = 0; k < n; k++)
    prc_try(prc_bytes_print(m->table, err, "%s%.9g %.9g", k > 0 ? " " : "", corner[2 * k] - g[0],
                            corner[2 * k + 1] - g[1]));
  prc_try(prc_bytes_print(m->table, err, "\n"));
done:
  return status;
}

/* The circle around it is at (x, y). */
static prc_status add_grain(const maker *m, int i, double x, double y, double r, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_bytes_print(m->table, err, "%s", !m->what->slope ? "" : i < 0 ? "ground," : "grain,"));
  if (m->what->polygons) return add_polygon(m, i, (double[]){x, y}, r, err);
  status = prc_bytes_print(m->table, err, "%.9g,%.9g,%.9g\n", x, y, r);
done:
  return status;
}

/* Each grain anywhere in a square of its own, which the circle around it does not leave: no two touch. */
static prc_status add_layer(const maker *m, double bottom, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < m->what->n && status == PRC_OK; i++) {
    const double r = size_of(m, i), room = 0.5 * pitch - r;
    const double x = pitch * (i % m->columns + 0.5) + draw_between(m, i, DRAW_X, -room, room);
    const int row = i / m->columns;
    const double y = bottom + pitch * (row + 0.5) + draw_between(m, i, DRAW_Y, -room, room);
    status = add_grain(m, i, x, y, r, err);
  }
  return status;
}

static int ground_of(const maker *m) {
  return (int)ceil(m->columns * pitch / ground_pitch);
}

static prc_status add_ground(const maker *m, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = ground_of(m);
  for (int j = 0; j < n && status == PRC_OK; j++) {
    const double y = draw_between(m, -1 - j, DRAW_Y, -ground_height, ground_height);
    status = add_grain(m, -1 - j, m->columns * pitch / n * (j + 0.5), y, size_of(m, -1 - j), err);
  }
  return status;
}

static prc_status add_head(const maker *m, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_grains *g = m->what;
  prc_try(prc_bytes_print(
      m->table, err, "# %d random grains, made by: percuss init --grains %d --seed %d --shape %s%s\n", g->n,
      g->n, g->seed, g->polygons ? "polygons" : "discs", g->slope ? " --slope" : ""));
  prc_try(prc_bytes_print(m->table, err,
                          "# The circle around a grain has a radius from %g to %g m, all equally likely.\n",
                          radius * (1.0 - spread), radius * (1.0 + spread)));
  if (g->polygons)
    prc_try(prc_bytes_print(m->table, err,
                            "# Corners: 5 to 8 on an ellipse in that circle, its other axis 0.7 to 1 of it; "
                            "in the grain's own axes.\n"));
  prc_try(prc_bytes_print(m->table, err,
                          "# Each grain starts anywhere in a square of %g m of its own, %d squares a row: "
                          "none touches another.\n",
                          pitch, m->columns));
  if (g->slope)
    prc_try(prc_bytes_print(m->table, err,
                            "# The ground is %d glued grains of the same kind, every %.6g m, up to %g m "
                            "above or below y = 0; the "
                            "cell is %.6g m long.\n",
                            ground_of(m), m->columns * pitch / ground_of(m), ground_height,
                            m->columns * pitch));
  prc_try(prc_bytes_print(m->table, err, "%sx,y,%s\n", g->slope ? "group," : "",
                          g->polygons ? "angle,corners" : "radius"));
done:
  return status;
}

/* ---- the case ------------------------------------------------------------------------------------------- */

/* Way of a grain in a step as it falls from the top row, and half as much for the grains that push it. */
static double deepest(const maker *m) {
  return 1.5 * 5e-4 * sqrt(2.0 * 9.81 * m->rows * pitch);
}

/* How it steps, up to `end`, and what is written: the last blocks of either case. */
static prc_status write_steps(const maker *m, double end, prc_bytes *out, prc_error *err) {
  return prc_bytes_print(
      out, err,
      "time:\n"
      "  end: %.1f                         # s\n"
      "  step: 5e-4\n"
      "  theta: 1                         # grains come to rest; 0.5 conserves energy, and they tremble\n"
      "\n"
      "contact:\n"
      "  tolerance: 1e-4                  # of the forces: grains ask no more, and piles take long for it\n"
      "  max_penetration: %.1e         # what falls goes in by its speed x step before it is stopped\n"
      "\n"
      "output:\n"
      "  every: 20                        # steps between snapshots\n"
      "  table_every: 20                  # steps between rows of bodies.csv\n"
      "  contacts: false                  # true: contacts.csv has every contact at these steps\n",
      end, deepest(m));
}

static prc_status write_slope(const maker *m, const char *table, prc_bytes *out, prc_error *err) {
  return prc_bytes_print(
      out, err,
      "# %d random grains on a slope of 26.5 degrees: their table says what they are. Units: m, kg, s.\n"
      "# The axes are those of the slope, x down it; gravity is turned. All keys: percuss help case\n"
      "units: m kg s\n"
      "\n"
      "bodies:\n"
      "  ground: {from: %s, group: ground, fixed: true}   # glued\n"
      "  grain: {from: %s, group: grain, density: 2600}\n"
      "\n"
      "periodic: {length: %.9g}            # what leaves below comes in above\n"
      "\n"
      "contacts:\n"
      "  grains: {between: [grain, grain], friction: 0.3}\n"
      "  bottom: {between: [ground, grain], friction: 0.3}\n"
      "\n"
      "model:\n"
      "  gravity: [9.81*sin(26.5*pi/180), -9.81*cos(26.5*pi/180)]\n"
      "\n",
      m->what->n, table, table, m->columns * pitch);
}

/* Until the uppermost have fallen and half as long again, in whole tenths. */
static double settling_time(const maker *m) {
  return 0.1 * ceil(10.0 * 1.5 * sqrt(2.0 * m->rows * pitch / 9.81));
}

static prc_status write_box(const maker *m, const char *table, prc_bytes *out, prc_error *err) {
  return prc_bytes_print(
      out, err,
      "# %d random grains fall into a box: their table says what they are. Units: m, kg, s.\n"
      "# All keys: percuss help case\n"
      "units: m kg s\n"
      "\n"
      "bodies:\n"
      "  grain: {from: %s, density: 2600}\n"
      "\n"
      "obstacles:\n"
      "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
      "  left: {plane: {point: [0, 0], normal: [1, 0]}}\n"
      "  right: {plane: {point: [%.9g, 0], normal: [-1, 0]}}\n"
      "\n"
      "contacts:\n"
      "  grains: {between: [grain, grain], friction: 0.3}\n"
      "  walls: {between: [[floor, left, right], grain], friction: 0.3}\n"
      "\n"
      "model:\n"
      "  gravity: [0, -9.81]\n"
      "\n",
      m->what->n, table, m->columns * pitch);
}

/* As a value of YAML: in quotes where a character may mean something. */
static prc_status quote(const char *name, prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  if (name[0] != '-' && name[strspn(name, safe)] == '\0') return prc_bytes_print(out, err, "%s", name);
  prc_try(prc_bytes_print(out, err, "\""));
  for (; *name; name++) prc_try(prc_bytes_print(out, err, strchr("\"\\", *name) ? "\\%c" : "%c", *name));
  prc_try(prc_bytes_print(out, err, "\""));
done:
  return status;
}

/* As many in a row as rows; on a slope three times as many. */
prc_status prc_case_grains(const prc_grains *what, const char *table_name, prc_bytes *text, prc_bytes *table,
                           prc_error *err) {
  prc_status status = PRC_OK;
  maker m = {.what = what, .table = table};
  prc_bytes name = {0};
  m.columns = (int)ceil(sqrt((what->slope ? 3.0 : 1.0) * what->n));
  m.rows = (what->n + m.columns - 1) / m.columns;
  prc_try(add_head(&m, err));
  if (what->slope) prc_try(add_ground(&m, err));
  prc_try(add_layer(&m, what->slope ? ground_height + radius * (1.0 + spread) : 0.0, err));
  prc_try(quote(table_name, &name, err));
  prc_try((what->slope ? write_slope : write_box)(&m, name.at, text, err));
  prc_try(write_steps(&m, what->slope ? 1.0 : settling_time(&m), text, err));
done:
  prc_delete(&name.at);
  return status;
}

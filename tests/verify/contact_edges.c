/* What a contact node stands for on the edges of each element: the integral of its shape function, so that an even pressure is an even
 * traction. */
#include "config.h"
#include "support/found.h"
#include "support/rig.h"
#include "support/support.h"

#include <math.h>

static const double pi = 3.14159265358979323846, thickness = 1.5, width = 3.0, height = 2.0;
static const double material[3] = {5.0, 0.3, 2.0};
static const int types[] = {2, 3, PLATE_LINEAR_MIX, 9, 16, 10, PLATE_QUADRATIC_MIX};
enum { N_TYPES = sizeof types / sizeof *types, LINEAR = 3, CELLS = 3 };

static prc_error err;

/* A plate on the plane y = 0, which its bottom may touch, from x = 1 on */
static void shift(const void *how, const double s[2], double x[2]) {
  (void)how;
  x[0] = 1.0 + width * s[0], x[1] = height * s[1];
}

static void open_on_floor(rig *r, int type) {
  const double point[2] = {0.0, 0.0}, up[2] = {0.0, 1.0};
  const plate p = {.type = type, .nx = CELLS, .ny = 2, .map = shift};
  rig_open(r, &p, material);
  r->model.thickness = thickness;
  r->contact = (prc_fem_contact){.name = "bottom", .group = &r->mesh->group[PLATE_BOTTOM]};
  r->contact.friction = r->contact.restitution = prc_field_constant(0.0);
  support_ok(prc_contact_plane_make(point, up, &r->contact.plane, &err), &err);
  r->model.n_contacts = 1;
}

/* Integrals over an edge from x = a on, of length d, of the shape functions along it (linear: 1 - s, s; quadratic: (1 - s)(1 - 2s), 4s (1 - s),
 * s (2s - 1)) times 1, or times 2 pi x: at the node at x. */
static double edge_share(int quadratic, int ring, double a, double d, double x) {
  const double s = (x - a) / d, depth = ring ? 2.0 * pi : thickness;
  if (s < -1e-9 || s > 1.0 + 1e-9) return 0.0;
  const int first = s<0.25, last = s> 0.75;
  if (!quadratic) return depth * d * (ring ? first ? a / 2.0 + d / 6.0 : a / 2.0 + d / 3.0 : 0.5);
  if (!ring) return depth * d * (first || last ? 1.0 / 6.0 : 4.0 / 6.0);
  return depth * d * (first ? a / 6.0 : last ? (a + d) / 6.0 : 4.0 * a / 6.0 + d / 3.0);
}

/* _i: the type; plane, then the ring */
START_TEST(a_node_stands_for_the_integral_of_its_shape_function) {
  const int quadratic = _i % N_TYPES >= LINEAR, ring = _i >= N_TYPES;
  const double d = width / CELLS;
  rig r;
  open_on_floor(&r, types[_i % N_TYPES]);
  if (ring) r.model.plane = PRC_AXISYMMETRIC;
  rig_build(&r);
  const int n_contacts = found_count(r.system);
  ck_assert_int_eq(n_contacts, quadratic ? 2 * CELLS + 1 : CELLS + 1);
  for (int c = 0; c < n_contacts; c++) {
    const double x = r.mesh->x[2 * prc_fem_contact_nodes(r.fem)[c]];
    double expected = 0.0;
    for (int e = 0; e < CELLS; e++) expected += edge_share(quadratic, ring, 1.0 + e * d, d, x);
    ck_assert_double_eq_tol(prc_fem_contact_areas(r.fem)[c], expected, 1e-13);
  }
  rig_close(&r);
}
END_TEST

/* Pressed down evenly by its top, free to widen: uniaxial stress. Each node carries the pressure times what it stands for. */
START_TEST(an_even_pressure_is_an_even_traction) {
  const double down = 0.008, pressure = material[0] * down / height;
  prc_step_options o = prc_step_options_default(0.5);
  rig r;
  o.scheme = "static", o.theta = 1.0;
  open_on_floor(&r, types[_i]);
  rig_hold(&r, 0, PLATE_LEFT, 1, 0), rig_hold(&r, 1, PLATE_TOP, 0, 1);
  r.support[1].displacement[1] = prc_field_constant(-down);
  rig_build(&r);
  double *zero = rig_room((size_t)r.system->space.nv);
  rig_start(&r, &o, zero, zero);
  rig_step(&r, 2);
  for (int c = 0; c < r.record->n_contacts; c++) {
    const double traction = r.record->p[2 * c] / o.h / prc_fem_contact_areas(r.fem)[c];
    ck_assert_msg(fabs(traction / pressure - 1.0) < 1e-9, "node %d: traction %.12g of %.12g", c, traction,
                  pressure);
    ck_assert_double_le(fabs(r.record->gap[c]), 1e-11);
  }
  for (int a = 0; a < r.mesh->n_nodes; a++)
    ck_assert_double_eq_tol(r.record->q[2 * a + 1], -down / height * r.mesh->x[2 * a + 1], 1e-11);
  prc_delete(&zero);
  rig_close(&r);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("contact_edges");
  TCase *edges = tcase_create("edges");
  prc_dense_single_thread();
  tcase_add_loop_test(edges, a_node_stands_for_the_integral_of_its_shape_function, 0, 2 * N_TYPES);
  tcase_add_loop_test(edges, an_even_pressure_is_an_even_traction, 0, N_TYPES);
  suite_add_tcase(suite, edges);
  return support_run(suite);
}

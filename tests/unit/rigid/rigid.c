#include "config.h"
#include "rigid/rigid.h"
#include "step/step.h"
#include "support/found.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- helpers ------------------------------------------------------------------------------------------- */

static prc_error err;

/* |a - b| within a few roundings of a number of size `scale` */
static void same(double a, double b, double scale) {
  ck_assert_msg(fabs(a - b) <= 64.0 * DBL_EPSILON * scale, "%.17g, expected %.17g", a, b);
}

static prc_contact_plane plane_at(double x, double y, double angle) {
  prc_contact_plane plane;
  support_ok(prc_contact_plane_make((double[2]){x, y}, (double[2]){cos(angle), sin(angle)}, &plane, &err),
             &err);
  return plane;
}

static prc_rigid *create(const prc_rigid_model *model) {
  prc_rigid *rigid = NULL;
  support_ok(prc_rigid_create(model, &rigid, &err), &err);
  return rigid;
}

/* ---- polygons ------------------------------------------------------------------------------------------ */

static prc_rigid_polygon_facts facts_of(int n, const double *point) {
  prc_rigid_polygon_facts facts;
  support_ok(prc_rigid_polygon(n, point, &facts, &err), &err);
  return facts;
}

START_TEST(a_rectangle_has_its_textbook_facts) {
  const double b = 0.7, l = 2.3, x = -1.25, y = 0.5;
  const double corner[8] = {x, y, x + b, y, x + b, y + l, x, y + l};
  const prc_rigid_polygon_facts facts = facts_of(4, corner);
  same(facts.area, b * l, 1.0);
  same(facts.centre[0], x + 0.5 * b, 1.0);
  same(facts.centre[1], y + 0.5 * l, 1.0);
  same(facts.moment, b * l * (b * b + l * l) / 12.0, 1.0);
}
END_TEST

START_TEST(a_triangle_has_its_textbook_facts) { /* polar moment: area x (sum of squared sides) / 36 */
  const double p[6] = {0.0, 0.0, 3.0, 1.0, 1.0, 2.0};
  const prc_rigid_polygon_facts facts = facts_of(3, p);
  same(facts.area, 2.5, 1.0);
  same(facts.centre[0], 4.0 / 3.0, 1.0);
  same(facts.centre[1], 1.0, 1.0);
  same(facts.moment, 2.5 * (10.0 + 5.0 + 5.0) / 36.0, 1.0);
}
END_TEST

static const double ell[12] = {0.0, 0.0, 3.0, 0.0, 3.0, 1.0, 1.0, 1.0, 1.0, 4.0, 0.0, 4.0};

/* The L is the rectangle 3 x 1 below and the rectangle 1 x 3 on its left end. */
static prc_rigid_polygon_facts ell_facts(void) {
  prc_rigid_polygon_facts out = {.area = 6.0, .centre = {1.0, 1.5}};
  out.moment = 3.0 * (9.0 + 1.0) / 12.0 + 3.0 * (0.5 * 0.5 + 1.0);
  out.moment += 3.0 * (1.0 + 9.0) / 12.0 + 3.0 * (0.5 * 0.5 + 1.0);
  return out;
}

START_TEST(a_shape_that_is_not_convex_adds_up_from_its_parts) {
  const prc_rigid_polygon_facts expected = ell_facts();
  for (int first = 0; first < 6; first++) { /* whichever corner comes first */
    double p[12];
    for (int k = 0; k < 12; k++) p[k] = ell[(k + 2 * first) % 12];
    const prc_rigid_polygon_facts facts = facts_of(6, p);
    same(facts.area, expected.area, 10.0);
    for (int k = 0; k < 2; k++) same(facts.centre[k], expected.centre[k], 10.0);
    same(facts.moment, expected.moment, 100.0);
  }
}
END_TEST

START_TEST(a_clockwise_polygon_has_a_negative_area_and_the_same_moment) {
  double p[12];
  for (int k = 0; k < 6; k++) p[2 * k] = ell[10 - 2 * k], p[2 * k + 1] = ell[11 - 2 * k];
  const prc_rigid_polygon_facts facts = facts_of(6, p), expected = ell_facts();
  same(facts.area, -expected.area, 10.0);
  for (int k = 0; k < 2; k++) same(facts.centre[k], expected.centre[k], 10.0);
  same(facts.moment, expected.moment, 100.0);
}
END_TEST

START_TEST(a_polygon_far_away_keeps_its_digits) { /* powers of two: the translated corners are exact */
  double p[12];
  for (int k = 0; k < 6; k++) p[2 * k] = ell[2 * k] + 0x1p30, p[2 * k + 1] = ell[2 * k + 1] - 0x1p28;
  const prc_rigid_polygon_facts facts = facts_of(6, p), expected = ell_facts();
  same(facts.area, expected.area, 10.0);
  same(facts.moment, expected.moment, 100.0);
  same(facts.centre[0], 0x1p30 + 1.0, 0x1p30);
  same(facts.centre[1], 1.5 - 0x1p28, 0x1p28);
}
END_TEST

static void refuses_polygon(int n, const double *point, const char *message) {
  prc_rigid_polygon_facts facts;
  prc_error_clear(&err);
  support_fails(prc_rigid_polygon(n, point, &facts, &err), PRC_INPUT, &err, message);
}

START_TEST(bad_polygons_are_refused_with_their_corners) {
  const double bow[8] = {0.0, 0.0, 2.0, 2.0, 2.0, 0.0, 0.0, 2.0};
  const double star[10] = {0.0, 3.0, 2.0, -2.0, -3.0, 1.0, 3.0, 1.0, -2.0, -2.0};
  const double touching[10] = {0.0, 0.0, 4.0, 0.0, 4.0,
                               4.0, 2.0, 0.0, 0.0, 4.0};           /* corner 4 on the first edge */
  const double back[8] = {0.0, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0, 1.0}; /* back along an edge */
  const double twice[8] = {0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0},
               closed[8] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  const double flat[6] = {0.0, 0.0, 1.0, 1.0, 3.0, 3.0};
  refuses_polygon(4, bow, "the edge from corner 1 to 2 meets the one from corner 3 to 4");
  refuses_polygon(5, star,
                  "the polygon crosses itself: the edge from corner 1 to 2 meets the one from corner 3 to 4");
  refuses_polygon(5, touching, "the edge from corner 1 to 2 meets the one from corner 3 to 4");
  refuses_polygon(4, back, "the edge from corner 1 to 2 meets the one from corner 3 to 4");
  refuses_polygon(4, twice, "corners 2 and 3 of the polygon are the same point");
  refuses_polygon(4, closed, "corners 4 and 1 of the polygon are the same point");
  refuses_polygon(3, flat, "the polygon has no area");
  refuses_polygon(2, flat, "the polygon has 2 corners, expected at least 3");
  refuses_polygon(0, NULL, "the polygon has 0 corners");
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------------------------ */

typedef struct {
  prc_rigid_body body[3];
  prc_rigid_contact contact[4];
  double point[12];
  prc_rigid_model model;
} setting;

/* Two bodies; the second has a disc on a slanted plane, the first three points on two planes. */
static void make_setting(setting *s) {
  static const double point[6] = {0.5, -0.25, -0.75, 0.125, 0.3, 0.9};
  memset(s, 0, sizeof *s);
  memcpy(s->point, point, sizeof point);
  s->body[0] =
      (prc_rigid_body){.name = "plank", .mass = 2.0, .inertia = 0.3, .position = {0.3, -0.2}, .angle = 0.7};
  s->body[1] =
      (prc_rigid_body){.name = "wheel", .mass = 0.5, .inertia = 0.1, .position = {3.0, 1.0}, .angle = -0.4};
  s->body[1].radius = 0.6;
  s->contact[0] = (prc_rigid_contact){.name = "floor", .body = 0, .n_points = 2, .point = s->point};
  s->contact[1] = (prc_rigid_contact){.name = "slope", .body = 1, .radius = 0.6};
  s->contact[2] = (prc_rigid_contact){.name = "wall", .body = 0, .n_points = 1, .point = s->point + 4};
  for (int k = 0; k < 3; k++) {
    s->contact[k].plane = plane_at(0.1 * k - 0.3, 0.2 - 0.4 * k, 0.9 + 1.7 * k);
    s->contact[k].friction = 0.1 * (k + 1), s->contact[k].restitution = 0.2 * (k + 1);
    s->contact[k].restitution_tangential = 0.3 * k - 0.3;
  }
  s->model = (prc_rigid_model){.n_bodies = 2, .n_contacts = 3, .body = s->body, .contact = s->contact};
}

static void refuses(const setting *s, const char *message) {
  prc_rigid *rigid = NULL;
  prc_error_clear(&err);
  support_fails(prc_rigid_create(&s->model, &rigid, &err), PRC_INPUT, &err, message);
  ck_assert_ptr_null(rigid);
}

START_TEST(bad_bodies_are_refused_by_name) {
  setting s;
  const double bad[4] = {0.0, -1.0, NAN, INFINITY};
  for (int k = 0; k < 4; k++) {
    make_setting(&s);
    s.body[1].mass = bad[k];
    refuses(&s, "body 'wheel': its mass is ");
    make_setting(&s);
    s.body[0].inertia = bad[k];
    refuses(&s, "body 'plank': its inertia is ");
  }
}
END_TEST

START_TEST(bad_contacts_are_refused_by_name) {
  setting s;
  const double bad[2] = {-0.1, NAN}, bad_e[3] = {-0.01, 1.01, NAN}, bad_e_t[3] = {-1.01, 1.01, NAN};
  for (int k = 0; k < 2; k++) {
    make_setting(&s);
    s.contact[1].friction = bad[k];
    refuses(&s, "contact 'slope': the friction is ");
  }
  for (int k = 0; k < 3; k++) {
    make_setting(&s);
    s.contact[2].restitution = bad_e[k];
    refuses(&s, "contact 'wall': the restitution is ");
    make_setting(&s);
    s.contact[0].restitution_tangential = bad_e_t[k];
    refuses(&s, "contact 'floor': the tangential restitution is ");
  }
  make_setting(&s);
  s.contact[1].radius = 0.0;
  refuses(&s, "contact 'slope' has neither points nor a disc");
  make_setting(&s);
  s.contact[0].restitution_tangential = -1.0,
  s.contact[1].restitution_tangential = 1.0; /* the ends are allowed */
  s.contact[0].restitution = 0.0, s.contact[1].restitution = 1.0, s.contact[2].friction = 0.0;
  prc_rigid *rigid = create(&s.model);
  prc_rigid_free(&rigid);
  prc_rigid_free(&rigid); /* twice does no harm */
}
END_TEST

/* ---- the system ------------------------------------------------------------------------------------------ */

START_TEST(bodies_and_contacts_keep_their_order) {
  static const int dof[12] = {0, 1, 2, 0, 1, 2, 3, 4, 5, 0, 1, 2}, contact_of[4] = {0, 0, 1, 2},
                   first[4] = {0, 2, 3, 4};
  static const double M[6] = {2.0, 2.0, 0.3, 0.5, 0.5, 0.1};
  setting s;
  make_setting(&s);
  for (int b = 0; b < 2; b++)
    s.body[b].velocity[0] = 1.0 + b, s.body[b].velocity[1] = -b, s.body[b].spin = 5.0 - b;
  prc_rigid *rigid = create(&s.model);
  const prc_system *system = prc_rigid_system(rigid);
  ck_assert_int_eq(system->space.nv, 6);
  ck_assert_int_eq(system->contacts.dim, 2);
  ck_assert_int_eq(system->drive.n, 0);
  ck_assert_ptr_null(system->dynamics.K);
  ck_assert_uint_eq(system->contacts.varies, PRC_CONTACTS_H);
  double e[6] = {0.0}, Me[6], q[6], v[6];
  prc_rigid_initial(rigid, q, v);
  prc_contact_set set = {0};
  found_contacts(system, q, &set);
  ck_assert_int_eq(set.n, 4);
  ck_assert_int_eq(set.H.start[4], 12);
  ck_assert_mem_eq(set.H.dof, dof, sizeof dof);
  for (int k = 0; k < 4; k++) ck_assert_int_eq(prc_rigid_contact_first(rigid, k), first[k]);
  for (int c = 0; c < 4; c++) {
    const prc_rigid_contact *contact = &s.contact[contact_of[c]];
    ck_assert_int_eq(set.H.start[c], 3 * c);
    ck_assert(set.body[2 * c] == -1 && set.body[2 * c + 1] == contact->body);
    ck_assert_double_eq(prc_law_friction_at(set.law[c], NULL, 0.0), contact->friction);
    ck_assert_double_eq(set.law[c]->e, contact->restitution);
    ck_assert_double_eq(set.law[c]->e_t, contact->restitution_tangential);
  }
  prc_contact_set_free(&set);
  for (int i = 0; i < 6; i++) {
    e[i] = 1.0;
    prc_sym_multiply(system->dynamics.M, e, Me);
    for (int j = 0; j < 6; j++) ck_assert_double_eq(Me[j], i == j ? M[i] : 0.0);
    e[i] = 0.0;
  }
  ck_assert_mem_eq(q, ((double[6]){0.3, -0.2, 0.7, 3.0, 1.0, -0.4}), sizeof q);
  ck_assert_mem_eq(v, ((double[6]){1.0, 0.0, 5.0, 2.0, -1.0, 4.0}), sizeof v);
  prc_rigid_free(&rigid);
}
END_TEST

START_TEST(a_body_may_have_no_contact) {
  setting s;
  make_setting(&s);
  s.model.n_contacts = 0;
  prc_rigid *rigid = create(&s.model);
  ck_assert_int_eq(found_count(prc_rigid_system(rigid)), 0);
  ck_assert_int_eq(prc_rigid_contact_first(rigid, 0), 0);
  prc_rigid_free(&rigid);
}
END_TEST

/* Where the material point of candidate c that touches at q stands when the bodies are at `now`. */
static void touching(const setting *s, int c, const double *q, const double *now, double x[2]) {
  static const int contact_of[4] = {0, 0, 1, 2};
  const prc_rigid_contact *contact = &s->contact[contact_of[c]];
  const int b = 3 * contact->body;
  const double *r = s->point + (c == 3 ? 4 : 2 * c);
  double local[2] = {c == 2 ? 0.0 : r[0], c == 2 ? 0.0 : r[1]};
  if (c == 2) { /* the disc touches where -n points; in the body's axes at q */
    const double *n = contact->plane.normal, k = cos(q[b + 2]), l = sin(q[b + 2]);
    local[0] = -0.6 * (k * n[0] + l * n[1]), local[1] = -0.6 * (-l * n[0] + k * n[1]);
  }
  const double k = cos(now[b + 2]), l = sin(now[b + 2]);
  x[0] = now[b] + k * local[0] - l * local[1], x[1] = now[b + 1] + l * local[0] + k * local[1];
}

START_TEST(gaps_are_distances_of_points_and_discs_to_slanted_planes) {
  static const int contact_of[4] = {0, 0, 1, 2};
  setting s;
  double q[6], v[6];
  prc_contact_set set = {0};
  make_setting(&s);
  prc_rigid *rigid = create(&s.model);
  const prc_system *system = prc_rigid_system(rigid);
  prc_rigid_initial(rigid, q, v);
  for (int turn = 0; turn < 12; turn++, q[2] += 0.6, q[5] -= 1.1, q[0] += 0.1, q[4] -= 0.2) {
    found_contacts(system, q, &set);
    const double *gap = set.gap;
    for (int c = 0; c < 4; c++) {
      const prc_contact_plane *plane = &s.contact[contact_of[c]].plane;
      double x[2];
      touching(&s, c, q, q, x);
      same(gap[c], plane->normal[0] * (x[0] - plane->point[0]) + plane->normal[1] * (x[1] - plane->point[1]),
           4.0);
    }
    const prc_contact_plane *slope = &s.contact[1].plane; /* a disc: distance of the centre less the radius */
    same(gap[2],
         slope->normal[0] * (q[3] - slope->point[0]) + slope->normal[1] * (q[4] - slope->point[1]) - 0.6,
         4.0);
  }
  prc_contact_set_free(&set);
  prc_rigid_free(&rigid);
}
END_TEST

/* Rows of H against central differences of the gap (N) and of the tangential position of the touching point (T). */
START_TEST(directions_are_the_derivatives_of_gap_and_slip) {
  static const int contact_of[4] = {0, 0, 1, 2};
  const double d = 1e-6;
  setting s;
  double q[6], v[6];
  prc_contact_set set = {0}, low_set = {0}, high_set = {0};
  make_setting(&s);
  prc_rigid *rigid = create(&s.model);
  const prc_system *system = prc_rigid_system(rigid);
  prc_rigid_initial(rigid, q, v);
  for (int turn = 0; turn < 12; turn++, q[2] += 0.6, q[5] -= 1.1) {
    found_contacts(system, q, &set);
    const double *H = set.H.x;
    for (int c = 0; c < 4; c++)
      for (int k = 0; k < 3; k++) {
        const int dof = set.H.dof[3 * c + k];
        const double *n = s.contact[contact_of[c]].plane.normal;
        double low[6], high[6], x_low[2], x_high[2];
        memcpy(low, q, sizeof q), memcpy(high, q, sizeof q);
        low[dof] -= d, high[dof] += d;
        found_contacts(system, low, &low_set);
        found_contacts(system, high, &high_set);
        touching(&s, c, q, low, x_low);
        touching(&s, c, q, high, x_high);
        const double slip = n[1] * (x_high[0] - x_low[0]) - n[0] * (x_high[1] - x_low[1]);
        ck_assert_double_le(fabs(H[6 * c + k] - (high_set.gap[c] - low_set.gap[c]) / (2.0 * d)), 1e-9);
        ck_assert_double_le(fabs(H[6 * c + 3 + k] - slip / (2.0 * d)), 1e-9);
      }
  }
  prc_contact_set_free(&set), prc_contact_set_free(&low_set), prc_contact_set_free(&high_set);
  prc_rigid_free(&rigid);
}
END_TEST

/* data: {a, b}: a + b t */
static prc_status linear_in_time(const prc_field *field, double x, double y, double t, double *value,
                                 prc_error *to) {
  const double *a = field->data;
  (void)x, (void)y, (void)to;
  *value = a[0] + a[1] * t;
  return PRC_OK;
}

static prc_status no_value(const prc_field *field, double x, double y, double t, double *value,
                           prc_error *to) {
  (void)field, (void)x, (void)y, (void)value;
  return prc_fail(to, PRC_INPUT, "no value at t = %g", t);
}

START_TEST(forces_are_gravity_and_fields_of_time) {
  double push[2] = {3.0, -2.0}, twist[2] = {0.5, 4.0}, g[2] = {-10.0, 1.0}, F[6];
  setting s;
  make_setting(&s);
  s.model.gravity[0] = prc_field_constant(1.5);
  s.body[0].force[1] = prc_field_constant(7.0);
  prc_rigid *rigid = create(&s.model);
  const prc_system *system = prc_rigid_system(rigid);
  ck_assert_uint_eq(system->dynamics.varies, 0);
  support_ok(system->dynamics.loads(system->owner, &(prc_at){.t = 2.0}, F, &err), &err);
  ck_assert_mem_eq(F, ((double[6]){3.0, 7.0, 0.0, 0.75, 0.0, 0.0}), sizeof F);
  prc_rigid_free(&rigid);

  s.model.gravity[1] = (prc_field){.eval = linear_in_time, .data = g, .uses_time = 1};
  s.body[0].force[0] = (prc_field){.eval = linear_in_time, .data = push, .uses_time = 1};
  s.body[1].moment = (prc_field){.eval = linear_in_time, .data = twist, .uses_time = 1};
  for (int only = 0; only < 3; only++) { /* any one of them makes the force vary */
    setting one = s;
    one.model.body = one.body, one.model.contact = one.contact;
    if (only != 0) one.model.gravity[1] = prc_field_constant(0.0);
    if (only != 1) one.body[0].force[0] = prc_field_constant(0.0);
    if (only != 2) one.body[1].moment = prc_field_constant(0.0);
    rigid = create(&one.model);
    ck_assert_uint_eq(prc_rigid_system(rigid)->dynamics.varies, PRC_LOADS_IN_TIME);
    prc_rigid_free(&rigid);
  }
  rigid = create(&s.model);
  support_ok(prc_rigid_system(rigid)->dynamics.loads(rigid, &(prc_at){.t = 2.0}, F, &err), &err);
  const double expected[6] = {2.0 * 1.5 - 1.0, 7.0 + 2.0 * -8.0, 0.0, 0.5 * 1.5, 0.5 * -8.0, 8.5};
  for (int i = 0; i < 6; i++) same(F[i], expected[i], 10.0);
  prc_rigid_free(&rigid);

  s.body[1].moment.eval = no_value;
  prc_error_clear(&err);
  support_fails(prc_rigid_create(&s.model, &rigid, &err), PRC_INPUT, &err, "no value at t = 0");
  ck_assert_ptr_null(rigid);
}
END_TEST

/* ---- outlines ---------------------------------------------------------------------------------------------- */

/* Of a cell: its points in space, checked against a distance from the middle. */
static int cell_size(const prc_rigid_outline *outline, int c) {
  return outline->start[c + 1] - outline->start[c];
}

static const double square[8] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
enum { LINE = 3, POLYGON = 7, VERTEX = 1 }; /* VTK's */

START_TEST(outlines_follow_the_bodies) {
  const double d = 1e-6;
  setting s;
  make_setting(&s);
  s.body[2] = s.body[0]; /* contact points alone, disc, polygon; three planes behind them */
  s.body[2].n_points = 4, s.body[2].point = square;
  s.body[2].position[0] = -2.0, s.body[2].angle = 2.5;
  s.model.n_bodies = 3;
  prc_rigid *rigid = create(&s.model);
  const prc_rigid_outline *outline = prc_rigid_get_outline(rigid);
  static const int type[] = {LINE, LINE, LINE, POLYGON, LINE, POLYGON, POLYGON, POLYGON, POLYGON},
                   size[] = {2, 2, 2, 48, 2, 4, 4, 4, 4}, owner[] = {0, 0, 0, 1, 1, 2, -1, -1, -1};
  const int n = outline->n_bounded;
  ck_assert_int_eq(outline->n_cells, 9);
  ck_assert_int_eq(n, 4 + 49 + 4);
  ck_assert_int_eq(outline->n_points, n + 12);
  for (int c = 0; c < 9; c++) {
    ck_assert_int_eq(outline->type[c], type[c]);
    ck_assert_int_eq(cell_size(outline, c), size[c]);
    ck_assert_int_eq(outline->owner[c], owner[c]);
    ck_assert_int_eq(outline->kind[c], owner[c] < 0 ? PRC_OUTLINE_HALF_PLANE : PRC_OUTLINE_BODY);
    for (int k = outline->start[c]; k < outline->start[c + 1]; k++)
      ck_assert_int_eq(outline->body[outline->node[k]], owner[c]);
  }
  ck_assert_int_eq(outline->start[9], outline->n_nodes);
  ck_assert_mem_eq(outline->r, s.point, 6 * sizeof(double));
  ck_assert_mem_eq(outline->r + 2 * (n - 4), square, sizeof square);
  for (int k = 4; k < n - 5; k++) same(hypot(outline->r[2 * k], outline->r[2 * k + 1]), 0.6, 1.0);

  double q[9], v[9], low[9], high[9], *x[3], *velocity = NULL;
  for (int k = 0; k < 3; k++) support_ok(prc_new(&x[k], 2 * outline->n_points, &err), &err);
  support_ok(prc_new(&velocity, 2 * outline->n_points, &err), &err);
  prc_rigid_initial(rigid, q, v);
  for (int i = 0; i < 9; i++) {
    v[i] = sin(1.0 + i);
    low[i] = q[i] - d * v[i], high[i] = q[i] + d * v[i];
  }
  prc_rigid_place_outline(rigid, low, v, x[0], NULL);
  prc_rigid_place_outline(rigid, high, v, x[1], NULL);
  prc_rigid_place_outline(rigid, q, v, x[2], velocity);
  for (int k = 0; k < n; k++) {
    const int b = 3 * outline->body[k];
    const double *r = outline->r + 2 * k, c = cos(q[b + 2]), t = sin(q[b + 2]);
    same(x[2][2 * k], q[b] + c * r[0] - t * r[1], 4.0);
    same(x[2][2 * k + 1], q[b + 1] + t * r[0] + c * r[1], 4.0);
    for (int i = 2 * k; i < 2 * k + 2; i++)
      ck_assert_double_le(fabs(velocity[i] - (x[1][i] - x[0][i]) / (2.0 * d)), 1e-8);
  }
  for (int p = 0; p < 3; p++) /* on the line, and behind it by the same depth */
    for (int k = 0; k < 4; k++) {
      const prc_contact_plane *plane = &s.contact[p].plane;
      const int i = n + 4 * p + k;
      const double gap = prc_contact_plane_distance(plane, x[2][2 * i], x[2][2 * i + 1]);
      if (k < 2)
        same(gap, 0.0, 8.0);
      else
        ck_assert_double_lt(gap, -0.1);
      ck_assert_double_eq(velocity[2 * i], 0.0);
    }
  for (int k = 0; k < 3; k++) prc_delete(&x[k]);
  prc_delete(&velocity);
  prc_rigid_free(&rigid);
}
END_TEST

/* Polygon, rounded triangle, rod, disc off the centre, point, segment; faces, holes, half-planes; and where they stand. */
START_TEST(parts_have_outlines_of_their_own) {
  static double triangle[] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0}, off[] = {0.3, 0.0}, up[] = {0.0, 1.0};
  const prc_shape part[] = {{.n = 3, .corner = triangle, .radius = 0.1, .extent = 1.2},
                            {.n = 2, .corner = triangle, .radius = 0.2, .extent = 1.2},
                            {.n = 1, .corner = off, .radius = 0.5, .extent = 0.8},
                            {.n = 1, .corner = off, .extent = 0.3},
                            {.n = 2, .corner = triangle, .extent = 1.0},
                            {.n = 3, .corner = triangle, .extent = 1.0},
                            {.n = 1, .corner = off, .normal = up, .extent = INFINITY},
                            {.n = 1, .corner = off, .radius = 2.0, .extent = INFINITY}};
  static const int type[] = {POLYGON, POLYGON, POLYGON, LINE, VERTEX, LINE, POLYGON},
                   owner[] = {0, 0, 0, 0, 0, 0, 0};
  const prc_rigid_body body[] = {
      {.name = "all",
       .mass = 1.0,
       .inertia = 1.0,
       .position = {5.0, 1.0},
       .angle = 0.5,
       .n_parts = 7,
       .part = part},
      {.name = "hole", .driven = 1, .noun = "obstacle", .n_parts = 1, .part = &part[7]},
      {.name = "table", .driven = 1, .n_parts = 1, .part = &part[6]}};
  const prc_rigid_model model = {.n_bodies = 3, .body = body};
  prc_rigid *rigid = create(&model);
  const prc_rigid_outline *o = prc_rigid_get_outline(rigid);
  ck_assert_int_eq(o->n_cells, 7 + 240 + 2);
  for (int c = 0; c < 7; c++) {
    ck_assert_int_eq(o->type[c], type[c]);
    ck_assert_int_eq(o->owner[c], owner[c]);
  }
  /* rounded corners are at their radius from the hull, and the arcs of a rod close it: half circles of 25 points */
  ck_assert_int_eq(cell_size(o, 1), 50);
  for (int k = o->start[0]; k < o->start[1]; k++) {
    const double *r = o->r + 2 * o->node[k];
    const double to_hull = fmin(fmin(hypot(r[0], r[1]), hypot(r[0] - 1.0, r[1])), hypot(r[0], r[1] - 1.0));
    same(to_hull, 0.1, 1.0);
  }
  for (int c = 7; c < 247; c++) {
    ck_assert_int_eq(o->kind[c], PRC_OUTLINE_OBSTACLE);
    ck_assert_int_eq(cell_size(o, c), 4);
    for (int k = 0; k < 4; k++) {
      const double *r = o->r + 2 * o->node[o->start[c] + k];
      same(hypot(r[0] - 0.3, r[1]), k < 2 ? 2.0 : 2.1, 1.0);
    }
  }
  ck_assert_int_eq(o->kind[247], PRC_OUTLINE_FACE);
  ck_assert_int_eq(o->kind[248], PRC_OUTLINE_HALF_PLANE);
  double q[9], v[9] = {0.0}, *x = NULL;
  support_ok(prc_new(&x, 2 * o->n_points, &err), &err);
  prc_rigid_initial(rigid, q, v);
  prc_rigid_place_outline(rigid, q, v, x, NULL);
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < o->n_bounded; k++)
    if (o->body[k] == 0) low = fmin(low, x[2 * k]), high = fmax(high, x[2 * k]);
  const double *table =
      x + 2 * o->node[o->start[248]]; /* under all of the free body, and no further than need be */
  ck_assert_double_lt(table[2], low);
  ck_assert_double_gt(table[0], high);
  ck_assert_double_lt(table[0] - table[2], 1.3 * (high - low));
  same(table[1], 0.0, 1.0);
  same(table[3], 0.0, 1.0);
  prc_delete(&x);
  prc_rigid_free(&rigid);
}
END_TEST

START_TEST(a_thousand_discs_are_round_and_tens_of_thousands_have_eight_corners) {
  enum { MANY = 20000 };
  static const int n[] = {1000, 4000, MANY}, segments[] = {48, 12, 8};
  prc_rigid_body *body = NULL;
  support_ok(prc_new(&body, MANY, &err), &err);
  for (int k = 0; k < MANY; k++)
    body[k] = (prc_rigid_body){.name = "d", .mass = 1.0, .inertia = 1.0, .radius = 0.5};
  for (int k = 0; k < 3; k++) {
    const prc_rigid_model model = {.n_bodies = n[k], .body = body};
    prc_rigid *rigid = create(&model);
    const prc_rigid_outline *o = prc_rigid_get_outline(rigid);
    ck_assert_int_eq(cell_size(o, 0), segments[k]);
    ck_assert_int_eq(o->n_cells, k == 0 ? 2 * n[k] : n[k]);
    prc_rigid_free(&rigid);
  }
  prc_delete(&body);
}
END_TEST

START_TEST(a_body_without_shape_or_contact_has_no_outline) {
  setting s;
  make_setting(&s);
  s.model.n_bodies = 1, s.model.n_contacts = 0;
  prc_rigid *rigid = create(&s.model);
  ck_assert_int_eq(prc_rigid_get_outline(rigid)->n_points, 0);
  ck_assert_int_eq(prc_rigid_get_outline(rigid)->n_cells, 0);
  prc_rigid_free(&rigid);
}
END_TEST

/* ---- free flight ------------------------------------------------------------------------------------------- */

/* At theta = 1/2 the scheme integrates constant forces without error: a parabola and a turning at constant rate. */
START_TEST(free_flight_is_exact) {
  const double h = 0x1p-10;
  setting s;
  make_setting(&s);
  s.model.n_contacts = 0;
  s.model.gravity[0] = prc_field_constant(0.5), s.model.gravity[1] = prc_field_constant(-9.81);
  s.body[0].velocity[0] = 2.0, s.body[0].velocity[1] = 5.0, s.body[0].spin = 3.0;
  s.body[1].spin = -7.0, s.body[1].moment = prc_field_constant(0.2);
  prc_rigid *rigid = create(&s.model);
  const prc_step_options options = prc_step_options_default(h);
  prc_stepper *stepper = NULL;
  double q[6], v[6], now[6];
  prc_rigid_initial(rigid, q, v);
  support_ok(prc_stepper_create(prc_rigid_system(rigid), &options, &stepper, &err), &err);
  support_ok(prc_stepper_start(stepper, q, v, &err), &err);
  const double a[6] = {0.5, -9.81, 0.0, 0.5, -9.81, 2.0};
  for (int k = 1; k <= 1000; k++) {
    support_ok(prc_stepper_step(stepper, &err), &err);
    prc_stepper_state(stepper, now, NULL, NULL);
    const double t = k * h;
    for (int i = 0; i < 6; i++) {
      ck_assert_double_le(fabs(now[i] - (v[i] + a[i] * t)), 1e-12);
      ck_assert_double_le(fabs(prc_stepper_record(stepper)->q[i] - (q[i] + v[i] * t + 0.5 * a[i] * t * t)),
                          1e-12);
    }
  }
  prc_stepper_free(&stepper);
  prc_rigid_free(&rigid);
}
END_TEST

SUITE(rigid) {
  Suite *s = suite_create("rigid");
  TCase *polygon = tcase_create("polygon"), *model = tcase_create("model"),
        *outline = tcase_create("outline");
  tcase_add_test(polygon, a_rectangle_has_its_textbook_facts);
  tcase_add_test(polygon, a_triangle_has_its_textbook_facts);
  tcase_add_test(polygon, a_shape_that_is_not_convex_adds_up_from_its_parts);
  tcase_add_test(polygon, a_clockwise_polygon_has_a_negative_area_and_the_same_moment);
  tcase_add_test(polygon, a_polygon_far_away_keeps_its_digits);
  tcase_add_test(polygon, bad_polygons_are_refused_with_their_corners);
  suite_add_tcase(s, polygon);
  tcase_add_test(model, bad_bodies_are_refused_by_name);
  tcase_add_test(model, bad_contacts_are_refused_by_name);
  tcase_add_test(model, bodies_and_contacts_keep_their_order);
  tcase_add_test(model, a_body_may_have_no_contact);
  tcase_add_test(model, gaps_are_distances_of_points_and_discs_to_slanted_planes);
  tcase_add_test(model, directions_are_the_derivatives_of_gap_and_slip);
  tcase_add_test(model, forces_are_gravity_and_fields_of_time);
  suite_add_tcase(s, model);
  tcase_add_test(outline, outlines_follow_the_bodies);
  tcase_add_test(outline, parts_have_outlines_of_their_own);
  tcase_add_test(outline, a_thousand_discs_are_round_and_tens_of_thousands_have_eight_corners);
  tcase_add_test(outline, a_body_without_shape_or_contact_has_no_outline);
  tcase_add_test(outline, free_flight_is_exact);
  suite_add_tcase(s, outline);
  return s;
}

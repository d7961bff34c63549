/* A thousand discs that settle in a box, ten thousand steps with Fremond's law: the certificate passes, and nothing goes through anything,
 * of all pairs. */
#include "config.h"
#include "support/crowd.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS = 40, ROWS = 25, STEPS = 10000 };

static void fill_box(crowd *c) {
  const double zero[2] = {0.0, 0.0}, up[2] = {0.0, 1.0}, right[2] = {1.0, 0.0}, left[2] = {-1.0, 0.0};
  const double corner[2] = {1.01 * COLUMNS, 0.0};
  prc_random random = {7};
  for (int i = 0; i < COLUMNS * ROWS; i++) {
    const double radius = prc_random_uniform(&random, 0.4, 0.5);
    const double x = 1.01 * (i % COLUMNS) + 0.505 + prc_random_uniform(&random, -0.004, 0.004);
    (void)crowd_disc(c, x, 1.01 * (i / COLUMNS) + 0.51, radius);
  }
  (void)crowd_half_plane(c, zero, up);
  (void)crowd_half_plane(c, zero, right);
  (void)crowd_half_plane(c, corner, left);
  crowd_gravity(c, 0.0, -9.81);
  crowd_meet(c, 0.3, 0.0);
}

/* The deepest overlap of all pairs, listed or not. */
static double deepest(const crowd *c) {
  double depth = 0.0;
  const int n = COLUMNS * ROWS;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const double *a = c->r->q + 3 * i, *b = c->r->q + 3 * j;
      depth = fmax(depth, c->body[i].radius + c->body[j].radius - hypot(a[0] - b[0], a[1] - b[1]));
    }
  return depth;
}

START_TEST(a_thousand_discs_settle) {
  crowd c = {0};
  fill_box(&c);
  prc_step_options o = crowd_options(5e-4, 0.6, PRC_IMPACT_FREMOND);
  o.cone.tolerance = 1e-4;
  crowd_open(&c, &o);
  double weight = 0.0, floor = 0.0, worst = 0.0, after = 0.0;
  for (int k = 0; k < 100; k++) {
    crowd_steps(&c, STEPS / 100);
    worst = fmax(worst, deepest(&c));
    if (k == 89) after = crowd_kinetic(&c);
  }
  const prc_certificate certificate = prc_ledger_certificate(c.ledger);
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++)
    ck_assert_msg(certificate.entry[k].verdict != PRC_FAIL, "%s: %g, expected %g", certificate.entry[k].name,
                  certificate.entry[k].value, certificate.entry[k].bound);
  ck_assert_double_le(
      worst,
      0.01); /* of all pairs, of the diameter of the largest: the certificate has each by its own size */
  for (int b = 0; b < COLUMNS * ROWS; b++) weight += 9.81 * c.body[b].mass;
  for (int i = 0; i < c.r->n_contacts; i++) {
    const int *body = c.r->contacts->body + 2 * i;
    if (body[0] == COLUMNS * ROWS || body[1] == COLUMNS * ROWS) floor += c.r->p[2 * i] / c.r->h;
  }
  printf("# kinetic energy %.3g and %.3g, floor %.6g of %.6g, deepest %.3g\n", after, crowd_kinetic(&c),
         floor, weight, worst);
  crowd_close(&c);
}
END_TEST

int main(void) {
  Suite *s = suite_create("settling");
  TCase *t = tcase_create("all");
  tcase_set_timeout(t, 3600.0);
  tcase_add_test(t, a_thousand_discs_settle);
  suite_add_tcase(s, t);
  return support_run(s);
}

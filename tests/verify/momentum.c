/* Momentum, and motions that are prescribed: what the supports give is what the body gets. */
#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What went into the total momentum of direction d in the last step, and the size of what was added up: the elastic
 * forces sum to zero, the rest is m' - m = h F + h R + p on a floor, where p_n is along y and p_t along x. */
typedef struct {
  double change, given, size;
} momentum;

static momentum momentum_of(const prc_step_record *r, const prc_drive *drive, int d) {
  momentum s = {0.0, 0.0, 0.0};
  for (int i = 0; i < r->n; i++) {
    if (i % 2 != d) continue;
    s.change += r->m[i] - r->m_old[i];
    s.given += r->h * r->F[i];
    s.size += fabs(r->m[i]) + fabs(r->m_old[i]) + r->h * (fabs(r->F[i]) + fabs(r->f[i]) + fabs(r->f_old[i]));
  }
  for (int i = 0; i < r->n_prescribed; i++)
    if (drive->dof[i] % 2 == d) s.given += r->h * r->reaction[i];
  for (int c = 0; c < r->n_contacts; c++) s.given += r->p[2 * c + (d == 0)];
  return s;
}

/* u_y of the top: -0.005 and then a smooth swing of 2e-3 mm, or a ramp of -0.02 mm/ms */
static prc_status swinging(const prc_field *field, double x, double y, double t, double *value,
                           prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = -0.005 + 1e-3 * (cos(20.0 * t) - 1.0);
  return PRC_OK;
}

static prc_status ramp(const prc_field *field, double x, double y, double t, double *value, prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = -0.005 - 0.02 * t;
  return PRC_OK;
}

static const struct {
  prc_impact law;
  double theta;
  int swinging;
} kinds[] = {{PRC_IMPACT_FREMOND, 0.5, 0},
             {PRC_IMPACT_NEWTON, 0.5, 0},
             {PRC_IMPACT_FREMOND, 0.5, 1},
             {PRC_IMPACT_FREMOND, 0.8, 1},
             {PRC_IMPACT_NEWTON, 1.0, 1}};

START_TEST(momentum_changes_by_what_loads_supports_and_contacts_give) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0);
  block b;
  double pushed = 0.0, held = 0.0;
  block_case(&b, mesh);
  b.step.law = kinds[_i].law, b.step.theta = kinds[_i].theta;
  if (kinds[_i].swinging) b.support.displacement[1] = (prc_field){.eval = swinging, .uses_time = 1};
  block_start(&b);
  for (int k = 0; k < 1000; k++) {
    block_step(&b, 1);
    for (int d = 0; d < 2; d++) { /* 100 rounding errors of what is added up, of some 700 terms */
      const momentum s = momentum_of(b.record, &b.system->drive, d);
      ck_assert_msg(fabs(s.change - s.given) <= 100.0 * 2.2e-16 * s.size,
                    "step %d, direction %d: %.12g and %.12g of %g", k + 1, d, s.change, s.given, s.size);
    }
    for (int c = 0; c < b.record->n_contacts; c++) pushed += b.record->p[2 * c];
    for (int i = 0; i < b.record->n_prescribed; i++) held -= b.record->h * b.record->reaction[i];
  }
  ck_assert_double_gt(pushed, 1.0); /* of the preload, 340 N for 0.1 ms */
  ck_assert_double_gt(held, 1.0);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(
    a_ramp_does_not_ring) { /* theta = 1/2 damps nothing: a datum of displacements would ring at every step */
  prc_mesh *mesh = block_mesh("meshes/block.geo", 2.0);
  block b;
  double before[2] = {0.0}, work = 0.0, largest = 0.0, bend = 0.0;
  block_case(&b, mesh);
  block_without_load(&b);
  b.model.gravity[1] = prc_field_constant(0.0);
  b.support.displacement[1] = (prc_field){.eval = ramp, .uses_time = 1};
  b.step.h =
      2e-5; /* a tenth of what the shortest wave needs for a period or less: a force may bend 0.4 (h omega)^2 */
  block_start(&b);
  const prc_step_record *r = b.record;
  for (int k = 0; k < 5000; k++) {
    double R = 0.0;
    block_step(&b, 1);
    for (int i = 0; i < r->n_prescribed; i++) {
      const int at = b.system->drive.dof[i];
      /* rounding of d over h: eps x 0.007 / 2e-5, some times the weights of the five-point formula */
      ck_assert_double_le(fabs(r->v[at] + 0.02), 1e-11);
      ck_assert_double_le(fabs(r->v_work[at] + 0.02), 1e-11);
      R += r->reaction[i];
      work += r->h * r->v_work[at] * r->reaction[i];
    }
    largest = fmax(largest, fabs(R));
    if (k >= 2) bend = fmax(bend, fabs(R - 2.0 * before[0] + before[1]));
    before[1] = before[0], before[0] = R;
    ck_assert_double_le(fabs(b.row->work_external - work), 1e-12 * largest); /* the only work that there is */
  }
  const prc_certificate c = block_certificate(&b);
  ck_assert_int_eq(c.verdict, PRC_PASS);
  /* q_p stays with d over 5000 steps, in which it goes 0.002 */
  ck_assert_double_le(0.002 * c.entry[PRC_CERTIFY_PRESCRIBED].value, 1e-14);
  ck_assert_double_le(bend, 0.1 * largest); /* ringing has 4 */
  /* squeezed from 0.005 to 0.007: quasi-static energy grows by (0.007 / 0.005)^2, the waves of the start come on top */
  ck_assert_double_eq_tol(block_energy(&b) / 1.775, 1.96, 0.1 * 1.96);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

/* A load that is a square wave on steps [first, last): 1 in even steps and -2 in odd ones; at the times of its jumps it is what `at_jump` says. */
typedef struct {
  double h, at_jump;
  int first, last;
} wave;

static prc_status wave_at(const prc_field *field, double x, double y, double t, double *value,
                          prc_error *err) {
  const wave *w = field->data;
  const double place = t / w->h, nearest = rint(place);
  (void)x, (void)y, (void)err;
  const int k = (int)floor(place);
  *value = k < w->first || k >= w->last ? 0.0 : k % 2 == 0 ? 1.0 : -2.0;
  if (fabs(place - nearest) < 1e-12 && nearest >= w->first && nearest <= w->last) *value = w->at_jump;
  return PRC_OK;
}

static const struct {
  const char *scheme;
  double theta;
} jumpers[] = {{"theta", 0.5},    {"theta", 0.7},    {"theta", 1.0},
               {"midpoint", 0.5}, {"position", 1.0}, {"generalized-alpha", 0.5},
               {"ggl", 0.5}};

/* The momentum of a free mesh under a traction and a pressure is their impulse: 15 x 25 mm^2 of the left side, whatever is said of the times of jumps. */
START_TEST(loads_that_jump_at_ends_of_steps_give_their_impulse) {
  prc_mesh *mesh = block_strip(4, 3, 40.0, 25.0);
  prc_random random = {.state = 11 + (uint64_t)_i};
  for (int round = 0; round < 4; round++) {
    block b;
    double total[2] = {0.0, 0.0}, impulse = 0.0;
    const double h = pow(10.0, prc_random_uniform(&random, -5.0, -3.0));
    wave w = {.h = h, .at_jump = prc_random_uniform(&random, -5.0, 5.0)};
    w.first = (int)prc_random_uniform(&random, 1.0, 4.0);
    w.last = w.first + (int)prc_random_uniform(&random, 1.0, 6.0);
    const prc_field field = {.eval = wave_at, .data = &w, .uses_time = 1};
    block_case(&b, mesh);
    block_without_support(&b), block_without_contact(&b);
    b.preloaded = 0, b.model.gravity[1] = prc_field_constant(0.0);
    b.load.traction[0] = prc_field_constant(0.0), b.load.traction[1] = field, b.load.pressure = field;
    b.step = prc_step_options_default(h);
    b.step.scheme = jumpers[_i].scheme, b.step.theta = jumpers[_i].theta;
    if (strcmp(b.step.scheme, "position") == 0) b.step.law = PRC_IMPACT_FREMOND;
    if (b.step.theta == 0.5 && strcmp(b.step.scheme, "theta") != 0) b.step.law = PRC_IMPACT_NEWTON;
    block_start(&b);
    block_step(&b, w.last + 50); /* what the levels remember halves with each */
    for (int i = 0; i < b.record->n; i++) total[i % 2] += b.record->m[i];
    for (int k = w.first; k < w.last; k++) impulse += h * 375.0 * (k % 2 == 0 ? 1.0 : -2.0);
    for (int d = 0; d < 2; d++) /* a pressure on the left pushes to the right */
      ck_assert_msg(fabs(total[d] - impulse) <= 1e-11 * 375.0 * h * 6.0,
                    "%s, h = %g, steps %d to %d, %g at jumps, direction %d: %.15g, expected %.15g",
                    b.step.scheme, h, w.first, w.last, w.at_jump, d, total[d], impulse);
    block_free(&b);
  }
  prc_mesh_free(&mesh);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("momentum");
  TCase *momentum_case = tcase_create("momentum");
  tcase_add_loop_test(momentum_case, momentum_changes_by_what_loads_supports_and_contacts_give, 0,
                      sizeof kinds / sizeof *kinds);
  tcase_add_test(momentum_case, a_ramp_does_not_ring);
  tcase_add_loop_test(momentum_case, loads_that_jump_at_ends_of_steps_give_their_impulse, 0,
                      sizeof jumpers / sizeof *jumpers);
  suite_add_tcase(suite, momentum_case);
  return support_run(suite);
}

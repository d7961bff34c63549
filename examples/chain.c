/* A chain of masses and springs between two walls, as a prc_system of one's own; against the closed form of its vibration.
 *
 *   cc -std=c17 chain.c $(pkg-config --cflags --libs percuss) -lm -o chain && ./chain
 *
 * Masses m at equal distances, springs k between neighbours and to the walls. Mode j has the shape sin(j pi i / (n + 1)) and the frequency
 * omega = 2 sqrt(k/m) sin(j pi / (2 (n + 1))). The scheme with theta = 1/2 turns it by the angle 2 atan(omega h / 2) in each step, and does so
 * exactly: what is left is rounding. */
#include <percuss/ledger/ledger.h>
#include <percuss/step/step.h>

#include <math.h>
#include <stdio.h>

enum { N = 20, MODE = 3, STEPS = 1000 };
static const double mass = 0.5, stiffness = 800.0, h = 2e-3, pi = 3.14159265358979323846;

/* Lower triangles by columns: in column j first the diagonal, then row j + 1. */
typedef struct {
  int p[N + 1], i[2 * N];
  double x[2 * N];
} triangle;

static prc_sym make(triangle *t, double diagonal, double beside) {
  int k = 0;
  for (int j = 0; j < N; j++) {
    t->p[j] = k;
    t->i[k] = j, t->x[k++] = diagonal;
    if (beside != 0.0 && j + 1 < N) t->i[k] = j + 1, t->x[k++] = beside;
  }
  t->p[N] = k;
  return (prc_sym){.n = N, .p = t->p, .i = t->i, .x = t->x};
}

int main(void) {
  triangle of_M, of_K;
  const prc_sym M = make(&of_M, mass, 0.0), K = make(&of_K, 2.0 * stiffness, -stiffness);
  const double omega = 2.0 * sqrt(stiffness / mass) * sin(MODE * pi / (2.0 * (N + 1)));
  /* length: the size of the coordinates; velocity: well above those of the chain, that of its waves over one mass */
  const prc_system chain = {
      .space = {.nv = N}, .dynamics = {.M = &M, .K = &K}, .length = 1.0, .velocity = sqrt(stiffness / mass)};
  double q[N], v[N] = {0.0}, off = 0.0;
  prc_stepper *stepper = NULL;
  prc_ledger *ledger = NULL;
  prc_error err = {0};
  for (int i = 0; i < N; i++) q[i] = 0.01 * sin(MODE * pi * (i + 1) / (N + 1));
  const double start = q[0];

  prc_status status =
      prc_system_check_at(&chain, &(prc_at){0.0, q, v}, h, &err); /* while it is being written */
  const prc_step_options options = prc_step_options_default(h);   /* theta is 1/2 */
  if (status == PRC_OK) status = prc_stepper_create(&chain, &options, &stepper, &err);
  if (status == PRC_OK) status = prc_stepper_start(stepper, q, v, &err);
  if (status == PRC_OK) {
    const prc_ledger_options of_ledger = {.promises = prc_stepper_promises(stepper), .max_penetration = -1.0};
    status = prc_ledger_create(&of_ledger, &ledger, &err);
  }
  if (status == PRC_OK) prc_ledger_start(ledger, prc_stepper_record(stepper));
  for (int k = 1; status == PRC_OK && k <= STEPS; k++) {
    status = prc_stepper_step(stepper, &err);
    if (status != PRC_OK) break;
    prc_ledger_enter(ledger, prc_stepper_record(stepper));
    const double exact = start * cos(2.0 * k * atan(0.5 * omega * h));
    off = fmax(off, fabs(prc_stepper_record(stepper)->q[0] - exact) / start);
  }
  if (status == PRC_OK) {
    printf("omega %.6g, of the scheme %.6g\n", omega, 2.0 * atan(0.5 * omega * h) / h);
    printf("largest error over %d steps: %.2g of the amplitude\n", STEPS, off);
    printf("certificate: %s\n", prc_verdict_name(prc_ledger_certificate(ledger).verdict));
  } else
    fprintf(stderr, "%s\n", err.message);
  prc_ledger_free(&ledger);
  prc_stepper_free(&stepper);
  return status != PRC_OK || !(off < 1e-10);
}

/* Two bodies that meet, of mapped squares, stepped through the library with its ledger: a test fills in what it wants and starts. */
#ifndef PRC_TESTS_DUET_H
#define PRC_TESTS_DUET_H

#include "fem/fem.h"
#include "ledger/ledger.h"
#include "step/step.h"
#include "support/patches.h"

enum { DUET_MOST = 6 };
typedef struct {
  prc_mesh *mesh;
  prc_fem_model model;
  prc_fem_material material[DUET_MOST];
  prc_fem_support support[DUET_MOST];
  prc_fem_load load[DUET_MOST];
  prc_fem_interface interface[DUET_MOST];
  prc_step_options step;
  prc_fem *fem;
  const prc_system *system;
  double *q0, *v0;
  prc_stepper *stepper;
  const prc_step_record *record;
  prc_ledger *ledger;
  const prc_ledger_row *row;
} duet;

/* Plane strain, thickness 1, E = 1000, nu = 0.3, rho = 1 in all patches. */
void duet_case(duet *d, int n, const patch *list);
/* "a.left": its curve */
const prc_mesh_group *duet_curve(const duet *d, const char *name);
/* Holds x and y (bits 1, 2) of a curve at what stands there. */
void duet_hold(duet *d, const char *curve, int bits, double x, double y);
void duet_press(duet *d, const char *curve, double pressure);
prc_fem_interface *duet_meet(duet *d, const char *touched, const char *touching, double mu);
void duet_prepare(duet *d);
void duet_begin(duet *d);
void duet_start(duet *d);
void duet_step(duet *d, int n);
void duet_free(duet *d);
/* A load step of the static analysis to equilibrium, from zeros, at h = 1. */
void duet_solve(duet *d);
/* p / area of contact c of the record over the step, n and t */
void duet_traction(const duet *d, int c, double out[2]);
/* where the node of contact c was at first */
const double *duet_place(const duet *d, int c);

#endif

/* A plate as a body of one material, and its steps without a ledger: open, fill in what differs, build, start, step, close. */
#ifndef PRC_TESTS_RIG_H
#define PRC_TESTS_RIG_H

#include "fem/fem.h"
#include "step/step.h"
#include "support/plate.h"

typedef struct {
  prc_mesh *mesh;
  prc_fem_material material;
  prc_fem_load load[4];
  prc_fem_support support[4];
  prc_fem_contact contact;
  prc_fem_model model;
  prc_fem *fem;
  const prc_system *system;
  prc_stepper *stepper;
  const prc_step_record *record;
} rig;

/* Young's modulus, Poisson's ratio, density: plane stress, thickness 1, nothing held and nothing loaded */
void rig_open(rig *r, const plate *p, const double material[3]);
/* Support number k of the model holds side `side` (PLATE_BOTTOM, ...) at zero in the components marked. */
void rig_hold(rig *r, int k, int side, int x, int y);
void rig_build(rig *r);
void rig_start(rig *r, const prc_step_options *options, const double *q, const double *v);
void rig_step(rig *r, int n);
void rig_close(rig *r);

/* n zeros; the caller deletes them. */
double *rig_room(size_t n);
/* A x = lambda B x, symmetric, n x n by columns: eigenvalues ascending, vectors in A, B destroyed */
void rig_eigen(int n, double *A, double *B, double *lambda);

#endif

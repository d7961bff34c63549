/* Runs of rigid bodies: what the verification programs of the rigid bodies share. */
#ifndef PRC_TESTS_RIGID_COMMON_H
#define PRC_TESTS_RIGID_COMMON_H

#include "ledger/ledger.h"
#include "rigid/rigid.h"
#include "support/support.h"

enum { RIGID_BODIES = 2, RIGID_CONTACTS = 4 };

/* A model together with everything it points to. */
typedef struct {
  prc_rigid_body body[RIGID_BODIES];
  prc_rigid_contact contact[RIGID_CONTACTS];
  double point[2 * RIGID_CONTACTS]; /* room for contact points */
  prc_rigid_model model;
} rigid_case;

extern prc_error rigid_err;

/* One body of mass 1 under gravity g, no contacts yet. */
void rigid_case_one(rigid_case *c, double inertia, double g);
/* Appends a contact of body b with the plane through (plane[0], plane[1]) of normal (plane[2], plane[3]): of n points of
 * the body, or, when n = 0, of its disc of that radius. Returns it: smooth and inelastic. */
prc_rigid_contact *rigid_case_contact(rigid_case *c, int b, const double plane[4], int n, const double *point,
                                      double radius);
/* The systems of Acary & Collins-Craft 2024, sections 5.1 and 5.2. */
void rigid_case_stick(rigid_case *c);
void rigid_case_block(rigid_case *c, double inertia);

typedef struct {
  rigid_case *setting;
  prc_rigid *rigid;
  const prc_system *system;
  prc_stepper *stepper;
  const prc_step_record *record;
  double q[3 * RIGID_BODIES], v[3 * RIGID_BODIES]; /* of the present step, the system's order */
} rigid_run;

prc_step_options rigid_options(prc_impact law, double h, double theta);
/* At the start of the case. */
void rigid_run_open(rigid_run *run, rigid_case *c, const prc_step_options *options);
void rigid_run_step(rigid_run *run);
void rigid_run_steps(rigid_run *run, int n);
void rigid_run_close(rigid_run *run);
/* kinetic energy, and with the potential energy - m g . x of a constant gravity */
double rigid_run_kinetic(const rigid_run *run);
double rigid_run_energy(const rigid_run *run);

#endif

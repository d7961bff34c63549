#ifndef PRC_SIMULATION_INTERNAL_H
#define PRC_SIMULATION_INTERNAL_H

#include "simulation/simulation.h"

struct prc_simulation {
  prc_case *c;
  prc_model *model;
  prc_stepper *stepper;
  prc_ledger *ledger;
  int nq, nv;
  double *q, *v;  /* the caller's: what differs from the stepper's is to be taken over */
  double *force;  /* nv; NULL until it is asked for */
  double *mass;   /* nv; likewise */
  int is_pending; /* a state could be taken over in part only: it has to be, before anything goes on */
  int step_failed;
  prc_view_fields **fields; /* of each body; NULL: not asked for */
  prc_certificate certificate;
};

#endif

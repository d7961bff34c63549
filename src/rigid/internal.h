#ifndef PRC_RIGID_INTERNAL_H
#define PRC_RIGID_INTERNAL_H

#include "rigid/rigid.h"

struct prc_rigid {
  const prc_rigid_model *model;
  prc_sym *M;
  int *contact_first; /* n_contacts + 1 */
  int *contact_of;    /* candidates: the contact each belongs to */
  double *r;          /* 2 per candidate: its point in the body's axes; unused for a disc */
  prc_law *law;       /* n_contacts */
  double *size;       /* n_bodies */
  int n_driven;       /* prescribed dofs, three for each driven body */
  int *driven;        /* their list */
  char *driven_work;  /* ones: their work is that of obstacles */
  prc_rigid_outline outline;
  prc_system system;
};

/* R(angle) r */
void prc_rigid_turn(double angle, const double r[2], double out[2]);
prc_status prc_rigid_make_outline(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK; /* outline.c */
void prc_rigid_free_outline(prc_rigid *rigid);
/* The dofs of driven bodies and their motion (drive.c). */
prc_status prc_rigid_make_drive(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;

#endif

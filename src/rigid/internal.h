#ifndef PRC_RIGID_INTERNAL_H
#define PRC_RIGID_INTERNAL_H

#include "contact/grid.h"
#include "rigid/rigid.h"

/* Of bodies that meet (pairs.c). */
typedef struct {
  int n_parts; /* of all bodies, one after the other */
  const prc_shape **part;
  int *body; /* n_parts: whose it is */
  int n_finite, n_endless;
  int *finite, *endless; /* parts that end somewhere; half-planes and holes */
  char *still;           /* n_finite: of driven bodies, which never meet each other */
  double *box;           /* 4 n_finite */
  double *drift;         /* n_parts: how far those that end somewhere may come in a search */
  prc_pose *pose;        /* n_bodies */
  int n_words;
  uint64_t *side[2];    /* n_words for each body: bit k of the first, or of the second set of pairs k */
  prc_law *law;         /* n_pairs */
  const prc_law **laws; /* and where they are */
  char *touched;        /* of dofs: all of them */
  prc_grid *grid;
  prc_shape_touches touches; /* workspace */
} prc_rigid_meeting;

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
  prc_rigid_meeting meeting;
  prc_system system;
};

/* R(angle) r */
void prc_rigid_turn(double angle, const double r[2], double out[2]);
prc_status prc_rigid_make_outline(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK; /* outline.c */
void prc_rigid_free_outline(prc_rigid *rigid);
/* The dofs of driven bodies and their motion (drive.c). */
prc_status prc_rigid_make_drive(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;

/* Contacts of bodies that meet (pairs.c): find adds them; evaluate those of the set from the place `first` on. */
prc_status prc_rigid_make_pairs(prc_rigid *rigid, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_free_pairs(prc_rigid *rigid);
prc_status prc_rigid_find_pairs(prc_rigid *rigid, const prc_at *at, double h, double reach,
                                prc_contact_set *set, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_evaluate_pairs(prc_rigid *rigid, const prc_at *at, unsigned what, int first,
                              prc_contact_set *set);

#endif

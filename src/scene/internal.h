#ifndef PRC_SCENE_INTERNAL_H
#define PRC_SCENE_INTERNAL_H

#include "scene/scene.h"

struct prc_scene {
  int n_bodies, n_contacts;
  prc_body *body;
  const prc_system **of;      /* n_bodies: their systems */
  prc_scene_contact *contact; /* n_contacts */
  int first_surface;          /* id.a of the first of them */
  int first_group;            /* and their groups */
  prc_sym *M, *K, *C;         /* of all bodies; NULL where no body has one */
  int *prescribed;            /* dofs of the system */
  char *work;                 /* of them */
  char *touched;              /* of dofs: by contacts; NULL where these do not come and go */
  const prc_law **law;        /* that contacts may have later */
  prc_system system;
};

/* Blocks of M, K and C (matrices.c), prescribed motions (motions.c), contacts (contacts.c). */
prc_status prc_scene_make_matrices(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_make_drive(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_make_contacts(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;

#endif

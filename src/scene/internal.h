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
  int *joint_start, *joint_dof;
  char *joint_of_velocities;
  prc_sym **part;   /* n_bodies: for their own tangents; NULL where there are none */
  prc_sym *pattern; /* of the tangent */
  prc_system system;
};

/* Blocks of M, K and C (matrices.c), prescribed motions (motions.c), contacts (contacts.c). */
prc_status prc_scene_make_matrices(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_make_drive(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_make_contacts(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
/* Are some body's internal forces not linear? Then the scene has no K. */
int prc_scene_is_nonlinear(const prc_scene *scene);
/* Joints (joints.c); internal forces that are not linear, and dampings of the state (nonlinear.c), once `varies` is known. */
prc_status prc_scene_make_joints(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_make_nonlinear(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
void prc_scene_free_nonlinear(prc_scene *scene);
/* The blocks of what K and the bodies' tangents have. */
prc_status prc_scene_make_pattern(const prc_scene *scene, prc_sym **out, prc_error *err) PRC_MUST_CHECK;

#endif

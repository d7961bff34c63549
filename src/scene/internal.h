#ifndef PRC_SCENE_INTERNAL_H
#define PRC_SCENE_INTERNAL_H

#include "contact/sides.h"
#include "scene/figures.h"
#include "scene/scene.h"

/* A joint between two bodies (linked.c). */
typedef struct {
  int first, n_rows;
  double length, turn,
      value; /* of the angle's row, or the distance; the angle between both, and what is prescribed, at the start */
} prc_scene_joint_facts;

/* A curve of a mesh and the parts that it may touch (sides.c). */
typedef struct {
  int item, by_nodes; /* by_nodes: a disc that is large against the sides */
  const prc_shape *shape;
} prc_scene_side_part;
typedef struct {
  int curve_of, shapes_of, first_surface; /* first_surface: id.a of the first part, the others follow */
  const prc_mesh_group *curve;
  int n_parts;
  prc_scene_side_part *part;
  prc_mortar_chain *chain;
  double longest;     /* side at the start */
  const prc_law *law; /* of each point of the chain */
  prc_side_touches touches;
} prc_scene_sides;

struct prc_scene {
  int n_bodies, n_contacts;
  prc_body *body;
  const prc_system **of;      /* n_bodies: their systems */
  prc_scene_contact *contact; /* n_contacts */
  int n_sides;
  prc_scene_sides *sides;          /* n_sides: behind the contacts */
  int first_surface;               /* id.a of the first of them */
  int first_group;                 /* and their groups */
  prc_sym *M, *K, *C, *C_boundary; /* of all bodies; NULL where no body has one */
  int *prescribed;                 /* dofs of the system */
  char *work, *turn;               /* of them */
  int *like;
  int *body_of_dof;    /* system.space.body, or NULL */
  char *mean;          /* system.space.mean, or NULL */
  int *centre;         /* system.space.centre, or NULL */
  int *whole;          /* system.whole, or NULL */
  char *deforms;       /* system.space.deforms, or NULL */
  char *touched;       /* of dofs: by contacts; NULL where these do not come and go */
  const prc_law **law; /* that contacts may have later */
  int *joint_start, *joint_dof;
  char *joint_of_velocities;
  int n_joints;
  prc_scene_joint *joint; /* n_joints: between bodies */
  prc_scene_joint_facts *fact;
  double *start;    /* coordinates, where there are such joints */
  double *middle;   /* nv: q + dx/2; NULL where there is no mean of internal forces */
  prc_sym **part;   /* n_bodies: for their own tangents; NULL where there are none */
  prc_sym *pattern; /* of the tangent */
  double max_penetration;
  struct prc_scene_overlaps *overlaps; /* overlap.c */
  prc_system system;
};

/* Blocks of M, K and C (matrices.c), prescribed motions (motions.c), contacts (contacts.c). */
prc_status prc_scene_make_matrices(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_make_drive(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_make_contacts(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
/* The local frame in space, n, t and k x ..., and where it stands. */
void prc_scene_write_place(const double normal[2], const double x[2], double *frame, double *place);
/* Curves of meshes against rigid shapes (sides.c). q: the state at the start; touched: of all dofs. */
prc_status prc_scene_make_sides(prc_scene *scene, const prc_scene_model *model, const double *q,
                                prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_find_sides(prc_scene *scene, int k, const prc_at *at, double h, double reach,
                                prc_contact_set *set, prc_error *err) PRC_MUST_CHECK;
void prc_scene_evaluate_sides(const prc_scene *scene, int k, const prc_at *at, unsigned what,
                              prc_contact_set *set);
void prc_scene_touch_sides(const prc_scene *scene, char *touched);
void prc_scene_free_sides(prc_scene *scene);
/* Are some body's internal forces not linear? Then the scene has no K. */
int prc_scene_is_nonlinear(const prc_scene *scene);
/* Joints between bodies (linked.c): first their facts, n rows from `first` on and n entries of G, then the dofs of row i, ascending. The rest is
 * system.h's, of joint k. */
prc_status prc_scene_make_linked(prc_scene *scene, int first, int *n_rows, int *n_entries,
                                 prc_error *err) PRC_MUST_CHECK;
int prc_scene_linked_dofs(const prc_scene *scene, int k, int dof[2 * PRC_BODY_DOFS]);
prc_status prc_scene_evaluate_linked(const prc_scene *scene, int k, const prc_at *at, double *g, double *G,
                                     double *rate, double *bias, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_linked_values(const prc_scene *scene, int k, double t, double h, int rates, double *out,
                                   prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_secant_linked(const prc_scene *scene, int k, const prc_at *from, double h,
                                   const double *dx, double *G, double *rate, prc_error *err) PRC_MUST_CHECK;
/* Joints (joints.c); internal forces that are not linear, and dampings of the state (nonlinear.c), once `varies` is known. */
prc_status prc_scene_make_joints(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
prc_status prc_scene_make_nonlinear(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
void prc_scene_free_nonlinear(prc_scene *scene);
/* Outlines that may overlap (overlap.c); last of all. */
prc_status prc_scene_make_overlaps(prc_scene *scene, prc_error *err) PRC_MUST_CHECK;
void prc_scene_free_overlaps(prc_scene *scene);
/* The blocks of what K and the bodies' tangents have. */
prc_status prc_scene_make_pattern(const prc_scene *scene, prc_sym **out, prc_error *err) PRC_MUST_CHECK;

#endif

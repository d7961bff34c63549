/* Declarations shared by the files that build a model. */
#ifndef PRC_CASE_BUILD_H
#define PRC_CASE_BUILD_H

#include "case/internal.h"

/* what prc_fem, prc_rigid and prc_scene borrow */
struct prc_model_parts {
  prc_fem_model model;
  int n_contacts, n_interfaces; /* of the mesh with fixed planes; of two curves of it */
  prc_fem_material *material;
  prc_fem_damping *own_damping; /* n_materials */
  prc_fem_load *load;
  prc_fem_dashpot *dashpot;
  prc_fem_spring *ground;
  prc_fem_support *support;
  prc_fem_contact *contact;
  prc_fem_interface *interface;
  prc_rigid_model rigid;
  prc_rigid_body *body; /* those of the case, and behind them its obstacles */
  prc_rigid_contact *rigid_contact;
  prc_rigid_joint *joint;
  prc_rigid_spring *spring;
  int n_shapes;
  prc_shape *shape; /* of bodies and obstacles, one after the other */
  prc_rigid_pairs *pairs;
  prc_spatial_model spatial; /* in space, in place of all of rigid and of the contacts between two */
  prc_spatial_body *spatial_body;
  prc_spatial_pairs *spatial_pairs;
  prc_spatial_joint *spatial_joint;
  prc_spatial_spring *spatial_spring;
  int n_solids;
  prc_case_solids *solids; /* of each body and obstacle */
  int n_beams;
  prc_beam_model *beam_model; /* n_beams, and theirs: two loads, contacts, points of contacts */
  prc_beam_load *beam_load;
  prc_beam_contact **beam_contact;
  int n_of_case;
  double **beam_s; /* n_of_case: of each contact of the case */
  int n_linked;
  prc_scene_joint *linked; /* joints between bodies of different kinds */
  prc_law *own_law;        /* of each contact of the case that is between bodies, or of one with a plane */
  prc_law_formulas *own_formulas;
  int n_between;
  prc_scene_contact *between;
  prc_body_point **point; /* n_between */
  prc_law **law;
  prc_law_formulas **formulas;
  int n_curves;
  prc_scene_curve *curve;
  prc_law **curve_law; /* n_curves: of each of their nodes */
  prc_law_formulas **curve_formulas;
  /* which of the case's contacts stand behind those of the mesh, of bodies with fixed planes, of pairs, between two, and of curves with shapes */
  int *case_of_mesh, *case_of_interface, *case_of_plane, *case_of_pairs, *case_of_between, *case_of_curve;
};

typedef struct {
  const prc_case *c;
  const prc_mesh *mesh; /* NULL: there is none */
  struct prc_model_parts *parts;
  prc_error *err;
} prc_builder;

/* The group of the mesh with cells, of dimension 1 or 2; refused at its place, naming those that exist. */
prc_status prc_build_find_group(const prc_builder *b, int dim, const char *name, const prc_case_place *place,
                                const prc_mesh_group **out) PRC_MUST_CHECK;
/* The mesh of all files, split where contacts want it; and the contacts of its curves (build_mesh.c). */
prc_status prc_build_read_mesh(const prc_case *c, const prc_log *log, prc_mesh **out,
                               prc_error *err) PRC_MUST_CHECK;
prc_status prc_build_interfaces(const prc_builder *b) PRC_MUST_CHECK;
/* Rigid bodies and obstacles (build_bodies.c); then all of it, and the largest restitution in it. */
prc_status prc_build_bodies(const prc_builder *b, prc_model *model) PRC_MUST_CHECK;
prc_status prc_build_scene(const prc_builder *b, prc_model *model, double *e_max) PRC_MUST_CHECK;
/* own_law, before those. */
prc_status prc_build_laws(const prc_builder *b) PRC_MUST_CHECK;
/* Bodies and obstacles in space (build_space.c). */
prc_status prc_build_space(const prc_builder *b, prc_model *model) PRC_MUST_CHECK;
void prc_build_free_space(struct prc_model_parts *parts);
/* Beams; and joints that they have (build_beams.c): the rigid bodies stand at `of_bodies` in the scene, beams from `of_beams` on. */
prc_status prc_build_beams(const prc_builder *b, prc_model *model) PRC_MUST_CHECK;
prc_status prc_build_linked(const prc_builder *b, int of_bodies, int of_beams) PRC_MUST_CHECK;
/* The points of the beam of a contact, and where they are on it. */
int prc_build_count_along(const prc_case *c, const prc_case_contact *contact);
double prc_build_along(const prc_case *c, const prc_case_contact *contact, int i);
void prc_build_free_beams(struct prc_model_parts *parts);
void prc_case_free_bodies(struct prc_model_parts *parts);
/* Joints and springs (build_joints.c); and an error of prc_rigid_create gets the place of the one it names. */
prc_status prc_build_joints(const prc_builder *b) PRC_MUST_CHECK;
prc_status prc_build_place_joint(const prc_case *c, prc_status status, prc_error *err) PRC_MUST_CHECK;
/* Puts a place in front of a message that has none. */
void prc_build_add_context(const prc_case *c, const prc_case_place *place, prc_status status, prc_error *err);
/* Shapes of what meets, of the case's bodies and obstacles into those of the model (shapes.c). */
prc_status prc_build_shapes(const prc_builder *b) PRC_MUST_CHECK;

/* Refuses mass, stiffness and damping that are not finite, by the key of their body (build_finite.c). */
prc_status prc_build_check_finite(const prc_case *c, const prc_model *model, prc_error *err) PRC_MUST_CHECK;
/* The surfaces and lines that results are asked of are there. */
/* Curves that an obstacle could touch only where all is held; those of planes that rest are fem's. */
prc_status prc_build_refuse_held(const prc_builder *b, const prc_fem *fem) PRC_MUST_CHECK;
prc_status prc_build_check_results(const prc_builder *b) PRC_MUST_CHECK;

#endif

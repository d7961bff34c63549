/* The mesh of a scene as numbers, which a run keeps for others that go on from its states on meshes of their own.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_SCENE_KEPT_H
#define PRC_SCENE_KEPT_H

#include "scene/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Places of nodes, and of each cell its type (Gmsh's) and its nodes. */
typedef struct {
  size_t n_x, n_types, n_nodes; /* n_x: 2 for each node; n_nodes: of all cells */
  double *x, *type, *node, mass;
} prc_kept_mesh;
void prc_kept_mesh_free(prc_kept_mesh *kept); /* what it holds */
/* n_x 0: the scene has no mesh. Its coordinates, the first of the scene, are displacements of nodes. */
prc_status prc_scene_keep(const prc_scene *scene, prc_kept_mesh *out, prc_error *err) PRC_MUST_CHECK;

/* Report on nodes outside the other mesh, see prc_mesh_carry. */
typedef prc_mesh_carried prc_kept_outside;
/* n fields at the nodes of `from` to those of the scene. PRC_INPUT where `from` is no mesh, or of another body. */
prc_status prc_scene_carry(const prc_scene *scene, const prc_kept_mesh *from, int n, const double *const *in,
                           double *const *out, prc_kept_outside *outside, prc_error *err) PRC_MUST_CHECK;
/* By how much displacements q leave, at a node of the boundary, the chord between its neighbours there, and how far these are; zeros elsewhere and at
 * corners. Between nodes q may be wrong by a quarter of it, on each of two sides that touch. */
typedef struct {
  double size, reach;
} prc_kept_bend;
/* of each node; the caller deletes it */
prc_status prc_kept_bends(const prc_kept_mesh *kept, const double *q, prc_kept_bend **out,
                          prc_error *err) PRC_MUST_CHECK;
/* The largest around a place of the undeformed body. */
double prc_kept_bend_at(const prc_kept_mesh *kept, const prc_kept_bend *bend, const double x[2]);
/* Momentum and, about the origin, angular momentum of all nodes at displacements q, of their momenta m. */
void prc_kept_momenta(const prc_kept_mesh *kept, const double *q, const double *m, double momentum[2],
                      double *angular);

#ifdef __cplusplus
}
#endif
#endif

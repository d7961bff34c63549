/* spatial: rigid bodies in space with shapes that meet each other, joints and springs between them; builds a prc_system. Bodies may be driven:
 * their motion is data. It knows no elasticity. What `rigid` is in the plane.
 *
 * Dofs of body b, from its first on: the velocity of its centre of mass in fixed axes, and its spin in its own axes of inertia, which are turned
 * against the axes that it was given in so that M is diagonal; a body that does not turn has the first three alone. Coordinates: the same
 * numbers hold its centre of mass and the last three of its unit quaternion (w, x, y, z); w of all bodies that turn stand behind, from nv on.
 * So q (+) dx is x + dx, and the quaternion times (1, dx/2) / sqrt(1 + |dx|^2 / 4): the Cayley map, dx in the body's axes. A driven body
 * turns by the angle |dx| instead: about one axis angles add, and it follows its data exactly.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_SPATIAL_H
#define PRC_SPATIAL_H

#include "base/base.h"
#include "solid/solid.h"
#include "system/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the model ----------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  double mass;
  double
      inertia[6]; /* about the centre of mass in its own axes: entries xx, yy, zz, xy, xz, yz of the matrix */
  double position[3],
      orientation
          [4]; /* at the start: of the centre of mass; a unit quaternion from its own axes to the fixed ones */
  double velocity[3], spin[3];   /* spin in its own axes */
  prc_field force[3], moment[3]; /* in fixed axes, at the centre of mass; functions of time */
  int turns;                     /* 0: it has no rotation, inertia and spin are not looked at */
  /* its place is data: from that at t = 0 moved by motion[0..2] and turned about `axis` (fixed axes) through its centre of mass by motion[3],
   * functions of time that are zero at t = 0 */
  int driven;
  prc_field motion[4];
  double axis[3];
  const char *noun; /* of a driven one in messages; NULL: "body" */
  int n_parts;      /* what others may touch, in its own axes, from the centre of mass */
  const prc_solid *part;
  const char *set; /* what it is one of many of, for reports; NULL: it stands alone */
  int group;       /* of bodies that are measured and shown together */
} prc_spatial_body;

/* Two sets of bodies whose parts meet, as prc_rigid_pairs. */
typedef struct {
  const char *name;
  int n[2];
  const int *body[2];
  double friction, restitution, restitution_tangential;
  const prc_law *law; /* in place of these three; NULL: it is Coulomb's */
  double
      drilling; /* the radius of a patch of contact: 3 pi / 16 of it makes a velocity of the spin about the normal; 0: no such friction */
} prc_spatial_pairs;

/* What joins two bodies, a and b, or the ground and b. P: its place, e its axis, both where they are at the start.
 *
 *   ball      P_b = P_a
 *   hinge     P_b = P_a, and both turn about e alone; with a value, b against a by it
 *   slider    b moves along e (fixed in a) alone and turns with a; with a value, e . (P_b - P_a) is it
 *   fixed     P_b = P_a, and b turns with a
 *   distance  |P_b - P_a| is its length, or the value */
typedef enum {
  PRC_SPATIAL_BALL,
  PRC_SPATIAL_HINGE,
  PRC_SPATIAL_SLIDER,
  PRC_SPATIAL_FIXED,
  PRC_SPATIAL_DISTANCE
} prc_spatial_joint_type;
typedef struct {
  const char *name;
  prc_spatial_joint_type type;
  int body[2];     /* indices; -1: the ground */
  double at[2][3]; /* the points of the one and of the other, in fixed axes at the start */
  double axis[3];
  double length; /* distance: NaN: as it is at the start */
  int has_value;
  prc_field value; /* but for a distance zero at t = 0 */
} prc_spatial_joint;

typedef struct {
  const char *name;
  int body[2];
  double at[2][3];
  double stiffness, damping, rest_length; /* as prc_rigid_spring */
} prc_spatial_spring;

typedef struct {
  int n_bodies, n_pairs, n_joints, n_springs;
  const prc_spatial_body *body;
  const prc_spatial_pairs *pairs;
  const prc_spatial_joint *joint;
  const prc_spatial_spring *spring;
  prc_field gravity[3]; /* acceleration; functions of time */
} prc_spatial_model;

/* Is there a body with this inertia? Its principal moments are positive, and none is more than the sum of the others: else words. */
prc_status prc_spatial_check_inertia(const double inertia[6], prc_error *err) PRC_MUST_CHECK;

/* ---- the bodies ---------------------------------------------------------------------------------------- */

typedef struct prc_spatial prc_spatial;
/* The model must outlive the bodies. */
prc_status prc_spatial_create(const prc_spatial_model *model, prc_spatial **out,
                              prc_error *err) PRC_MUST_CHECK;
void prc_spatial_free(prc_spatial **spatial);
const prc_system *prc_spatial_system(const prc_spatial *spatial);
const prc_spatial_model *prc_spatial_get_model(const prc_spatial *spatial);
void prc_spatial_initial(const prc_spatial *spatial, double *q, double *v);
int prc_spatial_count(const prc_spatial *spatial);
/* twice the largest distance of its points from the centre of mass */
double prc_spatial_size(const prc_spatial *spatial, int b);
int prc_spatial_first_dof(const prc_spatial *spatial, int b);
/* Its w is coordinate nv + turn; -1: it does not turn. */
int prc_spatial_turn(const prc_spatial *spatial, int b);
int prc_spatial_group_count(const prc_spatial *spatial); /* of contacts: the pairs of sets */
int prc_spatial_surface_count(
    const prc_spatial *spatial); /* below which id.a of its contacts is: parts of all bodies */
/* The body and its part that surface id.a or id.b is. */
int prc_spatial_body_of(const prc_spatial *spatial, uint32_t surface, int *part);

/* As users see it: place and unit quaternion of the axes that the body was given in (w >= 0 is not forced: it goes on steadily), its velocity in
 * fixed axes and its spin in its own. v, or velocity and spin, may be NULL. */
typedef struct {
  double position[3], orientation[4], velocity[3], spin[3];
} prc_spatial_motion;
prc_spatial_motion prc_spatial_motion_of(const prc_spatial *spatial, const double *q, const double *v, int b);
/* Where its parts are, in the axes that they are given in. */
prc_solid_pose prc_spatial_pose(const prc_spatial *spatial, const double *q, int b);
/* Angular momentum about the origin of all free bodies, in fixed axes. */
void prc_spatial_momentum(const prc_spatial *spatial, const double *q, const double *v, double linear[3],
                          double angular[3]);

int prc_spatial_joint_first(const prc_spatial *spatial, int k);
/* What joint k does to its second body: force, and moment about the joint's place, in fixed axes. */
void prc_spatial_joint_force(const prc_spatial *spatial, int k, const double *q, const double *rows,
                             double force[3], double moment[3]);
void prc_spatial_joint_place(const prc_spatial *spatial, int k, const double *q, double x[2][3]);
void prc_spatial_spring_place(const prc_spatial *spatial, int k, const double *q, double x[2][3]);
typedef struct {
  double length, rest_length, rate, elastic, viscous, potential;
} prc_spatial_spring_state;
prc_spatial_spring_state prc_spatial_spring_now(const prc_spatial *spatial, int k, const double *q,
                                                const double *v);

/* Surfaces for pictures, as cells of VTK: the faces of polyhedra as polygons, spheres, capsules and cylinders as polygons fine enough to look round,
 * half-spaces as a square as large as the free bodies reach, cut off where it is within another; joints as points, springs as lines. */
enum {
  PRC_SPATIAL_BODY,
  PRC_SPATIAL_DRIVEN,
  PRC_SPATIAL_OBSTACLE,
  PRC_SPATIAL_HALF_SPACE,
  PRC_SPATIAL_JOINT,
  PRC_SPATIAL_SPRING
};
typedef struct {
  int n_points, n_cells, n_nodes;
  int n_bounded;            /* points in front of those of half-spaces, joints and springs */
  int n_planes;             /* points in front of those of joints and springs */
  int *start, *node, *type; /* n_cells + 1, n_nodes, n_cells */
  int *kind, *owner;        /* n_cells: of the list above; the body */
  double *radius; /* n_cells: of a sphere that is one point, where there are very many of them; else 0 */
  int *body;      /* n_points; -1: the ground */
  double *r;      /* 3 n_points: in the body's own axes */
} prc_spatial_outline;
const prc_spatial_outline *prc_spatial_get_outline(const prc_spatial *spatial);
/* where the outline's points stand and how fast they move: 3 n_points each; velocity may be NULL */
void prc_spatial_place_outline(const prc_spatial *spatial, const double *q, const double *v, double *x,
                               double *velocity);

#ifdef __cplusplus
}
#endif
#endif

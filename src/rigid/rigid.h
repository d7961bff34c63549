/* rigid: planar rigid bodies with contact points, polygons or discs against fixed planes, and with shapes that meet each other; builds a
 * prc_system. Bodies may be driven: their motion is data. It knows no elasticity.
 *
 * Dofs of body b: 3b, 3b+1 the position of its centre of mass, 3b+2 its angle, counter-clockwise. A material point r of
 * the body (in its own axes, from the centre of mass) stands at G + R(angle) r.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_RIGID_H
#define PRC_RIGID_H

#include "base/base.h"
#include "contact/contact.h"
#include "shape/shape.h"
#include "system/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the model ----------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  double mass, inertia;      /* about the centre of mass; both > 0, or >= 0 where it is driven */
  double position[2], angle; /* at the start */
  double velocity[2], spin;
  prc_field force[2], moment; /* in fixed axes, at the centre of mass; functions of time */
  /* the integral of the force in time, by which its exact mean over a step is known; then all that varies needs one, see loads.c */
  int has_integral;
  prc_field force_integral[2];
  int n_points;        /* corners of its outline, anticlockwise, in its own axes; 0: none */
  const double *point; /* 2 n_points */
  double radius;       /* > 0: a disc around the centre of mass */
  /* its place is data, not motion: position and angle, and from there `motion` (x, y, rotation), functions of time that are
   * zero at t = 0 */
  int driven;
  prc_field motion[3];
  const char *noun; /* of a driven one in messages; NULL: "body" */
  int n_parts;      /* what others may touch, in its own axes */
  const prc_shape *part;
  int n_drawn; /* what only pictures show beside the parts: a face, an obstacle that a mesh touches */
  const prc_shape *drawn;
  const char *set; /* what it is one of many of, for reports; NULL: it stands alone */
  int group;       /* of bodies that are measured and shown together */
} prc_rigid_body;

typedef struct {
  const char *name;
  int body; /* index */
  prc_contact_plane plane;
  int n_points;        /* points of the body that may touch, in its own axes ... */
  const double *point; /* 2 n_points */
  double radius;       /* ... or, where there are none, its disc of this radius */
  double friction, restitution;
  double restitution_tangential; /* of the Newton law, (58); 0: as without */
  const prc_law *law;            /* in place of these three; NULL: it is Coulomb's */
} prc_rigid_contact;

/* Two sets of bodies whose parts meet: every pair of one of the first and one of the second. Where several name a pair, the first does it.
 * Two driven bodies never meet. */
typedef struct {
  const char *name;
  int n[2];
  const int *body[2]; /* indices, in any order; the sets may have bodies in common */
  double friction, restitution, restitution_tangential;
  const prc_law *law; /* in place of these three; NULL: it is Coulomb's */
} prc_rigid_pairs;

/* What joins two bodies, a and b, or the ground and b: the ground stands first, wherever it is named. With P_a and P_b the points of the two at
 * the joint's place, e its axis, n that turned by a quarter anticlockwise:
 *
 *   revolute   P_b = P_a; with a value, b turns against a by it as well
 *   prismatic  n . (P_b - P_a) = 0, e fixed in a, and b turns with a; with a value, e . (P_b - P_a) is it
 *   fixed      P_b = P_a, and b turns with a
 *   distance   |P_b - P_a| is its length, or the value
 *   angle      b turns with a; with a value, against it by that
 *   wheel      b, a wheel around P with radius, on the left of a line fixed in a along e, rolls: e . (P_b - P_a) + radius x turn of b
 *              against a = 0. The line does not hold it: a contact may, or another joint
 *   skate      n . velocity of P_b against what of a is there = 0, e fixed in b: a row of velocities alone */
typedef enum {
  PRC_JOINT_REVOLUTE,
  PRC_JOINT_PRISMATIC,
  PRC_JOINT_FIXED,
  PRC_JOINT_DISTANCE,
  PRC_JOINT_ANGLE,
  PRC_JOINT_WHEEL,
  PRC_JOINT_SKATE
} prc_joint_type;

typedef struct {
  const char *name;
  prc_joint_type type;
  int body[2];     /* indices; -1: the ground. Driven ones too, but not two that are data */
  double at[2][2]; /* the points of the one and of the other, in fixed axes at the start */
  double axis[2];  /* in fixed axes at the start, of any length but zero */
  double length;   /* distance: NaN: as it is at the start */
  double radius;   /* wheel */
  int has_value;   /* revolute, prismatic, distance, angle: prescribed ... */
  prc_field value; /* ... by this function of time; but for a distance zero at t = 0 */
} prc_rigid_joint;

/* A spring along the line between two points, with a damper: pulls with k (L - rest) + c dL/dt. Where L = 0 a spring of rest length > 0 and a
 * damper have no direction, and no force. */
typedef struct {
  const char *name;
  int body[2];     /* as of joints */
  double at[2][2]; /* likewise */
  double stiffness, damping;
  double rest_length; /* NaN: as long as it is at the start */
} prc_rigid_spring;

typedef struct {
  int n_bodies, n_contacts, n_pairs, n_joints, n_springs;
  const prc_rigid_body *body;
  const prc_rigid_contact *contact;
  const prc_rigid_pairs *pairs;
  const prc_rigid_joint *joint;
  const prc_rigid_spring *spring;
  double period[2];     /* bodies that meet repeat themselves by this vector; zero: there is no cell */
  prc_field gravity[2]; /* acceleration; functions of time */
} prc_rigid_model;

/* Area, centre and polar moment about the centre of a polygon (2 n coordinates), per unit density and thickness;
 * negative area: clockwise. Refuses fewer than three corners, edges that cross or touch, and a zero area, naming the
 * corners (from 1). */
typedef struct {
  double area, centre[2], moment;
} prc_rigid_polygon_facts;
prc_status prc_rigid_polygon(int n, const double *point, prc_rigid_polygon_facts *out,
                             prc_error *err) PRC_MUST_CHECK;

/* ---- the bodies ---------------------------------------------------------------------------------------- */

typedef struct prc_rigid prc_rigid;
/* The model must outlive the bodies. Refuses masses and inertias that are not positive, mu < 0, e outside [0, 1]. */
prc_status prc_rigid_create(const prc_rigid_model *model, prc_rigid **out, prc_error *err) PRC_MUST_CHECK;
void prc_rigid_free(prc_rigid **rigid);
const prc_system *prc_rigid_system(const prc_rigid *rigid);
const prc_rigid_model *prc_rigid_get_model(const prc_rigid *rigid);
/* q and v of the start, n_dof each */
void prc_rigid_initial(const prc_rigid *rigid, double *q, double *v);
int prc_rigid_count(const prc_rigid *rigid); /* of the bodies */
/* twice the largest distance of its points from the centre of mass */
double prc_rigid_size(const prc_rigid *rigid, int b);
/* Where point r of body b, in its own axes, stands. */
void prc_rigid_point(const prc_rigid *rigid, const double *q, int b, const double r[2], double x[2]);
/* Of body b that goes from `angle` to angle' in a step by dx, R(angle') r - R(angle) r = dx k x arm; returns (angle' - angle) / dx. */
double prc_rigid_mean_arm(const prc_rigid *rigid, int b, double angle, double dx, const double r[2],
                          double arm[2]);
int prc_rigid_contact_count(const prc_rigid *rigid);
/* groups of contacts, see system.h: those with fixed planes, and behind them the pairs of sets */
/* Is id.feature_b that of bodies that meet? Then its lower half is a feature of a shape. */
static inline int prc_rigid_feature_is_of_pair(uint32_t feature_b) {
  return feature_b >> 16 != 0;
}
int prc_rigid_group_count(const prc_rigid *rigid);
/* below which id.a of its contacts is: planes, and behind them the parts of all bodies */
int prc_rigid_surface_count(const prc_rigid *rigid);
/* first candidate of contact k (k = n_contacts: their number); its points follow one another */
int prc_rigid_contact_first(const prc_rigid *rigid, int k);

/* rows of system.joints: those of joint k, from its first to that of the next (k = n_joints: their number) */
int prc_rigid_joint_first(const prc_rigid *rigid, int k);
/* What joint k does to its second body, of the forces (or impulses) of its rows: force in fixed axes, and moment about the joint's place. */
void prc_rigid_joint_force(const prc_rigid *rigid, int k, const double *q, const double *rows,
                           double force[3]);
/* Where the two points of joint k stand, and of spring k. */
void prc_rigid_joint_place(const prc_rigid *rigid, int k, const double *q, double x[2][2]);
void prc_rigid_spring_place(const prc_rigid *rigid, int k, const double *q, double x[2][2]);
typedef struct {
  double length, rest_length, rate; /* dL/dt */
  double elastic, viscous;          /* forces that pull */
  double potential;
} prc_rigid_spring_state;
prc_rigid_spring_state prc_rigid_spring_now(const prc_rigid *rigid, int k, const double *q, const double *v);

/* Outlines for pictures, as cells of VTK: polygons, lines and points. Of each body its parts, or else its disc, its corners, or lines from
 * the centre to the points of its contacts, joints and springs; a disc has a spoke that shows its angle. A hole is a ring around it, a half-plane a band
 * behind its line as long as the free bodies reach. Planes of contacts are drawn too. */
enum {
  PRC_OUTLINE_BODY,
  PRC_OUTLINE_DRIVEN,
  PRC_OUTLINE_OBSTACLE,
  PRC_OUTLINE_HALF_PLANE, /* of an obstacle, of a driven body, or of a contact */
  PRC_OUTLINE_FACE,       /* the half-plane that a free body carries */
  PRC_OUTLINE_JOINT,      /* points; of a distance a line */
  PRC_OUTLINE_SPRING,     /* zigzags of lines */
  PRC_OUTLINE_BEAM        /* lines, of beams */
};
typedef struct {
  int n_points, n_cells, n_nodes;
  int n_bounded, n_planes;  /* points in front of those of half-planes, of joints and springs */
  int *start, *node, *type; /* n_cells + 1, n_nodes, n_cells */
  int *kind, *owner;        /* n_cells: of the list above; the body, -1: what is fixed */
  int *body;                /* n_points: the body of each point, or -1 */
  double *r;                /* 2 n_points: in the body's axes; of half-planes nothing */
} prc_rigid_outline;
const prc_rigid_outline *prc_rigid_get_outline(const prc_rigid *rigid);
/* where the outline's points stand and how fast they move: 2 n_points each; velocity may be NULL */
void prc_rigid_place_outline(const prc_rigid *rigid, const double *q, const double *v, double *x,
                             double *velocity);

#ifdef __cplusplus
}
#endif
#endif

/* scene: bodies, and contacts and joints between them, numbered into one prc_system. It knows no schemes.
 *
 * A body is a part of the system that some kind presents: a mesh, or all rigid bodies of a case, which stay one
 * family. The dofs of the first come first, and so on: M and K are block diagonal, prescribed dofs and contacts of
 * the parts follow one another, and so do the contacts between them. A scene of one body hands that body's
 * prc_system through as it is.
 *
 * A new kind of body is a file here that fills a prc_body_kind, one that fills its view (view.h), and a row in scene/kinds.c.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_SCENE_H
#define PRC_SCENE_H

#include "base/base.h"
#include "beam/beam.h"
#include "contact/contact.h"
#include "fem/fem.h"
#include "rigid/rigid.h"
#include "spatial/spatial.h"
#include "system/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a kind of body offers --------------------------------------------------------------------- */

/* A material point of a body. */
typedef struct {
  int item;    /* of a family, which of its bodies; of a mesh 0 */
  int feature; /* of a mesh its node; of a rigid body what tells the point from others */
  double r[2]; /* of a rigid body: in its own axes, from its centre of mass; of a beam: s, nothing */
} prc_body_point;

enum { PRC_BODY_DOFS = PRC_BEAM_DOFS }; /* that the velocity of a point depends on, at most */
typedef struct {
  int n, dof[PRC_BODY_DOFS];  /* numbered within the body, ascending */
  double J[2][PRC_BODY_DOFS]; /* velocity = J v */
  int turns;                  /* the third is the angle of a rigid body */
} prc_body_rows;

/* A material point with a direction fixed to it: place and angle, rows of their rates, and what is left of their second derivatives where nothing
 * accelerates. */
typedef struct {
  int n, dof[PRC_BODY_DOFS];
  double x[3], J[3][PRC_BODY_DOFS], bias[3];
  double length; /* by which an angle there is compared with a distance: a radius of gyration */
} prc_body_frame;

/* `self` is what the kind's own module made; q are the body's own coordinates. */
typedef struct {
  const char *name; /* mesh | rigid | spatial */
  /* the body alone, with its own contacts */
  const prc_system *(*system)(const void *self);
  /* the state at the start: of all coordinates and velocities */
  void (*initial)(const void *self, double *q, double *v);
  /* how many bodies there are in the family: points, sizes and surfaces say which */
  int (*items)(const void *self);
  /* how many surfaces its own contacts have, their id.a is below that, and how many groups of contacts */
  int (*surfaces)(const void *self);
  int (*groups)(const void *self);
  /* twice the largest distance of its points from its middle, which penetrations are compared with */
  double (*size)(const void *self, int item);
  /* where a material point stands */
  void (*place)(const void *self, const double *q, const prc_body_point *point, double x[2]);
  /* rows of the velocity of what is at x now: of a rigid body whatever moves with it there, of a mesh the
   * point itself */
  void (*rows)(const void *self, const double *q, const prc_body_point *point, const double x[2],
               prc_body_rows *out);
  /* where a surface that is given in the body's own axes is now; NULL: the kind has none that others may
   * touch */
  prc_contact_surface (*surface)(const void *self, const double *q, int item, const prc_contact_surface *own);
  /* for joints with other bodies; NULL: it can have none. v NULL: without bias. The second: over a step from q to q (+) dx, J dx is by how much
   * place and angle (as long as it is less than half a turn) change, to rounding; nothing but J is filled in. */
  void (*frame)(const void *self, const double *q, const double *v, const prc_body_point *point,
                prc_body_frame *out);
  void (*frame_mean)(const void *self, const double *q, const double *dx, const prc_body_point *point,
                     prc_body_frame *out);
  const struct prc_figure_kind *figure; /* its outline, see figures.h; NULL: it has none */
  const struct prc_body_view *view;     /* what output and commands ask of it, see view.h */
} prc_body_kind;

extern const prc_body_kind prc_body_kind_mesh, /* self: a prc_fem */
    prc_body_kind_rigid,                       /* self: a prc_rigid */
    prc_body_kind_spatial, /* self: a prc_spatial; alone, and no scene contact is between such bodies */
    prc_body_kind_beam;    /* self: a prc_beam */
/* The rows, ended by NULL; and one by its name, NULL if there is none. */
const prc_body_kind *const *prc_body_kinds(void);
const prc_body_kind *prc_body_kind_find(const char *name);

typedef struct {
  const prc_body_kind *kind;
  const void *self; /* outlives the scene */
  const char *name;
  /* where it begins in the system; filled by prc_scene_create, as is the rest */
  int first_dof, first_coordinate, first_prescribed;
  int first_item;    /* its bodies in prc_contact.body */
  int first_surface; /* its own contacts have id.a from here */
  int first_group;   /* and are of groups from here */
  int first_joint;   /* row of system.joints */
} prc_body;

/* ---- contacts between bodies ------------------------------------------------------------------------ */

/* Points of one body that touch a surface of another from outside. All of them are candidates at all
 * times. With several groups on one surface each counts as a surface of its own in ids: (surface, pushed
 * body, 0, feature of the point). */
typedef struct {
  const char *name;
  int surface_of, surface_item; /* the body (of the scene) whose surface it is, and which of its family */
  prc_contact_surface surface;  /* in its own axes */
  int points_of, n_points;      /* the body that is pushed */
  const prc_body_point *point;
  double radius;      /* around each point: that of a disc; 0: points */
  const prc_law *law; /* n_points */
} prc_scene_contact;

/* A curve of a mesh against the shapes of rigid bodies and obstacles (sides.c): nodes touch edges, corners and
 * small discs touch sides. */
typedef struct {
  const char *name;
  int curve_of, shapes_of; /* bodies of the scene: a mesh, the family of rigid bodies */
  const prc_mesh_group *curve;
  int n_items;
  const int *item;    /* n_items: which of the family; by their parts */
  const prc_law *law; /* one for each node of the curve; a side has that of the node where it begins */
} prc_scene_curve;

/* ---- joints between bodies -------------------------------------------------------------------------- */

/* Between points of two bodies, or of the ground and a body: revolute, fixed, distance or angle, as rigid.h says what they are; directions
 * are those fixed to the points. The equations begin with what they find at the start, but for places that are to be one. */
typedef struct {
  const char *name;
  prc_joint_type type;
  int body[2]; /* of the scene; -1: the ground, whose point is r in fixed axes */
  prc_body_point point[2];
  double length;   /* distance: NaN: as it is at the start */
  int has_value;   /* prescribed, but for a fixed joint ... */
  prc_field value; /* ... by this function of time; but for a distance zero at t = 0 */
} prc_scene_joint;

/* ---- the scene -------------------------------------------------------------------------------------- */

typedef struct {
  int n_bodies, n_contacts;
  const prc_body *body; /* kind, self and name of each */
  const prc_scene_contact *contact;
  int n_curves;
  const prc_scene_curve *curve;
  int n_joints;
  const prc_scene_joint *joint;
  double
      max_penetration; /* > 0: how deep bodies may be in each other by their outlines; else a hundredth of their size */
} prc_scene_model;

typedef struct prc_scene prc_scene;
/* Everything that the model points to must outlive the scene; the arrays of bodies and contacts themselves
 * need not.
 * Refuses surfaces of kinds that have none. Where the internal forces of one body are not linear, the scene has no K. */
prc_status prc_scene_create(const prc_scene_model *model, prc_scene **out, prc_error *err) PRC_MUST_CHECK;
void prc_scene_free(prc_scene **scene);
const prc_system *prc_scene_system(const prc_scene *scene);
int prc_scene_bodies(const prc_scene *scene, const prc_body **body);
int prc_scene_contacts(const prc_scene *scene, const prc_scene_contact **contact);
void prc_scene_initial(const prc_scene *scene, double *q, double *v);
int prc_scene_joints(const prc_scene *scene, const prc_scene_joint **joint);
/* rows of system.joints: those of the scene's joint k, behind those of the bodies, from its first to that of the next (k = their number) */
int prc_scene_joint_first(const prc_scene *scene, int k);
/* Action of joint k on its second body, from the forces (or impulses) of all rows of the system: force in
 * fixed axes, and moment about its place; and
 * where its two points are. rows NULL: no force. */
void prc_scene_joint_now(const prc_scene *scene, int k, const double *q, const double *rows, double force[3],
                         double x[2][2]);
/* id.a of surface k of the bodies' own contacts, or with body = -1 of the scene's contact k */
uint32_t prc_scene_surface(const prc_scene *scene, int body, int k);
/* The group of contacts that is k of the body, or with body = -1 the scene's contact k, behind these its curves; and how many there are. */
int prc_scene_group(const prc_scene *scene, int body, int k);
int prc_scene_groups(const prc_scene *scene);
/* Bodies that contacts name, by their whole outlines (overlap.c): how many pairs there are, and pair k at q. */
typedef struct {
  int group;                /* of contacts */
  int of_plane;             /* the touched one is a plane */
  int body[2];              /* touched, touching: numbers as in looks */
  double depth;             /* negative: they are apart by that */
  double radius;            /* of a disc that is touched; else 0 */
  double spacing;           /* the longest way between two points that touch */
  double forgiven, allowed; /* this deep they may be at the start, undeformed; and later */
} prc_scene_overlap;
int prc_scene_overlaps(const prc_scene *scene);
prc_scene_overlap prc_scene_overlap_at(const prc_scene *scene, int k, const double *q);
/* In looks bodies of a mesh have numbers of their own, behind those of all bodies: the curve that is meant, NULL for other numbers. */
const char *prc_scene_overlap_name(const prc_scene *scene, int number);
/* The places [*first, *first + returned) of a surface's contacts in a set. */
int prc_scene_places(const prc_contact_set *set, uint32_t surface, int *first);

#ifdef __cplusplus
}
#endif
#endif

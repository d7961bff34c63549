/* case: the case file. Reads, checks and explains it, and builds the model it describes: a deforming body on
 * a mesh, or rigid bodies, in the plane or in space. It does not step.
 *
 * A case is one YAML file. Everything a key may be stands in one table (keys.c), from which the reader, the
 * checks, the messages and the reference page (`percuss help case`) come.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_CASE_H
#define PRC_CASE_H

#include "base/base.h"
#include "beam/beam.h"
#include "case/boundary.h"
#include "case/results.h"
#include "fem/fem.h"
#include "mesh/mesh.h"
#include "rigid/rigid.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "spatial/spatial.h"
#include "step/step.h"
#include "system/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a case says ---------------------------------------------------------------------------------- */

/* Bytes of the names of contacts, supports, loads, dashpots, probes and bodies, which become names of files and columns; and of the case's
 * own, which becomes that of a folder. */
enum { PRC_CASE_NAME = 80, PRC_CASE_FOLDER = 255 };
enum { PRC_CASE_ALONG = 32 }; /* points of a beam that a contact may list */

typedef struct {
  char *group;
  char *law;                              /* a row of fem/materials.h */
  prc_fem_material values;                /* what the model takes; the mesh gives the group */
  double damping_mass, damping_stiffness; /* where they are not given, the model's */
  int damping_given[2];
  prc_case_place place;
} prc_case_material;

/* Polygons one after the other, and discs: x, y, radius of each. In space polyhedra by their corners, and spheres. */
typedef struct {
  int n;
  int *corners;  /* n: how many corners each has */
  double *point; /* all corners, x and y, in space z too */
} prc_case_polygons;
typedef struct {
  int n;
  double *disc; /* 3 n; in space 4 n */
} prc_case_discs;

/* Shape of a body or an obstacle in space, in its own axes, and their attitude at the start. */
typedef enum { PRC_CASE_CONVEX, PRC_CASE_HULL, PRC_CASE_PIECES } prc_case_surface;
typedef struct {
  double sphere, box[3];          /* radius; edges; zeros: none */
  double capsule[2], cylinder[2]; /* length along its z, and radius; zeros: none */
  int n_corners;                  /* of a polyhedron, the hull of these */
  double *corner;                 /* 3 n_corners */
  prc_case_polygons polyhedra;    /* convex parts, ... */
  prc_case_discs spheres;         /* ... in place of one of the others; overlaps count twice */
  char *file;                     /* a surface of triangles; NULL: none */
  double unit;                    /* how long its unit of length is */
  prc_case_surface surface;       /* is it convex, or is its hull meant, or those of its pieces? */
  int n_orientation,
      rotation_given; /* a unit quaternion, w first, from its own axes to the fixed ones: as given, or made of ... */
  double orientation[4], axis[3], angle; /* ... a rotation about an axis */
} prc_case_solid;

/* Bodies of one block: one; or count or a table made several, which are called name[0], name[1] ... if the table gives no names.
 * They follow one another in prc_case.body. */
typedef struct {
  char *name;
  int first, n;
  int several; /* by count or from */
  prc_case_place place;
} prc_case_set;

/* A rigid body, as it is used: what its density gives is computed, in the plane its corners go anticlockwise, and
 * its centre of mass is the origin of its axes. */
typedef struct {
  char *name;
  double mass, inertia; /* about the centre of mass */
  double density;       /* 0: mass and inertia were given */
  double position[3], angle;
  double velocity[3], spin;
  prc_field force[3], moment; /* of t, in fixed axes, at the centre of mass */
  int integral_given;
  prc_field force_integral[2]; /* of the force in time */
  /* in space, in place of inertia, angle, spin, moment and the shapes below */
  struct {
    double inertia[6]; /* about the centre of mass in its own axes: xx, yy, zz, xy, xz, yz of the matrix */
    int n_inertia, turns;
    double spin[3]; /* in its own axes */
    prc_field moment[3];
    prc_case_solid solid;
    prc_field motion_z;
    double motion_axis[3];
    double origin[3]; /* of the axes that it was given in, from the centre of mass: minus that */
  } space;
  int n_points;
  double *point; /* 2 n_points: the corners of its outline, in its own axes */
  double radius; /* of its disc, 0: none; then n_points is 0 */
  /* convex parts, in place of a polygon or a disc; overlaps count twice */
  prc_case_polygons polygons;
  prc_case_discs discs;
  int has_face; /* a half-plane that moves with it and that others may touch, in its own axes */
  double face_point[2], face_normal[2];
  int driven;          /* its motion is data */
  prc_field motion[3]; /* x, y, rotation from its place at t = 0 */
  int fixed;           /* driven, and at rest */
  int count;           /* how many the block makes; 1 */
  char *table, *group; /* file of the bodies' values, and whose rows of it; NULL: none, all */
  prc_case_place place, polygon_place;
} prc_case_body;

/* A planar beam. */
typedef struct {
  char *name;
  int n_ends, n_points;
  double *end, *point;         /* 2 each; of one, control points by prc_case_complete_beams */
  int elements, degree, gauss; /* gauss 0: as beam.h has it */
  double EA, EI, density;
  double velocity[2], spin;
  prc_field force[2]; /* per length, of t */
  double damping_mass, damping_stiffness;
  int load_given[2]; /* at its start and at its end */
  prc_field end_force[2][2], end_moment[2];
  char *end_name[2]; /* "shank.start", "shank.end" */
  prc_case_place place;
} prc_case_beam;

/* An obstacle: bodies touch it, and only its own motion moves it. */
typedef struct {
  char *name;
  int is_plane, is_disc, is_hole; /* one of these, or a polygon, or a segment */
  double point[3], normal[3];
  double centre[2], radius; /* of a disc or a hole */
  int n_corners, n_ends;    /* of a polygon, of a segment: 2 */
  double *corner, *end;     /* 2 n each */
  int moves;
  prc_field motion[3]; /* x, y, rotation from its place at t = 0; about: a point at that time */
  int about_given;
  double
      about[3]; /* its point, its centre or its first corner, where none was given; in space its position */
  struct {
    double position[3]; /* of its axes */
    prc_case_solid solid;
    prc_field motion_z;
    double motion_axis[3];
  } space;
  prc_case_place place;
} prc_case_obstacle;

typedef struct {
  char *name;
  char *group;    /* of the mesh, defaults to the name; NULL where a body touches */
  char *body;     /* the name of a body; NULL where a mesh touches */
  char *split;    /* a curve inside the mesh, which this contact splits into its sides; or NULL */
  int interface;  /* it is between two curves of meshes: */
  char *curve[2]; /* what is touched, and what touches, which is `group` too */
  int small, sliding_given, from_start, prestress_given;
  double interference;    /* of a press fit, with from_start */
  prc_field prestress[2]; /* compression, and the shear that drives what touches along +t */
  int on_plane;
  double point[2], normal[2]; /* of the fixed plane that is touched, ... */
  char *between[2]; /* ... or what is, and what touches; several with commas; NULL: the fixed plane */
  int obstacle, surface_body; /* what is: one of these, the other is -1; -1 both: the fixed plane, or sides */
  int is_ordered;             /* between each body of a set and the next: */
  double ordered[2];          /* along this direction they may touch but not pass */
  int shapes; /* it is between a curve of the mesh, `group`, and the shapes of the bodies of side[0] */
  int pairs;  /* it is between two sets of bodies, the sides: */
  int n_side[2], *side[2]; /* obstacles behind the bodies, ascending */
  prc_law_fields friction; /* with bodies not of the place */
  prc_field restitution;   /* constant with bodies */
  double tangential_restitution;
  int diagram;     /* 0: all of its line, 1: where it ever touches */
  double drilling; /* radius of the patch that friction against spin about the normal has; 0: there is none */
  int beam;        /* whose points touch; -1: none */
  int n_along;     /* 0: where its elements begin and end */
  double along[PRC_CASE_ALONG];
  int n_candidates;  /* with bodies: points in the body's axes; 0: its corners or its disc */
  double *candidate; /* 2 n_candidates; from the centre of mass */
  prc_case_place place, friction_place, restitution_place, body_place, between_place, split_place;
} prc_case_contact;

enum { PRC_CASE_BEAM = -2 };
/* "revolute"; dimension: 2 or 3, which have types of their own */
const char *prc_case_joint_type(int dimension, int type);
/* Between two bodies or obstacles, or one and the ground. */
typedef struct {
  char *name;
  int type; /* prc_joint_type; in space prc_spatial_joint_type */
  char *between[2];
  int index[2];        /* bodies, and obstacles behind them; -1: the ground */
  int beam[2], end[2]; /* in place of it an end, 0 or 1, of a beam, where index is PRC_CASE_BEAM; else -1 */
  int at_given, n_points;
  double at[3], *point; /* in fixed axes at the start; 2 n_points, in space 3: one in the axes of each */
  int axis_given;
  double axis[3], length, radius; /* 0: not given */
  int value_given;
  prc_field value;
  prc_case_place place, between_place;
} prc_case_joint;

typedef struct {
  char *name;
  char *between[2];
  int index[2];
  int n_points;
  double *point;
  double stiffness, damping, rest_length; /* the last NaN: as it is at the start */
  prc_case_place place, between_place;
} prc_case_spring;

typedef struct {
  char *name;
  double point[2];
  char *of;      /* "displacement, velocity": what of it is written */
  char *contact; /* on whose line it is too; NULL: on none */
  prc_case_place place;
} prc_case_probe;

typedef enum {
  PRC_INITIAL_REST,
  PRC_INITIAL_VELOCITY,
  PRC_INITIAL_EQUILIBRIUM,
  PRC_INITIAL_END_OF,
  PRC_INITIAL_CONTINUED
} prc_case_initial;

/* A number of the user's, which formulas may name. */
typedef struct {
  char *name, *text; /* as it is written */
  double value;
  int used; /* by a formula */
  prc_case_place place;
} prc_case_parameter;

typedef struct {
  char *path; /* of the case file */
  char *name; /* from the file, else the file's stem */
  /* names of the units of length, mass and time, or "none"; NULL: not said. Pictures show them */
  char *units;
  int seed; /* of random(i, k) */
  int n_parameters;
  prc_case_parameter *parameter; /* in the order of the file */

  struct {
    char *file; /* resolved: as it can be opened; the first of several */
    int n_files;
    char **files; /* n_files, which the case owns */
    double size;  /* 0: not given */
    int allow_duplicate_nodes;
    /* for meshing a .geo: seconds, 0: no limit; GB, 0: nine tenths of what is available */
    double max_time, max_memory, max_elements; /* max_elements 0: no limit */
    int no_commands;                           /* no key: the program's choice */
    const prc_ranks_launch *launch;            /* no key: ranks share the mesh; NULL: they do not */
    prc_case_place place;
  } mesh;
  struct {
    int dimension; /* 2: in the plane; 3: in space */
    prc_fem_plane plane;
    prc_fem_kinematics kinematics;
    prc_fem_mass mass;
    double thickness, damping_mass, damping_stiffness;
    int strains_accepted;   /* cells may be strained by more than laws of small strains allow */
    int rotations_accepted; /* cells may turn by more than small strains allow */
    prc_field gravity[3], body_force[2];
  } model;
  struct {
    int given[2]; /* displacement, velocity: both or none */
    prc_fem_exact solution;
  } exact;
  struct {
    int given;
    double length, direction[2];
    prc_case_place place;
  } periodic;
  int n_materials, n_beams, n_bodies, n_sets, n_obstacles, n_contacts, n_joints, n_springs, n_supports,
      n_loads, n_dashpots, n_probes, n_grounds;
  prc_case_material *material;
  prc_case_body *body; /* mesh.file may be NULL where there are some */
  prc_case_set *set;   /* of bodies, in the order of the file */
  prc_case_beam *beam;
  prc_case_obstacle *obstacle;
  prc_case_contact *contact_group;
  prc_case_joint *joint;
  prc_case_spring *spring;
  prc_case_support *support;
  prc_case_load *load;
  prc_case_dashpot *dashpot;
  prc_case_ground *ground; /* of supports, by prc_case_check_rules */
  prc_case_probe *probe;
  struct {
    prc_case_initial kind;
    prc_field velocity[2]; /* of x and y, for PRC_INITIAL_VELOCITY */
    int with_loads;        /* equilibrium under the loads at t = 0 as well; default no */
    char *from;            /* results folder of another run, or a state in it; resolved */
    int at_given, time_given;
    double at, time; /* of the state in it; of the clock at the start, else see prc_case_begin_at */
    prc_case_place place;
  } initial;
  struct {
    int quasi_static;                 /* analysis: quasi-static (else dynamic): theta is 1 then */
    double end, step, theta;          /* step: where they vary, the first */
    double longest, growth, per_slip; /* of steps that vary, see prc_step_pace; longest 0: they do not */
    double rho;                       /* of the generalized-alpha schemes; where theta is, instead of it */
    double tolerance;                 /* of the passes of a step; 0: the scheme's own */
    prc_joint_level joints;
    prc_bulk bulk;
    prc_load_values loads;
    char *scheme; /* of a dynamic analysis: a row of step/schemes.h */
    prc_impact law;
    int first,
        n_steps;  /* at the start and at the end; where steps vary 0, and INT_MAX unless they are none */
    char *solver; /* of the linear system: auto | direct | iterative | umfpack | diagonal | petsc */
    int continue_on_failure;
    prc_case_place place;
  } time;
  struct {
    prc_activation activation;
    double gap_tolerance, velocity_tolerance; /* 0: chosen from the model's size and wave speed */
    double tolerance;                         /* of the contact problem, default 1e-10 */
    int max_iterations;
    char *solver; /* of the contact problem of a step, see cone.h */
    prc_directions directions;
    prc_prediction prediction;
    prc_slip_direction slip_direction;
    prc_cone_start start;
    prc_cone_order order;
    int seed;               /* of random starts and orders */
    double max_penetration; /* < 0: not set */
    int overlap_allowed;    /* at the start, between bodies */
  } contact;
  prc_case_output output;

  struct {
    int given, every; /* steps between rows; -1: output.every */
    int strips;       /* wanted */
    double normal[2], from, to, across[2];
    int across_given, n, columns;
    prc_case_place place;
  } measures;
  struct prc_case_store *store; /* owns the document, the expressions and the strings above */
} prc_case;

/* set: n_set texts "dotted.path=value". A path in mesh.file or initial.from is relative to the case file;
 * one that comes from --set is relative to the current folder, or else to the case file. PRC_INPUT with
 * "FILE:LINE:COL: what is wrong, what was expected", or "FILE: --set PATH: ..." for what came from there. */
prc_status prc_case_read(const char *path, int n_set, const char *const *set, prc_case **out,
                         prc_error *err) PRC_MUST_CHECK;
void prc_case_free(prc_case **c);
/* A fingerprint of the formulas that change with time, whose values cannot all be compared. */
uint64_t prc_case_formulas(const prc_case *c);
/* A fingerprint of the model that the case describes: of every key as it was read, shapes and the content of their files included, and of the order of bodies. Left out are the keys
 * that a run may change when it goes on, and the mesh, which prc_mesh_hash knows. */
uint64_t prc_case_identity(const prc_case *c);
/* Is the key of this path, "output.every", one of those? And their list, with `*` for a name of the user's: the i-th, or NULL. */
int prc_case_may_change(const char *path);
const char *prc_case_free_key(int i);
/* Adds the bytes of a file to a hash; one that cannot be read counts by its absence. */
uint64_t prc_case_hash_file(uint64_t hash, const char *path);
/* Says which files the case is made of, by the keys that name them: meshes with what a .geo includes, tables of bodies and of formulas, surfaces, the state of another run. A file may be said
 * twice, and need not be there. */
typedef void prc_case_file(void *to, const char *key, const char *path);
prc_status prc_case_files(const prc_case *c, prc_case_file *say, void *to, prc_error *err) PRC_MUST_CHECK;
/* The merged case as YAML text; the caller frees it. */
prc_status prc_case_text(const prc_case *c, char **text, prc_error *err) PRC_MUST_CHECK;
/* Refuses, at its place, what ranks cannot share yet: all but linear meshes with planes and each other, stepped by theta or midpoint. */
prc_status prc_case_check_ranks(const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* Which of it, and where that is said; NULL: nothing is in the way. */
const char *prc_case_limit_of_ranks(const prc_case *c, const char **key);
/* Fails with PRC_INPUT at that place: "FILE:LINE:COL: message" or "FILE: --set PATH: message". */
prc_status prc_case_fail(const prc_case *c, const prc_case_place *place, prc_error *err, const char *format,
                         ...) PRC_PRINTF(4, 5);
#ifdef PRC_ANALYZE /* see base.h */
#define prc_case_fail(...) (prc_case_fail(__VA_ARGS__), PRC_INPUT)
#endif

/* The reference of all keys, as text for the terminal (markdown = 0) or as the page doc/case.md; the
 * caller frees it. */
prc_status prc_case_reference(int markdown, char **text, prc_error *err) PRC_MUST_CHECK;
/* The keys of a part, "contacts" or "contacts.friction", for the terminal; names of one's own may be left out or stand for any. */
prc_status prc_case_reference_of(const char *part, char **text, prc_error *err) PRC_MUST_CHECK;
/* Commented cases to start from: on a mesh, with the geometry PRC_STARTER_GEOMETRY_FILE beside it, and of
 * rigid bodies, in the plane and in space. */
typedef enum { PRC_STARTER_MESH, PRC_STARTER_GEOMETRY, PRC_STARTER_BODIES, PRC_STARTER_SPACE } prc_starter;
#define PRC_STARTER_GEOMETRY_FILE "block.geo"
const char *prc_case_starter(prc_starter which);
/* Random grains: the text of a case, and the table of bodies that it takes from the file table_name; their sizes, shapes and places
 * are told in the table's first lines. They are appended to *text and *table. The same numbers give the same bytes. */
typedef struct {
  int n, seed;  /* n >= 1 */
  int polygons; /* else discs */
  int slope;    /* glued grains below, in a periodic cell; else a box */
} prc_grains;
prc_status prc_case_grains(const prc_grains *what, const char *table_name, prc_bytes *text, prc_bytes *table,
                           prc_error *err) PRC_MUST_CHECK;

/* ---- the model it describes ---------------------------------------------------------------------------- */

typedef struct {
  prc_mesh *mesh; /* with its fem: NULL without a mesh */
  prc_fem *fem;
  prc_rigid *rigid;     /* NULL where there are no rigid bodies in the plane */
  prc_spatial *spatial; /* bodies in space, alone; or NULL */
  int n_beams;
  prc_beam **beam;          /* n_beams, of the case */
  prc_scene *scene;         /* of all: the mesh first, the beams last */
  const prc_system *system; /* the scene's */
  int *contact_of; /* of each group of contacts in the system: the case's contact, see prc_model_contact_of */
  int *joint_of;   /* of each joint of the case: which of the scene's it is, see view.h */
  struct prc_model_parts *parts; /* what fem and rigid were made of, alive as long as they are */
} prc_model;

/* Reads the mesh, resolves the groups (an unknown one is refused at its place in the case, naming those
 * that exist) and builds the body; or builds the rigid bodies. The case owns the expressions and must outlive
 * the model. */
prc_status prc_case_build(const prc_case *c, const prc_log *log, prc_model **out,
                          prc_error *err) PRC_MUST_CHECK;
void prc_model_free(prc_model **model);
/* Where err's message names a support and its component, "support 'top': y ...", puts the place of that in
 * front. */
void prc_case_place_motion(const prc_case *c, prc_error *err);
/* Adds the place of the key to an error of prc_stepper_create whose message has no place. */
prc_status prc_case_place_setup(const prc_case *c, prc_status status, prc_error *err) PRC_MUST_CHECK;
/* The laws at the start of the case's contact i: of each node of an interface that touches, else one; the caller deletes them. */
prc_status prc_model_laws(const prc_case *c, const prc_model *model, int i, int *n, prc_law **out,
                          prc_error *err) PRC_MUST_CHECK;
/* Of contact i between two curves: compression and shear at t = 0, at the nodes that prc_model_laws has. */
prc_status prc_model_prestress(const prc_case *c, const prc_model *model, int i, double *const out[2],
                               prc_error *err) PRC_MUST_CHECK;
/* Parts of one contact's curves that cannot see each other, and the distance of straight sides from their
 * arcs. */
void prc_model_describe_sides(const prc_case *c, const prc_model *model, int i, const prc_text *to);
/* Which of the case's contacts place c of a set belongs to. */
static inline int prc_model_contact_of(const prc_model *model, const prc_contact_set *set, int c) {
  return model->contact_of[set->group[c]];
}

/* ---- expressions --------------------------------------------------------------------------------------- */

/* Parses an expression of the allowed variables ("t", "xy", "txy": any of the letters) into a field whose
 * data the returned handle owns. Errors name the character: "position 7: ...". */
typedef struct prc_expression prc_expression;
prc_status prc_expression_create(const char *text, const char *variables, prc_expression **out,
                                 prc_error *err) PRC_MUST_CHECK;
void prc_expression_free(prc_expression **expression);
/* Constant (eval is NULL) where no variable is used; else a value that is not finite is PRC_INPUT. Two
 * threads must not evaluate the same expression at once. */
prc_field prc_expression_field(prc_expression *expression);

#ifdef __cplusplus
}
#endif
#endif

/* View of a body for output and commands: one table of functions for each kind, a member of prc_body_kind. A
 * NULL function means that the kind has none of it. q and v are the body's own part of the state. A pointer
 * may be NULL only where that is said; nothing checks it. */
#ifndef PRC_SCENE_VIEW_H
#define PRC_SCENE_VIEW_H

#include "base/fields.h"
#include "measure/measure.h"
#include "scene/scene.h"

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- words ------------------------------------------------------------------------------------------ */

/* Where they go; a format as printf has it. */
typedef struct {
  void (*print)(void *to, const char *format, va_list args);
  void *to;
} prc_text;
void prc_text_print(const prc_text *text, const char *format, ...) PRC_PRINTF(2, 3);

/* Words from the case, beside the data of the body itself. */
typedef struct {
  const char *file; /* that it was read from; NULL: none */
  int rotations_accepted;
} prc_view_words;

typedef struct {
  const char *name; /* "nodes" */
  long long value;
} prc_view_size;
enum { PRC_VIEW_SIZES = 2 };

/* ---- joints and springs ----------------------------------------------------------------------------- */

typedef struct {
  double x[3]; /* where it is; in the plane the third is zero */
  /* of `rows`, on the second of the two it is between, in fixed axes: force, and moment about x, in the plane the third of it */
  double force[3], moment[3];
  double gap; /* the largest |g| of its rows */
  int n_rows;
} prc_view_joint;
typedef struct {
  double length, elongation, rate; /* rate: dL/dt */
  double elastic, viscous;         /* forces that pull its ends together */
} prc_view_spring;

/* ---- fields in space -------------------------------------------------------------------------------- */

enum { PRC_VIEW_RUBS = 3 };

/* A contact whose points are the body's. */
typedef struct {
  int own; /* its number among the body's own contacts; -1: it is between two bodies */
  int feature, status;
  double gap, p[2];
  double rubs[PRC_VIEW_RUBS]; /* its slip, mu, and the first number of its friction's state */
} prc_view_contact;

typedef struct {
  const double *q, *v;
  double h;
  int n_contacts;
  const prc_view_contact *contact;
  const int *neighbours; /* of the items: how many others carry each; NULL: it is not known */
  /* nv each, or NULL where nothing asks for them: what contacts push its dofs by, as forces, and PRC_VIEW_RUBS means over the contacts that touch a dof, with their
   * weight */
  const double *force, *weight, *rubs[PRC_VIEW_RUBS];
} prc_view_state;

/* Points and cells of a body, and what is known there. The arrays that change are those of the last
 * update. */
enum { PRC_VIEW_ARRAYS = 12 };
/* Arrays on cells that a body shows on request, by name. */
enum { PRC_VIEW_STRAIN = 1, PRC_VIEW_MATERIAL = 2, PRC_VIEW_BODY = 4 };
typedef struct {
  unsigned asked;      /* for these */
  int first_body;      /* what the bodies of a mesh are numbered from */
  int n_points, moves; /* moves: x changes */
  const double *x; /* 2 n_points; 3 where cells.in_space says so, as it then does of all bodies of a scene */
  prc_cells cells;
  int n_fixed, n_on_points, n_on_cells;
  prc_array fixed[PRC_VIEW_ARRAYS], on_points[PRC_VIEW_ARRAYS], on_cells[PRC_VIEW_ARRAYS];
  double *real; /* what the kind keeps its arrays in */
  int *integer;
} prc_view_fields;
void prc_view_fields_free(prc_view_fields **fields);

/* ---- places, and distances of fields ---------------------------------------------------------------- */

/* A point within a body, as the body finds it again. */
typedef struct {
  int cell;
  double weight[PRC_ELEMENT_NODES];
} prc_view_place;

typedef prc_fem_norms prc_body_norms;
typedef prc_fem_exact prc_body_exact;
typedef prc_fem_comparison prc_body_comparison;

enum { PRC_VIEW_MOTION = 13 };

/* ---- energies --------------------------------------------------------------------------------------- */

/* Of a body, or of what of it is of one material. */
typedef struct {
  char body[128];
  const char *material; /* "": it has none */
  double kinetic, elastic;
} prc_view_energy;
typedef struct {
  const char *name;
  double density, shear; /* shear: the modulus of its slowest shear wave */
} prc_view_material;

/* ---- the table -------------------------------------------------------------------------------------- */

typedef struct prc_body_view {
  /* what may touch: the word for one, and for several */
  const char *one, *many;
  int tangential_restitution; /* its contacts may have one */

  /* what `check` says: before it speaks of time, behind that, and of what nothing but contact holds
   * without inertia */
  void (*describe)(const void *self, const prc_view_words *words, const prc_text *to);
  void (*describe_step)(const void *self, double step, const prc_text *to);
  prc_status (*describe_held)(const void *self, const prc_text *to, prc_error *err);
  int (*sizes)(const void *self, prc_view_size size[PRC_VIEW_SIZES]); /* how many there are */
  size_t (*memory)(const void *self);                                 /* bytes, about */
  /* of what makes its places: 64 bits; NULL: the state at the start says it all */
  uint64_t (*fingerprint)(const void *self);

  /* points that may touch: the name of the body they belong to (NULL: it is the whole, with its own name),
   * their names in messages, "node 17 at (3, 0)", and their numbers in tables */
  const char *(*item_name)(const void *self, int item);
  void (*point_name)(const void *self, int item, int feature, char *text, size_t size);
  double (*point_number)(const void *self, int item, int feature);
  /* in space: which part of its body touches, from 1, of the one that is its own or of the body that has a contact's id.b or id.a less first_surface */
  double (*part_number)(const void *self, uint32_t surface);
  int (*is_prescribed)(const void *self, int feature);
  /* its own contacts that have a wrong side: does the plane of contact k stand inside the body? */
  int (*faces_away)(const void *self, int k);
  const char *(*contact_name)(const void *self, int k);

  /* of one of a family: its dofs from which on, among those of the body; how many, as many coordinates with the same numbers; and one coordinate more, or -1. NULL: the body is
   * one, all coordinates are its own */
  void (*dofs)(const void *self, int item, int own[3]);

  /* rows of bodies.csv: in the plane position, angle and their velocities, 6 numbers; in space position, quaternion (w, x, y, z), velocity and
   * spin in the body's own axes, 13; their names, NULL: those of the items */
  int (*tracked)(const void *self);
  const char *(*tracked_name)(const void *self, int item);
  void (*motion)(const void *self, int item, const double *q, const double *v, double row[PRC_VIEW_MOTION]);
  /* one of a family of rigid bodies as it is measured, its dofs from 3 item on; NULL: the kind has none */
  void (*grain)(const void *self, int item, prc_measure_body *out);
  /* joints and springs: their number; one of them at a state, with g and forces of the body's own rows (NULL: zeros) */
  int (*joints)(const void *self);
  int (*joint_first)(const void *self, int k); /* its rows begin there; k = joints: how many there are */
  void (*joint)(const void *self, int k, const double *q, const double *g, const double *rows,
                prc_view_joint *out);
  int (*springs)(const void *self);
  void (*spring)(const void *self, int k, const double *q, const double *v, prc_view_spring *out);
  /* supports: the rows of its drive that support k prescribes, and their number; the direction of one */
  int (*supports)(const void *self);
  int (*support_rows)(const void *self, int k, const int **rows);
  int (*direction)(const void *self, int row);
  /* springs to the ground: their number, and the resultant of one on the body */
  int (*grounds)(const void *self);
  void (*ground)(const void *self, int k, const double *q, double force[2]);
  /* 0: the point is not in it; displacement and velocity of one that is */
  int (*locate)(const void *self, const double x[2], prc_view_place *place);
  void (*probe)(const void *self, const prc_view_place *place, const double *q, const double *v,
                double row[4]);
  /* stress xx, yy, xy, zz and strain xx, yy, xy there */
  void (*probe_stress)(const void *self, const prc_view_place *place, const double *q, double row[7]);

  /* contacts that are lines: their number, the candidates of line k, their areas (of an interface those of the last search), places along it, and
   * which of them a feature is (-1: none) */
  int (*lines)(const void *self);
  int (*line_size)(const void *self, int k);
  const double *(*line_areas)(const void *self, int k);
  prc_status (*line_places)(const void *self, int k, double *place, prc_error *err);
  void (*line_point)(const void *self, int k, int candidate, double x[2]); /* where it is at the start */
  int (*line_candidate)(const void *self, int k, int feature);
  /* which of them shows what lies under this one, itself or another; -1: nothing does. *feature: its own */
  int (*line_carrier)(const void *self, int k, int candidate, int *feature);

  /* what run.json says of materials; and marks the cells of surfaces whose names are listed, "a, b" (NULL: of all), of ranks
   * their own */
  int (*materials)(const void *self);
  prc_view_material (*material)(const void *self, int k);
  double (*courant)(const void *self, double step); /* step x speed / smallest height of a cell */
  void (*mark_regions)(const void *self, const char *regions, char *wanted);
  /* energies by body and material; *out is the caller's to delete. And the names of bodies alone, in their order */
  prc_status (*energies)(const void *self, const double *q, const double *v, int *n, prc_view_energy **out,
                         prc_error *err);
  uint64_t (*groups)(const void *self); /* what names of groups mean: an identity */
  prc_status (*body_names)(const void *self, int *n, prc_view_energy **out, prc_error *err);
  prc_status (*fields)(const void *self, prc_view_fields *fields, prc_error *err);
  void (*update)(const void *self, const prc_view_state *state, prc_view_fields *fields);

  /* the start: velocities by place, and a static equilibrium */
  prc_status (*velocity)(const void *self, const prc_field velocity[2], double *v, prc_error *err);
  /* held: which contacts it holds against their law, in words; "" where none */
  prc_status (*equilibrium)(const void *self, int with_loads, double *q, char *held, size_t size,
                            prc_error *err);

  /* distances from an exact solution, and from the same body with other cells */
  prc_status (*errors)(const void *self, const prc_body_exact *exact, double t, const double *q,
                       const double *v, prc_body_norms *error, prc_body_norms *size, prc_error *err);
  prc_status (*compare_with)(const void *coarse, const void *fine, prc_body_comparison **out, prc_error *err);
  void (*compare)(const prc_body_comparison *comparison, const double *q_coarse, const double *v_coarse,
                  const double *q_fine, const double *v_fine, prc_body_norms *error, prc_body_norms *size);
  void (*compare_free)(prc_body_comparison **comparison);
} prc_body_view;

extern const prc_body_view prc_body_view_mesh, prc_body_view_rigid, prc_body_view_spatial, prc_body_view_beam;
/* Fields of a mesh (mesh_fields.c). */
prc_status prc_mesh_view_fields(const void *self, prc_view_fields *fields, prc_error *err) PRC_MUST_CHECK;
void prc_mesh_view_update(const void *self, const prc_view_state *state, prc_view_fields *fields);
/* Bodies of a mesh, their names and energies (mesh_energies.c). of: of each cell, from 0. */
prc_status prc_mesh_view_number_bodies(const void *self, int *n, int *of, prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_view_body_names(const void *self, int *n, prc_view_energy **out,
                                    prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_view_energies(const void *self, const double *q, const double *v, int *n,
                                  prc_view_energy **out, prc_error *err) PRC_MUST_CHECK;
/* Contact lines of a mesh (mesh_lines.c). */
int prc_mesh_view_lines(const void *self);
int prc_mesh_view_line_size(const void *self, int k);
const double *prc_mesh_view_line_areas(const void *self, int k);
prc_status prc_mesh_view_line_places(const void *self, int k, double *place, prc_error *err) PRC_MUST_CHECK;
void prc_mesh_view_line_point(const void *self, int k, int candidate, double x[2]);
int prc_mesh_view_line_candidate(const void *self, int k, int node);
int prc_mesh_view_line_carrier(const void *self, int k, int candidate, int *node);
/* Fields of rigid bodies in space (spatial_fields.c); self is a prc_spatial. */
prc_status prc_spatial_view_fields(const void *self, prc_view_fields *fields, prc_error *err) PRC_MUST_CHECK;
prc_status prc_spatial_view_energies(const void *self, const double *q, const double *v, int *n,
                                     prc_view_energy **out, prc_error *err) PRC_MUST_CHECK;
void prc_spatial_view_update(const void *self, const prc_view_state *state, prc_view_fields *fields);

/* ---- of a scene ------------------------------------------------------------------------------------- */

/* Which body a contact's points belong to, and which of its family. */
const prc_body *prc_view_body_of(const prc_scene *scene, int in_all, int *item);
/* The name of that: the item's, or the body's own. */
const char *prc_view_item_name(const prc_body *body, int item);
/* Named parts of a scene, body after body: the mesh, each rigid body and obstacle, each beam. Dofs and
 * coordinates of the system; extra: one coordinate more, or -1. */
typedef struct {
  const char *kind, *name; /* name "": it has none */
  int first_dof, first_coordinate, n, extra;
} prc_view_part;
int prc_view_parts(const prc_scene *scene);
/* n of prc_view_parts */
void prc_view_list_parts(const prc_scene *scene, prc_view_part *part);
/* Does a body of the kind of this name come from a file, and has no name in the case? */
int prc_view_is_of_file(const char *kind);
/* Name for a number in an indicator: "'grain[3]'", for a mesh "the body of 'top'", a curve of it; "" for an
 * obstacle that never moves. */
void prc_view_indicator_name(const prc_scene *scene, int number, char *text, size_t size);
/* Support k of all bodies' in turn: its body, and the rows of the system's drive in `rows` from *first on. */
const prc_body *prc_view_support(const prc_scene *scene, int k, const int **rows, int *n);
/* Spring to the ground k of all bodies' in turn, on its body; without it zeros. */
void prc_view_ground_force(const prc_scene *scene, int k, const double *q, double force[2]);
/* The name of what is tracked. */
const char *prc_view_tracked_name(const prc_body *body, int item);
/* Joint k of all bodies' in turn, and of those between bodies behind them: its rows in the system, and what it is at a state, with g and forces
 * of all rows (NULL: zeros). */
int prc_view_joint_rows(const prc_scene *scene, int k, int *first);
void prc_view_joint_now(const prc_scene *scene, int k, const double *q, const double *g, const double *rows,
                        prc_view_joint *out);
/* Spring k of all bodies' in turn: its body, and its number there; NULL: there is none. */
const prc_body *prc_view_spring_of(const prc_scene *scene, int k, int *own);
/* The first body whose fields have distances from others; NULL: there is none. */
const prc_body *prc_view_measured(const prc_scene *scene);
prc_status prc_view_fields_create(const prc_body *body, unsigned asked, int first_body, prc_view_fields **out,
                                  prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

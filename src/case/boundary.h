/* Boundary of a case's mesh: supports, loads and dashpots. A pointer may be NULL only where that is said;
 * nothing checks it. */
#ifndef PRC_CASE_BOUNDARY_H
#define PRC_CASE_BOUNDARY_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a value stands, for messages: "block.yaml:12:9" or "--set contacts.bottom.friction". A value that
 * is not given has the place of the block it would stand in. The place of a material, body, contact, support
 * or load is that of its name. */
typedef struct {
  int line, column; /* from 1; 0 when it came from --set */
  const char *file; /* a table of bodies; NULL: the case file */
  const char *set;  /* the dotted path given to --set, or NULL */
} prc_case_place;

typedef struct {
  char *name, *group;
  int held[2];
  prc_field displacement[2];
  int has_velocity[2]; /* in place of a displacement; prc_case_check_rules then puts it there */
  prc_field velocity[2];
  int absorbing; /* it holds nothing, and lets waves out */
  int spring_given, point_given;
  double spring[2], fixed[2], point[2]; /* as prc_case_ground has them */
  prc_case_place place;
} prc_case_support;

/* A spring to the ground, which a support is or has. */
typedef struct {
  char *name, *group;         /* NULL: at a point */
  double spring[2], fixed[2]; /* along the normal and across it; in x and y */
  double point[2];
  prc_case_place place;
} prc_case_ground;

typedef struct {
  char *name, *group;
  prc_field traction[2], pressure;
  int at_points, n_points; /* forces at points, in place of these */
  double one[2], *point;   /* 2 n_points; one: the only one */
  prc_field force[2];
  prc_case_place place;
} prc_case_load;

typedef struct {
  char *name, *group;
  double coefficient[2]; /* normal, tangential; NaN: absorbing */
  prc_case_place place;
} prc_case_dashpot;

#ifdef __cplusplus
}
#endif
#endif

/* Words that rows of the table of keys are written in; and its parts, a file each. */
#ifndef PRC_CASE_KEYS_H
#define PRC_CASE_KEYS_H

#include "case/internal.h"

#include <math.h>
#include <stddef.h>

#define POSITIVE                                                                                             \
  { 0.0, INFINITY, 1, 0 }
#define NOT_NEGATIVE                                                                                         \
  { 0.0, INFINITY, 0, 0 }
#define COUNT                                                                                                \
  { 0.0, 2147483647.0, 0, 0 }
#define FROM_ONE                                                                                             \
  { 1.0, 2147483647.0, 0, 0 }

#define IN(member)                .at = offsetof(prc_case, member)
#define ITEM(type, member)        .at = offsetof(type, member)
#define LIST(type, member, count) ITEM(type, member), .count_at = offsetof(type, count)
#define PLACE(type, member)       .place_at = offsetof(type, member)
#define GIVEN(type, member)       .given_at = offsetof(type, member)
#define MESH                      .only = PRC_WITH_MESH
#define IN_PLANE                  .dimension = 2
#define IN_SPACE                  .dimension = 3
#define BODIES                    .only = PRC_WITH_BODIES
/* numbers that may be formulas: 1/12, pi/4; of a set of bodies in i */
#define FORMULA       .variables = ""
#define OF_EACH       .variables = "i"
#define COLUMNS(text) .columns = (text)
/* NOLINTBEGIN(bugprone-macro-parentheses): the name of a member cannot stand in any */
#define MANY(what, array, count, type)                                                                       \
  .item = what, .at = offsetof(prc_case, array), .count_at = offsetof(prc_case, count),                      \
  .size = sizeof(type), PLACE(type, place)
/* NOLINTEND(bugprone-macro-parentheses) */

#define BLOCK(parent, key)       parent, key, .type = PRC_KEY_BLOCK
#define NAMED(parent, key)       parent, key, .type = PRC_KEY_NAMED
#define NUMBER(parent, key)      parent, key, .type = PRC_KEY_NUMBER
#define INTEGER(parent, key)     parent, key, .type = PRC_KEY_INTEGER
#define FLAG(parent, key)        parent, key, .type = PRC_KEY_FLAG
#define WORD(parent, key)        parent, key, .type = PRC_KEY_WORD
#define TEXT(parent, key)        parent, key, .type = PRC_KEY_TEXT
#define GROUP(parent, key)       parent, key, .type = PRC_KEY_GROUP
#define FILEPATH(parent, key)    parent, key, .type = PRC_KEY_PATH
#define FILEPATHS(parent, key)   parent, key, .type = PRC_KEY_PATHS
#define NAMES(parent, key)       parent, key, .type = PRC_KEY_NAMES
#define PAIR(parent, key)        parent, key, .type = PRC_KEY_PAIR
#define POINT(parent, key)       parent, key, .type = PRC_KEY_POINT
#define NUMBERS(parent, key)     parent, key, .type = PRC_KEY_NUMBERS
#define POINTS(parent, key)      parent, key, .type = PRC_KEY_POINTS
#define POLYGONS(parent, key)    parent, key, .type = PRC_KEY_POLYGONS
#define DISCS(parent, key)       parent, key, .type = PRC_KEY_DISCS
#define EXPRESSION(parent, key)  parent, key, .type = PRC_KEY_EXPRESSION
#define EXPRESSIONS(parent, key) parent, key, .type = PRC_KEY_EXPRESSIONS
#define PARAMETERS(parent, key)  parent, key, .type = PRC_KEY_PARAMETERS
#define FRICTION(parent, key)    parent, key, .type = PRC_KEY_FRICTION

/* The shapes of a thing in space and how its axes are turned: rows of bodies, whose numbers may be formulas in i and stand in tables, and of
 * obstacles. `solid` is a prc_case_solid in an item of this type. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define NO_COLUMNS(text) .columns = NULL
#define SOLID(block, type, solid, each, columns_are)                                                         \
  {NUMBERS(block, "orientation"),                                                                            \
   IN_SPACE,                                                                                                 \
   each,                                                                                                     \
   columns_are("qw qx qy qz"),                                                                               \
   .least = 4,                                                                                               \
   .most = 4,                                                                                                \
   .otherwise = "not turned",                                                                                \
   ITEM(type, solid.orientation),                                                                            \
   .count_at = offsetof(type, solid.n_orientation),                                                          \
   .help = "unit quaternion [w, x, y, z] from its own axes to the fixed ones at t = 0; its length may be 1 " \
           "to a thousandth"},                                                                               \
      {BLOCK(block, "rotation"), IN_SPACE, .otherwise = "not turned", GIVEN(type, solid.rotation_given),     \
       .help = "in place of orientation"},                                                                   \
      {POINT(block ".rotation", "axis"),                                                                     \
       IN_SPACE,                                                                                             \
       each,                                                                                                 \
       .required = PRC_ALWAYS,                                                                               \
       ITEM(type, solid.axis),                                                                               \
       .help = "direction that it is turned about, of any length but zero"},                                 \
      {NUMBER(block ".rotation", "angle"), IN_SPACE, each, .required = PRC_ALWAYS, ITEM(type, solid.angle),  \
       .help = "radians, right-handed"},                                                                     \
      {NUMBER(block, "sphere"),  IN_SPACE,                                                                   \
       .elsewhere = "disc",      each,                                                                       \
       columns_are("radius"),    .unit = "length",                                                           \
       .range = POSITIVE,        .otherwise = "none",                                                        \
       ITEM(type, solid.sphere), .help = "radius of a sphere around the origin of its axes"},                \
      {NUMBERS(block, "box"),                                                                                \
       IN_SPACE,                                                                                             \
       .elsewhere = "polygon",                                                                               \
       each,                                                                                                 \
       columns_are("edge_x edge_y edge_z"),                                                                  \
       .least = 3,                                                                                           \
       .most = 3,                                                                                            \
       .unit = "length",                                                                                     \
       .range = POSITIVE,                                                                                    \
       .otherwise = "none",                                                                                  \
       ITEM(type, solid.box),                                                                                \
       .help = "edges of a box around the origin, along its axes"},                                          \
      {POINTS(block, "polyhedron"),                                                                          \
       IN_SPACE,                                                                                             \
       .elsewhere = "polygon",                                                                               \
       each,                                                                                                 \
       columns_are("corners"),                                                                               \
       .unit = "length",                                                                                     \
       .otherwise = "none",                                                                                  \
       LIST(type, solid.corner, solid.n_corners),                                                            \
       .help = "the convex hull of these points, in its axes"},                                              \
      {BLOCK(block, "capsule"), IN_SPACE, .otherwise = "none",                                               \
       .help = "all within a radius of a line along its z, around the origin"},                              \
      {NUMBER(block ".capsule", "length"),                                                                   \
       IN_SPACE,                                                                                             \
       each,                                                                                                 \
       .unit = "length",                                                                                     \
       .range = POSITIVE,                                                                                    \
       .otherwise = "none",                                                                                  \
       ITEM(type, solid.capsule[0]),                                                                         \
       .help = "of the line, along z, without the two caps"},                                                \
      {NUMBER(block ".capsule", "radius"),                                                                   \
       IN_SPACE,                                                                                             \
       each,                                                                                                 \
       .unit = "length",                                                                                     \
       .range = POSITIVE,                                                                                    \
       .otherwise = "none",                                                                                  \
       ITEM(type, solid.capsule[1]),                                                                         \
       .help = "around it"},                                                                                 \
      {BLOCK(block, "cylinder"), IN_SPACE, .otherwise = "none",                                              \
       .help = "with its axis along z, around the origin; it meets planes alone"},                           \
      {NUMBER(block ".cylinder", "length"),                                                                  \
       IN_SPACE,                                                                                             \
       each,                                                                                                 \
       .unit = "length",                                                                                     \
       .range = POSITIVE,                                                                                    \
       .otherwise = "none",                                                                                  \
       ITEM(type, solid.cylinder[0]),                                                                        \
       .help = "of its axis, along z; a cylinder meets planes alone"},                                       \
      {NUMBER(block ".cylinder", "radius"),                                                                  \
       IN_SPACE,                                                                                             \
       each,                                                                                                 \
       .unit = "length",                                                                                     \
       .range = POSITIVE,                                                                                    \
       .otherwise = "none",                                                                                  \
       ITEM(type, solid.cylinder[1]),                                                                        \
       .help = "around it"},                                                                                 \
      {POLYGONS(block, "polyhedra"),                                                                         \
       IN_SPACE,                                                                                             \
       each,                                                                                                 \
       .unit = "length",                                                                                     \
       .otherwise = "none",                                                                                  \
       ITEM(type, solid.polyhedra),                                                                          \
       .help = "convex parts, each the hull of its points, in its axes; where parts overlap their mass "     \
               "counts twice"},                                                                              \
      {DISCS(block, "spheres"),                                                                              \
       IN_SPACE,                                                                                             \
       each,                                                                                                 \
       .unit = "length",                                                                                     \
       .otherwise = "none",                                                                                  \
       ITEM(type, solid.spheres),                                                                            \
       .help = "spheres that are parts, with or without polyhedra: their centres in its axes and radii"},    \
      {FILEPATH(block, "shape"), IN_SPACE, .otherwise = "none", ITEM(type, solid.file),                      \
       .help = "file of a closed surface in its axes: STL, or what Gmsh opens; relative to the case file"},  \
      {NUMBER(block, "shape_unit"),                                                                          \
       IN_SPACE,                                                                                             \
       FORMULA,                                                                                              \
       .unit = "length",                                                                                     \
       .range = POSITIVE,                                                                                    \
       .otherwise = "required with shape",                                                                   \
       ITEM(type, solid.unit),                                                                               \
       .help = "how long the unit of the file is in that of the case: 1e-3 for mm in a case in m"},          \
      {WORD(block, "shape_as"),                                                                              \
       IN_SPACE,                                                                                             \
       .choices = "convex|hull|pieces",                                                                      \
       .fallback = "convex",                                                                                 \
       ITEM(type, solid.surface),                                                                            \
       .help = "what others touch: the surface, which is refused if it is not convex; or its hull; or the "  \
               "hulls of its pieces, that is of what hangs together"},
/* NOLINTEND(bugprone-macro-parentheses) */

/* In the order of the reference. */
extern const prc_key prc_keys_of_model[], prc_keys_of_bodies[], prc_keys_of_beams[], prc_keys_of_contacts[],
    prc_keys_of_boundary[], prc_keys_of_run[];

#endif

#include "config.h"
#include "case/internal.h"
#include "cone/cone.h"
#include "cone/solvers/methods.h"
#include "output/writers.h"
#include "step/schemes.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- the table: everything a key may be ---------------------------------------------------------------- */

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
#define PAIR(parent, key)        parent, key, .type = PRC_KEY_PAIR
#define POINT(parent, key)       parent, key, .type = PRC_KEY_POINT
#define POINTS(parent, key)      parent, key, .type = PRC_KEY_POINTS
#define POLYGONS(parent, key)    parent, key, .type = PRC_KEY_POLYGONS
#define DISCS(parent, key)       parent, key, .type = PRC_KEY_DISCS
#define EXPRESSION(parent, key)  parent, key, .type = PRC_KEY_EXPRESSION
#define EXPRESSIONS(parent, key) parent, key, .type = PRC_KEY_EXPRESSIONS

/* clang-format off */
static const prc_key table[] = {
  {TEXT("", "name"), .otherwise = "the file's name", IN(name),
   .help = "name of the case; results go to `results/<name>`"},
  {TEXT("", "units"), .otherwise = "not said", IN(units),
   .help = "names of the units of length, mass and time, for the axes of pictures: mm g ms; or none, without dimensions"},
  {INTEGER("", "seed"), .range = COUNT, .fallback = "0", IN(seed), .help = "of random(i, k) in expressions"},

  {BLOCK("", "mesh"), MESH, .required = PRC_ALWAYS, PLACE(prc_case, mesh.place), .help = "the geometry"},
  {FILEPATH("mesh", "file"), .required = PRC_ALWAYS, IN(mesh.file),
   .help = "Gmsh mesh (.msh 2.2 or 4.1) or geometry (.geo), relative to the case file"},
  {NUMBER("mesh", "size"), .unit = "length", .range = POSITIVE, .otherwise = "as the .geo says", IN(mesh.size),
   .help = "length of edges: the parameter `size` of a .geo; refused with a .msh"},
  {FLAG("mesh", "allow_duplicate_nodes"), .fallback = "false", IN(mesh.allow_duplicate_nodes),
   .help = "nodes at the same place are wanted (a seam), not a mistake"},
  {NUMBER("mesh", "max_time"), .unit = "seconds of wall time", .range = NOT_NEGATIVE, .fallback = "600", IN(mesh.max_time),
   .help = "longest time for meshing a .geo, which is stopped then; 0: no limit"},
  {NUMBER("mesh", "max_memory"), .unit = "GB", .range = NOT_NEGATIVE, .otherwise = "what is available", IN(mesh.max_memory),
   .help = "most memory for meshing a .geo; 0: what is available when it begins"},

  {BLOCK("", "model"), .required = PRC_WITH_MESH, .help = "what kind of body it is; gravity"},
  {WORD("model", "plane"), .choices = "stress|strain|axisymmetric", MESH, .required = PRC_ALWAYS, IN(model.plane),
   .help = "plane stress (a thin plate), plane strain (a slice of something long), or a body of revolution: x is the radius, y the axis"},
  {NUMBER("model", "thickness"), .unit = "length", .range = POSITIVE, .fallback = "1", IN(model.thickness),
   .help = "thickness; masses, forces and energies are of the whole thickness; not if axisymmetric; with bodies for densities only"},
  {WORD("model", "mass"), MESH, .choices = "consistent|lumped|modified", .fallback = "consistent", IN(model.mass),
   .help = "mass matrix of a mesh: consistent, or lumped (row sums; quadratic elements: the scaled diagonal), or without mass at contact nodes, against oscillating contact forces; no restitution then"},
  {WORD("model", "rotations"), MESH, .choices = "small|accepted", .fallback = "small", IN(model.rotations_accepted),
   .help = "the elements are of small strain: the certificate notes a cell that turned by 1 degree and fails at 5 degrees; accepted: only noted"},
  {EXPRESSIONS("model", "gravity"), .unit = "length/time^2", .variables = "t", .fallback = "[0, 0]", IN(model.gravity),
   .help = "acceleration of gravity in x and y; downwards is negative"},
  {EXPRESSIONS("model", "body_force"), MESH, .unit = "force/length^3", .variables = "txy", .fallback = "[0, 0]",
   IN(model.body_force), .help = "force per volume of a mesh, its x and y components"},
  {BLOCK("model", "damping"), MESH, .help = "Rayleigh damping C = mass M + stiffness K"},
  {NUMBER("model.damping", "mass"), .unit = "1/time", .range = NOT_NEGATIVE, .fallback = "0", IN(model.damping_mass),
   .help = "Rayleigh damping of a mesh: factor of the mass matrix"},
  {NUMBER("model.damping", "stiffness"), .unit = "time", .range = NOT_NEGATIVE, .fallback = "0",
   IN(model.damping_stiffness), .help = "Rayleigh damping of a mesh: factor of the stiffness matrix"},

  {NAMED("", "materials"), MESH, .required = PRC_ALWAYS, MANY("<group>", material, n_materials, prc_case_material),
   .help = "one for each physical surface of the mesh, by its name"},
  {TEXT("materials.<group>", "law"), .choices = PRC_FEM_LAW_NAMES, .fallback = PRC_FEM_DEFAULT_LAW,
   ITEM(prc_case_material, law), .help = "law of elasticity"},
#define PARAMETER(name, symbol, dimension, low, high, open_low, open_high, text)                                     \
  {NUMBER("materials.<group>", #name), .unit = (dimension), .range = {(low), (high), (open_low), (open_high)},         \
   .of_material = 1, .required = PRC_ALWAYS, ITEM(prc_case_material, values.name), .help = (text)},
  PRC_FEM_PARAMETERS(PARAMETER)
#undef PARAMETER
  {NUMBER("materials.<group>", "density"), .unit = "mass/length^3", .range = POSITIVE, .required = PRC_ALWAYS,
   ITEM(prc_case_material, values.density), .help = "mass density"},
  {BLOCK("materials.<group>", "damping"), .help = "Rayleigh damping of this material, in place of the model's"},
  {NUMBER("materials.<group>.damping", "mass"), .unit = "1/time", .range = NOT_NEGATIVE,
   .otherwise = "model.damping.mass", ITEM(prc_case_material, damping_mass),
   GIVEN(prc_case_material, damping_given[0]), .help = "factor of the material's part of the mass matrix"},
  {NUMBER("materials.<group>.damping", "stiffness"), .unit = "time", .range = NOT_NEGATIVE,
   .otherwise = "model.damping.stiffness", ITEM(prc_case_material, damping_stiffness),
   GIVEN(prc_case_material, damping_given[1]), .help = "factor of the material's part of the stiffness matrix"},

  {NAMED("", "bodies"), BODIES, .required = PRC_ALWAYS, MANY("<name>", body, n_bodies, prc_case_body), .of_sets = 1,
   .help = "planar rigid bodies, instead of a mesh or beside it"},
  {INTEGER("bodies.<name>", "count"), FORMULA, .range = COUNT, .fallback = "1", .otherwise = "one body, called as the block",
   ITEM(prc_case_body, count), .help = "how many bodies the block makes: <name>[0], <name>[1], ...; their numbers may be expressions in i = 0, 1, ..."},
  {FILEPATH("bodies.<name>", "from"), .otherwise = "none", ITEM(prc_case_body, table),
   .help = "table of bodies, one a row, relative to the case file; what stands in the block holds where the table has no such column"},
  {TEXT("bodies.<name>", "group"), .otherwise = "all rows", ITEM(prc_case_body, group),
   .help = "of the table only the rows whose column `group` says this"},
  {NUMBER("bodies.<name>", "mass"), OF_EACH, COLUMNS("mass"), .unit = "mass", .range = POSITIVE, .otherwise = "from the density",
   ITEM(prc_case_body, mass), .help = "mass"},
  {NUMBER("bodies.<name>", "inertia"), OF_EACH, COLUMNS("inertia"), .unit = "mass length^2", .range = POSITIVE,
   .otherwise = "from the density", ITEM(prc_case_body, inertia), .help = "moment of inertia about the centre of mass"},
  {NUMBER("bodies.<name>", "density"), OF_EACH, COLUMNS("density"), .unit = "mass/length^3", .range = POSITIVE,
   .otherwise = "mass and inertia as given", ITEM(prc_case_body, density),
   .help = "instead of mass and inertia: they follow from the polygon or the disc and model.thickness"},
  {POINT("bodies.<name>", "position"), OF_EACH, COLUMNS("x y"), .unit = "length", .required = PRC_ALWAYS, ITEM(prc_case_body, position),
   .help = "of the centre of mass, at t = 0"},
  {NUMBER("bodies.<name>", "angle"), OF_EACH, COLUMNS("angle"), .fallback = "0", ITEM(prc_case_body, angle),
   .help = "from the fixed axes to the body's own, at t = 0; radians, counter-clockwise"},
  {POINT("bodies.<name>", "velocity"), OF_EACH, COLUMNS("vx vy"), .unit = "length/time", .fallback = "[0, 0]",
   ITEM(prc_case_body, velocity), .help = "of the centre of mass, at t = 0"},
  {NUMBER("bodies.<name>", "spin"), OF_EACH, COLUMNS("spin"), .unit = "1/time", .fallback = "0", ITEM(prc_case_body, spin),
   .help = "angular velocity at t = 0, counter-clockwise"},
  {EXPRESSIONS("bodies.<name>", "force"), .unit = "force", .variables = "t", .fallback = "[0, 0]",
   ITEM(prc_case_body, force), .help = "force at the centre of mass, its x and y components in fixed axes"},
  {EXPRESSIONS("bodies.<name>", "force_integral"), .unit = "force time", .variables = "t", .otherwise = "not known",
   ITEM(prc_case_body, force_integral), GIVEN(prc_case_body, integral_given),
   .help = "the integral of the force from any time on, by which a step of theta, midpoint or position takes its exact mean (the generalized-alpha schemes take the force at steps); its derivative must be the force"},
  {EXPRESSION("bodies.<name>", "moment"), .unit = "force length", .variables = "t", .fallback = "0",
   ITEM(prc_case_body, moment), .help = "moment, counter-clockwise"},
  {POINTS("bodies.<name>", "polygon"), OF_EACH, COLUMNS("corners"), .unit = "length", .otherwise = "none",
   LIST(prc_case_body, point, n_points), PLACE(prc_case_body, polygon_place),
   .help = "corners of the outline, in the body's axes; with a density their centroid becomes the origin"},
  {NUMBER("bodies.<name>", "disc"), OF_EACH, COLUMNS("radius"), .unit = "length", .range = POSITIVE, .otherwise = "none",
   ITEM(prc_case_body, radius), .help = "radius of a disc around the centre of mass; instead of a polygon"},
  {POLYGONS("bodies.<name>", "polygons"), OF_EACH, .unit = "length", .otherwise = "none", ITEM(prc_case_body, polygons),
   .help = "convex parts of the body, in its axes, by their corners; where parts overlap their mass counts twice"},
  {DISCS("bodies.<name>", "discs"), OF_EACH, .unit = "length", .otherwise = "none", ITEM(prc_case_body, discs),
   .help = "discs that are parts of the body, with or without polygons: their centres in its axes and radii"},
  {BLOCK("bodies.<name>", "face"), .otherwise = "none", GIVEN(prc_case_body, has_face),
   .help = "a half-plane that moves with the body, for others to touch"},
  {POINT("bodies.<name>.face", "point"), OF_EACH, .unit = "length", .required = PRC_ALWAYS,
   ITEM(prc_case_body, face_point), .help = "a point of its line, in the body's axes"},
  {POINT("bodies.<name>.face", "normal"), OF_EACH, .required = PRC_ALWAYS, ITEM(prc_case_body, face_normal),
   .help = "out of the body, in its axes; of any length but zero"},
  {FLAG("bodies.<name>", "fixed"), .fallback = "false", ITEM(prc_case_body, fixed),
   .help = "the body is at rest whatever touches it; mass and inertia may be left out then"},
  {BLOCK("bodies.<name>", "motion"), .otherwise = "free", GIVEN(prc_case_body, driven),
   .help = "the body is driven: its motion from its place at t = 0 is data; mass and inertia may be left out then"},
  {EXPRESSION("bodies.<name>.motion", "x"), .unit = "length", .variables = "t", .fallback = "0",
   ITEM(prc_case_body, motion[0]), .help = "displacement of the origin of its axes in x; zero at t = 0, without jumps"},
  {EXPRESSION("bodies.<name>.motion", "y"), .unit = "length", .variables = "t", .fallback = "0",
   ITEM(prc_case_body, motion[1]), .help = "displacement in y, likewise"},
  {EXPRESSION("bodies.<name>.motion", "rotation"), .variables = "t", .fallback = "0",
   ITEM(prc_case_body, motion[2]), .help = "rotation about the origin of its axes; radians, counter-clockwise, likewise"},

  {NAMED("", "obstacles"), MANY("<name>", obstacle, n_obstacles, prc_case_obstacle), .otherwise = "none",
   .help = "what contacts touch by `between`: a half-plane, a disc, a hole, a convex polygon or a segment, at rest or moving by formulas of t; "
           "the work of their motion is `driven`, the last column of energy.csv"},
  {BLOCK("obstacles.<name>", "plane"), .otherwise = "none", GIVEN(prc_case_obstacle, is_plane),
   .help = "everything behind a straight line; this or one of the others"},
  {POINT("obstacles.<name>.plane", "point"), FORMULA, .unit = "length", .required = PRC_ALWAYS,
   ITEM(prc_case_obstacle, point), .help = "a point of the line, at t = 0"},
  {POINT("obstacles.<name>.plane", "normal"), FORMULA, .required = PRC_ALWAYS, ITEM(prc_case_obstacle, normal),
   .help = "out of the obstacle, at t = 0; of any length but zero"},
  {BLOCK("obstacles.<name>", "disc"), .otherwise = "none", GIVEN(prc_case_obstacle, is_disc),
   .help = "a disc, touched from outside"},
  {POINT("obstacles.<name>.disc", "centre"), FORMULA, .unit = "length", .required = PRC_ALWAYS,
   ITEM(prc_case_obstacle, centre), .help = "its centre, at t = 0"},
  {NUMBER("obstacles.<name>.disc", "radius"), FORMULA, .unit = "length", .range = POSITIVE, .required = PRC_ALWAYS,
   ITEM(prc_case_obstacle, radius), .help = "its radius"},
  {BLOCK("obstacles.<name>", "hole"), .otherwise = "none", GIVEN(prc_case_obstacle, is_hole),
   .help = "everything outside a circle, which is touched from inside"},
  {POINT("obstacles.<name>.hole", "centre"), FORMULA, .unit = "length", .required = PRC_ALWAYS,
   ITEM(prc_case_obstacle, centre), .help = "its centre, at t = 0"},
  {NUMBER("obstacles.<name>.hole", "radius"), FORMULA, .unit = "length", .range = POSITIVE, .required = PRC_ALWAYS,
   ITEM(prc_case_obstacle, radius), .help = "its radius"},
  {POINTS("obstacles.<name>", "polygon"), FORMULA, .unit = "length", .otherwise = "none",
   LIST(prc_case_obstacle, corner, n_corners), .help = "corners of a convex polygon, at t = 0"},
  {POINTS("obstacles.<name>", "segment"), FORMULA, .unit = "length", .otherwise = "none",
   LIST(prc_case_obstacle, end, n_ends), .help = "its two ends, at t = 0: touched from both sides"},
  {BLOCK("obstacles.<name>", "motion"), .otherwise = "at rest", GIVEN(prc_case_obstacle, moves),
   .help = "motion from its place at t = 0"},
  {EXPRESSION("obstacles.<name>.motion", "x"), .unit = "length", .variables = "t", .fallback = "0",
   ITEM(prc_case_obstacle, motion[0]), .help = "displacement in x; zero at t = 0, without jumps"},
  {EXPRESSION("obstacles.<name>.motion", "y"), .unit = "length", .variables = "t", .fallback = "0",
   ITEM(prc_case_obstacle, motion[1]), .help = "displacement in y, likewise"},
  {EXPRESSION("obstacles.<name>.motion", "rotation"), .variables = "t", .fallback = "0",
   ITEM(prc_case_obstacle, motion[2]), .help = "rotation about `about`, which moves along; radians, counter-clockwise, likewise"},
  {POINT("obstacles.<name>.motion", "about"), FORMULA, .unit = "length", .otherwise = "the plane's point, the centre, the first corner",
   ITEM(prc_case_obstacle, about), GIVEN(prc_case_obstacle, about_given), .help = "where it turns, at t = 0; only with rotation"},

  {BLOCK("", "periodic"), BODIES, GIVEN(prc_case, periodic.given), PLACE(prc_case, periodic.place), .otherwise = "no cell",
   .help = "bodies that leave a cell at one end come in at the other, and touch across"},
  {NUMBER("periodic", "length"), FORMULA, .unit = "length", .range = POSITIVE, .required = PRC_ALWAYS, IN(periodic.length),
   .help = "of the cell"},
  {POINT("periodic", "direction"), FORMULA, .fallback = "[1, 0]", IN(periodic.direction),
   .help = "along which it repeats itself; of any length but zero"},

  {NAMED("", "contacts"), MANY("<name>", contact_group, n_contacts, prc_case_contact), .otherwise = "none",
   .help = "what may touch what: nodes of the boundary of a mesh, or points of a rigid body, a fixed plane, an obstacle or another body; bodies one another"},
  {PAIR("contacts.<name>", "between"), .otherwise = "a plane, and group or body", ITEM(prc_case_contact, between),
   PLACE(prc_case_contact, between_place),
   .help = "what is touched, an obstacle or a body, and what touches it, bodies or a physical curve of the mesh: [floor, block]; "
           "sets of bodies, * for all bodies, patterns and lists: [[left, right], grain*]; the first contact that names two bodies holds"},
  {POINT("contacts.<name>", "ordered"), FORMULA, BODIES, .otherwise = "they meet by their shapes", ITEM(prc_case_contact, ordered),
   GIVEN(prc_case_contact, is_ordered),
   .help = "with between: [grains, grains]: points or discs on a line that may touch but not pass, each the next one of the set in this direction; "
           "each carries a half-plane for the next"},
  {TEXT("contacts.<name>", "body"), BODIES, .otherwise = "required with bodies alone, unless there is between",
   ITEM(prc_case_contact, body), PLACE(prc_case_contact, body_place), .help = "name of the rigid body that touches the plane"},
  {POINTS("contacts.<name>", "points"), FORMULA, BODIES, .unit = "length", .otherwise = "its corners or its disc",
   LIST(prc_case_contact, candidate, n_candidates), .help = "points of the rigid body that may touch, in its own axes"},
  {GROUP("contacts.<name>", "group"), MESH, .otherwise = "the name", ITEM(prc_case_contact, group),
   PLACE(prc_case_contact, place), .help = "physical curve of the mesh whose nodes may touch"},
  {BLOCK("contacts.<name>", "plane"), .otherwise = "required, unless there is between", GIVEN(prc_case_contact, on_plane),
   .help = "a fixed obstacle: everything behind a straight line"},
  {POINT("contacts.<name>.plane", "point"), FORMULA, .unit = "length", .required = PRC_ALWAYS,
   ITEM(prc_case_contact, point), .help = "a point of the line"},
  {POINT("contacts.<name>.plane", "normal"), FORMULA, .required = PRC_ALWAYS, ITEM(prc_case_contact, normal),
   .help = "from the obstacle into the body; of any length but zero"},
  {EXPRESSION("contacts.<name>", "friction"), .variables = "xy", .range = {0.0, PRC_CONE_FRICTION_MOST, 0, 0}, .required = PRC_ALWAYS,
   ITEM(prc_case_contact, friction), PLACE(prc_case_contact, friction_place),
   .help = "Coulomb's coefficient mu; of bodies a constant"},
  {EXPRESSION("contacts.<name>", "restitution"), .variables = "xy", .range = {0.0, 1.0, 0, 0}, .fallback = "0",
   ITEM(prc_case_contact, restitution), PLACE(prc_case_contact, restitution_place),
   .help = "coefficient e of the impact law; theta <= 1 / (1 + the largest e); of bodies a constant"},
  {NUMBER("contacts.<name>", "tangential_restitution"), FORMULA, .range = {-1.0, 1.0, 0, 0}, .fallback = "0",
   ITEM(prc_case_contact, tangential_restitution),
   .help = "coefficient e_T, for law: newton; 0: the impact law acts on the normal alone"},

  {NAMED("", "joints"), BODIES, MANY("<name>", joint, n_joints, prc_case_joint), .otherwise = "none",
   .help = "what holds two bodies together, or a body to the ground"},
  {WORD("joints.<name>", "type"), .choices = "revolute|prismatic|fixed|distance|angle|wheel|skate", .required = PRC_ALWAYS,
   ITEM(prc_case_joint, type),
   .help = "revolute: one point; prismatic: slides along an axis without turning; fixed: neither; distance: of two points; angle: they turn "
           "alike; wheel: rolls on a line; skate: does not slip sideways"},
  {PAIR("joints.<name>", "between"), .required = PRC_ALWAYS, ITEM(prc_case_joint, between), PLACE(prc_case_joint, between_place),
   .help = "two bodies or obstacles, or `ground` and a body: [ground, crank]; a wheel or a skate is the second, and the axis of a slide is "
           "fixed in the first"},
  {POINT("joints.<name>", "at"), FORMULA, .unit = "length", .otherwise = "points", ITEM(prc_case_joint, at),
   GIVEN(prc_case_joint, at_given), .help = "its place in fixed axes, at t = 0: of a wheel its centre; not of a distance"},
  {POINTS("joints.<name>", "points"), FORMULA, .unit = "length", .otherwise = "at; of a distance the centres of mass",
   LIST(prc_case_joint, point, n_points), .help = "in place of `at` two points, of the first and of the second, in the axes of each"},
  {POINT("joints.<name>", "axis"), FORMULA, .otherwise = "needed for prismatic, wheel, skate", ITEM(prc_case_joint, axis),
   GIVEN(prc_case_joint, axis_given), .help = "direction in fixed axes, at t = 0: of the slide; of the line that a wheel rolls on, which is on its left; of a skate's edge, fixed in it"},
  {NUMBER("joints.<name>", "length"), FORMULA, .unit = "length", .range = POSITIVE, .otherwise = "that at t = 0",
   ITEM(prc_case_joint, length), .help = "of a distance: checked against that at t = 0"},
  {NUMBER("joints.<name>", "radius"), FORMULA, .unit = "length", .range = POSITIVE, .otherwise = "needed for a wheel",
   ITEM(prc_case_joint, radius), .help = "of a wheel"},
  {EXPRESSION("joints.<name>", "value"), .variables = "t", .otherwise = "free; of a distance or an angle as at t = 0",
   ITEM(prc_case_joint, value), GIVEN(prc_case_joint, value_given),
   .help = "prescribed: of revolute and angle the rotation of the second against the first since t = 0 (radians), of prismatic its way "
           "along the axis since t = 0, of distance the distance"},

  {NAMED("", "springs"), BODIES, MANY("<name>", spring, n_springs, prc_case_spring), .otherwise = "none",
   .help = "springs and dampers between points of two bodies, or of a body and the ground"},
  {PAIR("springs.<name>", "between"), .required = PRC_ALWAYS, ITEM(prc_case_spring, between), PLACE(prc_case_spring, between_place),
   .help = "two bodies or obstacles, or `ground` and a body"},
  {POINTS("springs.<name>", "points"), FORMULA, .unit = "length", .otherwise = "the centres of mass; needed with ground",
   LIST(prc_case_spring, point, n_points), .help = "its two ends, of the first and of the second, in the axes of each; of the ground in fixed ones"},
  {NUMBER("springs.<name>", "stiffness"), FORMULA, .unit = "force/length", .range = NOT_NEGATIVE, .fallback = "0",
   ITEM(prc_case_spring, stiffness), .help = "k of the force k (L - rest_length) that pulls its ends together"},
  {NUMBER("springs.<name>", "rest_length"), FORMULA, .choices = "start", .unit = "length", .range = NOT_NEGATIVE, .fallback = "start",
   ITEM(prc_case_spring, rest_length), .help = "length without force; start: that at t = 0; with 0 the spring needs no direction"},
  {NUMBER("springs.<name>", "damping"), FORMULA, .unit = "force time/length", .range = NOT_NEGATIVE, .fallback = "0",
   ITEM(prc_case_spring, damping), .help = "c of the force c dL/dt along it"},

  {NAMED("", "supports"), MESH, MANY("<name>", support, n_supports, prc_case_support), .otherwise = "none",
   .help = "boundary nodes whose displacement is prescribed, in x, in y or in both"},
  {GROUP("supports.<name>", "group"), .otherwise = "the name", ITEM(prc_case_support, group),
   PLACE(prc_case_support, place), .help = "physical curve of the mesh"},
  {EXPRESSION("supports.<name>", "x"), .unit = "length", .variables = "txy", .otherwise = "free",
   ITEM(prc_case_support, displacement[0]), GIVEN(prc_case_support, held[0]), .help = "displacement in x; in dynamics without jumps, neither on the way nor from the state at t = 0"},
  {EXPRESSION("supports.<name>", "y"), .unit = "length", .variables = "txy", .otherwise = "free",
   ITEM(prc_case_support, displacement[1]), GIVEN(prc_case_support, held[1]), .help = "displacement in y, likewise"},

  {NAMED("", "loads"), MESH, MANY("<name>", load, n_loads, prc_case_load), .otherwise = "none",
   .help = "tractions and pressures on the boundary"},
  {GROUP("loads.<name>", "group"), .otherwise = "the name", ITEM(prc_case_load, group), PLACE(prc_case_load, place),
   .help = "physical curve of the mesh"},
  {EXPRESSIONS("loads.<name>", "traction"), .unit = "force/length^2", .variables = "txy", .fallback = "[0, 0]",
   ITEM(prc_case_load, traction), .help = "force per area, its x and y components"},
  {EXPRESSION("loads.<name>", "pressure"), .unit = "force/length^2", .variables = "txy", .fallback = "0",
   ITEM(prc_case_load, pressure), .help = "force per area against the outward normal of the undeformed body; positive pushes"},

  {NAMED("", "dashpots"), MESH, MANY("<name>", dashpot, n_dashpots, prc_case_dashpot), .otherwise = "none",
   .help = "viscous dampers of the boundary: a traction against the velocity, which lets waves out where it is absorbing"},
  {GROUP("dashpots.<name>", "group"), .otherwise = "the name", ITEM(prc_case_dashpot, group),
   PLACE(prc_case_dashpot, place), .help = "physical curve of the mesh, on its boundary"},
  {NUMBER("dashpots.<name>", "normal"), .choices = "absorbing", .unit = "force time/length^3", .range = NOT_NEGATIVE,
   .fallback = "absorbing", ITEM(prc_case_dashpot, coefficient[0]),
   .help = "force per area and velocity along the normal; absorbing: density x longitudinal wave speed of the material there"},
  {NUMBER("dashpots.<name>", "tangential"), .choices = "absorbing", .unit = "force time/length^3",
   .range = NOT_NEGATIVE, .fallback = "absorbing", ITEM(prc_case_dashpot, coefficient[1]),
   .help = "force per area and velocity across it; absorbing: density x shear wave speed"},

  {BLOCK("", "initial"), PLACE(prc_case, initial.place), .help = "the state at t = 0"},
  {WORD("initial", "state"), .choices = "rest|velocity|equilibrium|end_of", .fallback = "rest", IN(initial.kind),
   .help = "undeformed at rest (bodies: as they say); with a velocity; in equilibrium, contacts stuck and closed; "
           "another run's end"},
  {EXPRESSIONS("initial", "velocity"), .unit = "length/time", .variables = "xy", .otherwise = "needed for `velocity`",
   IN(initial.velocity), .help = "initial velocity; only with state: velocity"},
  {FLAG("initial", "loads"), .fallback = "false", IN(initial.with_loads),
   .help = "the loads at t = 0 act in the equilibrium as well; only with state: equilibrium"},
  {FILEPATH("initial", "run"), .otherwise = "needed for `end_of`", IN(initial.from),
   .help = "results folder of the other run, relative to the case file; only with state: end_of"},

  {BLOCK("", "exact"), MESH, .help = "a known solution, from which errors are computed (errors.csv)"},
  {EXPRESSIONS("exact", "displacement"), .unit = "length", .variables = "txy", .otherwise = "no errors",
   IN(exact.solution.displacement), GIVEN(prc_case, exact.given[0]), .help = "its displacement; a little beyond the body too"},
  {EXPRESSIONS("exact", "velocity"), .unit = "length/time", .variables = "txy", .otherwise = "no errors",
   IN(exact.solution.velocity), GIVEN(prc_case, exact.given[1]), .help = "its velocity"},

  {BLOCK("", "time"), .required = PRC_ALWAYS, PLACE(prc_case, time.place), .help = "the time-stepping scheme"},
  {WORD("time", "analysis"), .choices = "dynamic|quasi-static", .fallback = "dynamic", IN(time.quasi_static),
   .help = "with inertia; or load steps without it, on a mesh, beside which bodies must be driven"},
  {TEXT("time", "scheme"), .choices = PRC_STEP_SCHEME_NAMES, .fallback = PRC_STEP_DEFAULT_SCHEME, IN(time.scheme),
   .help = "of a dynamic analysis: theta on velocities; midpoint, the same at 1/2 with contacts in the middle of the step; position on gaps at the end of long "
           "steps, without restitution; `percuss help schemes` says more; a quasi-static one has its own"},
  {NUMBER("time", "end"), FORMULA, .unit = "time", .range = NOT_NEGATIVE, .required = PRC_ALWAYS, IN(time.end),
   .help = "when it ends; a multiple of the step, to 1e-9; 0: the start alone is written"},
  {NUMBER("time", "step"), FORMULA, .unit = "time", .range = POSITIVE, .required = PRC_ALWAYS, IN(time.step),
   .help = "time step h"},
  {NUMBER("time", "theta"), FORMULA, .range = {0.5, 1.0, 0, 0}, .fallback = "0.5", .otherwise = "0.5; 1 with scheme: position", IN(time.theta),
   .help = "0.5 conserves, more damps; at most 1 / (1 + the largest restitution); 1 in a quasi-static analysis"},
  {NUMBER("time", "rho"), FORMULA, .range = {0.0, 1.0, 0, 0}, .fallback = "0.8", IN(time.rho),
   .help = "of the generalized-alpha schemes: the spectral radius at infinite frequencies; 1 conserves, 0 damps most; with scheme: theta another "
           "name for theta = 1 / (1 + rho)"},
  {NUMBER("time", "tolerance"), .range = {0.0, 1.0, 1, 1}, .otherwise = "the scheme's own", IN(time.tolerance),
   .help = "of a step that iterates: what the last pass may change, relative to the velocities in play"},
  {WORD("time", "joints"), .choices = "secant|velocity", .fallback = "secant", IN(time.joints),
   .help = "joints of scheme: theta by their secant over the step, so that places and energy are exact; or by the velocity at its end, "
           "which drifts, for comparison"},
  {WORD("time", "law"), .choices = "newton|fremond", .fallback = "fremond", .otherwise = "fremond; newton with scheme: midpoint", IN(time.law),
   .help = "impact law; fremond never creates energy by friction, newton can when theta < 1"},
  {TEXT("time", "solver"), .choices = "auto|direct|iterative|umfpack|diagonal", .fallback = "auto", IN(time.solver),
   .help = "of the linear system of a step: a factor; conjugate gradients, which need steps that are short against the waves; "
           "what of these reads and writes less memory; UMFPACK, at two to five times the cost; or divisions, for "
           "rigid bodies alone"},
  {WORD("time", "on_failure"), .choices = "stop|continue", .fallback = "stop", IN(time.continue_on_failure),
   .help = "a step whose contact problem is not solved, whose energy does not balance, whose velocities are absurd or whose "
           "state has drifted from K q or M v ends the run, or is counted in the certificate, which then fails"},

  {BLOCK("", "contact"), .help = "how contact is found and solved; the defaults are good"},
  {WORD("contact", "activation"), .choices = "both|gap|strict", .fallback = "both", IN(contact.activation),
   .help = "a contact is active by gap and velocity with tolerances, by the gap alone, or without tolerances"},
  {WORD("contact", "prediction"), .choices = "q|q+hv|free", .fallback = "q", IN(contact.prediction),
   .help = "of scheme: theta, where the gap is looked at: at the start of the step, at the end with the velocity of the start, or where the step "
           "without contact ends"},
  {WORD("contact", "slip_direction"), .choices = "end|mean", .fallback = "end", IN(contact.slip_direction),
   .help = "friction of scheme: generalized-alpha opposes the slip at the end of the step, of first order where slip turns; or, while slip goes on, the mean of both "
           "ends, of second order"},
  {NUMBER("contact", "gap_tolerance"), .unit = "length", .range = NOT_NEGATIVE, .fallback = "0",
   .otherwise = "0: 100 eps x the model's size + 10 h x velocity_tolerance; of bodies that meet at most 1e-5 of the smallest", IN(contact.gap_tolerance), .help = "a gap up to this is closed"},
  {NUMBER("contact", "velocity_tolerance"), .unit = "length/time", .range = NOT_NEGATIVE, .fallback = "0",
   .otherwise = "0: max(1e-11, tolerance / 10) x the longitudinal wave speed; with bodies, x 100 times the fastest so far", IN(contact.velocity_tolerance),
   .help = "a normal velocity up to this does not separate"},
  {NUMBER("contact", "tolerance"), .range = {0.0, 1.0, 1, 1}, .fallback = "1e-10", IN(contact.tolerance),
   .help = "largest error of the contact problem of a step, in the measure that is free of units"},
  {INTEGER("contact", "max_iterations"), .range = FROM_ONE, .fallback = "10000", IN(contact.max_iterations),
   .help = "iterations after which a step has failed"},
  {TEXT("contact", "solver"), .choices = PRC_CONE_METHOD_NAMES, .fallback = "auto", IN(contact.solver),
   .help = "solver of the contact problem"},
  {WORD("contact", "start"), .choices = "warm|zero|random", .fallback = "warm", IN(contact.start),
   .help = "where it begins, on which forces depend that are not unique: the last step's percussions, none, or some drawn in the cones"},
  {WORD("contact", "order"), .choices = "natural|random", .fallback = "natural", IN(contact.order),
   .help = "of contacts in the sweeps of solver: gauss-seidel; random: another one in each sweep"},
  {INTEGER("contact", "seed"), .range = COUNT, .fallback = "0", IN(contact.seed),
   .help = "of random starts and orders, which are functions of the seed, the step and the sweep"},
  {NUMBER("contact", "max_penetration"), .unit = "length", .range = NOT_NEGATIVE, .otherwise = "a hundredth of the size of the body, or a tenth of the width of what is thin",
   IN(contact.max_penetration), .help = "the certificate fails beyond this penetration; a point mass has no size, and no verdict without it"},
  {WORD("contact", "initial_overlap"), .choices = "refuse|allow", .fallback = "refuse", IN(contact.overlap_allowed),
   .help = "bodies that overlap one another or an obstacle at the start are refused, or pushed apart as the run goes on"},

  {BLOCK("", "output"), .help = "what is written and how often"},
  {INTEGER("output", "every"), .range = COUNT, .fallback = "100", IN(output.every),
   .help = "steps between snapshots for ParaView; 0: none"},
  {TEXT("output", "writer"), .choices = PRC_OUTPUT_WRITER_NAMES, .fallback = "auto", IN(output.writer),
   .help = "who writes snapshots and space-time diagrams: vtk, VTK's own writer, or own, percuss's; the same data; auto: vtk where percuss was built with it"},
  {INTEGER("output", "checkpoint"), .range = COUNT, .fallback = "1000", IN(output.checkpoint),
   .help = "steps between checkpoints; 0: none but by checkpoint_time and at the end"},
  {NUMBER("output", "checkpoint_time"), .unit = "seconds of wall time", .range = NOT_NEGATIVE, .fallback = "600",
   IN(output.checkpoint_time), .help = "longest time without a checkpoint; 0: none for its sake"},
  {INTEGER("output", "contact_every"), .range = COUNT, .otherwise = "about 1000 in all", IN(output.contact_every),
   .help = "steps between columns of the space-time diagrams; 0: none"},
  {FLAG("output", "contacts"), .otherwise = "false; true with bodies", IN(output.contacts),
   .help = "write contacts.csv: every active contact at every step"},
  {INTEGER("output", "table_every"), .range = COUNT, .otherwise = "1; with more than 1000 bodies output.every", IN(output.table_every),
   .help = "steps between the rows of contacts.csv and bodies.csv, which have one a contact and body; 0: neither is written"},
  {TEXT("output", "cone_problems"), .fallback = "none", IN(output.cone_problems),
   .help = "contact problems kept as FCLib files: none, failures, or steps such as 10,200"},

  {BLOCK("", "measures"), BODIES, GIVEN(prc_case, measures.given), .otherwise = "tables of grains where bodies meet",
   .help = "what is measured of bodies together: grains.csv, grain-forces.csv and strips.csv"},
  {INTEGER("measures", "every"), .range = COUNT, .otherwise = "output.every", IN(measures.every),
   .help = "steps between rows; 0: none"},
  {BLOCK("measures", "strips"), .otherwise = "none", GIVEN(prc_case, measures.strips), PLACE(prc_case, measures.place),
   .help = "parallel strips, over which solid fraction, velocity and stress are averaged (strips.csv)"},
  {POINT("measures.strips", "normal"), FORMULA, .fallback = "[0, 1]", IN(measures.normal),
   .help = "direction n from strip to strip; of any length but zero; t is n turned by -90 degrees"},
  {NUMBER("measures.strips", "from"), FORMULA, .unit = "length", .required = PRC_ALWAYS, IN(measures.from),
   .help = "n . x where the first begins"},
  {NUMBER("measures.strips", "to"), FORMULA, .unit = "length", .required = PRC_ALWAYS, IN(measures.to),
   .help = "n . x where the last ends"},
  {INTEGER("measures.strips", "n"), .range = FROM_ONE, .required = PRC_ALWAYS, IN(measures.n), .help = "number of strips"},
  {POINT("measures.strips", "across"), FORMULA, .unit = "length", .otherwise = "one period; required without",
   IN(measures.across), GIVEN(prc_case, measures.across_given), .help = "t . x from and to: how long strips are"},
  {INTEGER("measures.strips", "columns"), .range = FROM_ONE, .fallback = "1", IN(measures.columns),
   .help = "equal parts of each strip, along t: cells"},

  {NAMED("", "probes"), MESH, MANY("<name>", probe, n_probes, prc_case_probe), .otherwise = "none",
   .help = "points whose motion is written at every step"},
  {POINT("probes.<name>", "point"), .unit = "length", .required = PRC_ALWAYS, ITEM(prc_case_probe, point),
   PLACE(prc_case_probe, place), .help = "a point of the undeformed body"},
};
/* clang-format on */

const prc_key *prc_keys(int *n) {
  *n = (int)(sizeof table / sizeof table[0]);
  return table;
}

const prc_key *prc_key_find(const char *parent, const char *key) {
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (strcmp(table[i].parent, parent) == 0 && strcmp(table[i].key, key) == 0) return &table[i];
  return NULL;
}

void prc_key_names(const char *parent, char *text, size_t size) {
  text[0] = '\0';
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (strcmp(table[i].parent, parent) == 0) prc_append(text, size, "%s%s", *text ? ", " : "", table[i].key);
}

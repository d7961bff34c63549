#include "config.h"
#include "case/keys.h"

/* The boundary of a mesh: supports, loads and dashpots. */

/* clang-format off */
const prc_key prc_keys_of_boundary[] = {
  {NAMED("", "supports"), MESH, MANY("<name>", support, n_supports, prc_case_support), .otherwise = "none",
   .help = "boundary nodes whose displacement or velocity is prescribed, in x, in y or in both; springs to the ground; or what lets waves out"},
  {GROUP("supports.<name>", "group"), .otherwise = "the name", ITEM(prc_case_support, group),
   PLACE(prc_case_support, place), .help = "physical curve of the mesh"},
  {EXPRESSION("supports.<name>", "x"), .unit = "length", .variables = "txy", .otherwise = "free",
   ITEM(prc_case_support, displacement[0]), GIVEN(prc_case_support, held[0]), .help = "displacement in x; in dynamics without jumps, neither on the way nor from the state at t = 0"},
  {EXPRESSION("supports.<name>", "y"), .unit = "length", .variables = "txy", .otherwise = "free",
   ITEM(prc_case_support, displacement[1]), GIVEN(prc_case_support, held[1]), .help = "displacement in y, likewise"},
  {BLOCK("supports.<name>", "velocity"), .otherwise = "none", .help = "in place of x, of y or of both: the displacement is the integral from t = 0 on"},
  {EXPRESSION("supports.<name>.velocity", "x"), .unit = "length/time", .variables = "txy", .otherwise = "free",
   ITEM(prc_case_support, velocity[0]), GIVEN(prc_case_support, has_velocity[0]), .help = "velocity in x; it may jump"},
  {EXPRESSION("supports.<name>.velocity", "y"), .unit = "length/time", .variables = "txy", .otherwise = "free",
   ITEM(prc_case_support, velocity[1]), GIVEN(prc_case_support, has_velocity[1]), .help = "velocity in y, likewise"},
  {BLOCK("supports.<name>", "spring"), .otherwise = "none", GIVEN(prc_case_support, spring_given),
   .help = "springs to the ground, without force in the undeformed body; their energy is elastic"},
  {NUMBER("supports.<name>.spring", "normal"), .unit = "force/length^3", .range = NOT_NEGATIVE, .fallback = "0",
   ITEM(prc_case_support, spring[0]), .help = "force per area and displacement along the normal of the curve"},
  {NUMBER("supports.<name>.spring", "tangential"), .unit = "force/length^3", .range = NOT_NEGATIVE, .fallback = "0",
   ITEM(prc_case_support, spring[1]), .help = "force per area and displacement across the normal"},
  {NUMBER("supports.<name>.spring", "x"), .unit = "force/length^3, at a point force/length", .range = NOT_NEGATIVE, .fallback = "0",
   ITEM(prc_case_support, fixed[0]), .help = "force per area and displacement in x; at a point the whole force"},
  {NUMBER("supports.<name>.spring", "y"), .unit = "force/length^3, at a point force/length", .range = NOT_NEGATIVE, .fallback = "0",
   ITEM(prc_case_support, fixed[1]), .help = "in y, likewise"},
  {POINT("supports.<name>", "point"), .unit = "length", .otherwise = "the curve", ITEM(prc_case_support, point),
   GIVEN(prc_case_support, point_given), .help = "in place of a curve: where a spring is, in the undeformed body"},
  {FLAG("supports.<name>", "absorbing"), .fallback = "false", ITEM(prc_case_support, absorbing),
   .help = "in place of x and y: holds nothing and lets waves out, as an absorbing dashpot of the same curve"},

  {NAMED("", "loads"), MESH, MANY("<name>", load, n_loads, prc_case_load), .otherwise = "none",
   .help = "tractions and pressures on the boundary, and forces at points"},
  {GROUP("loads.<name>", "group"), .otherwise = "the name", ITEM(prc_case_load, group), PLACE(prc_case_load, place),
   .help = "physical curve of the mesh"},
  {EXPRESSIONS("loads.<name>", "traction"), .unit = "force/length^2", .variables = "txy", .fallback = "[0, 0]",
   ITEM(prc_case_load, traction), .help = "force per area, its x and y components"},
  {EXPRESSION("loads.<name>", "pressure"), .unit = "force/length^2", .variables = "txy", .fallback = "0",
   ITEM(prc_case_load, pressure), .help = "force per area against the outward normal of the undeformed body; positive pushes"},

  {POINT("loads.<name>", "point"), .unit = "length", .otherwise = "the curve", ITEM(prc_case_load, one),
   GIVEN(prc_case_load, at_points), .help = "in place of a curve: where a force acts, in the undeformed body"},
  {POINTS("loads.<name>", "points"), .unit = "length", .otherwise = "none", LIST(prc_case_load, point, n_points),
   .help = "or several, each with the same force"},
  {EXPRESSIONS("loads.<name>", "force"), .unit = "force", .variables = "txy", .fallback = "[0, 0]", ITEM(prc_case_load, force),
   .help = "at a point, its x and y components, of the whole thickness or ring"},

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
  {.next = prc_keys_of_run},
};
/* clang-format on */

#include "config.h"
#include "case/keys.h"

/* Beams. */

/* clang-format off */
const prc_key prc_keys_of_beams[] = {
  {NAMED("", "beams"), IN_PLANE, BODIES, MANY("<name>", beam, n_beams, prc_case_beam), .otherwise = "none",
   .help = "planar beams that bend and stretch by any amount, after Euler and Bernoulli, on B-splines; with bodies or alone. Their ends are called "
           "`<name>.start` and `<name>.end` in contacts, joints and bodies.csv"},
  {POINTS("beams.<name>", "ends"), IN_PLANE, FORMULA, .unit = "length", .otherwise = "control_points", LIST(prc_case_beam, end, n_ends),
   .help = "the two ends of a straight beam, at t = 0 and without strain"},
  {POINTS("beams.<name>", "control_points"), IN_PLANE, FORMULA, .unit = "length", .otherwise = "those of a straight beam",
   LIST(prc_case_beam, point, n_points),
   .help = "of the B-spline that is its line at t = 0 and without strain, in place of `ends`; there are as many elements as points beyond the degree"},
  {INTEGER("beams.<name>", "elements"), FORMULA, .range = FROM_ONE, .otherwise = "needed with ends", ITEM(prc_case_beam, elements),
   .help = "into which a straight beam is divided"},
  {INTEGER("beams.<name>", "degree"), FORMULA, .range = {2.0, PRC_BEAM_DEGREE, 0, 0}, .fallback = "3", ITEM(prc_case_beam, degree),
   .help = "of the splines; frequencies of bending converge with the power 2 (degree - 1) of the length of elements"},
  {INTEGER("beams.<name>", "gauss_points"), FORMULA, .range = FROM_ONE, .otherwise = "degree + 3", ITEM(prc_case_beam, gauss),
   .help = "of an element, more than the degree and at most 10"},
  {NUMBER("beams.<name>", "EA"), FORMULA, .unit = "force", .range = POSITIVE, .required = PRC_ALWAYS, ITEM(prc_case_beam, EA),
   .help = "stiffness against stretching: Young's modulus times the area of the section"},
  {NUMBER("beams.<name>", "EI"), FORMULA, .unit = "force length^2", .range = POSITIVE, .required = PRC_ALWAYS, ITEM(prc_case_beam, EI),
   .help = "stiffness against bending: Young's modulus times the second moment of the section"},
  {NUMBER("beams.<name>", "density"), FORMULA, .unit = "mass/length", .range = POSITIVE, .required = PRC_ALWAYS,
   ITEM(prc_case_beam, density), .help = "mass per length; sections have no inertia of their own"},
  {POINT("beams.<name>", "velocity"), IN_PLANE, FORMULA, .unit = "length/time", .fallback = "[0, 0]", ITEM(prc_case_beam, velocity),
   .help = "of the centre of mass, at t = 0"},
  {NUMBER("beams.<name>", "spin"), FORMULA, .unit = "1/time", .fallback = "0", ITEM(prc_case_beam, spin),
   .help = "angular velocity at t = 0, counter-clockwise, about the centre of mass"},
  {EXPRESSIONS("beams.<name>", "force"), IN_PLANE, .unit = "force/length", .variables = "t", .fallback = "[0, 0]", ITEM(prc_case_beam, force),
   .help = "force per length of the unstrained line, its components in fixed axes; gravity acts besides"},
  {BLOCK("beams.<name>", "damping"), .otherwise = "none", .help = "of its motion and of its strains"},
  {NUMBER("beams.<name>.damping", "mass"), FORMULA, .unit = "1/time", .range = NOT_NEGATIVE, .fallback = "0", ITEM(prc_case_beam, damping_mass),
   .help = "factor of the mass matrix"},
  {NUMBER("beams.<name>.damping", "stiffness"), FORMULA, .unit = "time", .range = NOT_NEGATIVE, .fallback = "0",
   ITEM(prc_case_beam, damping_stiffness), .help = "factor of EA and EI, against the rates of stretching and bending: rotations stay free"},
  {BLOCK("beams.<name>", "start_load"), .otherwise = "none", GIVEN(prc_case_beam, load_given[0]), .help = "what acts at its start"},
  {EXPRESSIONS("beams.<name>.start_load", "force"), IN_PLANE, .unit = "force", .variables = "t", .fallback = "[0, 0]",
   ITEM(prc_case_beam, end_force[0]), .help = "its components in fixed axes"},
  {EXPRESSION("beams.<name>.start_load", "moment"), .unit = "force length", .variables = "t", .fallback = "0",
   ITEM(prc_case_beam, end_moment[0]), .help = "counter-clockwise"},
  {BLOCK("beams.<name>", "end_load"), .otherwise = "none", GIVEN(prc_case_beam, load_given[1]), .help = "what acts at its end"},
  {EXPRESSIONS("beams.<name>.end_load", "force"), IN_PLANE, .unit = "force", .variables = "t", .fallback = "[0, 0]",
   ITEM(prc_case_beam, end_force[1]), .help = "its components in fixed axes"},
  {EXPRESSION("beams.<name>.end_load", "moment"), .unit = "force length", .variables = "t", .fallback = "0",
   ITEM(prc_case_beam, end_moment[1]), .help = "counter-clockwise"},
  {.next = prc_keys_of_contacts},
};
/* clang-format on */

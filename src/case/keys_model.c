#include "config.h"
#include "case/keys.h"

/* Keys of a case's name, mesh, model and materials. */

/* clang-format off */
const prc_key prc_keys_of_model[] = {
  {TEXT("", "name"), .otherwise = "the file's name", IN(name),
   .help = "name of the case; results go to `results/<name>`"},
  {TEXT("", "units"), .otherwise = "not said", IN(units),
   .help = "names of the units of length, mass and time, for the axes of pictures: mm g ms; or none, without dimensions"},
  {INTEGER("", "seed"), .range = COUNT, .fallback = "0", IN(seed), .help = "of random(i, k) in expressions"},
  {PARAMETERS("", "parameters"), .otherwise = "none",
   .help = "numbers of your own, for all formulas: {v0: 3, mu: 0.4, v1: 2*v0}"},

  {BLOCK("", "mesh"), MESH, .required = PRC_ALWAYS, PLACE(prc_case, mesh.place), .help = "the geometry"},
  {FILEPATHS("mesh", "file"), .required = PRC_ALWAYS, IN(mesh.files), .count_at = offsetof(prc_case, mesh.n_files),
   .help = "Gmsh mesh (.msh 2.2 or 4.1) or geometry (.geo), or a mesh of another program that Gmsh reads (.unv, .vtk, .mesh, .stl, .bdf, ...), relative to the case file; or a list: bodies stay apart, groups of one name are one. "
           "`mesh: [a.msh, b.msh]` is short for it"},
  {NUMBER("mesh", "size"), .unit = "length", .range = POSITIVE, .otherwise = "as the .geo says", IN(mesh.size),
   .help = "length of edges: the parameter `size` of a .geo; refused with a mesh, which has its cells"},
  {FLAG("mesh", "allow_duplicate_nodes"), .fallback = "false", IN(mesh.allow_duplicate_nodes),
   .help = "nodes at the same place are wanted (a seam), not a mistake; those of the two curves of a contact need no word"},
  {NUMBER("mesh", "max_time"), .unit = "seconds of wall time", .range = NOT_NEGATIVE, .fallback = "600", IN(mesh.max_time),
   .help = "longest time for meshing a .geo, which is stopped then; 0: no limit"},
  {NUMBER("mesh", "max_elements"), .range = NOT_NEGATIVE, .fallback = "2e7", IN(mesh.max_elements),
   .help = "a geometry whose mesh would have more is refused before it is made, as far as its boundary tells; 0: no limit"},
  {NUMBER("mesh", "max_memory"), .unit = "GB", .range = NOT_NEGATIVE, .otherwise = "what is available", IN(mesh.max_memory),
   .help = "most memory for meshing a .geo; 0: what is available when it begins"},

  {BLOCK("", "model"), .required = PRC_WITH_MESH, .help = "what kind of body it is; gravity"},
  {INTEGER("model", "dimension"), .range = {2.0, 3.0, 0, 0}, .fallback = "2", .otherwise = "3 where the first body's position, or gravity, has three numbers",
   IN(model.dimension), .help = "2: in the plane; 3: in space, where there are rigid bodies alone, and vectors are [x, y, z]"},
  {WORD("model", "plane"), .choices = "stress|strain|axisymmetric", MESH, .required = PRC_ALWAYS, IN(model.plane),
   .help = "plane stress (a thin plate), plane strain (a slice of something long), or a body of revolution: x is the radius, y the axis"},
  {NUMBER("model", "thickness"), IN_PLANE, .unit = "length", .range = POSITIVE, .fallback = "1", IN(model.thickness),
   .help = "thickness; masses, forces and energies are of the whole thickness; not if axisymmetric; with bodies for densities only"},
  {WORD("model", "mass"), MESH, .choices = "consistent|lumped|modified", .fallback = "consistent", IN(model.mass),
   .help = "mass matrix of a mesh: consistent, or lumped (row sums; quadratic elements: the scaled diagonal), or without mass at contact nodes, against oscillating contact forces; no restitution then"},
  {WORD("model", "kinematics"), MESH, .choices = "small|corotational", .fallback = "small", IN(model.kinematics),
   .help = "strains of a mesh: small: of small displacements, linear; corotational: small strains that turn by any angle, while loads keep their directions; not with mass: modified, springs to the ground or quasi-static"},
  {WORD("model", "rotations"), MESH, .choices = "small|accepted", .fallback = "small", IN(model.rotations_accepted),
   .help = "the elements are of small strain: the certificate notes a cell that turned by 1 degree and fails at 5 degrees; accepted: only noted; not with kinematics: corotational"},
  {WORD("model", "strains"), .choices = "small|accepted", IN_PLANE, .fallback = "small", IN(model.strains_accepted),
   .help = "of a mesh and of beams: the certificate notes strains of 2 % in more than a hundredth of a body's volume and fails at 10 %; accepted: only noted. A cell that is turned inside out ends the run"},
  {EXPRESSIONS("model", "gravity"), .unit = "length/time^2", .variables = "t", .fallback = "[0, 0]", IN(model.gravity),
   .help = "acceleration of gravity; downwards is negative"},
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
  {.next = prc_keys_of_bodies},
};
/* clang-format on */

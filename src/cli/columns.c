#include "config.h"
#include "cli/columns.h"

#include <string.h>

/* clang-format off */
const cli_column cli_step_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {0}};

const cli_column cli_contact_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"contact", "name", "which of the case's"},
  {"body", "name", "whose point it is; mesh of a mesh"},
  {"point", "number", "Gmsh's number of the node, or that of the point, from 1"},
  {"other", "name", "what it touches; empty: a fixed plane"},
  {"x", "length", "where it is"},
  {"y", "length", ""},
  {"status", "code", "1 sticks, 2 slides; 0 open"},
  {"gap", "length", "at the end of the step, below zero where it penetrates"},
  {"u_n_before", "length/time", "velocity relative to what is touched, along its normal, at the beginning of the step"},
  {"u_t_before", "length/time", "along t, the normal turned by -90 degrees"},
  {"u_n_after", "length/time", "at the end of the step"},
  {"u_t_after", "length/time", ""},
  {"p_n", "force*time", "percussion on the point, along the normal"},
  {"p_t", "force*time", "along t"},
  {"work_n", "energy", "of the normal percussion in the step"},
  {"work_t", "energy", "of friction, at most 0 but for rounding"},
  {0}};

const cli_column cli_level_columns[] = {
  {"impulse_n", "force*time", "multiplier of velocities, schemes by levels alone"},
  {"impulse_t", "force*time", ""},
  {"position_n", "mass*length", "multiplier of positions"},
  {"force_n", "force", "multiplier of accelerations"},
  {"force_t", "force", ""},
  {0}};

const cli_column cli_contact_rub_columns[] = {
  {"slip", "length", "tangential way since the start, or since it closed; where friction is more than a number"},
  {"friction", "1", "mu of the step"},
  {"state", "of the law", "the first number that the friction remembers"},
  {0}};

const cli_column cli_space_contact_columns_of[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"contact", "name", "which of the case's"},
  {"body", "name", "what touches"},
  {"part", "number", "which part of it, from 1"},
  {"point", "number", "which corner, edge or face of the part"},
  {"other", "name", "what is touched"},
  {"other_part", "number", ""},
  {"other_point", "number", ""},
  {"x", "length", "where it is"},
  {"y", "length", ""},
  {"z", "length", ""},
  {"n_x", "1", "normal, from the other to the body"},
  {"n_y", "1", ""},
  {"n_z", "1", ""},
  {"t_x", "1", "first tangent t1; the second is n x t1"},
  {"t_y", "1", ""},
  {"t_z", "1", ""},
  {"status", "code", "1 sticks, 2 slides"},
  {"gap", "length", "at the end of the step"},
  {"u_<row>_before", "length/time", "relative velocity at the beginning of the step; drill: 1/time"},
  {"u_<row>_after", "length/time", "at its end"},
  {"p_<row>", "force*time", "percussion on the body; drill: times length"},
  {"work_n", "energy", "of the normal percussion in the step"},
  {"work_t", "energy", "of friction"},
  {0}};

const cli_column cli_space_impulse_columns[] = {
  {"impulse_<row>", "force*time", "multiplier of velocities, schemes by levels alone"},
  {0}};

const cli_column cli_space_position_columns[] = {
  {"position_n", "mass*length", "multiplier of positions"},
  {0}};

const cli_column cli_space_force_columns[] = {
  {"force_<row>", "force", "multiplier of accelerations"},
  {0}};

const cli_column cli_contact_sums[] = {
  {"_force_normal", "force", "sum over its points, mean over the step, p/h"},
  {"_force_tangential", "force", "along t, likewise, on what touches"},
  {"_slip_mean", "length", "mean over its points of the way since the start, or since they closed"},
  {"_slip_max", "length", "the largest, with its sign"},
  {"_contact_fraction", "1", "of its points those with a percussion"},
  {0}};

const cli_column cli_space_contact_sums[] = {
  {"_force_normal", "force", "sum over its points, mean over the step, p/h"},
  {"_force_tangential", "force", "sum of the sizes"},
  {"_force_x", "force", "sum of the vectors, on what touches"},
  {"_force_y", "force", ""},
  {"_force_z", "force", ""},
  {"_slip_mean", "length", "mean over its points of the length of the way since they closed"},
  {"_slip_max", "length", "the largest"},
  {"_contact_fraction", "1", "of its points those with a percussion"},
  {0}};

const cli_column cli_support_sums[] = {
  {"_reaction_x", "force", "sum over its nodes, on the body, mean over the step"},
  {"_reaction_y", "force", ""},
  {0}};

const cli_column cli_ground_sums[] = {
  {"_spring_x", "force", "-k u of its springs to the ground, summed, on the body, at the end of the step; what stiffness damping adds is not in it"},
  {"_spring_y", "force", ""},
  {0}};

const cli_column cli_joint_sums[] = {
  {"_force_x", "force", "on the second of what it is between, in fixed axes"},
  {"_force_y", "force", ""},
  {"_moment", "force*length", "about the joint"},
  {"_gap", "length", "the largest |g| of its rows"},
  {0}};

const cli_column cli_space_joint_sums[] = {
  {"_force_x", "force", "on the second of what it is between, in fixed axes"},
  {"_force_y", "force", ""},
  {"_force_z", "force", ""},
  {"_moment_x", "force*length", "about the joint"},
  {"_moment_y", "force*length", ""},
  {"_moment_z", "force*length", ""},
  {"_gap", "length", "the largest |g| of its rows"},
  {0}};

const cli_column cli_spring_sums[] = {
  {"_elongation", "length", "length less that without force"},
  {"_force", "force", "of the spring, that pulls its ends together"},
  {"_damping_force", "force", "of the damper, likewise"},
  {"_power", "power", "that both give"},
  {0}};

const cli_column cli_gap_sums[] = {
  {"_gap_min", "length", "the smallest gap of its points, schemes by levels alone; nan: none is listed"},
  {0}};

const cli_column cli_body_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"body", "name", "the body, or of a beam <name>.start and <name>.end"},
  {"x", "length", "centre of mass, or end"},
  {"y", "length", ""},
  {"angle", "radians", "turned since its own axes were the fixed ones; of a beam's end that of the tangent"},
  {"vx", "length/time", ""},
  {"vy", "length/time", ""},
  {"omega", "radians/time", "anticlockwise"},
  {0}};

const cli_column cli_space_body_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"body", "name", ""},
  {"x", "length", "centre of mass"},
  {"y", "length", ""},
  {"z", "length", ""},
  {"qw", "1", "unit quaternion from its own axes to the fixed ones; q and -q are the same"},
  {"qx", "1", ""},
  {"qy", "1", ""},
  {"qz", "1", ""},
  {"vx", "length/time", "in fixed axes"},
  {"vy", "length/time", ""},
  {"vz", "length/time", ""},
  {"wx", "radians/time", "spin in its own axes"},
  {"wy", "radians/time", ""},
  {"wz", "radians/time", ""},
  {0}};

const cli_column cli_error_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"displacement", "length^2", "L2 norm of the distance from the exact solution, over the volume"},
  {"elastic", "sqrt(energy)", "energy norm of its strain"},
  {"velocity", "length^2/time", "L2 norm"},
  {"kinetic", "sqrt(energy)", "energy norm of the velocity"},
  {"displacement_max", "length^2", "the largest so far"},
  {"elastic_max", "sqrt(energy)", ""},
  {"velocity_max", "length^2/time", ""},
  {"kinetic_max", "sqrt(energy)", ""},
  {"displacement_exact", "length^2", "norms of the exact solution itself"},
  {"elastic_exact", "sqrt(energy)", ""},
  {"velocity_exact", "length^2/time", ""},
  {"kinetic_exact", "sqrt(energy)", ""},
  {0}};

const cli_column cli_joint_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"joint", "name", ""},
  {"row", "number", "from 1: of a revolute joint x and y, of a prismatic one across, turn, along"},
  {"g", "length", "by which it is missed"},
  {"impulse", "force*time", "over the step; of schemes by levels the multiplier of velocities"},
  {0}};

const cli_column cli_joint_level_columns[] = {
  {"position", "mass*length", "multiplier of positions, schemes by levels alone"},
  {"force", "force", "multiplier of accelerations"},
  {0}};

const cli_column cli_energies_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"body", "name", "part of the mesh, as mesh_bodies of run.json names it, rigid body, beam or spring"},
  {"material", "name", "of a mesh: what of the body is of this material; else empty"},
  {"kinetic", "energy", "the sum over all rows of a time is that of energy.csv"},
  {"elastic", "energy", "likewise"},
  {0}};

const cli_column cli_probe_displacement[] = {
  {"_u_x", "length", "displacement of the point"},
  {"_u_y", "length", ""},
  {0}};

const cli_column cli_probe_velocity[] = {
  {"_v_x", "length/time", "its velocity"},
  {"_v_y", "length/time", ""},
  {0}};

const cli_column cli_probe_stress[] = {
  {"_stress_xx", "force/length^2", "in the cell that it is in, tension positive"},
  {"_stress_yy", "force/length^2", ""},
  {"_stress_xy", "force/length^2", ""},
  {"_stress_zz", "force/length^2", "out of the plane, the hoop stress in axisymmetry"},
  {0}};

const cli_column cli_probe_strain[] = {
  {"_strain_xx", "1", "in the cell that it is in"},
  {"_strain_yy", "1", ""},
  {"_strain_xy", "1", "the tensor's, half the change of the angle"},
  {0}};

const cli_column cli_grain_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"group", "name", "a set of the case; empty: all"},
  {"bodies", "number", ""},
  {"kinetic_translation", "energy", ""},
  {"kinetic_rotation", "energy", ""},
  {"work_external", "energy", "of loads, so far"},
  {"work_contact_normal", "energy", "of contact forces on them, so far"},
  {"work_contact_tangential", "energy", ""},
  {"contacts", "number", "points that carry"},
  {"coordination", "1", "mean number of neighbours"},
  {"coordination_carried", "1", "without rattlers"},
  {"rattlers", "number", "that fewer than two neighbours carry"},
  {"force_mean", "force", "normal, over contacts that carry"},
  {"force_max", "force", ""},
  {"loss_contact_normal", "energy", "what normal forces take of their kinetic energy, so far, the same for every theta"},
  {"loss_contact_tangential", "energy", "what friction takes"},
  {0}};

const cli_column cli_grain_force_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"force_mean", "force", ""},
  {"from", "1", "of the interval, in units of the mean"},
  {"to", "1", "inf: all above"},
  {"count", "number", "normal forces in it"},
  {0}};

const cli_column cli_strip_columns[] = {
  {"step", "number", "of the run, from 0, the start"},
  {"t", "time", "at its end"},
  {"strip", "number", "from 1"},
  {"column", "number", "from 1"},
  {"from", "length", "along the normal"},
  {"to", "length", ""},
  {"left", "length", "across it"},
  {"right", "length", ""},
  {"solid_fraction", "1", "area of grains over that of the cell"},
  {"density", "mass/length^3", ""},
  {"velocity_n", "length/time", "mean weighted by mass"},
  {"velocity_t", "length/time", ""},
  {"spin", "radians/time", ""},
  {"stress_nn", "force/length^2", "Love and Weber, compression positive"},
  {"stress_nt", "force/length^2", "first the direction of the force, then that of the normal"},
  {"stress_tn", "force/length^2", ""},
  {"stress_tt", "force/length^2", ""},
  {"kinetic_nn", "force/length^2", "of fluctuations, to be added where grains collide"},
  {"kinetic_nt", "force/length^2", ""},
  {"kinetic_tt", "force/length^2", ""},
  {0}};

const cli_column cli_diagram_fields[] = {
  {"traction_normal", "force/length^2", "p_N/(h area) of the last step, compression positive"},
  {"traction_tangential", "force/length^2", "along t, on what touches"},
  {"slip_velocity", "length/time", "along t, where friction works: at the middle of the step with theta = 1/2"},
  {"gap", "length", "at the end of the step"},
  {"status", "code", "0 open, 1 sticks, 2 slides"},
  {0}};

const cli_column cli_diagram_levels[] = {
  {"impulse_normal", "force*time", "multiplier of velocities, schemes by levels alone"},
  {"position_normal", "mass*length", "multiplier of positions"},
  {"force_normal", "force", "multiplier of accelerations"},
  {0}};

const cli_column cli_diagram_slip[] = {
  {"slip", "length", "along t since the start, or where contacts come and go since it closed"},
  {0}};

const cli_column cli_diagram_smoothed[] = {
  {"traction_normal_smoothed", "force/length^2", "of two curves: (p_j-1 + p_j + p_j+1)/(a_j-1 + a_j + a_j+1) along the curve"},
  {0}};

const cli_column cli_diagram_friction[] = {
  {"friction", "1", "mu of the step, where it is more than a number"},
  {0}};

const cli_column cli_diagram_state[] = {
  {"state_", "of the law", "what the friction remembers, by the law's names"},
  {0}};

const cli_column cli_diagram_means[] = {
  {"traction_normal_mean", "force/length^2", "mean over the time since the last column; single steps alternate where the mesh rings"},
  {"traction_tangential_mean", "force/length^2", "likewise"},
  {"slip_velocity_mean", "length/time", "likewise: what slipped since the last column over that time"},
  {0}};

/* clang-format on */

int cli_columns_count(const cli_column *column) {
  int n = 0;
  while (column[n].name) n++;
  return n;
}

prc_status cli_columns_add(const cli_column *column, const char *before, int n_rows, const char *const *rows,
                           prc_bytes *line, prc_error *err) {
  static const char mark[] = "<row>";
  prc_status status = PRC_OK;
  for (; column->name; column++) {
    const char *row = rows ? strstr(column->name, mark) : NULL;
    for (int k = 0; row && k < n_rows; k++)
      prc_try(prc_bytes_print(line, err, "%s%s%.*s%s%s", line->used > 0 ? "," : "", before,
                              (int)(row - column->name), column->name, rows[k], row + strlen(mark)));
    if (!row) prc_try(prc_bytes_print(line, err, "%s%s%s", line->used > 0 ? "," : "", before, column->name));
  }
done:
  return status;
}

#include "config.h"
#include "base/fields.h"
#include "case/keys.h"
#include "cone/cone.h"
#include "cone/solvers/methods.h"
#include "output/writers.h"
#include "step/schemes.h"

/* The start, steps, contact, output and measures. */

/* "node|displacement|...": those that snapshots may have; the others, of forces, would never be there. */
#define FIELD(name, files, ...) FIELD_##files(name)
#define FIELD_1(name)           "|" name
#define FIELD_3(name)           "|" name
#define FIELD_5(name)           "|" name
#define FIELD_4(name)
#define FIELD_NAMES (&(PRC_FIELD_KINDS(FIELD))[1])

/* clang-format off */
const prc_key prc_keys_of_run[] = {
  {BLOCK("", "initial"), PLACE(prc_case, initial.place), .help = "the state that the case starts from"},
  {WORD("initial", "state"), .choices = "rest|velocity|equilibrium|end_of|continued", .fallback = "rest", IN(initial.kind),
   .help = "undeformed at rest (bodies: as they say); with a velocity; in equilibrium, contacts stuck and closed, "
           "two curves that meet glued; places and velocities of another run's end; or a state that another run kept, from which this one goes on"},
  {EXPRESSIONS("initial", "velocity"), IN_PLANE, .unit = "length/time", .variables = "xy", .otherwise = "needed for `velocity`",
   IN(initial.velocity), .help = "initial velocity; only with state: velocity"},
  {FLAG("initial", "loads"), .fallback = "false", IN(initial.with_loads),
   .help = "the loads at t = 0 act in the equilibrium as well; only with state: equilibrium"},
  {FILEPATH("initial", "run"), .otherwise = "needed for `end_of` and `continued`", IN(initial.from),
   .help = "results folder of the other run, or a checkpoint or kept state in it, relative to the case file; only with state: end_of or continued"},
  {NUMBER("initial", "at"), FORMULA, .unit = "time", .range = NOT_NEGATIVE, .otherwise = "the newest checkpoint", IN(initial.at),
   GIVEN(prc_case, initial.at_given), .help = "which of the states that the other run kept, by its time: a checkpoint, or one of output.states"},
  {NUMBER("initial", "time"), FORMULA, .unit = "time", .range = NOT_NEGATIVE, .otherwise = "0; with state: continued that of the state", IN(initial.time),
   GIVEN(prc_case, initial.time_given), .help = "the clock at the start: formulas of t and tables begin there, and time.end is on it; a multiple of time.step"},

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
  {NUMBER("time", "step"), FORMULA, .or_block = 1, .unit = "time", .range = POSITIVE, .required = PRC_ALWAYS, IN(time.step),
   .help = "time step h; or steps that vary, {first: 1e-3, max: 10, growth: 1.1, per_slip: 0.1}, and end where the case does"},
  {NUMBER("time.step", "first"), FORMULA, .unit = "time", .range = POSITIVE, .required = PRC_ALWAYS, IN(time.step),
   .help = "the first of steps that vary; the others are this times powers of growth, or max"},
  {NUMBER("time.step", "max"), FORMULA, .unit = "time", .range = POSITIVE, .required = PRC_ALWAYS, IN(time.longest),
   .help = "the longest step, not below the first"},
  {NUMBER("time.step", "growth"), .range = {1.0, 2.0, 1, 0}, .fallback = "1.1", IN(time.growth),
   .help = "of a step to the next, at most"},
  {NUMBER("time.step", "per_slip"), FORMULA, .range = POSITIVE, .otherwise = "slip does not count", IN(time.per_slip),
   .help = "how far the fastest contact may slip in a step, of the length of its law of friction: rate-and-state 0.3 or less, 0.02 is accurate"},
  {NUMBER("time", "theta"), FORMULA, .range = {0.5, 1.0, 0, 0}, .fallback = "0.5", .otherwise = "0.5; 1 with scheme: position", IN(time.theta),
   .help = "0.5 conserves, more damps; at most 1 / (1 + the largest restitution); 1 in a quasi-static analysis"},
  {NUMBER("time", "rho"), FORMULA, .range = {0.0, 1.0, 0, 0}, .fallback = "0.8", IN(time.rho),
   .help = "of the generalized-alpha schemes: the spectral radius at infinite frequencies; 1 conserves, 0 damps most; with scheme: theta another "
           "name for theta = 1 / (1 + rho)"},
  {NUMBER("time", "tolerance"), .range = {0.0, 1.0, 1, 1}, .otherwise = "the scheme's own; with beams 1e-8", IN(time.tolerance),
   .help = "of a step that iterates: what the last pass may change, relative to the velocities in play"},
  {WORD("time", "joints"), .choices = "secant|velocity", .fallback = "secant", IN(time.joints),
   .help = "joints of scheme: theta by their secant over the step, so that places and energy are exact; or by the velocity at its end, "
           "which drifts, for comparison"},
  {WORD("time", "bulk"), .choices = "theta|middle", .fallback = "theta", IN(time.bulk),
   .help = "of rigid bodies with scheme: theta. middle: forces, joints and places go by the mean of both ends of a step, so that energy and angular momentum are lost by contacts "
           "alone, with any restitution up to 1; theta weighs friction alone, 1: what is caught is at rest. Meshes and beams keep theta"},
  {WORD("time", "loads"), .choices = "mean|sampled", .fallback = "mean", IN(time.loads),
   .help = "of loads that jump or bend in time: their exact mean over the step, wherever in it that is; or (1 - theta) F(t_k) + theta F(t_{k+1}) as of smooth loads, off by up to half a step "
           "times the jump, for comparison"},
  {WORD("time", "law"), .choices = "newton|fremond", .fallback = "fremond", .otherwise = "fremond; newton with scheme: midpoint", IN(time.law),
   .help = "impact law; fremond never creates energy by friction, newton can when theta < 1"},
  {TEXT("time", "solver"), .choices = "auto|direct|iterative|umfpack|diagonal|petsc", .fallback = "auto", IN(time.solver),
   .help = "of the linear system of a step: a factor; conjugate gradients, which need steps that are short against the waves; "
           "what of these reads and writes less memory; UMFPACK, at two to five times the cost; divisions, for "
           "rigid bodies alone; or PETSc, which auto takes under mpiexec"},
  {WORD("time", "on_failure"), .choices = "stop|continue", .fallback = "stop", IN(time.continue_on_failure),
   .help = "a step whose contact problem is not solved, whose energy does not balance, whose velocities are absurd or whose "
           "state has drifted from K q or M v ends the run, or is counted in the certificate, which then fails"},

  {BLOCK("", "contact"), .help = "how contact is found and solved; the defaults are good"},
  {WORD("contact", "activation"), .choices = "both|gap|strict", .fallback = "both", IN(contact.activation),
   .help = "a contact is active by gap and velocity with tolerances, by the gap alone, or without tolerances"},
  {WORD("contact", "directions"), .choices = "centre|start|middle", .fallback = "centre", IN(contact.directions),
   .help = "of schemes theta and midpoint, where normals and arms of contacts that turn are taken: at q + (1 - theta) h v, with gaps and u of q, which keeps angular "
           "momentum and what rests; all at the start of the step; or all at q + h/2 v"},
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
  {NUMBER("contact", "max_penetration"), .unit = "length", .range = NOT_NEGATIVE, .otherwise = "a hundredth of the size of the body, or a tenth of the width of what is thin; at least 3/2 of the way that the two closed in the step that brought them together, but no more than half of that width",
   IN(contact.max_penetration), .help = "the certificate fails beyond this penetration; a point mass has no size, and no verdict without it"},
  {WORD("contact", "initial_overlap"), .choices = "refuse|allow", .fallback = "refuse", IN(contact.overlap_allowed),
   .help = "bodies and sides of meshes that overlap one another or an obstacle at the start are refused, or pushed apart: by load steps at once, in dynamics by contacts that close gaps (scheme: position), else they stay as deep as they are until they part"},

  {BLOCK("", "output"), .help = "what is written and how often"},
  {INTEGER("output", "every"), .range = COUNT, .fallback = "100", IN(output.every),
   .help = "steps between snapshots for ParaView; 0: none"},
  {NUMBER("output", "interval"), FORMULA, .unit = "time", .range = POSITIVE, .otherwise = "output.every", IN(output.interval),
   .help = "time between snapshots, and rows of measures, in place of steps: they are of the first step that has passed a multiple of it"},
  {TEXT("output", "writer"), .choices = PRC_OUTPUT_WRITER_NAMES, .fallback = "auto", IN(output.writer),
   .help = "who writes snapshots and space-time diagrams: vtk, VTK's own writer, or own, percuss's; the same data; auto: vtk where percuss was built with it"},
  {NAMES("output", "fields"), .choices = FIELD_NAMES, .otherwise = "all but strain, material and the body of a mesh", IN(output.fields),
   .help = "which arrays snapshots have, by their names (`percuss help output`)"},
  {NAMES("output", "regions"), MESH, .otherwise = "all of it", IN(output.regions),
   .help = "surfaces of the mesh, by their groups: snapshots have the cells of these and of bodies that are no mesh, and the nodes of these cells"},
  {NUMBERS("output", "window"), FORMULA, .least = 2, .most = PRC_CASE_WINDOWS, .between = 1, .unit = "time", .otherwise = "all the time",
   IN(output.window), .count_at = offsetof(prc_case, output.n_window),
   .help = "times that snapshots are of, from and to, ends included; several windows one after the other: [0, 0.1, 0.5, 0.6]"},
  {WORD("output", "precision"), .choices = "double|single", .fallback = "double", IN(output.single),
   .help = "of the real numbers of snapshots and diagrams: 64 or 32 bits; positions and times of diagrams are kept; all else has all digits"},
  {INTEGER("output", "compression"), .range = {0.0, 9.0, 0, 0}, .fallback = "0", IN(output.compression),
   .help = "of snapshots and diagrams, by zlib: 1 is fast, 9 is small, 0 is none; readers of VTK take either"},
  {FLAG("output", "energies"), .fallback = "false", IN(output.energies),
   .help = "write energies.csv, at snapshots and at the end: kinetic and elastic energy by body and material"},
  {INTEGER("output", "checkpoint"), .range = COUNT, .fallback = "1000", IN(output.checkpoint),
   .help = "steps between checkpoints; 0: none but by checkpoint_time and at the end"},
  {NUMBER("output", "checkpoint_time"), .unit = "seconds of wall time", .range = NOT_NEGATIVE, .fallback = "600",
   IN(output.checkpoint_time), .help = "longest time without a checkpoint; 0: none for its sake"},
  {INTEGER("output", "states"), .range = COUNT, .fallback = "0", IN(output.states),
   .help = "steps between states kept in states/, from any of which another case may go on (initial.at); 0: none"},
  {INTEGER("output", "contact_every"), .range = COUNT, .otherwise = "about 1000 in all", IN(output.contact_every),
   .help = "steps between columns of the space-time diagrams; 0: none"},
  {NUMBER("output", "contact_interval"), FORMULA, .unit = "time", .range = POSITIVE, .otherwise = "contact_every; a thousandth of time.end where steps vary",
   IN(output.contact_interval), .help = "time between columns, in place of steps"},
  {FLAG("output", "contacts"), .otherwise = "false; true with bodies", IN(output.contacts),
   .help = "write contacts.csv: every active contact at every step"},
  {INTEGER("output", "table_every"), .range = COUNT, .otherwise = "1; with more than 1000 bodies output.every", IN(output.table_every),
   .help = "steps between the rows of contacts.csv and bodies.csv, which have one a contact and body; 0: neither is written"},
  {TEXT("output", "cone_problems"), .fallback = "none", IN(output.cone_problems),
   .help = "contact problems kept as FCLib files: none, failures, or steps such as 10,200"},

  {BLOCK("", "measures"), BODIES, IN_PLANE, GIVEN(prc_case, measures.given), .otherwise = "tables of grains where bodies meet in the plane",
   .help = "what is measured of bodies together: grains.csv, grain-forces.csv and strips.csv"},
  {INTEGER("measures", "every"), .range = COUNT, .otherwise = "output.every", IN(measures.every),
   .help = "steps between rows; 0: none"},
  {BLOCK("measures", "strips"), .otherwise = "none", GIVEN(prc_case, measures.strips), PLACE(prc_case, measures.place),
   .help = "parallel strips, over which solid fraction, velocity and stress are averaged (strips.csv)"},
  {POINT("measures.strips", "normal"), IN_PLANE, FORMULA, .fallback = "[0, 1]", IN(measures.normal),
   .help = "direction n from strip to strip; of any length but zero; t is n turned by -90 degrees"},
  {NUMBER("measures.strips", "from"), FORMULA, .unit = "length", .required = PRC_ALWAYS, IN(measures.from),
   .help = "n . x where the first begins"},
  {NUMBER("measures.strips", "to"), FORMULA, .unit = "length", .required = PRC_ALWAYS, IN(measures.to),
   .help = "n . x where the last ends"},
  {INTEGER("measures.strips", "n"), .range = FROM_ONE, .required = PRC_ALWAYS, IN(measures.n), .help = "number of strips"},
  {POINT("measures.strips", "across"), IN_PLANE, FORMULA, .unit = "length", .otherwise = "one period; required without",
   IN(measures.across), GIVEN(prc_case, measures.across_given), .help = "t . x from and to: how long strips are"},
  {INTEGER("measures.strips", "columns"), .range = FROM_ONE, .fallback = "1", IN(measures.columns),
   .help = "equal parts of each strip, along t: cells"},

  {NAMED("", "probes"), MESH, MANY("<name>", probe, n_probes, prc_case_probe), .otherwise = "none",
   .help = "points whose motion, stress or strain is written at every step"},
  {POINT("probes.<name>", "point"), .unit = "length", .required = PRC_ALWAYS, ITEM(prc_case_probe, point),
   PLACE(prc_case_probe, place), .help = "a point of the undeformed body"},
  {NAMES("probes.<name>", "of"), .choices = "displacement|velocity|stress|strain", .fallback = "[displacement, velocity]", ITEM(prc_case_probe, of),
   .help = "what is written of it: stress (xx, yy, xy and out of the plane, zz) and strain (xx, yy and the tensor's xy) are those in the cell that the point is in"},
  {TEXT("probes.<name>", "contact"), .otherwise = "none", ITEM(prc_case_probe, contact),
   .help = "on the line of this contact, of a mesh with a plane or between two curves: what its diagram has there too, tractions, slip, slip velocity, gap, and friction with its state"},
  {.next = NULL},
};
/* clang-format on */

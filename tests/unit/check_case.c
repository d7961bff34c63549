/* The case file: what it says arrives, what is wrong is refused at its place, expressions have the values
 * of algebra. */
#include "config.h"
#include "case/case.h"

#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a case that is right, line by line ---------------------------------------------------------------- */

static const char good[] = "mesh: {file: block.geo}\n"                              /* 1 */
                           "model: {plane: strain}\n"                               /* 2 */
                           "materials:\n"                                           /* 3 */
                           "  steel: {young: 2e5, poisson: 0.3, density: 7.8e-3}\n" /* 4 */
                           "contacts:\n"                                            /* 5 */
                           "  bottom:\n"                                            /* 6 */
                           "    plane: {point: [0, 0], normal: [0, 1]}\n"           /* 7 */
                           "    friction: 0.3\n"                                    /* 8 */
                           "    restitution: 0\n"                                   /* 9 */
                           "supports:\n"                                            /* 10 */
                           "  top: {y: 0}\n"                                        /* 11 */
                           "loads:\n"                                               /* 12 */
                           "  left: {traction: [sin(t), 0]}\n"                      /* 13 */
                           "time:\n"                                                /* 14 */
                           "  end: 1\n"                                             /* 15 */
                           "  step: 0.01\n"                                         /* 16 */
                           "  theta: 0.5\n"                                         /* 17 */
                           "probes:\n"                                              /* 18 */
                           "  corner: {point: [1, 2]}\n";                           /* 19 */

/* The case that is right with its first `find` replaced by `put`, in a file. */
static const char *write_case(const char *find, const char *put) {
  const char *path = support_build("check_case.yaml"), *at = strstr(good, find);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_msg(at != NULL, "'%s' is not in the case", find);
  fprintf(file, "%.*s%s%s", (int)(at - good), good, put, at + strlen(find));
  fclose(file);
  return path;
}

static void expect_message(const char *path, const prc_error *err, const char *expected) {
  ck_assert_int_eq(err->status, PRC_INPUT);
  ck_assert_msg(strncmp(err->message, path, strlen(path)) == 0, "'%s' does not name the file", err->message);
  ck_assert_msg(strstr(err->message + strlen(path), expected) == err->message + strlen(path),
                "message is '%s', expected '%s' after the file", err->message, expected);
}

static double at(const prc_field *field, double x, double y, double t) {
  prc_error err = {0};
  double value = NAN;
  support_ok(prc_field_eval(field, x, y, t, &value, &err), &err);
  return value;
}

/* ---- what it says arrives ------------------------------------------------------------------------------ */

static void check_block(const prc_case *c) {
  ck_assert_str_eq(c->name, "sliding-block");
  ck_assert_str_eq(strrchr(c->mesh.file, '/'), "/block.geo");
  ck_assert(c->mesh.size == 0.0 && !c->mesh.allow_duplicate_nodes);
  ck_assert(!c->model.plane_strain && c->model.thickness == 15.0 && !c->model.lumped);
  ck_assert(c->model.damping_mass == 0.0 && c->model.damping_stiffness == 0.0);
  ck_assert(at(&c->model.gravity[0], 0, 0, 0) == 0.0 && at(&c->model.gravity[1], 0, 0, 0) == -1e-3);
  ck_assert_int_eq(c->n_materials, 1);
  ck_assert_str_eq(c->material[0].group, "block");
  ck_assert(c->material[0].young == 5750.0 && c->material[0].poisson == 0.358
            && c->material[0].density == 1.17e-3);
}

static void check_boundary(const prc_case *c) {
  ck_assert(c->n_contacts == 1 && c->n_supports == 1 && c->n_loads == 1 && c->n_probes == 0);
  const prc_case_contact *bottom = &c->contact_group[0];
  ck_assert_str_eq(bottom->name, "bottom");
  ck_assert_str_eq(bottom->group, "bottom");
  ck_assert(bottom->point[0] == 0.0 && bottom->point[1] == 0.0 && bottom->normal[0] == 0.0
            && bottom->normal[1] == 1.0);
  ck_assert(at(&bottom->friction, 0, 0, 0) == 0.5 && at(&bottom->restitution, 0, 0, 0) == 0.0);
  ck_assert_str_eq(c->support[0].group, "top");
  ck_assert(!c->support[0].held[0] && c->support[0].held[1]
            && at(&c->support[0].displacement[1], 0, 0, 0) == -0.005);
  ck_assert_str_eq(c->load[0].group, "left");
}

static void check_run(const prc_case *c) {
  ck_assert(c->initial.kind == PRC_INITIAL_EQUILIBRIUM && !c->initial.with_loads);
  ck_assert(c->time.end == 1.0 && c->time.step == 1e-4 && c->time.theta == 0.5 && c->time.fremond);
  ck_assert_int_eq(c->time.n_steps, 10000);
  ck_assert(c->contact.activation == PRC_ACTIVATE_BOTH && c->contact.gap_tolerance == 0.0);
  ck_assert(c->contact.velocity_tolerance == 0.0 && c->contact.tolerance == 1e-10
            && c->contact.max_penetration < 0.0);
  ck_assert_int_eq(c->contact.max_iterations, 10000);
  ck_assert_str_eq(c->contact.solver, "auto");
  ck_assert(c->output.every == 100 && c->output.checkpoint == 1000 && c->output.contact_every == 10);
  ck_assert(!c->output.contacts);
}

START_TEST(the_sliding_block_is_the_papers) {
  prc_error err = {0};
  prc_case *c = NULL;
  support_ok(prc_case_read(support_source("cases/sliding-block.yaml"), 0, NULL, &c, &err), &err);
  check_block(c);
  check_boundary(c);
  check_run(c);
  prc_case_free(&c);
  ck_assert_ptr_null(c);
}
END_TEST

START_TEST(the_square_wave_is_the_papers) {
  prc_error err = {0};
  prc_case *c = NULL;
  support_ok(prc_case_read(support_source("cases/sliding-block.yaml"), 0, NULL, &c, &err), &err);
  const prc_field *sigma = &c->load[0].traction[0];
  ck_assert(sigma->uses_time && !sigma->uses_place && !c->load[0].traction[1].eval);
  ck_assert(at(sigma, 0, 0, 0) == 0.0 && at(sigma, 0, 0, 0.1) == 2.0 && at(sigma, 0, 0, 0.3) == -2.0);
  ck_assert(at(sigma, 0, 0, 0.6) == 2.0 && at(sigma, 0, 0, 0.9) == -2.0);
  for (int k = 0; k <= 10000; k++) { /* the sign that rounding gives, at every step of the run */
    const double t = k * c->time.step, s = sin(4 * 3.14159265358979323846 * t);
    ck_assert_double_eq(at(sigma, 0, 0, t), 2.0 * (double)((s > 0) - (s < 0)));
  }
  prc_case_free(&c);
}
END_TEST

START_TEST(the_starter_is_a_case) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path = support_build("check_case_starter.yaml");
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(prc_case_starter(), file);
  fclose(file);
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  ck_assert_str_eq(c->name, "starter");
  ck_assert_str_eq(c->mesh.file, support_build("block.geo"));
  prc_case_free(&c);
  remove(path);
}
END_TEST

START_TEST(what_is_optional_is_read) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path =
      write_case("probes:\n", "initial: {state: velocity, velocity: [x, -y]}\n"
                              "contact: {activation: strict, solver: active-set, max_penetration: 0.1}\n"
                              "output: {contact_every: 0, contacts: true, every: 0}\n"
                              "probes:\n");
  const char *const set[] = {
      "contacts.bottom.friction=0.1*x",           "contacts.bottom.restitution=x/100", "model.mass=lumped",
      "model.damping={mass: 1, stiffness: 2e-3}", "contacts.bottom.group=floor",       "supports.top.x=t*y"};
  support_ok(prc_case_read(path, 6, set, &c, &err), &err);
  ck_assert_str_eq(c->name, "check_case");
  ck_assert(c->model.plane_strain && c->model.thickness == 1.0 && c->model.lumped);
  ck_assert(c->model.damping_mass == 1.0 && c->model.damping_stiffness == 2e-3);
  ck_assert_str_eq(c->contact_group[0].group, "floor");
  ck_assert_str_eq(c->contact_group[0].name, "bottom");
  ck_assert(c->contact_group[0].friction.uses_place && !c->contact_group[0].friction.uses_time);
  ck_assert_double_eq_tol(at(&c->contact_group[0].friction, 3, 0, 0), 0.3, 1e-15);
  ck_assert(c->support[0].held[0] && c->support[0].held[1]
            && at(&c->support[0].displacement[0], 0, 2, 3) == 6.0);
  ck_assert(c->initial.kind == PRC_INITIAL_VELOCITY && at(&c->initial.velocity[1], 0, 4, 0) == -4.0);
  ck_assert(c->contact.activation == PRC_ACTIVATE_STRICT && c->contact.max_penetration == 0.1);
  ck_assert_str_eq(c->contact.solver, "active-set");
  ck_assert(c->output.contact_every == 0 && c->output.contacts && c->output.every == 0);
  ck_assert(c->n_probes == 1 && c->probe[0].point[0] == 1.0 && c->probe[0].point[1] == 2.0);
  ck_assert_int_eq(c->probe[0].place.line, 22);
  ck_assert(c->contact_group[0].friction_place.line == 0 && c->contact_group[0].friction_place.set != NULL);
  prc_case_free(&c);
}
END_TEST

START_TEST(a_case_needs_no_contact) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path = write_case("contacts:\n  bottom:\n    plane: {point: [0, 0], normal: [0, 1]}\n"
                                "    friction: 0.3\n    restitution: 0\n",
                                "contacts:\n");
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  ck_assert_int_eq(c->n_contacts, 0);
  prc_case_free(&c);
}
END_TEST

/* ---- what is wrong is refused at its place ------------------------------------------------------------- */

static const struct {
  const char *find, *put, *message; /* the message after the file's name */
} wrong[] = {
    {"theta", "thetta", ":17:3: unknown key 'thetta', did you mean 'theta'?"},
    {"step: 0.01", "stp: 0.01", ":16:3: unknown key 'stp', did you mean 'step'?"},
    {"time:", "tmie:", ":14:1: unknown key 'tmie', did you mean 'time'?"},
    {"theta: 0.5", "colour: 1", ":17:3: unknown key 'colour', expected one of end, step, theta, law"},
    {"poisson", "posson", ":4:23: unknown key 'posson', did you mean 'poisson'?"},
    {"theta: 0.5", "theta: soon", ":17:10: time.theta is 'soon', expected a number in [0.5, 1]"},
    {"2e5", "5.75e3 MPa", ":4:18: materials.steel.young is '5.75e3 MPa', expected a number > 0"},
    {"2e5", "0x10", ":4:18: materials.steel.young is '0x10', expected a number > 0"},
    {"2e5", "1e", ":4:18: materials.steel.young is '1e', expected a number > 0"},
    {"2e5", "[1]", ":4:11: materials.steel.young is a list, expected a number > 0"},
    {"step: 0.01", "step:", ":16:3: time.step is empty, expected a number > 0"},
    {"  end: 1\n", "", ":14:1: the key 'time.end' is missing, expected a number > 0"},
    {"    friction: 0.3\n", "", ":6:3: the key 'contacts.bottom.friction' is missing"},
    {", density: 7.8e-3", "", ":4:3: the key 'materials.steel.density' is missing, expected a number > 0"},
    {"model: {plane: strain}\n", "", ":1:1: the block 'model' is missing, expected a block of keys"},
    {"mesh: {file: block.geo}", "mesh: {}", ":1:1: the key 'mesh.file' is missing, expected a path"},
    {"model: {plane: strain}", "model: strain", ":2:8: model is 'strain', expected a block of keys"},
    {"mesh: {file: block.geo}", "mesh: [1, 2]", ":1:1: mesh is a list, expected a block of keys"},
    {"  theta: 0.5\n", "  theta: 0.5\n  end: 2\n", ":18:3: duplicate key"},
    {"[0, 0]", "[0, 0", ":7:"},
    {"2e5", "0", ":4:18: materials.steel.young is 0, expected a number > 0"},
    {"2e5", "-1", ":4:18: materials.steel.young is -1, expected a number > 0"},
    {"2e5", "inf", ":4:18: materials.steel.young is inf, expected a finite number"},
    {"2e5", "1e999", ":4:18: materials.steel.young is 1e999, expected a finite number"},
    {"0.3, density", ".nan, density", ":4:32: materials.steel.poisson is .nan, expected a finite number"},
    {"poisson: 0.3", "poisson: -1", ":4:32: materials.steel.poisson is -1, expected a number in (-1, 0.5]"},
    {"poisson: 0.3", "poisson: 0.6", ":4:32: materials.steel.poisson is 0.6, expected a number in (-1, 0.5]"},
    {"poisson: 0.3", "poisson: 0.5",
     ":4:32: materials.steel.poisson is 0.5, expected less than 0.5 in plane strain"},
    {"7.8e-3", "0", ":4:46: materials.steel.density is 0, expected a number > 0"},
    {"{plane: strain}", "{plane: strain, thickness: 0}",
     ":2:35: model.thickness is 0, expected a number > 0"},
    {"{plane: strain}", "{plane: stain}", ":2:16: model.plane is 'stain', expected stress or strain"},
    {"{plane: strain}", "{plane: strain, mass: full}",
     ":2:30: model.mass is 'full', expected consistent or lumped"},
    {"{plane: strain}", "{plane: strain, damping: {mass: -1}}",
     ":2:40: model.damping.mass is -1, expected a number >= 0"},
    {"{plane: strain}", "{plane: strain, gravity: [0, x]}",
     ":2:37: model.gravity[1]: unknown name 'x', expected of "
     "variables only t"},
    {"  steel: {young: 2e5, poisson: 0.3, density: 7.8e-3}\n", "",
     ":3:1: the block 'materials' is empty, expected at least one <group>"},
    {"friction: 0.3", "friction: -0.3",
     ":8:15: contacts.bottom.friction is -0.3, expected a number or an expression >= 0"},
    {"friction: 0.3", "friction: 1-2",
     ":8:15: contacts.bottom.friction is 1-2, expected a number or an expression >= 0"},
    {"friction: 0.3", "friction: 0.3*t",
     ":8:19: contacts.bottom.friction: unknown name 't', expected of variables only "
     "x, y"},
    {"friction: 0.3", "friction: \"0.3*q\"", ":8:20: contacts.bottom.friction: unknown name 'q'"},
    {"restitution: 0", "restitution: 1.1",
     ":9:18: contacts.bottom.restitution is 1.1, expected a number or an "
     "expression in [0, 1]"},
    {"theta: 0.5", "theta: 0.4", ":17:10: time.theta is 0.4, expected a number in [0.5, 1]"},
    {"theta: 0.5", "theta: 1.1", ":17:10: time.theta is 1.1, expected a number in [0.5, 1]"},
    {"end: 1", "end: 0", ":15:8: time.end is 0, expected a number > 0"},
    {"step: 0.01", "step: -0.01", ":16:9: time.step is -0.01, expected a number > 0"},
    {"step: 0.01", "step: 0.3", ":15:8: time.end is 1, expected a multiple of time.step = 0.3"},
    {"step: 0.01", "step: 1e-12", ":15:8: time.end is 1e+12 steps, expected at most 2147483647"},
    {"step: 0.01", "step: 5", ":15:8: time.end is 1, expected a multiple of time.step = 5"},
    {"theta: 0.5", "law: fremont", ":17:8: time.law is 'fremont', expected newton or fremond"},
    {"normal: [0, 1]", "normal: [0, 0]",
     ":7:28: contacts.bottom.plane.normal is [0, 0], expected a direction"},
    {"normal: [0, 1]", "normal: [0, inf]",
     ":7:40: contacts.bottom.plane.normal[1] is inf, expected a finite number"},
    {"normal: [0, 1]", "normal: [0, 1, 0]",
     ":7:28: contacts.bottom.plane.normal has 3 values, expected two numbers"},
    {"normal: [0, 1]", "normal: up",
     ":7:36: contacts.bottom.plane.normal is 'up', expected two numbers [x, y]"},
    {"  top: {y: 0}", "  top: {}", ":11:3: supports.top holds nothing, expected x, y or both"},
    {"[sin(t), 0]", "[if(t, 1, 2), 0]",
     ":13:10: loads.left.traction has 4 values, expected two numbers or expressions "
     "[x, y]; an expression with commas must stand in quotes"},
    {"[sin(t), 0]", "[sin(t, 0]", ":13:"},
    {"[sin(t), 0]", "[sin(t), 2*(t+1]", ":13:35: loads.left.traction[1]: Missing parenthesis"},
    {"[sin(t), 0]", "[t=1, 0]", ":13:22: loads.left.traction[0]: a single '=' in 't=1'"},
    {"[sin(t), 0]", "[\"1, 2\", 0]", ":13:22: loads.left.traction[0]: '1, 2' has 2 values, expected one"},
    {"[sin(t), 0]", "[0, 1/0]", ":13:24: loads.left.traction[1]: 1/0 is inf, expected a finite number"},
    {"[sin(t), 0]", "[sin(t), sqrt(-1)]", ":13:29: loads.left.traction[1]: sqrt(-1) is "},
    {"[sin(t), 0]", "[sin(t), t +* 2]", ":13:32: loads.left.traction[1]: "},
    {"[1, 2]", "[1, 2 mm]", ":19:23: probes.corner.point[1] is '2 mm', expected a number"},
    {"  corner:", "  a/b:", ":19:3: the name 'a/b' has the character '/', expected a plain name"},
    {"probes:", "name: a/b\nprobes:", ":18:7: name is 'a/b', expected a name without '/'"},
    {"probes:", "output: {every: -1}\nprobes:", ":18:17: output.every is -1, expected a whole number >= 0"},
    {"probes:", "output: {every: 100.5}\nprobes:",
     ":18:17: output.every is '100.5', expected a whole number >= 0"},
    {"probes:", "output: {every: 99999999999}\nprobes:",
     ":18:17: output.every is '99999999999', expected a whole number"},
    {"probes:", "output: {contacts: maybe}\nprobes:",
     ":18:20: output.contacts is 'maybe', expected true or false"},
    {"probes:", "contact: {max_iterations: 0}\nprobes:",
     ":18:27: contact.max_iterations is 0, expected a whole number >= 1"},
    {"probes:", "contact: {solver: fast}\nprobes:",
     ":18:19: contact.solver is 'fast', expected auto, gauss-seidel or "
     "active-set"},
    {"probes:", "contact: {tolerance: 0}\nprobes:",
     ":18:22: contact.tolerance is 0, expected a number in (0, 1)"},
    {"probes:", "initial: {state: moving}\nprobes:",
     ":18:18: initial.state is 'moving', expected rest, velocity, "
     "equilibrium or end_of"},
    {"probes:", "initial: {state: velocity}\nprobes:",
     ":18:1: the key 'initial.velocity' is missing, expected with state"},
    {"probes:", "initial: {velocity: [1, 0]}\nprobes:",
     ":18:11: initial.velocity is given, expected only with state: "
     "velocity"},
    {"probes:", "initial: {state: end_of}\nprobes:", ":18:1: the key 'initial.run' is missing"},
    {"probes:", "initial: {loads: true}\nprobes:",
     ":18:18: initial.loads is given, expected only with state: equilibrium"},
    {"block.geo", "block.msh, size: 0.5", ":1:31: mesh.size is given for the mesh"},
    {"block.geo", "block.geo, size: 0", ":1:31: mesh.size is 0, expected a number > 0"},
    {"probes:", "? [a]\n: 1\nprobes:", ":1:1: a key that is not a plain name"},
    {"probes:", "---\nprobes:", ": several YAML documents, expected one"},
};

START_TEST(what_is_wrong_is_refused_at_its_place) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path = write_case(wrong[_i].find, wrong[_i].put);
  ck_assert_int_eq(prc_case_read(path, 0, NULL, &c, &err), PRC_INPUT);
  ck_assert_ptr_null(c);
  expect_message(path, &err, wrong[_i].message);
}
END_TEST

START_TEST(theta_respects_restitution) { /* (87): 1/2 <= theta <= 1 / (1 + e) */
  prc_case *c = NULL;
  const struct {
    const char *theta;
    int allowed;
  } trial[] = {{"time.theta=0.8", 1},
               {"time.theta=0.800001", 0},
               {"time.theta=0.8000000000001", 1},
               {"time.theta=1", 0}};
  for (size_t i = 0; i < sizeof trial / sizeof trial[0]; i++) {
    prc_error err = {0};
    const char *path = write_case("restitution: 0", "restitution: 0.25");
    const prc_status status = prc_case_read(path, 1, &trial[i].theta, &c, &err);
    ck_assert_int_eq(status, trial[i].allowed ? PRC_OK : PRC_INPUT);
    if (!trial[i].allowed) expect_message(path, &err, ": --set time.theta: time.theta is ");
    prc_case_free(&c);
  }
  prc_error err = {0};
  const char *path =
      write_case("restitution: 0", "restitution: 0.25\n  side: {plane: {point: [0, 0], normal: [1, 0]}, "
                                   "friction: 0, restitution: 1}\n#");
  const char *set = "time.theta=0.6";
  ck_assert_int_eq(prc_case_read(path, 1, &set, &c, &err), PRC_INPUT);
  expect_message(path, &err, ": --set time.theta: time.theta is 0.6, expected in [0.5, 0.5]");
  prc_error_clear(&err);
  path = write_case("theta: 0.5", "theta: 1 # too much\n  law: newton\nname: x");
  set = "contacts.bottom.restitution=0.5";
  ck_assert_int_eq(prc_case_read(path, 1, &set, &c, &err), PRC_INPUT);
  expect_message(path, &err, ":17:10: time.theta is 1, expected in [0.5, 0.666666666667]");
}
END_TEST

static const struct {
  const char *path, *message;
} unreadable[] = {{"no-such-case.yaml", ": cannot be opened: No such file or directory"},
                  {".", ": a folder, expected a case file"}};

START_TEST(what_cannot_be_read_is_refused) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path = support_build(unreadable[_i].path);
  ck_assert_int_eq(prc_case_read(path, 0, NULL, &c, &err), PRC_INPUT);
  expect_message(path, &err, unreadable[_i].message);
}
END_TEST

/* Each begins with the message it must give: "# file: ...". */
static const char *const bad_files[] = {"key", "duplicate", "tab", "brace", "empty", "list", "alias", "bomb"};

START_TEST(bad_files_give_the_message_they_begin_with) {
  prc_error err = {0};
  prc_case *c = NULL;
  char name[64], expected[256] = "";
  snprintf(name, sizeof name, "tests/input/case-%s.yaml", bad_files[_i]);
  const char *path = support_source(name);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_ptr_nonnull(fgets(expected, sizeof expected, file));
  fclose(file);
  expected[strcspn(expected, "\n")] = '\0';
  support_fails(prc_case_read(path, 0, NULL, &c, &err), PRC_INPUT, &err, expected + 2);
}
END_TEST

/* ---- --set --------------------------------------------------------------------------------------------- */

START_TEST(set_replaces_and_adds) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *const set[] = {"time.step=0.02",
                             "time.step=0.05",
                             "time.law=newton",
                             "probes.middle.point=[3, 4]",
                             "loads={right: {traction: [1, 0]}}",
                             "initial.state=equilibrium",
                             "name=other"};
  support_ok(prc_case_read(write_case("", ""), 0, NULL, &c, &err), &err);
  prc_case_free(&c);
  support_ok(prc_case_read(support_build("check_case.yaml"), 7, set, &c, &err), &err);
  ck_assert_str_eq(c->name, "other");
  ck_assert_int_eq(c->time.n_steps, 20);
  ck_assert(!c->time.fremond && c->time.theta == 0.5 && c->initial.kind == PRC_INITIAL_EQUILIBRIUM);
  ck_assert_int_eq(c->n_probes, 2);
  ck_assert_str_eq(c->probe[1].name, "middle");
  ck_assert(c->probe[1].point[1] == 4.0 && c->probe[1].place.line == 0);
  ck_assert_str_eq(c->probe[1].place.set, "probes.middle.point");
  ck_assert_int_eq(c->n_loads, 1); /* a mapping replaces */
  ck_assert_str_eq(c->load[0].name, "right");
  prc_case_free(&c);
}
END_TEST

static const struct {
  const char *set, *message;
} bad_sets[] = {
    {"time.stp=0.1", ": --set time.stp: unknown key 'stp', did you mean 'step'?"},
    {"tme.step=0.1", ": --set tme.step: unknown key 'tme', did you mean 'time'?"},
    {"time.step=soon", ": --set time.step: time.step is 'soon', expected a number > 0"},
    {"time.step=[1", ": --set time.step: "},
    {"time.step.x=1", ": --set time.step.x: 'x' is below a value, expected a key of a block"},
    {"loads.left.traction.x=1",
     ": --set loads.left.traction.x: 'x' is below a list (set the list as a whole)"},
    {"time.step", ": --set 'time.step': expected KEY=VALUE"},
    {"=1", ": --set '=1': expected KEY=VALUE"},
    {".time=1", ": --set '.time=1': a part of the key is empty"},
    {"time..step=1", ": --set 'time..step=1': a part of the key is empty"},
    {"time.step=", ": --set time.step: no value, expected KEY=VALUE"},
    {"time={end: 1}", ": --set time: the key 'time.step' is missing, expected a number > 0"},
    {"time={end: 1, end: 2, step: 1}", ": --set time: duplicate key"},
    {"loads.left.traction=[1, 2*z]",
     ": --set loads.left.traction: loads.left.traction[1]: position 3: unknown name 'z'"},
    {"materials.steel.young=-5",
     ": --set materials.steel.young: materials.steel.young is -5, expected a number > 0"},
};

START_TEST(bad_settings_are_refused_by_their_path) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path = write_case("", "");
  ck_assert_int_eq(prc_case_read(path, 1, &bad_sets[_i].set, &c, &err), PRC_INPUT);
  expect_message(path, &err, bad_sets[_i].message);
}
END_TEST

START_TEST(a_name_with_dots_can_be_set) { /* the longest name that fits */
  prc_error err = {0};
  prc_case *c = NULL;
  const char *set = "materials.steel.v2.young=7";
  const char *path = write_case("  steel:", "  steel.v2: {young: 1, poisson: 0, density: 1}\n  steel:");
  support_ok(prc_case_read(path, 1, &set, &c, &err), &err);
  ck_assert_int_eq(c->n_materials, 2);
  ck_assert_str_eq(c->material[0].group, "steel.v2");
  ck_assert_double_eq(c->material[0].young, 7.0);
  ck_assert_double_eq(c->material[1].young, 2e5);
  prc_case_free(&c);
}
END_TEST

START_TEST(paths_are_relative_to_the_case) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *absolute = "mesh.file=/a/b.msh", *relative = "mesh.file=no/such.msh";
  const char *path = write_case("", "");
  support_ok(prc_case_read(path, 1, &absolute, &c, &err), &err);
  ck_assert_str_eq(c->mesh.file, "/a/b.msh");
  prc_case_free(&c);
  support_ok(prc_case_read(path, 1, &relative, &c, &err), &err); /* not in the current folder */
  ck_assert_str_eq(c->mesh.file, support_build("no/such.msh"));
  prc_case_free(&c);
}
END_TEST

START_TEST(the_merged_case_reads_as_itself) {
  prc_error err = {0};
  prc_case *c = NULL;
  char *once = NULL, *twice = NULL;
  const char *set = "loads.left.traction=['if(t < 1, 2, 3)', \"2*\\u0074\"]",
             *path = support_build("check_case_text.yaml");
  support_ok(prc_case_read(write_case("", ""), 1, &set, &c, &err), &err);
  support_ok(prc_case_text(c, &once, &err), &err);
  prc_case_free(&c);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(once, file);
  fclose(file);
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  ck_assert(at(&c->load[0].traction[0], 0, 0, 2) == 3.0 && at(&c->load[0].traction[1], 0, 0, 2) == 4.0);
  support_ok(prc_case_text(c, &twice, &err), &err);
  ck_assert_str_eq(once, twice);
  prc_case_free(&c);
  free(once);
  free(twice);
  remove(path);
}
END_TEST

/* ---- expressions --------------------------------------------------------------------------------------- */

static const struct {
  const char *text;
  double value; /* at x = 2, y = 3, t = 0.25 */
} formulas[] = {
    {"1", 1.0},
    {"x + 10*y + 100*t", 57.0},
    {"2^3^2", 512.0},
    {"-x^2", -4.0},
    {"pi", 3.14159265358979323846},
    {"e", 2.71828182845904523536},
    {"1e3 + 1.5e-2", 1000.015},
    {"sgn(-2) + 10*sgn(0) + 100*sgn(7)", 99.0},
    {"sign(x)", 1.0},
    {"heaviside(t)", 1.0},
    {"heaviside(-t)", 0.0},
    {"heaviside(x - 2)", 0.5},
    {"floor(-1.5) + 10*ceil(1.2) + 100*rint(2.7)", 318.0},
    {"mod(7, 4) + 10*mod(-1, 4)", 33.0},
    {"mod(-7, -4)", -3.0},
    {"if(x > y, 5, 6) + (x < y ? 10 : 20)", 16.0},
    {"(x == 2) + 10*(x != 2) + 100*(y >= 3) + 1000*(y <= 2)", 101.0},
    {"(1 and 0) + 10*(1 or 0) + 100*(1 && 1) + 1000*(0 || 0)", 110.0},
    {"1 or 0 and 0", 1.0},
    {"x > 1 and y > 5", 0.0},
    {"ln(e^2) + log(e)", 3.0},
    {"log10(1000) + log2(8)", 6.0},
    {"sqrt(x + 7) + abs(-y) + exp(0)", 7.0},
    {"min(x, y, 1) + max(x, y) + sum(1, 2, 3) + avg(2, 4)", 13.0},
    {"sin(pi/2) + cos(0) + tan(0)", 2.0},
    {"4*atan(1)", 3.14159265358979323846},
    {"atan2(1, -1)", 0.75 * 3.14159265358979323846},
    {"acos(-1) - 2*asin(1)", 0.0},
    {"cosh(1)^2 - sinh(1)^2 + tanh(0)", 1.0},
    {"asinh(sinh(0.5)) + acosh(cosh(0.5)) + atanh(tanh(0.5))", 1.5},
};

START_TEST(expressions_have_the_values_of_algebra) {
  prc_error err = {0};
  prc_expression *f = NULL;
  support_ok(prc_expression_create(formulas[_i].text, "txy", &f, &err), &err);
  const prc_field field = prc_expression_field(f);
  ck_assert_double_eq_tol(at(&field, 2.0, 3.0, 0.25), formulas[_i].value,
                          1e-14 * (1.0 + fabs(formulas[_i].value)));
  prc_expression_free(&f);
  ck_assert_ptr_null(f);
}
END_TEST

START_TEST(an_expression_knows_what_it_uses) {
  const struct {
    const char *text;
    int time, place;
  } uses[] = {{"2*pi", 0, 0}, {"t", 1, 0}, {"x", 0, 1}, {"y", 0, 1}, {"t*(x+y)", 1, 1}, {"0*t", 1, 0}};
  for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
    prc_error err = {0};
    prc_expression *f = NULL;
    support_ok(prc_expression_create(uses[i].text, "txy", &f, &err), &err);
    const prc_field field = prc_expression_field(f);
    ck_assert_int_eq(field.uses_time, uses[i].time);
    ck_assert_int_eq(field.uses_place, uses[i].place);
    ck_assert_int_eq(field.eval != NULL, uses[i].time || uses[i].place);
    prc_expression_free(&f);
  }
}
END_TEST

static const struct {
  const char *text, *variables, *message;
} bad_formulas[] = {
    {"2*foo", "t", "position 3: unknown name 'foo', expected of variables only t"},
    {"1 + y", "tx", "position 5: unknown name 'y', expected of variables only t, x"},
    {"t", "", "position 1: unknown name 't', expected no variable here"},
    {"x = 3", "x", "position 3: a single '='"},
    {"x += 3", "x", "position 4: a single '='"},
    {"1, 2", "x", "position 1: '1, 2' has 2 values, expected one"},
    {"(1 + 2", "", "position 7: Missing parenthesis"},
    {"1 +", "", "position 4: Unexpected end of expression"},
    {"", "", "position 1: "},
    {"sin(1, 2)", "", "position 9: Too many parameters"},
    {"1 2", "", "position 3: "},
    {"1 @ 2", "", "position 3: unexpected '@ 2'"},
    {"\"text\"", "", "position "},
    {"_pi", "", "position 1: "},
    {"1e999", "", "position 1: "},
    {"1/0", "", "1/0 is inf, expected a finite number"},
    {"ln(0)", "", "ln(0) is -inf, expected a finite number"},
    {"0/0", "", "0/0 is nan, expected a finite number"},
};

START_TEST(bad_expressions_name_the_character) {
  prc_error err = {0};
  prc_expression *f = NULL;
  support_fails(prc_expression_create(bad_formulas[_i].text, bad_formulas[_i].variables, &f, &err), PRC_INPUT,
                &err, bad_formulas[_i].message);
  ck_assert_ptr_null(f);
}
END_TEST

START_TEST(a_value_that_is_not_finite_is_judged_where_it_is_used) {
  prc_error err = {0};
  prc_case *c = NULL;
  double value = 0.0;
  const char *path = write_case("sin(t), 0", "0, 1/(t*x)");
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err); /* 1/0 at the origin at t = 0: nobody asked */
  support_ok(prc_field_eval(&c->load[0].traction[1], 2.0, 0.0, 0.25, &value, &err), &err);
  ck_assert_double_eq(value, 2.0);
  ck_assert_int_eq(prc_field_eval(&c->load[0].traction[1], 2.0, 0.0, 0.0, &value, &err), PRC_INPUT);
  expect_message(path, &err,
                 ":13:24: loads.left.traction[1]: 1/(t*x) is inf at t = 0, x = 2, expected a finite number");
  prc_case_free(&c);
}
END_TEST

/* ---- the reference ------------------------------------------------------------------------------------- */

START_TEST(the_reference_has_every_contract_key) {
  static const char *const keys[] = {"mesh.file",
                                     "mesh.size",
                                     "time.end",
                                     "time.step",
                                     "time.theta",
                                     "time.law",
                                     "output.every",
                                     "output.checkpoint",
                                     "contacts.<name>.friction",
                                     "contacts.<name>.restitution",
                                     "materials.<group>.young",
                                     "materials.<group>.poisson",
                                     "materials.<group>.density",
                                     "contact.max_penetration"};
  static const char *const words[] = {"newton or fremond", "discontinuity", "consistent set",
                                      "into the body",     "sgn(x)",        "one-sided",
                                      "from the right"};
  for (int markdown = 0; markdown < 2; markdown++) {
    prc_error err = {0};
    char *text = NULL;
    support_ok(prc_case_reference(markdown, &text, &err), &err);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
      ck_assert_msg(strstr(text, keys[i]) != NULL, "'%s' is missing", keys[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
      ck_assert_msg(strstr(text, words[i]) != NULL, "'%s' is missing", words[i]);
    free(text);
  }
}
END_TEST

START_TEST(the_committed_page_is_the_reference) {
  prc_error err = {0};
  char *text = NULL;
  support_ok(prc_case_reference(1, &text, &err), &err);
  const size_t size = strlen(text);
  char *page = calloc(size + 2, 1);
  FILE *file = fopen(support_source("doc/case.md"), "r");
  ck_assert_ptr_nonnull(page);
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fread(page, 1, size + 1, file), size);
  ck_assert_str_eq(page, text);
  fclose(file);
  free(page);
  free(text);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

static TCase *reading(void) {
  TCase *t = tcase_create("reading");
  tcase_add_test(t, the_sliding_block_is_the_papers);
  tcase_add_test(t, the_square_wave_is_the_papers);
  tcase_add_test(t, the_starter_is_a_case);
  tcase_add_test(t, what_is_optional_is_read);
  tcase_add_test(t, a_case_needs_no_contact);
  tcase_add_loop_test(t, what_is_wrong_is_refused_at_its_place, 0, COUNT(wrong));
  tcase_add_test(t, theta_respects_restitution);
  tcase_add_loop_test(t, what_cannot_be_read_is_refused, 0, COUNT(unreadable));
  tcase_add_loop_test(t, bad_files_give_the_message_they_begin_with, 0, COUNT(bad_files));
  return t;
}

static TCase *settings(void) {
  TCase *t = tcase_create("settings");
  tcase_add_test(t, set_replaces_and_adds);
  tcase_add_loop_test(t, bad_settings_are_refused_by_their_path, 0, COUNT(bad_sets));
  tcase_add_test(t, a_name_with_dots_can_be_set);
  tcase_add_test(t, paths_are_relative_to_the_case);
  tcase_add_test(t, the_merged_case_reads_as_itself);
  return t;
}

static TCase *formulas_case(void) {
  TCase *t = tcase_create("expressions");
  tcase_add_loop_test(t, expressions_have_the_values_of_algebra, 0, COUNT(formulas));
  tcase_add_test(t, an_expression_knows_what_it_uses);
  tcase_add_loop_test(t, bad_expressions_name_the_character, 0, COUNT(bad_formulas));
  tcase_add_test(t, a_value_that_is_not_finite_is_judged_where_it_is_used);
  tcase_add_test(t, the_reference_has_every_contract_key);
  tcase_add_test(t, the_committed_page_is_the_reference);
  return t;
}

int main(void) {
  Suite *suite = suite_create("case");
  suite_add_tcase(suite, reading());
  suite_add_tcase(suite, settings());
  suite_add_tcase(suite, formulas_case());
  const int result = support_run(suite);
  remove(support_build("check_case.yaml"));
  return result;
}

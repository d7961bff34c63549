/* The case file: what it says arrives, what is wrong is refused at its place, expressions have the values
 * of algebra. */
#include "config.h"
#include "case/case.h"

#include "support/found.h"
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

/* The text with its first `find` replaced by `put`, in a file. */
static const char *write_text(const char *text, const char *find, const char *put) {
  const char *path = support_build("check_case.yaml"), *at = strstr(text, find);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_msg(at != NULL, "'%s' is not in the case", find);
  fprintf(file, "%.*s%s%s", (int)(at - text), text, put, at + strlen(find));
  fclose(file);
  return path;
}

/* the case that is right, with one change */
static const char *write_case(const char *find, const char *put) {
  return write_text(good, find, put);
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
  ck_assert(c->model.plane == PRC_PLANE_STRESS && c->model.thickness == 15.0
            && c->model.mass == PRC_MASS_CONSISTENT);
  ck_assert(c->model.damping_mass == 0.0 && c->model.damping_stiffness == 0.0);
  ck_assert(at(&c->model.gravity[0], 0, 0, 0) == 0.0 && at(&c->model.gravity[1], 0, 0, 0) == -1e-3);
  ck_assert_int_eq(c->n_materials, 1);
  ck_assert_str_eq(c->material[0].group, "block");
  ck_assert(c->material[0].values.young == 5750.0 && c->material[0].values.poisson == 0.358
            && c->material[0].values.density == 1.17e-3);
  ck_assert_ptr_eq(c->material[0].values.law, prc_fem_law_find("isotropic"));
  ck_assert_str_eq(c->time.scheme, "theta");
}

static void check_boundary(const prc_case *c) {
  ck_assert(c->n_contacts == 1 && c->n_supports == 1 && c->n_loads == 1 && c->n_probes == 0);
  const prc_case_contact *bottom = &c->contact_group[0];
  ck_assert_str_eq(bottom->name, "bottom");
  ck_assert_str_eq(bottom->group, "bottom");
  ck_assert(bottom->point[0] == 0.0 && bottom->point[1] == 0.0 && bottom->normal[0] == 0.0
            && bottom->normal[1] == 1.0);
  ck_assert(at(&bottom->friction.parameter[0], 0, 0, 0) == 0.5 && at(&bottom->restitution, 0, 0, 0) == 0.0);
  ck_assert_str_eq(c->support[0].group, "top");
  ck_assert(!c->support[0].held[0] && c->support[0].held[1]
            && at(&c->support[0].displacement[1], 0, 0, 0) == -0.005);
  ck_assert_str_eq(c->load[0].group, "left");
}

static void check_run(const prc_case *c) {
  ck_assert(c->initial.kind == PRC_INITIAL_EQUILIBRIUM && !c->initial.with_loads);
  ck_assert(c->time.end == 1.0 && c->time.step == 1e-4 && c->time.theta == 0.5
            && c->time.law == PRC_IMPACT_FREMOND);
  ck_assert_int_eq(c->time.n_steps, 10000);
  ck_assert(c->contact.activation == PRC_ACTIVATION_BOTH && c->contact.gap_tolerance == 0.0);
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
  fputs(prc_case_starter(PRC_STARTER_MESH), file);
  fclose(file);
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  ck_assert_str_eq(c->name, "starter");
  ck_assert_str_eq(c->mesh.file, support_build(PRC_STARTER_GEOMETRY_FILE));
  prc_case_free(&c);
  remove(path);
}
END_TEST

START_TEST(the_starter_of_bodies_is_a_case) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path = write_text(prc_case_starter(PRC_STARTER_BODIES), "", "");
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  ck_assert_str_eq(c->name, "starter-bodies");
  ck_assert_int_eq(c->n_bodies, 1);
  ck_assert_double_eq_tol(c->body[0].mass, 2400 * 0.4 * 0.2 * 0.1, 1e-12);
  prc_case_free(&c);
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
  ck_assert(c->model.plane == PRC_PLANE_STRAIN && c->model.thickness == 1.0
            && c->model.mass == PRC_MASS_LUMPED);
  ck_assert(c->model.damping_mass == 1.0 && c->model.damping_stiffness == 2e-3);
  ck_assert_str_eq(c->contact_group[0].group, "floor");
  ck_assert_str_eq(c->contact_group[0].name, "bottom");
  ck_assert(c->contact_group[0].friction.parameter[0].uses_place
            && !c->contact_group[0].friction.parameter[0].uses_time);
  ck_assert_double_eq_tol(at(&c->contact_group[0].friction.parameter[0], 3, 0, 0), 0.3, 1e-15);
  ck_assert(c->support[0].held[0] && c->support[0].held[1]
            && at(&c->support[0].displacement[0], 0, 2, 3) == 6.0);
  ck_assert(c->initial.kind == PRC_INITIAL_VELOCITY && at(&c->initial.velocity[1], 0, 4, 0) == -4.0);
  ck_assert(c->contact.activation == PRC_ACTIVATION_STRICT && c->contact.max_penetration == 0.1);
  ck_assert_str_eq(c->contact.solver, "active-set");
  ck_assert(c->output.contact_every == 0 && c->output.contacts && c->output.every == 0);
  ck_assert(c->n_probes == 1 && c->probe[0].point[0] == 1.0 && c->probe[0].point[1] == 2.0);
  ck_assert_int_eq(c->probe[0].place.line, 22);
  ck_assert(c->contact_group[0].friction_place.line == 0 && c->contact_group[0].friction_place.set != NULL);
  prc_case_free(&c);
}
END_TEST

START_TEST(dashpots_absorb_where_they_say_nothing_else) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path = write_case("", "");
  const char *const set[] = {
      "dashpots={wall: {}, end: {group: right, normal: 2.5}, side: {tangential: 0, normal: absorbing}}",
      "model.damping={mass: 1, stiffness: 2e-3}", "materials.steel.damping.mass=0"};
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  ck_assert(c->n_dashpots == 0 && !c->material[0].damping_given[0] && !c->material[0].damping_given[1]);
  prc_case_free(&c);
  support_ok(prc_case_read(path, 3, set, &c, &err), &err);
  ck_assert_int_eq(c->n_dashpots, 3);
  const prc_case_dashpot *d = c->dashpot;
  ck_assert_str_eq(d[0].name, "wall");
  ck_assert_str_eq(d[0].group, "wall");
  ck_assert(isnan(d[0].coefficient[0]) && isnan(d[0].coefficient[1]));
  ck_assert_str_eq(d[1].group, "right");
  ck_assert(d[1].coefficient[0] == 2.5 && isnan(d[1].coefficient[1]));
  ck_assert(isnan(d[2].coefficient[0]) && d[2].coefficient[1] == 0.0);
  ck_assert(c->material[0].damping_given[0] && c->material[0].damping_mass == 0.0);
  ck_assert(!c->material[0].damping_given[1]);
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

/* What names need: letters of any script, digits, blanks and signs inside. */
START_TEST(plain_names_are_taken) {
  static const char *const names[] = {"left wall", "höhe",   "стена",         "壁", "می‌خ", "a.1",
                                      "node(3)#2", "mu=0.3", "p: 1 % of [2]", "_1", "é"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    prc_error err = {0};
    prc_case *c = NULL;
    char put[128];
    snprintf(put, sizeof put,
             "  \"%s\": {group: \"=\\e$\", plane: {point: [0, 0], normal: [0, 1]}, friction: 0}\n  bottom:",
             names[k]);
    support_ok(prc_case_read(write_case("  bottom:", put), 0, NULL, &c, &err), &err);
    ck_assert_str_eq(c->contact_group[0].name, names[k]);
    ck_assert_str_eq(c->contact_group[0].group, "=\x1b$");
    prc_case_free(&c);
  }
}
END_TEST

/* ---- what is wrong is refused at its place ------------------------------------------------------------- */

static const struct {
  const char *find, *put, *message; /* the message after the file's name */
} wrong[] = {
#define NAMED(name, message)                                                                                 \
  { "  bottom:", "  " name ":", ":6:3: the name '" message }
#define GROUP "; `group` may be anything"
    NAMED("\"a\\e[2J\"", "a\\x1b[2J' has the hidden character U+001B, expected a plain name" GROUP),
    NAMED("\"a\\nb\"", "a\\nb' has the hidden character U+000A, expected a plain name" GROUP),
    NAMED("\"a\\x7f\"", "a\\x7f' has the hidden character U+007F, expected a plain name" GROUP),
    NAMED("\"a\\x9b\"", "a\\u009b' has the hidden character U+009B, expected a plain name" GROUP),
    NAMED("\"a\\u202eb\"", "a\\u202eb' has the hidden character U+202E, expected a plain name" GROUP),
    NAMED("\"a\\u2066b\"", "a\\u2066b' has the hidden character U+2066, expected a plain name" GROUP),
    NAMED("\"a\\u200fb\"", "a\\u200fb' has the hidden character U+200F, expected a plain name" GROUP),
    NAMED("\"a\\u200bb\"", "a\\u200bb' has the hidden character U+200B, expected a plain name" GROUP),
    NAMED("\"a\\u00a0b\"", "a\u00a0b' has the hidden character U+00A0, expected a plain name" GROUP),
    NAMED("\"a\\u3000b\"", "a\u3000b' has the hidden character U+3000, expected a plain name" GROUP),
    NAMED("\"a\\U000e0041\"", "a\\U000e0041' has the hidden character U+E0041, expected a plain name" GROUP),
    NAMED("\"$x_{$\"", "$x_{$' has the character '$', expected a plain name" GROUP),
    NAMED("\"a,b\"", "a,b' has the character ',', expected a plain name" GROUP),
    NAMED("\"a/b\"", "a/b' has the character '/', expected a plain name" GROUP),
    NAMED("=1+1", "=1+1' begins as a formula of a spreadsheet does, expected none of = + - @ there" GROUP),
    NAMED("+1", "+1' begins as a formula of a spreadsheet does"),
    NAMED("-1", "-1' begins as a formula of a spreadsheet does"),
    NAMED("\"@a\"", "@a' begins as a formula of a spreadsheet does"),
    NAMED("\"\\uff1d1\"", "\uff1d1' begins as a formula of a spreadsheet does"),
    NAMED("\"\\t=1\"", "\\t=1' has the hidden character U+0009, expected a plain name" GROUP),
    NAMED("\" a\"", " a' begins or ends with a blank, expected none there" GROUP),
    NAMED("\"a \"", "a ' begins or ends with a blank, expected none there" GROUP),
    {"mesh: {file", "name: \"a\\eb\"\nmesh: {file",
     ":1:7: name is 'a\\x1bb' and has the hidden character U+001B"},
    {"mesh: {file", "units: $m$ g s\nmesh: {file",
     ":1:8: units is '$m$ g s' and has the character '$', expected plain names"},
    {"mesh: {file", "units: \"m\\u202e g s\"\nmesh: {file",
     ":1:8: units is 'm\\u202e g s' and has the hidden character U+202E"},
    {"theta: 0.5", "\"\\e[2J\": 1", ":17:3: unknown key '\\x1b[2J', expected one of"},
    {"theta: 0.5", "law: \"\\e]0;\"", ":17:8: time.law is '\\x1b]0;', expected newton or fremond"},
    {"theta", "thetta", ":17:3: unknown key 'thetta', did you mean 'theta'?"},
    {"step: 0.01", "stp: 0.01", ":16:3: unknown key 'stp', did you mean 'step'?"},
    {"time:", "tmie:", ":14:1: unknown key 'tmie', did you mean 'time'?"},
    {"theta: 0.5", "shade: 1",
     ":17:3: unknown key 'shade', expected one of analysis, scheme, end, step, theta, rho, tolerance, "
     "joints, bulk, loads, law"},
    {"poisson", "posson", ":4:23: unknown key 'posson', did you mean 'poisson'?"},
    {"theta: 0.5", "theta: soon",
     ":17:10: time.theta: unknown function or name 'soon', expected a number or a"},
    {"2e5", "5.75e3 MPa", ":4:18: materials.steel.young is '5.75e3 MPa', expected a number > 0"},
    {"2e5", "0x10", ":4:18: materials.steel.young is '0x10', expected a number > 0"},
    {"2e5", "1e", ":4:18: materials.steel.young is '1e', expected a number > 0"},
    {"2e5", "[1]", ":4:11: materials.steel.young is a list, expected a number > 0"},
    {"step: 0.01", "step:", ":16:3: time.step is empty, expected a number or a constant expression > 0"},
    {"  end: 1\n", "",
     ":14:1: the key 'time.end' is missing, expected a number or a constant expression >= 0"},
    {"    friction: 0.3\n", "", ":6:3: the key 'contacts.bottom.friction' is missing"},
    {", density: 7.8e-3", "", ":4:3: the key 'materials.steel.density' is missing, expected a number > 0"},
    {"model: {plane: strain}\n", "", ":1:1: the block 'model' is missing, expected a block of keys"},
    {"mesh: {file: block.geo}", "mesh: {}",
     ":1:1: the key 'mesh.file' is missing, expected a path or a list of paths"},
    {"model: {plane: strain}", "model: strain", ":2:8: model is 'strain', expected a block of keys"},
    {"mesh: {file: block.geo}", "mesh: [[1], 2]",
     ":1:9: mesh.file is a list, expected a path or a list of paths"},
    {"mesh: {file: block.geo}", "mesh: ['', 2]",
     ":1:8: mesh.file is empty, expected a path or a list of paths"},
    {"mesh: {file: block.geo}", "mesh: {file: []}",
     ":1:8: mesh.file is a list, expected a path or a list of paths"},
    {"  theta: 0.5\n", "  theta: 0.5\n  end: 2\n",
     ":18:3: the key 'end' is there twice, expected it once: the first is in line 15"},
    {"[0, 0]", "[0, 0", ":7:"},
    {"young: 2e5", "law: none, young: 2e5", ":4:16: materials.steel.law is 'none', expected isotropic"},
    {"young: 2e5, ", "law: isotropic, ",
     ":4:3: the key 'materials.steel.young' is missing, expected a number > 0"},
    {"theta: 0.5", "scheme: euler", ":17:11: time.scheme is 'euler', expected theta"},
    {"theta: 0.5", "analysis: quasi-static\n  scheme: theta",
     ":18:11: time.scheme is theta, expected none with analysis: quasi-static"},
    {"2e5", "0", ":4:18: materials.steel.young is 0, expected a number > 0"},
    {"2e5", "-1", ":4:18: materials.steel.young is -1, expected a number > 0"},
    {"2e5", "inf", ":4:18: materials.steel.young is inf, expected a finite number"},
    {"2e5", "1e999", ":4:18: materials.steel.young is 1e999, expected a finite number"},
    {"0.3, density", ".nan, density", ":4:32: materials.steel.poisson is .nan, expected a finite number"},
    {"poisson: 0.3", "poisson: -1", ":4:32: materials.steel.poisson is -1, expected a number in (-1, 0.5]"},
    {"poisson: 0.3", "poisson: 0.6", ":4:32: materials.steel.poisson is 0.6, expected a number in (-1, 0.5]"},
    {"poisson: 0.3", "poisson: 0.5",
     ":4:32: materials.steel.poisson is 0.5, expected less than 0.5 except in plane stress"},
    {"7.8e-3", "0", ":4:46: materials.steel.density is 0, expected a number > 0"},
    {"{plane: strain}", "{plane: strain, thickness: 0}",
     ":2:35: model.thickness is 0, expected a number > 0"},
    {"{plane: strain}", "{plane: stain}",
     ":2:16: model.plane is 'stain', expected stress, strain or axisymmetric"},
    {"{plane: strain}", "{plane: strain, mass: full}",
     ":2:30: model.mass is 'full', expected consistent, lumped or modified"},
    {"{plane: strain}", "{plane: strain, damping: {mass: -1}}",
     ":2:40: model.damping.mass is -1, expected a number >= 0"},
    {"{plane: strain}", "{plane: strain, gravity: [0, x]}",
     ":2:37: model.gravity[1]: unknown name 'x', expected of "
     "variables only t"},
    {"  steel: {young: 2e5, poisson: 0.3, density: 7.8e-3}\n", "",
     ":3:1: the block 'materials' is empty, expected at least one <group>"},
    {"friction: 0.3", "friction: -0.3",
     ":8:15: contacts.bottom.friction is -0.3, expected a number or an expression in [0, 1e+08]"},
    {"friction: 0.3", "friction: 1-2",
     ":8:15: contacts.bottom.friction is 1-2, expected a number or an expression in [0, 1e+08]"},
    {"friction: 0.3", "friction: 0.3*z", ":8:19: contacts.bottom.friction: unknown function or name 'z'"},
    {"friction: 0.3", "friction: \"0.3*q\"", ":8:20: contacts.bottom.friction: unknown function or name 'q'"},
    {"restitution: 0", "restitution: 1.1",
     ":9:18: contacts.bottom.restitution is 1.1, expected a number or an "
     "expression in [0, 1]"},
    {"theta: 0.5", "theta: 0.4",
     ":17:10: time.theta is 0.4, expected a number or a constant expression in [0.5, 1]"},
    {"theta: 0.5", "theta: 1.1",
     ":17:10: time.theta is 1.1, expected a number or a constant expression in [0.5, 1]"},
    {"end: 1", "end: -1", ":15:8: time.end is -1, expected a number or a constant expression >= 0"},
    {"end: 1", "end: 1e-9", ":15:8: time.end is 1e-09, expected a multiple of time.step = 0.01"},
    {"step: 0.01", "step: -0.01",
     ":16:9: time.step is -0.01, expected a number or a constant expression > 0"},
    {"step: 0.01", "step: 0.3", ":15:8: time.end is 1, expected a multiple of time.step = 0.3"},
    {"step: 0.01", "step: 1e-12", ":15:8: time.end is 1e+12 steps, expected at most 2147483647"},
    {"step: 0.01", "step: 5", ":15:8: time.end is 1, expected a multiple of time.step = 5"},
    {"theta: 0.5", "law: fremont", ":17:8: time.law is 'fremont', expected newton or fremond"},
    {"mesh: {file: block.geo}\n", "", ":1:1: the block 'mesh' is missing, expected a block of keys"},
    {"probes:", "bodies:\nprobes:", ":18:1: the block 'bodies' is empty, expected at least one <name>"},
    {"    friction: 0.3", "    body: steel\n    friction: 0.3",
     ":8:11: contacts.bottom.body is given, expected only with bodies"},
    {"    friction: 0.3", "    points: [[0, 0]]\n    friction: 0.3",
     ":8:5: contacts.bottom.points is given, expected only with bodies"},
    {"    friction: 0.3", "    tangential_restitution: 0.5\n    friction: 0.3",
     ":8:29: contacts.bottom.tangential_restitution is 0.5, expected 0 with law: fremond (the default); it "
     "belongs"},
    {"normal: [0, 1]", "normal: [0, 0]",
     ":7:28: contacts.bottom.plane.normal is [0, 0], expected a direction"},
    {"normal: [0, 1]", "normal: [0, inf]",
     ":7:40: contacts.bottom.plane.normal[1] is inf, expected a finite number"},
    {"normal: [0, 1]", "normal: [0, 1, 0]",
     ":7:28: contacts.bottom.plane.normal has 3 values, expected two numbers"},
    {"normal: [0, 1]", "normal: up",
     ":7:36: contacts.bottom.plane.normal is 'up', expected two numbers or constant expressions [x, y]"},
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
     ":18:17: output.every is 99999999999, expected a whole number of at most 2147483647"},
    {"probes:", "output: {contacts: maybe}\nprobes:",
     ":18:20: output.contacts is 'maybe', expected true or false"},
    {"probes:", "contact: {max_iterations: 0}\nprobes:",
     ":18:27: contact.max_iterations is 0, expected a whole number >= 1"},
    {"probes:", "contact: {solver: fast}\nprobes:",
     ":18:19: contact.solver is 'fast', expected auto, gauss-seidel, "
     "active-set"},
    {"probes:", "contact: {tolerance: 0}\nprobes:",
     ":18:22: contact.tolerance is 0, expected a number in (0, 1)"},
    {"probes:", "initial: {state: moving}\nprobes:",
     ":18:18: initial.state is 'moving', expected rest, velocity, "
     "equilibrium, end_of or continued"},
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
    {"probes:", "---\nprobes:", ":18:1: several YAML documents, expected one"},
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
static const char *const bad_files[] = {"key",  "duplicate", "tab",  "brace", "empty",
                                        "list", "alias",     "bomb", "mixed", "body"};

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

/* ---- rigid bodies -------------------------------------------------------------------------------------- */

static const char good_bodies[] =
    "bodies:\n"                                           /* 1 */
    "  stick:\n"                                          /* 2 */
    "    mass: 3\n"                                       /* 3 */
    "    inertia: 1/12\n"                                 /* 4 */
    "    position: [1, 0.5*sin(pi/6)]\n"                  /* 5 */
    "    angle: -pi/4\n"                                  /* 6 */
    "    velocity: [2, -3]\n"                             /* 7 */
    "    spin: 7\n"                                       /* 8 */
    "    force: [sin(t), 0]\n"                            /* 9 */
    "    moment: 2*t\n"                                   /* 10 */
    "  tile:\n"                                           /* 11 */
    "    density: 2\n"                                    /* 12 */
    "    position: [5, 5]\n"                              /* 13 */
    "    polygon: [[0, 0], [0, 3], [1, 3], [1, 0]]\n"     /* 14: clockwise */
    "  coin: {density: 2, position: [9, 9], disc: 0.5}\n" /* 15 */
    "contacts:\n"                                         /* 16 */
    "  tip:\n"                                            /* 17 */
    "    body: stick\n"                                   /* 18 */
    "    points: [[0, -1/2], [0, 1/2]]\n"                 /* 19 */
    "    plane: {point: [0, 0], normal: [0, 1]}\n"        /* 20 */
    "    friction: 0.25\n"                                /* 21 */
    "    restitution: 1\n"                                /* 22 */
    "    tangential_restitution: -1/2\n"                  /* 23 */
    "  corners: {body: tile, plane: {point: [0, 0], normal: [1, 0]}, friction: 0}\n"
    "  rim: {body: coin, plane: {point: [0, 0], normal: [1, 0]}, friction: 5/3}\n"
    "  one: {body: tile, points: [[0, 0]], plane: {point: [0, 0], normal: [0, 1]}, "
    "friction: 0}\n"                             /* 26 */
    "model: {thickness: 4, gravity: [0, -10]}\n" /* 27 */
    "time: {end: 1, step: 0.01, law: newton}\n"; /* 28 */

static prc_case *read_bodies(const char *find, const char *put) {
  prc_error err = {0};
  prc_case *c = NULL;
  support_ok(prc_case_read(write_text(good_bodies, find, put), 0, NULL, &c, &err), &err);
  return c;
}

START_TEST(what_a_body_says_arrives) {
  prc_case *c = read_bodies("", "");
  ck_assert(c->n_bodies == 3 && c->n_materials == 0 && !c->mesh.file && c->output.contacts);
  const prc_case_body *stick = &c->body[0];
  ck_assert_str_eq(stick->name, "stick");
  ck_assert(stick->mass == 3.0 && stick->inertia == 1.0 / 12.0 && stick->density == 0.0);
  ck_assert(stick->position[0] == 1.0 && stick->velocity[0] == 2.0 && stick->velocity[1] == -3.0);
  ck_assert_double_eq_tol(stick->position[1], 0.25, 1e-15);
  ck_assert_double_eq_tol(stick->angle, -0.25 * 3.14159265358979323846, 1e-15);
  ck_assert(stick->spin == 7.0 && stick->n_points == 0 && stick->radius == 0.0);
  ck_assert(at(&stick->force[0], 0, 0, 1.5) == sin(1.5) && at(&stick->moment, 0, 0, 1.5) == 3.0);
  ck_assert(stick->place.line == 2 && stick->place.column == 3);
  const prc_case_contact *tip = &c->contact_group[0];
  ck_assert_str_eq(tip->body, "stick");
  ck_assert_ptr_null(tip->group);
  ck_assert(tip->n_candidates == 2 && tip->candidate[1] == -0.5 && tip->candidate[3] == 0.5);
  ck_assert(tip->friction.parameter[0].constant == 0.25 && tip->restitution.constant == 1.0
            && tip->tangential_restitution == -0.5);
  prc_case_free(&c);
}
END_TEST

START_TEST(bodies_write_contacts_unless_told_not_to) {
  prc_case *c = read_bodies("model:", "output: {contacts: false}\nmodel:");
  ck_assert_int_eq(c->output.contacts, 0);
  prc_case_free(&c);
}
END_TEST

START_TEST(density_gives_mass_and_inertia) { /* b x l: m (b^2 + l^2) / 12; a disc: m R^2 / 2 */
  prc_case *c = read_bodies("", "");
  const prc_case_body *tile = &c->body[1], *coin = &c->body[2];
  ck_assert_double_eq_tol(tile->mass, 2.0 * 4.0 * 3.0, 1e-13);
  ck_assert_double_eq_tol(tile->inertia, 24.0 * (1.0 + 9.0) / 12.0, 1e-13);
  ck_assert_double_eq_tol(coin->mass, 2.0 * 4.0 * 3.14159265358979323846 / 4.0, 1e-14);
  ck_assert_double_eq_tol(coin->inertia, 0.125 * coin->mass, 1e-15);
  prc_case_free(&c);
  c = read_bodies("[[0, 0], [0, 3], [1, 3], [1, 0]]",
                  "[[2, 2], [5, 2], [2, 5]]"); /* J = m (a^2 + b^2) / 18 */
  ck_assert_double_eq_tol(c->body[1].mass, 2.0 * 4.0 * 4.5, 1e-13);
  ck_assert_double_eq_tol(c->body[1].inertia, 36.0 * (9.0 + 9.0) / 18.0, 1e-12);
  ck_assert_double_eq_tol(c->body[1].point[0], -1.0, 1e-14); /* the centroid is (3, 3) */
  ck_assert_double_eq_tol(c->body[1].point[5], 2.0, 1e-14);
  prc_case_free(&c);
}
END_TEST

START_TEST(corners_go_anticlockwise_around_the_centre) {
  static const double corner[] = {0.5, -1.5, 0.5, 1.5, -0.5, 1.5, -0.5, -1.5};
  prc_case *c = read_bodies("", "");
  for (int i = 0; i < 8; i++) ck_assert_double_eq_tol(c->body[1].point[i], corner[i], 1e-15);
  ck_assert_double_eq_tol(c->contact_group[3].candidate[0], -0.5, 1e-15); /* moved with the corners */
  ck_assert_double_eq_tol(c->contact_group[3].candidate[1], -1.5, 1e-15);
  prc_case_free(&c);
  c = read_bodies("density: 2", "mass: 1\n    inertia: 1"); /* the axes are those of the centre of mass */
  ck_assert(c->body[1].point[0] == 1.0 && c->body[1].point[1] == 0.0
            && c->contact_group[3].candidate[0] == 0.0);
  prc_case_free(&c);
}
END_TEST

static const struct {
  const char *find, *put, *message;
} wrong_bodies[] = {
    {"mass: 3", "mass: 0", ":3:11: bodies.stick.mass is 0, expected a number or a constant expression > 0"},
    {"mass: 3", "mass: 1-2",
     ":3:11: bodies.stick.mass is 1-2, expected a number or a constant expression > 0"},
    {"mass: 3", "mass: t", ":3:11: bodies.stick.mass: unknown name 't', expected no variable here"},
    {"mass: 3", "mass: 1/0", ":3:11: bodies.stick.mass: 1/0 is inf, expected a finite number"},
    {"mass: 3", "mass:", ":3:5: bodies.stick.mass is empty, expected a number"},
    {"mass: 3", "mass: \"1 +\"", ":3:15: bodies.stick.mass: Unexpected end of expression"},
    {"1/12", "-1/12", ":4:14: bodies.stick.inertia is -1/12, expected a number or a constant expression > 0"},
    {"    mass: 3\n", "",
     ":2:3: the key 'bodies.stick.mass' is missing, expected mass and inertia, or density"},
    {"    inertia: 1/12\n", "", ":2:3: the key 'bodies.stick.inertia' is missing, expected mass and inertia"},
    {"    mass: 3\n    inertia: 1/12\n", "    density: 2\n",
     ":3:14: bodies.stick.density is given, expected with it a polygon or a disc"},
    {"density: 2", "density: 2\n    mass: 1",
     ":12:14: bodies.tile.density is given beside mass, expected either mass and inertia, or density"},
    {"density: 2", "density: 1e308",
     ":12:14: bodies.tile.density is 1e308, expected 0 or a size from 1e-50 to 1e+50"},
    {"disc: 0.5", "disc: 0.5, polygon: [[0, 0], [1, 0], [0, 1]]",
     ":15:46: bodies.coin.disc is given beside a polygon, expected one of them"},
    {"disc: 0.5", "disc: 0", ":15:46: bodies.coin.disc is 0, expected a number or a constant expression > 0"},
    {"[1, 3], [1, 0]", "[1, 0], [1, 3]", ":14:5: bodies.tile.polygon: the polygon crosses itself: the edge"},
    {"[[0, 0], [0, 3], [1, 3], [1, 0]]", "[[0, 0], [0, 3]]",
     ":14:5: bodies.tile.polygon: the polygon has 2 corners, expected at least 3"},
    {"[[0, 0], [0, 3], [1, 3], [1, 0]]", "[0, 0, 0, 3]",
     ":14:15: bodies.tile.polygon[0] is '0', expected two numbers or constant expressions [x, y]"},
    {"[[0, 0], [0, 3], [1, 3], [1, 0]]", "square",
     ":14:14: bodies.tile.polygon is 'square', expected a list of points [x, y]"},
    {"[[0, 0], [0, 3]", "[[0, 0, 0], [0, 3]",
     ":14:16: bodies.tile.polygon[0] has 3 values, expected two numbers"},
    {"[[0, 0], [0, 3]", "[[0, 0], [0, x]", ":14:27: bodies.tile.polygon[1][1]: unknown name 'x'"},
    {"    position: [5, 5]\n", "", ":11:3: the key 'bodies.tile.position' is missing, expected two numbers"},
    {"angle: -pi/4", "angel: -pi/4", ":6:5: unknown key 'angel', did you mean 'angle'?"},
    {"  tile:", "  stick:",
     ":11:3: the key 'stick' is there twice, expected it once: the first is in line 2"},
    {"  tile:", "  'a,b':", ":11:3: the name 'a,b' has the character ',', expected a plain name"},
    {"moment: 2*t", "moment: 2*x",
     ":10:15: bodies.stick.moment: unknown name 'x', expected of variables only t"},
    {"body: stick", "body: stik",
     ":18:11: contacts.tip.body is 'stik', expected a body of the case: stick, tile, coin; did you mean "
     "'stick'?"},
    {"    body: stick\n", "", ":17:3: the key 'contacts.tip.body' is missing, expected a text"},
    {"    points: [[0, -1/2], [0, 1/2]]\n", "",
     ":17:3: contacts.tip has no points and bodies.stick has neither a polygon nor a disc"},
    {"[[0, -1/2], [0, 1/2]]", "[]", ":19:5: contacts.tip.points is a list, expected a list of points [x, y]"},
    {"[0, 1/2]", "[0, 1/2 m]", ":19:33: contacts.tip.points[1][1]: "},
    {"[0, 1/2]", "[0, -0.5]", ":19:5: contacts.tip.points has the point (0, -0.5) twice"},
    {"    body: stick\n", "    body: stick\n    group: tip\n",
     ":19:12: contacts.tip.group is given, expected only with a mesh"},
    {"friction: 0.25", "friction: 0.1*x",
     ":21:15: contacts.tip.friction depends on place, expected a constant"},
    {"restitution: 1\n", "restitution: 0.5*x\n", ":22:18: contacts.tip.restitution depends on place"},
    {"tangential_restitution: -1/2", "tangential_restitution: 2",
     ":23:29: contacts.tip.tangential_restitution is 2, expected a number or a constant expression in [-1, "
     "1]"},
    {"law: newton", "law: fremond",
     ":23:29: contacts.tip.tangential_restitution is -0.5, expected 0 with law: fremond"},
    {", law: newton", "",
     ":23:29: contacts.tip.tangential_restitution is -0.5, expected 0 with law: fremond"},
    {"law: newton", "law: newton, theta: 0.6",
     ":28:48: time.theta is 0.6, expected in [0.5, 0.5]: at most 1 / (1 + e) for the largest restitution e = "
     "1"},
    {"thickness: 4", "plane: stress", ":27:16: model.plane is given, expected only with a mesh"},
    {"thickness: 4", "damping: {mass: 1}", ":27:9: model.damping is given, expected only with a mesh"},
    {"model:", "mesh: {file: block.geo}\nmodel:",
     ":28:1: the key 'model.plane' is missing, expected stress, strain or axisymmetric"},
    {"model:", "supports: {}\nmodel:",
     ":27:1: 'supports' is given beside 'bodies' without a mesh, expected it only with one"},
    {"model:", "probes:\nmodel:",
     ":27:1: 'probes' is given beside 'bodies' without a mesh, expected it only with one"},
    {"model:", "initial: {state: velocity, velocity: [1, 0]}\nmodel:",
     ":27:18: initial.state is not for bodies, expected rest, end_of or continued"},
    {"model:", "initial: {state: equilibrium}\nmodel:", ":27:18: initial.state is not for bodies"},
};

START_TEST(what_is_wrong_with_a_body_is_refused_at_its_place) {
  prc_error err = {0};
  prc_case *c = NULL;
  const char *path = write_text(good_bodies, wrong_bodies[_i].find, wrong_bodies[_i].put);
  ck_assert_int_eq(prc_case_read(path, 0, NULL, &c, &err), PRC_INPUT);
  ck_assert_ptr_null(c);
  expect_message(path, &err, wrong_bodies[_i].message);
}
END_TEST

START_TEST(a_case_has_a_mesh_or_bodies_or_both) {
  static const struct {
    const char *text, *message;
  } none[] = {
      {"time: {end: 1, step: 1}\n",
       ":1:1: there is neither a 'mesh' nor 'bodies' nor 'beams', expected one of"},
      {"bodies: {}\ntime: {end: 1, step: 1}\n", ":1:1: the block 'bodies' is empty, expected at least one"},
      {"bodies:\ntime: {end: 1, step: 1}\n", ":1:1: the block 'bodies' is empty, expected at least one"}};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    prc_error err = {0};
    prc_case *c = NULL;
    const char *path = write_text(none[i].text, "", "");
    ck_assert_int_eq(prc_case_read(path, 0, NULL, &c, &err), PRC_INPUT);
    expect_message(path, &err, none[i].message);
  }
  prc_error err = {0};
  prc_case *c = NULL;
  const char *set = "mesh.file=block.geo", *path = write_text(good_bodies, "", "");
  ck_assert_int_eq(prc_case_read(path, 1, &set, &c, &err), PRC_INPUT);
  expect_message(path, &err,
                 ":27:1: the key 'model.plane' is missing, expected stress, strain or axisymmetric");
}
END_TEST

START_TEST(bodies_may_go_on_from_another_run) {
  prc_case *c = read_bodies("model:", "initial: {state: end_of, run: old}\nmodel:");
  ck_assert_int_eq(c->initial.kind, PRC_INITIAL_END_OF);
  prc_case_free(&c);
  c = read_bodies("model: {thickness: 4, gravity: [0, -10]}\n", ""); /* a model is not needed */
  ck_assert(c->model.thickness == 1.0 && c->model.gravity[1].constant == 0.0);
  prc_case_free(&c);
}
END_TEST

/* ---- the model it describes ---------------------------------------------------------------------------- */

static const char block_case[] = "mesh: {file: %s, size: 6}\n"                            /* 1 */
                                 "model: {plane: strain}\n"                               /* 2 */
                                 "materials:\n"                                           /* 3 */
                                 "  block: {young: 2e5, poisson: 0.3, density: 7.8e-3}\n" /* 4 */
                                 "contacts:\n"                                            /* 5 */
                                 "  bottom:\n"                                            /* 6 */
                                 "    plane: {point: [0, 0], normal: [0, 1]}\n"           /* 7 */
                                 "    friction: 0.3\n"                                    /* 8 */
                                 "    restitution: 0.5*x/40\n"                            /* 9 */
                                 "  side:\n"                                              /* 10 */
                                 "    group: left\n"                                      /* 11 */
                                 "    plane: {point: [0, 0], normal: [1, 0]}\n"           /* 12 */
                                 "    friction: 0\n"                                      /* 13 */
                                 "supports:\n"                                            /* 14 */
                                 "  top: {y: 0}\n"                                        /* 15 */
                                 "loads:\n"                                               /* 16 */
                                 "  right: {traction: [1, 0]}\n"                          /* 17 */
                                 "time: {end: 1, step: 0.01, theta: 0.5}\n"               /* 18 */
                                 "probes:\n"                                              /* 19 */
                                 "  centre: {point: [20, 10]}\n";                         /* 20 */

static const char *write_block(const char *find, const char *put) {
  static char text[8192];
  snprintf(text, sizeof text, block_case, support_source("meshes/block.geo"));
  return write_text(text, find, put);
}

START_TEST(a_mesh_becomes_a_model) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  support_ok(prc_case_read(write_block("", ""), 0, NULL, &c, &err), &err);
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  ck_assert(model->mesh && model->fem && !model->rigid && model->system == prc_scene_system(model->scene));
  ck_assert_double_eq_tol(prc_fem_get_facts(model->fem).mass, 40 * 25 * 7.8e-3, 1e-11);
  const prc_mesh_group *bottom = prc_mesh_find(model->mesh, 1, "bottom");
  prc_contact_set set = {0};
  double *q = NULL;
  support_ok(prc_new(&q, model->system->space.nv, &err), &err);
  found_contacts(model->system, q, &set);
  for (int i = 0; i < set.n; i++)
    ck_assert_int_eq(prc_model_contact_of(model, &set, i), i >= bottom->n_nodes);
  for (int i = 0; i < bottom->n_nodes; i++)
    ck_assert_double_eq_tol(set.law[i]->e, model->mesh->x[2 * bottom->node[i]] / 80.0, 1e-15);
  prc_contact_set_free(&set);
  prc_delete(&q);
  prc_model_free(&model);
  ck_assert_ptr_null(model);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

static const struct {
  const char *find, *put, *message;
} wrong_models[] = {
    {"  block:", "  blok:",
     ":4:3: the mesh has no physical surface 'blok', expected one of block; did you mean 'block'?"},
    {"  block:", "  bottom:",
     ":4:3: the mesh has no physical surface 'bottom', expected one of block; 'bottom' is a physical curve"},
    {"    group: left", "    group: lft",
     ":11:12: the mesh has no physical curve 'lft', expected one of bottom, right, top, left; did you mean "
     "'left'?"},
    {"  top: {y", "  ceiling: {y",
     ":15:3: the mesh has no physical curve 'ceiling', expected one of bottom, right"},
    {"  right: {tr", "  block: {tr",
     ":17:3: the mesh has no physical curve 'block', expected one of bottom, right"},
    {"[20, 10]", "[50, 10]",
     ":20:12: probes.centre.point is (50, 10), expected a point of the mesh, which lies in [0, 40] x [0, "
     "25]"},
    {"friction: 0.3", "friction: 0.3 - x/100", ":8:15: contact 'bottom'"},
    {"0.5*x/40", "2*x/40", ":9:18: contact 'bottom'"},
    {"theta: 0.5", "theta: 0.8",
     ":18:35: time.theta is 0.8, expected in [0.5, 0.666666666667]: at most 1 / (1 + e) for the largest "
     "restitution e = 0.5"},
    {"restitution: 0.5*x/40", "restitution: 1/(x - 40)/0", ":9:18: contacts.bottom.restitution: "},
};

START_TEST(what_the_mesh_contradicts_is_refused_at_its_place) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  const char *path = write_block(wrong_models[_i].find, wrong_models[_i].put);
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  ck_assert_int_eq(prc_case_build(c, NULL, &model, &err), PRC_INPUT);
  ck_assert_ptr_null(model);
  expect_message(path, &err, wrong_models[_i].message);
  prc_case_free(&c);
}
END_TEST

START_TEST(a_mesh_that_is_not_there_is_the_cases_fault) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  const char *path = write_case("block.geo", "no-such.geo");
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  ck_assert_int_eq(prc_case_build(c, NULL, &model, &err), PRC_INPUT);
  expect_message(path, &err, ":1:14: ");
  ck_assert_ptr_nonnull(strstr(err.message, "no-such.geo: cannot be opened: No such file or directory"));
  prc_case_free(&c);
}
END_TEST

START_TEST(bodies_become_a_model) {
  prc_error err = {0};
  prc_case *c = read_bodies("", "");
  prc_model *model = NULL;
  double q[9], v[9];
  prc_contact_set set = {0};
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  ck_assert(!model->mesh && !model->fem && model->rigid && model->system == prc_scene_system(model->scene));
  const prc_system *s = model->system;
  const int first[] = {0, 2, 6, 7, 8}; /* two points, four corners, a disc, one point */
  prc_rigid_initial(model->rigid, q, v);
  found_contacts(s, q, &set);
  for (int k = 0; k < 4; k++)
    for (int i = first[k]; i < first[k + 1]; i++) ck_assert_int_eq(prc_model_contact_of(model, &set, i), k);
  ck_assert(s->space.nv == 9 && set.n == 8);
  ck_assert(prc_law_friction_at(set.law[0], NULL, 0.0) == 0.25);
  ck_assert(prc_law_friction_at(set.law[6], NULL, 0.0) == 5.0 / 3.0);
  ck_assert(set.law[1]->e == 1.0 && set.law[2]->e == 0.0);
  ck_assert(set.law[0]->e_t == -0.5 && set.law[2]->e_t == 0.0);
  ck_assert(q[2] == c->body[0].angle && v[2] == 7.0 && q[3] == 5.0 && v[0] == 2.0);
  ck_assert_double_eq_tol(set.gap[0], 0.25 - 0.5 * sqrt(0.5), 1e-15);
  ck_assert_double_eq_tol(set.gap[2], 5.5, 1e-14);
  ck_assert_double_eq_tol(set.gap[6], 8.5, 1e-14);
  ck_assert_double_eq_tol(set.gap[7], 3.5, 1e-14); /* the corner that stood at (0, 0) */
  prc_contact_set_free(&set);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

START_TEST(a_case_of_bodies_needs_no_contact) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  const char *path = write_text("bodies: {a: {mass: 1, inertia: 1, position: [0, 0]}}\n"
                                "time: {end: 1, step: 1}\n",
                                "", "");
  support_ok(prc_case_read(path, 0, NULL, &c, &err), &err);
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  ck_assert(found_count(model->system) == 0 && prc_scene_groups(model->scene) == 0);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

/* The cases of the papers: mass and inertia, where they start, how high above the planes. */
static const struct {
  const char *name;
  double inertia, position[2], angle, gap;
  int n_contacts;
  prc_impact law;
} papers[] = {
    {"impacting-stick",
     1.0 / 12.0,
     {0.35355339059327376, 0.36355339059327376},
     0.78539816339744831,
     0.01,
     1,
     PRC_IMPACT_FREMOND},
    {"rocking-block", 1.0 / 12.0, {0.0, 0.6}, 0.0, 0.1, 2, PRC_IMPACT_FREMOND},
    {"rocking-block-full-inertia", 1.0 / 6.0, {0.0, 0.6}, 0.0, 0.1, 2, PRC_IMPACT_FREMOND},
    {"rotating-ball", 0.004, {0.0, 1.0}, 0.0, 0.9, 1, PRC_IMPACT_NEWTON},
    {"ball-in-corner", 0.004, {-0.5, 1.0}, 0.0, 0.96066017177982130, 2, PRC_IMPACT_NEWTON},
    {"painleve-rod", 1.0 / 3.0, {0.0, 0.51503807491005416}, -0.54105206811824215, 0.0, 1, PRC_IMPACT_NEWTON},
    {"rocking-block-bruls", 3.25 / 12.0, {0.0, 1.0}, 0.2, 0.165615401771, 2, PRC_IMPACT_NEWTON},
};

START_TEST(the_rigid_cases_are_the_papers) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_contact_set set = {0};
  char path[128];
  snprintf(path, sizeof path, "cases/%s.yaml", papers[_i].name);
  support_ok(prc_case_read(support_source(path), 0, NULL, &c, &err), &err);
  ck_assert_str_eq(c->name, papers[_i].name);
  ck_assert(c->output.contacts && c->output.every > 0 && c->time.law == papers[_i].law);
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  const prc_case_body *body = &c->body[0];
  double q[3], v[3];
  ck_assert_int_eq(c->n_bodies, 1);
  ck_assert_double_eq_tol(body->mass, 1.0, 1e-15);
  ck_assert_double_eq_tol(body->inertia, papers[_i].inertia, 1e-15);
  ck_assert_double_eq_tol(body->position[0], papers[_i].position[0], 1e-15);
  ck_assert_double_eq_tol(body->position[1], papers[_i].position[1], 1e-15);
  ck_assert_double_eq_tol(body->angle, papers[_i].angle, 1e-15);
  prc_rigid_initial(model->rigid, q, v);
  found_contacts(model->system, q, &set);
  ck_assert_int_eq(set.n, papers[_i].n_contacts);
  ck_assert_double_eq_tol(set.gap[0], papers[_i].gap, 1e-8);
  prc_contact_set_free(&set);
  prc_model_free(&model);
  prc_case_free(&c);
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
  ck_assert(c->time.law == PRC_IMPACT_NEWTON && c->time.theta == 0.5
            && c->initial.kind == PRC_INITIAL_EQUILIBRIUM);
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
    {"time.step=soon", ": --set time.step: position 1: unknown function or name 'soon', expected a number"},
    {"time.step=[1", ": --set time.step: "},
    {"time.step.x=1", ": --set time.step.x: 'x' is below a value, expected a key of a block"},
    {"loads.left.traction.x=1",
     ": --set loads.left.traction.x: 'x' is below a list (set the list as a whole)"},
    {"time.step", ": --set 'time.step': expected KEY=VALUE"},
    {"=1", ": --set '=1': expected KEY=VALUE"},
    {".time=1", ": --set '.time=1': a part of the key is empty"},
    {"time..step=1", ": --set 'time..step=1': a part of the key is empty"},
    {"time.step=", ": --set time.step: no value, expected KEY=VALUE"},
    {"time={end: 1}",
     ": --set time: the key 'time.step' is missing, expected a number or a constant expression > 0"},
    {"time={end: 1, end: 2, step: 1}", ": --set time: the key 'end' is there twice, expected it once"},
    {"loads.left.traction=[1, 2*z]",
     ": --set loads.left.traction: loads.left.traction[1]: position 3: unknown function or name 'z'"},
    {"supports.top.y=sinn(t)", ": --set supports.top.y: position 1: unknown function or name 'sinn'"},
    {"contacts.botom.friction=1",
     ": --set contacts.botom.friction: the block 'contacts.botom.plane' is missing, expected "
     "it, or between: [what is touched, what touches]; 'botom' is not in the file, did you mean 'bottom'?"},
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
  ck_assert_double_eq(c->material[0].values.young, 7.0);
  ck_assert_double_eq(c->material[1].values.young, 2e5);
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
    {"2*foo", "t",
     "position 3: unknown function or name 'foo', expected the variable t or a function such as sin"},
    {"sinn(t)", "txy",
     "position 1: unknown function or name 'sinn', expected the variables t, x, y or a function such as sin; "
     "did "
     "you mean 'sin'?"},
    {"2 + lgo(2)", "",
     "position 5: unknown function or name 'lgo', expected a number or a function such as sin; did"},
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
                                     "time.scheme",
                                     "time.end",
                                     "time.step",
                                     "time.theta",
                                     "time.law",
                                     "output.every",
                                     "output.checkpoint",
                                     "contacts.<name>.friction",
                                     "contacts.<name>.restitution",
                                     "materials.<group>.law",
                                     "materials.<group>.young",
                                     "materials.<group>.poisson",
                                     "materials.<group>.density",
                                     "contact.max_penetration",
                                     "bodies.<name>.inertia",
                                     "bodies.<name>.polygon",
                                     "contacts.<name>.points",
                                     "contacts.<name>.tangential_restitution"};
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

START_TEST(the_terminal_gets_no_long_lines) {
  prc_error err = {0};
  char *text = NULL;
  support_ok(prc_case_reference(0, &text, &err), &err);
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    ck_assert_msg(strcspn(line, "\n") <= 100, "'%.*s' is too long", (int)strcspn(line, "\n"), line);
  free(text);
}
END_TEST

/* The page says which keys a run may change when it goes on: those, and no key that is unknown. */
START_TEST(the_reference_has_every_key_that_may_change) {
  prc_error err = {0};
  char *text = NULL, quoted[200];
  support_ok(prc_case_reference(1, &text, &err), &err);
  const char *section = strstr(text, "What a run may change when it goes on");
  ck_assert_ptr_nonnull(section);
  for (int i = 0; prc_case_free_key(i); i++) {
    const char *key = prc_case_free_key(i), *any = strstr(key, ".*.");
    snprintf(quoted, sizeof quoted, "`%.*s%s%s`", any ? (int)(any - key) : (int)strlen(key), key,
             any ? ".<name>." : "", any ? any + 3 : "");
    ck_assert_msg(strstr(section, quoted) != NULL, "%s is missing", quoted);
  }
  free(text);
  ck_assert(prc_case_may_change("output.every") && prc_case_may_change("time.end"));
  ck_assert(prc_case_may_change("bodies.grain.from") && !prc_case_may_change("bodies.grain.disc"));
  ck_assert(!prc_case_may_change("time.ending") && !prc_case_may_change("time") && !prc_case_may_change(""));
}
END_TEST

/* What it should be stands in the build folder while it is not: case.md, to be copied to doc/. */
START_TEST(the_committed_page_is_the_reference) {
  prc_error err = {0};
  char *text = NULL;
  support_ok(prc_case_reference(1, &text, &err), &err);
  const size_t size = strlen(text);
  char *page = calloc(size + 2, 1);
  FILE *file = fopen(support_source("doc/case.md"), "r"), *wanted = fopen(support_build("case.md"), "w");
  ck_assert_ptr_nonnull(page);
  ck_assert_ptr_nonnull(file);
  ck_assert_ptr_nonnull(wanted);
  ck_assert_int_ge(fputs(text, wanted), 0);
  ck_assert_int_eq(fclose(wanted), 0);
  const size_t got = fread(page, 1, size + 1, file);
  ck_assert_msg(got == size && strcmp(page, text) == 0,
                "doc/case.md is not the reference, which is now in %s", support_build("case.md"));
  ck_assert_int_eq(remove(support_build("case.md")), 0);
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
  tcase_add_test(t, the_starter_of_bodies_is_a_case);
  tcase_add_test(t, what_is_optional_is_read);
  tcase_add_test(t, dashpots_absorb_where_they_say_nothing_else);
  tcase_add_test(t, a_case_needs_no_contact);
  tcase_add_test(t, plain_names_are_taken);
  tcase_add_loop_test(t, what_is_wrong_is_refused_at_its_place, 0, COUNT(wrong));
  tcase_add_test(t, theta_respects_restitution);
  tcase_add_loop_test(t, what_cannot_be_read_is_refused, 0, COUNT(unreadable));
  tcase_add_loop_test(t, bad_files_give_the_message_they_begin_with, 0, COUNT(bad_files));
  return t;
}

static TCase *bodies(void) {
  TCase *t = tcase_create("bodies");
  tcase_add_test(t, what_a_body_says_arrives);
  tcase_add_test(t, bodies_write_contacts_unless_told_not_to);
  tcase_add_test(t, density_gives_mass_and_inertia);
  tcase_add_test(t, corners_go_anticlockwise_around_the_centre);
  tcase_add_loop_test(t, what_is_wrong_with_a_body_is_refused_at_its_place, 0, COUNT(wrong_bodies));
  tcase_add_test(t, a_case_has_a_mesh_or_bodies_or_both);
  tcase_add_test(t, bodies_may_go_on_from_another_run);
  return t;
}

static TCase *models(void) {
  TCase *t = tcase_create("models");
  tcase_add_test(t, a_mesh_becomes_a_model);
  tcase_add_loop_test(t, what_the_mesh_contradicts_is_refused_at_its_place, 0, COUNT(wrong_models));
  tcase_add_test(t, a_mesh_that_is_not_there_is_the_cases_fault);
  tcase_add_test(t, bodies_become_a_model);
  tcase_add_test(t, a_case_of_bodies_needs_no_contact);
  tcase_add_loop_test(t, the_rigid_cases_are_the_papers, 0, COUNT(papers));
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
  tcase_add_test(t, the_terminal_gets_no_long_lines);
  tcase_add_test(t, the_reference_has_every_key_that_may_change);
  tcase_add_test(t, the_committed_page_is_the_reference);
  return t;
}

static void remove_file(void) {
  remove(support_build("check_case.yaml"));
}

SUITE(case) {
  Suite *suite = suite_create("case");
  suite_add_tcase(suite, reading());
  suite_add_tcase(suite, bodies());
  suite_add_tcase(suite, models());
  suite_add_tcase(suite, settings());
  TCase *last = formulas_case();
  tcase_add_unchecked_fixture(last, NULL, remove_file);
  suite_add_tcase(suite, last);
  return suite;
}

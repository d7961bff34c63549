/* Laws of friction, two bodies that deform, faults, meshes of several files and sides that absorb: what a case says of them, and the model that is built of it. */
#include "config.h"
#include "case/case.h"

#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

/* Meshes are those of tests/input, by their full paths: %s stands for the folder. */
static prc_case *read_case(const char *text) {
  prc_case *c = NULL;
  FILE *file = fopen(support_build("interfaces.yaml"), "wb");
  ck_assert_ptr_nonnull(file);
  for (const char *s = text; *s; s++)
    if (s[0] == '%' && s[1] == 's')
      fprintf(file, "%s", support_source("tests/input")), s++;
    else
      fputc(*s, file);
  ck_assert_int_eq(fclose(file), 0);
  prc_error_clear(&err);
  support_ok(prc_case_read(support_build("interfaces.yaml"), 0, NULL, &c, &err), &err);
  return c;
}

static prc_model *build(const prc_case *c) {
  prc_model *model = NULL;
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  return model;
}

static double at(const prc_field *field, double x, double y, double t) {
  double value;
  support_ok(prc_field_eval(field, x, y, t, &value, &err), &err);
  return value;
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

#define FAULT                                                                                                \
  "mesh: %s/fault.msh\nmodel: {plane: strain}\nmaterials: {rock: {young: 1, poisson: 0.3, density: 1}}\n"    \
  "time: {end: 1, step: 0.1}\n"

/* Whatever rows there are: numbers arrive at the place of their name, words as their place among the choices. */
START_TEST(every_law_takes_its_parameters_by_name) {
  const prc_friction *law = prc_frictions()[_i];
  char text[2048] = FAULT "contacts:\n  slip:\n    split: fault\n    friction:\n      law: ";
  prc_append(text, sizeof text, "%s\n", law->name);
  for (int k = law->n_parameters - 1; k >= 0; k--) { /* in any order */
    const char *words = law->words ? law->words[k] : NULL;
    prc_append(text, sizeof text, "      %s: ", law->parameter[k]);
    if (words)
      prc_append(text, sizeof text, "%s\n", strchr(words, '|') + 1);
    else
      prc_append(text, sizeof text, "%g\n", 0.01 * (k + 1));
  }
  prc_case *c = read_case(text);
  prc_model *model = build(c);
  const prc_fem_interface *interface = prc_fem_get_model(model->fem)->interface;
  const prc_law_fields *friction = &interface->friction;
  ck_assert_ptr_eq(friction->law, law);
  for (int k = 0; k < law->n_parameters; k++)
    ck_assert_double_eq_tol(at(&friction->parameter[k], 3.0, 2.0, 1.0),
                            law->words && law->words[k] ? 1.0 : 0.01 * (k + 1), 1e-15);
  prc_model_free(&model), prc_case_free(&c);
}
END_TEST

START_TEST(what_a_law_has_by_itself_need_not_be_said) {
  const prc_friction *law = prc_frictions()[_i];
  char text[2048] = FAULT "contacts:\n  slip:\n    split: fault\n    friction: {law: ";
  prc_append(text, sizeof text, "%s", law->name);
  for (int k = 0; k < law->n_parameters; k++)
    if (!law->otherwise || isnan(law->otherwise[k]))
      prc_append(text, sizeof text, ", %s: %g", law->parameter[k], 0.01 * (k + 1));
  prc_append(text, sizeof text, "}\n");
  prc_case *c = read_case(text);
  for (int k = 0; k < law->n_parameters && law->otherwise; k++)
    if (!isnan(law->otherwise[k]))
      ck_assert_double_eq(at(&c->contact_group[0].friction.parameter[k], 0.0, 0.0, 0.0), law->otherwise[k]);
  prc_case_free(&c);
}
END_TEST

START_TEST(a_number_or_a_formula_is_coulombs) {
  static const char *const said[] = {"0.25", "0.05*5", "0.25 + 0*t", "{law: coulomb, mu: 0.25}",
                                     "{law: coulomb, mu: \"if(x > -9, 0.25, 1)\"}"};
  char text[1024] = FAULT "contacts: {slip: {split: fault, friction: ";
  prc_append(text, sizeof text, "%s}}\n", said[_i]);
  prc_case *c = read_case(text);
  ck_assert_ptr_eq(c->contact_group[0].friction.law, prc_friction_find("coulomb"));
  ck_assert_double_eq_tol(at(&c->contact_group[0].friction.parameter[0], 1.0, 0.0, 0.5), 0.25, 1e-15);
  prc_case_free(&c);
}
END_TEST

/* Numbers of the place at the start are kept; formulas of time are asked again. */
START_TEST(laws_at_a_place_know_what_changes_with_time) {
  prc_case *c = read_case(FAULT "contacts:\n  slip:\n    split: fault\n"
                                "    friction: {law: two-values, static: 0.5 + 0.1*x, kinetic: 0.3 + x*t}\n"
                                "    restitution: 0.1*y\n    tangential_restitution: 0\n");
  const prc_case_contact *contact = &c->contact_group[0];
  const double x[2] = {2.0, 3.0};
  prc_law law;
  prc_law_formulas formulas;
  support_ok(prc_law_at(&contact->friction, &contact->restitution, 0.0, x, &law, &formulas, &err), &err);
  ck_assert_str_eq(law.friction->name, "two-values");
  ck_assert(fabs(law.parameter[0] - 0.7) < 1e-15 && fabs(law.parameter[1] - 0.3) < 1e-15);
  ck_assert(fabs(law.e - 0.3) < 1e-15 && law.e_t == 0.0);
  ck_assert_ptr_eq(law.formulas, &formulas);
  ck_assert_ptr_null(formulas.parameter[0]);
  ck_assert_ptr_eq(formulas.parameter[1], &contact->friction.parameter[1]);
  ck_assert(formulas.place[0] == 2.0 && formulas.place[1] == 3.0);
  prc_case_free(&c);
}
END_TEST

/* A run that goes on compares formulas of time by their text. */
START_TEST(formulas_of_time_are_of_the_case) {
  prc_case *one = read_case(FAULT "contacts: {slip: {split: fault, friction: 0.3 + 0.1*t}}\n");
  prc_case *other = read_case(FAULT "contacts: {slip: {split: fault, friction: 0.3 + 0.2*t}}\n");
  ck_assert(prc_case_formulas(one) != prc_case_formulas(other));
  prc_case_free(&one), prc_case_free(&other);
}
END_TEST

static void is_weakening(const prc_law *law) {
  ck_assert_ptr_nonnull(law);
  ck_assert_str_eq(law->friction->name, "slip-weakening");
  ck_assert(law->parameter[0] == 0.6 && law->parameter[1] == 0.5 && law->parameter[2] == 1e-3);
  ck_assert(law->e == 0.25 && law->e_t == 0.0);
}

#define WEAKENING                                                                                            \
  "friction: {law: slip-weakening, static: 0.6, kinetic: 0.5, distance: 1e-3}, restitution: 0.25"

START_TEST(bodies_rub_by_laws) {
  prc_case *c = read_case("bodies:\n"
                          "  a: {mass: 1, inertia: 1, position: [0, 1], disc: 1}\n"
                          "  b: {mass: 1, inertia: 1, position: [3, 1], disc: 1}\n"
                          "obstacles:\n  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
                          "contacts:\n"
                          "  fixed: {body: a, plane: {point: [0, -1], normal: [0, 1]}, " WEAKENING "}\n"
                          "  pairs: {between: [floor, [a, b]], " WEAKENING "}\n"
                          "  points: {between: [floor, a], points: [[0, -1]], " WEAKENING "}\n"
                          "time: {end: 1, step: 0.1}\n");
  prc_model *model = build(c);
  const prc_rigid_model *rigid = prc_rigid_get_model(model->rigid);
  const prc_contacts *contacts = &model->system->contacts;
  is_weakening(rigid->contact[0].law), is_weakening(rigid->pairs[0].law);
  prc_contact_set set = {0};
  double q[9], v[9]; /* three each: the floor has its own */
  prc_scene_initial(model->scene, q, v);
  support_ok(prc_system_find_contacts(model->system, &(prc_at){0.0, q, v}, 0.0, 10.0, &set, NULL, &err),
             &err);
  ck_assert_int_ge(set.n, 4);
  for (int k = 0; k < set.n; k++) is_weakening(set.law[k]);
  for (int k = 0; k < contacts->n_laws; k++) is_weakening(contacts->law[k]);
  prc_contact_set_free(&set);
  prc_model_free(&model), prc_case_free(&c);
}
END_TEST

START_TEST(bodies_in_space_and_beams_rub_by_laws) {
  prc_case *space = read_case("bodies:\n  a: {density: 1, position: [0, 0, 1], sphere: 1}\n"
                              "obstacles:\n  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
                              "contacts:\n  pairs: {between: [floor, a], " WEAKENING "}\n"
                              "time: {end: 1, step: 0.1}\n");
  prc_model *model = build(space);
  is_weakening(model->system->contacts.law[0]);
  prc_model_free(&model), prc_case_free(&space);
  prc_case *c =
      read_case("beams:\n  rod: {ends: [[0, 0], [1, 0]], elements: 4, EA: 1, EI: 1, density: 1}\n"
                "contacts:\n  tip: {body: rod.end, plane: {point: [0, -1], normal: [0, 1]}, " WEAKENING
                "}\ntime: {end: 1, step: 0.1}\n");
  model = build(c);
  is_weakening(prc_beam_get_model(model->beam[0])->contact[0].law);
  prc_model_free(&model), prc_case_free(&c);
}
END_TEST

/* Of bodies too: nucleation that is switched on. */
START_TEST(laws_of_bodies_may_change_with_time) {
  prc_case *c = read_case("bodies:\n  a: {mass: 1, inertia: 1, position: [0, 1], disc: 1}\n"
                          "contacts:\n  floor:\n    body: a\n    plane: {point: [0, 0], normal: [0, 1]}\n"
                          "    friction: {law: two-values, static: 0.6 + 0.1*t, kinetic: 0.5}\n"
                          "time: {end: 1, step: 0.1}\n");
  prc_model *model = build(c);
  const prc_law *law = prc_rigid_get_model(model->rigid)->contact[0].law;
  ck_assert_ptr_nonnull(law->formulas);
  ck_assert_double_eq_tol(at(law->formulas->parameter[0], 0.0, 0.0, 2.0), 0.8, 1e-15);
  ck_assert_ptr_null(law->formulas->parameter[1]);
  prc_model_free(&model), prc_case_free(&c);
}
END_TEST

/* ---- interfaces ---------------------------------------------------------------------------------------- */

static const char *const two_meshes[] = {"mesh: [%s/bed.msh, %s/good.msh]\n",
                                         "mesh: {file: [%s/bed.msh, %s/good.msh]}\n"};

static prc_case *read_two(const char *mesh, const char *rest) {
  char text[4096] = "";
  prc_append(text, sizeof text, "%s%s%s", mesh,
             "model: {plane: strain}\nmaterials:\n  body: {young: 1, poisson: 0.3, density: 1}\n"
             "  bed: {young: 1, poisson: 0.3, density: 1}\ntime: {end: 1, step: 0.1}\n",
             rest);
  return read_case(text);
}

START_TEST(two_curves_become_an_interface) {
  prc_case *c = read_two(two_meshes[_i],
                         "contacts:\n"
                         "  ceiling: {group: top, plane: {point: [0, 5], normal: [0, -1]}, friction: 0.1}\n"
                         "  joint:\n    between: [roof, floor]\n    friction: 0.5 + 0.1*x\n"
                         "    restitution: 0.2\n    sliding: large\n    gap: from-start\n"
                         "    prestress: {normal: 1 + x, shear: t}\n");
  prc_model *model = build(c);
  const prc_fem_model *fem = prc_fem_get_model(model->fem);
  ck_assert(c->mesh.n_files == 2 && model->mesh->n_nodes == 7 && model->mesh->n_cells == 3);
  ck_assert(fem->n_contacts == 1 && fem->n_interfaces == 1);
  const prc_fem_interface *interface = fem->interface;
  ck_assert_str_eq(interface->name, "joint");
  ck_assert_str_eq(interface->group[0]->name, "roof");
  ck_assert_str_eq(interface->group[1]->name, "floor");
  ck_assert(!interface->small && interface->from_start);
  ck_assert(at(&interface->restitution, 0.0, 0.0, 0.0) == 0.2);
  ck_assert(at(&interface->normal, 2.0, 0.0, 0.0) == 3.0 && at(&interface->shear, 2.0, 0.0, 4.0) == 4.0);
  ck_assert_double_eq_tol(at(&interface->friction.parameter[0], 1.0, 0.0, 0.0), 0.6, 1e-15);
  ck_assert(model->contact_of[0] == 0 && model->contact_of[1] == 1);
  prc_model_free(&model), prc_case_free(&c);
}
END_TEST

START_TEST(interfaces_slide_far_unless_they_are_said_to_slide_little) {
  prc_case *c = read_two(two_meshes[0], "contacts:\n  a: {between: [roof, floor], friction: 0.5}\n"
                                        "  b: {between: [roof, floor], friction: 0.5, sliding: small}\n");
  ck_assert(!c->contact_group[0].small && c->contact_group[1].small);
  ck_assert(!c->contact_group[0].from_start && !c->contact_group[0].prestress_given);
  prc_case_free(&c);
  c = read_case(FAULT "contacts:\n  a: {split: fault, friction: 0.5}\n"
                      "  b: {split: other, friction: 0.5, sliding: large}\n");
  ck_assert(c->contact_group[0].small && !c->contact_group[1].small);
  prc_case_free(&c);
}
END_TEST

/* An obstacle, a body that may touch and two curves at once: each contact has its group, and its name in tables. */
START_TEST(interfaces_stand_beside_other_contacts) {
  prc_case *c = read_two(two_meshes[0],
                         "bodies:\n  ball: {mass: 1, inertia: 1, position: [0, 9], disc: 1}\n"
                         "obstacles:\n  lid: {plane: {point: [0, 20], normal: [0, -1]}}\n"
                         "contacts:\n"
                         "  lidded: {between: [lid, top], friction: 0}\n"
                         "  joint: {between: [roof, floor], friction: 0}\n"
                         "  bounce: {between: [lid, ball], friction: 0}\n"
                         "  ceiling: {group: top, plane: {point: [0, 5], normal: [0, -1]}, friction: 0.1}\n");
  prc_model *model = build(c);
  const prc_fem_model *fem = prc_fem_get_model(model->fem);
  ck_assert(fem->n_contacts == 1 && fem->n_interfaces == 1);
  ck_assert_int_eq(prc_scene_groups(model->scene), 4);
  ck_assert_int_eq(model->contact_of[prc_scene_group(model->scene, 0, 0)], 3);
  ck_assert_int_eq(model->contact_of[prc_scene_group(model->scene, 0, 1)], 1);
  prc_model_free(&model), prc_case_free(&c);
}
END_TEST

START_TEST(a_fault_has_a_right_that_is_touched_and_a_left_that_touches) {
  static const char *const said[] = {"", ", between: [fault.left, fault.right]",
                                     ", between: [fault.right, fault.left]"};
  char text[1024] = FAULT "supports: {rim: {absorbing: true}}\ncontacts: {slip: {friction: 0.6, split: fault";
  prc_append(text, sizeof text, "%s}}\n", said[_i]);
  prc_case *c = read_case(text);
  prc_model *model = build(c);
  const prc_fem_model *fem = prc_fem_get_model(model->fem);
  ck_assert_int_eq(fem->n_interfaces, 1);
  ck_assert_str_eq(fem->interface[0].group[_i == 1]->name, "fault.right");
  ck_assert_str_eq(fem->interface[0].group[_i != 1]->name, "fault.left");
  ck_assert_ptr_null(prc_mesh_find(model->mesh, 1, "fault"));
  ck_assert_int_eq(model->mesh->n_nodes, 12); /* the fault reaches the boundary at both ends */
  prc_model_free(&model), prc_case_free(&c);
}
END_TEST

/* ---- sides that absorb --------------------------------------------------------------------------------- */

START_TEST(a_support_that_absorbs_is_a_dashpot) {
  prc_case *c = read_two(two_meshes[0], "supports:\n  base: {absorbing: true}\n  side: {group: top, x: 0}\n"
                                        "dashpots: {roof: {normal: 2}}\n");
  ck_assert(c->n_supports == 1 && c->n_dashpots == 2);
  ck_assert_str_eq(c->support[0].name, "side");
  ck_assert(c->support[0].held[0] && !c->support[0].held[1]);
  ck_assert(c->dashpot[0].coefficient[0] == 2.0 && isnan(c->dashpot[1].coefficient[0])
            && isnan(c->dashpot[1].coefficient[1]));
  ck_assert_str_eq(c->dashpot[1].group, "base");
  prc_model *model = build(c);
  const prc_fem_model *fem = prc_fem_get_model(model->fem);
  ck_assert(fem->n_dashpots == 2 && fem->n_supports == 1);
  ck_assert(fem->dashpot[1].absorbs[0] && fem->dashpot[1].absorbs[1]);
  prc_model_free(&model), prc_case_free(&c);
}
END_TEST

/* ---- all ----------------------------------------------------------------------------------------------- */

SUITE(case_interfaces) {
  Suite *suite = suite_create("case_interfaces");
  TCase *t = tcase_create("interfaces");
  int n = 0;
  while (prc_frictions()[n]) n++;
  tcase_set_timeout(t, 30.0);
  tcase_add_loop_test(t, every_law_takes_its_parameters_by_name, 0, n);
  tcase_add_loop_test(t, what_a_law_has_by_itself_need_not_be_said, 0, n);
  tcase_add_loop_test(t, a_number_or_a_formula_is_coulombs, 0, 5);
  tcase_add_test(t, laws_at_a_place_know_what_changes_with_time);
  tcase_add_test(t, formulas_of_time_are_of_the_case);
  tcase_add_test(t, bodies_rub_by_laws);
  tcase_add_test(t, bodies_in_space_and_beams_rub_by_laws);
  tcase_add_test(t, laws_of_bodies_may_change_with_time);
  tcase_add_loop_test(t, two_curves_become_an_interface, 0, 2);
  tcase_add_test(t, interfaces_slide_far_unless_they_are_said_to_slide_little);
  tcase_add_test(t, interfaces_stand_beside_other_contacts);
  tcase_add_loop_test(t, a_fault_has_a_right_that_is_touched_and_a_left_that_touches, 0, 3);
  tcase_add_test(t, a_support_that_absorbs_is_a_dashpot);
  suite_add_tcase(suite, t);
  return suite;
}

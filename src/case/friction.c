#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The friction of a contact: a number or a formula, Coulomb's coefficient, or {law: name, ...} with the parameters of a row of law/laws.h, by
 * the names that the row gives them. */

/* "coulomb, two-values or ..." */
static void list_laws(char *text, size_t size) {
  text[0] = '\0';
  for (const prc_friction *const *row = prc_frictions(); *row; row++)
    prc_append(text, size, "%s%s", !*text ? "" : row[1] ? ", " : " or ", (*row)->name);
}

static void list_parameters(const prc_friction *law, char *text, size_t size) {
  text[0] = '\0';
  for (int k = 0; k < law->n_parameters; k++)
    prc_append(text, size, "%s%s", k > 0 ? ", " : "", law->parameter[k]);
}

static prc_status find_law(const prc_value *v, const prc_friction **out) {
  const prc_node *node = prc_tree_child(v->node, "law");
  char names[512];
  const char *near = NULL;
  list_laws(names, sizeof names);
  if (!node)
    return prc_case_fail(v->c, &v->node->at, v->err, "the key '%s.law' is missing, expected %s", v->shown,
                         names);
  *out = node->kind == PRC_NODE_TEXT ? prc_friction_find(node->text) : NULL;
  if (*out) return PRC_OK;
  if (node->kind != PRC_NODE_TEXT)
    return prc_case_fail(v->c, &node->at, v->err, "%s.law is a %s, expected %s", v->shown,
                         node->kind == PRC_NODE_LIST ? "list" : "block", names);
  for (const prc_friction *const *row = prc_frictions(); *row; row++)
    near = prc_nearest_name(node->text, near, (*row)->name);
  return prc_case_fail(v->c, &node->at, v->err, "%s.law is '%s', expected %s%s%s%s", v->shown, node->text,
                       names, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static prc_status check_names(const prc_value *v, const prc_friction *law) {
  char names[512];
  list_parameters(law, names, sizeof names);
  for (size_t i = 0; i < v->node->n_children; i++) {
    const prc_node *child = v->node->child[i];
    const char *near = NULL;
    int found = strcmp(child->key, "law") == 0;
    for (int k = 0; k < law->n_parameters; k++) {
      found |= strcmp(child->key, law->parameter[k]) == 0;
      near = prc_nearest_name(child->key, near, law->parameter[k]);
    }
    if (found) continue;
    if (near)
      return prc_case_fail(v->c, &child->key_at, v->err, "unknown key '%s', did you mean '%s'?", child->key,
                           near);
    return prc_case_fail(v->c, &child->key_at, v->err, "unknown key '%s', expected one of %s with law: %s",
                         child->key, names, law->name);
  }
  return PRC_OK;
}

static prc_status read_word(const prc_value *v, const char *words, prc_field *out) {
  const prc_key key = {.type = PRC_KEY_WORD, .choices = words};
  prc_value word = *v;
  int choice = 0;
  word.key = &key;
  const prc_status status = prc_value_read(&word, (char *)&choice);
  *out = prc_field_constant(choice);
  return status;
}

/* One that may be negative or beyond what mu may be: the law judges it with the others. */
static prc_status read_parameter(const prc_value *v, const prc_friction *law, int k, prc_field *out) {
  char shown[PRC_CASE_PATH];
  prc_key key = *v->key;
  prc_value value = *v;
  key.type = PRC_KEY_EXPRESSION, key.range = (prc_key_range){0.0, 0.0, 0, 0};
  snprintf(shown, sizeof shown, "%s.%s", v->shown, law->parameter[k]);
  value.key = &key, value.shown = shown, value.node = prc_tree_child(v->node, law->parameter[k]);
  const char *words = law->words ? law->words[k] : NULL;
  if (value.node && words) return read_word(&value, words, out);
  if (value.node) return prc_value_expression(&value, value.node, shown, out);
  *out = prc_field_constant(law->otherwise ? law->otherwise[k] : NAN);
  if (!isnan(out->constant)) return PRC_OK;
  return prc_case_fail(v->c, &v->node->at, v->err, "the key '%s' is missing, expected %s with law: %s", shown,
                       words ? words : "a number or an expression", law->name);
}

/* Where the law's message says which parameter is wrong: "the parameter static of the friction is ...". */
static prc_case_place place_of(const prc_value *v, const prc_friction *law, const char *message) {
  for (int k = 0; k < law->n_parameters; k++) {
    const prc_node *node = prc_tree_child(v->node, law->parameter[k]);
    char text[64];
    snprintf(text, sizeof text, "parameter %s of ", law->parameter[k]);
    if (node && strstr(message, text)) return node->at;
  }
  return v->node->at;
}

/* Parameters that vary in space are checked later, when the mesh is known. */
static prc_status judge(const prc_value *v, const prc_law_fields *friction) {
  const prc_friction *law = friction->law;
  double parameter[PRC_LAW_PARAMETERS];
  prc_error inner = {0};
  for (int k = 0; k < law->n_parameters; k++) {
    if (friction->parameter[k].eval) return PRC_OK;
    parameter[k] = friction->parameter[k].constant;
  }
  const prc_status status = law->check(parameter, &inner);
  if (status == PRC_OK) return status;
  const prc_case_place at = place_of(v, law, inner.message);
  return prc_case_fail(v->c, &at, v->err, "%s: %s", v->shown, inner.message);
}

prc_status prc_value_friction(const prc_value *v, prc_law_fields *out) {
  prc_status status = PRC_OK;
  *out = (prc_law_fields){.law = prc_frictions()[0]};
  if (v->node->kind == PRC_NODE_LIST)
    return prc_case_fail(
        v->c, &v->node->at, v->err,
        "%s is a list, expected a number, an expression or a law of friction, {law: name, ...}", v->shown);
  if (v->node->kind != PRC_NODE_BLOCK) return prc_value_expression(v, v->node, v->shown, &out->parameter[0]);
  prc_try(find_law(v, &out->law));
  prc_try(check_names(v, out->law));
  for (int k = 0; k < out->law->n_parameters; k++)
    prc_try(read_parameter(v, out->law, k, &out->parameter[k]));
  prc_try(judge(v, out));
done:
  return status;
}

int prc_case_friction_varies(const prc_law_fields *friction, int in_place) {
  for (int k = 0; k < friction->law->n_parameters; k++) {
    const prc_field *field = &friction->parameter[k];
    if (field->eval && (!in_place || field->uses_place)) return 1;
  }
  return 0;
}

/* mu of what is Coulomb's and a number; NaN: it is another law, or varies */
double prc_case_coulomb(const prc_law_fields *friction) {
  const int plain = friction->law == prc_frictions()[0] && !friction->parameter[0].eval;
  return plain ? friction->parameter[0].constant : NAN;
}

#include "config.h"
#include "case/internal.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One value of the case, of the type that the table of keys says, into its place in prc_case or in an
 * item. */

prc_status prc_value_refuse(const prc_value *v, const prc_node *node) {
  char expected[PRC_KEY_ROOM];
  static const char *const kinds[] = {"", "a list", "a block"};
  prc_key_expected(v->key, v->c->store->dimension, expected, sizeof expected);
  if (node->kind != PRC_NODE_TEXT)
    return prc_case_fail(v->c, &node->at, v->err, "%s is %s, expected %s", v->shown, kinds[node->kind],
                         expected);
  if (!node->text[0])
    return prc_case_fail(v->c, &node->at, v->err, "%s is empty, expected %s", v->shown, expected);
  return prc_case_fail(v->c, &node->at, v->err, "%s is '%s', expected %s", v->shown, node->text, expected);
}

/* Is the text a decimal number and nothing else? */
static int is_number(const char *text, double *number) {
  char *end;
  if (!text[0] || text[strspn(text, "0123456789+-.eE")]) return 0;
  *number = prc_strtod(text, &end);
  return end != text && *end == '\0';
}

/* Is it written as another number than zero, and too small to be kept as one? */
static int underflows(const char *text, double number) {
  const size_t mantissa = strcspn(text, "eE");
  double same;
  return number == 0.0 && is_number(text, &same) /* a formula may come to zero: sin(0) */
         && strcspn(text, "123456789") < mantissa;
}

/* Energies are products of up to six of these numbers: they are to be neither infinite nor nothing. */
static prc_status check_size(const prc_value *v, const prc_node *node, const char *shown, double number) {
  const double size = fabs(number);
  if ((number == 0.0 && !underflows(node->text, number))
      || (size >= PRC_CASE_SMALLEST && size <= PRC_CASE_LARGEST))
    return PRC_OK;
  return prc_case_fail(v->c, &node->at, v->err,
                       "%s is %s, expected 0 or a size from %g to %g; choose other units", shown, node->text,
                       PRC_CASE_SMALLEST, PRC_CASE_LARGEST);
}

static prc_status check_range(const prc_value *v, const prc_node *node, double number) {
  char expected[PRC_KEY_ROOM];
  if (prc_key_in_range(&v->key->range, number)) return PRC_OK;
  prc_key_expected(v->key, v->c->store->dimension, expected, sizeof expected);
  return prc_case_fail(v->c, &node->at, v->err, "%s is %s, expected %s", v->shown, node->text, expected);
}

static int is_formula(const prc_value *v, const char *text);

/* one written as a formula: "40*50" */
static prc_status read_integer_formula(const prc_value *v, int *out) {
  double number = 0.0;
  char expected[PRC_KEY_ROOM];
  prc_value constant = *v;
  constant.varying = NULL; /* how many there are cannot depend on which one it is */
  const prc_status status = prc_value_number(&constant, v->node, &number);
  if (status != PRC_OK) return status;
  prc_key_expected(v->key, v->c->store->dimension, expected, sizeof expected);
  if (number != floor(number) || fabs(number) > INT_MAX)
    return prc_case_fail(v->c, &v->node->at, v->err, "%s is %.12g, expected %s", v->shown, number, expected);
  *out = (int)number;
  return PRC_OK;
}

static prc_status read_integer(const prc_value *v, int *out) {
  char *end;
  if (v->key->variables) return read_integer_formula(v, out);
  if (v->node->kind != PRC_NODE_TEXT) return prc_value_refuse(v, v->node);
  const int plain = v->node->text[strspn(v->node->text, "0123456789+-.eE")] == '\0';
  if (!plain && is_formula(v, v->node->text)) return read_integer_formula(v, out);
  const char *digits = v->node->text + (v->node->text[0] == '-');
  errno = 0;
  const long number = strtol(v->node->text, &end, 10);
  if (!isdigit((unsigned char)digits[0]) || *end) return prc_value_refuse(v, v->node);
  if (errno || number > INT_MAX || number < INT_MIN)
    return prc_case_fail(v->c, &v->node->at, v->err, "%s is %s, expected a whole number of at most %d",
                         v->shown, v->node->text, INT_MAX);
  *out = (int)number;
  return check_range(v, v->node, (double)number);
}

/* position among the choices, -1: not there */
static int find_choice(const char *choices, const char *word) {
  const size_t size = strlen(word);
  for (int i = 0; *choices; i++) {
    const size_t length = strcspn(choices, "|");
    if (length == size && memcmp(choices, word, length) == 0) return i;
    choices += length + (choices[length] == '|');
  }
  return -1;
}

static prc_status read_choice(const prc_value *v, const char *choices, int *out) {
  if (v->node->kind != PRC_NODE_TEXT || (*out = find_choice(choices, v->node->text)) < 0)
    return prc_value_refuse(v, v->node);
  return PRC_OK;
}

static prc_status read_text(const prc_value *v, char **out) {
  int choice;
  if (v->node->kind != PRC_NODE_TEXT || !v->node->text[0]) return prc_value_refuse(v, v->node);
  if (v->key->choices && find_choice(v->key->choices, v->node->text) < 0)
    return read_choice(v, v->key->choices, &choice);
  return prc_case_strdup(v->c, v->node->text, out, v->err);
}

prc_status prc_case_resolve(const prc_case *c, const char *text, int in_folder, char **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes path = {0};
  const char *slash = strrchr(c->path, '/');
  if (text[0] == '/' || !slash || (in_folder && access(text, F_OK) == 0))
    return prc_case_strdup(c, text, out, err);
  prc_try(prc_bytes_print(&path, err, "%.*s/%s", (int)(slash - c->path), c->path, text));
  prc_try(prc_case_strdup(c, path.at, out, err));
done:
  prc_delete(&path.at);
  return status;
}

static prc_status read_path(const prc_value *v, char **out) {
  if (v->node->kind != PRC_NODE_TEXT || !v->node->text[0]) return prc_value_refuse(v, v->node);
  return prc_case_resolve(v->c, v->node->text, v->node->at.set != NULL, out, v->err);
}

static prc_status read_paths(const prc_value *v, char *base) {
  prc_status status = PRC_OK;
  const int list = v->node->kind == PRC_NODE_LIST && v->node->n_children > 0;
  const int n = list ? (int)v->node->n_children : 1;
  char **path = NULL;
  prc_try(prc_new(&path, n, v->err));
  memcpy(base + v->key->at, &path, sizeof path);
  status = prc_case_own_memory(v->c, path, v->err);
  if (status != PRC_OK) prc_delete(&path);
  prc_try(status);
  for (int i = 0; i < n; i++) {
    prc_value one = *v;
    one.node = list ? v->node->child[i] : v->node;
    prc_try(read_path(&one, &path[i]));
  }
  memcpy(base + v->key->count_at, &n, sizeof n);
done:
  return status;
}

/* *made: the expression, which the case owns. */
static prc_status compile(const prc_value *v, const prc_node *node, const char *shown, prc_field *out,
                          prc_expression **made) {
  prc_status status = PRC_OK;
  prc_expression *expression = NULL;
  size_t position;
  prc_case_place at = node->at;
  prc_error inner = {0};
  char label[4096 + PRC_CASE_PATH], where[4096];
  const prc_vocabulary names = {.c = v->c, .in_folder = at.set != NULL};
  const char *variables = v->key->variables ? v->key->variables : "";
  if (!v->varying && strcmp(variables, "i") == 0) variables = "";
  status = prc_expression_compile(node->text, variables, &names, &expression, &position, &inner);
  const int named = at.set && strcmp(at.set, shown) == 0; /* the place names the key already */
  if (status == PRC_INPUT && at.set)
    return prc_case_fail(v->c, &at, v->err, "%s%sposition %zu: %s", named ? "" : shown, named ? "" : ": ",
                         position + 1, inner.message);
  if (at.line > 0) at.column += (int)position + node->quoted;
  if (status == PRC_INPUT) return prc_case_fail(v->c, &at, v->err, "%s: %s", shown, inner.message);
  if (status != PRC_OK) return prc_fail(v->err, status, "%s", inner.message);
  prc_case_place_text(v->c, &node->at, where, sizeof where);
  snprintf(label, sizeof label, "%s%s%s", where, named ? "" : ": ", named ? "" : shown);
  prc_try(prc_expression_label(expression, label, v->err));
  *out = prc_expression_field(expression);
  *made = expression;
  prc_try(prc_case_own_expression(v->c, &expression, v->err));
done:
  prc_expression_free(&expression);
  return status;
}

/* A value that every body of a set has of its own: kept, to be put in when the bodies are made. */
static prc_status keep_varying(const prc_value *v, const prc_node *node, double *out,
                               prc_expression *expression) {
  prc_varying *varying = v->varying;
  const prc_status status =
      prc_grow(&varying->value, &varying->capacity, (size_t)varying->n + 1, sizeof *varying->value, v->err);
  if (status != PRC_OK) return status;
  prc_varying_value *value = &varying->value[varying->n++];
  *value = (prc_varying_value){
      .expression = expression, .range = v->key->range, .node = node, .in_list = v->list != NULL};
  value->at = v->list ? v->list_at : (size_t)((char *)out - v->base);
  value->index = v->list ? (size_t)(out - v->list) : 0;
  return prc_case_strdup(v->c, v->shown, &value->shown, v->err);
}

/* Where numbers are usual, a word or a unit behind a number is a mistake that is told as such: a formula has an operator, or is the name of a
 * parameter. */
static int is_formula(const prc_value *v, const char *text) {
  if (!*text) return 0;
  if (v->key->variables || strpbrk(text, "*/^()?<>=+") || prc_case_find_parameter(v->c, text, strlen(text)))
    return 1;
  for (const char *minus = text; (minus = strchr(minus + (minus == text), '-')); minus++) {
    if (minus > text && !(strchr("eE", minus[-1]) && minus > text + 1 && isdigit((unsigned char)minus[-2])))
      return 1;
    if (!minus[1]) break;
  }
  return text[0] == '-' && prc_case_find_parameter(v->c, text + 1, strlen(text + 1));
}

/* a number written as a formula: "pi/4" */
static prc_status read_formula(const prc_value *v, const prc_node *node, double *out) {
  prc_field field;
  prc_expression *expression;
  if (!node->text[0]) return prc_value_refuse(v, node);
  const prc_status status = compile(v, node, v->shown, &field, &expression);
  if (status != PRC_OK) return status;
  *out = field.constant;
  if (prc_expression_uses_number(expression)) return keep_varying(v, node, out, expression);
  const prc_status sized = check_size(v, node, v->shown, *out);
  return sized == PRC_OK ? check_range(v, node, *out) : sized;
}

prc_status prc_value_number(const prc_value *v, const prc_node *node, double *out) {
  static const char *const infinite[] = {"inf", "infinity", "nan"};
  if (node->kind != PRC_NODE_TEXT) return prc_value_refuse(v, node);
  if (v->key->choices && find_choice(v->key->choices, node->text) == 0) { /* a word in place of a number */
    *out = NAN;
    return PRC_OK;
  }
  const char *word = node->text + strspn(node->text, "+-.");
  for (size_t i = 0; i < sizeof infinite / sizeof infinite[0]; i++)
    if (strcasecmp(word, infinite[i]) == 0)
      return prc_case_fail(v->c, &node->at, v->err, "%s is %s, expected a finite number", v->shown,
                           node->text);
  if (!is_number(node->text, out))
    return is_formula(v, node->text) ? read_formula(v, node, out) : prc_value_refuse(v, node);
  if (!isfinite(*out))
    return prc_case_fail(v->c, &node->at, v->err, "%s is %s, expected a finite number", v->shown, node->text);
  const prc_status status = check_size(v, node, v->shown, *out);
  return status == PRC_OK ? check_range(v, node, *out) : status;
}

prc_status prc_value_expression(const prc_value *v, const prc_node *node, const char *shown, prc_field *out) {
  double number;
  prc_expression *expression;
  if (node->kind != PRC_NODE_TEXT || !node->text[0]) return prc_value_refuse(v, node);
  if (is_number(node->text, &number) && isfinite(number)) {
    const prc_status status = check_size(v, node, shown, number);
    if (status != PRC_OK) return status;
    *out = prc_field_constant(number);
  } else {
    prc_status status = compile(v, node, shown, out, &expression);
    if (status == PRC_OK && !out->eval) status = check_size(v, node, shown, out->constant);
    if (status != PRC_OK) return status;
  }
  return out->eval ? PRC_OK : check_range(v, node, out->constant);
}

/* Of a vector that would do in the other dimension: why it does not in this. */
static const char *reason_of_count(const prc_value *v) {
  const int vector = v->key->type == PRC_KEY_POINT || v->key->type == PRC_KEY_POINTS
                     || v->key->type == PRC_KEY_EXPRESSIONS,
            dimension = v->c->store->dimension;
  for (size_t i = 0; v->key->variables && i < v->node->n_children; i++)
    if (v->node->child[i]->text && strchr(v->node->child[i]->text, '('))
      return "; an expression with commas must stand in quotes";
  if (!vector || v->key->dimension != 0 || v->node->n_children + (size_t)dimension != 5) return "";
  return dimension == 3 ? "; this case is in space, by its first body's position, gravity or model.dimension"
                        : "; this case is in the plane, by its first body's position, a mesh or "
                          "model.dimension";
}

static prc_status check_count(const prc_value *v, size_t least, size_t most) {
  char expected[PRC_KEY_ROOM];
  if (v->node->kind != PRC_NODE_LIST) return prc_value_refuse(v, v->node);
  const size_t n = v->node->n_children;
  if (n == least || n == most || (v->key->between && n > least && n < most)) return PRC_OK;
  prc_key_expected(v->key, v->c->store->dimension, expected, sizeof expected);
  return prc_case_fail(v->c, &v->node->at, v->err, "%s has %zu value%s, expected %s%s", v->shown, n,
                       n == 1 ? "" : "s", expected, reason_of_count(v));
}

static size_t dimension_of(const prc_value *v) {
  return (size_t)v->c->store->dimension;
}

/* Of many choices the nearest is what helps. */
static prc_status refuse_name(const prc_value *v, const prc_node *node) {
  const char *near = NULL;
  char name[64], best[64];
  for (const char *at = v->key->choices; *at;) {
    const size_t length = strcspn(at, "|");
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    if (prc_nearest_name(node->text, near, name) == name) {
      snprintf(best, sizeof best, "%s", name);
      near = best;
    }
    at += length + (at[length] == '|');
  }
  if (!near) return prc_value_refuse(v, node);
  return prc_case_fail(v->c, &node->at, v->err, "%s has '%s', did you mean '%s'?", v->shown, node->text,
                       near);
}

/* One name, or several in a list: they are kept as one text, with commas, as messages have them. What they mean is looked up
 * in the tree. */
static prc_status read_name_or_names(const prc_value *v, const prc_node *node, char **out) {
  prc_status status = PRC_OK;
  prc_bytes text = {0};
  const int list = node->kind == PRC_NODE_LIST && node->n_children > 0;
  for (size_t i = 0; i < (list ? node->n_children : 1); i++) {
    const prc_node *name = list ? node->child[i] : node;
    if (name->kind != PRC_NODE_TEXT || !name->text[0]) prc_try(prc_value_refuse(v, name));
    if (v->key->choices && find_choice(v->key->choices, name->text) < 0) prc_try(refuse_name(v, name));
    prc_try(prc_bytes_print(&text, v->err, "%s%s", i > 0 ? ", " : "", name->text));
  }
  prc_try(prc_case_strdup(v->c, text.at, out, v->err));
done:
  prc_delete(&text.at);
  return status;
}

static prc_status read_names(const prc_value *v, char **out) {
  prc_status status = PRC_OK;
  prc_try(check_count(v, 2, 2));
  for (size_t i = 0; i < 2; i++) prc_try(read_name_or_names(v, v->node->child[i], &out[i]));
done:
  return status;
}

/* The numbers of a list. */
static prc_status read_numbers(const prc_value *v, double *out) {
  prc_status status = PRC_OK;
  for (size_t i = 0; i < v->node->n_children; i++) {
    char shown[PRC_CASE_PATH + 32];
    prc_key number = *v->key;
    prc_value item = *v;
    number.type = PRC_KEY_NUMBER;
    snprintf(shown, sizeof shown, "%s[%zu]", v->shown, i);
    item.key = &number, item.shown = shown;
    prc_try(prc_value_number(&item, v->node->child[i], &out[i]));
  }
done:
  return status;
}

prc_status prc_value_point(const prc_value *v, double *out) {
  const prc_status status = check_count(v, dimension_of(v), dimension_of(v));
  return status == PRC_OK ? read_numbers(v, out) : status;
}

static prc_status read_several(const prc_value *v, char *base) {
  const prc_status status = check_count(v, (size_t)v->key->least, (size_t)v->key->most);
  if (status != PRC_OK) return status;
  const int count = (int)v->node->n_children;
  if (v->key->count_at) memcpy(base + v->key->count_at, &count, sizeof count);
  return read_numbers(v, (double *)(void *)(base + v->key->at));
}

static prc_status read_expressions(const prc_value *v, prc_field *out) {
  prc_status status = PRC_OK;
  prc_try(check_count(v, dimension_of(v), dimension_of(v)));
  for (size_t i = 0; i < dimension_of(v); i++) {
    char shown[PRC_CASE_PATH + 8];
    prc_key one = *v->key;
    prc_value item = *v;
    one.type = PRC_KEY_EXPRESSION;
    snprintf(shown, sizeof shown, "%s[%zu]", v->shown, i);
    item.key = &one, item.shown = shown;
    prc_try(prc_value_expression(&item, v->node->child[i], shown, &out[i]));
  }
done:
  return status;
}

prc_status prc_value_judge(const prc_case *c, const prc_varying_value *value, int i, double number,
                           prc_error *err) {
  prc_key key = {.type = PRC_KEY_NUMBER, .range = value->range};
  char expected[PRC_KEY_ROOM];
  const double size = fabs(number);
  if (number != 0.0 && (size < PRC_CASE_SMALLEST || size > PRC_CASE_LARGEST))
    return prc_case_fail(c, &value->node->at, err,
                         "%s is %g at i = %d, expected 0 or a size from %g to %g; choose other units",
                         value->shown, number, i, PRC_CASE_SMALLEST, PRC_CASE_LARGEST);
  if (prc_key_in_range(&value->range, number)) return PRC_OK;
  prc_key_expected(&key, c->store->dimension, expected, sizeof expected);
  return prc_case_fail(c, &value->node->at, err, "%s is %.9g at i = %d, expected %s", value->shown, number, i,
                       expected);
}

prc_status prc_value_read(const prc_value *from, char *base) {
  char *at = base + from->key->at;
  prc_value own = *from;
  const prc_value *v = &own;
  own.base = base;
  switch (v->key->type) {
  case PRC_KEY_BLOCK:
  case PRC_KEY_NAMED:
  case PRC_KEY_PARAMETERS:
    break; /* they have no value: read.c goes into them */
  case PRC_KEY_NUMBER:
    return prc_value_number(v, v->node, (double *)(void *)at);
  case PRC_KEY_INTEGER:
    return read_integer(v, (int *)(void *)at);
  case PRC_KEY_FLAG:
    return read_choice(v, "false|true", (int *)(void *)at);
  case PRC_KEY_WORD:
    return read_choice(v, v->key->choices, (int *)(void *)at);
  case PRC_KEY_GROUP:
  case PRC_KEY_TEXT:
    return read_text(v, (char **)(void *)at);
  case PRC_KEY_PATH:
    return read_path(v, (char **)(void *)at);
  case PRC_KEY_PATHS:
    return read_paths(v, base);
  case PRC_KEY_NAMES:
    return read_name_or_names(v, v->node, (char **)(void *)at);
  case PRC_KEY_PAIR:
    return read_names(v, (char **)(void *)at);
  case PRC_KEY_POINT:
    return prc_value_point(v, (double *)(void *)at);
  case PRC_KEY_NUMBERS:
    return read_several(v, base);
  case PRC_KEY_POINTS:
    return prc_value_points(v, base);
  case PRC_KEY_POLYGONS:
    return prc_value_polygons(v, base);
  case PRC_KEY_DISCS:
    return prc_value_discs(v, base);
  case PRC_KEY_EXPRESSION:
    return prc_value_expression(v, v->node, v->shown, (prc_field *)(void *)at);
  case PRC_KEY_EXPRESSIONS:
    return read_expressions(v, (prc_field *)(void *)at);
  case PRC_KEY_FRICTION:
    return prc_value_friction(v, (prc_law_fields *)(void *)at);
  }
  assert(0);
  return PRC_INPUT;
}

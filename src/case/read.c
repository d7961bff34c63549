#include "config.h"
#include "case/internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

/* ---- places -------------------------------------------------------------------------------------------- */

void prc_case_place_text(const prc_case *c, const prc_case_place *place, char *text, size_t size) {
  if (place->set)
    snprintf(text, size, "%s: --set %s", c->path, place->set);
  else if (place->line > 0)
    snprintf(text, size, "%s:%d:%d", c->path, place->line, place->column);
  else
    snprintf(text, size, "%s", c->path);
}

prc_status prc_case_fail(const prc_case *c, const prc_case_place *place, prc_error *err, const char *format,
                         ...) {
  char where[4096], what[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  prc_case_place_text(c, place, where, sizeof where);
  return prc_fail(err, PRC_INPUT, "%s: %s", where, what);
}

prc_case_place prc_case_place_of(const prc_case *c, const char *format, ...) {
  char path[PATH_SIZE];
  const char *rest;
  va_list args;
  va_start(args, format);
  vsnprintf(path, sizeof path, format, args);
  va_end(args);
  return prc_tree_walk(c->store->root, path, &rest)->at;
}

/* ---- what the case owns -------------------------------------------------------------------------------- */

/* The case owns the memory when this succeeds. */
static prc_status keep(const prc_case *c, void *memory, prc_error *err) {
  struct prc_case_store *store = c->store;
  const prc_status status =
      prc_grow(&store->kept, &store->kept_capacity, store->n_kept + 1, sizeof *store->kept, err);
  if (status == PRC_OK) store->kept[store->n_kept++] = memory;
  return status;
}

prc_status prc_case_keep(const prc_case *c, const char *text, char **out, prc_error *err) {
  prc_status status = PRC_OK;
  char *copy = NULL;
  prc_try(prc_strdup(text, &copy, err));
  prc_try(keep(c, copy, err));
  *out = copy, copy = NULL;
done:
  prc_delete(&copy);
  return status;
}

static prc_status keep_expression(const prc_case *c, prc_expression **expression, prc_error *err) {
  struct prc_case_store *store = c->store;
  const prc_status status = prc_grow(&store->expression, &store->expression_capacity,
                                     store->n_expressions + 1, sizeof *store->expression, err);
  if (status == PRC_OK) store->expression[store->n_expressions++] = *expression, *expression = NULL;
  return status;
}

static void free_store(struct prc_case_store *store) {
  for (size_t i = 0; i < store->n_kept; i++) prc_delete(&store->kept[i]);
  for (size_t i = 0; i < store->n_expressions; i++) prc_expression_free(&store->expression[i]);
  prc_delete(&store->kept);
  prc_delete(&store->expression);
  prc_tree_free(&store->root);
}

void prc_case_free(prc_case **c) {
  if (!*c) return;
  if ((*c)->store) free_store((*c)->store);
  prc_delete(&(*c)->store);
  prc_delete(&(*c)->path);
  prc_delete(&(*c)->material);
  prc_delete(&(*c)->body);
  prc_delete(&(*c)->contact_group);
  prc_delete(&(*c)->support);
  prc_delete(&(*c)->load);
  prc_delete(&(*c)->probe);
  prc_delete(c);
}

/* ---- one value ----------------------------------------------------------------------------------------- */

/* Where the reading stands. */
typedef struct {
  prc_case *c;
  const prc_key *key;
  const prc_node *node;
  const char *shown; /* the path with the user's names: "contacts.bottom.friction" */
  const char *item;  /* name of the item of a named block, or NULL */
  const char *near;  /* an item of the file, where this one is --set's and may be a misspelling; or NULL */
  prc_error *err;
} value;

static prc_status refuse(const value *v, const prc_node *node) {
  char expected[256];
  static const char *const kinds[] = {"", "a list", "a block"};
  prc_key_expected(v->key, expected, sizeof expected);
  if (node->kind != PRC_NODE_TEXT)
    return prc_case_fail(v->c, &node->at, v->err, "%s is %s, expected %s", v->shown, kinds[node->kind],
                         expected);
  if (!node->text[0])
    return prc_case_fail(v->c, &node->at, v->err, "%s is empty, expected %s", v->shown, expected);
  return prc_case_fail(v->c, &node->at, v->err, "%s is '%s', expected %s", v->shown, node->text, expected);
}

/* Is the text a decimal number and nothing else? The locale is C. */
static int is_number(const char *text, double *number) {
  char *end;
  if (!text[0] || text[strspn(text, "0123456789+-.eE")]) return 0;
  *number = strtod(text, &end);
  return end != text && *end == '\0';
}

static prc_status check_range(const value *v, const prc_node *node, double number) {
  char expected[256];
  if (prc_key_in_range(&v->key->range, number)) return PRC_OK;
  prc_key_expected(v->key, expected, sizeof expected);
  return prc_case_fail(v->c, &node->at, v->err, "%s is %s, expected %s", v->shown, node->text, expected);
}

static prc_status read_integer(const value *v, int *out) {
  char *end;
  if (v->node->kind != PRC_NODE_TEXT) return refuse(v, v->node);
  const char *digits = v->node->text + (v->node->text[0] == '-');
  errno = 0;
  const long number = strtol(v->node->text, &end, 10);
  if (!isdigit((unsigned char)digits[0]) || *end || errno || number > INT_MAX || number < INT_MIN)
    return refuse(v, v->node);
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

static prc_status read_choice(const value *v, const char *choices, int *out) {
  if (v->node->kind != PRC_NODE_TEXT || (*out = find_choice(choices, v->node->text)) < 0)
    return refuse(v, v->node);
  return PRC_OK;
}

static prc_status read_text(const value *v, char **out) {
  int choice;
  if (v->node->kind != PRC_NODE_TEXT || !v->node->text[0]) return refuse(v, v->node);
  if (v->key->choices && find_choice(v->key->choices, v->node->text) < 0)
    return read_choice(v, v->key->choices, &choice);
  return prc_case_keep(v->c, v->node->text, out, v->err);
}

/* Relative to the case file; from --set, to the current folder first. */
static prc_status read_path(const value *v, char **out) {
  prc_status status = PRC_OK;
  prc_text path = {0};
  if (v->node->kind != PRC_NODE_TEXT || !v->node->text[0]) return refuse(v, v->node);
  const char *text = v->node->text, *slash = strrchr(v->c->path, '/');
  if (text[0] == '/' || !slash || (v->node->at.set && access(text, F_OK) == 0))
    return prc_case_keep(v->c, text, out, v->err);
  prc_try(prc_text_add(&path, v->err, "%.*s/%s", (int)(slash - v->c->path), v->c->path, text));
  prc_try(prc_case_keep(v->c, path.text, out, v->err));
done:
  prc_delete(&path.text);
  return status;
}

static prc_status compile(const value *v, const prc_node *node, const char *shown, prc_field *out) {
  prc_status status = PRC_OK;
  prc_expression *expression = NULL;
  size_t position;
  prc_case_place at = node->at;
  prc_error inner = {0};
  char label[4096 + PATH_SIZE], where[4096];
  status = prc_expression_compile(node->text, v->key->variables, &expression, &position, &inner);
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
  prc_try(keep_expression(v->c, &expression, v->err));
done:
  prc_expression_free(&expression);
  return status;
}

/* a number written as a formula: "pi/4" */
static prc_status read_formula(const value *v, const prc_node *node, double *out) {
  prc_field field;
  if (!node->text[0]) return refuse(v, node);
  const prc_status status = compile(v, node, v->shown, &field);
  if (status != PRC_OK) return status;
  *out = field.constant;
  return check_range(v, node, *out);
}

static prc_status read_number(const value *v, const prc_node *node, double *out) {
  static const char *const infinite[] = {"inf", "infinity", "nan"};
  if (node->kind != PRC_NODE_TEXT) return refuse(v, node);
  const char *word = node->text + strspn(node->text, "+-.");
  for (size_t i = 0; i < sizeof infinite / sizeof infinite[0]; i++)
    if (strcasecmp(word, infinite[i]) == 0)
      return prc_case_fail(v->c, &node->at, v->err, "%s is %s, expected a finite number", v->shown,
                           node->text);
  if (!is_number(node->text, out)) return v->key->variables ? read_formula(v, node, out) : refuse(v, node);
  if (!isfinite(*out))
    return prc_case_fail(v->c, &node->at, v->err, "%s is %s, expected a finite number", v->shown, node->text);
  return check_range(v, node, *out);
}

static prc_status read_expression(const value *v, const prc_node *node, const char *shown, prc_field *out) {
  double number;
  if (node->kind != PRC_NODE_TEXT || !node->text[0]) return refuse(v, node);
  if (is_number(node->text, &number) && isfinite(number))
    *out = prc_field_constant(number);
  else {
    const prc_status status = compile(v, node, shown, out);
    if (status != PRC_OK) return status;
  }
  return out->eval ? PRC_OK : check_range(v, node, out->constant);
}

/* two of something */
static prc_status check_pair(const value *v) {
  char expected[256];
  if (v->node->kind != PRC_NODE_LIST) return refuse(v, v->node);
  if (v->node->n_children == 2) return PRC_OK;
  prc_key_expected(v->key, expected, sizeof expected);
  const int more = v->key->variables && v->node->n_children > 2;
  return prc_case_fail(v->c, &v->node->at, v->err, "%s has %zu values, expected %s%s", v->shown,
                       v->node->n_children, expected,
                       more ? "; an expression with commas must stand in quotes" : "");
}

static prc_status read_point(const value *v, double *out) {
  prc_status status = PRC_OK;
  prc_try(check_pair(v));
  for (size_t i = 0; i < 2; i++) {
    char shown[PATH_SIZE], at_item[PATH_SIZE + 8];
    prc_key number = *v->key;
    value item = *v;
    number.type = PRC_KEY_NUMBER;
    snprintf(shown, sizeof shown, "%s", v->shown);
    snprintf(at_item, sizeof at_item, "%s[%zu]", shown, i);
    item.key = &number, item.shown = at_item;
    prc_try(read_number(&item, v->node->child[i], &out[i]));
  }
done:
  return status;
}

static prc_status read_points(const value *v, char *base) {
  prc_status status = PRC_OK;
  const size_t n = v->node->n_children;
  prc_key one = *v->key;
  value item = *v;
  double *point = NULL;
  if (v->node->kind != PRC_NODE_LIST || n == 0 || n > INT_MAX / 2) return refuse(v, v->node);
  one.type = PRC_KEY_POINT;
  prc_try(prc_new(&point, 2 * n, v->err));
  for (size_t i = 0; i < n; i++) {
    char shown[PATH_SIZE + 32];
    snprintf(shown, sizeof shown, "%s[%zu]", v->shown, i);
    item.key = &one, item.shown = shown, item.node = v->node->child[i];
    prc_try(read_point(&item, point + 2 * i));
  }
  prc_try(keep(v->c, point, v->err));
  memcpy(base + v->key->at, &point, sizeof point);
  memcpy(base + v->key->count_at, &(int){(int)n}, sizeof(int));
  point = NULL;
done:
  prc_delete(&point);
  return status;
}

static prc_status read_expressions(const value *v, prc_field *out) {
  prc_status status = PRC_OK;
  prc_try(check_pair(v));
  for (size_t i = 0; i < 2; i++) {
    char shown[PATH_SIZE + 8];
    prc_key one = *v->key;
    value item = *v;
    one.type = PRC_KEY_EXPRESSION;
    snprintf(shown, sizeof shown, "%s[%zu]", v->shown, i);
    item.key = &one, item.shown = shown;
    prc_try(read_expression(&item, v->node->child[i], shown, &out[i]));
  }
done:
  return status;
}

static prc_status read_named(const value *v, char *base);
static prc_status read_block(const value *v, const char *parent, char *base);

static prc_status read_value(const value *v, char *base) {
  char *at = base + v->key->at, parent[PATH_SIZE];
  switch (v->key->type) {
  case PRC_KEY_BLOCK:
    snprintf(parent, sizeof parent, "%s%s%s", v->key->parent, v->key->parent[0] ? "." : "", v->key->key);
    return read_block(v, parent, base);
  case PRC_KEY_NAMED:
    return read_named(v, base);
  case PRC_KEY_NUMBER:
    return read_number(v, v->node, (double *)(void *)at);
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
  case PRC_KEY_POINT:
    return read_point(v, (double *)(void *)at);
  case PRC_KEY_POINTS:
    return read_points(v, base);
  case PRC_KEY_EXPRESSION:
    return read_expression(v, v->node, v->shown, (prc_field *)(void *)at);
  case PRC_KEY_EXPRESSIONS:
    return read_expressions(v, (prc_field *)(void *)at);
  }
  return prc_fail(v->err, PRC_INPUT, "%s has no type", v->shown);
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* The offset of a named block's place is that in its items. */
static void set_place(const prc_key *key, char *base, prc_case_place place) {
  if (key->place_at && key->type != PRC_KEY_NAMED) memcpy(base + key->place_at, &place, sizeof place);
}

static int is_empty(const prc_node *node) {
  return node->kind == PRC_NODE_TEXT && !node->quoted && (!node->text[0] || strcmp(node->text, "~") == 0);
}

/* Every key of the block must be one of the table's. */
static prc_status check_keys(const value *v, const char *parent) {
  int n;
  const prc_key *keys = prc_keys(&n);
  for (size_t i = 0; i < v->node->n_children; i++) {
    const prc_node *child = v->node->child[i];
    const char *near = NULL;
    char names[512];
    if (prc_key_find(parent, child->key)) continue;
    for (int k = 0; k < n; k++)
      if (strcmp(keys[k].parent, parent) == 0) near = prc_nearest(child->key, near, keys[k].key);
    if (near)
      return prc_case_fail(v->c, &child->key_at, v->err, "unknown key '%s', did you mean '%s'?", child->key,
                           near);
    prc_key_names(parent, names, sizeof names);
    return prc_case_fail(v->c, &child->key_at, v->err, "unknown key '%s', expected one of %s", child->key,
                         names);
  }
  return PRC_OK;
}

/* A key that is not there: its default, read as if it stood in the file. */
static prc_status read_default(const value *v, char *base) {
  static const char *const what[] = {"the key", "the block"};
  prc_status status = PRC_OK;
  prc_node *node = NULL;
  const prc_case_place place = v->node ? v->node->at : (prc_case_place){0};
  value given = *v;
  set_place(v->key, base, place);
  if (prc_key_required(v->key, v->c->store->kind)) {
    const int block = v->key->type == PRC_KEY_BLOCK || v->key->type == PRC_KEY_NAMED;
    char expected[256], hint[512] = "";
    prc_key_expected(v->key, expected, sizeof expected);
    if (v->near)
      snprintf(hint, sizeof hint, "; '%.200s' is not in the file, did you mean '%.200s'?", v->item, v->near);
    return prc_case_fail(v->c, &place, v->err, "%s '%s' is missing, expected %s%s", what[block], v->shown,
                         expected, hint);
  }
  if (v->key->type == PRC_KEY_GROUP)
    return prc_case_keep(v->c, v->item, (char **)(void *)(base + v->key->at), v->err);
  if (v->key->type != PRC_KEY_BLOCK && !v->key->fallback) return PRC_OK;
  prc_try(prc_tree_parse(v->c, v->key->fallback ? v->key->fallback : "{}", &place, &node, v->err));
  given.node = node;
  status = read_value(&given, base);
done:
  prc_tree_free(&node);
  return status;
}

static prc_status read_key(const value *v, const prc_key *key, char *base) {
  char shown[PATH_SIZE];
  value next = *v;
  const prc_node *node = prc_tree_child(v->node, key->key);
  snprintf(shown, sizeof shown, "%s%s%s", v->shown, v->shown[0] ? "." : "", key->key);
  next.key = key, next.shown = shown;
  const int applies = prc_key_applies(key, v->c->store->kind);
  if (!node) return applies ? read_default(&next, base) : PRC_OK; /* next.node is still the block */
  if (!applies)
    return prc_case_fail(v->c, &node->at, v->err, "%s is given, expected only with %s", shown,
                         key->only == PRC_WITH_MESH ? "a mesh" : "bodies");
  next.node = node;
  set_place(key, base, node->at);
  if (key->given_at) memcpy(base + key->given_at, &(int){1}, sizeof(int));
  return read_value(&next, base);
}

static prc_status read_block(const value *v, const char *parent, char *base) {
  prc_status status = PRC_OK;
  int n;
  const prc_key *keys = prc_keys(&n);
  if (v->node->kind != PRC_NODE_BLOCK && !is_empty(v->node)) return refuse(v, v->node);
  prc_try(check_keys(v, parent));
  for (int k = 0; k < n; k++)
    if (strcmp(keys[k].parent, parent) == 0) prc_try(read_key(v, &keys[k], base));
done:
  return status;
}

/* The user's names become file names and columns of tables. */
static prc_status check_name(const value *v, const prc_node *item) {
  const char *bad = strpbrk(item->key, "/\\,;\"'\n\r\t");
  if (!bad || strcmp(v->key->item, "<group>") == 0) return PRC_OK;
  return prc_case_fail(v->c, &item->key_at, v->err,
                       "the name '%s' has the character '%c', expected a plain name; `group` may be anything",
                       item->key, *bad);
}

/* The item of the file whose name is nearest to one that --set has made. */
static const char *near_item(const prc_node *block, const prc_node *item) {
  const char *near = NULL;
  for (size_t i = 0; item->key_at.set && i < block->n_children; i++)
    if (!block->child[i]->key_at.set) near = prc_nearest(item->key, near, block->child[i]->key);
  return near;
}

static prc_status read_item(const value *v, const prc_node *node, char *base) {
  prc_status status = PRC_OK;
  char parent[PATH_SIZE], shown[PATH_SIZE];
  value item = *v;
  prc_try(check_name(v, node));
  snprintf(parent, sizeof parent, "%s.%s", v->key->key, v->key->item);
  snprintf(shown, sizeof shown, "%s.%s", v->shown, node->key);
  memcpy(base + v->key->place_at, &node->key_at, sizeof node->key_at);
  prc_try(
      prc_case_keep(v->c, node->key, (char **)(void *)base, v->err)); /* the name is an item's first member */
  item.node = node, item.item = node->key, item.shown = shown;
  item.near = near_item(v->node, node);
  prc_try(read_block(&item, parent, base));
done:
  return status;
}

static prc_status read_named(const value *v, char *base) {
  prc_status status = PRC_OK;
  char *items = NULL;
  if (v->node->kind != PRC_NODE_BLOCK && !is_empty(v->node)) return refuse(v, v->node);
  if (prc_key_required(v->key, v->c->store->kind) && !v->node->n_children)
    return prc_case_fail(v->c, &v->node->at, v->err, "the block '%s' is empty, expected at least one %s",
                         v->shown, v->key->item);
  prc_try(prc_allocate(v->node->n_children, v->key->size, &items, v->err));
  memcpy(base + v->key->at, &items, sizeof items);
  for (size_t i = 0; i < v->node->n_children; i++) {
    const int count = (int)i + 1;
    prc_try(read_item(v, v->node->child[i], items + i * v->key->size));
    memcpy(base + v->key->count_at, &count, sizeof count);
  }
done:
  return status;
}

/* A mesh or bodies? The first key that belongs to one kind decides, another of the other kind is refused. */
static prc_status find_kind(const value *v) {
  const prc_node *root = v->node, *first = NULL;
  int kind = 0;
  for (size_t i = 0; i < root->n_children; i++) {
    const prc_node *child = root->child[i];
    const prc_key *key = prc_key_find("", child->key);
    char other[64];
    if (!key || key->only == 0) continue;
    if (!first) first = child, kind = key->only;
    if (key->only == kind) continue;
    snprintf(other, sizeof other, first->key_at.set ? "from --set" : "in line %d", first->key_at.line);
    return prc_case_fail(
        v->c, &child->key_at, v->err,
        "'%s' is given beside '%s' %s, expected either a mesh, with its materials, supports, "
        "loads and probes, or bodies",
        child->key, first->key, other);
  }
  v->c->store->kind = kind;
  if (first) return PRC_OK;
  return prc_case_fail(v->c, &root->at, v->err,
                       "there is neither a 'mesh' nor 'bodies', expected one of the two blocks");
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static prc_status slurp(const prc_case *c, FILE *file, prc_text *text, prc_error *err) {
  enum { CHUNK = 65536, LARGEST = 16 << 20 };
  size_t got = 1;
  while (got) {
    const prc_status status = prc_grow(&text->text, &text->capacity, text->length + CHUNK + 1, 1, err);
    if (status != PRC_OK) return status;
    got = fread(text->text + text->length, 1, CHUNK, file);
    text->length += got;
    if (text->length > LARGEST)
      return prc_fail(err, PRC_INPUT, "%s: larger than 16 MB, expected a case file", c->path);
  }
  text->text[text->length] = '\0';
  if (!ferror(file)) return PRC_OK;
  if (errno == EISDIR) return prc_fail(err, PRC_INPUT, "%s: a folder, expected a case file", c->path);
  return prc_fail(err, PRC_INPUT, "%s: cannot be read: %s", c->path, strerror(errno));
}

static prc_case_place place_in(const char *text, size_t at) {
  prc_case_place place = {.line = 1, .column = 1};
  for (size_t i = 0; i < at; i++) {
    place.column++;
    if (text[i] == '\n') place.line++, place.column = 1;
  }
  return place;
}

static prc_status read_tree(const prc_case *c, prc_node **root, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_case_place start = {.line = 1, .column = 1};
  prc_text text = {0};
  char names[512];
  FILE *file = fopen(c->path, "rb");
  if (!file)
    return prc_fail(err, PRC_INPUT, "%s: cannot be opened: %s, expected a case file", c->path,
                    strerror(errno));
  prc_try(slurp(c, file, &text, err));
  if (strlen(text.text) < text.length) {
    const prc_case_place at = place_in(text.text, strlen(text.text));
    prc_try(prc_case_fail(c, &at, err, "a NUL character, expected text"));
  }
  prc_try(prc_tree_parse(c, text.text, NULL, root, err));
  prc_key_names("", names, sizeof names);
  if (!*root || is_empty(*root))
    prc_try(prc_case_fail(c, &start, err, "the case is empty, expected the keys %s", names));
  if ((*root)->kind != PRC_NODE_BLOCK)
    prc_try(prc_case_fail(c, &start, err, "this is no block of keys, expected the keys %s", names));
done:
  fclose(file);
  prc_delete(&text.text);
  return status;
}

/* "time.step=1e-5" into the tree */
static prc_status apply_set(prc_case *c, const char *setting, prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *node = NULL;
  prc_case_place place = {0};
  char *path;
  const char *equals = strchr(setting, '=');
  if (!equals || equals == setting)
    return prc_fail(err, PRC_INPUT, "%s: --set '%s': expected KEY=VALUE, as in time.step=1e-5", c->path,
                    setting);
  prc_try(prc_case_keep(c, setting, &path, err));
  path[equals - setting] = '\0';
  if (path[0] == '.' || path[strlen(path) - 1] == '.' || strstr(path, ".."))
    prc_try(prc_fail(err, PRC_INPUT, "%s: --set '%s': a part of the key is empty, expected KEY=VALUE",
                     c->path, setting));
  place.set = path;
  prc_try(prc_tree_parse(c, equals + 1, &place, &node, err));
  if (!node) prc_try(prc_case_fail(c, &place, err, "no value, expected KEY=VALUE"));
  prc_try(prc_tree_put(c, c->store->root, path, &place, &node, err));
done:
  prc_tree_free(&node);
  return status;
}

/* the file's name without folder and ending */
static prc_status default_name(prc_case *c, prc_error *err) {
  const char *slash = strrchr(c->path, '/'), *stem = slash ? slash + 1 : c->path;
  const prc_status status = prc_case_keep(c, stem, &c->name, err);
  if (status != PRC_OK) return status;
  char *dot = strrchr(c->name, '.');
  if (dot && dot > c->name) *dot = '\0';
  return PRC_OK;
}

prc_status prc_case_read(const char *path, int n_set, const char *const *set, prc_case **out,
                         prc_error *err) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_try(prc_new(&c, 1, err));
  prc_try(prc_new(&c->store, 1, err));
  prc_try(prc_strdup(path, &c->path, err));
  c->contact.max_penetration = -1.0; /* not set */
  c->output.contact_every = -1;      /* prc_case_rules chooses ... */
  c->output.contacts = -1;           /* ... both */
  prc_try(read_tree(c, &c->store->root, err));
  for (int i = 0; i < n_set; i++) prc_try(apply_set(c, set[i], err));
  const value root = {.c = c, .node = c->store->root, .shown = "", .err = err};
  prc_try(check_keys(&root, ""));
  prc_try(find_kind(&root));
  prc_try(read_block(&root, "", (char *)c));
  if (!c->name) prc_try(default_name(c, err));
  prc_try(prc_case_rules(c, err));
  *out = c, c = NULL;
done:
  prc_case_free(&c);
  return status;
}

prc_status prc_case_text(const prc_case *c, char **text, prc_error *err) {
  prc_text out = {0};
  const prc_status status = prc_tree_text(c->store->root, &out, err);
  if (status == PRC_OK)
    *text = out.text;
  else
    prc_delete(&out.text);
  return status;
}

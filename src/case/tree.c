#include "config.h"
#include "case/internal.h"

#include <libfyaml.h>

#include <stdio.h>
#include <string.h>

/* The tree is ours, not libfyaml's: its nodes lose their places when something is inserted. */

enum { MAX_DEPTH = 32, MAX_NODES = 100000 }; /* an alias may stand for a block that holds further aliases */

typedef struct {
  const prc_case *c;
  const prc_case_place *inside;
  int depth, n_nodes;
} reader;

/* ---- nodes --------------------------------------------------------------------------------------------- */

void prc_tree_free(prc_node **node) {
  if (!*node) return;
  for (size_t i = 0; i < (*node)->n_children; i++) prc_tree_free(&(*node)->child[i]);
  prc_delete(&(*node)->child);
  prc_delete(&(*node)->key);
  prc_delete(&(*node)->text);
  prc_delete(node);
}

prc_node *prc_tree_child(const prc_node *block, const char *key) {
  if (!block || block->kind != PRC_NODE_BLOCK) return NULL;
  for (size_t i = 0; i < block->n_children; i++)
    if (strcmp(block->child[i]->key, key) == 0) return block->child[i];
  return NULL;
}

/* The parent takes the child over. */
static prc_status adopt(prc_node *parent, prc_node **child, prc_error *err) {
  const prc_status status =
      prc_grow(&parent->child, &parent->capacity, parent->n_children + 1, sizeof *parent->child, err);
  if (status == PRC_OK) parent->child[parent->n_children++] = *child, *child = NULL;
  return status;
}

/* ---- from YAML ----------------------------------------------------------------------------------------- */

static void mute(struct fy_diag *diag, void *user, const char *text, size_t length) {
  (void)diag, (void)user, (void)text, (void)length; /* errors are collected instead */
}

static struct fy_diag *quiet_diag(void) {
  struct fy_diag_cfg cfg;
  fy_diag_cfg_default(&cfg);
  cfg.fp = NULL;
  cfg.output_fn = mute;
  cfg.colorize = false;
  struct fy_diag *diag = fy_diag_create(&cfg);
  if (diag) fy_diag_set_collect_errors(diag, true);
  return diag;
}

static prc_status refuse_syntax(const reader *r, struct fy_diag *diag, prc_error *err) {
  void *next = NULL;
  const struct fy_diag_error *e = fy_diag_errors_iterate(diag, &next);
  prc_case_place at = {0};
  if (r->inside)
    at = *r->inside;
  else if (e)
    at.line = e->line, at.column = e->column;
  const char *expected = "valid YAML: 'key: value', with what holds blanks, colons or commas in quotes";
  if (e && strcmp(e->msg, "duplicate key") == 0) expected = "it once";
  if (e && strstr(e->msg, "indent"))
    expected = "the keys of one block to begin in the same column, behind blanks, each with its ':'";
  return prc_case_fail(r->c, &at, err, "%s, expected %s", e ? e->msg : "this cannot be parsed", expected);
}

static int in_quotes(struct fy_node *node) {
  const enum fy_node_style style = node ? fy_node_get_style(node) : FYNS_PLAIN;
  return style == FYNS_SINGLE_QUOTED || style == FYNS_DOUBLE_QUOTED;
}

/* Marks count from 0, and stand behind the quote or the star of an alias. */
static prc_case_place place_of(const reader *r, struct fy_node *from, const prc_case_place *otherwise) {
  if (r->inside) return *r->inside;
  prc_case_place place = *otherwise;
  struct fy_token *token = from && fy_node_is_scalar(from) ? fy_node_get_scalar_token(from) : NULL;
  const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
  if (!mark || fy_token_get_text_length(token) == 0) return place;
  place.line = mark->line + 1;
  place.column = mark->column + (in_quotes(from) || fy_node_is_alias(from) ? 0 : 1);
  return place;
}

static prc_status copy_scalar(const reader *r, struct fy_node *from, const prc_case_place *at, char **out,
                              prc_error *err) {
  size_t length = 0;
  const char *text = from ? fy_node_get_scalar(from, &length) : NULL;
  if (text && memchr(text, '\0', length))
    return prc_case_fail(r->c, at, err, "a NUL character, expected text");
  const prc_status status = prc_new(out, length + 1, err);
  if (status == PRC_OK && length) memcpy(*out, text, length);
  return status;
}

static prc_status convert(reader *r, struct fy_node *from, const char *key, const prc_case_place *key_at,
                          prc_node **out, prc_error *err);

static prc_status convert_list(reader *r, struct fy_node *from, prc_node *list, prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *item = NULL;
  void *next = NULL;
  struct fy_node *f;
  while ((f = fy_node_sequence_iterate(from, &next))) {
    prc_try(convert(r, f, NULL, &list->at, &item, err));
    if (item->n_children > 0) item->at = item->key_at = item->child[0]->at; /* a list in a list has no key */
    prc_try(adopt(list, &item, err));
  }
done:
  prc_tree_free(&item);
  return status;
}

static prc_status convert_pair(reader *r, struct fy_node_pair *pair, prc_node *block, prc_error *err) {
  prc_status status = PRC_OK;
  char *key = NULL;
  prc_node *value = NULL;
  struct fy_node *k = fy_node_pair_key(pair);
  const prc_case_place at = place_of(r, k, &block->at);
  if (!k || !fy_node_is_scalar(k) || fy_node_is_alias(k))
    return prc_case_fail(r->c, &at, err, "a key that is not a plain name, expected 'name: value'");
  prc_try(copy_scalar(r, k, &at, &key, err));
  if (!key[0]) prc_try(prc_case_fail(r->c, &at, err, "an empty key, expected 'name: value'"));
  if (prc_tree_child(block, key))
    prc_try(prc_case_fail(r->c, &at, err, "duplicate key '%s', expected it once", key));
  prc_try(convert(r, fy_node_pair_value(pair), key, &at, &value, err));
  prc_try(adopt(block, &value, err));
done:
  prc_delete(&key);
  prc_tree_free(&value);
  return status;
}

static prc_status convert_block(reader *r, struct fy_node *from, prc_node *block, prc_error *err) {
  prc_status status = PRC_OK;
  void *next = NULL;
  struct fy_node_pair *pair;
  while ((pair = fy_node_mapping_iterate(from, &next))) prc_try(convert_pair(r, pair, block, err));
done:
  return status;
}

static prc_status fill(reader *r, struct fy_node *from, prc_node *node, prc_error *err) {
  if (from && fy_node_is_sequence(from)) {
    node->kind = PRC_NODE_LIST;
    return convert_list(r, from, node, err);
  }
  if (from && fy_node_is_mapping(from)) {
    node->kind = PRC_NODE_BLOCK;
    return convert_block(r, from, node, err);
  }
  node->quoted = in_quotes(from);
  return copy_scalar(r, from, &node->at, &node->text, err);
}

static prc_status convert(reader *r, struct fy_node *from, const char *key, const prc_case_place *key_at,
                          prc_node **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *node = NULL;
  if (++r->n_nodes > MAX_NODES)
    return prc_case_fail(r->c, key_at, err, "more than %d values", (int)MAX_NODES);
  if (++r->depth > MAX_DEPTH)
    return prc_case_fail(r->c, key_at, err, "nested more than %d deep", (int)MAX_DEPTH);
  prc_try(prc_new(&node, 1, err));
  if (key) prc_try(prc_strdup(key, &node->key, err));
  node->key_at = *key_at;
  node->at = place_of(r, from, key_at);
  if (!key) node->key_at = node->at;
  if (from && fy_node_is_alias(from) && !(from = fy_node_resolve_alias(from)))
    prc_try(prc_case_fail(r->c, &node->at, err,
                          "an alias of nothing, expected an anchor of that name before it"));
  prc_try(fill(r, from, node, err));
  r->depth--;
  *out = node, node = NULL;
done:
  prc_tree_free(&node);
  return status;
}

static prc_status convert_document(const prc_case *c, struct fy_document *document,
                                   const prc_case_place *inside, prc_node **out, prc_error *err) {
  reader r = {.c = c, .inside = inside};
  const prc_case_place start = {.line = 1, .column = 1};
  struct fy_node *root = document ? fy_document_root(document) : NULL;
  if (!root) return PRC_OK;
  return convert(&r, root, NULL, inside ? inside : &start, out, err);
}

static prc_status parse_documents(const prc_case *c, struct fy_parser *parser, struct fy_diag *diag,
                                  const prc_case_place *inside, prc_node **out, prc_error *err) {
  const reader r = {.c = c, .inside = inside};
  struct fy_document *document = fy_parse_load_document(parser);
  if (!document && fy_diag_got_error(diag)) return refuse_syntax(&r, diag, err);
  const prc_status status = convert_document(c, document, inside, out, err);
  if (document) fy_parse_document_destroy(parser, document);
  if (status != PRC_OK) return status;
  struct fy_document *second = fy_parse_load_document(parser);
  if (!second && fy_diag_got_error(diag)) return refuse_syntax(&r, diag, err);
  if (!second) return PRC_OK;
  fy_parse_document_destroy(parser, second);
  return prc_case_fail(c, inside ? inside : &(prc_case_place){0}, err,
                       "several YAML documents, expected one");
}

static prc_status parse_here(const prc_case *c, const char *text, const prc_case_place *inside,
                             prc_node **out, prc_error *err) {
  prc_status status = PRC_OK;
  struct fy_diag *diag = quiet_diag();
  const struct fy_parse_cfg cfg = {.diag = diag, .flags = FYPCF_DEFAULT_PARSE};
  struct fy_parser *parser = diag ? fy_parser_create(&cfg) : NULL;
  *out = NULL;
  if (!parser || fy_parser_set_string(parser, text, strlen(text)) != 0)
    status = prc_fail(err, PRC_NOMEM, "out of memory");
  else
    status = parse_documents(c, parser, diag, inside, out, err);
  if (status != PRC_OK) prc_tree_free(out);
  if (parser) fy_parser_destroy(parser);
  if (diag) fy_diag_destroy(diag);
  return status;
}

/* libfyaml never comes to the end of some texts with a directive; a case has no use for one. */
static prc_status refuse_directives(const prc_case *c, const char *text, const prc_case_place *inside,
                                    prc_error *err) {
  prc_case_place at = {.line = 1, .column = 1};
  for (const char *line = text; line; at.line++) {
    if (*line == '%')
      return prc_case_fail(c, inside ? inside : &at, err,
                           "a line begins with '%%', expected no YAML directives; put such a text in quotes");
    line = strchr(line, '\n');
    if (line) line++;
  }
  return PRC_OK;
}

prc_status prc_tree_parse(const prc_case *c, const char *text, const prc_case_place *inside, prc_node **out,
                          prc_error *err) {
  *out = NULL;
  const prc_status status = refuse_directives(c, text, inside, err);
  return status == PRC_OK ? parse_here(c, text, inside, out, err) : status;
}

/* ---- dotted paths -------------------------------------------------------------------------------------- */

/* The child whose key begins the path (the longest one) and what follows it. */
static prc_node *step_down(const prc_node *block, const char *path, const char **rest) {
  prc_node *found = NULL;
  size_t longest = 0;
  if (block->kind != PRC_NODE_BLOCK) return NULL;
  for (size_t i = 0; i < block->n_children; i++) {
    const char *key = block->child[i]->key;
    const size_t length = strlen(key);
    if (length < longest || strncmp(path, key, length) != 0) continue;
    if (path[length] == '.' || path[length] == '\0') found = block->child[i], longest = length;
  }
  if (found) *rest = path + longest + (path[longest] == '.');
  return found;
}

prc_node *prc_tree_walk(prc_node *root, const char *path, const char **rest) {
  prc_node *node = root, *child;
  *rest = path;
  while (**rest && (child = step_down(node, *rest, rest))) node = child;
  return node;
}

static prc_status new_block(const char *key, size_t length, const prc_case_place *place, prc_node **out,
                            prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *node = NULL;
  prc_try(prc_new(&node, 1, err));
  prc_try(prc_new(&node->key, length + 1, err));
  memcpy(node->key, key, length);
  node->kind = PRC_NODE_BLOCK;
  node->at = node->key_at = *place;
  *out = node, node = NULL;
done:
  prc_tree_free(&node);
  return status;
}

/* node keeps its name and its owner and takes the content of value */
static void replace(prc_node *node, prc_node **value) {
  prc_node old = *node;
  *node = **value;
  **value = old;
  char *name = node->key;
  node->key = (*value)->key;
  (*value)->key = name;
  prc_tree_free(value);
}

/* What is missing of the path becomes blocks; the last one is returned. */
static prc_status make_path(prc_node *node, const char *rest, const prc_case_place *place, prc_node **out,
                            prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *block = NULL;
  while (*rest) {
    const size_t length = strcspn(rest, ".");
    prc_try(new_block(rest, length, place, &block, err));
    prc_node *const next = block;
    prc_try(adopt(node, &block, err));
    node = next;
    rest += length + (rest[length] == '.');
  }
  *out = node;
done:
  prc_tree_free(&block);
  return status;
}

static int is_empty_text(const prc_node *node) {
  return node->kind == PRC_NODE_TEXT && !node->quoted && !node->text[0];
}

prc_status prc_tree_put(const prc_case *c, prc_node *root, const char *path, const prc_case_place *place,
                        prc_node **value, prc_error *err) {
  prc_status status = PRC_OK;
  const char *rest;
  prc_node *node = prc_tree_walk(root, path, &rest);
  if (*rest && is_empty_text(node)) node->kind = PRC_NODE_BLOCK; /* "probes:" with nothing in it */
  if (*rest && node->kind != PRC_NODE_BLOCK)
    return prc_case_fail(c, place, err, "'%s' is below a %s, expected a key of a block", rest,
                         node->kind == PRC_NODE_LIST ? "list (set the list as a whole)" : "value");
  prc_try(make_path(node, rest, place, &node, err));
  replace(node, value);
done:
  return status;
}

/* ---- back to YAML -------------------------------------------------------------------------------------- */

/* May it stand without quotes, in a list too? */
static int is_plain(const prc_node *node, const char *text) {
  static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-*()^<>";
  if (node && node->quoted) return 0;
  if (!text[0]) return node != NULL;
  if (strchr("*<>-?./+", text[0]) && !(text[0] == '-' && text[1] >= '0' && text[1] <= '9') && text[0] != '.')
    return 0;
  return text[strspn(text, safe)] == '\0' && strcmp(text, "...") != 0;
}

static prc_status add_scalar(prc_text *out, const prc_node *node, const char *text, prc_error *err) {
  prc_status status = PRC_OK;
  if (is_plain(node, text)) return prc_text_add(out, err, "%s", text);
  prc_try(prc_text_add(out, err, "\""));
  for (const char *s = text; *s; s++) {
    const unsigned char ch = (unsigned char)*s;
    if (ch < 0x20 || ch == 0x7f)
      prc_try(prc_text_add(out, err, "\\x%02x", ch));
    else
      prc_try(prc_text_add(out, err, ch == '"' || ch == '\\' ? "\\%c" : "%c", ch));
  }
  prc_try(prc_text_add(out, err, "\""));
done:
  return status;
}

/* On one line: lists, and what is inside them. */
static prc_status add_flow(prc_text *out, const prc_node *node, prc_error *err) {
  prc_status status = PRC_OK;
  if (node->kind == PRC_NODE_TEXT) return add_scalar(out, node, node->text, err);
  const int list = node->kind == PRC_NODE_LIST;
  prc_try(prc_text_add(out, err, list ? "[" : "{"));
  for (size_t i = 0; i < node->n_children; i++) {
    if (i) prc_try(prc_text_add(out, err, ", "));
    if (!list) prc_try(add_scalar(out, NULL, node->child[i]->key, err));
    if (!list) prc_try(prc_text_add(out, err, ": "));
    prc_try(add_flow(out, node->child[i], err));
  }
  prc_try(prc_text_add(out, err, list ? "]" : "}"));
done:
  return status;
}

static prc_status add_block(prc_text *out, const prc_node *block, int indent, prc_error *err) {
  prc_status status = PRC_OK;
  for (size_t i = 0; i < block->n_children; i++) {
    const prc_node *child = block->child[i];
    const int nested = child->kind == PRC_NODE_BLOCK && child->n_children;
    prc_try(prc_text_add(out, err, "%*s", indent, ""));
    prc_try(add_scalar(out, NULL, child->key, err));
    prc_try(prc_text_add(out, err, nested ? ":\n" : ": "));
    if (nested) {
      prc_try(add_block(out, child, indent + 2, err));
      continue;
    }
    prc_try(add_flow(out, child, err));
    prc_try(prc_text_add(out, err, "\n"));
  }
done:
  return status;
}

prc_status prc_tree_text(const prc_node *root, prc_text *out, prc_error *err) {
  return add_block(out, root, 0, err);
}

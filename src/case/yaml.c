#include "config.h"
#include "case/internal.h"

#include <libfyaml.h>

#include <stdio.h>
#include <string.h>

/* YAML into the tree. What a user wrote is parsed in a process of its own: libfyaml may hang or write where it should not when
 * a text is made to that end, and what comes back is ours. */

enum { MAX_DEPTH = 32, MAX_NODES = 100000 }; /* an alias may stand for a block that holds further aliases */

typedef struct {
  const prc_case *c;
  const prc_case_place *inside;
  int depth, n_nodes;
} reader;

/* ---- libfyaml ------------------------------------------------------------------------------------------ */

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
  if (!mark || (fy_token_get_text_length(token) == 0 && !in_quotes(from))) return place;
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
    prc_try(prc_tree_adopt(list, &item, err));
  }
done:
  prc_tree_free(&item);
  return status;
}

/* A key that is there twice libfyaml has refused. */
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
  prc_try(convert(r, fy_node_pair_value(pair), key, &at, &value, err));
  prc_try(prc_tree_adopt(block, &value, err));
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

prc_status prc_tree_parse_here(const prc_case *c, const char *text, const prc_case_place *inside,
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

/* Lines end with LF, CR or both, as in YAML. */
static const char *next_line(const char *line) {
  line += strcspn(line, "\r\n");
  if (line[0] == '\r' && line[1] == '\n') line++;
  return *line ? line + 1 : NULL;
}

/* libfyaml never comes to the end of some texts with a directive; a case has no use for one. */
static prc_status refuse_directives(const prc_case *c, const char *text, const prc_case_place *inside,
                                    prc_error *err) {
  prc_case_place at = {.line = 1, .column = 1};
  for (const char *line = text; line; at.line++) {
    if (*line == '%')
      return prc_case_fail(c, inside ? inside : &at, err,
                           "a line begins with '%%', expected no YAML directives; put such a text in quotes");
    line = next_line(line);
  }
  return PRC_OK;
}

/* ---- the tree as bytes, and back ----------------------------------------------------------------------- */

/* What stands before the key, the text and the children of a node. */
typedef struct {
  prc_node_kind kind;
  int quoted, has_key, line, column, key_line, key_column;
  size_t key_length, text_length, n_children;
} head;

static prc_status send_node(const prc_node *node, prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  head h; /* its padding is sent too */
  memset(&h, 0, sizeof h);
  h.kind = node->kind, h.quoted = node->quoted, h.has_key = node->key != NULL;
  h.line = node->at.line, h.column = node->at.column;
  h.key_line = node->key_at.line, h.key_column = node->key_at.column;
  h.key_length = node->key ? strlen(node->key) : 0;
  h.text_length = node->text ? strlen(node->text) : 0;
  h.n_children = node->n_children;
  prc_try(prc_bytes_put(out, &h, sizeof h, err));
  prc_try(prc_bytes_put(out, node->key, h.key_length, err));
  prc_try(prc_bytes_put(out, node->text, h.text_length, err));
  for (size_t i = 0; i < node->n_children; i++) prc_try(send_node(node->child[i], out, err));
done:
  return status;
}

static prc_status refuse_answer(prc_error *err) {
  return prc_fail(err, PRC_INPUT, "what was read of it cannot be understood");
}

/* n characters, as text. */
static prc_status take_text(prc_bytes *in, size_t n, char **out, prc_error *err) {
  if (n > in->used - in->taken) return refuse_answer(err);
  const prc_status status = prc_new(out, n + 1, err);
  if (status == PRC_OK) (void)prc_bytes_take(in, *out, n); /* there are as many */
  return status;
}

/* inside: see prc_tree_parse; depth: how many may still stand inside each other. */
static prc_status take_node(prc_bytes *in, const prc_case_place *inside, int depth, prc_node **out,
                            prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *node = NULL, *child = NULL;
  head h;
  if (depth == 0 || !prc_bytes_take(in, &h, sizeof h)) return refuse_answer(err);
  prc_try(prc_new(&node, 1, err));
  node->kind = h.kind, node->quoted = h.quoted;
  node->at = inside ? *inside : (prc_case_place){.line = h.line, .column = h.column};
  node->key_at = inside ? *inside : (prc_case_place){.line = h.key_line, .column = h.key_column};
  if (h.has_key) prc_try(take_text(in, h.key_length, &node->key, err));
  if (h.kind == PRC_NODE_TEXT) prc_try(take_text(in, h.text_length, &node->text, err));
  for (size_t i = 0; i < h.n_children; i++) {
    prc_try(take_node(in, inside, depth - 1, &child, err));
    prc_try(prc_tree_adopt(node, &child, err));
  }
  *out = node, node = NULL;
done:
  prc_tree_free(&child);
  prc_tree_free(&node);
  return status;
}

/* ---- apart --------------------------------------------------------------------------------------------- */

typedef struct {
  const prc_case *c;
  const char *text;
  const prc_case_place *inside;
} parsing;

static prc_status parse_and_send(void *data, prc_bytes *out, prc_error *err) {
  const parsing *p = data;
  prc_status status = PRC_OK;
  prc_node *root = NULL;
  prc_try(prc_tree_parse_here(p->c, p->text, p->inside, &root, err));
  if (root) prc_try(send_node(root, out, err));
done:
  prc_tree_free(&root);
  return status;
}

prc_status prc_tree_parse(const prc_case *c, const char *text, const prc_case_place *inside, prc_node **out,
                          prc_error *err) {
  enum { PATIENCE = 60 }; /* seconds */
  prc_status status = PRC_OK;
  prc_bytes bytes = {0};
  char where[4096], what[4096 + 16];
  parsing p = {c, text, inside};
  *out = NULL;
  prc_case_place_text(c, inside ? inside : &(prc_case_place){0}, where, sizeof where);
  snprintf(what, sizeof what, "%s: reading it", where);
  const prc_apart_limits limits = {
      .what = what, .memory = 256e6 + 200.0 * (double)strlen(text), .seconds = PATIENCE};
  prc_try(refuse_directives(c, text, inside, err));
  prc_try(prc_apart(&limits, parse_and_send, &p, &bytes, err));
  if (bytes.used > bytes.taken) status = take_node(&bytes, inside, MAX_DEPTH + 1, out, err);
  if (status == PRC_INPUT) prc_error_context(err, "%s", where);
done:
  prc_delete(&bytes.at);
  return status;
}

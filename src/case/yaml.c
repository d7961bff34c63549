#include "config.h"
#include "case/internal.h"

#include <libfyaml.h>

#include <stdio.h>
#include <string.h>

/* YAML into the tree, from the events of libfyaml. */

enum { MAX_NODES = 2000000 };

typedef struct {
  const prc_case *c;
  const prc_case_place *inside;
  struct fy_diag *diag;
  struct fy_parser *parser;
  int depth, n_nodes;
} reader;

/* ---- libfyaml ------------------------------------------------------------------------------------------ */

static void discard(struct fy_diag *diag, void *user, const char *text, size_t length) {
  (void)diag, (void)user, (void)text, (void)length; /* errors are collected instead */
}

static struct fy_diag *create_diag(void) {
  struct fy_diag_cfg cfg;
  fy_diag_cfg_default(&cfg);
  cfg.fp = NULL;
  cfg.output_fn = discard;
  cfg.colorize = false;
  struct fy_diag *diag = fy_diag_create(&cfg);
  if (diag) fy_diag_set_collect_errors(diag, true);
  return diag;
}

static prc_status refuse_syntax(const reader *r, prc_error *err) {
  void *next = NULL;
  const struct fy_diag_error *e = fy_diag_errors_iterate(r->diag, &next);
  prc_case_place at = {0};
  if (r->inside)
    at = *r->inside;
  else if (e)
    at.line = e->line, at.column = e->column;
  if (e && strstr(e->msg, "tab ") && strstr(e->msg, "indent"))
    return prc_case_fail(r->c, &at, err, "tabs cannot indent YAML: line %d, expected blanks", at.line);
  const char *expected = "valid YAML: 'key: value', with what holds blanks, colons or commas in quotes";
  if (e && strstr(e->msg, "indent"))
    expected = "the keys of one block to begin in the same column, behind blanks, each with its ':'";
  return prc_case_fail(r->c, &at, err, "%s, expected %s", e ? e->msg : "this cannot be parsed", expected);
}

/* Events and not documents, in which libfyaml compares every key and every anchor with all before it. NULL at
 * the end. */
static prc_status next_event(const reader *r, struct fy_event **event, prc_error *err) {
  *event = fy_parser_parse(r->parser);
  if (!*event && (fy_parser_get_stream_error(r->parser) || fy_diag_got_error(r->diag)))
    return refuse_syntax(r, err);
  return PRC_OK;
}

/* ---- texts and places ---------------------------------------------------------------------------------- */

static int is_quoted(struct fy_token *token) {
  const enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
  return style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
}

/* Marks count from 0, and stand behind the quote, the star or the ampersand. */
static prc_case_place place_of_token(const reader *r, struct fy_token *token, int behind,
                                     const prc_case_place *otherwise) {
  const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
  if (r->inside) return *r->inside;
  if (!mark) return *otherwise;
  return (prc_case_place){.line = mark->line + 1, .column = mark->column + !behind};
}

/* Where a value stands: blocks, lists and what is empty have no place of their own. */
static prc_case_place place_of(const reader *r, struct fy_event *event, const prc_case_place *otherwise) {
  struct fy_token *token = event->type == FYET_SCALAR ? event->scalar.value : NULL;
  if (event->type == FYET_ALIAS) return place_of_token(r, event->alias.anchor, 1, otherwise);
  if (!token || (fy_token_get_text_length(token) == 0 && !is_quoted(token)))
    return r->inside ? *r->inside : *otherwise;
  return place_of_token(r, token, is_quoted(token), otherwise);
}

static prc_status copy_scalar(const reader *r, struct fy_event *event, const prc_case_place *at, char **out,
                              prc_error *err) {
  size_t length = 0;
  const char *text = event->scalar.value ? fy_token_get_text(event->scalar.value, &length) : NULL;
  if (text && memchr(text, '\0', length))
    return prc_case_fail(r->c, at, err, "a NUL character, expected text");
  const prc_status status = prc_new(out, length + 1, err);
  if (status == PRC_OK && text) memcpy(*out, text, length);
  return status;
}

/* Features of YAML that a case does not allow: a value by reference, a type by name. */
static prc_status refuse_extras(const reader *r, struct fy_event *event, const prc_case_place *at,
                                prc_error *err) {
  struct fy_token *tag = fy_event_get_tag_token(event), *anchor = fy_event_get_anchor_token(event);
  if (event->type == FYET_ALIAS)
    return prc_case_fail(r->c, at, err,
                         "an alias, expected the value itself; a text that begins with '*' in quotes");
  if (anchor) {
    const prc_case_place place = place_of_token(r, anchor, 1, at);
    return prc_case_fail(
        r->c, &place, err,
        "an anchor, expected none: there are no aliases; a text that begins with '&' in quotes");
  }
  if (tag) {
    const prc_case_place place = place_of_token(r, tag, 0, at);
    return prc_case_fail(r->c, &place, err,
                         "a tag, expected values without; a text that begins with '!' in quotes");
  }
  return PRC_OK;
}

/* ---- values -------------------------------------------------------------------------------------------- */

static prc_status convert(reader *r, struct fy_event *event, const char *key, const prc_case_place *key_at,
                          prc_node **out, prc_error *err);

/* The next event of a list or block; NULL: its end. */
static prc_status next_inside(const reader *r, struct fy_event **event, prc_error *err) {
  const prc_status status = next_event(r, event, err);
  if (status != PRC_OK) return status;
  if (!*event) return refuse_syntax(r, err);
  if ((*event)->type != FYET_SEQUENCE_END && (*event)->type != FYET_MAPPING_END) return PRC_OK;
  fy_parser_event_free(r->parser, *event);
  *event = NULL;
  return PRC_OK;
}

static prc_status convert_list(reader *r, prc_node *list, prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *item = NULL;
  struct fy_event *event = NULL;
  for (;;) {
    prc_try(next_inside(r, &event, err));
    if (!event) break;
    prc_try(convert(r, event, NULL, &list->at, &item, err));
    if (item->n_children > 0) item->at = item->key_at = item->child[0]->at; /* a list in a list has no key */
    prc_try(prc_tree_add_child(list, &item, err));
  }
done:
  prc_tree_free(&item);
  return status;
}

static prc_status refuse_twice(const reader *r, const prc_node *first, const char *key,
                               const prc_case_place *at, prc_error *err) {
  char where[64] = "";
  if (!r->inside) snprintf(where, sizeof where, ": the first is in line %d", first->key_at.line);
  return prc_case_fail(r->c, at, err, "the key '%s' is there twice, expected it once%s", key, where);
}

/* The key of a pair, which is in no block yet, from its event. */
static prc_status read_key(const reader *r, struct fy_event *event, const prc_node *block, char **key,
                           prc_case_place *at, prc_error *err) {
  prc_status status = PRC_OK;
  *at = place_of(r, event, &block->at);
  if (event->type != FYET_SCALAR)
    return prc_case_fail(r->c, at, err, "a key that is not a plain name, expected 'name: value'");
  prc_try(refuse_extras(r, event, at, err));
  prc_try(copy_scalar(r, event, at, key, err));
  if (!(*key)[0]) return prc_case_fail(r->c, at, err, "an empty key, expected 'name: value'");
  const prc_node *first = prc_tree_child(block, *key);
  if (first) status = refuse_twice(r, first, *key, at, err);
done:
  return status;
}

static prc_status convert_pair(reader *r, struct fy_event *event, prc_node *block, prc_error *err) {
  prc_case_place at;
  char *key = NULL;
  prc_node *value = NULL;
  prc_status status = read_key(r, event, block, &key, &at, err);
  fy_parser_event_free(r->parser, event);
  if (status == PRC_OK) prc_try(next_event(r, &event, err));
  if (status == PRC_OK && !event) status = refuse_syntax(r, err);
  if (status != PRC_OK) goto done;
  prc_try(convert(r, event, key, &at, &value, err));
  prc_try(prc_tree_add_child(block, &value, err));
done:
  prc_delete(&key);
  prc_tree_free(&value);
  return status;
}

static prc_status convert_block(reader *r, prc_node *block, prc_error *err) {
  prc_status status = PRC_OK;
  struct fy_event *event = NULL;
  for (;;) {
    prc_try(next_inside(r, &event, err));
    if (!event) break;
    prc_try(convert_pair(r, event, block, err));
  }
done:
  return status;
}

static prc_status fill_node(const reader *r, struct fy_event *event, const char *key,
                            const prc_case_place *key_at, prc_node *node, prc_error *err) {
  prc_status status = PRC_OK;
  if (key) prc_try(prc_strdup(key, &node->key, err));
  node->key_at = *key_at;
  node->at = place_of(r, event, key_at);
  if (!key) node->key_at = node->at;
  prc_try(refuse_extras(r, event, &node->at, err));
  node->kind = event->type == FYET_SEQUENCE_START  ? PRC_NODE_LIST
               : event->type == FYET_MAPPING_START ? PRC_NODE_BLOCK
                                                   : PRC_NODE_TEXT;
  if (node->kind != PRC_NODE_TEXT) goto done;
  node->quoted = is_quoted(event->scalar.value);
  status = copy_scalar(r, event, &node->at, &node->text, err);
done:
  return status;
}

/* The value that begins with the event, which is freed. */
static prc_status convert(reader *r, struct fy_event *event, const char *key, const prc_case_place *key_at,
                          prc_node **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *node = NULL;
  if (++r->n_nodes > MAX_NODES)
    prc_try(prc_case_fail(r->c, key_at, err, "more than %d values", (int)MAX_NODES));
  if (++r->depth > PRC_TREE_DEPTH)
    prc_try(prc_case_fail(r->c, key_at, err, "nested more than %d deep", PRC_TREE_DEPTH));
  prc_try(prc_new(&node, 1, err));
  prc_try(fill_node(r, event, key, key_at, node, err));
  if (node->kind == PRC_NODE_LIST) prc_try(convert_list(r, node, err));
  if (node->kind == PRC_NODE_BLOCK) prc_try(convert_block(r, node, err));
  r->depth--;
  *out = node, node = NULL;
done:
  fy_parser_event_free(r->parser, event);
  prc_tree_free(&node);
  return status;
}

/* ---- documents ----------------------------------------------------------------------------------------- */

/* An event outside all values: the start or the end of a document or of the text, or the value of a
 * document. */
static prc_status read_outer(reader *r, struct fy_event *event, int *n_documents, prc_node **out,
                             prc_error *err) {
  const prc_case_place start = {.line = 1, .column = 1};
  switch (event->type) {
  case FYET_SCALAR:
  case FYET_SEQUENCE_START:
  case FYET_MAPPING_START:
  case FYET_ALIAS:
    return convert(r, event, NULL, r->inside ? r->inside : &start, out, err);
  default:
    break;
  }
  const int second = event->type == FYET_DOCUMENT_START && ++*n_documents > 1;
  const prc_case_place at =
      second ? place_of_token(r, event->document_start.document_start, 0, &start) : start;
  fy_parser_event_free(r->parser, event);
  return second ? prc_case_fail(r->c, &at, err, "several YAML documents, expected one") : PRC_OK;
}

static prc_status parse_events(reader *r, prc_node **out, prc_error *err) {
  prc_status status = PRC_OK;
  struct fy_event *event = NULL;
  int n_documents = 0;
  for (;;) {
    prc_try(next_event(r, &event, err));
    if (!event) break;
    prc_try(read_outer(r, event, &n_documents, out, err));
  }
done:
  return status;
}

prc_status prc_tree_parse_text(const prc_case *c, const char *text, const prc_case_place *inside,
                               prc_node **out, prc_error *err) {
  prc_status status = PRC_OK;
  reader r = {.c = c, .inside = inside, .diag = create_diag()};
  const struct fy_parse_cfg cfg = {.diag = r.diag, .flags = FYPCF_DEFAULT_PARSE};
  r.parser = r.diag ? fy_parser_create(&cfg) : NULL;
  *out = NULL;
  if (!r.parser || fy_parser_set_string(r.parser, text, strlen(text)) != 0)
    status = prc_fail(err, PRC_NOMEM, "out of memory");
  else
    status = parse_events(&r, out, err);
  if (status != PRC_OK) prc_tree_free(out);
  if (r.parser) fy_parser_destroy(r.parser);
  if (r.diag) fy_diag_destroy(r.diag);
  return status;
}

#include "config.h"
#include "case/internal.h"

#include <stdio.h>
#include <string.h>

/* The user's text is parsed in a process of its own: libfyaml may hang or corrupt memory on malicious text.
 * Only a checked copy of the tree comes back. */

/* ---- what is refused before ---------------------------------------------------------------------------- */

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

/* Head of a node, before its key, its text and its children. */
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

static prc_status refuse_truncated(prc_error *err) {
  return prc_fail(err, PRC_INPUT, "what was read of it cannot be understood");
}

/* n characters, as text. */
static prc_status get_text(prc_bytes *in, size_t n, char **out, prc_error *err) {
  if (n > in->used - in->got) return refuse_truncated(err);
  const prc_status status = prc_new(out, n + 1, err);
  if (status == PRC_OK) (void)prc_bytes_get(in, *out, n); /* there are as many */
  return status;
}

/* inside: see prc_tree_parse; depth: how many may still stand inside each other. */
static prc_status get_node(prc_bytes *in, const prc_case_place *inside, int depth, prc_node **out,
                           prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *node = NULL, *child = NULL;
  head h;
  if (depth == 0 || !prc_bytes_get(in, &h, sizeof h)) return refuse_truncated(err);
  prc_try(prc_new(&node, 1, err));
  node->kind = h.kind, node->quoted = h.quoted;
  node->at = inside ? *inside : (prc_case_place){.line = h.line, .column = h.column};
  node->key_at = inside ? *inside : (prc_case_place){.line = h.key_line, .column = h.key_column};
  if (h.has_key) prc_try(get_text(in, h.key_length, &node->key, err));
  if (h.kind == PRC_NODE_TEXT) prc_try(get_text(in, h.text_length, &node->text, err));
  for (size_t i = 0; i < h.n_children; i++) {
    prc_try(get_node(in, inside, depth - 1, &child, err));
    prc_try(prc_tree_add_child(node, &child, err));
  }
  *out = node, node = NULL;
done:
  prc_tree_free(&child);
  prc_tree_free(&node);
  return status;
}

/* ---- in a child process -------------------------------------------------------------------------------- */

typedef struct {
  const prc_case *c;
  int n;
  const prc_tree_source *source;
  prc_node **out;
} parsing;

/* Of every text whether there is a tree, and the tree. */
static prc_status parse_and_send(void *data, prc_bytes *out, prc_error *err) {
  const parsing *p = data;
  prc_status status = PRC_OK;
  prc_node *root = NULL;
  for (int k = 0; k < p->n; k++) {
    prc_try(prc_tree_parse_text(p->c, p->source[k].text, p->source[k].inside, &root, err));
    prc_try(prc_bytes_put(out, &(char){root != NULL}, 1, err));
    if (root) prc_try(send_node(root, out, err));
    prc_tree_free(&root);
  }
done:
  prc_tree_free(&root);
  return status;
}

static prc_status get_trees(const parsing *p, prc_bytes *in, prc_error *err) {
  prc_status status = PRC_OK;
  char there = 0;
  for (int k = 0; k < p->n; k++) {
    if (!prc_bytes_get(in, &there, 1)) return refuse_truncated(err);
    if (there) prc_try(get_node(in, p->source[k].inside, PRC_TREE_DEPTH + 1, &p->out[k], err));
  }
done:
  return status;
}

static prc_status parse_in_subprocess(const parsing *p, prc_error *err) {
  enum { PATIENCE = 60 }; /* seconds */
  prc_status status = PRC_OK;
  prc_bytes bytes = {0};
  char where[4096], what[4096 + 16];
  double size = 0.0;
  prc_case_place_text(p->c, p->source->inside ? p->source->inside : &(prc_case_place){0}, where,
                      sizeof where);
  snprintf(what, sizeof what, "%s: reading it", where);
  for (int k = 0; k < p->n; k++) size += (double)strlen(p->source[k].text);
  const prc_subprocess_limits limits = {.what = what, .memory = 256e6 + 200.0 * size, .seconds = PATIENCE};
  parsing own = *p;
  prc_try(prc_subprocess_run(&limits, parse_and_send, &own, &bytes, err));
  status = get_trees(p, &bytes, err);
  if (status == PRC_INPUT) prc_error_context(err, "%s", where);
done:
  prc_delete(&bytes.at);
  return status;
}

/* One process for all texts; where that fails, for each half, so that the message is of the first text that
 * is wrong. */
static prc_status parse_halves(const parsing *p, prc_error *err) {
  prc_error inner = {0};
  const int half = p->n / 2;
  prc_status status = parse_in_subprocess(p, p->n > 1 ? &inner : err);
  if (status != PRC_INPUT || p->n == 1) {
    if (status != PRC_OK && p->n > 1) return prc_fail(err, status, "%s", inner.message);
    return status;
  }
  for (int k = 0; k < p->n; k++) prc_tree_free(&p->out[k]);
  const parsing first = {p->c, half, p->source, p->out};
  const parsing second = {p->c, p->n - half, p->source + half, p->out + half};
  prc_try(parse_halves(&first, err));
  prc_try(parse_halves(&second, err));
done:
  return status;
}

prc_status prc_tree_parse(const prc_case *c, int n, const prc_tree_source *source, prc_node **out,
                          prc_error *err) {
  prc_status status = PRC_OK;
  const parsing p = {c, n, source, out};
  for (int k = 0; k < n; k++) out[k] = NULL;
  for (int k = 0; k < n; k++) prc_try(refuse_directives(c, source[k].text, source[k].inside, err));
  if (n > 0) status = parse_halves(&p, err);
  for (int k = 0; status != PRC_OK && k < n; k++) prc_tree_free(&out[k]);
done:
  return status;
}

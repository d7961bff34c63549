#include "config.h"
#include "case/internal.h"

#include <stdio.h>
#include <string.h>

/* The tree is ours, not libfyaml's: its nodes lose their places when something is inserted. */

/* ---- nodes --------------------------------------------------------------------------------------------- */

void prc_tree_free(prc_node **node) {
  if (!*node) return;
  for (size_t i = 0; i < (*node)->n_children; i++) prc_tree_free(&(*node)->child[i]);
  prc_delete(&(*node)->child);
  prc_delete(&(*node)->slot);
  prc_delete(&(*node)->key);
  prc_delete(&(*node)->text);
  prc_delete(node);
}

/* ---- keys of a block ----------------------------------------------------------------------------------- */

/* Blocks of more than a few keys have a hash table of them, open addressed, with at least half of its places
 * empty: looking up all keys of a case takes a time that grows with their number and not with its square. */
enum { FEW = 8 };

static uint64_t hash_of(const char *key, size_t length) {
  return prc_hash(PRC_HASH_START, key, length);
}

static int has_key(const prc_node *node, const char *key, size_t length) {
  return strncmp(node->key, key, length) == 0 && node->key[length] == '\0';
}

/* The place of the key in the table, or the empty one where it belongs. */
static size_t place_of_key(const prc_node *block, const char *key, size_t length, uint64_t hash) {
  size_t k = hash & (block->n_slots - 1);
  while (block->slot[k] && !has_key(block->child[block->slot[k] - 1], key, length))
    k = (k + 1) & (block->n_slots - 1);
  return k;
}

/* The first of that key; -1: none. hash: that of the key. */
static ptrdiff_t find(const prc_node *block, const char *key, size_t length, uint64_t hash) {
  if (block->n_slots > 0) return (ptrdiff_t)block->slot[place_of_key(block, key, length, hash)] - 1;
  for (size_t i = 0; i < block->n_children; i++)
    if (has_key(block->child[i], key, length)) return (ptrdiff_t)i;
  return -1;
}

static void add_to_table(prc_node *block, size_t i) {
  const char *key = block->child[i]->key;
  const size_t length = strlen(key);
  size_t *slot = &block->slot[place_of_key(block, key, length, hash_of(key, length))];
  if (!*slot) *slot = i + 1;
}

/* The last child, new, into the table, which is made or doubled when it is time. */
static prc_status add_last_to_table(prc_node *block, prc_error *err) {
  prc_status status = PRC_OK;
  size_t *slot = NULL;
  if (block->n_children <= FEW) return PRC_OK;
  if (2 * block->n_children > block->n_slots) {
    size_t n = 4 * FEW;
    while (n < 4 * block->n_children) n *= 2;
    prc_try(prc_new(&slot, n, err));
    prc_delete(&block->slot);
    block->slot = slot, block->n_slots = n;
    for (size_t i = 0; i + 1 < block->n_children; i++) add_to_table(block, i);
  }
  add_to_table(block, block->n_children - 1);
done:
  return status;
}

ptrdiff_t prc_tree_position(const prc_node *block, const char *key) {
  if (!block || block->kind != PRC_NODE_BLOCK) return -1;
  const size_t length = strlen(key);
  return find(block, key, length, hash_of(key, length));
}

prc_node *prc_tree_child(const prc_node *block, const char *key) {
  const ptrdiff_t i = prc_tree_position(block, key);
  return i < 0 ? NULL : block->child[i];
}

prc_status prc_tree_add_child(prc_node *parent, prc_node **child, prc_error *err) {
  prc_status status =
      prc_grow(&parent->child, &parent->capacity, parent->n_children + 1, sizeof *parent->child, err);
  if (status != PRC_OK) return status;
  parent->child[parent->n_children++] = *child;
  if ((*child)->key) status = add_last_to_table(parent, err);
  if (status != PRC_OK)
    parent->n_children--;
  else
    *child = NULL;
  return status;
}

/* ---- dotted paths -------------------------------------------------------------------------------------- */

/* The child whose key begins the path (the longest one) and what follows it. */
static prc_node *step_down(const prc_node *block, const char *path, const char **rest) {
  prc_node *found = NULL;
  size_t length = 0, longest = 0;
  uint64_t hash = PRC_HASH_START;
  if (block->kind != PRC_NODE_BLOCK) return NULL;
  for (;; length++) {
    const int end = path[length] == '\0';
    const ptrdiff_t i = end || path[length] == '.' ? find(block, path, length, hash) : -1;
    if (i >= 0) found = block->child[i], longest = length;
    if (end) break;
    hash = prc_hash(hash, path + length, 1);
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

/* Creates the missing blocks of the path and returns the last one. */
static prc_status make_path(prc_node *node, const char *rest, const prc_case_place *place, prc_node **out,
                            prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *block = NULL;
  while (*rest) {
    const size_t length = strcspn(rest, ".");
    prc_try(new_block(rest, length, place, &block, err));
    prc_node *const next = block;
    prc_try(prc_tree_add_child(node, &block, err));
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
  int depth = 1;
  for (const char *dot = path; (dot = strchr(dot, '.')); dot++) depth++;
  if (depth > PRC_TREE_DEPTH) return prc_case_fail(c, place, err, "nested more than %d deep", PRC_TREE_DEPTH);
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

static prc_status add_scalar(prc_bytes *out, const prc_node *node, const char *text, prc_error *err) {
  prc_status status = PRC_OK;
  if (is_plain(node, text)) return prc_bytes_print(out, err, "%s", text);
  prc_try(prc_bytes_print(out, err, "\""));
  uint32_t code;
  for (const char *s = text, *next; *s; s = next) {
    next = prc_next_character(s, &code);
    if (code != PRC_NO_CHARACTER && prc_is_hidden(code))
      prc_try(prc_bytes_print(out, err,
                              code < 0x80      ? "\\x%02x"
                              : code <= 0xffff ? "\\u%04x"
                                               : "\\U%08x",
                              (unsigned)code));
    else
      prc_try(prc_bytes_print(out, err, *s == '"' || *s == '\\' ? "\\%.*s" : "%.*s", (int)(next - s), s));
  }
  prc_try(prc_bytes_print(out, err, "\""));
done:
  return status;
}

/* On one line: lists, and what is inside them. */
static prc_status add_flow(prc_bytes *out, const prc_node *node, prc_error *err) {
  prc_status status = PRC_OK;
  if (node->kind == PRC_NODE_TEXT) return add_scalar(out, node, node->text, err);
  const int list = node->kind == PRC_NODE_LIST;
  prc_try(prc_bytes_print(out, err, list ? "[" : "{"));
  for (size_t i = 0; i < node->n_children; i++) {
    if (i) prc_try(prc_bytes_print(out, err, ", "));
    if (!list) prc_try(add_scalar(out, NULL, node->child[i]->key, err));
    if (!list) prc_try(prc_bytes_print(out, err, ": "));
    prc_try(add_flow(out, node->child[i], err));
  }
  prc_try(prc_bytes_print(out, err, list ? "]" : "}"));
done:
  return status;
}

prc_status prc_tree_line(const prc_node *node, prc_bytes *out, prc_error *err) {
  return add_flow(out, node, err);
}

static prc_status add_block(prc_bytes *out, const prc_node *block, int indent, prc_error *err) {
  prc_status status = PRC_OK;
  for (size_t i = 0; i < block->n_children; i++) {
    const prc_node *child = block->child[i];
    const int nested = child->kind == PRC_NODE_BLOCK && child->n_children;
    prc_try(prc_bytes_print(out, err, "%*s", indent, ""));
    prc_try(add_scalar(out, NULL, child->key, err));
    prc_try(prc_bytes_print(out, err, nested ? ":\n" : ": "));
    if (nested) {
      prc_try(add_block(out, child, indent + 2, err));
      continue;
    }
    prc_try(add_flow(out, child, err));
    prc_try(prc_bytes_print(out, err, "\n"));
  }
done:
  return status;
}

prc_status prc_tree_text(const prc_node *root, prc_bytes *out, prc_error *err) {
  return add_block(out, root, 0, err);
}

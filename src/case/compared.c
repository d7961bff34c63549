#include "config.h"
#include "case/internal.h"

#include <stdio.h>
#include <string.h>

/* Differences between this case and that of another run, key by key. */

typedef struct {
  prc_case_difference *say;
  void *to;
  prc_error *err;
} comparison;

/* "0.10" and "1e-1" are one number. */
static int is_same_text(const prc_node *a, const prc_node *b) {
  char *end_a, *end_b;
  if (strcmp(a->text, b->text) == 0) return 1;
  const double x = prc_strtod(a->text, &end_a), y = prc_strtod(b->text, &end_b);
  return a->text[0] && b->text[0] && !*end_a && !*end_b && x == y;
}

static int is_same(const prc_node *a, const prc_node *b) {
  if (a->kind != b->kind) return 0;
  if (a->kind == PRC_NODE_TEXT) return is_same_text(a, b);
  if (a->n_children != b->n_children) return 0;
  for (size_t i = 0; i < a->n_children; i++) {
    const prc_node *other = a->kind == PRC_NODE_BLOCK ? prc_tree_child(b, a->child[i]->key) : b->child[i];
    if (!other || !is_same(a->child[i], other)) return 0;
  }
  return 1;
}

/* One line, cut where it is long. */
static prc_status tell(const comparison *k, const char *path, const prc_node *before, const prc_node *now) {
  enum { LONGEST = 100 };
  const prc_node *const node[] = {before, now};
  prc_bytes text[2] = {{0}, {0}};
  prc_status status = PRC_OK;
  for (int i = 0; i < 2; i++) {
    if (!node[i]) continue;
    prc_try(prc_tree_line(node[i], &text[i], k->err));
    prc_try(prc_bytes_put(&text[i], "", 1, k->err));
    if (strlen(text[i].at) > LONGEST) memcpy(text[i].at + LONGEST - 4, " ...", 5);
  }
  k->say(k->to, path, text[0].at, text[1].at);
done:
  for (int i = 0; i < 2; i++) prc_delete(&text[i].at);
  return status;
}

static prc_status compare(const comparison *k, const char *path, const prc_node *before, const prc_node *now);

static prc_status compare_child(const comparison *k, const char *path, const char *key,
                                const prc_node *before, const prc_node *now) {
  char longer[PRC_CASE_PATH];
  snprintf(longer, sizeof longer, "%s%s%s", path, *path ? "." : "", key);
  return compare(k, longer, before, now);
}

static prc_status compare(const comparison *k, const char *path, const prc_node *before,
                          const prc_node *now) {
  prc_status status = PRC_OK;
  if (before && now && is_same(before, now)) return PRC_OK;
  if (!before || !now || before->kind != PRC_NODE_BLOCK || now->kind != PRC_NODE_BLOCK)
    return tell(k, path, before, now);
  for (size_t i = 0; i < before->n_children; i++) {
    const char *key = before->child[i]->key;
    if (!*path && strcmp(key, "initial") == 0) continue; /* what it starts from differs always */
    prc_try(compare_child(k, path, key, before->child[i], prc_tree_child(now, key)));
  }
  for (size_t i = 0; i < now->n_children; i++) {
    const char *key = now->child[i]->key;
    if (prc_tree_child(before, key) || (!*path && strcmp(key, "initial") == 0)) continue;
    prc_try(compare_child(k, path, key, NULL, now->child[i]));
  }
done:
  return status;
}

/* run.json is JSON, which YAML has in it; the case is a text of YAML in there. */
prc_status prc_case_differences(const prc_case *c, const char *manifest, prc_case_difference *say, void *to,
                                prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *root = NULL, *other = NULL;
  const prc_tree_source of_manifest = {manifest, NULL};
  const comparison k = {say, to, err};
  prc_try(prc_tree_parse(c, 1, &of_manifest, &root, err));
  const prc_node *text = root ? prc_tree_child(root, "case") : NULL;
  if (!text || text->kind != PRC_NODE_TEXT)
    prc_try(prc_fail(err, PRC_INPUT, "there is no text 'case', expected the run.json of a run"));
  const prc_tree_source of_case = {text->text, NULL};
  prc_try(prc_tree_parse(c, 1, &of_case, &other, err));
  if (!other || other->kind != PRC_NODE_BLOCK)
    prc_try(prc_fail(err, PRC_INPUT, "'case' is no case, expected the run.json of a run"));
  status = compare(&k, "", other, c->store->root);
done:
  prc_tree_free(&root);
  prc_tree_free(&other);
  return status;
}

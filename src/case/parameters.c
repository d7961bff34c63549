#include "config.h"
#include "case/internal.h"
#include "case/taylor.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Parameters: numbers of the user's own, or formulas of other parameters, in any order but for circles. They are numbers before anything
 * else is read, so to a formula they are constants. */

enum { MOST = 1000 };

static const prc_node *block_of(const prc_case *c) {
  return prc_tree_child(c->store->root, "parameters");
}

static ptrdiff_t position_of(const prc_case *c, const char *name, size_t length) {
  char word[PRC_CASE_NAME + 1];
  const prc_node *block = c->n_parameters > 0 ? block_of(c) : NULL;
  if (!block || length > PRC_CASE_NAME) return -1;
  memcpy(word, name, length);
  word[length] = '\0';
  return prc_tree_position(block, word);
}

prc_case_parameter *prc_case_find_parameter(const prc_case *c, const char *name, size_t length) {
  const ptrdiff_t k = c ? position_of(c, name, length) : -1;
  return k < 0 ? NULL : &c->parameter[k];
}

/* ---- names ------------------------------------------------------------------------------------------------ */

static const char *meaning_of(const char *name) {
  static const char *const taken[][2] = {{"t", "the time"},
                                         {"x", "a coordinate"},
                                         {"y", "a coordinate"},
                                         {"z", "a coordinate"},
                                         {"i", "the number of a body of a set"},
                                         {"e", "2.718..."},
                                         {"pi", "3.14159..."},
                                         {"table", "a function"},
                                         {"linear", "a word of table()"},
                                         {"cubic", "a word of table()"},
                                         {"hold", "a word of table()"},
                                         {"and", "an operator"},
                                         {"or", "an operator"}};
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
    if (strcmp(taken[k][0], name) == 0) return taken[k][1];
  return prc_taylor_find(name, strlen(name)) ? "a function" : NULL;
}

static prc_status check_name(const prc_case *c, const prc_node *node, prc_error *err) {
  const char *name = node->key, *meaning = meaning_of(name);
  size_t length = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '_') length++;
  if (!isalpha((unsigned char)name[0]) || name[length] || length > PRC_CASE_NAME)
    return prc_case_fail(
        c, &node->key_at, err,
        "the parameter '%.100s', expected a name of letters, digits and _, that begins with a "
        "letter and has at most %d of them",
        name, (int)PRC_CASE_NAME);
  if (meaning)
    return prc_case_fail(c, &node->key_at, err,
                         "the parameter '%s', expected another name: in formulas it is %s", name, meaning);
  return PRC_OK;
}

/* ---- order -------------------------------------------------------------------------------------------------- */

typedef enum { NEW, OPEN, DONE } progress;
typedef struct {
  const prc_case *c;
  const prc_node *block;
  progress *state; /* of each parameter */
  int *order, n;   /* each behind those that its formula names */
  prc_error *err;
} sorting;

static prc_status refuse_circle(const sorting *s, int k) {
  char names[512] = "";
  for (int j = 0; j < s->c->n_parameters; j++)
    if (s->state[j] == OPEN)
      prc_append(names, sizeof names, "%s%s", *names ? ", " : "", s->block->child[j]->key);
  return prc_case_fail(s->c, &s->block->child[k]->at, s->err,
                       "parameters.%s depends on itself, by way of %s; expected formulas without a circle",
                       s->block->child[k]->key, names);
}

static prc_status visit(sorting *s, int k) {
  prc_status status = PRC_OK;
  const prc_node *node = s->block->child[k];
  size_t length;
  if (s->state[k] == DONE) return PRC_OK;
  if (s->state[k] == OPEN) return refuse_circle(s, k);
  s->state[k] = OPEN;
  for (const char *word = node->text; word && (word = prc_expression_word(word, &length)); word += length) {
    const ptrdiff_t other = position_of(s->c, word, length);
    if (other >= 0) prc_try(visit(s, (int)other));
  }
  s->state[k] = DONE;
  s->order[s->n++] = k;
done:
  return status;
}

/* ---- values ------------------------------------------------------------------------------------------------- */

static prc_status evaluate(prc_case *c, const prc_node *node, double *out, prc_error *err) {
  const prc_key key = {.parent = "parameters", .key = node->key, .type = PRC_KEY_NUMBER, .variables = ""};
  char shown[PRC_CASE_PATH];
  snprintf(shown, sizeof shown, "parameters.%s", node->key);
  const prc_value v = {.c = c, .key = &key, .node = node, .shown = shown, .err = err};
  return prc_value_number(&v, node, out);
}

static prc_status list_parameters(prc_case *c, const prc_node *block, prc_error *err) {
  prc_status status = PRC_OK;
  if (block->n_children > MOST)
    return prc_case_fail(c, &block->at, err, "%zu parameters, expected at most %d", block->n_children,
                         (int)MOST);
  prc_try(prc_new(&c->parameter, block->n_children, err));
  for (size_t k = 0; k < block->n_children; k++) {
    const prc_node *node = block->child[k];
    prc_case_parameter *p = &c->parameter[k];
    prc_try(check_name(c, node, err));
    p->place = node->at;
    prc_try(prc_case_strdup(c, node->key, &p->name, err));
    prc_try(prc_case_strdup(c, node->text ? node->text : "", &p->text, err));
  }
  c->n_parameters = (int)block->n_children;
done:
  return status;
}

prc_status prc_case_read_parameters(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_node *block = block_of(c);
  sorting s = {.c = c, .block = block, .err = err};
  if (!block || (block->kind == PRC_NODE_TEXT && !block->text[0])) return PRC_OK;
  if (block->kind != PRC_NODE_BLOCK)
    return prc_case_fail(c, &block->at, err,
                         "parameters is no block, expected names with numbers or formulas: {v0: 3, mu: 0.4}");
  prc_try(list_parameters(c, block, err));
  prc_try(prc_new(&s.state, c->n_parameters, err));
  prc_try(prc_new(&s.order, c->n_parameters, err));
  for (int k = 0; k < c->n_parameters; k++) prc_try(visit(&s, k));
  for (int k = 0; k < s.n; k++)
    prc_try(evaluate(c, block->child[s.order[k]], &c->parameter[s.order[k]].value, err));
done:
  prc_delete(&s.state);
  prc_delete(&s.order);
  return status;
}

/* One that --set has made and nothing uses may be a misspelling. */
static prc_status refuse_unused(const prc_case *c, const prc_node *block, const prc_case_parameter *p,
                                prc_error *err) {
  const char *near = NULL;
  char names[512] = "";
  for (int k = 0; k < c->n_parameters; k++) {
    if (block->child[k]->key_at.set) continue;
    near = prc_nearest_name(p->name, near, c->parameter[k].name);
    prc_append(names, sizeof names, "%s%s", *names ? ", " : "", c->parameter[k].name);
  }
  return prc_case_fail(c, &p->place, err,
                       "the parameter '%s' is not in the file and no formula uses it, expected %s%s%s%s%s",
                       p->name, *names ? "one of " : "one that a formula has", names,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

prc_status prc_case_check_parameters(const prc_case *c, prc_error *err) {
  const prc_node *block = block_of(c);
  for (int k = 0; k < c->n_parameters; k++)
    if (!c->parameter[k].used && block->child[k]->key_at.set)
      return refuse_unused(c, block, &c->parameter[k], err);
  return PRC_OK;
}

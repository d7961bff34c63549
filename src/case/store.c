#include "config.h"
#include "case/internal.h"

#include <string.h>

/* What the case owns: texts, lists of points, expressions, the tree. */

prc_status prc_case_own_memory(const prc_case *c, void *memory, prc_error *err) {
  struct prc_case_store *store = c->store;
  const prc_status status =
      prc_grow(&store->kept, &store->kept_capacity, store->n_kept + 1, sizeof *store->kept, err);
  if (status == PRC_OK) store->kept[store->n_kept++] = memory;
  return status;
}

prc_status prc_case_strdup(const prc_case *c, const char *text, char **out, prc_error *err) {
  prc_status status = PRC_OK;
  char *copy = NULL;
  prc_try(prc_strdup(text, &copy, err));
  prc_try(prc_case_own_memory(c, copy, err));
  *out = copy, copy = NULL;
done:
  prc_delete(&copy);
  return status;
}

prc_status prc_case_own_expression(const prc_case *c, prc_expression **expression, prc_error *err) {
  struct prc_case_store *store = c->store;
  const prc_status status = prc_grow(&store->expression, &store->expression_capacity,
                                     store->n_expressions + 1, sizeof *store->expression, err);
  if (status == PRC_OK) store->expression[store->n_expressions++] = *expression, *expression = NULL;
  return status;
}

uint64_t prc_case_formulas(const prc_case *c) {
  uint64_t hash = c->seed ? prc_hash(PRC_HASH_START, &c->seed, sizeof c->seed) : PRC_HASH_START;
  for (size_t i = 0; i < c->store->n_expressions; i++) {
    const char *text = prc_expression_of_time(c->store->expression[i]);
    if (text) hash = prc_hash(hash, text, strlen(text) + 1);
  }
  return hash;
}

static void free_store(struct prc_case_store *store) {
  for (size_t i = 0; i < store->n_kept; i++) prc_delete(&store->kept[i]);
  for (size_t i = 0; i < store->n_expressions; i++) prc_expression_free(&store->expression[i]);
  prc_delete(&store->kept);
  prc_delete(&store->expression);
  prc_tree_free(&store->root);
  prc_case_free_names(&store->names);
}

void prc_case_free(prc_case **c) {
  if (!*c) return;
  if ((*c)->store) free_store((*c)->store);
  prc_delete(&(*c)->store);
  prc_delete(&(*c)->path);
  prc_delete(&(*c)->material);
  prc_delete(&(*c)->beam);
  prc_delete(&(*c)->body);
  prc_delete(&(*c)->set);
  prc_delete(&(*c)->obstacle);
  prc_delete(&(*c)->contact_group);
  prc_delete(&(*c)->joint);
  prc_delete(&(*c)->spring);
  prc_delete(&(*c)->support);
  prc_delete(&(*c)->load);
  prc_delete(&(*c)->dashpot);
  prc_delete(&(*c)->probe);
  prc_delete(c);
}

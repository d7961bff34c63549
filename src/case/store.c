#include "config.h"
#include "case/internal.h"

#include <string.h>

/* Memory that the case owns: texts, lists of points, expressions, the tree. */

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

/* ---- tables of expressions ------------------------------------------------------------------------------ */

static prc_status add_history(const prc_case *c, const prc_history_options *wanted, const prc_history **out,
                              prc_error *err) {
  struct prc_case_store *store = c->store;
  prc_status status = PRC_OK;
  prc_try(prc_grow(&store->history, &store->history_capacity, store->n_histories + 1, sizeof *store->history,
                   err));
  prc_try(prc_history_read(wanted, &store->history[store->n_histories], err));
  *out = store->history[store->n_histories++];
done:
  return status;
}

prc_status prc_case_history(const prc_case *c, const prc_history_options *wanted, int in_folder,
                            const prc_history **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_history_options resolved = *wanted;
  char *path = NULL;
  prc_try(prc_case_resolve(c, wanted->path, in_folder, &path, err));
  resolved.path = path;
  for (size_t k = 0; k < c->store->n_histories; k++)
    if (prc_history_is(c->store->history[k], &resolved)) {
      *out = c->store->history[k];
      return PRC_OK;
    }
  status = add_history(c, &resolved, out, err);
done:
  return status;
}

prc_status prc_case_check_histories(const prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  for (size_t i = 0; i < c->store->n_expressions && status == PRC_OK; i++)
    status = prc_expression_try_times(c->store->expression[i], c->time.end, err);
  return status;
}

uint64_t prc_case_formulas(const prc_case *c) {
  uint64_t hash = c->seed ? prc_hash(PRC_HASH_START, &c->seed, sizeof c->seed) : PRC_HASH_START;
  for (size_t i = 0; i < c->store->n_expressions; i++)
    hash = prc_expression_hash(c->store->expression[i], hash);
  return hash;
}

static void free_store(struct prc_case_store *store) {
  for (size_t i = 0; i < store->n_kept; i++) prc_delete(&store->kept[i]);
  for (size_t i = 0; i < store->n_expressions; i++) prc_expression_free(&store->expression[i]);
  for (size_t i = 0; i < store->n_histories; i++) prc_history_free(&store->history[i]);
  prc_delete(&store->history);
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
  prc_delete(&(*c)->parameter);
  prc_delete(&(*c)->material);
  prc_delete(&(*c)->beam);
  prc_delete(&(*c)->body);
  prc_delete(&(*c)->set);
  prc_delete(&(*c)->obstacle);
  prc_delete(&(*c)->contact_group);
  prc_delete(&(*c)->joint);
  prc_delete(&(*c)->spring);
  prc_delete(&(*c)->support);
  prc_delete(&(*c)->ground);
  prc_delete(&(*c)->load);
  prc_delete(&(*c)->dashpot);
  prc_delete(&(*c)->probe);
  prc_delete(c);
}

#include "config.h"
#include "case/internal.h"
#include "case/table.h"

#include <stdio.h>
#include <string.h>

/* Bodies of which a block makes several, by count or from a table; and what a name means among bodies, sets and obstacles. */

/* ---- names ---------------------------------------------------------------------------------------------- */

/* A hash table, open addressed, with at least half of its places empty. */
struct prc_case_names {
  size_t n, n_slots;
  struct named {
    const char *name;
    prc_named what;
  } * slot;
};

static struct named *place_of_name(const struct prc_case_names *names, const char *name) {
  size_t k = prc_hash(PRC_HASH_START, name, strlen(name)) & (names->n_slots - 1);
  while (names->slot[k].name && strcmp(names->slot[k].name, name) != 0) k = (k + 1) & (names->n_slots - 1);
  return &names->slot[k];
}

prc_named prc_case_find(const prc_case *c, const char *name) {
  const prc_named none = {PRC_NAMED_NOTHING, -1};
  const struct prc_case_names *names = c->store->names;
  if (!names) return none;
  const struct named *found = place_of_name(names, name);
  return found->name ? found->what : none;
}

const prc_case_body *prc_case_find_body(const prc_case *c, const char *name) {
  const prc_named found = prc_case_find(c, name);
  if (found.kind == PRC_NAMED_BODY) return &c->body[found.index];
  if (found.kind != PRC_NAMED_SET || c->set[found.index].several) return NULL;
  return &c->body[c->set[found.index].first];
}

static const char *kind_text(prc_named_kind kind) {
  static const char *const text[] = {"nothing", "a body", "a set of bodies", "an obstacle",
                                     "a beam or its end"};
  return text[kind];
}

static prc_status add_name(const prc_case *c, const char *name, prc_named what, const prc_case_place *at,
                           prc_error *err) {
  struct named *slot = place_of_name(c->store->names, name);
  if (!slot->name) {
    *slot = (struct named){name, what};
    return PRC_OK;
  }
  const int obstacle = what.kind == PRC_NAMED_OBSTACLE;
  const int one = slot->what.kind == PRC_NAMED_SET && !c->set[slot->what.index].several;
  if (obstacle)
    return prc_case_fail(c, at, err,
                         "'%s' is %s and an obstacle, expected two names: contacts tell them apart by that",
                         name, one ? "a body" : kind_text(slot->what.kind));
  return prc_case_fail(c, at, err, "the name '%s' is that of %s already, expected another one", name,
                       one ? "a body" : kind_text(slot->what.kind));
}

prc_status prc_case_index_names(const prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)c->n_sets + (size_t)c->n_bodies + (size_t)c->n_obstacles + 3 * (size_t)c->n_beams;
  size_t n_slots = 16;
  struct prc_case_names *names = NULL;
  while (n_slots < 2 * n) n_slots *= 2;
  prc_try(prc_new(&names, 1, err));
  c->store->names = names;
  prc_try(prc_new(&names->slot, n_slots, err));
  names->n_slots = n_slots;
  for (int i = 0; i < c->n_sets; i++)
    prc_try(add_name(c, c->set[i].name, (prc_named){PRC_NAMED_SET, i}, &c->set[i].place, err));
  for (int s = 0; s < c->n_sets; s++)
    for (int i = c->set[s].first; c->set[s].several && i < c->set[s].first + c->set[s].n; i++)
      prc_try(add_name(c, c->body[i].name, (prc_named){PRC_NAMED_BODY, i}, &c->body[i].place, err));
  for (int i = 0; i < c->n_obstacles; i++)
    prc_try(add_name(c, c->obstacle[i].name, (prc_named){PRC_NAMED_OBSTACLE, i}, &c->obstacle[i].place, err));
  for (int i = 0; i < 3 * c->n_beams; i++) {
    const prc_case_beam *beam = &c->beam[i / 3];
    prc_try(add_name(c, i % 3 == 0 ? beam->name : beam->end_name[i % 3 - 1], (prc_named){PRC_NAMED_BEAM, i},
                     &beam->place, err));
  }
done:
  return status;
}

void prc_case_free_names(struct prc_case_names **names) {
  if (*names) prc_delete(&(*names)->slot);
  prc_delete(names);
}

/* ---- bodies of a set ------------------------------------------------------------------------------------ */

/* "grain[0]", "grain[1]", ... in one piece of memory. */
static prc_status name_bodies(const prc_case *c, const prc_case_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t size = strlen(set->name) + sizeof "[2147483647]";
  char *text = NULL;
  prc_try(prc_allocate((size_t)set->n, size, &text, err));
  for (int i = 0; i < set->n; i++) {
    char *name = text + (size_t)i * size;
    if (c->body[set->first + i].name != set->name) continue; /* the table has one */
    snprintf(name, size, "%s[%d]", set->name, i);
    c->body[set->first + i].name = name;
  }
  prc_try(prc_case_own_memory(c, text, err));
  text = NULL;
done:
  prc_delete(&text);
  return status;
}

/* No two bodies share a list: what it holds is moved to the axes of each. */
static prc_status copy_list(const prc_case *c, const prc_case_set *set, const prc_varying_list *list,
                            prc_error *err) {
  prc_status status = PRC_OK;
  double *all = NULL, *original;
  prc_try(prc_new(&all, (size_t)set->n * list->n, err));
  for (int i = 0; i < set->n; i++) {
    char *at = (char *)&c->body[set->first + i] + list->at;
    double *own = all + (size_t)i * list->n;
    memcpy(&original, at, sizeof original);
    memcpy(own, original, list->n * sizeof *own);
    memcpy(at, &own, sizeof own);
  }
  prc_try(prc_case_own_memory(c, all, err));
  all = NULL;
done:
  prc_delete(&all);
  return status;
}

static prc_status put_values(const prc_case *c, const prc_case_set *set, const prc_varying_value *value,
                             prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < set->n; i++) {
    char *at = (char *)&c->body[set->first + i] + value->at;
    double number, *list;
    prc_try(prc_expression_of_number(value->expression, i, &number, err));
    prc_try(prc_value_judge(c, value, i, number, err));
    if (value->in_list) {
      memcpy(&list, at, sizeof list);
      list[value->index] = number;
    } else
      memcpy(at, &number, sizeof number);
  }
done:
  return status;
}

/* Memory of a body until the run begins, without its corners. */
static prc_status expect_memory(const prc_case *c, const prc_case_body *first, int n, prc_error *err) {
  enum { MODEL = 1500 }; /* of the model, the matrices and vectors of the dofs */
  char where[4096], what[4096 + 128];
  const prc_case_place at = prc_case_place_of(c, "bodies.%s.count", first->name);
  prc_case_place_text(c, &at, where, sizeof where);
  snprintf(what, sizeof what, "%s: bodies.%s of %d bodies", where, first->name, n);
  return prc_memory_expect((double)n * (double)(sizeof *first + MODEL), what, err);
}

static prc_status refuse_count(const prc_case *c, const prc_case_body *first, prc_error *err) {
  const char *key = first->table ? "count" : "group";
  const prc_case_place at = prc_case_place_of(c, "bodies.%s.%s", first->name, key);
  if (!prc_case_is_given(c, "bodies.%s.%s", first->name, key)) return PRC_OK;
  if (first->table)
    return prc_case_fail(c, &at, err,
                         "bodies.%s.count is given beside from, expected one of them: the table has as "
                         "many bodies as rows",
                         first->name);
  return prc_case_fail(c, &at, err, "bodies.%s.group is given, expected it only with from", first->name);
}

prc_status prc_case_add_set(prc_case *c, const prc_case_body *first, const prc_varying *varying,
                            prc_error *err) {
  prc_status status = PRC_OK;
  struct prc_case_store *store = c->store;
  prc_case_set *set;
  prc_case_table *table = NULL;
  int n = varying ? first->count : 1;
  prc_try(refuse_count(c, first, err));
  if (first->table) prc_try(prc_case_table_open(c, first, &table, &n, err));
  prc_try(expect_memory(c, first, n, err));
  prc_try(prc_grow(&c->set, &store->set_capacity, (size_t)c->n_sets + 1, sizeof *c->set, err));
  prc_try(prc_grow(&c->body, &store->body_capacity, (size_t)c->n_bodies + (size_t)n, sizeof *c->body, err));
  set = &c->set[c->n_sets++];
  *set = (prc_case_set){first->name, c->n_bodies, n, varying != NULL, first->place};
  for (int i = 0; i < n; i++) c->body[set->first + i] = *first;
  c->n_bodies += n;
  if (!varying) goto done;
  for (int k = 0; k < varying->n_lists; k++) prc_try(copy_list(c, set, &varying->list[k], err));
  for (int k = 0; k < varying->n; k++) prc_try(put_values(c, set, &varying->value[k], err));
  for (int i = 0; table && i < n; i++) prc_try(prc_case_table_put(table, &c->body[set->first + i], err));
  prc_try(name_bodies(c, set, err));
done:
  prc_case_table_close(&table);
  return status;
}

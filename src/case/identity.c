#include "config.h"
#include "case/internal.h"

#include <stdio.h>
#include <string.h>

/* The identity of the model that a case describes: a hash over every row of the table of keys with its value as it was read, numbers by their bits, formulas by their text, parameters
 * and tables, surfaces by the bytes of their files, items by their names and in their order. A key that is added to the table counts at once. Keys that do not count are listed here,
 * each with a reason. What a mesh is comes from its nodes and cells, not from a key (prc_mesh_hash, prc_mesh_groups_hash). */

/* Paths of keys, and of blocks with all that is in them; `*` stands for a name of the user's. */
static const char *const free_keys[] = {
    /* words */
    "name",
    "units",
    /* counted where formulas use them */
    "parameters",
    /* counted by what they give: nodes and cells, values of bodies */
    "mesh.file",
    "mesh.size",
    "mesh.allow_duplicate_nodes",
    "bodies.*.from",
    /* limits of a program that makes a mesh */
    "mesh.max_time",
    "mesh.max_elements",
    "mesh.max_memory",
    /* what is judged and written */
    "model.rotations",
    "model.strains",
    "contact.max_penetration",
    "contact.initial_overlap",
    "time.on_failure",
    "output",
    "measures.every",
    /* how far, and how the numbers of a step are found */
    "time.end",
    "time.tolerance",
    "time.solver",
    "contact.tolerance",
    "contact.max_iterations",
    "contact.solver",
    "contact.start",
    "contact.order",
    "contact.seed",
};

/* Is `path` the pattern, or something in that block? */
static int is_within(const char *path, const char *pattern) {
  for (;;) {
    const size_t n = strcspn(path, "."), m = strcspn(pattern, ".");
    const int any = m == 1 && *pattern == '*';
    if (!any && (n != m || memcmp(path, pattern, n) != 0)) return 0;
    if (!pattern[m]) return 1;
    if (!path[n]) return 0;
    path += n + 1, pattern += m + 1;
  }
}

int prc_case_may_change(const char *path) {
  for (size_t i = 0; i < sizeof free_keys / sizeof *free_keys; i++)
    if (is_within(path, free_keys[i])) return 1;
  return 0;
}

const char *prc_case_free_key(int i) {
  return i >= 0 && (size_t)i < sizeof free_keys / sizeof *free_keys ? free_keys[i] : NULL;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

typedef struct {
  const prc_case *c;
  uint64_t hash;
  const char *file; /* whose bytes were the last to be added: bodies of a set share one */
  uint64_t of_file;
} identity;

static void add(identity *id, const void *data, size_t bytes) {
  id->hash = prc_hash(id->hash, data, bytes);
}

static void add_text(identity *id, const char *text) {
  add(id, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Minus zero is zero. */
static void add_numbers(identity *id, size_t n, const double *value) {
  for (size_t i = 0; i < n; i++) {
    const double x = value[i] + 0.0;
    add(id, &x, sizeof x);
  }
}

static void add_field(identity *id, const prc_field *field) {
  if (field->eval)
    id->hash = prc_expression_identity(field->data, id->hash);
  else
    add_numbers(id, 1, &field->constant);
}

static void add_friction(identity *id, const prc_law_fields *friction) {
  add_text(id, friction->law ? friction->law->name : NULL);
  for (int i = 0; i < PRC_LAW_PARAMETERS; i++) add_field(id, &friction->parameter[i]);
}

/* A file that cannot be read counts by its absence: its reader says so. */
uint64_t prc_case_hash_file(uint64_t hash, const char *path) {
  char block[65536];
  size_t got = 0;
  FILE *file = fopen(path, "re");
  while (file && (got = fread(block, 1, sizeof block, file)) > 0) hash = prc_hash(hash, block, got);
  if (file) fclose(file);
  return prc_hash(hash, "", 1);
}

/* Of the state that a case starts from the name counts: it may be gone when the run goes on. */
static void add_path(identity *id, const prc_key *key, const char *path) {
  if (!path || strcmp(key->parent, "initial") == 0) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    add_text(id, slash ? slash + 1 : path);
    return;
  }
  if (path != id->file) id->file = path, id->of_file = prc_case_hash_file(PRC_HASH_START, path);
  add(id, &id->of_file, sizeof id->of_file);
}

static void add_polygons(identity *id, const prc_case_polygons *all) {
  size_t n = 0;
  for (int i = 0; i < all->n; i++) n += (size_t)all->corners[i];
  add(id, &all->n, sizeof all->n);
  add(id, all->corners, (size_t)all->n * sizeof *all->corners);
  add_numbers(id, n * (size_t)id->c->store->dimension, all->point);
}

static void add_discs(identity *id, const prc_case_discs *all) {
  add(id, &all->n, sizeof all->n);
  add_numbers(id, (size_t)all->n * ((size_t)id->c->store->dimension + 1), all->disc);
}

static int count_of(const prc_key *key, const char *base) {
  int n;
  memcpy(&n, base + key->count_at, sizeof n);
  return n;
}

/* Lists that stand elsewhere, behind their pointer. */
static void add_points(identity *id, const prc_key *key, const char *base) {
  const int n = count_of(key, base);
  const double *point;
  memcpy(&point, base + key->at, sizeof point);
  add(id, &n, sizeof n);
  if (point) add_numbers(id, (size_t)n * (size_t)id->c->store->dimension, point);
}

static void add_row(identity *id, const prc_key *key, const char *base) {
  const char *at = base + key->at;
  const char *const *text = (const char *const *)(const void *)at;
  const double *number = (const double *)(const void *)at;
  const prc_field *field = (const prc_field *)(const void *)at;
  const size_t dimension = (size_t)id->c->store->dimension;
  if (key->given_at) add(id, base + key->given_at, sizeof(int));
  switch (key->type) {
  case PRC_KEY_BLOCK:
  case PRC_KEY_NAMED:
  case PRC_KEY_PARAMETERS:
    break; /* they have no value of their own */
  case PRC_KEY_PATHS:
    break; /* of meshes, which count by their nodes and cells */
  case PRC_KEY_NUMBER:
    add_numbers(id, 1, number);
    break;
  case PRC_KEY_INTEGER:
  case PRC_KEY_FLAG:
  case PRC_KEY_WORD:
    add(id, at, sizeof(int));
    break;
  case PRC_KEY_TEXT:
  case PRC_KEY_GROUP:
  case PRC_KEY_NAMES:
    add_text(id, text[0]);
    break;
  case PRC_KEY_PAIR:
    add_text(id, text[0]), add_text(id, text[1]);
    break;
  case PRC_KEY_PATH:
    add_path(id, key, text[0]);
    break;
  case PRC_KEY_POINT:
    add_numbers(id, dimension, number);
    break;
  case PRC_KEY_NUMBERS:
    add_numbers(id, (size_t)(key->count_at ? count_of(key, base) : key->most), number);
    break;
  case PRC_KEY_POINTS:
    add_points(id, key, base);
    break;
  case PRC_KEY_POLYGONS:
    add_polygons(id, (const prc_case_polygons *)(const void *)at);
    break;
  case PRC_KEY_DISCS:
    add_discs(id, (const prc_case_discs *)(const void *)at);
    break;
  case PRC_KEY_EXPRESSION:
    add_field(id, field);
    break;
  case PRC_KEY_EXPRESSIONS:
    for (size_t k = 0; k < dimension; k++) add_field(id, &field[k]);
    break;
  case PRC_KEY_FRICTION:
    add_friction(id, (const prc_law_fields *)(const void *)at);
    break;
  }
}

/* ---- the table --------------------------------------------------------------------------------------------- */

/* All rows of the items of a named block; `items`: "bodies.<name>". Names come first in them. */
static void add_items(identity *id, const prc_key *named) {
  char items[PRC_CASE_PATH], path[PRC_CASE_PATH];
  const char *base = (const char *)id->c, *item;
  const int n = count_of(named, base);
  memcpy(&item, base + named->at, sizeof item);
  snprintf(items, sizeof items, "%s.%s", named->key, named->item);
  add_text(id, named->key), add(id, &n, sizeof n);
  for (int i = 0; i < n; i++, item += named->size) {
    add_text(id, *(const char *const *)(const void *)item);
    for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k)) {
      if (!prc_begins_with(k->parent, items)
          || !prc_key_applies(k, id->c->store->kind, id->c->store->dimension))
        continue;
      snprintf(path, sizeof path, "%s.%s", k->parent, k->key);
      if (!prc_case_may_change(path)) add_row(id, k, item);
    }
  }
}

uint64_t prc_case_hash_keys(const prc_case *c) {
  identity id = {.c = c, .hash = PRC_HASH_START};
  char path[PRC_CASE_PATH];
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k)) {
    if (strchr(k->parent, '<') || !prc_key_applies(k, c->store->kind, c->store->dimension)) continue;
    snprintf(path, sizeof path, "%s%s%s", k->parent, *k->parent ? "." : "", k->key);
    if (prc_case_may_change(path)) continue;
    if (k->type == PRC_KEY_NAMED)
      add_items(&id, k);
    else
      add_row(&id, k, (const char *)c);
  }
  return id.hash;
}

uint64_t prc_case_identity(const prc_case *c) {
  return c->store->identity;
}

#include "config.h"
#include "case/find.h"
#include "case/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef prc_value value;
enum { PATH_OF_CASE = 4200 };

static prc_status read_named(const value *v, char *base);
static prc_status read_block(const value *v, const char *parent, char *base);

static prc_status read_value(const value *v, char *base) {
  char parent[PRC_CASE_PATH];
  if (v->key->type == PRC_KEY_NAMED) return read_named(v, base);
  if (v->key->type == PRC_KEY_PARAMETERS) return PRC_OK; /* they are read */
  const int in_block = v->key->or_block && v->node->kind == PRC_NODE_BLOCK;
  if (v->key->type != PRC_KEY_BLOCK && !in_block) return prc_value_read(v, base);
  snprintf(parent, sizeof parent, "%s%s%s", v->key->parent, v->key->parent[0] ? "." : "", v->key->key);
  return read_block(v, parent, base);
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* The offset of a named block's place is that in its items. */
static void set_place(const prc_key *key, char *base, prc_case_place place) {
  if (key->place_at && key->type != PRC_KEY_NAMED) memcpy(base + key->place_at, &place, sizeof place);
}

static int is_empty(const prc_node *node) {
  return node->kind == PRC_NODE_TEXT && !node->quoted && (!node->text[0] || strcmp(node->text, "~") == 0);
}

/* Every key of the block must be one of the table's. */
static prc_status check_keys(const value *v, const char *parent) {
  for (size_t i = 0; i < v->node->n_children; i++) {
    const prc_node *child = v->node->child[i];
    const char *near = NULL, *advice = prc_key_advice(parent, child->key);
    char names[512], elsewhere[300];
    if (prc_key_find(parent, child->key, 0)) continue;
    if (advice)
      return prc_case_fail(v->c, &child->key_at, v->err, "unknown key '%s': %s", child->key, advice);
    for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k))
      if (strcmp(k->parent, parent) == 0) near = prc_nearest_name(child->key, near, k->key);
    if (near)
      return prc_case_fail(v->c, &child->key_at, v->err, "unknown key '%s', did you mean '%s'?", child->key,
                           near);
    if (child->kind == PRC_NODE_BLOCK && prc_key_has_plural(parent))
      return prc_case_fail(v->c, &child->key_at, v->err,
                           "unknown key '%s', did you mean '%ss.%s'? '%s' is of all of them", child->key,
                           parent, child->key, parent);
    prc_key_names(parent, names, sizeof names);
    prc_key_elsewhere(parent, child->key, elsewhere, sizeof elsewhere);
    if (*elsewhere) prc_append(elsewhere, sizeof elsewhere, ", or here ");
    return prc_case_fail(v->c, &child->key_at, v->err, "unknown key '%s', expected %s%sone of %s", child->key,
                         *elsewhere ? "it as " : "", elsewhere, names);
  }
  return PRC_OK;
}

/* The item of the file whose name is nearest to one that --set has made, and may be a misspelling of; or
 * NULL. */
static const char *nearest_item(const value *v) {
  const prc_node *block = v->item_of, *item = block ? prc_tree_child(block, v->item) : NULL;
  const char *near = NULL;
  for (size_t i = 0; item && item->key_at.set && i < block->n_children; i++)
    if (!block->child[i]->key_at.set) near = prc_nearest_name(item->key, near, block->child[i]->key);
  return near;
}

/* Vectors are zero by default: in space too. */
static const char *default_of(const value *v) {
  const int vector = v->key->type == PRC_KEY_POINT || v->key->type == PRC_KEY_EXPRESSIONS;
  if (vector && v->c->store->dimension == 3 && v->key->dimension == 0) return "[0, 0, 0]";
  return v->key->fallback ? v->key->fallback : "{}";
}

/* A key that is not there: its default, read as if it stood in the file. */
static prc_status read_default(const value *v, char *base) {
  static const char *const what[] = {"the key", "the block"};
  prc_status status = PRC_OK;
  prc_node *node = NULL;
  const prc_case_place place = v->node ? v->node->at : (prc_case_place){0};
  value given = *v;
  set_place(v->key, base, place);
  const int in_table = v->key->columns && v->node && prc_tree_child(v->node, "from");
  const int beams_alone = v->key->of_sets && v->node && prc_tree_child(v->node, "beams");
  if (beams_alone) return PRC_OK;
  if (prc_key_required(v->key, v->c->store->kind, v->c->store->dimension) && !in_table) {
    const int block = v->key->type == PRC_KEY_BLOCK || v->key->type == PRC_KEY_NAMED;
    char expected[PRC_KEY_ROOM], hint[512] = "";
    prc_key_expected(v->key, v->c->store->dimension, expected, sizeof expected);
    const char *near = nearest_item(v);
    if (near)
      snprintf(hint, sizeof hint, "; '%.200s' is not in the file, did you mean '%.200s'?", v->item, near);
    return prc_case_fail(v->c, &place, v->err, "%s '%s' is missing, expected %s%s", what[block], v->shown,
                         expected, hint);
  }
  if (v->key->type == PRC_KEY_GROUP)
    return prc_case_strdup(v->c, v->item, (char **)(void *)(base + v->key->at), v->err);
  if (v->key->type != PRC_KEY_BLOCK && !v->key->fallback) return PRC_OK;
  if (v->key->type == PRC_KEY_BLOCK && v->key->given_at) return PRC_OK;
  prc_try(prc_tree_parse_text(v->c, default_of(v), &place, &node, v->err));
  given.node = node;
  status = read_value(&given, base);
done:
  prc_tree_free(&node);
  return status;
}

/* Has the law of the material in this block such a parameter? */
static int is_of_law(const prc_node *block, const char *name) {
  const prc_node *written = prc_tree_child(block, "law"); /* checked before: its row stands first */
  const prc_fem_law *law = prc_fem_law_find(written ? written->text : PRC_FEM_DEFAULT_LAW);
  return law && prc_fem_law_has(law, name);
}

static prc_status read_key(const value *v, const prc_key *key, char *base) {
  char shown[PRC_CASE_PATH];
  value next = *v;
  const prc_node *node = prc_tree_child(v->node, key->key);
  snprintf(shown, sizeof shown, "%s%s%s", v->shown, v->shown[0] ? "." : "", key->key);
  next.key = key, next.shown = shown;
  const int foreign = key->of_material && !is_of_law(v->node, key->key);
  const int dimension = v->c->store->dimension,
            elsewhere = key->dimension != 0 && key->dimension != dimension;
  const int applies = prc_key_applies(key, v->c->store->kind, dimension) && !foreign;
  if (elsewhere && prc_key_find(key->parent, key->key, dimension)) return PRC_OK; /* its other row */
  if (!node) return applies ? read_default(&next, base) : PRC_OK; /* next.node is still the block */
  if (!applies) {
    char laws[256] = "";
    if (foreign) prc_key_laws(key, laws, sizeof laws);
    return prc_case_fail(v->c, &node->at, v->err, "%s is given, expected only %s%s%s%s", shown,
                         elsewhere ? "" : "with ",
                         foreign                       ? laws
                         : elsewhere && dimension == 3 ? "in the plane, and this case is in space"
                         : elsewhere                   ? "in space, and this case is in the plane"
                         : key->only == PRC_WITH_MESH  ? "a mesh"
                                                       : "bodies",
                         elsewhere && key->elsewhere ? "; there it is " : "",
                         elsewhere && key->elsewhere ? key->elsewhere : "");
  }
  next.node = node;
  set_place(key, base, node->at);
  if (key->given_at) memcpy(base + key->given_at, &(int){1}, sizeof(int));
  return read_value(&next, base);
}

/* Error for a value that stands in the place of a block. */
static prc_status refuse_block(const value *v, const char *parent) {
  char names[512];
  if (!v->key || v->key->type != PRC_KEY_NAMED) return prc_value_refuse(v, v->node);
  prc_key_names(parent, names, sizeof names);
  return prc_case_fail(v->c, &v->node->at, v->err, "%s is %s%s%s, expected a block with some of the keys %s",
                       v->shown, v->node->kind == PRC_NODE_LIST ? "a list" : "'",
                       v->node->kind == PRC_NODE_LIST ? "" : v->node->text,
                       v->node->kind == PRC_NODE_LIST ? "" : "'", names);
}

static prc_status read_block(const value *v, const char *parent, char *base) {
  prc_status status = PRC_OK;
  if (v->node->kind != PRC_NODE_BLOCK && !is_empty(v->node)) return refuse_block(v, parent);
  prc_try(check_keys(v, parent));
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k))
    if (strcmp(k->parent, parent) == 0) prc_try(read_key(v, k, base));
done:
  return status;
}

static prc_status read_item(const value *v, const prc_node *node, char *base) {
  prc_status status = PRC_OK;
  char parent[PRC_CASE_PATH], shown[PRC_CASE_PATH];
  value item = *v;
  if (strcmp(v->key->item, "<group>") != 0) /* the mesh has given those */
    prc_try(prc_case_check_item_name(v->c, node->key, &node->key_at, v->err));
  snprintf(parent, sizeof parent, "%s.%s", v->key->key, v->key->item);
  snprintf(shown, sizeof shown, "%s.%s", v->shown, node->key);
  memcpy(base + v->key->place_at, &node->key_at, sizeof node->key_at);
  prc_try(prc_case_strdup(v->c, node->key, (char **)(void *)base,
                          v->err)); /* the name is an item's first member */
  item.node = node, item.item = node->key, item.shown = shown;
  item.item_of = v->node;
  prc_try(read_block(&item, parent, base));
done:
  return status;
}

/* One body after the other into prc_case.body, whatever block makes it. */
static prc_status read_sets(const value *v) {
  prc_status status = PRC_OK;
  prc_varying varying = {0};
  for (size_t i = 0; i < v->node->n_children; i++) {
    const prc_node *node = v->node->child[i];
    const int several = prc_tree_child(node, "count") || prc_tree_child(node, "from");
    prc_case_body first = {0};
    value block = *v;
    varying.n = varying.n_lists = 0;
    block.varying = several ? &varying : NULL;
    prc_try(read_item(&block, node, (char *)&first));
    prc_try(prc_case_add_set(v->c, &first, block.varying, v->err));
  }
  if (v->node->n_children > 0 && v->c->n_bodies == 0)
    status = prc_case_fail(v->c, &v->node->at, v->err, "'%s' makes no body, expected one or more", v->shown);
done:
  prc_delete(&varying.value);
  return status;
}

static prc_status read_named(const value *v, char *base) {
  prc_status status = PRC_OK;
  char *items = NULL;
  if (v->node->kind != PRC_NODE_BLOCK && !is_empty(v->node)) return prc_value_refuse(v, v->node);
  if (prc_key_required(v->key, v->c->store->kind, v->c->store->dimension) && !v->node->n_children)
    return prc_case_fail(v->c, &v->node->at, v->err, "the block '%s' is empty, expected at least one %s",
                         v->shown, v->key->item);
  if (v->key->of_sets) return read_sets(v);
  prc_try(prc_allocate(v->node->n_children, v->key->size, &items, v->err));
  memcpy(base + v->key->at, &items, sizeof items);
  for (size_t i = 0; i < v->node->n_children; i++) {
    const int count = (int)i + 1;
    prc_try(read_item(v, v->node->child[i], items + i * v->key->size));
    memcpy(base + v->key->count_at, &count, sizeof count);
  }
done:
  return status;
}

/* A mesh, bodies or both: by the keys that belong to one of them. Beside bodies what belongs to a mesh needs one. */
static prc_status find_kind(const value *v) {
  const prc_node *root = v->node;
  const int bodies = prc_tree_child(root, "bodies") || prc_tree_child(root, "beams"),
            mesh = prc_tree_child(root, "mesh") != NULL;
  int kind = 0;
  for (size_t i = 0; i < root->n_children; i++) {
    const prc_node *child = root->child[i];
    const prc_key *key = prc_key_find("", child->key, 0);
    if (!key) continue;
    kind |= key->only;
    if (bodies && !mesh && key->only == PRC_WITH_MESH)
      return prc_case_fail(v->c, &child->key_at, v->err,
                           "'%s' is given beside 'bodies' without a mesh, expected it only with one",
                           child->key);
    if (mesh && !bodies && key->only == PRC_WITH_BODIES)
      return prc_case_fail(v->c, &child->key_at, v->err,
                           "'%s' is given beside 'mesh' without bodies, expected it only with them",
                           child->key);
  }
  v->c->store->kind = kind;
  if (kind) return PRC_OK;
  return prc_case_fail(v->c, &root->at, v->err,
                       "there is neither a 'mesh' nor 'bodies' nor 'beams', expected one of these blocks");
}

/* Has some value of this path in the block of bodies as many numbers? */
static int is_in_space(const prc_node *root) {
  const prc_node *bodies = prc_tree_child(root, "bodies"), *model = prc_tree_child(root, "model");
  const prc_node *gravity = model ? prc_tree_child(model, "gravity") : NULL;
  for (size_t i = 0; bodies && i < bodies->n_children; i++) {
    const prc_node *position = prc_tree_child(bodies->child[i], "position");
    if (position && position->kind == PRC_NODE_LIST) return position->n_children == 3;
  }
  return gravity && gravity->kind == PRC_NODE_LIST && gravity->n_children == 3; /* bodies from a table */
}

/* Dimension as the case says it, else the length of the first position of a body. A mesh is in the plane. */
static prc_status find_dimension(const value *v) {
  const prc_node *model = prc_tree_child(v->node, "model"),
                 *given = model ? prc_tree_child(model, "dimension") : NULL;
  const int with_mesh = v->c->store->kind & PRC_WITH_MESH;
  v->c->store->dimension = !with_mesh && is_in_space(v->node) ? 3 : 2;
  if (!given || given->kind != PRC_NODE_TEXT) return PRC_OK; /* refused when it is read */
  v->c->store->dimension = strcmp(given->text, "3") == 0 ? 3 : 2;
  if (v->c->store->dimension == 2 || !with_mesh) return PRC_OK;
  return prc_case_fail(v->c, &given->at, v->err,
                       "model.dimension is 3, expected 2 with a mesh: in space there are rigid bodies alone");
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* A pipe will do as well as a file, which prc_file_read_all would refuse. */
static prc_status read_all(const prc_case *c, FILE *file, prc_bytes *text, prc_error *err) {
  enum { CHUNK = 65536, LARGEST = 16 << 20 };
  size_t got = 1;
  while (got) {
    const prc_status status = prc_grow(&text->at, &text->capacity, text->used + CHUNK + 1, 1, err);
    if (status != PRC_OK) return status;
    got = fread(text->at + text->used, 1, CHUNK, file);
    text->used += got;
    if (text->used > LARGEST)
      return prc_fail(err, PRC_INPUT, "%s: larger than 16 MB, expected a case file", c->path);
  }
  text->at[text->used] = '\0';
  if (!ferror(file)) return PRC_OK;
  if (errno == EISDIR) return prc_fail(err, PRC_INPUT, "%s: a folder, expected a case file", c->path);
  return prc_fail(err, PRC_INPUT, "%s: cannot be read: %s", c->path, strerror(errno));
}

static prc_case_place place_in(const char *text, size_t at) {
  prc_case_place place = {.line = 1, .column = 1};
  for (size_t i = 0; i < at; i++) {
    place.column++;
    if (text[i] == '\n') place.line++, place.column = 1;
  }
  return place;
}

static prc_status read_tree(const prc_case *c, prc_node **root, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_case_place start = {.line = 1, .column = 1};
  prc_bytes text = {0};
  char names[512];
  FILE *file = fopen(c->path, "rb");
  if (!file)
    return prc_fail(err, PRC_INPUT, "%s: cannot be opened: %s, expected a case file", c->path,
                    strerror(errno));
  prc_try(read_all(c, file, &text, err));
  if (strlen(text.at) < text.used) {
    const prc_case_place at = place_in(text.at, strlen(text.at));
    prc_try(prc_case_fail(c, &at, err, "a NUL character, expected text"));
  }
  prc_try(prc_tree_parse(c, 1, &(prc_tree_source){text.at, NULL}, root, err));
  prc_key_names("", names, sizeof names);
  if (!*root || is_empty(*root))
    prc_try(prc_case_fail(c, &start, err, "the case is empty, expected the keys %s", names));
  if ((*root)->kind != PRC_NODE_BLOCK)
    prc_try(prc_case_fail(c, &start, err, "this is no block of keys, expected the keys %s", names));
done:
  fclose(file);
  prc_delete(&text.at);
  return status;
}

/* "time.step=1e-5" is for the place `time.step` and has the text behind the sign. */
static prc_status parse_setting(const prc_case *c, const char *setting, prc_case_place *place,
                                prc_tree_source *source, prc_error *err) {
  char *path;
  const char *equals = strchr(setting, '=');
  if (!equals || equals == setting)
    return prc_fail(err, PRC_INPUT, "%s: --set '%s': expected KEY=VALUE, as in time.step=1e-5", c->path,
                    setting);
  const prc_status status = prc_case_strdup(c, setting, &path, err);
  if (status != PRC_OK) return status;
  path[equals - setting] = '\0';
  if (path[0] == '.' || path[strlen(path) - 1] == '.' || strstr(path, ".."))
    return prc_fail(err, PRC_INPUT, "%s: --set '%s': a part of the key is empty, expected KEY=VALUE", c->path,
                    setting);
  *place = (prc_case_place){.set = path};
  *source = (prc_tree_source){equals + 1, place};
  return PRC_OK;
}

/* All settings into the tree, in their order. */
static prc_status apply_settings(const prc_case *c, int n, const char *const *set, prc_error *err) {
  prc_status status = PRC_OK;
  prc_node **node = NULL;
  prc_case_place *place = NULL;
  prc_tree_source *source = NULL;
  prc_try(prc_new(&node, n, err));
  prc_try(prc_new(&place, n, err));
  prc_try(prc_new(&source, n, err));
  for (int k = 0; k < n; k++) prc_try(parse_setting(c, set[k], &place[k], &source[k], err));
  prc_try(prc_tree_parse(c, n, source, node, err));
  for (int k = 0; k < n; k++) {
    if (!node[k]) prc_try(prc_case_fail(c, &place[k], err, "no value, expected KEY=VALUE"));
    prc_try(prc_tree_put(c, c->store->root, place[k].set, &place[k], &node[k], err));
  }
done:
  for (int k = 0; node && k < n; k++) prc_tree_free(&node[k]);
  prc_delete(&node);
  prc_delete(&place);
  prc_delete(&source);
  return status;
}

/* `mesh: a.msh` and `mesh: [a.msh, b.msh]` become {file: ...}. */
static prc_status complete_mesh(const prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  prc_node *root = c->store->root, *file = prc_tree_child(root, "mesh"), *block = NULL;
  if (!file || file->kind == PRC_NODE_BLOCK || is_empty(file)) return PRC_OK;
  prc_try(prc_new(&block, 1, err));
  block->kind = PRC_NODE_BLOCK, block->at = file->key_at, block->key_at = file->key_at;
  prc_try(prc_strdup("mesh", &block->key, err));
  prc_node **at = &root->child[prc_tree_position(root, "mesh")];
  prc_delete(&file->key);
  prc_try(prc_strdup("file", &file->key, err));
  prc_try(prc_tree_add_child(block, &file, err));
  *at = block, block = NULL;
done:
  prc_tree_free(&block);
  return status;
}

/* the file's name without folder and ending */
static prc_status default_name(prc_case *c, prc_error *err) {
  const char *slash = strrchr(c->path, '/'), *stem = slash ? slash + 1 : c->path;
  char *name = NULL;
  const prc_status status = prc_case_strdup(c, stem, &name, err);
  if (status != PRC_OK) return status;
  char *dot = strrchr(name, '.');
  if (dot && dot > name) *dot = '\0';
  c->name = name;
  return PRC_OK;
}

prc_status prc_case_read(const char *path, int n_set, const char *const *set, prc_case **out,
                         prc_error *err) {
  prc_need(path, err);
  prc_need(out, err);
  if (n_set > 0) prc_need(set, err);
  for (int k = 0; k < n_set; k++) prc_need(set[k], err);
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  char found[PATH_OF_CASE];
  prc_try(prc_new(&c, 1, err));
  prc_try(prc_new(&c->store, 1, err));
  prc_try(prc_strdup(prc_case_find_file(path, found, sizeof found) ? found : path, &c->path, err));
  c->contact.max_penetration = -1.0; /* not set */
  c->output.contact_every = -1;      /* prc_case_check_rules chooses these three */
  c->output.contacts = -1;
  c->output.table_every = -1;
  c->measures.every = -1; /* that of the snapshots */
  prc_try(read_tree(c, &c->store->root, err));
  prc_try(complete_mesh(c, err));
  if (n_set > 0) prc_try(apply_settings(c, n_set, set, err));
  prc_try(complete_mesh(c, err));
  const value root = {.c = c, .node = c->store->root, .shown = "", .err = err};
  prc_try(check_keys(&root, ""));
  prc_try(find_kind(&root));
  prc_try(find_dimension(&root));
  prc_try(read_key(&root, prc_key_find("", "seed", 0), (char *)c)); /* parameters may be random */
  prc_try(prc_case_read_parameters(c, err));
  prc_try(read_block(&root, "", (char *)c));
  c->model.dimension = c->store->dimension;
  if (c->mesh.n_files > 0) c->mesh.file = c->mesh.files[0];
  if (!c->name) prc_try(default_name(c, err));
  prc_try(prc_case_check_parameters(c, err));
  c->store->identity = prc_case_hash_keys(c);
  prc_try(prc_case_check_rules(c, err));
  *out = c, c = NULL;
done:
  prc_case_free(&c);
  return status;
}

prc_status prc_case_text(const prc_case *c, char **text, prc_error *err) {
  prc_need(c, err);
  prc_need(text, err);
  prc_bytes out = {0};
  const prc_status status = prc_tree_text(c->store->root, &out, err);
  if (status == PRC_OK)
    *text = out.at;
  else
    prc_delete(&out.at);
  return status;
}

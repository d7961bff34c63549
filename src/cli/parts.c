#include "config.h"
#include "cli/checkpoint.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of what has coordinates, in a state: another case finds its bodies by them, in whatever order it has them. Letters stand in doubles, six in each. */

enum { LETTERS = 6 };

/* ---- own parts --------------------------------------------------------------------------------------------- */

static prc_status list_own(const cli_run_state *run, int *n, prc_view_part **out, prc_error *err) {
  *n = prc_view_parts(run->model->scene);
  const prc_status status = prc_new(out, *n, err);
  if (status == PRC_OK) prc_view_list_parts(run->model->scene, *out);
  return status;
}

static double pack(const char *letters, size_t n) {
  double number = 0.0;
  for (size_t k = 0; k < n; k++) number = 256.0 * number + (unsigned char)letters[k];
  for (size_t k = n; k < LETTERS; k++) number *= 256.0;
  return number;
}

static void unpack(double number, char *letters) {
  uint64_t bits = (uint64_t)number;
  for (int k = LETTERS - 1; k >= 0; k--, bits >>= 8) letters[k] = (char)(bits & 255U);
}

prc_status cli_parts_put(const cli_run_state *run, prc_output_store *store, prc_error *err) {
  prc_status status = PRC_OK;
  prc_view_part *part = NULL;
  prc_bytes text = {0};
  double *letters = NULL, *size = NULL;
  int n;
  prc_try(list_own(run, &n, &part, err));
  prc_try(prc_new(&size, n, err));
  for (int i = 0; i < n; i++) {
    prc_try(prc_bytes_print(&text, err, "%s/%s", part[i].kind, part[i].name));
    prc_try(prc_bytes_put(&text, "", 1, err));
    size[i] = part[i].extra < 0 ? part[i].n : -part[i].n;
  }
  const size_t packed = (text.used + LETTERS - 1) / LETTERS;
  prc_try(prc_new(&letters, packed, err));
  for (size_t k = 0; k < packed; k++)
    letters[k] =
        pack(text.at + LETTERS * k, text.used - LETTERS * k < LETTERS ? text.used - LETTERS * k : LETTERS);
  prc_try(prc_output_store_put(store, "part_names", packed, letters, err));
  prc_try(prc_output_store_put(store, "part_sizes", (size_t)n, size, err));
done:
  prc_delete(&part);
  prc_delete(&text.at);
  prc_delete(&letters);
  prc_delete(&size);
  return status;
}

/* ---- those of a state -------------------------------------------------------------------------------------- */

static prc_status refuse_damaged(const char *path, prc_error *err) {
  return prc_fail(err, PRC_INPUT, "%s is damaged: its names of bodies are none", path);
}

static prc_status get(prc_output_store *store, const char *path, const char *name, size_t *n, double **out,
                      prc_error *err) {
  prc_status status = prc_output_store_size(store, name, n, err);
  if (status == PRC_OK) status = prc_new(out, *n, err);
  if (status == PRC_OK) status = prc_output_store_get(store, name, *n, *out, err);
  for (size_t k = 0; status == PRC_OK && k < *n; k++)
    if (!(fabs((*out)[k]) < 0x1p48 && (*out)[k] == floor((*out)[k]))) status = refuse_damaged(path, err);
  return status;
}

/* As many texts as parts, each ended. */
static int has_texts(const cli_parts *parts, size_t room) {
  size_t at = 0;
  for (int i = 0; i < parts->n; i++) {
    const char *end = at < room ? memchr(parts->text + at, '\0', room - at) : NULL;
    if (!end) return 0;
    at = (size_t)(end - parts->text) + 1;
  }
  return 1;
}

prc_status cli_parts_get(prc_output_store *store, const char *path, cli_parts *out, prc_error *err) {
  prc_status status = PRC_OK;
  double *letters = NULL;
  size_t packed = 0, n = 0;
  *out = (cli_parts){0};
  prc_try(get(store, path, "part_names", &packed, &letters, err));
  prc_try(get(store, path, "part_sizes", &n, &out->size, err));
  if (n > INT_MAX) prc_try(refuse_damaged(path, err));
  out->n = (int)n;
  prc_try(prc_new(&out->text, LETTERS * packed + 1, err));
  for (size_t k = 0; k < packed; k++) {
    if (letters[k] < 0.0) prc_try(refuse_damaged(path, err));
    unpack(letters[k], out->text + LETTERS * k);
  }
  if (!has_texts(out, LETTERS * packed)) status = refuse_damaged(path, err);
done:
  prc_delete(&letters);
  if (status != PRC_OK) cli_parts_free(out);
  return status;
}

void cli_parts_free(cli_parts *parts) {
  prc_delete(&parts->text);
  prc_delete(&parts->size);
}

/* ---- one by the other -------------------------------------------------------------------------------------- */

typedef struct {
  const char *name; /* "rigid/disc" */
  int n, has_extra, taken;
  size_t first_dof, first_coordinate, extra;
} place;

static int by_name(const void *a, const void *b) {
  return strcmp(((const place *)a)->name, ((const place *)b)->name);
}

/* The extra coordinates of a family stand behind its dofs, and such a family is alone. */
static prc_status list_places(const cli_parts *there, place **out, prc_error *err) {
  size_t dof = 0, extra;
  const char *name = there->text;
  const prc_status status = prc_new(out, there->n, err);
  if (status != PRC_OK) return status;
  for (int i = 0; i < there->n; i++, name += strlen(name) + 1) {
    const int n = (int)fmin(fabs(there->size[i]), INT_MAX);
    (*out)[i] = (place){.name = name, .n = n, .has_extra = there->size[i] < 0.0, .first_dof = dof};
    (*out)[i].first_coordinate = dof, dof += (size_t)n;
  }
  extra = dof;
  for (int i = 0; i < there->n; i++)
    if ((*out)[i].has_extra) (*out)[i].extra = extra++;
  return PRC_OK;
}

static int is_mesh(const prc_view_part *part) {
  return prc_view_is_of_file(part->kind);
}

static place *find(place *places, int n, const prc_view_part *part) {
  char name[512];
  const place wanted = {.name = name};
  snprintf(name, sizeof name, "%s/%s", part->kind, part->name);
  for (int i = 0; i < n && is_mesh(part); i++) /* a case has one, whatever it is called */
    if (prc_begins_with(places[i].name, "mesh/")) return &places[i];
  return bsearch(&wanted, places, (size_t)n, sizeof *places, by_name);
}

enum { TOLD = 8 };

static void add_name(char *list, size_t size, int *n, const char *name) {
  if ((*n)++ < TOLD) prc_append(list, size, "%s'%.80s'", *n > 1 ? ", " : "", name);
}

typedef struct {
  int n_missing, n_other, n_left;
  char missing[800], other[800], left[800];
} differences;

static prc_status refuse(const cli_run_state *run, const char *path, const differences *d, prc_error *err) {
  char text[2600] = "";
  if (d->n_missing > 0)
    prc_append(text, sizeof text, "lacks %s%s", d->missing, d->n_missing > TOLD ? " ..." : "");
  if (d->n_left > 0)
    prc_append(text, sizeof text, "%shas %s%s, which this case lacks", *text ? ", and " : "", d->left,
               d->n_left > TOLD ? " ..." : "");
  if (d->n_other > 0)
    prc_append(text, sizeof text, "%shas other unknowns of %s%s", *text ? ", and " : "", d->other,
               d->n_other > TOLD ? " ..." : "");
  return prc_case_fail(run->c, &run->c->initial.place, err,
                       "initial.run: '%s' %s; expected the same bodies, beams and obstacles, by their names",
                       path, text);
}

/* of[i]: that of own part i. */
static prc_status match(const cli_run_state *run, const char *path, int n, const prc_view_part *part,
                        int n_there, place *places, place **of, prc_error *err) {
  differences d = {0};
  for (int i = 0; i < n; i++) {
    of[i] = find(places, n_there, &part[i]);
    if (!of[i])
      add_name(d.missing, sizeof d.missing, &d.n_missing, is_mesh(&part[i]) ? "mesh" : part[i].name);
    else if (!is_mesh(&part[i]) && (of[i]->n != part[i].n || of[i]->has_extra != (part[i].extra >= 0)))
      add_name(d.other, sizeof d.other, &d.n_other, part[i].name);
    if (of[i]) of[i]->taken = 1;
  }
  for (int i = 0; i < n_there; i++)
    if (!places[i].taken)
      add_name(d.left, sizeof d.left, &d.n_left,
               strchr(places[i].name, '/') ? strchr(places[i].name, '/') + 1 : "");
  return d.n_missing + d.n_other + d.n_left > 0 ? refuse(run, path, &d, err) : PRC_OK;
}

static int is_in_order(int n, const place *const *of) {
  size_t dof = 0, extra = 0;
  for (int i = 0; i < n; i++) {
    if (of[i]->first_dof != dof || (of[i]->has_extra && of[i]->extra < extra)) return 0;
    dof += (size_t)of[i]->n, extra = of[i]->has_extra ? of[i]->extra : extra;
  }
  return 1;
}

/* Dofs in the case's order, then the extra coordinates. */
static void fill(int n, const place *const *of, size_t *q, size_t *v) {
  size_t k = 0;
  for (int i = 0; i < n; i++)
    for (int d = 0; d < of[i]->n; d++, k++)
      v[k] = of[i]->first_dof + (size_t)d, q[k] = of[i]->first_coordinate + (size_t)d;
  for (int i = 0; i < n; i++)
    if (of[i]->has_extra) q[k++] = of[i]->extra;
}

prc_status cli_parts_match(const cli_run_state *run, const cli_parts *there, const char *path, size_t **q,
                           size_t **v, prc_error *err) {
  prc_status status = PRC_OK;
  prc_view_part *part = NULL;
  place *places = NULL, **of = NULL;
  size_t n_v = 0, n_q = 0;
  int n;
  *q = *v = NULL;
  prc_try(list_own(run, &n, &part, err));
  prc_try(list_places(there, &places, err));
  if (there->n > 1) qsort(places, (size_t)there->n, sizeof *places, by_name);
  prc_try(prc_new(&of, n, err));
  prc_try(match(run, path, n, part, there->n, places, of, err));
  if (is_in_order(n, (const place *const *)of)) goto done;
  for (int i = 0; i < n; i++) n_v += (size_t)of[i]->n, n_q += (size_t)(of[i]->n + of[i]->has_extra);
  prc_try(prc_new(q, n_q, err));
  prc_try(prc_new(v, n_v, err));
  fill(n, (const place *const *)of, *q, *v);
done:
  if (status != PRC_OK) prc_delete(q);
  prc_delete(&part);
  prc_delete(&places);
  prc_delete(&of);
  return status;
}

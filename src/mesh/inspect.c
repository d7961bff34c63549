#include "config.h"
#include "mesh/mesh.h"
#include "mesh/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A .msh before Gmsh sees it. Gmsh believes every count and asks for as much memory; anything that does not begin with
 * $MeshFormat it runs as a program. */

typedef struct {
  const char *at, *end;
} text;

static int begins_with(const text *t, const char *start) {
  const size_t n = strlen(start);
  return (size_t)(t->end - t->at) >= n && memcmp(t->at, start, n) == 0;
}

/* Moves behind the line of that name; 0: there is none. */
static int find_section(text *t, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = t->at; at < t->end; at++) {
    if (begins_with(&(text){at, t->end}, name) && (size_t)(t->end - at) > n
        && (at[n] == '\n' || at[n] == '\r' || at[n] == ' ')) {
      const char *line = memchr(at, '\n', (size_t)(t->end - at));
      t->at = line ? line + 1 : t->end;
      return 1;
    }
    at = memchr(at, '\n', (size_t)(t->end - at));
    if (!at) return 0;
  }
  return 0;
}

/* The number at the front, which is passed; 0: there is none. */
static int take_number(text *t, double *out) {
  char word[48] = "";
  size_t n = 0;
  while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r')) t->at++;
  while (t->at < t->end && n + 1 < sizeof word && *t->at > ' ') word[n++] = *t->at++;
  char *end = word;
  *out = n > 0 && strspn(word, "0123456789.+-eE") == n ? prc_strtod(word, &end) : 0.0;
  return n > 0 && *end == '\0' && end != word;
}

/* A size_t as binary files of version 4.1 have it. */
static int take_size(text *t, double *out) {
  uint64_t value;
  if ((size_t)(t->end - t->at) < sizeof value) return 0;
  memcpy(&value, t->at, sizeof value);
  t->at += sizeof value;
  *out = (double)value;
  return 1;
}

typedef struct {
  double version;
  int binary;
} format;

static prc_status read_format(text *t, format *out, prc_error *err) {
  double type, size;
  if (!find_section(t, "$MeshFormat") || !take_number(t, &out->version) || !take_number(t, &type)
      || !take_number(t, &size))
    return prc_fail(
        err, PRC_INPUT,
        "the line after $MeshFormat is not understood, expected a version, 0 (text) or 1 (binary) "
        "and 8, as in '4.1 0 8'");
  out->binary = type == 1.0;
  if ((type != 0.0 && type != 1.0) || size != 8.0)
    return prc_fail(err, PRC_INPUT,
                    "$MeshFormat has file type %g and data size %g, expected 0 (text) or 1 (binary), and 8",
                    type, size);
  return PRC_OK;
}

/* Versions 4.x say the number of blocks, then of items; before, the number of items alone. */
static prc_status check_counts(text t, const format *f, const char *section, const char *items, double bytes,
                               prc_error *err) {
  const int blocks = f->version >= 4.0;
  for (int k = 0; k < 1 + blocks; k++) {
    double count;
    const int found = f->binary && blocks ? take_size(&t, &count) : take_number(&t, &count);
    if (!found) return prc_fail(err, PRC_INPUT, "%s has no number of %s, expected one", section, items);
    /* the shortest line of an item has two bytes */
    if (!(count >= 0.0) || count != floor(count) || count > 0.5 * bytes)
      return prc_fail(err, PRC_INPUT,
                      "%s claims %.15g %s, expected a number that a file of %.0f bytes can hold", section,
                      count, blocks && k == 0 ? "blocks" : items, bytes);
  }
  return PRC_OK;
}

prc_status prc_mesh_inspect(const char *bytes, size_t n, prc_error *err) {
  static const struct {
    const char *section, *items;
  } counted[] = {{"$Nodes", "nodes"}, {"$Elements", "elements"}};
  prc_status status = PRC_OK;
  format f = {0};
  text t = {bytes, bytes + n};
  if (!begins_with(&t, "$MeshFormat"))
    return prc_fail(err, PRC_INPUT,
                    "is not a Gmsh mesh of version 2.2 or 4.1: expected $MeshFormat in its first line");
  prc_try(read_format(&t, &f, err));
  for (size_t k = 0; k < sizeof counted / sizeof *counted; k++)
    for (text rest = t; find_section(&rest, counted[k].section);)
      prc_try(check_counts(rest, &f, counted[k].section, counted[k].items, (double)n, err));
done:
  return status;
}

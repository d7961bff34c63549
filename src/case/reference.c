#include "config.h"
#include "case/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- lines of the terminal ----------------------------------------------------------------------------- */

enum { LINE = 100, HELP_INDENT = 6 };

/* Words from `text`, broken into lines of at most LINE characters, each after `indent` blanks; the first line
 * has `used` characters already. A blank line stays one. */
static prc_status add_wrapped(prc_bytes *out, const char *text, size_t indent, size_t used, prc_error *err) {
  prc_status status = PRC_OK;
  while (*text) {
    const size_t length = strcspn(text, " \n");
    const int paragraph = text[length] == '\n' && text[length + 1] == '\n';
    if (used > indent && used + 1 + length > LINE) {
      prc_try(prc_bytes_print(out, err, "\n"));
      used = 0;
    }
    if (used == 0)
      prc_try(prc_bytes_print(out, err, "%*s", (int)indent, ""));
    else if (used > indent)
      prc_try(prc_bytes_print(out, err, " "));
    used = (used > indent ? used + 1 : indent) + length;
    prc_try(prc_bytes_print(out, err, "%.*s", (int)length, text));
    text += length + (text[length] != '\0') + (size_t)paragraph;
    if (paragraph) prc_try(prc_bytes_print(out, err, "\n\n"));
    if (paragraph) used = 0;
  }
  prc_try(prc_bytes_print(out, err, "\n"));
done:
  return status;
}

/* ---- the tables ---------------------------------------------------------------------------------------- */

enum { KEY, TYPE, UNIT, RANGE, DEFAULT, HELP, N_COLUMNS };
typedef struct {
  char cell[N_COLUMNS][PRC_KEY_ROOM];
} row;

/* Is it of a mesh, or of a block that is? */
static int is_of_mesh(const prc_key *key) {
  char block[64];
  snprintf(block, sizeof block, "%.*s", (int)strcspn(key->parent, "."), key->parent);
  const prc_key *top = prc_key_find("", block, 0);
  return key->only == PRC_WITH_MESH || (top && top->only == PRC_WITH_MESH);
}

/* Vectors are of the plane, of space or of both; those of a mesh of the plane. */
static void vector_text(const prc_key *key, const char **word) {
  const int k = key->dimension == 3 ? 2 : key->dimension == 0 && !is_of_mesh(key);
  static const struct {
    prc_key_type type;
    const char *text[3];
  } vectors[] = {
      {PRC_KEY_POINT, {"[x, y]", "[x, y] or [x, y, z]", "[x, y, z]"}},
      {PRC_KEY_POINTS, {"[[x, y], ...]", "[[x, y], ...] or [[x, y, z], ...]", "[[x, y, z], ...]"}},
      {PRC_KEY_POLYGONS, {"[[[x, y], ...], ...]", "", "[[[x, y, z], ...], ...]"}},
      {PRC_KEY_DISCS, {"[[x, y, r], ...]", "", "[[x, y, z, r], ...]"}},
      {PRC_KEY_EXPRESSIONS, {"2 expressions", "2 or 3 expressions", "3 expressions"}},
  };
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if (vectors[i].type == key->type) *word = vectors[i].text[k];
}

static void type_text(const prc_key *key, char *text, size_t size) {
  static const char *const words[] = {
      [PRC_KEY_BLOCK] = "block",
      [PRC_KEY_NAMED] = "block",
      [PRC_KEY_NUMBER] = "number",
      [PRC_KEY_INTEGER] = "whole number",
      [PRC_KEY_FLAG] = "true or false",
      [PRC_KEY_WORD] = "word",
      [PRC_KEY_TEXT] = "text",
      [PRC_KEY_GROUP] = "text",
      [PRC_KEY_PATH] = "path",
      [PRC_KEY_PATHS] = "path, or a list of paths",
      [PRC_KEY_NAMES] = "name, or a list of names",
      [PRC_KEY_PAIR] = "[name, name], or lists of names",
      [PRC_KEY_POINT] = "[x, y]",
      [PRC_KEY_NUMBERS] = "", /* how many */
      [PRC_KEY_POINTS] = "[[x, y], ...]",
      [PRC_KEY_POLYGONS] = "[[[x, y], ...], ...]",
      [PRC_KEY_DISCS] = "[[x, y, r], ...]",
      [PRC_KEY_EXPRESSION] = "expression",
      [PRC_KEY_EXPRESSIONS] = "2 expressions",
      [PRC_KEY_PARAMETERS] = "names with numbers or formulas",
      [PRC_KEY_FRICTION] = "expression, or a law with its parameters, expressions",
  };
  const int number = key->type == PRC_KEY_NUMBER;
  const int names = key->type == PRC_KEY_NAMES;
  const char *word = key->choices && !names ? number ? "number or word" : "word" : words[key->type];
  vector_text(key, &word);
  snprintf(text, size, "%s", word);
  if (key->or_block) prc_append(text, size, ", or a block");
  if (key->type == PRC_KEY_NUMBERS && key->most > key->least)
    prc_append(text, size, key->between ? "%d to " : "%d or ", key->least);
  if (key->type == PRC_KEY_NUMBERS) prc_append(text, size, "%d numbers", key->most);
  for (const char *v = key->variables; v && *v; v++)
    prc_append(text, size, "%s%c", v == key->variables ? " in " : ", ", *v);
}

/* what holds without the key */
static const char *default_text(const prc_key *key) {
  if (key->required) {
    const int own = prc_key_find("", key->key, 0) == key; /* a block of the top level says it elsewhere */
    if (own || key->required != PRC_ALWAYS || !key->only) return "required";
    return key->only == PRC_WITH_MESH ? "required with a mesh" : "required with bodies";
  }
  return key->otherwise ? key->otherwise : key->fallback ? key->fallback : "";
}

static void fill_row(const prc_key *key, row *r) {
  const size_t size = sizeof r->cell[0];
  snprintf(r->cell[KEY], size, "%s%s%s%s%s", key->parent, key->parent[0] ? "." : "", key->key,
           key->item ? "." : "", key->item ? key->item : "");
  type_text(key, r->cell[TYPE], size);
  snprintf(r->cell[UNIT], size, "%s", key->unit ? key->unit : "");
  prc_key_range_text(&key->range, r->cell[RANGE], size);
  if (key->choices && key->type == PRC_KEY_NUMBER)
    snprintf(r->cell[RANGE] + strlen(r->cell[RANGE]), size - strlen(r->cell[RANGE]), " or %s", key->choices);
  else if (key->choices)
    prc_key_expected(key, key->dimension, r->cell[RANGE], size);
  snprintf(r->cell[DEFAULT], size, "%s", default_text(key));
  snprintf(r->cell[HELP], size, "%s%s",
           key->dimension == 2   ? "in the plane: "
           : key->dimension == 3 ? "in space: "
                                 : "",
           key->help);
  if (!key->of_material) return;
  prc_append(r->cell[DEFAULT], size, " with ");
  prc_key_laws(key, r->cell[DEFAULT], size);
}

static prc_status add_row(prc_bytes *out, const row *r, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_bytes_print(out, err, "| `%s` |", r->cell[KEY]));
  for (int j = TYPE; j < N_COLUMNS; j++) prc_try(prc_bytes_print(out, err, " %s |", r->cell[j]));
  prc_try(prc_bytes_print(out, err, "\n"));
done:
  return status;
}

/* Fills up with blanks to `width` characters since `start`; at least one blank. */
static prc_status pad(prc_bytes *out, size_t start, size_t width, prc_error *err) {
  const size_t used = out->used - start;
  return prc_bytes_print(out, err, "%*s", used < width ? (int)(width - used) : 1, "");
}

/* The key and what may stand there; below it, what it means. */
static prc_status add_lines(prc_bytes *out, const row *r, prc_error *err) {
  enum { TYPES = 38 };
  prc_status status = PRC_OK;
  const size_t start = out->used;
  const char *unit = r->cell[UNIT], *range = r->cell[RANGE], *fallback = r->cell[DEFAULT];
  const char *lead = !fallback[0] ? "" : strncmp(fallback, "required", 8) == 0 ? ", " : "; default: ";
  char what[6 * sizeof r->cell[0]];
  snprintf(what, sizeof what, "%s%s%s%s%s%s%s%s", r->cell[TYPE], unit[0] ? " [" : "", unit,
           unit[0] ? "]" : "", range[0] ? ", " : "", range, lead, fallback);
  prc_try(prc_bytes_print(out, err, "  %s", r->cell[KEY]));
  prc_try(pad(out, start, TYPES, err));
  prc_try(add_wrapped(out, what, TYPES, out->used - start, err));
  prc_try(add_wrapped(out, r->cell[HELP], HELP_INDENT, 0, err));
done:
  return status;
}

static prc_status add_key(prc_bytes *out, int markdown, const prc_key *key, prc_error *err) {
  row r;
  fill_row(key, &r);
  return markdown ? add_row(out, &r, err) : add_lines(out, &r, err);
}

static const char *needed_text(const prc_key *block) {
  if (!block->required) return block->only == PRC_WITH_MESH ? " Only with a mesh." : "";
  if (block->required != PRC_ALWAYS) return " Required with a mesh.";
  if (block->only == PRC_WITH_BODIES) return ""; /* its help says so */
  return block->only == PRC_WITH_MESH ? " Required, unless there are bodies." : " Required.";
}

/* The columns of a table; in the terminal they are explained once, before the first block. */
static prc_status add_heading(prc_bytes *out, int markdown, const prc_key *block, prc_error *err) {
  prc_status status = PRC_OK;
  char text[512] = "key: type [dimension], range; what holds without it";
  if (block) snprintf(text, sizeof text, "%s: %s.%s", block->key, block->help, needed_text(block));
  if (!markdown) {
    prc_try(prc_bytes_print(out, err, block ? "\n" : ""));
    return add_wrapped(out, text, 0, 0, err);
  }
  if (block)
    prc_try(prc_bytes_print(out, err, "\n### `%s`\n\n%c%s.%s\n\n", block->key,
                            toupper((unsigned char)block->help[0]), block->help + 1, needed_text(block)));
  prc_try(prc_bytes_print(out, err, "| key | type | dimension | range | default | meaning |\n"));
  prc_try(prc_bytes_print(out, err, "|---|---|---|---|---|---|\n"));
done:
  return status;
}

/* Is the key inside the top-level block, at any depth? */
static int is_inside(const prc_key *key, const char *block) {
  const size_t length = strlen(block);
  return strncmp(key->parent, block, length) == 0
         && (key->parent[length] == '\0' || key->parent[length] == '.');
}

static prc_status add_keys_of(prc_bytes *out, int markdown, const char *block, prc_error *err) {
  prc_status status = PRC_OK;
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k))
    if (is_inside(k, block) && k->type != PRC_KEY_BLOCK) prc_try(add_key(out, markdown, k, err));
done:
  return status;
}

static prc_status add_tables(prc_bytes *out, int markdown, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(add_heading(out, markdown, NULL, err));
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k)) {
    const int block = k->type == PRC_KEY_BLOCK || k->type == PRC_KEY_NAMED;
    if (k->parent[0]) continue;
    if (!block) {
      prc_try(add_key(out, markdown, k, err));
      continue;
    }
    prc_try(add_heading(out, markdown, k, err));
    prc_try(add_keys_of(out, markdown, k->key, err));
  }
done:
  return status;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static prc_status add_section(prc_bytes *out, int markdown, const char *level, const prc_section *s,
                              prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_bytes_print(out, err, "%s", out->used ? "\n" : ""));
  prc_try(prc_bytes_print(out, err, markdown ? "%s %s\n\n" : "%s%s\n\n", markdown ? level : "", s->title));
  if (!markdown && s->body[0])
    prc_try(add_wrapped(out, s->body, 0, 0, err));
  else
    prc_try(prc_bytes_print(out, err, "%s", s->body));
done:
  return status;
}

/* a cell of a Markdown table must not hold a bare '|' */
static prc_status add_escaped(prc_bytes *out, const char *text, prc_error *err) {
  prc_status status = PRC_OK;
  for (; *text; text++) prc_try(prc_bytes_print(out, err, *text == '|' ? "\\%c" : "%c", *text));
done:
  return status;
}

static prc_status add_functions(prc_bytes *out, int markdown, prc_error *err) {
  prc_status status = PRC_OK;
  const char *name, *help;
  prc_try(prc_bytes_print(out, err, markdown ? "\n| write | meaning |\n|---|---|\n" : "\n"));
  for (int i = 0; (name = prc_expression_help(i, &help)); i++) {
    if (markdown) {
      prc_try(prc_bytes_print(out, err, "| `"));
      prc_try(add_escaped(out, name, err));
      prc_try(prc_bytes_print(out, err, "` | %s |\n", help));
    } else
      prc_try(prc_bytes_print(out, err, help[0] ? "  %-36s%s\n" : "  %s\n", name, help));
  }
done:
  return status;
}

/* "  static, kinetic, distance": its parameters; those that need not be given in brackets */
static void parameters_text(const prc_friction *law, char *text, size_t size) {
  text[0] = '\0';
  for (int k = 0; k < law->n_parameters; k++) {
    const int optional = law->otherwise && !isnan(law->otherwise[k]);
    const char *words = law->words && law->words[k] ? law->words[k] : NULL;
    prc_append(text, size, "%s%s%s", k > 0 ? ", " : "", optional ? "[" : "", law->parameter[k]);
    for (const char *w = words; w && *w; w += strcspn(w, "|") + (w[strcspn(w, "|")] == '|'))
      prc_append(text, size, "%s%.*s", w == words ? ": " : " or ", (int)strcspn(w, "|"), w);
    prc_append(text, size, "%s", optional ? "]" : "");
  }
}

static prc_status add_frictions(prc_bytes *out, int markdown, prc_error *err) {
  prc_status status = PRC_OK;
  char text[512];
  prc_try(prc_bytes_print(
      out, err,
      markdown ? "\n| law | parameters, those in brackets if need be | mu |\n|---|---|---|\n" : "\n"));
  for (const prc_friction *const *law = prc_frictions(); *law; law++) {
    parameters_text(*law, text, sizeof text);
    if (markdown) {
      prc_try(prc_bytes_print(out, err, "| `%s` | %s | %s |\n", (*law)->name, text, (*law)->help));
      continue;
    }
    prc_try(prc_bytes_print(out, err, "  %s:", (*law)->name));
    prc_try(add_wrapped(out, text, HELP_INDENT, strlen((*law)->name) + 3, err));
    prc_try(add_wrapped(out, (*law)->help, HELP_INDENT, 0, err));
  }
done:
  return status;
}

/* ---- a part of it -------------------------------------------------------------------------------------- */

/* The next component of a path without its names of one's own, <name>; its length in *length. */
static const char *component(const char *path, size_t *length) {
  while (*path == '<') path += strcspn(path, ".") + (path[strcspn(path, ".")] == '.');
  *length = strcspn(path, ".");
  return path;
}

/* Does the key's path begin with the part, component by component? names: in place of <name> any name may stand, else none does. */
static int is_of_part(const char *key, const char *part, int names) {
  while (*part) {
    size_t n, m = strcspn(part, ".");
    const int named = *key == '<';
    const char *at = component(key, &n);
    if (n == m && strncmp(at, part, n) == 0) {
      key = at + n + (at[n] == '.');
    } else if (named && names) {
      key = at; /* a name of one's own */
    } else {
      return 0;
    }
    part += m + (part[m] == '.');
  }
  return 1;
}

static void name_blocks(char *text, size_t size) {
  text[0] = '\0';
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k))
    if (!k->parent[0]) prc_append(text, size, "%s%s", text[0] ? ", " : "", k->key);
}

/* The sections of the page that keys name in what they mean: bits by their place, that of friction first. */
static unsigned named_sections(const char *help) {
  unsigned named = strstr(help, prc_section_friction.title) ? 1U : 0U;
  for (unsigned k = 0; prc_section_after[k].title; k++) {
    char see[128];
    snprintf(see, sizeof see, "see %s", prc_section_after[k].title);
    const char *at = strstr(help, see);
    const char *end = at ? at + strlen(see) : "";
    if (at && (*end == '\0' || *end == ';')) named |= 2U << k;
  }
  return named;
}

static prc_status add_sections(prc_bytes *out, unsigned named, prc_error *err) {
  prc_status status = PRC_OK;
  if (named & 1U) {
    prc_try(add_section(out, 0, "", &prc_section_friction, err));
    prc_try(add_frictions(out, 0, err));
  }
  for (unsigned k = 0; prc_section_after[k].title; k++)
    if (named & 2U << k) prc_try(add_section(out, 0, "", &prc_section_after[k], err));
done:
  return status;
}

/* Its keys, how many more of them are found, and the sections that they name. */
static prc_status add_part(prc_bytes *out, const char *part, int names, int *found, unsigned *sections,
                           prc_error *err) {
  prc_status status = PRC_OK;
  const prc_key *top = NULL;
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k)) {
    row r;
    fill_row(k, &r);
    if (k->type == PRC_KEY_BLOCK && k->parent[0]) continue;
    if (!is_of_part(r.cell[KEY], part, names)) continue;
    if (!k->parent[0]) top = k;
    if ((*found)++ == 0) prc_try(add_heading(out, 0, NULL, err));
    if (top == k && (k->type == PRC_KEY_BLOCK || k->type == PRC_KEY_NAMED))
      prc_try(add_heading(out, 0, k, err));
    else
      prc_try(add_lines(out, &r, err));
    *sections |= named_sections(k->help);
  }
done:
  return status;
}

/* `contacts.friction` is a key; `contacts.bottom` none, and so what may stand in a contact of this name. */
prc_status prc_case_reference_of(const char *part, char **text, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes out = {0};
  unsigned sections = 0;
  int found = 0;
  for (int names = 0; names < 2 && !found; names++)
    prc_try(add_part(&out, part, names, &found, &sections, err));
  if (!found) {
    char blocks[512];
    name_blocks(blocks, sizeof blocks);
    prc_try(prc_fail(err, PRC_INPUT, "a case has no key '%s'; at its top there are %s", part, blocks));
  }
  prc_try(add_sections(&out, sections, err));
  *text = out.at, out.at = NULL;
done:
  prc_delete(&out.at);
  return status;
}

prc_status prc_case_reference(int markdown, char **text, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes out = {0};
  prc_try(add_section(&out, markdown, "#", &prc_section_before, err));
  prc_try(add_section(&out, markdown, "##", &(prc_section){"Keys", ""}, err));
  prc_try(add_tables(&out, markdown, err));
  prc_try(add_section(&out, markdown, "##", &prc_section_expressions, err));
  prc_try(add_functions(&out, markdown, err));
  prc_try(add_section(&out, markdown, "##", &prc_section_friction, err));
  prc_try(add_frictions(&out, markdown, err));
  for (const prc_section *section = prc_section_after; section->title; section++)
    prc_try(add_section(&out, markdown, "##", section, err));
  if (markdown) prc_try(prc_bytes_print(&out, err, "\nThis page is printed by `percuss help case`.\n"));
  *text = out.at, out.at = NULL;
done:
  prc_delete(&out.at);
  return status;
}

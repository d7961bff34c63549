#include "config.h"
#include "case/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- prose --------------------------------------------------------------------------------------------- */

typedef struct {
  const char *title, *body;
} section;

static const section before = {"The case file",
                               "A case is one YAML file. Only `mesh`, `model`, `materials` and `time` must "
                               "be there. Materials are named after the\n"
                               "physical surfaces of the mesh; contacts, supports, loads and probes have "
                               "names of your own, which default to the\n"
                               "physical curve they mean. Every key has a dotted path, as in the tables "
                               "below, and `--set PATH=VALUE` replaces or\n"
                               "adds the value there (the value is YAML, so `--set 'loads.left.traction=[1, "
                               "0]'` works; the last one wins).\n"
                               "What a case does not say has the default shown; what percuss does not know "
                               "it refuses, naming line and column.\n"};

static const section after[] = {
    {"Units", "percuss knows no units: any consistent set will do. With mm, g and ms, forces are in N, "
              "stresses in MPa, energies in\n"
              "mJ (N mm), densities in g/mm^3, accelerations in mm/ms^2. With m, kg and s everything is SI. "
              "The tables name the\n"
              "dimension of each key.\n"},
    {"Signs", "The normal of a contact points from the obstacle into the body. A gap is positive when the "
              "contact is open, a normal\n"
              "percussion is positive when it pushes the body away. The tangent is the normal turned by -90 "
              "degrees: on a floor the\n"
              "normal is +y and the tangent +x. Stresses are positive in tension. A traction is the force "
              "per area that acts on the\n"
              "body, by its x and y components, whatever way the boundary faces.\n"},
    {"Supports",
     "`x` and `y` are displacements from the mesh as it was read. What the scheme imposes is the velocity: "
     "the one-sided\n"
     "derivative of the displacement in time, from the right where the displacement has a kink. (Imposing "
     "the displacement itself\n"
     "makes a ramp ring when theta is 0.5.) The displacement follows from the velocity step by step, and how "
     "far it is from\n"
     "the expression you wrote is reported at the end of the run. A component that is not named is free.\n"},
    {"How a load is evaluated",
     "Expressions are evaluated as written, in double precision, at t_k = k h and t_{k+1}; the step uses\n"
     "F_{k+theta} = (1 - theta) F_k + theta F_{k+1}. At a discontinuity this has a consequence: "
     "2*sgn(sin(4*pi*t)) is 0 at\n"
     "t = 0, and at t = 0.25, where the sine vanishes in theory, it takes the sign that rounding gives. To "
     "be independent\n"
     "of rounding, put a jump between two steps.\n"},
};

static const section expressions = {
    "Expressions", "Where a type says expression, a number or a formula may stand. The letters name the "
                   "variables that are allowed: time t,\n"
                   "and place x, y in the undeformed body. In a list, a formula with commas needs quotes:\n"
                   "`traction: [\"if(t < 0.1, 1, 0)\", 0]`. A value that is not finite where it is needed "
                   "stops the run and says where.\n"};

/* ---- the tables ---------------------------------------------------------------------------------------- */

enum { KEY, TYPE, UNIT, RANGE, DEFAULT, HELP, N_COLUMNS };
static const char *const heading[N_COLUMNS] = {"key", "type", "dimension", "range", "default", "meaning"};
typedef struct {
  char cell[N_COLUMNS][192];
} row;

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
      [PRC_KEY_POINT] = "[x, y]",
      [PRC_KEY_EXPRESSION] = "expression",
      [PRC_KEY_EXPRESSIONS] = "2 expressions",
  };
  size_t used = (size_t)snprintf(text, size, "%s", key->choices ? "word" : words[key->type]);
  for (const char *v = key->variables; v && *v && used < size; v++)
    used += (size_t)snprintf(text + used, size - used, "%s%c", v == key->variables ? " in " : ", ", *v);
}

static void fill_row(const prc_key *key, row *r) {
  const size_t size = sizeof r->cell[0];
  snprintf(r->cell[KEY], size, "%s%s%s%s%s", key->parent, key->parent[0] ? "." : "", key->key,
           key->item ? "." : "", key->item ? key->item : "");
  type_text(key, r->cell[TYPE], size);
  snprintf(r->cell[UNIT], size, "%s", key->unit ? key->unit : "");
  if (key->choices)
    prc_key_expected(key, r->cell[RANGE], size);
  else
    prc_key_range_text(&key->range, r->cell[RANGE], size);
  snprintf(r->cell[DEFAULT], size, "%s",
           key->required    ? "required"
           : key->otherwise ? key->otherwise
           : key->fallback  ? key->fallback
                            : "");
  snprintf(r->cell[HELP], size, "%s", key->help);
}

static void column_widths(size_t width[N_COLUMNS]) {
  int n;
  const prc_key *keys = prc_keys(&n);
  for (int j = 0; j < N_COLUMNS; j++) width[j] = strlen(heading[j]) + 2;
  for (int i = 0; i < n; i++) {
    row r;
    fill_row(&keys[i], &r);
    for (int j = 0; j < N_COLUMNS; j++)
      if (strlen(r.cell[j]) + 2 > width[j]) width[j] = strlen(r.cell[j]) + 2;
  }
}

static prc_status add_line(prc_text *out, int markdown, const row *r, const size_t *width, prc_error *err) {
  prc_status status = PRC_OK;
  if (markdown) {
    prc_try(prc_text_add(out, err, "| `%s` |", r->cell[KEY]));
    for (int j = TYPE; j < N_COLUMNS; j++) prc_try(prc_text_add(out, err, " %s |", r->cell[j]));
  } else {
    for (int j = KEY; j < HELP; j++) {
      const size_t start = out->length;
      prc_try(prc_text_add(out, err, "%s%s", j ? "" : "  ", r->cell[j]));
      prc_try(prc_text_pad(out, start, width[j] + (j ? 0 : 2), err));
    }
    prc_try(prc_text_add(out, err, "%s", r->cell[HELP]));
  }
  prc_try(prc_text_add(out, err, "\n"));
done:
  return status;
}

static prc_status add_heading(prc_text *out, int markdown, const prc_key *block, const size_t *width,
                              prc_error *err) {
  prc_status status = PRC_OK;
  row r;
  for (int j = 0; j < N_COLUMNS; j++) snprintf(r.cell[j], sizeof r.cell[j], "%s", heading[j]);
  if (block) {
    const char *must = block->required ? " Required." : "";
    prc_try(prc_text_add(out, err, markdown ? "\n### `%s`\n\n%c%s.%s\n\n" : "\n%s: %c%s.%s\n", block->key,
                         markdown ? toupper((unsigned char)block->help[0]) : block->help[0], block->help + 1,
                         must));
  }
  if (!markdown && block) goto done; /* the columns are named once, at the top */
  if (!markdown) return add_line(out, 0, &r, width, err);
  prc_try(prc_text_add(out, err, "| key | type | dimension | range | default | meaning |\n"));
  prc_try(prc_text_add(out, err, "|---|---|---|---|---|---|\n"));
done:
  return status;
}

/* Is the key inside the top-level block, at any depth? */
static int is_inside(const prc_key *key, const char *block) {
  const size_t length = strlen(block);
  return strncmp(key->parent, block, length) == 0
         && (key->parent[length] == '\0' || key->parent[length] == '.');
}

static prc_status add_keys_of(prc_text *out, int markdown, const char *block, const size_t *width,
                              prc_error *err) {
  prc_status status = PRC_OK;
  int n;
  const prc_key *keys = prc_keys(&n);
  for (int i = 0; i < n; i++) {
    row r;
    if (!is_inside(&keys[i], block) || keys[i].type == PRC_KEY_BLOCK) continue;
    fill_row(&keys[i], &r);
    prc_try(add_line(out, markdown, &r, width, err));
  }
done:
  return status;
}

static prc_status add_tables(prc_text *out, int markdown, prc_error *err) {
  prc_status status = PRC_OK;
  int n;
  size_t width[N_COLUMNS];
  const prc_key *keys = prc_keys(&n);
  column_widths(width);
  prc_try(add_heading(out, markdown, NULL, width, err));
  for (int i = 0; i < n; i++) {
    row r;
    if (keys[i].parent[0]) continue;
    if (keys[i].type == PRC_KEY_BLOCK || keys[i].type == PRC_KEY_NAMED) {
      prc_try(add_heading(out, markdown, &keys[i], width, err));
      prc_try(add_keys_of(out, markdown, keys[i].key, width, err));
      continue;
    }
    fill_row(&keys[i], &r);
    prc_try(add_line(out, markdown, &r, width, err));
  }
done:
  return status;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static prc_status add_section(prc_text *out, int markdown, const char *level, const section *s,
                              prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_text_add(out, err, "%s", out->length ? "\n" : ""));
  if (markdown)
    prc_try(prc_text_add(out, err, "%s %s\n\n", level, s->title));
  else
    prc_try(prc_text_add(out, err, "%s\n\n", s->title));
  prc_try(prc_text_add(out, err, "%s", s->body));
done:
  return status;
}

/* a cell of a Markdown table must not hold a bare '|' */
static prc_status add_escaped(prc_text *out, const char *text, prc_error *err) {
  prc_status status = PRC_OK;
  for (; *text; text++) prc_try(prc_text_add(out, err, *text == '|' ? "\\%c" : "%c", *text));
done:
  return status;
}

static prc_status add_functions(prc_text *out, int markdown, prc_error *err) {
  prc_status status = PRC_OK;
  const char *name, *help;
  prc_try(prc_text_add(out, err, markdown ? "\n| write | meaning |\n|---|---|\n" : "\n"));
  for (int i = 0; (name = prc_expression_help(i, &help)); i++) {
    if (markdown) {
      prc_try(prc_text_add(out, err, "| `"));
      prc_try(add_escaped(out, name, err));
      prc_try(prc_text_add(out, err, "` | %s |\n", help));
    } else
      prc_try(prc_text_add(out, err, help[0] ? "  %-36s%s\n" : "  %s\n", name, help));
  }
done:
  return status;
}

prc_status prc_case_reference(int markdown, char **text, prc_error *err) {
  prc_status status = PRC_OK;
  prc_text out = {0};
  prc_try(add_section(&out, markdown, "#", &before, err));
  prc_try(add_section(&out, markdown, "##", &(section){"Keys", ""}, err));
  prc_try(add_tables(&out, markdown, err));
  prc_try(add_section(&out, markdown, "##", &expressions, err));
  prc_try(add_functions(&out, markdown, err));
  for (size_t i = 0; i < sizeof after / sizeof after[0]; i++)
    prc_try(add_section(&out, markdown, "##", &after[i], err));
  if (markdown) prc_try(prc_text_add(&out, err, "\nThis page is printed by `percuss help case`.\n"));
  *text = out.text, out.text = NULL;
done:
  prc_delete(&out.text);
  return status;
}

#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what a key says of itself ------------------------------------------------------------------------- */

void prc_key_laws(const prc_key *key, char *text, size_t size) {
  const char *between = "law: ";
  for (const prc_fem_law *const *law = prc_fem_laws(); *law; law++) {
    if (!prc_fem_law_has(*law, key->key)) continue;
    prc_append(text, size, "%s%s", between, (*law)->name);
    between = " or ";
  }
}

int prc_key_applies(const prc_key *key, int kind, int dimension) {
  return (key->only == 0 || (key->only & kind) != 0) && (key->dimension == 0 || key->dimension == dimension);
}

int prc_key_required(const prc_key *key, int kind, int dimension) {
  return prc_key_applies(key, kind, dimension) && (key->required & kind) != 0;
}

static int is_unbounded(const prc_key_range *range) {
  return range->low >= range->high;
}

int prc_key_in_range(const prc_key_range *range, double value) {
  if (is_unbounded(range)) return isfinite(value);
  const int above = range->open_low ? value > range->low : value >= range->low;
  const int below = range->open_high ? value < range->high : value <= range->high;
  return above && below && isfinite(value);
}

void prc_key_range_text(const prc_key_range *range, char *text, size_t size) {
  if (is_unbounded(range))
    snprintf(text, size, "%s", "");
  else if (range->high >= 2147483647.0)
    snprintf(text, size, "%s %g", range->open_low ? ">" : ">=", range->low);
  else
    snprintf(text, size, "in %c%g, %g%c", range->open_low ? '(' : '[', range->low, range->high,
             range->open_high ? ')' : ']');
}

/* "newton|fremond" as "newton or fremond" */
static void choices_text(const char *choices, char *text, size_t size) {
  text[0] = '\0';
  while (*choices) {
    const int length = (int)strcspn(choices, "|");
    const int last = choices[length] == '\0';
    const char *between = !*text ? "" : last ? " or " : ", ";
    prc_append(text, size, "%s%.*s", between, length, choices);
    choices += length + !last;
  }
}

/* "3 or 6 numbers" */
static void numbers_text(const prc_key *key, char *text, size_t size) {
  snprintf(text, size, "%d", key->least);
  if (key->most > key->least) prc_append(text, size, key->between ? " to %d" : " or %d", key->most);
  prc_append(text, size, " numbers");
}

/* The text for space where it differs; NULL: it does not. */
static const char *word_in_space(const prc_key *key) {
  if (key->type == PRC_KEY_POINT && key->variables) return "three numbers or constant expressions [x, y, z]";
  if (key->type == PRC_KEY_POINT) return "three numbers [x, y, z]";
  if (key->type == PRC_KEY_POINTS) return "a list of points [x, y, z]";
  if (key->type == PRC_KEY_POLYGONS) return "a list of polyhedra, each a list of points [x, y, z]";
  if (key->type == PRC_KEY_DISCS) return "a list of spheres [x, y, z, radius]";
  if (key->type == PRC_KEY_EXPRESSIONS) return "three numbers or expressions [x, y, z]";
  return NULL;
}

void prc_key_expected(const prc_key *key, int dimension, char *text, size_t size) {
  static const char *const words[] = {
      [PRC_KEY_BLOCK] = "a block of keys",
      [PRC_KEY_NAMED] = "a block of names",
      [PRC_KEY_NUMBER] = "a number",
      [PRC_KEY_INTEGER] = "a whole number",
      [PRC_KEY_FLAG] = "true or false",
      [PRC_KEY_TEXT] = "a text",
      [PRC_KEY_GROUP] = "a group of the mesh",
      [PRC_KEY_PATH] = "a path",
      [PRC_KEY_PATHS] = "a path or a list of paths",
      [PRC_KEY_NAMES] = "a name or a list of names",
      [PRC_KEY_PAIR] = "two names, or lists of names [what is touched, what touches]",
      [PRC_KEY_POINT] = "two numbers [x, y]",
      [PRC_KEY_NUMBERS] = "numbers",
      [PRC_KEY_POINTS] = "a list of points [x, y]",
      [PRC_KEY_POLYGONS] = "a list of polygons, each a list of points [x, y]",
      [PRC_KEY_DISCS] = "a list of discs [x, y, radius]",
      [PRC_KEY_EXPRESSION] = "a number or an expression",
      [PRC_KEY_EXPRESSIONS] = "two numbers or expressions [x, y]",
      [PRC_KEY_FRICTION] = "a number or an expression",
      [PRC_KEY_PARAMETERS] = "names with numbers or formulas",
  };
  char range[64], or_word[64] = "", numbers[64];
  const char *in_space = dimension == 3 ? word_in_space(key) : NULL;
  if (key->choices && key->type != PRC_KEY_NUMBER) {
    choices_text(key->choices, text, size);
    return;
  }
  if (key->choices) snprintf(or_word, sizeof or_word, " or %s", key->choices);
  prc_key_range_text(&key->range, range, sizeof range);
  const char *word = words[key->type];
  if (key->variables && key->type == PRC_KEY_NUMBER) word = "a number or a constant expression";
  if (key->variables && key->type == PRC_KEY_POINT) word = "two numbers or constant expressions [x, y]";
  if (key->type == PRC_KEY_NUMBERS) numbers_text(key, numbers, sizeof numbers), word = numbers;
  if (in_space) word = in_space;
  snprintf(text, size, "%s%s%s%s", word, range[0] ? " " : "", range, or_word);
}

/* A block with names of its own may be meant for the plural: `contact: {floor: {...}}`. */
int prc_key_has_plural(const char *block) {
  char plural[64];
  snprintf(plural, sizeof plural, "%ss", block);
  const prc_key *key = prc_key_find("", plural, 0);
  return key && key->type == PRC_KEY_NAMED;
}

#include "config.h"
#include "case/internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Characters and length of the user's names, and the closest name to a misspelt one. */

/* ---- characters ---------------------------------------------------------------------------------------- */

/* Blanks that look like the blank, or like nothing. */
static int is_unusual_blank(uint32_t code) {
  return code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x202f
         || code == 0x205f || code == 0x3000;
}

/* The first character that is hidden, an odd blank or one of those refused, in words; 0: there is none. */
static int find_refused(const char *name, const char *refused, char what[64]) {
  uint32_t code;
  for (const char *at = name; *at;) {
    const char *next = prc_next_character(at, &code);
    if (code == PRC_NO_CHARACTER)
      return snprintf(what, 64, "the byte 0x%02x, which is no UTF-8", (unsigned)(unsigned char)*at), 1;
    if (prc_is_hidden(code) || is_unusual_blank(code))
      return snprintf(what, 64, "the hidden character U+%04X", (unsigned)code), 1;
    if (code < 0x80 && strchr(refused, (int)code))
      return snprintf(what, 64, "the character '%c'", (char)code), 1;
    at = next;
  }
  return 0;
}

/* Spreadsheets take a column that begins so for a formula; some the wide forms as well. */
static int begins_as_formula(const char *name) {
  uint32_t code;
  prc_next_character(name, &code);
  return (code < 0x80 && strchr("=+-@", (int)code)) || code == 0xff1d || code == 0xff0b || code == 0xff0d
         || code == 0xff20;
}

/* ---- names --------------------------------------------------------------------------------------------- */

/* Besides what is hidden: what separates or quotes columns, paths, and $, which begins a formula in
 * pictures. */
prc_status prc_case_check_item_name(const prc_case *c, const char *name, const prc_case_place *at,
                                    prc_error *err) {
  char what[64];
  if (strlen(name) > PRC_CASE_NAME)
    return prc_case_fail(c, at, err,
                         "the name '%.40s...' has %zu bytes, expected at most %d; `group` may be longer",
                         name, strlen(name), (int)PRC_CASE_NAME);
  if (find_refused(name, "/\\,;\"'$", what))
    return prc_case_fail(c, at, err, "the name '%s' has %s, expected a plain name; `group` may be anything",
                         name, what);
  if (begins_as_formula(name))
    return prc_case_fail(
        c, at, err,
        "the name '%s' begins as a formula of a spreadsheet does, expected none of = + - @ there; "
        "`group` may be anything",
        name);
  if (name[0] == ' ' || name[strlen(name) - 1] == ' ')
    return prc_case_fail(
        c, at, err, "the name '%s' begins or ends with a blank, expected none there; `group` may be anything",
        name);
  return PRC_OK;
}

/* One that comes from the name of the file is taken as it is. */
prc_status prc_case_check_own_name(const prc_case *c, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "name");
  const prc_node *given = prc_tree_child(c->store->root, "name");
  const size_t length = strlen(c->name);
  char what[64];
  if (length > PRC_CASE_FOLDER)
    return prc_case_fail(c, &at, err,
                         "name is '%.40s...' of %zu bytes, expected at most %d: results go to results/<name>",
                         c->name, length, (int)PRC_CASE_FOLDER);
  if (strchr(c->name, '/') || strcmp(c->name, ".") == 0 || strcmp(c->name, "..") == 0)
    return prc_case_fail(c, &at, err,
                         "name is '%s', expected a name without '/': results go to results/<name>", c->name);
  if (given && find_refused(c->name, "", what))
    return prc_case_fail(c, &at, err, "name is '%s' and has %s, expected characters that can be seen",
                         c->name, what);
  return PRC_OK;
}

/* none, or three names with single spaces between them */
prc_status prc_case_check_units(const prc_case *c, prc_error *err) {
  int n_names = 1;
  char what[64];
  if (!c->units || strcmp(c->units, "none") == 0) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "units");
  for (const char *space = strchr(c->units, ' '); space; space = strchr(space + 1, ' ')) {
    n_names++;
    if (space == c->units || space[1] == ' ' || space[1] == '\0') n_names = INT_MIN;
  }
  if (n_names != 3 || strpbrk(c->units, "\t\n"))
    return prc_case_fail(
        c, &at, err,
        "units is '%s', expected the names of the units of length, mass and time, such as mm g ms, "
        "or none",
        c->units);
  if (find_refused(c->units, "$", what))
    return prc_case_fail(c, &at, err, "units is '%s' and has %s, expected plain names such as mm g ms",
                         c->units, what);
  return PRC_OK;
}

/* ---- the nearest name ---------------------------------------------------------------------------------- */

enum { LONGEST = 40 };

/* insertions, deletions, replacements and swaps of neighbours that lead from a to b */
static int distance(const char *a, const char *b) {
  const int n = (int)strnlen(a, LONGEST + 1), m = (int)strnlen(b, LONGEST + 1);
  int d[LONGEST + 1][LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return LONGEST;
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++) {
      d[i][j] = i ? j ? d[i - 1][j - 1] + (a[i - 1] != b[j - 1]) : i : j;
      if (i && d[i - 1][j] + 1 < d[i][j]) d[i][j] = d[i - 1][j] + 1;
      if (j && d[i][j - 1] + 1 < d[i][j]) d[i][j] = d[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < d[i][j])
        d[i][j] = d[i - 2][j - 2] + 1;
    }
  return d[n][m];
}

const char *prc_nearest_name(const char *written, const char *best, const char *candidate) {
  const int far = 1 + (int)strnlen(written, LONGEST) / 3; /* more changes than this: another word */
  const int now = best ? distance(written, best) : far + 1;
  const int then = distance(written, candidate);
  return then <= far && then < now ? candidate : best;
}

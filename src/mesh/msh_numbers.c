#include "config.h"
#include "mesh/msh.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a .msh: words in a text, bytes in a binary file. */

void prc_msh_begin(prc_msh *m, const char *item, size_t n) {
  m->item = item, m->done = 0, m->n_items = n;
}

static prc_status refuse_end(const prc_msh *m, prc_error *err) {
  return prc_fail(err, PRC_INPUT, "ends in %s %zu of %zu of %s, expected a mesh that is complete",
                  m->item ? m->item : "line", m->done + 1, m->n_items, m->section);
}

int prc_msh_is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void prc_msh_skip_blanks(prc_msh *m) {
  while (m->at < m->end && prc_msh_is_blank(*m->at)) m->at++;
}

/* ---- words --------------------------------------------------------------------------------------------- */

enum { WORD = 48 };

/* The next word, which is passed; one that is too long for a number is cut. */
static int read_word(prc_msh *m, char word[WORD]) {
  size_t n = 0;
  prc_msh_skip_blanks(m);
  for (; m->at < m->end && !prc_msh_is_blank(*m->at); m->at++)
    if (n + 1 < WORD) word[n++] = *m->at;
  word[n] = '\0';
  return n > 0;
}

static prc_status refuse_word(const prc_msh *m, char *word, const char *expected, prc_error *err) {
  for (char *c = word; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?'; /* it is going to a terminal */
  return prc_fail(err, PRC_INPUT, "%s, %s %zu of %zu: '%s' stands where %s is expected", m->section,
                  m->item ? m->item : "line", m->done + 1, m->n_items, word, expected);
}

static int parse_integer(const char *word, long long low, long long high, long long *out) {
  char *end;
  errno = 0;
  *out = strtoll(word, &end, 10);
  return end != word && *end == '\0' && errno == 0 && *out >= low && *out <= high;
}

static prc_status read_integer(prc_msh *m, long long low, long long high, long long *out, prc_error *err) {
  char word[WORD];
  if (!read_word(m, word)) return refuse_end(m, err);
  if (parse_integer(word, low, high, out)) return PRC_OK;
  return refuse_word(m, word, low < 0 ? "a whole number" : "a whole number >= 0", err);
}

/* ---- bytes --------------------------------------------------------------------------------------------- */

static prc_status read_bytes(prc_msh *m, size_t n, void *out, prc_error *err) {
  char *to = out;
  if ((size_t)(m->end - m->at) < n) return m->at = m->end, refuse_end(m, err);
  for (size_t k = 0; k < n; k++) to[k] = m->at[m->swapped ? n - 1 - k : k];
  m->at += n;
  return PRC_OK;
}

/* ---- either -------------------------------------------------------------------------------------------- */

prc_status prc_msh_int(prc_msh *m, int *out, prc_error *err) {
  long long value = 0;
  if (m->binary) return read_bytes(m, sizeof *out, out, err);
  const prc_status status = read_integer(m, INT_MIN, INT_MAX, &value, err);
  *out = (int)value;
  return status;
}

prc_status prc_msh_size(prc_msh *m, size_t *out, prc_error *err) {
  long long value = 0;
  uint64_t binary = 0;
  prc_status status;
  if (m->binary)
    status = read_bytes(m, sizeof binary, &binary, err);
  else
    status = read_integer(m, 0, LLONG_MAX, &value, err);
  *out = m->binary ? (size_t)binary : (size_t)value;
  return status;
}

prc_status prc_msh_double(prc_msh *m, double *out, prc_error *err) {
  char word[WORD], *end = word;
  if (m->binary) return read_bytes(m, sizeof *out, out, err);
  if (!read_word(m, word)) return refuse_end(m, err);
  *out = prc_strtod(word, &end);
  return end != word && *end == '\0' ? PRC_OK : refuse_word(m, word, "a number", err);
}

static prc_status skip_items(prc_msh *m, size_t n, size_t size, prc_error *err) {
  char word[WORD];
  if (m->binary) {
    if ((size_t)(m->end - m->at) / size < n) return m->at = m->end, refuse_end(m, err);
    m->at += n * size;
    return PRC_OK;
  }
  for (size_t k = 0; k < n; k++)
    if (!read_word(m, word) || *word == '$') return refuse_end(m, err);
  return PRC_OK;
}

prc_status prc_msh_skip_ints(prc_msh *m, size_t n, prc_error *err) {
  return skip_items(m, n, sizeof(int), err);
}

prc_status prc_msh_skip_doubles(prc_msh *m, size_t n, prc_error *err) {
  return skip_items(m, n, sizeof(double), err);
}

/* ---- counts -------------------------------------------------------------------------------------------- */

static int read_count(prc_msh *m, double *out) {
  char word[WORD], *end = word;
  uint64_t binary;
  prc_error none = {0};
  if (m->binary && m->version > 4.0) {
    if (read_bytes(m, sizeof binary, &binary, &none) != PRC_OK) return 0;
    *out = (double)binary;
    return 1;
  }
  if (!read_word(m, word) || strspn(word, "0123456789.+-eE") != strlen(word)) return 0;
  *out = prc_strtod(word, &end);
  return end != word && *end == '\0';
}

/* An item has two bytes at least. A larger count than the bytes allow is an error of the file, and nothing is
 * allocated for it. */
prc_status prc_msh_count(prc_msh *m, const char *items, size_t *out, prc_error *err) {
  const double bytes = (double)(m->end - m->start);
  double count;
  *out = 0;
  if (!read_count(m, &count))
    return prc_fail(err, PRC_INPUT, "%s has no number of %s, expected one", m->section, items);
  if (!(count >= 0.0) || count != floor(count) || count > 0.5 * bytes)
    return prc_fail(err, PRC_INPUT,
                    "%s claims %.15g %s, expected a number that a file of %.0f bytes can hold", m->section,
                    count, items, bytes);
  *out = (size_t)count;
  return PRC_OK;
}

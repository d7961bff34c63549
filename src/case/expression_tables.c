#include "config.h"
#include "case/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* muParser cannot read table(file.csv, t). It is replaced by the call of a function of one argument, "
 * _T0(t)", padded to the same length, so that columns in messages stay right. */

typedef struct {
  const char *text;
  char *work;
  prc_lookup *table;
  int n_tables;
} replacement;

typedef struct {
  size_t from, to; /* to: behind its end */
} span;
enum { ARGUMENTS = 8 };

/* The arguments of a call, whose ( stands at text[at]; *end: its ). 0: there is no end, or there are too many. */
static int split_call(const char *text, size_t at, span *argument, size_t *end) {
  int depth = 0, n = 0;
  argument[0].from = at + 1;
  for (size_t k = at; text[k]; k++) {
    const char *quote = text[k] == '"' || text[k] == '\'' ? strchr(text + k + 1, text[k]) : NULL;
    if (quote) k = (size_t)(quote - text);
    depth += (text[k] == '(') - (text[k] == ')');
    if (depth == 0 || (depth == 1 && text[k] == ',')) {
      argument[n++].to = k;
      *end = k;
      if (depth == 0) return n;
      if (n == ARGUMENTS) return 0;
      argument[n].from = k + 1;
    }
  }
  return 0;
}

/* Without blanks and quotes around it. */
static span trimmed(const char *text, span s) {
  while (s.from < s.to && text[s.from] == ' ') s.from++;
  while (s.to > s.from && text[s.to - 1] == ' ') s.to--;
  const int quoted =
      s.to > s.from + 1 && (text[s.from] == '"' || text[s.from] == '\'') && text[s.to - 1] == text[s.from];
  if (quoted) s.from++, s.to--;
  return s;
}

static int is_word(const char *text, span s, const char *word) {
  return s.to - s.from == strlen(word) && memcmp(text + s.from, word, s.to - s.from) == 0;
}

static prc_status copy_span(const char *text, span s, char **out, prc_error *err) {
  const prc_status status = prc_new(out, s.to - s.from + 1, err);
  if (status == PRC_OK) memcpy(*out, text + s.from, s.to - s.from);
  return status;
}

static const char usage[] =
    "expected table(file.csv, t), table(file.csv, column, t), and behind t linear, cubic or hold";

static prc_status find_table(const prc_vocabulary *names, const char *text, span file, const span *column,
                             prc_history_options *options, const prc_history **out, prc_error *err) {
  prc_status status = PRC_OK;
  char *copy[2] = {NULL, NULL};
  prc_try(copy_span(text, file, &copy[0], err));
  if (column) prc_try(copy_span(text, *column, &copy[1], err));
  options->path = copy[0], options->column = copy[1];
  status = prc_case_history(names->c, options, names->in_folder, out, err);
done:
  prc_delete(&copy[0]);
  prc_delete(&copy[1]);
  return status;
}

/* The call whose name stands at text[at] and whose ( at text[open]; *next: where its argument begins. */
static prc_status replace_call(replacement *f, const prc_vocabulary *names, size_t at, size_t open,
                               size_t *next, prc_error *err) {
  span argument[ARGUMENTS];
  size_t end;
  prc_history_options options = {0};
  char name[16];
  int n = split_call(f->text, open, argument, &end);
  if (n == 0) return prc_fail(err, PRC_INPUT, "table( without its ) in '%s', %s", f->text, usage);
  for (span word; n > 2; n--) {
    word = trimmed(f->text, argument[n - 1]);
    if (is_word(f->text, word, "cubic"))
      options.cubic = 1;
    else if (is_word(f->text, word, "hold"))
      options.hold = 1;
    else if (!is_word(f->text, word, "linear"))
      break;
  }
  const span file = trimmed(f->text, argument[0]),
             column = trimmed(f->text, n == 3 ? argument[1] : argument[0]);
  const span of = argument[n - 1];
  if (n < 2 || n > 3 || file.from == file.to)
    return prc_fail(err, PRC_INPUT, "table() of %d arguments in '%s', %s", n, f->text, usage);
  const prc_status status = find_table(names, f->text, file, n == 3 ? &column : NULL, &options,
                                       &f->table[f->n_tables].history, err);
  if (status != PRC_OK) return status;
  const int length = snprintf(name, sizeof name, PRC_TABLE_NAME "%d(", f->n_tables++);
  memset(f->work + at, ' ', of.from - at);
  memcpy(f->work + of.from - length, name, (size_t)length);
  memset(f->work + of.to, ' ', end - of.to);
  *next = of.from;
  return PRC_OK;
}

/* Names that begin with _ are ours. */
static prc_status replace_all(replacement *f, const prc_vocabulary *names, size_t *position, prc_error *err) {
  prc_status status = PRC_OK;
  const char *word = f->text;
  size_t length, n = 0, next = 0;
  for (; (word = prc_expression_word(word, &length)); word += length) n += length == 5;
  prc_try(prc_strdup(f->text, &f->work, err));
  prc_try(prc_new(&f->table, n, err));
  for (word = f->text; (word = prc_expression_word(word, &length)); word += length) {
    const size_t at = (size_t)(word - f->text), open = at + length + strspn(word + length, " ");
    if (word[0] == '_') {
      *position = at;
      prc_try(prc_fail(err, PRC_INPUT, "unknown name '%.*s', expected a number or an expression",
                       (int)(length < 64 ? length : 64), word));
    }
    if (length != 5 || memcmp(word, "table", 5) != 0 || f->text[open] != '(') continue;
    *position = at;
    if (!names || !names->c)
      prc_try(prc_fail(err, PRC_INPUT, "table() is for case files, expected none here"));
    prc_try(replace_call(f, names, at, open, &next, err));
    word = f->text + next, length = 0;
  }
  *position = 0;
done:
  return status;
}

prc_status prc_tables_replace(const char *text, const prc_vocabulary *names, char **work, prc_lookup **table,
                              int *n_tables, size_t *position, prc_error *err) {
  replacement f = {.text = text};
  const prc_status status = replace_all(&f, names, position, err);
  *work = f.work, *table = f.table, *n_tables = f.n_tables;
  return status;
}

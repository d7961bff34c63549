#include "config.h"
#include "case/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The words of a formula, and what is said of one that means nothing. */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

/* ---- words ---------------------------------------------------------------------------------------------- */

static int is_of_word(char ch) {
  return isalnum((unsigned char)ch) || ch == '_';
}

/* Behind a number, or the end of what stands in quotes. */
static const char *skip_other(const char *at) {
  char *end;
  if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
    prc_strtod(at, &end);
    return end > at ? end : at + 1;
  }
  const char *quote = *at == '"' || *at == '\'' ? strchr(at + 1, *at) : NULL;
  return quote ? quote + 1 : at + 1;
}

const char *prc_expression_word(const char *text, size_t *length) {
  while (*text && !isalpha((unsigned char)*text) && *text != '_') text = skip_other(text);
  for (*length = 0; is_of_word(text[*length]);) ++*length;
  return *text ? text : NULL;
}

/* ---- unknown ones ---- */

static void list_variables(const char *variables, char *text, size_t size) {
  text[0] = '\0';
  for (const char *v = variables; *v; v++) prc_append(text, size, "%s%c", *text ? ", " : "", *v);
}

/* The word of the reference that is nearest to the token, or NULL; first of all the longest that begins
 * it. */
static const char *nearest_name(const prc_case *c, const char *token, char *name, size_t size) {
  const char *line, *help, *near = NULL;
  size_t begins = 0;
  for (int k = 0; c && k < c->n_parameters; k++)
    if (prc_nearest_name(token, near, c->parameter[k].name) == c->parameter[k].name) {
      snprintf(name, size, "%s", c->parameter[k].name);
      near = name;
    }
  for (int i = 0; (line = prc_expression_help(i, &help)); i++)
    while (*line) {
      char word[16];
      const size_t skip = strcspn(line, LETTERS), length = strspn(line + skip, LETTERS DIGITS);
      line += skip;
      snprintf(word, sizeof word, "%.*s", (int)length, line);
      line += length;
      const int prefix = length > begins && strncmp(token, word, length) == 0;
      if (length < 2 || word[0] != token[0] || (begins && !prefix)) continue;
      if (prc_nearest_name(token, prefix ? NULL : near, word) != word) continue;
      if (prefix) begins = length;
      snprintf(name, size, "%s", word);
      near = name;
    }
  return near;
}

/* ", a parameter (v0, mu)" */
static void list_parameters(const prc_case *c, char *text, size_t size) {
  enum { SHOWN = 12 };
  text[0] = '\0';
  for (int k = 0; c && k < c->n_parameters && k < SHOWN; k++)
    prc_append(text, size, "%s%.40s", k > 0 ? ", " : ", a parameter (", c->parameter[k].name);
  if (*text) prc_append(text, size, c->n_parameters > SHOWN ? ", ...)" : ")");
}

prc_status prc_expression_refuse_name(const prc_case *c, const char *token, const char *variables,
                                      prc_error *err) {
  char allowed[16], name[PRC_CASE_NAME + 1], hint[PRC_CASE_NAME + 48] = "", parameters[600];
  list_variables(variables, allowed, sizeof allowed);
  list_parameters(c, parameters, sizeof parameters);
  if (!isalpha((unsigned char)token[0]))
    return prc_fail(err, PRC_INPUT, "unexpected '%s', expected a number or an expression", token);
  const int variable = token[1] == '\0' && strchr("txyi", token[0]); /* elsewhere it is one */
  if (token[0] == 'i' && variable)
    return prc_fail(
        err, PRC_INPUT,
        "unknown name 'i', expected it only in a body that there are several of, by count or from");
  if (variable && !allowed[0])
    return prc_fail(err, PRC_INPUT, "unknown name '%s', expected no variable here", token);
  if (variable)
    return prc_fail(err, PRC_INPUT, "unknown name '%s', expected of variables only %s", token, allowed);
  if (nearest_name(c, token, name, sizeof name)) snprintf(hint, sizeof hint, "; did you mean '%s'?", name);
  return prc_fail(err, PRC_INPUT,
                  "unknown function or name '%s', expected %s%s%s or a function such as sin%s", token,
                  !allowed[0]  ? "a number"
                  : allowed[1] ? "the variables "
                               : "the variable ",
                  allowed, parameters, hint);
}

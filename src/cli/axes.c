#include "config.h"
#include "cli/axes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- decimals: m 10^e, exactly ------------------------------------------------------------------------- */

typedef struct {
  long long m;
  int e;
} decimal;
#define MOST_DIGITS 1000000000000000000LL /* m stays below */

/* "-0.05", "1e-4"; 0: it is none, or has more than 17 digits or an exponent beyond 400 */
static int read_decimal(const char *text, decimal *out) {
  const int negative = *text == '-';
  int digits = 0, point = 0;
  *out = (decimal){0};
  if (*text == '-' || *text == '+') text++;
  for (; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
    if (*text == '.') {
      point = 1;
      continue;
    }
    if (out->m >= MOST_DIGITS / 10) return 0;
    out->m = 10 * out->m + (*text - '0');
    out->e -= point, digits++;
  }
  if (digits > 0 && (*text == 'e' || *text == 'E')) {
    char *end;
    const long e = strtol(text + 1, &end, 10);
    if (end == text + 1 || isspace((unsigned char)text[1]) || e < -400 || e > 400) return 0;
    out->e += (int)e, text = end;
  }
  if (negative) out->m = -out->m;
  return digits > 0 && *text == '\0';
}

/* The same with a smaller exponent; 0: there is no room for it. */
static int lower(decimal *a, int e) {
  if (a->m == 0) a->e = e;
  for (; a->e > e; a->e--) {
    if (llabs(a->m) >= MOST_DIGITS / 10) return 0;
    a->m *= 10;
  }
  return 1;
}

/* As one would write it: 0.3, 250, 1e-05. */
static void write_decimal(decimal a, char *out, size_t size) {
  char digits[32];
  while (a.m != 0 && a.m % 10 == 0) a.m /= 10, a.e++;
  if (a.m == 0) a.e = 0;
  const int n = snprintf(digits, sizeof digits, "%lld", llabs(a.m)), point = n + a.e; /* 0.digits 10^point */
  const char *sign = a.m < 0 ? "-" : "";
  if (point < -3 || point > 9)
    snprintf(out, size, "%s%c%s%se%d", sign, digits[0], n > 1 ? "." : "", digits + 1, point - 1);
  else if (a.e >= 0)
    snprintf(out, size, "%s%s%.*s", sign, digits, a.e, "000000000");
  else if (point <= 0)
    snprintf(out, size, "%s0.%.*s%s", sign, -point, "000", digits);
  else
    snprintf(out, size, "%s%.*s.%s", sign, point, digits, digits + point);
}

/* ---- values -------------------------------------------------------------------------------------------- */

static prc_status add_value(cli_swept *to, const char *text, size_t length, prc_error *err) {
  char *copy = NULL;
  prc_status status = prc_new(&copy, length + 1, err);
  if (status == PRC_OK) memcpy(copy, text, length);
  if (status == PRC_OK) status = prc_grow(&to->value, &to->room, to->n + 1, sizeof *to->value, err);
  if (status == PRC_OK)
    to->value[to->n++] = copy;
  else
    prc_delete(&copy);
  return status;
}

prc_status cli_axes_add_range(const char *first, const char *step, const char *last, cli_swept *to,
                              prc_error *err) {
  decimal a, h, b;
  char text[64];
  if (!read_decimal(first, &a) || !read_decimal(step, &h) || !read_decimal(last, &b) || h.m == 0)
    return prc_fail(err, PRC_INPUT,
                    "'%s:%s:%s' is no range, expected first:step:last of three numbers, the step not 0",
                    first, step, last);
  const int e = a.e < h.e ? (a.e < b.e ? a.e : b.e) : (h.e < b.e ? h.e : b.e);
  if (!lower(&a, e) || !lower(&h, e) || !lower(&b, e))
    return prc_fail(err, PRC_INPUT, "'%s:%s:%s' has too many digits, expected numbers of 17 in all", first,
                    step, last);
  if ((b.m - a.m) / h.m < 0 || (b.m != a.m && (b.m > a.m) != (h.m > 0)))
    return prc_fail(err, PRC_INPUT, "'%s:%s:%s' has no values, expected a step from the first to the last",
                    first, step, last);
  const long long n = (b.m - a.m) / h.m + 1;
  if (n > CLI_SWEEP_MEMBERS)
    return prc_fail(err, PRC_INPUT, "'%s:%s:%s' has %lld values, expected at most %d", first, step, last, n,
                    (int)CLI_SWEEP_MEMBERS);
  for (long long k = 0; k < n; k++) {
    write_decimal((decimal){a.m + k * h.m, e}, text, sizeof text);
    const prc_status status = add_value(to, text, strlen(text), err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

/* Up to the next comma that is in no brackets and no quotation marks. */
static size_t item_length(const char *at) {
  int depth = 0;
  char quote = '\0';
  size_t n = 0;
  for (; at[n] && (at[n] != ',' || depth > 0 || quote); n++) {
    if (quote)
      quote = at[n] == quote ? '\0' : quote;
    else if (at[n] == '"' || at[n] == '\'')
      quote = at[n];
    else
      depth += (strchr("([{", at[n]) != NULL) - (strchr(")]}", at[n]) != NULL);
  }
  return n;
}

/* A range has two colons, and numbers around them. */
static prc_status add_item(cli_swept *to, const char *text, size_t length, prc_error *err) {
  char part[3][64] = {"", "", ""};
  decimal number;
  const char *one = memchr(text, ':', length),
             *two = one ? memchr(one + 1, ':', length - (size_t)(one + 1 - text)) : NULL;
  if (!two || length >= sizeof part[0] || memchr(two + 1, ':', length - (size_t)(two + 1 - text)))
    return add_value(to, text, length, err);
  snprintf(part[0], sizeof part[0], "%.*s", (int)(one - text), text);
  snprintf(part[1], sizeof part[1], "%.*s", (int)(two - one - 1), one + 1);
  snprintf(part[2], sizeof part[2], "%.*s", (int)(length - (size_t)(two + 1 - text)), two + 1);
  if (!read_decimal(part[0], &number) && !read_decimal(part[1], &number))
    return add_value(to, text, length, err); /* a word with colons */
  return cli_axes_add_range(part[0], part[1], part[2], to, err);
}

static prc_status add_list(cli_swept *to, const char *text, prc_error *err) {
  for (const char *at = text;; at++) {
    const size_t length = item_length(at);
    if (length == 0)
      return prc_fail(err, PRC_INPUT, "'%s' has an empty value, expected A,B,C or first:step:last", text);
    const prc_status status = add_item(to, at, length, err);
    if (status != PRC_OK) return status;
    at += length;
    if (!*at) return PRC_OK;
  }
}

/* ---- keys ---------------------------------------------------------------------------------------------- */

static prc_status add_key(const cli_options *o, cli_axes *a, const char *key, size_t length, int axis,
                          prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < a->n_keys; k++)
    if (strlen(a->key[k].key) == length && strncmp(a->key[k].key, key, length) == 0)
      return prc_fail(err, PRC_INPUT, "'%.*s' is given twice, expected each key once", (int)length, key);
  for (int k = 0; k < o->n_set; k++)
    if (strncmp(o->set[k], key, length) == 0 && o->set[k][length] == '=')
      return prc_fail(err, PRC_INPUT, "'%.*s' is given by --set too, expected one of them", (int)length, key);
  prc_try(prc_grow(&a->key, &a->room, (size_t)a->n_keys + 1, sizeof *a->key, err));
  cli_swept *to = &a->key[a->n_keys];
  *to = (cli_swept){.axis = axis};
  prc_try(prc_new(&to->key, length + 1, err));
  memcpy(to->key, key, length);
  a->n_keys++;
done:
  return status;
}

static size_t axis_size(const cli_axes *a, int axis) {
  for (int k = 0; k < a->n_keys; k++)
    if (a->key[k].axis == axis) return a->key[k].n;
  return 0;
}

/* KEY=VALUES, on a new axis or the last one. */
static prc_status add_option(const cli_options *o, const char *option, const char *text, cli_axes *a,
                             prc_error *err) {
  prc_status status = PRC_OK;
  prc_error own = {0};
  const int is_new = strcmp(option, "--over") == 0;
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return prc_fail(err, PRC_INPUT, "%s '%s': expected KEY=first:step:last or KEY=A,B,C", option, text);
  if (!is_new && a->n_axes == 0)
    return prc_fail(err, PRC_INPUT, "%s '%s': expected behind the --over that it changes with", option, text);
  const int axis = is_new ? a->n_axes++ : a->n_axes - 1;
  const size_t wanted = axis_size(a, axis);
  prc_try(add_key(o, a, text, (size_t)(equals - text), axis, &own));
  cli_swept *to = &a->key[a->n_keys - 1];
  prc_try(add_list(to, equals + 1, &own));
  if (!is_new && to->n != wanted)
    prc_try(prc_fail(&own, PRC_INPUT, "%zu values, expected %zu, as many as it changes with", to->n, wanted));
done:
  if (status != PRC_OK) prc_fail(err, own.status, "%s %s: %s", option, text, own.message);
  return status;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* One value of a line of CSV, its quotation marks removed, in place; *at is put behind its comma, NULL behind the last. */
static char *next_cell(char **at) {
  char *begin = *at + strspn(*at, " \t"), *from = begin, *to = begin;
  const int quoted = *from == '"';
  if (quoted) from++;
  for (; *from && (quoted ? *from != '"' || from[1] == '"' : *from != ','); from++) {
    if (quoted && *from == '"') from++;
    *to++ = *from;
  }
  char *comma = strchr(from, ',');
  *at = comma ? comma + 1 : NULL;
  *to = '\0';
  while (!quoted && to > begin && strchr(" \t\r", to[-1])) *--to = '\0';
  return begin;
}

static prc_status read_head(const cli_options *o, char *line, cli_axes *a, prc_error *err) {
  const int axis = a->n_axes++;
  for (char *at = line; at;) {
    const char *key = next_cell(&at);
    if (!*key) return prc_fail(err, PRC_INPUT, "a head is empty, expected keys of the case");
    const prc_status status = add_key(o, a, key, strlen(key), axis, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

static prc_status read_row(char *line, int first, cli_axes *a, prc_error *err) {
  int k = first;
  for (char *at = line; at; k++) {
    const char *value = next_cell(&at);
    if (!*value) return prc_fail(err, PRC_INPUT, "value %d is missing", k - first + 1);
    if (k >= a->n_keys) return prc_fail(err, PRC_INPUT, "more than %d values", a->n_keys - first);
    const prc_status status = add_value(&a->key[k], value, strlen(value), err);
    if (status != PRC_OK) return status;
  }
  if (k < a->n_keys) return prc_fail(err, PRC_INPUT, "%d values, expected %d", k - first, a->n_keys - first);
  return PRC_OK;
}

/* Lines that are empty or begin with # do not count. */
static prc_status add_rows(const cli_options *o, const char *path, cli_axes *a, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error own = {0};
  char *text = NULL;
  size_t n = 0;
  int number = 0, first = -1, line_number = 0;
  prc_try(prc_file_read_all(NULL, path, &text, &n, &own));
  if (strlen(text) < n) {
    for (const char *at = text; (at = strchr(at, '\n')); at++) line_number++;
    line_number++;
    prc_try(prc_fail(&own, PRC_INPUT, "has a NUL character, expected a text"));
  }
  static const char mark[] = "\xEF\xBB\xBF"; /* that a text is UTF-8, as some programs write it */
  for (char *line = prc_begins_with(text, mark) ? text + 3 : text, *end; line && *line; line = end) {
    end = strchr(line, '\n');
    if (end) *end++ = '\0';
    line_number++;
    const char *start = line + strspn(line, " \t\r");
    if (*start == '#' || !*start) continue;
    if (first < 0) {
      first = a->n_keys;
      prc_try(read_head(o, line, a, &own));
    } else {
      prc_try(read_row(line, first, a, &own));
      number++;
    }
  }
  line_number = 0;
  if (number == 0)
    prc_try(prc_fail(&own, PRC_INPUT, "no rows, expected keys in the first line and values below"));
done:
  if (status != PRC_OK && line_number > 0)
    prc_fail(err, PRC_INPUT, "--rows %s:%d: %s", path, line_number, own.message);
  else if (status != PRC_OK)
    prc_fail(err, PRC_INPUT, "--rows %s: %s", path, own.message);
  prc_delete(&text);
  return status == PRC_OK ? PRC_OK : err->status;
}

/* ---- the axes ------------------------------------------------------------------------------------------ */

prc_status cli_axes_read(const cli_options *o, cli_axes *a, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error own = {0};
  long long n = 1;
  *a = (cli_axes){0};
  for (int k = 0; k < o->n_axis; k++) {
    const cli_axis_option *option = &o->axis[k];
    prc_try(option->letter == 'A'
                ? add_rows(o, option->text, a, &own)
                : add_option(o, option->letter == 'O' ? "--over" : "--with", option->text, a, &own));
  }
  if (a->n_axes == 0)
    prc_try(prc_fail(&own, PRC_INPUT,
                     "expected what to sweep: --over KEY=first:step:last, --over KEY=A,B,C or "
                     "--rows FILE"));
  for (int k = 0; k < a->n_axes && n <= CLI_SWEEP_MEMBERS; k++) n *= (long long)axis_size(a, k);
  if (n > CLI_SWEEP_MEMBERS)
    prc_try(prc_fail(&own, PRC_INPUT, "more than %d members, expected fewer", (int)CLI_SWEEP_MEMBERS));
  a->n_members = (int)n;
done:
  return status == PRC_OK ? PRC_OK : prc_fail(err, status, "percuss sweep: %s", own.message);
}

const char *cli_axes_value(const cli_axes *a, int member, int key) {
  const cli_swept *of = &a->key[key];
  size_t at = (size_t)member;
  for (int axis = a->n_axes - 1; axis > of->axis; axis--) {
    const size_t size = axis_size(a, axis);
    at /= size > 0 ? size : 1;
  }
  return of->value[at % of->n];
}

void cli_axes_free(cli_axes *a) {
  for (int k = 0; k < a->n_keys; k++) {
    for (size_t i = 0; i < a->key[k].n; i++) prc_delete(&a->key[k].value[i]);
    prc_delete(&a->key[k].value);
    prc_delete(&a->key[k].key);
  }
  prc_delete(&a->key);
  *a = (cli_axes){0};
}

/* ---- names --------------------------------------------------------------------------------------------- */

/* The last parts of a dotted path, so many. */
static const char *last_parts(const char *key, int parts) {
  const char *at = key + strlen(key);
  while (at > key) {
    if (at[-1] == '.' && --parts == 0) return at;
    at--;
  }
  return key;
}

static int is_shared(const cli_axes *a, int key, int parts) {
  const char *own = last_parts(a->key[key].key, parts);
  for (int k = 0; k < a->n_keys; k++)
    if (k != key && strcmp(last_parts(a->key[k].key, parts), own) == 0) return 1;
  return 0;
}

static const char *short_key(const cli_axes *a, int key) {
  int parts = 1;
  while (is_shared(a, key, parts) && last_parts(a->key[key].key, parts) != a->key[key].key) parts++;
  return last_parts(a->key[key].key, parts);
}

void cli_axes_name(const cli_axes *a, int member, char *out, size_t size) {
  enum { LONGEST = 120 };
  static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-=,";
  uint64_t hash = PRC_HASH_START;
  out[0] = '\0';
  for (int k = 0; k < a->n_keys; k++) {
    const char *value = cli_axes_value(a, member, k);
    prc_append(out, size, "%s%s=%s", k > 0 ? "," : "", short_key(a, k), value);
    hash = prc_hash(prc_hash(hash, a->key[k].key, strlen(a->key[k].key) + 1), value, strlen(value) + 1);
  }
  const int is_whole = out[strspn(out, safe)] == '\0' && strlen(out) <= LONGEST && out[0] != '.';
  if (is_whole) return;
  if (strlen(out) > LONGEST) out[LONGEST] = '\0';
  for (char *at = out; *at; at++)
    if (!strchr(safe, *at)) *at = '_';
  if (out[0] == '.') out[0] = '_';
  prc_append(out, size, "-%08llx", (unsigned long long)(hash >> 32));
}

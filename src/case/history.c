#include "config.h"
#include "case/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A table of a text file: rows of numbers with commas, semicolons or blanks between them, ascending in the first column. Between rows
 * it is linear, or a cubic that is monotone where the rows are (Fritsch & Butland, "A method for constructing local monotone piecewise
 * cubic interpolants", 1984; the ends as Moler's pchip has them):
 *
 *   y(s) = y_k + m_k u + (3 D - 2 m_k - m_k+1) u^2 / h + (m_k + m_k+1 - 2 D) u^3 / h^2,      u = s - x_k,  D = (y_k+1 - y_k) / h
 *
 * with the weighted harmonic mean of the neighbouring D as slope m_k, or 0 where they differ in sign. A row is found by halving: nothing
 * is remembered between two calls, so the value is one of s alone. */

enum { LARGEST = 256 << 20, COLUMNS = 1000 };
static const double largest_number = 1e50;

struct prc_history {
  prc_history_options options;
  char *path, *column;
  int n;
  double *x, *y, *slope; /* n; slope: NULL where it is linear */
  uint64_t identity;
};

/* ---- rows ------------------------------------------------------------------------------------------------ */

typedef struct {
  const char *path, *next;
  char separator; /* ' ' means blanks and tabs */
  int line, n_cells;
  struct {
    const char *text;
    size_t length;
  } cell[COLUMNS];
} reader;

static int is_blank(char ch) {
  return ch == ' ' || ch == '\t' || ch == '\r';
}

static prc_status fail(const reader *r, prc_error *err, const char *what) {
  return prc_fail(err, PRC_INPUT, "%s:%d: %s", r->path, r->line, what);
}

/* Guesses the column separator from the first data line. */
static char find_separator(const char *line, size_t length) {
  if (memchr(line, ';', length)) return ';';
  return memchr(line, ',', length) ? ',' : ' ';
}

static const char *next_line(reader *r, size_t *length) {
  while (*r->next) {
    const char *line = r->next;
    *length = strcspn(line, "\n");
    r->next = line + *length + (line[*length] == '\n');
    r->line++;
    while (*length > 0 && is_blank(line[*length - 1])) --*length;
    while (*length > 0 && is_blank(*line)) line++, --*length;
    if (*length > 0 && *line != '#') return line;
  }
  return NULL;
}

static size_t cell_length(const reader *r, const char *at, const char *end) {
  size_t n = 0;
  if (*at == '"')
    for (n = 1; at + n < end && at[n] != '"';) n++;
  while (at + n < end && (r->separator == ' ' ? !is_blank(at[n]) : at[n] != r->separator)) n++;
  return n;
}

/* *found = 0: there is no other row. */
static prc_status read_row(reader *r, int *found, prc_error *err) {
  size_t length;
  const char *at = next_line(r, &length), *end;
  *found = at != NULL;
  if (!at) return PRC_OK;
  if (!r->separator) r->separator = find_separator(at, length);
  for (r->n_cells = 0, end = at + length; at <= end; r->n_cells++) {
    if (r->n_cells == COLUMNS) return fail(r, err, "more than 1000 columns, expected fewer");
    while (at < end && is_blank(*at)) at++;
    size_t n = cell_length(r, at, end);
    const char *text = at;
    at += n + 1;
    while (n > 0 && is_blank(text[n - 1])) n--;
    if (n >= 2 && text[0] == '"' && text[n - 1] == '"') text++, n -= 2;
    r->cell[r->n_cells].text = text, r->cell[r->n_cells].length = n;
  }
  return PRC_OK;
}

static int read_number(const reader *r, int k, double *out) {
  const char *text = r->cell[k].text;
  const size_t n = r->cell[k].length;
  char *end;
  if (n == 0 || strspn(text, "0123456789+-.eE") < n) return 0; /* no nan, no inf, no 0x */
  *out = prc_strtod(text, &end);
  return end == text + n && fabs(*out) <= largest_number;
}

static prc_status refuse_number(const reader *r, int k, prc_error *err) {
  char what[256];
  const size_t n = r->cell[k].length;
  snprintf(what, sizeof what, "cell %d is '%.*s', expected a finite number of at most 1e50%s", k + 1,
           (int)(n < 64 ? n : 64), r->cell[k].text,
           memchr(r->cell[k].text, ',', n) ? ", with a decimal point" : "");
  return fail(r, err, what);
}

/* ---- columns ----------------------------------------------------------------------------------------------- */

/* "t, ax, ay" */
static void list_columns(const reader *r, int has_names, char *text, size_t size) {
  text[0] = '\0';
  for (int k = 0; k < r->n_cells && k < 20; k++)
    if (has_names)
      prc_append(text, size, "%s%.*s", k > 0 ? ", " : "", (int)r->cell[k].length, r->cell[k].text);
    else
      prc_append(text, size, "%s%d", k > 0 ? ", " : "", k + 1);
}

/* r stands at the first row: with names where its first cell is none number. */
static prc_status find_column(const reader *r, const char *wanted, int has_names, int *column,
                              prc_error *err) {
  char names[512], what[1024], *end;
  list_columns(r, has_names, names, sizeof names);
  if (r->n_cells < 2)
    return fail(r, err,
                "one column, expected two or more: what it is a table over, and values, with commas between");
  if (!wanted) {
    *column = 1;
    if (r->n_cells == 2) return PRC_OK;
    snprintf(what, sizeof what, "%d columns, expected table(file, column, t) with one of %s: by its %s",
             r->n_cells, names, has_names ? "name, or its number from 1" : "number");
    return fail(r, err, what);
  }
  for (*column = 0; has_names && *column < r->n_cells; ++*column)
    if (strlen(wanted) == r->cell[*column].length
        && memcmp(wanted, r->cell[*column].text, r->cell[*column].length) == 0)
      return PRC_OK;
  const long number = strtol(wanted, &end, 10);
  *column = (int)number - 1;
  if (end != wanted && *end == '\0' && number >= 1 && number <= r->n_cells) return PRC_OK;
  snprintf(what, sizeof what, "there is no column '%.80s', expected one of %s", wanted, names);
  return fail(r, err, what);
}

static prc_status read_values(prc_history *h, reader *r, prc_error *err) {
  prc_status status = PRC_OK;
  size_t capacity[2] = {0, 0};
  int found, column = 0, width;
  double x, y;
  prc_try(read_row(r, &found, err));
  if (!found) prc_try(prc_fail(err, PRC_INPUT, "%s: no rows, expected two or more", r->path));
  const int has_names = !read_number(r, 0, &x);
  prc_try(find_column(r, h->options.column, has_names, &column, err));
  width = r->n_cells;
  if (has_names) prc_try(read_row(r, &found, err));
  for (; found; h->n++) {
    if (r->n_cells != width) {
      char what[128];
      snprintf(what, sizeof what, "%d cells, expected %d as in the first line", r->n_cells, width);
      prc_try(fail(r, err, what));
    }
    if (!read_number(r, 0, &x)) prc_try(refuse_number(r, 0, err));
    if (!read_number(r, column, &y)) prc_try(refuse_number(r, column, err));
    if (h->n > 0 && !(x > h->x[h->n - 1])) {
      char what[160];
      snprintf(what, sizeof what, "the first cell is %.9g after %.9g, expected numbers that grow", x,
               h->x[h->n - 1]);
      prc_try(fail(r, err, what));
    }
    prc_try(prc_grow(&h->x, &capacity[0], (size_t)h->n + 1, sizeof *h->x, err));
    prc_try(prc_grow(&h->y, &capacity[1], (size_t)h->n + 1, sizeof *h->y, err));
    h->x[h->n] = x, h->y[h->n] = y;
    prc_try(read_row(r, &found, err));
  }
  if (h->n < 2)
    status = prc_fail(err, PRC_INPUT, "%s: %d row%s of numbers, expected two or more", r->path, h->n,
                      h->n == 1 ? "" : "s");
done:
  return status;
}

/* ---- slopes -------------------------------------------------------------------------------------------------- */

static double chord(const prc_history *h, int k) {
  return (h->y[k + 1] - h->y[k]) / (h->x[k + 1] - h->x[k]);
}

/* Inside: (w1 + w2) / (w1 / D1 + w2 / D2), w1 = 2 h2 + h1, w2 = h2 + 2 h1. */
static double inner_slope(const prc_history *h, int k) {
  const double before = chord(h, k - 1), after = chord(h, k);
  const double h1 = h->x[k] - h->x[k - 1], h2 = h->x[k + 1] - h->x[k];
  const double w1 = 2.0 * h2 + h1, w2 = h2 + 2.0 * h1;
  if (before == 0.0 || after == 0.0 || (before < 0.0) != (after < 0.0)) return 0.0;
  return (w1 + w2) / (w1 / before + w2 / after);
}

/* At an end the parabola through three rows, kept monotone. near, next: chords; h1, h2: their lengths. */
static double end_slope(double h1, double h2, double near, double next) {
  const double m = ((2.0 * h1 + h2) * near - h1 * next) / (h1 + h2);
  if (m * near <= 0.0) return 0.0;
  return near * next <= 0.0 && fabs(m) > 3.0 * fabs(near) ? 3.0 * near : m;
}

static prc_status make_slopes(prc_history *h, prc_error *err) {
  const int n = h->n;
  if (!h->options.cubic || n == 2) return PRC_OK;
  const prc_status status = prc_new(&h->slope, n, err);
  if (status != PRC_OK) return status;
  for (int k = 1; k < n - 1; k++) h->slope[k] = inner_slope(h, k);
  h->slope[0] = end_slope(h->x[1] - h->x[0], h->x[2] - h->x[1], chord(h, 0), chord(h, 1));
  h->slope[n - 1] =
      end_slope(h->x[n - 1] - h->x[n - 2], h->x[n - 2] - h->x[n - 3], chord(h, n - 2), chord(h, n - 3));
  return PRC_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------- */

static prc_status check_size(const char *path, prc_error *err) {
  struct stat is;
  if (stat(path, &is) != 0 || is.st_size <= LARGEST)
    return PRC_OK; /* what cannot be opened is told by who reads it */
  return prc_fail(err, PRC_INPUT, "%s: larger than 256 MB, expected a table of numbers", path);
}

static prc_status fill(prc_history *h, const char *text, size_t size, prc_error *err) {
  prc_status status = PRC_OK;
  reader *r = NULL;
  prc_try(prc_new(&r, 1, err));
  r->path = h->path;
  r->next = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; /* a mark of UTF-8 */
  if (strlen(text) < size)
    prc_try(prc_fail(err, PRC_INPUT, "%s: has a NUL character, expected a text", h->path));
  prc_try(read_values(h, r, err));
  prc_try(make_slopes(h, err));
done:
  prc_delete(&r);
  return status;
}

prc_status prc_history_read(const prc_history_options *options, prc_history **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_history *h = NULL;
  char *text = NULL;
  size_t size;
  prc_error inner = {0};
  prc_try(prc_new(&h, 1, err));
  prc_try(prc_strdup(options->path, &h->path, err));
  if (options->column) prc_try(prc_strdup(options->column, &h->column, err));
  h->options = (prc_history_options){h->path, h->column, options->cubic, options->hold};
  prc_try(check_size(options->path, err));
  status = prc_file_read_all(NULL, options->path, &text, &size, &inner);
  if (status == PRC_NOMEM) prc_try(prc_fail(err, status, "%s", inner.message));
  if (status != PRC_OK) prc_try(prc_fail(err, PRC_INPUT, "%s: %s, expected a table", h->path, inner.message));
  prc_try(fill(h, text, size, err));
  h->identity = prc_hash(PRC_HASH_START, text, size);
  h->identity = prc_hash(h->identity, &h->options.cubic, sizeof h->options.cubic);
  *out = h, h = NULL;
done:
  prc_delete(&text);
  prc_history_free(&h);
  return status;
}

void prc_history_free(prc_history **history) {
  if (!*history) return;
  prc_delete(&(*history)->path);
  prc_delete(&(*history)->column);
  prc_delete(&(*history)->x);
  prc_delete(&(*history)->y);
  prc_delete(&(*history)->slope);
  prc_delete(history);
}

/* ---- values ------------------------------------------------------------------------------------------------- */

/* x[k] <= s < x[k + 1], or from the left x[k] < s <= x[k + 1]; the last at the end, the first at the beginning. */
static int find_row(const prc_history *h, double s, int from_left) {
  int low = 0, high = h->n - 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (h->x[middle] < s || (!from_left && h->x[middle] == s))
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void in_row(const prc_history *h, int k, double s, double d[3]) {
  const double width = h->x[k + 1] - h->x[k], u = s - h->x[k], D = chord(h, k);
  if (!h->slope) {
    d[0] = s == h->x[k + 1] ? h->y[k + 1] : h->y[k] + D * u, d[1] = D, d[2] = 0.0;
    return;
  }
  const double m = h->slope[k], c2 = (3.0 * D - 2.0 * m - h->slope[k + 1]) / width,
               c3 = (m + h->slope[k + 1] - 2.0 * D) / (width * width);
  d[0] = s == h->x[k + 1] ? h->y[k + 1] : h->y[k] + u * (m + u * (c2 + u * c3));
  d[1] = m + u * (2.0 * c2 + 3.0 * u * c3);
  d[2] = 2.0 * c2 + 6.0 * c3 * u;
}

/* Times of steps are products: beyond the ends rounding is no matter. */
int prc_history_evaluate(const prc_history *h, double s, int from_left, double d[3]) {
  const double first = h->x[0], last = h->x[h->n - 1], little = 1e-9 * (last - first);
  const int before = from_left ? s <= first : s < first, after = from_left ? s > last : s >= last;
  if (h->options.hold && (before || after)) {
    d[0] = before ? h->y[0] : h->y[h->n - 1], d[1] = d[2] = 0.0;
    return 1;
  }
  if (!(s >= first - little && s <= last + little)) {
    d[0] = d[1] = d[2] = NAN;
    return 0;
  }
  s = fmin(fmax(s, first), last);
  in_row(h, find_row(h, s, from_left), s, d);
  return 1;
}

double prc_history_next(const prc_history *h, double s, int upwards) {
  const int last = h->n - 1;
  if (h->options.cubic) return upwards ? INFINITY : -INFINITY;
  if (upwards) return s < h->x[0] ? h->x[0] : s >= h->x[last] ? INFINITY : h->x[find_row(h, s, 0) + 1];
  return s > h->x[last] ? h->x[last] : s <= h->x[0] ? -INFINITY : h->x[find_row(h, s, 1)];
}

void prc_history_range(const prc_history *h, double *first, double *last) {
  *first = h->x[0], *last = h->x[h->n - 1];
}

const char *prc_history_path(const prc_history *h) {
  return h->path;
}

uint64_t prc_history_identity(const prc_history *h) {
  return h->identity;
}

int prc_history_is(const prc_history *h, const prc_history_options *o) {
  const char *one = h->column ? h->column : "", *other = o->column ? o->column : "";
  return strcmp(h->path, o->path) == 0 && strcmp(one, other) == 0 && h->options.cubic == o->cubic
         && h->options.hold == o->hold;
}

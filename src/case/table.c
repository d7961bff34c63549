#include "config.h"
#include "case/table.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bodies from a table: a text of lines and of cells with commas between them, as spreadsheets write it. */

typedef struct {
  const char *text; /* not ended by a zero */
  size_t length;
  int column; /* of the first character, from 1 */
} cell;

/* Content of a column: the name of a body, its group, or a part of a key of bodies. */
typedef struct {
  const prc_key *key; /* NULL: name or group */
  int component;      /* of a point */
  char name[16];      /* of the column */
  int is_name, is_group;
} meaning;

enum { COLUMNS = 64 };
struct prc_case_table {
  const prc_case *c;
  const char *path, *group; /* rows of this group; NULL: all */
  char *text;
  const char *next; /* the line to be read */
  int line;         /* the number of the line read last */
  int n_columns;
  const char *rows; /* behind the header */
  int header_line;
  meaning column[COLUMNS];
  int n_cells;
  cell cells[COLUMNS];
};

static prc_status fail(const prc_case_table *t, int column, prc_error *err, const char *what) {
  const prc_case_place at = {.file = t->path, .line = t->line, .column = column};
  return prc_case_fail(t->c, &at, err, "%s", what);
}

/* ---- lines and cells ------------------------------------------------------------------------------------ */

static int is_blank(char ch) {
  return ch == ' ' || ch == '\t';
}

/* The next line that is neither empty nor a comment; NULL: there is none. *length without its end, CR LF or LF. */
static const char *next_line(prc_case_table *t, size_t *length) {
  while (*t->next) {
    const char *line = t->next;
    const size_t whole = strcspn(line, "\n");
    size_t blank = 0;
    t->next = line + whole + (line[whole] == '\n');
    t->line++;
    *length = whole > 0 && line[whole - 1] == '\r' ? whole - 1 : whole;
    while (blank < *length && is_blank(line[blank])) blank++;
    if (blank < *length && line[blank] != '#') return line;
  }
  return NULL;
}

/* The cell that begins at line[*at], without blanks and quotes around it; *at is behind its comma, or beyond the line. */
static prc_status read_cell(const prc_case_table *t, const char *line, size_t length, size_t *at, cell *out,
                            prc_error *err) {
  size_t from = *at, end;
  while (from < length && is_blank(line[from])) from++;
  const int quoted = from < length && line[from] == '"';
  from += (size_t)quoted;
  for (end = from; end < length && line[end] != (quoted ? '"' : ','); end++)
    ;
  if (quoted && end == length)
    return fail(t, (int)from, err, "a quote without its end, expected it in the same line");
  *out = (cell){line + from, end - from, (int)from + 1};
  end += (size_t)quoted;
  while (end < length && is_blank(line[end])) end++;
  if (end < length && line[end] != ',')
    return fail(t, (int)end + 1, err, "text behind a quote, expected a comma or the end of the line");
  while (out->length > 0 && is_blank(out->text[out->length - 1])) out->length--;
  for (; out->length > 0 && is_blank(out->text[0]); out->text++, out->column++) out->length--;
  *at = end + 1;
  return PRC_OK;
}

/* Cells of the next row; *found = 0: there is none. */
static prc_status read_row(prc_case_table *t, int *found, prc_error *err) {
  prc_status status = PRC_OK;
  size_t length, at = 0;
  const char *line = next_line(t, &length);
  *found = line != NULL;
  if (!line) return PRC_OK;
  for (t->n_cells = 0; at <= length; t->n_cells++) {
    if (t->n_cells == COLUMNS) return fail(t, (int)at, err, "more than 64 columns, expected fewer");
    prc_try(read_cell(t, line, length, &at, &t->cells[t->n_cells], err));
  }
done:
  return status;
}

/* ---- the header ----------------------------------------------------------------------------------------- */

static int is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static int is_of_case(const prc_case_table *t, const prc_key *key) {
  return key->columns && (key->dimension == 0 || key->dimension == t->c->store->dimension);
}

/* How many of its columns it has: a point in the plane has no z. */
static int columns_of(const prc_case_table *t, const prc_key *key) {
  return key->type == PRC_KEY_POINT ? t->c->store->dimension : key->type == PRC_KEY_NUMBERS ? key->most : 1;
}

/* The key whose columns have this name. */
static int find_meaning(const prc_case_table *t, const cell *name, meaning *out) {
  *out = (meaning){.is_name = is_word(name->text, name->length, "name"),
                   .is_group = is_word(name->text, name->length, "group")};
  for (const prc_key *key = prc_key_next(NULL); key && !out->is_name && !out->is_group;
       key = prc_key_next(key)) {
    int component = 0;
    if (!is_of_case(t, key)) continue;
    for (const char *word = key->columns; word && *word; component++) {
      const size_t length = strcspn(word, " ");
      if (length == name->length && memcmp(word, name->text, length) == 0 && component < columns_of(t, key)) {
        *out = (meaning){.key = key, .component = component};
        snprintf(out->name, sizeof out->name, "%.*s", (int)length, word);
        return 1;
      }
      word += length + (word[length] == ' ');
    }
  }
  return out->is_name || out->is_group;
}

/* Its columns with `between` them: "x y" in the plane, in space "x y z". */
static void list_columns(const prc_case_table *t, const prc_key *key, const char *between, char *text,
                         size_t size) {
  const char *word = key->columns;
  for (int k = 0; k < columns_of(t, key) && *word; k++) {
    const size_t length = strcspn(word, " ");
    prc_append(text, size, "%s%.*s", k > 0 ? between : "", (int)length, word);
    word += length + (word[length] == ' ');
  }
}

static prc_status refuse_column(const prc_case_table *t, const cell *name, prc_error *err) {
  char known[256] = "name, group", what[512];
  for (const prc_key *key = prc_key_next(NULL); key; key = prc_key_next(key)) {
    if (!is_of_case(t, key)) continue;
    prc_append(known, sizeof known, ", ");
    list_columns(t, key, ", ", known, sizeof known);
  }
  snprintf(what, sizeof what, "unknown column '%.*s', expected some of %s", (int)name->length, name->text,
           known);
  return fail(t, name->column, err, what);
}

static int is_same(const meaning *a, const meaning *b) {
  return a->key == b->key && a->component == b->component && a->is_name == b->is_name;
}

static prc_status read_header(prc_case_table *t, prc_error *err) {
  prc_status status = PRC_OK;
  int found;
  prc_try(read_row(t, &found, err));
  if (!found) {
    t->line = 1;
    return fail(t, 1, err, "the table is empty, expected a line with names of columns, such as x,y,radius");
  }
  t->n_columns = t->n_cells;
  for (int k = 0; k < t->n_columns; k++) {
    if (!find_meaning(t, &t->cells[k], &t->column[k])) return refuse_column(t, &t->cells[k], err);
    for (int j = 0; j < k; j++)
      if (is_same(&t->column[j], &t->column[k]))
        return fail(t, t->cells[k].column, err, "a column of this name stands before, expected it once");
  }
  t->rows = t->next, t->header_line = t->line;
done:
  return status;
}

/* Where it is required, x and y stand in the table, or the block says it for all. */
static prc_status check_required(const prc_case_table *t, const char *set, prc_error *err) {
  for (const prc_key *key = prc_key_next(NULL); key; key = prc_key_next(key)) {
    int components = 0;
    char what[256], columns[64] = "";
    if (!is_of_case(t, key) || !key->required || prc_case_is_given(t->c, "bodies.%s.%s", set, key->key))
      continue;
    for (int j = 0; j < t->n_columns; j++) components += t->column[j].key == key;
    if (components == columns_of(t, key)) continue;
    list_columns(t, key, " ", columns, sizeof columns);
    snprintf(what, sizeof what,
             "the columns '%s' are not all there, expected them, or bodies.%s.%s in the case", columns, set,
             key->key);
    return fail(t, 1, err, what);
  }
  return PRC_OK;
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

static int is_wanted(const prc_case_table *t) {
  for (int k = 0; t->group && k < t->n_columns && k < t->n_cells; k++)
    if (t->column[k].is_group) return is_word(t->cells[k].text, t->cells[k].length, t->group);
  return !t->group;
}

/* The next row of the group, all cells of it. */
static prc_status next_wanted(prc_case_table *t, int *found, prc_error *err) {
  prc_status status = PRC_OK;
  do {
    prc_try(read_row(t, found, err));
    if (!*found) break;
    if (t->n_cells != t->n_columns) {
      char what[128];
      snprintf(what, sizeof what, "a row of %d cell%s, expected %d as in line %d", t->n_cells,
               t->n_cells > 1 ? "s" : "", t->n_columns, t->header_line);
      return fail(t, 1, err, what);
    }
  } while (!is_wanted(t));
done:
  return status;
}

static void rewind_rows(prc_case_table *t) {
  t->next = t->rows, t->line = t->header_line;
}

static prc_status count_rows(prc_case_table *t, int *n, prc_error *err) {
  prc_status status = PRC_OK;
  int found = 1;
  rewind_rows(t);
  for (*n = 0; found; *n += found) {
    if (*n == INT_MAX) return fail(t, 1, err, "more rows than can be counted, expected fewer");
    prc_try(next_wanted(t, &found, err));
  }
  rewind_rows(t);
done:
  return status;
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* The number that begins at *text, which is then behind it and the blanks that follow. */
static prc_status read_number(const prc_case_table *t, const meaning *is, const cell *in, const char **text,
                              double *out, prc_error *err) {
  const prc_key *key = is->key;
  char what[512], expected[256], *end;
  const char *stop = in->text + in->length, *begin = *text;
  const prc_key number = {.type = PRC_KEY_NUMBER, .range = key->range};
  size_t length = 0;
  while (begin + length < stop && !is_blank(begin[length])) length++;
  const int plain = strspn(begin, "0123456789+-.eE") >= length; /* no nan, no inf, no 0x */
  *out = plain ? prc_strtod(begin, &end) : NAN;
  prc_key_expected(&number, t->c->store->dimension, expected, sizeof expected);
  const int column = in->column + (int)(begin - in->text);
  if (!plain || end != begin + length || !isfinite(*out) || !prc_key_in_range(&key->range, *out)) {
    snprintf(what, sizeof what, "%s is '%.*s', expected %s", is->name, (int)(length < 64 ? length : 64),
             begin, expected);
    return fail(t, column, err, what);
  }
  if (*out != 0.0 && (fabs(*out) < PRC_CASE_SMALLEST || fabs(*out) > PRC_CASE_LARGEST)) {
    snprintf(what, sizeof what, "%s is %g, expected 0 or a size from %g to %g; choose other units", is->name,
             *out, PRC_CASE_SMALLEST, PRC_CASE_LARGEST);
    return fail(t, column, err, what);
  }
  for (*text = begin + length; *text < stop && is_blank(**text);) (*text)++;
  return PRC_OK;
}

/* "x1 y1 x2 y2 ...", in space "x1 y1 z1 ...", into memory of the case. */
static prc_status read_corners(const prc_case_table *t, const meaning *is, const cell *in, prc_case_body *b,
                               prc_error *err) {
  prc_status status = PRC_OK;
  double *point = NULL;
  size_t capacity = 0, n = 0;
  for (const char *text = in->text; text < in->text + in->length; n++) {
    prc_try(prc_grow(&point, &capacity, n + 1, sizeof *point, err));
    prc_try(read_number(t, is, in, &text, &point[n], err));
  }
  const size_t d = (size_t)t->c->store->dimension;
  if (n < d * (d + 1) || n % d != 0) {
    char what[128];
    snprintf(what, sizeof what, "corners have %zu numbers, expected %s, with blanks between them", n,
             d == 3 ? "x1 y1 z1 x2 y2 z2 ... of four points or more" : "x1 y1 x2 y2 x3 y3 ...");
    prc_try(fail(t, in->column, err, what));
  }
  prc_try(prc_case_own_memory(t->c, point, err));
  memcpy((char *)b + is->key->at, &point, sizeof point);
  memcpy((char *)b + is->key->count_at, &(int){(int)(n / d)}, sizeof(int));
  b->polygon_place = (prc_case_place){.file = t->path, .line = t->line, .column = in->column};
  point = NULL;
done:
  prc_delete(&point);
  return status;
}

static prc_status read_name(const prc_case_table *t, const cell *in, prc_case_body *b, prc_error *err) {
  prc_status status = PRC_OK;
  char name[PRC_CASE_NAME + 2];
  const prc_case_place at = {.file = t->path, .line = t->line, .column = in->column};
  snprintf(name, sizeof name, "%.*s", (int)(in->length < sizeof name ? in->length : sizeof name), in->text);
  prc_try(prc_case_check_item_name(t->c, name, &at, err));
  prc_try(prc_case_strdup(t->c, name, &b->name, err));
done:
  return status;
}

/* A cell that is empty leaves what the block says. */
static prc_status put_cell(const prc_case_table *t, int k, prc_case_body *b, prc_error *err) {
  const meaning *what = &t->column[k];
  const cell *in = &t->cells[k];
  const char *text = in->text;
  double number;
  if (in->length == 0 || what->is_group) return PRC_OK;
  if (what->is_name) return read_name(t, in, b, err);
  if (what->key->type == PRC_KEY_POINTS) return read_corners(t, what, in, b, err);
  const prc_status status = read_number(t, what, in, &text, &number, err);
  if (status != PRC_OK) return status;
  if (text < in->text + in->length)
    return fail(t, in->column + (int)(text - in->text), err, "a second number in the cell, expected one");
  memcpy((char *)b + what->key->at + (size_t)what->component * sizeof number, &number, sizeof number);
  if (what->key->count_at) memcpy((char *)b + what->key->count_at, &what->key->most, sizeof(int));
  return PRC_OK;
}

prc_status prc_case_table_put(prc_case_table *t, prc_case_body *b, prc_error *err) {
  prc_status status = PRC_OK;
  int found;
  prc_try(next_wanted(t, &found, err));
  b->place = (prc_case_place){.file = t->path, .line = t->line, .column = 1};
  for (int k = 0; k < t->n_columns; k++) prc_try(put_cell(t, k, b, err));
done:
  return status;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static prc_status check_group(prc_case_table *t, const char *set, int n_rows, prc_error *err) {
  int has_groups = 0;
  for (int k = 0; k < t->n_columns; k++) has_groups |= t->column[k].is_group;
  const prc_case_place at = prc_case_place_of(t->c, "bodies.%s.group", set);
  if (t->group && !has_groups)
    return prc_case_fail(
        t->c, &at, err, "bodies.%s.group is given, but %s has no column 'group', expected one", set, t->path);
  if (t->group && n_rows == 0)
    return prc_case_fail(t->c, &at, err, "bodies.%s.group is '%s', expected a group of %s: no row has it",
                         set, t->group, t->path);
  return PRC_OK;
}

static size_t count_lines(const char *text) {
  size_t n = 0;
  for (; (text = strchr(text, '\n')); text++) n++;
  return n;
}

prc_status prc_case_table_open(const prc_case *c, const prc_case_body *first, prc_case_table **out,
                               int *n_rows, prc_error *err) {
  prc_status status = PRC_OK;
  prc_case_table *t = NULL;
  prc_error inner = {0};
  size_t size;
  const prc_case_place at = prc_case_place_of(c, "bodies.%s.from", first->name);
  prc_try(prc_new(&t, 1, err));
  t->c = c, t->path = first->table, t->group = first->group;
  status = prc_file_read_all(NULL, t->path, &t->text, &size, &inner);
  if (status == PRC_NOMEM) prc_try(prc_fail(err, status, "%s", inner.message));
  if (status != PRC_OK)
    prc_try(prc_case_fail(c, &at, err, "%s: %s, expected a table of bodies", t->path, inner.message));
  if (strlen(t->text) < size) {
    t->line = 1 + (int)count_lines(t->text);
    prc_try(fail(t, 1, err, "a NUL character in the line, expected a text"));
  }
  t->next = strncmp(t->text, "\xef\xbb\xbf", 3) == 0 ? t->text + 3 : t->text; /* a mark of UTF-8 */
  prc_try(read_header(t, err));
  prc_try(check_required(t, first->name, err));
  prc_try(count_rows(t, n_rows, err));
  prc_try(check_group(t, first->name, *n_rows, err));
  *out = t, t = NULL;
done:
  prc_case_table_close(&t);
  return status;
}

void prc_case_table_close(prc_case_table **t) {
  if (*t) prc_delete(&(*t)->text);
  prc_delete(t);
}

#include "config.h"
#include "solid/surface.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* STL (stereolithography): triangles with a normal each, which is not looked at: their corners are anticlockwise as seen from outside.
 *
 *   binary  80 bytes of anything, their number in 4 bytes, then 50 bytes each: 12 numbers of 4 bytes, normal and corners, and 2 bytes of
 *           anything; the lower bytes first
 *   text    solid NAME { facet normal X Y Z outer loop { vertex X Y Z } x 3 endloop endfacet } endsolid NAME, any number of solids */

enum { HEADER = 84, RECORD = 50 };

static uint32_t number_at(const unsigned char *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static double single_at(const unsigned char *b) {
  const uint32_t bits = number_at(b);
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

/* Text begins with `solid`, but so do many binary files: in those the number of triangles is that of their bytes. */
static int is_binary(const char *bytes, size_t n) {
  return n >= HEADER && (n - HEADER) / RECORD == number_at((const unsigned char *)bytes + 80)
         && (n - HEADER) % RECORD == 0;
}
static int is_text(const char *bytes, size_t n) {
  size_t at = 0;
  while (at < n && isspace((unsigned char)bytes[at])) at++;
  return n - at >= 6 && memcmp(bytes + at, "solid", 5) == 0 && isspace((unsigned char)bytes[at + 5]);
}
int prc_solid_is_stl(const char *bytes, size_t n) {
  return is_binary(bytes, n) || is_text(bytes, n);
}

static prc_status check_triangle(const double x[9], int number, prc_error *err) {
  for (int k = 0; k < 9; k++)
    if (!isfinite(x[k]))
      return prc_fail(err, PRC_INPUT, "corner %d of triangle %d is (%g, %g, %g), expected finite numbers",
                      k / 3 + 1, number + 1, x[k / 3 * 3], x[k / 3 * 3 + 1], x[k / 3 * 3 + 2]);
  return PRC_OK;
}

static prc_status refuse_many(double n, prc_error *err) {
  return prc_fail(err, PRC_INPUT, "a surface has %.0f triangles, expected at most %d", n,
                  PRC_SOLID_TRIANGLES);
}

static prc_status read_binary(const char *bytes, size_t n, prc_solid_soup *out, prc_error *err) {
  const size_t count = (n - HEADER) / RECORD;
  if (count > PRC_SOLID_TRIANGLES) return refuse_many((double)count, err);
  prc_status status = prc_new(&out->x, 9 * count, err);
  for (; status == PRC_OK && (size_t)out->n < count; out->n++) {
    const unsigned char *record = (const unsigned char *)bytes + HEADER + RECORD * (size_t)out->n + 12;
    double *x = out->x + 9 * (size_t)out->n;
    for (size_t k = 0; k < 9; k++) x[k] = single_at(record + 4 * k);
    status = check_triangle(x, out->n, err);
  }
  return status;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

typedef struct {
  const char *at, *end;
  int line;
  char word[64]; /* the last one, cut where it is longer; empty at the end */
} reader;

static void skip_blanks(reader *r) {
  for (; r->at < r->end && isspace((unsigned char)*r->at); r->at++) r->line += *r->at == '\n';
}
static const char *next_word(reader *r) {
  size_t n = 0;
  skip_blanks(r);
  for (; r->at < r->end && !isspace((unsigned char)*r->at); r->at++)
    if (n + 1 < sizeof r->word) r->word[n++] = *r->at;
  r->word[n] = '\0';
  return r->word;
}
static void skip_line(reader *r) {
  while (r->at < r->end && *r->at != '\n') r->at++;
}
static prc_status refuse_word(const reader *r, const char *expected, prc_error *err) {
  if (r->word[0] == '\0')
    return prc_fail(err, PRC_INPUT, "line %d: the file ends where %s is expected", r->line, expected);
  return prc_fail(err, PRC_INPUT, "line %d: '%s' stands where %s is expected", r->line, r->word, expected);
}
static prc_status expect_words(reader *r, int n, const char *const *words, prc_error *err) {
  for (int k = 0; k < n; k++)
    if (strcmp(next_word(r), words[k]) != 0) return refuse_word(r, words[k], err);
  return PRC_OK;
}
static prc_status read_number(reader *r, double *out, prc_error *err) {
  char *end;
  *out = prc_strtod(next_word(r), &end);
  return r->word[0] == '\0' || *end != '\0' ? refuse_word(r, "a number", err) : PRC_OK;
}

/* Text behind `facet`. */
static prc_status read_facet(reader *r, double x[9], prc_error *err) {
  static const char *const loop[] = {"outer", "loop"}, *const end[] = {"endloop", "endfacet"};
  static const char *const normal[] = {"normal"}, *const vertex[] = {"vertex"};
  prc_status status = PRC_OK;
  double ignored;
  prc_try(expect_words(r, 1, normal, err));
  for (int k = 0; k < 3; k++) prc_try(read_number(r, &ignored, err));
  prc_try(expect_words(r, 2, loop, err));
  for (int k = 0; k < 9; k++) {
    if (k % 3 == 0) prc_try(expect_words(r, 1, vertex, err));
    prc_try(read_number(r, &x[k], err));
  }
  prc_try(expect_words(r, 2, end, err));
done:
  return status;
}

static prc_status read_text(const char *bytes, size_t n, prc_solid_soup *out, prc_error *err) {
  prc_status status = PRC_OK;
  reader r = {.at = bytes, .end = bytes + n, .line = 1};
  size_t room = 0;
  while (status == PRC_OK && *next_word(&r)) {
    if (strcmp(r.word, "solid") != 0) return refuse_word(&r, "solid", err);
    skip_line(&r);
    while (status == PRC_OK && strcmp(next_word(&r), "facet") == 0) {
      if (out->n == PRC_SOLID_TRIANGLES) return refuse_many(out->n + 1.0, err);
      prc_try(prc_grow((void *)&out->x, &room, 9 * ((size_t)out->n + 1), sizeof *out->x, err));
      prc_try(read_facet(&r, out->x + 9 * (size_t)out->n, err));
      prc_try(check_triangle(out->x + 9 * (size_t)out->n, out->n, err));
      out->n++;
    }
    if (strcmp(r.word, "endsolid") != 0) return refuse_word(&r, "facet or endsolid", err);
    skip_line(&r);
  }
done:
  return status;
}

prc_status prc_solid_read_stl(const char *bytes, size_t n, prc_solid_soup *out, prc_error *err) {
  if (is_binary(bytes, n)) return read_binary(bytes, n, out, err);
  if (is_text(bytes, n)) return read_text(bytes, n, out, err);
  if (n < HEADER)
    return prc_fail(err, PRC_INPUT,
                    "the file has %zu bytes, expected an STL file: as text, or of at least %d bytes", n,
                    HEADER);
  return prc_fail(err, PRC_INPUT,
                  "the file has %zu bytes, expected %.0f for its %u triangles, as an STL file has", n,
                  HEADER + (double)RECORD * number_at((const unsigned char *)bytes + 80),
                  number_at((const unsigned char *)bytes + 80));
}

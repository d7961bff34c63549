#include "config.h"
#include "output/output.h"
#include "output/internal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char head[] = "<?xml version=\"1.0\"?>\n"
                           "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                           "  <Collection>\n";
static const char entry_time[] = "    <DataSet timestep=\"";
static const char entry_file[] = "\" part=\"0\" file=\"";
static const char entry_end[] = "\"/>\n";
static const char tail[] = "  </Collection>\n"
                           "</VTKFile>\n";

struct prc_output_pvd {
  prc_output_place place;
  prc_bytes text; /* the file without its tail */
  double last;    /* the time of the last entry */
  int is_behind;  /* the file on disk lacks entries */
};

static const struct {
  char plain;
  const char *escaped;
} entity[] = {{'&', "&amp;"},   {'<', "&lt;"},  {'>', "&gt;"},   {'"', "&quot;"},
              {'\'', "&apos;"}, {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"}};
enum { ENTITIES = sizeof entity / sizeof entity[0] };

const char *prc_output_xml_entity(char plain) {
  for (int i = 0; i < ENTITIES; i++)
    if (plain == entity[i].plain) return entity[i].escaped;
  return NULL;
}

static prc_status put(prc_output_pvd *pvd, const char *text, prc_error *err) {
  return prc_bytes_put(&pvd->text, text, strlen(text), err);
}

prc_status prc_output_pvd_create(const prc_folder *in, const char *name, prc_output_pvd **out,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_pvd *pvd = NULL;
  prc_try(prc_new(&pvd, 1, err));
  prc_try(prc_output_place_set(&pvd->place, in, name, err));
  prc_try(put(pvd, head, err));
  pvd->last = -INFINITY;
  *out = pvd, pvd = NULL;
done:
  prc_output_pvd_free(&pvd);
  return status;
}

void prc_output_pvd_free(prc_output_pvd **pvd) {
  if (!*pvd) return;
  prc_output_place_clear(&(*pvd)->place);
  prc_delete(&(*pvd)->text.at);
  prc_delete(pvd);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* One character of an attribute. XML has no way to say the other control characters, nor malformed UTF-8. */
static prc_status put_escaped(prc_output_pvd *pvd, const char **at, const char *file, prc_error *err) {
  const size_t bytes = prc_utf8_length(*at);
  const char *plain = *at, *escaped = prc_output_xml_entity(*plain);
  if (escaped) return (*at)++, put(pvd, escaped, err);
  if (bytes == 0 || (unsigned char)*plain < 0x20)
    return prc_fail(err, PRC_INPUT, "%s: the file name '%s' has a byte (0x%02x) that XML cannot hold",
                    pvd->place.path, file, (unsigned)(unsigned char)*plain);
  *at += bytes;
  return prc_bytes_put(&pvd->text, plain, bytes, err);
}

static prc_status put_entry(prc_output_pvd *pvd, double time, const char *file, prc_error *err) {
  prc_status status = PRC_OK;
  char number[PRC_OUTPUT_NUMBER];
  const size_t before = pvd->text.used;
  prc_output_number_short(number, time);
  prc_try(put(pvd, entry_time, err));
  prc_try(put(pvd, number, err));
  prc_try(put(pvd, entry_file, err));
  for (const char *at = file; *at;) prc_try(put_escaped(pvd, &at, file, err));
  prc_try(put(pvd, entry_end, err));
done:
  if (status != PRC_OK)
    pvd->text.used = before;
  else
    pvd->last = time;
  return status;
}

prc_status prc_output_pvd_add(prc_output_pvd *pvd, double time, const char *file, prc_error *err) {
  if (!isfinite(time))
    return prc_fail(err, PRC_DIVERGED, "%s: the time of '%s' is %g, expected a number", pvd->place.path, file,
                    time);
  const prc_status status = put_entry(pvd, time, file, err);
  if (status == PRC_OK) pvd->is_behind = 1;
  return status;
}

double prc_output_pvd_last(const prc_output_pvd *pvd) {
  return pvd->last;
}

prc_status prc_output_pvd_write(prc_output_pvd *pvd, prc_error *err) {
  const size_t body = pvd->text.used;
  if (!pvd->is_behind) return PRC_OK;
  prc_status status = put(pvd, tail, err);
  if (status == PRC_OK)
    status = prc_output_replace(pvd->place.in, pvd->place.name, pvd->text.at, pvd->text.used, err);
  pvd->text.used = body;
  if (status == PRC_OK) pvd->is_behind = 0;
  return status;
}

/* ---- reading back -------------------------------------------------------------------------------------- */

static int skip(const char **at, const char *literal) {
  const size_t n = strlen(literal);
  if (strncmp(*at, literal, n) != 0) return 0;
  *at += n;
  return 1;
}

static char unescape(const char **at) {
  for (int i = 0; i < ENTITIES; i++)
    if (skip(at, entity[i].escaped)) return entity[i].plain;
  return *(*at)++;
}

/* Reads the entry at *at in place: the name's plain form is no longer than its escaped one. */
static int read_entry(char *text, const char **at, double *time, char **file) {
  char *end;
  if (!skip(at, entry_time)) return 0;
  *time = prc_strtod(*at, &end);
  if (end == *at || !isfinite(*time)) return 0;
  *at = end;
  if (!skip(at, entry_file)) return 0;
  char *to = *file = text + (*at - text);
  while (**at && !strchr("\"<\n", **at)) *to++ = unescape(at);
  if (!skip(at, entry_end)) return 0;
  *to = '\0'; /* at the closing quote or before it */
  return 1;
}

static int line_of(const char *text, const char *at) {
  int line = 1;
  for (; text < at; text++) line += *text == '\n';
  return line;
}

static prc_status read_entries(prc_output_pvd *pvd, char *text, double last, prc_error *err) {
  const char *at = text;
  int line = 1;
  if (!skip(&at, head)) goto malformed;
  line += line_of(text, at) - 1;
  for (; !skip(&at, tail); line++) {
    double time;
    char *file;
    if (!read_entry(text, &at, &time, &file)) goto malformed;
    /* a step's time is a sum: it may be off by some roundings */
    if (time > last + 1e-12 * fabs(last)) continue;
    const prc_status status = put_entry(pvd, time, file, err);
    if (status != PRC_OK) return status;
  }
  if (*at == '\0') return PRC_OK;
  line += 2;
malformed:
  return prc_fail(err, PRC_IO, "%s:%d: not a collection written by percuss", pvd->place.path, line);
}

prc_status prc_output_pvd_restore(prc_output_pvd *pvd, double last, prc_error *err) {
  prc_status status = PRC_OK;
  char *text = NULL;
  size_t n;
  prc_try(prc_output_read_all(&pvd->place, &text, &n, err));
  pvd->text.used = strlen(head), pvd->last = -INFINITY;
  status = read_entries(pvd, text, last, err);
  if (status != PRC_OK) pvd->text.used = strlen(head), pvd->last = -INFINITY;
done:
  prc_delete(&text);
  return status;
}

#include "config.h"
#include "output/xml_internal.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

/* ---- text ---------------------------------------------------------------------------------------------- */

prc_status prc_output_xml_flush(prc_output_xml *xml) {
  if (xml->status == PRC_OK)
    xml->status = xml->file ? prc_output_part_put(xml->file, xml->text, xml->used, xml->err)
                            : prc_bytes_put(xml->memory, xml->text, xml->used, xml->err);
  xml->used = 0;
  return xml->status;
}

/* Room for n characters more; n is at most PRC_OUTPUT_XML_ROOM. */
static char *reserve(prc_output_xml *xml, size_t n) {
  if (xml->used + n > PRC_OUTPUT_XML_ROOM) (void)prc_output_xml_flush(xml);
  return xml->text + xml->used;
}

void prc_output_xml_put(prc_output_xml *xml, const char *text) {
  const size_t n = strlen(text);
  memcpy(reserve(xml, n), text, n);
  xml->used += n;
}

void prc_output_xml_put_count(prc_output_xml *xml, const char *before, long long n, const char *after) {
  char number[PRC_OUTPUT_NUMBER];
  snprintf(number, sizeof number, "%lld", n);
  prc_output_xml_put(xml, before);
  prc_output_xml_put(xml, number);
  prc_output_xml_put(xml, after);
}

void prc_output_xml_put_bytes(prc_output_xml *xml, const prc_bytes *bytes) {
  for (size_t done = 0, n; done < bytes->used; done += n) {
    n = bytes->used - done < PRC_OUTPUT_XML_ROOM ? bytes->used - done : PRC_OUTPUT_XML_ROOM;
    memcpy(reserve(xml, n), bytes->at + done, n);
    xml->used += n;
  }
}

/* ---- base64 -------------------------------------------------------------------------------------------- */

static const char digit[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Three bytes are four digits of six bits. */
static void encode(size_t n_triples, const unsigned char *in, char *out) {
  for (size_t k = 0; k < n_triples; k++, in += 3, out += 4) {
    const uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
    out[0] = digit[bits >> 18];
    out[1] = digit[bits >> 12 & 63];
    out[2] = digit[bits >> 6 & 63];
    out[3] = digit[bits & 63];
  }
}

static void put_triples(prc_output_xml *xml, size_t n_triples, const unsigned char *in) {
  const size_t most = PRC_OUTPUT_XML_ROOM / 4;
  for (size_t done = 0, n; done < n_triples; done += n) {
    n = n_triples - done < most ? n_triples - done : most;
    encode(n, in + 3 * done, reserve(xml, 4 * n));
    xml->used += 4 * n;
  }
}

static void put_base64(prc_output_xml *xml, const void *bytes, size_t n) {
  const unsigned char *in = bytes;
  while (n > 0 && xml->n_left > 0) { /* completes the three that were begun */
    xml->left[xml->n_left++] = *in++, n--;
    if (xml->n_left == 3) put_triples(xml, 1, xml->left), xml->n_left = 0;
  }
  put_triples(xml, n / 3, in);
  for (size_t k = n - n % 3; k < n; k++) xml->left[xml->n_left++] = in[k];
}

static void end_base64(prc_output_xml *xml) {
  static const char *const filling[] = {"", "==", "="};
  const size_t n = xml->n_left;
  if (n == 0) return;
  memset(xml->left + n, 0, 3 - n);
  put_triples(xml, 1, xml->left);
  xml->used -= 3 - n;
  prc_output_xml_put(xml, filling[n]);
  xml->n_left = 0;
}

/* ---- arrays of numbers --------------------------------------------------------------------------------- */

static double largest(const prc_output_values *v) {
  return v->single ? FLT_MAX : DBL_MAX;
}

/* Number as a reader will read it. */
static double number(const prc_output_values *v, size_t i) {
  if (v->item == sizeof(double)) {
    const double value = ((const double *)v->value)[i];
    return v->single && fabs(value) <= FLT_MAX ? (float)value : value;
  }
  return v->item == sizeof(int) ? ((const int *)v->value)[i] : ((const unsigned char *)v->value)[i];
}

static prc_status refuse(const prc_output_values *v, prc_error *err) {
  const size_t components = (size_t)v->components;
  size_t i = 0;
  while (fabs(number(v, i)) <= largest(v)) i++;
  const char *why = isfinite(number(v, i)) ? ", more than a number of 32 bits can be" : "";
  return prc_fail(err, PRC_DIVERGED, "array '%s' is %g at index %zu, component %zu%s", v->name, number(v, i),
                  i / components, i % components, why);
}

/* The range of the values, or of the squares of vectors' lengths. Returns whether all values are finite. */
static int find_range(const prc_output_values *v, double range[2]) {
  const size_t n = (size_t)v->components;
  const double most = largest(v);
  double low = INFINITY, high = -INFINITY;
  int bad = 0;
  for (size_t i = 0; i < v->tuples; i++) {
    double size = n > 1 ? 0.0 : number(v, i);
    if (n == 1) bad |= !(fabs(size) <= most);
    for (size_t k = 0; k < n && n > 1; k++) {
      const double one = number(v, n * i + k);
      bad |= !(fabs(one) <= most);
      size += one * one;
    }
    low = size < low ? size : low;
    high = size > high ? size : high;
  }
  range[0] = low, range[1] = high;
  return !bad;
}

static size_t bytes_of_tuple(const prc_output_values *v) {
  return (size_t)(v->widened ? 3 : v->components) * (v->single ? sizeof(float) : v->item);
}

/* n tuples from `first` on, as they are stored. */
static void store(const prc_output_values *v, size_t first, size_t n, unsigned char *out) {
  const size_t components = (size_t)v->components, width = bytes_of_tuple(v);
  const unsigned char *value = (const unsigned char *)v->value + first * components * v->item;
  if (!v->widened && !v->single) {
    memcpy(out, value, n * width);
    return;
  }
  for (size_t i = 0; i < n; i++, out += width) {
    memset(out, 0, width);
    if (!v->single) memcpy(out, value + components * v->item * i, components * v->item);
    for (size_t k = 0; k < components && v->single; k++) {
      const float rounded = (float)((const double *)v->value)[(first + i) * components + k];
      memcpy(out + k * sizeof rounded, &rounded, sizeof rounded);
    }
  }
}

static void put_plain(prc_output_xml *xml, const prc_output_values *v, size_t bytes) {
  unsigned char room[128 * 3 * sizeof(double)];
  const uint32_t header = (uint32_t)bytes;
  put_base64(xml, &header, sizeof header);
  if (!v->widened && !v->single) {
    put_base64(xml, v->value, bytes);
    return;
  }
  const size_t width = bytes_of_tuple(v), most = sizeof room / width;
  for (size_t done = 0, n; done < v->tuples; done += n) {
    n = v->tuples - done < most ? v->tuples - done : most;
    store(v, done, n, room);
    put_base64(xml, room, n * width);
  }
}

/* Blocks of whole tuples, each compressed alone: how many, their size, that of the last if it is not full, the sizes compressed; and in base64 of its
 * own the blocks. */
enum { BLOCK = 1 << 15 };
typedef struct {
  uint32_t *size; /* 3, and one of each block */
  prc_bytes blocks;
  unsigned char *raw, *packed;
} packing;

static prc_status pack(const prc_output_values *v, int level, packing *p, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t width = bytes_of_tuple(v), most = BLOCK / width, rest = v->tuples % most,
               n = v->tuples / most + (rest > 0);
  uLongf room = compressBound(BLOCK);
  prc_try(prc_new(&p->size, n + 3, err));
  prc_try(prc_new(&p->raw, BLOCK, err));
  prc_try(prc_new(&p->packed, room, err));
  p->size[0] = (uint32_t)n, p->size[1] = (uint32_t)(most * width), p->size[2] = (uint32_t)(rest * width);
  for (size_t b = 0; b < n; b++) {
    const size_t tuples = b + 1 < n || rest == 0 ? most : rest;
    uLongf length = room;
    store(v, b * most, tuples, p->raw);
    if (compress2(p->packed, &length, p->raw, (uLong)(tuples * width), level) != Z_OK)
      prc_try(prc_fail(err, PRC_NOMEM, "zlib: out of memory"));
    p->size[3 + b] = (uint32_t)length;
    prc_try(prc_bytes_put(&p->blocks, p->packed, length, err));
  }
done:
  return status;
}

static void put_packed(prc_output_xml *xml, const prc_output_values *v) {
  packing p = {0};
  xml->status = pack(v, xml->form.level, &p, xml->err);
  if (xml->status == PRC_OK) {
    put_base64(xml, p.size, (3 + (size_t)p.size[0]) * sizeof *p.size);
    end_base64(xml);
    put_base64(xml, p.blocks.at, p.blocks.used);
  }
  prc_delete(&p.size);
  prc_delete(&p.raw);
  prc_delete(&p.packed);
  prc_delete(&p.blocks.at);
}

static void put_attribute(prc_output_xml *xml, const char *name, const char *value) {
  char one[2] = "";
  prc_output_xml_put(xml, " ");
  prc_output_xml_put(xml, name);
  prc_output_xml_put(xml, "=\"");
  for (; (*one = *value); value++) {
    const char *entity = prc_output_xml_entity(*value);
    prc_output_xml_put(xml, entity ? entity : one);
  }
  prc_output_xml_put(xml, "\"");
}

static void put_number(prc_output_xml *xml, const char *name, double value) {
  char text[PRC_OUTPUT_NUMBER];
  prc_output_number_short(text, value);
  put_attribute(xml, name, text);
}

static void put_head(prc_output_xml *xml, const prc_output_values *v, int components, const double range[2]) {
  const int squares = v->components > 1;
  prc_output_xml_put(xml, "        <DataArray");
  put_attribute(xml, "type", v->type);
  put_attribute(xml, "Name", v->name);
  if (components > 1) put_number(xml, "NumberOfComponents", components);
  for (int k = 0; k < components; k++) {
    char attribute[32], name[PRC_FIELD_COMPONENT];
    if (!prc_field_component(v->name, components, k, name)) continue;
    snprintf(attribute, sizeof attribute, "ComponentName%d", k);
    put_attribute(xml, attribute, name);
  }
  put_attribute(xml, "format", "binary");
  if (v->tuples > 0) {
    put_number(xml, "RangeMin", squares ? sqrt(range[0]) : range[0]);
    put_number(xml, "RangeMax", squares ? sqrt(range[1]) : range[1]);
  }
  prc_output_xml_put(xml, ">\n          ");
}

prc_output_values prc_output_values_of(const prc_array *a, size_t tuples, int three, int single) {
  assert(!a->real != !a->integer || tuples == 0);
  return (prc_output_values){.name = a->name,
                             .type = a->integer ? "Int32"
                                     : single   ? "Float32"
                                                : "Float64",
                             .item = a->integer ? sizeof *a->integer : sizeof *a->real,
                             .components = a->components,
                             .tuples = tuples,
                             .value = a->integer ? (const void *)a->integer : a->real,
                             .widened = three && a->components == 2,
                             .single = single && !a->integer};
}

static size_t size_of(const prc_output_values *v) {
  return v->tuples * bytes_of_tuple(v);
}

prc_status prc_output_values_check(const prc_output_values *v, double range[2], prc_error *err) {
  const size_t bytes = size_of(v);
  if (bytes > UINT32_MAX)
    return prc_fail(err, PRC_IO, "array '%s' has %zu bytes, expected less than 4 GB", v->name, bytes);
  return find_range(v, range) ? PRC_OK : refuse(v, err);
}

void prc_output_xml_put_values(prc_output_xml *xml, const prc_output_values *v) {
  const size_t bytes = size_of(v);
  double range[2];
  if (xml->status == PRC_OK) xml->status = prc_output_values_check(v, range, xml->err);
  if (xml->status != PRC_OK) return;
  put_head(xml, v, v->widened ? 3 : v->components, range);
  if (xml->form.level > 0)
    put_packed(xml, v);
  else
    put_plain(xml, v, bytes);
  end_base64(xml);
  prc_output_xml_put(xml, "\n        </DataArray>\n");
}

#include "config.h"
#include "output/output.h"
#include "output/internal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { DEPTH = 16 };

typedef struct {
  char bracket; /* '{' or '[' */
  int items;    /* so far */
  int broken;   /* its items stand on lines of their own */
} nest;

struct prc_output_json {
  prc_output_place place;
  prc_bytes text;
  nest open[DEPTH];
  int depth;         /* brackets open now */
  prc_error failure; /* the first one, for close */
};

static void put(prc_output_json *json, const char *bytes, size_t n) {
  if (json->failure.status == PRC_OK)
    json->failure.status = prc_bytes_put(&json->text, bytes, n, &json->failure);
}

static void put_string(prc_output_json *json, const char *text) {
  put(json, text, strlen(text));
}

static void new_line(prc_output_json *json) {
  put_string(json, "\n");
  for (int i = 0; i < json->depth; i++) put_string(json, "  ");
}

/* One character inside quotes; a byte that is not UTF-8 becomes U+FFFD. Returns the next one. */
static const char *put_character(prc_output_json *json, const char *at) {
  static const char special[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
  const char *found = strchr(special, *at);
  const size_t bytes = prc_utf8_length(at);
  char escaped[16];
  uint32_t code;
  (void)prc_next_character(at, &code);
  if (found) {
    const char pair[2] = {'\\', letter[found - special]};
    put(json, pair, 2);
  } else if (bytes == 0) {
    put_string(json, "\xEF\xBF\xBD");
  } else if (prc_is_hidden(code) && code <= 0xffff) { /* those above are pairs there, and harmless */
    snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)code);
    put_string(json, escaped);
  } else {
    put(json, at, bytes);
  }
  return at + (bytes ? bytes : 1);
}

static void put_quoted(prc_output_json *json, const char *text) {
  put_string(json, "\"");
  while (*text) text = put_character(json, text);
  put_string(json, "\"");
}

/* Separator and indentation before an item. Lists of plain values stay on one line. */
static void put_key(prc_output_json *json, const char *key, int is_container) {
  if (json->depth == 0) {
    assert(is_container && !key && json->text.used == 0); /* one root, and it has brackets */
    return;
  }
  nest *in = &json->open[json->depth - 1];
  assert((in->bracket == '{') == (key != NULL)); /* keys in an object, none in a list */
  if (in->items++) put_string(json, ",");
  in->broken = in->broken || key || is_container;
  if (in->broken)
    new_line(json);
  else if (in->items > 1)
    put_string(json, " ");
  if (!key) return;
  put_quoted(json, key);
  put_string(json, ": ");
}

prc_status prc_output_json_open(const prc_folder *in, const char *name, prc_output_json **out,
                                prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_json *json = NULL;
  prc_try(prc_new(&json, 1, err));
  prc_try(prc_output_place_set(&json->place, in, name, err));
  *out = json, json = NULL;
done:
  prc_delete(&json);
  return status;
}

void prc_output_json_begin(prc_output_json *json, const char *key, char bracket) {
  assert(json->depth < DEPTH && (bracket == '{' || bracket == '['));
  put_key(json, key, 1);
  put(json, &bracket, 1);
  json->open[json->depth++] = (nest){.bracket = bracket};
}

void prc_output_json_end(prc_output_json *json) {
  assert(json->depth > 0);
  const nest *ended = &json->open[--json->depth];
  if (ended->broken) new_line(json);
  put_string(json, ended->bracket == '{' ? "}" : "]");
}

void prc_output_json_number(prc_output_json *json, const char *key, double value) {
  char number[PRC_OUTPUT_NUMBER];
  put_key(json, key, 0);
  prc_output_number_short(number, value);
  put_string(json, isfinite(value) ? number : "null");
}

void prc_output_json_integer(prc_output_json *json, const char *key, long long value) {
  char number[PRC_OUTPUT_NUMBER];
  put_key(json, key, 0);
  snprintf(number, sizeof number, "%lld", value);
  put_string(json, number);
}

void prc_output_json_boolean(prc_output_json *json, const char *key, int value) {
  put_key(json, key, 0);
  put_string(json, value ? "true" : "false");
}

void prc_output_json_text(prc_output_json *json, const char *key, const char *value) {
  put_key(json, key, 0);
  if (value)
    put_quoted(json, value);
  else
    put_string(json, "null");
}

prc_status prc_output_json_close(prc_output_json **json, prc_error *err) {
  if (!*json) return PRC_OK;
  prc_output_json *j = *json;
  if (j->text.used == 0 && j->depth == 0) prc_output_json_begin(j, NULL, '{');
  while (j->depth > 0) prc_output_json_end(j);
  put_string(j, "\n");
  const prc_status status =
      j->failure.status != PRC_OK
          ? prc_fail(err, j->failure.status, "%s: %s", j->place.path, j->failure.message)
          : prc_output_replace(j->place.in, j->place.name, j->text.at, j->text.used, err);
  prc_output_place_clear(&j->place);
  prc_delete(&j->text.at);
  prc_delete(json);
  return status;
}

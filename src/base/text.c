#include "config.h"
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Texts of others: names in meshes, cases and files of contact problems, names of files. */

int prc_begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

int prc_ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

void prc_append(char *text, size_t size, const char *format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, size - used, format, args);
  va_end(args);
}

/* The well-formed sequences, table 3-7 of the Unicode standard: only the second byte has special ranges. */
size_t prc_utf8_length(const char *s) {
  const unsigned char *u = (const unsigned char *)s;
  const size_t n = u[0] < 0x80   ? 1
                   : u[0] < 0xc2 ? 0
                   : u[0] < 0xe0 ? 2
                   : u[0] < 0xf0 ? 3
                   : u[0] < 0xf5 ? 4
                                 : 0;
  if (n < 2) return n;
  const unsigned low = u[0] == 0xe0 ? 0xa0 : u[0] == 0xf0 ? 0x90 : 0x80; /* no overlong forms */
  const unsigned high = u[0] == 0xed   ? 0x9f
                        : u[0] == 0xf4 ? 0x8f
                                       : 0xbf; /* no surrogates, nothing past U+10FFFF */
  if (u[1] < low || u[1] > high) return 0;
  for (size_t i = 2; i < n; i++)
    if (u[i] < 0x80 || u[i] > 0xbf) return 0;
  return n;
}

/* Of the well-formed character of so many bytes. */
static uint32_t code_of(const char *s, size_t bytes) {
  static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = (unsigned char)s[0] & first[bytes];
  for (size_t i = 1; i < bytes; i++) code = code << 6 | ((unsigned char)s[i] & 0x3f);
  return code;
}

/* Controls; marks that turn the direction of writing; what is not seen or is no character. Joiners, U+200C
 * and U+200D, are part of how some scripts are written. */
static const struct {
  uint32_t first, last;
} hidden[] = {{0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x61c, 0x61c},
              {0x115f, 0x1160},   {0x180e, 0x180e},   {0x200b, 0x200b},   {0x200e, 0x200f},
              {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfdd0, 0xfdef},
              {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0xfffe, 0xffff},
              {0x1fffe, 0x1ffff}, {0xe0000, 0xe0fff}, {0xffffe, 0xfffff}, {0x10fffe, 0x10ffff}};

int prc_is_hidden(uint32_t code) {
  for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++)
    if (code >= hidden[k].first && code <= hidden[k].last) return 1;
  return 0;
}

const char *prc_next_character(const char *text, uint32_t *code) {
  const size_t bytes = prc_utf8_length(text);
  *code = bytes ? code_of(text, bytes) : PRC_NO_CHARACTER;
  return text + (bytes ? bytes : 1);
}

const char *prc_escape_character(const char *text, char shown[PRC_ESCAPED]) {
  uint32_t code;
  const char *next = prc_next_character(text, &code);
  if (code == PRC_NO_CHARACTER || (prc_is_hidden(code) && code < 0x80))
    snprintf(shown, PRC_ESCAPED,
             code == '\n'   ? "\\n"
             : code == '\t' ? "\\t"
                            : "\\x%02x",
             (unsigned char)*text);
  else if (prc_is_hidden(code))
    snprintf(shown, PRC_ESCAPED, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
  else
    snprintf(shown, PRC_ESCAPED, "%.*s", (int)(next - text), text);
  return next;
}

void prc_escape(const char *text, char *out, size_t size) {
  char shown[PRC_ESCAPED];
  size_t used = 0;
  while (*text) {
    text = prc_escape_character(text, shown);
    const size_t n = strlen(shown);
    if (used + n >= size) break;
    memcpy(out + used, shown, n);
    used += n;
  }
  out[used] = '\0';
}

int prc_is_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  while (*list) {
    const size_t item = strcspn(list, ",");
    if (item == length && memcmp(list, name, length) == 0) return 1;
    list += item + strspn(list + item, ", ");
  }
  return 0;
}

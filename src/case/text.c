#include "config.h"
#include "case/internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

prc_status prc_text_add(prc_text *text, prc_error *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  assert(length >= 0); /* no wide characters, and by far not INT_MAX */
  const size_t needed = text->length + (size_t)length + 1;
  const prc_status status = prc_grow(&text->text, &text->capacity, needed, 1, err);
  if (status != PRC_OK) return status;
  va_start(args, format);
  vsnprintf(text->text + text->length, (size_t)length + 1, format, args);
  va_end(args);
  text->length += (size_t)length;
  return PRC_OK;
}

prc_status prc_text_pad(prc_text *text, size_t start, size_t width, prc_error *err) {
  const size_t used = text->length - start;
  return prc_text_add(text, err, "%*s", used < width ? (int)(width - used) : 1, "");
}

#include "config.h"
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A message that is too long loses its middle: its start says where, its end says why. */
static void write_message(prc_error *err, const char *format, va_list args) {
  enum { HALF = (int)sizeof err->message / 2 - 3 };
  char raw[16384], text[16384];
  vsnprintf(raw, sizeof raw, format, args);
  prc_escape(raw, text, sizeof text);
  const size_t length = strlen(text);
  if (length < sizeof err->message)
    memcpy(err->message, text, length + 1);
  else
    snprintf(err->message, sizeof err->message, "%.*s ... %s", HALF, text, text + length - HALF);
}

prc_status prc_error_set(prc_error *err, prc_status status, const char *file, int line, const char *format,
                         ...) {
  if (!err || err->status != PRC_OK) return status;
  va_list args;
  va_start(args, format);
  write_message(err, format, args);
  va_end(args);
  err->status = status;
  err->file = file;
  err->line = line;
  return status;
}

void prc_error_context(prc_error *err, const char *format, ...) {
  if (!err) return;
  char text[sizeof err->message], raw[sizeof err->message], context[sizeof err->message];
  va_list args;
  va_start(args, format);
  vsnprintf(raw, sizeof raw, format, args);
  va_end(args);
  prc_escape(raw, context, sizeof context);
  memcpy(text, err->message, sizeof text);
  const size_t used = strnlen(context, sizeof context - 3);
  memcpy(err->message, context, used);
  memcpy(err->message + used, ": ", 3);
  strncat(err->message, text, sizeof err->message - used - 3);
}

void prc_error_clear(prc_error *err) {
  if (err) memset(err, 0, sizeof *err);
}

size_t prc_error_size(void) {
  return sizeof(prc_error);
}
const char *prc_error_message(const prc_error *err) {
  return err->message;
}
prc_status prc_error_status(const prc_error *err) {
  return err->status;
}

void prc_log_message(const prc_log *log, prc_log_level level, const char *format, ...) {
  if (!log || !log->write) return;
  char raw[2048], text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(raw, sizeof raw, format, args);
  va_end(args);
  prc_escape(raw, text, sizeof text);
  log->write(log->to, level, text);
}

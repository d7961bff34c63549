#include "config.h"
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

prc_status prc_error_set(prc_error *err, prc_status status, const char *file, int line, const char *format,
                         ...) {
  if (!err || err->status != PRC_OK) return status;
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  err->status = status;
  err->file = file;
  err->line = line;
  return status;
}

void prc_error_context(prc_error *err, const char *format, ...) {
  if (!err) return;
  char text[sizeof err->message], context[sizeof err->message];
  va_list args;
  va_start(args, format);
  vsnprintf(context, sizeof context, format, args);
  va_end(args);
  memcpy(text, err->message, sizeof text);
  const size_t used = strnlen(context, sizeof context - 3);
  memcpy(err->message, context, used);
  memcpy(err->message + used, ": ", 3);
  strncat(err->message, text, sizeof err->message - used - 3);
}

void prc_error_clear(prc_error *err) {
  if (err) memset(err, 0, sizeof *err);
}

void prc_log_say(const prc_log *log, prc_log_level level, const char *format, ...) {
  if (!log || !log->write) return;
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  log->write(log->to, level, text);
}

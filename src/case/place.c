#include "config.h"
#include "case/internal.h"

#include <stdarg.h>
#include <stdio.h>

#undef prc_case_fail /* see case.h */

void prc_case_place_text(const prc_case *c, const prc_case_place *place, char *text, size_t size) {
  if (place->set)
    snprintf(text, size, "%s: --set %s", c->path, place->set);
  else if (place->line > 0)
    snprintf(text, size, "%s:%d:%d", place->file ? place->file : c->path, place->line, place->column);
  else
    snprintf(text, size, "%s", c->path);
}

prc_status prc_case_fail(const prc_case *c, const prc_case_place *place, prc_error *err, const char *format,
                         ...) {
  char where[4096], what[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  prc_case_place_text(c, place, where, sizeof where);
  return prc_fail(err, PRC_INPUT, "%s: %s", where, what);
}

prc_case_place prc_case_place_of(const prc_case *c, const char *format, ...) {
  char path[PRC_CASE_PATH];
  const char *rest;
  va_list args;
  va_start(args, format);
  vsnprintf(path, sizeof path, format, args);
  va_end(args);
  return prc_tree_walk(c->store->root, path, &rest)->at;
}

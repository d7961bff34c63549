#include "config.h"
#include "step/internal.h"

#include <string.h>

#define ROW(symbol, name) &prc_scheme_##symbol,
static const prc_scheme *const rows[] = {PRC_STEP_DYNAMIC_SCHEMES(ROW, ROW) PRC_STEP_STATIC_SCHEMES(ROW)};
#undef ROW

const prc_scheme *prc_scheme_find(const char *name) {
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (strcmp(rows[k]->name, name) == 0) return rows[k];
  return NULL;
}

unsigned prc_step_scheme_options(const char *scheme) {
  const prc_scheme *row = prc_scheme_find(scheme);
  return row ? row->options : 0;
}

prc_step_promises prc_stepper_promises(const prc_stepper *s) {
  return s->scheme->promises(s);
}

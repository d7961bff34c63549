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

static const char *or_nothing(const char *text) {
  return text ? text : "";
}

int prc_step_scheme_at(int k, prc_step_scheme *out) {
  if (k < 0 || k >= (int)(sizeof rows / sizeof *rows)) return 0;
  const prc_scheme *row = rows[k];
  *out = (prc_step_scheme){.name = row->name,
                           .help = or_nothing(row->help),
                           .laws = or_nothing(row->laws),
                           .takes = or_nothing(row->takes),
                           .order = or_nothing(row->order),
                           .theta = row->theta,
                           .has_joints = row->has_joints};
  return 1;
}

int prc_step_scheme_of(const char *name, prc_step_scheme *out) {
  for (int k = 0; prc_step_scheme_at(k, out); k++)
    if (strcmp(out->name, name) == 0) return 1;
  return 0;
}

int prc_step_throws_back(const prc_stepper *s) {
  const prc_contact_set *set = &s->contacts.set;
  for (int c = 0; c < set->n; c++)
    if (set->law[c]->e_t != 0.0) return 1;
  for (int k = 0; k < s->system->contacts.n_laws; k++)
    if (s->system->contacts.law[k]->e_t != 0.0) return 1;
  return 0;
}

prc_status prc_step_refuse_prediction(const prc_step_options *o, prc_error *err) {
  if (o->prediction == PRC_PREDICT_PRESENT) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "the scheme %s looks at gaps of its own, expected a prediction with the scheme theta only",
                  o->scheme);
}

prc_step_promises prc_stepper_promises(const prc_stepper *s) {
  return s->scheme->promises(s);
}

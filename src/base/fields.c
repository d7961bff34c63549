#include "config.h"
#include "base/fields.h"

#include <string.h>

#define ROW(name, files, where, components, dimension, help)                                                 \
  {name, files, where, components, dimension, help},
static const prc_field_kind kinds[] = {PRC_FIELD_KINDS(ROW)};
#undef ROW
enum { N_KINDS = sizeof kinds / sizeof *kinds };

const prc_field_kind *prc_field_kind_at(int k) {
  return k >= 0 && k < N_KINDS ? &kinds[k] : NULL;
}

const prc_field_kind *prc_field_kind_find(const char *name) {
  for (int k = 0; k < N_KINDS; k++)
    if (strcmp(kinds[k].name, name) == 0) return &kinds[k];
  return NULL;
}

/* An array of another number of components than its row has is another's, and has no names. */
int prc_field_component(const char *name, int components, int k, char text[PRC_FIELD_COMPONENT]) {
  const prc_field_kind *kind = prc_field_kind_find(name);
  int n = 0;
  text[0] = '\0';
  for (const char *at = kind ? kind->components : ""; *at; n++) {
    const size_t length = strcspn(at, " ");
    if (n == k && length < PRC_FIELD_COMPONENT) memcpy(text, at, length), text[length] = '\0';
    at += length + strspn(at + length, " ");
  }
  if (n != components) text[0] = '\0';
  return text[0] != '\0';
}

#include "config.h"
#include "case/keys.h"

#include <string.h>

/* The table: everything a key may be. */

const prc_key *prc_key_next(const prc_key *key) {
  const prc_key *next = key ? key + 1 : prc_keys_of_model;
  return next->key ? next : next->next;
}

const prc_key *prc_key_find(const char *parent, const char *key, int dimension) {
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k))
    if (strcmp(k->parent, parent) == 0 && strcmp(k->key, key) == 0
        && (dimension == 0 || k->dimension == 0 || k->dimension == dimension))
      return k;
  return NULL;
}

void prc_key_names(const char *parent, char *text, size_t size) {
  text[0] = '\0';
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k))
    if (strcmp(k->parent, parent) == 0 && prc_key_find(parent, k->key, 0) == k)
      prc_append(text, size, "%s%s", *text ? ", " : "", k->key);
}

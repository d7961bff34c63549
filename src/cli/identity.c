#include "config.h"
#include "cli/identity.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the fingerprint ----------------------------------------------------------------------------------- */

/* What cannot be read counts by its absence: who needs it says so. */
static uint64_t hash_file(uint64_t hash, const char *path) {
  char block[65536];
  size_t got = 0;
  FILE *file = fopen(path, "re");
  while (file && (got = fread(block, 1, sizeof block, file)) > 0) hash = prc_hash(hash, block, got);
  if (file) fclose(file);
  return prc_hash(hash, "", 1);
}

static uint64_t hash_files(uint64_t hash, const prc_case *c) {
  for (int k = 0; k < c->mesh.n_files; k++) hash = hash_file(hash, c->mesh.files[k]);
  for (int s = 0; s < c->n_sets; s++) { /* the bodies of a set have one table and one surface */
    const prc_case_body *body = c->set[s].n > 0 ? &c->body[c->set[s].first] : NULL;
    if (body && body->table) hash = hash_file(hash, body->table);
    if (body && body->space.solid.file) hash = hash_file(hash, body->space.solid.file);
  }
  for (int k = 0; k < c->n_obstacles; k++)
    if (c->obstacle[k].space.solid.file) hash = hash_file(hash, c->obstacle[k].space.solid.file);
  if (c->initial.from) {
    char path[8192];
    snprintf(path, sizeof path, "%s/checkpoint.h5", c->initial.from);
    hash = hash_file(hash, path);
  }
  return hash;
}

prc_status cli_case_fingerprint(const prc_case *c, char out[CLI_FINGERPRINT], prc_error *err) {
  char *text = NULL;
  const prc_status status = prc_case_text(c, &text, err);
  if (status == PRC_OK)
    snprintf(out, CLI_FINGERPRINT, "%016llx",
             (unsigned long long)hash_files(prc_hash(PRC_HASH_START, text, strlen(text)), c));
  prc_delete(&text);
  return status;
}

/* ---- what a record says --------------------------------------------------------------------------------- */

/* A text of JSON up to its quotation mark, without its escapes; \u ones stand for what no name has. */
static void unescape(const char *at, char *out, size_t size) {
  static const char letter[] = "bfnrt", meant[] = "\b\f\n\r\t";
  size_t n = 0;
  for (; *at && *at != '"' && n + 1 < size; at++) {
    const char *found = NULL;
    if (*at == '\\' && at[1]) found = strchr(letter, *++at);
    out[n++] = found && *found ? meant[found - letter] : *at;
  }
  out[n] = '\0';
}

static void text_after(const char *text, const char *key, char *out, size_t size) {
  const char *at = strstr(text, key);
  out[0] = '\0';
  if (at) unescape(at + strlen(key), out, size);
}

void cli_identity_read(const prc_folder *folder, const char *record, cli_identity *out) {
  static const char steps[] = "\"steps_done\": ";
  char text[16384]; /* the case, which may be long, comes last */
  cli_read_start(folder, record, text, sizeof text);
  text_after(text, "\"name\": \"", out->name, sizeof out->name);
  text_after(text, "\"case_file\": \"", out->case_file, sizeof out->case_file);
  text_after(text, "\"fingerprint\": \"", out->fingerprint, sizeof out->fingerprint);
  text_after(text, "\"state\": \"", out->state, sizeof out->state);
  const char *at = strstr(text, steps);
  const double done = at ? prc_strtod(at + sizeof steps - 1, NULL) : 0.0;
  out->steps = done > 0.0 ? (int)fmin(done, INT_MAX) : 0;
}

int cli_is_other_case(const cli_identity *there, const prc_case *c) {
  struct stat one, other;
  if (!*there->name || !*there->case_file) return 0;
  if (strcmp(there->name, c->name) != 0) return 1;
  return strcmp(there->case_file, c->path) != 0 && stat(there->case_file, &one) == 0
         && stat(c->path, &other) == 0 && (one.st_ino != other.st_ino || one.st_dev != other.st_dev);
}

prc_status cli_refuse_other_case(const char *folder, const cli_identity *there, const prc_case *c,
                                 prc_error *err) {
  return prc_fail(err, PRC_INPUT,
                  "%s: has the results of another case, '%s' of %s, and this is '%s' of %s; expected another "
                  "folder (-o DIR) or, to wipe them, --overwrite",
                  folder, there->name, there->case_file, c->name, c->path);
}

/* ---- in what they differ -------------------------------------------------------------------------------- */

static void copy_line(const char *at, char *out, size_t size) {
  at += strspn(at, " ");
  snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), *at ? at : "nothing");
}

/* Behind the line that both begin with. */
static const char *next_line(const char *at) {
  at += strcspn(at, "\n");
  return *at ? at + 1 : at;
}

prc_status cli_case_difference(const prc_folder *folder, const prc_case *c, char *out, size_t size,
                               prc_error *err) {
  static const char key[] = "\"case\": \"";
  prc_status status = PRC_OK;
  char *record = NULL, *text = NULL, was[200], is[200];
  size_t n = 0;
  prc_try(prc_case_text(c, &text, err));
  prc_try(prc_file_read_all(folder, "run.json", &record, &n, err));
  char *found = strstr(record, key);
  if (!found) goto done;
  char *const there = found + sizeof key - 1;
  unescape(there, there, n + 1 - (size_t)(there - record)); /* it becomes shorter */
  const char *a = there, *b = text;
  while (*a && strcspn(a, "\n") == strcspn(b, "\n") && strncmp(a, b, strcspn(a, "\n")) == 0)
    a = next_line(a), b = next_line(b);
  copy_line(a, was, sizeof was), copy_line(b, is, sizeof is);
  if (*a || *b) snprintf(out, size, "there '%s', here '%s'", was, is);
done:
  if (status == PRC_OK && !*out) snprintf(out, size, "a file that the case names has changed");
  prc_delete(&record);
  prc_delete(&text);
  return status;
}

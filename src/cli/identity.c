#include "config.h"
#include "cli/identity.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the fingerprint ----------------------------------------------------------------------------------- */

static void add_file(void *to, const char *key, const char *path) {
  uint64_t *hash = to;
  (void)key;
  *hash = prc_case_hash_file(*hash, path);
}

prc_status cli_case_fingerprint(const prc_case *c, char out[CLI_FINGERPRINT], prc_error *err) {
  prc_status status = PRC_OK;
  char *text = NULL;
  prc_try(prc_case_text(c, &text, err));
  uint64_t hash = prc_hash(PRC_HASH_START, text, strlen(text));
  prc_try(prc_case_files(c, add_file, &hash, err));
  snprintf(out, CLI_FINGERPRINT, "%016llx", (unsigned long long)hash);
done:
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

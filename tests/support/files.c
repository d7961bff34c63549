#include "config.h"
#include "support/files.h"
#include "output/output.h"
#include "support/support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path below the tests' own folder. */
const char *support_out(const char *name) {
  char relative[512];
  prc_error err = {0};
  support_ok(prc_output_make_folder(support_build("output.tmp"), &err), &err);
  snprintf(relative, sizeof relative, "output.tmp/%s", name);
  return support_build(relative);
}

/* A path that does not exist now. */
const char *support_fresh(const char *name) {
  const char *path = support_out(name);
  unlink(path);
  return path;
}

int support_exists(const char *path) {
  return access(path, F_OK) == 0;
}

int support_part_exists(const char *path) {
  char part[4200];
  snprintf(part, sizeof part, "%s.part", path);
  return support_exists(part);
}

/* The file's bytes and a zero; the caller frees. */
char *support_read_bytes(const char *path, size_t *n) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot open %s", path);
  fseek(file, 0, SEEK_END);
  *n = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(*n + 1, 1);
  ck_assert_uint_eq(fread(text, 1, *n, file), *n);
  fclose(file);
  return text;
}

char *support_read_text(const char *path) {
  size_t n;
  return support_read_bytes(path, &n);
}

void support_write_bytes(const char *path, const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

void support_has_content(const char *path, const char *expected) {
  char *text = support_read_text(path);
  ck_assert_str_eq(text, expected);
  free(text);
}

int support_count(const char *text, const char *what) {
  int n = 0;
  for (; (text = strstr(text, what)); text++) n++;
  return n;
}

/* A full disk: no file may grow past this many bytes. */
struct rlimit support_limit_files(rlim_t bytes) {
  struct rlimit before, now;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  now = before;
  now.rlim_cur = bytes;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &now), 0);
  return before;
}

void support_unlimit_files(struct rlimit before) {
  setrlimit(RLIMIT_FSIZE, &before);
}

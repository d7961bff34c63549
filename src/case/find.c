#include "config.h"
#include "case/find.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The cases that come with percuss: in $PERCUSS_DATADIR and beside it, beside the build, and where they are installed. */

#define CASES "cases"

static int is_there(char *path, size_t size, const char *folder, const char *below) {
  const int length = snprintf(path, size, "%s/%s" CASES, folder, below);
  return length > 0 && (size_t)length < size && access(path, R_OK | X_OK) == 0;
}

static int find_folder(char *path, size_t size) {
  const char *given = getenv("PERCUSS_DATADIR");
  char self[PATH_MAX];
  if (given && (is_there(path, size, given, "") || is_there(path, size, given, "../"))) return 1;
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) {
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    if (is_there(path, size, self, "../") || is_there(path, size, self, "../share/percuss/")) return 1;
  }
  return is_there(path, size, PRC_DATADIR, "");
}

/* Its name without "..", for messages; the same folder if that cannot be had. */
static int find_plain_folder(char *path, size_t size) {
  char found[PATH_MAX], plain[PATH_MAX];
  if (!find_folder(found, sizeof found)) return 0;
  const int length = snprintf(path, size, "%s", realpath(found, plain) ? plain : found);
  return length > 0 && (size_t)length < size;
}

/* A folder of results may have the name of its case. */
static int is_file(const char *path) {
  struct stat there;
  return stat(path, &there) == 0 && !S_ISDIR(there.st_mode);
}

int prc_case_find_file(const char *name, char *path, size_t size) {
  static const char ending[] = ".yaml";
  char folder[PATH_MAX];
  if (!name) return find_plain_folder(path, size);
  const size_t length = strlen(name), end = sizeof ending - 1;
  const int is_ended = length > end && strcmp(name + length - end, ending) == 0;
  if (!*name || strchr(name, '/') || is_file(name) || !find_plain_folder(folder, sizeof folder)) return 0;
  const int used = snprintf(path, size, "%s/%s%s", folder, name, is_ended ? "" : ending);
  return used > 0 && (size_t)used < size && access(path, R_OK) == 0;
}

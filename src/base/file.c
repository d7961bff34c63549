#include "config.h"
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The system's words for what it just refused; without any, the file has become shorter since it was asked for its size. */
static const char *reason(void) {
  return errno ? strerror(errno) : "it is being changed";
}

static prc_status read_open(FILE *file, const char *path, char **bytes, size_t *n, prc_error *err) {
  struct stat about;
  if (fstat(fileno(file), &about) != 0) return prc_fail(err, PRC_IO, "cannot be read: %s", reason());
  if (!S_ISREG(about.st_mode))
    return prc_fail(err, PRC_IO, "cannot be read: %s",
                    S_ISDIR(about.st_mode) ? "it is a directory" : "it is not a file");
  *n = (size_t)about.st_size;
  prc_status status = prc_memory_expect((double)*n, path, err);
  if (status == PRC_OK) status = prc_new(bytes, *n + 1, err);
  if (status != PRC_OK) return status;
  errno = 0;
  if (fread(*bytes, 1, *n, file) == *n) return PRC_OK;
  prc_delete(bytes);
  return prc_fail(err, PRC_IO, "cannot be read: %s", reason());
}

/* To open a pipe with a name would wait until somebody writes into it. */
static FILE *open_at_once(const char *path) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
  const int reason = errno;
  if (descriptor >= 0 && !file) close(descriptor);
  errno = reason;
  return file;
}

prc_status prc_slurp(const char *path, char **bytes, size_t *n, prc_error *err) {
  FILE *file = open_at_once(path);
  if (!file) return prc_fail(err, PRC_IO, "cannot be read: %s", reason());
  const prc_status status = read_open(file, path, bytes, n, err);
  fclose(file);
  return status;
}

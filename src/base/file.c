#include "config.h"
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The system's words for what it just refused; without any, the file has become shorter since it was asked
 * for its size. */
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

/* O_NONBLOCK: a pipe is opened whether or not somebody writes into it, and then refused. */
prc_status prc_file_read_all(const prc_folder *in, const char *name, char **bytes, size_t *n,
                             prc_error *err) {
  const int descriptor =
      openat(prc_folder_descriptor(in), name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (in ? O_NOFOLLOW : 0));
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
  if (!file) {
    const char *other = in && errno == ELOOP ? prc_file_obstacle(in, name) : NULL;
    const prc_status refused = other ? prc_fail(err, PRC_IO, "cannot be read: it is %s, not a file", other)
                                     : prc_fail(err, PRC_IO, "cannot be read: %s", reason());
    if (descriptor >= 0) close(descriptor);
    return refused;
  }
  const prc_status status = read_open(file, name, bytes, n, err);
  fclose(file);
  return status;
}

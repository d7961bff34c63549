#include "config.h"
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct prc_folder {
  char *path;
  int descriptor;
};

/* ---- folders ------------------------------------------------------------------------------------------- */

static prc_status new_folder(int descriptor, const char *parent, const char *name, prc_folder **out,
                             prc_error *err) {
  prc_status status = PRC_OK;
  prc_folder *f = NULL;
  const size_t size = strlen(parent) + strlen(name) + 2;
  prc_try(prc_new(&f, 1, err));
  f->descriptor = -1;
  prc_try(prc_new(&f->path, size, err));
  snprintf(f->path, size, "%s%s%s", parent, *parent ? "/" : "", name);
  f->descriptor = descriptor, descriptor = -1;
  *out = f, f = NULL;
done:
  if (descriptor >= 0) close(descriptor);
  prc_folder_close(&f);
  return status;
}

prc_status prc_folder_open(const char *path, prc_folder **out, prc_error *err) {
  const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return prc_fail(err, PRC_IO, "%s: the folder cannot be opened: %s", path, strerror(errno));
  return new_folder(descriptor, "", path, out, err);
}

prc_status prc_folder_open_below(const prc_folder *parent, const char *name, int make, prc_folder **out,
                                 prc_error *err) {
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  if (make && mkdirat(parent->descriptor, name, 0777) != 0 && errno != EEXIST)
    return prc_fail(err, PRC_IO, "%s/%s: cannot create the folder: %s", parent->path, name, strerror(errno));
  const int descriptor = openat(parent->descriptor, name, flags);
  if (descriptor >= 0) return new_folder(descriptor, parent->path, name, out, err);
  const int reason = errno;
  const char *other = prc_file_obstacle(parent, name);
  if (other && strcmp(other, PRC_FILE_FOLDER) != 0)
    return prc_fail(err, PRC_IO, "%s/%s: it is %s, expected a folder", parent->path, name, other);
  return prc_fail(err, PRC_IO, "%s/%s: the folder cannot be opened: %s", parent->path, name,
                  strerror(reason));
}

void prc_folder_close(prc_folder **folder) {
  if (!*folder) return;
  if ((*folder)->descriptor >= 0) close((*folder)->descriptor);
  prc_delete(&(*folder)->path);
  prc_delete(folder);
}

const char *prc_folder_path(const prc_folder *folder) {
  return folder->path;
}

int prc_folder_descriptor(const prc_folder *folder) {
  return folder ? folder->descriptor : AT_FDCWD;
}

size_t prc_folder_join(const prc_folder *folder, const char *name, char *out, size_t size) {
  const int n = folder ? snprintf(out, size, "%s/%s", folder->path, name) : snprintf(out, size, "%s", name);
  return (size_t)n;
}

/* ---- files in them ------------------------------------------------------------------------------------- */

const char *prc_file_obstacle(const prc_folder *in, const char *name) {
  struct stat about;
  if (fstatat(prc_folder_descriptor(in), name, &about, AT_SYMLINK_NOFOLLOW) != 0 || S_ISREG(about.st_mode))
    return NULL;
  return S_ISDIR(about.st_mode)   ? PRC_FILE_FOLDER
         : S_ISLNK(about.st_mode) ? "a symbolic link"
                                  : "a device or pipe";
}

/* A file that is there is not written into: it may have other names, and who reads it goes on reading what it
 * was. */
int prc_file_create(const prc_folder *in, const char *name) {
  const int at = prc_folder_descriptor(in), flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int descriptor = openat(at, name, flags, 0666);
  if (descriptor >= 0 || errno != EEXIST || unlinkat(at, name, 0) != 0) return descriptor;
  return openat(at, name, flags, 0666);
}

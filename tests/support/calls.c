#include "config.h"
#include "support/calls.h"

#include <errno.h>
#include <gmshc.h>
#include <hdf5.h>
#include <libfyaml.h>
#include <muParserDLL.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a parent and its children know alike. */
static struct {
  char name[64]; /* of the call that fails; "": none */
  int left;      /* calls until then */
  int has_failed;
} * plan;

static int fails(const char *name) {
  if (!plan || strcmp(plan->name, name) != 0 || --plan->left != 0) return 0;
  plan->has_failed = 1;
  return 1;
}

void support_let_fail(const char *call, int nth) {
  if (!plan) {
    void *shared = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) abort();
    plan = shared;
  }
  snprintf(plan->name, sizeof plan->name, "%s", call);
  plan->left = nth, plan->has_failed = 0;
}

int support_let_succeed(void) {
  plan->name[0] = '\0';
  return plan->has_failed;
}

/* WRAP(result, name, what it does when it fails, (parameters), (arguments)) */
#define WRAP(result, name, failure, parameters, arguments)                                                   \
  result __real_##name parameters;                                                                           \
  result __wrap_##name parameters;                                                                           \
  result __wrap_##name parameters {                                                                          \
    if (!fails(#name)) return __real_##name arguments;                                                       \
    return failure;                                                                                          \
  }

/* ---- the system ---------------------------------------------------------------------------------------- */

WRAP(int, pipe, (errno = EMFILE, -1), (int ends[2]), (ends))
WRAP(pid_t, fork, (errno = EAGAIN, -1), (void), ())
WRAP(pid_t, waitpid, (errno = ECHILD, -1), (pid_t child, int *outcome, int options),
     (child, outcome, options))

/* "bytes": what is read ends after so many. */
ssize_t __real_read(int from, void *to, size_t n);
ssize_t __wrap_read(int from, void *to, size_t n);
ssize_t __wrap_read(int from, void *to, size_t n) {
  if (fails("read")) return errno = EIO, -1;
  const ssize_t got = __real_read(from, to, n);
  if (!plan || strcmp(plan->name, "bytes") != 0 || got <= 0) return got;
  const int most = plan->left;
  plan->left -= (int)(got < most ? got : most);
  plan->has_failed |= got > most;
  return got < most ? got : most;
}

WRAP(ssize_t, pread, (errno = EIO, -1), (int from, void *to, size_t n, off_t at), (from, to, n, at))
WRAP(int, fstat, (errno = EIO, -1), (int of, struct stat *about), (of, about))
WRAP(int, stat, (errno = ENOENT, -1), (const char *path, struct stat *about), (path, about))
WRAP(int, ftruncate, (errno = EIO, -1), (int of, off_t length), (of, length))
WRAP(int, pthread_create, EAGAIN,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*work)(void *), void *data),
     (thread, attributes, work, data))

/* A program made by `make coverage` reads the counts of those before it, which is none of its work. */
static int holds_counts(FILE *file) {
  char link[64], path[4096] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
  const ssize_t n = readlink(link, path, sizeof path - 1);
  return n > 5 && strcmp(path + n - 5, ".gcda") == 0;
}

/* A disk that does not give what it holds. What is put on a stream for reading only sets its mark of an error. */
size_t __real_fread(void *to, size_t size, size_t n, FILE *file);
size_t __wrap_fread(void *to, size_t size, size_t n, FILE *file);
size_t __wrap_fread(void *to, size_t size, size_t n, FILE *file) {
  if (!plan || !plan->name[0] || holds_counts(file) || !fails("fread"))
    return __real_fread(to, size, n, file);
  (void)fputc('x', file);
  errno = EIO;
  return 0;
}

/* ---- libraries ----------------------------------------------------------------------------------------- */

WRAP(struct fy_parser *, fy_parser_create, NULL, (const struct fy_parse_cfg *options), (options))
WRAP(struct fy_diag *, fy_diag_create, NULL, (const struct fy_diag_cfg *options), (options))
WRAP(struct fy_diag_error *, fy_diag_errors_iterate, NULL, (struct fy_diag * diag, void **at), (diag, at))
WRAP(muParserHandle_t, mupCreate, NULL, (int type), (type))
WRAP(muBool_t, mupError, 1, (muParserHandle_t parser), (parser))

WRAP(hid_t, H5Fcreate, -1, (const char *path, unsigned flags, hid_t creation, hid_t access),
     (path, flags, creation, access))
WRAP(herr_t, H5Fflush, -1, (hid_t object, H5F_scope_t scope), (object, scope))
WRAP(ssize_t, H5Fget_file_image, -1, (hid_t file, void *to, size_t n), (file, to, n))
WRAP(hid_t, H5Gcreate2, -1, (hid_t at, const char *name, hid_t links, hid_t creation, hid_t access),
     (at, name, links, creation, access))
WRAP(hid_t, H5Dcreate2, -1,
     (hid_t at, const char *name, hid_t type, hid_t space, hid_t links, hid_t creation, hid_t access),
     (at, name, type, space, links, creation, access))
WRAP(hid_t, H5Dopen2, -1, (hid_t at, const char *name, hid_t access), (at, name, access))
WRAP(herr_t, H5Dread, -1, (hid_t data, hid_t type, hid_t memory, hid_t file, hid_t transfer, void *to),
     (data, type, memory, file, transfer, to))
WRAP(herr_t, H5Dwrite, -1,
     (hid_t data, hid_t type, hid_t memory, hid_t file, hid_t transfer, const void *from),
     (data, type, memory, file, transfer, from))
/* It is closed all the same, as a file is. */
WRAP(herr_t, H5Dclose, (__real_H5Dclose(data), -1), (hid_t data), (data))
WRAP(herr_t, H5Literate, -1,
     (hid_t group, H5_index_t by, H5_iter_order_t order, hsize_t *at, H5L_iterate_t work, void *data),
     (group, by, order, at, work, data))

/* Gmsh's calls tell it by their last argument. */
#define WRAP_GMSH(name, parameters, arguments)                                                               \
  void __real_##name parameters;                                                                             \
  void __wrap_##name parameters;                                                                             \
  void __wrap_##name parameters {                                                                            \
    if (fails(#name))                                                                                        \
      *ierr = 1;                                                                                             \
    else                                                                                                     \
      __real_##name arguments;                                                                               \
  }

WRAP_GMSH(gmshInitialize, (int n, char **argument, const int configured, int *ierr),
          (n, argument, configured, ierr))
WRAP_GMSH(gmshOpen, (const char *path, int *ierr), (path, ierr))
WRAP_GMSH(gmshModelMeshGenerate, (const int dim, int *ierr), (dim, ierr))
WRAP_GMSH(gmshModelMeshGetNodes,
          (size_t * *tag, size_t *n, double **x, size_t *n_x, double **u, size_t *n_u, const int dim,
           const int entity, const int boundary, const int parameters, int *ierr),
          (tag, n, x, n_x, u, n_u, dim, entity, boundary, parameters, ierr))
WRAP_GMSH(gmshModelMeshGetElements,
          (int **type, size_t *n, size_t ***tag, size_t **n_tags, size_t *n_tag_lists, size_t ***node,
           size_t **n_nodes, size_t *n_node_lists, const int dim, const int entity, int *ierr),
          (type, n, tag, n_tags, n_tag_lists, node, n_nodes, n_node_lists, dim, entity, ierr))
WRAP_GMSH(gmshModelGetEntities, (int **pair, size_t *n, const int dim, int *ierr), (pair, n, dim, ierr))
WRAP_GMSH(gmshModelGetPhysicalGroups, (int **pair, size_t *n, const int dim, int *ierr), (pair, n, dim, ierr))
WRAP_GMSH(gmshModelGetEntitiesForPhysicalGroup,
          (const int dim, const int group, int **entity, size_t *n, int *ierr), (dim, group, entity, n, ierr))

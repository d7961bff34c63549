/* What the writers share: text that grows, numbers as text, and files that are replaced as a whole. */
#ifndef PRC_OUTPUT_INTERNAL_H
#define PRC_OUTPUT_INTERNAL_H

#include "base/base.h"

#include <errno.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fails with "path: doing: the system's reason", from errno. */
#define prc_output_fail(err, path, doing)                                                                    \
  prc_fail((err), PRC_IO, "%s: %s: %s", (path), (doing), strerror(errno))

/* ---- files --------------------------------------------------------------------------------------------- */

/* Writes these bytes to path.part, forces them through the system's cache and renames it to path: after a power failure the old
 * file is there or the new one. Refuses a path that exists and is no regular file, because renaming onto a device would
 * replace it. */
prc_status prc_output_replace(const char *path, const void *bytes, size_t n, prc_error *err) PRC_MUST_CHECK;
/* The same in two halves: between them the caller may put away what is there. */
prc_status prc_output_prepare(const char *path, const void *bytes, size_t n, prc_error *err) PRC_MUST_CHECK;
prc_status prc_output_commit(const char *path, prc_error *err) PRC_MUST_CHECK;
void prc_output_discard(const char *path); /* instead of the second half */
/* The same in pieces: opened, put to, and then settled into its place or dropped. path is kept as it is given. */
enum { PRC_OUTPUT_PATH = 4200 };
typedef struct {
  const char *path;
  char part[PRC_OUTPUT_PATH]; /* path.part */
  int descriptor;
} prc_output_part;
prc_status prc_output_part_open(prc_output_part *part, const char *path, prc_error *err) PRC_MUST_CHECK;
prc_status prc_output_part_put(prc_output_part *part, const void *bytes, size_t n,
                               prc_error *err) PRC_MUST_CHECK;
/* Ends it, whether it succeeds or not. durable: forced through the cache first; else that is prc_output_sync's. */
prc_status prc_output_part_settle(prc_output_part *part, int durable, prc_error *err) PRC_MUST_CHECK;
void prc_output_part_drop(prc_output_part *part);
/* Writes n bytes, in pieces if need be. Returns how many were written; fewer than n: errno tells why. */
size_t prc_output_write(int descriptor, const void *bytes, size_t n);

/* As prc_slurp, with a message that names the file. HDF5 has no good sentence for one that is absent; the system has. */
prc_status prc_output_slurp(const char *path, char **bytes, size_t *n, prc_error *err) PRC_MUST_CHECK;

/* ---- text ---------------------------------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at s (1..4), 0 if it is malformed; s ends with a zero. */
size_t prc_output_utf8(const char *s);

/* How XML says this character, NULL: as it is. */
const char *prc_output_entity(char plain);

/* Room for any number with its end. */
enum { PRC_OUTPUT_NUMBER = 32 };
/* x in decimal, and the length without the end. An integer below 2^53 has no point and -0 no sign; all else
 * has 17 digits and reads back as the same double; nan, inf, -inf. The point is a point in every locale; no
 * allocation. */
size_t prc_output_number(char *out, double x);
/* The same with the fewest digits of 15..17 that read back exactly; slower, for people. */
size_t prc_output_number_short(char *out, double x);

#ifdef __cplusplus
}
#endif
#endif

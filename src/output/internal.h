/* Declarations shared by the writers: growing text, numbers as text, and files that are replaced as a whole. */
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

/* A file of ours: `name` in the folder `in`, or with NULL a path of its own. */
typedef struct {
  const prc_folder *in;
  const char *name; /* the end of path */
  char *path;       /* for messages */
} prc_output_place;
prc_status prc_output_place_set(prc_output_place *place, const prc_folder *in, const char *name,
                                prc_error *err) PRC_MUST_CHECK;
void prc_output_place_clear(prc_output_place *place);

/* Writes these bytes to name.part, forces them through the system's cache and renames it to name: after a
 * power failure the old file is there or the new one. Refuses a name that exists and is no regular file:
 * renaming would replace a device, and a symbolic link is not ours. */
prc_status prc_output_replace(const prc_folder *in, const char *name, const void *bytes, size_t n,
                              prc_error *err) PRC_MUST_CHECK;
/* The same in two halves: between them the caller may put away what is there. */
prc_status prc_output_prepare(const prc_folder *in, const char *name, const void *bytes, size_t n,
                              prc_error *err) PRC_MUST_CHECK;
prc_status prc_output_commit(const prc_folder *in, const char *name, prc_error *err) PRC_MUST_CHECK;
void prc_output_discard(const prc_folder *in, const char *name); /* instead of the second half */
/* The same in pieces: opened, put to, and then settled into its place or dropped. name is kept as it is
 * given. */
enum { PRC_OUTPUT_PATH = 4200 };
typedef struct {
  const prc_folder *in;
  const char *name;
  char part[PRC_OUTPUT_PATH]; /* name.part */
  char path[PRC_OUTPUT_PATH]; /* for messages */
  int descriptor;
} prc_output_part;
prc_status prc_output_part_open(prc_output_part *part, const prc_folder *in, const char *name,
                                prc_error *err) PRC_MUST_CHECK;
prc_status prc_output_part_put(prc_output_part *part, const void *bytes, size_t n,
                               prc_error *err) PRC_MUST_CHECK;
/* Ends it, whether it succeeds or not. durable: forced through the cache first; else that is
 * prc_output_sync's. */
prc_status prc_output_part_commit(prc_output_part *part, int durable, prc_error *err) PRC_MUST_CHECK;
void prc_output_part_discard(prc_output_part *part);
/* Writes n bytes, in pieces if need be. Returns how many were written; fewer than n: errno tells why. */
size_t prc_output_write(int descriptor, const void *bytes, size_t n);

/* As prc_file_read_all, with a message that names the file. HDF5 has no good sentence for one that is absent;
 * the system has. */
prc_status prc_output_read_all(const prc_output_place *place, char **bytes, size_t *n,
                               prc_error *err) PRC_MUST_CHECK;

/* ---- text ---------------------------------------------------------------------------------------------- */

/* How XML says this character, NULL: as it is. */
const char *prc_output_xml_entity(char plain);

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

/* Files of the tests, below a folder of their own. */
#ifndef PRC_TESTS_FILES_H
#define PRC_TESTS_FILES_H

#include <stddef.h>
#include <sys/resource.h>

/* A path in the tests' own folder, which is made; fresh: of a file that does not exist now. */
const char *support_out(const char *name);
const char *support_fresh(const char *name);
int support_exists(const char *path);
int support_part_exists(const char *path); /* path.part */
/* The file's bytes and a zero; the caller frees. */
char *support_read_bytes(const char *path, size_t *n);
char *support_read_text(const char *path);
void support_write_bytes(const char *path, const void *bytes, size_t n);
void support_has_content(const char *path, const char *expected);
int support_count(const char *text, const char *what); /* how often it stands there */
/* A full disk: no file may grow past this many bytes; gives what was allowed before. */
struct rlimit support_limit_files(rlim_t bytes);
void support_unlimit_files(struct rlimit before);

#endif

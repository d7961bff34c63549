/* What may come from anywhere, given to what reads it. A target takes any bytes and must return: no crash, no hang, no
 * leak, no memory without bounds. It says whether the bytes were accepted. */
#ifndef PRC_TESTS_FUZZ_TARGETS_H
#define PRC_TESTS_FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name; /* of its folder in tests/fuzz */
  int (*read)(const uint8_t *bytes, size_t n);
} fuzz_target;
extern const fuzz_target fuzz_targets[];
extern const size_t fuzz_n_targets;
const fuzz_target *fuzz_find(const char *name); /* NULL: there is none */

/* A file without a name, in memory, that can be opened by the path. Returns its descriptor. */
int fuzz_make_file(const void *bytes, size_t n, char path[64]);

/* The name of a file, below the current folder, that no other process uses. */
void fuzz_temporary(char path[64]);

/* FCLib files (problem.c) and checkpoints (checkpoint.c): the bytes are a file, or say what to put into one (plan.h). */
int fuzz_read_problem(const uint8_t *bytes, size_t n);
int fuzz_read_made_problem(const uint8_t *bytes, size_t n);
int fuzz_read_checkpoint(const uint8_t *bytes, size_t n);
int fuzz_read_made_checkpoint(const uint8_t *bytes, size_t n);

#endif

#include "config.h"
#include "fuzz/targets.h"
#include "case/case.h"
#include "case/internal.h"
#include "cone/fclib.h"
#include "cone/fclib_internal.h"
#include "mesh/internal.h"
#include "output/store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file without a name, in memory, that can be opened by the path. */
static int make_file(const void *bytes, size_t n, char path[64]) {
  const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
  if (descriptor < 0 || write(descriptor, bytes, n) != (ssize_t)n) abort();
  snprintf(path, 64, "/proc/self/fd/%d", descriptor);
  return descriptor;
}

static void read_case(const uint8_t *bytes, size_t n) {
  char path[64];
  prc_error err = {0};
  prc_case *c = NULL;
  const int descriptor = make_file(bytes, n, path);
  (void)!prc_case_read(path, 0, NULL, &c, &err);
  prc_case_free(&c);
  close(descriptor);
}

static void read_expression(const uint8_t *bytes, size_t n) {
  prc_error err = {0};
  prc_expression *expression = NULL;
  size_t position;
  double value;
  char *text = malloc(n + 1);
  if (!text) abort();
  memcpy(text, bytes, n);
  text[n] = '\0';
  if (prc_expression_compile(text, "txy", &expression, &position, &err) == PRC_OK) {
    const prc_field field = prc_expression_field(expression);
    (void)!prc_field_eval(&field, 0.5, -2.0, 1e-3, &value, &err);
  } else if (position > n)
    abort();
  prc_expression_free(&expression);
  free(text);
}

/* What stands between the file and Gmsh. */
static void read_mesh(const uint8_t *bytes, size_t n) {
  prc_error err = {0};
  (void)!prc_mesh_inspect((const char *)bytes, n, &err);
}

static void read_problem(const uint8_t *bytes, size_t n) {
  char path[64];
  prc_error err = {0};
  prc_fclib *problem = NULL;
  const int descriptor = make_file(bytes, n, path);
  (void)!prc_fclib_read_here(path, &problem, &err);
  prc_fclib_free(&problem);
  close(descriptor);
}

/* With a checksum that is right: else nothing is read but that. */
static void read_checkpoint(const uint8_t *bytes, size_t n) {
  char path[64], *sealed = malloc(n + PRC_STORE_TRAILER);
  prc_error err = {0};
  prc_output_store *store = NULL;
  size_t size;
  if (!sealed) abort();
  memcpy(sealed, bytes, n);
  prc_store_seal(sealed, n, sealed + n);
  const int descriptor = make_file(sealed, n + PRC_STORE_TRAILER, path);
  if (prc_output_store_open(path, &store, &err) == PRC_OK)
    (void)!prc_output_store_size(store, "identity", &size, &err);
  if (prc_output_store_close(&store, NULL) != PRC_OK) abort();
  close(descriptor);
  free(sealed);
}

const fuzz_target fuzz_targets[] = {{"case", read_case},
                                    {"expression", read_expression},
                                    {"mesh", read_mesh},
                                    {"problem", read_problem},
                                    {"checkpoint", read_checkpoint}};
const size_t fuzz_n_targets = sizeof fuzz_targets / sizeof *fuzz_targets;

const fuzz_target *fuzz_find(const char *name) {
  for (size_t k = 0; k < fuzz_n_targets; k++)
    if (strcmp(fuzz_targets[k].name, name) == 0) return &fuzz_targets[k];
  return NULL;
}

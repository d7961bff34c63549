#include "config.h"
#include "fuzz/targets.h"
#include "case/case.h"
#include "case/history.h"
#include "case/internal.h"
#include "mesh/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int fuzz_make_file(const void *bytes, size_t n, char path[64]) {
  const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
  if (descriptor < 0 || write(descriptor, bytes, n) != (ssize_t)n) abort();
  snprintf(path, 64, "/proc/self/fd/%d", descriptor);
  return descriptor;
}

void fuzz_temporary(char path[64]) {
  snprintf(path, 64, "fuzz-%ld.tmp", (long)getpid());
}

static int read_case(const uint8_t *bytes, size_t n) {
  char path[64];
  prc_error err = {0};
  prc_case *c = NULL;
  const int descriptor = fuzz_make_file(bytes, n, path);
  const prc_status status = prc_case_read(path, 0, NULL, &c, &err);
  prc_case_free(&c);
  close(descriptor);
  return status == PRC_OK;
}

static int read_expression(const uint8_t *bytes, size_t n) {
  prc_error err = {0};
  prc_expression *expression = NULL;
  size_t position;
  double value;
  char *text = malloc(n + 1);
  if (!text) abort();
  memcpy(text, bytes, n);
  text[n] = '\0';
  const prc_status status = prc_expression_compile(text, "txyi", NULL, &expression, &position, &err);
  if (status == PRC_OK) {
    const prc_field field = prc_expression_field(expression);
    (void)!prc_field_eval(&field, 0.5, -2.0, 1e-3, &value, &err);
  } else if (position > n)
    abort();
  prc_expression_free(&expression);
  free(text);
  return status == PRC_OK;
}

/* As a .msh is read, and made a mesh. */
static int read_mesh(const uint8_t *bytes, size_t n) {
  static const prc_mesh_options as_it_is = {0};
  prc_error err = {0};
  prc_raw_mesh raw = {0};
  prc_mesh *mesh = NULL;
  prc_status status = prc_msh_read((const char *)bytes, n, &raw, &err);
  if (status == PRC_OK) status = prc_mesh_build(&raw, "fuzz.msh", &as_it_is, NULL, &mesh, &err);
  prc_mesh_free(&mesh);
  prc_raw_mesh_free(&raw);
  return status == PRC_OK;
}

/* As a table that a formula looks up. */
static int read_history(const uint8_t *bytes, size_t n) {
  char path[64];
  prc_error err = {0};
  prc_history *h = NULL;
  double d[3], first, last;
  const int descriptor = fuzz_make_file(bytes, n, path);
  const prc_history_options options = {.path = path, .cubic = 1};
  const prc_status status = prc_history_read(&options, &h, &err);
  if (status == PRC_OK) {
    prc_history_range(h, &first, &last);
    for (int k = 0; k <= 8; k++) (void)prc_history_evaluate(h, first + (last - first) * 0.125 * k, k % 2, d);
  }
  prc_history_free(&h);
  close(descriptor);
  return status == PRC_OK;
}

const fuzz_target fuzz_targets[] = {{"case", read_case},
                                    {"expression", read_expression},
                                    {"history", read_history},
                                    {"mesh", read_mesh},
                                    {"problem", fuzz_read_problem},
                                    {"problem-made", fuzz_read_made_problem},
                                    {"checkpoint", fuzz_read_checkpoint},
                                    {"checkpoint-made", fuzz_read_made_checkpoint}};
const size_t fuzz_n_targets = sizeof fuzz_targets / sizeof *fuzz_targets;

const fuzz_target *fuzz_find(const char *name) {
  for (size_t k = 0; k < fuzz_n_targets; k++)
    if (strcmp(fuzz_targets[k].name, name) == 0) return &fuzz_targets[k];
  return NULL;
}

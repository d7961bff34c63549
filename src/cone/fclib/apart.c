#include "config.h"
#include "cone/fclib.h"
#include "cone/fclib/internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* HDF5 may crash, hang or ask for all memory when a file is made to that end, and leave memory behind even
 * where it says no. So another process reads, and hands over what it found; this one never opens the file,
 * and checks what it is given. */

/* ---- one way for both: what is sent is taken in the same order ------------------------------ */

typedef struct {
  prc_bytes *bytes;
  int taking;
  prc_error *err;
} transfer;

static prc_status garbled(const transfer *t) {
  return prc_fail(t->err, PRC_INPUT, "what was read of it cannot be understood, expected a whole problem");
}

static prc_status pass(const transfer *t, void *data, size_t bytes) {
  if (!t->taking) return prc_bytes_put(t->bytes, data, bytes, t->err);
  return prc_bytes_get(t->bytes, data, bytes) ? PRC_OK : garbled(t);
}

/* `array` is the address of a typed pointer, as prc_allocate has it. */
static prc_status pass_array(const transfer *t, void *array, size_t count, size_t size) {
  void *block;
  if (t->taking) {
    if (count > (t->bytes->used - t->bytes->got) / size) return garbled(t);
    const prc_status status = prc_allocate(count, size, array, t->err);
    if (status != PRC_OK) return status;
  }
  memcpy(&block, array, sizeof block);
  return pass(t, block, count * size);
}

#define pass_one(t, value)             pass((t), &(value), sizeof(value))
#define pass_many(t, pointer, n_items) pass_array((t), &(pointer), (size_t)(n_items), sizeof *(pointer))

/* The number alone, 0 to INT_MAX / 16 as read: sums of a few of them fit an int. */
static prc_status pass_count(const transfer *t, int *count) {
  const prc_status status = pass_one(t, *count);
  return status == PRC_OK && (*count < 0 || *count > INT_MAX / 16) ? garbled(t) : status;
}

static prc_status pass_text(const transfer *t, char **text) {
  size_t length = t->taking ? 0 : strlen(*text);
  prc_status status = PRC_OK;
  prc_try(pass_one(t, length));
  prc_try(length < SIZE_MAX ? pass_array(t, text, length + 1, 1) : garbled(t));
  (*text)[length] = '\0';
done:
  return status;
}

/* ---- what a problem consists of ------------------------------------------------------------- */

static int is_matrix(const prc_fclib_matrix *A) {
  if (A->p[0] != 0) return 0;
  for (int j = 0; j < A->n_cols; j++)
    if (A->p[j + 1] < A->p[j]) return 0;
  return A->p[A->n_cols] <= INT_MAX / 16;
}

static int are_rows(const prc_fclib_matrix *A) {
  for (int k = 0; k < A->p[A->n_cols]; k++)
    if (A->i[k] < 0 || A->i[k] >= A->n_rows) return 0;
  return 1;
}

static prc_status pass_matrix(const transfer *t, prc_fclib_matrix *A, int rows, int columns) {
  prc_status status = PRC_OK;
  if (t->taking) A->n_rows = rows, A->n_cols = columns;
  prc_try(pass_one(t, A->stored));
  prc_try(pass_many(t, A->p, columns + 1));
  if (!is_matrix(A)) prc_try(garbled(t));
  prc_try(pass_many(t, A->i, A->p[columns]));
  if (!are_rows(A)) prc_try(garbled(t));
  prc_try(pass_many(t, A->x, A->p[columns]));
done:
  return status;
}

static prc_status pass_state(const transfer *t, const prc_fclib *f, prc_fclib_state *s) {
  prc_status status = PRC_OK;
  prc_try(pass_many(t, s->p, f->dim * f->n));
  prc_try(pass_many(t, s->w, f->dim * f->n));
  if (f->global) prc_try(pass_many(t, s->v, f->n_velocities));
done:
  return status;
}

static prc_status pass_states(const transfer *t, prc_fclib *f) {
  prc_status status = PRC_OK;
  int n = f->n_guesses;
  prc_try(pass_one(t, f->has_solution));
  if (f->has_solution) prc_try(pass_state(t, f, &f->solution));
  prc_try(pass_count(t, &n));
  if (t->taking && (size_t)n > t->bytes->used / sizeof *f->guess) prc_try(garbled(t));
  if (t->taking) prc_try(prc_new(&f->guess, n, t->err));
  f->n_guesses = n;
  for (int k = 0; k < n; k++) prc_try(pass_state(t, f, &f->guess[k]));
done:
  return status;
}

static prc_status pass_sizes(const transfer *t, prc_fclib *f) {
  prc_status status = PRC_OK;
  prc_try(pass_one(t, f->global));
  prc_try(pass_one(t, f->dim));
  prc_try(pass_count(t, &f->n));
  prc_try(pass_count(t, &f->n_velocities));
  if (f->dim < 2 || f->dim > 3) prc_try(garbled(t));
done:
  return status;
}

static prc_status pass_problem(const transfer *t, prc_fclib *f) {
  prc_status status = PRC_OK;
  prc_try(pass_sizes(t, f));
  const int rows = f->dim * f->n;
  prc_try(pass_many(t, f->mu, f->n));
  if (f->global) {
    prc_try(pass_matrix(t, &f->M, f->n_velocities, f->n_velocities));
    prc_try(pass_matrix(t, &f->H, f->n_velocities, rows));
    prc_try(pass_many(t, f->f, f->n_velocities));
    prc_try(pass_many(t, f->w0, rows));
  } else {
    prc_try(pass_matrix(t, &f->W, rows, rows));
    prc_try(pass_many(t, f->b, rows));
  }
  prc_try(pass_text(t, &f->title));
  prc_try(pass_text(t, &f->description));
  prc_try(pass_text(t, &f->math_info));
  prc_try(pass_states(t, f));
done:
  return status;
}

/* ---- the two processes ---------------------------------------------------------------------- */

static prc_status read_and_send(void *path, prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_fclib *f = NULL;
  const transfer to = {out, 0, err};
  prc_try(prc_fclib_read_here(path, &f, err));
  prc_try(pass_problem(&to, f));
done:
  prc_fclib_free(&f);
  return status;
}

prc_status prc_fclib_read(const char *path, prc_fclib **out, prc_error *err) {
  prc_need(path, err);
  prc_need(out, err);
  enum { PATIENCE = 120 /* seconds */ };
  prc_status status = PRC_OK;
  prc_bytes bytes = {0};
  prc_fclib *f = NULL;
  struct stat about = {0};
  char what[300];
  snprintf(what, sizeof what, "%.250s: reading it with HDF5", path);
  const double size = stat(path, &about) == 0 ? (double)about.st_size : 0.0;
  const prc_subprocess_limits limits = {.what = what, .memory = 1e9 + 2400.0 * size, .seconds = PATIENCE};
  const transfer from = {&bytes, 1, err};
  prc_try(prc_new(&f, 1, err));
  prc_try(prc_strdup(path, &f->path, err));
  prc_try(prc_subprocess_run(&limits, read_and_send, f->path, &bytes, err));
  status = pass_problem(&from, f);
  if (status != PRC_OK) prc_error_context(err, "%s", path);
  if (status == PRC_OK) *out = f, f = NULL;
done:
  prc_delete(&bytes.at);
  prc_fclib_free(&f);
  return status;
}

/* base: errors, memory, log, clock, random numbers, scalar fields, files and folders held open, texts of
 * others made safe to show, work in a child process and in the background. Everybody's foundation; it knows
 * no mechanics.
 *
 * What can fail returns a prc_status and fills a prc_error; what cannot returns its value. The library never
 * exits, never prints and keeps no state outside its arguments.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_BASE_H
#define PRC_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PRC_MUST_CHECK     __attribute__((warn_unused_result))
#define PRC_PRINTF(f, arg) __attribute__((format(printf, f, arg)))
#else
#define PRC_MUST_CHECK
#define PRC_PRINTF(f, arg)
#endif

/* ---- errors -------------------------------------------------------------------------------------------- */

typedef enum {
  PRC_OK = 0,
  PRC_NOMEM,    /* memory ran out */
  PRC_INPUT,    /* the user's case, mesh or arguments are wrong */
  PRC_IO,       /* a file could not be read or written */
  PRC_SINGULAR, /* a matrix that must be positive definite is not */
  PRC_DIVERGED, /* a computation did not reach its tolerance, or met NaN */
  PRC_STOPPED   /* the caller asked to stop */
} prc_status;

typedef struct {
  prc_status status;
  const char *file; /* where in our source, for us */
  int line;
  int agreed;         /* all ranks of a run have it (base/ranks.h) */
  char message[1024]; /* for the user: where in their file, what is wrong, what was expected */
} prc_error;

/* Records the first failure (later ones leave it alone; err may be NULL) and returns status. */
prc_status prc_error_set(prc_error *err, prc_status status, const char *file, int line, const char *format,
                         ...) PRC_PRINTF(5, 6);
/* Leaves a function that was given NULL for what must be there: PRC_INPUT with the names of both. */
#define prc_need(pointer, err)                                                                               \
  do {                                                                                                       \
    if (!(pointer)) return prc_fail((err), PRC_INPUT, "%s: '%s' is NULL, expected one", __func__, #pointer); \
  } while (0)
/* Puts "context: " in front of a message that was already set. */
void prc_error_context(prc_error *err, const char *format, ...) PRC_PRINTF(2, 3);
void prc_error_clear(prc_error *err);
/* For callers that know no structs, as those of other languages: room for one, of zeros; and what it says. */
size_t prc_error_size(void);
const char *prc_error_message(const prc_error *err);
prc_status prc_error_status(const prc_error *err);

/* Help for analyzers of single files (config/lint): a failure is none of PRC_OK, and success brings
 * a block. */
#ifdef PRC_ANALYZE
#define prc_fail(err, status, ...) (prc_error_set((err), (status), __FILE__, __LINE__, __VA_ARGS__), (status))
#define prc_new(pointer, count, err)                                                                         \
  (prc_allocate((size_t)(count), sizeof **(pointer), (pointer), (err)) == PRC_OK && *(pointer) ? PRC_OK      \
                                                                                               : PRC_NOMEM)
#else
#define prc_fail(err, status, ...)   prc_error_set((err), (status), __FILE__, __LINE__, __VA_ARGS__)
#define prc_new(pointer, count, err) prc_allocate((size_t)(count), sizeof **(pointer), (pointer), (err))
#endif

/* In a function with a local `status` and a label `done` where everything local is freed. */
#define prc_try(call)                                                                                        \
  do {                                                                                                       \
    if ((status = (call)) != PRC_OK) goto done;                                                              \
  } while (0)

/* ---- memory -------------------------------------------------------------------------------------------- */

/* *out = count zeroed items of size bytes; count = 0 gives a pointer that may be freed. */
prc_status prc_allocate(size_t count, size_t size, void *out, prc_error *err) PRC_MUST_CHECK;
/* Grows *block (of *capacity items) to hold at least `needed`, doubling; the old content is kept. */
prc_status prc_grow(void *block, size_t *capacity, size_t needed, size_t size, prc_error *err) PRC_MUST_CHECK;
prc_status prc_strdup(const char *text, char **out, prc_error *err) PRC_MUST_CHECK;
/* free and NULL */
void prc_release(void *block);

/* prc_new(&pointer, count, err), prc_delete(&pointer): typed by the pointer they are given. */
#define prc_delete(pointer) prc_release(pointer)

/* Bytes that are put at the end and got from the front: data on their way, or a text that grows. */
typedef struct {
  char *at; /* NULL until there was one */
  size_t used, capacity;
  size_t got; /* of them, by prc_bytes_get */
} prc_bytes;
/* Puts n bytes at the end. */
prc_status prc_bytes_put(prc_bytes *bytes, const void *data, size_t n, prc_error *err) PRC_MUST_CHECK;
/* Puts a text at the end, with a zero behind it that does not count. */
prc_status prc_bytes_print(prc_bytes *bytes, prc_error *err, const char *format, ...)
    PRC_PRINTF(3, 4) PRC_MUST_CHECK;
/* The next n bytes into out; 0 if there are not so many left, and then none are taken. */
int prc_bytes_get(prc_bytes *bytes, void *out, size_t n);

/* PRC_NOMEM if that much more memory cannot be had: "W of 40000 contacts needs about 51.2 GB, 11.9 GB are
 * available". Systems promise memory that they do not have, and kill who then uses it: better asked
 * beforehand. */
prc_status prc_memory_expect(double bytes, const char *what, prc_error *err) PRC_MUST_CHECK;
/* Gives what was freed back to the system, which malloc keeps otherwise: after the large factors of a
 * set-up. */
void prc_memory_trim(void);
/* Of a large block: asks the system for pages of 2 MB where it is touched from now on. Sweeps over arrays beyond all caches then wait less for the
 * translation of addresses. Where the system has none, or forbids it, nothing changes. */
void prc_memory_large_pages(void *block, size_t bytes);
double prc_memory_available(void); /* bytes; infinite where the system does not tell */
/* Memory that the limit of this process (ulimit -v) leaves, in bytes; infinite where there is no limit. */
double prc_memory_address_space(void);

/* ---- folders and files --------------------------------------------------------------------------------- */

/* A folder that is held open: what is below it is reached from its descriptor, so that it stays the same one
 * whatever becomes of its name. No symbolic link below it is followed: what somebody has put there cannot
 * lead out of it. Where a function takes a folder and a name, the name has no '/'; or the folder is NULL, and
 * the name is a path as any other. */
typedef struct prc_folder prc_folder;
/* One that is there. Links on the way to it are followed: the path is the user's own. */
prc_status prc_folder_open(const char *path, prc_folder **out, prc_error *err) PRC_MUST_CHECK;
/* One below another; make: it is created unless it is there. */
prc_status prc_folder_open_below(const prc_folder *parent, const char *name, int make, prc_folder **out,
                                 prc_error *err) PRC_MUST_CHECK;
void prc_folder_close(prc_folder **folder);            /* NULL is fine */
const char *prc_folder_path(const prc_folder *folder); /* as it was opened; for messages */
int prc_folder_descriptor(const prc_folder *folder);   /* for openat and its like; NULL: the current folder */
/* "folder/name" for messages, as snprintf does it. */
size_t prc_folder_join(const prc_folder *folder, const char *name, char *out, size_t size);

/* Kind of thing that has this name and is no file, for instance "a symbolic link"; NULL if nothing or a file
 * has it. */
#define PRC_FILE_FOLDER "a folder"
const char *prc_file_obstacle(const prc_folder *in, const char *name);
/* A new file, in the place of one that is there; a link is replaced and not followed. -1: errno says why. */
int prc_file_create(const prc_folder *in, const char *name);
/* The bytes of a file, and a zero behind them. A file and nothing else: no folder, no device, no pipe.
 * Messages do not name it. */
prc_status prc_file_read_all(const prc_folder *in, const char *name, char **bytes, size_t *n,
                             prc_error *err) PRC_MUST_CHECK;

/* FNV-1a over bytes: start with PRC_HASH_START. A change of any single byte changes the result. */
#define PRC_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t prc_hash(uint64_t hash, const void *data, size_t bytes);

/* ---- work done in a child process ---------------------------------------------------------------------- */

/* Libraries that parse files may crash, hang or ask for all memory when a file is made to that end.
 * prc_subprocess_run lets a child process do the work: what it puts into `out` and its error come back, and
 * its end by a signal, its memory and its time become a message that begins with `what`. The child's terminal
 * is closed. Nothing else that it changes is seen here. */
typedef struct {
  const char *what; /* "block.msh: reading it" */
  double memory;    /* bytes that the child may have beyond those of its parent; 0: no limit */
  unsigned seconds; /* of wall time; 0: no limit */
  /* of work that enters the sandbox (sandbox.h): what was expected instead, where it tried what it may not */
  const char *sandboxed;
  const char *expected; /* what is expected where a limit is reached; NULL: a file that is not damaged */
  void (*load)(
      void); /* called by the child before its memory is limited, for libraries that it needs; NULL: none */
} prc_subprocess_limits;
typedef prc_status (*prc_subprocess_work)(void *data, prc_bytes *out, prc_error *err);
prc_status prc_subprocess_run(const prc_subprocess_limits *limits, prc_subprocess_work work, void *data,
                              prc_bytes *out, prc_error *err) PRC_MUST_CHECK;

/* ---- work done in the background, by a second thread --------------------------------------------------- */

/* One piece of work at a time, and nothing is allocated for it. Its thread takes no signals. NULL does it in
 * place. */
typedef struct prc_background prc_background;
typedef prc_status (*prc_background_work)(void *data, prc_error *err);
prc_status prc_background_create(prc_background **out, prc_error *err) PRC_MUST_CHECK;
/* Once what was begun before is done; if that has failed, its failure is returned and nothing is begun. The
 * data belong to the work until it was waited for. */
prc_status prc_background_begin(prc_background *background, prc_background_work work, void *data,
                                prc_error *err) PRC_MUST_CHECK;
/* Until what was begun is done. Its failure is told once. */
prc_status prc_background_wait(prc_background *background, prc_error *err) PRC_MUST_CHECK;
/* Waits too; a failure that nobody has been told of is lost. NULL is fine. */
void prc_background_free(prc_background **background);

/* ---- texts, mostly of others --------------------------------------------------------------------------- */

int prc_begins_with(const char *text, const char *start);
int prc_ends_with(const char *text, const char *end);
/* Is the name in a list "a, b"? */
int prc_is_listed(const char *list, const char *name);
/* Adds to a text in `size` bytes as much as there is room for: lists of names for messages. */
void prc_append(char *text, size_t size, const char *format, ...) PRC_PRINTF(3, 4);
/* Bytes of the UTF-8 character at s (1..4), 0 if it is malformed; s ends with a zero. */
size_t prc_utf8_length(const char *s);
#define PRC_NO_CHARACTER UINT32_MAX /* a byte that is part of none */
/* The character that the text, which is not at its end, begins with; returns what follows. */
const char *prc_next_character(const char *text, uint32_t *code);
/* A control, a mark of the direction of writing, or nothing that could be seen: no part of a name, and not
 * for a terminal. */
int prc_is_hidden(uint32_t code);
/* The same character as a terminal may show it: "\x1b", "\n", "\u202e" for what is hidden, "\xff" for a byte
 * that is part of none. */
enum { PRC_ESCAPED = 12 };
const char *prc_escape_character(const char *text, char shown[PRC_ESCAPED]);
/* A whole text, as much as there is room for. Messages of prc_fail and of the log are shown so. */
void prc_escape(const char *text, char *out, size_t size);

/* ---- log: what the library has to say, to whoever listens ---------------------------------------------- */

/* PHASE: what is being done from now on, in a few words: for who shows progress, not to be kept */
typedef enum { PRC_LOG_INFO, PRC_LOG_WARNING, PRC_LOG_PHASE } prc_log_level;
typedef struct {
  void (*write)(void *to, prc_log_level level, const char *text); /* one line, without its end */
  void *to;
} prc_log;
/* log may be NULL */
void prc_log_message(const prc_log *log, prc_log_level level, const char *format, ...) PRC_PRINTF(3, 4);

/* ---- a scalar field: a number that may depend on place and time ---------------------------------------- */

typedef struct prc_field {
  prc_status (*eval)(const struct prc_field *field, double x, double y, double t, double *value,
                     prc_error *err);
  void *data;      /* the evaluator's own; not owned by the field */
  double constant; /* the value, when eval is NULL */
  int uses_time, uses_place;
  /* its value and its first two derivatives in time, to rounding, as it goes on to the right of t; NULL: they are not known */
  prc_status (*derivatives)(const struct prc_field *field, double x, double y, double t, double out[3],
                            prc_error *err);
  /* the first time in (from, to) at which it bends by a node of a table, or infinity; NULL: it has none that are known */
  double (*next_node)(const struct prc_field *field, double x, double y, double from, double to);
} prc_field;
prc_field prc_field_constant(double value);
prc_status prc_field_eval(const prc_field *field, double x, double y, double t, double *value,
                          prc_error *err) PRC_MUST_CHECK;
/* Its derivative in time at t by the five-point formula over (t, t + h), as the field goes on, or over (t - h, t) where it ends: exact for
 * polynomials of degree four, blind to a kink at t, and exactly zero where the field rests. */
prc_status prc_field_rate(const prc_field *field, double x, double y, double t, double h, double *rate,
                          prc_error *err) PRC_MUST_CHECK;

/* Its value and its first two derivatives in time at t, as it goes on from there. Where the field does not know them they are those of the
 * polynomial through five values over (t, t + h), or over (t - h, t) where it ends: off by (h/4)^4 / 5 and 5/6 (h/4)^3 times the fifth
 * derivative, and by the rounding of the value, 43 eps |f| / h and 430 eps |f| / h^2. */
prc_status prc_field_derivatives(const prc_field *field, double x, double y, double t, double h,
                                 double out[3], prc_error *err) PRC_MUST_CHECK;

/* What of a window is wanted: what means are more than the scheme's value; how large fields are; or how much of them both ends do not show. */
typedef enum { PRC_WINDOW_MISSED, PRC_WINDOW_SIZES, PRC_WINDOW_LOST } prc_window_look;

/* A step from t to `end`, and what of a field a scheme takes for it: (1 - theta) f(t) + theta f(end), or f(t + theta (end - t)) where
 * `at_once`. */
typedef struct {
  double t, end, theta;
  int at_once;
  prc_window_look look;
  int at_end; /* of LOST: the scheme means the value at the end, and a jump is no loss */
  int found; /* out of MISSED: some field jumps or bends in the step, and a mean is another than the scheme's value */
  double lost; /* out of LOST: the largest share of a field's size that the values at both ends do not show */
} prc_window;
/* *missed := the mean over the step less the scheme's value, of a field that jumps or bends in the step, at its ends too; 0 of one that is smooth there
 * (window.c) and of constants. Of SIZES: the mean of |f|, by a rule, of fields that are no constants. Of LOST: 0. */
prc_status prc_field_missed(const prc_field *field, double x, double y, prc_window *window, double *missed,
                            prc_error *err) PRC_MUST_CHECK;
/* Places in [0, 1) that are spread evenly, however many there are: place k. */
double prc_even_place(int k);
/* The value at t, or with a window what is missed: for sums over loads, which are linear in both. */
prc_status prc_field_in(prc_window *window, const prc_field *field, double x, double y, double t,
                        double *value, prc_error *err) PRC_MUST_CHECK;

/* ---- numbers, clock and random numbers ----------------------------------------------------------------- */

/* Neumaier's compensated sum: ten thousand small terms do not lose the digits of a large total. */
typedef struct {
  double value, lost; /* the sum and what rounding lost of it */
} prc_sum;
void prc_sum_add(prc_sum *sum, double x);
double prc_sum_total(const prc_sum *sum);

/* strtod with a decimal point, whatever the locale of the calling program: numbers in files have one. */
double prc_strtod(const char *text, char **end);
double prc_clock(void); /* seconds of wall time since some fixed moment; for progress and reports only */

typedef struct {
  uint64_t state;
} prc_random; /* splitmix64: the same seed gives the same numbers everywhere */
uint64_t prc_random_bits(prc_random *r);
double prc_random_uniform(prc_random *r, double low, double high);

#ifdef __cplusplus
}
#endif
#endif

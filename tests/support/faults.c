/* Loaded before libc (LD_PRELOAD): the n-th call of one function fails, as on a disk that is full or broken.
 *   PRC_FAULT=write:7     the 7th write of this process fails with ENOSPC (what `write` is told: half of it is written first)
 *   PRC_INTERRUPT=mkdir:1 SIGINT comes with the first call of mkdir, which succeeds
 *   PRC_STARVE=1237       there is no memory for as many items as this
 *   PRC_DISTURB=900       the 900th product of a dense matrix with a vector is wrong by a thousandth, as a damaged memory is
 *   PRC_CRASH=yaml        libfyaml dies when it is to read
 *   PRC_LOCALE=taken      the program takes the locale of its environment, as programs with windows do that use the library
 *   PRC_STALL=FILE        syncfs makes this file and takes a minute
 *   PRC_WITNESS=NAME      after each fsync, syncfs and rename a line is written into the pipe NAME-ask, and a byte of the pipe
 *                         NAME-answer waited for: somebody looks at the files meanwhile
 *   PRC_FAULT_COUNT=FILE  how often each function was called, appended at the end */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  OPEN,
  WRITE,
  FSYNC,
  SYNCFS,
  RENAME,
  FTRUNCATE,
  MKDIR,
  CLOSE,
  COUNTED,
  FOPEN = COUNTED,
  PWRITE,
  FLOCK,
  FORK,
  EXECV,
  KINDS
};
static const char *const names[KINDS] = {"open",  "write", "fsync",  "syncfs", "rename", "ftruncate", "mkdir",
                                         "close", "fopen", "pwrite", "flock",  "fork",   "execv"};
static _Atomic long calls[KINDS]; /* by any thread */

void *__libc_calloc(size_t n, size_t size);
int open64(const char *path, int flags, ...);
int openat64(int at, const char *path, int flags, ...);
void *fy_parser_parse(void *parser);
void cblas_dgemv(int order, int transposed, int n_rows, int n_cols, double a, const double *A, int lda,
                 const double *x, int step_x, double b, double *y, int step_y);

__attribute__((constructor)) static void take_locale(void) {
  if (getenv("PRC_LOCALE") && !setlocale(LC_ALL, "")) abort();
}

/* Is it the call that a variable such as "write:7" means? */
static int is_meant(const char *variable, int kind, long call) {
  const char *meant = getenv(variable);
  const size_t length = strlen(names[kind]);
  return meant && strncmp(meant, names[kind], length) == 0 && meant[length] == ':'
         && atol(meant + length + 1) == call;
}

/* Counts a call; is it the one that fails? */
static int fails(int kind) {
  const long call = ++calls[kind];
  if (is_meant("PRC_INTERRUPT", kind, call)) raise(SIGINT);
  return is_meant("PRC_FAULT", kind, call);
}

static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

#define call(type, name, ...)                                                                                \
  do {                                                                                                       \
    void *found = next(name);                                                                                \
    type real;                                                                                               \
    memcpy(&real, &found, sizeof real);                                                                      \
    return real(__VA_ARGS__);                                                                                \
  } while (0)

typedef int (*open_function)(const char *, int, ...);
typedef int (*openat_function)(int, const char *, int, ...);
typedef int (*int_function)(int);
typedef ssize_t (*write_function)(int, const void *, size_t);
typedef int (*rename_function)(const char *, const char *);
typedef int (*renameat_function)(int, const char *, int, const char *);
typedef int (*ftruncate_function)(int, off_t);
typedef int (*mkdir_function)(const char *, mode_t);
typedef int (*mkdirat_function)(int, const char *, mode_t);
typedef FILE *(*fopen_function)(const char *, const char *);
typedef ssize_t (*pwrite_function)(int, const void *, size_t, off_t);
typedef int (*flock_function)(int, int);
typedef pid_t (*fork_function)(void);
typedef int (*execv_function)(const char *, char *const[]);
typedef void *(*load_function)(void *);
typedef void (*dgemv_function)(int, int, int, int, double, const double *, int, const double *, int, double,
                               double *, int);

/* Files that a test opens to be written, and folders; not the counts that a program made by `make coverage` leaves. */
static int fails_to_open(const char *path, int flags) {
  const size_t length = strlen(path);
  const int counts = length > 5 && strcmp(path + length - 5, ".gcda") == 0;
  return (flags & (O_CREAT | O_DIRECTORY)) && !counts && fails(OPEN);
}

static mode_t mode_of(int flags, va_list args) {
  return flags & O_CREAT ? (mode_t)va_arg(args, unsigned) : 0;
}

int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  const mode_t mode = mode_of(flags, args);
  va_end(args);
  if (fails_to_open(path, flags)) return errno = EACCES, -1;
  call(open_function, "open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  const mode_t mode = mode_of(flags, args);
  va_end(args);
  if (fails_to_open(path, flags)) return errno = EACCES, -1;
  call(open_function, "open64", path, flags, mode);
}

/* The same below a folder that is held open. */
int openat(int at, const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  const mode_t mode = mode_of(flags, args);
  va_end(args);
  if (fails_to_open(path, flags)) return errno = EACCES, -1;
  call(openat_function, "openat", at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  const mode_t mode = mode_of(flags, args);
  va_end(args);
  if (fails_to_open(path, flags)) return errno = EACCES, -1;
  call(openat_function, "openat64", at, path, flags, mode);
}

/* Is it a file, and not a pipe to another process? */
static int is_written(int descriptor) {
  struct stat about;
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(descriptor, &about) == 0
         && S_ISREG(about.st_mode) && about.st_nlink > 0; /* the lock is removed before it is closed */
}

static ssize_t write_half(int descriptor, const void *bytes, size_t n) {
  call(write_function, "write", descriptor, bytes, n / 2);
}

/* A full disk takes what fits, and refuses the rest the next time. */
static int is_full;

ssize_t write(int descriptor, const void *bytes, size_t n) {
  if (is_full) return is_full = 0, errno = ENOSPC, -1;
  if (descriptor > STDERR_FILENO && is_written(descriptor) && fails(WRITE)) {
    is_full = 1;
    return write_half(descriptor, bytes, n);
  }
  call(write_function, "write", descriptor, bytes, n);
}

static int open_pipe(const char *witness, const char *end, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s-%s", witness, end);
  return open(path, flags);
}

/* "fsync 4711", with the number of the file, or the name of the call alone */
static int witnessed(const char *name, int descriptor, int result) {
  static int ask = -1, answer = -1;
  const char *witness = getenv("PRC_WITNESS");
  char line[64], byte;
  struct stat about = {0};
  if (!witness || result != 0) return result;
  if (ask < 0) ask = open_pipe(witness, "ask", O_WRONLY), answer = open_pipe(witness, "answer", O_RDONLY);
  if (descriptor >= 0) fstat(descriptor, &about);
  const int length = snprintf(line, sizeof line, "%s %lu\n", name, (unsigned long)about.st_ino);
  if (write(ask, line, (size_t)length) != length || read(answer, &byte, 1) != 1) abort();
  return result;
}

static int fsync_it(int descriptor) {
  call(int_function, "fsync", descriptor);
}

int fsync(int descriptor) {
  if (fails(FSYNC)) return errno = EIO, -1;
  return witnessed("fsync", descriptor, fsync_it(descriptor));
}

static int syncfs_it(int descriptor) {
  call(int_function, "syncfs", descriptor);
}

int syncfs(int descriptor) {
  const char *stalled = getenv("PRC_STALL");
  FILE *file = stalled ? fopen(stalled, "w") : NULL;
  if (file) fclose(file);
  if (stalled) sleep(60);
  if (fails(SYNCFS)) return errno = EIO, -1;
  return witnessed("syncfs", descriptor, syncfs_it(descriptor));
}

static int rename_it(const char *from, const char *to) {
  call(rename_function, "rename", from, to);
}

int rename(const char *from, const char *to) {
  if (fails(RENAME)) return errno = EIO, -1;
  return witnessed("rename", -1, rename_it(from, to));
}

static int renameat_it(int at, const char *from, int to_at, const char *to) {
  call(renameat_function, "renameat", at, from, to_at, to);
}

int renameat(int at, const char *from, int to_at, const char *to) {
  if (fails(RENAME)) return errno = EIO, -1;
  return witnessed("rename", -1, renameat_it(at, from, to_at, to));
}

int ftruncate(int descriptor, off_t length) {
  if (fails(FTRUNCATE)) return errno = EIO, -1;
  call(ftruncate_function, "ftruncate", descriptor, length);
}

int mkdir(const char *path, mode_t mode) {
  if (access(path, F_OK) != 0 && fails(MKDIR)) return errno = ENOSPC, -1;
  call(mkdir_function, "mkdir", path, mode);
}

int mkdirat(int at, const char *path, mode_t mode) {
  if (faccessat(at, path, F_OK, 0) != 0 && fails(MKDIR)) return errno = ENOSPC, -1;
  call(mkdirat_function, "mkdirat", at, path, mode);
}

static int close_it(int descriptor) {
  call(int_function, "close", descriptor);
}

/* What a failing close has not written is lost, the descriptor is closed all the same. */
int close(int descriptor) {
  const int failing = is_written(descriptor) && fails(CLOSE), result = close_it(descriptor);
  return failing ? (errno = EIO, -1) : result;
}

/* Of files that are to be written. */
FILE *fopen(const char *path, const char *mode) {
  if (mode[0] == 'w' && fails(FOPEN)) return errno = EACCES, NULL;
  call(fopen_function, "fopen", path, mode);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t n, off_t at) {
  if (fails(PWRITE)) return errno = ENOSPC, -1;
  call(pwrite_function, "pwrite", descriptor, bytes, n, at);
}

/* A file system that has no locks. */
int flock(int descriptor, int operation) {
  if (fails(FLOCK)) return errno = ENOLCK, -1;
  call(flock_function, "flock", descriptor, operation);
}

pid_t fork(void) {
  if (fails(FORK)) return errno = EAGAIN, -1;
  void *found = next("fork");
  fork_function real;
  memcpy(&real, &found, sizeof real);
  return real();
}

int execv(const char *path, char *const arguments[]) {
  if (fails(EXECV)) return errno = ENOENT, -1;
  call(execv_function, "execv", path, arguments);
}

/* dlsym itself allocates: this is the name that glibc has for it. */
void *calloc(size_t n, size_t size) {
  const char *starved = getenv("PRC_STARVE");
  if (starved && (size_t)atol(starved) == n) return errno = ENOMEM, NULL;
  return __libc_calloc(n, size);
}

void *fy_parser_parse(void *parser) {
  const char *crash = getenv("PRC_CRASH");
  if (crash && strcmp(crash, "yaml") == 0) raise(SIGSEGV);
  call(load_function, "fy_parser_parse", parser);
}

void cblas_dgemv(int order, int transposed, int n_rows, int n_cols, double a, const double *A, int lda,
                 const double *x, int step_x, double b, double *y, int step_y) {
  static long n;
  const char *disturb = getenv("PRC_DISTURB");
  const double wrong = disturb && ++n == atol(disturb) ? 1.001 : 1.0;
  void *found = next("cblas_dgemv");
  dgemv_function real;
  memcpy(&real, &found, sizeof real);
  real(order, transposed, n_rows, n_cols, wrong * a, A, lda, x, step_x, b, y, step_y);
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("PRC_FAULT_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  for (int k = 0; file && k < COUNTED; k++) fprintf(file, "%s %ld\n", names[k], calls[k]);
  if (file) fclose(file);
}

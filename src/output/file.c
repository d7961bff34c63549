#include "config.h"
#include "output/output.h"
#include "output/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders ------------------------------------------------------------------------------------------- */

static int is_folder(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static prc_status make_one(const char *path, prc_error *err) {
  if (mkdir(path, 0777) == 0) return PRC_OK;
  const int reason = errno;
  if (is_folder(path)) return PRC_OK;
  errno = reason;
  if (errno != EEXIST) return prc_output_fail(err, path, "cannot create the folder");
  return prc_fail(err, PRC_IO, "%s: cannot create the folder: a file of that name is in the way", path);
}

prc_status prc_output_make_folder(const char *path, prc_error *err) {
  prc_status status = PRC_OK;
  char *parent = NULL;
  if (is_folder(path)) return PRC_OK;
  prc_try(prc_strdup(path, &parent, err));
  for (char *slash = parent; *slash && (slash = strchr(slash + 1, '/'));) {
    *slash = '\0';
    prc_try(make_one(parent, err));
    *slash = '/';
  }
  status = make_one(path, err);
done:
  if (status == PRC_IO && parent && strcmp(parent, path) != 0) prc_error_context(err, "%s", path);
  prc_delete(&parent);
  return status;
}

/* ---- replacing a file ---------------------------------------------------------------------------------- */

prc_status prc_output_place_set(prc_output_place *place, const prc_folder *in, const char *name,
                                prc_error *err) {
  const size_t size = prc_folder_join(in, name, NULL, 0) + 1;
  const prc_status status = prc_new(&place->path, size, err);
  if (status != PRC_OK) return status;
  prc_folder_join(in, name, place->path, size);
  place->in = in, place->name = place->path + (size - 1 - strlen(name));
  return PRC_OK;
}

void prc_output_place_clear(prc_output_place *place) {
  prc_delete(&place->path);
}

/* The names; refuses one that must not be replaced. */
static prc_status name_part(prc_output_part *part, const prc_folder *in, const char *name, prc_error *err) {
  *part = (prc_output_part){.in = in, .name = name, .descriptor = -1};
  const size_t whole = prc_folder_join(in, name, part->path, sizeof part->path);
  const char *other = prc_file_obstacle(in, name);
  if (other) return prc_fail(err, PRC_IO, "%s: cannot be written: it is %s, not a file", part->path, other);
  if (whole < sizeof part->path && snprintf(part->part, sizeof part->part, "%s.part", name) < PRC_OUTPUT_PATH)
    return PRC_OK;
  return prc_fail(err, PRC_IO, "%s: cannot be written: %s", part->path, strerror(ENAMETOOLONG));
}

static void remove_part(const prc_output_part *part) {
  unlinkat(prc_folder_descriptor(part->in), part->part, 0);
}

static prc_status rename_part(const prc_output_part *part, prc_error *err) {
  const int at = prc_folder_descriptor(part->in);
  if (renameat(at, part->part, at, part->name) == 0) return PRC_OK;
  const prc_status status = prc_output_fail(err, part->path, "cannot be renamed into place");
  remove_part(part);
  return status;
}

size_t prc_output_write(int descriptor, const void *bytes, size_t n) {
  size_t done = 0;
  while (done < n) {
    const ssize_t wrote = write(descriptor, (const char *)bytes + done, n - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) break;
    done += (size_t)wrote;
  }
  return done;
}

prc_status prc_output_part_open(prc_output_part *part, const prc_folder *in, const char *name,
                                prc_error *err) {
  const prc_status status = name_part(part, in, name, err);
  if (status != PRC_OK) return status;
  part->descriptor = prc_file_create(in, part->part);
  return part->descriptor >= 0 ? PRC_OK : prc_output_fail(err, part->path, "cannot be written");
}

prc_status prc_output_part_put(prc_output_part *part, const void *bytes, size_t n, prc_error *err) {
  if (prc_output_write(part->descriptor, bytes, n) == n) return PRC_OK;
  return prc_output_fail(err, part->path, "cannot be written");
}

/* Closes it; what failed is removed. */
static prc_status close_part(prc_output_part *part, int durable, prc_error *err) {
  prc_status status = PRC_OK;
  if (durable && fsync(part->descriptor) != 0) status = prc_output_fail(err, part->path, "cannot be written");
  if (close(part->descriptor) != 0 && status == PRC_OK)
    status = prc_output_fail(err, part->path, "cannot be written");
  if (status != PRC_OK) remove_part(part);
  return status;
}

prc_status prc_output_part_commit(prc_output_part *part, int durable, prc_error *err) {
  const prc_status status = close_part(part, durable, err);
  return status == PRC_OK ? rename_part(part, err) : status;
}

void prc_output_part_discard(prc_output_part *part) {
  close(part->descriptor);
  remove_part(part);
}

static prc_status write_part(prc_output_part *part, const prc_folder *in, const char *name, const void *bytes,
                             size_t n, prc_error *err) {
  prc_status status = prc_output_part_open(part, in, name, err);
  if (status != PRC_OK) return status;
  status = prc_output_part_put(part, bytes, n, err);
  if (status != PRC_OK) prc_output_part_discard(part);
  return status;
}

prc_status prc_output_prepare(const prc_folder *in, const char *name, const void *bytes, size_t n,
                              prc_error *err) {
  prc_output_part part;
  const prc_status status = write_part(&part, in, name, bytes, n, err);
  return status == PRC_OK ? close_part(&part, 1, err) : status;
}

prc_status prc_output_commit(const prc_folder *in, const char *name, prc_error *err) {
  prc_output_part part;
  const prc_status status = name_part(&part, in, name, err);
  return status == PRC_OK ? rename_part(&part, err) : status;
}

void prc_output_discard(const prc_folder *in, const char *name) {
  prc_output_part part;
  if (name_part(&part, in, name, NULL) == PRC_OK) remove_part(&part);
}

prc_status prc_output_replace(const prc_folder *in, const char *name, const void *bytes, size_t n,
                              prc_error *err) {
  prc_output_part part;
  const prc_status status = write_part(&part, in, name, bytes, n, err);
  return status == PRC_OK ? prc_output_part_commit(&part, 1, err) : status;
}

/* One call for all that was written there: a file at a time costs many times as much. */
prc_status prc_output_sync(const prc_folder *folder, prc_error *err) {
  prc_status status = PRC_OK;
#ifdef HAVE_SYNCFS
  if (syncfs(prc_folder_descriptor(folder)) != 0)
    status = prc_output_fail(err, prc_folder_path(folder), "cannot be written");
#else
  sync();
#endif
  return status;
}

prc_status prc_output_read_all(const prc_output_place *place, char **bytes, size_t *n, prc_error *err) {
  const prc_status status = prc_file_read_all(place->in, place->name, bytes, n, err);
  if (status != PRC_OK) prc_error_context(err, "%s", place->path);
  return status;
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

static size_t format_integer(char *out, int64_t value) {
  char digits[24];
  size_t n = 0, used = 0;
  for (uint64_t left = (uint64_t)(value < 0 ? -value : value); left || !n; left /= 10)
    digits[n++] = (char)('0' + (int)(left % 10));
  if (value < 0) out[used++] = '-';
  while (n) out[used++] = digits[--n];
  out[used] = '\0';
  return used;
}

/* Some locales write 0,5: whatever stands between the digits becomes a point. */
static size_t set_decimal_point(char *out) {
  const size_t whole = strspn(out, "-0123456789");
  char *mark = out + whole;
  if (*mark == '.' || *mark == 'e' || *mark == '\0') return whole + strlen(mark);
  char *rest = mark + strcspn(mark, "0123456789");
  *mark = '.';
  memmove(mark + 1, rest, strlen(rest) + 1);
  return whole + strlen(mark);
}

static size_t format_number(char *out, double x, int least, int most) {
  if (fabs(x) < 0x1p53 && x == trunc(x)) return format_integer(out, (int64_t)x);
  if (!isfinite(x))
    return (size_t)snprintf(out, PRC_OUTPUT_NUMBER, "%s", isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf");
  for (int digits = least; digits <= most; digits++) {
    snprintf(out, PRC_OUTPUT_NUMBER, "%.*g", digits, x);
    if (digits < most && strtod(out, NULL) == x) break;
  }
  return set_decimal_point(out);
}

size_t prc_output_number(char *out, double x) {
  return format_number(out, x, 17, 17);
}

size_t prc_output_number_short(char *out, double x) {
  return format_number(out, x, 15, 17);
}

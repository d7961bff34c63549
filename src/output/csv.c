#include "config.h"
#include "output/output.h"
#include "output/internal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEAST = 256 * 1024 };

struct prc_output_csv {
  prc_output_place place;
  int descriptor; /* -1: not open */
  long on_disk;   /* bytes handed to the system */
  size_t used;    /* bytes waiting in the buffer */
  size_t room;    /* of the buffer: the header, or two rows, or more */
  char *buffer;
};

static prc_status start(prc_output_csv *csv, const char *header, prc_error *err) {
  const size_t length = strlen(header);
  const char *other = csv->place.in ? prc_file_obstacle(csv->place.in, csv->place.name) : NULL;
  if (other)
    return prc_fail(err, PRC_IO, "%s: cannot be written: it is %s, not a file", csv->place.path, other);
  csv->descriptor = csv->place.in
                        ? prc_file_create(csv->place.in, csv->place.name)
                        : open(csv->place.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (csv->descriptor < 0) return prc_output_fail(err, csv->place.path, "cannot be written");
  memcpy(csv->buffer, header, length);
  csv->buffer[length] = '\n';
  csv->used = length + 1;
  return PRC_OK;
}

/* The file starts with the header and has a row's end at append_at. The buffer serves as scratch. */
static prc_status check_old_rows(prc_output_csv *csv, const char *header, long append_at, prc_error *err) {
  struct stat about;
  const size_t length = strlen(header);
  if (fstat(csv->descriptor, &about) != 0)
    return prc_output_fail(err, csv->place.path, "cannot be continued");
  if (about.st_size < append_at)
    return prc_fail(err, PRC_IO, "%s: cannot be continued: it has %lld bytes, expected at least %ld",
                    csv->place.path, (long long)about.st_size, append_at);
  const ssize_t have = pread(csv->descriptor, csv->buffer, length + 1, 0);
  if (have < 0) return prc_output_fail(err, csv->place.path, "cannot be continued");
  if ((size_t)have < length + 1 || memcmp(csv->buffer, header, length) != 0 || csv->buffer[length] != '\n')
    return prc_fail(err, PRC_IO, "%s: cannot be continued: its first line is not '%s'", csv->place.path,
                    header);
  char last = '\0';
  if (append_at > (long)length && pread(csv->descriptor, &last, 1, append_at - 1) < 0)
    return prc_output_fail(err, csv->place.path, "cannot be continued");
  if (last != '\n')
    return prc_fail(err, PRC_IO, "%s: cannot be continued: no row ends at byte %ld", csv->place.path,
                    append_at);
  return PRC_OK;
}

static prc_status reopen(prc_output_csv *csv, const char *header, long append_at, prc_error *err) {
  const char *other = prc_file_obstacle(csv->place.in, csv->place.name);
  if (other)
    return prc_fail(err, PRC_IO, "%s: cannot be continued: it is %s, not a file", csv->place.path, other);
  csv->descriptor =
      openat(prc_folder_descriptor(csv->place.in), csv->place.name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (csv->descriptor < 0) return prc_output_fail(err, csv->place.path, "cannot be continued");
  return check_old_rows(csv, header, append_at, err);
}

static prc_status resume(prc_output_csv *csv, const char *header, long append_at, prc_error *err) {
  const prc_status status = reopen(csv, header, append_at, err);
  if (status != PRC_OK) return status;
  if (ftruncate(csv->descriptor, append_at) != 0 || lseek(csv->descriptor, append_at, SEEK_SET) < 0)
    return prc_output_fail(err, csv->place.path, "cannot be continued");
  csv->on_disk = append_at;
  return PRC_OK;
}

static void csv_free(prc_output_csv **csv) {
  if (!*csv) return;
  if ((*csv)->descriptor >= 0) close((*csv)->descriptor);
  prc_output_place_clear(&(*csv)->place);
  prc_delete(&(*csv)->buffer);
  prc_delete(csv);
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* Room for the header, and for two rows of as many numbers as it has names. */
static size_t room_for(const char *header) {
  size_t columns = 1;
  for (const char *at = header; (at = strchr(at, ',')); at++) columns++;
  return larger(LEAST, larger(strlen(header) + 1, 2 * columns * PRC_OUTPUT_NUMBER));
}

static prc_status create(const prc_folder *in, const char *name, const char *header, prc_output_csv **out,
                         prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_csv *csv = NULL;
  if (strchr(header, '\n'))
    return prc_fail(err, PRC_INPUT, "%s: a name of a column has an end of line, expected one line", name);
  prc_try(prc_new(&csv, 1, err));
  csv->descriptor = -1;
  csv->room = room_for(header);
  prc_try(prc_output_place_set(&csv->place, in, name, err));
  prc_try(prc_new(&csv->buffer, csv->room, err));
  *out = csv, csv = NULL;
done:
  csv_free(&csv);
  return status;
}

prc_status prc_output_csv_check(const prc_folder *in, const char *name, const char *header, long append_at,
                                prc_error *err) {
  prc_output_csv *csv = NULL;
  prc_status status = create(in, name, header, &csv, err);
  if (status == PRC_OK) status = reopen(csv, header, append_at, err);
  csv_free(&csv);
  return status;
}

prc_status prc_output_csv_open(const prc_folder *in, const char *name, const char *header, long append_at,
                               prc_output_csv **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_csv *csv = NULL;
  prc_try(create(in, name, header, &csv, err));
  prc_try(append_at < 0 ? start(csv, header, err) : resume(csv, header, append_at, err));
  *out = csv, csv = NULL;
done:
  csv_free(&csv);
  return status;
}

/* The table is cut back to the end of a row, so that it is whole whatever comes; what could not be written
 * stays in the buffer, so that the file and the count of bytes agree. */
static void cut_partial_row(prc_output_csv *csv, size_t wrote) {
  while (wrote > 0 && csv->buffer[wrote - 1] != '\n') wrote--;
  csv->on_disk += (long)wrote;
  csv->used -= wrote;
  memmove(csv->buffer, csv->buffer + wrote, csv->used);
  if (ftruncate(csv->descriptor, csv->on_disk) == 0) lseek(csv->descriptor, csv->on_disk, SEEK_SET);
}

/* Writing to a file without a name succeeds, and nobody will ever see it. */
static int is_removed(const prc_output_csv *csv) {
  struct stat about;
  return fstat(csv->descriptor, &about) == 0 && about.st_nlink == 0;
}

prc_status prc_output_csv_flush(prc_output_csv *csv, prc_error *err) {
  if (is_removed(csv))
    return prc_fail(err, PRC_IO, "%s: cannot be written: it was removed meanwhile", csv->place.path);
  const size_t wrote = prc_output_write(csv->descriptor, csv->buffer, csv->used);
  if (wrote < csv->used) {
    const prc_status status = prc_output_fail(err, csv->place.path, "cannot be written");
    cut_partial_row(csv, wrote);
    return status;
  }
  csv->on_disk += (long)wrote;
  csv->used = 0;
  return PRC_OK;
}

prc_status prc_output_csv_row(prc_output_csv *csv, int n, const double *value, prc_error *err) {
  const size_t most = (size_t)n * PRC_OUTPUT_NUMBER;
  if (n < 1 || most > csv->room)
    return prc_fail(err, PRC_INPUT, "%s: a row of %d numbers, expected from 1 to %zu", csv->place.path, n,
                    csv->room / PRC_OUTPUT_NUMBER);
  if (csv->room - csv->used < most) {
    const prc_status status = prc_output_csv_flush(csv, err);
    if (status != PRC_OK) return status;
  }
  for (int i = 0; i < n; i++) {
    csv->used += prc_output_number(csv->buffer + csv->used, value[i]);
    csv->buffer[csv->used++] = i + 1 < n ? ',' : '\n';
  }
  return PRC_OK;
}

static int needs_quotes(const char *text) {
  return strpbrk(text, ",\"\r\n") != NULL;
}

/* Spreadsheets run a cell that begins so: it gets an apostrophe, which they take for "this is text". A number keeps its sign. */
static int needs_apostrophe(const char *text) {
  char *end;
  if (!*text || !strchr("=+-@\t\r", *text)) return 0;
  (void)prc_strtod(text, &end);
  return end == text || *end != '\0';
}

static size_t length_of(const prc_output_value *value) {
  size_t n = 4; /* two quotation marks, an apostrophe and what separates */
  if (!value->text) return PRC_OUTPUT_NUMBER;
  for (const char *at = value->text; *at; at++) n += *at == '"' ? 2 : 1;
  return n;
}

static size_t put_text(char *out, const char *text) {
  char *at = out;
  const int quotes = needs_quotes(text);
  if (quotes) *at++ = '"';
  if (needs_apostrophe(text)) *at++ = '\'';
  for (; *text; text++) {
    if (*text == '"') *at++ = '"';
    *at++ = *text;
  }
  if (quotes) *at++ = '"';
  return (size_t)(at - out);
}

prc_status prc_output_csv_values(prc_output_csv *csv, int n, const prc_output_value *value, prc_error *err) {
  size_t most = 0;
  for (int i = 0; i < n; i++) most += length_of(&value[i]);
  if (n < 1 || most > csv->room)
    return prc_fail(err, PRC_INPUT, "%s: a row of %d values and %zu bytes, expected at most %zu bytes",
                    csv->place.path, n, most, csv->room);
  if (csv->room - csv->used < most) {
    const prc_status status = prc_output_csv_flush(csv, err);
    if (status != PRC_OK) return status;
  }
  for (int i = 0; i < n; i++) {
    char *out = csv->buffer + csv->used;
    csv->used += value[i].text ? put_text(out, value[i].text) : prc_output_number(out, value[i].number);
    csv->buffer[csv->used++] = i + 1 < n ? ',' : '\n';
  }
  return PRC_OK;
}

long prc_output_csv_bytes(const prc_output_csv *csv) {
  return csv->on_disk + (long)csv->used;
}

prc_status prc_output_csv_close(prc_output_csv **csv, prc_error *err) {
  if (!*csv) return PRC_OK;
  prc_status status = prc_output_csv_flush(*csv, err);
  if (close((*csv)->descriptor) != 0 && status == PRC_OK)
    status = prc_output_fail(err, (*csv)->place.path, "cannot be written");
  (*csv)->descriptor = -1;
  csv_free(csv);
  return status;
}

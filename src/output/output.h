/* output: files. VTU/PVD/VTR for ParaView, CSV, JSON, checkpoints. It does not know how the numbers were
 * made.
 *
 * A file is named by the folder that it is in, held open, and a name without '/'; or by NULL and a path.
 * Every file that is rewritten is written to a temporary name beside it (NAME.part) and renamed, so that a
 * reader never sees half of it; a name that is a folder, a device or a symbolic link is refused. All
 * functions give PRC_IO with the path and the system's reason when a file cannot be written. Files survive
 * the program's death; JSON files and checkpoints survive a power failure too, the others once
 * prc_output_sync was called. Numbers have a decimal point in every locale.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_OUTPUT_H
#define PRC_OUTPUT_H

#include "base/base.h"
#include "base/fields.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates the folder and its parents; an existing folder is fine. */
prc_status prc_output_make_folder(const char *path, prc_error *err) PRC_MUST_CHECK;

/* Forces all that was written below the folder through the system's cache. */
prc_status prc_output_sync(const prc_folder *folder, prc_error *err) PRC_MUST_CHECK;

/* ---- fields for ParaView ------------------------------------------------------------------------------- */

/* Writer of the files: 'vtk' is VTK's own writer, if percuss was configured with VTK; 'own' needs nothing.
 * Both write the same data, and each file stands alone: the files of one run may come from different writers. */
typedef struct prc_output_writer prc_output_writer;
/* auto: the first of the table. NULL: there is none of that name here. */
const prc_output_writer *prc_output_writer_find(const char *name);
const prc_output_writer *prc_output_writer_at(int k); /* the table, from 0 on; NULL behind its end */
const char *prc_output_writer_name(const prc_output_writer *writer);
/* Version of the writer, "VTK 9.1.0". PRC_IO: it cannot be used, for instance because VTK's libraries are
 * gone. */
prc_status prc_output_writer_describe(const prc_output_writer *writer, char *text, size_t size,
                                      prc_error *err) PRC_MUST_CHECK;

/* How numbers are stored. single: real numbers are rounded to 32 bits, but positions and times of diagrams; one beyond 3.4e38 is PRC_DIVERGED as
 * one that is not finite is. level: of zlib, 1 to 9; 0: not compressed. Where one is asked for, NULL: neither. */
typedef struct {
  int single, level;
} prc_output_form;

/* A mesh with fields; binary inline. Components have names where prc_field_component knows some.
 * x: 2 per point, 3 in space. A point array of 2 components is written with a third, 0, so that ParaView can warp by
 * it; all others are written as they are. A value that is not finite gives PRC_DIVERGED naming the array
 * (the coordinates are 'Points') and the index, and nothing is written. */
prc_status prc_output_vtu(const prc_output_writer *writer, const prc_output_form *form, const prc_folder *in,
                          const char *name, int n_points, const double *x, const prc_cells *cells,
                          int n_point_arrays, const prc_array *point_array, int n_cell_arrays,
                          const prc_array *cell_array, prc_error *err) PRC_MUST_CHECK;

/* Of n pieces that are one mesh, a file each in the same folder; arrays as they are in each, whose values are not looked at. */
typedef void prc_output_piece_name(const void *of, int piece, char name[64]);
prc_status prc_output_pvtu(const prc_output_form *form, const prc_folder *in, const char *name, int n,
                           prc_output_piece_name *piece, const void *of, int n_point_arrays,
                           const prc_array *point_array, int n_cell_arrays, const prc_array *cell_array,
                           prc_error *err) PRC_MUST_CHECK;

/* Many of them on the same mesh: what does not change is kept ('own' encodes it once). n_arrays: arrays on
 * points that do not change either, which are written behind the others. Nothing that is given here is needed
 * afterwards. */
typedef struct prc_output_frame prc_output_frame;
prc_status prc_output_frame_create(const prc_output_writer *writer, const prc_output_form *form, int n_points,
                                   const double *x, const prc_cells *cells, int n_arrays,
                                   const prc_array *array, prc_output_frame **out,
                                   prc_error *err) PRC_MUST_CHECK;
prc_status prc_output_frame_write(prc_output_frame *frame, const prc_folder *in, const char *name,
                                  int n_point_arrays, const prc_array *point_array, int n_cell_arrays,
                                  const prc_array *cell_array, prc_error *err) PRC_MUST_CHECK;
void prc_output_frame_free(prc_output_frame **frame);

/* A rectilinear grid n_x by n_y (points, x runs fastest) with point fields, binary inline:
 * position x time diagrams. The rest as for prc_output_vtu. */
prc_status prc_output_vtr(const prc_output_writer *writer, const prc_output_form *form, const prc_folder *in,
                          const char *name, int n_x, const double *x, int n_y, const double *y, int n_arrays,
                          const prc_array *array, prc_error *err) PRC_MUST_CHECK;

/* A collection of files over time. Entries are added in memory; the .pvd on disk is complete after every
 * prc_output_pvd_write, and not touched before there is an entry to write. */
typedef struct prc_output_pvd prc_output_pvd;
prc_status prc_output_pvd_create(const prc_folder *in, const char *name, prc_output_pvd **out,
                                 prc_error *err) PRC_MUST_CHECK;
/* file: relative to the .pvd; UTF-8 without control characters, or PRC_INPUT */
prc_status prc_output_pvd_add(prc_output_pvd *pvd, double time, const char *file,
                              prc_error *err) PRC_MUST_CHECK;
/* Nothing is done when nothing was added. */
prc_status prc_output_pvd_write(prc_output_pvd *pvd, prc_error *err) PRC_MUST_CHECK;
/* Replaces the entries by those of the existing .pvd of ours with time <= last, up to roundings (resuming);
 * the file changes when it is next written. A file that is not ours gives PRC_IO and leaves no entries. */
prc_status prc_output_pvd_restore(prc_output_pvd *pvd, double last, prc_error *err) PRC_MUST_CHECK;
/* The time of the last entry; -infinity without one. */
double prc_output_pvd_last(const prc_output_pvd *pvd);
void prc_output_pvd_free(prc_output_pvd **pvd);

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Rows of numbers with 17 digits (integral columns without a point). Buffered; prc_output_csv_flush puts
 * all on disk. */
typedef struct prc_output_csv prc_output_csv;
/* header: the first line, without an end of line (PRC_INPUT). append_at < 0: a new file; else the existing
 * file is cut to that many bytes and continued (resuming), unless it is shorter, has another header or has no
 * row's end there (PRC_IO). */
prc_status prc_output_csv_open(const prc_folder *in, const char *name, const char *header, long append_at,
                               prc_output_csv **out, prc_error *err) PRC_MUST_CHECK;
/* Could it be continued there? Nothing is changed. */
prc_status prc_output_csv_check(const prc_folder *in, const char *name, const char *header, long append_at,
                                prc_error *err) PRC_MUST_CHECK;
/* A value that is an exact integer below 2^53 is written without a point, -0 as 0; no allocation. There is
 * room for as many values as the header has names, and for any row of up to 8192; more are PRC_INPUT. */
prc_status prc_output_csv_row(prc_output_csv *csv, int n, const double *value, prc_error *err) PRC_MUST_CHECK;
/* A row that has texts too: in quotation marks, doubled within, where they have a comma, a quotation mark or an end of line
 * (RFC 4180). */
typedef struct {
  const char *text; /* NULL: the number */
  double number;
} prc_output_value;
prc_status prc_output_csv_values(prc_output_csv *csv, int n, const prc_output_value *value,
                                 prc_error *err) PRC_MUST_CHECK;
prc_status prc_output_csv_flush(prc_output_csv *csv, prc_error *err) PRC_MUST_CHECK;
long prc_output_csv_bytes(const prc_output_csv *csv); /* written so far, buffered ones included */
prc_status prc_output_csv_close(prc_output_csv **csv, prc_error *err); /* NULL is fine */

/* ---- JSON ---------------------------------------------------------------------------------------------- */

/* A writer for small files: {"a": 1, "b": {"c": "text"}, "d": [1, 2]}, indented; lists of plain values stay
 * on one line. Errors are kept until close. The first call opens the root: prc_output_json_begin(json,
 * NULL, '{'). Numbers have the fewest digits (15 to 17) that read back as the same double. At most 16
 * brackets are open at a time. */
typedef struct prc_output_json prc_output_json;
prc_status prc_output_json_open(const prc_folder *in, const char *name, prc_output_json **out,
                                prc_error *err) PRC_MUST_CHECK;
/* bracket: '{' or '['; key: NULL in a list, here and below */
void prc_output_json_begin(prc_output_json *json, const char *key, char bracket);
void prc_output_json_end(prc_output_json *json);
/* NaN and infinity become null */
void prc_output_json_number(prc_output_json *json, const char *key, double value);
void prc_output_json_integer(prc_output_json *json, const char *key, long long value);
void prc_output_json_boolean(prc_output_json *json, const char *key, int value);
/* Bytes that are not UTF-8 become U+FFFD: the file is valid whatever the text. */
void prc_output_json_text(prc_output_json *json, const char *key, const char *value); /* NULL: null */
/* Ends what is still open, writes and renames into place. NULL is fine. */
prc_status prc_output_json_close(prc_output_json **json, prc_error *err);

/* ---- checkpoints --------------------------------------------------------------------------------------- */

/* Named arrays of doubles in one HDF5 file, without groups: names have no '/'. The same arrays in the same
 * order give the same bytes. Behind what HDF5 knows of stand 16 bytes with a checksum of all before them, so
 * that a file with any byte changed is refused. A store being written is held in memory until it is
 * closed. */
typedef struct prc_output_store prc_output_store;
/* older: the name that a file which is there already is given then; NULL: it is replaced */
prc_status prc_output_store_create(const prc_folder *in, const char *name, const char *older,
                                   prc_output_store **out, prc_error *err) PRC_MUST_CHECK;
/* Reads all arrays, HDF5 in a process of its own. PRC_IO if the file is absent or may not be read, PRC_INPUT
 * if it is no store of ours, truncated or damaged */
prc_status prc_output_store_open(const prc_folder *in, const char *name, prc_output_store **out,
                                 prc_error *err) PRC_MUST_CHECK;
/* Does it end as one of ours? Nothing else of it is looked at. */
int prc_output_store_is_ours(const prc_folder *in, const char *name);
/* n = 0 is fine; a name may be used once */
prc_status prc_output_store_put(prc_output_store *store, const char *name, size_t n, const double *value,
                                prc_error *err) PRC_MUST_CHECK;
/* Reads exactly n values, or refuses (PRC_INPUT) naming the file, the dataset, what it has and what was
 * expected. */
prc_status prc_output_store_get(prc_output_store *store, const char *name, size_t n, double *value,
                                prc_error *err) PRC_MUST_CHECK;
prc_status prc_output_store_size(prc_output_store *store, const char *name, size_t *n,
                                 prc_error *err) PRC_MUST_CHECK;
/* A created one is written and renamed into place, unless err holds a failure already (which is then
 * returned) or a put has failed: the old file stays. NULL is fine. */
prc_status prc_output_store_close(prc_output_store **store, prc_error *err);

#ifdef __cplusplus
}
#endif
#endif

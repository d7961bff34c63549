#include "config.h"
#include "fuzz/plan.h"
#include "fuzz/targets.h"
#include "base/hdf5.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- bytes ------------------------------------------------------------------------------------------------- */

unsigned fuzz_byte(fuzz_bytes *from) {
  if (from->left == 0) return 0;
  from->left--;
  return *from->at++;
}

static unsigned two_bytes(fuzz_bytes *from) {
  const unsigned low = fuzz_byte(from);
  return low | fuzz_byte(from) << 8;
}

double fuzz_number(fuzz_bytes *from) {
  static const double notorious[] = {0.0,    -0.0,   1.0,     -1.0,     2.0,          3.0,       0.5,
                                     1e-8,   -1e-8,  1e300,   -1e300,   INFINITY,     -INFINITY, NAN,
                                     1e-300, 5e-324, DBL_MAX, -DBL_MAX, 4294967298.0, INT_MAX,   INT_MIN,
                                     0x1p53, 0x1p63, -0x1p63, 1e19,     1e16,         1e-16,     INT_MAX / 16,
                                     99.0,   1000.0, 2e9};
  enum { NOTORIOUS = sizeof notorious / sizeof *notorious };
  const unsigned which = fuzz_byte(from);
  uint8_t raw[sizeof(double)];
  double value;
  if (which < 2 * NOTORIOUS) return notorious[which / 2];
  if (which < 200) return (int)which - 130;
  for (size_t k = 0; k < sizeof raw; k++) raw[k] = (uint8_t)fuzz_byte(from);
  memcpy(&value, raw, sizeof value);
  return value;
}

/* ---- the table --------------------------------------------------------------------------------------------- */

void fuzz_plan_add(fuzz_plan *plan, const char *name, fuzz_type type, size_t n, const double *value) {
  if (plan->n == FUZZ_ITEMS || n > FUZZ_VALUES) abort();
  fuzz_item *item = &plan->item[plan->n++];
  *item = (fuzz_item){.type = (unsigned)type, .rank = 1, .extent = {n, 1, 1}, .chunk = 4, .n = n};
  snprintf(item->name, sizeof item->name, "%s", name);
  if (n > 0) memcpy(item->value, value, n * sizeof *value);
}

static hsize_t length(fuzz_bytes *from) {
  const unsigned which = fuzz_byte(from);
  return which < 128 ? which : (hsize_t)1 << which % 64;
}

static void resize(fuzz_item *item, hsize_t n) {
  item->extent[0] = n;
  item->n = n < FUZZ_VALUES ? (size_t)n : FUZZ_VALUES;
}

static void rename_item(fuzz_item *item, fuzz_bytes *from) {
  const size_t n = fuzz_byte(from) % (FUZZ_NAME - 1);
  item->name[0] = '/';
  for (size_t k = 1; k < n; k++) item->name[k] = (char)fuzz_byte(from);
  item->name[n > 0 ? n : 1] = '\0';
}

static void fill(fuzz_item *item, double value) {
  for (size_t k = 0; k < FUZZ_VALUES; k++) item->value[k] = value;
}

static void set_value(fuzz_item *item, fuzz_bytes *from) {
  const unsigned k = fuzz_byte(from);
  item->value[item->n > 0 ? k % item->n : 0] = fuzz_number(from);
}

static void copy_item(fuzz_plan *plan, const fuzz_item *item, fuzz_bytes *from) {
  if (plan->n == FUZZ_ITEMS) return;
  plan->item[plan->n] = *item;
  rename_item(&plan->item[plan->n++], from);
}

/* Another item's content under this one's name. */
static void replace_content(fuzz_item *item, const fuzz_item *other) {
  char name[FUZZ_NAME];
  memcpy(name, item->name, sizeof name);
  *item = *other;
  memcpy(item->name, name, sizeof name);
}

static void add_flip(fuzz_plan *plan, fuzz_bytes *from) {
  if (plan->n_flips == FUZZ_FLIPS) return;
  plan->flip_at[plan->n_flips] = two_bytes(from);
  plan->flip_to[plan->n_flips++] = (uint8_t)fuzz_byte(from);
}

static void edit(fuzz_plan *plan, fuzz_bytes *from) {
  enum {
    VALUE,
    VALUE_TOO,
    ALL,
    LENGTH,
    KIND,
    TYPE,
    LAYOUT,
    RANK,
    CHUNK,
    NAME,
    MORE,
    CONTENT,
    FLIP,
    CUT,
    EDITS
  };
  const unsigned what = fuzz_byte(from) % EDITS;
  fuzz_item *item = &plan->item[fuzz_byte(from) % (unsigned)plan->n];
  switch (what) {
  case ALL:
    fill(item, fuzz_number(from));
    break;
  case LENGTH:
    resize(item, length(from));
    break;
  case KIND:
    item->kind = (fuzz_kind)(fuzz_byte(from) % FUZZ_KINDS);
    item->target = (int)(fuzz_byte(from) % (unsigned)plan->n);
    break;
  case TYPE:
    item->type = fuzz_byte(from);
    break;
  case LAYOUT:
    item->layout = fuzz_byte(from);
    break;
  case RANK:
    item->rank = (int)(fuzz_byte(from) % 5) - 1;
    if (item->rank > 3) item->rank = 3;
    item->extent[1] = length(from);
    break;
  case CHUNK:
    item->chunk = length(from);
    break;
  case NAME:
    rename_item(item, from);
    break;
  case MORE:
    copy_item(plan, item, from);
    break;
  case CONTENT:
    replace_content(item, &plan->item[fuzz_byte(from) % (unsigned)plan->n]);
    break;
  case FLIP:
    add_flip(plan, from);
    break;
  case CUT:
    plan->cut = (fuzz_byte(from) + 1) / 256.0;
    break;
  default:
    set_value(item, from);
    break;
  }
}

void fuzz_plan_edit(fuzz_plan *plan, fuzz_bytes *from) {
  plan->version = fuzz_byte(from);
  plan->cut = 1.0;
  while (from->left > 0) edit(plan, from);
}

/* ---- what a dataset may be --------------------------------------------------------------------------------- */

static hid_t compound(void) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(type, "re", 0, H5T_IEEE_F64LE);
  H5Tinsert(type, "im", 8, H5T_IEEE_F64LE);
  return type;
}

static hid_t text_of(size_t bytes) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, bytes);
  return type;
}

/* A number of unusual width. */
static hid_t narrow(hid_t like, size_t bits) {
  const hid_t type = H5Tcopy(like);
  if (like == H5T_STD_I32LE)
    H5Tset_precision(type, bits), H5Tset_offset(type, 3);
  else
    H5Tset_fields(type, 31, 23, 8, 0, 23);
  return type;
}

static hid_t enumeration(void) {
  const hid_t type = H5Tenum_create(H5T_STD_I32LE);
  const int one = 1;
  H5Tenum_insert(type, "one", &one);
  return type;
}

static hid_t make_type(unsigned which) {
  const hsize_t two = 2;
  switch (which % 24) {
  case 0:
    return H5Tcopy(H5T_IEEE_F64LE);
  case 1:
    return H5Tcopy(H5T_STD_I32LE);
  case 2:
    return text_of(8);
  case 3:
    return H5Tcopy(H5T_IEEE_F64BE);
  case 4:
    return H5Tcopy(H5T_IEEE_F32LE);
  case 5:
    return H5Tcopy(H5T_STD_I32BE);
  case 6:
    return H5Tcopy(H5T_STD_I64LE);
  case 7:
    return H5Tcopy(H5T_STD_U64BE);
  case 8:
    return H5Tcopy(H5T_STD_U8LE);
  case 9:
    return H5Tcopy(H5T_STD_I16LE);
  case 10:
    return text_of(H5T_VARIABLE);
  case 11:
    return text_of(70000);
  case 12:
    return compound();
  case 13:
    return enumeration();
  case 14:
    return H5Tarray_create2(H5T_IEEE_F64LE, 1, &two);
  case 15:
    return H5Tcreate(H5T_OPAQUE, 5);
  case 16:
    return H5Tcopy(H5T_STD_REF_OBJ);
  case 17:
    return H5Tcopy(H5T_STD_B8LE);
  case 18:
    return narrow(H5T_STD_I32LE, 13);
  case 19:
    return narrow(H5T_IEEE_F32LE, 0);
  case 20:
    return H5Tcopy(H5T_UNIX_D32LE);
  case 21:
    return H5Tvlen_create(H5T_IEEE_F64LE);
  case 22:
    return H5Tcopy(H5T_NATIVE_LDOUBLE);
  default:
    return H5Tcopy(H5T_STD_U32LE);
  }
}

static hid_t make_space(const fuzz_item *item) {
  static const hsize_t endless[3] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  if (item->rank < 0) return H5Screate(H5S_NULL);
  if (item->rank == 0) return H5Screate(H5S_SCALAR);
  return H5Screate_simple(item->rank, item->extent, item->layout & 64 ? endless : NULL);
}

enum { CONTIGUOUS, CHUNKED, SQUEEZED, SUMMED, COMPACT, ELSEWHERE, VIRTUAL, FILLED, LAYOUTS };

static void squeeze(hid_t list, const fuzz_item *item) {
  const hsize_t chunk[3] = {item->chunk, 1, 1};
  const int rank = item->rank > 0 ? item->rank : 1;
  H5Pset_chunk(list, rank, chunk);
  if (item->layout % LAYOUTS == SQUEEZED) H5Pset_shuffle(list), H5Pset_deflate(list, 1);
  if (item->layout % LAYOUTS == SUMMED) H5Pset_fletcher32(list);
}

static hid_t make_creation(const fuzz_item *item, hid_t space) {
  static const double filling = 3.0;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, 0);
  switch (item->layout % LAYOUTS) {
  case CHUNKED:
  case SQUEEZED:
  case SUMMED:
    squeeze(list, item);
    break;
  case COMPACT:
    H5Pset_layout(list, H5D_COMPACT);
    break;
  case ELSEWHERE:
    H5Pset_external(list, "/dev/zero", 0, H5F_UNLIMITED);
    break;
  case VIRTUAL:
    H5Pset_virtual(list, space, ".", "/fclib_local/W/x", space);
    break;
  case FILLED:
    squeeze(list, item);
    H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &filling);
    break;
  default:
    break;
  }
  return list;
}

/* ---- the file ---------------------------------------------------------------------------------------------- */

/* Numbers are converted; of texts and of what else there is, the bytes are those of the numbers. */
static void write_values(hid_t data, hid_t type, const fuzz_item *item) {
  const H5T_class_t class = H5Tget_class(type);
  const hid_t space = H5Dget_space(data);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  if (points <= 0 || (size_t)points > item->n) return;
  if (class == H5T_INTEGER || class == H5T_FLOAT)
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, item->value);
  else if (class != H5T_VLEN && class != H5T_REFERENCE && H5Tis_variable_str(type) <= 0
           && (size_t)points * H5Tget_size(type) <= sizeof item->value)
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, item->value);
}

static void put_data(hid_t file, hid_t links, const fuzz_item *item) {
  const hid_t type = make_type(item->type), space = make_space(item);
  const hid_t creation = make_creation(item, space);
  const hid_t data = H5Dcreate2(file, item->name, type, space, links, creation, H5P_DEFAULT);
  const unsigned layout = item->layout % LAYOUTS;
  if (data >= 0 && layout != ELSEWHERE && layout != VIRTUAL && layout != FILLED)
    write_values(data, type, item);
  if (data >= 0) H5Dclose(data);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
}

static void put(const fuzz_plan *plan, hid_t file, hid_t links, const fuzz_item *item) {
  const char *to = plan->item[item->target].name;
  hid_t group;
  switch (item->kind) {
  case FUZZ_DATA:
    put_data(file, links, item);
    break;
  case FUZZ_GROUP:
    group = H5Gcreate2(file, item->name, links, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
    break;
  case FUZZ_SOFT:
    H5Lcreate_soft(to, file, item->name, links, H5P_DEFAULT);
    break;
  case FUZZ_HARD:
    H5Lcreate_hard(file, to, file, item->name, links, H5P_DEFAULT);
    break;
  case FUZZ_EXTERNAL:
    H5Lcreate_external("/dev/zero", to, file, item->name, links, H5P_DEFAULT);
    break;
  default:
    break;
  }
}

static hid_t create(unsigned version, const char *path) {
  static const H5F_libver_t oldest[] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_V110};
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_fapl_core(access, (size_t)1 << 16, 1);
  H5Pset_libver_bounds(access, oldest[version % 3], H5F_LIBVER_LATEST);
  H5Pset_obj_track_times(creation, 0);
  if (version & 64) H5Pset_userblock(creation, 512);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  H5Pclose(creation);
  H5Pclose(access);
  return file;
}

/* From the file itself: H5Fget_file_image spoils the checksum of the newest format's first block. */
static char *take_image(const fuzz_plan *plan, const char *path, size_t room, size_t *n) {
  struct stat about;
  FILE *file = fopen(path, "rb");
  if (!file || fstat(fileno(file), &about) != 0) abort();
  const size_t bytes = (size_t)about.st_size;
  char *image = malloc(bytes + room + 1);
  if (!image || fread(image, 1, bytes, file) != bytes) abort();
  fclose(file);
  for (int k = 0; bytes > 0 && k < plan->n_flips; k++)
    image[plan->flip_at[k] % bytes] = (char)plan->flip_to[k];
  *n = (size_t)(plan->cut * (double)bytes);
  return image;
}

/* Links after what they lead to, those out of the file last: else HDF5 would follow them while the file is made. */
char *fuzz_plan_image(const fuzz_plan *plan, size_t room, size_t *n) {
  char path[64];
  const prc_hdf5_error_handler before = prc_hdf5_errors_off();
  fuzz_temporary(path);
  const hid_t file = create(plan->version, path), links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  for (int kind = 0; file >= 0 && kind < FUZZ_KINDS; kind++)
    for (int k = 0; k < plan->n; k++)
      if (plan->item[k].kind == (fuzz_kind)kind) put(plan, file, links, &plan->item[k]);
  const int made = file >= 0 && H5Fclose(file) >= 0;
  H5Pclose(links);
  prc_hdf5_errors_restore(before);
  char *image = made ? take_image(plan, path, room, n) : NULL;
  unlink(path);
  return image;
}

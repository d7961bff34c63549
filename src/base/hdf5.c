#include "config.h"
#include "base/hdf5.h"

#include <stdio.h>

prc_hdf5_error_handler prc_hdf5_errors_off(void) {
  prc_hdf5_error_handler before = {NULL, NULL};
  H5Eget_auto2(H5E_DEFAULT, &before.print, &before.to);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return before;
}

void prc_hdf5_errors_restore(prc_hdf5_error_handler before) {
  H5Eset_auto2(H5E_DEFAULT, before.print, before.to);
}

static herr_t copy_innermost(unsigned n, const H5E_error2_t *e, void *to) {
  prc_hdf5_reason *why = to;
  if (n == 0 && e->desc) snprintf(why->text, sizeof why->text, "%s", e->desc);
  return 0;
}

prc_hdf5_reason prc_hdf5_last_reason(void) {
  prc_hdf5_reason why = {"no reason given"};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, copy_innermost, &why);
  return why;
}

int prc_hdf5_is_external(hid_t data) {
  const hid_t creation = H5Dget_create_plist(data);
  const int yes =
      creation < 0 || H5Pget_external_count(creation) != 0 || H5Pget_layout(creation) == H5D_VIRTUAL;
  if (creation >= 0) H5Pclose(creation);
  return yes;
}

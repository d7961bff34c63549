/* The values that a sweep gives to keys of its case. */
#ifndef PRC_CLI_AXES_H
#define PRC_CLI_AXES_H

#include "cli/cli.h"

enum { CLI_SWEEP_MEMBERS = 10000 };

/* A key and its values, as --set takes them. Keys of one axis change together; members are all combinations of the points of the axes,
 * the last one fastest. */
typedef struct {
  char *key;
  int axis;
  size_t n, room;
  char **value;
} cli_swept;
typedef struct {
  int n_keys, n_axes, n_members;
  size_t room;
  cli_swept *key;
} cli_axes;

/* --over, --with and --rows, in their order. PRC_INPUT says which and what was expected. */
prc_status cli_axes_read(const cli_options *o, cli_axes *out, prc_error *err) PRC_MUST_CHECK;
const char *cli_axes_value(const cli_axes *a, int member, int key);
/* Name of a member's folder: "friction=0.1,step=1e-4", each key by as many of its last parts as tell it from
 * the others. Where a character may
 * mean something else, or the name would be long, "-" and eight digits of a hash follow what could be kept. */
void cli_axes_name(const cli_axes *a, int member, char *out, size_t size);
void cli_axes_free(cli_axes *a);

/* The exact decimals first, first + step, ... up to last, appended to *value. */
prc_status cli_axes_add_range(const char *first, const char *step, const char *last, cli_swept *to,
                              prc_error *err) PRC_MUST_CHECK;

#endif

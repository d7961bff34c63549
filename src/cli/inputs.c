#include "config.h"
#include "cli/cli.h"

/* Files that a case or a sweep is made of are not removed by its results. */

typedef struct {
  const prc_folder *folder;
  prc_status status;
  prc_error *err;
} judge;

prc_status cli_input_check(const prc_folder *folder, const char *key, const char *path, prc_error *err) {
  if (!cli_results_claim(folder, path)) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "%s is an input (%s), and the results in '%s' would remove or replace it; expected another "
                  "folder (-o DIR), or the file elsewhere",
                  path, key, prc_folder_path(folder));
}

static void judge_file(void *to, const char *key, const char *path) {
  judge *j = to;
  if (j->status == PRC_OK) j->status = cli_input_check(j->folder, key, path, j->err);
}

prc_status cli_inputs_check(const prc_folder *folder, const prc_case *c, prc_error *err) {
  judge j = {folder, PRC_OK, err};
  prc_status status = PRC_OK;
  prc_try(prc_case_files(c, judge_file, &j, err));
  judge_file(&j, "the case", c->path);
  status = j.status;
done:
  return status;
}

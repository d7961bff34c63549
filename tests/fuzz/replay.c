/* Every file that fuzzing found worth keeping, and those of tests/input, through every reader. One named valid-* is accepted:
 * else the search would begin, and stay, outside of what is read to its end. */
#include "config.h"
#include "fuzz/targets.h"
#include "support/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_file(const fuzz_target *target, const char *folder, const char *name) {
  enum { MOST = 1 << 20 };
  static uint8_t bytes[MOST];
  char path[8192];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = *name == '.' ? NULL : fopen(path, "rbe");
  if (!file) return 0;
  const size_t n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  ck_assert_msg(target->read(bytes, n) || strncmp(name, "valid-", 6) != 0, "%s is refused", path);
  return 1;
}

static int read_folder(const fuzz_target *target, const char *folder) {
  int n = 0;
  DIR *open = opendir(folder);
  ck_assert_msg(open != NULL, "there is no %s", folder);
  for (const struct dirent *entry; (entry = readdir(open));) n += read_file(target, folder, entry->d_name);
  closedir(open);
  return n;
}

START_TEST(what_was_found_is_read_to_its_end) {
  char folder[64];
  snprintf(folder, sizeof folder, "tests/fuzz/%s", fuzz_targets[_i].name);
  ck_assert_int_gt(read_folder(&fuzz_targets[_i], support_source(folder)), 2);
}
END_TEST

START_TEST(wrong_files_are_read_to_their_end) {
  ck_assert_int_gt(read_folder(&fuzz_targets[_i], support_source("tests/input")), 100);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("fuzz");
  TCase *tc = tcase_create("corpus");
  tcase_add_loop_test(tc, what_was_found_is_read_to_its_end, 0, (int)fuzz_n_targets);
  tcase_add_loop_test(tc, wrong_files_are_read_to_their_end, 0, (int)fuzz_n_targets);
  suite_add_tcase(suite, tc);
  return support_run(suite);
}

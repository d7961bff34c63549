#include "config.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A geometry (.geo) is a program, and who got one from somebody else should know. That is said once of each
 * that is new to the user: $XDG_STATE_HOME/percuss/geometries keeps a fingerprint of those that were seen,
 * one a line. */

enum { PATH = 4200 };

/* The file, its folders made; 0: there is no place for it. */
static int find_list(char path[PATH]) {
  static const char name[] = "/geometries";
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int n;
  if (state && *state == '/')
    n = snprintf(path, PATH, "%s/percuss", state);
  else if (home && *home == '/')
    n = snprintf(path, PATH, "%s/.local/state/percuss", home);
  else
    return 0;
  if (n < 0 || (size_t)n + sizeof name > PATH) return 0;
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    (void)mkdir(path, 0777);
    *slash = '/';
  }
  if (mkdir(path, 0777) != 0 && errno != EEXIST) return 0;
  memcpy(path + n, name, sizeof name);
  return 1;
}

static int is_listed(const char *path, const char *line) {
  prc_error none = {0};
  char *text = NULL;
  size_t n;
  const int found = prc_file_read_all(NULL, path, &text, &n, &none) == PRC_OK && strstr(text, line);
  prc_delete(&text);
  return found;
}

static void append_line(const char *path, const char *line) {
  const int descriptor =
      open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (descriptor < 0) return; /* then it is said again */
  (void)!write(descriptor, line, strlen(line));
  close(descriptor);
}

static void note(const prc_case *c, const char *file) {
  prc_error none = {0};
  char path[PATH], line[32], *text = NULL;
  size_t n;
  if (!prc_ends_with(file, ".geo") || prc_file_read_all(NULL, file, &text, &n, &none) != PRC_OK) return;
  snprintf(line, sizeof line, "%016llx\n", (unsigned long long)prc_hash(PRC_HASH_START, text, n));
  prc_delete(&text);
  const int has_list = find_list(path);
  if (has_list && is_listed(path, line)) return;
  prc_log_message(&cli_log, PRC_LOG_INFO,
                  "note: %s is new here; Gmsh runs it as a program, and %s (said once of each geometry)",
                  file,
                  c->mesh.no_commands ? "commands in it are refused; --commands allows them"
                                      : "commands in it are executed; --no-commands refuses them");
  if (has_list) append_line(path, line);
}

void cli_note_geometry(const prc_case *c) {
  for (int i = 0; i < c->mesh.n_files; i++) note(c, c->mesh.files[i]);
}

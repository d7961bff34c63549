#include "config.h"
#include "case/find.h"
#include "cli/cli.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cases that come with percuss, each with the first line of what it says of itself. */

static int is_case(const struct dirent *entry) {
  const char *dot = strrchr(entry->d_name, '.');
  return dot && dot > entry->d_name && strcmp(dot, ".yaml") == 0;
}

/* Its first comment, without the mark; "" where there is none. */
static void read_title(const char *folder, const char *name, char *title, size_t size) {
  char path[PATH_MAX + 256], line[512];
  title[0] = '\0';
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file) return;
  if (fgets(line, sizeof line, file) && line[0] == '#')
    snprintf(title, size, "%.*s", (int)strcspn(line + 1 + (line[1] == ' '), "\n"),
             line + 1 + (line[1] == ' '));
  fclose(file);
}

static int print_cases(const char *folder) {
  struct dirent **entry = NULL;
  char title[512];
  const int n = scandir(folder, &entry, is_case, alphasort);
  if (n < 0) {
    cli_print(stderr, "percuss cases: %s: cannot be read\n", folder);
    return CLI_FAILED;
  }
  cli_print(stdout, "%s:\n\n", folder);
  for (int k = 0; k < n; k++) {
    read_title(folder, entry[k]->d_name, title, sizeof title);
    cli_print(stdout, "  %-26.*s %s\n", (int)(strlen(entry[k]->d_name) - 5), entry[k]->d_name, title);
    free(entry[k]);
  }
  free(entry);
  fputs("\n'percuss run NAME' runs one of them, 'percuss check NAME' tells what it means; results go to "
        "results/NAME here.\n",
        stdout);
  return CLI_DONE;
}

static int cases(int argc, char **argv) {
  char folder[PATH_MAX];
  cli_options o;
  int status = cli_parse(&cli_cases, "", argc, argv, &o);
  if (status < 0 && o.n_arguments > 0)
    status = cli_wrong(&cli_cases, o.argument[0], "is one argument too many");
  if (status < 0 && !prc_case_find_file(NULL, folder, sizeof folder)) {
    fputs("percuss cases: they are not found (set PERCUSS_DATADIR to the folder that has cases)\n", stderr);
    status = CLI_FAILED;
  }
  if (status < 0) status = print_cases(folder);
  cli_options_free(&o);
  return status;
}

const cli_command cli_cases = {
    "cases", "", "lists the cases that come with percuss; every command takes them by name", cases};

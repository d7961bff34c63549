#include "config.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- a case to start from ------------------------------------------------------------------------------- */

/* Never over a file that is there, and whole or not at all. Returns 0 or errno. */
static int write_new(const char *path, const char *text) {
  FILE *file = fopen(path, "wx");
  if (!file) return errno;
  int reason = fputs(text, file) < 0 ? errno : 0;
  if (fclose(file) != 0 && !reason) reason = errno;
  if (reason) unlink(path);
  return reason;
}

static int not_written(const char *path, int reason) {
  cli_print(stderr, "percuss init: %s: cannot be written: %s\n", path, strerror(reason));
  return CLI_FAILED;
}

/* The geometry that the starter on a mesh names, beside it. */
static int write_geometry(const char *beside) {
  const char *slash = strrchr(beside, '/');
  const int folder = slash ? (int)(slash + 1 - beside) : 0;
  char path[4096];
  if (snprintf(path, sizeof path, "%.*s" PRC_STARTER_GEOMETRY_FILE, folder, beside) >= (int)sizeof path)
    return not_written(beside, ENAMETOOLONG);
  const int reason = write_new(path, prc_case_starter(PRC_STARTER_GEOMETRY));
  if (reason && reason != EEXIST) return not_written(path, reason);
  cli_print(stdout, reason ? "%s is there already and stays as it is\n" : "%s, its geometry, is written\n",
            path);
  return CLI_DONE;
}

static prc_starter starter_of(const cli_options *o) {
  return o->space ? PRC_STARTER_SPACE : o->bodies ? PRC_STARTER_BODIES : PRC_STARTER_MESH;
}

/* The starter as the case of this file, of which it has the name: two of them do not share their results. A name that YAML could take for
 * something else is left out, and is that of the file then too. */
static prc_status name_starter(const char *path, prc_starter which, prc_bytes *out, prc_error *err) {
  static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  const char *text = prc_case_starter(which), *line = strstr(text, "name: "), *slash = strrchr(path, '/');
  const char *file = slash ? slash + 1 : path, *dot = strrchr(file, '.');
  const int length = dot && dot > file ? (int)(dot - file) : (int)strlen(file);
  const int is_plain = *file != '-' && *file != '.' && (int)strspn(file, safe) >= length;
  prc_status status = prc_bytes_print(out, err, "%.*s", (int)(line - text), text);
  if (status == PRC_OK && is_plain)
    status =
        prc_bytes_print(out, err, "name: %-26.*s # results go to results/%.*s", length, file, length, file);
  if (status == PRC_OK && !is_plain)
    status = prc_bytes_print(
        out, err, "# name: that of this file, unless one stands here; results go to results/<name>");
  return status == PRC_OK ? prc_bytes_print(out, err, "%s", line + strcspn(line, "\n")) : status;
}

static int write_starter(const char *path, prc_starter which) {
  prc_error err = {0};
  prc_bytes text = {0};
  if (name_starter(path, which, &text, &err) != PRC_OK) return prc_delete(&text.at), cli_report(&err);
  const int reason = write_new(path, text.at);
  prc_delete(&text.at);
  if (reason == EEXIST) return cli_wrong(&cli_init, path, "is there already, expected a new name");
  if (reason) return not_written(path, reason);
  if (which == PRC_STARTER_MESH && write_geometry(path) != CLI_DONE)
    return unlink(path), CLI_FAILED; /* to be tried again */
  cli_print(stdout, "%s is written; 'percuss check %s' tells what it means\n", path, path);
  return CLI_DONE;
}

/* ---- grains --------------------------------------------------------------------------------------------- */

/* The table's name: that of the case, with .csv for its ending. */
static int table_path(const char *path, char *table, size_t size) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  const int stem = dot && (!slash || dot > slash + 1) && dot > path ? (int)(dot - path) : (int)strlen(path);
  return snprintf(table, size, "%.*s.csv", stem, path) < (int)size;
}

/* Both files or none, and over none that is there. */
static int write_grains(const char *path, const cli_options *o) {
  prc_error err = {0};
  prc_bytes text = {0}, table = {0};
  char name[4096];
  if (!table_path(path, name, sizeof name)) return not_written(path, ENAMETOOLONG);
  if (strcmp(name, path) == 0)
    return cli_wrong(&cli_init, path, "is the name of the table, expected one such as grains.yaml");
  const char *slash = strrchr(name, '/');
  const prc_grains what = {.n = o->grains, .seed = o->seed, .polygons = o->polygons, .slope = o->slope};
  int status = CLI_DONE, reason;
  if (prc_case_grains(&what, slash ? slash + 1 : name, &text, &table, &err) != PRC_OK)
    status = cli_report(&err);
  else if ((reason = write_new(name, table.at)) == EEXIST)
    status = cli_wrong(&cli_init, name, "is there already, expected a new name");
  else if (reason)
    status = not_written(name, reason);
  else if ((reason = write_new(path, text.at)) != 0) {
    unlink(name);
    status = reason == EEXIST ? cli_wrong(&cli_init, path, "is there already, expected a new name")
                              : not_written(path, reason);
  }
  if (status == CLI_DONE) cli_print(stdout, "%s, the table of its grains, is written\n", name);
  if (status == CLI_DONE)
    cli_print(stdout, "%s is written; 'percuss check %s' tells what it means\n", path, path);
  prc_delete(&text.at);
  prc_delete(&table.at);
  return status;
}

static int init_grains(const cli_options *o) {
  if (o->bodies || o->space)
    return cli_wrong(&cli_init, o->bodies ? "--bodies" : "--space",
                     "is given beside --grains, expected one of them");
  if (o->n_arguments == 0)
    return cli_wrong(&cli_init, "--grains",
                     "needs the name of a file: the table of grains is written beside it");
  return write_grains(o->argument[0], o);
}

static int init(int argc, char **argv) {
  cli_options o;
  int status = cli_parse(&cli_init, "bDgepl", argc, argv, &o);
  if (status < 0 && o.n_arguments > 1) status = cli_wrong(&cli_init, o.argument[1], "is one file too many");
  if (status < 0 && o.grains == 0 && (o.polygons || o.slope || o.seed != 1))
    status = cli_wrong(&cli_init,
                       o.slope      ? "--slope"
                       : o.polygons ? "--shape"
                                    : "--seed",
                       "is given without --grains, expected it only with that");
  if (status < 0 && o.grains > 0) status = init_grains(&o);
  if (status < 0 && o.n_arguments == 1) status = write_starter(o.argument[0], starter_of(&o));
  if (status < 0) {
    fputs(prc_case_starter(starter_of(&o)), stdout);
    status = CLI_DONE;
  }
  cli_options_free(&o);
  return status;
}

const cli_command cli_init = {
    "init", "[--bodies | --space | --grains N [--seed S] [--shape discs|polygons] [--slope]] [FILE]",
    "a commented case to start from, to FILE (with its geometry or its table of "
    "grains beside it) or to the terminal",
    init};

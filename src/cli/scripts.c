#include "config.h"
#include "cli/cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pictures and reports are made by the scripts of postprocess/, which run under the system's Python (the one
 * that has Debian's matplotlib and vtk). They are looked for in $PERCUSS_DATADIR, where they are installed,
 * and beside the build. Python looks for its modules from the name it is started by, along PATH if that has
 * no folder: "python3" would be the one of an environment (venv, conda) that is active, which need not have
 * them. */
#define PYTHON "/usr/bin/python3"

static int exists(const char *folder, const char *script, char *path, size_t size) {
  snprintf(path, size, "%s/%s", folder, script);
  return access(path, R_OK) == 0;
}

static int find_script(const char *script, char *path, size_t size) {
  const char *folder = getenv("PERCUSS_DATADIR");
  char self[PATH_MAX], beside[PATH_MAX + 32];
  if (folder && exists(folder, script, path, size)) return 1;
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) {
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(beside, sizeof beside, "%s/../postprocess", self);
    if (exists(beside, script, path, size)) return 1;
    snprintf(beside, sizeof beside, "%s/../share/percuss", self);
    if (exists(beside, script, path, size)) return 1;
  }
  return exists(PRC_DATADIR, script, path, size);
}

static int run_script(const cli_command *command, const char *script, int argc, char **argv) {
  char path[PATH_MAX * 2];
  if (argc < 2) {
    fprintf(stderr, "percuss %s: which results folder? usage: percuss %s %s\n", command->name, command->name,
            command->arguments);
    return CLI_WRONG;
  }
  if (!find_script(script, path, sizeof path)) {
    cli_print(
        stderr,
        "percuss %s: the script %s is not found in %s (set PERCUSS_DATADIR to the folder that has it)\n",
        command->name, script, PRC_DATADIR);
    return CLI_FAILED;
  }
  prc_error err = {0};
  char **arguments = NULL;
  if (prc_new(&arguments, (size_t)argc + 3, &err) != PRC_OK) return cli_report(&err);
  arguments[0] = (char[]){PYTHON};
  arguments[1] = path;
  for (int k = 1; k < argc; k++) arguments[k + 1] = argv[k];
  execv(PYTHON, arguments);
  fprintf(stderr, "percuss %s: " PYTHON " cannot be started (Debian: python3-matplotlib)\n", command->name);
  prc_delete(&arguments);
  return CLI_FAILED;
}

int cli_run_script(const char *script, const char *argument) {
  char path[PATH_MAX * 2];
  int status = 1;
  if (!find_script(script, path, sizeof path)) return 1;
  const pid_t child = fork();
  if (child == 0) {
    execl(PYTHON, PYTHON, path, argument, (char *)NULL);
    _exit(127);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  return status != 0;
}

static int plot(int argc, char **argv) {
  return run_script(&cli_plot, "plot.py", argc, argv);
}
static int snapshot(int argc, char **argv) {
  return run_script(&cli_snapshot, "snapshot.py", argc, argv);
}
static int front(int argc, char **argv) {
  return run_script(&cli_front, "front.py", argc, argv);
}
static int report(int argc, char **argv) {
  return run_script(&cli_report_command, "report.py", argc, argv);
}

const cli_command cli_plot = {
    "plot", "DIR... [--compare] [--format png,svg,pdf] [--from T] [--to T] [-o FOLDER]",
    "draws energies, contacts, x-t diagrams, probes and certificates of finished or running runs", plot};
const cli_command cli_snapshot = {
    "snapshot", "DIR --time T | --movie [--field NAME] [--component C] [--warp W] [--range A,B] [-o PICTURE]",
    "draws the deformed mesh with a field", snapshot};
const cli_command cli_front = {
    "front",
    "RESULT [--contact NAME] --slip D [--speed] | --rate V [--speed | --pulses] [--mean] "
    "| --profiles T1,T2 | --moment [--modulus MU] [-o FILE]",
    "says when each place of a contact line first slipped so far, or so fast, and how fast "
    "that front ran; pulses, profiles and moment of slip",
    front};
const cli_command cli_report_command = {"report", "DIR [-o FILE]", "writes one HTML file about a run",
                                        report};

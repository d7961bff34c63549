#include "config.h"
#include "base/ranks.h"
#include "cli/cli.h"
#include "cli/columns.h"
#include "linear/linear.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {
    &cli_run,      &cli_check, &cli_converge,       &cli_sweep, &cli_cone,  &cli_explore, &cli_plot,
    &cli_snapshot, &cli_front, &cli_report_command, &cli_init,  &cli_cases, &cli_help};
#define N_COMMANDS (sizeof commands / sizeof *commands)

static void print_usage(FILE *to) {
  fputs("Usage: percuss COMMAND [ARGUMENTS]\n\n"
        "Dynamics of elastic and rigid bodies with unilateral contact, Coulomb friction and impact.\n\n",
        to);
  for (size_t k = 0; k < N_COMMANDS; k++) fprintf(to, "  %-9s %s\n", commands[k]->name, commands[k]->help);
  fputs("\n'percuss COMMAND --help' tells more; 'percuss help case' explains the case file ('percuss help "
        "case contacts' a part of it), 'percuss help output' the results, 'percuss help schemes' the "
        "schemes.\n",
        to);
}

/* ---- help ------------------------------------------------------------------------------------- */

static int help(int argc, char **argv) {
  prc_error err = {0};
  char *text = NULL;
  if ((argc == 2 || argc == 3) && strcmp(argv[1], "case") == 0) {
    const prc_status status =
        argc == 3 ? prc_case_reference_of(argv[2], &text, &err) : prc_case_reference(0, &text, &err);
    if (status != PRC_OK) return cli_report(&err);
    fputs(text, stdout);
    prc_delete(&text);
    return CLI_DONE;
  }
  const int page = argc >= 2 && strcmp(argv[1], "output") == 0;
  if (page && (argc == 2 || (argc == 3 && strcmp(argv[2], "--markdown") == 0))) {
    if (cli_output_page(argc == 3, &text, &err) != PRC_OK) return cli_report(&err);
    fputs(text, stdout);
    prc_delete(&text);
    return CLI_DONE;
  }
  if (argc == 2 && strcmp(argv[1], "schemes") == 0)
    return cli_print_schemes(&err) == PRC_OK ? CLI_DONE : cli_report(&err);
  if (argc == 2)
    for (size_t k = 0; k < N_COMMANDS; k++)
      if (strcmp(argv[1], commands[k]->name) == 0)
        return commands[k]->run(2, (char *[]){argv[1], (char[]){"--help"}, NULL});
  if (argc >= 2 && strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0) {
    cli_print(stderr,
              "percuss help: there is no help on '%s', expected a command, 'case', 'output' or 'schemes'\n",
              argv[argc > 2 ? 2 : 1]);
    return CLI_WRONG;
  }
  print_usage(stdout);
  return CLI_DONE;
}

const cli_command cli_help = {
    "help", "[COMMAND | case [PART] | output [--markdown] | schemes]",
    "what a command does, what a case file may say, what results mean, or what each scheme promises", help};
static int run_command_line(int argc, char **argv) {
  if (argc < 2) return print_usage(stderr), CLI_WRONG;
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return print_usage(stdout), CLI_DONE;
  if (strcmp(argv[1], "--version") == 0) return cli_print_version(), CLI_DONE;
  for (size_t k = 0; k < N_COMMANDS; k++)
    if (strcmp(argv[1], commands[k]->name) == 0) return commands[k]->run(argc - 1, argv + 1);
  cli_print(stderr, "percuss: there is no command '%s'\n\n", argv[1]);
  print_usage(stderr);
  return CLI_WRONG;
}

/* ---- processes that were started together -------------------------------------------------------------- */

static int is_command(const char *word) {
  for (size_t k = 0; k < N_COMMANDS; k++)
    if (strcmp(word, commands[k]->name) == 0) return 1;
  return 0;
}

/* Does the command line ask for words, or for `check`? One process is enough. */
static int needs_one(int argc, char **argv) {
  if (argc < 2 || !is_command(argv[1]) || strcmp(argv[1], "check") == 0 || strcmp(argv[1], "help") == 0)
    return 1;
  for (int k = 2; k < argc; k++)
    if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0 || strcmp(argv[k], "--version") == 0)
      return 1;
  return 0;
}

static int can_share(const char *command) {
  char by[64];
  prc_ranks_describe(sizeof by, by);
  return strcmp(command, "run") == 0 && *by;
}

static int refuse_together(const char *command, int n) {
  const prc_ranks *ranks = NULL;
  prc_error err = {0};
  if (strcmp(command, "run") == 0 && prc_ranks_begin(0, NULL, &ranks, &err) != PRC_OK)
    return cli_report(&err);
  cli_print(stderr,
            "percuss %s: it was started as %d processes that belong together, expected one: only 'run' "
            "shares its work (with PERCUSS_RANKS=1 in the environment each works for itself)\n",
            command, n);
  return CLI_WRONG;
}

/* Work for a single process is done by rank 0. The other ranks end with success: after a failure mpiexec would
 * kill rank 0 before its message. */
static int run_together(int argc, char **argv) {
  int rank = 0;
  const int n = prc_ranks_foreseen(&rank), alone = needs_one(argc, argv);
  if (n == 1 || (alone ? rank == 0 : can_share(argv[1]))) return run_command_line(argc, argv);
  return rank > 0 ? CLI_DONE : refuse_together(argv[1], n);
}

/* A terminal that was closed for this process (2>&-) would be the number of the next file, and messages would
 * be written into that. To what stands in its place nothing can be written either. */
static void open_standard_files(void) {
  int descriptor;
  do descriptor = open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) close(descriptor);
}

int main(int argc, char **argv) {
  prc_error err = {0};
  open_standard_files();
  /* the library's threads do not come to an end */
  if (prc_dense_begin(&err) != PRC_OK) _exit(cli_report(&err));
  cli_use_threads(1);
  const int status = run_together(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fprintf(stderr, "percuss: the terminal or file of the output cannot be written\n");
  return status == CLI_DONE ? CLI_FAILED : status;
}

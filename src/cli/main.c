#include "config.h"
#include "cli/cli.h"
#include "linear/linear.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {&cli_run,  &cli_check,    &cli_converge,       &cli_cone,
                                              &cli_plot, &cli_snapshot, &cli_report_command, &cli_init,
                                              &cli_help};
#define N_COMMANDS (sizeof commands / sizeof *commands)

static void print_usage(FILE *to) {
  fputs("Usage: percuss COMMAND [ARGUMENTS]\n\n"
        "Dynamics of elastic and rigid bodies with unilateral contact, Coulomb friction and impact.\n\n",
        to);
  for (size_t k = 0; k < N_COMMANDS; k++) fprintf(to, "  %-9s %s\n", commands[k]->name, commands[k]->help);
  fputs("\n'percuss COMMAND --help' tells more; 'percuss help case' explains the case file.\n", to);
}

void cli_print_version(void) {
  puts("percuss " PACKAGE_VERSION "\nCopyright (C) the percuss developers. License GPL-3.0-or-later.\n"
       "There is no warranty, to the extent permitted by law.");
}

/* ---- options -------------------------------------------------------------------------------------------------- */

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"set", required_argument, NULL, 's'},
    {"resume", no_argument, NULL, 'r'},
    {"checkpoint", required_argument, NULL, 'k'},
    {"quiet", no_argument, NULL, 'q'},
    {"sizes", required_argument, NULL, 'z'},
    {"steps", required_argument, NULL, 'S'},
    {"quantity", required_argument, NULL, 'Q'},
    {"bodies", no_argument, NULL, 'b'},
    {"threads", required_argument, NULL, 't'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static void print_command_help(const cli_command *command, const char *accepted) {
  static const struct {
    char letter;
    const char *text;
  } lines[] = {
      {'o', "  -o, --output DIR     where the results go [results/<case name>]"},
      {'s',
       "  --set KEY=VALUE      replaces a value of the case: --set contacts.bottom.friction=0.1; may be\n"
       "                       repeated; files are looked for in the current folder, then in the case's"},
      {'r', "  --resume             goes on from the last checkpoint in DIR, as after Ctrl-C, which ends a "
            "run with\n"
            "                       everything written and status 1"},
      {'k',
       "  --checkpoint DIR     where checkpoints go and come from [the results' folder]: another disk, say"},
      {'t', "  --threads N          at most so many threads [1]; with two or more, one of them writes the "
            "snapshots\n"
            "                       while the run goes on (the same bytes), or, from 200000 unknowns on, all "
            "share the "
            "                       steps (the same to rounding)"},
      {'q', "  --quiet              prints nothing but errors"},
      {'z', "  --sizes A,B,C        the sizes of the meshes, coarse to fine (mesh.size)"},
      {'S',
       "  --steps A,B,C        a time step for each size, or for the one mesh; courant: time.step is that\n"
       "                       of the first size, and falls with the size [time.step for all]"},
      {'Q', "  --quantity A,B       prints only these, by the names of the table's columns"},
      {'b', "  --bodies             a case of rigid bodies instead of one on a mesh"},
  };
  printf("Usage: percuss %s %s\n\n%s.\n\n", command->name, command->arguments, command->help);
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
    if (strchr(accepted, lines[k].letter)) puts(lines[k].text);
  puts("  --help               prints this\n  --version            prints the version\n\n"
       "Exit status: 0 done; 1 the computation failed, was stopped or is not certified;\n"
       "2 the usage or the case is wrong.");
}

static int wrong(const cli_command *command, const char *argument, const char *what) {
  fprintf(stderr, "percuss %s: '%s' %s; see 'percuss %s --help'\n", command->name, argument, what,
          command->name);
  return CLI_WRONG;
}

/* Names the option that getopt_long or `accepted` refused: letter is '?', ':' or that of the option. */
static int wrong_option(const cli_command *command, int letter, char **argv) {
  const struct option *option = long_options;
  const int refused = letter == '?' || letter == ':' ? optopt : letter;
  while (option->name && option->val != refused) option++;
  if (letter == ':') return wrong(command, argv[optind - 1], "needs a value");
  char name[32];
  if (option->name)
    snprintf(name, sizeof name, "--%s", option->name);
  else
    snprintf(name, sizeof name, "-%c", refused);
  if (letter != '?') return wrong(command, name, "is no option of this command");
  if (option->name) return wrong(command, name, "takes no value");
  return wrong(command, refused ? name : argv[optind - 1], "is not understood");
}

static int read_count(const char *text, int *out) {
  char *end;
  const long value = strtol(text, &end, 10);
  *out = value >= 1 && value <= CLI_THREADS_MAX ? (int)value : 0;
  return *text >= '0' && *text <= '9' && *end == '\0' && *out > 0;
}

int cli_parse(const cli_command *command, const char *accepted, int argc, char **argv, cli_options *out) {
  prc_error err = {0};
  int letter;
  *out = (cli_options){.threads = 1};
  if (prc_new(&out->set, (size_t)argc + 1, &err) != PRC_OK) return cli_report(&err);
  opterr = 0;
  optind = 1;
  while ((letter = getopt_long(argc, argv, ":o:qhV", long_options, NULL)) != -1) {
    if (letter == 'h') return print_command_help(command, accepted), CLI_DONE;
    if (letter == 'V') return cli_print_version(), CLI_DONE;
    if (letter == '?' || letter == ':' || !strchr(accepted, letter))
      return wrong_option(command, letter, argv);
    if ((letter == 'o' || letter == 'k') && !*optarg)
      return wrong(command, letter == 'o' ? "--output" : "--checkpoint", "needs the name of a folder");
    if (letter == 'o') out->folder = optarg;
    if (letter == 's') out->set[out->n_set++] = optarg;
    if (letter == 'k') out->checkpoints = optarg;
    if (letter == 'r') out->resume = 1;
    if (letter == 'q') out->quiet = 1;
    if (letter == 'z') out->sizes = optarg;
    if (letter == 'S') out->steps = optarg;
    if (letter == 'Q') out->quantities = optarg;
    if (letter == 'b') out->bodies = 1;
    if (letter == 't' && !read_count(optarg, &out->threads))
      return wrong(command, optarg, "is no number of threads, expected --threads N with N from 1 to 1024");
  }
  out->n_arguments = argc - optind;
  out->argument = argv + optind;
  if (strchr(accepted, 'c')) { /* exactly one argument: the case */
    if (out->n_arguments != 1) {
      fprintf(stderr, "percuss %s: expected one case file, got %s; usage: percuss %s %s\n", command->name,
              out->n_arguments ? "more" : "none", command->name, command->arguments);
      return CLI_WRONG;
    }
    out->case_path = out->argument[0];
  }
  return -1;
}

void cli_options_free(cli_options *options) {
  free(options->set), options->set = NULL;
}

/* Libraries follow OpenMP's number; OMP_NUM_THREADS is not asked, so that nothing but the user's word decides. */
void cli_use_threads(int n) {
#ifdef _OPENMP
  omp_set_num_threads(n);
#else
  (void)n;
#endif
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

int cli_report(const prc_error *err) {
  if (err->status == PRC_INPUT) {
    fprintf(stderr, "%s\n", err->message);
    return CLI_WRONG;
  }
  fprintf(stderr, "percuss: %s\n", err->message);
  return CLI_FAILED;
}

static void write_log(void *to, prc_log_level level, const char *text) {
  (void)to;
  fprintf(stderr, "%s%s\n", level == PRC_LOG_WARNING ? "warning: " : "", text);
}

static void write_warning(void *to, prc_log_level level, const char *text) {
  if (level == PRC_LOG_WARNING) write_log(to, level, text);
}

const prc_log cli_log = {write_log, NULL}, cli_log_warnings = {write_warning, NULL};

/* ---- help and init ------------------------------------------------------------------------------------------------ */

static int help(int argc, char **argv) {
  prc_error err = {0};
  char *text = NULL;
  if (argc == 2 && strcmp(argv[1], "case") == 0) {
    if (prc_case_reference(0, &text, &err) != PRC_OK) return cli_report(&err);
    fputs(text, stdout);
    prc_delete(&text);
    return CLI_DONE;
  }
  if (argc == 2)
    for (size_t k = 0; k < N_COMMANDS; k++)
      if (strcmp(argv[1], commands[k]->name) == 0)
        return commands[k]->run(2, (char *[]){argv[1], (char[]){"--help"}, NULL});
  if (argc >= 2 && strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0) {
    fprintf(stderr, "percuss help: there is no help on '%s', expected a command or 'case'\n",
            argv[argc > 2 ? 2 : 1]);
    return CLI_WRONG;
  }
  print_usage(stdout);
  return CLI_DONE;
}

/* Never over a file that is there. Returns 0 or errno. */
static int write_new(const char *path, const char *text) {
  FILE *file = fopen(path, "wx");
  if (!file) return errno;
  const int written = fputs(text, file) < 0 ? errno : 0;
  return fclose(file) != 0 ? errno : written;
}

static int not_written(const char *path, int reason) {
  fprintf(stderr, "percuss init: %s: cannot be written: %s\n", path, strerror(reason));
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
  printf(reason ? "%s is there already and stays as it is\n" : "%s, its geometry, is written\n", path);
  return CLI_DONE;
}

static int write_starter(const char *path, int bodies) {
  const int reason = write_new(path, prc_case_starter(bodies ? PRC_STARTER_BODIES : PRC_STARTER_MESH));
  if (reason == EEXIST) return wrong(&cli_init, path, "is there already, expected a new name");
  if (reason) return not_written(path, reason);
  printf("%s is written; 'percuss check %s' tells what it means\n", path, path);
  return bodies ? CLI_DONE : write_geometry(path);
}

static int init(int argc, char **argv) {
  cli_options o;
  int status = cli_parse(&cli_init, "b", argc, argv, &o);
  if (status < 0 && o.n_arguments > 1) status = wrong(&cli_init, o.argument[1], "is one file too many");
  if (status < 0 && o.n_arguments == 1) status = write_starter(o.argument[0], o.bodies);
  if (status < 0) {
    fputs(prc_case_starter(o.bodies ? PRC_STARTER_BODIES : PRC_STARTER_MESH), stdout);
    status = CLI_DONE;
  }
  cli_options_free(&o);
  return status;
}

const cli_command cli_help = {"help", "[COMMAND | case]", "what a command does, or what a case file may say",
                              help};
const cli_command cli_init = {
    "init", "[--bodies] [FILE]",
    "a commented case to start from, to FILE (with its geometry beside it) or to the terminal", init};

static int run_command_line(int argc, char **argv) {
  if (argc < 2) return print_usage(stderr), CLI_WRONG;
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return print_usage(stdout), CLI_DONE;
  if (strcmp(argv[1], "--version") == 0) return cli_print_version(), CLI_DONE;
  for (size_t k = 0; k < N_COMMANDS; k++)
    if (strcmp(argv[1], commands[k]->name) == 0) return commands[k]->run(argc - 1, argv + 1);
  fprintf(stderr, "percuss: there is no command '%s'\n\n", argv[1]);
  print_usage(stderr);
  return CLI_WRONG;
}

/* A terminal that was closed for this process (2>&-) would be the number of the next file, and messages would be written into
 * that. To what stands in its place nothing can be written either. */
static void keep_terminal(void) {
  int descriptor;
  do descriptor = open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) close(descriptor);
}

int main(int argc, char **argv) {
  prc_error err = {0};
  keep_terminal();
  if (prc_dense_begin(&err) != PRC_OK)
    _exit(cli_report(&err)); /* the library's threads do not come to an end */
  cli_use_threads(1);
  const int status = run_command_line(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fprintf(stderr, "percuss: the terminal or file of the output cannot be written\n");
  return status == CLI_DONE ? CLI_FAILED : status;
}

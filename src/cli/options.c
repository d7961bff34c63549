#include "config.h"
#include "base/ranks.h"
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writers of fields, the default first. */
static void print_writers(void) {
  const prc_output_writer *writer;
  printf("Fields are written by");
  for (int k = 0; (writer = prc_output_writer_at(k)); k++) {
    prc_error err = {0};
    char text[64];
    const int can = prc_output_writer_describe(writer, text, sizeof text, &err) == PRC_OK;
    printf("%s %s (%s)", k > 0 ? " or" : "", can ? text : err.message, prc_output_writer_name(writer));
  }
  puts(prc_output_writer_find("vtk") ? "." : "; it was built without VTK.");
}

/* Library that lets many processes share a mesh, if any. */
static void print_ranks(void) {
  char text[256];
  prc_ranks_describe(sizeof text, text);
  if (*text) printf("Processes that mpiexec starts share a mesh by %s.\n", text);
}

void cli_print_version(void) {
  puts("percuss " PACKAGE_VERSION "\nCopyright (C) the percuss developers. License GPL-3.0-or-later.\n"
       "There is no warranty, to the extent permitted by law.");
  print_writers();
  print_ranks();
}

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"set", required_argument, NULL, 's'},
    {"resume", optional_argument, NULL, 'r'},
    {"overwrite", no_argument, NULL, 'w'},
    {"checkpoint", required_argument, NULL, 'k'},
    {"quiet", no_argument, NULL, 'q'},
    {"sizes", required_argument, NULL, 'z'},
    {"steps", required_argument, NULL, 'S'},
    {"quantity", required_argument, NULL, 'Q'},
    {"schemes", required_argument, NULL, 'M'},
    {"bodies", no_argument, NULL, 'b'},
    {"space", no_argument, NULL, 'D'},
    {"grains", required_argument, NULL, 'g'},
    {"seed", required_argument, NULL, 'e'},
    {"shape", required_argument, NULL, 'p'},
    {"slope", no_argument, NULL, 'l'},
    {"time", required_argument, NULL, 'T'},
    {"from", required_argument, NULL, 'F'},
    {"at-rest", no_argument, NULL, 'R'},
    {"samples", required_argument, NULL, 'N'},
    {"by", required_argument, NULL, 'B'},
    {"contacts", required_argument, NULL, 'L'},
    {"over", required_argument, NULL, 'O'},
    {"with", required_argument, NULL, 'W'},
    {"rows", required_argument, NULL, 'A'},
    {"jobs", required_argument, NULL, 'j'},
    {"list", no_argument, NULL, 'i'},
    {"strict", no_argument, NULL, 'X'},
    {"threads", required_argument, NULL, 't'},
    {"commands", no_argument, NULL, 'C'},
    {"no-commands", no_argument, NULL, 'n'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static const struct {
  char letter;
  const char *text;
} option_lines[] = {
    {'o',
     "  -o, --output DIR     where the results go [run: results/<case name>; sweep, explore: the same with\n"
     "                       -sweep, -explore; converge: results/converge]"},
    {'s', "  --set KEY=VALUE      replaces a value of the case: --set contacts.bottom.friction=0.1; may be\n"
          "                       repeated; files are looked for in the current folder, then in the case's"},
    {'r', "  --resume             goes on from the last checkpoint in DIR, as after Ctrl-C, which ends a "
          "run with\n"
          "                       everything written and status 1; --resume=if-possible, for scripts, begins "
          "anew where "
          "there is\n"
          "                       no checkpoint, under the same conditions as without it"},
    {'w',
     "  --overwrite          begins anew even where results are that took longer than "
     "output.checkpoint_time or are of "
     "another\n"
     "                       case, or files that percuss did not make; names what goes; not what the case "
     "reads, and not with\n"
     "                       --resume"},
    {'k',
     "  --checkpoint DIR     where checkpoints go and come from [the results' folder]: another disk, say"},
    {'t', "  --threads N          at most so many threads [1]; with two or more, one of them writes the "
          "snapshots\n"
          "                       while the run goes on (the same bytes), or, from 200000 unknowns on, all\n"
          "                       share the steps (the same to rounding)"},
    {'q', "  --quiet              prints nothing but errors; of a certificate that fails, one line"},
    {'X', "  --strict             exit status 1 where the certificate passes with notes, too"},
    {'O', "  --over KEY=VALUES    the values of a key: first:step:last, last included where a step ends "
          "there, or a list "
          "A,B,C\n"
          "                       of values and such ranges; may be repeated: all combinations"},
    {'W', "  --with KEY=VALUES    the values of another key, one for each of the --over before it: they "
          "change together"},
    {'A', "  --rows FILE          a table (CSV) in the place of --over: its first line names keys, every "
          "other is a member"},
    {'j', "  --jobs N             so many members at a time [sweep: 1; converge: as many as there are "
          "processors]"},
    {'i', "  --list               prints the members and what would be done with each, and runs nothing"},
    {'z', "  --sizes A,B,C        the sizes of the meshes, coarse to fine (mesh.size)"},
    {'S',
     "  --steps A,B,C        a time step for each size, or for the one mesh; courant: time.step is that\n"
     "                       of the first size, and falls with the size [time.step for all]"},
    {'Q', "  --quantity A,B       only these, by the names of the table's columns: converge prints no "
          "others; the table and "
          "the page\n"
          "                       of sweep have no others, * stands for any letters"},
    {'M', "  --schemes A,B        compares schemes (time.scheme), each with all steps of --steps; bodies may "
          "be rigid"},
    {'n', "  --no-commands        refuses a .geo that would start a program, write, move or remove a file "
          "or open "
          "a\n"
          "                       connection (Linux on x86-64 and arm64; elsewhere every .geo); check does "
          "so by "
          "itself"},
    {'C', "  --commands           lets a .geo do that, as run and converge do by themselves"},
    {'T', "  --time T             the state that is explored: that of the step next to T [0, the start]"},
    {'F', "  --from DIR           goes on from the last checkpoint of the run in DIR [--time: that of the "
          "checkpoint]"},
    {'R', "  --at-rest            with velocities put to zero there: can it rest, and on which forces?"},
    {'N', "  --samples N          so many solutions for each way of --by [200]"},
    {'B', "  --by WAY             starts: percussions to begin with drawn in the cones; orders: begins "
          "with zeros,\n"
          "                       contacts in an order drawn for each solution [both]"},
    {'L', "  --contacts A,B,C     these contacts only: numbers or names as intervals.csv has them, A/B, or "
          "names of\n"
          "                       bodies or of contacts of the case, for all that they have [all]"},
    {'b', "  --bodies             a case of rigid bodies instead of one on a mesh"},
    {'D', "  --space              a case of rigid bodies in space"},
    {'g',
     "  --grains N           N random grains that fall into a box: FILE, and the table of them beside it"},
    {'e', "  --seed S             another number, other grains or samples [1]"},
    {'p', "  --shape WORD         discs or polygons, of 5 to 8 corners [discs]"},
    {'l', "  --slope              grains on a ground of glued ones, in a periodic cell on a slope of 26.5 "
          "degrees"},
};

static void print_command_help(const cli_command *command, const char *accepted) {
  printf("Usage: percuss %s %s\n\n%s.\n\n", command->name, command->arguments, command->help);
  for (size_t k = 0; k < sizeof option_lines / sizeof *option_lines; k++)
    if (strchr(accepted, option_lines[k].letter)) puts(option_lines[k].text);
  puts("  --help               prints this\n  --version            prints the version\n\n"
       "Exit status: 0 done; 1 the computation failed, was stopped or is not certified;\n"
       "2 the usage or the case is wrong.");
}

int cli_wrong(const cli_command *command, const char *argument, const char *what) {
  cli_print(stderr, "percuss %s: '%s' %s; see 'percuss %s --help'\n", command->name, argument, what,
            command->name);
  return CLI_WRONG;
}

/* Names the option that getopt_long or `accepted` refused: letter is '?', ':' or that of the option. */
static int wrong_option(const cli_command *command, int letter, char **argv) {
  const struct option *option = long_options;
  const int refused = letter == '?' || letter == ':' ? optopt : letter;
  const char *last = argv[optind - 1];
  /* a letter that is no short option may be that of a long one */
  const int is_short = letter == '?' && !(prc_begins_with(last, "--") && strchr(last, '='));
  while (option->name && (is_short || option->val != refused)) option++;
  if (letter == ':') return cli_wrong(command, argv[optind - 1], "needs a value");
  char name[32];
  if (option->name)
    snprintf(name, sizeof name, "--%s", option->name);
  else
    snprintf(name, sizeof name, "-%c", refused);
  if (letter != '?') return cli_wrong(command, name, "is no option of this command");
  if (option->name) return cli_wrong(command, name, "takes no value");
  return cli_wrong(command, refused ? name : argv[optind - 1], "is not understood");
}

enum { GRAINS_MAX = 10000000, SAMPLES_MAX = 1000000 };

/* 0: it is no whole number between the two. */
static int read_number(const char *text, int low, int high, int *out) {
  char *end;
  errno = 0;
  const long value = strtol(text, &end, 10);
  const int right = *text >= '0' && *text <= '9' && *end == '\0' && !errno && value >= low && value <= high;
  *out = right ? (int)value : 0;
  return right;
}

/* Options whose value is a word or a path, or that need no value. */
static void read_plain(int letter, cli_options *out) {
  if (letter == 'o') out->folder = optarg;
  if (letter == 's') out->set[out->n_set++] = optarg;
  if (letter == 'k') out->checkpoints = optarg;
  if (letter == 'r') out->resume = optarg ? CLI_RESUME_IF_POSSIBLE : CLI_RESUME;
  if (letter == 'O' || letter == 'W' || letter == 'A')
    out->axis[out->n_axis++] = (cli_axis_option){letter, optarg};
  if (letter == 'i') out->list = 1;
  if (letter == 'w') out->overwrite = 1;
  if (letter == 'q') out->quiet = 1;
  if (letter == 'X') out->strict = 1;
  if (letter == 'z') out->sizes = optarg;
  if (letter == 'S') out->steps = optarg;
  if (letter == 'Q') out->quantities = optarg;
  if (letter == 'M') out->schemes = optarg;
  if (letter == 'b') out->bodies = 1;
  if (letter == 'D') out->space = 1;
  if (letter == 'l') out->slope = 1;
  if (letter == 'T') out->time = optarg;
  if (letter == 'F') out->from = optarg;
  if (letter == 'R') out->at_rest = 1;
  if (letter == 'B') out->by = optarg;
  if (letter == 'L') out->contacts = optarg;
  if (letter == 'n') out->no_commands = 1;
  if (letter == 'C') out->no_commands = 0;
}

/* Returns -1 to go on, or the exit status. */
static int read_option(const cli_command *command, int letter, cli_options *out) {
  read_plain(letter, out);
  if ((letter == 'o' || letter == 'k') && !*optarg)
    return cli_wrong(command, letter == 'o' ? "--output" : "--checkpoint", "needs the name of a folder");
  if (letter == 'r' && optarg && strcmp(optarg, "if-possible") != 0)
    return cli_wrong(command, optarg, "is no way to resume, expected --resume or --resume=if-possible");
  if (letter == 'j' && !read_number(optarg, 1, CLI_THREADS_MAX, &out->jobs))
    return cli_wrong(command, optarg, "is no number of jobs, expected --jobs N with N from 1 to 1024");
  if (letter == 'p') out->polygons = strcmp(optarg, "polygons") == 0;
  if (letter == 'p' && !out->polygons && strcmp(optarg, "discs") != 0)
    return cli_wrong(command, optarg, "is no shape of grains, expected --shape discs or --shape polygons");
  if (letter == 'g' && !read_number(optarg, 1, GRAINS_MAX, &out->grains))
    return cli_wrong(command, optarg,
                     "is no number of grains, expected --grains N with N from 1 to 10000000");
  if (letter == 'e' && !read_number(optarg, 0, INT_MAX, &out->seed))
    return cli_wrong(command, optarg, "is no seed, expected --seed S with S from 0 to 2147483647");
  if (letter == 'N' && !read_number(optarg, 0, SAMPLES_MAX, &out->samples))
    return cli_wrong(command, optarg,
                     "is no number of samples, expected --samples N with N from 0 to 1000000");
  if (letter == 't' && !read_number(optarg, 1, CLI_THREADS_MAX, &out->threads))
    return cli_wrong(command, optarg, "is no number of threads, expected --threads N with N from 1 to 1024");
  return -1;
}

/* Exactly one argument: the case. */
static int read_case_path(const cli_command *command, cli_options *out) {
  if (out->n_arguments == 1) {
    out->case_path = out->argument[0];
    return -1;
  }
  fprintf(stderr, "percuss %s: expected one case file, got %s; usage: percuss %s %s\n", command->name,
          out->n_arguments ? "more" : "none", command->name, command->arguments);
  return CLI_WRONG;
}

int cli_parse(const cli_command *command, const char *accepted, int argc, char **argv, cli_options *out) {
  prc_error err = {0};
  int letter;
  *out = (cli_options){.threads = 1, .seed = 1, .samples = 200, .no_commands = command == &cli_check};
  if (prc_new(&out->set, (size_t)argc + 1, &err) != PRC_OK
      || prc_new(&out->axis, (size_t)argc + 1, &err) != PRC_OK)
    return cli_report(&err);
  opterr = 0;
  optind = 1;
  while ((letter = getopt_long(argc, argv, ":o:qhV", long_options, NULL)) != -1) {
    if (letter == 'h') return print_command_help(command, accepted), CLI_DONE;
    if (letter == 'V') return cli_print_version(), CLI_DONE;
    if (letter == '?' || letter == ':' || !strchr(accepted, letter))
      return wrong_option(command, letter, argv);
    const int status = read_option(command, letter, out);
    if (status >= 0) return status;
  }
  if (out->resume && out->overwrite)
    return cli_wrong(command, "--overwrite", "begins anew and --resume goes on, expected one of them");
  out->n_arguments = argc - optind;
  out->argument = argv + optind;
  return strchr(accepted, 'c') ? read_case_path(command, out) : -1;
}

void cli_options_free(cli_options *options) {
  free(options->set), options->set = NULL;
  free(options->axis), options->axis = NULL;
}

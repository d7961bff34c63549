#include "config.h"
#include "cli/checkpoint.h"
#include "cli/converge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_STATES        50  /* times at which fields are compared */
#define MOST_SCHEME_STATES 200 /* of schemes: means over time are formed too */
#define PER_TABLE          4

/* ---- the command line ---------------------------------------------------------------------------------- */

/* "4,2,1": positive and falling; 0 if it is not that */
static int read_list(const char *text, double *value) {
  int n = 0;
  for (const char *at = text; text && *at;) {
    char *end;
    if (n == CLI_MAX_MEMBERS) return 0;
    value[n] = strtod(at, &end);
    if (end == at || (*end != '\0' && *end != ',') || !(value[n] > 0.0) || !isfinite(value[n])) return 0;
    n++;
    at = *end ? end + 1 : end;
  }
  return n;
}

static int is_decreasing(int n, const double *value) {
  for (int i = 1; i < n; i++)
    if (value[i] >= value[i - 1]) return 0;
  return n > 0;
}

static int is_courant(const cli_options *o) {
  return o->steps && strcmp(o->steps, "courant") == 0;
}

/* How many names: "A,B"; 0 if one is missing, too long or there twice. */
static int count_names(const char *text) {
  int n = 0;
  for (const char *at = text;; at++) {
    const size_t length = strcspn(at, ",");
    if (length == 0 || length >= sizeof((cli_member *)0)->scheme || n++ == CLI_MAX_MEMBERS) return 0;
    for (const char *other = text; other < at; other += strcspn(other, ",") + 1)
      if (strcspn(other, ",") == length && strncmp(other, at, length) == 0) return 0;
    at += length;
    if (*at == '\0') return n;
  }
}

/* Of schemes: how many, and the steps of each; 0 where they make no family. */
static int read_schemes(const cli_options *o, int *n_steps, double *step) {
  const int n = count_names(o->schemes);
  *n_steps = o->steps ? read_list(o->steps, step) : 0;
  if (n > 0 && !o->sizes && is_decreasing(*n_steps, step) && n * *n_steps <= CLI_MAX_MEMBERS) return n;
  cli_print(
      stderr,
      "percuss converge: --schemes '%s' with --steps '%s'%s, expected names and falling steps, at most %d "
      "runs in all: --schemes theta,ggl --steps 4e-3,2e-3,1e-3\n",
      o->schemes, o->steps ? o->steps : "", o->sizes ? " and --sizes" : "", CLI_MAX_MEMBERS);
  return 0;
}

/* Sizes and steps of the members; 0 where the case's own holds. */
static int read_family(const cli_options *o, double *size, double *step) {
  const int n = o->sizes ? read_list(o->sizes, size) : 0;
  const int n_steps = o->steps && !is_courant(o) ? read_list(o->steps, step) : 0;
  if ((o->sizes || is_courant(o) || !o->steps) && !is_decreasing(n, size)) {
    cli_print(stderr,
              "percuss converge: --sizes is %s%s%s, expected positive numbers from coarse to fine: --sizes "
              "4,2,1\n",
              o->sizes ? "'" : "", o->sizes ? o->sizes : "missing", o->sizes ? "'" : "");
    return 0;
  }
  if (!o->steps || is_courant(o)) return n;
  if (n_steps == 0 || (n > 0 ? n_steps != n : !is_decreasing(n_steps, step))) {
    cli_print(
        stderr,
        "percuss converge: --steps is '%s', expected courant, or positive numbers: one for each size, or "
        "falling ones for one mesh\n",
        o->steps);
    return 0;
  }
  return n_steps;
}

/* ---- the family ---------------------------------------------------------------------------------------- */

/* Can the mesh be made with other sizes? */
static prc_status check_mesh(const cli_options *o, const prc_case *c, prc_error *err) {
  const char *file = c->mesh.file;
  int geometries = 0;
  for (int i = 0; i < c->mesh.n_files; i++) geometries += prc_ends_with(c->mesh.files[i], ".geo");
  if (!file)
    return prc_fail(err, PRC_INPUT,
                    "%s: --sizes: the case has %s, expected one with a mesh that is made from a .geo%s",
                    o->case_path, c->n_beams > 0 ? "beams" : "bodies",
                    c->n_beams > 0 ? "; a beam is refined by its elements, and steps are compared by "
                                     "--schemes NAME --steps A,B"
                                   : "");
  if (o->sizes && geometries == 0)
    return prc_fail(
        err, PRC_INPUT,
        "%s: --sizes: the mesh '%s' is ready made, expected a .geo, which is meshed with each size",
        o->case_path, file);
  return PRC_OK;
}

static prc_status check_case(const cli_options *o, prc_error *err) {
  prc_case *c = NULL;
  prc_status status = prc_case_read(o->case_path, o->n_set, o->set, &c, err);
  if (status == PRC_OK && !o->schemes) status = check_mesh(o, c, err);
  if (status == PRC_OK) c->mesh.no_commands = o->no_commands, cli_note_geometry(c);
  prc_case_free(&c);
  return status;
}

static void add_set(cli_member *m, const char *key, double value, int which) {
  snprintf(m->set[which], sizeof m->set[which], "%s=%.17g", key, value);
  m->all_set[m->options.n_set++] = m->set[which];
}

/* Its folder below that of the family. */
static void name_member(const char *folder, cli_member *m) {
  char step[64] = "", size[64] = "";
  if (m->size > 0.0) snprintf(size, sizeof size, "size-%g", m->size);
  if (m->step > 0.0) snprintf(step, sizeof step, "%sstep-%g", *size || *m->scheme ? "-" : "", m->step);
  snprintf(m->folder, sizeof m->folder, "%s/%s%s%s", folder, m->scheme, size, step);
}

/* The options of a member and, read back from its case, its step and their number. */
static prc_status plan_member(const cli_options *o, const char *folder, cli_member *m, prc_error *err) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_try(prc_new(&m->all_set, (size_t)o->n_set + 3, err));
  memcpy(m->all_set, o->set, (size_t)o->n_set * sizeof *m->all_set);
  m->options = *o;
  m->end = CLI_MEMBER_WAITING;
  m->options.set = m->all_set, m->options.quiet = 1;
  name_member(folder, m);
  if (m->size > 0.0) add_set(m, "mesh.size", m->size, 0);
  if (m->step > 0.0) add_set(m, "time.step", m->step, 1);
  if (*m->scheme) {
    snprintf(m->set[2], sizeof m->set[2], "time.scheme=%s", m->scheme);
    m->all_set[m->options.n_set++] = m->set[2];
  }
  m->options.folder = m->folder;
  prc_try(prc_case_read(o->case_path, m->options.n_set, m->options.set, &c, err));
  if (c->time.n_steps == 0)
    prc_try(prc_fail(err, PRC_INPUT,
                     "%s: time.end is 0, expected a later one: there would be nothing to compare",
                     o->case_path));
  if (c->time.longest > 0.0)
    prc_try(prc_fail(err, PRC_INPUT,
                     "%s: time.step varies, expected a number: results are compared at the same times, and "
                     "each step is as long as the others; --set time.step=%g",
                     o->case_path, c->time.step));
  m->step = c->time.step, m->n_steps = c->time.n_steps;
done:
  prc_case_free(&c);
  return status;
}

static int common_divisor(int a, int b) {
  return b == 0 ? a : common_divisor(b, a % b);
}

/* All members at the same times: in as many equal parts as all their steps allow. */
static void plan_states(int n, cli_member *member, int states) {
  int common = 0;
  for (int i = 0; i < n; i++) common = common_divisor(member[i].n_steps, common);
  while (common % states != 0) states--;
  for (int i = 0; i < n; i++) member[i].options.states = states;
}

typedef struct {
  int n_schemes, n; /* 0: the case's own alone; sizes or steps */
  double size[CLI_MAX_MEMBERS], step[CLI_MAX_MEMBERS];
} family;

/* All steps of the first scheme, then of the second, ... */
static prc_status plan_schemes(const cli_options *o, const char *folder, const family *f, cli_member *member,
                               prc_error *err) {
  prc_status status = PRC_OK;
  const char *name = o->schemes ? o->schemes : "";
  for (int i = 0; i < f->n_schemes * f->n; i++) {
    cli_member *m = &member[i];
    m->step = f->step[i % f->n];
    snprintf(m->scheme, sizeof m->scheme, "%.*s", (int)strcspn(name, ","), name);
    if (i % f->n == f->n - 1) name += strcspn(name, ","), name += *name != '\0';
    prc_try(plan_member(o, folder, m, err));
  }
  plan_states(f->n_schemes * f->n, member, MOST_SCHEME_STATES);
done:
  return status;
}

static prc_status plan(const cli_options *o, const char *folder, const family *f, cli_member *member,
                       prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(check_case(o, err));
  if (f->n_schemes > 0) return plan_schemes(o, folder, f, member, err);
  for (int i = 0; i < f->n; i++) {
    cli_member *m = &member[i];
    m->size = o->sizes ? f->size[i] : 0.0;
    m->step = is_courant(o) ? (i > 0 ? member[0].step * f->size[i] / f->size[0] : 0.0)
              : o->steps    ? f->step[i]
                            : 0.0;
    prc_try(plan_member(o, folder, m, err));
  }
  plan_states(f->n, member, MOST_STATES);
done:
  return status;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Is `name` one of "A,B,C"? NULL: all are. */
static int is_wanted(const char *names, const char *name) {
  const size_t length = strlen(name);
  if (!names) return 1;
  for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return 1;
  return 0;
}

static void print_number(int width, const char *format, double value) {
  char text[64] = "-";
  if (isfinite(value)) snprintf(text, sizeof text, format, value);
  printf(" %*s", width, text);
}

static void print_table(const cli_convergence *c, int n, const cli_quantity *const *q) {
  const int norms = q[0]->is_norm, width = norms ? 15 : 24;
  printf("%9s %10s %9s", "size", "step", "unknowns");
  for (int k = 0; k < n; k++) printf(" %*s %6s", width, q[k]->name, "order");
  putchar('\n');
  for (int i = 0; i < c->n_members; i++) {
    print_number(8, "%.6g", c->member[i].size > 0.0 ? c->member[i].size : NAN);
    printf(" %10.6g %9d", c->member[i].step, c->n_dof[i]);
    for (int k = 0; k < n; k++) {
      print_number(width, norms ? "%.6g" : "%.10g", norms ? q[k]->error[i] : q[k]->value[i]);
      print_number(6, "%.2f", q[k]->order[i]);
    }
    putchar('\n');
  }
  if (norms) return;
  printf("%-30s", " extrapolated");
  for (int k = 0; k < n; k++) print_number(width, "%.10g", q[k]->limit), printf("%7s", "");
  putchar('\n');
}

/* Norms and values do not share a table. */
static int print_tables(const cli_convergence *c, const char *names) {
  const cli_quantity *row[PER_TABLE];
  int printed = 0, n = 0;
  for (int k = 0; k < c->n_quantities; k++) {
    const cli_quantity *q = &c->quantity[k];
    if (!is_wanted(names, q->name)) continue;
    if (n > 0 && (n == PER_TABLE || row[0]->is_norm != q->is_norm))
      print_table(c, n, row), putchar('\n'), n = 0;
    row[n++] = q;
    printed++;
  }
  if (n > 0) print_table(c, n, row);
  return printed;
}

static void print_all(const cli_convergence *c, const char *names) {
  printf(
      "%s,\nat the end and (max) the largest over time: u is the displacement, v the velocity, L2 the root "
      "of the\n"
      "integral of the square, energy of stress times strain and of density times v squared. Values are of\n"
      "the end; impulses of all steps.\n\n",
      c->is_exact ? "Errors of each member against the exact solution"
                  : "Differences of each member from the next finer one");
  if (print_tables(c, names) > 0) return;
  cli_print(stderr, "warning: --quantity '%s' names nothing; there are", names);
  for (int k = 0; k < c->n_quantities; k++) fprintf(stderr, "%s %s", k ? "," : "", c->quantity[k].name);
  fprintf(stderr, "\n");
}

static void add_column(char *header, size_t size, const char *name, const char *suffix) {
  const size_t used = strlen(header);
  snprintf(header + used, size - used, ",%s%s", name, suffix);
}

/* convergence.csv: of a norm the error, its order and the norm of the finer field; of a value also the value
 * and its limit */
static prc_status write_table(const cli_convergence *c, const prc_folder *folder, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_csv *table = NULL;
  const size_t room = 64 + (size_t)c->n_quantities * 4 * 144;
  char *header = NULL;
  double *row = NULL;
  prc_try(prc_new(&header, room, err));
  prc_try(prc_new(&row, 6 + 4 * c->n_quantities, err));
  snprintf(header, room, "size,step,nodes,unknowns,seconds,certified");
  for (int k = 0; k < c->n_quantities; k++) {
    add_column(header, room, c->quantity[k].name, c->quantity[k].is_norm ? "_norm" : "");
    add_column(header, room, c->quantity[k].name, "_error");
    add_column(header, room, c->quantity[k].name, "_order");
    if (!c->quantity[k].is_norm) add_column(header, room, c->quantity[k].name, "_limit");
  }
  prc_try(prc_output_csv_open(folder, "convergence.csv", header, -1, &table, err));
  for (int i = 0; i < c->n_members; i++) {
    const cli_member *m = &c->member[i];
    int n = 0;
    row[n++] = m->size, row[n++] = m->step, row[n++] = m->n_nodes, row[n++] = c->n_dof[i];
    row[n++] = m->seconds, row[n++] = cli_member_is_certified(m->end);
    for (int k = 0; k < c->n_quantities; k++) {
      const cli_quantity *q = &c->quantity[k];
      row[n++] = q->value[i], row[n++] = q->error[i], row[n++] = q->order[i];
      if (!q->is_norm) row[n++] = q->limit;
    }
    prc_try(prc_output_csv_row(table, n, row, err));
  }
done:
  if (table && prc_output_csv_close(&table, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  prc_delete(&header);
  prc_delete(&row);
  return status;
}

/* ---- a member ------------------------------------------------------------------------------------------- */

static int has_file(const char *folder, const char *name, int step) {
  char path[8192];
  snprintf(path, sizeof path, name, folder, step);
  return access(path, R_OK) == 0;
}

/* All states up to the end, which are going to be read. */
static int is_complete(const cli_member *m) {
  for (int k = 0; k <= m->options.states; k++)
    if (!has_file(m->folder, "%s/states/step-%08d.h5", k * (m->n_steps / m->options.states))) return 0;
  return 1;
}

/* Goes on where an earlier run of the same member was stopped; what is there of the case with other values is done anew. A
 * failure that has another reason, a full disk for instance, leaves what is there. */
static prc_status run_or_resume(const cli_member *m, cli_outcome *outcome, prc_error *err) {
  cli_options o = m->options;
  if (cli_checkpoint_exists(m->folder)) {
    o.resume = CLI_RESUME;
    const prc_status status = cli_run_case(&o, outcome, err);
    const int is_other = status == PRC_INPUT || (status == PRC_OK && !outcome->stopped && !is_complete(m));
    if (!is_other || cli_interrupted()) return status;
    prc_error_clear(err);
    cli_family_await_interrupts();
  }
  o.resume = 0;
  return cli_run_case(&o, outcome, err);
}

static void print_end(void *to, const cli_member *m) {
  (void)to;
  if (!cli_member_is_done(m->end)) return;
  cli_print(stderr, "%s: %s, %.1f s\n", m->folder, cli_member_word(m->end), m->seconds);
}

/* ---- the command --------------------------------------------------------------------------------------- */

static prc_status compare_meshes(const cli_options *o, cli_convergence *c, const prc_folder *in,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_members; i++) c->scale[i] = o->sizes ? c->member[i].size : c->member[i].step;
  prc_try(cli_convergence_find(c, err));
  prc_try(write_table(c, in, err));
  print_all(c, o->quantities);
done:
  return status;
}

static prc_status converge(const cli_options *o, const family *f, int *failed, prc_error *err) {
  prc_status status = PRC_OK;
  const char *folder = o->folder ? o->folder : "results/converge";
  const int n = f->n_schemes > 0 ? f->n_schemes * f->n : f->n;
  cli_convergence c = {.n_members = n};
  prc_folder *in = NULL;
  prc_try(prc_new(&c.member, n, err));
  cli_family runs = {.n = n,
                     .member = c.member,
                     .jobs = o->jobs,
                     .from_last = 1,
                     .needs_all = 1,
                     .run = run_or_resume,
                     .on_end = print_end};
  prc_try(plan(o, folder, f, c.member, err));
  prc_try(prc_output_make_folder(folder, err));
  prc_try(prc_folder_open(folder, &in, err));
  prc_try(cli_ownership_check_family(in, o->overwrite, err));
  cli_defer_interrupts(0);
  prc_try(cli_family_run(&runs, err));
  cli_release_interrupts("percuss: " CLI_FAMILY_STOPPED "\n", CLI_FAILED);
  for (int i = 0; i < n; i++)
    *failed |= c.member[i].end != CLI_MEMBER_CERTIFIED && (o->strict || c.member[i].end != CLI_MEMBER_NOTED);
  prc_try(f->n_schemes > 0 ? cli_schemes_compare(f->n_schemes, f->n, c.member, in, err)
                           : compare_meshes(o, &c, in, err));
  if (cli_run_script("plot_convergence.py", folder) != 0)
    fprintf(stderr, "warning: no picture was drawn (Debian: python3-matplotlib)\n");
done:
  for (int i = 0; c.member && i < n; i++) prc_delete(&c.member[i].all_set);
  prc_folder_close(&in);
  prc_delete(&c.member);
  prc_delete(&c.quantity);
  return status;
}

static int converge_command(int argc, char **argv) {
  cli_options o;
  prc_error err = {0};
  family f = {0};
  int failed = 0, status = cli_parse(&cli_converge, "coswzSQMjnCX", argc, argv, &o);
  if (status < 0) {
    if (o.schemes) f.n_schemes = read_schemes(&o, &f.n, f.step);
    if (!o.schemes) f.n = read_family(&o, f.size, f.step);
    status = CLI_WRONG;
    if (o.schemes ? f.n_schemes > 0 : f.n > 0) {
      cli_catch_interrupts(CLI_STOPPED_AT_ONCE, CLI_FAILED);
      status = converge(&o, &f, &failed, &err) != PRC_OK ? cli_report(&err) : failed ? CLI_FAILED : CLI_DONE;
    }
  }
  cli_options_free(&o);
  return status;
}

const cli_command cli_converge = {"converge",
                                  "CASE.yaml --sizes A,B,C | --schemes A,B [--steps ...] [--quantity ...] "
                                  "[--jobs N] [-o DIR] [--set KEY=VALUE]... [--no-commands] [--strict]",
                                  "refines the mesh, the time step or both, or the step of several schemes, "
                                  "and prints errors with observed orders",
                                  converge_command};

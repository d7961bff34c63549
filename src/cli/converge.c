#include "config.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZES 32

/* What is compared from mesh to mesh. */
static const char *const quantities[] = {"elastic_0", "kinetic", "elastic", "work_external", "work_contact"};
#define N_QUANTITIES 5

static void quantities_of(const cli_outcome *outcome, double out[N_QUANTITIES]) {
  const prc_ledger_row *last = &outcome->last;
  out[0] = outcome->first.elastic;
  out[1] = last->kinetic, out[2] = last->elastic, out[3] = last->work_external;
  out[4] = last->work_contact_normal + last->work_contact_tangential;
}

static int read_sizes(const char *text, double *size) {
  int n = 0;
  for (const char *at = text; text && *at;) {
    char *end;
    if (n == MAX_SIZES) return 0;
    size[n] = strtod(at, &end);
    if (end == at || (*end != '\0' && *end != ',') || !(size[n] > 0.0) || !isfinite(size[n])) return 0;
    if (n > 0 && size[n] >= size[n - 1]) return 0;
    n++;
    at = *end ? end + 1 : end;
  }
  return n;
}

/* The order observed over three meshes: e ~ C size^p gives |Q_i - Q_{i+1}| = C (s_i^p - s_{i+1}^p); solved for p by
 * bisection. NaN where the differences do not fall. */
static double observed_order(const double s[3], const double q[3]) {
  const double ratio = fabs(q[0] - q[1]) / fabs(q[1] - q[2]);
  double low = 1e-3, high = 20.0;
  if (!(ratio > 1e-12) || !isfinite(ratio)) return NAN;
  for (int k = 0; k < 100; k++) {
    const double p = 0.5 * (low + high);
    const double r = (pow(s[0], p) - pow(s[1], p)) / (pow(s[1], p) - pow(s[2], p));
    if (r < ratio)
      low = p;
    else
      high = p;
  }
  return low < 2e-3 || low > 19.0 ? NAN : low;
}

static prc_status run_size(const cli_options *o, const char *folder, double size, cli_outcome *outcome,
                           prc_error *err) {
  char set[64], where[4096];
  const char *all[256];
  cli_options run = *o;
  if (o->n_set > 254) return prc_fail(err, PRC_INPUT, "too many --set");
  snprintf(set, sizeof set, "mesh.size=%.17g", size);
  snprintf(where, sizeof where, "%s/size-%g", folder, size);
  memcpy(all, o->set, (size_t)o->n_set * sizeof *all);
  all[o->n_set] = set;
  run.set = all, run.n_set = o->n_set + 1, run.folder = where, run.quiet = 1;
  return cli_run_case(&run, outcome, err);
}

static void print_row(double size, const cli_outcome *outcome, int i, const double *sizes,
                      double q[][N_QUANTITIES]) {
  printf("%8g %9d", size, outcome->n_nodes);
  for (int k = 0; k < N_QUANTITIES; k++) {
    printf(" %15.8g", q[i][k]);
    const double order =
        i < 2 ? NAN : observed_order(sizes + i - 2, (double[]){q[i - 2][k], q[i - 1][k], q[i][k]});
    if (isfinite(order))
      printf(" %6.2f", order);
    else
      printf(" %6s", "-");
  }
  printf(" %8.1f  %s\n", outcome->seconds, prc_verdict_name(outcome->certificate.verdict));
  fflush(stdout);
}

/* Can the mesh be made with other sizes? */
static prc_status check_sizes(const cli_options *o, prc_error *err) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_try(prc_case_read(o->case_path, o->n_set, o->set, &c, err));
  const char *file = c->mesh.file, *dot = file ? strrchr(file, '.') : NULL;
  if (!file)
    status = prc_fail(err, PRC_INPUT,
                      "%s: --sizes: the case has bodies, expected one with a mesh that is made from a .geo",
                      o->case_path);
  else if (!dot || strcmp(dot, ".geo") != 0)
    status =
        prc_fail(err, PRC_INPUT,
                 "%s: --sizes: the mesh '%s' is ready made, expected a .geo, which is meshed with each size",
                 o->case_path, file);
done:
  prc_case_free(&c);
  return status;
}

static prc_status converge(const cli_options *o, int n, const double *size, int *failed, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_csv *table = NULL;
  const char *folder = o->folder ? o->folder : "results/converge";
  double q[MAX_SIZES][N_QUANTITIES];
  char path[4200];
  prc_try(check_sizes(o, err));
  prc_try(prc_output_make_folder(folder, err));
  snprintf(path, sizeof path, "%s/convergence.csv", folder);
  prc_try(prc_output_csv_open(path, "size,nodes,elastic_0,kinetic,elastic,work_external,work_contact,seconds",
                              -1, &table, err));
  printf("%8s %9s", "size", "nodes");
  for (int k = 0; k < N_QUANTITIES; k++) printf(" %15s %6s", quantities[k], "order");
  printf(" %8s  certificate\n", "seconds");
  for (int i = 0; i < n; i++) {
    cli_outcome outcome;
    prc_try(run_size(o, folder, size[i], &outcome, err));
    if (outcome.stopped) prc_try(prc_fail(err, PRC_STOPPED, "stopped"));
    quantities_of(&outcome, q[i]);
    print_row(size[i], &outcome, i, size, q);
    *failed |= outcome.certificate.verdict == PRC_FAIL;
    const double row[] = {size[i], outcome.n_nodes, q[i][0], q[i][1],
                          q[i][2], q[i][3],         q[i][4], outcome.seconds};
    prc_try(prc_output_csv_row(table, 8, row, err));
    prc_try(prc_output_csv_flush(table, err));
  }
done:
  if (table && prc_output_csv_close(&table, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

static int converge_command(int argc, char **argv) {
  cli_options o;
  prc_error err = {0};
  double size[MAX_SIZES];
  int failed = 0, status = cli_parse(&cli_converge, "cosz", argc, argv, &o);
  if (status < 0) {
    const int n = read_sizes(o.sizes, size);
    if (n < 1) {
      fprintf(stderr,
              "percuss converge: --sizes is %s%s%s, expected positive numbers from coarse to fine: --sizes "
              "4,2,1\n",
              o.sizes ? "'" : "", o.sizes ? o.sizes : "missing", o.sizes ? "'" : "");
      status = CLI_WRONG;
    } else {
      cli_catch_interrupts();
      status = converge(&o, n, size, &failed, &err) != PRC_OK ? cli_report(&err)
               : failed                                       ? CLI_FAILED
                                                              : CLI_DONE;
    }
  }
  cli_options_free(&o);
  return status;
}

const cli_command cli_converge = {"converge", "CASE.yaml --sizes A,B,C [-o DIR] [--set KEY=VALUE]...",
                                  "refines the mesh and prints a table with observed orders",
                                  converge_command};

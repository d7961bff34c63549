#include "config.h"
#include "cli/converge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Schemes on one case. Each is compared with itself at the next finer step, so that the order that is observed is its own, and its finest run
 * with that of the first scheme: what converges to something else shows there. Differences of q and v are in the norm of energy,
 * |x|^2 = x'M x, where lengths and angles have a common unit, relative to the largest of the finer run. Where velocities jump, two runs
 * differ by the whole jump as long as only one of them has had its impact: what can converge there is the mean over time, which is what is
 * formed of velocities and energies. */

enum { POSITION, VELOCITY, ENERGY, FIELDS, PENETRATION = FIELDS, QUANTITIES };
static const char *const names[QUANTITIES] = {"position", "velocity", "energy", "penetration"};

typedef struct {
  double error[QUANTITIES]; /* from the next finer; the penetration itself */
  double order[QUANTITIES];
  double apart[FIELDS]; /* of a finest run: from that of the first scheme */
} found;

/* Kinetic and elastic energy less what loads have worked. */
static double energy_of(const cli_member_results *b) {
  return b->ledger[0] + b->ledger[1] - b->ledger[2];
}

static double size_of(const prc_sym *M, const double *x) {
  return sqrt(fmax(0.0, prc_sym_form(M, x, x)));
}

/* The largest of a state in time: of q from where it began, of v, and of the kinetic energy or what energy was lost. */
typedef struct {
  double size[FIELDS], first_energy;
  double *start, *room;
} scales;

static prc_status differ(const cli_member *a, const cli_member *b, double out[FIELDS], prc_error *err) {
  prc_status status = PRC_OK;
  cli_member_results coarse = {0}, fine = {0};
  scales s = {0};
  const int states = a->options.states;
  double sum[FIELDS] = {0.0};
  prc_try(cli_member_open(a, &coarse, err));
  prc_try(cli_member_open(b, &fine, err));
  prc_try(prc_new(&s.start, fine.n, err));
  prc_try(prc_new(&s.room, fine.n, err));
  const prc_sym *M = fine.model->system->dynamics.M;
  for (int k = 0; k <= states; k++) {
    prc_try(cli_member_read(a, k, &coarse, err));
    prc_try(cli_member_read(b, k, &fine, err));
    if (k == 0) memcpy(s.start, fine.q, fine.n * sizeof *s.start), s.first_energy = energy_of(&fine);
    for (size_t i = 0; i < fine.n; i++) s.room[i] = fine.q[i] - s.start[i];
    s.size[POSITION] = fmax(s.size[POSITION], size_of(M, s.room));
    s.size[VELOCITY] = fmax(s.size[VELOCITY], size_of(M, fine.v));
    s.size[ENERGY] = fmax(s.size[ENERGY], fmax(fine.ledger[0], fabs(energy_of(&fine) - s.first_energy)));
    for (size_t i = 0; i < fine.n; i++) s.room[i] = fine.q[i] - coarse.q[i];
    sum[POSITION] = fmax(sum[POSITION], size_of(M, s.room));
    for (size_t i = 0; i < fine.n; i++) s.room[i] = fine.v[i] - coarse.v[i];
    sum[VELOCITY] += size_of(M, s.room) / (states + 1);
    sum[ENERGY] += fabs(energy_of(&fine) - energy_of(&coarse)) / (states + 1);
  }
  for (int f = 0; f < FIELDS; f++) out[f] = s.size[f] > 0.0 ? sum[f] / s.size[f] : 0.0;
done:
  cli_member_close(&coarse);
  cli_member_close(&fine);
  prc_delete(&s.start);
  prc_delete(&s.room);
  return status;
}

/* The deepest of all steps, as the certificate has it; NaN where it says nothing. */
static double penetration_of(const cli_member *m) {
  char path[8192], *line = NULL;
  size_t room = 0;
  double value = NAN;
  int at = 0;
  snprintf(path, sizeof path, "%s/certificate.json", m->folder);
  FILE *file = fopen(path, "re");
  while (file && getline(&line, &room, file) > 0) {
    const char *found_name = strstr(line, "\"name\": "), *found_value = strstr(line, "\"value\": ");
    if (found_name) at = strstr(found_name, "\"penetration\"") != NULL;
    if (at && found_value) value = strtod(found_value + strlen("\"value\": "), NULL), at = 0;
  }
  if (file) fclose(file);
  free(line);
  return value;
}

/* Differences below this, relative, and penetrations below this part of the deepest, are rounding: they have no order. */
#define ROUNDING 1e-11

static prc_status find_errors(int n_schemes, int n_steps, const cli_member *member, found *out,
                              prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < n_schemes * n_steps; i++) {
    const int finest = i % n_steps == n_steps - 1;
    for (int f = 0; f < QUANTITIES; f++) out[i].error[f] = out[i].order[f] = NAN;
    for (int f = 0; f < FIELDS; f++) out[i].apart[f] = NAN;
    if (!finest) prc_try(differ(&member[i], &member[i + 1], out[i].error, err));
    if (finest && i >= n_steps) prc_try(differ(&member[i], &member[n_steps - 1], out[i].apart, err));
    out[i].error[PENETRATION] = penetration_of(&member[i]);
  }
done:
  return status;
}

/* Of one scheme. */
static void find_orders(int n_steps, const cli_member *member, double deepest, found *of) {
  for (int i = 0; i + 1 < n_steps; i++) {
    const double s[3] = {member[i].step, member[i + 1].step, i + 2 < n_steps ? member[i + 2].step : 0.0};
    for (int f = 0; f < FIELDS && i + 2 < n_steps; f++)
      if (of[i].error[f] > ROUNDING && of[i + 1].error[f] > ROUNDING)
        of[i + 1].order[f] = cli_observed_order(s, of[i].error[f], of[i + 1].error[f]);
    const double before = of[i].error[PENETRATION], after = of[i + 1].error[PENETRATION];
    if (fmin(before, after) > ROUNDING * deepest)
      of[i + 1].order[PENETRATION] = log(before / after) / log(s[0] / s[1]);
  }
}

static prc_status find(int n_schemes, int n_steps, const cli_member *member, found *out, prc_error *err) {
  const prc_status status = find_errors(n_schemes, n_steps, member, out, err);
  double deepest = 0.0;
  for (int i = 0; i < n_schemes * n_steps && status == PRC_OK; i++)
    deepest = fmax(deepest, out[i].error[PENETRATION]);
  for (int s = 0; s < n_schemes && status == PRC_OK; s++)
    find_orders(n_steps, member + s * n_steps, deepest, out + s * n_steps);
  return status;
}

/* ---- tables ---------------------------------------------------------------------------------------------- */

static prc_status write_table(int n, const cli_member *member, const found *of, const prc_folder *folder,
                              prc_error *err) {
  enum { BEFORE = 4, COLUMNS = BEFORE + 2 * QUANTITIES + FIELDS };
  prc_status status = PRC_OK;
  prc_output_csv *table = NULL;
  char header[512] = "scheme,step,seconds,certified";
  for (int f = 0; f < QUANTITIES; f++)
    prc_append(header, sizeof header, ",%s%s,%s_order", names[f], f < FIELDS ? "_error" : "", names[f]);
  for (int f = 0; f < FIELDS; f++) prc_append(header, sizeof header, ",%s_apart", names[f]);
  prc_try(prc_output_csv_open(folder, "convergence.csv", header, -1, &table, err));
  for (int i = 0; i < n; i++) {
    prc_output_value row[COLUMNS] = {{.text = member[i].scheme},
                                     {.number = member[i].step},
                                     {.number = member[i].seconds},
                                     {.number = cli_member_is_certified(member[i].end)}};
    for (int f = 0; f < QUANTITIES; f++) {
      row[BEFORE + 2 * f].number = of[i].error[f];
      row[BEFORE + 2 * f + 1].number = of[i].order[f];
    }
    for (int f = 0; f < FIELDS; f++) row[BEFORE + 2 * QUANTITIES + f].number = of[i].apart[f];
    prc_try(prc_output_csv_values(table, COLUMNS, row, err));
  }
done:
  if (table && prc_output_csv_close(&table, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

static void print_number(int width, const char *format, double value) {
  char text[64] = "-";
  if (isfinite(value)) snprintf(text, sizeof text, format, value);
  printf(" %*s", width, text);
}

static void print_table(int n_schemes, int n_steps, const cli_member *member, const found *of) {
  puts("Differences of each run from the same scheme at the next finer step, in the norm of energy, relative "
       "to the\n"
       "largest: of positions the largest over time, of velocities and energies the mean over time. The "
       "penetration\n"
       "is the deepest of all steps.\n");
  printf("%-18s %10s", "scheme", "step");
  for (int f = 0; f < QUANTITIES; f++) printf(" %11s %6s", names[f], "order");
  putchar('\n');
  for (int i = 0; i < n_schemes * n_steps; i++) {
    printf("%-18s %10.6g", member[i].scheme, member[i].step);
    for (int f = 0; f < QUANTITIES; f++) {
      print_number(11, "%.4g", of[i].error[f]);
      print_number(6, "%.2f", of[i].order[f]);
    }
    putchar('\n');
  }
  if (n_schemes < 2) return;
  printf("\nAt the finest step, from %s:\n", member[0].scheme);
  for (int s = 1; s < n_schemes; s++) {
    const int i = (s + 1) * n_steps - 1;
    printf("%-18s %10.6g", member[i].scheme, member[i].step);
    for (int f = 0; f < FIELDS; f++) {
      print_number(11, "%.4g", of[i].apart[f]);
      printf("%7s", "");
    }
    putchar('\n');
  }
}

prc_status cli_schemes_compare(int n_schemes, int n_steps, const cli_member *member, const prc_folder *folder,
                               prc_error *err) {
  prc_status status = PRC_OK;
  found *of = NULL;
  prc_try(prc_new(&of, (size_t)n_schemes * (size_t)n_steps, err));
  prc_try(find(n_schemes, n_steps, member, of, err));
  prc_try(write_table(n_schemes * n_steps, member, of, folder, err));
  print_table(n_schemes, n_steps, member, of);
done:
  prc_delete(&of);
  return status;
}

#include "config.h"
#include "cli/explore.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Tables and lines of `percuss explore`. */

/* ---- names ---------------------------------------------------------------------------------------------------------- */

/* The place of a contact in the record's set. */
static int place_of(const cli_exploration *x, int contact) {
  return prc_stepper_record(x->run.stepper)->active[contact];
}

const char *cli_explore_group(const cli_exploration *x, int contact) {
  return cli_contact_of(&x->run, place_of(x, contact))->name;
}

static int body_of(const cli_exploration *x, int contact, int side) {
  return x->held->set.body[2 * x->held->place[contact] + side];
}

const char *cli_explore_side(const cli_exploration *x, int contact, int side) {
  const int in_all = body_of(x, contact, side);
  int item;
  if (in_all < 0) return cli_explore_group(x, contact);
  const prc_body *body = prc_view_body_of(x->model->scene, in_all, &item);
  return prc_view_item_name(body, item);
}

static int is_same_pair(const cli_exploration *x, int a, int b) {
  return body_of(x, a, 0) == body_of(x, b, 0) && body_of(x, a, 1) == body_of(x, b, 1)
         && (body_of(x, a, 0) >= 0 || strcmp(cli_explore_group(x, a), cli_explore_group(x, b)) == 0);
}

/* Contacts stand in the order of their ids: those of a pair follow one another, or nearly so. */
void cli_explore_name(const cli_exploration *x, int contact, char *text, size_t size) {
  int before = 0, all = 0;
  for (int i = 0; i < x->n; i++) {
    if (!is_same_pair(x, i, contact)) continue;
    all++;
    before += i < contact;
  }
  snprintf(text, size, "%s/%s", cli_explore_side(x, contact, 0), cli_explore_side(x, contact, 1));
  if (all > 1) prc_append(text, size, ".%d", before + 1);
}

int cli_explore_is_open(const cli_interval *i) {
  if (isinf(i->low) || isinf(i->high)) return 1;
  return i->high - i->low > 1e-6 * fmax(fabs(i->low), fabs(i->high));
}

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

static const char *status_of(const cli_exploration *x, int contact) {
  static const char *const names[] = {"opens", "sticks", "slides", "slides"};
  return names[x->problem.may ? x->problem.may[contact] : PRC_EXPLORE_CONE];
}

static prc_status write_intervals(const cli_exploration *x, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_csv *table = NULL;
  char name[512];
  prc_try(prc_output_csv_open(x->folder, "intervals.csv",
                              "contact,name,of,friction,status,gap,normal_low,normal_high,tangential_low,"
                              "tangential_high",
                              -1, &table, err));
  for (int i = 0; i < x->n; i++) {
    if (!x->chosen[i]) continue;
    const cli_interval *range = x->interval[i];
    cli_explore_name(x, i, name, sizeof name);
    const prc_output_value row[] = {{.number = i + 1},
                                    {.text = name},
                                    {.text = cli_explore_group(x, i)},
                                    {.number = x->problem.mu[i]},
                                    {.text = status_of(x, i)},
                                    {.number = x->held->set.gap[x->held->place[i]]},
                                    {.number = range[0].low},
                                    {.number = range[0].high},
                                    {.number = range[1].low},
                                    {.number = range[1].high}};
    prc_try(prc_output_csv_values(table, (int)(sizeof row / sizeof *row), row, err));
  }
done:
  if (table && prc_output_csv_close(&table, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

/* Samples short of the tolerance are none. */
static prc_status write_sample(const cli_exploration *x, prc_output_csv *table, int way, int k,
                               prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  const prc_explore_samples *s = x->samples[way];
  const double *p = s->p + (size_t)k * (size_t)(r->dim * x->n);
  if (s->end[k] == PRC_EXPLORE_MISSED) return PRC_OK;
  for (int i = 0; i < x->n; i++) {
    if (!x->chosen[i]) continue;
    const prc_output_value row[] = {{.number = k + 1},
                                    {.text = cli_way_names[way]},
                                    {.number = s->end[k] == PRC_EXPLORE_OTHER},
                                    {.number = i + 1},
                                    {.number = p[r->dim * i] / r->h},
                                    {.number = r->dim > 1 ? p[r->dim * i + 1] / r->h : 0.0}};
    prc_try(prc_output_csv_values(table, (int)(sizeof row / sizeof *row), row, err));
  }
done:
  return status;
}

static prc_status write_samples(const cli_exploration *x, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_csv *table = NULL;
  prc_try(prc_output_csv_open(x->folder, "samples.csv",
                              "sample,by,moves_otherwise,contact,force_normal,force_tangential", -1, &table,
                              err));
  for (int way = 0; way < CLI_WAYS; way++)
    for (int k = 0; x->samples[way] && k < x->samples[way]->n; k++)
      prc_try(write_sample(x, table, way, k, err));
done:
  if (table && prc_output_csv_close(&table, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

static int count_ends(const prc_explore_samples *s, prc_explore_end end) {
  int count = 0;
  for (int k = 0; k < s->n; k++) count += s->end[k] == end;
  return count;
}

static int count_open(const cli_exploration *x) {
  int count = 0;
  for (int i = 0; i < x->n; i++)
    count +=
        x->chosen[i] && (cli_explore_is_open(&x->interval[i][0]) || cli_explore_is_open(&x->interval[i][1]));
  return count;
}

static prc_status write_summary(const cli_exploration *x, prc_error *err) {
  prc_output_json *json = NULL;
  const prc_status status = prc_output_json_open(x->folder, "explore.json", &json, err);
  if (status != PRC_OK) return status;
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_text(json, "program", "percuss");
  prc_output_json_text(json, "version", PACKAGE_VERSION);
  prc_output_json_text(json, "case", x->c->name);
  prc_output_json_text(json, "units", x->c->units ? x->c->units : "");
  prc_output_json_integer(json, "step", x->step);
  prc_output_json_number(json, "t", x->t);
  prc_output_json_integer(json, "contacts", x->n);
  prc_output_json_text(json, "forces", x->equilibria ? "equilibrium" : "motion");
  prc_output_json_boolean(json, "intervals", x->has_intervals);
  if (x->has_intervals) {
    prc_output_json_boolean(json, "rest_is_possible", x->rest_is_possible);
    prc_output_json_integer(json, "undetermined", count_open(x));
    prc_output_json_integer(json, "of_contacts", x->n_chosen);
  }
  prc_output_json_integer(json, "seed", (long long)x->seed);
  for (int way = 0; way < CLI_WAYS; way++) {
    const prc_explore_samples *s = x->samples[way];
    if (!s) continue;
    prc_output_json_begin(json, cli_way_names[way], '{');
    prc_output_json_integer(json, "samples", s->n - count_ends(s, PRC_EXPLORE_MISSED));
    prc_output_json_integer(json, "missed", count_ends(s, PRC_EXPLORE_MISSED));
    prc_output_json_integer(json, "move_otherwise", count_ends(s, PRC_EXPLORE_OTHER));
    prc_output_json_end(json);
  }
  return prc_output_json_close(&json, err);
}

/* Pictures of an exploration before this one would not be of these numbers. */
prc_status cli_explore_write(const cli_exploration *x, prc_error *err) {
  static const char *const old[] = {"intervals.csv", "explore.png", "explore.svg", "explore.pdf"};
  prc_status status = PRC_OK;
  prc_try(write_summary(x, err)); /* first: the folder is known by it */
  for (size_t k = 0; k < sizeof old / sizeof *old; k++) unlinkat(prc_folder_descriptor(x->folder), old[k], 0);
  if (x->has_intervals) prc_try(write_intervals(x, err));
  prc_try(write_samples(x, err));
done:
  return status;
}

/* ---- on the terminal ---------------------------------------------------------------------------------------------------- */

static void print_rest(const cli_exploration *x) {
  const char *moves = x->held->rests ? "the bodies rest" : "the bodies move";
  if (!x->has_intervals)
    printf("rest        %s; whether they could rest is not known without GLPK\n", moves);
  else if (!x->rest_is_possible)
    printf("rest        is not possible here: no contact forces balance the loads\n");
  else if (x->held->rests)
    printf("rest        is possible here, and the bodies rest\n");
  else if (x->equilibria)
    printf("rest        is possible here, and so is the motion that the step found from its usual start\n");
  else
    printf("rest        is possible here, but the bodies move: with --at-rest its forces are explored\n");
}

static void print_samples(const cli_exploration *x) {
  for (int way = 0; way < CLI_WAYS; way++) {
    const prc_explore_samples *s = x->samples[way];
    if (!s || s->n == 0) continue;
    printf("samples     by %s: %d", cli_way_names[way], s->n - count_ends(s, PRC_EXPLORE_MISSED));
    if (count_ends(s, PRC_EXPLORE_OTHER) > 0)
      printf(", %d of them with other velocities", count_ends(s, PRC_EXPLORE_OTHER));
    if (count_ends(s, PRC_EXPLORE_MISSED) > 0)
      printf("; %d more did not reach contact.tolerance within contact.max_iterations and are left out",
             count_ends(s, PRC_EXPLORE_MISSED));
    puts("");
  }
}

static void print_table(const cli_exploration *x) {
  enum { MOST = 12 };
  int shown = 0;
  char name[512];
  printf("\n%8s  %-24s %-8s %12s %12s %12s %12s\n", "contact", "name", "", "normal from", "to", "tangential",
         "to");
  for (int i = 0; i < x->n && shown < MOST; i++) {
    const cli_interval *range = x->interval[i];
    if (!x->chosen[i]) continue;
    shown++;
    cli_explore_name(x, i, name, sizeof name);
    cli_print(stdout, "%8d  %-24s %-8s %12.6g %12.6g %12.6g %12.6g\n", i + 1, name, status_of(x, i),
              range[0].low, range[0].high, range[1].low, range[1].high);
  }
  if (x->n_chosen > shown) printf("and %d more in intervals.csv\n", x->n_chosen - shown);
}

void cli_explore_print(const cli_exploration *x) {
  cli_print(stdout, "%s: %d closed contacts at t = %.9g (step %d)\n", x->c->name, x->n, x->t, x->step);
  print_rest(x);
  if (x->has_intervals)
    printf("intervals   of %d contacts %d are not determined%s; %d steps of the simplex method, %.2g s\n",
           x->n_chosen, count_open(x), x->equilibria ? "" : " with these velocities", x->pivots,
           x->seconds[0]);
  else
    fputs("warning: no intervals: percuss was built without GLPK (Debian: libglpk-dev)\n", stderr);
  print_samples(x);
  if (x->has_intervals) print_table(x);
  puts("");
  cli_print(stdout, "results in %s\n", x->folder_path);
}

#include "config.h"
#include "cli/identity.h"
#include "cli/sweep.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of runs at their end, read from their tables. So they do not depend on how often a run was stopped,
 * and old runs have them too. */

enum { FEW_BODIES = 4 }; /* of more, columns are to be asked for */

static int is_asked(const char *names, const char *name) {
  char pattern[256];
  for (const char *at = names; at && *at; at += strcspn(at, ","), at += *at != '\0') {
    snprintf(pattern, sizeof pattern, "%.*s", (int)strcspn(at, ","), at);
    if (fnmatch(pattern, name, 0) == 0) return 1;
  }
  return 0;
}

static prc_status set_value(cli_sweep_state *s, int member, const char *name, double value, int is_usual,
                            prc_error *err) {
  prc_status status = PRC_OK;
  int k = 0;
  if (s->quantities ? !is_asked(s->quantities, name) : !is_usual) return PRC_OK;
  while (k < s->n_values && strcmp(s->end[k].name, name) != 0) k++;
  if (k == s->n_values) {
    prc_try(prc_grow(&s->end, &s->room, (size_t)k + 1, sizeof *s->end, err));
    s->end[k] = (cli_end_value){0};
    s->n_values++;
    prc_try(prc_strdup(name, &s->end[k].name, err));
    prc_try(prc_new(&s->end[k].value, s->n, err));
    for (int i = 0; i < s->n; i++) s->end[k].value[i] = NAN;
  }
  s->end[k].value[member] = value;
done:
  return status;
}

/* ---- a table line by line ------------------------------------------------------------------------------ */

typedef struct {
  FILE *file;
  char *head, *line, **name; /* name: n, in head */
  size_t head_room, line_room;
  int n;
  double *value; /* of the line; texts are no numbers */
} reader;

static void close_table(reader *r) {
  if (r->file) fclose(r->file);
  free(r->head), free(r->line);
  prc_delete(&r->name);
  prc_delete(&r->value);
  *r = (reader){0};
}

/* A table that is not there has no columns. */
static prc_status open_table(const char *folder, const char *name, reader *r, prc_error *err) {
  prc_status status = PRC_OK;
  char path[8192], *state = NULL;
  size_t columns = 1;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  *r = (reader){.file = fopen(path, "re")};
  if (!r->file && errno == ENOENT) return PRC_OK;
  if (!r->file || getline(&r->head, &r->head_room, r->file) < 0)
    return prc_fail(err, PRC_IO, "%s: cannot be read: %s", path, errno ? strerror(errno) : "it is empty");
  r->head[strcspn(r->head, "\r\n")] = '\0';
  for (const char *at = r->head; (at = strchr(at, ',')); at++) columns++;
  prc_try(prc_new(&r->name, columns, err));
  prc_try(prc_new(&r->value, columns, err));
  for (char *at = strtok_r(r->head, ",", &state); at; at = strtok_r(NULL, ",", &state)) r->name[r->n++] = at;
done:
  return status;
}

static int next_row(reader *r) {
  if (!r->file || getline(&r->line, &r->line_room, r->file) <= 0) return 0;
  const char *at = r->line;
  for (int k = 0; k < r->n; k++) {
    char *end;
    r->value[k] = at ? prc_strtod(at, &end) : NAN;
    if (at && end == at) r->value[k] = NAN;
    at = at ? strchr(at, ',') : NULL;
    if (at) at++;
  }
  return 1;
}

static int column_of(const reader *r, const char *name) {
  for (int k = 0; k < r->n; k++)
    if (strcmp(r->name[k], name) == 0) return k;
  return -1;
}

/* ---- the tables ---------------------------------------------------------------------------------------- */

/* The last row of energy.csv: energies and cumulative works. */
static prc_status collect_energy(cli_sweep_state *s, int member, prc_error *err) {
  static const char *const unusual[] = {
      "balance_residual", "tangential_work_max", "tangential_work_min", "active", "sticking",
      "sliding",          "cone_iterations",     "cone_error"};
  prc_status status = PRC_OK;
  reader r;
  int rows = 0;
  prc_try(open_table(s->member[member].folder, "energy.csv", &r, err));
  while (next_row(&r)) rows++;
  for (int k = 0; k < r.n && rows > 0; k++) {
    int usual = 1;
    if (strcmp(r.name[k], "step") == 0 || strcmp(r.name[k], "t") == 0) continue;
    for (size_t u = 0; u < sizeof unusual / sizeof *unusual; u++) usual &= strcmp(r.name[k], unusual[u]) != 0;
    prc_try(set_value(s, member, r.name[k], r.value[k], usual, err));
  }
done:
  close_table(&r);
  return status;
}

/* "impulse_bottom_normal" of "bottom_force_normal"; 0: it is no force */
static int name_impulse(const char *column, char *name, size_t size) {
  const char *at = strstr(column, "_force_");
  for (const char *next = at; next; next = strstr(next + 1, "_force_"))
    at = next; /* a contact may be called so */
  if (!at) return 0;
  snprintf(name, size, "impulse_%.*s_%s", (int)(at - column), column, at + strlen("_force_"));
  return 1;
}

/* Of forces.csv: impulses, the sums of force times step, and of slip and whatever else the last row. */
static prc_status collect_forces(cli_sweep_state *s, int member, prc_error *err) {
  prc_status status = PRC_OK;
  reader r;
  double *sum = NULL, before = 0.0;
  char name[256];
  int rows = 0;
  prc_try(open_table(s->member[member].folder, "forces.csv", &r, err));
  prc_try(prc_new(&sum, r.n, err));
  const int t = column_of(&r, "t");
  for (; t >= 0 && next_row(&r); rows++) {
    const double h = rows > 0 ? r.value[t] - before : 0.0;
    for (int k = 0; k < r.n; k++) sum[k] += h * r.value[k];
    before = r.value[t];
  }
  for (int k = 0; k < r.n && rows > 0; k++) {
    if (k == t || strcmp(r.name[k], "step") == 0) continue;
    const int usual = prc_ends_with(r.name[k], "_slip_mean") || prc_ends_with(r.name[k], "_slip_max");
    if (name_impulse(r.name[k], name, sizeof name)) prc_try(set_value(s, member, name, sum[k], 1, err));
    prc_try(set_value(s, member, r.name[k], r.value[k], usual, err));
  }
done:
  close_table(&r);
  prc_delete(&sum);
  return status;
}

static prc_status collect_probes(cli_sweep_state *s, int member, prc_error *err) {
  prc_status status = PRC_OK;
  reader r;
  int rows = 0;
  prc_try(open_table(s->member[member].folder, "probes.csv", &r, err));
  while (next_row(&r)) rows++;
  for (int k = 0; k < r.n && rows > 0; k++)
    if (strcmp(r.name[k], "step") != 0 && strcmp(r.name[k], "t") != 0)
      prc_try(set_value(s, member, r.name[k], r.value[k], 1, err));
done:
  close_table(&r);
  return status;
}

/* The rows of the last step of bodies.csv: "stick_x". */
static prc_status collect_bodies(cli_sweep_state *s, int member, prc_error *err) {
  prc_status status = PRC_OK;
  reader r;
  double last = NAN;
  int n = 0;
  prc_try(open_table(s->member[member].folder, "bodies.csv", &r, err));
  const int step = column_of(&r, "step"), body = column_of(&r, "body");
  if (step < 0 || body < 0) goto done;
  while (next_row(&r)) n = r.value[step] == last ? n + 1 : 1, last = r.value[step];
  rewind(r.file);
  for (int head = 1; next_row(&r); head = 0) {
    if (head || r.value[step] != last) continue;
    const char *name = r.line;
    for (int k = 0; k < body && name; k++) name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL;
    for (int k = body + 1; k < r.n && name; k++) {
      char column[256];
      snprintf(column, sizeof column, "%.*s_%s", (int)strcspn(name, ","), name, r.name[k]);
      prc_try(set_value(s, member, column, r.value[k], n <= FEW_BODIES, err));
    }
  }
done:
  close_table(&r);
  return status;
}

/* ---- the certificate ----------------------------------------------------------------------------------- */

/* A text behind `key` in a line of certificate.json, which has one entry a line. */
static int text_in(const char *line, const char *key, char *out, size_t size) {
  const char *at = strstr(line, key);
  if (!at) return 0;
  at += strlen(key);
  snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
  return 1;
}

void cli_sweep_certificate(const char *folder, char verdict[32], char *fails, size_t size) {
  char path[8192], name[64] = "", of[32], *line = NULL;
  size_t room = 0;
  snprintf(path, sizeof path, "%s/certificate.json", folder);
  FILE *file = fopen(path, "re");
  verdict[0] = fails[0] = '\0';
  while (file && getline(&line, &room, file) > 0) {
    text_in(line, "\"name\": \"", name, sizeof name);
    if (!text_in(line, "\"verdict\": \"", of, sizeof of)) continue;
    if (!*verdict)
      snprintf(verdict, 32, "%s", of); /* the first is that of the whole */
    else if (strcmp(of, strcmp(verdict, "fail") == 0 ? "fail" : "noted") == 0)
      prc_append(fails, size, "%s%s", *fails ? ", " : "", name);
  }
  if (file) fclose(file);
  free(line);
}

prc_status cli_sweep_collect(cli_sweep_state *s, int member, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(collect_energy(s, member, err));
  prc_try(collect_forces(s, member, err));
  prc_try(collect_probes(s, member, err));
  prc_try(collect_bodies(s, member, err));
done:
  return status;
}

void cli_sweep_free_values(cli_sweep_state *s) {
  for (int k = 0; k < s->n_values; k++) {
    prc_delete(&s->end[k].name);
    prc_delete(&s->end[k].value);
  }
  prc_delete(&s->end);
  s->n_values = 0, s->room = 0;
}

/* ---- sweep.csv and sweep.json -------------------------------------------------------------------------- */

/* A key or a name as a head of CSV: a comma in it would be one between columns. */
static prc_status add_head(prc_bytes *head, const char *name, prc_error *err) {
  prc_status status = PRC_OK;
  if (head->used) prc_try(prc_bytes_print(head, err, ","));
  if (!strpbrk(name, ",\"")) return prc_bytes_print(head, err, "%s", name);
  prc_try(prc_bytes_print(head, err, "\""));
  for (; *name; name++) prc_try(prc_bytes_print(head, err, *name == '"' ? "\"\"" : "%c", *name));
  prc_try(prc_bytes_print(head, err, "\""));
done:
  return status;
}

static const char *state_of(const cli_member *m) {
  static const char *const name[] = {
      [CLI_MEMBER_CERTIFIED] = "done",  [CLI_MEMBER_WAITING] = "waiting", [CLI_MEMBER_NOT_CERTIFIED] = "done",
      [CLI_MEMBER_STOPPED] = "stopped", [CLI_MEMBER_FAILED] = "failed",   [CLI_MEMBER_WRONG] = "failed",
      [CLI_MEMBER_NOTED] = "done"};
  return name[m->end];
}

static int is_done(const cli_member *m) {
  return cli_member_is_done(m->end);
}

enum { AFTER = 5 };
static const char *const after[AFTER] = {"certificate", "steps", "state", "folder", "reason"};

static prc_status write_row(const cli_sweep_state *s, int i, prc_output_csv *table, prc_output_value *row,
                            prc_error *err) {
  const cli_member *m = &s->member[i];
  char verdict[32] = "", fails[512] = "";
  cli_identity there = {0};
  int n = 0;
  prc_folder *folder = NULL;
  prc_error absent = {0};
  if (m->end != CLI_MEMBER_WAITING && prc_folder_open(m->folder, &folder, &absent) == PRC_OK)
    cli_identity_read(folder, "run.json", &there);
  prc_folder_close(&folder);
  if (is_done(m)) cli_sweep_certificate(m->folder, verdict, fails, sizeof fails);
  for (int k = 0; k < s->axes.n_keys; k++)
    row[n++] = (prc_output_value){.text = cli_axes_value(&s->axes, i, k)};
  for (int k = 0; k < s->n_values; k++) {
    const double value = s->end[k].value[i];
    row[n] = (prc_output_value){.number = value};
    if (isnan(value)) row[n] = (prc_output_value){.text = ""};
    n++;
  }
  row[n++] = (prc_output_value){.text = verdict};
  row[n++] = (prc_output_value){.number = there.steps};
  row[n++] = (prc_output_value){.text = state_of(m)};
  row[n++] = (prc_output_value){.text = s->name[i]};
  row[n++] = (prc_output_value){.text = *m->reason ? m->reason : fails};
  return prc_output_csv_values(table, n, row, err);
}

prc_status cli_sweep_write(const cli_sweep_state *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes head = {0};
  prc_output_csv *table = NULL;
  prc_output_value *row = NULL;
  prc_try(prc_new(&row, s->axes.n_keys + s->n_values + AFTER, err));
  for (int k = 0; k < s->axes.n_keys; k++) prc_try(add_head(&head, s->axes.key[k].key, err));
  for (int k = 0; k < s->n_values; k++) prc_try(add_head(&head, s->end[k].name, err));
  for (int k = 0; k < AFTER; k++) prc_try(add_head(&head, after[k], err));
  prc_try(prc_output_csv_open(s->folder, "sweep.csv", head.at, -1, &table, err));
  for (int i = 0; i < s->n; i++) prc_try(write_row(s, i, table, row, err));
done:
  if (table && prc_output_csv_close(&table, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  prc_delete(&head.at);
  prc_delete(&row);
  return status;
}

prc_status cli_sweep_write_record(const cli_sweep_state *s, const prc_case *c, prc_error *err) {
  prc_output_json *json = NULL;
  const prc_status status = prc_output_json_open(s->folder, "sweep.json", &json, err);
  if (status != PRC_OK) return status;
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_text(json, "program", "percuss");
  prc_output_json_text(json, "version", PACKAGE_VERSION);
  prc_output_json_text(json, "case_file", c->path);
  prc_output_json_text(json, "name", c->name);
  prc_output_json_text(json, "units", c->units ? c->units : "");
  prc_output_json_integer(json, "members", s->n);
  prc_output_json_begin(json, "axes", '['); /* of each the keys, which change together */
  for (int axis = 0; axis < s->axes.n_axes; axis++) {
    prc_output_json_begin(json, NULL, '[');
    for (int k = 0; k < s->axes.n_keys; k++)
      if (s->axes.key[k].axis == axis) prc_output_json_text(json, NULL, s->axes.key[k].key);
    prc_output_json_end(json);
  }
  prc_output_json_end(json);
  prc_output_json_end(json);
  return prc_output_json_close(&json, err);
}

/* ---- on the terminal ----------------------------------------------------------------------------------- */

enum { MANY = 200 }; /* of more members those that are certified are not printed */

void cli_sweep_print(const cli_sweep_state *s) {
  char verdict[32], fails[512];
  int width = 6;
  for (int i = 0; i < s->n; i++) width = (int)fmax(width, (double)strlen(s->name[i]));
  printf("%-*s", width, "member");
  for (int k = 0; k < s->n_values && s->quantities; k++)
    cli_print(stdout, " %*s", (int)fmax(16.0, (double)strlen(s->end[k].name)), s->end[k].name);
  printf("  certificate\n");
  for (int i = 0; i < s->n; i++) {
    const cli_member *m = &s->member[i];
    if (s->n > MANY && m->end == CLI_MEMBER_CERTIFIED) continue;
    cli_print(stdout, "%-*s", width, s->name[i]);
    for (int k = 0; k < s->n_values && s->quantities; k++) {
      char text[64] = "-";
      if (!isnan(s->end[k].value[i])) snprintf(text, sizeof text, "%.9g", s->end[k].value[i]);
      printf(" %*s", (int)fmax(16.0, (double)strlen(s->end[k].name)), text);
    }
    cli_sweep_certificate(m->folder, verdict, fails, sizeof fails);
    cli_print(stdout, "  %s%s%s\n", is_done(m) ? verdict : state_of(m), is_done(m) && *fails ? ": " : "",
              is_done(m) ? fails : "");
  }
}

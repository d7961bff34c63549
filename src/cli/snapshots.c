#include "config.h"
#include "base/order.h"
#include "cli/continued.h"
#include "cli/force_arrows.h"
#include "cli/force_lines.h"
#include "cli/measures.h"
#include "cli/pieces.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Snapshots for ParaView: the fields of all bodies, and beside them the forces between rigid ones. The state is copied, so that the run can go on while a second
 * thread makes the fields and writes them. */

#define SNAPSHOTS "vtu" /* their folder */

/* Files of one kind over time, and the collection that lists them. */
typedef struct {
  const char *list, *begin;
  prc_output_pvd *pvd; /* NULL: there are none */
} series;

struct cli_snapshots {
  const prc_scene *scene;
  const prc_ranks *ranks; /* each writes a piece; NULL: there is one process */
  prc_folder *folder;     /* vtu */
  cli_pieces_options options;
  prc_background *background; /* NULL: written in place */
  cli_pieces *pieces;         /* what the bodies show */
  series fields, forces;
  double t; /* the state */
  int step;
  cli_shown shown;
  int in_space; /* forces are arrows there */
  cli_force_lines lines;
  cli_force_arrows arrows;
  double listed;      /* prc_clock() when the collection was last written */
  prc_error unlisted; /* why it was not, the first time */
  int is_unlisted;    /* the same, for the thread that computes */
};

static void name_listed(const cli_snapshots *s, const series *of, int step, char name[64]) {
  snprintf(name, 64, SNAPSHOTS "/%s%08d%s", of->begin, step, s->ranks ? ".pvtu" : ".vtu");
}

static void name_piece(const series *of, int step, int rank, char name[64]) {
  snprintf(name, 64, "%s%08d-%04d.vtu", of->begin, step, rank);
}

static prc_status create_collection(series *of, const cli_run_state *run, int resumed, prc_error *err) {
  const prc_status status = prc_output_pvd_create(run->results, of->list, &of->pvd, err);
  if (status != PRC_OK || !resumed || faccessat(prc_folder_descriptor(run->results), of->list, F_OK, 0) != 0)
    return status; /* the first part had no snapshots */
  return prc_output_pvd_restore(of->pvd, prc_stepper_record(run->stepper)->t, err);
}

/* The steps of the snapshots that are there, up to the present one. */
static prc_status find_snapshots(const cli_snapshots *s, const series *of, int last, int **step, size_t *n,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  const size_t begin = strlen(of->begin);
  size_t capacity = 0;
  const int descriptor = openat(prc_folder_descriptor(s->folder), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *open = descriptor >= 0 ? fdopendir(descriptor) : NULL;
  for (const struct dirent *entry; open && status == PRC_OK && (entry = readdir(open));) {
    int k, length = 0;
    if (strncmp(entry->d_name, of->begin, begin) != 0) continue;
    const char *rest = entry->d_name + begin;
    if (sscanf(rest, s->ranks ? "%9d.pvtu%n" : "%9d.vtu%n", &k, &length) != 1 || length == 0 || rest[length]
        || k > last)
      continue;
    status = prc_grow(step, &capacity, *n + 1, sizeof **step, err);
    if (status == PRC_OK) (*step)[(*n)++] = k;
  }
  if (!open)
    status = prc_fail(err, PRC_IO, "%s: cannot be listed: %s", prc_folder_path(s->folder), strerror(errno));
  if (open)
    closedir(open);
  else if (descriptor >= 0)
    close(descriptor);
  if (*n > 0) qsort(*step, *n, sizeof **step, prc_by_int);
  return status;
}

/* Snapshots that were written but not listed before the run ended are listed now. */
static prc_status complete_collection(const cli_snapshots *s, const series *of, const cli_run_state *run,
                                      prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const double h = prc_stepper_options(run->stepper)->h, listed = prc_output_pvd_last(of->pvd);
  int *step = NULL;
  size_t n = 0;
  if (run->c->time.longest > 0.0) return PRC_OK; /* their times are not known */
  prc_try(find_snapshots(s, of, r->step, &step, &n, err));
  for (size_t k = 0; k < n; k++) {
    char name[64];
    if (step[k] * h <= listed + 1e-12 * fabs(listed)) continue;
    name_listed(s, of, step[k], name);
    prc_try(prc_output_pvd_add(of->pvd, step[k] * h, name, err));
  }
done:
  prc_delete(&step);
  return status;
}

static prc_status create_series(cli_snapshots *s, const cli_run_state *run, int resumed, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(create_collection(&s->fields, run, resumed, err));
  if (resumed) prc_try(complete_collection(s, &s->fields, run, err));
  if ((!run->measures && !s->in_space) || run->c->n_contacts == 0) return PRC_OK;
  prc_try(create_collection(&s->forces, run, resumed, err));
  if (resumed) prc_try(complete_collection(s, &s->forces, run, err));
done:
  return status;
}

/* Friction is more than a number, or two curves meet: then both sides show what is between them. */
static int shows_sides(const cli_run_state *run) {
  int shows = 0, rubs, interface;
  for (int g = 0; g < run->c->n_contacts && run->system->contacts.dim == 2; g++) {
    (void)cli_rubbing_law(run, run->c->contact_group[g].name, &rubs, &interface);
    shows |= rubs || interface;
  }
  return shows && run->c->mesh.file;
}

static prc_status make_room_for_sides(cli_snapshots *s, const cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = run->system->space.nv;
  if (!shows_sides(run)) return PRC_OK;
  prc_try(prc_new(&s->shown.force, n, err));
  prc_try(prc_new(&s->shown.weight, n, err));
  for (int k = 0; k < PRC_VIEW_RUBS; k++) prc_try(prc_new(&s->shown.rubs[k], n, err));
done:
  return status;
}

prc_status cli_snapshots_create(cli_run_state *run, int resumed, prc_error *err) {
  prc_status status = PRC_OK;
  cli_snapshots *s = NULL;
  if (run->c->output.every == 0) return PRC_OK;
  prc_try(prc_new(&s, 1, err));
  s->scene = run->model->scene;
  s->options = (cli_pieces_options){.writer = run->writer,
                                    .form = cli_output_form(run),
                                    .fields = run->c->output.fields,
                                    .regions = run->c->output.regions,
                                    .own = run->share != NULL};
  s->ranks = run->share ? run->share->ranks : NULL;
  s->in_space = run->system->contacts.dim >= 3;
  s->fields.list = "solution.pvd", s->fields.begin = "step-";
  s->forces.list = "forces.pvd", s->forces.begin = "forces-";
  prc_try(prc_folder_open_below(run->results, SNAPSHOTS, 1, &s->folder, err));
  s->listed = -INFINITY;
  prc_try(prc_new(&s->shown.q, prc_system_coordinates(run->system), err));
  prc_try(prc_new(&s->shown.v, run->system->space.nv, err));
  if (run->measures) prc_try(prc_new(&s->shown.neighbours, cli_measures_bodies(run->measures), err));
  prc_try(make_room_for_sides(s, run, err));
  prc_try(cli_pieces_create(s->scene, &s->options, &s->pieces, err));
  if (cli_ranks_write(run)) prc_try(create_series(s, run, resumed, err));
  if (!run->share && run->threads > 1
      && !prc_stepper_facts(run->stepper).linear.shared) /* else they all have work */
    prc_try(prc_background_create(&s->background, err));
  run->snapshots = s, s = NULL;
done:
  cli_snapshots_free(&s);
  return status;
}

void cli_snapshots_free(cli_snapshots **snapshots) {
  cli_snapshots *s = *snapshots;
  if (!s) return;
  prc_background_free(&s->background);
  cli_pieces_free(&s->pieces);
  prc_output_pvd_free(&s->fields.pvd);
  prc_output_pvd_free(&s->forces.pvd);
  cli_force_lines_free(&s->lines);
  cli_force_arrows_free(&s->arrows);
  prc_delete(&s->shown.neighbours);
  prc_folder_close(&s->folder);
  prc_delete(&s->shown.q);
  prc_delete(&s->shown.v);
  prc_delete(&s->shown.contact);
  prc_delete(&s->shown.force);
  prc_delete(&s->shown.weight);
  for (int k = 0; k < PRC_VIEW_RUBS; k++) prc_delete(&s->shown.rubs[k]);
  prc_delete(snapshots);
}

static prc_status copy_measures(cli_snapshots *s, const cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  if (s->in_space && s->forces.pvd) prc_try(cli_force_arrows_copy(run, &s->arrows, err));
  if (!run->measures) return PRC_OK;
  prc_try(cli_measures_update(run, err));
  const size_t n = (size_t)cli_measures_bodies(run->measures);
  memcpy(s->shown.neighbours, cli_measures_neighbours(run->measures), n * sizeof *s->shown.neighbours);
  if (s->forces.pvd && !s->in_space) prc_try(cli_force_lines_copy(run, &s->lines, err));
done:
  return status;
}

/* Means over the contacts of a dof, by the size of its columns in H; forces are H'p/h. */
static void copy_sides(cli_shown *to, const prc_step_record *r, size_t n) {
  const prc_rows *H = &r->contacts->H;
  memset(to->force, 0, n * sizeof *to->force);
  memset(to->weight, 0, n * sizeof *to->weight);
  for (int k = 0; k < PRC_VIEW_RUBS; k++) memset(to->rubs[k], 0, n * sizeof *to->rubs[k]);
  for (int c = 0; c < r->n_contacts; c++) {
    const int count = H->start[c + 1] - H->start[c];
    const double *x = H->x + 2 * H->start[c];
    for (int d = 0; d < count; d++) {
      const int i = H->dof[H->start[c] + d];
      const double weight = fabs(x[d]) + fabs(x[count + d]);
      to->force[i] += (x[d] * to->contact[c].p[0] + x[count + d] * to->contact[c].p[1]) / r->h;
      to->weight[i] += weight;
      for (int k = 0; k < PRC_VIEW_RUBS; k++) to->rubs[k][i] += weight * to->contact[c].rubs[k];
    }
  }
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < PRC_VIEW_RUBS && to->weight[i] > 0.0; k++) to->rubs[k][i] /= to->weight[i];
}

/* Nodes that a neighbour carries show what it does; forces are its own. */
static prc_status copy_carried(cli_shown *to, const cli_run_state *run, prc_error *err) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  for (int l = 0; l < run->diagrams.n_lines; l++) {
    const cli_line *line = &run->diagrams.line[l];
    const prc_body_view *view = line->body->kind->view;
    int first, feature;
    const int n = line->interface ? prc_scene_places(set, line->surface, &first) : 0;
    for (int i = 0; i < line->n && n > 0; i++) {
      const int j = view->line_carrier(line->body->self, line->own, i, &feature);
      int c = first;
      if (j < 0 || j == i) continue;
      while (c < first + n
             && view->line_candidate(line->body->self, line->own, (int)set->id[c].feature_b) != j)
        c++;
      if (c == first + n) continue;
      const prc_status status =
          prc_grow(&to->contact, &to->capacity, (size_t)to->n_contacts + 1, sizeof *to->contact, err);
      if (status != PRC_OK) return status;
      cli_shown_contact shown = to->contact[c];
      shown.feature = feature, shown.p[0] = shown.p[1] = 0.0;
      to->contact[to->n_contacts++] = shown;
    }
  }
  return PRC_OK;
}

static prc_status copy_state(cli_snapshots *s, const cli_run_state *run, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_contact_set *set = r->contacts;
  cli_shown *to = &s->shown;
  const prc_status status =
      prc_grow(&to->contact, &to->capacity, (size_t)r->n_contacts, sizeof *to->contact, err);
  if (status != PRC_OK) return status;
  s->step = r->step, s->t = r->t, to->h = r->h;
  memcpy(to->q, r->q, (size_t)prc_system_coordinates(run->system) * sizeof *to->q);
  prc_stepper_state(run->stepper, to->v, NULL, NULL);
  const int start = cli_is_start(run);
  to->n_contacts = r->n_contacts;
  for (int c = 0; c < r->n_contacts; c++)
    to->contact[c] =
        (cli_shown_contact){.surface = set->id[c].a,
                            .body = set->body[2 * c + 1],
                            .feature = (int)set->id[c].feature_b,
                            .status = r->status[c],
                            .gap = r->gap[c],
                            .p = {start ? 0.0 : r->p[set->dim * c], start ? 0.0 : r->p[set->dim * c + 1]}};
  cli_rubbing rubbing = {.record = r};
  for (int c = 0; c < r->n_contacts && to->force; c++) {
    const double of[PRC_VIEW_RUBS] = {cli_slip_of(run, c), cli_rubbing_of(&rubbing, c),
                                      set->state[PRC_LAW_STATE * c]};
    memcpy(to->contact[c].rubs, of, sizeof of);
  }
  if (to->force) copy_sides(to, r, (size_t)run->system->space.nv);
  const prc_status carried = copy_carried(to, run, err);
  return carried == PRC_OK ? copy_measures(s, run, err) : carried;
}

/* The collections are replaced at most twice a second: that may cost more than the snapshot, because they are
 * forced to the disk. */
static void list_snapshots(cli_snapshots *s) {
  if (prc_clock() - s->listed < 0.5) return;
  s->listed = prc_clock();
  (void)!prc_output_pvd_write(s->fields.pvd, &s->unlisted);
  if (s->forces.pvd) (void)!prc_output_pvd_write(s->forces.pvd, &s->unlisted);
}

static void name_of_piece(const void *of, int rank, char name[64]) {
  const cli_snapshots *s = of;
  name_piece(&s->fields, s->step, rank, name);
}

static prc_status write_snapshot(void *data, prc_error *err) {
  cli_snapshots *s = data;
  prc_status status = PRC_OK;
  char fields[64], forces[64];
  name_listed(s, &s->fields, s->step, fields);
  name_listed(s, &s->forces, s->step, forces);
  if (s->ranks) {
    char piece[64];
    name_piece(&s->fields, s->step, s->ranks->rank, piece);
    prc_try(cli_pieces_write(s->pieces, &s->shown, s->folder, piece, err));
    if (s->ranks->rank > 0) return PRC_OK;
    prc_try(
        cli_pieces_list(s->pieces, s->folder, fields + sizeof SNAPSHOTS, s->ranks->n, name_of_piece, s, err));
  } else
    prc_try(cli_pieces_write(s->pieces, &s->shown, s->folder, fields + sizeof SNAPSHOTS, err));
  prc_try(prc_output_pvd_add(s->fields.pvd, s->t, fields, err));
  if (s->forces.pvd) {
    const char *name = forces + sizeof SNAPSHOTS;
    prc_try(
        s->in_space
            ? cli_force_arrows_write(&s->arrows, s->options.writer, &s->options.form, s->folder, name, err)
            : cli_force_lines_write(&s->lines, s->options.writer, &s->options.form, s->folder, name, err));
    prc_try(prc_output_pvd_add(s->forces.pvd, s->t, forces, err));
  }
  list_snapshots(s);
done:
  return status;
}

prc_output_form cli_output_form(const cli_run_state *run) {
  return (prc_output_form){run->c->output.single, run->c->output.compression};
}

/* Is the present time in one of the windows? A step ends where it should to a few roundings. */
static int is_in_window(const cli_run_state *run) {
  const double t = prc_stepper_record(run->stepper)->t, *window = run->c->output.window;
  const double rounding = 1e-9 * run->c->time.step;
  for (int k = 0; k < run->c->output.n_window; k += 2)
    if (t >= window[k] - rounding && t <= window[k + 1] + rounding) return 1;
  return run->c->output.n_window == 0;
}

prc_status cli_snapshots_add(cli_run_state *run, prc_error *err) {
  cli_snapshots *s = run->snapshots;
  if (!is_in_window(run)) return PRC_OK;
  prc_status status = prc_background_wait(s->background, err);
  if (status != PRC_OK) return status;
  s->is_unlisted = s->unlisted.status != PRC_OK; /* the thread that writes is at rest */
  status = copy_state(s, run, err);
  if (status == PRC_OK) status = prc_background_begin(s->background, write_snapshot, s, err);
  if (!s->background) s->is_unlisted = s->unlisted.status != PRC_OK;
  return status;
}

int cli_snapshots_unlisted(const cli_run_state *run) {
  return run->snapshots && run->snapshots->is_unlisted;
}

prc_status cli_snapshots_wait(const cli_run_state *run, prc_error *err) {
  return run->snapshots ? prc_background_wait(run->snapshots->background, err) : PRC_OK;
}

prc_status cli_snapshots_list(const cli_run_state *run, prc_error *err) {
  if (!run->snapshots || !cli_ranks_write(run)) return PRC_OK;
  const prc_error *before = &run->snapshots->unlisted;
  prc_status status = prc_output_pvd_write(run->snapshots->fields.pvd, err);
  if (status == PRC_OK && run->snapshots->forces.pvd)
    status = prc_output_pvd_write(run->snapshots->forces.pvd, err);
  if (status == PRC_OK && before->status != PRC_OK)
    return prc_fail(err, before->status, "%s", before->message);
  return status;
}

int cli_snapshots_in_background(const cli_run_state *run) {
  return run->snapshots && run->snapshots->background;
}

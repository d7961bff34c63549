#include "config.h"
#include "cli/continued.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- where things are ------------------------------------------------------------------------------------ */

static cli_continued_sums sums_of(const prc_kept_mesh *mesh, const double *q, const double *m) {
  cli_continued_sums s = {.kinetic = NAN, .elastic = NAN, .mass = mesh->mass};
  prc_kept_momenta(mesh, q, m, s.momentum, &s.angular);
  return s;
}

/* The mesh's own coordinates come first, those of other bodies and obstacles behind. */
static prc_status carry_over(cli_run_state *run, size_t now, double *q, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  cli_continued *k = run->continued;
  const size_t n_q = (size_t)prc_system_coordinates(run->system), n_v = (size_t)run->system->space.nv,
               old = k->mesh.n_x;
  if (k->n_q - old != n_q - now || k->n_v - old != n_v - now)
    return prc_case_fail(run->c, &run->c->initial.place, err,
                         "initial.run: '%s' has %zu unknowns beside those of the mesh, this case has %zu; "
                         "expected the same bodies, beams and obstacles that move",
                         k->path, k->n_v - old, n_v - now);
  const double *const in[] = {k->q, k->v};
  double *const out[] = {q, v};
  status = prc_scene_carry(run->model->scene, &k->mesh, 2, in, out, &k->outside, err);
  if (status != PRC_OK) prc_error_context(err, "initial.run: the mesh of '%s'", k->folder);
  prc_try(status);
  memcpy(q + now, k->q + old, (k->n_q - old) * sizeof *q);
  memcpy(v + now, k->v + old, (k->n_v - old) * sizeof *v);
  k->before = sums_of(&k->mesh, k->q, k->m);
  if (k->n_ledger == prc_ledger_size())
    prc_ledger_energies(k->ledger, &k->before.kinetic, &k->before.elastic);
done:
  return status;
}

static prc_status read_mesh(const cli_run_state *run, cli_continued *k, prc_error *err) {
  double places;
  const prc_status status = cli_kept_mesh_read(k->folder, &k->mesh, &places, err);
  if (status != PRC_OK) return status;
  if (places == k->id[ID_PLACES] && k->mesh.n_x <= k->n_q && k->mesh.n_x <= k->n_v) return PRC_OK;
  return prc_case_fail(run->c, &run->c->initial.place, err,
                       "initial.run: '%s' is not of the mesh in %s/" CLI_KEPT_MESH
                       ", expected a state of that run",
                       k->path, k->folder);
}

/* Of load steps v is the rate of the last: no velocity. */
static int is_of_load_steps(const cli_continued *k) {
  return k->id[ID_LAW] == CLI_CHECKPOINT_STATIC || k->id[ID_LAW] < 0.0;
}

/* x[k] becomes x[from[k]]. */
static prc_status reorder(double **x, size_t n, const size_t *from, prc_error *err) {
  double *ordered = NULL;
  const prc_status status = prc_new(&ordered, n, err);
  if (status != PRC_OK) return status;
  for (size_t k = 0; k < n; k++) ordered[k] = (*x)[from[k]];
  prc_delete(x);
  *x = ordered;
  return PRC_OK;
}

static prc_status check_parts(const cli_continued *k, const cli_parts *there, prc_error *err) {
  double n_v = 0.0, n_q = 0.0;
  for (int i = 0; i < there->n; i++)
    n_v += fabs(there->size[i]), n_q += fabs(there->size[i]) + (there->size[i] < 0.0);
  if (n_v == (double)k->n_v && n_q == (double)k->n_q) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "%s is damaged: its bodies have %g velocities, it has %zu", k->path, n_v,
                  k->n_v);
}

/* Vectors of the state become those of the case's order: bodies are found by their names. */
static prc_status arrange(const cli_run_state *run, cli_continued *k, prc_error *err) {
  prc_status status = PRC_OK;
  cli_parts there = {0};
  size_t *from_q = NULL, *from_v = NULL;
  double **const of_v[] = {&k->v, &k->m, &k->f};
  prc_try(cli_parts_get(k->store, k->path, &there, err));
  prc_try(check_parts(k, &there, err));
  prc_try(cli_parts_match(run, &there, k->path, &from_q, &from_v, err));
  k->reordered = from_q != NULL;
  if (!k->reordered) goto done;
  prc_try(reorder(&k->q, k->n_q, from_q, err));
  for (int i = 0; i < 3; i++) prc_try(reorder(of_v[i], k->n_v, from_v, err));
done:
  cli_parts_free(&there);
  prc_delete(&from_q);
  prc_delete(&from_v);
  return status;
}

static prc_status place(cli_run_state *run, double *q, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  cli_continued *k = run->continued;
  const size_t n_q = (size_t)prc_system_coordinates(run->system), n_v = (size_t)run->system->space.nv;
  prc_kept_mesh own = {0};
  char mesh[CLI_CONTINUED_PATH + 16];
  prc_try(arrange(run, k, err));
  k->same_mesh = k->n_q == n_q && k->n_v == n_v && k->id[ID_PLACES] == cli_checkpoint_places(run->model);
  if (k->same_mesh) {
    memcpy(q, k->q, n_q * sizeof *q);
    memcpy(v, k->v, n_v * sizeof *v);
    return cli_checkpoint_quaternions(k->path, run, q, err);
  }
  prc_try(prc_scene_keep(run->model->scene, &own, err));
  if (own.n_x == 0)
    return prc_case_fail(run->c, &run->c->initial.place, err,
                         "initial.run: '%s' has %zu unknowns, this case has %zu; expected the same bodies, "
                         "beams and obstacles that move, in the same order",
                         k->path, k->n_v, n_v);
  snprintf(mesh, sizeof mesh, "%s/" CLI_KEPT_MESH, k->folder);
  if (access(mesh, R_OK) != 0)
    return prc_case_fail(run->c, &run->c->initial.place, err,
                         "initial.run: '%s' has another mesh or none, and there is no '%s' that says which; "
                         "expected the mesh of this case, or a folder that has it",
                         k->path, mesh);
  prc_try(read_mesh(run, k, err));
  status = carry_over(run, own.n_x, q, v, err);
done:
  prc_kept_mesh_free(&own);
  return status;
}

/* Only a run that goes on unchanged needs the rate of load steps. */
prc_status cli_continued_place(cli_run_state *run, double *q, double *v, prc_error *err) {
  const prc_status status = place(run, q, v, err);
  if (run->c->initial.kind == PRC_INITIAL_END_OF && is_of_load_steps(run->continued))
    memset(v, 0, (size_t)run->system->space.nv * sizeof *v);
  return status;
}

/* ---- the stepper ----------------------------------------------------------------------------------------- */

/* Whatever makes the steps is that of the state, and so is the clock. */
static prc_status find_same(const cli_run_state *run, cli_continued *k, prc_error *err) {
  static const int compared[] = {ID_VERSION, ID_DOFS, ID_PLACES, ID_MODEL, ID_H, ID_THETA, ID_LAW, ID_LEDGER};
  const prc_case *c = run->c;
  double mine[ID_SIZE];
  const prc_status status = cli_checkpoint_identify(run, 0, mine, err);
  const int at_its_time =
      c->time.longest > 0.0 ? cli_continued_is_at(c->initial.time, k->t) : c->time.first == k->step;
  if (status != PRC_OK) return status;
  k->same = c->initial.kind == PRC_INITIAL_CONTINUED && k->same_mesh && !k->reordered && at_its_time
            && k->n_ledger == prc_ledger_size();
  for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
    k->same &= mine[compared[i]] == k->id[compared[i]];
  return PRC_OK;
}

static prc_status go_on(cli_run_state *run, const cli_carried *with, prc_error *err) {
  const cli_continued *k = run->continued;
  const prc_case *c = run->c;
  const int same = k && k->same, varies = c->time.longest > 0.0;
  const double h = c->time.step;
  const prc_step_clock clock = same ? k->clock : (prc_step_clock){c->initial.time, 0.0, h, h};
  prc_step_state state = {.step = !varies ? c->time.first
                                  : same  ? k->step
                                          : 0,
                          .clock = &clock,
                          .q = run->q_start,
                          .v = run->v_start,
                          .m = same ? k->m : NULL,
                          .f = same ? k->f : NULL,
                          .speed = same ? k->speed : 0.0};
  if (with) {
    state.n_contacts = with->n, state.id = with->id, state.p = with->p, state.state = with->state;
    state.place = with->place, state.axes = with->axes;
    state.lasts = with->lasts, state.n_away = with->n_away, state.away = with->away;
    if (with->n_kept == prc_stepper_record(run->stepper)->contacts->n_kept) state.kept = with->kept;
  }
  return prc_stepper_continue(run->stepper, &state, err);
}

static prc_status get_vector(void *from, const char *name, size_t n, double *values, prc_error *err) {
  const cli_continued *k = from;
  prc_error other = {0};
  const int may_lack = strcmp(name, "overlaps") == 0; /* of other contacts: they are looked at at once */
  const prc_status status = prc_output_store_get(k->store, name, n, values, may_lack ? &other : err);
  if (status != PRC_OK && may_lack) {
    memset(values, 0, n * sizeof *values);
    return PRC_OK;
  }
  return status == PRC_OK ? cli_checkpoint_finite(k->path, name, n, values, err) : status;
}

/* Percussions are forces times steps. */
static void scale_percussions(const cli_run_state *run, cli_continued *k) {
  const double ratio = run->c->time.step / k->clock.h;
  if (k->same || ratio == 1.0) return;
  for (int i = 0; i < k->carried.dim * k->carried.n; i++) k->carried.p[i] *= ratio;
}

/* A contact that has another law now begins with its state; the stepper stands at the start, without what contacts carry. */
static void begin_other_laws(const cli_run_state *run, cli_continued *k) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  for (int i = 0; i < k->carried.n; i++) {
    const int c = prc_contact_set_place(set, &k->carried.id[i]);
    if (c < 0 || k->law[i] == cli_kept_law(set->law[c])) continue;
    memcpy(k->carried.state + PRC_LAW_STATE * i, set->state + PRC_LAW_STATE * c,
           PRC_LAW_STATE * sizeof *set->state);
  }
}

/* Of the contacts that carry something the nearest of the same two surfaces; -1: there is none. */
static int nearest(const cli_carried *carried, const prc_contact_set *set, int c) {
  const double *x = set->place + 3 * c;
  double least = INFINITY;
  int found = -1;
  for (int i = 0; i < carried->n; i++) {
    const double *y = carried->place + 3 * i;
    if (carried->id[i].a != set->id[c].a || carried->id[i].b != set->id[c].b) continue;
    const double far = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
    if (far < least) least = far, found = i;
  }
  return found;
}

static prc_status allocate(cli_carried *out, int n, int dim, prc_error *err) {
  prc_status status = PRC_OK;
  *out = (cli_carried){.dim = dim};
  prc_try(prc_new(&out->id, n, err));
  prc_try(prc_new(&out->p, (size_t)n * (size_t)dim, err));
  prc_try(prc_new(&out->state, (size_t)n * PRC_LAW_STATE, err));
  prc_try(prc_new(&out->slip, n, err));
  prc_try(prc_new(&out->place, 3 * (size_t)n, err));
done:
  return status;
}

/* To the contacts of another mesh: states of friction and slips of the nearest, and to those that are closed percussions too, by which the solver
 * begins. */
static prc_status map_contacts(const cli_run_state *run, cli_continued *k, prc_error *err) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  const double closed = prc_stepper_options(run->stepper)->gap_tolerance;
  const int dim = k->carried.dim;
  cli_carried to = {0};
  const prc_status status = allocate(&to, set->n, dim, err);
  for (int c = 0; status == PRC_OK && c < set->n; c++) {
    const int i = nearest(&k->carried, set, c);
    if (i < 0) continue;
    const int is_same_law = k->law[i] == cli_kept_law(set->law[c]), n = to.n++;
    const double *state = is_same_law ? k->carried.state + PRC_LAW_STATE * i : set->state + PRC_LAW_STATE * c;
    to.id[n] = set->id[c], to.slip[n] = k->carried.slip[i];
    memcpy(to.state + PRC_LAW_STATE * n, state, PRC_LAW_STATE * sizeof *state);
    memcpy(to.place + 3 * n, set->place + 3 * c, 3 * sizeof *to.place);
    if (set->gap[c] <= closed) memcpy(to.p + dim * n, k->carried.p + dim * i, (size_t)dim * sizeof *to.p);
  }
  cli_carried_free(&k->carried);
  k->carried = to;
  return status;
}

/* Do the places tell contacts apart? Those of obstacles that move are known at outputs alone. */
static int places_differ(int n, const double *place) {
  for (int i = 1; i < n; i++)
    for (int d = 0; d < 3; d++)
      if (place[3 * i + d] != place[d]) return 1;
  return n < 2;
}

static cli_continued_memory find_memory(const cli_run_state *run, const cli_continued *k) {
  const double *mine = run->kept_contacts, *old = k->contacts;
  const int dim = prc_stepper_record(run->stepper)->contacts->dim;
  if (run->c->initial.kind != PRC_INITIAL_CONTINUED) return CLI_MEMORY_NOT_ASKED;
  if (k->reordered) return CLI_MEMORY_ORDER;
  if (!k->knows_contacts) return CLI_MEMORY_ABSENT;
  if (old[KEPT_NAMES] != mine[KEPT_NAMES]) return CLI_MEMORY_NAMES;
  if (k->carried.n > 0 && k->carried.dim != dim) return CLI_MEMORY_PLACES;
  if (!k->same_mesh) {
    const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
    const int known = places_differ(k->carried.n, k->carried.place) && places_differ(set->n, set->place);
    return known ? CLI_MEMORY_MAPPED : CLI_MEMORY_PLACES;
  }
  return old[KEPT_PLACES] == mine[KEPT_PLACES] ? CLI_MEMORY_KEPT : CLI_MEMORY_PLACES;
}

/* Forces on free unknowns that no contact touches. */
static prc_status find_balance(const cli_run_state *run, cli_continued *k, int n, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_contact_set *set = r->contacts;
  double lack = 0.0, all = 0.0;
  char *taken = NULL;
  const prc_status status = prc_new(&taken, r->n, err);
  if (status != PRC_OK) return status;
  for (int i = 0; set->n > 0 && i < set->H.start[set->n]; i++) taken[set->H.dof[i]] = 1;
  for (int i = 0; i < run->system->drive.n; i++) taken[run->system->drive.dof[i]] = 1;
  for (int i = 0; i < n; i++) {
    all += r->f[i] * r->f[i];
    if (!taken[i]) lack += (r->F[i] - r->f[i]) * (r->F[i] - r->f[i]);
  }
  k->out_of_balance = all > 0.0 ? sqrt(lack / all) : NAN;
  prc_delete(&taken);
  return PRC_OK;
}

static prc_status measure(const cli_run_state *run, cli_continued *k, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  prc_kept_mesh own = {0};
  if (k->same_mesh) return PRC_OK;
  prc_try(prc_scene_keep(run->model->scene, &own, err));
  k->after = sums_of(&own, r->q, r->m);
  k->after.kinetic = r->kinetic, k->after.elastic = r->potential;
  status = find_balance(run, k, (int)own.n_x, err);
done:
  prc_kept_mesh_free(&own);
  return status;
}

/* With contacts, twice: what they carry is given to those that are found there. */
static prc_status start_contacts(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  cli_continued *k = run->continued;
  k->memory = find_memory(run, k);
  const int carries = k->memory >= CLI_MEMORY_KEPT;
  if (carries) scale_percussions(run, k);
  prc_try(go_on(run, NULL, err));
  if (!carries) return PRC_OK;
  if (k->memory == CLI_MEMORY_KEPT) begin_other_laws(run, k);
  if (k->memory == CLI_MEMORY_MAPPED) {
    const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
    if (!places_differ(set->n, set->place)) {
      k->memory = CLI_MEMORY_PLACES;
      return PRC_OK;
    }
    prc_try(map_contacts(run, k, err));
  }
  prc_try(go_on(run, &k->carried, err));
  prc_try(cli_slip_follow(run, err));
  cli_carried_to_slip(&k->carried, run);
done:
  return status;
}

prc_status cli_continued_start(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  cli_continued *k = run->continued;
  if (!k) return go_on(run, NULL, err);
  prc_try(find_same(run, k, err));
  if (!k->same && is_of_load_steps(k))
    memset(run->v_start, 0, (size_t)run->system->space.nv * sizeof *run->v_start);
  prc_try(start_contacts(run, err));
  if (k->same) prc_try(prc_stepper_visit(run->stepper, get_vector, k, err));
  k->begins_at = prc_stepper_record(run->stepper)->step;
  status = measure(run, k, err);
done:
  return status;
}

int cli_is_start(const cli_run_state *run) {
  return run->continued && !run->resumes
         && prc_stepper_record(run->stepper)->step == run->continued->begins_at;
}

/* The sums of the run before, as long as they are those of this state: another datum may have set velocities, another law the elastic energy. */
void cli_continued_enter(cli_run_state *run) {
  cli_continued *k = run->continued;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  double kinetic, elastic;
  if (!k || !k->same) return;
  prc_ledger_energies(k->ledger, &kinetic, &elastic);
  const double off = fabs(r->kinetic - kinetic) + fabs(r->potential - elastic);
  if (off <= 1e-9 * (r->kinetic + fabs(r->potential) + kinetic + fabs(elastic)))
    prc_ledger_set_energies(run->ledger, k->ledger);
}

int cli_continued_is_whole(const cli_run_state *run) {
  return run->continued && run->continued->memory == CLI_MEMORY_KEPT;
}

/* Two sides that touched on the other mesh do so between its nodes up to the bend of their displacements alone. */
prc_status cli_continued_judge_overlaps(cli_run_state *run, prc_error *err) {
  const prc_simulation_parts parts = cli_run_parts(run);
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const double told = 1e-9 * run->system->length;
  cli_continued *k = run->continued;
  prc_status status = PRC_OK;
  prc_kept_bend *bend = NULL;
  double *slack = NULL;
  if (!k || k->same_mesh || k->mesh.n_x == 0) return prc_simulation_refuse_overlaps(&parts, NULL, err);
  prc_try(prc_new(&slack, r->n_contacts, err));
  prc_try(prc_kept_bends(&k->mesh, k->q, &bend, err));
  for (int c = 0; c < r->n_contacts; c++) {
    if (!(r->gap[c] < -told)) continue;
    slack[c] = prc_kept_bend_at(&k->mesh, bend, r->contacts->place + 3 * c);
    if (r->gap[c] < -slack[c]) continue;
    k->n_overlaps++, k->overlap = fmax(k->overlap, -r->gap[c]);
  }
  status = prc_simulation_refuse_overlaps(&parts, slack, err);
done:
  prc_delete(&bend);
  prc_delete(&slack);
  return status;
}

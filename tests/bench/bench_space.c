/* The scenes of space_scene.py by percuss: what space_bullet.cc, space_ode.c and space_siconos.py do by other programs, and what a step of it
 * costs in parts.
 *
 *   bench_space SCENE OUT [steps=N] [warm=N] [tolerance=1e-8] [sweeps=N] [settle=0] [solver=NAME] [theta=1] [law=newton] [restitution=0] [h=]
 *
 * theta = 1, Newton's law with e = 0: the step of the others. A step whose contact problem is short of its tolerance goes on with
 * the best iterate, and is counted. The ledger is entered at every step. What counts as closed is the same at every tolerance of the
 * contact problem: a ten-thousandth of the speed that gravity gives in a step, and ten times what that moves in a step. */
#include "config.h"
#include "space_scene.h"
#include "ledger/ledger.h"
#include "linear/linear.h"
#include "spatial/spatial.h"
#include "step/step.h"

/* A scene settles in steps that are shorter by this factor: what falls onto others overlaps by up to its way in a step. */
enum { SETTLE_FINER = 2 };

typedef struct {
  const space_scene *scene;
  prc_spatial_model model;
  prc_spatial_body *body; /* 0: planes, held; then those of the scene */
  prc_spatial_pairs pairs;
  prc_spatial *spatial;
  prc_stepper *stepper;
  prc_ledger *ledger;
  int *list;
  double *q;
  space_state *before, *after;
} run;

static prc_status make_planes(const space_scene *s, prc_spatial_body *planes, prc_error *err) {
  prc_status status = PRC_OK;
  prc_solid *part = NULL;
  prc_try(prc_new(&part, (size_t)s->n_planes, err));
  *planes = (prc_spatial_body){
      .name = "planes", .driven = 1, .turns = 1, .orientation = {1.0}, .axis = {0.0, 0.0, 1.0}, .part = part};
  for (int k = 0; k < s->n_planes; k++)
    prc_try(prc_solid_make_half_space(s->plane[k], s->plane[k] + 3, &part[planes->n_parts++], err));
done:
  return status;
}

static prc_status make_body(const space_body *from, prc_spatial_body *body, prc_error *err) {
  prc_status status = PRC_OK;
  static const double centre[3] = {0.0};
  prc_solid *part = NULL;
  prc_try(prc_new(&part, 1, err));
  *body = (prc_spatial_body){.name = "body", .mass = from->mass, .turns = 1, .n_parts = 1, .part = part};
  for (int k = 0; k < 3; k++) body->inertia[k] = from->inertia[k];
  memcpy(body->position, from->start.x, sizeof body->position);
  memcpy(body->orientation, from->start.q, sizeof body->orientation);
  memcpy(body->velocity, from->start.v, sizeof body->velocity);
  space_turn(from->start.q, 1, from->start.w, body->spin);
  if (from->radius > 0.0)
    prc_try(prc_solid_make_hull(1, centre, from->radius, part, err));
  else
    prc_try(prc_solid_make_box(from->edge, part, err));
done:
  return status;
}

static prc_status build(run *r, double restitution, prc_error *err) {
  prc_status status = PRC_OK;
  const space_scene *s = r->scene;
  const int n = s->n_bodies + 1;
  prc_try(prc_new(&r->body, (size_t)n, err));
  prc_try(prc_new(&r->list, (size_t)n, err));
  prc_try(prc_new(&r->before, (size_t)n, err));
  prc_try(prc_new(&r->after, (size_t)n, err));
  prc_try(make_planes(s, &r->body[0], err));
  for (int b = 1; b < n; b++) prc_try(make_body(&s->body[b - 1], &r->body[b], err));
  for (int b = 0; b < n; b++) r->list[b] = b;
  r->pairs = (prc_spatial_pairs){.name = "all",
                                 .n = {n, n},
                                 .body = {r->list, r->list},
                                 .friction = s->friction,
                                 .restitution = restitution};
  r->model = (prc_spatial_model){.n_bodies = n, .body = r->body, .n_pairs = 1, .pairs = &r->pairs};
  for (int k = 0; k < 3; k++) r->model.gravity[k] = prc_field_constant(s->gravity[k]);
  prc_try(prc_spatial_create(&r->model, &r->spatial, err));
done:
  return status;
}

static prc_status start(run *r, const prc_step_options *options, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = prc_spatial_system(r->spatial);
  const prc_ledger_options watched = {.tolerance = options->cone.tolerance, .max_penetration = -1.0};
  double *v = NULL;
  prc_try(prc_stepper_create(system, options, &r->stepper, err));
  prc_try(prc_ledger_create(&watched, &r->ledger, err));
  prc_try(prc_new(&r->q, (size_t)system->space.nq, err));
  prc_try(prc_new(&v, (size_t)system->space.nv, err));
  prc_spatial_initial(r->spatial, r->q, v);
  prc_try(prc_stepper_start(r->stepper, r->q, v, err));
  prc_ledger_start(r->ledger, prc_stepper_record(r->stepper));
done:
  prc_delete(&v);
  return status;
}

/* Of the bodies of the scene. */
static void states(const run *r, space_state *state) {
  const prc_step_record *record = prc_stepper_record(r->stepper);
  for (int b = 1; b < r->model.n_bodies; b++) {
    const prc_spatial_motion m = prc_spatial_motion_of(r->spatial, record->q, record->v, b);
    space_state *s = &state[b - 1];
    memcpy(s->x, m.position, sizeof s->x), memcpy(s->q, m.orientation, sizeof s->q);
    memcpy(s->v, m.velocity, sizeof s->v), space_turn(m.orientation, 0, m.spin, s->w);
  }
}

/* The contacts of the last step as they stood at its beginning: places and gaps are those of its end by now. */
static prc_status write_contacts(const run *r, FILE *out, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = prc_spatial_system(r->spatial);
  const prc_step_record *record = prc_stepper_record(r->stepper);
  prc_contact_set set = *record->contacts;
  set.place = set.frame = set.gap = NULL;
  prc_try(prc_new(&set.place, 3 * (size_t)set.n + 1, err));
  prc_try(prc_new(&set.frame, 9 * (size_t)set.n + 1, err));
  prc_try(prc_new(&set.gap, (size_t)set.n + 1, err));
  system->contacts.evaluate(system->owner, &(prc_at){record->t - record->h, r->q, record->v},
                            PRC_EVALUATE_GAP | PRC_EVALUATE_PLACE, &set);
  for (int c = 0; c < set.n; c++) {
    const double *frame = set.frame + 9 * c, *p = record->p + set.dim * c;
    double vector[3] = {0.0};
    for (int i = 0; i < 9; i++) vector[i % 3] += p[i / 3] * frame[i];
    space_write_contact(out, set.body[2 * c] - 1, set.body[2 * c + 1] - 1, set.place + 3 * c, frame,
                        set.gap[c], vector, 0.0);
  }
done:
  prc_delete(&set.place);
  prc_delete(&set.frame);
  prc_delete(&set.gap);
  return status;
}

typedef struct {
  double seconds, wall, ledger, contacts, iterations, passes, phase[PRC_STEP_N_PHASES];
  int steps, short_of;
} sums;

static prc_status go(run *r, int warm, int steps, sums *sum, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t nq = (size_t)prc_spatial_system(r->spatial)->space.nq;
  for (int k = 0; k < warm + steps; k++) {
    const prc_step_record *record = prc_stepper_record(r->stepper);
    if (k == warm + steps - 1) memcpy(r->q, record->q, nq * sizeof *r->q), states(r, r->before);
    if (k == warm) memcpy(sum->phase, prc_stepper_facts(r->stepper).seconds, sizeof sum->phase);
    const double began = bench_clock(), hand = prc_clock();
    prc_try(prc_stepper_step(r->stepper, err));
    const double stepped = bench_clock();
    if (k >= warm) sum->wall += prc_clock() - hand;
    prc_ledger_enter(r->ledger, record);
    const double entered = bench_clock();
    if (k < warm) continue;
    sum->seconds += entered - began, sum->ledger += entered - stepped, sum->contacts += record->n_active;
    sum->iterations += record->cone.iterations, sum->passes += record->passes,
        sum->short_of += !record->cone.converged && record->n_active > 0;
  }
  sum->steps = steps;
  states(r, r->after);
done:
  return status;
}

/* Seconds of a search, by a set of our own: of the step it is a part of the contact problem. */
static prc_status time_of_search(const run *r, double reach, int count, double *seconds, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = prc_spatial_system(r->spatial);
  const prc_step_record *record = prc_stepper_record(r->stepper);
  const prc_at at = {record->t, record->q, record->v};
  prc_contact_set set = {0};
  *seconds = 0.0;
  for (int k = 0; k <= count; k++) {
    const double began = bench_clock();
    prc_try(prc_system_find_contacts(system, &at, record->h, reach, &set, NULL, err));
    system->contacts.evaluate(system->owner, &at, PRC_EVALUATE_GAP | PRC_EVALUATE_H, &set);
    if (k > 0) *seconds += (bench_clock() - began) / count;
  }
done:
  prc_contact_set_free(&set);
  return status;
}

static void write_result(const run *r, const sums *sum, double before, const prc_step_options *options,
                         double search, FILE *out) {
  const prc_step_record *record = prc_stepper_record(r->stepper);
  const prc_step_facts facts = prc_stepper_facts(r->stepper);
  const double share =
      (sum->seconds - sum->ledger) / (sum->wall * sum->steps); /* phases are of the clock on the wall */
  fprintf(
      out, "result {\"seconds\": %.9g, \"steps\": %d, \"contacts\": %.1f, \"bytes\": %.0f, \"said\": %.3g, ",
      sum->seconds, sum->steps, sum->contacts / sum->steps, bench_peak() - before, record->cone.error.scaled);
#define X(name)                                                                                              \
  fprintf(out, "\"%s\": %.6g, ", #name,                                                                      \
          share *(facts.seconds[PRC_STEP_##name] - sum->phase[PRC_STEP_##name]));
  PRC_STEP_PHASES(X)
#undef X
  fprintf(out, "\"find\": %.6g, \"passes\": %.2f, \"ledger\": %.6g, \"iterations\": %.2f, \"short\": %d, ",
          search, sum->passes / sum->steps, sum->ledger / sum->steps, sum->iterations / sum->steps,
          sum->short_of);
  fprintf(out, "\"settings\": \"%s, tolerance %.2g, %.1f iterations a step\"}\n", options->solver,
          options->cone.tolerance, sum->iterations / sum->steps);
}

static const char *text_option(int argc, char **argv, const char *name, const char *otherwise) {
  for (int k = 3; k < argc; k++)
    if (!strncmp(argv[k], name, strlen(name)) && argv[k][strlen(name)] == '=')
      return argv[k] + strlen(name) + 1;
  return otherwise;
}

static prc_step_options options_of(const space_scene *s, int settle, int argc, char **argv) {
  prc_step_options o = prc_step_options_default(s->h);
  o.theta = bench_option(argc, argv, "theta", 1.0), o.timed = 1;
  o.law = strcmp(text_option(argc, argv, "law", "newton"), "newton") ? PRC_IMPACT_FREMOND : PRC_IMPACT_NEWTON;
  o.solver = text_option(argc, argv, "solver", settle ? "gauss-seidel" : o.solver);
  o.velocity_tolerance = 1e-4 * s->h * fabs(s->gravity[2]);
  o.gap_tolerance = 10.0 * s->h * o.velocity_tolerance;
  o.cone.tolerance = bench_option(argc, argv, "tolerance", settle ? 1e-2 : 1e-8);
  o.cone.criterion = PRC_CONE_SCALED;
  o.cone.max_iterations = (int)bench_option(argc, argv, "sweeps", settle ? 200 : o.cone.max_iterations);
  return o;
}

int main(int argc, char **argv) {
  prc_error err = {0};
  prc_dense_single_thread();
  if (argc < 3) return fprintf(stderr, "usage: bench_space SCENE OUT [WORD=VALUE]...\n"), 2;
  const int settle = (int)bench_option(argc, argv, "settle", 0);
  space_scene *scene = space_read(argv[1]);
  run r = {.scene = scene};
  sums sum = {0};
  const double before = bench_resident();
  scene->h = bench_option(argc, argv, "h", scene->h);
  if (settle) scene->h /= SETTLE_FINER, scene->settle *= SETTLE_FINER;
  const int steps = (int)bench_option(argc, argv, "steps", settle ? scene->settle : scene->timed);
  const prc_step_options options = options_of(scene, settle, argc, argv);
  prc_status status = build(&r, bench_option(argc, argv, "restitution", 0.0), &err);
  if (status == PRC_OK) status = start(&r, &options, &err);
  if (status == PRC_OK)
    status = go(&r, settle ? 0 : (int)bench_option(argc, argv, "warm", 10), steps, &sum, &err);
  if (status == PRC_OK && settle)
    space_write_settled(argv[1], argv[2], scene->n_bodies, r.after);
  else if (status == PRC_OK) {
    double search = 0.0;
    FILE *out = fopen(argv[2], "w");
    if (!out) return 1;
    space_write_bodies(out, scene->n_bodies, r.before, r.after);
    status = write_contacts(&r, out, &err);
    if (status == PRC_OK) status = time_of_search(&r, 0.1 * scene->h, 10, &search, &err);
    if (status == PRC_OK) write_result(&r, &sum, before, &options, search, out);
    if (fclose(out)) return 1;
  }
  if (status != PRC_OK) fprintf(stderr, "bench_space: %s\n", err.message);
  return status != PRC_OK;
}

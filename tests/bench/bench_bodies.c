/* The scenes of bodies_scene.py by percuss: what bodies_bullet.cc, bodies_ode.c and bodies_siconos.py do by other programs, and what
 * a step of it costs in parts.
 *
 *   bench_bodies SCENE OUT [steps=N] [warm=N] [tolerance=1e-8] [sweeps=N] [settle=0] [solver=NAME] [ledger=1]
 *
 * theta = 1, Newton's law with e = 0: the step of the others. A step whose contact problem is short of its tolerance goes on with
 * the best iterate, and is counted. The ledger is entered at every step. What counts as closed is the same at every tolerance of the
 * contact problem: a ten-thousandth of the speed that gravity gives in a step, and ten times what that moves in a step. */
#include "config.h"
#include "bodies_scene.h"
#include "ledger/ledger.h"
#include "linear/linear.h"
#include "rigid/rigid.h"
#include "step/step.h"

/* A scene settles in steps that are shorter by this factor: what falls onto others overlaps by up to its way in a step. */
enum { SETTLE_FINER = 4 };

typedef struct {
  const bench_scene *scene;
  prc_rigid_model model;
  prc_rigid_body *body; /* 0: planes and walls, held; then those of the scene */
  prc_rigid_pairs pairs;
  prc_rigid *rigid;
  prc_stepper *stepper;
  prc_ledger *ledger;
  int *list;
  double *q, *v;
} run;

static prc_status make_walls(const bench_scene *s, prc_rigid_body *walls, prc_error *err) {
  prc_status status = PRC_OK;
  prc_shape *part = NULL;
  prc_try(prc_new(&part, (size_t)(s->n_planes + s->n_walls), err));
  *walls = (prc_rigid_body){.name = "walls", .driven = 1, .part = part};
  for (int k = 0; k < s->n_planes; k++)
    prc_try(prc_shape_make_half_plane(s->plane[k], s->plane[k] + 2, &part[walls->n_parts++], err));
  for (int k = 0; k < s->n_walls; k++)
    prc_try(prc_shape_make_hull(s->wall[k].n, s->wall[k].corner, 0.0, &part[walls->n_parts++], err));
done:
  return status;
}

static prc_status make_body(const bench_body *from, prc_rigid_body *body, prc_error *err) {
  prc_status status = PRC_OK;
  static const double centre[2] = {0.0, 0.0};
  prc_shape *part = NULL;
  prc_try(prc_new(&part, 1, err));
  *body = (prc_rigid_body){.name = "body",
                           .mass = from->mass,
                           .inertia = from->inertia,
                           .position = {from->x[0], from->x[1]},
                           .angle = from->x[2],
                           .velocity = {from->v[0], from->v[1]},
                           .spin = from->v[2],
                           .n_parts = 1,
                           .part = part};
  if (from->n == 0) {
    body->radius = from->radius;
    prc_try(prc_shape_make_hull(1, centre, from->radius, part, err));
  } else {
    body->n_points = from->n, body->point = from->corner;
    prc_try(prc_shape_make_hull(from->n, from->corner, 0.0, part, err));
  }
done:
  return status;
}

static prc_status build(run *r, prc_error *err) {
  prc_status status = PRC_OK;
  const bench_scene *s = r->scene;
  const int n = s->n_bodies + 1;
  prc_try(prc_new(&r->body, (size_t)n, err));
  prc_try(prc_new(&r->list, (size_t)n, err));
  prc_try(make_walls(s, &r->body[0], err));
  for (int b = 1; b < n; b++) prc_try(make_body(&s->body[b - 1], &r->body[b], err));
  for (int b = 0; b < n; b++) r->list[b] = b;
  r->pairs =
      (prc_rigid_pairs){.name = "all", .n = {n, n}, .body = {r->list, r->list}, .friction = s->friction};
  r->model =
      (prc_rigid_model){.n_bodies = n,
                        .body = r->body,
                        .n_pairs = 1,
                        .pairs = &r->pairs,
                        .gravity = {prc_field_constant(s->gravity[0]), prc_field_constant(s->gravity[1])}};
  prc_try(prc_rigid_create(&r->model, &r->rigid, err));
done:
  return status;
}

static prc_status start(run *r, const prc_step_options *options, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = prc_rigid_system(r->rigid);
  const prc_ledger_options watched = {.tolerance = options->cone.tolerance, .max_penetration = -1.0};
  prc_try(prc_stepper_create(system, options, &r->stepper, err));
  prc_try(prc_ledger_create(&watched, &r->ledger, err));
  prc_try(prc_new(&r->q, (size_t)system->space.nv, err));
  prc_try(prc_new(&r->v, (size_t)system->space.nv, err));
  prc_rigid_initial(r->rigid, r->q, r->v);
  prc_try(prc_stepper_start(r->stepper, r->q, r->v, err));
  prc_ledger_start(r->ledger, prc_stepper_record(r->stepper));
done:
  return status;
}

/* The contacts of the last step as they stood at its beginning: rows and gaps are those of its end by now. Shares what else there is. */
static prc_status as_it_began(const run *r, prc_contact_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = prc_rigid_system(r->rigid);
  const prc_step_record *record = prc_stepper_record(r->stepper);
  *set = *record->contacts;
  set->H.x = set->gap = NULL;
  prc_try(prc_new(&set->H.x, (size_t)set->dim * (size_t)set->H.start[set->n] + 1, err));
  prc_try(prc_new(&set->gap, (size_t)set->n + 1, err));
  system->contacts.evaluate(system->owner, &(prc_at){record->t - record->h, r->q, r->v},
                            PRC_EVALUATE_GAP | PRC_EVALUATE_H, set);
done:
  return status;
}

/* Place and normal of a contact from its rows of one of the bodies, at the coordinates that they were made at: the normal n and
 * the arm a x n, the tangent t and a x t. */
static void write_contacts(const run *r, const prc_contact_set *set, const double *q, FILE *out) {
  const prc_step_record *record = prc_stepper_record(r->stepper);
  for (int c = 0; c < set->n; c++) {
    const int first = set->H.start[c], width = set->H.start[c + 1] - first, *dof = set->H.dof + first;
    const double *row[2] = {set->H.x + 2 * first, set->H.x + 2 * first + width};
    int k = 0;
    while (k + 2 < width && dof[k] < 3) k++; /* the walls have the first dofs */
    if (k + 2 >= width) continue;
    const int body = dof[k] / 3, sign = body == set->body[2 * c + 1] ? 1 : -1;
    double n[2], t[2], arm[2], place[2];
    for (int i = 0; i < 2; i++)
      n[i] = sign * row[0][k + i], t[i] = sign * row[1][k + i], arm[i] = sign * row[i][k + 2];
    const double side = n[0] * t[1] - n[1] * t[0];
    for (int i = 0; i < 2; i++) place[i] = q[3 * body + i] + side * (arm[1] * n[i] - arm[0] * t[i]);
    bench_write_contact(out, set->body[2 * c] - 1, set->body[2 * c + 1] - 1, place, n, set->gap[c],
                        record->p[2 * c], side * record->p[2 * c + 1], 0.0);
  }
}

typedef struct {
  double seconds, wall, ledger, contacts, listed, iterations, phase[PRC_STEP_N_PHASES];
  int steps, short_of;
} sums;

static prc_status go(run *r, int warm, int steps, int ledger, sums *sum, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t nv = (size_t)prc_rigid_system(r->rigid)->space.nv;
  for (int k = 0; k < warm + steps; k++) {
    const prc_step_record *record = prc_stepper_record(r->stepper);
    if (k == warm + steps - 1)
      memcpy(r->q, record->q, nv * sizeof *r->q), memcpy(r->v, record->v, nv * sizeof *r->v);
    if (k == warm) memcpy(sum->phase, prc_stepper_facts(r->stepper).seconds, sizeof sum->phase);
    const double began = bench_clock(), hand = prc_clock();
    prc_try(prc_stepper_step(r->stepper, err));
    const double stepped = bench_clock();
    if (k >= warm) sum->wall += prc_clock() - hand;
    if (ledger) prc_ledger_enter(r->ledger, record);
    const double entered = bench_clock();
    if (k < warm) continue;
    sum->seconds += entered - began, sum->ledger += entered - stepped, sum->contacts += record->n_active,
        sum->listed += record->n_contacts;
    sum->iterations += record->cone.iterations,
        sum->short_of += !record->cone.converged && record->n_active > 0;
  }
  sum->steps = steps;
done:
  return status;
}

/* Seconds of a search and of an evaluation, by a set of our own: of the step they are a part of the contact problem. */
static prc_status time_of_search(const run *r, double reach, int count, double seconds[2], prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = prc_rigid_system(r->rigid);
  const prc_step_record *record = prc_stepper_record(r->stepper);
  const prc_at at = {record->t, record->q, record->v};
  prc_contact_set set = {0};
  seconds[0] = seconds[1] = 0.0;
  for (int k = 0; k <= count; k++) {
    const double began = bench_clock();
    prc_try(prc_system_find_contacts(system, &at, record->h, reach, &set, NULL, err));
    const double found = bench_clock();
    system->contacts.evaluate(system->owner, &at, PRC_EVALUATE_GAP | PRC_EVALUATE_H, &set);
    if (k > 0) seconds[0] += (found - began) / count, seconds[1] += (bench_clock() - found) / count;
  }
done:
  prc_contact_set_free(&set);
  return status;
}

static void write_all(const run *r, const sums *sum, double before, double loaded,
                      const prc_step_options *options, const double search[2], const prc_contact_set *set,
                      FILE *out) {
  const prc_step_record *record = prc_stepper_record(r->stepper);
  const prc_step_facts facts = prc_stepper_facts(r->stepper);
  const double share =
      (sum->seconds - sum->ledger) / (sum->wall * sum->steps); /* phases are of the clock on the wall */
  for (int b = 1; b < r->model.n_bodies; b++)
    bench_write_body(out, r->q + 3 * b, r->v + 3 * b, record->v + 3 * b);
  write_contacts(r, set, r->q, out);
  for (int b = 1; b < r->model.n_bodies; b++)
    fprintf(out, "end %.17g %.17g %.17g\n", record->q[3 * b], record->q[3 * b + 1], record->q[3 * b + 2]);
  fprintf(out,
          "result {\"seconds\": %.9g, \"steps\": %d, \"contacts\": %.1f, \"listed\": %.1f, \"bytes\": %.0f, "
          "\"scene_bytes\": %.0f, \"said\": %.3g, ",
          sum->seconds, sum->steps, sum->contacts / sum->steps, sum->listed / sum->steps,
          bench_peak() - before, loaded - before, record->cone.error.scaled);
#define X(name)                                                                                              \
  fprintf(out, "\"%s\": %.6g, ", #name,                                                                      \
          share *(facts.seconds[PRC_STEP_##name] - sum->phase[PRC_STEP_##name]));
  PRC_STEP_PHASES(X)
#undef X
  fprintf(out, "\"find\": %.6g, \"evaluate\": %.6g, ", search[0], search[1]);
  fprintf(out,
          "\"ledger\": %.6g, \"iterations\": %.2f, \"short\": %d, \"settings\": \"%s, tolerance %.2g, %.1f "
          "iterations a step\"}\n",
          sum->ledger / sum->steps, sum->iterations / sum->steps, sum->short_of, options->solver,
          options->cone.tolerance, sum->iterations / sum->steps);
}

static const char *text_option(int argc, char **argv, const char *name, const char *otherwise) {
  for (int k = 3; k < argc; k++)
    if (!strncmp(argv[k], name, strlen(name)) && argv[k][strlen(name)] == '=')
      return argv[k] + strlen(name) + 1;
  return otherwise;
}

static prc_status settled(const run *r, const char *from, const char *to, prc_error *err) {
  const prc_step_record *record = prc_stepper_record(r->stepper);
  const int n = r->scene->n_bodies;
  double(*x)[3] = NULL, (*v)[3] = NULL;
  prc_status status = PRC_OK;
  prc_try(prc_new(&x, (size_t)n, err));
  prc_try(prc_new(&v, (size_t)n, err));
  memcpy(x, record->q + 3, (size_t)n * sizeof *x), memcpy(v, record->v + 3, (size_t)n * sizeof *v);
  bench_write_settled(from, to, n, (const double(*)[3])x, (const double(*)[3])v);
done:
  prc_delete(&x);
  prc_delete(&v);
  return status;
}

int main(int argc, char **argv) {
  prc_error err = {0};
  prc_dense_single_thread();
  if (argc < 3) return fprintf(stderr, "usage: bench_bodies SCENE OUT [WORD=VALUE]...\n"), 2;
  const int settle = (int)bench_option(argc, argv, "settle", 0);
  bench_scene *scene = bench_read(argv[1], settle);
  run r = {.scene = scene};
  sums sum = {0};
  const double before = bench_resident();
  if (settle) scene->h /= SETTLE_FINER, scene->settle *= SETTLE_FINER;
  const int steps = (int)bench_option(argc, argv, "steps", settle ? scene->settle : scene->timed);
  prc_step_options options = prc_step_options_default(r.scene->h);
  options.theta = 1.0, options.law = PRC_IMPACT_NEWTON, options.timed = 1;
  options.solver = text_option(argc, argv, "solver", settle ? "gauss-seidel" : options.solver);
  options.velocity_tolerance = 1e-4 * r.scene->h * hypot(r.scene->gravity[0], r.scene->gravity[1]);
  options.gap_tolerance = 10.0 * r.scene->h * options.velocity_tolerance;
  options.cone.tolerance = bench_option(argc, argv, "tolerance", settle ? 1e-2 : 1e-8);
  options.cone.max_iterations =
      (int)bench_option(argc, argv, "sweeps", settle ? 200 : options.cone.max_iterations);
  prc_status status = build(&r, &err);
  const double loaded = bench_resident();
  if (status == PRC_OK) status = start(&r, &options, &err);
  if (status == PRC_OK)
    status = go(&r, settle ? 0 : (int)bench_option(argc, argv, "warm", 10), steps,
                (int)bench_option(argc, argv, "ledger", 1), &sum, &err);
  if (status == PRC_OK && settle)
    status = settled(&r, argv[1], argv[2], &err);
  else if (status == PRC_OK) {
    double search[2];
    FILE *out = fopen(argv[2], "w");
    if (!out) return 1;
    status = time_of_search(&r, 0.1 * r.scene->h, 10, search, &err);
    prc_contact_set set = {0};
    if (status == PRC_OK) status = as_it_began(&r, &set, &err);
    if (status == PRC_OK) write_all(&r, &sum, before, loaded, &options, search, &set, out);
    prc_delete(&set.H.x);
    prc_delete(&set.gap);
    if (fclose(out)) return 1;
  }
  if (status != PRC_OK) fprintf(stderr, "bench_bodies: %s\n", err.message);
  return status != PRC_OK;
}

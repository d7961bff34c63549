#include "config.h"
#include "case/case.h"
#include "cone/fclib.h"
#include "explore/explore.h"
#include "output/output.h"
#include "rigid/rigid.h"
#include "scene/view.h"
#include "solid/solid.h"
#include "step/step.h"
#include "support/allocator.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whatever asks for memory: each call is refused in turn, from the first to the last. It says so and leaves nothing. Beyond the
 * fiftieth it is each fourth; with PRC_LONG=1, all. */

static prc_error err;

static prc_status read_case(const char *name) {
  prc_case *c = NULL;
  const prc_status status = prc_case_read(support_source(name), 0, NULL, &c, &err);
  prc_case_free(&c);
  return status;
}

static prc_status build_case(const char *name) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_stepper *stepper = NULL;
  const prc_step_options options = prc_step_options_default(1e-3);
  prc_try(prc_case_read(support_source(name), 0, NULL, &c, &err));
  prc_try(prc_case_build(c, NULL, &model, &err));
  status = prc_stepper_create(model->system, &options, &stepper, &err);
done:
  prc_stepper_free(&stepper);
  prc_model_free(&model);
  prc_case_free(&c);
  return status;
}

/* Some steps of it, from its start. */
static prc_status step_case(const char *name) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_stepper *stepper = NULL;
  double *q = NULL, *v = NULL;
  prc_try(prc_case_read(support_source(name), 0, NULL, &c, &err));
  prc_step_options options = prc_step_options_default(c->time.step);
  options.scheme = c->time.scheme, options.rho = c->time.rho;
  prc_try(prc_case_build(c, NULL, &model, &err));
  prc_try(prc_stepper_create(model->system, &options, &stepper, &err));
  prc_try(prc_new(&q, prc_system_coordinates(model->system), &err));
  prc_try(prc_new(&v, model->system->space.nv, &err));
  prc_scene_initial(model->scene, q, v);
  prc_try(prc_stepper_start(stepper, q, v, &err));
  for (int k = 0; k < 3; k++) prc_try(prc_stepper_step(stepper, &err));
done:
  prc_delete(&q);
  prc_delete(&v);
  prc_stepper_free(&stepper);
  prc_model_free(&model);
  prc_case_free(&c);
  return status;
}

/* What is drawn of its bodies. */
static prc_status draw_case(const char *name) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_view_fields *fields = NULL;
  const prc_body *body;
  prc_try(prc_case_read(support_source(name), 0, NULL, &c, &err));
  prc_try(prc_case_build(c, NULL, &model, &err));
  for (int k = 0, n = prc_scene_bodies(model->scene, &body); k < n; k++) {
    prc_view_fields_free(&fields);
    prc_try(prc_view_fields_create(&body[k], 7, 0, &fields, &err));
  }
done:
  prc_view_fields_free(&fields);
  prc_model_free(&model);
  prc_case_free(&c);
  return status;
}

static prc_status read_surface(const char *name) {
  prc_solid_surface surface = {0};
  const prc_status status = prc_solid_read_surface(support_source(name), &surface, &err);
  prc_solid_free_surface(&surface);
  return status;
}

static prc_status explore_step(const prc_model *model, prc_stepper *stepper, const prc_at *before) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(stepper);
  prc_explore_step *step = NULL;
  prc_explore_set *set = NULL;
  prc_explore_samples *samples = NULL;
  double range[2];
  const double most[2] = {1.0, 1.0}, still[4] = {0.0};
  const prc_explore_draws draws = {.most = most, .cone = prc_stepper_options(stepper)->cone};
  prc_try(prc_explore_step_create(model->system, r, before, 1e-9, &step, &err));
  if (prc_explore_is_built()) {
    prc_try(prc_explore_set_create(&step->rest, &set, &err));
    prc_try(prc_explore_set_interval(set, 0, 0, range, &err));
  }
  for (int way = 0; way < 2; way++) {
    prc_explore_samples_free(&samples);
    prc_try(prc_explore_samples_create(&r->problem, &draws, (prc_explore_way)way, 2, still, 1e-6, &samples,
                                       &err));
  }
done:
  prc_explore_samples_free(&samples);
  prc_explore_set_free(&set);
  prc_explore_step_free(&step);
  return status;
}

/* A case of one body with two contacts. */
static prc_status explore_case(const char *name) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_stepper *stepper = NULL;
  const prc_step_options options = prc_step_options_default(1e-3);
  double q[3] = {0.0}, v[3] = {0.0};
  const prc_at before = {0.0, q, v};
  prc_try(prc_case_read(support_source(name), 0, NULL, &c, &err));
  prc_try(prc_case_build(c, NULL, &model, &err));
  prc_scene_initial(model->scene, q, v);
  prc_try(prc_stepper_create(model->system, &options, &stepper, &err));
  prc_try(prc_stepper_start(stepper, q, v, &err));
  prc_try(prc_stepper_step(stepper, &err));
  status = explore_step(model, stepper, &before);
done:
  prc_stepper_free(&stepper);
  prc_model_free(&model);
  prc_case_free(&c);
  return status;
}

static prc_status read_problem(const char *name) {
  prc_fclib *problem = NULL;
  const prc_status status = prc_fclib_read(support_source(name), &problem, &err);
  prc_fclib_free(&problem);
  return status;
}

static prc_status write_checkpoint(const char *name) {
  prc_status status = PRC_OK;
  static const double value[3] = {1.0, 2.0, 3.0};
  prc_output_store *store = NULL;
  prc_try(prc_output_store_create(NULL, support_build(name), support_build("check-memory-older.h5"), &store,
                                  &err));
  prc_try(prc_output_store_put(store, "q", 3, value, &err));
done:
  if (store) {
    const prc_status closed = prc_output_store_close(&store, &err);
    if (status == PRC_OK) status = closed;
  }
  return status;
}

static prc_status read_checkpoint(const char *name) {
  prc_output_store *store = NULL;
  const prc_status status = prc_output_store_open(NULL, support_build(name), &store, &err);
  return prc_output_store_close(&store, NULL) == PRC_OK ? status : PRC_IO;
}

static prc_status write_fields(const char *name) {
  static const double x[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0};
  static const int node[3] = {0, 1, 2};
  const prc_array speed = {"speed", 2, x, NULL}, number = {"number", 1, NULL, node};
  const prc_cells cells = {.n = 1, .width = 3, .node = node};
  prc_output_frame *frame = NULL;
  prc_status status =
      prc_output_frame_create(prc_output_writer_find("own"), NULL, 3, x, &cells, 1, &number, &frame, &err);
  if (status == PRC_OK)
    status = prc_output_frame_write(frame, NULL, support_build(name), 1, &speed, 0, NULL, &err);
  prc_output_frame_free(&frame);
  return status;
}

static prc_status write_manifest(const char *name) {
  prc_output_json *json = NULL;
  const prc_status status = prc_output_json_open(NULL, support_build(name), &json, &err);
  if (status != PRC_OK) return status;
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_text(json, "name", "a text that is longer than the room there is at the start");
  return prc_output_json_close(&json, &err);
}

static prc_status nothing(void *data, prc_error *failure) {
  (void)data, (void)failure;
  return PRC_OK;
}

static prc_status work_in_the_background(const char *name) {
  (void)name;
  prc_background *background = NULL;
  prc_status status = prc_background_create(&background, &err);
  if (status == PRC_OK) status = prc_background_begin(background, nothing, NULL, &err);
  prc_background_free(&background);
  return status;
}

static prc_status make_reference(const char *name) {
  char *text = NULL;
  const prc_status status = prc_case_reference(*name == 'm', &text, &err);
  prc_delete(&text);
  return status;
}

/* A contact solver is given room for more. Without memory for that it still solves what it did. */
static prc_status grow_solver(const char *name) {
  static const double W[4] = {2.0, 0.5, 0.5, 1.0}, b[2] = {-1.0, 0.3}, mu = 0.3;
  const prc_cone_problem one = {.dim = 2, .n = 1, .W = W, .b = b, .mu = &mu}, many = {.dim = 2, .n = 9};
  const prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  double p[2] = {0.0};
  prc_status status = prc_cone_solver_create_for(name, &one, &options, &solver, &err);
  if (status == PRC_OK) {
    status = prc_cone_solver_reserve(solver, &many, &err);
    if (!prc_cone_solve(solver, &one, p).converged) status = PRC_DIVERGED;
  }
  prc_cone_solver_free(&solver);
  return status;
}

static const struct {
  prc_status (*work)(const char *name);
  const char *name;
  int least; /* calls that there must have been */
} works[] = {{read_case, "tests/input/resume.yaml", 20},
             {read_case, "cases/sliding-block.yaml", 20},
             {build_case, "tests/input/resume.yaml", 40},
             {build_case, "cases/impacting-stick.yaml", 40},
             {build_case, "tests/input/good.yaml", 60},
             {build_case, "tests/input/damped.yaml", 60},
             {build_case, "cases/spinning-disc.yaml", 60},
             {build_case, "cases/guided-hopper.yaml", 60},
             {read_surface, "tests/input/solid-cube.stl", 8},
             {step_case, "cases/tippe-top.yaml", 60},
             {step_case, "cases/swinging-cantilever.yaml", 60},
             {step_case, "tests/input/linked.yaml", 60},
             {draw_case, "tests/input/linked.yaml", 60},
             {read_case, "tests/input/good-fault.yaml", 20},
             {build_case, "tests/input/good-two.yaml", 60},
             {build_case, "tests/input/good-fault.yaml", 60},
             {step_case, "tests/input/good-two.yaml", 60},
             {step_case, "tests/input/good-fault.yaml", 60},
             {draw_case, "tests/input/good-two.yaml", 60},
             {build_case, "cases/stick-slip.yaml", 40},
             {read_problem, "tests/fuzz/problem/contact.hdf5", 20},
             {write_checkpoint, "check-memory.h5", 4},
             {read_checkpoint, "check-memory.h5", 4},
             {write_fields, "check-memory.vtu", 7},
             {write_manifest, "check-memory.json", 3},
             {work_in_the_background, "", 1},
             {explore_case, "cases/wedged-rod.yaml", 150},
             {grow_solver, "auto", 100},
             {grow_solver, "gauss-seidel", 10},
             {make_reference, "text", 1},
             {make_reference, "markdown", 1}};

static int next(int n) {
  return n < 50 || getenv("PRC_LONG") ? n + 1 : n + 4;
}

START_TEST(every_refused_allocation_is_survived) {
  int n = 1;
  prc_error_clear(&err);
  if (works[_i].work == read_checkpoint) support_ok(write_checkpoint(works[_i].name), &err);
  support_ok(works[_i].work(works[_i].name), &err); /* libraries have made what they keep for ever */
  for (prc_status status = PRC_NOMEM; status != PRC_OK; n = next(n)) {
    prc_error_clear(&err);
    support_watch(n);
    status = works[_i].work(works[_i].name);
    support_look_away();
    ck_assert_msg(support_allocator.live == 0, "allocation %d: %ld blocks are left", n,
                  support_allocator.live);
#ifdef PRC_COVERAGE /* the allocation may be one of the counters that a child writes at its end, which then dies */
    if (strstr(err.message, "Segmentation fault")) continue;
#endif
    ck_assert_msg(status == PRC_OK || status == PRC_NOMEM, "allocation %d: status %d: %s", n, (int)status,
                  err.message);
    if (status != PRC_OK) ck_assert_ptr_nonnull(strstr(err.message, "out of memory"));
    ck_assert_int_lt(n, 10000);
  }
  ck_assert_int_gt(n, works[_i].least);
}
END_TEST

typedef struct {
  prc_output_frame *frame;
  double x[6];
} series;

static prc_status write_next(void *data, prc_error *failure) {
  const series *s = data;
  const prc_array speed = {"speed", 2, s->x, NULL}, heat = {"heat", 1, s->x, NULL};
  return prc_output_frame_write(s->frame, NULL, support_build("check-memory.vtu"), 1, &speed, 1, &heat,
                                failure);
}

START_TEST(a_series_of_files_written_in_the_background_allocates_nothing) {
  series s = {.x = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0}};
  const prc_cells cells = {.n = 1, .width = 3, .node = (const int[]){0, 1, 2}};
  prc_background *background = NULL;
  prc_status status = PRC_OK;
  prc_error_clear(&err);
  support_ok(
      prc_output_frame_create(prc_output_writer_find("own"), NULL, 3, s.x, &cells, 0, NULL, &s.frame, &err),
      &err);
  support_ok(prc_background_create(&background, &err), &err);
  support_watch(0);
  for (int k = 0; k < 10 && status == PRC_OK; k++) {
    status = prc_background_wait(background, &err);
    s.x[0] = k;
    if (status == PRC_OK) status = prc_background_begin(background, write_next, &s, &err);
  }
  if (status == PRC_OK) status = prc_background_wait(background, &err);
  support_look_away();
  support_ok(status, &err);
  ck_assert_int_eq(support_allocator.calls, 0);
  prc_background_free(&background);
  prc_output_frame_free(&s.frame);
}
END_TEST

START_TEST(memory_that_is_not_there_is_refused_beforehand) {
  prc_error_clear(&err);
  support_fails(prc_memory_expect(1e18, "a matrix", &err), PRC_NOMEM, &err,
                "a matrix needs about 1e+09 GB, ");
  prc_error_clear(&err);
  support_ok(prc_memory_expect(1e3, "a matrix", &err), &err);
}
END_TEST

SUITE(memory) {
  Suite *suite = suite_create("memory");
  TCase *tc = tcase_create("refused");
  tcase_add_loop_test(tc, every_refused_allocation_is_survived, 0, sizeof works / sizeof *works);
  tcase_add_test(tc, a_series_of_files_written_in_the_background_allocates_nothing);
  tcase_add_test(tc, memory_that_is_not_there_is_refused_beforehand);
  suite_add_tcase(suite, tc);
  return suite;
}

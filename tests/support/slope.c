#include "config.h"
#include "support/slope.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

void slope_open(slope *s, int n_set, const char *const *set) {
  memset(s, 0, sizeof *s);
  support_ok(prc_case_read(support_source("cases/granular-slope.yaml"), n_set, set, &s->c, &err), &err);
  support_ok(prc_case_build(s->c, NULL, &s->model, &err), &err);
  prc_step_options o = prc_step_options_default(s->c->time.step);
  o.theta = s->c->time.theta;
  o.cone.tolerance = s->c->contact.tolerance;
  const prc_system *system = s->model->system;
  s->n_bodies = s->c->n_bodies;
  s->q = calloc((size_t)system->space.nv, sizeof *s->q),
  s->v = calloc((size_t)system->space.nv, sizeof *s->v);
  ck_assert(s->q && s->v);
  prc_scene_initial(s->model->scene, s->q, s->v);
  support_ok(prc_stepper_create(system, &o, &s->stepper, &err), &err);
  support_ok(prc_stepper_start(s->stepper, s->q, s->v, &err), &err);
  s->r = prc_stepper_record(s->stepper);
  for (int b = 0; b < s->n_bodies; b++)
    if (!s->c->body[b].driven) s->weight += 9.81 * s->c->body[b].mass;
}

void slope_close(slope *s) {
  prc_stepper_free(&s->stepper);
  prc_model_free(&s->model);
  prc_case_free(&s->c);
  prc_contact_set_free(&s->found);
  free(s->q), free(s->v);
}

void slope_step(slope *s) {
  const size_t size = 3 * (size_t)s->n_bodies * sizeof(double);
  memcpy(s->q, s->r->q, size), memcpy(s->v, s->r->v, size);
  support_ok(prc_stepper_step(s->stepper, &err), &err);
}

void slope_momentum(const slope *s, double momentum[2]) {
  momentum[0] = momentum[1] = 0.0;
  for (int b = 0; b < s->n_bodies; b++)
    for (int k = 0; k < 2 && !s->c->body[b].driven; k++)
      momentum[k] += s->c->body[b].mass * s->r->v[3 * b + k];
}

/* H'p with the directions at the start of the step, which are those of its problem; the record has those of its end. */
void slope_reaction(slope *s, double percussion[2]) {
  const prc_contact_set *now = s->r->contacts, *then = &s->found;
  percussion[0] = percussion[1] = 0.0;
  const prc_at at = {s->r->t - s->r->h, s->q, s->v};
  const prc_system *system = s->model->system;
  support_ok(prc_system_find_contacts(system, &at, s->r->h, 0.005, &s->found, NULL, &err), &err);
  system->contacts.evaluate(system->owner, &at, PRC_EVALUATE_H, &s->found);
  for (int c = 0; c < now->n; c++) {
    const int a = now->body[2 * c], b = now->body[2 * c + 1];
    if (s->c->body[a].driven == s->c->body[b].driven || s->r->p[2 * c] == 0.0) continue;
    const int grain = s->c->body[a].driven ? b : a, place = prc_contact_set_place(then, &now->id[c]);
    ck_assert_int_ge(place, 0);
    const int start = then->H.start[place], count = then->H.start[place + 1] - start;
    for (int d = 0; d < count; d++) /* the rows stand one after the other */
      for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++)
          if (then->H.dof[start + d] == 3 * grain + k)
            percussion[k] += then->H.x[2 * start + i * count + d] * s->r->p[2 * c + i];
  }
}

void slope_strips(const slope *s, int n, double height, double *mass, double *momentum) {
  for (int b = 0; b < s->n_bodies; b++) {
    const int k = (int)floor(s->r->q[3 * b + 1] / height * n);
    if (s->c->body[b].driven || k < 0 || k >= n) continue;
    mass[k] += s->c->body[b].mass, momentum[k] += s->c->body[b].mass * s->r->v[3 * b];
  }
}

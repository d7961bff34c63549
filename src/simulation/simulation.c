#include "config.h"
#include "simulation/internal.h"

#include <string.h>

/* ---- making ---------------------------------------------------------------------------------------------- */

/* Errors of motions that are data get the place of these in the case. */
static prc_status place_motion(const prc_simulation *s, prc_status status, prc_error *err) {
  if (status == PRC_INPUT) prc_case_place_motion(s->c, err);
  return status;
}

static prc_status build(prc_simulation *s, const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_case_build(s->c, log, &s->model, err));
  s->nv = s->model->system->space.nv, s->nq = prc_system_coordinates(s->model->system);
  prc_try(prc_new(&s->q, s->nq, err));
  prc_try(prc_new(&s->v, s->nv, err));
  prc_try(prc_new(&s->fields, prc_simulation_bodies(s), err));
  /* first: an equilibrium's factor is gone when the stepper makes its own */
  char held[512];
  prc_try(prc_simulation_initial_state(s->c, s->model, s->q, s->v, held, sizeof held, err));
  if (held[0]) prc_log_message(log, PRC_LOG_WARNING, PRC_SIMULATION_HELD, held);
  const prc_step_options options = prc_simulation_step_options(s->c);
  prc_try(prc_case_place_setup(s->c, prc_stepper_create(s->model->system, &options, &s->stepper, err), err));
  const prc_ledger_options ledger = prc_simulation_ledger_options(s->c, s->stepper);
  prc_try(prc_ledger_create(&ledger, &s->ledger, err));
done:
  return status;
}

static prc_status start(prc_simulation *s, prc_error *err) {
  const prc_simulation_parts parts = prc_simulation_get_parts(s);
  prc_status status = PRC_OK;
  prc_try(place_motion(s, prc_stepper_start(s->stepper, s->q, s->v, err), err));
  prc_try(place_motion(s, prc_stepper_foresee(s->stepper, s->c->time.n_steps, err), err));
  prc_try(prc_simulation_refuse_overlaps(&parts, NULL, err));
  prc_ledger_start(s->ledger, prc_stepper_record(s->stepper));
  prc_simulation_revert(s);
done:
  return status;
}

prc_status prc_simulation_create(const char *path, int n_set, const char *const *set, const prc_log *log,
                                 prc_simulation **out, prc_error *err) {
  prc_need(path, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_simulation *s = NULL;
  prc_try(prc_new(&s, 1, err));
  prc_try(prc_case_read(path, n_set, set, &s->c, err));
  if (s->c->initial.kind == PRC_INITIAL_END_OF || s->c->initial.kind == PRC_INITIAL_CONTINUED)
    prc_try(prc_case_fail(
        s->c, &s->c->initial.place, err,
        "the state at the end of another run is read by the program percuss alone, expected another "
        "initial state, or one that is written into q and v"));
  prc_try(build(s, log, err));
  prc_try(start(s, err));
  *out = s, s = NULL;
done:
  prc_simulation_free(&s);
  return status;
}

void prc_simulation_free(prc_simulation **out) {
  prc_simulation *s = out ? *out : NULL;
  if (!s) return;
  for (int b = 0; s->fields && b < prc_simulation_bodies(s); b++) prc_view_fields_free(&s->fields[b]);
  prc_delete(&s->fields);
  prc_delete(&s->q);
  prc_delete(&s->v);
  prc_ledger_free(&s->ledger);
  prc_stepper_free(&s->stepper);
  prc_delete(&s->force);
  prc_delete(&s->mass);
  prc_model_free(&s->model);
  prc_case_free(&s->c);
  prc_delete(out);
}

prc_simulation_parts prc_simulation_get_parts(const prc_simulation *s) {
  return (prc_simulation_parts){s->c, s->model, s->stepper, s->ledger};
}

/* ---- a state that the caller wrote -------------------------------------------------------------------------- */

void prc_simulation_revert(prc_simulation *s) {
  if (!s) return;
  const prc_step_record *r = prc_stepper_record(s->stepper);
  memcpy(s->q, r->q, (size_t)s->nq * sizeof *s->q);
  memcpy(s->v, r->v, (size_t)s->nv * sizeof *s->v);
}

prc_status prc_simulation_apply(prc_simulation *s, prc_error *err) {
  prc_need(s, err);
  const prc_step_record *r = prc_stepper_record(s->stepper);
  const int same = memcmp(s->q, r->q, (size_t)s->nq * sizeof *s->q) == 0
                   && memcmp(s->v, r->v, (size_t)s->nv * sizeof *s->v) == 0;
  if (same && !s->is_pending) return PRC_OK;
  const prc_status status = prc_stepper_set_state(s->stepper, s->q, s->v, err);
  s->is_pending = status != PRC_OK && status != PRC_INPUT; /* with PRC_INPUT nothing has changed */
  if (status != PRC_OK) return status;
  prc_ledger_set_state(s->ledger, r);
  prc_simulation_revert(s); /* what schemes without velocities do not keep */
  return PRC_OK;
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

int prc_simulation_is_over(const prc_simulation *s) {
  return !s || prc_stepper_record(s->stepper)->step >= s->c->time.n_steps
         || prc_stepper_is_at_end(s->stepper);
}

/* A step that is not to be believed is counted, and an error unless the case goes on all the same. */
static prc_status refuse(prc_simulation *s, const char *fault, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(s->stepper);
  if (s->step_failed != r->step) prc_ledger_fail(s->ledger, r->step);
  s->step_failed = r->step;
  if (s->c->time.continue_on_failure) return PRC_OK;
  return prc_fail(err, PRC_DIVERGED, "step %d, t = %.9g: %s; time.on_failure: continue would go on", r->step,
                  r->t, fault);
}

static prc_status check_drift(prc_simulation *s, prc_error *err) {
  const prc_simulation_parts parts = prc_simulation_get_parts(s);
  prc_step_drift drift;
  char fault[256];
  const prc_status status = prc_stepper_drift(s->stepper, &drift, err);
  if (status != PRC_OK) return status;
  const prc_ledger_drifts d = prc_ledger_drift(s->ledger, prc_stepper_record(s->stepper)->step, &drift);
  const prc_status inverted = prc_simulation_refuse_inverted(&parts, drift.indicator, err);
  if (inverted != PRC_OK) return inverted;
  return prc_simulation_find_drift(&parts, &d, fault, sizeof fault) ? refuse(s, fault, err) : PRC_OK;
}

static prc_status check_strains(prc_simulation *s, prc_error *err) {
  const prc_simulation_parts parts = prc_simulation_get_parts(s);
  prc_indicator indicator[PRC_N_INDICATORS];
  if (!prc_simulation_strains_are_due(&parts)) return PRC_OK;
  prc_stepper_indicate(s->stepper, indicator);
  prc_ledger_indicator_at(s->ledger, prc_stepper_record(s->stepper)->step, indicator);
  return prc_simulation_refuse_inverted(&parts, indicator, err);
}

static prc_status make_step(prc_simulation *s, prc_error *err) {
  const prc_simulation_parts parts = prc_simulation_get_parts(s);
  const int step = prc_stepper_record(s->stepper)->step + 1;
  char fault[256];
  prc_status status = prc_stepper_step(s->stepper, err);
  if (status != PRC_OK) {
    prc_ledger_fail(s->ledger, step);
    if (status != PRC_INPUT) prc_error_context(err, "step %d", step);
    return place_motion(s, status, err);
  }
  prc_ledger_enter(s->ledger, prc_stepper_record(s->stepper));
  prc_simulation_revert(s);
  if (prc_simulation_find_fault(&parts, fault, sizeof fault)) status = refuse(s, fault, err);
  if (status == PRC_OK) status = check_strains(s, err);
  if (status == PRC_OK && step % 1000 == 0) status = check_drift(s, err);
  return status;
}

prc_status prc_simulation_step(prc_simulation *s, int n, double seconds, int *done, prc_error *err) {
  prc_need(s, err);
  prc_status status = PRC_OK;
  const double began = prc_clock();
  if (done) *done = 0;
  prc_try(prc_simulation_apply(s, err));
  for (int k = 0; k < n && !prc_simulation_is_over(s); k++) {
    if (k > 0 && seconds > 0.0 && prc_clock() - began >= seconds) break;
    prc_try(make_step(s, err));
    if (done) *done = k + 1;
  }
done:
  return status;
}

/* ---- the certificate ---------------------------------------------------------------------------------------- */

prc_status prc_simulation_certify(prc_simulation *s, const char **verdict, prc_error *err) {
  prc_need(s, err);
  prc_need(verdict, err);
  prc_status status = PRC_OK;
  prc_try(prc_simulation_apply(s, err));
  if (prc_stepper_record(s->stepper)->step > 0) prc_try(check_drift(s, err));
  s->certificate = prc_ledger_certificate(s->ledger);
  *verdict = prc_verdict_name(s->certificate.verdict);
done:
  return status;
}

void prc_simulation_notes(const prc_simulation *s, char *text, size_t size) {
  prc_certificate_notes(&s->certificate, text, size);
}

int prc_simulation_entry(const prc_simulation *s, int k, const char **name, const char **verdict,
                         const char **meaning, double *value, double *bound, int *step) {
  if (!s || !name || !verdict || !meaning || !value || !bound || !step) return 0;
  const prc_certificate_entry *e = s->certificate.entry, *end = e + PRC_CERTIFY_ENTRIES;
  if (k < 0 || !e->name) return 0;
  for (; e < end; e++)
    if (!e->absent && k-- == 0) break;
  if (e == end) return 0;
  *name = e->name, *verdict = prc_verdict_name(e->verdict), *meaning = e->meaning;
  *value = e->value, *bound = e->bound, *step = e->step;
  return 1;
}

#include "config.h"
#include "cli/checkpoint.h"
#include "step/schemes.h"

#include <stddef.h>
#include <string.h>

/* Which run a checkpoint belongs to. */

/* The bits of a hash that a double holds exactly. */
static double as_number(uint64_t hash) {
  return (double)(hash >> 11);
}

static void hash_values(uint64_t *hash, const void *data, size_t bytes) {
  *hash = prc_hash(*hash, data, bytes);
}

/* Hash of the data that the places of the bodies follow from, in any order; 0 where the state at the start has
 * them all. */
double cli_checkpoint_places(const prc_model *model) {
  const prc_body *body;
  const int n = prc_scene_bodies(model->scene, &body);
  uint64_t sum = 0;
  for (int b = 0; b < n; b++) {
    const char *name = body[b].kind->view->materials || !body[b].name ? "" : body[b].name;
    if (!body[b].kind->view->fingerprint) continue;
    const uint64_t own = body[b].kind->view->fingerprint(body[b].self);
    sum += prc_hash(prc_hash(PRC_HASH_START, &own, sizeof own), name, strlen(name));
  }
  return as_number(sum);
}

/* Hash of the nonlinear internal forces, by the forces and the tangent at the start; K does not have them. */
static prc_status hash_internal(const cli_run_state *run, uint64_t *hash, prc_error *err) {
  const prc_system *s = run->system;
  const prc_dynamics *d = &s->dynamics;
  prc_status status = PRC_OK;
  prc_sym *A = NULL, *whole = NULL;
  double *q = NULL, *v = NULL, *f = NULL;
  if (!(d->varies & PRC_INTERNAL_NONLINEAR) || !d->internal || !d->tangent) return PRC_OK;
  prc_try(prc_new(&q, prc_system_coordinates(s), err));
  prc_try(prc_new(&v, s->space.nv, err));
  prc_try(prc_new(&f, s->space.nv, err));
  prc_scene_initial(run->model->scene, q, v);
  const prc_at at = {0.0, q, v};
  prc_try(d->internal(s->owner, &at, f, NULL, err));
  prc_try(prc_sym_add(0.0, d->M, 0.0, d->pattern, &A, err));
  prc_try(prc_sym_add(0.0, A, 0.0, d->C, &whole, err));
  prc_try(d->tangent(s->owner, &at, 1.0, 1.0, whole, err));
  hash_values(hash, f, (size_t)s->space.nv * sizeof *f);
  hash_values(hash, whole->x, (size_t)prc_sym_nnz(whole) * sizeof *whole->x);
done:
  prc_sym_free(&A);
  prc_sym_free(&whole);
  prc_delete(&q);
  prc_delete(&v);
  prc_delete(&f);
  return status;
}

/* Hash of the data that the matrices follow from: m and f of the checkpoint belong to them. */
static prc_status model_fingerprint(const cli_run_state *run, double *out, prc_error *err) {
  const prc_system *s = run->system;
  uint64_t hash = PRC_HASH_START;
  const prc_dynamics *d = &s->dynamics;
  const prc_sym *const matrix[] = {d->M, d->K, d->C};
  for (int k = 0; k < 3; k++)
    if (matrix[k]) hash_values(&hash, matrix[k]->x, (size_t)prc_sym_nnz(matrix[k]) * sizeof *matrix[k]->x);
  if (d->C)
    hash_values(&hash, d->C->i, (size_t)prc_sym_nnz(d->C) * sizeof *d->C->i); /* its pattern is its own */
  hash_values(&hash, &d->damping_mass, sizeof d->damping_mass);
  hash_values(&hash, &d->damping_stiffness, sizeof d->damping_stiffness);
  const prc_status status = hash_internal(run, &hash, err);
  *out = as_number(hash);
  return status;
}

static void hash_law(uint64_t *hash, const prc_law *law) {
  hash_values(hash, law->friction->name, strlen(law->friction->name));
  hash_values(hash, law->parameter, sizeof law->parameter);
  hash_values(hash, &law->e, sizeof law->e);
  hash_values(hash, &law->e_t, sizeof law->e_t);
}

/* Number, coefficients and places of the contacts as the bodies stand in the case, and the coefficients of those that may come. laws 0: without coefficients. */
static prc_status contact_fingerprint(const cli_run_state *run, int laws, double *n, double *out,
                                      prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = run->system;
  uint64_t hash = PRC_HASH_START;
  prc_contact_set set = {0};
  double *q = NULL, *v = NULL;
  prc_try(prc_new(&q, prc_system_coordinates(s), err));
  prc_try(prc_new(&v, s->space.nv, err));
  prc_scene_initial(run->model->scene, q, v);
  const prc_at at = {0.0, q, v};
  prc_try(prc_system_find_contacts(s, &at, 0.0, 0.0, &set, NULL, err));
  if (set.n > 0) s->contacts.evaluate(s->owner, &at, PRC_EVALUATE_GAP, &set);
  hash_values(&hash, set.id, (size_t)set.n * sizeof *set.id);
  hash_values(&hash, set.gap, (size_t)set.n * sizeof *set.gap);
  for (int c = 0; laws && c < set.n; c++) hash_law(&hash, set.law[c]);
  for (int k = 0; laws && k < s->contacts.n_laws; k++) hash_law(&hash, s->contacts.law[k]);
  *n = set.n, *out = as_number(hash);
done:
  prc_delete(&q);
  prc_delete(&v);
  prc_contact_set_free(&set);
  return status;
}

prc_status cli_kept_contacts(const cli_run_state *run, double out[KEPT_SIZE], prc_error *err) {
  uint64_t names = PRC_HASH_START;
  double n;
  for (int k = 0; k < run->c->n_contacts; k++) {
    const char *name = run->c->contact_group[k].name;
    hash_values(&names, name, strlen(name) + 1);
  }
  out[KEPT_NAMES] = as_number(names);
  return contact_fingerprint(run, 0, &n, &out[KEPT_PLACES], err);
}

double cli_kept_law(const prc_law *law) {
  return as_number(prc_hash(PRC_HASH_START, law->friction->name, strlen(law->friction->name)));
}

/* The state at t = 0, the formulas of time as they are written, and loads (of bodies as they stand in the case) and prescribed displacements over
 * the steps done, at times that grow like the Fibonacci numbers. */
static prc_status load_fingerprint(const cli_run_state *run, double h, int last, double *out,
                                   prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = run->system;
  const uint64_t formulas = prc_case_formulas(run->c);
  uint64_t hash = run->initial;
  double *value = NULL, *q = NULL, *v = NULL;
  hash_values(&hash, &formulas, sizeof formulas);
  prc_try(prc_new(&value, s->space.nv, err));
  prc_try(prc_new(&q, prc_system_coordinates(s), err));
  prc_try(prc_new(&v, s->space.nv, err));
  prc_scene_initial(run->model->scene, q, v);
  for (long long step = 0, next = 1; step <= last; next += step, step = next - step) {
    if (s->dynamics.loads)
      prc_try(s->dynamics.loads(s->owner, &(prc_at){(double)step * h, q, v}, value, err));
    hash_values(&hash, value, (size_t)s->space.nv * sizeof *value);
    if (s->drive.n == 0 || !s->drive.displacement) continue;
    prc_try(s->drive.displacement(s->owner, (double)step * h, value, err));
    hash_values(&hash, value, (size_t)s->drive.n * sizeof *value);
  }
  *out = as_number(hash);
done:
  prc_delete(&value);
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

/* The law; of another scheme than the first, or other options than those that are usual, these too. */
static double scheme_fingerprint(const prc_step_options *o) {
  const unsigned takes = prc_step_scheme_options(o->scheme);
  const int usual = o->prediction == PRC_PREDICT_PRESENT && o->joints == PRC_JOINTS_SECANT
                    && o->directions == PRC_DIRECTIONS_CENTRE && o->bulk == PRC_BULK_THETA
                    && o->loads == PRC_LOADS_MEAN;
  uint64_t hash = prc_hash(PRC_HASH_START, o->scheme, strlen(o->scheme));
  if (o->pace.max > 0.0) hash_values(&hash, &o->pace, offsetof(prc_step_pace, end));
  if (cli_is_static(o)) return o->pace.max > 0.0 ? -1.0 - as_number(hash) : CLI_CHECKPOINT_STATIC;
  if (o->pace.max == 0.0 && strcmp(o->scheme, PRC_STEP_DEFAULT_SCHEME) == 0 && usual) return (double)o->law;
  hash_values(&hash, &o->law, sizeof o->law);
  if (takes & PRC_OPTION_RHO) hash_values(&hash, &o->rho, sizeof o->rho);
  if (o->bulk != PRC_BULK_THETA) hash_values(&hash, &o->weight, sizeof o->weight);
  if (takes & PRC_OPTION_DIRECTIONS) hash_values(&hash, &o->directions, sizeof o->directions);
  if (takes & PRC_OPTION_PREDICTION) hash_values(&hash, &o->prediction, sizeof o->prediction);
  if (takes & PRC_OPTION_SLIP_DIRECTION) hash_values(&hash, &o->slip_direction, sizeof o->slip_direction);
  if (takes & PRC_OPTION_JOINTS) hash_values(&hash, &o->joints, sizeof o->joints);
  if (o->loads != PRC_LOADS_MEAN) hash_values(&hash, &o->loads, sizeof o->loads);
  return as_number(hash);
}

/* Keys and groups: what no number above shows. */
static double keys_fingerprint(const cli_run_state *run) {
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  uint64_t of[] = {prc_case_identity(run->c), 0};
  for (int b = 0; b < n; b++)
    if (body[b].kind->view->groups) of[1] = body[b].kind->view->groups(body[b].self);
  return as_number(prc_hash(PRC_HASH_START, of, sizeof of));
}

prc_status cli_checkpoint_identify(const cli_run_state *run, int last, double id[ID_SIZE], prc_error *err) {
  const prc_step_options *o = prc_stepper_options(run->stepper);
  id[ID_FORMAT] = CLI_CHECKPOINT_FORMAT;
  id[ID_DOFS] = (double)cli_checkpoint_dofs(run);
  id[ID_STEP] = prc_stepper_record(run->stepper)->step;
  id[ID_H] = run->c->time.step, id[ID_THETA] = o->theta, id[ID_LAW] = scheme_fingerprint(o);
  id[ID_PLACES] = cli_checkpoint_places(run->model);
  id[ID_COLUMNS] = (double)run->diagrams.n_columns, id[ID_EVERY] = run->diagrams.every;
  id[ID_LEDGER] = (double)prc_ledger_size();
  id[ID_VERSION] = as_number(prc_hash(PRC_HASH_START, PACKAGE_VERSION, sizeof PACKAGE_VERSION));
  id[ID_KEYS] = keys_fingerprint(run), id[ID_SHARED] = run->share != NULL;
  id[ID_MODEL] = run->identity[0], id[ID_LOADS] = run->identity[1];
  prc_status status = run->share ? PRC_OK : model_fingerprint(run, &id[ID_MODEL], err);
  if (status == PRC_OK) status = contact_fingerprint(run, 1, &id[ID_CONTACTS], &id[ID_CONTACT], err);
  return status == PRC_OK && !run->share ? load_fingerprint(run, run->c->time.step, last, &id[ID_LOADS], err)
                                         : status;
}

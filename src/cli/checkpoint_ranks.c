#include "config.h"
#include "cli/checkpoint.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A state that rank 0 has read, handed to all: whole vectors by their items, what contacts carry and the ledger as they are. Rank 0 may try one file after another; the
 * others follow it until it has come to an end. */

enum { NO_MORE, A_STATE };

size_t cli_checkpoint_dofs(const cli_run_state *run) {
  return run->share ? (size_t)run->share->width * (size_t)run->share->n_whole : (size_t)run->system->space.nv;
}

size_t cli_checkpoint_coordinates(const cli_run_state *run) {
  return run->share ? cli_checkpoint_dofs(run) : (size_t)prc_system_coordinates(run->system);
}

/* n of them, made where they are not rank 0's. */
static prc_status hand_array(const cli_run_state *run, size_t n, size_t size, void *array, prc_error *err) {
  void **at = array;
  prc_status status = PRC_OK;
  if (run->share->ranks->rank > 0) status = prc_allocate(n, size, at, err);
  prc_try(cli_ranks_agree(run, status, err));
  cli_ranks_tell(run, n * size, *at);
done:
  return status;
}

static prc_status hand_carried(const cli_run_state *run, cli_carried *c, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  c->dim = set->dim, c->n_kept = set->n_kept;
  cli_ranks_tell(run, sizeof c->n, &c->n);
  cli_ranks_tell(run, sizeof c->n_away, &c->n_away);
  const size_t n = (size_t)c->n, dim = (size_t)c->dim;
  prc_try(hand_array(run, n, sizeof *c->id, &c->id, err));
  prc_try(hand_array(run, dim * n, sizeof *c->p, &c->p, err));
  prc_try(hand_array(run, PRC_LAW_STATE * n, sizeof *c->state, &c->state, err));
  prc_try(hand_array(run, n, sizeof *c->slip, &c->slip, err));
  prc_try(hand_array(run, 3 * n, sizeof *c->place, &c->place, err));
  prc_try(hand_array(run, (size_t)c->n_kept * n, sizeof *c->kept, &c->kept, err));
  prc_try(hand_array(run, n, sizeof *c->lasts, &c->lasts, err));
  prc_try(hand_array(run, (size_t)c->n_away, sizeof *c->away, &c->away, err));
done:
  return status;
}

/* The vectors become those of this rank. */
static prc_status hand_vectors(const cli_run_state *run, cli_checkpoint_state *s, prc_error *err) {
  prc_status status = PRC_OK;
  double **const vector[] = {&s->q, &s->v, &s->m, &s->f};
  for (int k = 0; k < 4; k++) {
    double *own = NULL;
    prc_try(cli_ranks_agree(run, prc_new(&own, run->system->space.nv, err), err));
    status = cli_ranks_spread(run->share, *vector[k], own, err);
    prc_delete(vector[k]);
    *vector[k] = own;
    prc_try(status);
  }
done:
  return status;
}

static prc_status hand_over(cli_run_state *run, cli_checkpoint_state *s, prc_error *err) {
  prc_status status = PRC_OK;
  cli_ranks_tell(run, sizeof s->step, &s->step);
  cli_ranks_tell(run, sizeof s->clock, &s->clock);
  cli_ranks_tell(run, sizeof s->speed, &s->speed);
  prc_try(hand_array(run, prc_ledger_size(), sizeof *s->ledger, &s->ledger, err));
  prc_try(hand_carried(run, &s->carried, err));
  prc_try(hand_vectors(run, s, err));
done:
  return status;
}

prc_status cli_checkpoint_hand_over(cli_run_state *run, cli_checkpoint_state *s, prc_error *err) {
  int what = A_STATE;
  if (!run->share) return PRC_OK;
  if (cli_ranks_write(run)) cli_ranks_tell(run, sizeof what, &what);
  return cli_ranks_agree(run, hand_over(run, s, err), err);
}

prc_status cli_checkpoint_follow(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  for (int what = A_STATE;;) {
    cli_checkpoint_state s = {0};
    cli_ranks_tell(run, sizeof what, &what);
    if (what == NO_MORE) return status;
    prc_error_clear(err); /* the one before said no */
    status = cli_checkpoint_hand_over(run, &s, err);
    if (status == PRC_OK) status = cli_ranks_agree(run, cli_checkpoint_resume(run, &s, err), err);
    cli_checkpoint_state_free(&s);
  }
}

void cli_checkpoint_end(cli_run_state *run) {
  int what = NO_MORE;
  if (run->share) cli_ranks_tell(run, sizeof what, &what);
}

/* ---- which run ------------------------------------------------------------------------------------------------------------ */

/* Of sizes, which do not cancel. */
static void add_matrices(const prc_system *system, double sum[12]) {
  const prc_dynamics *d = &system->dynamics;
  const prc_share *share = system->share;
  const prc_sym *const matrix[] = {d->M, d->K, d->C};
  for (int i = share->width * share->first; i < share->width * share->end; i++)
    for (int k = 0; k < 3; k++) {
      const double *x = share->place + 2 * (i / share->width),
                   of = matrix[k] ? matrix[k]->x[matrix[k]->p[i]] : 0.0;
      sum[4 * k + i % 2] += of, sum[4 * k + 2] += of * fabs(x[0]), sum[4 * k + 3] += of * fabs(x[1]);
    }
}

/* At one time: loads, and prescribed displacements with their places among all dofs. What is not defined there counts as nothing, as it does later. */
static void add_loads(const prc_system *system, double t, double *F, const double *zero, double sum[6]) {
  const prc_share *share = system->share;
  const prc_drive *drive = &system->drive;
  prc_error ignored = {0};
  const int first = share->width * share->first, end = share->width * share->end;
  if (system->dynamics.loads
      && system->dynamics.loads(system->owner, &(prc_at){t, zero, zero}, F, &ignored) == PRC_OK)
    for (int i = first; i < end; i++) {
      const double *x = share->place + 2 * (i / share->width);
      sum[i % 2] += fabs(F[i]), sum[2] += fabs(F[i]) * (fabs(x[0]) + 2.0 * fabs(x[1]));
    }
  const int known = drive->displacement && drive->displacement(system->owner, t, F, &ignored) == PRC_OK;
  for (int k = 0; k < drive->n; k++) {
    const int i = drive->dof[k];
    if (i < first || i >= end) continue;
    const int node = share->whole[i / share->width];
    sum[3] += 1.0, sum[4] += share->width * (double)node + i % share->width;
    sum[5] += known ? fabs(F[k]) : 0.0;
  }
}

/* Of matrices, loads and supports that no rank has whole: sums that tell one model from another, at times that grow like the Fibonacci numbers. */
prc_status cli_checkpoint_identify_ranks(cli_run_state *run, prc_error *err) {
  enum { TIMES = 16 };
  prc_status status = PRC_OK;
  const prc_system *s = run->system;
  double *F = NULL, *zero = NULL, model[14] = {0.0}, loads[6 * TIMES] = {0.0};
  if (!run->share) return PRC_OK;
  prc_try(prc_new(&F, s->space.nv, err));
  prc_try(prc_new(&zero, s->space.nv, err));
  add_matrices(s, model);
  for (int k = 0, step = 0, next = 1, sum; k < TIMES; k++, sum = step + next, step = next, next = sum)
    add_loads(s, step * run->c->time.step, F, zero, loads + 6 * k);
  model[12] = s->dynamics.damping_mass / run->share->ranks->n;
  model[13] = s->dynamics.damping_stiffness / run->share->ranks->n;
  run->identity[0] = (double)(cli_ranks_hash(run->share, 14, model) >> 11);
  const uint64_t own[] = {run->initial, prc_case_formulas(run->c),
                          cli_ranks_hash(run->share, 6 * TIMES, loads)};
  run->n_prescribed = (int)loads[3]; /* summed by now */
  run->identity[1] = (double)(prc_hash(PRC_HASH_START, own, sizeof own) >> 11);
done:
  prc_delete(&F);
  prc_delete(&zero);
  return status;
}

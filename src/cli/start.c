#include "config.h"
#include "cli/continued.h"
#include "cli/cli.h"

#include <math.h>
#include <string.h>

/* Where a run begins. */

static prc_status put_initial_state(cli_run_state *run, double *q, double *v, prc_error *err) {
  if (!run->continued && !run->resumes) {
    char held[512];
    const prc_status status = prc_simulation_initial_state(run->c, run->model, q, v, held, sizeof held, err);
    if (status != PRC_OK || !held[0]) return status;
    if (run->strict)
      return prc_fail(err, PRC_INPUT,
                      "initial.state: equilibrium holds contacts that would open or slide: %s; expected none "
                      "with --strict, or initial.state: rest",
                      held);
    prc_log_message(&cli_log, PRC_LOG_WARNING, PRC_SIMULATION_HELD, held);
    return PRC_OK;
  }
  prc_scene_initial(run->model->scene, q, v);
  return run->continued ? cli_continued_place(run, q, v, err) : PRC_OK;
}

/* Of velocities that ranks share. */
static uint64_t speeds_fingerprint(const prc_share *share, const double *v) {
  double sum[4] = {0.0};
  for (int a = share->first; a < share->end; a++)
    for (int k = 0; k < share->width; k++) {
      const double x = v[share->width * a + k];
      sum[k % 2] += fabs(x), sum[2 + k % 2] += x * x;
    }
  return cli_ranks_hash(share, 4, sum);
}

/* State at the start as the case says it. An equilibrium or the state of another run is none of it: rounding
 * and time change these. */
static uint64_t initial_fingerprint(const cli_run_state *run, const double *q, const double *v) {
  const prc_case_initial kind = run->c->initial.kind;
  const prc_share *share = run->share;
  const size_t of_q = (size_t)prc_system_coordinates(run->system) * sizeof *q,
               of_v = (size_t)run->system->space.nv * sizeof *v;
  uint64_t hash = prc_hash(PRC_HASH_START, &kind, sizeof kind);
  hash = prc_hash(hash, &run->c->initial.with_loads, sizeof run->c->initial.with_loads);
  if (run->c->initial.time > 0.0) hash = prc_hash(hash, &run->c->initial.time, sizeof run->c->initial.time);
  if (kind != PRC_INITIAL_REST && kind != PRC_INITIAL_VELOCITY) return hash;
  if (share) return prc_hash(hash, &(uint64_t){speeds_fingerprint(share, v)}, sizeof(uint64_t));
  return prc_hash(prc_hash(hash, q, of_q), v, of_v);
}

prc_status cli_run_initial_state(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  if (run->c->initial.kind == PRC_INITIAL_EQUILIBRIUM) cli_phase("finding the equilibrium of the start");
  prc_try(prc_new(&run->q_start, prc_system_coordinates(run->system), err));
  prc_try(prc_new(&run->v_start, run->system->space.nv, err));
  prc_try(put_initial_state(run, run->q_start, run->v_start, err));
  run->initial = initial_fingerprint(run, run->q_start, run->v_start);
done:
  return status;
}

/* A motion that jumps is refused before hours of steps, not after them. */
static prc_status start_alone(cli_run_state *run, prc_error *err) {
  const prc_case *c = run->c;
  const int goes_on = c->initial.kind == PRC_INITIAL_CONTINUED || c->initial.time > 0.0;
  prc_status status = goes_on ? cli_continued_start(run, err)
                              : prc_stepper_start(run->stepper, run->q_start, run->v_start, err);
  if (status == PRC_OK) status = prc_stepper_foresee(run->stepper, c->time.n_steps - c->time.first, err);
  if (status == PRC_INPUT) prc_case_place_motion(run->c, err);
  return status;
}

static prc_status start_stepper(cli_run_state *run, prc_error *err) {
  return cli_ranks_agree(run, start_alone(run, err), err);
}

prc_status cli_run_start(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  cli_phase("starting");
  if (!run->resumes) {
    prc_try(start_stepper(run, err));
    if (!cli_continued_is_whole(run)) prc_try(cli_continued_judge_overlaps(run, err));
    prc_ledger_start(run->ledger, prc_stepper_record(run->stepper));
    cli_continued_enter(run);
  }
  prc_delete(&run->q_start);
  prc_delete(&run->v_start);
  prc_memory_trim();
done:
  cli_phase_end();
  return status;
}

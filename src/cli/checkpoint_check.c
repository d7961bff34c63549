#include "config.h"
#include "cli/checkpoint.h"
#include "linear/linear.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Checks of all numbers in a checkpoint. A right checksum is not enough: another program, or a run with
 * damaged memory, may have written the file. */

prc_status cli_checkpoint_finite(const char *path, const char *name, size_t n, const double *value,
                                 prc_error *err) {
  for (size_t k = 0; k < n; k++)
    if (!isfinite(value[k]))
      return prc_fail(err, PRC_INPUT, "%s is damaged: number %zu of '%s' is %g, expected a finite one", path,
                      k + 1, name, value[k]);
  return PRC_OK;
}

/* Bodies in space turn by unit quaternions, which steps keep to rounding. */
prc_status cli_checkpoint_quaternions(const char *path, const cli_run_state *run, const double *q,
                                      prc_error *err) {
  const prc_spatial *spatial = run->model->spatial;
  for (int b = 0; spatial && b < prc_spatial_count(spatial); b++) {
    const prc_spatial_motion motion = prc_spatial_motion_of(spatial, q, NULL, b);
    double square = 0.0;
    for (int k = 0; k < 4; k++) square += motion.orientation[k] * motion.orientation[k];
    if (!(fabs(square - 1.0) <= 1e-6))
      return prc_fail(err, PRC_INPUT, "%s is damaged: the quaternion of body %d has length %g, expected 1",
                      path, b + 1, sqrt(square));
  }
  return PRC_OK;
}

/* Percussions of solved contact problems lie in the friction cone, p_N >= 0 and |p_T| <= mu p_N, up to what
 * the solver's tolerance leaves: a millionth of the largest is far above that. Those of a scheme that has forces on other levels alone
 * (smooth-alpha) are filtered, and pull when a contact has opened. */
static prc_status check_cone(const cli_run_state *run, const char *path, const cli_carried *carried,
                             prc_error *err) {
  const prc_contact_set *s = prc_stepper_record(run->stepper)->contacts;
  const unsigned levels = prc_stepper_levels(run->stepper);
  const int dim = carried->dim;
  double largest = 0.0;
  if (levels != 0 && !(levels & 1U << PRC_LEVEL_VELOCITY)) return PRC_OK;
  for (int k = 0; k < dim * carried->n; k++) largest = fmax(largest, fabs(carried->p[k]));
  for (int k = 0; k < carried->n; k++) {
    const double *of = carried->p + dim * k, leeway = 1e-6 * largest;
    const double tangential = dim == 2 ? fabs(of[1]) : hypot(of[1], of[2]);
    const int c = prc_contact_set_place(s, &carried->id[k]);
    if (c < 0) continue; /* it is not there yet: the law that it has is not known */
    /* where it changes mu was another when the percussion was found */
    const double mu = prc_law_is_constant(s->law[c])
                          ? prc_law_friction_at(s->law[c], carried->state + PRC_LAW_STATE * k, 0.0)
                          : PRC_CONE_FRICTION_MOST;
    if (of[0] >= -leeway && tangential <= mu * fmax(of[0], 0.0) + leeway) continue;
    return prc_fail(
        err, PRC_INPUT,
        "%s is damaged: the percussion of contact %d is (%g, %g), expected one in the cone of its "
        "friction %g",
        path, c + 1, of[0], of[1], mu);
  }
  return PRC_OK;
}

/* Ways of slip, times and speeds: no law has a state below zero. */
static prc_status check_states(const char *path, const cli_carried *carried, prc_error *err) {
  for (int k = 0; k < PRC_LAW_STATE * carried->n; k++)
    if (!(carried->state[k] >= 0.0))
      return prc_fail(err, PRC_INPUT,
                      "%s is damaged: number %d of 'friction' is %g, expected the state of a law, which is "
                      "not negative",
                      path, k + 1, carried->state[k]);
  return PRC_OK;
}

static prc_status check_times(const char *path, size_t n, const double *time, double last, prc_error *err) {
  for (size_t k = 0; k < n; k++)
    if (!(time[k] >= (k > 0 ? time[k - 1] : 0.0)) || time[k] > last * (1.0 + 1e-9))
      return prc_fail(err, PRC_INPUT,
                      "%s is damaged: the time of column %zu of the diagrams is %g, expected times that grow "
                      "up to %g",
                      path, k + 1, time[k], last);
  return PRC_OK;
}

prc_status cli_checkpoint_check(const cli_run_state *run, const char *path, const cli_checkpoint_content *c,
                                prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = cli_checkpoint_dofs(run), n_q = cli_checkpoint_coordinates(run),
               columns = run->diagrams.n_columns;
  prc_try(cli_checkpoint_finite(path, "q", n_q, c->q, err));
  prc_try(cli_checkpoint_quaternions(path, run, c->q, err));
  prc_try(cli_checkpoint_finite(path, "v", n, c->v, err));
  prc_try(cli_checkpoint_finite(path, "m", n, c->m, err));
  prc_try(cli_checkpoint_finite(path, "f", n, c->f, err));
  prc_try(cli_checkpoint_finite(path, "diagram_time", columns, run->diagrams.time, err));
  prc_try(cli_checkpoint_finite(path, "diagram", columns * cli_diagrams_column_size(run), run->diagrams.value,
                                err));
  prc_try(check_states(path, c->carried, err));
  prc_try(check_times(path, columns, run->diagrams.time, c->t, err));
  if (!prc_ledger_is_sound(c->ledger, c->step, c->t))
    return prc_fail(err, PRC_INPUT,
                    "%s is damaged: its ledger is not that of step %d, expected finite energies and works",
                    path, c->step);
  if (prc_ledger_failures(c->ledger) == 0.0) status = check_cone(run, path, c->carried, err);
done:
  return status;
}

/* ---- which arithmetic it was --------------------------------------------------------------------------- */

/* "OpenBLAS 0.3.21 Haswell", or with others that went on: "... Haswell; from step 500 on OpenBLAS 0.3.21
 * SkylakeX". */
static const char change[] = "; from step ";

static const char *last_of(const char *kernels) {
  const char *at = kernels, *next;
  while ((next = strstr(at, change))) at = next + strlen(change);
  const char *on = at == kernels ? NULL : strstr(at, " on ");
  return on ? on + 4 : at;
}

void cli_kernels_continue(cli_run_state *run, const char *kernels, int step) {
  char mine[PRC_DENSE_KERNEL];
  prc_dense_kernel(mine);
  const char *before = last_of(kernels);
  if (!*kernels) return; /* a checkpoint of before they were noted */
  const int is_same = strcmp(before, mine) == 0;
  if (!is_same)
    prc_log_message(
        &cli_log, PRC_LOG_WARNING,
        "the run was computed by %s up to step %d and goes on with %s: it rounds otherwise, and from here "
        "on the results are not, bit by bit, those of a run that did not stop (OPENBLAS_CORETYPE chooses)",
        before, step, mine);
  const int n =
      is_same ? snprintf(run->kernels, sizeof run->kernels, "%s", kernels)
              : snprintf(run->kernels, sizeof run->kernels, "%s%s%d on %s", kernels, change, step, mine);
  if ((size_t)n >= sizeof run->kernels) /* too many changes: the last one counts */
    snprintf(run->kernels, sizeof run->kernels, "several%s%d on %s", change, step, mine);
}

prc_status cli_kernels_put(const cli_run_state *run, prc_output_store *store, prc_error *err) {
  double letter[CLI_KERNELS];
  const size_t n = strlen(run->kernels);
  for (size_t k = 0; k < n; k++) letter[k] = (unsigned char)run->kernels[k];
  return prc_output_store_put(store, "kernels", n, letter, err);
}

/* "" where there is none, as in checkpoints of before. What is no letter becomes one: it is printed. */
prc_status cli_kernels_get(prc_output_store *store, char kernels[CLI_KERNELS], prc_error *err) {
  double letter[CLI_KERNELS];
  prc_error absent = {0};
  size_t n = 0;
  kernels[0] = '\0';
  if (prc_output_store_size(store, "kernels", &n, &absent) != PRC_OK) return PRC_OK;
  if (n >= CLI_KERNELS)
    return prc_fail(err, PRC_INPUT, "'kernels' has %zu letters, expected at most %d", n, CLI_KERNELS - 1);
  const prc_status status = prc_output_store_get(store, "kernels", n, letter, err);
  for (size_t k = 0; status == PRC_OK && k < n; k++)
    kernels[k] = (char)(letter[k] >= 0x20 && letter[k] < 0x7f ? (int)letter[k] : '?');
  kernels[status == PRC_OK ? n : 0] = '\0';
  return status;
}

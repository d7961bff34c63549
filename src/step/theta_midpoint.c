#include "config.h"
#include "step/theta.h"

/* Moreau's midpoint scheme (Moreau 1988; Capobianco et al. 2021, section 10.3): the theta-scheme at 1/2 with gaps and directions in the middle of
 * the step, where the velocity of its beginning leads,
 *
 *   q_m = q_k (+) h/2 v_k,   M (v' - v) = h F(t_m) + H(q_m)'p,   law of contact on u' = H(q_m) v' of those with g(q_m) <= 0,   q' = q_k (+) h/2 (v + v').
 *
 * Percussions act and work through the same H, so the balance (65) is that of the theta-scheme. A closed contact has u' = 0 with e = 0, while q'
 * follows (v + v')/2: where H turns, of second order only with e = 1, u + u' = 0. */

static prc_status check(const prc_system *system, const prc_step_options *o, prc_error *err) {
  if (o->theta != 0.5)
    return prc_fail(err, PRC_INPUT, "theta is %g, expected 1/2 with the scheme midpoint", o->theta);
  const prc_status status = prc_step_refuse_prediction(o, err);
  return status == PRC_OK ? prc_step_theta_check(system, o, err) : status;
}

const prc_scheme prc_scheme_midpoint = {
    .name = "midpoint",
    .help = "Moreau's scheme: theta at 1/2, with gaps in the middle of the step where directions are "
            "constant, and all at q_k + h/2 v_k "
            "with contact.directions: middle",
    .laws = "newton, fremond",
    .takes = "law, tolerance (of a step that iterates), joints, contact.activation, contact.directions; "
             "restitutions up to 1; "
             "steps that vary",
    .order = "2 while contacts stay as they are, also where they turn; with contact.directions: middle 1 "
             "where they turn, for "
             "gaps drift, half as far as with start (2 with a restitution of 1); 1 at impacts",
    .theta = 0.5,
    .middle = 1,
    .leans = 1,
    .follows = 1,
    .has_mass = 1,
    .takes_means = 1,
    .has_joints = 1,
    .options = PRC_OPTION_LAW | PRC_OPTION_TOLERANCE | PRC_OPTION_JOINTS | PRC_OPTION_RESTITUTION
               | PRC_OPTION_FRICTION | PRC_OPTION_PACE | PRC_OPTION_DIRECTIONS | PRC_OPTION_LOADS,
    .check = check,
    .promises = prc_step_theta_promises,
    .matrix = prc_step_theta_matrix,
    .create = prc_step_theta_create,
    .start = prc_step_theta_start,
    .step = prc_step_theta_step,
    .resize = prc_step_theta_resize,
    .drift = prc_step_theta_drift,
    .rounding = prc_step_theta_rounding,
    .free = prc_step_theta_free};

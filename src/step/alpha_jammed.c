#include "config.h"
#include "step/alpha.h"
#include "cone/operator.h"

#include <math.h>

/* Beyond Painleve's border a contact that slides has several motions. With its own friction, p_T = s mu p_N, its normal row is
 *
 *   u_N = D p_N + q_N,   D = W_NN + s mu W_NT,
 *
 * and D < 0 < q_N: it may leave with p = 0, or stay with p_N = -q_N / D, as long as slip goes on, or until the percussion that ends slip. Solvers
 * of the contact problem take what is easiest, to leave. Here the one that pushed in the last step is begun with what lets it stay: a solution, which
 * a warm start keeps, and one that starts from zero does not see. */

/* p := what keeps it closed, by its own friction; 0 where it is not jammed, or nothing does. */
static int stay(const double W[4], const double q[2], double mu, double p[2]) {
  const double sign = p[1] > 0.0 ? 1.0 : -1.0, D = W[0] + sign * mu * W[1];
  const double det = W[0] * W[3] - W[1] * W[2];
  if (!(D < 0.0 && q[0] > 0.0)) return 0;
  const double normal = -q[0] / D, slip = q[1] + (W[2] + sign * mu * W[3]) * normal;
  if (sign * slip <= 0.0) {
    p[0] = normal, p[1] = sign * mu * normal;
    return 1;
  }
  if (!(det > 0.0)) return 0;
  const double stick[2] = {(W[1] * q[1] - W[3] * q[0]) / det, (W[2] * q[0] - W[0] * q[1]) / det};
  if (!(stick[0] > 0.0 && fabs(stick[1]) <= mu * stick[0])) return 0;
  p[0] = stick[0], p[1] = stick[1];
  return 1;
}

void prc_alpha_keep_jammed(const prc_cone_problem *problem, double *p, double *w) {
  int known = 0;
  if (problem->dim != 2) return;
  for (int c = 0; c < problem->n; c++) {
    double W[4], *own = p + 2 * c;
    const double mu = problem->mu[c];
    if (!(own[0] > 0.0) || mu == 0.0 || fabs(own[1]) < mu * own[0] * (1.0 - 1e-9)) continue;
    prc_cone_operator_of(problem)->block(problem, c, W);
    if (!(W[0] - mu * fabs(W[1]) < 0.0)) continue;
    if (!known) prc_cone_velocity(problem, p, w);
    known = 1;
    const double q[2] = {w[2 * c] - W[0] * own[0] - W[1] * own[1],
                         w[2 * c + 1] - W[2] * own[0] - W[3] * own[1]};
    if (stay(W, q, mu, own)) known = 0;
  }
}

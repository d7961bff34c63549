#include "config.h"
#include "cone/solvers/method.h"

/* Random draws of solvers: their starts, and the order of contacts. */

/* splitmix64's numbers from seeds that differ in a bit have nothing in common, so each of the three goes
 * into a seed of its own. */
prc_random prc_cone_random(const prc_cone_options *options, uint64_t sweep) {
  prc_random random = {.state = options->seed};
  random.state = prc_random_bits(&random) ^ options->step;
  random.state = prc_random_bits(&random) ^ sweep;
  random.state = prc_random_bits(&random);
  return random;
}

/* Percussions drawn at random: the normal one uniform in [0, largest], the tangential one uniform over the
 * section of the cone there: a segment in 2D, a disc in 3D, a ball with drilling. */
void prc_cone_draw(const prc_cone_problem *problem, double largest, prc_random *random, double *p) {
  const double pi = 3.141592653589793;
  for (int c = 0; c < problem->n; c++, p += problem->dim) {
    p[0] = prc_random_uniform(random, 0.0, largest);
    const double radius = problem->mu[c] * p[0];
    if (problem->dim == 2) p[1] = prc_random_uniform(random, -radius, radius);
    if (problem->dim < 3) continue;
    const double share = prc_random_uniform(random, 0.0, 1.0),
                 angle = prc_random_uniform(random, 0.0, 2.0 * pi),
                 r = radius * (problem->dim == 3 ? sqrt(share) : cbrt(share)),
                 height = problem->dim == 3 ? 0.0 : prc_random_uniform(random, -1.0, 1.0),
                 flat = sqrt(1.0 - height * height);
    p[1] = r * flat * cos(angle), p[2] = r * flat * sin(angle);
    if (problem->dim == 4) p[3] = r * height;
  }
}

void prc_cone_draw_start(prc_random *random, const prc_cone_problem *problem, double *p) {
  const int dim = problem->dim, rows = dim * problem->n;
  double b = 0.0;
  for (int i = 0; i < rows; i++) b = fmax(b, fabs(problem->b[i]));
  const double size = 2.0 * b * prc_cone_rho(problem);
  for (int c = 0; c < problem->n; c++) {
    const double kind = prc_random_uniform(random, 0.0, 3.0),
                 angle = prc_random_uniform(random, 0.0, 6.283185307179586);
    const double normal = kind < 1.0 ? 0.0 : prc_random_uniform(random, 0.0, size);
    const double share = kind < 2.0 ? prc_random_uniform(random, 0.0, 1.0) : 1.0,
                 height = dim == 4 ? prc_random_uniform(random, -1.0, 1.0) : 0.0,
                 radius = share * problem->mu[c] * normal, flat = radius * sqrt(1.0 - height * height);
    double *here = p + dim * c;
    here[0] = normal;
    if (dim == 2) here[1] = angle < 3.141592653589793 ? radius : -radius;
    if (dim > 2) here[1] = flat * cos(angle), here[2] = flat * sin(angle);
    if (dim == 4) here[3] = radius * height;
  }
}

#include "config.h"
#include "support/known_contact.h"
#include "cone/cone.h"

#include <math.h>

double support_normal(prc_random *r) {
  return sqrt(-2.0 * log(prc_random_uniform(r, 1e-300, 1.0)))
         * cos(prc_random_uniform(r, 0.0, 6.283185307179586));
}

void support_delassus(prc_random *r, int rows, int rank, double condition, double *H, double *W) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rank; j++)
      H[i * rank + j] = support_normal(r) * (rank > 1 ? pow(condition, -0.5 * j / (rank - 1)) : 1.0);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int l = 0; l < rank; l++) sum += H[i * rank + l] * H[j * rank + l];
      W[i * rows + j] = W[j * rows + i] = sum / rank;
    }
}

void support_contact(prc_random *r, int dim, double mu, int status, double *p, double *w) {
  const double angle = prc_random_uniform(r, 0.0, 6.283185307179586);
  const double height = dim == 4 ? prc_random_uniform(r, -1.0, 1.0) : 0.0, flat = sqrt(1.0 - height * height);
  const double t[3] = {dim == 2 ? (angle < 3.0 ? 1.0 : -1.0) : flat * cos(angle), flat * sin(angle), height};
  for (int d = 0; d < dim; d++) p[d] = w[d] = 0.0;
  if (status == PRC_CONE_OPEN) {
    w[0] = prc_random_uniform(r, 0.0, 1.0);
    for (int d = 1; d < dim; d++) w[d] = support_normal(r);
    return;
  }
  p[0] = prc_random_uniform(r, 0.0, 1.0);
  const double share = status == PRC_CONE_STICK ? prc_random_uniform(r, 0.0, 1.0) : 1.0;
  const double speed = status == PRC_CONE_STICK ? 0.0 : prc_random_uniform(r, 0.0, 1.0);
  for (int d = 1; d < dim; d++) p[d] = -share * mu * p[0] * t[d - 1], w[d] = speed * t[d - 1];
}

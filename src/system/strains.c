#include "config.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

/* The strain that a hundredth of a volume exceeds. The share of the volume above s falls with s, so s is found by halving. */

#define SHARE 0.01
#define FINE  1e-4 /* of the strain */
enum { HALVINGS = 60 };

/* Is more than its share of some part above s? Of ranks that share a mesh all is one part. */
static int too_much(const prc_strains *p, double s, const prc_share *share) {
  double *above = p->sum, *all = p->sum + p->n_parts;
  memset(p->sum, 0, 2 * (size_t)p->n_parts * sizeof *p->sum);
  for (int i = 0; i < p->n; i++) {
    const int part = p->part ? p->part[i] : 0;
    all[part] += p->volume[i];
    if (p->strain[i] > s) above[part] += p->volume[i];
  }
  if (share) prc_share_sum(share, 2, p->sum);
  for (int k = 0; k < p->n_parts; k++)
    if (above[k] > SHARE * all[k]) return 1;
  return 0;
}

double prc_strains_of_most(const prc_strains *p, const prc_share *share) {
  double low = 0.0, high = 0.0;
  for (int i = 0; i < p->n; i++)
    if (!isnan(high) && !(p->strain[i] <= high)) high = p->strain[i]; /* what is no number stays */
  prc_share_largest(share, 1, &high);
  if (!isfinite(high) || high == 0.0) return high;
  for (int k = 0; k < HALVINGS && high - low > FINE * high; k++) {
    const double middle = 0.5 * (low + high);
    *(too_much(p, middle, share) ? &low : &high) = middle;
  }
  return high;
}

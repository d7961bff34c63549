/* Contacts whose percussion and velocity are known, for problems that are made from their solution. */
#ifndef PRC_TESTS_KNOWN_CONTACT_H
#define PRC_TESTS_KNOWN_CONTACT_H

#include "base/base.h"

/* of mean 0 and deviation 1 */
double support_normal(prc_random *r);
/* W = H H' / rank, rows x rows, where H has `rank` columns (at most rows) of normal numbers whose squared sizes fall from 1 to
 * 1 / condition; H: workspace of rows x rank */
void support_delassus(prc_random *r, int rows, int rank, double condition, double *H, double *W);
/* p and w of a contact that is open, sticks or slips (a prc_cone_status): -Phi(w) in N_K(p), with
 * Phi(w) = (w_N + mu |w_T|, w_T) */
void support_contact(prc_random *r, int dim, double mu, int status, double *p, double *w);

#endif

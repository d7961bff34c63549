/* Contacts whose percussion and velocity are known, for problems that are made from their solution. */
#ifndef PRC_TESTS_KNOWN_CONTACT_H
#define PRC_TESTS_KNOWN_CONTACT_H

#include "base/base.h"

/* of mean 0 and deviation 1 */
double support_normal(prc_random *r);
/* p and w of a contact that is open, sticks or slips (a prc_cone_status): -Phi(w) in N_K(p), with
 * Phi(w) = (w_N + mu |w_T|, w_T) */
void support_contact(prc_random *r, int dim, double mu, int status, double *p, double *w);

#endif

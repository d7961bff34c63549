/* The contacts of a system in a state. */
#ifndef PRC_TESTS_FOUND_H
#define PRC_TESTS_FOUND_H

#include "system/system.h"

/* In the order of their ids, with their gaps and H there; set: zero, or found before, and the caller's to free. */
void found_contacts(const prc_system *system, const double *q, prc_contact_set *set);
/* How many a system has whose contacts do not come and go. */
int found_count(const prc_system *system);

#endif

/* Calls of the system and of libraries that fail when they are told to. A program that has them is linked with
 * -Wl,--wrap for each name of the table in calls.c, so that what the library under test calls goes through here. */
#ifndef PRC_TESTS_CALLS_H
#define PRC_TESTS_CALLS_H

/* From now on the nth call of that name fails, in this process or in a child of it; of the name "bytes": reading ends after n
 * of them. */
void support_let_fail(const char *call, int nth);
/* From now on none fails. Did one? */
int support_let_succeed(void);

#endif

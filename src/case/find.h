/* The cases that come with percuss.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_CASE_FIND_H
#define PRC_CASE_FIND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The path of one of them by its name, with or without .yaml, which prc_case_read takes where no file here has that name; name NULL: of their
 * folder. 0: there is none. */
int prc_case_find_file(const char *name, char *path, size_t size);

#ifdef __cplusplus
}
#endif
#endif

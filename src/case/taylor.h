/* Numbers that vary with t, by their value and their first and second derivative, as they go on to the right of t: of what jumps or has a kink at
 * t, the limits from the right. */
#ifndef PRC_CASE_TAYLOR_H
#define PRC_CASE_TAYLOR_H

#include "base/base.h"
#include "case/history.h"

typedef struct {
  double value, rate, second;
} prc_taylor;

/* The functions and operators of expressions. Several means any number of arguments, at least one. */
enum { PRC_TAYLOR_SEVERAL = -1 };
typedef struct {
  const char *name;
  int n_arguments;
  void (*apply)(uint64_t seed, int n, prc_taylor *a); /* a[0] := f(a[0], ..., a[n - 1]) */
} prc_taylor_function;
/* NULL: there is none of this name. length: of the name. */
const prc_taylor_function *prc_taylor_find(const char *name, size_t length);
/* Of an operator: "+", "neg", "<=", "?:" */
const prc_taylor_function *prc_taylor_operator(const char *name);
/* The table's value at a. */
prc_taylor prc_taylor_of_table(const prc_history *history, prc_taylor a);
static inline prc_taylor prc_taylor_constant(double value) {
  return (prc_taylor){.value = value};
}

#endif

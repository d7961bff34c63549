/* Orders for qsort, and the one binary search: what a list that stands in order is made with and looked
 * through. */
#ifndef PRC_BASE_ORDER_H
#define PRC_BASE_ORDER_H

#include <stddef.h>

static inline int prc_compare_ints(int a, int b) {
  return (a > b) - (a < b);
}
static inline int prc_compare_sizes(size_t a, size_t b) {
  return (a > b) - (a < b);
}
static inline int prc_compare_doubles(double a, double b) {
  return (a > b) - (a < b);
}

/* for qsort, of ints, of sizes and of structures that begin with a double */
static inline int prc_by_int(const void *a, const void *b) {
  return prc_compare_ints(*(const int *)a, *(const int *)b);
}
static inline int prc_by_size(const void *a, const void *b) {
  return prc_compare_sizes(*(const size_t *)a, *(const size_t *)b);
}
static inline int prc_by_double(const void *a, const void *b) {
  return prc_compare_doubles(*(const double *)a, *(const double *)b);
}

/* The place of the first of n items of that size that is not before `wanted`, n if all are; they stand in
 * that order. */
static inline size_t prc_lower_bound(const void *wanted, const void *list, size_t n, size_t size,
                                     int (*compare)(const void *, const void *)) {
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare((const char *)list + middle * size, wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#endif

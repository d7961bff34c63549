/* outline: how deep things in the plane are in each other, by their boundaries alone, whatever contacts look at. Pure geometry: it knows no
 * bodies and no laws.
 *
 * All depths are signed distances: positive where things overlap, else minus their distance, or, of what is far apart, minus a lower bound of it unless
 * `exact` is asked for. Where nothing moves by more than `way` against the other, a depth changes by `way` at most. */
#ifndef PRC_CONTACT_OUTLINE_H
#define PRC_CONTACT_OUTLINE_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points, and chords between them with the inside on their left; all within `radius` of them belongs to it as well. */
typedef struct {
  int n_points, n_chords;
  int (*chord)[2];
  int closed;     /* the chords go around what is inside; else they have a side (`has_side`), or are lines */
  int has_side;   /* what is on the left of the nearest chord is behind it */
  double *x;      /* 2 n_points: places; the caller's to fill, and then prc_outline_enclose */
  char *left_out; /* n_points: these are not judged */
  double radius;
  double box[4]; /* low x, low y, high x, high y of the places */
} prc_outline;

void prc_outline_free(prc_outline *outline); /* what it holds */
void prc_outline_enclose(prc_outline *outline);

/* Of a point. */
double prc_outline_depth(const prc_outline *outline, const double x[2]);
/* Of a disc; behind the line through `point` whose unit normal points out of what is behind it. */
double prc_outline_depth_of_disc(const prc_outline *outline, const double centre[2], double radius,
                                 int exact);
double prc_outline_depth_behind(const prc_outline *outline, const double point[2], const double normal[2]);
/* Of points of either in the other, and of chords that cross it from side to side, in their middles there. */
double prc_outline_depth_of_two(const prc_outline *a, const prc_outline *b, int exact);

/* Length whose hundredth bounds depths: the size of the smaller of two outlines, at most ten times the width
 * of the thinner. Zero: no size, or no end. */
double prc_contact_compared(const double size[2], const double width[2]);

#ifdef __cplusplus
}
#endif
#endif

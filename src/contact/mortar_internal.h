/* Between the files of the mortar. */
#ifndef PRC_CONTACT_MORTAR_INTERNAL_H
#define PRC_CONTACT_MORTAR_INTERNAL_H

#include "contact/mortar.h"

/* Rays that meet a chord by less do not. */
#define GRAZE 1e-6

/* Four cuts make at most three pieces that do not join. */
enum { PRC_MORTAR_PIECES = 3 };

/* A part of a chord of the second over a chord of the first. */
typedef struct {
  double low, high,
      apart; /* apart: the distance along the ray in its middle, positive where there is a gap */
  int chord;
} prc_mortar_piece;

/* A chord of the first by its lower end along an axis. */
typedef struct {
  double low;
  int chord;
} prc_mortar_stand;

/* A corner that may go in: where, and the points of the second whose contact may be its, the better one first; -1: none. */
typedef struct {
  prc_mortar_point at;
  int point[2];
} prc_mortar_corner;

struct prc_mortar_work {
  prc_mortar_stand *stand; /* the first's chords, ascending */
  int axis;                /* along which it is longest */
  prc_mortar_piece *piece; /* at most PRC_MORTAR_PIECES for each chord of the first */
  int n_pieces;
  double *bound;             /* twice as many */
  double *own;               /* their areas before merging */
  prc_mortar_corner *corner; /* of either chain, at most one a point */
  int n_corners;
  size_t room; /* points of integration */
};

/* A chord of the second, its normal n, and the rays from it: X(s) = a + s d, m(s) = m + s dm. */
typedef struct {
  double a[2], d[2], n[2], m[2], dm[2], length, low[2], high[2];
} prc_mortar_fan;

/* A chord of the first: ends, d from one to the other, and its normal. */
typedef struct {
  const double *y0, *y1;
  double d[2], n[2];
} prc_mortar_target;

static inline double prc_mortar_cross(const double a[2], const double b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}
static inline double prc_mortar_dot(const double a[2], const double b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

/* Out of the body, which is on the left, and the length. */
double prc_mortar_chord_normal(const prc_mortar_chain *chain, const prc_mortar_chord *chord, double n[2]);
/* The functions of a chord's side at the place s of the chord, and their derivatives along the side; and what they make of its places. */
void prc_mortar_shape(const prc_mortar_chord *chord, double s, double N[3], double dN[3]);
void prc_mortar_place_on(const prc_mortar_chain *chain, const prc_mortar_chord *chord, double s, double x[2],
                         double along[2]);
prc_mortar_fan prc_mortar_fan_of(const prc_mortar_chain *chain, const prc_mortar_chord *chord);
void prc_mortar_ray_at(const prc_mortar_fan *f, double s, double x[2], double m[2]);
/* s from 0 to 1, give or take `slack`, with (X(s) - y) x m(s) = 0: where lines along rays pass y. Their number. */
int prc_mortar_feet_of(const prc_mortar_fan *f, const double y[2], double slack, double feet[2]);
prc_mortar_target prc_mortar_target_of(const prc_mortar_chain *chain, int e);
/* Where the line along the ray from x meets the chord, in parts of it (from 0 to 1, give or take `slack`), and how far away that is along the ray; 0: from behind, or beside the chord. */
int prc_mortar_arrives(const double x[2], const double ray[2], const prc_mortar_target *to, double slack,
                       double *at, double *apart);
/* The first of `stand` that begins at `low` or above. */
int prc_mortar_first_from(const prc_mortar *m, double low);
/* Points of integration anew. */
prc_status prc_mortar_integrate(prc_mortar *mortar, prc_error *err) PRC_MUST_CHECK;
/* The rows of hats that are open give way to those of corners that go in (mortar_corners.c); after hats are merged. */
void prc_mortar_find_corners(prc_mortar *mortar);

#endif

/* Between the files of the mortar. */
#ifndef PRC_CONTACT_MORTAR_INTERNAL_H
#define PRC_CONTACT_MORTAR_INTERNAL_H

#include "contact/mortar.h"

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

struct prc_mortar_work {
  prc_mortar_stand *stand; /* the first's chords, ascending */
  int axis;                /* along which it is longest */
  prc_mortar_piece *piece; /* at most PRC_MORTAR_PIECES for each chord of the first */
  int n_pieces;
  double *bound; /* twice as many */
  double *own;   /* their areas before merging */
  size_t room;   /* points of integration */
};

/* The functions of a chord's side at the place s of the chord, and their derivatives along the side. */
void prc_mortar_shape(const prc_mortar_chord *chord, double s, double N[3], double dN[3]);
/* Points of integration anew. */
prc_status prc_mortar_integrate(prc_mortar *mortar, prc_error *err) PRC_MUST_CHECK;

#endif

/* A plate 2 x 1 of two halves, each with its own material and its own damping. */
#ifndef PRC_TESTS_HALVES_H
#define PRC_TESTS_HALVES_H

#include "support/rig.h"

enum { HALVES_ROOM = 200 };
typedef struct {
  rig rig;
  prc_mesh_group half[2];
  int cells[2][HALVES_ROOM], nodes[2][HALVES_ROOM];
  prc_fem_material material[2];
  prc_fem_damping damping[2];
} halves;

/* In elements of `type`, 4 by 3; held on the left where `held`; the left half is of `one`, the right of `two` (Young's modulus, Poisson's
 * ratio, density). */
void halves_open(halves *h, int type, int held, const double one[3], const double two[3]);
void halves_damp(halves *h, prc_fem_damping left, prc_fem_damping right);

#endif

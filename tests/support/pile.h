/* Piles of discs and boxes as contact problems, W by blocks: w = W p + b of bodies that weight drives together. */
#ifndef PRC_TESTS_PILE_H
#define PRC_TESTS_PILE_H

#include "cone/cone.h"
#include "linear/operator.h"

/* TOWER: boxes on each other, two contacts a joint, so that W is singular. BOX, FUNNEL: equal discs in a hexagonal packing, every
 * contact closed, between a floor and two walls, or two walls that lean outwards by 30 degrees. RANDOM: discs of radii 0.7 to 1 on a
 * lattice that is shaken, in a box, with contacts where they are near. LOOSE: discs thrown together, mostly pairs and chains. */
typedef enum { PILE_TOWER, PILE_BOX, PILE_FUNNEL, PILE_RANDOM, PILE_LOOSE } pile_kind;

typedef struct {
  prc_cone_problem problem; /* dim 2 */
  int n_bodies;
  double *mass, *inertia, *place,
      *v; /* n_bodies; the same; 2 n_bodies; 3 n_bodies: velocities without percussions */
  prc_rows H;
  prc_sym *M;
  prc_operator *op;
  prc_block_matrix W;
  double *b, *mu, *p; /* p: zeros */
  size_t room_start, room_dof, room_x;
} pile;

/* n bodies (FUNNEL and BOX: about as many); ratio: of the heaviest mass to the lightest: the uppermost tenth is heavy. */
void pile_make(pile *s, pile_kind kind, int n, double mu, double ratio, uint64_t seed);
/* Velocities are other ones by `share` of that of a step's fall. */
void pile_disturb(pile *s, double share, uint64_t seed);
void pile_free(pile *s);
/* A dense copy of the problem, whose W is the caller's to free. */
prc_cone_problem pile_dense(const pile *s, double **W);

#endif

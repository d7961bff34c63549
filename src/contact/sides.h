/* sides: where a convex shape touches a chain of sides, such as a curve of a mesh. Pure geometry: it knows no
 * bodies and no laws.
 *
 * A touch is a point of the one on the other:
 *   node on edge    a node of the chain on an edge of the shape, on a large disc, a half-plane or in a hole;
 *   corner on side  a corner of the shape, or the centre of a small disc, on a side of the chain;
 *   corner on node  the same over a node at which the chain turns outwards, in the cone of its normals.
 * Nodes and corners are different points, so no touch counts twice. A corner over a node where the chain turns
 * inwards touches both of its sides. Curved sides are followed along their own curves.
 *
 *   prc_sides_meet(chain, shape, &pose, &limits, &sides, err);     finds the touches
 *   prc_sides_follow(chain, shape, &pose, &sides.touch[k]);        the same features elsewhere
 *
 * No pointer may be NULL. */
#ifndef PRC_CONTACT_SIDES_H
#define PRC_CONTACT_SIDES_H

#include "contact/mortar.h"
#include "shape/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { PRC_NODE_ON_EDGE = 0, PRC_CORNER_ON_SIDE = 1, PRC_CORNER_ON_NODE = 2 } prc_side_kind;

typedef struct {
  prc_side_kind kind;
  int of_shape;     /* edge or corner; 0 of a disc, a half-plane or a hole */
  int of_chain;     /* point of the chain, or chord for PRC_CORNER_ON_SIDE */
  double gap;       /* positive: apart; negative: the depth */
  double normal[2]; /* unit, out of the shape, into the body of the chain */
  double place[2];  /* on the chain */
  double at;        /* share of the chord, 0 to 1 */
} prc_side_touch;

typedef struct {
  int n;
  size_t room;
  prc_side_touch *touch;
} prc_side_touches;

typedef struct {
  double reach; /* touches with gaps up to this are found */
  double depth; /* touches deeper than this are none */
  double slack; /* of a corner inside the body: sides this much deeper than its nearest one count too */
  int by_nodes; /* a disc touches nodes and not sides: it is large against them */
} prc_side_limits;

/* Appends the touches at the places of the chain (chain->x) and of the shape; allocates only if room lacks. */
prc_status prc_sides_meet(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose,
                          const prc_side_limits *limits, prc_side_touches *out,
                          prc_error *err) PRC_MUST_CHECK;
/* Gap, normal, place and `at` of the features named in *touch, here; also beyond their ends. */
void prc_sides_follow(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose,
                      prc_side_touch *touch);
/* Points of the chain that touch k depends on, and their shares (shape functions): at most three. */
int prc_sides_points(const prc_mortar_chain *chain, const prc_side_touch *touch, int point[3],
                     double share[3]);

#ifdef __cplusplus
}
#endif
#endif

/* Summary of the bodies of a set in a few words: smallest and largest of each number. */
#ifndef PRC_SCENE_SPREAD_H
#define PRC_SCENE_SPREAD_H

#include "scene/view.h"

/* Ranges that nothing was put in are empty. */
typedef struct {
  int n, n_parts;
  double all_mass, mass[2], x[3][2];
  int n_shapes[2];    /* of two kinds, round and with corners: how many, ... */
  double shape[2][2]; /* ... their radii, and their numbers of corners */
} prc_spread;
extern const prc_spread prc_spread_none;
typedef struct {
  const char *one[2], *many[2]; /* "disc", "polygon"; "discs", "polygons" */
} prc_spread_words;

/* A body; dimension: 2 or 3 numbers of its position. And a shape of it, of a kind. */
void prc_spread_add(prc_spread *s, int dimension, double mass, const double *position, int n_parts);
void prc_spread_shape(prc_spread *s, int kind, double value);
/* Two lines on the set; one line on all there are. */
void prc_spread_describe(const prc_spread *s, int dimension, const char *name, const prc_spread_words *words,
                         const prc_text *to);
void prc_spread_sum(const prc_spread *s, int dimension, const prc_text *to);

#endif

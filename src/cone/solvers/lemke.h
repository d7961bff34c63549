#ifndef PRC_CONE_LEMKE_H
#define PRC_CONE_LEMKE_H

#include "cone/solvers/method.h"

/* The parts of the method in lemke.c. */

typedef enum { OPEN, STICK, SLIP } prc_lemke_mode;
/* ARC: no inequality, a step of given length */
typedef enum { ARC, T_ZERO, W_N, EDGE, P_N, SPEED } prc_lemke_what;

typedef struct {
  prc_lemke_what what;
  int contact;
} prc_lemke_condition;

typedef struct {
  double *p, *w, *e; /* dim n, dim n, 2 n: percussion, W p + b + t d, direction of slip */
  double t;
} prc_lemke_point;

typedef struct {
  int dim, n, unknowns; /* t is the last unknown */
  int n_max;            /* contacts there is room for */
  double *W, *b, *d, *scale;
  const double *mu;
  double unit; /* of b and p, so that b is of size one */
  double p_size, w_size, work;
  int paths;
  prc_lemke_mode *status;
  int *first;  /* the first unknown of a contact */
  int *closed; /* contacts that are not open */
  int n_closed;
  prc_lemke_point here, next, rate; /* rate: along the tangent */
  double *J, *x, *tangent;
  int *pivots;
  prc_random random;
} prc_lemke;

/* ---- a point and its equations (lemke_point.c) ---------------------------------------------- */

/* of contact c, by its status */
int prc_lemke_unknowns(const prc_lemke *g, int c);
/* first, closed and unknowns, after a change of statuses */
void prc_lemke_count(prc_lemke *g);
/* y = W x; x is zero where contacts are open */
void prc_lemke_multiply(const prc_lemke *g, const double *x, double *y);
/* y->w := W p + b + t d */
void prc_lemke_velocity(const prc_lemke *g, prc_lemke_point *y);
/* to := from + h x; they may be the same */
void prc_lemke_move(const prc_lemke *g, const prc_lemke_point *from, double h, const double *x,
                    prc_lemke_point *to);
double prc_lemke_value(const prc_lemke *g, const prc_lemke_point *y, prc_lemke_condition k);
/* The tangent at `here` along which `entering` grows; t falls at the start. 0 when it is not unique. */
int prc_lemke_tangent(prc_lemke *g, prc_lemke_condition entering, prc_cone_info *info);
/* From the predicted point in `next` to the path, where `last` becomes zero. 0 when it is not found. */
int prc_lemke_correct(prc_lemke *g, prc_lemke_condition last, prc_cone_info *info);

/* ---- a piece of the path (lemke_piece.c) ---------------------------------------------------- */

/* From here to the end of the piece; returns what ended it, ARC when that was not found. */
prc_lemke_condition prc_lemke_follow(prc_lemke *g, prc_lemke_condition entering,
                                     const prc_cone_options *options, prc_cone_info *info);
/* The contact of `ended` changes status; returns what enters. */
prc_lemke_condition prc_lemke_change(prc_lemke *g, prc_lemke_condition ended);
/* p or t grows without end, as far as numbers can tell */
int prc_lemke_is_unbounded(const prc_lemke *g);

#endif

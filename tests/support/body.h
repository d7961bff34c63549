/* A body to try things on: the PMMA block of the sliding block, whose sides a test loads, holds and lets touch obstacles one by one. */
#ifndef PRC_TESTS_BODY_H
#define PRC_TESTS_BODY_H

#include "fem/fem.h"

enum { BOTTOM, RIGHT, TOP, LEFT, N_SIDES };
static const double width = 40.0, height = 25.0, E0 = 5750.0, nu0 = 0.358, rho0 = 1.17e-3, t0 = 15.0;

/* A model with room for one of everything on each side, and the body made of it. */
typedef struct {
  prc_mesh *mesh;
  prc_fem_material material[3];
  prc_fem_load load[N_SIDES];
  prc_fem_support support[N_SIDES];
  prc_fem_contact contact[N_SIDES];
  prc_fem_model model;
  prc_fem *fem;
  const prc_system *system;
} body;

/* In g, mm, ms, on a mesh whose surface is "block"; nothing loads or holds it yet. The mesh becomes the body's. */
body body_on(prc_mesh *mesh);
body body_block(double size); /* on meshes/block.geo */
void body_pull(body *b, int side, prc_field x, prc_field y);
void body_hold(body *b, int side, int in_x, int in_y, prc_field x, prc_field y);
void body_touch(body *b, int side, prc_field friction,
                prc_field restitution); /* a floor below, a wall on the left */
void body_build(body *b);
/* It is refused as input with that text; the whole message. */
const char *body_refuse(body *b, const char *text);
void body_drop(body *b);

/* ---- fields and vectors ---------------------------------------------------------------------------------------- */

#define BODY_FUNCTION(name, value)                                                                           \
  static double name(double x, double y, double t) {                                                         \
    (void)x, (void)y, (void)t;                                                                               \
    return value;                                                                                            \
  }
typedef struct {
  double (*f)(double x, double y, double t);
} formula;
prc_field body_field(formula *f, int uses_place, int uses_time);

double *body_vector(const body *b);           /* n_dof zeros; the caller deletes them */
double *body_forces(const body *b, double t); /* those of the loads; the caller deletes them */
/* v_a = f(x_a, y_a) in component k */
void body_set(const body *b, int k, double (*f)(double x, double y, double t), double *v);
/* sum over nodes of f(x_a, y_a) times component k: a resultant, a moment */
double body_moment(const body *b, int k, double (*f)(double x, double y, double t), const double *v);

#endif

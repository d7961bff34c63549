/* The sliding block and its relatives: a rectangle or a strip of triangles on a rigid plane, stepped through the library
 * with its ledger. A test takes a model, changes what it wants, starts it and steps. Units are g, mm and ms unless
 * `unit` says otherwise. */
#ifndef PRC_TESTS_BLOCK_H
#define PRC_TESTS_BLOCK_H

#include "fem/fem.h"
#include "ledger/ledger.h"
#include "mesh/mesh.h"
#include "step/step.h"

/* ---- meshes ---------------------------------------------------------------------------------------------------- */

/* A mesh of the block: a file below the source tree; size as in prc_mesh_options. */
prc_mesh *block_mesh(const char *relative, double size);
/* The rectangle [0, width] x [0, height] in 2 nx ny triangles, diagonals alternating, with the groups bottom, right,
 * top, left (edges) and block (triangles); made in memory. */
prc_mesh *block_strip(int nx, int ny, double width, double height);
/* Copies: every place x becomes offset + linear x (a mirrored triangle is turned again) ... */
prc_mesh *block_mapped(const prc_mesh *mesh, const double linear[2][2], const double offset[2]);
/* ... and nodes and triangles shuffled; to[a] (n_nodes) is the new number of node a. */
prc_mesh *block_shuffled(const prc_mesh *mesh, uint64_t seed, int *to);

/* ---- the model ------------------------------------------------------------------------------------------------- */

typedef struct {
  double length, mass, time; /* what one mm, one g, one ms are in the units in use */
} block_units;

/* 2 sgn(sin(4 pi t)), t in ms, times a factor: the traction of the sliding block */
typedef struct {
  double factor, time;
} block_traction;

typedef struct {
  const prc_mesh *mesh; /* not owned */
  block_units unit;
  block_traction traction;
  prc_fem_material material;
  prc_fem_load load;       /* on "left" */
  prc_fem_support support; /* on "top" */
  prc_fem_contact contact; /* on "bottom" */
  prc_fem_model model;
  prc_step_options step;
  double max_penetration;
  int preloaded; /* q_0 is the equilibrium under the supports, without loads; else zero */

  prc_fem *fem;
  const prc_system *system;
  double *q0, *v0; /* n_dof: may be changed between block_prepare and block_begin */
  prc_stepper *stepper;
  const prc_step_record *record;
  prc_ledger *ledger;
  const prc_ledger_row *row;
} block;

/* The sliding block of the reference on a mesh: Fremond's law, theta = 1/2, h = 1e-4 ms. Fill in what differs, then
 * block_start. The struct must stay where it is from then on: the model points into it. */
void block_case(block *b, const prc_mesh *mesh);
/* The same problem written in other units: g-mm-ms numbers become numbers of these. Before any change of a number. */
void block_in_units(block *b, block_units unit);
void block_without_support(block *b);
void block_without_load(block *b);
void block_without_contact(block *b);

void block_prepare(block *b); /* body and initial state */
void block_begin(block *b);   /* stepper and ledger at step 0 */
void block_start(block *b);   /* both */
void block_step(block *b, int n);
void block_free(block *b);

/* kinetic + elastic, in the units in use */
double block_energy(const block *b);
/* The certificate with the drifts of the present state entered. */
prc_certificate block_certificate(block *b);

#endif

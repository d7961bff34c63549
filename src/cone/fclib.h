/* fclib: contact problems in files, as the Friction Contact Library keeps them (HDF5).
 *
 *   local:   w = W p + b,                      group /fclib_local:  W, vectors q (our b) and mu;
 *   global:  M v = H p + f,  w = H' v + w_0,   group /fclib_global: M, H, vectors f, w (our w_0) and mu,
 *
 * with the law of cone.h. A global problem is solved as it is, or condensed: W = H' M^-1 H, b = w_0 + H'
 * M^-1 f. Matrices are general, also those that should be symmetric: the problem is the one that is
 * stored.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_CONE_FCLIB_H
#define PRC_CONE_FCLIB_H

#include "cone/cone.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { PRC_FCLIB_COLUMNS, PRC_FCLIB_ROWS, PRC_FCLIB_TRIPLETS } prc_fclib_storage;

/* by columns, whatever the file had */
typedef struct {
  int n_rows, n_cols;
  int *p;    /* n_cols + 1: column j is i[p[j]] .. i[p[j+1]-1] */
  int *i;    /* rows, ascending in each column; entries that were given twice are summed, zeros kept */
  double *x; /* values */
  prc_fclib_storage stored; /* what the file had */
} prc_fclib_matrix;

/* a guess or a solution; what the simulation had in memory: not to be trusted */
typedef struct {
  double *p; /* dim n */
  double *w; /* dim n */
  double *v; /* n_velocities, of global problems only, else NULL */
} prc_fclib_state;

typedef struct {
  int global;         /* 1 for a global problem */
  int dim, n;         /* 2 or 3, contacts */
  double *mu;         /* n */
  prc_fclib_matrix W; /* dim n x dim n; that of a global problem is empty until it is condensed */
  double *b;          /* dim n; NULL for a global problem until it is condensed */

  int n_velocities;      /* of global problems, else 0 and NULL */
  prc_fclib_matrix M;    /* n_velocities x n_velocities */
  prc_fclib_matrix H;    /* n_velocities x dim n */
  double *f;             /* n_velocities */
  double *w0;            /* dim n */
  struct prc_lu *factor; /* of M, once condensed */

  char *path;
  char *title, *description, *math_info; /* bytes that need not be UTF-8; "" when absent */
  int n_guesses;
  prc_fclib_state *guess; /* n_guesses */
  int has_solution;
  prc_fclib_state solution;

  double *dense;          /* W as prc_fclib_dense made it, or NULL */
  prc_cone_blocks blocks; /* W as prc_fclib_blocks made it, or NULLs */
  prc_cone_whole *whole;  /* as prc_fclib_whole made it, or NULL */
} prc_fclib;

/* Everything is checked: what is there, types, lengths, indices, finite numbers, friction >= 0. PRC_IO if
 * the file cannot be read, PRC_INPUT with the file, the dataset and what was expected if it is wrong.
 * Problems with bilateral constraints are refused. HDF5 1.10 does not survive every file whose inner
 * structure is damaged: a process of its own opens the file, and its crash, hang or hunger for memory is
 * PRC_INPUT too. */
prc_status prc_fclib_read(const char *path, prc_fclib **out, prc_error *err) PRC_MUST_CHECK;
void prc_fclib_free(prc_fclib **problem);

/* W and b of a global problem (once; nothing to do for a local one). PRC_INPUT if M is singular. */
prc_status prc_fclib_condense(prc_fclib *problem, prc_error *err) PRC_MUST_CHECK;
/* v = M^-1 (H p + f) of a condensed global problem */
prc_status prc_fclib_velocity(const prc_fclib *problem, const double *p, double *v,
                              prc_error *err) PRC_MUST_CHECK;

/* The problem for the solvers, with W dense or sparse by blocks; condenses first. *out points into
 * problem. */
prc_status prc_fclib_dense(prc_fclib *problem, prc_cone_problem *out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_fclib_blocks(prc_fclib *problem, prc_cone_problem *out, prc_error *err) PRC_MUST_CHECK;
/* A global problem as it is, W not formed. PRC_INPUT if it is a local one, or M is singular. */
prc_status prc_fclib_whole(prc_fclib *problem, prc_cone_problem *out, prc_error *err) PRC_MUST_CHECK;
/* One of the first two: by blocks when the problem is not small and most blocks are zero. */
prc_status prc_fclib_problem(prc_fclib *problem, prc_cone_problem *out, prc_error *err) PRC_MUST_CHECK;

typedef struct {
  const char *title, *description; /* NULL: "" */
  const double *guess;             /* dim n percussions to store as /guesses/1, with their w; or NULL */
  const double *solution;          /* the same as /solution */
} prc_fclib_notes;

/* Writes a local problem, W by compressed columns without its zeros, to a temporary name that is then
 * renamed. Reading it back gives the same bits. A problem that prc_cone_problem_check refuses is not
 * written, nor one of dimension 1 or 4. notes may be NULL; so may `in`, and name is a path then. */
prc_status prc_fclib_write(const prc_folder *in, const char *name, const prc_cone_problem *problem,
                           const prc_fclib_notes *notes, prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

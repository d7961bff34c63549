/* Results of a case: their content, folder, times and format. A pointer may be NULL only where that is said;
 * nothing checks it. */
#ifndef PRC_CASE_RESULTS_H
#define PRC_CASE_RESULTS_H

enum { PRC_CASE_WINDOWS = 16 };
typedef struct {
  int every; /* steps between VTU snapshots, 0: none */
  double interval,
      contact_interval; /* time between them, and between columns of diagrams, in place of steps; 0: those count */
  int checkpoint, states; /* steps between checkpoints, and between kept states, 0: none for their sake */
  double checkpoint_time; /* seconds of wall time between checkpoints, 0: none for its sake */
  int contact_every;      /* steps between columns of the space-time diagrams, 0: none; default: about 1000 */
  int contacts;           /* write contacts.csv */
  int table_every;        /* steps between the rows of contacts.csv and bodies.csv, 0: neither */
  char *writer;           /* auto | vtk | own: who writes fields */
  char *fields;           /* "stress, strain": arrays of snapshots; NULL: all that need not be asked for */
  char *regions;          /* surfaces of the mesh, cells of which are shown; NULL: all */
  int single, compression; /* reals of 32 bits; zlib's level, 0: none */
  int n_window;            /* 2 for each window ... */
  double
      window[PRC_CASE_WINDOWS]; /* ... of time that snapshots are of: from and to; n_window 0: all the time */
  int energies;                 /* write energies.csv */
  char *cone_problems; /* none | failures | steps such as 10,200: contact problems kept as FCLib files */
} prc_case_output;

#endif

/* simulation: a case that is run in a program's own process, step by step: what `percuss run` does, without its files.
 *
 *   prc_simulation_create -> (prc_simulation_step, arrays and values read, arrays written)* -> prc_simulation_free
 *
 * All of that goes by opaque pointers, numbers and names, so that other languages need no layout of a struct (the Python module `percuss` does
 * it by ctypes). Each simulation stands alone: there may be many, of one process and of several threads, one thread at a time in each.
 * NULL in place of a simulation, a name or a result is PRC_INPUT with the argument's name, or gives 0 or
 * NULL. */
#ifndef PRC_SIMULATION_H
#define PRC_SIMULATION_H

#include "base/base.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "scene/view.h"
#include "step/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a simulation ---------------------------------------------------------------------------------------- */

typedef struct prc_simulation prc_simulation;

/* Reads the case, with n_set texts "key=value" as --set has them, builds its model and puts it into its initial state. log may be NULL. The initial
 * state may not be the end of another run: its files are the program's. */
prc_status prc_simulation_create(const char *path, int n_set, const char *const *set, const prc_log *log,
                                 prc_simulation **out, prc_error *err) PRC_MUST_CHECK;
void prc_simulation_free(prc_simulation **simulation);

/* n steps, fewer where the case ends, and no further one after so many seconds (0: no limit), so that a caller may look after other things.
 * *done (may be NULL): how many were made. What was written into the arrays is taken over first. A step that is not to be believed is an
 * error, unless the case says time.on_failure: continue. */
prc_status prc_simulation_step(prc_simulation *simulation, int n, double seconds, int *done,
                               prc_error *err) PRC_MUST_CHECK;
/* Takes over what was written into q and v, as a step does before anything else: see prc_stepper_set_state. What energy that brings or takes
 * stands in work_external. An error leaves arrays and simulation as they are; nothing goes on until the arrays are in order. */
prc_status prc_simulation_apply(prc_simulation *simulation, prc_error *err) PRC_MUST_CHECK;
/* q and v as the simulation has them: what was written into the arrays is given up. */
void prc_simulation_revert(prc_simulation *simulation);
int prc_simulation_is_over(const prc_simulation *simulation); /* the end of the case is reached */

/* ---- numbers by name -------------------------------------------------------------------------------------- */

/* Of the present state: step, t, h, end (the time), steps (of the case; -1: they vary), contacts, and the columns of energy.csv but for these
 * (ledger.h); 0: there is none of that name. The k-th name; NULL: there are no more. */
int prc_simulation_value(const prc_simulation *simulation, const char *name, double *out);
const char *prc_simulation_value_name(int k);

/* Arrays, by rows, without copies:
 *
 *   q, v     coordinates and velocities, to be read and written: the next step begins there
 *   force    to be written: added to the loads of every dof, over each step as it is when that begins; zeros until then
 *   m, f     momenta M v and internal forces
 *   gap, p, u, id, status   of the contacts: gap; percussion of the last step and H v, normal first; the four numbers of
 *            prc_contact_id; prc_cone_status
 *   mass     the diagonal of M
 *   driven   the dofs whose motion is data, of supports and obstacles: their q and v may not be written
 *
 * q, v and force stay where they are as long as the simulation; others until the next step. */
typedef enum {
  PRC_ARRAY_REAL,
  PRC_ARRAY_INTEGER,
  PRC_ARRAY_UNSIGNED
} prc_array_type; /* double, int, uint32_t */
/* rows x columns. */
prc_status prc_simulation_array(prc_simulation *simulation, const char *name, const void **data, int *rows,
                                int *columns, int *type, prc_error *err) PRC_MUST_CHECK;
const char *prc_simulation_array_name(int k);

/* ---- what it is made of ------------------------------------------------------------------------------------ */

const char *prc_simulation_name(const prc_simulation *simulation);
const char *prc_simulation_units(const prc_simulation *simulation);
/* The contact of the case that place c of the arrays belongs to. */
const char *prc_simulation_contact_name(const prc_simulation *simulation, int c);
/* Bodies, each a range of coordinates and of dofs: first coordinate, their number, first dof, their number. Its kind: mesh, rigid, spatial, beam.
 * All rigid bodies of a case are one family. */
int prc_simulation_bodies(const prc_simulation *simulation);
const char *prc_simulation_body(const prc_simulation *simulation, int body, const char **kind, int range[4]);
/* Of a family, its members: how many, their names, and their motion as in bodies.csv: in the plane 6 numbers, in space 13; returns how
 * many. */
int prc_simulation_items(const prc_simulation *simulation, int body);
const char *prc_simulation_item(const prc_simulation *simulation, int body, int item,
                                double row[PRC_VIEW_MOTION]);
int prc_simulation_motion_size(const prc_simulation *simulation, int body);
/* Fields of a body in the state of its arrays: points, "x" first, then fields at points and in cells. They stay until the next call of
 * the first, which makes them. The k-th; 0: there are no more. on: 0 at points, 1 in cells. */
prc_status prc_simulation_fields(prc_simulation *simulation, int body, prc_error *err) PRC_MUST_CHECK;
int prc_simulation_field(const prc_simulation *simulation, int body, int k, const char **name,
                         const void **data, int *rows, int *columns, int *type, int *on);

/* ---- the certificate ---------------------------------------------------------------------------------------- */

/* Judges all steps so far, with drifts, as the end of a run does. The verdict is "pass", "pass, with notes" or
 * "fail". */
prc_status prc_simulation_certify(prc_simulation *simulation, const char **verdict,
                                  prc_error *err) PRC_MUST_CHECK;
/* Notes of the last prc_simulation_certify in one line; "" if there are none. */
void prc_simulation_notes(const prc_simulation *simulation, char *text, size_t size);
/* Entry k of the last prc_simulation_certify, without those on things that the case does not have; 0: there are no more. bound is NaN where there is none. */
int prc_simulation_entry(const prc_simulation *simulation, int k, const char **name, const char **verdict,
                         const char **meaning, double *value, double *bound, int *step);

/* For programs that know the structs. */
typedef struct {
  const prc_case *c;
  const prc_model *model;
  const prc_stepper *stepper;
  const prc_ledger *ledger;
} prc_simulation_parts;
prc_simulation_parts prc_simulation_get_parts(const prc_simulation *simulation);

/* ---- what every run of a case does -------------------------------------------------------------------------- */

prc_step_options prc_simulation_step_options(const prc_case *c);
prc_ledger_options prc_simulation_ledger_options(const prc_case *c, const prc_stepper *stepper);
/* As the case says: what it gives is of the bodies that can have it, the others begin as they are. Not of initial.from. */
/* Strains between drifts (strains.c): is a look due after this step; what is to be said of a look that is about to be entered, 1: `text` is; and an error where a cell is
 * turned inside out, which ends every run. */
int prc_simulation_strains_are_due(const prc_simulation_parts *run);
int prc_simulation_enter_strains(const prc_simulation_parts *run, const prc_indicator *indicator, char *text,
                                 size_t size);
prc_status prc_simulation_refuse_inverted(const prc_simulation_parts *run, const prc_indicator *indicator,
                                          prc_error *err) PRC_MUST_CHECK;
/* Said of them; %s: held. */
#define PRC_SIMULATION_HELD                                                                                  \
  "initial.state: equilibrium holds contacts that would open or slide: %s; the run begins with these forces"
/* held: contacts that initial.state: equilibrium holds against their law, in words, or "". */
prc_status prc_simulation_initial_state(const prc_case *c, const prc_model *model, double *q, double *v,
                                        char *held, size_t size, prc_error *err) PRC_MUST_CHECK;
/* The contact of the case that candidate c belongs to. */
const prc_case_contact *prc_simulation_contact_of(const prc_simulation_parts *run, int c);
/* "node 12 at (0, 1)", "point 2 of body 'stick'", or of two bodies "'stick' and 'stone'"; returns the contact that it belongs to. */
const prc_case_contact *prc_simulation_name_contact(const prc_simulation_parts *run, int c, char *text,
                                                    size_t size);
void prc_simulation_name_pair(const prc_simulation_parts *run, int c, char *text, size_t size);

enum { PRC_OVERLAPS_NAMED = 10 };
typedef struct {
  int n;                         /* pairs of parts that touch, ... */
  int n_deep;                    /* ... that are deeper than the tolerance, ... */
  int n_worst;                   /* ... and the deepest of those */
  int worst[PRC_OVERLAPS_NAMED]; /* places in the set */
} prc_overlaps;
/* Of the contacts between bodies that the case's contact `of` names; -1: all of them. */
prc_overlaps prc_simulation_find_overlaps(const prc_simulation_parts *run, int of);
/* Refuses what stands in each other, or behind its obstacle, at the start, naming the deepest. slack, of each contact or NULL: as deep it may be, of nodes of a mesh. */
prc_status prc_simulation_refuse_overlaps(const prc_simulation_parts *run, const double *slack,
                                          prc_error *err) PRC_MUST_CHECK;

/* Fault of the step that was made, in words; 0: none. The second: of what is carried along against what is
 * computed afresh. */
int prc_simulation_find_fault(const prc_simulation_parts *run, char *text, size_t size);
int prc_simulation_find_drift(const prc_simulation_parts *run, const prc_ledger_drifts *drift, char *text,
                              size_t size);

#ifdef __cplusplus
}
#endif
#endif

/* ledger: where the energy went, step by step, and the certificate. It reads what a step did; it does not know how.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_LEDGER_H
#define PRC_LEDGER_H

#include "base/base.h"
#include "step/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The columns of energy.csv, in order. Works are cumulative, positive when given to the system: kinetic + elastic -
 * initial = sum of all works + dissipation_numerical + projection + driven, the work of obstacles that move and of prescribed values of joints, + joints, what else
 * their forces work. work_boundary is that of dashpots and of sides that absorb, and no part of work_damping; breakdown, what friction worked beyond
 * that of its residual strength, is a part of -work_contact_tangential and no term of the balance. Where work_contact_* are of the velocity that the theorem weighs percussions with, u_theta . p, loss_contact_*
 * are what they take of the energy, (u + u')/2 . p, the same for every theta; numerical_rest is the rest of both: loss_contact_* + numerical_rest = work_contact_* + dissipation_numerical. The residual is the step's own. */
/* clang-format off */
#define PRC_LEDGER_COLUMNS(X) \
  X(step) X(t) X(kinetic) X(elastic) X(work_external) X(work_damping) X(work_contact_normal) \
  X(work_contact_tangential) X(dissipation_numerical) X(balance_residual) X(tangential_work_max) \
  X(tangential_work_min) X(active) X(sticking) X(sliding) X(cone_iterations) X(cone_error) X(driven) X(joints) X(work_boundary) X(breakdown) \
  X(loss_contact_normal) X(loss_contact_tangential) X(numerical_rest) X(projection)
/* clang-format on */
#define X(name) double name;
typedef struct {
  PRC_LEDGER_COLUMNS(X)
} prc_ledger_row;
#undef X
#define PRC_LEDGER_N_COLUMNS ((int)(sizeof(prc_ledger_row) / sizeof(double)))
/* "step,t,kinetic,...": the header of energy.csv */
const char *prc_ledger_header(void);

/* ---- the certificate --------------------------------------------------------------------------------------------------- */

/* Of an entry: pass, noted (nothing fails, but the reader of the results should know it), not promised, fail. Of a run: pass, pass with notes (some entry is
 * noted), fail. */
typedef enum { PRC_PASS, PRC_FAIL, PRC_NOT_PROMISED, PRC_NOTED, PRC_PASS_WITH_NOTES } prc_verdict;
typedef struct {
  const char *name, *meaning;
  const char *theorem; /* by which a promise of the scheme holds; NULL: it is none */
  const char *reason;  /* why it is not promised; NULL: it is judged */
  const char *cure;    /* what may help; NULL: nothing to say */
  int absent;          /* nothing was looked at: the entry says nothing of this run */
  double value, bound; /* where their ratio was worst; bound: NaN where there is none */
  double ratio;        /* value / bound; NaN where there is no bound */
  double largest;      /* the largest value of all steps, which may have had a larger bound */
  int largest_step;
  double created; /* energy that came from nowhere, if that is noted; else 0 */
  prc_verdict verdict;
  int step;            /* where the value was met */
  int count;           /* how many steps or contacts went beyond the bound, where that is counted */
  int has_sums;        /* of the run, where values of both signs are summed apart ... */
  double gained, lost; /* ... those above and those below zero */
  double passes;       /* of all steps that iterate; 0: of another entry */
  int frozen;          /* steps whose friction had no fixed point and was held */
  /* the two bodies that it was met at, where it is of a contact: numbers as prc_contact.body has them, -1 for what does not move */
  int has_pair, pair[2];
  int has_row, row;   /* the row of joints that it was met at */
  int has_cell, cell; /* the cell of the mesh */
  double mended;      /* of `seams`: contacts whose face is another than the nearest, over all steps; ... */
  double
      height; /* ... of the step at which what slides was stopped, little higher than flush; 0: it was no step */
} prc_certificate_entry;

enum {
  PRC_CERTIFY_BALANCE,
  PRC_CERTIFY_DRIFT_ELASTIC,
  PRC_CERTIFY_DRIFT_MOMENTUM,
  PRC_CERTIFY_CONTACT,
  PRC_CERTIFY_CONTACT_PAPER,
  PRC_CERTIFY_TANGENTIAL,
  PRC_CERTIFY_NORMAL,
  PRC_CERTIFY_LOSS,
  PRC_CERTIFY_NUMERICAL,
  PRC_CERTIFY_RISE,
  PRC_CERTIFY_ITERATIONS,
  PRC_CERTIFY_PENETRATION,
  PRC_CERTIFY_APPROACH,
  PRC_CERTIFY_PRESCRIBED,
  PRC_CERTIFY_JOINTS,
  PRC_CERTIFY_ROTATION,
  PRC_CERTIFY_FAILURES,
  PRC_CERTIFY_INDICATORS, /* one for each look, in their order */
  PRC_CERTIFY_ENTRIES = PRC_CERTIFY_INDICATORS + PRC_N_INDICATORS
};
typedef struct {
  prc_certificate_entry entry[PRC_CERTIFY_ENTRIES];
  prc_verdict verdict; /* PRC_FAIL as soon as one entry fails, PRC_PASS_WITH_NOTES as soon as one is noted */
  double
      energy_largest; /* kinetic + elastic + all works so far, the largest: what created energy is compared with */
} prc_certificate;
const char *
prc_verdict_name(prc_verdict verdict); /* "pass", "fail", "not promised", "noted", "pass, with notes" */
/* One line on all that was noted: "friction created 7e-04 (tangential_work; 0.14 % of the largest energy); ..."; "" where nothing was. */
void prc_certificate_notes(const prc_certificate *certificate, char *text, size_t size);

/* ---- the ledger ----------------------------------------------------------------------------------------------------------- */

typedef struct {
  prc_step_promises promises; /* of the scheme, see step.h */
  double tolerance;           /* of the contact problem */
  double
      max_penetration; /* < 0: a hundredth of the size that contacts have, where they have one, or what they went in by where they closed */
  double gap_tolerance;   /* what a gap may be below zero where the scheme promises that it is not */
  int rotations_accepted; /* large rotations are noted, and fail nothing */
  int rotations_free;     /* strains turn with what they are of: none is looked at */
  unsigned accepted;      /* bit k: look k fails nothing, and is noted only */
  unsigned
      without; /* bit k: the case has nothing that entry k judges (below PRC_CERTIFY_INDICATORS): it is left out while it is zero */
} prc_ledger_options;

typedef struct prc_ledger prc_ledger;
prc_status prc_ledger_create(const prc_ledger_options *options, prc_ledger **out,
                             prc_error *err) PRC_MUST_CHECK;
void prc_ledger_free(prc_ledger **ledger);
/* Step 0: the energies of the start. */
void prc_ledger_start(prc_ledger *ledger, const prc_step_record *record);
/* The caller has put another state in the place of the present one (prc_stepper_set_state): the energies are its own, and what they gained stands in
 * work_external. */
void prc_ledger_set_state(prc_ledger *ledger, const prc_step_record *record);
/* After that: T and V as another run had added them up to this state, of which this one goes on; state: its ledger, as prc_ledger_save has it. */
void prc_ledger_set_energies(prc_ledger *ledger, const double *state);
/* T and V of such a state. */
void prc_ledger_energies(const double *state, double *kinetic, double *elastic);
/* Enters a step. No allocation. */
void prc_ledger_enter(prc_ledger *ledger, const prc_step_record *record);
/* Difference of quantities carried from step to step from those computed afresh, each by its largest scale so
 * far. */
typedef struct {
  double elastic, momentum;
} prc_ledger_drifts;
#define PRC_LEDGER_DRIFT                                                                                     \
  1e-9 /* the bound of both, but of the momentum that of its passes where these are solved to less */
/* The bound of the momentum's. */
double prc_ledger_momentum_bound(const prc_ledger *ledger);
prc_ledger_drifts prc_ledger_drift(prc_ledger *ledger, int step, const prc_step_drift *drift);
/* Looks at a state between drifts. And the worst ratio of look k so far, 0 before the first; from which ratio on it is noted, and fails. */
void prc_ledger_indicator_at(prc_ledger *ledger, int step, const prc_indicator indicator[PRC_N_INDICATORS]);
double prc_ledger_indicator_ratio(const prc_ledger *ledger, int k);
void prc_ledger_indicator_bounds(int k, double *noted, double *fails);
const prc_ledger_row *prc_ledger_now(const prc_ledger *ledger);
/* The largest elastic energy before the last step that was entered. */
double prc_ledger_elastic_before(const prc_ledger *ledger);
prc_certificate prc_ledger_certificate(const prc_ledger *ledger);
/* The step is not to be believed, says the caller: it is counted, and the certificate fails. */
void prc_ledger_fail(prc_ledger *ledger, int step);
/* Bound of the last step's residual: the certificate's bound times the largest energy so far, or the sum that
 * cancels in the step. */
double prc_ledger_balance_bound(const prc_ledger *ledger);
/* The deepest penetration so far over what it may be, which is 0.01 of the size of the body unless the options say more; 0
 * where that is not known. */
double prc_ledger_depth(const prc_ledger *ledger);
/* Active contacts, summed over all steps: zero when nothing ever touched. */
double prc_ledger_entries(const prc_ledger *ledger);

/* Everything a resumed run needs to go on: n doubles. */
size_t prc_ledger_size(void);
void prc_ledger_save(const prc_ledger *ledger, double *state);
void prc_ledger_restore(prc_ledger *ledger, const double *state);
/* Of a state that was saved: could it be that of this step? Energies, works and their sums are finite, counts are none below zero. */
int prc_ledger_is_sound(const double *state, int step, double t);
double prc_ledger_failures(const double *state); /* its steps that were not to be believed */

#ifdef __cplusplus
}
#endif
#endif

#ifndef PRC_LEDGER_INTERNAL_H
#define PRC_LEDGER_INTERNAL_H

#include "ledger/ledger.h"

#define PRC_LEDGER_BALANCE 1e-11 /* the bound of a step's residual, of the largest energy in play */
#define PRC_LEDGER_DEPTH   0.01  /* the bound of a penetration that is not given, of the size of the body */

/* Way that sliding surfaces may lack, sum p |g| over 2 E, as a share of the way 2 E / P by which their forces press
 * the bodies together. */
#define PRC_LEDGER_APPROACH       0.05
#define PRC_LEDGER_APPROACH_NOTED 0.01

/* Of the largest energy: what rounding leaves of the works of a step, below which no sign is judged. */
#define PRC_LEDGER_ROUNDING 1e-14
/* Of the largest energy, or of what the impulses of one step are worth (1/2 p.W p), as of a body at rest, which has no other: energy from nowhere that is noted
 * where no theorem forbids it. */
#define PRC_LEDGER_CREATED 1e-6

#define PRC_LEDGER_JOINTS                                                                                    \
  1e-9 /* of the length of the system, what a start may miss and a step does not add to */

#define PRC_LEDGER_PRESCRIBED 0.1 /* of a datum's range: a sine of eight steps a period, a ramp over three */

/* Degrees: a cell that turned by a has strains of about a^2 / 2 that are not there, 0.015 % and 0.4 %. */
#define PRC_LEDGER_ROTATION_NOTED  1.0
#define PRC_LEDGER_ROTATION_FAILED 5.0

typedef struct {
  double value, step; /* the largest so far, and where */
} prc_ledger_mark;

/* Two bodies, the second in the first, as the contact set numbers them; -1: what does not move. */
typedef struct {
  double a, b;
} prc_ledger_pair;

/* Works that should not be positive: the largest, and the one that came closest to what its contact error explains or
 * exceeded it most, by the ratio of the two. */
typedef struct {
  prc_ledger_mark work;
  double ratio, value, allowance, step;
  double count; /* how many exceeded their allowance */
} prc_ledger_excess;

/* Energy that came from nowhere, where signs may differ from step to step: the largest rise of the sum above the least that it was before. */
typedef struct {
  prc_sum sum;
  double least, created;
} prc_ledger_rise;

/* A look so far: the worst by its ratio, the largest value, and for looks that add up their sum and the largest scale. */
typedef struct {
  double looked; /* 1: at least once */
  double ratio, value, of, step, a, b, height;
  prc_ledger_mark largest;
  prc_sum sum;
  double scale;
} prc_ledger_indicator;

/* Of a look: what it judges. noted, fails: from which value / scale on; INFINITY: never. */
typedef enum { PRC_INDICATOR_OF_WHOLE, PRC_INDICATOR_OF_PAIR, PRC_INDICATOR_OF_CELL } prc_indicator_place;
typedef struct {
  const char *name, *meaning, *cure;
  double noted, fails;
  int adds_up;       /* values are summed over the run and judged against the largest scale, or, */
  int scales_add_up; /* against the sum of scales */
  prc_indicator_place place;
} prc_ledger_indicator_row;

/* All that a run accumulates: doubles only, so that it is saved as it stands. */
typedef struct {
  prc_ledger_row row;
  prc_sum kinetic, elastic, contact_normal, contact_tangential, work[PRC_N_WORKS];
  double works, energy_largest;
  double terms;         /* of the last step, where they were asked for: what cancels in its balance */
  double terms_largest; /* of all steps that were asked */
  prc_ledger_mark balance, drift_elastic, drift_momentum, contact_error_paper, penetration, prescribed;
  double entries;                       /* active contacts, summed over all steps */
  double contact_misses;                /* steps whose contact problem did not reach its tolerance */
  double elastic_scale, momentum_scale; /* of drifts: the largest so far */
  double failures, first_failure;       /* steps that were not to be believed, and the first of them */
  prc_ledger_excess contact_error;      /* against the tolerance, or what rounding leaves of it */
  prc_ledger_excess tangential, normal;
  prc_ledger_excess
      depth; /* penetrations against what each may be, PRC_LEDGER_DEPTH x the size of the body at least */
  double
      mended; /* contacts at features that are not the nearest, as flush neighbours cover those; summed over steps */
  prc_ledger_pair deepest, deepest_of_size;    /* whose they are: of `penetration` and of `depth` */
  double prescribed_range, prescribed_largest; /* of prescribed displacements: the largest so far */
  prc_ledger_mark rotation;                    /* in degrees */
  double displacement;                         /* |q|, the largest so far */
  prc_ledger_excess iterations;      /* what the last pass of a step changed, against its tolerance */
  double tolerance;                  /* ... the largest that was asked for */
  double passes, frozen;             /* of steps that iterate, in all; steps whose friction was held */
  prc_ledger_excess numerical, rise; /* the scheme's own work; T + V beyond the works in a step */
  prc_sum numerical_gained, numerical_lost, risen;
  prc_ledger_mark joints;     /* what a row of joints misses, of the length of the system ... */
  double joint;               /* ... and which */
  prc_ledger_mark gap_at_end; /* penetrations at the ends of steps, the start apart */
  prc_ledger_pair deepest_at_end;
  double gap_closed; /* the largest gap that a step took for closed */
  prc_sum breakdown;
  prc_ledger_mark hidden;                     /* sum p_N |g| of surfaces that slide, the largest so far ... */
  double elastic_most;                        /* ... and the largest elastic energy */
  prc_sum created_tangential, created_normal; /* works of contacts beyond what error and rounding explain */
  prc_ledger_rise created_numerical, created_rise;
  double impulse_largest; /* of a step's percussions, in the norm of energy */
  prc_ledger_indicator indicator[PRC_N_INDICATORS];
  prc_sum loss_normal, loss_tangential,
      numerical_rest; /* of contacts at the mean velocity, and of the scheme what is not theirs */
  prc_ledger_excess loss;
  prc_sum created_loss;
  prc_sum moment_excess; /* angular momentum from nowhere, beyond what rounding explains */
} prc_ledger_state;

struct prc_ledger {
  prc_ledger_options options;
  prc_ledger_state state;
  double elastic_before; /* elastic_most before the last step */
};

void prc_ledger_worst(prc_ledger_mark *mark, double value, int step);
/* A step, a count, or the number of a body or cell (-1: none), which a checkpoint may claim to be anything. */
int prc_ledger_whole(double x);
int prc_ledger_item(double x);
const prc_ledger_indicator_row *prc_ledger_indicator_of(int k);
void prc_ledger_enter_indicators(prc_ledger_indicator *looks, const prc_indicator *indicator, int step);
prc_certificate_entry prc_ledger_indicator_entry(const prc_ledger *ledger, int k);
void prc_ledger_note(prc_ledger_excess *excess, double work, double allowance, int step);

#endif

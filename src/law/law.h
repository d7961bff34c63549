/* law: what a contact does where it is: restitution, friction, and what friction remembers. It knows neither bodies nor schemes.
 *
 * A law of friction is a row of the table in law/laws.h: how its coefficient mu follows from its parameters, from a state that each
 * contact keeps while it is closed, and from the speed of slip. A step takes mu at its beginning and advances the state at its end.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_LAW_H
#define PRC_LAW_H

#include "base/base.h"
#include "cone/cone.h"
#include "law/laws.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PRC_LAW_PARAMETERS = 8, PRC_LAW_STATE = 4 }; /* the most that a contact has */
/* The last number of a state is the step's, and a law has at most this many: the speed at which it slipped in the last step, 0 where it did not */
enum { PRC_LAW_SPEED = PRC_LAW_STATE - 1 };

/* How a contact slips: over a step, or as far as that is known. */
typedef struct {
  double speed; /* |u_T| at which its friction works, u_{k+theta} */
  int slips;    /* 0: it sticks, and its speed is the error of the contact problem */
} prc_law_slip;

typedef struct {
  const char *name, *help; /* help: mu, in a line */
  int n_parameters, n_state;
  const char *const *parameter; /* names, in their order */
  /* n_parameters: where a parameter is a word, "ageing|slip", whose place in the list is its value; NULL: it is a number. Or NULL: all are */
  const char *const *words;
  const double
      *otherwise; /* n_parameters: what it is where nobody says; NaN: it must be said. Or NULL: all must be */
  const char *const *state; /* names, for tables; n_state */
  prc_status (*check)(const double *parameter, prc_error *err);
  void (*start)(const double *parameter, double *state); /* NULL: a state begins with zeros */
  /* mu >= 0 in a state at a speed, and d mu / d speed (slope may be NULL) */
  double (*friction)(const double *parameter, const double *state, double speed, double *slope);
  /* The state goes on by h while it slips so; exact for a constant speed. NULL without a state */
  void (*advance)(const double *parameter, double h, const prc_law_slip *slip, double *state);
  /* mu is a function of the speed that the step finds: the contact problem asks friction for it. 0: it is taken at the speed of the last step */
  int of_speed;
  /* The state at which mu is taken is that in the middle of the step, as it slipped before: in the last step, and with 2 passes once more as
   * the first pass says. 0: that of the beginning of the step */
  int passes;
  /* mu that it weakens to: what friction works beyond that is breakdown work. NULL: there is none */
  double (*residual)(const double *parameter);
  /* The way over which friction changes while it slips, by which steps may be chosen (prc_step_pace.per_slip). NULL: it does not change */
  double (*length)(const double *parameter);
  /* An open contact forgets: its state begins anew. 0: it keeps its state, as a fault keeps its slip, or advances at speed 0 */
  int forgets;
} prc_friction;

/* The rows, ended by NULL; and one by its name, NULL if there is none. */
const prc_friction *const *prc_frictions(void);
const prc_friction *prc_friction_find(const char *name);
#define PRC_LAW_DECLARE(symbol) extern const prc_friction prc_friction_##symbol;
PRC_LAW_FRICTIONS(PRC_LAW_DECLARE)

/* Parameters that depend on time, and on the place where the contact began, asked at the time whose friction it is. What depends on place alone is a
 * number of its own at each contact; numbers are also what states begin with. */
typedef struct {
  double place[2];
  const prc_field *parameter[PRC_LAW_PARAMETERS]; /* NULL: the number stands */
} prc_law_formulas;

/* State of a contact. */
typedef struct {
  const prc_friction *friction;
  double parameter[PRC_LAW_PARAMETERS];
  const prc_law_formulas *formulas; /* NULL: parameters are these numbers */
  double e;                         /* restitution, in [0, 1] */
  double e_t;                       /* tangential restitution of Newton's law, (58), in [-1, 1] */
} prc_law;

prc_law prc_law_coulomb(double mu, double e, double e_t);
/* *law, or Coulomb's where it is NULL */
prc_law prc_law_or_coulomb(const prc_law *law, double mu, double e, double e_t);
/* mu in a state at a speed */
static inline double prc_law_friction_at(const prc_law *law, const double *state, double speed) {
  return law->friction->friction(law->parameter, state, speed, NULL);
}
/* Does it rub, or may it, in any state at any speed? */
int prc_law_rubs(const prc_law *law);
/* Is mu one number, whatever happens? */
int prc_law_is_constant(const prc_law *law);
/* The parameters at time t, to `out`; refuses what the law does. */
prc_status prc_law_parameters_at(const prc_law *law, double t, double out[PRC_LAW_PARAMETERS],
                                 prc_error *err) PRC_MUST_CHECK;
/* For laws: refuses a parameter that is not in [least, most]; by its name. */
prc_status prc_law_expect(const char *name, double value, double least, double most,
                          prc_error *err) PRC_MUST_CHECK;
/* ... or not positive and finite. */
prc_status prc_law_expect_positive(const char *name, double value, prc_error *err) PRC_MUST_CHECK;
/* Refuses, with words, coefficients that are out of range. */
prc_status prc_law_check(const prc_law *law, prc_error *err) PRC_MUST_CHECK;
/* Friction parameters that are fields: functions of place and time, in the order of their law. */
typedef struct {
  const prc_friction *law; /* NULL: Coulomb's */
  prc_field parameter[PRC_LAW_PARAMETERS];
} prc_law_fields;

/* The law of a contact that begins at x. `formulas` is filled, and becomes the law's, where a parameter changes with time. */
prc_status prc_law_at(const prc_law_fields *friction, const prc_field *restitution,
                      double restitution_tangential, const double x[2], prc_law *law,
                      prc_law_formulas *formulas, prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

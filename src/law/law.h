/* law: what a contact does where it is: restitution, friction, and what friction remembers. It knows neither bodies nor schemes.
 *
 * A law of friction is a row of the table in law/laws.h: how its coefficient mu follows from its parameters, from a state that each
 * contact keeps while it is closed, and from the speed of slip. A step takes mu at its beginning and advances the state at its end. */
#ifndef PRC_LAW_H
#define PRC_LAW_H

#include "base/base.h"
#include "cone/cone.h"
#include "law/laws.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PRC_LAW_PARAMETERS = 8, PRC_LAW_STATE = 4 }; /* the most that a law has */

typedef struct {
  const char *name;
  int n_parameters, n_state;
  const char *const *parameter; /* names, in their order */
  prc_status (*check)(const double *parameter, prc_error *err);
  void (*start)(const double *parameter, double *state); /* NULL: a state begins with zeros */
  double (*friction)(const double *parameter, const double *state, double speed);
  void (*advance)(const double *parameter, double h, double speed, double *state); /* NULL without a state */
} prc_friction;

/* The rows, ended by NULL; and one by its name, NULL if there is none. */
const prc_friction *const *prc_frictions(void);
const prc_friction *prc_friction_find(const char *name);
#define PRC_LAW_DECLARE(symbol) extern const prc_friction prc_friction_##symbol;
PRC_LAW_FRICTIONS(PRC_LAW_DECLARE) /* coulomb has one parameter, mu */

/* What stands at a contact. */
typedef struct {
  const prc_friction *friction;
  double parameter[PRC_LAW_PARAMETERS];
  double e;   /* restitution, in [0, 1] */
  double e_t; /* tangential restitution of Newton's law, (58), in [-1, 1] */
} prc_law;

prc_law prc_law_coulomb(double mu, double e, double e_t);
/* mu in a state at a speed */
static inline double prc_law_friction_at(const prc_law *law, const double *state, double speed) {
  return law->friction->friction(law->parameter, state, speed);
}
/* Refuses, with words, coefficients that are out of range. */
prc_status prc_law_check(const prc_law *law, prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif

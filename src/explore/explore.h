/* explore: how far forces of contact are from determined. Forces of dry friction between rigid bodies often are not: many satisfy
 * equilibrium and Coulomb's law, or the motion that was found (Moreau 2004). Two ways to see them:
 *
 *   intervals   what a contact's force may be at least and at most, exactly, by linear programming (GLPK, the simplex method)
 *   samples     solutions of a contact problem as Gauss-Seidel finds them from random starts, or in random orders of contacts
 *
 * Of forces p of contacts the bodies feel H'p alone. With that given, and with what each contact may carry, p is any point of a
 * polyhedron,
 *
 *   H'p = g on free dofs,   p = 0 where a contact opens, |p_T| <= mu p_N where it sticks, p_T = -mu p_N sgn u_T where it slides,
 *
 * of equilibria with g = -F, or of the percussions that lead to the same velocities with g = H'p of one of them. Forces and percussions
 * are one here: p is in units of g. In the plane, or without friction.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_EXPLORE_H
#define PRC_EXPLORE_H

#include "base/base.h"
#include "cone/cone.h"
#include "linear/operator.h"
#include "step/step.h"
#include "system/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- intervals -------------------------------------------------------------------------------------------------------- */

/* Impulses that a contact may carry. */
typedef enum {
  PRC_EXPLORE_NOTHING, /* it opens */
  PRC_EXPLORE_CONE,    /* it sticks */
  PRC_EXPLORE_FORWARD, /* it slides with u_T > 0 */
  PRC_EXPLORE_BACKWARD /* ... with u_T < 0 */
} prc_explore_may;

typedef struct {
  int n_dof;
  const char *held; /* n_dof: nonzero where the motion is data, and no balance is asked for; NULL: nowhere */
  const double *mass;         /* n_dof: for scales, as the diagonal of M; NULL: all are alike */
  const double *g;            /* n_dof */
  const prc_rows *H;          /* dim 1 or 2 */
  int n;                      /* contacts: the first n blocks of H, or ... */
  const int *contact;         /* ... these; NULL: the first */
  const double *mu;           /* n */
  const prc_explore_may *may; /* n; NULL: all are cones */
} prc_explore_problem;

/* 0: percuss was built without GLPK, and what follows is PRC_INPUT with a message that says so. */
int prc_explore_is_built(void);

typedef struct prc_explore_set prc_explore_set;
/* Keeps nothing of the problem but numbers. Whether there are forces at all is known then: those that miss a row by less than about 1e-9
 * of the largest count. Time and memory are those of a simplex method: a factor of as many rows as there are free dofs. */
prc_status prc_explore_set_create(const prc_explore_problem *problem, prc_explore_set **out,
                                  prc_error *err) PRC_MUST_CHECK;
void prc_explore_set_free(prc_explore_set **set);
int prc_explore_set_is_empty(const prc_explore_set *set);
/* The least and the largest c'p; c: dim n, in the order of the problem. Infinite: there is no bound. PRC_INPUT where the set is empty.
 * Each begins at the vertex that the last one ended at. */
prc_status prc_explore_set_range(prc_explore_set *set, const double *c, double range[2],
                                 prc_error *err) PRC_MUST_CHECK;
/* Of one component of one contact: 0 normal, 1 tangential. */
prc_status prc_explore_set_interval(prc_explore_set *set, int contact, int component, double range[2],
                                    prc_error *err) PRC_MUST_CHECK;
/* A point of the set, dim n: where the last search ended. */
void prc_explore_set_point(const prc_explore_set *set, double *p);
/* Steps of the simplex method so far. */
int prc_explore_set_pivots(const prc_explore_set *set);

/* Impulses that each contact may carry with the velocities w = W p + b held; velocities below `still` count as
 * zero. */
void prc_explore_may_of(int dim, int n, const double *w, double still, prc_explore_may *may);

/* ---- of a step ------------------------------------------------------------------------------------------------------- */

/* Impulses that would have led to the same velocities as a given step, from its result and its contacts at its
 * start. The bodies count as at rest if before and after the step they move by less than a millionth of what
 * the loads of a step would give them: then these are all equilibria, g = -h F. */
typedef struct {
  prc_contact_set set; /* contacts there, with gaps, H and frames */
  int n, *place; /* those that were active, in the order of record->problem: where they are in the set */
  double still;  /* velocities below are zero, to the tolerance of the contact problem */
  int begins_at_rest, rests; /* before; before and after */
  prc_explore_problem held;  /* with the velocities of the step held; of the n that were active */
  prc_explore_problem rest;  /* of equilibria; of all that are closed, whatever the velocities */
  /* what the problems point to */
  int *closed;
  char *driven;
  double *mass, *balance, *load, *mu, *mu_closed;
  prc_explore_may *may;
} prc_explore_step;
/* before: the state from which the step went. Refuses what is elastic, and a state that it was not.
 * Arrays of the problems are the step's; record and system are not needed afterwards. */
prc_status prc_explore_step_create(const prc_system *system, const prc_step_record *record,
                                   const prc_at *before, double gap_tolerance, prc_explore_step **out,
                                   prc_error *err) PRC_MUST_CHECK;
void prc_explore_step_free(prc_explore_step **step);

/* ---- samples ------------------------------------------------------------------------------------------------------------ */

/* How Gauss-Seidel is made to end elsewhere. */
typedef enum {
  PRC_EXPLORE_STARTS, /* percussions to begin with drawn in the cones; contacts in the order of the problem */
  PRC_EXPLORE_ORDERS  /* begins with zeros; contacts in an order drawn once for a solve */
} prc_explore_way;

typedef struct {
  uint64_t seed;      /* sample k depends on the seed and on k alone */
  const double *most; /* n: p_N of a start is drawn from [0, most], p_T from the section of the cone there */
  prc_cone_options cone;
} prc_explore_draws;

typedef struct prc_explore_sampler prc_explore_sampler;
/* The arguments must outlive the sampler; a sampler belongs to one thread. W dense or by blocks. */
prc_status prc_explore_sampler_create(const prc_cone_problem *problem, const prc_explore_draws *draws,
                                      prc_explore_sampler **out, prc_error *err) PRC_MUST_CHECK;
void prc_explore_sampler_free(prc_explore_sampler **sampler);
/* Sample k of that way: p, and w = W p + b, dim n each. What does not reach the tolerance is the best there is: info says so. */
prc_cone_info prc_explore_sample(prc_explore_sampler *sampler, prc_explore_way way, int k, double *p,
                                 double *w);

/* Many of one way, shared by the threads of OpenMP; the same numbers whatever their number. */
typedef enum { PRC_EXPLORE_MISSED, PRC_EXPLORE_SAME, PRC_EXPLORE_OTHER } prc_explore_end;
typedef struct {
  int n;
  double *p;            /* n times dim problem->n */
  prc_explore_end *end; /* n: did not reach the tolerance; has the velocities w or, within `still`, others */
} prc_explore_samples;
prc_status prc_explore_samples_create(const prc_cone_problem *problem, const prc_explore_draws *draws,
                                      prc_explore_way way, int n, const double *w, double still,
                                      prc_explore_samples **out, prc_error *err) PRC_MUST_CHECK;
void prc_explore_samples_free(prc_explore_samples **samples);

#ifdef __cplusplus
}
#endif
#endif

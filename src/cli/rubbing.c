#include "config.h"
#include "cli/cli.h"

#include <math.h>

/* Friction coefficients of contacts, for tables, diagrams and fields. */

double cli_rubbing_of(cli_rubbing *rubbing, int c) {
  const prc_step_record *r = rubbing->record;
  const prc_law *law = r->contacts->law[c];
  const double *u = r->u_work + r->dim * c;
  double square = 0.0;
  while (rubbing->next < r->n_active && r->active[rubbing->next] < c) rubbing->next++;
  if (prc_law_is_constant(law)) return law->parameter[0];
  if (rubbing->next < r->n_active && r->active[rubbing->next] == c && r->problem.n == r->n_active
      && r->step > 0)
    return r->problem.mu[rubbing->next];
  for (int k = 1; k < r->dim; k++) square += u[k] * u[k];
  return prc_law_friction_at(law, r->contacts->state + PRC_LAW_STATE * c, sqrt(square));
}

const prc_law_fields *cli_rubbing_law(const cli_run_state *run, const char *contact, int *rubs,
                                      int *interface) {
  *rubs = 0, *interface = 0;
  for (int g = 0; g < run->c->n_contacts; g++) {
    const prc_case_contact *of = &run->c->contact_group[g];
    const prc_friction *law = of->friction.law;
    if (strcmp(of->name, contact) != 0) continue;
    *rubs = law && law != &prc_friction_coulomb;
    for (int k = 0; k < (law ? law->n_parameters : 1); k++) *rubs |= of->friction.parameter[k].uses_time;
    *interface = of->interface;
    return &of->friction;
  }
  return NULL;
}

double cli_slip_of(const cli_run_state *run, int c) {
  return c < run->slip.n ? run->slip.way[c] : 0.0;
}

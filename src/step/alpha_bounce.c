#include "config.h"
#include "step/alpha.h"

/* A restitution of 1 that gives back what moving the positions takes. A ball that strikes is put on the wall, at the end of the step, and its velocity is reversed there: positions have gone
 * dx, velocities h ub, ub = (u + u')/2 = 0, and the forces' work on the difference, F . (h ub - dx), of weight m g times the height at which the step began, is lost with every bounce
 * (or won). So the law is asked for u' + u - c >= 0 with the c whose percussion works as much,
 *
 *   c P / 2 = -F . (h ub - dx),
 *
 * over the dofs that the contact touches; where several percussions touch a dof they share it by their size. P and dx are those of the pass. With e < 1 an impact takes more than that anyway,
 * which is of the order of h; with forces of stiffness there are waves, and no such law is known. */

double prc_alpha_mean_of(const prc_step_alpha *w, const prc_alpha_force *f, int i) {
  const prc_alpha_constants *k = &w->k;
  const double bar = (k->af * f->old[i] - k->am * f->bar[i]) / (1.0 - k->am) + k->c * f->now[i];
  return (1.0 - k->gamma) * f->bar[i] + k->gamma * bar;
}

/* It came closer when the step began, and pushes: what stops or reverses it is a percussion, and not the force of a contact that is closed already. */
int prc_alpha_strikes(const prc_stepper *s, int c) {
  const prc_step_alpha *w = s->work_of_scheme;
  const int at = s->contacts.set.dim * c;
  return w->before[at] < -s->contacts.velocity_tolerance && s->contacts.set.p[at] > 0.0;
}

static int bounces(const prc_stepper *s, int c) {
  return s->contacts.set.law[c]->e == 1.0 && prc_alpha_strikes(s, c);
}

void prc_alpha_find_bounces(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  const prc_dynamics *d = &s->system->dynamics;
  const double h = s->options.h;
  double *share = s->work;
  int any = 0;
  for (int c = 0; c < set->n; c++) w->bounce[c] = 0.0;
  if (d->K || (d->varies & PRC_INTERNAL_NONLINEAR)) return;
  for (int i = 0; i < s->n; i++) share[i] = 0.0;
  for (int c = 0; c < set->n; c++) {
    if (!bounces(s, c)) continue;
    any = 1;
    for (int at = set->H.start[c]; at < set->H.start[c + 1]; at++)
      share[set->H.dof[at]] += set->p[set->dim * c];
  }
  for (int c = 0; any && c < set->n; c++) {
    if (!bounces(s, c)) continue;
    for (int at = set->H.start[c]; at < set->H.start[c + 1]; at++) {
      const int i = set->H.dof[at];
      if (s->part[i] == 2) continue;
      const double F = prc_alpha_mean_of(w, &w->load, i) + (s->loads_break ? w->missed[i] : 0.0)
                       - prc_alpha_mean_of(w, &w->drag, i);
      w->bounce[c] -= 2.0 * F * (0.5 * h * (s->v[i] + w->u[i]) - w->dx[i]) / share[i];
    }
  }
}

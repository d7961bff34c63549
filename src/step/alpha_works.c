#include "config.h"
#include "step/alpha.h"

#include <string.h>

/* From the last pass to the state, and the works of the step. With ub = (u + u') / 2, M abar = fbar + rbar, r the forces of contacts (and joints) that
 * are filtered with the accelerations, and fm = (1 - gamma) fbar + gamma fbar' of any force,
 *
 *   dT = ub.M (u' - u) = h ub.(load - internal - drag)m + ub.H'P + N_h,   N_h = ub.(h [(1 - gamma) rbar + gamma rt] - H'Pt),
 *
 * with the H of the end: N_h is zero where H is constant. Rows that are prescribed have a reaction in place of N_h. But positions go dx, which is h ub and what kappa moves besides: forces
 * work over dx, so that those of gravity are the change of m g z exactly, and a contact that turns works nothing over its true way, D = (g' - g, slip). The percussion of a contact that
 * strikes works at ub: an impact within a step moves by less than it is worth. Each difference is added where it is taken away,
 *
 *   d(T + V) = fm.dx + [fm.(h ub - dx)] + sum P.u_b + sum P.D/h + numerical,   numerical = dV - internal_m.dx + sum P.(u_b - D/h) + N_h:
 *              external   projection       those that strike, and others       the latter
 *
 * an identity whatever the split is (by Lambda it would be one of forces that may be indeterminate); no sign of the last two is promised. What a perfect restitution asks for (alpha_bounce.c)
 * gives back what `projection` takes, and stands there. Joints work over their values, -(rate + rate')/2 . P. */

/* bar' = (af old - am bar) / (1 - am) + c now, and what stands between: the mean over the step, into `mean`. */
static void filter(const prc_step_alpha *w, prc_alpha_force *f, int n, double *mean) {
  const prc_alpha_constants *k = &w->k;
  for (int i = 0; i < n; i++) {
    const double bar = (k->af * f->old[i] - k->am * f->bar[i]) / (1.0 - k->am) + k->c * f->now[i];
    mean[i] = (1.0 - k->gamma) * f->bar[i] + k->gamma * bar;
    f->bar[i] = bar, f->old[i] = f->now[i];
  }
}

/* (1 - gamma) rbar + gamma rt into x: the filtered forces of contacts that the predictions have. From bars and values at t_k. */
static void remembered_forces(prc_stepper *s, double *x) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_alpha_constants *k = &w->k;
  const prc_alpha_force *const of[] = {&w->load, &w->internal, &w->drag};
  for (int i = 0; i < s->n; i++) s->work[i] = (1.0 - k->gamma) * w->abar[i] + k->gamma * w->at[i];
  prc_sym_multiply(s->system->dynamics.M, s->work, x);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < s->n; i++) {
      const double t = (k->af * of[j]->old[i] - k->am * of[j]->bar[i]) / (1.0 - k->am);
      x[i] -= (j == 0 ? 1.0 : -1.0) * ((1.0 - k->gamma) * of[j]->bar[i] + k->gamma * t);
    }
}

/* abar' = at + c a'. Contacts that end open are forgotten everywhere: what they had in abar' goes. */
static prc_status next_accelerations(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  int forgotten = 0;
  for (int i = 0; i < s->n; i++) {
    w->a[i] = w->a_next[i];
    w->abar[i] = w->at[i] + w->k.c * w->a_next[i];
  }
  for (int c = 0; w->variant->hats && c < set->n; c++)
    for (int i = set->dim * c; i < set->dim * (c + 1); i++) {
      w->forces[i] = w->state[c] & PRC_ALPHA_PRESSED ? 0.0 : -w->lt[i];
      forgotten |= w->forces[i] != 0.0;
    }
  if (!forgotten) return PRC_OK;
  memset(w->x, 0, (size_t)s->n * sizeof *w->x);
  prc_operator_aim_joints(w->acceleration.op, NULL);
  prc_try(prc_operator_begin(w->acceleration.op, NULL, w->x, err));
  prc_operator_finish(w->acceleration.op, &set->H, set->n, NULL, 1.0, w->forces, w->x);
  for (int i = 0; i < s->n; i++) w->abar[i] += w->x[i];
  if (s->joints.n == 0) return PRC_OK;
  prc_operator_joint_forces(w->acceleration.op, s->joints.target);
  for (int r = 0; r < s->joints.n; r++) w->lbar[r] += s->joints.target[r];
done:
  return status;
}

static void set_percussions_of_smooth(prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  k->n_active = 0;
  for (int c = 0; c < k->set.n; c++) {
    int pushes = 0;
    for (int i = k->set.dim * c; i < k->set.dim * (c + 1); i++) {
      k->set.p[i] = w->Pt[i] + s->options.h * w->k.g * w->lam[i];
      k->allowance[c] = 0.0, pushes |= k->set.p[i] != 0.0;
    }
    k->status[c] = pushes ? PRC_CONE_SLIP : PRC_CONE_OPEN;
    if (!pushes) continue;
    memcpy(k->p_active + k->set.dim * k->n_active, k->set.p + k->set.dim * c,
           (size_t)k->set.dim * sizeof *k->set.p);
    k->active[k->n_active++] = c;
  }
}

/* The potential's change, and the internal forces at the end. */
static prc_status find_gain(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  double before, after;
  w->gain = 0.0;
  if (d->varies & PRC_INTERNAL_NONLINEAR) {
    prc_try(d->internal(s->system->owner, &(prc_at){s->t, s->q, s->v}, NULL, &before, err));
    prc_try(d->internal(s->system->owner, &(prc_at){s->t + s->options.h, w->q, w->u}, NULL, &after, err));
    w->gain = after - before;
  } else if (d->K)
    for (int i = 0; i < s->n; i++) w->gain += 0.5 * (w->internal.now[i] + w->internal.old[i]) * w->dx[i];
done:
  return status;
}

/* The reaction of prescribed rows: what the means of forces and percussions lack of the change of momentum; rhs: H'P. */
static void set_reactions(prc_stepper *s, const double *internal, const double *drag) {
  const prc_step_alpha *w = s->work_of_scheme;
  const prc_drive *drive = &s->system->drive;
  for (int r = 0; r < drive->n; r++) {
    const int i = drive->dof[r];
    s->reaction[r] =
        (s->m[i] - s->m_old[i] - w->rhs[i]) / s->options.h - s->F_work[i] + internal[i] + drag[i];
  }
}

/* Work of prescribed values. The rest of ub.G'P, with the G of the end, is returned: joints hold, so it is the
 * scheme's. */
static double set_joint_works(prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  const prc_step_joints *j = &s->joints;
  double rest = 0.0;
  for (int r = 0; r < j->n; r++) {
    const double driven = -0.5 * (w->rate[r] + j->rate[r]) * j->force[r];
    double sum = 0.0;
    for (int at = j->G.start[r]; at < j->G.start[r + 1]; at++) sum += j->G.x[at] * s->v_work[j->G.dof[at]];
    s->record.work[PRC_WORK_driven] += driven;
    rest += sum * j->force[r] - driven;
  }
  return rest;
}

/* Works of each contact; returns the rest of ub.H'P. Slip over the step is the mean of its rates at both ends,
 * each with its own H: nothing where a contact sticks at both. */
static double set_contact_works(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const int dim = k->set.dim;
  double rest = 0.0;
  s->record.works = w->works;
  if (k->set.n == 0) return 0.0;
  prc_rows_multiply(&k->set.H, s->v_work, k->u_work);
  prc_rows_multiply(&k->set.H, s->v, k->u);
  memset(w->works, 0, 2 * (size_t)k->set.n * sizeof *w->works);
  for (int n = 0; n < k->n_active; n++) {
    const int c = k->active[n];
    const int is_impact = !w->variant->smooth && prc_alpha_strikes(s, c);
    double given = 0.0;
    for (int r = 0; r < dim; r++) {
      const int i = dim * c + r;
      const double p = k->set.p[i];
      const double way =
          r == 0 ? (k->set.gap[c] - w->gap_before[c]) / s->options.h : 0.5 * (w->before[i] + k->u[i]);
      w->works[2 * c + (r > 0)] += p * (is_impact ? k->u_work[i] : way);
      given += p * k->u_work[i];
    }
    const double back = is_impact ? 0.5 * w->bounce[c] * k->set.p[dim * c] : 0.0;
    w->works[2 * c] -= back;
    s->record.work[PRC_WORK_projection] += back;
    rest += given - back - w->works[2 * c] - w->works[2 * c + 1];
  }
  return rest;
}

/* dx: the way of the positions; internal, drag, boundary: means over the step (the last a part of drag, or NULL); history: the filtered forces of contacts less what was taken
 * out again. */
static void set_works(prc_stepper *s, const double *dx, const double *internal, const double *drag,
                      const double *boundary, const double *history) {
  const prc_step_alpha *w = s->work_of_scheme;
  const prc_drive *drive = &s->system->drive;
  const double h = s->options.h;
  prc_step_record *r = &s->record;
  double kinetic = 0.0, external = 0.0, damping = 0.0, elastic = 0.0, left = 0.0, driven = 0.0, held = 0.0,
         absorbed = 0.0, projection = 0.0;
  r->force = r->displacement = 0.0;
  for (int i = 0; i < s->n; i++) {
    kinetic += 0.5 * (s->v[i] + s->v_old[i]) * (s->m[i] - s->m_old[i]);
    external += dx[i] * s->F_work[i], damping += dx[i] * drag[i];
    elastic += dx[i] * internal[i];
    projection += (h * s->v_work[i] - dx[i]) * (s->F_work[i] - internal[i] - drag[i]);
    if (s->part[i] != 2) left += s->v_work[i] * history[i];
    r->force += s->f[i] * s->f[i], r->displacement += s->q[i] * s->q[i];
  }
  for (int k = 0; k < drive->n; k++) {
    const int i = drive->dof[k];
    *(drive->work && drive->work[k] ? &driven : &held) += dx[i] * s->reaction[k];
    projection += (h * s->v_work[i] - dx[i]) * s->reaction[k];
  }
  memset(r->work, 0, sizeof r->work);
  r->kinetic = kinetic, r->potential = w->gain;
  r->work[PRC_WORK_external] = external + held;
  r->work[PRC_WORK_driven] = driven;
  r->work[PRC_WORK_projection] = projection;
  for (int i = 0; boundary && i < s->n; i++) absorbed += dx[i] * boundary[i];
  r->work[PRC_WORK_boundary] = -absorbed;
  r->work[PRC_WORK_damping] = absorbed - damping;
  left += set_joint_works(s);
  left += set_contact_works(s);
  r->work[PRC_WORK_numerical] = w->gain - elastic + left;
}

void prc_alpha_set_levels(prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  prc_step_record *r = &s->record;
  r->contact_level[PRC_LEVEL_VELOCITY] = w->Lambda;
  r->contact_level[PRC_LEVEL_POSITION] = w->kappa;
  r->contact_level[PRC_LEVEL_ACCELERATION] = w->lam;
  r->joint_level[PRC_LEVEL_VELOCITY] = w->Lambda_g;
  r->joint_level[PRC_LEVEL_POSITION] = w->kappa_g;
  r->joint_level[PRC_LEVEL_ACCELERATION] = w->l;
}

prc_status prc_alpha_finish(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  const double h = s->options.h;
  const size_t bytes = (size_t)s->n * sizeof *s->v;
  double *const history = w->at, *const drag = w->xt,
                *const boundary = s->system->dynamics.C_boundary ? w->ut : NULL;
  prc_try(find_gain(s, err));
  if (!w->variant->smooth) /* positions have other rows of what is of velocities: means over the step */
    prc_try(prc_step_joints_evaluate(&s->joints, &(prc_at){w->t, w->q, w->u}, err));
  for (int i = 0; w->variant->smooth && i < s->n; i++) w->x[i] = w->dx[i] / h; /* what it imposes alone */
  prc_step_joints_measure(&s->joints, h, w->variant->smooth ? w->x : w->u);
  remembered_forces(s, w->ut);
  prc_alpha_end_joints(s);
  prc_try(next_accelerations(s, err));
  if (w->variant->smooth) set_percussions_of_smooth(s);
  for (int i = 0; i < s->n; i++) history[i] = h * w->ut[i], w->rhs[i] = 0.0;
  if (w->variant->hats || w->variant->smooth) prc_rows_pull(&set->H, set->n, NULL, -1.0, w->Pt, history);
  prc_rows_pull(&set->H, set->n, NULL, 1.0, set->p, w->rhs);
  if (s->joints.n > 0) prc_rows_pull(&s->joints.G, s->joints.n, NULL, -1.0, w->Pt_g, history);
  prc_step_joints_pull(&s->joints, 1.0, w->rhs);
  filter(w, &w->load, s->n, s->F_work);
  for (int i = 0; s->loads_break && i < s->n; i++) s->F_work[i] += w->missed[i];
  filter(w, &w->internal, s->n, s->s);
  filter(w, &w->drag, s->n, drag);
  if (boundary) filter(w, &w->boundary, s->n, boundary);
  prc_step_exchange(&s->v, &s->v_old), prc_step_exchange(&s->m, &s->m_old),
      prc_step_exchange(&s->f, &s->f_old);
  memcpy(s->v, w->u, bytes), memcpy(s->f, w->internal.now, bytes);
  memcpy(s->q, w->q, (size_t)s->nq * sizeof *s->q);
  prc_sym_multiply(s->system->dynamics.M, s->v, s->m);
  for (int i = 0; i < s->n; i++) s->v_work[i] = 0.5 * (s->v[i] + s->v_old[i]);
  set_reactions(s, s->s, drag);
  set_works(s, w->dx, s->s, drag, boundary, history);
  memcpy(s->drag, drag, bytes);
  for (int i = 0; i < s->n; i++) s->s[i] = (s->f[i] - s->f_old[i]) / h;
  prc_alpha_keep_hats(s);
  prc_alpha_set_levels(s);
done:
  return status;
}

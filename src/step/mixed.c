#include "config.h"
#include "step/internal.h"

#include <math.h>

/* Rigid bodies that step by the mean (PRC_BULK_MIDDLE) beside what deforms and keeps theta. With T = diag(theta_i), 1/2 of rigid dofs and theta of others,
 *
 *   v_w = v_k + T dv,   q_{k+1} = q_k (+) h v_w,   M dv = h (F - f_w - C v_w) + H'p,   f_w = f_k + h theta K v_w,
 *
 * and as M, K and C join no dofs of both kinds, T commutes with them. theta T^-1 times T times the equation of motion is that of the theta-scheme with another mass of rigid
 * bodies,
 *
 *   A v_w = theta T^-1 M v_k + h theta (F - f_k) + theta H'p,   A = theta T^-1 M + h theta C + h^2 theta^2 K,
 *
 * symmetric, with one W = theta H A^-1 H' for all contacts: that of u_w = H v_w. Forces, joints and places go by v_w, and
 *
 *   T' - T = v_w . M dv - (theta - 1/2) dv . M dv over what deforms:
 *
 * `numerical` is never positive, and the energy has what contacts work at u_w.
 *
 * A contact. Of what its percussion does at once, rigid bodies have the share 1/2 in u_w and what deforms theta: H T dv = w H dv with
 *
 *   w = W_w / (W_r + (W_w - W_r/2) / theta),   W_r = sum of H_i^2 / M_ii over rigid dofs,   1/2 <= w <= theta:
 *
 * 1/2 between rigid bodies, theta between bodies that deform. Its law is that of the theta-scheme with this theta,
 *
 *   z_N = u_w,N + (w (1 + e) - 1) min(u~_N, 0),     z_T = u_w,T - (1 - w / theta) u_k,T,
 *
 * so that a percussion alone leaves -e u_k,N, and of a slip that is caught -(1 - theta)/theta u_k,T, whatever touches what. u_w,N p_N = -(w (1 + e) - 1) min(u~_N, 0) p_N is
 * never positive, whatever u~ is, for w (1 + e) <= 1: any e <= 1 between rigid bodies, 1/theta - 1 where something deforms. u_w,T . p_T has its sign where w = theta, as Proposition 1 says;
 * else (1 - w/theta) u_k,T . p_T is beside it, and is judged. At rest the way of the step, h u_w, vanishes, and the gap stays. As rigid bodies move by v_m and what deforms by v_{k+theta}, what accelerates together has
 * u_k = -(theta - 1/2) du_d then, du_d what the dofs that deform add to u in a step: no approach, though it looks like one, and let go it would sink by (1 - w) of it in each step. So a
 * contact of both kinds that pushed in the last step has u~_N = u_k,N + (theta - 1/2) du_d with du_d of that step, which is kept by its id; of others u~ = u_k. With W by joints w is
 * another than that of a percussion alone, and stays in its bounds: the signs hold.
 *
 * Of T a percussion alone takes u_m . p,  u_m = u_k + (u_w - u_k) / (2 w), which is what contacts are booked with: u_m,N p_N = (1 - e)/2 u_k,N p_N for every theta. H (v_k + v_{k+1}) / 2 is
 * the same between bodies of one kind; else waves are in it, of either sign. */

prc_status prc_step_mix(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_sym *M = s->system->dynamics.M;
  if (!s->mixed) return PRC_OK;
  prc_try(prc_new(&s->ahead, s->n, err));
  prc_try(prc_new(&s->contacts.mobility, s->n, err));
  for (int i = 0; i < s->n; i++)
    if (s->part[i] != 2) s->contacts.mobility[i] = s->system->space.deforms[i] ? -1.0 : 1.0 / M->x[M->p[i]];
done:
  return status;
}

/* A += (2 theta - 1) M over rigid dofs. */
void prc_step_mix_matrix(const prc_stepper *s, prc_sym *A) {
  const prc_sym *M = s->system->dynamics.M;
  const double more = 2.0 * s->options.theta - 1.0;
  if (!s->mixed) return;
  for (int j = 0; j < M->n; j++) {
    if (s->system->space.deforms[j]) continue;
    for (int k = A->p[j], l = M->p[j]; l < M->p[j + 1]; l++) {
      while (A->i[k] < M->i[l]) k++;
      A->x[k] += more * M->x[l];
    }
  }
}

/* x += sign (2 theta - 1) m over rigid dofs */
void prc_step_mix_momentum(const prc_stepper *s, const double *m, double sign, double *x) {
  const double more = sign * (2.0 * s->options.theta - 1.0);
  for (int i = 0; s->mixed && i < s->n; i++)
    if (!s->system->space.deforms[i]) x[i] += more * m[i];
}

/* v' = (v_w - v / 2) / (1/2) of rigid bodies. */
void prc_step_mix_velocity(prc_stepper *s) {
  for (int i = 0; i < s->n; i++)
    if (!s->system->space.deforms[i]) s->v[i] = 2.0 * s->v_work[i] - s->v_old[i];
}

/* m' = (a m + X) / b of theta, to that of 1/2: a = 1 - h alpha (1 - theta), b = 1 + h alpha theta. */
void prc_step_mix_damping(prc_stepper *s) {
  const double theta = s->options.theta, ha = s->options.h * s->system->dynamics.damping_mass;
  const double a = 1.0 - ha * (1.0 - theta), b = 1.0 + ha * theta;
  for (int i = 0; ha != 0.0 && i < s->n; i++) {
    if (s->system->space.deforms[i]) continue;
    const double X = b * s->m[i] - a * s->m_old[i];
    s->m[i] = ((1.0 - 0.5 * ha) * s->m_old[i] + X) / (1.0 + 0.5 * ha);
  }
}

void prc_step_centre(prc_stepper *s, const double *q, const double *v, double *out) {
  const double h = s->options.h, theta = s->scheme->levels ? 0.5 : s->options.theta;
  /* schemes by levels have no theta: x' = x + h (v + v')/2 */
  if (!s->mixed) {
    prc_step_move(s, q, (1.0 - theta) * h, v, out);
    return;
  }
  for (int i = 0; i < s->n; i++) s->ahead[i] = (1.0 - prc_step_theta_of(s, i)) * v[i];
  prc_step_move(s, q, h, s->ahead, out);
}

/* ---- contacts ----------------------------------------------------------------------------------------------------------------- */

/* w of the rows first to last of active contact i; *deforms: something in it does, and no rigid body that is free has a part in them. */
static double weight_of(const prc_step_options *o, const prc_step_contacts *k,
                        const prc_cone_problem *problem, int i, int first, int last, int *deforms) {
  const prc_rows *H = &k->set.H;
  const int c = k->active[i], start = H->start[c], count = H->start[c + 1] - start;
  double W = 0.0, rigid = 0.0;
  *deforms = 0;
  for (int r = first; r <= last; r++) {
    const double *row = H->x + H->dim * start + count * r;
    W += fmax(prc_cone_diagonal(problem, k->set.dim * i + r), 0.0);
    for (int j = 0; j < count; j++) {
      const double mobility = k->mobility[H->dof[start + j]];
      if (mobility > 0.0)
        rigid += row[j] * row[j] * mobility;
      else if (mobility < 0.0 && row[j] != 0.0)
        *deforms = 1;
    }
  }
  if (!*deforms) return 0.5;
  if (rigid > 0.0) *deforms = 0;
  const double all = rigid + fmax(W - 0.5 * rigid, 0.0) / o->theta;
  return all > rigid && rigid > 0.0 ? fmin(fmax(W / all, 0.5), o->theta) : o->theta;
}

void prc_step_contacts_find_weight(const prc_step_options *o, prc_step_contacts *k,
                                   const prc_cone_problem *problem, int i, double *normal,
                                   double *tangential) {
  int deforms;
  const int newton = o->law == PRC_IMPACT_NEWTON;
  const double back = k->set.law[k->active[i]]->e_t;
  double *weight = k->weight + 2 * k->active[i];
  weight[0] = weight[1] = *normal = weight_of(o, k, problem, i, 0, 0, &deforms), *tangential = 0.0;
  if (k->set.dim == 1) return;
  const double w = weight_of(o, k, problem, i, 1, k->set.dim - 1, &deforms);
  weight[1] = w;
  *tangential = deforms && newton ? 1.0 - w : 1.0 - w / o->theta;
  if (newton || (!deforms && o->theta > 0.5)) *tangential -= w * back;
}

void prc_step_mix_means(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  const int dim = k->set.dim;
  for (int c = 0; c < k->set.n; c++)
    for (int r = 0; r < dim; r++) {
      const double w = k->weight[2 * c + (r > 0)], u = k->u_before[dim * c + r];
      k->u_mean[dim * c + r] = w > 0.0 ? u + 0.5 * (k->u_work[dim * c + r] - u) / w : u;
    }
}

/* ---- what accelerates together --------------------------------------------------------------------------------------------------- */

static double *lag_of(const prc_step_contacts *k, int c) {
  return k->set.kept + (size_t)k->set.n_kept * (size_t)c + (size_t)(k->set.dim * (k->alternates + k->ramps));
}

/* du_d of contacts of both kinds, driven ones too. */
void prc_step_mix_keep(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  const prc_rows *H = &k->set.H;
  const char *deforms = s->system->space.deforms;
  for (int c = 0; c < k->set.n; c++) {
    const double *row = H->x + H->dim * H->start[c];
    double lag = 0.0;
    int rigid = 0;
    for (int i = H->start[c]; i < H->start[c + 1]; i++, row++) {
      const int dof = H->dof[i];
      if (deforms[dof])
        lag += *row * (s->v[dof] - s->v_old[dof]);
      else
        rigid |= *row != 0.0;
    }
    *lag_of(k, c) = rigid && k->set.p[k->set.dim * c] > 0.0 ? lag : 0.0;
  }
}

double prc_step_contacts_approach(const prc_step_options *o, const prc_step_contacts *k, int c) {
  return fmin(k->u_old[k->set.dim * c] + (o->theta - 0.5) * *lag_of(k, c), 0.0);
}

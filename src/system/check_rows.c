#include "config.h"
#include "system/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Contacts and joints of a system at a state: rows against differences of gaps and of g. */

/* ---- contacts ------------------------------------------------------------------------------------------------ */

static void evaluate(const prc_probe *p, const prc_at *at, unsigned what, prc_contact_set *set) {
  if (what & PRC_EVALUATE_GAP) prc_probe_fill(set->n, set->gap);
  if (what & PRC_EVALUATE_H) prc_probe_fill(set->dim * set->H.start[set->n], set->H.x);
  p->s->contacts.evaluate(p->s->owner, at, what, set);
}

static prc_status contact_fails(const prc_probe *p, const prc_contact_set *set, int c, const char *field,
                                double value, const char *expected) {
  const prc_contact_id *id = &set->id[c];
  return prc_fail(p->err, PRC_INPUT,
                  "contacts.evaluate: %s of contact %d, id (%u, %u, %u, %u), is %.9g, expected %s", field, c,
                  (unsigned)id->a, (unsigned)id->b, (unsigned)id->feature_a, (unsigned)id->feature_b, value,
                  expected);
}

static prc_status check_block(const prc_probe *p, const prc_contact_set *set, int c) {
  const int begin = set->H.start[c], n = set->H.start[c + 1] - begin;
  const double *block = set->H.x + set->dim * begin;
  char field[64];
  if (!isfinite(set->gap[c]))
    return contact_fails(p, set, c, "the gap", set->gap[c], "a finite number written there");
  for (int k = 0; k < set->dim * n; k++) {
    snprintf(field, sizeof field, "H row %d, dof %d", k / n, set->H.dof[begin + k % n]);
    if (!isfinite(block[k]))
      return contact_fails(p, set, c, field, block[k], "a finite number written there");
  }
  if (prc_probe_largest(n, block) == 0.0)
    return contact_fails(p, set, c, "the normal row of H, all of it,", 0.0,
                         "something that opens and closes it");
  return PRC_OK;
}

/* Entry of H for dof j in the normal row of contact c; largest: that of the row. */
static double normal_entry(const prc_contact_set *set, int c, int j, double *largest) {
  const int begin = set->H.start[c], n = set->H.start[c + 1] - begin;
  double told = 0.0;
  *largest = prc_probe_largest(n, set->H.x + set->dim * begin);
  for (int k = 0; k < n; k++)
    if (set->H.dof[begin + k] == j) told = set->H.x[set->dim * begin + k];
  return told;
}

/* u_N = H_N v is the rate of the gap, whatever dof moves; also one that is not in the contact's list. */
static prc_status check_rates(const prc_probe *p, prc_contact_set *set, double *gaps) {
  for (int j = 0; j < p->nv; j++) {
    for (int k = 0; k < 4; k++) {
      const prc_at there = prc_probe_along(p, j, prc_probe_ways[k] * p->step);
      evaluate(p, &there, PRC_EVALUATE_GAP, set);
      for (int c = 0; c < set->n; c++) gaps[4 * c + k] = set->gap[c];
    }
    for (int c = 0; c < set->n; c++) {
      double largest, found;
      char field[64], expected[128];
      const double told = normal_entry(set, c, j, &largest);
      if (prc_probe_is_derivative(gaps + 4 * c, p->step, told, p->length + fabs(gaps[4 * c]), largest,
                                  &found))
        continue;
      snprintf(field, sizeof field, "H row 0, dof %d,", j);
      snprintf(expected, sizeof expected, "%.9g, the derivative of the gap, positive where it opens", found);
      return contact_fails(p, set, c, field, told, expected);
    }
  }
  return PRC_OK;
}

/* The gap is a function of q alone; without PRC_CONTACTS_H, H is one of nothing. */
static prc_status check_constant(const prc_probe *p, prc_contact_set *set, double *kept) {
  const size_t numbers = (size_t)set->dim * (size_t)set->H.start[set->n];
  const prc_at later = {p->at.t + p->h, p->at.q, p->at.v};
  evaluate(p, &p->at, PRC_EVALUATE_GAP | PRC_EVALUATE_H, set);
  memcpy(kept, set->gap, (size_t)set->n * sizeof *kept);
  evaluate(p, &later, PRC_EVALUATE_GAP, set);
  for (int c = 0; c < set->n; c++)
    if (!(fabs(set->gap[c] - kept[c]) <= PRC_PROBE_ROUNDED * p->length))
      return contact_fails(p, set, c, "the gap, at the same q and another time,", set->gap[c],
                           "what it was: what moves by itself is a dof that is driven");
  if (p->s->contacts.varies & PRC_CONTACTS_H) return PRC_OK;
  memcpy(kept, set->H.x, numbers * sizeof *kept);
  const prc_at far = prc_probe_elsewhere(p);
  evaluate(p, &far, PRC_EVALUATE_GAP | PRC_EVALUATE_H, set);
  for (int c = 0; c < set->n; c++)
    for (int k = set->dim * set->H.start[c]; k < set->dim * set->H.start[c + 1]; k++)
      if (!(fabs(set->H.x[k] - kept[k]) <= PRC_PROBE_ROUNDED * prc_probe_largest((int)numbers, kept)))
        return contact_fails(p, set, c, "an entry of H, at another q,", set->H.x[k],
                             "what it was, or PRC_CONTACTS_H in contacts.varies");
  return PRC_OK;
}

prc_status prc_probe_contacts(const prc_probe *p) {
  prc_contact_set set = {0};
  double *room = NULL;
  prc_status status = PRC_OK;
  if (!p->s->contacts.find) return PRC_OK;
  prc_try(prc_system_find_contacts(p->s, &p->at, p->h, p->length, &set, NULL, p->err));
  prc_try(prc_new(&room, 4 * (size_t)set.n + (size_t)set.dim * (size_t)set.H.start[set.n], p->err));
  evaluate(p, &p->at, PRC_EVALUATE_GAP | PRC_EVALUATE_H, &set);
  for (int c = 0; c < set.n; c++) prc_try(check_block(p, &set, c));
  prc_try(check_rates(p, &set, room));
  prc_try(check_constant(p, &set, room));
done:
  prc_delete(&room);
  prc_contact_set_free(&set);
  return status;
}

/* ---- joints --------------------------------------------------------------------------------------------------- */

static double joint_entry(const prc_joints *joints, const double *G, int r, int j) {
  for (int k = joints->start[r]; k < joints->start[r + 1]; k++)
    if (joints->dof[k] == j) return G[k];
  return 0.0;
}

static int has_velocities_alone(const prc_joints *joints, int r) {
  return joints->of_velocities && joints->of_velocities[r];
}

/* G is dg/dq. room: 4 n numbers */
static prc_status check_joint_rows(const prc_probe *p, const double *G, double *room) {
  const prc_joints *joints = &p->s->joints;
  prc_status status = PRC_OK;
  for (int j = 0; j < p->nv; j++) {
    for (int k = 0; k < 4; k++) {
      const prc_at there = prc_probe_along(p, j, prc_probe_ways[k] * p->step);
      prc_try(joints->evaluate(p->s->owner, &there, room + k * joints->n, NULL, NULL, NULL, p->err));
    }
    for (int r = 0; r < joints->n; r++) {
      const double at[4] = {room[r], room[joints->n + r], room[2 * joints->n + r], room[3 * joints->n + r]};
      const int n = joints->start[r + 1] - joints->start[r];
      double found;
      const double told = joint_entry(joints, G, r, j);
      if (has_velocities_alone(joints, r)
          || prc_probe_is_derivative(at, p->step, told, p->length, prc_probe_largest(n, G + joints->start[r]),
                                     &found))
        continue;
      return prc_fail(p->err, PRC_INPUT,
                      "joints.evaluate: G of row %d, dof %d, is %.9g, expected %.9g, the derivative of g", r,
                      j, told, found);
    }
  }
done:
  return status;
}

/* g(t + h, q (+) dx) - g(t, q) = G dx + h rate; g stands in room, G behind it. */
static prc_status check_secant(const prc_probe *p, double *g, double *G, double *rate, double *after) {
  const prc_joints *joints = &p->s->joints;
  prc_status status = PRC_OK;
  prc_at far = prc_probe_elsewhere(p);
  far.t = p->at.t + p->h;
  prc_try(joints->evaluate(p->s->owner, &far, after, NULL, NULL, NULL, p->err));
  prc_try(joints->secant(p->s->owner, &p->at, p->h, p->dx, G, rate, p->err));
  for (int r = 0; r < joints->n; r++) {
    double sum = p->h * rate[r], size = p->length + fabs(sum);
    for (int k = joints->start[r]; k < joints->start[r + 1]; k++)
      sum += G[k] * p->dx[joints->dof[k]], size += fabs(G[k] * p->dx[joints->dof[k]]);
    if (!has_velocities_alone(joints, r) && !(fabs(after[r] - g[r] - sum) <= PRC_PROBE_ROUNDED * size))
      return prc_fail(p->err, PRC_INPUT,
                      "joints.secant: G dx + h rate of row %d is %.9g, expected %.9g, what g gains", r, sum,
                      after[r] - g[r]);
  }
done:
  return status;
}

prc_status prc_probe_joints(const prc_probe *p) {
  const prc_joints *joints = &p->s->joints;
  const size_t n = (size_t)joints->n;
  double *room = NULL, *g = NULL, *G = NULL;
  prc_status status = PRC_OK;
  if (joints->n == 0) return PRC_OK;
  prc_try(prc_new(&room, 4 * n, p->err));
  prc_try(prc_new(&g, 2 * n, p->err));
  prc_try(prc_new(&G, joints->start[joints->n], p->err));
  prc_probe_fill(2 * joints->n, g);
  prc_probe_fill(joints->start[joints->n], G);
  prc_try(joints->evaluate(p->s->owner, &p->at, g, G, g + joints->n, NULL, p->err));
  prc_try(prc_probe_numbers(p, "joints.evaluate: g", joints->n, g));
  prc_try(prc_probe_numbers(p, "joints.evaluate: rate", joints->n, g + joints->n));
  prc_try(prc_probe_numbers(p, "joints.evaluate: G", joints->start[joints->n], G));
  prc_try(check_joint_rows(p, G, room));
  prc_try(check_secant(p, g, G, g + joints->n, room));
done:
  prc_delete(&room);
  prc_delete(&g);
  prc_delete(&G);
  return status;
}

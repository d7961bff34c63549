#include "config.h"
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Energies, neighbours and forces of groups of grains. */

/* `b` carries `a`, and is known by a number: a body, or < 0 what is fixed. */
typedef struct {
  int a, b;
} side;

struct prc_measure {
  side *sides;
  int *start, *degree, *queue;
  size_t room_sides, room_start, room_degree, room_queue;
};

prc_status prc_measure_create(prc_measure **out, prc_error *err) {
  return prc_new(out, 1, err);
}

void prc_measure_free(prc_measure **measure) {
  if (!*measure) return;
  prc_delete(&(*measure)->sides);
  prc_delete(&(*measure)->start);
  prc_delete(&(*measure)->degree);
  prc_delete(&(*measure)->queue);
  prc_delete(measure);
}

/* ---- neighbours ---------------------------------------------------------------------------------------- */

static int by_side(const void *x, const void *y) {
  const side *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

static int is_grain(const prc_measure_grains *grains, int body) {
  return body >= 0 && grains->body[body].group >= 0;
}

double prc_measure_least(int n_contacts, const prc_measure_contact *contact) {
  double largest = 0.0;
  for (int c = 0; c < n_contacts; c++) largest = fmax(largest, contact[c].normal);
  return 1e-9 * largest;
}

/* Each pair that carries once, from the side of each grain; several points of one pair are one. */
static int find_sides(const prc_measure *m, const prc_measure_grains *grains, int n_contacts,
                      const prc_measure_contact *contact, double least) {
  int n = 0, kept = 0;
  for (int c = 0; c < n_contacts; c++) {
    const int *body = contact[c].body;
    if (!(contact[c].normal > least)) continue;
    for (int k = 0; k < 2; k++)
      if (is_grain(grains, body[k])) m->sides[n++] = (side){body[k], body[1 - k]};
  }
  if (n > 0) qsort(m->sides, (size_t)n, sizeof *m->sides, by_side);
  for (int k = 0; k < n; k++)
    if (kept == 0 || by_side(&m->sides[k], &m->sides[kept - 1]) != 0) m->sides[kept++] = m->sides[k];
  return kept;
}

static prc_status reserve(prc_measure *m, int n_bodies, int n_contacts, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)n_bodies;
  prc_try(prc_grow(&m->sides, &m->room_sides, 2 * (size_t)n_contacts, sizeof *m->sides, err));
  prc_try(prc_grow(&m->start, &m->room_start, n + 1, sizeof *m->start, err));
  prc_try(prc_grow(&m->degree, &m->room_degree, n, sizeof *m->degree, err));
  prc_try(prc_grow(&m->queue, &m->room_queue, n, sizeof *m->queue, err));
done:
  return status;
}

/* Takes away who has fewer than two neighbours until nobody has; degree -1: a rattler, or no grain. */
static void find_rattlers(const prc_measure *m, const prc_measure_grains *grains) {
  int n = 0;
  for (int b = 0; b < grains->n; b++) {
    m->degree[b] = grains->body[b].group < 0 ? -1 : m->start[b + 1] - m->start[b];
    if (m->degree[b] >= 0 && m->degree[b] < 2) m->queue[n++] = b, m->degree[b] = -1;
  }
  while (n > 0) {
    const int b = m->queue[--n];
    for (int k = m->start[b]; k < m->start[b + 1]; k++) {
      const int other = m->sides[k].b;
      if (!is_grain(grains, other) || m->degree[other] < 0 || --m->degree[other] >= 2) continue;
      m->queue[n++] = other, m->degree[other] = -1;
    }
  }
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

/* Of body b, to its group and to all. */
static void add_body(const prc_measure *m, const prc_measure_grains *grains, int b, prc_measure_group *out) {
  const double *v = grains->v + 3 * b;
  const int group[2] = {grains->body[b].group, grains->n_groups};
  for (int k = 0; k < 2; k++) {
    prc_measure_group *to = &out[group[k]];
    to->bodies++;
    to->translation += 0.5 * grains->body[b].mass * (v[0] * v[0] + v[1] * v[1]);
    to->rotation += 0.5 * grains->body[b].inertia * v[2] * v[2];
    to->coordination += m->start[b + 1] - m->start[b];
    if (m->degree[b] < 0)
      to->rattlers++;
    else
      to->coordination_carried += m->degree[b];
  }
}

/* A point between two groups counts for both. */
static void add_contact(const prc_measure_grains *grains, const prc_measure_contact *contact,
                        prc_measure_group *out) {
  int group[3], n = 0;
  for (int k = 0; k < 2; k++)
    if (is_grain(grains, contact->body[k])) group[n++] = grains->body[contact->body[k]].group;
  if (n == 0) return;
  if (n == 2 && group[0] == group[1]) n = 1;
  group[n++] = grains->n_groups;
  for (int k = 0; k < n; k++) {
    prc_measure_group *to = &out[group[k]];
    to->contacts++;
    to->force_mean += contact->normal;
    to->force_max = fmax(to->force_max, contact->normal);
  }
}

static void divide(prc_measure_group *group) {
  const int carried = group->bodies - group->rattlers;
  if (group->bodies > 0) group->coordination /= group->bodies;
  if (carried > 0) group->coordination_carried /= carried;
  if (group->contacts > 0) group->force_mean /= group->contacts;
}

prc_status prc_measure_groups(prc_measure *m, const prc_measure_grains *grains, int n_contacts,
                              const prc_measure_contact *contact, prc_measure_group *out, int *neighbours,
                              prc_error *err) {
  const prc_status status = reserve(m, grains->n, n_contacts, err);
  if (status != PRC_OK) return status;
  const double least = prc_measure_least(n_contacts, contact);
  const int n = find_sides(m, grains, n_contacts, contact, least);
  for (int b = 0, k = 0; b <= grains->n; b++) {
    while (k < n && m->sides[k].a < b) k++;
    m->start[b] = k;
  }
  for (int b = 0; b < grains->n && neighbours; b++) neighbours[b] = m->start[b + 1] - m->start[b];
  find_rattlers(m, grains);
  memset(out, 0, ((size_t)grains->n_groups + 1) * sizeof *out);
  for (int b = 0; b < grains->n; b++)
    if (grains->body[b].group >= 0) add_body(m, grains, b, out);
  for (int c = 0; c < n_contacts; c++)
    if (contact[c].normal > least) add_contact(grains, &contact[c], out);
  for (int g = 0; g <= grains->n_groups; g++) divide(&out[g]);
  return PRC_OK;
}

/* ---- how forces are distributed -------------------------------------------------------------------------- */

double prc_measure_histogram(int n_contacts, const prc_measure_contact *contact, int n, double width,
                             int *count) {
  const double least = prc_measure_least(n_contacts, contact);
  double mean = 0.0;
  int carrying = 0;
  memset(count, 0, (size_t)n * sizeof *count);
  for (int c = 0; c < n_contacts; c++)
    if (contact[c].normal > least) mean += contact[c].normal, carrying++;
  if (carrying == 0) return 0.0;
  mean /= carrying;
  for (int c = 0; c < n_contacts; c++) {
    const double bin = floor(contact[c].normal / (mean * width));
    if (contact[c].normal > least) count[bin < n - 1 ? (int)bin : n - 1]++;
  }
  return mean;
}

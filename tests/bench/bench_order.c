/* Entries of the factor of M hat, its contacts last, in the order of prc_order and in those of CHOLMOD's own calls of METIS and AMD,
 * and the processor time that each order takes.
 *
 *   bench_order CASE.yaml [KEY=VALUE]... */
#include "config.h"
#include "case/case.h"
#include "linear/internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
  const prc_system *system;
  prc_contact_set contacts;
  prc_sym *Mhat, *A, *interior; /* of all dofs; interior, then contacts; the interior alone */
  int *part, *list, *order;     /* list: the dofs of A, then the prescribed ones */
  int n_interior, n_free;
} bench;

static prc_status prepare(bench *b, const prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = b->system;
  const double ht = c->time.step * c->time.theta;
  const int n = s->space.nv;
  prc_try(prc_sym_add(1.0, s->dynamics.M, ht * ht, s->dynamics.K, &b->Mhat, err));
  prc_try(prc_new(&b->part, n, err));
  prc_try(prc_new(&b->list, n, err));
  prc_try(prc_new(&b->order, n, err));
  prc_try(prc_system_find_contacts(s, &(prc_at){0}, c->time.step, 0.0, &b->contacts, NULL, err));
  for (int i = 0; i < b->contacts.H.start[b->contacts.n]; i++) b->part[b->contacts.H.dof[i]] = 1;
  for (int i = 0; i < s->drive.n; i++) b->part[s->drive.dof[i]] = 2;
  for (int i = 0; i < n; i++) b->n_interior += b->part[i] == 0, b->n_free += b->part[i] < 2;
  prc_order_parts(n, b->part, b->list);
  prc_try(prc_sym_permute(b->Mhat, b->list, b->n_free, &b->A, err));
  for (int i = 0; i < n; i++) b->order[i] = i;
  prc_try(prc_sym_permute(b->A, b->order, b->n_interior, &b->interior, err));
done:
  return status;
}

static prc_status print(const bench *b, const prc_sym *A, const char *name, double seconds, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *P = NULL;
  double entries = 0.0;
  prc_try(prc_sym_permute(A, b->order, b->n_free, &P, err));
  prc_try(prc_factor_count(P, &entries, err));
  printf("  %-28s %12.0f entries, %8.3f s\n", name, entries, seconds);
done:
  prc_sym_free(&P);
  return status;
}

/* Processor time, of processes that were waited for too. */
static double seconds_used(void) {
  double seconds = 0.0;
  for (int k = 0; k < 2; k++) {
    struct rusage usage;
    getrusage(k ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage);
    seconds += (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
    seconds += (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
  }
  return seconds;
}

/* The interior by CHOLMOD, the contacts appended. */
static prc_status by_cholmod(const bench *b, int metis, prc_error *err) {
  cholmod_common common;
  prc_cholmod_begin(&common);
  cholmod_sparse view = prc_cholmod_view(b->interior);
  const double began = seconds_used();
  const int done = metis ? cholmod_metis(&view, NULL, 0, 1, b->order, &common)
                         : cholmod_amd(&view, NULL, 0, b->order, &common);
  const double seconds = seconds_used() - began;
  prc_status status = done ? PRC_OK : prc_cholmod_failed(&common, "while ordering", err);
  for (int i = b->n_interior; i < b->n_free; i++) b->order[i] = i;
  cholmod_finish(&common);
  return status == PRC_OK ? print(b, b->A, metis ? "CHOLMOD's METIS" : "CHOLMOD's AMD", seconds, err)
                          : status;
}

static double megabytes(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return 1e-3 * (double)usage.ru_maxrss;
}

static prc_status measure(bench *b, const prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  const char *method = NULL;
  char name[64];
  prc_try(prepare(b, c, err));
  printf("%s: %d unknowns, %d contacts\n", c->name, b->system->space.nv, b->contacts.n);
  const double before = megabytes(RUSAGE_SELF), began = seconds_used();
  prc_try(prc_order(b->Mhat, b->part, b->order, &method, err));
  const double seconds = seconds_used() - began;
  printf("  peak %.0f MB before, %.0f MB after; %.0f MB of a child\n", before, megabytes(RUSAGE_SELF),
         megabytes(RUSAGE_CHILDREN));
  snprintf(name, sizeof name, "percuss (%s)", method);
  prc_try(print(b, b->Mhat, name, seconds, err));
  prc_try(by_cholmod(b, 1, err));
  prc_try(by_cholmod(b, 0, err));
done:
  return status;
}

int main(int argc, char **argv) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  if (argc < 2) return fprintf(stderr, "usage: bench_order CASE.yaml [KEY=VALUE]...\n"), 2;
  prc_status status = prc_case_read(argv[1], argc - 2, (const char *const *)argv + 2, &c, &err);
  if (status == PRC_OK) status = prc_case_build(c, NULL, &model, &err);
  if (status == PRC_OK) {
    bench b = {.system = model->system};
    status = measure(&b, c, &err);
    prc_sym_free(&b.Mhat), prc_sym_free(&b.A), prc_sym_free(&b.interior);
    prc_contact_set_free(&b.contacts);
    prc_delete(&b.part);
    prc_delete(&b.list);
    prc_delete(&b.order);
  }
  if (status != PRC_OK) fprintf(stderr, "bench_order: %s\n", err.message);
  prc_model_free(&model);
  prc_case_free(&c);
  return status != PRC_OK;
}

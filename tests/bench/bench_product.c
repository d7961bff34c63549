/* The product with K in the system's order, by panels that stand in that order and by panels in the order of elimination, with vectors
 * taken there and back; and by columns. The least of many rounds, in turns.
 *
 *   bench_product CASE.yaml [KEY=VALUE]...
 *   bench_product CASE.yaml ROW COUNT: so many products of one kind (0, 1, 2) and nothing else, for counters of instructions */
#include "config.h"
#include "case/case.h"
#include "linear/operator.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 3, ROUNDS = 25 };
static const char *const kinds[KINDS] = {"panels, system's order", "panels, order of elimination", "columns"};

typedef struct {
  const prc_system *system;
  prc_sym *A;
  char *part;
  prc_product *product[2];
  double *x, *y;
} bench;

static prc_status prepare(bench *b, const prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = b->system;
  const double ht = c->time.step * c->time.theta;
  prc_operator *op = NULL;
  prc_try(prc_sym_add(1.0, s->M, ht * ht, s->K, &b->A, err));
  prc_try(prc_new(&b->part, s->n_dof, err));
  prc_try(prc_new(&b->x, s->n_dof, err));
  prc_try(prc_new(&b->y, s->n_dof, err));
  for (int i = 0; s->n_contacts > 0 && i < s->H_start[s->n_contacts]; i++) b->part[s->H_dof[i]] = 1;
  for (int i = 0; i < s->n_prescribed; i++) b->part[s->prescribed[i]] = 2;
  for (int i = 0; i < s->n_dof; i++) b->x[i] = sin(i);
  const prc_operator_plan plan = {.part = b->part, .tolerance = 1e-13, .has_mass = 1, .threads = 1};
  prc_try(prc_operator_create("direct", b->A, &plan, &op, err));
  prc_try(prc_product_create(s->K, NULL, &b->product[0], err));
  prc_try(prc_product_create(s->K, op, &b->product[1], err));
done:
  prc_operator_free(&op);
  return status;
}

static void multiply(bench *b, int kind) {
  if (kind < 2)
    prc_product_multiply(b->product[kind], b->x, b->y);
  else
    prc_sym_multiply(b->system->K, b->x, b->y);
}

static void measure(bench *b) {
  double least[KINDS] = {INFINITY, INFINITY, INFINITY};
  const int count = b->system->n_dof < 20000 ? 1000 : 4000000 / b->system->n_dof;
  for (int round = 0; round < ROUNDS; round++)
    for (int kind = 0; kind < KINDS; kind++) {
      const double began = prc_clock();
      for (int k = 0; k < count; k++) multiply(b, kind);
      least[kind] = fmin(least[kind], (prc_clock() - began) / count);
    }
  printf("%d unknowns, K of %d entries\n", b->system->n_dof, prc_sym_nnz(b->system->K));
  for (int kind = 0; kind < KINDS; kind++)
    printf("  %-30s %9.2f us, %5.2f MB\n", kinds[kind], 1e6 * least[kind],
           1e-6
               * (kind < 2 ? (double)prc_product_bytes(b->product[kind]) : 12.0 * prc_sym_nnz(b->system->K)));
}

int main(int argc, char **argv) {
  prc_error err = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  if (argc < 2) return fprintf(stderr, "usage: bench_product CASE.yaml [KEY=VALUE]... | ROW COUNT\n"), 2;
  const int counts = argc == 4 && isdigit((unsigned char)argv[2][0]);
  prc_status status = prc_case_read(argv[1], counts ? 0 : argc - 2, (const char *const *)argv + 2, &c, &err);
  if (status == PRC_OK) status = prc_case_build(c, NULL, &model, &err);
  if (status == PRC_OK) {
    bench b = {.system = model->system};
    status = prepare(&b, c, &err);
    if (status == PRC_OK && counts)
      for (int k = 0; k < atoi(argv[3]); k++) multiply(&b, atoi(argv[2]));
    else if (status == PRC_OK)
      measure(&b);
    prc_sym_free(&b.A);
    prc_delete(&b.part);
    prc_delete(&b.x);
    prc_delete(&b.y);
    for (int k = 0; k < 2; k++) prc_product_free(&b.product[k]);
  }
  if (status != PRC_OK) fprintf(stderr, "bench_product: %s\n", err.message);
  prc_model_free(&model);
  prc_case_free(&c);
  return status != PRC_OK;
}

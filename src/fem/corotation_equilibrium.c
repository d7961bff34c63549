#include "config.h"
#include "fem/corotation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* f(q) = share x F on free dofs, q = share x what is prescribed on the others: Newton's method, with the share going to one in steps that are halved where
 * it does not converge. */

#define PASSES   30
#define LEAST    (1.0 / 1024.0) /* a step */
#define ACCURACY 1e-13          /* of the size of the body: what the last pass may move a node */

typedef struct {
  const prc_fem *fem;
  const char *part;  /* nonzero: q is prescribed */
  const double *aim; /* F, or the prescribed q */
  double *f, *d, *start;
  prc_sym *A;
  prc_operator *op;
} work;

/* Of the tangent as it is where it is definite, else of what the cells leave of it to be (corotation_tangent.c): which of both is a matter of the weight of M beside
 * it. */
static prc_status factorise(work *w, const double *q, int exactly, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_operator_plan plan = {.part = w->part, .may_change = 1};
  const double weight = ldexp(1.0, exactly ? -60 : 60);
  memset(w->A->x, 0, (size_t)prc_sym_nnz(w->A) * sizeof *w->A->x);
  prc_try(prc_fem_turning_tangent(w->fem->system.owner, &(prc_at){.q = q}, weight, 0.0, w->A, err));
  for (int k = 0; k < prc_sym_nnz(w->A); k++) w->A->x[k] /= weight;
  if (w->op)
    prc_try(prc_operator_set(w->op, w->A, err));
  else
    prc_try(prc_operator_create("direct", w->A, &plan, &w->op, err));
  if (!(prc_operator_get_facts(w->op).weakest_pivot > w->A->n * DBL_EPSILON))
    prc_try(prc_fail(err, PRC_SINGULAR, "the tangent of the stiffness is singular to rounding"));
done:
  return status;
}

static prc_status factorise_one(work *w, const double *q, prc_error *err) {
  prc_error ignored = {0};
  const prc_status status = factorise(w, q, 1, &ignored);
  if (status == PRC_OK) return status;
  return factorise(w, q, 0, err);
}

/* One of Newton's passes; *change: the largest displacement of a dof. */
static prc_status pass(work *w, double share, double *q, double *change, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rows none = {.dim = 1};
  const prc_system *s = &w->fem->system;
  prc_try(s->dynamics.internal(s->owner, &(prc_at){.q = q}, w->f, NULL, err));
  prc_try(factorise_one(w, q, err));
  for (int i = 0; i < w->A->n; i++) w->d[i] = share * w->aim[i] - (w->part[i] ? q[i] : w->f[i]);
  prc_try(prc_operator_begin(w->op, NULL, w->d, err));
  prc_operator_finish(w->op, &none, 0, NULL, 1.0, NULL, w->d);
  *change = 0.0;
  for (int i = 0; i < w->A->n; i++) q[i] += w->d[i], *change = fmax(*change, fabs(w->d[i]));
done:
  return status;
}

/* *found: the passes have converged. */
static prc_status converge(work *w, double share, double *q, int *found, prc_error *err) {
  prc_status status = PRC_OK;
  const double size = prc_fem_diagonal(w->fem->model->mesh);
  double change = INFINITY;
  *found = 0;
  for (int k = 0; k < PASSES && !*found; k++) {
    const double before = change;
    prc_try(pass(w, share, q, &change, err));
    *found = change <= ACCURACY * size || (change <= 1e4 * ACCURACY * size && change >= 0.5 * before);
  }
done:
  return status;
}

static prc_status load(work *w, double *q, prc_error *err) {
  const size_t bytes = (size_t)w->A->n * sizeof *q;
  double share = 0.0, step = 1.0;
  while (share < 1.0) {
    int found;
    memcpy(w->start, q, bytes);
    const prc_status status = converge(w, share + step, q, &found, err);
    if (status != PRC_OK && status != PRC_DIVERGED && status != PRC_SINGULAR) return status;
    if (status == PRC_OK && found) {
      share += step;
      continue;
    }
    memcpy(q, w->start, bytes);
    step *= 0.5;
    if (step < LEAST && status == PRC_SINGULAR) return status;
    if (step < LEAST)
      return prc_fail(
          err, PRC_DIVERGED,
          "static equilibrium: none was found beyond %.4g of the loads and displacements, expected "
          "less of them: the body may buckle there",
          share);
    prc_error_clear(err);
  }
  return PRC_OK;
}

prc_status prc_fem_turning_equilibrium(const prc_fem *fem, const char *part, double *q, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = fem->K->n;
  double *aim = NULL;
  work w = {.fem = fem, .part = part};
  prc_try(prc_new(&aim, n, err));
  prc_try(prc_new(&w.f, n, err));
  prc_try(prc_new(&w.d, n, err));
  prc_try(prc_new(&w.start, n, err));
  prc_try(prc_sym_add(0.0, fem->K, 0.0, NULL, &w.A, err));
  memcpy(aim, q, (size_t)n * sizeof *q);
  memset(q, 0, (size_t)n * sizeof *q);
  w.aim = aim;
  prc_try(load(&w, q, err));
done:
  if (status == PRC_SINGULAR)
    prc_error_context(err,
                      "static equilibrium: the body is not held firmly enough by its supports and contacts");
  prc_delete(&aim);
  prc_delete(&w.f);
  prc_delete(&w.d);
  prc_delete(&w.start);
  prc_sym_free(&w.A);
  prc_operator_free(&w.op);
  return status;
}

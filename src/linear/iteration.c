#include "config.h"
#include "linear/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A x = b by conjugate gradients with the diagonal as preconditioner. A mass matrix has a condition number of four or so with
 * its diagonal divided out, and a time step that is short against the waves adds little to it: some ten or twenty products
 * with A are enough, whatever the size of the mesh, and there is no factor to keep.
 *
 * What the tail needs is local then: A^-1 falls off exponentially from where it acts. So S^-1, the tail of the inverse, and
 * the effect of a kick at the tail come from the factor of a near field, the unknowns within so many layers of the tail that
 * the solution outside is below rounding. That is tried, not assumed: the field grows until it holds. */
#define FIRST_LAYERS  24
#define NEGLIGIBLE    (0.01 * DBL_EPSILON) /* in the outermost layer, against the largest */
#define MOST_PRODUCTS 2000

struct prc_iteration {
  int n, n_tail;
  double tolerance;
  prc_panels *A;
  double *inverse; /* n: of the diagonal */
  double *r, *p, *q;
  int n_near, *near; /* its unknowns, ascending: the tail is last here too */
  prc_factor *field; /* of the near field */
  double *x_near;    /* n_near */
};

void prc_iteration_free(prc_iteration **out) {
  prc_iteration *it = *out;
  if (!it) return;
  double **vectors[] = {&it->inverse, &it->r, &it->p, &it->q, &it->x_near};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_panels_free(&it->A);
  prc_delete(&it->near);
  prc_factor_free(&it->field);
  prc_delete(out);
}

/* ---- the near field ---------------------------------------------------------------------------------------------- */

/* layer[i] := the distance of i from the tail in the graph of A, up to `layers`; -1 beyond. Returns how many are within. */
static int find_layers(const prc_sym *A, int n_tail, int layers, int *layer) {
  int count = n_tail;
  for (int i = 0; i < A->n; i++) layer[i] = i < A->n - n_tail ? -1 : 0;
  for (int k = 0; k < layers; k++)
    for (int j = 0; j < A->n; j++)
      for (int at = A->p[j]; at < A->p[j + 1]; at++) {
        const int i = A->i[at];
        if (layer[j] == k && layer[i] < 0) layer[i] = k + 1, count++;
        if (layer[i] == k && layer[j] < 0) layer[j] = k + 1, count++;
      }
  return count;
}

/* Is the solution for kicks all over the tail, up and down, negligible in the outermost layer? */
static int falls_off(prc_iteration *it, const int *layer, int layers) {
  prc_random random = {.state = 1};
  double *x = it->x_near, outside = 0.0, largest = 0.0;
  for (int k = 0; k < it->n_near; k++)
    x[k] = k < it->n_near - it->n_tail ? 0.0 : prc_random_uniform(&random, -1.0, 1.0);
  prc_factor_solve(it->field, x);
  for (int k = 0; k < it->n_near; k++) {
    largest = fmax(largest, fabs(x[k]));
    if (layer[it->near[k]] == layers) outside = fmax(outside, fabs(x[k]));
  }
  return outside <= NEGLIGIBLE * largest;
}

static prc_status make_field(prc_iteration *it, const prc_sym *A, const int *layer, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *part = NULL;
  prc_delete(&it->near);
  prc_delete(&it->x_near);
  prc_factor_free(&it->field);
  prc_try(prc_new(&it->near, it->n_near, err));
  prc_try(prc_new(&it->x_near, it->n_near, err));
  for (int i = 0, k = 0; i < A->n; i++)
    if (layer[i] >= 0) it->near[k++] = i;
  prc_try(prc_sym_permute(A, it->near, it->n_near, &part, err));
  status = prc_factor_create(part, it->n_tail, &it->field, err);
done:
  prc_sym_free(&part);
  return status;
}

/* *found: the field was large enough before it was too large; all unknowns are large enough. */
static prc_status find_field(prc_iteration *it, const prc_sym *A, double share, int *found, prc_error *err) {
  prc_status status = PRC_OK;
  int *layer = NULL;
  prc_try(prc_new(&layer, A->n, err));
  *found = 0;
  for (int layers = FIRST_LAYERS; !*found; layers += layers / 2) {
    it->n_near = find_layers(A, it->n_tail, layers, layer);
    if (it->n_near > share * A->n) break;
    prc_try(make_field(it, A, layer, err));
    *found = it->n_near == A->n || falls_off(it, layer, layers);
  }
done:
  prc_delete(&layer);
  return status;
}

prc_status prc_iteration_create(const prc_sym *A, int n_tail, double tolerance, double share,
                                prc_iteration **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_iteration *it = NULL;
  int found = 0;
  *out = NULL;
  prc_try(prc_check_tail(A, n_tail, err));
  prc_try(prc_new(&it, 1, err));
  it->n = A->n, it->n_tail = n_tail, it->tolerance = tolerance;
  prc_try(find_field(it, A, share, &found, err));
  if (!found) goto done;
  prc_try(prc_panels_create(A, &it->A, err));
  double **vectors[] = {&it->inverse, &it->r, &it->p, &it->q};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_try(prc_new(vectors[i], A->n, err));
  for (int j = 0; j < A->n; j++) {
    const double diagonal = A->x[A->p[j]];
    if (!(diagonal > 0.0))
      prc_try(prc_fail(err, PRC_SINGULAR, "the matrix is not positive definite (unknown %d of %d)", j, A->n));
    it->inverse[j] = 1.0 / diagonal;
  }
  *out = it, it = NULL;
done:
  prc_iteration_free(&it);
  return status;
}

/* ---- conjugate gradients -------------------------------------------------------------------------------------------- */

int prc_iteration_solve(prc_iteration *it, const double *guess, double *restrict x) {
  const int n = it->n;
  const double *restrict inverse = it->inverse;
  double *restrict r = it->r, *restrict p = it->p, *restrict q = it->q, size = 0.0, now = 0.0;
  prc_panels_multiply(it->A, guess, q);
  for (int i = 0; i < n; i++) {
    size += x[i] * x[i] * inverse[i];
    r[i] = x[i] - q[i];
    now += r[i] * r[i] * inverse[i];
    p[i] = inverse[i] * r[i];
    x[i] = guess[i];
  }
  const double enough = it->tolerance * it->tolerance * size;
  int count = 0;
  for (; now > enough; count++) {
    double curvature = 0.0, next = 0.0;
    prc_panels_multiply(it->A, p, q);
    for (int i = 0; i < n; i++) curvature += p[i] * q[i];
    if (count == MOST_PRODUCTS || !(curvature > 0.0)) return -1;
    const double way = now / curvature;
    for (int i = 0; i < n; i++) {
      x[i] += way * p[i];
      r[i] -= way * q[i];
      next += r[i] * r[i] * inverse[i];
    }
    const double turn = next / now;
    for (int i = 0; i < n; i++) p[i] = inverse[i] * r[i] + turn * p[i];
    now = next;
  }
  return now <= enough ? count : -1;
}

prc_status prc_iteration_trial(prc_iteration *it, int *products, prc_error *err) {
  prc_status status = PRC_OK;
  prc_random random = {.state = 2};
  double *x = NULL, *zero = NULL;
  prc_try(prc_new(&x, it->n, err));
  prc_try(prc_new(&zero, it->n, err));
  for (int i = 0; i < it->n; i++) x[i] = prc_random_uniform(&random, -1.0, 1.0);
  *products = prc_iteration_solve(it, zero, x);
done:
  prc_delete(&x);
  prc_delete(&zero);
  return status;
}

const prc_tail *prc_iteration_tail(const prc_iteration *it) {
  return prc_factor_tail(it->field);
}

void prc_iteration_spread(prc_iteration *it, const double *kick, double *x) {
  const int lead = it->n_near - it->n_tail;
  memset(it->x_near, 0, (size_t)lead * sizeof *it->x_near);
  memcpy(it->x_near + lead, kick, (size_t)it->n_tail * sizeof *kick);
  prc_factor_backward(it->field, it->x_near);
  for (int k = 0; k < it->n_near; k++) x[it->near[k]] += it->x_near[k];
}

size_t prc_iteration_bytes(const prc_iteration *it) {
  return prc_panels_bytes(it->A) + prc_factor_bytes(it->field)
         + ((size_t)it->n * 4 + (size_t)it->n_near) * sizeof(double) + (size_t)it->n_near * sizeof(int);
}

/* An iteration reads A once and reads or writes a vector ten times; the near field is read once. */
double prc_iteration_traffic(const prc_iteration *it, int products) {
  return products * ((double)prc_panels_bytes(it->A) + 10.0 * sizeof(double) * it->n)
         + (double)prc_factor_bytes(it->field);
}

#include "config.h"
#include "linear/row.h"

#include <string.h>

/* y = K x by panels, or by columns for who shares nothing with panels. */
struct prc_product {
  int n;
  prc_panels *panels;
  prc_sym *plain;
  int *perm;     /* place k of the panels is unknown perm[k]; NULL: they stand in the system's order */
  double *x, *y; /* n: in the order of panels */
};

void prc_product_free(prc_product **out) {
  prc_product *P = *out;
  if (!P) return;
  prc_panels_free(&P->panels);
  prc_sym_free(&P->plain);
  prc_delete(&P->perm);
  prc_delete(&P->x);
  prc_delete(&P->y);
  prc_delete(out);
}

static prc_status copy(const prc_sym *K, prc_sym **out, prc_error *err) {
  return prc_sym_add(1.0, K, 0.0, NULL, out, err);
}

static prc_status pack_permuted(prc_product *P, const prc_sym *K, const int *perm, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *permuted = NULL;
  prc_try(prc_new(&P->perm, K->n, err));
  memcpy(P->perm, perm, (size_t)K->n * sizeof *perm);
  prc_try(prc_new(&P->x, K->n, err));
  prc_try(prc_new(&P->y, K->n, err));
  prc_try(prc_sym_permute(K, perm, K->n, &permuted, err));
  status = prc_panels_create(permuted, &P->panels, err);
done:
  prc_sym_free(&permuted);
  return status;
}

prc_status prc_product_create(const prc_sym *K, const prc_operator *op, prc_product **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_product *P = NULL;
  const int *order = op ? prc_operator_order(op) : NULL;
  prc_try(prc_sym_check(K, "the matrix", err));
  prc_try(prc_new(&P, 1, err));
  P->n = K->n;
  if (op && !order)
    status = copy(K, &P->plain, err);
  else if (order)
    status = pack_permuted(P, K, order, err);
  else
    status = prc_panels_create(K, &P->panels, err);
  if (status == PRC_OK) *out = P, P = NULL;
done:
  prc_product_free(&P);
  return status;
}

void prc_product_multiply(prc_product *P, const double *restrict x, double *restrict y) {
  if (P->plain) {
    prc_sym_multiply(P->plain, x, y);
    return;
  }
  if (!P->perm) {
    prc_panels_multiply(P->panels, x, y);
    return;
  }
  for (int k = 0; k < P->n; k++) P->x[k] = x[P->perm[k]];
  prc_panels_multiply(P->panels, P->x, P->y);
  for (int k = 0; k < P->n; k++) y[P->perm[k]] = P->y[k];
}

size_t prc_product_bytes(const prc_product *P) {
  size_t bytes = P->panels ? prc_panels_bytes(P->panels) : 0;
  if (P->plain) bytes += (size_t)prc_sym_nnz(P->plain) * (sizeof(int) + sizeof(double));
  if (P->perm) bytes += (size_t)P->n * (sizeof(int) + 2 * sizeof(double));
  return bytes;
}

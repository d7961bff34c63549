#include "config.h"
#include "linear/row.h"

/* y = K x by panels, or by columns for who shares nothing with panels. Panels stand in the system's order: those of the order of
 * elimination need two permuted passes more, and are not faster for it at any size (doc/notes/linear.md). */
struct prc_product {
  prc_panels *panels;
  prc_sym *plain;
};

void prc_product_free(prc_product **out) {
  prc_product *P = *out;
  if (!P) return;
  prc_panels_free(&P->panels);
  prc_sym_free(&P->plain);
  prc_delete(out);
}

prc_status prc_product_create(const prc_sym *K, const prc_operator *op, prc_product **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_product *P = NULL;
  prc_try(prc_sym_check(K, "the matrix", err));
  prc_try(prc_new(&P, 1, err));
  if (op && !prc_operator_uses_panels(op))
    status = prc_sym_add(1.0, K, 0.0, NULL, &P->plain, err);
  else
    status = prc_panels_create(K, &P->panels, err);
  if (status == PRC_OK) *out = P, P = NULL;
done:
  prc_product_free(&P);
  return status;
}

void prc_product_multiply(const prc_product *P, const double *x, double *y) {
  if (P->panels)
    prc_panels_multiply(P->panels, x, y);
  else
    prc_sym_multiply(P->plain, x, y);
}

size_t prc_product_bytes(const prc_product *P) {
  return P->panels ? prc_panels_bytes(P->panels)
                   : (size_t)prc_sym_nnz(P->plain) * (sizeof(int) + sizeof(double));
}

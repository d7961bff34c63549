#ifndef PRC_FEM_INTERNAL_H
#define PRC_FEM_INTERNAL_H

#include "fem/fem.h"

/* F_j(t) = amplitude(t) x a fixed nodal vector; a load that varies over its edge has one term per quadrature point. */
typedef struct {
  const prc_field *amplitude;
  double x, y;      /* where the amplitude is evaluated */
  int first, count; /* entries first .. first+count-1 of the lists below */
} prc_fem_term;

typedef struct {
  int n_terms;
  prc_fem_term *term;
  int n_entries;
  int *dof;
  double *value;
} prc_fem_terms; /* the part of F that depends on time */

struct prc_fem {
  const prc_fem_model *model;
  prc_sym *M, *K;
  int *cell_material; /* n_cells */
  double *node_area;  /* n_nodes: the areas of the cells around each node, summed */

  double *F_constant; /* n_dof: loads that do not depend on time */
  prc_fem_terms terms;

  int n_prescribed;
  int *prescribed;         /* dofs, ascending; those of unused nodes included */
  int *prescribed_support; /* the support that prescribes it; -1: an unused node, held at zero */
  int **support_rows;      /* n_supports: positions in `prescribed` */
  int *support_count;      /* n_supports */

  prc_contact_points *points;
  int *contact_first; /* n_contacts + 1 */
  int *contact_node;  /* candidates */
  double *contact_area, *mu, *e;
  int *H_start;

  prc_system system;
};

/* M and K on their common pattern, one pass over the cells. */
prc_status prc_fem_assemble(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* F_constant and terms: gravity and tractions. */
prc_status prc_fem_build_loads(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
prc_status prc_fem_force(void *body, double t, double *F, prc_error *err);

static inline void prc_fem_cell_nodes(const prc_mesh *mesh, int c, double x[3][2]) {
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < 2; k++) x[a][k] = mesh->x[2 * mesh->cell[3 * c + a] + k];
}

#endif

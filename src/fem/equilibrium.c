#include "config.h"
#include "fem/internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Static equilibrium with contacts that neither slip nor open: nodes at planes are held, and interfaces are glued, H q = 0, through rows G of joints. K knows
 * nothing of the glue, and may leave a body free that only it holds; so the matrix is K + s G'G, which is the same for G q = 0. */

#define SMALL_FORCE 1e-9 /* of the largest: rounding of forces */

/* part[i]: 0 free, 1 glued, 2 held; x: where it is held, and the load where it is free. */
static prc_status hold_and_load(const prc_fem *fem, int with_loads, char *part, double *x, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = &fem->system;
  double *d = NULL;
  if (with_loads) prc_try(s->dynamics.loads(s->owner, &(prc_at){0.0, x, x}, x, err));
  for (int i = 0; i < fem->model->n_interfaces; i++) {
    const prc_rows *H = &fem->touch[i].rows;
    for (int k = 0; k < H->start[fem->touch[i].n]; k++) part[H->dof[k]] = 1;
  }
  for (int k = 0; k < 2 * fem->points->n; k++) part[fem->points->dof[k]] = 2, x[fem->points->dof[k]] = 0.0;
  prc_try(prc_new(&d, s->drive.n, err));
  prc_try(s->drive.displacement(s->owner, 0.0, d, err));
  for (int i = 0; i < s->drive.n; i++) part[s->drive.dof[i]] = 2, x[s->drive.dof[i]] = d[i];
done:
  prc_delete(&d);
  return status;
}

/* ---- glue ------------------------------------------------------------------------------------------------ */

/* G: the rows of all interfaces, one by one. */
static prc_status make_glue(const prc_fem *fem, prc_rows *G, prc_error *err) {
  prc_status status = PRC_OK;
  size_t numbers = 0, rows = 0;
  for (int i = 0; i < fem->model->n_interfaces; i++) {
    rows += 2 * (size_t)fem->touch[i].n;
    numbers += 2 * (size_t)fem->touch[i].rows.start[fem->touch[i].n];
  }
  G->dim = 1;
  prc_try(prc_new(&G->start, rows + 1, err));
  prc_try(prc_new(&G->dof, numbers, err));
  prc_try(prc_new(&G->x, numbers, err));
  for (int i = 0; i < fem->model->n_interfaces; i++) {
    const prc_rows *H = &fem->touch[i].rows;
    for (int r = 0; r < 2 * fem->touch[i].n; r++) {
      const int first = H->start[r / 2], count = H->start[r / 2 + 1] - first, at = G->start[G->n];
      memcpy(G->dof + at, H->dof + first, (size_t)count * sizeof *G->dof);
      memcpy(G->x + at, H->x + 2 * first + (r % 2) * count, (size_t)count * sizeof *G->x);
      G->start[++G->n] = at + count;
    }
  }
done:
  return status;
}

static void free_rows(prc_rows *G) {
  prc_delete(&G->start);
  prc_delete(&G->dof);
  prc_delete(&G->x);
}

/* Which of the nodes that rows touch lie in columns of one of them, as a matrix of the pattern of G'G: by columns, from lists of rows by dofs. */
typedef struct {
  int n, *start, *row; /* by dofs */
  int *mark;           /* n: 1 + the column that has it */
} incidence;

static prc_status list_rows(const prc_rows *G, int n, incidence *by, prc_error *err) {
  prc_status status = PRC_OK;
  by->n = n;
  prc_try(prc_new(&by->start, (size_t)n + 2, err));
  prc_try(prc_new(&by->row, G->start[G->n], err));
  prc_try(prc_new(&by->mark, n, err));
  for (int k = 0; k < G->start[G->n]; k++) by->start[G->dof[k] + 2]++;
  for (int j = 0; j < n; j++) by->start[j + 2] += by->start[j + 1];
  for (int r = 0; r < G->n; r++)
    for (int k = G->start[r]; k < G->start[r + 1]; k++) by->row[by->start[G->dof[k] + 1]++] = r;
done:
  return status;
}

static int by_number(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

/* Rows of column j, the diagonal first: their number; into list where there is one. */
static int column_of(const prc_rows *G, incidence *by, int j, int *list) {
  int n = 1;
  if (list) list[0] = j;
  by->mark[j] = j + 1;
  for (int a = by->start[j]; a < by->start[j + 1]; a++)
    for (int k = G->start[by->row[a]]; k < G->start[by->row[a] + 1]; k++) {
      const int i = G->dof[k];
      if (i <= j || by->mark[i] == j + 1) continue;
      by->mark[i] = j + 1;
      if (list) list[n] = i;
      n++;
    }
  return n;
}

static void add_entry(prc_sym *A, int j, int i, double value) {
  int low = A->p[j], high = A->p[j + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (A->i[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  A->x[low] += value;
}

/* G'G */
static prc_status square(const prc_rows *G, int n, prc_sym **out, prc_error *err) {
  prc_status status = PRC_OK;
  incidence by = {0};
  prc_sym *A = NULL;
  int entries = 0;
  prc_try(list_rows(G, n, &by, err));
  for (int j = 0; j < n; j++) entries += column_of(G, &by, j, NULL);
  prc_try(prc_sym_create(n, entries, &A, err));
  memset(by.mark, 0, (size_t)n * sizeof *by.mark);
  for (int j = 0; j < n; j++) {
    const int count = column_of(G, &by, j, A->i + A->p[j]);
    A->p[j + 1] = A->p[j] + count;
    qsort(A->i + A->p[j], (size_t)count, sizeof *A->i, by_number);
  }
  memset(A->x, 0, (size_t)entries * sizeof *A->x);
  for (int r = 0; r < G->n; r++)
    for (int k = G->start[r]; k < G->start[r + 1]; k++)
      for (int l = G->start[r]; l < G->start[r + 1]; l++)
        if (G->dof[l] >= G->dof[k]) add_entry(A, G->dof[k], G->dof[l], G->x[k] * G->x[l]);
  *out = A, A = NULL;
done:
  prc_sym_free(&A);
  prc_delete(&by.start);
  prc_delete(&by.row);
  prc_delete(&by.mark);
  return status;
}

/* K + s G'G, s of the size of K. */
static prc_status stiffen(const prc_sym *K, const prc_rows *G, prc_sym **out, prc_error *err) {
  prc_sym *square_of = NULL;
  double s = 0.0;
  prc_status status = square(G, K->n, &square_of, err);
  for (int j = 0; j < K->n; j++) s = fmax(s, K->x[K->p[j]]);
  if (status == PRC_OK) status = prc_sym_add(1.0, K, s, square_of, out, err);
  prc_sym_free(&square_of);
  return status;
}

/* ---- what is held --------------------------------------------------------------------------------------- */

/* Friction of a contact that begins. */
static double friction_of(const prc_law *law) {
  double state[PRC_LAW_STATE] = {0.0};
  if (law->friction->start) law->friction->start(law->parameter, state);
  return prc_law_friction_at(law, state, 0.0);
}

static void judge(prc_fem_held *held, const prc_law *law, double normal, double tangential, double rounding) {
  held->n++;
  if (normal < -rounding)
    held->pulled++;
  else if (fabs(tangential) > friction_of(law) * normal + rounding)
    held->beyond++;
}

/* K q - F, or of strains that turn their forces, which contacts and supports must give. */
static prc_status forces(const prc_fem *fem, int with_loads, const double *q, double *r, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = &fem->system;
  double *F = NULL;
  prc_try(prc_new(&F, s->space.nv, err));
  if (s->dynamics.internal)
    prc_try(s->dynamics.internal(s->owner, &(prc_at){0.0, q, F}, r, NULL, err));
  else
    prc_sym_multiply(fem->K, q, r);
  if (with_loads) prc_try(s->dynamics.loads(s->owner, &(prc_at){0.0, q, q}, F, err));
  for (int i = 0; i < s->space.nv; i++) r[i] -= F[i];
done:
  prc_delete(&F);
  return status;
}

/* Nodes that supports hold too, or that are of two planes, give forces that are not known apart. */
static prc_status judge_planes(const prc_fem *fem, const double *r, double rounding, prc_fem_held *held,
                               prc_error *err) {
  char *seen = NULL;
  const prc_status status = prc_new(&seen, fem->model->mesh->n_nodes, err);
  if (status != PRC_OK) return status;
  for (int c = 0; c < fem->points->n; c++) {
    char *times = &seen[fem->contact_node[c]];
    *times = *times == 0 ? 1 : 2;
  }
  for (int g = 0; g < fem->model->n_contacts; g++)
    for (int c = fem->contact_first[g]; c < fem->contact_first[g + 1]; c++) {
      const int node = fem->contact_node[c];
      const double *f = r + 2 * node, *frame = fem->contact_frame + 4 * c;
      if (seen[node] > 1 || prc_fem_is_prescribed(fem, 2 * node) || prc_fem_is_prescribed(fem, 2 * node + 1))
        continue;
      judge(&held[g], &fem->law[c], frame[0] * f[0] + frame[1] * f[1], frame[2] * f[0] + frame[3] * f[1],
            rounding);
    }
  prc_delete(&seen);
  return PRC_OK;
}

static void judge_interfaces(const prc_fem *fem, const double *glue, double rounding, prc_fem_held *held) {
  for (int i = 0, row = 0; i < fem->model->n_interfaces; i++) {
    const int k = fem->model->n_contacts + i;
    for (int j = 0; j < fem->touch[i].n; j++, row += 2)
      judge(&held[k], &fem->law[fem->contact_first[k] + fem->touch[i].of[j]], glue[row], glue[row + 1],
            rounding);
  }
}

/* glue: two forces of each row of interfaces; NULL: there are none. */
static prc_status judge_held(const prc_fem *fem, int with_loads, const double *q, int n_glue,
                             const double *glue, prc_fem_held *held, prc_error *err) {
  prc_status status = PRC_OK;
  double *r = NULL, most = 0.0;
  prc_try(prc_new(&r, fem->system.space.nv, err));
  prc_try(forces(fem, with_loads, q, r, err));
  for (int c = 0; c < 2 * fem->points->n; c++) most = fmax(most, fabs(r[fem->points->dof[c]]));
  for (int i = 0; i < n_glue; i++) most = fmax(most, fabs(glue[i]));
  prc_try(judge_planes(fem, r, SMALL_FORCE * most, held, err));
  if (glue) judge_interfaces(fem, glue, SMALL_FORCE * most, held);
done:
  prc_delete(&r);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------- */

/* A motion that nothing holds leaves a pivot that is the rounding of n subtractions, of either sign. */
static prc_status factorise(const prc_sym *K, const char *part, const prc_rows *G, const prc_share *share,
                            prc_operator **op, prc_error *err) {
  const prc_operator_plan plan = {.part = part, .joints = G, .share = share};
  prc_status status = prc_operator_create(share ? "auto" : "direct", K, &plan, op, err);
  if (status == PRC_OK && !(prc_operator_get_facts(*op).weakest_pivot > K->n * DBL_EPSILON))
    status = prc_fail(err, PRC_SINGULAR, "the stiffness matrix is singular to rounding");
  if (status == PRC_OK && G) status = prc_operator_set_joints(*op, G, err);
  if (status == PRC_SINGULAR)
    prc_error_context(err,
                      "static equilibrium: the body is not held firmly enough by its supports and contacts");
  return status;
}

/* Interfaces that glue nothing may be why. */
static void name_empty(const prc_fem *fem, prc_error *err) {
  for (int i = 0; i < fem->model->n_interfaces; i++)
    if (fem->touch[i].rows.start[fem->touch[i].n] == 0)
      prc_error_context(err, "contact '%s': no node lies over what it may touch",
                        fem->model->interface[i].name);
}

prc_status prc_fem_equilibrium(const prc_fem *fem, int with_loads, double *q, prc_fem_held *held,
                               prc_error *err) {
  prc_status status = PRC_OK;
  const prc_sym *K = fem->K;
  const prc_rows none = {.dim = 1};
  prc_rows G = {0};
  prc_sym *A = NULL;
  char *part = NULL;
  prc_operator *op = NULL;
  double *glue = NULL;
  if (fem->model->kinematics == PRC_COROTATIONAL && fem->model->n_interfaces > 0)
    return prc_fail(err, PRC_INPUT,
                    "static equilibrium: contact '%s' would be glued, expected contacts with planes alone "
                    "where strains turn (kinematics: corotational)",
                    fem->model->interface[0].name);
  prc_try(prc_new(&part, K->n, err));
  memset(q, 0, (size_t)K->n * sizeof *q);
  prc_try(hold_and_load(fem, with_loads, part, q, err));
  if (fem->model->kinematics == PRC_COROTATIONAL) {
    prc_try(prc_fem_turning_equilibrium(fem, part, q, err));
    if (held) prc_try(judge_held(fem, with_loads, q, 0, NULL, held, err));
    goto done;
  }
  prc_try(make_glue(fem, &G, err));
  if (G.n > 0) prc_try(stiffen(K, &G, &A, err));
  prc_try(factorise(A ? A : K, part, G.n > 0 ? &G : NULL, fem->system.share, &op, err));
  if (G.n > 0) prc_operator_size_joints(op, INFINITY);
  prc_try(prc_operator_begin(op, NULL, q, err));
  prc_operator_finish(op, &none, 0, NULL, 1.0, NULL, q);
  if (!held || fem->system.share) goto done;
  prc_try(prc_new(&glue, G.n, err));
  if (G.n > 0) prc_operator_joint_forces(op, glue);
  prc_try(judge_held(fem, with_loads, q, G.n, glue, held, err));
done:
  if (status == PRC_SINGULAR) name_empty(fem, err);
  free_rows(&G);
  prc_sym_free(&A);
  prc_delete(&part);
  prc_delete(&glue);
  prc_operator_free(&op);
  return status;
}

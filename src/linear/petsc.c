#include "config.h"
#include "linear/petsc.h"

#include <math.h>
#include <string.h>

/* A x = b on the ranks of a run, by PETSc: A in rows of their owners (AIJ, blocks of `width`: PETSc then shares the indices of equal rows), conjugate gradients
 * with point-block Jacobi in the natural norm, from v_k. The mass rules A in steps up to some ten Courant limits, and some twenty products do, whatever the size
 * and however many ranks; what else PETSc has can be chosen by its options, -prc_ksp_type and so on.
 *
 * What contacts need is local: A^-1 falls off exponentially from where it acts. The near field of the touched unknowns, in groups that ranks share (near.c), gives A^-1 among them,
 * which all have (near_tail.c): each makes W of it. The kick of percussions is added from it too, and then A itself is asked:
 * what the near field lacks, conjugate gradients add.
 *
 * Without a mass, as for an equilibrium, multigrid with rigid motions takes the place of Jacobi, and nothing may be touched.
 *
 * Prescribed rows are those of a diagonal: their columns go to the right-hand side, as ever.
 *
 * Vectors of PETSc hold own items, those of percuss all that are here: kept items first, which are rank 0's and known to all; own ones; copies of others. */

/* ---- PETSc's errors ------------------------------------------------------------------------------------------------- */

prc_status prc_petsc_failed(PetscErrorCode code, const char *what, prc_error *err) {
  const char *text = NULL;
  (void)PetscErrorMessage(code, &text, NULL);
  return prc_fail(err, code == PETSC_ERR_MEM ? PRC_NOMEM : PRC_DIVERGED, "PETSc failed in %s: %s (error %d)",
                  what, text ? text : "no message", (int)code);
}

/* ---- the solver --------------------------------------------------------------------------------------------------------- */

static PetscErrorCode has_converged(KSP ksp, PetscInt n, PetscReal norm, KSPConvergedReason *reason,
                                    void *of) {
  const petsc_work *w = of;
  (void)ksp;
  *reason = norm <= w->enough                             ? KSP_CONVERGED_ATOL
            : n >= PETSC_MOST_PRODUCTS || !isfinite(norm) ? KSP_DIVERGED_ITS
                                                          : KSP_CONVERGED_ITERATING;
  return 0;
}

/* GAMG wants to know rigid motions, from places. */
static prc_status tell_rigid_motions(petsc_work *w, prc_error *err) {
  prc_status status = PRC_OK;
  PetscBool is_gamg = PETSC_FALSE;
  MatNullSpace motions = NULL;
  Vec place = NULL;
  PC pc;
  double *x;
  prc_petsc(KSPGetPC(w->ksp, &pc));
  prc_petsc(PetscObjectTypeCompare((PetscObject)pc, PCGAMG, &is_gamg));
  if (!is_gamg || w->share->width != 2 || !w->share->place) return PRC_OK;
  prc_petsc(VecDuplicate(w->x, &place));
  prc_petsc(VecGetArray(place, &x));
  memcpy(x, w->share->place + w->first, (size_t)w->n_own * sizeof *x);
  prc_petsc(VecRestoreArray(place, &x));
  prc_petsc(MatNullSpaceCreateRigidBody(place, &motions));
  prc_petsc(MatSetNearNullSpace(w->A, motions));
done:
  MatNullSpaceDestroy(&motions);
  VecDestroy(&place);
  return status;
}

static prc_status make_solver(petsc_work *w, int has_mass, prc_error *err) {
  prc_status status = PRC_OK;
  KSPNormType norm = KSP_NORM_NONE;
  PC pc;
  prc_petsc(KSPCreate(w->comm, &w->ksp));
  prc_petsc(KSPSetOptionsPrefix(w->ksp, has_mass ? "prc_" : "prc_static_"));
  prc_petsc(KSPSetOperators(w->ksp, w->A, w->A));
  prc_petsc(KSPSetType(w->ksp, KSPCG));
  prc_petsc(KSPSetNormType(w->ksp, KSP_NORM_NATURAL));
  prc_petsc(KSPGetPC(w->ksp, &pc));
  prc_petsc(PCSetType(pc, has_mass ? PCPBJACOBI : PCGAMG));
  prc_petsc(KSPSetInitialGuessNonzero(w->ksp, PETSC_TRUE));
  prc_petsc(KSPSetFromOptions(w->ksp));
  prc_petsc(KSPSetConvergenceTest(w->ksp, has_converged, w, NULL));
  prc_try(tell_rigid_motions(w, err));
  const PetscErrorCode refused = KSPSetUp(w->ksp);
  if (refused && refused != PETSC_ERR_SUP) prc_petsc(refused);
  if (!refused) prc_petsc(KSPGetNormType(w->ksp, &norm));
  if (refused || norm != KSP_NORM_NATURAL)
    return prc_fail(err, PRC_INPUT,
                    "PETSc's options -prc_ksp_... name a method without the natural norm, by which percuss "
                    "judges; expected cg, fcg, cr, pipefcg or another that has it");
done:
  return status;
}

/* The right-hand side in the natural norm, sqrt(b'Bb) with the preconditioner B. */
static prc_status set_size(petsc_work *w, prc_error *err) {
  prc_status status = PRC_OK;
  PetscScalar square = 0.0;
  PC pc;
  prc_petsc(KSPGetPC(w->ksp, &pc));
  prc_petsc(PCApply(pc, w->b, w->Bb));
  prc_petsc(VecDot(w->b, w->Bb, &square));
  w->size = sqrt(fmax(square, 0.0)), w->enough = w->tolerance * w->size;
done:
  return status;
}

/* x := A^-1 b from x on, until the residual is below w->enough. */
static prc_status solve(petsc_work *w, int *products, prc_error *err) {
  prc_status status = PRC_OK;
  KSPConvergedReason reason;
  PetscInt n = 0;
  prc_petsc(KSPSolve(w->ksp, w->b, w->x));
  prc_petsc(KSPGetConvergedReason(w->ksp, &reason));
  prc_petsc(KSPGetIterationNumber(w->ksp, &n));
  *products = (int)n;
  if (reason < 0 && w->is_static)
    return prc_fail(err, PRC_SINGULAR, "PETSc's solver does not converge (%s after %d iterations)",
                    KSPConvergedReasons[reason], (int)n);
  if (reason < 0)
    return prc_fail(
        err, PRC_DIVERGED,
        "PETSc's solver does not converge (%s after %d iterations), expected a shorter step, loads and "
        "velocities that are finite, or other options -prc_ksp_..., -prc_pc_...",
        KSPConvergedReasons[reason], (int)n);
done:
  return status;
}

/* Without a mass A is singular where something can move unstrained, and conjugate gradients find an answer all the same if the loads allow one. So they are asked for
 * an x that is known, through A x: what they do not find of it is such a motion. */
static prc_status refuse_motions(petsc_work *w, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_columns *c = &w->prescribed;
  Vec known = NULL;
  PetscReal size = 0.0, missed = 0.0;
  double *x;
  int products;
  prc_petsc(VecDuplicate(w->x, &known));
  prc_petsc(VecSetRandom(known, NULL));
  prc_petsc(VecGetArray(known, &x));
  for (int k = 0; k < c->n; k++)
    if (c->dof[k] >= w->first && c->dof[k] < w->first + w->n_own) x[c->dof[k] - w->first] = 0.0;
  prc_petsc(VecRestoreArray(known, &x));
  prc_petsc(MatMult(w->A, known, w->b));
  prc_petsc(VecSet(w->x, 0.0));
  prc_try(set_size(w, err));
  prc_try(solve(w, &products, err));
  prc_petsc(VecAXPY(w->x, -1.0, known));
  prc_petsc(VecNorm(known, NORM_INFINITY, &size));
  prc_petsc(VecNorm(w->x, NORM_INFINITY, &missed));
  if (missed > PETSC_SINGULAR * size)
    status = prc_fail(err, PRC_SINGULAR, "something can move without being strained");
done:
  VecDestroy(&known);
  return status;
}

/* ---- copies --------------------------------------------------------------------------------------------------------------- */

/* Solution at the touched unknowns, from rank 0 to all ranks, for the contacts. */
static void copy_touched(petsc_work *w, double *x) {
  const double *own;
  if (w->share->ranks->rank == 0) {
    (void)VecGetArrayRead(w->x, &own);
    for (int k = 0; k < w->n_touched; k++) x[w->touched[k]] = own[w->touched[k]];
    (void)VecRestoreArrayRead(w->x, &own);
  }
  w->share->ranks->broadcast(w->share->ranks->of, (size_t)w->n_kept * sizeof *x, x);
}

/* Own unknowns, and those that are kept on all ranks, from PETSc's x; prescribed ones are as they were given. */
static void copy_own(petsc_work *w, double *x) {
  const prc_columns *c = &w->prescribed;
  double *own;
  (void)VecGetArray(w->x, &own);
  for (int k = 0; k < c->n; k++) /* multigrid may have moved them by a rounding */
    if (c->dof[k] >= w->first && c->dof[k] < w->first + w->n_own) own[c->dof[k] - w->first] = c->given[k];
  memcpy(x + w->first, own, (size_t)w->n_own * sizeof *x);
  (void)VecRestoreArray(w->x, &own);
  w->share->ranks->broadcast(w->share->ranks->of, (size_t)w->n_kept * sizeof *x, x);
}

static void fetch_copies(petsc_work *w, double *x) {
  (void)VecPlaceArray(w->copies, x + w->first + w->n_own);
  (void)VecScatterBegin(w->to_copies, w->x, w->copies, INSERT_VALUES, SCATTER_FORWARD);
  (void)VecScatterEnd(w->to_copies, w->x, w->copies, INSERT_VALUES, SCATTER_FORWARD);
  (void)VecResetArray(w->copies);
}

static prc_status make_copies(petsc_work *w, int n, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_share *s = w->share;
  const int from = s->end, count = s->n - s->end;
  IS numbers = NULL;
  prc_petsc(ISCreateBlock(PETSC_COMM_SELF, s->width, count, s->number + from, PETSC_COPY_VALUES, &numbers));
  prc_petsc(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n - w->first - w->n_own, NULL, &w->copies));
  prc_petsc(VecScatterCreate(w->x, numbers, w->copies, NULL, &w->to_copies));
done:
  ISDestroy(&numbers);
  return status;
}

/* ---- making ------------------------------------------------------------------------------------------------------------------ */

static void petsc_free(void **out) {
  petsc_work *w = *out;
  if (!w) return;
  prc_near_free(&w->near);
  KSPDestroy(&w->ksp);
  VecScatterDestroy(&w->to_copies);
  VecDestroy(&w->copies);
  VecDestroy(&w->x);
  VecDestroy(&w->b);
  VecDestroy(&w->Bb);
  MatDestroy(&w->A);
  prc_delete(&w->prescribed.dof);
  prc_delete(&w->prescribed.start);
  prc_delete(&w->prescribed.row);
  prc_delete(&w->prescribed.value);
  prc_delete(&w->prescribed.diagonal);
  prc_delete(&w->prescribed.given);
  prc_delete(&w->inverse);
  prc_delete(&w->touched);
  prc_delete(&w);
  *out = NULL;
}

static prc_status list_touched(petsc_work *w, const prc_operator_plan *plan, int n, prc_error *err) {
  for (int i = 0; i < n; i++) w->n_touched += plan->part[i] == 1;
  const prc_status status = prc_new(&w->touched, w->n_touched, err);
  for (int i = 0, k = 0; i < n && status == PRC_OK; i++)
    if (plan->part[i] == 1) w->touched[k++] = i;
  return status;
}

/* Bytes as a number that a double holds. */
static double fingerprint(size_t bytes, const void *data) {
  return (double)(prc_hash(PRC_HASH_START, data, bytes) >> 11);
}

/* They are rank 0's, and all ranks have them at the same places. */
static prc_status check_touched(petsc_work *w, prc_error *err) {
  const prc_share *s = w->share;
  const double hash = fingerprint((size_t)w->n_touched * sizeof *w->touched, w->touched);
  const int last = w->n_touched > 0 ? w->touched[w->n_touched - 1] : -1;
  double kept = s->ranks->rank > 0 ? w->first : 0, different[] = {hash, -hash};
  prc_share_largest(s, 1, &kept);
  w->n_kept = (int)kept;
  prc_share_largest(s, 2, different);
  if (different[0] == -different[1] && (s->ranks->n == 1 || last < w->n_kept)) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "contacts touch unknowns that not all ranks have, expected those of curves");
}

static prc_status make(petsc_work *w, const prc_operator_setup *setup, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_operator_plan *plan = setup->plan;
  const prc_ranks *ranks = w->share->ranks;
  prc_try(prc_ranks_agree(ranks, list_touched(w, plan, setup->A->n, err), err));
  prc_try(prc_ranks_agree(ranks, check_touched(w, err), err));
  prc_try(prc_ranks_agree(ranks, prc_petsc_keep_prescribed(w, setup->A, plan->part, err), err));
  prc_log_message(plan->log, PRC_LOG_PHASE, "handing %d own unknowns to PETSc", w->n_own);
  prc_try(prc_petsc_make_matrix(w, setup->A, plan->part, err));
  prc_try(make_copies(w, setup->A->n, err));
  prc_try(make_solver(w, plan->has_mass, err));
  double widest = w->widest;
  prc_share_largest(w->share, 1, &widest);
  w->widest = (int)widest;
  if (w->is_static) prc_try(refuse_motions(w, err));
  if (w->n_touched > 0) prc_try(prc_near_create(w, plan->log, &w->near, err));
done:
  return status;
}

static prc_status petsc_create(prc_operator_setup *setup, void **out, prc_error *err) {
  prc_status status = PRC_OK;
  petsc_work *w = NULL;
  const prc_operator_plan *plan = setup->plan;
  if (!plan->share)
    return prc_fail(err, PRC_INPUT,
                    "the solver petsc shares a mesh between ranks, and there is none to share");
  if (plan->may_change) return prc_fail(err, PRC_INPUT, "the solver petsc needs a system that is linear");
  prc_try(prc_new(&w, 1, err));
  w->share = plan->share, w->comm = *(MPI_Comm *)plan->share->ranks->of,
  w->tolerance = plan->tolerance > 0.0 ? plan->tolerance : PETSC_STATIC;
  w->is_static = !plan->has_mass;
  w->first = w->share->width * w->share->first;
  w->n_own = w->share->width * (w->share->end - w->share->first);
  prc_try(make(w, setup, err));
  if (plan->given) prc_sym_free(plan->given), setup->A = NULL;
  *out = w, w = NULL;
done:
  if (w) {
    void *half = w;
    petsc_free(&half);
  }
  return status;
}

static prc_status petsc_set(void *of, const prc_sym *A, prc_error *err) {
  (void)of, (void)A;
  return prc_fail(err, PRC_INPUT, "the solver petsc keeps its matrix");
}

/* ---- a step -------------------------------------------------------------------------------------------------------------------- */

static prc_status petsc_begin(void *of, const double *guess, double *x, prc_error *err) {
  petsc_work *w = of;
  prc_status status = PRC_OK;
  const prc_columns *c = &w->prescribed;
  double *b, *y;
  prc_petsc(VecGetArray(w->b, &b));
  prc_petsc(VecGetArray(w->x, &y));
  memcpy(b, x + w->first, (size_t)w->n_own * sizeof *b);
  for (int i = 0; i < w->n_own; i++) y[i] = guess ? guess[w->first + i] : 0.0;
  for (int k = 0; k < c->n; k++) {
    const double value = c->given[k] = x[c->dof[k]];
    const int own = c->dof[k] - w->first;
    for (int at = c->start[k]; value != 0.0 && at < c->start[k + 1]; at++)
      b[c->row[at]] -= c->value[at] * value;
    if (own >= 0 && own < w->n_own) y[own] = value, b[own] = c->diagonal[k] * value;
  }
  prc_petsc(VecRestoreArray(w->x, &y));
  prc_petsc(VecRestoreArray(w->b, &b));
  prc_try(set_size(w, err));
  prc_try(solve(w, &w->products, err));
  w->corrected = 0, w->n_solved++;
  copy_touched(w, x);
done:
  return status;
}

/* b += what pulls at the touched unknowns, all of them rank 0's. Returns the square of its size; 0 on other ranks. */
static double pull(petsc_work *w) {
  const double *by = w->near->frame.pull;
  double *b, sum = 0.0;
  if (w->share->ranks->rank > 0) return 0.0;
  (void)VecGetArray(w->b, &b);
  for (int k = 0; k < w->n_touched; k++) {
    b[w->touched[k]] += by[k];
    sum += by[k] * by[k] * w->inverse[w->touched[k]];
  }
  (void)VecRestoreArray(w->b, &b);
  return sum;
}

/* Did all ranks find the same percussions? Numbers that are the same have n sum(h^2) = (sum h)^2, and no others; of 16 bits, so that both are exact. */
static int is_of_all(const petsc_work *w, const double sum[2]) {
  return w->share->ranks->n * sum[1] == sum[0] * sum[0];
}

/* x += the near field of the kick. The residual of before and what the near field leaves outside are together as small as is allowed, or A itself is asked, and conjugate
 * gradients add what is lacking. */
static void kick(petsc_work *w, const prc_rows *H, int n, const int *list, double scale, const double *p) {
  prc_error err = {0};
  prc_frame *f = &w->near->frame;
  (void)prc_frame_pull(f, H, n, list, scale, p);
  const double hash = fmod(fingerprint((size_t)f->n_tail * sizeof *f->pull, f->pull), 65536.0);
  double sum[] = {pull(w), prc_near_solve(w), hash, hash * hash};
  prc_share_sum(w->share, 4, sum);
  if (!is_of_all(w, sum + 2)) w->failed = 1;
  const double size = w->tolerance * (w->size + sqrt(sum[0]));
  prc_near_spread(w);
  w->enough = PETSC_AGAIN * size;
  if (PETSC_OUTSIDE * sum[1] <= (PETSC_AGAIN - 1.0) * size) return;
  if (solve(w, &w->corrected, &err) != PRC_OK) w->failed = 1;
}

static void petsc_finish(void *of, const prc_rows *H, int n, const int *list, double scale, const double *p,
                         double *x) {
  petsc_work *w = of;
  if (n > 0 && w->near) kick(w, H, n, list, scale, p);
  w->products_sum += w->products + w->corrected;
  if (w->products + w->corrected > w->most_products) w->most_products = w->products + w->corrected;
  copy_own(w, x);
  fetch_copies(w, x);
  if (w->failed)
    for (int i = 0; i < w->n_own; i++) x[w->first + i] = NAN; /* the step says so */
}

/* ---- W ------------------------------------------------------------------------------------------------------------------------- */

static int petsc_is_sparse(const void *of) {
  const petsc_work *w = of;
  return w->near && prc_tail_is_sparse(w->near->tail);
}

static void petsc_condense_dense(void *of, const prc_rows *H, int n, const int *list, double scale,
                                 double *W) {
  petsc_work *w = of;
  if (w->near) prc_frame_condense_dense(&w->near->frame, w->near->tail, H, n, list, scale, W);
}

static prc_status petsc_condense_blocks(void *of, const prc_rows *H, int n, const int *list, double scale,
                                        prc_block_matrix *W, prc_error *err) {
  petsc_work *w = of;
  const prc_status status =
      prc_frame_condense_blocks(&w->near->frame, w->near->tail, H, n, list, scale, W, err);
  return prc_ranks_agree(w->share->ranks, status, err);
}

static void petsc_facts(const void *of, prc_operator_facts *facts) {
  const petsc_work *w = of;
  MatInfo info = {0};
  (void)MatGetInfo(w->A, MAT_LOCAL, &info);
  facts->ordering = "by ranks";
  facts->n_touched = w->n_touched;
  facts->products = w->most_products, facts->products_sum = w->products_sum, facts->n_solved = w->n_solved;
  facts->bytes = (size_t)info.memory + (size_t)w->n_own * 8 * sizeof(double);
  if (w->near) facts->bytes += w->near->bytes, facts->entries = w->near->entries;
}

const prc_operator_row prc_operator_petsc = {
    .name = "petsc",
    .create = petsc_create,
    .set = petsc_set,
    .begin = petsc_begin,
    .finish = petsc_finish,
    .is_sparse = petsc_is_sparse,
    .condense_dense = petsc_condense_dense,
    .condense_blocks = petsc_condense_blocks,
    .facts = petsc_facts,
    .free = petsc_free,
};

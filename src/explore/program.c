#include "config.h"
#include "explore/internal.h"

/* Linear programmes by GLPK: extremes of c'x where A x = b, x >= 0.
 *
 * Its primal simplex method goes from vertex to vertex, so that each search begins where the last one ended: of a pile of 28 discs an extreme
 * takes about a dozen steps, and the first vertex some sixty. What it ends with is a basis, and x of that within its tolerances; x is then
 * computed anew from the basis, B x_B = b_N, by the factor of B that GLPK has, with residuals in extended precision, so that the
 * value has the accuracy of the vertex, and not of the way to it. */

#ifndef PRC_HAVE_GLPK

int prc_explore_is_built(void) {
  return 0;
}
prc_status prc_program_create(const prc_program_data *data, prc_program **out, prc_error *err) {
  (void)data, (void)out;
  return prc_fail(err, PRC_INPUT,
                  "percuss was built without GLPK, which computes intervals of forces (Debian: libglpk-dev)");
}
void prc_program_free(prc_program **program) {
  (void)program;
}
int prc_program_is_empty(const prc_program *program) {
  (void)program;
  return 1;
}
prc_status prc_program_extreme(prc_program *program, int sign, int n, const int *column, const double *c,
                               double *value, prc_error *err) {
  (void)program, (void)sign, (void)n, (void)column, (void)c, (void)value;
  return prc_program_create(NULL, NULL, err);
}
const double *prc_program_point(const prc_program *program) {
  (void)program;
  return NULL;
}
int prc_program_pivots(const prc_program *program) {
  (void)program;
  return 0;
}

#else

#include <glpk.h>
#include <math.h>
#include <setjmp.h>

struct prc_program {
  glp_prob *lp;
  prc_program_data data; /* its arrays are those below */
  int *start, *row;      /* entry k at k + 1, and rows from 1 on: as GLPK has it */
  double *value, *b;
  double *x; /* columns: of the last vertex */
  double *basic,
      *right; /* rows + 1: values of basic variables, or of rows; a residual, and what GLPK makes of it */
  long double *residual; /* rows */
  int is_empty, pivots;
  jmp_buf failed; /* where GLPK goes that cannot go on */
};

int prc_explore_is_built(void) {
  return 1;
}

/* ---- GLPK, which would end the program where memory runs out --------------------------------------------------------------- */

static void leave(void *program) {
  longjmp(((prc_program *)program)->failed, 1);
}

/* work(program); -1: it gave up. What GLPK had in hand is not used again then, and not freed either: it may be half made. */
static int attempt(prc_program *s, int (*work)(prc_program *s)) {
  if (setjmp(s->failed) != 0) return s->lp = NULL, -1;
  return work(s);
}

static prc_status guarded(prc_program *s, int (*work)(prc_program *s), int *result, prc_error *err) {
  const int terminal = glp_term_out(GLP_OFF);
  glp_error_hook(leave, s);
  *result = attempt(s, work);
  glp_error_hook(NULL, NULL);
  glp_term_out(terminal);
  if (*result >= 0) return PRC_OK;
  return prc_fail(err, PRC_NOMEM, "out of memory: GLPK cannot go on with a linear programme of %d rows",
                  s->data.rows);
}

/* ---- the programme ------------------------------------------------------------------------------------------------------------ */

static void load_column(prc_program *s, int j) {
  const int first = s->start[j], count = s->start[j + 1] - first;
  glp_set_col_bnds(s->lp, j + 1, GLP_LO, 0.0, 0.0);
  glp_set_mat_col(s->lp, j + 1, count, s->row + first, s->value + first); /* whose arrays begin at 1 */
}

static int load(prc_program *s) {
  s->lp = glp_create_prob();
  if (s->data.rows > 0) glp_add_rows(s->lp, s->data.rows);
  if (s->data.columns > 0) glp_add_cols(s->lp, s->data.columns);
  for (int i = 0; i < s->data.rows; i++) glp_set_row_bnds(s->lp, i + 1, GLP_FX, s->b[i], s->b[i]);
  for (int j = 0; j < s->data.columns; j++) load_column(s, j);
  glp_std_basis(s->lp);
  return 0;
}

/* ---- the vertex of a basis ---------------------------------------------------------------------------------------------------- */

/* r := b_N - B x_B of (I, -A) (x_R; x_S) = 0, where x_R are the rows' own variables, and those that are not basic are b. */
static void find_residual(prc_program *s) {
  const int rows = s->data.rows;
  for (int i = 0; i < rows; i++)
    s->residual[i] = glp_get_row_stat(s->lp, i + 1) == GLP_BS ? 0.0L : -(long double)s->b[i];
  for (int k = 1; k <= rows; k++) {
    const int variable = glp_get_bhead(s->lp, k);
    if (variable <= rows) {
      s->residual[variable - 1] -= s->basic[k];
      continue;
    }
    const int j = variable - rows - 1;
    for (int at = s->start[j] + 1; at <= s->start[j + 1]; at++)
      s->residual[s->row[at] - 1] += (long double)s->value[at] * s->basic[k];
  }
}

static int compute_vertex(prc_program *s) {
  enum { ROUNDS = 3 };
  const int rows = s->data.rows;
  for (int j = 0; j < s->data.columns; j++) s->x[j] = 0.0;
  for (int k = 0; k <= rows; k++) s->basic[k] = 0.0;
  if (rows == 0) return 0;
  if (!glp_bf_exists(s->lp) && glp_factorize(s->lp) != 0) return 1;
  for (int round = 0; round < ROUNDS; round++) {
    find_residual(s);
    for (int i = 0; i < rows; i++) s->right[i + 1] = (double)s->residual[i];
    glp_ftran(s->lp, s->right);
    for (int k = 1; k <= rows; k++) s->basic[k] += s->right[k];
  }
  for (int k = 1; k <= rows; k++) {
    const int variable = glp_get_bhead(s->lp, k);
    if (variable > rows) s->x[variable - rows - 1] = s->basic[k];
  }
  return 0;
}

/* ---- the search ------------------------------------------------------------------------------------------- */

/* By how much a basic variable misses what it is to be: < 0 below it. Zero within the tolerance, as the search counts it. */
static double missed_by(const prc_program *s, int variable, double tolerance) {
  const int j = variable - s->data.rows;
  double off = 0.0, size = 0.0;
  if (j > 0)
    off = fmin(glp_get_col_prim(s->lp, j), 0.0);
  else
    size = fabs(s->b[variable - 1]), off = glp_get_row_prim(s->lp, variable) - s->b[variable - 1];
  return fabs(off) > tolerance * (1.0 + 0.001 * size) ? off : 0.0;
}

/* The aim at a basic variable: the objective, or, where the rows have not been met, that what misses should miss less. */
static double aim_at(const prc_program *s, int variable, double tolerance) {
  if (glp_get_prim_stat(s->lp) == GLP_FEAS)
    return variable > s->data.rows ? glp_get_obj_coef(s->lp, variable - s->data.rows) : 0.0;
  const double off = missed_by(s, variable, tolerance);
  return off > 0.0 ? 1.0 : off < 0.0 ? -1.0 : 0.0;
}

/* s->basic := y of B'y = c_B, c being the aim, twice. The basis is of (I, -A): see find_residual. */
static void find_prices(prc_program *s, double tolerance) {
  const int rows = s->data.rows;
  for (int i = 0; i <= rows; i++) s->basic[i] = 0.0;
  for (int round = 0; round < 2 && rows > 0; round++) {
    for (int k = 1; k <= rows; k++) {
      const int variable = glp_get_bhead(s->lp, k), j = variable - rows - 1;
      long double rest = aim_at(s, variable, tolerance) - (j >= 0 ? 0.0L : (long double)s->basic[variable]);
      for (int at = j >= 0 ? s->start[j] + 1 : 1; j >= 0 && at <= s->start[j + 1]; at++)
        rest += (long double)s->value[at] * s->basic[s->row[at]];
      s->right[k] = (double)rest;
    }
    glp_btran(s->lp, s->right);
    for (int i = 1; i <= rows; i++) s->basic[i] += s->right[i];
  }
}

/* The most that a reduced cost is on the wrong side, |d_j| of d = c - A'y for a column that is not in the basis, with y anew from the basis.
 * By that much an aim that is near one could still gain for each unit of x_j. */
static double wrong_side(prc_program *s, double tolerance) {
  const int has_point = glp_get_prim_stat(s->lp) == GLP_FEAS;
  const double sign = !has_point || glp_get_obj_dir(s->lp) == GLP_MIN ? 1.0 : -1.0;
  double most = 0.0;
  find_prices(s, tolerance);
  for (int j = 0; j < s->data.columns; j++) {
    long double d = has_point ? glp_get_obj_coef(s->lp, j + 1) : 0.0;
    if (glp_get_col_stat(s->lp, j + 1) == GLP_BS) continue;
    for (int at = s->start[j] + 1; at <= s->start[j + 1]; at++)
      d += (long double)s->value[at] * s->basic[s->row[at]];
    most = fmax(most, -sign * (double)d);
  }
  return most;
}

/* Of numbers near one. Many vertices of piles are where many contacts carry nothing, and there a search may go round for ever: then another
 * way to choose columns and rows goes on from where it is, the last with tolerances that rounding of a large basis cannot miss. */
static const struct {
  int pricing, ratio;
  double tolerance;
} ways[] = {{GLP_PT_PSE, GLP_RT_STD, 1e-9},
            {GLP_PT_PSE, GLP_RT_HAR, 1e-9},
            {GLP_PT_STD, GLP_RT_STD, 1e-9},
            {GLP_PT_PSE, GLP_RT_HAR, 1e-7},
            {GLP_PT_STD, GLP_RT_HAR, 1e-7}};
enum { WAYS = sizeof ways / sizeof *ways };
#define RIGHT_SIDE 1e-8
#define LARGE      1e3 /* a sum of x beyond which no point is looked for */

/* All that the rows miss, S, is y'e + sum d_j x_j less at a point that misses them by e, with prices y. So there is none unless these come to S. Sides of
 * bodies that lie on each other are parallel but for the errors of steps: where a basis has columns of both, y is 1e8, the last digits of b
 * are 1e-8 of S, and a point may be there although no column is left that would make S less. */
static int is_empty_for_sure(prc_program *s, double tolerance) {
  double sum = 0.0, prices = 0.0;
  for (int k = 1; k <= s->data.rows; k++) sum += fabs(missed_by(s, glp_get_bhead(s->lp, k), tolerance));
  const double wrong = wrong_side(s, tolerance);
  for (int i = 1; i <= s->data.rows; i++) prices += fabs(s->basic[i]);
  return sum > LARGE * wrong + tolerance * prices;
}

static int is_settled(prc_program *s, double tolerance) {
  const int status = glp_get_status(s->lp);
  if (s->data.rows == 0 || (status != GLP_OPT && status != GLP_NOFEAS)) return 1; /* or it is unbounded */
  if (!glp_bf_exists(s->lp) && glp_factorize(s->lp) != 0) return 0;
  return status == GLP_OPT ? wrong_side(s, tolerance) <= RIGHT_SIDE : is_empty_for_sure(s, tolerance);
}

static int search(prc_program *s) {
  int failure = 0;
  for (int k = 0; k < WAYS; k++) {
    glp_smcp control;
    glp_init_smcp(&control);
    control.msg_lev = GLP_MSG_OFF;
    control.pricing = ways[k].pricing, control.r_test = ways[k].ratio;
    control.tol_bnd = control.tol_dj = ways[k].tolerance;
    control.it_lim = 1000 + 10 * (s->data.rows + s->data.columns); /* it takes a few for each row */
    const int before = glp_get_it_cnt(s->lp);
    failure = glp_simplex(s->lp, &control);
    s->pivots += glp_get_it_cnt(s->lp) - before;
    if (!failure && is_settled(s, ways[k].tolerance)) return 0;
    if (!failure && glp_get_status(s->lp) == GLP_NOFEAS)
      glp_std_basis(s->lp); /* nothing leads on from this one */
  }
  return failure;
}

/* ---- what others see ----------------------------------------------------------------------------------------------------------- */

static prc_status copy(prc_program *s, const prc_program_data *d, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t entries = (size_t)d->start[d->columns];
  s->data = *d;
  prc_try(prc_new(&s->start, (size_t)d->columns + 1, err));
  prc_try(prc_new(&s->row, entries + 1, err));
  prc_try(prc_new(&s->value, entries + 1, err));
  prc_try(prc_new(&s->b, d->rows, err));
  prc_try(prc_new(&s->x, d->columns, err));
  prc_try(prc_new(&s->basic, (size_t)d->rows + 1, err));
  prc_try(prc_new(&s->right, (size_t)d->rows + 1, err));
  prc_try(prc_new(&s->residual, d->rows, err));
  for (int j = 0; j <= d->columns; j++) s->start[j] = d->start[j];
  for (size_t k = 0; k < entries; k++) s->row[k + 1] = d->row[k] + 1, s->value[k + 1] = d->value[k];
  for (int i = 0; i < d->rows; i++) s->b[i] = d->b[i];
done:
  return status;
}

static prc_status refuse_search(const prc_program *s, int failure, prc_error *err) {
  return prc_fail(err, PRC_DIVERGED,
                  "the simplex method did not end after %d steps on %d rows and %d columns (GLPK: %d)",
                  s->pivots, s->data.rows, s->data.columns, failure);
}

prc_status prc_program_create(const prc_program_data *data, prc_program **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_program *s = NULL;
  int failure = 0;
  prc_try(prc_new(&s, 1, err));
  prc_try(copy(s, data, err));
  prc_try(guarded(s, load, &failure, err));
  prc_try(guarded(s, search, &failure, err)); /* without an aim: the first vertex is one */
  if (failure) prc_try(refuse_search(s, failure, err));
  s->is_empty = glp_get_prim_stat(s->lp) != GLP_FEAS;
  if (!s->is_empty) prc_try(guarded(s, compute_vertex, &failure, err));
  *out = s, s = NULL;
done:
  prc_program_free(&s);
  return status;
}

void prc_program_free(prc_program **program) {
  prc_program *s = *program;
  if (!s) return;
  if (s->lp) glp_delete_prob(s->lp);
  prc_delete(&s->start);
  prc_delete(&s->row);
  prc_delete(&s->value);
  prc_delete(&s->b);
  prc_delete(&s->x);
  prc_delete(&s->basic);
  prc_delete(&s->right);
  prc_delete(&s->residual);
  prc_delete(program);
}

int prc_program_is_empty(const prc_program *s) {
  return s->is_empty;
}
const double *prc_program_point(const prc_program *s) {
  return s->x;
}
int prc_program_pivots(const prc_program *s) {
  return s->pivots;
}

static void set_aim(prc_program *s, int n, const int *column, const double *c) {
  for (int k = 0; k < n; k++) glp_set_obj_coef(s->lp, column[k] + 1, c[k]);
}

prc_status prc_program_extreme(prc_program *s, int sign, int n, const int *column, const double *c,
                               double *value, prc_error *err) {
  static const double nothing[2] = {0.0, 0.0};
  prc_status status = PRC_OK;
  int failure = 0;
  long double sum = 0.0L;
  if (!s->lp || s->is_empty)
    return prc_fail(err, PRC_INPUT, "there are no forces to be found, expected a problem that has some");
  set_aim(s, n, column, c);
  glp_set_obj_dir(s->lp, sign > 0 ? GLP_MIN : GLP_MAX);
  status = guarded(s, search, &failure, err);
  if (status == PRC_OK && (failure || glp_get_prim_stat(s->lp) != GLP_FEAS))
    status = refuse_search(s, failure, err);
  prc_try(status);
  const int is_unbounded = glp_get_status(s->lp) == GLP_UNBND;
  for (int k = 0; k < n; k++) set_aim(s, 1, column + k, nothing);
  prc_try(guarded(s, compute_vertex, &failure, err));
  if (failure) prc_try(refuse_search(s, failure, err));
  for (int k = 0; k < n; k++) sum += (long double)c[k] * s->x[column[k]];
  *value = is_unbounded ? sign * -(double)INFINITY : (double)sum;
done:
  return status;
}

#endif

#include "config.h"
#include "explore/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Forces that satisfy H'p = g in what each contact may carry, as a linear programme.
 *
 * A cone in the plane is what its two edges span: p = x_1 (1, mu) + x_2 (1, -mu) with x >= 0, so that p_N = x_1 + x_2 and p_T = mu (x_1 - x_2);
 * a slider has one of them, a contact without friction (1, 0), one that opens none. So each edge is a column, and x >= 0 all that is asked.
 *
 * Rows of translations and of rotations have no common unit, and a light body's may be far below a heavy one's: rows are divided by
 * sqrt(M_ii), columns by the largest entry that they then have, g by its largest one. All by powers of two: in units whose
 * lengths, masses and times are others by powers of two, or nearly so, the simplex method sees the same numbers. */

typedef struct {
  double normal, tangential; /* of p for x = 1, before scales */
} edge;
enum { EDGES = 2 };

struct prc_explore_set {
  int n, dim, n_columns;
  int *first; /* n + 1: the columns of each contact */
  double *p;  /* 2 n_columns: p_N and p_T of a column for x = 1, in units of g */
  double *c;  /* n_columns: an aim */
  int *place,
      *row_of; /* n_columns: those of an aim; n_dof: rows of free dofs that are touched or loaded; else -1 */
  prc_program *program;
};

/* ---- the columns ------------------------------------------------------------------------------------------------------------ */

static int edges_of(const prc_explore_problem *d, int i, edge out[EDGES]) {
  const prc_explore_may may = d->may ? d->may[i] : PRC_EXPLORE_CONE;
  const double mu = d->H->dim > 1 ? d->mu[i] : 0.0;
  if (may == PRC_EXPLORE_NOTHING) return 0;
  out[0] = (edge){1.0, may == PRC_EXPLORE_FORWARD ? -mu : mu};
  out[1] = (edge){1.0, -mu};
  return may == PRC_EXPLORE_CONE && mu > 0.0 ? 2 : 1;
}

static int contact_of(const prc_explore_problem *d, int i) {
  return d->contact ? d->contact[i] : i;
}

/* The power of two next to 1 / x; 1 for zero. */
static double near_inverse(double x) {
  int exponent;
  if (!(x > 0.0)) return 1.0;
  (void)frexp(x, &exponent);
  return ldexp(1.0, -exponent);
}

static double row_scale(const prc_explore_problem *d, int dof) {
  return d->mass ? near_inverse(sqrt(d->mass[dof])) : 1.0;
}

/* Rows are those free dofs that a contact touches or a load acts on. */
static int number_rows(const prc_explore_problem *d, int *row_of) {
  const prc_rows *H = d->H;
  int rows = 0;
  for (int i = 0; i < d->n_dof; i++) row_of[i] = d->g[i] != 0.0 ? 1 : -1;
  for (int i = 0; i < d->n; i++)
    for (int k = H->start[contact_of(d, i)]; k < H->start[contact_of(d, i) + 1]; k++) row_of[H->dof[k]] = 1;
  for (int i = 0; i < d->n_dof; i++) row_of[i] = row_of[i] > 0 && !(d->held && d->held[i]) ? rows++ : -1;
  return rows;
}

/* One column: H_c'(normal, tangential) on the rows, scaled; the scale is returned, and what there is of it put at row and value. */
static double make_column(const prc_explore_problem *d, const int *row_of, int contact, edge e, int *count,
                          int *row, double *value) {
  const prc_rows *H = d->H;
  const int first = H->start[contact], width = H->start[contact + 1] - first;
  const double *normal = H->x + (size_t)H->dim * (size_t)first, *tangential = normal + width;
  double largest = 0.0;
  *count = 0;
  for (int k = 0; k < width; k++) {
    const int dof = H->dof[first + k];
    const double x = e.normal * normal[k] + (H->dim > 1 ? e.tangential * tangential[k] : 0.0);
    if (row_of[dof] < 0 || x == 0.0) continue;
    row[*count] = row_of[dof];
    value[*count] = x * row_scale(d, dof);
    largest = fmax(largest, fabs(value[(*count)++]));
  }
  const double scale = near_inverse(largest);
  for (int k = 0; k < *count; k++) value[k] *= scale;
  return scale;
}

/* ---- the programme --------------------------------------------------------------------------------------------------------- */

typedef struct {
  int *start, *row;
  double *value, *b;
} arrays;

static double load_scale(const prc_explore_problem *d, const int *row_of) {
  double largest = 0.0;
  for (int i = 0; i < d->n_dof; i++)
    if (row_of[i] >= 0) largest = fmax(largest, fabs(d->g[i]) * row_scale(d, i));
  return near_inverse(largest);
}

static prc_status allocate(const prc_explore_problem *d, prc_explore_set *s, arrays *a, prc_error *err) {
  prc_status status = PRC_OK;
  size_t entries = 0;
  const size_t columns = EDGES * (size_t)d->n;
  for (int i = 0; i < d->n; i++)
    entries += EDGES * (size_t)(d->H->start[contact_of(d, i) + 1] - d->H->start[contact_of(d, i)]);
  prc_try(prc_new(&s->first, (size_t)d->n + 1, err));
  prc_try(prc_new(&s->p, 2 * columns, err));
  prc_try(prc_new(&s->c, columns, err));
  prc_try(prc_new(&s->place, columns, err));
  prc_try(prc_new(&s->row_of, d->n_dof, err));
  prc_try(prc_new(&a->start, columns + 1, err));
  prc_try(prc_new(&a->row, entries, err));
  prc_try(prc_new(&a->value, entries, err));
  prc_try(prc_new(&a->b, d->n_dof, err));
done:
  return status;
}

/* x of the programme is in units of g divided by its scale. */
static void fill(const prc_explore_problem *d, prc_explore_set *s, arrays *a) {
  const double g = load_scale(d, s->row_of);
  for (int i = 0; i < d->n; i++) {
    edge e[EDGES];
    const int count = edges_of(d, i, e);
    s->first[i] = s->n_columns;
    for (int k = 0; k < count; k++) {
      const int j = s->n_columns++, from = a->start[j];
      int entries;
      const double scale =
          make_column(d, s->row_of, contact_of(d, i), e[k], &entries, a->row + from, a->value + from);
      a->start[j + 1] = from + entries;
      s->p[2 * j] = e[k].normal * scale / g, s->p[2 * j + 1] = e[k].tangential * scale / g;
    }
  }
  s->first[d->n] = s->n_columns;
  for (int i = 0; i < d->n_dof; i++)
    if (s->row_of[i] >= 0) a->b[s->row_of[i]] = d->g[i] * row_scale(d, i) * g;
}

static prc_status check(const prc_explore_problem *d, prc_error *err) {
  if (d->H->dim < 1 || d->H->dim > 2)
    return prc_fail(err, PRC_INPUT,
                    "contacts have %d components, expected 1 or 2: intervals are of forces in the plane",
                    d->H->dim);
  for (int i = 0; i < d->n && d->H->dim > 1; i++)
    if (!(d->mu[i] >= 0.0) || !isfinite(d->mu[i]))
      return prc_fail(err, PRC_INPUT, "the friction of contact %d is %g, expected a number >= 0", i,
                      d->mu[i]);
  for (int i = 0; i < d->n_dof; i++)
    if (!isfinite(d->g[i]))
      return prc_fail(err, PRC_INPUT, "the load of dof %d is %g, expected a number", i, d->g[i]);
  return PRC_OK;
}

prc_status prc_explore_set_create(const prc_explore_problem *d, prc_explore_set **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_explore_set *s = NULL;
  arrays a = {0};
  prc_try(check(d, err));
  prc_try(prc_new(&s, 1, err));
  s->n = d->n, s->dim = d->H->dim;
  prc_try(allocate(d, s, &a, err));
  const int rows = number_rows(d, s->row_of);
  fill(d, s, &a);
  const prc_program_data data = {rows, s->n_columns, a.start, a.row, a.value, a.b};
  prc_try(prc_program_create(&data, &s->program, err));
  *out = s, s = NULL;
done:
  prc_delete(&a.start);
  prc_delete(&a.row);
  prc_delete(&a.value);
  prc_delete(&a.b);
  prc_explore_set_free(&s);
  return status;
}

void prc_explore_set_free(prc_explore_set **set) {
  prc_explore_set *s = *set;
  if (!s) return;
  prc_program_free(&s->program);
  prc_delete(&s->first);
  prc_delete(&s->p);
  prc_delete(&s->c);
  prc_delete(&s->place);
  prc_delete(&s->row_of);
  prc_delete(set);
}

/* ---- what is asked of it ----------------------------------------------------------------------------------------------------- */

int prc_explore_set_is_empty(const prc_explore_set *s) {
  return prc_program_is_empty(s->program);
}
int prc_explore_set_pivots(const prc_explore_set *s) {
  return prc_program_pivots(s->program);
}

/* c'p of contacts [from, to); c: that of the first */
static prc_status find_range(prc_explore_set *s, int from, int to, const double *c, double range[2],
                             prc_error *err) {
  prc_status status = PRC_OK;
  int n = 0;
  double largest = 0.0;
  for (int i = from; i < to; i++, c += s->dim)
    for (int j = s->first[i]; j < s->first[i + 1]; j++) {
      const double x = c[0] * s->p[2 * j] + (s->dim > 1 ? c[1] * s->p[2 * j + 1] : 0.0);
      if (x == 0.0) continue;
      s->place[n] = j, s->c[n++] = x;
      largest = fmax(largest, fabs(x));
    }
  const double scale = near_inverse(largest); /* an aim near one */
  for (int k = 0; k < n; k++) s->c[k] *= scale;
  for (int side = 0; side < 2; side++) {
    prc_try(prc_program_extreme(s->program, side ? -1 : 1, n, s->place, s->c, &range[side], err));
    range[side] = range[side] / scale + 0.0; /* no -0 */
  }
done:
  return status;
}

prc_status prc_explore_set_range(prc_explore_set *s, const double *c, double range[2], prc_error *err) {
  return find_range(s, 0, s->n, c, range, err);
}

prc_status prc_explore_set_interval(prc_explore_set *s, int contact, int component, double range[2],
                                    prc_error *err) {
  double c[2] = {0.0, 0.0};
  if (contact < 0 || contact >= s->n || component < 0 || component >= s->dim)
    return prc_fail(err, PRC_INPUT, "there is no component %d of contact %d", component, contact);
  c[component] = 1.0;
  return find_range(s, contact, contact + 1, c, range, err);
}

void prc_explore_set_point(const prc_explore_set *s, double *p) {
  const double *x = prc_program_point(s->program);
  for (int i = 0; i < s->n; i++) {
    double sum[2] = {0.0, 0.0};
    for (int j = s->first[i]; j < s->first[i + 1]; j++)
      sum[0] += s->p[2 * j] * x[j], sum[1] += s->p[2 * j + 1] * x[j];
    memcpy(p + s->dim * i, sum, (size_t)s->dim * sizeof *p);
  }
}

void prc_explore_may_of(int dim, int n, const double *w, double still, prc_explore_may *may) {
  for (int i = 0; i < n; i++, w += dim) {
    const double slip = dim > 1 ? w[1] : 0.0;
    may[i] = w[0] > still    ? PRC_EXPLORE_NOTHING
             : slip > still  ? PRC_EXPLORE_FORWARD
             : slip < -still ? PRC_EXPLORE_BACKWARD
                             : PRC_EXPLORE_CONE;
  }
}

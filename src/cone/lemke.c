#include "config.h"
#include "cone/internal.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* A method of Lemke's kind, for 2D and 3D. The problem with b + t d in the place of b, every d_N > 0, has p = 0 as its only
 * solution when t is large. From there its solutions form a path, along which t falls, and also rises where the path turns
 * back, until t = 0. It ends elsewhere only in a ray, where p grows without end; another d gives another path.
 *
 * The path consists of pieces on which no status changes. In a piece the unknowns are t and
 *
 *   open: none;   stick: p, with w = 0;   slip: p_N and the direction e of p_T = mu p_N e, with w_N = 0, e x w_T = 0,
 *
 * and the inequalities w_N >= 0 (open), mu p_N >= |p_T| (stick), p_N >= 0 and -e . w_T >= 0 (slip). The one that becomes an
 * equality ends the piece, its contact changes status, and the inequality that it then has an equality in must become
 * strict: this tells the direction of the next piece, whatever becomes of t. In 2D pieces are straight, and this is
 * Lemke's method for the complementarity problem of Anitescu and Potra (1997), with statuses in the place of a tableau; every
 * system is factored anew, so that rounding does not accumulate. In 3D the path is followed by prediction along the
 * tangent and Newton's method.
 *
 * Contacts are scaled by W_NN^-1/2, as in newton.h. */

#define CONTACTS_MOST 200  /* beyond, its systems cost too much */
#define TURN_MOST     0.3  /* of a direction of slip in one step */
#define CORRECTIONS   8    /* Newton steps per point */
#define SETTLED       1e-9 /* of a correction, relative: the next is below rounding */
#define ROUNDING      1e-14 /* of the equations: a point is on the path, though W may be too ill for p to settle */
#define VIOLATED_P    1e-9 /* relative: an inequality that is violated, not just uncertain */
#define VIOLATED_W    1e-13
#define LARGE         250.0 /* unknowns of a system that counts as one iteration; smaller ones cost less */
#define LEAST_WORK    0.05
#define PIECES_MOST   100   /* per contact */
#define NO_STEP       1e-15 /* pieces so short end where they began */
#define HALVED_MOST   40    /* times that a step is halved, after which the path is given up */
#define NEAR          1e-4  /* of the first t */
#define SLACK         1e-7  /* of inequalities at a start that is near a solution */
#define RUNAWAY       1e9   /* of p against b, and of t: a ray */

typedef enum { OPEN, STICK, SLIP } mode;
typedef enum { ARC, T_ZERO, W_N, EDGE, P_N, SPEED } what; /* ARC: no inequality, a step of given length */

typedef struct {
  what what;
  int contact;
} condition;

typedef struct {
  double *p, *w, *e; /* dim n, dim n, 2 n: percussion, W p + b + t d, direction of slip */
  double t;
} point;

typedef struct {
  int dim, n, unknowns; /* t is the last unknown */
  double *W, *b, *d, *scale;
  const double *mu;
  double p_size, w_size, work;
  int paths;
  mode *status;
  int *first;  /* the first unknown of a contact */
  int *closed; /* contacts that are not open */
  int n_closed;
  point here, next, rate; /* rate: along the tangent */
  double *J, *x, *tangent;
  int *pivots;
  prc_random random;
} work_lemke;

static void point_free(point *y) {
  prc_delete(&y->p);
  prc_delete(&y->w);
  prc_delete(&y->e);
}

static prc_status point_create(size_t rows, size_t n, point *y, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&y->p, rows, err));
  prc_try(prc_new(&y->w, rows, err));
  prc_try(prc_new(&y->e, 2 * n, err));
done:
  return status;
}

static void lemke_free(void **work) {
  work_lemke *g = *work;
  if (!g) return;
  double **vectors[] = {&g->W, &g->b, &g->d, &g->scale, &g->J, &g->x, &g->tangent};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(&g->status);
  prc_delete(&g->first);
  prc_delete(&g->closed);
  prc_delete(&g->pivots);
  point_free(&g->here);
  point_free(&g->next);
  point_free(&g->rate);
  prc_delete(work);
}

static prc_status lemke_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_lemke *g = NULL;
  const size_t n = sizes->n_max <= CONTACTS_MOST ? (size_t)sizes->n_max : 0, rows = n * (size_t)sizes->dim;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  prc_try(prc_new(&g->W, rows * rows, err));
  prc_try(prc_new(&g->b, rows, err));
  prc_try(prc_new(&g->d, rows, err));
  prc_try(prc_new(&g->scale, n, err));
  prc_try(prc_new(&g->J, (rows + 1) * (rows + 1), err));
  prc_try(prc_new(&g->x, rows + 1, err));
  prc_try(prc_new(&g->tangent, rows + 1, err));
  prc_try(prc_new(&g->status, n, err));
  prc_try(prc_new(&g->first, n, err));
  prc_try(prc_new(&g->closed, n, err));
  prc_try(prc_new(&g->pivots, rows + 1, err));
  prc_try(point_create(rows, n, &g->here, err));
  prc_try(point_create(rows, n, &g->next, err));
  prc_try(point_create(rows, n, &g->rate, err));
done:
  if (status != PRC_OK) lemke_free(work);
  return status;
}

int prc_cone_lemke_fits(const prc_cone_problem *problem) {
  return problem->n <= CONTACTS_MOST;
}

/* ---- the scaled problem -------------------------------------------------------------------------------------------- */

static void copy(work_lemke *g, const prc_cone_problem *problem) {
  const int n = problem->n, dim = problem->dim;
  const size_t rows = (size_t)(dim * n);
  const prc_cone_blocks *blocks = problem->blocks;
  if (!blocks) {
    memcpy(g->W, problem->W, rows * rows * sizeof *g->W);
    return;
  }
  memset(g->W, 0, rows * rows * sizeof *g->W);
  for (int c = 0; c < n; c++)
    for (int k = blocks->row_start[c]; k < blocks->row_start[c + 1]; k++)
      for (int i = 0; i < dim * dim; i++)
        g->W[(size_t)(dim * c + i / dim) * rows + (size_t)(dim * blocks->column[k] + i % dim)] =
            blocks->values[(size_t)k * (size_t)(dim * dim) + (size_t)i];
}

void prc_cone_lemke_start(void *work, const prc_cone_problem *problem) {
  work_lemke *g = work;
  const int n = problem->n, dim = problem->dim;
  const size_t rows = (size_t)(dim * n);
  const double mean = 1.0 / prc_cone_rho(problem);
  g->dim = dim, g->n = n, g->mu = problem->mu;
  g->random.state = 1, g->paths = 0;
  copy(g, problem);
  for (int c = 0; c < n; c++) {
    const double diagonal = g->W[(size_t)(dim * c) * (rows + 1)];
    g->scale[c] = 1.0 / sqrt(diagonal > 1e-6 * mean ? diagonal : mean);
  }
  g->w_size = 0.0;
  for (size_t i = 0; i < rows; i++) {
    g->b[i] = problem->b[i] * g->scale[i / (size_t)dim];
    g->w_size = fmax(g->w_size, fabs(g->b[i]));
    for (size_t j = 0; j < rows; j++)
      g->W[i * rows + j] *= g->scale[i / (size_t)dim] * g->scale[j / (size_t)dim];
  }
}

/* ---- points and their equations ------------------------------------------------------------------------------------- */

static double tail(int dim, const double *x) {
  return dim == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

static int unknowns_of(const work_lemke *g, int c) {
  if (g->status[c] == OPEN) return 0;
  if (g->status[c] == STICK) return g->dim;
  return g->dim == 3 && g->mu[c] > 0.0 ? 2 : 1;
}

static void count_unknowns(work_lemke *g) {
  g->unknowns = g->n_closed = 0;
  for (int c = 0; c < g->n; c++) {
    if (g->status[c] != OPEN) g->closed[g->n_closed++] = c;
    g->first[c] = g->unknowns;
    g->unknowns += unknowns_of(g, c);
  }
}

/* y = W x; x is zero where contacts are open */
static void multiply(const work_lemke *g, const double *x, double *y) {
  const int dim = g->dim, rows = dim * g->n;
  for (int i = 0; i < rows; i++) {
    const double *W = g->W + (size_t)i * (size_t)rows;
    double sum = 0.0;
    for (int k = 0; k < g->n_closed; k++)
      for (int r = 0, j = dim * g->closed[k]; r < dim; r++, j++) sum += W[j] * x[j];
    y[i] = sum;
  }
}

static void compute_velocity(const work_lemke *g, point *y) {
  multiply(g, y->p, y->w);
  for (int i = 0; i < g->dim * g->n; i++) y->w[i] += g->b[i] + y->t * g->d[i];
}

/* to := from + h x; they may be the same */
static void move(const work_lemke *g, const point *from, double h, const double *x, point *to) {
  const int dim = g->dim;
  for (int c = 0; c < g->n; c++) {
    const double *p = from->p + dim * c, *dx = x + g->first[c], normal = p[0];
    double *q = to->p + dim * c, *e = to->e + 2 * c, turn = 0.0;
    e[0] = from->e[2 * c], e[1] = from->e[2 * c + 1];
    for (int r = 0; r < dim; r++) q[r] = g->status[c] == STICK ? p[r] + h * dx[r] : 0.0;
    if (g->status[c] != SLIP) continue;
    q[0] = normal + h * dx[0];
    if (unknowns_of(g, c) == 2) turn = h * dx[1];
    if (turn != 0.0) {
      const double s = sin(turn), k = cos(turn), e0 = k * e[0] - s * e[1], e1 = s * e[0] + k * e[1],
                   size = hypot(e0, e1);
      e[0] = e0 / size, e[1] = e1 / size;
    }
    for (int r = 1; r < dim; r++) q[r] = g->mu[c] * q[0] * e[r - 1];
  }
  to->t = from->t + h * x[g->unknowns];
  compute_velocity(g, to);
}

/* row += a . (the derivatives of w_c), a: dim */
static void add_velocity_row(const work_lemke *g, const point *y, int c, const double *a, double *row) {
  const int dim = g->dim, rows = dim * g->n;
  const double *W = g->W + (size_t)(dim * c) * (size_t)rows;
  double v[3];
  for (int l = 0; l < g->n_closed; l++) {
    const int j = g->closed[l], k = unknowns_of(g, j);
    double *to = row + g->first[j];
    for (int s = 0; s < dim; s++) {
      v[s] = 0.0;
      for (int r = 0; r < dim; r++) v[s] += a[r] * W[(size_t)r * (size_t)rows + (size_t)(dim * j + s)];
    }
    if (g->status[j] == STICK) {
      for (int s = 0; s < dim; s++) to[s] += v[s];
      continue;
    }
    const double *e = y->e + 2 * j;
    to[0] += v[0];
    for (int s = 1; s < dim; s++) to[0] += v[s] * g->mu[j] * e[s - 1];
    if (k == 2) to[1] += g->mu[j] * y->p[dim * j] * (v[2] * e[0] - v[1] * e[1]);
  }
  for (int r = 0; r < dim; r++) row[g->unknowns] += a[r] * g->d[dim * c + r];
}

static double value_of(const work_lemke *g, const point *y, condition k) {
  const double *p = y->p + g->dim * k.contact, *w = y->w + g->dim * k.contact, *e = y->e + 2 * k.contact;
  switch (k.what) {
  case T_ZERO:
    return y->t;
  case W_N:
    return w[0];
  case P_N:
    return p[0];
  case EDGE:
    return g->mu[k.contact] * p[0] - tail(g->dim, p);
  case SPEED:
    return -e[0] * w[1] - (g->dim == 3 ? e[1] * w[2] : 0.0);
  default:
    return 0.0;
  }
}

static void add_condition_row(const work_lemke *g, const point *y, condition k, double *row) {
  const int dim = g->dim, c = k.contact;
  const double *p = y->p + dim * c, *w = y->w + dim * c, *e = y->e + 2 * c;
  double a[3] = {0.0};
  switch (k.what) {
  case T_ZERO:
    row[g->unknowns] = 1.0;
    return;
  case W_N:
    a[0] = 1.0;
    add_velocity_row(g, y, c, a, row);
    return;
  case P_N:
    row[g->first[c]] = 1.0;
    return;
  case EDGE:
    row[g->first[c]] = g->mu[c];
    for (int r = 1; r < dim; r++) row[g->first[c] + r] = -p[r] / tail(dim, p);
    return;
  case SPEED:
    for (int r = 1; r < dim; r++) a[r] = -e[r - 1];
    add_velocity_row(g, y, c, a, row);
    if (unknowns_of(g, c) == 2) row[g->first[c] + 1] += e[1] * w[1] - e[0] * w[2];
    return;
  default:
    for (int i = 0; i <= g->unknowns; i++) row[i] = g->tangent[i];
  }
}

/* J, its last row that of the condition; x = minus the residual, without that of the condition */
static void assemble(work_lemke *g, const point *y, condition last) {
  const int dim = g->dim, size = g->unknowns + 1;
  memset(g->J, 0, (size_t)size * (size_t)size * sizeof *g->J);
  for (int c = 0; c < g->n; c++) {
    const double *w = y->w + dim * c, *e = y->e + 2 * c;
    for (int i = 0; i < unknowns_of(g, c); i++) {
      double a[3] = {0.0}, *row = g->J + (size_t)(g->first[c] + i) * (size_t)size;
      if (g->status[c] == STICK || i == 0)
        a[i] = 1.0;
      else
        a[1] = -e[1], a[2] = e[0];
      add_velocity_row(g, y, c, a, row);
      if (g->status[c] == SLIP && i == 1) row[g->first[c] + 1] -= e[0] * w[1] + e[1] * w[2];
      double sum = 0.0;
      for (int r = 0; r < dim; r++) sum += a[r] * w[r];
      g->x[g->first[c] + i] = -sum;
    }
  }
  add_condition_row(g, y, last, g->J + (size_t)g->unknowns * (size_t)size);
}

static int solve(work_lemke *g, prc_cone_info *info) {
  const double share = (g->unknowns + 1.0) / LARGE;
  g->work += fmax(LEAST_WORK, share * share);
  info->newton++;
  if (g->work >= 1.0) info->iterations += (int)g->work, g->work -= (int)g->work;
  if (prc_dense_solve(g->unknowns + 1, g->J, g->pivots, g->x) != PRC_OK) return 0;
  for (int i = 0; i <= g->unknowns; i++)
    if (!isfinite(g->x[i])) return 0;
  return 1;
}

/* The tangent at `here` along which `entering` grows; t falls at the start. */
static int find_tangent(work_lemke *g, condition entering, prc_cone_info *info) {
  double most = 0.0;
  assemble(g, &g->here, entering);
  memset(g->x, 0, (size_t)g->unknowns * sizeof *g->x);
  g->x[g->unknowns] = 1.0;
  if (!solve(g, info)) return 0;
  for (int i = 0; i <= g->unknowns; i++) most = fmax(most, fabs(g->x[i]));
  if (entering.what == T_ZERO) most = -most;
  for (int i = 0; i <= g->unknowns; i++) g->tangent[i] = g->x[i] / most;
  return 1;
}

/* From the predicted point in `next` to the path, where `last` becomes zero. */
static int correct(work_lemke *g, condition last, prc_cone_info *info) {
  for (int k = 0; k < CORRECTIONS; k++) {
    double change = 0.0, size = 0.0, wrong = 0.0;
    assemble(g, &g->next, last);
    g->x[g->unknowns] = -value_of(g, &g->next, last);
    for (int i = 0; i < g->unknowns; i++) wrong = fmax(wrong, fabs(g->x[i]));
    if (k > 0 && wrong <= ROUNDING * (g->w_size + g->p_size)
        && fabs(g->x[g->unknowns]) <= ROUNDING * (last.what == T_ZERO ? 1e-3 : g->w_size + g->p_size))
      return 1;
    if (!solve(g, info)) return 0;
    for (int c = 0; c < g->n; c++)
      for (int i = 0; i < unknowns_of(g, c); i++) {
        const double x = fabs(g->x[g->first[c] + i]);
        if (g->status[c] == SLIP && i == 1)
          change = fmax(change, x * g->p_size);
        else
          change = fmax(change, x);
      }
    move(g, &g->next, 1.0, g->x, &g->next);
    for (int i = 0; i < g->dim * g->n; i++) size = fmax(size, fabs(g->next.p[i]));
    g->p_size = fmax(size, 1e-12 * g->w_size);
    if (g->dim == 2) return 1;
    if (change <= SETTLED * g->p_size && fabs(g->x[g->unknowns]) <= SETTLED * (1.0 + g->next.t)) return 1;
    if (!(change <= 1e6 * g->p_size)) return 0;
  }
  return 0;
}

/* ---- inequalities -------------------------------------------------------------------------------------------------- */

/* The inequalities of a contact; returns how many. */
static int conditions_of(const work_lemke *g, int c, condition *k) {
  for (int i = 0; i < 2; i++) k[i].contact = c;
  switch (g->status[c]) {
  case OPEN:
    k[0].what = W_N;
    return 1;
  case STICK:
    k[0].what = EDGE;
    return 1;
  default:
    k[0].what = P_N, k[1].what = SPEED;
    return g->mu[c] > 0.0 ? 2 : 1;
  }
}

/* The least h > 0 where p + h dp, inside, leaves the cone. */
static double leaves(int dim, double mu, const double *p, const double *dp) {
  double a = mu * mu * dp[0] * dp[0], b = mu * mu * p[0] * dp[0], c = mu * mu * p[0] * p[0], h = INFINITY;
  for (int r = 1; r < dim; r++) a -= dp[r] * dp[r], b -= p[r] * dp[r], c -= p[r] * p[r];
  if (c <= 0.0) return b < 0.0 || (b == 0.0 && a < 0.0) ? 0.0 : a < 0.0 ? -2.0 * b / a : INFINITY;
  const double disc = b * b - a * c;
  if (disc < 0.0) return INFINITY;
  const double q = b <= 0.0 ? -b + sqrt(disc) : -b - sqrt(disc);
  if (q != 0.0 && c / q > 0.0) h = fmin(h, c / q);
  if (a != 0.0 && q / a > 0.0) h = fmin(h, q / a);
  return h;
}

/* The derivatives of p and w along the tangent. */
static void find_rates(work_lemke *g) {
  const int dim = g->dim, rows = dim * g->n;
  for (int c = 0; c < g->n; c++) {
    const double *dx = g->tangent + g->first[c], *e = g->here.e + 2 * c;
    double *dp = g->rate.p + dim * c;
    const double turn = unknowns_of(g, c) == 2 && g->status[c] == SLIP ? dx[1] * g->here.p[dim * c] : 0.0;
    for (int r = 0; r < dim; r++) {
      dp[r] = g->status[c] == OPEN    ? 0.0
              : g->status[c] == STICK ? dx[r]
              : r == 0                ? dx[0]
                                      : g->mu[c] * dx[0] * e[r - 1];
    }
    dp[1] -= g->mu[c] * turn * e[1];
    if (dim == 3) dp[2] += g->mu[c] * turn * e[0];
  }
  multiply(g, g->rate.p, g->rate.w);
  for (int i = 0; i < rows; i++) g->rate.w[i] += g->tangent[g->unknowns] * g->d[i];
}

/* How far along the tangent the first inequality ends, and which. `entering` is zero here. */
static double first_end(work_lemke *g, condition entering, int just_entered, condition *which) {
  const int dim = g->dim;
  double least = INFINITY;
  *which = (condition){ARC, 0};
  find_rates(g);
  if (g->tangent[g->unknowns] < 0.0)
    least = g->here.t / -g->tangent[g->unknowns], *which = (condition){T_ZERO, 0};
  for (int c = 0; c < g->n; c++) {
    condition k[2];
    const int count = conditions_of(g, c, k);
    for (int i = 0; i < count; i++) {
      double h = INFINITY;
      const int entered = just_entered && c == entering.contact && k[i].what == entering.what;
      if (k[i].what == EDGE) {
        const double *p = g->here.p + dim * c, *dp = g->tangent + g->first[c];
        if (entered && dim == 2) /* the other edge */
          h = dp[0] * g->mu[c] + (p[1] > 0.0 ? dp[1] : -dp[1]) < 0.0
                  ? (g->mu[c] * p[0] + fabs(p[1])) / -(dp[0] * g->mu[c] + (p[1] > 0.0 ? dp[1] : -dp[1]))
                  : INFINITY;
        else if (!entered)
          h = leaves(dim, g->mu[c], p, dp);
      } else if (!entered) {
        const double *e = g->here.e + 2 * c, *dw = g->rate.w + dim * c;
        const double rate = k[i].what == W_N   ? dw[0]
                            : k[i].what == P_N ? g->rate.p[dim * c]
                                               : -e[0] * dw[1] - (dim == 3 ? e[1] * dw[2] : 0.0);
        if (rate < 0.0) h = fmax(0.0, value_of(g, &g->here, k[i])) / -rate;
      }
      if (h < least) least = h, *which = k[i];
    }
  }
  return least;
}

/* Whether the point in `next` violates none but `last`. */
static int admissible(const work_lemke *g, condition last) {
  if (g->next.t < 0.0 && last.what != T_ZERO && g->next.t < 0.0) return 0;
  for (int c = 0; c < g->n; c++) {
    condition k[2];
    const int count = conditions_of(g, c, k);
    for (int i = 0; i < count; i++) {
      if (c == last.contact && k[i].what == last.what) continue;
      const double allowed = k[i].what == P_N || k[i].what == EDGE ? VIOLATED_P * g->p_size
                                                                   : VIOLATED_W * (g->w_size + g->p_size);
      if (value_of(g, &g->next, k[i]) < -allowed) return 0;
    }
  }
  return 1;
}

static void accept(work_lemke *g) {
  const point swap = g->here;
  g->here = g->next, g->next = swap;
}

/* The contact of `ended` changes status; returns what enters. */
static condition change_status(work_lemke *g, condition ended) {
  const int c = ended.contact, dim = g->dim;
  double *p = g->here.p + dim * c, *w = g->here.w + dim * c, *e = g->here.e + 2 * c;
  condition entering = {P_N, c};
  switch (ended.what) {
  case W_N:
    g->status[c] = SLIP;
    e[0] = 1.0, e[1] = 0.0;
    for (int r = 1; r < dim && tail(dim, w) > 0.0; r++) e[r - 1] = -w[r] / tail(dim, w);
    break;
  case EDGE:
    g->status[c] = SLIP;
    e[0] = 1.0, e[1] = 0.0;
    for (int r = 1; r < dim && tail(dim, p) > 0.0; r++) e[r - 1] = p[r] / tail(dim, p);
    entering.what = SPEED;
    break;
  case SPEED:
    g->status[c] = STICK;
    entering.what = EDGE;
    break;
  default:
    g->status[c] = OPEN;
    for (int r = 0; r < dim; r++) p[r] = 0.0;
    entering.what = W_N;
  }
  count_unknowns(g);
  return entering;
}

/* ---- the path ------------------------------------------------------------------------------------------------------ */

/* p or t grows without end, as far as numbers can tell. */
static int runs_away(const work_lemke *g) {
  return !(g->p_size < RUNAWAY * g->w_size && g->here.t < RUNAWAY);
}

/* From here to the end of the piece; returns what ended it, ARC when that was not found. */
static condition follow_piece(work_lemke *g, condition entering, const prc_cone_options *options,
                              prc_cone_info *info) {
  const condition none = {ARC, 0};
  double length = INFINITY;
  if (!find_tangent(g, entering, info)) return none;
  for (int just_entered = 1, halved = 0;
       info->iterations < options->max_iterations && !prc_cone_stopped(options);) {
    condition end;
    const double h_end = first_end(g, entering, just_entered, &end);
    double turn = 0.0;
    for (int c = 0; c < g->n && g->dim == 3; c++)
      if (g->status[c] == SLIP && unknowns_of(g, c) == 2)
        turn = fmax(turn, fabs(g->tangent[g->first[c] + 1]));
    if (!halved) length = fmin(length, TURN_MOST / turn);
    const int ends = h_end <= length;
    if (!ends && !isfinite(length)) return none;                                /* a ray */
    if (ends && h_end <= NO_STEP * g->p_size && end.what != T_ZERO) return end; /* as good as here */
    const condition last = ends ? end : none;
    move(g, &g->here, ends ? h_end : length, g->tangent, &g->next);
    const int good = correct(g, last, info) && (g->dim == 2 || admissible(g, last));
    if (!good) {
      if (g->dim == 2) return none;
      length = 0.5 * fmin(length, h_end);
      halved++;
      if (halved > HALVED_MOST) return none;
      continue;
    }
    accept(g);
    if (runs_away(g)) return none;
    if (ends) return end;
    halved = 0;
    length *= 2.0;
    just_entered = 0;
    if (!find_tangent(g, none, info)) return none;
  }
  return none;
}

/* From rest: every contact open, for d drawn at random. Returns the first end of a piece. */
static condition start_open(work_lemke *g) {
  const int dim = g->dim, rows = dim * g->n;
  const double spread = prc_random_uniform(&g->random, 0.0, 1.0);
  int first = 0;
  for (int i = 0; i < rows; i++)
    g->d[i] = g->w_size
              * (i % dim == 0 ? prc_random_uniform(&g->random, 0.1, 1.0)
                              : spread * prc_random_uniform(&g->random, -1.0, 1.0));
  g->here.t = 0.0;
  for (int c = 0; c < g->n; c++) {
    const double t = -g->b[dim * c] / g->d[dim * c];
    g->status[c] = OPEN;
    if (t > g->here.t) g->here.t = t, first = c;
  }
  memset(g->here.p, 0, (size_t)rows * sizeof *g->here.p);
  memset(g->here.e, 0, 2 * (size_t)g->n * sizeof *g->here.e);
  count_unknowns(g);
  compute_velocity(g, &g->here);
  return (condition){g->here.t > 0.0 ? W_N : T_ZERO, first};
}

/* d = w - W p - b and t = 1, of which p and w are a solution */
static void make_solution(work_lemke *g) {
  const int rows = g->dim * g->n;
  count_unknowns(g);
  memcpy(g->d, g->here.w, (size_t)rows * sizeof *g->d);
  multiply(g, g->here.p, g->here.w);
  for (int i = 0; i < rows; i++) g->d[i] -= g->here.w[i] + g->b[i];
  g->here.t = 1.0;
  compute_velocity(g, &g->here);
}

/* From the percussion `near`, made a solution: the statuses that the natural map gives it, p and w as they ask. */
static void start_near(work_lemke *g, const double *near) {
  const int dim = g->dim;
  for (int c = 0; c < g->n; c++) {
    g->status[c] = STICK; /* for count_unknowns: every column */
    for (int r = 0; r < dim; r++) g->here.p[dim * c + r] = near[dim * c + r] / g->scale[c];
  }
  g->here.t = 0.0;
  count_unknowns(g);
  compute_velocity(g, &g->here);
  for (int c = 0; c < g->n; c++) {
    double *p = g->here.p + dim * c, *w = g->here.w + dim * c, *e = g->here.e + 2 * c, z[3] = {0.0};
    const double little = SLACK * g->w_size * prc_random_uniform(&g->random, 0.1, 1.0);
    for (int r = 0; r < dim; r++) z[r] = p[r] - w[r];
    const double t = tail(dim, z), speed = tail(dim, w);
    g->status[c] = z[0] <= 0.0 ? OPEN : t < g->mu[c] * z[0] ? STICK : SLIP;
    e[0] = 1.0, e[1] = 0.0;
    for (int r = 1; r < dim && t > 0.0; r++) e[r - 1] = z[r] / t;
    const double normal = fmax(p[0], little), share = fmin(t, (1.0 - SLACK) * g->mu[c] * normal);
    p[0] = g->status[c] == OPEN ? 0.0 : normal;
    w[0] = g->status[c] == OPEN ? fmax(w[0], little) : 0.0;
    for (int r = 1; r < dim; r++) {
      if (g->status[c] != OPEN) p[r] = e[r - 1] * (g->status[c] == STICK ? share : g->mu[c] * normal);
      if (g->status[c] == OPEN) p[r] = 0.0;
      if (g->status[c] == STICK) w[r] = 0.0;
      if (g->status[c] == SLIP) w[r] = -e[r - 1] * fmax(speed, little);
    }
  }
  make_solution(g);
}

/* From a solution drawn at random, of the problem with d = w - W p - b and t = 1: some solutions cannot be reached from
 * rest. */
static void start_anywhere(work_lemke *g) {
  const int dim = g->dim;
  const double closed = prc_random_uniform(&g->random, 0.0, 1.0),
               stuck = prc_random_uniform(&g->random, 0.0, 1.0),
               size = g->w_size * pow(10.0, prc_random_uniform(&g->random, -1.0, 1.0));
  for (int c = 0; c < g->n; c++) {
    double *p = g->here.p + dim * c, *w = g->here.w + dim * c, *e = g->here.e + 2 * c;
    const double angle = prc_random_uniform(&g->random, 0.0, 6.283185307179586);
    e[0] = dim == 3 ? cos(angle) : angle < 3.141592653589793 ? 1.0 : -1.0;
    e[1] = dim == 3 ? sin(angle) : 0.0;
    for (int r = 0; r < dim; r++) p[r] = w[r] = 0.0;
    g->status[c] = prc_random_uniform(&g->random, 0.0, 1.0) > closed  ? OPEN
                   : prc_random_uniform(&g->random, 0.0, 1.0) < stuck ? STICK
                                                                      : SLIP;
    if (g->status[c] == STICK && !(g->mu[c] > 0.0)) g->status[c] = SLIP;
    const double speed = g->w_size * prc_random_uniform(&g->random, 0.01, 1.0),
                 share = g->status[c] == STICK ? prc_random_uniform(&g->random, 0.0, 1.0) : 1.0;
    if (g->status[c] == OPEN)
      w[0] = g->w_size * prc_random_uniform(&g->random, 0.01, 1.0);
    else
      p[0] = size * prc_random_uniform(&g->random, 0.01, 1.0);
    for (int r = 1; r < dim; r++) {
      p[r] = share * g->mu[c] * p[0] * e[r - 1];
      w[r] = g->status[c] == STICK ? 0.0 : -speed * e[r - 1];
    }
  }
  make_solution(g);
}

/* One path; what it ends at is in p. Every other starts from rest, one in four from `near` where that is given. Returns 1
 * when the path ends where t = 0, or almost. */
int prc_cone_lemke_path(void *work, const prc_cone_options *options, const double *near, double *p,
                        prc_cone_info *info) {
  work_lemke *g = work;
  condition end;
  info->finished = "lemke";
  g->p_size = g->w_size;
  const int way = g->paths++ % 4;
  if (way % 2 == 1 || (way == 0 && !near)) {
    end = start_open(g);
  } else {
    if (way == 0)
      start_near(g, near);
    else
      start_anywhere(g);
    end = follow_piece(g, (condition){T_ZERO, 0}, options, info);
  }
  const double t_first = g->here.t;
  for (int pieces = 0; pieces < PIECES_MOST * (1 + g->n) && end.what != T_ZERO && end.what != ARC; pieces++)
    end = follow_piece(g, change_status(g, end), options, info);
  for (int i = 0; i < g->dim * g->n; i++) p[i] = g->here.p[i] * g->scale[i / g->dim];
  return g->here.t <= NEAR * t_first && !runs_away(g);
}

static void lemke_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                        double *p, prc_cone_info *info) {
  work_lemke *g = work;
  info->finished = "lemke";
  if (!prc_cone_lemke_fits(problem)) return;
  prc_cone_lemke_start(work, problem);
  while (info->iterations < options->max_iterations && !prc_cone_stopped(options)) {
    const int ended = prc_cone_lemke_path(work, options, NULL, p, info);
    info->iterations++;
    if (ended && prc_cone_reached(problem, options, "lemke", p, g->next.w, info)) return;
  }
}

const prc_cone_method prc_cone_lemke = {
    .name = "lemke",
    .in_2d = 1,
    .in_3d = 1,
    .create = lemke_create,
    .solve = lemke_solve,
    .free = lemke_free,
};

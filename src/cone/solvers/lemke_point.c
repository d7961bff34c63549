#include "config.h"
#include "cone/solvers/lemke.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* Points of a path and the equations they satisfy; see lemke.c. */

#define CORRECTIONS 8     /* Newton steps per point */
#define SETTLED     1e-9  /* of a correction, relative: the next is below rounding */
#define ROUNDING    1e-14 /* of the equations: on the path, though W may be too ill for p to settle */
#define LARGE       250.0 /* unknowns of a system that counts as one iteration; smaller ones cost less */
#define LEAST_WORK  0.05

int prc_lemke_unknowns(const prc_lemke *g, int c) {
  if (g->status[c] == OPEN) return 0;
  if (g->status[c] == STICK) return g->dim;
  return g->dim == 3 && g->mu[c] > 0.0 ? 2 : 1;
}

void prc_lemke_count(prc_lemke *g) {
  g->unknowns = g->n_closed = 0;
  for (int c = 0; c < g->n; c++) {
    if (g->status[c] != OPEN) g->closed[g->n_closed++] = c;
    g->first[c] = g->unknowns;
    g->unknowns += prc_lemke_unknowns(g, c);
  }
}

/* y = W x; x is zero where contacts are open */
void prc_lemke_multiply(const prc_lemke *g, const double *x, double *y) {
  const int dim = g->dim, rows = dim * g->n;
  for (int i = 0; i < rows; i++) {
    const double *W = g->W + (size_t)i * (size_t)rows;
    double sum = 0.0;
    for (int k = 0; k < g->n_closed; k++)
      for (int r = 0, j = dim * g->closed[k]; r < dim; r++, j++) sum += W[j] * x[j];
    y[i] = sum;
  }
}

void prc_lemke_velocity(const prc_lemke *g, prc_lemke_point *y) {
  prc_lemke_multiply(g, y->p, y->w);
  for (int i = 0; i < g->dim * g->n; i++) y->w[i] += g->b[i] + y->t * g->d[i];
}

/* to := from + h x; they may be the same */
void prc_lemke_move(const prc_lemke *g, const prc_lemke_point *from, double h, const double *x,
                    prc_lemke_point *to) {
  const int dim = g->dim;
  for (int c = 0; c < g->n; c++) {
    const double *p = from->p + dim * c, *dx = x + g->first[c], normal = p[0];
    double *q = to->p + dim * c, *e = to->e + 2 * c, turn = 0.0;
    e[0] = from->e[2 * c], e[1] = from->e[2 * c + 1];
    for (int r = 0; r < dim; r++) q[r] = g->status[c] == STICK ? p[r] + h * dx[r] : 0.0;
    if (g->status[c] != SLIP) continue;
    q[0] = normal + h * dx[0];
    if (prc_lemke_unknowns(g, c) == 2) turn = h * dx[1];
    if (turn != 0.0) {
      const double s = sin(turn), k = cos(turn), e0 = k * e[0] - s * e[1], e1 = s * e[0] + k * e[1],
                   size = hypot(e0, e1);
      e[0] = e0 / size, e[1] = e1 / size;
    }
    for (int r = 1; r < dim; r++) q[r] = g->mu[c] * q[0] * e[r - 1];
  }
  to->t = from->t + h * x[g->unknowns];
  prc_lemke_velocity(g, to);
}

/* row += a . (the derivatives of w_c), a: dim */
static void add_velocity_row(const prc_lemke *g, const prc_lemke_point *y, int c, const double *a,
                             double *row) {
  const int dim = g->dim, rows = dim * g->n;
  const double *W = g->W + (size_t)dim * (size_t)c * (size_t)rows;
  double v[3] = {0.0};
  for (int l = 0; l < g->n_closed; l++) {
    const int j = g->closed[l], k = prc_lemke_unknowns(g, j);
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

double prc_lemke_value(const prc_lemke *g, const prc_lemke_point *y, prc_lemke_condition k) {
  const double *p = y->p + g->dim * k.contact, *w = y->w + g->dim * k.contact, *e = y->e + 2 * k.contact;
  switch (k.what) {
  case T_ZERO:
    return y->t;
  case W_N:
    return w[0];
  case P_N:
    return p[0];
  case EDGE:
    return g->mu[k.contact] * p[0] - prc_cone_tangential(g->dim, p);
  case SPEED:
    return -e[0] * w[1] - (g->dim == 3 ? e[1] * w[2] : 0.0);
  default:
    return 0.0;
  }
}

static void add_condition_row(const prc_lemke *g, const prc_lemke_point *y, prc_lemke_condition k,
                              double *row) {
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
    for (int r = 1; r < dim; r++) row[g->first[c] + r] = -p[r] / prc_cone_tangential(dim, p);
    return;
  case SPEED:
    for (int r = 1; r < dim; r++) a[r] = -e[r - 1];
    add_velocity_row(g, y, c, a, row);
    if (prc_lemke_unknowns(g, c) == 2) row[g->first[c] + 1] += e[1] * w[1] - e[0] * w[2];
    return;
  default:
    for (int i = 0; i <= g->unknowns; i++) row[i] = g->tangent[i];
  }
}

/* J, its last row that of the condition; x = minus the residual, without that of the prc_lemke_condition */
static void assemble(prc_lemke *g, const prc_lemke_point *y, prc_lemke_condition last) {
  const int dim = g->dim, size = g->unknowns + 1;
  memset(g->J, 0, (size_t)size * (size_t)size * sizeof *g->J);
  for (int c = 0; c < g->n; c++) {
    const double *w = y->w + dim * c, *e = y->e + 2 * c;
    for (int i = 0; i < prc_lemke_unknowns(g, c); i++) {
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

static int solve(prc_lemke *g, prc_cone_info *info) {
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
int prc_lemke_tangent(prc_lemke *g, prc_lemke_condition entering, prc_cone_info *info) {
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
int prc_lemke_correct(prc_lemke *g, prc_lemke_condition last, prc_cone_info *info) {
  for (int k = 0; k < CORRECTIONS; k++) {
    double change = 0.0, size = 0.0, wrong = 0.0;
    assemble(g, &g->next, last);
    g->x[g->unknowns] = -prc_lemke_value(g, &g->next, last);
    for (int i = 0; i < g->unknowns; i++) wrong = fmax(wrong, fabs(g->x[i]));
    if (k > 0 && wrong <= ROUNDING * (g->w_size + g->p_size)
        && fabs(g->x[g->unknowns]) <= ROUNDING * (last.what == T_ZERO ? 1e-3 : g->w_size + g->p_size))
      return 1;
    if (!solve(g, info)) return 0;
    for (int c = 0; c < g->n; c++)
      for (int i = 0; i < prc_lemke_unknowns(g, c); i++) {
        const double x = fabs(g->x[g->first[c] + i]);
        if (g->status[c] == SLIP && i == 1)
          change = fmax(change, x * g->p_size);
        else
          change = fmax(change, x);
      }
    prc_lemke_move(g, &g->next, 1.0, g->x, &g->next);
    for (int i = 0; i < g->dim * g->n; i++) size = fmax(size, fabs(g->next.p[i]));
    g->p_size = fmax(size, 1e-12 * g->w_size);
    if (g->dim == 2) return 1;
    if (change <= SETTLED * g->p_size && fabs(g->x[g->unknowns]) <= SETTLED * (1.0 + g->next.t)) return 1;
    if (!(change <= 1e6 * g->p_size)) return 0;
  }
  return 0;
}

#include "config.h"
#include "cone/solvers/lemke.h"

#include <math.h>

/* Pieces of a path, on which no status changes, and the inequalities that end them; see lemke.c. */

#define TURN_MOST   0.3  /* of a direction of slip in one step */
#define VIOLATED_P  1e-9 /* relative: an inequality that is violated, not just uncertain */
#define VIOLATED_W  1e-13
#define NO_STEP     1e-15 /* pieces so short end where they began */
#define HALVED_MOST 40    /* times that a step is halved, after which the path is given up */
#define RUNAWAY     1e9   /* of p against b, and of t: a ray */

/* The inequalities of a contact; returns how many. */
static int conditions_of(const prc_lemke *g, int c, prc_lemke_condition *k) {
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
static void find_rates(prc_lemke *g) {
  const int dim = g->dim, rows = dim * g->n;
  for (int c = 0; c < g->n; c++) {
    const double *dx = g->tangent + g->first[c], *e = g->here.e + 2 * c;
    double *dp = g->rate.p + dim * c;
    const double turn =
        prc_lemke_unknowns(g, c) == 2 && g->status[c] == SLIP ? dx[1] * g->here.p[dim * c] : 0.0;
    for (int r = 0; r < dim; r++) {
      dp[r] = g->status[c] == OPEN    ? 0.0
              : g->status[c] == STICK ? dx[r]
              : r == 0                ? dx[0]
                                      : g->mu[c] * dx[0] * e[r - 1];
    }
    dp[1] -= g->mu[c] * turn * e[1];
    if (dim == 3) dp[2] += g->mu[c] * turn * e[0];
  }
  prc_lemke_multiply(g, g->rate.p, g->rate.w);
  for (int i = 0; i < rows; i++) g->rate.w[i] += g->tangent[g->unknowns] * g->d[i];
}

/* How far along the tangent the first inequality ends, and which. `entering` is zero here. */
static double first_end(prc_lemke *g, prc_lemke_condition entering, int just_entered,
                        prc_lemke_condition *which) {
  const int dim = g->dim;
  double least = INFINITY;
  *which = (prc_lemke_condition){ARC, 0};
  find_rates(g);
  if (g->tangent[g->unknowns] < 0.0)
    least = g->here.t / -g->tangent[g->unknowns], *which = (prc_lemke_condition){T_ZERO, 0};
  for (int c = 0; c < g->n; c++) {
    prc_lemke_condition k[2];
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
        if (rate < 0.0) h = fmax(0.0, prc_lemke_value(g, &g->here, k[i])) / -rate;
      }
      if (h < least) least = h, *which = k[i];
    }
  }
  return least;
}

/* Whether the point in `next` violates none but `last`. */
static int admissible(const prc_lemke *g, prc_lemke_condition last) {
  if (g->next.t < 0.0 && last.what != T_ZERO) return 0;
  for (int c = 0; c < g->n; c++) {
    prc_lemke_condition k[2];
    const int count = conditions_of(g, c, k);
    for (int i = 0; i < count; i++) {
      if (c == last.contact && k[i].what == last.what) continue;
      const double allowed = k[i].what == P_N || k[i].what == EDGE ? VIOLATED_P * g->p_size
                                                                   : VIOLATED_W * (g->w_size + g->p_size);
      if (prc_lemke_value(g, &g->next, k[i]) < -allowed) return 0;
    }
  }
  return 1;
}

static void accept(prc_lemke *g) {
  const prc_lemke_point swap = g->here;
  g->here = g->next, g->next = swap;
}

/* The contact of `ended` changes status; returns what enters. */
prc_lemke_condition prc_lemke_change(prc_lemke *g, prc_lemke_condition ended) {
  const int c = ended.contact, dim = g->dim;
  double *p = g->here.p + dim * c, *w = g->here.w + dim * c, *e = g->here.e + 2 * c;
  prc_lemke_condition entering = {P_N, c};
  switch (ended.what) {
  case W_N:
    g->status[c] = SLIP;
    e[0] = 1.0, e[1] = 0.0;
    for (int r = 1; r < dim && prc_cone_tangential(dim, w) > 0.0; r++)
      e[r - 1] = -w[r] / prc_cone_tangential(dim, w);
    break;
  case EDGE:
    g->status[c] = SLIP;
    e[0] = 1.0, e[1] = 0.0;
    for (int r = 1; r < dim && prc_cone_tangential(dim, p) > 0.0; r++)
      e[r - 1] = p[r] / prc_cone_tangential(dim, p);
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
  prc_lemke_count(g);
  return entering;
}

/* ---- the path ------------------------------------------------------------------------------- */

/* p or t grows without end, as far as numbers can tell. */
int prc_lemke_is_unbounded(const prc_lemke *g) {
  return !(g->p_size < RUNAWAY * g->w_size && g->here.t < RUNAWAY);
}

/* From here to the end of the piece; returns what ended it, ARC when that was not found. */
prc_lemke_condition prc_lemke_follow(prc_lemke *g, prc_lemke_condition entering,
                                     const prc_cone_options *options, prc_cone_info *info) {
  const prc_lemke_condition none = {ARC, 0};
  double length = INFINITY;
  if (!prc_lemke_tangent(g, entering, info)) return none;
  for (int just_entered = 1, halved = 0;
       info->iterations < options->max_iterations && !prc_cone_stopped(options);) {
    prc_lemke_condition end;
    const double h_end = first_end(g, entering, just_entered, &end);
    double turn = 0.0;
    for (int c = 0; c < g->n && g->dim == 3; c++)
      if (g->status[c] == SLIP && prc_lemke_unknowns(g, c) == 2)
        turn = fmax(turn, fabs(g->tangent[g->first[c] + 1]));
    if (!halved) length = fmin(length, TURN_MOST / turn);
    const int ends = h_end <= length;
    if (!ends && !isfinite(length)) return none;                                /* a ray */
    if (ends && h_end <= NO_STEP * g->p_size && end.what != T_ZERO) return end; /* as good as here */
    const prc_lemke_condition last = ends ? end : none;
    prc_lemke_move(g, &g->here, ends ? h_end : length, g->tangent, &g->next);
    const int good = prc_lemke_correct(g, last, info) && (g->dim == 2 || admissible(g, last));
    if (!good) {
      if (g->dim == 2) return none;
      length = 0.5 * fmin(length, h_end);
      halved++;
      if (halved > HALVED_MOST) return none;
      continue;
    }
    accept(g);
    if (prc_lemke_is_unbounded(g)) return none;
    if (ends) return end;
    halved = 0;
    length *= 2.0;
    just_entered = 0;
    if (!prc_lemke_tangent(g, none, info)) return none;
  }
  return none;
}

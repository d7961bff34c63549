#include "config.h"
#include "explore/explore.h"

#include <math.h>
#include <string.h>

/* Solutions of one contact problem, as Gauss-Seidel ends at them from random starts or in random orders. */

struct prc_explore_sampler {
  const prc_cone_problem *problem;
  prc_explore_draws draws;
  prc_cone_solver *solver;
  /* the problem with its contacts in another order: at place i stands contact order[i] */
  prc_cone_problem turned;
  prc_cone_blocks blocks;
  int *order, *place; /* n: and where each stands */
  double *W, *b, *mu, *p;
};

static size_t rows_of(const prc_cone_problem *problem) {
  return (size_t)problem->dim * (size_t)problem->n;
}

static size_t block_size(const prc_cone_problem *problem) {
  return (size_t)problem->dim * (size_t)problem->dim;
}

static prc_status allocate(prc_explore_sampler *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_cone_problem *d = s->problem;
  const size_t rows = rows_of(d), blocks = d->blocks ? (size_t)d->blocks->row_start[d->n] : 0;
  prc_try(prc_new(&s->order, d->n, err));
  prc_try(prc_new(&s->place, d->n, err));
  prc_try(prc_new(&s->b, rows, err));
  prc_try(prc_new(&s->mu, d->n, err));
  prc_try(prc_new(&s->p, rows, err));
  if (!d->blocks) return prc_new(&s->W, rows * rows, err);
  prc_try(prc_new(&s->blocks.row_start, (size_t)d->n + 1, err));
  prc_try(prc_new(&s->blocks.column, blocks, err));
  prc_try(prc_new(&s->blocks.values, blocks * block_size(d), err));
done:
  return status;
}

prc_status prc_explore_sampler_create(const prc_cone_problem *problem, const prc_explore_draws *draws,
                                      prc_explore_sampler **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_explore_sampler *s = NULL;
  prc_try(prc_cone_problem_check(problem, err));
  prc_try(prc_new(&s, 1, err));
  s->problem = problem, s->draws = *draws;
  prc_try(allocate(s, err));
  prc_try(prc_cone_solver_create_for("gauss-seidel", problem, &draws->cone, &s->solver, err));
  s->turned = *problem;
  s->turned.W = s->W, s->turned.b = s->b, s->turned.mu = s->mu;
  s->turned.blocks = problem->blocks ? &s->blocks : NULL;
  *out = s, s = NULL;
done:
  prc_explore_sampler_free(&s);
  return status;
}

void prc_explore_sampler_free(prc_explore_sampler **sampler) {
  prc_explore_sampler *s = *sampler;
  if (!s) return;
  prc_cone_solver_free(&s->solver);
  prc_delete(&s->order);
  prc_delete(&s->place);
  prc_delete(&s->b);
  prc_delete(&s->mu);
  prc_delete(&s->p);
  prc_delete(&s->W);
  prc_delete(&s->blocks.row_start);
  prc_delete(&s->blocks.column);
  prc_delete(&s->blocks.values);
  prc_delete(sampler);
}

/* ---- random starts --------------------------------------------------------------------------------------------------------- */

/* p_N uniform in [0, most], p_T uniform in the section of the cone there. In space that section is a disc, of which its square is taken
 * and what is outside drawn again. */
static void draw_start(const prc_explore_sampler *s, prc_random *random, double *p) {
  const prc_cone_problem *d = s->problem;
  for (int c = 0; c < d->n; c++, p += d->dim) {
    p[0] = prc_random_uniform(random, 0.0, s->draws.most[c]);
    double size2 = 0.0;
    do {
      size2 = 0.0;
      for (int r = 1; r < d->dim; r++) {
        p[r] = prc_random_uniform(random, -1.0, 1.0);
        size2 += p[r] * p[r];
      }
    } while (size2 > 1.0);
    for (int r = 1; r < d->dim; r++) p[r] *= d->mu[c] * p[0];
  }
}

/* ---- random orders --------------------------------------------------------------------------------------------------------- */

static void draw_order(prc_explore_sampler *s, prc_random *random) {
  const int n = s->problem->n;
  for (int i = 0; i < n; i++) s->order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int j = (int)(prc_random_bits(random) % (uint64_t)(i + 1)), swap = s->order[i];
    s->order[i] = s->order[j], s->order[j] = swap;
  }
  for (int i = 0; i < n; i++) s->place[s->order[i]] = i;
}

static void turn_dense(prc_explore_sampler *s) {
  const prc_cone_problem *d = s->problem;
  const size_t rows = rows_of(d), dim = (size_t)d->dim;
  double *to = s->W;
  for (size_t i = 0; i < rows; i++) {
    const double *from = d->W + rows * (dim * (size_t)s->order[i / dim] + i % dim);
    for (int j = 0; j < d->n; j++, to += dim) memcpy(to, from + dim * (size_t)s->order[j], dim * sizeof *to);
  }
}

/* Blocks of a row ascend by column: each is put in its place among those before it, of which there are few. */
static void turn_blocks(prc_explore_sampler *s) {
  const prc_cone_problem *d = s->problem;
  const size_t size = block_size(d);
  int count = 0;
  for (int i = 0; i < d->n; i++) {
    const int c = s->order[i], first = count;
    for (int at = d->blocks->row_start[c]; at < d->blocks->row_start[c + 1]; at++, count++) {
      const int column = s->place[d->blocks->column[at]];
      int k = count;
      for (; k > first && s->blocks.column[k - 1] > column; k--) {
        s->blocks.column[k] = s->blocks.column[k - 1];
        memcpy(s->blocks.values + size * (size_t)k, s->blocks.values + size * (size_t)(k - 1),
               size * sizeof(double));
      }
      s->blocks.column[k] = column;
      memcpy(s->blocks.values + size * (size_t)k, d->blocks->values + size * (size_t)at,
             size * sizeof(double));
    }
    s->blocks.row_start[i + 1] = count;
  }
}

static prc_cone_info solve_in_order(prc_explore_sampler *s, double *p) {
  const prc_cone_problem *d = s->problem;
  const size_t dim = (size_t)d->dim;
  if (d->blocks)
    turn_blocks(s);
  else
    turn_dense(s);
  for (int i = 0; i < d->n; i++) {
    memcpy(s->b + dim * (size_t)i, d->b + dim * (size_t)s->order[i], dim * sizeof *s->b);
    s->mu[i] = d->mu[s->order[i]];
  }
  memset(s->p, 0, rows_of(d) * sizeof *s->p);
  const prc_cone_info info = prc_cone_solve(s->solver, &s->turned, s->p);
  for (int i = 0; i < d->n; i++)
    memcpy(p + dim * (size_t)s->order[i], s->p + dim * (size_t)i, dim * sizeof *p);
  return info;
}

/* ---- a sample ---------------------------------------------------------------------------------------------------------------- */

prc_cone_info prc_explore_sample(prc_explore_sampler *s, prc_explore_way way, int k, double *p, double *w) {
  prc_random random = {.state = s->draws.seed};
  prc_cone_info info;
  random.state = prc_random_bits(&random) ^ ((uint64_t)k << 1 | (uint64_t)(way == PRC_EXPLORE_ORDERS));
  if (way == PRC_EXPLORE_STARTS) {
    draw_start(s, &random, p);
    info = prc_cone_solve(s->solver, s->problem, p);
  } else {
    draw_order(s, &random);
    info = solve_in_order(s, p);
  }
  prc_cone_velocity(s->problem, p, w);
  return info;
}

/* ---- many -------------------------------------------------------------------------------------------------------------------- */

static prc_explore_end judge(const prc_cone_problem *problem, const prc_cone_info *info, const double *w,
                             const double *held, double still) {
  double largest = 0.0;
  if (!info->converged) return PRC_EXPLORE_MISSED;
  for (size_t i = 0; i < rows_of(problem); i++) largest = fmax(largest, fabs(w[i] - held[i]));
  return largest <= still ? PRC_EXPLORE_SAME : PRC_EXPLORE_OTHER;
}

typedef struct {
  const prc_cone_problem *problem;
  const prc_explore_draws *draws;
  prc_explore_way way;
  const double *held;
  double still;
} task;

/* Share of one thread. */
static prc_status draw_share(const task *d, prc_explore_samples *s) {
  prc_status status = PRC_OK;
  prc_explore_sampler *sampler = NULL;
  double *w = NULL;
  const size_t rows = rows_of(d->problem);
  status = prc_explore_sampler_create(d->problem, d->draws, &sampler, NULL);
  if (status == PRC_OK) status = prc_new(&w, rows, NULL);
#pragma omp for schedule(dynamic)
  for (int k = 0; k < s->n; k++) {
    if (status != PRC_OK) continue;
    double *p = s->p + rows * (size_t)k;
    const prc_cone_info info = prc_explore_sample(sampler, d->way, k, p, w);
    s->end[k] = judge(d->problem, &info, w, d->held, d->still);
  }
  prc_delete(&w);
  prc_explore_sampler_free(&sampler);
  return status;
}

prc_status prc_explore_samples_create(const prc_cone_problem *problem, const prc_explore_draws *draws,
                                      prc_explore_way way, int n, const double *w, double still,
                                      prc_explore_samples **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_explore_samples *s = NULL;
  const task d = {problem, draws, way, w, still};
  int failures = 0;
  prc_try(prc_cone_problem_check(problem, err));
  prc_try(prc_cone_options_check(&draws->cone, err));
  prc_try(prc_new(&s, 1, err));
  s->n = n;
  prc_try(prc_new(&s->p, rows_of(problem) * (size_t)n, err));
  prc_try(prc_new(&s->end, n, err));
#pragma omp parallel reduction(+ : failures)
  failures += draw_share(&d, s) != PRC_OK;
  if (failures > 0) prc_try(prc_fail(err, PRC_NOMEM, "out of memory for samples of %d contacts", problem->n));
  *out = s, s = NULL;
done:
  prc_explore_samples_free(&s);
  return status;
}

void prc_explore_samples_free(prc_explore_samples **samples) {
  if (!*samples) return;
  prc_delete(&(*samples)->p);
  prc_delete(&(*samples)->end);
  prc_delete(samples);
}

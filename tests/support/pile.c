#include "config.h"
#include "support/pile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

/* Not of Check: benches make piles too. */
static void must(int held) {
  if (held) return;
  fprintf(stderr, "no pile: %s\n", err.message);
  abort();
}

/* ---- bodies ---------------------------------------------------------------------------------------------------------------- */

static void add_body(pile *s, double x, double y, double mass, double inertia) {
  const int i = s->n_bodies++;
  s->place[2 * i] = x, s->place[2 * i + 1] = y;
  s->mass[i] = mass, s->inertia[i] = inertia;
}

/* Contact at (x, y), the normal pushes b; a < 0: the ground. t = (-n_y, n_x). */
static void add_contact(pile *s, int a, int b, double x, double y, double nx, double ny) {
  const double directions[2][2] = {{nx, ny}, {-ny, nx}};
  const int c = s->H.n, first = c ? s->H.start[c] : 0, count = a < 0 ? 3 : 6;
  must(prc_grow(&s->H.start, &s->room_start, (size_t)c + 2, sizeof(int), &err) == PRC_OK);
  must(prc_grow(&s->H.dof, &s->room_dof, (size_t)(first + count), sizeof(int), &err) == PRC_OK);
  must(prc_grow(&s->H.x, &s->room_x, 2 * (size_t)(first + count), sizeof(double), &err) == PRC_OK);
  s->H.start[0] = 0, s->H.start[c + 1] = first + count, s->H.n++;
  for (int side = 0; side < count / 3; side++) {
    const int body = side ? a : b;
    const double rx = x - s->place[2 * body], ry = y - s->place[2 * body + 1], sign = side ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) s->H.dof[first + 3 * side + k] = 3 * body + k;
    for (int r = 0; r < 2; r++) {
      const double *e = directions[r];
      double *row = s->H.x + 2 * first + r * count + 3 * side;
      row[0] = sign * e[0], row[1] = sign * e[1], row[2] = sign * (rx * e[1] - ry * e[0]);
    }
  }
}

static void touch(pile *s, int a, int b, double ra) {
  const double dx = s->place[2 * b] - s->place[2 * a], dy = s->place[2 * b + 1] - s->place[2 * a + 1],
               d = sqrt(dx * dx + dy * dy);
  add_contact(s, a, b, s->place[2 * a] + ra * dx / d, s->place[2 * a + 1] + ra * dy / d, dx / d, dy / d);
}

static void touch_wall(pile *s, int b, double r, double nx, double ny) {
  add_contact(s, -1, b, s->place[2 * b] - r * nx, s->place[2 * b + 1] - r * ny, nx, ny);
}

/* ---- kinds ------------------------------------------------------------------------------------------------------------------ */

static void make_tower(pile *s, int n, double ratio) {
  for (int i = 0; i < n; i++) {
    const double m = i >= n - (n + 9) / 10 ? ratio : 1.0;
    add_body(s, 0.0, i + 0.5, m, m / 6.0);
    for (int side = -1; side <= 1; side += 2) add_contact(s, i - 1, i, 0.5 * side, i, 0.0, 1.0);
  }
}

/* Rows of equal discs; in a box of `width` and one less by turns, in a funnel one more in each. */
static void make_hexagonal(pile *s, int n, int funnel, double ratio) {
  const int width = funnel ? 4 : (int)ceil(sqrt(n));
  int before = -1, many_before = 0;
  while (s->n_bodies < n) {
    static const double high = 0.8660254037844386; /* of a row, diameter 1 */
    const int row = before < 0 ? 0 : (int)lround((s->place[2 * before + 1] - 0.5) / high) + 1,
              many = funnel ? width + row : width - row % 2, first = s->n_bodies;
    const double from = funnel ? -0.5 * (width + row - 1) : 0.5 + 0.5 * (row % 2);
    for (int i = 0; i < many; i++) {
      const double m = first > 9 * n / 10 ? ratio : 1.0;
      add_body(s, from + i, 0.5 + row * high, m, m / 8.0);
      const int body = s->n_bodies - 1;
      if (i > 0) touch(s, body - 1, body, 0.5);
      for (int k = 0; k < many_before; k++)
        if (fabs(s->place[2 * (before + k)] - s->place[2 * body]) < 0.6) touch(s, before + k, body, 0.5);
      if (row == 0) touch_wall(s, body, 0.5, 0.0, 1.0);
      if (i == 0 && (funnel || row % 2 == 0))
        touch_wall(s, body, 0.5, funnel ? high : 1.0, funnel ? 0.5 : 0.0);
      if (i == many - 1 && (funnel || row % 2 == 0))
        touch_wall(s, body, 0.5, funnel ? -high : -1.0, funnel ? 0.5 : 0.0);
    }
    before = first, many_before = many;
  }
}

/* Pairs nearer than `reach` beyond their radii; bodies in cells of the side `cell`. */
static void touch_near(pile *s, const double *radius, double cell, int across, int along, double reach) {
  int *head = malloc(sizeof(int) * (size_t)(across * along)),
      *next = malloc(sizeof(int) * (size_t)s->n_bodies);
  must(head && next);
  for (int k = 0; k < across * along; k++) head[k] = -1;
  for (int i = 0; i < s->n_bodies; i++) {
    const int cx = (int)(s->place[2 * i] / cell), cy = (int)(s->place[2 * i + 1] / cell);
    for (int y = cy - 1; y <= cy + 1; y++)
      for (int x = cx - 1; x <= cx + 1; x++)
        for (int j = x < 0 || y < 0 || x >= across || y >= along ? -1 : head[y * across + x]; j >= 0;
             j = next[j]) {
          const double d =
              hypot(s->place[2 * i] - s->place[2 * j], s->place[2 * i + 1] - s->place[2 * j + 1]);
          if (d < radius[i] + radius[j] + reach) touch(s, j, i, radius[j]);
        }
    next[i] = head[cy * across + cx], head[cy * across + cx] = i;
  }
  free(head), free(next);
}

/* A lattice of pitch 1.8 that is shaken; LOOSE: pitch 3, thrown far. */
static void make_random(pile *s, int n, int loose, double ratio, prc_random *random) {
  const int across = (int)ceil(sqrt(n)), along = (n + across - 1) / across + 1;
  const double pitch = loose ? 2.6 : 1.75, shake = loose ? 0.6 : 0.12;
  double *radius = malloc(sizeof(double) * (size_t)n);
  must(NULL != radius);
  for (int i = 0; i < n; i++) {
    const int row = i / across, column = i % across;
    radius[i] = prc_random_uniform(random, 0.7, 1.0);
    const double m = (row > 9 * along / 10 ? ratio : 1.0) * radius[i] * radius[i];
    add_body(s,
             (0.5 + column + (loose ? 0.0 : 0.25 * (row % 2))) * pitch
                 + prc_random_uniform(random, -shake, shake),
             (0.5 + row * (loose ? 1.0 : 0.9)) * pitch + prc_random_uniform(random, -shake, shake), m,
             0.5 * m * radius[i] * radius[i]);
    for (int k = 0; k < 3 && loose; k++) s->v[3 * i + k] = prc_random_uniform(random, -1.0, 1.0);
    if (loose) continue;
    if (row == 0) touch_wall(s, i, radius[i], 0.0, 1.0);
    if (column == 0) touch_wall(s, i, radius[i], 1.0, 0.0);
    if (column == across - 1) touch_wall(s, i, radius[i], -1.0, 0.0);
  }
  touch_near(s, radius, 2.7, (int)(across * pitch / 2.7) + 2, (int)(along * pitch / 2.7) + 2,
             loose ? 0.15 : 0.12);
  free(radius);
}

/* ---- the problem ------------------------------------------------------------------------------------------------------------ */

static void make_problem(pile *s, double mu) {
  const size_t n = (size_t)s->H.n;
  prc_operator_plan plan = {.has_mass = 1, .threads = 1};
  char *part = malloc(3 * (size_t)s->n_bodies);
  must(NULL != part);
  memset(part, 1, 3 * (size_t)s->n_bodies);
  plan.part = part;
  must(prc_sym_create(3 * s->n_bodies, 3 * s->n_bodies, &s->M, &err) == PRC_OK);
  for (int i = 0; i < 3 * s->n_bodies; i++) {
    s->M->i[i] = i, s->M->p[i + 1] = i + 1;
    s->M->x[i] = i % 3 == 2 ? s->inertia[i / 3] : s->mass[i / 3];
  }
  must(prc_operator_create("auto", s->M, &plan, &s->op, &err) == PRC_OK);
  must(prc_operator_condense_blocks(s->op, &s->H, s->H.n, NULL, 1.0, &s->W, &err) == PRC_OK);
  s->b = calloc(2 * n + 1, sizeof(double)), s->p = calloc(2 * n + 1, sizeof(double));
  s->mu = calloc(n + 1, sizeof(double));
  must(s->b && s->p && s->mu);
  for (size_t c = 0; c < n; c++) s->mu[c] = mu;
  prc_rows_multiply(&s->H, s->v, s->b);
  s->problem = (prc_cone_problem){.dim = 2, .n = s->H.n, .blocks = &s->W.blocks, .b = s->b, .mu = s->mu};
  free(part);
}

void pile_make(pile *s, pile_kind kind, int n, double mu, double ratio, uint64_t seed) {
  const size_t room = (size_t)n + 4 * (size_t)sqrt(n) + 16; /* the last row of a packing is whole */
  prc_random random = {.state = seed};
  *s = (pile){.H = {.dim = 2}};
  s->mass = calloc(room, sizeof(double)), s->inertia = calloc(room, sizeof(double));
  s->place = calloc(2 * room, sizeof(double)), s->v = calloc(3 * room, sizeof(double));
  must(s->mass && s->inertia && s->place && s->v);
  if (kind == PILE_TOWER)
    make_tower(s, n, ratio);
  else if (kind == PILE_BOX || kind == PILE_FUNNEL)
    make_hexagonal(s, n, kind == PILE_FUNNEL, ratio);
  else
    make_random(s, n, kind == PILE_LOOSE, ratio, &random);
  for (int i = 0; i < s->n_bodies; i++) s->v[3 * i + 1] -= 1.0; /* g h = 1 */
  make_problem(s, mu);
}

void pile_disturb(pile *s, double share, uint64_t seed) {
  prc_random random = {.state = seed};
  for (int i = 0; i < 3 * s->n_bodies; i++) s->v[i] += share * prc_random_uniform(&random, -1.0, 1.0);
  prc_rows_multiply(&s->H, s->v, s->b);
}

prc_cone_problem pile_dense(const pile *s, double **W) {
  const size_t rows = 2 * (size_t)s->H.n;
  prc_cone_problem dense = s->problem;
  *W = calloc(rows * rows + 1, sizeof(double));
  must(NULL != *W);
  prc_operator_condense_dense(s->op, &s->H, s->H.n, NULL, 1.0, *W);
  dense.blocks = NULL, dense.W = *W, dense.symmetric = 1;
  return dense;
}

void pile_free(pile *s) {
  free(s->mass), free(s->inertia), free(s->place), free(s->v), free(s->b), free(s->mu), free(s->p);
  prc_delete(&s->H.start);
  prc_delete(&s->H.dof);
  prc_delete(&s->H.x);
  prc_sym_free(&s->M);
  prc_operator_free(&s->op);
  prc_block_matrix_free(&s->W);
}

#include "config.h"
#include "support/allocator.h"
#include "support/forked_ranks.h"
#include "support/path.h"
#include "support/plate.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* Meshes that are dealt to ranks. What each has is compared with the whole, which every process has a copy of, by looking at every pair anew. */

static const int types[] = {2, 9, 3, 16, 10, PLATE_LINEAR_MIX, PLATE_QUADRATIC_MIX};
static const int numbers[] = {1, 2, 3, 4, 7};
enum { TYPES = sizeof types / sizeof *types, NUMBERS = sizeof numbers / sizeof *numbers };

static prc_error error;

typedef struct {
  const prc_mesh *whole;
  prc_mesh *dealt; /* the same */
  double area;
  int n_kept;
  const char *kept[3];
  /* of the process */
  const prc_mesh *mesh;
  const prc_mesh_part *part;
  double *cell_rank;       /* n_cells of the whole */
  double *number;          /* n_nodes of the whole */
  char *is_kept, *is_near; /* n_nodes of the whole: on a kept curve; that, or of an own cell */
  int *node, *cell;        /* of the whole: places in the part, or -1 */
} dealt;

static int has(const prc_mesh *mesh, int c, const char *marked) {
  for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++)
    if (marked[mesh->cell[k]]) return 1;
  return 0;
}

static int is_used(const prc_mesh *mesh, int node) {
  for (int k = 0; k < mesh->cell_start[mesh->n_cells]; k++)
    if (mesh->cell[k] == node) return 1;
  return 0;
}

/* ---- cells ----------------------------------------------------------------------------------------------- */

static prc_status look_up(const prc_ranks *ranks, dealt *d, prc_error *err) {
  const prc_mesh *w = d->whole, *m = d->mesh;
  forked_try(prc_new(&d->cell_rank, w->n_cells, err));
  forked_try(prc_new(&d->number, w->n_nodes, err));
  forked_try(prc_new(&d->is_kept, w->n_nodes, err));
  forked_try(prc_new(&d->is_near, w->n_nodes, err));
  forked_try(prc_new(&d->node, w->n_nodes, err));
  forked_try(prc_new(&d->cell, w->n_cells, err));
  for (int i = 0; i < w->n_nodes; i++) d->node[i] = -1;
  for (int c = 0; c < w->n_cells; c++) d->cell[c] = -1;
  for (int i = 0; i < m->n_nodes; i++) {
    forked_assert(d->part->whole[i] >= 0 && d->part->whole[i] < w->n_nodes && d->node[d->part->whole[i]] < 0);
    d->node[d->part->whole[i]] = i;
  }
  for (int c = 0; c < m->n_cells; c++) {
    forked_assert(d->part->cell[c] >= 0 && d->part->cell[c] < w->n_cells && d->cell[d->part->cell[c]] < 0);
    d->cell[d->part->cell[c]] = c;
  }
  for (int k = 0; k < d->n_kept; k++) {
    const prc_mesh_group *curve = prc_mesh_find(w, 1, d->kept[k]);
    for (int i = 0; i < curve->n_nodes; i++) d->is_kept[curve->node[i]] = 1;
  }
  return PRC_OK;
}

static prc_status each_cell_is_one_ranks_own(const prc_ranks *ranks, dealt *d, prc_error *err) {
  const prc_mesh *w = d->whole;
  double area = 0.0, *count = NULL;
  forked_assert(d->part->n_own > 0 && d->part->n_own <= d->mesh->n_cells);
  forked_try(prc_new(&count, w->n_cells, err));
  for (int c = 0; c < d->part->n_own; c++) {
    count[d->part->cell[c]] = 1.0, d->cell_rank[d->part->cell[c]] = ranks->rank;
    area += prc_mesh_area(d->mesh, c);
  }
  ranks->sum(ranks->of, w->n_cells, count);
  ranks->sum(ranks->of, w->n_cells, d->cell_rank);
  ranks->sum(ranks->of, 1, &area);
  for (int c = 0; c < w->n_cells; c++) forked_assert(count[c] == 1.0);
  prc_delete(&count);
  forked_assert(d->part->n_cells == w->n_cells);
  forked_assert(fabs(area - d->area) < 1e-12 * d->area
                && fabs(d->part->whole_area - d->area) < 1e-12 * d->area);
  return PRC_OK;
}

/* Own ones, those that share a node with them, those at the kept curves; each as it is in the whole. */
static prc_status cells_are_those_around(const prc_ranks *ranks, dealt *d, prc_error *err) {
  const prc_mesh *w = d->whole, *m = d->mesh;
  memcpy(d->is_near, d->is_kept, (size_t)w->n_nodes);
  for (int c = 0; c < w->n_cells; c++)
    for (int k = w->cell_start[c]; k < w->cell_start[c + 1] && d->cell_rank[c] == ranks->rank; k++)
      d->is_near[w->cell[k]] = 1;
  for (int c = 0; c < w->n_cells; c++) forked_assert((d->cell[c] >= 0) == has(w, c, d->is_near));
  for (int c = 0; c < m->n_cells; c++) {
    const int of = d->part->cell[c], n = w->cell_start[of + 1] - w->cell_start[of];
    forked_assert(c == 0 || c == d->part->n_own || of > d->part->cell[c - 1]);
    forked_assert((c < d->part->n_own) == (d->cell_rank[of] == ranks->rank));
    forked_assert(m->cell_element[c] == w->cell_element[of] && m->cell_tag[c] == w->cell_tag[of]);
    forked_assert(m->cell_start[c + 1] - m->cell_start[c] == n);
    for (int a = 0; a < n; a++)
      forked_assert(d->part->whole[m->cell[m->cell_start[c] + a]] == w->cell[w->cell_start[of] + a]);
  }
  return PRC_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------------------- */

static int owner_of(const dealt *d, int node) {
  const prc_mesh *w = d->whole;
  double rank = INFINITY;
  if (d->is_kept[node]) return 0;
  for (int c = 0; c < w->n_cells; c++)
    for (int k = w->cell_start[c]; k < w->cell_start[c + 1]; k++)
      if (w->cell[k] == node) rank = fmin(rank, d->cell_rank[c]);
  return isinf(rank) ? 0 : (int)rank;
}

static prc_status nodes_are_those_of_cells(const prc_ranks *ranks, dealt *d, prc_error *err) {
  const prc_mesh *w = d->whole, *m = d->mesh;
  const prc_share *s = &d->part->share;
  int kept = 0;
  forked_assert(s->ranks == ranks && s->width == 2 && s->n == m->n_nodes && s->n_whole == w->n_nodes);
  forked_assert(s->whole == d->part->whole && s->number == d->part->number && s->place == m->x);
  for (int i = 0; i < w->n_nodes; i++) {
    int wanted = d->is_kept[i] || (ranks->rank == 0 && !is_used(w, i));
    for (int c = 0; c < m->n_cells && !wanted; c++)
      for (int k = m->cell_start[c]; k < m->cell_start[c + 1]; k++) wanted |= s->whole[m->cell[k]] == i;
    forked_assert((d->node[i] >= 0) == wanted);
    if (d->is_kept[i]) forked_assert(d->node[i] == kept++);
    if (!wanted) continue;
    forked_assert(memcmp(m->x + 2 * d->node[i], w->x + 2 * i, 2 * sizeof *w->x) == 0);
    forked_assert(m->tag[d->node[i]] == w->tag[i]);
    forked_assert((owner_of(d, i) == ranks->rank) == (d->node[i] >= s->first && d->node[i] < s->end));
  }
  forked_assert(d->part->n_kept == kept && s->first == (ranks->rank ? kept : 0) && s->middle == kept);
  for (int k = kept + 1; k < m->n_nodes; k++) forked_assert(k == s->end || s->whole[k] > s->whole[k - 1]);
  return PRC_OK;
}

/* Own nodes of rank 0, 1, ... follow each other. */
static prc_status numbers_follow_each_other(const prc_ranks *ranks, dealt *d, prc_error *err) {
  const prc_share *s = &d->part->share;
  double before[FORKED_RANKS] = {0.0}, *count = NULL;
  forked_try(prc_new(&count, d->whole->n_nodes, err));
  for (int rank = ranks->rank + 1; rank < ranks->n; rank++) before[rank] = s->end - s->first;
  ranks->sum(ranks->of, ranks->n, before);
  for (int i = s->first; i < s->end; i++) {
    forked_assert(s->number[i] == (int)before[ranks->rank] + i - s->first);
    d->number[s->whole[i]] = s->number[i];
    count[s->number[i]] = 1.0;
  }
  ranks->sum(ranks->of, d->whole->n_nodes, count);
  ranks->sum(ranks->of, d->whole->n_nodes, d->number);
  for (int i = 0; i < d->whole->n_nodes; i++) forked_assert(count[i] == 1.0);
  for (int i = 0; i < s->n; i++) forked_assert(s->number[i] == (int)d->number[s->whole[i]]);
  prc_delete(&count);
  return PRC_OK;
}

static prc_status twins_are_the_same(const prc_ranks *ranks, dealt *d, prc_error *err) {
  forked_assert((d->mesh->twin != NULL) == (d->whole->twin != NULL));
  for (int i = 0; i < d->mesh->n_nodes && d->mesh->twin; i++) {
    const int twin = d->whole->twin[d->part->whole[i]];
    forked_assert(d->mesh->twin[i] == (twin < 0 ? -1 : d->node[twin]));
    if (i < d->part->n_kept && d->n_kept == 2 && twin >= 0) forked_assert(d->mesh->twin[i] < d->part->n_kept);
  }
  return PRC_OK;
}

/* ---- edges and groups ------------------------------------------------------------------------------------ */

static int is_own(const dealt *d, int node) {
  return d->node[node] >= d->part->share.first && d->node[node] < d->part->share.end;
}

static int place(const int *places, int of_whole) {
  return of_whole < 0 ? -1 : places[of_whole];
}

/* Edge e of the whole is edge k of the part. */
static prc_status edges_are_the_same(const prc_ranks *ranks, const dealt *d, int e, int k, prc_error *err) {
  const prc_mesh *w = d->whole, *m = d->mesh;
  for (int a = 0; a < 2; a++) forked_assert(m->edge[2 * k + a] == d->node[w->edge[2 * e + a]]);
  forked_assert(m->edge_middle[k] == place(d->node, w->edge_middle[e]));
  forked_assert(m->edge_cell[k] == d->cell[w->edge_cell[e]]);
  forked_assert((m->edge_beyond != NULL) == (w->edge_beyond != NULL));
  if (!w->edge_beyond) return PRC_OK;
  forked_assert(m->edge_beyond[k] == place(d->cell, w->edge_beyond[e]));
  forked_assert((m->edge_beyond[k] < 0) == (w->edge_beyond[e] < 0));
  return PRC_OK;
}

static prc_status curve_is_the_same(const prc_ranks *ranks, dealt *d, const prc_mesh_group *of,
                                    const prc_mesh_group *g, prc_error *err) {
  const prc_mesh *w = d->whole;
  int n = 0;
  for (int i = 0; i < of->n_cells; i++) {
    const int e = of->cell[i], beyond = w->edge_beyond ? w->edge_beyond[e] : -1, *end = w->edge + 2 * e;
    const int wanted = d->cell[w->edge_cell[e]] >= 0 && (beyond < 0 || d->cell[beyond] >= 0);
    if (is_own(d, end[0]) || is_own(d, end[1]) || (d->is_kept[end[0]] && d->is_kept[end[1]]))
      forked_assert(wanted);
    if (!wanted) continue;
    forked_assert(n < g->n_cells);
    forked_try(edges_are_the_same(ranks, d, e, g->cell[n++], err));
  }
  forked_assert(n == g->n_cells);
  return PRC_OK;
}

static prc_status groups_are_the_same(const prc_ranks *ranks, dealt *d, prc_error *err) {
  forked_assert(d->mesh->n_groups == d->whole->n_groups);
  for (int k = 0; k < d->whole->n_groups; k++) {
    const prc_mesh_group *of = &d->whole->group[k], *g = &d->mesh->group[k];
    int cells = 0, nodes = 0;
    forked_assert(strcmp(g->name, of->name) == 0 && g->dim == of->dim);
    for (int i = 0; i < of->n_nodes; i++) nodes += d->node[of->node[i]] >= 0;
    forked_assert(nodes == g->n_nodes);
    for (int i = 0; i < g->n_nodes; i++) {
      int found = 0;
      for (int j = 0; j < of->n_nodes; j++) found += of->node[j] == d->part->whole[g->node[i]];
      forked_assert(found == 1 && (i == 0 || g->node[i] > g->node[i - 1]));
    }
    for (int i = 1; i < g->n_cells; i++) forked_assert(g->cell[i] > g->cell[i - 1]);
    if (of->dim == 1) {
      forked_try(curve_is_the_same(ranks, d, of, g, err));
      continue;
    }
    for (int i = 0; i < of->n_cells; i++) cells += d->cell[of->cell[i]] >= 0;
    forked_assert(cells == g->n_cells);
    for (int i = 0, j = 0; i < g->n_cells; i++, j = 0) {
      while (j < of->n_cells && of->cell[j] != d->part->cell[g->cell[i]]) j++;
      forked_assert(j < of->n_cells);
    }
  }
  return PRC_OK;
}

/* ---- all of it ------------------------------------------------------------------------------------------- */

static prc_status rank_0_has_most_of_the_kept(const prc_ranks *ranks, dealt *d, prc_error *err) {
  double count[FORKED_RANKS] = {0.0};
  for (int c = 0; c < d->part->n_own; c++) count[ranks->rank] += has(d->whole, d->part->cell[c], d->is_kept);
  ranks->sum(ranks->of, ranks->n, count);
  for (int rank = 1; rank < ranks->n; rank++) forked_assert(count[rank] <= count[0]);
  return PRC_OK;
}

static prc_status rest_is_the_same(const prc_ranks *ranks, dealt *d, prc_error *err) {
  const prc_mesh *w = d->whole, *m = d->mesh;
  forked_assert(m->n_turned == w->n_turned && m->n_unused == w->n_unused);
  forked_assert(memcmp(m->low, w->low, sizeof m->low) == 0 && memcmp(m->high, w->high, sizeof m->high) == 0);
  forked_assert(prc_mesh_hash(m) == prc_mesh_hash(w) && w->part == NULL);
  const double mean = (double)w->n_cells / ranks->n; /* METIS's tolerance is 3 % */
  forked_assert(w->n_cells < 100 || d->part->n_own < 1.1 * mean + 1.0);
  return PRC_OK;
}

static prc_status look(const prc_ranks *ranks, void *data, prc_error *err) {
  dealt d = *(dealt *)data;
  prc_mesh *mesh = ranks->rank == 0 ? d.dealt : NULL;
  forked_try(prc_mesh_distribute(ranks, d.n_kept, d.kept, &mesh, err));
  d.mesh = mesh, d.part = mesh->part;
  forked_try(look_up(ranks, &d, err));
  forked_try(each_cell_is_one_ranks_own(ranks, &d, err));
  forked_try(cells_are_those_around(ranks, &d, err));
  forked_try(nodes_are_those_of_cells(ranks, &d, err));
  forked_try(numbers_follow_each_other(ranks, &d, err));
  forked_try(twins_are_the_same(ranks, &d, err));
  forked_try(groups_are_the_same(ranks, &d, err));
  forked_try(rank_0_has_most_of_the_kept(ranks, &d, err));
  forked_try(rest_is_the_same(ranks, &d, err));
  prc_delete(&d.cell_rank), prc_delete(&d.number), prc_delete(&d.is_kept), prc_delete(&d.is_near);
  prc_delete(&d.node), prc_delete(&d.cell);
  prc_mesh_free(&mesh);
  return PRC_OK;
}

static const struct {
  int n;
  const char *name[3];
} kept[] = {{2, {"fault.right", "fault.left"}}, {0, {NULL}}, {3, {"inside", "top", "fault.left"}}};
enum { KEPT = sizeof kept / sizeof *kept };

START_TEST(parts_are_what_ranks_need) {
  const int type = types[_i % TYPES], other = types[(_i + 3) % TYPES], k = _i / TYPES % KEPT;
  dealt d = {.dealt = path_bodies(type, other), .area = 2.0, .n_kept = kept[k].n};
  prc_mesh *whole = path_bodies(type, other);
  memcpy(d.kept, kept[k].name, sizeof d.kept);
  d.whole = whole;
  forked_ok(numbers[_i / TYPES / KEPT], look, &d);
  prc_mesh_free(&whole), prc_mesh_free(&d.dealt);
}
END_TEST

/* Of as many cells as ranks, and a few more. */
START_TEST(meshes_of_few_cells_are_dealt) {
  static const int size[][2] = {{1, 1}, {2, 1}, {3, 1}, {2, 2}, {4, 2}};
  for (int type = 0; type < TYPES; type++) {
    const plate p = {.type = types[type], .nx = size[_i][0], .ny = size[_i][1], .width = 1.0, .height = 1.0};
    dealt d = {.area = 1.0, .n_kept = type % 2, .kept = {"left"}};
    int most = FORKED_RANKS;
    for (int n = 1; n <= most; n++) {
      prc_mesh *whole = plate_mesh(&p);
      d.whole = whole, d.dealt = plate_mesh(&p);
      forked_ok(n, look, &d);
      if (whole->n_cells < most) most = whole->n_cells;
      prc_mesh_free(&whole), prc_mesh_free(&d.dealt);
    }
  }
}
END_TEST

/* Cells that share no side: bodies of one cell each. */
START_TEST(bodies_of_one_cell_are_dealt) {
  const plate p = {.type = _i ? 9 : 3, .nx = 1, .ny = 1, .width = 1.0, .height = 1.0};
  for (int n = 1; n <= 4; n++) {
    dealt d = {.area = 5.0, .n_kept = 1, .kept = {"top"}};
    prc_mesh *same[2] = {NULL};
    for (int k = 0; k < 2; k++) {
      prc_mesh *part[5];
      for (int i = 0; i < 5; i++) part[i] = plate_mesh(&p);
      support_ok(prc_mesh_join(5, part, &same[k], &error), &error);
    }
    d.whole = same[0], d.dealt = same[1];
    forked_ok(n, look, &d);
    for (int k = 0; k < 2; k++) prc_mesh_free(&same[k]);
  }
}
END_TEST

/* ---- the same parts, refusals and failures --------------------------------------------------------------- */

static prc_status deal_twice(const prc_ranks *ranks, void *data, prc_error *err) {
  dealt *d = data;
  prc_mesh *mesh[2] = {ranks->rank ? NULL : (prc_mesh *)d->whole, ranks->rank ? NULL : d->dealt};
  for (int k = 0; k < 2; k++) forked_try(prc_mesh_distribute(ranks, 0, NULL, &mesh[k], err));
  forked_assert(mesh[0]->n_cells == mesh[1]->n_cells && mesh[0]->part->n_own == mesh[1]->part->n_own);
  forked_assert(memcmp(mesh[0]->part->cell, mesh[1]->part->cell, (size_t)mesh[0]->n_cells * sizeof(int))
                == 0);
  for (int k = 0; k < 2; k++) prc_mesh_free(&mesh[k]);
  return PRC_OK;
}

START_TEST(the_same_mesh_is_dealt_in_the_same_way) {
  const plate p = {
      .type = 3, .nx = 40, .ny = 40, .width = 1.0, .height = 1.0}; /* on smaller ones no seed matters */
  prc_mesh *whole = plate_mesh(&p);
  dealt d = {.whole = whole, .dealt = plate_mesh(&p)};
  forked_ok(5, deal_twice, &d);
  prc_mesh_free(&whole), prc_mesh_free(&d.dealt);
}
END_TEST

static prc_status deal_alone(const prc_ranks *ranks, void *data, prc_error *err) {
  dealt *d = data;
  prc_mesh *mesh = ranks->rank ? NULL : d->dealt;
  const prc_status status = prc_mesh_distribute(ranks, d->n_kept, d->kept, &mesh, err);
  if (status != PRC_OK && mesh != (ranks->rank ? NULL : d->dealt)) return prc_fail(err, PRC_IO, "lost");
  prc_mesh_free(&mesh);
  return status;
}

static void is_refused(int n, dealt *d, const char *text) {
  prc_error result[FORKED_RANKS];
  forked_run(n, deal_alone, d, result);
  for (int i = 0; i < n; i++) {
    ck_assert_int_eq(result[i].status, PRC_INPUT);
    ck_assert_str_eq(result[i].message, text);
  }
}

START_TEST(what_cannot_be_dealt_is_refused_on_all_ranks) {
  const plate three = {.type = 3, .nx = 3, .ny = 1, .width = 1.0, .height = 1.0},
              one = {.type = 3, .nx = 1, .ny = 1, .width = 1.0, .height = 1.0};
  dealt d = {.dealt = plate_mesh(&three), .n_kept = 2, .kept = {"left", "middle"}};
  is_refused(3, &d, "the mesh has no physical curve 'middle', which all ranks were to keep");
  d.n_kept = 1;
  is_refused(4, &d, "the mesh has 3 cells, fewer than the 4 ranks, expected one for each");
  prc_mesh_free(&d.dealt);
  d.dealt = plate_mesh(&one);
  is_refused(2, &d, "the mesh has 1 cell, fewer than the 2 ranks, expected one for each");
  prc_mesh_free(&d.dealt);
}
END_TEST

START_TEST(without_ranks_the_mesh_stays_whole) {
  const plate p = {.type = 3, .nx = 3, .ny = 1, .width = 1.0, .height = 1.0};
  prc_mesh *mesh = plate_mesh(&p), *same = mesh;
  support_ok(prc_mesh_distribute(NULL, 0, NULL, &mesh, &error), &error);
  ck_assert(mesh == same && mesh->part == NULL);
  prc_mesh_free(&mesh);
}
END_TEST

/* The k-th allocation of a rank fails: all ranks are told, nobody waits, nothing is lost. */
typedef struct {
  dealt dealt;
  int rank, k;
} shortage;

static prc_status deal_without_memory(const prc_ranks *ranks, void *data, prc_error *err) {
  shortage *s = data;
  prc_mesh *mesh = ranks->rank ? NULL : s->dealt.dealt;
  prc_error own = {0};
  support_watch(ranks->rank == s->rank ? s->k : 0);
  const prc_status status = prc_mesh_distribute(ranks, s->dealt.n_kept, s->dealt.kept, &mesh, &own);
  const int failed = ranks->rank == s->rank && support_allocator.calls >= s->k;
  if (failed) forked_assert(status == PRC_NOMEM);
  if (status == PRC_NOMEM) forked_assert(mesh == (ranks->rank ? NULL : s->dealt.dealt));
  if (status == PRC_NOMEM) forked_assert(support_allocator.live == 0);
  prc_mesh_free(&mesh);
  support_look_away();
  if (status != PRC_OK) *err = own;
  return status;
}

START_TEST(failed_allocations_are_told_to_all) {
  prc_error result[3];
  int k = 1;
  for (int failed = 1; failed; k++) {
    shortage s = {.rank = _i, .k = k};
    s.dealt = (dealt){.dealt = path_bodies(9, 3), .n_kept = 2, .kept = {"fault.right", "fault.left"}};
    forked_run(3, deal_without_memory, &s, result);
    failed = result[0].status != PRC_OK;
    for (int i = 0; i < 3; i++) {
      ck_assert_int_eq(result[i].status, failed ? PRC_NOMEM : PRC_OK);
      if (failed) ck_assert_msg(strstr(result[i].message, "out of memory"), "%s", result[i].message);
    }
    prc_mesh_free(&s.dealt.dealt);
  }
  ck_assert_int_gt(k, 30); /* some of each step */
}
END_TEST

SUITE(deal) {
  Suite *suite = suite_create("deal");
  TCase *tc = tcase_create("deal");
  tcase_set_timeout(tc, 60.0);
  tcase_add_loop_test(tc, parts_are_what_ranks_need, 0, TYPES * KEPT * NUMBERS);
  tcase_add_loop_test(tc, meshes_of_few_cells_are_dealt, 0, 5);
  tcase_add_loop_test(tc, bodies_of_one_cell_are_dealt, 0, 2);
  tcase_add_test(tc, the_same_mesh_is_dealt_in_the_same_way);
  tcase_add_test(tc, what_cannot_be_dealt_is_refused_on_all_ranks);
  tcase_add_test(tc, without_ranks_the_mesh_stays_whole);
  tcase_add_loop_test(tc, failed_allocations_are_told_to_all, 0, 3);
  suite_add_tcase(suite, tc);
  return suite;
}

#include "config.h"
#include "support/forked_ranks.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ranks: what they agree on, and vectors that they share. */

static const int numbers[] = {1, 2, 3, 4, 7};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* ---- agreement ------------------------------------------------------------------------------------------- */

typedef struct {
  unsigned failing; /* ranks, by bits */
  int lowest;
} failures;

static prc_status fail_some(const prc_ranks *ranks, void *data, prc_error *err) {
  const failures *f = data;
  prc_error own = {0};
  char wanted[64];
  prc_status status = PRC_OK;
  if (f->failing >> ranks->rank & 1U) {
    const prc_status how = ranks->rank % 2 ? PRC_IO : PRC_NOMEM;
    status = prc_fail(&own, how, "this is rank %d", ranks->rank);
  }
  status = prc_ranks_agree(ranks, status, &own);
  if (f->lowest < 0) {
    forked_assert(status == PRC_OK && own.status == PRC_OK);
    return PRC_OK;
  }
  snprintf(wanted, sizeof wanted, "this is rank %d", f->lowest);
  forked_assert(status == (f->lowest % 2 ? PRC_IO : PRC_NOMEM) && own.status == status);
  forked_assert(strcmp(own.message, wanted) == 0);
  if (ranks->rank == 1) return PRC_OK; /* all know it: who asks again waits for nobody */
  forked_assert(prc_ranks_agree(ranks, status, &own) == status && strcmp(own.message, wanted) == 0);
  return PRC_OK;
}

/* Rank 0 fails before the others' first agreement, rank 1 at it, or all come to the last. */
static prc_status fail_midway(const prc_ranks *ranks, void *data, prc_error *err) {
  const int who = *(int *)data;
  prc_status status = PRC_OK;
  for (int k = 0; k < 3 && status == PRC_OK; k++) {
    if (ranks->rank == who && k == who) {
      status = prc_fail(err, PRC_IO, "rank %d, at %d", who, k);
      if (who == 0) break; /* straight to the end */
    }
    status = prc_ranks_agree(ranks, status, err);
  }
  status = prc_ranks_agree(ranks, status, err);
  forked_assert(status == (who < ranks->n ? PRC_IO : PRC_OK));
  forked_assert(who >= ranks->n || strncmp(err->message, "rank ", 5) == 0);
  prc_error_clear(err);
  forked_assert(prc_ranks_agree(ranks, PRC_OK, err) == PRC_OK); /* and nobody is one behind */
  return PRC_OK;
}

START_TEST(a_failure_midway_is_agreed_on_once) {
  int who = _i;
  forked_ok(3, fail_midway, &who);
}
END_TEST

START_TEST(the_lowest_that_fails_speaks_for_all) {
  for (unsigned failing = 0; failing < 8; failing++) {
    failures f = {failing, failing == 0 ? -1 : failing & 1U ? 0 : failing & 2U ? 1 : 2};
    forked_ok(3, fail_some, &f);
  }
  prc_error err = {0};
  ck_assert_int_eq(prc_ranks_agree(NULL, PRC_IO, &err), PRC_IO);
}
END_TEST

/* ---- vectors --------------------------------------------------------------------------------------------- */

/* Item i of the whole is the own of rank i^2 mod n; of rank 0 those divisible by 3 come first. All have copies of their neighbours'. */
enum { WHOLE = 101 };

typedef struct {
  int whole[WHOLE];
  prc_share share;
} shared;

static int owner(int i, int n) {
  return i * i % n;
}

static void append(shared *s, int i) {
  s->whole[s->share.n++] = i;
}

static void share_out(const prc_ranks *ranks, int width, shared *s) {
  const int n = ranks->n, rank = ranks->rank;
  *s = (shared){.share = {.ranks = ranks, .width = width, .n_whole = WHOLE, .whole = s->whole}};
  for (int i = 0; i < WHOLE && rank > 0; i++) /* copies may stand before them, too */
    if (i % 11 == 0 && owner(i, n) != rank) append(s, i);
  s->share.first = s->share.n;
  for (int i = 0; i < WHOLE; i++)
    if (owner(i, n) == rank && rank == 0 && i % 3 == 0) append(s, i);
  s->share.middle = s->share.n;
  for (int i = 0; i < WHOLE; i++)
    if (owner(i, n) == rank && !(rank == 0 && i % 3 == 0)) append(s, i);
  s->share.end = s->share.n;
  for (int i = 0; i < WHOLE; i++)
    if (owner(i, n) != rank && (i % 11 || rank == 0) && (i + rank) % 4 == 0) append(s, i);
}

static double value(int i, int k) {
  return 10.0 * i + k + 0.25;
}

static prc_status gather_and_scatter(const prc_ranks *ranks, void *data, prc_error *err) {
  static const int pieces[] = {1, 2, 7, 40, WHOLE};
  const int width = *(int *)data;
  shared s;
  share_out(ranks, width, &s);
  double x[3 * WHOLE], y[3 * WHOLE], out[3 * WHOLE];
  for (int i = 0; i < s.share.n; i++)
    for (int k = 0; k < width; k++) /* copies are not asked */
      x[width * i + k] = i >= s.share.first && i < s.share.end ? value(s.whole[i], k) : NAN;
  for (size_t piece = 0; piece < sizeof pieces / sizeof *pieces; piece++) {
    for (int k = 0; k < 3 * WHOLE; k++) y[k] = NAN;
    for (int from = 0; from < WHOLE; from += pieces[piece]) {
      const int n = WHOLE - from < pieces[piece] ? WHOLE - from : pieces[piece];
      forked_try(prc_share_gather(&s.share, x, from, n, ranks->rank ? NULL : out, err));
      for (int i = 0; i < n && ranks->rank == 0; i++)
        for (int k = 0; k < width; k++) forked_assert(out[width * i + k] == value(from + i, k));
      forked_try(prc_share_scatter(&s.share, from, n, ranks->rank ? NULL : out, y, err));
    }
    for (int i = 0; i < s.share.n; i++)
      for (int k = 0; k < width; k++) forked_assert(y[width * i + k] == value(s.whole[i], k));
  }
  forked_try(prc_share_gather(&s.share, x, 5, 0, ranks->rank ? NULL : out, err)); /* nothing at all */
  return PRC_OK;
}

START_TEST(vectors_come_together_and_go_apart) {
  int width = 1 + _i / NUMBERS;
  forked_ok(numbers[_i % NUMBERS], gather_and_scatter, &width);
}
END_TEST

static prc_status sum_up(const prc_ranks *ranks, void *data, prc_error *err) {
  (void)data;
  shared s;
  share_out(ranks, 2, &s);
  double total[2] = {0.0, 1.0}, most[1] = {-INFINITY};
  int first, end;
  for (int i = s.share.first; i < s.share.end; i++) {
    total[0] += s.whole[i];
    if (s.whole[i] > most[0]) most[0] = s.whole[i];
  }
  prc_share_sum(&s.share, 2, total);
  prc_share_largest(&s.share, 1, most);
  forked_assert(total[0] == 0.5 * WHOLE * (WHOLE - 1) && total[1] == ranks->n && most[0] == WHOLE - 1);
  prc_share_own(&s.share, 2 * s.share.n, &first, &end);
  forked_assert(first == 2 * s.share.first && end == 2 * s.share.end);
  prc_share_sum(NULL, 2, total);
  prc_share_own(NULL, 17, &first, &end);
  forked_assert(total[1] == ranks->n && first == 0 && end == 17);
  return PRC_OK;
}

START_TEST(sums_are_over_own_items) {
  forked_ok(numbers[_i], sum_up, NULL);
}
END_TEST

/* What other tests rely on: a rank that fails, and one that dies, is told of. */
static prc_status fail_or_die(const prc_ranks *ranks, void *data, prc_error *err) {
  int number = 0;
  if (ranks->rank == 1 && *(int *)data) abort();
  forked_assert(ranks->rank != 1);
  ranks->receive(ranks->of, 1, sizeof number, &number);
  return PRC_OK;
}

START_TEST(failures_of_ranks_are_seen) {
  prc_error result[3];
  int dies = _i;
  forked_run(3, fail_or_die, &dies, result);
  ck_assert_int_eq(result[1].status, dies ? PRC_IO : PRC_DIVERGED);
  ck_assert_ptr_nonnull(strstr(result[1].message, dies ? "rank 1 died" : "rank 1: ranks->rank != 1"));
  ck_assert_str_eq(result[0].message, "rank 0: rank 1 is gone");
  ck_assert_int_eq(result[2].status, PRC_IO);
}
END_TEST

SUITE(ranks) {
  Suite *suite = suite_create("ranks");
  TCase *tc = tcase_create("ranks");
  tcase_set_timeout(tc, 20.0);
  tcase_add_test(tc, the_lowest_that_fails_speaks_for_all);
  tcase_add_loop_test(tc, a_failure_midway_is_agreed_on_once, 0, 4);
  tcase_add_loop_test(tc, vectors_come_together_and_go_apart, 0, 3 * NUMBERS);
  tcase_add_loop_test(tc, sums_are_over_own_items, 0, NUMBERS);
  tcase_add_loop_test(tc, failures_of_ranks_are_seen, 0, 2);
  suite_add_tcase(suite, tc);
  return suite;
}

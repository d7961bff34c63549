#include "config.h"
#include "base/order.h"
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <stdlib.h>
#include <time.h>

/* The checking allocators answer a request that cannot be met with NULL, as the system's does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

/* ---- errors -------------------------------------------------------------------------------------------- */

START_TEST(the_first_error_wins) {
  prc_error err = {0};
  ck_assert_int_eq(prc_error_set(&err, PRC_INPUT, "a.c", 7, "%s is %d", "mu", -1), PRC_INPUT);
  ck_assert_int_eq(prc_error_set(&err, PRC_IO, "b.c", 8, "later"),
                   PRC_IO); /* what happened is still returned */
  ck_assert_int_eq(err.status, PRC_INPUT);
  ck_assert_str_eq(err.file, "a.c");
  ck_assert_int_eq(err.line, 7);
  ck_assert_str_eq(err.message, "mu is -1");
}
END_TEST

START_TEST(a_failure_knows_its_place_in_the_source) {
  prc_error err = {0};
  const int line = __LINE__ + 1;
  ck_assert_int_eq(prc_fail(&err, PRC_DIVERGED, "no"), PRC_DIVERGED);
  ck_assert_int_eq(err.line, line);
  ck_assert_ptr_nonnull(strstr(err.file, "base.c"));
}
END_TEST

START_TEST(an_error_object_is_optional) {
  ck_assert_int_eq(prc_fail(NULL, PRC_IO, "nobody listens"), PRC_IO);
  prc_error_context(NULL, "nobody");
  prc_error_clear(NULL);
}
END_TEST

START_TEST(a_cleared_error_takes_the_next_failure) {
  prc_error err = {0};
  prc_fail(&err, PRC_IO, "first");
  prc_error_clear(&err);
  ck_assert_int_eq(err.status, PRC_OK);
  ck_assert_str_eq(err.message, "");
  prc_fail(&err, PRC_INPUT, "second");
  ck_assert_int_eq(err.status, PRC_INPUT);
  ck_assert_str_eq(err.message, "second");
}
END_TEST

START_TEST(contexts_go_in_front_the_outermost_first) {
  prc_error err = {0};
  prc_fail(&err, PRC_INPUT, "the friction is -1");
  prc_error_context(&err, "contact '%s'", "bottom");
  prc_error_context(&err, "block.yaml:%d", 12);
  ck_assert_str_eq(err.message, "block.yaml:12: contact 'bottom': the friction is -1");
  ck_assert_int_eq(err.status, PRC_INPUT);
}
END_TEST

typedef struct {
  prc_error err;
  char guard[64];
} guarded;

static void arm(guarded *g) {
  memset(g, 0, sizeof *g);
  memset(g->guard, '#', sizeof g->guard);
}

static void expect_unharmed(const guarded *g) {
  for (size_t k = 0; k < sizeof g->guard; k++) ck_assert_int_eq(g->guard[k], '#');
  ck_assert_ptr_nonnull(memchr(g->err.message, '\0', sizeof g->err.message));
}

START_TEST(long_messages_are_cut_and_nothing_overflows) {
  char letters[5000];
  guarded g;
  memset(letters, 'm', sizeof letters - 1);
  letters[sizeof letters - 1] = '\0';
  arm(&g);
  prc_fail(&g.err, PRC_INPUT, "begin %s: the reason", letters);
  expect_unharmed(&g);
  ck_assert_uint_eq(strlen(g.err.message), sizeof g.err.message - 1);
  ck_assert_int_eq(strncmp(g.err.message, "begin mmm", 9), 0);
  ck_assert_str_eq(g.err.message + sizeof g.err.message - 14, "m: the reason");
  prc_error_context(&g.err, "where");
  expect_unharmed(&g);
  ck_assert_uint_eq(strlen(g.err.message), sizeof g.err.message - 1);
  ck_assert_int_eq(strncmp(g.err.message, "where: begin mmm", 16), 0);
}
END_TEST

/* contexts a little shorter and a little longer than the buffer */
START_TEST(long_contexts_are_cut_and_nothing_overflows) {
  char letters[1100];
  guarded g;
  const size_t length = sizeof g.err.message - 6 + (size_t)_i;
  memset(letters, 'c', length);
  letters[length] = '\0';
  arm(&g);
  prc_fail(&g.err, PRC_INPUT, "the message itself");
  prc_error_context(&g.err, "%s", letters);
  expect_unharmed(&g);
  ck_assert_uint_eq(strlen(g.err.message), sizeof g.err.message - 1);
  ck_assert_int_eq(strncmp(g.err.message, "cccc", 4), 0);
}
END_TEST

static prc_status pass_on(int fail, int *freed, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(fail ? prc_fail(err, PRC_STOPPED, "asked to") : PRC_OK);
  *freed += 10;
done:
  *freed += 1;
  return status;
}

START_TEST(a_failed_try_jumps_to_where_things_are_freed) {
  prc_error err = {0};
  int freed = 0;
  ck_assert_int_eq(pass_on(0, &freed, &err), PRC_OK);
  ck_assert_int_eq(freed, 11);
  ck_assert_int_eq(pass_on(1, &freed, &err), PRC_STOPPED);
  ck_assert_int_eq(freed, 12);
}
END_TEST

/* ---- memory -------------------------------------------------------------------------------------------- */

START_TEST(allocated_items_are_zero) {
  prc_error err = {0};
  double *x = NULL;
  support_ok(prc_new(&x, 1000, &err), &err);
  for (int k = 0; k < 1000; k++) ck_assert_double_eq(x[k], 0.0);
  prc_delete(&x);
  ck_assert_ptr_null(x);
  prc_delete(&x); /* NULL is fine */
}
END_TEST

/* Linux lists the mappings of this process, each with its flags: "VmFlags: rd wr mr mw me ac hg". */
static int asks_for_large_pages(const void *at) {
  unsigned long from = 0, to = 0, begin, end;
  char line[512];
  int found = 0;
  FILE *file = fopen("/proc/self/smaps", "r");
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) from = begin, to = end;
    if (strncmp(line, "VmFlags:", 8) == 0 && from <= (unsigned long)at && (unsigned long)at < to)
      found = strstr(line, " hg") != NULL;
  }
  if (file) fclose(file);
  return found;
}

START_TEST(large_blocks_ask_for_large_pages_and_small_ones_do_not) {
  enum { LARGE = 64 << 20, SMALL = 1 << 20 };
  prc_error err = {0};
  char *large = NULL, *small = NULL;
  ck_assert_int_eq(prc_new(&large, LARGE, &err), PRC_OK);
  ck_assert_int_eq(prc_new(&small, SMALL, &err), PRC_OK);
  for (int k = 0; k < LARGE; k += 4096) ck_assert_int_eq(large[k], 0);
  if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) == 0) {
    ck_assert(asks_for_large_pages(large + LARGE / 2));
    ck_assert(!asks_for_large_pages(small + SMALL / 2));
  }
  memset(large, 1, LARGE);
  prc_memory_large_pages(large + 3, LARGE - 5); /* what is there stays, wherever it begins */
  prc_memory_large_pages(NULL, 0);
  ck_assert(large[0] == 1 && memcmp(large, large + 1, LARGE - 1) == 0);
  prc_delete(&large);
  prc_delete(&small);
}
END_TEST

START_TEST(no_items_are_not_out_of_memory) {
  prc_error err = {0};
  double *x = NULL;
  support_ok(prc_new(&x, 0, &err), &err);
  ck_assert_ptr_nonnull(x);
  prc_delete(&x);
  support_ok(prc_allocate(5, 0, &x, &err), &err);
  prc_delete(&x);
}
END_TEST

START_TEST(a_product_that_overflows_is_refused) {
  static const size_t count[] = {SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 2, (size_t)-1};
  for (size_t k = 0; k < sizeof count / sizeof *count; k++) {
    prc_error err = {0};
    double *x = NULL;
    support_fails(prc_allocate(count[k], 8, &x, &err), PRC_NOMEM, &err, "out of memory");
    ck_assert_ptr_null(x);
  }
}
END_TEST

START_TEST(growing_keeps_the_content_and_zeroes_the_rest) {
  prc_error err = {0};
  int *list = NULL;
  size_t capacity = 0;
  for (int k = 0; k < 1000; k++) {
    const size_t before = capacity;
    support_ok(prc_grow(&list, &capacity, (size_t)k + 1, sizeof *list, &err), &err);
    ck_assert_uint_gt(capacity, (size_t)k);
    for (size_t l = before; l < capacity; l++) ck_assert_int_eq(list[l], 0);
    list[k] = k + 1;
  }
  for (int k = 0; k < 1000; k++) ck_assert_int_eq(list[k], k + 1);
  ck_assert_uint_le(capacity, 2000); /* doubling, so that a thousand items take a few calls */
  prc_delete(&list);
}
END_TEST

START_TEST(a_block_that_is_large_enough_stays_where_it_is) {
  prc_error err = {0};
  int *list = NULL;
  size_t capacity = 0;
  support_ok(prc_grow(&list, &capacity, 100, sizeof *list, &err), &err);
  const int *before = list;
  const size_t size = capacity;
  support_ok(prc_grow(&list, &capacity, size, sizeof *list, &err), &err);
  ck_assert_ptr_eq(list, before);
  ck_assert_uint_eq(capacity, size);
  prc_delete(&list);
}
END_TEST

START_TEST(growth_that_overflows_is_refused_and_the_block_stays) {
  static const size_t needed[] = {SIZE_MAX, SIZE_MAX / 2 + 2, SIZE_MAX / 4, SIZE_MAX / 8 + 1};
  double *list = NULL;
  size_t capacity = 0;
  prc_error none = {0};
  support_ok(prc_grow(&list, &capacity, 16, sizeof *list, &none), &none);
  list[15] = 3.5;
  for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
    prc_error err = {0};
    support_fails(prc_grow(&list, &capacity, needed[k], sizeof *list, &err), PRC_NOMEM, &err,
                  "out of memory");
    ck_assert_uint_eq(capacity, 16);
    ck_assert_double_eq(list[15], 3.5);
  }
  prc_delete(&list);
}
END_TEST

START_TEST(bytes_beyond_what_can_be_counted_are_refused) {
  prc_bytes bytes = {0};
  prc_error err = {0};
  support_ok(prc_bytes_put(&bytes, "ab", 2, &err), &err);
  support_fails(prc_bytes_put(&bytes, "", SIZE_MAX - 1, &err), PRC_NOMEM, &err, "out of memory");
  ck_assert_uint_eq(bytes.used, 2);
  prc_delete(&bytes.at);
}
END_TEST

START_TEST(a_copied_text_is_its_own) {
  prc_error err = {0};
  char text[] = "bottom", *copy = NULL, *empty = NULL;
  support_ok(prc_strdup(text, &copy, &err), &err);
  text[0] = 'B';
  ck_assert_str_eq(copy, "bottom");
  support_ok(prc_strdup("", &empty, &err), &err);
  ck_assert_str_eq(empty, "");
  prc_delete(&copy);
  prc_delete(&empty);
}
END_TEST

/* ---- log ----------------------------------------------------------------------------------------------- */

typedef struct {
  int calls;
  prc_log_level level;
  size_t length;
  char text[64]; /* its beginning */
} ear;

static void listen(void *to, prc_log_level level, const char *text) {
  ear *e = to;
  e->calls++;
  e->level = level;
  e->length = strlen(text);
  strncpy(e->text, text, sizeof e->text - 1);
}

START_TEST(the_log_hears_one_line_with_its_level) {
  ear e = {0};
  const prc_log log = {listen, &e};
  prc_log_message(&log, PRC_LOG_WARNING, "%d nodes are unused", 3);
  ck_assert_int_eq(e.calls, 1);
  ck_assert_int_eq(e.level, PRC_LOG_WARNING);
  ck_assert_str_eq(e.text, "3 nodes are unused");
  prc_log_message(&log, PRC_LOG_INFO, "%05000d", 1); /* longer than any line */
  ck_assert_int_eq(e.calls, 2);
  ck_assert_int_eq(e.level, PRC_LOG_INFO);
  ck_assert_uint_lt(e.length, 5000);
}
END_TEST

START_TEST(a_log_that_is_absent_says_nothing) {
  const prc_log deaf = {NULL, NULL};
  prc_log_message(NULL, PRC_LOG_INFO, "nobody");
  prc_log_message(&deaf, PRC_LOG_INFO, "nobody");
}
END_TEST

/* ---- fields -------------------------------------------------------------------------------------------- */

static prc_status plane_wave(const prc_field *field, double x, double y, double t, double *value,
                             prc_error *err) {
  const double *speed = field->data;
  if (t < 0.0) return prc_fail(err, PRC_INPUT, "t is %g", t);
  *value = x + 10.0 * y - *speed * t;
  return PRC_OK;
}

START_TEST(a_constant_is_the_same_everywhere_and_always) {
  prc_error err = {0};
  const prc_field field = prc_field_constant(-0.005);
  double value = 0.0;
  support_ok(prc_field_eval(&field, 3.0, -7.0, 1e6, &value, &err), &err);
  ck_assert_double_eq(value, -0.005);
  ck_assert_int_eq(field.uses_time + field.uses_place, 0);
}
END_TEST

START_TEST(a_field_is_evaluated_at_its_place_and_time) {
  prc_error err = {0};
  double speed = 100.0, value = 0.0;
  const prc_field field = {
      .eval = plane_wave, .data = &speed, .constant = 9.0, .uses_time = 1, .uses_place = 1};
  support_ok(prc_field_eval(&field, 1.0, 2.0, 0.5, &value, &err), &err);
  ck_assert_double_eq(value, -29.0);
  support_fails(prc_field_eval(&field, 1.0, 2.0, -1.0, &value, &err), PRC_INPUT, &err, "t is -1");
}
END_TEST

/* ---- clock and random numbers -------------------------------------------------------------------------- */

START_TEST(the_clock_does_not_run_backwards) {
  double last = prc_clock();
  for (int k = 0; k < 1000; k++) {
    const double now = prc_clock();
    ck_assert_double_ge(now, last);
    last = now;
  }
}
END_TEST

/* the first numbers of Vigna's splitmix64.c from the seed 1234567, and from 0 */
START_TEST(random_numbers_are_those_of_splitmix64) {
  static const uint64_t expected[5] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                       UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                       UINT64_C(16408922859458223821)};
  prc_random r = {1234567}, zero = {0};
  for (int k = 0; k < 5; k++) ck_assert(prc_random_bits(&r) == expected[k]);
  ck_assert(prc_random_bits(&zero) == UINT64_C(0xe220a8397b1dcdaf));
}
END_TEST

START_TEST(the_same_seed_gives_the_same_numbers) {
  prc_random a = {42}, b = {42}, c = {43};
  int differs = 0;
  for (int k = 0; k < 100; k++) {
    const double x = prc_random_uniform(&a, -1.0, 1.0);
    ck_assert_double_eq(x, prc_random_uniform(&b, -1.0, 1.0));
    differs += x != prc_random_uniform(&c, -1.0, 1.0);
  }
  ck_assert_int_eq(differs, 100);
}
END_TEST

/* 100 000 numbers in ten bins: each holds 10 000 +- 5 standard deviations of 95, as do mean and variance. */
START_TEST(random_numbers_are_uniform_in_their_range) {
  enum { N = 100000 };
  const double low = -3.0, high = 5.0, width = high - low;
  prc_random r = {7};
  int bin[10] = {0};
  double sum = 0.0, squares = 0.0;
  for (int k = 0; k < N; k++) {
    const double x = prc_random_uniform(&r, low, high), z = (x - low) / width - 0.5;
    ck_assert_double_ge(x, low);
    ck_assert_double_lt(x, high);
    bin[(int)(10.0 * (z + 0.5))]++;
    sum += z;
    squares += z * z;
  }
  for (int k = 0; k < 10; k++) ck_assert_double_lt(fabs(bin[k] - 0.1 * N), 475.0);
  ck_assert_double_lt(fabs(sum / N), 5.0 * sqrt(1.0 / 12.0 / N));
  ck_assert_double_lt(fabs(squares / N - 1.0 / 12.0), 5.0 * sqrt(1.0 / 180.0 / N));
}
END_TEST

START_TEST(an_empty_range_holds_one_number) {
  prc_random r = {1};
  ck_assert_double_eq(prc_random_uniform(&r, 2.5, 2.5), 2.5);
}
END_TEST

/* ---- work in the background ---------------------------------------------------------------------------- */

typedef struct {
  int n_done, fails_at; /* the piece of work that fails, 0: none */
  int blocked;          /* SIGINT, in the thread of the work */
  pthread_t thread;
} labour;

static prc_status one_piece(void *data, prc_error *err) {
  labour *l = data;
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  l->blocked = sigismember(&mask, SIGINT);
  l->thread = pthread_self();
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* so that who does not wait is caught */
  if (++l->n_done == l->fails_at) return prc_fail(err, PRC_IO, "piece %d failed", l->n_done);
  return PRC_OK;
}

START_TEST(work_in_the_background_is_done_by_another_thread_that_takes_no_signals) {
  prc_background *b = NULL;
  prc_error err = {0};
  labour l = {0};
  sigset_t mask;
  support_ok(prc_background_create(&b, &err), &err);
  for (int k = 0; k < 5; k++) support_ok(prc_background_begin(b, one_piece, &l, &err), &err);
  support_ok(prc_background_wait(b, &err), &err);
  ck_assert_int_eq(l.n_done, 5);
  ck_assert(!pthread_equal(l.thread, pthread_self()));
  ck_assert_int_eq(l.blocked, 1);
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  ck_assert_int_eq(sigismember(&mask, SIGINT), 0);
  prc_background_free(&b);
  ck_assert_ptr_null(b);
}
END_TEST

START_TEST(a_failure_in_the_background_is_told_once_and_begins_nothing) {
  prc_background *b = NULL;
  prc_error err = {0};
  labour l = {.fails_at = 1};
  support_ok(prc_background_create(&b, &err), &err);
  support_ok(prc_background_begin(b, one_piece, &l, &err), &err);
  support_fails(prc_background_begin(b, one_piece, &l, &err), PRC_IO, &err, "piece 1 failed");
  ck_assert_int_eq(l.n_done, 1);
  prc_error_clear(&err);
  support_ok(prc_background_wait(b, &err), &err);
  l.fails_at = 2;
  support_ok(prc_background_begin(b, one_piece, &l, &err), &err);
  support_fails(prc_background_wait(b, &err), PRC_IO, &err, "piece 2 failed");
  prc_background_free(&b);
}
END_TEST

START_TEST(what_was_begun_is_finished_before_the_thread_goes) {
  prc_background *b = NULL;
  prc_error err = {0};
  labour l = {0};
  support_ok(prc_background_create(&b, &err), &err);
  support_ok(prc_background_begin(b, one_piece, &l, &err), &err);
  prc_background_free(&b);
  ck_assert_int_eq(l.n_done, 1);
  prc_background_free(&b);
}
END_TEST

START_TEST(without_a_background_work_is_done_in_place) {
  prc_error err = {0};
  labour l = {.fails_at = 2};
  support_ok(prc_background_begin(NULL, one_piece, &l, &err), &err);
  ck_assert_int_eq(l.n_done, 1);
  ck_assert(pthread_equal(l.thread, pthread_self()));
  support_ok(prc_background_wait(NULL, &err), &err);
  support_fails(prc_background_begin(NULL, one_piece, &l, &err), PRC_IO, &err, "piece 2 failed");
}
END_TEST

/* ---- texts and lists ----------------------------------------------------------------------------------- */

START_TEST(a_printed_text_grows_and_ends_with_a_zero_that_does_not_count) {
  prc_error err = {0};
  prc_bytes text = {0};
  char expected[2000] = "";
  for (int k = 0; k < 200; k++) {
    snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%d, ", k);
    support_ok(prc_bytes_print(&text, &err, "%d, ", k), &err);
    ck_assert_str_eq(text.at, expected);
    ck_assert_uint_eq(text.used, strlen(expected));
  }
  support_ok(prc_bytes_put(&text, "end", 4, &err), &err); /* in the place of that zero */
  ck_assert_str_eq(text.at + strlen(expected), "end");
  prc_delete(&text.at);
}
END_TEST

START_TEST(beginnings_and_ends_of_texts_are_compared_as_a_whole) {
  ck_assert(prc_begins_with("step-1.vtu", "step-") && prc_begins_with("a", "a") && prc_begins_with("a", ""));
  ck_assert(!prc_begins_with("step", "step-") && !prc_begins_with("astep-", "step-"));
  ck_assert(prc_ends_with("block.geo", ".geo") && prc_ends_with("a", "a") && prc_ends_with("a", ""));
  ck_assert(!prc_ends_with("geo", ".geo") && !prc_ends_with("block.geo.msh", ".geo"));
}
END_TEST

START_TEST(an_appended_text_is_cut_where_there_is_no_more_room) {
  char text[12] = "top";
  memset(text + 8, '#', 4);
  prc_append(text, 8, ", %s", "bottom");
  ck_assert_str_eq(text, "top, bo");
  prc_append(text, 8, ", %s", "left");
  ck_assert_str_eq(text, "top, bo");
  ck_assert_int_eq(memcmp(text + 8, "####", 4), 0);
}
END_TEST

START_TEST(the_lower_bound_is_that_of_a_search_one_by_one) {
  prc_random r = {7};
  int list[20];
  for (size_t n = 0; n <= 20; n++) {
    for (size_t k = 0; k < n; k++) list[k] = (int)prc_random_uniform(&r, 0.0, 12.0);
    qsort(list, n, sizeof *list, prc_by_int);
    for (int wanted = -1; wanted <= 12; wanted++) {
      size_t first = 0;
      while (first < n && list[first] < wanted) first++;
      ck_assert_uint_eq(prc_lower_bound(&wanted, list, n, sizeof *list, prc_by_int), first);
    }
  }
}
END_TEST

/* ---- work apart ---------------------------------------------------------------------------------------- */

typedef struct {
  int way;
} ending;

static prc_status end_as_told(void *data, prc_bytes *out, prc_error *failure) {
  (void)out, (void)failure;
  const ending *e = data;
  if (e->way == 0) pause();
  if (e->way == 1) raise(SIGTERM);
  if (e->way == 2) _exit(EXIT_SUCCESS);
  if (e->way == 3) raise(SIGKILL);
  if (e->way == 4) _exit(EXIT_FAILURE);
  return PRC_OK;
}

START_TEST(a_child_that_does_not_end_well_is_a_message) {
  static const struct {
    prc_status status;
    const char *text;
  } expected[] = {{PRC_INPUT, "the work takes more than 1 s"},
                  {PRC_STOPPED, "the work was stopped"},
                  {PRC_IO, "the work gave no answer"},
                  {PRC_INPUT, "the work ends in 'Killed'"},
                  {PRC_INPUT, "the work ends in 'a fault'"}};
  const prc_subprocess_limits limits = {.what = "the work", .seconds = 1};
  prc_error failure = {0};
  prc_bytes out = {0};
  ending e = {_i};
  support_fails(prc_subprocess_run(&limits, end_as_told, &e, &out, &failure), expected[_i].status, &failure,
                expected[_i].text);
  prc_delete(&out.at);
}
END_TEST

static const int crashes[] = {SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGABRT};

static void end_well(int number) {
  (void)number;
  _exit(EXIT_SUCCESS);
}

static prc_status crash(void *data, prc_bytes *out, prc_error *at) {
  (void)out, (void)at;
  raise(*(const int *)data);
  return PRC_OK;
}

START_TEST(handlers_of_crashes_are_not_the_childs) {
  const prc_subprocess_limits limits = {.what = "the work", .seconds = 20};
  prc_error failure = {0};
  prc_bytes out = {0};
  int number = crashes[_i];
  char text[128];
  snprintf(text, sizeof text, "the work ends in '%s'", strsignal(number));
  ck_assert(signal(number, end_well) != SIG_ERR);
  support_fails(prc_subprocess_run(&limits, crash, &number, &out, &failure), PRC_INPUT, &failure, text);
  ck_assert(signal(number, SIG_DFL) == end_well);
  prc_delete(&out.at);
}
END_TEST

/* ---- texts of others ----------------------------------------------------------------------------------- */

static const struct {
  const char *text, *shown;
} texts[] = {
    {"plain text, with 'quotes' and \\", "plain text, with 'quotes' and \\"},
    {"\u00e9t\u00e9 \u03bb \u4e2d \U0001f600", "\u00e9t\u00e9 \u03bb \u4e2d \U0001f600"},
    {"\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"}, /* a joiner is part of the writing */
    {"\x1b[2Jgone\x1b]0;title\a", "\\x1b[2Jgone\\x1b]0;title\\x07"},
    {"two\nlines\tand\rone", "two\\nlines\\tand\\x0done"},
    {"\302\23331m", "\\u009b31m"}, /* the control of one character that stands for ESC [ */
    {"\u202eevil\u2066", "\\u202eevil\\u2066"},
    {"\ufeff\u200b\u00ad", "\\ufeff\\u200b\\u00ad"},
    {"\U000e0041", "\\U000e0041"},
    {"h\xf6he\xc3", "h\\xf6he\\xc3"},
    {"\x7f", "\\x7f"},
    {"", ""},
};

START_TEST(texts_of_others_are_shown_without_what_moves_a_terminal) {
  char shown[128];
  prc_error err = {0};
  prc_escape(texts[_i].text, shown, sizeof shown);
  ck_assert_str_eq(shown, texts[_i].shown);
  prc_fail(&err, PRC_INPUT, "'%s' is wrong", texts[_i].text);
  prc_error_context(&err, "%s", texts[_i].text);
  char expected[512];
  snprintf(expected, sizeof expected, "%s: '%s' is wrong", texts[_i].shown, texts[_i].shown);
  ck_assert_str_eq(err.message, expected);
}
END_TEST

START_TEST(a_text_is_shown_as_far_as_there_is_room) {
  char shown[8];
  prc_escape("ab\x1b!", shown, sizeof shown);
  ck_assert_str_eq(shown, "ab\\x1b!");
  prc_escape("abcd\x1b!", shown, sizeof shown); /* not half of it */
  ck_assert_str_eq(shown, "abcd");
}
END_TEST

SUITE(base) {
  Suite *suite = suite_create("base");
  TCase *errors = tcase_create("errors"), *memory = tcase_create("memory"), *rest = tcase_create("rest"),
        *background = tcase_create("background");
  tcase_add_test(errors, the_first_error_wins);
  tcase_add_test(errors, a_failure_knows_its_place_in_the_source);
  tcase_add_test(errors, an_error_object_is_optional);
  tcase_add_test(errors, a_cleared_error_takes_the_next_failure);
  tcase_add_test(errors, contexts_go_in_front_the_outermost_first);
  tcase_add_test(errors, long_messages_are_cut_and_nothing_overflows);
  tcase_add_loop_test(errors, long_contexts_are_cut_and_nothing_overflows, 0, 12);
  tcase_add_test(errors, a_failed_try_jumps_to_where_things_are_freed);
  tcase_add_test(memory, allocated_items_are_zero);
  tcase_add_test(memory, large_blocks_ask_for_large_pages_and_small_ones_do_not);
  tcase_add_test(memory, no_items_are_not_out_of_memory);
  tcase_add_test(memory, a_product_that_overflows_is_refused);
  tcase_add_test(memory, growing_keeps_the_content_and_zeroes_the_rest);
  tcase_add_test(memory, a_block_that_is_large_enough_stays_where_it_is);
  tcase_add_test(memory, growth_that_overflows_is_refused_and_the_block_stays);
  tcase_add_test(memory, bytes_beyond_what_can_be_counted_are_refused);
  tcase_add_test(memory, a_copied_text_is_its_own);
  tcase_add_test(memory, a_printed_text_grows_and_ends_with_a_zero_that_does_not_count);
  tcase_add_test(rest, beginnings_and_ends_of_texts_are_compared_as_a_whole);
  tcase_add_test(rest, an_appended_text_is_cut_where_there_is_no_more_room);
  tcase_add_test(rest, the_lower_bound_is_that_of_a_search_one_by_one);
  tcase_add_loop_test(rest, texts_of_others_are_shown_without_what_moves_a_terminal, 0,
                      (int)(sizeof texts / sizeof *texts));
  tcase_add_test(rest, a_text_is_shown_as_far_as_there_is_room);
  tcase_add_test(rest, the_log_hears_one_line_with_its_level);
  tcase_add_test(rest, a_log_that_is_absent_says_nothing);
  tcase_add_test(rest, a_constant_is_the_same_everywhere_and_always);
  tcase_add_test(rest, a_field_is_evaluated_at_its_place_and_time);
  tcase_add_test(rest, the_clock_does_not_run_backwards);
  tcase_add_test(rest, random_numbers_are_those_of_splitmix64);
  tcase_add_test(rest, the_same_seed_gives_the_same_numbers);
  tcase_add_test(rest, random_numbers_are_uniform_in_their_range);
  tcase_add_test(rest, an_empty_range_holds_one_number);
  tcase_add_loop_test(rest, a_child_that_does_not_end_well_is_a_message, 0, 5);
  if (!getenv("PRC_SANITIZED")) /* its handlers report to us: a child keeps them */
    tcase_add_loop_test(rest, handlers_of_crashes_are_not_the_childs, 0, sizeof crashes / sizeof *crashes);
  tcase_add_test(background, work_in_the_background_is_done_by_another_thread_that_takes_no_signals);
  tcase_add_test(background, a_failure_in_the_background_is_told_once_and_begins_nothing);
  tcase_add_test(background, what_was_begun_is_finished_before_the_thread_goes);
  tcase_add_test(background, without_a_background_work_is_done_in_place);
  suite_add_tcase(suite, errors);
  suite_add_tcase(suite, memory);
  suite_add_tcase(suite, background);
  suite_add_tcase(suite, rest);
  return suite;
}

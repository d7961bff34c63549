/* Contacts with identities: in whatever order they are found, they stand by their ids, and what is remembered follows these. Laws. */
#include "config.h"
#include "support/allocator.h"
#include "support/support.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static prc_law rough;

static void begin(void) {
  prc_error_clear(&err);
  rough = prc_law_coulomb(0.3, 0.5, 0.0);
}

static prc_contact contact(uint32_t a, uint32_t b, uint32_t feature_a, uint32_t feature_b, const int dof[2]) {
  return (prc_contact){.id = {a, b, feature_a, feature_b},
                       .body = {(int)a, (int)b},
                       .n_dof = 2,
                       .dof = dof,
                       .law = &rough,
                       .size = 1.0 + b};
}

/* n contacts that are told apart by `place`, shuffled by the seed; dofs and sizes say whose they are. */
static void fill(prc_contact_set *set, int n, uint64_t seed, int *changed) {
  prc_random random = {seed};
  int *order = malloc((size_t)n * sizeof *order);
  for (int k = 0; k < n; k++) order[k] = k;
  for (int k = n - 1; k > 0; k--) {
    const int other = (int)(prc_random_bits(&random) % (uint64_t)(k + 1)), swap = order[k];
    order[k] = order[other], order[other] = swap;
  }
  prc_contact_set_begin(set, 2);
  for (int k = 0; k < n; k++) {
    const uint32_t c = (uint32_t)order[k];
    const prc_contact one =
        contact(c / 1000, c / 100 % 10, c / 10 % 10, c % 10, (int[]){order[k], 2 * order[k]});
    support_ok(prc_contact_set_add(set, &one, &err), &err);
  }
  support_ok(prc_contact_set_end(set, changed, &err), &err);
  free(order);
}

/* _i: the seed */
START_TEST(contacts_stand_by_their_ids) {
  static const int sizes[] = {0, 1, 2, 17, 3000};
  prc_contact_set set = {0};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const int n = sizes[s];
    int changed = 0;
    fill(&set, n, (uint64_t)_i + 1, &changed);
    ck_assert_int_eq(set.n, n);
    ck_assert_int_eq(set.H.n, n);
    ck_assert_int_eq(changed, 1);
    ck_assert_int_eq(set.H.start[0], 0);
    for (int c = 0; c < n; c++) {
      ck_assert_int_eq(set.H.start[c + 1], 2 * (c + 1));
      ck_assert(set.H.dof[2 * c] == c && set.H.dof[2 * c + 1] == 2 * c);
      ck_assert_int_eq(set.body[2 * c + 1], c / 100 % 10);
      ck_assert_double_eq(set.size[c], 1.0 + c / 100 % 10);
      ck_assert_ptr_eq(set.law[c], &rough);
      ck_assert_int_eq(prc_contact_set_place(&set, &set.id[c]), c);
    }
    fill(&set, n, (uint64_t)_i + 7, &changed);
    ck_assert_int_eq(changed, 0);
  }
  const prc_contact_id absent = {UINT32_MAX, 0, 0, 0};
  ck_assert_int_eq(prc_contact_set_place(&set, &absent), -1);
  prc_contact_set_free(&set);
}
END_TEST

START_TEST(each_of_the_four_numbers_tells_contacts_apart_and_the_first_counts_most) {
  const prc_contact_id list[] = {
      {0, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {UINT32_MAX, 0, 0, 0}};
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5; b++)
      ck_assert_int_eq(prc_contact_id_compare(&list[a], &list[b]), (a > b) - (a < b));
}
END_TEST

START_TEST(an_id_that_stands_twice_is_refused) {
  prc_contact_set set = {0};
  prc_contact_set_begin(&set, 2);
  for (int k = 0; k < 3; k++) {
    const prc_contact one = contact(4, 5, 6, k == 1 ? 8 : 7, (int[]){0, 1});
    support_ok(prc_contact_set_add(&set, &one, &err), &err);
  }
  support_fails(prc_contact_set_end(&set, NULL, &err), PRC_INPUT, &err,
                "two contacts have the id (4, 5, 6, 7)");
  prc_contact_set_free(&set);
}
END_TEST

/* Percussions and states follow the ids of those that were active, through sets that lose, gain and reorder; what was open begins anew, and
 * who returns after a step away too. */
START_TEST(what_is_remembered_follows_the_id) {
  prc_contact_set set = {0};
  fill(&set, 40, 3, NULL);
  for (int c = 0; c < 40; c++) {
    if (c % 2) set.p[2 * c] = 1.0 + c, set.p[2 * c + 1] = -0.5 * c;
    for (int k = 0; k < PRC_LAW_STATE; k++) set.state[PRC_LAW_STATE * c + k] = 100.0 * c + k;
  }
  prc_contact_set_begin(&set, 2);
  for (int c = 59; c >= 20; c--) { /* the first half is gone, as many are new, found from the end */
    const prc_contact one = contact(0, 0, (uint32_t)c / 10, (uint32_t)c % 10, (int[]){c, 0});
    support_ok(prc_contact_set_add(&set, &one, &err), &err);
  }
  int changed = 0;
  support_ok(prc_contact_set_end(&set, &changed, &err), &err);
  ck_assert_int_eq(changed, 1);
  for (int k = 0; k < 40; k++) {
    const int c = 20 + k, kept = c < 40 && c % 2;
    ck_assert_int_eq(set.H.dof[2 * k], c);
    ck_assert_double_eq(set.p[2 * k], kept ? 1.0 + c : 0.0);
    ck_assert_double_eq(set.p[2 * k + 1], kept ? -0.5 * c : 0.0);
    for (int i = 0; i < PRC_LAW_STATE; i++)
      ck_assert_double_eq(set.state[PRC_LAW_STATE * k + i], kept ? 100.0 * c + i : 0.0);
  }
  fill(&set, 40, 9, NULL); /* 0 to 19 are back */
  for (int c = 0; c < 40; c++) ck_assert_double_eq(set.p[2 * c], c >= 20 && c % 2 ? 1.0 + c : 0.0);
  prc_contact_set_free(&set);
}
END_TEST

START_TEST(a_tangential_percussion_alone_counts_as_active_and_minus_zero_does_not) {
  prc_contact_set set = {0};
  fill(&set, 2, 1, NULL);
  set.p[0] = -0.0, set.p[1] = 0.0, set.state[0] = 7.0;
  set.p[2] = 0.0, set.p[3] = 1e-300, set.state[PRC_LAW_STATE] = 8.0;
  fill(&set, 2, 2, NULL);
  ck_assert_double_eq(set.state[0], 0.0);
  ck_assert_double_eq(set.state[PRC_LAW_STATE], 8.0);
  prc_contact_set_free(&set);
}
END_TEST

START_TEST(within_its_capacity_a_search_allocates_nothing) {
  prc_contact_set set = {0};
  prc_status status = PRC_OK;
  fill(&set, 300, 1, NULL), fill(&set, 299, 2, NULL);
  support_watch(0);
  for (int round = 0; round < 10 && status == PRC_OK; round++) {
    prc_contact_set_begin(&set, 2);
    for (int k = 0; k < 300 - 7 * round && status == PRC_OK; k++) {
      const uint32_t c = (uint32_t)(round % 2 ? 299 - k : k);
      const prc_contact one = contact(c / 100, c / 10 % 10, c % 10, 0, (int[]){0, 1});
      status = prc_contact_set_add(&set, &one, &err);
    }
    if (status == PRC_OK) status = prc_contact_set_end(&set, NULL, &err);
  }
  support_look_away();
  support_ok(status, &err);
  ck_assert_int_eq(support_allocator.calls, 0);
  prc_contact_set_free(&set);
}
END_TEST

START_TEST(every_refused_allocation_of_a_search_is_survived) {
  int n = 1;
  for (prc_status status = PRC_NOMEM; status != PRC_OK; n++) {
    prc_contact_set set = {0};
    prc_error_clear(&err);
    status = PRC_OK;
    support_watch(n);
    prc_contact_set_begin(&set, 2);
    for (int k = 0; k < 60 && status == PRC_OK; k++) {
      const prc_contact one = contact(0, 0, (uint32_t)(59 - k), 0, (int[]){0, 1});
      status = prc_contact_set_add(&set, &one, &err);
    }
    if (status == PRC_OK) status = prc_contact_set_end(&set, NULL, &err);
    prc_contact_set_free(&set);
    support_look_away();
    ck_assert(status == PRC_OK || status == PRC_NOMEM);
    ck_assert_int_eq((int)support_allocator.live, 0);
  }
  ck_assert_int_gt(n, 15);
}
END_TEST

/* ---- laws ---------------------------------------------------------------------------------------------------------------- */

/* A search of many more contacts that ends with an id twice, or not at all: the next one remembers what was before it. */
START_TEST(a_search_that_failed_changes_nothing_of_what_is_remembered) {
  enum { MORE = 500 };
  prc_contact_set set = {0};
  int changed = 0;
  fill(&set, 7, 3, &changed);
  set.p[2 * 4] = 2.5, set.p[2 * 4 + 1] = -0.5;
  for (int attempt = 0; attempt < 3; attempt++) {
    prc_contact_set_begin(&set, 2);
    for (int k = 0; k < MORE; k++) {
      const prc_contact one = contact(0, 0, (uint32_t)k / 10, (uint32_t)(k % 10), (int[]){0, 1});
      support_ok(prc_contact_set_add(&set, &one, &err), &err);
      if (k == 0) support_ok(prc_contact_set_add(&set, &one, &err), &err);
    }
    if (_i == 0) ck_assert_int_eq(prc_contact_set_end(&set, &changed, &err), PRC_INPUT);
    prc_error_clear(&err);
  }
  fill(&set, 7, 5, &changed);
  ck_assert_int_eq(changed, 0);
  for (int c = 0; c < 7; c++) ck_assert_double_eq(set.p[2 * c], c == 4 ? 2.5 : 0.0);
  ck_assert_double_eq(set.p[2 * 4 + 1], -0.5);
  prc_contact_set_free(&set);
}
END_TEST

START_TEST(a_set_serves_another_dimension) {
  prc_contact_set set = {0};
  const int dof[] = {0, 1};
  for (int dim = 1; dim <= 4; dim++) {
    int changed = 0;
    prc_contact_set_begin(&set, dim);
    for (int k = 99; k >= 0; k--) {
      const prc_contact one = contact(0, 0, 0, (uint32_t)k, dof);
      support_ok(prc_contact_set_add(&set, &one, &err), &err);
    }
    support_ok(prc_contact_set_end(&set, &changed, &err), &err);
    ck_assert_int_eq(changed, 1);
    for (int i = 0; i < 100 * dim; i++) {
      ck_assert_double_eq(set.p[i], 0.0);
      set.p[i] = 1.0;
    }
    for (int i = 0; i < 200 * dim; i++) set.H.x[i] = 1.0;
  }
  prc_contact_set_free(&set);
}
END_TEST

START_TEST(laws_have_names_and_ranges) {
  prc_law law = prc_law_coulomb(0.3, 0.5, -0.25);
  const double state[PRC_LAW_STATE] = {0.0};
  support_ok(prc_law_check(&law, &err), &err);
  ck_assert_double_eq(prc_law_friction_at(&law, state, 12.0), 0.3);
  ck_assert_ptr_eq(prc_friction_find("coulomb"), &prc_friction_coulomb);
  ck_assert_ptr_null(prc_friction_find("Coulomb"));
  for (const prc_friction *const *row = prc_frictions(); *row; row++) {
    ck_assert_ptr_eq(prc_friction_find((*row)->name), *row);
    ck_assert_int_le((*row)->n_parameters, PRC_LAW_PARAMETERS);
    ck_assert_int_le((*row)->n_state, PRC_LAW_STATE);
    for (int k = 0; k < (*row)->n_parameters; k++) ck_assert_ptr_nonnull((*row)->parameter[k]);
  }
  law.e = 1.0000001;
  support_fails(prc_law_check(&law, &err), PRC_INPUT, &err, "the restitution is 1");
  prc_error_clear(&err);
  law = prc_law_coulomb(-1e-300, 0.0, 0.0);
  support_fails(prc_law_check(&law, &err), PRC_INPUT, &err, "the friction is -1e-300");
  prc_error_clear(&err);
  law = prc_law_coulomb(NAN, 0.0, 0.0);
  support_fails(prc_law_check(&law, &err), PRC_INPUT, &err, "the friction is nan");
  law = prc_law_coulomb(-0.0, 0.0, -1.0);
  support_ok(prc_law_check(&law, &err), &err);
  prc_error_clear(&err);
  law.friction = NULL;
  support_fails(prc_law_check(&law, &err), PRC_INPUT, &err, "there is no law of friction");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("contacts with identities");
  TCase *tc = tcase_create("all");
  tcase_add_checked_fixture(tc, begin, NULL);
  tcase_add_loop_test(tc, contacts_stand_by_their_ids, 0, 3);
  tcase_add_test(tc, each_of_the_four_numbers_tells_contacts_apart_and_the_first_counts_most);
  tcase_add_test(tc, an_id_that_stands_twice_is_refused);
  tcase_add_test(tc, what_is_remembered_follows_the_id);
  tcase_add_test(tc, a_tangential_percussion_alone_counts_as_active_and_minus_zero_does_not);
  tcase_add_test(tc, within_its_capacity_a_search_allocates_nothing);
  tcase_add_test(tc, every_refused_allocation_of_a_search_is_survived);
  tcase_add_loop_test(tc, a_search_that_failed_changes_nothing_of_what_is_remembered, 0, 2);
  tcase_add_test(tc, a_set_serves_another_dimension);
  tcase_add_test(tc, laws_have_names_and_ranges);
  suite_add_tcase(suite, tc);
  return support_run(suite);
}

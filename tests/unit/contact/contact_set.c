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

/* ---- frames in space ----------------------------------------------------------------------------------------------------- */

static void turn_to(prc_random *random, double n[3]) {
  double length = 0.0;
  for (int k = 0; k < 3; k++) n[k] = prc_random_uniform(random, -1.0, 1.0);
  for (int k = 0; k < 3; k++) length = hypot(length, n[k]);
  for (int k = 0; k < 3; k++) n[k] /= length;
}

/* The largest entry of frame frame' - 1, and of t2 - n x t1. */
static double error_of_frame(const double f[9]) {
  double largest = 0.0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double sum = a == b ? -1.0 : 0.0;
      for (int k = 0; k < 3; k++) sum += f[3 * a + k] * f[3 * b + k];
      largest = fmax(largest, fabs(sum));
    }
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    largest = fmax(largest, fabs(f[6 + k] - (f[i] * f[3 + j] - f[j] * f[3 + i])));
  }
  return largest;
}

/* Normals go any way, by small steps and by large ones: beyond a right angle a frame begins anew. */
START_TEST(a_frame_stays_orthonormal_however_often_it_is_turned) {
  prc_random random = {5};
  double frame[9] = {0.0}, largest = 0.0;
  for (int k = 0; k < 1000000; k++) {
    double n[3], way[3];
    turn_to(&random, way);
    for (int i = 0; i < 3; i++) n[i] = (k % 100 ? frame[i] : 0.0) + 0.1 * (k % 7) * way[i];
    const double length = hypot(hypot(n[0], n[1]), n[2]);
    for (int i = 0; i < 3; i++) n[i] = length > 0.0 ? n[i] / length : way[i];
    prc_contact_turn_frame(frame, n, frame);
    largest = fmax(largest, error_of_frame(frame));
    for (int i = 0; i < 3; i++) ck_assert_double_eq(frame[i], n[i]);
  }
  ck_assert_double_lt(largest, 2e-15);
}
END_TEST

/* Of all frames of the new normal, that of the least rotation: its trace is the largest, 1 + 2 n.n'. On a closed way of three right angles over the sphere t
 * turns by its area, a right angle. */
START_TEST(a_frame_turns_no_more_than_its_normal) {
  prc_random random = {11};
  for (int k = 0; k < 1000; k++) {
    double n[3], m[3], base[9], frame[9], trace = 0.0, cosine = 0.0;
    const double none[9] = {0.0};
    turn_to(&random, n), turn_to(&random, m);
    for (int i = 0; i < 3; i++) cosine += n[i] * m[i];
    if (!(cosine > 0.0)) continue;
    prc_contact_turn_frame(none, n, base);
    prc_contact_turn_frame(base, m, frame);
    for (int i = 0; i < 9; i++) trace += base[i] * frame[i];
    ck_assert_double_eq_tol(trace, 1.0 + 2.0 * cosine, 3e-15);
  }
  const double s = sqrt(0.5), way[6][3] = {{s, s, 0}, {0, 1, 0}, {0, s, s}, {0, 0, 1}, {s, 0, s}, {1, 0, 0}};
  double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int k = 0; k < 6; k++) prc_contact_turn_frame(frame, way[k], frame);
  const double expected[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
  for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(frame[i], expected[i], 3e-16);
}
END_TEST

/* Along axes frames hold exact zeros and ones, whatever sign a zero of the normal has; a plane motion leaves the third axis as it is; an opposite
 * normal begins anew, and the same gives the same bits. */
START_TEST(frames_of_special_normals_are_exact) {
  const double none[9] = {0.0};
  for (int axis = 0; axis < 3; axis++)
    for (int sign = 0; sign < 16; sign++) {
      double n[3], frame[9], again[9], opposite[3];
      for (int k = 0; k < 3; k++)
        n[k] = copysign(k == axis ? 1.0 : 0.0, sign >> k & 1 ? -1.0 : 1.0), opposite[k] = -n[k];
      prc_contact_turn_frame(none, n, frame);
      ck_assert_double_eq(error_of_frame(frame), 0.0);
      for (int i = 0; i < 9; i++) ck_assert(frame[i] == 0.0 || fabs(frame[i]) == 1.0);
      prc_contact_turn_frame(frame, n, again);
      ck_assert_int_eq(memcmp(frame, again, sizeof frame), 0);
      double turned[9];
      prc_contact_turn_frame(frame, opposite, turned);
      prc_contact_turn_frame(none, opposite, again);
      ck_assert_int_eq(memcmp(turned, again, sizeof again), 0);
    }
  double frame[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
  for (int k = 1; k < 2000; k++) {
    const double n[3] = {sin(0.01 * k), 0.0, cos(0.01 * k)};
    prc_contact_turn_frame(frame, n, frame);
    ck_assert(frame[3] == 0.0 && frame[4] == 1.0 && frame[5] == 0.0 && frame[7] == 0.0);
  }
}
END_TEST

static void find_in_space(prc_contact_set *set, int dim, int n, const prc_contact *list) {
  prc_contact_set_begin(set, dim);
  for (int c = n - 1; c >= 0; c--) support_ok(prc_contact_set_add(set, &list[c], &err), &err);
  support_ok(prc_contact_set_end(set, NULL, &err), &err);
}

/* _i: 1 to 4 */
START_TEST(frames_follow_the_id_of_what_was_active_and_its_heirs) {
  const int dof[] = {0, 1};
  prc_contact_set set = {0}, other = {0};
  prc_contact list[3];
  for (uint32_t c = 0; c < 3; c++) {
    list[c] = contact(0, 0, 0, c, dof);
    list[c].place[0] = c, list[c].way = 0.1;
  }
  find_in_space(&set, _i, 3, list);
  if (_i < 3) {
    ck_assert(set.axes == NULL && set.base == NULL);
    prc_contact_set_free(&set);
    return;
  }
  for (int i = 0; i < 27; i++) ck_assert(set.axes[i] == 0.0 && set.base[i] == 0.0), set.axes[i] = 1.0 + i;
  set.p[0] = 1.0, set.p[_i] = -0.0, set.p[2 * _i] = 2.0;
  prc_contact_set_keep_axes(&set);
  for (int i = 0; i < 27; i++) ck_assert_double_eq(set.base[i], i / 9 == 1 ? 0.0 : 1.0 + i);
  for (int i = 0; i < 27; i++) set.axes[i] += 100.0;
  list[2].id.feature_b = 7; /* which the third hands on to */
  list[2].place[0] += 0.05;
  const double p[8] = {1.0, 0.0, 0.0, _i == 3 ? 2.0 : 0.0, 2.0}, state[2 * PRC_LAW_STATE] = {0.0};
  const double place[6] = {0.0, 0.0, 0.0, 2.0, 0.0, 0.0};
  double axes[18];
  for (int i = 0; i < 9; i++) axes[i] = 101.0 + i, axes[9 + i] = 119.0 + i;
  find_in_space(&set, _i, 3, list);
  find_in_space(&other, _i, 3, list); /* as a run that goes on knows them */
  const prc_contact_id id[2] = {{0, 0, 0, 0}, {0, 0, 0, 2}};
  support_ok(prc_contact_set_restore(&other, 2, id, p, state, NULL, place, axes, NULL, 0, NULL, &err), &err);
  for (int i = 0; i < 27; i++) {
    const double expected = i / 9 == 1 ? 0.0 : 101.0 + i;
    ck_assert(set.base[i] == expected && other.base[i] == expected && set.axes[i] == 0.0);
  }
  ck_assert_int_eq(set.n_heirs, 1);
  support_ok(prc_contact_set_restore(&other, 2, id, p, state, NULL, place, NULL, NULL, 0, NULL, &err), &err);
  ck_assert_double_eq(other.base[0], 0.0);
  prc_contact_set_free(&set);
  prc_contact_set_free(&other);
}
END_TEST

/* What hands on is listed also where the search found so many that the list had to grow. (Who reads a list that was given back is seen with the
 * sanitizers, and mostly without.) */
START_TEST(heirs_are_known_where_contacts_become_many) {
  enum { MANY = 5000 };
  const int dof[] = {0, 1};
  prc_contact_set set = {0};
  prc_contact *list = malloc(MANY * sizeof *list);
  ck_assert_ptr_nonnull(list);
  for (uint32_t c = 0; c < MANY; c++) {
    list[c] = contact(0, 0, 1, c, dof);
    list[c].place[0] = c, list[c].way = 0.1;
  }
  find_in_space(&set, 3, 3, list);
  for (int c = 0; c < 3; c++) set.p[3 * c] = 1.0;
  for (uint32_t c = 0; c < 3; c++) list[c].id.feature_b = MANY + c;
  void *hole = malloc(64 * sizeof *set.heir); /* what grows has to move */
  find_in_space(&set, 3, MANY, list);
  free(hole);
  ck_assert_int_eq(set.n_heirs, 3);
  for (uint32_t k = 0; k < 3; k++) {
    ck_assert_int_eq(set.heir[k].from.feature_a, 1);
    ck_assert_int_eq(set.heir[k].from.feature_b, k);
    ck_assert_int_eq(set.heir[k].to.feature_b, MANY + k);
  }
  prc_contact_set_free(&set);
  free(list);
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

/* ---- what is away ---------------------------------------------------------------------------------------------- */

static prc_law weakening(void) {
  return (prc_law){.friction = &prc_friction_slip_weakening, .parameter = {0.6, 0.5, 1.0}};
}

/* A search at t that finds the listed of those whose last feature is a number, in an order drawn by the seed. */
static void search_at(prc_contact_set *set, double t, const prc_law *law, int n, const int *list,
                      uint64_t seed) {
  const int dof[] = {0, 1};
  prc_random random = {seed};
  int order[64];
  for (int k = 0; k < n; k++) order[k] = k;
  for (int k = n - 1; k > 0; k--) {
    const int other = (int)(prc_random_bits(&random) % (uint64_t)(k + 1)), swap = order[k];
    order[k] = order[other], order[other] = swap;
  }
  set->t = t;
  prc_contact_set_begin(set, 2);
  for (int k = 0; k < n; k++) {
    prc_contact one = contact(1, 2, 3, (uint32_t)list[order[k]], dof);
    one.law = law;
    support_ok(prc_contact_set_add(set, &one, &err), &err);
  }
  support_ok(prc_contact_set_end(set, NULL, &err), &err);
}

/* Slips that were left at a time each come back whenever their contact does, through searches of none and of others, whether they push or not. */
START_TEST(what_friction_does_not_forget_comes_back) {
  static const int all[] = {0, 1, 2, 3, 4, 5, 6, 7}, some[] = {2, 5, 7}, others[] = {20, 21};
  const prc_law law = weakening();
  prc_contact_set set = {0};
  search_at(&set, 0.0, &law, 8, all, (uint64_t)_i);
  for (int c = 0; c < 8; c++)
    set.state[PRC_LAW_STATE * c] = c, set.state[PRC_LAW_STATE * c + PRC_LAW_SPEED] = 9.0;
  for (int c = 0; c < 8; c += 3) set.p[2 * c] = 1.0;
  search_at(&set, 1.0, &law, 3, some, (uint64_t)_i + 1);
  ck_assert_int_eq(set.n_away, 4); /* 1, 3, 4, 6: a state of zero is none */
  search_at(&set, 2.0, &law, 0, all, 1);
  ck_assert_int_eq(set.n_away, 7);
  for (int k = 1; k < 7; k++)
    ck_assert_int_lt(prc_contact_id_compare(&set.away[k - 1].id, &set.away[k].id), 0);
  search_at(&set, 3.0, &law, 2, others, 1);
  search_at(&set, 4.0, &law, 8, all, (uint64_t)_i + 2);
  ck_assert_int_eq(set.n_away, 0);
  for (int c = 0; c < 8; c++) {
    ck_assert_double_eq(set.state[PRC_LAW_STATE * c], c);
    ck_assert_double_eq(set.state[PRC_LAW_STATE * c + PRC_LAW_SPEED], 0.0);
    ck_assert_double_eq(set.p[2 * c], 0.0);
  }
  search_at(&set, 5.0, &law, 0, all, 1);
  prc_contact_set_forget_away(&set);
  search_at(&set, 6.0, &law, 8, all, 1);
  for (int c = 0; c < 8; c++) ck_assert_double_eq(set.state[PRC_LAW_STATE * c], 0.0);
  prc_contact_set_free(&set);
}
END_TEST

/* Rate and state: what is apart ages, by the time that it was away. Of two values nothing is left. */
START_TEST(what_is_away_ages_or_is_forgotten_as_its_law_says) {
  static const int one[] = {3};
  const prc_law ages = {.friction = &prc_friction_rate_and_state,
                        .parameter = {0.01, 0.015, 0.6, 1e-6, 1e-4, 0.0, 0.0}},
                forgets = {.friction = &prc_friction_two_values, .parameter = {0.6, 0.5}};
  prc_contact_set set = {0};
  search_at(&set, 10.0, &ages, 1, one, 1);
  ck_assert_double_eq_tol(set.state[0], 100.0, 1e-12); /* L / V_0 */
  set.state[0] = 7.0, set.p[0] = 1.0;
  search_at(&set, 12.0, &ages, 0, one, 1);
  search_at(&set, 13.0, &ages, 0, one, 1);
  search_at(&set, 15.0, &ages, 1, one, 1);
  ck_assert_double_eq_tol(set.state[0], 10.0, 1e-14);
  search_at(&set, 16.0, &forgets, 1, one, 1);
  set.state[0] = 2.0, set.p[0] = 1.0;
  search_at(&set, 17.0, &forgets, 0, one, 1);
  ck_assert_int_eq(set.n_away, 0);
  search_at(&set, 18.0, &forgets, 1, one, 1);
  ck_assert_double_eq(set.state[0], 0.0);
  prc_contact_set_free(&set);
}
END_TEST

/* As a checkpoint has it: what was found and what was away, in a set that knew nothing. */
START_TEST(what_is_away_is_restored) {
  static const int found[] = {0, 1}, all[] = {0, 1, 2, 3};
  const prc_law law = weakening();
  const prc_contact_id id[] = {{1, 2, 3, 0}, {1, 2, 3, 2}};
  const double p[4] = {1.0, 0.0, 0.0, 0.0}, state[2 * PRC_LAW_STATE] = {4.0, 0, 0, 0, 6.0}, place[6] = {0.0};
  const char lasts[] = {1, 1};
  const prc_contact_away away[] = {{{1, 2, 3, 1}, 0.5, {5.0}}, {{1, 2, 3, 3}, 0.25, {7.0}}};
  prc_contact_set set = {0};
  search_at(&set, 1.0, &law, 2, found, 1);
  support_ok(prc_contact_set_restore(&set, 2, id, p, state, NULL, place, NULL, lasts, 2, away, &err), &err);
  ck_assert(set.state[0] == 4.0 && set.p[0] == 1.0 && set.state[PRC_LAW_STATE] == 5.0);
  ck_assert_int_eq(set.n_away, 2);
  ck_assert(set.away[0].state[0] == 6.0 && set.away[0].since == 1.0);
  ck_assert(set.away[1].state[0] == 7.0 && set.away[1].since == 0.25);
  search_at(&set, 2.0, &law, 4, all, 1);
  for (int c = 0; c < 4; c++) ck_assert_double_eq(set.state[PRC_LAW_STATE * c], 4.0 + c);
  prc_contact_set_free(&set);
}
END_TEST

/* However many leave, no more than the bound are kept, and of them those that left last. */
START_TEST(what_is_away_is_bounded) {
  enum { A_TIME = 1 << 15 };
  const int dof[] = {0, 1};
  const prc_law law = weakening();
  prc_contact_set set = {0};
  int most = 0;
  for (uint32_t round = 0; round < 12; round++) {
    set.t = round;
    prc_contact_set_begin(&set, 2);
    for (uint32_t k = 0; k < A_TIME; k++) {
      prc_contact one = contact(0, 1 + round, 0, k, dof);
      one.law = &law;
      support_ok(prc_contact_set_add(&set, &one, &err), &err);
    }
    support_ok(prc_contact_set_end(&set, NULL, &err), &err);
    for (int c = 0; c < set.n; c++) set.state[PRC_LAW_STATE * c] = 1.0 + round;
    ck_assert_int_le(set.n_away, PRC_CONTACTS_AWAY);
    ck_assert_int_eq(set.gave_up,
                     A_TIME * (int)round > PRC_CONTACTS_AWAY); /* and that is told from then on */
    if (set.n_away > most) most = set.n_away;
  }
  ck_assert_int_eq(most, PRC_CONTACTS_AWAY);
  double first = 12.0;
  for (int k = 0; k < set.n_away; k++) first = fmin(first, set.away[k].since);
  for (int k = 0; k < set.n_away; k++) ck_assert_double_eq(set.away[k].state[0], set.away[k].since);
  ck_assert_int_eq(set.n_away, (12 - (int)first) * A_TIME);
  ck_assert_double_ge(first, 4.0);
  prc_contact_set_free(&set);
}
END_TEST

SUITE(contact_set) {
  Suite *suite = suite_create("contact_set");
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
  tcase_add_test(tc, a_frame_stays_orthonormal_however_often_it_is_turned);
  tcase_add_test(tc, a_frame_turns_no_more_than_its_normal);
  tcase_add_test(tc, frames_of_special_normals_are_exact);
  tcase_add_test(tc, heirs_are_known_where_contacts_become_many);
  tcase_add_loop_test(tc, frames_follow_the_id_of_what_was_active_and_its_heirs, 1, 5);
  tcase_add_loop_test(tc, what_friction_does_not_forget_comes_back, 1, 5);
  tcase_add_test(tc, what_is_away_ages_or_is_forgotten_as_its_law_says);
  tcase_add_test(tc, what_is_away_is_restored);
  tcase_add_test(tc, what_is_away_is_bounded);
  tcase_add_test(tc, laws_have_names_and_ranges);
  suite_add_tcase(suite, tc);
  return suite;
}

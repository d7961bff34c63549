#include "config.h"
#include "cli/checkpoint.h"

#include <math.h>
#include <string.h>

/* Slip of contacts from step to step, by their ids, so that contacts may come and go. */

/* ---- slip ------------------------------------------------------------------------------------------- */

static int is_same_set(const cli_slip *slip, const prc_contact_set *set) {
  return slip->n == set->n
         && (set->n == 0 || memcmp(slip->id, set->id, (size_t)set->n * sizeof *set->id) == 0);
}

/* Of the contact that the list has under this id. */
static const double *way_of(const cli_slip *slip, const prc_contact_id *id) {
  int low = 0, high = slip->n;
  while (low < high) {
    const int middle = low + (high - low) / 2, order = prc_contact_id_compare(&slip->id[middle], id);
    if (order == 0) return &slip->way[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* Known contacts keep their slip and pass it to their heir where features change. New contacts begin at zero.
 * Both lists ascend. */
static void follow(cli_slip *slip, const prc_contact_set *set) {
  for (int c = 0, old = 0; c < set->n; c++) {
    slip->id_next[c] = set->id[c], slip->way_next[c] = 0.0;
    while (old < slip->n && prc_contact_id_compare(&slip->id[old], &set->id[c]) < 0) old++;
    if (old < slip->n && prc_contact_id_compare(&slip->id[old], &set->id[c]) == 0)
      slip->way_next[c] = slip->way[old];
  }
  for (int k = 0; k < set->n_heirs; k++) {
    const double *before = way_of(slip, &set->heir[k].from);
    const int c = prc_contact_set_place(set, &set->heir[k].to);
    if (before && c >= 0) slip->way_next[c] = *before;
  }
  prc_contact_id *id = slip->id;
  double *way = slip->way;
  slip->id = slip->id_next, slip->id_next = id;
  slip->way = slip->way_next, slip->way_next = way;
  slip->n = set->n;
}

static prc_status reserve(cli_slip *slip, size_t n, prc_error *err) {
  prc_status status = PRC_OK;
  size_t room;
#define GROW(array)                                                                                          \
  room = slip->room;                                                                                         \
  prc_try(prc_grow(&slip->array, &room, n, sizeof *slip->array, err))
  if (n <= slip->room) return PRC_OK;
  GROW(id);
  GROW(id_next);
  GROW(way);
  GROW(way_next);
#undef GROW
  slip->room = n;
done:
  return status;
}

prc_status cli_slip_follow(cli_run_state *run, prc_error *err) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  if (is_same_set(&run->slip, set)) return PRC_OK;
  const prc_status status = reserve(&run->slip, (size_t)set->capacity, err);
  if (status == PRC_OK) follow(&run->slip, set);
  return status;
}

void cli_slip_free(cli_slip *slip) {
  prc_delete(&slip->id);
  prc_delete(&slip->id_next);
  prc_delete(&slip->way);
  prc_delete(&slip->way_next);
  slip->n = 0, slip->room = 0;
}

/* ---- all that contacts carry ------------------------------------------------------------------------ */

static int is_zero(const double *value, int n) {
  for (int k = 0; k < n; k++)
    if (value[k] != 0.0) return 0;
  return 1;
}

static prc_status allocate(cli_carried *out, size_t n, const prc_contact_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  const int dim = set->dim;
  *out = (cli_carried){.dim = dim, .n_kept = set->n_kept};
  prc_try(prc_new(&out->id, n, err));
  prc_try(prc_new(&out->p, n * (size_t)dim, err));
  prc_try(prc_new(&out->state, n * PRC_LAW_STATE, err));
  prc_try(prc_new(&out->slip, n, err));
  prc_try(prc_new(&out->place, 3 * n, err));
  prc_try(prc_new(&out->axes, dim >= 3 ? 9 * n : 0, err));
  prc_try(prc_new(&out->kept, n * (size_t)out->n_kept, err));
  prc_try(prc_new(&out->lasts, n, err));
done:
  return status;
}

prc_status cli_carried_collect(const cli_run_state *run, cli_carried *out, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_contact_set *set = r->contacts;
  const int dim = r->dim;
  prc_try(allocate(out, (size_t)set->n, set, err));
  for (int c = 0; c < set->n; c++) {
    const double *p = r->p + dim * c, *state = set->state + PRC_LAW_STATE * c;
    const double slip = c < run->slip.n ? run->slip.way[c] : 0.0;
    const double *kept = set->n_kept > 0 ? set->kept + set->n_kept * c : NULL;
    if (is_zero(p, dim) && is_zero(state, PRC_LAW_STATE) && is_zero(kept, set->n_kept) && slip == 0.0)
      continue;
    const int k = out->n++;
    out->id[k] = set->id[c], out->slip[k] = slip;
    out->lasts[k] = (char)prc_contact_lasts(set->law[c], state);
    memcpy(out->p + dim * k, p, (size_t)dim * sizeof *p);
    memcpy(out->state + PRC_LAW_STATE * k, state, PRC_LAW_STATE * sizeof *state);
    memcpy(out->place + 3 * k, set->place + 3 * c, 3 * sizeof *out->place);
    for (int i = 0; i < set->n_kept; i++) out->kept[set->n_kept * k + i] = kept[i];
    if (dim >= 3) memcpy(out->axes + 9 * k, set->axes + 9 * c, 9 * sizeof *out->axes);
  }
  prc_try(prc_new(&out->away, set->n_away, err));
  if (set->n_away > 0) memcpy(out->away, set->away, (size_t)set->n_away * sizeof *out->away);
  out->n_away = set->n_away;
done:
  return status;
}

void cli_carried_free(cli_carried *carried) {
  prc_delete(&carried->id);
  prc_delete(&carried->p);
  prc_delete(&carried->state);
  prc_delete(&carried->slip);
  prc_delete(&carried->place);
  prc_delete(&carried->kept);
  prc_delete(&carried->axes);
  prc_delete(&carried->lasts);
  prc_delete(&carried->away);
}

void cli_carried_to_slip(const cli_carried *carried, cli_run_state *run) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  for (int k = 0; k < carried->n; k++) {
    int c = prc_contact_set_place(set, &carried->id[k]);
    for (int i = 0; c < 0 && i < set->n_heirs; i++)
      if (prc_contact_id_compare(&set->heir[i].from, &carried->id[k]) == 0)
        c = prc_contact_set_place(set, &set->heir[i].to);
    if (c >= 0 && c < run->slip.n) run->slip.way[c] = carried->slip[k];
  }
}

/* ---- in a checkpoint -------------------------------------------------------------------------------- */

/* a, b and both features of each id */
enum { PARTS = 4 };

static void write_id(const prc_contact_id *id, double *parts) {
  const double of[PARTS] = {id->a, id->b, id->feature_a, id->feature_b};
  memcpy(parts, of, sizeof of);
}

/* Id, time of opening and state of each open contact. */
enum { AWAY = PARTS + 1 + PRC_LAW_STATE };

static prc_status put_away(const cli_carried *carried, prc_output_store *store, prc_error *err) {
  const size_t n = (size_t)carried->n_away;
  double *numbers = NULL;
  prc_status status = prc_new(&numbers, AWAY * n, err);
  for (size_t k = 0; status == PRC_OK && k < n; k++) {
    double *of = numbers + AWAY * k;
    write_id(&carried->away[k].id, of);
    of[PARTS] = carried->away[k].since;
    memcpy(of + PARTS + 1, carried->away[k].state, sizeof carried->away[k].state);
  }
  if (status == PRC_OK) status = prc_output_store_put(store, "away", AWAY * n, numbers, err);
  prc_delete(&numbers);
  return status;
}

prc_status cli_carried_put(const cli_carried *carried, prc_output_store *store, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)carried->n;
  double *parts = NULL, *lasts = NULL;
  prc_try(prc_new(&parts, PARTS * n, err));
  prc_try(prc_new(&lasts, n, err));
  for (size_t k = 0; k < n; k++) write_id(&carried->id[k], parts + PARTS * k), lasts[k] = carried->lasts[k];
  prc_try(prc_output_store_put(store, "contact", PARTS * n, parts, err));
  prc_try(prc_output_store_put(store, "slip", n, carried->slip, err));
  prc_try(prc_output_store_put(store, "p", n * (size_t)carried->dim, carried->p, err));
  prc_try(prc_output_store_put(store, "friction", n * PRC_LAW_STATE, carried->state, err));
  prc_try(prc_output_store_put(store, "lasts", n, lasts, err));
  prc_try(prc_output_store_put(store, "place", 3 * n, carried->place, err));
  if (carried->dim >= 3) prc_try(prc_output_store_put(store, "axes", 9 * n, carried->axes, err));
  if (carried->n_kept > 0)
    prc_try(prc_output_store_put(store, "kept", n * (size_t)carried->n_kept, carried->kept, err));
  prc_try(put_away(carried, store, err));
done:
  prc_delete(&parts);
  prc_delete(&lasts);
  return status;
}

/* Number k of `array`, each `width` long; ids ascend. */
static prc_status read_id(const char *path, const char *array, const double *numbers, int width, int k,
                          const prc_contact_id *before, prc_contact_id *out, prc_error *err) {
  const double *of = numbers + (size_t)width * (size_t)k;
  for (int i = 0; i < PARTS; i++)
    if (!(of[i] >= 0.0 && of[i] <= UINT32_MAX && of[i] == floor(of[i])))
      return prc_fail(err, PRC_INPUT, "%s is damaged: number %d of '%s' is %g, expected that of an id", path,
                      width * k + i + 1, array, of[i]);
  *out = (prc_contact_id){(uint32_t)of[0], (uint32_t)of[1], (uint32_t)of[2], (uint32_t)of[3]};
  if (before && prc_contact_id_compare(before, out) >= 0)
    return prc_fail(err, PRC_INPUT, "%s is damaged: the ids of contacts %d and %d of '%s' do not ascend",
                    path, k, k + 1, array);
  return PRC_OK;
}

static prc_status read_ids(const char *path, const double *parts, cli_carried *out, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < out->n && status == PRC_OK; k++)
    status = read_id(path, "contact", parts, PARTS, k, k > 0 ? &out->id[k - 1] : NULL, &out->id[k], err);
  return status;
}

static prc_status read_lasts(prc_output_store *store, const char *path, cli_carried *out, prc_error *err) {
  const size_t n = (size_t)out->n;
  double *lasts = NULL;
  prc_status status = prc_new(&lasts, n, err);
  if (status == PRC_OK) status = prc_output_store_get(store, "lasts", n, lasts, err);
  if (status == PRC_OK) status = cli_checkpoint_finite(path, "lasts", n, lasts, err);
  for (size_t k = 0; status == PRC_OK && k < n; k++) out->lasts[k] = lasts[k] != 0.0;
  prc_delete(&lasts);
  return status;
}

/* States of laws are not negative. */
static prc_status read_away(const char *path, const double *numbers, cli_carried *out, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < out->n_away; k++) {
    const double *of = numbers + AWAY * (size_t)k + PARTS;
    prc_contact_away *away = &out->away[k];
    prc_try(read_id(path, "away", numbers, AWAY, k, k > 0 ? &away[-1].id : NULL, &away->id, err));
    away->since = of[0];
    memcpy(away->state, of + 1, sizeof away->state);
    for (int i = 0; i < PRC_LAW_STATE; i++)
      if (!(away->state[i] >= 0.0))
        return prc_fail(err, PRC_INPUT,
                        "%s is damaged: number %d of 'away' is %g, expected the state of a law, which is not "
                        "negative",
                        path, AWAY * k + PARTS + 2 + i, away->state[i]);
  }
done:
  return status;
}

static prc_status get_away(prc_output_store *store, const char *path, cli_carried *out, prc_error *err) {
  prc_status status = PRC_OK;
  double *numbers = NULL;
  size_t n;
  prc_try(prc_output_store_size(store, "away", &n, err));
  if (n % AWAY != 0 || n / AWAY > PRC_CONTACTS_AWAY)
    prc_try(prc_fail(err, PRC_INPUT,
                     "%s is damaged: 'away' has %zu numbers, expected %d for each of at most %d", path, n,
                     AWAY, PRC_CONTACTS_AWAY));
  prc_try(prc_new(&numbers, n, err));
  prc_try(prc_output_store_get(store, "away", n, numbers, err));
  prc_try(cli_checkpoint_finite(path, "away", n, numbers, err));
  prc_try(prc_new(&out->away, n / AWAY, err));
  out->n_away = (int)(n / AWAY);
  prc_try(read_away(path, numbers, out, err));
done:
  prc_delete(&numbers);
  return status;
}

prc_status cli_carried_get(prc_output_store *store, const char *path, const prc_contact_set *set,
                           cli_carried *out, prc_error *err) {
  prc_status status = PRC_OK;
  const int dim = set->dim;
  double *parts = NULL;
  size_t n;
  prc_try(prc_output_store_size(store, "contact", &n, err));
  if (n % PARTS != 0 || n / PARTS > INT32_MAX)
    prc_try(prc_fail(err, PRC_INPUT, "%s is damaged: 'contact' has %zu numbers, expected four for each", path,
                     n));
  n /= PARTS;
  prc_try(allocate(out, n, set, err));
  out->n = (int)n;
  prc_try(prc_new(&parts, PARTS * n, err));
  prc_try(prc_output_store_get(store, "contact", PARTS * n, parts, err));
  prc_try(prc_output_store_get(store, "slip", n, out->slip, err));
  prc_try(prc_output_store_get(store, "p", n * (size_t)dim, out->p, err));
  prc_try(prc_output_store_get(store, "friction", n * PRC_LAW_STATE, out->state, err));
  prc_try(prc_output_store_get(store, "place", 3 * n, out->place, err));
  if (out->n_kept > 0) {
    prc_try(prc_output_store_get(store, "kept", n * (size_t)out->n_kept, out->kept, err));
    prc_try(cli_checkpoint_finite(path, "kept", n * (size_t)out->n_kept, out->kept, err));
  }
  if (dim >= 3) {
    prc_try(prc_output_store_get(store, "axes", 9 * n, out->axes, err));
    prc_try(cli_checkpoint_finite(path, "axes", 9 * n, out->axes, err));
  }
  prc_try(read_ids(path, parts, out, err));
  prc_try(read_lasts(store, path, out, err));
  prc_try(get_away(store, path, out, err));
  prc_try(cli_checkpoint_finite(path, "slip", n, out->slip, err));
  prc_try(cli_checkpoint_finite(path, "p", n * (size_t)dim, out->p, err));
  prc_try(cli_checkpoint_finite(path, "friction", n * PRC_LAW_STATE, out->state, err));
  prc_try(cli_checkpoint_finite(path, "place", 3 * n, out->place, err));
done:
  prc_delete(&parts);
  return status;
}

#include "config.h"
#include "ledger/internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const char *prc_verdict_name(prc_verdict verdict) {
  static const char *const name[] = {[PRC_PASS] = "pass",
                                     [PRC_FAIL] = "fail",
                                     [PRC_NOT_PROMISED] = "not promised",
                                     [PRC_NOTED] = "noted",
                                     [PRC_PASS_WITH_NOTES] = "pass, with notes"};
  return name[verdict];
}

int prc_ledger_whole(double x) {
  return x >= 0.0 && x <= INT_MAX ? (int)x : INT_MAX;
}

int prc_ledger_item(double x) {
  return x >= 0.0 && x < INT_MAX ? (int)x : -1;
}

static double ratio_of(double value, double bound) {
  return value == 0.0 ? 0.0 : value / bound;
}

static prc_certificate_entry bounded(const char *name, const prc_ledger_mark *mark, double bound,
                                     const char *meaning) {
  return (prc_certificate_entry){.name = name,
                                 .meaning = meaning,
                                 .value = mark->value,
                                 .bound = bound,
                                 .ratio = ratio_of(mark->value, bound),
                                 .largest = mark->value,
                                 .largest_step = prc_ledger_whole(mark->step),
                                 .verdict = mark->value <= bound ? PRC_PASS : PRC_FAIL,
                                 .step = prc_ledger_whole(mark->step)};
}

static prc_certificate_entry reported(const char *name, const prc_ledger_mark *mark, const char *meaning,
                                      const char *reason) {
  return (prc_certificate_entry){.name = name,
                                 .meaning = meaning,
                                 .reason = reason,
                                 .value = mark->value,
                                 .bound = NAN,
                                 .ratio = NAN,
                                 .largest = mark->value,
                                 .largest_step = prc_ledger_whole(mark->step),
                                 .verdict = PRC_NOT_PROMISED,
                                 .step = prc_ledger_whole(mark->step)};
}

/* Entry whose bound differs from step to step, such as a positive work explained by the error of its contact:
 * the worst of the run; 0 if there was none. */
static prc_certificate_entry excess(const char *name, const prc_ledger_excess *e,
                                    const prc_step_promise *promise, const char *meaning) {
  prc_certificate_entry entry = reported(name, &e->work, meaning, promise ? promise->reason : NULL);
  if (promise && !promise->theorem) return entry;
  entry.theorem = promise ? promise->theorem : NULL, entry.reason = NULL;
  entry.value = e->value, entry.bound = e->allowance, entry.step = prc_ledger_whole(e->step);
  entry.ratio = e->ratio;
  entry.count = prc_ledger_whole(e->count);
  entry.verdict = e->count > 0.0 ? PRC_FAIL : PRC_PASS;
  return entry;
}

static prc_certificate_entry with_pair(prc_certificate_entry entry, const prc_ledger_pair *pair) {
  entry.has_pair = entry.value > 0.0;
  entry.pair[0] = prc_ledger_item(pair->a), entry.pair[1] = prc_ledger_item(pair->b);
  return entry;
}

/* Scale of created energy: the largest energy, or the energy that the impulses of a step are worth. */
static double energy_in_play(const prc_ledger_state *s) {
  return fmax(s->energy_largest, 0.5 * s->impulse_largest * s->impulse_largest);
}

/* Energy from nowhere that no theorem forbids is noted from such a share of the largest energy on. */
static prc_certificate_entry with_created_from(prc_certificate_entry entry, const prc_ledger *l,
                                               double created, double share) {
  if (entry.verdict == PRC_NOT_PROMISED && !(created < share * energy_in_play(&l->state)) && created != 0.0)
    entry.verdict = PRC_NOTED, entry.created = created;
  return entry;
}
static prc_certificate_entry with_created(prc_certificate_entry entry, const prc_ledger *l, double created) {
  return with_created_from(entry, l, created, PRC_LEDGER_CREATED);
}

/* Of T + V by schemes that promise no sign: it goes to and fro with the step. */
static prc_certificate_entry with_rise(prc_certificate_entry entry, const prc_ledger *l, double created) {
  return with_created_from(entry, l, created, fmax(PRC_LEDGER_CREATED, l->options.promises.rise_noted));
}

static prc_certificate_entry with_sums(prc_certificate_entry entry, double gained, double lost) {
  entry.has_sums = 1, entry.gained = gained, entry.lost = lost;
  return entry;
}

/* Where the signs of all works are promised, and that joints work nothing, so is what their sum does. */
static prc_certificate_entry rise(const prc_ledger *l) {
  const prc_step_promises *p = &l->options.promises;
  const prc_step_promise *const part[] = {&p->tangential_sign, &p->normal_sign, &p->numerical_sign};
  prc_step_promise promise = {.theorem = "those of the works of contacts and of the scheme"};
  for (int k = 0; k < 3; k++)
    if (!part[k]->theorem) promise = *part[k];
  if (p->joints.reason && !p->joints.theorem) promise = p->joints;
  prc_certificate_entry entry =
      with_rise(with_sums(excess("energy_rise", &l->state.rise, &promise,
                                 "what T + V gained in a step beyond all works from outside"),
                          prc_sum_total(&l->state.risen), 0.0),
                l, l->state.created_rise.created);
  if (!(p->rise_noted > 0.0) || promise.theorem) return entry;
  entry.meaning = "most that T + V gained beyond all works from outside, less what it lost before";
  entry.value = l->state.created_rise.created;
  entry.bound = p->rise_noted * energy_in_play(&l->state);
  entry.ratio = entry.bound > 0.0 ? entry.value / entry.bound : 0.0;
  if (entry.verdict != PRC_NOTED) entry.verdict = PRC_PASS;
  return entry;
}

/* Where nothing was above zero, no step has left its bound. */
static prc_certificate_entry with_bound(prc_certificate_entry entry, double bound) {
  if (entry.ratio == 0.0) entry.bound = bound;
  return entry;
}

/* A system without steps that iterate has passed. */
static prc_certificate_entry iterations(const prc_ledger_state *s) {
  prc_certificate_entry entry = with_bound(
      excess("iterations", &s->iterations, NULL, "change of the last pass of a step against its tolerance"),
      s->tolerance);
  entry.passes = s->passes, entry.frozen = prc_ledger_whole(s->frozen);
  return entry;
}

/* Against what the case says, or, where gaps at the end of a step are promised, what the scheme closes them to, and nothing is beyond the custom besides; else a hundredth of the size that its
 * contact has, or what it went in by where it closed; a point mass has none. */
static prc_certificate_entry penetration(const prc_ledger *l) {
  static const char name[] = "penetration", meaning[] = "deepest penetration";
  const prc_ledger_state *s = &l->state;
  const char *theorem = l->options.promises.penetration.theorem;
  if (l->options.max_penetration >= 0.0)
    return with_pair(bounded(name, &s->penetration, l->options.max_penetration, meaning), &s->deepest);
  if (theorem && !(s->depth.ratio > 1.0)) {
    prc_certificate_entry entry = bounded(
        name, &s->gap_at_end, fmax(l->options.gap_tolerance, s->gap_closed) + l->options.promises.gap_left,
        "deepest penetration at the end of a step");
    entry.theorem = theorem;
    return with_pair(entry, &s->deepest_at_end);
  }
  if (s->depth.ratio == 0.0)
    return with_pair(
        reported(name, &s->penetration, meaning, "nothing that has a size went into its obstacle"),
        &s->deepest);
  return with_pair(excess(name, &s->depth, NULL,
                          "deepest penetration against a hundredth of the size of the body, a tenth of "
                          "the width of what is thin, or what a contact went in by where it closed"),
                   &s->deepest_of_size);
}

/* A share within the rounding of energies counts as none. While bodies press each other, a force hidden by a
 * gap is wrong by about this share. In an impact waves make the force, whatever the gap: so a few hundredths
 * are noted and do not fail. */
static prc_certificate_entry approach(const prc_ledger *l) {
  const prc_ledger_state *s = &l->state;
  prc_ledger_mark mark = s->hidden;
  if (mark.value <= prc_ledger_balance_bound(l))
    mark.value = 0.0;
  else
    mark.value /= 2.0 * s->elastic_most; /* infinite where there is none */
  prc_certificate_entry entry = bounded(
      "approach", &mark, PRC_LEDGER_APPROACH,
      "surfaces that slide: forces times gaps that are not closed, or depths, / twice the elastic energy");
  if (entry.verdict == PRC_PASS && entry.value >= PRC_LEDGER_APPROACH_NOTED) entry.verdict = PRC_NOTED;
  return entry;
}

/* Against the range of the motion, or where nothing moves against the largest displacement. A mark of an absolute deviation
 * becomes one of a ratio. */
static prc_certificate_entry prescribed(const prc_ledger_state *s) {
  prc_ledger_mark mark = s->prescribed;
  const int moves = s->prescribed_range > 1e-9 * s->prescribed_largest;
  if (mark.value != 0.0) mark.value /= moves ? s->prescribed_range : s->prescribed_largest;
  return bounded("prescribed_deviation", &mark, PRC_LEDGER_PRESCRIBED,
                 "largest deviation of a prescribed displacement from its datum / range of the datum");
}

static prc_certificate_entry rotation(const prc_ledger_state *s, int accepted, int free) {
  prc_certificate_entry entry =
      bounded("rotation", &s->rotation, PRC_LEDGER_ROTATION_FAILED,
              "largest rotation of a cell in degrees; small-strain elements swell with its square");
  const int small = entry.value < PRC_LEDGER_ROTATION_NOTED,
            fails = isnan(entry.value) || (!accepted && entry.value >= PRC_LEDGER_ROTATION_FAILED);
  entry.verdict = small ? PRC_PASS : fails ? PRC_FAIL : PRC_NOTED;
  if (accepted || free) entry.bound = NAN;
  if (free) entry.theorem = "strains that turn with their points, so that it is not needed";
  return entry;
}

static prc_certificate_entry joints(const prc_ledger *l) {
  static const char meaning[] = "what joints miss most / length of the system";
  const prc_ledger_state *s = &l->state;
  const prc_step_promise *promise = &l->options.promises.joints;
  prc_certificate_entry entry = bounded("joints", &s->joints, PRC_LEDGER_JOINTS, meaning);
  if (!promise->theorem && promise->reason) entry = reported("joints", &s->joints, meaning, promise->reason);
  entry.theorem = promise->theorem;
  entry.has_row = entry.value > 0.0, entry.row = prc_ledger_item(s->joint);
  return entry;
}

static void set_cures(prc_certificate *c) {
  static const char *const cure[PRC_CERTIFY_INDICATORS] = {
      [PRC_CERTIFY_CONTACT] = "another contact.solver or a larger contact.max_iterations",
      [PRC_CERTIFY_ITERATIONS] = "smaller steps or a larger time.tolerance",
      [PRC_CERTIFY_PRESCRIBED] = "smaller steps or a smoother motion",
      [PRC_CERTIFY_APPROACH] = "shorter steps or sides, or scheme: position, or analysis: quasi-static, "
                               "which close the gaps themselves",
      [PRC_CERTIFY_ROTATION] = "model.kinematics: corotational; model.rotations: accepted only notes it",
      [PRC_CERTIFY_TANGENTIAL] = "law: fremond with theta <= 1 / (1 + e), which promises the sign",
      [PRC_CERTIFY_NORMAL] = "activation: both",
      [PRC_CERTIFY_PENETRATION] = "smaller steps; contact.max_penetration sets another bound",
      [PRC_CERTIFY_JOINTS] = "joints: secant",
      [PRC_CERTIFY_BALANCE] = "a smaller tolerance of joints or passes; else a report to the authors",
  };
  for (int k = 0; k < PRC_CERTIFY_INDICATORS; k++) c->entry[k].cure = cure[k];
}

/* Entries of quantities carried from step to step, and of the contact problems. */
static void certify_state(prc_certificate *c, const prc_ledger *l) {
  const prc_ledger_state *s = &l->state;
  const prc_ledger_options *o = &l->options;
  c->entry[PRC_CERTIFY_BALANCE] =
      bounded("balance", &s->balance, PRC_LEDGER_BALANCE,
              "largest residual of the energy balance in a step / largest energy");
  c->entry[PRC_CERTIFY_DRIFT_ELASTIC] = bounded("drift_elastic", &s->drift_elastic, PRC_LEDGER_DRIFT,
                                                "elastic force carried along against K q afresh");
  c->entry[PRC_CERTIFY_DRIFT_MOMENTUM] =
      bounded("drift_momentum", &s->drift_momentum, prc_ledger_momentum_bound(l),
              o->promises.equilibrium ? "what equilibrium lacks at the end of a load step, afresh"
                                      : "momentum carried along against M v afresh");
  c->entry[PRC_CERTIFY_CONTACT] =
      with_bound(excess("contact_error", &s->contact_error, NULL,
                        "largest error of the contact problem in a step, free of units"),
                 o->tolerance);
  c->entry[PRC_CERTIFY_CONTACT_PAPER] =
      reported("contact_error_paper", &s->contact_error_paper,
               "the same in the measure of the paper, which depends on units",
               "it is there for comparison: contact_error is what is judged");
}

/* The works whose signs a theorem may promise. */
static void certify_works(prc_certificate *c, const prc_ledger *l) {
  const prc_ledger_state *s = &l->state;
  const prc_ledger_options *o = &l->options;
  c->entry[PRC_CERTIFY_TANGENTIAL] =
      with_created(excess("tangential_work", &s->tangential, &o->promises.tangential_sign,
                          "work of friction at a contact in a step against what its error explains"),
                   l, prc_sum_total(&s->created_tangential));
  c->entry[PRC_CERTIFY_NORMAL] =
      with_created(excess("normal_work", &s->normal, &o->promises.normal_sign,
                          "work of a normal impulse in a step against what its error explains"),
                   l, prc_sum_total(&s->created_normal));
  c->entry[PRC_CERTIFY_LOSS] =
      with_created(excess("loss_contact_normal", &s->loss, &o->promises.normal_sign,
                          "what a normal impulse gave in a step at the mean of the velocities"),
                   l, prc_sum_total(&s->created_loss));
  c->entry[PRC_CERTIFY_NUMERICAL] =
      with_created(with_sums(excess("numerical_work", &s->numerical, &o->promises.numerical_sign,
                                    "the scheme's own work in a step against what rounding explains"),
                             prc_sum_total(&s->numerical_gained), prc_sum_total(&s->numerical_lost)),
                   l, o->promises.rise_noted > 0.0 ? 0.0 : s->created_numerical.created); /* the rise is */
}

/* Entries without meaning for the case: it lacks their subject, or its steps do not iterate. */
static void leave_out(prc_certificate *c, const prc_ledger *l) {
  for (int k = 0; k < PRC_CERTIFY_INDICATORS; k++) {
    prc_certificate_entry *entry = &c->entry[k];
    const int without =
        (l->options.without >> k & 1U) != 0 || (k == PRC_CERTIFY_ITERATIONS && l->state.tolerance == 0.0);
    entry->absent = without && entry->value == 0.0 && entry->largest == 0.0;
  }
}

/* The whole fails with one entry, and has notes with one that is noted. */
static prc_verdict verdict_of(const prc_certificate *c) {
  prc_verdict verdict = PRC_PASS;
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++) {
    if (c->entry[k].absent) continue;
    if (c->entry[k].verdict == PRC_FAIL) return PRC_FAIL;
    if (c->entry[k].verdict == PRC_NOTED) verdict = PRC_PASS_WITH_NOTES;
  }
  return verdict;
}

prc_certificate prc_ledger_certificate(const prc_ledger *l) {
  const prc_ledger_state *s = &l->state;
  const prc_ledger_options *o = &l->options;
  prc_certificate c = {.energy_largest = energy_in_play(s)};
  certify_state(&c, l);
  certify_works(&c, l);
  c.entry[PRC_CERTIFY_RISE] = rise(l);
  c.entry[PRC_CERTIFY_ITERATIONS] = iterations(s);
  c.entry[PRC_CERTIFY_PENETRATION] = penetration(l);
  c.entry[PRC_CERTIFY_APPROACH] = approach(l);
  c.entry[PRC_CERTIFY_PRESCRIBED] = prescribed(s);
  c.entry[PRC_CERTIFY_JOINTS] = joints(l);
  c.entry[PRC_CERTIFY_ROTATION] = rotation(s, o->rotations_accepted, o->rotations_free);
  const prc_ledger_mark failures = {s->failures, s->first_failure};
  c.entry[PRC_CERTIFY_FAILURES] = bounded("failed_steps", &failures, 0.0,
                                          "steps that failed and were passed over, and the first of them");
  c.entry[PRC_CERTIFY_CONTACT].count = prc_ledger_whole(s->contact_misses);
  for (int k = 0; k < PRC_N_INDICATORS; k++)
    c.entry[PRC_CERTIFY_INDICATORS + k] = prc_ledger_indicator_entry(l, k);
  leave_out(&c, l);
  set_cures(&c);
  c.verdict = verdict_of(&c);
  return c;
}

/* ---- notes ------------------------------------------------------------------------------------------------------------- */

static const char *creator_of(const prc_certificate *c, const prc_certificate_entry *entry) {
  return entry == &c->entry[PRC_CERTIFY_TANGENTIAL]  ? "friction"
         : entry == &c->entry[PRC_CERTIFY_NORMAL]    ? "normal impulses"
         : entry == &c->entry[PRC_CERTIFY_LOSS]      ? "normal impulses at the mean of the velocities"
         : entry == &c->entry[PRC_CERTIFY_NUMERICAL] ? "the scheme"
                                                     : "contacts and scheme together";
}

/* The rise of T + V repeats what one of the works that it sums has created. */
static int is_said_by_others(const prc_certificate *c, int k) {
  const double rise = c->entry[PRC_CERTIFY_RISE].created;
  return k == PRC_CERTIFY_RISE && rise > 0.0
         && rise <= 1.01
                        * fmax(c->entry[PRC_CERTIFY_NUMERICAL].created,
                               fmax(c->entry[PRC_CERTIFY_TANGENTIAL].created,
                                    c->entry[PRC_CERTIFY_NORMAL].created));
}

void prc_certificate_notes(const prc_certificate *c, char *text, size_t size) {
  text[0] = '\0';
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++) {
    const prc_certificate_entry *entry = &c->entry[k];
    if (entry->absent || entry->verdict != PRC_NOTED || is_said_by_others(c, k)) continue;
    if (*text) prc_append(text, size, "; ");
    if (entry->created > 0.0)
      prc_append(text, size, "%s created energy: %.3g, %.2g of the largest (%s)", creator_of(c, entry),
                 entry->created, entry->created / c->energy_largest, entry->name);
    else
      prc_append(text, size, "%s %.3g", entry->name, entry->value);
  }
}

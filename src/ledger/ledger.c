#include "config.h"
#include "ledger/internal.h"

#include <math.h>
#include <string.h>

const char *prc_ledger_header(void) {
#define X(name) "," #name
  return &(PRC_LEDGER_COLUMNS(X))[1];
#undef X
}

prc_status prc_ledger_create(const prc_ledger_options *options, prc_ledger **out, prc_error *err) {
  prc_need(options, err);
  prc_need(out, err);
  const prc_status status = prc_new(out, 1, err);
  if (status == PRC_OK) (*out)->options = *options;
  return status;
}

void prc_ledger_free(prc_ledger **ledger) {
  prc_delete(ledger);
}
const prc_ledger_row *prc_ledger_now(const prc_ledger *ledger) {
  return &ledger->state.row;
}

/* ---- one step --------------------------------------------------------------------------------------------------------------- */

typedef struct {
  double normal, tangential;           /* works of contacts */
  double loss_normal, loss_tangential; /* at the mean of the velocities: what they take of T */
  double allowance;                    /* what their errors explain of both, in all */
} contact_works;

static double dot(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* Rounding of a step's works: `bound` times the largest energy so far; for a body at rest, which has none,
 * times the largest sum that cancelled in a step. That sum is expensive: it is computed only if a work exceeds
 * both, and once a step. */
static double rounding_of(prc_ledger *l, const prc_step_record *r, double bound, double work) {
  prc_ledger_state *s = &l->state;
  if (work > bound * fmax(s->energy_largest, s->terms_largest) && r->stepper && s->terms == 0.0)
    s->terms = prc_stepper_terms(r->stepper);
  s->terms_largest = fmax(s->terms_largest, s->terms);
  const double rounding = bound * fmax(s->energy_largest, s->terms_largest);
  return work > rounding && r->stepper ? rounding + prc_stepper_rounding(r->stepper) : rounding;
}

/* A work of a contact against what its error and rounding explain; `opening` is what activation, within its tolerance, allows besides: created it is all the same. */
static void enter_work(prc_ledger *l, const prc_step_record *r, prc_ledger_excess *excess, prc_sum *created,
                       double work, double allowance, double opening) {
  if (work > allowance) allowance = fmax(allowance, rounding_of(l, r, PRC_LEDGER_ROUNDING, work));
  prc_ledger_note(excess, work, allowance + opening, r->step);
  if (work > allowance) prc_sum_add(created, work - allowance);
}

/* Work of the impulses at the mean of the velocities: their share of T' - T. A contact that opens, H v_k > 0,
 * may push and be stopped at u_theta = 0: it is given no more than that speed times p. */
static void enter_losses(prc_ledger *l, const prc_step_record *r, int c, const double work[2],
                         contact_works *d) {
  const int dim = r->dim;
  const double *p = r->p + dim * c;
  if (!r->u_mean) {
    d->loss_normal += work[0], d->loss_tangential += work[1];
    return;
  }
  const double *u = r->u_mean + dim * c, normal = u[0] * p[0];
  d->loss_normal += normal, d->loss_tangential += dot(dim - 1, u + 1, p + 1);
  enter_work(l, r, &l->state.loss, &l->state.created_loss, normal, r->allowance[c],
             fmax(r->u_before[dim * c], 0.0) * fmax(p[0], 0.0));
}

/* Works of the contacts at u_work, contact by contact; the largest excess over what its error explains. */
static void enter_contacts(prc_ledger *l, const prc_step_record *r, contact_works *d) {
  prc_ledger_row *row = &l->state.row;
  double largest = 0.0, smallest = 0.0;
  for (int i = 0; i < r->n_active; i++) {
    const int c = r->active[i], dim = r->dim;
    const double *p = r->p + dim * c, u_n = r->u_old[dim * c];
    double work[2];
    prc_step_work_of_contact(r, c, work);
    const double normal = work[0], tangential = work[1];
    /* a contact that activation let in although it opens, within its tolerance, may work that much; not where the law itself says what
     * of a contact that opens is zero */
    const double opening = u_n > 0.0 && !r->listed ? u_n * fmax(p[0], 0.0) : 0.0;
    d->normal += normal;
    d->tangential += tangential;
    d->allowance += r->allowance[c] + opening;
    if (i == 0 || tangential > largest) largest = tangential;
    if (i == 0 || tangential < smallest) smallest = tangential;
    enter_work(l, r, &l->state.tangential, &l->state.created_tangential, tangential, r->allowance[c], 0.0);
    enter_work(l, r, &l->state.normal, &l->state.created_normal, normal, r->allowance[c], opening);
    enter_losses(l, r, c, work, d);
  }
  row->tangential_work_max = largest;
  row->tangential_work_min = smallest;
}

static void count_statuses(prc_ledger_row *row, const prc_step_record *r) {
  row->active = r->n_active;
  row->sticking = row->sliding = 0.0;
  for (int i = 0; i < r->n_active; i++) {
    const int status = r->status[r->active[i]];
    row->sticking += status == PRC_CONE_STICK;
    row->sliding += status == PRC_CONE_SLIP;
  }
  if (r->listed) row->active = row->sticking + row->sliding;
}

static void enter_cone(prc_ledger *l, const prc_step_record *r) {
  prc_ledger_row *row = &l->state.row;
  row->cone_iterations = r->cone.iterations;
  row->cone_error = r->cone.error.scaled;
  prc_ledger_note(&l->state.contact_error, r->cone.error.scaled, fmax(l->options.tolerance, r->cone.bound),
                  r->step);
  prc_ledger_worst(&l->state.contact_error_paper, r->cone.error.paper, r->step);
  l->state.contact_misses += !r->cone.converged;
}

static prc_ledger_pair pair_of(const prc_step_record *r, int c) {
  const int *body = r->contacts && r->contacts->body ? r->contacts->body + 2 * c : (const int[]){-1, -1};
  return (prc_ledger_pair){body[0], body[1]};
}

/* Of a hundredth of a size: what surfaces that go on passing by each other change of their gaps, beside what they were let in */
#define DRIFT 0.1

/* How deep contact c may be: a hundredth of the size of the smaller body, or what it was let in in the step that brought it together (the last of the
 * notes but one; of one that has not pushed yet h times the velocity by which it closes now, and the way that it closed in this step); never more than half of what is thinner. */
static double depth_allowed(const prc_step_record *r, int c) {
  const prc_contact_set *set = r->contacts;
  const double size = set->size[c], width = set->width && set->width[c] > 0.0 ? set->width[c] : size;
  const int late = set->n_noted > 1 && r->p && !(r->p[r->dim * c] > 0.0);
  double let_in = 0.0;
  if (set->n_noted > 1 && set->kept) let_in = set->kept[set->n_kept * (c + 1) - 2];
  if (late && r->u) let_in = fmax(let_in, -r->h * r->u[r->dim * c]);
  if (late && r->gap_old && r->gap_old[c] >= 0.0) let_in = fmax(let_in, r->gap_old[c] - r->gap[c]);
  if (let_in > 0.0) let_in += DRIFT * PRC_LEDGER_DEPTH * size;
  return fmax(PRC_LEDGER_DEPTH * size, fmin(let_in, 0.5 * width));
}

static void enter_gaps_of(prc_ledger *l, const prc_step_record *r, const double *gap) {
  prc_ledger_state *s = &l->state;
  double deepest = 0.0;
  for (int c = 0; c < r->n_contacts; c++) {
    deepest = fmax(deepest, -gap[c]);
    if (-gap[c] > s->penetration.value) {
      prc_ledger_worst(&s->penetration, -gap[c], r->step);
      s->deepest = pair_of(r, c);
    }
  }
  if (r->size_least == 0.0 || deepest <= s->depth.ratio * PRC_LEDGER_DEPTH * r->size_least)
    return; /* no body is deeper than before */
  for (int c = 0; c < r->n_contacts; c++) {
    const double before = s->depth.ratio;
    if (!(r->contacts->size[c] > 0.0)) continue;
    prc_ledger_note(&s->depth, -gap[c], depth_allowed(r, c), r->step);
    if (s->depth.ratio != before) s->deepest_of_size = pair_of(r, c);
  }
}

/* A contact that a step found may have been deepest where the step began, which was the end of another. Of what slides over flush blocks that are not quite of one height
 * less than that is no depth. In space the deepest points of rims and faces that turned are others than those that the step before closed: of them the custom holds. */
static void enter_ends(prc_ledger *l, const prc_step_record *r, const double *gap) {
  prc_ledger_state *s = &l->state;
  for (int c = 0; c < r->n_contacts; c++) {
    const double depth = -gap[c] - (r->contacts && r->contacts->flush ? r->contacts->flush[c] : 0.0);
    if (!(depth > s->gap_at_end.value)) continue;
    prc_ledger_worst(&s->gap_at_end, depth, r->step);
    s->deepest_at_end = pair_of(r, c);
  }
}

static void enter_gaps(prc_ledger *l, const prc_step_record *r) {
  const int promised = l->options.promises.penetration.theorem != NULL;
  if (r->gap_old) enter_gaps_of(l, r, r->gap_old);
  enter_gaps_of(l, r, r->gap);
  if (r->contacts && r->step > 0) l->state.mended += r->contacts->n_mended;
  l->state.gap_closed = fmax(l->state.gap_closed, r->gap_closed);
  if (!promised || r->step == 0) return;
  if (r->gap_old && r->step > 1 && r->dim < 3) enter_ends(l, r, r->gap_old);
  enter_ends(l, r, r->gap);
}

/* A gap that is not zero under a force is a way that the force has not pressed the bodies together: of a load that grew with it P g of 2 E. That elastic energy
 * may be gone in the next step, so the largest so far is what it is compared with in the end. The percussion by which nodes strike is no such force: p/h times the gap is about m v^2 then,
 * however short steps are. So it counts as far as
 * all forces of the step before were as large. */
static void enter_hidden(prc_ledger *l, const prc_step_record *r) {
  double sum = 0.0, force = 0.0, before = 0.0;
  if (!r->contacts || !r->contacts->ramp) return;
  for (int i = 0; i < r->n_active; i++) {
    const int c = r->active[i];
    if (!(r->contacts->ramp[c] > 0.0)) continue;
    const double p = fmax(r->p[r->dim * c], 0.0) / r->h;
    sum += p * fabs(r->gap[c]), force += p;
  }
  for (int c = 0; r->p_old && c < r->n_contacts; c++)
    if (r->contacts->ramp[c] > 0.0) before += fmax(r->p_old[c], 0.0) / r->h;
  if (r->p_old && before < force) sum *= before / force;
  prc_ledger_worst(&l->state.hidden, sum, r->step);
}

static void enter_joints(prc_ledger *l, const prc_step_record *r) {
  prc_ledger_state *s = &l->state;
  for (int k = 0; k < r->n_joints; k++) {
    const double miss = fabs(r->joint_g[k]) / (r->joint_length > 0.0 ? r->joint_length : 1.0);
    if (miss <= s->joints.value) continue; /* NaN goes on, and stays */
    prc_ledger_worst(&s->joints, miss, r->step);
    s->joint = k;
  }
}

static void enter_passes(prc_ledger *l, const prc_step_record *r) {
  prc_ledger_state *s = &l->state;
  if (!(r->tolerance > 0.0)) return;
  prc_ledger_note(&s->iterations, r->change, r->tolerance, r->step);
  s->tolerance = fmax(s->tolerance, r->tolerance);
  s->passes += r->passes;
  s->frozen += r->frozen > 0;
}

/* allowance: what errors and rounding explain of an energy above zero */
static void enter_rise(prc_ledger_rise *rise, double energy, double allowance) {
  prc_sum_add(&rise->sum, energy > 0.0 ? fmax(0.0, energy - allowance) : energy);
  const double now = prc_sum_total(&rise->sum);
  rise->least = fmin(rise->least, now);
  rise->created = fmax(rise->created, now - rise->least);
}

/* Numerical work of the scheme, and the gain of T + V beyond the works of loads, data and dampers (without the
 * residual, which has an entry of its own). */
static void enter_rises(prc_ledger *l, const contact_works *d, const prc_step_record *r) {
  prc_ledger_state *s = &l->state;
  const double numerical = r->work[PRC_WORK_numerical] + r->work[PRC_WORK_projection],
               rise =
                   numerical + r->work[PRC_WORK_joints] + d->normal + d->tangential + s->row.balance_residual,
               rounding = rounding_of(l, r, PRC_LEDGER_BALANCE, fmax(numerical, rise));
  prc_ledger_note(&s->numerical, numerical, r->numerical_allowance + rounding, r->step);
  prc_sum_add(numerical > 0.0 ? &s->numerical_gained : &s->numerical_lost, numerical);
  prc_ledger_note(&s->rise, rise, d->allowance + r->joint_allowance + r->numerical_allowance + 2.0 * rounding,
                  r->step);
  if (rise > 0.0) prc_sum_add(&s->risen, rise);
  enter_rise(&s->created_numerical, numerical, rounding);
  enter_rise(&s->created_rise, rise, d->allowance + r->joint_allowance + 2.0 * rounding);
}

static void enter_prescribed(prc_ledger *l, const prc_step_deviation *d, int step) {
  l->state.prescribed_range = fmax(l->state.prescribed_range, d->range);
  l->state.prescribed_largest = fmax(l->state.prescribed_largest, d->largest);
  prc_ledger_worst(&l->state.prescribed, d->deviation, step);
}

/* Scale of a residual: the largest energy so far, kinetic + elastic + all works; for a body at rest, which has
 * neither, the sum that cancels in the step. */
static double balance_scale(prc_ledger *l, const prc_step_record *r) {
  prc_ledger_state *s = &l->state;
  if (!(fabs(s->row.balance_residual) <= PRC_LEDGER_BALANCE * s->energy_largest) && r->stepper
      && s->terms == 0.0)
    s->terms = prc_stepper_terms(r->stepper);
  return fmax(s->energy_largest, s->terms);
}

/* States are looked at for drifts now and then only, but their rounding is that of the largest state so far, which may have died
 * away before the first look: |f|, |q|, and |m| and impulses in the norm of energy, |m| = sqrt(2 T) where M is diagonal. */
static void enter_scales(prc_ledger *l, const prc_step_record *r) {
  prc_ledger_state *s = &l->state;
  s->impulse_largest = fmax(s->impulse_largest, r->impulse);
  s->elastic_scale = fmax(s->elastic_scale, sqrt(r->force));
  s->displacement = fmax(s->displacement, sqrt(r->displacement));
  s->momentum_scale = fmax(s->momentum_scale, fmax(sqrt(2.0 * fabs(s->row.kinetic)), r->impulse));
}

/* Gain of the energies minus all works: the residual of the step's balance, (65) for the theta-scheme. */
static void close_step(prc_ledger *l, const contact_works *d, const prc_step_record *r) {
  prc_ledger_state *s = &l->state;
  prc_ledger_row *row = &s->row;
  const double *work = r->work;
  row->balance_residual = r->kinetic + r->potential - work[PRC_WORK_external] - work[PRC_WORK_damping]
                          - work[PRC_WORK_numerical] - work[PRC_WORK_joints] - d->normal - d->tangential
                          - work[PRC_WORK_driven] - work[PRC_WORK_boundary] - work[PRC_WORK_projection];
  prc_sum_add(&s->kinetic, r->kinetic), prc_sum_add(&s->elastic, r->potential);
  for (int k = 0; k < PRC_N_WORKS; k++) {
    prc_sum_add(&s->work[k], work[k]);
    s->works += fabs(work[k]);
  }
  prc_sum_add(&s->contact_normal, d->normal), prc_sum_add(&s->contact_tangential, d->tangential);
  row->kinetic = prc_sum_total(&s->kinetic), row->elastic = prc_sum_total(&s->elastic);
  row->work_external = prc_sum_total(&s->work[PRC_WORK_external]);
  row->work_damping = prc_sum_total(&s->work[PRC_WORK_damping]);
  row->work_contact_normal = prc_sum_total(&s->contact_normal);
  row->work_contact_tangential = prc_sum_total(&s->contact_tangential);
  row->dissipation_numerical = prc_sum_total(&s->work[PRC_WORK_numerical]);
  prc_sum_add(&s->loss_normal, d->loss_normal), prc_sum_add(&s->loss_tangential, d->loss_tangential);
  prc_sum_add(&s->numerical_rest,
              work[PRC_WORK_numerical] + (d->normal - d->loss_normal) + (d->tangential - d->loss_tangential));
  row->loss_contact_normal = prc_sum_total(&s->loss_normal);
  row->loss_contact_tangential = prc_sum_total(&s->loss_tangential);
  row->numerical_rest = prc_sum_total(&s->numerical_rest);
  row->driven = prc_sum_total(&s->work[PRC_WORK_driven]);
  row->joints = prc_sum_total(&s->work[PRC_WORK_joints]);
  row->work_boundary = prc_sum_total(&s->work[PRC_WORK_boundary]);
  row->projection = prc_sum_total(&s->work[PRC_WORK_projection]);
  prc_sum_add(&s->breakdown, r->breakdown), row->breakdown = prc_sum_total(&s->breakdown);
  s->works += fabs(d->normal) + fabs(d->tangential);
  s->energy_largest = fmax(s->energy_largest, fabs(row->kinetic) + fabs(row->elastic) + s->works);
  l->elastic_before = s->elastic_most;
  s->elastic_most = fmax(s->elastic_most, row->elastic);
  if (row->balance_residual != 0.0)
    prc_ledger_worst(&s->balance, fabs(row->balance_residual) / balance_scale(l, r), r->step);
}

void prc_ledger_enter(prc_ledger *l, const prc_step_record *r) {
  contact_works d = {0};
  l->state.row.step = r->step;
  l->state.row.t = r->t;
  l->state.terms = 0.0;
  enter_contacts(l, r, &d);
  count_statuses(&l->state.row, r);
  l->state.entries += l->state.row.active;
  enter_cone(l, r);
  enter_gaps(l, r);
  enter_hidden(l, r);
  enter_prescribed(l, &r->prescribed, r->step);
  enter_joints(l, r);
  enter_passes(l, r);
  close_step(l, &d, r);
  enter_rises(l, &d, r);
  enter_scales(l, r);
  prc_ledger_enter_indicators(l->state.indicator, r->indicator, r->step);
  prc_sum_add(&l->state.moment_excess,
              fmax(0.0, r->indicator[PRC_INDICATOR_angular_momentum].value - r->moment_rounding));
}

void prc_ledger_start(prc_ledger *l, const prc_step_record *r) {
  prc_ledger_state *s = &l->state;
  memset(s, 0, sizeof *s);
  prc_sum_add(&s->kinetic, r->kinetic);
  prc_sum_add(&s->elastic, r->potential);
  s->row.step = r->step, s->row.t = r->t;
  s->row.kinetic = prc_sum_total(&s->kinetic), s->row.elastic = prc_sum_total(&s->elastic);
  s->energy_largest = fabs(s->row.kinetic) + fabs(s->row.elastic);
  s->elastic_most = fmax(s->row.elastic, 0.0);
  enter_scales(l, r);
  enter_gaps(l, r);
  enter_joints(l, r);
  enter_prescribed(l, &r->prescribed, r->step);
}

void prc_ledger_set_state(prc_ledger *l, const prc_step_record *r) {
  prc_ledger_state *s = &l->state;
  const double kinetic = r->kinetic - prc_sum_total(&s->kinetic),
               elastic = r->potential - prc_sum_total(&s->elastic);
  if (r->step == 0) {
    prc_ledger_start(l, r);
    return;
  }
  prc_sum_add(&s->kinetic, kinetic), prc_sum_add(&s->elastic, elastic);
  prc_sum_add(&s->work[PRC_WORK_external], kinetic + elastic);
  s->works += fabs(kinetic + elastic);
  s->row.kinetic = prc_sum_total(&s->kinetic), s->row.elastic = prc_sum_total(&s->elastic);
  s->row.work_external = prc_sum_total(&s->work[PRC_WORK_external]);
  s->energy_largest = fmax(s->energy_largest, fabs(s->row.kinetic) + fabs(s->row.elastic) + s->works);
  enter_scales(l, r);
}

void prc_ledger_set_energies(prc_ledger *l, const double *state) {
  prc_ledger_state *s = &l->state, other;
  memcpy(&other, state, sizeof other);
  s->kinetic = other.kinetic, s->elastic = other.elastic;
  s->row.kinetic = prc_sum_total(&s->kinetic), s->row.elastic = prc_sum_total(&s->elastic);
}

void prc_ledger_energies(const double *state, double *kinetic, double *elastic) {
  prc_ledger_state s;
  memcpy(&s, state, sizeof s);
  *kinetic = s.row.kinetic, *elastic = s.row.elastic;
}

/* ---- the worst of a run -------------------------------------------------------------------------------------------------------- */

void prc_ledger_worst(prc_ledger_mark *mark, double value, int step) {
  if (!isnan(mark->value) && !(value <= mark->value)) /* NaN is the worst, and stays */
    mark->value = value, mark->step = step;
}

void prc_ledger_note(prc_ledger_excess *e, double work, double allowance, int step) {
  const double ratio = work <= 0.0 ? 0.0 : allowance > 0.0 ? work / allowance : INFINITY; /* NaN stays NaN */
  prc_ledger_worst(&e->work, work, step);
  if (!(work <= allowance)) e->count += 1.0;
  if (!isnan(e->ratio) && !(ratio <= e->ratio)) {
    e->ratio = ratio;
    e->value = work, e->allowance = allowance, e->step = step;
  }
}

static double ratio(double error, double scale) {
  return scale > 0.0 ? error / scale : error > 0.0 ? INFINITY : error;
}

/* Against the largest scale so far, of all steps: what is left of a motion that died away keeps the rounding of its best days. */
prc_ledger_drifts prc_ledger_drift(prc_ledger *l, int step, const prc_step_drift *drift) {
  prc_ledger_state *s = &l->state;
  s->elastic_scale = fmax(s->elastic_scale, fmax(drift->elastic_scale, drift->stiffness * s->displacement));
  s->momentum_scale = fmax(s->momentum_scale, fmax(drift->momentum_scale, drift->lack * s->elastic_scale));
  const prc_ledger_drifts now = {.elastic = ratio(drift->elastic, s->elastic_scale),
                                 .momentum = ratio(drift->momentum, s->momentum_scale)};
  prc_ledger_worst(&s->drift_elastic, now.elastic, step);
  prc_ledger_worst(&s->drift_momentum, now.momentum, step);
  enter_prescribed(l, &drift->prescribed, step);
  prc_ledger_worst(&s->rotation, drift->rotation * (180.0 / 3.14159265358979323846), step);
  prc_ledger_enter_indicators(s->indicator, drift->indicator, step);
  return now;
}

void prc_ledger_fail(prc_ledger *l, int step) {
  if (l->state.failures++ == 0.0) l->state.first_failure = step;
}

/* Of a step m closes the balance and v what the last pass left, so each step parts them by its tolerance. */
double prc_ledger_elastic_before(const prc_ledger *l) {
  return l->elastic_before;
}

double prc_ledger_momentum_bound(const prc_ledger *l) {
  return fmax(PRC_LEDGER_DRIFT, 100.0 * l->state.tolerance);
}

double prc_ledger_balance_bound(const prc_ledger *l) {
  return PRC_LEDGER_BALANCE * fmax(l->state.energy_largest, l->state.terms);
}

double prc_ledger_depth(const prc_ledger *l) {
  const double most = l->options.max_penetration;
  return most >= 0.0 ? ratio(l->state.penetration.value, most) : l->state.depth.ratio;
}

double prc_ledger_entries(const prc_ledger *l) {
  return l->state.entries;
}

size_t prc_ledger_size(void) {
  return sizeof(prc_ledger_state) / sizeof(double);
}
void prc_ledger_save(const prc_ledger *l, double *state) {
  memcpy(state, &l->state, sizeof l->state);
}
void prc_ledger_restore(prc_ledger *l, const double *state) {
  memcpy(&l->state, state, sizeof l->state);
}

static int is_count(double x) {
  return isfinite(x) && x >= 0.0;
}

/* After a failed step some values may be infinite or no number, its contact error for instance; energies and
 * works may not. */
int prc_ledger_is_sound(const double *state, int step, double t) {
  prc_ledger_state s;
  memcpy(&s, state, sizeof s);
  const prc_sum *const sums[] = {
      &s.kinetic,        &s.elastic, &s.contact_normal, &s.contact_tangential, &s.numerical_gained,
      &s.numerical_lost, &s.risen,   &s.loss_normal,    &s.loss_tangential,    &s.numerical_rest};
  int sound = s.row.step == step && fabs(s.row.t - t) <= 1e-9 * fabs(t);
  for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
    sound = sound && isfinite(sums[k]->value) && isfinite(sums[k]->lost);
  for (int k = 0; k < PRC_N_WORKS; k++)
    sound = sound && isfinite(s.work[k].value) && isfinite(s.work[k].lost);
  const double row[] = {s.row.kinetic,
                        s.row.elastic,
                        s.row.work_external,
                        s.row.work_damping,
                        s.row.work_contact_normal,
                        s.row.work_contact_tangential,
                        s.row.dissipation_numerical,
                        s.row.driven,
                        s.row.joints,
                        s.row.work_boundary,
                        s.row.breakdown,
                        s.row.loss_contact_normal,
                        s.row.loss_contact_tangential,
                        s.row.numerical_rest,
                        s.row.projection};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) sound = sound && isfinite(row[k]);
  return sound && is_count(s.works) && is_count(s.energy_largest) && is_count(s.entries)
         && is_count(s.contact_misses) && is_count(s.failures) && is_count(s.passes) && is_count(s.frozen)
         && is_count(s.tolerance) && is_count(s.elastic_most);
}

double prc_ledger_failures(const double *state) {
  prc_ledger_state s;
  memcpy(&s, state, sizeof s);
  return s.failures;
}

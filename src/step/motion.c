#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Prescribed motions. What is imposed is a velocity, and the datum is a displacement d(t): V_k is the mean of d' over the step
 * around t_k that theta asks for,
 *
 *   V_k = (D_k - D_{k-1}) / h,   D_k = d(t_k + (1 - theta) h),   V_0 = d'(0+).
 *
 * The displacement q_{k+1} = q_k + h [(1 - theta) V_k + theta V_{k+1}] is then a sum whose terms cancel in pairs:
 *
 *   q_k = theta D_k + (1 - theta) D_{k-1} + c,   c = (1 - theta) h V_0 - (D_0 - d(0)),
 *
 * the value at t_k of the chord of d over (t_k - theta h, t_k + (1 - theta) h). So |q_k - d(t_k) - c| <= 2 theta (1 - theta) h L for
 * any d with |d'| <= L, after any number of steps, and |V_k| <= L: no feedback, so nothing that could ring. A constant has V = 0
 * exactly; theta = 1 gives d(t_k) to rounding. For smooth d and theta = 1/2, V_k and q_k are off by terms of order h^2. */

/* ---- the datum ------------------------------------------------------------------------------------------------ */

/* Rows whose motions differ. */
static prc_status list_own(prc_step_motion *m, prc_error *err) {
  const prc_drive *drive = &m->system->drive;
  const prc_status status = prc_new(&m->own, drive->n, err);
  for (int i = 0; i < drive->n && status == PRC_OK; i++)
    if (!drive->like || drive->like[i] == i) m->own[m->n_own++] = i;
  return status;
}

prc_status prc_step_motion_create(const prc_system *system, const prc_step_options *options, int follows,
                                  int exact, prc_step_motion *m, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)system->drive.n;
  *m = (prc_step_motion){
      .system = system, .h = options->h, .theta = options->theta, .longest = options->pace.max};
  m->moves = n > 0 && !system->drive.rest && (follows || exact);
  m->exact = exact;
  m->follows = m->moves && system->drive.displacement;
  prc_try(prc_new(&m->first, n, err));
  prc_try(prc_new(&m->now, n, err));
  prc_try(prc_new(&m->before, n, err));
  prc_try(prc_new(&m->ahead, n, err));
  prc_try(prc_new(&m->rate, n, err));
  prc_try(prc_new(&m->room, n, err));
  prc_try(list_own(m, err));
  if (prc_step_varies(options)) prc_try(prc_new(&m->start, n, err));
done:
  return status;
}

void prc_step_motion_free(prc_step_motion *m) {
  prc_delete(&m->first);
  prc_delete(&m->now);
  prc_delete(&m->before);
  prc_delete(&m->ahead);
  prc_delete(&m->rate);
  prc_delete(&m->room);
  prc_delete(&m->own);
  prc_delete(&m->start);
}

prc_status prc_step_motion_displacements(const prc_step_motion *m, double t, double *d, prc_error *err) {
  return m->system->drive.displacement(m->system->owner, t, d, err);
}

/* Of one row. */
static prc_status displacement(const prc_step_motion *m, int i, double t, double *d, prc_error *err) {
  const prc_system *system = m->system;
  if (system->drive.displacement_at) return system->drive.displacement_at(system->owner, i, t, d, err);
  const prc_status status = prc_step_motion_displacements(m, t, m->room, err);
  *d = m->room[i];
  return status;
}

/* The time of D_k, as a resumed run computes it too. */
static double time_of(const prc_step_motion *m, int step) {
  return ((double)step + (1.0 - m->theta)) * m->h;
}

/* Rounding of a displacement, in coordinates of that size. */
static double rounding(const prc_step_motion *m, double d) {
  return 1e-12 * (m->system->length + fabs(d));
}

/* ---- jumps ------------------------------------------------------------------------------------------------------ */

void prc_step_motion_name(const prc_system *system, int i, char *text, size_t size) {
  if (system->drive.name)
    system->drive.name(system->owner, i, text, size);
  else
    snprintf(text, size, "prescribed dof %d", system->drive.dof[i]);
}

typedef struct {
  int sharp;      /* at an instant; else within less than a step */
  double t, size; /* size 0: there is none */
} jump;

/* Halves (a, b), always into the half that moves further: a jump stays whole, what is continuous falls below an eighth soon.
 * On return *a and *b bound where most of the motion is; 1: it is a jump. */
static int halve(const prc_step_motion *m, int i, double *a, double *b, double d_a, double d_b) {
  const double eighth = 0.125 * fabs(d_b - d_a);
  prc_error ignored = {0};
  while (*b - *a > fmax(ldexp(m->h, -40), 4.0 * DBL_EPSILON * *b)) {
    const double middle = 0.5 * (*a + *b);
    double d;
    if (displacement(m, i, middle, &d, &ignored) != PRC_OK) return 0;
    if (fabs(d - d_a) > fabs(d_b - d))
      *b = middle, d_b = d;
    else
      *a = middle, d_a = d;
    if (fabs(d_b - d_a) < eighth) return 0;
  }
  return 1;
}

/* A jump between a and b: its size, from a little before to a little after. */
static jump sharp_jump(const prc_step_motion *m, int i, double a, double b, double change) {
  const double little = ldexp(m->h, -30);
  prc_error ignored = {0};
  double before, after;
  jump found = {.sharp = 1, .t = a > 0.0 ? b : 0.0, .size = change};
  if (displacement(m, i, fmax(a - little, 0.0), &before, &ignored) == PRC_OK
      && displacement(m, i, b + little, &after, &ignored) == PRC_OK
      && fabs(after - before) > 0.125 * fabs(change)) /* else the value of a single instant */
    found.size = after - before;
  return found;
}

/* A ramp that is too short for a step to follow: around t, in half a step, more than three times the way of each of the two half
 * steps before and after. (A kink has a way after it, and so has an oscillation, however few steps its period has.) */
static jump short_ramp(const prc_step_motion *m, int i, double t) {
  enum { HALF = 4, SIDE = 12 }; /* eighths of a step: in half a step, and to either side of t */
  prc_error ignored = {0};
  double d[2 * SIDE + 1], most = 0.0;
  jump found = {0};
  for (int k = 0; k <= 2 * SIDE; k++) /* before the start nothing moves */
    if (displacement(m, i, fmax(t + 0.125 * m->h * (k - SIDE), 0.0), &d[k], &ignored) != PRC_OK) return found;
  for (int k = 2 * HALF; k <= 2 * SIDE - 3 * HALF; k++) {
    const double here = fabs(d[k + HALF] - d[k]);
    double beside = rounding(m, d[k]);
    for (int n = -2; n <= 2; n++)
      if (n != 0) beside = fmax(beside, fabs(d[k + (n + 1) * HALF] - d[k + n * HALF]));
    if (t + 0.125 * m->h * (k + 1 - SIDE) <= 0.0 || here <= 3.0 * beside || here <= most) continue;
    most = here;
    found = (jump){.t = t + 0.125 * m->h * (k - SIDE) + 0.25 * m->h, .size = d[k + HALF + 2] - d[k - 2]};
  }
  return found;
}

static prc_status refuse_jump(prc_step_motion *m, int i, const jump *j, prc_error *err) {
  char name[256];
  m->jumped = 1;
  prc_step_motion_name(m->system, i, name, sizeof name);
  if (j->sharp)
    return prc_fail(
        err, PRC_INPUT,
        "%s jumps by %.6g at t = %.9g, expected a displacement without jumps, such as a ramp over "
        "some steps: it is imposed by its velocity",
        name, j->size, j->t);
  return prc_fail(err, PRC_INPUT,
                  "%s moves by %.6g around t = %.9g within less than a step, which is a jump to steps of %g; "
                  "expected a ramp over some steps, or smaller steps",
                  name, j->size, j->t, m->h);
}

/* Signs of a jump in (a, b): where the mean rate changed by more than a quarter against `old`; and what may be
 * a short ramp:
 * where it is not between nothing and twice that. */
static jump find_jump(const prc_step_motion *m, int i, double a, double b, double d_a, double d_b,
                      double old) {
  const double change = fabs((d_b - d_a) / (b - a) - old);
  if (change <= 0.25 * fabs(old) || fabs(d_b - d_a) <= rounding(m, d_b)) return (jump){0};
  if (halve(m, i, &a, &b, d_a, d_b)) return sharp_jump(m, i, a, b, d_b - d_a);
  if (change <= fabs(old)) return (jump){0};
  return short_ramp(m, i, 0.5 * (a + b));
}

/* Over (a, b), from d_a to d_b. A jump that is less than a quarter of what the datum moves in this time anyway is not seen, nor is
 * what goes and comes back within it. */
prc_status prc_step_motion_watch(prc_step_motion *m, double a, double b, const double *d_a, const double *d_b,
                                 prc_error *err) {
  double seen[2][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}}; /* the nodes of an edge mostly move alike */
  if (!(b > a)) return PRC_OK;
  for (int i = 0; i < m->system->drive.n; i++) {
    const double from = d_a[i], to = d_b[i], old = m->rate[i];
    double *same = seen[m->system->drive.dof[i] % 2];
    m->rate[i] = (to - from) / (b - a);
    if (m->rate[i] == old || (from == same[0] && to == same[1] && old == same[2])) continue;
    const jump found = find_jump(m, i, a, b, from, to, old);
    if (found.size != 0.0) return refuse_jump(m, i, &found, err);
    same[0] = from, same[1] = to, same[2] = old;
  }
  return PRC_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* A derivative at one end of (a, b) that is not between nothing and twice the mean one: d is not resolved by its differences, and the
 * mean takes its place. */
void prc_step_motion_temper(const prc_step_motion *m, const double *d_a, const double *d_b, double time,
                            double *v) {
  for (int i = 0; i < m->system->drive.n; i++) {
    const double mean = (d_b[i] - d_a[i]) / time;
    if (!(fabs(v[i] - mean) <= (1.0 + 1e-6) * fabs(mean))) v[i] = mean;
  }
}

/* V_step and D_step, from D_{step-1} and d(t_step). Where d ends, as it may at the end of a run, it goes on with its derivative from the
 * left. */
static prc_status predict(prc_step_motion *m, int step, double *v, prc_error *err) {
  const prc_system *system = m->system;
  const double t = step * m->h;
  prc_error ended = {0};
  if (prc_step_motion_displacements(m, time_of(m, step), m->ahead, &ended) == PRC_OK) {
    for (int i = 0; i < system->drive.n; i++) v[i] = (m->ahead[i] - m->before[i]) / m->h;
    return PRC_OK;
  }
  const prc_status status = system->drive.velocity(system->owner, t, m->h, v, err);
  if (status != PRC_OK) return status;
  prc_step_motion_temper(m, m->before, m->now, t - time_of(m, step - 1), v);
  for (int i = 0; i < system->drive.n; i++) m->ahead[i] = m->now[i] + (time_of(m, step) - t) * v[i];
  return PRC_OK;
}

/* V_0 and D_0, and whether d begins with a jump. */
static prc_status begin(prc_step_motion *m, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  const double half = 0.5 * m->h; /* (1 - theta) h or more */
  for (int i = 0; i < m->system->drive.n; i++) m->now[i] = m->first[i], m->rate[i] = 0.0;
  prc_try(prc_step_motion_displacements(m, time_of(m, 0), m->ahead, err));
  prc_try(prc_step_motion_watch(m, 0.0, time_of(m, 0), m->now, m->ahead, err));
  prc_try(m->system->drive.velocity(m->system->owner, 0.0, m->h, v, err));
  prc_try(prc_step_motion_displacements(m, half, m->room, err));
  prc_step_motion_temper(m, m->now, m->room, half, v);
done:
  return status;
}

prc_status prc_step_motion_offset(prc_step_motion *m, double *c, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  const double half = 0.5 * m->h, r = (1.0 - m->theta) * m->h;
  prc_try(m->system->drive.velocity(m->system->owner, 0.0, m->h, v, err));
  prc_try(prc_step_motion_displacements(m, half, m->room, err));
  prc_step_motion_temper(m, m->first, m->room, half, v);
  prc_try(prc_step_motion_displacements(m, time_of(m, 0), m->room, err));
  for (int i = 0; i < m->system->drive.n; i++) c[i] = r * v[i] - (m->room[i] - m->first[i]);
done:
  return status;
}

/* Both from the data at t. Where d ends, velocities of the left are none of its: the last ones stay. */
static prc_status read_data(prc_step_motion *m, double t, double *v, prc_error *err) {
  const prc_system *system = m->system;
  const prc_status status = prc_step_motion_displacements(m, t, m->now, err);
  return status == PRC_OK ? system->drive.velocity(system->owner, t, m->h, v, err) : status;
}

prc_status prc_step_motion_enter(prc_step_motion *m, int step, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = m->system;
  const double t = step * m->h;
  if (!system->drive.displacement)
    return m->moves ? system->drive.velocity(system->owner, t, m->h, v, err) : PRC_OK;
  prc_try(prc_step_motion_displacements(m, 0.0, m->first, err));
  if (!m->moves) return PRC_OK; /* v is zero since allocation */
  if (m->exact) return read_data(m, t, v, err);
  if (step == 0) return begin(m, v, err);
  prc_try(prc_step_motion_displacements(m, t, m->now, err));
  prc_try(prc_step_motion_displacements(m, time_of(m, step - 1), m->before, err));
  prc_try(predict(m, step, v, err));
  for (int i = 0; i < system->drive.n; i++)
    m->rate[i] = time_of(m, step) > t ? (m->ahead[i] - m->now[i]) / (time_of(m, step) - t)
                                      : (m->now[i] - m->before[i]) / (t - time_of(m, step - 1));
done:
  return status;
}

prc_status prc_step_motion_advance(prc_step_motion *m, int step, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = m->system;
  const double t = step * m->h;
  if (!m->moves) return PRC_OK;
  if (!m->follows) return system->drive.velocity(system->owner, t, m->h, v, err);
  if (m->exact) {
    prc_step_exchange(&m->before, &m->now);
    prc_try(read_data(m, t, v, err));
    return prc_step_motion_watch(m, t - m->h, t, m->before, m->now, err);
  }
  prc_try(prc_step_motion_displacements(m, t, m->now, err));
  prc_try(prc_step_motion_watch(m, time_of(m, step - 1), t, m->ahead, m->now, err));
  prc_step_exchange(&m->ahead, &m->before);
  prc_try(predict(m, step, v, err));
  prc_try(prc_step_motion_watch(m, t, time_of(m, step), m->now, m->ahead, err));
done:
  return status;
}

/* ---- between steps ------------------------------------------------------------------------------------------------- */

#define SMALL_WAY 0.01 /* of a motion's range: what leaves the ends' values by less is not looked at closer */
enum { INSIDE = 7, OF_RANGE = 32, MOST_ROWS = 16 };

/* The range of row i so far, by some of its values since the start. */
static double range_of(const prc_step_motion *m, int i, double t) {
  double range = 0.0, d;
  prc_error ignored = {0};
  for (int k = 1; k <= OF_RANGE; k++)
    if (displacement(m, i, t * prc_even_place(k), &d, &ignored) == PRC_OK)
      range = fmax(range, fabs(d - m->first[i]));
  return range;
}

/* Motion of row i between t and end that the values at both ends do not show: how far it goes back, against
 * its range, the smaller of its largest rise and its
 * largest fall. A motion that goes on one way has none; of a sine of n steps a period it is 1 - cos(pi / n) of the amplitude. */
static prc_indicator sample_row(const prc_step_motion *m, int i, double t, double end) {
  prc_error ignored = {0};
  double d[INSIDE + 2], rise = 0.0, fall = 0.0, range = 0.0;
  prc_indicator missed = {.a = -1, .b = -1};
  for (int k = 0; k <= INSIDE + 1; k++)
    if (displacement(m, i, k <= INSIDE ? t + (end - t) * k / (INSIDE + 1) : end, &d[k], &ignored) != PRC_OK)
      return missed; /* it ends here */
  double low = d[0], high = d[0];
  for (int k = 0; k <= INSIDE + 1; k++) {
    low = fmin(low, d[k]), high = fmax(high, d[k]);
    rise = fmax(rise, d[k] - low), fall = fmax(fall, high - d[k]);
    range = fmax(range, fabs(d[k] - m->first[i]));
  }
  double back = fmin(rise, fall);
  if (back <= rounding(m, high)) back = 0.0;
  if (back > SMALL_WAY * range) range = fmax(range, range_of(m, i, t));
  missed.value = back, missed.scale = fmax(range, rounding(m, high));
  return missed;
}

/* Each motion once; of many some in each step, by turns. */
void prc_step_motion_sample(const prc_step_motion *m, int step, double t, double end, prc_indicator *worst) {
  if (!m->system || m->system->drive.rest || !m->system->drive.displacement) return;
  const int many = m->n_own > MOST_ROWS, n = many ? MOST_ROWS : m->n_own;
  for (int k = 0; k < n; k++) {
    const prc_indicator now = sample_row(
        m, m->own[many ? (int)(((size_t)step * MOST_ROWS + (size_t)k) % (size_t)m->n_own) : k], t, end);
    prc_indicator_worst(worst, &now);
  }
}

/* ---- where it has got ----------------------------------------------------------------------------------------------- */

static int is_turn(const prc_step_motion *m, int i) {
  return m->system->drive.turn && m->system->drive.turn[i];
}

/* Angles count as the lengths that they make at the system's. */
prc_step_deviation prc_step_motion_compare(const prc_step_motion *m, const double *d, const double *q) {
  const prc_drive *drive = &m->system->drive;
  const double length = m->system->length;
  prc_step_deviation now = {.largest = 1e-9 * length};
  if (drive->turned) {
    now.deviation = length * drive->turned(m->system->owner, d, q);
    now.largest = length;
  }
  for (int i = 0; i < drive->n; i++) {
    if (is_turn(m, i)) {
      now.range = fmax(now.range, length * fabs(d[i] - m->first[i]));
      continue;
    }
    now.deviation = fmax(now.deviation, fabs(q[drive->dof[i]] - d[i]));
    now.range = fmax(now.range, fabs(d[i] - m->first[i]));
    now.largest = fmax(now.largest, fabs(d[i]));
  }
  return now;
}

prc_status prc_step_motion_check_start(const prc_step_motion *m, double t, const double *q, const double *v,
                                       prc_error *err) {
  const prc_system *system = m->system;
  const double *datum = m->moves ? m->now : m->first; /* what rests is where it was */
  double largest = 0.0;
  char name[256];
  for (int i = 0; i < system->drive.n; i++)
    if (!is_turn(m, i)) largest = fmax(largest, fmax(fabs(datum[i]), fabs(q[system->drive.dof[i]])));
  for (int i = 0; i < system->drive.n; i++) {
    if (is_turn(m, i)) continue;
    const double d = datum[i], is = q[system->drive.dof[i]];
    if (fabs(is - d) <= fmax(fmax(1e-3 * largest, rounding(m, d)), m->h * fabs(v[i]))) continue;
    prc_step_motion_name(system, i, name, sizeof name);
    return prc_fail(
        err, PRC_INPUT,
        "%s is %.6g at t = %.9g where the body stands at %.6g, a jump by %.6g at the start; expected "
        "a state that has it (initial.state: equilibrium), or a ramp that begins where the body is",
        name, d, t, is, d - is);
  }
  return PRC_OK;
}

/* More than a second's worth of steps is left to the steps themselves. */
static int foreseen(const prc_step_motion *m, int n_steps) {
  const double most = fmin(1e6, 2e7 / (double)m->system->drive.n);
  return n_steps < most ? n_steps : (int)most;
}

prc_status prc_step_motion_foresee(prc_step_motion *m, int from, int n_steps, double *v, prc_error *err) {
  prc_error other = {0};
  if (!m->follows || m->longest > 0.0) return PRC_OK;
  m->jumped = 0;
  for (int k = 1, n = foreseen(m, n_steps); k <= n; k++) {
    if (prc_step_motion_advance(m, from + k, v, &other) == PRC_OK) continue;
    if (m->jumped) return prc_fail(err, other.status, "%s", other.message);
    break; /* a step that needs this will say so */
  }
  return PRC_OK;
}

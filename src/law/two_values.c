#include "config.h"
#include "law/law.h"

/* Friction of two values: what sticks holds with the one, what slips rubs with the other. Remembered is which of the two a contact did in the last step; one that
 * begins does what its speed says. */

enum { STATIC, KINETIC };
enum { SLIPS };               /* of the state ... */
enum { NEW, STUCK, SLIPPED }; /* ... its values */
static const char *const names[] = {"static", "kinetic"};
static const char *const states[] = {"slips"};

static prc_status check(const double *parameter, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < 2; i++)
    prc_try(prc_law_expect(names[i], parameter[i], 0.0, PRC_CONE_FRICTION_MOST, err));
done:
  return status;
}

static double friction(const double *parameter, const double *state, double speed, double *slope) {
  const int slips = state[SLIPS] == SLIPPED || (state[SLIPS] == NEW && speed > 0.0);
  if (slope) *slope = 0.0;
  return parameter[slips ? KINETIC : STATIC];
}

static void advance(const double *parameter, double h, const prc_law_slip *slip, double *state) {
  (void)parameter, (void)h;
  state[SLIPS] = slip->slips ? SLIPPED : STUCK;
}

const prc_friction prc_friction_two_values = {
    .name = "two-values",
    .help = "static where it stuck in the last step, kinetic where it slipped",
    .n_parameters = 2,
    .n_state = 1,
    .parameter = names,
    .state = states,
    .check = check,
    .friction = friction,
    .advance = advance,
    .forgets = 1};

/* The laws of friction, one row each: a new one is its file and its row here (and the file's name in local.mk). The file
 * exports `const prc_friction prc_friction_<symbol>`. The first row is the default.
 *
 *   coulomb                      mu
 *   two-values                   static, kinetic
 *   slip-weakening               static, kinetic, distance; linear ...
 *   slip-weakening-exponential   ... and the same, exponential
 *   rate-and-state               a, b, reference_friction, reference_speed, length, evolution (0: ageing, 1: slip law), initial_state
 *   velocity-weakening           static, kinetic, speed
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_LAW_LAWS_H
#define PRC_LAW_LAWS_H

/* clang-format off */
#define PRC_LAW_FRICTIONS(ROW) \
  ROW(coulomb) ROW(two_values) ROW(slip_weakening) ROW(slip_weakening_exponential) ROW(rate_and_state) \
  ROW(velocity_weakening)
/* clang-format on */

#endif

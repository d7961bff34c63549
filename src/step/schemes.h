/* The schemes, one row each: a new one is its file and its row here (and the file's name in local.mk). Names in messages and in the case
 * reader come from these rows.
 *
 *   symbol: the file exports `const prc_scheme prc_scheme_<symbol>`;   name: prc_step_options.scheme.
 *
 * Those with inertia are what `time.scheme` of a case may name, the first is the default. */
#ifndef PRC_STEP_SCHEMES_H
#define PRC_STEP_SCHEMES_H

#define PRC_STEP_DYNAMIC_SCHEMES(FIRST, ROW)                                                                 \
  FIRST(theta, "theta")                                                                                      \
  ROW(midpoint, "midpoint")                                                                                  \
  ROW(position, "position")                                                                                  \
  ROW(generalized_alpha, "generalized-alpha")                                                                \
  ROW(ggl, "ggl") ROW(modified_lcp, "modified-lcp") ROW(smooth_alpha, "smooth-alpha")
#define PRC_STEP_STATIC_SCHEMES(ROW) ROW(static, "static")

/* "theta|...": what the case reader may take */
#define PRC_STEP_FIRST_NAME(symbol, name) name
#define PRC_STEP_NEXT_NAME(symbol, name)  "|" name
#define PRC_STEP_NO_NAME(symbol, name)
#define PRC_STEP_SCHEME_NAMES   PRC_STEP_DYNAMIC_SCHEMES(PRC_STEP_FIRST_NAME, PRC_STEP_NEXT_NAME)
#define PRC_STEP_DEFAULT_SCHEME PRC_STEP_DYNAMIC_SCHEMES(PRC_STEP_FIRST_NAME, PRC_STEP_NO_NAME)

#endif

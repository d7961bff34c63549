/* The methods of solution, one row each: a new one is its file and its row here (the file's name stands in
 * local.mk, and doc/case.md is printed anew). Names and help in messages, in the case reader, in
 * `percuss cone --help` and in tests come from these rows.
 *
 *   symbol: the file exports `const prc_cone_method prc_cone_<symbol>`;   name: as in case files;
 *   help: one line;   dims: the dimensions of local vectors it can do;   needs: what it asks of W beside
 *   products and the diagonal (cone.h);   of_speed: whether friction may depend on the speed.
 *
 * The first row is the default. */
#ifndef PRC_CONE_METHODS_H
#define PRC_CONE_METHODS_H

#define PRC_CONE_DIM(d)  (1u << (d))
#define PRC_CONE_2D_3D   (PRC_CONE_DIM(2) | PRC_CONE_DIM(3))
#define PRC_CONE_ANY_DIM (PRC_CONE_DIM(1) | PRC_CONE_2D_3D | PRC_CONE_DIM(4))
#define PRC_CONE_NOTHING 0u

/* clang-format off */
#define PRC_CONE_METHODS(FIRST, ROW)                                                                         \
  FIRST(auto, "auto", "the others in turns, the cheapest first",                                             \
        PRC_CONE_ANY_DIM, PRC_CONE_SWEEPS | PRC_CONE_SYSTEMS, 1)                                                 \
  ROW(gauss_seidel, "gauss-seidel", "sweeps with exact solutions of each contact",                           \
      PRC_CONE_ANY_DIM, PRC_CONE_SWEEPS, 1)                                                                      \
  ROW(active_set, "active-set", "Newton's method on the statuses",                                           \
      PRC_CONE_DIM(2), PRC_CONE_FORMED, 0)                                                                      \
  ROW(lemke, "lemke", "follows the solutions of a family of problems",                                       \
      PRC_CONE_2D_3D, PRC_CONE_FORMED, 0)                                                                       \
  ROW(newton, "newton", "proximal points, each by a semismooth Newton method",                               \
      PRC_CONE_ANY_DIM, PRC_CONE_SYSTEMS, 1)                                                                    \
  ROW(extragradient, "extragradient", "projections, two products with W each",                               \
      PRC_CONE_ANY_DIM, PRC_CONE_NOTHING, 0)                                                                   \
  ROW(projected_gradient, "projected-gradient", "Nesterov's, one product with W each; with a fixed step, Uzawa's",                       \
      PRC_CONE_ANY_DIM, PRC_CONE_NOTHING, 0)                                                                   \
  ROW(admm, "admm", "alternating directions, one factorisation",                                             \
      PRC_CONE_ANY_DIM, PRC_CONE_FORMED, 0)                                                                     \
  ROW(interior_point, "interior-point", "Nesterov-Todd steps, ended by Newton's",                            \
      PRC_CONE_ANY_DIM, PRC_CONE_FORMED, 0)
/* clang-format on */

/* "auto|gauss-seidel|...": what the case reader may take */
#define PRC_CONE_FIRST_NAME(symbol, name, help, dims, needs, of_speed) name
#define PRC_CONE_NEXT_NAME(symbol, name, help, dims, needs, of_speed)  "|" name

#define PRC_CONE_METHOD_NAMES PRC_CONE_METHODS(PRC_CONE_FIRST_NAME, PRC_CONE_NEXT_NAME)

#endif

#include "config.h"
#include "mesh/elements.h"

/* Points of a symmetric rule on the triangle: all permutations of barycentric coordinates. */
#define CENTRE(w)                                                                                            \
  { {1.0 / 3.0, 1.0 / 3.0}, w }
#define THREE(a, b, w)                                                                                       \
  {{a, b}, w}, {{b, a}, w}, {                                                                                \
    {b, b}, w                                                                                                \
  }
#define SIX(a, b, c, w)                                                                                      \
  {{a, b}, w}, {{b, a}, w}, {{b, c}, w}, {{c, b}, w}, {{c, a}, w}, {                                         \
    {a, c}, w                                                                                                \
  }

static const prc_element_point triangle_3[] = {THREE(2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0)};

/* Radon (1948): a = (9 -+ 2 sqrt 15) / 21, w = (155 +- sqrt 15) / 2400 */
static const prc_element_point triangle_7[] = {
    CENTRE(9.0 / 80.0),
    THREE(0.7974269853530873223980, 0.1012865073234563388010, 0.0629695902724135762978),
    THREE(0.0597158717897698204591, 0.4701420641051150897704, 0.0661970763942530903688),
};

/* Strang and Fix (1973), degree 6 */
static const prc_element_point triangle_12[] = {
    THREE(0.5014265096581791574167, 0.2492867451709104212916, 0.05839313786318968301264),
    THREE(0.8738219710169955433193, 0.06308901449150222834033, 0.02542245318510340846047),
    SIX(0.05314504984481694735325, 0.3103524510337844054166, 0.6365024991213986472301,
        0.04142553780918678759678),
};

/* Gauss-Legendre in each coordinate. ROW: the points of one ordinate y, of weight v. */
#define G2  0.5773502691896257645091
#define G3  0.7745966692414833770359
#define G4A 0.3399810435848562648027
#define G4B 0.8611363115940525752239
#define W4A 0.6521451548625461426269
#define W4B 0.3478548451374538573731
#define ROW_2(y, v)                                                                                          \
  {{-G2, y}, v}, {                                                                                           \
    {G2, y}, v                                                                                               \
  }
#define ROW_3(y, v)                                                                                          \
  {{-G3, y}, (v) * (5.0 / 9.0)}, {{0.0, y}, (v) * (8.0 / 9.0)}, {                                            \
    {G3, y}, (v) * (5.0 / 9.0)                                                                               \
  }
#define ROW_4(y, v)                                                                                          \
  {{-G4B, y}, (v)*W4B}, {{-G4A, y}, (v)*W4A}, {{G4A, y}, (v)*W4A}, {                                         \
    {G4B, y}, (v)*W4B                                                                                        \
  }

static const prc_element_point square_4[] = {ROW_2(-G2, 1.0), ROW_2(G2, 1.0)};
static const prc_element_point square_9[] = {ROW_3(-G3, 5.0 / 9.0), ROW_3(0.0, 8.0 / 9.0),
                                             ROW_3(G3, 5.0 / 9.0)};
static const prc_element_point square_16[] = {ROW_4(-G4B, W4B), ROW_4(-G4A, W4A), ROW_4(G4A, W4A),
                                              ROW_4(G4B, W4B)};

#define COUNT(list) (int)(sizeof(list) / sizeof *(list))
const prc_quadrature prc_triangle_3 = {COUNT(triangle_3), triangle_3};
const prc_quadrature prc_triangle_7 = {COUNT(triangle_7), triangle_7};
const prc_quadrature prc_triangle_12 = {COUNT(triangle_12), triangle_12};
const prc_quadrature prc_square_4 = {COUNT(square_4), square_4};
const prc_quadrature prc_square_9 = {COUNT(square_9), square_9};
const prc_quadrature prc_square_16 = {COUNT(square_16), square_16};

const double prc_square_sample[4][2] = {{-G2, -G2}, {G2, -G2}, {G2, G2}, {-G2, G2}};

/* N_a of the 4-node quadrilateral whose corners are the samples: (1 + 3 x x_a) (1 + 3 y y_a) / 4, as x_a = +-
 * 1/sqrt 3 */
void prc_square_extend(const double at[2], double *weight) {
  for (int a = 0; a < 4; a++)
    weight[a] =
        0.25 * (1.0 + 3.0 * at[0] * prc_square_sample[a][0]) * (1.0 + 3.0 * at[1] * prc_square_sample[a][1]);
}

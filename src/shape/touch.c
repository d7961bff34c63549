#include "config.h"
#include "shape/internal.h"

#include <float.h>
#include <math.h>

/* Gap, normal and place of two features. Whatever finds features ends here, and so does what follows them: both have the same bits. */

void prc_shape_between(prc_shape_stand x, int i, prc_shape_stand y, int j, double out[2]) {
  double arm_x[2], arm_y[2];
  prc_shape_turn(x.pose, x.shape->corner + 2 * (size_t)i, arm_x);
  prc_shape_turn(y.pose, y.shape->corner + 2 * (size_t)j, arm_y);
  for (int k = 0; k < 2; k++) out[k] = (x.pose->x[k] - y.pose->x[k]) + (arm_x[k] - arm_y[k]);
}

/* Squares of what is near the ends of the range of numbers have no digits: such d is brought near 1 by a power of two first, which changes
 * no other bit. */
double prc_shape_distance(const double d[2], double direction[2]) {
  const double square = prc_shape_dot(d, d), largest = fmax(fabs(d[0]), fabs(d[1]));
  direction[0] = 0.0, direction[1] = 1.0;
  if (square > 0x1p-900 && square < 0x1p900) {
    const double length = sqrt(square);
    for (int k = 0; k < 2; k++) direction[k] = d[k] / length;
    return length;
  }
  int exponent;
  if (!(largest > 0.0)) return largest;
  (void)frexp(largest, &exponent);
  const double scaled[2] = {ldexp(d[0], -exponent), ldexp(d[1], -exponent)};
  const double length = sqrt(prc_shape_dot(scaled, scaled));
  for (int k = 0; k < 2; k++) direction[k] = scaled[k] / length;
  return ldexp(length, exponent);
}

/* Place: from the corner, by its radius and half of the gap against the normal. */
static void place_at_corner(prc_shape_stand x, int i, prc_shape_touch *touch) {
  double arm[2];
  prc_shape_turn(x.pose, x.shape->corner + 2 * (size_t)i, arm);
  for (int k = 0; k < 2; k++)
    touch->place[k] = (x.pose->x[k] + arm[k]) - (x.shape->radius + 0.5 * touch->gap) * touch->normal[k];
}

prc_shape_touch prc_shape_corner_edge(prc_shape_stand x, int i, prc_shape_stand y, int e) {
  prc_shape_touch touch = {.feature_a = (uint16_t)(PRC_SHAPE_EDGE | e), .feature_b = (uint16_t)i};
  double d[2];
  prc_shape_between(x, i, y, e, d);
  prc_shape_turn(y.pose, y.shape->normal + 2 * (size_t)e, touch.normal);
  touch.gap = prc_shape_dot(touch.normal, d) - (x.shape->radius + y.shape->radius);
  place_at_corner(x, i, &touch);
  return touch;
}

prc_shape_touch prc_shape_corner_corner(prc_shape_stand a, int i, prc_shape_stand b, int j) {
  prc_shape_touch touch = {.feature_a = (uint16_t)i, .feature_b = (uint16_t)j};
  double d[2], arm_a[2], arm_b[2];
  prc_shape_between(b, j, a, i, d);
  touch.gap = prc_shape_distance(d, touch.normal) - (a.shape->radius + b.shape->radius);
  prc_shape_turn(a.pose, a.shape->corner + 2 * (size_t)i, arm_a);
  prc_shape_turn(b.pose, b.shape->corner + 2 * (size_t)j, arm_b);
  for (int k = 0; k < 2; k++) {
    const double surface_a = (a.pose->x[k] + arm_a[k]) + a.shape->radius * touch.normal[k];
    const double surface_b = (b.pose->x[k] + arm_b[k]) - b.shape->radius * touch.normal[k];
    touch.place[k] = 0.5 * surface_a + 0.5 * surface_b;
  }
  return touch;
}

prc_shape_touch prc_shape_hole_corner(prc_shape_stand a, prc_shape_stand b, int j) {
  prc_shape_touch touch = {.feature_a = 0, .feature_b = (uint16_t)j};
  double d[2];
  prc_shape_between(a, 0, b, j, d);
  touch.gap = (a.shape->radius - prc_shape_distance(d, touch.normal)) - b.shape->radius;
  place_at_corner(b, j, &touch);
  return touch;
}

prc_shape_touch prc_shape_turned_round(const prc_shape_touch *touch) {
  prc_shape_touch turned = *touch;
  for (int k = 0; k < 2; k++) turned.normal[k] = -touch->normal[k];
  turned.feature_a = touch->feature_b, turned.feature_b = touch->feature_a;
  return turned;
}

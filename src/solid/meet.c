#include "config.h"
#include "solid/cores.h"

#include <math.h>

/* The table of pairs: who meets whom and how, by the kinds of the two. */
typedef prc_status (*meeting)(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_touches *out,
                              prc_error *err);

void prc_solid_free_touches(prc_solid_touches *touches) {
  prc_delete(&touches->touch);
  prc_delete(&touches->work);
  *touches = (prc_solid_touches){0};
}

/* ---- half-spaces --------------------------------------------------------------------------------------- */

/* How far the origin of b's axes is in front of half-space a. */
static double in_front(prc_solid_stand a, prc_solid_stand b, double *far) {
  double arm[3], n[3], d[3], direction[3];
  prc_solid_turn(a.pose->R, a.solid->corner, arm);
  prc_solid_turn(a.pose->R, a.solid->face_normal, n);
  for (int k = 0; k < 3; k++) d[k] = (b.pose->x[k] - a.pose->x[k]) - arm[k];
  *far = prc_solid_distance(d, direction);
  return prc_solid_dot(n, d);
}

/* At the point that is the nearest possible, on a sphere around the origin of the other's axes; a little less. */
static int is_beyond(prc_solid_stand a, prc_solid_stand b, double reach) {
  double far;
  const double front = in_front(a, b, &far);
  return front - b.solid->extent - 1e-12 * (far + b.solid->extent) > reach;
}

static prc_status half_space_hull(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_touches *out,
                                  prc_error *err) {
  prc_status status = PRC_OK;
  if (is_beyond(a, b, reach)) return PRC_OK;
  for (int j = 0; j < b.solid->n && status == PRC_OK; j++) {
    const prc_solid_touch touch = prc_solid_ball_face(b, j, a, 0);
    status = prc_solid_add_touch(&touch, reach, out, err);
  }
  return status;
}

/* Points of a rim that touch: the lowest, which moves along the rim as the cylinder rolls. If the whole rim
 * may come down, the lowest may be anywhere: then six points fixed in the rim touch too. A cylinder that lies
 * flat has those alone. */
static prc_status half_space_cylinder(prc_solid_stand a, prc_solid_stand b, double reach,
                                      prc_solid_touches *out, prc_error *err) {
  prc_status status = PRC_OK;
  double sine;
  if (is_beyond(a, b, reach)) return PRC_OK;
  for (int rim = 0; rim < 2; rim++) {
    const prc_solid_touch lowest = prc_solid_face_rim(a, b, rim, &sine);
    if (sine > PRC_SOLID_SAME) prc_try(prc_solid_add_touch(&lowest, reach, out, err));
    if (lowest.gap + 2.0 * b.solid->radius * sine > reach) continue;
    for (int point = 1; point <= PRC_SOLID_RIM_POINTS; point++) {
      const prc_solid_touch touch = prc_solid_face_rim(a, b, rim + 2 * point, NULL);
      prc_try(prc_solid_add_touch(&touch, reach, out, err));
    }
  }
done:
  return status;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* Row: the kind of the first; column: of the second. What is missing is a pair the other way round, or none: what has no end does not meet its
 * like, and cylinders meet half-spaces alone. */
static const meeting table[PRC_SOLID_KINDS][PRC_SOLID_KINDS] = {
    [PRC_SOLID_SPHERE] = {[PRC_SOLID_SPHERE] = prc_solid_spheres_meet,
                          [PRC_SOLID_CAPSULE] = prc_solid_sphere_capsule_meet,
                          [PRC_SOLID_POLYHEDRON] = prc_solid_sphere_polyhedron_meet},
    [PRC_SOLID_CAPSULE] = {[PRC_SOLID_CAPSULE] = prc_solid_capsules_meet,
                           [PRC_SOLID_POLYHEDRON] = prc_solid_capsule_polyhedron_meet},
    [PRC_SOLID_POLYHEDRON] = {[PRC_SOLID_POLYHEDRON] = prc_solid_polyhedra_meet},
    [PRC_SOLID_HALF_SPACE] = {[PRC_SOLID_SPHERE] = half_space_hull,
                              [PRC_SOLID_CAPSULE] = half_space_hull,
                              [PRC_SOLID_POLYHEDRON] = half_space_hull,
                              [PRC_SOLID_CYLINDER] = half_space_cylinder},
};

/* Are the spheres around the two apart by more than `reach`? */
static int are_far(prc_solid_stand a, prc_solid_stand b, double reach) {
  const double d[3] = {b.pose->x[0] - a.pose->x[0], b.pose->x[1] - a.pose->x[1], b.pose->x[2] - a.pose->x[2]};
  double direction[3];
  const double distance = prc_solid_distance(d, direction), extents = a.solid->extent + b.solid->extent;
  return distance - extents - 1e-12 * (distance + extents) > reach;
}

prc_status prc_solid_meet(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                          const prc_solid_pose *pose_b, double reach, prc_solid_touches *out,
                          prc_error *err) {
  const prc_solid_stand x = {a, pose_a}, y = {b, pose_b};
  const meeting as_is = table[a->kind->row][b->kind->row], round = table[b->kind->row][a->kind->row];
  const int before = out->n;
  if (!as_is && !round) return PRC_OK;
  if (isfinite(a->extent) && isfinite(b->extent) && are_far(x, y, reach)) return PRC_OK;
  if (as_is) return as_is(x, y, reach, out, err);
  const prc_status status = round(y, x, reach, out, err);
  for (int k = before; k < out->n; k++) out->touch[k] = prc_solid_turned_round(&out->touch[k]);
  return status;
}

int prc_solid_goes_on(const prc_solid *x, const prc_solid_pose *pose, const double p[3], const double n[3],
                      double flush, int normals) {
  const prc_solid_stand stand = {x, pose};
  if (x->kind->row == PRC_SOLID_POLYHEDRON) return prc_solid_polyhedron_goes_on(stand, p, n, flush, normals);
  return x->kind->row == PRC_SOLID_CAPSULE && prc_solid_capsule_goes_on(stand, p, n, flush, normals);
}

void prc_solid_follow(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                      const prc_solid_pose *pose_b, prc_solid_touch *touch) {
  const prc_solid_stand x = {a, pose_a}, y = {b, pose_b};
  if (a->kind->row == PRC_SOLID_POLYHEDRON && b->kind->row == PRC_SOLID_POLYHEDRON)
    prc_solid_polyhedra_follow(x, y, touch);
  else
    *touch = prc_solid_of_features(x, y, touch);
}

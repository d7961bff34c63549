#include "config.h"
#include "contact/contact.h"

#include <math.h>

/* Fixed straight lines as obstacles, in the plane. Lengths are the case's own; n is the unit normal from the obstacle into the body,
 * P a point of the line. */

prc_status prc_contact_plane_make(const double point[2], const double normal[2], prc_contact_plane *out,
                                  prc_error *err) {
  const double length = hypot(normal[0], normal[1]);
  if (!(length > 0.0) || !isfinite(length))
    return prc_fail(err, PRC_INPUT,
                    "the normal of a plane is (%g, %g), expected a finite vector that is not zero", normal[0],
                    normal[1]);
  for (int k = 0; k < 2; k++) {
    if (!isfinite(point[k])) return prc_fail(err, PRC_INPUT, "the point of a plane is not finite");
    out->point[k] = point[k];
    out->normal[k] = normal[k] / length;
  }
  return PRC_OK;
}

/* n, then t = n turned by -90 degrees: (t, n) is right-handed, t = +x on a floor. By rows. */
void prc_contact_plane_frame(const prc_contact_plane *plane, double frame[4]) {
  frame[0] = plane->normal[0], frame[1] = plane->normal[1];
  frame[2] = plane->normal[1], frame[3] = -plane->normal[0];
}

/* (x - P) . n, signed: positive outside the obstacle */
double prc_contact_plane_distance(const prc_contact_plane *plane, double x, double y) {
  return (x - plane->point[0]) * plane->normal[0] + (y - plane->point[1]) * plane->normal[1];
}

prc_status prc_contact_points_create(int n, prc_contact_points **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_contact_points *points = NULL;
  prc_try(prc_new(&points, 1, err));
  points->n = n;
  prc_try(prc_new(&points->dof, 2 * (size_t)n, err));
  prc_try(prc_new(&points->gap0, n, err));
  prc_try(prc_new(&points->frame, 4 * (size_t)n, err));
  *out = points, points = NULL;
done:
  prc_contact_points_free(&points);
  return status;
}

void prc_contact_points_free(prc_contact_points **points) {
  if (!*points) return;
  prc_delete(&(*points)->dof);
  prc_delete(&(*points)->gap0);
  prc_delete(&(*points)->frame);
  prc_delete(points);
}

/* Constants while the body deforms: g_0 = (X - P) . n of the point's place X at q = 0, and H = (n; t). */
void prc_contact_points_set(prc_contact_points *points, int c, double x, double y, int dof_x, int dof_y,
                            const prc_contact_plane *plane) {
  points->dof[2 * c] = dof_x;
  points->dof[2 * c + 1] = dof_y;
  points->gap0[c] = prc_contact_plane_distance(plane, x, y);
  prc_contact_plane_frame(plane, points->frame + 4 * c);
}

/* g = g_0 + n . u with the displacement u = (q_x, q_y) of each point: affine in q, so that W over all of them is kept. */
void prc_contact_points_gap(const prc_contact_points *points, const double *q, double *gap) {
  for (int c = 0; c < points->n; c++) {
    const double *n = points->frame + 4 * c;
    gap[c] = points->gap0[c] + n[0] * q[points->dof[2 * c]] + n[1] * q[points->dof[2 * c + 1]];
  }
}

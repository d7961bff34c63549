/* Declarations shared by spheres, capsules and cylinders: touches of given features of their cores. Both the
 * search for features and their evaluation end here, so both give the same bits. */
#ifndef PRC_SOLID_CORES_H
#define PRC_SOLID_CORES_H

#include "solid/internal.h"

/* Corner i of x less corner j of y. The origins are subtracted first, so that far from the origin of space nothing is lost that the poses
 * have; x and y exchanged give exactly the negative. */
void prc_solid_between(prc_solid_stand x, int i, prc_solid_stand y, int j, double out[3]);
/* The corners at both ends of an edge, and its direction, unit; its length. */
double prc_solid_edge_of(prc_solid_stand x, int e, int ends[2], double along[3]);

/* `towards`: the normal is turned round where it is against it, so that what is deep stays deep; NULL: it is from the one to the other. */

/* Corner i of x against face f of y: the touch of y (the first) and x, g = (v - y) . n_y less the radii. */
prc_solid_touch prc_solid_ball_face(prc_solid_stand x, int i, prc_solid_stand y, int f);
/* Corner i of x against the line of edge e of y: the touch of y and x. In the line: against `towards`, or any. */
prc_solid_touch prc_solid_ball_edge(prc_solid_stand x, int i, prc_solid_stand y, int e,
                                    const double *towards);
prc_solid_touch prc_solid_ball_ball(prc_solid_stand a, int i, prc_solid_stand b, int j,
                                    const double *towards);
/* The lines of two edges; *s, *t: how far from their starts they are nearest to each other. Parallel ones: their middles. */
prc_solid_touch prc_solid_line_line(prc_solid_stand a, int i, prc_solid_stand b, int j, const double *towards,
                                    double *s, double *t);
/* A point of a rim of cylinder b against half-space a; sine: of the angle between axis and normal, unless NULL. */
prc_solid_touch prc_solid_face_rim(prc_solid_stand a, prc_solid_stand b, int number, double *sine);
/* Numbers of points of rims: rim + 2 point; point 0 is the lowest, these are the others. */
enum { PRC_SOLID_RIM_POINTS = 6 };

/* Two solids of which at least one is no polyhedron, or a half-space and a cylinder: whatever their features are. */
prc_solid_touch prc_solid_of_features(prc_solid_stand a, prc_solid_stand b, const prc_solid_touch *touch);

/* ---- pairs: as prc_solid_meet -------------------------------------------------------------------------- */

prc_status prc_solid_spheres_meet(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_touches *out,
                                  prc_error *err) PRC_MUST_CHECK;
prc_status prc_solid_sphere_capsule_meet(prc_solid_stand a, prc_solid_stand b, double reach,
                                         prc_solid_touches *out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_solid_capsules_meet(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_touches *out,
                                   prc_error *err) PRC_MUST_CHECK;
/* Corner i of x against the feature of polyhedron y that is nearest to it; inside: the face that it is least deep behind. */
prc_solid_touch prc_solid_ball_polyhedron(prc_solid_stand x, int i, prc_solid_stand y);
prc_status prc_solid_sphere_polyhedron_meet(prc_solid_stand a, prc_solid_stand b, double reach,
                                            prc_solid_touches *out, prc_error *err) PRC_MUST_CHECK;
/* As prc_solid_goes_on. */
int prc_solid_capsule_goes_on(prc_solid_stand x, const double p[3], const double n[3], double flush,
                              int normals);
prc_status prc_solid_capsule_polyhedron_meet(prc_solid_stand a, prc_solid_stand b, double reach,
                                             prc_solid_touches *out, prc_error *err) PRC_MUST_CHECK;

#endif

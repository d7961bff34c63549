/* Polyhedra by brute force, where they stand, and slow exact answers about two of them in extended precision: nothing of src/solid but the
 * structs is used. */
#ifndef PRC_TESTS_POLYHEDRA_H
#define PRC_TESTS_POLYHEDRA_H

#include "solid/solid.h"

/* The hull of up to 64 points, all of them corners: faces by all triples, those in one plane joined. */
prc_solid support_hull(int n, const double *point);
/* Corner k at (k & 1, k & 2, k & 4) of the box, faces -x, x, -y, y, -z, z. */
prc_solid support_box(double x, double y, double z);
/* 5 to 16 corners in general position on a sphere that is stretched and shaken; within a radius of 1. */
prc_solid support_stone(uint64_t *seed);
prc_solid support_pebble(uint64_t *seed, int n); /* with n of them, up to 64 */
void support_release(prc_solid *solid);

double support_uniform(uint64_t *seed, double low, double high);
prc_solid_pose support_pose(const double x[3], const double axis[3], double angle);
prc_solid_pose support_any_attitude(uint64_t *seed, const double x[3]);
/* The attitude turned by an angle about a random axis. */
void support_nudge(uint64_t *seed, prc_solid_pose *pose, double angle);

typedef long double support_real;
/* Least distance of two that do not overlap, over all their features. */
support_real support_distance(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                              const prc_solid_pose *pose_b);
/* An edge of one goes through a face of the other, or a corner is inside. */
int support_overlap(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                    const prc_solid_pose *pose_b);
/* The shortest way out: over the normals of all faces and of all pairs of edges, crossing or not. */
support_real support_depth(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                           const prc_solid_pose *pose_b);

#endif

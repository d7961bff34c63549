#include "config.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>

/* Warnings of `percuss check` about the outlines of bodies. */

/* The least distance of what contact `of` names, by its whole outlines. */
static void print_distance(const cli_run_state *run, int of) {
  const prc_scene *scene = run->model->scene;
  double deepest = -INFINITY;
  for (int k = 0; k < prc_scene_overlaps(scene); k++) {
    const prc_scene_overlap o = prc_scene_overlap_at(scene, k, prc_stepper_record(run->stepper)->q);
    if (run->model->contact_of[o.group] == of) deepest = fmax(deepest, o.depth);
  }
  if (deepest > 0.0)
    printf("; the bodies overlap by %.3g", deepest);
  else if (isfinite(deepest))
    printf("; least distance of the bodies %g", fabs(deepest));
}

/* Nothing touches between the points of an outline: a disc of radius r sinks r - sqrt(r^2 - s^2 / 4) between
 * two points at distance s. */
static void print_unseen(const cli_run_state *run, int of) {
  const prc_scene *scene = run->model->scene;
  for (int k = 0; k < prc_scene_overlaps(scene); k++) {
    const prc_scene_overlap o = prc_scene_overlap_at(scene, k, prc_stepper_record(run->stepper)->q);
    const double r = o.radius, half = 0.5 * o.spacing, most = fmin(o.allowed, r);
    if (run->model->contact_of[o.group] != of) continue;
    if (r > 0.0 && half >= r)
      printf("          not seen: points that touch are %.3g apart, and a disc of radius %g goes through "
             "between them",
             o.spacing, r);
    else if (r > 0.0 && r - sqrt(r * r - half * half) > most)
      printf("          not seen: between points that touch, %.3g apart, a disc of radius %g goes in by %.2g",
             o.spacing, r, r - sqrt(r * r - half * half));
    else
      continue;
    printf("; %.2g between them keep it within %.2g\n", 2.0 * sqrt(most * (2.0 * r - most)), most);
  }
}

void cli_print_outlines(const cli_run_state *run, int of) {
  print_distance(run, of);
  printf("\n");
  print_unseen(run, of);
}

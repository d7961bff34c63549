#include "config.h"
#include "case/build.h"

#include <string.h>

/* Cases that ranks can share: a mesh whose system is linear, with resting planes and curves of its own,
 * stepped by theta or midpoint. */

typedef struct {
  int is_there;
  const char *key; /* where it is said */
  const char *what;
} limit;

static int has_moving_parts(const prc_case *c) {
  return c->n_bodies > 0 || c->n_obstacles > 0 || c->n_beams > 0 || c->n_joints > 0 || c->n_springs > 0
         || c->model.dimension == 3;
}

static const char *first_block(const prc_case *c) {
  return c->n_bodies > 0      ? "bodies"
         : c->n_obstacles > 0 ? "obstacles"
         : c->n_beams > 0     ? "beams"
         : c->n_joints > 0    ? "joints"
         : c->n_springs > 0   ? "springs"
                              : "model.dimension";
}

static int has_interfaces(const prc_case *c) {
  int has = 0;
  for (int i = 0; i < c->n_contacts; i++) has |= c->contact_group[i].interface;
  return has;
}

static int has_points(const prc_case *c) {
  int has = 0;
  for (int l = 0; l < c->n_loads; l++) has |= c->load[l].group == NULL;
  return has;
}

const char *prc_case_limit_of_ranks(const prc_case *c, const char **key) {
  const char *scheme = c->time.scheme, *solver = c->time.solver;
  const limit limits[] = {
      {c->mesh.file == NULL, "bodies", "has no mesh, which is what they share"},
      {has_moving_parts(c), first_block(c), "has bodies beside the mesh"},
      {c->model.kinematics == PRC_COROTATIONAL, "model.kinematics", "is corotational, whose matrix changes"},
      {c->model.mass == PRC_MASS_MODIFIED, "model.mass", "is modified, which is of a whole body"},
      {c->time.quasi_static, "time.analysis", "is quasi-static, whose matrix has no mass"},
      {strcmp(scheme, "theta") != 0 && strcmp(scheme, "midpoint") != 0, "time.scheme",
       "is neither theta nor midpoint"},
      {strcmp(solver, "auto") != 0 && strcmp(solver, "petsc") != 0, "time.solver",
       "is a solver of one process"},
      {c->initial.kind == PRC_INITIAL_END_OF || c->initial.kind == PRC_INITIAL_CONTINUED, "initial.state",
       "is that of another run"},
      {c->initial.kind == PRC_INITIAL_EQUILIBRIUM && has_interfaces(c), "initial.state",
       "is an equilibrium with curves glued to each other"},
      {has_points(c), "loads", "has forces at points"},
      {c->time.longest > 0.0, "time.step", "varies, which takes another matrix"},
      {c->n_grounds > 0, "supports", "has springs to the ground"},
      {c->exact.given[0] || c->exact.given[1], "exact", "asks for errors"},
      {c->output.energies, "output.energies", "asks for the energies of parts"},
      {c->output.fields && prc_is_listed(c->output.fields, "body"), "output.fields", "asks for bodies"},
      {c->output.states > 0, "output.states", "keeps states"},
  };
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
    if (limits[k].is_there) return *key = limits[k].key, limits[k].what;
  return NULL;
}

prc_status prc_case_check_ranks(const prc_case *c, prc_error *err) {
  const char *key = NULL, *what = prc_case_limit_of_ranks(c, &key);
  if (!what) return PRC_OK;
  const prc_case_place place = prc_case_place_of(c, "%s", key);
  return prc_case_fail(c, &place, err,
                       "%s %s; expected, for ranks to share it, a linear mesh with planes that rest or "
                       "curves that meet, stepped by theta or midpoint",
                       key, what);
}

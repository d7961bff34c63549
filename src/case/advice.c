#include "config.h"
#include "case/internal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Advice on unknown keys: words of other programs and of papers, and keys of other blocks. */

static const struct {
  const char *parent, *words, *advice; /* words: with blanks around each */
} meant[] = {
    {"contacts.<name>", " bodies pair pairs surfaces sides master slave a b first second with against ",
     "a contact of two is written between: [a, b], [what is touched, what touches], by names of bodies, "
     "obstacles or curves"},
    {"contacts.<name>", " mu coefficient cof friction_coefficient ",
     "Coulomb's coefficient is friction: 0.5"},
    {"contacts.<name>", " e en restitution_coefficient ", "restitution: 0.2"},
    {"contacts.<name>", " floor wall ground obstacle ",
     "against a fixed half-plane it is plane: {point: [0, 0], normal: [0, 1]}, against obstacles.<name> it "
     "is between: [<name>, body]"},
    {"contacts.<name>", " penalty stiffness kn kt ", "contacts are rigid: nothing is needed in its place"},
    {"supports.<name>", " displacement u ux uy fixed clamp clamped dofs ",
     "a displacement is x: 0, y: 0, each or both; what is not named is free"},
    {"supports.<name>", " v vx vy speed ", "a velocity is velocity: {x: 0.1, y: 0}, each or both"},
    {"supports.<name>", " springs stiffness k kx ky foundation ",
     "springs to the ground are spring: {normal: 1e6, tangential: 1e5}, or {x: ..., y: ...}"},
    {"supports.<name>", " curve boundary edge nodes ",
     "the physical curve is group: NAME, or the support's own name"},
    {"loads.<name>", " f forces fx fy point_force ",
     "a force at a point is {point: [x, y], force: [fx, fy]}; on a curve traction is force per area"},
    {"loads.<name>", " t tx ty stress ", "a force per area is traction: [tx, ty], or pressure: p"},
    {"loads.<name>", " curve boundary edge nodes ",
     "the physical curve is group: NAME, or the load's own name"},
    {"materials.<group>", " e youngs_modulus young_modulus elastic_modulus modulus ",
     "Young's modulus is young"},
    {"materials.<group>", " nu poissons_ratio poisson_ratio ", "Poisson's ratio is poisson"},
    {"materials.<group>", " rho mass_density ", "the mass density is density"},
    {"bodies.<name>", " radius circle r ", "a disc is disc: RADIUS; in space it is sphere: RADIUS"},
    {"bodies.<name>", " vertices corners shape outline ",
     "an outline is polygon: [[x, y], ...]; in space polyhedron or box"},
    {"bodies.<name>", " x y z center centre ", "where it is is position: [x, y], in space [x, y, z]"},
    {"bodies.<name>", " rotation orientation theta ", "in the plane it is turned by angle: RADIANS"},
    {"bodies.<name>", " omega angular_velocity w ", "the angular velocity is spin"},
    {"bodies.<name>", " v vx vy ", "velocity: [vx, vy], in space [vx, vy, vz]"},
    {"bodies.<name>", " rho ", "the mass density is density; or give mass and inertia"},
    {"bodies.<name>", " displacement driven ",
     "a body that is driven has motion: {x: ..., y: ..., rotation: ...}, formulas of t"},
    {"obstacles.<name>", " point normal ", "a half-plane is plane: {point: [x, y], normal: [nx, ny]}"},
    {"obstacles.<name>", " radius circle r ", "a disc is disc: {centre: [x, y], radius: r}"},
    {"time", " dt h timestep time_step delta_t increment ", "the length of a step is step"},
    {"time", " t_end tmax t_max duration stop final t_final total ", "the time at its end is end"},
    {"time", " integrator method ", "the scheme is scheme; `percuss help schemes` lists them"},
    {"", " dt timestep time_step t_end ", "times are time: {end: ..., step: ...}"},
    {"output", " format vtk vtu ", "files for ParaView are written by every: STEPS; writer says by whom"},
    {"", " bc bcs boundary boundaries boundary_conditions constraints dirichlet ",
     "prescribed displacements are supports"},
    {"", " force forces neumann tractions ", "tractions, pressures and forces at points are loads"},
    {"", " geometry file ", "the mesh or its geometry is mesh: {file: NAME}"},
    {"", " rigid rigid_bodies ", "rigid bodies are bodies"},
    {"", " walls floor planes ", "what bodies touch is obstacles, or contacts.<name>.plane"},
    {"", " variables constants params definitions ", "numbers of your own are parameters"},
};

static int has_word(const char *words, const char *key) {
  const size_t length = strlen(key);
  for (const char *at = words + 1; *at; at += strcspn(at, " ") + 1)
    if (strcspn(at, " ") == length && strncasecmp(at, key, length) == 0) return 1;
  return 0;
}

const char *prc_key_advice(const char *parent, const char *key) {
  for (size_t k = 0; k < sizeof meant / sizeof *meant; k++)
    if (strcmp(meant[k].parent, parent) == 0 && has_word(meant[k].words, key)) return meant[k].advice;
  return NULL;
}

void prc_key_elsewhere(const char *parent, const char *key, char *text, size_t size) {
  enum { MOST = 3 };
  int n = 0;
  text[0] = '\0';
  for (const prc_key *k = prc_key_next(NULL); k; k = prc_key_next(k)) {
    if (strcmp(k->key, key) != 0 || strcmp(k->parent, parent) == 0 || prc_key_find(k->parent, key, 0) != k)
      continue;
    if (n++ < MOST)
      prc_append(text, size, "%s%s%s%s", n > 1 ? " or " : "", k->parent, k->parent[0] ? "." : "", k->key);
  }
  if (n > MOST) text[0] = '\0'; /* a word that means something everywhere says nothing */
}

/* Fields at points and in cells, from bodies to files. A pointer may be NULL only where that is said; nothing
 * checks it. */
#ifndef PRC_FIELDS_H
#define PRC_FIELDS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers by name: of each point, or of each cell. */
typedef struct {
  const char *name;
  int components;
  const double *real; /* one of the two: components values per point or cell */
  const int *integer;
} prc_array;

/* Names and meanings of the arrays in files: the one list that writers take names of components from, that
 * cases choose fields from, and that
 * `percuss help output` prints. A row:
 *   name, files, where ("points", "cells" or both), names of its components, "" for those of a number or a vector, dimension, meaning.
 * Files: PRC_FIELD_SNAPSHOT, those in vtu/step-*.vtu, which a case can choose; PRC_FIELD_EXTRA, of these those that are there only if they are
 * asked for; PRC_FIELD_FORCES, in vtu/forces-*.vtu. */
enum { PRC_FIELD_SNAPSHOT = 1, PRC_FIELD_EXTRA = 2, PRC_FIELD_FORCES = 4 };
/* clang-format off */
#define PRC_FIELD_KINDS(ROW) \
  ROW("node", 1, "points", "", "number", "of a mesh: Gmsh's number of the node") \
  ROW("displacement", 1, "points", "", "length", "of a mesh, from the places at which its points stand in the file") \
  ROW("velocity", 1, "points and cells", "", "length/time", "of nodes, of material points of bodies (up to 1000 bodies), and on cells of the centre of mass of the body") \
  ROW("stress_recovered", 1, "points", "xx yy xy", "force/length^2", "of a mesh: from where it is best in each cell, extended to its nodes, mean by area") \
  ROW("contact_gap", 1, "points", "", "length", "at nodes that may touch, below zero where they penetrate; the smallest of several; 0 elsewhere") \
  ROW("contact_traction", 1, "points", "", "force/length^2", "of contact on the node, p/(h area), means over the last step; of two curves on both sides") \
  ROW("contact_status", 1, "points", "", "code", "-1 can touch nothing, 0 open, 1 sticks, 2 slides") \
  ROW("contact_slip", 1, "points", "", "length", "along t: since the start, or where contacts come and go since it closed") \
  ROW("contact_friction", 1, "points", "", "1", "mu as the step had it") \
  ROW("contact_state", 1, "points", "", "of the law", "the first number that the friction remembers") \
  ROW("tension", 1, "points", "", "force", "of beams") \
  ROW("bending_moment", 1, "points", "", "force*length", "of beams") \
  ROW("stress", 1, "cells", "xx yy xy", "force/length^2", "of a mesh: mean over the cell, tension positive") \
  ROW("stress_out_of_plane", 1, "cells", "", "force/length^2", "normal to the plane, the hoop stress in axisymmetry: mean over the cell") \
  ROW("energy_density", 1, "cells", "", "energy/length^3", "strain energy per volume of the undeformed cell") \
  ROW("strain", 3, "cells", "xx yy xy", "1", "of a mesh: mean over the cell; xy is the tensor's, half the change of the angle") \
  ROW("material", 3, "cells", "", "number", "of a mesh: which of the case's materials, from 0, as materials of run.json names them; -1 elsewhere") \
  ROW("body", 5, "points and cells", "", "number", "which rigid body, from 0 in the order of bodies.csv; obstacles come behind; -1: of none. Of a mesh if it is asked for: which of its parts that hang together, behind all these, as mesh_bodies of run.json names them") \
  ROW("kind", 1, "cells", "", "code", "0 body, 1 driven, 2 obstacle; in the plane 4 a face, 5 a joint, 6 a spring, 7 a beam; in space 3 a half-space, 4 a joint, 5 a spring; -1: of a mesh") \
  ROW("group", 1, "cells", "", "number", "which set of bodies of the case, from 0; -1: in none") \
  ROW("angle", 1, "cells", "", "radians", "of the body, in the plane") \
  ROW("spin", 1, "cells", "", "radians/time", "of the body; in space in its own axes") \
  ROW("quaternion", 1, "cells", "w x y z", "1", "in space: from the body's own axes to the fixed ones") \
  ROW("kinetic_energy", 1, "cells", "", "energy", "of the whole body") \
  ROW("neighbours", 1, "cells", "", "number", "how many others carry the body; -1: not counted") \
  ROW("radius", 1, "cells", "", "length", "in space: of a sphere that is drawn as a point; 0 elsewhere") \
  ROW("force", 4, "points", "", "force", "in space: of `other` on `body`, p/h") \
  ROW("force_normal", 4, "points and cells", "", "force", "p_N/h, on points the same for the glyphs of readers") \
  ROW("force_tangential", 4, "cells", "", "force", "in the plane: p_T/h") \
  ROW("gap", 4, "points and cells", "", "length", "of the contact") \
  ROW("status", 4, "points and cells", "", "code", "of the contact: 1 sticks, 2 slides") \
  ROW("contact", 4, "points and cells", "", "number", "which of the case's contacts, from 0") \
  ROW("other", 4, "points", "", "number", "in space: what `body` touches, numbered as that; -1: what does not move")
/* clang-format on */
enum { PRC_FIELD_COMPONENTS = 4 };
typedef struct {
  const char *name;
  int files;
  const char *where, *components, *dimension, *help;
} prc_field_kind;
const prc_field_kind *prc_field_kind_at(int k);              /* the rows from 0 on; NULL behind their end */
const prc_field_kind *prc_field_kind_find(const char *name); /* NULL: there is none of this name */
/* The name of component k of an array, "xy", to `text`; 0: it has none, as those of vectors. */
enum { PRC_FIELD_COMPONENT = 8 };
int prc_field_component(const char *name, int components, int k, char text[PRC_FIELD_COMPONENT]);

/* Cells with their nodes in VTK's order. width: nodes of each cell, 2 of segments, 3 of triangles, without
 * start and type; 0: cell c has the nodes node[start[c]] .. node[start[c+1]-1] and VTK's type type[c]. in_space:
 * the points have three coordinates, else two, and lie in the plane z = 0. */
typedef struct {
  int n, width, in_space;
  const int *node, *start, *type;
} prc_cells;

#ifdef __cplusplus
}
#endif
#endif

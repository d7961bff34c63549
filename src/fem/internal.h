#ifndef PRC_FEM_INTERNAL_H
#define PRC_FEM_INTERNAL_H

#include "contact/mortar.h"
#include "fem/fem.h"

/* F_j(t) = amplitude(t) x a fixed nodal vector; a load that varies over its edge has one term per quadrature
 * point. */
typedef struct {
  const prc_field *amplitude;
  double x, y;      /* where the amplitude is evaluated */
  int first, count; /* entries first .. first+count-1 of the lists below */
} prc_fem_term;

typedef struct {
  int n_terms;
  prc_fem_term *term;
  int n_entries;
  int *dof;
  double *value;
} prc_fem_terms; /* the part of F that depends on time */

/* An interface as it stands: what of it lies over each other, and the rows of those that touch. */
typedef struct {
  prc_mortar_chain *chain[2];
  prc_mortar *mortar;
  int n_nodes;   /* of the second */
  char *held[2]; /* of either's nodes: in their prescribed dofs, or they are nodes of both */
  /* n_nodes: gaps at the start, of those that have one; what gaps are less by with from_start, or what they are at q = 0 */
  double *gap_start;
  double *q;  /* of both chains' points, two each: where the mortar was looked at last; NULL: nowhere yet */
  int looked; /* the mortar is that of q, and the rows ... */
  int fresh;  /* ... are those of the mortar */
  int n;      /* rows: of those that have area, by nodes */
  int *of;    /* n: their points */
  prc_rows rows; /* n blocks */
  prc_mortar_row row;
  size_t room_dofs, room_x;
} prc_fem_touch;

/* Data of corotational strains, cell after cell; triangles with three nodes have one point, other cells the
 * quadrature of the stiffness. */
typedef struct {
  size_t *
      point_at; /* n_cells + 1: where the points of a cell begin, each its volume, then gradient and hoop (3) of all nodes */
  double *point;
  size_t *mass_at; /* n_cells + 1: the mass of a component, rows of the lower triangle */
  double *mass;
  double (*D)[4][4], *damping_stiffness; /* of the materials */
  prc_sym *tangent;                      /* on the pattern of K */
} prc_fem_corotation;
typedef struct prc_fem_way prc_fem_way; /* sums of a velocity over time (velocities.c) */

/* A point of the mesh: the cell it is in, and its shape functions there. */
typedef struct {
  int cell;
  double N[PRC_ELEMENT_NODES];
} prc_fem_place;

struct prc_fem {
  const prc_fem_model *model;
  prc_fem_corotation turning; /* PRC_COROTATIONAL; else empty */
  prc_sym *M, *K;
  double *mass_factor; /* n_nodes, D of the modified mass D M D; NULL: the mass is not modified */
  double damping_mass, damping_stiffness; /* what all materials have in common ... */
  prc_sym *C;                             /* ... and what damps besides; NULL: nothing */
  prc_sym *C_boundary;                    /* of that, dashpots; NULL: there are none */
  int *cell_material;                     /* n_cells */
  double *node_area;                      /* n_nodes: the areas of the cells around each node, summed */

  prc_fem_place *spring_at; /* n_springs: of those at points */
  double *F_constant;       /* n_dof: loads that do not depend on time */
  prc_fem_terms terms;

  int n_prescribed;
  int *prescribed;         /* dofs, ascending; those of unused nodes included */
  int *prescribed_support; /* the support that prescribes it; -1: an unused node, held at zero */
  int *like;               /* see prc_drive */
  int **support_rows;      /* n_supports: positions in `prescribed` */
  int *support_count;      /* n_supports */
  int n_ways;
  int *way_of; /* n_prescribed: where its displacement is the integral of a velocity; else -1 */
  prc_fem_way *way;

  prc_contact_points *points; /* candidates against planes */
  int *contact_first;         /* n_contacts + n_interfaces + 1 */
  int *contact_node;          /* candidates: against planes, then those of interfaces */
  double *contact_area, *contact_frame;
  prc_law *law;               /* candidates */
  const prc_law **laws;       /* the same, where contacts come and go */
  prc_law_formulas *formulas; /* candidates: of laws that change with time */
  prc_fem_touch *touch;       /* n_interfaces */
  char *touched;              /* 2 n_nodes: where contacts come and go */
  char *deforms;              /* 2 n_nodes: ones */
  double size;                /* of the mesh, which penetrations are compared with */

  prc_strains strains; /* of own points of integration, of triangles with three nodes one */

  prc_system system;
};

/* M and K on their common pattern, one pass over the cells. */
prc_status prc_fem_assemble(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* The modified mass: takes the mass of the contact nodes to the others (mass.c). */
prc_status prc_fem_modify_mass(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* body[a]: the lowest node of those that hang together with node a by K (free_bodies.c). */
void prc_fem_join_nodes(const prc_sym *K, int *body);
/* damping_mass, damping_stiffness and C; after the mass is modified (damping.c). */
prc_status prc_fem_assemble_damping(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* C += value in row i, column j and their mirror; the place is in the pattern */
void prc_fem_add_entry(prc_sym *C, int i, int j, double value);
/* Of edge e, with d[0] along the normal and d[1] across it, and across[] in x and y: += integral of N_a N_b times that. */
void prc_fem_add_edge(const prc_fem *fem, prc_sym *C, int e, const double d[2], const double fixed[2]);
/* K += springs (springs.c); points outside the mesh are refused. */
prc_status prc_fem_add_springs(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* Refuses a point that lies outside of the mesh; else its cell, and the shape functions there. */
prc_status prc_fem_find_point(const prc_mesh *mesh, const double x[2], int *cell,
                              double weight[PRC_ELEMENT_NODES], prc_error *err) PRC_MUST_CHECK;
prc_status prc_fem_check_dashpots(const prc_fem_model *model, prc_error *err) PRC_MUST_CHECK;
/* alpha of material m */
double prc_fem_drag_of_material(const prc_fem_model *model, int m);
/* F_constant and terms: gravity and tractions. */
prc_status prc_fem_build_loads(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* Loads of the prestress of interface i, as its rows stand: where it begins. */
prc_status prc_fem_add_prestress(prc_fem *fem, int i, prc_error *err) PRC_MUST_CHECK;
prc_status prc_fem_loads(void *body, const prc_at *at, double *F, prc_error *err);
prc_status prc_fem_missed_loads(void *body, const prc_at *at, prc_window *window, double *F, prc_error *err);

/* ---- materials (materials.c) --------------------------------------------------------------------------- */

#define PRC_FEM_DECLARE(symbol, name) extern const prc_fem_law prc_fem_##symbol;
PRC_FEM_LAWS(PRC_FEM_DECLARE, PRC_FEM_DECLARE)
/* As prc_fem_law has them. */
void prc_fem_material_elasticity(const prc_fem_material *material, prc_fem_plane plane, double D[4][4]);
void prc_fem_material_moduli(const prc_fem_material *material, prc_fem_plane plane, double *longitudinal,
                             double *shear);

/* ---- supports and contacts (supports.c, contacts.c) ---------------------------------------------------------------- */

/* prescribed and its lists. */
prc_status prc_fem_prescribe(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* ways of what has a velocity; then d(t), the integral of one from 0 to t, with pieces of that length; and V(t), dV/dt */
prc_status prc_fem_make_ways(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
prc_status prc_fem_way_at(const prc_fem *fem, int i, const prc_field *velocity, const double x[2], double t,
                          double *d, prc_error *err) PRC_MUST_CHECK;
prc_status prc_fem_way_rates(const prc_field *velocity, const double x[2], double t, double d[2],
                             prc_error *err) PRC_MUST_CHECK;
/* like */
prc_status prc_fem_compare_rows(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* points, their nodes, areas and laws. */
prc_status prc_fem_make_candidates(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
/* touch, and the same of interfaces, behind them; after what is prescribed is known (interfaces.c). */
prc_status prc_fem_make_interfaces(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
void prc_fem_free_interfaces(prc_fem *fem);
/* A curve with itself or with an edge of its own; two of which no normal percussion moves anything (interface_checks.c). */
prc_status prc_fem_refuse_same_sides(const prc_fem *fem, const prc_fem_interface *interface,
                                     prc_error *err) PRC_MUST_CHECK;
prc_status prc_fem_refuse_held_sides(const prc_fem *fem, const prc_fem_touch *touch,
                                     const prc_fem_interface *interface, prc_error *err) PRC_MUST_CHECK;
int prc_fem_lists(const int *list, int n, int node); /* is it in a list that ascends? */
int prc_fem_is_prescribed(const prc_fem *fem, int dof);
int prc_fem_slides(const prc_fem_model *model); /* one of its interfaces is not small */
prc_status prc_fem_find_interface(prc_fem *fem, int i, const prc_at *at, double way, prc_contact_set *set,
                                  prc_error *err) PRC_MUST_CHECK;
/* way: that two things may come nearer. Of those that stand from `first` on; returns their number. */
int prc_fem_evaluate_interface(prc_fem *fem, int i, const prc_at *at, unsigned what, prc_contact_set *set,
                               int first);
/* Slips of those that slide little, against their sides (interface_facts.c). */
void prc_fem_judge_interfaces(const prc_fem *fem, const prc_at *at, prc_indicator *indicator);
/* of a side: how far one that pushes may gape and stay active, where directions move */
#define PRC_FEM_STAY 1e-3
/* The mean length of the chords around point j of the second side. */
double prc_fem_length_at(const prc_fem_touch *touch, int j);
/* u over small slides, g = g_0 + H q, of row k. */
double prc_fem_linear_gap(const prc_fem_touch *touch, int k, const double *q);
/* How strained it is (strains.c): with matrices and materials; where the system is known; the look. */
prc_status prc_fem_make_strains(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
void prc_fem_present_strains(prc_fem *fem);
void prc_fem_free_strains(prc_fem *fem);
void prc_fem_judge_strains(void *body, const prc_at *at, prc_indicator *indicator);
/* Parts of the prc_system that a mesh fills: prescribed motions and contacts. */
prc_drive prc_fem_drive(const prc_fem *fem);
prc_contacts prc_fem_contacts(const prc_fem *fem);
int prc_fem_same_constant(const prc_field *a, const prc_field *b); /* both constant, and equal */
double prc_fem_diagonal(const prc_mesh *mesh);                     /* of the box around it */

/* ---- cells (cell.c) ---------------------------------------------------------------------------------------------- */

/* the most points of a quadrature */
enum { PRC_FEM_POINTS = 16 };

/* A point of a cell: place, shape functions, their gradients, their share of the hoop strain (N / r, or 0),
 * and the volume that it stands for. */
typedef struct {
  int n; /* nodes */
  double x[2], N[PRC_ELEMENT_NODES], gradient[PRC_ELEMENT_NODES][2], hoop[PRC_ELEMENT_NODES], volume;
} prc_fem_point;
/* x: the cell's nodes; at: in the reference element; weight: of the quadrature */
void prc_fem_point_of(const prc_fem_model *model, const prc_element *element, const double (*x)[2],
                      const double at[2], double weight, prc_fem_point *out);
/* The points of a quadrature in cell c, at most PRC_FEM_POINTS; their number. */
int prc_fem_cell_points(const prc_fem_model *model, int c, const prc_quadrature *rule, prc_fem_point *out);
double prc_fem_cell_volume(const prc_fem_model *model, int c);
/* Depth of an area of the plane at x: the thickness, or the way around the axis. */
double prc_fem_depth(const prc_fem_model *model, double x);

/* Strains and stresses have rows xx, yy, xy (engineering shear) and out of the plane. u: of the cell's
 * nodes. */
void prc_fem_strain(const prc_fem_point *point, const double (*u)[2], double strain[4]);
void prc_fem_stress(const double D[4][4], const double strain[4], double stress[4]);

/* Strains that turn (corotation.c): rows as above. R by its cosine and sine may be NULL, and of an inverted point is what it is. */
void prc_fem_turned_strain(const prc_fem_point *point, const double (*u)[2], double strain[4], double R[2]);
/* Stress of turned axes into those of space. */
void prc_fem_turn_stress(const double R[2], double stress[4]);
prc_status prc_fem_make_corotation(prc_fem *fem, prc_error *err) PRC_MUST_CHECK;
void prc_fem_free_corotation(prc_fem *fem);
/* beta of all materials is in one place then: damping of the state, and no longer in C. */
void prc_fem_present_corotation(prc_fem *fem);
/* Static equilibrium (corotation_equilibrium.c). part: nonzero where q is prescribed; q: prescribed values and loads on free dofs, out: where they lead
 * to from zero. */
prc_status prc_fem_turning_equilibrium(const prc_fem *fem, const char *part, double *q,
                                       prc_error *err) PRC_MUST_CHECK;
prc_status prc_fem_turning_tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A,
                                   prc_error *err);

/* Contribution of a cell to the two columns of K, and to the column of M of either component, of its node
 * number v. */
typedef struct {
  double K[2 * PRC_ELEMENT_NODES][2], M[PRC_ELEMENT_NODES];
} prc_fem_columns;
void prc_fem_cell_columns(const prc_fem *fem, int c, int v, prc_fem_columns *out);

/* ---- norms (errors.c) ---------------------------------------------------------------------------------- */

/* Displacement, strain (rows as in prc_fem_strain) and velocity at a point. */
typedef struct {
  double u[2], strain[4], v[2];
} prc_fem_motion;
/* u, v: of the cell's nodes */
void prc_fem_motion_at(const prc_fem_point *p, const double (*u)[2], const double (*v)[2], prc_fem_motion *m);
void prc_fem_subtract(prc_fem_motion *m, const prc_fem_motion *from);
/* Adds the squares. */
void prc_fem_add_norms(const prc_fem_motion *m, const double D[4][4], double density, double volume,
                       prc_fem_norms *to);
void prc_fem_sqrt_norms(prc_fem_norms *n);

/* ---- edges (loads.c) ----------------------------------------------------------------------------------- */

/* The area that each node of edge k stands for, the integral of its shape function: on a straight edge of a
 * plate half of it at each end, or with a node halfway 1/6, 1/6 and there 4/6. Returns the number of
 * nodes. */
int prc_fem_edge_areas(const prc_fem_model *model, int k, int node[3], double area[3]);
/* Contacts and pressures are of the boundary: inside the body there is no outward normal. */
prc_status prc_fem_check_boundary(const prc_mesh *mesh, const prc_mesh_group *group,
                                  prc_error *err) PRC_MUST_CHECK;

static inline const int *prc_fem_cell(const prc_mesh *mesh, int c, int *n) {
  *n = mesh->cell_start[c + 1] - mesh->cell_start[c];
  return mesh->cell + mesh->cell_start[c];
}
/* The vectors of a nodal field (x and y of each node, as q) at the nodes of cell c. */
static inline void prc_fem_cell_values(const prc_mesh *mesh, int c, const double *field, double (*value)[2]) {
  int n;
  const int *node = prc_fem_cell(mesh, c, &n);
  for (int a = 0; a < n; a++)
    for (int k = 0; k < 2; k++) value[a][k] = field[2 * node[a] + k];
}

#endif

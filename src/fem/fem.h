/* fem: plane and axisymmetric elasticity on a mesh: materials, mass, stiffness, loads, supports; builds a
 * prc_system.
 *
 * Dofs are displacements, node by node: dof 2a is x, 2a+1 is y of node a. Everything is of the whole
 * thickness of the plate; in axisymmetry x is the radius, y the axis, and everything is of the whole ring:
 * masses, forces, percussions and energies. Units are the user's own, consistent ones.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_FEM_H
#define PRC_FEM_H

#include "base/base.h"
#include "contact/contact.h"
#include "contact/mortar.h"
#include "fem/materials.h"
#include "mesh/mesh.h"
#include "system/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the model: what the case says, resolved against the mesh ------------------------------------------ */

/* C = mass M + stiffness K (Rayleigh). */
typedef struct {
  double mass, stiffness;
} prc_fem_damping;

typedef enum { PRC_PLANE_STRESS, PRC_PLANE_STRAIN, PRC_AXISYMMETRIC } prc_fem_plane;

/* Of displacements: the linear strain of small ones, or strains that are small and turn by any angle (corotation.c). */
typedef enum { PRC_SMALL_STRAIN, PRC_COROTATIONAL } prc_fem_kinematics;

typedef struct prc_fem_material prc_fem_material;
/* A law of linear elasticity, a row of the table in fem/materials.h. */
typedef struct {
  const char *name;
  const char *const *parameter; /* members of prc_fem_material that it reads, ended by NULL */
  /* Refuses what is out of range; the message begins with the name of the parameter. */
  prc_status (*check)(const prc_fem_material *material, prc_fem_plane plane, prc_error *err);
  /* sigma = D epsilon with rows xx, yy, xy (engineering shear) and out of the plane, which is zero stress in plane stress, zero
   * strain in plane strain, and the hoop in axisymmetry, where x is the radius. D is symmetric, and zero when it comes. */
  void (*elasticity)(const prc_fem_material *material, prc_fem_plane plane, double D[4][4]);
  /* density x speed^2 of its fastest waves: tolerances and the CFL number follow from them */
  void (*moduli)(const prc_fem_material *material, prc_fem_plane plane, double *longitudinal, double *shear);
} prc_fem_law;
const prc_fem_law *const *prc_fem_laws(void);          /* the rows, ended by NULL */
const prc_fem_law *prc_fem_law_find(const char *name); /* NULL: there is none */
int prc_fem_law_has(const prc_fem_law *law, const char *parameter);

struct prc_fem_material {
  const prc_mesh_group *group; /* dim 2 */
#define PRC_FEM_MEMBER(name, symbol, dimension, low, high, open_low, open_high, help) double name;
  PRC_FEM_PARAMETERS(PRC_FEM_MEMBER) /* young, poisson, ...: each law reads its own */
#undef PRC_FEM_MEMBER
  double density;
  const prc_fem_law *law; /* of the table or the caller's own; NULL: the table's first, isotropic */
};
/* The message begins with the name of what is refused. */
prc_status prc_fem_material_check(const prc_fem_material *material, prc_fem_plane plane,
                                  prc_error *err) PRC_MUST_CHECK;

typedef enum {
  PRC_MASS_CONSISTENT,
  PRC_MASS_LUMPED,  /* row sums; of quadratic elements the diagonal, scaled to the mass of the cell */
  PRC_MASS_MODIFIED /* consistent, but none at contact nodes; the body keeps mass, centre and inertia */
} prc_fem_mass;

typedef struct {
  const char *name;
  const prc_mesh_group *group; /* dim 1 */
  prc_field traction[2];       /* force per area, in x and y */
  prc_field pressure;          /* force per area against the outward normal of the undeformed body */
  int n_points;                /* in place of all that: */
  const double *point;         /* 2 n_points: places in the body, each with ... */
  prc_field force[2];          /* ... this force; in axisymmetry that of the whole ring */
} prc_fem_load;

typedef struct {
  const char *name;
  const prc_mesh_group *group; /* dim 1 */
  int held[2];                 /* which components are prescribed */
  prc_field displacement[2];   /* or, of what is given by its velocity, */
  int by_velocity[2];          /* that: the displacement is its integral from t = 0 on */
} prc_fem_support;

/* Springs to the ground, without force where the body is undeformed: they are part of K. */
typedef struct {
  const char *name;
  const prc_mesh_group *group; /* dim 1; NULL: at a point */
  double stiffness[2];         /* along the normal, across it: force per area and length */
  double fixed[2];             /* in x and y, likewise; at a point force per length */
  double point[2];
} prc_fem_spring;

typedef struct {
  const char *name;
  const prc_mesh_group *group; /* dim 1 */
  prc_contact_plane plane;
  prc_field friction, restitution; /* evaluated at each node, at t = 0 */
  double restitution_tangential;   /* of Newton's law */
  const prc_law_fields *law;       /* in place of friction; NULL: it is Coulomb's mu */
} prc_fem_contact;

/* Two parts of the boundary that meet: the nodes of the second touch the segments of the first (a mortar with the hats of the second,
 * contact/mortar.h). The frame is the first's: n out of it, t is n turned by -90 degrees, and u is the second's velocity less the first's. */
typedef struct {
  const char *name;
  const prc_mesh_group *group[2]; /* dim 1; touched, and what touches */
  prc_law_fields friction;        /* evaluated at the nodes of the second where they are at the start */
  prc_field restitution;
  double restitution_tangential;
  int small;           /* they slide little: H is that of the start for ever, and contacts are the same */
  int from_start;      /* gaps less what they are at the start, of surfaces that fit by design ... */
  double interference; /* ... and less this, of a press fit */
  /* Tractions that the bodies do not feel as they are balanced by what is not modelled: compression, and sigma_nt, which drives the second along +t.
   * They stand as loads on both sides where they begin. NULL functions: none */
  prc_field normal, shear;
} prc_fem_interface;

/* The traction -d_n v_n n - d_t v_t t on a part of the boundary. */
typedef struct {
  const char *name;
  const prc_mesh_group *group; /* dim 1 */
  int absorbs[2];              /* along the normal, across it: rho c_p, rho c_s of the material inside */
  double coefficient[2];       /* where it does not absorb: force per area and velocity */
} prc_fem_dashpot;

typedef struct {
  const prc_mesh *mesh;
  prc_fem_plane plane;
  prc_fem_kinematics kinematics;
  double thickness; /* not used in axisymmetry */
  prc_fem_mass mass;
  double damping_mass, damping_stiffness;
  const prc_fem_damping *own_damping; /* n_materials: in place of these two; NULL: they hold for all */
  prc_field gravity[2];    /* acceleration; may depend on time, not on place; in axisymmetry along the axis */
  prc_field body_force[2]; /* force per volume; may depend on time and place */
  double piece;            /* of time, in which velocities of supports are integrated: a step; 0: 1 */
  int n_materials, n_loads, n_supports, n_contacts, n_interfaces, n_dashpots, n_springs;
  const prc_fem_spring *spring;
  const prc_fem_material *material;
  const prc_fem_load *load;
  const prc_fem_support *support;
  const prc_fem_contact *contact;
  const prc_fem_interface *interface;
  const prc_fem_dashpot *dashpot;
} prc_fem_model;

/* ---- the body ------------------------------------------------------------------------------------------ */

typedef struct prc_fem prc_fem;
/* The model and the mesh must outlive the body. Refuses a cell without or with two materials, a component that two
 * supports prescribe differently, a contact group without nodes, mu < 0 or e outside [0, 1] somewhere, a dashpot inside the body
 * or with a coefficient below zero, and one of nodes whose mass was taken (PRC_MASS_MODIFIED). */
prc_status prc_fem_create(const prc_fem_model *model, prc_fem **out, prc_error *err) PRC_MUST_CHECK;
void prc_fem_free(prc_fem **fem);
const prc_system *prc_fem_system(const prc_fem *fem);
const prc_fem_model *prc_fem_get_model(const prc_fem *fem);

/* Facts as percuss understood them, for `check` and the manifest. */
typedef struct {
  double area, mass;
  double first_moment[2];  /* sum of mass x position */
  double speed_p, speed_s; /* largest wave speeds of the materials */
  double smallest_height;  /* of all cells, halved in quadratic ones: the length that limits explicit steps */
  double cfl_step;         /* the smallest height / speed_p of all cells */
} prc_fem_facts;
prc_fem_facts prc_fem_get_facts(const prc_fem *fem);
/* On edge e of the mesh, which the dashpot acts on: d[0] along the normal, d[1] across it. */
void prc_fem_dashpot_coefficients(const prc_fem *fem, const prc_fem_dashpot *dashpot, int e, double d[2]);
double prc_fem_material_mass(const prc_fem *fem, int m); /* of all cells of material m */

/* Of interface i, as it lies now: how far straight sides are off the arcs that they follow (d^2/8R; 0: they are not, or it does not matter beside gaps) and the mean gap
 * there; the smallest feature of what is touched (between corners, or a radius), and the longest chord of what touches. */
typedef struct {
  double off, gap, feature, side;
} prc_fem_interface_facts;
prc_fem_interface_facts prc_fem_get_interface_facts(const prc_fem *fem, int i);
/* Candidates: of contacts with planes, then of interfaces, group after group in the order of the model, nodes ascending within. Areas and frames of
 * interfaces are those of the last search (of the start, where all are small); area 0: nothing lies under the node, or a neighbour has it. */
/* first candidate of group k (k = n_contacts + n_interfaces: their number) */
int prc_fem_contact_first(const prc_fem *fem, int k);
const int *prc_fem_contact_nodes(const prc_fem *fem);     /* node of each candidate */
const double *prc_fem_contact_areas(const prc_fem *fem);  /* tributary area of each candidate */
const double *prc_fem_contact_frames(const prc_fem *fem); /* 4 per candidate: n_x n_y t_x t_y */
/* The candidate that the contact of group k and a node is; -1: it is none. */
int prc_fem_contact_candidate(const prc_fem *fem, int k, int node);
/* The candidate that has what lies under this one: itself; a neighbour where it is little or its node is held, as on an axis; -1: nothing lies there. Of
 * interfaces where they were looked at last. */
int prc_fem_contact_carrier(const prc_fem *fem, int candidate);
/* Forces on both sides of interface i: y += sum H'p of the contacts of its nodes, p two per node of the second group (ascending), as H stood in the last
 * search. With tractions times areas for p these are nodal forces. */
void prc_fem_interface_pull(const prc_fem *fem, int i, const double *p, double *y);
/* Area of each node on the two curves of the interfaces; zero elsewhere. */
void prc_fem_side_areas(const prc_fem *fem, double *area);
/* support k's rows among system->prescribed: count, and their positions in that list (ascending) */
int prc_fem_support_rows(const prc_fem *fem, int k, const int **rows);
/* Force of spring k on the body at the displacements q: the resultant of -k u, in x and y, of an axisymmetric
 * body over the whole ring. */
void prc_fem_spring_force(const prc_fem *fem, int k, const double *q, double force[2]);
/* Its energy, a part of q'K q / 2. */
double prc_fem_spring_energy(const prc_fem *fem, int k, const double *q);

/* Of the points of a contact in an equilibrium that holds them: how many are held, pulled at, and pushed with more friction than there is. */
typedef struct {
  int n, pulled, beyond;
} prc_fem_held;
/* Static equilibrium under the prescribed displacements at t = 0, interfaces glued and the dofs of all contact candidates with planes held at
 * zero ("stuck, neither slip nor penetration"), with the loads at t = 0 if with_loads. q: n_dof, out. */
/* held: of contacts with planes, then of interfaces; NULL: not asked. */
prc_status prc_fem_equilibrium(const prc_fem *fem, int with_loads, double *q, prc_fem_held *held,
                               prc_error *err) PRC_MUST_CHECK;

/* Bodies (parts of the mesh that hang together) that the supports leave free to move without strain: without
 * inertia only contact can hold them. A mode is a rigid motion (a, b, w), u = (a - w (y - centre_y) / size, b
 * + w (x - centre_x) / size). */
typedef struct {
  const char *group; /* the first material group that has some of it */
  int n_nodes;
  double centre[2], size; /* mean of its nodes, largest distance of a node from there */
  int n_modes;            /* 1..3 */
  double mode[3][3];
} prc_fem_free_body;
/* Only those with a mode, by their lowest nodes; the caller deletes the list. */
prc_status prc_fem_free_bodies(const prc_fem *fem, int *n_bodies, prc_fem_free_body **list,
                               prc_error *err) PRC_MUST_CHECK;
/* Free motions that no drag can hold either: neither a damping of the mass nor a dashpot. */
prc_status prc_fem_undragged_bodies(const prc_fem *fem, int *n_bodies, prc_fem_free_body **list,
                                    prc_error *err) PRC_MUST_CHECK;
/* "the body of 'block' (80 nodes around (4, 3)) is free in translation in x and rotation about (4, 3)" */
void prc_fem_free_body_text(const prc_fem_free_body *body, char *text, size_t size);
/* The sides of a curve as a chain; places are the caller's to fill. Refuses a curve inside the body, or one that branches. */
prc_status prc_fem_make_chain(const prc_fem *fem, const prc_mesh_group *group, prc_mortar_chain **out,
                              prc_error *err) PRC_MUST_CHECK;
/* Refuses a curve of which an obstacle, which does not give way, can move no node: each is held along this normal; NULL: it turns, or is not the same
 * everywhere. */
prc_status prc_fem_refuse_held(const prc_fem *fem, const prc_mesh_group *group, const double normal[2],
                               prc_error *err) PRC_MUST_CHECK;

/* Fields of a displacement q, means over each cell: stress, 3 per cell (xx, yy, xy); out_of_plane, 1 per
 * cell: the stress normal to the plane, the hoop stress in axisymmetry; energy: strain energy per volume, 1
 * per cell. Where the kinematics are corotational, the stress of each point is turned with it into the axes of space. */
void prc_fem_cell_fields(const prc_fem *fem, const double *q, double *stress, double *out_of_plane,
                         double *energy);
/* Means over each cell too, 3 per cell: strain, xx, yy and xy, the tensor's, which is half the engineering shear. */
void prc_fem_cell_strain(const prc_fem *fem, const double *q, double *strain);
/* At the point of cell c whose shape functions are weight: stress, xx, yy, xy and out of the plane, and strain as above. */
void prc_fem_stress_at(const prc_fem *fem, int c, const double *weight, const double *q, double stress[4],
                       double strain[3]);
/* Shares of each cell in 1/2 v'M v, with M as modified, and in 1/2 q'K q. */
void prc_fem_cell_energies(const prc_fem *fem, const double *q, const double *v, double *kinetic,
                           double *elastic);
const int *prc_fem_cell_materials(const prc_fem *fem); /* of each cell: its number among the model's */
/* Stress recovered at nodes, 3 per node: where it is best in each cell, extended to the cell's nodes, and
 * there the mean over cells by area. */
void prc_fem_node_stress(const prc_fem *fem, const double *q, double *stress);

/* Where linear elements are too stiff (locking.c). */
typedef struct {
  const prc_fem_material
      *material; /* nearly incompressible, of linear elements such as `element`; NULL: there is none */
  const prc_element *element;
  int n_thin,
      across; /* long parts with one or two linear cells across; cells across the most slender of them ... */
  double slender; /* ... its length over its width ... */
  size_t thin;    /* ... and a cell of it, by its number in the file */
  const prc_element *thin_element;
} prc_fem_locking;
prc_status prc_fem_find_locking(const prc_fem *fem, prc_fem_locking *out, prc_error *err) PRC_MUST_CHECK;

/* The largest rotation of a cell in radians: of the deformation gradient F = I + du/dx at the cell's centre,
 * by its polar decomposition. The elements are of small strain: a rotation by a gives them strains of about
 * a^2 / 2. */
double prc_fem_rotation(const prc_fem *fem, const double *q);

/* ---- distance from a known solution -------------------------------------------------------------------- */

typedef struct {
  prc_field displacement[2], velocity[2]; /* of the place of the undeformed body and of time */
} prc_fem_exact;
/* Norms over the volume (the thickness, or the ring): */
typedef struct {
  double displacement; /* L2: (integral of |u|^2)^1/2 */
  double elastic;      /* energy norm: (integral of eps : D eps)^1/2 */
  double velocity;     /* L2: (integral of |v|^2)^1/2 */
  double kinetic;      /* energy norm of the velocity: (integral of rho |v|^2)^1/2 */
} prc_fem_norms;
/* Norms of the difference of q and v (n_dof) from the exact solution at t, and of the exact solution itself,
 * by the fine quadrature of each element. Strains of the exact solution come from differences of order 6
 * around each
 * point, so it must be defined a little beyond the body. Nothing is allocated. */
prc_status prc_fem_errors(const prc_fem *fem, const prc_fem_exact *exact, double t, const double *q,
                          const double *v, prc_fem_norms *error, prc_fem_norms *size,
                          prc_error *err) PRC_MUST_CHECK;

/* ---- the same body on two meshes ----------------------------------------------------------------------- */

typedef struct prc_fem_comparison prc_fem_comparison;
/* Both bodies must outlive it. */
prc_status prc_fem_comparison_create(const prc_fem *coarse, const prc_fem *fine, prc_fem_comparison **out,
                                     prc_error *err) PRC_MUST_CHECK;
void prc_fem_comparison_free(prc_fem_comparison **comparison);
/* The norms of fine - coarse, the coarser fields interpolated by their shape functions, and those of fine. */
void prc_fem_compare(const prc_fem_comparison *comparison, const double *q_coarse, const double *v_coarse,
                     const double *q_fine, const double *v_fine, prc_fem_norms *error, prc_fem_norms *size);

/* ---- kernels of the 3-node triangle: pure, for tests and for the assembly ------------------------------ */

/* Elasticity matrix of the isotropic law: rows xx, yy, xy (engineering shear). */
void prc_fem_elasticity(double young, double poisson, int plane_strain, double D[3][3]);
/* K_e = A t B' D B. x: nodes anticlockwise; Ke: dofs (x0 y0 x1 y1 x2 y2), overwritten. Returns the signed
 * area; if it is not positive, Ke is untouched. */
double prc_fem_t3_stiffness(const double x[3][2], const double D[3][3], double thickness, double Ke[6][6]);
/* Consistent mass of one component: rho A t / 12 (1 + delta_ab). */
void prc_fem_t3_mass(double area, double density, double thickness, double Me[3][3]);
#ifdef __cplusplus
}
#endif
#endif

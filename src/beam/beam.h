/* beam: planar beams that bend and stretch by any amount, after Euler and Bernoulli, on B-splines, with points that touch fixed planes; builds a
 * prc_system. It knows no shear and no cross-sections.
 *
 * The centre line is x(s) = sum of N_i(s) x_i, 0 <= s <= 1, with B-splines N_i of a degree p >= 2 on uniform elements between open knots. Its
 * dofs are the control points: 2i, 2i+1 the place of x_i in fixed axes, n_elements + p points in all. With X(s) the unstrained line and J = |X'|
 *
 *   V = integral of (EA (lambda - 1)^2 + EI (kappa - kappa_0)^2) / 2 . J ds,   lambda = |x'| / J,  kappa = (x' x x'') / (|x'|^2 J),
 *
 * kappa being the change of the tangent's angle per unstrained length. M and, against planes, H are constant.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_BEAM_H
#define PRC_BEAM_H

#include "base/base.h"
#include "contact/contact.h"
#include "system/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the model ----------------------------------------------------------------------------------------- */

enum { PRC_BEAM_DEGREE = 5, PRC_BEAM_POINTS = PRC_BEAM_DEGREE + 1, PRC_BEAM_DOFS = 2 * PRC_BEAM_POINTS };
enum { PRC_BEAM_GAUSS = 10 }; /* the most points of an element */

/* Load at a point: a force in fixed axes, a moment that follows the tangent's angle; functions of time. */
typedef struct {
  double s;
  prc_field force[2], moment;
} prc_beam_load;

typedef struct {
  const char *name;
  prc_contact_plane plane;
  int n_points;
  const double *s; /* n_points: where on the beam they are */
  double friction, restitution;
  double restitution_tangential; /* of the Newton law, (58); 0: as without */
  const prc_law *law;            /* in place of these three; NULL: it is Coulomb's */
} prc_beam_contact;

typedef struct {
  const char *name;
  int degree, n_elements; /* degree 2 to PRC_BEAM_DEGREE */
  int n_gauss;            /* points of an element; 0: degree + 3 */
  const double
      *point; /* 2 (n_elements + degree): control points of the unstrained line, where it is at the start */
  double EA, EI, density;   /* density: mass per unstrained length */
  double velocity[2], spin; /* at the start, of the centre of mass and about it */
  prc_field force[2];       /* per unstrained length, in fixed axes; functions of time */
  double damping_mass;      /* C = damping_mass M ... */
  double
      damping_stiffness; /* ... and of the rates of strain: as EA and EI times this, so that rotations are free */
  int n_loads, n_contacts;
  const prc_beam_load *load;
  const prc_beam_contact *contact;
  prc_field gravity[2]; /* acceleration; functions of time */
} prc_beam_model;

/* Control points of a straight line from one end to the other, along which s is the share of the length. */
void prc_beam_straight(int degree, int n_elements, const double ends[2][2], double *point);

/* ---- the beam ------------------------------------------------------------------------------------------ */

typedef struct prc_beam prc_beam;
/* The model must outlive the beam. Refuses what has no stiffness or mass, lines that stand still somewhere, points beyond the ends. */
prc_status prc_beam_create(const prc_beam_model *model, prc_beam **out, prc_error *err) PRC_MUST_CHECK;
void prc_beam_free(prc_beam **beam);
const prc_system *prc_beam_system(const prc_beam *beam);
const prc_beam_model *prc_beam_get_model(const prc_beam *beam);
int prc_beam_points(const prc_beam *beam);    /* control points */
double prc_beam_length(const prc_beam *beam); /* unstrained */
double prc_beam_mass(const prc_beam *beam);
/* "shank.start" or "shank.end": of s = 0 and 1 */
const char *prc_beam_end_name(const prc_beam *beam, int end);
/* q and v of the start, n_dof each */
void prc_beam_initial(const prc_beam *beam, double *q, double *v);

/* The splines that are not zero at s: those of the control points `first` to first + degree, and their first two derivatives. */
typedef struct {
  int first, n;
  double N[3][PRC_BEAM_POINTS];
} prc_beam_basis;
prc_beam_basis prc_beam_basis_at(const prc_beam *beam, double s);
/* sum of N_i^(derivative) q_i: place, x', x'' of coordinates; of velocities likewise */
void prc_beam_sum(const prc_beam_basis *basis, int derivative, const double *q, double out[2]);

/* State of the beam at s. */
typedef struct {
  double x[2], angle; /* place, and the angle of the tangent in (-pi, pi] */
  double velocity[2], spin;
  double stretch, curvature; /* lambda - 1, kappa - kappa_0 */
  double tension, moment;    /* EA and EI times these */
} prc_beam_state;
prc_beam_state prc_beam_now(const prc_beam *beam, const double *q, const double *v, double s);

/* The strain energy of stretching and of bending. */
void prc_beam_energies(const prc_beam *beam, const double *q, double *stretching, double *bending);

#ifdef __cplusplus
}
#endif
#endif

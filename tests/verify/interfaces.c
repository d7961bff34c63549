/* Two deformable bodies that meet: patch tests of a mortar, in closed form. */
#include "config.h"
#include "support/duet.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

/* A block on a block, pressed from above: sigma_yy = -p everywhere, whatever the meshes. */
typedef struct {
  int element, below, above;
  double stiffer, angle;
} patch_case;

static void make_blocks(duet *d, const patch_case *c) {
  const patch_box a = {0.0, 0.0, 1.0, 0.5, c->angle}, b = {0.0, 0.5, 1.0, 0.5, c->angle};
  const patch list[] = {{"a", c->below, 3, c->element, patch_in_box, &a},
                        {"b", c->above, 2, c->element, patch_in_box, &b}};
  duet_case(d, 2, list);
  d->material[1].young *= c->stiffer;
  d->material[1].poisson = 0.2;
}

static void check_patch(const patch_case *c) {
  const double pressure = 7.0;
  double way = 0.0;
  duet d;
  make_blocks(&d, c);
  for (int k = 0; k < 2; k++) { /* sides are free, strain is plane */
    const double nu = d.material[k].poisson;
    way += 0.5 * pressure * (1.0 - nu * nu) / d.material[k].young;
  }
  duet_hold(&d, "a.bottom", 2, 0.0, 0.0);
  duet_hold(&d, "a.left", 1, 0.0, 0.0);
  duet_hold(&d, "b.left", 1, 0.0, 0.0);
  duet_hold(&d, "b.top", 2, 0.0, -way);
  duet_meet(&d, "a.top", "b.bottom", 0.0);
  d.step.cone.tolerance = 1e-15;
  duet_solve(&d);
  double *stress = NULL, *out = NULL, *energy = NULL, worst = 0.0, worst_p = 0.0;
  prc_error err = {0};
  support_ok(prc_new(&stress, 3 * (size_t)d.mesh->n_cells, &err), &err);
  support_ok(prc_new(&out, d.mesh->n_cells, &err), &err);
  support_ok(prc_new(&energy, d.mesh->n_cells, &err), &err);
  prc_fem_cell_fields(d.fem, d.record->q, stress, out, energy);
  for (int k = 0; k < d.mesh->n_cells; k++) {
    worst = fmax(worst, fabs(stress[3 * k + 1] + pressure));
    worst = fmax(worst, fmax(fabs(stress[3 * k]), fabs(stress[3 * k + 2])));
  }
  for (int k = 0; k < d.record->n_contacts; k++) {
    double t[2];
    duet_traction(&d, k, t);
    worst_p = fmax(worst_p, fmax(fabs(t[0] - pressure), fabs(t[1])));
  }
  /* single percussions are less certain than stresses: a stiff and finer second side resists little what alternates from node to node */
  const double bound_p = c->stiffer > 1.0 ? 1e-11 : 1e-12;
  ck_assert_msg(worst <= 1e-12 * pressure && worst_p <= bound_p * pressure,
                "element %d, %d:%d: stress is off by %.3g, traction by %.3g", c->element, c->below, c->above,
                worst, worst_p);
  prc_delete(&stress);
  prc_delete(&out);
  prc_delete(&energy);
  duet_free(&d);
}

START_TEST(a_constant_pressure_passes) {
  static const int element[] = {2, 3, 9, 16}, pair[][2] = {{3, 3}, {3, 2}, {2, 3}, {7, 5}, {5, 7}, {1, 1}, {1, 6}, {6, 1}};
  for (size_t e = 0; e < sizeof element / sizeof *element; e++)
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++)
      for (int m = 0; m < 2; m++) {
        const patch_case c = {element[e], pair[k][0], pair[k][1], m ? 10.0 : 1.0, 0.0};
        check_patch(&c);
      }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("interfaces");
  TCase *patches = tcase_create("patches");
  tcase_add_test(patches, a_constant_pressure_passes);
  suite_add_tcase(suite, patches);
  return support_run(suite);
}

/* A mesh of one's own: a bar of squares made in arrays, without a file, held at one end and vibrating along its axis; against the closed form.
 *
 *   cc -std=c17 own_mesh.c $(pkg-config --cflags --libs percuss) -lm -o own_mesh && ./own_mesh
 *
 * Without Poisson's ratio nothing moves across the axis, and sin(k x) with k = pi / (2 L) is a mode of the mesh, whose cells are of length d:
 * omega^2 = (6 E / (rho d^2)) (1 - cos(k d)) / (2 + cos(k d)), towards (k^2 E / rho) as d goes to zero. theta = 1/2 turns it by 2 atan(omega h / 2) in
 * each step, exactly. */
#include <percuss/fem/fem.h>
#include <percuss/step/step.h>

#include <math.h>
#include <stdio.h>

enum { NX = 24, NY = 2, NODES = (NX + 1) * (NY + 1), STEPS = 500 };
static const double length = 1.2, young = 2e5, density = 8e-3, h = 1e-5, pi = 3.14159265358979323846;

static int node(int i, int j) {
  return j * (NX + 1) + i;
}

/* Nodes, squares anticlockwise, and the sides of the end that is held. Indices of nodes stay what they are here. */
static prc_status make_mesh(prc_mesh **mesh, prc_error *err) {
  double x[2 * NODES];
  int square[NX * NY][4], left[NY][2];
  for (int j = 0; j <= NY; j++)
    for (int i = 0; i <= NX; i++) x[2 * node(i, j)] = length * i / NX, x[2 * node(i, j) + 1] = 0.1 * j / NY;
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) {
      const int corners[4] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
      for (int k = 0; k < 4; k++) square[j * NX + i][k] = corners[k];
    }
  for (int j = 0; j < NY; j++) left[j][0] = node(0, j + 1), left[j][1] = node(0, j);
  const prc_mesh_list list[] = {{"bar", 3, NX * NY, square[0]},
                                {"left", 1, NY, left[0]}}; /* Gmsh's types: 4-node square, side */
  return prc_mesh_create(&(prc_mesh_arrays){.n_nodes = NODES, .x = x, .n_lists = 2, .list = list}, NULL, mesh,
                         err);
}

/* The body of that mesh; model, material and support are borrowed, so they outlive it. */
static prc_status make_body(const prc_mesh *mesh, prc_fem_material *material, prc_fem_support *support,
                            prc_fem_model *model, prc_fem **fem, prc_error *err) {
  *material = (prc_fem_material){
      .group = prc_mesh_find(mesh, 2, "bar"), .young = young, .poisson = 0.0, .density = density};
  *support = (prc_fem_support){.name = "left", .group = prc_mesh_find(mesh, 1, "left"), .held = {1, 1}};
  *model = (prc_fem_model){.mesh = mesh,
                           .plane = PRC_PLANE_STRESS,
                           .thickness = 1.0,
                           .n_materials = 1,
                           .material = material,
                           .n_supports = 1,
                           .support = support};
  return prc_fem_create(model, fem, err);
}

int main(void) {
  const double k = pi / (2 * length), d = length / NX;
  const double omega = sqrt(6 * young / (density * d * d) * (1 - cos(k * d)) / (2 + cos(k * d)));
  double q[2 * NODES] = {0}, v[2 * NODES] = {0}, off = 0;
  prc_mesh *mesh = NULL;
  prc_fem_material material;
  prc_fem_support support;
  prc_fem_model model;
  prc_fem *fem = NULL;
  prc_stepper *stepper = NULL;
  prc_error err = {0};
  prc_status status = make_mesh(&mesh, &err);
  if (status == PRC_OK) status = make_body(mesh, &material, &support, &model, &fem, &err);
  for (int a = 0; a < NODES; a++)
    q[2 * a] = 1e-4 * sin(k * length * (a % (NX + 1)) / NX); /* displacements in x */
  const prc_step_options options = prc_step_options_default(h);
  if (status == PRC_OK) status = prc_stepper_create(prc_fem_system(fem), &options, &stepper, &err);
  if (status == PRC_OK) status = prc_stepper_start(stepper, q, v, &err);
  for (int step = 1; status == PRC_OK && step <= STEPS; step++) {
    status = prc_stepper_step(stepper, &err);
    const double turned = cos(2 * step * atan(0.5 * omega * h));
    for (int i = 0; i < 2 * NODES; i++)
      off = fmax(off, fabs(prc_stepper_record(stepper)->q[i] - q[i] * turned) / 1e-4);
  }
  if (status == PRC_OK) {
    printf("omega of the mesh %.6g, of the bar %.6g\n", omega, k * sqrt(young / density));
    printf("largest error of all nodes over %d steps: %.2g of the amplitude\n", STEPS, off);
  } else
    fprintf(stderr, "%s\n", err.message);
  prc_stepper_free(&stepper);
  prc_fem_free(&fem);
  prc_mesh_free(&mesh);
  return status != PRC_OK || !(off < 1e-9);
}

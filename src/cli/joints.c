#include "config.h"
#include "cli/cli.h"
#include "cli/columns.h"

#include <math.h>

/* Joints and springs in forces.csv and in what `check` says. */

enum { IN_PLANE = 4, IN_SPACE = 7, OF_SPRING = 4 };

static int of_joints(const prc_case *c) {
  return c->model.dimension == 3 ? IN_SPACE : IN_PLANE;
}

prc_status cli_joints_header(const prc_case *c, prc_bytes *line, prc_error *err) {
  prc_status status = PRC_OK;
  const cli_column *of_joint = c->model.dimension == 3 ? cli_space_joint_sums : cli_joint_sums;
  for (int j = 0; j < c->n_joints; j++)
    prc_try(cli_columns_add(of_joint, c->joint[j].name, 0, NULL, line, err));
  for (int k = 0; k < c->n_springs; k++)
    prc_try(cli_columns_add(cli_spring_sums, c->spring[k].name, 0, NULL, line, err));
done:
  return status;
}

size_t cli_joints_columns(const prc_case *c) {
  return (size_t)of_joints(c) * (size_t)c->n_joints + OF_SPRING * (size_t)c->n_springs;
}

/* Means over the step of what it does to the second of the two it is between; at the start there is no step yet. */
static void joint_row(const cli_run_state *run, const prc_step_record *r, int k, double *out) {
  prc_view_joint now;
  prc_view_joint_now(run->model->scene, run->model->joint_of[k], r->q, r->joint_g, r->joint_force, &now);
  const double plane[] = {now.force[0], now.force[1], now.moment[2]};
  const double space[] = {now.force[0],  now.force[1],  now.force[2],
                          now.moment[0], now.moment[1], now.moment[2]};
  const int n = of_joints(run->c) - 1;
  for (int i = 0; i < n; i++) out[i] = r->step > 0 ? (n == 3 ? plane : space)[i] / r->h : 0.0;
  out[n] = now.gap;
}

/* At the time of the row. power: of the spring and the damper, given to what it is between. */
static void spring_row(const cli_run_state *run, const prc_step_record *r, int k, double *out) {
  int own;
  const prc_body *body = prc_view_spring_of(run->model->scene, k, &own);
  prc_view_spring now;
  body->kind->view->spring(body->self, own, r->q + body->first_coordinate, r->v + body->first_dof, &now);
  out[0] = now.elongation, out[1] = now.elastic, out[2] = now.viscous;
  out[3] = -(now.elastic + now.viscous) * now.rate;
}

void cli_joints_row(const cli_run_state *run, const prc_step_record *r, double *out) {
  for (int j = 0; j < run->c->n_joints; j++) joint_row(run, r, j, out + of_joints(run->c) * j);
  out += of_joints(run->c) * run->c->n_joints;
  for (int s = 0; s < run->c->n_springs; s++) spring_row(run, r, s, out + OF_SPRING * s);
}

/* ---- joints.csv --------------------------------------------------------------------------------------------- */

static double at(const double *values, int i) {
  return values ? values[i] : 0.0;
}

static prc_status write_row(cli_run_state *run, const prc_step_record *r, int k, int row, int i,
                            prc_error *err) {
  const int has_levels = prc_stepper_levels(run->stepper) != 0;
  const double *const *level = r->joint_level;
  const prc_output_value values[] = {
      {.number = r->step},
      {.number = r->t},
      {.text = run->c->joint[k].name},
      {.number = row + 1},
      {.number = at(r->joint_g, i)},
      {.number = at(has_levels ? level[PRC_LEVEL_VELOCITY] : r->joint_force, i)},
      {.number = at(level[PRC_LEVEL_POSITION], i)},
      {.number = at(level[PRC_LEVEL_ACCELERATION], i)}};
  return prc_output_csv_values(run->joints, has_levels ? 8 : 6, values, err);
}

prc_status cli_joints_write(cli_run_state *run, const prc_step_record *r, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < run->c->n_joints; k++) {
    int first;
    const int n = prc_view_joint_rows(run->model->scene, run->model->joint_of[k], &first);
    for (int i = first; i < first + n; i++) prc_try(write_row(run, r, k, i - first, i, err));
  }
done:
  return status;
}

/* ---- what `check` says ---------------------------------------------------------------------------------- */

static void print_joint(int dimension, const prc_case_joint *joint, const prc_view_joint *now) {
  char at[128] = "";
  for (int k = 0; k < dimension; k++) prc_append(at, sizeof at, "%s%g", k > 0 ? ", " : "", now->x[k]);
  cli_print(stdout, "joint     '%s': %s, of '%s' and '%s', at (%s), %d equation%s%s\n", joint->name,
            prc_case_joint_type(dimension, joint->type), joint->between[0], joint->between[1], at,
            now->n_rows, now->n_rows > 1 ? "s" : "", joint->value_given ? ", one prescribed" : "");
}

static void print_spring(const prc_case_spring *spring, const prc_view_spring *now) {
  cli_print(stdout,
            "spring    '%s': of '%s' and '%s', stiffness %g, damping %g, length %g, without force %g\n",
            spring->name, spring->between[0], spring->between[1], spring->stiffness, spring->damping,
            now->length, now->length - now->elongation);
}

/* Of very many the first, and how many others there are. */
prc_status cli_print_joints(const cli_run_state *run, prc_error *err) {
  enum { TOLD = 100 };
  const prc_case *c = run->c;
  const prc_system *system = run->model->system;
  prc_status status = PRC_OK;
  double *q = NULL, *v = NULL;
  int own;
  prc_try(prc_new(&q, prc_system_coordinates(system), err));
  prc_try(prc_new(&v, system->space.nv, err));
  prc_scene_initial(run->model->scene, q, v);
  for (int k = 0; k < c->n_joints && k < TOLD; k++) {
    prc_view_joint now;
    prc_view_joint_now(run->model->scene, run->model->joint_of[k], q, NULL, NULL, &now);
    print_joint(c->model.dimension, &c->joint[k], &now);
  }
  if (c->n_joints > TOLD) printf("          ... and %d other joints\n", c->n_joints - TOLD);
  for (int k = 0; k < c->n_springs && k < TOLD; k++) {
    const prc_body *body = prc_view_spring_of(run->model->scene, k, &own);
    prc_view_spring now;
    body->kind->view->spring(body->self, own, q + body->first_coordinate, v + body->first_dof, &now);
    print_spring(&c->spring[k], &now);
  }
  if (c->n_springs > TOLD) printf("          ... and %d other springs\n", c->n_springs - TOLD);
done:
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

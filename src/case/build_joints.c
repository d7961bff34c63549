#include "config.h"
#include "case/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Joints and springs of a case, into those of the rigid bodies. */

/* Where point r of a body, in its own axes, is at the start; of an obstacle its axes begin where it turns. r NULL: the centre of mass. */
static void place_of(const prc_builder *b, int index, const double *r, double x[2]) {
  const prc_rigid_body *body = index < 0 ? NULL : &b->parts->body[index];
  const double c = body ? cos(body->angle) : 1.0, s = body ? sin(body->angle) : 0.0;
  const double zero[2] = {0.0, 0.0};
  if (!r) r = zero;
  x[0] = (body ? body->position[0] : 0.0) + (c * r[0] - s * r[1]);
  x[1] = (body ? body->position[1] : 0.0) + (s * r[0] + c * r[1]);
}

static void place_ends(const prc_builder *b, const int index[2], int n, const double *point,
                       double at[2][2]) {
  for (int k = 0; k < 2; k++) place_of(b, index[k], n > 0 ? point + 2 * k : NULL, at[k]);
}

/* An angle has no place of its own: that of a body, for pictures. */
static void place_joint(const prc_builder *b, const prc_case_joint *from, prc_rigid_joint *to) {
  const int body = from->index[1] >= 0 ? from->index[1] : from->index[0];
  if (from->type == PRC_JOINT_DISTANCE || from->n_points > 0)
    place_ends(b, from->index, from->n_points, from->point, to->at);
  else if (from->at_given)
    for (int k = 0; k < 2; k++) memcpy(to->at[k], from->at, sizeof to->at[k]);
  else
    for (int k = 0; k < 2; k++) place_of(b, body, NULL, to->at[k]);
}

prc_status prc_build_joints(const prc_builder *b) {
  prc_status status = PRC_OK;
  const prc_case *c = b->c;
  struct prc_model_parts *parts = b->parts;
  prc_try(prc_new(&parts->joint, c->n_joints, b->err));
  prc_try(prc_new(&parts->spring, c->n_springs, b->err));
  for (int i = 0; i < c->n_joints; i++) {
    const prc_case_joint *from = &c->joint[i];
    if (from->beam[0] >= 0 || from->beam[1] >= 0) continue;
    prc_rigid_joint *to = &parts->joint[parts->rigid.n_joints++];
    *to = (prc_rigid_joint){.name = from->name,
                            .type = (prc_joint_type)from->type,
                            .body = {from->index[0], from->index[1]},
                            .axis = {from->axis[0], from->axis[1]},
                            .length = from->length > 0.0 ? from->length : NAN,
                            .radius = from->radius,
                            .has_value = from->value_given,
                            .value = from->value};
    place_joint(b, from, to);
  }
  for (int i = 0; i < c->n_springs; i++) {
    const prc_case_spring *from = &c->spring[i];
    prc_rigid_spring *to = &parts->spring[i];
    *to = (prc_rigid_spring){.name = from->name,
                             .body = {from->index[0], from->index[1]},
                             .stiffness = from->stiffness,
                             .damping = from->damping,
                             .rest_length = from->rest_length};
    place_ends(b, from->index, from->n_points, from->point, to->at);
  }
  parts->rigid.n_springs = c->n_springs;
  parts->rigid.joint = parts->joint, parts->rigid.spring = parts->spring;
done:
  return status;
}

/* The key that a message is about; the joint itself where it is none of these. */
static prc_case_place place_in(const prc_case *c, const prc_case_joint *joint, const char *message) {
  static const char *const about[][2] = {
      {"its prescribed value", "value"}, {"its length", "length"}, {"its two points", "points"}};
  for (size_t k = 0; k < sizeof about / sizeof *about; k++)
    if (strstr(message, about[k][0]) && prc_case_is_given(c, "joints.%s.%s", joint->name, about[k][1]))
      return prc_case_place_of(c, "joints.%s.%s", joint->name, about[k][1]);
  return joint->place;
}

/* Where the message names it first; NULL: nowhere. */
static const char *mentioned(const char *message, const char *what, const char *name) {
  char raw[512], text[1024];
  snprintf(raw, sizeof raw, "%s '%s'", what, name);
  prc_escape(raw, text, sizeof text);
  return strstr(message, text);
}

/* Of several the one that is named first. A message that has a place already keeps it. */
static void place_linked(const prc_case *c, prc_status status, prc_error *err) {
  const char *first = NULL;
  prc_case_place at = {0};
  for (int i = 0; i < c->n_joints; i++) {
    const char *here = mentioned(err->message, "joint", c->joint[i].name);
    if (!here || (first && first <= here)) continue;
    first = here, at = place_in(c, &c->joint[i], err->message);
  }
  for (int i = 0; i < c->n_springs && !first; i++) {
    first = mentioned(err->message, "spring", c->spring[i].name);
    if (first) at = c->spring[i].place;
  }
  if (first) prc_build_add_context(c, &at, status, err);
}

prc_status prc_build_place_joint(const prc_case *c, prc_status status, prc_error *err) {
  if (status != PRC_OK && err) place_linked(c, status, err);
  return status;
}

#include "config.h"
#include "scene/spread.h"
#include "scene/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* View of rigid bodies in space for output and commands. Obstacles stand behind them in the family, with a
 * noun of their own. */

static const prc_spatial_body *body_of(const void *self, int item) {
  return &prc_spatial_get_model(self)->body[item];
}

static int tracked(const void *self) {
  const prc_spatial_model *model = prc_spatial_get_model(self);
  int n = 0;
  while (n < model->n_bodies && !model->body[n].noun) n++;
  return n;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

static void describe_shape(const prc_spatial_body *body, const prc_text *to) {
  const prc_solid *part = body->part;
  if (!part || body->n_parts == 0) return;
  if (body->n_parts > 1)
    prc_text_print(to, ", %d parts", body->n_parts);
  else if (part->n_faces > 1)
    prc_text_print(to, ", a polyhedron of %d corners and %d faces", part->n, part->n_faces);
  else if (part->n == 1)
    prc_text_print(to, ", a sphere of radius %g", part->radius);
  else
    prc_text_print(to, ", a %s of length %g and radius %g", part->face_normal ? "cylinder" : "capsule",
                   hypot(hypot(part->corner[3] - part->corner[0], part->corner[4] - part->corner[1]),
                         part->corner[5] - part->corner[2]),
                   part->radius);
}

static void describe_one(const prc_spatial_body *body, const prc_text *to) {
  const double *x = body->position, *q = body->orientation, *v = body->velocity, *w = body->spin,
               *J = body->inertia;
  prc_text_print(to, "body      '%s': mass %.9g, centre of mass (%g, %g, %g)", body->name, body->mass, x[0],
                 x[1], x[2]);
  if (body->turns) {
    const double angle = 2.0 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), fabs(q[0]));
    prc_text_print(to, ", quaternion (%g, %g, %g, %g)", q[0], q[1], q[2], q[3]);
    if (angle > 0.0) prc_text_print(to, ", turned by %.4g degrees", angle * 180.0 / acos(-1.0));
    prc_text_print(to, "\n");
  } else {
    prc_text_print(to, ", without rotation\n");
  }
  if (body->turns && !body->driven)
    prc_text_print(to, "          inertia xx %.9g, yy %.9g, zz %.9g, xy %.9g, xz %.9g, yz %.9g\n", J[0], J[1],
                   J[2], J[3], J[4], J[5]);
  if (body->driven)
    prc_text_print(to, "          driven");
  else
    prc_text_print(to, "          velocity (%g, %g, %g), spin (%g, %g, %g)", v[0], v[1], v[2], w[0], w[1],
                   w[2]);
  describe_shape(body, to);
  prc_text_print(to, "\n");
}

static void add_to(prc_spread *s, const prc_spatial_body *body) {
  const int one = body->n_parts == 1;
  prc_spread_add(s, 3, body->mass, body->position, body->n_parts);
  if (one && body->part->n == 1) prc_spread_shape(s, 0, body->part->radius);
  if (one && body->part->n_faces > 1) prc_spread_shape(s, 1, body->part->n);
}

static const prc_spread_words words_of = {{"sphere", "polyhedron"}, {"spheres", "polyhedra"}};

/* Some lines a body, or a set; of very many that stand alone the first, and what the others are. */
static void describe(const void *self, const prc_view_words *words, const prc_text *to) {
  enum { TOLD = 100 };
  prc_spread all = prc_spread_none, others = prc_spread_none;
  int told = 0;
  (void)words;
  for (int b = 0, n = tracked(self); b < n;) {
    const char *set = body_of(self, b)->set;
    prc_spread s = prc_spread_none;
    do {
      const prc_spatial_body *body = body_of(self, b++);
      if (set)
        add_to(&s, body);
      else if (told++ < TOLD)
        describe_one(body, to);
      else
        add_to(&others, body);
      add_to(&all, body);
    } while (b < n && set && body_of(self, b)->set == set);
    if (set) prc_spread_describe(&s, 3, set, &words_of, to);
  }
  if (others.n > 0) prc_spread_describe(&others, 3, "... others", &words_of, to);
  if (all.n > 1) prc_spread_sum(&all, 3, to);
}

static int sizes(const void *self, prc_view_size size[PRC_VIEW_SIZES]) {
  size[0] = (prc_view_size){"bodies", tracked(self)};
  return size[0].value > 0;
}

/* w of the quaternions of bodies that turn stand behind all dofs. */
static void dofs(const void *self, int item, int own[3]) {
  const prc_spatial_model *model = prc_spatial_get_model(self);
  const int turns = model->body[item].turns != 0, nv = prc_spatial_system(self)->space.nv;
  own[0] = prc_spatial_first_dof(self, item), own[1] = turns ? 6 : 3, own[2] = -1;
  if (turns) own[2] = nv + prc_spatial_turn(self, item);
}

static const char *item_name(const void *self, int item) {
  return body_of(self, item)->name;
}

static void point_name(const void *self, int item, int feature, char *text, size_t size) {
  static const char *const what[] = {"corner", "edge", "face", "rim"};
  const prc_spatial_body *body = body_of(self, item);
  const uint32_t of = (uint32_t)feature, kind = PRC_SOLID_KIND(of) >> 24;
  const char *noun = body->noun ? body->noun : "body";
  if (body->n_parts == 1 && body->part->n < 2) /* a sphere, a half-space: all there is */
    snprintf(text, size, "%s '%.80s'", noun, body->name);
  else
    snprintf(text, size, "%s %u of %s '%.80s'", what[kind < 4 ? kind : 0], PRC_SOLID_NUMBER(of) + 1, noun,
             body->name);
}

static double point_number(const void *self, int item, int feature) {
  (void)self, (void)item;
  return PRC_SOLID_NUMBER((uint32_t)feature) + 1;
}

static double part_number(const void *self, uint32_t surface) {
  int part;
  (void)prc_spatial_body_of(self, surface, &part);
  return part + 1;
}

static void motion(const void *self, int item, const double *q, const double *v,
                   double row[PRC_VIEW_MOTION]) {
  const prc_spatial_motion now = prc_spatial_motion_of(self, q, v, item);
  memcpy(row, now.position, sizeof now.position);
  memcpy(row + 3, now.orientation, sizeof now.orientation);
  memcpy(row + 7, now.velocity, sizeof now.velocity);
  memcpy(row + 10, now.spin, sizeof now.spin);
}

/* ---- joints and springs ---------------------------------------------------------------------------------- */

static int joints(const void *self) {
  return prc_spatial_get_model(self)->n_joints;
}

static int joint_first(const void *self, int k) {
  return prc_spatial_joint_first(self, k);
}

static void joint(const void *self, int k, const double *q, const double *g, const double *rows,
                  prc_view_joint *out) {
  const int first = prc_spatial_joint_first(self, k), end = prc_spatial_joint_first(self, k + 1);
  double x[2][3];
  *out = (prc_view_joint){.n_rows = end - first};
  prc_spatial_joint_place(self, k, q, x);
  memcpy(out->x, x[1], sizeof out->x);
  if (rows) prc_spatial_joint_force(self, k, q, rows, out->force, out->moment);
  for (int i = first; g && i < end; i++) out->gap = fmax(out->gap, fabs(g[i]));
}

static int springs(const void *self) {
  return prc_spatial_get_model(self)->n_springs;
}

static void spring(const void *self, int k, const double *q, const double *v, prc_view_spring *out) {
  const prc_spatial_spring_state now = prc_spatial_spring_now(self, k, q, v);
  *out = (prc_view_spring){now.length, now.length - now.rest_length, now.rate, now.elastic, now.viscous};
}

const prc_body_view prc_body_view_spatial = {.one = "point",
                                             .many = "points",
                                             .tangential_restitution = 1,
                                             .describe = describe,
                                             .sizes = sizes,
                                             .item_name = item_name,
                                             .point_name = point_name,
                                             .point_number = point_number,
                                             .part_number = part_number,
                                             .dofs = dofs,
                                             .tracked = tracked,
                                             .motion = motion,
                                             .joints = joints,
                                             .joint_first = joint_first,
                                             .joint = joint,
                                             .springs = springs,
                                             .spring = spring,
                                             .energies = prc_spatial_view_energies,
                                             .fields = prc_spatial_view_fields,
                                             .update = prc_spatial_view_update};

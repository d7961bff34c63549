/* The scenes of space_scene.py by ODE: spheres, boxes and planes, dWorldQuickStep (projected sweeps with relaxation), friction by pyramids.
 *
 *   space_ode SCENE OUT [steps=N] [warm=N] [iterations=20] [settle=0] [erp=] [cfm=] */
#include "space_scene.h"

#include <ode/ode.h>

enum { POINTS = 16, EACH = 24 };
typedef struct {
  int a, b;
  double x[3], n[3], gap; /* n: from b to a, as ODE has it */
  dJointFeedback force;
} contact;
typedef struct {
  const space_scene *scene;
  dWorldID world;
  dSpaceID space;
  dJointGroupID joints;
  dBodyID *body;
  contact *contact;
  int n, room;
} run;

static void touch(void *data, dGeomID one, dGeomID two) {
  run *r = data;
  dContactGeom found[POINTS];
  const dBodyID body_one = dGeomGetBody(one), body_two = dGeomGetBody(two);
  if (!body_one && !body_two) return;
  const int n = dCollide(one, two, POINTS, found, sizeof *found);
  for (int k = 0; k < n && r->n < r->room; k++) {
    contact *c = &r->contact[r->n++];
    dContact joint = {.geom = found[k]};
    joint.surface.mode = dContactApprox1;
    joint.surface.mu = r->scene->friction;
    c->a = body_one ? (int)(intptr_t)dBodyGetData(body_one) : -1;
    c->b = body_two ? (int)(intptr_t)dBodyGetData(body_two) : -1;
    c->gap = -found[k].depth;
    for (int i = 0; i < 3; i++) c->x[i] = found[k].pos[i], c->n[i] = found[k].normal[i];
    const dJointID id = dJointCreateContact(r->world, r->joints, &joint);
    dJointAttach(id, body_one, body_two);
    dJointSetFeedback(id, &c->force);
  }
}

static void build(run *r) {
  const space_scene *s = r->scene;
  dWorldSetGravity(r->world, s->gravity[0], s->gravity[1], s->gravity[2]);
  for (int k = 0; k < s->n_planes; k++) {
    const double *p = s->plane[k];
    dCreatePlane(r->space, p[3], p[4], p[5], p[0] * p[3] + p[1] * p[4] + p[2] * p[5]);
  }
  for (int b = 0; b < s->n_bodies; b++) {
    const space_body *one = &s->body[b];
    const space_state *at = &one->start;
    const dBodyID body = r->body[b] = dBodyCreate(r->world);
    const dQuaternion turned = {at->q[0], at->q[1], at->q[2], at->q[3]};
    dMass mass;
    dMassSetParameters(&mass, one->mass, 0, 0, 0, one->inertia[0], one->inertia[1], one->inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetQuaternion(body, turned);
    dBodySetPosition(body, at->x[0], at->x[1], at->x[2]);
    dBodySetLinearVel(body, at->v[0], at->v[1], at->v[2]);
    dBodySetAngularVel(body, at->w[0], at->w[1], at->w[2]);
    dBodySetData(body, (void *)(intptr_t)b);
    dGeomSetBody(one->radius > 0.0 ? dCreateSphere(r->space, one->radius)
                                   : dCreateBox(r->space, one->edge[0], one->edge[1], one->edge[2]),
                 body);
  }
}

static void states(const run *r, space_state *state) {
  for (int b = 0; b < r->scene->n_bodies; b++) {
    const dReal *x = dBodyGetPosition(r->body[b]), *q = dBodyGetQuaternion(r->body[b]),
                *v = dBodyGetLinearVel(r->body[b]), *w = dBodyGetAngularVel(r->body[b]);
    for (int k = 0; k < 4; k++) state[b].q[k] = q[k];
    for (int k = 0; k < 3; k++) state[b].x[k] = x[k], state[b].v[k] = v[k], state[b].w[k] = w[k];
  }
}

/* Forces act on body a, along n and against b; the law of ODE pushes out the part erp of an overlap in a step. */
static void write_contacts(const run *r, double erp, FILE *out) {
  const double h = r->scene->h;
  for (int k = 0; k < r->n; k++) {
    const contact *c = &r->contact[k];
    const dReal *f = c->a >= 0 ? c->force.f1 : c->force.f2;
    const double sign = c->a >= 0 ? h : -h, p[3] = {sign * f[0], sign * f[1], sign * f[2]};
    space_write_contact(out, c->b, c->a, c->x, c->n, c->gap, p, c->gap < 0.0 ? erp * c->gap / h : 0.0);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const double resident = bench_resident();
  const int settle = (int)bench_option(argc, argv, "settle", 0),
            iterations = (int)bench_option(argc, argv, "iterations", 20);
  run r = {.scene = space_read(argv[1])};
  const space_scene *s = r.scene;
  const size_t n = (size_t)s->n_bodies;
  const int steps = (int)bench_option(argc, argv, "steps", settle ? s->settle : s->timed),
            warm = settle ? 0 : (int)bench_option(argc, argv, "warm", 10);
  space_state *before = calloc(n, sizeof *before), *after = calloc(n, sizeof *after);
  dInitODE2(0);
  r.world = dWorldCreate(), r.space = dHashSpaceCreate(0), r.joints = dJointGroupCreate(0);
  r.room = EACH * s->n_bodies, r.body = calloc(n, sizeof *r.body),
  r.contact = calloc((size_t)r.room, sizeof *r.contact);
  dWorldSetQuickStepNumIterations(r.world, iterations);
  dWorldSetERP(r.world, bench_option(argc, argv, "erp", dWorldGetERP(r.world)));
  dWorldSetCFM(r.world, bench_option(argc, argv, "cfm", dWorldGetCFM(r.world)));
  build(&r);
  double seconds = 0.0, sum = 0.0;
  for (int k = 0; k < warm + steps; k++) {
    states(&r, before);
    const double began = bench_clock();
    r.n = 0;
    dSpaceCollide(r.space, &r, touch);
    dWorldQuickStep(r.world, s->h);
    dJointGroupEmpty(r.joints);
    if (k >= warm) seconds += bench_clock() - began, sum += r.n;
  }
  states(&r, after);
  if (settle) {
    space_write_settled(argv[1], argv[2], s->n_bodies, after);
    return 0;
  }
  FILE *out = fopen(argv[2], "w");
  if (!out) return 1;
  space_write_bodies(out, s->n_bodies, before, after);
  write_contacts(&r, dWorldGetERP(r.world), out);
  fprintf(out,
          "result {\"seconds\": %.9g, \"steps\": %d, \"contacts\": %.1f, \"bytes\": %.0f, \"settings\": "
          "\"QuickStep, %d iterations, erp %g, cfm %g\"}\n",
          seconds, steps, sum / steps, bench_peak() - resident, iterations, dWorldGetERP(r.world),
          dWorldGetCFM(r.world));
  return fclose(out) != 0;
}

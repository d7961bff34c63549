/* The scenes of bench-bodies by ODE: spheres, planes, boxes and prisms, dWorldQuickStep (projected sweeps with relaxation). They stay in
 * the plane by themselves: no force leads out of it, friction acts in it, and inertias about its axes are huge; so no joint is spent on
 * that. Of the points that two boxes share only those on the upper side count, which leaves the ends of the common edge. What ODE has
 * for two convex hulls sends the silo flying; it is replaced by separating axes in the plane.
 *
 *   bodies_ode SCENE OUT [steps=N] [warm=N] [iterations=20] [settle=0] [erp=] [cfm=] */
#include "bodies_scene.h"

#include <ode/ode.h>

enum { POINTS = 16 };
typedef struct {
  int a, b;
  double x[2], n[2], gap; /* n: from b to a, as ODE has it */
  dJointFeedback force;
} contact;
typedef struct {
  const bench_scene *scene;
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
  const int flat = dGeomGetClass(one) != dSphereClass && dGeomGetClass(two) != dSphereClass;
  const int n = dCollide(one, two, POINTS, found, sizeof *found);
  for (int k = 0; k < n; k++) {
    if (r->n == r->room || (flat && found[k].pos[2] < 0.0)) continue;
    contact *c = &r->contact[r->n];
    dContact joint = {.geom = found[k]};
    joint.surface.mode = dContactApprox1 | dContactMu2 | dContactFDir1;
    joint.surface.mu = r->scene->friction;
    joint.fdir1[0] = -found[k].normal[1], joint.fdir1[1] = found[k].normal[0];
    c->a = body_one ? (int)(intptr_t)dBodyGetData(body_one) : -1,
    c->b = body_two ? (int)(intptr_t)dBodyGetData(body_two) : -1;
    c->gap = -found[k].depth;
    for (int i = 0; i < 2; i++) c->x[i] = found[k].pos[i], c->n[i] = found[k].normal[i];
    const dJointID id = dJointCreateContact(r->world, r->joints, &joint);
    dJointAttach(id, body_one, body_two);
    dJointSetFeedback(id, &c->force);
    r->n++;
  }
}

/* The outline of a prism as it stands. */
typedef struct {
  int n;
  const double *corner;
} outline;
enum { CORNERS = 64 };
static int place_outline(dGeomID geom, double (*x)[2]) {
  const outline *o = dGeomGetData(geom);
  const dReal *at = dGeomGetPosition(geom), *turned = dGeomGetRotation(geom);
  for (int k = 0; k < o->n; k++)
    for (int i = 0; i < 2; i++)
      x[k][i] = at[i] + turned[4 * i] * o->corner[2 * k] + turned[4 * i + 1] * o->corner[2 * k + 1];
  return o->n;
}

/* The edge of one with the largest least distance of the other's corners, which is returned; n: out of that edge. */
static double separation(int n_a, double (*a)[2], int n_b, double (*b)[2], int *edge, double n[2]) {
  double most = -INFINITY;
  for (int k = 0; k < n_a && most < 0.0; k++) {
    const double *p = a[k], *q = a[(k + 1) % n_a], d[2] = {q[0] - p[0], q[1] - p[1]},
                 length = hypot(d[0], d[1]);
    const double out[2] = {d[1] / length, -d[0] / length};
    double least = INFINITY;
    for (int j = 0; j < n_b; j++) least = fmin(least, (b[j][0] - p[0]) * out[0] + (b[j][1] - p[1]) * out[1]);
    if (least > most) most = least, *edge = k, n[0] = out[0], n[1] = out[1];
  }
  return most;
}

/* The ends of the other's edge that faces `edge` most, cut to the ends of `edge`; those that are inside. sign: of ODE's normal. */
static int common_edge(double (*a)[2], int n_a, int edge, const double n[2], double (*b)[2], int n_b,
                       double sign, dContactGeom *out) {
  int facing = 0, found = 0;
  double least = INFINITY;
  for (int j = 0; j < n_b; j++) {
    const double *p = b[j], *q = b[(j + 1) % n_b];
    const double cosine = ((q[1] - p[1]) * n[0] - (q[0] - p[0]) * n[1]) / hypot(q[0] - p[0], q[1] - p[1]);
    if (cosine < least) least = cosine, facing = j;
  }
  const double *start = a[edge], *stop = a[(edge + 1) % n_a], t[2] = {-n[1], n[0]};
  const double from = 0.0, to = (stop[0] - start[0]) * t[0] + (stop[1] - start[1]) * t[1];
  for (int end = 0; end < 2; end++) {
    const double *p = b[(facing + end) % n_b], *q = b[(facing + 1 - end) % n_b];
    double along = (p[0] - start[0]) * t[0] + (p[1] - start[1]) * t[1],
           deep = (p[0] - start[0]) * n[0] + (p[1] - start[1]) * n[1];
    const double other = (q[0] - start[0]) * t[0] + (q[1] - start[1]) * t[1],
                 there = (q[0] - start[0]) * n[0] + (q[1] - start[1]) * n[1];
    const double cut = fmin(fmax(along, from), to);
    if (cut != along && fmin(fmax(other, from), to) == cut) continue; /* both are off the same end */
    if (cut != along) deep += (cut - along) * (there - deep) / (other - along), along = cut;
    if (deep >= 0.0) continue;
    dContactGeom *c = &out[found++];
    for (int i = 0; i < 2; i++)
      c->pos[i] = start[i] + along * t[i] + 0.5 * deep * n[i], c->normal[i] = sign * n[i];
    c->pos[2] = c->normal[2] = 0.0, c->depth = -deep, c->side1 = c->side2 = -1;
  }
  return found;
}

static int prisms(dGeomID one, dGeomID two, int flags, dContactGeom *out, int skip) {
  double a[CORNERS][2], b[CORNERS][2], n[2][2] = {{0.0}};
  int edge[2] = {0, 0};
  (void)flags, (void)skip;
  const int n_a = place_outline(one, a), n_b = place_outline(two, b);
  const double of_a = separation(n_a, a, n_b, b, &edge[0], n[0]);
  if (of_a >= 0.0) return 0;
  const double of_b = separation(n_b, b, n_a, a, &edge[1], n[1]);
  if (of_b >= 0.0) return 0;
  const int found = of_a >= of_b ? common_edge(a, n_a, edge[0], n[0], b, n_b, -1.0, out)
                                 : common_edge(b, n_b, edge[1], n[1], a, n_a, 1.0, out);
  for (int k = 0; k < found; k++) out[k].g1 = one, out[k].g2 = two;
  return found;
}

static dGeomID prism(dSpaceID space, int n, const double *corner) {
  const int faces = n + 2;
  dReal *plane = malloc(4 * (size_t)faces * sizeof *plane), *point = malloc(6 * (size_t)n * sizeof *point);
  unsigned *list = malloc((size_t)(5 * n + 2 * (n + 1)) * sizeof *list), *o = list;
  for (int k = 0; k < n; k++) { /* corners k below and n + k above */
    const int next = (k + 1) % n;
    const double *p = corner + 2 * k, *q = corner + 2 * next, length = hypot(q[0] - p[0], q[1] - p[1]);
    for (int side = 0; side < 2; side++)
      point[3 * (k + side * n)] = p[0], point[3 * (k + side * n) + 1] = p[1],
                            point[3 * (k + side * n) + 2] = side - 0.5;
    plane[4 * k] = (q[1] - p[1]) / length, plane[4 * k + 1] = (p[0] - q[0]) / length, plane[4 * k + 2] = 0.0;
    plane[4 * k + 3] = plane[4 * k] * p[0] + plane[4 * k + 1] * p[1];
    *o++ = 4, *o++ = (unsigned)k, *o++ = (unsigned)next, *o++ = (unsigned)(next + n),
    *o++ = (unsigned)(k + n);
  }
  for (int side = 0; side < 2; side++) {
    dReal *end = plane + 4 * (n + side);
    end[0] = end[1] = 0.0, end[2] = side ? 1.0 : -1.0, end[3] = 0.5;
    *o++ = (unsigned)n;
    for (int k = 0; k < n; k++) *o++ = (unsigned)(side ? n + k : n - 1 - k);
  }
  outline *shape = malloc(sizeof *shape);
  shape->n = n, shape->corner = corner;
  const dGeomID geom =
      dCreateConvex(space, plane, (unsigned)faces, point, (unsigned)(2 * n), list); /* it keeps the arrays */
  dGeomSetData(geom, shape);
  return geom;
}

static int box_of(int n, const double *c, double side[2]) {
  side[0] = c[2] - c[0], side[1] = c[5] - c[3];
  return n == 4 && c[1] == c[3] && c[2] == c[4] && c[5] == c[7] && c[6] == c[0] && c[0] == -c[2]
         && c[1] == -c[5];
}

static void build(run *r) {
  const bench_scene *s = r->scene;
  dWorldSetGravity(r->world, s->gravity[0], s->gravity[1], 0.0);
  for (int k = 0; k < s->n_planes; k++) {
    const double *p = s->plane[k];
    dCreatePlane(r->space, p[2], p[3], 0.0, p[0] * p[2] + p[1] * p[3]);
  }
  for (int k = 0; k < s->n_walls; k++) { /* ODE wants the origin inside */
    const bench_wall *wall = &s->wall[k];
    double *corner = malloc(2 * (size_t)wall->n * sizeof *corner), middle[2] = {0.0, 0.0};
    for (int i = 0; i < 2 * wall->n; i++) middle[i % 2] += wall->corner[i] / wall->n;
    for (int i = 0; i < 2 * wall->n; i++) corner[i] = wall->corner[i] - middle[i % 2];
    dGeomSetPosition(prism(r->space, wall->n, corner), middle[0], middle[1], 0.0);
  }
  for (int b = 0; b < s->n_bodies; b++) {
    const bench_body *one = &s->body[b];
    double side[2];
    const dBodyID body = r->body[b] = dBodyCreate(r->world);
    dMass mass;
    dMassSetParameters(&mass, one->mass, 0, 0, 0, 1e9 * one->inertia, 1e9 * one->inertia, one->inertia, 0, 0,
                       0);
    dBodySetMass(body, &mass);
    dMatrix3 turned;
    dRFromAxisAndAngle(turned, 0, 0, 1, one->x[2]);
    dBodySetRotation(body, turned);
    dBodySetPosition(body, one->x[0], one->x[1], 0.0);
    dBodySetLinearVel(body, one->v[0], one->v[1], 0.0);
    dBodySetAngularVel(body, 0.0, 0.0, one->v[2]);
    dBodySetGyroscopicMode(body, 0);
    dBodySetData(body, (void *)(intptr_t)b);
    const dGeomID shape = !one->n                             ? dCreateSphere(r->space, one->radius)
                          : box_of(one->n, one->corner, side) ? dCreateBox(r->space, side[0], side[1], 1.0)
                                                              : prism(r->space, one->n, one->corner);
    dGeomSetBody(shape, body);
  }
}

static void state(const run *r, double (*x)[3], double (*v)[3]) {
  for (int b = 0; b < r->scene->n_bodies; b++) {
    const dReal *turned = dBodyGetRotation(r->body[b]), *at = dBodyGetPosition(r->body[b]),
                *speed = dBodyGetLinearVel(r->body[b]);
    const double angle = atan2(turned[4], turned[0]), turn = 2.0 * 3.14159265358979323846;
    x[b][0] = at[0], x[b][1] = at[1], x[b][2] = angle + turn * round((x[b][2] - angle) / turn);
    v[b][0] = speed[0], v[b][1] = speed[1], v[b][2] = dBodyGetAngularVel(r->body[b])[2];
  }
}

/* Forces act on body a, along n and against b; the law of ODE pushes out the part erp of an overlap in a step. */
static void write_contacts(const run *r, double erp, FILE *out) {
  const double h = r->scene->h;
  for (int k = 0; k < r->n; k++) {
    const contact *c = &r->contact[k];
    const dReal *f = c->a >= 0 ? c->force.f1 : c->force.f2;
    const double sign = c->a >= 0 ? h : -h;
    bench_write_contact(out, c->b, c->a, c->x, c->n, c->gap, sign * (f[0] * c->n[0] + f[1] * c->n[1]),
                        sign * (-f[0] * c->n[1] + f[1] * c->n[0]), c->gap < 0.0 ? erp * c->gap / h : 0.0);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const double before = bench_resident();
  const int settle = (int)bench_option(argc, argv, "settle", 0),
            iterations = (int)bench_option(argc, argv, "iterations", 20);
  run r = {.scene = bench_read(argv[1], settle)};
  const bench_scene *s = r.scene;
  const size_t n = (size_t)s->n_bodies;
  const int steps = (int)bench_option(argc, argv, "steps", settle ? s->settle : s->timed),
            warm = settle ? 0 : (int)bench_option(argc, argv, "warm", 10);
  double(*x)[3] = calloc(n, sizeof *x), (*v)[3] = calloc(n, sizeof *v), (*y)[3] = calloc(n, sizeof *y),
  (*after)[3] = calloc(n, sizeof *after);
  dInitODE2(0);
  dSetColliderOverride(dConvexClass, dConvexClass, prisms);
  r.world = dWorldCreate(), r.space = dHashSpaceCreate(0), r.joints = dJointGroupCreate(0);
  r.room = 8 * s->n_bodies, r.body = calloc(n, sizeof *r.body),
  r.contact = calloc((size_t)r.room, sizeof *r.contact);
  dWorldSetQuickStepNumIterations(r.world, iterations);
  dWorldSetERP(r.world, bench_option(argc, argv, "erp", dWorldGetERP(r.world)));
  dWorldSetCFM(r.world, bench_option(argc, argv, "cfm", dWorldGetCFM(r.world)));
  build(&r);
  for (size_t b = 0; b < n; b++) y[b][2] = s->body[b].x[2];
  double seconds = 0.0, sum = 0.0;
  for (int k = 0; k < warm + steps; k++) {
    memcpy(x, y, n * sizeof *x);
    state(&r, x, v);
    const double began = bench_clock();
    r.n = 0;
    dSpaceCollide(r.space, &r, touch);
    dWorldQuickStep(r.world, s->h);
    dJointGroupEmpty(r.joints);
    if (k >= warm) seconds += bench_clock() - began, sum += r.n;
    memcpy(y, x, n * sizeof *x);
    state(&r, y, after);
  }
  if (settle) {
    bench_write_settled(argv[1], argv[2], s->n_bodies, (const double(*)[3])y, (const double(*)[3])after);
    return 0;
  }
  FILE *out = fopen(argv[2], "w");
  if (!out) return 1;
  for (size_t b = 0; b < n; b++) bench_write_body(out, x[b], v[b], after[b]);
  write_contacts(&r, dWorldGetERP(r.world), out);
  for (size_t b = 0; b < n; b++) fprintf(out, "end %.17g %.17g %.17g\n", y[b][0], y[b][1], y[b][2]);
  fprintf(out,
          "result {\"seconds\": %.9g, \"steps\": %d, \"contacts\": %.1f, \"bytes\": %.0f, \"settings\": "
          "\"QuickStep, %d iterations, erp %g, cfm %g\"}\n",
          seconds, steps, sum / steps, bench_peak() - before, iterations, dWorldGetERP(r.world),
          dWorldGetCFM(r.world));
  return fclose(out) != 0;
}

// The scenes of bench-bodies by Bullet: spheres, planes and convex shapes of its 2D algorithms, in the plane by linear and angular
// factors. As its manual begins a program, but for what keeps bodies from sleeping: sequential impulses, split impulses, warm start.
//
//   bodies_bullet SCENE OUT [steps=N] [warm=N] [iterations=10] [settle=0]
#include "bodies_scene.h"

#include <btBulletDynamicsCommon.h>
#include <BulletCollision/CollisionDispatch/btConvex2dConvex2dAlgorithm.h>
#include <BulletCollision/CollisionShapes/btConvex2dShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <vector>

namespace {

struct world {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btConvex2dConvex2dAlgorithm::CreateFunc flat{&simplex, &depth};
  std::vector<btRigidBody *> body;
};

// Bullet surrounds a hull by a margin, within which overlaps are found fast: the sides are put inside by as much, so that with it they
// are where they should be (corners are round then). A hull without thickness would let bodies through each other.
btConvexShape *polygon(int n, const double *corner) {
  const double margin = 0.04;
  auto *hull = new btConvexHullShape;
  for (int k = 0; k < n; k++) {
    const double *before = corner + 2 * ((k + n - 1) % n), *at = corner + 2 * k,
                 *after = corner + 2 * ((k + 1) % n);
    const double p[2] = {at[0] - before[0], at[1] - before[1]}, q[2] = {after[0] - at[0], after[1] - at[1]};
    const double size_p = hypot(p[0], p[1]), size_q = hypot(q[0], q[1]),
                 sine = (p[0] * q[1] - p[1] * q[0]) / (size_p * size_q);
    double x[2];
    for (int i = 0; i < 2; i++) x[i] = at[i] + margin / sine * (q[i] / size_q - p[i] / size_p);
    for (int side = -1; side <= 1; side += 2)
      hull->addPoint(btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(margin * side)), false);
  }
  hull->recalcLocalAabb();
  hull->setMargin(btScalar(margin));
  auto *shape = new btConvex2dShape(hull);
  shape->setMargin(btScalar(margin));
  return shape;
}

// mass 0: fixed. Bullet multiplies the frictions of the two.
btRigidBody *add(world &w, btCollisionShape *shape, const bench_body *b, double friction) {
  btTransform place;
  place.setIdentity();
  if (b) {
    place.setOrigin(btVector3(btScalar(b->x[0]), btScalar(b->x[1]), 0));
    place.setRotation(btQuaternion(btVector3(0, 0, 1), btScalar(b->x[2])));
  }
  btRigidBody::btRigidBodyConstructionInfo info(b ? btScalar(b->mass) : 0, nullptr, shape,
                                                b ? btVector3(0, 0, btScalar(b->inertia))
                                                  : btVector3(0, 0, 0));
  info.m_startWorldTransform = place;
  info.m_friction = btScalar(sqrt(friction));
  info.m_restitution = 0;
  auto *body = new btRigidBody(info);
  if (b) {
    body->setLinearFactor(btVector3(1, 1, 0));
    body->setAngularFactor(btVector3(0, 0, 1));
    body->setLinearVelocity(btVector3(btScalar(b->v[0]), btScalar(b->v[1]), 0));
    body->setAngularVelocity(btVector3(0, 0, btScalar(b->v[2])));
    body->setActivationState(DISABLE_DEACTIVATION);
  }
  w.dynamics.addRigidBody(body);
  return body;
}

void build(world &w, const bench_scene *s, int iterations) {
  w.dispatcher.registerCollisionCreateFunc(CONVEX_2D_SHAPE_PROXYTYPE, CONVEX_2D_SHAPE_PROXYTYPE, &w.flat);
  w.dynamics.setGravity(btVector3(btScalar(s->gravity[0]), btScalar(s->gravity[1]), 0));
  w.dynamics.getSolverInfo().m_numIterations = iterations;
  for (int k = 0; k < s->n_planes; k++) {
    const double *p = s->plane[k];
    add(w,
        new btStaticPlaneShape(btVector3(btScalar(p[2]), btScalar(p[3]), 0),
                               btScalar(p[0] * p[2] + p[1] * p[3])),
        nullptr, s->friction)
        ->setUserIndex(-1);
  }
  for (int k = 0; k < s->n_walls; k++)
    add(w, polygon(s->wall[k].n, s->wall[k].corner), nullptr, s->friction)->setUserIndex(-1);
  for (int b = 0; b < s->n_bodies; b++) {
    const bench_body *one = &s->body[b];
    btCollisionShape *shape = one->n ? static_cast<btCollisionShape *>(polygon(one->n, one->corner))
                                     : new btSphereShape(btScalar(one->radius));
    w.body.push_back(add(w, shape, one, s->friction));
    w.body.back()->setUserIndex(b);
  }
}

// where a body is; the angle goes on from `last`, as far as it turned
void state(const btRigidBody *b, double last, double x[3], double v[3]) {
  const btTransform &place = b->getWorldTransform();
  const double angle = atan2(place.getBasis()[1][0], place.getBasis()[0][0]),
               turn = 2.0 * 3.14159265358979323846;
  x[0] = place.getOrigin()[0], x[1] = place.getOrigin()[1],
  x[2] = angle + turn * round((last - angle) / turn);
  v[0] = b->getLinearVelocity()[0], v[1] = b->getLinearVelocity()[1], v[2] = b->getAngularVelocity()[2];
}

int contacts(world &w) {
  int n = 0;
  for (int m = 0; m < w.dispatcher.getNumManifolds(); m++)
    n += w.dispatcher.getManifoldByIndexInternal(m)->getNumContacts();
  return n;
}

// Bullet's normal points from its body 1 to its body 0, on which the impulses act as they are written. Its law for the normal
// velocity of what is apart is that it may close in the step; of what overlaps, that a part is pushed out; of what overlaps deeply, zero.
void write_contacts(world &w, double h, FILE *out) {
  for (int m = 0; m < w.dispatcher.getNumManifolds(); m++) {
    const btPersistentManifold *pair = w.dispatcher.getManifoldByIndexInternal(m);
    for (int k = 0; k < pair->getNumContacts(); k++) {
      const btManifoldPoint &c = pair->getContactPoint(k);
      const double n[2] = {c.m_normalWorldOnB[0], c.m_normalWorldOnB[1]};
      const double x[2] = {0.5 * (c.m_positionWorldOnA[0] + c.m_positionWorldOnB[0]),
                           0.5 * (c.m_positionWorldOnA[1] + c.m_positionWorldOnB[1])};
      const double along = -c.m_lateralFrictionDir1[0] * n[1] + c.m_lateralFrictionDir1[1] * n[0];
      const btContactSolverInfo &law = w.dynamics.getSolverInfo();
      const double gap = c.getDistance(), part = gap > 0.0                                      ? 1.0
                                                 : gap > law.m_splitImpulsePenetrationThreshold ? law.m_erp2
                                                                                                : 0.0;
      bench_write_contact(out, pair->getBody1()->getUserIndex(), pair->getBody0()->getUserIndex(), x, n, gap,
                          c.m_appliedImpulse, along * c.m_appliedImpulseLateral1, part * gap / h);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const double before = bench_resident();
  const int settle = static_cast<int>(bench_option(argc, argv, "settle", 0));
  const bench_scene *s = bench_read(argv[1], settle);
  const int iterations = static_cast<int>(bench_option(argc, argv, "iterations", 10));
  const int steps = static_cast<int>(bench_option(argc, argv, "steps", settle ? s->settle : s->timed));
  const int warm = settle ? 0 : static_cast<int>(bench_option(argc, argv, "warm", 10));
  static world w;
  build(w, s, iterations);
  const size_t n = static_cast<size_t>(s->n_bodies);
  std::vector<double> x(3 * n), v(3 * n), y(3 * n), after(3 * n);
  for (size_t b = 0; b < n; b++) y[3 * b + 2] = s->body[b].x[2];
  double seconds = 0.0, sum = 0.0;
  for (int k = 0; k < warm + steps; k++) {
    x = y;
    for (size_t b = 0; b < n; b++) state(w.body[b], y[3 * b + 2], &x[3 * b], &v[3 * b]);
    const double began = bench_clock();
    w.dynamics.stepSimulation(btScalar(s->h), 0);
    if (k >= warm) seconds += bench_clock() - began, sum += contacts(w);
    for (size_t b = 0; b < n; b++) state(w.body[b], x[3 * b + 2], &y[3 * b], &after[3 * b]);
  }
  if (settle) {
    bench_write_settled(argv[1], argv[2], s->n_bodies, reinterpret_cast<double(*)[3]>(y.data()),
                        reinterpret_cast<double(*)[3]>(after.data()));
    return 0;
  }
  FILE *out = fopen(argv[2], "w");
  if (!out) return 1;
  for (size_t b = 0; b < n; b++) bench_write_body(out, &x[3 * b], &v[3 * b], &after[3 * b]);
  write_contacts(w, s->h, out);
  for (size_t b = 0; b < n; b++)
    fprintf(out, "end %.17g %.17g %.17g\n", y[3 * b], y[3 * b + 1], y[3 * b + 2]);
  fprintf(out,
          "result {\"seconds\": %.9g, \"steps\": %d, \"contacts\": %.1f, \"bytes\": %.0f, \"settings\": \"%d "
          "iterations, %s\"}\n",
          seconds, steps, sum / steps, bench_peak() - before, iterations,
          sizeof(btScalar) == 4 ? "float" : "double");
  return fclose(out) != 0;
}

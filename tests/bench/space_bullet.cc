// The scenes of space_scene.py by Bullet: spheres, boxes and planes, as its manual begins a program, but for what keeps bodies from sleeping:
// sequential impulses, split impulses, warm start.
//
//   space_bullet SCENE OUT [steps=N] [warm=N] [iterations=10] [settle=0]
#include "space_scene.h"

#include <btBulletDynamicsCommon.h>
#include <vector>

namespace {

struct world {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<btRigidBody *> body;
};

btVector3 vector(const double x[3]) {
  return {btScalar(x[0]), btScalar(x[1]), btScalar(x[2])};
}

// mass 0: fixed. Bullet multiplies the frictions of the two.
btRigidBody *add(world &w, btCollisionShape *shape, const space_body *b, double friction) {
  btTransform place;
  place.setIdentity();
  if (b) {
    const double *q = b->start.q;
    place.setOrigin(vector(b->start.x));
    place.setRotation(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])));
  }
  btRigidBody::btRigidBodyConstructionInfo info(b ? btScalar(b->mass) : 0, nullptr, shape,
                                                b ? vector(b->inertia) : btVector3(0, 0, 0));
  info.m_startWorldTransform = place;
  info.m_friction = btScalar(sqrt(friction));
  info.m_restitution = 0;
  auto *body = new btRigidBody(info);
  if (b) {
    body->setLinearVelocity(vector(b->start.v));
    body->setAngularVelocity(vector(b->start.w));
    body->setActivationState(DISABLE_DEACTIVATION);
  }
  w.dynamics.addRigidBody(body);
  return body;
}

void build(world &w, const space_scene *s, int iterations) {
  w.dynamics.setGravity(vector(s->gravity));
  w.dynamics.getSolverInfo().m_numIterations = iterations;
  for (int k = 0; k < s->n_planes; k++) {
    const double *p = s->plane[k];
    const double along = p[0] * p[3] + p[1] * p[4] + p[2] * p[5];
    add(w, new btStaticPlaneShape(vector(p + 3), btScalar(along)), nullptr, s->friction)->setUserIndex(-1);
  }
  for (int b = 0; b < s->n_bodies; b++) {
    const space_body *one = &s->body[b];
    btCollisionShape *shape = one->radius > 0.0
                                  ? static_cast<btCollisionShape *>(new btSphereShape(btScalar(one->radius)))
                                  : new btBoxShape(btScalar(0.5) * vector(one->edge));
    w.body.push_back(add(w, shape, one, s->friction));
    w.body.back()->setUserIndex(b);
  }
}

void states(const world &w, std::vector<space_state> &state) {
  for (size_t b = 0; b < w.body.size(); b++) {
    const btTransform &place = w.body[b]->getWorldTransform();
    const btQuaternion turn = place.getRotation();
    space_state &s = state[b];
    for (int k = 0; k < 3; k++) {
      s.x[k] = place.getOrigin()[k], s.q[1 + k] = turn[k];
      s.v[k] = w.body[b]->getLinearVelocity()[k], s.w[k] = w.body[b]->getAngularVelocity()[k];
    }
    s.q[0] = turn.w();
    double size = 0.0;
    for (double q : s.q) size += q * q;
    for (double &q : s.q) q /= sqrt(size);
  }
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
  const btContactSolverInfo &law = w.dynamics.getSolverInfo();
  for (int m = 0; m < w.dispatcher.getNumManifolds(); m++) {
    const btPersistentManifold *pair = w.dispatcher.getManifoldByIndexInternal(m);
    for (int k = 0; k < pair->getNumContacts(); k++) {
      const btManifoldPoint &c = pair->getContactPoint(k);
      double n[3], x[3], p[3];
      for (int i = 0; i < 3; i++) {
        n[i] = c.m_normalWorldOnB[i], x[i] = 0.5 * (c.m_positionWorldOnA[i] + c.m_positionWorldOnB[i]);
        p[i] = c.m_appliedImpulse * n[i] + c.m_appliedImpulseLateral1 * c.m_lateralFrictionDir1[i]
               + c.m_appliedImpulseLateral2 * c.m_lateralFrictionDir2[i];
      }
      const double gap = c.getDistance(), part = gap > 0.0                                      ? 1.0
                                                 : gap > law.m_splitImpulsePenetrationThreshold ? law.m_erp2
                                                                                                : 0.0;
      space_write_contact(out, pair->getBody1()->getUserIndex(), pair->getBody0()->getUserIndex(), x, n, gap,
                          p, part * gap / h);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const double resident = bench_resident();
  const int settle = static_cast<int>(bench_option(argc, argv, "settle", 0));
  const space_scene *s = space_read(argv[1]);
  const int iterations = static_cast<int>(bench_option(argc, argv, "iterations", 10));
  const int steps = static_cast<int>(bench_option(argc, argv, "steps", settle ? s->settle : s->timed));
  const int warm = settle ? 0 : static_cast<int>(bench_option(argc, argv, "warm", 10));
  static world w;
  build(w, s, iterations);
  std::vector<space_state> before(w.body.size()), after(w.body.size());
  double seconds = 0.0, sum = 0.0;
  for (int k = 0; k < warm + steps; k++) {
    states(w, before);
    const double began = bench_clock();
    w.dynamics.stepSimulation(btScalar(s->h), 0);
    if (k >= warm) seconds += bench_clock() - began, sum += contacts(w);
  }
  states(w, after);
  if (settle) {
    space_write_settled(argv[1], argv[2], s->n_bodies, after.data());
    return 0;
  }
  FILE *out = fopen(argv[2], "w");
  if (!out) return 1;
  space_write_bodies(out, s->n_bodies, before.data(), after.data());
  write_contacts(w, s->h, out);
  fprintf(out,
          "result {\"seconds\": %.9g, \"steps\": %d, \"contacts\": %.1f, \"bytes\": %.0f, \"settings\": \"%d "
          "iterations, %s\"}\n",
          seconds, steps, sum / steps, bench_peak() - resident, iterations,
          sizeof(btScalar) == 4 ? "float" : "double");
  return fclose(out) != 0;
}

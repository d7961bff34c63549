/* Bouncing ball, ball in the corner, Painleve's rod and a chain of rods by Siconos, through its C++ library, without output:
 *
 *   schemes_siconos SYSTEM WAY ROUNDS STEPS
 *
 * SYSTEM: bouncing-ball, ball-in-corner, painleve-rod, chain-N. WAY: moreau-jean, moreau-jean-global, newmark-alpha (a ball that nothing rubs, by
 * its event-driven strategy, which has no other place for that scheme), pivot and ball (joints of the chain, 5 and 3 equations each).
 * Masses, steps and tolerances are those of percuss' cases; relations are linear and constant wherever they may be. The same line of JSON as
 * bench_schemes, CPU time of one thread, and q at the end. */
#include <SiconosKernel.hpp>

#include <GlobalFrictionContact.hpp>
#include <KneeJointR.hpp>
#include <PivotJointR.hpp>
#include <SiconosException.hpp>
#include <SolverOptions.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace {

double cpu() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

SP::SiconosVector vector(const std::vector<double> &x) {
  SP::SiconosVector v(new SiconosVector((unsigned)x.size()));
  for (unsigned i = 0; i < x.size(); i++) v->setValue(i, x[i]);
  return v;
}

SP::SimpleMatrix diagonal(const std::vector<double> &x) {
  SP::SimpleMatrix M(new SimpleMatrix((unsigned)x.size(), (unsigned)x.size()));
  M->zero();
  for (unsigned i = 0; i < x.size(); i++) M->setValue(i, i, x[i]);
  return M;
}

SP::SimpleMatrix rows(const std::vector<std::vector<double>> &x) {
  SP::SimpleMatrix H(new SimpleMatrix((unsigned)x.size(), (unsigned)x[0].size()));
  for (unsigned i = 0; i < x.size(); i++)
    for (unsigned j = 0; j < x[i].size(); j++) H->setValue(i, j, x[i][j]);
  return H;
}

/* The lower tip of the rod, (1, 0) on its axis, above y = 0. */
class Tip : public LagrangianScleronomousR {
public:
  Tip() : LagrangianScleronomousR() {
    _jachq.reset(new SimpleMatrix(2, 3));
  }
  void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override {
    y.setValue(0, q.getValue(1) + std::sin(q.getValue(2)));
    y.setValue(1, 0.0);
  }
  void computeJachq(const BlockVector &q, BlockVector &) override {
    const double a = q.getValue(2);
    _jachq->zero();
    _jachq->setValue(0, 1, 1.0), _jachq->setValue(0, 2, std::cos(a));
    _jachq->setValue(1, 0, 1.0), _jachq->setValue(1, 2, -std::sin(a));
  }
  void computeDotJachq(const BlockVector &, BlockVector &, const BlockVector &) override {}
};

struct Setup {
  SP::NonSmoothDynamicalSystem model{new NonSmoothDynamicalSystem(0.0, 1e9)};
  SP::OneStepIntegrator integrator;
  std::vector<SP::OneStepNSProblem> problems;
  double h = 0.0;
  int steps = 0;
  bool linear = true;
  SP::SecondOrderDS shown;

  void body(SP::SecondOrderDS ds) {
    model->insertDynamicalSystem(ds), shown = ds;
  }
  void contact(SP::NonSmoothLaw law, SP::Relation relation, SP::DynamicalSystem ds) {
    model->link(SP::Interaction(new Interaction(law, relation)), ds);
  }
};

SP::OneStepNSProblem frictional(double tolerance) {
  SP::FrictionContact problem(new FrictionContact(2, SICONOS_FRICTION_2D_NSGS));
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = tolerance;
  problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 1000;
  return problem;
}

void bouncing_ball(Setup &s, const std::string &way) {
  const bool global = way == "moreau-jean-global";
  SP::LagrangianLinearTIDS ball(new LagrangianLinearTIDS(vector({0.0, 1.001, 0.0}), vector({0.0, 0.0, 0.0}),
                                                         diagonal({1.0, 1.0, global ? 1.0 : 0.016})));
  ball->setFExtPtr(vector({0.0, -10.0, 0.0}));
  s.body(ball), s.h = 2e-3, s.steps = 2250;
  if (global) { /* its contacts have three dimensions: a point */
    s.contact(SP::NonSmoothLaw(new NewtonImpactFrictionNSL(0.8, 0.0, 0.0, 3)),
              SP::Relation(
                  new LagrangianLinearTIR(rows({{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}), vector({0.0, 0.0, 0.0}))),
              ball);
    s.integrator.reset(new MoreauJeanGOSI(0.5));
    std::shared_ptr<GlobalFrictionContact> problem(new GlobalFrictionContact(3));
    problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    s.problems = {problem};
    return;
  }
  s.contact(SP::NonSmoothLaw(new NewtonImpactNSL(0.8)),
            SP::Relation(new LagrangianLinearTIR(rows({{0, 1, 0}}), vector({0.0}))), ball);
  if (way == "newmark-alpha") {
    s.integrator.reset(new NewMarkAlphaOSI(0.8, false));
    for (int k = 0; k < 3; k++) s.problems.push_back(SP::OneStepNSProblem(new LCP()));
    s.linear = false;
    return;
  }
  s.integrator.reset(new MoreauJeanOSI(0.5));
  s.problems = {SP::OneStepNSProblem(new LCP())};
}

void ball_in_corner(Setup &s, const std::string &) {
  const double R = 0.1, c = std::sqrt(0.5);
  SP::LagrangianLinearTIDS ball(new LagrangianLinearTIDS(vector({-0.5, 1.0, 0.0}), vector({0.0, 0.0, 0.0}),
                                                         diagonal({1.0, 1.0, 0.004})));
  ball->setFExtPtr(vector({0.0, -9.81, 0.0}));
  s.body(ball), s.h = 1e-4, s.steps = 15000;
  /* normal n, tangent t = (n_y, -n_x): the point of contact is at -R n, its velocity v + omega (R n_y, -R n_x) */
  for (int k = 0; k < 2; k++) {
    const double n[2] = {k ? c : -c, c};
    s.contact(
        SP::NonSmoothLaw(new NewtonImpactFrictionNSL(k ? 0.0 : 0.5, 0.0, 0.3, 2)),
        SP::Relation(new LagrangianLinearTIR(rows({{n[0], n[1], 0.0}, {n[1], -n[0], R}}), vector({-R, 0.0}))),
        ball);
  }
  s.integrator.reset(new MoreauJeanOSI(0.5));
  s.problems = {frictional(1e-10)};
}

void painleve_rod(Setup &s, const std::string &) {
  const double a = -31.0 * M_PI / 180.0;
  SP::LagrangianDS rod(new LagrangianDS(vector({0.0, -std::sin(a), a}), vector({30.0, 0.0, 0.0}),
                                        diagonal({1.0, 1.0, 1.0 / 3.0})));
  rod->setFExtPtr(vector({0.0, -10.0, 0.0}));
  s.body(rod), s.h = 8e-4, s.steps = 1000;
  s.contact(SP::NonSmoothLaw(new NewtonImpactFrictionNSL(0.0, 0.0, 5.0 / 3.0, 2)), SP::Relation(new Tip()),
            rod);
  SP::MoreauJeanOSI osi(new MoreauJeanOSI(0.5));
  s.integrator = osi, s.linear = false;
  s.problems = {frictional(1e-10)};
}

void chain(Setup &s, const std::string &way, int n) {
  const double half = 0.5 / n, m = 1.0 / n, J = m * 4.0 * half * half / 12.0;
  SP::NewtonEulerDS before;
  s.h = 1e-3, s.steps = 500, s.linear = false;
  for (int k = 0; k < n; k++) {
    SP::NewtonEulerDS rod(new NewtonEulerDS(vector({(2 * k + 1) * half, 0, 0, 1, 0, 0, 0}),
                                            vector({0, 0, 0, 0, 0, 0}), m, diagonal({J, J, J})));
    rod->setFExtPtr(vector({0.0, -9.81 * m, 0.0}));
    s.body(rod);
    SP::NewtonEulerJointR joint;
    const auto at = vector({2.0 * k * half, 0.0, 0.0}), axis = vector({0.0, 0.0, 1.0});
    if (way == "ball")
      joint.reset(new KneeJointR(at, true, before ? before : rod, before ? rod : SP::NewtonEulerDS()));
    else
      joint.reset(new PivotJointR(at, axis, true, before ? before : rod, before ? rod : SP::NewtonEulerDS()));
    SP::Interaction link(
        new Interaction(SP::NonSmoothLaw(new EqualityConditionNSL(joint->numberOfConstraints())), joint));
    if (before)
      s.model->link(link, before, rod);
    else
      s.model->link(link, rod);
    before = rod;
  }
  s.integrator.reset(new MoreauJeanOSI(0.5));
  s.problems = {SP::OneStepNSProblem(new Equality())};
}

bool make(Setup &s, const std::string &system, const std::string &way) {
  if (system == "bouncing-ball")
    bouncing_ball(s, way);
  else if (system == "ball-in-corner")
    ball_in_corner(s, way);
  else if (system == "painleve-rod")
    painleve_rod(s, way);
  else if (system.rfind("chain-", 0) == 0)
    chain(s, way, std::atoi(system.c_str() + 6));
  else
    return false;
  return true;
}

/* Seconds per step of a run from the start; q: the first three coordinates of the last body at its end. */
double run(const std::string &system, const std::string &way, int steps, double *q, int *made, double *h) {
  Setup s;
  make(s, system, way);
  *made = steps > 0 ? steps : s.steps, *h = s.h;
  SP::TimeDiscretisation td(new TimeDiscretisation(0.0, s.h));
  double spent = 0.0;
  if (way == "newmark-alpha") {
    SP::EventDriven simulation(new EventDriven(s.model, td, 3));
    simulation->insertIntegrator(s.integrator);
    simulation->insertNonSmoothProblem(s.problems[0], SICONOS_OSNSP_ED_IMPACT);
    simulation->insertNonSmoothProblem(s.problems[1], SICONOS_OSNSP_ED_SMOOTH_ACC);
    simulation->insertNonSmoothProblem(s.problems[2], SICONOS_OSNSP_ED_SMOOTH_POS);
    simulation->initialize();
    const double began = cpu();
    for (int k = 0; k < *made; k++) simulation->advanceToEvent(), simulation->processEvents();
    spent = cpu() - began;
  } else {
    SP::TimeStepping simulation(new TimeStepping(s.model, td, s.integrator, s.problems[0]));
    simulation->setNewtonTolerance(1e-10);
    simulation->setNewtonMaxIteration(s.linear ? 1 : 50);
    if (s.linear) simulation->setNewtonOptions(SICONOS_TS_LINEAR);
    simulation->setDisplayNewtonConvergence(false), simulation->setWarnOnNonConvergence(false);
    simulation->initialize();
    const double began = cpu();
    for (int k = 0; k < *made; k++) simulation->computeOneStep(), simulation->nextStep();
    spent = cpu() - began;
  }
  for (int i = 0; i < 3; i++) q[i] = s.shown->q()->getValue((unsigned)i);
  return spent / *made;
}

} // namespace

int main(int argc, char **argv) {
  Setup trial;
  if (argc != 5 || !make(trial, argv[1], argv[2]))
    return std::fprintf(stderr, "usage: schemes_siconos SYSTEM WAY ROUNDS STEPS\n"), 2;
  std::vector<double> seconds;
  double q[3], h = 0.0;
  int made = 0;
  try {
    for (int k = 0; k < std::atoi(argv[3]); k++)
      seconds.push_back(run(argv[1], argv[2], std::atoi(argv[4]), q, &made, &h));
  } catch (...) {
    Siconos::exception::process();
    return 1;
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("{\"name\": \"%s\", \"scheme\": \"%s\", \"step\": %.4g, \"least\": %.4g, \"most\": %.4g, "
              "\"h\": %.9g, \"steps\": %d, \"q\": [%.9g, %.9g, %.9g]}\n",
              argv[1], argv[2], seconds[seconds.size() / 2], seconds.front(), seconds.back(), h, made, q[0],
              q[1], q[2]);
  return 0;
}

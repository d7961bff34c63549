#!/usr/bin/python3
"""The scenes of bench-bodies by Siconos and its Bullet binding in two dimensions.

    bodies_siconos.py SCENE.txt OUT [steps=N] [warm=N] [tolerance=1e-4] [sweeps=1000]

MoreauJeanOSI with theta = 1, Newton's law with e = 0, FrictionContact(2) by its projected Gauss-Seidel with W sparse by blocks:
what its own granular examples take. The tolerance is on the solver's own measure. Times are CPU times of one thread."""
import json
import os
import resource
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # read when the libraries are loaded, below

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.mechanics import collision as shapes
from siconos.mechanics.collision import bullet

from bodies_measure import Scene


def resident():
    return int(open("/proc/self/statm", encoding="ascii").read().split()[1]) * resource.getpagesize()


def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Run:
    def __init__(self, scene, state, tolerance, sweeps):
        self.scene, self.bodies = scene, []
        options = bullet.SiconosBulletOptions()
        options.dimension = bullet.SICONOS_BULLET_2D
        options.contactBreakingThreshold = 0.02
        self.manager = bullet.SiconosBulletCollisionManager(options)
        self.manager.insertNonSmoothLaw(sk.NewtonImpactFrictionNSL(0.0, 0.0, scene.mu, 2), 0, 0)
        self.model = sk.NonSmoothDynamicalSystem(0.0, 1e9)
        for corners, radius, (mass, _, inertia), x in zip(scene.corners, scene.radius, scene.M, state):
            body = shapes.RigidBody2dDS(x[:3], x[3:], mass, inertia)
            body.setContactors(self.contactors(corners, radius))
            body.setFExtPtr(mass * scene.g * (1, 1, 0))
            self.model.insertDynamicalSystem(body)
            self.bodies.append(body)
        self.number = {body.number(): k for k, body in enumerate(self.bodies)}
        for point, normal in scene.planes:  # a half-plane as a box, which its 2D algorithms know
            tangent = np.array([-normal[1], normal[0]])
            size = 4 * (np.abs(state[:, :2] - point).max() + 10)
            self.fixed([point + a * size * tangent - b * 10 * normal for a, b in ((1, 0), (-1, 0), (-1, 1), (1, 1))])
        for wall in scene.walls:
            self.fixed(wall)
        self.integrator = sk.MoreauJeanOSI(1.0)
        self.integrator.setConstraintActivationThreshold(0.0)
        self.problem = sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_NSGS)
        solver = self.problem.numericsSolverOptions()
        solver.iparam[sn.SICONOS_IPARAM_MAX_ITER] = sweeps
        solver.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        self.problem.setMaxSize(8 * len(self.bodies))
        self.problem.setMStorageType(sn.NM_SPARSE_BLOCK)
        self.problem.setNumericsVerboseMode(False)
        self.problem.setKeepLambdaAndYState(True)
        self.simulation = sk.TimeStepping(self.model, sk.TimeDiscretisation(0.0, scene.h), self.integrator, self.problem)
        self.simulation.insertInteractionManager(self.manager)
        self.simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
        self.simulation.setNewtonMaxIteration(1)
        self.simulation.setDisplayNewtonConvergence(False)

    @staticmethod
    def contactors(corners, radius):
        if corners is None:
            shape = shapes.SiconosDisk(radius)
        else:
            shape = shapes.SiconosConvexHull2d(corners)
        shape.setInsideMargin(0.0 if corners is None else 0.02)
        shape.setOutsideMargin(0.0)
        contactors = shapes.SiconosContactorSet()
        contactors.append(shapes.SiconosContactor(shape))
        return contactors

    def fixed(self, corners):
        middle = np.mean(corners, axis=0)
        self.manager.insertStaticContactorSet(self.contactors(np.array(corners) - middle, 0.0), [*middle, 0.0])

    def state(self):
        return np.array([np.concatenate([body.q(), body.velocity()]) for body in self.bodies])

    def contacts(self):
        """A line of each in the contact problem of the last step; all of these are closed by Siconos' rule."""
        topology, lines = self.model.topology(), []
        for interaction in sk.interactions(topology.indexSet(1)):
            two = [self.number[body.number()] for body in topology.dynamicalSystemsForInteraction(interaction)]
            first, second = two[0], two[1] if len(two) > 1 and two[1] != two[0] else -1
            row = interaction.relation().jachq()
            n, t, (p_n, p_t) = row[0, :2], row[1, :2], interaction.lambda_(1)
            side = n[0] * t[1] - n[1] * t[0]
            place = self.before[first, :2] + side * (row[1, 2] * n - row[0, 2] * t)
            lines.append((second, first, *place, *n, 0.0, p_n, side * p_t, 0.0))
        return lines

    def step(self):
        self.before = self.state()
        began = time.process_time()
        self.simulation.computeOneStep()
        seconds = time.process_time() - began
        self.last, self.active = self.problem.numericsSolverOptions().iparam[sn.SICONOS_IPARAM_ITER_DONE], self.problem.getSizeOutput() // 2
        return seconds

    def go_on(self):
        began = time.process_time()
        self.simulation.nextStep()
        return time.process_time() - began


def main():
    options = dict(word.split("=") for word in sys.argv[3:])
    before, scene = resident(), Scene(sys.argv[1])
    lines = [line.split() for line in open(sys.argv[1], encoding="ascii")]
    state = np.array([[float(x) for x in words[1:7]] for words in lines if words[0] in ("disc", "polygon")])
    steps, warm = int(options.get("steps", 20)), int(options.get("warm", 3))
    tolerance, sweeps = float(options.get("tolerance", 1e-4)), int(options.get("sweeps", 1000))
    run = Run(scene, state, tolerance, sweeps)
    seconds = contacts = done = 0
    for k in range(warm + steps):
        if k:
            spent = run.go_on()
            seconds += spent if k > warm else 0
        spent = run.step()
        if k >= warm:
            seconds, contacts, done = seconds + spent, contacts + run.active, done + run.last
    after = run.state()
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for old, new in zip(run.before, after):
            print("body", *map(repr, map(float, [*old, *new[3:]])), file=out)
        for a, b, *numbers in run.contacts():
            print("contact", a, b, *map(repr, map(float, numbers)), file=out)
        for new in after:
            print("end", *map(repr, map(float, new[:3])), file=out)
        for numbers in np.hstack([np.array(x()).reshape(-1, 2)[:run.active] for x in (run.problem.z, run.problem.w, run.problem.q)]):
            print("problem", *map(repr, map(float, numbers)), file=out)
        settings = "NSGS, tolerance %g, at most %d sweeps, %.0f a step" % (tolerance, sweeps, done / steps)
        print("result", json.dumps({"seconds": seconds, "steps": steps, "contacts": contacts / steps, "bytes": peak() - before, "settings": settings}), file=out)


if __name__ == "__main__":
    main()

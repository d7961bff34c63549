#!/usr/bin/python3
"""The scenes in space of bench-bodies by Siconos and its Bullet binding.

    space_siconos.py SCENE.txt OUT [steps=N] [warm=N] [tolerance=1e-4] [sweeps=1000]

MoreauJeanOSI with theta = 1, Newton's law with e = 0, FrictionContact(3) by its projected Gauss-Seidel with W sparse by blocks:
what its own examples take. The tolerance is on the solver's own measure. Times are CPU times of one thread."""
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

from space_measure import Scene, matrices


def resident():
    return int(open("/proc/self/statm", encoding="ascii").read().split()[1]) * resource.getpagesize()


def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def turn_of(n):
    """the unit quaternion that turns z to n"""
    q = np.array([1 + n[2], -n[1], n[0], 0.0])
    return q / np.linalg.norm(q) if q[0] > 1e-12 else np.array([0.0, 1.0, 0.0, 0.0])


class Run:
    def __init__(self, scene, tolerance, sweeps):
        self.scene, self.bodies = scene, []
        options = bullet.SiconosBulletOptions()
        options.contactBreakingThreshold = 0.02
        self.manager = bullet.SiconosBulletCollisionManager(options)
        self.manager.insertNonSmoothLaw(sk.NewtonImpactFrictionNSL(0.0, 0.0, scene.mu, 3), 0, 0)
        self.model = sk.NonSmoothDynamicalSystem(0.0, 1e9)
        R = matrices(scene.state[:, 3:7])
        for k, x in enumerate(scene.state):
            body = shapes.RigidBodyDS(x[:7], [*x[7:10], *(R[k].T @ x[10:13])], scene.mass[k], np.diag(scene.inertia[k]))
            shape = shapes.SiconosSphere(scene.radius[k]) if scene.radius[k] else shapes.SiconosBox(*scene.edge[k])
            body.setContactors(self.contactors(shape))
            body.setFExtPtr(scene.mass[k] * scene.g)
            self.model.insertDynamicalSystem(body)
            self.bodies.append(body)
        self.number = {body.number(): k for k, body in enumerate(self.bodies)}
        for point, normal in scene.planes:
            self.manager.insertStaticContactorSet(self.contactors(shapes.SiconosPlane()), [*point, *turn_of(normal)])
        self.integrator = sk.MoreauJeanOSI(1.0)
        self.integrator.setConstraintActivationThreshold(0.0)
        self.problem = sk.FrictionContact(3, sn.SICONOS_FRICTION_3D_NSGS)
        solver = self.problem.numericsSolverOptions()
        solver.iparam[sn.SICONOS_IPARAM_MAX_ITER] = sweeps
        solver.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        self.problem.setMaxSize(24 * len(self.bodies))
        self.problem.setMStorageType(sn.NM_SPARSE_BLOCK)
        self.problem.setNumericsVerboseMode(False)
        self.problem.setKeepLambdaAndYState(True)
        self.simulation = sk.TimeStepping(self.model, sk.TimeDiscretisation(0.0, scene.h), self.integrator, self.problem)
        self.simulation.insertInteractionManager(self.manager)
        self.simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
        self.simulation.setNewtonMaxIteration(1)
        self.simulation.setDisplayNewtonConvergence(False)

    @staticmethod
    def contactors(shape):
        shape.setInsideMargin(0.02)
        shape.setOutsideMargin(0.0)
        contactors = shapes.SiconosContactorSet()
        contactors.append(shapes.SiconosContactor(shape))
        return contactors

    def state(self):
        q = np.array([body.q() for body in self.bodies])
        v = np.array([body.velocity() for body in self.bodies])
        return np.hstack([q, v[:, :3], np.einsum("bij,bj->bi", matrices(q[:, 3:7]), v[:, 3:6])])

    def contacts(self):
        """A line of each in the contact problem of the last step; all of these are closed by Siconos' rule. Of the percussion only the normal
        part is given here, its directions of friction are its own; the problem is measured as it was solved."""
        topology, lines = self.model.topology(), []
        for interaction in sk.interactions(topology.indexSet(1)):
            two = [self.number[body.number()] for body in topology.dynamicalSystemsForInteraction(interaction)]
            first, second = two[0], two[1] if len(two) > 1 and two[1] != two[0] else -1
            relation = interaction.relation()
            n = np.array(relation.nc())
            lines.append((second, first, *relation.pc1(), *n, 0.0, *(interaction.lambda_(1)[0] * n), 0.0))
        return lines

    def step(self):
        self.before = self.state()
        began = time.process_time()
        self.simulation.computeOneStep()
        seconds = time.process_time() - began
        self.last, self.active = self.problem.numericsSolverOptions().iparam[sn.SICONOS_IPARAM_ITER_DONE], self.problem.getSizeOutput() // 3
        return seconds

    def go_on(self):
        began = time.process_time()
        self.simulation.nextStep()
        return time.process_time() - began


def main():
    options = dict(word.split("=") for word in sys.argv[3:])
    before, scene = resident(), Scene(sys.argv[1])
    steps, warm = int(options.get("steps", 20)), int(options.get("warm", 3))
    tolerance, sweeps = float(options.get("tolerance", 1e-4)), int(options.get("sweeps", 1000))
    run = Run(scene, tolerance, sweeps)
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
            print("body", *map(repr, map(float, [*old, *new[7:]])), file=out)
        for a, b, *numbers in run.contacts():
            print("contact", a, b, *map(repr, map(float, numbers)), file=out)
        for new in after:
            print("end", *map(repr, map(float, new[:7])), file=out)
        for numbers in np.hstack([np.array(x()).reshape(-1, 3)[:run.active] for x in (run.problem.z, run.problem.w, run.problem.q)]):
            print("problem", *map(repr, map(float, numbers)), file=out)
        settings = "NSGS, tolerance %g, at most %d sweeps, %.0f a step" % (tolerance, sweeps, done / steps)
        print("result", json.dumps({"seconds": seconds, "steps": steps, "contacts": contacts / steps, "bytes": peak() - before, "settings": settings}), file=out)


if __name__ == "__main__":
    main()

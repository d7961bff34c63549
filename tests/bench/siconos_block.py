#!/usr/bin/python3
"""The first steps of the sliding block by percuss and by Siconos: the same M, K, H and loads, times and errors side by side.

  siconos_block.py SYSTEM.h5 [--only NAME]

SYSTEM.h5 is what tests/bench/bench_system writes: the matrices, and the states that percuss went through. Siconos must be
importable (Debian: apt-get install --no-install-recommends python3-siconos python3-h5py python3-scipy).

Both integrate with the scheme of Moreau and Jean and the Newton law (Siconos 4.4 has no other). Siconos is run twice, each
time in a process of its own:

  documented  LagrangianLinearTIDS with sparse M and K, MoreauJeanOSI, FrictionContact, TimeStepping, nothing else said
  best        and what was found to help: the blocks of W assembled as a symmetric matrix and kept from step to step
              (which holds while the same contacts are active), a Cholesky factorisation

Times are CPU times of one thread, medians of the steps after the first. The errors are computed here, for both codes, from
their states and percussions: that of the contact problem, |p - proj_K(p - Phi(W p + b))| / (1 + |b|), and that of the
momentum, M (v' - v) + h K (q + theta h v_theta) - h F - H'p on the free unknowns relative to its largest term; the largest of
all steps. Last, how far the state at the end is from that of percuss."""
import argparse
import os
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # read when the libraries are loaded, below

import h5py
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg

PUBLISHED = 0.168  # s a step: the authors' program for this block on the machine of the README, one thread
CONFIGURATIONS = {"documented": "Siconos as documented, sparse", "best": "Siconos, sparse, SPD, W kept"}


class System:
    """The block without its prescribed unknowns, which stand still: their part of K q is a load."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            data = {name: file[name][()] for name in file}
        self.h, self.theta = data["scheme"][:2]
        self.steps = int(data["scheme"][2])
        M, K = (self.symmetric(data, name) for name in "MK")
        n = M.shape[0]
        held = data["prescribed"].astype(int)
        free = np.setdiff1d(np.arange(n), held)
        self.q, self.v = (data[name].reshape(-1, n)[:, free] for name in "qv")
        self.p, self.seconds = data["p"].reshape(self.steps, -1), data["seconds"][0]
        self.M, self.K = M[free][:, free].tocsc(), K[free][:, free].tocsc()
        at_rest = K[free][:, held] @ data["q"][:n][held]
        F = data["F"].reshape(-1, n)[:, free] - at_rest
        self.F = (1 - self.theta) * F[:-1] + self.theta * F[1:]  # of each step
        self.H = self.directions(data, n)[:, free].tocsr()
        self.gap, self.mu, self.e = data["gap"], data["mu"], data["e"]

    @staticmethod
    def symmetric(data, name):
        lower = sparse.csc_matrix((data[name + "_x"], data[name + "_i"].astype(int), data[name + "_p"].astype(int)))
        return (lower + sparse.tril(lower, -1).T).tocsr()

    @staticmethod
    def directions(data, n):
        start, dof = data["H_start"].astype(int), data["H_dof"].astype(int)
        H = sparse.lil_matrix((2 * (len(start) - 1), n))
        for c, (first, end) in enumerate(zip(start[:-1], start[1:])):
            H[2 * c:2 * c + 2, dof[first:end]] = data["H"][2 * first:2 * end].reshape(2, -1)
        return H.tocsr()

    def project(self, x):
        """onto the cones |x_T| <= mu x_N"""
        n, t = x[:, 0], np.abs(x[:, 1])
        edge = np.where(t > self.mu * n, (n + self.mu * t) / (1 + self.mu**2), n)
        edge = np.where(self.mu * t <= -n, 0.0, edge)
        scale = np.where(t > self.mu * n, self.mu * edge / np.where(t > 0, t, 1.0), 1.0)
        return np.column_stack([edge, x[:, 1] * scale])

    def errors(self, q, v, p):
        """(contact, momentum): the largest of all steps"""
        solve = sparse.linalg.splu((self.M + (self.h * self.theta) ** 2 * self.K).tocsc()).solve
        contact = momentum = 0.0
        for k in range(len(p)):
            between = (1 - self.theta) * v[k] + self.theta * v[k + 1]
            terms = [self.M @ (v[k + 1] - v[k]), self.h * (self.K @ (q[k] + self.theta * self.h * between)),
                     -self.h * self.F[k], -self.H.T @ p[k]]
            momentum = max(momentum, np.linalg.norm(sum(terms)) / max(np.linalg.norm(t) for t in terms))
            w = self.H @ v[k + 1]
            w[0::2] += self.e * (self.H @ v[k])[0::2]
            b = (w - self.H @ solve(self.H.T @ p[k])).reshape(-1, 2)
            active = p[k].reshape(-1, 2)[:, 0] > 0
            w, percussion = w.reshape(-1, 2), p[k].reshape(-1, 2)
            tilde = w + np.column_stack([self.mu * np.abs(w[:, 1]), np.zeros(len(w))])
            residual = (percussion - self.project(percussion - tilde))[active | (self.gap_of(q[k]) <= 1e-12)]
            contact = max(contact, np.linalg.norm(residual) / (1 + np.linalg.norm(b)))
        return contact, momentum

    def gap_of(self, q):
        return self.gap + (self.H @ (q - self.q[0]))[0::2]


def siconos(s, best):
    """(times, q, v, p) of all steps"""
    import siconos.kernel as sk

    def matrix(A):
        A = A.tocoo()
        S = sk.SimpleMatrix(A.shape[0], A.shape[1], sk.SPARSE, A.nnz)
        for i, j, x in zip(A.row.tolist(), A.col.tolist(), A.data.tolist()):
            S.setValue(i, j, x)
        return S

    n = s.q.shape[1]
    block = sk.LagrangianLinearTIDS(s.q[0].copy(), s.v[0].copy(), np.eye(n))
    M, K = matrix(s.M), matrix(s.K)
    block.setMassPtr(M)
    block.setKPtr(K)
    force = s.F[0].copy()
    block.setFExtPtr(force)
    model = sk.NonSmoothDynamicalSystem(0.0, s.h * (s.steps + 1))
    model.setSymmetric(best)
    model.insertDynamicalSystem(block)
    contacts = []
    for c, gap in enumerate(s.gap):
        H = s.H[2 * c:2 * c + 2]
        relation = sk.LagrangianLinearTIR(H.toarray(), np.array([gap - (H @ s.q[0])[0], 0.0]))
        contacts.append(sk.Interaction(sk.NewtonImpactFrictionNSL(s.e[c], 0.0, s.mu[c], 2), relation))
        model.link(contacts[-1], block)
    integrator = sk.MoreauJeanOSI(s.theta)
    integrator.setConstraintActivationThreshold(1e-9)  # mm: a resting contact is at zero but for rounding
    integrator.setIsWSymmetricDefinitePositive(best)
    problem = sk.FrictionContact(2)
    options = problem.numericsSolverOptions()
    options.iparam[0], options.dparam[0] = 10000, 1e-10
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, s.h), integrator, problem)
    simulation.initialize()
    times, q, v, p = [], [s.q[0]], [s.v[0]], []
    for k in range(s.steps):
        force[:] = s.F[k]
        block.setFExtPtr(force)
        problem.setHasBeenUpdated(best and k > 0)
        began = time.process_time()
        simulation.computeOneStep()
        times.append(time.process_time() - began)
        p.append(np.concatenate([np.array(c.lambda_(1)) for c in contacts]))
        began = time.process_time()
        simulation.nextStep()
        times[-1] += time.process_time() - began
        q.append(np.array(block.q()))
        v.append(np.array(block.velocity()))
    return np.array(times), np.array(q), np.array(v), np.array(p)


def line(name, seconds, s, errors, distance=None):
    print("  %-34s %12.1f us %10.0f x   %9.1e  %9.1e   %s" % (
        name, 1e6 * seconds, seconds / s.seconds, *errors, "" if distance is None else "%.1e  %.1e" % distance), flush=True)


def compare(s, name):
    times, q, v, p = siconos(s, name == "best")
    distance = tuple(np.linalg.norm(a[-1] - b[-1]) / np.linalg.norm(b[-1]) for a, b in ((q, s.q), (v, s.v)))
    line(CONFIGURATIONS[name], np.median(times[1:]), s, s.errors(q, v, p), distance)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system")
    parser.add_argument("--only", choices=CONFIGURATIONS)
    o = parser.parse_args()
    s = System(o.system)
    if o.only:
        return compare(s, o.only)
    print("%d steps of the sliding block, Newton law, %d free unknowns, %d contacts" % (
        s.steps, s.q.shape[1], len(s.gap)))
    print("  %-34s %12s    %10s     %9s  %9s   %s" % ("", "a step", "percuss", "contact", "momentum", "from percuss: q, v"))
    line("percuss, ledger included", s.seconds, s, s.errors(s.q, s.v, s.p))
    failed = 0
    for name in CONFIGURATIONS:
        failed |= subprocess.run([sys.executable, __file__, o.system, "--only", name], check=False).returncode
    print("  %-34s %12.1f us %10.0f x   (cited, Fremond law, 10 000 steps)" % (
        "the authors' published program", 1e6 * PUBLISHED, PUBLISHED / s.seconds))
    return failed


if __name__ == "__main__":
    sys.exit(main())

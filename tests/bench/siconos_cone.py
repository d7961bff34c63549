#!/usr/bin/python3
"""percuss' contact solver and those of Siconos on the same problems, side by side.

  siconos_cone.py [--folder DIR] [--percuss BENCH_CONE] [--limit SECONDS] [--rounds N] [--only TEXT] [--csv FILE]

Siconos must be importable (Debian: apt-get install --no-install-recommends python3-siconos python3-h5py).

A problem counts as solved when |p - proj_K(p - Phi(W p + b))| / (1 + |b|) is below the tolerance, recomputed here from
the stored W and b whatever the solver said of itself; global problems are condensed before anyone is timed. Siconos
divides the same residual by |b|, so its tolerance is scaled by (1 + |b|) / |b|; where its own estimate of the error let it
stop above the tolerance, it is asked again for 0.3 and 0.03 of it. It is given the matrix in the storages its solvers
take (dense, by blocks, sparse), and the best of a solver's storages counts. Its driver SOCLCP is not asked by itself: it
solves the convex problem without mu |w_T|, which ACLM repeats.

Times are CPU times of one thread, from p = 0, the least of all repeats; reading and building the problem and the options
are not in them, nor what an empty measurement shows, nor percuss' workspace (Siconos allocates within the solve: that is
how its interface is). Solvers run in turn, `rounds` times over (once if they are far from the fastest), each in a process
of its own with a limit on its CPU time; crashes and exits within Siconos count as not solved. An interrupt ends with the
summary of what is done.

The spread printed for each class is the geometric mean of (slowest round / fastest round), each round's figure being the
least of its repeats."""
import argparse
import ctypes
import json
import math
import os
import resource
import select
import signal
import subprocess
import sys
import time
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # read when the libraries are loaded, below

import h5py
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg
import siconos.numerics as sn

warnings.simplefilter("ignore")
TOLERANCES = (1e-8, 1e-12)
REPEATS, ENOUGH = 20, 0.25  # solves in one process: at most this many, no more after this many seconds
NEAR = 5.0  # solvers slower than this many times the fastest peer run in the first round only
CLASSES = ("3D, 60 rows and more", "3D, less", "2D, 60 rows and more", "2D, less")

# ---- problems -------------------------------------------------------------------------------------------------------


def read_matrix(group):
    m, n, nz = (int(np.ravel(group[k][()])[0]) for k in ("m", "n", "nz"))
    p, i, x = (np.ravel(group[k][()]) for k in ("p", "i", "x"))
    if nz == -1:
        return sparse.csc_matrix((x[: p[n]], i[: p[n]], p[: n + 1]), shape=(m, n))
    if nz == -2:
        return sparse.csr_matrix((x[: p[m]], i[: p[m]], p[: m + 1]), shape=(m, n)).tocsc()
    return sparse.coo_matrix((x[:nz], (i[:nz], p[:nz])), shape=(m, n)).tocsc()  # i: rows, p: columns


class Problem:
    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)[: -len(".hdf5")]
        with h5py.File(path, "r") as file:
            group = file["fclib_local"] if "fclib_local" in file else file["fclib_global"]
            vectors = group["vectors"]
            self.dim = int(np.ravel(group["spacedim"][()])[0])
            self.mu = np.array(np.ravel(vectors["mu"][()]), dtype=float)
            if "fclib_local" in file:
                self.W, self.b = read_matrix(group["W"]), np.array(np.ravel(vectors["q"][()]), dtype=float)
            else:
                M, H = read_matrix(group["M"]), read_matrix(group["H"])
                solve = sparse.linalg.splu(M).solve
                W = H.T @ solve(H.toarray())
                W[np.abs(W) < 1e-300] = 0.0
                self.W = sparse.csc_matrix(W)
                self.b = np.ravel(vectors["w"][()]) + H.T @ solve(np.ravel(vectors["f"][()]))
        self.W.sum_duplicates()
        self.rows, self.n = self.b.size, self.mu.size
        self.norm = float(np.linalg.norm(self.b))
        # Siconos' integers are 64-bit; a diagonal block must be stored, be it zero
        blocks = sparse.kron(sparse.identity(self.n), np.ones((self.dim, self.dim))).tocoo()
        coo = self.W.tocoo()
        full = sparse.coo_matrix((np.r_[coo.data, np.zeros(blocks.nnz)],
                                  (np.r_[coo.row, blocks.row], np.r_[coo.col, blocks.col])), self.W.shape).tocsc()
        full.sum_duplicates()
        full.indices, full.indptr = full.indices.astype(np.int64), full.indptr.astype(np.int64)
        self.stored = full

    def category(self):
        return CLASSES[(2 if self.dim == 2 else 0) + (self.rows < 60)]

    def error(self, p):
        """the measure, from W and b as stored"""
        p = np.asarray(p, dtype=float)
        if not np.all(np.isfinite(p)):
            return math.inf
        d, n = self.dim, self.n
        w = (self.W @ p + self.b).reshape(n, d)
        w[:, 0] += self.mu * np.sqrt((w[:, 1:] ** 2).sum(axis=1))
        x = p.reshape(n, d) - w
        normal, tangent = x[:, 0].copy(), np.sqrt((x[:, 1:] ** 2).sum(axis=1))
        outside = tangent > self.mu * normal
        polar = self.mu * tangent <= -normal
        edge = np.where(outside, (normal + self.mu * tangent) / (1.0 + self.mu**2), normal)
        scale = np.where(outside, self.mu * edge / np.where(tangent > 0.0, tangent, 1.0), 1.0)
        nearest = np.column_stack([edge, x[:, 1:] * scale[:, None]])
        nearest[polar] = 0.0
        return float(np.linalg.norm(p - nearest.ravel()) / (1.0 + np.linalg.norm(self.b)))

    def siconos(self, storage):
        """the problem in Siconos' form; dim x dim blocks, columns or a full array"""
        q, mu = self.b.copy(), self.mu.copy()
        keep = [q, mu]
        if storage == "dense":
            keep.append(np.asfortranarray(self.W.toarray()))
            problem = sn.FrictionContactProblem(self.dim, self.n, keep[-1], q, mu)
        else:
            keep.append(self.stored)
            problem = sn.FrictionContactProblem(self.dim, self.n, self.stored, q, mu)
            if storage == "blocks":
                status, blocks = sn.SBM_from_csparse(self.dim, self.stored)
                matrix = sn.NM_new_SBM(self.rows, self.rows, blocks)
                problem.M = matrix
                keep += [blocks, matrix]
        keep.append(problem)
        return problem, keep


# ---- the peers ------------------------------------------------------------------------------------------------------

MANY = 2000000000


def options_of(name, tolerance):
    """Siconos' defaults, but for the tolerance, the count of iterations (the clock ends them) and what the name says"""
    ids = {"NSGS": "3D_NSGS", "NSN_AC": "3D_NSN_AC", "NSN_AC hybrid": "3D_NSN_AC", "PROX": "3D_PROX",
           "PROX regular": "3D_PROX", "VI_EG": "3D_VI_EG", "VI_FPP": "3D_VI_FPP", "ADMM": "3D_ADMM",
           "ADMM balanced": "3D_ADMM", "ACLM": "3D_ACLMFP", "NSGS 2D": "2D_NSGS", "CPG 2D": "2D_CPG",
           "Lemke 2D": "2D_LEMKE", "Enum 2D": "2D_ENUM"}
    o = sn.SolverOptions(getattr(sn, "SICONOS_FRICTION_" + ids[name]))
    o.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    o.iparam[sn.SICONOS_IPARAM_MAX_ITER] = MANY
    if name.startswith("NSN"):
        o.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 10000
    if name == "NSN_AC hybrid":
        o.iparam[sn.SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = sn.SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN
    if name == "PROX regular":
        o.iparam[sn.SICONOS_FRICTION_3D_PROXIMAL_IPARAM_STRATEGY] = sn.SICONOS_FRICTION_3D_PROXIMAL_REGULARIZATION
    if name == "ADMM balanced":
        o.iparam[sn.SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] = \
            sn.SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING
        o.iparam[sn.SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO] = sn.SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF
    return o


def peers_of(problem):
    """pairs of solver and storage"""
    small, medium = problem.rows < 60, problem.rows <= 1000
    if problem.dim == 2:
        peers = [("NSGS 2D", "blocks")]
        if problem.rows <= 2000:
            peers += [("NSGS 2D", "dense"), ("CPG 2D", "dense"), ("Lemke 2D", "dense")]
        else:
            peers += [("CPG 2D", "sparse")]
        return peers + ([("Enum 2D", "dense")] if problem.rows <= 24 else [])
    peers = [("NSGS", "blocks"), ("NSN_AC", "sparse"), ("NSN_AC hybrid", "sparse"), ("PROX", "sparse"),
             ("PROX regular", "sparse"), ("VI_EG", "blocks"), ("VI_FPP", "blocks"), ("ADMM", "sparse"),
             ("ADMM balanced", "sparse"), ("ACLM", "blocks")]
    if medium:
        peers += [(s, "dense") for s in ("NSGS", "NSN_AC", "NSN_AC hybrid", "PROX", "VI_EG", "VI_FPP")]
    if small:
        peers += [("PROX regular", "dense"), ("ACLM", "dense")]
    return peers


def cost_of_measuring(arguments):
    """what an empty call shows, in seconds: Python's and the clock's share, of the size of the smallest solves"""
    nothing = ctypes.CDLL(None).free  # of a null pointer, which does nothing
    nothing.argtypes, nothing.restype = [ctypes.c_void_p] * 4, None
    least = math.inf
    for _ in range(200):
        began = time.thread_time_ns()
        nothing(*arguments)
        least = min(least, 1e-9 * (time.thread_time_ns() - began))
    return least


def solve_with(problem, peer, tolerance, share):
    """in a process of its own: the least CPU time and the error"""
    library = ctypes.CDLL("libsiconos_numerics.so.7")
    driver = library.fc2d_driver if problem.dim == 2 else library.fc3d_driver
    driver.argtypes, driver.restype = [ctypes.c_void_p] * 4, ctypes.c_int
    scale = (1.0 + problem.norm) / problem.norm if problem.norm > np.finfo(float).eps else 1.0 + problem.norm
    least, total, k, worst = math.inf, 0.0, 0, 0.0
    while k < REPEATS and total < ENOUGH:
        form, keep = problem.siconos(peer[1])
        options = options_of(peer[0], share * tolerance * scale)
        p, w = np.zeros(problem.rows), np.zeros(problem.rows)
        arguments = (ctypes.c_void_p(int(form.this)), ctypes.c_void_p(p.ctypes.data), ctypes.c_void_p(w.ctypes.data),
                     ctypes.c_void_p(int(options.this)))
        # the clock of the thread, there being only one: that of a process with a limit on CPU time is as coarse as ticks
        began = time.thread_time_ns()
        driver(*arguments)
        seconds = 1e-9 * (time.thread_time_ns() - began)
        least, total, k, worst = min(least, seconds), total + seconds, k + 1, max(worst, problem.error(p))
        if not worst < tolerance:
            break
        peer_keep.append((keep, options))  # freeing them is no part of what is measured
    least -= cost_of_measuring([ctypes.c_void_p(None)] * 4)
    return {"seconds": max(least, 1e-8), "error": worst}


peer_keep = []


def in_child(work, limit):
    """work() in a forked process of at most `limit` seconds of CPU; None if it crashed, exited or took too long"""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1), os.dup2(nothing, 2)
        spent = math.ceil(time.process_time() + limit)
        resource.setrlimit(resource.RLIMIT_CPU, (spent, spent))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            os.write(write, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(write)
    ready, _, _ = select.select([read], [], [], 6.0 * limit + 5.0)
    data = os.read(read, 65536) if ready else b""
    os.close(read)
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(data) if data else None


def percuss_solve(program, problem, tolerance, limit):
    try:
        run = subprocess.run([program, "--file", problem.path, repr(tolerance)], capture_output=True, text=True,
                             timeout=100.0 * limit)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode != 0:
        return None
    words = run.stdout.split()
    p = [float(x) for x in words[-problem.rows:]]
    return {"finished": " ".join(words[: -problem.rows - 3]), "seconds": float(words[-problem.rows - 1]),
            "error": problem.error(p)}


# ---- running --------------------------------------------------------------------------------------------------------


class Result:
    def __init__(self):
        self.rounds, self.error, self.solved, self.share, self.storage, self.finished = [], math.inf, False, 1.0, "", ""

    def least(self):
        return min(self.rounds) if self.rounds else math.inf


def merge(results):
    """the best storage of each solver"""
    best = {}
    for (name, storage), r in results.items():
        r.storage = storage
        old = best.get(name)
        if old is None or (r.solved, -r.least() if r.solved else -r.error) > \
                (old.solved, -old.least() if old.solved else -old.error):
            best[name] = r
    return best


def measure(problem, arguments):
    """by tolerance: percuss' result and those of the peers by name"""
    answer, hopeless = {}, set()
    for tolerance in TOLERANCES:
        mine, peers = Result(), {}
        for k in range(arguments.rounds):
            fastest = min([r.least() for r in peers.values() if r.solved], default=math.inf)
            got = percuss_solve(arguments.percuss, problem, tolerance, arguments.limit)
            if got:
                mine.rounds.append(got["seconds"])
                mine.error = got["error"] if k == 0 else max(mine.error, got["error"])
                mine.finished, mine.solved = got["finished"], mine.error < tolerance
            for peer in peers_of(problem):
                r = peers.setdefault(peer, Result())
                if (k > 0 and not (r.solved and r.least() < NEAR * fastest)) or peer in hopeless:
                    continue
                for share in (1.0, 0.3, 0.03) if k == 0 else (r.share,):
                    got = in_child(lambda: solve_with(problem, peer, tolerance, share), arguments.limit)
                    if got is None or got["error"] < tolerance or not got["error"] < 100.0 * tolerance:
                        break
                if got is None:
                    # beyond the limit, or a crash: neither a finer tolerance nor another storage will do better
                    if k == 0:
                        hopeless |= {other for other in peers_of(problem) if other[0] == peer[0] and other not in peers}
                        hopeless.add(peer)
                    continue
                r.error = got["error"]
                if got["error"] < tolerance:
                    r.solved, r.share = True, share
                    r.rounds.append(got["seconds"])
        answer[tolerance] = mine, merge(peers)
    return answer


def mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else math.nan


def spread(results):
    return mean([max(r.rounds) / min(r.rounds) for r in results if len(r.rounds) > 1])


def show(problem, answer, out):
    for tolerance, (mine, peers) in answer.items():
        solved = {name: r for name, r in peers.items() if r.solved}
        fastest = min(solved, key=lambda name: solved[name].least(), default=None)
        print("%-38.38s %dD %5d  %.0e  percuss %s %7.1e %10.4f ms by %s" %
              (problem.name, problem.dim, problem.rows, tolerance, "+" if mine.solved else "-", mine.error,
               1e3 * mine.least(), mine.finished))
        for name, r in peers.items():
            time_text = "%10.4f ms" % (1e3 * r.least()) if r.rounds else "      none   "
            print("    %-15s %-7s %s %7.1e %s" % (name, r.storage, "+" if r.solved else "-", r.error, time_text))
            out.append((problem.name, problem.dim, problem.rows, tolerance, name, r.storage, int(r.solved), r.error,
                        r.least()))
        out.append((problem.name, problem.dim, problem.rows, tolerance, "percuss", mine.finished, int(mine.solved),
                    mine.error, mine.least()))
        if fastest and mine.solved:
            print("    fastest peer: %s, percuss / it: %.3f" % (fastest, mine.least() / solved[fastest].least()))
        else:
            print("    fastest peer: %s" % (fastest or "none solves it"))
    sys.stdout.flush()


def summary(everything):
    print("\n%-22s %5s %8s %15s %15s %20s %7s %6s %s" %
          ("class", "to", "problems", "solved: percuss", "any one peer", "both: percuss, peers", "ratio", "faster",
           "spread of rounds"))
    for category in CLASSES:
        for tolerance in TOLERANCES:
            rows = [answer[tolerance] for problem, answer in everything if problem.category() == category]
            if not rows:
                continue
            both, used = [], []
            for mine, peers in rows:
                times = [r.least() for r in peers.values() if r.solved]
                if mine.solved and times:
                    both.append((mine.least(), min(times)))
                    used += [mine] + [r for r in peers.values() if r.solved and r.least() == min(times)]
            ours, theirs = mean([a for a, _ in both]), mean([b for _, b in both])
            print("%-22s %.0e %8d %15d %15d %9.4f %10.4f %7.3f %3d/%-3d %.2f" %
                  (category, tolerance, len(rows), sum(m.solved for m, _ in rows),
                   sum(any(r.solved for r in p.values()) for _, p in rows), 1e3 * ours, 1e3 * theirs, ours / theirs,
                   sum(a < b for a, b in both), len(both), spread(used)))
    print("times: geometric means in ms over the problems that percuss and some peer solve, the fastest peer of each"
          " problem;\nfaster: problems where percuss takes less than every peer")
    print("\nsolver by solver: problems solved; geometric mean of percuss' time / its, over the problems both solve")
    for dim in (3, 2):
        names = []
        for problem, answer in everything:
            if problem.dim == dim:
                names += [n for n in answer[TOLERANCES[0]][1] if n not in names]
        for name in names:
            text = ""
            for tolerance in TOLERANCES:
                rows = [answer[tolerance] for problem, answer in everything if problem.dim == dim]
                pairs = [(m, p[name]) for m, p in rows if name in p and p[name].solved]
                ratio = mean([m.least() / r.least() for m, r in pairs if m.solved])
                text += "   %.0e: %2d of %2d, %7.3f" % (tolerance, len(pairs), len(rows), ratio)
            print("%dD %-15s%s" % (dim, name, text))
    print("\nwhere a peer is faster than percuss, or solves what percuss does not")
    for problem, answer in everything:
        for tolerance, (mine, peers) in answer.items():
            solved = sorted((r.least(), name) for name, r in peers.items() if r.solved)
            if solved and not (mine.solved and mine.least() <= solved[0][0]):
                print("%-38.38s %.0e  percuss %s %9.4f ms (%s), %s %9.4f ms, ratio %.2f" %
                      (problem.name, tolerance, "+" if mine.solved else "-", 1e3 * mine.least(), mine.finished,
                       solved[0][1], 1e3 * solved[0][0], mine.least() / solved[0][0]))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="percuss and Siconos on the same contact problems")
    parser.add_argument("--folder", default=os.path.join(here, "../../../shared/fclib/open"))
    parser.add_argument("--percuss", default="tests/bench/bench_cone")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of CPU for the solves of one process")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="problems whose name has this text")
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.folder):
        print("there is no folder %s: nothing to compare" % arguments.folder)
        return 0
    everything, out = [], []
    for name in sorted(os.listdir(arguments.folder)):
        if name.endswith(".hdf5") and arguments.only in name:
            problem = Problem(os.path.join(arguments.folder, name))
            try:
                answer = measure(problem, arguments)
            except KeyboardInterrupt:
                print("interrupted at", problem.name)
                break
            everything.append((problem, answer))
            show(problem, answer, out)
    summary(everything)
    if arguments.csv:
        with open(arguments.csv, "w") as file:
            file.write("problem,dim,rows,tolerance,solver,storage_or_finished,solved,error,seconds\n")
            file.writelines("%s,%d,%d,%g,%s,%s,%d,%.3e,%.6e\n" % row for row in out)
    return 0


sys.exit(main())

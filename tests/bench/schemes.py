#!/usr/bin/python3
"""The time per step of systems of a few bodies, and of a chain, by percuss and by Siconos: ratios within one run.

    schemes.py --percuss BENCH_SCHEMES --cases FOLDER [--cxx CXX] [--folder DIR] [--repeat N] [--only SYSTEM ...] [--json OUT]

Each line is a way of percuss against a way of Siconos, run in turns, `repeat` times; the ratio of their times per step is that of the
median, then the least and the most. Siconos is asked through its C++ library (libsiconos-mechanics-dev, which python3-siconos
brings along), which is a tenth faster than from Python; schemes_siconos.cc says what it is given. Steps, masses and tolerances are those of
percuss' cases on both sides; CPU time of one thread, no output.

What is like what: theta against MoreauJeanOSI; the chain by joints: velocity, as MoreauJeanOSI has them, with KneeJointR (3 equations) and PivotJointR
(5); the secant of theta and the levels of generalized-alpha keep the chain together, which those do not. NewMarkAlphaOSI has its place in an
event-driven strategy alone, which does not get past the first impact of this ball: 200 steps of falling. MoreauJeanGOSI has no contacts in the plane."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-O2", "-w"] + ["-I/usr/include/siconos" + part for part in ("", "/kernel", "/numerics", "/mechanics")]
LIBRARIES = ["-lsiconos_mechanics", "-lsiconos_kernel", "-lsiconos_numerics"]
CHAIN = 100

# system, steps (0: as many as the case has), what percuss is told, the way of Siconos
LINES = [
    ("bouncing-ball", 0, ("time.scheme=theta",), "moreau-jean"),
    ("bouncing-ball", 0, ("time.scheme=ggl",), "moreau-jean"),
    ("bouncing-ball", 0, ("time.scheme=generalized-alpha",), "moreau-jean"),
    ("bouncing-ball", 0, ("time.scheme=theta",), "moreau-jean-global"),
    ("bouncing-ball", 200, ("time.scheme=ggl",), "newmark-alpha"),
    ("bouncing-ball", 200, ("time.scheme=generalized-alpha",), "newmark-alpha"),
    ("ball-in-corner", 0, ("time.scheme=theta",), "moreau-jean"),
    ("ball-in-corner", 0, ("time.scheme=generalized-alpha",), "moreau-jean"),
    ("painleve-rod", 1000, ("time.scheme=theta",), "moreau-jean"),
    ("painleve-rod", 1000, ("time.scheme=generalized-alpha",), "moreau-jean"),
    ("chain", 100, ("time.scheme=theta", "time.joints=velocity"), "pivot"),
    ("chain", 100, ("time.scheme=theta", "time.joints=velocity"), "ball"),
    ("chain", 100, ("time.scheme=theta",), "pivot"),
    ("chain", 100, ("time.scheme=theta",), "ball"),
    ("chain", 100, ("time.scheme=generalized-alpha",), "pivot"),
    ("chain", 100, ("time.scheme=ggl",), "pivot"),
]


def told(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"))
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        print("%s: failed\n%s" % (" ".join(command), done.stderr[-800:]), file=sys.stderr)
        return None
    return json.loads(lines[-1])


def build_siconos(o):
    """The program, or None where its headers are not there."""
    program = os.path.join(o.folder, "schemes_siconos")
    if not os.path.exists("/usr/include/siconos/mechanics/PivotJointR.hpp") or not shutil.which(o.cxx.split()[0]):
        return None
    done = subprocess.run([*o.cxx.split(), *FLAGS, os.path.join(HERE, "schemes_siconos.cc"), "-o", program, *LIBRARIES],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stderr[-800:], file=sys.stderr)
    return program if done.returncode == 0 else None


def case_of(o, system):
    if system != "chain":
        return os.path.join(o.cases, system + ".yaml")
    path = os.path.join(o.folder, "chain.yaml")
    with open(path, "w", encoding="ascii") as out:
        subprocess.run([sys.executable, os.path.join(HERE, "schemes_chain.py"), str(CHAIN)], stdout=out, check=True)
    return path


def measure(o, siconos, system, steps, settings, way):
    case = case_of(o, system)
    name = "chain-%d" % CHAIN if system == "chain" else system
    ours, theirs = [], []
    for _ in range(o.repeat):
        ours.append(told([o.percuss, case, "3", str(steps), *settings]))
        if siconos:
            theirs.append(told([siconos, name, way, "1" if system == "chain" else "3", str(steps)]))
        if None in ours or None in theirs:
            return None
    row = {"system": name, "percuss": " ".join(word.split("=")[1] for word in settings), "siconos": way, "passes": ours[0]["passes"],
           "steps": ours[0]["steps"], "h": ours[0]["h"], "percuss_us": 1e6 * statistics.median(r["step"] for r in ours)}
    if siconos:
        ratios = sorted(b["step"] / a["step"] for a, b in zip(ours, theirs))
        row.update(siconos_us=1e6 * statistics.median(r["step"] for r in theirs), ratio=statistics.median(ratios), least=ratios[0],
                   most=ratios[-1])
    return row


def show(row):
    line = "%-15s %-20s %6.3g %10.3f" % (row["system"], row["percuss"], row["passes"], row["percuss_us"])
    if "ratio" in row:
        line += "   %-18s %10.2f   %6.1f  (%.1f to %.1f)" % (row["siconos"], row["siconos_us"], row["ratio"], row["least"], row["most"])
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--percuss", required=True)
    parser.add_argument("--cases", required=True)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--folder", default="bench-schemes")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--json", default="bench-schemes.json")
    o = parser.parse_args()
    os.makedirs(o.folder, exist_ok=True)
    siconos = build_siconos(o)
    print("\n%-15s %-20s %6s %10s   %-18s %10s   %6s" % ("system", "percuss", "passes", "us a step", "Siconos", "us a step", "ratio"))
    rows = []
    for line in LINES:
        if o.only and line[0] not in o.only:
            continue
        row = measure(o, siconos, *line)
        if row:
            show(row)
            rows.append(row)
    if not siconos:
        print("no comparison with Siconos: apt-get install --no-install-recommends python3-siconos")
    with open(o.json, "w", encoding="utf-8") as out:
        json.dump(rows, out, indent=1)
    return len(rows) == 0


if __name__ == "__main__":
    sys.exit(main())

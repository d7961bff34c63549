#!/usr/bin/python3
"""Scenes of many bodies by percuss and by others, side by side: Siconos (with its Bullet binding), Bullet, ODE.

    bodies.py --percuss BENCH_BODIES --space BENCH_SPACE [--folder DIR] [--cc CC] [--cxx CXX] [--only SCENE ...] [--rounds N] [--scaling]

Debian: apt-get install --no-install-recommends python3-siconos libbullet-dev libode-dev python3-scipy. What is not there is said
and skipped.

A scene of bodies_scene.py, or in space of space_scene.py, settles by percuss (by ODE, if it is there and bodies are more than 5 000); from there all programs go on, with the same step h, friction, e = 0 and number of
steps (Siconos fewer), after some steps that are not timed. Bullet and ODE are run with the settings that they come with, and with
ten times as many iterations; Siconos with its default tolerance, and with a hundredth; percuss with tolerances from 0.5 to 1e-8. Each of
the others is compared with the fastest of the runs of percuss that left as small a residual, or a smaller one.

Times are CPU times of one thread of the whole step: detection, contact problem, integration, and of percuss the ledger. Each
run is repeated `rounds` times in turns (less often if slow), each in a process of its own; medians are printed, and the fastest and slowest. The
residual and the penetration of all programs are measured by bodies_measure.py or space_measure.py from what they leave. `own` is the residual of the
law that the game engines mean to solve, in which overlaps are pushed apart at a given rate; percuss is compared with the smaller
of the two. Memory is the most that a process had beyond what it had before it read the scene."""
import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCENES = ("discs-1000", "discs-10000", "tower-50", "silo-3000", "wall-275", "boxes-1000", "spheres-2000")
IN_SPACE = ("wall", "boxes", "spheres")
SIZES = (1000, 2000, 5000, 10000, 20000, 50000)
TOLERANCES = (0.5, 0.1, 1e-2, 1e-4, 1e-6, 1e-8)
LARGE = 5000  # bodies
LIMIT = 900  # s for one run, by the clock
SLOW = 30  # s of timed steps in all, beyond which a run is not repeated


def told(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def stem(name):
    """what the scripts and drivers of this scene are called"""
    return "space" if name.partition("-")[0] in IN_SPACE else "bodies"


class Programs:
    """What is there: a name and how it is called, in the plane and in space, SCENE OUT WORD=VALUE..."""

    def __init__(self, o):
        self.limit = o.limit
        self.command = {"percuss": {"bodies": [os.path.abspath(o.percuss)], "space": [os.path.abspath(o.space)]}}
        for name, package, ending, compiler in (("Bullet", "bullet", "cc", o.cxx), ("ODE", "ode", "c", o.cc)):
            if shutil.which("pkg-config") and told(["pkg-config", "--exists", package]).returncode == 0:
                flags = told(["pkg-config", "--cflags", "--libs", package]).stdout.split()
                made = {kind: self.build(o.folder, "%s_%s" % (kind, package), ending, compiler, flags) for kind in ("bodies", "space")}
                if all(made.values()):
                    self.command[name] = made
                    continue
            print("no comparison with %s: apt-get install --no-install-recommends pkg-config lib%s-dev" % (name, package))
        if told(["/usr/bin/python3", "-c", "import siconos.mechanics.collision.bullet"]).returncode == 0:
            self.command["Siconos"] = {kind: ["/usr/bin/python3", os.path.join(HERE, kind + "_siconos.py")] for kind in ("bodies", "space")}
        else:
            print("no comparison with Siconos: apt-get install --no-install-recommends python3-siconos")

    @staticmethod
    def build(folder, name, ending, compiler, flags):
        program = os.path.join(folder, name)
        built = told([*compiler.split(), "-O2", "-D_GNU_SOURCE", "-o", program, os.path.join(HERE, name + "." + ending), *flags, "-lm"])
        print(built.stderr, end="")
        return [os.path.abspath(program)] if built.returncode == 0 else None

    def run(self, program, scene, out, options):
        """the result, measured; None where it failed"""
        words = ["%s=%s" % pair for pair in options.items()]
        try:
            kind = stem(os.path.basename(scene))
            done = subprocess.run([*self.command[program][kind], scene, out, *words], capture_output=True, text=True, check=False, timeout=self.limit)
        except subprocess.TimeoutExpired:
            print("  %s: more than %d s" % (program, self.limit))
            return None
        if done.returncode:
            print("  %s failed: %s" % (program, (done.stderr or done.stdout).strip()[-300:]))
            return None
        measured = told(["/usr/bin/python3", os.path.join(HERE, kind + "_measure.py"), scene, out])
        if measured.returncode:
            print("  %s: cannot be measured: %s" % (program, measured.stderr[-300:]))
            return None
        result = json.loads(measured.stdout)
        print("%s %s: %.4g s a step" % (program, " ".join(words), result["seconds"] / result["steps"]), file=sys.stderr, flush=True)
        return result


def settled_scene(programs, name, o):
    made, path = os.path.join(o.folder, name + ".txt"), os.path.join(o.folder, name + ".settled.txt")
    if not os.path.exists(path):
        subprocess.run([sys.executable, os.path.join(HERE, stem(name) + "_scene.py"), name, made], check=True)
        large = int(name.partition("-")[2]) > LARGE and not name.startswith("packed") and "ODE" in programs.command
        settler = programs.command["ODE" if large else o.settler][stem(name)]
        subprocess.run([*settler, made, path + ".part", "settle=1"], check=True, stdout=subprocess.DEVNULL)
        os.replace(path + ".part", path)
    return path


class Row:
    def __init__(self, program, options, label):
        self.program, self.options, self.label, self.results = program, options, label, []

    def seconds(self):
        return [r["seconds"] / r["steps"] for r in self.results]

    def last(self):
        return self.results[-1]

    def wanted(self):
        """the residual that percuss is to reach to be compared with it"""
        return min(self.last()["residual"], self.last()["own"])


HEAD = "  %-30s %9s %17s %8s %9s %9s %9s %9s %9s %9s %7s" % (
    "", "steps/s", "least to most", "us each", "contacts", "residual", "own", "deepest", "mean", "fastest", "memory")


def print_row(row, bodies):
    seconds, r = row.seconds(), row.last()
    print("  %-30s %9.1f %8.1f %8.1f %8.3f %9.0f %9.1e %9.1e %9.1e %9.1e %9.1e %7.0f" % (
        row.label, 1 / statistics.median(seconds), 1 / max(seconds), 1 / min(seconds), 1e6 * statistics.median(seconds) / max(1, r["contacts"]),
        r["contacts"], r["residual"], r["own"], r["penetration"], r["mean_penetration"], r["fastest"], r["bytes"] / bodies), flush=True)


def compare(programs, name, o):
    scene = settled_scene(programs, name, o)
    bodies = int(name.partition("-")[2])
    few = {"steps": 20 if bodies <= 1000 else 5, "warm": 3 if bodies <= 1000 else 1}
    some = {"steps": o.steps} if o.steps else {}
    rows = [Row("Bullet", some, "Bullet, 10 iterations"), Row("Bullet", {"iterations": 100, **some}, "Bullet, 100"),
            Row("ODE", some, "ODE, 20 iterations"), Row("ODE", {"iterations": 200, **some}, "ODE, 200"),
            Row("Siconos", {"tolerance": 1e-4, **few}, "Siconos, 1e-4"), Row("Siconos", {"tolerance": 1e-6, "sweeps": 10000, **few}, "Siconos, 1e-6")]
    rows = [row for row in rows if row.program in programs.command and row.label not in o.without]
    print("\n%s\n%s" % (name, HEAD))
    for row in rows:
        result = programs.run(row.program, scene, os.path.join(o.folder, "out"), row.options)
        if result:
            row.results.append(result)
    rows = [row for row in rows if row.results]
    ours = [Row("percuss", {"tolerance": "%g" % t, **(few if t < 1e-6 else some)}, "percuss, %g" % t) for t in o.tolerances]
    for row in ours:
        result = programs.run(row.program, scene, os.path.join(o.folder, "out"), row.options)
        if result:
            row.results.append(result)
    ours = [row for row in ours if row.results]
    for _ in range(1, o.rounds):
        for row in rows + ours:
            if sum(row.seconds()) * row.last()["steps"] < SLOW:
                row.results.append(programs.run(row.program, scene, os.path.join(o.folder, "out"), row.options))
    for row in rows + ours:
        print_row(row, bodies)
    for row in rows:
        as_good = [own for own in ours if own.last()["residual"] <= row.wanted()]
        if as_good:
            best = min(as_good, key=lambda own: statistics.median(own.seconds()))
            print("  %-26s leaves %.1e; percuss with %-8s leaves %.1e and is %.2f x as fast" % (
                row.label, row.wanted(), best.label.split()[1], best.last()["residual"],
                statistics.median(row.seconds()) / statistics.median(best.seconds())), flush=True)
    return {row.label: row.results for row in rows + ours}


PARTS = ("find", "evaluate", "sweeps", "ledger", "rest")


def scaling(programs, o):
    """What a step costs in parts, in CPU time: a search and an evaluation of all contacts by themselves; with ten sweeps of Gauss-Seidel
    and with thirty, whose difference is that of twenty sweeps; the rest is W by blocks, the measure, states and second searches."""
    table = []
    print("\nscaling: packed discs in a box; a step in us, 10 sweeps of Gauss-Seidel\n  %8s %9s %10s  %s  %s" % (
        "discs", "contacts", "a step", " ".join("%9s" % p for p in PARTS), "bytes a body, a contact"), flush=True)
    for size in SIZES:
        if size > o.largest:
            break
        scene = settled_scene(programs, "packed-%d" % size, o)
        options = {"steps": 20, "warm": 5, "tolerance": 1e-14, "solver": "gauss-seidel"}
        pairs = []
        for _ in range(o.rounds):
            pairs.append([programs.run("percuss", scene, os.path.join(o.folder, "out"), {**options, "sweeps": n}) for n in (10, 30)])
        ten, thirty = (min((pair[k] for pair in pairs), key=lambda r: r["seconds"]) for k in (0, 1))
        step = ten["seconds"] / ten["steps"]
        part = {**ten, "bodies": size, "step": step, "sweeps": (thirty["seconds"] - ten["seconds"]) / ten["steps"] / 2}
        part["rest"] = step - part["find"] - part["evaluate"] - part["sweeps"] - part["ledger"]
        table.append(part)
        print("  %8d %9.0f %10.0f  %s  %8.0f %8.0f" % (
            size, ten["contacts"], 1e6 * step, " ".join("%9.0f" % (1e6 * part[p]) for p in PARTS), ten["bytes"] / size,
            ten["bytes"] / ten["contacts"]), flush=True)
    if len(table) > 1:
        first, last = table[0], table[-1]
        print("exponents from %d to %d bodies:" % (first["bodies"], last["bodies"]) + ",".join(
            " %s %.2f" % (p, math.log(last[p] / first[p]) / math.log(last["bodies"] / first["bodies"]))
            for p in ("step", *PARTS) if first[p] > 0 and last[p] > 0))
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--percuss", required=True)
    parser.add_argument("--space", required=True)
    parser.add_argument("--folder", default="bench-bodies")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--only", nargs="*", default=SCENES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--settler", default="percuss")
    parser.add_argument("--tolerances", type=float, nargs="*", default=TOLERANCES, help="of percuss")
    parser.add_argument("--without", nargs="*", default=(), help="labels of rows that are left out")
    parser.add_argument("--steps", type=int, default=0, help="timed steps; 0: as the scene says, fewer of Siconos and of tolerances below 1e-6")
    parser.add_argument("--limit", type=int, default=LIMIT, help="seconds for a run")
    parser.add_argument("--scaling", action="store_true", help="and what steps cost from 1 000 to 50 000 discs")
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    o = parser.parse_args()
    os.makedirs(o.folder, exist_ok=True)
    programs = Programs(o)
    results = {name: compare(programs, name, o) for name in o.only}
    if o.scaling:
        results["scaling"] = scaling(programs, o)
    with open(os.path.join(o.folder, "bodies.json"), "w", encoding="utf-8") as out:
        json.dump(results, out, indent=1)
    print("\nus each: a step over its contacts; residuals, deepest and mean overlap (of the bodies' mean size), fastest body: at the end; "
          "memory: bytes a body\nall of it as JSON: " + out.name)


if __name__ == "__main__":
    main()

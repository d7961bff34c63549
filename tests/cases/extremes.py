"""Walks the numbers of a case through extremes that are legal: exact zeros, the smallest and the largest numbers, nothing and very
many of everything. Each run of three steps gives a result of finite numbers, or a message with a place: no crash, no hang, no nan.

    extremes.py PERCUSS SOURCE [HOW_MANY]

HOW_MANY: a sample, the same every time; without it all. Prints what is wrong."""

import csv
import math
import os
import random
import re
import shutil
import subprocess
import sys

NUMBERS = ("0", "-0.0", "1e-300", "1e300", "5e-324", "1e-310", "1.7976931348623157e308", "-1e300", "-1e-300", "1")
PATIENCE = 60  # seconds, of a run that takes a tenth of one

MESH = """mesh: {file: good.msh}
model: {plane: strain, gravity: [0, -1], thickness: 1, body_force: [0, 0], damping: {mass: 0, stiffness: 0}}
materials:
  body: {young: 1, poisson: 0.3, density: 1}
contacts:
  floor: {plane: {point: [0, 0], normal: [0, 1]}, friction: 0.5, restitution: 0}
loads:
  top: {traction: [0, 0], pressure: 0}
probes:
  p: {point: [0.25, 0.25]}
time: {end: 3e-3, step: 1e-3, theta: 0.5}
contact: {gap_tolerance: 0, velocity_tolerance: 0, tolerance: 1e-10}
output: {every: 1, checkpoint: 2}
"""
BODIES = """model: {gravity: [0, -1], thickness: 1}
bodies:
  ball: {mass: 1, inertia: 1, position: [0, 1], angle: 0, velocity: [0, 0], spin: 0, force: [0, 0], moment: 0, disc: 1}
  tile: {density: 1, position: [5, 1], polygon: [[-1, -1], [1, -1], [1, 1], [-1, 1]]}
contacts:
  floor: {body: ball, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.5, restitution: 0, tangential_restitution: 0}
  corners: {body: tile, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.5}
time: {end: 3e-3, step: 1e-3, theta: 0.5, law: newton}
output: {every: 1, checkpoint: 2}
"""
COMMON = ("model.gravity=[0, {}]", "model.gravity=[{}, 0]", "contacts.floor.plane.point=[0, {}]",
          "contacts.floor.plane.normal=[0, {}]", "contacts.floor.plane.normal=[{}, 1]", "contacts.floor.friction={}",
          "contacts.floor.restitution={}", "time.theta={}", "time.end={}", "contact.gap_tolerance={}",
          "contact.velocity_tolerance={}", "contact.tolerance={}", "contact.max_penetration={}", "output.checkpoint_time={}",
          "model.thickness={}", "model.gravity=[0, '{}*t']", "contacts.floor.friction='{} + 0*x'")
OF_MESH = ("model.body_force=[{}, 0]", "model.damping.mass={}", "model.damping.stiffness={}", "materials.body.young={}",
           "materials.body.poisson={}", "materials.body.density={}", "loads.top.traction=[{}, 0]", "loads.top.pressure={}",
           "loads.top.pressure='{}*sin(t)'", "probes.p.point=[{}, 0.25]", "supports.top.x={}", "supports.top.x='{}*t'",
           "initial={{state: velocity, velocity: [{}, 0]}}", "mesh.size={}",
           "exact={{displacement: ['{}*t', 0], velocity: ['{}', 0]}}")
OF_BODIES = ("bodies.ball.mass={}", "bodies.ball.inertia={}", "bodies.tile.density={}", "bodies.ball.position=[0, {}]",
             "bodies.ball.position=[{}, 1]", "bodies.ball.angle={}", "bodies.ball.velocity=[0, {}]",
             "bodies.ball.velocity=[{}, 0]", "bodies.ball.spin={}", "bodies.ball.force=[0, {}]", "bodies.ball.moment={}",
             "bodies.tile.polygon=[[0, 0], [{}, 0], [0, 1]]", "bodies.ball.disc={}",
             "contacts.corners.points=[[{}, -1], [1, -1]]", "contacts.floor.tangential_restitution={}")


def steps(number):
    """A time step of that size, and three of them."""
    return [f"time.step={number}", f"time.end={min(3 * float(number), 1e308)!r}"]


def runs():
    """(name of the case, settings)"""
    for case, keys in (("mesh", COMMON + OF_MESH), ("bodies", COMMON + OF_BODIES)):
        for key in keys:
            for number in NUMBERS:
                yield case, [key.replace("{}", number).replace("{{", "{").replace("}}", "}")]
        for number in NUMBERS:
            yield case, steps(number)
        for empty in ("[]", "{}", "", "[[]]", "[0]", "[0, 0, 0]"):
            for key in ("contacts", "loads", "probes", "bodies", "materials", "model.gravity", "bodies.tile.polygon", "output", "time"):
                yield case, [f"{key}={empty or '~'}"]
    for case, thousand in (
            ("mesh", [f"probes.p{k}.point=[0.1, 0.1]" for k in range(2000)]),
            ("mesh", [f"contacts.c{k}={{group: floor, plane: {{point: [0, -{k}], normal: [0, 1]}}, friction: 0}}" for k in range(300)]),
            ("mesh", [f"loads.l{k}={{group: top, pressure: 1e-9}}" for k in range(2000)]),
            ("mesh", [f"supports.s{k}={{group: top, x: 0}}" for k in range(2000)]),
            ("bodies", [f"bodies.b{k}={{mass: 1, inertia: 1, position: [0, 1]}}" for k in range(1000)]),
            ("bodies", ["bodies.tile.polygon=[" + ", ".join(
                f"[{math.cos(k / 500 * math.pi)!r}, {math.sin(k / 500 * math.pi)!r}]" for k in range(1000)) + "]"])):
        yield case, thousand


def bad_numbers(folder):
    """Tables with a number that is none."""
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".csv"):
            continue
        with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
            texts = [column for column, title in enumerate(rows[0]) if title in ("contact", "body", "point", "other", "group")]
            for row in rows[1:]:
                if any(not math.isfinite(float(cell)) for column, cell in enumerate(row) if column not in texts):
                    yield f"{name}: {','.join(row)[:200]}"
                    break


def faults(percuss, case, settings):
    """What is wrong with one run, in words."""
    shutil.rmtree("run", ignore_errors=True)
    command = [percuss, "run", f"{case}.yaml", "--quiet", "-o", "run"]
    for setting in settings:
        command += ["--set", setting]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return ["it hangs"]
    text = done.stderr.decode("utf-8", "replace")
    found = []
    if done.returncode not in (0, 1, 2):
        found.append(f"it ends with {done.returncode}")
    if done.returncode == 2 and not re.match(rf"{case}\.yaml: --set |{case}\.yaml:\d+:\d+: ", text):
        found.append("a refusal without a place")
    if done.returncode == 1 and not text.strip():
        found.append("a failure without a word")
    if re.search(r"\b(nan|inf)\b", text, re.IGNORECASE):
        found.append("a message of nan or inf")
    if done.returncode == 0:
        found += bad_numbers("run")
    return [f"{what}: {text.strip()[:300]}" for what in found]


def main():
    percuss, source = sys.argv[1:3]
    shutil.copy(os.path.join(source, "tests/input/good.msh"), "good.msh")
    for name, text in (("mesh", MESH), ("bodies", BODIES)):
        with open(f"{name}.yaml", "w", encoding="utf-8") as file:
            file.write(text)
    chosen = list(runs())
    if len(sys.argv) > 3:
        chosen = random.Random(20261119).sample(chosen, int(sys.argv[3]))
    wrong = 0
    for case, settings in chosen:
        for fault in faults(percuss, case, settings):
            print(f"{case} {' '.join(settings)[:120]}: {fault}")
            wrong += 1
    print(f"{len(chosen)} runs, {wrong} faults", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

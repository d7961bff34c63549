"""A rupture on a fault against a boundary integral program, and two bodies that meet against closed forms."""

import csv
import math
import os
import sys

from page import cases, order, run, say, source, table

sys.path[:0] = [os.path.join(source, "tests", "support")]
from rupture import errors, stations  # noqa: E402


def ruptures(case, reference, name, members):
    path = os.path.join(source, "tests", "data", "tpv205", reference)
    places = sorted(stations(path))
    found = []
    for size, step in members:
        folder = run(os.path.join(cases, case), f"{name}-{size}", f"mesh.size={size}", f"time.step={step}", "output.contacts=true",
                     "output.every=0", "output.checkpoint=0")
        found.append((size, step, errors(folder, path)))
    for k, what, factor, digits in ((0, "time of half weakening, ms", 1e3, 1), (1, "time when it moves by 1 mm/s, ms", 1e3, 1),
                                    (2, "largest slip rate, %", 1e2, 1), (3, "slip at the end, %", 1e2, 2)):
        say(f"Errors of the {what}:")
        table(["size, m", "step, ms"] + [f"{x / 1e3:g} km" for x in places],
              [[size, f"{1e3 * float(step):g}"] + [f"{factor * e[x][k]:+.{digits}f}" for x in places] for size, step, e in found])


def faults():
    say("## A rupture on a fault", "TPV205 of the SCEC/USGS project in the plane, `cases/fault.yaml`, against a boundary integral program with cells "
        "of 6.25 m: a rupture that begins by itself, on a fault whose friction weakens with slip, at stations along it. θ = 0.55, consistent mass. At "
        "12 km the stress comes within 0.8 % of the strength before the front is there: what happens first is ill-conditioned.")
    ruptures("fault.yaml", "stations.csv", "fault", (("150", "5e-3"), ("100", "5e-3"), ("75", "3.75e-3")))
    say("What is missing of the slip rate at 12 km is the mesh's: there the front, at 2.9 km/s, has a peak that stands above 70 % of its height over 145 m alone (at "
        "-12 km 320 m, at 4.5 km 260 m), and the mean of the reference itself over two elements of 100 m is 19 % less than that (at -12 km 6 %, at 4.5 km 7 %). 30 % take "
        "75 m; θ = 0.51 in place of 0.55 gives -32.0 % with 100 m, lumped mass -31.9 %. With lumped mass and 100 m the times of half weakening "
        "are late, by 32, 20, 13, 8, 13, 12 ms, and at 12 km 15 ms early; what moves by 1 mm/s is 18 ms early at ±4.5 km and 140 ms at 12 km. Peaks are nearer then (0 to -13 %).")
    say("The same on a shorter fault, `cases/fault-small.yaml`:")
    ruptures("fault-small.yaml", "stations-small.csv", "fault-small", (("300", "1e-2"), ("150", "5e-3"), ("75", "2.5e-3")))
    say("Squares of 150 m of the same, three seconds, turned by 37°, mirrored, in mm, g and ms, and with the two sides exchanged (`tests/support/fault_seen_from.py`; coarser and shorter in "
        "`tests/cases/fault.test`): slips, percussions and slip rates differ by at most 2 · 10⁻¹³ of the largest, mirrored, where contacts stand in another order, by 5 · 10⁻⁹, times of half "
        "weakening by 10⁻¹³ s, mirrored 10⁻¹⁰ s.")


def columns(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {key: [float(row[key]) for row in rows] for key in rows[0]}


def two_bodies():
    say("## Two bodies that meet", "`cases/bars.yaml`: two bars at 200 m/s, whose meshes do not match. The contact should last 68.951 µs with "
        "92.819 MN; the mean force is that between 0.2 and 1.8 L/c. What is lost goes into waves too short for the mesh.")
    rows = []
    for size in (0.01, 0.005, 0.0025):
        folder = run(os.path.join(cases, "bars.yaml"), f"bars-{size}", f"mesh.size={size}", f"time.step={8e-5 * size:g}", "output.every=0")
        f, e = columns(folder, "forces.csv"), columns(folder, "energy.csv")
        force = f["ends_force_normal"]
        on = [t for t, p in zip(f["t"], force) if p > 46.4e6]
        some = [p for t, p in zip(f["t"], force) if 0.2 < (t - 5e-6) / 34.476e-6 < 1.8]
        rows.append([size, f"{1e6 * (on[-1] - on[0]):.2f}", f"{sum(some) / len(some) / 92.819096e6:.4f}",
                     f"{-100 * e['work_contact_normal'][-1] / e['kinetic'][0]:.2f}"])
    table(["size", "contact, µs", "mean force / 92.819 MN", "energy lost, %"], rows)
    say("`cases/press-fit.yaml`, a tube in a hub: force between them against Lamé's 25 133 N.")
    rows, last = [], math.nan
    for size in (2, 1, 0.5):
        folder = run(os.path.join(cases, "press-fit.yaml"), f"fit-{size}", f"mesh.size={size}", "output.every=0")
        wrong = abs(columns(folder, "forces.csv")["fit_force_normal"][1] / (4000 * math.pi * 2) - 1)
        rows.append([size, f"{wrong:.2e}", order(math.log2(last / wrong))])
        last = wrong
    table(["size, mm", "error", "order"], rows)
    folder = run(os.path.join(cases, "sliding-wedge.yaml"), "wedge", "output.every=0")
    say(f"`cases/sliding-wedge.yaml`: F/G = {columns(folder, 'forces.csv')['back_reaction_x'][-1] / 554461.2:.6f}, by NAFEMS 0.412371.")
    say("`cases/ironing.yaml`, a die drawn along a slab (linear strains): forces on the way, from t = 1.2 to 1.8, and by how much they vary, of the largest.")
    rows = []
    for size, step in ((0.2, 0.01), (0.1, 0.01), (0.05, 0.005)):
        folder = run(os.path.join(cases, "ironing.yaml"), f"ironing-{size}", f"mesh.size={size}", f"time.step={step}", "output.every=0")
        f = columns(folder, "forces.csv")
        way = [k for k, t in enumerate(f["t"]) if 1.2 <= t <= 1.8]
        row = [size, step]
        for name in ("grip_reaction_x", "grip_reaction_y"):
            values = [abs(f[name][k]) for k in way]
            row += [f"{sum(values) / len(values):.6f}", f"{100 * (max(values) - min(values)) / max(values):.1f} %"]
        rows.append(row)
    table(["size", "step", "along", "varies", "down", "varies"], rows)

#!/usr/bin/python3
"""VERIFICATION.md from real runs: make_page.py PERCUSS SOURCE WORK writes the page and its pictures into SOURCE.

Every number of the page is computed here; WORK keeps the runs; finished members of families are not computed again."""

import csv
import os
import time

import numpy as np

from page import cases, converge, geometry, here, number, order, over_size, page, picture, pictures, plt, run, say, source, table, work

import percuss
from closed_forms import Indentation
from dynamics import bar, damping, manufactured, waves
from faults import faults, two_bodies
from impacts import impacts
from orders import orders


# ---- elements and the scheme ---------------------------------------------------------------------------------------------


def elements():
    say("## Elements: orders in space", "The case `tests/verification/smooth.yaml`, whose solution is smooth: differences of "
        "each mesh from the next finer one at t = 2, relative to the norm of the solution. In L² the order should be 2 with "
        "linear elements and 3 with quadratic ones, in energy 1 and 2. The step is 0.05 for all, so that its error is the same.")
    rows = []
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6))
    for name, kind in (("T3", 3), ("T6", 6), ("Q4", 4), ("Q8", 8), ("Q9", 9)):
        square = geometry("square.geo", f"square-{name}", element=kind)
        c = converge(os.path.join(source, "tests", "verification", "smooth.yaml"), f"smooth-{name}",
                     ["--sizes", "0.25,0.125,0.0625,0.03125" + (",0.015625" if kind < 6 else "")],
                     f"mesh.file={square}")
        for k, norm in enumerate(("u_L2", "u_energy")):
            axes[k].loglog(c["size"][:-1], c[norm + "_error"][:-1] / c[norm + "_norm"][-2], "o-", markersize=4, label=name)
        for i in range(len(c["size"]) - 1):
            rows.append([name, number(c["size"][i]), int(c["unknowns"][i])]
                        + [text for norm in ("u_L2", "u_energy", "v_L2")
                           for text in (number(c[norm + "_error"][i] / c[norm + "_norm"][-2]), order(c[norm + "_order"][i]))])
    table(["element", "size", "unknowns", "u, L²", "order", "u, energy", "order", "v, L²", "order"], rows)
    over_size(axes, "relative difference")
    picture(figure, "elements.png", "Differences over the size of the mesh")


def scheme():
    say("## The scheme: order in time", "The same case on 3-node triangles of size 0.125, the step halved four times. The order "
        "is 2 at θ = ½ and 1 otherwise.")
    rows = []
    for theta in (0.5, 0.6, 1.0):
        c = converge(os.path.join(source, "tests", "verification", "smooth.yaml"), f"steps-{theta}",
                     ["--steps", "0.1,0.05,0.025,0.0125,0.00625"], "mesh.size=0.125", f"time.theta={theta}")
        for i in range(4):
            rows.append([theta, number(c["step"][i])]
                        + [text for norm in ("u_L2", "v_L2")
                           for text in (number(c[norm + "_error"][i] / c[norm + "_norm"][-2]), order(c[norm + "_order"][i]))])
    table(["θ", "step", "u, L²", "order", "v, L²", "order"], rows)


# ---- contact without inertia ------------------------------------------------------------------------------------------------


def hertz():
    say("## Hertz: a cylinder on a rigid plane", "`cases/hertz.yaml`, without inertia and friction. Errors relative to the closed "
        "form at the force of the run: half width from the second moment of the pressure, the peak, and the largest error of "
        "the pressure within 0.9 of the half width, relative to the peak. What remains on fine meshes is of the size of "
        "(a / R)² = 0.3 %, by which the circle differs from the parabola of Hertz and the body from a half-space.")
    rows = []
    for name, file in (("T3", "cylinder.geo"), ("T6", "cylinder-quadratic.geo")):
        for size in (0.2, 0.1, 0.05, 0.025):
            folder = run(os.path.join(cases, "hertz.yaml"), f"hertz-{name}-{size}", f"mesh.size={size}",
                         f"mesh.file={os.path.join(source, 'meshes', file)}")
            one = Indentation(folder, quadratic=name == "T6")
            rows.append([name, size, int((one.p > 0).sum()), number(one.a, 4)]
                        + [f"{100 * e:.2f} %" for e in (one.half_width_error(), one.peak_error(), one.profile_error())])
    table(["element", "size (mm)", "nodes in contact", "a (mm)", "half width", "peak", "profile"], rows)


def partial_slip():
    say("## Cattaneo and Mindlin: partial slip", "The same cylinder, nearly incompressible (ν = 0.499: Dundurs' β = "
        "(1 − 2ν) / (2 (1 − ν)) is 0.002), pressed without friction and then pushed along with μ = 0.3, in 6-node triangles. It should "
        "stick within c = a √(1 − Q / μP). c is measured by the second moment of μp − q, and by the outermost nodes that stick; the "
        "error of q is the largest within 0.8 c, relative to μ p₀. Nodal tractions of quadratic elements alternate between "
        "corners and middles; they are averaged over the length of an edge.")
    base = ["materials.cylinder.poisson=0.499", f"mesh.file={os.path.join(source, 'meshes', 'cylinder-quadratic.geo')}"]
    case, rows = os.path.join(cases, "hertz.yaml"), []
    for size in (0.2, 0.1, 0.05, 0.025):
        pressed = run(case, f"press-{size}", f"mesh.size={size}", "supports.top.y=-0.04*t", *base)
        folder = run(case, f"slip-{size}", f"mesh.size={size}", "contacts.contact.friction=0.3", "supports.top.y=-0.04",
                     "supports.top.x=0.012*t", "time.step=0.05", "initial.state=end_of", f"initial.run={pressed}", *base)
        one = Indentation(folder, poisson=0.499, friction=0.3, quadratic=True)
        low, high = one.sticking()
        rows.append([size, number(one.Q / (0.3 * one.P)), number(one.c / one.a, 4), number(one.stick_width() / one.a, 4),
                     f"{low / one.a:.3f} … {high / one.a:.3f}", f"{100 * one.stick_profile_error():.2f} %"])
    table(["size (mm)", "Q / μP", "c / a", "by moment", "nodes that stick, x / a", "q within 0.8 c"], rows)
    figure, axes = plt.subplots(figsize=(6, 3.4))
    axes.plot(one.x / one.a, one.exact_p() / one.p0, "0.6", label="p / p₀, Hertz")
    axes.plot(one.x / one.a, one.exact_q() / (0.3 * one.p0), "0.6", linestyle="--", label="q / μp₀, Cattaneo–Mindlin")
    axes.plot(one.x / one.a, one.mean(one.p) / one.p0, ".", label="p, computed")
    axes.plot(one.x / one.a, one.mean(one.q) / (0.3 * one.p0), ".", label="q, computed")
    axes.set_xlim(-1.5, 1.5)
    axes.set_xlabel("x / a")
    axes.legend()
    picture(figure, "partial-slip.png", "Pressure and friction under the cylinder, edges of 0.025 mm")


# ---- contact with inertia -------------------------------------------------------------------------------------------------------


def pushed_block():
    say("## A pushed block", "`cases/pushed-block.yaml`: a nearly rigid block of mass 1 and weight 10 on a floor with μ = 0.3. Below a "
        "push of 3 it rests; above, it has the acceleration push − 3. A push of 4 t lets it slide from the first step that "
        "exceeds 3. Friction should take μ N x slip.")
    case, rows = os.path.join(cases, "pushed-block.yaml"), []
    for law in ("fremond", "newton"):
        for push, step, v in (("2.99", 1e-3, 0.0), ("3.01", 1e-3, 0.01), ("4", 1e-3, 1.0), ("4*t", 1e-3, 0.125), ("4*t", 1e-4, 0.125)):
            folder = run(case, f"push-{law}-{push.replace('*', '')}-{step}", f"model.gravity=[{push}, -10]", f"time.law={law}",
                         f"time.step={step}")
            r = percuss.load(folder)
            some_stick = np.nonzero(r.energy["sliding"] < 9)[0][-1]
            slip, taken = r.forces["bottom_slip_mean"][-1], -r.energy["work_contact_tangential"][-1]
            from_step = some_stick + 1 if some_stick < len(r.energy["t"]) - 1 else "–"
            rows.append([law, push, step, number(v), f"{r.probes['centre_v_x'][-1]:.6f}", from_step,
                         number(slip, 6), number(taken, 6), number(abs(taken - 3 * slip), 2)])
    table(["law", "push", "step", "v(1), exact", "v(1)", "all slide from step", "slip", "energy taken", "its error"], rows)


def sliding_block():
    say("## Frémond and Newton on the sliding block", "`cases/sliding-block.yaml`: a block of PMMA under a square wave of traction, 1 ms, "
        "θ = ½, no damping. Each row is one mesh or step; what differs is between it and the next finer. This is what "
        "converges there and what does not, as measured.")
    case = os.path.join(cases, "sliding-block.yaml")
    families = (("h = 1e-4, the mesh refined", "size", ["--sizes", "4,2,1,0.5"], []),
                ("size 2, the step refined", "step", ["--steps", "2e-4,1e-4,5e-5,2.5e-5"], ["mesh.size=2"]))
    for end in ("0.2", "1"):
        when = "before the load first turns, t = 0.2" if end == "0.2" else "after three reversals, t = 1"
        for title, refined, options, sets in families:
            say(f"### {when}; {title}")
            rows = []
            for law in ("fremond", "newton"):
                c = converge(case, f"sliding-{end}-{refined}-{law}", options, "output.every=0", f"time.end={end}",
                             f"time.law={law}", *sets)
                for i in range(4):
                    u, v = ([c[n + "_error"][i] / c[n + "_norm"][2] for n in names]
                            for names in (("u_L2", "u_energy"), ("v_L2",)))
                    rows.append([law, number(c[refined][i]), f"{c['kinetic'][i]:.5g}", f"{c['elastic'][i]:.5g}",
                                 f"{c['work_contact_tangential'][i]:.5g}", f"{c['impulse_bottom_tangential'][i]:.5g}",
                                 number(u[0]), number(u[1]), number(v[0])])
            table(["law", refined, "kinetic", "elastic", "work of friction", "tangential impulse", "u, L²", "u, energy", "v, L²"], rows)


def sliding_picture():
    """Energy over time on all meshes: where it stops to converge."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
    for axis, law in zip(axes, ("fremond", "newton")):
        for size in ("4", "2", "1", "0.5"):
            energy = percuss.load(os.path.join(work, f"sliding-1-size-{law}", f"size-{size}")).energy
            axis.plot(energy["t"], energy["kinetic"] + energy["elastic"], linewidth=0.9, label=f"{size} mm")
        axis.set_title({"fremond": "Frémond", "newton": "Newton"}[law])
        axis.set_xlabel("t (ms)")
        axis.legend()
    axes[0].set_ylabel("kinetic + strain energy (mJ)")
    picture(figure, "sliding-block.png", "Energy of the sliding block on four meshes; the load turns at 0.25, 0.5 and 0.75")


def energy_at(folder, when):
    energy = percuss.load(os.path.join(work, folder)).energy
    k = int(np.argmin(abs(energy["t"] - when)))
    return energy["kinetic"][k] + energy["elastic"][k]


def interfaces():
    """What tests/verify has of interfaces without a case file."""
    say(open(os.path.join(source, "tests", "verification", "findings-interfaces.md"), encoding="utf-8").read().strip())


def verdict():
    """What the tables above say, in numbers taken from them."""
    def spread(end, refined, law, name):
        with open(os.path.join(work, f"sliding-{end}-{refined}-{law}", "convergence.csv"), encoding="utf-8") as file:
            values = [float(row[name]) for row in csv.DictReader(file)]
        return 100 * abs(values[-1] - values[-2]) / abs(values[-1])

    rows = [[end, refined, law] + [f"{spread(end, refined, law, name):.2g} %" for name in
                                   ("kinetic", "elastic", "work_external", "work_contact_tangential", "impulse_bottom_tangential")]
            for end in ("0.2", "1") for refined in ("size", "step") for law in ("fremond", "newton")]
    say("### The last refinement, in per cent", "How much the values still move from the last but one to the finest member.")
    table(["t", "refined", "law", "kinetic", "elastic", "work of loads", "work of friction", "tangential impulse"], rows)
    sliding_picture()
    say("### Kinetic and strain energy at t = 0.75, h = 1e-4")
    rows = []
    for law in ("fremond", "newton"):
        values = [energy_at(f"sliding-1-size-{law}/size-{size}", 0.75) for size in ("4", "2", "1", "0.5")]
        rows.append([law] + [f"{value:.5g}" for value in values] + [f"{100 * (values[3] / values[2] - 1):.1f} %"])
    table(["law", "4 mm", "2 mm", "1 mm", "0.5 mm", "from 1 to 0.5 mm"], rows)
    say(open(os.path.join(source, "tests", "verification", "findings.md"), encoding="utf-8").read().strip())


def main():
    began = time.time()
    os.makedirs(work, exist_ok=True)
    os.makedirs(pictures, exist_ok=True)
    say("# Verification", "Made by `make verification` from runs of percuss; every number below was computed by them. The tests of "
        "`make check` demand the fast part of it, `README.md` says how to compare a case of your own (`percuss converge`).")
    for part in (elements, scheme, orders, manufactured, waves, damping, bar, hertz, partial_slip, pushed_block, two_bodies, faults, interfaces, impacts, sliding_block, verdict):
        at = time.time()
        part()
        print(f"{part.__name__}: {time.time() - at:.0f} s", flush=True)
    with open(os.path.join(source, "VERIFICATION.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(page).rstrip() + "\n")
    print(f"VERIFICATION.md: {time.time() - began:.0f} s")


if __name__ == "__main__":
    main()

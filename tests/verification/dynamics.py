"""Parts of the page of verification: waves, damping, and the bar that strikes a wall."""

import csv
import math
import os

import numpy as np

from page import converge, geometry, here, number, order, over_size, picture, plt, run, say, table

ELEMENTS = {"T3": 3, "T6": 6, "Q4": 4, "Q8": 8, "Q9": 9}


def columns(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        rows = list(csv.reader(file))
    values = np.array(rows[1:], dtype=float)
    return {key: values[:, k] for k, key in enumerate(rows[0])}


def observed(before, error):
    """The order of errors of which the second belongs to half the size."""
    return order(math.log2(before / error) if before / error > 0 else math.nan)


# ---- waves ------------------------------------------------------------------------------------------------------------------


def wave_number(w, mass, size, speed):
    """k of a line of linear elements at the frequency w: w^2 d^2 / c^2 = 6 (1 - C) / (2 + C), or 2 (1 - C) if lumped, C = cos kd."""
    a = (w * size / speed) ** 2
    return np.arccos((6 - 2 * a) / (6 + a) if mass == "consistent" else 1 - a / 2) / size


def pulse(kind, element, mass, size):
    """The phase speed over c at frequencies c (0.5 ... 2) from the probes at y = 24 and 40, and what the line predicts for linear elements."""
    shear = kind == "shear"
    c = math.sqrt(2.5 / (2 * 1.25 * 1.5)) if shear else math.sqrt(3 / 1.5)
    h = 0.25 * 0.125 / c
    mesh = geometry("strip.geo", f"pulse-{element}", element=ELEMENTS[element], height=56, width=1)
    turn = ["supports={left: {y: 0}, right: {y: 0}}", "initial={state: velocity, velocity: [exp(-(y - 16)^2 / 2), 0]}"]
    folder = run(os.path.join(here, "pulse.yaml"), f"pulse-{kind}-{element}-{mass}-{size}", f"mesh.file={mesh}",
                 f"mesh.size={size}", f"model.mass={mass}", f"time.step={h!r}", f"time.end={round(38 / c / h) * h!r}",
                 *(turn if shear else []))
    p = columns(folder, "probes.csv")
    w = c * np.linspace(0.5, 2, 31)
    spectrum = [((p[f"{name}_v_{'x' if shear else 'y'}"] * (p["t"] < end / c))[None, :]
                 * np.exp(1j * w[:, None] * p["t"][None, :])).sum(axis=1) for name, end in (("first", 22), ("second", 38))]
    k = w / c + np.angle(spectrum[1] / spectrum[0] * np.exp(-16j * w / c)) / 16
    w_d = 2 / h * np.tan(w * h / 2)  # of the mesh, without the scheme
    return w_d / (c * k), w_d / (c * wave_number(w_d, mass, size, c)), w_d / c


def pulses():
    say("### Longitudinal and shear pulses", "`tests/verification/pulse.yaml`: a pulse runs up a strip in plane strain, held across its "
        "motion. The phase speed at the frequency 1.5 c (wave length 4.2) over c_P = √((λ + 2μ)/ρ) or c_S = √(μ/ρ), less 1, from the "
        "Fourier coefficients at two points 16 apart; θ = ½, h = 0.031/c, whose share is taken out by ω = (2/h) tan(ω̃h/2). Linear elements in a line "
        "with consistent mass have ω² = (6 c²/d²)(1 − cos kd)/(2 + cos kd), with lumped mass (2 c²/d²)(1 − cos kd), that is +(kd)²/24 and −(kd)²/24 "
        "to leading order; quadratic ones +(kd)⁴/1440: that is the column `line`.")
    rows = []
    figure, axes = plt.subplots(figsize=(6, 3.6))
    families = [("Q4", "consistent"), ("Q4", "lumped"), ("T3", "consistent"), ("T6", "consistent"), ("Q8", "consistent"), ("Q9", "consistent")]
    for kind in ("longitudinal", "shear"):
        for element, mass in families:
            before = math.nan
            for size in ((1, 0.5, 0.25) if element in ("T6", "Q8", "Q9") else (0.5, 0.25, 0.125)):
                speed, line, wave = pulse(kind, element, mass, size)
                error = speed[20] - 1
                rows.append([kind, element, mass, size, f"{error:.3e}",
                             f"{line[20] - 1:.3e}" if element in ("Q4", "T3") else f"{(1.5 * size) ** 4 / 1440:.1e}", observed(before, error)])
                before = error
                if element == "Q4" and size == 0.5:
                    axes.plot(wave * size, line, "0.6", linestyle="-" if mass == "consistent" else "--",
                              label=f"line, {mass}" if kind == "shear" else None)
                    axes.plot(wave[::3] * size, speed[::3], "+" if kind == "shear" else "o", markerfacecolor="none", markersize=7, label=f"{kind}, {mass}")
    table(["wave", "element", "mass", "size d", "speed / c − 1", "line", "order"], rows)
    axes.set_xlabel("ωd / c")
    axes.set_ylabel("phase speed / c")
    axes.legend()
    picture(figure, "waves.png", "Phase speeds in Q4 cells of 0.5, measured on pulses, and of the line of linear elements")


def rayleigh():
    say("### Rayleigh's surface wave", "`tests/verification/rayleigh.yaml`: the exact standing surface wave as initial velocity; its frequency is "
        "fitted to the motion of the surface over ten periods, the error of the scheme taken out by ω = (2/h) tan(ω̃h/2). c_R from (2 − s)² = "
        "4 √(1 − s) √(1 − s c_S²/c_P²), s = (c_R/c_S)²; for ν = ¼ it is 0.9194 c_S. A surface wave is harder to resolve than a bulk wave of its length: it "
        "varies over a sixth of that length in depth. Travelling surface pulses are in `tests/verify/waves.c`.")
    c_s, kappa, k = math.sqrt(1 / 1.5), 1 / 3, 2 * math.pi
    s = 2 - 2 / math.sqrt(3)
    c, q, r = c_s * math.sqrt(s), math.sqrt(1 - s * kappa), math.sqrt(1 - s)
    deep, w, rows = f"{k!r}*(y - 3)", 2 * math.pi * c, []
    X = f"(exp({q!r}*{deep}) - {2 * q * r / (1 + r * r)!r}*exp({r!r}*{deep}))"
    Y = f"{q!r}*(exp({q!r}*{deep}) - {2 / (1 + r * r)!r}*exp({r!r}*{deep}))"
    for element, kind in ELEMENTS.items():
        mesh, before, sizes = geometry("strip.geo", f"rayleigh-{element}", element=kind, width=0.5, height=3), math.nan, (8, 16, 32) if kind < 6 else (4, 8, 16)
        for cells in sizes:
            h = 2 * math.pi / w / 200
            folder = run(os.path.join(here, "rayleigh.yaml"), f"rayleigh-{element}-{cells}", f"mesh.file={mesh}", f"mesh.size={1 / cells}",
                         f"initial.velocity=['-sin({k!r}*x)*{X}', 'cos({k!r}*x)*{Y}']", f"time.step={h!r}", f"time.end={2000 * h!r}")
            p = columns(folder, "probes.csv")
            error = (2 / h * math.tan(fitted(p["t"], p["surface_u_y"], w) * h / 2)) / w - 1
            rows.append([element, cells, f"{error:.3e}", observed(before, error)])
            before = error
    table(["element", "cells in a wave length", "speed / c_R − 1", "order"], rows)


def fitted(t, x, guess):
    """The frequency of the sine that fits x best, within 12 % of the guess."""
    def misfit(w):
        basis = np.stack([np.sin(w * t), np.cos(w * t)], axis=1)
        return np.linalg.norm(x - basis @ np.linalg.lstsq(basis, x, rcond=None)[0])

    low, high = 0.98 * guess, 1.12 * guess
    for _ in range(6):
        w = np.linspace(low, high, 41)
        best = int(np.argmin([misfit(one) for one in w]))
        low, high = w[max(best - 1, 0)], w[min(best + 1, 40)]
    return 0.5 * (low + high)


def manufactured():
    say("## A manufactured solution", "`tests/verification/manufactured.yaml`: errors at t = 0.4 from the exact solution "
        "u = sin(2t) sin(πx) sin(πy) (1, 1), relative to it. θ = ½, h = 0.004. In L² the order is 2 with linear elements and 3 with quadratic ones, in "
        "energy 1 and 2.")
    rows = []
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4))
    for element, kind in ELEMENTS.items():
        mesh = geometry("square.geo", f"manufactured-{element}", element=kind)
        c = converge(os.path.join(here, "manufactured.yaml"), f"manufactured-{element}",
                     ["--sizes", "0.125,0.0625,0.03125" if kind < 6 else "0.25,0.125,0.0625"], f"mesh.file={mesh}")
        for axis, norm in zip(axes, ("u_L2", "u_energy")):
            axis.loglog(c["size"], c[norm + "_error"] / c[norm + "_norm"], "o-", markersize=4, label=element)
        for i in range(3):
            rows.append([element, number(c["size"][i]), int(c["unknowns"][i])]
                        + [text for norm in ("u_L2", "u_energy", "v_L2")
                           for text in (number(c[norm + "_error"][i] / c[norm + "_norm"][i]), order(c[norm + "_order"][i]))])
    table(["element", "size", "unknowns", "u, L²", "order", "u, energy", "order", "v, L²", "order"], rows)
    say("In time, with Q8 of 0.03125, at t = 0.4:")
    rows = []
    mesh = geometry("square.geo", "manufactured-Q8", element=8)
    for theta in (0.5, 0.6, 1.0):
        c = converge(os.path.join(here, "manufactured.yaml"), f"manufactured-steps-{theta}", ["--steps", "0.08,0.04,0.02"],
                     f"mesh.file={mesh}", "mesh.size=0.03125", f"time.theta={theta}")
        rows += [[theta, number(c["step"][i])] + [text for norm in ("u_L2", "v_L2")
                 for text in (number(c[norm + "_error"][i] / c[norm + "_norm"][i]), order(c[norm + "_order"][i]))] for i in range(3)]
    table(["θ", "step", "u, L²", "order", "v, L²", "order"], rows)
    over_size(axes, "relative error")
    picture(figure, "manufactured.png", "Errors over the size of the mesh")


def waves():
    say("## Waves")
    pulses()
    rayleigh()


# ---- damping ------------------------------------------------------------------------------------------------------------------


def damping():
    say("## Damping", "The first longitudinal mode of a strip of Q4 between rollers, let go with a velocity (`tests/verification/pulse.yaml` with other numbers). The "
        "scheme multiplies (q, v) of a mode of frequency ω by a matrix at every step, with the damping α M + β K (Rayleigh's; β alone is Kelvin and Voigt's) in it: "
        "the amplitude is known to rounding. The last column is the decay of the equation itself, "
        "exp(−(α + βω²) t / 2), to which the scheme converges: at order 2 for θ = ½.")
    rows, size, length = [], 0.5, 8.0
    c, k = math.sqrt(2), math.pi / 8
    w2 = 6 * c * c / size ** 2 * (1 - math.cos(k * size)) / (2 + math.cos(k * size))
    mesh = geometry("strip.geo", "damping", element=4, width=1, height=length, across=2)
    for alpha, beta in ((0.3, 0.0), (0.0, 0.5), (0.1, 0.3)):
        for theta, h in ((0.5, 0.05), (0.5, 0.025), (0.7, 0.05), (1.0, 0.05)):
            n = round(10 / h)
            folder = run(os.path.join(here, "pulse.yaml"), f"damping-{alpha}-{beta}-{theta}-{h}", f"mesh.file={mesh}", f"mesh.size={size}",
                         f"model.damping={{mass: {alpha}, stiffness: {beta}}}", f"time.theta={theta}", f"time.step={h}", f"time.end={n * h}",
                         f"initial.velocity=[0, cos({k!r}*y)]", "probes={end: {point: [0, 0]}}")
            p = columns(folder, "probes.csv")
            x, v, drag = 0.0, 1.0, alpha + beta * w2
            for _ in range(n):
                now = (v - h * theta * w2 * x) / (1 + h * theta * drag + (h * theta) ** 2 * w2)
                x, v = x + h * now, (now - (1 - theta) * v) / theta
            size_of = lambda a, b: math.hypot(a * math.sqrt(w2 - drag ** 2 / 4), b + drag / 2 * a)  # noqa: E731
            measured, expected = size_of(p["end_u_y"][-1], p["end_v_y"][-1]), size_of(x, v)
            rows.append([alpha, beta, theta, h, f"{measured:.10f}", f"{abs(measured / expected - 1):.0e}", f"{math.exp(-drag * 5):.6f}"])
    table(["α", "β", "θ", "h", "amplitude at t = 10", "from the scheme's", "of the equation"], rows)


# ---- the bar ------------------------------------------------------------------------------------------------------------------

TOUCH, STAY, FULL = 5e-4, 2 / 3, 300.0


class Impact:
    """One run of bar.yaml, its times counted from the touch, against d'Alembert."""

    def __init__(self, element, mass, theta, courant, size, plane="strain", poisson=0.0, width=1.0):
        self.h = courant * size / 30
        mesh = geometry("strip.geo", f"bar-{element}-{width}", element=ELEMENTS[element], across=2, width=width)
        folder = run(os.path.join(here, "bar.yaml"), f"bar-{element}-{mass}-{theta}-{courant}-{size}-{poisson}", f"mesh.file={mesh}",
                     f"mesh.size={size}", f"model.mass={mass}", f"model.plane={plane}", f"materials.body.poisson={poisson}",
                     f"time.theta={theta}", f"time.step={self.h!r}", f"time.end={round(1.2 / self.h) * self.h!r}")
        forces, probes = columns(folder, "forces.csv"), columns(folder, "probes.csv")
        self.t, self.force = forces["t"] - TOUCH, forces["bottom_force_normal"] / width
        self.far, self.velocity = probes["far_u_y"], probes["near_v_y"]
        self.given = np.cumsum(self.force) * self.h
        self.until = self.t[self.force > 1e-9 * FULL][-1]

    def exact_far(self):
        return -10 * (np.minimum(self.t, STAY / 2) + TOUCH) + 10 * np.maximum(0, self.t - STAY / 2)

    def end_error(self):
        return abs(self.far - self.exact_far()).max() / (10 * STAY / 2)

    def impulse_error(self):
        exact = FULL * np.clip(self.t, 0, STAY)
        return np.linalg.norm(self.given - exact) / np.linalg.norm(exact)

    def mean_error(self):
        """Of the means of the force over a thirtieth of the stay, while it should be constant and nothing is back."""
        n = round(STAY / 30 / self.h)
        mean, t = (np.convolve(x, np.ones(n) / n, "valid") for x in (self.force, self.t))
        return abs(mean - FULL)[(t > 0.06) & (t < 0.44)].max()

    def falls(self):
        """By how much the force falls in all; exactly it rises once and stays."""
        force = self.force[self.t < 0.45]
        return np.maximum(0, force[:-1] - force[1:]).sum()

    def alternating(self, x, low, high):
        """The largest projection on (-1)^k over sixteen steps, after a third difference."""
        inside = (self.t > low) & (self.t < high)
        difference = np.convolve(x[inside], np.array([1, -3, 3, -1]) / 8, "valid")
        signed = difference * (-1.0) ** np.arange(len(difference))
        return abs(np.convolve(signed, np.ones(16) / 16, "valid")).max()

    def row(self):
        return [f"{self.until:.4f}", f"{self.given[-1]:.2f}", f"{100 * self.end_error():.2f} %", f"{100 * self.impulse_error():.3f} %",
                number(self.mean_error()), number(self.falls()), f"{self.alternating(self.force, 0.05, 0.45):.1e}",
                f"{self.alternating(self.velocity, 0.8, 1.15):.1e}"]


HEAD = ["contact until", "impulse", "far end", "impulse given", "means of the force", "falls", "alternating", "after lift-off"]


def bar():
    say("## A bar that strikes a wall", "`tests/verification/bar.yaml`: E = 900, ρ = 1, L = 10, falling at 10; Frémond's law, contact nodes without restitution. "
        "d'Alembert: force 300 until 2L/c = 0.6667 after the touch, impulse 200, the far end turns after L/c. `far end`: largest error of its displacement over "
        "the run, relative to 3.33. `impulse given`: L² error in time of the impulse given so far, that is of the force in H⁻¹. `means of the force`: largest "
        "|mean − 300| over a thirtieth of the contact, from 0.05 to 0.45 after the touch (the shortest waves of consistent elements, faster than c, are back at "
        "0.5). `falls`: sum of all falls of the force until then (exactly 0). `alternating`: its largest projection on (−1)ᵏ over 16 steps there, and that of "
        "the velocity of the contact after lift-off.")
    say("### Refined, θ = ½, Courant number ch/d = 0.3", "Bars of plane elements, two cells wide, ν = 0.")
    rows = []
    for element in ("Q4", "T3"):
        for mass in ("consistent", "lumped", "modified"):
            for size in (0.2, 0.1, 0.05, 0.025):
                rows.append([element, mass, size] + Impact(element, mass, 0.5, 0.3, size).row())
    table(["element", "mass", "size"] + HEAD, rows)
    say("### Other θ and Courant numbers, Q4 of 0.05; quadratic elements of 0.1; and ν = 0.3", "The slender bar (width 0.2, plane stress, ν = 0.3) is the bar but for the "
        "inertia of its width; its force and impulse are per width.")
    rows = [[element, mass, theta, courant] + Impact(element, mass, theta, courant, 0.05 if element == "Q4" else 0.1).row()
            for element, theta, courant in (("Q4", 0.5, 1.0), ("Q4", 0.6, 0.3), ("Q4", 1.0, 0.3), ("T6", 0.5, 0.3), ("Q8", 0.5, 0.3), ("Q9", 0.5, 0.3))
            for mass in ("consistent", "lumped", "modified")]
    rows += [["Q4, slender", mass, 0.5, 0.3] + Impact("Q4", mass, 0.5, 0.3, 0.05, "stress", 0.3, 0.2).row() for mass in ("consistent", "modified")]
    table(["element", "mass", "θ", "ch/d"] + HEAD, rows)
    bar_pictures()
    with open(os.path.join(here, "findings-bar.md"), encoding="utf-8") as file:
        say(file.read().strip())


def bar_pictures():
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4))
    for mass in ("consistent", "lumped", "modified"):
        one = Impact("Q4", mass, 0.5, 0.3, 0.05)
        axes[0].plot(one.t, one.force, linewidth=0.9, label=mass)
        axes[1].plot(one.t, one.far - one.exact_far(), linewidth=0.9, label=mass)
    axes[0].set_xlim(-0.001, 0.02)
    axes[0].set_xticks([0, 0.005, 0.01, 0.015, 0.02])
    axes[0].set_title("contact force")
    axes[1].set_title("displacement of the far end less d'Alembert's")
    for one in axes:
        one.set_xlabel("time after the touch")
        one.legend()
    picture(figure, "bar.png", "The bar in Q4 of 0.05, θ = ½, Courant number 0.3")

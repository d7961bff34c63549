"""A part of the page of verification: the orders of the schemes, on smooth arcs and with an impact."""

import csv
import math
import os

import numpy as np

from dynamics import observed
from page import here, number, run, say, table

SCHEMES = [("theta", "θ = ½", "fremond"), ("theta", "θ = ½", "newton"), ("midpoint", "θ = ½", "newton"), ("generalized-alpha", "ρ∞ = 0.8", "newton"),
           ("theta", "θ = 1", "fremond"), ("position", "θ = 1", "–")]


def settings(scheme, option, law):
    value = {"θ = ½": "time.theta=0.5", "θ = 1": "time.theta=1", "ρ∞ = 0.8": "time.rho=0.8"}[option]
    return [f"time.scheme={scheme}", value] + ([f"time.law={law}"] if scheme == "theta" else [])


def exact(t):
    """Place and velocity under 0.6 sin 2t and the friction 0.2 (1 + cos(3t)/2)."""
    return (1.3 * t - 0.15 * np.sin(2 * t) - 0.1 * t ** 2 - (1 - np.cos(3 * t)) / 90,
            1.3 - 0.3 * np.cos(2 * t) - 0.2 * t - np.sin(3 * t) / 30)


def slide(scheme, option, law, h):
    """The largest errors of place, velocity and contact force of a run."""
    folder = run(os.path.join(here, "point.yaml"), f"slide-{scheme}-{option[-1]}-{law}-{h}", f"time.step={h}", *settings(scheme, option, law))
    b, c = columns_of_numbers(folder, "bodies.csv"), columns_of_numbers(folder, "contacts.csv")
    x, v = exact(b["t"])
    middle = c["t"] - h / 2
    return [abs(b["x"] - x).max(), abs(b["vx"] - v).max(), abs(c["p_n"] / h - 1 - 0.5 * np.cos(3 * middle)).max()]


def columns_of_numbers(folder, name):
    """Columns that hold texts are left out."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in ("t", "x", "vx", "y", "p_n") if key in rows[0]}


def fall(scheme, option, law, h):
    """The mean error of the height at t = 0.8 over sixteen phases of the step, e = 1/2."""
    errors = []
    for phase in range(16):
        height = 1 + phase / 160
        hit = math.sqrt(height / 5)
        rest = 0.8 - hit
        folder = run(os.path.join(here, "point.yaml"), f"fall-{scheme}-{option[-1]}-{law}-{h}-{phase}", f"time.step={h}", "time.end=0.8",
                     f"bodies.point.position=[0, {height!r}]", "bodies.point.velocity=[0, 0]", "bodies.point.force=[0, -10]",
                     "contacts.floor.restitution=0.5", *settings(scheme, option, law))
        errors.append(abs(columns_of_numbers(folder, "bodies.csv")["y"][-1] - 5 * hit * rest + 5 * rest * rest))
    return [sum(errors) / len(errors)]


def cylinder(scheme, option, law, h):
    """Errors of the angle at t = 0.5 and 1 in degrees, and the deepest gap of the two."""
    folder = run(os.path.join(here, "cylinder.yaml"), f"cylinder-{scheme}-{option[-1]}-{law}-{h}", f"time.step={h}", *settings(scheme, option, law))
    b = columns_of_numbers(folder, "bodies.csv")
    at = [int(np.argmin(abs(b["t"] - t))) for t in (0.5, 1)]
    angle = [math.degrees(math.atan2(b["x"][k], 1 - b["y"][k])) for k in at]
    gap = min(0.9 - math.hypot(b["x"][k], 1 - b["y"][k]) for k in at)
    return [abs(angle[0] + 20.6882), abs(angle[1] - 65.9062), max(-gap, 0.0)]


def orders():
    say("## Smooth arcs and impacts", "`tests/verification/point.yaml`: a point slides over a floor under a force and a pressure that vary in time: largest errors of place, velocity and contact force "
        "(p/h against the pressure in the middle of the step) up to t = 1. At θ = ½, with either impact law, and by generalized-α all are of order 2 where directions are constant; at θ = 1 of order 1.")
    rows = []
    for one in SCHEMES:
        before = [math.nan] * 3
        for h in (0.1, 0.05, 0.025, 0.0125):
            errors = slide(*one, h)
            rows.append([*one, h] + [text for old, new in zip(before, errors) for text in (number(new), observed(old, new))])
            before = errors
    table(["scheme", "option", "law", "step", "place", "order", "velocity", "order", "force", "order"], rows)
    say("An impact takes an order away, whatever the scheme: a point falls from 1 to 1.1, e = ½; error of its height at t = 0.8, after the impact, in the mean of sixteen heights.")
    rows = []
    for one in SCHEMES[:4]:
        before = math.nan
        for h in (0.02, 0.01, 0.005, 0.0025):
            error, = fall(*one, h)
            rows.append([*one, h, number(error), observed(before, error)])
            before = error
    table(["scheme", "option", "law", "step", "height", "order"], rows)
    say("Where directions turn, contacts on velocities leave the surface along their tangent, and what is lost of the gap stays lost: `tests/verification/cylinder.yaml`, a ball that slides in a cylinder; "
        "errors of its angle in degrees at t = 0.5 and 1, and how deep it is in the cylinder. In the middle of the step the directions are better, and it sinks half as deep; the order is 2 where gaps are imposed too.")
    rows = []
    for one in SCHEMES[:4]:
        before = [math.nan] * 3
        for h in (0.01, 0.005, 0.0025):
            errors = cylinder(*one, h)
            rows.append([*one, h] + [text for old, new in zip(before[:2], errors[:2]) for text in (number(new), observed(old, new))] + [number(errors[2]) if errors[2] > 1e-9 else "0"])
            before = errors
    table(["scheme", "option", "law", "step", "t = 0.5", "order", "t = 1", "order", "depth"], rows)

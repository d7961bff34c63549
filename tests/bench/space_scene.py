#!/usr/bin/env python3
"""Writes the scenes in space of bench-bodies: tables that the drivers of all programs read.

    space_scene.py NAME SCENE.txt         NAME: wall-N, boxes-N or spheres-N, N bodies; wall: 26, 275 or 2755

A line is a thing; lengths in m, densities a kg/m^3, orientations as unit quaternions, spins in fixed axes:

    steps N SETTLE TIMED h                 steps of the settling phase and of the measured one, and their length
    friction MU
    gravity X Y Z
    plane X Y Z NX NY NZ                   nothing may be behind it
    box X Y Z QW QX QY QZ VX VY VZ WX WY WZ DENSITY A B C      its edges
    sphere X Y Z QW QX QY QZ VX VY VZ WX WY WZ DENSITY RADIUS

Sizes are about 1 m and densities 1, since Bullet and ODE have tolerances that are made for such bodies. The same numbers
come from the same name on every machine."""
import math
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def line(*words):
    return " ".join(w if isinstance(w, str) else "%.17g" % w for w in words) + "\n"


def head(n, settle, timed, h, friction):
    return line("steps", str(n), str(settle), str(timed), h) + line("friction", friction) + line("gravity", 0, 0, -9.81)


def wall(n, _):
    """The wall of cases/masonry-rockfall.yaml, or a part of it, or one ten times as long, which falls into its joints."""
    layout = {26: (4, 8, 0), 275: (10, 20, 6), 2755: (10, 200, 40)}[n]
    edges = {"wall": (1, 2, 1), "buttress": (2, 1, 1), "half": (1, 1, 1)}
    table = subprocess.run([sys.executable, os.path.join(HERE, "../support/masonry.py"), *map(str, layout)], capture_output=True, text=True, check=True).stdout
    yield head(n, 200, 100, 2e-3, 0.6) + line("plane", 0, 0, 0, 0, 0, 1)
    for row in table.splitlines()[3:]:
        group, *x = row.split(",")
        yield line("box", *map(float, x), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, *edges[group])


def bin_of(n, pitch):
    """A square bin whose floor has half as many bodies as those on each other, and a place for each body."""
    side = max(1, round((n / 1.5) ** (1 / 3)))
    width = side * pitch
    for x, y, nx, ny in ((0, 0, 1, 0), (width, 0, -1, 0), (0, 0, 0, 1), (0, width, 0, -1)):
        yield line("plane", x, y, 0, nx, ny, 0), None
    yield line("plane", 0, 0, 0, 0, 0, 1), None
    for k in range(n):
        yield None, (pitch * (k % side + 0.5), pitch * (k // side % side + 0.5), pitch * (k // side**2 + 0.5))


def boxes(n, rng):
    """Boxes with edges of 0.6 to 1, turned at random, fall into a bin."""
    yield head(n, 500, 50, 5e-3, 0.5)
    for plane, x in bin_of(n, 1.75):
        if plane:
            yield plane
            continue
        q = [rng.gauss(0, 1) for _ in range(4)]
        size = math.sqrt(sum(a * a for a in q))
        yield line("box", *x, *[a / size for a in q], 0, 0, 0, 0, 0, 0, 1, *[rng.uniform(0.6, 1) for _ in range(3)])


def spheres(n, rng):
    """Spheres of radius 0.4 to 0.6 fall into a bin."""
    yield head(n, 500, 50, 5e-3, 0.5)
    for plane, x in bin_of(n, 1.22):
        yield plane or line("sphere", *x, 1, 0, 0, 0, rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 0, 0, 0, 0, 1, rng.uniform(0.4, 0.6))


def main():
    kind, _, n = sys.argv[1].partition("-")
    with open(sys.argv[2], "w", encoding="ascii") as out:
        out.writelines({"wall": wall, "boxes": boxes, "spheres": spheres}[kind](int(n), random.Random(17)))


if __name__ == "__main__":
    main()

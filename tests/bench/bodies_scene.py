#!/usr/bin/env python3
"""Writes the scenes of bench-bodies: tables that the drivers of all programs read.

    bodies_scene.py NAME SCENE.txt         NAME: discs-N, packed-N, tower-N or silo-N, N bodies

A line is a thing; lengths in m, densities a kg/m^2, angles counter-clockwise:

    steps N SETTLE TIMED h                 steps of the settling phase and of the measured one, and their length
    friction MU
    gravity X Y
    plane X Y NX NY                        nothing may be behind it
    wall N X1 Y1 ... XN YN                 a fixed convex polygon, anticlockwise
    gate N X1 Y1 ...                       the same, which is there while the scene settles only
    disc X Y ANGLE VX VY SPIN DENSITY RADIUS
    polygon X Y ANGLE VX VY SPIN DENSITY N X1 Y1 ...     corners in its own axes, from its centre of mass

Sizes are about 1 m and densities 1, since Bullet and ODE have tolerances that are made for such bodies. The same numbers
come from the same name on every machine."""
import math
import random
import sys


def line(*words):
    return " ".join(w if isinstance(w, str) else "%.17g" % w for w in words) + "\n"


def centred(corner):
    """the polygon with its centre of mass at the origin"""
    area = x = y = 0.0
    for (x0, y0), (x1, y1) in zip(corner, corner[1:] + corner[:1]):
        cross = x0 * y1 - x1 * y0
        area, x, y = area + cross / 2, x + (x0 + x1) * cross / 6, y + (y0 + y1) * cross / 6
    return [(a - x / area, b - y / area) for a, b in corner]


def random_polygon(rng, radius):
    """3 to 7 corners on a circle, no side longer than a third of a turn or shorter than a fifteenth"""
    n = rng.randint(3, 7)
    part = [1.0 + 0.5 * rng.uniform(-1, 1) for _ in range(n)]
    at, corner = 0.0, []
    for p in part:
        corner.append((radius * math.cos(at), radius * math.sin(at)))
        at += 2 * math.pi * p / sum(part)
    corner = centred(corner)
    factor = radius / max(math.hypot(*c) for c in corner)
    return [(factor * a, factor * b) for a, b in corner]


def polygon_line(x, y, angle, corner):
    return line("polygon", x, y, angle, 0, 0, 0, 1, str(len(corner)), *[c for xy in corner for c in xy])


def discs(n, rng):
    """Discs of radius 0.4 to 0.6 in a box as high as wide, laid out in rows that are wide enough apart to fall a little."""
    side = math.ceil(math.sqrt(n))
    yield line("steps", str(n), str(600 + 4 * side), "100", 5e-3) + line("friction", 0.5) + line("gravity", 0, -9.81)
    width = 1.22 * side
    for x, y, nx, ny in ((0, 0, 0, 1), (0, 0, 1, 0), (width, 0, -1, 0)):
        yield line("plane", x, y, nx, ny)
    for k in range(n):
        i, j = k % side, k // side
        yield line("disc", 0.61 + 1.22 * i - 0.01 * rng.random(), 0.61 + 1.21 * j, 0, rng.uniform(-0.5, 0.5), 0, 0, 1, rng.uniform(0.4, 0.6))


def packed(n, rng):
    """Discs of nearly the same size, one layer in the hollows of the other, twice as wide as high: they settle in some steps."""
    width = math.ceil(math.sqrt(2 * n))
    yield line("steps", str(n), "50", "100", 5e-3) + line("friction", 0.5) + line("gravity", 0, -9.81)
    for x, y, nx, ny in ((0, 0, 0, 1), (-0.25, 0, 1, 0), (width + 0.25, 0, -1, 0)):
        yield line("plane", x, y, nx, ny)
    for k in range(n):
        i, j = k % width, k // width
        yield line("disc", i + 0.5 + (0.25 if j % 2 else -0.25), 0.5 + j * math.sqrt(0.75), 0, 0, 0, 0, 1, rng.uniform(0.4995, 0.5))


def tower(n, rng):
    """Blocks of 2 x 1 upon each other, each up to 0.1 aside; they rest on each other from the first step."""
    yield line("steps", str(n), "100", "400", 5e-3) + line("friction", 0.5) + line("gravity", 0, -9.81) + line("plane", 0, 0, 0, 1)
    for k in range(n):
        yield polygon_line(rng.uniform(-0.1, 0.1), 0.5 + k, 0, [(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)])


def silo(n, rng):
    """Polygons of radius 0.45 to 0.55 in a silo 60 wide, whose floor falls by 45 degrees to an opening 10 wide above a floor."""
    yield line("steps", str(n), "1000", "200", 5e-3) + line("friction", 0.3) + line("gravity", 0, -9.81)
    top, outlet, slope, thick = 1.3 * n / 50, 5.0, 30.0, 1.0
    yield line("plane", 0, -1.5 * slope, 0, 1)
    for s in (-1, 1):
        side = [(s * slope, 0), (s * (slope + thick), 0), (s * (slope + thick), top), (s * slope, top)]
        floor = [(s * outlet, outlet - slope), (s * (outlet + thick), outlet - slope - thick), (s * (slope + thick), -thick), (s * slope, 0)]
        for corner in (side, floor):
            yield line("wall", "4", *[c for xy in (corner if s > 0 else corner[::-1]) for c in xy])
    bottom = outlet - slope
    yield line("gate", "4", *[c for xy in ((-outlet, bottom - thick), (outlet, bottom - thick), (outlet, bottom), (-outlet, bottom)) for c in xy])
    made, y = 0, bottom + 0.6
    while made < n:
        half = min(slope, outlet + y - bottom) - 0.6 * math.sqrt(2)  # the room at this height
        count = int(2 * half / 1.12) + 1
        for k in range(min(count, n - made)):
            x = (k - (count - 1) / 2) * 1.12
            yield polygon_line(x, y, rng.uniform(0, 2 * math.pi), random_polygon(rng, rng.uniform(0.45, 0.55)))
            made += 1
        y += 1.11


def main():
    kind, _, n = sys.argv[1].partition("-")
    with open(sys.argv[2], "w", encoding="ascii") as out:
        out.writelines({"discs": discs, "packed": packed, "tower": tower, "silo": silo}[kind](int(n), random.Random(17)))


if __name__ == "__main__":
    main()

"""Closed forms of contact that runs are judged by, for tests and for the page of verification."""

import csv
import math

import numpy as np
import percuss


def last_row(path):
    with open(path, encoding="utf-8") as file:
        return {name: float(value) for name, value in list(csv.DictReader(file))[-1].items()}


def node_areas(x, quadratic):
    """What each node of a straight line of edges stands for: halves, or 1/6, 4/6, 1/6 with a node halfway."""
    area = np.zeros_like(x)
    step = 2 if quadratic else 1
    for k in range(0, len(x) - step, step):
        length = x[k + step] - x[k]
        if quadratic:
            area[k:k + 3] += length * np.array([1, 4, 1]) / 6
        else:
            area[k:k + 2] += length / 2
    return area


class Indentation:
    """The contact of Hertz of a cylinder on a rigid plane, and that of Cattaneo and Mindlin when it is then pushed along.

    Per length, with E* = E / (1 - nu^2):  a^2 = 4 P R / (pi E*),  p = p0 sqrt(1 - x^2/a^2),  p0 = 2 P / (pi a);
    sticking within c = a sqrt(1 - Q / (mu P)),  q = mu p0 (sqrt(1 - x^2/a^2) - c/a sqrt(1 - x^2/c^2)).
    P and Q are the forces of the run, so that only what is local is judged."""

    def __init__(self, folder, young=1000.0, poisson=0.3, radius=10.0, friction=0.0, quadratic=False):
        line = percuss.load(folder).contacts["contact"]
        self.x = np.asarray(line.position)
        self.p, self.q = line["traction_normal"][-1], -line["traction_tangential"][-1]
        forces = last_row(folder + "/forces.csv")
        self.P, self.Q = forces["contact_force_normal"], -forces["contact_force_tangential"]
        self.a = math.sqrt(4 * self.P * radius * (1 - poisson ** 2) / (math.pi * young))
        self.p0 = 2 * self.P / (math.pi * self.a)
        self.friction = friction
        self.c = self.a * math.sqrt(1 - self.Q / (friction * self.P)) if friction > 0 else self.a
        self.area = node_areas(self.x, quadratic)
        self.quadratic = quadratic

    def ellipse(self, half):
        return np.sqrt(np.maximum(0.0, 1 - (self.x / half) ** 2))

    def exact_p(self):
        return self.p0 * self.ellipse(self.a)

    def exact_q(self):
        return self.friction * (self.exact_p() - self.p0 * self.c / self.a * self.ellipse(self.c))

    def mean(self, traction):
        """Of quadratic elements the mean over the length of an edge around each node: their nodal values alternate."""
        if not self.quadratic:
            return traction
        weight = np.array([0.5, 1.0, 0.5])
        return (np.convolve(traction * self.area, weight, "same")
                / np.maximum(np.convolve(self.area, weight, "same"), 1e-300))

    def width(self, force):
        """Half the width of an elliptic distribution, from its second moment: sum f x^2 = half^2 / 4 sum f."""
        return 2 * math.sqrt((force * self.x ** 2).sum() / force.sum())

    def half_width_error(self):
        return self.width(self.p * self.area) / self.a - 1

    def peak_error(self):
        return self.mean(self.p).max() / self.p0 - 1

    def profile_error(self):
        """The largest within 0.9 a, relative to the peak: at the edge of the contact the slope is infinite."""
        inside = abs(self.x) < 0.9 * self.a
        return abs(self.mean(self.p) - self.exact_p())[inside].max() / self.p0

    def stick_width(self):
        """c from what friction lacks to slip, mu p - q, which is elliptic of half width c."""
        return self.width((self.friction * self.p - self.q) * self.area)

    def sticking(self):
        """The outermost nodes that stick."""
        inside = (self.p > 0) & (abs(self.q) < self.friction * self.p * (1 - 1e-9))
        return self.x[inside].min(), self.x[inside].max()

    def stick_profile_error(self):
        """The largest of q within 0.8 c, relative to mu p0."""
        inside = abs(self.x) < 0.8 * self.c
        return abs(self.mean(self.q) - self.exact_q())[inside].max() / (self.friction * self.p0)

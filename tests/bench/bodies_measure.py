#!/usr/bin/python3
"""What a driver of bench-bodies left behind (bodies_scene.h says how), measured in the same way for all programs.

    bodies_measure.py SCENE.txt OUT                 a JSON object

The residual is that of the last step, in percuss' measure that is free of units. Of the contacts in the program's list, those
count that are closed or overlap (gap <= 0) or that it gave a percussion p. From their places, normals and bodies come H, with
u = H v the velocity of B relative to A, normal first, and with M of the scene

    W = H M^-1 H',   b = H (v + h g),   w = W p + b,   rho = rows / tr W,
    residual = | p - proj_K(p - rho Phi(w)) | / (rho |b|),   Phi(w) = (w_N + mu |w_T|, w_T),   K = { |p_T| <= mu p_N },

with v before the step: Moreau's law with e = 0, u_N = 0 where p_N > 0. `own` is the same with w_N + s, s being what the
program means to add to u_N: what pushes overlaps apart, and what lets a gap close within the step. `momentum` says whether what
is measured is what was computed: |M (v' - v - h g) - H'p| / |M (v' - v - h g)|, v' being the velocities after the step.

The penetration is that of the places at the end, by separating axes of all pairs and walls, relative to the mean size
of the bodies (the root of area over pi, twice)."""
import json
import math
import sys

import numpy as np
from scipy.sparse import coo_matrix
from scipy.spatial import cKDTree


class Scene:
    def __init__(self, path):
        self.walls, self.planes, self.radius, self.corners, mass = [], [], [], [], []
        for line in open(path, encoding="ascii"):
            word, *numbers = line.split()
            x = [float(w) for w in numbers]
            if word == "steps":
                self.h = x[3]
            elif word == "friction":
                self.mu = x[0]
            elif word == "gravity":
                self.g = np.array([*x, 0.0])
            elif word == "plane":
                self.planes.append((np.array(x[:2]), np.array(x[2:])))
            elif word == "wall":
                self.walls.append(np.array(x[1:]).reshape(-1, 2))
            elif word in ("disc", "polygon"):
                corners = np.array(x[8:]).reshape(-1, 2) if word == "polygon" else None
                self.corners.append(corners)
                self.radius.append(x[7] if word == "disc" else np.hypot(*corners.T).max())
                mass.append(x[6] * self.facts(corners, x[7]))
        self.radius = np.array(self.radius)
        self.M = np.array(mass)[:, [0, 0, 1]]
        self.size = 2 * np.mean(np.sqrt(self.M[:, 0] / math.pi))  # densities are 1

    @staticmethod
    def facts(c, radius):
        """area and polar moment"""
        if c is None:
            return np.array([math.pi * radius**2, math.pi * radius**4 / 2])
        d = np.roll(c, -1, axis=0)
        cross = c[:, 0] * d[:, 1] - c[:, 1] * d[:, 0]
        return np.array([cross.sum() / 2, (cross * ((c * c).sum(1) + (c * d).sum(1) + (d * d).sum(1))).sum() / 12])


def project(mu, x):
    n, t = x[:, 0], np.abs(x[:, 1])
    edge = np.maximum((n + mu * t) / (1 + mu**2), 0.0)
    out = np.column_stack([edge, np.sign(x[:, 1]) * mu * edge])
    inside = t <= mu * n
    out[inside] = x[inside]
    return out


def natural_map(mu, rho, p, w):
    z = rho * np.column_stack([w[:, 0] + mu * np.abs(w[:, 1]), w[:, 1]])
    return np.linalg.norm(p - project(mu, p - z))


def residuals(scene, body, contact, problem):
    used = contact[(contact[:, 6] <= 0.0) | (contact[:, 7] != 0.0) | (contact[:, 8] != 0.0)]
    if not len(used):
        return {"closed": 0, "residual": 0.0, "own": 0.0, "momentum": 0.0}
    a, b, place, normal = used[:, 0].astype(int), used[:, 1].astype(int), used[:, 2:4], used[:, 4:6]
    p, shift = used[:, 7:9], used[:, 9]
    rows, columns, values = [], [], []
    for sign, one in ((-1.0, a), (1.0, b)):
        free = np.flatnonzero(one >= 0)
        arm = place[free] - body[one[free], :2]
        for k, d in enumerate((normal[free], np.column_stack([-normal[free, 1], normal[free, 0]]))):
            for dof, value in enumerate((d[:, 0], d[:, 1], arm[:, 0] * d[:, 1] - arm[:, 1] * d[:, 0])):
                rows.append(2 * free + k), columns.append(3 * one[free] + dof), values.append(sign * value)
    M = scene.M.ravel()
    H = coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(p.size, M.size)).tocsr()
    free_velocity = (body[:, 3:6] + scene.h * scene.g).ravel()
    b_vector, pushed = H @ free_velocity, H.T @ p.ravel()
    w = (b_vector + H @ (pushed / M)).reshape(-1, 2)
    trace = H.multiply(H).dot(1 / M).sum()
    rho, gained = p.size / trace, M * (body[:, 6:9].ravel() - free_velocity)
    if len(problem):
        p, w, b_vector = problem[:, 0:2], problem[:, 2:4], problem[:, 4:6]
        shift = np.zeros(len(problem))
    size = rho * np.linalg.norm(b_vector)
    return {
        "closed": len(used),
        "residual": natural_map(scene.mu, rho, p, w) / size,
        "own": natural_map(scene.mu, rho, p, w + np.column_stack([shift, 0 * shift])) / size,
        "momentum": np.linalg.norm(gained - pushed) / np.linalg.norm(gained),
    }


def depth(P, Q):
    """of two convex polygons; 0 where they are apart"""
    least = math.inf
    for one, other in ((P, Q), (Q, P)):
        edge = np.roll(one, -1, axis=0) - one
        n = np.column_stack([edge[:, 1], -edge[:, 0]]) / np.hypot(edge[:, 0], edge[:, 1])[:, None]
        gap = (n @ other.T - (n * one).sum(1)[:, None]).min(1).max()
        if gap >= 0:
            return 0.0
        least = min(least, -gap)
    return least


def disc_in_polygon(centre, radius, P):
    edge = np.roll(P, -1, axis=0) - P
    length = np.hypot(edge[:, 0], edge[:, 1])
    along = np.clip(((centre - P) * edge).sum(1) / length**2, 0, 1)
    distance = np.hypot(*(centre - P - along[:, None] * edge).T).min()
    n = np.column_stack([edge[:, 1], -edge[:, 0]]) / length[:, None]
    inside = ((centre - P) * n).sum(1).max() < 0
    return max(0.0, radius + distance if inside else radius - distance)


def penetration(scene, end):
    place = []
    for (x, y, angle), corners in zip(end, scene.corners):
        c, s = math.cos(angle), math.sin(angle)
        place.append(None if corners is None else corners @ np.array([[c, s], [-s, c]]) + (x, y))
    overlaps = []

    def of_two(P, radius, centre, Q):
        return depth(P, Q) if P is not None else disc_in_polygon(centre, radius, Q)

    for i, j in cKDTree(end[:, :2]).query_pairs(2 * scene.radius.max()):
        distance = math.dist(end[i, :2], end[j, :2])
        if distance >= scene.radius[i] + scene.radius[j]:
            continue
        if place[i] is None and place[j] is None:
            overlaps.append(scene.radius[i] + scene.radius[j] - distance)
        else:
            i, j = (i, j) if place[j] is not None else (j, i)
            overlaps.append(of_two(place[i], scene.radius[i], end[i, :2], place[j]))
    for k, P in enumerate(place):
        for point, n in scene.planes:
            overlaps.append(scene.radius[k] - (end[k, :2] - point) @ n if P is None else -((P - point) @ n).min())
        for wall in scene.walls:
            if (np.abs(wall - end[k, :2]).min(0) < 100).all():
                overlaps.append(of_two(P, scene.radius[k], end[k, :2], wall))
    overlaps = np.maximum(overlaps, 0.0)
    touching = overlaps[overlaps > 0.0]
    return {"penetration": overlaps.max() / scene.size, "mean_penetration": (touching.mean() if len(touching) else 0.0) / scene.size}


def main():
    scene, body, contact, problem, end, result = Scene(sys.argv[1]), [], [], [], [], {}
    for line in open(sys.argv[2], encoding="ascii"):
        word, rest = line.split(None, 1)
        if word == "result":
            result = json.loads(rest)
        else:
            {"body": body, "contact": contact, "problem": problem, "end": end}[word].append([float(x) for x in rest.split()])
    body, contact, end = np.array(body), np.array(contact).reshape(-1, 10), np.array(end)
    result.update(residuals(scene, body, contact, np.array(problem)))
    result.update(penetration(scene, end))
    result["fastest"] = np.hypot(body[:, 6], body[:, 7]).max()
    result["mean_speed"] = np.hypot(body[:, 6], body[:, 7]).mean()
    result["lowest"] = end[:, 1].min()
    print(json.dumps(result))


if __name__ == "__main__":
    main()

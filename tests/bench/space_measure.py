#!/usr/bin/python3
"""What a driver of bench-bodies left behind of a scene in space (space_scene.h says how), measured in the same way for all programs.

    space_measure.py SCENE.txt OUT                 a JSON object

As bodies_measure.py says: residual in percuss' measure free of units, of the contacts that are closed or pushed, with

    W = H M^-1 H',   b = H (v + h g),   w = W p + b,   rho = rows / tr W,

M at the beginning of the step, spins in fixed axes; gyroscopic moments of the step are left out of b (they are h w^2 of a velocity).
`own`: with w_N + s, s being what the program means to add to u_N. `momentum`: |M (v' - v - h g) - H'p| / |M (v' - v - h g)|. The penetration is that of the
places at the end: spheres exactly, boxes by separating axes, relative to the mean size of the bodies (of a sphere of that volume, the diameter)."""
import json
import math
import sys

import numpy as np
from scipy.sparse import block_diag, coo_matrix
from scipy.spatial import cKDTree


def matrices(q):
    """of unit quaternions, one a row"""
    w, x, y, z = q.T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1).reshape(-1, 3, 3)


class Scene:
    def __init__(self, path):
        self.planes, self.radius, self.edge, self.mass, self.inertia, self.state = [], [], [], [], [], []
        for line in open(path, encoding="ascii"):
            word, *numbers = line.split()
            x = [float(w) for w in numbers]
            if word == "steps":
                self.h = x[3]
            elif word == "friction":
                self.mu = x[0]
            elif word == "gravity":
                self.g = np.array(x)
            elif word == "plane":
                self.planes.append((np.array(x[:3]), np.array(x[3:])))
            elif word in ("box", "sphere"):
                self.state.append(x[:13])
                e = np.array(x[14:]) if word == "box" else np.zeros(3)
                r = 0.0 if word == "box" else x[14]
                m = x[13] * (e.prod() if word == "box" else 4 / 3 * math.pi * r**3)
                self.edge.append(e), self.radius.append(r), self.mass.append(m)
                self.inertia.append(m / 12 * ((e**2).sum() - e**2) if word == "box" else np.full(3, 0.4 * m * r * r))
        self.radius, self.edge, self.mass, self.inertia, self.state = map(np.array, (self.radius, self.edge, self.mass, self.inertia, self.state))
        self.size = np.mean(2 * (3 / (4 * math.pi) * self.mass) ** (1 / 3))  # densities are 1


def frames(n):
    """n, t1, t2, one of each a row"""
    other = np.eye(3)[np.abs(n).argmin(1)]
    t1 = np.cross(n, other)
    t1 /= np.linalg.norm(t1, axis=1)[:, None]
    return np.stack([n, t1, np.cross(n, t1)], axis=1)


def project(mu, x):
    n, t = x[:, 0], np.linalg.norm(x[:, 1:], axis=1)
    edge = np.maximum((n + mu * t) / (1 + mu**2), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        out = np.column_stack([edge, x[:, 1:] * np.where(t > 0, mu * edge / t, 0.0)[:, None]])
    inside = t <= mu * n
    out[inside] = x[inside]
    return out


def natural_map(mu, rho, p, w):
    z = rho * np.column_stack([w[:, 0] + mu * np.linalg.norm(w[:, 1:], axis=1), w[:, 1:]])
    return np.linalg.norm(p - project(mu, p - z))


def residuals(scene, body, contact, problem):
    used = contact[(contact[:, 8] <= 0.0) | (contact[:, 9:12] != 0.0).any(1)]
    if not len(used):
        return {"closed": 0, "residual": 0.0, "own": 0.0, "momentum": 0.0}
    a, b, place, D, force, shift = used[:, 0].astype(int), used[:, 1].astype(int), used[:, 2:5], frames(used[:, 5:8]), used[:, 9:12], used[:, 12]
    p = np.einsum("cij,cj->ci", D, force)
    rows, columns, values = [], [], []
    for sign, one in ((-1.0, a), (1.0, b)):
        free = np.flatnonzero(one >= 0)
        arm = place[free] - body[one[free], :3]
        for k in range(3):
            d = D[free, k]
            for dof, value in enumerate((*d.T, *np.cross(arm, d).T)):
                rows.append(3 * free + k), columns.append(6 * one[free] + dof), values.append(sign * value)
    R = matrices(body[:, 3:7])
    turned = np.einsum("bij,bj,bkj->bik", R, scene.inertia, R)
    blocks = [part for m, J in zip(scene.mass, turned) for part in (m * np.eye(3), J)]
    inverse = block_diag([np.linalg.inv(part) for part in blocks]).tocsr()
    M = block_diag(blocks).tocsr()
    H = coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(p.size, 6 * len(body))).tocsr()
    free_velocity = (body[:, 7:13] + scene.h * np.concatenate([scene.g, np.zeros(3)])).ravel()
    b_vector, pushed = H @ free_velocity, H.T @ p.ravel()
    w = (b_vector + H @ (inverse @ pushed)).reshape(-1, 3)
    rho, gained = p.size / H.multiply(H @ inverse).sum(), M @ (body[:, 13:19].ravel() - free_velocity)
    if len(problem):
        p, w, b_vector = problem[:, 0:3], problem[:, 3:6], problem[:, 6:9]
        shift = np.zeros(len(problem))
    size = rho * np.linalg.norm(b_vector)
    return {
        "closed": len(used),
        "residual": natural_map(scene.mu, rho, p, w) / size,
        "own": natural_map(scene.mu, rho, p, w + np.column_stack([shift, 0 * shift, 0 * shift])) / size,
        "momentum": np.linalg.norm(gained - pushed) / np.linalg.norm(gained),
    }


def depth_of_boxes(x, R, half, i, j):
    """of the pairs i, j; 0 where they are apart"""
    d, A, B = x[j] - x[i], R[i], R[j]
    axes = [A[:, :, k] for k in range(3)] + [B[:, :, k] for k in range(3)] + [np.cross(A[:, :, k], B[:, :, m]) for k in range(3) for m in range(3)]
    least = np.full(len(i), np.inf)
    for axis in axes:
        length = np.linalg.norm(axis, axis=1)
        n = axis / np.maximum(length, 1e-300)[:, None]
        reach = sum(np.abs(np.einsum("ck,ck->c", n, of[:, :, k])) * half[who][:, k] for of, who in ((A, i), (B, j)) for k in range(3))
        least = np.minimum(least, np.where(length > 1e-6, reach - np.abs((n * d).sum(1)), np.inf))
    return np.maximum(least, 0.0)


def penetration(scene, end):
    x, R, half, overlaps = end[:, :3], matrices(end[:, 3:7]), scene.edge / 2, []
    reach = np.maximum(scene.radius, np.linalg.norm(half, axis=1))
    pairs = cKDTree(x).query_pairs(2 * reach.max(), output_type="ndarray")
    i, j = pairs.T
    if scene.radius.any():
        overlaps.append(scene.radius[i] + scene.radius[j] - np.linalg.norm(x[i] - x[j], axis=1))
    else:
        overlaps.append(depth_of_boxes(x, R, half, i, j))
    for point, n in scene.planes:
        overlaps.append(scene.radius + (np.abs(np.einsum("bik,i->bk", R, n)) * half).sum(1) - (x - point) @ n)
    overlaps = np.maximum(np.concatenate(overlaps), 0.0)
    touching = overlaps[overlaps > 0.0]
    return {"penetration": overlaps.max() / scene.size, "mean_penetration": (touching.mean() if len(touching) else 0.0) / scene.size}


def main():
    scene, lines, result = Scene(sys.argv[1]), {"body": [], "contact": [], "problem": [], "end": []}, {}
    for line in open(sys.argv[2], encoding="ascii"):
        word, rest = line.split(None, 1)
        if word == "result":
            result = json.loads(rest)
        else:
            lines[word].append([float(x) for x in rest.split()])
    body, contact, end = np.array(lines["body"]), np.array(lines["contact"]).reshape(-1, 13), np.array(lines["end"])
    result.update(residuals(scene, body, contact, np.array(lines["problem"])))
    result.update(penetration(scene, end))
    result["fastest"] = np.linalg.norm(body[:, 13:16], axis=1).max()
    result["mean_speed"] = np.linalg.norm(body[:, 13:16], axis=1).mean()
    result["lowest"] = end[:, 2].min()
    print(json.dumps(result))


if __name__ == "__main__":
    main()

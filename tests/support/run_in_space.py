#!/usr/bin/python3
"""Makes the folder of a run of bodies in space, for tests of pictures: a wall of blocks that a ball hits, moved by formulas and not by
mechanics.

  run_in_space.py FOLDER [--wall | --layers N] [--outputs N]
"""

import argparse
import base64
import json
import os

import numpy as np

BODY, DRIVEN, OBSTACLE, HALF_SPACE = range(4)  # the array `kind`
VERTEX, POLYGON = 1, 7


def array(name, values):
    values = np.ascontiguousarray(values)
    kind = "Float64" if values.dtype.kind == "f" else "UInt8" if values.dtype == np.uint8 else "Int32"
    values = values.astype({"Float64": "<f8", "UInt8": "u1", "Int32": "<i4"}[kind])
    components = f' NumberOfComponents="{values.shape[1]}"' if values.ndim > 1 else ""
    data = base64.b64encode(np.uint32(values.nbytes).tobytes() + values.tobytes()).decode("ascii")
    return f'<DataArray type="{kind}" Name="{name}"{components} format="binary">{data}</DataArray>\n'


def write_vtu(path, points, nodes, ends, types, on_points, on_cells):
    with open(path, "w", encoding="ascii") as file:
        file.write('<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian" '
                   'header_type="UInt32">\n<UnstructuredGrid>\n'
                   f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(types)}">\n<PointData>\n')
        file.writelines(array(name, values) for name, values in on_points.items())
        file.write("</PointData>\n<CellData>\n")
        file.writelines(array(name, values) for name, values in on_cells.items())
        file.write("</CellData>\n<Points>\n" + array("Points", points) + "</Points>\n<Cells>\n")
        file.write(array("connectivity", np.asarray(nodes, np.int32)) + array("offsets", np.asarray(ends, np.int32)))
        file.write(array("types", np.asarray(types, np.uint8)) + "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")


def write_collection(path, files):
    with open(path, "w", encoding="ascii") as file:
        file.write('<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n<Collection>\n')
        file.writelines(f'<DataSet timestep="{t!r}" part="0" file="{name}"/>\n' for t, name in files)
        file.write("</Collection>\n</VTKFile>\n")


def box(edges):
    """Corners and faces, outwards."""
    corners = 0.5 * np.asarray(edges) * [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1],
                                        [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
    return corners, [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]


def ball(radius, around=24):
    points, faces = [(0.0, 0.0, -radius)], []
    rings = around // 2
    for k in range(1, rings):
        s = np.pi * (k / rings - 0.5)
        points += [(radius * np.cos(s) * np.cos(a), radius * np.cos(s) * np.sin(a), radius * np.sin(s))
                   for a in 2.0 * np.pi * np.arange(around) / around]
    points.append((0.0, 0.0, radius))
    for j in range(around):
        after = (j + 1) % around
        faces.append((0, 1 + after, 1 + j))
        faces += [(1 + around * k + j, 1 + around * k + after, 1 + around * (k + 1) + after, 1 + around * (k + 1) + j)
                  for k in range(rings - 2)]
        faces.append((1 + around * (rings - 2) + j, 1 + around * (rings - 2) + after, len(points) - 1))
    return np.array(points), faces


def matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def turned(axis, angle):
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.asarray(axis, float) / np.linalg.norm(axis))])


def small_wall(layers):
    blocks = []
    for k in range(layers):
        n = 5 - k % 2
        blocks += [((0.0, (j - (n - 1) / 2) * 2.01, 0.5 + k), (1.0, 2.0, 1.0)) for j in range(n)]
    return blocks, 1.0, (9.0, 0.0, 3.0)


def tall_wall():
    """The wall with buttresses of the rockfall: 275 blocks."""
    blocks = [((-0.505, (j - (20 - k) / 2) * 2.01, 0.5 + k), (1.0, 2.0, 1.0)) for k in range(10) for j in range(20 - k)]
    for X in (15, 10, 5, 0, -5, -10):
        for layer, W in enumerate((5, 4, 3, 2, 1)):
            for j in range(4):
                half = j == 3 and W % 2 == 0 or j == 0 and W % 2 == 1
                offset = (-0.5 if W % 2 == 0 else 0.5) if half else 0.0
                blocks.append((((j - (4 + W % 2) / 2) * 2.01 - 3 + offset - 0.02, 0.505 - (X - 1), 0.5 + layer),
                               (1.0 if half else 2.0, 1.0, 1.0)))
    return blocks, 2.5, (14.0, 0.0, 6.0)


class Scene:
    def __init__(self, blocks, radius, start):
        self.start = [np.array(place) for place, _ in blocks] + [np.array(start)]
        self.shape = [box(edges) for _, edges in blocks] + [ball(radius)]
        self.radius, self.n = radius, len(blocks) + 1
        self.name = [f"block{k + 1}" for k in range(len(blocks))] + ["ball"]

    def motion(self, b, t):
        """Place, quaternion, velocity and spin in its own axes: the ball flies level and stops in the wall, what is near flies off."""
        x0, last = self.start[b], self.start[-1]
        hit, speed = 0.5, (last[0] - self.radius) / 0.5
        if b == self.n - 1:
            s = min(t, hit + 0.1)
            return (last + [-speed * s, 0.0, -2.0 * s * s], turned([0, 1, 0], -3.0 * s),
                    np.array([-speed if t < hit else 0.0, 0.0, -4.0 * s]), np.array([0.0, -3.0, 0.0]))
        near = np.exp(-((x0[1] - last[1]) ** 2 + (x0[2] - last[2]) ** 2) / (2.0 * self.radius) ** 2) * (x0[0] > -1.1)
        after = max(t - hit, 0.0)
        axis = np.array([0.2 * np.sin(7.0 * b), -1.0, 0.5 * np.cos(5.0 * b)])
        v = near * np.array([-12.0, 1.5 * (x0[1] - last[1]), 3.0]) * (t > hit)
        fall = 0.5 * 9.81 * after ** 2 if near > 0.05 else 0.0
        x = x0 + v * after - [0.0, 0.0, fall]
        x[2] = max(x[2], 0.6 if near > 0.05 else x0[2])
        return x, turned(axis, 3.0 * near * after), v, 3.0 * near * axis * (t > hit)

    def cells(self):
        points, nodes, ends, types, owner, kind, first = 0, [], [], [], [], [], []
        for b, (corners, faces) in enumerate(self.shape):
            first.append(points)
            for face in faces:
                nodes += [points + k for k in face]
                ends.append(len(nodes))
                types.append(POLYGON), owner.append(b), kind.append(BODY)
            points += len(corners)
        nodes += range(points, points + 4)
        ends.append(len(nodes)), types.append(POLYGON), owner.append(self.n), kind.append(HALF_SPACE)
        return nodes, ends, types, np.array(owner), np.array(kind, np.int32)

    def output(self, path, t):
        nodes, ends, types, owner, kind = self.cells()
        motions = [self.motion(b, t) for b in range(self.n)]
        points = [corners @ matrix(q).T + x for (corners, _), (x, q, _, _) in zip(self.shape, motions)]
        all_points = np.concatenate(points)
        half = 0.55 * np.max(np.ptp(all_points, axis=0))
        middle = 0.5 * (all_points.min(axis=0) + all_points.max(axis=0)) * [1, 1, 0]
        plane = middle + half * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
        quaternion, velocity, spin = (np.array([m[i] for m in motions] + [rest]) for i, rest in
                                      ((1, [1, 0, 0, 0]), (2, [0, 0, 0]), (3, [0, 0, 0])))
        body_of_point = np.concatenate([np.full(len(p), b) for b, p in enumerate([*points, plane])]).astype(np.int32)
        on_cells = {"body": owner.astype(np.int32), "kind": kind, "group": np.zeros(len(kind), np.int32),
                    "velocity": velocity[owner].astype(float), "quaternion": quaternion[owner].astype(float),
                    "spin": spin[owner].astype(float),
                    "kinetic_energy": 0.5 * np.sum(velocity[owner] ** 2, axis=1), "neighbours": np.full(len(kind), -1, np.int32)}
        write_vtu(path, np.concatenate([all_points, plane]), nodes, ends, types,
                  {"velocity": velocity[body_of_point].astype(float), "body": body_of_point}, on_cells)
        return motions

    def forces(self, path, t):
        below = [x for x in self.start[:-1]]
        points = np.array([x + [dx, dy, -0.5] for x in below for dx in (-0.4, 0.4) for dy in (-0.4, 0.4)])
        normal = 1e4 * (10.5 - points[:, 2])
        force = np.column_stack([0.3 * normal * (t > 0.5), np.zeros(len(points)), normal])
        n = len(points)
        write_vtu(path, points, range(n), range(1, n + 1), [VERTEX] * n,
                  {"force": force, "force_normal": normal, "gap": np.zeros(n), "status": np.ones(n, np.int32),
                   "contact": np.zeros(n, np.int32), "other": np.full(n, -1, np.int32),
                   "body": np.repeat(np.arange(len(below)), 4).astype(np.int32)}, {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--wall", action="store_true", help="that of 275 blocks")
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--outputs", type=int, default=11)
    chosen = parser.parse_args()
    scene = Scene(*(tall_wall() if chosen.wall else small_wall(chosen.layers)))
    os.makedirs(os.path.join(chosen.folder, "vtu"), exist_ok=True)
    times = np.linspace(0.0, 1.0, chosen.outputs)
    rows, fields, forces = [], [], []
    for k, t in enumerate(times):
        name = f"vtu/step-{k:08d}.vtu"
        motions = scene.output(os.path.join(chosen.folder, name), t)
        fields.append((float(t), name))
        name = f"vtu/forces-{k:08d}.vtu"
        scene.forces(os.path.join(chosen.folder, name), t)
        forces.append((float(t), name))
        rows += [(k, t, scene.name[b], *x, *q, *v, *w) for b, (x, q, v, w) in enumerate(motions)]
    write_collection(os.path.join(chosen.folder, "solution.pvd"), fields)
    write_collection(os.path.join(chosen.folder, "forces.pvd"), forces)
    with open(os.path.join(chosen.folder, "bodies.csv"), "w", encoding="ascii") as file:
        file.write("step,t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n")
        file.writelines(",".join(v if isinstance(v, str) else repr(float(v)) for v in row) + "\n" for row in rows)
    with open(os.path.join(chosen.folder, "energy.csv"), "w", encoding="ascii") as file:
        names = ("step", "t", "kinetic", "elastic", "work_external", "work_damping", "work_contact_normal",
                 "work_contact_tangential", "driven", "dissipation_numerical", "joints", "balance_residual",
                 "tangential_work_max", "tangential_work_min", "active", "sticking", "sliding", "cone_iterations", "cone_error", "work_boundary")
        file.write(",".join(names) + "\n")
        for k, t in enumerate(times):
            values = {"step": k, "t": t, "kinetic": 2.0 - t, "work_contact_normal": -0.6 * t, "work_contact_tangential": -0.4 * t}
            file.write(",".join(repr(float(values.get(name, 0.0))) for name in names) + "\n")
    with open(os.path.join(chosen.folder, "run.json"), "w", encoding="ascii") as file:
        json.dump({"units": "m kg s", "name": "wall"}, file)


main()

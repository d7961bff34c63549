"""Bodies in space as a part of a page: their surfaces once, and of each output where every body is, how it is turned and how fast it
is; the scripts that draw them, with vtk.js where the browser has WebGL."""

import os

import numpy as np

import percuss_space as space
from percuss import read_vtu
from percuss_drawing import limits
from percuss_fields import require_numbers, scalar_of

# name in the address, array of the cells
SHOWN = (("velocity", "velocity"), ("spin", "spin"), ("kinetic_energy", "kinetic_energy"))
MOST_NUMBERS = 4_000_000  # of 2 bytes, all outputs together
MOST_OUTPUTS, MOST_ARROWS = 400, 200_000  # arrows of all outputs together
SHARP = np.cos(np.radians(25.0))  # faces that meet at more have an edge

CONTROLS = """<div id="viewer">
<div style="position: relative; width: 100%; height: 560px; touch-action: none">
<div data-part="scene" style="position: absolute; inset: 0"></div>
<canvas style="position: absolute; inset: 0; width: 100%; height: 100%; cursor: grab" role="img" aria-label="the moving bodies"></canvas>
</div>
<p><button type="button" name="play">play</button>
<label>time <input type="range" name="frame" min="0" max="0" value="0" style="width: 22rem"></label>
<button type="button" name="whole">all of it</button>
<label>colour <select name="field"><option value="">plain</option></select></label>
<label><input type="checkbox" name="forces"> contact forces</label></p>
<p><output></output></p>
<p><small>Drag: turn; shift and drag: elsewhere; wheel: larger and smaller; the pointer names the body.</small></p>
</div>
"""


def rotations(q):
    """Matrices of unit quaternions (w, x, y, z), n x 3 x 3."""
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)


class Bodies:
    """Which points belong to which body. `body` of a point: its place in `numbers`; -1: it has places of its own in every output, as
    those of a spring; one more than all: it never moves, as those of the ground."""

    def __init__(self, start, ground):
        self.cells = cells = space.Cells(start)
        self.is_rigid = "quaternion" in start.on_cells
        owned = np.isin(cells.kind, (space.BODY, space.DRIVEN, space.OBSTACLE)) & (cells.body >= 0)
        self.numbers, self.first = np.unique(cells.body[owned], return_index=True)
        self.first = np.flatnonzero(owned)[self.first]  # a cell of each, where its arrays are read
        self.body = np.full(len(start.points), -1)
        self.fixed = start.points.copy()
        for c in np.flatnonzero(owned) if self.is_rigid else ():
            self.body[cells.nodes(c)] = np.searchsorted(self.numbers, cells.body[c])
        for c in np.flatnonzero(cells.kind == space.HALF_SPACE):
            own, drawn = start.points[cells.nodes(c)], ground.polygon(c, start.points[cells.nodes(c)])
            if ground.is_fixed(c) and len(own) == len(drawn):
                self.body[cells.nodes(c)], self.fixed[cells.nodes(c)] = len(self.numbers), drawn
        self.count = np.bincount(self.body[self.body >= 0], minlength=len(self.numbers) + 1)[:len(self.numbers)]

    def moving(self):
        return (self.body >= 0) & (self.body < len(self.numbers))

    def poses(self, fields):
        """(middles of the points of each body, quaternions)."""
        chosen = self.moving()
        sums = [np.bincount(self.body[chosen], fields.points[chosen, k], len(self.numbers)) for k in range(3)]
        middles = np.array(sums).T / np.maximum(self.count, 1)[:, None]
        if not self.is_rigid:
            return middles, np.tile([1.0, 0.0, 0.0, 0.0], (len(self.numbers), 1))
        return middles, np.asarray(fields.on_cells["quaternion"])[self.first]

    def local(self, fields):
        """Points in the axes of their bodies, from the middle."""
        middles, quaternions = self.poses(fields)
        chosen, found = self.moving(), self.fixed.copy()
        arms = fields.points[chosen] - middles[self.body[chosen]]
        found[chosen] = np.einsum("nji,nj->ni", rotations(quaternions)[self.body[chosen]], arms) if np.any(chosen) else arms
        return found


def sharp_edges(points, polygons):
    """Pairs of corners between faces that meet at more than 25 degrees, or where there is one face alone."""
    from percuss_camera import normal_of

    normals, found = [normal_of(points[p]) for p in polygons], {}
    for k, nodes in enumerate(polygons):
        for a, b in zip(nodes, np.roll(nodes, -1)):
            if a != b and np.any(points[a] != points[b]):
                found.setdefault((min(a, b), max(a, b)), []).append(k)
    return [pair for pair, faces in found.items()
            if len(faces) != 2 or float(np.dot(normals[faces[0]], normals[faces[1]])) < SHARP]


def thinned_series(run, bodies):
    """As many outputs as a page can hold, the first and the last among them."""
    each = 16 * len(bodies.numbers) + 6 * int(np.count_nonzero(bodies.body < 0))
    most = max(2, min(MOST_OUTPUTS, MOST_NUMBERS // max(each, 1)))
    kept = np.unique(np.linspace(0, len(run.series) - 1, min(most, len(run.series))).round().astype(int))
    return [run.series[k] for k in kept]


def field_part(outputs, bodies, units, packed, name, array):
    """One field of each body, the extremes of the run at 0 and 65535; None where the run does not have it."""
    if array not in outputs[0].on_cells:
        return None
    scalars = [scalar_of(fields, array, None, prefer_cells=True) for fields in outputs]
    values = np.array([scalar.values[bodies.first] for scalar in scalars])
    require_numbers(values)
    low, high = float(values.min()), float(values.max())
    span = high - low if high > low else 1.0
    free = values[:, bodies.cells.kind[bodies.first] == space.BODY]
    colours = limits(np.percentile(free if free.size else values, [0.2, 99.8]))
    label = scalars[0].axis_label(units).replace("$^2$", "²").replace("$^3$", "³")
    return {"name": name, "label": label, "map": colours["cmap"], "low": low, "high": low + span,
            "shown": [(colours[end] - low) / span * 65535.0 for end in ("vmin", "vmax")],
            "values": packed(np.rint((values - low) / span * 65535.0), "<u2")}


def force_parts(run, series, low, high, packed):
    """The strongest forces of each output: places in the box as 16 bits, forces in units of the largest; None where there are none."""
    if not run.has_force_lines():
        return None
    outputs = [run.force_lines(time) for time, _ in series]
    largest = space.strongest(outputs)
    if not largest > 0.0 or not all(len(f.points) == 0 or "force" in f.on_points for f in outputs):
        return None
    parts, most, span = [], max(1, MOST_ARROWS // len(outputs)), np.maximum(high - low, 1e-300)
    for f in outputs:
        force = np.asarray(f.on_points.get("force", np.empty((0, 3)))).reshape(-1, 3)
        size = np.linalg.norm(force, axis=1)
        chosen = np.argsort(-size, kind="stable")[:most]
        chosen = chosen[size[chosen] > 0.01 * largest]
        at = np.clip((f.points[chosen] - low if len(chosen) else np.empty((0, 3))) / span, 0.0, 1.0) * 65535.0
        pull = np.clip(force[chosen] / largest, -4.0, 4.0) * 8191.0
        parts.append(packed(np.column_stack([np.rint(at) - 32768.0, np.rint(pull)]) if len(chosen) else np.empty(0), "<i2"))
    return {"arrows": parts, "largest": run.units.value(float(f"{largest:.3g}"), "force")}


def view_of(run, store):
    """What viewer_space.js draws, as one dictionary with the arrays in `store`; None where the number of points changes."""
    start, packed = run.fields(run.times[0]), store.packed
    series = thinned_series(run, Bodies(start, space.Ground([start])))
    outputs = [read_vtu(paths) for _, paths in series]
    if any(fields.points.shape != start.points.shape or len(fields.types) != len(start.types) for fields in outputs):
        return None
    bodies = Bodies(start, space.Ground(outputs))
    cells, polygons = bodies.cells, [bodies.cells.nodes(c) for c in bodies.cells.polygons()]
    poses, loose = [bodies.poses(fields) for fields in outputs], bodies.body < 0
    require_numbers(*(fields.points for fields in outputs), *(q for _, q in poses))
    local = bodies.local(start)
    every = [space.Cells(fields).free_points() for fields in outputs]
    low, high = np.min([p.min(axis=0) for p in every], axis=0), np.max([p.max(axis=0) for p in every], axis=0)
    fields = [field_part(outputs, bodies, run.units, packed, *shown) for shown in SHOWN] if len(bodies.numbers) else []
    fields, kinds = [field for field in fields if field], cells.kind[cells.polygons()]
    plain = np.rint(255.0 * space.colours_of(cells, bodies.first, None, None, None)) if len(bodies.first) else np.empty((0, 3))
    edges = sharp_edges(local, [p for p, kind in zip(polygons, kinds) if kind != space.HALF_SPACE])
    lines, dots, balls = cells.lines(*range(6)), cells.dots(), cells.balls()
    time_unit = run.units.of("time")
    return {
        "times": [float(time) for time, _ in series], "time_unit": f" {time_unit}" if time_unit not in (None, "–") else "",
        "labels": [run.units.label(name, "length") for name in "xyz"], "low": low.tolist(), "high": high.tolist(),
        "numbers": bodies.numbers.tolist(), "free": (cells.kind[bodies.first] == space.BODY).astype(int).tolist(),
        "points": packed(local, "<f4"), "body": packed(bodies.body, "<i4"),
        "nodes": packed(np.concatenate([*polygons, []]), "<u4"),
        "starts": packed(np.concatenate([[0], np.cumsum([len(p) for p in polygons])]), "<u4"),
        "ground": packed(kinds == space.HALF_SPACE, "u1"), "edges": packed(np.array(edges).reshape(-1, 2), "<u4"),
        "lines": packed(start.connectivity[start.offsets[lines][:, None] + np.arange(2)], "<u4"),
        "dots": packed(start.connectivity[start.offsets[dots]], "<u4"),
        "balls": packed(start.connectivity[start.offsets[balls]], "<u4"), "radii": packed(cells.radius[balls], "<f4"),
        "places": packed([x for x, _ in poses], "<f4"), "turns": packed(np.rint(32767.0 * np.array([q for _, q in poses])), "<i2"),
        "loose": packed([f.points[loose] for f in outputs], "<f4"), "plain": packed(plain, "u1"),
        "ground_colour": space.FILL[space.HALF_SPACE], "fields": fields,
        "maps": {name: store.colour_map(name) for name in sorted({field["map"] for field in fields})},
        "forces": force_parts(run, series, low, high, packed),
    }


def scripts():
    """[(kind, text)]: vtk.js with the licences of what is in it, where it is there, and the viewer's own."""
    folder, found = os.path.dirname(os.path.abspath(__file__)), []
    for name in ("vtkjs.licences.txt", "vtkjs.min.js", "viewer_space.js"):
        path = os.path.join(folder, name)
        if os.path.exists(path) or name == "viewer_space.js":
            with open(path, encoding="utf-8") as file:
                found.append(("text/plain" if name.endswith(".txt") else "text/javascript", file.read()))
    return found

"""The moving mesh as a part of a page: the outputs of a run as numbers of 12 or 16 bits, deflated, and the script that draws them."""

import base64
import json
import os
import zlib

import numpy as np

import percuss_bodies as bodies
import viewer_space
from percuss import Problem, read_vtu
from percuss_drawing import limits, pyplot
from percuss_fields import automatic_view, displacement_of, mean_over_area, require_numbers, scalar_of

# name in the address, field, component
SHOWN = (("velocity", "velocity", None), ("velocity_x", "velocity", "x"), ("velocity_y", "velocity", "y"),
         ("displacement", "displacement", None), ("von_mises", "stress", "von_mises"),
         ("divergence", "divergence", None), ("curl", "curl", None))
MOST_NUMBERS = 4_000_000  # of 2 bytes, all outputs together
MOST_OUTPUTS = 200

CONTROLS = """<div id="viewer">
<canvas style="width: 100%; height: 460px" role="img" aria-label="the moving mesh"></canvas>
<p><button type="button" name="play">play</button>
<label>time <input type="range" name="frame" min="0" max="0" value="0" style="width: 22rem"></label>
<button type="button" name="whole">whole body</button></p>
<p><label>field <select name="field"></select></label>
<label>displacement × <input type="number" name="warp" min="0" step="any" style="width: 6rem"></label>
<label><input type="checkbox" name="mean"> without the mean translation</label>
<label><input type="checkbox" name="mesh"> mesh</label>
<label><input type="checkbox" name="forces"> contact forces</label></p>
<p><output></output></p>
<p><small>Wheel: larger and smaller; drag: elsewhere; the pointer reads the value. Grey: at the start.</small></p>
</div>
"""


class Store:
    """The arrays of a page one behind the other, as page_data.js takes them apart: [first byte, bytes, bytes of a number]. The first
    bytes of all numbers of an array stand before the second ones and so on: neighbours are alike there, which deflate wants."""

    def __init__(self):
        self.parts, self.size = [], 0

    def packed(self, values, kind):
        array = np.ascontiguousarray(values, dtype=kind)
        width = array.dtype.itemsize
        self.parts.append(array.reshape(-1).view("u1").reshape(-1, width).T.tobytes())
        place = [self.size, array.nbytes, width]
        self.size += array.nbytes
        return place

    def colour_map(self, name):
        """256 colours of three bytes."""
        colours = pyplot().get_cmap(name)(np.arange(256) / 255.0)
        return self.packed(np.rint(255.0 * colours[:, :3]), "u1")

    def text(self):
        return base64.b64encode(zlib.compress(b"".join(self.parts), 9)).decode("ascii")


def steps_of(values, low, span):
    """Numbers from low to low + span as 0 to 65520 in steps of 16: 12 bits, a twentieth of the step between two colours."""
    return 16.0 * np.rint((values - low) / span * 4095.0)


FULL = 16.0 * 4095.0


def field_part(outputs, units, packed, name, field, component):
    """One field of all outputs, the extremes of the run at 0 and FULL; None where the run does not have it."""
    try:
        scalars = [scalar_of(fields, field, component) for fields in outputs]
    except Problem:
        return None
    owner = outputs[0].triangles()[1]
    place = "points" if scalars[0].place == "points" else "triangles"
    values = np.array([s.values[owner] if s.place == "cells" else s.values for s in scalars])
    require_numbers(values)
    low, high = float(values.min()), float(values.max())
    span = high - low if high > low else 1.0
    colours = limits(np.percentile(values, [0.2, 99.8]))  # a few extremes would leave the rest dark
    label = scalars[0].axis_label(units).replace("$^2$", "²").replace("$^3$", "³")
    return {"name": name, "label": label, "place": place, "map": colours["cmap"],
            "low": low, "high": low + span, "full": FULL,
            "shown": [(colours[end] - low) / span * FULL for end in ("vmin", "vmax")],
            "values": packed(steps_of(values, low, span), "<u2")}


def thinned_series(run):
    """As many outputs as a page can hold, the first and the last among them."""
    first = run.fields(run.times[0])
    each = 9 * len(first.points) + 3 * len(first.triangles()[0])
    most = max(2, min(MOST_OUTPUTS, MOST_NUMBERS // max(each, 1)))
    kept = np.unique(np.linspace(0, len(run.series) - 1, min(most, len(run.series))).round().astype(int))
    return [run.series[k] for k in kept]


def fills_of(fields, packed):
    """Rigid bodies and obstacles: polygons by their colour, those behind first."""
    cells, nodes = fields.polygons()
    kinds, parts = bodies.kinds_of(fields)[cells], []
    for kind in (bodies.HALF_PLANE, bodies.FACE, bodies.OBSTACLE, bodies.DRIVEN, bodies.BODY):
        chosen = [k for k, of in zip(nodes, kinds) if of == kind]
        if chosen:
            starts = np.concatenate([[0], np.cumsum([len(k) for k in chosen])])
            parts.append({"colour": bodies.FILL[kind], "nodes": packed(np.concatenate(chosen), "<u4"), "starts": packed(starts, "<u4")})
    return parts


def force_parts(run, series, packed):
    """The force lines of each output: x and y of both ends as 16 bits of a box, and 1/4000 of the pixels that each is wide; None where there
    are none, or too many."""
    if not run.has_force_lines():
        return None
    forces = [run.force_lines(time) for time, _ in series]
    largest, count = bodies.strongest(forces), sum(len(f.types) for f in forces)
    if not largest > 0.0 or 5 * count > MOST_NUMBERS:
        return None
    places = np.concatenate([f.points[:, :2] for f in forces])
    low, span = places.min(axis=0), np.maximum(np.ptp(places, axis=0), 1e-300)
    parts = []
    for f in forces:
        ends = np.rint((f.points[f.connectivity.reshape(-1, 2), :2] - low) / span * 65535.0).reshape(-1, 4)
        width = 8.0 * np.minimum(f.on_cells["force_normal"] / largest, 2.0)
        parts.append(packed(np.column_stack([ends, np.rint(4000.0 * width)])[width > 0.02], "<u2"))
    return {"lines": parts, "low": low.tolist(), "span": span.tolist(), "largest": run.units.value(float(f"{largest:.3g}"), "force"), "width": 8.0}


def view_of(run, store):
    """What viewer.js draws, as one dictionary with the arrays in `store`; None where there are no outputs to draw."""
    series, packed = thinned_series(run), store.packed
    outputs = [read_vtu(paths) for _, paths in series]
    start, surface = outputs[0], outputs[0].is_surface()
    if any(fields.points.shape != start.points.shape for fields in outputs):
        return None
    triangles = start.triangles()[0]
    # bodies on a mesh have a displacement; outlines of rigid bodies move themselves
    moves = [displacement_of(f) if surface else f.points + displacement_of(f) - start.points for f in outputs]
    require_numbers(*moves)
    means = [mean_over_area(start.points, triangles, u) if surface else np.zeros(2) for u in moves]
    rest = np.array([u - mean for u, mean in zip(moves, means)])
    scale = float(np.max(np.abs(rest), initial=0.0)) / 32767.0 or 1.0
    without_mean, warp = automatic_view(start.points, outputs, run.axisymmetric) if surface else (False, 1.0)
    used = np.unique(start.connectivity)  # the centre of an arc belongs to no cell
    fields = [field_part(outputs, run.units, packed, *shown) for shown in SHOWN] if surface else []
    fields = [field for field in fields if field]
    spans = [u[used] if surface else (start.points + u)[used] for u in rest]
    reach = [np.concatenate([u.min(axis=0), u.max(axis=0)]) for u in spans]
    time_unit = run.units.of("time")
    return {
        "surface": surface, "points": packed(start.points, "<f4"), "triangles": packed(triangles, "<u4"),
        "edges": packed(start.unique_edges()[0], "<u4"), "border": packed(start.boundary() if surface else start.edges(), "<u4"),
        "fills": fills_of(start, packed), "forces": force_parts(run, series, packed),
        "low": start.points[used].min(axis=0).tolist(), "high": start.points[used].max(axis=0).tolist(),
        "times": [float(time) for time, _ in series], "time_unit": f" {time_unit}" if time_unit not in (None, "–") else "",
        "displacement": packed(np.rint(rest / scale), "<i2"), "displacement_scale": scale,
        "means": [mean.tolist() for mean in means], "reach": [box.tolist() for box in reach],
        "warp": warp, "without_mean": without_mean, "fields": fields,
        "maps": {name: store.colour_map(name) for name in sorted({field["map"] for field in fields})},
        "x_label": run.axis_label("x"), "y_label": run.axis_label("y"), "axis": run.axisymmetric,
    }


def without_ends(script):
    """Nothing in it ends the element that it stands in."""
    return script.replace("</script", "<" + chr(92) + "/script")


def script(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        return file.read()


def part(run):
    """The controls, the data and the script, as HTML; a sentence where the run has nothing to show."""
    store = Store()
    try:
        in_space = run.fields(run.times[0]).in_space
        view = (viewer_space.view_of if in_space else view_of)(run, store)
    except Problem as problem:
        return f"<p>No moving picture: {os.path.basename(str(problem))}.</p>"
    if view is None:
        return "<p>No moving picture: the number of points changes.</p>"
    data = json.dumps(view, allow_nan=False).replace("<", "\\u003c")
    own = [("text/javascript", script(name)) for name in ("inflate.min.js", "page_data.js")]
    own += viewer_space.scripts() if in_space else [("text/javascript", script("viewer.js"))]
    scripts = "".join(f'<script type="{kind}">\n{without_ends(text)}\n</script>\n' for kind, text in own)
    draw = "percussSpaceViewer" if in_space else "percussViewer"
    return (f"{viewer_space.CONTROLS if in_space else CONTROLS}{scripts}<script>\n"
            f"{draw}({data}, percussUnpack('{store.text()}'), document.getElementById('viewer'));\n</script>\n")

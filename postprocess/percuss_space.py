"""Bodies in space in a picture: their faces, colours, axes around them, and the forces at their contacts."""

import numpy as np

import percuss_camera
from percuss import Problem
from percuss_drawing import COLOURS
from percuss_fields import require_numbers, scalar_of
from percuss_vtk import LINES, POLYGON, VERTEX

BODY, DRIVEN, OBSTACLE, HALF_SPACE, JOINT, SPRING = range(6)  # the array `kind` of cells
PLAIN = ("#c8d8ea", "#e8c9a0", "#bcd9c2", "#dcc3dd", "#e5d68f", "#c2d6d8")  # of groups
FILL = {DRIVEN: "#b9b9b9", OBSTACLE: "#c9c9c9", HALF_SPACE: "#e4e2dd"}
WIDTH, MARGINS = 1200, (70, 20, 10, 60)  # of a picture, in pixels


def rgb(text):
    return np.array([int(text[k:k + 2], 16) for k in (1, 3, 5)]) / 255.0


class Cells:
    """What the cells of an output are, in numpy's terms."""

    def __init__(self, fields):
        n = len(fields.types)
        self.fields, self.types = fields, fields.types
        self.kind = np.asarray(fields.on_cells.get("kind", np.zeros(n, int)))
        self.body = np.asarray(fields.on_cells.get("body", np.zeros(n, int)))
        self.group = np.asarray(fields.on_cells.get("group", np.zeros(n, int)))
        self.radius = np.asarray(fields.on_cells.get("radius", np.zeros(n)))
        self.ends = np.append(fields.offsets, len(fields.connectivity))[1:]

    def nodes(self, c):
        return self.fields.connectivity[self.fields.offsets[c]:self.ends[c]]

    def polygons(self):
        return np.flatnonzero(self.types == POLYGON)

    def balls(self):
        return np.flatnonzero((self.types == VERTEX) & (self.radius > 0.0))

    def lines(self, *kinds):
        return np.flatnonzero(np.isin(self.types, LINES) & np.isin(self.kind, kinds))

    def dots(self):
        return np.flatnonzero((self.types == VERTEX) & (self.radius <= 0.0))

    def free_points(self):
        """All that is a part of what is free to move, or else of any body."""
        for chosen in (self.kind == BODY, self.kind != HALF_SPACE, self.kind >= 0):
            parts = [self.fields.points[self.nodes(c)] for c in np.flatnonzero(chosen & (self.types != VERTEX))]
            for c in np.flatnonzero(chosen & (self.types == VERTEX)):
                place = self.fields.points[self.nodes(c)]
                parts += [place - self.radius[c], place + self.radius[c]]
            if parts:
                return np.concatenate(parts)
        return self.fields.points


def corners_of(low, high):
    return np.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])


def scalar_on_cells(fields, field, component):
    """The field on all cells, as a Scalar."""
    scalar = scalar_of(fields, field, component, prefer_cells=True)
    if scalar.place == "cells":
        return scalar
    cells = Cells(fields)
    return scalar.with_values(np.array([np.mean(scalar.values[cells.nodes(c)]) for c in range(len(fields.types))]), "cells")


def values_of_free(fields, field, component):
    return scalar_on_cells(fields, field, component).values[Cells(fields).kind == BODY]


def plain_colours(cells, chosen):
    """Of groups, each body a little lighter or darker than others, so that neighbours are told apart."""
    groups = np.array([rgb(c) for c in PLAIN])
    colour = groups[np.maximum(cells.group[chosen], 0) % len(groups)]
    change = 0.94 + 0.06 * ((cells.body[chosen] * 7919) % 5) / 4.0
    return colour * change[:, None]


def colours_of(cells, chosen, field, component, colours):
    """Of cells: by the field where they are a part of a free body, else by what they are."""
    from percuss_drawing import pyplot

    found = plain_colours(cells, chosen)
    if field is not None:
        values = scalar_on_cells(cells.fields, field, component).values[chosen]
        require_numbers(values)
        span = colours["vmax"] - colours["vmin"]
        found = pyplot().get_cmap(colours["cmap"])((values - colours["vmin"]) / span)[:, :3]
    for kind, fill in FILL.items():
        found[cells.kind[chosen] == kind] = rgb(fill)
    return found


class Ground:
    """Half-spaces of many outputs: those that stay where they are are drawn as large as in the output that has them largest."""

    def __init__(self, outputs):
        self.largest, self.moving = {}, set()
        for fields in outputs:
            cells = Cells(fields)
            for c in np.flatnonzero(cells.kind == HALF_SPACE):
                polygon = fields.points[cells.nodes(c)]
                normal = percuss_camera.normal_of(polygon)
                size, plane = self.area(polygon), np.append(normal, normal @ polygon[0])
                before = self.largest.setdefault(c, (size, plane, polygon))
                if not self.same(before[1], plane, size):
                    self.moving.add(c)
                elif before[0] < size:
                    self.largest[c] = size, plane, polygon

    @staticmethod
    def area(polygon):
        return 0.5 * float(np.linalg.norm(np.cross(polygon - polygon[0], np.roll(polygon, -1, axis=0) - polygon[0]).sum(axis=0)))

    @staticmethod
    def same(one, other, size):
        return bool(np.allclose(one, other, rtol=0.0, atol=1e-6 * max(1.0, np.sqrt(size))))

    def is_fixed(self, c):
        return c not in self.moving

    def polygon(self, c, own):
        normal = percuss_camera.normal_of(own)
        plane = np.append(normal, normal @ own[0])
        _, drawn, polygon = self.largest.get(c, (0.0, plane, own))
        return polygon if self.same(drawn, plane, self.area(polygon)) else own


def model_of(fields, field, component, colours, ground):
    cells = Cells(fields)
    chosen, balls = cells.polygons(), cells.balls()
    if len(chosen) == 0 and len(balls) == 0:
        raise Problem("there are no bodies with a surface to draw")
    polygons = [fields.points[cells.nodes(c)] for c in chosen]
    polygons = [ground.polygon(c, p) if cells.kind[c] == HALF_SPACE else p for c, p in zip(chosen, polygons)]
    require_numbers(*polygons)
    every = np.concatenate([chosen, balls])
    centres = np.array([fields.points[cells.nodes(c)[0]] for c in balls]).reshape(-1, 3)
    own = cells.body[chosen] * 8 + cells.kind[chosen]  # a body and its half-space are told apart
    return percuss_camera.Model(polygons, own, colours_of(cells, every, field, component, colours),
                                np.zeros(len(chosen), bool), centres, cells.radius[balls])


class View:
    """What all pictures of one series share: camera, size and box."""

    def __init__(self, outputs, azimuth, elevation, zoom, look_at):
        every = [Cells(fields).free_points() for fields in outputs]
        require_numbers(*every)
        self.low, self.high = np.min([p.min(axis=0) for p in every], axis=0), np.max([p.max(axis=0) for p in every], axis=0)
        size = max(float(np.linalg.norm(self.high - self.low)), 1e-300)
        middle = 0.5 * (self.low + self.high) if look_at is None else np.asarray(look_at, float)
        self.camera = percuss_camera.Camera(azimuth, elevation, middle, 0.62 * size / np.tan(0.5 * percuss_camera.FIELD_OF_VIEW))
        step = [max(1, len(p) // 20000) for p in every]
        seen = np.concatenate([p[::s] for p, s in zip(every, step)])
        self.corners = corners_of(self.low, self.high)
        if zoom == 1.0 and look_at is None:
            self.height = self.camera.fit(np.concatenate([seen, self.corners]), WIDTH, MARGINS)
        else:
            around = corners_of(middle - 0.5 * (self.high - self.low), middle + 0.5 * (self.high - self.low))
            self.height = self.camera.fit(around, WIDTH, MARGINS, zoom)
        self.ground = Ground(outputs)


def ticks(low, high, count):
    """Round numbers from low to high, about so many."""
    if not high > low:
        return [low]
    rough = (high - low) / count
    decade = 10.0 ** np.floor(np.log10(rough))
    step = decade * min(k for k in (1.0, 2.0, 5.0, 10.0) if k * decade >= rough)
    return [k * step for k in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)]


def draw_axis(axes, view, names, start, direction, outward, label):
    """One edge of the box with its ticks; outward: where numbers stand."""
    camera, length = view.camera, float(np.linalg.norm(view.high - view.low))
    k = int(np.argmax(np.abs(direction)))
    ends = camera.pixels(np.array([start, start + direction]))
    axes.plot(*ends.T, color="0.35", linewidth=0.8, clip_on=True)
    on_screen = np.linalg.norm(ends[1] - ends[0])
    aside = camera.pixels(np.array([start + 0.5 * direction, start + 0.5 * direction + 0.01 * length * outward]))
    aside = (aside[1] - aside[0]) / max(np.linalg.norm(aside[1] - aside[0]), 1e-300)
    for value in ticks(view.low[k], view.high[k], max(on_screen / 90.0, 1.0)):
        place = start.copy()
        place[k] = value
        at = camera.pixels(place)
        axes.plot(*np.array([at, at + 6.0 * aside]).T, color="0.35", linewidth=0.8)
        axes.text(*(at + (10.0 if k == 2 else 20.0) * aside), f"{value:.6g}", ha="right" if k == 2 else "center", va="center",
                  fontsize=8, color="0.25", clip_on=True)  # of an upright axis a long number would lie over it if centred
    along = (ends[1] - ends[0]) / max(on_screen, 1e-300)
    axes.text(*(ends[1] + 18.0 * along if k == 2 else ends.mean(axis=0) + 50.0 * aside), label, ha="center", va="center",
              fontsize=9, color="0.15", clip_on=True)


def draw_axes(axes, view, units):
    """Three edges of the box around all that moves: those below, in front, and the one at its side."""
    low, high, back = view.low, view.high, view.camera.back
    front = np.where(back > 0.0, high, low)
    size = high - low
    down = np.array([0.0, 0.0, -1.0])
    if size[0] > 0.0:
        draw_axis(axes, view, "x", np.array([low[0], front[1], low[2]]), np.array([size[0], 0.0, 0.0]),
                  np.array([0.0, np.sign(back[1]) or 1.0, 0.0]) + 0.3 * down, units.label("x", "length"))
    if size[1] > 0.0:
        draw_axis(axes, view, "y", np.array([front[0], low[1], low[2]]), np.array([0.0, size[1], 0.0]),
                  np.array([np.sign(back[0]) or 1.0, 0.0, 0.0]) + 0.3 * down, units.label("y", "length"))
    upright = [np.array([x, y, low[2]]) for x in (low[0], high[0]) for y in (low[1], high[1])]
    leftmost = upright[int(np.argmin(view.camera.pixels(np.array(upright))[:, 0]))]
    if size[2] > 0.0:
        draw_axis(axes, view, "z", leftmost, np.array([0.0, 0.0, size[2]]), -view.camera.right, units.label("z", "length"))


def draw_lines(axes, fields, view):
    """Joints, springs and bodies that are lines, over all else."""
    from matplotlib.collections import LineCollection

    cells = Cells(fields)
    for chosen, colour, width in ((cells.lines(JOINT), "black", 1.0), (cells.lines(SPRING), COLOURS["blue"], 1.0),
                                  (cells.lines(BODY, DRIVEN, OBSTACLE), "black", 1.8)):
        if len(chosen):
            ends = fields.connectivity[fields.offsets[chosen][:, None] + np.arange(2)]
            axes.add_collection(LineCollection(view.camera.pixels(fields.points[ends]), colors=colour, linewidths=width))
    dots = fields.connectivity[fields.offsets[cells.dots()]]
    if len(dots):
        axes.plot(*view.camera.pixels(fields.points[dots]).T, "o", color="black", markerfacecolor="white", markersize=3.5)


# ---- forces ---------------------------------------------------------------------------------------------------------------------


def strongest(outputs):
    """The force whose arrow is longest: the largest, or of many outputs one that few exceed."""
    sizes = [np.linalg.norm(forces.on_points["force"], axis=1) for forces in outputs if forces is not None and len(forces.points)]
    sizes = np.concatenate(sizes) if sizes else np.empty(0)
    if len(sizes) == 0:
        return 0.0
    return float(np.max(sizes)) if len(outputs) == 1 else float(np.percentile(sizes, 99.8))


def draw_forces(axes, forces, largest, view, units):
    """Arrows from the contact points along the force on the second body, the longest an eighth of the box's size."""
    if forces is None or len(forces.points) == 0 or not largest > 0.0:
        return
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    force = np.asarray(forces.on_points["force"])
    size = np.linalg.norm(force, axis=1)
    shown = size > 0.01 * largest
    factor = 0.125 * float(np.linalg.norm(view.high - view.low)) / largest
    ends = np.stack([forces.points[shown], forces.points[shown] + factor * force[shown]], axis=1)
    flat = view.camera.pixels(ends)
    axes.add_collection(LineCollection(flat, colors=COLOURS["red"], linewidths=1.1, capstyle="round", zorder=3))
    along = flat[:, 1] - flat[:, 0]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = along / np.maximum(length, 1e-300)
    head = np.minimum(6.0, 0.35 * length)
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1)
    for sign in (-1.0, 1.0):
        wing = flat[:, 1] - head * along + sign * 0.4 * head * aside
        axes.add_collection(LineCollection(np.stack([flat[:, 1], wing], axis=1), colors=COLOURS["red"], linewidths=1.1, zorder=3))
    axes.legend(handles=[Line2D([], [], color=COLOURS["red"], label=units.value(float(f"{largest:.3g}"), "force"))],
                title="longest arrow", loc="upper right", borderaxespad=0.2, title_fontsize=8.5)


# ---- the picture ----------------------------------------------------------------------------------------------------------------


def draw(fields, view, units, field=None, component=None, colours=None, forces=None, largest=0.0, title=""):
    """A figure of one output."""
    from matplotlib import cm, colors
    from percuss_drawing import pyplot

    bar = 110 if field is not None else 0
    width, height = WIDTH, view.height
    figure = pyplot().figure(figsize=((width + bar) / 150.0, (height + 34) / 150.0))
    figure.set_layout_engine("none")
    axes = figure.add_axes([0.0, 0.0, width / (width + bar), height / (height + 34.0)])
    image = percuss_camera.picture(model_of(fields, field, component, colours, view.ground), view.camera, width, height)
    figure.text(0.01, 1.0 - 8.0 / (height + 34), title, va="top", fontsize=10)
    axes.imshow(image, extent=(0, width, height, 0), interpolation="antialiased")
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    draw_lines(axes, fields, view)
    draw_axes(axes, view, units)
    draw_forces(axes, forces, largest, view, units)
    if field is not None:
        scalar = scalar_on_cells(fields, field, component)
        shown = scalar.values[Cells(fields).kind == BODY]
        beside = figure.add_axes([(width + 8) / (width + bar), 0.14, 18.0 / (width + bar), 0.68])
        ends = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[
            int(np.min(shown, initial=np.inf) < colours["vmin"]), int(np.max(shown, initial=-np.inf) > colours["vmax"])]
        figure.colorbar(cm.ScalarMappable(colors.Normalize(colours["vmin"], colours["vmax"]), colours["cmap"]), cax=beside,
                        label=scalar.axis_label(units), extend=ends)
    return figure

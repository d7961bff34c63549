"""Rigid bodies, obstacles and contact forces in a picture: filled outlines, half-planes as far as the picture goes, and lines from
centre to centre whose width is the normal force."""

import numpy as np

from percuss import Problem
from percuss_drawing import COLOURS
from percuss_fields import require_numbers, scalar_of
from percuss_vtk import LINES, VERTEX

BODY, DRIVEN, OBSTACLE, HALF_PLANE, FACE, JOINT, SPRING, BEAM = range(8)  # the array `kind` of cells
FILL = {BODY: "#dbe7f3", DRIVEN: "#c9c9c9", OBSTACLE: "#c9c9c9", HALF_PLANE: "#dedede", FACE: "#dedede"}
FEW = 60  # up to so many bodies are drawn where they began, too
WIDEST = 5.0  # of a force, in points


def kinds_of(fields):
    """What each cell is a part of."""
    return np.asarray(fields.on_cells.get("kind", np.zeros(len(fields.types), int)))


def edge_width(count):
    return 1.3 if count <= 100 else 0.5 if count <= 3000 else 0.15 if count <= 10000 else 0.0


def far_half_plane(corners, reach):
    """The band behind a line as far as the picture goes: its first two corners are on the line, which the others are behind."""
    right, left, behind = corners[0], corners[1], corners[2] - corners[1]
    middle, along = 0.5 * (right + left), right - left
    along, behind = reach * along / np.linalg.norm(along), reach * behind / np.linalg.norm(behind)
    return np.array([middle + along, middle - along, middle - along + behind, middle + along + behind])


def shapes_of(fields, points, reach):
    """(cells, kinds, corners of each) of all polygons."""
    cells, nodes = fields.polygons()
    kinds = kinds_of(fields)[cells]
    corners = [far_half_plane(points[k], reach) if kind == HALF_PLANE else points[k] for k, kind in zip(nodes, kinds)]
    return cells, kinds, corners


def scalar_of_bodies(fields, field, component):
    """(cells, Scalar): the field of every cell that is a part of a free body."""
    scalar = scalar_of(fields, field, component, prefer_cells=True)
    cells, nodes = fields.polygons()
    kept = kinds_of(fields)[cells] == BODY
    if scalar.place == "triangles":
        raise Problem(f"no field '{field}' of rigid bodies")
    values = (scalar.values[cells] if scalar.place == "cells" else np.array([np.mean(scalar.values[k]) for k in nodes]))[kept]
    return cells[kept], scalar.with_values(values, "cells")


def are_filled(fields):
    """Is there a free body that is more than lines?"""
    return bool(np.any(kinds_of(fields)[fields.polygons()[0]] == BODY))


def draw_start(axes, start, points):
    """Where free bodies began, unless they are many."""
    from matplotlib.collections import LineCollection

    kinds = kinds_of(start)
    if np.count_nonzero(kinds == BODY) > FEW:
        return False
    free = np.isin(kinds, (BODY, BEAM))
    of_body = free[np.searchsorted(start.offsets, np.arange(len(start.connectivity)), side="right") - 1]
    nodes = np.unique(start.connectivity[of_body])
    edges = start.edges()
    edges = edges[np.isin(edges, nodes).all(axis=1)]
    axes.add_collection(LineCollection(points[edges], colors="0.75", linewidths=1.0, zorder=1))
    return True


def draw_bodies(axes, fields, points, reach, field=None, component=None, colours=None):
    """All outlines; (picture, Scalar) where free bodies are coloured by a field."""
    from matplotlib.collections import LineCollection, PolyCollection

    cells, kinds, corners = shapes_of(fields, points, reach)
    require_numbers(*corners)
    width, drawn = edge_width(len(cells)), None
    for kind in (HALF_PLANE, OBSTACLE, DRIVEN, FACE):
        chosen = [c for c, k in zip(corners, kinds) if k == kind]
        axes.add_collection(PolyCollection(chosen, facecolors=FILL[kind], zorder=0.5, linewidths=0.8,
                                           edgecolors="0.45" if kind in (HALF_PLANE, DRIVEN, FACE) else FILL[kind]))
    free = [c for c, k in zip(corners, kinds) if k == BODY]
    if free and field is not None:
        _, scalar = scalar_of_bodies(fields, field, component)
        picture = PolyCollection(free, array=scalar.values, cmap=colours["cmap"], linewidths=width, edgecolors="black", zorder=2)
        picture.set_clim(colours["vmin"], colours["vmax"])
        axes.add_collection(picture)
        drawn = picture, scalar
    elif free:
        axes.add_collection(PolyCollection(free, facecolors=FILL[BODY], edgecolors="black", linewidths=width, zorder=2))
    of_line, kind = np.isin(fields.types, LINES), kinds_of(fields)
    linked = np.isin(kind, (JOINT, SPRING))
    for chosen, thin in ((of_line & (kind == BODY), True), (of_line & (kind != BODY) & ~linked, False)):
        lines = fields.connectivity[fields.offsets[chosen][:, None] + np.arange(2)]
        if len(lines) and (free or field is None or not thin):
            axes.add_collection(LineCollection(points[lines], colors="black" if thin else "0.35", capstyle="round", zorder=2,
                                               linewidths=width if free and thin else 1.8))
    dots = fields.connectivity[fields.offsets[(fields.types == VERTEX) & ~linked]]
    if len(dots):
        axes.plot(*points[dots].T, "k.", markersize=3, zorder=2)
    draw_links(axes, fields, points, kind)
    return drawn


def draw_links(axes, fields, points, kind):
    """Joints as small circles, those that keep a distance as lines too, and springs as zigzags."""
    from matplotlib.collections import LineCollection

    for what, colour in ((JOINT, "black"), (SPRING, COLOURS["blue"])):
        chosen = np.isin(fields.types, LINES) & (kind == what)
        lines = fields.connectivity[fields.offsets[chosen][:, None] + np.arange(2)]
        if len(lines):
            axes.add_collection(LineCollection(points[lines], colors=colour, capstyle="round", linewidths=1.0, zorder=3))
    joints = fields.connectivity[fields.offsets[(fields.types == VERTEX) & (kind == JOINT)]]
    if len(joints):
        axes.plot(*points[joints].T, "o", color="black", markerfacecolor="white", markersize=4 if len(joints) <= 30 else 2,
                  zorder=4)


# ---- forces ---------------------------------------------------------------------------------------------------------------------


def strongest(outputs):
    """The normal force that is drawn widest: the largest, or of many outputs one that few exceed, since an impact would leave all
    others thin."""
    normal = [np.asarray(forces.on_cells["force_normal"]) for forces in outputs if forces is not None]
    normal = np.concatenate(normal) if normal else np.empty(0)
    if len(normal) == 0:
        return 0.0
    return float(np.max(normal)) if len(outputs) == 1 else float(np.percentile(normal, 99.8))


def draw_forces(axes, forces, largest, units):
    """Lines from centre to centre, as wide as the normal force, and what the widths stand for."""
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    if forces is None or not largest > 0.0:
        return
    ends = forces.connectivity.reshape(-1, 2)
    normal = np.asarray(forces.on_cells["force_normal"])
    if len(ends) == 0:
        return
    # two contacts of one pair have one line: their sum
    lines, first, of = np.unique(forces.points[ends].reshape(len(ends), -1), axis=0, return_index=True, return_inverse=True)
    normal = np.bincount(of.reshape(-1), weights=normal, minlength=len(lines))
    ends = ends[first]
    largest = max(largest, normal.max(initial=0.0))
    shown = normal > 1e-3 * largest  # thinner than can be seen
    axes.add_collection(LineCollection(forces.points[ends[shown]], linewidths=WIDEST * np.minimum(normal[shown] / largest, 2.0),
                                       colors=COLOURS["red"], capstyle="round", zorder=3))
    # the largest round number below the largest force, and a quarter of it
    reached = largest * (1.0 + 1e-6)
    decade = 10.0 ** np.floor(np.log10(reached))
    top = max(k * decade for k in (1.0, 2.0, 4.0) if k * decade <= reached)
    keys = [Line2D([], [], color=COLOURS["red"], linewidth=WIDEST * value / largest, solid_capstyle="round",
                   label=units.value(value, "force")) for value in (top, 0.25 * top)]
    axes.legend(handles=keys, title="normal force", loc="lower right", bbox_to_anchor=(1.0, 1.0), ncol=2, borderaxespad=0.1,
                title_fontsize=8.5)

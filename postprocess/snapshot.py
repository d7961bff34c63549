#!/usr/bin/python3
"""The deformed mesh with a field at one time, or the outlines of rigid bodies, as a picture.

Usage: snapshot.py DIR --time T [--field NAME] [--component NAME] [--warp W] [-o PICTURE]

Fields are the arrays of the VTU files: displacement and velocity (their magnitude, or --component x or y), stress
(--component xx, yy, xy or von_mises; also as --field stress_xx, von_mises and so on), and any other. Outlines are
drawn plain, or coloured by --field velocity.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True
import numpy as np

from percuss_files import Problem, pyplot, read_series, run_main

TENSOR = ("xx", "yy", "xy")
VTK_LINE, VTK_TRIANGLE = 3, 5


def von_mises(stress):
    """From xx, yy, xy alone, as in plane stress."""
    xx, yy, xy = stress[:, 0], stress[:, 1], stress[:, 2]
    return np.sqrt(xx * xx - xx * yy + yy * yy + 3.0 * xy * xy)


def read_piece(path):
    """Points, cells, and the arrays on points and on cells of one VTU file; cells are triangles or else lines."""
    try:
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkCommonCore import vtkObject
        from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
    except ImportError:
        raise Problem("VTK for Python is missing (Debian: python3-vtk9)") from None
    if not os.path.exists(path):
        raise Problem(f"{path}: no such file")
    vtkObject.GlobalWarningDisplayOff()
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    if reader.GetErrorCode() or grid.GetNumberOfPoints() == 0:
        raise Problem(f"{path}: not a readable VTU file")
    cells = grid.GetCells()
    offsets = vtk_to_numpy(cells.GetOffsetsArray())
    connectivity = vtk_to_numpy(cells.GetConnectivityArray())
    types = vtk_to_numpy(grid.GetCellTypesArray())
    kind, corners = (VTK_TRIANGLE, 3) if np.any(types == VTK_TRIANGLE) else (VTK_LINE, 2)
    chosen = np.flatnonzero(types == kind)
    if len(chosen) == 0:
        raise Problem(f"{path}: no triangles or lines; open the series in ParaView instead")
    drawn = connectivity[offsets[chosen][:, None] + np.arange(corners)]

    def arrays(data, rows):
        found = {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i))[rows] for i in range(data.GetNumberOfArrays())
                 if data.GetArray(i) is not None}
        return found

    return (vtk_to_numpy(grid.GetPoints().GetData())[:, :2], drawn,
            arrays(grid.GetPointData(), slice(None)), arrays(grid.GetCellData(), chosen))


def read_output(paths):
    """All pieces of one output as one mesh; arrays that not every piece has are left out."""
    pieces = [read_piece(path) for path in paths]
    if len({piece[1].shape[1] for piece in pieces}) > 1:
        raise Problem(f"{paths[0]}: triangles in some pieces and lines in others; open the series in ParaView instead")
    first = np.cumsum([0] + [len(piece[0]) for piece in pieces])

    def joined(k):
        names = [name for name in pieces[0][k] if all(name in piece[k] for piece in pieces)]
        return {name: np.concatenate([piece[k][name] for piece in pieces]) for name in names}

    return (np.concatenate([piece[0] for piece in pieces]),
            np.concatenate([piece[1] + start for piece, start in zip(pieces, first)]), joined(2), joined(3))


def chosen_field(on_points, on_cells, name, component):
    """(values, whether they are on points, label) of a field as the user named it."""
    everything = {**on_cells, **on_points}
    if name not in everything:
        if name == "von_mises":
            name, component = "stress", "von_mises"
        elif name.startswith("stress_"):
            name, component = "stress", name[len("stress_"):]
    if name not in everything:
        raise Problem(f"no field '{name}'; there are: {', '.join(sorted(everything)) or 'none'}")
    values = everything[name]
    # stress is constant over a triangle; what is recovered at nodes is smoother than what was computed
    on_point = name in on_points and not (name == "stress" and name in on_cells)
    if not on_point:
        values = on_cells[name]
    if values.ndim == 1:
        if component is not None:
            raise Problem(f"field '{name}' has one component only")
        return values, on_point, name
    n = values.shape[1]
    components = {str(i): i for i in range(n)}
    if name == "stress":
        components.update({axis: i for i, axis in enumerate(TENSOR)})
        if component in (None, "von_mises"):
            return von_mises(values), on_point, "von Mises stress (plane)"
    else:
        components.update({axis: i for i, axis in enumerate("xyz"[:n])})
        if component in (None, "magnitude"):
            return np.linalg.norm(values, axis=1), on_point, f"{name}, magnitude"
    if component not in components:
        raise Problem(f"no component '{component}' of '{name}'; there are: {', '.join(components)}")
    return values[:, components[component]], on_point, f"{name}, {component}"


def automatic_warp(points, displacement):
    """1, 2, 3, 5 or 8 times a power of ten, so that the largest displacement shows as about 5 % of the body."""
    size = np.linalg.norm(np.ptp(points, axis=0))
    largest = np.max(np.linalg.norm(displacement, axis=1), initial=0.0)
    if not largest > 0.0 or not size > 0.0:
        return 1.0
    wanted = 0.05 * size / largest
    decade = 10.0 ** np.floor(np.log10(wanted))
    return max(1.0, decade * max(k for k in (1.0, 2.0, 3.0, 5.0, 8.0) if k * decade <= wanted * (1.0 + 1e-9)))


def mean_over_area(points, triangles, values):
    """Of values on the points, linear over the triangles."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    area = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    return np.average(np.mean(values[triangles], axis=1), axis=0, weights=area if np.sum(area) > 0.0 else None)


def shown_displacement(points, triangles, displacement):
    """(displacement to be enlarged, its name): without the mean translation where that hides the deformation."""
    rest = displacement - mean_over_area(points, triangles, displacement)
    largest = np.max(np.linalg.norm(displacement, axis=1))
    deformation = np.max(np.linalg.norm(rest, axis=1))
    # a body that is held shows its displacement; one in free flight has no deformation but rounding
    if 1e-5 * largest < deformation < 0.5 * largest:
        return rest, "(displacement − mean translation)"
    return displacement, "displacement"


def boundary(triangles):
    """Edges that belong to one triangle only."""
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    unique, count = np.unique(edges, axis=0, return_counts=True)
    return unique[count == 1]


def colours_of(values):
    """Two-sided around zero for values of both signs; a constant stays one colour instead of showing its rounding."""
    low, high = np.min(values), np.max(values)
    limit = max(abs(low), abs(high))
    if low < 0.0 < high:
        return {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit}
    if high - low <= 1e-6 * limit:
        return {"cmap": "viridis", "vmin": low - 1e-3 * limit, "vmax": high + 1e-3 * limit}
    return {"cmap": "viridis"} if limit > 0.0 else {"cmap": "viridis", "vmin": 0.0, "vmax": 1.0}


def subdivided(points, lines, values, parts=32):
    """Segments and values of lines cut into equal parts; values are on the points."""
    s = np.linspace(0.0, 1.0, parts + 1)[:, None, None]
    places = (1.0 - s) * points[lines[:, 0]] + s * points[lines[:, 1]]
    along = (1.0 - s[:, :, 0]) * values[lines[:, 0]] + s[:, :, 0] * values[lines[:, 1]]
    segments = np.stack([places[:-1], places[1:]], axis=2).reshape(-1, 2, 2)
    return segments, (0.5 * (along[:-1] + along[1:])).ravel()


def size_of(points):
    width, height = np.maximum(np.ptp(points, axis=0), 1e-300)
    return 8.0, float(np.clip(6.2 * height / width + 1.0, 3.0, 10.0))


def draw_outlines(time, mesh, field, component, warp, start):
    """A figure of lines: their points stand where the bodies are, unless there is a displacement too."""
    plt = pyplot()
    from matplotlib.collections import LineCollection

    def place(points, arrays):
        displacement = arrays.get("displacement")
        return points if displacement is None else points + (1.0 if warp is None else warp) * displacement[:, :2]

    points, lines, on_points, on_cells = mesh
    moved, before = place(points, on_points), place(start[0], start[2])
    if not np.all(np.isfinite(moved)):
        raise Problem("the output has values that are not numbers")
    figure, axes = plt.subplots(figsize=size_of(np.concatenate([before, moved])))
    axes.add_collection(LineCollection(before[start[1]], colors="0.75", linewidths=1.0))
    if field in (None, "displacement"):
        axes.add_collection(LineCollection(moved[lines], colors="black", linewidths=1.8, capstyle="round"))
    else:
        values, on_point, label = chosen_field(on_points, on_cells, field, component)
        if not np.all(np.isfinite(values)):
            raise Problem("the output has values that are not numbers")
        style = colours_of(values)
        segments, values = subdivided(moved, lines, values) if on_point else (moved[lines], values)
        picture = LineCollection(segments, array=values, cmap=style["cmap"], linewidths=2.5, capstyle="round")
        if "vmin" in style:
            picture.set_clim(style["vmin"], style["vmax"])
        axes.add_collection(picture)
        figure.colorbar(picture, ax=axes, label=label, shrink=0.85)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    axes.set_title(f"t = {time:.6g} (grey: at the start)")
    return figure


def draw(time, mesh, field, component=None, warp=None):
    """A figure of one output with triangles."""
    plt = pyplot()
    from matplotlib.collections import LineCollection

    points, triangles, on_points, on_cells = mesh
    values, on_point, label = chosen_field(on_points, on_cells, field or "displacement", component)
    displacement, what = on_points.get("displacement", np.zeros_like(points))[:, :2], "displacement"
    if warp is None:
        displacement, what = shown_displacement(points, triangles, displacement)
        warp = automatic_warp(points, displacement)
    moved = points + warp * displacement
    if not np.all(np.isfinite(moved)) or not np.all(np.isfinite(values)):
        raise Problem("the output has values that are not numbers")

    figure, axes = plt.subplots(figsize=size_of(np.concatenate([points, moved])))
    style = colours_of(values)
    if on_point:
        picture = axes.tripcolor(moved[:, 0], moved[:, 1], triangles, values, shading="gouraud", **style)
    else:
        picture = axes.tripcolor(moved[:, 0], moved[:, 1], triangles, facecolors=values, **style)
    if len(triangles) <= 20000:
        axes.triplot(moved[:, 0], moved[:, 1], triangles, color="black", linewidth=0.25, alpha=0.5)
    axes.add_collection(LineCollection(points[boundary(triangles)], colors="0.5", linewidths=0.8,
                                       label="undeformed"))
    axes.grid(False)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    axes.set_title(f"t = {time:.6g}, {what} × {warp:g} (outline: undeformed)")
    figure.colorbar(picture, ax=axes, label=label, shrink=0.85)
    return figure


def main():
    parser = argparse.ArgumentParser(prog="snapshot.py", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", metavar="DIR", help="folder of a run")
    parser.add_argument("--time", type=float, required=True, metavar="T", help="the output nearest to T is drawn")
    parser.add_argument("--field", metavar="NAME",
                        help="displacement (default), velocity, stress_xx, stress_yy, stress_xy, von_mises, ...")
    parser.add_argument("--component", metavar="NAME", help="x, y; xx, yy, xy; magnitude; von_mises")
    parser.add_argument("--warp", type=float, metavar="W",
                        help="factor on the displacement (default: such that the deformation can be seen, without "
                             "the mean translation where that dominates)")
    parser.add_argument("-o", "--output", metavar="PICTURE", help="default: DIR/snapshot-FIELD-tTIME.png")
    options = parser.parse_args()
    if not np.isfinite(options.time):
        raise Problem("--time must be a finite number")

    series = read_series(options.folder)
    time, paths = min(series, key=lambda item: abs(item[0] - options.time))
    first, last = series[0][0], series[-1][0]
    if not first - 1e-9 * last <= options.time <= last * (1.0 + 1e-9):
        print(f"snapshot.py: --time {options.time:g} is outside the run, whose outputs go from t = {first:g} to "
              f"{last:g}; drawn is t = {time:g}", file=sys.stderr)
    mesh = read_output(paths)
    if mesh[1].shape[1] == 2:
        figure = draw_outlines(time, mesh, options.field, options.component, options.warp, read_output(series[0][1]))
        name = options.field or "outlines"
    else:
        figure = draw(time, mesh, options.field, options.component, options.warp)
        name = options.field or "displacement"
    name += f"-{options.component}" if options.component else ""
    path = options.output or os.path.join(options.folder, f"snapshot-{name}-t{time:.6g}.png")
    try:
        figure.savefig(path)
    except ValueError as error:
        raise Problem(f"{path}: {error}") from None
    print(path)
    return 0


if __name__ == "__main__":
    run_main(main)

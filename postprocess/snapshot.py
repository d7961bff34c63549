#!/usr/bin/python3
"""The deformed mesh with a field at one time, as a picture.

Usage: snapshot.py DIR --time T [--field NAME] [--component NAME] [--warp W] [-o PICTURE]

Fields are the arrays of the VTU files: displacement and velocity (their magnitude, or --component x or y), stress
(--component xx, yy, xy or von_mises; also as --field stress_xx, von_mises and so on), and any other.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True
import numpy as np

from percuss_files import Problem, pyplot, read_series, run_main

TENSOR = ("xx", "yy", "xy")


def von_mises(stress):
    """From xx, yy, xy alone, as in plane stress."""
    xx, yy, xy = stress[:, 0], stress[:, 1], stress[:, 2]
    return np.sqrt(xx * xx - xx * yy + yy * yy + 3.0 * xy * xy)


def read_piece(path):
    """Points, triangles, and the arrays on points and on triangles of one VTU file."""
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
    chosen = np.flatnonzero(types == 5)
    if len(chosen) == 0:
        raise Problem(f"{path}: no triangles; open the series in ParaView instead")
    triangles = connectivity[offsets[chosen][:, None] + np.arange(3)]

    def arrays(data, rows):
        found = {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i))[rows] for i in range(data.GetNumberOfArrays())
                 if data.GetArray(i) is not None}
        return found

    return (vtk_to_numpy(grid.GetPoints().GetData())[:, :2], triangles,
            arrays(grid.GetPointData(), slice(None)), arrays(grid.GetCellData(), chosen))


def read_output(paths):
    """All pieces of one output as one mesh; arrays that not every piece has are left out."""
    pieces = [read_piece(path) for path in paths]
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
    """1, 2 or 5 times a power of ten, so that the largest displacement shows as about 5 % of the body."""
    size = np.linalg.norm(np.ptp(points, axis=0))
    largest = np.max(np.linalg.norm(displacement, axis=1), initial=0.0)
    if not largest > 0.0 or not size > 0.0:
        return 1.0
    wanted = 0.05 * size / largest
    decade = 10.0 ** np.floor(np.log10(wanted))
    return max(1.0, decade * max(k for k in (1.0, 2.0, 5.0) if k * decade <= wanted * (1.0 + 1e-9)))


def boundary(triangles):
    """Edges that belong to one triangle only."""
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    unique, count = np.unique(edges, axis=0, return_counts=True)
    return unique[count == 1]


def draw(time, mesh, field, component=None, warp=None):
    """A figure of one output."""
    plt = pyplot()
    from matplotlib.collections import LineCollection

    points, triangles, on_points, on_cells = mesh
    values, on_point, label = chosen_field(on_points, on_cells, field, component)
    displacement = on_points.get("displacement", np.zeros_like(points))[:, :2]
    warp = automatic_warp(points, displacement) if warp is None else warp
    moved = points + warp * displacement
    if not np.all(np.isfinite(moved)) or not np.all(np.isfinite(values)):
        raise Problem("the output has values that are not numbers")

    width, height = np.maximum(np.ptp(np.concatenate([points, moved]), axis=0), 1e-300)
    figure, axes = plt.subplots(figsize=(8.0, float(np.clip(6.2 * height / width + 1.0, 3.0, 10.0))))
    signed = np.min(values) < 0.0 < np.max(values)
    limit = np.max(np.abs(values), initial=0.0)
    style = {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit} if signed else {"cmap": "viridis"}
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
    axes.set_title(f"t = {time:.6g}, displacement × {warp:g} (outline: undeformed)")
    figure.colorbar(picture, ax=axes, label=label, shrink=0.85)
    return figure


def main():
    parser = argparse.ArgumentParser(prog="snapshot.py", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", metavar="DIR", help="folder of a run")
    parser.add_argument("--time", type=float, required=True, metavar="T", help="the output nearest to T is drawn")
    parser.add_argument("--field", default="displacement", metavar="NAME",
                        help="displacement (default), velocity, stress_xx, stress_yy, stress_xy, von_mises, ...")
    parser.add_argument("--component", metavar="NAME", help="x, y; xx, yy, xy; magnitude; von_mises")
    parser.add_argument("--warp", type=float, metavar="W",
                        help="factor on the displacement (default: such that it can be seen)")
    parser.add_argument("-o", "--output", metavar="PICTURE", help="default: DIR/snapshot-FIELD-tTIME.png")
    options = parser.parse_args()
    if not np.isfinite(options.time):
        raise Problem("--time must be a finite number")

    time, paths = min(read_series(options.folder), key=lambda item: abs(item[0] - options.time))
    figure = draw(time, read_output(paths), options.field, options.component, options.warp)
    name = "-".join([options.field] + ([options.component] if options.component else []))
    path = options.output or os.path.join(options.folder, f"snapshot-{name}-t{time:.6g}.png")
    try:
        figure.savefig(path)
    except ValueError as error:
        raise Problem(f"{path}: {error}") from None
    print(path)
    return 0


if __name__ == "__main__":
    run_main(main)

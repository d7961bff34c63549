#!/usr/bin/python3
"""The deformed mesh with a field at one time, or rigid bodies with their obstacles, as a picture; or all outputs as a film.

Fields are the arrays of the VTU files: displacement and velocity (their magnitude, or --component x or y), stress
(--component xx, yy, xy or von_mises; also as --field stress_xx, von_mises and so on), any other, and the divergence and
the curl of the velocity, which tell compression from shear waves. Rigid bodies are drawn plain, or coloured by --field
velocity, spin, kinetic_energy, neighbours, group and so on; with --forces the forces at their contacts are lines as wide as
they are strong. Bodies in space are seen by a camera, with their shadows; forces are arrows there.
"""

import argparse
import os
import shutil
import sys

sys.dont_write_bytecode = True
import numpy as np

import percuss
import percuss_bodies as bodies
import percuss_space as space
from percuss import Problem
from percuss_drawing import limits, pyplot, replacing, run_main, save
from percuss_fields import automatic_view, displacement_shown, require_numbers, scalar_of


class Style:
    """What all pictures of one series share: field, enlargement, colours and the borders of the picture."""

    def __init__(self, run, chosen, outputs):
        self.units, self.chosen, self.surface = run.units, chosen, outputs[0].is_surface()
        self.axisymmetric, self.labels = run.axisymmetric, [run.axis_label(axis) for axis in "xy"]
        self.field = chosen.field or ("displacement" if self.surface else None)
        self.component, self.start = chosen.component, run.fields(run.times[0])
        self.plain = not self.surface and self.field in (None, "displacement")
        self.without_mean, self.warp, self.start_drawn, self.strongest = False, chosen.warp, False, 0.0
        if self.surface and self.warp is None:
            self.without_mean, self.warp = automatic_view(self.start.points, outputs, run.axisymmetric)
        self.colours = None if self.plain else self.colours_of(outputs)
        used = np.unique(self.start.connectivity)  # the centre of an arc belongs to no cell
        corners = np.concatenate([(self.start.points if self.surface else self.moved(self.start))[used]] +
                                 [self.moved(fields)[np.unique(fields.connectivity)] for fields in outputs])
        require_numbers(corners)
        self.low, self.high = corners.min(axis=0), corners.max(axis=0)
        if self.axisymmetric:  # the axis is in the picture
            self.low[0], self.high[0] = min(self.low[0], 0.0), max(self.high[0], 0.0)

    def moved(self, fields):
        """Where the points are drawn. Outlines of rigid bodies move themselves."""
        return fields.points + (1.0 if self.warp is None else self.warp) * displacement_shown(fields, self.without_mean)

    def scalar(self, fields):
        """What the colours show."""
        if not self.surface and bodies.are_filled(fields):
            return bodies.scalar_of_bodies(fields, self.field, self.component)[1]
        scalar = scalar_of(fields, self.field, self.component)
        if self.surface or scalar.place != "points":
            return scalar
        return scalar.with_values(scalar.values[np.unique(fields.nodes_of(3, (0, 1))[1])], "points")  # lines alone

    def colours_of(self, outputs):
        if self.chosen.range:
            low, high = self.chosen.range
            return {"cmap": "RdBu_r" if low < 0.0 and low == -high else "viridis", "vmin": low, "vmax": high}
        values = [self.scalar(fields).values for fields in outputs]
        require_numbers(*values)
        if len(values) == 1:
            return limits(values[0])
        return limits(np.percentile(np.concatenate(values), [0.2, 99.8]))  # a few extremes would leave a film dark

    def reach(self):
        """Further than the picture goes."""
        return 4.0 * max(float(np.linalg.norm(self.high - self.low)), 1e-300)

    def figure(self):
        """A figure as high as the body asks for, with its axes."""
        width, height = np.maximum(self.high - self.low, 1e-300)
        margin = 0.03 * max(width, height)
        size = (8.0, float(np.clip(7.2 * (height + 2.0 * margin) / (width + 2.0 * margin) + 0.9, 2.2, 10.0)))  # title, labels
        figure, axes = pyplot().subplots(figsize=size)
        axes.set_xlim(self.low[0] - margin, self.high[0] + margin)
        axes.set_ylim(self.low[1] - margin, self.high[1] + margin)
        axes.set_aspect("equal")
        axes.grid(False)
        if self.axisymmetric:
            axes.axvline(0.0, color="0.3", linewidth=1.0, dashes=(9.0, 2.0, 2.0, 2.0))
        axes.set_xlabel(self.labels[0])
        axes.set_ylabel(self.labels[1])
        return figure, axes

    def title(self, time):
        time = f"t = {self.units.value(time, 'time')}"
        if not self.surface:
            return f"{time} (grey: at the start)" if self.start_drawn else time
        what = "(displacement − mean translation)" if self.without_mean else "displacement"
        return f"{time}, {what} × {self.warp:g} (outline: undeformed)"


class StyleInSpace:
    """The same of bodies in space: the camera instead of enlargement and borders."""

    def __init__(self, run, chosen, outputs):
        self.units, self.chosen, self.strongest = run.units, chosen, 0.0
        self.field = None if chosen.field == "displacement" else chosen.field
        self.view = space.View(outputs, chosen.azimuth, chosen.elevation, chosen.zoom, chosen.look_at)
        self.colours = None if self.field is None else self.colours_of(outputs)

    def colours_of(self, outputs):
        if self.chosen.range:
            return Style.colours_of(self, outputs)
        values = [space.values_of_free(fields, self.field, self.chosen.component) for fields in outputs]
        require_numbers(*values)
        if sum(len(v) for v in values) == 0:
            raise Problem("there is no free body to colour")
        return limits(values[0] if len(values) == 1 else np.percentile(np.concatenate(values), [0.2, 99.8]))

    def draw(self, time, fields, forces):
        return space.draw(fields, self.view, self.units, self.field, self.chosen.component, self.colours, forces,
                          self.strongest, f"t = {self.units.value(time, 'time')}")


def style_of(run, chosen, outputs, forces):
    in_space = outputs[0].in_space
    style = (StyleInSpace if in_space else Style)(run, chosen, outputs)
    style.strongest = (space if in_space else bodies).strongest(forces)
    return style


def subdivided(points, lines, values, parts=32):
    """Segments and values of lines cut into equal parts; values are on the points."""
    s = np.linspace(0.0, 1.0, parts + 1)[:, None, None]
    places = (1.0 - s) * points[lines[:, 0]] + s * points[lines[:, 1]]
    along = (1.0 - s[:, :, 0]) * values[lines[:, 0]] + s[:, :, 0] * values[lines[:, 1]]
    segments = np.stack([places[:-1], places[1:]], axis=2).reshape(-1, 2, 2)
    return segments, (0.5 * (along[:-1] + along[1:])).ravel()


def draw_outlines(axes, fields, style):
    """Rigid bodies: their points stand where they are, unless there is a displacement too."""
    from matplotlib.collections import LineCollection

    moved, field = style.moved(fields), None if style.plain else style.field
    style.start_drawn = bodies.draw_start(axes, style.start, style.moved(style.start))
    if field is None or bodies.are_filled(fields):
        return bodies.draw_bodies(axes, fields, moved, style.reach(), field, style.component, style.colours)
    bodies.draw_bodies(axes, fields, moved, style.reach(), field)
    lines, scalar = fields.nodes_of(3, (0, 1))[1], scalar_of(fields, style.field, style.component)
    if scalar.place != "points":
        scalar = scalar.with_values(scalar.values[fields.types == 3], "cells")
    segments, values = (subdivided(moved, lines, scalar.values) if scalar.place == "points"
                        else (moved[lines], scalar.values))
    picture = LineCollection(segments, array=values, cmap=style.colours["cmap"], linewidths=2.5, capstyle="round")
    picture.set_clim(style.colours["vmin"], style.colours["vmax"])
    axes.add_collection(picture)
    return picture, scalar


def draw_surface(axes, fields, style):
    from matplotlib.collections import LineCollection

    moved, scalar = style.moved(fields), scalar_of(fields, style.field, style.component)
    triangles, owner = fields.triangles()
    require_numbers(moved, scalar.values)
    if scalar.place == "points":
        picture = axes.tripcolor(moved[:, 0], moved[:, 1], triangles, scalar.values, shading="gouraud",
                                 rasterized=True, **style.colours)
    else:
        values = scalar.values if scalar.place == "triangles" else scalar.values[owner]
        picture = axes.tripcolor(moved[:, 0], moved[:, 1], triangles, facecolors=values, rasterized=True,
                                 **style.colours)
    if len(triangles) <= 20000:
        axes.add_collection(LineCollection(moved[fields.unique_edges(surfaces_only=True)[0]], colors="black",
                                           linewidths=0.25, alpha=0.5))
    axes.add_collection(LineCollection(style.start.points[style.start.boundary(surfaces_only=True)], colors="0.5",
                                       linewidths=0.8))
    if fields.has_bodies():
        bodies.draw_bodies(axes, fields, moved, style.reach())
    return picture, scalar


def draw(time, fields, style, forces=None):
    """A figure of one output."""
    if fields.in_space:
        return style.draw(time, fields, forces)
    figure, axes = style.figure()
    drawn = (draw_surface if style.surface else draw_outlines)(axes, fields, style)
    bodies.draw_forces(axes, forces, style.strongest, style.units)
    if drawn:
        picture, scalar = drawn
        ends = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[
            int(np.min(scalar.values) < style.colours["vmin"]), int(np.max(scalar.values) > style.colours["vmax"])]
        bar = axes.inset_axes([1.02, 0.0, 0.02, 1.0])  # as high as the picture, whatever its shape
        figure.colorbar(picture, cax=bar, label=scalar.axis_label(style.units), extend=ends)
    axes.set_title(style.title(time))
    return figure


def name_of(chosen, style):
    name = style.field or "outlines"
    return name + (f"-{chosen.component}" if chosen.component else "") + ("-forces" if chosen.forces else "")


def forces_of(run, chosen, times):
    """The forces of outputs at these times; None each where none are to be drawn."""
    if not chosen.forces:
        return [None] * len(times)
    if not run.has_force_lines():
        raise Problem(f"{run.folder}: no forces.pvd; --forces draws those at the contacts of rigid bodies")
    return [run.force_lines(time) for time in times]


def write_picture(run, chosen):
    time, paths = run.nearest(chosen.time)
    first, last = run.times[0], run.times[-1]
    if not first - 1e-9 * last <= chosen.time <= last * (1.0 + 1e-9):
        print(f"snapshot.py: --time {chosen.time:g} is outside the run, whose outputs go from t = {first:g} to "
              f"{last:g}; drawn is t = {time:g}", file=sys.stderr)
    fields = percuss.read_vtu(paths)
    forces = forces_of(run, chosen, [time])
    style = style_of(run, chosen, [fields], forces)
    path = chosen.output or os.path.join(run.folder, f"snapshot-{name_of(chosen, style)}-t{time:.6g}.png")
    save(draw(time, fields, style, forces[0]), path)
    return path


def writer_of(path, rate):
    """matplotlib's writer for a film with this ending."""
    from matplotlib import animation

    extension = os.path.splitext(path)[1].lower()
    if extension in (".gif", ".webp", ".apng"):
        return animation.PillowWriter(fps=rate)
    if extension not in (".mp4", ".webm", ".mkv"):
        raise Problem(f"{path}: a film ends in .mp4, .webm, .mkv, .gif, .webp or .apng")
    if not shutil.which("ffmpeg"):
        raise Problem(f"{path}: ffmpeg is missing (Debian: ffmpeg); a .gif needs none", 1)
    even = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p"]
    return animation.FFMpegWriter(fps=rate, extra_args=even)


def write_film(run, chosen):
    series = run.series[::max(1, -(-len(run.series) // chosen.frames))]
    outputs = [percuss.read_vtu(paths) for _, paths in series]
    forces = forces_of(run, chosen, [time for time, _ in series])
    style = style_of(run, chosen, outputs, forces)
    extension = "mp4" if shutil.which("ffmpeg") else "gif"
    path = chosen.output or os.path.join(run.folder, f"movie-{name_of(chosen, style)}.{extension}")
    with replacing(path) as part:
        film(writer_of(path, chosen.rate), part, list(zip([time for time, _ in series], outputs, forces)), style)
    return path


def film(writer, path, outputs, style):
    plt, canvas = pyplot(), None
    for time, fields, forces in outputs:
        figure = draw(time, fields, style, forces)
        if canvas is None:
            canvas = figure
            writer.setup(canvas, path, dpi=150)
        writer.fig = figure
        writer.grab_frame()
        if figure is not canvas:
            plt.close(figure)
    writer.finish()


def range_of(text):
    low, comma, high = text.partition(",")
    try:
        low, high = float(low), float(high)
    except ValueError:
        comma = ""
    if not comma or not low < high:
        raise argparse.ArgumentTypeError(f"'{text}', expected two numbers such as 0,5")
    return low, high


def place_of(text):
    try:
        place = tuple(float(part) for part in text.split(","))
    except ValueError:
        place = ()
    if len(place) != 3 or not np.all(np.isfinite(place)):
        raise argparse.ArgumentTypeError(f"'{text}', expected three numbers such as 0,0,1.5")
    return place


def arguments():
    parser = argparse.ArgumentParser(prog="percuss snapshot", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", help="folder of a run")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--time", type=float, metavar="T", help="the output nearest to T is drawn")
    which.add_argument("--movie", action="store_true", help="all outputs as a film")
    parser.add_argument("--field", metavar="NAME",
                        help="displacement (default), velocity, stress_xx, stress_yy, stress_xy, von_mises, ...")
    parser.add_argument("--component", metavar="NAME", help="x, y; xx, yy, xy; magnitude; von_mises")
    parser.add_argument("--forces", action="store_true",
                        help="forces at the contacts of rigid bodies, as lines from centre to centre as wide as they are "
                             "strong; in space as arrows as long as they are strong")
    parser.add_argument("--azimuth", type=float, default=-60.0, metavar="A",
                        help="in space: where the camera stands, in degrees about z from the x axis (default: -60)")
    parser.add_argument("--elevation", type=float, default=22.0, metavar="E",
                        help="in space: how high, in degrees above the plane of x and y (default: 22)")
    parser.add_argument("--zoom", type=float, default=1.0, metavar="Z", help="in space: larger than what holds all (default: 1)")
    parser.add_argument("--look-at", type=place_of, metavar="X,Y,Z",
                        help="in space: the place in the middle of the picture (default: that of all outputs drawn)")
    parser.add_argument("--warp", type=float, metavar="W",
                        help="factor on the displacement (default: such that the deformation can be seen, without "
                             "the mean translation where that dominates)")
    parser.add_argument("--range", type=range_of, metavar="A,B", help="what the colours go from and to")
    parser.add_argument("--rate", type=int, default=12, metavar="N", help="pictures a second of a film (default: 12)")
    parser.add_argument("--frames", type=int, default=300, metavar="N", help="at most so many (default: 300)")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="default: DIR/snapshot-FIELD-tTIME.png, DIR/movie-FIELD.mp4 (.gif without ffmpeg)")
    return parser.parse_args()


def main():
    chosen = arguments()
    if chosen.time is not None and not np.isfinite(chosen.time):
        raise Problem("--time must be a finite number")
    if not (np.isfinite(chosen.azimuth) and np.isfinite(chosen.elevation) and 0.0 < chosen.zoom < np.inf):
        raise Problem("--azimuth and --elevation must be finite numbers, and --zoom positive")
    if chosen.rate < 1 or chosen.frames < 2:
        raise Problem("--rate must be at least 1 and --frames at least 2")
    run = percuss.load(chosen.folder)
    print(write_film(run, chosen) if chosen.movie else write_picture(run, chosen))
    return 0


if __name__ == "__main__":
    run_main(main)

"""Opens a run in ParaView: the deformed mesh, or rigid bodies and obstacles, coloured, at one time; its waves, the tractions
or forces of its contacts, or the x-t diagram of a contact line.

  paraview --script=paraview_view.py            with PERCUSS_RUN=DIR in the environment; or, in its window,
                                                Tools > Python Shell > Run Script
  pvbatch paraview_view.py DIR --picture out.png [--field velocity] [--time T] [--warp W]
  pvbatch paraview_view.py DIR --picture out.png --field divergence      compression waves; curl: shear waves
  pvbatch paraview_view.py DIR --picture out.png --tractions             arrows at the contacts
  pvbatch paraview_view.py DIR --picture out.png --forces                tubes between rigid bodies, as thick as the force; in space
                                                                         arrows at the contacts
  pvbatch paraview_view.py DIR --picture out.png --line bottom [--field slip_velocity]
  pvbatch paraview_view.py DIR --state out.pvsm                          what is shown as a state file

In the window PERCUSS_FIELD, PERCUSS_TIME, PERCUSS_WARP, PERCUSS_LINE, PERCUSS_TRACTIONS=1 and PERCUSS_FORCES=1 stand for the
options.
Without a display: xvfb-run -a pvbatch ...
"""

import argparse
import json
import os
import sys

from paraview import simple

if "__file__" in globals():
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
try:
    from percuss_units import Units
except ImportError:
    Units = None  # run as text inside the window: axes without units


class Problem(Exception):
    """Something the user can put right; the text says what."""


def in_window():
    """Inside ParaView's window the arguments are ParaView's own, and exiting would close it."""
    return not os.path.basename(sys.argv[0] if sys.argv else "").startswith("paraview_view")


def options():
    environment = os.environ
    parser = argparse.ArgumentParser(description="Opens a run in ParaView.")
    parser.add_argument("folder", metavar="DIR", nargs="?", default=environment.get("PERCUSS_RUN"),
                        help="folder of a run (default: $PERCUSS_RUN)")
    parser.add_argument("--field", default=environment.get("PERCUSS_FIELD"), metavar="NAME",
                        help="displacement, velocity (default), divergence, curl (of the velocity), stress or another "
                             "array; of a line traction_normal (default), traction_tangential, slip_velocity, ...")
    parser.add_argument("--line", default=environment.get("PERCUSS_LINE"), metavar="NAME",
                        help="the x-t diagram of this contact line")
    parser.add_argument("--tractions", action="store_true", default=environment.get("PERCUSS_TRACTIONS") == "1",
                        help="arrows of the contact tractions")
    parser.add_argument("--forces", action="store_true", default=environment.get("PERCUSS_FORCES") == "1",
                        help="tubes of the normal forces between rigid bodies")
    parser.add_argument("--time", type=float, default=environment.get("PERCUSS_TIME"), metavar="T",
                        help="the output nearest to T (default: the last)")
    parser.add_argument("--warp", type=float, default=environment.get("PERCUSS_WARP", "100"), metavar="W",
                        help="factor on the displacement (default: 100); outlines of rigid bodies move themselves")
    parser.add_argument("--picture", metavar="FILE", help="write a picture")
    parser.add_argument("--state", metavar="FILE", help="write a state file (.pvsm)")
    return parser.parse_args([] if in_window() else sys.argv[1:])


def file_of(folder, name, what):
    if not folder:
        raise Problem("which run? Set PERCUSS_RUN to its folder, or name it after the script")
    path = os.path.join(os.path.abspath(folder), name)
    if not os.path.exists(path):
        raise Problem(f"{path}: no such file; expected {what}")
    return path


def white_view():
    view = simple.GetActiveViewOrCreate("RenderView")
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.InteractionMode = "2D"
    return view


QUANTITY = {"velocity": "velocity", "displacement": "length", "divergence": "rate", "curl": "rate", "stress": "stress",
            "slip_velocity": "velocity", "traction_normal": "stress", "traction_tangential": "stress", "gap": "length",
            "x": "length", "y": "length", "position": "length", "time": "time"}


def label(folder, name):
    """A name with the unit of the case, where that is known."""
    if not Units or name not in QUANTITY or not os.path.exists(os.path.join(folder, "run.json")):
        return name
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        return Units(json.load(file).get("units", "")).label(name, QUANTITY[name]).replace("$", "")


def axes(view, folder, x, y, scale):
    """Axes below and on the left; `scale` is how far the data are stretched."""
    grid = view.AxesGrid
    grid.Visibility, grid.DataScale = 1, scale
    grid.XTitle, grid.YTitle, grid.ZTitle = label(folder, x), label(folder, y) + "    ", ""
    grid.ShowGrid, grid.ShowEdges = 0, 1
    grid.AxesToLabel, grid.FacesToRender = 3, 4  # x and y of the face towards the eye
    grid.GridColor = [0.4, 0.4, 0.4]
    for name in ("XTitle", "YTitle", "XLabel", "YLabel"):
        setattr(grid, f"{name}Color", [0.0, 0.0, 0.0])
        setattr(grid, f"{name}FontSize", 16)


def fill(view, source, stretch=1.0):
    """The camera so that what is shown fills three quarters of the picture."""
    bounds = source.GetDataInformation().GetBounds()
    size = [bounds[1] - bounds[0], stretch * (bounds[3] - bounds[2])]
    middle = [0.5 * (bounds[0] + bounds[1]), 0.5 * stretch * (bounds[2] + bounds[3])]
    simple.ResetCamera(view)
    width, height = view.ViewSize
    view.CameraParallelProjection = 1
    view.CameraParallelScale = 0.5 * max(size[1] / 0.66, size[0] / 0.8 * height / width, 1e-300)
    view.CameraFocalPoint = [middle[0], middle[1] - 0.12 * view.CameraParallelScale, 0.0]
    view.CameraPosition = [*view.CameraFocalPoint[:2], view.CameraPosition[2]]


def arrays_of(source):
    return {**{name: "CELLS" for name in source.CellData.keys()}, **{name: "POINTS" for name in source.PointData.keys()}}


def colour(source, display, view, field, title):
    """Colours by a field, two-sided around zero where it has both signs, and a bar. Ambient light only: the colours are those
    of the bar."""
    arrays = arrays_of(source)
    if field not in arrays:
        raise Problem(f"no field '{field}'; there are: {', '.join(sorted(arrays))}")
    array = (source.PointData if arrays[field] == "POINTS" else source.CellData)[field]
    several = array.GetNumberOfComponents() > 1
    display.Ambient, display.Diffuse = 1.0, 0.0
    simple.ColorBy(display, (arrays[field], field, "Magnitude") if several else (arrays[field], field))
    colours = simple.GetColorTransferFunction(field)
    low, high = array.GetRange(-1 if several else 0)
    if not several and low < 0.0 < high:
        colours.ApplyPreset("Cool to Warm", True)
        largest = max(-low, high)
        colours.RescaleTransferFunction(-largest, largest)
    else:
        colours.ApplyPreset("Viridis (matplotlib)", True)
        display.RescaleTransferFunctionToDataRange(False, True)
    display.SetScalarBarVisibility(view, True)
    bar = simple.GetScalarBar(colours, view)
    bar.TitleColor = bar.LabelColor = [0.0, 0.0, 0.0]
    bar.TitleFontSize = bar.LabelFontSize = 14
    bar.ScalarBarThickness = 14
    bar.Title, bar.ComponentTitle = title, "magnitude" if several else ""
    bar.Orientation = "Horizontal"
    bar.WindowLocation = "Lower Center"
    bar.ScalarBarLength = 0.4


def caption(source, view, text):
    note = simple.AnnotateTimeFilter(registrationName="time", Input=source)
    note.Format = text
    display = simple.Show(note, view)
    display.Color = [0.0, 0.0, 0.0]
    display.FontSize = 14


def at_time(series, time, view):
    """The output nearest to this time, or the last."""
    series.UpdatePipelineInformation()
    times = list(series.TimestepValues) or [0.0]
    time = times[-1] if time is None else min(times, key=lambda t: abs(t - time))
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.AnimationTime = time
    view.ViewTime = time
    series.UpdatePipeline(time)
    return time


def with_gradient(source, field, time):
    """Adds divergence or curl of the velocity, from its gradient at the nodes: compression waves have the one, shear waves the
    other."""
    gradient = simple.Gradient(registrationName="gradient of the velocity", Input=source)
    gradient.ScalarArray = ["POINTS", "velocity"]
    gradient.ResultArrayName = "velocity_gradient"
    gradient.ComputeDivergence, gradient.DivergenceArrayName = 1, "divergence"
    gradient.ComputeVorticity, gradient.VorticityArrayName = 1, "vorticity"
    if field == "curl":
        gradient = simple.Calculator(registrationName="curl", Input=gradient)
        gradient.Function, gradient.ResultArrayName = "vorticity_Z", "curl"
    gradient.UpdatePipeline(time)
    return gradient


def arrows(source, view, time):
    """The contact tractions, the longest a quarter of the body's size."""
    if "contact_traction" not in arrays_of(source):
        raise Problem("there are no contact tractions")
    bounds = source.GetDataInformation().GetBounds()
    largest = source.PointData["contact_traction"].GetRange(-1)[1]
    glyph = simple.Glyph(registrationName="contact tractions", Input=source, GlyphType="Arrow")
    glyph.OrientationArray = ["POINTS", "contact_traction"]
    glyph.ScaleArray = ["POINTS", "contact_traction"]
    glyph.ScaleFactor = 0.25 * max(bounds[1] - bounds[0], bounds[3] - bounds[2]) / (largest or 1.0)
    glyph.GlyphMode = "All Points"
    glyph.UpdatePipeline(time)
    display = simple.Show(glyph, view)
    simple.ColorBy(display, None)
    display.AmbientColor = display.DiffuseColor = [0.84, 0.37, 0.0]
    display.Ambient, display.Diffuse = 1.0, 0.0


def tubes(folder, view, source, time):
    """The normal forces between rigid bodies, the largest as thick as a sixtieth of what is shown."""
    path = file_of(folder, "forces.pvd", "forces at contacts of rigid bodies")
    forces = simple.PVDReader(registrationName="contact forces", FileName=path)
    forces.UpdatePipeline(time)
    if forces.GetDataInformation().GetNumberOfCells() == 0:
        return
    bounds = source.GetDataInformation().GetBounds()
    largest = forces.PointData["force_normal"].GetRange(0)[1]
    widest = max(bounds[1] - bounds[0], bounds[3] - bounds[2]) / 120.0
    lines = simple.ExtractSurface(registrationName="lines of forces", Input=forces)
    radius = simple.Calculator(registrationName="radius", Input=lines)
    radius.Function, radius.ResultArrayName = f"force_normal*{widest / (largest or 1.0):.17g}", "radius"
    tube = simple.Tube(registrationName="tubes of forces", Input=radius)
    tube.Scalars = ["POINTS", "radius"]
    tube.VaryRadius = "By Absolute Scalar"
    tube.UpdatePipeline(time)
    display = simple.Show(tube, view)
    display.ColorArrayName = [None, ""]
    display.AmbientColor = display.DiffuseColor = [0.84, 0.37, 0.0]
    display.Ambient, display.Diffuse = 1.0, 0.0


def force_arrows(folder, view, source, time):
    """The contact forces in space, the longest an eighth of what is shown."""
    path = file_of(folder, "forces.pvd", "forces at contacts of bodies")
    forces = simple.PVDReader(registrationName="contact forces", FileName=path)
    forces.UpdatePipeline(time)
    if forces.GetDataInformation().GetNumberOfPoints() == 0:
        return
    bounds = source.GetDataInformation().GetBounds()
    largest = forces.PointData["force"].GetRange(-1)[1]
    glyph = simple.Glyph(registrationName="arrows of forces", Input=forces, GlyphType="Arrow")
    glyph.OrientationArray, glyph.ScaleArray = ["POINTS", "force"], ["POINTS", "force"]
    glyph.ScaleFactor = 0.125 * max(bounds[2 * k + 1] - bounds[2 * k] for k in range(3)) / (largest or 1.0)
    glyph.GlyphMode = "All Points"
    glyph.UpdatePipeline(time)
    display = simple.Show(glyph, view)
    simple.ColorBy(display, None)
    display.AmbientColor = display.DiffuseColor = [0.84, 0.37, 0.0]


def look_at_space(view):
    """From the side and above, with light."""
    view.InteractionMode, view.CameraParallelProjection, view.OrientationAxesVisibility = "3D", 0, 1
    view.CameraFocalPoint, view.CameraPosition, view.CameraViewUp = [0.0] * 3, [0.46, -0.8, 0.37], [0.0, 0.0, 1.0]
    simple.ResetCamera(view)


def show_bodies(chosen):
    """Loads the series and sets the view up; returns the view."""
    path = file_of(chosen.folder, "solution.pvd", "the folder of a run that wrote fields")
    solution = simple.PVDReader(registrationName=os.path.basename(os.path.dirname(path)), FileName=path)
    view = white_view()
    time = at_time(solution, chosen.time, view)
    field, shown = chosen.field or "velocity", solution
    rigid, in_space = "displacement" not in arrays_of(solution), "quaternion" in arrays_of(solution)
    if not rigid:
        if field in ("divergence", "curl"):
            shown = with_gradient(shown, field, time)
        shown = simple.WarpByVector(registrationName=f"displacement x {chosen.warp:g}", Input=shown)
        shown.Vectors = ["POINTS", "displacement"]
        shown.ScaleFactor = chosen.warp
        shown.UpdatePipeline(time)
    display = simple.Show(shown, view)
    many = rigid and shown.GetDataInformation().GetNumberOfCells() > 5000
    display.Representation = "Surface" if many else "Surface With Edges"
    display.EdgeColor = [0.25, 0.25, 0.25]
    display.LineWidth = 1.5 if rigid else 0.5
    colour(shown, display, view, field, label(chosen.folder, field))
    if chosen.tractions:
        arrows(shown, view, time)
    if chosen.forces:
        (force_arrows if in_space else tubes)(chosen.folder, view, shown, time)
    if in_space:
        display.Ambient, display.Diffuse = 0.3, 0.8
        caption(solution, view, "t = {time:g}")
        simple.SetActiveSource(shown)
        look_at_space(view)
        return view
    axes(view, chosen.folder, "x", "y", [1.0, 1.0, 1.0])
    caption(solution, view, f"t = {{time:g}}{'' if rigid else f', displacement x {chosen.warp:g}'}")
    simple.SetActiveSource(shown)
    fill(view, shown)
    return view


def show_line(chosen):
    """The x-t diagram of a contact line, its time stretched to the length of the line."""
    path = file_of(chosen.folder, f"contact-{chosen.line}.vtr", "a contact line of the run")
    line = simple.XMLRectilinearGridReader(registrationName=f"contact line {chosen.line}", FileName=[path])
    view = white_view()
    line.UpdatePipeline()
    bounds = line.GetDataInformation().GetBounds()
    stretch = (bounds[1] - bounds[0]) / ((bounds[3] - bounds[2]) or 1.0)
    display = simple.Show(line, view)
    display.Representation = "Surface"
    display.Scale = [1.0, stretch, 1.0]
    field = chosen.field or "traction_normal"
    colour(line, display, view, field, label(chosen.folder, field))
    axes(view, chosen.folder, "position", "time", [1.0, stretch, 1.0])
    simple.SetActiveSource(line)
    fill(view, line, stretch)
    return view


def main():
    chosen = options()
    if chosen.picture:
        simple.GetActiveViewOrCreate("RenderView").ViewSize = [1400, 900]
    view = show_line(chosen) if chosen.line else show_bodies(chosen)
    simple.Render(view)
    if chosen.picture:
        simple.SaveScreenshot(chosen.picture, view, ImageResolution=[1400, 900])
        print(chosen.picture)
    if chosen.state:
        simple.SaveState(chosen.state)
        print(chosen.state)


try:
    main()
except Problem as problem:
    print(f"paraview_view.py: {problem}", file=sys.stderr)
    if not in_window():
        sys.stderr.flush()
        os._exit(2)  # pvbatch makes a traceback of SystemExit

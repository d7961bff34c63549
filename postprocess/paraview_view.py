"""Opens a run in ParaView: the deformed mesh, or the outlines of rigid bodies, coloured, at one time.

  paraview --script=paraview_view.py            with PERCUSS_RUN=DIR in the environment; or, in its window,
                                                Tools > Python Shell > Run Script
  pvbatch paraview_view.py DIR --picture out.png [--field displacement|velocity] [--time T] [--warp W]

In the window PERCUSS_FIELD, PERCUSS_TIME and PERCUSS_WARP stand for the options. Without a display:
xvfb-run -a pvbatch ...
"""

import argparse
import os
import sys

from paraview import simple


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
    parser.add_argument("--field", default=environment.get("PERCUSS_FIELD", "velocity"), metavar="NAME",
                        help="displacement, velocity (default), stress or another array")
    parser.add_argument("--time", type=float, default=environment.get("PERCUSS_TIME"), metavar="T",
                        help="the output nearest to T (default: the last)")
    parser.add_argument("--warp", type=float, default=environment.get("PERCUSS_WARP", "100"), metavar="W",
                        help="factor on the displacement (default: 100); outlines of rigid bodies move themselves")
    parser.add_argument("--picture", metavar="FILE", help="write a picture")
    return parser.parse_args([] if in_window() else sys.argv[1:])


def show(folder, field, time, warp):
    """Loads the series and sets the view up; returns the view."""
    if not folder:
        raise Problem("which run? Set PERCUSS_RUN to its folder, or name it after the script")
    path = os.path.join(os.path.abspath(folder), "solution.pvd")
    if not os.path.exists(path):
        raise Problem(f"{path}: no such file; expected the folder of a run that wrote fields")
    solution = simple.PVDReader(registrationName=os.path.basename(os.path.abspath(folder)), FileName=path)
    solution.UpdatePipelineInformation()
    times = list(solution.TimestepValues) or [0.0]
    time = times[-1] if time is None else min(times, key=lambda t: abs(t - time))

    view = simple.GetActiveViewOrCreate("RenderView")
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.AnimationTime = time
    view.ViewTime = time
    solution.UpdatePipeline(time)

    if field in solution.PointData.keys():
        association, array = "POINTS", solution.PointData[field]
    elif field in solution.CellData.keys():
        association, array = "CELLS", solution.CellData[field]
    else:
        names = sorted(set(solution.PointData.keys()) | set(solution.CellData.keys()))
        raise Problem(f"no field '{field}'; there are: {', '.join(names)}")
    rigid = "displacement" not in solution.PointData.keys()
    if rigid:
        shown = solution
    else:
        shown = simple.WarpByVector(registrationName=f"displacement x {warp:g}", Input=solution)
        shown.Vectors = ["POINTS", "displacement"]
        shown.ScaleFactor = warp
        shown.UpdatePipeline(time)
    display = simple.Show(shown, view)
    display.Representation = "Surface" if rigid else "Surface With Edges"
    display.EdgeColor = [0.25, 0.25, 0.25]
    display.LineWidth = 3.0 if rigid else 0.5
    display.Ambient, display.Diffuse = 1.0, 0.0  # no shading: the colours are those of the bar
    simple.ColorBy(display, (association, field, "Magnitude") if array.GetNumberOfComponents() > 1
                   else (association, field))
    colours = simple.GetColorTransferFunction(field)
    colours.ApplyPreset("Viridis (matplotlib)", True)
    display.RescaleTransferFunctionToDataRange(False, True)
    display.SetScalarBarVisibility(view, True)
    bar = simple.GetScalarBar(colours, view)
    bar.TitleColor = bar.LabelColor = [0.0, 0.0, 0.0]
    bar.TitleFontSize = bar.LabelFontSize = 14
    bar.ScalarBarThickness = 14
    bar.Orientation = "Horizontal"
    bar.WindowLocation = "Lower Center"
    bar.ScalarBarLength = 0.4

    caption = simple.AnnotateTimeFilter(registrationName="time", Input=solution)
    caption.Format = "t = {time:g}"
    caption_display = simple.Show(caption, view)
    caption_display.Color = [0.0, 0.0, 0.0]
    caption_display.FontSize = 14
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.InteractionMode = "2D"
    simple.SetActiveSource(shown)
    simple.ResetCamera(view)
    simple.Render(view)
    return view


def main():
    chosen = options()
    view = show(chosen.folder, chosen.field, chosen.time, chosen.warp)
    if chosen.picture:
        view.ViewSize = [1400, 900]
        simple.ResetCamera(view)
        simple.SaveScreenshot(chosen.picture, view, ImageResolution=[1400, 900])
        print(chosen.picture)


try:
    main()
except Problem as problem:
    print(f"paraview_view.py: {problem}", file=sys.stderr)
    if not in_window():
        sys.stderr.flush()
        os._exit(2)  # pvbatch makes a traceback of SystemExit

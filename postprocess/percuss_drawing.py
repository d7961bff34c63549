"""How the scripts here speak and what their pictures look like."""

import contextlib
import os
import sys
import tempfile
import traceback

import numpy as np

from percuss import Problem

FORMATS = ("png", "svg", "pdf")


def run_main(main):
    """Start a script. One line says what is wrong: status 2 where it is in what the script was given, 1 where something
    cannot be written, or done here. What nobody has foreseen is said in a line too, with its place."""
    name = os.path.basename(sys.argv[0])
    try:
        sys.exit(main())
    except Problem as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        sys.exit(problem.status)
    except OSError as error:
        print(f"{name}: {error.filename or 'output'}: {error.strerror or error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        print(f"{name}: the results cannot be drawn: they are damaged, or this is a fault of percuss "
              f"({type(error).__name__}: {error}; {os.path.basename(place.filename)}:{place.lineno})", file=sys.stderr)
        sys.exit(1)


@contextlib.contextmanager
def replacing(path):
    """The name of a new file beside `path`, which takes its place when it is whole; where that fails nothing is left. A
    link is replaced, and not followed; a device or pipe is written to as it is."""
    if os.path.lexists(path) and not os.path.islink(path) and not os.path.isfile(path) and not os.path.isdir(path):
        yield path
        return
    folder, name = os.path.split(path)
    stem, extension = os.path.splitext(name)
    try:  # made anew, O_EXCL: nothing that is there is written into
        descriptor, part = tempfile.mkstemp(prefix=f".{stem[:100]}-", suffix=extension, dir=folder or ".")
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    os.close(descriptor)
    try:
        yield part
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o666 & ~mask)
        os.replace(part, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    finally:
        if os.path.lexists(part):
            os.unlink(part)


def pyplot():
    """matplotlib, without a display, in the one look of all pictures."""
    try:
        import matplotlib
    except ImportError:
        raise Problem("matplotlib is missing (Debian: python3-matplotlib)", 1) from None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams.update({
        "figure.dpi": 150, "savefig.dpi": 200, "figure.constrained_layout.use": True,
        "font.size": 10, "axes.titlesize": 10, "axes.titlelocation": "left", "legend.fontsize": 8.5,
        "axes.grid": True, "grid.color": "0.9", "grid.linewidth": 0.7, "axes.axisbelow": True,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "0.4",
        "axes.formatter.limits": (-4, 5), "axes.formatter.use_mathtext": True,
        "legend.frameon": False, "lines.linewidth": 1.2, "agg.path.chunksize": 20000,
        "svg.hashsalt": "percuss", "pdf.fonttype": 42,
    })
    return plt


def save(figure, path):
    """The same bytes from the same numbers: one layout for all formats, and no date in the file."""
    dated = {".svg": "Date", ".pdf": "CreationDate"}.get(os.path.splitext(path)[1].lower())
    try:
        if figure.get_layout_engine():
            figure.get_layout_engine().execute(figure)
            figure.set_layout_engine("none")
        with replacing(path) as part:
            figure.savefig(part, metadata={dated: None} if dated else None)
    except (ValueError, OverflowError, MemoryError) as error:
        raise Problem(f"{path}: {error}") from None


# Okabe and Ito's colours, told apart by all kinds of colour vision
COLOURS = {"blue": "#0072B2", "orange": "#E69F00", "green": "#009E73", "red": "#D55E00",
           "purple": "#CC79A7", "sky": "#56B4E9", "black": "#000000", "grey": "#999999"}


def thinned(t, y, buckets=3000):
    """The curve (t, y) with the extremes of each bucket only: long runs draw fast and lose no peak."""
    n = len(t)
    if n <= 4 * buckets:
        return t, y
    edges = np.linspace(0, n, buckets + 1).astype(int)
    finite = np.where(np.isfinite(y), y, 0.0)
    keep = {0, n - 1}
    for first, last in zip(edges[:-1], edges[1:]):
        keep.add(first + int(np.argmin(finite[first:last])))
        keep.add(first + int(np.argmax(finite[first:last])))
    keep = sorted(keep)
    return t[keep], y[keep]


def line(axes, t, y, label, colour, **style):
    axes.plot(*thinned(t, y), label=label, color=COLOURS[colour], **style)


def plain(name):
    """A name of the user's as matplotlib shows it: what stands between $ would be a formula, and a label that begins with _ is left
    out of legends."""
    return (" " if name.startswith("_") else "") + name.replace("$", r"\$")


def title_of(figure, run, rest=""):
    figure.suptitle(plain(run.name + rest), x=0.01, ha="left", fontsize=12)


def legend_right(axes, **options):
    """Outside, to the right: it never covers a curve."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.03), borderaxespad=0.3, handlelength=1.6, **options)


def limits(values):
    """Colours for values of both signs are two-sided around zero; a constant stays one colour instead of showing its
    rounding."""
    low, high = float(np.min(values)), float(np.max(values))
    limit = max(abs(low), abs(high))
    if low < 0.0 < high and min(-low, high) > 1e-9 * limit:
        return {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit}
    if high - low <= 1e-6 * limit:
        return {"cmap": "viridis", "vmin": low - 1e-3 * limit, "vmax": high + 1e-3 * limit}
    return {"cmap": "viridis", "vmin": low, "vmax": high} if limit > 0.0 else {"cmap": "viridis", "vmin": 0.0,
                                                                              "vmax": 1.0}

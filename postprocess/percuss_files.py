"""The files of a run: its tables, its series of fields, its records; and how the scripts here speak."""

import io
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np


class Problem(Exception):
    """Something the user can put right; the text says what."""


def run_main(main):
    """Start a script: a Problem ends it with one line and the status 2."""
    name = os.path.basename(sys.argv[0])
    try:
        sys.exit(main())
    except Problem as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"{name}: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def pyplot():
    """matplotlib, without a display, in the one look of all pictures."""
    try:
        import matplotlib
    except ImportError:
        raise Problem("matplotlib is missing (Debian: python3-matplotlib)") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams.update({
        "figure.dpi": 150, "figure.constrained_layout.use": True,
        "font.size": 10, "axes.titlesize": 10, "axes.titlelocation": "left", "legend.fontsize": 8.5,
        "axes.grid": True, "grid.color": "0.9", "grid.linewidth": 0.7, "axes.axisbelow": True,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "0.4",
        "axes.formatter.limits": (-4, 5), "axes.formatter.use_mathtext": True,
        "legend.frameon": False, "lines.linewidth": 1.2, "agg.path.chunksize": 20000,
    })
    return plt


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


def energy_scale(energy):
    """The largest of kinetic + elastic + |works| so far: what the balance is compared with."""
    works = sum(np.abs(energy[name]) for name in
                ("work_external", "work_damping", "work_contact_normal", "work_contact_tangential") if name in energy)
    scale = np.max(energy["kinetic"] + np.abs(energy["elastic"]) + works)
    return scale if scale > 0.0 and np.isfinite(scale) else 1.0


def unexplained_work(energy):
    """Below this a tangential work is rounding, or the error 1e-10 allowed in the contact problem."""
    largest = max(np.max(np.abs(energy["tangential_work_min"])), np.max(np.abs(energy["tangential_work_max"])))
    return max(1e-10 * largest, 1e-16 * energy_scale(energy))


def check_folder(folder):
    if not os.path.exists(folder):
        raise Problem(f"{folder}: no such folder")
    if not os.path.isdir(folder):
        raise Problem(f"{folder}: not a folder; expected the folder of a run")


def read_text(folder, name):
    """The text of DIR/name; None where there is no such file."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return None


def read_table(folder, name):
    """Columns of DIR/name by their names; None where there is no such file.

    A line that is still being written (no line end yet) is left out, so that a running run can be read.
    """
    path = os.path.join(folder, name)
    text = read_text(folder, name)
    if text is None:
        return None
    text = text[:text.rfind("\n") + 1]
    header, _, body = text.partition("\n")
    names = [column.strip() for column in header.split(",")]
    if not header:
        raise Problem(f"{path}: empty; has the run written anything yet?")
    if not body.strip():
        return {column: np.empty(0) for column in names}
    try:
        rows = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=2, comments=None)
    except ValueError as error:
        raise Problem(f"{path}: not a table of numbers: {str(error).partition(';')[0]}") from None
    if rows.shape[1] != len(names):
        raise Problem(f"{path}: {len(names)} names in the first line, but {rows.shape[1]} columns below")
    return dict(zip(names, rows.T))


def read_energy(folder):
    """energy.csv, which every run has from its first step on."""
    check_folder(folder)
    energy = read_table(folder, "energy.csv")
    if energy is None:
        raise Problem(f"{folder}: no energy.csv; expected the folder of a run")
    wanted = ("t", "kinetic", "elastic", "work_external", "work_contact_normal", "work_contact_tangential",
              "tangential_work_max", "tangential_work_min")
    missing = [column for column in wanted if column not in energy]
    if missing:
        raise Problem(f"{folder}/energy.csv: no column {', '.join(missing)}")
    if len(energy["t"]) == 0:
        raise Problem(f"{folder}/energy.csv: no step yet")
    return energy


def read_record(folder, name):
    """DIR/name as JSON; None where there is no such file, or where it is just being written."""
    text = read_text(folder, name)
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        print(f"{folder}/{name}: not JSON (yet); left out", file=sys.stderr)
        return None


def certificate_entries(certificate):
    """The entries of a certificate that have the expected form."""
    entries = certificate.get("entries", []) if isinstance(certificate, dict) else []
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def read_series(folder):
    """solution.pvd: a list of (time, [paths]), in the order of time."""
    check_folder(folder)
    text = read_text(folder, "solution.pvd")
    if text is None:
        raise Problem(f"{folder}: no solution.pvd; did the case ask for fields (output.every)?")
    try:
        root = ElementTree.fromstring(text)
        times = {}
        for item in root.iter("DataSet"):
            times.setdefault(float(item.get("timestep", "0")), []).append(os.path.join(folder, item.attrib["file"]))
    except (ElementTree.ParseError, KeyError, ValueError) as error:
        raise Problem(f"{folder}/solution.pvd: cannot be read: {error}") from None
    if not times:
        raise Problem(f"{folder}/solution.pvd: no output yet")
    return sorted(times.items())

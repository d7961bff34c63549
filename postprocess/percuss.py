"""A run of percuss in Python: its tables, contact lines and fields as numpy arrays.

  import percuss
  run = percuss.load("results/sliding-block")
  run.energy["t"], run.energy["kinetic"]            columns of energy.csv; likewise run.forces, run.probes, run.bodies
  run.contacts["bottom"]["traction_normal"]         a contact line: time x position; .position, .time
  run.times                                         of the outputs
  fields = run.fields(0.3)                          the output nearest to t = 0.3
  fields.points, fields["velocity"]                 n x 2 (in space n x 3), n x 3
  run.certificate["verdict"], run.record["sizes"]   certificate.json and run.json

A case that is run in this process, step by step, is percuss.Run: see percuss_simulation.

  run = percuss.Run("cases/sliding-block.yaml", set={"time.end": 1})
  run.run(until=0.5); run.v[:] = 0; run.step(100); run.energies["kinetic"]

Tables that a run does not have are None. A run that goes on can be loaded: rows that are half written are left out.
Needs numpy only.
"""

import csv
import glob
import io
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np

from percuss_simulation import Error, Run
from percuss_units import Units
from percuss_vtk import DAMAGED, Fields, Problem, no_field, open_file, read_vtr, read_vtu

__all__ = ["load", "read_vtu", "read_vtr", "Run", "Error", "Results", "ContactLine", "Fields", "Problem", "Units"]

OPEN, STICK, SLIP = 0, 1, 2  # the status of a contact


class ContactLine:
    """contact-<name>.vtr: arrays over time x position along the line."""

    def __init__(self, name, path):
        self.name = name
        self.path = path
        self.position, self.time, self.arrays = read_vtr(path)

    def __getitem__(self, name):
        if name not in self.arrays:
            raise no_field(name, self.names(), where=f"{self.path}: ")
        return self.arrays[name]

    def names(self):
        return sorted(str(name) for name in self.arrays)


def read_text(folder, name):
    """The text of DIR/name; None where there is no such file."""
    try:
        with open_file(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
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
        rows = columns_with_names(body) if any(name in TEXTS for name in names) else columns_of_numbers(body)
    except (ValueError, csv.Error) as error:
        raise Problem(f"{path}: not a table of numbers: {str(error).partition(';')[0]}") from None
    if len(rows) != len(names):
        raise Problem(f"{path}: {len(names)} names in the first line, but {len(rows)} columns below")
    table = dict(zip(names, rows))
    for name in names:
        table[name] = table[name] if name in TEXTS else numbers_of(path, name, table[name])
    check_table(path, table)
    return table


TEXTS = ("contact", "body", "other", "group", "joint", "material")  # columns of names


def columns_of_numbers(text):
    return np.loadtxt(io.StringIO(text), delimiter=",", ndmin=2, comments=None).T


def columns_with_names(text):
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    if any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("the number of columns changes")
    return [np.array(column, dtype=object) for column in zip(*rows)]


def numbers_of(path, name, values):
    try:
        return values.astype(float)
    except ValueError as error:
        raise Problem(f"{path}: '{name}' is not a column of numbers: {error}") from None


# of a step that failed these may be anything
FREE = ("cone_error", "balance_residual")
LARGEST = 1e100  # beyond, sums and axes overflow


def check_table(path, table):
    """Times that do not fall, and numbers that can be drawn."""
    for name, values in table.items():
        if values.dtype == object:
            continue
        wrong = np.flatnonzero(~(np.abs(values) <= LARGEST)) if name not in FREE else ()
        if len(wrong):
            raise Problem(f"{path}: '{name}' is {values[wrong[0]]:g} in row {wrong[0] + 1}, expected a number")
    if "t" not in table:
        raise Problem(f"{path}: no column t")
    if np.any(np.diff(table["t"]) < 0.0):
        raise Problem(f"{path}: the time falls in row {int(np.argmax(np.diff(table['t']) < 0.0)) + 2}")


def read_record(folder, name):
    """DIR/name as a dictionary; None where there is no such file, or where it is just being written."""
    text = read_text(folder, name)
    try:
        record = None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        record = ()
    if record is None and text is None or isinstance(record, dict):
        return record
    print(f"{folder}/{name}: not a record in JSON (yet); left out", file=sys.stderr)
    return None


def counts_of(entry):
    """What an entry counts or sums over the run: passes, works gained and lost."""
    words = {"passes": "; {:.10g} passes in all", "gained": "; {:.3g} in all", "lost": "; losses {:.3g} in all"}
    return "".join(text.format(entry[name]) for name, text in words.items() if finite_number(entry.get(name)) and entry[name] != 0)


def meaning_of(entry):
    """What an entry of a certificate says, with the theorem that it rests on or the reason why it is not promised."""
    said = str(entry.get("meaning") or "") + counts_of(entry)
    if entry.get("theorem"):
        return f"{said}; by {entry['theorem']}"
    return f"{said}; because {entry['reason']}" if entry.get("reason") else said


def finite_number(value):
    """Of JSON: is it a number that can be drawn?"""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST


def read_series(folder, name="solution.pvd"):
    """solution.pvd, or another: a list of (time, [paths]), in the order of time."""
    text = read_text(folder, name)
    if text is None:
        raise Problem(f"{folder}: no {name}; did the case ask for fields (output.every)?")
    try:
        times = {}
        for item in ElementTree.fromstring(text).iter("DataSet"):
            times.setdefault(float(item.get("timestep", "0")), []).append(os.path.join(folder, item.attrib["file"]))
    except (ElementTree.ParseError, *DAMAGED) as error:
        raise Problem(f"{folder}/{name}: cannot be read: {error}") from None
    if not all(abs(time) <= LARGEST for time in times):
        raise Problem(f"{folder}/{name}: a time is no number")
    if not times:
        raise Problem(f"{folder}/{name}: no output yet")
    return sorted(times.items())


# What percussions take of the energy stands in columns of its own; results of before those columns have works at the velocity of the theorem.
LOSSES = {"work_contact_normal": "loss_contact_normal", "work_contact_tangential": "loss_contact_tangential",
          "dissipation_numerical": "numerical_rest"}


def loss_name(table, name):
    """The column of a table to show for a work of contacts, or for the scheme's own."""
    of = LOSSES.get(name, name)
    return of if of in table else name


NEEDED = ("t", "kinetic", "elastic", "work_external", "work_contact_normal", "work_contact_tangential",
          "tangential_work_max", "tangential_work_min")


class Results:
    """The folder of a run. Files are read when they are first asked for."""

    def __init__(self, folder):
        if not os.path.exists(folder):
            raise Problem(f"{folder}: no such folder")
        if not os.path.isdir(folder):
            raise Problem(f"{folder}: not a folder; expected the folder of a run")
        self.folder = folder
        self.name = os.path.basename(os.path.abspath(folder))
        self.kept = {}

    def cached(self, key, read):
        if key not in self.kept:
            self.kept[key] = read()
        return self.kept[key]

    def table(self, name):
        return self.cached(name, lambda: read_table(self.folder, name))

    @property
    def energy(self):
        """energy.csv, which every run has from its first step on."""
        energy = self.table("energy.csv")
        if energy is None:
            raise Problem(f"{self.folder}: no energy.csv; expected the folder of a run")
        missing = [column for column in NEEDED if column not in energy]
        if missing:
            raise Problem(f"{self.folder}/energy.csv: no column {', '.join(missing)}")
        if len(energy["t"]) == 0:
            raise Problem(f"{self.folder}/energy.csv: no step yet")
        return energy

    @property
    def forces(self):
        return self.table("forces.csv")

    @property
    def probes(self):
        return self.table("probes.csv")

    @property
    def energies(self):
        """energies.csv: kinetic and elastic energy by body and material, at outputs."""
        return self.table("energies.csv")

    @property
    def bodies(self):
        return self.table("bodies.csv")

    @property
    def impacts(self):
        """contacts.csv: one row for each active contact of each step."""
        return self.table("contacts.csv")

    @property
    def certificate(self):
        return self.cached("certificate", lambda: read_record(self.folder, "certificate.json"))

    @property
    def record(self):
        """run.json: version, case, sizes, tolerances, machine, wall times."""
        return self.cached("record", lambda: read_record(self.folder, "run.json")) or {}

    @property
    def units(self):
        units = self.record.get("units", "")
        return Units(units if isinstance(units, str) else "")

    @property
    def axisymmetric(self):
        """Is x the radius and y the axis?"""
        return self.record.get("plane") == "axisymmetric"

    def axis_label(self, axis):
        """Of 'x' or 'y' in a picture of bodies in the plane."""
        name = {"x": "r", "y": "z"}[axis] if self.axisymmetric else axis
        return self.units.label(name, "length")

    @property
    def contacts(self):
        """The contact lines of a mesh by their names; written at checkpoints and at the end of a run."""
        def read():
            paths = sorted(glob.glob(os.path.join(glob.escape(self.folder), "contact-*.vtr")))
            names = [os.path.basename(path)[len("contact-"):-len(".vtr")] for path in paths]
            return {name: ContactLine(name, path) for name, path in zip(names, paths)}
        return self.cached("contacts", read)

    @property
    def series(self):
        return self.cached("series", lambda: read_series(self.folder))

    @property
    def times(self):
        return np.array([time for time, _ in self.series])

    def nearest(self, time):
        """(time, paths) of the output nearest to this time."""
        return min(self.series, key=lambda item: abs(item[0] - time))

    def fields(self, time):
        """The output nearest to this time."""
        return read_vtu(self.nearest(time)[1])

    def has_force_lines(self):
        return os.path.exists(os.path.join(self.folder, "forces.pvd"))

    def force_lines(self, time):
        """Forces at the contacts of rigid bodies, as lines from centre to centre, of the output nearest to this time: cell arrays
        force_normal, force_tangential, gap, status, contact."""
        series = self.cached("forces.pvd", lambda: read_series(self.folder, "forces.pvd"))
        return read_vtu(min(series, key=lambda item: abs(item[0] - time))[1], may_be_empty=True)

    @property
    def grains(self):
        """grains.csv: energies, works, neighbours and forces of all grains (group '') and of each set of them."""
        return self.table("grains.csv")

    @property
    def grain_forces(self):
        """grain-forces.csv: how many normal forces are in each interval, in units of their mean."""
        return self.table("grain-forces.csv")

    @property
    def strips(self):
        """strips.csv: solid fraction, velocity and stress over strips."""
        return self.table("strips.csv")

    def certificate_entries(self):
        """The entries of the certificate that have the expected form; none while the run goes on."""
        entries = self.certificate.get("entries", []) if isinstance(self.certificate, dict) else []
        entries = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
        return [{name: None if name in ("value", "bound", "ratio") and not finite_number(value) else value
                 for name, value in entry.items()} for entry in entries]

    def verdict(self, word):
        for entry in self.certificate_entries():
            if word in str(entry.get("name", "")).lower():
                return str(entry.get("verdict", ""))
        return ""

    def energy_scale(self):
        """The largest of kinetic + elastic + |works| so far: what the balance is compared with."""
        energy = self.energy
        works = sum(np.abs(energy[name]) for name in ("work_external", "work_damping", "work_contact_normal",
                                                      "work_contact_tangential", "driven", "work_boundary") if name in energy)
        scale = np.max(energy["kinetic"] + np.abs(energy["elastic"]) + works)
        return scale if scale > 0.0 and np.isfinite(scale) else 1.0

    def unexplained_work(self):
        """Below this a tangential work is rounding, or the error 1e-10 allowed in the contact problem."""
        energy = self.energy
        largest = max(np.max(np.abs(energy["tangential_work_min"])), np.max(np.abs(energy["tangential_work_max"])))
        return max(1e-10 * largest, 1e-16 * self.energy_scale())


def load(folder):
    """The run in this folder, finished or going on."""
    return Results(folder)

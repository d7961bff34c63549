"""A case that is run in this process, step by step; percuss.Run of the module percuss.

  import percuss
  run = percuss.Run("cases/sliding-block.yaml", set={"time.end": 1})
  run.step(10)                        10 steps; run.run() goes to the end of the case, run.run(until=0.5) to a time
  run.time, run.step_number, run.over
  run.q, run.v                        coordinates and velocities: numpy views of the library's own memory
  run.v[:] = 0                        is taken over by the next step, or at once by run.apply()
  run.force[dof] = -3                 added to the loads of every step until it is changed
  run.energies["kinetic"], run.record["balance_residual"]
  run.contacts.gap, .p, .u, .name     of the last step
  run.bodies["block"].fields()["stress"], run.bodies["bodies"].motion("ball")
  run.certificate()["verdict"]

The library is libpercuss.so.0, through its C functions alone (src/simulation/simulation.h). It is looked for in $PERCUSS_LIBRARY, beside
this module, in the build folder of the source, in lib beside share/percuss or above this module, below sys.prefix, and where the
system looks.
Needs numpy only.
"""

import ctypes
import glob
import math
import operator
import os
import sys
import weakref

import numpy as np

from percuss_vtk import Problem

LIBRARY = "libpercuss.so.0"
INPUT = 2  # prc_status: the case or what was given is wrong
MOST = 2**31 - 1  # of a C int
PATIENCE = 0.05  # seconds of steps without a look at Ctrl-C


class Error(Problem):
    """What the library refused or could not do, in its words; status: a prc_status, such as 2 of wrong input."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


# ---- the library ---------------------------------------------------------------------------------------------

def places():
    """Where the library may be, in this order."""
    here = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get("PERCUSS_LIBRARY")
    if named:
        return [named]
    installed = [os.path.join(here, "..", "..", "lib"), os.path.join(here, "..", "..")]  # share/percuss; lib/python3*/*-packages
    folders = [here, os.path.join(here, "..", "build", ".libs"), *installed,
               *(multiarch for folder in installed for multiarch in glob.glob(os.path.join(folder, "*-linux-*"))),
               os.path.join(sys.prefix, "lib")]
    there = [os.path.join(folder, LIBRARY) for folder in folders]
    return [path for path in there if os.path.exists(path)] + [LIBRARY]


TEXT, NUMBER, HANDLE = ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p
OUT = ctypes.POINTER
FUNCTIONS = {  # name: what it gives, and what it is given
    "prc_dense_single_thread": (None,),
    "prc_error_size": (ctypes.c_size_t,),
    "prc_error_message": (TEXT, HANDLE),
    "prc_error_clear": (None, HANDLE),
    "prc_simulation_create": (NUMBER, TEXT, NUMBER, OUT(TEXT), HANDLE, OUT(HANDLE), HANDLE),
    "prc_simulation_free": (None, OUT(HANDLE)),
    "prc_simulation_step": (NUMBER, HANDLE, NUMBER, ctypes.c_double, OUT(NUMBER), HANDLE),
    "prc_simulation_apply": (NUMBER, HANDLE, HANDLE),
    "prc_simulation_revert": (None, HANDLE),
    "prc_simulation_is_over": (NUMBER, HANDLE),
    "prc_simulation_value": (NUMBER, HANDLE, TEXT, OUT(ctypes.c_double)),
    "prc_simulation_value_name": (TEXT, NUMBER),
    "prc_simulation_array": (NUMBER, HANDLE, TEXT, OUT(HANDLE), OUT(NUMBER), OUT(NUMBER), OUT(NUMBER), HANDLE),
    "prc_simulation_name": (TEXT, HANDLE),
    "prc_simulation_units": (TEXT, HANDLE),
    "prc_simulation_contact_name": (TEXT, HANDLE, NUMBER),
    "prc_simulation_bodies": (NUMBER, HANDLE),
    "prc_simulation_body": (TEXT, HANDLE, NUMBER, OUT(TEXT), OUT(NUMBER)),
    "prc_simulation_items": (NUMBER, HANDLE, NUMBER),
    "prc_simulation_item": (TEXT, HANDLE, NUMBER, NUMBER, OUT(ctypes.c_double)),
    "prc_simulation_motion_size": (NUMBER, HANDLE, NUMBER),
    "prc_simulation_fields": (NUMBER, HANDLE, NUMBER, HANDLE),
    "prc_simulation_field": (NUMBER, HANDLE, NUMBER, NUMBER, OUT(TEXT), OUT(HANDLE), OUT(NUMBER), OUT(NUMBER),
                             OUT(NUMBER), OUT(NUMBER)),
    "prc_simulation_certify": (NUMBER, HANDLE, OUT(TEXT), HANDLE),
    "prc_simulation_notes": (None, HANDLE, ctypes.c_char_p, ctypes.c_size_t),
    "prc_simulation_entry": (NUMBER, HANDLE, NUMBER, OUT(TEXT), OUT(TEXT), OUT(TEXT), OUT(ctypes.c_double),
                             OUT(ctypes.c_double), OUT(NUMBER)),
}
TYPES = (ctypes.c_double, ctypes.c_int, ctypes.c_uint32)  # prc_array_type
loaded = None


def library():
    """libpercuss, loaded where it is first needed."""
    global loaded
    if loaded is not None:
        return loaded
    reasons = []
    for path in places():
        try:
            found = ctypes.CDLL(path)
            for name, (gives, *given) in FUNCTIONS.items():
                function = getattr(found, name)
                function.restype, function.argtypes = gives, given
        except (OSError, AttributeError) as error:
            reasons.append(str(error))
            continue
        loaded = found
        loaded.prc_dense_single_thread()  # of BLAS, which numpy may share: the same bits as the program's
        return loaded
    raise Problem(f"libpercuss cannot be loaded: {'; '.join(reasons)}. Set PERCUSS_LIBRARY to the file {LIBRARY}, such as "
                  "build/.libs/libpercuss.so.0 of the source")


def checked(function, *given):
    """Calls what returns a prc_status, with room for an error behind what it is given."""
    lib = library()
    room = ctypes.create_string_buffer(lib.prc_error_size())
    status = function(*given, ctypes.cast(room, HANDLE))
    if status:
        raise Error(text_of(lib.prc_error_message(ctypes.cast(room, HANDLE))), status)


def text_of(raw):
    return None if raw is None else raw.decode("utf-8", "replace")


def bytes_of(text, what):
    """For C, where a text ends at its first NUL."""
    raw = os.fsencode(text) if what == "the path of the case" else text.encode("utf-8")
    if b"\0" in raw:
        raise Problem(f"{what} {text!r} has a NUL character, expected a text without")
    return raw


def free(address):
    library().prc_simulation_free(ctypes.byref(HANDLE(address)))


class Whole:
    """What stands for memory of the library: a copy of the object would be none of that memory."""

    def __reduce_ex__(self, protocol):
        raise TypeError(f"a {type(self).__module__}.{type(self).__name__} cannot be copied or pickled: its state is in the library; "
                        "keep copies of q and v, or make another Run of the case")


class Handle(Whole):
    """A simulation of the library; freed with the last that refers to it: the run, and all views of its memory."""

    def __init__(self, path, texts):
        lib, out = library(), HANDLE()
        given = (TEXT * max(len(texts), 1))(*[bytes_of(text, "set:") for text in texts])
        checked(lib.prc_simulation_create, bytes_of(path, "the path of the case"), len(texts), given, None, ctypes.byref(out))
        self.address = out.value
        weakref.finalize(self, free, out.value).atexit = False


# ---- what is given -------------------------------------------------------------------------------------------

def value_text(value):
    """A value as --set has it: True, 0.5, [1, 2], "text"."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(value_text(each) for each in value) + "]"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def settings(given):
    """A dictionary of keys and values, or texts "key=value"."""
    if given is None:
        return []
    if isinstance(given, dict):
        return [f"{key}={value_text(value)}" for key, value in given.items()]
    return [given] if isinstance(given, str) else list(given)


def case_path(case):
    """A file, or the name of a case that comes with percuss: beside this module as installed, or as in the source."""
    case = os.fspath(case)
    if os.path.isfile(case) or os.path.basename(case) != case:
        return case
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in (os.path.join(here, "cases"), os.path.join(here, "..", "cases"),
                   os.path.join(here, "..", "..", "..", "share", "percuss", "cases")):
        for name in (case, case + ".yaml"):
            if os.path.exists(os.path.join(folder, name)):
                return os.path.join(folder, name)
    return case


# ---- a run -----------------------------------------------------------------------------------------------------

class Contacts:
    """Contacts of the last step; copies, since the next step may have others.

    name: of the case's contact; gap, positive where open; p: percussions over the step, normal first; u: relative velocities; status: 0
    open, 1 sticks, 2 slips; id: four numbers, the same from step to step.
    """

    def __init__(self, run):
        for name in ("gap", "p", "u", "id", "status"):
            setattr(self, name, run.array(name).copy())
        for name in ("gap", "status"):
            setattr(self, name, getattr(self, name).ravel())
        self.name = [text_of(library().prc_simulation_contact_name(run.address, c)) for c in range(len(self.gap))]

    def __len__(self):
        return len(self.gap)


class Body(Whole):
    """A mesh, a beam, or all rigid bodies of the case: q and v are views of its part of the state."""

    def __init__(self, run, number):
        kind, part = TEXT(), (NUMBER * 4)()
        lib = library()
        self.run, self.number = run, number
        self.name = text_of(lib.prc_simulation_body(run.address, number, ctypes.byref(kind), part))
        self.kind = text_of(kind.value)
        self.coordinates, self.dofs = slice(part[0], part[0] + part[1]), slice(part[2], part[2] + part[3])
        self.width = lib.prc_simulation_motion_size(run.address, number)
        self.items = [self.item(k)[0] for k in range(lib.prc_simulation_items(run.address, number))]

    @property
    def q(self):
        return self.run.q[self.coordinates]

    @property
    def v(self):
        return self.run.v[self.dofs]

    def item(self, k):
        row = (ctypes.c_double * 13)()
        name = text_of(library().prc_simulation_item(self.run.address, self.number, k, row))
        return name, np.array(row[:self.width])

    def motion(self, item):
        """Of one rigid body, by its name or number: x, y, angle and their rates; in space place, quaternion, velocity, spin."""
        if isinstance(item, str):
            if item not in self.items:
                raise Problem(f"no body '{item}'; there are: {', '.join(self.items) or 'none'}")
            item = self.items.index(item)
        if not 0 <= item < len(self.items):
            raise Problem(f"no body {item}, expected 0 to {len(self.items) - 1}")
        return self.item(item)[1]

    def fields(self):
        """Points "x" and what is known there and in cells, by name: copies of the state as it is now."""
        lib, found, k = library(), {}, 0
        checked(lib.prc_simulation_fields, self.run.address, self.number)
        name, data = TEXT(), HANDLE()
        rows, columns, kind, on = NUMBER(), NUMBER(), NUMBER(), NUMBER()
        while lib.prc_simulation_field(self.run.address, self.number, k, ctypes.byref(name), ctypes.byref(data),
                                       ctypes.byref(rows), ctypes.byref(columns), ctypes.byref(kind), ctypes.byref(on)):
            values = memory(data.value, rows.value, columns.value, kind.value, None).copy()
            found.setdefault(text_of(name.value) if on.value == 0 or k == 0 else "cell " + text_of(name.value), values)
            k += 1
        return found


def memory(address, rows, columns, kind, keep):
    """A numpy view of the library's memory, that keeps alive whose it is."""
    n = rows * columns
    if n == 0 or not address:
        return np.zeros((rows, columns) if columns > 1 else rows, dtype=TYPES[kind])
    block = (TYPES[kind] * n).from_address(address)
    block.keep = keep
    view = np.frombuffer(block, dtype=TYPES[kind])
    return view.reshape(rows, columns) if columns > 1 else view


class Run(Whole):
    """A case that is run in this process: see the text at the top of this module."""

    def __init__(self, case, set=None):
        path = case_path(case)
        if os.path.isdir(path):
            raise Problem(f"{path}: a folder, expected a case to be run; percuss.load reads the results of a run")
        self.handle = Handle(path, settings(set))
        self.address = self.handle.address
        lib = library()
        self.name = text_of(lib.prc_simulation_name(self.address))
        self.units = text_of(lib.prc_simulation_units(self.address))
        self.views = {name: self.array(name) for name in ("q", "v")}
        listed = [Body(self, k) for k in range(lib.prc_simulation_bodies(self.address))]
        self.bodies = {body.name or body.kind: body for body in listed}

    # -- steps

    def step(self, n=1):
        """n steps, or fewer where the case ends; returns how many. n may be of any size. Ctrl-C stops between two steps."""
        made, done, n = 0, NUMBER(), operator.index(n)
        while made < n:
            try:
                checked(library().prc_simulation_step, self.address, min(n - made, MOST), PATIENCE, ctypes.byref(done))
            finally:
                made += done.value
            if done.value == 0:
                break
        return made

    def run(self, until=None, callback=None, every=1):
        """To the end of the case, or to the first step at or behind the time `until`, which is none that has passed. callback(run) is
        called after `every` steps; where it returns True, the run stops."""
        if until is not None and not until >= self.time - 1e-9 * self.step_size:
            raise Problem(f"until is {until:.9g}, expected a time from {self.time:.9g} on, where the run is: steps are not taken back")
        while not self.over and (until is None or self.time < until - 1e-9 * self.step_size):
            if until is None:
                made = self.step(every if callback else 1000)
            else:
                left = max(1, math.ceil(min((until - self.time) / self.step_size - 1e-6, MOST))) if self.value("steps") >= 0 else 1
                made = self.step(min(every, left) if callback else left)
            if made == 0 or (callback and callback(self) is True):
                break
        return self

    def apply(self):
        """Takes over what was written into q and v now, as the next step would."""
        checked(library().prc_simulation_apply, self.address)

    def revert(self):
        """Gives up what was written into q and v since the last step."""
        library().prc_simulation_revert(self.address)

    def set_state(self, q=None, v=None):
        """Writes coordinates and velocities and takes them over; where the library refuses them, all is as it was before."""
        before = self.q.copy(), self.v.copy()
        try:
            if q is not None:
                self.q[:] = q
            if v is not None:
                self.v[:] = v
            self.apply()
        except BaseException:
            self.q[:], self.v[:] = before
            raise

    # -- arrays

    def array(self, name):
        """An array of simulation.h by its name; but for q, v and force it is to be copied before the next step."""
        data, rows, columns, kind = HANDLE(), NUMBER(), NUMBER(), NUMBER()
        checked(library().prc_simulation_array, self.address, bytes_of(name, "the name"), ctypes.byref(data), ctypes.byref(rows),
                ctypes.byref(columns), ctypes.byref(kind))
        return memory(data.value, rows.value, columns.value, kind.value, self.handle)

    @property
    def q(self):
        return self.views["q"]

    @q.setter
    def q(self, values):
        self.views["q"][:] = values

    @property
    def v(self):
        return self.views["v"]

    @v.setter
    def v(self, values):
        self.views["v"][:] = values

    @property
    def force(self):
        if "force" not in self.views:
            self.views["force"] = self.array("force")
        return self.views["force"]

    @force.setter
    def force(self, values):
        self.force[:] = values

    @property
    def m(self):
        """Momenta M v, a copy."""
        self.apply()
        return self.array("m").copy()

    @property
    def f(self):
        """Internal forces, a copy."""
        self.apply()
        return self.array("f").copy()

    @property
    def mass(self):
        """The diagonal of the mass matrix, a copy."""
        return self.array("mass").copy()

    @property
    def driven(self):
        """The dofs whose motion is data, of supports and obstacles: writing their q or v is refused."""
        return self.array("driven").copy()

    @property
    def contacts(self):
        self.apply()
        return Contacts(self)

    # -- numbers

    def value(self, name):
        out = ctypes.c_double()
        if not library().prc_simulation_value(self.address, bytes_of(name, "the name"), ctypes.byref(out)):
            raise Problem(f"no number '{name}'; there are: {', '.join(self.value_names())}")
        return out.value

    @staticmethod
    def value_names():
        names = []
        while library().prc_simulation_value_name(len(names)):
            names.append(text_of(library().prc_simulation_value_name(len(names))))
        return names

    @property
    def time(self):
        return self.value("t")

    @property
    def step_number(self):
        return int(self.value("step"))

    @property
    def step_size(self):
        return self.value("h")

    @property
    def end(self):
        return self.value("end")

    @property
    def over(self):
        return bool(library().prc_simulation_is_over(self.address))

    @property
    def record(self):
        """All numbers of the last step: time, energies, works so far, the residual of the balance, counts of contacts."""
        self.apply()
        return {name: self.value(name) for name in self.value_names()}

    @property
    def energies(self):
        """Energies, and works since the start, as energy.csv has them."""
        names = ("kinetic", "elastic", "work_external", "work_damping", "work_contact_normal", "work_contact_tangential",
                 "dissipation_numerical", "driven", "joints", "work_boundary", "projection")
        self.apply()
        return {name: self.value(name) for name in names}

    def certificate(self):
        """The verdict on all steps so far ("pass", "pass, with notes", "fail"), what was noted, and the entries, as in certificate.json."""
        lib, verdict = library(), TEXT()
        checked(lib.prc_simulation_certify, self.address, ctypes.byref(verdict))
        name, word, meaning, value, bound, step = TEXT(), TEXT(), TEXT(), ctypes.c_double(), ctypes.c_double(), NUMBER()
        entries, k = [], 0
        while lib.prc_simulation_entry(self.address, k, *(ctypes.byref(out) for out in (name, word, meaning, value, bound, step))):
            entries.append({"name": text_of(name.value), "verdict": text_of(word.value), "meaning": text_of(meaning.value),
                            "value": value.value, "bound": None if np.isnan(bound.value) else bound.value, "step": step.value})
            k += 1
        notes = ctypes.create_string_buffer(2048)
        lib.prc_simulation_notes(self.address, notes, len(notes))
        return {"verdict": text_of(verdict.value), "notes": text_of(notes.value), "entries": entries}

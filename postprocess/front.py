#!/usr/bin/python3
"""When each place of a contact line first slipped by D, or at a rate V: a table x,t, to a fraction of a step.

x is the position along the line: x . t of a straight interface, its length where it is curved, and along a plane from its point. Slip is
the way since the start, of either sign; between two columns of the diagram it is taken as straight. Rates are those at which
friction works, in the step's middle where theta is a half. Places that were never reached are left out.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True
import numpy as np

import percuss
from percuss import Problem, finite_number
from percuss_drawing import replacing, run_main


def line_of(run, name):
    lines = run.contacts
    if not lines:
        raise Problem(f"{run.folder}: no contact-NAME.vtr; expected a run with a contact line of a mesh (output.contact_every)")
    if name is None and len(lines) == 1:
        return next(iter(lines.values()))
    if name not in lines:
        found = "more than one contact line" if name is None else f"no contact line '{name}'"
        raise Problem(f"{run.folder}: {found}; expected --contact with one of: {', '.join(lines)}")
    return lines[name]


def theta_of(run):
    """Where in a step its velocities are: at its end is 1."""
    scheme = run.record.get("scheme")
    theta = scheme.get("theta") if isinstance(scheme, dict) else None
    return theta if finite_number(theta) and 0.5 <= theta <= 1.0 else 0.5


def times_of_rates(run, line, theta):
    """Of each column the time of its velocities, t - (1 - theta) h with the h of its step; that of the start is the start."""
    steps = run.energy["t"]
    at = np.clip(np.searchsorted(steps, line.time * (1.0 - 1e-12)), 1, len(steps) - 1) if len(steps) > 1 else None
    if at is None:
        return line.time
    shift = (1.0 - theta) * (steps[at] - steps[at - 1])
    return np.where(line.time > 0.0, line.time - shift, line.time)


def first_crossing(t, values, threshold):
    """Of each place the time at which |values| first reaches the threshold, straight between columns; NaN: never."""
    size = np.abs(values)
    reached = size >= threshold
    first = np.argmax(reached, axis=0)
    places = np.arange(size.shape[1])
    after, before = size[first, places], size[np.maximum(first - 1, 0), places]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(first > 0, (threshold - before) / (after - before), 1.0)
    times = t[np.maximum(first - 1, 0)] + share * (t[first] - t[np.maximum(first - 1, 0)])
    return np.where(reached.any(axis=0), times, np.nan)


def front_of(run, line, slip=None, rate=None):
    """(positions, times) of the front: times are NaN where it never was."""
    if slip is not None:
        return line.position, first_crossing(line.time, line["slip"], slip)
    return line.position, first_crossing(times_of_rates(run, line, theta_of(run)), line["slip_velocity"], rate)


def positive(text):
    value = float(text)
    if not (value > 0.0 and np.isfinite(value)):
        raise argparse.ArgumentTypeError(f"'{text}', expected a number above 0")
    return value


def arguments():
    parser = argparse.ArgumentParser(prog="percuss front", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="RESULT", help="folder of a run")
    parser.add_argument("--contact", metavar="NAME", help="which contact line (where there is more than one)")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--slip", type=positive, metavar="D", help="slip that is reached")
    asked.add_argument("--rate", type=positive, metavar="V", help="slip rate that is reached")
    parser.add_argument("-o", "--output", metavar="FILE", help="where the table goes (default: standard output)")
    return parser.parse_args()


def main():
    chosen = arguments()
    run = percuss.load(chosen.folder)
    line = line_of(run, chosen.contact)
    x, t = front_of(run, line, chosen.slip, chosen.rate)
    rows = "x,t\n" + "".join(f"{float(a)!r},{float(b)!r}\n" for a, b in zip(x, t) if np.isfinite(b))
    if not chosen.output:
        sys.stdout.write(rows)
        return 0
    with replacing(chosen.output) as path:
        with open(path, "w", encoding="ascii") as file:
            file.write(rows)
    what = f"slip {chosen.slip:g}" if chosen.slip is not None else f"slip rate {chosen.rate:g}"
    print(f"{chosen.output}: {line.name}: {np.count_nonzero(np.isfinite(t))} of {len(x)} places reached {what}")
    return 0


if __name__ == "__main__":
    run_main(main)

#!/usr/bin/python3
"""When each place of a contact line first slipped by D, or at a rate V: a table x,t, to a fraction of a step; and other tables of the line.

  percuss front DIR --slip D              x,t [length, time]
  percuss front DIR --rate V --speed      x,t,speed: dx/dt of the front, above zero along +x, a median over neighbours; inf where it begins
  percuss front DIR --rate V --pulses     t,pulse,from,to,width,peak,x_peak: where along the line |slip rate| is V or more at each column
  percuss front DIR --profiles T1,T2      t,x,slip at these times
  percuss front DIR --moment              t,potency,moment,moment_rate per unit of thickness: the integral of slip, along +t positive, times the
                                          shear modulus, and its mean rate since the row before [length^2, force, force/time]

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
from front_tools import first_crossing, moments, profile, pulses, speeds
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


def rates_of(run, line, mean):
    """(times, slip rates): those of steps, or means since the column before, which stand in the middle of that time."""
    if not mean:
        return times_of_rates(run, line, theta_of(run)), line["slip_velocity"]
    return np.concatenate([line.time[:1], 0.5 * (line.time[1:] + line.time[:-1])]), line["slip_velocity_mean"]


def modulus_of(run):
    """The shear modulus of the materials, where they have one and the same."""
    materials = run.record.get("materials")
    values = {m.get("shear_modulus") for m in materials if isinstance(m, dict)} if isinstance(materials, list) else set()
    if len(values) != 1 or not all(finite_number(value) for value in values):
        found = "none is known" if not values else "the materials have " + ", ".join(f"{value:g}" for value in sorted(values))
        raise Problem(f"{run.folder}: which shear modulus? {found}; expected --modulus MU")
    return values.pop()


def positive(text):
    value = float(text)
    if not (value > 0.0 and np.isfinite(value)):
        raise argparse.ArgumentTypeError(f"'{text}', expected a number above 0")
    return value


def times(text):
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(np.isfinite(found)):
        raise argparse.ArgumentTypeError(f"'{text}', expected times with commas between")
    return found


def arguments():
    parser = argparse.ArgumentParser(prog="percuss front", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="RESULT", help="folder of a run")
    parser.add_argument("--contact", metavar="NAME", help="which contact line (where there is more than one)")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--slip", type=positive, metavar="D", help="slip that is reached")
    asked.add_argument("--rate", type=positive, metavar="V", help="slip rate that is reached")
    asked.add_argument("--profiles", type=times, metavar="T1,T2", help="slip along the line at these times, straight between columns")
    asked.add_argument("--moment", action="store_true", help="potency, moment and its rate at each column")
    parser.add_argument("--speed", action="store_true", help="with --slip or --rate: the speed of the front too")
    parser.add_argument("--pulses", action="store_true", help="with --rate: pulses of slip along the line at each column")
    parser.add_argument("--mean", action="store_true", help="with --rate: of the means between columns, not of single steps, which may ring")
    parser.add_argument("--modulus", type=positive, metavar="MU", help="with --moment: shear modulus, where materials differ")
    parser.add_argument("-o", "--output", metavar="FILE", help="where the table goes (default: standard output)")
    chosen = parser.parse_args()
    for option, needs, there in (("--speed", "--slip or --rate", chosen.slip or (chosen.rate and not chosen.pulses)),
                                 ("--pulses", "--rate", chosen.rate), ("--mean", "--rate", chosen.rate),
                                 ("--modulus", "--moment", chosen.moment)):
        if getattr(chosen, option[2:]) and not there:
            parser.error(f"{option} is given without {needs}, expected it only with that")
    return chosen


def arrivals(run, line, chosen):
    x = line.position
    if chosen.slip is not None:
        t, what = first_crossing(line.time, line["slip"], chosen.slip), f"slip {chosen.slip:g}"
    else:
        t, what = first_crossing(*rates_of(run, line, chosen.mean), chosen.rate), f"slip rate {chosen.rate:g}"
    there = np.isfinite(t)
    columns = [x, t] + ([speeds(x, t)] if chosen.speed else [])
    said = f"{np.count_nonzero(there)} of {len(x)} places reached {what}"
    return "x,t,speed" if chosen.speed else "x,t", zip(*(column[there] for column in columns)), said


def table_of(run, line, chosen):
    """(names, rows, what it is)"""
    if chosen.pulses:
        rows = pulses(line.position, *rates_of(run, line, chosen.mean), chosen.rate)
        return "t,pulse,from,to,width,peak,x_peak", rows, f"{max((row[1] for row in rows), default=0)} pulses of slip rate {chosen.rate:g} or more"
    if chosen.profiles:
        outside = [t for t in chosen.profiles if not line.time[0] <= t <= line.time[-1]]
        if outside or len(line.time) < 2:
            raise Problem(f"{line.path}: no slip at t = {(outside or chosen.profiles)[0]:g}; its columns are from {line.time[0]:g} to {line.time[-1]:g}")
        rows = [(t, x, d) for t in chosen.profiles for x, d in zip(line.position, profile(line.time, line["slip"], t))]
        return "t,x,slip", rows, f"slip at {len(chosen.profiles)} times"
    if chosen.moment:
        modulus = chosen.modulus or modulus_of(run)
        return "t,potency,moment,moment_rate", moments(line.position, line.time, line["slip"], modulus), f"moment with the shear modulus {modulus:g}"
    return arrivals(run, line, chosen)


def number(value):
    return str(value) if isinstance(value, (int, np.integer)) else repr(float(value))


def main():
    chosen = arguments()
    run = percuss.load(chosen.folder)
    line = line_of(run, chosen.contact)
    names, rows, said = table_of(run, line, chosen)
    text = names + "\n" + "".join(",".join(number(value) for value in row) + "\n" for row in rows)
    if not chosen.output:
        sys.stdout.write(text)
        return 0
    with replacing(chosen.output) as path:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    print(f"{chosen.output}: {line.name}: {said}")
    return 0


if __name__ == "__main__":
    run_main(main)

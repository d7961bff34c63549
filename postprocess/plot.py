#!/usr/bin/python3
"""Pictures of runs, finished or running, in each folder as PNG, SVG and PDF.

  energy       energies; works and their balance; the largest gain and loss by friction at a contact of each step
  contact      active, sticking and sliding contacts; contact forces; residual of the balance; contact error
  line-NAME    x-t diagrams of a contact line: normal and tangential traction, slip velocity, status; of the whole
               run and of a lively part of it, or from --from to --to
  rupture-NAME slip rate of a line whose friction has a state over position and time, with its fronts; slip rate, slip and
               tangential traction along it at several times
  stations     slip rate, slip and tangential traction of probes on contact lines
  probes       displacement and velocity of the probes
  bodies       rigid bodies: coordinates, velocities, contact velocities, percussions, their works, energies; of
               several bodies the coordinates and velocities of each in bodies-NUMBER, the paths of all in paths; in space
               centre of mass, velocity, spin and inclination of the body's axis
  levels       of the schemes by levels: gaps, impulses, multipliers of positions, forces; levels-joints: those of joints
  grains       grains together: kinetic energy, coordination number, works, how forces are distributed
  strips       profiles of velocity and solid fraction over strips at several times, and stresses
  certificate  the certificate as a table

Of the folder of percuss sweep: sweep, each end value over the first key that was swept, coloured by the second, and sweep-energy.

With --compare two runs or more, or the members of a sweep by its folder, in one: compare-energy, compare-contact-NAME
(forces and slip), compare-probe-NAME or compare-bodies, compare-levels, compare-certificate, in the current folder or that of -o. Three or more that differ by one number of their case are
coloured by it; units such as mm, g and ms are converted into those of the first run.
"""

import argparse
import math
import os
import sys

sys.dont_write_bytecode = True

import percuss
import plot_bodies
import plot_compare
import plot_contacts
import plot_energy
import plot_grains
import plot_levels
import plot_lines
import plot_rupture
import plot_space
import plot_sweep
import plot_tables
from percuss import Problem
from percuss_drawing import FORMATS, pyplot, run_main, save
from percuss_sequence import sweep_record

PARTS = (plot_energy, plot_contacts, plot_lines, plot_rupture, plot_bodies, plot_space, plot_levels, plot_grains, plot_tables)


def write(figures, folder, formats):
    """Writes each (name, figure) in all formats; yields the paths."""
    for name, figure in figures:
        for extension in formats:
            path = os.path.join(folder, f"{name}.{extension}")
            save(figure, path)
            yield path
        pyplot().close(figure)


def figures_of(run, window):
    for part in PARTS:
        yield from part.figures(run, window) if part is plot_lines else part.figures(run)


def formats_of(text):
    names = [name.strip().lower() for name in text.split(",")]
    wrong = [name for name in names if name not in FORMATS]
    if wrong:
        raise argparse.ArgumentTypeError(f"'{wrong[0]}', expected some of {','.join(FORMATS)}")
    return names


def arguments():
    parser = argparse.ArgumentParser(prog="percuss plot", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", metavar="DIR", nargs="+", help="folder of a run")
    parser.add_argument("--compare", action="store_true", help="two runs or more in one picture")
    parser.add_argument("--format", type=formats_of, default=FORMATS, metavar="LIST",
                        help="some of png,svg,pdf (default: all)")
    parser.add_argument("--from", type=float, dest="begin", metavar="T", help="x-t diagrams from this time on")
    parser.add_argument("--to", type=float, dest="end", metavar="T", help="x-t diagrams up to this time")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="where the pictures go (default: the run's folder)")
    return parser.parse_args()


def runs_in(folder):
    """Of a sweep its members that have come to their end; else the folder itself."""
    return plot_sweep.members(plot_sweep.Sweep(folder)) if sweep_record(folder) else [folder]


def main():
    chosen = arguments()
    if chosen.compare:  # of a pattern that names the pictures of a sweep too
        chosen.folders = [path for path in chosen.folders if os.path.isdir(path)] or chosen.folders
        chosen.folders = [path for folder in chosen.folders for path in runs_in(folder)]
    if chosen.compare and len(chosen.folders) < 2:
        raise Problem("--compare needs two runs or more")
    if chosen.output and not chosen.compare and len(chosen.folders) > 1:
        raise Problem("-o holds the pictures of one run, or of a comparison")
    if chosen.output:
        os.makedirs(chosen.output, exist_ok=True)
    sweeps = [] if chosen.compare else [folder for folder in chosen.folders if sweep_record(folder)]
    for folder in sweeps:
        for path in write(plot_sweep.figures(plot_sweep.Sweep(folder)), chosen.output or folder, chosen.format):
            print(path)
    runs = [percuss.load(folder) for folder in chosen.folders if folder not in sweeps]
    if chosen.compare:
        for path in write(plot_compare.figures(runs), chosen.output or ".", chosen.format):
            print(path)
        return 0
    whole = chosen.begin is None and chosen.end is None
    window = None if whole else (chosen.begin if chosen.begin is not None else -math.inf,
                                 chosen.end if chosen.end is not None else math.inf)
    for run in runs:
        for path in write(figures_of(run, window), chosen.output or run.folder, chosen.format):
            print(path)
    return 0


if __name__ == "__main__":
    run_main(main)

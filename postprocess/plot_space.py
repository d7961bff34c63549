"""Bodies in space: how they move and turn, the inclination of their axes, percussions and works at their contacts, energies."""

import sys

import numpy as np

from percuss_drawing import COLOURS, legend_right, line, plain, pyplot, thinned, title_of
from plot_bodies import (MOST_BODIES, MOST_PATHS, columns, contact_style, draw_energies, pair, rows_of, stems, time_axis,
                         unit_below)

WANTED = ("t", "body", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")
AXES = (("x", "blue", "-"), ("y", "red", "--"), ("z", "green", "-."))


def is_in_space(bodies):
    return bodies is not None and "qw" in bodies


def inclination(bodies):
    """Degrees between the body's own z axis and that of space: cos = 1 - 2 (x^2 + y^2) of the quaternion."""
    x, y, length = bodies["qx"], bodies["qy"], sum(bodies[q] ** 2 for q in ("qw", "qx", "qy", "qz"))
    return np.degrees(np.arccos(np.clip(1.0 - 2.0 * (x * x + y * y) / np.where(length > 0.0, length, 1.0), -1.0, 1.0)))


def spin_in_space(bodies):
    """About the z axis of space: the third row of R(q) times the spin in the body's own axes."""
    w, x, y, z = (bodies[q] for q in ("qw", "qx", "qy", "qz"))
    return (2 * (x * z - w * y) * bodies["wx"] + 2 * (y * z + w * x) * bodies["wy"]
            + (1 - 2 * (x * x + y * y)) * bodies["wz"])


def draw_vector(axes, motion, column, title, ylabel, words="$%s$"):
    axes.set_title(title)
    for axis, colour, dash in AXES:
        line(axes, motion["t"], motion[column + axis], words % axis, colour, linestyle=dash)
    axes.set_ylabel(ylabel)


def draw_motion(panels, motion, time, units):
    """Position, velocity, spin and inclination, in four panels."""
    place, velocity, spin, lean = panels
    draw_vector(place, motion, "", "(a) centre of mass", units.label("$x$, $y$, $z$", "length"))
    draw_vector(velocity, motion, "v", "(b) velocity", units.label("velocity"), "$v_%s$")
    draw_vector(spin, motion, "w", "(c) spin", f"spin [rad{unit_below(units)}]", "$\\omega_%s$, own axes")
    line(spin, motion["t"], spin_in_space(motion), "about $z$ of space", "black", linewidth=0.9)
    lean.set_title("(d) inclination of its own $z$ axis")
    line(lean, motion["t"], inclination(motion), None, "black")
    lean.set_ylabel("angle to $z$ [°]")
    if np.ptp(inclination(motion)) < 1e-6:
        lean.set_ylim(-5.0, 185.0)
    for axes in panels:
        axes.set_xlim(*time)
        axes.set_xlabel(units.label("time"))
        if axes is not lean:
            legend_right(axes)


def draw_contacts(upper, lower, contacts, small, units):
    """Normal percussions, and what the tangential ones take or give; below `small` it is rounding."""
    names = sorted(set(contacts["contact"]))
    for number, name in enumerate(names[:6]):
        rows = rows_of(contacts, contacts["contact"] == name)
        colour, marker = contact_style(number)
        stems(upper, rows["t"], rows["p_n"], colour, marker, plain(name))
    upper.set_ylabel(units.label("normal", "percussion"))
    legend_right(upper)
    work = contacts.get("work_t")
    if work is not None:
        for chosen, colour, label in ((work < -small, "blue", "taken"), (work > small, "red", "given")):
            if np.any(chosen):
                lower.plot(*thinned(contacts["t"][chosen], work[chosen]), ".", markersize=2.5, color=COLOURS[colour],
                           label=f"{label}: {np.count_nonzero(chosen)}×\nlargest {np.max(np.abs(work[chosen])):.3g}")
        lower.set_ylabel(units.label("friction's work", "energy"))
        if np.any(np.abs(work) > small):
            legend_right(lower)


def draw_system(figure, grid, row, letters, run, contacts, time):
    energies = pair(figure, grid, row, 0, f"({letters[0]}) energies", time, run.units)
    draw_energies(*energies, run.energy, run.units)
    if contacts is not None and len(contacts["t"]):
        touched = pair(figure, grid, row, 1, f"({letters[1]}) percussions at the contacts, work of friction", time, run.units)
        draw_contacts(*touched, contacts, run.unexplained_work(), run.units)


def paths(run, bodies, names, time):
    """Where all bodies are over time: each coordinate in a panel."""
    figure, panels = pyplot().subplots(1, 3, figsize=(14.0, 4.6))
    for axes, name in zip(panels, "xyz"):
        for k, body in enumerate(names):
            chosen = bodies["body"] == body
            axes.plot(*thinned(bodies["t"][chosen], bodies[name][chosen]), color=contact_style(k)[0], linewidth=0.9,
                      label=plain(body) if len(names) <= MOST_BODIES else None)
        axes.set_xlim(*time)
        axes.set_xlabel(run.units.label("time"))
        axes.set_ylabel(run.units.label(f"${name}$", "length"))
    if len(names) <= MOST_BODIES:
        legend_right(panels[-1])
    title_of(figure, run)
    return figure


def figures(run):
    """bodies and, of several bodies, paths and bodies-NUMBER; nothing for runs in the plane."""
    if not is_in_space(run.bodies):
        return
    bodies = columns(run, "bodies.csv", WANTED)
    if len(bodies["t"]) == 0:
        return
    contacts = columns(run, "contacts.csv", ("t", "contact", "p_n"))
    names, time = list(dict.fromkeys(bodies["body"])), time_axis(bodies["t"])
    plt = pyplot()
    figure = plt.figure(figsize=(11.0, 9.6 if len(names) == 1 else 4.6))
    grid = figure.add_gridspec(6 if len(names) == 1 else 2, 2)
    if len(names) == 1:
        draw_motion([figure.add_subplot(grid[2 * i:2 * i + 2, j]) for i in (0, 1) for j in (0, 1)], bodies, time, run.units)
    draw_system(figure, grid, *((4, "ef") if len(names) == 1 else (0, "ab")), run, contacts, time)
    title_of(figure, run)
    yield "bodies", figure
    if len(names) == 1:
        return
    if len(names) <= MOST_PATHS:
        yield "paths", paths(run, bodies, names, time)
    for number, name in enumerate(chosen_bodies(bodies, names)):
        figure, panels = plt.subplots(2, 2, figsize=(11.0, 6.8))
        draw_motion(panels.ravel(), rows_of(bodies, bodies["body"] == name), time, run.units)
        title_of(figure, run, f", {plain(name)}")
        yield f"bodies-{number}", figure
    if len(names) > MOST_BODIES:
        print(f"{run.folder}: pictures of the {MOST_BODIES} of {len(names)} bodies that were fastest", file=sys.stderr)


def chosen_bodies(bodies, names):
    """All, or of many those that were fastest."""
    if len(names) <= MOST_BODIES:
        return names
    speed = bodies["vx"] ** 2 + bodies["vy"] ** 2 + bodies["vz"] ** 2
    number = {name: k for k, name in enumerate(names)}
    fastest = np.zeros(len(names))
    np.maximum.at(fastest, np.array([number[name] for name in bodies["body"]]), speed)
    return [names[k] for k in np.argsort(-fastest, kind="stable")[:MOST_BODIES]]

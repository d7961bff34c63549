"""Two or more runs in one picture: energies, works of friction, probes or bodies, and the certificates side by side."""

import numpy as np

import plot_levels
from percuss import Problem
from percuss_drawing import COLOURS, line, plain, pyplot
from plot_bodies import columns
from plot_space import inclination, is_in_space
from plot_tables import VERDICTS, number, probe_names

STYLES = (("blue", "-"), ("red", "--"), ("green", "-."), ("purple", ":"), ("orange", "-"), ("black", "--"))


def names_of(runs):
    """What tells the runs apart: their folders, by as much of their paths as it takes."""
    names = [run.name for run in runs]
    return [plain(name) for name in (names if len(set(names)) == len(names) else [run.folder for run in runs])]


def one_units(runs):
    """The units of all of them; a comparison of mm with m would be a wrong picture."""
    if len({tuple(run.units.names) for run in runs}) > 1:
        raise Problem("the runs have different units: " + "; ".join(
            f"{run.folder}: {' '.join(run.units.names) or 'not said'}" for run in runs))
    return runs[0].units


def overlay(axes, runs, values, title, label, scale=0.0):
    """values(run): the curve (t, y) of a run."""
    for run, (colour, dash), width in zip(runs, STYLES, (2.2, 1.3, 1.2, 1.2, 1.2, 1.2)):
        line(axes, *values(run), None, colour, linestyle=dash, linewidth=width)
    if 0.0 < scale and np.max(np.abs(axes.dataLim.intervaly)) <= 1e-9 * scale:  # rounding is no difference
        axes.set_ylim(-0.05 * scale, 0.05 * scale)
    axes.set_title(title)
    axes.set_ylabel(label)


def draw_gains(axes, runs, units):
    """Cumulative positive tangential work: what friction gave, where it may only take."""
    shown = False
    for run, (colour, dash) in zip(runs, STYLES):
        work = run.energy["tangential_work_max"]
        gains = np.cumsum(np.where(work > run.unexplained_work(), work, 0.0))
        shown = shown or gains[-1] > 0.0
        line(axes, run.energy["t"], gains, None, colour, linestyle=dash)
    axes.set_title("(d) what friction gave at most, summed over steps")
    axes.set_ylabel(units.label("energy"))
    if not shown:
        axes.set_ylim(-1.0, 1.0)
        axes.set_yticks([0.0])
        axes.text(0.5, 0.6, "none in any run", transform=axes.transAxes, ha="center", color="0.4")


def draw_energies(runs, names, units):
    plt = pyplot()
    figure, panels = plt.subplots(2, 2, figsize=(10.0, 7.2), sharex=True)
    (a, b), (c, d) = panels
    scale = max(run.energy_scale() for run in runs)
    overlay(a, runs, lambda run: (run.energy["t"], run.energy["kinetic"] + run.energy["elastic"]),
            "(a) kinetic + elastic energy", units.label("energy"))
    overlay(b, runs, lambda run: (run.energy["t"], run.energy["work_contact_normal"]),
            "(b) work of normal percussions, cumulative", units.label("energy"), scale)
    overlay(c, runs, lambda run: (run.energy["t"], run.energy["work_contact_tangential"]),
            "(c) work of friction, cumulative", units.label("energy"), scale)
    draw_gains(d, runs, units)
    finish(figure, names, panels[1], units)
    return figure


def finish(figure, names, lowest, units):
    """One legend above all panels, and the time below."""
    from matplotlib.lines import Line2D

    for axes in lowest:
        axes.set_xlabel(units.label("time"))
    figure.legend(handles=[Line2D([], [], color=COLOURS[colour], linestyle=dash, linewidth=1.6, label=name)
                           for name, (colour, dash) in zip(names, STYLES)],
                  loc="upper left", ncol=3, fontsize=10)
    figure.suptitle(" ", fontsize=18)  # room for the legend


def draw_motions(runs, names, units, table, columns):
    """columns: (name, title, label) of four curves of a table."""
    plt = pyplot()
    figure, panels = plt.subplots(2, 2, figsize=(10.0, 6.4), sharex=True)
    for axes, letter, (column, title, label) in zip(panels.ravel(), "abcd", columns):
        overlay(axes, runs, lambda run, c=column: (table(run)["t"], table(run)[c]), f"({letter}) {title}", label)
    finish(figure, names, panels[1], units)
    return figure


def first_body(run):
    in_space = is_in_space(run.bodies)
    bodies = columns(run, "bodies.csv", ("body", "x", "y", "z", "qx", "qy", "vz") if in_space else ("body", "x", "y", "angle", "vy"))
    if in_space:
        bodies = {**bodies, "inclination": inclination(bodies)}
    chosen = bodies["body"] == bodies["body"][0]
    return {name: values[chosen] for name, values in bodies.items()}


def motions(runs, names, units):
    in_space = [is_in_space(run.bodies) for run in runs]
    if all(in_space):
        yield "compare-bodies", draw_motions(runs, names, units, first_body, (
            ("z", "height of the centre of mass", units.label("$z$", "length")),
            ("inclination", "inclination of its own $z$ axis", "angle to $z$ [°]"),
            ("vz", "vertical velocity", units.label("$v_z$", "velocity")),
            ("x", "place of the centre of mass", units.label("$x$", "length"))))
    elif not any(in_space) and all(run.bodies is not None and len(run.bodies["t"]) > 0 for run in runs):
        yield "compare-bodies", draw_motions(runs, names, units, first_body, (
            ("y", "height of the centre of mass", units.label("$y$", "length")),
            ("angle", "angle", "angle [rad]"),
            ("vy", "vertical velocity", units.label("$v_y$", "velocity")),
            ("x", "horizontal place of the centre of mass", units.label("$x$", "length"))))
    tables = [run.probes for run in runs]
    if all(table is not None and len(table["t"]) > 0 for table in tables):
        shared = [name for name in probe_names(tables[0]) if all(f"{name}_u_x" in table for table in tables)]
        for name in shared[:6]:
            yield f"compare-probe-{name}", draw_motions(runs, names, units, lambda run: run.probes, (
                (f"{name}_u_x", f"{plain(name)}: displacement in x", units.label("$u_x$", "length")),
                (f"{name}_u_y", f"{plain(name)}: displacement in y", units.label("$u_y$", "length")),
                (f"{name}_v_x", f"{plain(name)}: velocity in x", units.label("$v_x$", "velocity")),
                (f"{name}_v_y", f"{plain(name)}: velocity in y", units.label("$v_y$", "velocity"))))


def draw_certificates(runs, names):
    """A row for each promise, a column for each run: the value and the verdict."""
    plt = pyplot()
    found = [{str(entry.get("name", "")): entry for entry in run.certificate_entries()} for run in runs]
    promises = list(dict.fromkeys(name for entries in found for name in entries))
    figure, axes = plt.subplots(figsize=(2.2 + 2.6 * len(runs), 0.3 * (len(promises) + 2)))
    axes.axis("off")
    axes.set_xlim(0.0, 2.2 + 2.6 * len(runs))
    axes.set_ylim(len(promises) + 1.6, 0.0)
    for k, name in enumerate(names):
        axes.text(2.3 + 2.6 * k, 0.6, name, weight="bold", fontsize=10, va="center")
    for i, promise in enumerate(promises):
        axes.axhline(i + 1.1, color="0.85", linewidth=0.7)
        axes.text(0.0, i + 1.6, promise.replace("_", " "), fontsize=9.5, va="center")
        for k, entries in enumerate(found):
            entry = entries.get(promise, {})
            text, ink = VERDICTS.get(str(entry.get("verdict")), (str(entry.get("verdict", "–")), "0.35"))
            axes.text(2.3 + 2.6 * k, i + 1.6, number(entry.get("value")), fontsize=9.5, va="center")
            axes.text(3.25 + 2.6 * k, i + 1.6, text, fontsize=9.5, va="center", color=ink)
    return figure


def check(folders):
    if len(folders) > len(STYLES):
        raise Problem(f"--compare draws at most {len(STYLES)} runs in one picture, each in a colour of its own, got "
                      f"{len(folders)}")


def figures(runs):
    names, units = names_of(runs), one_units(runs)
    yield "compare-energy", draw_energies(runs, names, units)
    yield from motions(runs, names, units)
    levels = plot_levels.compare(runs, names, STYLES, units)
    if levels:
        finish(levels[0], names, levels[1][-1], units)
        yield "compare-levels", levels[0]
    if any(run.certificate_entries() for run in runs):
        yield "compare-certificate", draw_certificates(runs, names)

"""Two or more runs in one picture: energies, works of friction, forces and slip of contacts, probes or bodies, and the certificates side by
side. Runs that differ by one number are coloured by it; those of other units are converted into the first one's."""

import numpy as np

import plot_levels
from percuss import Problem, loss_name
from percuss_drawing import plain, pyplot, thinned
from percuss_sequence import FEW, Looks
from plot_bodies import columns
from plot_space import inclination, is_in_space
from plot_tables import VERDICTS, number, probe_names


def names_of(runs):
    """What tells the runs apart: their folders, by as much of their paths as it takes."""
    names = [run.name for run in runs]
    return [plain(name) for name in (names if len(set(names)) == len(names) else [run.folder for run in runs])]


def one_units(runs):
    """The units of the first run, if all others can be converted; a comparison of mm with m as they stand would be a wrong picture."""
    if not all(run.units.can_become(runs[0].units) for run in runs):
        raise Problem("the runs have different units, and not all are such as mm, g and ms, which can be converted: " + "; ".join(
            f"{run.folder}: {' '.join(run.units.names) or 'not said'}" for run in runs))
    return runs[0].units


def draw_curve(axes, run, units, quantity, curve, style, width):
    """A curve (t, y) of a run in these units."""
    t, y = curve
    (colour, dash) = style
    axes.plot(*thinned(t * run.units.factor_to(units, "time"), y * run.units.factor_to(units, quantity)), color=colour, linestyle=dash,
              linewidth=width)


def overlay(axes, runs, looks, units, quantity, values, title, label, scale=0.0):
    """values(run): the curve (t, y) of a run."""
    for run, (style, width) in zip(runs, looks):
        draw_curve(axes, run, units, quantity, values(run), style, width)
    if 0.0 < scale and np.max(np.abs(axes.dataLim.intervaly)) <= 1e-9 * scale:  # rounding is no difference
        axes.set_ylim(-0.05 * scale, 0.05 * scale)
    axes.set_title(title)
    axes.set_ylabel(label)


def draw_gains(axes, runs, looks, units):
    """Cumulative positive tangential work: what friction gave, where it may only take."""
    shown = False
    for run, (style, width) in zip(runs, looks):
        work = run.energy["tangential_work_max"]
        gains = np.cumsum(np.where(work > run.unexplained_work(), work, 0.0))
        shown = shown or gains[-1] > 0.0
        draw_curve(axes, run, units, "energy", (run.energy["t"], gains), style, width)
    axes.set_title("(d) what friction gave at most, summed over steps")
    axes.set_ylabel(units.label("energy"))
    if not shown:
        axes.set_ylim(-1.0, 1.0)
        axes.set_yticks([0.0])
        axes.text(0.5, 0.6, "none in any run", transform=axes.transAxes, ha="center", color="0.4")


def draw_energies(runs, looks, units):
    plt = pyplot()
    figure, panels = plt.subplots(2, 2, figsize=(10.0, 7.2), sharex=True)
    (a, b), (c, d) = panels
    scale = max(run.energy_scale() * run.units.factor_to(units, "energy") for run in runs)

    def energy(axes, of, title, scale=0.0):
        overlay(axes, runs, looks, units, "energy", lambda run: (run.energy["t"], of(run.energy)), title, units.label("energy"), scale)

    energy(a, lambda energy: energy["kinetic"] + energy["elastic"], "(a) kinetic + elastic energy")
    energy(b, lambda energy: energy[loss_name(energy, "work_contact_normal")], "(b) work of normal percussions, cumulative", scale)
    energy(c, lambda energy: energy[loss_name(energy, "work_contact_tangential")], "(c) work of friction, cumulative", scale)
    draw_gains(d, runs, looks, units)
    finish(figure, looks, panels[1], units)
    return figure


def finish(figure, looks, lowest, units):
    """The time below, and what the colours say."""
    for axes in lowest:
        axes.set_xlabel(units.label("time"))
        axes.locator_params(axis="x", nbins=6)
    looks.explain(figure)


def draw_motions(runs, looks, units, table, columns):
    """columns: (name, title, label, quantity) of four curves of a table."""
    plt = pyplot()
    figure, panels = plt.subplots(2, 2, figsize=(10.0, 6.4), sharex=True)
    for axes, letter, (column, title, label, quantity) in zip(panels.ravel(), "abcd", columns):
        overlay(axes, runs, looks, units, quantity, lambda run, c=column: (table(run)["t"], table(run)[c]), f"({letter}) {title}", label)
    finish(figure, looks, panels[1], units)
    return figure


def contacts(runs, looks, units):
    """Forces and slip of each contact that all runs have."""
    tables = [run.forces for run in runs]
    if any(table is None or len(table["t"]) == 0 for table in tables):
        return
    names = [name[:-len("_force_normal")] for name in tables[0] if name.endswith("_force_normal")]
    kinds = ("force_normal", "force_tangential", "slip_mean", "contact_fraction")
    for name in [name for name in names if all(f"{name}_{kind}" in table for kind in kinds for table in tables)][:6]:
        shown = plain(name)
        yield f"compare-contact-{name}", draw_motions(runs, looks, units, lambda run: run.forces, (
            (f"{name}_force_normal", f"{shown}: normal force, mean over a step", units.label("force"), "force"),
            (f"{name}_force_tangential", f"{shown}: tangential force", units.label("force"), "force"),
            (f"{name}_slip_mean", f"{shown}: slip, mean of its points", units.label("slip", "length"), "length"),
            (f"{name}_contact_fraction", f"{shown}: part of its points that is active", "part [–]", None)))


def first_body(run):
    in_space = is_in_space(run.bodies)
    bodies = columns(run, "bodies.csv", ("body", "x", "y", "z", "qx", "qy", "vz") if in_space else ("body", "x", "y", "angle", "vy"))
    if in_space:
        bodies = {**bodies, "inclination": inclination(bodies)}
    chosen = bodies["body"] == bodies["body"][0]
    return {name: values[chosen] for name, values in bodies.items()}


def motions(runs, looks, units):
    in_space = [is_in_space(run.bodies) for run in runs]
    if all(in_space):
        yield "compare-bodies", draw_motions(runs, looks, units, first_body, (
            ("z", "height of the centre of mass", units.label("$z$", "length"), "length"),
            ("inclination", "inclination of its own $z$ axis", "angle to $z$ [°]", None),
            ("vz", "vertical velocity", units.label("$v_z$", "velocity"), "velocity"),
            ("x", "place of the centre of mass", units.label("$x$", "length"), "length")))
    elif not any(in_space) and all(run.bodies is not None and len(run.bodies["t"]) > 0 for run in runs):
        yield "compare-bodies", draw_motions(runs, looks, units, first_body, (
            ("y", "height of the centre of mass", units.label("$y$", "length"), "length"),
            ("angle", "angle", "angle [rad]", None),
            ("vy", "vertical velocity", units.label("$v_y$", "velocity"), "velocity"),
            ("x", "horizontal place of the centre of mass", units.label("$x$", "length"), "length")))
    tables = [run.probes for run in runs]
    if all(table is not None and len(table["t"]) > 0 for table in tables):
        shared = [name for name in probe_names(tables[0]) if all(f"{name}_u_x" in table for table in tables)]
        for name in shared[:6]:
            yield f"compare-probe-{name}", draw_motions(runs, looks, units, lambda run: run.probes, (
                (f"{name}_u_x", f"{plain(name)}: displacement in x", units.label("$u_x$", "length"), "length"),
                (f"{name}_u_y", f"{plain(name)}: displacement in y", units.label("$u_y$", "length"), "length"),
                (f"{name}_v_x", f"{plain(name)}: velocity in x", units.label("$v_x$", "velocity"), "velocity"),
                (f"{name}_v_y", f"{plain(name)}: velocity in y", units.label("$v_y$", "velocity"), "velocity")))


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


def draw_verdicts(runs, names):
    """Of many runs the verdicts alone, a narrow column for each."""
    plt = pyplot()
    found = [{str(entry.get("name", "")): entry for entry in run.certificate_entries()} for run in runs]
    promises = list(dict.fromkeys(name for entries in found for name in entries))
    width = 2.2 + 0.28 * len(runs)
    figure, axes = plt.subplots(figsize=(width, 0.3 * (len(promises) + 1) + 1.6))
    axes.axis("off")
    axes.set_xlim(0.0, width)
    axes.set_ylim(len(promises) + 0.6, -5.0)
    for k, name in enumerate(names):
        axes.text(2.3 + 0.28 * k, -0.1, name if len(name) < 28 else name[:26] + "…", rotation=90, fontsize=8, ha="center", va="bottom")
    for i, promise in enumerate(promises):
        axes.axhline(i, color="0.85", linewidth=0.7)
        axes.text(0.0, i + 0.5, promise.replace("_", " "), fontsize=9.5, va="center")
        for k, entries in enumerate(found):
            text, ink = VERDICTS.get(str(entries.get(promise, {}).get("verdict")), ("–", "0.35"))
            axes.text(2.3 + 0.28 * k, i + 0.5, text[0], fontsize=9.5, ha="center", va="center", color=ink)
    return figure


def figures(runs):
    units = one_units(runs)
    looks = Looks(runs, names_of(runs))
    yield "compare-energy", draw_energies(runs, looks, units)
    yield from contacts(runs, looks, units)
    yield from motions(runs, looks, units)
    levels = plot_levels.compare(runs, looks, units)
    if levels:
        finish(levels[0], looks, levels[1][-1], units)
        yield "compare-levels", levels[0]
    if any(run.certificate_entries() for run in runs):
        draw = draw_certificates if len(runs) <= FEW else draw_verdicts
        yield "compare-certificate", draw(runs, looks.names)

"""Rigid bodies: how they move, what happens at their contacts, and the energies of the whole system, panels (a) to (f) of
figures 2, 3, 5 and 6 of Acary and Collins-Craft (2024)."""

import sys

import numpy as np

from percuss import Problem
from percuss_drawing import COLOURS, legend_right, line, plain, pyplot, thinned, title_of

MOST_BODIES = 12  # pictures of single bodies
MOST_PATHS = 200  # lines in one picture
MOST_POINTS = 12  # more are not told apart
REST = 1e-9  # an angle, or a spin in a unit of time, below which a body does not turn
# contacts are told apart by colour and marker
CONTACTS = (("blue", "o"), ("red", "s"), ("green", "^"), ("purple", "D"), ("orange", "v"), ("sky", "P"))
FEW = 60  # up to so many impacts are drawn with markers


def columns(run, name, wanted):
    table = run.table(name)
    if table is None:
        return None
    missing = [column for column in wanted if column not in table]
    if missing:
        raise Problem(f"{run.folder}/{name}: no column {', '.join(missing)}")
    return table


def rows_of(table, chosen):
    return {name: values[chosen] for name, values in table.items()}


def candidates_of(contacts):
    """(label, rows) of each point that touched: the contact's name, with what tells its points apart; of many points those of each
    contact together."""
    keys = list(zip(contacts["contact"], contacts["body"], contacts["point"]))
    found = sorted(set(keys))
    if len(found) > MOST_POINTS:
        for contact in sorted(set(contacts["contact"])):
            yield plain(contact), rows_of(contacts, contacts["contact"] == contact)
        return
    several = len({body for _, body, _ in found}) > 1
    for key in found:
        contact, body, point = key
        shares = sum(other[0] == contact for other in found) > 1
        label = plain(contact) + (f", {plain(body)}" if several else "") + (f" {point:.0f}" if shares else "")
        yield label, rows_of(contacts, np.array([other == key for other in keys]))


def draw_motion(axes, velocity_axes, motion, time, units):
    """Lengths on the left axis, radians on the right one: they share neither unit nor size."""
    for panel, title, names, angle, labels in (
            (axes, "(a) coordinates", (("x", "$x$"), ("y", "$y$")), ("angle", "angle"),
             (units.label("$x$, $y$", "length"), "angle [rad]")),
            (velocity_axes, "(b) velocities", (("vx", "$v_x$"), ("vy", "$v_y$")), ("omega", "spin"),
             (units.label("$v_x$, $v_y$", "velocity"), "spin [rad" + unit_below(units) + "]"))):
        panel.set_title(title)
        turned = panel.twinx()
        turned.spines["right"].set_visible(True)
        turned.grid(False)
        for (column, label), colour, dash in zip(names, ("blue", "red"), ("-", "--")):
            line(panel, motion["t"], motion[column], label, colour, linestyle=dash)
        line(turned, motion["t"], motion[angle[0]], angle[1], "green", linestyle="-.")
        turned.set_ylabel(labels[1], color=COLOURS["green"])
        turned.tick_params(axis="y", colors=COLOURS["green"])
        turned.yaxis.get_offset_text().set_horizontalalignment("left")  # not over the legend
        turned.yaxis.get_offset_text().set_color(COLOURS["green"])
        if np.max(np.abs(motion[angle[0]]), initial=0.0) <= REST:
            turned.set_ylim(-1.0, 1.0)
        panel.set_ylabel(labels[0])
        panel.set_xlabel(units.label("time"))
        panel.set_xlim(*time)
        handles = [handle for part in (panel, turned) for handle in part.get_legend_handles_labels()[0]]
        panel.legend(handles, [handle.get_label() for handle in handles], loc="lower right", ncol=3,
                     bbox_to_anchor=(1.0, 0.985), borderaxespad=0.2, handlelength=1.8, columnspacing=1.2)


def unit_below(units):
    """Per unit of time, after another unit."""
    unit = units.of("time")
    return "" if units.none else f"/{unit}" if unit else " per case unit"


def contact_style(number):
    colour, marker = CONTACTS[int(number) % len(CONTACTS)]
    return COLOURS[colour], marker


def impacts(values):
    """Which of them stand out: a persistent contact has small values at every step, impacts have large ones."""
    size = np.abs(values)
    return size > 0.05 * np.max(size, initial=0.0)


def stems(axes, t, values, colour, marker="o", label=None):
    """Lines from zero, with markers on those that stand out unless they are many."""
    large = impacts(values)
    if np.count_nonzero(large) > FEW:
        large[:] = False
    rest = thinned(t[~large], values[~large])
    axes.vlines(rest[0], 0.0, rest[1], colors=colour, linewidth=0.6)
    axes.vlines(t[large], 0.0, values[large], colors=colour, linewidth=1.4)
    axes.plot(t[large], values[large], marker if np.any(large) else "-", markersize=4.5, color=colour, label=label)


def pair(figure, grid, row, column, title, time, units):
    """Two panels one above the other under one title, with one axis of time."""
    upper = figure.add_subplot(grid[row, column])
    lower = figure.add_subplot(grid[row + 1, column], sharex=upper)
    upper.set_title(title)
    upper.tick_params(labelbottom=False)
    lower.set_xlabel(units.label("time"))
    upper.set_xlim(*time)
    for axes in (upper, lower):
        axes.axhline(0.0, color="0.7", linewidth=0.7, zorder=0)
        axes.margins(y=0.15)
    return upper, lower


def draw_velocities(upper, lower, contacts, candidates, units):
    """Before and after at the impacts, after at the other steps."""
    fastest = max(np.max(np.abs(contacts[f"u_{kind}_{when}"])) for kind in "nt" for when in ("before", "after"))
    for axes, kind in ((upper, "n"), (lower, "t")):
        for number, (label, rows) in enumerate(candidates):
            colour, marker = contact_style(number)
            large = impacts(rows["p_n"])
            if np.count_nonzero(large) > FEW:
                large[:] = False
            t, before, after = rows["t"], rows[f"u_{kind}_before"], rows[f"u_{kind}_after"]
            axes.plot(*thinned(t[~large], after[~large]), ".", markersize=2.0, color=colour,
                      label=None if np.any(large) else label)
            axes.vlines(t[large], before[large], after[large], colors=colour, linewidth=0.9, alpha=0.6)
            axes.plot(t[large], before[large], marker, markersize=4.5, color=colour, markerfacecolor="white")
            if np.any(large):
                axes.plot(t[large], after[large], marker, markersize=4.5, color=colour, label=label)
        axes.set_ylabel(units.label(f"$u_{{\\mathrm{{{kind.upper()}}}}}$", "velocity"))
        low, high = axes.get_ylim()
        least = 1e-6 * fastest  # below this: rounding and contact error, drawn as zero
        if max(abs(low), abs(high)) < least:
            axes.set_ylim(-least, least)
    legend_right(upper)
    upper.text(1.0, 1.02, "○ before, ● after", transform=upper.transAxes, ha="right", va="bottom",
               fontsize=7.5, color="0.4")


def draw_percussions(upper, lower, candidates, units):
    for axes, kind in ((upper, "n"), (lower, "t")):
        for number, (label, rows) in enumerate(candidates):
            colour, marker = contact_style(number)
            stems(axes, rows["t"], rows[f"p_{kind}"], colour, marker, label)
        axes.set_ylabel(units.label(f"$p_{{\\mathrm{{{kind.upper()}}}}}$", "percussion"))
    legend_right(upper)


def draw_works(upper, lower, contacts, small, units):
    """Normal works above; tangential ones below, those that give energy in a colour and marker of their own."""
    t = contacts["t"]
    for axes, column, ylabel, losing, giving in ((upper, "work_n", "normal", "purple", "orange"),
                                                 (lower, "work_t", "tangential", "blue", "red")):
        work = contacts[column]
        for chosen, colour, marker, label in ((work < -small, losing, "v", "taken"),
                                              (work > small, giving, "^", "given")):
            count = int(np.count_nonzero(chosen))
            if count:
                stems(axes, t[chosen], work[chosen], COLOURS[colour], marker,
                      f"{label}: {count}×\nlargest {np.max(np.abs(work[chosen])):.3g}")
        zero = np.abs(work) <= small
        count = int(np.count_nonzero(zero))
        if count:
            axes.plot(*thinned(t[zero], np.zeros(count)), "o", color=COLOURS["grey"],
                      markersize=3.0 if count <= FEW else 1.0, label=f"zero: {count}×")
        if np.all(zero):
            axes.set_ylim(-1.0, 1.0)
            axes.set_yticks([0.0])
        axes.set_ylabel(units.label(ylabel, "energy"))
        legend_right(axes)


def draw_energies(upper, lower, energy, units):
    t = energy["t"]
    potential = -energy["work_external"] - energy.get("driven", 0.0)
    total = energy["kinetic"] + energy["elastic"] + potential
    line(upper, t, energy["kinetic"], "kinetic", "blue")
    line(upper, t, potential, "potential*", "orange", linestyle="--")
    if np.any(energy["elastic"]):
        line(upper, t, energy["elastic"], "elastic", "green", linestyle="-.")
    line(upper, t, total, "total", "black", linewidth=1.8)
    upper.set_ylabel(units.label("energy"))
    legend_right(upper)
    lower.set_ylabel(units.label("change", "energy"))
    change = total - total[0]
    scale = max(np.max(np.abs(energy["kinetic"])), np.max(np.abs(potential)), 1e-300)
    rises = np.diff(change, prepend=change[0]) > 1e-10 * scale
    if np.max(np.abs(change)) <= 1e-10 * scale:
        lower.set_ylim(-1e-10 * scale, 1e-10 * scale)
    line(lower, t, change, None, "black", linewidth=1.4)
    if np.any(rises):
        lower.plot(t[rises], change[rises], "^", color=COLOURS["red"], markersize=4.5 if np.count_nonzero(rises) <= FEW
                   else 2.0, label=f"rises: {np.count_nonzero(rises)}×")
        legend_right(lower)


def time_axis(t):
    end = t[-1] if t[-1] > t[0] else t[0] + 1.0
    return t[0] - 0.02 * (end - t[0]), end + 0.02 * (end - t[0])


def draw_system(figure, grid, row, letters, run, contacts):
    """From this row of the grid on: contact velocities, percussions, their works, and the energies."""
    titles = ("velocities at the contacts", "percussions", "work of the percussions", "energies")
    energy, units = run.energy, run.units
    pairs = [pair(figure, grid, row + 2 * (i // 2), i % 2, f"({letters[i]}) {titles[i]}", time_axis(energy["t"]),
                  units) for i in range(4)]
    draw_energies(*pairs[3], energy, units)
    pairs[3][0].text(1.0, 1.02, "*minus works of loads and obstacles", transform=pairs[3][0].transAxes,
                     ha="right", va="bottom", fontsize=7.5, color="0.4")
    if contacts is None or len(contacts["t"]) == 0:
        for upper, lower in pairs[:3]:
            upper.text(0.5, 0.6, "no contact yet" if contacts is not None else "not recorded",
                       transform=upper.transAxes, ha="center", color="0.4")
            upper.set_yticks([])
            lower.set_yticks([])
        return
    candidates = list(candidates_of(contacts))
    draw_velocities(*pairs[0], contacts, candidates, units)
    draw_percussions(*pairs[1], candidates, units)
    draw_works(*pairs[2], contacts, run.unexplained_work(), units)
    figure.align_ylabels([axes for axes in figure.axes if axes.get_subplotspec()])


def paths(run, bodies, names, time):
    """Where all bodies are over time, in one picture; of those on a line the direction that they do not move in is left out."""
    moving = [name for name in ("x", "y") if np.ptp(bodies[name]) > 0.0] or ["x"]
    figure, panels = pyplot().subplots(1, len(moving), figsize=(5.5 * len(moving) + 1.0, 5.0), squeeze=False)
    for axes, name in zip(panels[0], moving):
        for k, body in enumerate(names):
            chosen = bodies["body"] == body
            colour, _ = contact_style(k)
            axes.plot(*thinned(bodies["t"][chosen], bodies[name][chosen]), color=colour, linewidth=0.9,
                      label=plain(body) if len(names) <= MOST_BODIES else None)
        axes.set_xlim(*time)
        axes.set_xlabel(run.units.label("time"))
        axes.set_ylabel(run.units.label(f"${name}$", "length"))
    if len(names) <= MOST_BODIES:
        legend_right(panels[0][-1])
    title_of(figure, run)
    return figure


def figures(run):
    """bodies and, of several bodies, paths and bodies-NUMBER; nothing for runs on a mesh, or in space."""
    if run.bodies is not None and "qw" in run.bodies:
        return
    bodies = columns(run, "bodies.csv", ("t", "body", "x", "y", "angle", "vx", "vy", "omega"))
    if bodies is None or len(bodies["t"]) == 0:
        return
    contacts = columns(run, "contacts.csv", ("t", "contact", "body", "point", "u_n_before", "u_t_before", "u_n_after", "u_t_after",
                                             "p_n", "p_t", "work_n", "work_t"))
    plt = pyplot()
    names, time = list(dict.fromkeys(bodies["body"])), time_axis(bodies["t"])
    if len(names) == 1:
        figure = plt.figure(figsize=(11.0, 9.6))
        grid = figure.add_gridspec(6, 2)
        draw_motion(figure.add_subplot(grid[:2, 0]), figure.add_subplot(grid[:2, 1]), bodies, time, run.units)
        draw_system(figure, grid, 2, "cdef", run, contacts)
    else:
        figure = plt.figure(figsize=(11.0, 6.8))
        draw_system(figure, figure.add_gridspec(4, 2), 0, "abcd", run, contacts)
    title_of(figure, run)
    yield "bodies", figure
    if len(names) == 1:
        return
    if len(names) <= MOST_PATHS:
        yield "paths", paths(run, bodies, names, time)
    for number, name in enumerate(names[:MOST_BODIES]):
        figure, panels = plt.subplots(1, 2, figsize=(11.0, 3.5))
        draw_motion(*panels, rows_of(bodies, bodies["body"] == name), time, run.units)
        title_of(figure, run, f", {plain(name)}")
        yield f"bodies-{number}", figure
    if len(names) > MOST_BODIES:
        print(f"{run.folder}: pictures of the first {MOST_BODIES} of {len(names)} bodies only", file=sys.stderr)

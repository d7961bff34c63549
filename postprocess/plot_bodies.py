"""Pictures of rigid bodies: how they move, what happens at their contacts, and the energies of the whole system."""

import os
import sys

import numpy as np

from percuss_files import COLOURS, Problem, line, pyplot, read_table, thinned, unexplained_work

MOST_BODIES = 12  # pictures of single bodies
# contacts are told apart by colour and marker
CONTACTS = (("blue", "o"), ("red", "s"), ("green", "^"), ("purple", "D"), ("orange", "v"), ("sky", "P"))
FEW = 60  # up to so many impacts are drawn with markers


def columns(folder, name, wanted):
    table = read_table(folder, name)
    if table is None:
        return None
    missing = [column for column in wanted if column not in table]
    if missing:
        raise Problem(f"{folder}/{name}: no column {', '.join(missing)}")
    return table


def rows_of(table, column, number):
    chosen = table[column] == number
    return {name: values[chosen] for name, values in table.items()}


def title_of(figure, folder, rest=""):
    figure.suptitle(os.path.basename(os.path.abspath(folder)) + rest, x=0.01, ha="left", fontsize=12)


def legend(axes, **options):
    """Outside, to the right: it never covers a curve."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.03), borderaxespad=0.3, handlelength=1.6, **options)


def draw_motion(axes, velocity_axes, motion, time):
    axes.set_title("(a) generalised coordinates")
    velocity_axes.set_title("(b) generalised velocities")
    for panel, names in ((axes, (("x", "$x$"), ("y", "$y$"), ("angle", "angle"))),
                         (velocity_axes, (("vx", "$v_x$"), ("vy", "$v_y$"), ("omega", "spin")))):
        for (column, label), colour, dash in zip(names, ("blue", "red", "green"), ("-", "--", "-.")):
            line(panel, motion["t"], motion[column], label, colour, linestyle=dash)
        panel.axhline(0.0, color="0.7", linewidth=0.7, zorder=0)
        panel.set_xlabel("time")
        panel.set_xlim(*time)
        legend(panel)
    axes.set_ylabel("length; angle in radians")
    velocity_axes.set_ylabel("velocity; radians per time")


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


def pair(figure, grid, row, column, title, time):
    """Two panels one above the other under one title, with one axis of time."""
    upper = figure.add_subplot(grid[row, column])
    lower = figure.add_subplot(grid[row + 1, column], sharex=upper)
    upper.set_title(title)
    upper.tick_params(labelbottom=False)
    lower.set_xlabel("time")
    upper.set_xlim(*time)
    for axes in (upper, lower):
        axes.axhline(0.0, color="0.7", linewidth=0.7, zorder=0)
        axes.margins(y=0.15)
    return upper, lower


def draw_velocities(upper, lower, contacts, numbers):
    """Before and after at the impacts, after at the other steps."""
    fastest = max(np.max(np.abs(contacts[f"u_{kind}_{when}"])) for kind in "nt" for when in ("before", "after"))
    for axes, kind in ((upper, "n"), (lower, "t")):
        for number in numbers:
            rows = rows_of(contacts, "contact", number)
            colour, marker = contact_style(number)
            large = impacts(rows["p_n"])
            if np.count_nonzero(large) > FEW:
                large[:] = False
            t, before, after = rows["t"], rows[f"u_{kind}_before"], rows[f"u_{kind}_after"]
            axes.plot(*thinned(t[~large], after[~large]), ".", markersize=2.0, color=colour,
                      label=None if np.any(large) else f"contact {number:.0f}")
            axes.vlines(t[large], before[large], after[large], colors=colour, linewidth=0.9, alpha=0.6)
            axes.plot(t[large], before[large], marker, markersize=4.5, color=colour, markerfacecolor="white")
            if np.any(large):
                axes.plot(t[large], after[large], marker, markersize=4.5, color=colour,
                          label=f"contact {number:.0f}")
        axes.set_ylabel(f"$u_{{\\mathrm{{{kind.upper()}}}}}$")
        low, high = axes.get_ylim()
        least = 1e-6 * fastest  # below this: rounding and contact error, drawn as zero
        if max(abs(low), abs(high)) < least:
            axes.set_ylim(-least, least)
    legend(upper)
    upper.text(1.0, 1.02, "hollow: before, filled: after", transform=upper.transAxes, ha="right", va="bottom",
               fontsize=7.5, color="0.4")


def draw_percussions(upper, lower, contacts, numbers):
    for axes, kind in ((upper, "n"), (lower, "t")):
        for number in numbers:
            rows = rows_of(contacts, "contact", number)
            colour, marker = contact_style(number)
            stems(axes, rows["t"], rows[f"p_{kind}"], colour, marker, f"contact {number:.0f}")
        axes.set_ylabel(f"$p_{{\\mathrm{{{kind.upper()}}}}}$")
    legend(upper)


def draw_works(upper, lower, contacts, small):
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
        axes.set_ylabel(ylabel)
        legend(axes)


def draw_energies(upper, lower, energy):
    t = energy["t"]
    potential = -energy["work_external"]
    total = energy["kinetic"] + energy["elastic"] + potential
    line(upper, t, energy["kinetic"], "kinetic", "blue")
    line(upper, t, potential, "potential*", "orange", linestyle="--")
    if np.any(energy["elastic"]):
        line(upper, t, energy["elastic"], "elastic", "green", linestyle="-.")
    line(upper, t, total, "total", "black", linewidth=1.8)
    upper.set_ylabel("energy")
    legend(upper)
    lower.set_ylabel("change of total")
    change = total - total[0]
    scale = max(np.max(np.abs(energy["kinetic"])), np.max(np.abs(potential)), 1e-300)
    rises = np.diff(change, prepend=change[0]) > 1e-10 * scale
    if np.max(np.abs(change)) <= 1e-10 * scale:
        lower.set_ylim(-1e-10 * scale, 1e-10 * scale)
    line(lower, t, change, None, "black", linewidth=1.4)
    if np.any(rises):
        lower.plot(t[rises], change[rises], "^", color=COLOURS["red"], markersize=4.5 if np.count_nonzero(rises) <= FEW
                   else 2.0, label=f"rises: {np.count_nonzero(rises)}×")
        legend(lower)


def time_axis(t):
    end = t[-1] if t[-1] > t[0] else t[0] + 1.0
    return t[0] - 0.02 * (end - t[0]), end + 0.02 * (end - t[0])


def draw_system(figure, grid, row, letters, energy, contacts):
    """From this row of the grid on: contact velocities, percussions, their works, and the energies."""
    titles = ("velocities at the contacts", "percussions", "work of the percussions", "energies")
    pairs = [pair(figure, grid, row + 2 * (i // 2), i % 2, f"({letters[i]}) {titles[i]}", time_axis(energy["t"]))
             for i in range(4)]
    draw_energies(*pairs[3], energy)
    pairs[3][0].text(1.0, 1.02, "*minus the work of gravity and other loads", transform=pairs[3][0].transAxes,
                     ha="right", va="bottom", fontsize=7.5, color="0.4")
    if contacts is None or len(contacts["t"]) == 0:
        for upper, lower in pairs[:3]:
            upper.text(0.5, 0.6, "no contact yet" if contacts is not None else "not recorded",
                       transform=upper.transAxes, ha="center", color="0.4")
            upper.set_yticks([])
            lower.set_yticks([])
        return
    numbers = np.unique(contacts["contact"])
    draw_velocities(*pairs[0], contacts, numbers)
    draw_percussions(*pairs[1], contacts, numbers)
    draw_works(*pairs[2], contacts, unexplained_work(energy))


def figures(folder, energy):
    """(file name, figure) for a run of rigid bodies; nothing for other runs."""
    bodies = columns(folder, "bodies.csv", ("t", "body", "x", "y", "angle", "vx", "vy", "omega"))
    if bodies is None or len(bodies["t"]) == 0:
        return
    contacts = columns(folder, "contacts.csv", ("t", "contact", "u_n_before", "u_t_before", "u_n_after", "u_t_after",
                                                "p_n", "p_t", "work_n", "work_t"))
    plt = pyplot()
    numbers = np.unique(bodies["body"])
    if len(numbers) == 1:
        figure = plt.figure(figsize=(11.0, 9.6))
        grid = figure.add_gridspec(6, 2)
        draw_motion(figure.add_subplot(grid[:2, 0]), figure.add_subplot(grid[:2, 1]), bodies, time_axis(bodies["t"]))
        draw_system(figure, grid, 2, "cdef", energy, contacts)
    else:
        figure = plt.figure(figsize=(11.0, 6.8))
        draw_system(figure, figure.add_gridspec(4, 2), 0, "abcd", energy, contacts)
    title_of(figure, folder)
    yield "bodies.png", figure
    if len(numbers) == 1:
        return
    for number in numbers[:MOST_BODIES]:
        figure, panels = plt.subplots(1, 2, figsize=(11.0, 3.5))
        draw_motion(*panels, rows_of(bodies, "body", number), time_axis(bodies["t"]))
        title_of(figure, folder, f", body {number:.0f}")
        yield f"bodies-{number:.0f}.png", figure
    if len(numbers) > MOST_BODIES:
        print(f"{folder}: pictures of the first {MOST_BODIES} of {len(numbers)} bodies only", file=sys.stderr)

"""Grains: their energies and neighbours over time, how forces are distributed, and profiles over strips."""

import numpy as np

from percuss import Problem, loss_name
from percuss_drawing import COLOURS, legend_right, line, plain, pyplot, title_of

NEEDED = {
    "grains.csv": ("t", "group", "bodies", "kinetic_translation", "kinetic_rotation", "work_external", "work_contact_normal",
                   "work_contact_tangential", "coordination", "coordination_carried", "rattlers"),
    "grain-forces.csv": ("t", "force_mean", "from", "to", "count"),
    "strips.csv": ("t", "strip", "column", "from", "to", "solid_fraction", "velocity_t", "stress_nn", "stress_nt", "stress_tt"),
}
LINES = (("black", "-"), ("blue", "--"), ("red", "-."), ("green", ":"), ("purple", "--"), ("orange", "-."), ("sky", ":"))
PROFILES = 5  # times that are drawn, the last among them


def columns(run, name):
    table = run.table(name)
    if table is None or len(table.get("t", ())) == 0:
        return None
    missing = [column for column in NEEDED[name] if column not in table]
    if missing:
        raise Problem(f"{run.folder}/{name}: no column {', '.join(missing)}")
    return table


def rows_of(table, chosen):
    return {name: values[chosen] for name, values in table.items()}


def groups_of(grains):
    """(label, rows) of all grains and of each set, as many as can be told apart."""
    names = list(dict.fromkeys(grains["group"]))
    for name in names[:len(LINES)]:
        yield plain(name) if name else "all", rows_of(grains, grains["group"] == name)


def draw_groups(axes, grains, values, units, quantity=None, label=""):
    """One curve a group; a set that is all there is only once."""
    groups = list(groups_of(grains))
    groups = groups[:1] if len(groups) == 2 and np.array_equal(groups[0][1]["bodies"], groups[1][1]["bodies"]) else groups
    for (name, rows), (colour, dash) in zip(groups, LINES):
        line(axes, rows["t"], values(rows), name, colour, linestyle=dash)
    axes.set_xlabel(units.label("time"))
    axes.set_ylabel(units.label(label, quantity) if quantity else label)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    return len(groups)


def draw_coordination(axes, grains, units):
    rows = next(groups_of(grains))[1]
    line(axes, rows["t"], rows["coordination"], "all grains", "black")
    line(axes, rows["t"], rows["coordination_carried"], "without rattlers", "blue", linestyle="--")
    axes.set_xlabel(units.label("time"))
    axes.set_ylabel("neighbours that carry")
    axes.set_ylim(bottom=0.0)
    legend_right(axes)


def density_of(rows):
    """Middles of the bins but the last, which has no end, and the share of forces in each over its width."""
    width, total = rows["to"][0] - rows["from"][0], np.sum(rows["count"])
    return 0.5 * (rows["from"] + rows["to"])[:-1], rows["count"][:-1] / (total * width)


def draw_forces(axes, forces):
    """The last output, and the mean of the second half of all."""
    times = np.unique(forces["t"])
    last = rows_of(forces, forces["t"] == times[-1])
    axes.step(last["from"], np.append(density_of(last)[1], np.nan), where="post", color=COLOURS["grey"],
              label=f"t = {times[-1]:.4g}")
    later = [rows_of(forces, forces["t"] == t) for t in times[len(times) // 2:]]
    if len(later) > 1:
        mean = np.mean([density_of(rows)[1] for rows in later], axis=0)
        axes.plot(density_of(last)[0][mean > 0.0], mean[mean > 0.0], "o", markersize=3.0, color=COLOURS["red"],
                  label=f"mean of {len(later)} outputs\nfrom t = {times[len(times) // 2]:.4g}")
    axes.set_yscale("log")
    axes.set_xlabel("normal force / mean")
    axes.set_ylabel("probability density")
    legend_right(axes)


def draw_grains(run, grains, forces):
    figure, panels = pyplot().subplots(2, 2, figsize=(11.0, 6.8))
    title_of(figure, run, ", grains")
    units = run.units
    panels[0][0].set_title("(a) kinetic energy")
    several = draw_groups(panels[0][0], grains, lambda g: g["kinetic_translation"] + g["kinetic_rotation"], units, "energy",
                          "kinetic energy")
    if several > 1:
        legend_right(panels[0][0])
    panels[0][1].set_title("(b) coordination number")
    draw_coordination(panels[0][1], grains, units)
    panels[1][0].set_title("(c) works so far")
    rows = next(groups_of(grains))[1]
    for name, label, (colour, dash) in (("work_external", "loads", LINES[1]), ("work_contact_normal", "contacts, normal", LINES[2]),
                                        ("work_contact_tangential", "contacts, tangential", LINES[3])):
        line(panels[1][0], rows["t"], rows[loss_name(rows, name)], label, colour, linestyle=dash)
    panels[1][0].set_xlabel(units.label("time"))
    panels[1][0].set_ylabel(units.label("work", "energy"))
    legend_right(panels[1][0])
    panels[1][1].set_title("(d) normal forces")
    if forces is None:
        panels[1][1].text(0.5, 0.6, "none yet", transform=panels[1][1].transAxes, ha="center", color="0.4")
    else:
        draw_forces(panels[1][1], forces)
    return figure


def profile(strips, time, name):
    """(middles of the strips, means over their columns) at a time."""
    rows = rows_of(strips, strips["t"] == time)
    numbers = np.unique(rows["strip"])
    middle = 0.5 * (rows["from"] + rows["to"])
    return (np.array([middle[rows["strip"] == k][0] for k in numbers]),
            np.array([np.mean(rows[name][rows["strip"] == k]) for k in numbers]))


def draw_strips(run, strips):
    """Profiles along n at several times, the last one black, and stresses at the last."""
    figure, panels = pyplot().subplots(1, 3, figsize=(11.0, 4.4), sharey=True)
    title_of(figure, run, ", strips")
    units, times = run.units, np.unique(strips["t"])
    shown = times[np.unique(np.linspace(0, len(times) - 1, min(PROFILES, len(times))).round().astype(int))]
    for axes, name, title, label in ((panels[0], "velocity_t", "(a) velocity along t", units.label("velocity")),
                                     (panels[1], "solid_fraction", "(b) solid fraction", "solid fraction")):
        for k, time in enumerate(shown):
            n, values = profile(strips, time, name)
            last = k + 1 == len(shown)
            axes.plot(values, n, "o-", markersize=3.0, color="black" if last else pyplot().get_cmap("viridis")(k / len(shown)),
                      label=f"t = {units.value(time, 'time')}")
        axes.set_title(title)
        axes.set_xlabel(label)
    panels[0].set_ylabel(units.label("place along n", "length"))
    panels[1].set_xlim(left=0.0)
    panels[1].legend(loc="best")
    for name, label, colour, mark in (("stress_nn", "nn", "blue", "o"), ("stress_tt", "tt", "green", "s"), ("stress_nt", "nt", "red", "^")):
        n, values = profile(strips, times[-1], name)
        panels[2].plot(values, n, mark + "-", markersize=3.0, color=COLOURS[colour], label=label)
    panels[2].set_title(f"(c) stress, t = {units.value(times[-1], 'time')}")
    panels[2].set_xlabel(units.label("stress, positive in compression", "stress"))
    panels[2].legend(loc="best")
    return figure


def figures(run):
    """grains and, with strips, strips; nothing where grains were not measured."""
    grains, strips = columns(run, "grains.csv"), columns(run, "strips.csv")
    if grains is not None:
        yield "grains", draw_grains(run, grains, columns(run, "grain-forces.csv"))
    if strips is not None:
        yield "strips", draw_strips(run, strips)

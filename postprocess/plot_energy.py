#!/usr/bin/python3
"""Pictures of runs, finished or running: energy.png, contact.png and, of rigid bodies, bodies.png in each folder.

Usage: plot_energy.py DIR...

energy.png  (a) energies; (b) works, and their sum against the total energy; (c) the largest and (d) the smallest
            tangential work of a contact at each step. (c) tells whether friction ever gave energy.
contact.png active, sticking and sliding contacts; contact forces; the residual of the energy balance; the contact
            error.
bodies.png  of rigid bodies: coordinates, velocities, and velocities, percussions and works at the contacts, energies.
            Several bodies: coordinates and velocities in one bodies-NUMBER.png for each, the rest in bodies.png.
"""

import os
import sys

sys.dont_write_bytecode = True
import numpy as np

import plot_bodies
from percuss_files import (COLOURS, certificate_entries, energy_scale, line, pyplot, read_energy, read_record,
                           read_table, run_main, thinned, unexplained_work)


def verdict_on(certificate, word):
    for entry in certificate_entries(certificate):
        if word in str(entry.get("name", "")).lower():
            return str(entry.get("verdict", ""))
    return ""


def draw_tangential_work(axes, t, work, small, top, colour, room=0.0):
    """Work of one sign, up to `top`, on a logarithmic scale; a grey band at zero is what is below `small`.

    `room`: the part of the axis left free for a text.
    """
    y = np.abs(work)
    axes.axhspan(0.0, small, color="0.9", zorder=0, linewidth=0)
    above = y > small
    x, v = thinned(t, np.where(above, y, 0.0))
    few = 0 < np.count_nonzero(above) <= 60
    axes.plot(x, v, ".", markersize=2.5, color=COLOURS[colour])
    if few:
        axes.plot(t[above], y[above], "o", markersize=4.0, color=COLOURS[colour])
    axes.set_yscale("symlog", linthresh=small, linscale=0.5)
    axes.set_ylim(0.0, 5.0 * top * (top / small) ** room)
    decades = np.arange(np.ceil(np.log10(small)), np.ceil(np.log10(5.0 * top)))
    axes.set_yticks([0.0] + list(10.0 ** decades[::max(1, int(np.ceil(len(decades) / 6)))]))
    axes.minorticks_off()
    axes.set_xlabel("time")
    axes.set_ylabel("energy")
    axes.text(0.995, 0.012, "grey: rounding and contact error", transform=axes.transAxes, ha="right", va="bottom",
              fontsize=7, color="0.4")
    return int(np.count_nonzero(above))


def draw_energy(folder, energy, certificate):
    plt = pyplot()
    t = energy["t"]
    total = energy["kinetic"] + energy["elastic"]
    figure, ((a, b), (c, d)) = plt.subplots(2, 2, figsize=(10.0, 7.2), sharex=True)
    figure.suptitle(os.path.basename(os.path.abspath(folder)), x=0.01, ha="left", fontsize=12)

    a.set_title("(a) energies")
    if np.any(energy["elastic"]):
        line(a, t, total, "total", "black")
        line(a, t, energy["kinetic"], "kinetic", "blue")
        line(a, t, energy["elastic"], "elastic", "orange")
    else:
        line(a, t, energy["kinetic"], "kinetic = total (none elastic)", "blue")

    b.set_title("(b) works and dissipation, cumulative")
    tiny = 1e-12 * energy_scale(energy)
    balance = np.full_like(t, total[0])
    line(b, t, total, "total energy", "grey", linewidth=4.0, alpha=0.6)
    for column, label, colour, always in (
            ("work_external", "external", "blue", True), ("work_contact_normal", "contact, normal", "purple", True),
            ("work_contact_tangential", "contact, tangential", "red", True),
            ("work_damping", "damping", "green", False),
            ("dissipation_numerical", "numerical", "sky", False)):
        if column not in energy:
            continue
        balance = balance + energy[column]
        if always or np.max(np.abs(energy[column])) > tiny:
            line(b, t, energy[column], label, colour)
    line(b, t, balance, "initial energy + all of these", "black", linestyle="--")

    for axes in (a, b):
        axes.set_ylabel("energy")
        low, high = axes.get_ylim()
        axes.set_ylim(low, high + 0.25 * (high - low))  # room for the legend
        axes.legend(loc="upper left", ncol=2 if axes is b else 3)
        axes.tick_params(labelbottom=True)
        axes.set_xlabel("time")

    small = unexplained_work(energy)
    gains = np.maximum(energy["tangential_work_max"], 0.0)
    losses = np.minimum(energy["tangential_work_min"], 0.0)
    top = max(np.max(gains), -np.min(losses), 1e4 * small)
    positive = draw_tangential_work(c, t, gains, small, top, "red", room=0.17)
    verdict = verdict_on(certificate, "tangential")
    if positive:
        where = int(np.argmax(gains))
        found = f"in {positive} of {len(t) - 1} steps, at most {gains[where]:.2g} at t = {t[where]:.4g}"
    else:
        found = f"none above {small:.1g}"
    found += f"\ncertificate: {verdict}" if verdict else ""
    c.set_title("(c) largest positive tangential work of a contact")
    c.text(0.01, 0.98, found, transform=c.transAxes, va="top", fontsize=8.5, in_layout=False,
           bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5})

    draw_tangential_work(d, t, losses, small, top, "blue")
    d.set_title("(d) smallest (negative) tangential work of a contact")
    d.invert_yaxis()
    d.yaxis.set_major_formatter(lambda y, _: "0" if y == 0 else rf"$-10^{{{round(np.log10(y))}}}$")
    d.texts[0].set_position((0.995, 0.9))
    return figure


def flips(y):
    """Does the curve go up and down again so often that a line would be a band?"""
    change = np.diff(y)
    return len(y) > 400 and np.mean(change[1:] * change[:-1] < 0.0) > 0.1


def running_mean(t, y):
    """Means over about a 150th of the curve, over even numbers of steps: those that flip every step leave no trace."""
    n, half = len(y), max(10, len(y) // 300)
    sums = np.concatenate([[0.0], np.cumsum(y)])

    def mean_from(begin):
        first, last = np.clip(begin, 0, n - 1), np.clip(begin + 2 * half, 1, n)
        return (sums[last] - sums[first]) / (last - first)

    return t, 0.5 * (mean_from(np.arange(n) - half) + mean_from(np.arange(n) - half + 1))


def draw_counts(axes, t, curves, **style):
    """Curves (values, label, colour, width); of those that flip the steps pale and a running mean over them."""
    pale = [flips(values) for values, *_ in curves]
    for (values, label, colour, width), band in zip(curves, pale):
        if band:
            line(axes, t, values, None, colour, linewidth=0.3, alpha=0.25)
        else:
            line(axes, t, values, label, colour, linewidth=width, **style)
    for (values, label, colour, width), band in zip(curves, pale):
        if band:
            line(axes, *running_mean(t, values), label, colour, linewidth=max(1.4, width))
    return any(pale)


def draw_contact(folder, energy, forces, run):
    plt = pyplot()
    t = energy["t"]
    normal = [name for name in forces or {} if "normal" in name.lower()]
    tangential = [name for name in forces or {} if "tangential" in name.lower()]
    rows = 4 if normal or tangential else 3
    figure, panels = plt.subplots(rows, 1, figsize=(8.0, 2.2 * rows + 0.4), sharex=True)
    panels = list(panels)
    figure.suptitle(os.path.basename(os.path.abspath(folder)), x=0.01, ha="left", fontsize=12)

    axes = panels.pop(0)
    curves = [(energy[column], column, colour, width) for column, colour, width in
              (("active", "grey", 2.5), ("sticking", "blue", 0.9), ("sliding", "red", 0.9)) if column in energy]
    mean = draw_counts(axes, t, curves, drawstyle="steps-post")
    axes.set_title("contacts" + (" (pale: each step; bold: running mean)" if mean else ""))
    axes.set_ylabel("number")
    axes.set_ylim(0.0, max(1.0, axes.get_ylim()[1]))
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))

    if rows == 4:
        axes = panels.pop(0)
        curves = [(forces[name], name, colours[i % 3], 0.9) for names, colours in
                  ((normal, ("blue", "sky", "green")), (tangential, ("red", "orange", "purple")))
                  for i, name in enumerate(names)]
        mean = draw_counts(axes, forces["t"], curves)
        axes.set_title("contact forces (" + ("pale: mean over a step; bold: running mean)" if mean
                                             else "mean over a step)"))
        axes.set_ylabel("force")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))

    axes = panels.pop(0)
    axes.set_title("residual of the energy balance, each step")
    axes.set_ylabel("|energy|")
    bound = 1e-11 * energy_scale(energy)
    if draw_logarithm(axes, t, energy.get("balance_residual"), "blue"):
        axes.axhline(bound, color=COLOURS["grey"], linestyle="--", label="bound")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))

    axes = panels.pop(0)
    axes.set_title("contact error, each step")
    axes.set_ylabel("no unit")
    tolerance = tolerance_of(run)
    if draw_logarithm(axes, t, energy.get("cone_error"), "purple") and tolerance:
        axes.axhline(tolerance, color=COLOURS["grey"], linestyle="--", label="tolerance")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes.set_xlabel("time")
    return figure


def draw_logarithm(axes, t, values, colour):
    """Points of |values| where they are not zero; says so when there are none."""
    y = np.abs(values) if values is not None else np.zeros(0)
    shown = y > 0.0
    if not np.any(shown):
        axes.text(0.5, 0.5, "zero throughout" if len(y) else "not recorded", transform=axes.transAxes, ha="center",
                  color="0.4")
        axes.set_yticks([])
        return False
    axes.set_yscale("log")
    axes.plot(*thinned(t[shown], y[shown]), ".", markersize=2.0 if np.count_nonzero(shown) > 60 else 6.0,
              color=COLOURS[colour])
    return True


def tolerance_of(run):
    """The contact tolerance in run.json, wherever its tolerances name it."""
    tolerances = run.get("tolerances") if isinstance(run, dict) else None
    for name, value in (tolerances.items() if isinstance(tolerances, dict) else ()):
        if ("cone" in name or "contact" in name) and isinstance(value, (int, float)) and 0 < value < 1e-2:
            return value
    return None


def write_pictures(folder):
    """Draws and writes all pictures; their paths."""
    energy = read_energy(folder)
    forces = read_table(folder, "forces.csv")
    certificate = read_record(folder, "certificate.json")
    run = read_record(folder, "run.json")
    paths = []
    for name, figure in (("energy.png", draw_energy(folder, energy, certificate)),
                         ("contact.png", draw_contact(folder, energy, forces, run)),
                         *plot_bodies.figures(folder, energy)):
        paths.append(os.path.join(folder, name))
        figure.savefig(paths[-1])
        pyplot().close(figure)
    return paths


def main():
    folders = sys.argv[1:]
    if folders in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if not folders or any(folder.startswith("-") for folder in folders):
        print("usage: plot_energy.py DIR...", file=sys.stderr)
        return 2
    for folder in folders:
        print("\n".join(write_pictures(folder)))
    return 0


if __name__ == "__main__":
    run_main(main)

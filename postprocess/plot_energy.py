"""The energies of a run: panels (a) to (d) of figures 9 and 10 of Acary and Collins-Craft (2024)."""

import numpy as np

from percuss import loss_name
from percuss_drawing import COLOURS, line, pyplot, thinned, title_of

WORKS = (("work_external", "external", "blue", True), ("work_contact_normal", "contact, normal", "purple", True),
         ("work_contact_tangential", "contact, tangential", "red", True),
         ("work_damping", "damping", "green", False), ("dissipation_numerical", "numerical", "sky", False),
         ("driven", "obstacles that move", "orange", False), ("work_boundary", "boundary", "grey", False), ("projection", "projection", "grey", False))


def draw_tangential_work(axes, units, t, work, small, top, colour, room=0.0):
    """Work of one sign, up to `top`, on a logarithmic scale; a grey band at zero is what is below `small`.

    `room`: the part of the axis left free for a text.
    """
    y = np.abs(work)
    axes.axhspan(0.0, small, color="0.9", zorder=0, linewidth=0)
    above = y > small
    x, v = thinned(t, np.where(above, y, 0.0))
    few = 0 < np.count_nonzero(above) <= 60
    axes.plot(x, v, ".", markersize=2.5, color=COLOURS[colour], rasterized=True)
    if few:
        axes.plot(t[above], y[above], "o", markersize=4.0, color=COLOURS[colour])
    axes.set_yscale("symlog", linthresh=small, linscale=0.5)
    axes.set_ylim(0.0, 5.0 * top * (top / small) ** room)
    decades = np.arange(np.ceil(np.log10(small)), np.ceil(np.log10(5.0 * top)))
    axes.set_yticks([0.0] + list(10.0 ** decades[::max(1, int(np.ceil(len(decades) / 6)))]))
    axes.minorticks_off()
    axes.set_xlabel(units.label("time"))
    axes.set_ylabel(units.label("energy"))
    axes.text(0.995, 0.012, "grey: rounding and contact error", transform=axes.transAxes, ha="right", va="bottom",
              fontsize=7, color="0.4")
    return int(np.count_nonzero(above))


def draw_energies(axes, energy, t):
    total = energy["kinetic"] + energy["elastic"]
    axes.set_title("(a) energies")
    if np.any(energy["elastic"]):
        line(axes, t, total, "total", "black")
        line(axes, t, energy["kinetic"], "kinetic", "blue", linestyle="--")
        line(axes, t, energy["elastic"], "elastic", "orange")
    else:
        line(axes, t, energy["kinetic"], "kinetic = total (none elastic)", "blue")


def draw_balance(axes, run, energy, t):
    """The works one by one, and their sum with the initial energy over the total energy."""
    total = energy["kinetic"] + energy["elastic"]
    tiny = 1e-12 * run.energy_scale()
    balance = np.full_like(t, total[0])
    axes.set_title("(b) works and dissipation, cumulative")
    line(axes, t, total, "total energy", "grey", linewidth=4.0, alpha=0.6)
    for name, label, colour, always in WORKS:
        column = loss_name(energy, name)
        if column not in energy:
            continue
        balance = balance + energy[column]
        if always or np.max(np.abs(energy[column])) > tiny:
            line(axes, t, energy[column], label, colour)
    line(axes, t, balance, "initial energy + all of these", "black", linestyle="--")


def draw_gains(axes, run, t, gains, small, top):
    positive = draw_tangential_work(axes, run.units, t, gains, small, top, "red", room=0.17)
    where, verdict = int(np.argmax(gains)), run.verdict("tangential")
    found = f"in {positive} of {len(t) - 1} steps, at most {gains[where]:.2g} at t = {t[where]:.4g}"
    found += f"\ncertificate: {verdict}" if verdict else ""
    axes.set_title("(c) largest positive tangential work of a contact")
    axes.text(0.01, 0.98, found, transform=axes.transAxes, va="top", fontsize=8.5, in_layout=False,
              bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5})


def draw_losses(axes, run, t, losses, small, top):
    draw_tangential_work(axes, run.units, t, losses, small, top, "blue")
    axes.set_title("(d) smallest (negative) tangential work of a contact")
    axes.invert_yaxis()
    axes.yaxis.set_major_formatter(lambda y, _: "0" if y == 0 else rf"$-10^{{{round(np.log10(y))}}}$")
    axes.texts[0].set_position((0.995, 0.9))


def figures(run):
    """Of gains and losses by friction those that there are; what there is nothing of is said in a line."""
    plt = pyplot()
    energy, small = run.energy, run.unexplained_work()
    t, verdict = energy["t"], run.verdict("tangential")
    gains = np.maximum(energy["tangential_work_max"], 0.0)
    losses = np.minimum(energy["tangential_work_min"], 0.0)
    top = max(np.max(gains), -np.min(losses), 1e4 * small)
    gained, lost = bool(np.any(gains > small)), bool(np.any(losses < -small))
    rows = ["ab"] + (["cd" if gained and lost else "cc" if gained else "dd"] if gained or lost else [])
    figure, panels = plt.subplot_mosaic("\n".join(rows), figsize=(10.0, 0.4 + 3.4 * len(rows)))
    title_of(figure, run)
    draw_energies(panels["a"], energy, t)
    draw_balance(panels["b"], run, energy, t)
    for letter in "ab":
        axes = panels[letter]
        axes.set_ylabel(run.units.label("energy"))
        low, high = axes.get_ylim()
        axes.set_ylim(low, high + 0.28 * (high - low))  # room for the legend
        axes.legend(loc="upper left", ncol=2 if letter == "b" else 3)
        axes.set_xlabel(run.units.label("time"))
    if gained:
        draw_gains(panels["c"], run, t, gains, small, top)
    if lost:
        draw_losses(panels["d"], run, t, losses, small, top)
    if not gained:
        figure.supxlabel(f"no friction gave energy beyond {small:.1g}" + (f" (certificate: {verdict})" if verdict else ""),
                         x=0.01, ha="left", fontsize=8.5)
    yield "energy", figure

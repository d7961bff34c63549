"""Contacts over time: how many are active, stick and slide; their forces; the errors of a step."""

import numpy as np

from percuss import finite_number
from percuss_drawing import COLOURS, legend_right, line, plain, pyplot, thinned, title_of


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
            line(axes, t, values, None, colour, linewidth=0.3, alpha=0.25, rasterized=True)
        else:
            line(axes, t, values, label, colour, linewidth=width, **style)
    for (values, label, colour, width), band in zip(curves, pale):
        if band:
            line(axes, *running_mean(t, values), label, colour, linewidth=max(1.4, width))
    return any(pale)


def draw_forces(axes, run, t):
    """Total forces of the contact groups; returns whether there were any."""
    endings = (("_force_normal", "normal", ("blue", "sky", "green")),
               ("_force_tangential", "tangential", ("red", "orange", "purple")))
    curves = [(run.forces[name], f"{plain(name[:-len(ending)])}, {label}", colours[i % 3], 0.9)
              for ending, label, colours in endings
              for i, name in enumerate(n for n in run.forces if n.endswith(ending))]
    mean = draw_counts(axes, t, curves)
    axes.set_title("contact forces (" + ("pale: mean over a step; bold: running mean)" if mean
                                         else "mean over a step)"))
    axes.set_ylabel(run.units.label("force"))
    legend_right(axes)


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
              color=COLOURS[colour], rasterized=True)
    return True


def draw_errors(balance, contact, run):
    energy, t = run.energy, run.energy["t"]
    balance.set_title("residual of the energy balance, each step")
    balance.set_ylabel(run.units.label("|energy|", "energy"))
    if draw_logarithm(balance, t, energy.get("balance_residual"), "blue"):
        balance.axhline(1e-11 * run.energy_scale(), color=COLOURS["grey"], linestyle="--", label="bound")
        legend_right(balance)
    contact.set_title("contact error, each step")
    contact.set_ylabel("relative error [–]")
    tolerances = run.record.get("tolerances")
    tolerance = tolerances.get("contact") if isinstance(tolerances, dict) else None
    if draw_logarithm(contact, t, energy.get("cone_error"), "purple") and finite_number(tolerance) and tolerance > 0.0:
        contact.axhline(tolerance, color=COLOURS["grey"], linestyle="--", label="tolerance")
        legend_right(contact)


def figures(run):
    plt = pyplot()
    energy, t = run.energy, run.energy["t"]
    with_forces = run.forces is not None and any(name.endswith("_force_normal") for name in run.forces)
    rows = 4 if with_forces else 3
    figure, panels = plt.subplots(rows, 1, figsize=(8.0, 2.2 * rows + 0.4), sharex=True)
    title_of(figure, run)
    curves = [(energy[column], column, colour, width) for column, colour, width in
              (("active", "grey", 2.5), ("sticking", "blue", 0.9), ("sliding", "red", 0.9)) if column in energy]
    mean = draw_counts(panels[0], t, curves, drawstyle="steps-post")
    panels[0].set_title("contacts" + (" (pale: each step; bold: running mean)" if mean else ""))
    panels[0].set_ylabel("number [–]")
    panels[0].set_ylim(0.0, max(1.0, panels[0].get_ylim()[1]))
    panels[0].yaxis.get_major_locator().set_params(integer=True)
    legend_right(panels[0])
    if with_forces:
        draw_forces(panels[1], run, run.forces["t"])
    draw_errors(panels[-2], panels[-1], run)
    panels[-1].set_xlabel(run.units.label("time"))
    figure.align_ylabels(panels)
    yield "contact", figure

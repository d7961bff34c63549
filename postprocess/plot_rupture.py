"""Ruptures: of a contact line whose friction is more than a number, slip rate with the fronts of slip over position and time, and slip rate, slip
and tangential traction along the line at several times; and what probes on such lines saw.
"""

import numpy as np

from front import theta_of, times_of_rates
from front_tools import first_crossing
from percuss_drawing import COLOURS, legend_right, line as draw, plain, pyplot, title_of
from plot_lines import edges_of, robust_range, rows_between



def snapshots_of(line, most=7):
    """Columns at even times, without that of the start."""
    return np.unique(np.linspace(0, len(line.time) - 1, most + 1).astype(int)[1:])


def draw_fronts(axes, run, line):
    """When places first moved by a thousandth of the largest slip rate, and slipped by a twentieth of the largest slip."""
    rate, slip = 1e-3 * np.max(np.abs(line["slip_velocity"])), 0.05 * np.max(np.abs(line["slip"]))
    for values, times, threshold, label, style, quantity in (
            (line["slip_velocity"], times_of_rates(run, line, theta_of(run)), rate, "slip rate", "--", "velocity"),
            (line["slip"], line.time, slip, "slip", "-", "length")):
        if threshold > 0.0:
            axes.plot(line.position, first_crossing(times, values, threshold), style, color="black", linewidth=1.0,
                      label=run.units.label(f"{label} {threshold:.2g}", quantity))


def draw_rates(axes, run, line):
    rows = rows_between(line, line.time[0], line.time[-1])
    size = np.abs(line["slip_velocity"][rows])
    _, high, extend = robust_range(size, False)
    picture = axes.pcolormesh(edges_of(line.position), edges_of(line.time[rows]), size, cmap="magma_r", vmin=0.0, vmax=high,
                              rasterized=True)
    axes.figure.colorbar(picture, ax=axes, label=run.units.label("slip rate", "velocity"), extend=extend, aspect=30, pad=0.02)
    draw_fronts(axes, run, line)
    axes.set_ylabel(run.units.label("time"))
    axes.set_title("(a) slip rate, and when places were reached")
    axes.legend(loc="upper center", fontsize=7)
    axes.grid(False)


SHOWN = (("slip_velocity", "slip rate", "velocity"), ("slip", "slip", "length"),
         ("traction_tangential", "tangential traction", "stress"))


def draw_rupture(run, line):
    plt = pyplot()
    figure, panels = plt.subplots(2, 2, figsize=(13.0, 9.0), sharex=True)
    title_of(figure, run, f", rupture of “{line.name}”")
    draw_rates(panels[0, 0], run, line)
    colours = plt.get_cmap("viridis")
    outside = ~np.any(line["traction_normal"] != 0.0, axis=0)  # nothing lies over them, or they are held
    chosen = snapshots_of(line)
    for axes, letter, (name, label, quantity) in zip(panels.flat[1:], "bcd", SHOWN):
        for n, k in enumerate(chosen):
            axes.plot(line.position, np.where(outside, np.nan, line[name][k]), color=colours(n / max(1, len(chosen))), linewidth=1.0,
                      label=f"t = {line.time[k]:.4g}")
        axes.set_title(f"({letter}) {label} along the line")
        axes.set_ylabel(run.units.label(label, quantity))
    panels[0, 1].legend(fontsize=7)
    for axes in panels[-1]:
        axes.set_xlabel(run.units.label("position", "length"))
    return figure


STATIONS = (("slip_velocity", "slip rate", "velocity"), ("slip", "slip", "length"),
            ("traction_tangential", "tangential traction", "stress"))


def draw_stations(run, names):
    """What probes on contact lines saw over time."""
    plt = pyplot()
    figure, panels = plt.subplots(len(STATIONS), 1, figsize=(9.0, 9.0), sharex=True)
    title_of(figure, run, ", probes on contact lines")
    for axes, (field, label, quantity) in zip(panels, STATIONS):
        first = 1 if field == "traction_tangential" else 0  # there is no traction before the first step
        for n, name in enumerate(names):
            draw(axes, run.probes["t"][first:], run.probes[f"{name}_{field}"][first:], plain(name),
                 list(COLOURS)[n % len(COLOURS)], linestyle="-" if n < len(COLOURS) else "--")
        axes.set_ylabel(run.units.label(label, quantity))
        axes.set_title(label)
    legend_right(panels[0])
    panels[-1].set_xlabel(run.units.label("time"))
    return figure


def stations_of(run):
    probes = run.probes or {}
    names = [column[:-len("_slip_velocity")] for column in probes if column.endswith("_slip_velocity")]
    return [name for name in names if all(f"{name}_{field}" in probes for field, *_ in STATIONS)]


def figures(run):
    for name, line in run.contacts.items():
        if "friction" in line.names() and "slip" in line.names() and len(line.time) > 2 and len(line.position) > 1:
            yield f"rupture-{name}", draw_rupture(run, line)
    names = stations_of(run)
    if names and len(run.probes["t"]) > 1:
        yield "stations", draw_stations(run, names)

"""Probe histories, and the certificate as a table."""

import textwrap

import numpy as np

from percuss import meaning_of
from percuss_drawing import COLOURS, legend_right, line, plain, pyplot, title_of

VERDICTS = {"pass": ("✓ pass", "#00543c"), "fail": ("✗ fail", "#a03000"), "noted": ("! noted", "#6b5000"),
            "pass, with notes": ("! pass, with notes", "#6b5000")}


def probe_names(probes):
    names = [column[:-len("_u_x")] for column in probes if column.endswith("_u_x")]
    return [name for name in names if all(f"{name}_{kind}" in probes for kind in ("u_y", "v_x", "v_y"))]


def draw_probes(run):
    plt = pyplot()
    probes, units = run.probes, run.units
    names = probe_names(probes)
    figure, panels = plt.subplots(2, 2, figsize=(10.0, 6.0), sharex=True)
    title_of(figure, run, ", probes")
    styles = [(colour, dash) for dash in ("-", "--", ":") for colour in ("blue", "red", "green", "purple", "orange",
                                                                         "black")]
    for row, (kind, quantity) in enumerate((("u", "displacement"), ("v", "velocity"))):
        for column, axis in enumerate("xy"):
            axes = panels[row][column]
            for name, (colour, dash) in zip(names, styles):
                line(axes, probes["t"], probes[f"{name}_{kind}_{axis}"], plain(name), colour, linestyle=dash)
            axes.set_title(f"({'abcd'[2 * row + column]}) {quantity} in {axis}")
            axes.set_ylabel(units.label(f"${kind}_{axis}$", "length" if kind == "u" else "velocity"))
    for axes in panels[1]:
        axes.set_xlabel(units.label("time"))
    legend_right(panels[0][1])
    return figure


def number(value):
    return "–" if value is None else f"{value:.3g}"


def rows_of(run):
    """Name, value, bound, the worst ratio of both, verdict and meaning of each entry of the certificate, as text."""
    return [(str(entry.get("name", "")).replace("_", " "), number(entry.get("value")), number(entry.get("bound")),
             number(entry.get("ratio")), str(entry.get("verdict", "")), textwrap.fill(meaning_of(entry), 62))
            for entry in run.certificate_entries()]


def draw_certificate(run):
    """The table is drawn by hand: each row is as high as its text."""
    plt = pyplot()
    rows = rows_of(run)
    heights = [1.25 + row[5].count("\n") for row in rows]
    total = sum(heights) + 2.6
    figure, axes = plt.subplots(figsize=(10.6, 0.22 * total + 0.3))
    axes.axis("off")
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(total, 0.0)
    record = run.certificate
    text, colour = VERDICTS.get(str(record.get("verdict")), (str(record.get("verdict")), "0.35"))
    axes.text(0.0, 0.6, f"{plain(run.name)}: certificate after {record.get('steps', '?')} steps:", fontsize=11, va="center")
    axes.text(1.0, 0.6, text, fontsize=11, va="center", ha="right", color=colour, weight="bold")
    places, sides = (0.0, 0.275, 0.355, 0.435, 0.45, 0.56), ("left", "right", "right", "right", "left", "left")
    for x, name, side in zip(places, ("what", "value", "bound", "ratio", "verdict", "meaning"), sides):
        axes.text(x, 2.0, name, ha=side, va="center", fontsize=9, weight="bold")
    y = 2.6
    for row, height in zip(rows, heights):
        axes.plot([0.0, 1.0], [y, y], color="0.85", linewidth=0.7)
        verdict, colour = VERDICTS.get(row[4], (row[4], "0.35"))
        for x, value, side, ink in zip(places, (*row[:4], verdict, row[5]), sides,
                                       ("black", "black", "black", "black", colour, "black")):
            axes.text(x, y + 0.5 * height, value, ha=side, va="center", fontsize=8.5, color=ink)
        y += height
    return figure


def figures(run):
    if run.probes is not None and len(run.probes["t"]) > 0 and probe_names(run.probes):
        yield "probes", draw_probes(run)
    if run.certificate_entries():
        yield "certificate", draw_certificate(run)

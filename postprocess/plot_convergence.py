#!/usr/bin/python3
"""convergence.png: the errors of convergence.csv over the size of the mesh, or over the time step, with their orders; of several schemes
those of each."""

import csv
import os
import sys

import numpy as np

from percuss import DAMAGED, LARGEST, Problem, open_file
from percuss_drawing import COLOURS, pyplot, run_main, save

NAMES = {"u_L2": "displacement, $L^2$", "u_energy": "displacement, energy", "v_L2": "velocity, $L^2$",
         "v_energy": "velocity, energy"}
MOST_NAMES = 30


# of a table of schemes: a column, what follows its name there, and what it is
OF_SCHEMES = (("position", "_error", "positions, the largest over time"), ("velocity", "_error", "velocities, the mean over time"),
              ("energy", "_error", "energy, the mean over time"), ("penetration", "", "deepest penetration, as a length"))
STYLES = (("blue", "o", "-"), ("red", "s", "--"), ("green", "^", "-."), ("purple", "D", ":"), ("orange", "v", "-"), ("sky", "P", "--"))


def require(path, table, needed):
    missing = [name for name in needed if name not in table]
    if missing:
        raise Problem(f"{path}: no column {', '.join(missing)}")
    if not all(np.all((np.abs(table[name]) <= LARGEST) & (table[name] >= 0.0)) for name in ("size", "step") if name in table):
        raise Problem(f"{path}: a size or step is no positive number")


def read(path):
    try:
        with open_file(path, newline="", encoding="utf-8", errors="replace") as file:
            rows = list(csv.DictReader(file))
        table = {name: np.array([row[name] if name == "scheme" else float(row[name]) for row in rows])
                 for name in (rows[0] if rows else ())}
    except (*DAMAGED, csv.Error) as error:
        raise Problem(f"{path}: not a table of numbers: {error}") from None
    if "scheme" in table:
        require(path, table, ["step"] + [name + rest for name, rest, _ in OF_SCHEMES])
        return table
    needed = ["size", "step"] + [name + rest for name in NAMES for rest in ("_error", "_max_error", "_norm", "_max_norm")]
    if not rows:
        raise Problem(f"{path}: has no rows")
    require(path, table, needed)
    return table


def finest(table, name):
    values = np.abs(table.get(name + "_norm", table.get(name)))
    values = values[np.isfinite(values)]
    return values[-1] if len(values) else 0.0


def draw(axes, scale, table, names, title):
    """Errors relative to the finest norm, or to the largest of the values that are of one kind, with slopes 1 and 2."""
    low = np.inf
    for name in names:
        error = table[name + "_error"]  # not a number where there is no finer member
        kind = [n for n in names if n.startswith("impulse") == name.startswith("impulse")]
        whole = finest(table, name) if name in NAMES else max(finest(table, n) for n in kind)
        good = error > 1e-12 * whole
        if not good.any() or whole == 0:
            continue
        relative = error[good] / whole
        style = "s--" if name.endswith("_energy") else "o-"  # with one density the two of the velocity are the same curve
        axes.loglog(scale[good], relative, style, markersize=4, label=NAMES.get(name, name.replace("_", " ")))
        low = min(low, relative.min())
    if np.isfinite(low) and len(scale) > 2:
        for order in (1, 2):
            axes.loglog(scale[:-1], 0.5 * low * (scale[:-1] / scale[-2]) ** order, ":", color="0.6", zorder=0)
            axes.annotate(f"order {order}", (scale[0], 0.5 * low * (scale[0] / scale[-2]) ** order), color="0.4",
                          xytext=(5, 0), textcoords="offset points", fontsize=8, va="center")
    axes.set_title(title)


def slopes(axes, scale, low):
    for order in (1, 2):
        axes.loglog(scale, 0.5 * low * (scale / scale.min()) ** order, ":", color="0.6", zorder=0)
        axes.annotate(f"order {order}", (scale.max(), 0.5 * low * (scale.max() / scale.min()) ** order), color="0.4",
                      xytext=(5, 0), textcoords="offset points", fontsize=8, va="center")


def draw_schemes(table):
    """One panel for each quantity, a curve for each scheme."""
    figure, axes = pyplot().subplots(2, 2, figsize=(10.0, 7.6))
    for panel, (name, rest, title) in zip(axes.flat, OF_SCHEMES):
        panel.set_title(title)
        low, drawn = np.inf, []
        for number, scheme in enumerate(dict.fromkeys(table["scheme"])):
            colour, marker, dash = STYLES[number % len(STYLES)]
            rows = table["scheme"] == scheme
            step, error = table["step"][rows], table[name + rest][rows]
            # not a number at the finest step; what differs by rounding, or of the deepest, is left out
            good = error > 1e-11 * max(1.0 if rest else np.nanmax(np.append(table[name], 0.0)), 1e-300)
            if good.any():
                panel.loglog(step[good], error[good], marker=marker, linestyle=dash, color=COLOURS[colour], markersize=5, label=scheme)
                low = min(low, error[good].min())
                drawn.append(scheme)
            else:
                panel.plot([], [], marker=marker, linestyle=dash, color=COLOURS[colour], label=f"{scheme}: none")
        if drawn and len(set(table["step"])) > 1:
            slopes(panel, np.unique(table["step"]), low)
            steps = np.unique(table["step"])
            panel.set_xticks(steps, [f"{value:g}" for value in steps])
            panel.minorticks_off()
        if not drawn:
            panel.set_xticks([])
            panel.set_yticks([])
        panel.set_xlabel("time step")
        panel.set_ylabel("length" if name == "penetration" else "relative difference from the next finer")
        panel.legend(loc="best")
    return figure


def legends_below(figure):
    """They cover no curve there; the longest makes the picture as much higher as it needs, and names the first curves only
    where there are many contacts."""
    shown = max(min(len(one.get_legend_handles_labels()[0]), MOST_NAMES) for one in figure.axes)
    figure.set_figheight(4.2 + 0.19 * ((shown + 1) // 2))
    for one in figure.axes:
        curves, names = one.get_legend_handles_labels()
        if curves:
            first = f"the first {MOST_NAMES} of {len(curves)}" if len(curves) > MOST_NAMES else None
            short = [name if len(name) <= 32 else name[:18] + "…" + name[-13:] for name in names[:MOST_NAMES]]
            one.legend(curves[:MOST_NAMES], short, title=first, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=2,
                       borderaxespad=4.5)


def main():
    if len(sys.argv) != 2:
        raise Problem("expected one folder, that of percuss converge")
    folder = sys.argv[1]
    table = read(os.path.join(folder, "convergence.csv"))
    if "scheme" in table:
        save(draw_schemes(table), os.path.join(folder, "convergence.png"))
        return 0
    by_size = len(set(table["size"])) > 1
    scale = table["size" if by_size else "step"]
    if len(scale) < 2:
        return 0
    plt = pyplot()
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2))
    values = [n[:-6] for n in table if n.endswith("_error") and n[:-6] in table and n != "elastic_0_error"]
    exact = np.isfinite(table["u_L2_error"][-1])
    what = "error" if exact else "difference from the next finer"
    draw(axes[0], scale, table, list(NAMES), what + ", at the end")
    draw(axes[1], scale, {k.replace("_max", ""): v for k, v in table.items() if "_max" in k}, list(NAMES),
         what + ", the largest over time")
    draw(axes[2], scale, table, values, "energies, works and impulses, from the next finer")
    for one in axes:
        one.set_xlabel("mesh size" if by_size else "time step")
        one.set_ylabel("relative error or difference")
        one.set_xticks(scale, [f"{value:g}" for value in scale])
        one.minorticks_off()
    legends_below(figure)
    save(figure, os.path.join(folder, "convergence.png"))
    return 0


if __name__ == "__main__":
    run_main(main)

"""Multipliers of the schemes by levels: gaps, impulses, multipliers of positions and forces, of contacts and of joints, as figures 6, 7, 10, 11,
13 to 16, 19 and 24 of Bruls, Acary and Cardona (2014) and figure 2 of Capobianco, Harsch, Eugster and Leine (2021) show them. On the left
the whole, on the right the small values beside the large ones."""

import numpy as np

from percuss_drawing import legend_right, plain, pyplot, thinned, title_of
from plot_bodies import MOST_POINTS, candidates_of, columns, contact_style, time_axis

# a column, and what it is; those that no scheme of the run has are left out
NORMAL = (("impulse_n", r"impulse $\Lambda_N$", "percussion"), ("position_n", r"multiplier of positions $\nu$ or $\kappa$", "position multiplier"),
          ("force_n", r"force $\lambda_N$", "force"))
TANGENTIAL = (("impulse_t", r"friction: impulse $\Lambda_F$", "percussion"), ("force_t", r"friction: force $\lambda_F$", "force"))
JOINTS = (("g", "joints: what they miss, $g$", "length"), ("impulse", r"joints: impulse $\Lambda$", "percussion"), ("position", r"joints: multiplier of positions $\mu$", "position multiplier"),
          ("force", r"joints: force $\tilde\lambda$", "force"), ("reaction", r"joints: $\Lambda/h + \tilde\lambda$", "force"))
FEW = 400  # up to so many values stand on stems


def small_of(values):
    """The size below which nearly all values stay while few are far above it; NaN: none stands out."""
    size = np.abs(values[np.isfinite(values) & (values != 0.0)])
    if len(size) < 8:
        return np.nan
    most, largest = float(np.percentile(size, 90.0)), np.max(size)
    return 1.5 * most if 1e-10 * largest < most < largest / 3.0 else np.nan  # below that it is rounding


def draw(axes, curves, bars, small):
    """curves: (t, values, label, style number). What stands out, or is of few steps, stands on stems, the rest are dots; histories are lines."""
    for t, values, label, number in curves:
        colour, marker = contact_style(number)
        if bars:
            size = np.abs(values)
            standing = size > 1e-10 * np.max(size, initial=0.0)  # below that it is rounding
            large = size > small if np.isfinite(small) else np.zeros(len(values), bool)
            if np.count_nonzero(standing) <= FEW:
                large |= standing
            axes.vlines(t[large], 0.0, values[large], colors=colour, linewidth=0.8)
            axes.plot(t[large], values[large], marker, markersize=3.0, color=colour, label=label if np.any(large) else None)
            axes.plot(*thinned(t[~large], values[~large]), ".", markersize=1.5, color=colour,
                      label=None if np.any(large) else label)
        else:
            axes.plot(*thinned(t, values), color=colour, label=label, linewidth=1.0, linestyle=("-", "--", "-.", ":")[number % 4])
    axes.axhline(0.0, color="0.7", linewidth=0.7, zorder=0)


def panels_of(figure, grid, row, title, curves, time, units, dimension, bars):
    """The whole and the small values of one kind."""
    whole, zoom = figure.add_subplot(grid[row, 0]), figure.add_subplot(grid[row, 1])
    values = np.concatenate([values for _, values, _, _ in curves])
    for axes in (whole, zoom):
        draw(axes, curves, bars, small_of(values))
        axes.set_xlim(*time)
    whole.set_title(title)
    label_values(whole, units, dimension)
    zoom.set_title(zoom_in(zoom, values, title))
    legend_right(zoom)
    return whole, zoom


def label_values(axes, units, dimension):
    if not units.none:
        axes.set_ylabel(units.label("", dimension).strip())


def zoom_in(axes, values, title):
    """To the small values, of gaps to zero; what the panel then shows."""
    low, small = np.nanmin(values, initial=0.0), small_of(values)
    if title == "gaps":
        top = np.nanmax(np.abs(values), initial=1e-300)
        axes.set_ylim(-0.02 * top, 0.05 * top)
        return "near zero"
    if not np.isfinite(small):
        return "the same"
    axes.set_ylim(-small if low < 0.0 else -0.05 * small, small)
    return "small values"


def gaps(run):
    """(t, gap, label, number) of each contact, from forces.csv."""
    forces = run.forces or {}
    names = [name for name in forces if name.endswith("_gap_min")]
    return [(forces["t"], forces[name], plain(name[:-len("_gap_min")]), k) for k, name in enumerate(names[:MOST_POINTS])]


def contact_rows(run, wanted):
    contacts = run.impacts
    if contacts is None or len(contacts["t"]) == 0 or not any(name in contacts for name, _, _ in wanted):
        return
    columns(run, "contacts.csv", ("t", "contact", "body", "point"))
    candidates = list(candidates_of(contacts))
    for name, title, dimension in wanted:
        if name in contacts and np.any(contacts[name]):
            yield title, [(rows["t"], rows[name], label, k) for k, (label, rows) in enumerate(candidates)], dimension, True


def joint_rows(run, rounding=0.0):
    """rounding: a joint that misses less misses nothing."""
    table = run.table("joints.csv")
    if table is None or len(table["t"]) == 0 or "impulse" not in table:
        return
    step = np.median(np.diff(np.unique(table["t"]))) if len(np.unique(table["t"])) > 1 else 0.0
    if step > 0.0 and "force" in table:
        table = dict(table, reaction=table["impulse"] / step + table["force"])
    keys = sorted(set(zip(table["joint"], table["row"])))[:MOST_POINTS]
    for name, title, dimension in JOINTS:
        if name in table and np.any(np.abs(table[name]) > (rounding if name == "g" else 0.0)):
            curves = []
            for k, key in enumerate(keys):
                chosen = (table["joint"] == key[0]) & (table["row"] == key[1])
                curves.append((table["t"][chosen], table[name][chosen], f"{plain(key[0])} {key[1]:.0f}", k))
            yield title, curves, dimension, False


def picture(run, rows, time):
    plt = pyplot()
    figure = plt.figure(figsize=(11.0, 2.1 * len(rows) + 0.5))
    grid = figure.add_gridspec(len(rows), 2)
    for row, (title, curves, dimension, bars) in enumerate(rows):
        panels = panels_of(figure, grid, row, title, curves, time, run.units, dimension, bars)
    for axes in panels:
        axes.set_xlabel(run.units.label("time"))
    title_of(figure, run)
    figure.align_ylabels(figure.axes)
    return figure


def figures(run):
    """levels: of contacts; levels-joints; nothing for schemes that have none."""
    shown, time = list(contact_rows(run, NORMAL + TANGENTIAL)), time_axis(run.energy["t"])
    if gaps(run):
        shown.insert(0, ("gaps", gaps(run), "length", False))
    if shown:
        yield "levels", picture(run, shown, time)
    joints = list(joint_rows(run, 1e-10))
    if joints:
        yield "levels-joints", picture(run, joints, time)


def forces_of(run):
    forces = run.forces or {}
    names = [name for name in forces if name.endswith("_force_normal")]
    return [(forces["t"], forces[name], plain(name[:-len("_force_normal")]), k) for k, name in enumerate(names[:MOST_POINTS])]


def all_rows(run):
    found = [("gaps", gaps(run), "length", False)] if gaps(run) else []
    if forces_of(run):
        found.append(("contact force, mean over the step", forces_of(run), "force", False))
    return found + list(contact_rows(run, NORMAL + TANGENTIAL)) + list(joint_rows(run))


def in_units(run, units, curves, dimension):
    time, size = run.units.factor_to(units, "time"), run.units.factor_to(units, dimension)
    return [(t * time, values * size, label, k) for t, values, label, k in curves]


def compare(runs, looks, units):
    """compare-levels: what all of them have, of the first contact or joint, one above the other."""
    found = [{title: (in_units(run, units, curves, dimension), dimension, bars) for title, curves, dimension, bars in all_rows(run)}
             for run in runs]
    shared = [title for title in found[0] if any(title in other for other in found[1:])]
    if not shared or not any(gaps(run) for run in runs):
        return None
    plt = pyplot()
    figure, panels = plt.subplots(len(shared), 2, figsize=(11.0, 2.1 * len(shared) + 0.8), squeeze=False)
    first = first_impact(runs[0])
    for (whole, zoom), title in zip(panels, shared):
        values = []
        for of, name, (colour, dash) in zip(found, looks.names, looks.styles):
            if title not in of:
                continue
            curves, dimension, bars = of[title]
            t, y = curves[0][0], curves[0][1]
            values.append(y)
            for axes in (whole, zoom):
                if bars:
                    axes.plot(t, y, ".", markersize=2.5, color=colour, label=name)
                else:
                    axes.plot(*thinned(t, y), color=colour, linestyle=dash, label=name, linewidth=1.0)
        whole.set_title(f"{title}, {curves[0][2]}")
        label_values(whole, units, dimension)
        if first is not None and not bars and dimension == "force":
            zoom.set_xlim(first - 0.002 * runs[0].energy["t"][-1], first + 0.01 * runs[0].energy["t"][-1])
            zoom.set_title("around the first impact")
            near = [y[(t > zoom.get_xlim()[0]) & (t < zoom.get_xlim()[1])] for t, y in
                    ((of[title][0][0][0], of[title][0][0][1]) for of in found if title in of)]
            size = 4.0 * np.median(np.abs(np.concatenate(near)))
            if size > 0.0:
                zoom.set_ylim(-size, size)
        else:
            zoom.set_title(zoom_in(zoom, np.concatenate(values), title))
    return figure, panels


def first_impact(run):
    """The time of the first impulse that stands out; None: there is none."""
    contacts = run.impacts
    if contacts is None or "impulse_n" not in contacts or not np.any(contacts["impulse_n"]):
        return None
    large = contacts["impulse_n"] > 0.2 * np.max(contacts["impulse_n"])
    return float(contacts["t"][large][0])

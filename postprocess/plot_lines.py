"""x-t diagrams of the contact lines of a mesh: tractions, slip velocity and status over position and time.

Slip pulses, separation pulses and Schallamach-type waves are stripes here; their slope is their speed.
"""

import numpy as np

from percuss import OPEN, SLIP, STICK, Problem
from percuss_drawing import COLOURS, pyplot, title_of

STATUS = ((OPEN, "open", "#FFFFFF"), (STICK, "stick", COLOURS["blue"]), (SLIP, "slip forwards", COLOURS["orange"]),
          (SLIP + 1, "slip backwards", COLOURS["red"]))


def edges_of(values):
    """The borders of cells around these places."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = 0.5 * (values[:-1] + values[1:])
    return np.concatenate([[values[0]], middle, [values[-1]]])


def rows_between(line, first, last, most=1500):
    """The columns of the diagram from one time to another, every so manieth: no picture has more pixels than that."""
    chosen = np.flatnonzero((line.time >= first) & (line.time <= last))
    return chosen[::max(1, int(np.ceil(len(chosen) / most)))]


def most_active(line, share=0.08):
    """The part of the run, as long as this share of it, in which contacts change their status most often."""
    changes = np.concatenate([[0], np.cumsum(np.count_nonzero(np.diff(line["status"], axis=0), axis=1))])
    changes[1:] -= changes[min(1, len(changes) - 1)]  # at the start nothing has touched yet
    n = max(2, int(share * len(line.time)))
    if len(line.time) <= n:
        return line.time[0], line.time[-1]
    first = int(np.argmax(changes[n:] - changes[:-n]))
    return line.time[first], line.time[first + n]


def robust_range(values, two_sided):
    """Limits of the colours that a few extremes do not set, and which ends they cut off."""
    size = np.abs(values[values != 0.0])
    limit = float(np.percentile(size, 99.0)) if len(size) else 1.0
    above, below = np.any(values > limit), np.any(values < (-limit if two_sided else 0.0))
    extend = {(False, False): "neither", (True, False): "max", (False, True): "min", (True, True): "both"}
    return (-limit if two_sided else 0.0), limit, extend[(bool(above), bool(below))]


def draw_field(axes, x, t, values, label, two_sided):
    low, high, extend = robust_range(values, two_sided)
    picture = axes.pcolormesh(x, t, values, cmap="RdBu_r" if two_sided else "viridis", vmin=low, vmax=high,
                              rasterized=True)
    axes.figure.colorbar(picture, ax=axes, label=label, extend=extend, aspect=30, pad=0.02)


def draw_status(axes, x, t, status, slip):
    from matplotlib.colors import BoundaryNorm, ListedColormap

    shown = np.where((status == SLIP) & (slip < 0.0), SLIP + 1, status)
    norm = BoundaryNorm(np.arange(len(STATUS) + 1) - 0.5, len(STATUS))
    picture = axes.pcolormesh(x, t, shown, cmap=ListedColormap([colour for *_, colour in STATUS]), norm=norm,
                              rasterized=True)
    bar = axes.figure.colorbar(picture, ax=axes, ticks=range(len(STATUS)), aspect=30, pad=0.02)
    bar.ax.set_yticklabels([name for _, name, _ in STATUS])
    bar.ax.tick_params(length=0)


FIELDS = (("traction_normal", "normal traction", "stress", False),
          ("traction_tangential", "tangential traction", "stress", True),
          ("slip_velocity", "slip velocity", "velocity", True))


def shown_fields(line, rows):
    """Those that are not zero throughout: of a contact without friction, or at rest, the normal traction alone."""
    scale = np.max(np.abs(line["traction_normal"][rows]), initial=0.0)
    small = {"traction_tangential": 1e-12 * scale, "slip_velocity": 0.0}
    return [field for field in FIELDS if field[0] == "traction_normal" or
            np.max(np.abs(line[field[0]][rows]), initial=0.0) > small[field[0]]]


def draw_row(panels, run, line, rows, letters, shown):
    x, t = edges_of(line.position), edges_of(line.time[rows])
    for axes, (name, label, quantity, two_sided) in zip(panels, shown):
        draw_field(axes, x, t, line[name][rows], run.units.label(label, quantity), two_sided)
    draw_status(panels[-1], x, t, line["status"][rows], line["slip_velocity"][rows])
    for letter, axes, title in zip(letters, panels, [field[1] for field in shown] + ["status"]):
        axes.set_title(f"({letter}) {title}")
        axes.grid(False)
    panels[0].set_ylabel(run.units.label("time"))


def draw_line(run, line, window):
    """Above from `window[0]` to `window[1]`, the whole run if None; below the liveliest part of a whole run of many columns."""
    plt = pyplot()
    whole = window is None
    first, last = (line.time[0], line.time[-1]) if whole else window
    rows = [rows_between(line, first, last)]
    if whole and len(line.time) >= 50:
        rows.append(rows_between(line, *most_active(line)))
    shown = shown_fields(line, rows[0])
    columns = len(shown) + 1
    figure, panels = plt.subplots(len(rows), columns, figsize=(15.0 * columns / 4.0, 9.0 if len(rows) > 1 else 6.0), sharex=True,
                                  sharey="row", squeeze=False)
    title_of(figure, run, f", contact line “{line.name}”" + (": the whole run, and a lively part of it" if len(rows) > 1 else ""))
    for k, chosen in enumerate(rows):
        draw_row(panels[k], run, line, chosen, "abcdefgh"[columns * k:], shown)
    for axes in panels[-1]:
        axes.set_xlabel(run.units.label("position", "length"))
    return figure


def figures(run, window=None):
    for name, line in run.contacts.items():
        if window is not None and len(rows_between(line, *window)) < 2:
            raise Problem(f"{run.folder}: the diagram of '{name}' has less than two columns from t = {window[0]:g} to "
                          f"{window[1]:g}; it goes from {line.time[0]:g} to {line.time[-1]:g}")
        if len(line.time) > 1 and len(line.position) > 0:
            yield f"line-{name}", draw_line(run, line, window)

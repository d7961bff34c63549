"""Several runs in one picture: what tells them apart, and the colours that say so."""

import json
import math
import os

import numpy as np

from percuss_drawing import COLOURS, plain, pyplot

STYLES = (("blue", "-"), ("red", "--"), ("green", "-."), ("purple", ":"), ("orange", "-"), ("black", "--"))
FEW = 6  # up to so many curves have a name each; of more that are a sequence a bar says which is which


def values_of(case):
    """The text of a case, as run.json has it, as a dictionary from dotted keys to texts."""
    values, path = {}, []
    for line in str(case).splitlines():
        name, colon, rest = line.partition(":")
        depth = (len(line) - len(line.lstrip(" "))) // 2
        if not colon or depth > len(path):
            continue
        path = path[:depth] + [name.strip().strip('"')]
        if rest.strip():
            values[".".join(path)] = rest.strip().strip('"')
    return values


def number_of(text):
    """A number, or None; what could not be drawn is none."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if abs(value) <= 1e100 else None


def sweep_record(folder):
    """The sweep.json of a folder; {} where there is none."""
    try:
        with open(os.path.join(folder, "sweep.json"), encoding="utf-8") as file:
            record = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) and record.get("program") == "percuss" else {}


def keys_that_follow(runs):
    """Of members of one sweep those keys that change together with another, and so do not count."""
    parents = {os.path.dirname(os.path.abspath(run.folder)) for run in runs}
    axes = sweep_record(parents.pop()).get("axes", []) if len(parents) == 1 else []
    return {key for axis in axes if isinstance(axis, list) for key in axis[1:]}


def differing(runs):
    """The keys in which the cases of the runs differ, but for their names, each with the texts of all runs."""
    cases = [values_of(run.record.get("case", "")) for run in runs]
    keys = list(dict.fromkeys(key for case in cases for key in case))
    found = {key: [case.get(key) for case in cases] for key in keys if key != "name"}
    return {key: texts for key, texts in found.items() if len(set(texts)) > 1}


def sequence_of(runs):
    """(key, numbers) if the runs are three or more and differ by one key, whose values are numbers; None if not."""
    follow = keys_that_follow(runs)
    keys = {key: texts for key, texts in differing(runs).items() if key not in follow}
    if len(runs) < 3 or len(keys) != 1:
        return None
    (key, texts), = keys.items()
    numbers = [number_of(text) for text in texts]
    return None if None in numbers or len(set(numbers)) < len(numbers) else (key, numbers)


def last_part(key):
    return plain(key.rsplit(".", 1)[-1])


def colour_scale(numbers):
    """From dark to light; by decades where they span two and none is zero."""
    from matplotlib import colors

    pyplot()
    low, high = min(numbers), max(numbers)
    if low == high:
        low, high = low - 1.0, high + 1.0
    cmap = colors.LinearSegmentedColormap.from_list("sequence", pyplot().get_cmap("viridis")(np.linspace(0.0, 0.9, 256)))
    return cmap, (colors.LogNorm if low > 0.0 and high / low >= 100.0 else colors.Normalize)(low, high)


class Looks:
    """Of each run its name, colour, dashes and width."""

    def __init__(self, runs, names):
        self.names, self.key, self.scale = list(names), None, None
        n = len(runs)
        sequence = sequence_of(runs)
        if sequence:
            self.key, numbers = sequence
            self.scale = colour_scale(numbers)
            self.names = [f"{last_part(self.key)} = {number:g}" for number in numbers]
            self.styles = [(self.scale[0](self.scale[1](number)), "-") for number in numbers]
            self.widths = [1.2] * n
        elif n <= len(STYLES):
            self.styles = [(COLOURS[colour], dash) for colour, dash in STYLES[:n]]
            self.widths = ([2.2, 1.3] + [1.2] * n)[:n]
        else:
            cmap = colour_scale([0.0, 1.0])[0]
            self.styles = [(cmap(k / (n - 1)), ("-", "--", "-.", ":")[k % 4]) for k in range(n)]
            self.widths = [1.2] * n

    def __iter__(self):
        return iter(zip(self.styles, self.widths))

    def explain(self, figure):
        """One legend above all panels, or a bar beside them."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.lines import Line2D

        if self.key and len(self.names) > FEW:
            figure.colorbar(ScalarMappable(self.scale[1], self.scale[0]), ax=figure.axes, label=plain(self.key), pad=0.02)
            return
        columns = max(1, min(3, math.floor(110 / (8 + max(len(name) for name in self.names)))))
        figure.legend(handles=[Line2D([], [], color=colour, linestyle=dash, linewidth=1.6, label=name)
                               for name, (colour, dash) in zip(self.names, self.styles)],
                      loc="upper left", ncol=columns, fontsize=10 if len(self.names) <= 12 else 7)
        rows = math.ceil(len(self.names) / columns)
        figure.suptitle(" ", fontsize=18 + (13 if len(self.names) <= 12 else 9) * (rows - 1))  # room for the legend

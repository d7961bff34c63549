#!/usr/bin/python3
"""A sweep: each end value of sweep.csv over the first key that was swept, coloured by the second; the energies of all members in time; and one
HTML file with both and the table, which needs no network."""

import csv
import html
import math
import os
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True

import numpy as np

import percuss
import plot_compare
import report
from percuss import DAMAGED, Problem, Units, open_file
from percuss_drawing import COLOURS, plain, pyplot, replacing, run_main, save
from percuss_sequence import FEW, colour_scale, last_part, number_of, sweep_record

AFTER = ("certificate", "steps", "state", "folder", "reason")  # the last columns
MOST_PANELS, MOST_ENERGIES = 30, 100
MARKERS, DASHES = "osD^vP", ("-", "--", "-.", ":")


def plain(text):
    """A cell without the apostrophe that keeps spreadsheets from running it."""
    return text[1:] if isinstance(text, str) and text[:1] == "'" and text[1:2] in tuple("=+-@\t\r") else text


class Sweep:
    """DIR/sweep.json and DIR/sweep.csv: axes, rows, the names of the end values."""

    def __init__(self, folder):
        self.folder, self.record = folder, sweep_record(folder)
        if not self.record:
            raise Problem(f"{folder}: no sweep.json; expected the folder of percuss sweep")
        self.name = str(self.record.get("name", ""))
        self.units = Units(self.record["units"] if isinstance(self.record.get("units"), str) else "")
        path = os.path.join(folder, "sweep.csv")
        try:
            with open_file(path, newline="", encoding="utf-8", errors="replace") as file:
                self.rows = [{key: plain(text) for key, text in row.items()} for row in csv.DictReader(file, strict=True)]
        except FileNotFoundError:
            raise Problem(f"{folder}: no sweep.csv yet; no member has come to its end") from None
        except (*DAMAGED, csv.Error) as error:
            raise Problem(f"{path}: cannot be read: {error}") from None
        axes = self.record.get("axes")
        keys = [key for axis in axes for key in axis] if isinstance(axes, list) and all(isinstance(axis, list) and axis for axis in axes) else []
        columns = list(self.rows[0]) if self.rows else []
        missing = [str(name) for name in (*keys, *AFTER) if name not in columns]
        if not keys or not columns or missing or any(None in row or None in row.values() for row in self.rows):
            raise Problem(f"{path}: not the table of a sweep" + (f": no column {', '.join(missing)}" if columns and missing else ""))
        self.axes, self.keys = axes, keys
        self.ends = [name for name in columns if name not in keys and name not in AFTER]

    def texts(self, name):
        return [row[name] for row in self.rows]

    def numbers(self, name):
        return np.array([np.nan if number_of(text) is None else number_of(text) for text in self.texts(name)])

    def are_numbers(self, key):
        return all(number_of(text) is not None for text in self.texts(key))

    def along(self):
        """The keys of the axes with more than one value: first the one that curves run along, a number if there is one."""
        keys = [axis[0] for axis in self.axes if len(set(self.texts(axis[0]))) > 1] or [self.axes[0][0]]
        first = next((key for key in keys if self.are_numbers(key)), keys[0])
        return [first] + [key for key in keys if key != first]


def quantity_of(name):
    """What an end value is, for its unit; None: it is no such thing."""
    if name.startswith("impulse_"):
        return "percussion"
    if name in ("kinetic", "elastic", "driven", "joints", "breakdown", "dissipation_numerical", "balance_residual", "numerical_rest", "projection") or name.startswith(("work_", "loss_", "tangential_work")):
        return "energy"
    if "_slip_velocity" in name or name.endswith(("_v_x", "_v_y", "_vx", "_vy", "_vz")):
        return "velocity"
    if "_traction_" in name:
        return "stress"
    if "_slip" in name or name.endswith(("_u_x", "_u_y", "_x", "_y", "_z", "_gap_min", "_elongation")) and "_force" not in name and "_reaction" not in name and "_spring" not in name:
        return "length"
    return "force" if "_force" in name or "_reaction" in name or name.endswith(("_spring_x", "_spring_y")) else None


def varying(sweep):
    """End values that are drawn, and those that are the same, or nothing but rounding, for all members that have them."""
    drawn, same = [], []
    works = [np.nanmax(np.abs(sweep.numbers(name))) for name in sweep.ends
             if quantity_of(name) == "energy" and np.any(np.isfinite(sweep.numbers(name)))]
    for name in sweep.ends:
        values = sweep.numbers(name)
        values = values[np.isfinite(values)]
        scale = max([np.max(np.abs(values), initial=0.0)] + (works if quantity_of(name) == "energy" else []))
        (drawn if len(values) and np.ptp(values) > 1e-9 * scale else same).append(name)
    return drawn, same


def curves_of(sweep, keys):
    """For each combination of the other keys the rows along the first, in the order of the table."""
    groups = {}
    for number, row in enumerate(sweep.rows):
        groups.setdefault(tuple(row[key] for key in keys[1:]), []).append(number)
    return groups


class Colours:
    """Of the second key: a few colours with names, or a bar."""

    def __init__(self, sweep, keys):
        self.key = keys[1] if len(keys) > 1 else None
        self.values = list(dict.fromkeys(sweep.texts(self.key))) if self.key else [None]
        few = list(COLOURS.values())[:FEW]
        numbers = [number_of(value) for value in self.values]
        self.scale = colour_scale(numbers) if self.key and None not in numbers and len(numbers) > 2 else None
        self.of = {value: self.scale[0](self.scale[1](number)) if self.scale else few[k % len(few)]
                   for k, (value, number) in enumerate(zip(self.values, numbers))}

    def explain(self, figure, keys, thirds):
        from matplotlib.cm import ScalarMappable
        from matplotlib.lines import Line2D

        handles = []
        if self.scale and len(self.values) > FEW:
            figure.colorbar(ScalarMappable(self.scale[1], self.scale[0]), ax=figure.axes, label=plain(self.key), pad=0.02)
        elif self.key:
            handles = [Line2D([], [], color=self.of[value], marker="o", markersize=4, label=f"{last_part(self.key)} = {plain(value)}")
                       for value in self.values]
        for k, third in enumerate(thirds[:12] if any(thirds) else ()):
            text = ", ".join(f"{last_part(key)} = {plain(value)}" for key, value in zip(keys[2:], third))
            handles.append(Line2D([], [], color="0.3", linestyle=DASHES[k % 4], marker=MARKERS[k % 6], markersize=4, label=text))
        if handles:
            figure.legend(handles=handles, loc="upper left", ncol=4, fontsize=9)
            figure.suptitle(" ", fontsize=10 + 8 * math.ceil(len(handles) / 4))


def place_axis(axes, sweep, key):
    """Where the members stand along a key: numbers, in decades where they span two; words side by side."""
    if not sweep.are_numbers(key):
        words = list(dict.fromkeys(sweep.texts(key)))
        axes.set_xticks(range(len(words)), [plain(word if len(word) < 20 else word[:18] + "…") for word in words],
                        rotation=30 if len(words) > 3 else 0)
        return np.array([float(words.index(text)) for text in sweep.texts(key)])
    values = sweep.numbers(key)
    if np.min(values) > 0.0 and np.max(values) / np.min(values) >= 100.0:
        axes.set_xscale("log")
    return values


def draw_panel(axes, sweep, name, keys, colours, thirds, groups):
    along, values = place_axis(axes, sweep, keys[0]), sweep.numbers(name)
    failing = np.array([text == "fail" for text in sweep.texts("certificate")])
    for number, (others, rows) in enumerate(groups.items()):
        size = max(3.0, 6.5 - 1.5 * number)  # those below show beneath those above
        rows = np.array(sorted(rows, key=lambda row: along[row]))
        rows = rows[np.isfinite(values[rows])]
        if len(rows) == 0:
            continue
        k = thirds.index(others[1:])
        colour = colours.of[others[0] if others else None]
        axes.plot(along[rows], values[rows], linestyle=DASHES[k % 4], color=colour, linewidth=size / 3.0)
        for chosen, face in ((rows[~failing[rows]], colour), (rows[failing[rows]], "white")):
            axes.plot(along[chosen], values[chosen], MARKERS[k % 6], markersize=size, color=colour, markerfacecolor=face)
    quantity = quantity_of(name)
    axes.set_title(plain(name.replace("_", " ")))
    if quantity:
        axes.set_ylabel(sweep.units.label(quantity))


def draw_ends(sweep, names):
    """A panel for each end value."""
    keys = sweep.along()
    colours, groups = Colours(sweep, keys), curves_of(sweep, keys)
    thirds = list(dict.fromkeys(others[1:] for others in groups))
    columns = min(3, len(names))
    rows = math.ceil(len(names) / columns)
    figure, panels = pyplot().subplots(rows, columns, figsize=(4.2 * columns + 0.6, 2.7 * rows + 0.8), squeeze=False)
    for axes, name in zip(panels.ravel(), names):
        draw_panel(axes, sweep, name, keys, colours, thirds, groups)
    for axes in panels.ravel()[len(names):]:
        axes.remove()
    for k in range(columns):
        lowest = [panels[row][k] for row in range(rows) if row * columns + k < len(names)][-1]
        follow = [last_part(key) for axis in sweep.axes if axis[0] == keys[0] for key in axis[1:]]
        lowest.set_xlabel(plain(keys[0]) + (f" (with {', '.join(follow)})" if follow else ""))
    colours.explain(figure, keys, thirds)
    return figure


def members(sweep):
    """The folders of the runs that have come to their end; of very many some, evenly."""
    folders = [os.path.join(sweep.folder, row["folder"]) for row in sweep.rows if row["state"] == "done"]
    folders = [folder for folder in folders if os.path.isdir(folder)]
    if len(folders) > MOST_ENERGIES:
        folders = [folders[round(k * (len(folders) - 1) / (MOST_ENERGIES - 1))] for k in range(MOST_ENERGIES)]
    return folders


def figures(sweep):
    drawn, _ = varying(sweep)
    if drawn:
        yield "sweep", draw_ends(sweep, drawn[:MOST_PANELS])
    runs = [percuss.load(folder) for folder in members(sweep)]
    if len(runs) > 1:
        looks = MembersLooks(sweep, runs)
        yield "sweep-energy", plot_compare.draw_energies(runs, looks, plot_compare.one_units(runs))


class MembersLooks(plot_compare.Looks):
    """Of the members of a sweep: coloured by the key that curves run along, dashed by the next one."""

    def __init__(self, sweep, runs):
        super().__init__(runs, plot_compare.names_of(runs))
        self.kinds = []
        keys, rows = sweep.along(), {row["folder"]: row for row in sweep.rows}
        mine = [rows[run.name] for run in runs]
        numbers = [number_of(row[keys[0]]) for row in mine]
        if self.key or None in numbers or len(set(numbers)) < 2:
            return
        self.key, self.scale = keys[0], colour_scale(numbers)
        others = [tuple(row[key] for key in keys[1:]) for row in mine]
        kinds = list(dict.fromkeys(others))
        self.styles = [(self.scale[0](self.scale[1](number)), DASHES[kinds.index(other) % 4]) for number, other in zip(numbers, others)]
        self.widths = [1.0] * len(runs)
        self.kinds = [", ".join(f"{last_part(key)} = {plain(value)}" for key, value in zip(keys[1:], other)) for other in kinds if other]

    def explain(self, figure):
        from matplotlib.lines import Line2D

        if self.key and len(self.names) <= FEW:  # a bar, as of more: names would be of one key only
            self.names = self.names + [""] * (FEW + 1 - len(self.names))
        super().explain(figure)
        if len(self.kinds) > 1:
            figure.legend(handles=[Line2D([], [], color="0.3", linestyle=DASHES[k % 4], label=kind) for k, kind in enumerate(self.kinds[:12])],
                          loc="upper left", ncol=4, fontsize=9)
            figure.suptitle(" ", fontsize=10 + 8 * math.ceil(min(len(self.kinds), 12) / 4))


# ---- the page


def notes(sweep):
    drawn, same = varying(sweep)
    lines = []
    if same:
        lines.append("The same for all members, or nothing but rounding: " + ", ".join(same) + ".")
    if len(drawn) > MOST_PANELS:
        lines.append(f"The first {MOST_PANELS} of {len(drawn)} end values that differ; --quantity chooses others.")
    if any(text == "fail" for text in sweep.texts("certificate")):
        lines.append("Hollow: the certificate fails.")
    count = sum(text == "done" for text in sweep.texts("state"))
    if count < len(sweep.rows):
        lines.append(f"{count} of {len(sweep.rows)} members have come to their end.")
    if count > MOST_ENERGIES:
        lines.append(f"Energies in time: {MOST_ENERGIES} of {count} members.")
    return "".join(f"<p>{html.escape(line)}</p>\n" for line in lines)


def table(sweep):
    """Members with links to their folders, which are beside the page."""
    heads = [*sweep.keys, "certificate", "steps", "reason", *sweep.ends, "folder"]
    lines = ["<tr>" + "".join(f'<th scope="col">{report.text(head.replace("_", " "))}</th>' for head in heads) + "</tr>"]
    for row in sweep.rows:
        cells = [f"<td>{report.text(row[key])}</td>" for key in sweep.keys]
        cells.append(f'<td>{report.verdict(row["certificate"] or row["state"])}</td>')
        cells += [f'<td class="number">{report.text(row["steps"])}</td>', f'<td>{report.text(row["reason"])}</td>']
        for name in sweep.ends:
            number = number_of(row[name])
            cells.append(f'<td class="number">{"–" if number is None else f"{number:.6g}"}</td>')
        folder = row["folder"]
        cells.append(f'<td><a href="./{urllib.parse.quote(folder)}/">{report.text(folder)}</a></td>')
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return '<div style="overflow-x: auto"><table>\n' + "\n".join(lines) + "\n</table></div>"


def page(sweep, pictures):
    title = f"percuss: sweep of {sweep.name}"
    what = ", ".join(" with ".join(axis) for axis in sweep.axes)
    parts = [f"<h1>{report.text(title)}</h1>", f"<p>{len(sweep.rows)} members over {report.text(what)}.</p>", "<h2>At the end</h2>",
             notes(sweep), *(report.picture(path) for path in pictures if "energy" not in os.path.basename(path)),
             "<h2>Energies in time</h2>", *(report.picture(path) for path in pictures if "energy" in os.path.basename(path)),
             "<h2>Members</h2>", table(sweep)]
    body = "\n".join(parts)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{report.text(title)}</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
            f"<style>{report.STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n")


def main():
    if len(sys.argv) != 2:
        raise Problem("expected one folder, that of percuss sweep")
    sweep = Sweep(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        pictures = []
        for name, figure in figures(sweep):
            pictures.append(os.path.join(folder, f"{name}.png"))
            pyplot().rcParams["savefig.dpi"] = 110  # as large as a page shows them
            save(figure, pictures[-1])
            pyplot().close(figure)
        written = page(sweep, pictures)
    with replacing(os.path.join(sweep.folder, "sweep.html")) as part, open(part, "w", encoding="utf-8") as file:
        file.write(written)
    return 0


if __name__ == "__main__":
    run_main(main)

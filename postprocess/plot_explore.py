#!/usr/bin/python3
"""explore.png: forces of a few contacts as `percuss explore` found them, tangential over normal, each solution a dot. On the left
the solutions from zeros in random orders of contacts, on the right those from random starts; with the edges of the friction cone and, dashed,
the exact intervals of both components."""

import csv
import json
import os
import sys

import numpy as np

from percuss import DAMAGED, LARGEST, Problem, open_file
from percuss_drawing import COLOURS, plain, pyplot, run_main, save
from percuss_units import Units

MOST = 6  # contacts in the picture
WAYS = (("orders", "from zeros, in random orders", "blue"), ("starts", "from random starts", "red"))
RANGES = ("normal_low", "normal_high", "tangential_low", "tangential_high")


def rows_of(path):
    try:
        with open_file(path, newline="", encoding="utf-8", errors="replace") as file:
            return list(csv.DictReader(file))
    except (*DAMAGED, csv.Error) as error:
        raise Problem(f"{path}: not a table: {error}") from None


def numbers(path, rows, names):
    try:
        table = {name: np.array([float(row[name]) for row in rows]) for name in names}
    except (KeyError, TypeError, ValueError) as error:
        raise Problem(f"{path}: not a table of percuss explore: {error}") from None
    if any(np.any(np.isnan(column)) or np.any(np.abs(column[np.isfinite(column)]) > LARGEST) for column in table.values()):
        raise Problem(f"{path}: a value is no number, or too large to draw")
    return table


def summary(folder):
    path = os.path.join(folder, "explore.json")
    try:
        with open_file(path, encoding="utf-8") as file:
            found = json.load(file)
    except (*DAMAGED, ValueError) as error:
        raise Problem(f"{path}: not the summary of percuss explore: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("t"), (int, float)):
        raise Problem(f"{path}: not the summary of percuss explore")
    return found


def intervals(folder):
    """Contacts in order: number, name, friction and the four ends, which are NaN where none were computed."""
    path = os.path.join(folder, "intervals.csv")
    if not os.path.exists(path):
        return []
    rows = rows_of(path)
    table = numbers(path, rows, ("contact", "friction", *RANGES))
    return [(int(table["contact"][k]), rows[k].get("name") or "", table["friction"][k], [table[name][k] for name in RANGES])
            for k in range(len(rows))]


def samples(folder):
    path = os.path.join(folder, "samples.csv")
    rows = rows_of(path)
    table = numbers(path, rows, ("contact", "moves_otherwise", "force_normal", "force_tangential"))
    table["by"] = np.array([row.get("by") or "" for row in rows], dtype=str)
    return table


def chosen(contacts, table):
    """Those whose dots fill most of the plane, in their order."""
    def size(contact):
        here = table["contact"] == contact[0]
        if not here.any():
            return 0.0
        return float(np.ptp(table["force_normal"][here]) * np.ptp(table["force_tangential"][here]))
    best = sorted(contacts, key=size, reverse=True)[:MOST]
    return [contact for contact in contacts if contact in best]


def draw_limits(axes, friction, ends, reach):
    axes.plot([0, reach], [0, friction * reach], color="0.3", linewidth=0.9)
    axes.plot([0, reach], [0, -friction * reach], color="0.3", linewidth=0.9)
    low, high, left, right = (np.clip(value, -1.5 * reach, 1.5 * reach) for value in ends)
    axes.plot([low, high, high, low, low], [left, left, right, right, left], "--", color="0.5", linewidth=0.9)


def draw(axes, table, contact, way):
    number, _, friction, ends = contact
    key, _, colour = WAYS[way]
    here = (table["contact"] == number) & (table["by"] == key)
    for other, paint, size in ((0, colour, 6), (1, "grey", 14)):
        dots = here & (table["moves_otherwise"] == other)
        axes.scatter(table["force_normal"][dots], table["force_tangential"][dots], s=size, color=COLOURS[paint], alpha=0.6,
                     linewidths=0, marker="s" if other else "o", zorder=3)
    all_here = table["contact"] == number
    largest = [np.max(table["force_normal"][all_here])] if all_here.any() else []
    largest += [value for value in ends[:2] if np.isfinite(value)]
    reach = 1.06 * max([value for value in largest if value > 0], default=1.0)
    draw_limits(axes, friction, ends, reach)
    axes.set_xlim(-0.03 * reach, reach)
    tall = max(friction * reach, 1e-3 * reach)
    axes.set_ylim(-1.08 * tall, 1.08 * tall)


def main():
    if len(sys.argv) != 2:
        raise Problem("expected one folder, that of percuss explore")
    folder = sys.argv[1]
    about, table = summary(folder), samples(folder)
    contacts = chosen(intervals(folder), table)
    if not contacts:
        return 0
    plt = pyplot()
    figure, grid = plt.subplots(len(contacts), 2, figsize=(9, 0.6 + 2.1 * len(contacts)), squeeze=False, sharex="row",
                                sharey="row")
    units = Units(str(about.get("units") or ""))
    for row, contact in zip(grid, contacts):
        for way, axes in enumerate(row):
            draw(axes, table, contact, way)
        row[0].set_ylabel(units.label("tangential", "force"))
        row[0].set_title(f"{contact[0]}: {plain(contact[1])}, {WAYS[0][1]}")
        row[1].set_title(WAYS[1][1])
    for axes in grid[-1]:
        axes.set_xlabel(units.label("normal force", "force"))
    what = "equilibria" if about.get("forces") == "equilibrium" else "percussions of the same motion, over the step"
    figure.suptitle(f"{plain(str(about.get('case')))}, t = {about['t']:g}: {what}", x=0.01, ha="left", fontsize=12)
    save(figure, os.path.join(folder, "explore.png"))
    return 0


if __name__ == "__main__":
    run_main(main)

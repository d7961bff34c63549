#!/usr/bin/python3
"""One HTML file about a run, which needs no other and no network: the moving bodies, four numbers, pictures, certificate, wall times, case."""

import argparse
import base64
import html
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True

import percuss
from percuss import loss_name, meaning_of
import plot
import viewer
from percuss_drawing import replacing, run_main

OUTSIDE = (("work_external", "loads"), ("driven", "what moves as given"))

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0.2rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid #ddd; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.9rem 0.25rem 0; border-bottom: 1px solid #eee; }
th { font-weight: 600; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td table { margin: 0; }
.verdict { font-weight: 600; padding: 0.05rem 0.5rem; border-radius: 0.3rem; white-space: nowrap; }
.pass { background: #d5f0e3; color: #00543c; }
.fail { background: #fbd9c8; color: #8a2c00; }
.noted { background: #fbeebc; color: #5c4400; }
.open { color: #666; font-weight: 400; padding: 0; }
.cards { display: flex; flex-wrap: wrap; gap: 0.8rem; margin: 1rem 0; }
.card { flex: 1 1 11rem; border: 1px solid #ddd; border-radius: 0.4rem; padding: 0.5rem 0.8rem; }
.card b { display: block; font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.card small { color: #555; }
.sub { color: #555; margin-top: 0; }
img { max-width: 100%; height: auto; }
pre { background: #f6f6f6; padding: 0.8rem; overflow-x: auto; font-size: 0.85rem; }
"""


def text(value):
    """A value as escaped text, numbers short."""
    if isinstance(value, bool) or value is None:
        value = {True: "yes", False: "no", None: "–"}[value]
    elif isinstance(value, float):
        value = f"{value:.6g}"
    elif isinstance(value, int) and value.bit_length() > 128:  # too long to be printed, and none of ours
        value = "a very large number"
    return html.escape(str(value))


def verdict(value):
    kind = {"pass, with notes": "noted"}.get(str(value), str(value) if str(value) in ("pass", "fail", "noted") else "open")
    return f'<span class="verdict {kind}">{text(value)}</span>'


def short(ratio):
    """A ratio of a value to its bound, to two digits."""
    return f"{ratio:.2g}" if percuss.finite_number(ratio) else "–"


def cell(value):
    """A table cell of anything JSON has: numbers, text, lists, and tables of tables."""
    if isinstance(value, dict):
        return f"<td>{facts(value)}</td>"
    if isinstance(value, list):
        if any(isinstance(item, (dict, list)) for item in value):
            return f"<td>{facts(dict(enumerate(value, 1)))}</td>"
        return f"<td>{', '.join(text(item) for item in value)}</td>"
    return f"<td>{text(value)}</td>"


def facts(record):
    if not record:
        return "–"
    rows = "".join(f'<tr><th scope="row">{text(str(name).replace("_", " "))}</th>{cell(value)}</tr>\n'
                   for name, value in record.items())
    return f"<table>\n{rows}</table>"


def card(head, number, rest):
    return f'<div class="card"><small>{head}</small><b>{number}</b><small>{rest}</small></div>\n'


def energy_card(run):
    energy, of = run.energy, lambda k: run.units.value(float(f"{energy['kinetic'][k] + energy['elastic'][k]:.4g}"), "energy")
    return card("energy at the end", text(of(-1)), text(f"kinetic and elastic; {of(0)} at the start"))


def work_cards(run):
    """The largest of the works from outside, and what contacts took."""
    energy = run.energy
    value = lambda number: text(run.units.value(float(f"{number:.4g}"), "energy"))
    outside = {label: energy[column][-1].item() for column, label in OUTSIDE if column in energy}
    label = max(outside, key=lambda name: abs(outside[name]))
    names = (loss_name(energy, name) for name in ("work_contact_normal", "work_contact_tangential", "dissipation_numerical"))
    normal, tangential, rest = (energy[name][-1].item() if name in energy else 0.0 for name in names)
    numerical = f", {value(0.0 - rest)} by the scheme" if abs(rest) > 1e-3 * max(abs(normal + tangential), abs(energy["kinetic"][0].item())) else ""
    largest = (card("largest work from outside", value(outside[label]), text(f"of {label}")) if outside[label] else
               card("largest work from outside", "none", "no loads, no motion from outside"))
    return largest + card("taken by contacts", value(0.0 - (normal + tangential)), f"by friction {value(0.0 - tangential)}, by impact {value(0.0 - normal)}{numerical}")


def overview(run):
    """The numbers that matter before all others."""
    certificate = run.certificate if isinstance(run.certificate, dict) else {}
    word = certificate.get("verdict")
    entries = run.certificate_entries()
    failed = [str(entry.get("name", "")).replace("_", " ") for entry in entries if entry.get("verdict") == "fail"]
    kept = f"{sum(entry.get('verdict') == 'pass' for entry in entries)} promises kept"
    said = (", ".join(failed) if failed else str(certificate.get("notes") or kept) if entries else "the run is not finished")
    t = run.energy["t"]
    steps = f"{run.energy['step'][-1]:.0f} steps to t = {run.units.value(t[-1].item(), 'time')}" if len(t) else "no step"
    words = verdict(word) if word else "–"
    return (f'<p class="sub">{text(steps)}</p>\n' + (f'<div class="cards">\n{energy_card(run)}{work_cards(run)}' if len(t) else '<div class="cards">\n')
            + card("certificate", words, text(said)) + "</div>\n")


def certificate_part(run):
    certificate = run.certificate
    if certificate is None:
        return "<p>There is no certificate: the run is not finished, or was stopped.</p>"
    rows = "".join(
        f'<tr><td>{text(entry.get("name", ""))}</td><td class="number">{text(entry.get("value"))}</td>'
        f'<td class="number">{text(entry.get("bound"))}</td><td class="number">{short(entry.get("ratio"))}</td><td>{verdict(entry.get("verdict", ""))}</td>'
        f'<td>{text(meaning_of(entry))}</td></tr>\n' for entry in run.certificate_entries())
    rest = {name: value for name, value in certificate.items() if name not in ("entries", "verdict", "notes")}
    notes = str(certificate.get("notes") or "")
    overall = f'<p>Overall: {verdict(certificate["verdict"])}{": " + text(notes) if notes else ""}</p>\n' if "verdict" in certificate else ""
    table = ('<table>\n<tr><th scope="col">what</th><th scope="col">value</th><th scope="col">bound</th><th scope="col">ratio</th>'
             f'<th scope="col">verdict</th><th scope="col">meaning</th></tr>\n{rows}</table>\n') if rows else ""
    return overall + table + (facts(rest) if rest else "")


def picture(path):
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode("ascii")
    name = os.path.splitext(os.path.basename(path))[0]
    alt = {"energy": "energies, works and tangential work over time",
           "contact": "contacts, forces and errors over time",
           "bodies": "bodies: motion, velocities, percussions and works at the contacts, energies"}.get(name, name)
    return f'<p><img alt="{text(alt)}" src="data:image/png;base64,{data}"></p>'


def last_step(energy):
    last = {name: column[-1].item() for name, column in energy.items()}
    last["total energy"] = last["kinetic"] + last["elastic"]
    for name in ("step", "active", "sticking", "sliding", "cone_iterations"):
        if name in last and last[name] == last[name] // 1:
            last[name] = int(last[name])
    return last


def without_folders(case):
    """Absolute paths in the text of a case, as --set may leave them, by their last part only."""
    return re.sub(r"""(?m)^(\s*(?:file|run):\s*["']?)/(?:[^\n"']*/)?""", r"\1", case)


def timings(record):
    """Wall time by phase, and the speed."""
    times = record.get("wall_time")
    times = {n: t for n, t in times.items() if percuss.finite_number(t)} if isinstance(times, dict) else None
    if not times:
        return "<p>None yet: the run is not finished.</p>"
    whole = sum(times.values()) or 1.0
    rows = "".join(f'<tr><td>{text(name)}</td><td class="number">{seconds:.3f}</td>'
                   f'<td class="number">{100.0 * seconds / whole:.1f}</td></tr>\n' for name, seconds in times.items())
    speed = record.get("steps_per_second")
    return (f"<table><tr><th>phase</th><th>seconds</th><th>%</th></tr>\n{rows}</table>"
            + (f"<p>{speed:.0f} steps a second.</p>" if percuss.finite_number(speed) else ""))


def contacts_first(pictures):
    """Contact diagrams, then the rest as percuss plot has them."""
    def is_contact(path):
        return os.path.basename(path).startswith(("contact", "line-", "rupture-"))
    pictures = list(pictures)
    return [path for path in pictures if is_contact(path)] + [path for path in pictures if not is_contact(path)]


def page(run, pictures):
    title = f"percuss: {run.name}"
    record = dict(run.record)
    case = record.pop("case", None)
    if "case_file" in record:  # the report may be passed on: no paths of this disk
        record["case_file"] = os.path.basename(str(record["case_file"]))
    parts = [f"<h1>{text(title)}</h1>", overview(run), viewer.part(run),
             "<h2>Pictures</h2>", *(picture(path) for path in contacts_first(pictures)),
             "<h2>Certificate</h2>", certificate_part(run),
             "<h2>At the last step</h2>", facts(last_step(run.energy)), "<h2>Wall times</h2>", timings(record)]
    record.pop("wall_time", None)
    if record:
        parts += ["<h2>The run</h2>", facts(record)]
    if case is not None:
        parts += ["<h2>The case</h2>", f"<pre>{html.escape(without_folders(str(case)))}</pre>"]
    body = "\n".join(parts)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{text(title)}</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
            f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n")


def main():
    parser = argparse.ArgumentParser(prog="percuss report", description=__doc__)
    parser.add_argument("folder", metavar="DIR", help="folder of a run")
    parser.add_argument("-o", "--output", metavar="FILE", help="the page (default: DIR/report.html)")
    chosen = parser.parse_args()
    run = percuss.load(chosen.folder)
    path = chosen.output or os.path.join(run.folder, "report.html")
    with tempfile.TemporaryDirectory() as folder:
        figures = (f for f in plot.figures_of(run, None) if f[0] != "certificate")  # the page has it as text
        written = page(run, list(plot.write(figures, folder, ["png"])))
    with replacing(path) as part, open(part, "w", encoding="utf-8") as file:
        file.write(written)
    print(path)
    return 0


if __name__ == "__main__":
    run_main(main)

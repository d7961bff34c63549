#!/usr/bin/python3
"""A filter for pandoc: each formula becomes a picture (SVG, drawn by matplotlib), for pages that are printed without MathML."""

import base64
import html
import io
import json
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import figure as drawing
from matplotlib import rcParams
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser

rcParams.update({"mathtext.fontset": "stix", "svg.fonttype": "path", "svg.hashsalt": "percuss"})
SIZE = 11.0  # points, as the text
FONT = FontProperties(size=SIZE)


def picture(formula, display):
    text = "$" + formula.strip().replace("\\quad", "\\ \\ \\ ").replace("^T", r"^\top") + "$"
    width, height, depth = MathTextParser("path").parse(text, dpi=72, prop=FONT)[:3]
    figure = drawing.Figure(figsize=((width + 2.0) / 72.0, (height + 2.0) / 72.0))
    figure.text(1.0 / (width + 2.0), (depth + 1.0) / (height + 2.0), text, fontproperties=FONT, va="baseline")
    stream = io.BytesIO()
    figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None})
    data = base64.b64encode(stream.getvalue()).decode("ascii")
    style = "display: block; margin: 0.6em auto" if display else f"vertical-align: {-(depth + 1.0):.2f}pt"
    return (f'<img alt="{html.escape(formula)}" style="{style}; width: {width + 2.0:.2f}pt; height: {height + 2.0:.2f}pt" '
            f'src="data:image/svg+xml;base64,{data}">')


def replaced(node):
    if isinstance(node, list):
        return [replaced(item) for item in node]
    if isinstance(node, dict):
        if node.get("t") == "Math":
            kind, formula = node["c"]
            return {"t": "RawInline", "c": ["html", picture(formula, kind["t"] == "DisplayMath")]}
        return {key: replaced(value) for key, value in node.items()}
    return node


json.dump(replaced(json.load(sys.stdin)), sys.stdout)

"""What the parts of the page of verification share: runs of percuss, and how the page is written."""

import csv
import math
import os
import subprocess
import sys

import numpy as np

percuss_path, source, work = (os.path.abspath(path) for path in sys.argv[1:4])
sys.path[:0] = [os.path.join(source, "postprocess")]
os.environ["PERCUSS_DATADIR"] = os.path.join(source, "postprocess")

from percuss_drawing import pyplot, save  # noqa: E402

pictures = os.path.join(source, "doc", "verification")
cases = os.path.join(source, "cases")
here = os.path.join(source, "tests", "verification")
plt = pyplot()
plt.rcParams["savefig.dpi"] = 80
page = []


def say(*lines):
    page.extend(lines)
    page.append("")


def table(head, rows):
    say("| " + " | ".join(head) + " |\n|" + "---|" * len(head) + "\n"
        + "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows))


def number(value, digits=3):
    return "–" if not math.isfinite(value) else f"{value:.{digits}g}"


def order(value):
    return "–" if not math.isfinite(value) else f"{value:.2f}"


def command(*arguments):
    done = subprocess.run([percuss_path, *arguments], cwd=work, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"percuss {' '.join(arguments)}:\n{done.stderr}")
    return done.returncode


def run(case, folder, *sets):
    options = [word for one in sets for word in ("--set", one)]
    if command("run", case, "--quiet", "-o", folder, *options) != 0:
        sys.exit(f"{folder}: the run failed or is not certified")
    return os.path.join(work, folder)


def converge(case, folder, refined, *sets):
    """The columns of convergence.csv."""
    options = [word for one in sets for word in ("--set", one)]
    certified = command("converge", case, "-o", folder, *refined, *options) == 0
    with open(os.path.join(work, folder, "convergence.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
    if not certified and columns["certified"].all():
        sys.exit(f"{folder}: the family failed")
    return columns


def picture(figure, name, text):
    save(figure, os.path.join(pictures, name))
    plt.close(figure)
    say(f"![{text}](doc/verification/{name})")


def over_size(axes, what):
    """Two axes of displacement, L2 and energy, over the size of the mesh."""
    for axis, title in zip(axes, ("displacement, $L^2$", "displacement, energy")):
        axis.set_title(title)
        axis.set_xlabel("mesh size")
        axis.set_ylabel(what)
        axis.set_xticks([1 / 32, 1 / 16, 1 / 8, 1 / 4], ["1/32", "1/16", "1/8", "1/4"])
        axis.xaxis.set_minor_locator(plt.NullLocator())
        axis.legend()


def geometry(base, name, **values):
    """A file that sets values and includes a geometry of this folder."""
    path = os.path.join(work, name + ".geo")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f"{key} = {value};\n" for key, value in values.items())
                   + f'Include "{os.path.join(here, base)}";\n')
    return path

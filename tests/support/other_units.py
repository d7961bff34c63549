#!/usr/bin/python3
"""A case in other units: the same problem, every number of it multiplied by what its dimension asks for.

    other_units.py CASE.yaml MASS LENGTH TIME FOLDER

writes FOLDER/case.yaml and, for a case with a mesh, FOLDER/mesh.msh. MASS, LENGTH and TIME are how many new units an old
one is. With powers of two every number is exact, and what the program makes of the case must be the same bits but for the
factors. Formulas are written anew around the old ones: f(x, y, t) becomes F*(f(x/L, y/L, t/T)).

A geometry is meshed once, by Gmsh's library, and its nodes are moved: Gmsh itself would make another mesh in other units.
"""
import ctypes
import ctypes.util
import glob
import os
import re
import sys

# dotted path -> powers of mass, length and time; what is not here has no dimension
DIMENSIONS = [
    (r"mesh\.size", (0, 1, 0)),
    (r"model\.thickness", (0, 1, 0)),
    (r"model\.gravity", (0, 1, -2)),
    (r"model\.body_force", (1, -2, -2)),
    (r"model\.damping\.mass", (0, 0, -1)),
    (r"model\.damping\.stiffness", (0, 0, 1)),
    (r"materials\.[^.]+\.young", (1, -1, -2)),
    (r"materials\.[^.]+\.density", (1, -3, 0)),
    (r"materials\.[^.]+\.damping\.mass", (0, 0, -1)),
    (r"materials\.[^.]+\.damping\.stiffness", (0, 0, 1)),
    (r"dashpots\.[^.]+\.(normal|tangential)", (1, -2, -1)),
    (r"bodies\.[^.]+\.mass", (1, 0, 0)),
    (r"bodies\.[^.]+\.inertia", (1, 2, 0)),
    (r"bodies\.[^.]+\.density", (1, -3, 0)),
    (r"bodies\.[^.]+\.(position|polygon|disc)", (0, 1, 0)),
    (r"bodies\.[^.]+\.velocity", (0, 1, -1)),
    (r"bodies\.[^.]+\.spin", (0, 0, -1)),
    (r"bodies\.[^.]+\.force", (1, 1, -2)),
    (r"bodies\.[^.]+\.moment", (1, 2, -2)),
    (r"bodies\.[^.]+\.(face\.point|motion\.[xy])", (0, 1, 0)),
    (r"obstacles\.[^.]+\.(plane\.point|disc\.(centre|radius)|motion\.([xy]|about))", (0, 1, 0)),
    (r"contacts\.[^.]+\.points", (0, 1, 0)),
    (r"contacts\.[^.]+\.plane\.point", (0, 1, 0)),
    (r"supports\.[^.]+\.[xy]", (0, 1, 0)),
    (r"loads\.[^.]+\.(traction|pressure)", (1, -1, -2)),
    (r"initial\.velocity", (0, 1, -1)),
    (r"exact\.displacement", (0, 1, 0)),
    (r"exact\.velocity", (0, 1, -1)),
    (r"time\.(end|step)", (0, 0, 1)),
    (r"contact\.gap_tolerance", (0, 1, 0)),
    (r"contact\.velocity_tolerance", (0, 1, -1)),
    (r"contact\.max_penetration", (0, 1, 0)),
    (r"probes\.[^.]+\.point", (0, 1, 0)),
]
# a point of a body that is given a density is moved with its corners: no other key has formulas in x, y or t without dimension
FORMULAS = r"contacts\.[^.]+\.(friction|restitution)|(bodies|obstacles)\.[^.]+\.motion\.rotation"


def power_of(path):
    for pattern, power in DIMENSIONS:
        if re.fullmatch(pattern, path):
            return power
    return (0, 0, 0)


def scaled(text, factor, length, time):
    """One number or formula of the case, in the new units."""
    bare = text.strip()
    if bare == "absorbing": # a word in place of a number
        return bare
    try:
        number = float(bare)
        return repr(number * factor) if factor != 1.0 else bare
    except ValueError:
        pass
    quote = bare[0] if bare[:1] in "\"'" else ""
    formula = bare.strip(quote) if quote else bare
    formula = re.sub(r"\b([xy])\b", f"(\\1/{length!r})", formula)
    formula = re.sub(r"\bt\b", f"(t/{time!r})", formula)
    return f'"{factor!r}*({formula})"'


def items(text):
    """The parts of a flow list, at the commas that are in no parentheses or quotes."""
    parts, depth, start, quote = [], 0, 0, ""
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        elif c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return parts + [text[start:]]


def value_in(text, factor, length, time):
    bare = text.strip()
    if bare.startswith("["):
        return "[" + ", ".join(value_in(part, factor, length, time) for part in items(bare[1:-1])) + "]"
    return scaled(bare, factor, length, time)


def without_comment(line):
    return re.sub(r"(^|\s)#.*$", "", line).rstrip()


def case_in(lines, mass, length, time):
    """The lines of a case in block style, one key a line."""
    out, path = [], []
    for line in lines:
        line = without_comment(line)
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        key, _, value = line.strip().partition(":")
        while path and path[-1][0] >= indent:
            path.pop()
        path.append((indent, key))
        dotted = ".".join(part for _, part in path)
        powers = power_of(dotted)
        factor = mass ** powers[0] * length ** powers[1] * time ** powers[2]
        if value.strip() and (any(powers) or re.fullmatch(FORMULAS, dotted)):
            value = " " + value_in(value, factor, length, time)
        out.append((dotted, " " * indent + key + ":" + value))
    return out


def meshed(path, size):
    """The text of a mesh file: as it is, or made of a geometry."""
    if path.endswith(".msh"):
        with open(path, encoding="utf-8") as file:
            return file.read()
    found = glob.glob("/usr/lib/*/libgmsh.so*") + [ctypes.util.find_library("gmsh")]
    gmsh = ctypes.CDLL([name for name in found if name][0])
    error, made = ctypes.c_int(0), "other-units.msh"
    gmsh.gmshInitialize(0, None, 0, 0, ctypes.byref(error))
    gmsh.gmshOptionSetNumber(b"General.Terminal", ctypes.c_double(0), ctypes.byref(error))
    if size:
        value = (ctypes.c_double * 1)(size)
        gmsh.gmshOnelabSetNumber(b"size", value, ctypes.c_size_t(1), ctypes.byref(error))
    gmsh.gmshOpen(os.fsencode(path), ctypes.byref(error))
    gmsh.gmshModelMeshGenerate(2, ctypes.byref(error))
    gmsh.gmshWrite(made.encode(), ctypes.byref(error))
    gmsh.gmshFinalize(ctypes.byref(error))
    with open(made, encoding="utf-8") as file:
        text = file.read()
    os.remove(made)
    return text


def mesh_in(text, length):
    """A mesh of format 4.1 in text with its coordinates multiplied."""
    lines, out, i = text.splitlines(), [], 0
    while i < len(lines):
        out.append(lines[i])
        if lines[i] == "$Entities":  # bounding boxes, which nobody needs, stay
            pass
        if lines[i] == "$Nodes":
            i += 1
            out.append(lines[i])
            blocks = int(lines[i].split()[0])
            for _ in range(blocks):
                i += 1
                out.append(lines[i])
                count = int(lines[i].split()[3])
                out += lines[i + 1:i + 1 + count]
                for line in lines[i + 1 + count:i + 1 + 2 * count]:
                    out.append(" ".join(repr(float(x) * length) for x in line.split()))
                i += 2 * count
        i += 1
    return "\n".join(out) + "\n"


def main():
    source, mass, length, time, folder = sys.argv[1], *map(float, sys.argv[2:5]), sys.argv[5]
    os.makedirs(folder, exist_ok=True)
    with open(source, encoding="utf-8") as file:
        lines = case_in(file.read().splitlines(), mass, length, time)
    mesh = size = None
    out = []
    for dotted, line in lines:
        if dotted == "mesh.file":
            mesh = os.path.join(os.path.dirname(source), line.split(":", 1)[1].strip())
            line = line.split(":")[0] + ": mesh.msh"
        if dotted == "mesh.size":
            size = float(line.split(":", 1)[1]) / length
            continue
        out.append(line)
    thickness = [dotted for dotted, _ in lines if dotted == "model.thickness"]
    if not thickness and length != 1.0:  # the default is a length of one
        model = [i for i, line in enumerate(out) if line.startswith("model:")]
        out[model[0] + 1:model[0] + 1] = [f"  thickness: {length!r}"]
    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")
    if mesh:
        with open(os.path.join(folder, "mesh.msh"), "w", encoding="utf-8") as file:
            file.write(mesh_in(meshed(mesh, size), length))


if __name__ == "__main__":
    main()

"""VTU and VTR files as numpy arrays, without VTK: what percuss writes, and what any VTK writes inline.

Cells of every kind are kept as VTK has them (types, offsets, connectivity); `triangles` and `outlines` cut the planar
ones into what can be drawn.
"""

import base64
import difflib
import os
import stat
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np


class Problem(Exception):
    """Something the user can put right; the text says what. Status: what a script ends with, 2 where what it was given is
    wrong, 1 where it cannot be done here."""

    def __init__(self, text, status=2):
        super().__init__(text)
        self.status = status


def no_field(name, names, also=(), more="", where=""):
    """The Problem of a field that is not there. names: what is; also: what may be meant besides; more: said behind the names."""
    near = difflib.get_close_matches(name, [*names, *also], n=1)
    meant = f", did you mean '{near[0]}'?" if near else ""
    return Problem(f"{where}no field '{name}'; there are: {', '.join(names) or 'none'}{more}{meant}")


def open_file(path, **how):
    """A file to be read, and nothing else: a pipe would hold us up for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Problem(f"{path}: not a file")
    return open(descriptor, **how)


# what damaged files make of numpy, zlib and the like
DAMAGED = (KeyError, ValueError, IndexError, StopIteration, TypeError, AttributeError, OverflowError, LookupError,
           MemoryError, zlib.error)


TYPES = {"Float32": "f4", "Float64": "f8", "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2",
         "Int32": "i4", "UInt32": "u4", "Int64": "i8", "UInt64": "u8"}

VERTEX, LINES, POLYGON = 1, (3, 21), 7  # VTK's cell types; a polygon has as many corners as it likes

# VTK's cell types by number: the corners and mid-side nodes around a cell, and the triangles that fill it. The nodes of a
# quadratic cell are its corners, then the middles of its sides, then (biquadratic) its centre.
OUTLINE = {3: (0, 1), 21: (0, 2, 1), 5: (0, 1, 2), 9: (0, 1, 2, 3), 22: (0, 3, 1, 4, 2, 5),
           23: (0, 4, 1, 5, 2, 6, 3, 7), 28: (0, 4, 1, 5, 2, 6, 3, 7)}
TRIANGLES = {5: ((0, 1, 2),), 9: ((0, 1, 2), (0, 2, 3)),
             22: ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)),
             23: ((0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6), (4, 6, 7)),
             28: ((0, 4, 8), (4, 1, 8), (1, 5, 8), (5, 2, 8), (2, 6, 8), (6, 3, 8), (3, 7, 8), (7, 0, 8))}


def decode(text, header, compressed, order):
    """The bytes of one inline DataArray: a base64 header of sizes, then the data, in zlib blocks if compressed."""
    text = "".join(text.split())
    head = np.dtype(order + header)

    def sizes(count):
        """The first `count` numbers of the header, and the number of characters they take in base64."""
        length = 4 * ((count * head.itemsize + 2) // 3)
        return np.frombuffer(base64.b64decode(text[:length])[:count * head.itemsize], head), length

    if not compressed:  # one base64 text holds the size and the data
        data = base64.b64decode(text)
        size = int(np.frombuffer(data[:head.itemsize], head)[0])
        return data[head.itemsize:head.itemsize + size]
    blocks = int(sizes(1)[0][0])
    if blocks == 0:
        return b""
    header_sizes, length = sizes(3 + blocks)
    data, parts, first = base64.b64decode(text[length:]), [], 0
    for size in header_sizes[3:]:
        parts.append(zlib.decompress(data[first:first + int(size)]))
        first += int(size)
    return b"".join(parts)


def read_array(item, root):
    """One DataArray as a numpy array: a row for each point or cell when it has components."""
    dtype = np.dtype(TYPES[item.get("type")])
    if item.get("format") == "ascii":
        values = np.array((item.text or "").split(), dtype=dtype)
    elif item.get("format") == "binary":
        order = "<" if root.get("byte_order", "LittleEndian") == "LittleEndian" else ">"
        data = decode(item.text or "", TYPES[root.get("header_type", "UInt32")], root.get("compressor"), order)
        values = np.frombuffer(data, dtype.newbyteorder(order)).astype(dtype)
    else:
        raise ValueError(f"format {item.get('format')} is not inline")
    components = int(item.get("NumberOfComponents") or 1)
    return values.reshape(-1, components) if components > 1 else values


def read_arrays(parent, tag, root):
    """All arrays below the first element of this name, by their names."""
    part = parent.find(tag)
    return {} if part is None else {item.get("Name"): read_array(item, root) for item in part.iter("DataArray")}


def parse(path, kind):
    """(root, pieces) of a VTK file of this kind."""
    if not os.path.exists(path):
        raise Problem(f"{path}: no such file")
    try:
        with open_file(path, mode="rb") as file:
            root = ElementTree.parse(file).getroot()
    except (ElementTree.ParseError, *DAMAGED) as error:
        raise Problem(f"{path}: not a readable VTK file: {error}") from None
    if root.get("type") != kind:
        raise Problem(f"{path}: a VTK file of type {root.get('type')}, expected {kind}")
    compressor = root.get("compressor")
    if compressor not in (None, "vtkZLibDataCompressor"):
        raise Problem(f"{path}: compressed by {compressor}, expected zlib or nothing")
    return root, root.findall(f"{kind}/Piece")


class Fields:
    """One output: points (n x 2, in space n x 3), cells as VTK has them, and the arrays on points and on cells."""

    def __init__(self, points, connectivity, offsets, types, on_points, on_cells):
        self.points, self.connectivity, self.offsets, self.types = points, connectivity, offsets, types
        self.on_points, self.on_cells = on_points, on_cells

    @property
    def in_space(self):
        return self.points.shape[1] == 3

    def names(self):
        return sorted({**self.on_points, **self.on_cells})

    def __contains__(self, name):
        return name in self.on_points or name in self.on_cells

    def __getitem__(self, name):
        """The array of this name, on the points where it is on both."""
        if name in self.on_points:
            return self.on_points[name]
        if name in self.on_cells:
            return self.on_cells[name]
        raise no_field(name, self.names())

    def nodes_of(self, kind, places):
        """(cells of this VTK type, their nodes at these places)."""
        chosen = np.flatnonzero(self.types == kind)
        return chosen, self.connectivity[(self.offsets[chosen])[:, None] + np.asarray(places, dtype=int)]

    def polygons(self):
        """(cells that are polygons, the nodes of each in turn)."""
        chosen = np.flatnonzero(self.types == POLYGON)
        ends = np.append(self.offsets, len(self.connectivity))[1:]
        return chosen, [self.connectivity[self.offsets[c]:ends[c]] for c in chosen]

    def has_bodies(self):
        """Are there outlines of rigid bodies that can be filled?"""
        return bool(np.any(self.types == POLYGON))

    def triangles(self):
        """(node numbers, n x 3; the cell each triangle is a part of)."""
        nodes, owner = [np.empty((0, 3), int)], [np.empty(0, int)]
        for kind, parts in TRIANGLES.items():
            for part in parts:
                chosen, found = self.nodes_of(kind, part)
                nodes.append(found)
                owner.append(chosen)
        return np.concatenate(nodes), np.concatenate(owner)

    def edges(self, surfaces_only=False):
        """Straight pieces around every cell: node numbers, n x 2; those that two cells share come twice."""
        pieces = [np.empty((0, 2), int)]
        for kind, around in OUTLINE.items():
            closed = kind not in LINES
            if surfaces_only and not closed:
                continue
            _, nodes = self.nodes_of(kind, around)
            following = np.roll(nodes, -1, axis=1)
            if not closed:
                nodes, following = nodes[:, :-1], following[:, :-1]
            pieces.append(np.stack([nodes, following], axis=2).reshape(-1, 2))
        if not surfaces_only:
            pieces += [np.column_stack([nodes, np.roll(nodes, -1)]) for nodes in self.polygons()[1]]
        return np.concatenate(pieces)

    def unique_edges(self, surfaces_only=False):
        """(edges, in how many cells each is)."""
        return np.unique(np.sort(self.edges(surfaces_only), axis=1), axis=0, return_counts=True)

    def boundary(self, surfaces_only=False):
        """Edges that belong to one cell only."""
        edges, count = self.unique_edges(surfaces_only)
        return edges[count == 1]

    def is_surface(self):
        return bool(np.isin(self.types, list(TRIANGLES)).any())


def check_arrays(path, arrays, n):
    """One row for each point or cell, and vectors where pictures want vectors."""
    for name, values in arrays.items():
        if len(values) != n:
            raise Problem(f"{path}: the field '{name}' has {len(values)} rows, expected {n}")
        least = {"displacement": 2, "velocity": 2, "stress": 3, "stress_recovered": 3, "contact_traction": 2}.get(name, 1)
        if (values.shape[1] if values.ndim > 1 else 1) < least:
            raise Problem(f"{path}: the field '{name}' has not {least} components")


def joined(pieces):
    """The arrays that all pieces have, one after the other."""
    return {name: np.concatenate([piece[name] for piece in pieces])
            for name in pieces[0] if all(name in piece for piece in pieces)} if pieces else {}


def pieces_of(path):
    """The files of a .pvtu, which has one for each process that shared the mesh."""
    root, _ = parse(path, "PUnstructuredGrid")
    names = [piece.get("Source") for piece in root.findall("PUnstructuredGrid/Piece")]
    if not names or not all(name and name == os.path.basename(name) for name in names):
        raise Problem(f"{path}: not a readable PVTU file: expected pieces in its own folder")
    return [os.path.join(os.path.dirname(path), name) for name in names]


def without_seams(fields):
    """Nodes that several pieces have become one."""
    if "node" not in fields.on_points:
        return fields
    _, first, place = np.unique(fields.on_points["node"], return_index=True, return_inverse=True)
    on_points = {name: values[first] for name, values in fields.on_points.items()}
    return Fields(fields.points[first], place.reshape(-1)[fields.connectivity], fields.offsets, fields.types, on_points, fields.on_cells)


def read_vtu(paths, may_be_empty=False):
    """The pieces of one output as one Fields."""
    given = [paths] if isinstance(paths, str) else paths
    if any(path.endswith(".pvtu") for path in given):
        files = [file for path in given for file in (pieces_of(path) if path.endswith(".pvtu") else [path])]
        return without_seams(read_vtu(files, may_be_empty))
    points, connectivity, ends, types, on_points, on_cells = [], [], [], [], [], []
    n_points, n_nodes = 0, 0
    for path in [paths] if isinstance(paths, str) else paths:
        root, pieces = parse(path, "UnstructuredGrid")
        try:
            for piece in pieces:
                cells = read_arrays(piece, "Cells", root)
                points.append(np.atleast_2d(next(iter(read_arrays(piece, "Points", root).values())))[:, :3].astype(float))
                if points[-1].shape[1] != 3 and len(points[-1]):
                    raise ValueError("points without three coordinates")
                points[-1] = points[-1].reshape(-1, 3)
                connectivity.append(cells["connectivity"].astype(int) + n_points)
                ends.append(cells["offsets"].astype(int) + n_nodes)
                types.append(cells["types"].astype(int))
                on_points.append(read_arrays(piece, "PointData", root))
                on_cells.append(read_arrays(piece, "CellData", root))
                n_points += len(points[-1])
                n_nodes += len(connectivity[-1])
            check_arrays(path, on_points[-1], len(points[-1]))
            check_arrays(path, on_cells[-1], len(types[-1]))
        except DAMAGED as error:
            raise Problem(f"{path}: not a readable VTU file: {error}") from None
    if n_points == 0 and not (may_be_empty and points):
        raise Problem(f"{paths}: a VTU file without points")
    paths = paths if isinstance(paths, str) else ", ".join(paths)
    nodes, bounds, types = np.concatenate(connectivity), np.concatenate([[0], *ends]), np.concatenate(types)
    sizes = np.diff(bounds)
    if (np.any(sizes < 0) or len(sizes) != len(types) or bounds[-1] != len(nodes) or np.any((nodes < 0) | (nodes >= n_points))
            or any(np.any(sizes[types == kind] < 1 + max(around + sum(TRIANGLES.get(kind, ()), ())))
                   for kind, around in OUTLINE.items())):
        raise Problem(f"{paths}: not a readable VTU file: cells of nodes that it does not have")
    points, on_points, on_cells = np.concatenate(points), joined(on_points), joined(on_cells)
    in_space = "quaternion" in on_cells or "force" in on_points or bool(np.any(points[:, 2] != 0.0))
    return Fields(points if in_space else points[:, :2], nodes, bounds[:-1], types, on_points, on_cells)


def read_vtr(path):
    """(x, y, arrays): coordinates, and arrays of shape (len(y), len(x)) or (len(y), len(x), components)."""
    root, pieces = parse(path, "RectilinearGrid")
    try:
        coordinates = list(read_arrays(pieces[0], "Coordinates", root).values())
        x, y = coordinates[0], coordinates[1]
        arrays = {name: values.reshape((len(y), len(x)) + values.shape[1:])
                  for name, values in read_arrays(pieces[0], "PointData", root).items()}
    except DAMAGED as error:
        raise Problem(f"{path}: not a readable VTR file: {error}") from None
    for what, values in (("position", x), ("time", y)):
        if values.ndim != 1 or not np.all(np.isfinite(values)) or np.any(np.diff(values) < 0.0):
            raise Problem(f"{path}: not a readable VTR file: its {what} does not grow")
    return x, y, arrays

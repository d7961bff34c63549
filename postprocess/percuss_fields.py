"""What pictures of a mesh need of its fields: scalars to colour by, derived fields, and how far to enlarge a displacement."""

import numpy as np

from percuss import Problem
from percuss_vtk import no_field

TENSOR = ("xx", "yy", "xy")


def von_mises(stress, zz=0.0):
    """From xx, yy, xy and the stress out of the plane, which is zero in plane stress."""
    xx, yy, xy = stress[:, 0], stress[:, 1], stress[:, 2]
    return np.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3.0 * xy * xy)


def velocity_gradients(fields, triangles):
    """(divergence, curl) of the velocity on each triangle, linear between its corners: compression waves have the one,
    shear waves the other."""
    a, b, c = (fields.points[triangles[:, i]] for i in range(3))
    u, v, w = (fields["velocity"][triangles[:, i], :2] for i in range(3))
    double_area = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    d_x = ((v - u) * (c - a)[:, 1:2] - (w - u) * (b - a)[:, 1:2]) / double_area[:, None]
    d_y = ((w - u) * (b - a)[:, 0:1] - (v - u) * (c - a)[:, 0:1]) / double_area[:, None]
    return d_x[:, 0] + d_y[:, 1], d_x[:, 1] - d_y[:, 0]


QUANTITY = {"displacement": "length", "velocity": "velocity", "stress": "stress", "stress_recovered": "stress",
            "contact_traction": "stress", "contact_gap": "length", "energy_density": "energy density",
            "kinetic_energy": "energy", "spin": "rate"}


class Scalar:
    """Values on points, on cells or on triangles, with the words for them."""

    def __init__(self, values, place, label, quantity):
        self.values, self.place, self.label, self.quantity = values, place, label, quantity

    def with_values(self, values, place):
        """The same quantity elsewhere."""
        return Scalar(values, place, self.label, self.quantity)

    def axis_label(self, units):
        if self.quantity is None:
            return self.label
        return units.label(self.label, self.quantity)


def scalar_of(fields, name, component=None, prefer_cells=False):
    """The field the user named, as a Scalar; of what is on points and on cells that of the points, unless cells are preferred."""
    if name in ("divergence", "curl") and name not in fields and "velocity" in fields:
        values = velocity_gradients(fields, fields.triangles()[0])
        return Scalar(values[name == "curl"], "triangles", f"{name} of the velocity", "rate")
    if name not in fields:
        if name == "von_mises":
            name, component = "stress", "von_mises"
        elif name.startswith("stress_"):
            name, component = "stress", name[len("stress_"):]
    if name not in fields:
        of_velocity = "velocity" in fields and fields.is_surface()
        also = ["von_mises"] if "stress" in fields else []
        more = ", divergence, curl (of the velocity)" if of_velocity else ""
        raise no_field(name, fields.names(), also + ["divergence", "curl"] * of_velocity, more)
    # stress belongs to cells; what is recovered at nodes is smoother than what was computed
    on_cells = name in fields.on_cells and (prefer_cells or name == "stress" or name not in fields.on_points)
    place = "cells" if on_cells else "points"
    values = (fields.on_points if place == "points" else fields.on_cells)[name]
    quantity = QUANTITY.get(name)
    if values.ndim == 1:
        if component is not None:
            raise Problem(f"field '{name}' has one component only")
        return Scalar(values, place, name.replace("_", " "), quantity)
    out_of_plane = fields.on_cells.get("stress_out_of_plane") if name == "stress" and place == "cells" else None
    return component_of(values, place, name, component, quantity, out_of_plane)


def component_of(values, place, name, component, quantity, out_of_plane=None):
    n = values.shape[1]
    components = {str(i): i for i in range(n)}
    if name.startswith("stress"):
        components.update({axis: i for i, axis in enumerate(TENSOR)})
        if component in (None, "von_mises"):
            if out_of_plane is None:
                return Scalar(von_mises(values), place, "von Mises stress (plane)", quantity)
            return Scalar(von_mises(values, out_of_plane), place, "von Mises stress", quantity)
    else:
        components.update({axis: i for i, axis in enumerate("xyz"[:n])})
        if component in (None, "magnitude"):
            return Scalar(np.linalg.norm(values, axis=1), place, f"{name}, magnitude", quantity)
    if component not in components:
        raise Problem(f"no component '{component}' of '{name}'; there are: {', '.join(components)}")
    return Scalar(values[:, components[component]], place, f"{name}, {component}", quantity)


def automatic_warp(points, displacement):
    """1, 2, 3, 5 or 8 times a power of ten, so that the largest displacement shows as about 5 % of the body."""
    size = np.linalg.norm(np.ptp(points, axis=0))
    largest = np.max(np.linalg.norm(displacement, axis=1), initial=0.0)
    if not largest > 0.0 or not size > 0.0:
        return 1.0
    wanted = 0.05 * size / largest
    decade = 10.0 ** np.floor(np.log10(wanted))
    return max(1.0, decade * max(k for k in (1.0, 2.0, 3.0, 5.0, 8.0) if k * decade <= wanted * (1.0 + 1e-9)))


def mean_over_area(points, triangles, values):
    """Of values on the points, linear over the triangles."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    area = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    return np.average(np.mean(values[triangles], axis=1), axis=0, weights=area if np.sum(area) > 0.0 else None)


def displacement_of(fields):
    """Of each point, x and y; zero where the run has none."""
    return fields["displacement"][:, :2] if "displacement" in fields else np.zeros_like(fields.points)


def hides_deformation(fields, triangles):
    """Is the displacement so much a translation that enlarging it would only carry the body away?"""
    displacement = displacement_of(fields)
    rest = displacement - mean_over_area(fields.points, triangles, displacement)
    largest = np.max(np.linalg.norm(displacement, axis=1))
    deformation = np.max(np.linalg.norm(rest, axis=1))
    # a body that is held shows its displacement; one in free flight has no deformation but rounding
    return 1e-5 * largest < deformation < 0.5 * largest


def displacement_shown(fields, without_mean):
    displacement = displacement_of(fields)
    if without_mean:
        displacement = displacement - mean_over_area(fields.points, fields.triangles()[0], displacement)
    return displacement


def automatic_view(points, outputs, axisymmetric=False):
    """(without the mean translation?, the enlargement that suits the largest displacement) of outputs on a mesh. A ring that
    grows is no translation."""
    require_numbers(*(displacement_of(fields) for fields in outputs))
    largest = max(outputs, key=lambda fields: np.max(np.abs(displacement_of(fields)), initial=0.0))
    without_mean = not axisymmetric and bool(hides_deformation(largest, largest.triangles()[0]))
    shown = [displacement_shown(fields, without_mean) for fields in outputs]
    warps = [automatic_warp(points, u) for u in shown if np.any(u)]
    return without_mean, float(min(warps)) if warps else 1.0


def require_numbers(*arrays):
    if not all(np.all(np.isfinite(array)) for array in arrays):
        raise Problem("the output has values that are not numbers")

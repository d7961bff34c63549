"""Bodies in space as pixels, with numpy alone: a camera, what is in front of what, light and shadow.

A pixel shows the polygon that is nearest there (a depth buffer), so that bodies may stand in each other and in any order."""

import numpy as np

FIELD_OF_VIEW = np.radians(24.0)


def unit(vector):
    return vector / np.linalg.norm(vector)


class Camera:
    """Looks at a place from a direction: azimuth about z from the x axis, elevation above the plane, both in degrees."""

    def __init__(self, azimuth, elevation, look_at, distance):
        a, e = np.radians(azimuth), np.radians(np.clip(elevation, -89.9, 89.9))
        self.back = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])  # towards the camera
        self.right = np.array([-np.sin(a), np.cos(a), 0.0])
        self.up = np.cross(self.back, self.right)
        self.look_at, self.distance = np.asarray(look_at, float), distance
        self.place = self.look_at + distance * self.back
        self.scale, self.shift = 1.0, np.zeros(2)

    def seen(self, points):
        """Coordinates to the right, up and ahead of the camera."""
        d = points - self.place
        return np.stack([d @ self.right, d @ self.up, -(d @ self.back)], axis=-1)

    def on_screen(self, seen):
        """(pixels, to the right and down; nearness, which is linear in the pixels of a plane)."""
        nearness = 1.0 / seen[..., 2]
        x = seen[..., 0] * nearness * self.scale + self.shift[0]
        y = -seen[..., 1] * nearness * self.scale + self.shift[1]
        return np.stack([x, y], axis=-1), nearness

    def pixels(self, points):
        return self.on_screen(self.seen(points))[0]

    def fit(self, points, width, margins, zoom=1.0):
        """Fills a picture of this width with the points; margins: left, right, top, bottom, in pixels. Returns its height."""
        left, right, top, bottom = margins
        self.scale, self.shift = 1.0, np.zeros(2)
        flat = self.on_screen(self.seen(points))[0]
        low, high = flat.min(axis=0), flat.max(axis=0)
        size = np.maximum(high - low, 1e-9 * max(np.max(high - low), 1e-300))
        inner = width - left - right
        height = int(np.clip(size[1] / size[0] * inner, 0.35 * inner, 0.85 * inner))
        self.scale = zoom * min(inner / size[0], height / size[1])
        middle = 0.5 * (low + high) if zoom == 1.0 else np.zeros(2)
        self.shift = np.array([left + 0.5 * inner, top + 0.5 * height]) - self.scale * middle
        return height + top + bottom

    def directions(self, width, height, step):
        """Of the pixels of a picture whose pixels are so many of ours: from the camera, one unit ahead."""
        x = ((np.arange(width) + 0.5) * step - self.shift[0]) / self.scale
        y = -((np.arange(height) + 0.5) * step - self.shift[1]) / self.scale
        return x[None, :, None] * self.right + y[:, None, None] * self.up - self.back


class Light:
    """Rays that are parallel, for shadows: a picture as seen from the sun."""

    def __init__(self, direction, points, size):
        self.direction = unit(np.asarray(direction, float))
        helper = [0.0, 0.0, 1.0] if abs(self.direction[2]) < 0.9 else [1.0, 0.0, 0.0]
        self.right = unit(np.cross(helper, self.direction))
        self.up = np.cross(self.direction, self.right)
        flat = np.stack([points @ self.right, points @ self.up], axis=-1)
        self.low, self.size = flat.min(axis=0), size
        self.scale = (size - 2) / max(float(np.max(flat.max(axis=0) - self.low)), 1e-300)

    def on_screen(self, points):
        flat = np.stack([points @ self.right, points @ self.up], axis=-1)
        return (flat - self.low) * self.scale + 1.0, points @ self.direction


def cut_near(polygon, nearest):
    """What of a polygon, in the camera's coordinates, is further ahead than `nearest`."""
    ahead, kept = polygon[:, 2] - nearest, []
    for k in range(len(polygon)):
        j = (k + 1) % len(polygon)
        if ahead[k] >= 0.0:
            kept.append(polygon[k])
        if (ahead[k] >= 0.0) != (ahead[j] >= 0.0):
            kept.append(polygon[k] + ahead[k] / (ahead[k] - ahead[j]) * (polygon[j] - polygon[k]))
    return np.array(kept).reshape(-1, 3)


def fill_triangle(corners, nearness, number, near, number_of):
    """Pixels in the triangle where it is nearer than what is there."""
    height, width = near.shape
    x0, y0 = np.maximum(np.ceil(corners.min(axis=0) - 0.5), 0).astype(int)
    x1 = min(int(np.floor(corners[:, 0].max() - 0.5)), width - 1)
    y1 = min(int(np.floor(corners[:, 1].max() - 0.5)), height - 1)
    if x1 < x0 or y1 < y0:
        return
    (ax, ay), (bx, by), (cx, cy) = corners
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if area == 0.0:
        return
    x, y = np.arange(x0, x1 + 1) + 0.5 - ax, (np.arange(y0, y1 + 1) + 0.5 - ay)[:, None]
    b = (x * (cy - ay) - y * (cx - ax)) / area
    c = (y * (bx - ax) - x * (by - ay)) / area
    value = nearness[0] + b * (nearness[1] - nearness[0]) + c * (nearness[2] - nearness[0])
    part = near[y0:y1 + 1, x0:x1 + 1]
    shown = (b >= 0.0) & (c >= 0.0) & (b + c <= 1.0) & (value > part)
    part[shown] = value[shown]
    number_of[y0:y1 + 1, x0:x1 + 1][shown] = number


def fill_ball(centre, nearness, radius, rise, number, near, number_of):
    """A sphere as a disc on the screen; rise: by how much its middle is nearer than its rim."""
    height, width = near.shape
    x0, y0 = np.maximum(np.floor(centre - radius), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(centre + radius).astype(int), [width - 1, height - 1])
    if x1 < x0 or y1 < y0:
        return
    x, y = (np.arange(x0, x1 + 1) + 0.5 - centre[0]) / radius, ((np.arange(y0, y1 + 1) + 0.5 - centre[1]) / radius)[:, None]
    inside = 1.0 - x * x - y * y
    value = nearness + rise * np.sqrt(np.maximum(inside, 0.0))
    part = near[y0:y1 + 1, x0:x1 + 1]
    shown = (inside > 0.0) & (value > part)
    part[shown] = value[shown]
    number_of[y0:y1 + 1, x0:x1 + 1][shown] = number


class Buffer:
    """What is nearest in each pixel: the number of a polygon or ball, -1: nothing."""

    def __init__(self, width, height):
        self.near = np.full((height, width), -np.inf)
        self.number = np.full((height, width), -1, dtype=np.int32)

    def add_polygon(self, corners, nearness, number):
        for k in range(1, len(corners) - 1):
            fill_triangle(corners[[0, k, k + 1]], nearness[[0, k, k + 1]], number, self.near, self.number)


class Model:
    """Polygons and balls: corners of each polygon, with its unit normal, body and colour; balls by centre and radius, their numbers
    behind those of the polygons."""

    def __init__(self, polygons, of_body, colours, both_sides, centres=(), radii=()):
        self.polygons, self.n = polygons, len(polygons)
        self.body, self.colour, self.both_sides = np.asarray(of_body, int), np.asarray(colours, float), both_sides
        self.centres, self.radii = np.asarray(centres, float).reshape(-1, 3), np.asarray(radii, float)
        self.normal = np.array([normal_of(p) for p in polygons]).reshape(-1, 3)

    def all_points(self):
        parts = [np.concatenate(self.polygons)] if self.n else []
        for sign in (-1.0, 1.0):
            parts.append(self.centres + sign * self.radii[:, None])
        return np.concatenate(parts)


def normal_of(polygon):
    """By Newell's sum: also of polygons with corners in one place."""
    following = np.roll(polygon, -1, axis=0)
    normal = np.cross(polygon - polygon[0], following - polygon[0]).sum(axis=0)
    length = np.linalg.norm(normal)
    return normal / length if length > 0.0 else normal


def draw_camera(model, camera, width, height, factor):
    """A buffer that has `factor` pixels for each of the picture, along both."""
    buffer = Buffer(width * factor, height * factor)
    nearest = 1e-2 * camera.distance
    towards = np.array([np.dot(n, camera.place - p[0]) for n, p in zip(model.normal, model.polygons)])
    for k in np.flatnonzero((towards > 0.0) | model.both_sides):
        seen = camera.seen(model.polygons[k])
        if np.any(seen[:, 2] < nearest):
            seen = cut_near(seen, nearest)
        if len(seen) >= 3:
            flat, near = camera.on_screen(seen)
            buffer.add_polygon(factor * flat, near, k)
    if len(model.centres):
        seen = camera.seen(model.centres)
        flat, near = camera.on_screen(seen)
        front = 1.0 / np.maximum(seen[:, 2] - model.radii, nearest)
        for k in np.flatnonzero(seen[:, 2] > nearest):
            fill_ball(factor * flat[k], near[k], factor * camera.scale * near[k] * model.radii[k], front[k] - near[k],
                      model.n + k, buffer.near, buffer.number)
    return buffer


def draw_light(model, light):
    buffer = Buffer(light.size, light.size)
    for k in np.flatnonzero((model.normal @ light.direction > 0.0) & ~model.both_sides):
        flat, near = light.on_screen(model.polygons[k])
        buffer.add_polygon(flat, near, k)
    flat, near = light.on_screen(model.centres)
    for k in range(len(model.centres)):
        fill_ball(flat[k], near[k], light.scale * model.radii[k], model.radii[k], model.n + k, buffer.near, buffer.number)
    return buffer


def shadowed(light, buffer, places, allowance):
    """Is there something between these places and the sun?"""
    flat, near = light.on_screen(places)
    at = flat.astype(int)
    inside = np.all((at >= 0) & (at < light.size), axis=-1)
    at = np.clip(at, 0, light.size - 1)
    return inside & (buffer.near[at[:, 1], at[:, 0]] > near + allowance)


def edges(buffer, model):
    """Pixels between two bodies, or two faces of one that meet at more than 25 degrees."""
    number = buffer.number
    body = np.append(np.concatenate([model.body, model.body.max(initial=0) + 1 + np.arange(len(model.centres))]), -9)
    normal = np.concatenate([model.normal, np.zeros((len(model.centres) + 1, 3))])
    found = np.zeros(number.shape, dtype=bool)
    for one, other, mark in ((number[:, :-1], number[:, 1:], found[:, :-1]), (number[:-1], number[1:], found[:-1])):
        where = np.nonzero(one != other)
        a, b = one[where], other[where]
        differ = (body[a] != body[b]) | (np.sum(normal[a] * normal[b], axis=1) < np.cos(np.radians(25.0)))
        mark[where[0][differ], where[1][differ]] = True
    return found


def picture(model, camera, width, height, factor=2):
    """The picture as height x width x 3 numbers from 0 to 1."""
    buffer = draw_camera(model, camera, width, height, factor)
    rows, columns = np.nonzero(buffer.number >= 0)
    number, near = buffer.number[rows, columns], buffer.near[rows, columns]
    x = ((columns + 0.5) / factor - camera.shift[0]) / camera.scale
    y = -((rows + 0.5) / factor - camera.shift[1]) / camera.scale
    places = camera.place + (x[:, None] * camera.right + y[:, None] * camera.up - camera.back) / near[:, None]
    normal = np.concatenate([model.normal, np.zeros((len(model.centres), 3))])[number]
    ball = number >= model.n
    if np.any(ball):
        k = number[ball] - model.n
        normal[ball] = (places[ball] - model.centres[k]) / model.radii[k][:, None]
    toward = camera.place - places
    normal = np.where(np.sum(normal * toward, axis=1)[:, None] < 0.0, -normal, normal)
    sun = unit(0.75 * camera.back - 0.75 * camera.right + 1.0 * np.array([0.0, 0.0, 1.0]))
    lit = np.clip(normal @ sun, 0.0, 1.0)
    light = Light(sun, model.all_points(), 1500)
    dark = shadowed(light, draw_light(model, light), places + 2.0 / light.scale * normal, 1.5 / light.scale)
    lit = np.where(dark, 0.0, lit)
    shade = 0.62 + 0.12 * normal[:, 2] + 0.36 * lit
    image = np.ones((*buffer.number.shape, 3))
    image[rows, columns] = np.clip(model.colour[number] * shade[:, None], 0.0, 1.0)
    image[edges(buffer, model)] *= 0.25
    return image.reshape(height, factor, width, factor, 3).mean(axis=(1, 3))

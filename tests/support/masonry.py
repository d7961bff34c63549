#!/usr/bin/env python3
"""Writes the blocks of a masonry wall, a table that cases/masonry-*.yaml read:

    masonry.py LAYERS BLOCKS BUTTRESSES [FALLEN]      masonry.py rock

LAYERS of BLOCKS, BLOCKS - 1, ... blocks of 1 x 2 x 1 m along y, with joints of 0.01 m all around, and so many buttresses of 20 blocks
behind it, every 5 m. FALLEN: seconds for which all above the first layer has fallen when the case begins.

    10 20 6 0.01      masonry-rockfall: 275 blocks, those of Siconos' tutorial "tall wall with buttresses"
    4 8 0             masonry-small: 26 blocks
    10 200 40         2 755 blocks: how the cost grows

rock: the corners of the boulder, for the case."""
import math
import sys

ANGLES = [1.143194140731269, 0.6247636994959747, 0.4198206059540749, 1.1116480956118107, 0.8965451614785596, 0.8819019228647785,
          0.2592675582459427, 0.22899315888913663, 0.23837569282753324, 0.6585606791241505, 1.0084563758002816, 0.9096785924063177,
          0.8633716705085941, 1.1215975890657788, 1.1983269522076825, 0.5443688021200721]
SIGNS = ["+++", "+-+", "-++", "--+", "++-", "+--", "-+-", "---"]


def main_wall(layers, blocks):
    for k in range(layers):
        for j in range(blocks - k):
            yield "wall", k, -0.505, (j - (blocks - k) / 2) * 2.01


def buttress(origin):
    """Layers of four along x. 0.02 m behind where they are published, so that they do not overlap the wall."""
    for w in range(5, 0, -1):
        for j in range(4):
            half = j == (3 if w % 2 == 0 else 0)
            shift = (-0.5 if w % 2 == 0 else 0.5) if half else 0.0
            yield "half" if half else "buttress", 5 - w, (j - (4 + w % 2) / 2) * 2.01 - 3 + shift - 0.02, 0.505 - (origin - 1)


def blocks_of(layers, blocks, buttresses):
    yield from main_wall(layers, blocks)
    for k in range(buttresses):
        yield from buttress(2.5 * (buttresses - 1) + 2.5 - 5 * k)


def rock():
    def sign(c):
        return 1.0 if c == "+" else -1.0
    corner = []
    for i, s in enumerate(SIGNS):
        a, b = ANGLES[2 * i], ANGLES[2 * i + 1]
        corner.append((sign(s[0]) * math.cos(a) * math.cos(b), sign(s[1]) * math.sin(a) * math.cos(b), sign(s[2]) * math.sin(b)))
    extent = max(max(c[k] for c in corner) - min(c[k] for c in corner) for k in range(3))
    return [tuple(5.0 / extent * x for x in c) for c in corner]


def main():
    if sys.argv[1:] == ["rock"]:
        for c in rock():
            print("      - [%.15g, %.15g, %.15g]" % c)
        return
    layers, blocks, buttresses = (int(x) for x in sys.argv[1:4])
    fallen = float(sys.argv[4]) if len(sys.argv) > 4 else 0.0
    print("# Made by tests/support/masonry.py %s" % " ".join(sys.argv[1:]))
    print("# wall: 1 x 2 x 1 m; buttress: 2 x 1 x 1 m; half: 1 x 1 x 1 m")
    print("group,x,y,z,vx,vy,vz" if fallen else "group,x,y,z")
    for group, k, x, y in blocks_of(layers, blocks, buttresses):
        falls = fallen if k > 0 else 0.0
        row = (x, y, 0.5 + k * 1.01 - 9.81 * falls ** 2 / 2)
        print(",".join([group] + ["%.12g" % v for v in row + ((0.0, 0.0, -9.81 * falls) if fallen else ())]))


main()

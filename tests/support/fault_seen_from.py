#!/usr/bin/python3
"""The earthquake of cases/fault-small.yaml in other directions and units: the same mesh and the same case, turned, mirrored and scaled.

    fault_seen_from.py FOLDER SIZE END STEP ANGLE MIRRORED UNIT EXCHANGED

writes FOLDER/case.yaml and FOLDER/mesh.msh, of squares of SIZE (m), until END in steps of STEP (s). ANGLE turns all, anticlockwise, by less than a right angle;
MIRRORED 1 is the image in a mirror across the fault; UNIT is how many new units of length, mass and time a metre, a kilogram and a second are (1000: mm,
g, ms); EXCHANGED 1: what touched is touched.
"""
import math
import os
import sys

HALF, WIDTH, HEIGHT = 7500, 13500, 9000


def mesh(path, size, place):
    across, up = round(2 * WIDTH / size), round(2 * HEIGHT / size)
    cells = [(c, r) for r in range(up) for c in range(across)]
    fault = [c for c in range(across) if abs((c + 0.5) * size - WIDTH) < HALF]
    with open(path, "w", encoding="utf-8") as f:
        f.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 "fault"\n2 2 "rock"\n$EndPhysicalNames\n')
        f.write(f"$Nodes\n{(across + 1) * (up + 1)}\n")
        for r in range(up + 1):
            for c in range(across + 1):
                x, y = place(c * size - WIDTH, r * size - HEIGHT)
                f.write(f"{r * (across + 1) + c + 1} {x!r} {y!r} 0\n")
        f.write(f"$EndNodes\n$Elements\n{len(cells) + len(fault)}\n")
        at = lambda c, r: r * (across + 1) + c + 1
        number = 0
        for c in fault:
            number += 1
            f.write(f"{number} 1 2 1 1 {at(c, up // 2)} {at(c + 1, up // 2)}\n")
        for c, r in cells:
            number += 1
            corners = [at(c, r), at(c + 1, r), at(c + 1, r + 1), at(c, r + 1)]
            f.write(f"{number} 3 2 2 2 " + " ".join(map(str, corners if flip > 0 else corners[::-1])) + "\n")
        f.write("$EndElements\n")


CASE = """name: fault
mesh: {{file: mesh.msh}}
model: {{plane: strain, thickness: {unit!r}, mass: consistent}}
materials:
  rock: {{young: {young!r}, poisson: 0.250022, density: {density!r}}}
contacts:
  fault:
    split: fault
    sliding: small
{between}    friction: {{law: slip-weakening, static: 0.677, kinetic: 0.525, distance: {distance!r}}}
    prestress:
      normal: {normal!r}
      shear: "{shear}"
time: {{end: {end!r}, step: {step!r}, theta: 0.55, law: fremond}}
output: {{every: 0, contacts: true}}
"""

folder, size, end, step, angle, unit = sys.argv[1], *(float(a) for a in (*sys.argv[2:6], sys.argv[7]))
flip = -1 if sys.argv[6] == "1" else 1
cos, sin = math.cos(angle), math.sin(angle)
stress = 1 / unit**2 # M L^-1 T^-2
os.makedirs(folder, exist_ok=True)
mesh(os.path.join(folder, "mesh.msh"), size, lambda x, y: (unit * (flip * x * cos - y * sin), unit * (flip * x * sin + y * cos)))
along = f"({flip / unit!r} * ({cos!r} * x + {sin!r} * y))"
shear = f"{flip * stress!r} * if(abs({along}) < 1500, 81.6e6, if({along} > -6000 && {along} < -3000, 78e6, if({along} > 3000 && {along} < 6000, 62e6, 70e6)))"
with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
    file.write(CASE.format(unit=unit, young=8.00967e10 * stress, density=2670 / unit**2, distance=0.4 * unit, normal=120e6 * stress, shear=shear,
                           end=end * unit, step=step * unit, between="    between: [fault.left, fault.right]\n" if sys.argv[8] == "1" else ""))

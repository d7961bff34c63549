#!/usr/bin/python3
# Reads a run in Python, cell by cell; each part stands alone (in Spyder, VS Code or Jupyter with jupytext, `# %%` begins a cell).
#
#   PYTHONPATH=postprocess /usr/bin/python3 postprocess/example.py results/sliding-block

# %% the run
import sys

import numpy as np

import percuss

run = percuss.load(sys.argv[1] if len(sys.argv) > 1 else "results/sliding-block")
print(f"{run.name}: {run.record['steps_done']} steps, certificate: {run.certificate['verdict']}")

# %% energies, every step; works are positive when given to the system
energy = run.energy
total = energy["kinetic"] + energy["elastic"]
given = energy["work_external"] + energy["work_contact_normal"] + energy["work_contact_tangential"]
given += energy["work_damping"] + energy["dissipation_numerical"] + energy["driven"] + energy["work_boundary"] + energy["projection"]
off = np.max(np.abs(total - total[0] - given))
print(f"energy at the end: {total[-1]:.6g}; the balance closes to {off / np.max(total):.1e} of the largest energy")

# %% contact lines: time x position
for name, line in run.contacts.items():
    status = line["status"]
    for word, value in (("open", percuss.OPEN), ("sticking", percuss.STICK), ("sliding", percuss.SLIP)):
        print(f"{name}: {100.0 * np.mean(status == value):.1f} % {word}")
    k = np.unravel_index(np.argmax(line["traction_normal"]), status.shape)
    print(f"{name}: largest normal traction {line['traction_normal'][k]:.4g} at x = {line.position[k[1]]:g}, "
          f"t = {line.time[k[0]]:g}")

# %% fields of an output: points x components
fields = run.fields(0.5 * run.times[-1])
speed = np.linalg.norm(fields["velocity"], axis=1)
fastest = np.argmax(speed)
print(f"fastest of {len(speed)} nodes: {speed[fastest]:.4g} at ({fields.points[fastest][0]:.4g}, "
      f"{fields.points[fastest][1]:.4g})")

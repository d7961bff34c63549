"""Bars that strike a wall and bounce against d'Alembert; the sliding block on floors that are ever harder, and what runs along its contact."""

import math
import os

import numpy as np

from page import cases, here, picture, plt, run, say, table

import percuss

T = 2 / 3  # how long the bouncing bar is held: 2 L / c


def exact(t):
    """height of the end of the bouncing bar, and the force on it"""
    s = (t - 1) % (2 * (T + 2))
    if t < 1:
        return 5 - 5 * t * t, 0
    if s < T:
        return 0, 300 + 300 * s
    if s < T + 2:
        s -= T
        r = s % T
        return 10 * s - 5 * s * s - 20 / 30 * (10 * r - 15 * r * r), 0
    s -= T + 2
    if s < T:
        return 0, 500 - 300 * s
    s -= T
    return 10 * s - 5 * s * s, 0


def once():
    say("## Bars against walls", "`cases/confined-bar.yaml`, in plane strain between smooth walls, should be held for 68.951 µs by 92.819 MN. The force is the "
        "mean from 0.2 to 1.5 L/c, before waves faster than the front are back; steps of half of what a wave needs for an edge.")
    rows = []
    for mass in ("consistent", "lumped", "modified"):
        for size in (0.005, 0.0025, 0.00125):
            r = percuss.load(run(os.path.join(cases, "confined-bar.yaml"), f"wall-{mass}-{size}", f"model.mass={mass}", f"mesh.size={size}",
                                 f"time.step={8e-5 * size:g}", "output.every=0"))
            t, p, e = r.forces["t"], r.forces["near_force_normal"], r.energy
            on, middle = t[p > 46.4e6], np.abs((t - 5e-6) / 34.476e-6 - 0.85) < 0.65
            rows.append([mass, size, f"{1e6 * (on[-1] - on[0] + t[1]):.1f}", f"{p[middle].mean() / 92.819096e6:.5f}",
                         f"{p.sum() * t[1] / 6400:.4f}", f"{-100 * e['work_contact_normal'][-1] / e['kinetic'][0]:.2f}"])
    table(["mass", "size, m", "held, µs", "force / 92.819 MN", "impulse / 6 400 N s", "energy lost, %"], rows)


def bounces():
    say("### Many bounces", "`cases/bouncing-bar.yaml`, the bar on which Doyen, Ern & Piperno compare schemes: it falls endwise from a height of 5, and by d'Alembert comes "
        "back for ever, its energy of 500 kept, held for 2/3 by a force of 300 … 500 and of 500 … 300 in turn. "
        "By the number of the contact, how late it begins and the rms error of the force within; then how far the end ever was in the ground, and the energy after eight contacts.")
    figure, axes = plt.subplots(3, 1, figsize=(9, 6.4), sharex=True)
    rows = []
    for mass, scheme, size in [(m, "theta", s) for m in ("consistent", "lumped", "modified") for s in (0.1, 0.05, 0.025)] + [("lumped", "ggl", 0.1)]:
        more = ["time.scheme=ggl", "contact.activation=gap"] if scheme == "ggl" else []
        r = percuss.load(run(os.path.join(cases, "bouncing-bar.yaml"), f"bounces-{scheme}-{mass}-{size}", f"model.mass={mass}", f"mesh.size={size}",
                             f"time.step={0.02 * size:g}", "output.checkpoint=0", *more))
        t, p, e, height = r.forces["t"], r.forces["near_force_normal"], r.energy, 5 + r.probes["near_u_x"]
        truth = np.array([exact(s) for s in t])
        total = e["kinetic"] + e["elastic"] - e["work_external"]
        row = [scheme, mass, size]
        for n in (0, 1, 3, 5, 7):
            at = 1 + (T + 2) * n
            on, within = t[(p > 150) & (abs(t - at - T / 2) < T / 2 + 0.5)], (t > at + 0.1) & (t < at + T - 0.1)
            row.append(f"{on[0] - at:+.3f}; {math.sqrt(((p - truth[:, 1])[within] ** 2).mean()):.0f}")
        rows.append(row + [f"{max(0.0, -height.min()):.1e}", f"{500 + total[-1]:.1f}"])
        if size == 0.1:
            for axis, values in zip(axes, (height, p, 500 + total)):
                axis.plot(t, values, linewidth=0.8, label=f"{scheme}, {mass}")
    for axis, values, name in zip(axes, (truth[:, 0], truth[:, 1], 0 * t + 500), ("height of the end", "force", "energy")):
        axis.plot(t, values, "k--", linewidth=0.8, label="d'Alembert")
        axis.set_ylabel(name)
    axes[1].set_ylim(0, 800)
    axes[2].legend(fontsize="x-small", ncol=3)
    axes[2].set_xlabel("t")
    table(["scheme", "mass", "size"] + [f"contact {n}" for n in (1, 2, 4, 6, 8)] + ["depth", "energy"], rows)
    picture(figure, "bouncing-bar.png", "The bar that bounces, edges of 0.1")
    say(open(os.path.join(here, "findings-bounces.md"), encoding="utf-8").read().strip())


# ---- floors ------------------------------------------------------------------------------------------------------------------------


class Line:
    """The contact line from contacts.csv: step x node."""
    def __init__(self, folder):
        with open(os.path.join(folder, "contacts.csv"), encoding="utf-8") as file:
            head = file.readline().strip().split(",")
            at = [head.index(name) for name in ("step", "t", "point", "x", "status", "u_t_before", "u_t_after", "p_n")]
            rows = np.array([[float(cell) for cell in map(line.split(",").__getitem__, at)] for line in file])
        points, first = np.unique(rows[:, 2], return_index=True)
        place = rows[first, 3].argsort().argsort()
        step, node = rows[:, 0].astype(int), place[np.searchsorted(points, rows[:, 2])]
        self.h, self.edge = rows[-1, 1] / rows[-1, 0], 40 / (len(points) - 1)
        self.status, self.slip, self.p = (np.zeros((step.max() + 1, len(points))) for _ in range(3))
        self.slip[step, node], self.p[step, node] = rows[:, 5:7].mean(axis=1), rows[:, 7] / self.h / self.edge / 15
        self.status[step, node] = np.where(rows[:, 7] <= 0, 0, rows[:, 4])

    def front(self):
        """speed of the edge of what slips, over x = 4 ... 18"""
        x = np.arange(self.p.shape[1]) * self.edge
        among = (x >= 4) & (x <= 18)
        return 1 / np.polyfit(x[among], (self.status == 2).argmax(axis=0)[among] * self.h, 1)[0]

    def turned(self):
        """speed at which the news runs along, x = 10 ... 34, that the load has turned at 0.25: slip rates over 1e-3 ms have fallen by a tenth"""
        k, w, x = round(0.25 / self.h), round(1e-3 / self.h), np.arange(self.p.shape[1]) * self.edge
        total = np.cumsum(np.vstack([np.zeros(len(x)), self.slip]), axis=0)
        mean = (total[w:] - total[:-w]) / w
        since = (mean[k:k + round(0.025 / self.h)] < 0.9 * mean[k - w]).argmax(axis=0) * self.h
        among = (x >= 10) & (x <= 34)
        return 1 / np.polyfit(x[among], since[among], 1)[0]

    def open_between(self, least, most):
        """largest share of the nodes from x = 12 to 36 mm that are open at a time, and in the mean"""
        inner = slice(round(12 / self.edge), round(36 / self.edge) + 1)
        share = (self.status[round(least / self.h) + 1:round(most / self.h) + 1, inner] == 0).mean(axis=1)
        return f"{100 * share.max():.0f} %, {100 * share.mean():.1f} %"


def floors():
    say("## The sliding block on floors that give", "`cases/two-blocks.yaml`, the block of the following section on a floor of the same, and on floors 10, 100 and 1 000 times as stiff, against the "
        "same block on a rigid floor (`tests/verification/rigid-floor.yaml`, the same uniform stress at the start): parts by which values differ. All falls as one over the stiffness. "
        "Last, the speed in mm/ms at which the edge of what slips first runs in from the side that is pushed.")
    case, rigid = os.path.join(cases, "two-blocks.yaml"), os.path.join(here, "rigid-floor.yaml")
    common = ("output.every=0", "output.checkpoint=0", "output.contacts=true", "output.contact_every=1")
    press = run(rigid, "floor-press", "time.analysis=quasi-static", "time.end=1", "time.step=1", "supports.top.y=-0.005*t", "supports.right.x=0",
                "contacts.bottom.friction=0", "loads.left.traction=[0, 0]", "initial.state=rest")
    hard = run(rigid, "floor-rigid", *common, "time.end=0.36", "initial.state=end_of", f"initial.run={press}")
    folders = [(str(k), run(case, f"floor-{k}", *common, "time.end=0.36", "model.gravity=[0, 0]", f"materials.floor.young={5750 * k}")) for k in (1, 10, 100, 1000)]

    def values(folder):
        r = percuss.load(folder)
        return np.array([r.energy["kinetic"][500], r.energy["kinetic"][1000], r.energy["work_contact_tangential"][500],
                         r.energy["work_external"][1000], r.forces["bottom_slip_mean"][1000]])
    truth = values(hard)
    rows = [[k] + [f"{v:.1e}" for v in abs(values(folder) / truth - 1)] + [f"{Line(folder).front():.0f}"] for k, folder in folders]
    table(["stiffness", "kinetic, t = 0.05", "0.1", "work of friction, 0.05", "of the load, 0.1", "mean slip, 0.1", "edge of slip"],
          rows + [["rigid"] + ["–"] * 5 + [f"{Line(hard).front():.0f}"]])

    say("### What runs along the contact", "The paper supposes, from a picture of the block, waves of separation and slip pulses along the contact. From its x–t diagrams: in plane stress c_P = 2 374, "
        "c_S = 1 345, Rayleigh's wave 1 237 mm/ms. The load turns at t = 0.25. Open, of the nodes between x = 12 and 36 mm: the most at a time, and the mean.")
    fine = run(case, "floor-fine", *common, "time.end=0.36", "mesh.size=0.5", "time.step=5e-5")
    damped = run(case, "floor-damped", *common, "time.end=0.36", "time.theta=0.6")
    hard_damped = run(rigid, "floor-rigid-damped", *common, "time.end=0.36", "time.theta=0.6", "initial.state=end_of", f"initial.run={press}")
    lines = [("the same, 1 mm", Line(folders[0][1])), ("the same, 0.5 mm", Line(fine)), ("the same, 1 mm, θ = 0.6", Line(damped)),
             ("10 times", Line(folders[1][1])), ("rigid", Line(hard)), ("rigid, θ = 0.6", Line(hard_damped))]
    table(["floor", "open, t < 0.25", "0.25 … 0.36"], [[name, line.open_between(0, 0.25), line.open_between(0.25, 0.36)] for name, line in lines])
    say(f"The news that the load has turned runs along the contact with {lines[2][1].turned():.0f} mm/ms (θ = 0.6).")
    figure, axes = plt.subplots(3, 3, figsize=(9, 11), sharex=True, sharey=True)
    for row, (name, line) in zip(axes, (lines[1], lines[2], lines[4])):
        k = slice(round(0.25 / line.h), None)
        for axis, values, options in zip(row, (line.status, line.slip, line.p), ({"cmap": "viridis"}, {"cmap": "RdBu", "vmin": -5, "vmax": 5}, {"cmap": "magma", "vmin": 0, "vmax": 2.5})):
            axis.imshow(values[k], aspect="auto", origin="lower", extent=[0, 40, 0.25, 0.36], interpolation="nearest", **options)
        row[0].set_ylabel(f"{name}: t (ms)")
    for axis, title in zip(axes[0], ("open, sticking, sliding", "slip rate", "pressure")):
        axis.set_title(title)
    for axis in axes[2]:
        axis.set_xlabel("x (mm)")
    picture(figure, "elastic-floor.png", "Contact over place and time after the load has turned: dark is open; slip rates from -5 to 5 mm/ms, pressures up to 2.5 MPa")
    say(open(os.path.join(here, "findings-floors.md"), encoding="utf-8").read().strip())


def impacts():
    once()
    bounces()
    floors()

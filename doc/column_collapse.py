#!/usr/bin/env python3
"""Run-out of columns of discs against their aspect: cases/column-collapse.yaml for several numbers of grains, and a picture.

    python3 doc/column_collapse.py PERCUSS FOLDER PICTURE.png [N...]

PERCUSS is the program, FOLDER takes the results (runs that are there are not made again), N are numbers of grains. Printed are of each column
the aspect a = h0/d0 when the gate opens, the run-out (d - d0)/d0 of what hangs together in the end, and both against 3.25 a^0.96 below
a = 1.5 and 3.80 a^0.73 above (R. Zenit, Phys. Fluids 17, 031703, 2005). The picture has besides what discs did in the simulations of L. Staron & E. J.
Hinch (J. Fluid Mech. 545, 2005), 2.5 a to a = 2 and 3.25 a^0.7 above, and sand in a channel (G. Lube et al., Phys. Rev. E 72, 041301, 2005), 1.2 a to
a = 2.3 and 1.9 a^(2/3) above: grains and codes differ by a factor of two to three.
"""
import csv
import math
import os
import subprocess
import sys

D0 = 0.21  # width of the column, m
FLOOR = 0.005  # top of the glued grains
RELEASE = 0.25  # s
TOUCH = 0.0105  # centres that are nearer touch: the largest diameter and a little


def law(a):
    return 3.25 * a ** 0.96 if a < 1.5 else 3.80 * a ** 0.73


def run(percuss, folder, n):
    """the results of a column of n grains: long enough for the fall, on a floor that is long enough"""
    out = os.path.join(folder, 'column-%d' % n)
    a = n / 400
    end = RELEASE + 0.05 * math.ceil(20 * (0.4 + 5.0 * math.sqrt(a * D0 / 9.81)))
    floor = math.ceil((1.5 * D0 * law(a) + 2.5 * D0) / 0.01)
    case = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cases', 'column-collapse.yaml')
    if not os.path.exists(os.path.join(out, 'certificate.json')):
        subprocess.run([percuss, 'run', case, '--quiet', '--set', 'bodies.grain.count=%d' % n, '--set',
                        'bodies.glued.count=%d' % floor, '--set', 'time.end=%.9g' % end, '--set', 'output.every=0',
                        '--set', 'output.table_every=100', '-o', out],
                       check=False)
    return out


def states(out):
    """the centres of the grains when the gate opens, and at the end"""
    then, last, now = [], [], None
    with open(os.path.join(out, 'bodies.csv')) as file:
        for row in csv.DictReader(file):
            if not row['body'].startswith('grain'):
                continue
            if row['step'] != now:
                now, last = row['step'], []
            point = (float(row['x']), float(row['y']), math.hypot(float(row['vx']), float(row['vy'])))
            last.append(point)
            if abs(float(row['t']) - RELEASE) < 1e-9:
                then.append(point)
    return then, last


def reach(points):
    """how far the grains go that hang together with the one nearest to the corner of wall and floor"""
    cells = {}
    for k, (x, y, _) in enumerate(points):
        cells.setdefault((int(x // TOUCH), int(y // TOUCH)), []).append(k)
    first = min(range(len(points)), key=lambda k: points[k][0] + points[k][1])
    seen, todo = {first}, [first]
    while todo:
        x, y, _ = points[todo.pop()]
        cell = int(x // TOUCH), int(y // TOUCH)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                for k in cells.get((cell[0] + i, cell[1] + j), []):
                    if k not in seen and math.hypot(points[k][0] - x, points[k][1] - y) < TOUCH:
                        seen.add(k)
                        todo.append(k)
    return max(points[k][0] for k in seen) + 0.005, len(seen)


def draw(rows, picture):
    import matplotlib
    matplotlib.use('Agg')
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(5.2, 3.8), constrained_layout=True)
    for name, style, change, low, high in (
            ('Zenit', 'k-', 1.5, (3.25, 0.96), (3.80, 0.73)),
            ('Staron & Hinch', 'k--', 2.0, (2.5, 1.0), (3.25, 0.7)),
            ('Lube et al., sand', 'k:', 2.3, (1.2, 1.0), (1.9, 2 / 3))):
        a = [0.35 + 0.01 * k for k in range(666)]
        axes.plot(a, [f * x ** p for x in a for f, p in [low if x < change else high]], style, label=name, linewidth=1)
    axes.plot([a for a, _ in rows], [r for _, r in rows], 'o', color='tab:red', label='percuss')
    axes.set_xscale('log')
    axes.set_yscale('log')
    axes.set_xticks([0.5, 1, 2, 4, 6], ['0.5', '1', '2', '4', '6'])
    axes.set_yticks([0.5, 1, 2, 4, 8, 16], ['0.5', '1', '2', '4', '8', '16'])
    axes.minorticks_off()
    axes.set_xlabel('aspect $a = h_0/d_0$')
    axes.set_ylabel('run-out $(d - d_0)/d_0$')
    axes.legend(frameon=False)
    figure.savefig(picture, dpi=150)


def main():
    percuss, folder, picture = sys.argv[1:4]
    rows = []
    print('grains  aspect  run-out  expected  ratio  hang together  fastest, m/s')
    for n in [int(word) for word in sys.argv[4:]] or [200, 280, 400, 600, 800, 1200, 1600, 2400]:
        then, last = states(run(percuss, folder, n))
        a = 2 * (sum(y for _, y, _ in then) / len(then) - FLOOR) / D0
        d, together = reach(last)
        rows.append((a, (d - D0) / D0))
        print('%6d  %6.3f  %7.3f  %8.3f  %5.2f  %13d  %.2g' % (n, a, rows[-1][1], law(a), rows[-1][1] / law(a), together,
                                                             max(v for *_, v in last)), flush=True)
    draw(rows, picture)


if __name__ == '__main__':
    main()

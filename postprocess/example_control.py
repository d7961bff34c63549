#!/usr/bin/python3
"""A program that steers a run: a feedback of velocity stops the sliding cube, against the closed form.

  example_control.py [CASE]      default: the case sliding-cube that comes with percuss

A cube of mass m slides over a rough floor. In each step the program pushes its centre by -c v, on top of friction mu m g:

  m dv/dt = -c v - mu m g,   v = (v_0 + mu m g / c) exp(-c t / m) - mu m g / c,

at rest after t = (m / c) log(1 + c v_0 / (mu m g)), sooner than v_0 / (mu g) without the feedback. A force stands over a step as it is when
that begins, so the answer is of first order in the step.
"""

import math
import sys

import percuss

GRAVITY, DRAG = 9.81, 3.0  # DRAG: c / m, per second


def stop(case, drag):
    """Steps until the cube rests; the time, and the largest distance from the closed form."""
    run = percuss.Run(case, set={"time.end": 10})
    body = next(iter(run.bodies.values()))
    x = body.dofs.start  # its dofs: velocity, then spin
    mass, start = run.mass[x], run.v[x]
    friction = None
    rest = worst = 0.0

    def push(run):
        run.force[x] = -drag * mass * run.v[x]

    push(run)
    while not run.over and abs(run.v[x]) > 1e-6 * start:
        run.step()
        if friction is None:  # as the first step had it: the part of the percussions along x, over m g h
            friction = -(run.v[x] - start + drag * start * run.step_size) / (GRAVITY * run.step_size)
        push(run)
        level = friction * GRAVITY / drag if drag else 0.0
        exact = ((start + level) * math.exp(-drag * run.time) - level) if drag else start - friction * GRAVITY * run.time
        worst = max(worst, abs(run.v[x] - max(exact, 0.0)))
        rest = run.time
    certificate = run.certificate()
    expected = math.log(1.0 + drag * start / (friction * GRAVITY)) / drag if drag else start / (friction * GRAVITY)
    print(f"feedback {drag:g}: at rest at {rest:.4g}, expected {expected:.4g}; velocity off by {worst:.2g} of {start:g}; "
          f"friction {friction:.4g}; certificate: {certificate['verdict']}")
    return rest, worst


def main():
    case = sys.argv[1] if len(sys.argv) > 1 else "sliding-cube"
    free, _ = stop(case, 0.0)
    held, _ = stop(case, DRAG)
    return 0 if held < free else 1


if __name__ == "__main__":
    sys.exit(main())

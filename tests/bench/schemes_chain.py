"""A chain of rods that hangs on revolute joints and falls from the horizontal, as a case of percuss: schemes_chain.py RODS > chain.yaml"""
import sys

n = int(sys.argv[1])
half = 0.5 / n  # the chain has the length 1 and the mass 1
print("name: chain-of-%d\nunits: none\nbodies:" % n)
for k in range(n):
    print("  rod%d: {mass: %.17g, inertia: %.17g, position: [%.17g, 0], polygon: [[%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g]]}" % (
        k, 1 / n, (2 * half)**2 / n / 12, (2 * k + 1) * half, -half, -0.1 * half, half, -0.1 * half, half, 0.1 * half, -half, 0.1 * half))
print("joints:")
for k in range(n):
    print("  j%d: {type: revolute, between: [%s, rod%d], at: [%.17g, 0]}" % (k, "rod%d" % (k - 1) if k else "ground", k, 2 * k * half))
print("model:\n  gravity: [0, -9.81]\ntime:\n  end: 0.5\n  step: 1e-3\n  theta: 0.5\noutput:\n  every: 0")

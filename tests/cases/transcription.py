"""The schemes of Bruls, Acary & Cardona (2014), equation by equation, for the smallest systems: what percuss is compared with. Plain lists,
dense elimination, contacts by trying all active sets; nothing here is percuss's. Equation numbers are the paper's."""

import itertools
import math


def solve(A, b):
    """A x = b by elimination with pivots; A and b are kept."""
    n = len(b)
    rows = [list(A[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            if factor != 0.0:
                for j in range(k, n + 1):
                    rows[i][j] -= factor * rows[k][j]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


class Constants:
    """(31): those of the spectral radius rho at infinity."""
    def __init__(self, rho):
        self.am, self.af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.af - self.am
        self.beta = 0.25 * (self.gamma + 0.5) ** 2


class System:
    """mass: diagonal. force(t, q, v). Constraints are functions of q that return g and its gradient: joints g = 0, contacts g >= 0."""
    def __init__(self, mass, force, contacts, restitution, joints=()):
        self.mass, self.force, self.contacts, self.e, self.joints = mass, force, contacts, restitution, joints


def complementary(rows, mass, joints, right, active):
    """x = M^-1 G'l, of joints G x = right, of the contacts listed 0 <= G x - right _|_ l >= 0: by trying which contacts push."""
    n = len(mass)
    active = list(active)
    for count in range(len(active) + 1):
        for pushing in itertools.combinations(active, count):
            chosen = list(range(joints)) + [joints + c for c in pushing]
            W = [[math.fsum(rows[i][k] * rows[j][k] / mass[k] for k in range(n)) for j in chosen] for i in chosen]
            l = solve(W, [right[i] for i in chosen]) if chosen else []
            if any(value < 0.0 for value in l[joints:]):
                continue
            full = [0.0] * len(rows)
            for i, value in zip(chosen, l):
                full[i] = value
            x = [math.fsum(rows[i][k] * full[i] for i in chosen) / mass[k] for k in range(n)]
            if all(dot(rows[joints + c], x) - right[joints + c] >= -1e-13 for c in active if c not in pushing):
                return x, full
    raise ValueError("no set of contacts fits")


def steps_of_levels(system, q, v, h, rho, n_steps, modified=False, passes=100):
    """(29)-(30), activated at the prediction of (32), or with (25) and (27). Yields of each step t, q, v and the multipliers nu (of
    positions), Lambda (impulses), lambda~ (forces of joints); step 0 first."""
    k = Constants(rho)
    mass, joints, n = system.mass, len(system.joints), len(q)
    constraints = list(system.joints) + list(system.contacts)

    def look(at):
        found = [constraint(at) for constraint in constraints]
        return [g for g, _ in found], [row for _, row in found]

    def smooth(t, at, speed, rows, right, factor):
        """M a = f + G'l with G (factor a) = right, (29a)-(29b)"""
        force = system.force(t, at, speed)
        free = [f / m for f, m in zip(force, mass)]
        W = [[factor * math.fsum(rows[i][c] * rows[j][c] / mass[c] for c in range(n)) for j in range(joints)] for i in range(joints)]
        l = solve(W, [right[i] - factor * dot(rows[i], free) for i in range(joints)]) if joints else []
        return [free[c] + math.fsum(rows[i][c] * l[i] for i in range(joints)) / mass[c] for c in range(n)], l

    def bias(at, speed, rows):
        """The rate of G, times v, by a central difference that the start alone needs"""
        d = 1e-5
        _, ahead = look([a + d * b for a, b in zip(at, speed)])
        _, behind = look([a - d * b for a, b in zip(at, speed)])
        return [-(dot(x, speed) - dot(y, speed)) / (2 * d) for x, y in zip(ahead[:joints], behind[:joints])]

    gaps, rows = look(q)
    dv, l = smooth(0.0, q, v, rows, bias(q, v, rows), 1.0)
    a, count = list(dv), len(constraints)
    yield 0.0, list(q), list(v), [0.0] * count, [0.0] * count, l
    for step in range(1, n_steps + 1):
        t = step * h
        before = [dot(row, v) for row in rows]
        nq, nv, ndv = list(q), list(v), list(dv)
        nu, impulse = [0.0] * count, [0.0] * count
        for _ in range(passes):
            last = nq + nv
            gaps, now = look(nq)
            base = [((1 - k.gamma) * a[c] + k.gamma * (k.af * dv[c] - k.am * a[c]) / (1 - k.am)) * h + v[c] for c in range(n)]
            factor = h * k.gamma * (1 - k.af) / (1 - k.am)
            ndv, l = smooth(t, nq, nv, now, [-dot(row, base) for row in now], factor)
            na = [((1 - k.af) * ndv[c] + k.af * dv[c] - k.am * a[c]) / (1 - k.am) for c in range(n)]
            tv = [v[c] + h * (1 - k.gamma) * a[c] + h * k.gamma * na[c] for c in range(n)]
            tq = [q[c] + h * v[c] + h * h * ((0.5 - k.beta) * a[c] + k.beta * na[c]) for c in range(n)]
            near = [c for c in range(len(system.contacts)) if look(tq)[0][joints + c] <= 0.0]

            def velocity_level():
                e = [0.0] * joints + list(system.e)
                right = [-dot(now[i], tv) - e[i] * before[i] for i in range(count)]
                jump, impulse = complementary(now, mass, joints, right, near)
                return [tv[c] + jump[c] for c in range(n)], impulse

            if modified:  # h eta = nu - h Lambda is complementary to g, (25) and (27)
                nv, impulse = velocity_level()
                tq = [tq[c] + h * math.fsum(now[i][c] * impulse[i] for i in range(count)) / mass[c] for c in range(n)]
            right = [-(gaps[i] + dot(now[i], [tq[c] - nq[c] for c in range(n)])) for i in range(count)]
            move, nu = complementary(now, mass, joints, right, range(len(system.contacts)))
            nq = [tq[c] + move[c] for c in range(n)]
            if modified:
                nu = [nu[i] + h * impulse[i] for i in range(count)]
            else:
                nv, impulse = velocity_level()
            if max(abs(x - y) for x, y in zip(nq + nv, last)) <= 1e-15 * max(1.0, max(abs(x) for x in nq + nv)):
                break
        q, v, dv, a = nq, nv, ndv, na
        _, rows = look(q)
        yield t, list(q), list(v), nu, impulse, l


def smooth_alpha(mass, force, q, v, h, rho, n_steps):
    """(51)-(52) of one coordinate q >= 0; yields t, q, v, the force of the contact."""
    k = Constants(rho)
    dv = a = force / mass
    yield 0.0, q, v, 0.0
    for step in range(1, n_steps + 1):
        def end(contact):
            rate = (force + contact) / mass
            new = ((1 - k.af) * rate + k.af * dv - k.am * a) / (1 - k.am)
            return q + h * v + h * h * ((0.5 - k.beta) * a + k.beta * new), v + h * (1 - k.gamma) * a + h * k.gamma * new, rate, new
        contact = 0.0
        if end(0.0)[0] < 0.0:
            contact = -end(0.0)[0] / (end(1.0)[0] - end(0.0)[0])
        q, v, dv, a = end(contact)
        if contact > 0.0:
            q = 0.0
        yield step * h, q, v, contact


def theta_ball(mass, force, e, theta, q, v, h, n_steps, ahead=False):
    """(50) of one coordinate q >= 0, activated at q_n, or at q_n + h v_n; yields t, q, v, Lambda."""
    yield 0.0, q, v, 0.0
    for step in range(1, n_steps + 1):
        free, impulse = v + h * force / mass, 0.0
        if q + (h * v if ahead else 0.0) <= 0.0:
            impulse = max(0.0, -mass * (free + e * v))
        new = free + impulse / mass
        q, v = q + h * ((1 - theta) * v + theta * new), new
        yield step * h, q, v, impulse


# ---- the systems of the paper --------------------------------------------------------------------------------------------


def ball():
    """The bouncing ball; q is its gap."""
    return System([1.0], lambda t, q, v: [-10.0], [lambda q: (q[0], [1.0])], [0.8])


def pendulum():
    def first(q):
        return q[0] - math.cos(q[2]), [1.0, 0.0, math.sin(q[2])]

    def second(q):
        return q[1] - math.sin(q[2]), [0.0, 1.0, -math.cos(q[2])]

    def wall(q):
        return q[0] - math.sqrt(0.5), [1.0, 0.0, 0.0]

    return System([1.0, 1.0, 0.1], lambda t, q, v: [0.0, -10.0, 0.0], [wall], [0.8], [first, second])


def block():
    """The rocking block, 1 wide and 1.5 high; contact 1 is that of the corner on the right for positive angles, as in (53)."""
    def corner(sign):
        def g(q):
            s, c = math.sin(q[2]), math.cos(q[2])
            return q[1] - 0.75 * c + sign * 0.5 * s, [0.0, 1.0, 0.75 * s + sign * 0.5 * c]
        return g
    J = (1 + 1.5 ** 2) / 12
    return System([1.0, 1.0, J], lambda t, q, v: [0.0, -9.81, 0.0], [corner(1.0), corner(-1.0)], [0.5, 0.5])


class Bar:
    """The elastic bar: n elements, lumped, or consistent mass; contact at node 0, whose displacement starts at the gap. (29)-(30) and (50)-(52)
    of a linear chain with one contact, with a tridiagonal factor. Yields t, gap, velocity of node 0, impulse or force, energy, mean velocity."""
    def __init__(self, n=200, young=900.0, density=1.0, length=10.0, gap=5.005, speed=-10.0, lumped=True):
        d = length / n
        self.n, self.young, self.d = n + 1, young, d
        share = (1 / 2, 0.0) if lumped else (1 / 3, 1 / 6)
        self.M = [[0.0] * self.n, [0.0] * self.n]  # diagonal, and the entry to the right of it
        self.K = [[0.0] * self.n, [0.0] * self.n]
        for i in range(n):
            for j in (i, i + 1):
                self.M[0][j] += share[0] * density * d
                self.K[0][j] += young / d
            self.M[1][i] += share[1] * density * d
            self.K[1][i] -= young / d
        self.q, self.v = [gap] * self.n, [speed] * self.n
        self.gap = gap

    @staticmethod
    def times(A, x):
        n = len(x)
        return [A[0][i] * x[i] + (A[1][i] * x[i + 1] if i + 1 < n else 0.0) + (A[1][i - 1] * x[i - 1] if i > 0 else 0.0)
                for i in range(n)]

    @staticmethod
    def factor(A):
        diagonal, lower = [A[0][0]], []
        for i in range(1, len(A[0])):
            lower.append(A[1][i - 1] / diagonal[-1])
            diagonal.append(A[0][i] - lower[-1] * A[1][i - 1])
        return diagonal, lower

    @staticmethod
    def back(F, b):
        diagonal, lower = F
        y = list(b)
        for i in range(1, len(y)):
            y[i] -= lower[i - 1] * y[i - 1]
        x = [y[i] / diagonal[i] for i in range(len(y))]
        for i in range(len(x) - 2, -1, -1):
            x[i] -= lower[i] * x[i + 1]
        return x

    def energy(self):
        return 0.5 * dot(self.v, self.times(self.M, self.v)) + 0.5 * dot(self.q, self.times(self.K, self.q))

    def mean(self):
        mass = self.times(self.M, [1.0] * self.n)
        return dot(mass, self.v) / math.fsum(mass)

    def add(self, x, factor, y):
        return [a + factor * b for a, b in zip(x, y)]

    def ggl(self, h, rho, n_steps, e=0.0):
        k, n = Constants(rho), self.n
        c = (1 - k.af) / (1 - k.am)
        b, g = h * h * k.beta * c, h * k.gamma * c
        S = self.factor([self.add(m, b, s) for m, s in zip(self.M, self.K)])
        first = self.back(self.factor(self.M), [1.0] + [0.0] * (n - 1))  # M^-1 H'
        a = [0.0] * n
        dv = [0.0] * n
        for step in range(1, n_steps + 1):
            old = [(k.af * dv[i] - k.am * a[i]) / (1 - k.am) for i in range(n)]
            tq = self.add(self.add(self.q, h, self.v), h * h, self.add([(0.5 - k.beta) * x for x in a], k.beta, old))
            tv = self.add(self.v, h, self.add([(1 - k.gamma) * x for x in a], k.gamma, old))
            # M dv' = -K q',  q' = tq + b dv' + first nu,  nu >= 0 _|_ q'_0 >= 0
            free = self.back(S, [-x for x in self.times(self.K, tq)])
            pushed = self.back(S, [-x for x in self.times(self.K, first)])
            q0, q1 = tq[0] + b * free[0], first[0] + b * pushed[0]
            nu = max(0.0, -q0 / q1)
            rate = self.add(free, nu, pushed)
            near = tq[0] + b * rate[0] <= 0.0
            speed = self.v[0]
            q = self.add(self.add(tq, b, rate), nu, first)
            v = self.add(tv, g, rate)
            impulse = max(0.0, -(v[0] + e * speed) / first[0]) if near else 0.0
            v = self.add(v, impulse, first)
            a = self.add(old, c, rate)
            dv = rate
            self.q, self.v = q, v
            yield step * h, q[0], v[0], impulse, self.energy(), self.mean()

    def smooth(self, h, rho, n_steps):
        """(51)-(52): the force that keeps g >= 0, as a function of the step's end; yields the force in the place of the impulse"""
        k, n = Constants(rho), self.n
        c = (1 - k.af) / (1 - k.am)
        b, g = h * h * k.beta * c, h * k.gamma * c
        S = self.factor([self.add(m, b, s) for m, s in zip(self.M, self.K)])
        pushed = self.back(S, [1.0] + [0.0] * (n - 1))
        a, dv = [0.0] * n, [0.0] * n
        for step in range(1, n_steps + 1):
            old = [(k.af * dv[i] - k.am * a[i]) / (1 - k.am) for i in range(n)]
            tq = self.add(self.add(self.q, h, self.v), h * h, self.add([(0.5 - k.beta) * x for x in a], k.beta, old))
            tv = self.add(self.v, h, self.add([(1 - k.gamma) * x for x in a], k.gamma, old))
            free = self.back(S, [-x for x in self.times(self.K, tq)])
            force = max(0.0, -(tq[0] + b * free[0]) / (b * pushed[0]))
            dv = self.add(free, force, pushed)
            self.q, self.v, a = self.add(tq, b, dv), self.add(tv, g, dv), self.add(old, c, dv)
            yield step * h, self.q[0], self.v[0], force, self.energy(), self.mean()

    def theta(self, h, theta, n_steps, e=0.0):
        A = self.factor([self.add(m, h * h * theta * theta, s) for m, s in zip(self.M, self.K)])
        pushed = self.back(A, [1.0] + [0.0] * (self.n - 1))
        for step in range(1, n_steps + 1):
            # (50) of a linear system: M (v' - v) + h K (q + theta (q' - q)) = H'L
            force = self.times(self.K, self.add(self.q, h * theta, self.v))
            free = self.add(self.v, 1.0, self.back(A, [-h * x for x in force]))
            impulse = max(0.0, -(free[0] + e * self.v[0]) / pushed[0]) if self.q[0] <= 0.0 else 0.0
            new = self.add(free, impulse, pushed)
            self.q = self.add(self.q, h, self.add([(1 - theta) * x for x in self.v], theta, new))
            self.v = new
            yield step * h, self.q[0], new[0], impulse, self.energy(), self.mean()

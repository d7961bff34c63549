"""Units of a run, as its case names them (`units: mm g ms`), and labels of axes with them."""

import math

# of base units: the power of ten that leads to metre, gram and second
LENGTH, MASS, TIME = {"m": 0}, {"g": 0, "t": 6}, {"s": 0}
PREFIX = {"n": -9, "u": -6, "µ": -6, "m": -3, "c": -2, "d": -1, "": 0, "k": 3, "M": 6, "G": 9}
NAMED = {power: prefix for prefix, power in PREFIX.items() if power % 3 == 0 and prefix != "u"}

# quantity: powers of length, mass and time; and the derived unit of SI it has, if any
QUANTITIES = {
    "length": (1, 0, 0, None), "time": (0, 0, 1, None), "mass": (0, 1, 0, None), "velocity": (1, 0, -1, None),
    "force": (1, 1, -2, "N"), "stress": (-1, 1, -2, "Pa"), "energy": (2, 1, -2, "J"), "rate": (0, 0, -1, None),
    "percussion": (1, 1, -1, None), "position multiplier": (1, 1, 0, None), "energy density": (-1, 1, -2, None),
}


def power_of_ten(name, bases):
    """Of a unit like mm or kg; None when it is not one of these."""
    for base, power in bases.items():
        if name.endswith(base) and name[:len(name) - len(base)] in PREFIX:
            return power + PREFIX[name[:len(name) - len(base)]]
    return None


class Units:
    """`text`: the names of the units of length, mass and time, or 'none' for a case without dimensions, or empty."""

    def __init__(self, text=""):
        self.names = (text or "").replace("$", r"\$").split()
        self.known = len(self.names) == 3
        self.none = self.names == ["none"]

    def tens(self):
        """Powers of ten that lead to metre, gram and second; None where a name is none of these."""
        tens = [power_of_ten(unit, bases) for unit, bases in zip(self.names, (LENGTH, MASS, TIME))]
        return tens if self.known and None not in tens else None

    def can_become(self, other):
        return self.names == other.names or (self.tens() is not None and other.tens() is not None)

    def factor_to(self, other, quantity):
        """What a number of this quantity is to be multiplied by to be in the units of the other; None: it has no unit."""
        if quantity is None or self.names == other.names:
            return 1.0
        powers = QUANTITIES[quantity][:3]
        return 10.0 ** sum(p * (mine - theirs) for p, mine, theirs in zip(powers, self.tens(), other.tens()))

    def derived(self, powers, name):
        """Newton, pascal or joule with a prefix, where the units of the case come to that."""
        tens = [power_of_ten(unit, bases) for unit, bases in zip(self.names, (LENGTH, MASS, TIME))]
        if name is None or None in tens:
            return None
        total = sum(p * t for p, t in zip(powers, tens)) - 3 * powers[1]  # the kilogram is SI's unit of mass
        return NAMED[total] + name if total in NAMED else None

    def of(self, quantity):
        """The unit of a quantity as text; None when the case does not say."""
        if self.none:
            return "–"
        if not self.known:
            return None
        *powers, name = QUANTITIES[quantity]
        derived = self.derived(powers, name)
        if derived:
            return derived
        if quantity == "percussion" and self.derived((1, 1, -2), "N"):
            return f"{self.derived((1, 1, -2), 'N')} {self.names[2]}"
        if quantity == "energy density" and self.derived((-1, 1, -2), "Pa"):
            return self.derived((-1, 1, -2), "Pa")

        def product(sign):
            parts = [f"{unit}$^{abs(p)}$" if abs(p) > 1 else unit
                     for p, unit in zip(powers, self.names) if math.copysign(1, p) == sign and p]
            return " ".join(parts)

        above, below = product(1), product(-1)
        return (above or "1") + (f"/({below})" if " " in below else f"/{below}" if below else "")

    def label(self, text, quantity=None):
        """For an axis: 'time [ms]'; of a case that names no units: 'time [case units]'."""
        unit = self.of(quantity or text)
        return f"{text} [{'case units' if unit is None else unit}]"

    def value(self, number, quantity):
        """A number with its unit, for a title: 't = 0.3 ms'."""
        unit = self.of(quantity)
        return f"{number:.6g}" + (f" {unit}" if unit and not self.none else "")

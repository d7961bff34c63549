"""What is read off the diagram of a contact line: arrivals and their speed, pulses of slip, profiles and moment. Arrays are time x position."""

import numpy as np


def first_crossing(t, values, threshold):
    """Of each place the time at which |values| first reaches the threshold, straight between columns; NaN: never."""
    size = np.abs(values)
    reached = size >= threshold
    first = np.argmax(reached, axis=0)
    places = np.arange(size.shape[1])
    after, before = size[first, places], size[np.maximum(first - 1, 0), places]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(first > 0, (threshold - before) / (after - before), 1.0)
    times = t[np.maximum(first - 1, 0)] + share * (t[first] - t[np.maximum(first - 1, 0)])
    return np.where(reached.any(axis=0), times, np.nan)


def speeds(x, t, reach=3):
    """Of each place that was reached dx/dt of the front, above zero where it goes along +x: one over the median of the slopes dt/dx between all
    pairs of places among it and up to `reach` neighbours on each side that were reached without a gap (Theil and Sen). inf: they are reached at
    once, as where it begins; NaN: it has no neighbour."""
    speed = np.full(len(x), np.nan)
    for i in np.flatnonzero(np.isfinite(t)):
        low = high = i
        while low > 0 and i - low < reach and np.isfinite(t[low - 1]):
            low -= 1
        while high + 1 < len(x) and high - i < reach and np.isfinite(t[high + 1]):
            high += 1
        a, b = np.triu_indices(high - low + 1, 1)
        way, delay = (x[low:high + 1][b] - x[low:high + 1][a]), (t[low:high + 1][b] - t[low:high + 1][a])
        apart = way > 0.0
        if apart.any():
            slowness = np.median(delay[apart] / way[apart])
            speed[i] = 1.0 / slowness if slowness != 0.0 else np.inf
    return speed


def edge(x, size, inside, outside, threshold):
    """Where between two places the threshold is passed."""
    share = (size[inside] - threshold) / (size[inside] - size[outside])
    return x[inside] + share * (x[outside] - x[inside])


def pulses_of(x, rate, threshold):
    """Of one time: (first place, last place, from, to, peak, place of the peak) of each run of places whose |rate| is at or above the threshold, with
    edges straight between places. The peak keeps its sign."""
    size = np.abs(rate)
    above = np.concatenate([[False], size >= threshold, [False]])
    changes = np.flatnonzero(above[1:] != above[:-1])
    found = []
    for first, end in zip(changes[0::2], changes[1::2]):
        last = end - 1
        begins = edge(x, size, first, first - 1, threshold) if first > 0 else x[0]
        ends = edge(x, size, last, last + 1, threshold) if last + 1 < len(x) else x[-1]
        top = first + int(np.argmax(size[first:end]))
        found.append((first, last, begins, ends, rate[top], x[top]))
    return found


def pulses(x, t, rate, threshold):
    """Rows (t, pulse, from, to, width, peak, x_peak). A pulse keeps its number while its places overlap with those before; where one parts
    the wider part keeps it, where two join that with more in common."""
    rows, before, count = [], [], 0
    for j, time in enumerate(t):
        now = pulses_of(x, rate[j], threshold)
        claims = sorted(((min(last, b) - max(first, a) + 1, last - first, -k, number)
                         for k, (first, last, *_) in enumerate(now) for a, b, number in before
                         if first <= b and a <= last), reverse=True)
        named, taken = {}, set()
        for _, _, k, number in claims:
            if -k not in named and number not in taken:
                named[-k] = number
                taken.add(number)
        for k, (first, last, begins, ends, peak, top) in enumerate(now):
            if k not in named:
                count += 1
                named[k] = count
            rows.append((time, named[k], begins, ends, ends - begins, peak, top))
        before = [(first, last, named[k]) for k, (first, last, *_) in enumerate(now)]
    return rows


def profile(t, slip, at):
    """Slip along the line at a time, straight between columns."""
    after = min(max(int(np.searchsorted(t, at)), 1), len(t) - 1)
    share = (at - t[after - 1]) / (t[after] - t[after - 1])
    return slip[after - 1] + share * (slip[after] - slip[after - 1])


def moments(x, t, slip, modulus):
    """Rows (t, potency, moment, moment_rate) per unit of thickness: the integral of slip over x by trapezoids, times the shear modulus; the rate is the
    mean since the row before."""
    potency = np.sum(0.5 * (slip[:, 1:] + slip[:, :-1]) * np.diff(x), axis=1)
    moment = modulus * potency
    rate = np.concatenate([[0.0], np.diff(moment) / np.diff(t)]) if len(t) > 1 else np.zeros(len(t))
    return np.column_stack([t, potency, moment, rate])

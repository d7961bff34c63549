# Times and slip at the stations of a fault from contacts.csv, against the reference: errors in seconds and parts.
#   rupture.py RESULT STATIONS.csv THETA
import csv, math, sys

def stations(path):
    with open(path) as file:
        return {1e3 * float(r['x_km']): {k: float(v or 'nan') for k, v in r.items()} for r in csv.DictReader(file)}

def histories(folder, places, contact='fault'):
    """x -> rows (t, u before, u after): nodes are known by where they were first, as they move along"""
    name, out = {}, {x: [] for x in places}
    with open(folder + '/contacts.csv') as file:
        for r in csv.DictReader(file):
            if r['contact'] != contact:
                continue
            x = name.setdefault(r['point'], round(float(r['x'])))
            if x in out:
                out[x].append((float(r['t']), float(r['u_t_before']), float(r['u_t_after'])))
    return out

def events(rows, theta, half=0.2, moving=1e-3):
    """time of slip `half`, time of speed `moving`, largest speed, slip at the end"""
    slip = last = peak = 0.0
    t_half = t_moves = math.nan
    for t, before, after in rows:
        h, speed = t - last, (1 - theta) * before + theta * after
        if t_half != t_half and slip + h * speed >= half:
            t_half = last + (half - slip) / speed
        if t_moves != t_moves and after > moving:
            t_moves = last + h * min(1.0, max(0.0, (moving - before) / (after - before)))
        slip, last, peak = slip + h * speed, t, max(peak, speed)
    return t_half, t_moves, peak, slip

def errors(folder, path, theta=0.55):
    reference = stations(path)
    out = {}
    for x, rows in histories(folder, reference).items():
        t_half, t_moves, peak, slip = events(rows, theta)
        r = reference[x]
        out[x] = (t_half - r['t_half_s'], t_moves - r['t_rupture_s'], peak / r['peak_slip_rate_m_per_s'] - 1, slip / r['slip_at_end_m'] - 1)
    return out

if __name__ == '__main__':
    for x, e in sorted(errors(sys.argv[1], sys.argv[2], float(sys.argv[3])).items()):
        print('%7g  t_half %+7.1f ms  t_rupture %+7.1f ms  peak %+5.1f %%  slip %+6.2f %%' % (x, 1e3 * e[0], 1e3 * e[1], 100 * e[2], 100 * e[3]))

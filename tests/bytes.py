#!/usr/bin/python3
"""A table of bytes of all shipped cases: a line each, with the number of steps and a checksum of every table of results, straight and
through a resume in the middle, which have to be equal.

    bytes.py PERCUSS CASES FOLDER [REFERENCE]

The table is FOLDER/bytes.txt, for one machine: kernels of the linear algebra differ from processor to processor. With REFERENCE, the
folder of another build that has such a table, the same steps are made and what differs from it is named. Status 1: something differs.
"""
import concurrent.futures, hashlib, os, pathlib, re, shutil, subprocess, sys, time

SECONDS = float(os.environ.get('PRC_BYTES_SECONDS', 2))  # of clock that the first run of a case may take, about
LEAST, MOST = 20, 512
TABLES = 'energy.csv', 'contacts.csv', 'bodies.csv', 'joints.csv'


def call(percuss, *arguments):
    done = subprocess.run([percuss, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


def steps_of(percuss, case):
    """The number of steps of a case and their size, as percuss check says them. Where steps vary, one piece of twenty of the first: no resumed
    run ends within it, as an end changes the step before it."""
    out = call(percuss, 'check', str(case))[1]
    found = re.search(r'(\d+) (?:load )?steps? of ([0-9.e+-]+) ', out)
    varies = re.search(r'steps that vary, from ([0-9.e+-]+) ', out)
    return (int(found[1]), float(found[2])) if found else (1, 20 * float(varies[1])) if varies else None


def run(percuss, case, folder, end, *more):
    """What goes wrong, or None; a certificate that fails is a result too."""
    status, _, said = call(percuss, 'run', str(case), '--quiet', '--set', f'time.end={end!r}', '--set', 'output.every=1',
                           '--set', 'output.contacts=true', '-o', str(folder), *more)
    return None if status == 0 or (folder / 'certificate.json').exists() else said.strip().split('\n')[-1]


def sums(folder):
    return ' '.join(f'{name}:{hashlib.sha256((folder / name).read_bytes()).hexdigest()[:16]}' for name in TABLES if (folder / name).exists())


def line_of(percuss, case, work, wanted):
    """The line of a case: its name, steps, checksums; words where there are none."""
    name, known = case.stem, steps_of(percuss, case)
    if not known:
        return f'{name} 0 steps not known'
    total, h = known
    n = wanted or min(LEAST, total)
    folder = work / name
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        began = time.monotonic()
        wrong = run(percuss, case, folder / 'straight', n * h)
        if wrong:
            return f'{name} {n} stopped: {wrong}'
        more = min(MOST, total, 4 * n)
        if wanted or more <= n or 5 * (time.monotonic() - began) > SECONDS:
            break
        n = more
    straight = sums(folder / 'straight')
    if n > 1:
        wrong = run(percuss, case, folder / 'halves', n // 2 * h) or run(percuss, case, folder / 'halves', n * h, '--resume')
        if wrong:
            return f'{name} {n} stopped in halves: {wrong}'
        if sums(folder / 'halves') != straight:
            return f'{name} {n} differs when resumed: {straight}'
    shutil.rmtree(folder, ignore_errors=True)
    return f'{name} {n} {straight}'


def main(percuss, cases, folder, reference=None):
    folder, percuss = pathlib.Path(folder), os.path.abspath(percuss)
    old = {}
    if reference:
        table = pathlib.Path(reference) / 'bytes.txt'
        if not table.exists():
            sys.exit(f'{table} is not there, expected what `make bytes` wrote in that build')
        old = {words[0]: words for words in (line.split(' ', 2) for line in table.read_text().splitlines())}
    work = folder / 'bytes'
    cases = [c for c in sorted(pathlib.Path(cases).glob('*.yaml')) if not os.environ.get('PRC_BYTES_CASES') or c.stem in os.environ['PRC_BYTES_CASES'].split()]
    steps = lambda name: int(old[name][1]) if name in old else 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = list(pool.map(lambda case: line_of(percuss, case, work, steps(case.stem)), cases))
    (folder / 'bytes.txt').write_text('\n'.join(lines) + '\n')
    bad = [line for line in lines if not re.search(r'^\S+ \d+ energy', line)]
    for line in bad:
        print(line)
    changed = [line.split()[0] for line in lines if line.split()[0] in old and line.split(' ', 2) != old[line.split()[0]]]
    for name in changed:
        print(f'{name}: other bytes than in {reference}')
    new = [line.split()[0] for line in lines if old and line.split()[0] not in old]
    if new:
        print('not in the reference: ' + ' '.join(new))
    print(f'{len(lines)} cases, {len(bad)} not straight and resumed alike' + (f', {len(changed)} other than in {reference}' if reference else ''))
    return 1 if bad or changed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))

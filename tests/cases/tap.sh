# The shell of the tests of the program: each begins with `. "$PRC_SOURCE/tests/cases/tap.sh"` and `begin NAME`, ends
# with `finish`, and in between makes claims, which it prints as TAP. By hand, from a build folder:
#   PRC_SOURCE=/path/of/source PRC_BUILD=$PWD /path/of/source/tests/cases/NAME.test
# Nothing is written but below $PRC_BUILD/tests/cases/work-NAME, which is emptied at the start.
# PRC_KEEP=1 keeps that folder although all is well. PRC_PERCUSS is another program to test in the place of PRC_BUILD/percuss; PRC_SHORT=1 makes long tests shorter.
# PRC_LONG=1: all that a test has, where it is a sample otherwise.
set -u
: "${PRC_SOURCE:?the source folder}" "${PRC_BUILD:?the build folder}"
PERCUSS_DATADIR=${PERCUSS_DATADIR:-$PRC_SOURCE/postprocess}
PERCUSS_LIBDIR=${PERCUSS_LIBDIR:-$PRC_BUILD}
PYTHONDONTWRITEBYTECODE=1
LC_ALL=C
export PERCUSS_DATADIR PERCUSS_LIBDIR PYTHONDONTWRITEBYTECODE LC_ALL
percuss=${PRC_PERCUSS:-$PRC_BUILD/percuss}
block=$PRC_SOURCE/cases/sliding-block.yaml
claims=0
broken=0

begin() {
  work=$PRC_BUILD/tests/cases/work-$1
  [ ! -d "$work" ] || chmod -R u+w "$work"
  XDG_STATE_HOME=$PRC_BUILD/tests/cases/state-$1 # where percuss keeps which geometries it has seen
  rm -rf "$work" "$XDG_STATE_HOME" && mkdir -p "$work" && cd "$work" || exit 99
  export XDG_STATE_HOME
}

# What a test leaves behind stays where a claim failed, or with PRC_KEEP=1: all of them together are gigabytes.
finish() {
  echo "1..$claims"
  if [ "$broken" -eq 0 ] && [ -z "${PRC_KEEP:-}" ]; then
    cd "$PRC_BUILD" || exit 99
    chmod -R u+w "$work" 2>/dev/null # a link that leads nowhere is no reason to stop
    rm -rf "$work" "$XDG_STATE_HOME" || { sleep 2 && rm -rf "$work" "$XDG_STATE_HOME"; } || : # a killed program may still write
  fi
}

# result STATUS NAME: a claim that holds if STATUS is 0; what the file `diag` holds is shown if not.
result() {
  claims=$((claims + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $claims - $2"
  else
    broken=$((broken + 1))
    echo "not ok $claims - $2"
    [ ! -s diag ] || sed 's/^/# /' diag
  fi
  : >diag
}

# whole: is all to be done, and not a sample?
whole() {
  [ -n "${PRC_LONG:-}" ]
}

skip() {
  claims=$((claims + 1))
  echo "ok $claims - $1 # SKIP $2"
}

# holds NAME COMMAND...
holds() {
  claim=$1
  shift
  "$@" >diag 2>&1
  result $? "$claim"
}

# exits STATUS NAME ARGUMENTS...: percuss with these arguments; its terminal is kept in the files out and err
exits() {
  wanted=$1 claim=$2
  shift 2
  "$percuss" "$@" >out 2>err
  got=$?
  { echo "percuss $*" && echo "exit status $got, expected $wanted" && cat err; } >diag
  [ "$got" -eq "$wanted" ]
  result $? "$claim"
}

# ours PROGRAM ARGUMENTS...: one that is not percuss, under valgrind where percuss is
ours() {
  if [ -n "${PRC_VALGRIND:-}" ]; then
    "$PRC_SOURCE/tests/valgrind/memcheck" "$@"
  else
    "$@"
  fi
}

# says NAME PATTERN [FILE]: the last standard error (or FILE) has a line that matches
says() {
  { echo "expected: $2" && cat "${3:-err}"; } >diag
  grep -Eq -- "$2" "${3:-err}"
  result $? "$1"
}

# python NAME [ARGUMENTS]: the program on standard input ends without an exception; it has the functions below
python() {
  claim=$1
  shift
  cat - >program.part
  cat >program.py <<'PYTHON'
import csv, json, math, os, re, struct, sys
args = sys.argv[1:]

class Table:
    """A table of results: t['kinetic'] is a column, t.n the number of rows."""
    def __init__(self, path):
        with open(path) as file:
            text = file.read()
        assert text.endswith('\n'), path + ' ends in the middle of a row'
        rows = list(csv.reader(text.splitlines()))
        self.header, self.n = rows[0], len(rows) - 1
        assert all(len(row) == len(self.header) for row in rows), path + ' has rows of different length'
        texts = {'body', 'other', 'group', 'scheme', 'joint', 'material'} | ({'contact'} if 'body' in self.header else set())
        self.column = {name: [row[k] if name in texts else float(row[k]) for row in rows[1:]]
                       for k, name in enumerate(self.header)}
    def __getitem__(self, name):
        return self.column[name]

def load(path):
    with open(path) as file:
        return json.load(file)

def entry(folder, name):
    return {e['name']: e for e in load(folder + '/certificate.json')['entries']}[name]

def passes(folder, *noted):
    """The certificate passes; noted are at most these entries, and works whose sign no theorem promises."""
    c = load(folder + '/certificate.json')
    found = {e['name'] for e in c['entries'] if e['verdict'] == 'noted'}
    allowed = {'tangential_work', 'normal_work', 'loss_contact_normal', 'numerical_work', 'energy_rise', *noted}
    assert c['verdict'] == ('pass, with notes' if found else 'pass') and found <= allowed, (folder, c['verdict'], found)
    return True

def energy_identity(folder, tolerance):
    """kinetic + elastic - initial is the sum of the works and the dissipation, in every row"""
    e = Table(folder + '/energy.csv')
    works = ['work_external', 'work_damping', 'work_contact_normal', 'work_contact_tangential', 'dissipation_numerical', 'driven', 'joints', 'work_boundary', 'projection']
    start = e['kinetic'][0] + e['elastic'][0]
    for k in range(e.n):
        off = e['kinetic'][k] + e['elastic'][k] - start - sum(e[w][k] for w in works)
        assert abs(off) <= tolerance, 'row %d: energies and works differ by %g' % (k, off)
    return e

def close(a, b, tolerance, what=''):
    assert abs(a - b) <= tolerance, '%s %.17g, expected %.17g to %g' % (what, a, b, tolerance)
PYTHON
  cat program.part >>program.py
  /usr/bin/python3 program.py "$@" >diag 2>&1
  result $? "$claim"
}

# files DIR: the files of a run that must not depend on how it was made; run.json has wall times in it, and which
# checkpoint is the last but one depends on where a run was stopped
files() {
  (cd "$1" && find . -type f ! -name run.json ! -name checkpoint-older.h5 | sort)
}

# differences DIR DIR [PATTERN]: PATTERN are names not to compare
differences() {
  files "$1" >list-1
  files "$2" >list-2
  [ -s list-1 ] && diff list-1 list-2 || return 1
  wrong=0
  while read -r file; do
    if [ -n "${3:-}" ] && echo "$file" | grep -Eq "$3"; then
      continue
    fi
    cmp "$1/$file" "$2/$file" || wrong=1
  done <list-1
  return $wrong
}

# same NAME DIR DIR [PATTERN]: the results of two runs are the same bytes
same() {
  differences "$2" "$3" "${4:-}" >diag 2>&1
  result $? "$1"
}

# until_there FILE PID: waits for a file that the process will write; fails when the process has gone without it
until_there() {
  while [ ! -e "$1" ]; do
    kill -0 "$2" 2>/dev/null || return 1
    sleep 0.02
  done
}

# document FILE...: the commands of documents run, in a folder `here`; what they print is kept in `log`
document() {
  rm -rf here && mkdir here
  for folder in cases meshes postprocess examples; do ln -s "$PRC_SOURCE/$folder" here/; done
  (cd here && /usr/bin/python3 "$PRC_SOURCE/doc/run_blocks.py" "$@" >../log 2>&1)
  status=$?
  tail -n 30 log >diag
  return $status
}

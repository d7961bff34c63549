# What tests need that start several processes with mpiexec; read after tap.sh.

# More ranks than processors, by whoever runs the tests, on this machine alone; who waits yields its processor.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm=isolated
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy OMPI_MCA_mpi_yield_when_idle
export OMPI_MCA_btl OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_plm

# Is percuss built with PETSc?
has_petsc() { "$percuss" --version | grep -q PETSc; }

# without_petsc CLAIM: skips it where percuss has no PETSc, or nothing can start it: true then
without_petsc() {
  if ! has_petsc; then
    skip "$1" "percuss was configured without PETSc"
  elif ! command -v mpiexec >/dev/null; then
    skip "$1" "there is no mpiexec (Debian: mpi-default-bin)"
  else
    return 1
  fi
}

# launch N PROGRAM ARGUMENTS...: it has a minute, or more where tests are slow
launch() {
  n=$1
  shift
  timeout $((60 * ${CK_TIMEOUT_MULTIPLIER:-30} / 30)) mpiexec -n "$n" "$@"
}

# launched STATUS NAME N ARGUMENTS...: N ranks of percuss with these arguments; their terminals are kept in the files out and err
launched() {
  wanted=$1 claim=$2 ranks=$3
  shift 3
  launch "$ranks" "$percuss" "$@" >out 2>err
  got=$?
  { echo "mpiexec -n $ranks percuss $*" && echo "exit status $got, expected $wanted" && cat err; } >diag
  [ "$got" -eq "$wanted" ]
  result $? "$claim"
}

# agree NAME ALONE SHARED TOLERANCE STEPS: tables of two runs agree relative to their largest numbers, and so do the verdicts
agree() {
  python "$@" <<'EOP'
alone, shared, tolerance, steps = args[0], args[1], float(args[2]), int(args[3])
sizes = [load(folder + '/run.json')['sizes'] for folder in (alone, shared)]
for name in set(sizes[0]) - {'factor_entries', 'ordering', 'solver'}:
    assert sizes[0][name] == sizes[1][name], (name, sizes)
assert load(alone + '/certificate.json')['verdict'] == load(shared + '/certificate.json')['verdict'] == 'pass'
for name in 'energy.csv', 'forces.csv', 'probes.csv':
    if not os.path.exists(alone + '/' + name):
        continue
    a, b = Table(alone + '/' + name), Table(shared + '/' + name)
    assert a.header == b.header and a.n == b.n == steps + 1, (name, a.n, b.n)
    energies = [h for h in a.header if h in ('kinetic', 'elastic') or h.startswith('work_') or h.startswith('dissipation')]
    size = max(map(abs, a['kinetic'] + a['elastic'])) if name == 'energy.csv' else 0
    for h in a.header if not energies else energies + ['active', 'sticking', 'sliding']:
        kind = [k for k in a.header if k.split('_')[-2:] == h.split('_')[-2:]] if not energies else [h]
        scale = size if h in energies else max(max(map(abs, a[k])) for k in kind)
        worst = max(abs(x - y) for x, y in zip(a[h], b[h]))
        assert worst <= (tolerance if energies else 100 * tolerance) * scale + 1e-12, (name, h, worst, scale)
EOP
}

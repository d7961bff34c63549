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

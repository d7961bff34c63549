#!/bin/bash
# A case on many processes by Slurm, over as many jobs as it takes:
#
#   sbatch slurm.sh CASE.yaml [more for percuss run, --set time.end=2 say]
#
# Five minutes before its time is over the run is told to stop. It finishes the step in hand, writes a checkpoint, and the job goes back into the
# queue; when it starts again, on the same or another number of processes, it goes on from there. So it does after a node has failed. It ends when the
# case is finished, when it fails, or when a job has not made a single step.

# What to change: how many processes, how long, and what your cluster asks for (partition, account). Memory: percuss check says what the case needs in all.
#SBATCH --job-name=percuss
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=2G
#SBATCH --time=04:00:00

# The signal goes to this script (B:), which passes it on: srun and mpiexec both hand it to all processes. A step and a checkpoint must fit into
# these 300 seconds. The job may be put back, and its words are added to those of the job before.
#SBATCH --signal=B:USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=percuss-%j.out

set -u
case_file=${1:?usage: sbatch slurm.sh CASE.yaml [more for percuss run]}
shift
name=$(basename "$case_file" .yaml)
results=${PERCUSS_RESULTS:-results/$name} # seen by all nodes

# How processes are started. srun has to speak what MPI speaks ('srun --mpi=list' tells what it knows): Open MPI takes pmix, MPICH pmi2. Where it cannot,
# mpiexec does it within the job: sbatch --export=ALL,PERCUSS_LAUNCH=mpiexec slurm.sh ...
read -ra launch <<<"${PERCUSS_LAUNCH:-srun --mpi=pmix}"
# A percuss that was configured --with-petsc ('percuss --version' names PETSc). On clusters programs often come by: module load ...
percuss=${PERCUSS:-percuss}
export OMP_NUM_THREADS=1 # each process has one processor

# of_run KEY: what run.json says, "state" (running, stopped, finished, failed) or "steps_done"
of_run() {
  sed -n "s/^ *\"$1\": \"\{0,1\}\([a-z0-9]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$results/run.json" 2>/dev/null | head -n 1
}

# A node that failed has left its lock, which another machine cannot tell from that of a run that lasts. Here no other run writes.
[ "${SLURM_RESTART_COUNT:-0}" -eq 0 ] || rm -f "$results/lock"

steps_before=$(of_run steps_done)
asked=
"${launch[@]}" "$percuss" run "$case_file" "$@" -o "$results" --resume=if-possible &
run=$!
trap 'asked=yes; kill -USR1 "$run"' USR1
wait "$run"
status=$?
while [ "$status" -gt 128 ] && kill -0 "$run" 2>/dev/null; do # the signal has ended the wait, not the run
  wait "$run"
  status=$?
done

[ -n "$asked" ] && [ "$(of_run state)" = stopped ] || exit "$status"
if [ "$(of_run steps_done)" = "$steps_before" ]; then
  echo "slurm.sh: this job has not made a step, and is not put back: expected more time, or a signal later than this" >&2
  exit 1
fi
echo "slurm.sh: step $(of_run steps_done); back into the queue"
exec scontrol requeue "$SLURM_JOB_ID"

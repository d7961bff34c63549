#!/usr/bin/env bash
# Instructions of a fixed short run, counted by callgrind: the same on every machine with the same compiler and libraries, so
# that a change that makes the step dearer is seen whatever the noise. Compare with tests/bench/instructions.txt.
#   instructions.sh BENCH_INSTRUCTIONS CASE
set -euo pipefail
out=$(mktemp)
trap 'rm -f "$out"' EXIT
count() { # STEPS: instructions of a run of so many
  OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=Haswell valgrind --tool=callgrind --callgrind-out-file="$out" "$1" "$2" "$3" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' | tail -n 1 # before it, those of processes that read files
}
short=$(count "$1" "$2" 100)
long=$(count "$1" "$2" 600)
echo "instructions per step of the sliding block at 1 mm, over steps 101 to 600: $(((long - short) / 500))"
echo "instructions of set-up and 100 steps: $short"

#!/usr/bin/env bash
# Instructions of a fixed short run, counted by callgrind: the same on every machine with the same compiler and libraries, so
# that a change that makes the step dearer is seen whatever the noise. Compare with tests/bench/instructions.txt.
#   instructions.sh BENCH_INSTRUCTIONS SOURCE
set -euo pipefail
out=$(mktemp)
trap 'rm -f "$out"' EXIT
# count STEPS CASE [KEY=VALUE...]: instructions of a run of so many
count() {
  local steps=$1 case=$2
  shift 2
  OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=Haswell valgrind --tool=callgrind --callgrind-out-file="$out" "$program" "$case" "$steps" "$@" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' | tail -n 1 # before it, those of processes that read files
}
# per_step NAME FIRST LAST CASE [KEY=VALUE...]
per_step() {
  local name=$1 first=$2 last=$3 short long
  shift 3
  short=$(count "$first" "$@")
  long=$(count "$last" "$@")
  echo "instructions per step of $name, over steps $((first + 1)) to $last: $(((long - short) / (last - first)))"
}
program=$1 cases=$2/cases
short=$(count 100 "$cases/sliding-block.yaml")
long=$(count 600 "$cases/sliding-block.yaml")
echo "instructions per step of the sliding block at 1 mm, over steps 101 to 600: $(((long - short) / 500))"
echo "instructions of set-up and 100 steps: $short"
# as prc_simulation runs them, each with a key that changes nothing
per_step "discs (granular-slope)" 20 60 "$cases/granular-slope.yaml" time.theta=1
per_step "a wall in space (masonry-small)" 20 60 "$cases/masonry-small.yaml" time.theta=0.5
per_step "two bars by mortar (bars)" 20 60 "$cases/bars.yaml" time.theta=0.5
per_step "a chain of joints (tests/bench/chain.yaml)" 100 500 "$2/tests/bench/chain.yaml" time.theta=0.5

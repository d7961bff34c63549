#!/usr/bin/env bash
# The whole command on the sliding block, 10 000 steps: without snapshots, with a hundred, and with a hundred written by a
# second thread; in turns, medians of ROUNDS. Wall time, and CPU time in brackets. The same as JSON.
#   whole_run.sh PERCUSS CASE FOLDER OUT.json [ROUNDS]
set -euo pipefail
percuss=$1 case=$2 folder=$3 out=$4 rounds=${5:-9}
mkdir -p "$folder"
TIMEFORMAT='%R %U %S'
for ((round = 0; round < rounds; round++)); do
  for kind in "0 1" "100 1" "100 2"; do
    read -r every threads <<<"$kind"
    times=$( { time "$percuss" run "$case" --quiet --threads "$threads" -o "$folder/every-$every" --set output.every="$every" \
      --set output.checkpoint=0 >/dev/null; } 2>&1)
    echo "$every-$threads $times"
  done
done | awk -v out="$out" -v rounds="$rounds" '
  function median(kind, what,   i, j, x, sorted) {
    for (i = 1; i <= rounds; i++) {
      x = value[kind, what, i]
      for (j = i - 1; j >= 1 && sorted[j] > x; j--) sorted[j + 1] = sorted[j]
      sorted[j + 1] = x
    }
    return sorted[int((rounds + 1) / 2)]
  }
  { n[$1]++; value[$1, "wall", n[$1]] = $2; value[$1, "cpu", n[$1]] = $3 + $4 }
  END {
    none = median("0-1", "wall"); one = median("100-1", "wall"); two = median("100-2", "wall")
    cpu_none = median("0-1", "cpu"); cpu_one = median("100-1", "cpu"); cpu_two = median("100-2", "cpu")
    printf "whole run of 10 000 steps, medians of %d [s]: %.2f (CPU %.2f); with 100 snapshots %.2f (%.2f), %+.0f %% (%+.0f %%); " \
      "with a second thread %.2f (%.2f), %+.0f %% (%+.0f %%)\n", rounds, none, cpu_none, one, cpu_one, 100 * (one / none - 1),
      100 * (cpu_one / cpu_none - 1), two, cpu_two, 100 * (two / none - 1), 100 * (cpu_two / cpu_none - 1)
    printf "{\"rounds\": %d, \"wall\": {\"no_snapshots\": %g, \"snapshots\": %g, \"snapshots_two_threads\": %g}, " \
      "\"cpu\": {\"no_snapshots\": %g, \"snapshots\": %g, \"snapshots_two_threads\": %g}}\n", rounds, none, one, two,
      cpu_none, cpu_one, cpu_two >out
  }'

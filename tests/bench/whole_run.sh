#!/usr/bin/env bash
# The whole command on the sliding block, 10 000 steps: without snapshots, and with a hundred by each writer of fields, in place
# or by a second thread; in turns, medians of ROUNDS. Wall time and CPU time, and what the hundred add. The same as JSON.
#   whole_run.sh PERCUSS CASE FOLDER OUT.json [ROUNDS]
set -euo pipefail
percuss=$1 case=$2 folder=$3 out=$4 rounds=${5:-9}
kinds=("none own 0 1" "own own 100 1" "own-2 own 100 2")
! "$percuss" --version | grep -q '(vtk)' || kinds+=("vtk vtk 100 1" "vtk-2 vtk 100 2")
mkdir -p "$folder"
TIMEFORMAT='%R %U %S'
for ((round = 0; round < rounds; round++)); do
  for kind in "${kinds[@]}"; do
    read -r name writer every threads <<<"$kind"
    times=$( { time "$percuss" run "$case" --quiet --threads "$threads" -o "$folder/$name" --set output.every="$every" \
      --set output.writer="$writer" --set output.checkpoint=0 >/dev/null; } 2>&1)
    echo "$name $times"
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
  !n[$1]++ { name[++names] = $1 }
  { value[$1, "wall", n[$1]] = $2; value[$1, "cpu", n[$1]] = $3 + $4 }
  END {
    label["none"] = "without snapshots"; label["own"] = "a hundred, percuss'\''s own writer"; label["vtk"] = "a hundred, VTK'\''s writer"
    label["own-2"] = "  with a second thread"; label["vtk-2"] = "  with a second thread"
    wall0 = median("none", "wall"); cpu0 = median("none", "cpu")
    printf "whole run of 10 000 steps, medians of %d [s]\n", rounds
    printf "{\"rounds\": %d", rounds >out
    for (k = 1; k <= names; k++) {
      wall = median(name[k], "wall"); cpu = median(name[k], "cpu")
      printf "  %-34s %.2f, CPU %.2f", label[name[k]], wall, cpu
      printf(k > 1 ? "  %+.0f %%, CPU %+.0f %%\n" : "\n", 100 * (wall / wall0 - 1), 100 * (cpu / cpu0 - 1))
      printf ", \"%s\": {\"wall\": %g, \"cpu\": %g}", name[k], wall, cpu >out
    }
    print "}" >out
  }'

#!/usr/bin/env bash
# The whole command on the sliding block, without snapshots and with a hundred, in turns; and what the loop spends.
#   whole_run.sh PERCUSS CASE FOLDER
set -euo pipefail
percuss=$1 case=$2 folder=$3
mkdir -p "$folder"
for round in 1 2 3; do
  for every in 0 100; do
    began=$(date +%s.%N)
    "$percuss" run "$case" --quiet -o "$folder/every-$every" --set output.every=$every --set output.checkpoint=0 >/dev/null
    echo "$every $(date +%s.%N) $began"
  done
done | awk '{ t = $2 - $3; n[$1]++; v[$1] = v[$1] sprintf(" %.2f", t); if (!($1 in m) || t < m[$1]) m[$1] = t }
  END { printf "whole run of 10 000 steps [s]: without snapshots%s; with 100%s; the fastest: %.0f %% more\n",
        v[0], v[100], 100 * (m[100] / m[0] - 1) }'

#!/bin/sh
# Which share of a sweep of 200 short points goes outside their rounds: preparing, starting, ending and collecting.
#   tests/bench/bench_sweep.sh PROGRAM [ROUNDS]     default: 20 rounds a point
# FedMF and CoLR at the size of MovieLens-100K under 20 losses and five seeds. Processor time of the sweep with all its points
# against what their rounds took by `machine.parts`: training, messages, aggregation, evaluation, ledger and simulation. Its files
# are below $TMPDIR: a file system in memory leaves out what making and deleting thousands of them costs on a disk.
set -eu
program=$1
rounds=${2:-20}
scenario=$(dirname "$0")/../../scenarios/what-if/dropout.cfg
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

losses='loss | none'
for percent in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19; do
    losses="$losses | $percent %: failures.up=0.$percent"
done
# What a shell waited for: the second line of its times, user and system as 1m2.345s.
(
    "$program" sweep "$scenario" --set rounds.count="$rounds" --vary "$losses" --out "$scratch/sweep" --quiet </dev/null >/dev/null
    times
) | awk 'NR == 2 { split($1 "m" $2, t, /m|s/); print 60 * (t[1] + t[4]) + t[2] + t[5] }' >"$scratch/total"
cat "$scratch"/sweep/points/*/summary.json | awk -v total="$(cat "$scratch/total")" '
    /"(training|messages|commits|aggregation|evaluation|ledger|simulation)_s"/ { gsub(/[",]/, ""); rounds += $2 }
    /"client_updates_per_s"/ { points++ }
    END {
        printf "%d points: %.1f s of processor time; %.0f ms a point in rounds, %.0f ms outside: %.1f %%\n", points,
            total, 1000 * rounds / points, 1000 * (total - rounds) / points, 100 * (total - rounds) / total
    }'

#!/bin/sh
# The scenarios that come with the program: each passes check, with the axes of its sweep; those of the studies can be swept. And
# what ./quickstart suggests. (The million clients: test_large_scenarios.sh.)
# Argument: the build folder.
program=$1/fedrecsim
source_folder=${FRS_SOURCE_DIR:-$(dirname "$0")/../../..}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$source_folder" || exit 1 # where the paths in the scenarios begin
failures=0

fail() {
    echo "FAILED: $1"
    sed 's/^/  stdout: /' "$folder/out"
    sed 's/^/  stderr: /' "$folder/err"
    failures=$((failures + 1))
}

run() { "$program" "$@" >"$folder/out" 2>"$folder/err" </dev/null; }

find scenarios -name '*.cfg' ! -name 'million-*.cfg' >"$folder/scenarios"
[ "$(wc -l <"$folder/scenarios")" -ge 7 ] || fail "scenarios are missing"
while read -r scenario; do
    # shellcheck disable=SC2016
    if [ -z "${FEDRECSIM_DATA-}" ] && grep -q '\$FEDRECSIM_DATA/.*";' "$scenario"; then
        echo "SKIPPED $scenario: FEDRECSIM_DATA is not set"
        continue
    fi
    # Where clients of ML-1M draw tables of their own, fewer clients say the same, and draw for less than seconds.
    set --
    ! grep -q '^    clients = 200;' "$scenario" || set -- --set data.clients=20
    run check "$scenario" --patience "10 ms" "$@" || fail "check $scenario"
    grep -q '^sweep = ' "$scenario" || continue
    grep -q '^  sweep  *[0-9]* points: ' "$folder/out" || fail "check $scenario says nothing about the sweep"
    grep -q '^  a task  *wall time up to .*memory up to ' "$folder/out" || fail "check $scenario says nothing about its tasks"
    grep -Eq '^  simulated  *([0-9]+ of [0-9]+ cells; the others|each of the [0-9]+ cells)' "$folder/out" || fail "check $scenario does not say what it played"
done <"$folder/scenarios"

# What ./quickstart suggests at its end can be typed as it stands; a run is only checked.
sed -n 's,^  build/fedrecsim ,,p' quickstart >"$folder/hints"
[ -s "$folder/hints" ] || fail "quickstart suggests nothing"
while read -r hint; do
    eval "set -- $hint"
    # What is watched while it runs is an option of runs alone.
    [ "$1" != run ] || { eval "set -- ${hint% --live}" && shift && set -- check --patience "10 ms" "$@"; }
    run "$@" || fail "quickstart suggests $hint"
done <"$folder/hints"

# What it suggests under the name "slow" is slower than what it ran: 86.8 s against 44.2 s.
simulated() { sed -n 's/^ *"simulated_s": \([0-9.]*\).*/\1/p' "$1/summary.json"; }
slow=$(sed -n 's,^  build/fedrecsim run ,,p' quickstart | grep 'results/slow')
eval "set -- $slow"
run run "$@" --out "$folder/slow" --quiet || fail "run $slow"
run run scenarios/quickstart.cfg --out "$folder/quick" --quiet || fail "run scenarios/quickstart.cfg"
awk -v slow="$(simulated "$folder/slow")" -v quick="$(simulated "$folder/quick")" 'BEGIN { exit !(slow > 1.5 * quick) }' ||
    fail "results/slow, as quickstart suggests it, is not slower: $(simulated "$folder/slow") s"

# sweeps SCENARIO POINTS OPTION...: a sweep of the scenario, as small as the options say, has all its points and tables.
sweeps() {
    scenario=$1
    points=$2
    shift 2
    run sweep "$scenario" --out "$folder/sweep" --replicates 1 --quiet "$@" || fail "sweep $scenario"
    grep -q "^$points of $points points finished" "$folder/sweep/tables.md" || fail "$scenario: not $points points"
    ! grep "no run has it" "$folder/sweep/tables.md" >&2 || fail "$scenario: a metric that does not exist"
    rm -rf "$folder/sweep"
}
sweeps scenarios/what-if/dropout.cfg 6 --set data.synthetic=small --set rounds.count=10 \
    --vary 'loss | none | 50 % before: availability.p=0.5 | 50 % uploading: failures.up=0.5'
sweeps scenarios/what-if/networks.cfg 6 --set data.synthetic=small --set rounds.count=10 --set rounds.cohort=50 \
    --vary 'network.preset = 4g' --vary 'clients | 50 | 50, 100 Mbit/s: network.server_downlink=100 Mbit/s'
sweeps scenarios/what-if/who-is-lost.cfg 12 --set data.synthetic=small --set rounds.count=10 \
    --vary 'loss | none: failures.connection_up=0 | 50 %, slow uplinks: failures.connection_up=0.5'

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]

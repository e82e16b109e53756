#!/bin/sh
# What sweep --extend does: levels and replicates are added to a finished sweep, points that were there keep number and bytes, and the
# tables are those of a sweep that had all from the start; what would change a point is refused. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 8; };
rounds = { count = 2; cohort = 10; };
output = { events = false; report = false; what_if = "none"; };
END

# digests FOLDER: of all files of the points that were there first.
digests() { (cd "$1" && find points/000[0-3] -type f -exec sha256sum {} + | sort); }
n_points() { find "$1/points" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*[0-9]' | wc -l; }

few='rounds.cohort = 10, 30'
more='rounds.cohort = 10, 20, 30' # the new one in the middle: cells get other numbers
expect 0 sweep s.cfg --vary "$few" --replicates 2 --quiet --out grown
digests grown >before
[ "$(grep -c . before)" -gt 8 ] || fail "no files"
expect 0 sweep s.cfg --vary "$more" --replicates 3 --quiet --out grown --extend
silent out
silent err
digests grown >after
cmp before after || fail "points that were there have changed"
[ "$(n_points grown)" -eq 9 ] || fail "$(n_points grown) points instead of 9"

expect 0 sweep s.cfg --vary "$more" --replicates 3 --quiet --out whole
for file in cells.csv differences.csv tables.md; do
    cmp "grown/$file" "whole/$file" || fail "$file is not that of a whole sweep"
done
# Points under other numbers are the same: cell, level, replicate, seed and figures.
for sweep in grown whole; do
    cut -d, -f2- "$sweep/points.csv" | sort >"$sweep.points"
done
cmp grown.points whole.points || fail "points.csv has other points"
# The four that were there first, then the five new ones by cell.
cut -d, -f1-5 grown/points.csv | tail -n +2 >order
printf '%s\n' 0,0,10,1,1 1,0,10,2,2 2,2,30,1,1 3,2,30,2,2 4,0,10,3,3 5,1,20,1,1 6,1,20,2,2 7,1,20,3,3 8,2,30,3,3 >wanted
diff wanted order || fail "points have other numbers"

# The same again does nothing; --resume goes on with it, and every other command reads it.
expect 0 sweep s.cfg --vary "$more" --replicates 3 --quiet --out grown --extend
rm -r grown/points/0005
expect 0 sweep s.cfg --vary "$more" --replicates 3 --quiet --out grown --resume
[ -s grown/points/0005/summary.json ] || fail "has not gone on"
cmp grown/cells.csv whole/cells.csv || fail "other figures"
expect 0 collect grown --quiet
cmp grown/cells.csv whole/cells.csv || fail "other figures"
rm -r grown/points/0006
expect 0 point grown/plan.json --index 6
cmp grown/points/0006/rounds.csv whole/points/0004/rounds.csv || fail "is another point"

# --- refused: one line, and nothing is touched ---
cp grown/plan.json plan.json
refuses() {
    expect 2 sweep s.cfg --quiet --out grown --extend "$@"
    silent out
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line"
    cmp plan.json grown/plan.json || fail "plan.json has changed"
}
refuses --vary 'rounds.cohort = 10, 20' --replicates 3
error 'fedrecsim: grown/plan.json: --extend keeps what is there, and "30" of axis rounds.cohort is missing; allowed: all its levels, and more'
refuses --vary "$more" --replicates 2
error 'fedrecsim: grown/plan.json: --extend keeps what is there, and that has 3 replicates; allowed: as many, or more'
refuses --vary "$more" --replicates 3 --vary 'method.dim = 8, 16'
error 'fedrecsim: grown/plan.json: is of another sweep: --extend adds levels and replicates, and its axes are others; choose another place with --out DIR'
refuses --vary "$more" --replicates 4 --set rounds.count=3
error 'fedrecsim: grown/plan.json: is of another sweep: rounds.count was "2" and is "3"; choose another place with --out DIR'
refuses --vary "$more" --replicates 4 --seed 2
says err 'is of another sweep: seed was "1" and is "2"'
expect 2 sweep s.cfg --vary "$few" --replicates 2 --quiet --out grown --resume
error 'fedrecsim: grown/plan.json: is of another sweep: its axes are others (rounds.cohort); choose another place with --out DIR'
expect 2 sweep s.cfg --vary "$more" --replicates 3 --quiet --out grown
says err 'add to it with --extend'

# Cells that ended early stay so, and have more replicates where they need them.
stop='--set sweep.stop_metric=simulated_s --set sweep.stop_min_replicates=2 --set sweep.stop_width=86400'
# shellcheck disable=SC2086
expect 0 sweep s.cfg --vary "$few" --replicates 2 $stop --quiet --out early
# shellcheck disable=SC2086
expect 0 sweep s.cfg --vary "$few" --replicates 4 $stop --quiet --out early --extend
[ "$(n_points early)" -eq 4 ] || fail "$(n_points early) points instead of 4"

[ "$failures" -eq 0 ]

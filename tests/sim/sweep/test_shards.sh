#!/bin/sh
# A sweep in parts that know nothing of each other: joined in any order, they are the sweep of one machine. Argument: the build
# folder.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

cat >s.cfg <<'TEXT'
data = { synthetic = "small"; };
method = { epochs = 1; dim = 4; };
rounds = { count = 2; cohort = 20; };
sweep = { vary = [ "network | slow: network.preset=3g | fast: network.preset=5g", "method.dim = 2, 4" ]; replicates = 2; };
TEXT

expect 0 sweep s.cfg --out whole --jobs 1 --quiet
for i in 1 2 3; do
    expect 0 sweep s.cfg --out "part$i" --shard "$i/3" --jobs 1
    says out " points of shard $i of 3 are finished, in part$i"
    [ ! -e "part$i/tables.md" ] || fail "it has tables"
done
# Eight points: 2, 3 and 3 of them; both networks of one dimension and seed learn the same, and stand side by side but for cuts.
[ "$(find part1/points part2/points part3/points -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 8 ] || fail "points are not parted"
for point in part1/points/*; do
    if [ -e "part2/${point#*/}" ] || [ -e "part3/${point#*/}" ]; then
        fail "$point is in two parts"
    fi
done

# Any order, and each file the same to the byte.
expect 0 collect part3 part1 part2 --out joined --quiet
for file in plan.json points.csv cells.csv differences.csv tables.md sweep.sqlite report.html; do
    cmp "whole/$file" "joined/$file" || fail "$file is another one"
done
for point in whole/points/*; do
    for file in rounds.csv clients.csv events.ndjson; do
        cmp "$point/$file" "joined/${point#*/}/$file" || fail "${point#*/}/$file is another one"
    done
done
[ -s joined/report.html ] || fail "it has no page"

# What lacks is named, and comes later.
expect 1 collect part1 part2 --out some --quiet
says err 'points of some have no results; tables.md there says which, and the rest was collected; shards that were not named: 3/3'
[ ! -e some/shard ] || fail "what was joined is a part"
# A part goes on as what it is.
expect 2 sweep s.cfg --out part2 --shard 1/3 --resume
error 'fedrecsim: part2 is shard 2/3, and not 1/3; allowed: --shard 2/3, or another place with --out DIR'
expect 0 sweep s.cfg --out part2 --shard 2/3 --resume --quiet
expect 0 collect part3 --out some --quiet
cmp whole/points.csv some/points.csv || fail "points.csv is another one"
expect 0 sweep s.cfg --out part1 --resume --quiet
[ ! -e part1/shard ] || fail "a whole sweep is a part"
cmp whole/points.csv part1/points.csv || fail "a shard that went on alone is another sweep"

# A folder that is given twice, or has been copied, changes nothing.
cp -r part3 copy
expect 0 collect part1 part2 copy part3 copy --out again --quiet
cmp whole/points.csv again/points.csv || fail "points.csv is another one"

# A copy that was cut short: nothing is written, and the point is named.
last=$(find copy/points -mindepth 1 -maxdepth 1 -type d | sort | tail -n 1)
torn() {
    expect 2 collect part1 part2 copy --out other --quiet
    error "fedrecsim: $last: is not what its run wrote (copy/digests): the copy is cut short, or was changed; copy the folder again, or go on with its shard (--resume)"
    [ ! -e other ] || fail "something was written"
    rm -rf copy
    cp -r part3 copy
}
for file in rounds.csv clients.csv events.ndjson summary.json manifest.json; do
    truncate -s -20 "$last/$file"
    torn
done
rm "$last/rounds.csv"
torn
rm -r "$last"
torn
truncate -s 1000 copy/plan.json
expect 2 collect part1 part2 copy --out other --quiet
[ "$(wc -l <err)" -eq 1 ] || fail "more than a line"
says err 'fedrecsim: copy/plan.json:'

# Another version of the program.
cp part3/plan.json copy/plan.json
sed -i 's/^ "version": .*/ "version": "0.0.1",/' copy/plan.json
expect 2 collect part1 part2 copy --out other --quiet
error "fedrecsim: part1 and copy are not of one version of the program: copy/plan.json was written by version 0.0.1, and the plan of part1 by version $(sed -n 's/^ "version": "\(.*\)",/\1/p' part1/plan.json)"

# Points that two of them have are the same, or nothing is written.
sed -i '2s/^1,/9,/' part1/points/0000/rounds.csv
rm part1/digests # which would tell that it was changed
expect 2 collect whole part1 --out other --quiet
says err 'whole/points/0000 and part1/points/0000 are the same point with other results: rounds.csv: differs at line 2: "9,'
says err 'they are not of one program, one kind of processor and one data set'
[ ! -e other ] || fail "something was written"

# What cannot be.
expect 0 sweep s.cfg --out another --set method.epochs=2 --jobs 1 --quiet --shard 1/8
expect 2 collect part2 another --out other --quiet
error 'fedrecsim: part2 and another are not of one sweep: another/plan.json is of another sweep: method.epochs was "2" and is "1" in part2'
expect 2 collect part2 part3
says err 'needs --out DIR: joins 2 folders of one sweep into the folder that --out DIR names'
expect 2 collect part2 nowhere --out other
says err 'nowhere/plan.json'
mkdir mine && echo 1 >mine/notes
expect 2 collect part2 --out mine --quiet
says err 'mine exists and holds no sweep'
[ ! -e other ] || fail "something was written"
[ "$(ls mine)" = notes ] || fail "something was written there"
for wrong in 0/3 4/3 3 1/ /3 1/3x -1/3 1/10001; do
    expect 2 sweep s.cfg --out none --shard "$wrong"
    says err "--shard $wrong: allowed: I/N with 1 <= I <= N <= 10000, such as 3/8"
done
expect 2 sweep s.cfg --out none --shard 1/9
error 'fedrecsim: --shard 1/9: the sweep has only 8 points; allowed: as many shards as it has points, or fewer'
early='--set sweep.stop_metric=simulated_s --set sweep.stop_width=1e9 --set sweep.stop_min_replicates=2 --replicates 3'
# shellcheck disable=SC2086 # words
expect 2 sweep s.cfg --out none --shard 1/5 $early
error 'fedrecsim: --shard 1/5: the sweep has only 4 cells; allowed: as many shards as it has cells, or fewer, because replicates of a cell that ends early stay together'
expect 2 sweep s.cfg --out none --shard 1/2 --expect 'hr@10 >= 0'
says err '--shard does not go with --expect, which needs all points'
[ ! -e none ] || fail "something was written"

# Replicates that end early: a cell is in one part, which decides.
# shellcheck disable=SC2086
expect 0 sweep s.cfg --out early --jobs 1 --quiet $early
for i in 1 2; do
    # shellcheck disable=SC2086
    expect 0 sweep s.cfg --out "early$i" --jobs 1 --quiet --shard "$i/2" $early
    [ "$(find "early$i/points" -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 4 ] || fail "not two replicates of two cells"
done
expect 0 collect early2 early1 --out early-joined --quiet
for file in plan.json points.csv cells.csv differences.csv tables.md sweep.sqlite report.html; do
    cmp "early/$file" "early-joined/$file" || fail "$file is another one"
done
[ "$failures" -eq 0 ]

#!/bin/sh
# Points are forked from their sweep and find its data loaded: one that crashes is alone in it, and another one comes to what
# a run by itself does. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

cat >s.cfg <<'TEXT'
data = { synthetic = "small"; };
method = { epochs = 1; };
rounds = { count = 3; cohort = 20; };
sweep = { vary = [ "rounds.count = 100000000, 3" ]; };
TEXT

what="a point that crashes"
"$program" sweep s.cfg --out apart --jobs 1 --quiet >out 2>err </dev/null &
sweep=$!
tries=1200
until [ -n "$(find apart/points -name '0000.partial-*' 2>/dev/null)" ] || [ "$tries" -eq 0 ]; do
    tries=$((tries - 1))
    sleep 0.05
done
read -r point _ <"/proc/$sweep/task/$sweep/children"
kill -s SEGV "$point"
wait "$sweep"
code=$?
[ "$code" -eq 1 ] || fail "exit code $code"
says err 'point 0 failed (rounds.count = 100000000, replicate 1): killed by signal 11'
[ ! -e apart/points/0000 ] || fail "it has results"
expect 0 run s.cfg --out alone --quiet
for file in rounds.csv clients.csv events.ndjson; do
    cmp "alone/$file" "apart/points/0001/$file" || fail "$file differs"
done

# Several points of a plan by their numbers, as a task of a cluster runs them: the same to the byte, whoever ran the others.
what="points by their numbers"
cat >t.cfg <<'TEXT'
data = { synthetic = "small"; };
method = { epochs = 1; dim = 4; };
rounds = { count = 2; cohort = 20; };
sweep = { vary = [ "network | slow: network.preset=3g | fast: network.preset=5g", "method.dim = 2, 4" ]; replicates = 3; };
TEXT
expect 0 sweep t.cfg --out whole --jobs 1 --quiet
expect 0 sweep t.cfg --out early --jobs 1 --quiet --set sweep.stop_metric=simulated_s --set sweep.stop_width=1e9 --set sweep.stop_min_replicates=2
mkdir named && cp whole/plan.json named/
expect 0 point named/plan.json --index 0-4,9 --jobs 2 --threads 1 --cache named/cache
[ "$(find named/points -mindepth 1 -maxdepth 1 | wc -l)" -eq 6 ] || fail "not six points"
expect 0 point named/plan.json --index 0-11 --threads 1
for point in whole/points/*; do
    for file in rounds.csv clients.csv events.ndjson; do
        cmp "$point/$file" "named/${point#*/}/$file" || fail "${point#*/}/$file differs"
    done
done
expect 0 collect named --quiet
cmp whole/points.csv named/points.csv || fail "points.csv differs"
# From another folder: what points learn, six trainings and three baselines, is shared beside the plan. Those of the last five
# points, and the baselines, come again in a cache that is named.
mkdir -p shared elsewhere && cp whole/plan.json shared/
cd elsewhere || exit 1
expect 0 point ../shared/plan.json --index 0-5 --threads 1
expect 0 point "$folder/shared/plan.json" --index 6 --threads 1
expect 0 point ../shared/plan.json --index 7-11 --threads 1 --cache kept
cd .. || exit 1
[ "$(find shared/cache -name '*.journal' | wc -l)" -eq 9 ] || fail "what points learn is not shared"
[ "$(find elsewhere -name '*.journal' | wc -l)" -eq 8 ] || fail "a folder named from where the command runs is another one"
for file in rounds.csv clients.csv events.ndjson manifest.json; do
    cmp "whole/points/0006/$file" "shared/points/0006/$file" || fail "$file of a point from another folder differs"
done
# Only those that are needed, and none whose earlier replicates are missing.
mkdir needed && cp early/plan.json needed/
expect 1 point needed/plan.json --index 0-1,5 --threads 1 --no-reuse --needed
says err '1 of 3 points were not run, because earlier replicates of their cells have no results'
expect 0 point needed/plan.json --index 0-5 --threads 1 --no-reuse --needed
[ "$(find needed/points -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 4 ] || fail "points that are not needed were run"
[ ! -e needed/cache ] || fail "something is shared"
expect 2 point needed/plan.json --index 0 --cache x --no-reuse
says err '--cache and --no-reuse exclude each other'
# Who names points wants them, also where the sweep would have ended early.
[ "$(find early/points -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 8 ] || fail "the sweep did not end early"
expect 0 point early/plan.json --index 0-11 --threads 1
[ "$(find early/points -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 12 ] || fail "points are missing"

what="points that fail, and wrong ones"
mkdir fails && cp apart/plan.json fails/
"$program" point fails/plan.json --index 0-1 --jobs 2 >out 2>err </dev/null &
task=$!
tries=1200
until [ -n "$(find fails/points -name '0000.partial-*' 2>/dev/null)" ] && [ -e fails/points/0001 ] || [ "$tries" -eq 0 ]; do
    tries=$((tries - 1))
    sleep 0.05
done
read -r point _ <"/proc/$task/task/$task/children"
kill -s SEGV "$point"
wait "$task"
code=$?
[ "$code" -eq 1 ] || fail "exit code $code"
says err '1 of 2 points failed; the same command runs them again'
expect 2 point named/plan.json --index 0-12
error 'fedrecsim: --index 12: named/plan.json has points 0 to 11'
for wrong in 3-1 x "1," -1; do
    expect 2 point named/plan.json --index "$wrong"
    says err "--index $wrong: allowed: a number from 0 to 999999, or several, such as 0-19,25"
done
[ "$failures" -eq 0 ]

#!/bin/sh
# Labels: long
# A sweep of 200 points, killed ten times whenever it happens to be: nothing finished is run again, and in the end the
# files are those of an undisturbed one. Argument: the build folder.
program=$1/fedrecsim
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
here=$(pwd -P)
failures=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 12; items = 60; interactions = 140; };
training = { enabled = false; };
network = { uplink = { distribution = "lognormal"; median = "1 Mbit/s"; sigma = 1.0; }; };
devices = { compute = "fixed"; overhead = "2 s"; };
rounds = { count = 1000; cohort = 5; };
evaluation = { negatives = 20; };
output = { events = false; };
sweep = { vary = [ "rounds.cohort = 2, 3, 4, 5", "failures.up = 0, 0.05, 0.1, 0.2, 0.4" ]; replicates = 10; };
END

content() {
    (cd "$1" && find . -type f ! -name lock | sort | while read -r file; do
        echo "== $file"
        sed '/^  "machine": {/,/^  }/d' "$file"
    done)
}

# Points of this test's sweep, which are forked from it and bear its name; other checkouts run some of the same name.
points_alive() {
    for process in $(pgrep -f 'fedrecsim sweep s.cfg --out stopped'); do
        [ "$(readlink "/proc/$process/cwd")" != "$here" ] || echo "$process"
    done
}

finished() { find "$1/points" -path '*/points/[0-9]*/*' -type f ! -path '*.partial-*' -printf '%p %i %T@\n' 2>/dev/null | sort; }

"$program" sweep s.cfg --out whole --quiet </dev/null || fail "the undisturbed sweep"
: >before
for pause in 0.3 0.9 0.5 1.1 0.2 0.7 1.3 0.1 0.6 0.8; do
    "$program" sweep s.cfg --out stopped --resume --quiet </dev/null &
    sweep=$!
    sleep $pause
    kill -9 $sweep 2>/dev/null
    wait $sweep 2>/dev/null
    sleep 0.2
    alive=$(points_alive)
    [ -z "$alive" ] || fail "a point has outlived its sweep: process $alive"
    finished stopped >after
    [ -z "$(comm -23 before after)" ] || fail "points were run again"
    mv after before
done
"$program" sweep s.cfg --out stopped --resume --quiet </dev/null || fail "the last part"
finished stopped >after
[ -z "$(comm -23 before after)" ] || fail "points were run again"
[ "$(wc -l <before)" -gt 0 ] || fail "every kill came too early"
rm -f stopped/points/*.log
content whole >a
content stopped >b
cmp -s a b || fail "the results differ: $(diff a b | head -n 5)"
[ "$failures" -eq 0 ]

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
[ "$failures" -eq 0 ]

#!/bin/sh
# Events of some rounds: the lines of those rounds are the same, and nothing else is another; whoever reads events copes, or says in one
# line what is not there.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

oracle=$(CDPATH='' cd -- "${program%/*}" && pwd)/tests/replay
cat >s.cfg <<'TEXT'
data = { synthetic = "small"; };
network = { preset = "mixed-mobile"; };
failures = { up = 0.2; };
rounds = { count = 21; cohort = 20; };
TEXT
expect 0 run s.cfg --out whole --quiet
expect 0 run s.cfg --out thin --quiet --set output.events_every=10
what='the files of a thinned run'
for file in rounds.csv clients.csv; do
    cmp -s whole/$file thin/$file || fail "$file is another one"
done
grep -E '"round":(1|11|21),' whole/events.ndjson >expected
cmp -s expected thin/events.ndjson || fail 'events.ndjson is not that of rounds 1, 11 and 21'
[ "$(grep -c scenario_hash thin/manifest.json)" = 1 ] && says thin/manifest.json '"output.events_every": "10"'

# The page.
says thin/report.html '"events_every":10'
grep -q '"events_every":' whole/report.html && fail 'the page of all rounds says so, too'
expect 0 report thin --rounds 11,21 --quiet
expect 2 report thin --rounds 12
error 'fedrecsim: --rounds 12: this run has events of round 1 and of every 10 after it alone (output.events_every)'
cp thin/events.ndjson kept
sed -i '/"round":11,/d' thin/events.ndjson
expect 2 report thin
says err 'the folder is not whole'
cp kept thin/events.ndjson

# The timeline, a replay, and the forecast.
expect 0 timeline thin
says out 'participants stand in round 1 and every 10 after it alone, because the run wrote no events of others (output.events_every)'
expect 0 replay thin
says out 'events.ndjson: identical'
[ ! -x "$oracle" ] || ! "$oracle" thin >out 2>err || fail 'the oracle replays what it cannot know'
[ ! -x "$oracle" ] || says err 'wrote events of some rounds'
size() { sed -n 's/^  disk .*events.ndjson \([0-9.]*\) kB.*/\1/p' out; }
expect 0 check s.cfg --threads 1
all=$(size)
expect 0 check s.cfg --threads 1 --set output.events_every=10
some=$(size)
awk -v all="$all" -v some="$some" 'BEGIN { exit !(some > 0 && all / some > 6.9 && all / some < 7.1) }' || fail "$some of $all kB"
expect 2 check s.cfg --set output.events=false --set output.events_every=10
error 'fedrecsim: --set output.events_every=10: output.events_every: has no effect here, because output.events is false'

[ "$failures" -eq 0 ]

#!/bin/sh
# A quorum that is never reached: exit 1, and a folder with the void rows, which says that it is incomplete and why, in the
# summary, in the manifest, on the page and to sweeps.
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"

cat >s.cfg <<'CFG'
data = { synthetic = "custom"; users = 12; items = 60; interactions = 180; };
method = { name = "fedmf"; dim = 4; };
evaluation = { negatives = 20; };
devices = { compute = "fixed"; overhead = "1 s"; };
failures = { up = 1.0; };
rounds = { count = 3; cohort = 4; policy = { name = "deadline"; after = "1 min"; quorum = 0.5; max_attempts = 3; }; };
CFG
reason="round 1: fewer than 2 uploads arrived in each of 3 attempts (rounds.policy.quorum, max_attempts)"

for training in true false; do
    rm -rf void
    expect 1 run s.cfg --out void --set training.enabled=$training
    says err "$reason; no round was closed, and the attempts at the first were kept"
    says void/summary.json '"status": "incomplete"'
    says void/summary.json "\"reason\": \"$reason\""
    says void/summary.json '"rounds": 0'
    says void/manifest.json '"status": "incomplete"'
    says void/manifest.json "\"reason\": \"$reason\""
    says void/report.html "Not one round was closed, the run is incomplete: $reason."
    says out "Not one round was closed, the run is incomplete: $reason."
    [ "$(awk -F, 'NR > 1 { print $1, $2, $3 }' void/rounds.csv | tr '\n' ';')" = "1 0 void_round;1 1 void_round;1 2 void_round;" ] ||
        fail "other rows: $(cut -d, -f1-3 void/rounds.csv | tr '\n' ';')"
    [ "$(grep -c '"phase":"up"' void/events.ndjson)" -eq 12 ] || fail "events are missing"
done
expect 2 run s.cfg --out void
says err "holds an earlier run; replace it with --force"
expect 1 run s.cfg --out void --resume --quiet
says err "$reason"
expect 0 report void
expect 0 compare void void

# After a round that was closed the run is stranded, and says why, too.
expect 1 run s.cfg --out later --quiet --set failures.up=0.55 --set seed=4 --set rounds.count=100
says later/summary.json '"status": "stranded"'
grep -q '"reason": "round [0-9]*: fewer than 2 uploads' later/summary.json || fail "no reason"
grep -q 'The run could not go on: round [0-9]*: fewer than 2 uploads' later/report.html || fail "the page has no reason"

# One of two points of a sweep has no results.
expect 1 sweep s.cfg --out swept --quiet --vary failures.up=0,1
says swept/points.csv incomplete
says swept/tables.md "$reason"
[ "$(grep -c complete swept/points.csv)" -eq 2 ] || fail "other statuses"
expect 1 sweep s.cfg --out swept --quiet --vary failures.up=0,1 --resume
says swept/points/0001/summary.json '"status": "incomplete"'

[ "$failures" -eq 0 ]

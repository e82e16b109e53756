#!/bin/sh
# Signals: an interrupted run keeps its closed rounds, a second signal ends it at once. Argument: the build folder.
program=$1/fedrecsim
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
around=

fail() {
    echo "FAILED: $1"
    [ ! -e err ] || sed 's/^/  stderr: /; 5q' err
    find . | sed 's/^/  /'
    failures=$((failures + 1))
}

# Succeeds as soon as the command does; gives up after 90 s.
wait_until() {
    tries=900
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.1
    done
}

says() { [ -e err ] && grep -q -e "$1" err; }
has_begun() { [ -e out.partial-"$run"/events.ndjson ]; }
# 0.4 s of processor time (40 ticks): the untrained model has been evaluated, clients are training.
trains() { has_begun && [ "$(awk '{ print $14 + $15 }' /proc/"$run"/stat)" -ge 40 ]; }

# start ARGUMENT...: a run in the background, its id in `run`.
start() {
    rm -rf out out.partial-* out.checkpoint out.lock err
    $around "$program" run s.cfg --out out "$@" >/dev/null 2>err </dev/null &
    run=$!
}

ended_with() {
    wait "$run"
    code=$?
    [ "$code" -eq "$1" ] || fail "$2: exit code $code instead of $1"
}

left() {
    found=$(find . -mindepth 1 -maxdepth 1 ! -name s.cfg ! -name err | sort | tr '\n' ' ')
    [ "$found" = "$1" ] || fail "$2: left \"$found\" instead of \"$1\""
}

message='^fedrecsim: finishing the round, then writing what is complete (again: stop at once)$'

# Far more rounds than anybody waits for.
cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; optimiser = "adam"; learning_rate = 0.01; };
network = { preset = "fieldguide"; model = "exact"; };
devices = { preset = "fieldguide"; };
rounds = { count = 100000000; cohort = 20; };
END

for signal in INT TERM HUP; do
    what="SIG$signal in the middle"
    start
    wait_until says '^round 1/' || fail "$what: did not start"
    kill -s "$signal" "$run"
    ended_with 130 "$what"
    left './out ./out.checkpoint ' "$what"
    says "$message" || fail "$what: says nothing"
    says '^fedrecsim: interrupted; --resume goes on from out.checkpoint$' || fail "$what: does not say how to go on"
    "$program" run s.cfg --out out --quiet 2>again </dev/null
    grep -qxF 'fedrecsim: out holds an interrupted run; go on with --resume, replace it with --force or choose another place with --out DIR' \
        again || fail "$what: asked again, says $(cat again)"
    rm again
    # What was learnt is not thrown away for another training.
    "$program" run s.cfg --out out --quiet --resume --set method.dim=8 2>again </dev/null && fail "$what: another training went on"
    grep -q '^fedrecsim: out.checkpoint: is of another training: method.dim was 16 and is 8; --force begins anew$' again ||
        fail "$what: another training, says $(cat again)"
    left './again ./out ./out.checkpoint ' "$what, another training"
    rm again
    files=$(find out -type f | sort | tr '\n' ' ')
    [ "$files" = 'out/clients.csv out/events.ndjson out/hours.csv out/manifest.json out/report.html out/rounds.csv out/summary.json ' ] ||
        fail "$what: wrote $files"
    grep -q '"status": "interrupted"' out/summary.json || fail "$what: status"
    # Whole rounds: as many rows as the summary says, three events per participation, the last row evaluated.
    awk -F, -v summary="$(sed -n 's/^  "rounds": \([0-9]*\).*/\1/p' out/summary.json)" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { rows++; last = $at["hr@10"] }
        $at["round"] != rows || $at["selected"] != 20 || $at["delivered"] != 20 { bad = 1 }
        END { exit !(rows == summary && rows > 0 && !bad && last != "") }' out/rounds.csv ||
        fail "$what: rounds.csv"
    awk -v rows="$(wc -l <out/rounds.csv)" 'END { exit NR != (rows - 1) * 60 }' out/events.ndjson ||
        fail "$what: events.ndjson"
    tail -n 1 out/events.ndjson | grep -q '"outcome":"delivered"}$' || fail "$what: the last event is cut off"
done

# An interrupted run is a run: the next one replaces it, and its checkpoint, with --force only.
"$program" run s.cfg --out out --set rounds.count=2 >/dev/null 2>err && fail "replaced an interrupted run"
"$program" run s.cfg --out out --set rounds.count=2 --force >/dev/null 2>err || fail "--force after an interrupt"
grep -q '"status": "complete"' out/summary.json || fail "status after --force"
left './out ' "after --force"

# Rounds that are not evaluated: the one the run stops at is, nevertheless.
what="SIGINT between evaluations"
start --set evaluation.every=1000000
wait_until says '^round 1/' || fail "$what: did not start"
kill -s INT "$run"
ended_with 130 "$what"
awk -F, 'NR == 1 { while ($++c != "hr@10"); next } { last = $c } END { exit last == "" }' out/rounds.csv || fail "$what: the last round has no figures"

# Baselines may take minutes after the last round: those not begun yet are left out.
what="SIGINT before the baselines"
start --threads 1 --set rounds.count=1 --set method.epochs=50000 --set evaluation.non_federated=popularity,centralised_mf
wait_until trains || fail "$what: did not start"
kill -s INT "$run"
ended_with 130 "$what"
grep -q '"non_federated": {}' out/summary.json || fail "$what: fitted baselines"

# One that is being fitted beside the rounds is given up, by a run that is interrupted and by one that fails.
what="SIGINT beside a baseline"
start --threads 2 --set evaluation.non_federated=centralised_mf --set evaluation.centralised_mf.epochs=100000
wait_until says '^round 1/' || fail "$what: did not start"
kill -s INT "$run"
wait_until says '^fedrecsim: interrupted' || fail "$what: goes on"
ended_with 130 "$what"
grep -q '"non_federated": {}' out/summary.json || fail "$what: fitted baselines"
what="failing beside a baseline"
start --threads 2 --set evaluation.non_federated=centralised_mf --set evaluation.centralised_mf.epochs=100000 \
    --set method.optimiser=sgd --set method.sgd_scaling=sum --set method.learning_rate=1e6
wait_until says 'training has diverged' || fail "$what: goes on"
ended_with 1 "$what"

# A round of hours: the first signal waits for it, the second does not. What is left is the temporary folder.
for signal in INT TERM; do
    what="SIGINT, then SIG$signal"
    start --threads 1 --set method.epochs=100000 --set rounds.cohort=200
    wait_until trains || fail "$what: did not start"
    kill -s INT "$run"
    wait_until says "$message" || fail "$what: the first one says nothing"
    kill -s "$signal" "$run" # within a second: of one signal, as `timeout` sends it
    sleep 1.2
    kill -s 0 "$run" || fail "$what: the first one ended the run"
    kill -s "$signal" "$run"
    expected=130
    [ "$signal" = INT ] || expected=143
    ended_with "$expected" "$what"
    left "./out.lock ./out.partial-$run " "$what"
done

# What is left is tidied by the next run into the same place.
what="after a run that was killed"
"$program" run s.cfg --out out --set rounds.count=1 >/dev/null 2>err || fail "$what: exit code $?"
left './out ' "$what"

# `timeout` signals its child and then everybody in its group, itself included.
for signal in TERM HUP; do
    what="timeout --signal=$signal"
    rm -rf out out.checkpoint err
    timeout --signal="$signal" 3 "$program" run s.cfg --out out --threads 1 >/dev/null 2>err </dev/null
    left './out ./out.checkpoint ' "$what"
    grep -q '"status": "interrupted"' out/summary.json || fail "$what: status"
    "$program" run s.cfg --out out --force --set rounds.count=1 >/dev/null 2>err || fail "$what: --force"
    rm -rf out
done

# Who ignores hang-ups (nohup) is not interrupted by them, and a reader of stderr that is gone does no harm.
what="SIGHUP under nohup"
around='nohup'
start --threads 1
around=
wait_until says '^round 1/' || fail "$what: did not start"
kill -s HUP "$run"
sleep 0.5
kill -s 0 "$run" || fail "$what: ended the run"
kill -s TERM "$run"
ended_with 130 "$what"
what="stderr is closed"
rm -rf out out.checkpoint
"$program" run s.cfg --out out --set rounds.count=30 2>&1 >/dev/null </dev/null | head -n 1 >/dev/null
left './out ' "$what"

# While the untrained model is evaluated no round has been closed yet.
what="SIGINT before the first round"
start --set data.synthetic=ml-1m --set evaluation.candidates=full --set method.dim=256
wait_until has_begun || fail "$what: did not start"
kill -s INT "$run"
ended_with 130 "$what"
left '' "$what"
[ "$(tail -n 1 err)" = 'fedrecsim: interrupted before the first round was closed; nothing was written' ] ||
    fail "$what: says something else"

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]

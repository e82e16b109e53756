#!/bin/sh
# Rounds in which clients download after the aggregation (FedAWE): three clients whose dates and bytes are worked out by hand, without a
# loss, with a lost upload, with a lost download, and with a restart meanwhile, under all backends; the closed form; and that a
# killed run goes on to the same bytes. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-.}/tests/sim/run/three_clients.sh"

# run OUT OPTION...
run() {
    out=$1
    shift
    expect 0 run s.cfg --quiet --out "$out" --set method.server.correction=fedawe --set output.what_if=none "$@"
}

# row RUN ROUND COLUMN EXPECTED, to 1e-9
row() {
    what="$3 of round $2 of $1"
    got=$(awk -F, -v row="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == row + 1 { print $at[name] }' "$1/rounds.csv")
    awk "BEGIN { d = ${got:-0} - ($4); exit !(d * d < 1e-18) }" || fail "${got:-nothing} instead of $4"
}

# Messages of 7224 bytes, latencies of .1 s, a second of computing. Client 0: up from 1.1 s for 1.806 s; 1 and 2: for 3.612 s, so that all have
# arrived at 4.712 s. Then down: .1 s, and .903 s or 1.806 s. The round lasts 6.618 s.
for backend in calendar actors simgrid; do
    run $backend --set engine.backend=$backend
    for round in 1 2; do
        row $backend $round duration_s 6.618
        row $backend $round down_bytes 3*7224
        row $backend $round up_bytes 3*7224
        row $backend $round path_down_s 1.806
        row $backend $round path_up_s 3.612
        row $backend $round path_compute_s 1
        row $backend $round path_latency_s 0.2
        row $backend $round path_wait_s 0
        row $backend $round wasted_down_bytes 0
    done
done
for file in rounds.csv clients.csv events.ndjson; do
    what=$file
    cmp -s calendar/$file actors/$file || fail "calendar and actors differ"
done
what="events"
grep -q '"client":0,"round":2,"attempt":0,"phase":"receive","t0_s":11.33,"t1_s":12.333,"bytes":7224,' calendar/events.ndjson ||
    fail "client 0 does not receive from 4.712 s after the round began until 1.003 s later"
grep -q staleness calendar/events.ndjson && fail "a model is old"

# Client 2 never uploads: it is sent nothing, and trains from the initial values, one version older in every round.
run up --set 'failures.up="old 100 %, others 0 %"' --set failures.detect=0s
row up 1 duration_s 6.618
row up 1 delivered 2
row up 1 down_bytes 2*7224
row up 1 wasted_down_bytes 0
what="a client whose upload is lost"
grep '"client":2' up/events.ndjson | grep -q receive && fail "is sent something"

# Client 2 never receives: its upload counts, what crossed is wasted, and its model is one version old in round 2.
run down --set 'failures.down="old 100 %, others 0 %"' --set failures.detect=0s
row down 1 duration_s 6.618
row down 1 delivered 3
row down 1 dropped_down 0
row down 1 wasted_up_bytes 0
crossed=$(sed -n 's/.*"client":2,"round":1,.*"phase":"receive".*"bytes":\([0-9]*\),.*/\1/p' down/events.ndjson)
[ "${crossed:-0}" -gt 0 ] || fail "nothing of client 2's download crosses"
row down 1 down_bytes "2*7224+$crossed"
row down 1 wasted_down_bytes "$crossed"
what="a client whose download is lost"
grep '"client":2,"round":2' down/events.ndjson | grep -q '"lost":"device".*"staleness":1' ||
    fail "has the model of its last download, or does not say that it is lost"

# Detecting that takes 30 s; the round waits for it.
run noticed --set 'failures.down="old 100 %, others 0 %"' --set failures.detect=30s
lost_s=$(sed -n 's/.*"client":2,"round":1,.*"phase":"receive".*"t1_s":\([0-9.]*\),.*/\1/p' noticed/events.ndjson)
row noticed 1 duration_s "$lost_s+30"

# A server that restarts while it sends has aggregated: the round is kept, ends at once, and what had not arrived is wasted.
run restart --set 'failures.server_restarts="6 s"' --set failures.restart=10s
row restart 1 duration_s 6
row restart 1 delivered 3
row restart 1 wasted_down_bytes 2*4752
row restart 2 start_s 16
what="downloads that a restart ends"
[ "$(grep '"round":1,' restart/events.ndjson | grep -c '"lost":"server_restart"')" -eq 2 ] || fail "are not 2"

# Half of the messages to one client break: all of it is sent again, on a connection of its own, and counted once.
run again --set 'failures.connection_down="old 50 %, others 0 %"' --set failures.retry.times=5 --set failures.detect=0s --set rounds.count=6
what="bytes sent again"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { again += $at["resent_down_bytes"]; bad += $at["down_bytes"] != 3 * 7224 + $at["wasted_down_bytes"] && $at["wasted_down_bytes"] == $at["resent_down_bytes"] }
    END { exit !(again > 0 && bad == 0) }' again/rounds.csv || fail "are none, or counted twice"

# By the formula.
what="closed form"
grep -A9 '"closed_form"' calendar/summary.json | grep -q '"round_s": 6.618' || fail "is not 6.618 s"

[ "$failures" -eq 0 ]

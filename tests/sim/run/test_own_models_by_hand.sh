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

# What clients spend: client 0 downloads for .903 s, and waits for a latency up and one down, in each of two rounds.
client() {
    what="$2 of client $1"
    got=$(awk -F, -v client="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == client { print $at[name] }' calendar/clients.csv)
    awk "BEGIN { d = ${got:-0} - ($3); exit !(d * d < 1e-18) }" || fail "${got:-nothing} instead of $3"
}
client 0 down_s 2*0.903
client 2 down_s 2*1.806
client 0 waited_latency_s 4*0.1
client 0 down_bytes 2*7224

# A cap knows of the download: 22,000 bytes are enough for one participation, and would be for another upload, but not for both.
run capped --set 'caps.bytes="22 kB"' --set 'caps.period="1 h"'
row capped 1 duration_s 6.618
row capped 2 start_s 3600

# The connection of the upload is the download's: it takes no second handshake, and where it is kept, it begins with the window that the
# download before has left.
run tls --set network.model=tcp --set network.connection=tls
what="handshakes"
[ "$(grep -c '"phase":"setup"' tls/events.ndjson)" -eq 6 ] || fail "are not one for each participation"
far="--set network.model=tcp --set network.connection=kept --set network.idle_windows=kept --set network.latency=10s --set method.dim=500"
# shellcheck disable=SC2086
run kept $far
# shellcheck disable=SC2086
run first $far --set method.server.correction=none
what="windows of a connection that is kept"
second() {
    grep '"client":0,"round":2,' "$1/events.ndjson" | sed -n "s/.*\"phase\":\"$2\".*\"windows\":\(.*\]\]\).*/\1/p"
}
[ -n "$(second first down)" ] || fail "are the initial ones where clients download first"
[ "$(second kept receive)" = "$(second first down)" ] || fail "are not those of a client that downloads first: $(second kept receive)"

# A device that fails while it receives does not go on with its work after the upload; one whose download breaks does.
post() {
    sed -n 's/.*"client":2,"round":1,.*"phase":"post".*"t1_s":\([0-9.]*\),.*"outcome":"\([a-z_]*\)".*/\1 \2/p' "$1/events.ndjson"
}
slow="--set method.name=pfedclr --set method.aggregation=uniform --set devices.compute=flops --set training.enabled=true --set evaluation.every=1000 --set devices.fleet=slow.csv --set network.fleet=slow.csv --set failures.detect=0s"
sed 's/,2,/,0.00001,/; s/,1,64/,0.000001,64/' fleet.csv >slow.csv
# shellcheck disable=SC2086
run working $slow --set 'failures.down="old 100 %, others 0 %"'
what="work after the upload of a device that fails while it receives"
lost_s=$(sed -n 's/.*"client":2,"round":1,.*"phase":"receive".*"t1_s":\([0-9.]*\),.*"lost":"device".*/\1/p' working/events.ndjson)
[ "$(post working)" = "${lost_s:-never} dropped_post" ] || fail "$(post working) instead of ${lost_s:-never} dropped_post"
# shellcheck disable=SC2086
run lost $slow --set 'failures.connection_down="old 100 %, others 0 %"'
what="work after the upload of a client whose download is lost"
[ "$(post lost | cut -d' ' -f2)" = ended ] || [ "$(post lost | cut -d' ' -f2)" = cut ] || fail "ends as $(post lost)"

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
what="waste by cause"
tr -d ' \n' <down/summary.json | grep -q '"device":{"participations":2,"down_bytes":[0-9]*,.*"by_outcome":{"receive":{"participations":2,"down_bytes":[1-9]' ||
    fail "does not count downloads that are lost"
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

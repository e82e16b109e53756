#!/bin/sh
# Clients that exchange layers with each other (SemiDFEGL, method.exchange): three clients whose dates and bytes are worked out by hand, over a
# mesh and through a head; losses, under both backends and any number of threads; a killed run goes on to the same bytes; a training that a
# journal tells of; and what is refused with the reason. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-.}/tests/sim/run/three_clients.sh"

# run SCENARIO OUT OPTION...
run() {
    scenario=$1 out=$2
    shift 2
    expect 0 run "$scenario" --quiet --out "$out" --set output.what_if=none --set output.report=false "$@"
}

# row RUN ROUND COLUMN EXPECTED, to 1e-9
row() {
    what="$3 of round $2 of $1"
    got=$(awk -F, -v row="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == row + 1 { print $at[name] }' "$1/rounds.csv")
    awk "BEGIN { d = ${got:-0} - ($4); exit !(d * d < 1e-18) }" || fail "${got:-nothing} instead of $4"
}

same() {
    for file in rounds.csv clients.csv events.ndjson peers.csv; do
        what=$file
        cmp -s "$1/$file" "$2/$file" || fail "$1 and $2 differ"
    done
}

sed -i.bak '/^training/d; s/name = "fedmf"; dim = 50;/name = "semidfegl"; dim = 4; common_items = 5; returned_items = 0; clusters = 1; exchange_clients = 3; init_sd = 0.1;/' s.cfg

# In the first round nothing is known of groups. In the second one all have their downloads at .1 + (24 + 4 (1 + 4)(5 + 1)) / 4000 = .136 s. A
# message has 24 + 4 · 4 · 5 = 104 bytes, behind two latencies of .1 s. Over a mesh client 0 has an uplink of 4000 B/s for two of them and the
# others one of 2000, so that a layer takes .2 + .104 s. Round 2's head is client 1: its downlink of 4000 gives each of two messages 2000, and
# its uplink of 2000 half of that, so that a layer takes .2 + .052 + .2 + .104 s.
for backend in calendar actors; do
    run s.cfg mesh-$backend --set method.exchange=mesh --set engine.backend=$backend
    run s.cfg head-$backend --set method.exchange=head --set engine.backend=$backend
    row mesh-$backend 1 peer_up_bytes 0
    row mesh-$backend 1 path_exchange_s 0
    row mesh-$backend 2 path_down_s .036
    row mesh-$backend 2 path_exchange_s .608
    row mesh-$backend 2 path_compute_s 1
    row mesh-$backend 2 peer_up_bytes 2*6*104
    row mesh-$backend 2 peer_down_bytes 2*6*104
    row mesh-$backend 2 peer_messages 12
    row mesh-$backend 2 wasted_peer_up_bytes 0
    row head-$backend 2 path_exchange_s 1.112
    row head-$backend 2 peer_up_bytes 2*4*104
    row head-$backend 2 peer_messages 8
    row head-$backend 2 delivered 3
done
same mesh-calendar mesh-actors
same head-calendar head-actors
what="a layer's messages"
awk -F, 'NR > 1 { n++; bad += $9 != 104 || $15 < 1 || $15 > 2 } END { exit !(n == 12 && !bad) }' mesh-calendar/peers.csv ||
    fail "are not twelve of 104 bytes"
what="events"
grep -q '"client":1,"round":2,"attempt":0,"phase":"exchange".*"sent":4,"received":4' mesh-calendar/events.ndjson || fail "client 1 does not exchange"

cat >g.cfg <<'END_OF_FILE'
data = { synthetic = "custom"; users = 30; items = 60; interactions = 500; };
method = { name = "semidfegl_ratings"; dim = 4; clusters = 4; common_items = 6; returned_items = 10; exchange = "mesh"; exchange_clients = 8; };
codec = { uplink = "touched_rows"; };
network = { model = "exact"; downlink = { distribution = "lognormal"; median = "40 kbit/s"; sigma = 1.0; };
            uplink = { distribution = "lognormal"; median = "10 kbit/s"; sigma = 1.0; }; latency = "30 ms"; };
devices = { speed = "1 Mflop/s"; };
rounds = { count = 5; cohort = 24; };
END_OF_FILE
sed -i.bak 's/synthetic = "custom";/& feedback = "explicit"; split = "ratio";/' g.cfg

# What crosses is what crosses, however it is lost.
balance() {
    what="balance of $1"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { up += $at["peer_up_bytes"]; down += $at["peer_down_bytes"]; wasted += $at["wasted_peer_up_bytes"]; back += $at["wasted_peer_down_bytes"] }
        END { exit !(up == down && wasted == back && wasted > 0 && wasted < up) }' "$1/rounds.csv" || fail "is not even, or nothing is lost"
}
n=0
for losses in "failures.up=0.02 failures.down=0.02 failures.compute=0.1" "failures.connection_up=0.05 failures.connection_down=0.02" \
    "failures.device_mtbf=20s" "availability.model=markov availability.on=8s availability.off=2s"; do
    n=$((n + 1))
    case $n in 1 | 4) settings="network.model=exact method.exchange=mesh" ;; 2) settings="network.model=tcp method.exchange=head" ;; *) settings="network.model=tcp" ;; esac
    set --
    for key in $losses $settings failures.detect=2s; do
        set -- "$@" --set "$key"
    done
    run g.cfg calendar$n --set engine.backend=calendar --threads 1 "$@"
    run g.cfg actors$n --set engine.backend=actors --threads 2 "$@"
    same calendar$n actors$n
    balance calendar$n
done

# Resumed from a checkpoint that was written after each round.
set -- --set failures.up=0.02 --set failures.compute=0.1 --set failures.detect=2s --set rounds.count=20
run g.cfg whole "$@"
(
    "$program" run g.cfg --quiet --threads 1 --out resumed --set output.what_if=none --set output.checkpoint_rounds=1 "$@" >/dev/null 2>&1 &
    run=$!
    until [ -s resumed.checkpoint ] || [ -e resumed ] || ! kill -0 $run 2>/dev/null; do :; done
    kill -9 $run 2>/dev/null
    wait $run 2>/dev/null
)
run g.cfg resumed --resume --set output.checkpoint_rounds=1 "$@"
same whole resumed

# A journal tells of the same training over other links; where others are lost in between, training goes on from there.
set -- --set failures.up=0.02 --set failures.detect=2s
run g.cfg whole-fast "$@" --set network.bandwidth_factor=2
run g.cfg cached "$@" --cache=cache
run g.cfg cached-fast --cache=cache "$@" --set network.bandwidth_factor=2
run g.cfg cached-lossless --cache=cache
run g.cfg lossless
same whole-fast cached-fast
same lossless cached-lossless

# refused KEY=VALUE TEXT
refused() {
    expect 2 check g.cfg --set "$1"
    says err "$2"
    says err "allowed: "
}
refused network.model=packets 'clients exchange layers with each other (method.exchange = "mesh"), and messages between clients are simulated under two models'
refused network.server_downlink=1Mbit/s "when a client has its download would depend on others"
refused network.server_uplink=1Mbit/s "when a client is connected would depend on others"
refused rounds.policy=over_select "the round ends when every client is done"
refused privacy.1.name=clip "clients would read each other's layers"
refused 'failures.server_restarts="5 s"' "not broken off by the server"
refused engine.backend=simgrid "SimGrid's own solver simulates no messages between clients"
refused caps.bytes=10MB "accounts do not know what clients send each other"
expect 2 check g.cfg --set failures.connection_up=0.1 --set failures.retry.times=2
says err "a message between clients is not tried again; allowed: 0"
expect 2 check g.cfg --set training.enabled=false --set codec.uplink=dense --set devices.compute=none
says err "who is in a group follows from training; allowed: true"

[ "$failures" -eq 0 ]

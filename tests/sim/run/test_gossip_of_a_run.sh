#!/bin/sh
# Rounds without a server (peers.neighbours): three clients whose dates and bytes are worked out by hand; a complete graph gives FedAvg's
# mean; losses in every phase, under both backends and any number of threads; a killed run goes on to the same bytes; and what needs a
# server is refused with the reason. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-.}/tests/sim/run/three_clients.sh"

# run SCENARIO OUT OPTION...
run() {
    scenario=$1 out=$2
    shift 2
    expect 0 run "$scenario" --quiet --out "$out" --set output.what_if=none "$@"
}

# row RUN ROUND COLUMN EXPECTED, to 1e-9
row() {
    what="$3 of round $2 of $1"
    got=$(awk -F, -v row="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == row + 1 { print $at[name] }' "$1/rounds.csv")
    awk "BEGIN { d = ${got:-0} - ($4); exit !(d * d < 1e-18) }" || fail "${got:-nothing} instead of $4"
}

same() {
    for file in rounds.csv clients.csv events.ndjson; do
        what=$file
        cmp -s "$1/$file" "$2/$file" || fail "$1 and $2 differ"
    done
}

# Everyone computes for a second and then sends 7224 bytes to both others, behind two latencies of .1 s. Client 0 has an uplink of
# 4000 B/s, which gives each message 2000; the others have 2000 and give 1000; no downlink (8000, 4000, 4000) is full. So client 0 has
# sent at 1.2 + 3.612 s, and all have everything at 1.2 + 7.224 s.
for backend in calendar actors; do
    run s.cfg $backend --set peers=complete --set engine.backend=$backend
    for round in 1 2; do
        row $backend $round duration_s 8.424
        row $backend $round path_compute_s 1
        row $backend $round path_exchange_s 7.424
        row $backend $round peer_up_bytes 6*7224
        row $backend $round peer_down_bytes 6*7224
        row $backend $round wasted_peer_up_bytes 0
        row $backend $round peer_messages 6
        row $backend $round delivered 3
        row $backend $round down_bytes 0
        row $backend $round up_bytes 0
    done
done
same calendar actors
what="events"
grep -q '"client":1,"round":2,"attempt":0,"phase":"exchange","t0_s":9.424,"t1_s":16.848,"bytes":28896,"flop":0,"up_bytes":14448,"down_bytes":14448,"sent":2,"received":2' calendar/events.ndjson ||
    fail "client 1 does not exchange from 9.424 s to 16.848 s"

# Client 2 never gets to the end of its computing. The others send each other a message, at 4000 and 2000 B/s, until 1.2 + 3.612 s, and
# notice the loss 5 s after it.
run s.cfg lost --set peers=complete --set 'failures.compute="old 100 %, others 0 %"' --set failures.detect=5s
grep -q '"uplink": "nothing, because there is none; ' lost/summary.json || fail "a server reads uploads"
lost_s=$(sed -n 's/.*"client":2,"round":1,.*"phase":"compute".*"t1_s":\([0-9.]*\),.*/\1/p' lost/events.ndjson)
row lost 1 duration_s "$lost_s+5"
row lost 1 delivered 2
row lost 1 dropped_compute 1
row lost 1 peer_up_bytes 2*7224
row lost 1 wasted_peer_up_bytes 0

# Its device fails in every message that it sends: what had crossed is wasted at both ends, and so are the messages to it.
run s.cfg fails --set peers=complete --set 'failures.up="old 100 %, others 0 %"' --set failures.detect=5s
row fails 1 delivered 2
row fails 1 dropped_up 1
what="waste of a device that fails"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { up = $at["peer_up_bytes"]; wasted = $at["wasted_peer_up_bytes"]; bad += !(wasted > 0 && up == wasted + 2 * 7224) }
    END { exit bad }' fails/rounds.csv || fail "is not what is sent beside two messages"

# Client 2 computes for 20 s, and its device fails in every message that it receives: that ends its computing, too. Clients 0 and 1 have
# sent each other their models at 1.2 + 3.612 s, and have noticed the loss 5 s after it.
sed 's/^client,.*/&,overhead_s/; s/^2,.*/&,20/; s/^[01],.*/&,1/' fleet.csv >slow.csv
sed 's/fleet.csv/slow.csv/; s/ overhead = "1 s";//' s.cfg >slow.cfg
run slow.cfg receives --set peers=complete --set 'failures.down="old 100 %, others 0 %"' --set failures.detect=5s --set rounds.count=1
lost_s=$(sed -n 's/.*"client":2,"round":1,.*"phase":"compute".*"t1_s":\([0-9.]*\),.*"outcome":"dropped_compute","cause":"device".*/\1/p' receives/events.ndjson)
what="a device that fails while it receives and computes"
awk "BEGIN { exit !(${lost_s:-0} > 1.2 && ${lost_s:-0} < 8) }" || fail "computes until ${lost_s:-its end}"
awk -F, -v lost="$lost_s" 'NR > 1 && $4 == 2 && $5 == "receiver_lost" { n++; at += $8 == lost } END { exit !(n == 2 && at == 2) }' receives/peers.csv ||
    fail "is not lost when its messages are"
row receives 1 duration_s "$lost_s+5"
row receives 1 dropped_compute 1
row receives 1 delivered 2

# With a barrier all three begin when client 2 has computed, and have everything at 20.2 + 7.224 s. Where it is lost, the others begin
# 5 s after that, and need .2 + 3.612 s.
run slow.cfg barrier --set peers=complete --set peers.barrier=true
row barrier 1 duration_s 27.424
row barrier 2 peer_up_bytes 6*7224
what="begin behind a barrier"
awk -F, 'NR > 1 && $2 == 0 && $1 == 1 { n++; at += $6 == 20 } END { exit !(n == 6 && at == 6) }' barrier/peers.csv || fail "is not 20 s for all"
run slow.cfg barrier-lost --set peers=complete --set peers.barrier=true --set 'failures.compute="old 100 %, others 0 %"' --set failures.detect=5s
lost_s=$(sed -n 's/.*"client":2,"round":1,.*"phase":"compute".*"t1_s":\([0-9.]*\),.*/\1/p' barrier-lost/events.ndjson)
row barrier-lost 1 duration_s "$lost_s+5+3.812"
row barrier-lost 1 delivered 2

cat >g.cfg <<'END_OF_FILE'
data = { synthetic = "custom"; users = 30; items = 60; interactions = 500; };
evaluation = { candidates = "full"; };
method = { name = "fedmf"; dim = 4; init_sd = 0.1; aggregation = "uniform"; };
network = { model = "exact"; downlink = { distribution = "lognormal"; median = "4 Mbit/s"; sigma = 1.0; };
            uplink = { distribution = "lognormal"; median = "1 Mbit/s"; sigma = 1.0; }; latency = "30 ms"; };
rounds = { count = 6; cohort = 30; };
END_OF_FILE

# All clients exchange with all others: each has the mean of all, as FedAvg's server would.
quality() { awk -F, 'NR == 1 { while ($(n + 1) !~ /^hr@/) n++ } { for (i = n + 1; i < NF; i++) printf "%s,", $i; print "" }' "$1/rounds.csv"; }
run g.cfg star
run g.cfg gossip --set peers=complete
what="quality"
quality star >star.quality
quality gossip >gossip.quality
cmp -s star.quality gossip.quality || fail "of a complete graph is not that of FedAvg"
what="consensus distance"
awk -F, 'NR > 1 { bad += !($NF < 1e-6) } END { exit bad }' gossip/rounds.csv || fail "of a complete graph is not 0"
run g.cfg ring --set peers=ring --set peers.graph=once
awk -F, 'NR > 1 { bad += !($NF > 1e-4) } END { exit bad }' ring/rounds.csv || fail "of a ring is 0"

# Clients of CoLR exchange coefficients under the round's projection: 60 items of 2 numbers and a header. On a complete graph they have
# CoLR's mean; on a ring they come together, since every round has a projection of its own.
set -- --set method.name=colr --set method.rank=2 --set method.aggregation=uniform
run g.cfg colr-star "$@"
run g.cfg colr --set peers=complete "$@"
quality colr-star >star.quality
quality colr >gossip.quality
what="quality of colr"
cmp -s star.quality gossip.quality || fail "of a complete graph is not that of its mean"
row colr 1 peer_up_bytes 870*504
row colr 1 up_bytes 0
what="consensus distance of colr"
awk -F, 'NR > 1 { bad += !($NF < 1e-6) } END { exit bad }' colr/rounds.csv || fail "of a complete graph is not 0"
run g.cfg colr-ring --set peers=ring --set rounds.count=60 --set method.name=colr --set method.rank=2 --set method.learning_rate=0.01
awk -F, 'NR == 2 { first = $NF } { last = $NF } END { exit !(last > 0 && last < 3 * first) }' colr-ring/rounds.csv || fail "grows on a ring"

# What crosses is what crosses, however it is lost.
balance() {
    what="balance of $1"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { up += $at["peer_up_bytes"]; down += $at["peer_down_bytes"]; wasted += $at["wasted_peer_up_bytes"]; back += $at["wasted_peer_down_bytes"] }
        END { exit !(up == down && wasted == back && wasted > 0 && wasted < up) }' "$1/rounds.csv" || fail "is not even, or nothing is lost"
}
n=0
for model in exact tcp; do
    for losses in "failures.up=0.1 failures.down=0.1 failures.compute=0.1" "failures.connection_up=0.2 failures.connection_down=0.1" \
        "failures.device_mtbf=10s failures.connection_mtbf=10s" "availability.model=markov availability.on=4s availability.off=2s"; do
        n=$((n + 1))
        set --
        for key in $losses failures.detect=2s peers=random_regular network.model=$model; do
            set -- "$@" --set "$key"
        done
        run g.cfg calendar$n --set engine.backend=calendar --threads 1 "$@"
        run g.cfg actors$n --set engine.backend=actors --threads 2 "$@"
        same calendar$n actors$n
        balance calendar$n
    done
done

# Resumed from a checkpoint that was written after each round.
set -- --set peers=random_regular --set failures.up=0.1 --set failures.compute=0.1 --set failures.detect=2s --set rounds.count=40
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

# What a journal tells of a round with a server, or of other neighbours, is not taken for one of these; over other links it is.
run g.cfg plain --set peers=ring
run g.cfg fast --set peers=ring --set network.bandwidth_factor=2
run g.cfg cached --cache=cache
run g.cfg cached-ring --cache=cache --set peers=ring
run g.cfg cached-fast --cache=cache --set peers=ring --set network.bandwidth_factor=2
same star cached
same plain cached-ring
same fast cached-fast

# refused KEY=VALUE TEXT
refused() {
    expect 2 check g.cfg --set peers=ring --set "$1"
    says err "$2"
    says err "allowed: "
}
refused method.name=fedncf 'peers.neighbours = "ring"), and this method needs one'
expect 2 check g.cfg --set peers=ring --set method.name=colr --set method.aggregation=uniform --set method.catchup=full
says err "no downloads that a client could miss"
refused method.server.optimiser=adam "nothing that it could step on"
refused method.server.correction=fedau "no sum of uploads to correct"
refused method.aggregation=per_item "by the weights of peers.mixing"
refused codec.uplink=quantise "a codec of updates would leave too little"
refused privacy.1.name=pairwise_masks "mechanisms protect what a server would see"
refused rounds.policy=over_select "it ends when every client is done"
refused rounds.selection=utility "none that could know what this selection goes by"
refused network.model=packets "simulated under two models"
refused network.server_uplink=1Mbit/s "nothing crosses its link"
refused 'failures.server_restarts="5 s"' "none that could restart"
expect 2 check g.cfg --set peers=ring --set failures.connection_up=0.1 --set failures.retry.times=2
says err "a message between clients is not tried again; allowed: 0"
refused engine.backend=simgrid "SimGrid's own solver simulates no messages between clients"
refused rounds.stop_tolerance=0.1 "no tables of its own that could stand still"
refused caps.bytes=10MB "accounts of what clients spend"
expect 2 check g.cfg --set peers=file --set peers.file=none.csv
says err "none.csv"
expect 2 check g.cfg --set data.users=300 --set data.interactions=5000 --set rounds.cohort=300 --set peers=complete
says err "89700 messages of a round are too many to be simulated"

(
    # shellcheck disable=SC3045 # every sh this runs under has ulimit -v
    ulimit -v 700000
    expect 2 check g.cfg --set method.dim=4096 --set data.users=300 --set data.interactions=5000 --set rounds.cohort=300 --set peers=ring
    says err "every client has a model of its own, 983.04 kB each: 884.74 MB for 300 clients"
    [ "$failures" -eq 0 ]
) || failures=$((failures + 1))

[ "$failures" -eq 0 ]

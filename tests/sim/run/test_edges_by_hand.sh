#!/bin/sh
# Edges that store messages and forward them: three clients behind one or two edges whose dates and bytes are worked out by hand, with
# a shared server link, with a deadline, a lost upload and a restart in the middle of what is forwarded; an edge without limits is the
# star; backends agree; what does not go with edges is refused. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-.}/tests/sim/run/three_clients.sh"
# shellcheck source=tests/sim/run/three_edges.sh
. "${FRS_SOURCE_DIR:-.}/tests/sim/run/three_edges.sh"

# forwards RUN LINE: a line of edges.csv up to its latency.
forwards() {
    what="edges.csv of $1"
    cut -d, -f1-10 "$1/edges.csv" | grep -qxF "$2" || fail "no line $2"
}

# Messages of 7224 bytes, latencies of .1 s, a second of computing. Both edges have the download at 1.5 s: for clients 0 and 2 it crosses
# once. Clients are done with their uploads .1 + .903 + 1 + .1 + 1.806 s later (client 0), .1 + 1.806 + 1 + .1 + 3.612 s later
# (1 and 2), and each edge has one at a time for .5 + 2 s: the last are there at 10.618 s.
for backend in calendar actors simgrid; do
    edges $backend 2 --set engine.backend=$backend
    for round in 1 2; do
        row $backend $round duration_s 10.618
        row $backend $round down_bytes 3*7224
        row $backend $round up_bytes 3*7224
        row $backend $round edge_down_bytes 2*7224
        row $backend $round edge_up_bytes 3*7224
        row $backend $round wasted_edge_down_bytes 0
        row $backend $round path_edge_down_s 1.5
        row $backend $round path_edge_up_s 2.5
        row $backend $round path_down_s 1.806
        row $backend $round path_up_s 3.612
        row $backend $round path_wait_s 0
    done
    forwards $backend "1,0,0,down,2,0,0,0.5,1.5,0.5"
    forwards $backend "1,0,0,up,1,5.409,5.409,5.909,7.909,0.5"
    forwards $backend "1,0,1,up,1,8.118,8.118,8.618,10.618,0.5"
done
for file in rounds.csv clients.csv events.ndjson edges.csv hours.csv; do
    what=$file
    cmp -s calendar/$file actors/$file || fail "calendar and actors differ"
done
what="events"
says calendar/events.ndjson '"client":0,"round":1,"attempt":0,"phase":"edge_up","t0_s":5.409,"t1_s":7.909,"bytes":0,"flop":0,"outcome":"delivered"'
what="the server's load"
awk -F, 'NR == 2 { exit !($15 == 4 * 7224 && $16 == 6 * 7224) }' calendar/hours.csv || fail "is not that of its edges"

# One edge has the uploads of clients 1 and 2 at once: that of client 2 waits for two seconds, in which its latency passes.
edges one 1
row one 1 duration_s 12.618
row one 1 edge_down_bytes 7224
row one 1 path_edge_up_s 4.5
forwards one "1,0,0,up,1,8.118,10.618,10.618,12.618,0"

# Two take part in each round, and by this seed the second one has one that never did, which is sent the table, and one that did, which is
# sent what has changed: 7236 bytes. They share no message.
edges newcomer 1 --set method.name=fedmf_update --set method.catchup=replay --set rounds.cohort=2 --set seed=3
row newcomer 1 edge_down_bytes 7224
row newcomer 2 edge_down_bytes '7224 + 7236'

# The server's uplink of 3612 bytes/s is shared by the two messages that cross from 8.618 s on: four seconds.
edges shared 2 --set 'network.server_uplink=3612 B/s' --set 'network.edges.uplink=7224 B/s'
row shared 1 duration_s 12.618

# At the deadline half of both is there.
edges deadline 2 --set rounds.policy=deadline --set 'rounds.policy.after=9.618 s'
row deadline 1 duration_s 9.618
row deadline 1 delivered 1
row deadline 1 cut 2
row deadline 1 wasted_up_bytes 2*7224
row deadline 1 edge_up_bytes 2*7224
row deadline 1 wasted_edge_up_bytes 7224
row deadline 1 wasted_edge_down_bytes 7224

# A deadline that falls in connecting charges each way by itself what has crossed by then, behind an edge as in a star. Client 2 connects
# over TLS: five latencies of .1 s, 932 bytes up in 2 s, and of 3966 down, at 500 bytes/s, 1750 have crossed at 6 s. Behind an edge that
# has the download at 1.5 s it begins then, and has 2750 at 9.5 s. Client 0 is delivered at 5.138 s or 9.138 s.
printf '%s\n' client,down_bytes_per_s,up_bytes_per_s,speed_Gflop_s,memory_MiB 0,8000,4000,1,64 1,4000,2000,1,64 2,500,466,1,64 >connecting.csv
connecting="--set network.model=tcp --set network.fleet=connecting.csv --set devices.fleet=connecting.csv --set rounds.policy=deadline"
# cut_connecting RUN UP DOWN: what client 2 is charged, in its event and in the round's waste; client 1 has connected, and is cut as well.
cut_connecting() {
    row "$1" 1 delivered 1
    row "$1" 1 cut 2
    row "$1" 1 setup_up_bytes "2*932 + $2"
    row "$1" 1 setup_down_bytes "2*3966 + $3"
    row "$1" 1 wasted_setup_up_bytes "932 + $2"
    row "$1" 1 wasted_setup_down_bytes "3966 + $3"
    what="connecting of $1"
    grep '"client":2,"round":1,.*"phase":"setup"' "$1/events.ndjson" >event
    says event "\"bytes\":$(($2 + $3)),\"flop\":0,\"down_bytes\":$3,\"up_bytes\":$2,"
    says event '"outcome":"cut"'
}
# shellcheck disable=SC2086 # options
for backend in calendar actors; do
    run connecting-star-$backend $connecting --set 'rounds.policy.after=6 s' --set engine.backend=$backend
    cut_connecting connecting-star-$backend 932 1750
    edges connecting-edge-$backend 1 $connecting --set 'rounds.policy.after=9.5 s' --set engine.backend=$backend
    cut_connecting connecting-edge-$backend 932 2750
done
# While the client's own bytes cross, at 100 bytes/s, there are none from the other end.
sed -i 's/^2,500,466/2,500,100/' connecting.csv
# shellcheck disable=SC2086 # options
run connecting-star-up $connecting --set 'rounds.policy.after=6 s'
cut_connecting connecting-star-up 550 0
# shellcheck disable=SC2086 # options
edges connecting-edge-up 1 $connecting --set 'rounds.policy.after=9.5 s'
cut_connecting connecting-edge-up 750 0

# Client 2 never uploads; what its edge was sent served client 0, too.
edges lost 2 --set 'failures.up="old 100 %, others 0 %"' --set failures.detect=0s
row lost 1 duration_s 10.618
row lost 1 dropped_up 1
row lost 1 edge_up_bytes 2*7224
row lost 1 wasted_edge_down_bytes 0

# A server that restarts loses what is on its way, and what edges hold.
edges restart 2 --set 'failures.server_restarts="9.618 s"' --set failures.restart=10s
row restart 1 duration_s 9.618
row restart 1 delivered 1
row restart 1 wasted_edge_down_bytes 2*7224
row restart 1 wasted_edge_up_bytes 2*7224
row restart 2 start_s 19.618
row restart 2 duration_s 10.618

# Edges that add: edge 0 has its two uploads at 8.118 s, as edge 1 has its one, and each sends a sum of 7224 bytes and its weight. A
# client that is lost is waited for until its edge notices; edge 1 has sent long before. An edge without any upload sends nothing.
for backend in calendar actors simgrid; do
    edges sums-$backend 2 --set network.edges.partial_sums=true --set method.aggregation=uniform --set engine.backend=$backend
    row sums-$backend 1 duration_s '8.618 + 7232 / 3612'
    row sums-$backend 1 edge_up_bytes 2*7232
    row sums-$backend 1 up_bytes 3*7224
    row sums-$backend 1 path_edge_up_s '0.5 + 7232 / 3612'
done
edges noticed 2 --set network.edges.partial_sums=true --set method.aggregation=uniform --set 'failures.up="old 100 %, others 0 %"' --set failures.detect=30s
lost_s=$(sed -n 's/.*"client":2,"round":1,.*"phase":"up".*"t1_s":\([0-9.]*\),.*/\1/p' noticed/events.ndjson)
row noticed 1 duration_s "$lost_s + 30.5 + 7232 / 3612"
row noticed 1 edge_up_bytes 2*7232
row noticed 1 delivered 2
edges none 3 --set network.edges.partial_sums=true --set method.aggregation=uniform --set 'failures.up="old 100 %, others 0 %"' --set failures.detect=0s
row none 1 edge_up_bytes 2*7232
row none 1 edge_down_bytes 3*7224
row none 1 wasted_edge_down_bytes 7224

# Two edge rounds for one of the server: an edge has its last upload at 8.118 s, its clients begin anew and need 6.618 s again, and it
# sends its sum of 7224 bytes and its weight at 14.736 s. Of client 2, which is lost in its first upload, edge 0 expects nothing
# more: the second edge round of client 0 begins 30 s after the loss and takes 3.909 s. With three edges, one of which has lost its only client in the first
# edge round, the others go on, and edge 0 has its second upload 3.909 s after the first at 5.409 s.
for backend in calendar actors simgrid; do
    edges twice-$backend 2 --set network.edges.partial_sums=true --set method.aggregation=uniform --set rounds.edge_rounds=2 --set engine.backend=$backend
    for round in 1 2; do
        row twice-$backend $round duration_s '15.236 + 7232 / 3612'
        row twice-$backend $round selected 6
        row twice-$backend $round delivered 6
        row twice-$backend $round down_bytes 6*7224
        row twice-$backend $round up_bytes 6*7224
        row twice-$backend $round edge_down_bytes 2*7224
        row twice-$backend $round edge_up_bytes 2*7232
        row twice-$backend $round path_edge_down_s 1.5
        row twice-$backend $round path_edge_rounds_s 6.618
        row twice-$backend $round path_down_s+path_compute_s+path_up_s+path_latency_s 6.618
        row twice-$backend $round path_edge_up_s '0.5 + 7232 / 3612'
    done
done
for file in rounds.csv clients.csv events.ndjson edges.csv hours.csv; do
    what="$file of two edge rounds"
    cmp -s twice-calendar/$file twice-actors/$file || fail "calendar and actors differ"
done
what="the second edge round"
says twice-calendar/events.ndjson '"client":0,"round":1,"attempt":0,"phase":"down","t0_s":8.118,"t1_s":9.121,"bytes":7224,"flop":0,"edge_round":1'
edges onelost 2 --set network.edges.partial_sums=true --set method.aggregation=uniform --set rounds.edge_rounds=2 --set 'failures.up="old 100 %, others 0 %"' --set failures.detect=30s
lost_s=$(sed -n 's/.*"client":2,"round":1,.*"phase":"up".*"t1_s":\([0-9.]*\),.*/\1/p' onelost/events.ndjson)
row onelost 1 duration_s "$lost_s + 30 + 3.909 + 0.5 + 7232 / 3612"
row onelost 1 selected 5
row onelost 1 dropped_up 1
row onelost 1 edge_up_bytes 2*7232
edges alllost 3 --set network.edges.partial_sums=true --set method.aggregation=uniform --set rounds.edge_rounds=2 --set 'failures.up="old 100 %, others 0 %"' --set failures.detect=0s
row alllost 1 selected 5
row alllost 1 edge_up_bytes 2*7232
forwards alllost "1,0,0,up,1,9.318,9.318,9.818,11.8202148394241,0.5"

# Edges that add two operations for each of 1800 values at 3600 flop/s: edge 0 needs 2 s for two uploads, edge 1 needs 1 s for one; so
# does each edge round.
for backend in calendar actors simgrid; do
    edges slow-$backend 2 --set network.edges.partial_sums=true --set method.aggregation=uniform --set rounds.edge_rounds=2 --set 'network.edges.speed=3600 flop/s' \
        --set engine.backend=$backend
    row slow-$backend 1 duration_s '15.236 + 4 + 7232 / 3612'
    row slow-$backend 1 path_edge_rounds_s 8.618
    forwards slow-$backend "1,0,1,up,1,16.736,16.736,17.236,19.2382148394241,0.5"
done

# Edge 0 dies in its second edge round, at 10 s: all that it holds of both is lost, and what crossed to it was for nothing.
edges secondlost 2 --set network.edges.partial_sums=true --set method.aggregation=uniform --set rounds.edge_rounds=2 --set 'network.edges.fails=0 at 10 s' --set failures.detect=1s
row secondlost 1 delivered 2
row secondlost 1 dropped_up 3
row secondlost 1 dropped_down 1
row secondlost 1 wasted_edge_down_bytes 7224
row secondlost 1 edge_up_bytes 7232

# Under tcp messages of 28824 bytes on a backhaul of 100 kB/s, a second there and back: a window of 14480 bytes, an acknowledgement after
# 1 + 1448 / 100000 s, and the rest, after a latency of half a second. The second upload follows the first one at once: it is further bytes of
# the same stream. By the end of the first one its sender has had ten acknowledgements, so that twenty packets may be on their way, and the
# last ten of the first one are. Ten packets cross, and the rest when the eleventh packet of the first one is acknowledged, which left .01448 s
# after the second window had begun: 1.01448 s after its end, or .87097 s after the end of the whole, whose last packet has 1312 bytes.
edges tcp 1 --set network.model=tcp --set method.dim=200 --set 'network.edges.downlink=100 kB/s' --set 'network.edges.uplink=100 kB/s'
forwards tcp "1,0,0,down,3,0,0,0.5,1.65792,0.5"
forwards tcp "1,0,0,up,1,14.89567,14.89567,15.39567,16.55359,0.5"
what="the second of two uploads one behind the other"
awk -F, '$1 == 1 && $4 == "up" && $6 == 26.43342 && $7 == 28.09134 {
    split($17, window, "[: ]")
    wait = 1.01448 - 9 * .01448 - .01448 * 1390 / 1526
    if ($8 == 28.09134 && (d = $9 - 28.09134 - wait - .14344) * d < 1e-18 && window[1] == 14480 && (d = window[2] - wait) * d < 1e-18 && window[3] == 14344) n++ }
    END { exit n != 1 }' tcp/edges.csv || fail "does not follow the acknowledgements"
# The rate at which acknowledgements come is that of the narrower of an edge's link and the server's.
edges narrow 1 --set network.model=tcp --set method.dim=200 --set 'network.edges.downlink=200 kB/s' --set 'network.edges.uplink=400 kB/s' \
    --set 'network.server_downlink=100 kB/s' --set 'network.server_uplink=100 kB/s'
what="edges.csv behind a narrow link of the server"
cmp -s tcp/edges.csv narrow/edges.csv || fail "is not that of backhauls that are as narrow"
# Where windows last while a connection is idle (edges stay connected, however clients connect), the next round's download finds the
# window of the first one, ten packets and one more for each of the twenty that were acknowledged, and fits into it.
edges idle 1 --set network.model=tcp --set method.dim=200 --set 'network.edges.downlink=100 kB/s' --set 'network.edges.uplink=100 kB/s' --set network.idle_windows=kept
what="windows of edges.csv"
awk -F, '$1 == 2 && $4 == "down" { printf "%.5f %s\n", $9 - $8, $16 }' idle/edges.csv | grep -qx '0.28824 43440' || fail "not those of a connection that has kept its window"
awk -F, '$1 == 2 && $4 == "down" { printf "%.5f %s\n", $9 - $8, $16 }' tcp/edges.csv | grep -qx '1.15792 14480' || fail "not those of a connection that has forgotten its window"

# An edge that has died has a new connection, also where it died between rounds: the second one begins at 60 s.
for dead in alive 40; do
    set --
    [ "$dead" = alive ] || set -- --set "network.edges.fails=0 at $dead s" --set 'network.edges.restart=5 s'
    edges between-$dead 1 --set network.model=tcp --set method.dim=200 --set 'network.edges.downlink=100 kB/s' --set network.idle_windows=kept --set 'rounds.every=60 s' "$@"
done
what="windows after the death of an edge between rounds"
awk -F, '$1 == 2 && $4 == "down" { printf "%.5f %s\n", $9 - $8, $16 }' between-alive/edges.csv | grep -qx '0.28824 43440' || fail "not those of an edge that is alive"
awk -F, '$1 == 2 && $4 == "down" { printf "%.5f %s\n", $9 - $8, $16 }' between-40/edges.csv | grep -qx '1.15792 14480' || fail "not those of a new connection"

# Edge 0 dies, in whatever client 0 and client 2 do then: while the download comes (half of it has), while they download, while client 0
# computes (its upload has nowhere to go) and 2 downloads, while both upload, and while the edge holds what 2 has sent and forwards it.
# It takes a second to notice. Edge 1 ends the round as ever; in the next one edge 0 is back, but for the last case.
dies() {
    at=$1
    delivered=$2
    outcomes=$3
    waste=$4
    for backend in calendar actors simgrid; do
        rm -rf dies-$backend
        edges dies-$backend 2 --set "network.edges.fails=0 at $at s" --set 'network.edges.restart=5 s' --set failures.detect=1s --set engine.backend=$backend
        row dies-$backend 1 duration_s 10.618
        row dies-$backend 1 delivered "$delivered"
        row dies-$backend 1 wasted_edge_down_bytes+wasted_edge_up_bytes "$waste"
    done
    for file in rounds.csv events.ndjson edges.csv; do
        what="$file of an edge that dies at $at s"
        cmp -s dies-calendar/$file dies-actors/$file || fail "calendar and actors differ"
    done
    what="clients whose edge dies at $at s"
    got=$(sed -n 's/.*"client":[02],"round":1,.*"outcome":"\([a-z_]*\)","cause":"edge_failure".*/\1/p' dies-calendar/events.ndjson | tr '\n' ' ')
    [ "$got" = "$outcomes" ] || fail "end as \"$got\" instead of \"$outcomes\""
}
dies 1 1 "dropped_down dropped_down " 3612
dies 2 1 "dropped_down dropped_down " 7224
dies 3 1 "dropped_up dropped_down " 7224
dies 4.5 1 "dropped_up dropped_up " 7224
row dies-calendar 1 wasted_up_bytes 3588
row dies-calendar 2 selected 3
dies 9 2 "dropped_up " 1379
row dies-calendar 2 selected 1

# The same in the middle of a sum of both: neither arrives, of the sum what had crossed by then is lost, and the message to the edge was
# for nothing. An edge that is the only one is waited for: the round after begins when it is back.
edges midsum 2 --set network.edges.partial_sums=true --set method.aggregation=uniform --set 'network.edges.fails=0 at 9 s' --set failures.detect=1s
row midsum 1 delivered 1
row midsum 1 dropped_up 2
row midsum 1 wasted_edge_up_bytes 1379
row midsum 1 wasted_edge_down_bytes 7224
edges only 1 --set 'network.edges.fails=0 at 9 s' --set failures.detect=1s --set 'network.edges.restart=20 s'
row only 1 duration_s 10
row only 2 start_s 29
row only 2 idle_s 19

# An edge without limits and latency is the star, to the last digit; so is one whose access side is the star's server link.
run star --set 'network.server_uplink=5 kB/s' --set 'network.server_downlink=9 kB/s'
run edge --set network.edges.count=1 --set 'network.edges.access_uplink=5 kB/s' --set 'network.edges.access_downlink=9 kB/s'
run free_star
run free_edge --set network.edges.count=1
again="--set network.model=tcp --set failures.connection_up=0.5 --set failures.connection_down=0.3 --set failures.retry.times=3"
# shellcheck disable=SC2086 # options
run tcp_star $again --set 'network.server_uplink=5 kB/s' --set 'network.server_downlink=9 kB/s'
# shellcheck disable=SC2086 # options
run tcp_edge $again --set network.edges.count=1 --set 'network.edges.access_uplink=5 kB/s' --set 'network.edges.access_downlink=9 kB/s'
what="broken connections"
says tcp_edge/events.ndjson '"phase":"retry"'
for pair in "star edge" "free_star free_edge" "tcp_star tcp_edge"; do
    equal_but_edges "${pair% *}" "${pair#* }"
done

# Sixty clients behind three edges that die, with sessions, failures, a deadline and a restart: all backends agree.
many_clients
for backend in calendar actors simgrid; do
    expect 0 run many.cfg --quiet --out many-$backend --set engine.backend=$backend
done
for file in rounds.csv clients.csv events.ndjson edges.csv hours.csv; do
    what="$file of many clients"
    cmp -s many-calendar/$file many-actors/$file || fail "calendar and actors differ"
done
what="many clients under SimGrid's solver"
paste -d, many-calendar/rounds.csv many-simgrid/rounds.csv | awk -F, 'NR > 1 { for (i = 4; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d * d > 1e-16) bad++ } } END { exit !(NR > 8 && bad == 0) }' ||
    fail "other rounds than the calendar's"

# The same over TCP, with connections that break and are opened anew.
for backend in calendar actors; do
    expect 0 run many.cfg --quiet --out tcp-$backend --set engine.backend=$backend --set network.model=tcp --set method.dim=32 --set failures.connection_up=0.3 \
        --set failures.retry.times=2 --set rounds.policy.after=15s
done
for file in rounds.csv clients.csv events.ndjson edges.csv hours.csv; do
    what="$file of many clients over TCP"
    cmp -s tcp-calendar/$file tcp-actors/$file || fail "calendar and actors differ"
done

# A run with partial sums, two edge rounds and edges that die is killed, and goes on to the same bytes.
cat >learns.cfg <<'END_OF_FILE'
data = { synthetic = "small"; };
method = { name = "fedmf"; aggregation = "data_size"; };
network = { model = "exact"; preset = "4g"; edges = { count = 3; partial_sums = true; mtbf = "20 s"; restart = "5 s"; }; };
devices = { preset = "phones"; };
failures = { detect = "1 s"; };
rounds = { count = 12; cohort = "10 %"; edge_rounds = 2; };
output = { what_if = "none"; report = false; checkpoint_rounds = 1; };
END_OF_FILE
expect 0 run learns.cfg --quiet --threads 1 --out whole
"$program" run learns.cfg --quiet --threads 1 --out resumed &
run=$!
until [ -s resumed.checkpoint ] || [ -e resumed ] || ! kill -0 $run 2>/dev/null; do :; done
kill -9 $run 2>/dev/null
wait $run 2>/dev/null
[ -e resumed ] || expect 0 run learns.cfg --quiet --threads 2 --out resumed --resume
for file in rounds.csv clients.csv events.ndjson edges.csv; do
    what="$file of a killed run"
    cmp -s whole/$file resumed/$file || fail "is another than that of a whole one"
done
what="what the server reads"
says whole/summary.json "the sum of the uploads of each edge's clients; the edges read every client's own"

# refused MESSAGE OPTION...
refused() {
    message=$1
    shift
    expect 2 check s.cfg --set network.edges.count=2 "$@"
    says err "$message"
}
refused 'network.model: SimGrid'\''s model of TCP pays a latency within each transfer' --set network.model=lv08
refused 'rounds.policy.name: not simulated behind edges; allowed with network.edges: wait_all | deadline' --set rounds.policy=buffered_async
refused 'rounds.stragglers: edges drop what they hold' --set rounds.policy=deadline --set 'rounds.policy.after=5 s' --set rounds.stragglers=run_on
refused 'rounds.selection.name: the server sees the times of edges' --set rounds.selection=fastest_first
refused 'privacy.1.name: the exchanges of "pairwise_masks" are not simulated behind edges' --set privacy.1=pairwise_masks
refused 'method.server.correction.name: downloads after the aggregation ("fedawe")' --set method.server.correction=fedawe
refused 'network.edges.partial_sums: a mean by item needs to know which clients changed it' --set network.edges.partial_sums=true
refused 'network.edges.partial_sums: an edge waits for all of its clients' --set network.edges.partial_sums=true --set method.aggregation=uniform \
    --set rounds.policy=deadline --set 'rounds.policy.after=5 s'
refused 'network.edges.partial_sums: a sum of what codec.uplink has left out' --set network.edges.partial_sums=true --set method.aggregation=uniform \
    --set codec.uplink=touched_rows --set training.messages=whole
refused 'rounds.edge_rounds: edges that forward every upload aggregate nothing; allowed: 1, or network.edges.partial_sums = true' --set rounds.edge_rounds=2
refused "rounds.edge_rounds: an edge's model is sent as it is" --set rounds.edge_rounds=2 --set network.edges.partial_sums=true --set method.aggregation=uniform \
    --set codec.downlink=quantise
refused 'network.edges.assignment: "class" needs edges that have one' --set network.edges.assignment=class
refused 'network.edges.memory: edge 0 has 30.00 kB, and a round in which 2 of its clients take part needs 36.10 kB' --set network.edges.partial_sums=true \
    --set method.aggregation=uniform --set network.edges.assignment=in_turn --set 'network.edges.memory=30 kB'
refused 'network.edges.assignment: "region" needs outages of regions, all of one number' --set network.edges.assignment=region
refused 'network.edges.assignment: region 3 of 3 has no edge; allowed: at least as many edges as regions' --set network.edges.assignment=region \
    --set 'availability.random_outages=3 regions every 2 d for 1 h'
refused 'network.edges.fails: "2 at 5 s" is no failure of an edge; allowed: numbers of edges below 2' --set 'network.edges.fails=1 at 3 s, 2 at 5 s'
printf 'name,down_Mbit_s,colour\na,1,red\n' >wrong.csv
expect 2 check s.cfg --set network.edges.file=wrong.csv
says err 'wrong.csv:1: column 3: "colour" is not known; allowed: name, down_Mbit_s'
printf 'name,down_Mbit_s\na,0\n' >wrong.csv
expect 2 check s.cfg --set network.edges.file=wrong.csv
says err 'wrong.csv:2: column 2 (down_Mbit_s): "0" is out of bounds'
printf 'name,class\na,4g\n' >classes.csv
expect 2 check s.cfg --set network.edges.file=classes.csv --set network.edges.assignment=class
says err 'network.edges.assignment: client 0 is of class "new", and no edge is'
expect 0 check s.cfg --set network.edges.count=2
says out 'without limit and latency, the defaults, which flatter them: downlink, uplink, latency, access_downlink, access_uplink'
says out 'crosses to it once; not charged: the energy of edges'
grep -q 'not charged: .*,' out && fail "something that the scenario does not have is not charged"
# What such a scenario leaves out is said where it has it.
expect 0 check s.cfg --set network.edges.count=2 --set network.model=tcp --set 'network.edges.mtbf=1 h'
says out 'not charged: the energy of edges, connecting to the server anew after one of them was away'
expect 0 check s.cfg --set network.edges.count=2 --set network.edges.partial_sums=true --set method.aggregation=uniform --set rounds.edge_rounds=2 --set 'caps.bytes=1 MB'
says out 'not charged: the energy of edges, what a client moves above its caps in the edge rounds of a round'

# Clients 0 and 2 are in region 1, client 1 in region 2; the edges 0 and 2 of the table are those of region 2.
printf 'region,speed_Mflop_s,memory_MB\n2,1,1\n1,1,1\n2,1,1\n' >regions.csv
run regions --set network.edges.file=regions.csv --set network.edges.assignment=region --set 'availability.outages=region 1 of 2 from 1 h to 2 h'
what="edges of regions"
got=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { printf "%s ", $at["edge"] }' regions/clients.csv)
case $got in "1 0 1 " | "1 2 1 ") ;; *) fail "clients belong to \"$got\"" ;; esac

[ "$failures" -eq 0 ]

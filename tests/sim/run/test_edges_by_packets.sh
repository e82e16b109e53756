#!/bin/sh
# Edges under network.model = "packets": dates of packets over backhauls worked out by hand, and against a client's own link; an edge without
# limits is the star; lost packets, edges that die, rounds that are cut; backends agree, and a killed run goes on to the same bytes.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-.}/tests/sim/run/three_clients.sh"
# shellcheck source=tests/sim/run/three_edges.sh
. "${FRS_SOURCE_DIR:-.}/tests/sim/run/three_edges.sh"

# by_packets OUT COUNT OPTION...: messages of 28824 bytes, 19 packets and one of 1312 bytes, over backhauls of 100 kB/s and half a second.
by_packets() {
    out=$1
    count=$2
    shift 2
    edges "$out" "$count" --set network.model=packets --set method.dim=200 --set 'network.edges.downlink=100 kB/s' \
        --set 'network.edges.uplink=100 kB/s' "$@"
}

# figure RUN LINE COLUMN: of edges.csv, whose first message is line 2
figure() {
    awk -F, -v row="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == row { print $at[name] }' "$1/edges.csv"
}

# message RUN LINE COLUMN EXPECTED, to 1e-9
message() {
    what="$3 of line $2 of edges.csv of $1"
    got=$(figure "$1" "$2" "$3")
    awk "BEGIN { d = ${got:-0} - ($4); exit !(d * d < 1e-18) }" || fail "${got:-nothing} instead of $4"
}

# A packet takes .01448 s, the last one (1312 + 78) / 1526 of that. Ten leave at once; the first acknowledgement is back after 1.01448 s, and
# the other ten leave without a pause. Client 0 uploads first. Clients 1 and 2 do at the same time: the upload of 2 waits for that of 1, in
# which its latency passes. It is further bytes of the same stream: its first ten packets are the second half of a window of twenty packets that
# began 1.01448 s after the first upload, and the others leave 1.01448 s after that, when the first packet of this window is acknowledged. As
# many have left of the first upload since the window began, so that one ends 1.01448 s after the other.
last='.01448 * 1390 / 1526'
alone="1.01448 + 9 * .01448 + $last + .5"
for backend in calendar actors; do
    by_packets $backend 1 --set engine.backend=$backend
    message $backend 2 clients 3
    message $backend 2 start_s 0
    message $backend 2 latency_s .5
    message $backend 2 end_s "$alone"
    message $backend 3 end_s "$(figure $backend 3 queued_s) + $alone"
    message $backend 4 end_s "$(figure $backend 4 queued_s) + $alone"
    message $backend 5 queued_s "$(figure $backend 4 queued_s)"
    message $backend 5 began_s "$(figure $backend 4 end_s)"
    message $backend 5 latency_s 0
    message $backend 5 end_s "$(figure $backend 4 end_s) + 1.01448"
    row $backend 1 edge_down_bytes 28824
    row $backend 1 edge_up_bytes 3*28824
    row $backend 1 path_edge_down_s "$alone"
    row $backend 1 path_edge_up_s "$alone + 1.01448"
done
same_files calendar actors

# A server's link of 50 packets a second, which both edges share: the first windows have left it after .4 s. The first acknowledgement is back
# after 1.03448 s, and from then on the link has the other twenty packets to carry without a pause, of which two are shorter. Half a
# millisecond on average passes before each edge's message begins.
by_packets shared 2 --set 'network.server_downlink=72400 B/s'
what="packets of two edges before the server's link"
awk "BEGIN { a = $(figure shared 2 end_s); b = $(figure shared 3 end_s); d = (a > b ? a : b) - (1.03448 + 18 * .02 + 2 * .02 * 1390 / 1526 + $last + .5)
    exit !(d > 0 && d < .01) }" || fail "have arrived at $(figure shared 2 end_s) and $(figure shared 3 end_s)"

# A message of 199 packets overflows the queue of 20 packets before a backhaul as it does that before a client's own link.
by_packets overflow 1 --set method.dim=2000 --set method.aggregation=uniform
cat >own.cfg <<'END_OF_FILE'
data = { synthetic = "custom"; users = 3; items = 36; interactions = 36; activity_ceiling = 0.5; };
evaluation = { candidates = "full"; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 2000; aggregation = "uniform"; };
network = { model = "packets"; preset = "none"; downlink = "100 kB/s"; uplink = "100 kB/s"; latency = "500 ms"; connection = "kept"; };
devices = { compute = "fixed"; overhead = "1 s"; };
rounds = { count = 1; cohort = 1; };
output = { what_if = "none"; report = false; };
END_OF_FILE
expect 0 run own.cfg --quiet --out own
row own 1 path_down_s "$(figure overflow 2 end_s)"
row own 1 path_up_s "$(figure overflow 3 end_s) - $(figure overflow 3 queued_s)"
what="a queue that overflows"
awk "BEGIN { exit !($(figure overflow 2 end_s) > 288024 / 100000 + 2) }" || fail "costs no time"

# Lost packets: 3 of 10 behind backhauls, with streams that go on from message to message of a round, none at clients. What was sent again is
# in no column.
by_packets lossy 1 --set network.edges.packet_loss=0.3
by_packets lossless 1
what="lost packets"
row lossy 1 edge_up_bytes 3*28824
row lossy 1 duration_s "$(figure lossy 5 end_s)"
awk "BEGIN { exit !($(figure lossy 2 end_s) > $(figure lossless 2 end_s) + .2) }" || fail "cost no time"
awk "BEGIN { a = $(figure lossy 3 end_s) - $(figure lossy 3 queued_s) - ($(figure lossy 4 end_s) - $(figure lossy 4 queued_s)); exit !(a * a > 1e-6) }" ||
    fail "are the same in two messages"
by_packets clients-lose 1 --set network.packet_loss=0.3
message clients-lose 2 end_s "$alone"

# Edge 0 dies 1.2 s after the beginning: ten packets of its download have arrived; or in the middle of the upload of client 0, .8 s after
# client 2, too, has begun to send: as many have.
began_s=$(figure lossless 3 queued_s)
by_packets dead 2 --set 'network.edges.fails=0 at 1.2 s' --set failures.detect=1s --set 'network.edges.restart=5 s'
row dead 1 delivered 1
row dead 1 dropped_down 2
row dead 1 wasted_edge_down_bytes 14480
row dead 2 selected 3
by_packets died 2 --set "network.edges.fails=0 at $(awk "BEGIN { printf \"%.17g\", $began_s + 1.2 }") s" --set failures.detect=1s
row died 1 delivered 1
row died 1 dropped_up 2
row died 1 wasted_edge_up_bytes 14480
row died 1 wasted_edge_down_bytes 28824

# A round that ends then has lost the same of both edges' uploads, of which the second has not begun.
by_packets cut 1 --set rounds.policy=deadline --set "rounds.policy.after=$(awk "BEGIN { printf \"%.17g\", $began_s + 1.2 }") s"
row cut 1 edge_up_bytes 14480
row cut 1 wasted_edge_up_bytes 14480

# An edge without limits and latency is the star, to the last digit; so is one whose access side is the star's server link, whatever is
# lost, breaks or is kept, and however the link serves its queue.
packets="--set network.model=packets --set method.dim=200"
# shellcheck disable=SC2086 # options
pair() {
    name=$1
    shift
    run "$name-star" $packets --set 'network.server_uplink=5 kB/s' --set 'network.server_downlink=9 kB/s' "$@"
    run "$name-edge" $packets --set network.edges.count=1 --set 'network.edges.access_uplink=5 kB/s' --set 'network.edges.access_downlink=9 kB/s' "$@"
    equal_but_edges "$name-star" "$name-edge"
}
# shellcheck disable=SC2086 # options
run free-star $packets
# shellcheck disable=SC2086 # options
run free-edge $packets --set network.edges.count=1
equal_but_edges free-star free-edge
pair plain
pair lossy --set network.packet_loss=0.05 --set 'network.queue=20 ms'
pair broken --set failures.connection_up=0.5 --set failures.connection_down=0.3 --set failures.retry.times=3
pair kept --set network.connection=kept --set network.idle_windows=kept
pair fair --set network.server_queue=fair --set method.dim=1000
what="broken connections"
says broken-edge/events.ndjson '"phase":"retry"'

# Sixty clients behind three edges that die, over TCP packet by packet: both backends agree, whatever is lost, kept or added.
many_clients
agree() {
    name=$1
    file=$2
    shift 2
    for backend in calendar actors; do
        expect 0 run "$file" --quiet --out "$name-$backend" --set engine.backend=$backend --set network.model=packets --set method.dim=32 \
            --set failures.connection_up=0.3 --set failures.retry.times=2 "$@"
    done
    same_files "$name-calendar" "$name-actors"
}
agree many many.cfg --set rounds.policy.after=15s
agree turns many.cfg --set rounds.policy.after=15s --set network.server_queue=fair --set network.packet_loss=0.03 --set network.edges.packet_loss=0.03 \
    --set 'network.queue=20 ms'
agree windows many.cfg --set rounds.policy.after=15s --set network.connection=kept --set network.idle_windows=kept
sed 's/ policy = {[^}]*};//' many.cfg >all.cfg
agree sums all.cfg --set network.edges.partial_sums=true --set method.aggregation=uniform --set rounds.edge_rounds=2

# A run with partial sums, two edge rounds and edges that die is killed, and goes on to the same bytes.
cat >learns.cfg <<'END_OF_FILE'
data = { synthetic = "small"; };
method = { name = "fedmf"; aggregation = "data_size"; };
network = { model = "packets"; preset = "4g"; packet_loss = 0.01; connection = "kept";
    edges = { count = 3; partial_sums = true; mtbf = "20 s"; restart = "5 s"; latency = "20 ms"; uplink = "2 MB/s"; downlink = "2 MB/s"; packet_loss = 0.01; }; };
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
same_files whole resumed

# What has no effect, or is not simulated.
expect 2 check s.cfg --set network.edges.count=2 --set network.edges.packet_loss=0.1
says err 'network.edges.packet_loss: has no effect here'
expect 2 check s.cfg --set network.model=packets --set network.edges.count=2 --set network.server_queue=fair
says err 'network.server_queue: has no effect here'
expect 0 check s.cfg --set network.model=packets --set network.edges.count=2
says out 'closed form  none: messages are stored and forwarded at edges'

[ "$failures" -eq 0 ]

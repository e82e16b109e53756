#!/bin/sh
# Emulations with edges: the same messages and the same learning as in the simulation, over backhauls, too; rounds take no less than
# the links need; and nothing is left of an emulation of which an edge is killed. Exits with 77 where the rights are lacking.
#   test_emulation_edges.sh BUILD_FOLDER [KILLS]     of random parts at random moments besides, default: 0
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/emulating.sh
. "$tests/sim/run/emulating.sh"

cat >edges.csv <<'CSV'
name,down_Mbit_s,up_Mbit_s,latency_ms,access_down_Mbit_s,access_up_Mbit_s
near,4,2,5,8,8
far,2,1,40,8,8
CSV
cat >s.cfg <<'CFG'
seed = 3;
data = { synthetic = "custom"; users = 12; items = 300; interactions = 600; };
method = { name = "fedmf"; dim = 16; epochs = 1; aggregation = "data_size"; };
network = { model = "tcp"; connection = "tcp"; downlink = "4 Mbit/s"; uplink = "2 Mbit/s"; latency = "15 ms";
    edges = { file = "edges.csv"; assignment = "in_turn"; }; };
devices = { speed = { distribution = "uniform"; low = "5 Mflop/s"; high = "20 Mflop/s"; }; };
rounds = { count = 2; cohort = 6; };
CFG

"$program" emulate s.cfg --out first --limit "60 s" --quiet >out 2>err </dev/null
code=$?
if [ "$code" -eq 2 ] && grep -q "rights of root" err; then
    echo "SKIPPED test_emulation_edges: $(cat err)"
    exit 77
fi

# Queues and slow start are the kernel's own, which may be somewhat faster than in the model, but the links are the same.
not_faster() {
    column "$1" duration_s >emulated.times
    column simulated duration_s >simulated.times
    paste emulated.times simulated.times | awk '$1 < 0.95 * $2 { exit 1 }' || fail "$1 was faster than its links: $(paste emulated.times simulated.times)"
    [ "$(grep -c . "$1/edges.csv")" = "$(grep -c . simulated/edges.csv)" ] || fail "other messages crossed backhauls"
}

# Forwarded uploads, one after the other; sums, one message each; downloads that clients of an edge share.
same forwarded
not_faster forwarded
same sums --set network.edges.partial_sums=true --set network.connection=tls --set network.edges.speed="20 Mflop/s"
not_faster sums
same edge_rounds --set network.edges.partial_sums=true --set rounds.edge_rounds=2 --set rounds.count=1
not_faster edge_rounds
[ "$(grep -c . edge_rounds/clients.csv)" -eq 13 ] || fail "six clients took part in other than two edge rounds"
same kept --set network.connection=kept --set network.server_uplink="1 Mbit/s"
not_faster kept

# Downloads of one client's own, one by one; connections that break, and clients that fail.
same own --set method=ptf_fedrec --set rounds.cohort=4 --set rounds.count=1
[ "$(grep -c ',down,1,' own/edges.csv)" -eq 4 ] || fail "downloads are shared"
same broken --set failures.connection_up=0.5 --set failures.retry.times=3 --set failures.retry.after="50 ms" --set failures.compute=0.2 --set failures.detect="50 ms"

# Edges that die and come back, and rounds that close before all have uploaded: what of a message had crossed depends on time.
expect 0 emulate s.cfg --out dying --limit "60 s" --quiet --set network.edges.mtbf="400 ms" --set network.edges.restart="100 ms" --set failures.detect="50 ms"
grep -q edge_failure dying/events.ndjson || fail "no edge died"
expect 0 emulate s.cfg --out cut --limit "60 s" --quiet --set rounds.policy=deadline --set rounds.policy.after="400 ms" --set rounds.policy.min_uploads=2
grep -q '"outcome":"cut"' cut/events.ndjson || fail "no upload was cut"

expect 2 emulate s.cfg --out x --set network.model=packets --set network.edges.packet_loss=0.01
says err 'network.edges.packet_loss: packets that are lost at random behind backhauls cannot be emulated; allowed: 0'
expect 2 emulate s.cfg --out x --set network.edges.file="" --set network.edges.count=21 --set network.edges.uplink="1 Mbit/s" --set network.edges.downlink="1 Mbit/s"
says err '21 edges cannot be emulated; allowed: at most 20'
expect 2 emulate s.cfg --out x --set network.edges.file="" --set network.edges.count=2
says err 'network.edges.downlink: the backhauls of 2 edges may carry'

kill_one fedrecsim-edge 0.2 1
says err "fedrecsim: emulation failed: the process of edge 0 was killed by signal 9; nothing was written"
kill_one "" 0.2 137 2>/dev/null
kills=0
while [ "$kills" -lt "${2:-0}" ]; do
    kills=$((kills + 1))
    moment=$(awk -v n="$kills" 'BEGIN { srand(n); rand(); printf "%.3f", 2 * rand() }')
    case $((kills % 4)) in
    0) kill_one fedrecsim-net "$moment" 1 ;;
    1 | 2) kill_one fedrecsim-edge "$moment" 1 ;;
    *) kill_one "" "$moment" 137 2>/dev/null ;;
    esac
done
[ "$kills" -eq 0 ] || echo "$kills emulations were killed"

[ "$failures" -eq 0 ]

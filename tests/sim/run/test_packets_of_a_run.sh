#!/bin/sh
# Runs under network.model = "packets": by hand, against "tcp", the same files from both backends and any
# number of threads, what queues and lost packets cost, and what is refused. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

# A packet takes 0.01 s; 96,240 bytes each way are 66 of them and one of 672 bytes, which weighs (672 + 78)/1526 of one.
cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 10; items = 200; interactions = 300; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 120; };
network = { model = "packets"; preset = "none"; downlink = "144800 B/s"; uplink = "144800 B/s"; latency = "100 ms"; };
devices = { compute = "fixed"; overhead = "1 s"; };
rounds = { count = 2; cohort = 10; };
END

# cell FILE COLUMN: of the second line
cell() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' "$1"
}

# near FILE COLUMN EXPRESSION SLACK
near() {
    what="$2 of $1"
    value=$(cell "$1" "$2")
    awk "BEGIN { a = $value - ($3); exit !(a * a <= ($4) ^ 2) }" || fail "$value instead of $3"
}

expect 0 run s.cfg --quiet --out packets
bytes=$(sed -n 's/.*"phase":"up".*"bytes":\([0-9]*\).*/\1/p' packets/events.ndjson | head -n 1)
last=$((bytes % 1448))
near packets/rounds.csv setup_down_bytes 10*3966 0
# 5 latencies, 932 + 78 bytes, 3966 + 3 * 78.
near packets/rounds.csv path_setup_s "0.5+0.01*(652+4002+2*158)/1526" 1e-9
# Latencies are within the messages.
near packets/rounds.csv path_latency_s 0 0
# Two windows of 10 and 20 packets leave the link idle for 0.12 s and 0.02 s, as under tcp: the first acknowledgement, that of two
# packets, is back 0.22 s after they began to leave.
alone="0.1+0.01*(($bytes-$last)/1448+($last+78)/1526)"
near packets/rounds.csv path_down_s "$alone+0.14" 1e-9
near packets/rounds.csv path_up_s "$alone+0.14" 1e-9

expect 0 run s.cfg --quiet --out tcp --set network.model=tcp
near packets/rounds.csv duration_s "$(cell tcp/rounds.csv duration_s)" "0.005*$(cell tcp/rounds.csv duration_s)"

# Rates of the line, of which 1448 of 1526 bytes are payload.
expect 0 run s.cfg --quiet --out line --set network.downlink="152600 B/s" --set network.uplink="152600 B/s" \
    --set network.payload_share=0.948886
near line/rounds.csv duration_s "$(cell packets/rounds.csv duration_s)" 1e-4

# Windows that were kept: one of 20 packets and the two of an acknowledgement is there at once in the second round; a queue of 0.2 s
# would not hold it. Where packets are acknowledged one by one at first, slow start idles for 0.11 s and 0.01 s each way.
expect 0 run s.cfg --quiet --out kept --set network.connection=kept --set network.queue="1 s"
expect 0 run s.cfg --quiet --out warm --set network.connection=kept --set network.idle_windows=kept --set network.queue="1 s"
what="kept windows"
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "duration_s") at = i }
    FNR == 3 { t[FILENAME] = $at }
    END { d = t["kept/rounds.csv"] - t["warm/rounds.csv"]; exit !(d > 0.2399 && d < 0.2401) }' kept/rounds.csv warm/rounds.csv ||
    fail "spare other than 0.24 s"

# Ten uploads meet before a link of 200 kB/s, whose queue of 0.2 s holds 27 packets. Fair queueing keeps them abreast; with a
# queue of 10 s none is dropped, and they take what their packets take.
for queue in "200 ms" "10 s"; do
    for order in fifo fair; do
        expect 0 run s.cfg --quiet --out "$order$queue" --set network.server_uplink="200 kB/s" \
            --set network.queue="$queue" --set network.server_queue=$order --set network.connection=kept
    done
done
near "fifo10 s/rounds.csv" path_up_s "0.1+0.01+10*(($bytes-$last)+1448*($last+78)/1526)/200000" 0.01
near "fair10 s/rounds.csv" path_up_s "0.1+0.01+10*(($bytes-$last)+1448*($last+78)/1526)/200000" 0.01
what="a short queue"
awk "BEGIN { exit !($(cell "fifo200 ms/rounds.csv" path_up_s) > 1.02 * $(cell "fifo10 s/rounds.csv" path_up_s)) }" ||
    fail "costs no time"
near "fifo10 s/rounds.csv" path_server_link_s "$(cell "fifo10 s/rounds.csv" path_up_s)-($alone+0.12)" 0.005

# Who plays, and how many threads there are, makes no difference, whatever is lost.
lossy() {
    expect 0 run s.cfg --quiet --out "$@" --set network.packet_loss=0.02 --set network.server_downlink="500 kB/s" \
        --set network.jitter=0.5 --set network.latency_jitter=0.5 --set failures.up=0.3 --set failures.device_mtbf="20 s" \
        --set training.enabled=true --set rounds.count=6
}
lossy actors --set engine.backend=actors --threads 1
lossy calendar --set engine.backend=calendar --threads 2
what="both backends"
for file in rounds.csv clients.csv events.ndjson; do
    cmp -s actors/$file calendar/$file || fail "$file differs"
done
what="another loss"
expect 0 run s.cfg --quiet --out lost --set network.packet_loss=0.1
awk "BEGIN { exit !($(cell lost/rounds.csv duration_s) > $(cell packets/rounds.csv duration_s)) }" || fail "costs no time"
[ "$(cell lost/rounds.csv down_bytes)" = "$(cell packets/rounds.csv down_bytes)" ] || fail "is charged as bytes of messages"

expect 2 run s.cfg --quiet --out refused --set engine.backend=simgrid
says err '"packets" is not possible under SimGrid'\''s own solver; allowed with engine.backend = "simgrid": exact | lv08'
expect 2 run "$FRS_SOURCE_DIR/scenarios/platforms/edge.cfg" --quiet --out refused --set network.model=packets \
    --set platform.file="$FRS_SOURCE_DIR/scenarios/platforms/edge.xml"
says err '"packets" is not possible under SimGrid'\''s own solver; allowed with platform.file: exact | lv08'
expect 2 run s.cfg --quiet --out refused --set network.server_queue=fair
says err 'network.server_queue: has no effect here'
for key in "queue=1 s" server_queue=fair packet_loss=0.1; do
    for model in exact tcp lv08; do
        [ "$model ${key%%=*}" != "tcp queue" ] || continue
        expect 2 run s.cfg --quiet --out refused --set network.model=$model --set network.server_uplink="1 MB/s" \
            --set "network.$key"
        says err "network.${key%%=*}: has no effect here"
    done
done
expect 2 run s.cfg --quiet --out refused --set network.packet_loss=0.6
says err 'network.packet_loss: '
expect 2 run s.cfg --quiet --out refused --set network.queue=0.2
says err 'network.queue: "0.2" has no unit'
[ ! -e refused ] || fail "leaves something behind"
[ "$failures" -eq 0 ]

#!/bin/sh
# Runs under network.model = "tcp": what connecting costs by hand, the same files from both backends, kept windows, payload
# shares, and what is refused. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 10; items = 200; interactions = 300; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 120; };
network = { model = "tcp"; preset = "none"; downlink = "144800 B/s"; uplink = "144800 B/s"; latency = "100 ms"; };
devices = { compute = "fixed"; overhead = "1 s"; };
rounds = { count = 2; cohort = 10; };
END

# cell FILE COLUMN: of the second line, and of the third
cell() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR > 1 && NR < 4 { printf "%s ", $at }' "$1"
}

# near FILE COLUMN EXPRESSION...: both cells, to a nanosecond
near() {
    what="$2 of $1"
    # shellcheck disable=SC2046 # one word for each line
    set -- "$2" "$3" "$4" $(cell "$1" "$2")
    awk "BEGIN { a = $4 - ($2); b = $5 - ($3); exit !(a * a < 1e-18 && b * b < 1e-18) }" ||
        fail "$4 and $5 instead of $2 and $3"
}

expect 0 run s.cfg --quiet --out tls
expect 0 run s.cfg --quiet --out tcp --set network.connection=tcp
expect 0 run s.cfg --quiet --out kept --set network.connection=kept
expect 0 run s.cfg --quiet --out warm --set network.connection=kept --set network.idle_windows=kept --set network.queue="60 s"
expect 0 run s.cfg --quiet --out exact --set network.model=exact

# Ten clients; 5 and 3 latencies of 0.1 s; bytes at 144,800 a second.
near tls/rounds.csv path_setup_s 0.5+4898/144800 0.5+4898/144800
near tls/rounds.csv setup_down_bytes 10*3966 10*3966
near tls/rounds.csv setup_up_bytes 10*932 10*932
near tls/clients.csv setup_s 1+2*4898/144800 1+2*4898/144800
near tls/clients.csv setup_down_bytes 2*3966 2*3966
near tcp/rounds.csv path_setup_s 0.3+272/144800 0.3+272/144800
near tcp/rounds.csv setup_down_bytes 10*66 10*66
near kept/rounds.csv path_setup_s 0 0
near exact/rounds.csv setup_up_bytes 0 0

# Who loses its upload has connected in vain: all of it is wasted, in a column of its own and for the same cause.
expect 0 run s.cfg --quiet --out lost --set failures.up=1
near lost/rounds.csv setup_down_bytes 10*3966 10*3966
near lost/rounds.csv wasted_setup_down_bytes 10*3966 10*3966
near lost/rounds.csv wasted_setup_up_bytes 10*932 10*932
near tls/rounds.csv wasted_setup_down_bytes 0 0
grep -q '"setup_wasted": 97960' lost/summary.json || fail "20 * 4898 bytes of connecting are not wasted"
grep -q '"setup_down_bytes": 79320' lost/summary.json || fail "20 * 3966 bytes are not wasted for a cause"
grep -q '"setup_wasted": 0' tls/summary.json || fail "connecting is wasted where nothing is lost"

# A window leaves the link in 0.1 s, a round takes 0.21 s: two windows of 0.1 s and 0.2 s leave it idle for 0.11 s and
# 0.01 s, down and up. Where windows are kept, and queues hold them, that is so in the first round alone.
bytes=$(sed -n 's/.*"phase":"up".*"bytes":\([0-9]*\).*/\1/p' exact/events.ndjson | head -n 1)
of_exact=$(cell exact/rounds.csv duration_s)
first=${of_exact%% *}
near kept/rounds.csv duration_s "$first+0.24" "$first+0.24"
near warm/rounds.csv duration_s "$first+0.24" "$first"

# Whoever is selected again before the row is aggregated that its upload came in for has had its messages all the same: the
# ten first downloads and uploads begin with the initial window, and no others.
expect 0 run s.cfg --quiet --out async --set network.connection=kept --set network.idle_windows=kept \
    --set rounds.policy.name=buffered_async --set rounds.policy.arrivals=15 --set network.queue="60 s"
what="windows kept before an aggregation"
for phase in down up; do
    [ "$(grep "\"phase\":\"$phase\"" async/events.ndjson | grep -vc 'window_bytes\|"windows":\[\[96024,0\]\]')" -eq 10 ] || fail "of $phase"
done

# Half of twice the rate, the server's included.
expect 0 run s.cfg --quiet --out whole --set network.server_uplink="200 kB/s"
expect 0 run s.cfg --quiet --out share --set network.server_uplink="400 kB/s" --set network.payload_share=0.5 \
    --set network.bandwidth_factor=2
what="half of twice the rate"
cmp -s whole/events.ndjson share/events.ndjson || fail "is another one"

# Ten uploads of the same size share the server's link from the same time on. Windows of 10 x 14480 bytes leave it in 0.724 s,
# no longer idle: what takes longer than a client's own link would is the whole upload, but for what that takes, slow start and all:
# over TLS the acknowledgement of two packets is waited for, 0.22 s, so that windows leave a link idle for 0.12 s and 0.02 s.
near whole/rounds.csv path_server_link_s "10*$bytes/200000-$bytes/144800-0.14" "10*$bytes/200000-$bytes/144800-0.14"

for backend in actors calendar; do
    expect 0 run s.cfg --quiet --out "$backend" --set engine.backend="$backend" --set network.server_uplink="200 kB/s" \
        --set network.jitter=0.5 --set network.latency_jitter=0.5 --set failures.up=0.3
done
what="both backends"
cmp -s actors/events.ndjson calendar/events.ndjson || fail "events differ"

expect 2 run s.cfg --quiet --out refused --set engine.backend=simgrid
says err '"tcp" is not possible under SimGrid'\''s own solver; allowed with engine.backend = "simgrid": exact | lv08'
expect 2 run s.cfg --quiet --out refused --set network.idle_windows=kept
says err 'network.idle_windows: has no effect here'
expect 2 run s.cfg --quiet --out refused --set network.model=exact --set network.connection=tcp
says err 'network.connection: has no effect here'
expect 2 run s.cfg --quiet --out refused --set network.model=lv08 --set network.payload_share=0.9
says err 'network.payload_share: has no effect here'
expect 2 run s.cfg --quiet --out refused --set network.payload_share=1.5
[ ! -e refused ] || fail "leaves something behind"
[ "$failures" -eq 0 ]

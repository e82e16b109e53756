#!/bin/sh
# A replay that agrees with everything proves nothing: changed in one place, the files of a run disagree with it. Argument:
# the build folder.
# shellcheck disable=SC2016 # dollars of sed
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}/tests/expect.sh"
replay=${program%/*}/tests/replay

cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 30; items = 150; interactions = 600; };
evaluation = { negatives = 20; };
method = { name = "pfedclr"; dim = 3; epochs = 2; rank = 1; };
network = { model = "exact"; preset = "none"; downlink = "5 kB/s"; uplink = "3 kB/s"; latency = "300 ms"; server_uplink = "9.123 kB/s"; };
devices = { compute = "flops"; overhead = "1 s"; speed = "20 kflop/s"; };
server = { speed = "0.1 Mflop/s"; overhead = "2 s"; };
failures = { up = 0.2; server_restarts = "20 s"; restart = "5 s"; detect = "3 s"; };
rounds = { count = 4; cohort = 6; policy = { name = "deadline"; after = "6 s"; }; };
END
expect 0 run s.cfg --quiet --out run
what=replay
"$replay" run >out 2>err || fail "the run itself disagrees"

# changed FILE EXPRESSION: the expression of sed changes the file, and the replay says so.
changed() {
    what="$1 changed by $2"
    rm -rf other
    cp -r run other
    sed -i "$2" "other/$1"
    ! cmp -s "run/$1" "other/$1" || fail "the expression changes nothing"
    ! "$replay" other >out 2>err || fail "the replay does not notice"
}

changed events.ndjson '3s/"t1_s":\([0-9]*\.[0-9][0-9][0-9]\)[0-9]*/"t1_s":\1/'
changed events.ndjson '0,/"outcome":"dropped_up"/s/"bytes":\([0-9]*\)\(.*"dropped_up"\)/"bytes":1\1\2/'
changed events.ndjson '0,/"cause":"device"/s/"cause":"device"/"cause":"round_closed"/'
changed events.ndjson '0,/"phase":"compute"/s/\("phase":"compute".*\)"flop":\([0-9]*\)/\1"flop":1\2/'
changed rounds.csv '2s/^1,0,,/1,0,void_round,/'
changed rounds.csv 's/server_restart/void_round/'
changed clients.csv '3s/,5000,3000,0.3,20000,\([0-9]*\)/,5000,3000,0.3,20000,1\1/'
changed clients.csv '2,$s/,5000,3000,/,5000,3001,/'
changed manifest.json 's/"rounds.policy.after": "6 s"/"rounds.policy.after": "7 s"/'
changed manifest.json 's/"failures.restart": "5 s"/"failures.restart": "6 s"/'
changed manifest.json 's/"server.overhead": "2 s"/"server.overhead": "1 s"/'
changed manifest.json 's/"failures.server_restarts": "20 s"/"failures.server_restarts": "20 s, 2 s"/'
changed summary.json 's/"wasted": \([0-9]*\)/"wasted": 1\1/'
changed summary.json '/"waste_by_cause"/,/participations/s/"participations": \([0-9]*\)/"participations": 1\1/'

# Uploads that are two rounds late, and a round that waits for a number of them.
expect 0 run s.cfg --quiet --out run --force --set rounds.policy=quorum_then_wait --set rounds.policy.uploads=2 --set rounds.policy.then="2 s" \
    --set rounds.stragglers=run_on --set rounds.policy.late=accept --set rounds.policy.late_rounds=2 --set failures.server_restarts= --set method.name=fedmf \
    --set network.uplink.distribution=lognormal --set network.uplink.median="2 kB/s" --set network.uplink.sigma=1.5 --set rounds.count=8
what="replay with late ones"
"$replay" run >out 2>err || fail "the run itself disagrees: $(cat out)"
changed manifest.json 's/"rounds.policy.then": "2 s"/"rounds.policy.then": "1 s"/'
changed manifest.json 's/"rounds.policy.uploads": "2"/"rounds.policy.uploads": "3"/'
changed manifest.json 's/"rounds.policy.late_rounds": "2"/"rounds.policy.late_rounds": "1"/'

# Devices of several classes, each of which has a power of its own.
sed -e 's/^network = .*/network = { model = "exact"; preset = "mixed-mobile"; };/' -e 's/^devices = .*/devices = { preset = "mixed"; };/' s.cfg >mixed.cfg
expect 0 run mixed.cfg --quiet --out run --force
what="replay of classes of devices"
"$replay" run >out 2>err || fail "the run itself disagrees: $(cat out)"

# Links by class, with dates, and sessions with dates and the fleet's ids: files beside the run that say something else.
cat >trace.csv <<'END'
class,t,factor
old,2028-02-29T23:59:58Z,1
old,2028-03-01T00:00:01.25Z,0.5
old,2028-03-01T00:00:09Z,1
new,2028-02-29T23:59:58Z,0.75
new,2028-02-29T23:59:59.5Z,1.5
new,2028-03-01T00:00:04Z,1
END
awk 'BEGIN { print "client,class,down_kB_s,up_kB_s,latency_ms"; for (i = 29; i >= 0; i--) print "dev_" i "," (i % 3 ? "old" : "new") ",5," 2 + i / 10 ",300" }' >fleet.csv
awk 'BEGIN { print "client,start,end"; for (i = 0; i < 30; i++) printf "dev_%d,2027-12-31T23:59:%02dZ,2028-01-01T00:%02d:00Z\n", i, 2 * i % 31, 20 + i }' >dates.csv
sed 's/preset = "none".*server_uplink/fleet = "fleet.csv"; trace = "trace.csv"; trace_end = "repeat"; trace_clients = "class"; server_uplink/' s.cfg >classes.cfg
expect 0 run classes.cfg --quiet --out run --force --set rounds.policy=wait_all --set failures.server_restarts= --set availability=trace --set availability.file=dates.csv \
    --set rounds.cohort=20 --set rounds.selection.at_least=20
what="replay with classes and dates"
"$replay" run >out 2>err || fail "the run itself disagrees: $(cat out)"
for change in 'trace.csv s/01.25Z/03.25Z/' 'trace.csv s/^new,\(.*58\)Z,0.75/new,\1Z,0.7/' 'trace.csv s/^old/mid/' 'fleet.csv s/^dev_7,/dev_70,/' \
    'dates.csv s/T23:59:14/T23:59:58/'; do
    what=$change
    sed -i.before "${change#* }" "${change%% *}"
    ! cmp -s "${change%% *}" "${change%% *}.before" || fail "the expression changes nothing"
    ! "$replay" run >out 2>err || fail "the replay does not notice"
    mv "${change%% *}.before" "${change%% *}"
done

# Times after eleven days have fewer decimals in the files, so that durations from them are less exact; that much is forgiven.
awk 'BEGIN { print "client,start_s,end_s"; for (i = 0; i < 30; i++) print i ",950494,2000000" }' >late.csv
expect 0 run s.cfg --quiet --out run --force --set failures.server_restarts= --set availability=trace --set availability.file=late.csv \
    --set network.jitter=0.5 --set network.latency_jitter=0.5 --set rounds.count=8
what="replay of late rounds"
"$replay" run >out 2>err || fail "the run itself disagrees: $(cat out)"
changed events.ndjson '3s/"t1_s":\([0-9]*\.[0-9][0-9][0-9][0-9]\)[0-9]*/"t1_s":\1/'
changed clients.csv '3s/,5000,3000,0.3,20000,\([0-9]*\)/,5000,3000,0.3,20000,1\1/'

# The same of connections and slow start, over links that are shared.
expect 0 run s.cfg --quiet --out run --force --set network.model=tcp --set method.dim=50 --set network.downlink="80 kB/s" \
    --set network.uplink="60 kB/s" --set network.server_uplink="91.23 kB/s" --set devices.speed="0.4 Mflop/s" \
    --set rounds.policy.after="12 s"
what="replay under tcp"
"$replay" run >out 2>err || fail "the run itself disagrees: $(cat out)"
changed events.ndjson '2s/"t1_s":\([0-9]*\.[0-9][0-9][0-9]\)[0-9]*/"t1_s":\1/'
changed events.ndjson '0,/"phase":"setup"/s/"latency_s":1.5/"latency_s":1.2/'
changed events.ndjson '0,/"down_bytes":3966/s/"down_bytes":3966/"down_bytes":3965/'
changed events.ndjson '0,/"up_bytes":932/s/"up_bytes":932/"up_bytes":933/'
changed events.ndjson '0,/"round_trip_s":0.6/s/"round_trip_s":0.6/"round_trip_s":0.7/'
changed events.ndjson '0,/,"round_trip_s":0.6/s///'
changed events.ndjson '0,/"phase":"setup"/{/"phase":"setup"/d}'
changed rounds.csv '/^[0-9]*,0,,/s/,23796,/,23795,/'
changed clients.csv 's/,3966,932,/,3966,931,/'
changed summary.json 's/"setup_down": \([0-9]*\)/"setup_down": 1\1/'
changed manifest.json 's/"network.connection": "tls"/"network.connection": "tcp"/'
changed manifest.json 's/"network.payload_share": "1"/"network.payload_share": "0.5"/'
changed manifest.json 's/"network.model": "tcp"/"network.model": "exact"/'

# Connections that are opened anew.
expect 0 run s.cfg --quiet --out run --force --set failures.connection_down=0.5 --set failures.connection_up=0.5 \
    --set failures.retry.times=4
what="replay of retries"
"$replay" run >out 2>err || fail "the run itself disagrees"
changed events.ndjson '0,/"phase":"retry"/s/\("phase":"retry","t0_s":[0-9.]*,"t1_s":[0-9]*\)/\11/'
changed events.ndjson '0,/"broke":true/s/,"broke":true//'
changed events.ndjson '0,/"broke":true/s/"bytes":\([0-9]*\)\(.*"broke"\)/"bytes":1\1\2/'
changed manifest.json 's/"failures.retry.times": "4"/"failures.retry.times": "0"/'
changed manifest.json 's/"failures.retry.after": "1 s"/"failures.retry.after": "2 s"/'
changed manifest.json 's/"failures.retry.backoff": "2"/"failures.retry.backoff": "2.1"/'
changed manifest.json 's/"failures.retry.longest": "0 s"/"failures.retry.longest": "0.5 s"/'
changed manifest.json 's/"failures.retry.resume": "false"/"failures.retry.resume": "true"/'
changed summary.json 's/"resent_down": \([0-9]*\)/"resent_down": 1\1/'
changed rounds.csv '1s/resent_down_bytes,resent_up_bytes/resent_up_bytes,resent_down_bytes/'

# And under tcp, where each takes a set-up of its own.
expect 0 run s.cfg --quiet --out run --force --set network.model=tcp --set failures.connection_down=0.5 \
    --set failures.retry.times=4 --set failures.connection_up=0.5 --set network.downlink="80 kB/s" --set network.uplink="60 kB/s" --set rounds.policy.after="30 s"
what="replay of retries under tcp"
"$replay" run >out 2>err || fail "the run itself disagrees: $(cat out)"
grep -A1 '"phase":"retry"' run/events.ndjson | grep -q '"phase":"setup"' || fail "nobody connects anew"
changed events.ndjson '/"phase":"retry"/{n;s/"up_bytes":932/"up_bytes":933/}'
changed events.ndjson '/"phase":"retry"/{n;/"phase":"setup"/d}'
changed events.ndjson '0,/"broke":true/s/,"broke":true//'

# Windows that are kept are gone with the connection that had them.
expect 0 run s.cfg --quiet --out run --force --set network.model=tcp --set network.connection=kept --set network.idle_windows=kept \
    --set rounds.count=12 --set failures.connection_down=0.3 --set failures.connection_up=0.3 --set failures.retry.times=4 \
    --set network.downlink="80 kB/s" --set network.uplink="60 kB/s" --set rounds.policy.after="30 s" --set method.dim=60 --set devices.speed="1 Mflop/s"
what="replay of windows that are lost"
"$replay" run >out 2>err || fail "the run itself disagrees: $(cat out)"
grep '"phase":"\(down\|up\)"' run/events.ndjson | grep -q window_bytes || fail "no window is kept"
changed events.ndjson '0,/"phase":"retry"/!{/"phase":"down"/s/,"round_trip_s":0.6//}'

# Who is selected again before its last upload is used begins with what that left, and leaves what it has itself.
cat >again.cfg <<'END'
seed = 3;
data = { synthetic = "custom"; users = 40; items = 150; interactions = 900; };
evaluation = { negatives = 20; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 50; };
network = { model = "tcp"; connection = "kept"; idle_windows = "kept"; preset = "none"; latency = "200 ms";
    downlink = { distribution = "uniform"; low = "20 kB/s"; high = "400 kB/s"; };
    uplink = { distribution = "uniform"; low = "20 kB/s"; high = "400 kB/s"; }; };
devices = { compute = "fixed"; overhead = "1 s"; };
failures = { connection_down = 0.2; connection_up = 0.6; detect = "0 s"; retry = { times = 1; }; };
rounds = { count = 20; cohort = 25; policy = { name = "buffered_async"; arrivals = 15; }; };
END
expect 0 run again.cfg --quiet --out again
what="replay of windows of participations that overlap"
"$replay" again >out 2>err || fail "the run itself disagrees: $(cat out)"

# The server's links over time, and clients of a table.
printf 't_s,down_B_s\n0,9000\n3,4000\n4,0\n6,9000\n' >server.csv
printf 't_s,down_B_s\n0,9000\n3,4000\n5,0\n6,9000\n' >other.csv
printf 'class,down_kB_s\nold,3\nnew,5\nnew,2\n' >fleet.csv
sed 's/preset = "none"; downlink = "5 kB\/s"/fleet = "fleet.csv"; fleet_assignment = "sample"/; s/^server = {/& trace = "server.csv";/
    s/up = 0.2/up = "old 50 %, new 10 %"/; s/ speed = "0.1 Mflop\/s"; overhead/ overhead/' s.cfg >traced.cfg
for model in exact tcp; do
    expect 0 run traced.cfg --quiet --out run --force --set network.model=$model --set rounds.policy.after="30 s"
    what="replay of a server's trace under $model"
    "$replay" run >out 2>err || fail "the run itself disagrees: $(cat out err)"
    changed manifest.json 's/"server.trace": "server.csv"/"server.trace": "other.csv"/'
done
printf 't_s,speed_Mflop_s\n0,1\n3,2\n6,1\n' >speed.csv
expect 0 run traced.cfg --quiet --out speed --set server.trace=speed.csv
what="replay of a speed over time"
! "$replay" speed >out 2>err || fail "is told to agree"
grep -q 'whose server.trace has a speed are not replayed' err || fail "does not say why not"

# States of devices, from a file and by curves: to the byte what crossed on a metered network while links were shared, and about as many
# devices online as the curve has.
cat >states.cfg <<'END'
data = { synthetic = "custom"; users = 30; items = 150; interactions = 600; };
training = { enabled = false; };
evaluation = { negatives = 20; };
method = { name = "fedmf"; dim = 64; };
network = { preset = "none"; downlink = "50 kB/s"; uplink = "30 kB/s"; latency = "100 ms"; server_uplink = "91.23 kB/s"; by_state = { metered_factor = 0.3; on_change = "go_on"; }; };
devices = { compute = "fixed"; overhead = "1 s"; in_use = 0.5; };
rounds = { count = 4; cohort = 12; };
availability = { model = "states"; };
END
awk 'BEGIN { for (i = 0; i < 30; i++) for (k = 0; k < 40; k++)
    printf "%d,%d,%d,%s,0,%d\n", i, 5 * k + i % 5, 5 * k + i % 5 + 5, (i + k) % 2 ? "wifi" : "metered", k % 3 == 0 }' >states.csv
for model in exact tcp; do
    for states in availability.file=states.csv availability.online="$(seq -s, 0.86 0.005 0.975)"; do
        expect 0 run states.cfg --quiet --out run --force --set network.model=$model --set "$states"
        what="replay of $states under $model"
        "$replay" run >out 2>err || fail "the run itself disagrees: $(cat out err)"
        changed clients.csv '/^[0-9]*\(,[^,]*\)\{16\},[1-9]/{s/^\(\([^,]*,\)\{17\}\)/\11/;:a;n;ba}'
    done
    changed hours.csv '2s/^\(\([^,]*,\)\{4\}\)[^,]*/\15/'
    expect 0 run states.cfg --quiet --out run --force --set network.model=$model --set availability.file=states.csv --set network.by_state.wifi=wifi --set network.by_state.wifi_factor=0.05
    what="replay of a preset under $model"
    "$replay" run >out 2>err || fail "the run itself disagrees: $(cat out err)"
    changed clients.csv '2s/^\([^,]*,[^,]*\),[^,]*,/\1,40000,/'
done

# Packets are not replayed, and nobody is told that they agree.
expect 0 run s.cfg --quiet --out packets --set network.model=packets
"$replay" packets >out 2>err && fail "replays a run under packets"
grep -q 'network.model = "packets" are not replayed' err || fail "does not say that runs under packets are not replayed"
[ "$failures" -eq 0 ]

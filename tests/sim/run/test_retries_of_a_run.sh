#!/bin/sh
# Connections that break and are opened anew, in whole runs: three clients, whose every second and byte follows from how often
# their connections broke, under all backends; what is told of it, and what is refused. Argument: the build folder.
# shellcheck disable=SC2016 # dollars of awk
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

# Messages of 24 + 4 x 250 x 4 = 4024 bytes, 1 s down at 4024 bytes/s, 2 s up at half of that, 0.5 s away.
cat >s.cfg <<'CFG'
seed = 5;
data = { synthetic = "custom"; users = 3; items = 250; interactions = 300; activity_ceiling = 0.9; };
training = { enabled = false; };
evaluation = { negatives = 20; };
method = { name = "fedmf"; dim = 4; };
network = { model = "exact"; preset = "none"; downlink = "4024 B/s"; uplink = "2012 B/s"; latency = "500 ms"; };
devices = { compute = "fixed"; overhead = "3 s"; };
rounds = { count = 20; cohort = 3; };
failures = { connection_down = 0.5; connection_up = 0.5; detect = "0 s";
    retry = { times = 3; after = "2 s"; backoff = 1; resume = true; }; };
CFG

# holds NAME EXPRESSION: of every client, by the columns of clients.csv and n, how often it took part; to a nanosecond a round
holds() {
    what="$1: $2"
    awk -F, "NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; next }
        { split(\"\", c); for (name in at) c[name] = \$at[name]; n = c[\"participations\"]
          d = $2; if (d * d > 1e-14) { print \$0; bad = 1 } } END { exit bad }" "$1/clients.csv" >out || fail "is not kept"
}

for backend in actors calendar simgrid; do
    expect 0 run s.cfg --quiet --out "$backend" --set engine.backend=$backend
    expect 0 run s.cfg --quiet --out "anew-$backend" --set engine.backend=$backend --set failures.retry.resume=false
    for run in $backend anew-$backend; do
        # Bytes take their time whatever becomes of them, a try a latency, and a retry the wait; at most three of these a message.
        holds "$run" 'c["down_s"] - c["down_bytes"] / 4024'
        holds "$run" 'c["up_s"] - c["up_bytes"] / 2012'
        holds "$run" 'c["retry_s"] - 2 * c["retries"]'
        holds "$run" 'c["retries"] > 6 * n'
        holds "$run" 'c["retries"] < 10'
    done
    # Who resumes sends nothing twice; who was lost in no download has all of it. A latency for each message that was begun.
    holds $backend 'c["resent_down_bytes"] + c["resent_up_bytes"]'
    holds "anew-$backend" 'c["resent_up_bytes"] < 4024'
    holds "anew-$backend" 'c["resent_down_bytes"] < 4024'
done
what="backends"
cmp -s actors/events.ndjson calendar/events.ndjson || fail "actors and calendar differ"
for run in "" anew-; do
    sed 's/"t._s":\([0-9.]*\)/\1/g' "${run}actors/clients.csv" | cut -d, -f7-17 >a
    cut -d, -f7-17 "${run}simgrid/clients.csv" >b
    cmp -s a b || fail "simgrid counts something else"
done

# Every try breaks: four of them, with waits of 1, 2 and 4 s between, and the client is lost. Every try has a draw of its own.
expect 0 run s.cfg --quiet --out lost --set failures.connection_down=1 --set rounds.count=1 --set failures.retry.backoff=2 \
    --set failures.retry.after=1s
for expected in '"dropped_down":3' '"retries": 9' '"participations": 3' '"used": 0'; do
    tr -d '\n' <lost/summary.json | grep -q "$(echo "$expected" | sed 's/:\([0-9]\)/: *\1/')" || fail "$expected is not in the summary"
done
what="waits of 1, 2 and 4 s"
awk -F'[:,}]' '/"phase":"retry"/ { for (i = 1; i < NF; i++) { if ($i == "\"t0_s\"") a = $(i + 1); if ($i == "\"t1_s\"") b = $(i + 1) }
    d = b - a - 2 ^ (n++ % 3); bad += d * d > 1e-18 } END { exit bad > 0 || n != 9 }' lost/events.ndjson || fail "are others"
what="shares at which tries break"
[ "$(grep -c '"broke":true' lost/events.ndjson)" -eq 9 ] || fail "not three of each"
[ "$(sed -n 's/.*"phase":"down".*"bytes":\([0-9]*\).*/\1/p' lost/events.ndjson | sort -u | wc -l)" -eq 12 ] || fail "are the same"

# As Flower: as often as it takes, after 1, 2, 4 ... s, but never more than 3 s: five tries wait 1 + 2 + 3 + 3 + 3 s.
expect 0 run s.cfg --quiet --out flower --set failures.connection_down=1 --set failures.connection_up=0 --set rounds.count=1 \
    --set failures.retry.times=5 --set failures.retry.backoff=2 --set failures.retry.after=1s --set failures.retry.longest=3s
holds flower 'c["retries"] - 5'
holds flower 'c["retry_s"] - 12'

# Probabilities and rates of devices are not tried again, and a deadline ends the patience.
expect 0 run s.cfg --quiet --out devices --set failures.connection_down=0 --set failures.connection_up=0 --set failures.up=1
grep -q '"phase":"retry"' devices/events.ndjson && fail "tries again what a device broke"
expect 0 run s.cfg --quiet --out cut --set failures.connection_down=1 --set rounds.policy=deadline --set rounds.policy.after=1.8s
what="a deadline while all wait"
[ "$(grep -c '"phase":"retry".*"outcome":"cut","cause":"round_closed"' cut/events.ndjson)" -gt 30 ] || fail "cuts nobody"

# Nobody tries again who is not told to; nor does a connection that never breaks.
sed '/^    retry/d; s/detect = "0 s";/& };/' s.cfg >default.cfg
expect 0 run default.cfg --out default
says out 'not opened anew (failures.retry.times, the default)'
expect 0 run s.cfg --quiet --out never --set failures.retry.times=0
what="failures.retry.times = 0"
grep -q '"retry"' never/events.ndjson never/summary.json && fail "tries again"
cmp -s never/events.ndjson default/events.ndjson || fail "is not the default"
expect 0 run s.cfg --quiet --out whole --set failures.connection_down=0 --set failures.connection_up=0
awk -F, 'NR > 1 { d = $8 - 7; bad += d * d > 1e-18 } END { exit bad > 0 }' whole/rounds.csv || fail "not 0.5 + 1 + 3 + 0.5 + 2 s a round"

# Under tcp every connection is set up, 0.1 s away: 3 latencies and 272 bytes.
expect 0 run s.cfg --quiet --out tcp --set network.model=tcp --set network.connection=tcp
holds tcp 'c["setup_up_bytes"] - 206 * (n + c["retries"])'
holds tcp 'c["setup_down_bytes"] - 66 * (n + c["retries"])'
holds tcp 'c["setup_s"] - (1.5 + 206 / 2012 + 66 / 4024) * (n + c["retries"])'
# What was kept is lost with the connection: the next one is opened as by default.
expect 0 run s.cfg --quiet --out kept --set network.model=tcp --set network.connection=kept
holds kept 'c["setup_up_bytes"] - 932 * c["retries"]'
holds kept 'c["setup_down_bytes"] - 3966 * c["retries"]'

# Packet by packet the same is opened anew; what of a message had not arrived is sent.
for backend in actors calendar; do
    expect 0 run s.cfg --quiet --out "packets-$backend" --set engine.backend=$backend --set network.model=packets \
        --set network.connection=tcp --set failures.connection_mtbf="4 s"
    holds "packets-$backend" 'c["setup_up_bytes"] - 206 * (n + c["retries"])'
    holds "packets-$backend" 'c["setup_down_bytes"] - 66 * (n + c["retries"])'
    holds "packets-$backend" 'c["retry_s"] - 2 * c["retries"]'
    holds "packets-$backend" 'c["retries"] < 10'
    holds "packets-$backend" 'c["resent_down_bytes"] + c["resent_up_bytes"]'
done
what="backends under packets"
cmp -s packets-actors/events.ndjson packets-calendar/events.ndjson || fail "actors and calendar differ"

# The terminal says how often.
expect 0 run s.cfg --out told
says out 'connected anew'
says out 'participations of which'
says out 'before retries'
expect 0 run s.cfg --out told-anew --set failures.retry.resume=false
says out 'sent again'
expect 0 check s.cfg
expect 0 explain failures.retry
says out 'Flower'

# Refused: what is out of range, and what has no effect.
expect 2 run s.cfg --quiet --out refused --set failures.retry.times=-1
says err 'failures.retry.times'
expect 2 run s.cfg --quiet --out refused --set failures.retry.backoff=0.5
says err 'failures.retry.backoff'
expect 2 run s.cfg --quiet --out refused --set failures.retry.after=2
says err 'failures.retry.after'
expect 2 run s.cfg --quiet --out refused --set failures.retry.longest=-1s
says err 'failures.retry.longest'
expect 2 run s.cfg --quiet --out refused --set failures.retry.resume=maybe
says err 'failures.retry.resume'
sed '/^failures/d; s/^    retry.*/failures = { up = 0.1; retry = { times = 2; }; };/' s.cfg >idle.cfg
expect 2 run idle.cfg --quiet --out refused
says err 'idle.cfg:9: failures.retry.times: has no effect here'
sed 's/times = 3/times = 1/' s.cfg >once.cfg
expect 2 run once.cfg --quiet --out refused
says err 'failures.retry.backoff: has no effect here'
[ ! -e refused ] || fail "leaves something behind"
[ "$failures" -eq 0 ]

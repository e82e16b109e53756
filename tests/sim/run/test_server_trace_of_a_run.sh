#!/bin/sh
# Runs whose server's links and speed follow a trace: three clients by hand, an end at the time of a change, both backends
# under everything that takes time, and what is refused. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/sim/run/three_clients.sh"
sed '/^data/s/.*/data = { synthetic = "custom"; users = 30; items = 40; interactions = 360; activity_ceiling = 0.5; };/' s.cfg >many.cfg

# The server's link by hand: uploads begin at 2 s and share 3612 bytes/s, nothing from 4 s to 6 s, then 7224. Client 0 is
# capped at 602: 2 s of 602 and 1505 each, 2 s of nothing, 602 and 3311; what is left of 7224 then, 4214, takes 4214/3311 s,
# and client 0 goes on until 16 s.
cat >slow.csv <<'END_OF_FILE'
down_B_s,up_B_s,latency_s
7224,602,0
7224,7224,0
7224,7224,0
END_OF_FILE
printf 't_s,up_bytes_per_s\n0,3612\n4,0\n6,7224\n100,3612\n' >server.csv
sed '/^devices/s/table[^;]*; //; /^network/s/.*/network = { model = "exact"; fleet = "slow.csv"; };\nserver = { trace = "server.csv"; };/; s/count = 2/count = 1/' s.cfg >server.cfg

# ends FOLDER TIME...: of the uploads, in the order in which they end
ends() {
    what="ends in $1"
    times=$(sed -n 's/.*"phase":"up".*"t1_s":\([0-9.]*\).*/\1/p' "$1/events.ndjson" | sort -n)
    shift
    printf '%s\n' "$times" | awk -v hand="$*" '{ n = split(hand, h, " "); if (($1 - h[NR]) ^ 2 > 1e-16) bad = 1 }
        END { exit bad || NR != n }' || fail "are $times instead of $*"
}

for backend in actors calendar; do
    expect 0 run server.cfg --quiet --out "server_$backend" --set engine.backend="$backend"
    ends "server_$backend" 7.272727272727 7.272727272727 16
done
what="both backends"
cmp -s server_actors/events.ndjson server_calendar/events.ndjson || fail "events differ"
says server_actors/manifest.json '"server.trace"'
expect 0 check server.cfg
# (3612 · 4 + 7224 · 94)/100 bytes/s.
says out "  server.trace  server.csv, repeated"
says out "                                 mean           peak         lowest length"
says out "    uplink               55.48 kbit/s   57.79 kbit/s        0 bit/s 100.00 s"

# One that ends at the very time at which nothing gets through any more has ended: 7224 bytes from 2 s on, at 3612.
sed 's/^7224,602/7224,3612/; s/^7224,7224/7224,1/' slow.csv >exact.csv
sed 's/3612/3614/' server.csv >exact_server.csv
expect 0 run server.cfg --quiet --out exact --set network.fleet=exact.csv --set server.trace=exact_server.csv
what="one that ends with the link"
grep -q '"client":0.*"phase":"up".*"t1_s":4,' exact/events.ndjson || fail "does not end at 4 s"

# Down as well, from the trace's second time on; and under a client's own trace, slow start, jitter and losses both backends
# agree, to the byte (which every run checks).
printf 't_s,down_kB_s,up_kB_s,speed_Mflop_s\n0,10,4,1\n3,0,8,0\n3.5,40,0,1\n5,10,4,1\n' >all.csv
for backend in actors calendar; do
    expect 0 run many.cfg --quiet --out "all_$backend" --set engine.backend="$backend" --set network.fleet_assignment=sample \
        --set devices.fleet_assignment=sample --set server.trace=all.csv --set network.model=tcp --set network.jitter=0.5 \
        --set failures.up=0.2 --set failures.down=0.1 --set rounds.count=20 --set rounds.cohort=12
done
what="both backends"
cmp -s all_actors/events.ndjson all_calendar/events.ndjson || fail "events differ under everything"
printf 't_s,speed_kflop_s\n0,1\n3,0\n5,1\n' >speed.csv
expect 0 run server.cfg --quiet --out speed --set engine.backend=simgrid --set server.trace=speed.csv

# Behind a finite server link a message breaks off at the very time at which its client has no bandwidth any more: alone it would
# have come as far as by then, and not a rounded byte later.
cat >gap.csv <<'END_OF_FILE'
client,class,down_B_s,up_B_s,latency_s
0,b,2973.3,13591.864,0
5,c,5000,2000,0
3,a,3828.907,7000,0.25
4,c,1000,17175.054,0
1,c,14931.432,12178.456,0
2,c,6000,3000,0
END_OF_FILE
printf 't_s,factor\n0,0.1\n2,0\n4.546,0.1\n' >gap_trace.csv
cat >gap.cfg <<'END_OF_FILE'
seed = 1025;
data = { synthetic = "custom"; users = 16; items = 120; interactions = 224; activity_ceiling = 0.4; };
evaluation = { negatives = 20; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 3; };
network = { model = "exact"; fleet = "gap.csv"; fleet_assignment = "sample"; trace = "gap_trace.csv"; server_uplink = "5 kB/s"; server_downlink = "15 kB/s"; };
devices = { compute = "fixed"; overhead = "0 s"; };
failures = { up = 0.2; };
rounds = { count = 13; cohort = 4; policy = { name = "deadline"; after = "8 s"; }; };
END_OF_FILE
expect 0 run gap.cfg --quiet --out gap

expect 2 check server.cfg --set engine.backend=simgrid
says err 'server.trace: links of the server that vary over time are not possible under SimGrid'\''s own solver; allowed: a trace of its speed alone, or network.model = exact | tcp | packets with engine.backend = auto | actors | calendar'
expect 2 check server.cfg --set network.model=lv08
says err 'links of the server that vary over time'
expect 2 check server.cfg --set network.server_uplink="1 MB/s"
error 'fedrecsim: --set network.server_uplink=1 MB/s: network.server_uplink: has no effect here, because server.trace says it for all times'
expect 2 check server.cfg --set server.trace=all.csv --set server.speed="1 Mflop/s"
error 'fedrecsim: --set server.speed=1 Mflop/s: server.speed: has no effect here'
[ "$failures" -eq 0 ]

#!/bin/sh
# Runs over tables of one's own clients: three of them by hand under all backends, what a table leaves to others, rows that
# are drawn, classes, traces by the same number, what a run remembers of its tables, and what is refused. Argument: the build
# folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/sim/run/three_clients.sh"

# column FILE NAME: its values, separated by blanks
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR > 1 { printf "%s ", $at }' "$1"
}

# is FILE NAME VALUES
is() {
    what="$2 of $1"
    [ "$(column "$1" "$2")" = "$3 " ] || fail "$(column "$1" "$2")instead of $3"
}

# Client 0: 0.1 + 7224/8000 down, 1 s, 0.1 + 7224/4000 up; the others take twice as long for their messages: 6.618 s.
for backend in actors calendar simgrid; do
    expect 0 run s.cfg --quiet --out "$backend" --set engine.backend="$backend"
    is "$backend/clients.csv" down_bytes_per_s "8000 4000 4000"
    is "$backend/clients.csv" up_bytes_per_s "4000 2000 2000"
    is "$backend/clients.csv" network_class "new new old"
    is "$backend/clients.csv" device_class "new new old"
    what="ends under $backend"
    sed -n 's/.*"phase":"up".*"t1_s":\([0-9.]*\).*/\1/p' "$backend/events.ndjson" |
        awk -v hand="3.909 6.618 6.618 10.527 13.236 13.236" \
            '{ split(hand, h, " "); if (($1 - h[NR]) ^ 2 > 1e-16) bad = 1 } END { exit bad || NR != 6 }' || fail "are others"
done
what="both backends"
cmp -s actors/events.ndjson calendar/events.ndjson || fail "events differ"

# What it is and holds, in check, summary and manifest.
expect 0 check s.cfg
grep -q 'without effect' out && fail "a column that the other section reads has no effect"
# Times per sample are columns of devices: where only the network names the file nothing reads them.
printf 'client,down_Mbit_s,up_Mbit_s,per_sample_ms\n0,8,8,20\n1,8,8,30\n2,8,8,40\n' >phones.csv
sed 's/fleet = "fleet.csv"; compute/compute/; s/fleet.csv/phones.csv/' s.cfg >phones.cfg
expect 0 check phones.cfg
says out 'without effect: times per sample, because devices.fleet does not name this file'
expect 0 check s.cfg
says out "network.fleet fleet.csv: 3 rows, one for each client, with downlinks, uplinks, classes"
says out "devices.fleet fleet.csv: 3 rows, one for each client, with speeds, memory, classes"
says out "network new, 2 clients"
says out "devices old, 1 client"
says actors/manifest.json '"path": "fleet.csv"'
what="the classes in summary.json"
tr -d ' \n' <actors/summary.json | grep -qF '"network_class":{"new":{"clients":2,"participations":4,"delivered":4},"old"' || fail "are not there"

# A finished run of what the file held then.
expect 0 run s.cfg --quiet --out actors --set engine.backend=actors --resume
sed -i 's/^1,new,4000/1,new,5000/' fleet.csv
expect 2 run s.cfg --quiet --out actors --set engine.backend=actors --resume
says err "fedrecsim: actors holds a finished run of this scenario, but what its files held has changed: what fleet.csv (network.fleet) held was of digest "
expect 2 run s.cfg --quiet --out actors --set engine.backend=actors --set rounds.cohort=1 --resume
says err "fedrecsim: actors holds a finished run of another scenario: rounds.cohort was "
expect 0 run s.cfg --quiet --out actors --set engine.backend=actors --force
is actors/clients.csv down_bytes_per_s "8000 5000 4000"

# Both factors work on a table as on anything else.
expect 0 run s.cfg --quiet --out factor --set network.bandwidth_factor=4 --set network.payload_share=0.5
is factor/clients.csv down_bytes_per_s "16000 10000 8000"

# Speeds count where computing is counted; memory refuses.
sed '/^devices/s/compute.*/overhead = "1 s"; };/; /^training/d' s.cfg >flops.cfg
expect 0 run flops.cfg --quiet --out flops
is flops/clients.csv flop_per_s "2000000000 2000000000 1000000000"
sed 's/,64$/,1e-4/' fleet.csv >small.csv
expect 0 run s.cfg --quiet --out refused_client --set devices.fleet=small.csv
is refused_client/clients.csv delivered "2 2 0"
rm -r refused_client

# Three rows for thirty clients: a client has links and device of one row, under the same seed always the same.
sed '/^data/s/.*/data = { synthetic = "custom"; users = 30; items = 40; interactions = 360; activity_ceiling = 0.5; };/' s.cfg >many.cfg
drawn="--set network.fleet_assignment=sample --set devices.fleet_assignment=sample"
# shellcheck disable=SC2086
{
    expect 0 run many.cfg --quiet --out drawn $drawn
    expect 0 run many.cfg --quiet --out again $drawn --set engine.backend=calendar --threads 2
    expect 0 check many.cfg $drawn
}
says out "fleet.csv: 3 rows, drawn with replacement, with downlinks, uplinks, classes"
what="rows that are drawn"
cmp -s drawn/clients.csv again/clients.csv || fail "are others the second time"
# drawn_rows: links and classes of the clients, each once; columns by their names.
drawn_rows() {
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["down_bytes_per_s"], $at["up_bytes_per_s"], $at["device_class"], $at["network_class"] }' drawn/clients.csv | sort -u
}
[ "$(drawn_rows)" = "4000,2000,old,old
5000,2000,new,new
8000,4000,new,new" ] || fail "$(drawn_rows)"

# Independent of the simulator, the same; and after a kill, wherever it comes.
what="the replay"
"$(dirname -- "$program")/tests/replay" drawn >/dev/null 2>out || fail "disagrees"
sed '/^training/d; /^devices/s/compute.*/fleet_assignment = "sample"; };/; /^rounds/s/.*/rounds = { count = 100; cohort = 10; };/; s/; latency/; fleet_assignment = "sample"; latency/' many.cfg >long.cfg
expect 0 run long.cfg --quiet --out whole
"$program" run long.cfg --quiet --out killed --set output.checkpoint_rounds=2 >out 2>err &
sleep 0.2
kill -9 $! 2>err
wait 2>err
expect 0 run long.cfg --quiet --out killed --set output.checkpoint_rounds=2 --resume
what="what was killed and resumed"
for file in events.ndjson rounds.csv clients.csv; do
    cmp -s "whole/$file" "killed/$file" || fail "has another $file"
done

# Traces know clients by the numbers of their rows: whoever is row 2 cannot be reached before 1000 s; whoever is row 0 has no
# bandwidth before 500 s.
printf '0,0,1e6\n1,0,1e6\n2,1000,1e6\n' >sessions.csv
printf 'client,t_s,factor\n0,0,0\n0,500,1\n0,100000,0\n' >trace.csv
# shellcheck disable=SC2086
expect 0 run many.cfg --quiet --out traced $drawn --set availability.model=trace --set availability.file=sessions.csv \
    --set rounds.cohort=30 --set rounds.count=1 --set network.trace=trace.csv
what="traces by number"
awk -F, 'NR > 1 && $3 == 4000 && $7 > 0 { bad = 1 } NR > 1 && $3 == 8000 && $24 < 500 { bad = 1 }
    NR > 1 && $3 == 5000 && ($7 != 1 || $24 > 5) { bad = 1 } END { exit bad }' traced/clients.csv || fail "is another one"
[ "$(head -n 1 traced/clients.csv | cut -d, -f7,24)" = participations,down_s ] || fail "columns have moved"

# What a table has not is a distribution's, of whoever was named: a key, a preset, or the class of a row.
printf 'client,class,down_Mbit_s\n0,4g,1\n1,fibre,1\n2,4g,1\n' >classes.csv
sed '/^devices/d; /^training/d; /^network/s/.*/network = { model = "exact"; fleet = "classes.csv"; };/' s.cfg >classes.cfg
expect 0 check classes.cfg
says out "network fibre, 1 client"
says out "without jitter, whose sigma is 0.47 of bandwidth, 0.52 of latency (the largest of a class)" # what its classes have besides
expect 0 run classes.cfg --quiet --out classes
is classes/clients.csv down_bytes_per_s "125000 125000 125000"
is classes/clients.csv network_class "4g fibre 4g"
expect 0 run classes.cfg --quiet --out preset --set network.latency="5 ms" --set network.uplink="1 MB/s"
is preset/clients.csv up_bytes_per_s "1000000 1000000 1000000"
is preset/clients.csv latency_s "0.005 0.005 0.005"
sed 's/4g/slow/' classes.csv >names.csv
expect 2 check classes.cfg --set network.fleet=names.csv
says err 'fedrecsim: --set network.fleet=names.csv: network.fleet: names.csv has no column of uplinks, and nothing else gives them; allowed: a column up_bytes_per_s (or in another unit), network.uplink, network.preset, or a column class with names of presets alone'
expect 0 check classes.cfg --set network.fleet=names.csv --set network.preset=4g

# Classes of a table tell who fails: both of `new` in every upload, `old` never; one table of both sections has each class once.
expect 0 run s.cfg --quiet --out failing --set failures.up="new 100 %, old 0"
is failing/clients.csv delivered "0 0 2"
expect 0 run s.cfg --quiet --out failing --force --set failures.up="old 100 %, others 0" --set failures.down="new 1, old 0"
is failing/clients.csv delivered "0 0 0"
is failing/clients.csv compute_s "0 0 2"
expect 0 run s.cfg --quiet --out failing --force --set availability.model=bernoulli --set availability.p="new 0, old 1" \
    --set rounds.selection.sees_availability=false
is failing/clients.csv delivered "0 0 2"
# Of one table the classes of links alone; of two tables both.
expect 0 run classes.cfg --quiet --out failing --force --set failures.up="4g 100 %, fibre 0"
is failing/clients.csv delivered "0 2 0"
printf 'client,class\n0,big\n1,big\n2,small\n' >sizes.csv
expect 0 run s.cfg --quiet --out failing --force --set devices.fleet=sizes.csv --set failures.up="new 1, old 0" \
    --set failures.compute="big 0, small 1"
is failing/clients.csv delivered "0 0 0"
what="who fails by the classes of two tables"
tr -d ' \n' <failing/summary.json | grep -q '"dropped_compute":2,"dropped_up":4' || fail "is another one"
expect 2 run s.cfg --out nothing --set failures.up="new 1, young 0"
says err 'failures.up: "young" is not a class of this scenario; allowed: old | new | others'
expect 2 run s.cfg --out nothing --set failures.up="new 1"
says err 'failures.up: says nothing of class "old"; allowed: a value for every class of devices.fleet, or one for "others"'

# What has no effect or contradicts itself is refused, in one line each.
expect 2 check s.cfg --set network.downlink="1 MB/s"
error 'fedrecsim: --set network.downlink=1 MB/s: network.downlink.value: has no effect here'
expect 2 check s.cfg --set devices.fleet_assignment=sample
says err 'devices.fleet_assignment: "sample" is not what network.fleet_assignment says of the same table; allowed: "rows"'
expect 2 check s.cfg --set network.classes="4g 100 %"
says err 'network.classes: fleet.csv has a column class, which says of each client what it is; allowed: one of the two'
sed 's/, *latency.*/ };/; s/; latency = .*/; };/' s.cfg >bare.cfg
expect 2 check bare.cfg
error 'fedrecsim: bare.cfg:5: network.fleet: fleet.csv has no column of latencies, and nothing else gives them; allowed: a column latency_s (or in another unit), network.latency, network.preset, or a column class with names of presets alone'
expect 2 check many.cfg
says err 'many.cfg:5: network.fleet: fleet.csv has no row of client 3; allowed: a row of each client, 0 to 29, or network.fleet_assignment = "sample"'
printf 'client,up_B_s\n0,-1\n' >bad.csv
expect 2 run s.cfg --out nothing --set network.fleet=bad.csv
error 'fedrecsim: bad.csv:2: column 2 (up_B_s): "-1" is out of bounds; allowed: a number, which comes to 1 to 1e+15 bytes/s'
expect 2 run s.cfg --out nothing --set network.fleet=bad.csv --set devices.fleet=bad.csv
error 'fedrecsim: bad.csv:2: column 2 (up_B_s): "-1" is out of bounds; allowed: a number, which comes to 1 to 1e+15 bytes/s'
expect 2 run s.cfg --out nothing --set devices.fleet=bad.csv
error 'fedrecsim: bad.csv:2: column 2 (up_B_s): "-1" is out of bounds; allowed: a number, which comes to 1 to 1e+15 bytes/s'
expect 2 run s.cfg --out nothing --set network.fleet=absent.csv
error 'fedrecsim: --set network.fleet=absent.csv: network.fleet: absent.csv: cannot be read: No such file or directory'
[ ! -e nothing ] || fail "leaves something behind"
[ "$failures" -eq 0 ]

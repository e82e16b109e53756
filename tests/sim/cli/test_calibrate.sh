#!/bin/sh
# Labels: sanitized
# calibrate: a log becomes a fragment that a scenario includes, and a table that its clients are drawn from; what is wrong with a
# log is said with its line; files of other people stay. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# 1 MB/s and 200 ms for client a, half of both for b.
{
    echo 'client,class,direction,size_kB,duration_s'
    for kB in 1000 2000 4000; do
        for way in down up; do
            echo "a,near,$way,$kB,$((kB / 1000)).2"
            echo "b,far,$way,$kB,$((kB / 500)).4"
        done
    done
} >log.csv

# --- rows for two classes ---
expect 0 calibrate log.csv --table fleet.csv --out part.cfg
silent err
says out 'log.csv: 12 transfers of 2 clients.'
says out 'class near, down, 1 client'
says part.cfg '// class near, down, 1 client'
says part.cfg 'fleet = "fleet.csv";'
cat >expected <<'END'
# Written by fedrecsim calibrate from a log: a row for each of its clients, in its order
class,down_bytes_per_s,up_bytes_per_s,latency_s
near,1000000,1000000,0.2
far,500000,500000,0.4
END
cmp -s expected fleet.csv || fail "fleet.csv is not as expected: $(cat fleet.csv)"
cat >whole.cfg <<'END'
data = { synthetic = "small"; };
devices = { preset = "ideal"; };
rounds = { count = 2; cohort = 5; };
@include "part.cfg"
END
expect 0 check whole.cfg
says out 'fleet.csv'
expect 0 calibrate log.csv --table fleet.csv --out part.cfg # our own files are replaced
cmp -s expected fleet.csv || fail "fleet.csv is not the same again"

# --- a distribution for one class ---
expect 0 calibrate log.csv --class near
says out 'downlink = "8 Mbit/s";'
says out 'uplink = "8 Mbit/s";'
says out 'latency = "200 ms";'
says out '// Only 1 client: the log cannot tell how clients differ.'

# --- a fragment that is extended: a section goes on beside it, each key once ---
cat >more.cfg <<'END'
data = { synthetic = "small"; };
devices = { preset = "ideal"; };
rounds = { count = 2; cohort = 5; };
network = { payload_share = 0.9; downlink = "1 Mbit/s"; };
@include "part.cfg"
END
expect 0 calibrate log.csv --class near --out part.cfg
expect 2 check more.cfg
line=$(grep -n downlink part.cfg | cut -d: -f1)
says err "part.cfg:$line: network.downlink: is given twice; the first is at more.cfg:4"
sed -i 's/ downlink = "1 Mbit.s";//' more.cfg
expect 0 check more.cfg
says out '7.20 Mbit/s' # 0.9 of the log's

# --- a table without rows is refused: each client has transfers in one direction ---
printf 'client,direction,size_kB,duration_s\na,down,1,1\na,down,2,2\nb,up,1,1\nb,up,2,2\n' >apart.csv
rm -f fleet.csv
expect 2 calibrate apart.csv --table fleet.csv --out apart.cfg
error 'fedrecsim: apart.csv: no client has transfers of both directions, so the table would have no row; allowed: a log of one direction, or distributions of each (without --table)'
if [ -e fleet.csv ] || [ -e apart.cfg ]; then fail "files are written all the same"; fi
expect 0 calibrate apart.csv --out apart.cfg

# --- killed while it fits: nothing stays ---
awk 'BEGIN { print "client,size_kB,duration_s"; for (i = 0; i < 400000; i++) print "c" i % 20000 "," 1 + i % 997 "," 1 + i % 991 }' >long.csv
"$program" calibrate long.csv --table long-table.csv --out long.cfg >/dev/null 2>&1 &
process=$!
sleep 1
kill -9 "$process"
wait "$process" 2>/dev/null
what='killed calibrate'
[ -z "$(find . -name 'long*.partial-*')" ] || fail "leaves $(find . -name 'long*.partial-*')"

# --- rounds, by other names ---
cat >rounds.csv <<'END'
round,cid,latency
1,a,2000
2,a,2000
1,b,1000
2,b,1000
END
expect 0 calibrate rounds.csv --column client=cid --column duration_ms=latency --flop 4000000 --table speeds.csv --out part.cfg
says out 'Speeds are for participations of 4e+06 operations.'
says out 'The log cannot tell computing from transfers'
says speeds.csv '2e+06'
says speeds.csv '4e+06'
sed -i '/^devices/d' whole.cfg
expect 0 check whole.cfg

# --- this machine ---
expect 0 calibrate --device --method fedmf --quiet --out device.cfg
says out 'fedmf            d 64  batch usual'
says device.cfg '// Errors without sign over d: one speed for all methods, and what is set below; that in batches of 64.'
cat >trained.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; };
network = { preset = "ideal"; };
rounds = { count = 2; cohort = 5; };
@include "device.cfg"
END
expect 0 run trained.cfg --out trained --quiet
expect 2 run trained.cfg --out other --quiet --set 'devices.efficiency=colr 2'
says err 'devices.efficiency: says nothing of method "fedmf"; allowed: a value for every method, or one for "others"'
expect 2 run trained.cfg --out other --quiet --set 'devices.efficiency=colr2 2, others 1'
says err 'devices.efficiency: there is no method "colr2"; allowed:'
expect 2 run trained.cfg --out other --quiet --set 'devices.efficiency=much'
says err 'devices.efficiency: "much" is not a number; allowed: a number from 1e-06 to 1000000, or a percentage such as "10 %", or one for each method: "a 30 %, others 5 %"'
expect 2 run trained.cfg --out other --quiet --set 'devices.sample_time=colr 1 ms, colr 2 ms'
says err 'devices.sample_time: method "colr" is there twice'
expect 0 calibrate --device --method fedmf --batch 64 --quiet
says out 'fedmf            d 64  batch 64'
says out 'svd              64'
expect 2 calibrate --device --method nothing
error 'fedrecsim: --method nothing: there is no such method; fedrecsim list method'
expect 2 calibrate --device log.csv
says err '--device needs no log, and takes --method, --batch, --out and --quiet alone'
expect 2 calibrate log.csv --method fedmf
says err '--method, --batch and --quiet belong to --device'

# --- refused ---
expect 2 calibrate log.csv
error 'fedrecsim: log.csv: has 2 classes, and a distribution holds for all clients alike; allowed: --table FILE, for a row for each client, or --class NAME, for those of one class'
expect 2 calibrate log.csv --class middle
error 'fedrecsim: log.csv: has no lines of class middle'
expect 2 calibrate log.csv --class near --column size_kB=weight
error 'fedrecsim: --column size_kB=weight: the log has no such column'
expect 2 calibrate log.csv --column weight=size_kB
says err 'allowed: NAME=COLUMN, NAME being one of client (or session), class, direction, size_bytes, round, duration_s'
expect 2 calibrate rounds.csv
says err 'rounds.csv:1: has no column client (or session); allowed: '
expect 2 calibrate log.csv --class near --flop 7
error 'fedrecsim: --flop belongs to a log of rounds, and log.csv is one of transfers'
printf 'client,size_kB,duration_s\na,1,0\n' >bad.csv
expect 2 calibrate bad.csv
error 'fedrecsim: bad.csv:2: column 3 (duration_s): "0"; allowed: a duration above 0: leave out transfers that failed'
printf 'client,direction,size_kB,duration_s\na,sideways,1,1\n' >bad.csv
expect 2 calibrate bad.csv
error 'fedrecsim: bad.csv:2: column 2 (direction): "sideways"; allowed: down, download, downlink, dl, up, upload, uplink, ul'
printf 'client,class,size_kB,duration_s\na,x,1,1\na,y,1,1\n' >bad.csv
expect 2 calibrate bad.csv
error 'fedrecsim: bad.csv:3: column 2 (class): "y"; allowed: the class that this client had before; clients that change it are several'
expect 2 calibrate
says err 'needs a log: a CSV file; or --device'
expect 2 calibrate nowhere.csv
says err 'nowhere.csv: cannot be read'
echo mine >notes
expect 2 calibrate log.csv --class near --out notes
# shellcheck disable=SC2016 # the quotes are the message's own
error 'fedrecsim: notes: exists, and `fedrecsim calibrate` did not write it; allowed: another name'
[ "$(cat notes)" = mine ] || fail "notes are gone"
expect 1 calibrate log.csv --class near --out nowhere/part.cfg
[ -z "$(find . -name '*.partial-*')" ] || fail "leaves a part behind"
[ "$failures" -eq 0 ]

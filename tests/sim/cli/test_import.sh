#!/bin/sh
# Files of others become ours (fedrecsim import): each kind by an example in its layout, made by hand, and runs with the results. Argument:
# the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

# rows FILE ROW...: the file's lines that are no comments.
rows() {
    file=$1
    shift
    printf '%s\n' "$@" >expected
    grep -v '^#' "$file" | cmp -s - expected || { fail "$file has other rows:" && grep -v '^#' "$file"; }
}

# Mahimahi: 3 packets of 1500 bytes in the first 100 ms, none in the second, 2 in the last 50 ms.
printf '1\n1\n100\n210\n250\n' >m.log
expect 0 import mahimahi m.log --step '100 ms' --out m.csv
rows m.csv t_s,down_bytes_per_s 0,45000 0.1,0 0.2,60000 0.25,45000
says m.csv '# fedrecsim import mahimahi: m.log, BLAKE2b '
expect 0 import mahimahi m.log --direction up
rows out t_s,up_bytes_per_s 0,30000 0.25,30000
expect 0 import mahimahi m.log m.log
rows out client,t_s,down_bytes_per_s 0,0,30000 0,0.25,30000 1,0,30000 1,0.25,30000

# Pensieve, Oboe: a rate holds since the line before: 4 Mbit/s, then 2.
printf '10.5\t9\n11\t4\n12.5 2\n' >p.log
for kind in pensieve oboe; do
    expect 0 import $kind p.log
    rows out t_s,down_bytes_per_s 0,500000 0.5,250000 2,500000
done

# HSDPA: 50,000 bytes in 1 s, 20,000 in the 500 ms behind a gap of 1 s.
printf '1289406399 5000 59.85 10.78 50000 1000\n1289406401 6500 59.85 10.78 20000 500\n' >h.log
expect 0 import hsdpa h.log
rows out t_s,down_bytes_per_s 0,50000 2,40000 2.5,50000

# FCC: the mean of a unit's tests that did not fail.
cat >f.csv <<'END'
unit_id,dtime,target,address,fetch_time,bytes_total,bytes_sec,bytes_sec_interval,warmup_time,warmup_bytes,sequence,threads,successes,failures
872,2016-09-01 00:00:10,a,b,5000000,10,1000000,1,1,1,0,3,1,0
871,2016-09-01 00:00:10,a,b,5000000,10,500000,1,1,1,0,3,1,0
872,2016-09-01 06:00:10,a,b,5000000,10,3000000,1,1,1,0,3,1,0
872,2016-09-01 12:00:10,a,b,5000000,10,9000000,1,1,1,0,3,0,1
END
expect 0 import fcc f.csv
rows out client,down_bytes_per_s 871,500000 872,2000000

printf 'quadkey,avg_d_kbps,avg_u_kbps,avg_lat_ms,tests,devices\n0022,40128,9721,33,5,2\n0023,0,514,71,1,1\n' >o.csv
expect 0 import ookla o.csv --out fleet.csv
rows fleet.csv down_kbit_s,up_kbit_s,rtt_ms,weight 40128,9721,33,5
printf 'date,a.MeanThroughputMbps,a.MinRTT\n2024-03-01,52.1,14.2\n' >l.csv
expect 0 import mlab l.csv
rows out down_Mbit_s,rtt_ms 52.1,14.2

printf 'client,active,inactive\nu1,0,30\nu1,50,50\nu2,10,20.5\n' >s.csv
expect 0 import fedscale s.csv --out sessions.csv
rows sessions.csv client,start_s,end_s u1,0,30 u2,10,20.5

# FLASH: on Wi-Fi from 10 s on, charging from 20 s on, in use from 25 to 30 s, then on 4g; the last state has no end.
cat >flash.csv <<'END'
client,time,event
a,10,wifi
a,20,battery_charged_on
a,25,screen_on
a,30,screen_off
a,30,4G
a,35,battery_low
a,40,unknown
b,5,3g
END
expect 0 import flash flash.csv --out states.csv
rows states.csv client,start_s,end_s,link,charging,in_use a,10,20,wifi,0,0 a,20,25,wifi,1,0 a,25,30,wifi,1,1 a,30,40,metered,1,0

# They go into a run. Messages of 100 items, 256 values of 4 bytes each, and 24 bytes besides: 102,424 bytes. Of each 0.25 s 7,500 bytes
# pass; the first 13 make 97,500, 4,500 more by 3.35 s, and 424 from 3.45 s on at 60,000 B/s.
cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 20; items = 100; interactions = 400; };
evaluation = { candidates = "full"; every = 100; };
method = { name = "fedmf"; dim = 256; epochs = 1; };
network = { model = "exact"; latency = "0 ms"; uplink = "8 Mbit/s"; trace = "m.csv"; };
devices = { compute = "none"; };
rounds = { count = 1; cohort = 1; };
output = { what_if = "none"; };
END
expect 0 run s.cfg --out r
says r/events.ndjson '"phase":"down","t0_s":0,"t1_s":3.45706666666667,'
says r/manifest.json '"path": "m.csv"'
says r/manifest.json '"imported": "mahimahi: m.log, BLAKE2b '
expect 0 check s.cfg --set network.trace= --set network.fleet=fleet.csv --set network.fleet_assignment=sample
says out 'drawn with replacement by their weights'
expect 0 check s.cfg --set availability.model=trace --set availability.file=sessions.csv --set availability.clients=cycle
says out 'sessions.csv: 2 clients'
expect 0 check s.cfg --set availability.model=states --set availability.file=states.csv --set availability.clients=cycle

# As they are, they are named with the command that turns them into ours.
sed 's/trace = "m.csv"; //; s/latency = "0 ms"; //; s/uplink = "8 Mbit.s"; //; s/exact/tcp/' s.cfg >plain.cfg
refuses() {
    expect 2 check plain.cfg --set "$1=$2"
    error "fedrecsim: $2: has the layout of $3; allowed: what \`fedrecsim import $3 $2\` makes of it, $4"
}
printf '0\t4\n1.5\t3.75\n' >tabs.log
for key in network.trace server.trace network.fleet; do
    refuses $key m.log mahimahi 'a trace (network.trace, server.trace)'
    refuses $key tabs.log pensieve 'a trace (network.trace, server.trace)'
    refuses $key h.log hsdpa 'a trace (network.trace, server.trace)'
    refuses $key f.csv fcc 'a table (network.fleet)'
    refuses $key o.csv ookla 'a table (network.fleet)'
    refuses $key l.csv mlab 'a table (network.fleet)'
done
expect 2 check plain.cfg --set availability.model=trace --set availability.file=s.csv
error "fedrecsim: s.csv: has the layout of fedscale; allowed: what \`fedrecsim import fedscale s.csv\` makes of it, sessions (availability.file)"
expect 2 check plain.cfg --set availability.model=states --set availability.file=flash.csv
error "fedrecsim: flash.csv: has the layout of flash; allowed: what \`fedrecsim import flash flash.csv\` makes of it, states (availability.file)"
printf 'quadkey,avg_d_kbps,avg_u_kbps,avg_lat_ms\n0022,40128,9721,33\n' >o2.csv
# Columns that are named with a key need no import.
expect 0 check plain.cfg --set network.fleet=o2.csv --set network.fleet_assignment=sample --set 'network.fleet_columns=avg_d_kbps = down_kbit_s, avg_u_kbps = up_kbit_s, avg_lat_ms = rtt_ms' 

# A spreadsheet's: semicolons, decimal commas.
printf 'quadkey;Avg_D_kbps;avg_u_kbps;avg_lat_ms;tests;devices\r\n0022;40128,5;9721;33,25;5;2\r\n' >sheet.csv
expect 0 import ookla sheet.csv
rows out down_kbit_s,up_kbit_s,rtt_ms,weight 40128.5,9721,33.25,5
printf 'client;down_Mbit_s;up_Mbit_s;latency_ms\n0;40,5;9,75;12,5\n' >fleet-de.csv
printf 'client,down_Mbit_s,up_Mbit_s,latency_ms\n0,40.5,9.75,12.5\n' >fleet-en.csv
for fleet in de en; do
    expect 0 check plain.cfg --set network.fleet=fleet-$fleet.csv --set network.fleet_assignment=sample
    ! [ $fleet = de ] || says out ' separated by semicolons, with decimal commas'
    grep -A4 '^  clients ' out >clients-$fleet
done
cmp -s clients-de clients-en || fail "decimal commas give other links"

# What is wrong, and nothing half-written.
expect 0 import
says out 'mahimahi '
expect 2 import pensive p.log
error 'fedrecsim: import: there is no "pensive"; allowed: mahimahi, pensieve, oboe, hsdpa, iperf, fcc, ookla, mlab, fedscale, flash'
expect 2 import mahimahi
error 'fedrecsim: import mahimahi: needs a file'
printf '1\n5\n3\n' >wrong
expect 2 import mahimahi wrong --out w.csv
error 'fedrecsim: wrong:3: 3 is no millisecond from 5 on; allowed: whole ones that do not fall'
[ ! -e w.csv ] || fail "w.csv is there"
expect 2 import pensieve m.log
error 'fedrecsim: m.log:1: "1" is not a time in seconds and a rate in Mbit/s'
expect 2 import ookla l.csv
error 'fedrecsim: l.csv:1: has no column avg_d_kbps; it has date, a.MeanThroughputMbps, a.MinRTT'
expect 2 import hsdpa nowhere.log
error 'fedrecsim: nowhere.log: cannot be read: No such file or directory'
expect 2 import mahimahi m.log --out m.csv
error 'fedrecsim: m.csv: is there already, and is left alone; allowed: another name'
[ "$failures" -eq 0 ]

# What iperf prints: 8 Mbit/s, 500 kbit/s, 1 MiB/s, then the whole, which is no interval; iperf3 with more columns.
cat >iperf.log <<'LOG'
------------------------------------------------------------
Client connecting to 10.0.0.1, TCP port 5001
[  3] local 10.0.0.2 port 41234 connected with 10.0.0.1 port 5001
[ ID] Interval       Transfer     Bandwidth
[  3]  0.0- 1.0 sec  0.95 MBytes  8.00 Mbits/sec
[  3]  1.0- 2.0 sec  61.0 KBytes   500 Kbits/sec
[  3]  2.0- 3.0 sec  1.00 MBytes  1.00 MBytes/sec
[  3]  0.0- 3.0 sec  2.01 MBytes  5.63 Mbits/sec
LOG
expect 0 import iperf iperf.log
grep -v '^#' out >rows
printf 't_s,down_bytes_per_s\n0,1000000\n1,62500\n2,1048576\n3,1000000\n' | cmp - rows || fail "iperf: $(cat rows)"
cat >iperf3.log <<'LOG'
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec   112 MBytes   941 Mbits/sec    0    215 KBytes
[  5]   1.00-2.00   sec   112 MBytes   936 Mbits/sec    1    215 KBytes
- - - - - - - - - - - - - - - - - - - - - - - - -
[  5]   0.00-2.00   sec   224 MBytes   938 Mbits/sec    1             sender
LOG
expect 0 import iperf iperf3.log --direction up
says out '1,117000000'
sed 's/^\(.  3.  \)\(1.0- 2.0.*\)/&\n[  4]  \2/' iperf.log >two.log
expect 2 import iperf two.log
says err 'two.log:7: has several streams; allowed: a log of one (iperf -P 1)'

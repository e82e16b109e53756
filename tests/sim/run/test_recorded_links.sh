#!/bin/sh
# Links as they were recorded (network.trace with capacities): the bytes of a message are those of the log, down and up apart, and what
# comes after its end is said. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"

# Messages of 100 items, 256 values of 4 bytes each, and 24 bytes besides: 102,424 bytes.
cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 20; items = 100; interactions = 400; };
evaluation = { candidates = "full"; every = 100; };
method = { name = "fedmf"; dim = 256; epochs = 1; };
network = { model = "exact"; latency = "0 ms"; trace = "log.csv"; };
devices = { compute = "none"; };
rounds = { count = 2; cohort = 1; };
output = { what_if = "none"; };
END
# As a phone wrote it, from some moment on.
cat >log.csv <<'END'
t_s,down_Mbit_s,up_Mbit_s
1417.5,3.2,1.6
1417.7,1.6,0.8
1418,0,0.8
1418.5,8,0.4
END

expect 2 check s.cfg
error 'fedrecsim: log.csv:2: t_s 1417.5: the first time has to be 0; allowed with network.trace_end = "repeat" or "hold": any'

# Down: 80,000 bytes by 0.2 s, 22,424 at 200,000 B/s by 0.31212 s. Up: 100,000 B/s to 1 s make 68,788, and 33,636 at 50,000 take .67272 s.
# Then 1,000,000 B/s down take .102424 s, and 50,000 B/s up 2.04848 s.
expect 0 run s.cfg --out held --set network.trace_end=hold
says held/events.ndjson '"phase":"down","t0_s":0,"t1_s":0.31212,"bytes":102424,"flop":0,"latency_s":0,"capacity_bytes_per_s":[[0,400000],[0.2,200000]]}'
says held/events.ndjson '"phase":"up","t0_s":0.31212,"t1_s":1.67272,"bytes":102424,"flop":0,"latency_s":0,"capacity_bytes_per_s":[[0.31212,100000],[1,50000]],'
says held/events.ndjson '"phase":"down","t0_s":1.67272,"t1_s":1.775144,'
says held/events.ndjson '"t1_s":3.823624,'

# Every second anew: the rest of the upload at 200,000 B/s until 1.2 s, or 33,636 bytes by 1.16818 s.
expect 0 run s.cfg --out again --set network.trace_end=repeat
says again/events.ndjson '"phase":"up","t0_s":0.31212,"t1_s":1.16818,'
# A download from there: .03182 s at 400,000 B/s, .3 s at 200,000, nothing to 2 s, and 29,696 at 400,000 B/s.
says again/events.ndjson '"phase":"down","t0_s":1.16818,"t1_s":2.07424,'

# Nothing is said of links that are the log's; latency is what it was.
says out 'downloads'
! grep -q 'the default (network.preset)' out || fail "speaks of a preset"
expect 0 run s.cfg --out other --set network.trace_end=hold --set engine.backend=calendar
cmp -s held/events.ndjson other/events.ndjson || fail "another backend has other times"

# What the log has, over its second: 3.2 · .2 + 1.6 · .3 Mbit/s down, 1.6 · .2 + .8 · .8 up; the last line counts where it holds.
expect 0 check s.cfg --set network.trace_end=hold
says out '  network.trace log.csv, with a last value that holds'
says out '    downlink              1.12 Mbit/s    8.00 Mbit/s        0 bit/s 1.00 s'
says out '    uplink              960.00 kbit/s    1.60 Mbit/s  400.00 kbit/s 1.00 s'
expect 0 check s.cfg --set network.trace_end=repeat
says out '  network.trace log.csv, repeated'
says out '    downlink              1.12 Mbit/s    3.20 Mbit/s        0 bit/s 1.00 s'
says out '    uplink              960.00 kbit/s    1.60 Mbit/s  800.00 kbit/s 1.00 s'

# By number, one for each client or one at random.
awk -F, 'NR == 1 { print "client," $0 } NR > 1 { print "3," $0; next }' log.csv >some.csv
awk -F, 'NR > 1 { print "8," $0 }' log.csv >>some.csv
expect 2 check s.cfg --set network.trace=some.csv --set network.trace_end=hold
error 'fedrecsim: --set network.trace=some.csv: network.trace: has the capacities of 2 clients, but there are 20; allowed: a trace for each, or network.trace_clients = "random"'
expect 0 run s.cfg --out drawn --set network.trace=some.csv --set network.trace_end=hold --set network.trace_clients=random
expect 0 check s.cfg --set network.trace=some.csv --set network.trace_end=repeat --set network.trace_clients=random
says out '  network.trace some.csv: 2 traces, each repeated'
cmp -s held/rounds.csv drawn/rounds.csv || fail "two equal traces give other rounds than one"
# A log of packets as mahimahi writes them, 25 % of whose 100 ms are empty: over 400 messages the log's bytes between the times of a
# message are the message, by a sum of the test's own over the trace as it stands in the file.
awk 'BEGIN { x = 1
    for (ms = 0; ms < 60000; ms += 100) {
        x = x * 16807 % 2147483647
        n = x % 4 ? x % 23 : 0
        for (i = 1; i <= n; i++)
            print ms + int(99 * i / n)
    }
    print 60000 }' >packets.log
expect 0 import mahimahi packets.log --step '100 ms' --out bins.csv
awk -F, '!/^#|^t_s/ { n++; empty += $2 == 0 } END { exit !(n == 601 && empty > 130 && empty < 170) }' bins.csv || fail "the log is another one"
awk -F, '/^#/ { next } /^t_s/ { print "t_s,factor"; next } { print $1 "," $2 / 125000 }' bins.csv >factors.csv
sums() {
    sed "s/trace = /$3 &/; s/count = 2/count = 200/; s/every = 100/every = 200/" s.cfg >sums.cfg
    expect 0 run sums.cfg --out "$1" --quiet --set "network.trace=$2"
    awk -v n=0 -v rate="$2" -F'[,:}]' '
        FNR == NR { if ($1 + 0 == $1) { t[n] = $1; bytes[n] = (rate == "factors.csv" ? 125000 : 1) * $2; n++ } next }
        /"phase":"(down|up)"/ {
            for (i = 1; i < NF; i++) value[$i] = $(i + 1)
            if (rate == "bins.csv" && value["\"phase\""] ~ /up/)
                next
            begin = value["\"t0_s\""]; end = value["\"t1_s\""]; sum = 0; period = t[n - 1]
            turn = int(begin / period)
            for (i = 0; turn * period + t[i] < end; i++) {
                if (i == n - 1) { i = 0; turn++ }
                from = turn * period + t[i]; to = turn * period + t[i + 1]
                if (from < begin) from = begin
                if (to > end) to = end
                if (to > from) sum += bytes[i] * (to - from)
            }
            off = sum - value["\"bytes\""]; off = off < 0 ? -off : off
            messages++; if (off > worst) worst = off
        }
        END { if (messages < 200 || worst > 2e-5) { print messages " messages, off by up to " worst " bytes"; exit 1 } }' "$2" "$1/events.ndjson" >sums ||
        fail "$(cat sums)"
}
sums bins bins.csv 'uplink = "1 Mbit\/s";'
sums factors factors.csv 'downlink = "1 Mbit\/s"; uplink = "1 Mbit\/s";'
[ "$failures" -eq 0 ]

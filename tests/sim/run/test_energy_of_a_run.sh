#!/bin/sh
# The energy of three clients by hand: one on Wi-Fi, two on 4G, with LTE's tail and without. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/expect.sh"
# shellcheck source=tests/sim/run/three_clients.sh
. "${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)}/tests/sim/run/three_clients.sh"

cat >fleet.csv <<'END'
client,class,down_bytes_per_s,up_kbit_s
0,wifi,8000,32
1,4g,4000,16
2,4g,8000,32
END
sed 's/^devices.*/devices = { compute = "fixed"; overhead = "1 s"; power_compute = "3 W"; };/
    s/^network = {/network = { jitter = 0.0; latency_jitter = 0.0;/' s.cfg >e.cfg

# same RUN CLIENT JOULES
same() {
    awk -F, -v client="$2" -v joules="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["client"] == client { off = $at["energy_j"] - joules; found = off <= 1e-9 * joules && -off <= 1e-9 * joules }
        END { exit !found }' "$1/clients.csv" || fail "client $2 of $1 does not take $3 J"
}

# Two rounds; 7224 bytes each way. Client 0 has a message under way for 0.2 + 7224/8000 + 7224/4000 s, client 1 for twice the last two.
wifi=$(awk 'BEGIN { printf "%.15g", 2 * (3 + 0.13286 * (0.2 + 0.903 + 1.806) + 7224 * 8e-9 * (137.01 + 283.17)) }')
slow=$(awk 'BEGIN { printf "%.15g", 2 * (3 + 1.288 * (0.2 + 1.806 + 3.612) + 7224 * 8e-9 * (51.97 + 438.39)) }')
fast=$(awk 'BEGIN { printf "%.15g", 2 * (3 + 1.288 * (0.2 + 0.903 + 1.806) + 7224 * 8e-9 * (51.97 + 438.39)) }')
expect 0 run e.cfg --out plain
same plain 0 "$wifi"
same plain 1 "$slow"
same plain 2 "$fast"

# Behind the upload LTE's radio stays awake for 11.576 s, and while the client computes for that second; Wi-Fi's for 0.2381 s each.
expect 0 run e.cfg --out tails --set network.radio_tail=true
same tails 0 "$(awk -v j="$wifi" 'BEGIN { printf "%.15g", j + 2 * 0.1193 * 2 * 0.2381 }')"
same tails 1 "$(awk -v j="$slow" 'BEGIN { printf "%.15g", j + 2 * 1.06 * (1 + 11.576) }')"
same tails 2 "$(awk -v j="$fast" 'BEGIN { printf "%.15g", j + 2 * 1.06 * (1 + 11.576) }')"

# A figure of summary.json by its name; "none": it has none.
figure() { awk -v name="$2" '{ match($0, /[^ ]/); depth = RSTART / 2; split($0, part, "\""); path[depth] = part[2] }
    $2 ~ /^[-0-9]/ { all = path[1.5]; for (i = 2.5; i <= depth; i++) all = all "." path[i]
        if (all == name) { sub(",", "", $2); found = $2 } } END { print found == "" ? "none" : found }' "$1/summary.json"; }

# figures RUN NAME VALUE...
figures() {
    run=$1
    shift
    while [ $# -gt 0 ]; do
        awk -v is="$(figure "$run" "$1")" -v was="$2" 'BEGIN { off = is - was; exit is == "none" || off * off > 1e-18 * (1 + was * was) }' ||
            fail "$1 of $run is $(figure "$run" "$1"), not $2"
        shift 2
    done
}

# By phase, over the three clients and two rounds: 3 J a second of computing; down and up, latency included, each by its own radio.
figures plain modelled.by_phase.compute_j 18 modelled.by_phase.connecting_j 0 \
    modelled.by_phase.down_j "$(awk 'BEGIN { printf "%.15g", 2 * (0.13286 * (0.1 + 0.903) + 1.288 * (0.1 + 1.806 + 0.1 + 0.903) + 7224 * 8e-9 * (137.01 + 2 * 51.97)) }')" \
    modelled.by_phase.up_j "$(awk 'BEGIN { printf "%.15g", 2 * (0.13286 * (0.1 + 1.806) + 1.288 * (0.1 + 3.612 + 0.1 + 1.806) + 7224 * 8e-9 * (283.17 + 2 * 438.39)) }')"
figures tails modelled.by_phase.awake_j "$(awk 'BEGIN { printf "%.15g", 2 * (0.1193 * 2 * 0.2381 + 2 * 1.06 * (1 + 11.576)) }')"
[ "$(figure plain modelled.by_phase.awake_j)" = none ] || fail "waiting is charged without a key"
says plain/summary.json '"the server (server.power_idle, power_busy, power_compute, energy_per_byte)"'
says plain/summary.json '"clients that wait awake (devices.power_awake, network.radio_tail)"'

echo 'data = { synthetic = "small"; }; devices = { preset = "mixed"; }; rounds = { count = 1; cohort = 3; }; output = { report = false; what_if = "none"; };' >classes.cfg
expect 0 run classes.cfg --out classes --quiet
[ "$(figure classes modelled.by_phase.awake_j)" = none ] || fail "waiting is charged to classes without a key"

# The slowest client is connected for 0.2 + 1.806 + 1 + 3.612 s a round, and aggregating takes .5 s.
expect 0 run e.cfg --out server --set devices.power_awake='0.2 W' --set server.power_idle='10 W' --set server.power_busy='4 W' \
    --set server.power_compute='2 W' --set server.energy_per_byte='1 uJ/B' --set server.overhead='500 ms'
figures server modelled.server.idle_j 142.36 modelled.server.busy_j 56.944 modelled.server.compute_j 2 modelled.server.connecting_j 0 \
    modelled.server.down_j 0.043344 modelled.server.up_j 0.043344 modelled.server.energy_j 201.390688 modelled.by_phase.awake_j 0 \
    load.peak_connections 3 load.mean_connections "$(awk 'BEGIN { printf "%.15g", (6.618 + 2 * 3.909) / 7.118 }')"
says server/summary.json '"not_charged": []'

# A connection that breaks: the client waits for 2 s awake before it connects anew.
expect 0 run e.cfg --out broken --set devices.power_awake='0.5 W' --set failures.connection_up=0.7 --set failures.retry.times=5 --set failures.retry.after='2 s'
figures broken modelled.by_phase.awake_j "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { sum += $at["retry_s"] } END { print 0.5 * sum }' broken/clients.csv)"
awk -v j="$(figure broken modelled.by_phase.awake_j)" 'BEGIN { exit !(j >= 1) }' || fail "no client waited"

# Prices are of what crossed, connecting included; one that is not given charges nothing.
expect 0 run e.cfg --out paid --set costs.server_down_per_gb=90 --set costs.currency=EUR
figures paid costs.total 0.00390096 costs.server_down 0.00390096
[ "$(figure paid costs.server_up)" = none ] || fail "uploads cost something without a price"
says out "0.0039 EUR for bytes: at the server down 0.0039 EUR, up not charged"
expect 0 run e.cfg --out both --set costs.server_down_per_gb=90 --set costs.server_up_per_gb=10 --expect 'costs.total <= 0.00434'
expect 3 run e.cfg --out both --force --set costs.server_down_per_gb=90 --set costs.server_up_per_gb=10 --expect 'costs.total <= 0.00433'

# Clients pay for their metered bytes, which are a part of all; without states no link is metered, and the price is refused.
expect 0 run classes.cfg --out metered --quiet --set availability.model=states --set network.preset=4g --set costs.metered_per_gb=5 --set rounds.count=3
figures metered costs.metered "$(awk -v down="$(figure metered bytes.metered_down)" -v up="$(figure metered bytes.metered_up)" 'BEGIN { printf "%.15g", 5e-9 * (down + up) }')" \
    costs.total "$(figure metered costs.metered)"
awk -v paid="$(figure metered costs.metered)" 'BEGIN { exit !(paid > 0) }' || fail "no byte is metered"
expect 2 check classes.cfg --set costs.metered_per_gb=5
says err 'costs.metered_per_gb: has no effect here, because no link is metered'

# What the user says of the network beats its classes; what is said of the device beats the network.
expect 0 run e.cfg --out all-lte --set network.radio=lte
same all-lte 0 "$fast"
same all-lte 2 "$fast"
expect 0 run e.cfg --out cable --set network.radio=fixed
same cable 1 6
expect 0 run e.cfg --out own --set devices.power_radio='0 W' --set devices.energy_per_byte='1 uJ/B'
same own 0 "$(awk 'BEGIN { printf "%.15g", 2 * (3 + 2 * 7224e-6) }')"
expect 2 check e.cfg --set network.radio=2g
grep -q 'network.radio: .*lte | wifi | 3g | 5g | fixed' err || fail "does not say which radios there are"

[ "$failures" -eq 0 ]

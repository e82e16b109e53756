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
sed 's/^devices.*/devices = { compute = "fixed"; overhead = "1 s"; power_compute = "3 W"; };/' s.cfg >e.cfg

# same RUN CLIENT JOULES
same() {
    awk -F, -v client="$2" -v joules="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["client"] == client { found = 1; off = $at["energy_j"] - joules; if (off > 1e-9 * joules || -off > 1e-9 * joules) { print $at["energy_j"]; exit 1 } }
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

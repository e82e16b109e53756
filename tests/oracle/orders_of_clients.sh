#!/bin/sh
# How much the ids of clients matter where they share a FIFO link (network.model = "packets"): one round of each such configuration of
# the validation, with clients that differ in their links, and the same clients renumbered.
#   tests/oracle/orders_of_clients.sh [LIST]   default: scenarios/validation/unseen.txt
#   FEDRECSIM=PROGRAM                          default: build/fedrecsim
#   ORDERS=N                                   renumbered so many times, default 6
#   MEASURED=FOLDER                            of docs/validation.sh: how much repeats of the same configurations' emulations differ
# Each client's rates are half, once and twice those of the configuration, drawn for each way; latency and computing (0.5 s) are equal.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
list=${1:-$root/scenarios/validation/unseen.txt}
orders=${ORDERS:-6}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

setting() { printf '%s' "$settings" | tr ';' '\n' | sed -n "s/^ *$1=\(.*[^ ]\) *$/\1/p"; }

# The table of clients of one configuration (its number), in one order: 0 is the first.
clients() { # CONFIGURATION ORDER
    awk -v configuration="$1" -v order="$2" -v n="$cohort" -v down="$(setting network.downlink)" -v up="$(setting network.uplink)" \
        -v latency="$(setting network.latency)" '
    function start(seed) { state = seed; for (i = 0; i < 10; i++) uniform() }
    function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    function factor() { return exp(log(2) * (int(3 * uniform()) - 1)) }
    BEGIN {
        start(1000 + configuration)
        for (c = 0; c < n; c++) { at[c] = c; downs[c] = down * factor(); ups[c] = up * factor() }
        start(7919 * order + configuration)
        for (c = n - 1; order && c > 0; c--) { other = int((c + 1) * uniform()); t = at[c]; at[c] = at[other]; at[other] = t }
        print "client,down_Mbit_s,up_Mbit_s,latency_ms"
        for (c = 0; c < n; c++) printf "%d,%.6f,%.6f,%.6f\n", c, downs[at[c]], ups[at[c]], latency
    }'
}

round_s() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["duration_s"] }' "$1/rounds.csv"; }

# "median / 95th percentile / greatest" of the sizes of one number a line.
summary() {
    sed 's|^-||' | sort -g | awk '{ v[NR] = $1 } END {
        printf "%.1f / %.1f / %.1f\n", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[int(0.95 * NR + 0.999)], v[NR] }'
}

number=0
sed '/^#/d' "$list" | grep 'server_queue=fifo' >"$place/configurations"
while IFS='|' read -r name _ settings; do
    name=$(echo "$name" | tr -d ' ')
    number=$((number + 1))
    cohort=$(setting rounds.cohort)
    items=$(setting data.items)
    interactions=$((20 * cohort > 14 * items / 10 ? 20 * cohort : 14 * items / 10))
    cat >"$place/scenario.cfg" <<END
seed = 1;
data = { synthetic = "custom"; users = $cohort; items = $items; interactions = $interactions; };
method = { name = "fedmf"; dim = $(setting method.dim); };
training = { enabled = false; };
network = {
    model = "packets"; connection = "$(setting network.connection)"; fleet = "$place/clients.csv"; queue = "$(setting network.queue)";
    server_queue = "fifo"; server_downlink = "$(setting network.server_downlink)"; server_uplink = "$(setting network.server_uplink)";
};
devices = { compute = "fixed"; overhead = "0.5 s"; };
rounds = { count = 1; cohort = $cohort; };
output = { events = false; };
END
    order=0
    while [ "$order" -le "$orders" ]; do
        clients "$number" "$order" >"$place/clients.csv"
        "$program" run "$place/scenario.cfg" --quiet --force --out "$place/out"
        round_s "$place/out"
        order=$((order + 1))
    done >"$place/times"
    echo "$name: $(tr '\n' ' ' <"$place/times")"
    awk 'NR == 1 { first = $1; next } { print 100 * ($1 / first - 1) }' "$place/times" >>"$place/of_orders"
    for repeat in "${MEASURED:-/nowhere}/$name".real[0-9]*; do
        [ ! -e "$repeat/rounds.csv" ] || round_s "$repeat"
    done | awk 'NR == 1 { first = $1; next } { print 100 * ($1 / first - 1) }' >>"$place/of_repeats"
done <"$place/configurations"
echo "orders against the first, %: median / 95th percentile / greatest"
summary <"$place/of_orders"
[ ! -s "$place/of_repeats" ] || { echo "repeats of the emulation, first rounds" && summary <"$place/of_repeats"; }

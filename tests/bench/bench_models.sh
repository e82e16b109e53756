#!/bin/sh
# Rounds per second of processor time under each model of the network: messages and time alone, on links of 4g, private ones
# and with a server's uplink and downlink that saturate.
#   tests/bench/bench_models.sh PROGRAM [MODEL...]     default: exact tcp
# The fastest of three, less what composing the run takes.
set -eu
program=$1
shift
[ $# -gt 0 ] || set -- exact tcp
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$scratch/s.cfg" <<'END'
data = { synthetic = "custom"; users = 12000; items = 1000; interactions = 240000; };
method = { name = "fedmf"; dim = 16; };
training = { enabled = false; };
network = { preset = "4g"; };
devices = { compute = "fixed"; overhead = "1 s"; };
output = { events = false; checkpoint_interval = "unlimited"; what_if = "none"; };
END

# seconds ROUNDS CLIENTS OPTION...: of processor time
seconds() {
    of_rounds=$1 of_clients=$2
    shift 2
    # What a shell waited for: the second line of its times, user and system as 1m2.345s.
    (
        "$program" run "$scratch/s.cfg" --quiet --force --threads 1 --out "$scratch/out" --set rounds.count="$of_rounds" \
            --set rounds.cohort="$of_clients" "$@" >/dev/null
        times
    ) | awk 'NR == 2 { split($1 "m" $2, t, /m|s/); print 60 * (t[1] + t[4]) + t[2] + t[5] }'
}

# The server's links carry about a hundredth of what the clients' do.
for links in private shared; do
    for clients in 100 1000 10000; do
        rounds=$((clients < 10000 ? 50000 / clients : 10))
        for model in "$@"; do
            set_links=""
            [ "$links" = private ] ||
                set_links="--set network.server_downlink=$((clients * 20))kB/s --set network.server_uplink=$((clients * 10))kB/s"
            best=$(for _ in 1 2 3; do
                # shellcheck disable=SC2086 # two options, or none
                { seconds 1 "$clients" --set network.model="$model" $set_links &&
                    seconds $((rounds + 1)) "$clients" --set network.model="$model" $set_links; } | tr '\n' ' '
                echo
            done | awk '{ if (!n++ || $1 < once) once = $1; if (n == 1 || $2 < all) all = $2 } END { print all - once }')
            awk -v links="$links" -v clients="$clients" -v model="$model" -v rounds="$rounds" -v s="$best" \
                'BEGIN { printf "%-8s %6d clients  %-8s %8.1f rounds/s\n", links, clients, model, rounds / s }'
        done
    done
done

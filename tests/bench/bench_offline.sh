#!/bin/sh
# Losses of buffered_async where most clients are offline, so that whoever comes online is asked: real time of 1,000 of them,
# by how many clients there are. Fifty are online at any time, for a minute each, whatever the number of all.
#   tests/bench/bench_offline.sh PROGRAM [CLIENTS …]     default: 100 1000 10000 100000
set -eu
program=$1
shift
[ $# -gt 0 ] || set -- 100 1000 10000 100000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$scratch/s.cfg" <<'END_OF_SCENARIO'
data = { synthetic = "custom"; items = 100; min_interactions = 3; };
method = { name = "fedmf"; dim = 4; };
training = { enabled = false; };
network = { preset = "4g"; };
devices = { compute = "fixed"; overhead = "60 s"; };
availability = { model = "markov"; on = "1 min"; };
rounds = { cohort = 100; count = 50; policy = { name = "buffered_async"; arrivals = 10; }; };
evaluation = { non_federated = [ ]; };
output = { events = false; report = false; checkpoint_interval = "unlimited"; what_if = "none"; };
END_OF_SCENARIO
for clients; do
    "$program" run "$scratch/s.cfg" --set data.users="$clients" --set data.interactions=$((clients * 20)) \
        --set "availability.off=$((clients * 60 / 50 - 60)) s" --quiet --out "$scratch/$clients"
    awk -v clients="$clients" '
        /"lost"/ && !losses { gsub(/[",]/, ""); losses = $2 }
        /"simulation_s"/ { gsub(/[",]/, ""); seconds = $2 }
        END { printf "%7d clients: %.4f s for 1,000 losses (%d)\n", clients, 1000 * seconds / losses, losses }
    ' "$scratch/$clients/summary.json"
done

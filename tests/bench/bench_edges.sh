#!/bin/sh
# A round of a million clients behind 1,000 edges, messages and time alone: edges that forward every upload, edges that add, those that
# aggregate twice (rounds.edge_rounds), and the star.
#   tests/bench/bench_edges.sh PROGRAM [CLIENTS] [EDGES] [MODEL] [ROUNDS]     default: 1000000 1000 exact 1
# Tells processor time of a round, what goes before and after, and the greatest resident size.
set -eu
program=$1
clients=${2:-1000000}
edges=${3:-1000}
model=${4:-exact}
rounds=${5:-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$scratch/s.cfg" <<END
data = { synthetic = "custom"; users = $clients; items = 1000; interactions = $((20 * clients)); };
method = { name = "fedmf"; dim = 16; aggregation = "uniform"; };
network = { model = "$model"; preset = "4g"; server_downlink = "10 Gbit/s"; server_uplink = "10 Gbit/s"; };
devices = { compute = "fixed"; overhead = "1 s"; };
rounds = { count = $rounds; cohort = $clients; };
training = { enabled = false; };
output = { events = false; report = false; checkpoint_interval = "unlimited"; what_if = "none"; };
END

# tell NAME OPTION...
tell() {
    name=$1
    shift
    "$program" run "$scratch/s.cfg" --quiet --out "$scratch/$name" "$@"
    awk -v name="$name" -v rounds="$rounds" '
        /"(training|messages|aggregation|ledger|simulation)_s"/ { gsub(/[",]/, ""); inside += $2 }
        /"(preparation|evaluation|ending)_s"/ { gsub(/[",]/, ""); outside += $2 }
        /"peak_rss_bytes"/ { gsub(/[",]/, ""); bytes = $2 }
        END { printf "%-10s %.2f s of processor time a round, %.1f s beside it, %.2f GB\n", name, inside / rounds, outside, bytes / 1e9 }
    ' "$scratch/$name/summary.json"
}

set -- --set network.edges.count="$edges" --set 'network.edges.downlink=1 Gbit/s' --set 'network.edges.uplink=1 Gbit/s' --set 'network.edges.latency=10 ms' \
    --set 'network.edges.access_downlink=10 Gbit/s' --set 'network.edges.access_uplink=10 Gbit/s'
tell star
tell forward "$@"
tell add "$@" --set network.edges.partial_sums=true
tell add-twice "$@" --set network.edges.partial_sums=true --set rounds.edge_rounds=2

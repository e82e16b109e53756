#!/bin/sh
# Real training at the size of a million users and 100,000 items: CoLR of rank 4 in cohorts of 10,000.
#   tests/bench/bench_million.sh PROGRAM [ROUNDS]     default: 5
# Tells processor time of a round, what goes before and after, and the greatest resident size.
set -eu
program=$1
rounds=${2:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$scratch/s.cfg" <<'END'
data = { synthetic = "custom"; users = 1000000; items = 100000; interactions = 20000000; min_interactions = 3; };
method = { name = "colr"; rank = 4; dim = 32; epochs = 2; optimiser = "sgd"; learning_rate = 0.5; };
network = { preset = "4g"; };
devices = { compute = "fixed"; overhead = "2 s"; };
rounds = { cohort = 10000; };
evaluation = { every = 1000000; non_federated = [ ]; };
output = { events = false; report = false; checkpoint_interval = "unlimited"; what_if = "none"; };
END
"$program" run "$scratch/s.cfg" --set rounds.count="$rounds" --quiet --out "$scratch/out"
awk -v rounds="$rounds" '
    /"(training|messages|aggregation|ledger|simulation)_s"/ { gsub(/[",]/, ""); inside += $2 }
    /"(preparation|evaluation|ending)_s"/ { gsub(/[",]/, ""); outside += $2 }
    /"peak_rss_bytes"/ { gsub(/[",]/, ""); bytes = $2 }
    END { printf "%.2f s of processor time a round, %.1f s beside them, %.2f GB\n", inside / rounds, outside, bytes / 1e9 }
' "$scratch/out/summary.json"

#!/bin/sh
# Messages and time alone for so many clients: start, memory and a round, in processor time, by how many clients there are.
#   tests/bench/bench_clients.sh PROGRAM [CLIENTS:COHORT:ROUNDS …]   default: a million and ten million, cohorts of 10,000 and a tenth
# Columns: clients, clients a round, backend, seconds before and after the rounds of a run of one round, its bytes of memory and of files
# a client, seconds a round and MB at most of a run of ROUNDS more.
set -eu
program=$1
shift
[ "$#" -gt 0 ] || set -- 1000000:10000:10 1000000:100000:3 10000000:10000:10 10000000:1000000:2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$scratch/s.cfg" <<'END'
data = { synthetic = "custom"; items = 1000; };
method = { name = "fedmf"; dim = 16; };
training = { enabled = false; };
network = { preset = "4g"; model = "exact"; };
devices = { compute = "fixed"; overhead = "1 s"; };
output = { events = false; report = false; checkpoint_interval = "unlimited"; what_if = "none"; };
END

# CLIENTS COHORT ROUNDS: seconds of processor time in the rounds and beside them, bytes of memory at most, the backend
one_run() {
    rm -rf "$scratch/out"
    "$program" run "$scratch/s.cfg" --quiet --threads 1 --out "$scratch/out" --set data.users="$1" \
        --set data.interactions="$((20 * $1))" --set rounds.cohort="$2" --set rounds.count="$3" ${backend:+--set engine.backend="$backend"}
    awk '/"parts"/ { inside = 1 } /}/ { inside = 0 }
        inside && /_s"/ { gsub(/[",:]/, ""); if ($1 ~ /preparation|ending/) beside += $2; else s += $2 }
        /"peak_rss_bytes"/ { gsub(/[",]/, ""); bytes = $2 }
        END { print s, beside, bytes }' "$scratch/out/summary.json"
    sed -n 's/.*"backend": "\([a-z]*\)".*/\1/p' "$scratch/out/manifest.json"
}

backend=${FRS_BENCH_BACKEND:-}
for size in "$@"; do
    clients=${size%%:*} rest=${size#*:}
    cohort=${rest%:*} rounds=${rest#*:}
    few=$(one_run "$clients" "$cohort" 1)
    files=$(cat "$scratch/out"/* | wc -c)
    many=$(one_run "$clients" "$cohort" "$((1 + rounds))")
    printf '%s %s' "$few" "$many" | tr '\n' ' ' | awk -v clients="$clients" -v cohort="$cohort" -v n="$rounds" -v files="$files" '{
        printf "%9d clients, %8d a round, %-8s  %7.2f s beside %d rounds of %8.4f s  %6.0f bytes a client  %6.0f MB at most  %5.0f bytes of files a client\n",
            clients, cohort, $4, $2, n + 1, ($5 - $1) / n, $3 / clients, $7 / 1e6, files / clients
    }'
done

#!/bin/sh
# A million clients whose messages and work are declared, beside FedMF's timing (training.enabled = false) with the same messages.
#   tests/bench/bench_declared.sh PROGRAM [ROUNDS [COHORT]]     default: 20 rounds of 10000; 1 1000000: all of them at once
# Tells processor time and memory of each, in turn, twice, and the ratio of the smaller times; their rounds have to be the same.
set -eu
program=$1
rounds=${2:-20}
cohort=${3:-10000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$scratch/rest" <<'END'
network = { preset = "4g"; model = "exact"; };
devices = { compute = "fixed"; overhead = "2 s"; };
output = { events = false; report = false; checkpoint_interval = "unlimited"; what_if = "none"; };
END
{
    echo 'data = { synthetic = "custom"; users = 1000000; items = 2000; interactions = 20000000; min_interactions = 3; };'
    echo 'method = { name = "fedmf"; dim = 16; };'
    echo 'training = { enabled = false; };'
    cat "$scratch/rest"
} >"$scratch/fedmf.cfg"
{
    echo 'method = { name = "declared"; clients = 1000000; down = "128000 B"; up = "128000 B"; };'
    cat "$scratch/rest"
} >"$scratch/declared.cfg"

# All clients at once take 4.1 GB.
room=$(awk '/^MemAvailable/ { printf "%d", $2 / 1024 }' /proc/meminfo)
[ "$room" -ge $((cohort / 200)) ] || {
    echo "a cohort of $cohort needs some $((cohort / 200)) MiB of memory, and $room are free"
    exit 1
}

# "1.23 456": user and system seconds of one run, and its memory in MB; its rounds are NAME.csv
seconds() {
    sh -c 'program=$1; shift; "$program" run "$@" >/dev/null; times' times "$program" "$scratch/$1.cfg" --set rounds.count="$rounds" \
        --set rounds.cohort="$cohort" --threads 1 --quiet --force --out "$scratch/$1" |
        awk 'END { gsub(/[ms]/, " "); printf "%s ", 60 * $1 + $2 + 60 * $3 + $4 }'
    awk -F '[:,]' '/"peak_rss_bytes"/ { printf "%d\n", $2 / 1e6 }' "$scratch/$1/summary.json"
    awk -F, 'NR == 1 { while ($(n + 1) !~ /^hr@/ && n < NF) n++ } { for (i = 1; i <= n; i++) printf "%s,", $i; print "" }' \
        "$scratch/$1/rounds.csv" >"$scratch/$1.csv"
}
for _ in 1 2; do
    fedmf=$(seconds fedmf)
    declared=$(seconds declared)
    echo "$fedmf $declared"
done >"$scratch/times"
cmp "$scratch/fedmf.csv" "$scratch/declared.csv"
awk '{ print "FedMF timing " $1 " s, " $2 " MB; declared " $3 " s, " $4 " MB" } NR == 1 || $1 < a { a = $1 } NR == 1 || $3 < b { b = $3 }
    END { printf "declared over FedMF: %.2f\n", b / a }' "$scratch/times"

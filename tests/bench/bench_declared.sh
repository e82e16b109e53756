#!/bin/sh
# A million clients whose messages and work are declared, beside FedMF's timing (training.enabled = false) with the same messages.
#   tests/bench/bench_declared.sh PROGRAM [ROUNDS [COHORT]]     default: 20 rounds of 10000
# Tells processor time of each, in turn, twice, and the ratio of the smaller ones; their rounds have to be the same.
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

# "1.23": user and system seconds of one run; its rounds are NAME.csv
seconds() {
    sh -c 'program=$1; shift; "$program" run "$@" >/dev/null; times' times "$program" "$scratch/$1.cfg" --set rounds.count="$rounds" \
        --set rounds.cohort="$cohort" --threads 1 --quiet --force --out "$scratch/$1" |
        awk 'END { gsub(/[ms]/, " "); print 60 * $1 + $2 + 60 * $3 + $4 }'
    awk -F, 'NR == 1 { while ($(n + 1) !~ /^hr@/ && n < NF) n++ } { for (i = 1; i <= n; i++) printf "%s,", $i; print "" }' \
        "$scratch/$1/rounds.csv" >"$scratch/$1.csv"
}
for _ in 1 2; do
    fedmf=$(seconds fedmf)
    declared=$(seconds declared)
    echo "$fedmf $declared"
done >"$scratch/times"
cmp "$scratch/fedmf.csv" "$scratch/declared.csv"
awk '{ print "FedMF timing " $1 " s, declared " $2 " s" } NR == 1 || $1 < a { a = $1 } NR == 1 || $2 < b { b = $2 }
    END { printf "declared over FedMF: %.2f\n", b / a }' "$scratch/times"

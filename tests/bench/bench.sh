#!/bin/sh
# Everything that has a speed, measured on this machine: a CSV, and the same as a table.
#   tests/bench/bench.sh BUILD [CSV]        default: BUILD/bench.csv; also cmake --build BUILD --target bench
# FRS_BENCH_REPEAT (3): how often each figure is measured. FRS_BENCH_PARTS: some of "machine kernels non_federated codecs
# process timing links clients external ratings platform" (default: all of them). FRS_BENCH_METHODS: of kernels and process. FRS_BENCH_RATINGS: how
# many ratings are read (25000000).
#
# Columns: part, what, shape, threads, unit, median, low, high, n. `low` and `high` are the extremes of n measurements:
# tests/bench/compare_benches.sh goes by them.
set -eu
build=$1
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
csv=${2:-$build/bench.csv}
repeat=${FRS_BENCH_REPEAT:-3}
parts=${FRS_BENCH_PARTS:-machine kernels non_federated codecs process timing links clients external ratings platform}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Lines "part,what,shape,threads,unit value" become a line each of the CSV.
summarise() {
    sort -t ' ' -k1,1 -k2,2g | awk '
        function flush() {
            if (n) printf "%s,%.6g,%.6g,%.6g,%d\n", key, n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2, v[1], v[n], n
            n = 0
        }
        $1 != key { flush(); key = $1 }
        { v[++n] = $2 }
        END { flush() }'
}

repeated() { # N COMMAND...
    count=$1
    shift
    while [ "$count" -gt 0 ]; do
        "$@"
        count=$((count - 1))
    done
}

# A figure of summary.json's `machine`; a member of that name occurs once.
figure() {
    sed -n "s/.*\"$1\": \([-+.0-9e]*\).*/\1/p" "$2/summary.json" | tail -n 1
}

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
printf '# processor: %s, %s of them; %s\n' "${processor:-unknown}" "$(nproc)" "$("$build/fedrecsim" --version | head -n 1)" \
    >"$csv"
echo part,what,shape,threads,unit,median,low,high,n >>"$csv"

# --- what a core can do, and kernels by themselves ---

machine() {
    "$build/tests/bench_machine" "$repeat" | awk '{ printf "machine,%s,,1,%s %s\n", $1, $3, $2 }' | summarise
}

one_of_kernels() {
    for method in $(methods); do "$build/tests/bench_training" "$method"; done
}

kernels() {
    repeated "$repeat" one_of_kernels | awk '{
        printf "kernel,%s,ml-100k,1,updates/s %s\n", $1, $2
        printf "kernel,%s,ml-100k,1,Gflop/s %s\n", $1, $7
    }' | summarise
}

# --- recommenders without federation: what is trained on in a second of processor time, samples or pairs; and an epoch ---

non_federated() {
    repeated "$repeat" "$build/tests/bench_non_federated" | awk '{
        printf "non_federated,%s,ml-100k,1,%s %s\n", $1, $3, $2
        printf "non_federated,%s,ml-100k,1,%s %s\n", $1, $5, $4
    }' | summarise
}

# --- whole runs: training, network, aggregation, evaluation every tenth round ---

cat >"$scratch/implicit.cfg" <<'END'
data = { synthetic = "ml-100k"; };
network = { preset = "fieldguide"; model = "exact"; };
devices = { preset = "fieldguide"; };
rounds = { count = 30; cohort = "60 %"; };
evaluation = { every = 10; };
output = { report = false; what_if = "none"; };
END
sed 's/synthetic = "ml-100k";/& feedback = "explicit"; split = "ratio";/' "$scratch/implicit.cfg" >"$scratch/explicit.cfg"

# Methods that predict ratings are those whose kind of feedback is refused otherwise.
scenario_of() {
    if "$build/fedrecsim" check "$scratch/implicit.cfg" --set method.name="$1" 2>&1 | grep -q 'learns from explicit'; then
        echo "$scratch/explicit.cfg"
    else
        echo "$scratch/implicit.cfg"
    fi
}

methods() {
    echo "${FRS_BENCH_METHODS:-$(sed -n 's/^LEARNER(\(.*\))$/\1/p' "$source/algorithms/learners/learners.def")}"
}

# NAME METHOD SHAPE ROUNDS THREADS [CODEC]
one_process() {
    rm -rf "$scratch/out"
    "$build/fedrecsim" run "$(scenario_of "$2")" --quiet --force --threads "$5" --out "$scratch/out" --set method.name="$2" \
        --set data.synthetic="$3" --set rounds.count="$4" ${6:+--set codec.uplink="$6"} >/dev/null
    key="process,$1,$3,$5"
    echo "$key,updates/s $(figure client_updates_per_s "$scratch/out")"
    echo "$key,MB $(figure peak_rss_bytes "$scratch/out" | awk '{ print $1 / 1e6 }')"
    # What the server computes, where that is much.
    awk -v key="$key" -v flop="$(figure server_flop "$scratch/out")" -v s="$(figure aggregation_s "$scratch/out")" \
        'BEGIN { if (flop > 1e10) printf "%s,server-Gflop/s %.2f\n", key, 1e-9 * flop / s }'
    # What each part of the run took, of the processor's time.
    sed -n '/"parts": {/,/}/s/.*"\([a-z_]*\)_s": \([-+.0-9e]*\).*/\1 \2/p' "$scratch/out/summary.json" |
        awk -v key="part,$1" -v shape="$3,$5" '{ name[NR] = $1; s[NR] = $2; sum += $2 }
            END { for (i = 1; i <= NR; i++) printf "%s:%s,%s,%% %.2f\n", key, name[i], shape, 100 * s[i] / sum }'
    serial "$1" "$3,$5" <"$scratch/out/summary.json"
}

# What more threads do not make shorter, as shares of the processor time of the rounds; and how many times as fast as one thread
# 16 would be (Amdahl): the simulating thread alone, all else divided, and no less than the sums that one thread at a time adds up.
serial() { # METHOD SHAPE
    awk -v key="serial,$1" -v shape="$2" '
        { gsub(/[",:]/, "") }
        $1 == "parts" { parts = 1 }
        parts && $1 ~ /_s$/ && $1 !~ /^(preparation|ending)_s$/ { rounds += $2 }
        $1 == "}" { parts = 0 }
        $1 == "simulating_thread_s" { thread = $2 }
        $1 == "ordered_sums_s" { sums = $2 }
        END {
            printf "%s:simulating_thread,%s,%% %.2f\n%s:ordered_sums,%s,%% %.2f\n", key, shape, 100 * thread / rounds, key, shape, 100 * sums / rounds
            least = thread + (rounds - thread) / 16
            printf "%s:16_threads,%s,times %.2f\n", key, shape, rounds / (sums > least ? sums : least)
        }'
}

processes() {
    for method in $(methods); do
        for threads in 1 2; do
            repeated "$repeat" one_process "$method" "$method" ml-100k 30 "$threads"
            repeated 1 one_process "$method" "$method" ml-1m 2 "$threads"
        done
    done | summarise
}

# --- codecs: an update's message by itself, and whole runs with one on the uplink ---

codec_names() {
    sed -n 's/^CODEC(\(.*\))$/\1/p' "$source/algorithms/codecs/codecs.def"
}

codecs() {
    {
        repeated "$repeat" "$build/tests/bench_codecs" | awk '{
            printf "codec,%s,ml-100k,1,us/encode %s\n", $1, $2
            printf "codec,%s,ml-100k,1,us/decode %s\n", $1, $6
        }'
        for codec in $(codec_names); do
            for threads in 1 2; do
                repeated "$repeat" one_process "fedmf_update+$codec" fedmf_update ml-100k 30 "$threads" "$codec"
            done
        done
    } | summarise
}

# --- messages and time alone ---

cat >"$scratch/timing.cfg" <<'END'
method = { name = "fedmf"; dim = 16; };
training = { enabled = false; };
network = { preset = "4g"; };
devices = { compute = "fixed"; overhead = "1 s"; };
output = { events = false; report = false; checkpoint_interval = "unlimited"; what_if = "none"; };
END

# CLIENTS COHORT MODEL ROUNDS: seconds of wall time for that many rounds
timing_run() {
    rm -rf "$scratch/out"
    "$build/fedrecsim" run "$scratch/timing.cfg" --quiet --force --threads 1 --out "$scratch/out" --set data.synthetic=custom \
        --set data.users="$1" --set data.items=1000 --set data.interactions="$((20 * $1))" --set rounds.cohort="$2" \
        --set network.model="$3" --set rounds.count="$4" >/dev/null
    figure wall_s "$scratch/out"
}

one_timing() {
    few=$(timing_run "$1" "$2" "$3" 1)
    many=$(timing_run "$1" "$2" "$3" "$((1 + $4))")
    key="timing,$3,$1x$2,1"
    awk -v key="$key" -v few="$few" -v many="$many" -v n="$4" 'BEGIN { printf "%s,s/round %.6f\n", key, (many - few) / n }'
    echo "$key,s/start $few"
    echo "$key,MB $(figure peak_rss_bytes "$scratch/out" | awk '{ print $1 / 1e6 }')"
}

timing() {
    for size in 943:566:50 10000:1000:50 100000:10000:10 1000000:10000:10 1000000:100000:3; do
        clients=${size%%:*} rest=${size#*:}
        for model in exact tcp packets; do
            [ "$model" != packets ] || [ "${rest%:*}" -le 10000 ] || continue
            repeated "$repeat" one_timing "$clients" "${rest%:*}" "$model" "${rest#*:}"
        done
    done | summarise
}

# --- links that everybody shares ---

one_of_links() {
    for flows in 100 1000 10000 100000; do
        "$build/tests/bench_contention" calendar "$flows"
    done | awk '{ printf "links,%s,%s,1,s/round %s\nlinks,%s,%s,1,MB %s\n", $1, $2, $4, $1, $2, $8 }'
}

links() {
    repeated "$repeat" one_of_links | summarise
}

# --- many clients, and many actors ---

one_of_clients() {
    "$source/tests/bench/bench_clients.sh" "$build/fedrecsim"
    for backend in actors calendar; do
        FRS_BENCH_BACKEND=$backend "$source/tests/bench/bench_clients.sh" "$build/fedrecsim" 100000:10000:10
    done
}

clients() {
    repeated "$repeat" one_of_clients | awk '{
        key = "clients," $6 "," $1 "x" $3 ",1,"
        print key "s/start " $7
        print key "s/round " $13
        print key "B/client " $15
        print key "MB " $19
    }' | summarise
}

# --- methods that another program trains, beside built-in ones ---

one_of_external() {
    set -- fedmf "fedmf-c='$build/tests/external_fedmf'" fedncf "empty-c='$build/tests/external_empty'"
    if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
        set -- "$@" "fedmf-numpy=/usr/bin/python3 '$build/python/fedmf.py'" \
            "empty-numpy=/usr/bin/python3 '$source/tests/bench/external/empty.py'"
    fi
    if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
        set -- "$@" "fedncf-torch=/usr/bin/python3 '$build/python/fedncf.py'"
    fi
    PYTHONPATH="$build/python" "$build/tests/bench_external" 10 "$@"
}

external() {
    repeated "$repeat" one_of_external | awk '{
        printf "external,%s,ml-100k,1,us/update %s\n", $1, $2
        printf "external,%s,ml-100k,1,updates/s %s\n", $1, $8
    }' | summarise
}

# --- reading ratings, beside a plain loop over the same file; all in processor time ---

ratings() {
    n=${FRS_BENCH_RATINGS:-25000000}
    repeated "$repeat" "$build/tests/bench_ratings" "$n" "$scratch" | awk -v n="$n" '
        { key = "ratings," ($1 == "plain" ? "plain_loop" : $1 == "rows" ? "rows_read" : "data_set") "," n ",1," }
        match($0, /[0-9.]+ s of/) { print key "s " substr($0, RSTART, RLENGTH - 5) }
        match($0, /[0-9.]+ bytes a row/) { print key "B/row " substr($0, RSTART, RLENGTH - 12) }
        match($0, /[0-9.]+ times the plain/) { print key "plain-loops " substr($0, RSTART, RLENGTH - 16) }' | summarise
}

# --- a SimGrid platform of many hosts, as check examines it: the smallest of three, in processor time ---

platform() {
    repeated "$repeat" "$source/tests/bench/bench_user_platform.sh" "$build/fedrecsim" 1000 8000 |
        awk '{ printf "platform,check,%s-hosts,1,s %s\n", $1, $3 }' | summarise
}

for part in $parts; do
    case $part in
        machine) machine ;;
        kernels) kernels ;;
        non_federated) non_federated ;;
        codecs) codecs ;;
        process) processes ;;
        timing) timing ;;
        links) links ;;
        clients) clients ;;
        external) external ;;
        ratings) ratings ;;
        platform) platform ;;
        *) echo "bench.sh: there is no part $part" >&2 && exit 2 ;;
    esac >>"$csv"
done

# --- the table; kernels as a share of what a core can do ---

awk -F , '
    /^#/ { print substr($0, 3); next }
    $1 == "part" && $2 == "what" { printf "%-9s %-31s %-18s %3s %14s  %s\n", "part", "what", "shape", "thr", "median", "unit"; next }
    $1 == "machine" && $2 == "multiply_add" { peak = $6 }
    $1 == "machine" && $2 == "sgemm" { product = $6 }
    {
        share = $5 == "Gflop/s" && $1 == "kernel" && peak ? sprintf("  %.0f %% of the peak", 100 * $6 / peak) : ""
        if ($5 == "server-Gflop/s" && product)
            share = sprintf("  %.0f %% of sgemm", 100 * $6 / product)
        printf "%-9s %-31s %-18s %3s %14.6g  %-9s (%.4g to %.4g)%s\n", $1, $2, $3, $4, $6, $5, $7, $8, share
    }' "$csv"

#!/bin/sh
# The runs and tables of docs/what-if/networks.md. Needs the program, sh and awk; finished runs are not repeated.
#   docs/what-if/networks.sh [FOLDER]     default: results/what-if-networks; the tables go to standard output
#   FEDRECSIM=PROGRAM                     default: build/fedrecsim
#   JOBS=N                                runs at a time, default 2
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
scenario=$root/scenarios/what-if/networks.cfg
out=${1:-results/what-if-networks}
jobs=${JOBS:-2}
mkdir -p "$out"

# --- The list of runs: a name (method_network_cohort_server_seed) and the settings that differ from the scenario ---

method() {
    case $1 in
    fedmf) echo '--set method.name=fedmf' ;;
    fedmf64) echo '--set method.name=fedmf --set method.fedmf.dim=64' ;;
    colr) ;;
    ideal) echo '--set method.colr.catchup=ideal' ;;
    esac
}

server() {
    case $1 in
    unlimited) ;;
    1G) echo '--set network.server_downlink=1Gbit/s --set network.server_uplink=1Gbit/s' ;;
    100M) echo '--set network.server_downlink=100Mbit/s --set network.server_uplink=100Mbit/s' ;;
    esac
}

rounds() { # the first third of them is left out
    case $1 in
    50) echo 300 ;;
    500) echo 60 ;;
    5000) echo 30 ;;
    esac
}

list() {
    for cohort in 50 500 5000; do
        for network in ideal fieldguide fedscale flash-wifi 3g 4g 5g wifi fibre mixed-mobile; do
            for server in unlimited 1G 100M; do
                for method in fedmf fedmf64 colr ideal; do
                    # The two for comparison are not needed at every server.
                    case $method-$server in fedmf64-1G | ideal-1G) continue ;; esac
                    settings="--set network.preset=$network --set rounds.cohort=$cohort $(method $method) $(server $server)"
                    for seed in 1 2 3; do
                        echo "${method}_${network}_${cohort}_${server}_$seed --seed $seed --set rounds.count=$(rounds $cohort) $settings"
                    done
                done
            done
        done
    done
}

work() { # runs every jobs-th line of the list
    awk -v jobs="$jobs" -v mine="$1" 'NR % jobs == mine' "$out/list" | while read -r name settings; do
        [ -f "$out/$name/summary.json" ] && continue
        # shellcheck disable=SC2086
        "$program" run "$scenario" --out "$out/$name" --threads 1 --quiet $settings </dev/null || {
            echo "$name failed" >&2
            exit 1
        }
    done
}

list >"$out/list"
workers=
mine=0
while [ "$mine" -lt "$jobs" ]; do
    work "$mine" &
    workers="$workers $!"
    mine=$((mine + 1))
done
for worker in $workers; do
    wait "$worker"
done

# --- One line per run in runs.csv: means over the rounds after the first third ---

# shellcheck disable=SC2016
figures='
FNR == NR { rounds = FNR - 1; next }
FNR == 1 { n = split($0, head, ","); for (i = 1; i <= n; i++) column[head[i]] = i; next }
FNR - 1 > rounds / 3 {
    split($0, c, ",")
    k++; clients += c[column["selected"]]
    duration += c[column["duration_s"]]; longest = c[column["duration_s"]] > longest ? c[column["duration_s"]] : longest
    down += c[column["path_down_s"]]; up += c[column["path_up_s"]]; latency += c[column["path_latency_s"]]
    down_bytes += c[column["down_bytes"]]; up_bytes += c[column["up_bytes"]]
}
END {
    printf "%s,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.1f,%.1f\n", name, k, duration / k, longest, down / k, up / k, latency / k,
        down_bytes / clients, up_bytes / clients
}'

{
    echo "method,network,cohort,server,seed,rounds,round_s,longest_s,down_s,up_s,latency_s,down_bytes,up_bytes"
    while read -r name settings; do
        awk -v name="$(echo "$name" | tr _ ,)" "$figures" "$out/$name/rounds.csv" "$out/$name/rounds.csv"
    done <"$out/list"
} >"$out/runs.csv"

# --- Tables: means over the seeds ---

# shellcheck disable=SC2016
tables='
function short(x) { # three digits
    if (x < 1e-5) return sprintf("%.2f µs", x * 1e6)
    if (x < 0.001) return sprintf("%.3g ms", x * 1e3)
    if (x >= 100) return sprintf("%.0f", x)
    return sprintf("%.3g", x)
}
function mean(method, network, cohort, server, field,    s) {
    for (s = 1; s <= 3; s++) if (!((method, network, cohort, server, s, field) in v)) { print "missing" > "/dev/stderr"; exit 1 }
    return (v[method, network, cohort, server, 1, field] + v[method, network, cohort, server, 2, field] + v[method, network, cohort, server, 3, field]) / 3
}
function time(method, network, cohort, server) { return mean(method, network, cohort, server, "round_s") }
function added(method, network, cohort, server) { # percent of the round that the server link adds
    return 100 * (1 - time(method, network, cohort, "unlimited") / time(method, network, cohort, server))
}
function path(method, network, cohort, server,    t) {
    t = time(method, network, cohort, server)
    return sprintf("%.0f / %.0f / %.0f", 100 * mean(method, network, cohort, server, "down_s") / t,
        100 * mean(method, network, cohort, server, "up_s") / t, 100 * mean(method, network, cohort, server, "latency_s") / t)
}
function ratio(a, b) { return sprintf("%.2f", a / b) }
NR == 1 { n = split($0, head, ","); next }
{
    split($0, c, ",")
    for (i = 6; i <= n; i++) v[c[1], c[2], c[3], c[4], c[5], head[i]] = c[i]
}
END {
    N = split("ideal fieldguide fedscale flash-wifi 3g 4g 5g wifi fibre mixed-mobile", networks, " ")
    split("50 500 5000", cohorts, " "); split("unlimited 1G 100M", servers, " ")
    for (k = 1; k <= 3; k++) {
        cohort = cohorts[k]
        printf "\n**Mean round time in s, %s clients a round** (in brackets: share of it in %% that the server link adds)\n\n", cohort
        print "| network | FedMF, unlimited | 1 Gbit/s | 100 Mbit/s | CoLR, unlimited | 1 Gbit/s | 100 Mbit/s |\n|---|---|---|---|---|---|---|"
        for (i = 1; i <= N; i++) {
            w = networks[i]
            printf "| %s", w
            split("fedmf colr", methods, " ")
            for (m = 1; m <= 2; m++) for (s = 1; s <= 3; s++) {
                printf " | %s", short(time(methods[m], w, cohort, servers[s]))
                if (s > 1) printf " (%.0f)", added(methods[m], w, cohort, servers[s])
            }
            print " |"
        }
    }
    for (s = 1; s <= 3; s += 2) {
        printf "\n**Critical path: downloading / uploading / latency in %% of the round, server link %s**\n\n", servers[s]
        print "| network | FedMF, 50 | 500 | 5,000 | CoLR, 50 | 500 | 5,000 |\n|---|---|---|---|---|---|---|"
        for (i = 1; i <= N; i++) {
            printf "| %s", networks[i]
            for (m = 1; m <= 2; m++) for (k = 1; k <= 3; k++) printf " | %s", path(methods[m], networks[i], cohorts[k], servers[s])
            print " |"
        }
    }
    print "\n**CoLR beside FedMF: round time of CoLR over that of FedMF with d = 16 and with d = 64**\n"
    print "| network | server | 50: d 16 | d 64 | 500: d 16 | d 64 | 5,000: d 16 | d 64 |\n|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= N; i++) for (s = 1; s <= 3; s += 2) {
        printf "| %s | %s", networks[i], servers[s]
        for (k = 1; k <= 3; k++) {
            t = time("colr", networks[i], cohorts[k], servers[s])
            printf " | %s | %s", ratio(t, time("fedmf", networks[i], cohorts[k], servers[s])), ratio(t, time("fedmf64", networks[i], cohorts[k], servers[s]))
        }
        print " |"
    }
    print "\n**What catching up costs: round time of CoLR over that of CoLR if nobody paid for missed rounds**\n"
    print "| network | 50, unlimited | 100 Mbit/s | 500, unlimited | 100 Mbit/s | 5,000, unlimited | 100 Mbit/s |\n|---|---|---|---|---|---|---|"
    for (i = 1; i <= N; i++) {
        printf "| %s", networks[i]
        for (k = 1; k <= 3; k++) for (s = 1; s <= 3; s += 2)
            printf " | %s", ratio(time("colr", networks[i], cohorts[k], servers[s]), time("ideal", networks[i], cohorts[k], servers[s]))
        print " |"
    }
    print "\n**Bytes per participation**\n\n| | down, 50 | 500 | 5,000 | up |\n|---|---|---|---|---|"
    M = split("fedmf fedmf64 colr ideal", methods, " "); split("FedMF, d 16|FedMF, d 64|CoLR, rank 4|CoLR, rank 4, nobody pays for missed rounds", names, "|")
    for (m = 1; m <= M; m++) {
        printf "| %s", names[m]
        for (k = 1; k <= 3; k++) printf " | %.0f", mean(methods[m], "4g", cohorts[k], "unlimited", "down_bytes")
        printf " | %.0f |\n", mean(methods[m], "4g", 50, "unlimited", "up_bytes")
    }
    print "\n**Spread over the seeds: (largest − smallest) / mean of the round time in %, FedMF, unlimited server**\n"
    print "| network | 50 | 500 | 5,000 |\n|---|---|---|---|"
    for (i = 1; i <= N; i++) {
        printf "| %s", networks[i]
        for (k = 1; k <= 3; k++) {
            low = high = v["fedmf", networks[i], cohorts[k], "unlimited", 1, "round_s"]
            for (s = 2; s <= 3; s++) { x = v["fedmf", networks[i], cohorts[k], "unlimited", s, "round_s"]; if (x < low) low = x; if (x > high) high = x }
            printf " | %.0f", 100 * (high - low) / time("fedmf", networks[i], cohorts[k], "unlimited")
        }
        print " |"
    }
}'
awk "$tables" "$out/runs.csv"

#!/bin/sh
# The runs and tables of docs/what-if/dropout.md. Needs the program, sh and awk; finished runs are not repeated.
#   docs/what-if/dropout.sh [FOLDER]     default: results/what-if-dropout; the tables go to standard output
#   FEDRECSIM=PROGRAM                    default: build/fedrecsim
#   JOBS=N                               runs at a time, default 2
#   FEDRECSIM_DATA=FOLDER                with it, also the check on the real MovieLens-100K
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
scenario=$root/scenarios/what-if/dropout.cfg
out=${1:-results/what-if-dropout}
jobs=${JOBS:-2}
seeds='1 2 3 4 5'
mkdir -p "$out"

# --- The list of runs: a name (part_method_when_loss_seed) and the settings that differ from the scenario ---

setting() { # when, loss in percent
    share=$(awk "BEGIN { print $2 / 100 }")
    case $1 in
    none) ;;
    before) echo "--set availability.p=$(awk "BEGIN { print 1 - $share }")" ;;
    computing) echo "--set failures.compute=$share" ;;
    uploading) echo "--set failures.up=$share" ;;
    esac
}

add() { # part, method, when, loss, further settings
    settings="$(setting "$3" "$4") --set method.name=$2 ${5:-}"
    for seed in $seeds; do
        echo "$1_$2_$3_$4_$seed --seed $seed $settings"
    done
}

list() {
    for method in fedmf colr; do
        add main "$method" none 0
        for loss in 10 30 50 70 90; do
            for when in before computing uploading; do
                add main "$method" "$when" "$loss"
            done
        done
        # As many clients as are left of 10 % after a loss of 50, 70 and 90 %, and no loss.
        add cohort-5 "$method" none 0 '--set rounds.cohort=5%'
        add cohort-3 "$method" none 0 '--set rounds.cohort=3%'
        add cohort-1 "$method" none 0 '--set rounds.cohort=1%'
        # As many answers as without loss, from more rounds.
        add longer "$method" before 50 '--set rounds.count=400'
        add longer "$method" before 90 '--set rounds.count=2000'
        # The server needs a minute to notice.
        add minute "$method" before 30 '--set rounds.selection.contact_timeout=60s'
        add minute "$method" uploading 30 '--set failures.detect=60s'
    done
    [ -n "${FEDRECSIM_DATA:-}" ] || return 0
    # $FEDRECSIM_DATA in the path is expanded by the program.
    # shellcheck disable=SC2016
    real='--set data.format=movielens-100k --set data.path=$FEDRECSIM_DATA/ml-100k/u.data'
    for method in fedmf colr; do
        add real "$method" none 0 "$real"
        add real "$method" before 50 "$real"
        add real "$method" uploading 50 "$real"
        add real "$method" before 90 "$real"
        add real "$method" uploading 90 "$real"
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

# --- One line per run in runs.csv ---

# shellcheck disable=SC2016
figures='
function number(line) { sub(/^[^:]*: */, "", line); sub(/,$/, "", line); return line + 0 }
FILENAME ~ /summary.json$/ {
    if ($1 ~ /^"[a-z_]+":$/ && $2 == "{") section = $1
    else if ($1 ~ /^}/) section = ""
    key = section $1
    if (!(key in value)) value[key] = number($0)
    next
}
FNR == 1 { n = split($0, head, ","); for (i = 1; i <= n; i++) column[head[i]] = i; next }
{
    split($0, cell, ",")
    if (!target && cell[column["hr@10"]] >= 0.5) { target = cell[column["round"]]; target_s = cell[column["end_s"]] }
}
END {
    printf "%s,%.6f,%.6f,%.6f,%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%d,%.3f,%.6f,%d,%d\n", name,
        value["\"metrics\":\"hr@10\":"], value["\"metrics\":\"ndcg@10\":"], value["\"simulated_s\":"], value["\"rounds\":"],
        value["\"bytes\":\"down\":"], value["\"bytes\":\"up\":"], value["\"bytes\":\"wasted\":"],
        value["\"device\":\"down_bytes\":"], value["\"device\":\"up_bytes\":"], value["\"flop\":"], value["\"wasted_flop\":"], target, target_s,
        value["\"popularity\":\"hr@10\":"], value["\"participations\":"], value["\"outcomes\":\"delivered\":"]
}'

{
    echo "part,method,when,loss,seed,hr,ndcg,simulated_s,rounds,down,up,wasted,wasted_down,wasted_up,flop,wasted_flop,target_round,target_s,popularity,participations,delivered"
    while read -r name settings; do
        awk -v name="$(echo "$name" | tr _ ,)" "$figures" "$out/$name/summary.json" "$out/$name/rounds.csv"
    done <"$out/list"
} >"$out/runs.csv"

# --- Tables: mean and half the width of the 95 % interval (t distribution over the seeds) ---

# shellcheck disable=SC2016
tables='
function interval(a, n,    i, mean, sum) { # mean and half width over a[1..n]; 2.776: t for 4 degrees of freedom
    mean = 0; for (i = 1; i <= n; i++) mean += a[i]; mean /= n
    sum = 0; for (i = 1; i <= n; i++) sum += (a[i] - mean) ^ 2
    half = 2.776 * sqrt(sum / (n - 1) / n)
    return mean
}
function stat(cell, field, digits, scale,    i, a, mean) {
    for (i = 1; i <= 5; i++) a[i] = v[cell, i, field] * scale
    mean = interval(a, 5)
    return sprintf("%.*f ± %.*f", digits, mean, digits, half)
}
function diff(cell, base, field, digits, scale,    i, a, mean) {
    for (i = 1; i <= 5; i++) a[i] = (v[cell, i, field] - v[base, i, field]) * scale
    mean = interval(a, 5)
    return sprintf("%+.*f ± %.*f", digits, mean, digits, half)
}
function mean(cell, field, digits, scale,    i, s) {
    for (i = 1; i <= 5; i++) s += v[cell, i, field] * scale / 5
    return sprintf("%.*f", digits, s)
}
function share(cell, part, whole,    i, s) { # percent
    for (i = 1; i <= 5; i++) s += 100 * v[cell, i, part] / v[cell, i, whole] / 5
    return sprintf("%.1f", s)
}
function target(cell,    i, n, r, t) {
    for (i = 1; i <= 5; i++) if (v[cell, i, "target_round"]) { n++; r += v[cell, i, "target_round"]; t += v[cell, i, "target_s"] / 60 }
    if (n == 5) return sprintf("%.0f | %.0f", r / 5, t / 5)
    return sprintf("%d of 5 seeds | –", n)
}
function quality(label, cell, base) {
    printf "| %s | %s | %s | %s | %s |\n", label, stat(cell, "hr", 3, 1), cell == base ? "" : diff(cell, base, "hr", 3, 1),
        stat(cell, "ndcg", 3, 1), cell == base ? "" : diff(cell, base, "ndcg", 3, 1)
}
function quality_head(title) {
    printf "\n%s\n\n| loss | HR@10 | to no loss | NDCG@10 | to no loss |\n|---|---|---|---|---|\n", title
}
function time(label, cell, base) {
    printf "| %s | %s | %s | %s | %s |\n", label, stat(cell, "round_s", 2, 1),
        cell == base ? "" : diff(cell, base, "round_s", 2, 1), stat(cell, "simulated_s", 1, 1 / 60), target(cell)
}
function time_head(title) {
    printf "\n%s\n\n| loss | mean round, s | to no loss, s | simulated, min | rounds to 0.5 | minutes to 0.5 |\n|---|---|---|---|---|---|\n", title
}
function waste(label, cell) {
    printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", label, mean(cell, "total", 0, 1e-6),
        stat(cell, "wasted_down", 0, 1e-6), stat(cell, "wasted_up", 0, 1e-6), share(cell, "wasted", "total"),
        stat(cell, "wasted_flop", 2, 1e-9), share(cell, "wasted_flop", "flop"), mean(cell, "per_update", 0, 1e-3)
}
function waste_head(title) {
    printf "\n%s\n\n| loss | bytes, MB | wasted down, MB | wasted up, MB | wasted bytes, %% | wasted Gflop | wasted flop, %% | kB per delivered update |\n|---|---|---|---|---|---|---|---|\n", title
}
function row(kind, label, cell, base) {
    if (kind == "quality") quality(label, cell, base)
    if (kind == "time") time(label, cell, base)
    if (kind == "waste") waste(label, cell)
}
function heading(kind, text) {
    if (kind == "quality") quality_head("**" text ", quality**")
    if (kind == "time") time_head("**" text ", time**")
    if (kind == "waste") waste_head("**" text ", waste**")
}
function key(part, method, when, loss) { return part SUBSEP method SUBSEP when SUBSEP loss }
function grid(part, text, step, from, n_kinds,    k, m, l, t, base) { # every step-th loss from the given one on; every time, or the outer two
    for (k = 1; k <= n_kinds; k++) for (m = 1; m <= 2; m++) {
        base = key(part, methods[m], "none", 0)
        if (!(base in known)) return
        heading(kinds[k], text title[methods[m]])
        row(kinds[k], "none", base, base)
        for (l = from; l <= 5; l += step) for (t = 1; t <= 3; t += step)
            row(kinds[k], losses[l] " % " times[t], key(part, methods[m], times[t], losses[l]), base)
    }
}
NR == 1 { n = split($0, head, ","); next }
{
    split($0, c, ",")
    cell = key(c[1], c[2], c[3], c[4])
    for (i = 6; i <= n; i++) v[cell, c[5], head[i]] = c[i]
    v[cell, c[5], "round_s"] = v[cell, c[5], "simulated_s"] / v[cell, c[5], "rounds"]
    v[cell, c[5], "total"] = v[cell, c[5], "down"] + v[cell, c[5], "up"]
    v[cell, c[5], "per_update"] = v[cell, c[5], "total"] / v[cell, c[5], "delivered"]
    known[cell] = 1
}
END {
    split("fedmf colr", methods, " "); title["fedmf"] = "FedMF"; title["colr"] = "CoLR"
    split("10 30 50 70 90", losses, " "); split("before computing uploading", times, " ")
    split("quality time waste", kinds, " ")

    print "# Built-in data"
    print "\npopularity: HR@10 " stat(key("main", "fedmf", "none", 0), "popularity", 3, 1)
    grid("main", "", 1, 1, 3)

    print "\n# Built-in data: what is behind it"
    print "\n**Differences in HR@10 between two times of loss, and to a smaller cohort without loss**\n"
    print "| method | loss | computing − before | uploading − before | uploading − computing | before − smaller cohort | uploading − smaller cohort |\n|---|---|---|---|---|---|---|"
    for (m = 1; m <= 2; m++) for (l = 1; l <= 5; l++) {
        before = key("main", methods[m], "before", losses[l])
        computing = key("main", methods[m], "computing", losses[l])
        uploading = key("main", methods[m], "uploading", losses[l])
        smaller = key("cohort-" (10 - losses[l] / 10), methods[m], "none", 0)
        printf "| %s | %s %% | %s | %s | %s | %s | %s |\n", title[methods[m]], losses[l], diff(computing, before, "hr", 3, 1),
            diff(uploading, before, "hr", 3, 1), diff(uploading, computing, "hr", 3, 1),
            (smaller in known) ? diff(before, smaller, "hr", 3, 1) : "–", (smaller in known) ? diff(uploading, smaller, "hr", 3, 1) : "–"
    }
    for (k = 1; k <= 2; k++) for (m = 1; m <= 2; m++) {
        base = key("main", methods[m], "none", 0)
        heading(kinds[k], title[methods[m]] ", smaller cohorts and more rounds")
        row(kinds[k], "none, 10 % of the clients, 200 rounds", base, base)
        for (size = 5; size >= 1; size -= 2)
            row(kinds[k], "none, " size " % of the clients, 200 rounds", key("cohort-" size, methods[m], "none", 0), base)
        for (l = 3; l <= 5; l += 2)
            row(kinds[k], losses[l] " % before, 10 % of the clients, " (l == 3 ? 400 : 2000) " rounds", key("longer", methods[m], "before", losses[l]), base)
    }
    print "\n**30 % loss, noticed after 60 s: mean round in s**\n"
    print "| method | when | no loss | loss as above | loss noticed after 60 s |\n|---|---|---|---|---|"
    for (m = 1; m <= 2; m++) for (t = 1; t <= 3; t += 2)
        printf "| %s | %s | %s | %s | %s |\n", title[methods[m]], times[t], stat(key("main", methods[m], "none", 0), "round_s", 2, 1),
            stat(key("main", methods[m], times[t], 30), "round_s", 2, 1), stat(key("minute", methods[m], times[t], 30), "round_s", 2, 1)

    if (!(key("real", "fedmf", "none", 0) in known)) exit
    print "\n# MovieLens-100K"
    print "\npopularity: HR@10 " stat(key("real", "fedmf", "none", 0), "popularity", 3, 1)
    grid("real", "MovieLens-100K, ", 2, 3, 2)
}'
awk "$tables" "$out/runs.csv"

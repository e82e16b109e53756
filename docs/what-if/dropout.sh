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

figures='
function number(line) { sub(/^[^:]*: */, "", line); sub(/,$/, "", line); return line + 0 }
FILENAME ~ /summary.json$/ {
    if ($1 ~ /^"[a-z_]+":$/ && $2 == "{") section = $1
    else if ($1 ~ /^}/) section = ""
    key = section $1
    if (!(key in value)) value[key] = number($0)
    if (section == "\"device\":") { cause["down"] = value["\"device\":\"down_bytes\":"]; cause["up"] = value["\"device\":\"up_bytes\":"] }
    next
}
FNR == 1 { n = split($0, head, ","); for (i = 1; i <= n; i++) column[head[i]] = i; next }
{
    split($0, cell, ",")
    if (!target && cell[column["hr@10"]] >= 0.5) { target = cell[column["round"]]; target_s = cell[column["end_s"]] }
}
END {
    printf "%s,%.6f,%.6f,%.6f,%d,%d,%d,%d,%d,%d,%.0f,%.0f,%d,%.3f,%.6f,%d,%d\n", name,
        value["\"metrics\":\"hr@10\":"], value["\"metrics\":\"ndcg@10\":"], value["\"simulated_s\":"], value["\"rounds\":"],
        value["\"bytes\":\"down\":"], value["\"bytes\":\"up\":"], value["\"bytes\":\"wasted\":"],
        cause["down"], cause["up"], value["\"flop\":"], value["\"wasted_flop\":"], target, target_s,
        value["\"popularity\":\"hr@10\":"], value["\"participations\":"], value["\"outcomes\":\"delivered\":"]
}'

{
    echo "part,method,when,loss,seed,hr,ndcg,simulated_s,rounds,down,up,wasted,wasted_down,wasted_up,flop,wasted_flop,target_round,target_s,popularity,participations,delivered"
    while read -r name settings; do
        awk -v name="$(echo "$name" | tr _ ,)" "$figures" "$out/$name/summary.json" "$out/$name/rounds.csv"
    done <"$out/list"
} >"$out/runs.csv"

# --- Tables: mean and half the width of the 95 % interval (t distribution over the seeds) ---

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
function cost(label, cell, base) {
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", label, stat(cell, "round_s", 2, 1),
        cell == base ? "" : diff(cell, base, "round_s", 2, 1), mean(cell, "simulated_s", 1, 1 / 60), mean(cell, "total", 0, 1e-6),
        mean(cell, "wasted_down", 0, 1e-6), mean(cell, "wasted_up", 0, 1e-6), share(cell, "wasted", "total"),
        share(cell, "wasted_flop", "flop"), target(cell)
}
function cost_head(title) {
    printf "\n%s\n\n| loss | mean round, s | to no loss, s | simulated, min | bytes, MB | wasted down, MB | wasted up, MB | wasted bytes, %% | wasted flop, %% | rounds to 0.5 | minutes to 0.5 |\n|---|---|---|---|---|---|---|---|---|---|---|\n", title
}
NR == 1 { n = split($0, head, ","); next }
{
    split($0, c, ",")
    cell = c[1] SUBSEP c[2] SUBSEP c[3] SUBSEP c[4]
    for (i = 6; i <= n; i++) v[cell, c[5], head[i]] = c[i]
    v[cell, c[5], "round_s"] = v[cell, c[5], "simulated_s"] / v[cell, c[5], "rounds"]
    v[cell, c[5], "total"] = v[cell, c[5], "down"] + v[cell, c[5], "up"]
    known[cell] = 1
}
END {
    split("fedmf colr", methods, " "); title["fedmf"] = "FedMF"; title["colr"] = "CoLR"
    split("10 30 50 70 90", losses, " "); split("before computing uploading", times, " ")
    for (m = 1; m <= 2; m++) {
        method = methods[m]
        base = "main" SUBSEP method SUBSEP "none" SUBSEP 0
        quality_head("**" title[method] ", quality** (popularity: HR@10 " mean(base, "popularity", 3, 1) ")")
        quality("none", base, base)
        for (l = 1; l <= 5; l++) for (t = 1; t <= 3; t++)
            quality(losses[l] " % " times[t], "main" SUBSEP method SUBSEP times[t] SUBSEP losses[l], base)
    }
    for (m = 1; m <= 2; m++) {
        method = methods[m]
        base = "main" SUBSEP method SUBSEP "none" SUBSEP 0
        cost_head("**" title[method] ", time and waste**")
        cost("none", base, base)
        for (l = 1; l <= 5; l++) for (t = 1; t <= 3; t++)
            cost(losses[l] " % " times[t], "main" SUBSEP method SUBSEP times[t] SUBSEP losses[l], base)
    }
    print "\n**When the loss happens** (difference in HR@10 between two times of loss, and to a smaller cohort without loss)\n"
    print "| method | loss | computing − before | uploading − before | uploading − computing | before − smaller cohort | uploading − smaller cohort |\n|---|---|---|---|---|---|---|"
    for (m = 1; m <= 2; m++) for (l = 1; l <= 5; l++) {
        method = methods[m]; loss = losses[l]
        b = "main" SUBSEP method SUBSEP "before" SUBSEP loss
        c1 = "main" SUBSEP method SUBSEP "computing" SUBSEP loss
        u = "main" SUBSEP method SUBSEP "uploading" SUBSEP loss
        s = "cohort-" (10 - loss / 10) SUBSEP method SUBSEP "none" SUBSEP 0
        printf "| %s | %s %% | %s | %s | %s | %s | %s |\n", title[method], loss, diff(c1, b, "hr", 3, 1), diff(u, b, "hr", 3, 1),
            diff(u, c1, "hr", 3, 1), (s in known) ? diff(b, s, "hr", 3, 1) : "", (s in known) ? diff(u, s, "hr", 3, 1) : ""
    }
    for (m = 1; m <= 2; m++) {
        method = methods[m]
        base = "main" SUBSEP method SUBSEP "none" SUBSEP 0
        cost_head("**" title[method] ", smaller cohorts without loss**")
        cost("10 % of the clients", base, base)
        for (size = 5; size >= 1; size -= 2) cost(size " % of the clients", "cohort-" size SUBSEP method SUBSEP "none" SUBSEP 0, base)
    }
    print "\n**A minute until the server notices** (30 % loss, mean round in s)\n"
    print "| method | when | as above | noticed after 60 s |\n|---|---|---|---|"
    for (m = 1; m <= 2; m++) for (t = 1; t <= 3; t += 2)
        printf "| %s | %s | %s | %s |\n", title[methods[m]], times[t],
            stat("main" SUBSEP methods[m] SUBSEP times[t] SUBSEP 30, "round_s", 2, 1),
            stat("minute" SUBSEP methods[m] SUBSEP times[t] SUBSEP 30, "round_s", 2, 1)
    for (m = 1; m <= 2; m++) {
        method = methods[m]
        base = "real" SUBSEP method SUBSEP "none" SUBSEP 0
        if (!(base in known)) continue
        quality_head("**MovieLens-100K, " title[method] "** (popularity: HR@10 " mean(base, "popularity", 3, 1) ")")
        quality("none", base, base)
        for (l = 3; l <= 5; l += 2) for (t = 1; t <= 3; t += 2)
            quality(losses[l] " % " times[t], "real" SUBSEP method SUBSEP times[t] SUBSEP losses[l], base)
        cost_head("**MovieLens-100K, " title[method] ", time and waste**")
        cost("none", base, base)
        for (l = 3; l <= 5; l += 2) for (t = 1; t <= 3; t += 2)
            cost(losses[l] " % " times[t], "real" SUBSEP method SUBSEP times[t] SUBSEP losses[l], base)
    }
}'
awk "$tables" "$out/runs.csv"

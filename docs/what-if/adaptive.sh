#!/bin/sh
# The study of docs/what-if/adaptive.md: four methods whose uploads can be smaller, with one size for all and with the sizes that
# adaptations grant, in the cases of scenarios/what-if/adaptive.cfg; then the tables of the page. Needs the program, sh and awk.
# Finished sweeps are not repeated, so that the same command goes on after an interruption.
#   docs/what-if/adaptive.sh [FOLDER [OPTION...]]   default: results/adaptive; options of `fedrecsim sweep` for all sweeps
#   FEDRECSIM=PROGRAM      default: build/fedrecsim
#   SEEDS=N                default: 5; one after the other, so that the page can be made of the first ones
#   METHODS='scolr ...'    default: all four
#   RUN=no                 nothing is run; the page is made of the seeds that are finished
#   PAGE=FILE              where sentences and tables go; default: docs/what-if/adaptive.md; -: standard output
# The real data: docs/what-if/adaptive.sh results/adaptive-100k --set data.path="$FEDRECSIM_DATA/ml-100k/u.data" --set data.format=movielens-100k
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
out=${1:-results/adaptive}
[ $# -eq 0 ] || shift
seeds=${SEEDS:-5}
methods=${METHODS:-scolr groups topk rvq}
page=${PAGE:-$root/docs/what-if/adaptive.md}

# What chooses a method, its largest budget, and a quarter of it.
level_of() {
    case $1 in
    scolr) echo "scolr: method.name=scolr" ;;
    groups) echo "groups: codec.uplink=groups & codec.uplink.compression_rate=0.1" ;;
    topk) echo "topk: codec.uplink=topk & codec.uplink.k=16" ;;
    rvq) echo "rvq: codec.uplink=rvq" ;;
    esac
}
quarter_of() {
    case $1 in
    scolr) echo 8 ;;
    groups) echo 378 ;;
    topk) echo 4 ;;
    rvq) echo 1 ;;
    esac
}

# As in the scenario.
case_of() {
    sed -n "s/^ *\"\( | $1\(: .*\)*\)\",*$/\1/p" "$root/scenarios/what-if/adaptive.cfg"
}

# --- Runs --------------------------------------------------------------------------------------------------------------------

sweep() { # SEED METHOD PART AXES-AND-OPTIONS...
    folder=$out/seed$1/$2-$3
    [ ! -e "$folder.finished" ] || return 0
    seed=$1 method=$2
    shift 3
    [ ! -e "$folder/plan.json" ] || set -- "$@" --resume
    mkdir -p "$out/seed$seed"
    "$program" sweep "$root/scenarios/what-if/adaptive.cfg" --vary "design: method | $(level_of "$method")" "$@" --set "seed=$seed" \
        --threads 1 --out "$folder" >"$folder.log" 2>&1 || { echo "$folder: $(tail -n 1 "$folder.log")" >&2 && return 1; }
    : >"$folder.finished"
}

finished() { # SEED
    for method in $methods; do
        [ -e "$out/seed$1/$method-open.finished" ] && [ -e "$out/seed$1/$method-capped.finished" ] || return 1
    done
}

seed=1
while [ "$seed" -le "$seeds" ] && [ "${RUN:-yes}" = yes ]; do
    for method in $methods; do
        sizes="largest | quarter: adaptation.budget=$(quarter_of "$method") | proportional: adaptation=proportional | deadline: adaptation=deadline"
        # The adaptation `cap` is refused where there is no cap.
        sweep "$seed" "$method" open --vary "design: size | $sizes" --vary "environment: case$(case_of wait_all)$(case_of over_select)" "$@"
        sweep "$seed" "$method" capped --vary "design: size | $sizes | cap: adaptation=cap" --vary "environment: case$(case_of capped)" "$@"
    done
    seed=$((seed + 1))
done

# --- Page --------------------------------------------------------------------------------------------------------------------

tables() {
    seed=1
    set --
    while [ "$seed" -le "$seeds" ]; do
        for method in $(finished "$seed" && echo "$methods"); do
            set -- "$@" "seed=$seed" "method=$method" "$out/seed$seed/$method-open/points.csv" "$out/seed$seed/$method-capped/points.csv"
        done
        seed=$((seed + 1))
    done
    [ $# -gt 0 ] || { echo "$out: no seed is finished yet" >&2 && return 1; }
    awk -v planned="$seeds" -f "$root/docs/what-if/statistics.awk" -f "$root/docs/what-if/adaptive.awk" "$@"
}

tables >"$out/tables.md"
if [ "$page" = - ]; then
    cat "$out/tables.md"
else
    awk -v name=adaptive -v tables="$out/tables.md" -f "$root/docs/what-if/insert.awk" "$page" >"$out/page.md"
    cat "$out/page.md" >"$page"
fi

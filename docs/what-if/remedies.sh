#!/bin/sh
# The study of docs/what-if/remedies.md: every method with every correction of the aggregate that is defined for it, in the environments
# of scenarios/what-if/remedies.cfg, and RFRec; then the tables of the page. Needs the program, sh and awk. Finished runs are not
# repeated, so that the same command goes on after an interruption. It takes some 2.2 CPU-hours, on one core or on several.
#   docs/what-if/remedies.sh [FOLDER [OPTION...]]   default: results/remedies; options of `fedrecsim sweep` for all sweeps
#   FEDRECSIM=PROGRAM      default: build/fedrecsim
#   SEEDS=N                default: 5; one after the other, so that the page can be made of the first ones
#   METHODS='fedmf ...'    default: all four
#   LOSSES=PATTERN         environments whose label matches (of grep -E), default: all
#   RUN=no                 nothing is run; the page is made of the seeds that are finished
#   PAGE=FILE              where sentences and tables go; default: docs/what-if/remedies.md; -: standard output
# The real data: docs/what-if/remedies.sh results/remedies-100k --set data.path="$FEDRECSIM_DATA/ml-100k/u.data" --set data.format=movielens-100k
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
scenarios=$root/scenarios/what-if
out=${1:-results/remedies}
[ $# -eq 0 ] || shift
seeds=${SEEDS:-5}
methods=${METHODS:-fedmf colr pfedclr rfrec}
page=${PAGE:-$root/docs/what-if/remedies.md}

# One line for a method; a correction that is added is run beside what is there.
corrections_of() {
    case $1 in
    fedmf | pfedclr) echo none inverse_probability fedau mifa fedvarp fedawe ;;
    colr) echo none inverse_probability fedau ;; # draws its projection anew in each round: no update can be remembered
    rfrec) echo none ;;                          # its server makes a step of its own
    esac
}

# Under interleaved dynamics some clients never come where clients differ, and the inverse of their probability is not defined.
# PFedCLR has 30 and 90 % alone, because a run of it takes four times as long.
environments() { # METHOD CORRECTION
    sed -n 's/^ *"environment: loss\( | .*\)"$/\1/p; s/^ *"\( | [369]0 % .*\)",*$/\1/p' "$scenarios/remedies.cfg" |
        case $1,$2 in
        pfedclr,inverse_probability) sed -e '/^ | 60 %/d' -e '/interleaved taste/d' -e '/interleaved uplink/d' ;;
        pfedclr,*) sed '/^ | 60 %/d' ;;
        *,inverse_probability) sed -e '/interleaved taste/d' -e '/interleaved uplink/d' ;;
        *) cat ;;
        esac | grep -E "^ \| (none|${LOSSES:-.*}):" | tr -d '\n'
}

# --- Runs --------------------------------------------------------------------------------------------------------------------

sweep() { # SEED METHOD CORRECTION OPTION...
    folder=$out/seed$1/$2-$3
    axis="environment: loss$(environments "$2" "$3")"
    seed=$1 method=$2 correction=$3
    shift 3
    case $method in
    rfrec) set -- "$scenarios/remedies-rfrec.cfg" "$@" ;;
    pfedclr) set -- "$scenarios/remedies.cfg" --set rounds.count=100 "$@" ;;
    *) set -- "$scenarios/remedies.cfg" "$@" ;;
    esac
    [ "$method" = rfrec ] ||
        set -- "$@" --set "method.name=$method" --vary "design: correction | $correction: method.server.correction=$correction"
    [ ! -e "$folder/plan.json" ] || set -- "$@" --resume
    mkdir -p "$out/seed$seed"
    "$program" sweep "$@" --vary "$axis" --set "seed=$seed" --threads 1 --out "$folder" >"$folder.log" 2>&1 ||
        { echo "$folder: $(tail -n 1 "$folder.log")" >&2 && return 1; }
    : >"$folder.finished"
}

finished() { # SEED
    for method in $methods; do
        for correction in $(corrections_of "$method"); do
            [ -e "$out/seed$1/$method-$correction.finished" ] || return 1
        done
    done
}

seed=1
while [ "$seed" -le "$seeds" ] && [ "${RUN:-yes}" = yes ]; do
    for method in $methods; do
        for correction in $(corrections_of "$method"); do
            [ -e "$out/seed$seed/$method-$correction.finished" ] || sweep "$seed" "$method" "$correction" "$@"
        done
    done
    seed=$((seed + 1))
done

# --- Page --------------------------------------------------------------------------------------------------------------------

tables() {
    seed=1
    set --
    while [ "$seed" -le "$seeds" ]; do
        for method in $(finished "$seed" && echo "$methods"); do
            for correction in $(corrections_of "$method"); do
                set -- "$@" "seed=$seed" "method=$method" "correction=$correction" "$out/seed$seed/$method-$correction/points.csv"
            done
        done
        seed=$((seed + 1))
    done
    [ $# -gt 0 ] || { echo "$out: no seed is finished yet" >&2 && return 1; }
    awk -v planned="$seeds" -f "$root/docs/what-if/statistics.awk" -f "$root/docs/what-if/remedies.awk" "$@"
}

tables >"$out/tables.md"
if [ "$page" = - ]; then
    cat "$out/tables.md"
else
    awk -v name=remedies -v tables="$out/tables.md" -f "$root/docs/what-if/insert.awk" "$page" >"$out/page.md"
    cat "$out/page.md" >"$page"
fi

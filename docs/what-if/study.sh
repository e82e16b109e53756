# shellcheck shell=sh
# What the scripts of this folder's studies have in common. One sets `study` to its name and sources this file, which takes the folder
# from the script's arguments and leaves the options of sweeps in "$@". The script then defines
#   parts                          the names of its sweeps; that of a seed is in FOLDER/seedN/NAME
#   run_part SEED PART OPTION...   calls `sweep` with what is the part's own
#   variables PART                 the assignments with which awk reads the part's points.csv
# and calls run_study "$@": every sweep once, seed by seed, then the page from the seeds that are finished. What is finished is not
# repeated, so that the same command goes on after an interruption.
#   SCRIPT [FOLDER [OPTION...]]    default: results/NAME; options of `fedrecsim sweep` for all sweeps
#   FEDRECSIM=PROGRAM              default: build/fedrecsim
#   SEEDS=N                        default: 5; one after the other, so that the page can be made of the first ones
#   RUN=no                         nothing is run; the page is made of the seeds that are finished
#   PAGE=FILE                      where sentences and tables go; default: the page of that name beside it, and the one of its
#                                  tables (that name with "-tables") if there is one; -: standard output
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
out=${1:-results/${study:?}}
[ $# -eq 0 ] || shift
seeds=${SEEDS:-5}
page=${PAGE:-$root/docs/what-if/$study.md}
tables_page=${page%.md}-tables.md

is_finished() { # SEED PART
    [ -e "$out/seed$1/$2.finished" ]
}

sweep() { # SEED PART SCENARIO OPTION...
    folder=$out/seed$1/$2
    set -- "$@" --set "seed=$1" --threads 1 --out "$folder"
    [ ! -e "$folder/plan.json" ] || set -- "$@" --resume
    mkdir -p "${folder%/*}"
    shift 2
    "$program" sweep "$@" >"$folder.log" 2>&1 || { echo "$folder: $(tail -n 1 "$folder.log")" >&2 && return 1; }
    : >"$folder.finished"
}

run_seeds() {
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        for part in $(parts); do
            is_finished "$seed" "$part" || run_part "$seed" "$part" "$@"
        done
        seed=$((seed + 1))
    done
}

seed_is_finished() { # SEED
    for part in $(parts); do
        is_finished "$1" "$part" || return 1
    done
}

# Sentences and tables of the seeds that are finished.
tables() {
    seed=1
    set --
    while [ "$seed" -le "$seeds" ]; do
        for part in $(seed_is_finished "$seed" && parts); do
            # shellcheck disable=SC2046 # each assignment is a word
            set -- "$@" "seed=$seed" $(variables "$part") "$out/seed$seed/$part/points.csv"
        done
        seed=$((seed + 1))
    done
    [ $# -gt 0 ] || { echo "$out: no seed is finished yet" >&2 && return 1; }
    awk -v planned="$seeds" -f "$root/docs/what-if/statistics.awk" -f "$root/docs/what-if/$study.awk" "$@"
}

run_study() {
    [ "${RUN:-yes}" != yes ] || run_seeds "$@"
    tables >"$out/tables.md"
    if [ "$page" = - ]; then
        cat "$out/tables.md"
    else
        for page in "$page" "$tables_page"; do
            [ -e "$page" ] || continue
            awk -v name="$study" -v tables="$out/tables.md" -f "$root/docs/what-if/insert.awk" "$page" >"$out/page.md"
            cat "$out/page.md" >"$page"
        done
    fi
}

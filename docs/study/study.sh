#!/bin/sh
# The study of five papers (docs/study/README.md): runs the parts of parts.tsv, keeps of them what cells.tsv reads in results.tsv, and writes
# the pages. Needs the program, sh and awk. Finished parts and points are not repeated, so that the same command goes on after an interruption.
#   docs/study/study.sh [OPTION...] [PART...]   default: all parts that need no MovieLens-1M
#     --ml1m            those on MovieLens-1M, too
#     --minutes N       no part begins after N minutes; what is left is named
#     --out FOLDER      of the runs; default: results/study
#     --jobs N          points at a time (of fedrecsim sweep)
#     --list            names the parts and what they take, and runs nothing
#     --pages           writes the pages from results.tsv, and runs nothing
#   FEDRECSIM=PROGRAM   default: build/fedrecsim
#   FEDRECSIM_DATA      the folder of the data sets; parts whose data are missing are left out and named
#   STUDY=FOLDER        where parts.tsv, cells.tsv, results.tsv and the pages are; default: this folder
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
here=$root/docs/study
study=${STUDY:-$here}
out=results/study
limit=0
jobs=
groups=default
task=run
wanted=

while [ $# -gt 0 ]; do
    case $1 in
    --ml1m) groups='default ml1m' ;;
    --minutes) limit=${2:?--minutes needs a number} && shift ;;
    --out) out=${2:?--out needs a folder} && shift ;;
    --jobs) jobs=${2:?--jobs needs a number} && shift ;;
    --list) task=list ;;
    --pages) task=pages ;;
    -*) sed -n '2,/^set -eu/s/^# *//p' "$0" >&2 && exit 2 ;;
    *)
        cut -f1 "$study/parts.tsv" | grep -qx -e "$1" || { echo "$1: no part; --list names them" >&2 && exit 2; }
        wanted="$wanted $1"
        ;;
    esac
    shift
done

tab=$(printf '\t')

# Names what a part lacks.
missing() { # DATA
    [ "$1" = - ] || for name in $1; do [ -d "${FEDRECSIM_DATA:-/nowhere}/$name" ] || echo "$name"; done
}

is_wanted() { # PART GROUP
    case " $wanted " in
    "  ") case " $groups " in *" $2 "*) return 0 ;; *) return 1 ;; esac ;;
    *" $1 "*) return 0 ;;
    *) return 1 ;;
    esac
}

pages() { awk -v folder="$study" -f "$here/pages.awk" "$study/parts.tsv" "$study/results.tsv" "$study/cells.tsv"; }

# The part's lines of results.tsv, in the place of those that are there; parts stay in the order of parts.tsv.
keep() { # PART
    awk -v part="$1" -f "$here/results.awk" "$study/cells.tsv" "$out/$1/cells.csv" >"$out/$1.results"
    cut -f1 "$study/parts.tsv" | while read -r part; do
        if [ "$part" = "$1" ]; then cat "$out/$1.results"; else grep "^$part$tab" "$study/results.tsv" || true; fi
    done >"$out/results.tsv"
    cat "$out/results.tsv" >"$study/results.tsv"
}

run() { # PART SCENARIO SEEDS OPTIONS
    part=$1 scenario=$root/scenarios/papers/$2.cfg seeds=$3
    if [ "$4" = - ]; then set --; else eval "set -- $4"; fi
    [ -z "$jobs" ] || set -- "$@" --jobs "$jobs"
    [ ! -e "$out/$part/plan.json" ] || set -- "$@" --resume
    "$program" sweep "$scenario" --replicates "$seeds" --out "$out/$part" --quiet "$@" >"$out/$part.log" 2>&1 </dev/null || {
        code=$?
        if [ "$code" -ne 1 ] || [ ! -e "$out/$part/cells.csv" ]; then
            echo "$part: $(tail -n 1 "$out/$part.log")" >&2
            return "$code"
        fi
        echo "$part: not all points have finished ($out/$part.log)" >&2
    }
    keep "$part"
    : >"$out/$part.finished"
}

[ -e "$study/results.tsv" ] || : >"$study/results.tsv"
[ "$task" != run ] || mkdir -p "$out"
began=$(date +%s)
left=
parts=$(mktemp)
trap 'rm -f "$parts"' EXIT
sed 1d "$study/parts.tsv" >"$parts"
while IFS=$tab read -r part scenario seeds minutes data group options; do
    is_wanted "$part" "$group" || continue
    lacks=$(missing "$data" | tr '\n' ' ')
    case $task in
    list) echo "$part: $scenario.cfg, seeds: $seeds, about $minutes min on one processor${lacks:+; needs ${lacks% } in FEDRECSIM_DATA}" ;;
    run)
        if [ -e "$out/$part.finished" ]; then
            continue
        elif [ -n "$lacks" ]; then
            echo "$part: left out, ${lacks% } is not in FEDRECSIM_DATA" >&2
        elif [ "$limit" -gt 0 ] && [ $((($(date +%s) - began) / 60)) -ge "$limit" ]; then
            left="$left $part"
        else
            run "$part" "$scenario" "$seeds" "$options"
            pages
            echo "$part: finished after $((($(date +%s) - began) / 60)) min"
        fi
        ;;
    esac
done <"$parts"
[ -z "$left" ] || echo "not begun:$left"
[ "$task" = list ] || pages

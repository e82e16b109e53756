#!/bin/sh
# The plane of docs/plane.md: every method of methods.tsv, at the settings that a search on other seeds prefers, on five networks with and
# without losses (scenarios/what-if/plane.cfg). Writes search.tsv and results.tsv, and from these the page and its picture. Needs the
# program, sh and awk. What the tables have is not run again, so that the same command goes on after an interruption.
#   docs/plane/plane.sh [OPTION...] [METHOD...]    default: all methods, seed by seed
#     --search            the search in place of the runs: what each method has tried, on the seeds from 101 on
#     --seeds N           default: 3; of the search 1
#     --minutes N         no part begins after N minutes; what is left is named
#     --out FOLDER        of the runs; default: results/plane
#     --list              what a run would do, and runs nothing
#     --pages             writes the page from the tables, and runs nothing
#   FEDRECSIM=PROGRAM     default: build/fedrecsim
#   PLANE=FOLDER          where methods.tsv, search.tsv, results.tsv and plane.svg are; default: this folder
#   PAGE=FILE             default: docs/plane.md
#   DATA='KEY=VALUE ...'  default: MovieLens-100K in $FEDRECSIM_DATA
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/docs/plane
program=${FEDRECSIM:-$root/build/fedrecsim}
plane=${PLANE:-$here}
page=${PAGE:-$root/docs/plane.md}
data=${DATA:-data.format=movielens-100k data.path=${FEDRECSIM_DATA:-}/ml-100k/u.data}
out=results/plane
task=run
seeds=
limit=0

while [ $# -gt 0 ]; do
    case $1 in
    --search) task=search ;;
    --seeds) seeds=${2:?--seeds needs a number} && shift ;;
    --minutes) limit=${2:?--minutes needs a number} && shift ;;
    --out) out=${2:?--out needs a folder} && shift ;;
    --list) task=list ;;
    --pages) task=pages ;;
    -*) sed -n '2,/^set -eu/s/^# *//p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
for method; do
    cut -f1 "$plane/methods.tsv" | grep -qxF -e "$method" || { echo "$method: no method of methods.tsv" >&2 && exit 2; }
done
[ -e "$plane/search.tsv" ] || printf 'method\tsettings\tseed\tvalidation_hr\n' >"$plane/search.tsv"
[ -e "$plane/results.tsv" ] || awk -f "$here/results.awk" >"$plane/results.tsv" </dev/null

names() {
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; else sed 1d "$plane/methods.tsv" | cut -f1; fi
}
field() { # METHOD NUMBER
    awk -F'\t' -v method="$1" -v number="$2" '$1 == method { print $number }' "$plane/methods.tsv"
}
# The settings that the search prefers, and what chooses them.
chosen() { # METHOD FIELD
    awk -v list=1 -f "$here/chosen.awk" "$plane/methods.tsv" "$plane/search.tsv" | awk -F'\t' -v method="$1" -v field="$2" '$1 == method { print $field }'
}
has() { # TABLE METHOD SEED SETTINGS
    awk -F'\t' -v method="$2" -v seed="$3" -v settings="$4" '
        $1 == method && $(FILENAME ~ /search/ ? 3 : 2) == seed && (settings == "" || $(FILENAME ~ /search/ ? 2 : 3) == settings) { found = 1 }
        END { exit !found }' "$plane/$1.tsv"
}

# One sweep, whose points.csv is then in the folder.
sweep() { # FOLDER SEED OPTION...
    folder=$1 seed=$2
    shift 2
    for setting in $data; do set -- "$@" --set "$setting"; done
    [ ! -e "$folder/plan.json" ] || set -- "$@" --resume
    mkdir -p "${folder%/*}"
    "$program" sweep "$root/scenarios/what-if/plane.cfg" "$@" --set "seed=$seed" --threads 1 --out "$folder" --quiet >"$folder.log" 2>&1 </dev/null ||
        { echo "$folder: $(tail -n 1 "$folder.log")" >&2 && return 1; }
}

# Takes the place of the lines that the table has of the method and the seed.
keep() { # TABLE METHOD SEED FILE
    awk -F'\t' -v method="$2" -v seed="$3" '!($1 == method && $(FILENAME ~ /search/ ? 3 : 2) == seed)' "$plane/$1.tsv" | cat - "$4" >"$out/$1.tsv"
    cat "$out/$1.tsv" >"$plane/$1.tsv"
}

search() { # METHOD SEED
    part=$out/search$2/$(printf %s "$1" | tr -c 'A-Za-z0-9\n' _)
    sweep "$part" "$2" --vary "design: method | $1: $(field "$1" 3)" --vary "design: settings | $(field "$1" 4)" \
        --vary 'environment: network.preset = 4g' --vary 'environment: loss | none' --set evaluation.every=1000000 || return 1
    awk -v seed="$2" -f "$here/results.awk" "$part/points.csv" >"$part.lines"
    keep search "$1" "$2" "$part.lines"
}

# The two that see all data in one place; the second target is made of them.
baselines() { # SEED
    sweep "$out/seed$1/baselines" "$1" --vary 'environment: network.preset = 4g' --vary 'environment: loss | none' --set rounds.count=1 \
        --set evaluation.non_federated=popularity,centralised_mf || return 1
    awk -v seed="$1" -f "$here/results.awk" "$out/seed$1/baselines/points.csv" >"$out/seed$1/baselines.lines"
    keep results baselines "$1" "$out/seed$1/baselines.lines"
}

run() { # METHOD SEED
    part=$out/seed$2/$(printf %s "$1" | tr -c 'A-Za-z0-9\n' _)
    sweep "$part" "$2" --vary "design: method | $1: $(field "$1" 3)" --vary "design: settings | $(chosen "$1" 3)" || return 1
    bar=$(awk -F'\t' -v seed="$2" '$1 == "baselines" && $2 == seed && $3 == "centralised MF" { printf "%.6f", 0.95 * $8 }' "$plane/results.tsv")
    cp "$part/points.csv" "$part.first.csv"
    "$program" collect "$part" --target "hr@10 = $bar" --quiet >>"$part.log" 2>&1 || { echo "$part: $(tail -n 1 "$part.log")" >&2 && return 1; }
    awk -v seed="$2" -f "$here/results.awk" "$part.first.csv" "$part/points.csv" >"$part.lines"
    keep results "$1" "$2" "$part.lines"
}

pages() {
    set -- "$plane/methods.tsv" "$plane/search.tsv" "$plane/results.tsv"
    set -- -f "$root/docs/what-if/statistics.awk" -f "$here/chosen.awk" -f "$here/plane.awk" -f "$here/chart.awk" "$@"
    work=$(mktemp -d)
    awk -v picture="$work/plane.svg" "$@" >"$work/tables.md"
    awk -v name=plane -v tables="$work/tables.md" -f "$root/docs/what-if/insert.awk" "$page" >"$work/page.md"
    cat "$work/page.md" >"$page"
    [ ! -e "$work/plane.svg" ] || cat "$work/plane.svg" >"$plane/plane.svg"
    rm -r "$work"
}

began=$(date +%s)
left=
# Whether a part may begin; names what may not.
may_begin() { # NAME
    [ "$task" != list ] || { echo "$1" && return 1; }
    [ "$limit" -eq 0 ] || [ $((($(date +%s) - began) / 60)) -lt "$limit" ] || { left="$left, $1" && return 1; }
}

case $task in
search) first=101 last=$((100 + ${seeds:-1})) ;;
*) first=1 last=${seeds:-3} ;;
esac
[ "$task" = list ] || [ "$task" = pages ] || mkdir -p "$out"
names "$@" >"${TMPDIR:-/tmp}/plane.$$"
trap 'rm -f "${TMPDIR:-/tmp}/plane.$$"' EXIT
seed=$first
while [ "$task" != pages ] && [ "$seed" -le "$last" ]; do
    [ "$task" = search ] || has results baselines "$seed" "" || ! may_begin "baselines, seed $seed" || baselines "$seed"
    while read -r method; do
        case $task in
        search)
            case $(field "$method" 4) in *' | '*) ;; *) continue ;; esac
            has search "$method" "$seed" "" || ! may_begin "$method, seed $seed" || search "$method" "$seed" || continue
            ;;
        *) has results "$method" "$seed" "$(chosen "$method" 2)" || ! may_begin "$method, seed $seed" || run "$method" "$seed" || continue ;;
        esac
    done <"${TMPDIR:-/tmp}/plane.$$"
    seed=$((seed + 1))
done
[ -z "$left" ] || echo "not begun: ${left#, }"
[ "$task" = list ] || [ "$task" = search ] || pages

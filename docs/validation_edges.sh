#!/bin/sh
# The runs and the table of docs/validation.md on edges: every configuration of scenarios/validation/edges.txt over the kernel's TCP,
# several times, and simulated under `tcp` and, as far as the program has it for edges, `packets`. Needs the program, sh and awk, and
# the rights of root; finished runs are not repeated. On a machine that does nothing else: what did not keep time is played again.
#   docs/validation_edges.sh [FOLDER [NAME...]]   default: results/validation-edges, all configurations; the table goes to standard output
#   FEDRECSIM=PROGRAM                             default: build/fedrecsim
#   REPEATS=N                                     of each emulation, default 3
#   PAGE=docs/validation.md                       the table is put into this page as well, between its lines "<!-- tables of
#                                                 validation_edges -->" and "<!-- end of tables -->"
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
program=${FEDRECSIM:-$root/build/fedrecsim}
case $program in /*) ;; *) program=$PWD/$program ;; esac
out=${1:-results/validation-edges}
repeats=${REPEATS:-3}
[ $# -eq 0 ] || shift
wanted=" $* "
mkdir -p "$out"
out=$(cd "$out" && pwd)
page=${PAGE:-}
case $page in /* | '') ;; *) page=$PWD/$page ;; esac
cd "$root" # from which a table of edges is found
export FEDRECSIM="$program"
play=scenarios/validation/play.sh base=scenarios/validation/base.cfg

models="tcp packets"
"$program" check $base --set network.edges.count=1 --set network.model=packets >/dev/null 2>&1 || models=tcp
emulated=${models##* }

# --- Runs --------------------------------------------------------------------------------------------------------------------

: >"$out/names"
sed '/^#/d' scenarios/validation/edges.txt | while IFS='|' read -r name what settings; do
    name=$(echo "$name" | tr -d ' ')
    what=$(echo "$what" | sed 's/^ *//; s/ *$//')
    case $wanted in "  " | *" $name "*) ;; *) continue ;; esac
    case $emulated$settings in tcp*packet_loss*) continue ;; esac
    repeat=1
    while [ "$repeat" -le "$repeats" ]; do
        $play emulate $base "$out/$name.real$repeat" "network.model=$emulated;$settings" || echo "$name: left out" >&2
        repeat=$((repeat + 1))
    done
    for model in $models; do
        [ -e "$out/$name.$model/summary.json" ] || $play run $base "$out/$name.$model" "network.model=$model;$settings" \
            "$([ "$model" = packets ] || echo network.packet_loss)"
    done
    echo "$name|$what" >>"$out/names"
done

# --- Figures -----------------------------------------------------------------------------------------------------------------

# Lines "KEY SECONDS" of a run: how long each round took, and each phase of a client in which bytes are under way.
rounds_of() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["round"], $at["duration_s"] }' "$1/rounds.csv"; }
phases_of() {
    sed -n 's/.*"client":\([0-9]*\),"round":\([0-9]*\),.*"phase":"\([a-z_]*\)","t0_s":\([^,]*\),"t1_s":\([^,]*\),.*/\2:\1:\3 \4 \5/p' "$1/events.ndjson" |
        awk '$1 !~ /:(compute|encode)$/ && $3 - $2 > 0.001 { print $1, $3 - $2 }'
}

# Medians of the keys of all repeats of a configuration.
measured() { # rounds | phases, NAME
    for real in "$out/$2".real[0-9]*; do
        "$1_of" "$real"
    done | sort -k1,1 -k2,2g | awk '
        function put() { if (n) print key, (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2 }
        $1 != key { put(); key = $1; n = 0 }
        { v[++n] = $2 }
        END { put() }'
}

# Sizes of the errors in %, a line each, of the second of two files of such lines against the first.
errors() { awk 'NR == FNR { a[$1] = $2; next } $1 in a && a[$1] > 0 { e = 100 * ($2 / a[$1] - 1); print e < 0 ? -e : e }' "$1" "$2"; }

# "median / 95th percentile".
summary() {
    sort -g | awk '{ v[NR] = $1 } END { if (NR == 0) print "–"
        else printf "%.1f / %.1f\n", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[int(0.95 * NR + 0.999)] }'
}

# Of each configuration and kind: errors of models against the medians, and of the further repeats against the first.
for kind in rounds phases; do
    while IFS='|' read -r name what; do
        [ -e "$out/$name.real1/summary.json" ] || continue
        measured $kind "$name" >"$out/real"
        for model in $models; do
            "${kind}_of" "$out/$name.$model" >"$out/model"
            errors "$out/real" "$out/model" >"$out/$name.$kind.$model"
        done
        "${kind}_of" "$out/$name.real1" >"$out/real"
        : >"$out/$name.$kind.again"
        for real in "$out/$name".real[2-9]*; do
            [ ! -e "$real/summary.json" ] || { "${kind}_of" "$real" >"$out/model" && errors "$out/real" "$out/model" >>"$out/$name.$kind.again"; }
        done
    done <"$out/names"
done

line() { # WHAT, files of a configuration begin with...
    printf '| %s ' "$1"
    shift
    for kind in rounds phases; do
        for of in again $models; do
            for start in "$@"; do
                [ ! -e "$start.$kind.$of" ] || cat "$start.$kind.$of"
            done | summary | tr '\n' ' ' | sed 's/^/| /'
        done
    done
    echo "|"
}

table() {
    first=$(find "$out" -path '*.real*/manifest.json' | head -n 1)
    [ -n "$first" ] || { echo "nothing has been emulated" >&2 && exit 1; }
    echo "Linux $(sed -n 's/.*"kernel": "\(.*\)".*/\1/p' "$first"), $("$program" --version | head -n 1), $(date -u +%Y-%m-%d), $repeats repeats; size of the error in %, median / 95th percentile."
    echo
    columns=$(for of in repeats $models; do printf ' %s |' "$of"; done)
    echo "| configuration | rounds:$columns phases:$columns"
    printf '|---'
    for of in rounds phases; do for _ in again $models; do printf '|---'; done; done
    echo '|'
    set --
    while IFS='|' read -r name what; do
        [ -e "$out/$name.real1/summary.json" ] || continue
        line "$what" "$out/$name"
        echo "$out/$name" >>"$out/all"
    done <"$out/names"
    # shellcheck disable=SC2046 # one word a configuration, in a folder whose name has no space
    line "all" $(cat "$out/all")
}
rm -f "$out/all"
table >"$out/table.md"
cat "$out/table.md"
[ -n "$page" ] || exit 0
awk -v table="$out/table.md" '
    /^<!-- end of tables -->$/ { inside = 0 }
    !inside { print }
    /^<!-- tables of validation_edges -->$/ { inside = 1; print ""; while ((getline line < table) > 0) print line; print "" }' "$page" >"$out/page.md"
cat "$out/page.md" >"$page"
